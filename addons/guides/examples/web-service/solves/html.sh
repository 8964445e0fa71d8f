#!/bin/bash
set -eu
sed -i "s|^    '/': ('text/plain',|    '/': ('text/html; charset=utf-8',|" /opt/shop/shop.py
systemctl restart shop
