#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Two versions of a program, whose event has different fields, run at the same time. Both are
# recorded, the second one as user_events_multi:NAME.HEX, and the first one is unaffected.

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
exec 8>&- 9>&-
wait $first || fail "the first's exit status is $?"
wait $second || fail "the second's exit status is $?"
disable_event versioned
wait_until 20 is_gone 'versioned.*'
