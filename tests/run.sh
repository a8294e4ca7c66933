#!/usr/bin/env bash
# Builds and runs all tests. The last line is `N passed, N failed`.
set -euo pipefail

usage() {
  cat <<'EOF'
usage: tests/run.sh [--fast]

Installs what is missing (Debian 12, as root or with sudo), builds everything and runs every test. The last line is
"N passed, N failed" (", N skipped" follows if a test could not run here); exit 0 if none failed.

  --fast    leaves out the browser, notebook and whole-program tests

Example:
  tests/run.sh
EOF
}

label_filter=()
case "${1:-}" in
  -h | --help) usage; exit 0 ;;
  --fast) label_filter=(-LE slow) ;;
  '') ;;
  *) echo "error: unknown option $1 (see --help)" >&2; exit 2 ;;
esac

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=experiments/install.sh
source "$root/experiments/install.sh"

install_for_run
install_for_tests
install_chart_runtime "$root"
build_release "$root" all

log="$root/build/release/tests.log"
status=0
# One test more than cores, because some tests wait for servers and browsers.
ctest --test-dir "$root/build/release" --verbose -j "$(($(nproc) + 1))" "${label_filter[@]}" </dev/null >"$log" 2>&1 || status=$?
"$root/tests/support/count_tests.sh" "$log" "$status"
