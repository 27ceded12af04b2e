#!/bin/sh
# SPDX-License-Identifier: MIT
#
# uetrace show must print each event that trace-cmd recorded with the same time, CPU, thread and
# fields as trace-cmd report.

. "${0%/*}/helpers/lib.sh"
need_uetrace
normal=$top/tests/kernel/helpers/normal_events.py
need trace-cmd python3
export TZ=UTC0

start_server

# From trace-cmd's files, uetrace shows the same events as trace-cmd, including events of an
# instance and of the kernel.
trace-cmd record -q -o t.dat -e user_events -e sched:sched_switch sleep 0.5 >/dev/null ||
	fail "trace-cmd record"
trace-cmd report -N -i t.dat 2>/dev/null | python3 "$normal" theirs round |
	grep -v sched_switch | sort >theirs
"$uetrace" show -e 'user_events*:*' --json t.dat 2>err | python3 "$normal" ours round | sort >ours
[ "$(wc -l <theirs)" -ge 50 ] || fail "t.dat has only $(wc -l <theirs) events"
diff theirs ours >difference || fail "t.dat: uetrace and trace-cmd differ: $(head -n 6 difference)"
"$uetrace" show -e 'sched:*' t.dat 2>err | sed 's/.* sched:sched_switch *//' >ours
trace-cmd report -N -i t.dat 2>/dev/null | sed -n 's/.* sched_switch: *//p' | diff - ours >difference ||
	fail "sched_switch: uetrace and trace-cmd differ: $(head -n 6 difference)"
trace-cmd record -q -o b.dat -B mine -e user_events:request_done sleep 0.5 >/dev/null ||
	fail "trace-cmd record -B"
n=$("$uetrace" show b.dat 2>err | grep -c ' request_done status=')
[ "$n" -ge 10 ] || fail "the instance in the file has $n events, expected at least 10: $(cat err)"
trace-cmd record -q --date -o d.dat -e user_events sleep 0.2 >/dev/null || fail "trace-cmd record --date"
assert_match "^$(date +%H):[0-9]{2}:[0-9]{2}\.[0-9]{6} " "$("$uetrace" show d.dat 2>err | head -n 1)"
