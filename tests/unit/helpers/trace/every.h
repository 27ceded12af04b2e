/* SPDX-License-Identifier: MIT */
/* A trace header in the kernel's style that uses every supported macro. */
/* clang-format off */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM every

#if !defined(_TRACE_EVERY_H) || defined(TRACE_HEADER_MULTI_READ)
#define _TRACE_EVERY_H

#include <linux/tracepoint.h>
#include <linux/trace_seq.h>

#ifndef EVERY_TYPES
#define EVERY_TYPES
struct every_pair {
	u8 small;
	u64 large;
};
typedef struct {
	u16 a, b;
} every_typedef;
enum every_colour { EVERY_RED, EVERY_GREEN = 5, EVERY_BLUE = -1 };

#ifdef __cplusplus
extern "C" {
#endif
extern int every_assigned, every_refuse, every_regs, every_unregs;
int every_reg(void);
void every_unreg(void);
const char *every_status(struct trace_seq *p, int status);
#ifdef __cplusplus
}
#endif
#endif

TRACE_DEFINE_ENUM(EVERY_RED);
TRACE_DEFINE_ENUM(EVERY_GREEN);
TRACE_DEFINE_SIZEOF(struct every_pair);

TRACE_EVENT(every_integer,

	TP_PROTO(long long n, void *p),

	TP_ARGS(n, p),

	TP_STRUCT__entry(
		__field(	u8,			a	)
		__field(	s8,			b	)
		__field(	u16,			c	)
		__field(	short,			d	)
		__field(	unsigned int,		e	)
		__field(	int,			f	)
		__field(	u64,			g	)
		__field(	s64,			h	)
		__field(	char,			i	)
		__field(	bool,			j	)
		__field(	long,			k	)
		__field(	unsigned long,		l	)
		__field(	enum every_colour,	m	)
		__field(	void *,			n	)
		__field(	const char *,		o	)
		__field(	size_t,			q	)
		__field_ext(	int,			r,	FILTER_OTHER	)
	),

	TP_fast_assign(
		every_assigned++;
		__entry->a = (u8)n;
		__entry->b = (s8)n;
		__entry->c = (u16)n;
		__entry->d = (short)n;
		__entry->e = (unsigned int)n;
		__entry->f = (int)n;
		__entry->g = (u64)n;
		__entry->h = n;
		__entry->i = 'i';
		__entry->j = n != 0;
		__entry->k = (long)n;
		__entry->l = (unsigned long)n;
		__entry->m = EVERY_BLUE;
		__entry->n = p;
		__entry->o = NULL;
		__entry->q = sizeof(n);
		__entry->r = -1;
	),

	TP_printk("%u %d %u %hd %x %d %llu %lld %c %d %ld %lu %d %px %s %zu %03d",
		  __entry->a, __entry->b, __entry->c, __entry->d, __entry->e, __entry->f,
		  __entry->g, __entry->h, __entry->i, __entry->j, __entry->k, __entry->l,
		  __entry->m, __entry->n, __entry->o, __entry->q, __entry->r)
);

TRACE_EVENT(every_fixed,

	TP_PROTO(const char *text, const struct every_pair *pair),

	TP_ARGS(text, pair),

	TP_STRUCT__entry(
		__array(	char,			text,	TASK_COMM_LEN	)
		__array(	u8,			mac,	6		)
		__array(	signed char,		small,	3		)
		__array(	u32,			words,	3		)
		__array(	u8,			none,	0		)
		__field_struct(	struct every_pair,	pair			)
		__field_struct(	every_typedef,		plain			)
		__field_struct_ext(struct every_pair,	other,	FILTER_OTHER	)
		__field(	float,			f			)
		__field(	double,			d			)
		__array(	u8,			large,	1025		)
	),

	TP_fast_assign(
		int i;

		strscpy(__entry->text, text, TASK_COMM_LEN);
		for (i = 0; i < 6; i++)
			__entry->mac[i] = (u8)(i * 0x11);
		for (i = 0; i < 3; i++) {
			__entry->small[i] = (signed char)-i;
			__entry->words[i] = (u32)i << 28;
		}
		__entry->pair = *pair;
		__entry->plain.a = 1;
		__entry->plain.b = 2;
		__entry->other = *pair;
		__entry->f = 1.5f;
		__entry->d = -2.25;
	),

	TP_printk("%s %pM %d %s %s %u:%llu %u+%u %g %.2f",
		  __entry->text, __entry->mac, __entry->small[2],
		  __print_array(__entry->words, 3, 4), __print_array(__entry->mac, 2, sizeof(u8)),
		  __entry->pair.small, __entry->other.large, __entry->plain.a, __entry->plain.b,
		  (double)__entry->f, __entry->d)
);

