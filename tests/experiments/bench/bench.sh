#!/usr/bin/env bash
# Tests the whole command `bloometry bench`: its output, bad input, an interrupt. Prints one line per check and a
# summary. Exits with 1 if a check failed.
#
# usage: bench.sh PATH_TO_BLOOMETRY
set -uo pipefail

program=$(realpath "${1:?usage: bench.sh PATH_TO_BLOOMETRY}")
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/bloometry-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# shellcheck source=tests/support/check.sh
source "$root/tests/support/check.sh"

refused() {  # refused PATTERN OPTION...: requires exit 2, an empty standard output, and one line with PATTERN
  local pattern=$1
  shift
  "$program" bench "$@" >stdout 2>stderr
  [ $? -eq 2 ] && [ ! -s stdout ] && [ "$(wc -l <stderr)" -eq 1 ] && grep -q -- "$pattern" stderr
}

interrupt_after() { # interrupt_after PATTERN FILE ARGUMENT...: starts the program and sends SIGINT to it when the new file
                    # contains the pattern. Returns the exit code.
  local pattern=$1 file=$2 pid
  shift 2
  rm -f "$file"
  "$program" "$@" >stdout 2>stderr &
  pid=$!
  until grep -qs -- "$pattern" "$file" || ! kill -0 "$pid" 2>/dev/null; do sleep 0.05; done
  kill -INT "$pid"
  wait "$pid"
}

# The processor time does not include other processes, as the elapsed time does.
TIMEFORMAT='%0U %0S'
{ time "$program" bench --quick -n 1e4 --json >answer.json 2>progress; } 2>cpu_seconds
check "a quick bench exits 0" test $? -eq 0
read -r user system <cpu_seconds
check "and needs less than a minute" test $((user + system)) -lt 60
check "and prints its progress on standard error" grep -q '100 %' progress
cat >check.py <<'END'
import json, sys
answer = json.load(open("answer.json"))
assert [case["keys"] for case in answer["cases"]] == ["random", "string"]
for case in answer["cases"]:
    assert case["num_keys"] == 10000 and len(case["targets"]) >= 5
    for target in case["targets"]:
        assert target["num_false_negatives"] == 0, target["name"]
        assert target["interval_upper"] > 0
        for time in target["times"]:
            assert len(time["ns_per_key"]["repetitions"]) == 3
            assert time["ratio_to_floor"]["median"] > 0
END
check "its JSON has every case, count and repetition" /usr/bin/python3 check.py

"$program" bench --quick -n 1e3,1e4 --variants standard --keys random --ops insert --repetitions 1 --out folder \
  >table 2>/dev/null
check "a bench into a folder exits 0" test $? -eq 0
check "and writes JSON and chart" test -s folder/bench.json -a -s folder/bench_random.vl.json
check "and prints a table of what was requested" grep -q '^insert .*x floor' table
check "and nothing else" test "$(grep -c -e '^negative' -e '^libbloom' table)" -eq 0

touch folder/bench_string.vl.json folder/bench_string.svg folder/bench_random.png
"$program" bench --quick -n 1e3 --variants standard --keys random --ops insert --repetitions 1 --out folder \
  --fresh >/dev/null 2>/dev/null
check "a second bench removes the chart of the first" test ! -e folder/bench_string.vl.json -a ! -e folder/bench_string.svg
check "and does not write an empty image" test ! -e folder/bench_random.png -o -s folder/bench_random.png

# --- Comparisons.

