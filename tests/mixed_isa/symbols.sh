#!/usr/bin/env bash
# symbols.sh NM OBJDUMP PORTABLE OTHER...: compares an object of a portable source with objects that were compiled for
# wider instruction sets. The linker keeps one copy of a function that two objects define. A shared function of this
# project must not use instructions that the portable source does not use. Each source must have separate filters.
set -euo pipefail
usage="usage: symbols.sh NM OBJDUMP PORTABLE OTHER..."
nm=${1:?$usage} objdump=${2:?$usage} portable=${3:?$usage}
shift 3
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/bloometry-symbols.XXXXXX")
trap 'rm -rf "$work"' EXIT

# shellcheck source=tests/support/check.sh
source "$root/tests/support/check.sh"

# Prints the functions for which the linker may use the copy of any object.
shared_by_name() { "$nm" --defined-only "$1" | awk '$2 ~ /^[WVu]$/ && $3 ~ /9bloometry/ { print $3 }' | sort -u; }

# Prints the functions that contain an instruction of AVX, AVX-512 or BMI. Such an instruction has vector operands and a
# name that begins with v, or one of the other names in the pattern.
with_wide_instructions() {
  "$objdump" -d --no-show-raw-insn "$1" | awk '
    /^[0-9a-f]+ <.*>:$/ { name = substr($2, 2, length($2) - 3) }
    /\tv[a-z0-9]+ .*%[xyz]mm|\t(vzeroupper|mulx|rorx|sarx|shlx|shrx|pdep|pext|andn|blsr|blsi|bextr) / { print name }' | sort -u
}

has_its_own() { # has_its_own FILTER OBJECT NAMESPACE
  shared_by_name "$2" >"$work/names"
  grep -q "9bloometry.*$1.*$3" "$work/names" || { echo "no function of $1 names $3"; return 1; }
}
is_empty() { [ ! -s "$1" ] || { head -n 20 "$1" | c++filt; return 1; }; }

shared_by_name "$portable" >"$work/portable"
check "the portable object defines filters" test "$(wc -l <"$work/portable")" -gt 50
for other in "$@"; do
  case $other in
    *avx512*) namespace=isa_avx512 ;;
    *) namespace=isa_avx2 ;;
  esac
  for filter in SplitBlockDesign LanesDesign BlockedDesign StandardDesign CuckooDesign DLeftDesign; do
    check "$filter of $namespace is not that of the portable object" has_its_own "$filter" "$other" "$namespace"
  done
  with_wide_instructions "$other" >"$work/wide"
  check "$namespace: wide instructions are found" test "$(wc -l <"$work/wide")" -gt 50
  shared_by_name "$other" | comm -12 - "$work/portable" | comm -12 - "$work/wide" >"$work/unsafe"
  check "$namespace: no function of both objects uses wide instructions" is_empty "$work/unsafe"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
