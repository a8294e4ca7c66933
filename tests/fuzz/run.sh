#!/usr/bin/env bash
# Fuzzes every reader of files. The last line printed is `N passed, N failed`.
set -euo pipefail

usage() {
  cat <<'EOF'
usage: tests/fuzz/run.sh [--long SECONDS] [TARGET...]

Builds the fuzzers with clang in build/fuzz and runs them, two at a time. Prints one line per target; the last line is
"N passed, N failed", exit 0 if none failed. New inputs are kept in build/fuzz/corpus, inputs that fail in
build/fuzz/crashes/TARGET with the command that repeats the failure.

  --long SECONDS  time for all targets together (default 60)
  TARGET          targets to run (default all): bloometry dcso go_binary go_bitset go_json guava key_text keys
                  parquet_footer parquet_sbbf redis_bitmap redisbloom redisbloom_chunks

Examples:
  tests/fuzz/run.sh
  tests/fuzz/run.sh --long 600 bloometry redisbloom
EOF
}

all_targets=(bloometry dcso go_binary go_bitset go_json guava key_text keys parquet_footer parquet_sbbf redis_bitmap
  redisbloom redisbloom_chunks)
at_once=2
seconds=60
targets=()
while [ $# -gt 0 ]; do
  case "$1" in
    -h | --help) usage; exit 0 ;;
    --long)
      if ! [[ "${2:-}" =~ ^[1-9][0-9]*$ ]]; then
        echo "error: --long must be a number of seconds of at least 1, got '${2:-}'" >&2
        exit 2
      fi
      seconds=$2
      shift 2
      ;;
    -*) echo "error: unknown option $1 (see --help)" >&2; exit 2 ;;
    *)
      if [[ " ${all_targets[*]} " != *" $1 "* ]]; then
        echo "error: TARGET must be one of ${all_targets[*]}, got $1" >&2
        exit 2
      fi
      targets+=("$1")
      shift
      ;;
  esac
done
[ "${#targets[@]}" -gt 0 ] || targets=("${all_targets[@]}")

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
build=build/fuzz
mkdir -p "$build"
started=$SECONDS
log=$build/build.log
if ! { [ -f "$build/CMakeCache.txt" ] || cmake --preset fuzz; } >"$log" 2>&1 ||
  ! cmake --build "$build" -j "$(nproc)" --target "${targets[@]/#/bloometry_fuzz_}" >>"$log" 2>&1; then
  grep -E -A 5 'error: |undefined reference|CMake Error' "$log" | head -n 40 || true
  echo "error: the fuzzers could not be built (log: $log)"
  echo "0 passed, ${#targets[@]} failed"
  exit 1
fi
echo "built in $((SECONDS - started)) s"

rounds=$(((${#targets[@]} + at_once - 1) / at_once))
each=$((seconds / rounds > 0 ? seconds / rounds : 1))
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT

# fuzz TARGET: fuzzes one target and stores its log and exit status in $results. Disables entropic scheduling. If an
# input reaches thousands of edges, the bookkeeping of entropic scheduling needs 9 of 10 ms per input (bloometry: 198/s
# with bookkeeping, 2180/s without).
fuzz() {
  local target=$1 status=0 seeds=(tests/fuzz/corpus/"$1")
  [ "$target" != bloometry ] || seeds+=(tests/golden/filters)
  mkdir -p "$build/corpus/$target" "$build/crashes/$target"
  "$build/tests/fuzz/bloometry_fuzz_$target" -max_total_time="$each" -timeout=5 -rss_limit_mb=1024 -max_len=4096 \
    -entropic=0 -print_final_stats=1 -artifact_prefix="$build/crashes/$target/" \
    "$build/corpus/$target" "${seeds[@]}" >"$results/$target.log" 2>&1 </dev/null || status=$?
  echo "$status" >"$results/$target.status"
}

running=0
for target in "${targets[@]}"; do
  if [ "$running" -ge "$at_once" ]; then
    wait -n
    running=$((running - 1))
  fi
  fuzz "$target" &
  running=$((running + 1))
done
wait

# value NAME LOG: prints the last `stat::NAME: value`.
value() { sed -n "s/^stat::$1: *//p" "$2" | tail -n 1; }
# last NAME LOG: prints the number after the last `NAME: ` in the lines that libFuzzer prints for new inputs.
last() { grep -oE "$1: [0-9]+" "$2" | tail -n 1 | grep -oE '[0-9]+$' || echo 0; }

passed=0
failed=0
for target in "${targets[@]}"; do
  log=$results/$target.log
  status=$(cat "$results/$target.status")
  crashes=$(grep -cE 'Test unit written to' "$log" || true)
  printf '%-18s %s executions, %s/s, %s inputs, %s edges, %s crashes; %s\n' "$target" \
    "$(value number_of_executed_units "$log")" "$(value average_exec_per_sec "$log")" "$(last corp "$log")" \
    "$(last cov "$log")" "$crashes" "$(grep -E '^largest allocation' "$log" | tail -n 1)"
  if [ "$status" -eq 0 ] && [ "$(value number_of_executed_units "$log")" -gt 0 ]; then
    passed=$((passed + 1))
    continue
  fi
  failed=$((failed + 1))
  cp "$log" "$build/crashes/$target.log"
  grep -E -m 6 'BROKEN PROMISE|ALLOCATION LIMIT|ERROR:|runtime error|Assertion|what\(\)' "$log" || tail -n 5 "$log"
  echo "log: $build/crashes/$target.log"
  sed -n "s|.*Test unit written to \(.*\)|repeat: $build/tests/fuzz/bloometry_fuzz_$target \1|p" "$log"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
