# Test scripts source this file, which counts passed and failed checks. A test script itself counts its skipped checks.

passed=0
failed=0
# shellcheck disable=SC2034
skipped=0

check() { # check NAME COMMAND...: passes if the command succeeds; otherwise prints the command's output
  local name=$1 output
  shift
  output=$(mktemp)
  if "$@" >"$output" 2>&1 </dev/null; then
    passed=$((passed + 1))
    echo "ok: $name"
  else
    failed=$((failed + 1))
    echo "FAIL $name"
    tail -n 20 "$output"
  fi
  rm -f "$output"
}
