#!/bin/sh
# MANC agent for devices with only a shell and curl: HTTP only, no commands. Settings are environment variables:
#   MANC_URL              the controller: https://manc.example.org; its CA in MANC_CA_FILE, client certificate: MANC_CERT_FILE, MANC_CLIENT_KEY_FILE
#   MANC_AP_ID            id of this agent; by default derived from the MAC address of the first network card
#   MANC_PASSWORD         password of the agent; or MANC_ENROLMENT_TOKEN, to register itself
#   MANC_CONFIGURATION    attributes for the controller, a JSON object: {"technology": "WiFi"}
#   MANC_INTERVAL         seconds between samples (10); MANC_KEEP: max. unsent samples, then the oldest are dropped (10000); MANC_MORE: a program whose output is added
#   MANC_CARDS            network interfaces whose bytes are the throughput, separated by spaces, or the path of a program that prints them; by default all cards
#   MANC_STATE            folder for the password and unsent samples (/var/lib/manc-agent); MANC_IDENTITY: another one for the password
set -u && umask 077 && exec 3>&1
: "${MANC_URL:?is not set. Write the address of the controller.}"
S=${MANC_STATE:-/var/lib/manc-agent} I=${MANC_IDENTITY:-${MANC_STATE:-/var/lib/manc-agent}} interval=${MANC_INTERVAL:-10} keep=${MANC_KEEP:-10000}
token='' retry_at=0 delay=0 batch=200 code=000 relogin=no && mkdir -p "$S" "$I" && rm -f "$S/before" || exit 2
log() { echo "$(date -u +%Y-%m-%dT%H:%M:%SZ) $*"; }

all=$(cd /sys/class/net && for card in */device; do [ -e "$card" ] && printf '%s ' "${card%/device}"; done)
ap=${MANC_AP_ID:-ap-$(tr -d ':\n' <"/sys/class/net/${all%% *}/address")}
[ "$ap" != ap- ] || { echo 'MANC_AP_ID is not set, and there is no network card to derive it from. Set it.' >&2 && exit 2; }
case ${MANC_CARDS:-/} in /*) cards=$all ;; *) cards=$MANC_CARDS ;; esac
rest=$(printf %s "${MANC_CONFIGURATION:-}" | sed '1s/^[[:space:]]*{[[:space:]]*//')
case $rest in '' | '}') rest='}' ;; *) rest=",$rest" ;; esac
configuration="{\"telemetry_interval_s\":$interval,\"commands\":[]$rest"

# Secrets are passed to curl through files and standard input: command lines are visible to all users.
if [ -n "${MANC_PASSWORD:-}" ]; then
  printf %s "$MANC_PASSWORD" >"$I/password" && : >"$I/registered"
elif [ ! -s "$I/password" ]; then
  : "${MANC_ENROLMENT_TOKEN:?is not set, and neither is MANC_PASSWORD. Write one of them.}"
  head -c 32 /dev/urandom | if command -v od >/dev/null; then od -An -vtx1; else hexdump -v -e '1/1 "%02x"'; fi | tr -d ' \n' >"$I/new" && sync
  [ "$(wc -c <"$I/new")" -eq 64 ] && mv "$I/new" "$I/password" && sync || { echo 'No random bytes available. Set MANC_PASSWORD.' >&2; exit 2; }
fi

# post PATH BEARER CURL-OPTION…: sets $code to the HTTP status and writes the response to files.
post() {
  path=$1 bearer=$2 && shift 2
  : >"$S/headers" && : >"$S/answer"
  code=$(printf 'header = "Authorization: Bearer %s"\n' "$bearer" | curl -sS -K - -m 30 -o "$S/answer" ${MANC_CA_FILE:+--cacert "$MANC_CA_FILE"} \
    ${MANC_CERT_FILE:+--cert "$MANC_CERT_FILE"} ${MANC_CLIENT_KEY_FILE:+--key "$MANC_CLIENT_KEY_FILE"} -D "$S/headers" -w '%{http_code}' "$@" "$MANC_URL/api/v1$path" 2>"$S/error") || code=000
}
post_body() { post "$1" "$2" -H 'Content-Type: application/json' --data-binary "@$S/body"; }
log_in() {
  post '/token/?login_type=agent' none --data-urlencode "username=$ap" --data-urlencode "password@$I/password"
  [ "$code" = 200 ] || return 1
  token=$(sed -n 's/.*"access_token": *"\([^"]*\)".*/\1/p' "$S/answer")
  printf '{"configuration":%s}' "$configuration" >"$S/body"
  post_body /agent_update/update "$token" && [ "$code" = 200 ] && log "logged in as $ap"
}

