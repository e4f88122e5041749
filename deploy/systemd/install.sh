#!/bin/sh
# sudo deploy/systemd/install.sh <package> <https address>
# Installs or upgrades the service from a package (wardenry-<version>.tgz or wardenry@<version>). Creates the user, the
# settings and the secrets if they do not exist, and checks the settings. Does not start the service.
set -eu
umask 022
here=$(cd "$(dirname "$0")" && pwd)
settings=/etc/wardenry
program=/opt/wardenry/node_modules/wardenry/bin/wardenry.js

fail() {
  echo "$1" >&2
  exit 1
}
[ $# -eq 2 ] || fail "usage: $0 <package> <https address>"
package=$1 address=$2
[ "$(id -u)" -eq 0 ] || fail 'Run this as root.'
case $address in https://?*) ;; *) fail "The address must begin with https://: $address" ;; esac
for command in node npm openssl useradd; do
  command -v "$command" >/dev/null || fail "$command is not installed."
done
node=$(command -v node)
# The unit makes home directories inaccessible (ProtectHome).
case $(realpath "$node") in /home/* | /root/*) fail "$node is in a home directory. Install Node.js for all users." ;; esac
# With --prefix, npm may resolve a relative path from a directory other than the working directory.
if [ -f "$package" ]; then package=$(realpath "$package"); fi

if ! id wardenry >/dev/null 2>&1; then
  useradd --system --user-group --home-dir /var/lib/wardenry --no-create-home --shell /usr/sbin/nologin wardenry
fi

install -d -m 755 /opt/wardenry
npm install --prefix /opt/wardenry --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error "$package"

install -d -m 700 -o wardenry -g wardenry /var/lib/wardenry
install -d -m 750 -o root -g wardenry "$settings" "$settings/secrets"
if [ ! -e "$settings/env" ]; then
  sed "s|^PUBLIC_URL=.*|PUBLIC_URL=$address|" "$here/env.example" |
    install -m 640 -o root -g wardenry /dev/stdin "$settings/env"
fi
# Uses a pipe, because arguments are visible in the process list.
secret() {
  if [ -e "$settings/secrets/$1" ]; then return; fi
  { printf '%s' "$2" && openssl rand -base64 32; } |
    install -m 640 -o root -g wardenry /dev/stdin "$settings/secrets/$1"
}
secret auth_secret ''
secret data_keys '1:'
secret bridge_secrets 'main:'
secret metrics_token ''

sed "s|/usr/bin/node|$node|" "$here/wardenry.service" |
  install -m 644 /dev/stdin /etc/systemd/system/wardenry.service
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi

cd /opt/wardenry
# Runs doctor with the unit's user and settings.
setpriv --reuid=wardenry --regid=wardenry --clear-groups \
  env -i PATH="$PATH" "$node" --env-file="$settings/env" "$program" doctor ||
  fail "Correct $settings/env, and run this again."
echo 'Start it with: systemctl enable --now wardenry'
