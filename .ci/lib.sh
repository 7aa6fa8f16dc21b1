# Functions shared by .ci/run and .ci/nightly. Sourced, not run.

step() { printf '\n== %s (%ss)\n' "$1" "$SECONDS"; }

# Installs the Debian packages that are missing.
install_packages() {
  local missing=()
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  local sudo=()
  [ "$(id -u)" -eq 0 ] || sudo=(sudo)
  "${sudo[@]}" apt-get update -qq
  # The tests start private engines. The package scripts must not start system services.
  local policy=/usr/sbin/policy-rc.d made=no
  if [ ! -e "$policy" ]; then
    made=yes
    printf '#!/bin/sh\nexit 101\n' | "${sudo[@]}" tee "$policy" >/dev/null
    "${sudo[@]}" chmod +x "$policy"
  fi
  local outcome=0
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null || outcome=$?
  [ "$made" = no ] || "${sudo[@]}" rm -f "$policy"
  return "$outcome"
}

# One line of the summary table.
summarise() { printf '%-34s %-7s %6ss  %s\n' "$1" "$2" "$3" "$4" >>"$summary"; }

passed=0
failed=0
# suite NAME ARGUMENTS...: runs vitest and adds its counts to the totals. MANC_SHARDS processes share the files.
suite() {
  local name=$1 shards=${MANC_SHARDS:-1} outcome=0 suite_passed=0 suite_failed=0 began=$SECONDS n
  local files=() running=()
  shift
  for ((n = 1; n <= shards; n++)); do
    files+=("$reports/$name-$n.json")
    npx vitest run "$@" --shard="$n/$shards" --reporter=default --reporter=./tools/failures.reporter.ts --reporter=json \
      --outputFile.json="${files[-1]}" &
    running+=($!)
  done
  for n in "${running[@]}"; do wait "$n" || outcome=1; done
  read -r suite_passed suite_failed < <(node -e '
    const reports = process.argv.slice(1).map((file) => JSON.parse(require("node:fs").readFileSync(file, "utf8")))
    const sum = (name) => reports.reduce((total, report) => total + report[name], 0)
    console.log(sum("numPassedTests"), sum("numFailedTests"))
  ' "${files[@]}") || echo "FAILED $name: vitest wrote no report" | tee -a "$MANC_FAILURES"
  passed=$((passed + suite_passed))
  # An error outside of any test, and a file that does not load, is a failure too.
  failed=$((failed + (suite_failed > outcome ? suite_failed : outcome)))
  summarise "$name" "$([ $outcome -eq 0 ] && echo ok || echo FAILED)" $((SECONDS - began)) \
    "$suite_passed passed, $suite_failed failed"
}

# one NAME COMMAND...: runs a command that counts as a single test. Its last line goes into the summary if it is JSON.
one() {
  local name=$1 began=$SECONDS outcome=ok output="$reports/output" detail
  shift
  if "$@" 2>&1 | tee "$output"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    outcome=FAILED
    echo "FAILED $*" | tee -a "$MANC_FAILURES"
  fi
  detail=$(tail -n 1 "$output" | grep '^{' || true)
  summarise "$name" "$outcome" $((SECONDS - began)) "${detail:0:400}"
}

# counted NAME COMMAND...: runs a command whose last line is `N passed, N failed`, and adds these counts to the totals.
counted() {
  local name=$1 began=$SECONDS outcome=0 output="$reports/output" own_passed=0 own_failed=0
  shift
  "$@" 2>&1 | tee "$output" || outcome=1
  # Without such a line it has crashed.
  read -r own_passed own_failed < <(tail -n 1 "$output" | sed -nE "s/^([0-9]+) passed, ([0-9]+) failed$/\1 \2/p") ||
    { own_passed=0 own_failed=0 outcome=1; }
  [ "$own_failed" -eq 0 ] || outcome=1
  passed=$((passed + own_passed))
  failed=$((failed + (own_failed > outcome ? own_failed : outcome)))
  [ $outcome -eq 0 ] || echo "FAILED $*" | tee -a "$MANC_FAILURES"
  summarise "$name" "$([ $outcome -eq 0 ] && echo ok || echo FAILED)" $((SECONDS - began)) \
    "$own_passed passed, $own_failed failed"
}

# repeated FUNCTION NAME ARGUMENTS...: one of the functions above. What depends on the speed of the machine may fail once: then it
# runs again, of a suite only the files that failed, and the second result counts. The summary has both, and what failed at first.
repeated() {
  local run=$1 name=$2 passed_before=$passed failed_before=$failed first="$reports/first" files=() arguments=() previous='' each
  shift 2
  : >"$first"
  MANC_FAILURES="$first" "$run" "$name" "$@"
  if [ "$failed" -eq "$failed_before" ]; then
    cat "$first" >>"$MANC_FAILURES"
    return
  fi
  sed 's/^FAILED/FAILED AT FIRST/' "$first" >>"$MANC_FAILURES"
  failed=$failed_before
  [ "$run" = suite ] && mapfile -t files < <(failed_files "$reports/$name"-*.json)
  if [ ${#files[@]} -eq 0 ]; then
    passed=$passed_before
    "$run" "$name again" "$@"
    return
  fi
  # Tests of the other files have passed. The first line is how many of these files have.
  passed=$((passed - files[0]))
  for each in "$@"; do
    [[ "$previous" = --config || "$previous" = --exclude || ! -e "$each" ]] && arguments+=("$each")
    previous=$each
  done
  MANC_SHARDS=1 suite "$name again" "${arguments[@]}" "${files[@]:1}"
}

# failed_files REPORT...: how many tests of the files that failed have passed, and these files, one per line. Nothing if no report
# has one.
failed_files() {
  node -e '
    const { existsSync, readFileSync } = require("node:fs")
    const reports = process.argv.slice(1).filter(existsSync).map((file) => JSON.parse(readFileSync(file, "utf8")))
    const failed = reports.flatMap(({ testResults }) => testResults).filter(({ status }) => status === "failed")
    if (failed.length === 0) process.exit()
    console.log(failed.flatMap((file) => file.assertionResults).filter(({ status }) => status === "passed").length)
    for (const { name } of failed) console.log(require("node:path").relative(".", name))
  ' "$@"
}

# Prints the summary, the failures and the closing line; the exit code is that of the run.
finish() {
  step 'summary'
  cat "$summary"
  cat "$MANC_FAILURES"
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ]
}

reports=$(mktemp -d)
trap 'rm -rf "$reports"' EXIT
summary="$reports/summary"
export MANC_FAILURES="$reports/failures"
touch "$summary" "$MANC_FAILURES"

# Hundreds of Node processes start; with a shared compile cache each needs half the CPU time.
export NODE_COMPILE_CACHE="$PWD/node_modules/.cache/compile"

step 'system packages'
install_packages postgresql-15 rabbitmq-server victoria-metrics chromium wrk zsh debootstrap \
  snmpd snmp prometheus-node-exporter

step 'npm packages'
npm ci --no-audit --no-fund

# All suites run on the engines of Debian 13; the suite `older-engines` runs on those of this machine.
step 'engines of Debian 13'
engines_root=/var/cache/manc-engines
if npm run -s engines -- install "$engines_root"; then
  export MANC_ENGINES_ROOT="$engines_root"
else
  # Without a mirror of Debian 13 the other results are still worth having. The summary shows what they are of.
  summarise 'engines of Debian 13' MISSING 0 'all suites ran on the engines of this machine'
fi
