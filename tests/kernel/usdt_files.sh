#!/bin/sh
# SPDX-License-Identifier: MIT
#
# uetrace must place a uprobe only in the file whose notes it has read. This must hold for any path,
# even if the path is replaced in the meantime, and in a container, where the host's path refers to
# another file. tests/uetrace/usdt_native.sh runs this script without a virtual machine.

ANY_KERNEL=1
. "${0%/*}/helpers/lib.sh"
need_uprobes
need_uetrace

# Compiles a program that writes an event 100 times a second. Another NUMBER changes the file's
# contents and the location of the event.
cat >placed.c <<'END'
#include <unistd.h>
#include <user_events.h>
#include <user_events_sdt.h>

#define TEN(x) x x x x x x x x x x
#define MANY TEN(TEN(DTRACE_PROBE(placed, many);)) TEN(TEN(DTRACE_PROBE(placed, many);))

static volatile int sink;

int main(int argc, char **argv)
{
	if (NUMBER == 2) {
		TEN(TEN(sink++;))
	}
	for (;;) {
		UE_TRACE(placed_event, UE_I32(n, NUMBER));
		usleep(argc > 1 ? 20 : 10000);
		if (NUMBER == 3) {
			MANY
		}
	}
}
END
# A program without probes. It exits if its code in memory differs from the code in its file.
cat >victim.c <<'END'
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	int file = open("/proc/self/exe", O_RDONLY);
	unsigned long begin, end, offset;
	static char line[4096], code[1 << 20];
	FILE *maps = fopen("/proc/self/maps", "r");

	if (!file) /* code where other programs have some */
		__asm__(".fill 65536, 1, 0x90");

	while (fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%lx-%lx r-xp %lx", &begin, &end, &offset) == 3)
			break;
	}
	pread(file, code, end - begin, offset);
	while (memcmp(code, (void *)begin, end - begin) == 0)
		usleep(10000);
	return 1;
}
END
for number in 1 2 3; do
	gcc -w -O1 -I"$top/include" -DNUMBER=$number placed.c -o placed$number || fail "placed.c does not compile"
done
gcc -w -O1 victim.c -o victim || fail "victim.c does not compile"
./victim &
victim=$!
main=$(nm victim | awk '$3 == "main" { print $1 }')

: >out
: >err
unharmed()
{
	kill -0 $victim 2>/dev/null || fail "$1: the code of another program was modified"
}

# expect_events WHAT PATH: runs the program, and checks that its events arrive and nothing else
# happens
expect_events()
{
	"$2" &
	program=$!
	"$uetrace" watch --usdt placed_event >out 2>err &
	tracer=$!
	wait_until 30 grep -qE 'n=[123]$|no such event' out err
	sleep 0.3
	unharmed "$1"
	assert_match "^p:uetrace_${tracer}_usdt/placed_event_0 /proc/$tracer/fd/[0-9]+:0x[0-9a-f]+\\(0x[0-9a-f]+\\) " \
		"$(grep "uetrace_${tracer}_usdt" "$TRACING/dynamic_events") " "$1: a definition"
	stop -INT $tracer
	kill $program
	assert_match ' placed_event n=1$' "$(cat out)" "$1: events"
}

# Paths that the kernel's parser misinterprets: text after # is a comment, any Latin-1 space
# character ends a word, and the last colon ends the path.
ln -s victim d
for folder in "d:0x$main#x" 'C#' "$(printf 'voil\303\240')" "$(printf 'latin\240one')" 'a b' "$(printf 'two\nlines')" 'p:x;y'; do
	mkdir "$folder"
	cp placed1 "$folder/program"
	expect_events "a path $folder" "$folder/program"
done
rm d

# One path refers alternately to a program with probes and to the program "victim" without probes.
cp placed3 program
./program &
program=$!
wait_until 20 [ "/proc/$program/exe" -ef program ]
while [ ! -e enough ]; do
	mv program saved
	ln -s victim program
	rm program
	mv saved program
done &
exchanger=$!
"$uetrace" watch --usdt 'usdt::placed:many' placed_event >out 2>err &
tracer=$!
wait_until 60 grep -q 'placed:many' out
touch enough
wait_until 60 grep -q "placed_event_200" "$TRACING/dynamic_events"
assert_eq 200 "$(grep -c "uetrace_${tracer}_usdt/many_[0-9]* /proc/$tracer/fd/[0-9]*:" "$TRACING/dynamic_events")" "an exchanged path: uprobes"
unharmed "an exchanged path"
stop -INT $tracer
kill $program
wait $exchanger

# A container and the host each have a file at the same path. The container's file has events. The
# host's file has no events at first, and later has events at other offsets.
command -v unshare >/dev/null && unshare -m true 2>/dev/null || skip "mount namespaces are not available"
for outside in victim placed1; do
	rm -f program
	cp $outside program
	./program &
	host=$!
	unshare -m --propagation private sh -c 'mount --bind placed2 program && exec ./program' &
	contained=$!
	"$uetrace" watch --usdt placed_event >out 2>err &
	tracer=$!
	wait_until 30 grep -q 'n=2$' out
	[ $outside = victim ] || wait_until 30 grep -q 'n=1$' out
	kill -0 $host || fail "a container's probe modified the host's file at the same path"
	unharmed "a container"
	stop -INT $tracer
	kill $contained $host
done

