#!/usr/bin/env bash
# program_test.sh BUILD_FOLDER WORK_FOLDER CMAKE: installs the program in BUILD_FOLDER to a prefix whose path contains
# a space. Tests the sweep, the report, the manual and the completion of the installed program from another folder.
set -euo pipefail
usage="usage: program_test.sh BUILD_FOLDER WORK_FOLDER CMAKE"
build=${1:?$usage} work=${2:?$usage} cmake=${3:?$usage}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

# shellcheck source=tests/support/check.sh
source "$root/tests/support/check.sh"

prefix="$work/a prefix"
share="$prefix/share/bloometry"
rm -rf "$work"
mkdir -p "$work/elsewhere"
check "the program is installed" "$cmake" --install "$build" --component program --prefix "$prefix"
cd "$work/elsewhere"
bloometry() { env -u BLOOMETRY_CHART_DIR -u BLOOMETRY_REPORT_DIR "$prefix/bin/bloometry" "$@"; }

check "it runs a config that was installed with it" bloometry sweep run "$share/configs/smoke/standard.json" --out run
# Marks the installed files with a line that the source tree does not contain.
for file in template.html page.css page.js table.js; do echo "/* installed $file */" >>"$share/report/$file"; done
runtime=$share/chart/node_modules/vega/build/vega.min.js
if [ -f "$runtime" ]; then echo "/* installed runtime */" >>"$runtime"; fi
check "and writes a report" bloometry report run
for file in template.html page.css table.js; do
  check "whose $file is the installed one" grep -qF "/* installed $file */" run/report.html
done
if [ -f "$runtime" ]; then
  check "as are page.js" grep -qF "/* installed page.js */" run/report.html
  check "and the chart runtime" grep -qF "/* installed runtime */" run/report.html
  for package in vega vega-lite vega-embed d3-array; do
    check "which comes with the licence of $package" test -s "$share/chart/node_modules/$package/LICENSE"
  done
  check "charts are drawn by node" bloometry report run --charts fill --export svg
  rm "$runtime"
else
  echo "SKIPPED: the chart runtime (experiments/chart/node_modules is not there)"
  skipped=$((skipped + 1))
fi
bloometry report run >"$work/printed.txt" 2>&1
check "without a runtime it prints the command that installs it" \
  grep -qF "npm ci --ignore-scripts --prefix '$share/chart'" "$work/printed.txt"
mv "$share/report" "$share/chart" "$work"
check "files named by the environment are preferred" \
  env BLOOMETRY_REPORT_DIR="$work/report" BLOOMETRY_CHART_DIR="$work/chart" "$prefix/bin/bloometry" report run
check "the page is made of these" grep -qF "/* installed template.html */" run/report.html

if command -v help2man >/dev/null; then
  for page in bloometry bloometry-sweep bloometry-sweep-run; do
    check "the manual has $page(1)" grep -qF ".TH ${page^^} " "$prefix/share/man/man1/$page.1"
  done
else
  echo "SKIPPED: manual pages (Debian package help2man is not installed)"
  skipped=$((skipped + 1))
fi

# shellcheck disable=SC1091
source "$prefix/share/bash-completion/completions/bloometry"

compopt() { :; }  # bash allows it only while it completes a word
completions() { # completions WORD...: prints the completions that bash offers for the last word, sorted
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  _bloometry
  printf '%s\n' "${COMPREPLY[@]}" | sort
}
commands_of() { sed -n '/^Subcommands:/,/^$/s/^  \([a-z]\{1,\}\).*/\1/p' <<<"$1"; }
options_of() { grep -oE '^ {2,4}(-[A-Za-z],)*-{1,2}[A-Za-z][a-z-]*' <<<"$1" | tr -d ' ' | tr , '\n' | sort; }
num_commands=0
check_completion() { # check_completion WORD...: bash offers the commands and options that --help of a command lists, and so below it
  local help command
  help=$(bloometry "${@:2}" --help)
  num_commands=$((num_commands + 1))
  paths+=("$*")
  check "no line of --help has more than 80 columns: $*" test -z "$(awk 'length > 80' <<<"$help")"
  check "every line of an option in --help has its name: $*" test -z "$(grep '^   [^ ]' <<<"$help")"
  check "--help has an example: $*" test -n "$(sed -n '/^Examples:/,/^$/{/^  .*bloometry /p}' <<<"$help")"
  check "completion of the options of: $*" diff <(options_of "$help") <(completions "$@" -)
  commands_of "$help" | grep -q . || return 0
  check "completion of the commands of: $*" diff <(commands_of "$help" | sort) <(completions "$@" '')
  for command in $(commands_of "$help"); do check_completion "$@" "$command"; done
}
paths=() # the commands, each as the words that name it
check_completion bloometry
check "--help named commands and their commands" test "$num_commands" -gt 25
check "the beginning of a word is enough" test "$(completions bloometry sweep val)" = validate
check "file names are left to bash" test -z "$(completions bloometry report ru)"

