#!/usr/bin/env bash
# experiment_runs.sh PROGRAM: repeats every experiment whose rows are in results/reference/, except the demo, which
# demo_run.sh runs. Compares each run with the stored one: same config, same rows to the byte, same verdict. The last
# line is "N passed, N failed".
set -euo pipefail
program=$(realpath "${1:?usage: experiment_runs.sh PROGRAM}")
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck source=tests/support/check.sh
source "$root/tests/support/check.sh"

# verdict_of RUN: prints the first word of the verdict and the exit code.
verdict_of() {
  local status=0
  "$program" verify "$1" >"$work/verdict" || status=$?
  echo "$(head -n 1 "$work/verdict" | cut -d ' ' -f 1 | tr -d ':') $status"
}

# Some of the repeated runs must not be accepted; results/reference/README.md explains why.
expected_verdict() {
  case "$1" in
    counting_churn) echo "REJECTED 1" ;;
    wrongful_erases | wrongful_erases_by_variant) echo "NOTHING 1" ;;
    *) echo "ACCEPTED 0" ;;
  esac
}

for rows in "$root"/results/reference/*/trials.csv; do
  kept=$(dirname "$rows")
  name=$(basename "$kept")
  [ "$name" = fpr_vs_theory ] && continue
  run=$work/$name
  check "$name runs" "$program" sweep run "$root/experiments/configs/$name.json" --out "$run"
  check "$name: config.json is the kept one" cmp "$run/config.json" "$kept/config.json"
  check "$name: trials.csv is the kept one, byte for byte" cmp "$run/trials.csv" "$kept/trials.csv"
  check "$name: the verdict is the stated one" test "$(verdict_of "$run")" = "$(expected_verdict "$name")"
done
check "there are kept runs" test "$passed" -gt 0
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
