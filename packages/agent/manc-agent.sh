#!/bin/sh
# The agent of MANC where there is no more than a shell and curl: HTTP alone, no commands. Settings are in the environment:
#   MANC_URL              the controller, as https://manc.example.org
#   MANC_AP_ID            who this is; by default made from the address of the first network card
#   MANC_PASSWORD         the password that belongs to it; or MANC_ENROLMENT_TOKEN, with which it registers itself
#   MANC_CONFIGURATION    what the controller shall know, a JSON object: {"technology": "WiFi"}
#   MANC_INTERVAL         seconds between samples (10); MANC_KEEP how many may wait before the oldest go (10000)
#   MANC_STATE            a folder for the password and what waits (/var/lib/manc-agent)
set -u && umask 077
: "${MANC_URL:?is not set. Write the address of the controller.}"
S=${MANC_STATE:-/var/lib/manc-agent} every=${MANC_INTERVAL:-10} keep=${MANC_KEEP:-10000}
token='' hold=0 fails=0 most=200 code=000 again=no && mkdir -p "$S" || exit 2
log() { echo "$(date -u +%Y-%m-%dT%H:%M:%SZ) $*"; }

cards=$(cd /sys/class/net && for card in */device; do [ -e "$card" ] && printf '%s ' "${card%/device}"; done)
ap=${MANC_AP_ID:-ap-$(tr -d ':\n' <"/sys/class/net/${cards%% *}/address")}
[ "$ap" != ap- ] || { echo 'MANC_AP_ID is not set, and there is no network card to take it from.' >&2 && exit 2; }
rest=$(printf %s "${MANC_CONFIGURATION:-}" | sed '1s/^[[:space:]]*{[[:space:]]*//')
case $rest in '' | '}') rest='}' ;; *) rest=",$rest" ;; esac
configuration="{\"telemetry_interval_s\":$every,\"commands\":[]$rest"

# Secrets go to curl through files and standard input: a command line is for everybody to read.
if [ -n "${MANC_PASSWORD:-}" ]; then
  printf %s "$MANC_PASSWORD" >"$S/password" && : >"$S/registered"
elif [ ! -s "$S/password" ]; then
  : "${MANC_ENROLMENT_TOKEN:?is not set, and neither is MANC_PASSWORD. Write one of them.}"
  head -c 32 /dev/urandom | od -An -vtx1 | tr -d ' \n' >"$S/new" && sync
  [ "$(wc -c <"$S/new")" -eq 64 ] && mv "$S/new" "$S/password" && sync || { echo 'No random bytes here. Set MANC_PASSWORD.' >&2; exit 2; }
fi

# post PATH BEARER CURL-OPTION…: the status is in $code then, the answer in a file.
post() {
  path=$1 bearer=$2 && shift 2
  : >"$S/headers" && : >"$S/answer"
  code=$(printf 'header = "Authorization: Bearer %s"\n' "$bearer" | curl -sS -K - -m 30 -o "$S/answer" \
    -D "$S/headers" -w '%{http_code}' "$@" "$MANC_URL/api/v1$path" 2>"$S/error") || code=000
}
post_body() { post "$1" "$2" -H 'Content-Type: application/json' --data-binary "@$S/body"; }
log_in() {
  post '/token/?login_type=agent' none --data-urlencode "username=$ap" --data-urlencode "password@$S/password"
  [ "$code" = 200 ] || return 1
  token=$(sed -n 's/.*"access_token": *"\([^"]*\)".*/\1/p' "$S/answer")
  printf '{"configuration":%s}' "$configuration" >"$S/body"
  post_body /agent_update/update "$token" && [ "$code" = 200 ] && log "logged in as $ap"
}

