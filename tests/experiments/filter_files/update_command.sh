#!/usr/bin/env bash
# Tests `bloometry filter add`, `filter erase` and the keys of `--key`.
#
# usage: update_command.sh PROGRAM
set -uo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/command_checks.sh"

seq 1 10000 >first
seq 10001 20000 >second
cat first second >both

# A filter that was extended must equal a filter that was built from all keys.
for variant in $("$bloometry" variants --json | /usr/bin/python3 -c 'import json, sys; print(*[v["name"] for v in json.load(sys.stdin)["variants"]])'); do
  [ "$variant" = scalable ] && size="-n 5000 -p 0.01" || size="-n 20000 -p 0.01"
  check "$variant: build" filter build first $size --variant "$variant" -o "$variant.bloom"
  check "$variant: build of all" filter build both $size --variant "$variant" -o all.bloom
  check "$variant: add" filter add "$variant.bloom" second
  check "$variant: the same file" cmp "$variant.bloom" all.bloom
done
for format in guava go_bits_and_blooms go_bits_and_blooms_json redisbloom parquet_sbbf dcso; do
  check "$format: build" filter build first -n 20000 -p 0.01 --to $format -o f.$format
  check "$format: build of all" filter build both -n 20000 -p 0.01 --to $format -o all.$format
  check "$format: add" filter add f.$format second --from $format
  check "$format: the same file" cmp f.$format all.$format
done
for format in jedis pyrebloom go_seeded php3; do
  m=$([ $format = php3 ] && echo 196608 || echo 200000) k=$([ $format = php3 ] && echo 3 || echo 7)
  check "$format: build" filter build first --to $format -m $m -k $k -o f.$format
  check "$format: build of all" filter build both --to $format -m $m -k $k -o all.$format
  check "$format: add" filter add f.$format second --from $format -m $m -k $k
  check "$format: the same file" cmp f.$format all.$format
done
head -c 16 /dev/urandom | od -An -tx1 | tr -d ' \n' >secret
check "a secret hash: build" filter build first -n 20000 --hash siphash_2_4_128 --secret secret -o s.bloom
check "a secret hash needs its secret" exits 2 filter add s.bloom second
check "a secret hash: add" filter add s.bloom second --secret secret
check "a secret hash: all are present" filter query s.bloom both --secret secret -q
check "a scalable filter grows" says '"num_stages": [3-9]' filter info scalable.bloom --json
check "RedisBloom grows" bash -c "'$bloometry' filter build first -n 5000 --to redisbloom -o g.dump -q && '$bloometry' filter add g.dump second --from redisbloom && '$bloometry' filter query g.dump both --from redisbloom -q"

check "a rate that one key allows is accepted before the keys are counted" filter build --key a -p 1e-18 -o low.bloom

# Notes, warnings, permissions and links.
check "the file counts the added keys" says '"num_inserted": 20000,' filter info standard.bloom --json
check "too many keys are reported" says 'warning: about (29|30),[0-9]+ keys are in a filter that is sized for 20,000; the filter.s rate is 0.0[4-9]' bash -c "cp standard.bloom o.bloom; seq 20001 30000 | '$bloometry' filter add o.bloom"
check "repeated keys do not warn" test -z "$(cp standard.bloom o.bloom; filter add o.bloom first 2>&1 | grep warning)"
check "it says how many keys are new" says '^o.bloom: 10,000 keys added, [0-9]+ of them new; standard, m = ' filter add o.bloom first
check "--quiet says nothing" test -z "$(filter add o.bloom first --quiet 2>&1)"
check "permissions are kept" bash -c "chmod 640 o.bloom; '$bloometry' filter add o.bloom --key x && [ \$(stat -c %a o.bloom) = 640 ]"
check "a link is followed" bash -c "ln -s o.bloom soft.bloom; '$bloometry' filter add soft.bloom --key linked && [ -L soft.bloom ] && '$bloometry' filter query o.bloom --key linked -q"
check "repeated inserts: the rate is not exact" says '^expected rate, model of estimated keys +0\.0[01][0-9]+ for about (19|20),[0-9]+ distinct keys$' filter info o.bloom
check "and the inserts are named" says '^inserts +[2-5][0-9],[0-9]{3}, repeated keys included$' filter info o.bloom
check "a remark says why" says '^remark +the set cells are those of about (19|20),[0-9]+ distinct keys, so that inserts were repeated, or keys have equal hashes$' filter info o.bloom
check "JSON has no exact rate" says '"expected_false_positive_rate": null' filter info o.bloom --json
check "distinct inserts have an exact rate" says '^expected rate, exact +0\.00[0-9]+ for 20,000 inserts, if all keys are distinct$' filter info standard.bloom
check "a filter without the count stays without it" bash -c "cp standard.bloom m1.bloom; '$bloometry' filter merge m1.bloom standard.bloom -o m.bloom && '$bloometry' filter add m.bloom --key x && ! '$bloometry' filter info m.bloom --json | grep -q num_inserted"

