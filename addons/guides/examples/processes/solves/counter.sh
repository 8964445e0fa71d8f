#!/bin/bash
pkill -x counter || true
