# SPDX-License-Identifier: MIT
"""
Converts events of `uetrace show --json` (mode "ours"), or of `perf script` and `trace-cmd report` (mode
"theirs"), to lines that can be compared: time, CPU, thread, tracepoint and fields. For self-describing
events, a line contains the header that perf knows instead of the fields. The second argument states
whether the other tool truncates (perf) or rounds (trace-cmd) microseconds.
"""
import json, re, sys

def fields(event):
    meta = event["meta"]
    if "level" in meta:
        provider = event["n"].split(":")[0]
        name = "user_events:%s_L%xK%x" % (provider, meta["level"], int(meta["keyword"], 16))
        opcode = {"start": 1, "stop": 2}.get(meta.get("opcode"), meta.get("opcode", 0))
        return name, "opcode=%s level=%d" % (opcode, meta["level"])
    plain = {k: v for k, v in event.items() if k not in ("n", "meta")}
    return event["n"], " ".join("%s=%s" % item for item in plain.items())

def ours(line):
    event = json.loads(line)
    meta = event["meta"]
    name, rest = fields(event)
    # perf and trace-cmd print microseconds; trace-cmd rounds them
    ns = round(float(meta["time"]) * 1e9)
    us = (ns + 500) // 1000 if sys.argv[2] == "round" else ns // 1000
    cpu = "%03d" % meta["cpu"] if "cpu" in meta else "-"
    return "%d %s %d %s %s" % (us, cpu, meta["tid"], name, rest)

def theirs(line):
    m = re.match(r"\s*(.+?)[ -]+(\d+)\s+(?:\[(\d+)\]\s+)?(\d+)\.(\d+):\s+(?:(\S+?):)?(\w+):\s*(.*)", line)
    if not m:
        return None
    comm, tid, cpu, s, us, system, name, rest = m.groups()
    system = system or "user_events"
    header = re.search(r"eventheader_flags=.* (opcode=\d+) (level=\d+)", rest)
    if header:
        rest = " ".join(header.groups())
    return "%d %s %s %s:%s %s" % (int(s) * 1000000 + int(us), cpu or "-", int(tid), system, name,
                                  rest.strip())

for line in sys.stdin:
    line = ours(line) if sys.argv[1] == "ours" else theirs(line)
    if line:
        print(line)
