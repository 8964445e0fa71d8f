#!/bin/bash
pkill -KILL -x stubborn || true
# The signal needs a moment to be delivered.
for _ in 1 2 3 4 5; do pgrep -x stubborn >/dev/null || exit 0; sleep 0.2; done
exit 2
