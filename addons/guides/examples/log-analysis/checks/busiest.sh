#!/bin/bash
[ -r ~/busiest.txt ] || { echo "There is no file busiest.txt in your home directory."; exit 1; }
right=$(awk '{ print $1 }' /srv/log/access.log | sort | uniq -c | sort -rn | awk 'NR == 1 { print $2 }')
[ "$(tr -d '[:space:]' < ~/busiest.txt)" = "$right" ] && exit 0
echo "The address in busiest.txt is not right."
exit 1