compare_exits() { # compare_exits CODE OPTION...: requires the exit code of bench --compare and an empty standard error
  local code=$1 got
  shift
  "$program" bench --compare "$@" >compared 2>compare_errors
  got=$?
  [ "$got" -eq "$code" ] && [ ! -s compare_errors ] && return 0
  echo "exit $got"; cat compare_errors; tail -n 3 compared; return 1
}
# Measured times of answer.json are replaced, because a busy machine can hide any factor: with 3 repetitions (2 degrees
# of freedom) and an error of 1 % divided by 244 rows and floors, Student's quantile is 156. If the logarithms of both
# sets of repetitions have the standard deviation 0.04, the standard error of their difference is 0.04 sqrt(2 / 3) =
# 0.033, and the interval contains factors up to exp(156 * 0.033) = 170.
cat >change.py <<'END'
"""change.py FACTOR FILE [TARGET]: writes a copy of answer.json with the repetitions 1, 1.001, ... 1.010 for every time
and floor. The repetitions of the target, or of all targets, are multiplied by the factor."""
import json, sys
factor, file, *changed = sys.argv[1:]
answer = json.load(open("answer.json"))

def repetitions(factor):
    return [factor * (1 + i / 1000) for i in range(11)]

for case in answer["cases"]:
    case["num_repetitions"] = 11
    case["run_repetitions"] = [11]
    for target in case["targets"]:
        for time in target["times"]:
            is_changed = not changed or target["name"] in changed
            time["ns_per_key"]["repetitions"] = repetitions(float(factor) if is_changed else 1)
        for floor in target["floor_ns_per_key"].values():
            floor["repetitions"] = repetitions(1)
json.dump(answer, open(file, "w"))
END
/usr/bin/python3 change.py 1 before.json
/usr/bin/python3 change.py 100 after.json standard
/usr/bin/python3 change.py 1e6 slow.json
check "a benchmark does not differ from itself" compare_exits 0 before.json before.json
check "and the summary states it" grep -q '^0 rows slower, 0 faster, [0-9]* without a difference shown$' compared
check "and which ratio would have been shown" grep -qx 'Half of the rows would have shown a ratio above 1.01 or below 0.99.' compared
check "a comparison has at most 80 columns" test "$(awk '{ if (length > most) most = length } END { print most }' \
  <(grep -v '^before:\|^after:' compared))" -le 80
check "a slower filter exits 1" compare_exits 1 before.json after.json
check "a faster one exits 0" compare_exits 0 after.json before.json
check "as JSON too" compare_exits 1 before.json after.json --json
cat >check.py <<'END'
import json
comparison = json.load(open("compared"))["comparison"]
slower = [row for row in comparison["rows"] if row["verdict"] == "slower"]
assert slower and {row["name"] for row in slower} == {"standard"} and comparison["num_slower"] == len(slower)
for row in slower:
    assert 98 < row["interval_lower"] < row["ratio"] < row["interval_upper"] < 102 and abs(row["ratio"] - 100) < 1e-9
assert abs(comparison["row_error"] * (len(comparison["rows"]) + len(comparison["floors"])) - 0.01) < 1e-12
END
check "which has the ratios and intervals" /usr/bin/python3 check.py
# Every time of slow.json is 1e6 ns. This run has 11 repetitions of 4 times and 8 floors, so that the quantile is 4.7 with
# 10 degrees of freedom. If this run needs less than 1,000 ns per key, the intervals exclude 1 unless the standard
# deviation of the logarithms exceeds ln(1000) sqrt(11) / 4.7 = 4.9, a factor of 130 between the repetitions.
"$program" bench --quick --repetitions 11 -n 1e4 --variants standard,blocked --keys random --ops negative \
  --compare slow.json --json >compared 2>/dev/null
check "this run is compared with a file" test $? -eq 0
cat >check.py <<'END'
import json
answer = json.load(open("compared"))
comparison = answer["comparison"]
assert comparison["after"]["file"] == "this run" and len(answer["cases"]) == 1
assert {row["name"] for row in comparison["rows"]} == {"standard", "blocked"}
assert all(row["verdict"] == "faster" for row in comparison["rows"])
assert len(comparison["only_before"]) > 50 and comparison["only_after"] == []
END
check "and lists what only the file contains" /usr/bin/python3 check.py
cp compared later.json
"$program" bench --compare later.json later.json >compared 2>compare_errors
check "its JSON can be compared again" test $? -eq 0
sed 's/"cpu": "[^"]*"/"cpu": "another"/' before.json >moved.json
"$program" bench --compare before.json moved.json >compared 2>compare_errors
check "another processor is one warning" test "$(grep -c '^bloometry: warning: cpu differs: .* before, another after$' compare_errors)" \
  -eq 1 -a "$(wc -l <compare_errors)" -eq 1
