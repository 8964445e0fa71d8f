#!/bin/bash
pgrep -x -- "$1" >/dev/null && exit 0
echo "$1 was ended too. Start it again: sudo systemd-run --unit=lab-$1 /usr/local/bin/$1"
exit 1
