/* SPDX-License-Identifier: MIT */
/*
 * Implements TRACE_EVENT() in user space. A trace header written for the kernel compiles unchanged,
 * and its events appear in perf, ftrace and trace-cmd as user_events:NAME.
 *
 *	#define CREATE_TRACE_POINTS		in one source file of the program
 *	#include "my_trace.h"
 *
 *	trace_my_event(values...);
 *
 * The compiler needs these include directories (-I): the directory of user_events.h, the parent of
 * this directory, and the directory of the trace header (for TRACE_INCLUDE_PATH). With UE_SHARED,
 * CREATE_TRACE_POINTS and DEFINE_TRACE belong in the file that defines UE_IMPLEMENTATION. The
 * manual is docs/tracepoints.md.
 *
 * TRACE_EVENT or DEFINE_EVENT of NAME, of class CLASS, declares
 *
 *	void trace_NAME(TP_PROTO)		records the event; costs three instructions if the
 *						event is disabled
 *	bool trace_NAME_enabled(void)		returns true if the event is enabled; costs one load
 *	int register_trace_NAME(probe, data)	registers void probe(void *data, TP_PROTO), which
 *						is called for each event in the thread that records
 *						it, before the event is written to the kernel
 *	int register_trace_prio_NAME(probe, data, prio)
 *						the same with a priority. Probes with a higher
 *						priority are called first. register_trace_NAME()
 *						uses TRACEPOINT_DEFAULT_PRIO.
 *	int unregister_trace_NAME(probe, data)	unregisters a probe; after it returns, no thread
 *						runs the probe
 *	int trace_print_NAME(char *buffer, size_t size, const struct trace_event_raw_CLASS *record)
 *						writes the text of TP_printk, as snprintf() does;
 *						RECORD must have been created by trace_NAME()
 *
 * DECLARE_TRACE of NAME declares the first five functions. Its event only calls probes, and is
 * never written to the kernel.
 *
 * trace_NAME() is thread-safe, preserves errno, allocates no memory and takes no lock. It is
 * async-signal-safe if TP_fast_assign and the probes are, and if there is no __vstring and no
 * __cpumask. A record larger than 65535 bytes is dropped and counted in ue_status().failed. While a
 * tracer has enabled the event, a record larger than UE_MAX_EVENT is not written, and is counted in
 * ue_status().large.
 *
 * Registering returns 0, -EEXIST if the probe is already registered with this data, -EINVAL for a
 * NULL probe, -ENOMEM, or the error of the reg function of a TRACE_EVENT_FN. Unregistering returns
 * 0 or -ENOENT. Within a probe, unregistering a probe fails with -EDEADLK, and so does registering
 * a probe for a TRACE_EVENT_FN. With UE_DISABLE, registering and unregistering fail with -ENOSYS.
 * Thread-safe; not async-signal-safe.
 *
 * The reg function of a TRACE_EVENT_FN runs before the first probe of the event is added, and may
 * reject it with -errno. The unreg function runs after the last probe has been removed. Neither
 * function may register probes for this event. They are not called when a kernel tracer enables the
 * event, nor by ue_probe_register().
 */
#ifndef UE_LINUX_TRACEPOINT_H
#define UE_LINUX_TRACEPOINT_H
#pragma GCC system_header

#include <user_events.h>
#include <user_events_probe.h>
#include <linux/bitops.h>
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/sched.h>
#include <linux/socket.h>
#include <linux/string.h>
#include <linux/tracepoint-defs.h>
#include <linux/types.h>
#include <ue_trace_event/record.h>
#include <stdio.h>

/*
 * Returns the record of an event from the payload passed to a function of ue_probe_register(). The
 * payload is aligned, and has readable bytes before it for the head of the record.
 */
static inline const void *ue_trace_record(const void *payload)
{
	return (const char *)payload - sizeof(struct trace_entry);
}

