#!/bin/sh
# Installs Trainyard with its database and HTTPS on one host with Docker or Podman, or upgrades it. Run it in the folder
# of compose.yaml and Caddyfile, where it keeps its settings. Existing settings are never changed.
set -eu
umask 077
cd "$(dirname "$0")"

usage() {
  cat <<'END'
Usage: sh install.sh [--address HOST] [--email EMAIL] [--local] [--image IMAGE] [--postgres MAJOR] [--yes]
  --address HOST  name under which users open the portal, such as portal.example.com
  --email EMAIL   address of the first superadmin
  --local         the name is known only here; Caddy signs the certificate with its own authority
  --image IMAGE   image with its version; run again with a newer one to upgrade
  --postgres MAJOR  version of PostgreSQL, such as 19; run again with a newer one to move the database to it
  --yes           ask nothing
END
}
say() { printf '%s\n' "$*"; }
fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

address='' email='' tls='' yes='' image='' postgres=''
while [ $# -gt 0 ]; do
  case $1 in
    --local) tls='tls internal' ;;
    --yes) yes=1 ;;
    --help) usage && exit 0 ;;
    --address | --email | --image | --postgres)
      [ $# -gt 1 ] || fail "$1 needs a value."
      case $1 in --address) address=$2 ;; --email) email=$2 ;; --image) image=$2 ;; *) postgres=$2 ;; esac
      shift
      ;;
    *) usage >&2 && exit 2 ;;
  esac
  shift
done

if docker compose version >/dev/null 2>&1; then
  engine=docker
  compose='docker compose'
elif podman --version >/dev/null 2>&1 && podman-compose --version >/dev/null 2>&1; then
  engine=podman
  compose=podman-compose
else
  fail 'Install Docker with its compose plugin, or Podman with podman-compose, then run this again.'
fi

# Returns the value of a setting in .env.
setting() { [ ! -f .env ] || sed -n "s/^$1=//p" .env; }
# Writes a new file in one step, so that a kill leaves no half.
write() {
  cat >"$1.new" && mv "$1.new" "$1"
}
# Sets the image and the major of PostgreSQL.
set_versions() {
  { sed '/^TRAINYARD_IMAGE=/d; /^POSTGRES_MAJOR=/d' .env && say "TRAINYARD_IMAGE=$1" && say "POSTGRES_MAJOR=$2"; } | write .env
}
# Runs a command in a new container of the image, or in a running one. podman-compose 1.0 of Debian 12 ends with 0 in any case, and prints the code.
in_compose() {
  container_image=$1
  shift
  if [ "$engine" = docker ]; then
    TRAINYARD_IMAGE=$container_image $compose "$@"
    return
  fi
  { failed=$({ TRAINYARD_IMAGE=$container_image $compose "$@" || say 'exit code: 1'; } | while IFS= read -r line; do
    case $line in 'exit code: 0') ;; 'exit code: '*) say failed ;; *) say "$line" >&3 ;; esac
  done); } 3>&1
  [ -z "$failed" ]
}
# Starts everything. podman-compose 1.0 neither replaces containers whose image or settings changed nor waits for the
# database.
start() {
  [ "$engine" = docker ] || {
    $compose down -t 60 && $compose up -d database && await in_service database pg_isready -U trainyard -h 127.0.0.1
  } && $compose up -d
}
random() { head -c "$1" /dev/urandom; }
# Runs a command of the image.
in_container() {
  container_image=$1
  shift
  in_compose "$container_image" run --rm --no-deps -T migrate "$@"
}
# Repeats a command until it succeeds.
await() {
  tries=0
  until "$@" >/dev/null 2>&1; do
    tries=$((tries + 1))
    [ "$tries" -lt 60 ] || return 1
    sleep 2
  done
}
in_service() { in_compose '' exec -T "$@"; }
alive() { await in_service api1 node deploy/alive.mjs; }

