#!/usr/bin/env bash
# emitted_cmake.sh PROGRAM FOLDER CMAKE [OPTION...]: builds and runs the project that `bloometry size --emit` prints,
# unchanged.
# The build is not optimised, and FOLDER is kept, because building all filters is slow.
set -euo pipefail
usage="usage: emitted_cmake.sh PROGRAM FOLDER CMAKE [OPTION...]"
program=$(realpath "${1:?$usage}")
work=${2:?$usage}
cmake=${3:?$usage}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

# shellcheck source=tests/support/check.sh
source "$root/tests/support/check.sh"

sized=(size -n 1e5 -p 0.001 --needs erase)
mkdir -p "$work"
ln -sfn "$root" "$work/bloometry"
"$program" "${sized[@]}" --emit cpp >"$work/main.cpp"
"$program" "${sized[@]}" --emit cmake >"$work/CMakeLists.txt"
rm -f "$work/build/sized_filter"
check "the printed CMakeLists.txt is configured" "$cmake" -S "$work" -B "$work/build" "${@:4}"
check "and builds the printed program" "$cmake" --build "$work/build" --parallel 2 --target sized_filter
check "which finds the key that it inserted" "$work/build/sized_filter"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
