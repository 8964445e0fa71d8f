#!/bin/sh
test -f ~/"$1" && exit 0
echo "There is no file $1 in your home directory."
exit 1
