#!/bin/sh
# SPDX-License-Identifier: MIT
#
# uetrace run shows the events of a program written for LTTng-UST.

. "${0%/*}/helpers/lib.sh"
need_uetrace
demo=$programs/lttng_demo
"$demo" 2>/dev/null || skip "liblttng-ust-dev's examples are not installed"
assert "$uetrace" run "$demo" >out 2>err
assert_match '8 events in .* 0 lost$' "$(cat err)"
assert_match ' ust_tests_demo__starting value=123$' "$(cat out)"
assert_match ' ust_tests_demo3__done value=42$' "$(cat out)"
assert_match ' ust_tests_demo2__loop:loop intfield=4 intfield2=0x4 .* arrfield1=\[1,2,3\] .* seqfield2="test" .*doublefield=2$' "$(cat out)"
assert "$uetrace" run -e ust_tests_demo__done "$demo" >out 2>err
assert_match '^uetrace: 1 event in .* 0 lost$' "$(cat err)" "a single selected event"
assert "$uetrace" run -e 'ust_tests_demo__*' -f 'value > 200' "$demo" >out 2>err
assert_match '^uetrace: 1 event in .* 0 lost$' "$(cat err)" "events that pass the filter"
assert "$uetrace" run -l 3 "$demo" >out 2>err
assert_match '^uetrace: 5 events in .* 0 lost$' "$(cat err)" "the level of an event with floats"
