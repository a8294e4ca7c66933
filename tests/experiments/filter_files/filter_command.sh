#!/usr/bin/env bash
# Tests the command `bloometry filter` with pipes, signals, closed outputs and other programs' files.
#
# usage: filter_command.sh PROGRAM
set -uo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/command_checks.sh"

piped() { cat "$1" | "${@:2}"; } # piped FILE COMMAND...
nothing_beside() { [ -z "$(find . -name '*.tmp')" ]; }

seq 1 200000 >members
seq 200001 400000 >others

# The filter file must not depend on the number of threads, the key source and the order of options.
check "build from a file" filter build members -p 0.01 --out a.bloom --threads 1
check "from a pipe, spooled and counted" piped members filter build --threads 3 -o b.bloom
check "the same bytes" cmp a.bloom b.bloom
check "from a pipe with -n" piped members filter build -n 200000 -o c.bloom
check "the same bytes with -n" cmp a.bloom c.bloom
check "spooling is reported" says 'storing the keys of standard input in a temporary file' piped members filter build -o b.bloom
check "--quiet says nothing" test -z "$(filter build members --quiet -o b.bloom 2>&1)"
split -n l/7 members part.
check "from several files" filter build part.* -o d.bloom
check "the same bytes of several files" cmp a.bloom d.bloom
check "a file that was cut in lines elsewhere" bash -c "'$bloometry' filter build <(head -n 1000 members) <(tail -n +1001 members) -n 2e5 -o e.bloom && cmp a.bloom e.bloom"

# Queries.
check "all members are present" test "$(filter query a.bloom members --count)" -eq 200000
check "they are printed in order" bash -c "'$bloometry' filter query a.bloom members | cmp - members"
check "threads keep the order" bash -c "'$bloometry' filter query a.bloom members --threads 4 | cmp - members"
filter query a.bloom others >maybe
filter query a.bloom others --invert >absent
check "present and absent keys are all keys" test "$(sort maybe absent | sha256sum)" = "$(sort others | sha256sum)"
check "the rate is that of the file" bash -c "[ $(wc -l <maybe) -gt 1800 ] && [ $(wc -l <maybe) -lt 2200 ]"
check "--quiet: all present" exits 0 piped members filter query a.bloom --quiet
check "--quiet: one absent" exits 1 piped others filter query a.bloom --quiet
check "--quiet --invert: all absent" exits 0 piped absent filter query a.bloom --quiet --invert
check "no last line end is needed" test "$(printf '1\n2' | filter query a.bloom)" = "$(printf '1\n2\n')"
check "a pipe is answered at once" bash -c "timeout 7 head -n 1 < <('$bloometry' filter query a.bloom < <(echo 7; sleep 8)) | grep -qx 7"
check "a closed output ends quietly" bash -c "yes 1 | '$bloometry' filter query a.bloom 2>err | head -n 3 >/dev/null; [ ! -s err ]"
check "also if a closed pipe is not a signal" bash -c "trap '' PIPE; seq 1 400000 | '$bloometry' filter query a.bloom 2>err | head -n 3 >/dev/null; [ ! -s err ]"
check "constant memory" bash -c "ulimit -v 400000; yes 1 | head -n 30000000 | '$bloometry' filter query a.bloom --count --threads 1 | grep -qx 30000000"

# Formats of keys.
/usr/bin/python3 - <<'PY'
import struct
open("le", "wb").write(b"".join(struct.pack("<Q", i) for i in range(1000)))
open("be", "wb").write(b"".join(struct.pack(">Q", i) for i in range(1000)))
open("csv", "w").write('id,"the key"\n' + "".join('%d,"k,%d"\n' % (i, i) for i in range(1000)))
open("plain", "w").write("".join("k,%d\n" % i for i in range(1000)))
PY
check "u64le" filter build le --format u64le -o le.bloom
check "u64be" filter build be --format u64be -o be.bloom
check "the same integers" cmp le.bloom be.bloom
check "raw integers are printed unchanged" bash -c "'$bloometry' filter query le.bloom be --format u64be | cmp - be"
check "csv by name" filter build csv --format 'csv:the key' -o csv.bloom
check "the same keys as lines" bash -c "'$bloometry' filter build plain -o plain.bloom && cmp plain.bloom csv.bloom"
check "csv rows are printed with their names" bash -c "'$bloometry' filter query csv.bloom csv --format 'csv:the key' | cmp - csv"

for bits in 32 64; do
  code=$([ $bits = 32 ] && echo I || echo Q)
  /usr/bin/python3 -c "
import struct
for order, name in ('<', 'le'), ('>', 'be'):
    open('n' + name, 'wb').write(b''.join(struct.pack(order + '$code', i) for i in range(559903, 560903)))
