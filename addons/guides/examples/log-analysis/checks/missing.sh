#!/bin/bash
[ -r ~/missing.txt ] || { echo "There is no file missing.txt in your home directory."; exit 1; }
[ "$(tr -d '[:space:]' < ~/missing.txt)" = "$(awk '$9 == 404' /srv/log/access.log | wc -l)" ] && exit 0
echo "The number in missing.txt is not right."
exit 1
