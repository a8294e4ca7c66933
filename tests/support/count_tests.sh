#!/usr/bin/env bash
# count_tests.sh LOG STATUS: adds up the test cases of all suites in a verbose CTest log (Catch2, node --test, and the
# scripts' lines "N passed, N failed"). Prints failed and skipped cases, and the totals on the last line.
set -euo pipefail
log=$1
status=$2

read -r passed failed skipped < <(awk '
  { sub(/^[0-9]+: /, "") }
  /^All tests passed \(/ { match($0, /in [0-9]+ test case/); passed += substr($0, RSTART + 3) + 0 }
  /^test cases:/ {
    n = split($0, part, "|")
    for (i = 2; i <= n; i++) {
      if (part[i] ~ /passed/) passed += part[i] + 0
      if (part[i] ~ /failed/) failed += part[i] + 0
    }
  }
  /^(# |ℹ )pass [0-9]+$/ { passed += $NF }
  /^(# |ℹ )fail [0-9]+$/ { failed += $NF }
  /^[0-9]+ passed, [0-9]+ failed/ { passed += $1; failed += $3; if ($0 ~ /skipped/) skipped += $5 }
  /\*\*\*Skipped/ { skipped += 1 }
  END { print passed + 0, failed + 0, skipped + 0 }' "$log")

if [ "$status" -ne 0 ]; then
  # Tests run in parallel, so their lines are mixed. The sort groups the lines of each test.
  sort -s -n -t: -k1,1 "$log" |
    grep -E -A 25 'FAILED:|^[0-9]+: (not ok|✖)|\*\*\*(Failed|Timeout|Exception)|Errors while running|^[0-9]+: FAIL' |
    head -n 200 || true
  if [ "$failed" -eq 0 ]; then failed=1; fi
  echo "whole log: $log"
fi
if [ "$skipped" -gt 0 ]; then grep -iE '\*\*\*skipped|^[0-9]+: skipped' "$log" || true; fi

line="$passed passed, $failed failed"
if [ "$skipped" -gt 0 ]; then line="$line, $skipped skipped"; fi
echo "$line"
[ "$status" -eq 0 ] && [ "$failed" -eq 0 ]
