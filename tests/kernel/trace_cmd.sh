#!/bin/sh
# SPDX-License-Identifier: MIT
#
# trace-cmd must record a program's events, and trace-cmd report must show their names and values.

. "${0%/*}/helpers/lib.sh"
program=$programs/variant
need trace-cmd

add_event 'variant u32 number; s64 negative; __rel_loc char[] text'
# trace-cmd would lose events in a buffer of two pages, which an earlier test may have set
assert trace-cmd record -q -b 1408 -o trace.dat -e user_events:variant "$program" "a text" 5 \
	>out 2>&1
report=$(trace-cmd report -i trace.dat 2>err)
assert_eq 5 "$(echo "$report" | grep -c variant:)" "events of trace-cmd report"
for i in 1 2 3 4 5; do
	assert_match "variant: +number=$i negative=-$i text=a text\$" "$report"
done
