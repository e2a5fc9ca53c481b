#!/bin/sh
# Makes the database with two roles: one owns the tables, and the gateway serves with the other (docs/install.md, "Two roles"). It
# connects as a superuser, by the usual settings of psql. SECRETS: the folder of make-secrets.sh.
set -eu
secrets=${SECRETS:-/run/secrets}
psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --dbname=postgres \
  --set=owner="$(cat "$secrets/owner_password")" --set=serving="$(cat "$secrets/serving_password")" <<'SQL'
CREATE ROLE tillgate_owner LOGIN PASSWORD :'owner';
CREATE ROLE tillgate_serving LOGIN PASSWORD :'serving';
CREATE DATABASE tillgate OWNER tillgate_owner ENCODING 'UTF8' TEMPLATE template0;
SQL
