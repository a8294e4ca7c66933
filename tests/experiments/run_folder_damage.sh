#!/usr/bin/env bash
# Tests sweeps with closed standard streams or limited file sizes. Also tests irregular run files, damaged parts and
# their repair, and hashes. Prints one line per check and a summary. Exits with 1 if a check failed.
#
# usage: run_folder_damage.sh PATH_TO_BLOOMETRY
set -uo pipefail

program=$(realpath "${1:?usage: run_folder_damage.sh PATH_TO_BLOOMETRY}")
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/bloometry-damage.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# shellcheck source=tests/support/check.sh
source "$root/tests/support/check.sh"

exits() {  # exits CODE PATTERN COMMAND...: ends within 10 s with this exit code and PATTERN in its output
  local code=$1 pattern=$2 got
  shift 2
  timeout -s KILL 10 "$@" >output 2>&1
  got=$?
  if [ "$got" -eq "$code" ] && { [ -z "$pattern" ] || grep -q -- "$pattern" output; }; then return 0; fi
  echo "  expected exit $code and '$pattern', got exit $got and:"
  sed 's/^/  /' output
  return 1
}

cat >config.json <<'JSON'
{"name": "damage", "seed": 7, "trials": 4, "queries": 20000,
 "grids": [{"variant": ["standard", "counting"], "num_keys": [100, 200], "capacity": 200, "bits_per_key": [8, 16],
            "num_hashes": [2, 3]}]}
JSON
run() { "$program" sweep run config.json --out "$1" --threads 1; }
part=odd/parts/000001.jsonl
# sed commands for a line without a checksum, as older versions wrote it
strip='s/,"xxh3_128":"[0-9a-f]*"}$/}/'
raise_count="{s/\"num_false_positives\":\([0-9]*\)/\"num_false_positives\":1\1/; $strip}"
run whole >output 2>&1 || { cat output; echo "FAILED: the undisturbed run"; exit 1; }

# --- Closed standard streams: output must not end up in a run file.

for closed in "0<&-" "1>&-" "2>&-" "0<&- 1>&-" "0<&- 2>&-" "1>&- 2>&-" "0<&- 1>&- 2>&-"; do
  folder="closed ${closed//[^0-9 ]/}"
  for _ in first again; do
    bash -c "exec $closed; exec \"\$@\"" - "$program" sweep run config.json --out "$folder" --threads 1 >/dev/null 2>&1
  done
  check "trials.csv is byte-identical when run with $closed" cmp whole/trials.csv "$folder/trials.csv"
  check "parts contain only units with $closed" bash -c '! grep -qv "^{\"rows\":" "$1"/*.jsonl && [ ! -s "$1/lock" ]' \
    - "$folder/parts"
  check "verify accepts the run made with $closed" exits 0 ACCEPTED "$program" verify "$folder"
done

# --- A limit of file sizes.

check "a part beyond ulimit -f exits 3 and names the file" exits 3 'limited/parts/000001.jsonl: File too large' \
  bash -c 'ulimit -f 8; "$1" sweep run config.json --out limited --threads 1' - "$program"
finished=$("$program" sweep status limited --json | grep -o '"num_finished_units": [0-9]*' | grep -o '[0-9]*$')
check "units below the limit are kept ($finished)" test "${finished:-0}" -gt 0
run limited >/dev/null 2>&1
check "trials.csv is byte-identical once the limit is gone" cmp whole/trials.csv limited/trials.csv

# --- Commands must refuse a file that is not regular, before reading from it.

"$program" report whole >/dev/null 2>&1
refused() {  # refused FILE KIND COMMAND...: each command refuses odd/FILE, a KIND, in one line
  local file=$1 kind=$2 command
  shift 2
  for command in "$@"; do
    # shellcheck disable=SC2086
    exits 2 "odd/$file must be a regular file, got a $kind" "$program" $command && [ "$(wc -l <output)" -eq 1 ] || return 1
  done
}
for file in config.json manifest.json parts/000001.jsonl parts/lock trials.csv; do
  rm -rf odd && cp -r whole odd && rm "odd/$file" && mkfifo "odd/$file"
  check "a FIFO in place of $file is refused by every command" refused "$file" FIFO \
    "sweep run config.json --out odd" "sweep status odd" "sweep repair odd" "report odd" "verify odd"
