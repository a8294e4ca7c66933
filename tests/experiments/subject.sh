#!/usr/bin/env bash
# Tests the command `bloometry verify --subject` with the subject of --subject-template, failing subjects, an interrupt,
# and the adapters of installed libraries. Prints one line per check and a summary. Exits with 1 if a check failed.
#
# usage: subject.sh PATH_TO_BLOOMETRY
set -uo pipefail

program=$(realpath "${1:?usage: subject.sh PATH_TO_BLOOMETRY}")
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/bloometry-subject.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# shellcheck source=tests/support/check.sh
source "$root/tests/support/check.sh"

exits() {  # exits CODE TEXT COMMAND...: exit code; one line on standard error, holding TEXT, unless TEXT is empty
  local code=$1 text=$2 got
  shift 2
  "$@" >stdout 2>stderr
  got=$?
  if [ "$got" -eq "$code" ] && { [ -z "$text" ] || { grep -qF -- "$text" stderr && [ "$(wc -l <stderr)" -eq 1 ]; }; }; then
    return 0
  fi
  echo "  expected exit $code and '$text', got exit $got and:"
  sed 's/^/  /' stderr
  return 1
}

judge() { "$program" verify --claim standard -n 10 -m 96 -k 7 "$@"; }

# --- The subject of the template, and changed copies of it.

"$program" verify --subject-template python >template.py
chmod +x template.py
if /usr/bin/python3 -c '' 2>/dev/null; then
  few='--fixed --filters 30 --queries 300'
  check "the subject of the template is accepted" exits 0 '' judge --subject ./template.py --fixed --filters 30 --queries 300
  check "no line of progress" test ! -s stderr
  check "its fills are requested" grep -q 'mean set cells' stdout
  sed 's/"ok fill"/"ok"/; /request == b"fill"/,+1d' template.py >without_fill.py
  chmod +x without_fill.py
  # shellcheck disable=SC2086
  check "one that does not know fill is accepted too" exits 0 '' judge --subject ./without_fill.py $few
  check "and its fills are not requested" sh -c '! grep -q "mean set cells" stdout'
  sed 's/% self.m for/% (self.m * 3 \/\/ 4) for/' without_fill.py >short_of_bits.py
  chmod +x short_of_bits.py
  # shellcheck disable=SC2086
  check "with three quarters of its bits it is rejected" exits 1 '' judge --subject ./short_of_bits.py $few
  check "sequentially too" exits 1 '' judge --subject ./short_of_bits.py --json --junit report.xml
  check "the JSON says so" grep -q '"accepted": false' stdout
  check "so does the JUnit report" /usr/bin/python3 -c 'import xml.etree.ElementTree as x; assert x.parse("report.xml").find(".//failure") is not None'
  # The indices are seven fields of seven bits of the integer itself. Such indices are uniform only for random keys.
  sed -e 's/^        digest = .*/        number = int(key, 16)/' \
    -e 's/^        return \[int.*/        return [(number >> 7 * i) % self.m for i in range(self.k)]/' \
    template.py >fields_of_integer.py
  chmod +x fields_of_integer.py
  # shellcheck disable=SC2086
  fields() { "$program" verify --claim standard -n 10 -m 128 -k 7 --subject ./fields_of_integer.py $few "$@"; }
  check "an integer is its own hash if it is random" exits 0 '' fields
  check "and is not if the keys are sequential" exits 1 '' fields --keys sequential
  check "of several sources of keys one that is rejected is enough" exits 1 '' fields --keys random,strided --junit report.xml
  check "each has its verdict" test "$(grep -cE '^(ACCEPTED|REJECTED)' stdout)$(grep -cE '^  keys +(random|strided), hex$' stdout)" = 22
  check "and its testcases" grep -q 'name="strided: members"' report.xml
  check "and its object of JSON" exits 1 '' fields --keys random,strided --json
  check "in an array" /usr/bin/python3 -c 'import json; r = json.load(open("stdout")); assert [(v["keys"], v["accepted"]) for v in r] == [("random", True), ("strided", False)] and r[0]["false_alarm"] == 5e-7'
  # shellcheck disable=SC2086
  check "undecided is not accepted" exits 1 '' judge --subject ./without_fill.py --filters 2 --queries 30 --loads 1
  check "the verdict states it" grep -q '^UNDECIDED' stdout
  check "--allow-undecided accepts it" exits 0 '' judge --subject ./without_fill.py --filters 2 --queries 30 --loads 1 --allow-undecided
  # shellcheck disable=SC2086
  check "a failing exit is reported" exits 3 'ended with exit code 7 after its last answer' \
    judge --subject './template.py; exit 7' $few --junit report.xml
  check "the JUnit report has an error" grep -q '<error message="the subject ended with exit code 7' report.xml
  # shellcheck disable=SC2086
  check "a subject with a descendant in another session" exits 0 '' judge --subject 'setsid sleep 1000 & echo $! >astray; ./template.py' $few
  check "leaves no process behind" sh -c '! grep -qE "^[0-9]+ \(sleep\) [^Z]" "/proc/$(cat astray)/stat" 2>/dev/null'
else
  skipped=$((skipped + 1))
  echo "SKIPPED: the subject of the template (no /usr/bin/python3)"
fi

# --- Subjects that cannot be judged.

check "a command that does not exist" exits 3 'exit code 127 (command not found)' judge --subject './nothing 2>/dev/null'
check "a subject that refuses" exits 3 "refused 'new 10 96 7': too small" judge --subject 'read x; echo error too small; read x'
check "a subject that stalls" exits 3 'within 1 s' judge --subject 'sleep 60' --timeout 1
check "a subject that answers garbage" exits 3 "got 'hello'" judge --subject 'read x; echo hello; read x'
check "no standard output without a verdict" test ! -s stdout

