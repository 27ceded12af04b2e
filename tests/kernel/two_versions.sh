#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs two versions of a program at the same time. Both declare the same event, but with different
# fields. The events of both versions must be recorded, with the name user_events_multi:NAME.HEX for
# the second version, and the first version must not be affected.

. "${0%/*}/helpers/lib.sh"

mkfifo in1 in2
"$programs/version1" <in1 >out1 &
first=$!
exec 8>in1
wait_until 20 grep -q registered out1
"$programs/version2" <in2 >out2 &
second=$!
exec 9>in2
wait_until 20 grep -q registered out2
assert_eq "registered 1 multi 0: no error" "$(cat out1)" "status of the first program"
assert_eq "registered 1 multi 1: no error" "$(cat out2)" "status of the second program"

set -- "$TRACING"/events/user_events_multi/versioned.*
assert_eq 1 $# "multi-format events"
assert_match '/versioned\.[0-9a-f]+$' "$1"
enable_event versioned
echo 1 >"$1/enable"
echo >&8
echo >&9
wait_until 20 grep -q 'path=/new' "$TRACING/trace"
wait_until 20 grep -q 'status=0x1 (1)$' "$TRACING/trace"
echo 0 >"$1/enable"
echo >&9
echo >&8
two()
{
	[ "$(recorded | grep -c 'versioned: status=0x1 (1)$')" = 2 ]
}
wait_until 20 two
# read the records before the programs exit, because deleting an event deletes its records
assert_eq 1 "$(recorded | grep -c ' versioned\.[0-9a-f]*: status=0x2 (2) path=/new$')" \
	"the second's events, while it was enabled"

# uetrace selects the events of both formats by their common name, or the events of one format.
if [ -x "$top/build/uetrace" ]; then
	multi=${1##*/}
	# shows NAME COUNT: watches NAME, and writes the COUNT events that are shown to the file
	# "shown"
	shows()
	{
		"$top/build/uetrace" watch "$1" >out 2>err &
		watcher=$!
		wait_until 60 [ -s err -o -e "$TRACING/instances/uetrace-$watcher/events/user_events_multi/$multi/enable" ]
		assert_eq "" "$(cat err)" "messages of watch $1"
		wait_until 60 grep -q 1 "$TRACING/instances/uetrace-$watcher/events/user_events_multi/$multi/enable"
		echo >&8
		echo >&9
		wait_until 20 grep -q 'path="/new"' out
		[ "$2" -eq 1 ] || wait_until 20 grep -q 'status=1' out
		stop -INT $watcher
		sed -nE 's/.* (versioned[.0-9a-f]* .*)/\1/p' out | sort >shown
	}
	shows versioned 2
	assert_eq "versioned status=1
versioned status=2 path=\"/new\"" "$(cat shown)" "both formats by their common name"
	shows "user_events_multi:$multi" 1
	assert_eq 'versioned status=2 path="/new"' "$(cat shown)" "one format selected by its own name"
fi
exec 8>&- 9>&-
wait $first || fail "the first program exited with status $?"
wait $second || fail "the second program exited with status $?"
disable_event versioned
wait_until 20 is_gone 'versioned.*'