# The database of the new major runs next to the old one during a move, in its own folder of the same volume.
next=trainyard-database-next
run_next() { POSTGRES_MAJOR=$major $compose run --rm --no-deps "$@"; }
# Two servers on one folder would destroy it.
stop_next() {
  "$engine" stop "$next" >/dev/null 2>&1 || true
  "$engine" rm -f "$next" >/dev/null 2>&1 || true
  ! "$engine" container inspect "$next" >/dev/null 2>&1
}
start_next() {
  stop_next && run_next -d --name "$next" database >/dev/null &&
    await "$engine" exec "$next" pg_isready -U trainyard -h 127.0.0.1
}
# Keeps a folder with which the server does not start, because it was killed when it created it, under another name.
set_aside() {
  stop_next && run_next -T --entrypoint mv database \
    "/var/lib/postgresql/$major" "/var/lib/postgresql/$major-$(date +%s)"
}
prepare() {
  if [ "$major" = "$old_major" ]; then
    in_container "$new" upgrade prepare
  elif [ "$(setting POSTGRES_MAJOR)" != "$major" ]; then
    { start_next || { set_aside && start_next; }; } &&
      in_container "$new" upgrade prepare --to "postgres://$next:5432/trainyard" && stop_next
  fi
}
back() { in_container "$new" upgrade back "$@" || in_container "$old" upgrade back "$@"; }
# Allows changes in the old database again, unless the new one has accepted changes.
back_to_old_database() {
  $compose up -d database && await in_service database pg_isready -U trainyard -h 127.0.0.1 &&
    start_next && back --to "postgres://$next:5432/trainyard"
}
# Takes the upgrade back and starts the old version.
take_back() {
  if [ "$major" = "$old_major" ]; then
    back || return 1
  elif ! stop_next; then
    return 1
  elif [ "$(setting POSTGRES_MAJOR)" != "$major" ]; then
    # The old database refuses the first while the copy could be used.
    back || { start_next && back --to "postgres://$next:5432/trainyard" && stop_next; } || return 1
  elif ! (export POSTGRES_MAJOR="$old_major" && back_to_old_database && stop_next); then
    stop_next && $compose up -d
    return 1
  fi
  set_versions "$old" "$old_major" && start && alive && rm upgrade
}
obtain() {
  ! "$engine" image inspect "$1" >/dev/null 2>&1 || return 0
  case $1 in
    localhost/*)
      [ -f ../Containerfile ] || { say "The image $1 does not exist on this host." >&2 && return 1; }
      # Podman keeps the health check only in this format.
      (cd ../.. && BUILDAH_FORMAT=docker "$engine" build -t "$1" -f deploy/Containerfile .) ||
        { say "The image $1 cannot be built." >&2 && return 1; }
      ;;
    *) "$engine" pull "$1" || { say "The image $1 cannot be pulled." >&2 && return 1; } ;;
  esac
}

ask() {
  [ -z "$yes" ] || return 0
  printf '%s ' "$1" >&2
  read -r answer || answer=''
  say "$answer"
}

# The release writes its registry here.
default_image=localhost/trainyard:1.0.0
default_major=18

# The file `installing` has the address of the first superadmin until that is created.
is_new=1
if [ -f .env ] && [ -f trainyard.env ] && [ ! -f installing ]; then is_new=''; fi

if [ ! -f .env ]; then
  [ -n "$address" ] || address=$(ask 'Name under which users open the portal (for example portal.example.com):')
  case $address in '' | *[!A-Za-z0-9.-]*) fail 'Give the name of the portal: --address HOST. It has only letters, digits, dots and hyphens.' ;; esac
  [ -n "$email" ] || email=$(ask 'E-mail address of the first superadmin (empty: a link in the log creates one):')
else
  address=$(setting PORTAL_HOST)
  [ -n "$address" ] || fail '.env lacks PORTAL_HOST.'
fi

old=$(setting TRAINYARD_IMAGE)
[ -n "$old" ] || [ -n "$is_new" ] || fail '.env lacks TRAINYARD_IMAGE.'
new=${image:-${old:-$default_image}}
old_major=$(setting POSTGRES_MAJOR)
old_major=${old_major:-$default_major}
major=${postgres:-$old_major}
database_image=$(setting POSTGRES_IMAGE)
case ${database_image##*/} in *:*) fail 'POSTGRES_IMAGE in .env must have no tag: that is POSTGRES_MAJOR.' ;; esac
case $major in *[!0-9]*) fail 'Give the major version of PostgreSQL, such as --postgres 19.' ;; esac
# An upgrade that was interrupted is finished first, or taken back if its image no longer exists.
if [ -f upgrade ]; then
  old=$(sed -n 1p upgrade)
  new=$(sed -n 2p upgrade)
  old_major=$(sed -n 3p upgrade)
  major=$(sed -n 4p upgrade)
  if ! obtain "$new"; then
    take_back || fail "The upgrade to $new was interrupted, and cannot be taken back. The lines above say why."
    fail "The upgrade to $new was taken back, and $old runs again. Give an image that exists: --image IMAGE."
  fi
  [ "$major" = "$old_major" ] || stop_next ||
    fail "The container $next cannot be removed. Remove it, then run this again."
