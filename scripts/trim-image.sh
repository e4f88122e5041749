#!/bin/sh
# Run as root while the image is built, in a stage with the files of the base image. Removes what only builds and
# package installations need: npm, C headers, and the Debian packages for installing packages and managing users. Also
# removes the system's time zones and encodings, of which Node.js has its own. Debian's package database is updated, so
# that security scanners list exactly the packages in the image.
set -eu

cd /usr/local
rm -rf /opt/yarn-* include lib/node_modules/corepack lib/node_modules/npm share/doc share/man
(cd bin && rm -f corepack docker-entrypoint.sh npm npx yarn yarnpkg)
rm -rf /root/.npm /var/cache/apt /var/cache/debconf /var/lib/apt /var/log/apt

# Base images of other distributions keep their packages.
command -v dpkg >/dev/null || exit 0
# Some of these scripts need perl.
rm -f /var/lib/dpkg/info/*.prerm /var/lib/dpkg/info/*.postrm
purge() { dpkg --purge "$@" >/dev/null; }
purge --force-depends --force-remove-essential --force-remove-protected adduser apt debconf debian-archive-keyring \
  e2fsprogs gpgv login logsave mount openssl passwd perl-base tzdata

# dpkg refuses to remove a library that another package needs. Node.js is not a Debian package in every base image.
installed() { dpkg-query --show --showformat '${Package}\n' 'lib*' | grep -vxE 'libatomic1|libgcc-s1|libstdc\+\+6'; }
before=
while [ "$before" != "$(installed)" ]; do
  before=$(installed)
  for library in $before; do purge "$library" 2>/dev/null || true; done
done
# Only iconv(1) reads these files.
rm -rf /usr/lib/*/gconv
rm -rf /var/lib/dpkg/*-old /var/cache/ldconfig /var/log/dpkg.log
node --version
