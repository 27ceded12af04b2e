/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The user_events.h authors */
/*
 * <tracepoint/tracepoint-provider.h> for programs written for LinuxTracepoints: they take the folder above as an
 * include path (-I.../compat), change nothing and link nothing.
 *
 *	TPP_DEFINE_PROVIDER(MyProvider);
 *	TPP_FUNCTION(MyProvider, "request_done", trace_done, TPP_INT32("status", status))
 *
 *	TPP_REGISTER_PROVIDER(MyProvider);
 *	TPP_WRITE(MyProvider, "request", TPP_STRING("path", path), TPP_UINT32("bytes", n));
 *	trace_done(200);
 *	TPP_UNREGISTER_PROVIDER(MyProvider);
 *
 * New code uses UE_TRACE() and UE_TRACEPOINT() of user_events.h: docs/eventheader.md tells what takes the place of
 * each macro.
 *
 * Each TPP_WRITE and TPP_FUNCTION is a tracepoint of ue_event_register(), with a file descriptor. Registering is not
 * async-signal-safe; no other thread may register or unregister the same provider then, nor write its events while
 * it is unregistered. Writing is thread-safe and async-signal-safe and leaves errno alone.
 */
#ifndef UE_COMPAT_TRACEPOINT_PROVIDER_H
#define UE_COMPAT_TRACEPOINT_PROVIDER_H
#ifndef UE__NO_SYSTEM_HEADER
#pragma GCC system_header
#endif

#include "../ue_compat.h"

#define TPP_DECLARE_PROVIDER(symbol) \
	UE__C_LINKAGE ue__tpp_site *const UE__CAT(__start_ue_points_, symbol)[] UE__COMPAT_HIDDEN; \
	UE__C_LINKAGE ue__tpp_site *const UE__CAT(__stop_ue_points_, symbol)[] UE__COMPAT_HIDDEN
#define TPP_DEFINE_PROVIDER(symbol) TPP_DECLARE_PROVIDER(symbol)

/* 0, or why a tracepoint could not be registered: ue_event_register() tells, and ue_status() in a sentence. */
#define TPP_REGISTER_PROVIDER(symbol) \
	ue__tpp_register(UE__CAT(__start_ue_points_, symbol), UE__CAT(__stop_ue_points_, symbol))
#define TPP_UNREGISTER_PROVIDER(symbol) \
	ue__tpp_unregister(UE__CAT(__start_ue_points_, symbol), UE__CAT(__stop_ue_points_, symbol))

/*
 * An expression: 0, also when nobody listens, or an errno of ue_event_writev(). Names are string literals that hold
 * identifiers. Values are evaluated only when somebody listens, once, in order.
 */
#define TPP_WRITE(symbol, ...) \
	__extension__({ \
		static struct ue__tpp_event ue__own; \
		UE__TPP_SITE(UE__COMPAT_COUNT(__VA_ARGS__), symbol, ue__own, __VA_ARGS__, \
			     UE__COMPAT_FILL(UE__TPP_NOTHING)) \
		ue__error; \
	})

/* Defines function(values...), which is TPP_WRITE(), and function_enabled(). */
#define TPP_FUNCTION(symbol, name, ...) \
	UE__TPP_FUNCTION(UE__COMPAT_COUNT(__VA_ARGS__), symbol, name, __VA_ARGS__, UE__COMPAT_FILL(UE__TPP_NOTHING))

#define TPP_UINT8(name, value) TPP_CUSTOM_BYVAL("u8 " name, uint8_t, value)
#define TPP_INT8(name, value) TPP_CUSTOM_BYVAL("s8 " name, int8_t, value)
#define TPP_UINT16(name, value) TPP_CUSTOM_BYVAL("u16 " name, uint16_t, value)
#define TPP_INT16(name, value) TPP_CUSTOM_BYVAL("s16 " name, int16_t, value)
#define TPP_UINT32(name, value) TPP_CUSTOM_BYVAL("u32 " name, uint32_t, value)
#define TPP_INT32(name, value) TPP_CUSTOM_BYVAL("s32 " name, int32_t, value)
#define TPP_UINT64(name, value) TPP_CUSTOM_BYVAL("u64 " name, uint64_t, value)
#define TPP_INT64(name, value) TPP_CUSTOM_BYVAL("s64 " name, int64_t, value)
#if __SIZEOF_POINTER__ == 8
#define TPP_UINTPTR TPP_UINT64
#define TPP_INTPTR TPP_INT64
#else
#define TPP_UINTPTR TPP_UINT32
#define TPP_INTPTR TPP_INT32
#endif
/* SIZE is an integer literal. NULL is "" for TPP_STRING. */
#define TPP_STRING(name, s) TPP_CUSTOM_REL_LOC_STR("char[] " name, char, s)
#define TPP_CHAR_ARRAY(name, size, p) TPP_CUSTOM_BYREF("char[" UE__STRINGIFY_EACH(size) "] " name, void, size, p)
#define TPP_UCHAR_ARRAY(name, size, p) \
	TPP_CUSTOM_BYREF("unsigned char[" UE__STRINGIFY_EACH(size) "] " name, void, size, p)
