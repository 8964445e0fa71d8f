#!/bin/bash
file=~/.icewm/startup
[ -f "$file" ] || { echo "There is no file .icewm/startup."; exit 1; }
[ -x "$file" ] || { echo "The file cannot be run yet."; exit 1; }
grep -Eq '^ *(/usr/bin/)?xterm *&? *$' "$file" && exit 0
echo "The file does not run xterm."
exit 1
