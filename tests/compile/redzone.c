/* SPDX-License-Identifier: MIT */
/*
 * A tracer must preserve the red zone, the memory below the stack pointer in which a function
 * without a stack frame stores data.
 *
 * Linux 6.18 replaces a five-byte nop with a call, which pushes its return address to the red zone.
 * Therefore each probe in this program must be a one-byte nop, regardless of the header that
 * created it. If the kernel permits attaching a uprobe, leaf() must return the same value with and
 * without the uprobe.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>

#include <user_events_sdt.h>

#include "redzone_provider.h" /* of ue-dtrace -h */

#define ROUNDS 1000

UE_EVENT_SET(redzone_set, "Redzone", UE_LEVEL_INFORMATION, 1);

__attribute__((__noinline__)) static uint64_t leaf(uint64_t seed)
{
	volatile uint64_t kept[8];
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < 8; i++)
		kept[i] = seed * i;
	DTRACE_PROBE1(app, leaf, seed);
	for (i = 0; i < 8; i++)
		sum += kept[i] ^ i;
	return sum;
}

static uint64_t expected(uint64_t seed)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < 8; i++)
		sum += (seed * i) ^ i;
	return sum;
}

/*
 * Writes events of the other kinds of probes. good/lttng.c and good/tracepoint.c, which are linked
 * with this file, contain more kinds.
 */
static void others(int n)
{
	UE_TRACE(redzone_trace, n);
	UE_LOG(redzone_set, "Logged", n);
	REDZONE_PROVIDER_FIRED(n);
}

/*
 * Attaches a uprobe at file offset PLACE of this program. Returns the uprobe's fd, or -1 with errno
 * set.
 */
static int attach(uint64_t place)
{
	static char path[] = "/proc/self/exe";
	FILE *file = fopen("/sys/bus/event_source/devices/uprobe/type", "re");
	struct perf_event_attr attr;
	unsigned int type;

	if (!file)
		return -1;
	if (fscanf(file, "%u", &type) != 1)
		type = 0;
	fclose(file);
	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.type = type;
	attr.uprobe_path = (uintptr_t)path;
	attr.probe_offset = place;
	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/*
 * usage: redzone PLACE... attaches uprobes to leaf()'s probe at these file offsets. Exits with 77
 * if the kernel does not permit this.
 */
int main(int argc, char **argv)
{
	unsigned int wrong = 0, i;
	uint64_t hits, sum = 0;
	int fd[8], n;

	others(argc);
	for (n = 0; n < argc - 1 && n < 8; n++) {
		fd[n] = attach(strtoull(argv[n + 1], NULL, 0));
		if (fd[n] < 0) {
			perror("perf_event_open");
			return 77;
		}
	}
	for (i = 0; i < ROUNDS; i++)
		wrong += leaf(i) != expected(i);
	while (n-- > 0) {
		if (read(fd[n], &hits, sizeof(hits)) == sizeof(hits))
			sum += hits;
	}
	if (wrong || sum != ROUNDS)
		printf("error: %u of %d results are wrong, after %lu hits\n", wrong, ROUNDS,
		       (unsigned long)sum);
	return wrong || sum != ROUNDS;
}