echo '{' >broken.json
check "a file that is not JSON is refused" refused "--compare must be the JSON of a benchmark .*got broken.json" --compare answer.json broken.json
echo '{}' >empty.json
check "another JSON is refused" refused "--compare must be the JSON of a benchmark .*got empty.json" --compare empty.json
check "a folder is refused" refused "--compare must .*got /: it is not a regular file" --compare answer.json /
check "a missing file is refused" refused "--compare must .*got nothing.json: it does not exist" --compare nothing.json
check "a third file is refused" refused "--compare" --compare answer.json answer.json answer.json
check "another n is refused before the measurement" refused "--compare must contain a filter with the -n and --keys" \
  -n 2e4 --compare answer.json
check "--wide is accepted with two files" "$program" bench --wide --compare answer.json answer.json
check "options of a measurement are refused with two files" refused "-n must be left out" -n 1e4 --compare answer.json answer.json

check "an unknown filter is refused" refused "--variants must be one of standard, .*got 'morton'" --variants morton
check "an unknown op is refused" refused "--ops must be one of insert, .*got 'delete'" --ops delete
check "an unknown kind of keys is refused" refused "--keys must be one of random, sequential, .*, string, got 'text'" --keys text
check "an unknown hash is refused" refused "--hash must be one of xxh3" --hash fast
check "thousands separators in a list are refused" \
  refused "-n must be a list without thousands .*got '1,000,000'; write 1,000,000 as 1000000 or 1e6" -n 1,000,000
check "also without zeros" refused "-n must be a list without thousands .*got '1,500'" -n 1,500
check "an invalid number is refused" refused "-n must be .*got 'many'" -n many
check "too few keys are refused" refused "-n must be in \[1000, 4294967296\], got 10" -n 10
check "more than the memory holds is refused" refused "-n must be small enough .*got 4000000000" -n 4G --variants counting -p 1e-8
check "an invalid rate is refused" refused "-p must be a number in (0, 1) like 0.01, got 'abc'" -p abc
check "an empty name is refused" refused "--variants must be one of .*got ''" --variants , --keys random
check "the next option is not taken as a number" refused "-n must be .*got ''" -n 1e4, --keys random
check "erase is refused if no filter can erase" refused "none of the variants can erase" --quick --variants blocked --ops erase
check "a rate of 1 is refused" refused "-p must be in (0, 1), got 1" -p 1
check "no repetition is refused" refused "--repetitions must be in \[1, 1000\], got 0" --repetitions 0
check "invalid repetitions are refused" refused "--repetitions must be a whole number in .1, 1000., got .x." --repetitions x
: >file
check "more threads than cores are refused" refused "--threads must be in \[1, " --threads 100000
check "invalid threads are refused" refused "--threads must be" --threads two
check "a file as folder is refused" refused "--out must be a folder" --quick --out file
check "a folder that cannot contain files is refused" refused "--out must be a folder that can be written to" -n 1e6 --out /proc
if [ "$(id -u)" -ne 0 ]; then
  mkdir readonly && chmod 555 readonly
  check "a folder without write permission is refused" refused "--out must be a folder that can be written to" --out readonly
fi
check "an unknown option is refused" refused "--fast" --fast

# The queries of the first repetition need tens of seconds. The filter is small, because the program must stop within
# InterruptWatch::kGrace, also on a busy machine. Otherwise the message does not contain the number of repetitions.
interrupt_after ': about ' stderr bench --variants standard -n 1e5 --queries 1e9 --out interrupted
check "Ctrl-C exits 130" test $? -eq 130
check "Ctrl-C before the end of a repetition reports that no results are kept" grep -q 'interrupted; results are not kept' stderr
check "and leaves no partial result" test -z "$(ls interrupted)" -a ! -s stdout

