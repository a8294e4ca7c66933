#!/usr/bin/env bash
# Exchanges filters with the programs whose formats variants/foreign reads and writes. The same keys must give the same
# file, and each program must give the same answers for the file of the other program. Prints a SKIPPED line for each
# program that is not installed. Prints one line per check and a summary. Exits with 1 if a check failed, and with 77 if
# all checks were skipped. usage: round_trips.sh PATH_TO_FOREIGN_FILE
set -uo pipefail

ours=$(realpath "${1:?usage: round_trips.sh PATH_TO_FOREIGN_FILE}")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/bloometry-foreign.XXXXXX")
redis_pid=
finish() {
  [ -z "$redis_pid" ] || { kill "$redis_pid" && wait "$redis_pid"; } 2>/dev/null
  rm -rf "$work"
}
trap finish EXIT
cd "$work" || exit 1

# shellcheck source=tests/support/check.sh
source "$root/tests/support/check.sh"

# The function check closes standard input, so from() passes the keys in FILE to a command.
from() { # from FILE COMMAND...
  local keys=$1
  shift
  "$@" <"$keys"
}
skip() {
  skipped=$((skipped + 1))
  echo "SKIPPED: $1 ($2)"
}

# There are 1,000 members, and 20,001 keys to query that include all members except -0. The keys are numbers, which are
# valid keys for every funnel.
seq 0 7 6993 | sed 's/^/-/; 2~2s/^-//' >members
seq -7000 13000 >queried

# --- Guava

guava=/usr/share/java/guava.jar
java_filter() { java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp "$guava:$work" GuavaFile "$@"; }
if [ -f "$guava" ] && command -v javac >/dev/null && javac -cp "$guava" -d "$work" "$here/GuavaFile.java"; then
  for funnel in long int utf8 bytes chars; do
    from members java_filter create "$funnel" java.bin 1000 0.01
    from members "$ours" write guava "$funnel" 1 1000 0.01 >ours.bin
    check "guava, $funnel: equal keys give equal files" cmp java.bin ours.bin
    from queried java_filter query "$funnel" ours.bin >java.answers
    from queried "$ours" query guava "$funnel" java.bin >ours.answers
    check "guava, $funnel: both give equal answers from the other's file" cmp java.answers ours.answers
    check "guava, $funnel: both answers occur" test "$(sort -u ours.answers | wc -l)" -eq 2
  done
  from /dev/null "$ours" write guava utf8 0 1000 0.001 >empty.bin
  from members java_filter add utf8 java.bin empty.bin
  from members "$ours" write guava utf8 0 1000 0.001 >ours.bin
  check "guava, MITZ_32: equal keys give equal files" cmp java.bin ours.bin
  check "guava, MITZ_32: the file has keys" test "$(tr -d '\0' <ours.bin | wc -c)" -gt 1000
else
  skip guava "Debian packages libguava-java and default-jdk-headless are not installed"
fi

# --- bits-and-blooms/bloom

gopath=/usr/share/gocode
if [ -d "$gopath/src/github.com/bits-and-blooms/bloom" ] && command -v go >/dev/null &&
  HOME="$work" GOCACHE="$work/cache" GO111MODULE=off GOPATH="$gopath" go build -o go_file "$here/go_file.go"; then
  for form in go_binary go_json; do
    from members ./go_file write "$form" 1000 0.01 >go.file
    from members "$ours" write "$form" 1000 0.01 >ours.file
    check "$form: equal keys give equal files" cmp go.file ours.file
    from queried ./go_file query "$form" ours.file >go.answers
    from queried "$ours" query "$form" go.file >ours.answers
    check "$form: both give equal answers from the other's file" cmp go.answers ours.answers
    check "$form: both answers occur" test "$(sort -u ours.answers | wc -l)" -eq 2
  done
else
  skip bits-and-blooms "Debian packages golang-go and golang-github-willf-bloom-dev are not installed"
fi

# --- twmb/murmur3 with bits-and-blooms/bitset

