#!/usr/bin/env bash
# Builds the adapters whose library is installed. Prints the verdict on each library at n = 10, 100, 1e4 and 1e6. Each
# library sizes its filter for 1 %. The verdict states whether the filter follows the theory of a standard filter with
# the library's own m and k. The verdict does not state whether the rate is below 1 %.
set -uo pipefail

usage() {
  cat <<'EOT'
usage: run.sh PATH_TO_BLOOMETRY [N...]

Example:
  experiments/subject/adapters/run.sh build/release/bloometry 10 1000
EOT
}

case "${1:-}" in
  -h | --help) usage; exit 0 ;;
  '') usage >&2; exit 2 ;;
esac
program=$(realpath "$1")
shift
sizes=("$@")
[ ${#sizes[@]} -gt 0 ] || sizes=(10 100 10000 1000000)
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/bloometry-adapters.XXXXXX")
trap 'rm -rf "$work"' EXIT

guava=/usr/share/java/guava.jar
gopath=/usr/share/gocode
could_not=0
skip() { echo "SKIPPED: $1 ($2)"; }
not_built() { echo "could not build the subject for $1" >&2; could_not=1; }

# The libraries that could be built: name, and the command that precedes "N P".
declare -A subject
if [ -f /usr/include/bloom.h ] && command -v cc >/dev/null; then
  cc -O2 -o "$work/libbloom_subject" "$here/libbloom_subject.c" -lbloom && subject[libbloom]="'$work/libbloom_subject'" ||
    not_built libbloom
else
  skip libbloom "Debian package libbloom-dev is not installed"
fi
if [ -f "$guava" ] && command -v javac >/dev/null; then
  javac -cp "$guava" -d "$work" "$here/GuavaSubject.java" && subject[guava]="java -cp '$guava:$work' GuavaSubject" ||
    not_built guava
else
  skip guava "Debian packages libguava-java and default-jdk-headless are not installed"
fi
if [ -d "$gopath/src/github.com/bits-and-blooms/bloom" ] && command -v go >/dev/null; then
  HOME="$work" GOCACHE="$work/cache" GO111MODULE=off GOPATH="$gopath" go build -o "$work/go_subject" "$here/go_subject.go" &&
    subject[bits-and-blooms]="'$work/go_subject'" || not_built bits-and-blooms
else
  skip bits-and-blooms "Debian packages golang-go and golang-github-willf-bloom-dev are not installed"
fi

format='%-16s %9s %10s %3s %-9s %11s %11s %9s\n'
# shellcheck disable=SC2059
printf "$format" library n m k verdict expected observed p-value
for name in libbloom guava bits-and-blooms; do
  [ -n "${subject[$name]:-}" ] || continue
  for n in "${sizes[@]}"; do
    read -r m k < <(sh -c "${subject[$name]} $n 0.01 --sizes")
    if [ "${m:-0}" -eq 0 ]; then
      # shellcheck disable=SC2059
      printf "$format" "$name" "$n" - - refuses - - -
      continue
    fi
    answer=$("$program" verify --subject "${subject[$name]} $n 0.01" --claim standard -n "$n" -m "$m" -k "$k" --quiet --json 2>"$work/errors")
    case $? in
      0) verdict=accepted ;;
      1)
        verdict=rejected
        if grep -q '"undecided": true' <<<"$answer"; then verdict=undecided; fi
        ;;
      *) verdict=failed; could_not=1; cat "$work/errors" >&2 ;;
    esac
    at_n=$(awk -v n="$n" '/"loads"/ { loads = 1 } loads && /"num_keys"/ { here = $2 == n "," } loads && here' <<<"$answer")
    number() {  # number FIELD FORMAT: prints the field of the load of n keys, or - if it is null
      local value
      value=$(grep -o "\"$1\": [0-9.e+-]\+" <<<"$at_n" | head -n 1 | awk '{ print $2 }')
      # shellcheck disable=SC2059
      if [ -n "$value" ]; then LC_ALL=C printf "$2" "$value"; else echo -; fi
    }
    # shellcheck disable=SC2059
    printf "$format" "$name" "$n" "$m" "$k" "$verdict" "$(number expected_false_positive_rate %.4g)" \
      "$(number observed_false_positive_rate %.4g)" "$(number p_value %.1e)"
  done
done
exit $((3 * could_not))
