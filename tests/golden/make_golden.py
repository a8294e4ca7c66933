#!/usr/bin/python3
"""Writes digests.json, hasher_digests.json, siphash.json and probe_positions.json: an independent
computation of the expected results of the C++ code.

Digests come from the shared library libxxhash (Debian libxxhash0 0.8.1, XXH3_128bits_withSeed), not
from the inlined header that the C++ code uses; so does XXH64. MD5 and CRC-32 come from Python's
hashlib and zlib. The other families are implemented again here, PHP's numbers with Python's unbounded
integers and its doubles. Probe positions come from the schemes, implemented again here with Python's
unbounded integers from their definitions in core/probe/*.hpp and theory.md 1.7.
Run the script by hand; a change of its output affects every stored filter.
"""
import ctypes
import hashlib
import json
import pathlib
import zlib

MASK = 2**64 - 1
GOLDEN_GAMMA = 0x9E3779B97F4A7C15
ROOT_TWO_GAMMA = 0x6A09E667F3BCC909
ROOT_THREE_GAMMA = 0xBB67AE8584CAA73B
REMIX_MULTIPLIER = 0xF1357AEA2E62A9C5


class Xxh128(ctypes.Structure):
    _fields_ = [("low64", ctypes.c_uint64), ("high64", ctypes.c_uint64)]


xxhash = ctypes.CDLL("libxxhash.so.0")
xxhash.XXH3_128bits_withSeed.restype = Xxh128
xxhash.XXH3_128bits_withSeed.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint64]
xxhash.XXH64.restype = ctypes.c_uint64
xxhash.XXH64.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint64]


def digest_of(key, seed):
    value = xxhash.XXH3_128bits_withSeed(key, len(key), seed)
    return value.low64, value.high64


def mix64(word):
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & MASK
    return word ^ (word >> 31)


def fastrange(word, size):
    return word * size >> 64


def remix_words(lo, hi):
    word = lo | 1
    while True:
        yield word
        word = word * REMIX_MULTIPLIER & MASK


def independent_words(lo, hi):
    i = 0
    while True:
        i += 1
        yield mix64(mix64((lo + i * GOLDEN_GAMMA) & MASK) ^ hi)


def from_words(words):
    return lambda lo, hi, m: (fastrange(word, m) for word in words(lo, hi))


def distinct(lo, hi, m):
    seen = set()
    for word in independent_words(lo, hi):
        index = fastrange(word, m)
        if index not in seen:
            seen.add(index)
            yield index


def progression(term):
    def indices(lo, hi, m):
        i = 0
        while True:
            yield term(lo, hi, i, m)
            i += 1

    return indices


def non_zero(hi, m):
    return 1 + hi % (m - 1) if m > 1 else 0


def cubic(i):
    return (i**3 - i) // 6


