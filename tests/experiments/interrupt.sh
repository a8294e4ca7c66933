#!/usr/bin/env bash
# Checks that SIGINT, SIGTERM and SIGHUP end the program immediately in every state. The program must exit with 130,
# print one line, and remove partial files and its scratch folder. Prints one line per check and a summary. Exits with 1
# if a check failed.
#
# usage: interrupt.sh PATH_TO_BLOOMETRY [--long]
# --long   tests every command with every signal at many moments (about 4 minutes)
set -uo pipefail

program=$(realpath "${1:?usage: interrupt.sh PATH_TO_BLOOMETRY [--long]}")
is_long=${2:-}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/bloometry-interrupt.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir scratch

# shellcheck source=tests/support/check.sh
source "$root/tests/support/check.sh"

# A command that checks the interrupt flag has 0.5 s to stop; any other command ends immediately. The limit of 1 s is
# for an idle machine. While other tests run, a thread may wait for a core, and the exit of a process for the release of
# its pages.
limit_ms=2000
if [ "$is_long" = --long ]; then limit_ms=1000; fi

now_ms() { echo $(($(date +%s%N) / 1000000)); }

# The shell starts background jobs with SIGINT ignored. The program must end on SIGINT nevertheless.
start() { # start COMMAND...: in the background, as $pid
  env TMPDIR="$work/scratch" "$@" >stdout 2>stderr &
  pid=$!
}

leftovers() { find . -name '*.tmp' -o -name '.export-*' -o -path './scratch/*'; }

# If a command ends by itself just before the signal, the function starts the command again and sends the signal sooner.
ends() { # ends SIGNAL DELAY COMMAND...: sends the signal DELAY seconds after the start, or sooner on a fast machine
  local signal=$1 delay=$2 before after code
  shift 2
  while true; do
    start "$@"
    sleep "$delay"
    before=$(now_ms)
    kill "-$signal" "$pid" 2>kill_error
    wait "$pid"
    code=$?
    after=$(now_ms)
    # A command that ignores the signal is not started again.
    if grep -q '^bloometry: interrupted; ' stderr || [ $((after - before)) -gt 50 ]; then break; fi
    delay=$(awk -v delay="$delay" 'BEGIN { print delay / 2 }')
    awk -v delay="$delay" 'BEGIN { exit delay < 0.005 }' || { echo "it had ended before the signal"; break; }
  done
  echo "exit $code after $((after - before)) ms, signal at $delay s"
  cat stderr
  leftovers
  [ "$code" -eq 130 ] && [ $((after - before)) -le "$limit_ms" ] && [ "$(grep -c '^bloometry: interrupted; ' stderr)" -eq 1 ] &&
    [ -z "$(leftovers)" ]
}

config() { # config NAME GRID MEMBERS: NAME.json
  echo "{\"name\": \"$1\", $3 \"grids\": [$2]}" >"$1.json"
}

config rows '{"variant": "standard", "num_keys": {"from": 1, "to": 10000, "steps": 10000},
  "num_bits": {"from": 1000, "to": 1998, "steps": 999}, "num_hashes": 4}' '"queries": 1000,'
config optimal '{"variant": "standard", "num_keys": {"from": 1, "to": 1000, "steps": 1000},
  "num_bits": {"from": 1000, "to": 1999, "steps": 1000}, "num_hashes": "optimal"}' '"queries": 1000,'
config stages '{"variant": "scalable", "num_keys": 100000, "target_false_positive_rate": 0.01,
  "params": {"initial_capacity": 1, "growth_factor": 1}}' '"queries": 100000,'
config small '{"variant": "standard", "num_keys": {"from": 1, "to": 150, "steps": 150}, "num_bits": 1000, "num_hashes": 4}' \
  '"queries": 10, "trials": 3,'
seq 3000000 >lines.txt
config lines '{"variant": "standard", "num_keys": 1000, "num_bits": 10000, "num_hashes": 4}' \
  '"queries": 1000, "keys": {"file": "lines.txt"},'

