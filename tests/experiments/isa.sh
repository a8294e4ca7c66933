#!/usr/bin/env bash
# Tests the environment variable BLOOMETRY_ISA: the kernels that a run uses, and the error for an unknown value.
#
# usage: isa.sh PATH_TO_BLOOMETRY
set -uo pipefail

program=$(realpath "${1:?usage: isa.sh PATH_TO_BLOOMETRY}")
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

# shellcheck source=tests/support/check.sh
source "$root/tests/support/check.sh"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

refuses() { # refuses VALUE: requires exit 2, an empty standard output, and one line with the value and the allowed ones
  local output error code
  error=$(mktemp)
  output=$(BLOOMETRY_ISA=$1 "$program" variants 2>"$error")
  code=$?
  cat "$error"
  [ "$code" -eq 2 ] && [ -z "$output" ] && [ "$(wc -l <"$error")" -eq 1 ] &&
    grep -qE "^bloometry: environment variable BLOOMETRY_ISA must be one of baseline(, avx2(, avx512(, vaes)?)?)? on this machine, got '$1'\$" "$error"
  code=$?
  rm -f "$error"
  return "$code"
}

cat >"$folder/config.json" <<'EOF'
{"name": "isa", "queries": 10, "grids": [{"variant": "blocked", "num_keys": 10, "num_bits": 512, "num_hashes": 3}]}
EOF

uses() { # uses ISA: requires that the manifest of a run contains these kernels
  BLOOMETRY_ISA=$1 "$program" sweep run "$folder/config.json" --out "$folder/$1" &&
    grep -q "\"isa\": \"$1\"" "$folder/$1/manifest.json"
}

check "a run uses the baseline" uses baseline
check "an unknown name is refused" refuses sse9
check "names are in lower case" refuses AVX2
check "the empty value is refused" refuses ''
allowed=$(BLOOMETRY_ISA=sse9 "$program" variants 2>&1)
for isa in avx2 avx512 vaes; do
  if grep -qw "$isa" <<<"$allowed"; then
    check "a run uses $isa, which this machine has" uses "$isa"
  else
    check "$isa, which this machine lacks, is refused" refuses "$isa"
  fi
done

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
