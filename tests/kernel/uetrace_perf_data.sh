#!/bin/sh
# SPDX-License-Identifier: MIT
#
# uetrace show must print each event that perf recorded with the same time, CPU, thread and fields
# as perf script.

. "${0%/*}/helpers/lib.sh"
need_uetrace
normal=$top/tests/kernel/helpers/normal_events.py
need perf python3
export TZ=UTC0

# Do not let perf read the binaries of all processes, which takes a long time in an emulated
# machine.
record()
{
	perf record -q -B -N "$@"
}

# compare_perf FILE: compares the output of uetrace with that of perf script, event by event
compare_perf()
{
	perf script -F comm,tid,cpu,time,event,trace -i "$1" >perf.out 2>err ||
		fail "perf script -i $1: $(cat err)"
	python3 "$normal" theirs cut <perf.out >theirs
	"$uetrace" show --json "$1" >json 2>err || fail "uetrace show $1: $(cat err)"
	grep -q ', 0 lost$' err || fail "$1: $(cat err)"
	python3 "$normal" ours cut <json >ours
	[ "$(wc -l <theirs)" -ge "$2" ] || fail "$1 has only $(wc -l <theirs) events"
	# perf sorts events with equal times arbitrarily
	sort theirs >theirs.sorted
	sort ours | diff theirs.sorted - >difference || fail "$1: uetrace and perf script differ: $(head -n 6 difference)"
	cut -d ' ' -f 1 ours | sort -n -c || fail "the events of $1 are not sorted by time"
}

start_server

# Recordings of one event and of several events: through a pipe, compressed, and with every optional
# part of a sample.
record -o one.data -e user_events:request_done -a sleep 0.1 || fail "perf record"
compare_perf one.data 8
record -o some.data -e 'user_events:*' -a sleep 0.1 || fail "perf record"
compare_perf some.data 20
record -o - -e 'user_events:*' -a sleep 0.1 >pipe.data || fail "perf record -o -"
compare_perf pipe.data 20
record -z -o packed.data -e 'user_events:*' -a sleep 0.1 || fail "perf record -z"
perf report --header-only -i packed.data | grep -q compressed || fail "packed.data is not compressed"
compare_perf packed.data 20
record -g -d -W --phys-data --data-page-size -o full.data -e 'user_events:*' -a sleep 0.1 ||
	fail "perf record -g"
compare_perf full.data 20
record -c 1 -o thread.data -e user_events:request_done -p $server sleep 0.1 ||
	fail "perf record -p"
compare_perf thread.data 4
# perf script prints each sample of a group once for each of the group's events
record -o group.data -e '{user_events:request_done,user_events:Example_Server_L4K1}:S' -a \
	sleep 0.1 || fail "perf record with a group"
perf script -F comm,tid,cpu,time,event,trace -i group.data | python3 "$normal" theirs cut |
	cut -d ' ' -f 1-3 | sort -u >theirs
"$uetrace" show --json group.data 2>err | python3 "$normal" ours cut | cut -d ' ' -f 1-3 | sort -u |
	diff theirs - >difference || fail "group.data: uetrace and perf script differ: $(head -n 6 difference)"
[ "$(wc -l <theirs)" -ge 8 ] || fail "group.data has only $(wc -l <theirs) events"

# uetrace must print the same process and thread names as perf.
perf script -F comm,tid -i some.data | awk '{ print $1 "-" $2 }' | sort | uniq -c >theirs
"$uetrace" show some.data 2>err | awk '{ print $3 }' | sort | uniq -c | diff theirs - ||
	fail "uetrace and perf script print different process names"
