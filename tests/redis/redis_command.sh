#!/usr/bin/env bash
# Tests all commands of `bloometry redis`. Starts servers on loopback and ends them by their process ids.
#
# usage: redis_command.sh PROGRAM
set -uo pipefail

bloometry=$(realpath "$1")
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
source "$here/../support/check.sh"
source "$here/../support/outcome.sh"
work=$(mktemp -d)
pids=()
finish() {
  for pid in "${pids[@]}"; do [ -z "$pid" ] || kill "$pid" 2>/dev/null; done
  wait
  rm -rf "$work"
}
trap finish EXIT
cd "$work"
unset BLOOMETRY_REDIS_URL BLOOMETRY_REDIS_PASSWORD

# Debian's redis-tools contains the server under another name.
server_program=$(command -v redis-server || true)
if [ -z "$server_program" ]; then
  check_rdb=$(command -v redis-check-rdb) || { echo "redis-server is not installed (Debian: redis-tools)"; exit 1; }
  ln -s "$check_rdb" redis-server
  server_program=$work/redis-server
fi

free_port() {
  /usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}
start_server() { # start_server NAME OPTION...: sets NAME_port and NAME_pid
  local name=$1 port
  shift
  port=$(free_port)
  "$server_program" --port "$port" --bind 127.0.0.1 --save '' --appendonly no --daemonize no --dir "$work" "$@" >"$name.log" 2>&1 &
  pids+=($!)
  printf -v "${name}_pid" %s $!
  printf -v "${name}_port" %s "$port"
  for _ in {1..200}; do
    redis-cli -p "$port" ping >/dev/null 2>&1 && return
    sleep 0.05
  done
  echo "redis-server did not answer"
  exit 1
}

redis() { "$bloometry" redis "$@"; }
filter() { "$bloometry" filter "$@"; }
cli() { redis-cli -p "$main_port" "$@"; }
refuses() { # refuses CODE PATTERN COMMAND...: requires an empty standard output, and one line on standard error
  local code=$1 pattern=$2 status=0
  shift 2
  "$@" >out 2>err || status=$?
  cat err
  [ "$status" -eq "$code" ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] && grep -qE -- "$pattern" err
}
same_answers() { # same_answers NAME FILTER_OPTIONS... -- REDIS_OPTIONS...: of the 10,000 keys of `queried`
  local name=$1 of_filter=()
  shift
  while [ "$1" != -- ]; do of_filter+=("$1"); shift; done
  shift
  filter query "${of_filter[@]}" queried >here && redis query queried "$@" >there && [ -s here ] &&
    [ "$(wc -l <here)" -lt 10000 ] && cmp here there
}

start_server main
export BLOOMETRY_REDIS_URL=redis://127.0.0.1:$main_port

seq 1 6000 >members
seq 3001 13000 >queried

# For every variant and scheme, the filter in Redis and its file must return the same answers. A pull must write the
# bytes of the file.
filter build members --variant counting -p 0.1 -o counters.bloom --quiet
variants=$("$bloometry" redis load counters.bloom --key x 2>&1 | sed -n 's/.* must be \(.*\), whose cells are one array of bits.*/\1/p' | sed 's/,//g; s/ or / /') || true
check "there are variants of bits" test "$(wc -w <<<"$variants")" -ge 5
for variant in $variants; do
  filter build members --variant $variant -p 0.05 --seed 7 --quiet -o $variant.bloom
  check "$variant: load" says "^$variant: $variant, m = .* in 1 string, version [0-9a-f]{32}; never expires" redis load $variant.bloom --key $variant
  check "$variant: redis query answers as filter query" same_answers $variant $variant.bloom -- --key $variant
  check "$variant: pull" redis pull --key $variant -o pulled
  check "$variant: the same bytes" cmp $variant.bloom pulled
  check "$variant: load in shards" says 'in 3 strings' redis load $variant.bloom --key cut_$variant --shards 3
  check "$variant: shards are queried" same_answers $variant $variant.bloom -- --key cut_$variant --batch 3000
  check "$variant: shards are pulled" redis pull --key cut_$variant -o pulled
  check "$variant: the same bytes of shards" cmp $variant.bloom pulled
done
for method in best getbit bitfield; do
  check "--method $method" same_answers standard standard.bloom -- --key standard --method $method
