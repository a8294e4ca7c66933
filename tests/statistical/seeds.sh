#!/usr/bin/env bash
# Runs all statistical tests with many root seeds. The tests of a correct program fail with at most one seed in a
# million.
set -euo pipefail

usage() {
  cat <<'USAGE'
usage: tests/statistical/seeds.sh [FIRST] [LAST] [BUILD]

Runs the tests tagged [statistical] of both test programs of BUILD (default build/release) with BLOOMETRY_TEST_SEED from FIRST
(default 1) to LAST (default 20), one line for each program and seed, and writes the calibration table of all seeds to
calibration.csv beside this script. Exit 1 if one failed.

Example:
  tests/statistical/seeds.sh 1 20
USAGE
}

case "${1:-}" in
  -h | --help) usage; exit 0 ;;
esac

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
first=${1:-1}
last=${2:-20}
build=${3:-$here/../../build/release}
export BLOOMETRY_CALIBRATION_TABLE=$here/calibration.csv
echo seed,rows,law,filters,distance,p_value >"$BLOOMETRY_CALIBRATION_TABLE"

status=0
for ((seed = first; seed <= last; ++seed)); do
  for program in bloometry_theory_tests bloometry_experiment_tests; do
    started=$(date +%s%N)
    result=$(BLOOMETRY_TEST_SEED=$seed "$build/tests/$program" '[statistical]' | tail -n 2 | head -n 1) || status=1
    printf 'seed %2d  %-26s  %5.1f s  %s\n' "$seed" "$program" "$((($(date +%s%N) - started) / 1000000))e-3" "$result"
  done
done
exit "$status"
