#!/bin/bash
awk '{ print $1 }' /srv/log/access.log | sort | uniq -c | sort -rn | awk 'NR == 1 { print $2 }' > ~/busiest.txt
