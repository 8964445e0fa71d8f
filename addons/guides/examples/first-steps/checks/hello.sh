#!/bin/sh
test -f ~/notes.txt || echo "There is no file notes.txt in your home directory."
test -f ~/notes.txt || exit 1
grep -i hello ~/notes.txt > /dev/null && exit 0
echo "notes.txt does not contain the word hello."
exit 1
