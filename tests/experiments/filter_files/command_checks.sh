# The scripts that test `bloometry filter` source this file with PROGRAM as argument. They run in a folder that is removed.

bloometry=$(realpath "$1")
source "$(dirname "${BASH_SOURCE[0]}")/../../support/check.sh"
source "$(dirname "${BASH_SOURCE[0]}")/../../support/outcome.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

filter() { "$bloometry" filter "$@"; }
