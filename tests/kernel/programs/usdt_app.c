/* SPDX-License-Identifier: MIT */
/*
 * A program with <sys/sdt.h> probes, independent of user_events.h.
 *
 *   usdt_app [COUNT [PAUSE_US]]
 *
 * Exits with 77 if <sys/sdt.h> was not available when it was built.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#if __has_include(<sys/sdt.h>)
#define SDT_USE_VARIADIC
#define _SDT_HAS_SEMAPHORES 1
#include <sys/sdt.h>
__extension__ unsigned short app_work_semaphore __attribute__((section(".probes")));
__extension__ unsigned short app_idle_semaphore __attribute__((section(".probes")));
#else
#define DTRACE_PROBE2(...) exit(77)
#define DTRACE_PROBE4(...) exit(77)
static unsigned short app_work_semaphore = 1;
#endif

static int total;

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 3, pause = argc > 2 ? atoi(argv[2]) : 0, i;

	for (i = 0; i < count; i++) {
		char name[16];

		snprintf(name, sizeof(name), "job%d", i);
		total += 10;
		if (app_work_semaphore)
			DTRACE_PROBE4(app, work, i, name, (int64_t)-i * 1000000000,
				      (uint8_t)(i + 250));
		DTRACE_PROBE2(app, idle, total, 42);
		usleep((unsigned int)pause);
	}
	return 0;
}
