#!/bin/sh
# SPDX-License-Identifier: MIT
#
# user_events and uprobes are both attached to the events of eight threads and a child process. Both
# must record every event once, even while more tracers attach and detach, and no bit may remain set
# afterwards.

. "${0%/*}/helpers/lib.sh"
need_uprobes
need_uetrace

cat >eight.c <<'SOURCE'
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
#include <user_events.h>

#define EVENTS 400

UE_TRACEPOINT(eight, UE_U32(n));

static void *writes(void *unused)
{
	for (unsigned int i = 0; i < EVENTS; i++) {
		trace_eight(i);
		if (i % 16 == 0)
			usleep(1000);
	}
	return unused;
}

int main(void)
{
	pthread_t threads[8];
	int i;

	for (i = 0; i < 8; i++)
		pthread_create(&threads[i], NULL, writes, NULL);
	if (fork() == 0) {
		writes(NULL);
		_exit(0);
	}
	for (i = 0; i < 8; i++)
		pthread_join(threads[i], NULL);
	wait(NULL);
	for (i = 0; i < 600 && trace_eight_enabled(); i++)
		usleep(100000);
	printf("enabled %d\n", trace_eight_enabled());
	return 0;
}
SOURCE
gcc -I"$top/include" eight.c -o eight -pthread || fail "eight.c does not compile"

has_all()
{
	[ "$(grep -c ' eight n=' "$1")" -ge 3600 ]
}

"$uetrace" watch -o by_user_events ./eight >/dev/null 2>err.1 &
first=$!
"$uetrace" watch --usdt -o by_uprobes ./eight >/dev/null 2>err.2 &
second=$!
wait_until 30 is_registered eight
wait_until 30 grep -q eight "$TRACING/uprobe_events"
wait_until 30 grep -q 1 "$TRACING/instances/uetrace-$first/events/user_events/eight/enable"
wait_until 30 grep -q 1 "$TRACING/instances/uetrace-$second/events/uetrace_${second}_usdt/enable"
./eight >left &
program=$!
for i in 1 2 3; do
	timeout -s INT 1 "$uetrace" watch --usdt ./eight >/dev/null 2>&1
	timeout -s INT 1 "$uetrace" watch ./eight >/dev/null 2>&1
done
wait_until 40 has_all by_user_events
wait_until 40 has_all by_uprobes
kill -INT $first $second
wait $first $second $program
assert_match '^uetrace: 3600 events in .*, 0 lost$' "$(cat err.1)" "user_events"
assert_match '^uetrace: 3600 events in .*, 0 lost$' "$(cat err.2)" "uprobes"
refute_match missing "$(cat err.1 err.2)"
for file in by_user_events by_uprobes; do
	sed -nE 's/.*eight-([0-9]+) eight n=/\1 /p' $file | sort >$file.1
	assert_eq 3600 "$(uniq $file.1 | wc -l)" "different events, $file"
done
assert cmp by_user_events.1 by_uprobes.1
assert_eq "enabled 0" "$(cat left)" "probes after all tracers have detached"
assert_eq "" "$(grep uetrace_ "$TRACING/dynamic_events")" "uprobes"
exit 0
