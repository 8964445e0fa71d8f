#!/bin/bash
file=~/.icewm/keys
line='key "Alt+Ctrl+l" xterm -e nano Documents/letter.txt'
grep -qxF -- "$line" "$file" 2>/dev/null || echo "$line" >> "$file"