open('hex', 'w').write(''.join(struct.pack('<$code', i).hex() + '\\n' for i in range(559903, 560903)))"
  for key_format in u${bits}le u${bits}be; do
    check "$key_format" filter build "n${key_format#u??}" --format $key_format -o "$key_format.bloom"
    check "$key_format: the same keys as hex" bash -c "'$bloometry' filter build hex --format hex -o hex.bloom && cmp hex.bloom $key_format.bloom"
  done
done
check "an incomplete integer" says 'must have a multiple of 4 bytes, .*, got 3 bytes after the last integer' bash -c "head -c 7 nle | '$bloometry' filter build --format u32le -n 9 -o x.bloom"
check "base64 in both alphabets" bash -c "printf '+/8=\n-_8\n' | '$bloometry' filter build --format base64 -n 9 -o b64.bloom && printf 'fbff\n' | '$bloometry' filter query b64.bloom --format hex --quiet"
check "UTF-16 keys need text" says '^bloometry: --format must be lines or csv:COLUMN with --key-encoding utf-16le, got hex' filter build hex --format hex --key-encoding utf-16le -o x.bloom
check "UTF-16 keys" bash -c "printf 'abc\n' | '$bloometry' filter build --key-encoding utf-16le --to guava -n 9 -o chars.guava && printf '610062006300\n' | '$bloometry' filter query chars.guava --from guava --format hex --quiet"
check "integers have no encoding" says '^bloometry: --format must be a format of text with --text-encoding, got u64le' filter build le --format u64le --text-encoding utf-8 -o x.bloom
check "unknown encoding" says "^bloometry: --text-encoding must be one of auto, .*got 'latin1'" filter build members --text-encoding latin1 -o x.bloom

# Encodings and compression.
gzip -c members >members.gz
{ printf '\xef\xbb\xbf'; cat members; } >members.bom
/usr/bin/python3 - <<'PY'
text = open("members").read()
for name in "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be":
    open("members." + name, "w", encoding=name, newline="").write(text.replace("\n", "\r\n"))
PY
for name in gz bom utf-16 utf-16-le utf-16-be utf-32 utf-32-le utf-32-be; do
  check "$name: the same keys" bash -c "'$bloometry' filter build members.$name -o e.bloom && cmp a.bloom e.bloom"
  check "$name: from a pipe" bash -c "cat members.$name | '$bloometry' filter build -n 200000 -o e.bloom && cmp a.bloom e.bloom"
  check "$name: standard input, counted" bash -c "'$bloometry' filter build -o e.bloom <members.$name && cmp a.bloom e.bloom"
  check "$name: printed in utf-8" bash -c "'$bloometry' filter query a.bloom members.$name | tr -d '\r' | cmp - members"
done
mkfifo fifo
{ cat members.gz >fifo & }
check "a compressed FIFO" bash -c "'$bloometry' filter build fifo -o e.bloom && cmp a.bloom e.bloom"
check "a mark of each file is removed" bash -c "head -n 100000 members.bom >1.bom; { printf '\xef\xbb\xbf'; tail -n +100001 members; } >2.bom
  '$bloometry' filter build 1.bom 2.bom -n 200000 -o e.bloom 2>/dev/null && cmp a.bloom e.bloom"
check "a mark is said once" test "$(filter build members.bom -o e.bloom 2>&1 | grep -c '^bloometry: members.bom: removed the byte order mark of utf-8$')" -eq 1
check "a mark is removed for csv:1 too" bash -c "printf '\xef\xbb\xbfabaisser\n' | '$bloometry' filter build --format csv:1 -n 9 -o mark.bloom && echo abaisser | '$bloometry' filter query mark.bloom --quiet"
check "--quiet does not report it" test -z "$(filter build members.bom --quiet -o e.bloom 2>&1)"
check "--text-encoding bytes keeps it" bash -c "'$bloometry' filter build members.bom --text-encoding bytes -o e.bloom; ! cmp -s a.bloom e.bloom"
check "several members of gzip" bash -c "{ head -n 1000 members | gzip; gzip </dev/null; tail -n +1001 members | gzip; } | '$bloometry' filter build -n 200000 -o e.bloom && cmp a.bloom e.bloom"
head -c 100000 members.gz >cut.gz
check "cut gzip is an error" exits 2 filter build cut.gz -n 200000 -o x.bloom
check "it names the file" says '^bloometry: cut.gz must be complete gzip data, got the end of the data after 100000 bytes$' filter build cut.gz -o x.bloom
check "of a query too" exits 2 filter query a.bloom cut.gz --count
check "bytes after gzip" says 'must be undamaged gzip data, got: incorrect header check after' bash -c "{ cat members.gz; echo x; } | '$bloometry' filter build -n 9 -o x.bloom"
check "no file is written" test ! -e x.bloom
check "a compressed line without end needs little memory" bash -c "ulimit -v 400000; head -c 1G /dev/zero | gzip -1 | '$bloometry' filter build -n 9 -o x.bloom 2>err; [ \$? -eq 2 ] && grep -q 'a line must be at most 16 MiB' err"
check "other binary data are a warning" says '^bloometry: warning: standard input must be text, got xz data; its bytes are used as keys' bash -c "printf '\xfd7zXZ\0\0\4\n' | '$bloometry' filter build -n 9 -o x2.bloom"
check "an unpaired surrogate" says ': line 2 must be well-formed utf-16le, got the unpaired surrogate 0xd800' bash -c "printf '\xff\xfea\0\n\0\0\xd8\n\0' | '$bloometry' filter build -n 9 -o x.bloom"
check "a pipe with a mark is answered at once" bash -c "timeout 7 head -n 1 < <('$bloometry' filter query a.bloom < <(printf '\xef\xbb'; sleep 1; printf '\xbf7\n'; sleep 8)) | grep -qx 7"

