#!/usr/bin/env bash
# Prints the verdict on each filter of Boost.Bloom, with its default hash and with a sound hash, for each source of
# integer keys. Each filter sizes itself for 1 %. The verdict states whether the filter follows the theory of the
# claimed variant with the filter's own m and k.
set -uo pipefail

usage() {
  cat <<'EOT'
usage: boost_bloom.sh PATH_TO_BLOOMETRY [N [SOURCES]]

N is the number of keys (default 1000000), SOURCES a list for `verify --keys` (default: all).
Needs Boost 1.89 or later; BOOST_BLOOM_INCLUDE_DIR may name another folder of headers than the
system's. CXXFLAGS is passed to the compiler (default -march=native).

Example:
  experiments/subject/adapters/boost_bloom.sh build/release/bloometry 10000 random,sequential
EOT
}

case "${1:-}" in
  -h | --help) usage; exit 0 ;;
  '') usage >&2; exit 2 ;;
esac
program=$(realpath "$1")
n=${2:-1000000}
sources=${3:-random,sequential,strided,high_half,thousands,top_16_bits,top_10_bits,both_halves}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/bloometry-boost.XXXXXX")
trap 'rm -rf "$work"' EXIT

# shellcheck disable=SC2206
compile=(c++ -std=c++17 -O2 ${CXXFLAGS:--march=native} ${BOOST_BLOOM_INCLUDE_DIR:+-isystem "$BOOST_BLOOM_INCLUDE_DIR"})
if ! "${compile[@]}" -fsyntax-only -x c++ - <<<'#include <boost/bloom.hpp>' 2>/dev/null; then
  echo "SKIPPED: boost (headers of Boost 1.89 or later are not installed)"
  exit 0
fi
subject=$work/subject
"${compile[@]}" -o "$subject" "$here/boost_bloom_subject.cc" || exit 3

format='%-12s %-10s %-12s %-9s %11s %11s %9s %9s\n'
# shellcheck disable=SC2059
printf "$format" filter hash keys verdict expected observed hits queries
for filter in classic:standard multiblock32:split_block multiblock64:lanes; do
  for hash in default splitmix64; do
    command="'$subject' ${filter%:*} $hash $n 0.01"
    read -r m k < <(sh -c "$command --sizes")
    "$program" verify --subject "$command" --claim "${filter#*:}" -n "$n" -m "$m" -k "$k" --loads 1 \
      --keys "$sources" --quiet >"$work/report"
    [ $? -le 1 ] || exit 3
    # The commas in the numbers of the report are removed. The row of load 1 ends with the p-value and the verdict.
    tr -d , <"$work/report" | awk -v filter="${filter%:*}" -v hash="$hash" -v format="${format}" '
      /^(ACCEPTED|REJECTED|UNDECIDED):/ { verdict = tolower($1); sub(":", "", verdict) }
      $1 == "keys" { keys = $2 }
      $1 == "1" && NF > 8 { printf format, filter, hash, keys, verdict, $8, $7, $5, $4 }'
  done
done