done
for file in histograms.csv timings.csv summary.csv report.html; do
  rm -rf odd && cp -r whole odd && rm "odd/$file" && mkfifo "odd/$file"
  check "a FIFO in place of $file is refused" refused "$file" FIFO "report odd"
done
for file in config.json parts/000001.jsonl trials.csv; do
  for kind in folder device socket; do
    rm -rf odd && cp -r whole odd && rm "odd/$file"
    case $kind in
      folder) mkdir "odd/$file" ;;
      device) ln -s /dev/zero "odd/$file" ;;
      socket) /usr/bin/python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "odd/$file" ;;
    esac
    check "a $kind in place of $file is refused" refused "$file" "$kind" "verify odd"
  done
done
rm -rf odd && cp -r whole odd
for chart in whole/charts/*.vl.json; do rm -f "odd/charts/${chart##*/}" && mkfifo "odd/charts/${chart##*/}"; done
check "report refuses a FIFO in place of a chart" exits 2 'vl.json must be a regular file, got a FIFO' "$program" report odd

rm -rf odd && cp -r whole odd && rm -r odd/parts && mkfifo odd/parts
check "a FIFO in place of parts is refused" exits 2 'odd/parts must be a folder, got a FIFO' "$program" sweep status odd

rm -rf odd && cp -r whole odd && ln -sf "$work/nowhere" odd/parts/lock
check "a link in place of the lock is refused" refused parts/lock 'symbolic link' "sweep run config.json --out odd" "sweep repair odd"
check "and its target is not created" test ! -e nowhere

rm -rf odd && cp -r whole odd
for file in config.json manifest.json parts/000001.jsonl trials.csv; do
  mv "odd/$file" "${file##*/}.real" && ln -s "$work/${file##*/}.real" "odd/$file"
done
check "symbolic links to regular files are accepted" exits 0 ACCEPTED "$program" verify odd
check "a config may come from a pipe" exits 0 '' "$program" sweep run <(cat config.json) --out piped
mkfifo silent
for command in "sweep run silent --out silenced" "verify silent"; do
  # shellcheck disable=SC2086
  "$program" $command >output 2>&1 &
  pid=$!
  sleep 0.2
  kill -INT "$pid"
  check "Ctrl-C ends ${command%% silent*} while it waits for its config" timeout 5 tail --pid="$pid" -f /dev/null
  kill -KILL "$pid" 2>/dev/null
  wait "$pid" 2>/dev/null
done

# --- Repair.

part=odd/parts/000001.jsonl
fresh() { rm -rf odd && cp -r whole odd; }
repaired_and_run() {  # requires the same rows, and that every file matches its hash
  "$program" sweep run config.json --out odd >/dev/null 2>&1
  cmp whole/trials.csv odd/trials.csv && exits 0 ACCEPTED "$program" verify odd
}

check "a whole run has nothing to repair" exits 0 'the run does not need a repair' "$program" sweep repair whole
num_units=$(wc -l <whole/parts/000001.jsonl)
id_of() { sed -n "$1p" whole/parts/000001.jsonl | grep -o '"unit":"[0-9a-f]*"' | head -n 1 | grep -o '[0-9a-f]\{32\}'; }

fresh
sed -i '3s/"rows"/rows"/; 5s/.*/garbage/' $part
for command in "sweep run config.json --out odd" "sweep status odd" "report odd" "verify odd"; do
  # shellcheck disable=SC2086
  check "${command%% odd*} names the remedy for a damaged part" \
    exits 2 '000001.jsonl, line 3: .*`bloometry sweep repair odd` drops the line' "$program" $command
done
check "repair names the lost unit" exits 0 "  $(id_of 3): .*, n = 100 .. 200, k = 2 .. 3" "$program" sweep repair odd
check "repair counts the remaining units" grep -q "$((num_units - 2)) of $num_units units are finished" output
check "the dropped lines are kept" test "$(cat odd/parts/000001.jsonl.damaged)" = \
  "$(sed -n 3p whole/parts/000001.jsonl | sed 's/"rows"/rows"/')"$'\n'garbage
check "the other lines remain" cmp $part <(sed '3d; 5d' whole/parts/000001.jsonl)
check "a second repair finds nothing" exits 0 'the run does not need a repair' "$program" sweep repair odd
check "a repaired run is incomplete" exits 1 'INCOMPLETE' "$program" verify odd
check "a repaired run can be finished" repaired_and_run
check "verify names the repaired part" grep -q 'parts/000001.jsonl: repaired' output

fresh
sed -n "2$raise_count; 2p" $part >odd/parts/000002.jsonl
check "repair drops both of two that differ" exits 0 'Damaged lines removed: 2' "$program" sweep repair odd
check "a run with two that differed can be finished" repaired_and_run

fresh
head -c -10 whole/parts/000001.jsonl >$part
check "repair drops a torn line" exits 0 'the line must end with a line feed' "$program" sweep repair odd --json
check "its JSON names the unit" test "$(/usr/bin/python3 -c '
import json
repair = json.load(open("output"))
assert repair["dropped"][0]["unit"] == repair["lost"][0]["unit"]
print(repair["lost"][0]["unit"], repair["lost"][0]["num_keys"], repair["num_finished_units"])')" = \
  "$(id_of "$num_units") [100, 200] $((num_units - 1))"
check "a run with a torn part can be finished" repaired_and_run

fresh
sed -i '1s/"rows"/rows"/' $part
check "a repair that cannot write exits 3" exits 3 'File too large' bash -c 'ulimit -f 1; "$1" sweep repair odd' - "$program"
check "a repair that failed changed no part" cmp $part <(sed '1s/"rows"/rows"/' whole/parts/000001.jsonl)
check "a repair that failed can be repeated" exits 0 'Damaged lines removed: 1' "$program" sweep repair odd
check "no temporary file is left" test -z "$(find odd -name '*.tmp')"
check "and its run can be finished" repaired_and_run

# Units that differ only in churn have different lines.
cat >churned.json <<'JSON'
{"name": "churned", "queries": 100, "grids": [
  {"variant": "counting", "num_keys": 100, "num_counters": 800, "num_hashes": 2, "churn": {"rounds": 1, "erase": 0.1}},
  {"variant": "counting", "num_keys": 100, "num_counters": 800, "num_hashes": 2, "churn": {"rounds": 2, "erase": 0.1}}]}
JSON
"$program" sweep run churned.json --out churned >/dev/null 2>&1
cp -r churned churned_again
for folder in churned churned_again; do sed -i 's/"rows"/rows"/' $folder/parts/*.jsonl; done
check "repair names the churn of a lost unit" exits 0 'churn of 2 rounds (erase 0.1' "$program" sweep repair churned
check "its JSON has the churn" exits 0 '"churn_rounds": 2' "$program" sweep repair churned_again --json

# Rows with a window have further columns.
cat >windowed.json <<'JSON'
{"name": "windowed", "queries": 1000, "trials": 2, "grids": [
  {"variant": "counting", "num_keys": [100, 400], "num_counters": 3200, "num_hashes": 2,
   "window": {"size": 50, "unit": "keys", "reinsert": 0.25, "erase": 0.5}},
  {"variant": "standard", "num_keys": 100, "num_bits": 800, "num_hashes": 2}]}
JSON
"$program" sweep run windowed.json --out windowed --threads 1 >/dev/null 2>&1
check "trials.csv of a run with a window ends in its columns" grep -q \
  ',num_window_queries,num_window_violations,num_expired_queries,num_expired_retained,num_expired_present$' windowed/trials.csv
check "verify counts the violations of windows" exits 0 'window           0 violations of keys in the window' \
  "$program" verify windowed
windowed_part=windowed/parts/000001.jsonl
cp $windowed_part intact.jsonl
rm windowed/trials.csv && sed -i 's/"hashes"/"no_hashes"/' windowed/manifest.json  # only the rows can show a change
unnoticed=
for column in num_window_queries num_window_violations num_expired_queries num_expired_retained num_expired_present; do
  for change in "s/\"$column\":\([0-9]*\)/\"$column\":9\1/" "s/\"$column\":[0-9]*,//"; do
    sed "$change; $strip" intact.jsonl >$windowed_part
    cmp -s <(sed "$strip" intact.jsonl) $windowed_part && unnoticed="$unnoticed, $column is not in the part"
    "$program" verify windowed >output 2>&1 && unnoticed="$unnoticed, $change"
    grep -q "$column" output || unnoticed="$unnoticed, the message about $change lacks the column"
  done
done
check "no row with impossible or without counts of its window is accepted$unnoticed" test -z "$unnoticed"
sed "s/\"num_window_violations\":0/\"num_window_violations\":1/; $strip" intact.jsonl >$windowed_part
check "verify rejects a violation of a window" exits 1 '1 window violation among ' "$program" verify windowed
head -n 2 intact.jsonl >$windowed_part
"$program" sweep run windowed.json --out windowed >/dev/null 2>&1
check "a run with a window can be resumed" exits 0 ACCEPTED "$program" verify windowed
check "and has the same rows" cmp <(sed "$strip; s/\"timing\".*//" intact.jsonl | sort) \
  <(sed "$strip; s/\"timing\".*//" windowed/parts/*.jsonl | sort)
cp -r windowed windowed_again
for folder in windowed windowed_again; do sed -i 's/"rows"/rows"/' $folder/parts/*.jsonl; done
check "repair names the window of a lost unit" exits 0 'window of 50 keys (reinsert 0.25, erase 0.5)' \
  "$program" sweep repair windowed
check "its JSON has the window" exits 0 '"window_unit": "keys"' "$program" sweep repair windowed_again --json

# So do rows with a stream of items.
cat >streamed.json <<'JSON'
{"name": "streamed", "queries": 1000, "trials": 2, "grids": [
  {"variant": ["standard", "counting"], "num_keys": [100, 4000], "num_bits": 1200, "num_hashes": 2,
   "stream": {"zipf": 1, "num_distinct": 500, "clear_every": 70}},
  {"variant": "standard", "num_keys": 100, "num_bits": 800, "num_hashes": 2}]}
JSON
"$program" sweep run streamed.json --out streamed --threads 1 >/dev/null 2>&1
check "trials.csv of a run with a stream ends in its columns" grep -q \
  ',num_originals,num_originals_stopped,num_duplicates,num_duplicates_passed,num_held_duplicates,num_lost_duplicates$' \
  streamed/trials.csv
check "verify counts the lost duplicates of streams" exits 0 'stream           0 duplicates lost that the filters held' \
  "$program" verify streamed
streamed_part=streamed/parts/000001.jsonl
cp $streamed_part intact.jsonl
rm streamed/trials.csv && sed -i 's/"hashes"/"no_hashes"/' streamed/manifest.json  # only the rows can show a change
unnoticed=
for column in num_originals num_originals_stopped num_duplicates num_duplicates_passed num_held_duplicates num_lost_duplicates; do
  for change in "s/\"$column\":\([0-9]*\)/\"$column\":9\1/" "s/\"$column\":[0-9]*,//"; do
    sed "$change; $strip" intact.jsonl >$streamed_part
    cmp -s <(sed "$strip" intact.jsonl) $streamed_part && unnoticed="$unnoticed, $column is not in the part"
    "$program" verify streamed >output 2>&1 && unnoticed="$unnoticed, $change"
    grep -q "$column" output || unnoticed="$unnoticed, the message about $change lacks the column"
  done
done
check "no row with impossible or without counts of its stream is accepted$unnoticed" test -z "$unnoticed"
sed "s/\"num_lost_duplicates\":0/\"num_lost_duplicates\":1/2; $strip" intact.jsonl >$streamed_part
check "verify rejects a lost duplicate" exits 1 '1 duplicate of ' "$program" verify streamed
cp -r streamed streamed_again
for folder in streamed streamed_again; do sed -i 's/"rows"/rows"/' $folder/parts/*.jsonl; done
check "repair names the stream of a lost unit" exits 0 'Zipf(1) stream of 500 keys (inserts passed items, cleared every 70' \
  "$program" sweep repair streamed
check "its JSON has the stream" exits 0 '"stream_clear_every": 70' "$program" sweep repair streamed_again --json

exec 9>>odd/parts/lock
flock -n 9
check "repair refuses a folder in use" exits 2 'in use by another process' "$program" sweep repair odd
exec 9>&-
check "repair of a folder without a run exits 2" exits 2 'does not contain a run' "$program" sweep repair nowhere

# --- Hashes.

states() {  # states FOLDER: prints the states of the files according to verify, then its exit code
  local code
  "$program" verify "$1" --json >verdict.json 2>/dev/null
  code=$?
  /usr/bin/python3 -c '
import json
for file in json.load(open("verdict.json"))["files"]: print(file["name"].split("/")[-1], file["state"], end=", ")'
  echo "$code"
}
are() {  # are STATES: requires these states of the run in odd
  local got
  got=$(states odd)
  [ "$got" = "$1" ] || { echo "  expected '$1', got '$got'" && false; }
}
hashes() {
  /usr/bin/python3 -c 'import json, sys; print(json.load(open(sys.argv[1] + "/manifest.json"))["hashes"])' "$1"
}

# Writes parts in which one field of one row is changed: edit.py SOURCE FOLDER
cat >edit.py <<'PYTHON'
import json, sys
lines = open(sys.argv[1]).read().splitlines()
for number in range(12):
    unit = json.loads(lines[number])
    row = unit["rows"][number % len(unit["rows"])]
    if number % 3 == 0:
        del row["set_probe_counts"]
    else:
        row[["num_false_positives", "num_ones"][number % 2]] += 1
    if number % 2:  # a line of an older version; otherwise the checksum is wrong
        del unit["xxh3_128"]
    edited = json.dumps(unit, separators=(",", ":"), sort_keys=True)
    with open(f"{sys.argv[2]}/{number}", "w") as part:
        part.write("\n".join(lines[:number] + [edited] + lines[number + 1:]) + "\n")
PYTHON

fresh
check "a whole run is intact" are "000001.jsonl intact, trials.csv intact, 0"
unnoticed=
mkdir edits && /usr/bin/python3 edit.py whole/parts/000001.jsonl edits
for number in $(seq 0 11); do
  cp "edits/$number" $part
  if "$program" verify odd >/dev/null 2>&1; then unnoticed="$unnoticed $number"; fi
done
check "no edit of one field of a part is accepted, these were:$unnoticed" test -z "$unnoticed"
check "verify names the changed part and its remedy" exits 1 'sweep repair odd`' "$program" verify odd

# Writes parts in which one value of the first unit is changed: digit.py SOURCE FOLDER
cat >digit.py <<'PYTHON'
import json, re, sys
lines = open(sys.argv[1]).read().splitlines()
unit = json.loads(lines[0])
columns = list(unit["rows"][0]) + list(unit["timing"])
for name in sorted(set(columns)):
    for kind in ("checked", "older"):
        line = lines[0] if kind == "checked" else re.sub(r',"xxh3_128":"[0-9a-f]*"}$', "}", lines[0])
        at = re.search(r'"%s":["\[]?[^,}]*?([0-9a-z])[]",}]' % name, line).start(1)
        other = "1" if line[at] != "1" else "2"
        with open(f"{sys.argv[2]}/{kind} {name}", "w") as part:
            part.write("\n".join([line[:at] + other + line[at + 1:]] + lines[1:]) + "\n")
PYTHON

mkdir digits && /usr/bin/python3 digit.py whole/parts/000001.jsonl digits
unnoticed=
for digit in digits/*; do
  for command in "sweep run config.json --out odd" "sweep status odd" "report odd" "verify odd"; do
    fresh
    cp "$digit" $part
    # shellcheck disable=SC2086
    "$program" $command >output 2>&1
    grep -qE 'parts/000001.jsonl(, line 1: | differs from its hash|: changed|.* changed)|files of the run were changed' output || unnoticed="$unnoticed, ${digit#*/} by $command"
  done
