#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Tests uetrace watch, list, register and delete, several tracers at the same time, and tracers that
# are killed.

. "${0%/*}/helpers/lib.sh"
need_uetrace

# watches PID EVENT: succeeds if the tracer PID has enabled the event. PID may be *, which means any
# tracer.
watches()
{
	cat "$TRACING/instances/uetrace-"$1"/events/user_events/$2/enable" 2>/dev/null | grep -q 1
}

# If a program has no permission to register its events, uetrace reports the process and the remedy.
if command -v setpriv >/dev/null; then
	setpriv --reuid=65534 --clear-groups "$load" 100 120 >/dev/null &
	nobody=$!
	"$uetrace" watch 'loa*' >out 2>err &
	watcher=$!
	wait_until 20 grep -q 'has not registered its events' err
	stop $watcher
	assert_eq "" "$(cat out)" "events of a program that may not register them"
	assert_match "^uetrace: process $nobody \\(.*/uetrace_load, user nobody\\) has not registered its events: .*; use --usdt to show the events, " "$(cat err)"
	timeout -s INT 10 "$uetrace" watch --usdt "$load" >out 2>err
	assert_match ' load process=0 ' "$(cat out)" "suggestion of uprobes"
	refute_match 'has not registered its events' "$(cat err)" "events recorded with uprobes"
	pkill -P $nobody; stop $nobody
fi

# uetrace list shows the events declared in a binary without running it.
assert_eq 'hello
    s32 argc
    __rel_loc char[] program' "$("$uetrace" list "$examples/hello")" "list of a binary"
assert_match '^parser_line$' "$("$uetrace" list "$examples/library")" "list of a library"
refute "$uetrace" list "$0" 2>err
assert_match 'uetrace_watch.sh: it is neither an ELF binary nor a recording' "$(cat err)"
refute "$uetrace" list ./nosuch 2>err
assert_eq "uetrace: cannot read ./nosuch: No such file or directory" "$(cat err)"

assert_eq '{ "system": "user_events", "name": "hello", "fields": [ { "type": "s32", "name": "argc" }, { "type": "__rel_loc char[]", "name": "program" } ] }' \
	"$("$uetrace" list --json "$examples/hello")" "JSON of a binary"
assert_match '^\{ "system": "user_events", "name": "Example_Service_L5K2", "provider": "Example_Service", "level": 5, "keyword": "0x2", "fields": \[ \{ "type": "u8", "name": "eventheader_flags" \}, .*, \{ "type": "u8", "name": "level" \} \], "events": \[ \{ "name": "Example_Service:Sorted", "fields": \[ .* \], "probe": "service_verbose:Sorted" \} \] \}$' \
	"$("$uetrace" list --json "$examples/service")" "JSON of an event set"

# An event registered with uetrace register is listed, and removed when uetrace exits.
"$uetrace" register 'by_hand u32 a; __rel_loc char[] text' >registered 2>waiting &
holder=$!
wait_until 20 is_registered by_hand
assert_eq 'by_hand
    u32 a
    __rel_loc char[] text' "$("$uetrace" list 'by_*')" "list"
assert_eq '{ "system": "user_events", "name": "by_hand", "fields": [ { "type": "u32", "name": "a" }, { "type": "__rel_loc char[]", "name": "text" } ], "listeners": [ ], "instances": [ ] }' \
	"$("$uetrace" list --json by_hand)" "JSON"
refute "$uetrace" list nosuch 2>err
assert_eq "uetrace: no event matches nosuch" "$(cat err)"

# The list shows which tracers have enabled an event.
"$uetrace" watch by_hand >out 2>err &
watcher=$!
wait_until 20 watches $watcher by_hand
assert_match "^by_hand  # listened to by ftrace \(instance uetrace-$watcher\)\$" \
	"$("$uetrace" list by_hand)" "who listens"
assert_match ", \"listeners\": \[ \"ftrace\" \], \"instances\": \[ \"uetrace-$watcher\" \] \}\$" \
	"$("$uetrace" list --json by_hand)" "who listens, as JSON"
refute "$uetrace" delete by_hand 2>err
assert_match 'cannot delete by_hand: it is in use' "$(cat err)"
assert stop $watcher
stop $holder
assert_eq "registered by_hand" "$(cat registered)"
assert_eq "uetrace: the events stay registered until Ctrl-C; to keep them until 'uetrace delete', use --persist" "$(cat waiting)"
wait_until 20 is_gone by_hand

assert "$uetrace" register --persist 'kept u32 a' 2>waiting
assert_eq "" "$(cat waiting)" "events that --persist waits for"
assert is_registered kept
assert "$uetrace" delete kept
refute is_registered kept
refute "$uetrace" delete kept 2>err
assert_eq "uetrace: cannot delete kept: there is no such event" "$(cat err)"
refute "$uetrace" register 'not-a-name u32 a' 2>err
assert_match 'uetrace: .*not-a-name.*identifier' "$(cat err)"