if [ -d "$gopath/src/github.com/twmb/murmur3" ] && [ -d "$gopath/src/github.com/bits-and-blooms/bitset" ] &&
  command -v go >/dev/null && HOME="$work" GOCACHE="$work/cache" GO111MODULE=off GOPATH="$gopath" \
  go build -o go_seeded_file "$here/go_seeded_file.go"; then
  for sizes in '9586 7' '9600 5' '4097 3'; do
    # shellcheck disable=SC2086
    from members ./go_seeded_file write $sizes >go.file
    from queried ./go_seeded_file query "${sizes##* }" go.file >go.answers
    # shellcheck disable=SC2086
    from queried "$ours" query go_bitset go_seeded $sizes go.file >ours.answers
    check "go_seeded, $sizes: both give equal answers from the bit set" cmp go.answers ours.answers
    check "go_seeded, $sizes: both answers occur" test "$(sort -u ours.answers | wc -l)" -eq 2
  done
else
  skip go_seeded "Debian packages golang-go, golang-github-willf-bloom-dev and golang-github-twmb-murmur3-dev are not installed"
fi

# --- Redis

redis() { redis-cli -s "$work/redis.sock" "$@"; }
# redis_server prints the path of the server, or fails if the server is missing. Debian's redis-tools contains the
# server as redis-check-rdb. redis-check-rdb acts as the server if it is started under the name redis-server.
redis_server() {
  command -v redis-server && return
  local program
  program=$(command -v redis-check-rdb) || return
  ln -s "$program" "$work/redis-server" && echo "$work/redis-server"
}
# redis-cli appends a newline to its output.
get() { redis GET "$1" | head -c -1; }
if command -v redis-cli >/dev/null && server=$(redis_server); then
  "$server" --port 0 --unixsocket "$work/redis.sock" --save '' --appendonly no --dir "$work" >redis.log 2>&1 &
  redis_pid=$!
  for _ in $(seq 100); do [ "$(redis PING 2>/dev/null)" = PONG ] && break; sleep 0.05; done
  check "redis: the server answers" test "$(redis PING)" = PONG
  for sizes in 'jedis 21895 5' 'pyrebloom 9585 7' 'php3 8192 3' 'go_seeded 9586 7'; do
    scheme=${sizes%% *}
    # shellcheck disable=SC2086
    {
      from members "$ours" write redis_bitmap $sizes >ours.bits
      from members "$ours" indices redis_bitmap $sizes >member_offsets
      from queried "$ours" indices redis_bitmap $sizes >queried_offsets
    }
    sed "s/.*/SETBIT bits:$scheme & 1/" member_offsets | redis >/dev/null
    get "bits:$scheme" >redis.bits
    check "redis, $scheme: SETBIT gives the same string, up to zeros at the end" cmp -n "$(wc -c <redis.bits)" redis.bits ours.bits
    check "redis, $scheme: only zeros are missing" test "$(tail -c +$(($(wc -c <redis.bits) + 1)) ours.bits | tr -d '\0' | wc -c)" -eq 0
    redis -x SET "stored:$scheme" <ours.bits >/dev/null
    check "redis, $scheme: equal numbers of bits" test "$(redis BITCOUNT "stored:$scheme")" = "$(redis BITCOUNT "bits:$scheme")"
    sed "s/.*/GETBIT stored:$scheme &/" queried_offsets | redis |
      awk -v k="${sizes##* }" '{ all += $1 } NR % k == 0 { print (all == k ? 1 : 0); all = 0 }' >redis.answers
    # shellcheck disable=SC2086
    from queried "$ours" query redis_bitmap $sizes redis.bits >ours.answers
    check "redis, $scheme: GETBIT and bloometry give equal answers from each other's string" cmp redis.answers ours.answers
    check "redis, $scheme: there is an answer for each key" test "$(wc -l <redis.answers)" -eq "$(wc -l <queried)"
    check "redis, $scheme: both answers occur" test "$(sort -u ours.answers | wc -l)" -eq 2
  done
else
  skip redis "Debian package redis-tools is not installed"
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$((passed + failed))" -gt 0 ] || exit 77
[ "$failed" -eq 0 ]
