#!/usr/bin/env bash
# Compares our DCSO filter with the program of DCSO/bloom (Debian golang-github-dcso-bloom-cli): sizes and bits of
# files, and the answers about each other's files. Exits with 77 (skipped) if `bloom` is missing or is another program.
# usage: dcso_live.sh PROGRAM, where PROGRAM is dcso_program
set -euo pipefail

if [[ $(bloom --help 2>/dev/null) != *"Bloom Filter - Utility"* ]]; then
  echo "skipped: Debian package golang-github-dcso-bloom-cli is not installed"
  exit 77
fi
program=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

failed=0
fault() {
  echo "FAILED: $*"
  failed=1
}

seq 1 500 | sed 's/^/item-/' >members
printf 'caf\303\251\n\n\000x\n' >>members
seq 501 3000 | sed 's/^/item-/' >others
num_files=0
for n in 1 2 7 20 100 503 1000 12345; do
  for p in 0.5 0.1 0.03 0.01 0.0072973525 0.001 1e-6 1e-12; do
    bloom create -n "$n" -p "$p" theirs.bloom
    bloom insert theirs.bloom <members
    "$program" create ours.bloom "$n" "$p" <members
    cmp theirs.bloom ours.bloom || fault "files differ at n = $n, p = $p"
    num_files=$((num_files + 1))
  done
done
for file in theirs ours; do
  bloom check "$file.bloom" <others >"$file.answers.theirs"
  "$program" check "$file.bloom" <others >"$file.answers.ours"
  cmp "$file.answers.theirs" "$file.answers.ours" || fault "answers differ on $file.bloom"
done
"$program" check theirs.bloom <members >contained
cmp contained members || fault "a member of theirs is missing"
bloom --gzip create -n 10 -p 0.01 small.bloom.gz
gunzip -k small.bloom.gz
"$program" check small.bloom </dev/null || fault "a file that was compressed is refused"
if "$program" check small.bloom.gz </dev/null 2>message || ! grep -q 'use gunzip first' message; then
  fault "a compressed file is not named as such"
fi
[ "$failed" = 0 ] || exit 1
echo "$num_files files are equal byte for byte, and answers to each other's files are"