done
check "a changed digit in any column is noticed by every command, except$unnoticed" test -z "$unnoticed"
check "these are all columns ($(find digits -type f | wc -l))" test "$(find digits -type f | wc -l)" -gt 40

fresh
rm odd/trials.csv && mkdir -p far && ln -s ../far/trials.csv odd/trials.csv
run odd >/dev/null 2>&1
check "a link to a missing file is followed" test -L odd/trials.csv
check "its target is written" cmp whole/trials.csv far/trials.csv
ln -sf trials.csv odd/trials.csv
check "a link in a loop is refused" refused trials.csv "symbolic link in a loop" "sweep run config.json --out odd" "report odd" "verify odd"
check "the link is kept" test -L odd/trials.csv

fresh
sed -i "2$raise_count" $part
"$program" report odd >/dev/null 2>&1
check "run refuses a changed part" exits 2 'odd/parts/000001.jsonl differs from its hash in manifest.json; `bloometry sweep repair odd`' "$program" sweep run config.json --out odd
check "status does so too" exits 2 'odd/parts/000001.jsonl differs from its hash' "$program" sweep status odd
check "report and run do not accept a changed part" are "000001.jsonl changed, trials.csv intact, 1"
check "repair drops a whole part whose change cannot be located" \
  exits 0 "Damaged lines removed: $num_units" "$program" sweep repair odd
