#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Tests live histograms and latencies of kernel-typed events, events in sets, activities, and the
# kernel's own events.

. "${0%/*}/helpers/lib.sh"
need_uetrace

# live EVENT OUT ARG...: runs uetrace, which enables EVENT, and interrupts it after the server has
# exited
live()
{
	live_event=$1
	live_out=$2
	shift 2
	"$uetrace" "$@" >"$live_out" 2>"$live_out.err" &
	live_pid=$!
	wait_until 20 is_used "$live_event"
	"$top/build/examples/server" -d "$top/include" -n 60 -c 3 -w 3 >/dev/null
	sleep 1
	kill -INT $live_pid
	wait $live_pid || fail "uetrace $* exited with status $?: $(cat "$live_out.err")"
}

# Keep the events registered, so that uetrace finds them at any time.
"$uetrace" register 'request_done s32 status; u64 bytes; __rel_loc char[] path' \
	'Example_Server_L4K1 u8 eventheader_flags; u8 version; u16 id; u16 tag; u8 opcode; u8 level' \
	>/dev/null 2>&1 &
holder=$!
wait_until 20 is_registered request_done

live request_done bytes hist request_done bytes
assert_match '^request_done.bytes +60 ' "$(cat bytes)"
live Example_Server_L4K1 ms hist Example_Server:RequestStop ms
assert_match '^Example_Server:RequestStop.ms +60 ' "$(cat ms)"
live Example_Server_L4K1 requests latency
assert_match '^Request +60 +[0-9.]+[mun]?s ' "$(cat requests)"
assert_match ' \|@+$' "$(cat requests)"
live request_done between latency --from RequestStart --to request_done --by path
assert_match '^RequestStart to request_done +[1-9]' "$(cat between)"
stop $holder

# Misspelt names are reported at once, along with similar names from running programs, including
# events of sets.
start_server
misspelt() # NAME NEAREST ARG...
{
	misspelt_name=$1
	misspelt_nearest=$2
	shift 2
	"$uetrace" "$@" >out 2>err &
	live_pid=$!
	wait_until 20 grep -q '^uetrace: available:' err
	assert_eq "uetrace: no event matches $misspelt_name yet; waiting for it" "$(head -n 1 err)"
	assert_match "^uetrace: available: $misspelt_nearest, " "$(cat err)" "uetrace $*"
	stop -INT $live_pid
}
misspelt reqest_done request_done hist reqest_done status
misspelt RequestStp Example_Server:RequestStop latency --from RequestStart --to RequestStp
misspelt 'Exmple*:RequestStart' Example_Server:RequestStart watch 'Exmple*:RequestStart'
# A pattern is not reported as misspelt if it matches an event of a running program.
for pattern in 'Request*' 'request_*'; do
	"$uetrace" watch "$pattern" >out 2>err &
	live_pid=$!
	wait_until 20 grep -q ' [Rr]equest\|:Request' out
	stop -INT $live_pid
	refute_match 'no event matches' "$(cat err)" "uetrace watch $pattern"
done
stop $server

# On a terminal, uetrace redraws the histogram in place every second.
command -v script >/dev/null || exit 0
"$load" 100 12 >/dev/null 2>&1 &
env -u NO_COLOR TERM=xterm script -qec "stty rows 24 cols 60; timeout -s INT 8 '$uetrace' hist load process" \
	terminal >/dev/null 2>&1
wait
drawn=$(grep -c "$(printf '\033')"'\[[0-9]*A' terminal)
[ "$drawn" -ge 2 ] || fail "the histogram was drawn $drawn times, expected at least 2: $(cat -v terminal)"
[ "$(tr -d '\r' <terminal | sed "s/$(printf '\033')\[[0-9]*[AJ]//g" |
	grep -v '^Script\|^uetrace: ' | awk '{ print length }' | sort -n | tail -n 1)" -lt 60 ] || fail "a line is wider than the terminal: $(cat -v terminal)"
