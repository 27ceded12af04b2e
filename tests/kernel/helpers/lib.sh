# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# Functions for shell scripts that test the real kernel:
#
#	#!/bin/sh
#	. "${0%/*}/helpers/lib.sh"
#
# tests/kernel/check runs these tests as root in the guest. At the start nothing is registered or
# enabled in the kernel, and the current directory is $TMPDIR, which is empty; check kills leftover
# processes. The exit status is 0 if the test passed and 77 if it cannot run here; any other status
# is a failure.

set -u
TRACING=/sys/kernel/tracing
top=$(cd "${0%/*}/../.." && pwd -P)
programs=$top/build/tests/kernel/prog
cd "${TMPDIR:-/tmp}" || exit 1

# fail MESSAGE...: ends the test.
fail()
{
	echo "FAILED: $*"
	exit 1
}

# skip REASON...: ends the test because it cannot run here.
skip()
{
	echo "$*"
	exit 77
}

# need PROGRAM...: skips the test if any of these programs is not installed.
need()
{
	for need_program; do
		command -v "$need_program" >/dev/null || skip "no $need_program here"
	done
}

# need_uetrace: sets $uetrace, $examples and $load to the tracer, the examples and the load program.
need_uetrace()
{
	uetrace=$top/build/uetrace
	examples=$top/build/examples
	load=$top/build/tests/uetrace_load
	[ -x "$uetrace" ] || skip "there is no build/uetrace: make tools"
}

need_uprobes()
{
	[ -w "$TRACING/uprobe_events" ] || skip "this kernel has no uprobes, or is not ours"
}

# assert COMMAND [ARG]...: fails the test if COMMAND fails.
assert()
{
	"$@" || fail "$* (exit status $?)"
}

# refute COMMAND [ARG]...: fails the test if COMMAND succeeds.
refute()
{
	! "$@" || fail "$* should have failed"
}

# assert_eq EXPECTED ACTUAL [WHAT]
assert_eq()
{
	[ "$1" = "$2" ] || fail "${3:-value}: expected
$1
but got
$2"
}

# assert_match PATTERN TEXT [WHAT]: fails the test unless a line of TEXT matches the extended
# regular expression PATTERN.
assert_match()
{
	printf '%s\n' "$2" | grep -qE -e "$1" || fail "${3:-text}: nothing matches
$1
in
$2"
}

# refute_match PATTERN TEXT [WHAT]: fails the test if a line of TEXT matches PATTERN.
refute_match()
{
	! printf '%s\n' "$2" | grep -E -e "$1" ||
		fail "${3:-text}: the above matches $1"
}

# wait_until SECONDS COMMAND [ARG]...: repeats COMMAND until it succeeds, and fails the test after
# SECONDS. Choose a generous limit, because emulated machines are slow.
wait_until()
{
	wait_end=$(($(date +%s) + $1))
	shift
	until "$@"; do
		[ "$(date +%s)" -lt $wait_end ] || fail "waited in vain for: $*"
		sleep 0.1
	done
}

# is_registered NAME: succeeds if the event exists.
is_registered()
{
	grep -qE "^$1( |\$)" "$TRACING/user_events_status"
}

is_gone()
{
	! is_registered "$1"
}

# is_used NAME [BY]: succeeds if a tracer has enabled the event. BY is the kind of tracer: ftrace,
# perf or other.
is_used()
{
	grep -qE "^$1 # Used by .*${2:-}" "$TRACING/user_events_status"
}

# add_event SPEC: creates an event that continues to exist without a process that registers it.
add_event()
{
	echo "u:$1" >>"$TRACING/dynamic_events" || fail "dynamic_events takes no user event"
}

# start_server: starts the example server, $server, which writes events until the end of the test.
start_server()
{
	"$examples/server" -d "$top/include" -n 1000000 -c 2 -w 2 >/dev/null 2>&1 &
	server=$!
	wait_until 20 is_registered request_done
}

# stop [-SIGNAL] PID: ends a process and returns its exit status.
stop()
{
	kill "$@"
	[ $# -eq 1 ] || shift
	wait "$1"
}

# enable_event NAME, disable_event NAME: enables or disables the event in ftrace.
enable_event()
{
	wait_until 20 is_registered "$1"
	echo 1 >"$TRACING/events/user_events/$1/enable" || fail "cannot enable $1"
}

disable_event()
{
	echo 0 >"$TRACING/events/user_events/$1/enable" || fail "cannot disable $1"
}

clear_trace()
{
	echo >"$TRACING/trace"
}

# recorded [NAME]: prints the events that ftrace recorded, one per line.
recorded()
{
	if [ $# -gt 0 ]; then
		grep -v '^#' "$TRACING/trace" | grep -E " $1: "
	else
		grep -v '^#' "$TRACING/trace"
	fi
}

[ -n "${ANY_KERNEL-}" ] || [ -w "$TRACING/user_events_data" ] ||
	skip "this kernel has no user_events, or is not ours: run tests/kernel/check"