# Makes a run folder whose planning is slow, for commands that read run folders.
"$program" sweep run small.json --out wide >/dev/null 2>&1
sed -i 's/"trials": 3\b/"trials": 65536/' wide/config.json

check "planning, validate" ends INT 0.3 "$program" sweep validate rows.json
check "planning, run" ends TERM 0.3 "$program" sweep run rows.json --out planned
check "that made no folder" test ! -e planned
check "a key file" ends HUP 0.2 "$program" sweep validate lines.json
check "inside a unit" ends INT 0.4 "$program" sweep run stages.json --out inside --threads 1
check "that kept the folder whole" test -s inside/manifest.json -a -s inside/config.json
check "inside a unit, verify" ends HUP 0.3 "$program" verify stages.json
check "verify of a folder" ends TERM 0.2 "$program" verify wide
check "status" ends INT 0.2 "$program" sweep status wide
check "report" ends HUP 0.2 "$program" report wide

start bash -c 'trap "" HUP; exec "$0" sweep validate rows.json' "$program"
sleep 0.2
kill -HUP "$pid"
sleep 0.2
check "a signal that was ignored at the start stays ignored" kill -0 "$pid"
kill -TERM "$pid"
wait "$pid"
check "other signals end the command" test $? -eq 130

if [ "$is_long" = --long ]; then
  config big '{"variant": ["standard", "partitioned", "blocked", "counting"], "num_keys": 20000000, "bits_per_key": 10, "num_hashes": 7}' \
    '"queries": 20000000,'
  config churn '{"variant": "counting", "num_keys": 3000000, "bits_per_key": 40, "num_hashes": 4,
    "churn": {"rounds": 20, "erase": 0.2, "reinsert": 0.2}}' '"queries": 1000,'
  config members '{"variant": "standard", "num_keys": 200000000, "num_bits": 1000, "num_hashes": 4}' '"queries": 10,'
  config tables '{"variant": "standard", "num_keys": {"from": 1, "to": 1000, "steps": 1000},
    "num_bits": {"from": 1000, "to": 1199, "steps": 200}, "num_hashes": 4}' '"queries": 10,'
  { printf '{"name": "grids", "grids": ['
    yes '{"variant": "standard", "num_keys": 100, "num_bits": 1000, "num_hashes": 4},' | head -n 1000000
    printf '{"variant": "standard", "num_keys": 100, "num_bits": 1000, "num_hashes": 4}]}'; } >grids.json
  for signal in INT TERM HUP; do
    for delay in 0.1 0.5 1 2 4; do
      for name in rows optimal grids; do
        check "planning $name, $signal at $delay s" ends $signal $delay "$program" sweep validate "$name.json"
      done
      for name in stages big churn members; do
        check "run of $name, $signal at $delay s" ends $signal $delay "$program" sweep run "$name.json" --out "$name"
        rm -rf "$name"
      done
      check "verify of stages, $signal at $delay s" ends $signal $delay "$program" verify stages.json
      check "bench, $signal at $delay s" ends $signal $delay "$program" bench -n 1e7
      for command in "verify wide" "sweep status wide" "report wide"; do
        # shellcheck disable=SC2086
        check "$command, $signal at $delay s" ends $signal $delay "$program" $command
      done
    done
  done
  "$program" sweep run tables.json --out whole >/dev/null 2>&1
  start "$program" sweep run tables.json --out tables
  wait "$pid"
  for _ in $(seq 12); do
    rm -rf tables
    cp -r whole tables
    rm tables/*.csv
    check "while tables are written" ends TERM "0.$((RANDOM % 6 + 1))" "$program" sweep run tables.json --out tables
  done
  "$program" sweep run tables.json --out tables >/dev/null 2>&1
  check "trials.csv is byte-identical after all of them" cmp whole/trials.csv tables/trials.csv
  if command -v node >/dev/null; then
    "$program" sweep run small.json --out drawn >/dev/null 2>&1
    for delay in 0.2 0.4 0.6 0.8; do
      check "report --export at $delay s" ends TERM $delay "$program" report drawn --export svg,png,pdf
      check "no node is left" test -z "$(pgrep -f "$work/drawn")"
    done
  fi
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
