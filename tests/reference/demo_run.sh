#!/usr/bin/env bash
# demo_run.sh PROGRAM: runs the demo config and compares the run with the committed reference run. The rows must be
# equal to the byte, accepted by verify, and complete in the report. The last line is "N passed, N failed".
set -euo pipefail
program=$(realpath "${1:?usage: demo_run.sh PROGRAM}")
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
reference=$root/results/reference/fpr_vs_theory
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck source=tests/support/check.sh
source "$root/tests/support/check.sh"

check "the demo config runs" "$program" sweep run "$root/experiments/configs/fpr_vs_theory.json" --out "$work/run"
check "config.json is the committed one" cmp "$work/run/config.json" "$reference/config.json"
check "trials.csv is the committed one, byte for byte" cmp "$work/run/trials.csv" "$reference/trials.csv"
check "verify accepts the run" "$program" verify "$work/run"
check "report draws it" "$program" report "$work/run"
# Theory uses the machine's exp and log, so its values may differ. Only the number of lines is compared.
check "summary.csv has a line for every point" test "$(wc -l <"$work/run/summary.csv")" -eq "$(wc -l <"$reference/summary.csv")"
check "a config with windows runs" "$program" sweep run "$root/experiments/configs/smoke/window.json" --out "$work/window"
check "report draws it" "$program" report "$work/window"
check "a config with streams of items runs" "$program" sweep run "$root/experiments/configs/smoke/stream.json" --out "$work/stream"
check "report draws it" "$program" report "$work/stream"
for table in "$root"/results/reference/*/summary.csv; do
  case $(head -n 1 "$table") in
    *,window_size,*) run=window ;;
    *,stream_zipf,*) run=stream ;;
    *) run=run ;;
  esac
  check "the columns of $(basename "$(dirname "$table")")/summary.csv are those of the program" \
    cmp <(head -n 1 "$work/$run/summary.csv") <(head -n 1 "$table")
done
check "the page stands alone" test -s "$work/run/report.html"

# Adds one false negative to one row, and removes the checksums, which would reveal the change.
sed -i -e '0,/"num_false_negatives":0/s//"num_false_negatives":1/' -e 's/,"xxh3_128":"[0-9a-f]*"}$/}/' \
  "$(find "$work/run/parts" -name '*.jsonl' | sort | head -n 1)"
check "verify rejects a run in which one key was lost" bash -c '"$1" verify "$2"; [ $? -eq 1 ]' - "$program" "$work/run"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
