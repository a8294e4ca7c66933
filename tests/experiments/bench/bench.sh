#!/usr/bin/env bash
# `bloometry bench` as a whole: its output, bad input, an interrupt. Prints one line per check and a summary; exits 1 if
# any failed.
# usage: bench.sh PATH_TO_BLOOMETRY
set -uo pipefail

program=$(realpath "${1:?usage: bench.sh PATH_TO_BLOOMETRY}")
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/bloometry-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# shellcheck source=tests/support/check.sh
source "$root/tests/support/check.sh"

refused() {  # refused PATTERN OPTION...: exit 2, nothing on standard output, one line holding PATTERN
  local pattern=$1
  shift
  "$program" bench "$@" >stdout 2>stderr
  [ $? -eq 2 ] && [ ! -s stdout ] && [ "$(wc -l <stderr)" -eq 1 ] && grep -q -- "$pattern" stderr
}

started=$SECONDS
"$program" bench --quick -n 1e4 --json >answer.json 2>progress
check "a quick bench exits 0" test $? -eq 0
check "and is done within a minute" test $((SECONDS - started)) -lt 60
check "and tells its progress on standard error" grep -q '100 %' progress
cat >check.py <<'END'
import json, sys
answer = json.load(open("answer.json"))
assert [case["keys"] for case in answer["cases"]] == ["integer", "string"]
for case in answer["cases"]:
    assert case["num_keys"] == 10000 and len(case["subjects"]) >= 5
    for subject in case["subjects"]:
        assert subject["num_false_negatives"] == 0, subject["name"]
        assert subject["interval_upper"] > 0
        for time in subject["times"]:
            assert len(time["ns_per_key"]["repetitions"]) == 3
            assert time["ratio_to_floor"]["median"] > 0
END
check "its JSON has every case, count and repetition" /usr/bin/python3 check.py

"$program" bench --quick -n 1e3,1e4 --variants standard --keys integer --ops insert --repetitions 1 --out folder \
  >table 2>/dev/null
check "a bench into a folder exits 0" test $? -eq 0
check "and writes JSON and chart" test -s folder/bench.json -a -s folder/bench_integer.vl.json
check "and prints a table of what was asked for" grep -q '^insert .*x floor' table
check "and of nothing else" test "$(grep -c -e '^negative' -e '^libbloom' table)" -eq 0

touch folder/bench_string.vl.json folder/bench_string.svg folder/bench_integer.png
"$program" bench --quick -n 1e3 --variants standard --keys integer --ops insert --repetitions 1 --out folder \
  >/dev/null 2>/dev/null
check "a second bench leaves no chart of the first" test ! -e folder/bench_string.vl.json -a ! -e folder/bench_string.svg
check "nor an empty drawing" test ! -e folder/bench_integer.png -o -s folder/bench_integer.png

check "an unknown filter is refused" refused "--variants must be of standard, .*got 'cuckoo'" --variants cuckoo
check "an unknown op is refused" refused "--ops must be of insert, .*got 'delete'" --ops delete
check "an unknown kind of keys is refused" refused "--keys must be of integer, string" --keys text
check "an unknown hash is refused" refused "--hash must be of xxh3" --hash fast
check "a number that is none is refused" refused "-n must be .*got 'many'" -n many
check "too few keys are refused" refused "-n must be in \[1000, 4294967296\], got 10" -n 10
check "more than the memory holds is refused" refused "-n must be small enough .*got 4000000000" -n 4G --variants counting -p 1e-15
check "a rate that is no number is refused" refused "-p must be a number in (0, 1) like 0.01, got 'abc'" -p abc
check "a comma is no name, and what follows no other" refused "--variants must be of .*got ''" --variants , --keys integer
check "nor does the next option become a number" refused "-n must be .*got ''" -n 1e4, --keys integer
check "erases of filters that cannot are refused" refused "none of the variants can erase" --quick --variants blocked --ops erase
check "a rate of 1 is refused" refused "-p must be in (0, 1), got 1" -p 1
check "no repetition is refused" refused "--repetitions must be in" --repetitions 0
: >file
check "a file as folder is refused" refused "--out must be a folder" --quick --out file
check "a folder in which no file can be made is refused" refused "--out must be a folder that can be written to" -n 1e6 --out /proc
if [ "$(id -u)" -ne 0 ]; then
  mkdir readonly && chmod 555 readonly
  check "a folder without write permission is refused" refused "--out must be a folder that can be written to" --out readonly
fi
check "an unknown option is refused" refused "--fast" --fast

"$program" bench --variants standard -n 1e6 --out interrupted >stdout 2>stderr &
pid=$!
sleep 0.5
kill -INT "$pid"
wait "$pid"
check "Ctrl-C exits 130" test $? -eq 130
check "Ctrl-C says that nothing is kept" grep -q 'interrupted; nothing is kept' stderr
check "Ctrl-C leaves no half of a result" test -z "$(ls interrupted)" -a ! -s stdout

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
