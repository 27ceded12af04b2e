/* SPDX-License-Identifier: MIT */
/*
 * Events of the job queue. This trace header is written in the style of the kernel and would also
 * compile there.
 */
/* Trace headers are formatted by hand, like the kernel's. */
/* clang-format off */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM jobs

#if !defined(_TRACE_JOBS_H) || defined(TRACE_HEADER_MULTI_READ)
#define _TRACE_JOBS_H

#include <linux/tracepoint.h>
#include "job.h"

/*
 * uetrace and the kernel's tracers print events as described by TP_printk, which uses these names.
 */
TRACE_DEFINE_ENUM(JOB_QUEUED);
TRACE_DEFINE_ENUM(JOB_RUNS);
TRACE_DEFINE_ENUM(JOB_DONE);
TRACE_DEFINE_ENUM(JOB_FAILED);

/* These macros print states and flags as names instead of numbers. */
#define show_job_state(state)			\
	__print_symbolic(state,			\
		{ JOB_QUEUED,	"queued" },	\
		{ JOB_RUNS,	"runs" },	\
		{ JOB_DONE,	"done" },	\
		{ JOB_FAILED,	"failed" })

#define show_job_flags(flags)			\
	__print_flags(flags, "|",		\
		{ JOB_URGENT,	"URGENT" },	\
		{ JOB_RETRIED,	"RETRIED" })

/* Events with the same fields share one class, which contains all of their code. */
DECLARE_EVENT_CLASS(job_class,

	TP_PROTO(const struct job *job),

	TP_ARGS(job),

	TP_STRUCT__entry(
		__field(	u32,		id		)
		__field(	u32,		flags		)
		__field(	int,		state		)
		__string(	owner,		job->owner	)
	),

	TP_fast_assign(
		__entry->id	= job->id;
		__entry->flags	= job->flags;
		__entry->state	= (int)job->state;
		__assign_str(owner);
	),

	TP_printk("job %u of %s: %s, flags=%s", __entry->id, __get_str(owner),
		  show_job_state(__entry->state), show_job_flags(__entry->flags))
);

DEFINE_EVENT(job_class, job_queued,
	TP_PROTO(const struct job *job),
	TP_ARGS(job)
);

DEFINE_EVENT(job_class, job_done,
	TP_PROTO(const struct job *job),
	TP_ARGS(job)
);

TRACE_EVENT(job_read,

	TP_PROTO(const struct job *job, int checksum),

	TP_ARGS(job, checksum),

	TP_STRUCT__entry(
		__field(	u32,	id				)
		__field(	int,	checksum			)
		__dynamic_array(u8,	head,	min(job->size, 4u)	)
	),

	TP_fast_assign(
		__entry->id = job->id;
		__entry->checksum = checksum;
		memcpy(__get_dynamic_array(head), job->input, min(job->size, 4u));
	),

	TP_printk("job %u: checksum %d of %s...", __entry->id, __entry->checksum,
		  __print_hex(__get_dynamic_array(head), __get_dynamic_array_len(head)))
);

/* This event is written only if the condition is true, that is, for errors. */
TRACE_EVENT_CONDITION(job_error,

	TP_PROTO(const struct job *job, int error),

	TP_ARGS(job, error),

	TP_CONDITION(error < 0),

	TP_STRUCT__entry(
		__field(	u32,	id	)
		__field(	int,	error	)
	),

	TP_fast_assign(
		__entry->id = job->id;
		__entry->error = error;
	),

	TP_printk("job %u: %pe", __entry->id, (void *)(long)__entry->error)
);

#endif /* _TRACE_JOBS_H */

/*
 * The path of this header must be defined outside the include guard, because the header is included
 * again.
 */
#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE jobs_trace
#include <trace/define_trace.h>