if [ "$(id -u)" = 0 ]; then
  check "the owner is kept" bash -c "chown 65534:65534 o.bloom; '$bloometry' filter add o.bloom --key y && [ \$(stat -c %u:%g o.bloom) = 65534:65534 ]"
else
  echo "skipped: only root can give a file away"
fi

# A program without the lock changes the file while `add` reads its keys from a pipe.
changed_by() {
  cp standard.bloom r.bloom
  { echo y1; while flock -n r.bloom true; do sleep 0.01; done; eval "$1"; echo y2; } |
    "$bloometry" filter add r.bloom - >/dev/null 2>message
  [ $? = 3 ] && grep -q 'run the command again' message
}
check "a file that was replaced is left as it is" eval "changed_by 'cp o.bloom n.bloom; mv n.bloom r.bloom' && cmp r.bloom o.bloom"
check "a file that was written is left as it is" eval "changed_by 'cat o.bloom >r.bloom' && cmp r.bloom o.bloom"
check "a file that was removed does not come back" eval "changed_by 'rm r.bloom' && ! [ -e r.bloom ]"

# Erase.
cp counting.bloom e.bloom
check "erase" says '^e.bloom: 10,000 keys erased; counting, ' filter erase e.bloom second
filter build first -n 20000 -p 0.01 --variant counting -o first.bloom -q
check "only the other keys remain" says 'bits that differ: 0$' filter diff e.bloom first.bloom
check "the count of keys is dropped" bash -c "! '$bloometry' filter info e.bloom --json | grep -q num_inserted"
"$bloometry" filter build first --variant counting --param counter_bits=1 -n 10000 -o one_bit.bloom -q
check "keys that saturated counters keep are reported" says '^bloometry: warning: [0-9]+,[0-9]+ decrements were omitted' filter erase one_bit.bloom first
check "absent keys: exit 1" exits 1 filter erase e.bloom --key 1 --key absent1 --key absent2
check "the present key was erased" exits 1 filter query e.bloom --key 1 -q
check "absent keys are named" says "^bloometry: 7 keys absent: 'no1', 'no2', 'no3', 'no4', 'no5', ...$" bash -c "for i in 1 2 3 4 5 6 7; do echo no\$i; done | '$bloometry' filter erase e.bloom"
check "a key that was inserted once is erased once" bash -c "'$bloometry' filter erase e.bloom --key 2 --key 2; [ \$? -eq 1 ]"
cp e.bloom kept
check "nothing to erase" exits 1 filter erase e.bloom --key absent
check "leaves the file" cmp e.bloom kept
check "--quiet has the exit code" exits 1 filter erase e.bloom --key absent -q
check "integers that are absent" says 'bloometry: 1 key absent: 6162636465666768$' bash -c "printf abcdefgh | '$bloometry' filter erase e.bloom --format u64le"
cp standard.bloom kept
check "a variant that cannot erase" says '^bloometry: standard cannot erase keys; variants that can: counting, ' filter erase standard.bloom first
check "exit 2" exits 2 filter erase standard.bloom first
check "the file is unchanged" cmp standard.bloom kept
check "a format that cannot erase" says '^bloometry: files of guava cannot erase keys; variants that can: counting, ' filter erase f.guava first --from guava

