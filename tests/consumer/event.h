/* SPDX-License-Identifier: MIT */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM installed
#if !defined(EVENT_H) || defined(TRACE_HEADER_MULTI_READ)
#define EVENT_H
#include <linux/tracepoint.h>
TRACE_EVENT(installed_event, TP_PROTO(int number), TP_ARGS(number),
	    TP_STRUCT__entry(__field(int, number)), TP_fast_assign(__entry->number = number;),
	    TP_printk("number=%d", __entry->number));
#endif
#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE event
#include <trace/define_trace.h>
