#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Each example must work even if its events are disabled or the kernel has no user_events.

set -eu
cd "${0%/*}/.."
examples=build/examples

expect() { # WHAT EXPECTED ACTUAL
	[ "$2" = "$3" ] || { printf '%s: expected "%s", got "%s"\n' "$1" "$2" "$3"; exit 1; }
}

expect hello "" "$($examples/hello)"
expect server "served 60 requests" "$($examples/server -n 60 -c 3 -w 2)"
expect "server elsewhere" "server: include: No such file or directory; run it in the repository, or use -d DIRECTORY" \
	"$(cd build && ! examples/server 2>&1)"
expect service "sorted 4500 numbers" "$($examples/service)"
expect library "2
1
3" "$(printf 'a,b\n\nc,,d\n' | $examples/library)"
expect plugin_host "2 events" \
	"$(printf 'Login user=ann tries=2\nLoad cpu.user=0.5 cpu.system=0.25\n' | $examples/plugin_host)"
if ! $examples/runtime 'bad-name u32 a' 1 2>build/runtime.err; then
	grep -q 'bad-name.*identifier' build/runtime.err
else
	echo 'runtime: took a bad name'
	exit 1
fi
$examples/decode_event | grep -q "\"n\""
expect probe "1001 events" "$($examples/probe 1000 | tail -n 1)"
expect probe 1000 "$($examples/probe 1000 | awk '$2 == "ns" { n += $3 } END { print n }')"
$examples/capture_test 2>&1 | grep -q 'PASSED.* 2 test'
expect tracepoints "80 done, 20 failed" "$($examples/tracepoints 100)"
expect tracepoints "job_error: job 1: -ENODATA" "$($examples/tracepoints -v 1 | grep error)"
expect otel_service "9 of 10 orders paid" "$($examples/otel_service)"
# An invalid UE_RECORD is reported, and the program runs without a recorder.
for wrong in x.uer:64Q:the.size /nosuch/x.uer:No.such.file; do
	for program in 'server -n 0' 'otel_service 1'; do
		# shellcheck disable=SC2086
		UE_RECORD=${wrong%:*} $examples/$program 2>build/record.err >build/record.out
		grep -q "cannot record to UE_RECORD=${wrong%:*}: .*${wrong##*:}" build/record.err
		grep -qE '^served 0 requests|^1 of 1 orders' build/record.out
	done
done
expect connections "3 clients served" "$($examples/connections 3)"
expect "connections -t" "3 clients served" "$($examples/connections -t 3)"
echo "12 examples"