# Errors leave the file unchanged.
check "a missing filter" says '^bloometry: none.bloom must be a filter file: No such file or directory$' filter add none.bloom first
check "no file is made" test ! -e none.bloom
check "keys and filter are one file" says '^bloometry: FILTER must not be an input file, got standard.bloom$' filter add standard.bloom standard.bloom
check "also through standard input" bash -c "'$bloometry' filter add standard.bloom <standard.bloom; [ \$? -eq 2 ]"
check "empty keys" exits 2 bash -c "'$bloometry' filter add standard.bloom </dev/null"
check "--allow-empty" bash -c "'$bloometry' filter add standard.bloom --allow-empty </dev/null"
check "a folder" exits 2 filter add . first
gzip -c f.guava >z.guava
check "a compressed filter" says '^bloometry: z.guava must not be compressed, .* got gzip data; decompress the file first$' filter add z.guava first --from guava
check "a bit set of Go" bash -c "/usr/bin/python3 -c 'import struct, sys; sys.stdout.buffer.write(struct.pack(\">Q\", 200) + struct.pack(\">4Q\", 1, 0, 0, 0))' >bits.go
  '$bloometry' filter add bits.go --key x --from go_seeded -m 200 -k 3 2>err; [ \$? -eq 2 ] && grep -q 'must be a bitmap of Redis, .* got a bit set of Go' err"
check "a full filter of RedisBloom" bash -c "/usr/bin/python3 - <<'PY'
data = bytearray(open('f.redisbloom', 'rb').read())
data[12] |= 8  # does not scale
open('full.dump', 'wb').write(data)
PY
  cp full.dump kept; seq 1 60000 | '$bloometry' filter add full.dump --from redisbloom 2>err; [ \$? -eq 2 ] && grep -q 'is full: it does not scale' err && cmp full.dump kept"
check "no rights in the folder" bash -c "[ \$(id -u) -eq 0 ] || { mkdir locked; cp standard.bloom locked; chmod 500 locked; '$bloometry' filter add locked/standard.bloom first; [ \$? -eq 2 ]; }"

# Limited filters, whose size limits the number of keys.
for variant in $("$bloometry" variants --json | /usr/bin/python3 -c 'import json, sys; print(*[v["name"] for v in json.load(sys.stdin)["variants"] if v["is_limited"]])'); do
  check "$variant: a full filter is not written" exits 3 filter build first -n 1000 -p 0.01 --variant "$variant" -o full.bloom
  check "$variant: the message counts the keys" says '^bloometry: the filter has no room for another key after 1[0-9]{3} of the keys; no file was written; build a filter for more keys \(-n\)(, or one that doubles on its own \(--param max_capacity=N\))?$' filter build first -n 1000 -p 0.01 --variant "$variant" -o full.bloom
  check "$variant: the file does not exist" test ! -e full.bloom
  cp "$variant.bloom" full.bloom
  check "$variant: keys without room are not added" exits 3 filter add full.bloom <(seq 20001 60000)
  check "$variant: the file is as it was" cmp full.bloom "$variant.bloom"
  check "$variant: erase makes room" bash -c "'$bloometry' filter erase full.bloom first && seq 20001 28000 | '$bloometry' filter add full.bloom && '$bloometry' filter query full.bloom second -q"
  rm full.bloom