# --- Bad input.

check "--claim is missing" exits 2 '--claim must be given' "$program" verify --subject x -n 10 -m 96
check "an unknown claim" exits 2 '--claim must be standard, partitioned' "$program" verify --subject x --claim nothing -n 10 -m 96
check "a claim without a law" exits 2 "got 'variable_increment': neither the distribution of its rates over filters nor a bound is known" \
  "$program" verify --subject x --claim variable_increment -n 10 -m 96 -k 3
check "neither a target nor a subject" exits 2 'TARGET (a run folder or a config) or --subject COMMAND must be given' "$program" verify
check "both of them" exits 2 'TARGET must be left out with --subject' judge --subject x config.json
check "a claim without a subject" exits 2 '--claim must be left out without --subject' "$program" verify config.json --claim standard
check "no queries" exits 2 '--queries must be in [1, ' judge --subject x --queries 0
check "filters in words" exits 2 "--filters must be a whole number in [1, 16000], got 'x'" judge --subject x --filters x
check "too many filters" exits 2 '--filters must be in [1, 16000], got 16001' judge --subject x --filters 16001
check "a load of 0" exits 2 '--loads must be numbers in [1e-06, 100], got 0' judge --subject x --loads 1,0
check "both plans" exits 2 'must be left out with' judge --subject x --fixed --sequential
check "an unknown exercise" exits 2 "--exercise must be one of merge, erase, saturation, got 'swim'" judge --subject x --exercise swim
check "an unknown encoding" exits 2 "--encoding must be one of hex, decimal, bytes, got 'base64'" judge --subject x --encoding base64
check "an unknown source of keys" exits 2 "--keys must be one of random, sequential, strided, " judge --subject x --keys random,hex
check "a source of keys twice" exits 2 "--keys must be distinct, got 'random' twice" judge --subject x --keys random,random

# --- An interrupt ends the subject and its child processes.

"$program" verify --subject 'sleep 1000 & echo $! >child; read x; echo ok; wait' --claim standard -n 10 -m 96 -k 7 >stdout 2>stderr &
judging=$!
for _ in $(seq 100); do [ -s child ] && break; sleep 0.05; done
kill -INT "$judging"
wait "$judging"
check "an interrupt exits 130" test $? -eq 130
check "with one line" test "$(wc -l <stderr)" -eq 1
is_gone() { ! grep -qE '^[0-9]+ \(sleep\) [^Z]' "/proc/$1/stat" 2>/dev/null; }
sleep 0.2
check "and leaves no process behind" is_gone "$(cat child)"

# --- All child processes end when the program ends or is killed.

rm -f child
"$program" verify --subject 'setsid sleep 1000 & echo $! >child; read x; echo ok; wait' --claim standard -n 10 -m 96 -k 7 >stdout 2>stderr &
judging=$!
for _ in $(seq 100); do [ -s child ] && break; sleep 0.05; done
kill -KILL "$judging"
wait "$judging" 2>/dev/null
for _ in $(seq 40); do is_gone "$(cat child)" && break; sleep 0.05; done
check "a killed program leaves no process behind" is_gone "$(cat child)"

# --- Adapters of libraries. Small filters with double hashing have the known excess (theory 1.7).

"$root/experiments/subject/adapters/run.sh" "$program" 10 1000 >adapters 2>errors
check "the adapters speak the protocol" test $? -eq 0
skipped=$((skipped + $(grep -c '^SKIPPED' adapters)))
grep '^SKIPPED' adapters
verdict() { awk -v name="$1" -v n="$2" '$1 == name && $2 == n { print $5 }' adapters; }
has() { grep -q "^$1 " adapters; }
if has libbloom; then check "libbloom is accepted at 1000" test "$(verdict libbloom 1000)" = accepted; fi
if has guava; then check "Guava is rejected at 10" test "$(verdict guava 10)" = rejected; fi
if has bits-and-blooms; then
  check "bits-and-blooms is rejected at 10" test "$(verdict bits-and-blooms 10)" = rejected
  check "bits-and-blooms is accepted at 1000" test "$(verdict bits-and-blooms 1000)" = accepted
fi
[ "$failed" -eq 0 ] || cat adapters errors

# --- With Boost.Bloom's default hash of integers, the rate follows theory only for random keys. With a sound hash, the
# rate follows theory for all keys.

"$root/experiments/subject/adapters/boost_bloom.sh" "$program" 1e5 random,sequential >boost 2>errors
check "the adapter of Boost.Bloom speaks the protocol" test $? -eq 0
if grep '^SKIPPED' boost; then
  skipped=$((skipped + 1))
else
  boost_verdicts() { awk -v hash="$1" -v keys="$2" '$2 == hash && $3 == keys { printf "%s=%s ", $1, $4 }' boost; }
  all_accepted="classic=accepted multiblock32=accepted multiblock64=accepted "
  check "the adapter is accepted for random keys" test "$(boost_verdicts default random)" = "$all_accepted"
  check "its blocks are rejected for sequential keys" test \
    "$(boost_verdicts default sequential)" = "classic=accepted multiblock32=rejected multiblock64=rejected "
  check "they are accepted with splitmix64" test "$(boost_verdicts splitmix64 sequential)" = "$all_accepted"
  [ "$failed" -eq 0 ] || cat boost errors
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
