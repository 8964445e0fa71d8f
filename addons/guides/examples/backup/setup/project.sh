#!/bin/bash
set -eu
test -e ~/project && exit 0
mkdir -p ~/project/cache ~/project/src
echo 'Ship on Friday.' > ~/project/plan.txt
echo 'First notes.' > ~/project/notes.txt
for number in 1 2 3; do echo "Part $number" > ~/project/src/part-$number.txt; done
head -c 200000 /dev/urandom > ~/project/cache/blob
