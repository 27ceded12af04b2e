/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The user_events.h authors */
/*
 * <tracepoint/tracepoint-provider.h> for programs written for LinuxTracepoints. To use it, add the
 * parent directory to the include path (-I.../compat). The program needs no other change and links
 * no library.
 *
 *	TPP_DEFINE_PROVIDER(MyProvider);
 *	TPP_FUNCTION(MyProvider, "request_done", trace_done, TPP_INT32("status", status))
 *
 *	TPP_REGISTER_PROVIDER(MyProvider);
 *	TPP_WRITE(MyProvider, "request", TPP_STRING("path", path), TPP_UINT32("bytes", n));
 *	trace_done(200);
 *	TPP_UNREGISTER_PROVIDER(MyProvider);
 *
 * New code should use UE_TRACE() and UE_TRACEPOINT() of user_events.h. docs/eventheader.md lists
 * the replacement of each macro.
 *
 * Each TPP_WRITE and TPP_FUNCTION is a tracepoint registered with ue_event_register() and has an
 * fd. Registering and unregistering are not async-signal-safe. While one thread registers or
 * unregisters a provider, no other thread may do so. While it unregisters the provider, no other
 * thread may write its events. Writing is thread-safe and async-signal-safe, and preserves errno.
 */
#ifndef UE_COMPAT_TRACEPOINT_PROVIDER_H
#define UE_COMPAT_TRACEPOINT_PROVIDER_H
#ifndef UE__I_NO_SYSTEM_HEADER
#pragma GCC system_header
#endif

#include "../ue_compat.h"

#define TPP_DECLARE_PROVIDER(symbol) UE__COMPAT_DECLARE(ue__tpp_site, UE__I_CAT(ue_points_, symbol))
#define TPP_DEFINE_PROVIDER(symbol) TPP_DECLARE_PROVIDER(symbol)

/*
 * Returns 0, or the error of ue_event_register() for a tracepoint that could not be registered.
 * ue_status().message explains it.
 */
#define TPP_REGISTER_PROVIDER(symbol) \
	ue__tpp_register(UE__COMPAT_BOUNDS(UE__I_CAT(ue_points_, symbol)))
#define TPP_UNREGISTER_PROVIDER(symbol) \
	ue__tpp_unregister(UE__COMPAT_BOUNDS(UE__I_CAT(ue_points_, symbol)))

/*
 * Writes an event. The macro is an expression. Its value is 0 on success and if the event is
 * disabled, or an errno of ue_event_writev(). Names are string literals that contain identifiers.
 * An event has at most 64 fields. Their values are evaluated only if the event is enabled, once and
 * in order.
 */
#define TPP_WRITE(symbol, ...) \
	__extension__({ \
		static struct ue__tpp_event ue__tpp_own; \
		int ue__error = 0; \
		UE__COMPAT_SITE(UE__TPP_SITE, UE__I_COUNT(__VA_ARGS__), symbol, \
				UE__I_FIRST(__VA_ARGS__, ~), ue__tpp_own, ~, __VA_ARGS__) \
		ue__error; \
	})

/* Defines function(values...), which does the same as TPP_WRITE(), and function_enabled(). */
#define TPP_FUNCTION(symbol, name, ...) \
	UE__COMPAT_SITE(UE__TPP_FUNCTION, UE__I_COUNT(__VA_ARGS__), symbol, name, \
			UE__I_FIRST(__VA_ARGS__, ~), ~, __VA_ARGS__)

