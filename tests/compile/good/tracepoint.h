/* SPDX-License-Identifier: MIT */
/* A trace header that must compile without warnings. */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM good

#if !defined(_TRACE_GOOD_H) || defined(TRACE_HEADER_MULTI_READ)
#define _TRACE_GOOD_H

#include <linux/tracepoint.h>

TRACE_DEFINE_ENUM(FILTER_OTHER);

TRACE_EVENT(good_event,

	TP_PROTO(const char *name, unsigned int n, const unsigned long *mask, void *unused),

	TP_ARGS(name, n, mask, unused),

	TP_STRUCT__entry(
		__field(	char,		c		)
		__field(	u64,		big		)
		__string(	name,		name		)
		__array(	u8,		mac,	6	)
		__dynamic_array(u8,		data,	n	)
		__dynamic_array(u8,		data_array, n	)
		__bitmask(	mask,		40		)
		__rel_string(	other,		name		)
	),

	TP_fast_assign(
		__entry->c = 'x';
		__entry->big = n;
		__assign_str(name);
		memset(__entry->mac, 0, 6);
		memset(__get_dynamic_array(data), 1, n);
		memset(__get_dynamic_array(data_array), 1, n);
		__assign_bitmask(mask, mask, 40);
		__assign_rel_str(other, name);
	),

	TP_printk("%c %llu %s %pM %s %s %s %s %s",
		  __entry->c, __entry->big, __get_str(name), __entry->mac,
		  __print_hex(__get_dynamic_array(data), __get_dynamic_array_len(data)),
		  __get_bitmask(mask), __get_rel_str(other),
		  __print_flags(__entry->big, "|", { 1, "one" }, { 2, "two" }),
		  __print_symbolic(__entry->big, { 1, "one" }, { 2, "two" }))
);

TRACE_EVENT_CONDITION(good_condition,

	TP_PROTO(void (*function)(int), int n),

	TP_ARGS(function, n),

	TP_CONDITION(n > 1),

	TP_STRUCT__entry(
		__field(	int,	n	)
	),

	TP_fast_assign(
		__entry->n = n;
	),

	TP_printk("n=%d", __entry->n)
);

DECLARE_EVENT_CLASS(good_class,

	TP_PROTO(void),

	TP_ARGS(),

	TP_STRUCT__entry(
	),

	TP_fast_assign(
	),

	TP_printk("nothing")
);

DEFINE_EVENT(good_class, good_first, TP_PROTO(void), TP_ARGS());
/* some of the kernel's trace headers omit the semicolons here */
DEFINE_EVENT(good_class, good_second, TP_PROTO(void), TP_ARGS())
DEFINE_EVENT_PRINT(good_class, good_third, TP_PROTO(void), TP_ARGS(), TP_printk("third"))

DECLARE_TRACE(good_bare, TP_PROTO(void *p), TP_ARGS(p));
TRACE_EVENT_FLAGS(good_first, 1)

#endif /* _TRACE_GOOD_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE tracepoint
#include <trace/define_trace.h>
