#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""notes_cost.py UETRACE DIRECTORY: checks that `uetrace list` needs at most 64 MiB of memory and, on a slow machine,
5 s of CPU time for files with a huge number of notes: texts, classes, and USDT probes with and without arguments.
"""
import resource
import struct
import subprocess
import sys


def note(owner, kind, desc):
    head = struct.pack("<III", len(owner), len(desc), kind) + owner
    return head + bytes(-len(owner) % 4) + desc + bytes(-len(desc) % 4)


def write(path, notes):
    """Writes an ELF file for x86-64 with one segment, executable and writable, and one section of notes.

    The notes are not kept, because the memory of this process would be counted as memory of its child.
    """
    names, begin = b"\0.note.x\0.shstrtab\0", 64 + 56
    with open(path, "wb") as file:
        file.write(bytes(begin))
        file.writelines(notes)
        size = file.tell() - begin
        file.write(names + bytes(64))
        file.write(struct.pack("<IIQQQQIIQQ", 1, 7, 0, 0, begin, size, 0, 0, 4, 0))
        file.write(struct.pack("<IIQQQQIIQQ", 9, 3, 0, 0, begin + size, len(names), 0, 0, 1, 0))
        file.seek(0)
        file.write(b"\x7fELF\2\1\1" + bytes(9))
        file.write(struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0, 64, begin + size + len(names), 0, 64, 56, 1, 64, 3, 2))
        file.write(struct.pack("<IIQQQQQQ", 1, 7, 0, 0, 0, size, size, 4096))


def usdt(i, arguments):
    return note(b"stapsdt\0", 3, struct.pack("<QQQ", 4096 + i, 0, 0) + b"p\0n%x\0%s\0" % (i, arguments))


cases = {
    "texts": (lambda i: note(b"user_events\0", 4, b"\2n%x\0" % i + struct.pack("<Q", i)), (600000, 1400000)),
    "classes": (lambda i: note(b"user_events\0", 2, b"n%x\0" % i), (600000, 2000000)),
    "probes": (lambda i: usdt(i, b""), (350000, 750000)),
    "arguments": (lambda i: usdt(i, b" ".join([b"8@%rdi"] * 12)), (150000, 400000)),
}
for name, (make, counts) in cases.items():
    for count in counts:
        path = "%s/%s" % (sys.argv[2], name)
        write(path, (make(i) for i in range(count)))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.argv[1], "list", path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        time = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print("%d %s: %.2f s, up to here %d KB" % (count, name, time, after.ru_maxrss))
        assert time < 5 and after.ru_maxrss < 65536, "too much"
