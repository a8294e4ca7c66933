#!/usr/bin/env bash
# Tests `bloometry filter check`.
#
# usage: check_command.sh PROGRAM
set -uo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/command_checks.sh"

counters() { echo "--counters negatives=$1,positives=$2,true=$3"; }
sound=$(counters 985100 14900 5000)
# verdict_of TEXT COMMAND...: the command prints the verdict, and exits with 1 exactly if it is an alarm.
verdict_of() {
  local verdict=$1 code
  shift
  "$@" >output 2>&1
  code=$?
  [[ $verdict == overfull || $verdict == "hash suspect" ]] && [ "$code" -ne 1 ] && return 1
  [[ $verdict == sound || $verdict == undecided ]] && [ "$code" -ne 0 ] && return 1
  grep -q "^verdict  *$verdict\$" output
}

seq 1 20000 >keys
seq 1 30000 >many
check "build" filter build keys -p 0.01 -o f.bloom
check "a filter of its rate is sound" verdict_of sound filter check f.bloom $sound
check "true positives do not count" says '^measured rate  *0.00995,' filter check f.bloom $sound
check "they are not absent keys" says '^counted  *9,900 false positives of 995,000 queries' filter check f.bloom $sound
check "twice the rate is suspect" verdict_of "hash suspect" filter check f.bloom $(counters 980000 24000 4000)
check "few queries are undecided" verdict_of undecided filter check f.bloom $(counters 90 1 0)
check "the number of queries is stated" says '9,[0-9]* queries of absent keys at this rate .* and 91 are counted' \
  filter check f.bloom $(counters 90 1 0)
check "so are the counted ones" says ' and 5,000 are counted$' filter check f.bloom $(counters 4950 50 0)
check "build of too many keys" filter build many -n 20000 -p 0.01 -o over.bloom
check "too many keys are overfull" verdict_of overfull filter check over.bloom $(counters 970 30 0)
check "twice their rate is overfull, too" verdict_of overfull filter check over.bloom $(counters 900000 100000 0)
check "repeats forgive" verdict_of undecided filter check f.bloom $(counters 980 100 0) --max-repeats 100

# Generations that only ticks close.
seq 1 50 >some
seq 1 450 >more
check "build of generations that ticks close" filter build more --variant rotating -n 1000 -p 0.01 --param rotation=ticks -o ticks.bloom
check "an overfull generation" verdict_of overfull filter check ticks.bloom $(counters 970 30 0)
check "a tick" filter tick ticks.bloom
check "it is overfull as long as the filter has its cells" verdict_of overfull filter check ticks.bloom $(counters 970 30 0)
check "build" filter build some --variant rotating -n 1000 -p 0.01 --param rotation=ticks -o ticks.bloom
check "a check before it is overfull" exits 0 filter check ticks.bloom $(counters 970 3 0) --state of_ticks
check "more keys than a generation is sized for" filter add ticks.bloom more
for i in {1..8}; do filter tick ticks.bloom >/dev/null; done
check "the rate in between is unknown" exits 2 filter check ticks.bloom $(counters 600 400 0) --state of_ticks
rm -f of_overfull
check "build of an overfull generation" filter build more --variant rotating -n 1000 -p 0.01 --param rotation=ticks -o gone.bloom
check "its first check" exits 1 filter check gone.bloom $(counters 970 30 0) --state of_overfull
for i in {1..8}; do filter tick gone.bloom >/dev/null; done
check "the check after it was cleared is refused" exits 2 filter check gone.bloom $(counters 600 400 0) --state of_overfull
check "a new state" exits 0 filter check ticks.bloom $(counters 970 3 0) --state of_ticks --reset

# Every variant and format has a verdict, or one line with the reason.
for variant in $("$bloometry" variants --json | /usr/bin/python3 -c 'import json, sys; print(*[v["name"] for v in json.load(sys.stdin)["variants"]])'); do
  check "$variant: build" filter build keys -n 20000 -p 0.01 --variant "$variant" -o v.bloom
  check "$variant: empty counters are undecided" verdict_of undecided filter check v.bloom $(counters 10 0 0)
  check "$variant: half the queries" verdict_of "hash suspect" filter check v.bloom $(counters 500 500 0)
done
for format in guava go_bits_and_blooms redisbloom parquet_sbbf dcso; do
  check "$format: build" filter build keys -n 20000 -p 0.01 --to $format -o f.$format
  check "$format: half the queries" verdict_of "hash suspect" filter check f.$format --from $format $(counters 500 500 0)
