/* SPDX-License-Identifier: MIT */
/* Structs whose members are recorded by the events in sched_like.h and net_like.h. */
#ifndef TRACE_SUBJECTS_H
#define TRACE_SUBJECTS_H
#include <linux/cpumask.h>
#include <linux/sched.h>

enum { WORKER_RUNS, WORKER_SLEEPS, WORKER_STOPPED = 4 };
struct worker {
	char comm[TASK_COMM_LEN];
	int pid, prio, cpu;
	struct cpumask allowed;
	long state;
};

struct frame {
	const char *device;
	uint16_t protocol;
	uint8_t source[6], ip[4], ip6[16], id[16];
	unsigned int flags;
};

#endif