check "its run can be done again" repaired_and_run
check "and its table has the hash of the whole run" are "000001.jsonl repaired, 000002.jsonl intact, trials.csv intact, 0"

fresh
sed -i '2s/,20000,[0-9]*,/,20000,7,/' odd/trials.csv
check "an edited trials.csv is found" are "000001.jsonl intact, trials.csv changed, 1"
check "verify states how to write it again" exits 1 'delete it, then run `bloometry report odd`' "$program" verify odd
"$program" report odd >/dev/null 2>&1
check "report does not hide the edit" are "000001.jsonl intact, trials.csv changed, 1"
rm odd/trials.csv
"$program" report odd >/dev/null 2>&1
check "report writes the true one again once it is deleted" cmp whole/trials.csv odd/trials.csv
rm odd/trials.csv
check "a deleted trials.csv is not an error" are "000001.jsonl intact, trials.csv absent, 0"
run odd >/dev/null 2>&1
check "run writes it again" are "000001.jsonl intact, trials.csv intact, 0"
check "the hashes are those of the whole run" test "$(hashes odd)" = "$(hashes whole)"

fresh
mv $part odd/parts/000002.jsonl
check "a deleted part is missing, and a part of another program is not hashed" \
  are "000001.jsonl missing, 000002.jsonl unhashed, trials.csv intact, 1"
