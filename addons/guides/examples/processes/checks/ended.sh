#!/bin/bash
# A program that was only stopped still exists.
pid=$(pgrep -x -o -- "$1") || exit 0
echo "$1 still runs, as process $pid."
exit 1
