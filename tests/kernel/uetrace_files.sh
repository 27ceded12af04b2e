#!/bin/sh
# SPDX-License-Identifier: MIT
#
# uetrace show prints each event that perf and trace-cmd recorded, with the time, the CPU, the
# thread and the fields that perf script and trace-cmd report tell.

. "${0%/*}/helpers/lib.sh"
need_uetrace
need perf trace-cmd python3
export TZ=UTC0

# A line for each event: time, CPU, thread, tracepoint, fields; of self-describing events the
# header that perf knows.
cat >normal.py <<'END'
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
    # perf and trace-cmd: microseconds; the latter rounds
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
END

# compare_perf FILE: event by event
compare_perf()
{
	perf script -F comm,tid,cpu,time,event,trace -i "$1" >perf.out 2>err ||
		fail "perf script -i $1: $(cat err)"
	python3 normal.py theirs cut <perf.out >theirs
	"$uetrace" show --json "$1" >json 2>err || fail "uetrace show $1: $(cat err)"
	grep -q ', 0 lost$' err || fail "$1: $(cat err)"
	python3 normal.py ours cut <json >ours
	[ "$(wc -l <theirs)" -ge "$2" ] || fail "$1 has $(wc -l <theirs) events only"
	# perf sorts events of one nanosecond as it likes
	sort theirs >theirs.sorted
	sort ours | diff theirs.sorted - >difference || fail "$1: $(head -n 6 difference)"
	cut -d ' ' -f 1 ours | sort -n -c || fail "$1 is not in order of time"
}

"$examples/server" -d "$top/include" -n 1000000 -c 2 -w 2 >/dev/null 2>&1 &
server=$!
trap 'kill $server' EXIT
wait_until 20 is_registered request_done

# One event; several; through a pipe; compressed; with all that may stand in a sample.
perf record -q -o one.data -e user_events:request_done -a sleep 0.2 || fail "perf record"
compare_perf one.data 20
perf record -q -o some.data -e 'user_events:*' -a sleep 0.2 || fail "perf record"
compare_perf some.data 50
perf record -q -o - -e 'user_events:*' -a sleep 0.2 >pipe.data || fail "perf record -o -"
compare_perf pipe.data 50
perf record -q -z -o packed.data -e 'user_events:*' -a sleep 0.2 || fail "perf record -z"
perf report --header-only -i packed.data | grep -q compressed || fail "packed.data is not compressed"
compare_perf packed.data 50
perf record -q -g -d -W --phys-data --data-page-size -o full.data -e 'user_events:*' -a sleep 0.2 ||
	fail "perf record -g"
compare_perf full.data 50
perf record -q -c 1 -o thread.data -e user_events:request_done -p $server sleep 0.2 ||
	fail "perf record -p"
compare_perf thread.data 20
# perf script shows each sample of a group once more for the other events of it
perf record -q -o group.data -e '{user_events:request_done,user_events:Example_Server_L4K1}:S' -a \
	sleep 0.2 || fail "perf record with a group"
perf script -F comm,tid,cpu,time,event,trace -i group.data | python3 normal.py theirs cut |
	cut -d ' ' -f 1-3 | sort -u >theirs
"$uetrace" show --json group.data 2>err | python3 normal.py ours cut | cut -d ' ' -f 1-3 | sort -u |
	diff theirs - >difference || fail "a group: $(head -n 6 difference)"
[ "$(wc -l <theirs)" -ge 20 ] || fail "group.data has $(wc -l <theirs) events only"

# Names of processes and of threads: those that perf says.
perf script -F comm,tid -i some.data | awk '{ print $1 "-" $2 }' | sort | uniq -c >theirs
"$uetrace" show some.data 2>err | awk '{ print $3 }' | sort | uniq -c | diff theirs - ||
	fail "the names differ"

# A pipe that goes on, a pipe of a file, standard input that is a file.
perf record -q -o - -e 'user_events:*' -a sleep 0.2 | tee live.data | "$uetrace" show - >live 2>err ||
	fail "a live pipe: $(cat err)"
"$uetrace" show live.data 2>err | cmp - live || fail "a live pipe differs"
"$uetrace" show some.data >expected 2>err || fail "$(cat err)"
# shellcheck disable=SC2002
cat some.data | "$uetrace" show - 2>err | cmp - expected || fail "a piped file differs"
"$uetrace" show - <some.data 2>err | cmp - expected || fail "standard input differs"

# With CLOCK_MONOTONIC, the time of day is known, and captures of the program are merged.
UE_CAPTURE=own.uec "$examples/server" -d "$top/include" -n 1000000 -c 2 -w 2 >/dev/null 2>&1 &
capturing=$!
perf record -q -k CLOCK_MONOTONIC -o mono.data -e 'user_events:*' -p $capturing sleep 0.2 ||
	fail "perf record -k"
kill $capturing
"$uetrace" show mono.data >kernel 2>err || fail "$(cat err)"
assert_match "^$(date +%H):[0-9]{2}:[0-9]{2}\.[0-9]{6} " "$(head -n 1 kernel)"
first=$(head -n 1 kernel | cut -c 1-15)
last=$(tail -n 1 kernel | cut -c 1-15)
"$uetrace" show own.uec mono.data >merged 2>err || fail "$(cat err)"
cut -d ' ' -f 1 merged | sort -c || fail "merged files are not in order"
refute_match 'guess' "$(cat err)" "warnings"
# within the recording, each event is there twice: by the kernel, and by the program itself
between=$(awk -v a="$first" -v b="$last" '$1 > a && $1 < b' merged | grep -c ' request_done ')
n=$(awk -v a="$first" -v b="$last" '$1 > a && $1 < b' kernel | grep -c ' request_done ')
[ $((between - 2 * n)) -le 4 ] && [ $((2 * n - between)) -le 4 ] ||
	fail "merged: $between events of $n"
"$uetrace" show own.uec some.data >merged 2>err || fail "$(cat err)"
assert_match 'clocks that cannot be compared' "$(cat err)" "warnings"

# trace-cmd's files: the same events, also those of an instance and of the kernel.
trace-cmd record -q -o t.dat -e user_events -e sched:sched_switch sleep 0.2 >/dev/null ||
	fail "trace-cmd record"
trace-cmd report -N -i t.dat 2>/dev/null | python3 normal.py theirs round |
	grep -v sched_switch | sort >theirs
"$uetrace" show -e 'user_events*:*' --json t.dat 2>err | python3 normal.py ours round | sort >ours
[ "$(wc -l <theirs)" -ge 50 ] || fail "t.dat has $(wc -l <theirs) events only"
diff theirs ours >difference || fail "t.dat: $(head -n 6 difference)"
"$uetrace" show -e 'sched:*' t.dat 2>err | sed 's/.* sched:sched_switch *//' >ours
trace-cmd report -N -i t.dat 2>/dev/null | sed -n 's/.* sched_switch: *//p' | diff - ours >difference ||
	fail "sched_switch: $(head -n 6 difference)"
trace-cmd record -q -o b.dat -B mine -e user_events:request_done sleep 0.2 >/dev/null ||
	fail "trace-cmd record -B"
n=$("$uetrace" show b.dat 2>err | grep -c ' request_done status=')
[ "$n" -ge 20 ] || fail "an instance of trace.dat: $n events, $(cat err)"
trace-cmd record -q --date -o d.dat -e user_events sleep 0.2 >/dev/null || fail "--date"
assert_match "^$(date +%H):[0-9]{2}:[0-9]{2}\.[0-9]{6} " "$("$uetrace" show d.dat 2>err | head -n 1)"
