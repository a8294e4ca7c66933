#!/usr/bin/env bash
# Measures which common defects (tests/support/defects/subjects.cpp) `bloometry verify --subject` detects with its
# default options. The defects have the sizes in the README and are tested with and without `fill`. Prints the verdicts,
# and the medians of two numbers: absent keys queried, and seconds until the verdict.
#
# usage: power.sh PATH_TO_BLOOMETRY PATH_TO_BLOOMETRY_ZOO [--long]
# --long  tests every defect with ten seeds, and 100 correct subjects (minutes); otherwise the fastest defects with one
# seed
set -uo pipefail
program=$(realpath "${1:?usage: power.sh BLOOMETRY BLOOMETRY_ZOO [--long]}")
zoo=$(realpath "${2:?usage: power.sh BLOOMETRY BLOOMETRY_ZOO [--long]}")
long=${3:-}

failed=0
claim=standard
median() { sort -g | awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] }'; }
format='%-26s %-6s %-22s %-18s %13s %9s  %s\n'

# judge SUBJECT CLAIM N M K SEED OPTION...: prints the verdict, the number of absent keys and the seconds
judge() {
  local subject=$1 claim=$2 n=$3 m=$4 k=$5 seed=$6 answer code verdict started
  shift 6
  started=$(date +%s.%N)
  answer=$("$program" verify --subject "'$zoo' $subject" --claim "$claim" -n "$n" -m "$m" -k "$k" --seed "$seed" --json --quiet "$@")
  code=$?
  verdict=failed
  [ "$code" -eq 0 ] && verdict=accepted
  [ "$code" -eq 1 ] && verdict=rejected
  grep -q '"undecided": true' <<<"$answer" && verdict=undecided
  printf '%s %s %s\n' "$verdict" "$(grep -om1 '"num_queries": [0-9]*' <<<"$answer" | cut -d' ' -f2)" \
    "$(awk -v from="$started" -v to="$(date +%s.%N)" 'BEGIN { print to - from }')"
}

# defect EXPECTED SEEDS NAME N M K OPTION...: judges against $claim, with and without fill. EXPECTED is rejected,
# accepted or any, or two of these with "/" between them.
defect() {
  local expected=$1 seeds=$2 name=$3 n=$4 m=$5 k=$6 fill verdicts results
  shift 6
  for fill in '' fill; do
    results=$(for seed in $(seq "$seeds"); do judge "$name $fill" "$claim" "$n" "$m" "$k" "$seed" "$@"; done)
    verdicts=$(awk '{ print $1 }' <<<"$results" | sort | uniq -c | awk '{ printf "%s%d %s", sep, $1, $2; sep = ", " }')
    # shellcheck disable=SC2059
    printf "$format" "$name" "${fill:--}" "n=$n m=$m k=$k" "$verdicts" "$(awk '{ print $2 }' <<<"$results" | median)" \
      "$(awk '{ print $3 }' <<<"$results" | median)" "$*"
    local wanted=${expected%/*}
    [ -n "$fill" ] && wanted=${expected#*/}
    if [ "$wanted" != any ] && [ "$verdicts" != "$seeds $wanted" ]; then
      failed=$((failed + 1))
      echo "FAILED: must be $seeds $wanted"
    fi
  done
}

# shellcheck disable=SC2059
printf "$format" defect fill claim verdicts "absent keys" seconds options
if [ "$long" != --long ]; then
  defect rejected/rejected 1 one_probe_fewer 1000 9586 7
  defect rejected/rejected 1 lost_inserts 1000 9586 7
else
  for name in one_probe_fewer one_probe_more tenth_of_cells_unused lost_inserts modulo_of_14_bits; do
    defect rejected/rejected 10 "$name" 1000 9586 7
  done
  defect any/rejected 10 stuck_bit_of_one_probe 1000 9586 7  # 6 % off at 1,000 keys
  defect any/any 10 modulo_of_16_bits 1000 9586 7
  defect any/any 10 double_hashing 256 2454 7
  # The defaults do not guarantee the detection of a rate that differs by less than 10 %.
  defect any/any 3 modulo_of_16_bits 1000 9586 7 --deviation 0.01 --loads 1  # 0.9 % off

  claim=blocked
  for name in block_one_probe_fewer block_one_probe_more tenth_of_blocks_unused half_of_blocks_unused honest_bits honest_blocked_256; do
    defect rejected/rejected 10 "$name" 1000 10240 6
  done
  defect rejected/rejected 10 block_probe_dropped_for_a_tenth 1000 20480 4
  defect any/any 3 block_probe_dropped_for_a_tenth 1000 10240 6  # 3 to 4 % off
  claim=split_block
  for name in lane_unused tenth_of_split_blocks_unused half_of_split_blocks_unused; do
    defect rejected/rejected 10 "$name" 1000 10240 8
  done

  accepted=0
  for seed in $(seq 101 125); do
    for claim in 'honest_bits standard 1000 9586 7' 'honest_bits+fill standard 256 2454 7' 'own_partitioned partitioned 100 1000 7' \
      'honest_counters+fill counting 300 2000 4'; do
      read -r name variant n m k <<<"$claim"
      verdict=$(judge "${name/+/ }" "$variant" "$n" "$m" "$k" "$seed")
      [ "${verdict%% *}" = accepted ] && accepted=$((accepted + 1)) || echo "$name $n $m $k, seed $seed: $verdict"
    done
  done
  echo "$accepted of 100 honest subjects accepted"
  [ "$accepted" -eq 100 ] || failed=$((failed + 1))
fi
[ "$failed" -eq 0 ]
