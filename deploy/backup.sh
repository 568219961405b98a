#!/bin/sh
# One backup into a folder, then all but the latest 14 away: sh deploy/backup.sh [FOLDER]
set -eu
umask 077
folder=${1:-/var/backups/kettle}
keep=14
name=kettle-$(date -u +%Y-%m-%d-%H%M%S).backup

# Under another name until it is whole, so that nobody takes half a backup for one. The latest is
# only counted, and an older one only removed, after this has gone well.
trap 'rm -f "$folder/.$name"' EXIT
node scripts/backup.mjs "$folder/.$name"
mv "$folder/.$name" "$folder/$name"

ls -1 "$folder" | grep '^kettle-[0-9-]*\.backup$' | sort -r | tail -n +$((keep + 1)) |
  while read -r old; do rm -f -- "$folder/$old"; done
