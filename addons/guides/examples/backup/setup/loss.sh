#!/bin/bash
# Makes an old archive, then changes one file and loses another. A second run changes nothing.
set -eu
test -e ~/old.tar.gz && exit 0
tar -czf ~/old.tar.gz -C ~ --exclude=cache project
echo 'Newer notes.' > ~/project/notes.txt
rm ~/project/plan.txt
