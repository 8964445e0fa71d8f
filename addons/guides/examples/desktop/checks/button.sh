#!/bin/bash
[ -f ~/.icewm/toolbar ] || { echo "There is no file .icewm/toolbar."; exit 1; }
grep -Eq '^ *prog +"?Letter"? +[^ ]+ +xterm .*letter\.txt' ~/.icewm/toolbar && exit 0
echo "No line of .icewm/toolbar opens letter.txt in xterm by the name Letter."
exit 1
