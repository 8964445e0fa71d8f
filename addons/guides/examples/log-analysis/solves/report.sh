#!/bin/bash
cat > ~/report.sh <<'SCRIPT'
#!/bin/bash
[ -r "$1" ] || { echo "Cannot read $1." >&2; exit 2; }
awk '{ print $9 }' "$1" | sort | uniq -c | sort -rn
SCRIPT
