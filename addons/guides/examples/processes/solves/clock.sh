#!/bin/bash
set -eu
cat > /etc/systemd/system/clock.service <<'UNIT'
[Unit]
Description=Clock

[Service]
ExecStart=/usr/local/bin/clock
Restart=always

[Install]
WantedBy=multi-user.target
UNIT
systemctl daemon-reload
systemctl enable --now clock.service
