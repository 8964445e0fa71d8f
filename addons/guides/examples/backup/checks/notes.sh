#!/bin/bash
grep -qx 'Newer notes.' ~/project/notes.txt && exit 0
echo "notes.txt was replaced by the older one. Write 'Newer notes.' into it, and extract only plan.txt."
exit 1