#define TPP_STRUCT_PTR(name, type, size, p) \
	TPP_CUSTOM_BYREF("struct " type " " name " " UE__STRINGIFY_EACH(size), void, size, p)
/* DECLARATION is in the kernel's notation, "u32 name"; without __rel_loc, which the last two add. */
#define TPP_CUSTOM_BYVAL(declaration, ctype, value) (VALUE, declaration ";", ctype, ~, value)
#define TPP_CUSTOM_BYREF(declaration, ctype, size, p) (REFERENCE, declaration ";", ctype, size, p)
#define TPP_CUSTOM_REL_LOC(declaration, ctype, size, p) (LOC, "__rel_loc " declaration ";", ctype, size, p)
#define TPP_CUSTOM_REL_LOC_STR(declaration, ctype, s) (STRING, "__rel_loc " declaration ";", ctype, ~, s)

/* * ---- The site ---- */

#define UE__TPP_NOTHING (NONE, , ~, ~, ~)
#define UE__TPP_SPEC(at, field) UE__TPP_SPEC_ field
#define UE__TPP_SPEC_(kind, declaration, ctype, size, value) declaration
#define UE__TPP_PUT(at, field) UE__TPP_PUT_ field
#define UE__TPP_PUT_(kind, declaration, ctype, size, value) UE__TPP_PUT_##kind(ctype, size, value)
#define UE__TPP_PUT_NONE(ctype, size, value)
#define UE__TPP_PUT_VALUE(ctype, size, value) \
	ue__tpp_put(&ue__out, UE__COMPAT_ADDRESS(ctype, value), sizeof(ctype)),
#define UE__TPP_PUT_REFERENCE(ctype, size, p) ue__tpp_put(&ue__out, UE__COMPAT_AS(ctype const *, p), size),
#define UE__TPP_PUT_LOC(ctype, size, p) ue__tpp_put_loc(&ue__out, UE__COMPAT_AS(ctype const *, p), size),
#define UE__TPP_PUT_STRING(ctype, size, s) ue__tpp_put_string(&ue__out, UE__COMPAT_AS(ctype const *, s)),
#define UE__TPP_PARAMETER(at, field) UE__TPP_PARAMETER_ field
#define UE__TPP_PARAMETER_(kind, declaration, ctype, size, name) UE__TPP_PARAMETER_##kind(ctype, size, name)
#define UE__TPP_PARAMETER_NONE(ctype, size, name)
#define UE__TPP_PARAMETER_VALUE(ctype, size, name) , ctype name
#define UE__TPP_PARAMETER_REFERENCE(ctype, size, name) , ctype const *name
#define UE__TPP_PARAMETER_LOC(ctype, size, name) , uint16_t size, ctype const *name
#define UE__TPP_PARAMETER_STRING(ctype, size, name) , ctype const *name
/* the parameters, each behind a comma, without the first comma; void for none */
#define UE__TPP_LIST(each, first, ...) UE__CAT(UE__TPP_LIST_, UE__TPP_KIND first)(each, first, __VA_ARGS__)
#define UE__TPP_KIND(kind, declaration, ctype, size, name) kind
#define UE__TPP_LIST_NONE(...) void
#define UE__TPP_LIST_VALUE(each, ...) UE__COMPAT_CALL(UE__TPP_STRIP, (~each(UE__TPP_PARAMETER, __VA_ARGS__)))
#define UE__TPP_LIST_REFERENCE UE__TPP_LIST_VALUE
#define UE__TPP_LIST_LOC UE__TPP_LIST_VALUE
#define UE__TPP_LIST_STRING UE__TPP_LIST_VALUE
#define UE__TPP_STRIP(none, ...) __VA_ARGS__

