#!/bin/bash
[ -f ~/report.sh ] || { echo "There is no file report.sh in your home directory."; exit 1; }
(cd ~ && timeout 5 bash ./report.sh /srv/log/absent >/dev/null 2>&1 </dev/null) || exit 0
echo "It ends with 0 although the log does not exist."
exit 1
