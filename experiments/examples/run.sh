#!/usr/bin/env bash
# Builds one example and runs it.
set -euo pipefail

usage() {
  cat <<'EOT'
usage: experiments/examples/run.sh NAME [OPTION...]

Installs what is missing (Debian 12, as root or with sudo), builds the example NAME and runs it with the options. It starts
the servers that it needs and stops them. NAME is cache_guard, remote_postcode, malicious_url or
request_dedup.

Exit codes: 0 done; 1 a check of the example failed; 2 bad input; 3 could not be done; 130 interrupted.

Example:
  experiments/examples/run.sh cache_guard
  experiments/examples/run.sh cache_guard --help
EOT
}

case "${1:-}" in
  -h | --help) usage; exit 0 ;;
  cache_guard | remote_postcode | malicious_url | request_dedup) name=$1 ;;
  *) echo "error: NAME must be cache_guard, remote_postcode, malicious_url or request_dedup, got '${1:-}' (see --help)" >&2; exit 2 ;;
esac
shift

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=experiments/install.sh
source "$root/experiments/install.sh"

install_for_examples
build_release "$root" "bloometry_example_$name"
exec "$root/build/release/examples/$name" "$@"
