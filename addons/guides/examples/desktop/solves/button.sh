#!/bin/bash
file=~/.icewm/toolbar
line='prog "Letter" - xterm -e nano Documents/letter.txt'
grep -qxF -- "$line" "$file" 2>/dev/null || echo "$line" >> "$file"