#define TPP_UINT8(name, value) TPP_CUSTOM_BYVAL("u8 " name, uint8_t, value)
#define TPP_INT8(name, value) TPP_CUSTOM_BYVAL("s8 " name, int8_t, value)
#define TPP_UINT16(name, value) TPP_CUSTOM_BYVAL("u16 " name, uint16_t, value)
#define TPP_INT16(name, value) TPP_CUSTOM_BYVAL("s16 " name, int16_t, value)
#define TPP_UINT32(name, value) TPP_CUSTOM_BYVAL("u32 " name, uint32_t, value)
#define TPP_INT32(name, value) TPP_CUSTOM_BYVAL("s32 " name, int32_t, value)
#define TPP_UINT64(name, value) TPP_CUSTOM_BYVAL("u64 " name, uint64_t, value)
#define TPP_INT64(name, value) TPP_CUSTOM_BYVAL("s64 " name, int64_t, value)
#define TPP_UINTPTR UE__I_CAT(TPP_UINT, __INTPTR_WIDTH__)
#define TPP_INTPTR UE__I_CAT(TPP_INT, __INTPTR_WIDTH__)
/* SIZE is an integer literal. TPP_STRING records NULL as "". */
#define TPP_STRING(name, s) TPP_CUSTOM_REL_LOC_STR("char[] " name, char, s)
#define TPP_CHAR_ARRAY(name, size, p) \
	TPP_CUSTOM_BYREF("char[" UE__I_STRINGIFY(size) "] " name, void, size, p)
#define TPP_UCHAR_ARRAY(name, size, p) \
	TPP_CUSTOM_BYREF("unsigned char[" UE__I_STRINGIFY(size) "] " name, void, size, p)
#define TPP_STRUCT_PTR(name, type, size, p) \
	TPP_CUSTOM_BYREF("struct " type " " name " " UE__I_STRINGIFY(size), void, size, p)
/*
 * DECLARATION is in the kernel's notation, such as "u32 name". It does not contain __rel_loc, which
 * the last two macros add.
 */
#define TPP_CUSTOM_BYVAL(declaration, ctype, value) \
	UE__TPP_FIELD(ue__compat_value(ctype, value), declaration, (, ctype value))
#define TPP_CUSTOM_BYREF(declaration, ctype, size, p) \
	UE__TPP_FIELD(ue__compat_bytes(ctype, p, size), declaration, (, ctype const *p))
#define TPP_CUSTOM_REL_LOC(declaration, ctype, size, p) \
	UE__TPP_FIELD(ue__compat_loc(ctype, p, size), "__rel_loc " declaration, \
		      (, uint16_t size, ctype const *p))
#define TPP_CUSTOM_REL_LOC_STR(declaration, ctype, s) \
	UE__TPP_FIELD(ue__compat_loc_string(ctype, s), "__rel_loc " declaration, (, ctype const *s))

/* * ---- The site ---- */

/* Parameter for this field in the function of TPP_FUNCTION, with a comma before it. */
#define UE__TPP_FIELD(put, declaration, parameters) \
	(ue__compat, ue__i_field, put, , declaration ";", parameters)
#define UE__TPP_DECLARATION_ue__compat(at, put, no_id, declaration, parameters) declaration
#define UE__TPP_DECLARATION_ue__i_option(...)
#define UE__TPP_PARAMETERS_ue__compat(at, put, no_id, declaration, parameters) \
	UE__I_UNPACK parameters
#define UE__TPP_PARAMETERS_ue__i_option(...)
#define UE__COMPAT_PUT_ue__compat_loc(ctype, p, size) \
	UE__TPP_PUT_LOC ue__compat_put(&ue__data, UE__COMPAT_AS(ctype const *, p), \
				       UE__COMPAT_AS(size_t, size)),
#define UE__COMPAT_PUT_ue__compat_loc_string(ctype, s) \
	UE__TPP_PUT_LOC ue__compat_put_string(&ue__data, UE__COMPAT_AS(ctype const *, s), \
					      sizeof(ctype)),
#define UE__TPP_PUT_LOC \
	ue__compat_put(&ue__end, ue__locs + (ue__data - ue__datas), sizeof(uint32_t)),

