#!/bin/sh
cd ~
mkdir -p work
cat notes.txt > work/notes.txt
