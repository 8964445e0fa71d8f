#!/bin/bash
state=$(systemctl is-enabled clock.service 2>/dev/null) && exit 0
echo "The service clock is ${state:-unknown}."
exit 1
