"""Values for the fields of a config. Some never occur in valid configs, and others occur in many."""

import json
from pathlib import Path

from config_text import Token

SCHEMA = json.loads((Path(__file__).parents[2] / "experiments" / "configs" / "schema.json").read_text())

NUMBERS = [Token(text) for text in """
    0 -0 -0.0 1 2 3 7 16 17 63 64 65 -1 1.5 0.1 0.5 0.999 1.0 1e0 1e2 10e-1 255 256 65535 65536 65537 1000000
    1e9 1000000001 1e15 1e18 1e19 1e308 1e400 -1e400 1e-308 1e-309 5e-324 1e-400 2147483647 2147483648 4294967295
    4294967296 140737488355328 140737488355329 281474976710656 9007199254740992 9007199254740993
    9223372036854775807 9223372036854775808 18446744073709551615 18446744073709551616
    NaN Infinity -Infinity nan 0x10 01 +1 1. .5 1e 1e+ --1 1_000""".split()]
NUMBERS += [Token("9" * 5000), Token("0." + "3" * 5000), Token("1e" + "9" * 400)]

TEXTS = [
    "", " ", "\0", "a\0b", "\ud800", "\udc00\ud800", "\x1b[31mred\n2nd line", "bloometry: done\n", "\r", "\u0085",
    "\u2028", "\u202e", "\U0001f600", "é", "%s%n", "a" * 300, "a" * 100000, "é" * 5000,
    "/dev/zero", "/dev/null", "/dev/full", "/dev/random", "/dev/tty", "/proc/self/mem", "../../../etc/passwd",
    ".", "..", "/", "~", "config.json", "keys.txt", "standard", "scalable", "optimal", "1e9", "0", "null",
    "1,000,000", "64 MiB", "64Mb", "5 %%", "1/0", "1,00", "1e400", "18446744073709551616"]

# Strings that are not valid JSON.
RAW_TEXTS = [Token(text) for text in (
    '"\x1b[31m"', '"\t"', '"a\nb"', '"unterminated', '"\\q"', '"\\u12"', "'single'", '"' + "x" * 50000)]

RANGES = [Token(line.strip()) for line in """
    {"from": 1, "to": 1000000000, "steps": 1000000000}
    {"from": 1, "to": 1e9, "steps": 1e9, "scale": "log"}
    {"from": 1, "to": 2, "steps": 18446744073709551616}
    {"from": 1, "to": 2, "steps": 1000000}
    {"from": 1, "to": 100, "steps": 4}
    {"from": 1, "to": 1000, "steps": 3, "scale": "log"}
    {"from": 0.001, "to": 0.5, "steps": 3}
    {"from": 5, "to": 1, "steps": 3}
    {"from": 0, "to": 0, "steps": 0}
    {"from": -1, "to": 1, "steps": 2}
    {"from": 0, "to": 10, "steps": 2, "scale": "log"}
    {"from": 1e-320, "to": 1e308, "steps": 7, "scale": "log"}
    {"from": 1}
    {"steps": 3}""".strip().splitlines()]

STRUCTURES = [Token(line.strip()) for line in """
    null
    true
    {}
    []
    [[]]
    [{}]
    [null]
    {"": 0}
    {"file": "/dev/zero"}
    {"file": "keys.txt"}
    {"file": "."}
    {"file": ""}
    {"file": "missing.txt"}
    {"file": "keys.txt", "content_hash": "0"}
    {"zipf": 0}
    {"zipf": 10}
    {"zipf": 1e-300}
    {"zipf": 1e400}
    {"relative_error": 1e-300}
    {"relative_error": 0.5, "max_queries": 9}
    {"relative_error": 1}
    {"rounds": 1000000, "erase": 0.5}
    {"rounds": 1, "erase": 1, "wrongful_erases": 1}
    {"rounds": 2, "erase": 0, "reinsert": 1}
    {"size": 1, "unit": "keys", "reinsert": 1, "erase": 1}
    {"size": 140737488355328, "unit": "ticks", "inserts_per_tick": 1}
    {"size": 140737488355328, "unit": "ticks", "inserts_per_tick": 140737488355328}
    {"size": 5, "unit": "keys", "inserts_per_tick": 5}""".strip().splitlines()]
STRUCTURES += [Token("[" * depth + "]" * depth) for depth in (2, 1000, 100000)]
STRUCTURES += [Token('{"a":' * 20000 + "1" + "}" * 20000), Token(str(list(range(1, 2001))))]

HOSTILE = (NUMBERS, TEXTS, RAW_TEXTS, RANGES, STRUCTURES)

# Valid values by field, with which many mutants are valid configs and can be run.
HONEST = {
    "name": ["a", "x.y-z_0", "7"],
    "seed": [0, 1, 18446744073709551615],
    "trials": [1, " 2", 3],
    "queries": [1, 50, "400"],
    "keys": ["random", "sequential", "decimal", "url", "strided", ["url", {"zipf": 1.1}]],
    "hash": ["xxh3", "siphash_2_4", "crc32", ["xxh64", "fnv1"]],
    "probes": ["remix", "independent", "distinct", "bit_fields", "double_mod"],
    "report": [[], [{"chart": "fill"}]],
    "variant": SCHEMA["$defs"]["variant"]["enum"],
    "num_keys": [0, 1, 2, 100, 300, [0, 10, 300], [50, 50]],
    "capacity": [1, 100, "1,000"],
    "num_hashes": [1, 2, "5", 8, 16, 64, [1, "3"], "optimal"],
    "num_bits": [64, "1k", "512B", [100, 101]],
    "bits_per_key": [1, 4, "9.6", 40, [8, 16]],
    "num_counters": [100, "1 K"],
    "num_blocks": [1, 5, [3, 4]],
    "target_false_positive_rate": [0.9, 0.1, "1/1000", ["50 %", 0.01]],
    "rounds": [1, "3"],
    "erase": [0, "10%", 1],
    "reinsert": [0, 0.5, 1],
    "wrongful_erases": [0, 0.5, 1],
    "window": [{"size": 50, "unit": "keys", "reinsert": "1/4"}, {"size": 3, "unit": "ticks", "inserts_per_tick": 20}],
    "stream": [{"zipf": 1, "num_distinct": "1k"}, {"zipf": "1/2", "num_distinct": 50, "insert": "all", "clear_every": 20}],
    "zipf": [0.1, "1", 10],
    "num_distinct": [1, "50"],
    "insert": ["passed", "all"],
    "clear_every": [0, 1, "20"],
    "size": [1, "50"],
    "unit": ["keys", "ticks"],
    "inserts_per_tick": [1, 20],
    "block_bits": [256, "512"],
    "counter_bits": [1, "4", 16],
    "saturation": ["sticky", "clamped"],
    "initial_capacity": [1, 10, 1000],
    "growth_factor": [1, 2, "1M"],
    "error_schedule": ["quadratic", "geometric"],
    "stages": ["blocked", "lanes", "partitioned"],
}


def hostile_value(rng):
    return rng.choice(rng.choice(HOSTILE))