done
seq 9 | sed 's/.*/same/' >copies
check "cuckoo: a ninth copy of a key" says '^bloometry: the filter has no room for another copy of a key after 8 of the keys; no file was written; cuckoo has room for 8 copies of a key at any size; leave out repeated keys, or use .*d_left' filter build copies -n 1000 -p 0.01 --variant cuckoo -o copies.bloom
check "cuckoo: buckets of 2 cells" says '^bloometry: .* after 4 of the keys; .* room for 4 copies' filter build copies -n 1000 -p 0.01 --variant cuckoo --param bucket_cells=2 -o copies.bloom
check "d_left counts the copies" filter build copies -n 1000 -p 0.01 --variant d_left -o copies.bloom
check "d_left: a larger max_capacity" says '^bloometry: the filter has no room for another key after [0-9]+ of the keys; no file was written; build a filter with a larger max_capacity$' filter build first -n 1000 -p 0.01 --variant d_left --param max_capacity=2000 -o never.bloom
cp d_left.bloom full.bloom
check "d_left: add advises grow" says '^bloometry: the filter has no room for another key after [0-9]+ of the keys; no file was written; `bloometry filter grow` doubles its room$' filter add full.bloom <(seq 20001 60000)
rm full.bloom
cp d_left.bloom grown.bloom
check "grow says the size before and after" says '^grown.bloom: [0-9.]+ KiB before, now d_left, m = ' filter grow grown.bloom
check "a grown filter contains the keys" filter query grown.bloom both -q
check "a grown filter has the same answers" bash -c "cmp <(seq 20001 60000 | '$bloometry' filter query grown.bloom) <(seq 20001 60000 | '$bloometry' filter query d_left.bloom)"
check "a grown filter has room" bash -c "seq 20001 38000 | '$bloometry' filter add grown.bloom && '$bloometry' filter query grown.bloom both -q"
check "grow until the remainders have one bit" bash -c "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do '$bloometry' filter grow grown.bloom -q 2>err || break; done; grep -q 'remainder_bits must be at least 2 for a filter that doubles, got 1' err && '$bloometry' filter query grown.bloom both -q"
check "build a filter that doubles on its own" says '^growing.bloom: 10,000 keys in d_left, m = ' filter build first -n 1000 -p 0.01 --variant d_left --param max_capacity=60000 -o growing.bloom
check "add doubles it" bash -c "seq 10001 60000 | '$bloometry' filter add growing.bloom && [ \$('$bloometry' filter info growing.bloom --json | /usr/bin/python3 -c 'import json, sys; print(json.load(sys.stdin)[\"num_cells\"])') -eq 86016 ]"
check "it contains all keys" bash -c "seq 1 60000 | '$bloometry' filter query growing.bloom -q"
check "it equals the filter that was built at once" bash -c "seq 1 60000 | '$bloometry' filter build -n 1000 -p 0.01 --variant d_left --param max_capacity=60000 -o once.bloom && cmp once.bloom growing.bloom"
check "after its last doubling, keys without room are not added" bash -c "cp growing.bloom kept; seq 60001 120000 | '$bloometry' filter add growing.bloom 2>err; [ \$? -eq 3 ] && cmp growing.bloom kept"
check "an early doubling on request keeps capacity and target rate" bash -c "'$bloometry' filter build first -n 20000 -p 0.01 --variant d_left --param max_capacity=60000 -o early.bloom && '$bloometry' filter grow early.bloom && '$bloometry' filter info early.bloom --json | grep -q '\"capacity\": 60000,' && '$bloometry' filter info early.bloom | grep -q '^max capacity  *60,000 keys' && '$bloometry' filter info early.bloom | grep -q '^target rate  *0.01'"
check "info shows the room up to max_capacity" says '^room  *about 50,000 more distinct keys at the target rate' filter info early.bloom
check "max_capacity below the capacity" says '^bloometry: max_capacity must be at least the capacity, 1000, got 999' filter build first -n 1000 -p 0.01 --variant d_left --param max_capacity=999 -o never.bloom
check "a standard filter cannot be grown" says '^bloometry: standard cannot be grown; variants that can: d_left' filter grow standard.bloom