TRACE_EVENT(every_dynamic,

	TP_PROTO(const char *s, const u8 *bytes, int n, const unsigned long *bits,
		 const struct cpumask *cpus, const struct sockaddr *sa, struct va_format *vaf),

	TP_ARGS(s, bytes, n, bits, cpus, sa, vaf),

	TP_STRUCT__entry(
		__dynamic_array(u8,	bytes,	n	)
		__dynamic_array(char,	chars,	n	)
		__dynamic_array(s16,	shorts,	n	)
		__dynamic_array(u64,	longs,	2	)
		__dynamic_array(struct every_pair, pairs, 1)
		__string(	string,	s		)
		__string_len(	part,	s,	3	)
		__vstring(	v,	vaf->fmt, vaf->va)
		__bitmask(	bits,	70		)
		__cpumask(	cpus			)
		__sockaddr(	sa,	(int)sizeof(struct sockaddr))
	),

	TP_fast_assign(
		int i;

		memcpy(__get_dynamic_array(bytes), bytes, (size_t)n);
		memset(__get_dynamic_array(chars), 'c', (size_t)n);
		for (i = 0; i < n; i++)
			((s16 *)__get_dynamic_array(shorts))[i] = (s16)-i;
		for (i = 0; i < 2; i++)
			((u64 *)__get_dynamic_array(longs))[i] = ~0ull - (u64)i;
		((struct every_pair *)__get_dynamic_array(pairs))->large = 7;
		__assign_str(string);
		__assign_str(part);
		__assign_vstr(v, vaf->fmt, vaf->va);
		__assign_bitmask(bits, bits, 70);
		__assign_cpumask(cpus, cpumask_bits(cpus));
		__assign_sockaddr(sa, sa, sizeof(*sa));
	),

	TP_printk("%s|%s|%s|%s|%s|%s|%s|%s|%s|%pISpc|%u|%d",
		  __print_hex(__get_dynamic_array(bytes), __get_dynamic_array_len(bytes)),
		  __print_hex_str(__get_dynamic_array(chars), __get_dynamic_array_len(chars)),
		  __print_dynamic_array(shorts, sizeof(s16)), __print_dynamic_array(longs, 8),
		  __get_str(string), __get_str(part), __get_str(v), __get_bitmask(bits),
		  __get_cpumask(cpus), __get_sockaddr(sa), __get_dynamic_array_len(pairs),
		  (int)((struct every_pair *)__get_dynamic_array(pairs))->large)
);

/*
 * The same fields declared as relative locs, whose offsets are counted from the end of the loc.
 * Also uses the older spelling of the __assign macros.
 */
TRACE_EVENT(every_rel,

	TP_PROTO(const char *s, const u8 *bytes, int n, const unsigned long *bits,
		 const struct cpumask *cpus, const struct sockaddr *sa, struct va_format *vaf),

	TP_ARGS(s, bytes, n, bits, cpus, sa, vaf),

	TP_STRUCT__entry(
		__field(		u8,	first		)
		__rel_dynamic_array(	u8,	bytes,	n	)
		__rel_dynamic_array(	u32,	words,	n	)
		__rel_string(		string,	s		)
		__rel_string_len(	part,	s,	3	)
		__rel_vstring(		v,	vaf->fmt, vaf->va)
		__rel_bitmask(		bits,	70		)
		__rel_cpumask(		cpus			)
		__rel_sockaddr(		sa,	(int)sizeof(struct sockaddr))
		__field(		u8,	last		)
	),

	TP_fast_assign(
		int i;

		__entry->first = 1;
		memcpy(__get_rel_dynamic_array(bytes), bytes, (size_t)n);
		for (i = 0; i < n; i++)
			((u32 *)__get_rel_dynamic_array(words))[i] = (u32)i;
		__assign_rel_str(string, s);
		__assign_rel_str_len(part, s, 3);
		__assign_rel_vstr(v, vaf->fmt, vaf->va);
		__assign_rel_bitmask(bits, bits, 70);
		__assign_rel_cpumask(cpus, cpumask_bits(cpus));
		__assign_rel_sockaddr(sa, sa, sizeof(*sa));
		__entry->last = 2;
	),

	TP_printk("%u|%s|%s|%s|%s|%s|%s|%s|%pISp|%u",
		  __entry->first,
		  __print_hex(__get_rel_dynamic_array(bytes), __get_rel_dynamic_array_len(bytes)),
		  __print_array(__get_rel_dynamic_array(words),
				__get_rel_dynamic_array_len(words) / 4, 4),
		  __get_rel_str(string), __get_rel_str(part), __get_rel_str(v),
		  __get_rel_bitmask(bits), __get_rel_cpumask(cpus), __get_rel_sockaddr(sa),
		  __entry->last)
);

/* the older spelling */
TRACE_EVENT(every_older,

	TP_PROTO(const char *s, const char *other),

	TP_ARGS(s, other),

	TP_STRUCT__entry(
		__string(	same,	s	)
		__string(	other,	s	)
		__string_len(	part,	s, 2	)
		__rel_string(	rel,	s	)
	),

	TP_fast_assign(
		__assign_str(same, s);
		__assign_str(other, other);
		__assign_str_len(part, s, 2);
		__assign_rel_str(rel);
	),

	TP_printk("%s %s %s %s", __get_str(same), __get_str(other), __get_str(part),
		  __get_rel_str(rel))
);

#define show_every_colour(value)			\
	__print_symbolic(value,				\
			 { EVERY_RED,	"red"	},	\
			 { EVERY_GREEN,	"green"	},	\
			 { EVERY_BLUE,	"blue"	})

