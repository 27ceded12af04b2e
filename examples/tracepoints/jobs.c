/* SPDX-License-Identifier: MIT */
/*
 * The actual work of the program. This file calls the tracepoints, but does not depend on probes or
 * tracers.
 */
#include <errno.h>
#include <time.h>

#include "job.h"
#include "jobs_trace.h"

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void job_queue(struct job *job)
{
	job->state = JOB_QUEUED;
	job->queued_at = now();
	trace_job_queued(job);
}

static int work(struct job *job)
{
	int checksum = 0;

	for (unsigned int i = 0; i < job->size; i++)
		checksum += job->input[i];
	trace_job_read(job, checksum);
	return job->size ? 0 : -ENODATA;
}

void job_run(struct job *job)
{
	int error;

	job->state = JOB_RUNS;
	error = work(job);
	job->state = error ? JOB_FAILED : JOB_DONE;
	trace_job_error(job, error);
	trace_job_done(job);
}
