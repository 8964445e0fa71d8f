#!/bin/bash
# Runs the learner's service, and looks for a new archive.
systemctl cat backup.service >/dev/null 2>&1 || { echo "There is no unit backup.service."; exit 1; }
began=$(date +%s)
systemctl start backup.service || { echo "backup.service fails. See: journalctl -u backup"; exit 1; }
archive=/var/backups/etc.tar.gz
[ -f "$archive" ] || { echo "The service did not write $archive."; exit 1; }
[ "$(stat -c %Y "$archive")" -ge "$began" ] || { echo "The service did not write $archive again."; exit 1; }
tar -tzf "$archive" 2>/dev/null | grep -c 'etc/passwd$' >/dev/null && exit 0
echo "The archive does not contain etc/passwd."
exit 1