TRACE_EVENT(every_print,

	TP_PROTO(int n, unsigned long flags, const void *data, int size),

	TP_ARGS(n, flags, data, size),

	TP_STRUCT__entry(
		__field(	int,		n		)
		__field(	unsigned long,	flags		)
		__field(	u64,		wide		)
		__dynamic_array(u8,		data,	size	)
	),

	TP_fast_assign(
		__entry->n = n;
		__entry->flags = flags;
		__entry->wide = 1ull << 40 | flags;
		memcpy(__get_dynamic_array(data), data, (size_t)size);
	),

	TP_printk("%s %s %s %s %s %llu.%06u%s",
		  show_every_colour(__entry->n),
		  __print_flags(__entry->flags, "|", { 1, "ONE" }, { 2, "TWO" }, { 12, "TWELVE" }),
		  __print_flags_u64(__entry->wide, NULL, { 1ull << 40, "WIDE" }, { 1, "ONE" }),
		  __print_symbolic_u64(__entry->wide, { 1ull << 40, "WIDE" }),
		  every_status(p, __entry->n),
		  __print_ns_to_secs(__entry->wide), __print_ns_without_secs(__entry->wide),
		  __print_hex_dump("d ", DUMP_PREFIX_OFFSET, 16, 1, __get_dynamic_array(data),
				   __get_dynamic_array_len(data), true))
);

TRACE_EVENT(every_void,

	TP_PROTO(void),

	TP_ARGS(),

	TP_STRUCT__entry(
	),

	TP_fast_assign(
		every_assigned++;
	),

	TP_printk("nothing to say")
);

TRACE_EVENT_CONDITION(every_condition,

	TP_PROTO(int a, int b),

	TP_ARGS(a, b),

	TP_CONDITION(a > b && a != 10),

	TP_STRUCT__entry(
		__field(	int,	a	)
	),

	TP_fast_assign(
		__entry->a = a;
	),

	TP_printk("a=%d", __entry->a)
);

TRACE_EVENT_FN(every_fn,

	TP_PROTO(int a),

	TP_ARGS(a),

	TP_STRUCT__entry(
		__field(	int,	a	)
	),

	TP_fast_assign(
		__entry->a = a;
	),

	TP_printk("a=%d", __entry->a),

	every_reg, every_unreg
);

TRACE_EVENT_FN_COND(every_fn_cond,

	TP_PROTO(int a),

	TP_ARGS(a),

	TP_CONDITION(a & 1),

	TP_STRUCT__entry(
		__field(	int,	a	)
	),

	TP_fast_assign(
		__entry->a = a;
	),

	TP_printk("odd=%d", __entry->a),

	every_reg, every_unreg
);

DECLARE_EVENT_CLASS(every_class,

	TP_PROTO(const char *name, int n),

	TP_ARGS(name, n),

	TP_STRUCT__entry(
		__field(	int,	n	)
		__string(	name,	name	)
	),

	TP_fast_assign(
		__entry->n = n;
		__assign_str(name);
	),

	TP_printk("%s=%d", __get_str(name), __entry->n)
);

DEFINE_EVENT(every_class, every_first,
	TP_PROTO(const char *name, int n),
	TP_ARGS(name, n)
);

DEFINE_EVENT_CONDITION(every_class, every_positive,
	TP_PROTO(const char *name, int n),
	TP_ARGS(name, n),
	TP_CONDITION(n > 0)
);

DEFINE_EVENT_FN(every_class, every_class_fn,
	TP_PROTO(const char *name, int n),
	TP_ARGS(name, n),
	every_reg, every_unreg
);

DEFINE_EVENT_PRINT(every_class, every_printed,
	TP_PROTO(const char *name, int n),
	TP_ARGS(name, n),
	TP_printk("%d of %s", __entry->n, __get_str(name))
);

#define DEFINE_EVERY(which)				\
DEFINE_EVENT(every_class, every_##which,		\
	TP_PROTO(const char *name, int n),		\
	TP_ARGS(name, n))
/* Two fields without a trailing semicolon, which the kernel accepts. */
DEFINE_EVERY(second)
DEFINE_EVERY(third)

DECLARE_TRACE(every_bare,
	TP_PROTO(void *p, int *n),
	TP_ARGS(p, n)
);

DECLARE_TRACE_CONDITION(every_bare_condition,
	TP_PROTO(void (*f)(int), int *n),
	TP_ARGS(f, n),
	TP_CONDITION(*n)
);

TRACE_EVENT_NOP(every_nop,
	TP_PROTO(int a),
	TP_ARGS(a),
	TP_STRUCT__entry(),
	TP_fast_assign(),
	TP_printk("never")
);
DEFINE_EVENT_NOP(every_class, every_class_nop,
	TP_PROTO(const char *name, int n),
	TP_ARGS(name, n)
);

TRACE_EVENT_FLAGS(every_first, 1)
TRACE_EVENT_PERF_PERM(every_first, 0)

#endif /* _TRACE_EVERY_H */

/* This part must be outside of the include guard. */
#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH trace
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE every
#include <trace/define_trace.h>
