/* SPDX-License-Identifier: MIT */
/* An event class with two events. uetrace reads their notes from the test's binary. */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM trace_notes
#if !defined(TRACE_NOTES_H) || defined(TRACE_HEADER_MULTI_READ)
#define TRACE_NOTES_H
#include <linux/tracepoint.h>

#ifndef TRACE_NOTES_PAIR
#define TRACE_NOTES_PAIR
struct notes_pair {
	int first, second;
};
enum { NOTES_NO, NOTES_YES };
#endif
TRACE_DEFINE_ENUM(NOTES_YES);
TRACE_DEFINE_SIZEOF(struct notes_pair);
#define notes_word(value) __print_symbolic(value, { NOTES_YES, "NOTES_YES" }, { 0, "no" })

DECLARE_EVENT_CLASS(notes_class, TP_PROTO(int number, const char *text), TP_ARGS(number, text),
		    TP_STRUCT__entry(__field(s8, number) __string(text, text)
					     __field_struct(struct notes_pair, pair)
						     __array(u32, words, 3) __field(bool, yes)
							     __rel_dynamic_array(u16, list, 2)),
		    TP_fast_assign(__entry->number = (s8)number; __assign_str(text);),
		    TP_printk("%d \"%s\" %s %zu", __entry->number, __get_str(text),
			      notes_word(__entry->yes), sizeof(struct notes_pair)));

DEFINE_EVENT(notes_class, notes_one, TP_PROTO(int number, const char *text), TP_ARGS(number, text));
DEFINE_EVENT(notes_class, notes_two, TP_PROTO(int number, const char *text), TP_ARGS(number, text));

#endif
#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#include <trace/define_trace.h>