def bit_fields(lo, hi, m):
    """Yields the complete digits of a word in base m = 2^a, lowest first, then those of the next word."""
    word, j = lo, 0
    while True:
        for place in range(64 // (m.bit_length() - 1)):
            yield word // m**place % m
        j += 1
        word = fold(lo ^ j * GOLDEN_GAMMA & MASK, REMIX_MULTIPLIER)


SCHEMES = {
    "remix": from_words(remix_words),
    "independent": from_words(independent_words),
    "distinct": distinct,
    "double_mod": progression(lambda lo, hi, i, m: (lo + i * non_zero(hi, m)) % m),
    "double_mod_odd": progression(lambda lo, hi, i, m: (lo + i * (hi | 1)) % m),
    "double_mod_any": progression(lambda lo, hi, i, m: (lo + i * hi) % m),
    "double_fastrange": progression(lambda lo, hi, i, m: fastrange((lo + i * hi) & MASK, m)),
    "double_fastrange_odd": progression(
        lambda lo, hi, i, m: fastrange((lo + i * (hi | 1)) & MASK, m)),
    "enhanced_double_mod": progression(lambda lo, hi, i, m: (lo + i * hi + cubic(i)) % m),
    "enhanced_double_mod_odd": progression(
        lambda lo, hi, i, m: (lo + i * (hi | 1) + cubic(i)) % m),
    "enhanced_double_fastrange": progression(
        lambda lo, hi, i, m: fastrange((lo + i * hi + cubic(i)) & MASK, m)),
    "triple_mod": progression(lambda lo, hi, i, m: (
        lo + i * hi + i * (i - 1) // 2 * mix64(mix64((lo + GOLDEN_GAMMA) & MASK) ^ hi)) % m),
}


def first(indices, count):
    return [index for _, index in zip(range(count), indices)]


def increments(lo, hi, size, count):
    word = mix64(mix64((lo + ROOT_TWO_GAMMA) & MASK) ^ hi) | 1
    result = []
    for _ in range(count):
        result.append(fastrange(word, size))
        word = word * REMIX_MULTIPLIER & MASK
    return result


def remix(lo, hi, part):
    return (mix64((lo + (part + 1) * GOLDEN_GAMMA) & MASK),
            mix64((hi + (part + 1) * ROOT_TWO_GAMMA) & MASK))


def rotl(word, count):
    return (word << count | word >> (64 - count)) & MASK


def little_endian_words(key):
    """Returns the key's 8-byte words, the last one padded with zeros (not if the length is a multiple)."""
    return [int.from_bytes(key[i:i + 8], "little") for i in range(0, len(key), 8)]


def murmur3_128(key, seed):
    def finalize(word):
        word = (word ^ word >> 33) * 0xFF51AFD7ED558CCD & MASK
        word = (word ^ word >> 33) * 0xC4CEB9FE1A85EC53 & MASK
        return word ^ word >> 33

    c1, c2 = 0x87C37B91114253D5, 0x4CF5AD432745937F
    h1 = h2 = seed
    words = little_endian_words(key) + [0]
    num_blocks = len(key) // 16
    for i in range(num_blocks + 1):
        k1, k2 = words[2 * i:2 * i + 2] if 2 * i + 1 < len(words) else (words[2 * i], 0)
        h1 ^= rotl(k1 * c1 & MASK, 31) * c2 & MASK
        if i < num_blocks:
            h1 = ((rotl(h1, 27) + h2) * 5 + 0x52DCE729) & MASK
        h2 ^= rotl(k2 * c2 & MASK, 33) * c1 & MASK
        if i < num_blocks:
            h2 = ((rotl(h2, 31) + h1) * 5 + 0x38495AB5) & MASK
    h1 ^= len(key)
    h2 ^= len(key)
    h1 = (h1 + h2) & MASK
    h2 = (h2 + h1) & MASK
    h1, h2 = finalize(h1), finalize(h2)
    h1 = (h1 + h2) & MASK
    return h1, (h2 + h1) & MASK


def murmur64a(key, seed):
    m = 0xC6A4A7935BD1E995
    h = seed ^ len(key) * m & MASK
    for i, word in enumerate(little_endian_words(key)):
        if 8 * i + 8 <= len(key):
            word = word * m & MASK
            word = (word ^ word >> 47) * m & MASK
        h = (h ^ word) * m & MASK
    h = (h ^ h >> 47) * m & MASK
    return h ^ h >> 47


def fold(a, b):
    return a * b & MASK ^ a * b >> 64


def folded_multiply(key, seed):
    s0, s1 = mix64((seed + GOLDEN_GAMMA) & MASK), mix64((seed + ROOT_TWO_GAMMA) & MASK)
    chain = (s1 + len(key) * ROOT_THREE_GAMMA) & MASK
    num_blocks = max(len(key) - 1, 0) // 16
    words = little_endian_words(key[:16 * num_blocks])
    for u, v in zip(words[::2], words[1::2]):
        chain = fold(u ^ s0, v ^ chain)
    ends = (key[-16:-8], key[-8:]) if len(key) > 16 else (key[:8], key[-8:])
    a, b = (int.from_bytes(end, "little") for end in ends)
    product = fold(a ^ s0, rotl(b, 32) ^ chain) * REMIX_MULTIPLIER
    low, high = product & MASK, product >> 64
    return low ^ high, (low + rotl(high, 32)) & MASK


def field_product(a, b):
    """Returns the product in AES's field: polynomials over bits modulo x^8 + x^4 + x^3 + x + 1."""
    product = 0
    for i in range(8):
        if b >> i & 1:
            product ^= a << i
    for i in range(14, 7, -1):
        if product >> i & 1:
            product ^= 0x11B << (i - 8)
    return product


def s_box_entry(byte):
    """Returns an entry of the S-box of FIPS 197, 5.1.1, computed bit by bit."""
    inverse = next((b for b in range(256) if field_product(byte, b) == 1), 0)
    bit = lambda i: inverse >> i % 8 & 1
    return sum((bit(i) ^ bit(i + 4) ^ bit(i + 5) ^ bit(i + 6) ^ bit(i + 7) ^ 0x63 >> i & 1) << i
               for i in range(8))


S_BOX = [s_box_entry(byte) for byte in range(256)]
MIX_COLUMNS = [[2, 3, 1, 1], [1, 2, 3, 1], [1, 1, 2, 3], [3, 1, 1, 2]]


def aes_round(state, round_key):
    """Returns FIPS 197, 5.1, of 16 bytes. Byte 4c + r is in row r of column c."""
    result = []
    for c in range(4):
        column = [S_BOX[state[4 * ((c + r) % 4) + r]] for r in range(4)]
        for row in MIX_COLUMNS:
            byte = 0
            for factor, value in zip(row, column):
                byte ^= field_product(factor, value)
            result.append(byte)
    return xor_bytes(result, round_key)


def xor_bytes(a, b):
    return bytes(x ^ y for x, y in zip(a, b))


def aes(key, seed):
    s0, s1 = mix64((seed + GOLDEN_GAMMA) & MASK), mix64((seed + ROOT_TWO_GAMMA) & MASK)
    round_key = s0.to_bytes(8, "little") + s1.to_bytes(8, "little")
    length = (len(key) * ROOT_THREE_GAMMA & MASK).to_bytes(8, "little")
    state = xor_bytes(round_key, bytes(8) + length)
    for i in range(0, len(key) - 16, 16):
        state = xor_bytes(state, key[i:i + 16])
        for _ in range(2):
            state = aes_round(state, round_key)
    last = key[-16:] if len(key) > 16 else key + bytes(16 - len(key))
    state = xor_bytes(state, last)
    for _ in range(3):
        state = aes_round(state, round_key)
    return tuple(little_endian_words(state))


def splitmix64_xxh3(key, seed):
    if len(key) != 8:
        return digest_of(key, seed)
    word = int.from_bytes(key, "little")
    return of_64_bits(mix64(word ^ mix64((seed + GOLDEN_GAMMA) & MASK)))


def siphash_2_4_words(key, k0, k1, is_wide):
    """Returns the word of SipHash-2-4, or the two words of its 128-bit mode."""
    v = [k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D, k0 ^ 0x6C7967656E657261,
         k1 ^ 0x7465646279746573]

    def rounds(count):
        for _ in range(count):
            for a, b, s, c, d, t in ((0, 1, 13, 2, 3, 16), (2, 1, 17, 0, 3, 21)):
                v[a] = (v[a] + v[b]) & MASK
                v[c] = (v[c] + v[d]) & MASK
                v[b] = rotl(v[b], s) ^ v[a]
                v[d] = rotl(v[d], t) ^ v[c]
                v[a] = rotl(v[a], 32)

    if is_wide:
        v[1] ^= 0xEE
    padded = key + bytes(-(len(key) + 1) % 8) + bytes([len(key) % 256])
    for word in little_endian_words(padded):
        v[3] ^= word
        rounds(2)
        v[0] ^= word
    v[2] ^= 0xEE if is_wide else 0xFF
    rounds(4)
    words = [v[0] ^ v[1] ^ v[2] ^ v[3]]
    if is_wide:
        v[1] ^= 0xDD
        rounds(4)
        words.append(v[0] ^ v[1] ^ v[2] ^ v[3])
    return words


def siphash_of_seed(key, seed, is_wide):
    return siphash_2_4_words(key, seed, mix64((seed + GOLDEN_GAMMA) & MASK), is_wide)


def fnv1(key):
    h = 0xCBF29CE484222325
    for byte in key:
        h = h * 0x100000001B3 & MASK ^ byte
    return h


def signed(value):
    """Returns the value modulo 2^64 in the signed range."""
    value &= MASK
    return value - 2**64 if value >= 2**63 else value


def php(a, operation, b):
    """Returns a sum, difference or product as PHP computes it: exact if it fits in 64 bits, otherwise a double."""
    compute = {"+": lambda x, y: x + y, "-": lambda x, y: x - y, "*": lambda x, y: x * y}[operation]
    if isinstance(a, int) and isinstance(b, int) and -2**63 <= compute(a, b) < 2**63:
        return compute(a, b)
    return compute(float(a), float(b))


def php_int(value):
    return signed(int(value))


def bkdr_step(h, c):
    return php_int(php(php(h, "*", 131), "+", c))


def js_step(h, c):
    return signed(h ^ php_int(php(php(signed(h << 5), "+", c), "+", h >> 2)))


def sdbm_step(h, c):
    return php_int(php(php(php(c, "+", signed(h << 6)), "+", signed(h << 16)), "-", h))


def php_hash(key, state, step):
    for byte in key:
        state = step(state, byte)
    remainder = abs(state) % 4294967295
    return (remainder if state >= 0 else -remainder) & 4294967295


def of_64_bits(h):
    return h, mix64((h + ROOT_THREE_GAMMA) & MASK)


def of_32_bits(h):
    return of_64_bits(mix64((h + GOLDEN_GAMMA) & MASK))


def murmur64a_pair(key, seed):
    first = murmur64a(key, seed)
    return first, murmur64a(key, first)


HASHERS = {
    "xxh3": digest_of,
    "folded_multiply": folded_multiply,
    "aes": aes,
    "splitmix64_xxh3": splitmix64_xxh3,
    "xxh64": lambda key, seed: of_64_bits(xxhash.XXH64(key, len(key), seed)),
    "murmur3_128": murmur3_128,
    "murmur64a": murmur64a_pair,
    "siphash_2_4": lambda key, seed: of_64_bits(siphash_of_seed(key, seed, False)[0]),
    "siphash_2_4_128": lambda key, seed: tuple(siphash_of_seed(key, seed, True)),
    "md5_split": lambda key, seed: tuple(little_endian_words(hashlib.md5(key).digest())),
    "crc32": lambda key, seed: of_32_bits(zlib.crc32(key)),
    "fnv1": lambda key, seed: of_64_bits(fnv1(key)),
    "bkdr": lambda key, seed: of_32_bits(php_hash(key, 0, bkdr_step)),
    "js": lambda key, seed: of_32_bits(php_hash(key, 1315423911, js_step)),
    "sdbm": lambda key, seed: of_32_bits(php_hash(key, 0, sdbm_step)),
}

KEYS = [b"", b"\0", b"a", b"abc", b"a\0b", (5).to_bytes(8, "little"), b"\xff" * 8,
        b"0123456789", b"a string of 20 bytes", b"https://example.org/item/1234567890?page=2",
        bytes(range(256)), b"x" * 1000]
SEEDS = [0, 1, 20261120, 2**64 - 1]
PROBED = [b"", b"abc", (5).to_bytes(8, "little")]
RANGES = [1, 2, 64, 9586, 2**20, 2**32 + 15, 2**40 + 7]
POWERS_OF_TWO = [2, 64, 256, 512, 2**20, 2**33]


def hex_word(word):
    return f"{word:016x}"


def write(name, origin, records):
    lines = ",\n".join("    " + json.dumps(record) for record in records)
    text = f'{{\n  "origin": {json.dumps(origin)},\n  "records": [\n{lines}\n  ]\n}}\n'
    pathlib.Path(__file__).with_name(name).write_text(text)


def main():
    digests = []
    for key in KEYS:
        for seed in SEEDS:
            lo, hi = digest_of(key, seed)
            digests.append({"key": key.hex(), "seed": hex_word(seed), "lo": hex_word(lo),
                            "hi": hex_word(hi)})
    write("digests.json", "XXH3_128bits_withSeed of libxxhash.so.0 (Debian libxxhash0 0.8.1), by "
          "make_golden.py; seed 0 checked with `xxhsum -H2`", digests)

    write("hasher_digests.json", "every hash family again: libxxhash.so.0, Python's hashlib and zlib, "
          "the rest written in Python, by make_golden.py",
          [{"hash": name, "key": key.hex(), "seed": hex_word(seed), "lo": hex_word(lo),
            "hi": hex_word(hi)}
           for name, hasher in HASHERS.items() for key in KEYS for seed in SEEDS[1:3]
           for lo, hi in [hasher(key, seed)]])
    message = bytes(range(64))
    k0, k1 = little_endian_words(message[:16])
    write("siphash.json", "SipHash-2-4 under the key 00 01 .. 0f of the messages 00 01 .. of every "
          "length up to 63, the set of the SipHash paper's reference code (its appendix A is length "
          "15), by make_golden.py; equal to `openssl mac -macopt size:8 SIPHASH` (OpenSSL 3.0). lo and hi: "
          "SipHash-2-4-128 of the same, that code's vectors_sip128; equal to `openssl mac -macopt size:16`",
          [{"length": length, "hash": hex_word(hash), "lo": hex_word(lo), "hi": hex_word(hi)}
           for length in range(64)
           for hash in siphash_2_4_words(message[:length], k0, k1, False)
           for lo, hi in [siphash_2_4_words(message[:length], k0, k1, True)]])

    positions = []
    for key in PROBED:
        lo, hi = digest_of(key, 0)
        words = {"lo": hex_word(lo), "hi": hex_word(hi)}
        for scheme, make in SCHEMES.items():
            for size in RANGES:
                count = min(8, size) if scheme == "distinct" else 8
                positions.append({"part": scheme, **words, "range": size,
                                  "values": first(make(lo, hi, size), count)})
        for size in POWERS_OF_TWO:
            # Enough digits for two words and the start of the third.
            count = 2 * (64 // (size.bit_length() - 1)) + 2
            positions.append({"part": "bit_fields", **words, "range": size,
                              "values": first(bit_fields(lo, hi, size), count)})
        for size in (1, 2, 8, 16384):
            positions.append({"part": "increments", **words, "range": size,
                              "values": increments(lo, hi, size, 8)})
        for part in (0, 1, 7, 2**32):
            positions.append({"part": "digest_of_part", **words, "range": part,
                              "values": [hex_word(word) for word in remix(lo, hi, part)]})
    write("probe_positions.json", "the schemes written again in Python integers, by make_golden.py",
          positions)


if __name__ == "__main__":
    main()