# zsh and fish complete the same words as bash. Each function prints the completions of all lines, sorted.
lines=("bloometry sweep val" "bloometry sweep run status --eng" "bloometry filter build -" "bloometry theory blo"
  "bloometry bench --ops " "bloometry bench --ops insert,neg" "bloometry report --fix num_h" "bloometry report --facet n"
  "bloometry filter build --hash x" "bloometry filter info --from g" "bloometry completion " "bloometry bench --out b")
for path in "${paths[@]}"; do lines+=("$path " "$path -"); done
bash_lines() {
  local line words
  for line in "${lines[@]}"; do
    read -ra words <<<"$line"
    [ "${line% }" = "$line" ] || words+=('')
    completions "${words[@]}" | sed "s/^/$line: /"
  done | grep -v ': $' | sort
}
zsh_lines() {
  zsh -f -c '
    compdef() { }
    _files() { }
    compset() {
      IPREFIX=${(M)PREFIX##${~2}}
      PREFIX=${PREFIX#$IPREFIX}
    }
    compadd() {
      local -a items=("${@[$@[(i)--] + 1,-1]}")
      items=(${(M)items:#$PREFIX*})
      (($#items)) && print -rl -- $IPREFIX${^items}
    }
    _describe() {
      local -a items=("${(@P)${@[-1]}}")
      print -rl -- ${(M)${items%%:*}:#$PREFIX*}
    }
    source "$1"
    for line in "${@[2,-1]}"; do
      words=("${(@s: :)line}")
      CURRENT=$#words PREFIX=${words[-1]} IPREFIX=
      _bloometry | sed "s/^/$line: /"
    done' zsh "$prefix/share/zsh/site-functions/_bloometry" "${lines[@]}" | sort
}
fish_lines() {
  # Without a completion for its argument, fish offers files after a command.
  mkdir -p "$work/nothing"
  (cd "$work/nothing" && fish --no-config -c '
    source $argv[1]
    for line in $argv[2..]
      complete -C $line | string replace -r "\t.*" "" | string replace -r "^" "$line: "
    end' "$prefix/share/fish/vendor_completions.d/bloometry.fish" "${lines[@]}") | sort
}
for shell in zsh fish; do
  if command -v "$shell" >/dev/null; then
    check "$shell completes all lines as bash does" diff <(bash_lines) <("${shell}_lines")
  else
    echo "SKIPPED: completion of $shell (Debian package $shell is not installed)"
    skipped=$((skipped + 1))
  fi
done
# The program accepts every value that is offered.
check "the values of an option are completed" test "$(completions bloometry bench --ops insert,neg)" = insert,negative
check "and after a =" test "$(completions bloometry sweep run --engine = na)" = naive
check "the value of a parameter is not completed" test -z "$(completions bloometry theory standard --param block_bits = s)"
check "names of files are left to bash after an option without names" test -z "$(completions bloometry theory --chart b)"
offered_are_accepted() { # offered_are_accepted WORD...: no value that is offered after the words is reported as unknown
  local value values
  values=$(completions "$@" '')
  test -n "$values" || return 1
  for value in $values; do
    if bloometry "${@:2}" "$value" 2>&1 </dev/null | grep -E "must be (one of )?.*got '$value'"; then return 1; fi
  done
}
for words in "theory" "theory standard -n 9 -m 99 --probes" "theory standard -n 9 -m 99 --probe-model" "size --needs" \
  "size -n 9 -p 0.1 --emit" "size -n 9 -p 0.1 --emit cpp --variant" "report none --export" "report none --charts" \
  "report none --facet" "report none --series" "sweep validate none --engine" "bench -n 1 --variants" "bench -n 1 --ops" \
  "bench -n 1 --keys" "bench -n 1 --hash" "filter info none --from" "filter convert none -o o --to" \
  "filter build none -o o --to" "filter build none -o o --variant" "filter build none -o o --hash" \
  "filter build none -o o --format" "filter build none -o o --text-encoding" "filter build none -o o --key-encoding" \
  "redis pull --key k -o o --url redis://127.0.0.1:1 --from" "redis pull --key k -o o -m 9 -k 1 --scheme" \
  "redis query none --key k --method" "verify --subject-template" "verify --subject true --claim"; do
  read -ra command <<<"$words"
  check "the completed values are accepted: $words" offered_are_accepted bloometry "${command[@]}"
done
check "fish expects no value after a flag" test -z "$(bloometry completion fish | grep -- '-l json -r')"
check "an argument that is named as a command is none" test "$(completions bloometry sweep run status --eng)" = --engine

if [ "$skipped" -gt 0 ]; then echo "$passed passed, $failed failed, $skipped skipped"; else echo "$passed passed, $failed failed"; fi
[ "$failed" -eq 0 ]
