#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Two versions of a program run at the same time. They declare the same event with different fields.
# The events of both are recorded, those of the second version as user_events_multi:NAME.HEX. The
# first version is not affected.

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
assert_eq "registered 1 multi 0: no error" "$(cat out1)" "the first's status"
assert_eq "registered 1 multi 1: no error" "$(cat out2)" "the second's status"

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
# deleting an event deletes its records, so read them before the programs exit
assert_eq 1 "$(recorded | grep -c ' versioned\.[0-9a-f]*: status=0x2 (2) path=/new$')" \
	"the second's events, while it was enabled"

# uetrace shows the events of both formats by their common name, or the events of only one format.
if [ -x "$top/build/uetrace" ]; then
	multi=${1##*/}
	# shows NAME COUNT: writes the COUNT events that a watch of NAME shows to the file shown
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
	assert_eq 'versioned status=2 path="/new"' "$(cat shown)" "one format by its own name"
fi
exec 8>&- 9>&-
wait $first || fail "the first's exit status is $?"
wait $second || fail "the second's exit status is $?"
disable_event versioned
wait_until 20 is_gone 'versioned.*'