#define UE__TPP_SITE(n, symbol, own, ...) UE__TPP_SITE_1(n, UE__CAT(UE__COMPAT_EACH_, n), symbol, own, __VA_ARGS__)
#define UE__TPP_SITE_1(n, each, symbol, own, name, ...) \
	static ue__tpp_site ue__site = { &own.ue__it, "" name " " each(UE__TPP_SPEC, __VA_ARGS__) }; \
	int ue__error = 0; \
	UE__COMPAT_LIST("ue_points_" UE__STRINGIFY_EACH(symbol), &ue__site); \
	if (ue_event_enabled(&own.ue__it)) { \
		struct iovec ue__pieces[2 * n + 1], ue__data[n + 1]; \
		uint32_t ue__locs[n + 1]; \
		struct ue__tpp_out ue__out = { ue__pieces, ue__data, ue__locs, 0 }; \
		UE__COLD_SITE; \
		each(UE__TPP_PUT, __VA_ARGS__) ue__error = \
			ue__tpp_write(&own.ue__it, &ue__out, ue__pieces, ue__data, ue__locs); \
	}
#define UE__TPP_FUNCTION(n, symbol, name, function, ...) \
	UE__TPP_FUNCTION_(n, UE__CAT(UE__COMPAT_EACH_, n), symbol, name, function, __VA_ARGS__)
#define UE__TPP_FUNCTION_(n, each, symbol, name, function, ...) \
	static struct ue__tpp_event UE__CAT(ue__own_, function); \
	int UE__CAT(function, _enabled)(void); \
	int function(UE__TPP_LIST(each, __VA_ARGS__)); \
	int UE__CAT(function, _enabled)(void) \
	{ \
		return ue_event_enabled(&UE__CAT(ue__own_, function).ue__it); \
	} \
	int function(UE__TPP_LIST(each, __VA_ARGS__)) \
	{ \
		UE__TPP_SITE_1(n, each, symbol, UE__CAT(ue__own_, function), name, __VA_ARGS__) \
		return ue__error; \
	}

/* * ---- What the macros make, and call ---- */

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"
#ifdef __cplusplus
#pragma GCC diagnostic ignored "-Wold-style-cast"
extern "C++" {
#endif

struct UE__HIDDEN_TYPE ue__tpp_event {
	struct ue_event ue__it; /* a name that is no macro of a program */
};
typedef struct UE__HIDDEN_TYPE ue__tpp_site {
	struct ue_event *event;
	const char *spec;
} ue__tpp_site;

/* An event's pieces: the fixed fields, and behind them what the locs among those refer to. */
struct ue__tpp_out {
	struct iovec *fixed, *data; /* where the next ones go */
	uint32_t *loc;		    /* the next loc: until the event is written, its place in the event */
	size_t size;		    /* of the fixed fields */
};

/* Registers the sites. One that is in the list twice, or was registered before, is registered already. */
UE__AWAY int ue__tpp_register(ue__tpp_site *const *start, ue__tpp_site *const *stop)
{
	int error, first = 0;

	for (; start < stop; start++) {
		error = ue_event_register((*start)->event, (*start)->spec, 0);
		if (error != -EALREADY)
			first = first ? first : error;
	}
	return -first;
}

UE__AWAY void ue__tpp_unregister(ue__tpp_site *const *start, ue__tpp_site *const *stop)
{
	for (; start < stop; start++)
		ue_event_unregister((*start)->event);
}

UE__FN void ue__tpp_put(struct ue__tpp_out *out, const void *data, size_t size)
{
	ue__compat_put(&out->fixed, data, size);
	out->size += size;
}

UE__FN void ue__tpp_put_loc(struct ue__tpp_out *out, const void *data, size_t size)
{
	*out->loc = UE__U32(out->size);
	ue__tpp_put(out, out->loc++, sizeof(*out->loc));
	ue__compat_put(&out->data, data, size);
}

UE__FN void ue__tpp_put_string(struct ue__tpp_out *out, const void *string)
{
	const char *s = string ? (const char *)string : "";

	ue__tpp_put_loc(out, s, strlen(s) + 1);
}

/* Writes an event. OUT went through the arrays that begin at FIXED, DATA and LOC. Returns 0 or an errno. */
UE__AWAY int ue__tpp_write(struct ue_event *event, struct ue__tpp_out *out, struct iovec *fixed,
			   struct iovec *data, uint32_t *loc)
{
	size_t end = out->size, offset;

	for (; loc < out->loc; loc++, data++) {
		offset = end - *loc - sizeof(*loc);
		if (offset > 0xffff || data->iov_len > 0xffff)
			return E2BIG;
		*loc = UE__U32(data->iov_len << 16 | offset);
		*out->fixed++ = *data;
		end += data->iov_len;
	}
	return ue__compat_write(event, fixed, UE__INT(out->fixed - fixed));
}

#ifdef __cplusplus
}
#endif
#pragma GCC diagnostic pop

#endif
