#!/bin/bash
state=$(systemctl is-active backup.timer) || { echo "The timer is $state."; exit 1; }
systemctl is-enabled --quiet backup.timer || { echo "The timer does not start with the machine."; exit 1; }
when=$(systemctl show -p TimersCalendar --value backup.timer)
case $when in *OnCalendar=*) exit 0 ;; esac
echo "The timer has no OnCalendar."
exit 1