check "repair forgets the missing part" exits 0 'parts/000001.jsonl' "$program" sweep repair odd
check "the remaining units are accepted" are "000002.jsonl unhashed, trials.csv intact, 0"
sed -i "2$raise_count" odd/parts/000002.jsonl
check "run refuses a suspect part" exits 2 'odd/parts/000002.jsonl may have been changed' "$program" sweep run config.json --out odd
check "status refuses it too" exits 2 'odd/parts/000002.jsonl may have been changed' "$program" sweep status odd
check "an unhashed part that does not give trials.csv is suspect" are "000002.jsonl suspect, trials.csv intact, 1"
"$program" sweep repair odd >/dev/null 2>&1
check "a repaired suspect can be run again" repaired_and_run

fresh
/usr/bin/python3 -c '
import json
manifest = json.load(open("odd/manifest.json"))
del manifest["hashes"]
json.dump(manifest, open("odd/manifest.json", "w"))'
check "a folder without hashes is accepted" are "000001.jsonl unhashed, trials.csv unhashed, 0"
run odd >/dev/null 2>&1
check "a resumed run hashes no part of another process" are "000001.jsonl unhashed, trials.csv intact, 0"

head -n 5 whole/parts/000001.jsonl >$part && rm odd/trials.csv
sed -i 's/"hashes"/"no_hashes"/' odd/manifest.json
run odd >/dev/null 2>&1
check "a resumed run hashes the part that it wrote" \
  are "000001.jsonl unhashed, 000002.jsonl intact, trials.csv intact, 0"
check "verify names the unhashed part" exits 0 'parts/000001.jsonl: unhashed' "$program" verify odd
sed -i 's/"hashes": {/"hashes": [], "unused": {/' odd/manifest.json
check "hashes of another form exit 2" exits 2 '/hashes of its manifest.json must be an object, got ' "$program" verify odd

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
