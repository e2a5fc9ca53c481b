#!/bin/sh
# Makes the secrets of a production gateway in a folder: make-secrets.sh FOLDER. Files that are there stay, so it can be run again, and
# passwords can be your own, with any characters. Keep a copy of field_keys apart from the backups of the database: without it the data cannot be read.
set -eu
# Whatever the shell of the caller says, since files that a container cannot read stop the gateway.
umask 022
folder=$1
mkdir -p "$folder"
# Nobody else gets into the folder. The files themselves are readable, since a container's user reads the one that is mounted for it.
chmod 700 "$folder"
cd "$folder"

keep() {
  if [ -e "$1" ]; then cat >/dev/null; else cat >"$1"; fi
}

for name in postgres_password owner_password serving_password metrics_token; do
  openssl rand -hex 32 | keep "$name"
done
echo "k1:$(openssl rand -base64 32)" | keep field_keys

for name in *; do
  case $(ls -l "$name") in
    ???????r*) ;;
    *) echo "Containers cannot read $folder/$name. Run: chmod 644 $folder/$name" >&2 ;;
  esac
done
