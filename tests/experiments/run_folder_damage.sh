#!/usr/bin/env bash
# Closed standard streams, a limit of file sizes, and run files that are not regular. Prints one line per check and a summary; exits 1 if any failed.
# usage: run_folder_damage.sh PATH_TO_BLOOMETRY
set -uo pipefail

program=$(realpath "${1:?usage: run_folder_damage.sh PATH_TO_BLOOMETRY}")
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/bloometry-damage.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# shellcheck source=tests/support/check.sh
source "$root/tests/support/check.sh"

exits() {  # exits CODE PATTERN COMMAND...: ends within 10 s with this exit code and PATTERN in its output
  local code=$1 pattern=$2 got
  shift 2
  timeout -s KILL 10 "$@" >output 2>&1
  got=$?
  if [ "$got" -eq "$code" ] && { [ -z "$pattern" ] || grep -q -- "$pattern" output; }; then return 0; fi
  echo "  expected exit $code and '$pattern', got exit $got and:"
  sed 's/^/  /' output
  return 1
}

cat >config.json <<'JSON'
{"name": "damage", "seed": 7, "trials": 4, "queries": 20000,
 "grids": [{"variant": ["standard", "counting"], "num_keys": [100, 200], "capacity": 200, "bits_per_key": [8, 16],
            "num_hashes": [2, 3]}]}
JSON
run() { "$program" sweep run config.json --out "$1" --threads 1; }
run whole >output 2>&1 || { cat output; echo "FAILED: the undisturbed run"; exit 1; }

# --- Closed standard streams: what is printed must not end up in a run file.

for closed in "0<&-" "1>&-" "2>&-" "0<&- 1>&-" "0<&- 2>&-" "1>&- 2>&-" "0<&- 1>&- 2>&-"; do
  folder="closed ${closed//[^0-9 ]/}"
  for _ in first again; do
    bash -c "exec $closed; exec \"\$@\"" - "$program" sweep run config.json --out "$folder" --threads 1 >/dev/null 2>&1
  done
  check "trials.csv is byte-identical when run with $closed" cmp whole/trials.csv "$folder/trials.csv"
  check "nothing but units is in parts with $closed" bash -c '! grep -qv "^{\"rows\":" "$1"/*.jsonl && [ ! -s "$1/lock" ]' \
    - "$folder/parts"
  check "verify accepts what was run with $closed" exits 0 ACCEPTED "$program" verify "$folder"
done

# --- A limit of file sizes.

check "a part beyond ulimit -f exits 3 and names the file" exits 3 'limited/parts/000001.jsonl: File too large' \
  bash -c 'ulimit -f 8; "$1" sweep run config.json --out limited --threads 1' - "$program"
finished=$("$program" sweep status limited --json | grep -o '"num_finished_units": [0-9]*' | grep -o '[0-9]*$')
check "units below the limit are kept ($finished)" test "${finished:-0}" -gt 0
run limited >/dev/null 2>&1
check "trials.csv is byte-identical once the limit is gone" cmp whole/trials.csv limited/trials.csv

# --- What is not a regular file is refused, never waited for.

"$program" report whole >/dev/null 2>&1
refused() {  # refused FILE KIND COMMAND...: each command refuses odd/FILE, a KIND, in one line
  local file=$1 kind=$2 command
  shift 2
  for command in "$@"; do
    # shellcheck disable=SC2086
    exits 2 "odd/$file must be a regular file, got a $kind" "$program" $command && [ "$(wc -l <output)" -eq 1 ] || return 1
  done
}
for file in config.json manifest.json parts/000001.jsonl parts/lock trials.csv; do
  rm -rf odd && cp -r whole odd && rm "odd/$file" && mkfifo "odd/$file"
  check "a FIFO in place of $file is refused by every command" refused "$file" FIFO \
    "sweep run config.json --out odd" "sweep status odd" "report odd" "verify odd"
done
for file in histograms.csv timings.csv summary.csv report.html; do
  rm -rf odd && cp -r whole odd && rm "odd/$file" && mkfifo "odd/$file"
  check "a FIFO in place of $file is refused" refused "$file" FIFO "report odd"
done
for file in config.json parts/000001.jsonl trials.csv; do
  for kind in folder device socket; do
    rm -rf odd && cp -r whole odd && rm "odd/$file"
    case $kind in
      folder) mkdir "odd/$file" ;;
      device) ln -s /dev/zero "odd/$file" ;;
      socket) /usr/bin/python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "odd/$file" ;;
    esac
    check "a $kind in place of $file is refused" refused "$file" "$kind" "verify odd"
  done
done
rm -rf odd && cp -r whole odd
for chart in whole/charts/*.vl.json; do rm -f "odd/charts/${chart##*/}" && mkfifo "odd/charts/${chart##*/}"; done
check "report refuses a FIFO in place of a chart" exits 2 'vl.json must be a regular file, got a FIFO' "$program" report odd

rm -rf odd && cp -r whole odd && rm -r odd/parts && mkfifo odd/parts
check "a FIFO in place of parts is refused" exits 2 'odd/parts must be a folder' "$program" sweep status odd

rm -rf odd && cp -r whole odd
for file in config.json manifest.json parts/000001.jsonl trials.csv; do
  mv "odd/$file" "${file##*/}.real" && ln -s "$work/${file##*/}.real" "odd/$file"
done
check "symbolic links to regular files are accepted" exits 0 ACCEPTED "$program" verify odd
check "a config may come from a pipe" exits 0 '' "$program" sweep run <(cat config.json) --out piped
mkfifo silent
for command in "sweep run silent --out silenced" "verify silent"; do
  # shellcheck disable=SC2086
  env --default-signal=INT "$program" $command >output 2>&1 &
  pid=$!
  sleep 0.2
  kill -INT "$pid"
  check "Ctrl-C ends ${command%% silent*} while it waits for its config" timeout 5 tail --pid="$pid" -f /dev/null
  kill -KILL "$pid" 2>/dev/null
  wait "$pid" 2>/dev/null
done

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
