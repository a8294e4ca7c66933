#!/usr/bin/env bash
# library_test.sh BUILD_FOLDER WORK_FOLDER CMAKE COMPILER [OPTION...]: installs the libraries in BUILD_FOLDER to a
# prefix whose path contains a space. Builds and runs consumers that find the installed libraries by find_package (with
# the given CMake options) and by pkg-config.
set -euo pipefail
usage="usage: library_test.sh BUILD_FOLDER WORK_FOLDER CMAKE COMPILER [OPTION...]"
build=${1:?$usage} work=${2:?$usage} cmake=${3:?$usage} compiler=${4:?$usage}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)

# shellcheck source=tests/support/check.sh
source "$root/tests/support/check.sh"

prefix="$work/a prefix"
rm -rf "$work"
mkdir -p "$work"
check "the libraries are installed" "$cmake" --install "$build" --component development --prefix "$prefix"

include="$prefix/include/bloometry"
(cd "$include" && find . -name '*.hpp' -printf '#include "%P"\n' | sort) >"$work/all_headers.cpp"
check "there are headers of core and of variants" test "$(grep -c '"core/\|"variants/' "$work/all_headers.cpp")" -gt 100
check "all includes of installed headers are installed" "$compiler" -std=c++20 -E -I "$include" -o /dev/null "$work/all_headers.cpp"

configure_with() { # configure_with FOLDER OPTION...: configures the consumer, which gets only the prefix
  local folder=$1
  shift
  "$cmake" -S "$here/find_package" -B "$work/$folder" -D CMAKE_CXX_COMPILER="$compiler" -D CMAKE_PREFIX_PATH="$prefix" "$@"
}
check "find_package finds filters and theory" configure_with consumer "${@:5}"
check "consumers of both are built" "$cmake" --build "$work/consumer" --parallel 2
check "the consumer of filters runs" "$work/consumer/uses_filters"
check "the consumer of theory runs" "$work/consumer/uses_theory"
check "they read the installed headers" grep -rqF "include/bloometry/core/any_filter/keyed.hpp" "$work/consumer" --include='*.d' --include='compiler_depend.*' --include=.ninja_deps
check "and no headers of the source tree" test -z "$(grep -rlE "$root/(core|variants)/" "$work/consumer" || true)"
check "they are compiled as C++20 and with the includes only" test -z \
  "$(grep -oE ' -(W|f|m|O|D)[^ ]*' "$work/consumer/compile_commands.json" || true)"

missing="$work/missing.txt"
cat >"$work/CMakeLists.txt" <<'EOF'
cmake_minimum_required(VERSION 3.25)
project(missing LANGUAGES NONE)
find_package(bloometry REQUIRED COMPONENTS telepathy)
EOF
"$cmake" -S "$work" -B "$work/missing" -D CMAKE_PREFIX_PATH="$prefix" >"$missing" 2>&1 || true
check "a component that is not installed is named" grep -q 'component telepathy is not installed' "$missing"

pkg() { PKG_CONFIG_PATH="$prefix/lib/pkgconfig" pkg-config "$@"; }
build_by_pkg_config() { # build_by_pkg_config SOURCE PACKAGE PROGRAM
  eval "$compiler -std=c++20 $1 $(pkg --cflags --libs "$2") -o $3"
}
check "pkg-config has the version" test "$(pkg --modversion bloometry-filters)" = "$("$build/bloometry" --version)"
check "a consumer of filters is built by pkg-config" \
  build_by_pkg_config "$root/tests/consumer/main.cpp" bloometry-filters "$work/filters_by_pkg_config"
check "and runs" "$work/filters_by_pkg_config"
check "a consumer of theory is built by pkg-config" \
  build_by_pkg_config "$here/find_package/uses_theory.cpp" bloometry-theory "$work/theory_by_pkg_config"
check "and runs" "$work/theory_by_pkg_config"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
