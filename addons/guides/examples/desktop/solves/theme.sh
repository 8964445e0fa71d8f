#!/bin/bash
echo 'Theme="NanoBlue/default.theme"' > ~/.icewm/theme
