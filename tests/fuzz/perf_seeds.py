#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""perf_seeds.py DIRECTORY: writes a small recording for each form of perf.data.

pipe        as written by `perf record -o -`
packed      the same, with its records in one compressed record (zstd)
file        as written by `perf record`, with the time of day and the machine
big_endian  a pipe of a 32-bit big-endian machine, with a lost event and a renamed one

"""
import struct
import sys

SERVER, WORKER = (500, 500), (500, 501)
DONE, SET = 1536, 1537  # tracepoint IDs
LOST, COMM, SAMPLE, ATTR, TRACING_DATA, FINISHED_ROUND, COMPRESSED = 2, 3, 9, 64, 66, 68, 81
COMMON = ("unsigned short common_type", 0, 2, 0), ("unsigned char common_flags", 2, 1, 0), (
    "unsigned char common_preempt_count", 3, 1, 0), ("int common_pid", 4, 4, 1)
DONE_FIELDS = ("int status", 8, 4, 1), ("u64 bytes", 12, 8, 0), (
    "__rel_loc char[] path", 20, 4, 0)
SET_FIELDS = ("u8 eventheader_flags", 8, 1, 0), ("u8 version", 9, 1, 0), ("u16 id", 10, 2, 0), (
    "u16 tag", 12, 2, 0), ("u8 opcode", 14, 1, 0), ("u8 level", 15, 1, 0)


class Machine:
    """A machine's byte order and word size. ORDER is struct's "<" or ">"."""

    def __init__(self, order, word):
        self.order, self.word = order, word

    def pack(self, form, *values):
        return struct.pack(self.order + form, *values)

    def bits(self, *numbers):
        """Returns a 64-bit bit field in which these bits are set. Big-endian machines count bits
        from the other end."""
        return sum(1 << (n if self.order == "<" else 63 - n) for n in numbers)

    def record(self, kind, body):
        if kind != COMPRESSED:
            body += bytes(-len(body) % 8)
        return self.pack("IHH", kind, 0, 8 + len(body)) + body

    def attr(self, tracepoint, dated):
        # sample_type is TID, TIME, CPU, PERIOD, RAW and IDENTIFIER. Flag 18 is sample_id_all, and
        # flag 25 is use_clockid. Clock 1 is CLOCK_MONOTONIC.
        flags = self.bits(18, 25) if dated else self.bits(18)
        attr = self.pack("IIQQQQQ", 2, 104, tracepoint, 1, 0x10586, 0, flags)
        return attr.ljust(92, b"\0") + self.pack("i", 1) + bytes(8)

    def format(self, name, number, fields):
        line = "\tfield:%s;\toffset:%d;\tsize:%d;\tsigned:%d;\n"
        text = "name: %s\nID: %d\nformat:\n" % (name, number)
        text += "".join(line % f for f in COMMON) + "\n" + "".join(line % f for f in fields) + "\n"
        return self.pack("Q", len(text)) + text.encode()

    def tracing_data(self):
        head = b"\x17\x08\x44tracing0.6\0" + bytes([self.order == ">", self.word])
        data = head + self.pack("I", 4096)
        for name in b"header_page", b"header_event":
            data += name + b"\0" + self.pack("Q", 4) + b"abcd"
        data += self.pack("II", 0, 1) + b"user_events\0"  # no formats of ftrace's own events; one system
        data += self.pack("I", 2) + self.format("request_done", DONE, DONE_FIELDS)
        data += self.format("Shop_L4K1", SET, SET_FIELDS)
        return data + self.pack("IIQ", 0, 0, 0)  # empty lists of symbols, printk() formats and threads

    def id_of(self, thread, time, cpu, number):
        return self.pack("IIQIIQ", *thread, time, cpu, 0, number)

    def comm(self, thread, name, time=0):
        body = self.pack("II", *thread) + name.ljust(16, b"\0")
        return self.record(COMM, body + self.id_of(thread, time, 0, 77))

    def sample(self, tracepoint, thread, time, cpu, payload):
        raw = self.pack("HBBI", tracepoint, 0, 0, thread[1]) + payload
        raw += bytes(-(4 + len(raw)) % 8)
        number = 77 if tracepoint == DONE else 78
        body = self.pack("QIIQIIQI", number, *thread, time, cpu, 0, 1, len(raw))
        return self.record(SAMPLE, body + raw)

    def done(self, thread, time, cpu, status, count, path):
        payload = self.pack("iQI", status, count, (len(path) + 1) << 16) + path + b"\0"
        return self.sample(DONE, thread, time, cpu, payload)

    def order_event(self, thread, time):
        """Returns the EventHeader event Shop:Order of an activity, with a string, a struct and
        an array."""
        fields = b"to\0\x07" b"ship\0\x81\x02" b"price\0\x85\x08" b"express\0\x82\x07" b"ids\0\x44"
        values = b"Oslo\0" + self.pack("dBH3I", 19.5, 1, 3, 1, 2, 3)
        metadata = b"Order\0" + fields
        event = self.pack("BBHHBB", 5 + 2 * (self.order == "<"), 0, 0, 0, 1, 4)
        event += self.pack("HH", 16, 0x8002) + bytes(range(16))
        event += self.pack("HH", len(metadata), 1) + metadata + values
        return self.sample(SET, thread, time, 0, event)

    def lost(self, time, count):
        return self.record(LOST, self.pack("QQ", 77, count) + self.id_of(SERVER, time, 0, 77))

    def records(self):
        rest = [self.comm(SERVER, b"server"), self.comm(WORKER, b"worker")]
        # records out of time order, as in the buffers of two CPUs
        rest += [self.done(WORKER, 5000002000, 1, 404, 0, b"/missing"),
                 self.done(SERVER, 5000001000, 0, -1, 1 << 40, b"/"),
                 self.record(FINISHED_ROUND, b"")]
        rest += [self.order_event(SERVER, 5000002200)] if self.word == 8 else []
        rest += [self.lost(5000002500, 3), self.comm(WORKER, b"renamed", 5000002600),
                 self.done(WORKER, 5000003000, 1, 200, 7, b"/a"), self.record(FINISHED_ROUND, b"")]
        return b"".join(rest)

    def pipe(self, records):
        attrs = b"".join(self.record(ATTR, self.attr(tracepoint, False) + self.pack("Q", number))
                         for tracepoint, number in ((DONE, 77), (SET, 78)))
        data = self.tracing_data()
        data += bytes(-len(data) % 8)
        head = self.pack("QQ", 0x32454c4946524550, 16)
        tracing = self.record(TRACING_DATA, self.pack("II", len(data), 0)) + data
        return head + attrs + tracing + records

    def file(self, records):
        ids_at, attrs_at = 104, 104 + 16
        data_at = attrs_at + 2 * (104 + 16)
        features_at = data_at + len(records)
        clock = self.pack("IIQQ", 1, 1, 1700000000 * 10**9, 5 * 10**9)
        features = {1: self.tracing_data(), 3: self.name(b"web\"17"), 4: self.name(b"6.12.1-test"),
                    6: self.name(b"riscv64"), 29: clock}
        head = self.pack("QQQ", 0x32454c4946524550, 104, 120)
        head += self.pack("QQQQQQ", attrs_at, 2 * 120, data_at, len(records), 0, 0)
        head += self.pack("Q24x", sum(1 << bit for bit in features))
        attrs = b"".join(self.attr(tracepoint, True) + self.pack("QQ", ids_at + 8 * i, 8)
                         for i, tracepoint in enumerate((DONE, SET)))
        places, at = b"", features_at + 16 * len(features)
        for feature in features.values():
            places += self.pack("QQ", at, len(feature))
            at += len(feature)
        return head + self.pack("QQ", 77, 78) + attrs + records + places + b"".join(features.values())

    def name(self, text):
        """Returns a string of uname(), padded to the size that perf uses."""
        return self.pack("I", 64) + text.ljust(64, b"\0")


def compressed(machine, records):
    """Returns a record that contains a zstd frame with one uncompressed block."""
    frame = struct.pack("<IBI", 0xfd2fb528, 0xa0, len(records))
    frame += struct.pack("<I", 1 | len(records) << 3)[:3] + records
    return machine.record(COMPRESSED, frame)


def main(directory):
    little, big = Machine("<", 8), Machine(">", 4)
    for name, data in (("pipe", little.pipe(little.records())),
                       ("packed", little.pipe(compressed(little, little.records()))),
                       ("file", little.file(little.records())),
                       ("big_endian", big.pipe(big.records()))):
        with open(directory + "/" + name, "wb") as file:
            file.write(data)


if __name__ == "__main__":
    main(sys.argv[1])
