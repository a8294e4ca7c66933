"""A filter of pyreBloom's in Redis, by redis-py's pipelines. Reads keys on standard input, one per line.

live.py add PORT NAME M K   sets the bits of the keys
live.py query PORT NAME M K   prints the keys that are present

The key in Redis is NAME.0: pyreBloom numbers its strings.
"""

import sys

import redis

BATCH = 1000
WORD = 2**64 - 1
MULTIPLIER = 0xC6A4A7935BD1E995


def murmur64a(data, seed):
    """Returns MurmurHash64A as in pyreBloom's C code."""
    state = seed ^ (len(data) * MULTIPLIER & WORD)
    whole = len(data) // 8 * 8
    for i in range(0, whole, 8):
        block = int.from_bytes(data[i : i + 8], "little") * MULTIPLIER & WORD
        block = (block ^ (block >> 47)) * MULTIPLIER & WORD
        state = (state ^ block) * MULTIPLIER & WORD
    if whole < len(data):
        state = (state ^ int.from_bytes(data[whole:], "little")) * MULTIPLIER & WORD
    state = (state ^ (state >> 47)) * MULTIPLIER & WORD
    return state ^ (state >> 47)


def seeds(num_hashes):
    seed = 314159265
    for _ in range(num_hashes):
        yield seed
        seed = (1664525 * seed + 1013904223) % 2**32


def main():
    action, port, name, num_bits, num_hashes = sys.argv[1:]
    num_bits, num_hashes = int(num_bits), int(num_hashes)
    if num_bits >= 2**32 - 1:
        sys.exit("one string only")
    string = name + ".0"
    server = redis.Redis(host="127.0.0.1", port=int(port), socket_timeout=10)
    keys = sys.stdin.buffer.read().split(b"\n")[:-1]
    all_seeds = list(seeds(num_hashes))
    for first in range(0, len(keys), BATCH):
        batch = keys[first : first + BATCH]
        pipeline = server.pipeline(transaction=False)
        pipeline.strlen(string)
        for key in batch:
            for seed in all_seeds:
                index = murmur64a(key, seed) % num_bits
                if action == "add":
                    pipeline.setbit(string, index, 1)
                else:
                    pipeline.getbit(string, index)
        # Any error reply is raised as an exception.
        length, *bits = pipeline.execute()
        if action == "add":
            continue
        if length == 0 or len(bits) != len(batch) * num_hashes:
            sys.exit("no such filter")
        for i, key in enumerate(batch):
            if all(bits[i * num_hashes : (i + 1) * num_hashes]):
                sys.stdout.buffer.write(key + b"\n")


main()
