#!/bin/bash
# The address by which the machine would send packets to the internet.
address=$(ip -4 route get 192.0.2.1 2>/dev/null | sed -n 's/.* src \([0-9.]*\).*/\1/p' | head -n 1)
[ -n "$address" ] || { echo "The machine has no address in a network."; exit 2; }
curl -s -m 3 -o /dev/null "http://$address:8000/" && exit 0
echo "Nothing answers at http://$address:8000/."
exit 1
