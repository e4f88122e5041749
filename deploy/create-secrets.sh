#!/bin/sh
# sudo deploy/create-secrets.sh [directory]
# Creates the secrets that compose.yaml mounts. Each file is readable only by the user of the container that needs it.
# The default directory is deploy/secrets.
set -eu
umask 077
directory=${1:-"$(dirname "$0")/secrets"}
service=10001
# The user id in the PostgreSQL and Valkey images.
servers=999

if [ "$(id -u)" -ne 0 ]; then
  echo "Run this as root: the files must belong to the users of the containers." >&2
  exit 1
fi
if [ -e "$directory" ]; then
  echo "$directory exists. To keep its secrets from being lost, nothing was written." >&2
  exit 1
fi

random() { openssl rand -base64 32; }
# Uses only letters and digits, because the value is part of a URL.
password() { openssl rand -hex 24; }

# Writes to a temporary directory first, so an interrupted run does not leave an incomplete $directory.
new=$directory.new
rm -rf "$new"
mkdir -p "$new"
write() {
  cat >"$new/$1"
  chown "$2:$2" "$new/$1"
}

postgres=$(password)
valkey=$(password)
random | write auth_secret "$service"
printf '1:%s\n' "$(random)" | write data_keys "$service"
printf 'main:%s\n' "$(random)" | write bridge_secrets "$service"
random | write metrics_token "$service"
write database_url "$service" <<END
postgres://wardenry:$postgres@postgres:5432/wardenry
END
write redis_url "$service" <<END
redis://:$valkey@valkey:6379
END
printf '%s\n' "$postgres" | write postgres_password "$servers"
write valkey.conf "$servers" <<END
requirepass $valkey
save ""
appendonly no
dir /tmp
maxmemory 256mb
maxmemory-policy allkeys-lru
END
mv "$new" "$directory"
echo "Created $directory. Keep a copy of auth_secret and data_keys apart from the backups of the database."
