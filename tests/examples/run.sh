#!/usr/bin/env bash
# run.sh PROGRAM OPTION...: runs an example as the current user. If the current user is root, the script also runs the
# example as `nobody`. The example's own checks determine the result. In addition, the example must not leave temporary
# folders or servers behind. Exits with 77 if the example needs PostgreSQL and PostgreSQL is missing.
set -euo pipefail

program=$1
shift
if [ "${program##*/}" = cache_guard ] && ! compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null && ! command -v initdb >/dev/null; then
  echo "SKIPPED: PostgreSQL is not installed (Debian: postgresql)"
  exit 77
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
chmod 755 "$scratch"
num_failed=0

check_run() {  # check_run USER_NAME COMMAND...
  local who=$1 folder="$scratch/$1" status=0
  shift
  mkdir "$folder"
  chmod 1777 "$folder"
  TMPDIR=$folder "$@" > "$scratch/output" 2>&1 || status=$?
  if [ "$status" != 0 ] || ! grep -q ' checks, 0 failed$' "$scratch/output"; then
    echo "FAILED: as $who: exit status $status"
    cat "$scratch/output"
    num_failed=$((num_failed + 1))
  fi
  if [ -n "$(ls -A "$folder")" ]; then
    echo "FAILED: as $who: left behind: $(ls -A "$folder")"
    num_failed=$((num_failed + 1))
  fi
  tail -n 1 "$scratch/output"
}

check_run "$(id -un)" "$program" "$@"
if [ "$(id -u)" = 0 ]; then
  cp "$program" "$scratch/program"  # because nobody may not enter every folder
  check_run nobody setpriv --reuid=nobody --regid=nogroup --clear-groups "$scratch/program" "$@"
fi
exit $((num_failed > 0))