# An answer may have been lost, and the token be spent by it: whether we are registered, the login tells.
register() {
  printf '{"ap_id":"%s","password":"%s","configuration":%s}' "$ap" "$(cat "$S/password")" "$configuration" >"$S/body"
  post_body /agents/public "${MANC_ENROLMENT_TOKEN:-}"
  case $code in 200 | 401 | 403 | 409) log_in && : >"$S/registered" ;; *) return 1 ;; esac
}

sample() {
  awk -v before="$(cat "$S/before" 2>/dev/null)" -v ts="$(date +%s)" -v file="$S/before" -v cards=" $cards" '
    FILENAME == "/proc/net/dev" && sub(/:/, " ") && (index(cards, " " $1 " ") || (cards == " " && $1 != "lo")) {
      rx += $2; rx_errors += $4; rx_dropped += $5; tx += $10; tx_errors += $12; tx_dropped += $13 }
    FILENAME == "/proc/stat" && $1 == "cpu" { for (i = 2; i <= 9; i++) all += $i; busy = all - $5 - $6 }
    $1 == "MemTotal:" { total = $2 }; $1 == "MemAvailable:" { free = $2 }; FILENAME == "/proc/uptime" { up = $1 }
    END {
      printf "%s %.0f %.0f %.0f %.0f\n", up, rx, tx, busy, all > file
      printf "{\"ts\":%s,\"payload\":{\"uptime_s\":%d,\"memory_usage_pct\":%.1f", ts, up, (total - free) * 100 / total
      printf ",\"rx_errors\":%d,\"tx_errors\":%d,\"rx_dropped\":%d,\"tx_dropped\":%d", rx_errors, tx_errors, rx_dropped, tx_dropped
      if (split(before, b, " ") == 5 && up > b[1] && all > b[5] && rx >= b[2] && tx >= b[3]) {
        s = (up - b[1]) * 1e6 / 8
        printf ",\"load_pct\":%.1f,\"rx_rate_mbps\":%.3f", (busy - b[4]) * 100 / (all - b[5]), (rx - b[2]) / s
        printf ",\"tx_rate_mbps\":%.3f,\"throughput_mbps\":%.3f", (tx - b[3]) / s, (rx - b[2] + tx - b[3]) / s
      } printf "}}\n" }' /proc/net/dev /proc/stat /proc/meminfo /proc/uptime
}
shorten() { tail -n "$1" "$S/waiting" >"$S/rest" && mv "$S/rest" "$S/waiting"; }

# One batch after the other, oldest first. What was accepted goes, and what never will be.
deliver() {
  while [ -s "$S/waiting" ]; do
    [ -e "$S/registered" ] || register || return 1
    [ -n "$token" ] || log_in || return 1
    { printf '{"samples":[' && head -n "$most" "$S/waiting" | sed '$!s/$/,/' && printf ']}'; } >"$S/body" || return 1
    post_body /agent_update/update "$token"
    case $code in
      200) shorten "+$((most + 1))" || return 1; most=200 again=no ;;
      401) token='' && [ "$again" = no ] && again=yes || return 1 ;;
      400 | 413 | 422) if [ "$most" = 1 ]; then log "refused: $(head -n 1 "$S/waiting")" && shorten +2 || return 1; else most=1; fi ;;
      *) return 1 ;;
    esac
  done
}

trap 'log stopped; exit 0' INT TERM
while :; do
  sample >>"$S/waiting"
  [ "$(wc -l <"$S/waiting")" -le "$keep" ] || shorten "$keep"
  if [ "$(date +%s)" -lt "$hold" ]; then :; elif deliver; then fails=0; else
    fails=$((fails < 60 ? fails * 2 + 1 : fails))
    after=$(sed -n 's/^[Rr]etry-[Aa]fter: *\([0-9]*\).*/\1/p' "$S/headers")
    hold=$(($(date +%s) + ${after:-$fails} + $$ % 5))
    log "nothing gets through: $code $(head -c 200 "$S/error")$(head -c 200 "$S/answer"). $(wc -l <"$S/waiting") wait."
  fi
  sleep "$every" & wait $!
done
