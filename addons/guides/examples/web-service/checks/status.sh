#!/bin/bash
code=$(curl -s -o /dev/null -m 3 -w '%{http_code}' "http://127.0.0.1:8000$1")
[ "$code" = "$2" ] && exit 0
[ "$code" = 000 ] && echo "The service does not answer. See: systemctl status shop" || echo "The status of $1 is $code."
exit 1
