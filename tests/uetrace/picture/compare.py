#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares every event, argument and duration of a timeline with its source.

	compare.py SOURCE.jsonl PICTURE.json [COUNTER...]

COUNTER is EVENT.FIELD. SOURCE is the output of `uetrace show --json`. Prints a summary or, with exit status 1,
the differences.
"""
import calendar
import json
import math
import re
import sys
import time
from collections import Counter
from decimal import Decimal


def numbered(items, *reserved):
	"""Returns an object whose names may occur several times. The second occurrence becomes
	NAME#2."""
	result, seen = {}, Counter(reserved)
	for key, value in items:
		seen[key] += 1
		result[key if seen[key] == 1 else f"{key}#{seen[key]}"] = value
	return result


class Source(dict):
	"""An object of the source, with its members in their original order."""
	def __init__(self, members):
		super().__init__(numbered(members))
		self.members = members


def strict(items):
	result = dict(items)
	assert len(result) == len(items), f"a name twice: {items}"
	return result


def same(value):
	"""Converts values with the same meaning to the same representation."""
	if isinstance(value, dict):
		return {k: same(v) for k, v in value.items()}
	if isinstance(value, list):
		return [same(v) for v in value]
	if isinstance(value, bool) or value is None:
		return str(value)
	if isinstance(value, float):
		if math.isnan(value):
			return "nan"
		if math.isinf(value):
			return "inf" if value > 0 else "-inf"
		return str(int(value)) if value == int(value) else repr(value)
	if isinstance(value, Decimal):
		return same(float(value))
	if isinstance(value, str) and re.fullmatch("0x[0-9A-F]+", value):
		return str(int(value, 16))
	return str(value)


def nanoseconds(stamp):
	if not stamp.endswith("Z"):  # seconds of an unknown clock
		return int(Decimal(stamp) * 10**9)
	date, ns = stamp[:-1].split(".")
	return calendar.timegm(time.strptime(date, "%Y-%m-%dT%H:%M:%S")) * 10**9 + int(ns.ljust(9, "0"))


def events(path):
	"""Splits an event into name, fields and "meta". "meta" is the last member, because
	fields may have the same name."""
	for line in open(path, "rb"):
		text = re.sub("[\udc80-\udcff]", "\ufffd", line.decode("utf-8", "surrogateescape"))
		n, *fields, meta = json.loads(text, object_pairs_hook=Source, parse_float=Decimal).members
		assert n[0] == "n" and meta[0] == "meta"
		yield n[1], numbered(fields, "meta", "stop"), meta[1]


ENDS = [("Start", "Stop"), ("start", "stop"), ("Start", "End"), ("start", "end"),
	("Begin", "End"), ("begin", "end")]


def span_name(start, stop):
	for a, b in ENDS:
		if start.endswith(a) and stop.endswith(b) and start[:-len(a)] == stop[:-len(b)]:
			return start[:-len(a)].rstrip("_.-/: ") or start
	return start


