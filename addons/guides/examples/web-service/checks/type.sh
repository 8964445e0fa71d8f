#!/bin/bash
answer=$(curl -s -o /dev/null -m 3 -w '%{http_code} %{content_type}' "http://127.0.0.1:8000$1")
[ "${answer,,}" = "200 $2" ] && exit 0
echo "Status and type of $1 are: $answer"
exit 1