UE__I_BEGIN
/*
 * Start and stop printing every event of a TRACE_EVENT or DEFINE_EVENT in this program or library
 * to STREAM. Each recorded event is printed as one line, "NAME: TEXT". A text longer than 4095
 * bytes is truncated. STREAM must stay open until ue_print_events_stop() returns. Both functions
 * return the number of events, -ENOMEM, or -ENOSYS with UE_DISABLE. ue_print_events_stop() returns
 * -EDEADLK within a probe. Thread-safe. While events are printed, writing them is not
 * async-signal-safe.
 */
UE__I_FN int ue_print_events(FILE *stream);
UE__I_FN int ue_print_events_stop(FILE *stream);

UE__I_FN void ue__print_record(struct ue_event *event, const void *payload, size_t size, void *data)
{
	const void *behind = event->desc + 1;
	const struct ue__i_callbacks *c = (const struct ue__i_callbacks *)behind;
	char text[4096];

	(void)size;
	c->print(text, sizeof(text), ue_trace_record(payload));
	fprintf((FILE *)data, "%s: %s\n", c->name, text);
}

/* Calls CHANGE for every event, to register or unregister the probe that prints the event. */
UE__I_FN int ue__for_printing(FILE *stream,
			    int (*change)(struct ue_event *event, ue_probe_fn function, void *data))
{
	struct ue_event *event = NULL;
	int n = 0, error;

#ifdef UE_DISABLE
	return change(event, ue__print_record, stream);
#else
	while ((event = ue_event_find(NULL, event)) != NULL) {
		if (event->desc->variant != UE__F_DESC_CALLBACKS)
			continue;
		error = change(event, ue__print_record, stream);
		if (error < 0 && error != -EEXIST && error != -ENOENT)
			return error;
		n++;
	}
	return n;
#endif
}

UE__I_FN int ue_print_events(FILE *stream)
{
	return ue__for_printing(stream, ue_probe_register);
}

UE__I_FN int ue_print_events_stop(FILE *stream)
{
	return ue__for_printing(stream, ue_probe_unregister);
}
UE__I_END

#define TRACEPOINT_DEFAULT_PRIO 10

/* Does nothing, because unregister_trace_NAME() has already waited. */
#define tracepoint_synchronize_unregister() ((void)0)

/* Events and tracepoints are private to the program or library that defines them. */
#define EXPORT_TRACEPOINT_SYMBOL(name) UE__END_OF_MACRO
#define EXPORT_TRACEPOINT_SYMBOL_GPL(name) UE__END_OF_MACRO

/*
 * Ends each macro at file scope. Some trace headers have a semicolon after a macro and others do
 * not, because the kernel accepts both. This text is therefore valid, without a warning, both
 * before a semicolon and before a declaration.
 */
#if defined(__cplusplus) && !defined(__clang__) && __GNUC__ < 12
#define UE__END_OF_MACRO /* g++ then accepts a semicolon without __extension__ */
#else
#define UE__END_OF_MACRO __extension__
#endif

/*
 * A trace header is read once to declare its events, and once for each pass of
 * trace/define_trace.h. UE__STAGE selects the pass: UE__STAGE(CLASS) is UE__DECLARE_CLASS in the
 * first pass, UE__RECORD_CLASS in the second, and so on.
 */
#define UE__STAGE(x) UE__DECLARE_##x

#define PARAMS(...) __VA_ARGS__
#define TP_PROTO(...) __VA_ARGS__
#define TP_ARGS(...) __VA_ARGS__
#define TP_CONDITION(...) __VA_ARGS__
#define TP_STRUCT__entry(...) __VA_ARGS__
#define TP_fast_assign(...) __VA_ARGS__
#define TP_printk(...) __VA_ARGS__

/* Uses few levels of macros, because for each error, clang prints three lines per level. */
#define DECLARE_EVENT_CLASS(name, proto, args, tstruct, assign, print) \
	UE__STAGE(CLASS)(name, PARAMS(proto), PARAMS(args), PARAMS(tstruct), PARAMS(assign), \
			 print) \
	UE__END_OF_MACRO

