#!/bin/sh
# Does what the entry point of the official image does with an empty data folder.
set -eu
export POSTGRES_USER="${POSTGRES_USER:-postgres}"
install -d -o postgres -g postgres -m 700 "$PGDATA"
install -d -o postgres -g postgres /run/postgresql
as_postgres() { setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; }
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  # shellcheck disable=SC2086 -- several options in one variable
  as_postgres initdb -D "$PGDATA" -U "$POSTGRES_USER" --auth-local=trust --auth-host=scram-sha-256 \
    --pwfile="$POSTGRES_PASSWORD_FILE" ${POSTGRES_INITDB_ARGS:-}
  printf 'host all all all scram-sha-256\n' >>"$PGDATA/pg_hba.conf"
  as_postgres pg_ctl -D "$PGDATA" -w -o "-c listen_addresses=''" start
  for script in /docker-entrypoint-initdb.d/*; do [ ! -x "$script" ] || as_postgres "$script"; done
  as_postgres pg_ctl -D "$PGDATA" -w -m fast stop
fi
exec setpriv --reuid=postgres --regid=postgres --clear-groups "$@" -c listen_addresses='*'