else
  obtain "$new" || exit 1
fi

if [ -n "$is_new" ]; then
  [ -n "$email" ] || [ ! -f installing ] || email=$(cat installing)
  say "$email" | write installing
  [ -f .env ] || { say "PORTAL_HOST=$address" && say "PORTAL_TLS=$tls" && say "TRAINYARD_IMAGE=$new" && say "POSTGRES_MAJOR=$major"; } | write .env
  # Until the first start nothing needs an upgrade.
  [ "$old $old_major" = "$new $major" ] || set_versions "$new" "$major"
  old=$new
  old_major=$major
fi
[ -f database-password ] || random 24 | od -An -v -tx1 | tr -d ' \n' | write database-password
if [ ! -f trainyard.env ]; then
  # The signing key is an Ed25519 key in the format PKCS #8: a fixed beginning and 32 random bytes.
  write trainyard.env <<END
# Settings of the portal. Keep a copy of the keys elsewhere: backups do not contain them.
NODE_ENV=production
PUBLIC_URL=https://$address
DATABASE_URL=postgres://trainyard:$(cat database-password)@database:5432/trainyard
SECRET_KEYS=$(date +%Y):$(random 32 | base64 | tr -d '\n')
AUDIT_SIGNING_KEY=$({ printf '\060\056\002\001\000\060\005\006\003\053\145\160\004\042\004\040' && random 32; } | base64 | tr -d '\n')
TRUSTED_PROXIES=1
METRICS_PORT=9400
METRICS_HOST=127.0.0.1
#SMTP_URL=smtps://user:password@mail.example.com:465
END
fi

# Podman would give both databases the name `database`.
[ "$old_major" = "$major" ] || [ "$engine" = docker ] ||
  fail '--postgres with another version is not available with Podman. Move the database with: npm run upgrade -- --to'
if [ "$old" != "$new" ] || [ "$old_major" != "$major" ]; then
  say "Upgrading from $old to $new ..."
  { say "$old" && say "$new" && say "$old_major" && say "$major"; } | write upgrade
  if prepare && set_versions "$new" "$major" && start &&
    in_container "$new" upgrade finish http://api1:4000 http://api2:4000; then
    rm upgrade
    say "Upgraded to $new: https://$address"
    [ "$major" = "$old_major" ] ||
      say "The old database stays in /var/lib/postgresql/$old_major of the volume database; delete it when you no longer need it."
    exit 0
  fi
  # The commands take the upgrade back themselves, unless they were ended or the new containers did not start.
  ! take_back || fail "The upgrade failed, and $old runs again. The lines above say why."
  fail "The upgrade failed, and $old does not run again. Remove the cause that the lines above name, then run this again: it finishes the upgrade or takes it back."
fi

start || fail 'The containers did not start. The lines above say why.'
alive || fail "The portal did not start. Read its log: $engine logs, service api1."
say "Trainyard runs: https://$address"
if [ -n "$is_new" ]; then
  if [ -n "$email" ]; then
    in_container "$new" superadmin "$email"
  else
    $compose logs api1 2>&1 | sed -n 's/.*\(https:[^ ]*set-up[^ ]*\).*/Create the first superadmin, once: \1/p' | tail -n 1
  fi
  rm installing
fi
if [ "$(setting PORTAL_TLS)" = 'tls internal' ]; then
  say "Browsers trust it with Caddy's certificate: the file /data/caddy/pki/authorities/local/root.crt in the service proxy."
fi
