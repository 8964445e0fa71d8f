#!/bin/bash
mkdir -p ~/Documents
printf 'Dear Asha,\n\nthe desktop is mine now.\n' > ~/Documents/letter.txt
