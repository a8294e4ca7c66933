#!/usr/bin/env bash
# emitted_guava.sh PROGRAM: compiles and runs the unchanged Java code that `bloometry size --emit guava` prints.
# Compares m and k in the code's comment with the sizes in a file that Guava writes for the same n and p. Exits with 77
# if Guava or Java is not installed.
set -euo pipefail
program=$(realpath "${1:?usage: emitted_guava.sh PROGRAM}")
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
guava=/usr/share/java/guava.jar
if ! [ -f "$guava" ] || ! command -v javac >/dev/null; then
  echo "SKIPPED: guava (Debian packages libguava-java and default-jdk-headless are not installed)"
  exit 77
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/bloometry-emitted.XXXXXX")
trap 'rm -rf "$work"' EXIT

# shellcheck source=tests/support/check.sh
source "$root/tests/support/check.sh"

java_of() { java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp "$guava:$work" "$@"; }
javac -cp "$guava" -d "$work" "$root/tests/variants/foreign/live/GuavaFile.java"
for sizes in '1 0.01' '3000 0.03' '100000 1e-05'; do
  n=${sizes% *} p=${sizes#* }
  "$program" size -n "$n" -p "$p" --emit guava >"$work/SizedFilter.java"
  check "n = $n, p = $p: the printed program compiles" javac -cp "$guava" -d "$work" "$work/SizedFilter.java"
  check "n = $n, p = $p: it finds its key" test "$(java_of SizedFilter)" = true
  java_of GuavaFile create utf8 "$work/file" "$n" "$p" </dev/null
  k=$(od -An -tu1 -j 1 -N 1 "$work/file" | tr -d ' ')
  m=$((8 * ($(wc -c <"$work/file") - 6)))
  check "n = $n, p = $p: Guava's file has the printed m = $m and k = $k" \
    test "$(sed -n '1s/.*: m = \([0-9,]*\) bits.*, k = \([0-9]*\)\.$/\1 \2/p' "$work/SizedFilter.java" | tr -d ,)" = "$m $k"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
