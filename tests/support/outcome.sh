# Scripts that test commands source this file for conditions of check.sh: the exit code and the output of a command.

exits() { # exits CODE COMMAND...
  local code=$1 status=0
  shift
  "$@" || status=$?
  [ "$status" -eq "$code" ]
}

says() { # says PATTERN COMMAND...: requires the pattern on either stream, with any exit code
  local pattern=$1
  shift
  { "$@" 2>&1 || true; } | grep -qE -- "$pattern"
}
