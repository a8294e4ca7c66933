#!/usr/bin/env bash
# Writes the files that are derived from the list of variants.
set -euo pipefail

usage() {
  cat <<'USAGE'
usage: tests/regenerate.sh [BUILD]

Builds what it needs in BUILD, and writes the files that are derived from the list of variants:

  experiments/configs/schema.json   the JSON schema of configs
  tests/golden/filters/*.bloom      one filter file per variant; existing files are kept
  tests/fuzz/corpus                 the seeds of the fuzzers

The program derives its help texts and its completion scripts from the list when it runs.

  BUILD   folder of a configured build (default build/release)
USAGE
}

case "${1:-}" in
  -h | --help) usage; exit 0 ;;
  -*) echo "error: unknown option $1 (see --help)" >&2; exit 2 ;;
esac
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$(realpath "${1:-$root/build/release}")
if [ ! -f "$build/CMakeCache.txt" ]; then
  echo "error: BUILD must be the folder of a configured build, got $build" >&2
  exit 2
fi

cmake --build "$build" -j "$(nproc)" --target bloometry bloometry_file_tests bloometry_make_fuzz_corpus
schema=$(mktemp)
trap 'rm -f "$schema"' EXIT
"$build/bloometry" sweep schema >"$schema"
cat "$schema" >"$root/experiments/configs/schema.json"
"$build/tests/core/file/bloometry_file_tests" "[.keep_files]" >/dev/null
"$build/tests/fuzz/bloometry_make_fuzz_corpus" "$root/tests/fuzz/corpus"
