#!/usr/bin/env bash
# Measures the speed of `bloometry filter build` and `query`, and of programs that only read the same file. The script
# is not a test, because it runs for minutes and needs a machine without other load. Each figure is the median wall time
# or processor time (user and system) of interleaved rounds.
set -euo pipefail

usage() {
  cat <<'EOF'
usage: build_speed.sh [--mib SIZE] [--rounds R] [PROGRAM BATCH_INSERT]

  --mib SIZE    size of the file of keys (default 1024)
  --rounds R    rounds (default 5)

A build of standard or blocked may take 1.3 times `wc -l` and a batch insert of the same strings from memory; exit 1 if
it takes longer.

Example:
  tests/experiments/filter_files/build_speed.sh --mib 256 --rounds 3
EOF
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
mib=1024
rounds=5
while [ $# -gt 0 ]; do
  case "$1" in
    -h | --help) usage; exit 0 ;;
    --mib) mib=$2; shift 2 ;;
    --rounds) rounds=$2; shift 2 ;;
    *) break ;;
  esac
done
bloometry=${1:-$root/build/release/bloometry}
batch_insert=${2:-$root/build/release/tests/experiments/filter_files/bloometry_batch_insert}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
/usr/bin/python3 - "$work/keys" "$mib" <<'PY'
import random, sys
random.seed(1)
with open(sys.argv[1], "wb") as out:
    size = 0
    while size < int(sys.argv[2]) << 20:
        text = b"".join(b"https://example.org/%016x\n" % random.getrandbits(64) for _ in range(50000))
        out.write(text)
        size += len(text)
PY

TIMEFORMAT='%R %U %S'
# timed NAME COMMAND...: appends a line "NAME wall processor" to times.
timed() {
  local name=$1 times
  shift
  times=$({ time "$@" >/dev/null 2>&1 </dev/null; } 2>&1)
  awk -v name="$name" '{ print name, $1, $2 + $3 }' <<<"$times" >>"$work/times"
}

for _ in $(seq "$rounds"); do
  timed wc wc -l "$work/keys"
  timed xxhsum xxhsum -H128 "$work/keys"
  for variant in standard blocked; do
    echo "batch_$variant $("$batch_insert" "$variant" "$work/keys" 0.01)" >>"$work/times"
    for threads in 1 2; do
      timed "build_${variant}_$threads" "$bloometry" filter build "$work/keys" -p 0.01 --variant "$variant" \
        --threads "$threads" --quiet -o "$work/$variant"
      timed "query_${variant}_$threads" "$bloometry" filter query "$work/$variant" "$work/keys" --threads "$threads" --count
    done
  done
done

echo "$(wc -l <"$work/keys") keys, $mib MiB, medians of $rounds rounds, seconds by the clock and of the processor"
sort "$work/times" | awk '
  function median(values, n, sorted, count, i) {
    count = split(values, sorted, " ")
    # Insertion sort, because this awk lacks a sort function.
    for (i = 2; i <= count; ++i) {
      n = sorted[i]
      for (j = i - 1; j > 0 && sorted[j] + 0 > n + 0; --j) sorted[j + 1] = sorted[j]
      sorted[j + 1] = n
    }
    return sorted[int((count + 1) / 2)]
  }
  { wall[$1] = wall[$1] " " $2; cpu[$1] = cpu[$1] " " $3; if (!($1 in seen)) { seen[$1]; order[++num] = $1 } }
  END {
    for (i = 1; i <= num; ++i) {
      w[order[i]] = median(wall[order[i]]); c[order[i]] = median(cpu[order[i]])
      printf "%-20s %7.3f %7.3f\n", order[i], w[order[i]], c[order[i]]
    }
    failed = 0
    for (v = 1; v <= 2; ++v) {
      name = v == 1 ? "standard" : "blocked"
      for (t = 1; t <= 2; ++t) {
        by_clock = w["build_" name "_" t] / (w["wc"] + w["batch_" name])
        by_cpu = c["build_" name "_" t] / (c["wc"] + c["batch_" name])
        printf "build of %s, threads %d: %.2f x (wc -l + batch insert) by the clock, %.2f x of the processor\n", name, t, by_clock, by_cpu
        if (by_clock > 1.3) failed = 1
      }
    }
    exit failed
  }'
