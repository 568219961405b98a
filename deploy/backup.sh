#!/bin/sh
# Makes a backup in a folder and deletes all but the latest 14: sh deploy/backup.sh [FOLDER]
set -eu
umask 077
folder=${1:-/var/backups/kettle}
keep=14

# A backup gets its name once it's complete, so no one mistakes half a backup for one. Older ones are deleted only
# after this has worked.
node scripts/backup.mjs "$folder/kettle-$(date -u +%Y-%m-%d-%H%M%S).backup"

ls -1 "$folder" | grep '^kettle-[0-9-]*\.backup$' | sort -r | tail -n +$((keep + 1)) |
  while read -r old; do rm -f -- "$folder/$old"; done
# Deletes what's left if the machine went down during a backup.
find "$folder" -maxdepth 1 -type f -name '.kettle-*.part' -mtime +0 -exec rm -f -- {} +
