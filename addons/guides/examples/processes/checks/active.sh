#!/bin/bash
state=$(systemctl is-active clock.service) || { echo "The service clock is $state."; exit 1; }
pgrep -x clock >/dev/null || { echo "The service is active, but /usr/local/bin/clock does not run."; exit 1; }
