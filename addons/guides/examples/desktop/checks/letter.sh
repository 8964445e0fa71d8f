#!/bin/bash
# Without a pattern, only the file must exist.
letter=~/Documents/letter.txt
[ -f "$letter" ] || { echo "There is no letter.txt in Documents."; exit 1; }
[ -n "$1" ] || exit 0
head -n 1 "$letter" | grep -q -- "$1" && exit 0
echo "The first line of the letter does not begin with Dear and a name."
exit 1
