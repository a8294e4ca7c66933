#!/usr/bin/env bash
# Builds bloometry and runs an experiment. The script shows measured false-positive rates and theory, with charts and a
# verdict.
set -euo pipefail

usage() {
  cat <<'EOF'
usage: experiments/run.sh [CONFIG]

Installs missing packages (Debian 12, as root or with sudo), builds the program, runs the sweep CONFIG (default:
experiments/configs/fpr_vs_theory.json), draws its report and prints the path of report.html. The script is idempotent:
a second call does not install, build or measure anything again, and resumes an interrupted run.

Example:
  experiments/run.sh
  experiments/run.sh experiments/configs/real_keys.json
EOF
}

case "${1:-}" in
  -h | --help) usage; exit 0 ;;
  -*) echo "error: unknown option $1 (see --help)" >&2; exit 2 ;;
esac
if [ $# -gt 1 ]; then echo "error: one CONFIG at most (see --help)" >&2; exit 2; fi

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
config=${1:-$root/experiments/configs/fpr_vs_theory.json}
# shellcheck source=experiments/install.sh
source "$root/experiments/install.sh"

install_for_run
install_chart_runtime "$root"
build_release "$root" bloometry

bloometry="$root/build/release/bloometry"
cd "$root"

folder=$("$bloometry" sweep run "$config" | tail -n 1)
"$bloometry" report "$folder"