#define UE__TPP_SITE(n, symbol, name, own, none, ...) \
	static ue__tpp_site ue__site = { \
		&own.ue__it, "" name " " UE__I_EACH_##n(UE__TPP_DECLARATION, __VA_ARGS__) }; \
	UE__COMPAT_LIST("ue_points_" UE__I_STRINGIFY(symbol), &ue__site); \
	if (ue_event_enabled(&own.ue__it)) { \
		struct iovec ue__tpp_pieces[2 * n + 1], ue__datas[n + 1]; \
		struct iovec *ue__end = ue__tpp_pieces, *ue__data = ue__datas; \
		uint32_t ue__locs[n + 1]; \
		UE__I_COLD_SITE; \
		UE__I_EACH_##n(UE__COMPAT_PUT, __VA_ARGS__) ue__error = ue__tpp_write( \
			&own.ue__it, ue__tpp_pieces, ue__end, ue__datas, ue__data, ue__locs); \
	}
#define UE__TPP_FUNCTION(n, symbol, name, function, none, ...) \
	static struct ue__tpp_event UE__I_CAT(ue__own_, function); \
	int UE__I_CAT(function, _enabled)(void); \
	int function UE__I_IN_PARENS(n, void, UE__I_EACH_##n(UE__TPP_PARAMETERS, __VA_ARGS__)); \
	int UE__I_CAT(function, _enabled)(void) \
	{ \
		return ue_event_enabled(&UE__I_CAT(ue__own_, function).ue__it); \
	} \
	int function UE__I_IN_PARENS(n, void, UE__I_EACH_##n(UE__TPP_PARAMETERS, __VA_ARGS__)) \
	{ \
		int ue__error = 0; \
		UE__TPP_SITE(n, symbol, name, UE__I_CAT(ue__own_, function), ~, __VA_ARGS__) \
		return ue__error; \
	}

/* * ---- Code called by the macros ---- */

UE__I_HEADER_BEGIN

struct UE__I_HIDDEN_TYPE ue__tpp_event {
	struct ue_event ue__it; /* a name that is unlikely to be a macro of a program */
};
typedef struct UE__I_HIDDEN_TYPE ue__tpp_site {
	struct ue_event *event;
	const char *spec;
} ue__tpp_site;

/*
 * Registers the sites. Sites that are already registered are skipped, as are duplicates in the
 * list.
 */
UE__I_FN __attribute__((__noinline__, __cold__))
int ue__tpp_register(ue__tpp_site *const *start, ue__tpp_site *const *stop)
{
	int error, first = 0;

	for (; start < stop; start++) {
		error = ue_event_register((*start)->event, (*start)->spec, 0);
		if (error != -EALREADY)
			first = first ? first : error;
	}
	return -first;
}

UE__I_FN __attribute__((__noinline__, __cold__))
void ue__tpp_unregister(ue__tpp_site *const *start, ue__tpp_site *const *stop)
{
	for (; start < stop; start++)
		ue_event_unregister((*start)->event);
}

/*
 * Writes an event. PIECES up to END are its fixed fields. DATA up to LAST follows the fixed fields,
 * and the LOCS among the fixed fields refer to DATA. PIECES has space for both. Returns 0 or an
 * errno.
 */
UE__I_FN __attribute__((__noinline__, __cold__))
int ue__tpp_write(struct ue_event *event, struct iovec *pieces, struct iovec *end,
				  struct iovec *data, struct iovec *last, uint32_t *locs)
{
	struct iovec *piece;
	size_t offset = 0; /* offset of the data from the end of its loc */

	for (piece = pieces; piece < end && data < last; piece++)
		offset += piece->iov_len;
	for (piece = pieces; data < last; piece++) {
		offset -= piece->iov_len;
		if (piece->iov_base != locs)
			continue;
		if (offset > 0xffff || data->iov_len > 0xffff)
			return E2BIG;
		*locs++ = UE__I_CAST(uint32_t, data->iov_len << 16 | offset);
		offset += data->iov_len;
		*end++ = *data++;
	}
	return ue__compat_write(event, pieces, UE__I_CAST(int, end - pieces));
}

UE__I_HEADER_END

#endif
