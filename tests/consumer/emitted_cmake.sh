#!/usr/bin/env bash
# emitted_cmake.sh PROGRAM BUILD_FOLDER FOLDER CMAKE [OPTION...]: installs the libraries of BUILD_FOLDER. With the
# installed libraries, builds and runs the unchanged project that `bloometry size --emit` prints.
set -euo pipefail
usage="usage: emitted_cmake.sh PROGRAM BUILD_FOLDER FOLDER CMAKE [OPTION...]"
program=$(realpath "${1:?$usage}")
build=${2:?$usage}
work=${3:?$usage}
cmake=${4:?$usage}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

# shellcheck source=tests/support/check.sh
source "$root/tests/support/check.sh"

sized=(size -n 1e5 -p 0.001 --needs erase)
rm -rf "$work"
mkdir -p "$work"
check "the libraries are installed" "$cmake" --install "$build" --component development --prefix "$work/prefix"
"$program" "${sized[@]}" --emit cpp >"$work/main.cpp"
"$program" "${sized[@]}" --emit cmake >"$work/CMakeLists.txt"
check "the printed CMakeLists.txt is configured" "$cmake" -S "$work" -B "$work/build" -D CMAKE_PREFIX_PATH="$work/prefix" "${@:5}"
check "and builds the printed program" "$cmake" --build "$work/build"
check "which finds the key that it inserted" "$work/build/sized_filter"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
