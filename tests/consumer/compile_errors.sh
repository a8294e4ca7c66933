#!/usr/bin/env bash
# compile_errors.sh XXHASH_FOLDER: compiles programs with a mistake by g++ and by clang++. Compares the first error with
# the pattern in the source's line `// COMPILER: PATTERN`. Then compiles the public headers as C++17.
set -euo pipefail
xxhash=${1:?usage: compile_errors.sh XXHASH_FOLDER}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)

# shellcheck source=tests/support/check.sh
source "$root/tests/support/check.sh"

errors_of() { # errors_of COMPILER STANDARD SOURCE: prints the lines with errors
  "$1" "-std=$2" -fsyntax-only -x c++ -I "$root" -I "$xxhash" "$3" 2>&1 </dev/null | grep 'error: ' || true
}
first_error_is() { # first_error_is PATTERN ERRORS
  head -n 1 <<<"$2" | grep -E "$1" || { echo "expected: $1"; echo "printed: $2"; return 1; }
}
says_cpp20_once() { # says_cpp20_once ERRORS: checks that the #error is first, followed only by a fatal error
  first_error_is 'error: (#error )?"bloometry needs C\+\+20: compile with -std=c\+\+20"' "$1" && test "$(wc -l <<<"$1")" -eq 2
}

user_headers=("$root"/core/any_filter/*.hpp "$root"/core/hash/*hasher*.hpp "$root"/variants/*/*_filter.hpp "$root"/variants/registry/*.hpp)
check "there are headers to compile as C++17" test "${#user_headers[@]}" -gt 20
for compiler in g++ clang++; do
  if ! command -v "$compiler" >/dev/null; then
    echo "SKIPPED: errors of $compiler, which is not installed"
    skipped=$((skipped + 1))
    continue
  fi
  for source in "$here"/compile_errors/*.cpp; do
    pattern=$(sed -n "s|^// $compiler: ||p" "$source")
    check "$compiler names what is wrong first: $(basename "$source")" \
      first_error_is "${pattern:?no pattern for $compiler in $source}" "$(errors_of "$compiler" c++20 "$source")"
  done
  check "$compiler reports once that C++17 is not enough" \
    says_cpp20_once "$(errors_of "$compiler" c++17 "$here/compile_errors/erase_where_none.cpp")"
done
for header in "${user_headers[@]}"; do
  check "also if the first header is ${header#"$root"/}" says_cpp20_once "$(errors_of g++ c++17 "$header")"
done
if [ "$skipped" -gt 0 ]; then echo "$passed passed, $failed failed, $skipped skipped"; else echo "$passed passed, $failed failed"; fi
[ "$failed" -eq 0 ]
