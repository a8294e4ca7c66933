#!/usr/bin/env bash
# Kills a sweep at ten random moments, resumes the sweep with one and two threads, and compares the files with those of
# an undisturbed run. Then tests bad input, an interrupt, and a full disk. Prints one line per check and a summary.
# Exits with 1 if a check failed.
#
# usage: kill_resume.sh PATH_TO_BLOOMETRY
set -uo pipefail

program=$(realpath "${1:?usage: kill_resume.sh PATH_TO_BLOOMETRY}")
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/bloometry-kill.XXXXXX")
mounted=
cleanup() {
  if [ -n "$mounted" ]; then umount "$mounted"; fi
  rm -rf "$work"
}
trap cleanup EXIT
cd "$work" || exit 1

# shellcheck source=tests/support/check.sh
source "$root/tests/support/check.sh"

exits() {  # exits CODE PATTERN COMMAND...: exit code, one line per problem on standard error, holding PATTERN
  local code=$1 pattern=$2 got
  shift 2
  "$@" >stdout 2>stderr
  got=$?
  if [ "$got" -eq "$code" ] && { [ -z "$pattern" ] || grep -q -- "$pattern" stderr; }; then return 0; fi
  echo "  expected exit $code and '$pattern', got exit $got and:"
  sed 's/^/  /' stderr
  return 1
}

lines_of_stderr() { [ "$(wc -l <stderr)" -eq "$1" ]; }

cat >config.json <<'EOF'
{"name": "kill", "seed": 7, "trials": 16, "queries": 100000,
 "grids": [{"variant": ["standard", "partitioned", "counting"], "num_keys": [5000, 20000], "capacity": 20000,
            "bits_per_key": [24, 32], "num_hashes": [2, 4, 6]},
           {"variant": "scalable", "num_keys": [5000, 20000], "target_false_positive_rate": [0.1, 0.01]}]}
EOF

# --- A run that is killed ten times and resumed with one thread and with two, compared with an undisturbed run.

started=$(date +%s%N)
"$program" sweep run config.json --out whole --threads 1 >/dev/null 2>&1 || { echo "FAILED: the undisturbed run"; exit 1; }
whole_ms=$((($(date +%s%N) - started) / 1000000))
echo "undisturbed run: $whole_ms ms"

kills=0
kill_ten_times() {  # kill_ten_times FOLDER: ten runs, each killed somewhere in its first eighth
  local folder=$1 pid eighth=$((whole_ms / 8 + 5))
  kills=0
  for _ in $(seq 10); do
    "$program" sweep run config.json --out "$folder" --threads $((RANDOM % 2 + 1)) >/dev/null 2>&1 &
    pid=$!
    sleep "$(printf '0.%03d' $((RANDOM % (eighth < 900 ? eighth : 900))))"
    if kill -KILL "$pid" 2>/dev/null; then kills=$((kills + 1)); fi
    wait "$pid" 2>/dev/null
  done
}

for threads in 1 2; do
  folder=killed$threads
  kill_ten_times "$folder"
  check "at least five of ten runs were killed before they were done ($kills)" test "$kills" -ge 5
  "$program" sweep status "$folder" | grep finished
  "$program" sweep run config.json --out "$folder" --threads "$threads" >/dev/null 2>&1
  check "trials.csv is byte-identical after ten kills, resumed with $threads threads" \
    cmp whole/trials.csv "$folder/trials.csv"
  check "no temporary file is left ($folder)" test -z "$(find "$folder" -name '*.tmp')"
done

# --- A torn end and an interrupt.

mkdir torn && cp -r whole/config.json whole/manifest.json whole/parts torn/
truncate -s -100 torn/parts/000001.jsonl
"$program" sweep run config.json --out torn >/dev/null 2>&1
check "trials.csv is byte-identical after a part lost its tail" cmp whole/trials.csv torn/trials.csv

