#!/bin/bash
set -eu
sed -i "s/^ADDRESS = .*/ADDRESS = '0.0.0.0'/" /opt/shop/shop.py
systemctl restart shop