done
check "--method getrange" same_answers blocked blocked.bloom -- --key blocked --method getrange
for scheme in jedis pyrebloom php3 go_seeded; do
  size=(-m 57344 -k 3)
  filter build members --to $scheme "${size[@]}" --quiet -o $scheme.bits
  check "$scheme: load" redis load $scheme.bits --from $scheme "${size[@]}" --key $scheme
  check "$scheme: redis query answers as filter query" same_answers $scheme $scheme.bits --from $scheme "${size[@]}" -- --key $scheme
  check "$scheme: pull" redis pull --key $scheme -o pulled
  check "$scheme: the same bytes" cmp $scheme.bits pulled
  # Creates the key without parameters, as another program does.
  key=bare_$scheme
  string=$key
  [ $scheme = pyrebloom ] && string=$key.0
  redis-cli -p "$main_port" -x set $string <$scheme.bits >/dev/null
  check "$scheme: a bitmap without parameters" same_answers $scheme $scheme.bits --from $scheme "${size[@]}" -- --key $key --scheme $scheme "${size[@]}"
  check "$scheme: it is pulled" redis pull --key $key --scheme $scheme "${size[@]}" -o pulled
  check "$scheme: the same bytes of it" cmp $scheme.bits pulled
  check "$scheme: its info" says 'none in Redis; they are given on the command line' redis info --key $key --scheme $scheme "${size[@]}"
done
check "go-seeded is go_seeded" same_answers go_seeded go_seeded.bits --from go_seeded "${size[@]}" -- --key bare_go_seeded --scheme go-seeded "${size[@]}"

# Tests the output of query.
redis query queried --key standard >present
redis query queried --key standard --invert >absent
check "present and absent keys are all keys" test "$(sort present absent | sha256sum)" = "$(sort queried | sha256sum)"
check "--count" test "$(redis query queried --key standard --count)" -eq "$(wc -l <present)"
check "--quiet: all present" exits 0 redis query members --key standard --quiet
check "--quiet: one absent" exits 1 redis query queried --key standard --quiet
check "a pipe is answered at once" bash -c "{ echo 7; sleep 4; } | '$bloometry' redis query --key standard | timeout 3 head -n 1 | grep -qx 7"
check "a closed output ends quietly" bash -c "yes 1 | '$bloometry' redis query --key standard 2>err | head -n 3 >/dev/null; [ ! -s err ]"
/usr/bin/python3 - <<'PY'
import struct
open("le", "wb").write(b"".join(struct.pack("<Q", i) for i in range(3000)))
open("le_queried", "wb").write(b"".join(struct.pack("<Q", i) for i in range(1000, 9000)))
open("csv", "w").write('id,name\n' + "".join('%d,"n,%d"\n' % (i, i) for i in range(5990, 6100)))
PY
filter build le --format u64le --quiet -p 0.01 -o le.bloom
check "binary keys: load" redis load le.bloom --key le
check "binary keys are those of the file" bash -c "'$bloometry' redis query le_queried --format u64le --key le >there && '$bloometry' filter query le.bloom le_queried --format u64le | cmp - there && [ -s there ]"
check "csv rows with their names" bash -c "'$bloometry' redis query csv --format csv:id --key standard >there && '$bloometry' filter query standard.bloom csv --format csv:id | cmp - there && head -n 1 there | grep -qx id,name"
echo 000102030405060708090a0b0c0d0e0f >secret
echo 100102030405060708090a0b0c0d0e0f >other_secret
filter build members --hash siphash_2_4_128 --secret secret -p 0.05 --quiet -o secret.bloom
check "a secret hash: load" redis load secret.bloom --key secret
check "with its secret" same_answers secret secret.bloom --secret secret -- --key secret --secret secret
check "not without" refuses 2 '^bloometry: --secret must be given with the hash siphash_2_4_128' redis query queried --key secret
check "another secret is refused" refuses 2 '^bloometry: --secret must be' redis query queried --key secret --secret other_secret

