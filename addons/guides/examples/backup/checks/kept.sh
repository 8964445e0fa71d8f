#!/bin/bash
for file in notes.txt src/part-1.txt src/part-2.txt src/part-3.txt cache/blob; do
  [ -f ~/project/"$file" ] || { echo "~/project/$file is missing."; exit 1; }
done
