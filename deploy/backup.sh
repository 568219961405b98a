#!/bin/sh
# One backup into a folder, then all but the latest 14 away: sh deploy/backup.sh [FOLDER]
set -eu
umask 077
folder=${1:-/var/backups/kettle}
keep=14

# It has its name only once it is whole, so nobody takes half a backup for one; an older one is only
# removed after this has gone well.
node scripts/backup.mjs "$folder/kettle-$(date -u +%Y-%m-%d-%H%M%S).backup"

ls -1 "$folder" | grep '^kettle-[0-9-]*\.backup$' | sort -r | tail -n +$((keep + 1)) |
  while read -r old; do rm -f -- "$folder/$old"; done
# What a machine left that went down in the middle of one.
find "$folder" -maxdepth 1 -type f -name '.kettle-*.part' -mtime +0 -exec rm -f -- {} +
