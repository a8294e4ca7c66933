# The scripts that test `bloometry filter` source this file with PROGRAM as argument. They run in a folder that is removed.

bloometry=$(realpath "$1")
source "$(dirname "${BASH_SOURCE[0]}")/../../support/check.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

filter() { "$bloometry" filter "$@"; }
exits() { # exits CODE COMMAND...
  local code=$1 status=0
  shift
  "$@" || status=$?
  [ "$status" -eq "$code" ]
}
says() { # says PATTERN COMMAND...: requires the pattern on either stream, with any exit code
  local pattern=$1
  shift
  { "$@" 2>&1 || true; } | grep -qE -- "$pattern"
}
