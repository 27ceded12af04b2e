/* SPDX-License-Identifier: MIT */
/*
 * Shows how a program uses TRACE_EVENT, and how it registers a probe on one of its tracepoints.
 *
 *	tracepoints [-v] [JOBS]
 *
 * Runs some jobs. -v prints each event as described by its TP_printk. perf and ftrace always find
 * the events, as user_events:job_queued and so on.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job.h"
#include "jobs_trace.h"

struct summary {
	unsigned long done, failed;
};

/* A probe receives the arguments of the event, with types that the compiler checks. */
static void count(void *data, const struct job *job)
{
	struct summary *summary = (struct summary *)data;

	if (job->state == JOB_FAILED)
		summary->failed++;
	else
		summary->done++;
}

int main(int argc, char **argv)
{
	static const char *const owners[] = { "ann", "bob", "eve" };
	static const unsigned char input[] = "what a job works on";
	struct summary summary = { 0, 0 };
	unsigned int i, jobs = 6;
	int error;

	if (argc > 1 && strcmp(argv[1], "-v") == 0) {
		error = ue_print_events(stdout);
		if (error < 0)
			fprintf(stderr, "tracepoints: %s\n", ue_strerror(error));
		argv++;
		argc--;
	}
	if (argc > 1)
		jobs = (unsigned int)atoi(argv[1]);
	error = register_trace_job_done(count, &summary);
	if (error)
		fprintf(stderr, "tracepoints: %s\n", ue_strerror(error));
	for (i = 0; i < jobs; i++) {
		struct job job = { i + 1, owners[i % 3], JOB_QUEUED, i % 4, i % 5 * 4, input, 0 };

		job_queue(&job);
		job_run(&job);
	}
	/* after this call, no thread runs the probe any more, so its data may be freed */
	unregister_trace_job_done(count, &summary);
	printf("%lu done, %lu failed\n", summary.done, summary.failed);
	return 0;
}
