# Read by backup and restore. Settings have the names that manc-server uses, so that its environment file fits.
# shellcheck shell=sh disable=SC2034

fail() {
  echo "$program: $*" >&2
  exit 1
}

usage() {
  [ $# -eq 0 ] || echo "$program: $*" >&2
  sed -n '2,/^$/s/^# \{0,1\}//p' "$0" >&2
  exit 2
}

log() { echo "$program: $*"; }
now() { date -u +%Y-%m-%dT%H:%M:%SZ; }

# setting NAME: the value of NAME, or the content of the file that NAME_FILE names.
setting() {
  eval "value=\${$1:-} file=\${$1_FILE:-}"
  if [ -z "$value" ] && [ -n "$file" ]; then
    [ -r "$file" ] || fail "$1_FILE names $file, which cannot be read. Check the path and the permissions."
    value=$(cat "$file")
  fi
  printf %s "$value"
}

require_programs() {
  for each; do
    command -v "$each" >/dev/null && continue
    fail "$each is missing. Debian: apt-get install -y postgresql-client victoria-metrics; vmbackup and vmrestore" \
      "are in the archive vmutils of VictoriaMetrics elsewhere."
  done
}

# The password goes into the environment: command lines are visible to all users of the machine.
connect_database() {
  url=$(setting MANC_DATABASE_URL) || exit 1
  [ -n "$url" ] || fail "MANC_DATABASE_URL is not set. Set it, or MANC_DATABASE_URL_FILE, as for manc-server."
  password=$(printf %s "$url" | sed -n 's|^[a-z]*://[^:@/]*:\([^@/]*\)@.*|\1|p')
  database=$(printf %s "$url" | sed 's|^\([a-z]*://[^:@/]*\):[^@/]*@|\1@|')
  if [ -n "$password" ]; then
    PGPASSWORD=$(printf %s "$password" | awk '{
      hex = "0123456789abcdef"
      while (match($0, /%[0-9A-Fa-f][0-9A-Fa-f]/)) {
        code = tolower(substr($0, RSTART + 1, 2))
        value = (index(hex, substr(code, 1, 1)) - 1) * 16 + index(hex, substr(code, 2, 1)) - 1
        printf "%s%c", substr($0, 1, RSTART - 1), value
        $0 = substr($0, RSTART + 3)
      }
      printf "%s", $0
    }')
    export PGPASSWORD
  fi
  query 'select 1' >/dev/null ||
    fail "PostgreSQL cannot be reached (see the message above). Check MANC_DATABASE_URL."
}

query() { psql -X -q -A -t -v ON_ERROR_STOP=1 -d "$database" -c "$1"; }

# Identify the keys without disclosing them. A key has 256 random bits, so that its hash cannot be guessed. While the key is
# rotated, data may be encrypted with any of the keys that are set.
key_fingerprints() {
  found=''
  for each in MANC_DATA_KEY MANC_DATA_KEY_NEXT MANC_DATA_KEY_PREVIOUS; do
    key=$(setting "$each") || exit 1
    [ -z "$key" ] || found="$found $(printf 'manc data key %s' "$key" | sha256sum | cut -c 1-16)"
  done
  printf %s "${found# }"
}

# entry FOLDER NAME: the value of a line NAME=VALUE of a manifest.
entry() { sed -n "s/^$2=//p" "$1/manifest"; }