# Empty inputs.
: >empty
printf 'id,name\n' >header.csv
check "an empty file" says '^bloometry: empty must contain at least one key, got an empty file; --allow-empty accepts it$' filter build members empty -o x.bloom
check "is bad input" exits 2 filter build empty -o x.bloom
check "an empty pipe" exits 2 piped empty filter build -o x.bloom
check "a file with only a mark" exits 2 bash -c "printf '\xef\xbb\xbf' | '$bloometry' filter build -o x.bloom"
check "a file with only a header" exits 2 filter build header.csv --format csv:id -o x.bloom
check "no file is written" test ! -e x.bloom
check "--allow-empty" filter build empty header.csv --allow-empty -o none.bloom
check "an empty line is a key" bash -c "echo | '$bloometry' filter build -o one.bloom"
check "a query of an empty pipe" piped empty filter query a.bloom
check "is not answered yes" exits 2 piped empty filter query a.bloom --quiet
check "a query of an empty file" exits 2 filter query a.bloom empty
check "--allow-empty accepts an empty file" filter query a.bloom empty --allow-empty --quiet

# Builds and queries a file of every variant and every other program's format.
for variant in $("$bloometry" variants --json | grep -o '^ *"name": "[a-z_]*"' | cut -d'"' -f4 | sort -u); do
  "$bloometry" theory "$variant" --help >/dev/null 2>&1 || continue
  filter build members --variant "$variant" -n 2e5 -p 0.01 --quiet -o "v.$variant" 2>err || { grep -q 'must be one of standard' err && continue; }
  check "$variant: all members present" test "$(filter query "v.$variant" members --count)" -eq 200000
  check "$variant: verify" filter verify "v.$variant"
done
check "variants were found" test -s v.standard -a -s v.scalable -a -s v.variable_increment
for format in guava go_bits_and_blooms go_bits_and_blooms_json redisbloom parquet_sbbf dcso; do
  check "$format: build" filter build members --to $format -o f.$format
  check "$format: query" test "$(filter query f.$format --from $format members --count)" -eq 200000
  check "$format: verify" filter verify f.$format --from $format
  check "$format: info" says 'distinct keys, estimated' filter info f.$format --from $format
  cut=$(($(wc -c <f.$format) - 1))
  head -c $cut f.$format >cut
  check "$format: cut short is damaged" exits 1 filter verify cut --from $format
done
for format in guava redisbloom dcso; do
  gzip -c f.$format >f.$format.gz
  check "$format: compressed" test "$(filter query f.$format.gz --from $format members --count)" -eq 200000
  head -c 1000 f.$format.gz >cut.gz
  check "$format: cut while compressed is damaged" exits 1 filter verify cut.gz --from $format
done
if command -v bloom >/dev/null; then
  check "the program of dcso writes gzip" bloom --gzip create -n 1000 -p 0.01 theirs.gz
  check "and inserts" bash -c "seq 1 1000 | bloom --gzip insert theirs.gz"
  check "it is gzip" gzip -t theirs.gz
  check "all keys are present" bash -c "seq 1 1000 | '$bloometry' filter query theirs.gz --from dcso --quiet"
  check "verify" filter verify theirs.gz --from dcso
fi
gzip -c a.bloom >a.gz
check "bloometry's own format is not read compressed" says '^bloometry: a.gz must be a filter file of bloometry, got gzip data; decompress the file first' filter info a.gz
check "a bitmap needs m and k" says '-k must be given: the number of hashes, which a bitmap of jedis does not contain' filter info f.guava --from jedis -m 1000
check "bitmap with m and k" bash -c "'$bloometry' filter build members --to pyrebloom -m 2000000 -k 5 -o f.py && '$bloometry' filter query f.py --from pyrebloom -m 2000000 -k 5 members --count | grep -qx 200000"