# A program is overwritten in place. A uprobe for the old contents could then be in the middle of an
# instruction.
write_over()
{
	cat victim >program || fail "the program's file cannot be overwritten"
	./program &
	program=$!
	wait_until 20 [ "/proc/$program/exe" -ef program ]
	sleep 0.3
	kill -0 $program 2>/dev/null || fail "uprobes remained in an overwritten program"
	kill $program
	wait $program
}
rm -f program
cp placed1 program
"$uetrace" watch --usdt placed_event >out 2>err &
tracer=$!
for round in 1 2; do
	./program &
	program=$!
	wait_until 30 eval '[ "$(grep -c "n=$round\$" out)" -ge 1 ]'
	kill $program
	wait $program
	write_over
	cat placed2 >program
done
stop -INT $tracer

# A program is overwritten while uetrace is exiting and waits for a reader that does not read.
cat placed1 >program
./program often &
program=$!
mkfifo pipe
sleep 1000 <pipe &
sleeper=$!
"$uetrace" watch --usdt placed_event >pipe 2>err &
tracer=$!
wait_until 60 eval 'cat /proc/$tracer/task/*/wchan | grep -q pipe_write'
kill $program
wait $program
kill -INT $tracer
wait_until 20 eval '[ "$(cat "$TRACING/instances/uetrace-$tracer/tracing_on")" = 0 ]'
timeout 20 sh -c 'cat victim >program' || fail "the program's file cannot be overwritten while uetrace exits"
./program &
program=$!
wait_until 20 [ "/proc/$program/exe" -ef program ]
sleep 0.3
kill -0 $tracer || fail "uetrace did not wait for its reader"
kill -0 $program 2>/dev/null || fail "uprobes remained in a program overwritten while uetrace exits"
kill $program $sleeper
stop -TERM $tracer

# uetrace must remove its uprobes even if it cannot fork. The probed file is a program that is
# overwritten, a library that is overwritten while a child of "uetrace run" still uses it, or a file
# with so many probes that uetrace cannot wait for their removal.
cat >shim.c <<'END'
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

int fork(void)
{
	if (access("nofork", F_OK) != 0)
		return syscall(SYS_fork);
	errno = EAGAIN;
	return -1;
}
END
gcc -w -shared -fPIC shim.c -o shim.so || fail "shim.c does not compile"
cat placed1 >program
./program &
program=$!
LD_PRELOAD=./shim.so "$uetrace" watch --usdt placed_event >out 2>err &
tracer=$!
wait_until 30 grep -q 'n=1$' out
kill $program
wait $program
touch nofork
write_over
stop -INT $tracer
rm nofork

gcc -w -O1 -shared -fPIC -I"$top/include" -DNUMBER=1 -Dmain=work placed.c -o library.so || fail "placed.c does not compile as a library"
echo 'int main(void) { work(1); }' | gcc -w -x c - -x none ./library.so -o user || fail "the user of the library does not compile"
LD_PRELOAD=./shim.so "$uetrace" run --usdt ./user >out 2>err &
tracer=$!
wait_until 30 grep -q 'n=1$' out
touch nofork
exec 3>>library.so
exec 3>&-
kill "$(pidof user)"
wait_until 20 grep -q ' events in ' err
wait $tracer
rm nofork

./placed3 &
program=$!
LD_PRELOAD=./shim.so "$uetrace" watch 'usdt::placed:many' >out 2>err &
tracer=$!
wait_until 60 grep -q "uetrace_${tracer}_usdt/many_199 " "$TRACING/dynamic_events"
touch nofork
stop -INT $tracer
assert_eq "" "$(grep many "$TRACING/dynamic_events")" "remaining uprobes"
kill $program
rm nofork

# A USDT probe with the name of a tracepoint must not replace the tracepoint.
if [ -w "$TRACING/user_events_data" ]; then
	cat >alike.c <<'END'
#include <unistd.h>
#include <user_events_sdt.h>

int main(void)
{
	for (;; usleep(10000))
		DTRACE_PROBE1(user_events, alike, 1);
}
END
	gcc -w -O1 -I"$top/include" alike.c -o like || fail "alike.c does not compile"
	./like &
	program=$!
	"$uetrace" watch 'usdt::user_events:*' alike >out 2>err &
	tracer=$!
	wait_until 30 grep -q ' alike arg1=1$' out
	add_event 'alike s32 by_tracepoint'
	wait_until 30 is_used alike
	stop -INT $tracer
	kill $program
fi

# Deleted programs that are still running.
cp placed1 removed
./removed &
program=$!
wait_until 20 [ "/proc/$program/exe" -ef removed ]
rm removed
"$uetrace" watch --usdt placed_event >out 2>err &
tracer=$!
wait_until 30 grep -q 'n=1$' out
stop -INT $tracer
kill $program

# A uprobe keeps its file and the file's mount in use until uetrace exits.
mkdir mounted
mount -t tmpfs none mounted || fail "cannot mount a tmpfs"
cp placed1 mounted/program
mounted/program &
program=$!
"$uetrace" watch --usdt placed_event >out 2>err &
tracer=$!
wait_until 30 eval 'ls -l /proc/$tracer/fd | grep -q mounted/program'
kill $program
wait $program
refute umount mounted 2>/dev/null
stop -INT $tracer
wait_until 20 umount mounted 2>/dev/null
kill $victim
exit 0