done
for format in jedis pyrebloom go_seeded; do
  check "$format: build" filter build keys --to $format -m 200000 -k 7 -o f.$format
  check "$format: half the queries" verdict_of "hash suspect" \
    filter check f.$format --from $format -m 200000 -k 7 $(counters 500 500 0)
done
check "php3: build" filter build keys --to php3 -m 196608 -o f.php3
check "php3 has no rate" exits 2 filter check f.php3 --from php3 -m 196608 $sound
check "the reason has one line" says '^bloometry: FILTER must be a filter whose rate is known, got php3' \
  filter check f.php3 --from php3 -m 196608 $sound

# The state.
check "a new state" verdict_of sound filter check f.bloom $sound --state s
check "a second check" says ' after 2 checks' filter check f.bloom $sound --state s
check "an alarm" verdict_of "hash suspect" filter check f.bloom $(counters 900 100 0) --state s
check "it stays" verdict_of "hash suspect" filter check f.bloom $sound --state s
check "it is reset" verdict_of sound filter check f.bloom $sound --state s --reset
check "three small checks" verdict_of undecided filter check f.bloom $(counters 3960 40 0) --state small
check "the second" verdict_of undecided filter check f.bloom $(counters 3960 40 0) --state small
check "are one large check" verdict_of sound filter check f.bloom $(counters 3960 40 0) --state small
check "another false alarm is refused" exits 2 filter check f.bloom $sound --state s --false-alarm 0.01
check "a filter of other parameters is refused" says '^bloometry: --state must be a state of FILTER, got that of a filter with other' \
  bash -c "'$bloometry' filter build keys -p 0.02 -o other.bloom -q && '$bloometry' filter check other.bloom $sound --state s"
check "the same with fewer keys" says '^bloometry: --state must be a state of FILTER, got that of a filter with .* set cells, more than' \
  bash -c "head -n 10 keys | '$bloometry' filter build - -n 20000 -p 0.01 -o few.bloom -q && '$bloometry' filter check few.bloom $sound --state s"
cp s before
sed 's/"num_checks": 1/"num_checks": 2/' before >s
check "a changed state is refused" says '^bloometry: --state: .*s is damaged' filter check f.bloom $sound --state s
head -c 200 before >s
check "a cut state is refused" exits 2 filter check f.bloom $sound --state s
check "it is unchanged" test "$(wc -c <s)" -eq 200
check "a reset accepts it" verdict_of sound filter check f.bloom $sound --state s --reset
check "a state is no filter" exits 2 filter check f.bloom $sound --state f.bloom --reset
cp keys mine
check "a reset does not replace other files" exits 2 filter check f.bloom $sound --state mine --reset
check "they are unchanged" cmp keys mine
check "a folder that does not exist" exits 2 filter check f.bloom $sound --state no/state
for i in {1..20}; do filter check f.bloom $(counters 990 10 0) --state both >/dev/null & done
wait
check "of 20 commands at once, no check is lost" says '"num_checks": 21' filter check f.bloom $sound --state both --json

# Bad input.
for bad in negatives=1,positives=1 negatives=1,positives=1,true=2 negatives=1,positives=1,true=0,true=0 negatives=1.5,positives=1,true=0 \
  negatives=-1,positives=1,true=0 negatives=x,positives=1,true=0 hits=1,positives=1,true=0 negatives=0,positives=0,true=0 negatives=0,positives=2,true=2; do
  check "$bad" exits 2 filter check f.bloom --counters $bad
done
check "without counters" exits 2 filter check f.bloom
check "--reset without a state" exits 2 filter check f.bloom $sound --reset
check "--false-alarm 0" exits 2 filter check f.bloom $sound --false-alarm 0
check "--json and --prometheus" exits 2 filter check f.bloom $sound --json --prometheus
check "a missing filter" exits 2 filter check missing.bloom $sound --state new
check "leaves no state" test ! -e new

# Other outputs.
check "JSON" bash -c "'$bloometry' filter check f.bloom $sound --json | /usr/bin/python3 -c 'import json, sys; c = json.load(sys.stdin); assert c[\"verdict\"] == \"sound\" and c[\"measured_rate\"] == 9900 / 995000'"
check "Prometheus" says '^bloometry_filter_alarm{file="f.bloom"} 0$' filter check f.bloom $sound --prometheus
check "every sample has its type" bash -c "'$bloometry' filter check f.bloom $sound --prometheus | awk '/^# TYPE/ { types[\$3] = 1 } !/^#/ { sub(/{.*/, \"\"); if (!types[\$1]) exit 1 }'"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
