#!/bin/sh
# Starts a standby that replicates the primary. After a promotion it has no standby, so it must not wait for one:
# synchronous_standby_names is empty.
set -e
export PGPASSFILE="$PGDATA.pass"
as_postgres() { setpriv --reuid=postgres --regid=postgres --init-groups "$@"; }
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA"
  chown postgres:postgres "$PGDATA"
  chmod 700 "$PGDATA"
  (umask 077; echo "database:5432:*:replicator:$(cat /run/secrets/database-password)" > "$PGPASSFILE")
  chown postgres:postgres "$PGPASSFILE"
  as_postgres pg_basebackup -X stream -c fast -R -D "$PGDATA" \
    -d "host=database user=replicator application_name=standby passfile=$PGPASSFILE"
fi
exec setpriv --reuid=postgres --regid=postgres --init-groups \
  postgres -c synchronous_standby_names= -c listen_addresses='*'
