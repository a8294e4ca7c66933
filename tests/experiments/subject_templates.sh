#!/usr/bin/env bash
# Tests the subjects that `bloometry verify --subject-template` prints, and the CI jobs in experiments/subject/ci: parses
# the jobs and runs their commands with this program.
#
# usage: subject_templates.sh PATH_TO_BLOOMETRY [COMPILER]
set -uo pipefail

program=$(realpath "${1:?usage: subject_templates.sh PATH_TO_BLOOMETRY [COMPILER]}")
compiler=${2:-c++}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/bloometry-templates.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# shellcheck source=tests/support/check.sh
source "$root/tests/support/check.sh"

skip() { skipped=$((skipped + 1)); echo "SKIPPED: $1"; }
judge() { "$program" verify --claim standard -n 100 -m 1000 --quiet "$@" >report; }
# Python needs seconds for the default plan.
few='--fixed --filters 20 --queries 500 --loads 1'
exits_with() { # exits_with CODE COMMAND...
  local code=$1 got
  shift
  "$@"
  got=$?
  [ "$got" -eq "$code" ] || { echo "expected exit $code, got $got"; cat report; return 1; }
}
has_python() { /usr/bin/python3 -c "import ${1:-sys}" 2>/dev/null; }

# --- The subject in C++, in the oldest and in a new version of the language, and a copy with too few bits.

"$program" verify --subject-template cpp >subject.cpp
for standard in c++11 c++20; do
  check "the subject compiles without warnings as $standard" "$compiler" "-std=$standard" -O1 -Wall -Wextra -Wpedantic \
    -Wconversion -Wshadow -Werror -o subject subject.cpp
done
check "the subject in C++ is accepted" exits_with 0 judge -k 7 --subject ./subject
check "its fills are tested" grep -q 'mean set cells' report
check "a key of any bytes is accepted" exits_with 0 judge -k 7 --subject ./subject --encoding bytes
check "k above 8 too" exits_with 0 judge -k 12 --subject ./subject
sed 's/% bits_.size()/% (bits_.size() * 3 \/ 4)/' subject.cpp >short.cpp
check "a copy compiles" "$compiler" -std=c++11 -O1 -o short short.cpp
check "a copy with three quarters of its bits is rejected" exits_with 1 judge -k 7 --subject ./short

# --- The subject in Python.

"$program" verify --subject-template python >subject.py
chmod +x subject.py
if has_python; then
  # shellcheck disable=SC2086
  check "the subject in Python is accepted" exits_with 0 judge -k 7 --subject '/usr/bin/python3 -I subject.py' $few
  # shellcheck disable=SC2086
  check "keys of bytes and k above 8 too" exits_with 0 judge -k 12 --subject ./subject.py --encoding bytes $few
else
  skip "the subject in Python (no /usr/bin/python3)"
fi
for subject in ./subject ./subject.py; do
  [ "$subject" = ./subject ] || has_python || continue
  check "$subject answers an unknown request with an error" grep -qx 'error unknown request swim' <("$subject" <<<'swim 1')
  check "$subject answers the example of the protocol" cmp <(printf 'ok fill\nok\n111\n') <(printf '%s\n' 'new 3 320 2' \
    'insert 3' a b c 'query 3' a b c | "$subject")
done

# --- Bad input.

refuses() { # refuses TEXT OPTION...
  local text=$1 got
  shift
  "$program" verify "$@" >stdout 2>stderr
  got=$?
  [ "$got" -eq 2 ] && [ ! -s stdout ] && [ "$(wc -l <stderr)" -eq 1 ] && grep -qF -- "$text" stderr && return 0
  echo "exit $got"; cat stdout stderr; return 1
}
check "an unknown language" refuses "--subject-template must be one of python, cpp, got 'ruby'" --subject-template ruby
check "a template and a target" refuses 'TARGET must be left out with --subject-template' results --subject-template cpp
check "a template and a subject" refuses '--subject' --subject ./subject --subject-template cpp

# --- The CI jobs. The steps before "Add bloometry to the path" install and build bloometry and are only parsed by sh.

cat >steps.py <<'END'
"""steps.py FILE: prints the variables, installing commands and testing commands of a CI job to files."""
import sys, yaml
document = yaml.safe_load(open(sys.argv[1]))
if "jobs" in document:
    assert document[True].keys() == {"push", "pull_request", "schedule"} and document["name"]  # `on` is a boolean in YAML
    (job,) = document["jobs"].values()
    assert job["runs-on"] and job["container"]
    steps, variables = job["steps"], document["env"]
    assert all(("run" in step) != ("uses" in step) for step in steps)
    assert all("@v" in step["uses"] for step in steps if "uses" in step)
    runs = [step["run"] for step in steps if "run" in step]
    (first,) = [i for i, run in enumerate(runs) if "GITHUB_PATH" in run]
    install, test = runs[:first], runs[first:]
    assert steps[-1]["if"] == "always()" and steps[-1]["with"]["path"] == "bloometry.xml"
else:
    (job,) = document.values()
    assert job.keys() == {"image", "variables", "cache", "before_script", "script", "artifacts"}
    install, test, variables = job["before_script"], job["script"], job["variables"]
    assert job["artifacts"]["when"] == "always" and job["artifacts"]["reports"]["junit"] == "bloometry.xml"
    assert all(isinstance(command, str) for command in install + test)
assert variables.keys() == {"BLOOMETRY", "SUBJECT", "CLAIM"}
open("variables", "w").write("".join(f"{name}='{value}'\n" for name, value in variables.items()))
open("install", "w").write("\n".join(install) + "\n")
open("test", "w").write("\n".join(test) + "\n")
END
runs_job() { # runs_job [SUBJECT]: runs the testing commands of the job with this program and the run number 7
  rm -rf job && mkdir job && { [ $# -eq 0 ] || cp "$1" job/my_filter.py; } && (
    cd job && set -a && . ../variables && CLAIM="$CLAIM $few" GITHUB_PATH=$PWD/path GITHUB_RUN_NUMBER=7 CI_PIPELINE_IID=7 &&
      PATH="$(dirname "$program"):$PATH" sh -e ../test >output
  )
}
fails_job() { ! runs_job "$@"; }
installs_packages_of_readme() {
  local package packages
  packages=$(sed -n '/^The build needs a C++20/,/catch2/p' "$root/README.md" | grep -oE '[a-z0-9]+(-[a-z0-9]+)*-dev')
  [ "$(wc -l <<<"$packages")" -ge 8 ] || return 1
  for package in $packages; do grep -qw -- "$package" install || { echo "$package is missing"; return 1; }; done
}
for job in github gitlab; do
  if ! has_python yaml; then
    skip "the job for $job (Debian package python3-yaml is not installed)"
    continue
  fi
  check "the job for $job is valid" /usr/bin/python3 steps.py "$root/experiments/subject/ci/$job.yml"
  check "sh parses its installing commands" sh -n install
  check "they install the packages of README.md" installs_packages_of_readme
  check "its testing commands succeed" runs_job
  check "with the run number as seed" grep -q 'seed  *7$' job/output
  check "and write a JUnit report" grep -q '<testsuite .*failures="0" errors="0"' job/bloometry.xml
  sed 's/% self.m for/% (self.m * 3 \/\/ 4) for/' subject.py >short.py
  check "they fail for a filter with too few bits" fails_job short.py
  check "and the report has a failure" grep -q '<failure' job/bloometry.xml
done

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