#define DEFINE_EVENT(template, name, proto, args) \
	UE__STAGE(EVENT)(template, name, PARAMS(proto), PARAMS(args), true, NULL, NULL, \
			 ue__print_class_, template) \
	UE__END_OF_MACRO
#define DEFINE_EVENT_CONDITION(template, name, proto, args, cond) \
	UE__STAGE(EVENT)(template, name, PARAMS(proto), PARAMS(args), PARAMS(cond), NULL, NULL, \
			 ue__print_class_, template) \
	UE__END_OF_MACRO
#define DEFINE_EVENT_FN(template, name, proto, args, reg, unreg) \
	UE__STAGE(EVENT)(template, name, PARAMS(proto), PARAMS(args), true, reg, unreg, \
			 ue__print_class_, template) \
	UE__END_OF_MACRO
#define DEFINE_EVENT_PRINT(template, name, proto, args, print) \
	UE__STAGE(OTHER)(PRINTER)(template, name, print) \
	UE__STAGE(EVENT)(template, name, PARAMS(proto), PARAMS(args), true, NULL, NULL, \
			 ue__print_own_, name) \
	UE__END_OF_MACRO

#define TRACE_EVENT(name, proto, args, tstruct, assign, print) \
	UE__STAGE(CLASS)(name, PARAMS(proto), PARAMS(args), PARAMS(tstruct), PARAMS(assign), \
			 print) \
	UE__STAGE(EVENT)(name, name, PARAMS(proto), PARAMS(args), true, NULL, NULL, \
			 ue__print_class_, name) \
	UE__END_OF_MACRO
#define TRACE_EVENT_CONDITION(name, proto, args, cond, tstruct, assign, print) \
	UE__STAGE(CLASS)(name, PARAMS(proto), PARAMS(args), PARAMS(tstruct), PARAMS(assign), \
			 print) \
	UE__STAGE(EVENT)(name, name, PARAMS(proto), PARAMS(args), PARAMS(cond), NULL, NULL, \
			 ue__print_class_, name) \
	UE__END_OF_MACRO
#define TRACE_EVENT_FN(name, proto, args, tstruct, assign, print, reg, unreg) \
	UE__STAGE(CLASS)(name, PARAMS(proto), PARAMS(args), PARAMS(tstruct), PARAMS(assign), \
			 print) \
	UE__STAGE(EVENT)(name, name, PARAMS(proto), PARAMS(args), true, reg, unreg, \
			 ue__print_class_, name) \
	UE__END_OF_MACRO
#define TRACE_EVENT_FN_COND(name, proto, args, cond, tstruct, assign, print, reg, unreg) \
	UE__STAGE(CLASS)(name, PARAMS(proto), PARAMS(args), PARAMS(tstruct), PARAMS(assign), \
			 print) \
	UE__STAGE(EVENT)(name, name, PARAMS(proto), PARAMS(args), PARAMS(cond), reg, unreg, \
			 ue__print_class_, name) \
	UE__END_OF_MACRO

#define DECLARE_TRACE(name, proto, args) \
	UE__BARE_TRACE(name, PARAMS(proto), PARAMS(args), true)
#define DECLARE_TRACE_CONDITION(name, proto, args, cond) \
	UE__BARE_TRACE(name, PARAMS(proto), PARAMS(args), PARAMS(cond))
#define UE__BARE_TRACE(name, proto, args, cond) \
	UE__STAGE(OTHER)(BARE)(name, PARAMS(proto), PARAMS(args), PARAMS(cond)) UE__END_OF_MACRO

/*
 * Defines, in one source file, the tracepoint of a DECLARE_TRACE whose header does not include
 * trace/define_trace.h. The forms (name) and (name, reg, unreg) of kernels before 5.10 are accepted
 * too. The prototype always comes from DECLARE_TRACE.
 */