# Events with every kind of field are shown.
assert "$uetrace" register --persist \
	'kinds char[16] c; __data_loc char[] d; __rel_loc u8[] r; unsigned char[3] u; struct s m 8; unsigned int i'
assert_eq 'kinds
    char[16] c
    __data_loc char[] d
    __rel_loc u8[] r
    unsigned char[3] u
    struct s m
    unsigned int i' "$("$uetrace" list kinds)" "fields"
assert "$uetrace" delete kinds

# Control characters in event names must not reach the terminal.
name=$(printf 'ev\033[32mtwo')
printf 'u:%s u32 \033[31ma\n' "$name" >>"$TRACING/dynamic_events"
assert_match '^ev\?\[32mtwo$' "$("$uetrace" list 'ev*')" "an escape in a name"
refute_match "$(printf '\033')" "$("$uetrace" list 'ev*')" "an escape"
assert "$uetrace" delete "$name"

# If a binary is named, all of its events are shown from the first one on, in every process that
# runs the binary.
"$uetrace" watch "$examples/hello" >out 2>err &
watcher=$!
wait_until 20 watches $watcher hello
"$examples/hello" x
"$examples/hello" x y
wait_until 20 grep -q argc=3 out
assert stop $watcher
assert_eq '2 3' "$(sed -n 's/.* hello argc=\([0-9]\) .*/\1/p' out | xargs)" "watch of a binary"
refute "$uetrace" watch ./nosuch 2>err
assert_eq "uetrace: cannot read ./nosuch: No such file or directory" "$(cat err)"
refute "$uetrace" watch "$0" 2>err
assert_match 'uetrace_watch.sh: it is not an ELF binary' "$(cat err)"

# Events registered after uetrace has started are shown, for one process and for all processes. Two
# uetrace processes do not disturb each other.
"$uetrace" watch 'load' -f 'process == 0' >filtered 2>err2 &
second=$!
"$uetrace" watch 'lo*' -o all --json >out 2>err &
first=$!
wait_until 20 [ -d "$TRACING/instances/uetrace-$first" ]
wait_until 20 [ -d "$TRACING/instances/uetrace-$second" ]
"$load" 100 6 >/dev/null &
loader=$!
wait_until 20 watches $first load
wait_until 20 watches $second load
wait $loader
sleep 1
kill -INT $first $second
wait $first
wait $second
assert_match '"n": "user_events:load"' "$(cat all)"
assert_match '"process": 1, ' "$(cat all)"
assert_match ' load process=0 ' "$(cat filtered)"
refute_match 'process=1' "$(cat filtered)"

# If the filter is invalid for an event that is registered later, uetrace reports this. When the
# event is registered again with the missing field, the filter applies.
"$uetrace" watch later -f 'status > ' >out 2>err &
wrong=$!
"$uetrace" watch later -f 'status == 500' >out2 2>err2 &
right=$!
wait_until 20 grep -q 'waiting for it' err
wait_until 20 grep -q 'waiting for it' err2
assert "$uetrace" register --persist 'later u32 other'
wait_until 20 grep -q 'the filter is not valid for any event found so far' err
wait_until 20 grep -q '^Field not found' err2
assert_eq "  status == 500
         ^" "$(grep -A 1 '^  status ==' err2)" "caret of a later event"
stop $wrong
assert "$uetrace" delete later
assert "$uetrace" register --persist 'later u32 status'
wait_until 20 watches $right later
stop $right
assert_eq 1 "$(grep -c 'the filter is not valid' err2)" "one message"
assert "$uetrace" delete later

# If a requested name has matched no event by the end, uetrace fails. If a binary was requested, its
# events need not occur.
"$uetrace" watch nosuch "$examples/service" >out 2>err &
watcher=$!
wait_until 20 watches $watcher service_request
stop $watcher
assert_eq 1 $? "status of a name that matches nothing"
assert_eq 'uetrace: no event matches nosuch yet; waiting for it
uetrace: no event matches nosuch' "$(grep matches err)"

# A system-wide probe shows all processes except the uetrace process that prints the events.
"$uetrace" watch 'nothing_*' --probe 'p:reaction vfs_write' >out 2>err &
watcher=$!
writes_and_is_seen()
{
	echo >/dev/null
	grep -q ' probe:reaction ' out
}
wait_until 20 writes_and_is_seen
sleep 0.5
stop $watcher
assert_match ' probe:reaction ' "$(cat out)" "events of other processes"
refute_match ' uetrace-[0-9]+ ' "$(cat out)" "events of the tracer"