def expected(path):
	"""Returns slices and instants as (kind, name, category, pid, tid, begin, end,
	arguments)."""
	result, spans, threads = [], {}, {}
	for whole, fields, meta in events(path):
		category, name = whole.split(":", 1)
		begin = nanoseconds(meta.pop("time"))
		pid, tid = meta.pop("pid"), meta.pop("tid")
		fields["meta"] = meta
		opcode, activity = meta.get("opcode", 0), meta.get("activity")
		instant = ("instant", name, category, pid, tid, begin, begin, fields)
		key = (activity, (opcode + 1) // 2)
		if activity and opcode in (1, 3):
			spans[key] = instant
		elif activity and opcode in (2, 4) and key in spans:
			start = spans.pop(key)
			result.append(("slice", span_name(start[1], name), *start[2:6], begin,
				       dict(start[7], stop=fields)))
			if threads.get(activity, start[4]) != tid:
				result.append(instant)
		else:
			result.append(instant)
			if activity:
				threads[activity] = tid
	return result + [("open", *start[1:6], None, start[7]) for start in spans.values()]


# Chrome

def chrome(path):
	trace = json.load(open(path, "rb"), object_pairs_hook=strict, parse_float=Decimal,
			  parse_constant=lambda c: sys.exit(f"{c} is not valid JSON"))
	wall = int(trace["otherData"].get("realtime_minus_ts_ns", 0))
	threads, processes, sort, marks, flows, counts = {}, {}, {}, [], [], []
	# additional rows of a thread directly follow the thread's own row
	for e in trace["traceEvents"]:
		if e["ph"] == "M" and e["name"] == "thread_sort_index":
			sort[(e["pid"], e["tid"])] = e["args"]["sort_index"]
	by_sort = {(pid, index // 128): tid for (pid, tid), index in sort.items() if index % 128 == 0}
	for e in trace["traceEvents"]:
		if e["ph"] == "M":
			if e["name"] == "process_name":
				processes[e["pid"]] = e["args"]["name"]
			elif e["name"] == "thread_name":
				threads[(e["pid"], e["tid"])] = e["args"]["name"]
			continue
		time = Decimal(e["ts"]) * 1000
		assert time == int(time), e
		time = int(time) + wall
		if e["ph"] == "C":
			counts.append((e["name"], e["pid"], time, same(e["args"]["value"])))
			continue
		if e["ph"] in "sf":
			flows.append((e["ph"], e["id"], e["pid"], e["tid"], time))
			continue
		assert (e["pid"], e["tid"]) in threads, f"no name: {e}"
		kind, end = {"i": ("instant", time), "B": ("open", None), "X": ("slice", None)}[e["ph"]]
		if e["ph"] == "X":
			end = time + int(Decimal(e["dur"]) * 1000)
			if "stop" not in e["args"]:
				kind = "instant"
		tid = by_sort[(e["pid"], sort[(e["pid"], e["tid"])] // 128)]
		marks.append((kind, e["name"], e["cat"], e["pid"], tid, time, end, e["args"],
			      (e["pid"], e["tid"])))
	starts = {f[1] for f in flows if f[0] == "s"}
	arrivals = {f[1] for f in flows if f[0] == "f"}
	assert starts == arrivals, f"flows without an end: {starts ^ arrivals}"
	for flow in flows:
		assert any(m[5] == flow[4] and m[8] == flow[2:4] for m in marks), f"nothing at {flow}"
	return marks, processes, len(starts), counts


def check_nesting(marks):
	"""Checks that slices of a row never overlap partially, and that they are nested only
	within related activities."""
	parents = {m[7]["meta"]["activity"]: m[7]["meta"].get("relatedActivity")
		   for m in marks if m[0] in ("slice", "open") and "activity" in m[7]["meta"]}
	lines = {}
	for m in marks:
		if m[0] in ("slice", "open"):
			lines.setdefault(m[8], []).append(m)
	nested = 0
	for line in lines.values():
		stack = []
		for m in sorted(line, key=lambda m: (m[5], -(m[6] or 1 << 99))):
			end = m[6] or 1 << 99
			while stack and stack[-1][0] <= m[5]:
				stack.pop()
			if stack:
				assert end <= stack[-1][0], f"slices cross: {m}"
				activity, outer = m[7]["meta"]["activity"], stack[-1][1]
				while activity and activity != outer:
					activity = parents.get(activity)
				assert activity, f"{m[1]} is within a slice that it is not related to"
				nested += 1
			stack.append((end, m[7]["meta"]["activity"]))
	return nested, len(lines)


def canonical(mark):
	return json.dumps([mark[:7], same(mark[7])], sort_keys=True, default=str)


def expected_counts(path, counters):
	for whole, fields, meta in events(path):
		for counter in counters:
			event, field = counter.split(".", 1)
			if whole.split(":", 1)[1] == event:
				yield counter, meta["pid"], nanoseconds(meta["time"]), same(fields[field])


def main():
	source, picture, *counters = sys.argv[1:]
	marks, processes, flows, counts = chrome(picture)
	wanted = sorted(canonical(m) for m in expected(source))
	found = sorted(canonical(m) for m in marks)
	for line in sorted(set(wanted) - set(found))[:5]:
		print("missing:   ", line)
	for line in sorted(set(found) - set(wanted))[:5]:
		print("unexpected:", line)
	if wanted != found:
		sys.exit(f"{picture}: expected {len(wanted)} marks, found {len(found)}")
	if sorted(counts) != sorted(expected_counts(source, counters)):
		sys.exit(f"{picture}: unexpected counts {counts}")
	assert all(m[3] in processes and processes[m[3]] for m in marks), "a process has no name"
	nested, lines = check_nesting(marks)
	slices = sum(m[0] == "slice" for m in marks)
	print(f"{slices} slices, {len(marks) - slices} instants, {nested} nested, {lines} lines, "
	      f"{flows} flows, {len(counts)} counts")


main()
