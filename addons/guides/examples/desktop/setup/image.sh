#!/bin/bash
set -eu
for program in icewm xterm nano; do
  command -v "$program" >/dev/null || { echo "The image has no $program." >&2; exit 1; }
done
mkdir -p ~/Documents ~/.icewm
