#!/usr/bin/env bash
# Tests `bloometry filter merge`, `intersect`, `fold` and `build --foldable`: other programs' files, the note of an
# intersection, and the advice in errors.
#
# usage: combine_command.sh PROGRAM
set -uo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/command_checks.sh"

seq 1 200000 >members
head -n 120000 members >left
tail -n 120000 members >right
for name in left right; do filter build $name -m 2e6 -k 5 -o $name.bloom -q; done
filter build members -p 0.01 -o a.bloom -q
filter intersect left.bloom right.bloom -o common.bloom >/dev/null

check "the error advises a common size" says '^bloometry: left.bloom and a.bloom: num_bits must be equal in both filters, got 2000000 and 1918593; build both with the same -n and -p, or the same -m and -k$' filter merge left.bloom a.bloom -o nothing.bloom
check "a filter of half the size" filter build left -m 1e6 -k 5 -o half.bloom
check "the error names the fold" says '; build both with the same -n and -p, or the same -m and -k, or fold the second by 2 with .bloometry filter fold --divisor.$' filter merge half.bloom right.bloom -o nothing.bloom
check "the fold" filter fold right.bloom --divisor 2 -o half2.bloom
check "makes the merge possible" filter merge half.bloom half2.bloom -o halves.bloom

# An intersection, and what is made from it, gives no number of keys.
check "info of an intersection" says '^distinct keys +unknown: an intersection may have set bits' filter info common.bloom
check "no room" bash -c "! '$bloometry' filter info common.bloom | grep -qE '^(room|distinct keys, estimated)'"
check "no numbers in JSON" bash -c "'$bloometry' filter info common.bloom --json | tr -d '\n' | grep -q '\"estimated_num_keys\": null,.*\"num_keys\": null,.*\"num_keys_left\": null'"
check "merged with another" filter merge common.bloom left.bloom -o again.bloom
check "folded" filter fold again.bloom --divisor 2 -o again2.bloom
check "extended" filter add again2.bloom right
check "the note is kept" says '^distinct keys +unknown: an intersection may have set bits' filter info again2.bloom
check "diff does not estimate it" bash -c "'$bloometry' filter diff common.bloom left.bloom | { ! grep 'distinct keys, estimated'; }"

# Filters of other programs.
seq 1 20000 >few
head -n 12000 few >few_left
tail -n 12000 few >few_right
for format in guava go_bits_and_blooms go_bits_and_blooms_json redisbloom parquet_sbbf dcso jedis pyrebloom go_seeded php3; do
  case $format in
    php3) size="-m 196608" sizes=$size ;;
    jedis | pyrebloom | go_seeded) size="-m 200000 -k 7" sizes=$size ;;
    *) size="-n 20000 -p 0.01" sizes= ;;
  esac
  for name in few_left few_right few; do
    check "$format: $name" filter build $name --to $format $size -o $name.$format -q
  done
  check "$format: merge" filter merge few_left.$format few_right.$format --from $format $sizes -o merged.$format
  check "$format: merged bits" bash -c "'$bloometry' filter diff merged.$format few.$format --from $format $sizes | { ! grep 'bits that differ' | grep -v ': 0$'; }"
  check "$format: verify" filter verify merged.$format --from $format $sizes
  check "$format: intersect" says "warning: a file of $format cannot state that the filter is an intersection" filter intersect few_left.$format few_right.$format --from $format $sizes -o common.$format
  check "$format: verify common" filter verify common.$format --from $format $sizes
  check "$format: common keys" bash -c "comm -12 <(sort few_left) <(sort few_right) | '$bloometry' filter query common.$format --from $format $sizes -q"
done
# The counts of an intersection in files that have a count, and the remark that shows what the file is.
for format in dcso redisbloom; do
  for name in left right; do head -n 12000 $name >some_$name; filter build some_$name --to $format -n 20000 -p 0.01 -o some_$name.$format -q; done
  comm -12 <(sort some_left) <(sort some_right) | wc -l >num_common
  check "$format: intersect of disjoint sets" filter intersect some_left.$format some_right.$format --from $format -o none.$format
  check "$format: verify" says '^remark: [0-9]+ keys are counted in the file, but its set bits are those of more' filter verify none.$format --from $format
  check "$format: no estimate" bash -c "! '$bloometry' filter info none.$format --from $format | grep -qE '^(room|distinct keys, estimated|expected rate, )'"
  seq 1 12500 >five_left
  seq 7501 20000 >five_right
  for name in five_left five_right; do filter build $name --to $format -n 20000 -p 0.01 -o $name.$format -q; done
  filter intersect five_left.$format five_right.$format --from $format -o five.$format 2>/dev/null
  # The standard deviation is at most 23 keys (theory 2); the limits are at 5 of them.
  check "$format: 5,000 common keys" bash -c "n=\$('$bloometry' filter info five.$format --from $format --json | grep -o '\"num_inserted\": [0-9]*' | grep -o '[0-9]*'); [ \$n -gt 4885 ] && [ \$n -lt 5115 ]"
done
check "other parameters" says '^bloometry: few_left.guava and other.guava: num_bits must be equal in both filters, got 191744 and 95872$' bash -c "'$bloometry' filter build few_left --to guava -n 10000 -p 0.01 -o other.guava -q; '$bloometry' filter merge few_left.guava other.guava --from guava -o x.guava"

# Sizes with many divisors.
check "--foldable states its cost" says '--foldable adds 139,139 bits [(].1.45 %[)]; the size can be folded by [0-9]+ divisors$' filter build members -n 1e6 -p 0.01 --foldable -o foldable.bloom
check "it folds to a rate" says 'divided by [3-5]$' filter fold foldable.bloom -p 0.01 -o folded.bloom
check "a fold past the capacity is a warning" says '^bloometry: warning: about 8[0-9][0-9] keys are in a filter that is sized for 125; ' bash -c "seq 1000 >thousand; '$bloometry' filter build thousand -p 0.01 --foldable -o full.bloom -q; '$bloometry' filter fold full.bloom --divisor 8 -o over.bloom"
check "a size of -p does not" says 'every smaller filter has a rate above 0.01 .divisors: 11, 563, 1549, .*; the file was not written; .bloometry filter build --foldable. chooses' bash -c "'$bloometry' filter build members -n 1e6 -p 0.01 -o uneven.bloom -q; '$bloometry' filter fold uneven.bloom -p 0.01 -o folded.bloom"
check "--foldable with -m" says '--foldable adds 1,048,576 bits [(].0.1953 %[)]' filter build members -m 64MiB -k 7 --foldable -o foldable.bloom
for variant in partitioned blocked split_block lanes; do
  check "--foldable: $variant" says 'can be folded by [0-9]+ divisors$' filter build members -p 0.001 --variant $variant --foldable -o foldable.bloom
done
check "--foldable of a variant that cannot fold" says '^bloometry: --foldable must be left out for counting with probes remix; variants that can be folded: standard, ' filter build members --variant counting --foldable -o x.bloom
check "--foldable of another program" says '^bloometry: --foldable must be left out with --to guava' filter build members --to guava --foldable -o x.bloom

check "no temporary file is left" test -z "$(find . -name '*.tmp')"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
