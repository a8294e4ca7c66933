#!/usr/bin/env bash
# same_corpus.sh MAKE_CORPUS FOLDER: checks that the committed seeds equal the seeds that make_corpus writes. Inputs with
# the name found_* are not seeds.
set -euo pipefail
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
"$1" "$made"
if ! diff -r --brief --exclude='found_*' "$made" "$2"; then
  echo "0 passed, 1 failed"
  exit 1
fi
echo "1 passed, 0 failed"
