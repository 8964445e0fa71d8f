#!/bin/bash
curl -s -m 3 http://127.0.0.1:8000/ | grep -q '<h1>Shop</h1>' && exit 0
echo "http://127.0.0.1:8000/ does not show the shop. See: systemctl status shop"
exit 1