"$program" sweep run config.json --out interrupted --threads 1 >stdout 2>stderr &
pid=$!
sleep "$(printf '0.%03d' $((whole_ms / 3 < 900 ? whole_ms / 3 : 900)))"
kill -INT "$pid"
wait "$pid"
code=$?
check "Ctrl-C exits 130" test "$code" -eq 130
check "Ctrl-C names the folder and the command that resumes the run" \
  grep -qxE 'bloometry: interrupted; [0-9]+ of [0-9]+ units are kept in interrupted; to resume: .*/bloometry sweep run config.json --out interrupted --threads 1' stderr
resume=$(sed -n 's/.*to resume: //p' stderr)
check "the report of an incomplete run states how many units it describes" \
  exits 0 'warning: the run is unfinished: the report describes [0-9]* of [0-9]* units' "$program" report interrupted
check "status of an incomplete run prints the command that resumes it" \
  bash -c '"$0" sweep status interrupted | grep -qF "\`bloometry sweep run interrupted/config.json --out interrupted\`"' "$program"
check "status of an incomplete run exits 1" exits 1 '' "$program" sweep status interrupted
"$program" sweep run config.json --out terminated --threads 1 >stdout 2>stderr &
pid=$!
sleep "$(printf '0.%03d' $((whole_ms / 3 < 900 ? whole_ms / 3 : 900)))"
kill -TERM "$pid"
wait "$pid"
code=$?
check "SIGTERM is an interrupt as well" test "$code" -eq 130
BLOOMETRY_ISA=baseline bash -c "$resume" >/dev/null 2>&1
check "the manifest has the instruction set of each session" /usr/bin/python3 -c '
import json
sessions = json.load(open("interrupted/manifest.json"))["sessions"]
assert len(sessions) == 2 and sessions[1]["isa"] == "baseline", sessions'
check "trials.csv is byte-identical after an interrupt" cmp whole/trials.csv interrupted/trials.csv
check "status of a complete run exits 0" exits 0 '' "$program" sweep status interrupted

# --- The run folder of a rejected config must be kept. The smallest p-value of this run is below 1/6.

cat >unlucky.json <<'EOF'
{"name": "v", "seed": 6, "queries": 1000, "grids": [{"variant": "standard", "num_keys": 100, "num_bits": 500, "num_hashes": 3}]}
EOF
check "a rejected config exits 1 and names its run" env TMPDIR="$work" \
  bash -c '"$0" verify unlucky.json --false-alarm 0.5 2>stderr; [ $? -eq 1 ] && grep -q "is kept in $TMPDIR/" stderr' "$program"
check "the run of a rejected config is kept" exits 1 '' "$program" verify bloometry-verify-*/run --false-alarm 0.5

# --- Bad input: exit 2, one line per problem.

cat >six.json <<'EOF'
{"name": "six", "trails": 5, "seed": -1, "keys": ["random", "sequental"],
 "grids": [{"variant": "standard", "num_keys": 1.5, "num_bits": 1024, "bits_per_key": 8, "num_hashes": [1, 2, 0]}]}
EOF
check "six mistakes exit 2" exits 2 '/grids/0/num_hashes/2: must be in \[1, 64\], got 0' \
  "$program" sweep run six.json --out six
check "six mistakes are six lines" lines_of_stderr 6
check "six mistakes make no folder" test ! -e six
check "a missing config exits 2" exits 2 'none.json' "$program" sweep run none.json --out none
check "a missing config is one line" lines_of_stderr 1
check "an --out below a file exits 2" exits 2 'config.json/out' "$program" sweep run config.json --out config.json/out
check "an --out below a file is one line" lines_of_stderr 1
check "an --out in /proc exits 2" exits 2 '/proc/out' "$program" sweep run config.json --out /proc/out
sed 's/"seed": 7/"seed": 8/' config.json >other.json
check "the folder of another config exits 2" exits 2 'contains another config, whose /seed is ' \
  "$program" sweep run other.json --out whole

