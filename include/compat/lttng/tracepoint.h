/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The user_events.h authors */
/*
 * <lttng/tracepoint.h> for programs written for LTTng-UST. To use it, add the parent directory to
 * the include path (-I.../compat). The program needs no other change and links no library.
 *
 * Event rcl_init of provider ros2 is the tracepoint user_events:ros2__rcl_init, with fields known
 * to the kernel. If a field is a float, or the fields exceed the kernel's limit, it is instead the
 * only EventHeader event of the set ros2__rcl_init_LxK1. The level x is 1 for EMERG to CRIT, 2 for
 * ERR, 3 for WARNING, 4 for NOTICE and INFO, and 5 for the DEBUG levels and for events without a
 * level. docs/existing.md lists the features of LTTng that are missing here.
 *
 * If UE_LTTNG_SETS is defined before the include, all events are EventHeader events. A provider
 * then has one set ros2_LxK1 per level.
 *
 * The file that defines LTTNG_UST_TRACEPOINT_DEFINE contains the events of its program or library.
 * No provider is loaded. A tracepoint is thread-safe and async-signal-safe, and preserves errno. A
 * disabled tracepoint costs three instructions and evaluates nothing.
 */
#ifndef UE__I_NO_SYSTEM_HEADER
#pragma GCC system_header
#endif
#ifndef UE_COMPAT_LTTNG_TRACEPOINT_H
#define UE_COMPAT_LTTNG_TRACEPOINT_H

#if __has_include("../../user_events_builder.h")
#include "../../user_events_builder.h"
#else /* installed */
#include <user_events_builder.h>
#endif
#include <dlfcn.h> /* for programs that rely on these includes */
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

/* clang-format off */

/* * ---- In the program ---- */

