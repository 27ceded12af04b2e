/* SPDX-License-Identifier: MIT */
/* The TRACE_EVENT event that cost.c measures. */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM cost_trace
#if !defined(COST_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define COST_TRACE_H
#include <linux/tracepoint.h>

TRACE_EVENT(bench_trace_event, TP_PROTO(u32 a, u64 b, const char *s), TP_ARGS(a, b, s),
	    TP_STRUCT__entry(__field(u64, b) __field(u32, a) __string(s, s)),
	    TP_fast_assign(__entry->b = b; __entry->a = a; __assign_str(s);),
	    TP_printk("a=%u b=%llu s=%s", __entry->a, __entry->b, __get_str(s)));

#endif
#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#include <trace/define_trace.h>
