#!/bin/bash
plan=~/project/plan.txt
[ -f "$plan" ] || { echo "There is no file $plan."; exit 1; }
grep -qx 'Ship on Friday.' "$plan" && exit 0
echo "plan.txt is not the file of the archive."
exit 1
