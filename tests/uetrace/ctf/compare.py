#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares a directory in the Common Trace Format with its source, using libbabeltrace2 to read
it.

	compare.py SOURCE.jsonl FOLDER

SOURCE is the output of `uetrace show --json`. Prints a summary or, with exit status 1, the
differences.
"""
import json
import re
import sys

import bt2


# metadata of user events and kernel events that CTF stores in a different place
ELSEWHERE = ("time", "cpu", "pid", "tid", "thread")


class Members(list):
	"""The members of an object, whose names may occur several times."""


def text(value):
	"""Replaces NULs by their symbol, and converts bytes that are not UTF-8 from Latin-1."""
	return re.sub("[\udc80-\udcff]", lambda m: chr(ord(m[0]) & 0xff), value.replace("\0", "\u2400"))


def names(members):
	"""Converts names to identifiers, without their attributes. The second field of a name
	becomes NAME_2."""
	used = set()
	for key, value in members:
		# the JSON output renames a field called n, because there, n is the event name
		key = "n" if key == "n#2" else key
		name = re.sub("[^0-9A-Za-z]+", "_", key.split(";")[0])
		k = 1 if not name.strip("_") else 0
		whole = f"{name}_{k}" if k else name
		while taken(whole, used, isinstance(value, list) and not isinstance(value, Members)):
			k = max(k + 1, 2)
			whole = f"{name}_{k}"
		yield folded(whole), source(value)


def taken(name, used, array):
	"""Returns true if the name is taken. Names that differ only in leading underscores count
	as equal, and an array also takes the name of its length."""
	forms = {name.lstrip("_")} | ({f"{name}_length".lstrip("_")} if array else set())
	if forms & used or name in ("Bool", "Complex", "Imaginary"):
		return True
	used |= forms
	return False


def folded(name):
	"""Folds repeated underscores, because a single invalid character may become several of
	them."""
	return re.sub("_+", "_", name)


def source(value):
	if isinstance(value, Members):
		return Members(names(value))
	if isinstance(value, list):
		return [source(v) for v in value]
	if value is None:
		return Members()
	if isinstance(value, str) and re.fullmatch("0x[0-9A-F]+", value):
		return int(value, 16)
	if isinstance(value, str) and value in ("nan", "inf", "-inf"):
		return str(float(value))
	return text(value) if isinstance(value, str) else value


def read(field):
	if isinstance(field, bt2._StringFieldConst):
		return text(str(field))
	if isinstance(field, bt2._ArrayFieldConst):
		return [read(v) for v in field]
	if isinstance(field, bt2._StructureFieldConst):
		# the length of an array directly precedes the array
		keys = list(field)
		keys = [k for k, after in zip(keys, keys[1:] + keys[:1])
			if k != f"_{after}_length" or not isinstance(field[after], bt2._ArrayFieldConst)]
		members = Members((folded(k), read(field[k])) for k in keys)
		return [v for _, v in members] if keys and keys == [str(i) for i in range(len(keys))] else members
	if isinstance(field, bt2._RealFieldConst):
		value = float(field)
		return str(value) if value != value or value in (float("inf"), -float("inf")) else value
	return int(field)


def same(a, b):
	"""Returns true if the values are equal. Floats may have been written with a precision of
	32 bits."""
	if isinstance(a, list) and isinstance(b, list):
		return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
	if isinstance(a, tuple) and isinstance(b, tuple):
		return a[0] == b[0] and same(a[1], b[1])
	if isinstance(a, float) or isinstance(b, float):
		return isinstance(a, (int, float)) and isinstance(b, (int, float)) and abs(a - b) <= 1e-6 * abs(a)
	return a == b or str(a) == str(b)


def expected(path):
	for line in open(path, "rb"):
		line = line.decode("utf-8", "surrogateescape")
		items = json.loads(line, object_pairs_hook=Members)
		record = dict(items[-1][1])
		if items[0][1] == "uetrace:lost":
			continue
		items[-1] = ("meta", Members(m for m in items[-1][1] if m[0] not in ELSEWHERE))
		yield (text(items[0][1]), record["time"], record.get("cpu", 0xffffffff), record.get("pid", -1),
		       record.get("tid", -1), Members(names(items[1:])))


def stamp(ns, dated):
	if not dated:
		return ns
	import time
	return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(ns // 10**9)) + f".{ns % 10**9:09}Z"


def main():
	lines = list(expected(sys.argv[1]))
	events, lost = [], []
	for message in bt2.TraceCollectionMessageIterator(sys.argv[2]):
		if isinstance(message, bt2._DiscardedEventsMessageConst):
			lost.append(message.count)
		if not isinstance(message, bt2._EventMessageConst):
			continue
		e, ns = message.event, message.default_clock_snapshot.ns_from_origin
		common = e.common_context_field
		payload = read(e.payload_field)
		payload[-1] = (payload[-1][0], Members(m for m in payload[-1][1] if m[0] not in ELSEWHERE))
		events.append((text(e.name), ns, int(e.packet.context_field["cpu_id"]), int(common["vpid"]),
			       int(common["vtid"]), payload))
	if len(events) != len(lines):
		sys.exit(f"expected {len(lines)} events, read {len(events)}")
	for want, got in zip(lines, events):
		dated = "T" in want[1]
		time = stamp(got[1], dated) if dated else f"{got[1] // 10**9}.{got[1] % 10**9:09}"
		if not same(list(want), [got[0], time, *got[2:]]):
			sys.exit(f"expected {want}\ngot      {got}")
	print(f"{len(events)} events, {sum(lost)} lost in {len(lost)} places")


main()
