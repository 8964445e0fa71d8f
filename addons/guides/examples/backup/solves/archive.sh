#!/bin/bash
tar -czf ~/project.tar.gz -C ~ --exclude=cache project
