#!/bin/bash
tar -xzf ~/old.tar.gz -C ~ project/plan.txt
