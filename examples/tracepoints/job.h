/* SPDX-License-Identifier: MIT */
#ifndef JOB_H
#define JOB_H

#include <stdint.h>

enum job_state { JOB_QUEUED, JOB_RUNS, JOB_DONE, JOB_FAILED };
#define JOB_URGENT 1u
#define JOB_RETRIED 2u

struct job {
	unsigned int id;
	const char *owner;
	enum job_state state;
	unsigned int flags;
	unsigned int size; /* size of INPUT, in bytes */
	const unsigned char *input;
	uint64_t queued_at; /* time at which the job was queued, ns */
};

/* Move the job to its next state. */
void job_queue(struct job *job);
void job_run(struct job *job);

#endif
