#!/usr/bin/env python3
"""A subject of `bloometry verify --subject`: a filter that answers the requests of the line protocol.

    bloometry verify --subject-template python > my_filter.py && chmod +x my_filter.py
    bloometry verify --subject ./my_filter.py --claim standard -n 1000 -m 9586 -k 7

Replace the functions of the class Filter by calls of your filter. The other lines can stay as they are.
experiments/subject/README.md describes the protocol, with the further requests `erase` and `merge`.
"""

import hashlib
import sys


class Filter:
    """A standard Bloom filter of m bits with k probes per key. A key is the bytes of a line."""

    def __init__(self, n, m, k):
        self.m, self.k = m, k  # the number of keys n is not needed
        self.bits = bytearray(m)

    def indices(self, key):
        digest = hashlib.shake_128(key).digest(8 * self.k)
        return [int.from_bytes(digest[8 * i:8 * i + 8], "little") % self.m for i in range(self.k)]

    def insert(self, key):
        for i in self.indices(key):
            self.bits[i] = 1

    def contains(self, key):
        return all(self.bits[i] for i in self.indices(key))

    def num_set_bits(self):
        return sum(self.bits)


def main():
    lines = sys.stdin.buffer
    for line in lines:
        request, *numbers = line.split()
        numbers = [int(number) for number in numbers]
        if request == b"new":
            tested = Filter(*numbers)
            reply = "ok fill"  # "ok" if your filter cannot count its set bits
        elif request == b"insert":
            for _ in range(numbers[0]):
                tested.insert(lines.readline().rstrip(b"\n"))
            reply = "ok"
        elif request == b"query":
            keys = [lines.readline().rstrip(b"\n") for _ in range(numbers[0])]
            reply = "".join("1" if tested.contains(key) else "0" for key in keys)
        elif request == b"fill":
            reply = str(tested.num_set_bits())
        else:
            reply = "error unknown request " + request.decode()
        print(reply, flush=True)


main()
