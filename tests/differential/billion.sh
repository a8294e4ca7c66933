#!/usr/bin/env bash
# Compares every filter with exact multisets in a billion operations per instruction set of this machine.
set -euo pipefail

usage() {
  cat <<'EOT'
usage: tests/differential/billion.sh [options]

Runs build/release/tests/differential/bloometry_differential with each instruction set that this machine has: first the
same sequences, whose checksums must agree, then sequences of its own. The last line is `N operations, N failures, S s`.
Exit status: 0 no failure, 1 failures or different checksums.

  --operations N   operations of all runs together (default 1e9, some 20 minutes of processor time)
  --seed S         seed of the first instruction set, the next one's is S + 1 (default 1)
  --threads T      sequences at a time (default: the number of processors)

Example:
  cmake --build build/release --target bloometry_differential && tests/differential/billion.sh
EOT
}

operations=1e9 seed=1 threads=$(nproc)
while (($# > 0)); do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --operations) operations=${2:?} ;;
    --seed) seed=${2:?} ;;
    --threads) threads=${2:?} ;;
    *) echo "error: unknown option $1 (see --help)" >&2; exit 2 ;;
  esac
  shift 2
done

if ! [[ $operations =~ ^[1-9][0-9]*(e[0-9]+)?$ ]]; then
  echo "error: --operations must be a whole number above 0 like 1000000 or 1e9, got '$operations'" >&2
  exit 2
fi

program=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/build/release/tests/differential/bloometry_differential
isas=()
checksums=()
for isa in baseline avx2 avx512 vaes; do
  status=0
  last=$(BLOOMETRY_ISA=$isa "$program" --operations 1e6 --threads "$threads" 2>/dev/null) || status=$?
  ((status != 2)) || continue  # this machine does not have the instruction set
  isas+=("$isa")
  checksums+=("$(sed -n 's/.*checksum //p' <<<"$last")")
done
status=0
if (($(printf '%s\n' "${checksums[@]}" | sort -u | wc -l) != 1)); then
  echo "checksums of ${isas[*]} differ: ${checksums[*]}"
  status=1
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
each=$(awk -v all="$operations" -v runs="${#isas[@]}" 'BEGIN { printf "%.0f", all / runs }')
for isa in "${isas[@]}"; do
  BLOOMETRY_ISA=$isa "$program" --operations "$each" --seed "$seed" --threads "$threads" | tee -a "$log" || status=1
  seed=$((seed + 1))
done
awk '/ operations, .* sequences, / { operations += $1; failures += $5; seconds += $7 } END {
  printf "%d operations, %d failures, %.0f s\n", operations, failures, seconds }' "$log"
exit "$status"
