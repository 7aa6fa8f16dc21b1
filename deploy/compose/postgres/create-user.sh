#!/bin/sh
# Runs once, when PostgreSQL has created its data folder. The controller owns its database and is no superuser.
set -e
psql -v ON_ERROR_STOP=1 --username postgres --dbname postgres \
  -v password="$(cat /run/secrets/postgres_manc_password)" <<'SQL'
CREATE ROLE manc LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD :'password';
CREATE DATABASE manc OWNER manc;
REVOKE ALL ON DATABASE manc FROM PUBLIC;
REVOKE CONNECT ON DATABASE postgres FROM PUBLIC;
SQL
