#!/bin/sh
# SPDX-License-Identifier: MIT
#
# perf must record all events of a program if the events existed before the program started, and
# must be able to attach to a running program. perf script must show names and signed values.
# Filters and perf stat must work.

. "${0%/*}/helpers/lib.sh"
program=$programs/variant
command -v perf >/dev/null || fail "perf is not installed"

"$program" running 0 >out &
pid=$!
wait_until 20 is_registered variant
assert perf record -q -o running.data -p $pid -e user_events:variant -- sleep 1
stop $pid
script=$(perf script -i running.data -F comm,event,trace)
assert_match '^ *variant +user_events:variant: +number=[0-9]+ negative=-[0-9]+ text=running$' \
	"$script"
refute_match 'text=($|[^r])' "$script"
wait_until 20 is_gone variant

add_event 'variant u32 number; s64 negative; __rel_loc char[] text'
assert perf record -q -o perf.data -e user_events:variant "$program" "a text" 5 >out
script=$(perf script -i perf.data -F comm,event,trace)
assert_eq 5 "$(echo "$script" | grep -c 'user_events:variant:')" "events of perf script"
for i in 1 2 3 4 5; do
	assert_match "^ *variant +user_events:variant: +number=$i negative=-$i text=a text\$" "$script"
done

assert perf record -q -o filter.data -e user_events:variant --filter 'number > 3 && negative < -3' \
	"$program" "a text" 5 >out
script=$(perf script -i filter.data -F trace)
assert_eq 2 "$(echo "$script" | grep -c number=)" "events that pass the filter"
assert_match 'number=4 ' "$script"
assert_match 'number=5 ' "$script"

assert perf stat -x, -o stat -e user_events:variant "$program" "a text" 7 >out
assert_match '^7,.*user_events:variant' "$(cat stat)"
