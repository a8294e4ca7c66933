#!/usr/bin/python3
"""A server with the subset of Redis and of its module RedisBloom that a transfer of filters needs.

Debian does not package the module, and this server replaces it. BF.LOADCHUNK makes the checks, and returns the
errors, observed in version 2.4.23 (tests/golden/interop_vectors.json lists the builds); BF.SCANDUMP returns the same
chunks and iterators. The server does not hash, so it cannot be queried for a key.

fake_redisbloom.py [--port N] [OPTION...]: prints its port, and serves until it is killed.
"""
import argparse
import math
import socketserver
import struct
import time

options = argparse.ArgumentParser()
options.add_argument("--port", type=int, default=0)
options.add_argument("--info", default="redis_version:7.0.15", help="a line of INFO server")
options.add_argument("--without-module", action="store_true", help="BF commands are not known")
options.add_argument("--max-chunk", type=int, default=16777216, help="bytes of a chunk of BF.SCANDUMP")
options.add_argument("--lose-chunk", type=int, default=0, help="confirms this chunk of data and forgets it")
options.add_argument("--lose-reply", default="", help="cuts the connection after the first EXEC with this command, which is done")
options.add_argument("--add-items", type=int, default=0, help="an item comes before as many headers that are requested, once a filter has its name")
options = options.parse_args()


class Failure(Exception):
    pass


class Filter:
    type = "MBbloom--"

    def __init__(self, header):
        if len(header) < 20:
            raise Failure("ERR received bad data")
        items, links, flags, self.expansion = struct.unpack_from("<QIII", header)
        if links < 1 or len(header) != 20 + 53 * links or flags & ~15:
            raise Failure("ERR received bad data")
        self.header = header
        self.links = []
        for i in range(links):
            size, bits, held, error, bpe, hashes, entries, n2 = struct.unpack_from("<QQQddIQB", header, 20 + 53 * i)
            right = 0 < error < 1 and bits == 8 * size != 0 and hashes == math.ceil(0.693147180559945 * bpe)
            if not right:
                raise Failure("ERR received bad data")
            items -= held
            self.links.append(bytearray(size))
        if items:
            raise Failure("ERR received bad data")

    def link_at(self, offset):
        """Returns the link that holds a byte, and the position in it."""
        for link in self.links:
            if offset < len(link):
                return link, offset
            offset -= len(link)
        return None, 0

    def load(self, iterator, data):
        link, at = self.link_at(iterator - 1 - len(data)) if iterator - 1 >= len(data) else (None, 0)
        if link is None:
            raise Failure("ERR invalid offset - no link found")
        if at + len(data) > len(link):
            raise Failure("ERR invalid chunk - Too big for current filter")
        link[at : at + len(data)] = data

    def dump(self, iterator):
        if iterator == 0:
            return [1, self.header]
        link, at = self.link_at(iterator - 1)
        if link is None:
            return [0, b""]
        data = bytes(link[at : at + options.max_chunk])
        return [iterator + len(data), data]


class Text(bytes):
    type = "string"


class Status(str):
    pass


keys = {}
expiries = {}
num_chunks = 0
BF_COMMANDS = {"BF.LOADCHUNK", "BF.SCANDUMP"}


def expire(name):
    if expiries.get(name, math.inf) <= time.monotonic():
        keys.pop(name, None)
        expiries.pop(name, None)


def remove(name):
    expiries.pop(name, None)
    return int(keys.pop(name, None) is not None)


def load_chunk(name, iterator, data):
    global num_chunks
    held = keys.get(name)
    if held is None:
        if iterator != 1:
            raise Failure("ERR not found")
        keys[name] = Filter(data)
    elif held.type != Filter.type:
        raise Failure("WRONGTYPE Operation against a key holding the wrong kind of value")
    elif iterator == 1:
        raise Failure("ERR invalid offset - no link found")
    else:
        num_chunks += 1
        if num_chunks != options.lose_chunk:
            held.load(iterator, data)
    return Status("OK")


