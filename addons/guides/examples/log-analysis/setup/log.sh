#!/bin/bash
# Writes the same log for the same seed.
set -eu
mkdir -p /srv/log
awk -v seed="$VAR_SEED" 'BEGIN {
  srand(seed)
  busy = 20 + int(rand() * 60)
  split("200 200 200 200 301 404 404 500", status, " ")
  for (line = 0; line < 4000; line++) {
    host = rand() < 0.08 ? busy : 100 + int(rand() * 100)
    printf "10.0.0.%d - - [30/Nov/2026:%02d:%02d:%02d +0000] \"GET /page/%d HTTP/1.1\" %d %d\n",
      host, line / 167, rand() * 60, rand() * 60, rand() * 40, status[1 + int(rand() * 8)], 200 + rand() * 9000
  }
}' > /srv/log/access.log
chmod 644 /srv/log/access.log
