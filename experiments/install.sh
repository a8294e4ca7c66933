# Functions that install missing packages on a Debian 12 machine. experiments/run.sh, experiments/examples/run.sh and
# tests/run.sh source this file. The functions are idempotent: packages that are present are not installed again.

# `say TEXT` and `fail TEXT` print one line. `fail` also ends the script with an error.
say() { printf '%s\n' "$*" >&2; }
fail() { say "error: $*"; exit 3; }

missing_packages=()

# need_file PATH PACKAGE, need_command NAME PACKAGE and need_python MODULE PACKAGE record the package if the file,
# command or Python module is missing.
need_file() { compgen -G "$1" >/dev/null || missing_packages+=("$2"); }
need_command() { command -v "$1" >/dev/null || missing_packages+=("$2"); }
need_python() { /usr/bin/python3 -c "import $1" >/dev/null 2>&1 || missing_packages+=("$2"); }

install_missing_packages() {
  [ "${#missing_packages[@]}" -gt 0 ] || return 0
  local sudo=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || fail "run as root or install: ${missing_packages[*]}"
    sudo=(sudo)
  fi
  command -v apt-get >/dev/null || fail "no apt-get here; install what these Debian packages hold: ${missing_packages[*]}"
  say "installing: ${missing_packages[*]}"
  local log
  log=$(mktemp)
  if ! { "${sudo[@]}" apt-get update &&
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing_packages[@]}"; } \
    >"$log" 2>&1 </dev/null; then
    tail -n 5 "$log" >&2
    fail "apt-get could not install ${missing_packages[*]} (log: $log)"
  fi
  rm -f "$log"
  missing_packages=()
}

# Packages for building.
need_for_build() {
  need_command g++ g++
  need_command cmake cmake
  need_command make make
  need_file /usr/include/xxhash.h libxxhash-dev
  need_file '/usr/include/boost/version.hpp' libboost-dev
  need_file /usr/include/eigen3/Eigen/Core libeigen3-dev
  need_file /usr/include/nlohmann/json.hpp nlohmann-json3-dev
  need_file /usr/include/CLI/CLI.hpp libcli11-dev
  need_file /usr/include/fmt/core.h libfmt-dev
  need_file '/usr/include/catch2/catch*.hpp' catch2
  need_file /usr/include/zlib.h zlib1g-dev
  need_file /usr/include/zstd.h libzstd-dev
  need_file /usr/include/hiredis/hiredis.h libhiredis-dev
}

# Further packages for drawing charts, and the files of real keys.
install_for_run() {
  need_for_build
  need_command node nodejs
  need_command npm npm
  need_command rsvg-convert librsvg2-bin
  need_file /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf fonts-dejavu-core
  need_python fontTools python3-fonttools
  need_file /usr/share/dict/american-english-insane wamerican-insane
  need_file /usr/share/ieee-data/oui.csv ieee-data
  install_missing_packages
}

# Servers and libraries for experiments/examples. Debian's PostgreSQL package creates a cluster and starts it as a service
# unless a file in createcluster.d disables the cluster. The examples create their own clusters.
need_for_examples() {
  need_command redis-cli redis-tools
  need_file /usr/include/postgresql/libpq-fe.h libpq-dev
  need_file /usr/include/httplib.h libcpp-httplib-dev
  need_file '/usr/lib/postgresql/*/bin/initdb' postgresql
}

# install_without_cluster: creates a file in createcluster.d, runs install_missing_packages, and removes the file.
install_without_cluster() {
  local folder=/etc/postgresql-common/createcluster.d sudo=()
  case " ${missing_packages[*]-} " in
    *' postgresql '*) ;;
    *) install_missing_packages; return ;;
  esac
  [ "$(id -u)" -eq 0 ] || sudo=(sudo)
  "${sudo[@]}" mkdir -p "$folder"
  echo 'create_main_cluster = false' | "${sudo[@]}" tee "$folder/bloometry.conf" >/dev/null
  install_missing_packages
  "${sudo[@]}" rm -f "$folder/bloometry.conf"
}

# Packages for building the examples, and the servers that the examples use.
install_for_examples() {
  need_for_build
  need_for_examples
  install_without_cluster
}

# Further packages for the tests.
install_for_tests() {
  need_for_examples
  need_command git git
  need_command xxhsum xxhash
  # Packages for the tests of an installed library, and for making the manual pages.
  need_command pkg-config pkgconf
  need_command help2man help2man
  # Shells for which the program prints completion scripts.
  need_command zsh zsh
  need_command fish fish
  # Packages for the fuzzers of tests/fuzz.
  need_command clang++ clang
  need_file '/usr/lib/llvm-14/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a' libclang-rt-14-dev
  need_command chromium chromium
  # Libraries of other projects that `bloometry verify --subject` tests.
  need_file /usr/include/bloom.h libbloom-dev
  need_file /usr/share/java/guava.jar libguava-java
  need_command javac default-jdk-headless
  need_file /usr/share/gocode/src/github.com/bits-and-blooms/bloom golang-github-willf-bloom-dev
  need_command go golang-go
  # Clients in other languages that share filters in Redis with bloometry; need_for_examples installs redis-tools.
  need_command php php-cli
  need_file '/usr/lib/php/*/redis.so' php-redis
  need_python redis python3-redis
  need_file /usr/share/gocode/src/github.com/gomodule/redigo golang-github-gomodule-redigo-dev
  need_file /usr/share/gocode/src/github.com/twmb/murmur3 golang-github-twmb-murmur3-dev
  # Programs of other projects whose files are compared with bloometry's.
  need_command bloom golang-github-dcso-bloom-cli
  need_python jsonschema python3-jsonschema
  need_python yaml python3-yaml
  need_python nbconvert python3-nbconvert
  need_python ipykernel python3-ipykernel
  need_python pandas python3-pandas
  need_python matplotlib python3-matplotlib
  install_without_cluster
}

# Installs the chart runtime, in the versions of package-lock.json.
install_chart_runtime() {
  local folder="$1/experiments/chart"
  if [ -f "$folder/node_modules/.package-lock.json" ] &&
    [ ! "$folder/package-lock.json" -nt "$folder/node_modules/.package-lock.json" ]; then
    return 0
  fi
  say "installing the chart runtime"
  (cd "$folder" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null </dev/null) ||
    fail "npm ci failed in experiments/chart"
}

# build_release ROOT TARGET...: configures ROOT if necessary and builds the targets.
build_release() {
  local root=$1
  shift
  local log="$root/build/release-build.log"
  mkdir -p "$root/build"
  say "building $* (log: build/release-build.log)"
  if [ ! -f "$root/build/release/CMakeCache.txt" ] || [ "${BLOOMETRY_CONFIGURE_ARGS:-}" ]; then
    # shellcheck disable=SC2086
    (cd "$root" && cmake --preset release ${BLOOMETRY_CONFIGURE_ARGS:-}) >"$log" 2>&1 </dev/null ||
      { tail -n 20 "$log" >&2; fail "cmake could not configure"; }
  fi
  cmake --build "$root/build/release" -j "$(nproc)" --target "$@" >>"$log" 2>&1 </dev/null ||
    { grep -m 10 -B 2 -A 8 -E 'error|Error' "$log" >&2; fail "the build failed (log: build/release-build.log)"; }
}
