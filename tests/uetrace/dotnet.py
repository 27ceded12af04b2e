#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes records of the .NET runtime to standard output, as an input of tests/fuzz/trace_dat_fuzz.c.

The bytes follow the description of the format in dotnet/diagnostics (ipc-protocol.md, "User_events
format") and microsoft/perfview (NetTraceFormat_v5.md, "Metadata event encoding")."""
import struct
import sys

INT32, DOUBLE, STRING = 9, 14, 18
EVENT = 6  # index of the tracepoint "dotnet" in the fuzzer's event table


def u32(number):
    return struct.pack('<I', number)


def utf16(text):
    return text.encode('utf-16-le') + b'\0\0'


def metadata(provider, number, name, level, fields, opcode=0):
    head = utf16(provider) + u32(number) + utf16(name) + struct.pack('<Q', 1) + u32(0) + u32(level)
    body = u32(len(fields)) + b''.join(u32(code) + utf16(field) for code, field in fields)
    return head + body + (u32(1) + bytes([1, opcode]) if opcode else b'')


def record(number, payload, meta=b'', activity=b''):
    extension = (b'\1' + u32(len(meta)) + meta if meta else b'') + (b'\2' + activity if activity else b'')
    return (b'\1' + struct.pack('<HII', number, len(extension) << 16 | 4, len(payload) << 16 | len(extension)) +
            extension + payload)


def write(thread, data):
    sys.stdout.buffer.write(bytes([EVENT << 1, 10, len(data), thread]) + data)


order = metadata('Shop', 1, 'Order', 4, [(INT32, 'items'), (STRING, 'who')])
start = metadata('Shop', 2, 'PayStart', 5, [(DOUBLE, 'sum')], 1)
stop = metadata('Shop', 3, 'PayStop', 5, [], 2)
native = metadata('Microsoft-Windows-DotNETRuntime', 80, '', 2, [])
activity = bytes(range(16))

write(2, record(1, u32(3) + utf16('ann'), order))
write(2, record(2, struct.pack('<d', 1.5), start, activity))
write(3, record(3, b'', stop, activity))
write(3, record(1, u32(4) + utf16('bob')))
write(2, record(80, b'12345', native))
write(2, record(9, b'123'))
write(2, record(1, b'1'))
write(2, record(1, b'')[:8])
