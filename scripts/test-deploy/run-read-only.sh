#!/bin/sh
# run-read-only.sh <root> <data> <secrets> <user> <program> [argument]… Runs a program as process 1 in its own
# namespaces, as `docker run --read-only --cap-drop all` does. Start this script with `unshare --mount --pid --fork`.
set -eu
root=$1 data=$2 secrets=$3 user=$4
shift 4
mount --make-rprivate /
mount --bind "$root" "$root"
mount --bind "$data" "$root/data"
mount --bind "$secrets" "$root/mnt"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount --rbind /dev "$root/dev"
for place in "$root" "$root/mnt"; do mount -o remount,bind,ro "$place"; done
exec setpriv --no-new-privs chroot --userspec="$user" --groups= "$root" setpriv --inh-caps=-all "$@"
