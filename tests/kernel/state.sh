#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The example server must list its connections when ftrace, perf or a USDT tracer attaches, both
# from its own loop and from the header's thread.

. "${0%/*}/helpers/lib.sh"
need perf
need_uetrace
need_uprobes

lists_all_connections()
{
	[ "$(recorded connection_open | wc -l)" -eq 3 ]
}

# Detaches the tracer, waits until the server has noticed, and attaches the tracer again.
lists_again()
{
	disable_event connection_open
	sleep 1
	clear_trace
	enable_event connection_open
	sleep 1
	lists_all_connections
}

# Three clients have connected, and each has sent a message.
are_connected()
{
	[ "$(recorded message_received | sed 's/.*fd=//; s/ .*//' | sort -u | wc -l)" -eq 3 ]
}

wait_for_clients()
{
	enable_event message_received
	wait_until 20 are_connected
	disable_event message_received
	clear_trace
}

for option in "" -t; do
	# shellcheck disable=SC2086 # unquoted, so that an empty option is no argument
	"$examples/connections" $option 1000000 >/dev/null &
	server=$!
	wait_for_clients
	enable_event connection_open
	wait_until 20 lists_all_connections
	assert_match 'connection_open: fd=.* client_port=.* messages=0x' "$(recorded)"
	wait_until 60 lists_again
	disable_event connection_open
	stop $server
	clear_trace
	wait_until 20 is_gone connection_open
done

"$programs/state_server" 1000000 >/dev/null &
server=$!
wait_for_clients

records_all_connections()
{
	sleep 1
	perf record -q -o perf.data -a -e user_events:connection_open -- sleep 6 2>err &&
		[ "$(perf script -i perf.data -F event,trace 2>err | grep -c 'connection_open: fd=')" -eq 3 ]
}
wait_until 60 records_all_connections

shows_all_connections()
{
	sleep 1
	timeout -s INT 10 "$uetrace" watch --usdt connection_open >usdt 2>err
	[ "$(grep -c 'connection_open fd=' usdt)" -eq 3 ]
}
wait_until 60 shows_all_connections
stop $server
exit 0