"$load" 100 8 >/dev/null &
loader=$!
wait_until 20 is_registered load
"$uetrace" watch -p $loader load >out 2>err &
watcher=$!
wait $loader
wait_until 20 grep -q 'events in' err
wait $watcher
assert_match " uetrace_load-$loader load process=0 " "$(cat out)"
refute_match 'process=1' "$(cat out)"
refute "$uetrace" watch -p 999999 2>err
assert_eq "uetrace: cannot follow process 999999: there is no such process" "$(cat err)"
refute "$uetrace" watch -p nonsense 2>err

# When uetrace starts, it removes everything that a killed uetrace left behind.
"$uetrace" watch load --probe 'p:reaction vfs_write' >/dev/null 2>&1 &
killed=$!
"$load" 100 10 >/dev/null &
loader=$!
wait_until 20 watches $killed load
"$uetrace" watch load >/dev/null 2>&1 &
alive=$!
wait_until 20 watches $alive load
stop -9 $killed
assert_match "uetrace_$killed/reaction" "$(cat "$TRACING/dynamic_events")" "instances left by a killed tracer"
assert "$uetrace" run "$examples/hello" >/dev/null 2>&1
assert_eq "uetrace-$alive" "$(ls "$TRACING/instances")" "instances after a start"
refute_match "uetrace_$killed" "$(cat "$TRACING/dynamic_events")" "probes after a start"
assert watches $alive load
stop $alive
wait $loader
wait_until 20 is_gone load
assert_eq "" "$(ls "$TRACING/instances")" "instances"

# If its output pipe is closed, watch exits, but the program started by run continues to its end.
"$uetrace" watch "$load" 2>err | head -n 1 >out &
reader=$!
wait_until 20 watches '*' load
"$load" 1000 0.2 >/dev/null
wait $reader
assert_eq 1 "$(wc -l <out)" "lines read from watch"
{
	"$uetrace" run sh -c "'$load' 1000 0.5 >/dev/null; exit 7" 2>err
	echo $? >status
} | head -n 1 >out
assert_eq 1 "$(wc -l <out)" "lines read from run"
assert_eq 7 "$(cat status)" "status with a closed pipe"
assert_match '^uetrace: [0-9]{3} events in .* 0 lost$' "$(cat err)"
assert_match '^uetrace: standard output was closed by its reader; still running: sh$' "$(cat err)" "a closed pipe"
# uetrace reports a program that starts later in the same way as a plug-in
assert_match "^uetrace: the first events of $load, which the program opened at run time, " "$(cat err)" "a late program"
assert_eq 3 "$(grep -vc "searched for new events at intervals" err)" "lines about a closed pipe"
assert_eq "" "$(ls "$TRACING/instances")" "instances"

# If the output cannot be written, uetrace reports this, the program continues, and the exit status
# is not 0. Writing continues if the disk has space again.
no_space='No space left on device'
"$uetrace" run -o /dev/full "$load" 1000 0.2 >/dev/null 2>err
assert_eq 1 $? "status of a full disk"
assert_match "^uetrace: cannot write /dev/full: $no_space\$" "$(cat err)"
assert_match '^uetrace: 200 events in .* 0 lost, 200 lines not written$' "$(cat err)"
"$uetrace" run "$examples/hello" >/dev/full 2>err
assert_eq 1 $? "status of a full disk"
assert_match "^uetrace: cannot write standard output: $no_space\$" "$(cat err)"
"$uetrace" run -o /dev/full sh -c "'$examples/hello'; exit 7" 2>err
assert_eq 7 $? "the program's own status"
"$uetrace" watch -o /dev/full "$examples/hello" 2>err &
watcher=$!
wait_until 20 watches $watcher hello
"$examples/hello"
wait_until 20 grep -q "^uetrace: cannot write /dev/full: $no_space; lines are queued in memory\$" err
refute stop -INT $watcher
assert_match '^uetrace: 1 event in .* 0 lost, 1 line not written$' "$(cat err)"
refute "$uetrace" list "$examples/hello" >/dev/full 2>err
assert_eq "uetrace: cannot write standard output: $no_space" "$(cat err)"

# The program makes the output pipe non-blocking, and the pipe is full for a while.
if command -v python3 >/dev/null; then
	"$uetrace" run sh -c "python3 -c 'import os; os.set_blocking(1, False)'
		'$load' 10000 0.5 >/dev/null" 2>err | { sleep 1.5; wc -l >lines; }
	assert_match "^uetrace: $(cat lines) events in .* 0 lost\$" "$(cat err)"
	[ "$(cat lines)" -gt 1000 ] || fail "only $(cat lines) lines were written, which do not fill a pipe"
fi
exit 0
