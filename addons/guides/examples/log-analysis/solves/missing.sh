#!/bin/bash
awk '$9 == 404' /srv/log/access.log | wc -l > ~/missing.txt