# --- Choices of charts that the run cannot satisfy write no file.
for choice in "--fix num_hashes=3|--fix num_hashes must be one of 2, 4, 6, got 3" \
  "--fix colour=3|--fix must be one of variant, params, .*, got 'colour'" \
  "--fix num_hashes|--fix must be AXIS=VALUE, got 'num_hashes'" \
  "--fix num_keys=many|--fix must be a number for num_keys, got 'many'" \
  "--series colour|--series must be one of variant, params, .*, got 'colour'" \
  "--series size --facet size|--series must be another axis than --facet, got 'size'" \
  "--series num_keys --facet num_inserted|--series must be another axis than --facet, got 'num_keys'" \
  "--charts rate_vs_n --series num_keys|--series must be one of variant, params, .*, because num_inserted is the x axis of rate_vs_n, got 'num_keys'" \
  "--charts fill,rate_vs_n --facet num_keys|--facet must be one of variant, .*, because .* the x axis of .*, got 'num_keys'" \
  "--charts rate_vs_num_hashes --fix num_hashes=4|--fix must be one of variant, params, .*, because num_hashes is the x axis of rate_vs_num_hashes, got 'num_hashes'"; do
  read -ra options <<<"${choice%%|*}"
  check "report ${options[*]} exits 2" exits 2 "^bloometry: ${choice#*|}$" "$program" report whole "${options[@]}"
  check "report ${options[*]} is one line" lines_of_stderr 1
done
check "a rejected report writes no page" test ! -e whole/report.html

# --- After a change of the config, only the new points are measured.

cat >grown.json <<'EOF'
{"name": "grown", "trials": 2, "queries": 1000, "grids": [{"variant": "standard", "num_keys": 100, "num_bits": [500, 700], "num_hashes": 3}]}
EOF
sed 's/"trials": 2/"trials": 5/' grown.json >more.json
sed 's/"name"/"question": "Why?", "name"/' more.json >question.json
says() { "${@:3}" >stdout 2>stderr; grep -q "$2" "$1"; }
check "a first run measures all" says stdout '4 units in' "$program" sweep run grown.json
check "more trials: only new units are measured" says stdout '6 units in' "$program" sweep run more.json
check "more trials: the plan states how many are copied" says stdout 'finished        10 of them' "$program" sweep validate more.json
check "a changed question does not need a run" says stderr '10 of 10 units are finished already' \
  "$program" sweep run question.json
