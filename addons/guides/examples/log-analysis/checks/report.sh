#!/bin/bash
# Runs the learner's script on a log that only this check knows.
[ -f ~/report.sh ] || { echo "There is no file report.sh in your home directory."; exit 1; }
log=$(mktemp)
trap 'rm -f "$log"' EXIT
for status in 200 200 418 418 418 503; do
  echo "10.1.1.1 - - [30/Nov/2026:10:00:00 +0000] \"GET /418 HTTP/1.1\" $status 500"
done > "$log"
found=$(cd ~ && timeout 5 bash ./report.sh "$log" 2>/dev/null </dev/null | awk '{ print $1, $2 }')
wanted=$'3 418\n2 200\n1 503'
[ "$1" = order ] || { found=$(sort <<< "$found"); wanted=$(sort <<< "$wanted"); }
[ "$found" = "$wanted" ] && exit 0
echo "For a log with 200 twice, 418 three times and 503 once it prints: ${found//$'\n'/; }"
exit 1