#define DEFINE_TRACE(...) UE__DEFINE_TRACE(__VA_ARGS__, ~)
#define DEFINE_TRACE_FN(name, reg, ...) UE__DEFINE_TRACE_FN(name, reg, __VA_ARGS__, ~)
#define UE__DEFINE_TRACE(name, ...) UE__DEFINE_BARE(name, NULL, NULL) UE__END_OF_MACRO
#define UE__DEFINE_TRACE_FN(name, reg, unreg, ...) \
	UE__DEFINE_BARE(name, reg, unreg) UE__END_OF_MACRO

/* Events that are compiled out. Their functions do nothing. */
#define DECLARE_EVENT_NOP(name, proto, args) \
	UE__STAGE(OTHER)(NOP)(name, PARAMS(proto)) UE__END_OF_MACRO
#define DEFINE_EVENT_NOP(template, name, proto, args) \
	DECLARE_EVENT_NOP(name, PARAMS(proto), PARAMS(args))
#define TRACE_EVENT_NOP(name, proto, args, tstruct, assign, print) \
	DECLARE_EVENT_NOP(name, PARAMS(proto), PARAMS(args))

/*
 * Constants and sizes used in a TP_printk. They are recorded in ELF notes, for tools that evaluate
 * the source text of TP_printk. The name of a size is its source text with macros expanded, such as
 * "sizeof(struct pair)".
 */
#define TRACE_DEFINE_ENUM(constant) UE__STAGE(OTHER)(ENUM)(constant, #constant) UE__END_OF_MACRO
#define TRACE_DEFINE_SIZEOF(type) \
	UE__STAGE(OTHER)(ENUM)(sizeof(type), "sizeof(" __stringify(type) ")") UE__END_OF_MACRO
/* These macros have no effect. The permissions of an event's files in tracefs apply instead. */
#define TRACE_EVENT_FLAGS(name, value) UE__END_OF_MACRO
#define TRACE_EVENT_PERF_PERM(name, ...) UE__END_OF_MACRO

/*
 * Macros of the fields. If a field has data after the fields, the arguments include the name of its
 * loc member, and 1 if the offset in the loc is relative to the end of the loc.
 */