small=(bench --variants standard,blocked -n 1e5 --queries 1e5 --keys random --ops insert,negative)
interrupt_after . resumed/bench.json "${small[@]}" --repetitions 1000 --out resumed
check "Ctrl-C after a repetition exits 130" test $? -eq 130
kept=$(/usr/bin/python3 -c 'import json; print(json.load(open("resumed/bench.json"))["cases"][0]["num_repetitions"])')
check "and reports the kept repetitions" grep -q "interrupted; $kept of 1,000 repetitions kept in resumed/bench.json; the same" stderr
check "and shows it" grep -q "100,000 keys.*, $kept repetition" stdout
cp resumed/bench.json before.json
"$program" "${small[@]}" --repetitions $((kept + 2)) --out resumed >stdout 2>stderr
check "the same command continues" grep -q "$kept of $((kept + 2)) kept in resumed/bench.json: about" stderr
cat >check.py <<'END'
import json, sys
before, after = (json.load(open(name)) for name in ("before.json", "resumed/bench.json"))
assert after["started"] == before["started"]
for old, new in zip(before["cases"][0]["targets"], after["cases"][0]["targets"]):
    for was, now in zip(old["times"], new["times"]):
        was, now = was["ns_per_key"]["repetitions"], now["ns_per_key"]["repetitions"]
        assert now[:len(was)] == was and len(now) == len(was) + 2
assert after["cases"][0]["run_repetitions"] == before["cases"][0]["run_repetitions"] + [2]
END
check "and keeps the measured repetitions" /usr/bin/python3 check.py
check "two runs are compared by their means" sh -c \
  '"$1" bench --compare resumed/bench.json resumed/bench.json | grep -qx "The intervals are those of the means of the runs."' sh "$program"
cp resumed/bench.json before.json
"$program" "${small[@]}" --repetitions 2 --out resumed >stdout 2>stderr
check "a complete benchmark is printed" grep -q '^negative' stdout
check "and not measured again" cmp -s before.json resumed/bench.json
check "another benchmark's folder is refused" refused "whose bench.json has seed 1, not 2; --fresh" \
  "${small[@]:1}" --seed 2 --out resumed
"$program" "${small[@]}" --seed 2 --repetitions 2 --out resumed --fresh >stdout 2>stderr
check "unless --fresh is given" grep -q '"seed": 2' resumed/bench.json

# After 10 %, 100 repetitions are complete.
interrupt_after '^ *[1-9][0-9]* %' stderr "${small[@]}" --repetitions 1000
check "without a folder Ctrl-C prints the complete repetitions" grep -q '^negative' stdout
check "and states how to keep results" grep -q 'of 1,000 repetitions shown; use --out DIR to keep them' stderr

if [ "$(nproc)" -ge 2 ]; then
  "$program" bench --quick --threads 1,2 --keys random >stdout 2>stderr
  check "each number of threads has its own table" grep -q '^negative, 2 threads .*speedup' stdout
  check "in which only atomic filters are filled" \
    test "$(sed -n '/^insert, 2 threads/,/^$/p' stdout | grep -c '^atomic_')" -eq 2 -a \
    "$(sed -n '/^insert, 2 threads/,/^$/p' stdout | grep -c .)" -eq 3
  "$program" bench --quick -n 1e4 --variants atomic_standard --threads 1,2 --keys random --json >threads.json 2>/dev/null
  "$program" bench --compare threads.json threads.json >compared 2>/dev/null
  check "a comparison has a table per number of threads" grep -q '^negative, single, 2 threads ' compared
  check "in 80 columns" test "$(awk 'length > 80' compared | wc -l)" -eq 0
  check "and several repetitions state where batches differ from single calls" \
    grep -q -e '^batch is faster: ' -e '^batch is slower: ' -e '^no clear difference: ' stdout
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