"$bloometry" filter build both -n 20000 -p 0.01 --variant rotating --param generations=4 -o rotating.bloom >/dev/null
check "info prints the window" bash -c "'$bloometry' filter info rotating.bloom | grep -q '^window  *20,002 inserts with the key.s own, or 3 ticks'"
check "info prints whole parameters as integers" bash -c "'$bloometry' filter info rotating.bloom --json | /usr/bin/python3 -c 'import json, sys; params = json.load(sys.stdin)[\"params\"]; sys.exit(repr(params[\"generations\"]) != \"4\" or repr(params[\"generation_capacity\"]) != \"6667\")'"
check "tick says what it forgot" says '^rotating.bloom: forgot the oldest generation, with [0-9,]+ inserts; 1 tick so far; rotating, m = ' filter tick rotating.bloom
check "keys of the newest generation are found after 3 ticks" bash -c "'$bloometry' filter add rotating.bloom --key fresh -q && for i in 1 2 3; do '$bloometry' filter tick rotating.bloom -q; done && '$bloometry' filter query rotating.bloom --key fresh -q"
check "and forgotten after 4" bash -c "'$bloometry' filter tick rotating.bloom -q && ! '$bloometry' filter query rotating.bloom --key fresh -q"
"$bloometry" filter build first -n 20000 -p 0.01 --variant rotating --param rotation=ticks --param generations=3 -o ticks.bloom 2>err
check "a generation of 10,000 inserts is not overfull" test ! -s err
check "one insert more is, until a tick" says '^bloometry: warning: 10,001 inserts are in a generation that is sized for 10,000; the filter.s rate is 0.0[0-9]* now; `bloometry filter tick` closes the generation$' filter add ticks.bloom --key more
"$bloometry" filter tick ticks.bloom >/dev/null
check "the closed generation is not reported again" bash -c "'$bloometry' filter add ticks.bloom --key new 2>err && [ ! -s err ]"
check "build reports an overfull generation" says '^bloometry: warning: 20,000 inserts are in a generation that is sized for 10,000; ' filter build both -n 20000 -p 0.01 --variant age_partitioned --param rotation=ticks --param generations=2 -o overfull.bloom
check "a standard filter does not forget" says '^bloometry: standard does not forget; variants that do: ' filter tick standard.bloom
check "a file of guava does not forget" exits 2 filter tick f.guava --from guava
check "a file of guava cannot be grown" exits 2 filter grow f.guava --from guava

# Keys on the command line.
check "--key of a member" test "$(filter query standard.bloom --key 17 --key 20000)" = "$(printf '17\n20000\n')"
check "--key with -q" filter query standard.bloom --key 17 -q
check "--key of an absent key" exits 1 filter query standard.bloom --key absent -q
check "--key does not read standard input" bash -c "timeout 5 '$bloometry' filter query standard.bloom --key 17 < <(sleep 10)"
check "build and query an empty key" bash -c "'$bloometry' filter build --key '' --key ' a b' -o k.bloom && '$bloometry' filter query k.bloom --key '' -q && '$bloometry' filter query k.bloom --key ' a b' -q && echo | '$bloometry' filter query k.bloom -q"
check "a key like an option" bash -c "'$bloometry' filter add k.bloom --key=--key && '$bloometry' filter query k.bloom --key=--key -q && echo ==--key | cut -c 3- | '$bloometry' filter query k.bloom -q"
check "--key in hexadecimal digits" filter query standard.bloom --key 3137 --format hex -q
check "--key of a field" filter query standard.bloom --key 17 --format csv:id -q
check "--key in UTF-16" bash -c "'$bloometry' filter build --key abc --key-encoding utf-16le -o u.bloom && '$bloometry' filter query u.bloom --key 610062006300 --format hex -q"
check "--key and files" says '^bloometry: --key must be left out with the key file first$' filter query standard.bloom first --key 1
check "--key and integers" says '^bloometry: --key must be left out with --format u64le$' filter query standard.bloom --key 1 --format u64le
check "--key with a line end" exits 2 filter query standard.bloom --key $'a\nb'
check "a key in place of a file" says '^bloometry: cannot open key file user5: No such file or directory; to give a key itself: --key user5$' filter query standard.bloom user5
check "a key with a space" says "to give a key itself: --key 'user 5'$" filter query standard.bloom 'user 5'
check "a file without rights has no hint" bash -c "[ \$(id -u) -eq 0 ] || { chmod 0 secret; ! '$bloometry' filter query standard.bloom secret 2>&1 | grep -q -- --key; }"
check "redis has another --key" bash -c "! '$bloometry' redis query user5 --key a 2>&1 | grep -q 'give a key itself'"
check "no temporary file is left" test -z "$(find . -name '*.tmp')"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
