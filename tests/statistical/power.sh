#!/usr/bin/env bash
# Writes and prints the tables in README.md of this folder: which defects verify detects, and with which probability.
set -euo pipefail

usage() {
  cat <<'USAGE'
usage: tests/statistical/power.sh [PROGRAM] [FILTERS]

Writes smallest_excess.csv and planted_defects.csv beside this script and prints them. PROGRAM is
bloometry_power_table (default: that of build/release). FILTERS is the number of filters simulated for each defect
(default 400, which need a minute). Exit 1 if an observed share contradicts its prediction.

Example:
  cmake --build build/release --target bloometry_power_table && tests/statistical/power.sh
USAGE
}

case "${1:-}" in
  -h | --help) usage; exit 0 ;;
esac

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
program=${1:-$here/../../build/release/tests/experiments/verdict/bloometry_power_table}
filters=${2:-400}
if [[ ! -x $program ]]; then
  echo "error: PROGRAM must be bloometry_power_table, got $program, which is not a program (see --help)" >&2
  exit 2
fi

"$program" smallest | tee "$here/smallest_excess.csv"
"$program" defects "$filters" | tee "$here/planted_defects.csv"