# A bitmap does not contain m and k. A wrong m is an error if the set bits show it, and is said to be unchecked if not.
head -n 2000 members >some
head -n 3 members >three
for scheme in jedis pyrebloom go_seeded; do
  check "$scheme: bitmap" filter build some --to $scheme -m 20000 -k 7 -o m.$scheme --quiet
  check "$scheme: the right m" says '^m.'$scheme': m must be in .(19|20)[0-9]*, 20[0-9]*. for these set bits; k could not be checked; this format does not have a checksum$' filter verify m.$scheme --from $scheme -m 20000 -k 7
  check "$scheme: the right m does not warn" test -z "$(filter query m.$scheme some --from $scheme -m 20000 -k 7 --quiet 2>&1)"
  for command in query info verify diff; do
    other=()
    [ $command = diff ] && other=(m.$scheme)
    code=2
    [ $command = verify ] && code=1
    check "$scheme: $command with a wrong m" exits $code filter $command m.$scheme "${other[@]}" --from $scheme -m 40000 -k 7
    check "$scheme: $command reports it" says "m.$scheme: -m must be in .[0-9]*, 20[0-9]*., because bit [0-9]* is the last of the [0-9,]* set bits, got 40000" filter $command m.$scheme "${other[@]}" --from $scheme -m 40000 -k 7
  done
  check "$scheme: few keys" filter build three --to $scheme -m 200 -k 3 -o w.$scheme --quiet
  check "$scheme: query of few keys warns" says "^bloometry: warning: w.$scheme: m and k could not be checked: these set bits only show that m must be in " filter query w.$scheme three --from $scheme -m 200 -k 3
  check "$scheme: but is answered" filter query w.$scheme three --from $scheme -m 200 -k 3 --quiet
  check "$scheme: info of few keys" says 'check of m and k  *m and k could not be checked' filter info w.$scheme --from $scheme -m 200 -k 3
  check "$scheme: JSON of few keys" says '"is_num_bits_checked": false' filter info w.$scheme --from $scheme -m 200 -k 3 --json
done
check "a bitmap that was cut" bash -c "head -c 2000 m.jedis >cut"
check "is damaged" says '^DAMAGED: cut: .* \(or the end of the bitmap is missing\)$' filter verify cut --from jedis -m 20000 -k 7
check "php3" filter build some --to php3 -m 8192 -o m.php3 --quiet
check "the m of php3 cannot be checked" says '^m.php3: m could not be checked: these set bits only show that m must be at least' filter verify m.php3 --from php3 -m 819200

# Merge, intersect, diff.
head -n 120000 members >left
tail -n 120000 members >right
check "left" filter build left -m 2e6 -k 5 -o left.bloom
check "right" filter build right -m 2e6 -k 5 -o right.bloom
check "whole" filter build members -m 2e6 -k 5 -o whole.bloom
check "merge" filter merge left.bloom right.bloom -o merged.bloom
check "the merged file equals the whole file except for the count of keys" says 'bits that differ: 0$' filter diff merged.bloom whole.bloom
check "diff of equal files" exits 0 filter diff whole.bloom whole.bloom
check "diff of others" exits 1 filter diff left.bloom right.bloom
check "diff estimates the common keys" says '(39|40|41),[0-9.]+ in both' filter diff left.bloom right.bloom
check "intersect" filter intersect left.bloom right.bloom -o common.bloom
check "common keys are present" bash -c "comm -12 <(sort left) <(sort right) | '$bloometry' filter query common.bloom --quiet"
check "other sizes do not merge" exits 2 filter merge left.bloom a.bloom -o nothing.bloom
check "and leave nothing" test ! -e nothing.bloom
check "one file is too few" exits 2 filter merge left.bloom -o nothing.bloom

# A folded filter must equal, bit for bit, the filter built with the small size.
check "large" filter build members -m 12582912 -k 5 -o large.bloom
check "fold by 6" filter fold large.bloom --divisor 6 -o small.bloom
check "built small" filter build members -m 2097152 -k 5 -o direct.bloom
check "the same file" cmp small.bloom direct.bloom
check "fold to a rate" says 'divided by 8$' filter fold large.bloom --to-rate 0.06 -o small.bloom
check "the rate is kept" bash -c "'$bloometry' filter info small.bloom --json | grep -q '\"false_positive_rate_given_state\": 0.0229'"
check "no smaller size" exits 1 filter fold small.bloom --to-rate 0.06 -o smaller.bloom
check "leaves nothing" test ! -e smaller.bloom
check "a divisor that does not divide" exits 2 filter fold large.bloom --divisor 7 -o smaller.bloom
check "its error names the option" says '^bloometry: --divisor must be a divisor of the filter .2, 3, 4, 6, 8, 12, .* and [0-9]+ more., got 7; .bloometry filter build --foldable. chooses' filter fold large.bloom --divisor 7 -o smaller.bloom
check "neither option" exits 2 filter fold large.bloom -o smaller.bloom