# add.
check "add to a missing filter is refused" refuses 3 'add --create. creates it' redis add members --key new
check "--create" says '^new: 6,000 keys added, [0-9,]+ of them new$' redis add members --key new --create -n 6000 -p 0.05 --seed 7
check "the file equals that of build except for its notes" bash -c "'$bloometry' redis pull --key new -o new.bloom --quiet && '$bloometry' filter diff new.bloom standard.bloom | grep -q 'bits that differ: 0$'"
check "repeated keys are not new" says '^new: 6,000 keys added, 0 of them new$' redis add members --key new
check "--create keeps an existing filter" says 'already exists and is not changed' redis add members --key new --create -n 10
check "all are present" exits 0 redis query members --key new --quiet
check "added keys are counted" says 'added since the load +18,000 keys' redis info --key new
: >no_keys
gzip -c members >members.gz
check "compressed keys are not new" says '^new: 6,000 keys added, 0 of them new$' redis add members.gz --key new
check "an empty file" refuses 2 '^bloometry: no_keys must contain at least one key' redis add no_keys --key new
check "--allow-empty accepts an empty file" redis add no_keys --key new --allow-empty
check "--create of an empty filter" bash -c "'$bloometry' redis add --key created_empty --create -n 10 <no_keys"
check "an empty query" bash -c "'$bloometry' redis query --key new <no_keys"
check "a query of no keys is not answered yes" refuses 2 'must contain at least one key' redis query no_keys --key new --quiet
check "--create with a scheme" redis add members --key created_jedis --create --scheme jedis -m 57344 -k 3
check "the bits equal those of its program" bash -c "'$bloometry' redis pull --key created_jedis -o pulled --quiet && cmp pulled jedis.bits"
seq 20001 20100 >more
check "add to a bitmap without parameters" redis add more --key bare_jedis --scheme jedis -m 57344 -k 3
check "they are in it" exits 0 redis query more --key bare_jedis --scheme jedis -m 57344 -k 3 --quiet
check "sizes need --create" refuses 2 '^bloometry: -n must be left out without --create' redis add members --key new -n 10
check "no hash for a scheme" refuses 2 '^bloometry: --hash must be left out with --scheme jedis' redis add members --key x --create --scheme jedis -n 10 --hash xxh3
check "other variants" refuses 2 '^bloometry: --variant must be standard' redis add members --key x --create -n 10 --variant counting
check "no replica" refuses 3 "the change of key 'new' reached 0 of 1 replicas in 50 ms.*; 100 keys of the input are added" redis add more --key new --wait 1 --wait-timeout 50
check "a time to live: load" says 'expires in 1,000 seconds' redis load standard.bloom --key short --ttl 1000
check "added to" redis add more --key short
check "the time to live stays" bash -c "t=\$(redis-cli -p $main_port ttl short); u=\$(redis-cli -p $main_port ttl '{short}:parameters'); [ \$t -gt 900 ] && [ \$t -le 1000 ] && [ \$u -gt 900 ] && [ \$u -le 1000 ]"
check "info tells it" says 'expires +in 9[0-9]{2},[0-9]{3} ms' redis info --key short

