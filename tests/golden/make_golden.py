#!/usr/bin/python3
"""Writes digests.json and probe_positions.json: an independent account of what C++ must compute.

Digests come from the shared library libxxhash (Debian libxxhash0 0.8.1, XXH3_128bits_withSeed), not
from the inlined header that the C++ code uses. Probe positions come from the schemes written again
here in Python's unbounded integers, from their definitions in core/probe/*.hpp and theory.md 1.7.
Run it by hand; a change of its output is a decision about every stored filter.
"""
import ctypes
import json
import pathlib

MASK = 2**64 - 1
GOLDEN_GAMMA = 0x9E3779B97F4A7C15
ROOT_TWO_GAMMA = 0x6A09E667F3BCC909
REMIX_MULTIPLIER = 0xF1357AEA2E62A9C5


class Xxh128(ctypes.Structure):
    _fields_ = [("low64", ctypes.c_uint64), ("high64", ctypes.c_uint64)]


xxhash = ctypes.CDLL("libxxhash.so.0")
xxhash.XXH3_128bits_withSeed.restype = Xxh128
xxhash.XXH3_128bits_withSeed.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint64]


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


KEYS = [b"", b"\0", b"a", b"abc", b"a\0b", (5).to_bytes(8, "little"), b"\xff" * 8,
        b"https://example.org/item/1234567890?page=2", bytes(range(256)), b"x" * 1000]
SEEDS = [0, 1, 20261120, 2**64 - 1]
PROBED = [b"", b"abc", (5).to_bytes(8, "little")]
RANGES = [1, 2, 64, 9586, 2**20, 2**32 + 15, 2**40 + 7]


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

    positions = []
    for key in PROBED:
        lo, hi = digest_of(key, 0)
        words = {"lo": hex_word(lo), "hi": hex_word(hi)}
        for scheme, make in SCHEMES.items():
            for size in RANGES:
                count = min(8, size) if scheme == "distinct" else 8
                positions.append({"part": scheme, **words, "range": size,
                                  "values": first(make(lo, hi, size), count)})
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
