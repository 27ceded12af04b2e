#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints recordings in the way of KernelShark, using its library. Each line has the form TIME THREAD EVENT INFO.

	kshark_info.py FILE...

Opens and closes the files one after the other. Exits with 77 if libkshark 2 is missing.
"""
import ctypes
import ctypes.util
import sys

name = ctypes.util.find_library("kshark") or "libkshark.so.2"
try:
	# plugins look up libtraceevent's functions among the global symbols
	kshark = ctypes.CDLL(name, mode=ctypes.RTLD_GLOBAL)
except OSError:
	sys.exit(77)
kshark.kshark_dump_entry.restype = ctypes.c_void_p
kshark.kshark_dump_entry.argtypes = [ctypes.c_void_p]
kshark.kshark_load_entries.restype = ctypes.c_ssize_t

context = ctypes.c_void_p()
if not kshark.kshark_instance(ctypes.byref(context)):
	sys.exit("kshark_instance() failed")
for path in sys.argv[1:]:
	stream = kshark.kshark_open(context, path.encode())
	if stream < 0:
		sys.exit(f"kshark_open({path}): {stream}")
	rows = ctypes.POINTER(ctypes.c_void_p)()
	n = kshark.kshark_load_entries(context, stream, ctypes.byref(rows))
	for i in range(n):
		# each line has the form "stream; time; thread; CPU; latency; event; info; flags"
		part = ctypes.string_at(kshark.kshark_dump_entry(rows[i])).decode(errors="replace").split("; ")
		print(part[1], part[2], part[5], "; ".join(part[6:-1]))
	kshark.kshark_close(context, stream)
kshark.kshark_free(context)