# Folds a RedisBloom dump that was sized for 8 times the number of keys. The folded bits must equal the bits of a dump
# for the actual number of keys.
head -n 10000 members >few
check "a large Parquet filter" filter build few --to parquet_sbbf -n 80000 -p 0.01 -o sb8.sbbf
check "large dump" filter build few --to redisbloom -n 80000 -p 0.001 -o large.dump
check "folded to its rate" says 'divided by 8$' filter fold large.dump --from redisbloom --to-rate 0.001 -o small.dump
check "built small" filter build few --to redisbloom -n 10000 -p 0.001 -o direct.dump
check "the same bits" bash -c "cmp <(tail -c 19776 small.dump) <(tail -c 19776 direct.dump)"
check "all members present" filter query small.dump --from redisbloom few --quiet
check "a Parquet filter folds" says 'divided by (8|16)$' filter fold sb8.sbbf --from parquet_sbbf --to-rate 0.01 -o sb1.sbbf

# Convert.
check "split_block with xxh64" filter build members --variant split_block --hash xxh64 -p 0.01 -o sb.bloom
check "to parquet" filter convert sb.bloom --to parquet_sbbf -o sb.sbbf
check "and back" filter convert sb.sbbf --from parquet_sbbf --to bloometry -o back.bloom
check "the same cells" says 'bits that differ: 0$' filter diff sb.bloom back.bloom
check "other hashes do not convert" exits 2 filter convert a.bloom --to guava -o g
check "the error states the remedy" says '^bloometry: [^ ]*: files of .* with hash .* cannot be converted to guava\. Build the filter .*`bloometry filter build KEYS --to guava -o FILE' filter convert a.bloom --to guava -o g

# Secrets.
echo 000102030405060708090a0b0c0d0e0f >secret
echo 100102030405060708090a0b0c0d0e0f >other_secret
check "build with a secret" filter build members --hash siphash_2_4_128 --secret secret -o secret.bloom
check "query with it" test "$(filter query secret.bloom members --secret secret --count)" -eq 200000
check "not without" exits 2 filter query secret.bloom members
check "another secret is refused" exits 2 filter query secret.bloom members --secret other_secret
check "the secret is in no file" bash -c "! grep -qaP '\x00\x01\x02\x03\x04\x05\x06\x07' secret.bloom"
check "more memory than any machine" says '^bloometry: the filter must fit in memory: cannot allocate 900.0 TiB' filter build members -m 900TiB -o x.bloom
check "is bad input" exits 2 filter build members -m 900TiB --to guava -o x.bloom
check "a hash that needs one" exits 2 filter build members --hash siphash_2_4 -o x.bloom

# Damage.
for at in 3 20 100 2000; do
  cp a.bloom bad.bloom
  printf '\xff' | dd of=bad.bloom bs=1 seek=$at conv=notrunc 2>/dev/null
  check "a changed byte at $at: verify" exits 1 filter verify bad.bloom
  check "a changed byte at $at: query" exits 2 filter query bad.bloom members --count
done
check "verify of no file" exits 2 filter verify no_such_file
check "verify of a folder" exits 2 filter verify .

# Counts of keys that cannot belong to the cells.
echo key >one
check "one key for DCSO" filter build one -n 1 -p 0.5 --to dcso -o one.dcso
check "one key for RedisBloom" filter build one -n 1 -p 0.1 --to redisbloom -o one.dump
{ head -c 40 one.dcso; printf '\x00'; tail -c +42 one.dcso; } >none.dcso
{ head -c 40 one.dcso; printf '\x09'; tail -c +42 one.dcso; } >joined.dcso
{ printf '\x5a'; head -c 36 one.dump | tail -c +2; printf '\x5a'; tail -c +38 one.dump; } >many.dump
few='the file, but its set bits are those of more: the filter is an intersection, or the count is wrong$'
check "DCSO: no keys with set bits is a remark" says "^remark: 0 keys are counted in $few" filter verify none.dcso --from dcso
check "the exit code" exits 0 filter verify none.dcso --from dcso
check "info prints it" says "^remark +0 keys are counted in $few" filter info none.dcso --from dcso
check "and no number of keys" says '^distinct keys +unknown: the set bits are those of more keys than the file counts' filter info none.dcso --from dcso
check "DCSO: a count above the set bits is a remark" says '^remark: the file counts 9 keys, more than the 1 set bit' filter verify joined.dcso --from dcso
check "RedisBloom: more keys than set bits" says '^DAMAGED: many.dump: redisbloom dump must have at most 5 items in link 0.* got 90' filter verify many.dump --from redisbloom
check "no answers" exits 2 filter query many.dump one --from redisbloom

