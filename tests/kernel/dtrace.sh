#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Traces a program built with ue-dtrace. perf must record its probes as events. bpftrace, perf and
# uetrace must find the USDT probes under their original names, in all files of the program, with
# the original arguments.

ANY_KERNEL=1
. "${0%/*}/helpers/lib.sh"
need_uetrace
need_uprobes

cat >queue.d <<'END'
provider queue {
	probe job__added(int job, const char *name, int32_t length, long);
	probe job__done(int job, const char *name);
	probe moved(struct point to, double distance);
	probe unused();
};
END
cat >main.c <<'END'
#include <stdlib.h>
#include <unistd.h>
#include "queue.h"
void other(int i);
static struct point { int x, y; } to(int x)
{
	struct point point = { x, -x };
	return point;
}
int main(int argc, char **argv)
{
	static const char key[] = { 'k', 'e', 'y' };
	int i, n = argc > 1 ? atoi(argv[1]) : 2;

	for (i = 0; i < n; i++) {
		QUEUE_JOB_ADDED(-1 - i, key, sizeof(key), 1L << 40);
		if (QUEUE_JOB_DONE_ENABLED())
			QUEUE_JOB_DONE(i, "by main");
		other(i);
		QUEUE_MOVED(to(7), 0.5f);
		if (n > 2)
			usleep(20000);
	}
	return 0;
}
END
cat >other.c <<'END'
#include "queue.h"
void other(int i);
void other(int i) { QUEUE_JOB_DONE(i, "by other"); }
END
dtrace=$top/tools/dtrace/ue-dtrace
assert "$dtrace" -h -s queue.d && assert gcc -c main.c other.c &&
	assert "$dtrace" -G --strings=job__done -s queue.d && assert gcc main.o other.o queue.o -o queue

# Traces with user_events and with uprobes must contain the same lines.
for mode in "$([ -e "$TRACING/user_events_data" ] || echo --usdt)" --usdt; do
	"$uetrace" run $mode ./queue >out 2>err || fail "uetrace run: $(cat err)"
	assert_match ' queue__job__added job=-2 name=0x[0-9A-F]+ length=3 arg3=1099511627776$' "$(cat out)" "uetrace run $mode"
	assert_eq 2 "$(grep -cE ' queue__job__done job=[01] name="by main"$' out)" "uetrace run $mode"
	assert_eq 2 "$(grep -cE ' queue__job__done job=[01] name="by other"$' out)" "uetrace run $mode"
done

assert_match '^queue__job__done$' "$("$uetrace" list ./queue)" "uetrace list"

# If a program has only <sys/sdt.h> probes, uetrace run suggests a command. Check that this command
# shows the probes.
printf '#include <user_events_sdt.h>\nint main(int argc, char **argv) { (void)argv; DTRACE_PROBE1(app, began, argc); }\n' >app.c
assert gcc -I"$top/include" app.c -o app
"$uetrace" run ./app >out 2>err
command=$(sed -n 's/.*declares no events, but it has USDT probes; to show them: uetrace//p' err)
eval "\"\$uetrace\" $command" >out 2>>err
assert_match ' app:began arg1=1$' "$(cat out)" "uetrace $command"

./queue 100000 &
program=$!
if [ -e "$TRACING/user_events_data" ]; then
	wait_until 20 is_registered queue__job__done
	refute is_registered queue__unused
	if command -v perf >/dev/null; then
		assert perf record -q -a -o perf.data -e 'user_events:queue__job__*' sleep 1 2>err
		perf script -i perf.data >out 2>err
		assert_match 'user_events:queue__job__added: job=-[0-9]+ name=[0-9]+ length=3 arg3=1099511627776$' "$(cat out)" "perf"
		assert_match 'user_events:queue__job__done: job=[0-9]+ name=by other$' "$(cat out)" "perf"
	fi
fi
if command -v bpftrace >/dev/null && [ -d /sys/fs/bpf ]; then
	assert_match '^usdt:./queue:queue:job__done$' "$(bpftrace -l 'usdt:./queue:*')" "bpftrace -l"
	timeout -s INT 30 bpftrace -p $program -e 'usdt:./queue:queue:job__added {
			printf("added %d %s %ld\n", (int32)arg0, str(arg1, arg2), arg3); }
		usdt:./queue:queue:moved {
			printf("moved %d %d %lx\n", *(int32 *)uptr(arg0), *(int32 *)uptr(arg0 + 4), arg1); }
		usdt:./queue:queue:job__done { printf("done %s\n", str(arg1)); } interval:s:3 { exit(); }' >out 2>err
	assert_match '^added -[0-9]+ key 1099511627776$' "$(cat out err)" "bpftrace"
	assert_match '^moved 7 -7 3fe0000000000000$' "$(cat out)" "a struct and a double by value"
	assert_match '^done by main$' "$(cat out)" "bpftrace"
	assert_match '^done by other$' "$(cat out)" "bpftrace"
fi
kill $program
if command -v perf >/dev/null; then
	export HOME="$TMPDIR"
	assert perf buildid-cache --add ./queue >err 2>&1
	perf probe -q sdt_queue:job__added >err 2>&1 || fail "$(cat err)"
	assert perf record -q -o perf.data -e sdt_queue:job__added ./queue 2>err
	assert_match 'sdt_queue:job__added: \([0-9a-f]+\) arg1=-2 arg2=[0-9]+ arg3=3 arg4=1099511627776$' \
		"$(perf script -i perf.data 2>err)" "perf's USDT probe"
	perf probe -q -d 'sdt_queue:*' >/dev/null 2>&1
fi
exit 0
