/* SPDX-License-Identifier: MIT */
/*
 * uetrace_load RATE SECONDS [BYTES]: two processes together write RATE events per second, evenly
 * spaced. The events are numbered, so that losses can be detected. Each event contains a path of
 * BYTES bytes.
 *
 * uetrace_load speed COUNT: writes COUNT events without pauses and prints the time per event in ns.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <user_events.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static char path[4001] = "/index.html";

static void write_events(unsigned int process, double rate, double seconds)
{
	static const struct timespec pause = { 0, 1000000 };
	unsigned long total = (unsigned long)(rate * seconds), sequence = 0;
	double begin = now();

	while (sequence < total) {
		double due = (now() - begin) * rate;
		unsigned long until = due < (double)total ? (unsigned long)due : total;

		for (; sequence < until; sequence++)
			UE_TRACE(load, process, sequence, UE_STR(path));
		nanosleep(&pause, NULL);
	}
	printf("process %u wrote %lu events in %.3f s\n", process, sequence, now() - begin);
}

static void write_at_once(unsigned long count)
{
	unsigned int process = 0;
	unsigned long sequence;
	double begin = now();

	for (sequence = 0; sequence < count; sequence++)
		UE_TRACE(load, process, sequence, UE_STR(path, "/index.html"));
	printf("%.0f\n", (now() - begin) * 1e9 / (double)count);
}

int main(int argc, char **argv)
{
	double rate = argc > 1 ? atof(argv[1]) : 1000, seconds = argc > 2 ? atof(argv[2]) : 1;
	pid_t child;

	if (argc > 2 && strcmp(argv[1], "speed") == 0) {
		write_at_once(strtoul(argv[2], NULL, 10));
		return 0;
	}
	if (argc > 3)
		memset(path, 'x', (size_t)atoi(argv[3]) % sizeof(path));
	child = fork();
	write_events(child == 0, rate / 2, seconds);
	if (child)
		waitpid(child, NULL, 0);
	return 0;
}