# Limits of sizes, repeated keys, and merges of more keys than the capacity.
check "jedis cannot have the rate" says 'warning: jedis limits m to 2,147,483,647 bits; with 800,000,000 keys the rate is 0.2759, above the target rate of 0.01' "$bloometry" theory jedis -n 8e8 -p 0.01
check "parquet cannot have the rate" says 'warning: parquet_sbbf limits m to 1,073,741,824 bits; with 1,000,000,000 keys the rate is 0.9954' "$bloometry" size -n 1e9 -p 0.01 --emit parquet
check "nor in build" says 'warning: parquet_sbbf limits m' filter build one --to parquet_sbbf -n 1e9 -p 0.01 -o limited
rm -f limited
check "no warning without a limit" test -z "$("$bloometry" theory jedis -n 1e8 -p 0.01 2>&1 >/dev/null)"
check "converted past the capacity" says 'warning: about 400,000 keys are in a filter that is sized for 1,000; the filter.s rate is ' bash -c "'$bloometry' filter build members others --variant split_block --hash xxh64 -n 1000 -p 0.0001 -o over.bloom -q; '$bloometry' filter convert over.bloom --to parquet_sbbf -o over.sbbf"
printf 'x\nx\n' >twice
check "repeated keys are reported" says 'twice.bloom: 2 keys .about 1 distinct. in standard' filter build twice -p 0.01 -o twice.bloom
check "and how to save memory" says 'the filter is sized for 2 keys, about 1 of them distinct; -n 1 gives a smaller filter' filter build twice -p 0.01 -o twice.bloom
check "a repeated key leaves room" says '^room +about 1 more distinct key at the target rate' filter info twice.bloom
check "no note of distinct keys" test -z "$(filter build members -p 0.01 -o over.bloom 2>&1 | grep distinct)"
check "repeated keys do not exceed the capacity" test -z "$(filter build part.* part.* -n 200000 -o over.bloom 2>&1 | grep warning)"
check "half" filter build left -n 120000 -p 0.01 -o half1.bloom
check "other half" filter build right -n 120000 -p 0.01 -o half2.bloom
check "merged past the capacity" says 'warning: about (199|200),[0-9]+ keys are in a filter that is sized for 120,000; the filter.s rate is 0.08' filter merge half1.bloom half2.bloom -o merged.bloom
check "built past -n in a format without capacity" says 'warning: 120,000 keys were inserted into a filter that is sized for 30,000; the filter.s rate is 0.6' filter build left --to guava -n 30000 -o over.guava
check "no warning at -n" test -z "$(filter build left --to guava -n 120000 -o left.guava 2>&1 >/dev/null)"
check "the file shows the most keys of its m and k" says 'warning: about (119|120),[0-9]+ keys are in a filter that is sized for at most 33,[0-9]+ by its m and k; the filter.s rate is 0.6' filter convert over.guava --from guava --to jedis -o over.jedis
check "added past the capacity" says 'warning: about (199|200|201),[0-9]+ keys are in a filter that is sized for at most 13[0-9],[0-9]+ by its m and k; the filter.s rate is 0.0' filter add left.guava right --from guava
for format in redisbloom dcso guava jedis pyrebloom go_seeded go_bits_and_blooms; do
  size= limit='120,000'
  case $format in
    jedis | pyrebloom | go_seeded) size="-m 1150000 -k 7" ;;
  esac
  [ $format = redisbloom ] || [ $format = dcso ] || limit='at most 13[0-9],[0-9]+ by its m and k'
  for side in left right; do filter build $side --to $format -n 120000 $size -o $side.$format -q; done
  check "$format: merged past the capacity" says "^bloometry: warning: about (19[789]|20[01]),[0-9]+ keys are in a filter that is sized for $limit; the filter.s rate is 0.0" filter merge left.$format right.$format --from $format $size -o over.$format
  check "$format: one line" test "$(filter merge left.$format right.$format --from $format $size -o over.$format 2>&1 >/dev/null | wc -l)" -eq 1
  check "$format: merged with itself" test -z "$(filter merge left.$format left.$format --from $format $size -o over.$format 2>&1 >/dev/null)"
done
check "merged with itself" test -z "$(filter merge half1.bloom half1.bloom -o merged.bloom 2>&1 | grep warning)"

# Growing filters of extreme rates.
check "a rate that needs 65 hashes" filter build one -n 1 -p 3.6e-19 --variant scalable -o tiny.bloom
check "is described" says '^target rate +3.6e-19' filter info tiny.bloom
seq 1 5700 >some
check "58 stages" filter build some -n 100 -p 0.01 --variant scalable --param tightening_ratio=0.5 --param growth_factor=1 -o stages.bloom
check "are read" test "$(filter query stages.bloom some --count)" -eq 5700
check "and intact" filter verify stages.bloom

