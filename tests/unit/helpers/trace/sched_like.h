/* SPDX-License-Identifier: MIT */
/* Events of worker threads, modelled on the kernel's scheduler events. */
/* Trace headers are formatted by hand, as in the kernel. */
/* clang-format off */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM sched_like

#if !defined(_TRACE_SCHED_LIKE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _TRACE_SCHED_LIKE_H

#include <linux/sched.h>
#include <linux/tracepoint.h>

struct worker;
long worker_state(bool preempt, unsigned int state);

#define WORKER_STATES			\
	EM(WORKER_RUNS,		"R")	\
	EM(WORKER_SLEEPS,	"S")	\
	EMe(WORKER_STOPPED,	"T")

/* WORKER_STATES expands first to constants for tools, and later to pairs for __print_symbolic(). */
#undef EM
#undef EMe
#define EM(a, b) TRACE_DEFINE_ENUM(a);
#define EMe(a, b) TRACE_DEFINE_ENUM(a);

WORKER_STATES

#undef EM
#undef EMe
#define EM(a, b) { a, b },
#define EMe(a, b) { a, b }

DECLARE_EVENT_CLASS(worker_template,

	TP_PROTO(struct worker *w),

	TP_ARGS(__perf_task(w)),

	TP_STRUCT__entry(
		__array(	char,	comm,	TASK_COMM_LEN	)
		__field(	pid_t,	pid			)
		__field(	int,	prio			)
		__field(	int,	target_cpu		)
	),

	TP_fast_assign(
		memcpy(__entry->comm, w->comm, TASK_COMM_LEN);
		__entry->pid		= w->pid;
		__entry->prio		= w->prio;
		__entry->target_cpu	= w->cpu;
	),

	TP_printk("comm=%s pid=%d prio=%d target_cpu=%03d",
		  __entry->comm, __entry->pid, __entry->prio, __entry->target_cpu)
);

DEFINE_EVENT(worker_template, worker_waking,
	     TP_PROTO(struct worker *w),
	     TP_ARGS(w));

DEFINE_EVENT(worker_template, worker_new,
	     TP_PROTO(struct worker *w),
	     TP_ARGS(w));

TRACE_EVENT(worker_switch,

	TP_PROTO(bool preempt,
		 struct worker *prev,
		 struct worker *next,
		 unsigned int prev_state),

	TP_ARGS(preempt, prev, next, prev_state),

	TP_STRUCT__entry(
		__array(	char,	prev_comm,	TASK_COMM_LEN	)
		__field(	pid_t,	prev_pid			)
		__field(	int,	prev_prio			)
		__field(	long,	prev_state			)
		__array(	char,	next_comm,	TASK_COMM_LEN	)
		__field(	pid_t,	next_pid			)
		__field(	int,	next_prio			)
	),

	TP_fast_assign(
		memcpy(__entry->next_comm, next->comm, TASK_COMM_LEN);
		__entry->prev_pid	= prev->pid;
		__entry->prev_prio	= prev->prio;
		__entry->prev_state	= worker_state(preempt, prev_state);
		memcpy(__entry->prev_comm, prev->comm, TASK_COMM_LEN);
		__entry->next_pid	= next->pid;
		__entry->next_prio	= next->prio;
	),

	TP_printk("prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s%s ==> "
		  "next_comm=%s next_pid=%d next_prio=%d",
		__entry->prev_comm, __entry->prev_pid, __entry->prev_prio,
		__print_symbolic(__entry->prev_state & 0xff, WORKER_STATES),
		__entry->prev_state & 0x100 ? "+" : "",
		__entry->next_comm, __entry->next_pid, __entry->next_prio)
);

/* The example event of the kernel's documentation, including the names of its states. */
#define TASK_REPORT_MAX 0x100
#define TASK_STATES						\
	{ 0x01, "S" }, { 0x02, "D" }, { 0x04, "T" }, { 0x08, "t" },	\
	{ 0x10, "X" }, { 0x20, "Z" }, { 0x40, "P" }, { 0x80, "I" }

TRACE_EVENT(sched_switch,

	TP_PROTO(bool preempt,
		 struct worker *prev,
		 struct worker *next),

	TP_ARGS(preempt, prev, next),

	TP_STRUCT__entry(
		__array(	char,	prev_comm,	TASK_COMM_LEN	)
		__field(	pid_t,	prev_pid			)
		__field(	int,	prev_prio			)
		__field(	long,	prev_state			)
		__array(	char,	next_comm,	TASK_COMM_LEN	)
		__field(	pid_t,	next_pid			)
		__field(	int,	next_prio			)
	),

	TP_fast_assign(
		memcpy(__entry->next_comm, next->comm, TASK_COMM_LEN);
		__entry->prev_pid	= prev->pid;
		__entry->prev_prio	= prev->prio;
		__entry->prev_state	= preempt ? TASK_REPORT_MAX : prev->state;
		memcpy(__entry->prev_comm, prev->comm, TASK_COMM_LEN);
		__entry->next_pid	= next->pid;
		__entry->next_prio	= next->prio;
	),

	TP_printk("prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s%s ==> "
		  "next_comm=%s next_pid=%d next_prio=%d",
		__entry->prev_comm, __entry->prev_pid, __entry->prev_prio,

		(__entry->prev_state & (TASK_REPORT_MAX - 1)) ?
		  __print_flags(__entry->prev_state & (TASK_REPORT_MAX - 1), "|", TASK_STATES) :
		  "R",

		__entry->prev_state & TASK_REPORT_MAX ? "+" : "",
		__entry->next_comm, __entry->next_pid, __entry->next_prio)
);

TRACE_EVENT(worker_runtime,

	TP_PROTO(struct worker *w, u64 runtime),

	TP_ARGS(w, __perf_count(runtime)),

	TP_STRUCT__entry(
		__string(	comm,		w->comm	)
		__field(	u64,		runtime	)
		__cpumask(	allowed			)
	),

	TP_fast_assign(
		__assign_str(comm);
		__entry->runtime = runtime;
		__assign_cpumask(allowed, cpumask_bits(&w->allowed));
	),

	TP_printk("comm=%s runtime=%Lu [ns] on %s", __get_str(comm),
		  (unsigned long long)__entry->runtime,
		  __get_dynamic_array_len(allowed) ? __get_cpumask(allowed) : "none")
);

#endif /* _TRACE_SCHED_LIKE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH trace
#include <trace/define_trace.h>
