#!/bin/bash
set -eu
for program in python3 curl; do
  command -v "$program" >/dev/null || { echo "The image has no $program." >&2; exit 1; }
done
python3 -c 'import http.server' || { echo "The image's Python has no http.server." >&2; exit 1; }
systemctl daemon-reload
systemctl enable --quiet --now shop.service