#define __field(type, item) UE__STAGE(FIELD)(type, item)
#define __field_ext(type, item, filter_type) UE__STAGE(FIELD)(type, item)
#define __field_struct(type, item) UE__STAGE(STRUCT)(type, item)
#define __field_struct_ext(type, item, filter_type) UE__STAGE(STRUCT)(type, item)
#define __array(type, item, len) UE__STAGE(ARRAY)(type, item, len)
#define __dynamic_array(type, item, len) \
	UE__STAGE(DYNAMIC)(0, __data_loc_##item, type, item, len)
#define __rel_dynamic_array(type, item, len) \
	UE__STAGE(DYNAMIC)(1, __rel_loc_##item, type, item, len)
#define __string(item, src) \
	UE__STAGE(STRING)(0, __data_loc_##item, item, src, UE__STRING_SIZE(item))
#define __rel_string(item, src) \
	UE__STAGE(STRING)(1, __rel_loc_##item, item, src, UE__STRING_SIZE(item))
#define UE__STRING_SIZE(item) ue__string_size(__data_offsets->item.ue__source)
#define __string_len(item, src, len) \
	UE__STAGE(STRING)(0, __data_loc_##item, item, src, ue__bytes_size((size_t)(len)))
#define __rel_string_len(item, src, len) \
	UE__STAGE(STRING)(1, __rel_loc_##item, item, src, ue__bytes_size((size_t)(len)))
#define __vstring(item, fmt, va) \
	UE__STAGE(STRING)(0, __data_loc_##item, item, UE__I_NULL, ue__vstring_size(fmt, va))
#define __rel_vstring(item, fmt, va) \
	UE__STAGE(STRING)(1, __rel_loc_##item, item, UE__I_NULL, ue__vstring_size(fmt, va))
#define __bitmask(item, bits) __dynamic_array(unsigned long, item, BITS_TO_LONGS(bits))
#define __rel_bitmask(item, bits) __rel_dynamic_array(unsigned long, item, BITS_TO_LONGS(bits))
#define __cpumask(item) __bitmask(item, nr_cpumask_bits)
#define __rel_cpumask(item) __rel_bitmask(item, nr_cpumask_bits)
#define __sockaddr(item, len) __dynamic_array(unsigned char, item, len)
#define __rel_sockaddr(item, len) __rel_dynamic_array(unsigned char, item, len)
/* Filter types of __field_ext(), which have no effect. */
enum {
	FILTER_OTHER,
	FILTER_STATIC_STRING,
	FILTER_DYN_STRING,
	FILTER_RDYN_STRING,
	FILTER_PTR_STRING,
	FILTER_TRACE_FN,
	FILTER_CPUMASK,
	FILTER_COMM,
	FILTER_CPU
};

/*
 * For TP_fast_assign. __assign_str(item) copies the source that was passed to __string(). The older
 * __assign_str(item, source) copies SOURCE, truncated to the reserved space.
 */
#define __assign_str(...) \
	UE__I_CAT(UE__ASSIGN_STR_, UE__ONE_OR_TWO(__VA_ARGS__, 2, 1, ~))(__VA_ARGS__)
#define UE__ONE_OR_TWO(item, src, n, ...) n
#define UE__ASSIGN_STR_1(item) ue__assign_source(__entry, &__data_offsets.item.ue__source)
#define UE__ASSIGN_STR_2(item, src) ue__assign_str(__entry, UE__LOC(item), src)
#define UE__LOC(item) __data_offsets.item.ue__loc
#define __assign_str_len(item, src, len) ue__assign_chars(__entry, UE__LOC(item), src, len)
#define __assign_vstr(item, fmt, va) ue__assign_vstr(__entry, UE__LOC(item), fmt, va)
#define __assign_bitmask(item, src, bits) \
	ue__assign_bytes(__entry, UE__LOC(item), src, BITS_TO_LONGS(bits) * sizeof(long))
#define __assign_cpumask(item, src) \
	ue__assign_bytes(__entry, UE__LOC(item), src, BITS_TO_LONGS(nr_cpumask_bits) * sizeof(long))
#define __assign_sockaddr(item, src, len) ue__assign_bytes(__entry, UE__LOC(item), src, len)
#define __assign_rel_str(...) __assign_str(__VA_ARGS__)
#define __assign_rel_str_len(item, src, len) __assign_str_len(item, src, len)
#define __assign_rel_vstr(item, fmt, va) __assign_vstr(item, fmt, va)
#define __assign_rel_bitmask(item, src, bits) __assign_bitmask(item, src, bits)
#define __assign_rel_cpumask(item, src) __assign_cpumask(item, src)
#define __assign_rel_sockaddr(item, src, len) __assign_sockaddr(item, src, len)
/* Weight and task of an event. perf ignores both for user_events. */
#define __perf_count(c) (c)
#define __perf_task(t) (t)

/*
 * Expands to 1 for a prototype without parameters, (void) or (), to which no parameter can be
 * prepended. Otherwise expands to 0, even if the first parameter begins with void, such as in
 * `void *p` or `void (*f)(int)`.
 */
#define UE__IS_VOID(...) UE__IS_VOID_(__VA_ARGS__, *, *)
#define UE__IS_VOID_(first, ...) UE__VOID_REST(UE__VOID_##first, *, *)
#define UE__VOID_void ~,
#define UE__VOID_ ~,
#define UE__VOID_REST(...) UE__VOID_REST_(__VA_ARGS__)
#define UE__VOID_REST_(ignored, rest, ...) UE__VOID_IF(UE__I_IS_PAREN(rest), rest)
#define UE__VOID_IF(paren, rest) UE__I_SECOND_OF(UE__I_CAT(UE__VOID_IF_, paren)(rest), 0, ~)
#define UE__VOID_IF_0(rest) UE__VOID_YES rest ()
#define UE__VOID_IF_1 ~
#define UE__VOID_YES() ~, 1

#define UE__PROTO(...) UE__I_CAT(UE__PROTO_, UE__IS_VOID(__VA_ARGS__))(__VA_ARGS__)
#define UE__PROTO_0(...) __VA_ARGS__
#define UE__PROTO_1(...) void
/* Expands to FIRST, followed by the other arguments unless they are void. */
#define UE__JOIN(is_void, first, ...) UE__I_CAT(UE__JOIN_, is_void)(first, __VA_ARGS__)
#define UE__JOIN_0(first, ...) first, __VA_ARGS__
#define UE__JOIN_1(first, ...) first

/* The first pass: declarations */
#define UE__DECLARE_CLASS(name, proto, args, tstruct, assign, ...) \
	struct trace_event_raw_##name;
#define UE__DECLARE_OTHER(kind) UE__DECLARE_##kind
#define UE__DECLARE_PRINTER(...)
#define UE__DECLARE_ENUM(constant, name) UE__I_STATIC_ASSERT(sizeof(constant) > 0, "");
#define UE__DECLARE_EVENT(template, name, proto, args, cond, reg, unreg, print, of) \
	UE__EXTERN __attribute__((__cold__)) void ue__call_##name(UE__PROTO(proto)); \
	UE__DECLARE_TRACEPOINT(name, PARAMS(proto), PARAMS(args)) \
	UE__EXTERN int trace_print_##name(char *ue__buffer, size_t ue__size, \
					  const struct trace_event_raw_##template *ue__record);
/*
 * Uses a pointer, because a pointer can be defined without a prototype, which DEFINE_TRACE(name)
 * lacks.
 */
#define UE__DECLARE_BARE(name, proto, args, cond) \
	UE__EXTERN void (*const ue__call_##name)(UE__PROTO(proto)); \
	UE__DECLARE_TRACEPOINT(name, PARAMS(proto), PARAMS(args)) \
	UE__BARE_FUNCTION(name, PARAMS(proto), PARAMS(args), PARAMS(cond))
#define UE__DECLARE_NOP(name, proto) \
	UE__I_BEGIN \
	UE__I_FN void trace_##name(UE__PROTO(proto)) {} \
	UE__I_FN void trace_##name##_rcuidle(UE__PROTO(proto)) {} \
	UE__I_FN bool trace_##name##_enabled(void) \
	{ \
		return false; \
	} \
	UE__I_END
#define UE__PROBE_OF(proto) void (*ue__probe)(UE__JOIN(UE__IS_VOID(proto), void *__data, proto))

#define UE__DECLARE_TRACEPOINT(name, proto, args) \
	UE__EXTERN struct ue_event ue__tracepoint_v3_##name; \
	UE__EXTERN int ue__attach_##name(void (*ue__probe)(void), void *ue__data, \
					 bool ue__attach, int ue__prio); \
	UE__I_BEGIN \
	UE__I_FN bool trace_##name##_enabled(void) \
	{ \
		return UE__TRACEPOINT_ENABLED(name); \
	} \
	UE__I_FN void trace_##name(UE__PROTO(proto)) \
	{ \
		if (UE__TRACEPOINT_ENABLED(name)) \
			ue__call_##name(args); \
	} \
	UE__I_FN void trace_##name##_rcuidle(UE__PROTO(proto)) \
	{ \
		trace_##name(args); \
	} \
	UE__I_FN int register_trace_##name(UE__PROBE_OF(PARAMS(proto)), void *ue__data) \
	{ \
		return UE__ATTACH(name, true, TRACEPOINT_DEFAULT_PRIO); \
	} \
	UE__I_FN int register_trace_prio_##name(UE__PROBE_OF(PARAMS(proto)), void *ue__data, \
						  int ue__prio) \
	{ \
		return UE__ATTACH(name, true, ue__prio); \
	} \
	UE__I_FN int unregister_trace_##name(UE__PROBE_OF(PARAMS(proto)), void *ue__data) \
	{ \
		return UE__ATTACH(name, false, 0); \
	} \
	UE__I_FN void check_trace_callback_type_##name(UE__PROBE_OF(PARAMS(proto))) \
	{ \
		(void)ue__probe; \
	} \
	UE__I_END
#ifdef UE_DISABLE
#define UE__TRACEPOINT_ENABLED(name) false
#define UE__ATTACH(name, attach, prio) ((void)ue__probe, (void)ue__data, (void)(prio), -ENOSYS)
#else
#define UE__TRACEPOINT_ENABLED(name) \
	__builtin_expect(ue_event_enabled(&ue__tracepoint_v3_##name), 0)
#define UE__ATTACH(name, attach, prio) \
	ue__attach_##name((void (*)(void))ue__probe, ue__data, attach, prio)
#endif

/* The last pass, and DEFINE_TRACE: definitions. */
#ifdef UE_DISABLE
#define UE__DEFINE_TRACEPOINT(kind, name, reg, unreg, spec, print)
#define UE__TRACE_FUNCTION(declarator, name, proto, args, cond, write)
#define UE__BARE_FUNCTION(name, proto, args, cond)
#define UE__DEFINE_BARE(name, reg, unreg)
#elif defined(UE__I_DECLARED_ONLY)
#define UE__BARE_FUNCTION(name, proto, args, cond)
#define UE__DEFINE_BARE(name, reg, unreg) \
	UE__I_STATIC_ASSERT(false, \
			    "DEFINE_TRACE belongs in the file that defines UE_IMPLEMENTATION");
#else
/* The number before the descriptor aligns the callbacks that follow it. */
#define UE__DEFINE_TRACEPOINT(kind, name, reg, unreg, spec, print) \
	static const struct { \
		uint32_t ue__padding; \
		struct ue__f_desc desc; \
		struct ue__i_callbacks other; \
	} ue__trace_desc_##name = { 0, UE__I_DESC(kind, 0, 0, 0u, 0), { #name, spec, print } }; \
	struct ue_event ue__tracepoint_v3_##name = \
		UE__I_EVENT_INIT(&ue__trace_desc_##name.desc, 0); \
	int ue__attach_##name(void (*ue__probe)(void), void *ue__data, bool ue__attach_, \
			      int ue__prio) \
	{ \
		static struct ue__attached ue__attached; \
 \
		return ue__attach(&ue__tracepoint_v3_##name, ue__probe, ue__data, ue__attach_, \
				  ue__prio, &ue__attached, reg, unreg); \
	}
#define UE__TYPED_PROBE(proto) void (*)(UE__JOIN(UE__IS_VOID(proto), void *, proto))
/*
 * Defines the function of an event. It calls the probes, then WRITE creates and writes the record.
 */
#define UE__TRACE_FUNCTION(declarator, name, proto, args, cond, write) \
	declarator(UE__PROTO(proto)) \
	{ \
		struct ue__typed ue__probes_left; \
 \
		UE__I_LOADER_ENTRIES; \
		__asm__ volatile(UE__I_EVENT_ENTRY \
				 : : [ue_event] UE__I_PLACE_OF(&ue__tracepoint_v3_##name)); \
		if (!(cond)) \
			return; \
		for (ue__first_typed(&ue__probes_left, &ue__tracepoint_v3_##name); \
		     ue__probes_left.p; ue__next_typed(&ue__probes_left)) \
			((UE__TYPED_PROBE(PARAMS(proto)))ue__probes_left.p->function)( \
				UE__JOIN(UE__IS_VOID(proto), ue__probes_left.p->data, args)); \
		if (ue__probes_left.record) \
			write; \
	}
#define UE__BARE_FUNCTION(name, proto, args, cond) \
	UE__TRACE_FUNCTION(UE__I_FN __attribute__((__cold__)) void ue__bare_##name, name, \
			   PARAMS(proto), PARAMS(args), \
			   PARAMS(cond), (void)0)
#define UE__DEFINE_BARE(name, reg, unreg) \
	UE__DEFINE_TRACEPOINT(UE__F_DESC_PROBE, name, reg, unreg, NULL, NULL) \
	__typeof__(ue__call_##name) ue__call_##name = ue__bare_##name;
#endif

#endif
