#!/usr/bin/env bash
# Runs bloometry_file_race for minutes: in threads and processes, in two process-id namespaces, and with 1,000 kills.
set -euo pipefail

usage() {
  cat <<'EOT'
usage: tests/core/file/race_for_minutes.sh [--seconds S] [--kills N]

Runs build/release/tests/core/file/bloometry_file_race: ten threads and ten processes that save and load one name, N
kills for each kind of temporary file, and two programs with equal process ids on one file (as root only). The last line
is `passed` or `failed`, like the exit status.

  --seconds S   seconds per phase (default 60)
  --kills N     kills per kind of temporary file (default 1000)

Example:
  cmake --build build/release --target bloometry_file_race && tests/core/file/race_for_minutes.sh
EOT
}

seconds=60 kills=1000
while (($# > 0)); do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --seconds) seconds=${2:?} ;;
    --kills) kills=${2:?} ;;
    *) echo "error: unknown option $1 (see --help)" >&2; exit 2 ;;
  esac
  shift 2
done

program=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)/build/release/tests/core/file/bloometry_file_race
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
"$program" --seconds "$seconds" --kills "$kills" || status=1

if [ "$(id -u)" -eq 0 ] && unshare --pid --fork --mount-proc true 2>/dev/null; then
  racers=()
  for i in 1 2; do
    unshare --pid --fork --mount-proc "$program" --seconds "$seconds" --kills 0 --file "$work/shared" \
      >"$work/output.$i" 2>&1 &
    racers+=($!)
  done
  for racer in "${racers[@]}"; do wait "$racer" || status=1; done
  sed 's/^/process-id namespaces: /' "$work"/output.*
else
  echo "SKIPPED: process-id namespaces (unshare --pid is not permitted)"
fi
if [ "$status" -eq 0 ]; then echo passed; else echo failed; fi
exit "$status"
