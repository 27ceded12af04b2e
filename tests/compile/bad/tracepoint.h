/* SPDX-License-Identifier: MIT */
/* A trace header from which tracepoint.c selects one mistake. Comments mark their lines. */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM bad

#if !defined(_TRACE_BAD_H) || defined(TRACE_HEADER_MULTI_READ)
#define _TRACE_BAD_H

#include <linux/tracepoint.h>

#ifdef BAD_MACRO
TRACE_EVENT(bad_macro,
	TP_PROTO(int n),
	TP_ARGS(n),
	TP_STRUCT__entry(__field(int, n)),
	TP_fast_assign(__entry->n = n;)
); /* line 17 */
#endif

TRACE_EVENT(bad_event,

	TP_PROTO(int n, const char *name),

	TP_ARGS(n, name),

	TP_STRUCT__entry(
		__field(	int,	n	)
		__string(	name,	name	)
#ifdef BAD_TYPE
		__field(struct nowhere, bad_type) /* line 30 */
#endif
#ifdef BAD_ARRAY_TYPE
		__dynamic_array(struct nowhere, bad_array, 3) /* line 33 */
#elif defined(BAD_ASSIGN_ARRAY)
		__dynamic_array(char, bad_string, 3)
#endif
	),

	TP_fast_assign(
		__entry->n = n;
#ifdef BAD_ASSIGN
		__entry->bad_assign = n; /* line 42 */
#endif
#ifdef BAD_ASSIGN_STR
		__assign_str(bad_string); /* line 45 */
#endif
#ifdef BAD_ASSIGN_STR_TO
		__assign_str(bad_string, name); /* line 48 */
#endif
#ifdef BAD_ASSIGN_ARRAY
		__assign_str(bad_string); /* line 51 */
#endif
		__assign_str(name);
	),

#ifdef BAD_PRINTK
	TP_printk("%d",
		  __entry->bad_printk) /* line 58 */
#elif defined(BAD_FORMAT)
	TP_printk("%s",
		  __entry->n) /* line 61 */
#elif defined(BAD_GET_STR)
	TP_printk("%s",
		  __get_str(bad_string)) /* line 64 */
#else
	TP_printk("%d %s", __entry->n, __get_str(name))
#endif
);

#ifdef BAD_ENUM
TRACE_DEFINE_ENUM(BAD_CONSTANT); /* line 71 */
#endif

#endif /* _TRACE_BAD_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE tracepoint
#include <trace/define_trace.h>