# If the response to an earlier attempt was lost, the token is used up but the agent is registered: the login shows it.
register() {
  printf '{"ap_id":"%s","password":"%s","configuration":%s}' "$ap" "$(cat "$I/password")" "$configuration" >"$S/body"
  post_body /agents/public "${MANC_ENROLMENT_TOKEN:-}"
  case $code in 200 | 401 | 403 | 409) log_in && : >"$I/registered" ;; *) return 1 ;; esac
}

# If the program of MANC_CARDS prints other names, there is no rate from the bytes of one set to those of the other. If it prints none, the names stay.
sample() {
  case ${MANC_CARDS:-} in /*) names=$("$MANC_CARDS") && [ "${names:-$cards}" != "$cards" ] && cards=$names && rm -f "$S/before" ;; esac
  awk -v before="$(cat "$S/before" 2>/dev/null)" -v ts="$(date +%s)" -v file="$S/before" -v cards=" $cards " -v more="$([ -z "${MANC_MORE:-}" ] || "$MANC_MORE")" '
    FILENAME == "/proc/net/dev" && sub(/:/, " ") && (index(cards, " " $1 " ") || (cards == "  " && $1 != "lo")) {
      is_there = 1; rx += $2; rx_errors += $4; rx_dropped += $5; tx += $10; tx_errors += $12; tx_dropped += $13 }
    FILENAME == "/proc/stat" && $1 == "cpu" { for (i = 2; i <= 9; i++) all += $i; busy = all - $5 - $6 }
    $1 == "MemTotal:" { total = $2 }; $1 == "MemAvailable:" { free = $2 }; FILENAME == "/proc/uptime" { up = $1 }
    END {
      printf "%s %.0f %.0f %.0f %.0f\n", up, rx, tx, busy, all > file
      printf "{\"ts\":%s,\"payload\":{\"uptime_s\":%d,\"memory_usage_pct\":%.1f", ts, up, (total - free) * 100 / total
      printf ",\"rx_errors\":%d,\"tx_errors\":%d,\"rx_dropped\":%d,\"tx_dropped\":%d", rx_errors, tx_errors, rx_dropped, tx_dropped
      if (split(before, b, " ") == 5 && up > b[1] && all > b[5]) {
        s = (up - b[1]) * 1e6 / 8
        printf ",\"cpu_load_pct\":%.1f", (busy - b[4]) * 100 / (all - b[5])
        if (is_there && rx >= b[2] && tx >= b[3])
          printf ",\"rx_rate_mbps\":%.3f,\"tx_rate_mbps\":%.3f,\"throughput_mbps\":%.3f", (rx - b[2]) / s, (tx - b[3]) / s, (rx - b[2] + tx - b[3]) / s
      } printf "%s}}\n", more }' /proc/net/dev /proc/stat /proc/meminfo /proc/uptime
}
shorten() { tail -n "$1" "$S/waiting" >"$S/rest" && mv "$S/rest" "$S/waiting"; }

# Sends batch after batch, oldest first. Removes samples that were accepted, and samples that were rejected for good.
deliver() {
  while [ -s "$S/waiting" ]; do
    [ -e "$I/registered" ] || register || return 1
    [ -n "$token" ] || log_in || return 1
    { printf '{"samples":[' && head -n "$batch" "$S/waiting" | sed '$!s/$/,/' && printf ']}'; } >"$S/body" || return 1
    post_body /agent_update/update "$token"
    case $code in
      200) shorten "+$((batch + 1))" || return 1; batch=200 relogin=no ;;
      401) token='' && [ "$relogin" = no ] && relogin=yes || return 1 ;;
      400 | 413 | 422) if [ "$batch" = 1 ]; then log "rejected: $(head -n 1 "$S/waiting")" && shorten +2 || return 1; else batch=1; fi ;;
      *) return 1 ;;
    esac
  done
}

trap 'log stopped >&3; exit 0' INT TERM # Standard output can be the file of unsent samples at this time.
while :; do
  sample >>"$S/waiting"
  [ "$(wc -l <"$S/waiting")" -le "$keep" ] || shorten "$keep"
  if [ "$(date +%s)" -lt "$retry_at" ]; then :; elif deliver; then delay=0; else
    delay=$((delay < 60 ? delay * 2 + 1 : delay))
    after=$(sed -n 's/^[Rr]etry-[Aa]fter: *\([0-9]*\).*/\1/p' "$S/headers")
    retry_at=$(($(date +%s) + ${after:-$delay} + $$ % 5))
    log "delivery failed: $code $(head -c 200 "$S/error")$(head -c 200 "$S/answer"). $(wc -l <"$S/waiting") samples unsent."
  fi
  sleep "$interval" & wait $!
done
