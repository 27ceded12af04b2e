#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Each event of a program written for LTTng-UST must be a separate tracepoint, in C and in C++. perf
# must list each event and record it alone, perf and ftrace must filter by its fields, and a
# histogram must aggregate a field. An event with a float, which uses EventHeader, must be a
# separate tracepoint too.

. "${0%/*}/helpers/lib.sh"
need perf
need_uetrace
events=$TRACING/events/user_events

for program in "$programs/lttng_events" "$programs/lttng_events_cpp"; do
	"$uetrace" register "$program" >registered 2>&1 &
	register=$!
	wait_until 20 is_registered store__end_L1K1
	list=$(perf list 'user_events:*')
	for event in robot__node_init robot__callback_start robot__spin store__write_enter store__begin_L5K1; do
		assert_match "^ *user_events:$event +\[Tracepoint event\]" "$list" "perf list"
	done

	assert perf record -q -o alone.data -e user_events:robot__callback_start "$program" 10
	assert_eq '     10 user_events:robot__callback_start:' \
		"$(perf script -i alone.data -F event | sed 's/ *$//;s/^ *//' | sort | uniq -c)" "one event alone"

	assert perf record -q -o filter.data -e user_events:robot__node_init \
		--filter 'node_name == "talker" && queue_depth > 5' "$program" 10
	script=$(perf script -i filter.data -F event,trace)
	assert_eq 2 "$(echo "$script" | grep -c node_name=talker)" "events that pass perf's filter"
	assert_match 'node_handle=[0-9]+ node_name=talker .* queue_depth=8 version=1.0' "$script"

	echo 'offset > 500 && op == 1' >"$events/store__write_enter/filter"
	enable_event store__write_enter
	enable_event store__begin_L5K1
	assert "$program" 10
	disable_event store__write_enter
	disable_event store__begin_L5K1
	assert_eq 4 "$(recorded store__write_enter | wc -l)" "events that pass ftrace's filter"
	assert_match 'name=listener .* offset=0x384 ' "$(recorded store__write_enter)"
	assert_eq 10 "$(recorded store__begin_L5K1 | wc -l)" "events with a float"
	assert_eq 14 "$(recorded | wc -l)" "events of both providers"

	echo 'hist:keys=name:vals=offset' >"$events/store__write_enter/trigger"
	assert "$program" 11
	assert_match 'name: talker +. hitcount: +6 +offset: +3000$' "$(cat "$events/store__write_enter/hist")" histogram
	echo '!hist:keys=name:vals=offset' >"$events/store__write_enter/trigger"
	echo 0 >"$events/store__write_enter/filter"
	clear_trace

	# Trace the USDT probes with LTTng's event names, using uprobes.
	assert "$uetrace" run --usdt -e 'robot__*' "$program" 3 >out 2>err
	assert_eq 6 "$(grep -c ' robot__' out)" "events recorded with uprobes"
	refute_match 'no USDT probe' "$(cat err)" "messages of uetrace"
	stop $register
	wait_until 20 is_gone store__end_L1K1
done