# info and drop.
check "info as JSON" bash -c "'$bloometry' redis info --key standard --json | /usr/bin/python3 -c '
import json, sys
told = json.load(sys.stdin)
assert told[\"scheme\"] == \"native\" and told[\"strings\"] == [\"standard\"] and told[\"ttl_ms\"] is None, told
assert told[\"num_updates\"] == 0 and told[\"eviction_policy\"] == \"noeviction\" and not told[\"can_be_evicted\"], told
'"
check "the filter equals the output of filter info" bash -c "'$bloometry' redis info --key standard --json | /usr/bin/python3 -c '
import json, sys, subprocess
told = json.load(sys.stdin)[\"filter\"]
assert told == json.loads(subprocess.check_output([sys.argv[1], \"filter\", \"info\", \"standard.bloom\", \"--json\"])), told
' '$bloometry'"
cli config set maxmemory 1gb >/dev/null
cli config set maxmemory-policy allkeys-lru >/dev/null
check "a filter that may be evicted" says 'warning: the server may drop this filter.*allkeys-lru' redis info --key standard
cli config set maxmemory-policy volatile-lru >/dev/null
check "no warning for a filter that never expires" bash -c "! '$bloometry' redis info --key standard 2>&1 | grep -q warning"
check "one that does" says 'warning: .*volatile-lru' redis info --key short
cli config set maxmemory-policy noeviction >/dev/null
cli config set maxmemory 0 >/dev/null
check "larger filters are counted" bash -c "'$bloometry' redis add more --key large --create -m 600000000 -k 3 --quiet && '$bloometry' redis info --key large | grep -qE 'distinct keys, estimated +(99|100|101)(\.|\$)'"
check "drop" says '^large: dropped$' redis drop --key large
check "its keys are gone" test -z "$(cli keys '*large*')"
check "drop of shards" redis drop --key cut_standard
check "their keys are gone" test -z "$(cli keys '*cut_standard*')"
check "drop of none" exits 1 redis drop --key large
check "bitmaps of others are not dropped" bash -c "'$bloometry' redis drop --key bare_jedis; [ \$? -eq 1 ] && [ \$(redis-cli -p $main_port exists bare_jedis) -eq 1 ]"

# Tests invalid input, which the program must refuse with one line.
cli lpush list a >/dev/null
cli set text abc >/dev/null
check "a missing key" refuses 3 "key 'no' does not exist; .bloometry redis load" redis query queried --key no
check "a missing bitmap" refuses 3 'so keys cannot be queried' redis query queried --key no --scheme jedis -m 57344 -k 3
check "an empty key" refuses 2 '^bloometry: --key must not be empty' redis query queried --key ''
check "a list" refuses 3 'the key contains a list' redis query queried --key list
check "a list as a bitmap" refuses 3 'WRONGTYPE .*; the key contains a list$' redis query queried --key list --scheme jedis -m 57344 -k 3
check "-m too small" refuses 2 '^bloometry: -m must be at least 5733' redis query queried --key bare_jedis --scheme jedis -m 50000 -k 3
check "-m too large" refuses 2 '^bloometry: -m must be in .57337, 57[0-9]*. for the bitmap .bare_jedis., got 60000' redis query queried --key bare_jedis --scheme jedis -m 60000 -k 3
cli setbit sparse 20 1 >/dev/null
check "a bitmap whose m cannot be checked" says '^bloometry: warning: sparse: m and k could not be checked: these set bits only show that m must be at least 17' redis query queried --key sparse --scheme jedis -m 60000 -k 3
check "its info" says 'check of m and k  *m and k could not be checked' redis info --key sparse --scheme jedis -m 60000 -k 3
check "its pull" says 'warning: sparse: m and k could not be checked' redis pull --key sparse --scheme jedis -m 60000 -k 3 -o pulled
check "an add to it" says 'warning: sparse: m and k could not be checked' redis add more --key sparse --scheme jedis -m 60000 -k 3
check "bits that were checked do not warn" test -z "$(redis query more --key bare_jedis --scheme jedis -m 57344 -k 3 --quiet 2>&1)"
check "the range of those" says 'check of m and k  *m must be in .57337, 57[0-9]*. for these set bits; k could not be checked' redis info --key bare_jedis --scheme jedis -m 57344 -k 3
cli acl setuser nocount on '>nocount' '~*' '&*' +@all -bitcount >/dev/null
nocount=redis://nocount:nocount@127.0.0.1:$main_port
check "a user without BITCOUNT queries a bitmap" exits 0 redis query more --key bare_jedis --scheme jedis -m 57344 -k 3 --quiet --url "$nocount"
check "adds to it" exits 0 redis add more --key bare_jedis --scheme jedis -m 57344 -k 3 --quiet --url "$nocount"
check "is told that m is unchecked" says '^bloometry: warning: bare_jedis: m and k could not be checked: these set bits only show that m must be at least 57337' redis query more --key bare_jedis --scheme jedis -m 57344 -k 3 --url "$nocount"
cli setbit uncounted 20 1 >/dev/null
check "for a bitmap shorter than m, too" says 'warning: uncounted: m and k could not be checked: .* at least 17' redis query queried --key uncounted --scheme jedis -m 60000 -k 3 --url "$nocount"
check "a bitmap longer than m is refused" refuses 2 '^bloometry: -m must be at least 5733' redis query queried --key bare_jedis --scheme jedis -m 50000 -k 3 --url "$nocount"
check "a filter with parameters is queried" exits 0 redis query more --key created_jedis --count --url "$nocount"
check "info needs BITCOUNT" refuses 3 'NOPERM' redis info --key bare_jedis --scheme jedis -m 57344 -k 3 --url "$nocount"
check "parameters in Redis are not checked again" bash -c "! '$bloometry' redis info --key jedis --url redis://127.0.0.1:$main_port | grep -q 'check of m'"
check "no -m" refuses 2 '^bloometry: -m must be given: the number of bits, which a bitmap of jedis does not contain' redis query queried --key bare_jedis --scheme jedis -k 3
check "no --scheme" refuses 2 '^bloometry: -m must be left out without --scheme' redis query queried --key standard -m 57344
check "another scheme than stored" refuses 2 '^bloometry: --scheme must be the scheme of the filter, jedis' redis query queried --key jedis --scheme php3 -m 57344 -k 3
check "another -k than stored" refuses 2 '^bloometry: -k must be the number of hashes of the filter, 3' redis query queried --key jedis --scheme jedis -k 4
check "an unknown scheme" refuses 2 '^bloometry: --scheme must be' redis query queried --key jedis --scheme perl -m 8 -k 3
nobody='--url redis://127.0.0.1:1 --retries 0'
check "options are checked without a server: query" refuses 2 '^bloometry: --scheme must be one of' redis query queried --key jedis --scheme perl $nobody
check "pull" refuses 2 '^bloometry: -k must be left out without --scheme' redis pull --key jedis -k 3 -o x $nobody
check "info" refuses 2 '^bloometry: --scheme must be one of' redis info --key jedis --scheme perl $nobody
check "add" refuses 2 '^bloometry: --scheme must be one of' redis add members --key jedis --scheme perl $nobody
check "create without a size" refuses 2 '^bloometry: -n must be given with --create.*: the number of keys' redis add members --key new --create $nobody
check "create a variant without bits" refuses 2 'must be standard, partitioned' redis add members --key new --create -n 10 --variant counting $nobody
check "an empty key" refuses 2 '^bloometry: --key must not be empty' redis drop --key '' $nobody
check "an unknown method" refuses 2 '^bloometry: --method must be one of' redis query queried --key standard --method get
check "a filter that loses keys" redis load standard.bloom --key lost
length=$(cli strlen lost)
cli del lost >/dev/null
cli setbit lost $((8 * length - 1)) 1 >/dev/null
for command in "query queried" "add members" info "pull -o lost.bloom"; do
  check "lost bits are reported: $command" refuses 3 "key .lost. has lost members: at least [0-9]* bits were set, but the server has 1$" redis $command --key lost
done
check "no file was written" test ! -e lost.bloom
cli setbit lost $((8 * length - 1)) 0 >/dev/null
check "a bitmap without set bits is reported" refuses 3 'but the server has 0$' redis query queried --key lost
redis drop --key lost >/dev/null
check "a filter of blocks" redis load blocked.bloom --key changing
check "a query of blocks refuses a filter that replaced the blocks" bash -c "{ head -n 5 queried; sleep 1; '$bloometry' redis load standard.bloom --key changing >/dev/null; tail -n 5 queried; } |
  '$bloometry' redis query --key changing --method getrange >/dev/null 2>err; [ \$? -eq 3 ] && [ \$(wc -l <err) -eq 1 ] &&
  grep -q \"key 'changing' was replaced by a filter that cannot be queried: method must be best, getbit or bitfield\" err"
redis drop --key changing >/dev/null
check "getrange is refused without blocks" refuses 2 '^bloometry: --method must be best' redis query queried --key standard --method getrange
check "a variant without bits is refused" bash -c "'$bloometry' filter build members --variant counting -p 0.1 -o counting.bloom --quiet"
check "is refused" refuses 2 'the variant of FILTER must be standard, .*, whose cells are one array of bits' redis load counting.bloom --key x
check "a format without a Redis form is refused" bash -c "'$bloometry' filter build members --to guava -o f.guava --quiet"
check "is refused too" refuses 2 '^bloometry: --from must be one of bloometry, redisbloom, jedis' redis load f.guava --from guava --key x
check "another key is not replaced" refuses 2 "^bloometry: --key must be a new key or contain a filter.*, got 'text', which.*--replace" redis load standard.bloom --key text
check "but replaced on request" redis load standard.bloom --key text --replace
check "a time to live of 0" refuses 2 '^bloometry: --ttl must be' redis load standard.bloom --key x --ttl 0
check "a batch of 0" refuses 2 '^bloometry: --batch must be' redis query queried --key standard --batch 0
check "shards of a scheme" refuses 2 '^bloometry: --shards must be left out' redis load jedis.bits --from jedis "${size[@]}" --key x --shards 2
check "no server" refuses 3 'redis://127.0.0.1:1/0: .*refused.*1 attempt' redis query queried --key standard --url redis://127.0.0.1:1 --retries 0
check "an invalid URL" refuses 2 '^bloometry: --url must begin with redis:// or unix:, got a text without ://' redis query queried --key standard --url localhost
check "an invalid URL in the environment" refuses 2 '^bloometry: BLOOMETRY_REDIS_URL must begin with redis://' env BLOOMETRY_REDIS_URL=localhost "$bloometry" redis query queried --key standard
for command in load pull query add create info drop; do
  check "$command --help has an example" says "^  bloometry redis $command" redis $command --help
done

# Rotating filters. The window of `seen` is a day. Those of `brief` end during the test.
create=(create --key seen --window 24h --generations 8 -n 1e6 -p 0.01)
check "create" says '^seen: 8 generations of 3.429 h; standard, m = 1,987,130 bits, k = 10 each; at most 1.89. MiB of memory; keys are found for 1 d, and forgotten after at most 1.143 d$' redis "${create[@]}"
check "create again" says "^bloometry: the filter 'seen' already exists and is not changed$" redis "${create[@]}"
check "create with another window" refuses 2 "^bloometry: --key must be a new name, or that of a filter with window_ms = 3600000, got 'seen', a filter with window_ms = 86400000$" redis create --key seen --window 1h -n 1e6
check "create with another hash" refuses 2 'a filter with seed = 7, got .seen., a filter with seed = 0$' redis "${create[@]}" --seed 7
check "create over a filter that does not rotate" refuses 2 "^bloometry: --key must be a new name, got 'standard', a filter that does not rotate$" redis create --key standard --window 1h -n 10
check "create over another value" refuses 3 "key 'list' already exists$" redis create --key list --window 1h -n 10
check "an empty filter contains no key" test "$(redis query members --key seen --count)" -eq 0
check "its info" says '^live generations +0$' redis info --key seen
check "keys are added" says '^seen: 6,000 keys added, 6,000 of them new$' redis add members --key seen
check "and found" exits 0 redis query members --key seen --quiet
check "repeated keys are not new" says '^seen: 6,000 keys added, 0 of them new$' redis add members --key seen --batch 7
check "other keys are absent" test "$(redis query queried --key seen --invert --count)" -eq 7000
check "no replica of a rotating filter" refuses 3 "key 'seen' was changed on 0 of 1 replicas in 50 ms; 100 keys of the input are added$" redis add more --key seen --wait 1 --wait-timeout 50
check "a rotating filter as JSON" bash -c "'$bloometry' redis info --key seen --json | /usr/bin/python3 -c '
import json, sys
told = json.load(sys.stdin)
live = told[\"live_generations\"]
assert told[\"scheme\"] == \"rotating\" and told[\"window_ms\"] == 86400000 and told[\"num_updates\"] == 12100, told
assert told[\"generation_capacity\"] == 142858 and told[\"generations\"] == 8 and told[\"num_overfull\"] == 0, told
assert sum(each[\"num_inserts\"] for each in live) == 12100, told
for each in live:
    slot = each[\"number\"] % 8
    assert each[\"key\"] == \"{seen}:generation:%d\" % slot and not each[\"is_overfull\"], told
    assert each[\"age_ms\"] + each[\"expires_ms\"] == 8 * told[\"generation_ms\"], told
    assert each[\"fill_ratio\"] == each[\"num_ones\"] / told[\"num_bits\"], told
'"
for command in "query queried --scheme jedis -m 8 -k 1" "pull -o rotating.bloom" "load standard.bloom" "load standard.bloom --replace" "add members --create -n 10"; do
  check "refused for a rotating filter: $command" refuses 2 "^bloometry: --key must name a filter that does not rotate, got 'seen', a rotating filter$" redis $command --key seen
done
check "no file was written" test ! -e rotating.bloom
check "--method with a rotating filter" refuses 2 '^bloometry: --method must be best for a rotating filter, got bitfield$' redis query queried --key seen --method bitfield
check "-m with a rotating filter" refuses 2 '^bloometry: -m must be left out without --scheme' redis query queried --key seen -m 8
check "create with a secret" redis create --key secret_seen --window 1h -n 1000 --hash siphash_2_4_128 --secret secret
check "keys are added with it" redis add more --key secret_seen --secret secret
check "not without it" refuses 2 '^bloometry: --secret must be given with the hash siphash_2_4_128' redis add more --key secret_seen
check "not with another one" refuses 2 '^bloometry: --secret must be' redis query more --key secret_seen --secret other_secret
check "info needs no secret" says '^hash +siphash_2_4_128$' redis info --key secret_seen
for variant in $variants; do
  check "$variant rotates" bash -c "'$bloometry' redis create --key rotating --window 1h -n 60000 -p 1e-9 --variant $variant --quiet &&
    '$bloometry' redis add members --key rotating --quiet && '$bloometry' redis query members --key rotating --quiet &&
    [ \$('$bloometry' redis query queried --key rotating --count) -eq 3000 ] && '$bloometry' redis info --key rotating | grep -qE '^generation +$variant,' &&
    '$bloometry' redis drop --key rotating"
done
check "create of a small filter" redis create --key small --window 1h -n 7000
check "more keys than it is sized for" says '^small: 6,000 keys added, [0-9,]+ of them new$' redis add members --key small --batch 6000
check "its overfull generation" says '^overfull generations +1$' redis info --key small
check "create of a brief filter" redis create --key brief --window 900ms --generations 4 -n 60000
check "its keys" redis add members --key brief --batch 6000
sleep 1.3
check "are forgotten" test "$(redis query members --key brief --count)" -eq 0
check "their generation has expired" test -z "$(cli keys '{brief}:generation:*')"
lost=$(cli keys '{seen}:generation:*')
cli del $lost >/dev/null
for command in "query queried" "add members" info; do
  check "a lost generation is reported: $command" refuses 3 "key 'seen' has lost generation [0-9]+ at '.seen.:generation:[0-7]': evicted, deleted or expired early; .bloometry redis drop --key seen. and then .bloometry redis create --key seen \.\.\.. replace the filter by an empty one" redis $command --key seen
done
check "drop of a rotating filter" says '^seen: dropped$' redis drop --key seen
check "its keys are gone" test -z "$(cli keys '*{seen}*')"
check "drop of none" exits 1 redis drop --key seen
check "create without a window" refuses 2 '^bloometry: --window must be given' redis create --key x -n 10 $nobody
check "without keys" refuses 2 '^bloometry: -n must be given' redis create --key x --window 1h $nobody
for window in 1.5h 24 -1s 5km 1h30m ''; do
  check "the window '$window'" refuses 2 "^bloometry: --window must be a whole number with the unit ms, s, m, h or d, like 24h or 90s, got '$window'$" redis create --key x --window "$window" -n 10 $nobody
done
check "a short window" refuses 2 '^bloometry: --window must be in .7, 10000000000000. ms with 8 generations, got 6$' redis create --key x --window 6ms -n 10 $nobody
check "a long window" refuses 2 '^bloometry: --window must be in .*, got 31536000000000$' redis create --key x --window 365000d -n 10 $nobody
check "one generation" refuses 2 "^bloometry: --generations must be a whole number in .2, 64., got '1'" redis create --key x --window 1h -n 10 --generations 1 $nobody
check "no keys" refuses 2 '^bloometry: -n must be in .1, ' redis create --key x --window 1h -n 0 $nobody
check "a rate of 1" refuses 2 '^bloometry: -p must be in .0, 1., got 1' redis create --key x --window 1h -n 10 -p 1 $nobody
check "a rate below the floor of the digests" refuses 2 '^bloometry: -p must be a rate that standard can reach with the given -n, got 1e-16: p is below the floor of its rate with 1142864 keys, the probability 1.239e-13 ' redis create --key x --window 1h -n 1e6 -p 1e-16 $nobody
check "a rate above it" refuses 3 '^bloometry: ' redis create --key x --window 1h -n 1e6 -p 1e-12 $nobody
check "strings that are too long" refuses 2 '^bloometry: -n must be small enough for generations of at most 4294967296 bits, got 10000000000000' redis create --key x --window 1h -n 1e13 $nobody

# Replaces a filter during queries.
mkfifo keys
redis load standard.bloom --key changing >/dev/null
rm -f answers
"$bloometry" redis query --key changing <keys >answers 2>err &
query_pid=$!
exec 7>keys
head -n 2000 queried >&7
for _ in {1..100}; do [ -s answers ] && break; sleep 0.05; done
redis load blocked.bloom --key changing >/dev/null
tail -n +2001 queried >&7
exec 7>&-
wait $query_pid
check "the remaining keys are queried in the new filter" test $? -eq 0
check "the change is reported once" bash -c "[ \$(wc -l <err) -eq 1 ] && grep -q 'was replaced during the query' err"
head -n 2000 queried | filter query standard.bloom >expected
tail -n +2001 queried | filter query blocked.bloom >>expected
check "each answer is from one version" cmp answers expected

# If a filter is dropped, queries must fail instead of returning wrong answers.
for invert in '' --invert; do
  redis load standard.bloom --key changing >/dev/null
  rm -f answers
  "$bloometry" redis query --key changing $invert <keys >answers 2>err &
  query_pid=$!
  exec 7>keys
  head -n 2000 queried >&7
  for _ in {1..100}; do [ -s answers ] && break; sleep 0.05; done
  redis drop --key changing >/dev/null
  tail -n +2001 queried >&7
  exec 7>&-
  wait $query_pid
  check "a dropped filter exits 3 $invert" test $? -eq 3
  check "reported in one line $invert" bash -c "[ \$(wc -l <err) -eq 1 ] && grep -q 'so keys cannot be queried\|no longer has parameters' err"
  head -n 2000 queried | filter query standard.bloom $invert >expected
  check "remaining keys are not printed $invert" cmp answers expected
done

# Kills a server during queries.
start_server victim
redis load standard.bloom --key seen --url redis://127.0.0.1:"$victim_port" >/dev/null
rm -f answers
"$bloometry" redis query --key seen --invert --url redis://127.0.0.1:"$victim_port" --retries 1 --timeout 1000 <keys >answers 2>err &
query_pid=$!
exec 7>keys
head -n 2000 queried >&7
for _ in {1..100}; do [ -s answers ] && break; sleep 0.05; done
kill -9 "$victim_pid"
wait "$victim_pid" 2>/dev/null
pids=("${pids[@]/$victim_pid/}")
tail -n +2001 queried >&7
exec 7>&-
wait $query_pid
check "a dead server is exit 3" test $? -eq 3
check "reported in one line" bash -c "[ \$(wc -l <err) -eq 1 ] && grep -q 'attempts' err"
head -n 2000 queried | filter query standard.bloom --invert >expected
check "no key is wrongly absent" cmp answers expected

# Ctrl-C.
filter build members -m 2000000000 -k 3 --quiet -o huge.bloom
# Sends one signal as soon as temporary keys exist. After a second signal, the program would not wait for their removal.
"$bloometry" redis load huge.bloom --key standard >out 2>err &
loading=$!
for _ in {1..200}; do [ -n "$(cli keys '*loading*')" ] && break; sleep 0.01; done
kill -INT $loading
wait $loading
check "load: exit 130" test $? -eq 130
check "said too" grep -q '^bloometry: interrupted; ' err
check "no partly loaded key is left" test -z "$(cli keys '*loading*')"
check "the earlier filter is kept" same_answers standard standard.bloom -- --key standard
rm -f huge.bloom
"$bloometry" redis query --key standard <keys >out 2>err &
query_pid=$!
exec 7>keys
sleep 0.5
kill -INT $query_pid
wait $query_pid
check "query: exit 130" test $? -eq 130
check "said" grep -q 'interrupted; the remaining keys were not queried' err
exec 7>&-

# The program must never print a password.
password=geheim123
start_server locked --requirepass $password
locked=127.0.0.1:$locked_port
echo $password >password_file
: >empty
shows_none() { # shows_none COMMAND...: requires that the output does not contain the password
  "$@" >out 2>&1 </dev/null
  [ -s out ] && ! grep -q $password out
}
check "none" refuses 3 NOAUTH redis drop --key x --url redis://$locked
check "of the environment" exits 1 env BLOOMETRY_REDIS_PASSWORD=$password "$bloometry" redis drop --key x --url redis://$locked
check "of a file" exits 1 redis drop --key x --url redis://$locked --password-file password_file
check "of the URL" exits 1 redis drop --key x --url redis://:$password@$locked
check "of the URL, as --url=" exits 1 redis drop --key x --url=redis://default:$password@$locked
check "of a URL of the environment" exits 1 env BLOOMETRY_REDIS_URL=redis://:$password@$locked "$bloometry" redis drop --key x
check "with a user" exits 1 redis drop --key x --url redis://$locked --user default --password-file password_file
check "a wrong one" refuses 3 WRONGPASS redis drop --key x --url redis://:$password.@$locked
check "two that differ" refuses 2 'must not contain different passwords' env BLOOMETRY_REDIS_PASSWORD=other "$bloometry" redis drop --key x --url redis://$locked --password-file password_file
check "an empty file" refuses 2 '^bloometry: --password-file must contain a password' redis drop --key x --url redis://$locked --password-file empty
check "two users" refuses 2 '^bloometry: --user must be the user in the URL' redis drop --key x --url redis://a:$password@$locked --user b
check "a wrong password is not printed" shows_none redis drop --key x --url redis://:$password.@$locked
check "nor in a superfluous argument" shows_none redis drop --key x redis://:$password@$locked
check "nor in a misspelt option" shows_none redis drop --key x --ulr=redis://:$password@$locked
check "nor in place of a command" shows_none redis redis://:$password@$locked
check "nor in a URL that is none" shows_none redis drop --key x --url redis:/:$password@$locked
check "nor with a port that is none" shows_none redis drop --key x --url redis://:$password@$locked:port
check "nor in --help" shows_none redis drop --url redis://:$password@$locked --help
redis load standard.bloom --key seen --url redis://:$password@$locked >out 2>err
check "nor by load" bash -c "[ -s out ] && ! grep -q $password out err"
for form in "--url redis://default:$password@$locked" "--url=redis://:$password@$locked"; do
  rm -f answers
  "$bloometry" redis query --key seen $form <keys >answers &
  query_pid=$!
  exec 7>keys
  echo 1 >&7
  for _ in {1..100}; do [ -s answers ] && break; sleep 0.05; done
  check "it answers" grep -qx 1 answers
  check "/proc has the command line without the password" bash -c "tr '\0' ' ' </proc/$query_pid/cmdline >line; grep -q '\*@$locked' line && ! grep -q $password line"
  exec 7>&-
  wait $query_pid
done
check "the server's log has no password" bash -c "! grep -q $password locked.log"

# Tests RedisBloom with the substitute server fake_redisbloom.py, because Debian does not package the module.
/usr/bin/python3 "$here/fake_redisbloom.py" --max-chunk 1000 >fake_port &
pids+=($!)
for _ in {1..100}; do [ -s fake_port ] && break; sleep 0.05; done
fake=redis://127.0.0.1:$(cat fake_port)
filter build members --to redisbloom -p 0.01 --quiet -o items.dump
check "a server without the module" refuses 3 'does not support BF.LOADCHUNK' redis load items.dump --from redisbloom --key items
check "load a dump" says '^items: redisbloom, m = .*; in 1 key of the module; expires in 100 seconds' redis load items.dump --from redisbloom --key items --ttl 100 --url "$fake"
check "pull it" redis pull --from redisbloom --key items -o pulled --url "$fake"
check "the same bytes of the dump" cmp items.dump pulled
check "no shards" refuses 2 '^bloometry: --shards must be left out' redis load items.dump --from redisbloom --key items --shards 2 --url "$fake"
check "a scheme is refused with it" refuses 2 '^bloometry: --scheme must be left out with --from redisbloom' redis pull --from redisbloom --scheme jedis --key items -o pulled --url "$fake"
check "a dump that is missing" refuses 3 "key 'no' does not exist" redis pull --from redisbloom --key no -o pulled --url "$fake"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