# The program must detect bad input before it reads or writes a file.
check "--out in a missing folder" exits 2 timeout 5 "$bloometry" filter build -o no/such/out <(sleep 10)
check "a missing file and a size that is impossible for -n, together" bash -c "'$bloometry' filter build no1 -n 1000 --bits-per-key 1e-4 -o x.bloom 2>err; [ \$? -eq 2 ] && grep -q 'key file no1' err && grep -q -- '--bits-per-key must' err"
check "two sizes, before keys are counted" bash -c "timeout 5 '$bloometry' filter build -m 1000 -p 0.01 -o x.bloom < <(sleep 10); [ \$? -eq 2 ]"
check "unknown variant" exits 2 filter build members --variant bloom -o x.bloom
check "its error names the option" says '^bloometry: --variant must be one of standard' filter build members --variant bloom -o x
check "unknown format" exits 2 filter build members --to cuckoo -o x.bloom
check "its error is one line" test "$(filter build members --to cuckoo -o x.bloom 2>&1 | grep -c .)" -eq 1
check "unknown probes" says "^bloometry: --probes of standard must be one of remix, .*got 'foo'" filter build members --probes foo -o x
check "a size lists the options of this command" says 'exactly one of -m, --bits-per-key and -p must be given, got -m, -p' filter build members -m 1000 -p 0.1 -o x
check "a missing secret" says '^bloometry: --secret must be the name of a file with 32 hexadecimal digits, got a name that cannot be opened: No such file' filter build members --hash siphash_2_4 --secret no1 -o x
text=$(cat secret)
for command in "build members --hash siphash_2_4_128 --secret $text -o x" "build $text -o x" "query $text members" "query secret.bloom $text --secret secret" \
  "query secret.bloom members --secret $text" "query secret.bloom members --secret=$text" "add $text members" "info $text" "info secret.bloom --secret $text" \
  "verify $text" "merge $text a.bloom -o x" "fold $text --divisor 2 -o x" "convert $text --to guava -o x" "diff a.bloom $text" "build members --secrets=$text -o x" "query secret.bloom members --secret ./$text"; do
  check "a secret in place of a file is not printed: ${command//$text/SECRET}" bash -c "'$bloometry' filter $command >out 2>&1; [ \$? -eq 2 ] && [ -s out ] && ! grep -q ${text:0:8} out"
done
check "an error in another format names the file" says '^bloometry: few: guava file must have' filter info few --from guava
check "unknown format to read" says '^bloometry: --from must be one of bloometry, guava' filter query a.bloom few --from cuckoo
check "unknown format to convert to" says '^bloometry: --to must be one of bloometry, guava' filter convert a.bloom --to cuckoo -o x
check "unknown format of keys" says "^bloometry: --format must be lines, .*got 'xml'" filter build members --format xml -o x
check "options of our own format" says '^bloometry: --hash must be left out with --to guava' filter build members --to guava --hash xxh64 -o x.bloom
check "missing files are all named" test "$(filter build no1 no2 -o x.bloom 2>&1 | grep -c 'cannot open key file')" -eq 2
check "cut integers" exits 2 filter build members --format u64le -n 10 -o x.bloom
check "no file is written" test ! -e x.bloom
check "too many keys are reported" says 'warning: 200,000 keys were inserted into a filter that is sized for 1,000; the filter.s rate is 1 now' filter build members -n 1000 -p 0.01 -o over.bloom

check "a closed standard input is not an empty one" exits 3 bash -c "'$bloometry' filter build -o a.bloom <&-"
check "keys are not replaced" exits 2 filter build members -o members
check "nor through standard input" exits 2 bash -c "'$bloometry' filter build -o members <members"
for command in "merge a.bloom a.bloom" "merge b.bloom ./a.bloom" "intersect a.bloom hard.bloom" "fold a.bloom --divisor 2" "convert soft.bloom --to parquet_sbbf"; do
  check "inputs are not replaced: $command" bash -c "cp a.bloom kept; ln -f a.bloom hard.bloom; ln -sf a.bloom soft.bloom
    '$bloometry' filter $command -o a.bloom 2>err; [ \$? -eq 2 ] && cmp a.bloom kept &&
    grep -qx 'bloometry: --out must not be an input file, got a.bloom' err"
done
check "a secret is not replaced" bash -c "head -c 16 /dev/urandom | od -An -tx1 | tr -d ' \n' >secret; cp secret kept
  '$bloometry' filter build members --hash siphash_2_4_128 --secret secret -o ./secret 2>err; [ \$? -eq 2 ] && cmp secret kept"
check "a link to a missing file is followed" bash -c "mkdir far; ln -s far/new.bloom dangling
  '$bloometry' filter build members -o dangling --quiet && [ -L dangling ] && '$bloometry' filter verify far/new.bloom"
check "a looping link is an error" bash -c "ln -s loop other; ln -s other loop
  '$bloometry' filter build members -o loop 2>err; [ \$? -eq 2 ] && [ -L loop ] &&
  grep -qx 'bloometry: loop must be a regular file, got a symbolic link in a loop' err"
for command in "build members" "merge a.bloom b.bloom" "fold a.bloom --divisor 2"; do
  check "a pipe is no output: $command" bash -c "set -o pipefail; '$bloometry' filter $command -o /dev/stdout 2>err | cat; [ \$? -eq 2 ] &&
    grep -qx 'bloometry: /dev/stdout must be a regular file, got a FIFO' err"
