#!/bin/bash
list=$(tar -tzf ~/project.tar.gz 2>/dev/null) || { echo "There is no archive yet."; exit 1; }
grep -q 'cache/blob' <<< "$list" || exit 0
echo "The archive contains project/cache."
exit 1
