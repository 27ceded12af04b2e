#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Tests tools that use the events of a TRACE_EVENT header: triggers that enable an event, which is
# soft-disabled until then, and tools that read the USDT probes. SystemTap and LTTng need kernel
# modules, so readelf checks the notes that SystemTap would read.

. "${0%/*}/helpers/lib.sh"
need_uprobes
need_uetrace
program=$examples/tracepoints
events=$TRACING/events/user_events

# The event is soft-disabled: the program writes it, but the kernel discards it until the trigger
# fires.
"$uetrace" register "$program" >registered 2>&1 &
holder=$!
wait_until 20 is_registered job_done
echo 'enable_event:user_events:job_queued:1 if id == 3' >"$events/job_done/trigger" || fail "the kernel rejects a trigger that enables an event"
assert_eq '0*' "$(cat "$events/job_queued/enable")" "a soft-disabled event"
assert is_used job_queued ftrace
enable_event job_done
clear_trace
assert "$program" 6 >out
assert_eq "id=0x4 id=0x5 id=0x6" "$(recorded job_queued | grep -o ' id=0x[0-9a-f]*' | xargs)" "events after the trigger"
echo '!enable_event:user_events:job_queued:1 if id == 3' >"$events/job_done/trigger"
disable_event job_done
disable_event job_queued
refute is_used job_queued
stop $holder

# USDT probes, as readelf, bcc and bpftrace see them.
assert_match '^ +Provider: user_events$' "$(readelf -n "$program")" "a note's provider"
assert_match '^ +Name: job_queued$' "$(readelf -n "$program")" "a note's name"
if command -v tplist-bpfcc >/dev/null; then
	assert_match '^user_events:job_queued \[sema 0x[0-9a-f]+\]$' "$(tplist-bpfcc -vv -l "$program" 2>&1)" "bcc"
fi
if command -v bpftrace >/dev/null; then
	assert_match "^usdt:$program:user_events:job_queued\$" "$(bpftrace -l "usdt:$program:*")" "bpftrace"
fi
exit 0