def scan_dump(name, iterator):
    held = keys.get(name)
    if held is None:
        raise Failure("ERR not found")
    if held.type != Filter.type:
        raise Failure("WRONGTYPE Operation against a key holding the wrong kind of value")
    if iterator == 0 and options.add_items > 0 and ":loading:" not in name:
        options.add_items -= 1
        items, rest = struct.unpack_from("<Q", held.header)[0], bytearray(held.header)
        struct.pack_into("<Q", rest, 0, items + 1)
        struct.pack_into("<Q", rest, 36, struct.unpack_from("<Q", rest, 36)[0] + 1)
        held.header = bytes(rest)
    return held.dump(iterator)


def rename(name, to):
    if name not in keys:
        raise Failure("ERR no such key")
    remove(to)
    keys[to] = keys.pop(name)
    if name in expiries:
        expiries[to] = expiries.pop(name)
    return Status("OK")


def set_expiry(name, milliseconds):
    if name not in keys:
        return 0
    expiries[name] = time.monotonic() + milliseconds / 1000
    return 1


def ttl(name):
    if name not in keys:
        return -2
    return int(1000 * (expiries[name] - time.monotonic())) if name in expiries else -1


def run(command, arguments):
    names = [argument.decode() for argument in arguments[:2] if argument.isascii()]
    for name in list(keys):
        expire(name)
    if command == "PING":
        return Status("PONG")
    if command == "SET":
        keys[names[0]] = Text(arguments[1])
        expiries.pop(names[0], None)
        return Status("OK")
    if command == "INFO":
        return ("# Server\r\n" + options.info + "\r\n").encode()
    if command == "COMMAND" and names[0] == "INFO":
        is_known = names[1] in BF_COMMANDS and not options.without_module
        return [[names[1].lower().encode(), 4] if is_known else None]
    if command == "KEYS":
        return [name.encode() for name in keys]
    if command == "TYPE":
        return Status(keys[names[0]].type if names[0] in keys else "none")
    if command in ("DEL", "UNLINK"):
        return sum(remove(argument.decode()) for argument in arguments)
    if command == "PEXPIRE":
        return set_expiry(names[0], int(arguments[1]))
    if command == "PERSIST":
        return int(expiries.pop(names[0], None) is not None)
    if command == "PTTL":
        return ttl(names[0])
    if command == "RENAME":
        return rename(names[0], names[1])
    if command == "BF.LOADCHUNK" and not options.without_module:
        return load_chunk(names[0], int(arguments[1]), arguments[2])
    if command == "BF.SCANDUMP" and not options.without_module:
        return scan_dump(names[0], int(arguments[1]))
    raise Failure(f"ERR unknown command '{command}'")


def encoded(reply):
    if isinstance(reply, Failure):
        return f"-{reply}\r\n".encode()
    if isinstance(reply, Status):
        return f"+{reply}\r\n".encode()
    if isinstance(reply, int):
        return f":{reply}\r\n".encode()
    if isinstance(reply, bytes):
        return b"$%d\r\n%s\r\n" % (len(reply), reply)
    if reply is None:
        return b"*-1\r\n"
    return b"*%d\r\n" % len(reply) + b"".join(map(encoded, reply))


def result(command, arguments):
    try:
        return run(command, arguments)
    except Failure as failure:
        return failure


class Connection(socketserver.StreamRequestHandler):
    disable_nagle_algorithm = True

    def arguments(self):
        line = self.rfile.readline()
        if not line:
            return None
        arguments = []
        for _ in range(int(line[1:])):
            size = int(self.rfile.readline()[1:])
            arguments.append(self.rfile.read(size))
            self.rfile.read(2)
        return arguments

    def handle(self):
        queue = None
        while (arguments := self.arguments()) is not None:
            command = arguments.pop(0).decode().upper()
            if command == "MULTI":
                queue = []
                reply = Status("OK")
            elif command == "EXEC":
                reply = [result(*each) for each in queue]
                is_lost = options.lose_reply in [each[0] for each in queue]
                queue = None
                if is_lost:
                    options.lose_reply = ""
                    return
            elif queue is not None:
                queue.append((command, arguments))
                reply = Status("QUEUED")
            else:
                reply = result(command, arguments)
            self.wfile.write(encoded(reply))


class Server(socketserver.TCPServer):
    allow_reuse_address = True

# Connections are served one after the other, so other commands cannot run between the commands of an EXEC.
with Server(("127.0.0.1", options.port), Connection) as server:
    print(server.server_address[1], flush=True)
    server.serve_forever()