done
check "a name of 255 bytes" filter build members -o "$(printf 'x%.0s' {1..255})" --quiet
check "nor by a link" bash -c "ln -s members link; ! '$bloometry' filter build members -o link 2>/dev/null && [ \$(wc -l <members) -eq 200000 ]"
check "a format that cannot fold" says '^bloometry: --from must be one of bloometry, redisbloom, parquet_sbbf, got .guava' filter fold f.guava --from guava --divisor 2 -o x.bloom
check "a counting filter" filter build members --variant counting -o counting.bloom --quiet
check "a variant that cannot fold" says '^bloometry: FILTER must be a filter that can be folded .standard, partitioned, blocked, .*, except with some probes., got counting.bloom: counting with probes remix cannot be folded' filter fold counting.bloom --divisor 2 -o x.bloom
check "rates above 1" exits 2 filter fold large.bloom --to-rate 2 -o x.bloom
check "no temporary folder" bash -c "cat members | TMPDIR=/nonexistent '$bloometry' filter build -o x.bloom 2>err; [ \$? -eq 3 ] && grep -q 'TMPDIR. cannot be used' err"
check "php3 needs a size before it reads" bash -c "timeout 5 '$bloometry' filter build --to php3 -o x.bloom < <(sleep 10); [ \$? -eq 2 ]"
check "sizes in bytes for other programs" says '2 keys in guava, m = 524,288 bits' bash -c "printf '1\n2\n' | '$bloometry' filter build --to guava -m 64KiB -k 3 -o x.guava"
check "no size for redisbloom" says '^bloometry: -m must be left out: redisbloom' filter build members --to redisbloom -m 64KiB -o x.bloom
check "an answer does not wait for the rest of a pipe" bash -c "{ echo absent; sleep 20; } | { timeout 15 '$bloometry' filter query a.bloom --quiet --threads 4; echo \$? >code; } & for _ in {1..30}; do sleep 0.5; [ -s code ] && break; done; grep -qx 1 code"
check "a forgotten --from is hinted at" says 'got one of guava: give --from guava' filter info f.guava
check "a bitmap is hinted at" says 'for a file of another program, give its format by --from' filter info m.jedis
check "merge advises the format" says '^bloometry: f.dcso must be a filter file of bloometry, got one of dcso: give --from dcso$' filter merge f.dcso f.dcso -o x.bloom
check "and the option for bitmaps" says '^bloometry: m.jedis must be a filter file of bloometry; for a file of another program, give its format by --from$' filter intersect m.jedis m.jedis -o x.bloom
check "fold does not advise a format that it does not fold" says 'got one of guava, which this command does not read$' filter fold f.guava --divisor 2 -o x.bloom
check "keys in place of a filter" says '^bloometry: few must be a filter file of bloometry, got text: if these are keys, build a filter' filter query few a.bloom
check "a pickle" bash -c "/usr/bin/python3 -c 'import pickle; pickle.dump({1: bytes(8)}, open(\"p.pickle\", \"wb\"))'"
check "every command recognises a pickle" bash -c "for command in 'info p.pickle' 'verify p.pickle' 'query p.pickle few' 'merge p.pickle p.pickle -o x' 'fold p.pickle --divisor 2 -o x' 'convert p.pickle --to guava -o x' 'diff a.bloom p.pickle' 'info p.pickle --from guava'; do '$bloometry' filter \$command 2>&1 | grep -q 'got a pickle of Python: build a filter from its keys by .bloometry filter build' || exit 1; done"
check "a format without checksum is reported" says 'this format does not have a checksum' filter verify f.guava --from guava
check "data behind a filter of DCSO differ" bash -c "{ cat f.dcso; echo more; } >g.dcso; '$bloometry' filter diff f.dcso g.dcso --from dcso | grep -q attached_bytes"
check "names of columns end in a line of their own" bash -c "printf 'id,name' >h.csv; '$bloometry' filter query a.bloom h.csv csv --format csv:id --invert | head -n 1 | grep -qx 'id,name'"
rm -f x.guava

# After an interrupt, the old file must be unchanged, and temporary files must be removed.
cp a.bloom kept.bloom
for signal in INT TERM; do
  yes | "$bloometry" filter build -n 1e6 -o kept.bloom 2>err &
  pid=$!
  sleep 1.5
  kill -$signal "$(pgrep -P $$ -n bloometry || echo $pid)"
  wait $pid
  check "$signal: exit 130" test $? -eq 130
  check "$signal: said" grep -q 'interrupted; kept.bloom is unchanged' err
  check "$signal: the old file" cmp a.bloom kept.bloom
done
check "no temporary file is left" nothing_beside
check "a full disk is reported and the old file is kept" bash -c "ulimit -f 100; exits() { :; }; '$bloometry' filter build members -m 64MiB -k 7 -o kept.bloom 2>err; [ \$? -eq 3 ] && grep -q 'cannot write kept.bloom' err && cmp a.bloom kept.bloom"
check "no temporary file is left" nothing_beside

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