#define lttng_ust_tracepoint_enabled(provider, name) UE__TP_ENABLED(provider, name)
#define lttng_ust_do_tracepoint(provider, name, ...) UE__TP_WRITE(provider, name, ##__VA_ARGS__)
#define lttng_ust_tracepoint(provider, name, ...) \
	do { \
		if (UE__TP_ENABLED(provider, name)) \
			UE__TP_WRITE(provider, name, ##__VA_ARGS__); \
	} while (0)
#define UE__TP_ENABLED(p, n) \
	__builtin_expect(ue_event_set_enabled(&lttng_ust_tracepoint_##p##___##n), 0)
#define UE__TP_WRITE(p, n, ...) \
	lttng_ust_tracepoint_cb_##p##___##n UE__TP_LIST(, ~, ##__VA_ARGS__)
/* Expands to the arguments after the first one, in parentheses, or to (NONE) without any. */
#define UE__TP_LIST(none, ...) UE__I_IN_PARENS(UE__I_COUNT(__VA_ARGS__), none, __VA_ARGS__)

enum {
	LTTNG_UST_TRACEPOINT_LOGLEVEL_EMERG, LTTNG_UST_TRACEPOINT_LOGLEVEL_ALERT,
	LTTNG_UST_TRACEPOINT_LOGLEVEL_CRIT, LTTNG_UST_TRACEPOINT_LOGLEVEL_ERR,
	LTTNG_UST_TRACEPOINT_LOGLEVEL_WARNING, LTTNG_UST_TRACEPOINT_LOGLEVEL_NOTICE,
	LTTNG_UST_TRACEPOINT_LOGLEVEL_INFO, LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_SYSTEM,
	LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_PROGRAM, LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_PROCESS,
	LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_MODULE, LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_UNIT,
	LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_FUNCTION, LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_LINE,
	LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG
};
#define UE__TP_LEVEL(loglevel) \
	((loglevel) <= 2 ? 1 : (loglevel) == 3 ? 2 : (loglevel) == 4 ? 3 : (loglevel) <= 6 ? 4 : 5)

/* * ---- In the provider's header ---- */

#define LTTNG_UST_TP_ARGS(...) __VA_ARGS__ /* up to ten pairs of type and name */
#define LTTNG_UST_TP_FIELDS(...) __VA_ARGS__
#define LTTNG_UST_TRACEPOINT_ENUM(provider, name, values) /* labels are not recorded */
#define LTTNG_UST_TRACEPOINT_MODEL_EMF_URI(provider, name, uri)

/*
 * The provider's header is read twice: for declarations (pass 1), and again by tracepoint-event.h
 * to define the events (pass 2). The level of an event is the length of an array, if one is
 * declared.
 */
#define LTTNG_UST_TRACEPOINT_EVENT(p, n, args, fields) \
	UE__I_CAT(UE__TP_EVENT_, UE__TP_PASS)(p, n, (UE__TP_ARGS(UE__TP_PARAMETER, args)), fields)
#define LTTNG_UST_TRACEPOINT_EVENT_CLASS(p, n, args, fields) \
	UE__I_CAT(UE__TP_CLASS_, UE__TP_PASS)(p, n, (UE__TP_ARGS(UE__TP_PARAMETER, args)), fields)
#define LTTNG_UST_TRACEPOINT_EVENT_INSTANCE(cp, cn, p, n, args) \
	UE__I_CAT(UE__TP_INSTANCE_, UE__TP_PASS)(cp, cn, p, n, \
		(UE__TP_ARGS(UE__TP_PARAMETER, args)), UE__TP_ARGS(UE__TP_ARGUMENT, args))
#define LTTNG_UST_TRACEPOINT_LOGLEVEL(p, n, x) UE__I_CAT(UE__TP_LEVEL_, UE__TP_PASS)(p, n, x)
#define UE__TP_EVENT_1(p, n, parameters, ...) \
	UE_DECLARE_EVENT_SET(lttng_ust_tracepoint_##p##___##n); \
	extern char ue__tp_level_##p##___##n[]; \
	UE__I_C_LINKAGE __attribute__((__visibility__("hidden"))) __attribute__((__cold__)) void \
	lttng_ust_tracepoint_cb_##p##___##n UE__TP_LIST(void, UE__I_UNPACK parameters);
#define UE__TP_CLASS_1(...)
#define UE__TP_INSTANCE_1(cp, cn, ...) UE__TP_EVENT_1(__VA_ARGS__)
#define UE__TP_LEVEL_1(p, n, x) extern char ue__tp_level_##p##___##n[UE__TP_LEVEL(x)];
#define UE__TP_PASS 1

/* Expands to op(type, name) for each argument. */
#define UE__TP_ARGS(op, ...) \
	UE__I_CAT(UE__TP_ARGS_, UE__TP_COUNT(~, ##__VA_ARGS__))(op, ##__VA_ARGS__)
#define UE__TP_COUNT(...) UE__TP_COUNT_(__VA_ARGS__, \
	20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, ~)
#define UE__TP_COUNT_(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, n_, ...) n_
#define UE__TP_ARGS_0(op)
#define UE__TP_ARGS_1(op, none) /* void */
#define UE__TP_ARGS_2(op, a, b) op(a, b)
#define UE__TP_ARGS_4(op, a, b, ...) op(a, b) UE__TP_ARGS_2(op, __VA_ARGS__)
#define UE__TP_ARGS_6(op, a, b, ...) op(a, b) UE__TP_ARGS_4(op, __VA_ARGS__)
#define UE__TP_ARGS_8(op, a, b, ...) op(a, b) UE__TP_ARGS_6(op, __VA_ARGS__)
#define UE__TP_ARGS_10(op, a, b, ...) op(a, b) UE__TP_ARGS_8(op, __VA_ARGS__)
#define UE__TP_ARGS_12(op, a, b, ...) op(a, b) UE__TP_ARGS_10(op, __VA_ARGS__)
#define UE__TP_ARGS_14(op, a, b, ...) op(a, b) UE__TP_ARGS_12(op, __VA_ARGS__)
#define UE__TP_ARGS_16(op, a, b, ...) op(a, b) UE__TP_ARGS_14(op, __VA_ARGS__)
#define UE__TP_ARGS_18(op, a, b, ...) op(a, b) UE__TP_ARGS_16(op, __VA_ARGS__)
#define UE__TP_ARGS_20(op, a, b, ...) op(a, b) UE__TP_ARGS_18(op, __VA_ARGS__)
#define UE__TP_PARAMETER(type, name) , type name
#define UE__TP_ARGUMENT(type, name) , name

/*
 * A field is a tuple of user_events.h, with one value or with pointer and count. Numbers in network
 * byte order are converted to the machine's. As in LTTng's traces, the length of a sequence is a
 * field. It is the full length even if the elements are truncated to fit an event.
 */
#define UE__TP_SCALAR(name, as, t, bits) \
	(ue__i_value, ue__i_field, name, name ";", as, , UE__TP_CORE(t), , , bits)
#define UE__TP_CHARS(name, type, p) \
	(ue__i_value, ue__i_field, name, name ";", , , type, , , UE__I_IN(STR)((const char *)(p)))
#define UE__TP_COUNTED(name, as, type, p, n) \
	(ue__i_pair, ue__i_field, name, name ";", as, , type, , , UE__I_IN(BYTES)(p), n)
#define UE__TP_SEQUENCE(name, as, type, p, nt, n) \
	UE__TP_SCALAR("_" name "_length", , nt, UE__TP_BITS(nt, n)) \
	UE__TP_COUNTED(name, as, type, p, (nt)(n))
#define UE__TP_SEQUENCE_NETWORK(name, as, t, p, nt, n) \
	UE__TP_SCALAR("_" name "_length", , nt, UE__TP_BITS(nt, n)) \
	UE__TP_NETWORK(name, as, t, p, n)
/*
 * Combines pointer and count in one value. Because N is evaluated only once, the count matches the
 * size of the copy even if N changes.
 */
#define UE__TP_NETWORK(name, as, t, p, n) \
	(ue__i_value, ue__i_field, name, name ";", as, , UE__F_T_SPAN | UE__TP_LIST_OF(t), , , \
	 UE__TP_HOSTS(t, p, n))
#define UE__TP_HEX _ue__format(UE_FORMAT_HEX)
#define lttng_ust_field_integer(t, i, v) UE__TP_SCALAR(#i, , t, UE__TP_BITS(t, v))
#define lttng_ust_field_integer_hex(t, i, v) UE__TP_SCALAR(#i, UE__TP_HEX, t, UE__TP_BITS(t, v))
#define lttng_ust_field_integer_network(t, i, v) \
	UE__TP_SCALAR(#i, , t, UE__TP_BITS(t, UE__TP_HOST(t, v)))
#define lttng_ust_field_integer_network_hex(t, i, v) \
	UE__TP_SCALAR(#i, UE__TP_HEX, t, UE__TP_BITS(t, UE__TP_HOST(t, v)))
#define lttng_ust_field_enum(p, e, t, i, v) UE__TP_SCALAR(#i, , t, UE__TP_BITS(t, v))
#define lttng_ust_field_float(t, i, v) UE__TP_SCALAR(#i, , t, UE__TP_BITS(t, v))
#define lttng_ust_field_string(i, s) UE__TP_CHARS(#i, UE__F_TYPE(STR), ue__tp_string(s))
#define lttng_ust_field_array(t, i, p, n) UE__TP_COUNTED(#i, , UE__TP_LIST_OF(t), p, n)
#define lttng_ust_field_array_hex(t, i, p, n) \
	UE__TP_COUNTED(#i, UE__TP_HEX, UE__TP_LIST_OF(t), p, n)
#define lttng_ust_field_array_network(t, i, p, n) \
	UE__TP_NETWORK(#i, , t, p, n)
#define lttng_ust_field_array_network_hex(t, i, p, n) \
	UE__TP_NETWORK(#i, UE__TP_HEX, t, p, n)
#define lttng_ust_field_array_text(t, i, p, n) \
	UE__TP_CHARS(#i, UE__TP_CHARS_OF(n), (const void *)(p))
#define lttng_ust_field_sequence(t, i, p, nt, n) \
	UE__TP_SEQUENCE(#i, , UE__TP_LIST_OF(t), p, nt, n)
#define lttng_ust_field_sequence_hex(t, i, p, nt, n) \
	UE__TP_SEQUENCE(#i, UE__TP_HEX, UE__TP_LIST_OF(t), p, nt, n)
#define lttng_ust_field_sequence_network(t, i, p, nt, n) \
	UE__TP_SEQUENCE_NETWORK(#i, , t, p, nt, n)
#define lttng_ust_field_sequence_network_hex(t, i, p, nt, n) \
	UE__TP_SEQUENCE_NETWORK(#i, UE__TP_HEX, t, p, nt, n)
#define lttng_ust_field_sequence_text(t, i, p, nt, n) \
	UE__TP_SEQUENCE(#i, , UE__F_TYPE(STRN), p, nt, n)
#define lttng_ust_field_fixed_length_blob(i, p, n, media_type) \
	UE__TP_COUNTED(#i, , UE__F_TYPE(BYTES), p, n)
#define lttng_ust_field_variable_length_blob(i, p, nt, n, media_type) \
	UE__TP_SEQUENCE(#i, , UE__F_TYPE(BYTES), p, nt, n)
#define lttng_ust_field_unused(v)
#define lttng_ust_field_unused_nowrite(v) /* only for LTTng's filters, like the next macros */
#define lttng_ust_field_integer_nowrite(t, i, v)
#define lttng_ust_field_enum_nowrite(p, e, t, i, v)
#define lttng_ust_field_float_nowrite(t, i, v)
#define lttng_ust_field_string_nowrite(i, s)
#define lttng_ust_field_array_nowrite(t, i, p, n)
#define lttng_ust_field_array_nowrite_hex(t, i, p, n)
#define lttng_ust_field_array_network_nowrite(t, i, p, n)
#define lttng_ust_field_array_network_nowrite_hex(t, i, p, n)
#define lttng_ust_field_array_text_nowrite(t, i, p, n)
#define lttng_ust_field_sequence_nowrite(t, i, p, nt, n)
#define lttng_ust_field_sequence_nowrite_hex(t, i, p, nt, n)
#define lttng_ust_field_sequence_network_nowrite(t, i, p, nt, n)
#define lttng_ust_field_sequence_network_nowrite_hex(t, i, p, nt, n)
#define lttng_ust_field_sequence_text_nowrite(t, i, p, nt, n)
#define lttng_ust_field_fixed_length_blob_nowrite(i, p, n, media_type)
#define lttng_ust_field_variable_length_blob_nowrite(i, p, nt, n, media_type)

/* Names used before LTTng-UST 2.13 */
#if !defined(LTTNG_UST_COMPAT_API_VERSION) || LTTNG_UST_COMPAT_API_VERSION <= 0
#define tracepoint lttng_ust_tracepoint
#define do_tracepoint lttng_ust_do_tracepoint
#define tracepoint_enabled lttng_ust_tracepoint_enabled
#define TP_ARGS LTTNG_UST_TP_ARGS
#define TP_FIELDS LTTNG_UST_TP_FIELDS
#define TRACEPOINT_EVENT LTTNG_UST_TRACEPOINT_EVENT
#define TRACEPOINT_EVENT_CLASS LTTNG_UST_TRACEPOINT_EVENT_CLASS
#define TRACEPOINT_EVENT_INSTANCE(provider, template_name, name, args) \
	LTTNG_UST_TRACEPOINT_EVENT_INSTANCE(provider, template_name, provider, name, \
					    UE__I_UNPACK(args))
#define TRACEPOINT_ENUM LTTNG_UST_TRACEPOINT_ENUM
#define TRACEPOINT_LOGLEVEL LTTNG_UST_TRACEPOINT_LOGLEVEL
#define TRACEPOINT_MODEL_EMF_URI LTTNG_UST_TRACEPOINT_MODEL_EMF_URI
#define TRACE_EMERG LTTNG_UST_TRACEPOINT_LOGLEVEL_EMERG
#define TRACE_ALERT LTTNG_UST_TRACEPOINT_LOGLEVEL_ALERT
#define TRACE_CRIT LTTNG_UST_TRACEPOINT_LOGLEVEL_CRIT
#define TRACE_ERR LTTNG_UST_TRACEPOINT_LOGLEVEL_ERR
#define TRACE_WARNING LTTNG_UST_TRACEPOINT_LOGLEVEL_WARNING
#define TRACE_NOTICE LTTNG_UST_TRACEPOINT_LOGLEVEL_NOTICE
#define TRACE_INFO LTTNG_UST_TRACEPOINT_LOGLEVEL_INFO
#define TRACE_DEBUG_SYSTEM LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_SYSTEM
#define TRACE_DEBUG_PROGRAM LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_PROGRAM
#define TRACE_DEBUG_PROCESS LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_PROCESS
#define TRACE_DEBUG_MODULE LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_MODULE
#define TRACE_DEBUG_UNIT LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_UNIT
#define TRACE_DEBUG_FUNCTION LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_FUNCTION
#define TRACE_DEBUG_LINE LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG_LINE
#define TRACE_DEBUG LTTNG_UST_TRACEPOINT_LOGLEVEL_DEBUG
#define ctf_integer lttng_ust_field_integer
#define ctf_integer_hex lttng_ust_field_integer_hex
#define ctf_integer_network lttng_ust_field_integer_network
#define ctf_integer_network_hex lttng_ust_field_integer_network_hex
#define ctf_enum lttng_ust_field_enum
#define ctf_float lttng_ust_field_float
#define ctf_string lttng_ust_field_string
#define ctf_array lttng_ust_field_array
#define ctf_array_hex lttng_ust_field_array_hex
#define ctf_array_network lttng_ust_field_array_network
#define ctf_array_network_hex lttng_ust_field_array_network_hex
#define ctf_array_text lttng_ust_field_array_text
#define ctf_sequence lttng_ust_field_sequence
#define ctf_sequence_hex lttng_ust_field_sequence_hex
#define ctf_sequence_network lttng_ust_field_sequence_network
#define ctf_sequence_network_hex lttng_ust_field_sequence_network_hex
#define ctf_sequence_text lttng_ust_field_sequence_text
#define ctf_unused lttng_ust_field_unused
#define ctf_unused_nowrite lttng_ust_field_unused_nowrite
#define ctf_integer_nowrite lttng_ust_field_integer_nowrite
#define ctf_enum_nowrite lttng_ust_field_enum_nowrite
#define ctf_float_nowrite lttng_ust_field_float_nowrite
#define ctf_string_nowrite lttng_ust_field_string_nowrite
#define ctf_array_nowrite lttng_ust_field_array_nowrite
#define ctf_array_nowrite_hex lttng_ust_field_array_nowrite_hex
#define ctf_array_network_nowrite lttng_ust_field_array_network_nowrite
#define ctf_array_network_nowrite_hex lttng_ust_field_array_network_nowrite_hex
#define ctf_array_text_nowrite lttng_ust_field_array_text_nowrite
#define ctf_sequence_nowrite lttng_ust_field_sequence_nowrite
#define ctf_sequence_nowrite_hex lttng_ust_field_sequence_nowrite_hex
#define ctf_sequence_network_nowrite lttng_ust_field_sequence_network_nowrite
#define ctf_sequence_network_nowrite_hex lttng_ust_field_sequence_network_nowrite_hex
#define ctf_sequence_text_nowrite lttng_ust_field_sequence_text_nowrite
#endif
#endif

#if UE__TP_PASS == 1
#define UE__TP_UNREAD 1 /* a second include of the header does not reach this line */
#endif
