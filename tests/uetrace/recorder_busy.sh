#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Runs uetrace show on recorder files of threads that write at full speed, on large files and on
# hostile files. Checks the order of the events, the memory and the time.

. "$(dirname "$0")/../checks.sh"
uetrace=${1:-build/uetrace}
server=${2:-build/examples/server}

show()
{
	tell show "$@"
}

# until COMMAND...: repeats COMMAND until it succeeds, for at most ten seconds
until_true()
{
	local i
	for i in {1..100}; do
		"$@" && return
		sleep 0.1
	done
	fail "not true within ten seconds: $*"
}

more() { [ "$(wc -l <"$dir/followed")" -gt "$1" ]; }

# Shows a file, with and without --follow, while eight threads write texts of spaces at full speed.
cat >"$dir/busy.c" <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <user_events_recorder.h>

static char text[201];

static void *write_events(void *argument)
{
	for (uint32_t i = 0;; i++)
		UE_TRACE(busy, UE_U32(thread, (uint32_t)(uintptr_t)argument), UE_U32(number, i), UE_STR(text));
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	alarm(300); /* should the test be ended */
	for (int i = 0; i < 200; i++)
		text[i] = ' ';
	if (argc != 4 || ue_recorder_open(argv[1], strtoul(argv[2], NULL, 0), (unsigned int)atoi(argv[3])))
		return 1;
	for (uintptr_t i = 1; i < 8; i++)
		pthread_create(&thread, NULL, write_events, (void *)i);
	write_events(NULL);
}
END
${CC:-gcc} -std=gnu11 -O2 -Iinclude -o "$dir/busy" "$dir/busy.c" -pthread || fail "busy.c does not compile"
for row in '1048576 1' '4194304 2' '65536 1'; do
	set -- $row
	"$dir/busy" "$dir/busy.uer" "$1" "$2" &
	pid=$!
	busy() { show "$dir/busy.uer" && [ "$status" -eq 0 ] && grep -q overwritten "$dir/err"; }
	until_true busy
	for i in 1 2 3; do
		show --json "$dir/busy.uer"
		expect "status of a busy recorder of $row" 0 $status
		shown=$(wc -l <"$dir/out")
		[ "$shown" -gt $(($1 / 256 / 4 / $2)) ] || fail "only $shown events of a busy recorder of $row"
		expect "order of a busy recorder of $row" "" \
			"$(sed -nE 's/.*"timestamp":"?([^",]*).*/\1/p' "$dir/out" | sort -c 2>&1)"
	done
	kill -9 $pid
	wait $pid 2>/dev/null
	show "$dir/busy.uer"
	expect "status of a killed busy recorder of $row" 0 $status
	shown=$(wc -l <"$dir/out")
	[ "$shown" -gt $(($1 / 256 / 4 / $2)) ] || fail "only $shown events of a killed busy recorder of $row"
	rm "$dir/busy.uer"
done
"$dir/busy" "$dir/busy.uer" 1048576 1 &
pid=$!
until_true busy
"$uetrace" show --follow "$dir/busy.uer" >"$dir/followed" 2>"$dir/err" &
follower=$!
until_true more 1000
until_true more $(($(wc -l <"$dir/followed") + 1000))
kill -INT $follower
wait $follower
kill -9 $pid
wait $pid 2>/dev/null
expect "order of a follower of 8 threads on one ring" "" \
	"$(cut -d ' ' -f 1 "$dir/followed" | grep -v '^uetrace' | sed '$d' | sort -c 2>&1)"

UE_RECORD=$dir/a.uer:1M "$server" -n 40 -c 2 -w 2 >/dev/null || fail "the server failed"

# memory_of COMMAND...: prints the peak memory of COMMAND in MiB, and its exit status. The memory
# must depend on the number of events in a file, not on the file size.
memory_of()
{
	python3 -c '
import resource, subprocess, sys
status = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024, status)' "$@"
}
set -- $(memory_of "$uetrace" show "$dir/a.uer")
[ "$1" -lt 16 ] || fail "show needs $1 MiB for a small recording"
UE_RECORD=/dev/shm/uetrace_large.$$:512M "$server" -n 5 >/dev/null
set -- $(memory_of "$uetrace" show /dev/shm/uetrace_large.$$)
rm -f /dev/shm/uetrace_large.$$
expect "status of a large recording with few events" 0 "$2"
[ "$1" -lt 16 ] || fail "$1 MiB for a large recording with few events"
{ head -c 4 "$dir/a.uer"; head -c 8000 /dev/zero; } >"$dir/sparse.uer"
truncate -s 3G "$dir/sparse.uer"
set -- $(memory_of "$uetrace" show "$dir/sparse.uer")
expect "status of a magic number and a hole" 1 "$2"
[ "$1" -lt 16 ] || fail "show needs $1 MiB for a sparse file with a magic number"
set -- $(memory_of sh -c 'cat "$2" | "$1" show -' - "$uetrace" "$dir/a.uer")
expect "status of a pipe" 0 "$2"

# The hostile file has a valid header, counters that indicate full rings, and many words, each of
# which looks like the start of a record.
cat >"$dir/hostile.c" <<'END'
#include <stdlib.h>
#include <sys/mman.h>
#include <user_events_recorder.h>

int main(int argc, char **argv)
{
	uint32_t rings = 1, shift = (uint32_t)atoi(argv[2]), fill = (uint32_t)atoi(argv[3]);
	int fd = open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0600);
	struct ue__recorder_layout layout;
	struct ue__recorder_head *head;
	struct ue__recorder_ring *ring;
	uint64_t *words, i;

	if (argc != 4 || !ue__recorder_plan(&layout, (uint64_t)rings << shift, rings) || ftruncate(fd, (off_t)layout.size))
		return 1;
	head = mmap(NULL, layout.size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	head->layout = layout;
	head->magic = UE__RECORDER_MAGIC;
	head->check = ue__recorder_check(head);
	head->count = 5000;
	ring = (void *)(head + 1);
	ring->u.next = 7ull << (shift - 3) << 32 | 12345678;
	ring->before = 1ull << 60;
	words = (void *)((char *)head + layout.data);
	for (i = 0; fill && i < (uint64_t)rings << shift >> 3; i++)
		words[i] = ue__recorder_what(5, 1 << 14 | 1, 65535);
	return 0;
}
END
${CC:-gcc} -std=gnu11 -O2 -Iinclude -o "$dir/hostile" "$dir/hostile.c" || fail "hostile.c does not compile"
"$dir/hostile" "$dir/hole.uer" 31 0 || fail "no hostile file"
set -- $(memory_of "$uetrace" show "$dir/hole.uer")
expect "status of a head and a hole" 1 "$2"
[ "$1" -lt 16 ] || fail "show needs $1 MiB for a sparse file with a valid head"
"$dir/hostile" "$dir/hostile.uer" 23 1
show "$dir/hostile.uer"
expect "status of a hostile file" 1 $status
grep -q 'is damaged: some events may be missing' "$dir/err" || fail "hostile: $(cat "$dir/err")"
"$dir/hostile" "$dir/hostile.uer" 28 1
for signal in INT TERM; do
	"$uetrace" show "$dir/hostile.uer" >"$dir/out" 2>"$dir/err" &
	pid=$!
	sleep 0.2
	kill -$signal $pid
	timeout 10 tail --pid=$pid -f /dev/null || fail "SIG$signal does not end show of a hostile file"
	wait $pid
done
rm "$dir/hostile.uer"
echo "uetrace show of large and busy recorders: $checks checks passed"
