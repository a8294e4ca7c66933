#!/usr/bin/env bash
# Tests that programs in PHP, Python, Go and Java can share filters with `bloometry redis`. Starts a server on loopback
# and ends the server by its process id. Each program and bloometry add keys to one filter, and must return the same
# answers. Prints one line per check, a SKIPPED line per missing language, and a summary. Exits with 1 if a check
# failed, and with 77 if all languages are missing.
#
# usage: live.sh PROGRAM
set -uo pipefail

bloometry=$(realpath "${1:?usage: live.sh PROGRAM}")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/support/check.sh
source "$here/../../support/check.sh"
work=$(mktemp -d "${TMPDIR:-/tmp}/bloometry-live.XXXXXX")
server_pid=
finish() {
  [ -z "$server_pid" ] || { kill "$server_pid" && wait "$server_pid"; } 2>/dev/null
  rm -rf "$work"
}
trap finish EXIT
cd "$work" || exit 1
unset BLOOMETRY_REDIS_URL BLOOMETRY_REDIS_PASSWORD

skip() {
  skipped=$((skipped + 1))
  echo "SKIPPED: $1 ($2)"
}

# Debian's redis-tools contains the server under another name.
server=$(command -v redis-server || true)
if [ -z "$server" ]; then
  check_rdb=$(command -v redis-check-rdb) || { skip redis "Debian package redis-tools is not installed"; exit 77; }
  ln -s "$check_rdb" redis-server
  server=$work/redis-server
