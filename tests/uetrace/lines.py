#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""lines.py write FILE SEED: writes a perf.data whose names and texts are long and hostile.
lines.py wide FILE: writes a perf.data with one event of 15,000 fields of the same name.
lines.py check LIMIT <FILE: checks that each line is valid JSON, at most LIMIT bytes long, without control characters.
"""
import json
import random
import sys
from os.path import dirname, join, realpath

sys.dont_write_bytecode = True
sys.path.insert(0, join(dirname(realpath(__file__)), "../fuzz"))
from perf_seeds import ATTR, COMMON, Machine, SET_FIELDS, TRACING_DATA  # noqa: E402

FIRST = 1536  # ID of the first tracepoint
PIECES = b"a", b'"', b"\\", b"\x01", b"\x1b[31m", b"\xff", b"\xc3", "\u00e4".encode(), "\u202e".encode(), b"{[,:", b"}]"
TEXT = ("__rel_loc char[] text", 8, 4, 0),


def text(random, size):
    """Returns SIZE bytes that repeat one to three different pieces. The last piece may be truncated anywhere."""
    pieces = random.sample(PIECES, random.randint(1, 3))
    return b"".join(random.choices(pieces, k=size))[:size]


class Hostile(Machine):
    """A recording in which each event has its own tracepoint."""

    def __init__(self, random):
        super().__init__("<", 8)
        self.random, self.formats, self.samples = random, [], []

    def field(self, fields):
        return "".join("\tfield:%s;\toffset:%d;\tsize:%d;\tsigned:%d;\n" % f for f in fields)

    def add(self, name, fields, payload):
        number = FIRST + len(self.formats)
        format = b"name: " + name + ("\nID: %d\nformat:\n" % number).encode()
        format += (self.field(COMMON) + "\n" + self.field(fields) + "\n").encode()
        self.formats.append(self.pack("Q", len(format)) + format)
        raw = self.pack("HBBI", number, 0, 0, 500) + payload
        raw += bytes(-(4 + len(raw)) % 8)
        body = self.pack("QIIQIIQI", number, 500, 501, 10**9 + len(self.samples) * 1000, 0, 0, 1, len(raw))
        self.samples.append(self.record(9, body + raw))

    def add_text(self, name_size, size):
        value = text(self.random, size) + b"\0"
        name = text(self.random, name_size).replace(b"\n", b"").replace(b"\0", b"")
        self.add(name or b"n", TEXT, self.pack("I", len(value) << 16) + value)

    def add_set(self, provider_size, name_size, fields, size):
        provider = text(self.random, provider_size).replace(b"\n", b"")
        name = text(self.random, name_size).replace(b";", b"")
        metadata, values = name + b"\0", b""
        for i in range(fields):
            metadata += text(self.random, self.random.choice((1, size))).replace(b"\0", b"") + b"\0\x0a"
            value = text(self.random, self.random.choice((0, size)))
            values += self.pack("H", len(value)) + value
        activity = bytes(range(16)) if self.random.random() < .5 else b""
        opcode = self.random.choice((0, 1, 2)) if activity else 0
        event = self.pack("BBHHBB", 7 if activity else 5 | 2, 0, 0, 0, opcode, 4)
        if activity:
            event += self.pack("HH", 16, 0x8002) + activity
        event += self.pack("HH", len(metadata), 1) + metadata + values
        self.add(provider + b"_L4K1", SET_FIELDS, event)

    def file(self):
        data = b"\x17\x08\x44tracing0.6\0" + bytes([0, 8]) + self.pack("I", 4096)
        for name in b"header_page", b"header_event":
            data += name + b"\0" + self.pack("Q", 4) + b"abcd"
        data += self.pack("II", 0, 1) + b"user_events\0"
        data += self.pack("I", len(self.formats)) + b"".join(self.formats) + self.pack("IIQ", 0, 0, 0)
        size = len(data)
        data += bytes(-len(data) % 8)
        numbers = range(FIRST, FIRST + len(self.formats))
        attrs = b"".join(self.record(ATTR, self.attr(n, False) + self.pack("Q", n)) for n in numbers)
        tracing = self.record(TRACING_DATA, self.pack("II", size, 0)) + data
        return self.pack("QQ", 0x32454c4946524550, 16) + attrs + tracing + b"".join(self.samples)


def write(path, seed):
    hostile = Hostile(random.Random(seed))
    for size in 1, 500, 1200, 9000, 60000:
        hostile.add_text(min(size, 3000), 10)
        hostile.add_text(10, size)
        hostile.add_set(10, size, 1, 10)
        hostile.add_set(min(size, 3000), 10, 1, 10)
        hostile.add_set(200, min(size, 3000), 3, min(size, 9000))
    hostile.add_set(5, 5, 2000, 2)
    with open(path, "wb") as file:
        file.write(hostile.file())


def wide(path):
    hostile = Hostile(random)
    metadata, values = b"Wide\0" + b"f\0\x02" * 15000, b"\1" * 15000
    event = hostile.pack("BBHHBB", 5 | 2, 0, 0, 0, 0, 4) + hostile.pack("HH", len(metadata), 1)
    hostile.add(b"Wide_L4K1", SET_FIELDS, event + metadata + values[:15000 - 15000 % 8])
    with open(path, "wb") as file:
        file.write(hostile.file())


def check(limit):
    lines = sys.stdin.buffer.read().split(b"\n")
    assert not lines.pop(), "the last line has no end"
    for line in lines:
        assert len(line) < limit, f"a line of {len(line) + 1} bytes: {line[:200]}"
        assert all(32 <= c != 127 for c in line), f"a control character: {line[:200]}"
        json.loads(line.decode())
    print(len(lines))


if sys.argv[1] == "write":
    write(sys.argv[2], int(sys.argv[3]))
elif sys.argv[1] == "wide":
    wide(sys.argv[2])
else:
    check(int(sys.argv[2]))
