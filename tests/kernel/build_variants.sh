#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Builds a program in C and C++, as a static program, with link-time optimisation, with
# garbage-collected sections, and with its events in a static library. Each build must register its
# events before main(), and the events must be recorded.

. "${0%/*}/helpers/lib.sh"

for variant in variant variant.static variant.lto variant.gc variant.archive variant_cxx; do
	program=$programs/$variant
	event=$(echo "$variant" | tr . _)
	[ -x "$program" ] || fail "$program was not built"
	clear_trace
	"$program" "from $variant" 2 >out &
	enable_event "$event"
	wait $! || fail "$variant: exit status $?: $(cat out)"
	assert_eq "registered 1 of 1: no error" "$(cat out)" "$variant's status"
	assert_eq "$event: number=0x1 (1) negative=0xffffffffffffffff (-1) text=from $variant
$event: number=0x2 (2) negative=0xfffffffffffffffe (-2) text=from $variant" \
		"$(recorded | sed 's/^.*[0-9]: \(variant\)/\1/')" "$variant's events"
	echo "$variant: recorded"
done
