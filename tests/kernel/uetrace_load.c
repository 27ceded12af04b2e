/* SPDX-License-Identifier: MIT */
/*
 * uetrace_load RATE SECONDS: two processes write RATE events a second together, as evenly as
 * sleeping goes, numbered, so that each one that is lost shows.
 */
#include <stdio.h>
#include <stdlib.h>
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

static void write_events(unsigned int process, double rate, double seconds)
{
	static const struct timespec pause = { 0, 1000000 };
	unsigned long total = (unsigned long)(rate * seconds), sequence = 0;
	double begin = now();

	while (sequence < total) {
		double due = (now() - begin) * rate;
		unsigned long until = due < (double)total ? (unsigned long)due : total;

		for (; sequence < until; sequence++)
			UE_TRACE(load, process, sequence, UE_STR(path, "/index.html"));
		nanosleep(&pause, NULL);
	}
	printf("process %u wrote %lu events in %.3f s\n", process, sequence, now() - begin);
}

int main(int argc, char **argv)
{
	double rate = argc > 1 ? atof(argv[1]) : 1000, seconds = argc > 2 ? atof(argv[2]) : 1;
	pid_t child = fork();

	write_events(child == 0, rate / 2, seconds);
	if (child)
		waitpid(child, NULL, 0);
	return 0;
}
