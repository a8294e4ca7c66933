#!/usr/bin/env bash
# Checks what a person reads on a terminal: the width of tables, JSON on standard output, suggestions, the version.
# Prints one line per check and a summary. Exits with 1 if a check failed.
#
# usage: terminal.sh PATH_TO_BLOOMETRY
set -uo pipefail

program=$(realpath "${1:?usage: terminal.sh PATH_TO_BLOOMETRY}")
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/bloometry-terminal.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset COLUMNS

# shellcheck source=tests/support/check.sh
source "$root/tests/support/check.sh"

cat >small.json <<'END'
{"name": "small", "trials": 2, "queries": 1000, "grids": [
  {"variant": ["standard", "counting"], "num_keys": [1000, 20000], "bits_per_key": 8, "num_hashes": [3, 5]}]}
END
seq 1000 >keys.txt
seq 500 1500 >more.txt
"$program" filter build keys.txt -p 0.01 -o a.bloom >/dev/null
"$program" filter build more.txt -p 0.01 -o b.bloom >/dev/null

json() { /usr/bin/python3 -c "import json; json = json.load(open('$1')); assert $2, json"; }
check "sweep run --json prints one object" \
  bash -c '"$0" sweep run small.json --out run --json >run.json && cat run.json' "$program"
check "which has the numbers of units and rows" \
  json run.json 'json["folder"] == "run" and json["num_units"] == json["num_measured_units"] == 8 and json["num_rows"] == 16'
"$program" report run --json >report.json 2>/dev/null
check "report --json has the verdict" json report.json 'json["verdict"] == "accepted" and json["complete"]'
check "and the names of existing files" bash -c \
  'cd run && /usr/bin/python3 -c "import json; print(*json.load(open(\"../report.json\"))[\"files\"])" | xargs ls'

# fits COLUMNS COMMAND...: the command succeeds and no line of its output has more columns. Exit code 1 is an answer.
fits() {
  local columns=$1 code
  shift
  COLUMNS=$columns "$@" >output 2>error
  code=$?
  [ "$code" -le 1 ] || { cat error; return 1; }
  [ -s output ] || { echo "nothing was printed"; return 1; }
  ! grep -nE "^.{$((columns + 1)),}" output
}
declare -A commands=(
  [verify]="verify run"
  [theory]="theory scalable -n 1e6 -p 0.01"
  [foreign]="theory guava -n 1e6 -p 0.01"
  [variants]="variants"
  [bench]="bench -n 1000 --queries 1000 --repetitions 1 --ops insert,negative --keys random"
  [info]="filter info a.bloom"
  [diff]="filter diff a.bloom b.bloom"
  [check]="filter check a.bloom --counters negatives=900,positives=100,true=0"
  [status]="sweep status run"
  [validate]="sweep validate small.json"
)
for name in "${!commands[@]}"; do
  read -ra words <<<"${commands[$name]}"
  for columns in 80 120; do
    check "$name fits $columns columns" fits "$columns" "$program" "${words[@]}"
  done
done
wide() { COLUMNS=80 "$program" "$@" --wide 2>/dev/null; }
row='^standard +[0-9]+ .* 0?\.?[0-9.]+$'
check "a row of verify has two lines at 80 columns" test "$(COLUMNS=80 "$program" verify run | grep -cE '^    +[0-9.]+ ')" -eq 10
check "and one line with --wide" test "$(wide verify run | grep -cE "$row")" -ge 4
check "in a pipe, each row has one line" diff <(wide verify run) <("$program" verify run)
check "bench names the column that it leaves out" grep -q '^columns left out, see --wide: counted$' \
  <(COLUMNS=60 "$program" bench -n 1000 --queries 1000 --repetitions 1 --ops insert,negative --keys random 2>/dev/null)
check "the JSON is not wrapped" diff <("$program" verify run --json) <(COLUMNS=20 "$program" verify run --json)

if [ -x /usr/bin/python3 ]; then
  cat >pty_lines.py <<'END'
"""pty_lines.py COLUMNS COMMAND...: prints the output of the command on a terminal with this number of columns."""
import fcntl, os, pty, struct, sys, termios
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(sys.argv[1]), 0, 0))
    os.execv(sys.argv[2], sys.argv[2:])
text = b""
while True:
    try:
        block = os.read(fd, 65536)
    except OSError:
        break
    if not block:
        break
    text += block
os.waitpid(pid, 0)
print(text.decode().replace("\r\n", "\n"), end="")
END
  on_terminal() { /usr/bin/python3 pty_lines.py "$@"; }
  check "the width is that of the terminal" diff <(on_terminal 70 "$program" variants) <(COLUMNS=70 "$program" variants)
  check "a terminal of unknown width has 80 columns" diff <(on_terminal 0 "$program" variants) <(COLUMNS=80 "$program" variants)
  check "--wide ignores the terminal" diff <(on_terminal 70 "$program" variants --wide) <("$program" variants)
else
  echo "SKIPPED: terminals (python3 is not installed)"
  skipped=$((skipped + 1))
fi

fails_with() { # fails_with TEXT COMMAND...: the command exits with 2 and one line that contains the text
  local text=$1
  shift
  "$@" >output 2>error
  [ $? -eq 2 ] && [ ! -s output ] && [ "$(wc -l <error)" -eq 1 ] && grep -qF -- "$text" error || { cat error; return 1; }
}
check "a slip in a subcommand is guessed" fails_with 'did you mean run?' "$program" sweep rnu
check "and in an option of a group" fails_with 'did you mean --figure?' "$program" report run --figrue bare
check "and in a choice" fails_with "got 'grw'; did you mean grow?" "$program" size -n 1 -p 0.1 --needs grw
check "and in a variant of a filter" fails_with 'did you mean counting?' "$program" filter build keys.txt --variant countng -n 9 -p 0.1 -o c
check "and in a variant of a config" fails_with 'did you mean standard?' "$program" sweep validate <(sed 's/standard/standrd/' small.json)
check "n in a config is num_keys" fails_with '/grids/0/n: unknown field' \
  "$program" sweep validate <(sed 's/"bits_per_key"/"n": 5, "bits_per_key"/' small.json)
check "and so suggested" grep -q '; did you mean num_keys?$' error

version=$("$program" --version)
check "the version is a number" test -n "$(grep -xE '[0-9]+\.[0-9]+\.[0-9]+' <<<"$version")"
for word in version -V -v; do
  check "$word prints the version" test "$("$program" $word)" = "$version"
done

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
