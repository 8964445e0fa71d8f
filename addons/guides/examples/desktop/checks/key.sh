#!/bin/bash
[ -f ~/.icewm/keys ] || { echo "There is no file .icewm/keys."; exit 1; }
grep -Eq '^ *key +"(Alt\+Ctrl|Ctrl\+Alt)\+l" +xterm .*letter\.txt' ~/.icewm/keys && exit 0
echo 'No line of .icewm/keys has the key "Alt+Ctrl+l" and opens letter.txt in xterm.'
exit 1