fi
port=$(/usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
"$server" --port "$port" --bind 127.0.0.1 --save '' --appendonly no --daemonize no --dir "$work" >redis.log 2>&1 &
server_pid=$!
for _ in {1..200}; do redis-cli -p "$port" ping >/dev/null 2>&1 && break; sleep 0.05; done
redis-cli -p "$port" ping >/dev/null || { echo "redis-server did not answer"; exit 1; }
export BLOOMETRY_REDIS_URL=redis://127.0.0.1:$port

# The file `queried` contains 10,000 keys, and `members` contains every second of these keys. The files `ours` and
# `theirs` contain 1,000 other keys each.
/usr/bin/python3 - <<'PY'
keys = [b""]
for i in range(1, 10000):
    kinds = ["https://example.com/product/%d" % i, "%d" % i, "Schlüssel-%d-Größe" % i, "鍵%d🔑" % i, "x" * (i % 41) + "%d" % i]
    keys.append(kinds[i % 5].encode())
assert len(set(keys)) == len(keys)
chosen = {"queried": keys, "members": keys[::2], "ours": keys[1:2000:2], "theirs": keys[2001:4000:2]}
for name, lines in chosen.items():
    open(name, "wb").write(b"".join(line + b"\n" for line in lines))
PY
export LC_ALL=C

redis() { "$bloometry" redis "$@"; }
bits_of() { /usr/bin/python3 -c 'import sys; sys.stdout.buffer.write(open(sys.argv[1], "rb").read().rstrip(b"\0"))' "$1"; }
# Each language has a function live_LANGUAGE ACTION PORT KEY M K, which reads keys from standard input.
theirs() { # theirs ACTION KEY KEYS: runs the program of $language
  # shellcheck disable=SC2086
  "live_$language" "$1" "$port" "$2" $size <"$3"
}
same_answers() { # same_answers KEY OPTION...: both programs answer alike for all keys; OPTION... are for ours
  local key=$1
  shift
  theirs query "$key" queried >their_answers && redis query queried --key "$prefix$key" "$@" >our_answers &&
    cmp their_answers our_answers
}
answers_have() { # answers_have FILE...: the answers contain the keys, some false positives, but not all keys
  sort -u "$@" >wanted
  sort -u our_answers >answered
  [ -z "$(comm -23 wanted answered)" ] && [ "$(wc -l <answered)" -gt "$(wc -l <wanted)" ] &&
    [ "$(wc -l <answered)" -lt 10000 ]
}
same_bits() { # same_bits KEY FILE: compares a bitmap without parameters
  # shellcheck disable=SC2086
  redis pull --key "$prefix$1" --scheme "$scheme" $flags -o pulled --quiet && cmp <(bits_of pulled) <(bits_of "$2") &&
    [ "$(bits_of pulled | wc -c)" -gt 5000 ]
}
answers_nothing() { # answers_nothing KEY: the program fails and does not print a key
  ! theirs query "$1" queried >answers && [ ! -s answers ]
}

exchange() { # exchange LANGUAGE SCHEME M K PREFIX: the program puts PREFIX in front of its keys
  language=$1 scheme=$2 size="$3 $4" flags="-m $3 -k $4" prefix=$5
  local name="$language, $scheme" key=$language
  # shellcheck disable=SC2086
  "$bloometry" filter build members --to "$scheme" $flags --quiet -o built

  # shellcheck disable=SC2086
  check "$name: load" redis load built --from "$scheme" $flags --key "${prefix}loaded_$key"
  check "$name: the program answers as bloometry from bloometry's bits" same_answers "loaded_$key"
  check "$name: all members are present, and not all keys" answers_have members

  check "$name: it sets bits of a new key" theirs_add "made_$key" members
  # shellcheck disable=SC2086
  check "$name: bloometry answers as the program from the program's bits" same_answers "made_$key" --scheme "$scheme" $flags
  check "$name: all members are present in its bits, and not all keys" answers_have members
  check "$name: its bits equal those of filter build" same_bits "made_$key" built

  check "$name: bloometry adds to the loaded filter" redis add ours --key "${prefix}loaded_$key"
  check "$name: the program adds to the loaded filter" theirs_add "loaded_$key" theirs
  check "$name: both give equal answers afterwards" same_answers "loaded_$key"
  check "$name: both find all added keys" answers_have members ours theirs
  check "$name: a missing filter is an error" answers_nothing "missing_$key"
  # The key in Redis is bf:list_java for Java and list_python.0 for Python.
  for string in "${prefix}list_$key" "list_$key.0"; do redis-cli -p "$port" lpush "$string" x >/dev/null; done
  check "$name: a list is an error" answers_nothing "list_$key"
}
theirs_add() { theirs add "$@"; }

# --- PHP. The size m is a whole number of KiB.

live_php() { php "$here/live.php" "$@"; }
if command -v php >/dev/null && php -r 'exit(extension_loaded("redis") ? 0 : 1);'; then
  exchange php php3 57344 3 ''
  printf 'https://example.com/product/%s\n' 1001 1002 >pair
  printf 'https://example.com/product/%s\n' 1001 >one_of_pair
  shared() { # two of the three indices of the pair are equal
    live_php indices "$port" x 57344 3 <pair |
      awk '{ for (i = 1; i <= 3; ++i) if (NR == 1) first[i] = $i; else same += first[i] == $i } END { exit same != 2 }'
  }
  has_ones() { [ "$(redis-cli -p "$port" bitcount "$1")" = "$2" ]; }
  check "php, php3: two product pages share two of three indices" shared
  check "php, php3: add one of them here" redis add one_of_pair --key pair --create --scheme php3 -m 57344 -k 3
  check "php, php3: it has three bits" has_ones pair 3
  check "php, php3: it adds both" theirs_add pair pair
  check "php, php3: the other has one more bit" has_ones pair 4
else
  skip php "Debian packages php-cli and php-redis are not installed"
fi

# --- Python. The program appends numbers to the names of the strings, as the scheme pyrebloom does.

live_python() { /usr/bin/python3 "$here/live.py" "$@"; }
if /usr/bin/python3 -c 'import redis' 2>/dev/null; then
  exchange python pyrebloom 47925 7 ''
else
  skip python "Debian package python3-redis is not installed"
fi

# --- Go

live_go() { ./live_filter "$@"; }
gopath=/usr/share/gocode
if command -v go >/dev/null && [ -d $gopath/src/github.com/gomodule/redigo ] && [ -d $gopath/src/github.com/twmb/murmur3 ]; then
  check "go: the program builds" env HOME="$work" GOCACHE="$work/cache" GO111MODULE=off GOFLAGS=-mod=mod GOPATH=$gopath \
    go build -o live_filter "$here/live.go"
  exchange go go_seeded 47926 7 ''
else
  skip go "Debian packages golang-go, golang-github-gomodule-redigo-dev and golang-github-twmb-murmur3-dev are not installed"
fi

# --- Java

guava=/usr/share/java/guava.jar
live_java() { java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp "$guava:$work" LiveFilter "$@"; }
if [ -f $guava ] && command -v javac >/dev/null; then
  check "java: the program builds" javac -cp $guava -d "$work" "$here/LiveFilter.java"
  exchange java jedis 47925 7 bf:
else
  skip java "Debian packages libguava-java and default-jdk-headless are not installed"
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$((passed + failed))" -gt 0 ] || exit 77
[ "$failed" -eq 0 ]
