#!/bin/bash
archive=~/project.tar.gz
[ -f "$archive" ] || { echo "There is no file $archive."; exit 1; }
list=$(tar -tzf "$archive" 2>/dev/null) || { echo "$archive is not an archive that gzip has packed."; exit 1; }
for file in notes.txt src/part-1.txt src/part-2.txt src/part-3.txt; do
  grep -q "project/$file\$" <<< "$list" || { echo "The archive does not contain project/$file."; exit 1; }
done