check "the new question is in the folder" grep -q Why results/grown/*/config.json
check "copied and measured rows are those of one run" \
  bash -c '"$0" sweep run more.json --out at_once --fresh >/dev/null 2>&1 && cmp at_once/trials.csv "$(ls -d results/grown/* | while read -r d; do [ "$(wc -l <"$d/trials.csv")" = 11 ] && echo "$d"; done)/trials.csv"' "$program"
hashes() { find "$1" -type f -exec sha1sum {} + | sort; }
hashes at_once >before
check "a smaller config exits 2 and names the fields that differ" \
  exits 2 '6 of its 10 rows are not rows of this config, which differs in /trials (2, not 5); give another --out, or --replace' \
  "$program" sweep run grown.json --out at_once
check "a smaller config is refused in one line" lines_of_stderr 1
cp stderr refused_run
check "sweep validate exits 2 for the same folder" exits 2 '' "$program" sweep validate grown.json --out at_once
check "with the message of the run" cmp refused_run stderr
check "with --replace, it prints the plan" says stdout 'finished        4 of them' \
  "$program" sweep validate grown.json --out at_once --replace
check "it refuses a folder without a run" exits 2 'is not empty and does not contain a run' \
  "$program" sweep validate grown.json --out results
check "and a file" exits 2 'run folder must be a folder' "$program" sweep validate grown.json --out grown.json
check "none of them changes a file" diff before <(hashes at_once)
check "with --replace, a folder accepts a smaller config" says stdout '4 rows in' \
  "$program" sweep run grown.json --out at_once --replace
check "and reports the retired units" says stderr '6 units of this folder belong to an earlier config' \
  "$program" sweep run grown.json --out at_once
check "and its run is accepted" exits 0 '' "$program" verify at_once
check "a folder of runs exits 2 and lists the runs" exits 2 'complete, 4 units, 4 rows: bloometry report results/grown/' \
  "$program" report results/grown
check "for each command that reads a run" exits 2 'results: must be the folder of one run; results contains 2 runs' \
  "$program" sweep status results
check "the name of a sweep exits 2 and lists its runs, too" exits 2 'complete, 10 units, 10 rows: bloometry verify results/grown/' \
  "$program" verify grown
check "and it accepts the larger config again without a run" says stderr '10 of 10 units are finished already' \
  "$program" sweep run more.json --out at_once
: >empty.txt
seq 100 >small.txt
for name in empty small; do
  sed "s/\"name\"/\"keys\": {\"file\": \"$name.txt\"}, \"name\"/" config.json >"$name.json"
  check "an $name key file exits 2 and states how many lines are needed" \
    exits 2 'must have at least 120000 distinct lines' "$program" sweep run "$name.json" --out "$name"
  check "an $name key file is one line" lines_of_stderr 1
  check "an $name key file makes no folder" test ! -e "$name"
done
check "a missing key file exits 2" exits 2 'gone.txt' \
  "$program" sweep validate <(sed 's|"name"|"keys": {"file": "gone.txt"}, "name"|' config.json)
check "status of a folder without a run exits 2" exits 2 'does not contain a run' "$program" sweep status nowhere

evil=$(printf '\033[31mred\n2nd line')
check "a slip in a command is guessed" exits 2 "got 'thory'; did you mean theory?" "$program" thory
check "and in an option" exits 2 'did you mean --needs?' "$program" size -n 1 --neds erase
check "an unknown option is named with its value" exits 2 'unknown options or arguments: --bogus 3 (see' "$program" size --bogus 3
check "a missing value exits 2" exits 2 '-n must have a value: number of inserted keys, e.g. 1e6 or 1.5M' "$program" size -n
check "two values exit 2" exits 2 '-n must be given once, got 2 values' "$program" size -n 1 -n 2
check "a missing command exits 2" exits 2 'a command must be given, one of run, validate, status, schema, repair (see' "$program" sweep
check "an unknown option in its place exits 2" exits 2 'unknown options or arguments: --jsn (see' "$program" --jsn
check "a missing argument exits 2" exits 2 'CONFIG must be given: config, a JSON file (see' "$program" sweep validate
check "one file of two exits 2" exits 2 'FILTER must be given at least 2 times, got 1' "$program" filter merge a -o b
check "an option without the one it needs exits 2" exits 2 '--wait-timeout must be left out without --wait (see' \
  "$program" redis add --key x --wait-timeout 5
check "two options that exclude each other exit 2" exits 2 '--count must be left out with --quiet' \
  "$program" filter query a --count --quiet
check "a number of threads out of range exits 2" exits 2 "--threads must be a whole number in .1, 1024., got '0'" \
  "$program" sweep run config.json --threads 0
check "help is --help" says stdout 'bloometry sweep run' "$program" help sweep run
check "a subnormal rate is below every floor and not an internal error" exits 1 '' "$program" size -n 1e6 -p 1e-310
check "an argument with control characters exits 2" exits 2 "must be one of .*got '.x1b\[31mred.n2nd line'" "$program" "$evil"
check "its message is one line" lines_of_stderr 1
check "a long argument exits 2" exits 2 'x\.\.\.x' "$program" theory standard -n "$(printf '%0100000d' 0 | tr 0 x)" -m 9 -k 1
check "its message is bounded" test "$(wc -c <stderr)" -le 450
check "a path with control characters exits 2" exits 2 'n2nd line' "$program" sweep validate "$evil"
check "its message is one line" lines_of_stderr 1

for size in 0 1e18; do
  check "a filter of $size cells exits 2 and states the allowed numbers of cells" \
    exits 2 "-m must be a whole number in .1, 2^53. .*, got '$size'" "$program" theory standard -n 10 -k 1 -m "$size"
done

# --- The forms of a number give the same answer, and others are errors of one line.

same_theory() {  # same_theory OPTION... -- OPTION...: requires the same JSON for both filters
  local one=()
  while [ "$1" != -- ]; do one+=("$1"); shift; done
  shift
  "$program" theory standard --json "${one[@]}" >one.json && "$program" theory standard --json "$@" >other.json &&
    cmp one.json other.json
}
for n in 1,000,000 1m 1M ' 1 m ' 1e3k 1000000.0; do
  check "-n '$n' is 1e6" same_theory -n 1e6 -m 9585059 -k 7 -- -n "$n" -m 9585059 -k 7
done
for p in '0.1 %' 0.1% 1/1000 '1 / 1,000' 1e-3; do
  check "-p '$p' is 0.001" same_theory -n 1e6 -p 0.001 -- -n 1e6 -p "$p"
done
for size in 64mb '64 MB' 64000kB 64,000,000B; do
  check "-m '$size' is 512 million bits" same_theory -n 1e6 -k 7 -m 512M -- -n 1e6 -k 7 -m "$size"
  check "--memory '$size' is 512 million bits" same_theory -n 1e6 -k 7 -m 512M -- -n 1e6 -k 7 --memory "$size"
done
check "--memory without a unit exits 2" \
  exits 2 "got '64M'; write 64MB or 64MiB, or -m for a number of bits or counters$" "$program" size -n 1e6 --memory 64M
for size in 64Mb 64b '64 Gb'; do
  check "a size of $size exits 2" exits 2 "got '$size'; ${size##*[0-9 ]} may mean bits: write .*B for bytes" \
    "$program" theory standard -n 10 -k 1 -m "$size"
done
for n in '' ' ' -1 1.5 nan inf 0x10 1e400 1,00 5% 1/2 64MB 9007199254740993; do
  check "-n '$n' exits 2" exits 2 "-n must be a whole number in .0, 2^53. .*, got '$n'" \
    "$program" theory standard -m 9 -k 1 -n "$n"
  check "-n '$n' is one line" lines_of_stderr 1
done
for p in '' nan inf 0x1p-3 1e400 1e-400 1/0 '5 %%' 0,1 1/1.5 64MB; do
  check "-p '$p' exits 2" exits 2 "-p must be a number in (0, 1) like 0.01, got '$p'" \
    "$program" theory standard -n 10 -p "$p"
  check "-p '$p' is one line" lines_of_stderr 1
done
check "a percentage above 100 exits 2" exits 2 '-p must be in (0, 1), got 10000' "$program" theory standard -n 10 -p 1e6%
check "a filter of 0 MiB exits 2" exits 2 "-m must be a whole number in .1, 2" "$program" theory standard -n 10 -k 1 -m 0MiB
check "a filter of blocks with 0 hashes states the allowed numbers" exits 2 '-k must be in \[1, 16\], got 0' \
  "$program" theory blocked -n 10 -m 1024 -k 0
check "four mistakes of one request exit 2" exits 2 "-n must be in \[1, 2^53\], got 0" \
  "$program" size -n 0 -p 2 -k 65 --needs sing
check "with one line each" lines_of_stderr 4
check "in terms of options" test "$(grep -cE '^bloometry: (-n|-p|-k|--needs) ' stderr)" -eq 4
check "mistakes of several numbers exit 2" exits 2 "-m must be .*got 'many'" "$program" theory standard -n few -m many -k some
check "with one line each" lines_of_stderr 3
check "mistakes in a benchmark exit 2" exits 2 "--ops must be one of .*got 'delete'" "$program" bench -n 10 --repetitions 0 --ops delete
check "with one line each" lines_of_stderr 3
check "mistakes in a claim exit 2" exits 2 "--loads must be .*got 0" \
  "$program" verify --subject true --claim standard -n 10 -m 96 -k 65 --loads 0 --encoding base64
check "with one line each" lines_of_stderr 3
check "a false alarm of 0 exits 2" exits 2 "--false-alarm must be a number in \[1e-300, 0.5\], got '0'" \
  "$program" verify whole --false-alarm 0
cp -r torn damaged
sed -i '1s/{/[/' damaged/parts/000001.jsonl
check "a damaged line of a part exits 2 without words of the JSON library" \
  exits 2 '000001.jsonl, line 1: must be JSON at column [0-9]*: unexpected' "$program" sweep status damaged
check "a damaged line is one line" lines_of_stderr 1

# --- With too little memory, validate and run must print the same message before they write a file.

cat >large.json <<'EOF'
{"name": "large", "grids": [{"variant": "split_block", "num_keys": 1000, "num_blocks": 2147483647}]}
EOF
for command in "validate large.json" "run large.json --out large"; do
  # shellcheck disable=SC2086
  for memory in "" "--max-memory 1GiB"; do
    expected="--max-memory must be at least 655[0-9]*MiB for this config, got ${memory:+1024MiB$}"
    check "sweep ${command%% *} $memory of a filter of 64 GiB exits 2" exits 2 "$expected" \
      "$program" sweep $command $memory
    check "sweep ${command%% *} $memory of a filter of 64 GiB is one line" lines_of_stderr 1
  done
  # shellcheck disable=SC2086
  check "sweep ${command%% *} names the default as such" exits 2 'the default: three quarters' \
    "$program" sweep $command
  # shellcheck disable=SC2086
  check "sweep ${command%% *} --max-memory 0 exits 2" exits 2 "--max-memory must be .*, got '0'" \
    "$program" sweep $command --max-memory 0
  # shellcheck disable=SC2086
  check "sweep ${command%% *} --max-memory 8G exits 2" exits 2 "--max-memory must be .*, got '8G'; write 8GB or 8GiB$" \
    "$program" sweep $command --max-memory 8G
  # shellcheck disable=SC2086
  check "sweep ${command%% *} --memory 8GiB names --max-memory" exits 2 "--memory must be written --max-memory" \
    "$program" sweep $command --memory 8GiB
  check "in one line" lines_of_stderr 1
  # shellcheck disable=SC2086
  check "also without a value" exits 2 "--memory must be written --max-memory" "$program" sweep $command --memory
done
check "verify, which does not have --max-memory, names the memory in words" \
  exits 2 'the memory of the run must be at least 655[0-9]*MiB' "$program" verify large.json
check "a sweep that lacks memory makes no folder" test ! -e large
check "memory is taken in TiB" exits 0 '' "$program" sweep validate config.json --max-memory 1TiB

# --- Two processes that use one folder.

exec 9>>whole/parts/lock
flock -n 9
check "a folder in use exits 2" exits 2 'in use by another process' "$program" sweep run config.json --out whole
exec 9>&-

# --- A full disk: exit 3, and the written rows are kept.

mkdir disk
if mount -t tmpfs -o size=64k tmpfs disk 2>/dev/null; then
  mounted=$work/disk
  check "a full disk exits 3 and names the file" exits 3 'No space left on device' \
    "$program" sweep run config.json --out disk/run
  check "a full disk is one line" test "$(grep -c '^bloometry: ' stderr)" -eq 1
  check "a full disk leaves no table" test ! -e disk/run/trials.csv
  check "rows before the disk was full are intact" exits 1 '' "$program" sweep status disk/run
  finished=$("$program" sweep status disk/run --json | grep -o '"num_finished_units": [0-9]*' | grep -o '[0-9]*$')
  check "some units were kept on the full disk ($finished)" test "${finished:-0}" -gt 0
  mount -o remount,size=16m disk
  "$program" sweep run config.json --out disk/run >/dev/null 2>&1
  check "trials.csv is byte-identical once there is room again" cmp whole/trials.csv disk/run/trials.csv
else
  skipped=$((skipped + 1))
  echo "SKIPPED: full disk (a tmpfs cannot be mounted here)"
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
