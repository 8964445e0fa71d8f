#!/bin/sh
cd ~
echo hello >> notes.txt
