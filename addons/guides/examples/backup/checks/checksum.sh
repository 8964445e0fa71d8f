#!/bin/bash
cd ~
[ -f project.sha256 ] || { echo "There is no file project.sha256 in your home directory."; exit 1; }
grep -q 'project.tar.gz' project.sha256 || { echo "project.sha256 does not name project.tar.gz."; exit 1; }
sha256sum --status -c project.sha256 2>/dev/null && exit 0
echo "The archive does not match the checksum."
exit 1
