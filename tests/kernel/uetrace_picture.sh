#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Tests timelines of a running program. Its activities must be slices, the kernel's events must have
# their own rows, and the timeline must contain the same events as the text output.

. "${0%/*}/helpers/lib.sh"
need_uetrace
need python3
python3 -c 'import json' 2>/dev/null || skip "this python3 has no json"

UE_RECORD=$TMPDIR/server.uer:keep "$uetrace" run -o run.json --counter request_done.bytes \
	-e '*' -e 'sched:sched_switch' -e 'raw_syscalls:sys_*' --probe 'p:asked vfs_read size=$arg3' \
	"$top/build/examples/server" -d "$top/include" -n 60 -c 3 -w 3 >out 2>err ||
	fail "$(cat err)"
"$uetrace" show --json server.uer >captured 2>err || fail "$(cat err)"
assert python3 - run.json captured <<'END'
import json
import sys

events = json.load(open(sys.argv[1]))["traceEvents"]
captured = [json.loads(line) for line in open(sys.argv[2])]
names = {(e["pid"], e.get("tid")): e["args"]["name"] for e in events
         if e["ph"] == "M" and e["name"].endswith("_name")}

def drawn(name, category, phase):
    return [e for e in events if (e["ph"], e["name"], e["cat"] if "cat" in e else "") ==
            (phase, name, category)]

def count(name):
    return sum(e["n"] == name for e in captured)

requests = drawn("Request", "Example_Server", "X")
assert len(requests) == count("Example_Server:RequestStop") == 60, len(requests)
# the kernel and the program must have recorded the same activities, fields and durations
mine = {e["meta"]["activity"]: e for e in captured if e["n"] == "Example_Server:RequestStop"}
starts = {e["meta"]["activity"]: e for e in captured if e["n"] == "Example_Server:RequestStart"}

def seconds(event):
    hour, minute, second = event["meta"]["time"][11:-1].split(":")
    return (int(hour) * 60 + int(minute)) * 60 + float(second)

differences = []
for r in requests:
    stop = dict(mine[r["args"]["meta"]["activity"]])
    fields = {k: v for k, v in r["args"]["stop"].items() if k != "meta"}
    assert fields == {k: v for k, v in stop.items() if k not in ("n", "meta")}, (fields, stop)
    took = seconds(stop) - seconds(starts[r["args"]["meta"]["activity"]])
    differences.append(abs(r["dur"] / 1e6 - took))
    assert (r["pid"], r["tid"]) == (stop["meta"]["pid"], stop["meta"]["tid"])
    assert names[(r["pid"], r["tid"])].startswith("server")
    assert names[(r["pid"], None)].startswith("server")
# The program and the kernel read the clock at slightly different times, and on a loaded machine a
# thread may be interrupted in between.
assert sorted(differences)[len(differences) // 2] < 0.05, differences
assert len(drawn("request_done", "user_events", "i")) == count("user_events:request_done")
curve = [e["args"]["value"] for e in events if e["ph"] == "C"]
assert sorted(curve) == sorted(e["bytes"] for e in captured if e["n"] == "user_events:request_done")

# the kernel's events
switches = drawn("sched_switch", "sched", "i")
assert switches and all(names[(e["pid"], e["tid"])].startswith("CPU ") for e in switches)
assert all(e["args"]["next_pid"] >= 0 and e["args"]["prev_comm"] for e in switches)
assert names[(0, None)] == "Kernel"
# Slices of running threads: each lasts from the switch to the thread until the next switch on this
# CPU, and no other slice overlaps it. The guest's clock may be coarse, so several events can have
# the same time.
switched = {}
for e in switches:
    switched.setdefault((e["args"]["meta"]["cpu"], e["ts"]), []).append(e["args"])
ran = [e for e in events if e["ph"] == "X" and e["cat"] == "sched"]
assert ran and any(e["name"].startswith("server-") for e in ran)
for e in ran:
    cpu = e["args"]["meta"]["cpu"]
    assert names[(e["pid"], e["tid"])] == f"CPU {cpu}", names[(e["pid"], e["tid"])]
    assert any(f"{s['next_comm']}-{s['next_pid']}" == e["name"] and s["next_pid"]
               for s in switched[(cpu, e["ts"])]), e
    assert any(s["prev_pid"] == e["args"]["next_pid"]
               for s in switched[(cpu, round(e["ts"] + e["dur"], 3))]), e
    assert not any(c == cpu and e["ts"] < t < e["ts"] + e["dur"] - 0.001 for c, t in switched)
calls = [e for e in events if e["ph"] == "X" and e["cat"] == "raw_syscalls"]
assert {"read", "write", "openat"} & {e["name"] for e in calls}, {e["name"] for e in calls}
assert not drawn("sys_enter", "raw_syscalls", "X")
assert calls and all("ret" in e["args"]["stop"] and "id" in e["args"] for e in calls)
assert all(names[(e["pid"], e["tid"])].startswith("raw_syscalls") for e in calls)
probes = drawn("asked", "probe", "i")
assert probes and all("size" in e["args"] for e in probes)
END
