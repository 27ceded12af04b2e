/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The user_events.h authors */
/*
 * Shared code of the headers in this directory: values as pieces of an event, the list of sites,
 * and the write. Programs include those headers, not this one.
 */
#ifndef UE_COMPAT_H
#define UE_COMPAT_H
#ifndef UE__I_NO_SYSTEM_HEADER
#pragma GCC system_header
#endif

#if __has_include("../user_events.h")
#include "../user_events.h"
#else /* installed */
#include <user_events.h>
#endif
#include <sys/uio.h>

#ifndef __cplusplus
#include <uchar.h>
#endif
UE__I_HEADER_BEGIN

/* * ---- Fields ---- */

/*
 * Returns the address of a value, which is converted as by an assignment. The address stays valid
 * until the event is written: in C until the end of the block, and in C++ until the end of the full
 * expression.
 */
#ifdef __cplusplus
template <class ue__Ctype> UE__I_FN const ue__Ctype *ue__compat_address(const ue__Ctype &value)
{
	return &value;
}
#define UE__COMPAT_ADDRESS(type, value) ue__compat_address<type>(value)
#else
#define UE__COMPAT_ADDRESS(type, value) ((type const[1]){ value })
#endif
#define UE__COMPAT_AS(type, value) (*UE__COMPAT_ADDRESS(type, value))

/*
 * An argument is a tuple as in user_events.h (see "Items" there): (ue__compat, ue__i_field, put, ,
 * ...). PUT converts the value to pieces of the event. In the tuple, PUT is the call of a macro
 * UE__COMPAT_PUT_... without this prefix, or empty. The core pads a list to a multiple of eight
 * with ue__i_option.
 */
#define UE__COMPAT_PUT_ue__i_option(...)
#define UE__COMPAT_PUT_ue__compat(at, put, ...) UE__COMPAT_PUT_##put
#define UE__COMPAT_PUT_
#define UE__COMPAT_PUT_ue__compat_value(ctype, value) \
	ue__compat_put(&ue__end, UE__COMPAT_ADDRESS(ctype, value), sizeof(ctype)),
#define UE__COMPAT_PUT_ue__compat_bytes(ctype, p, size) \
	ue__compat_put(&ue__end, UE__COMPAT_AS(ctype const *, p), UE__COMPAT_AS(size_t, size)),
#define UE__COMPAT_PUT_ue__compat_string(ctype, s) \
	ue__compat_put_string(&ue__end, UE__COMPAT_AS(ctype const *, s), sizeof(ctype)),
#define UE__COMPAT_PUT_ue__compat_counted(ctype, p, n) \
	UE__COMPAT_PUT_ue__compat_sized(ctype, p, n, sizeof(ctype))
#define UE__COMPAT_PUT_ue__compat_sized(ctype, p, n, unit) \
	ue__compat_put_counted(&ue__end, UE__COMPAT_AS(ctype const *, p), \
			       UE__COMPAT_ADDRESS(uint16_t, n), unit),

/*
 * Expands to SITE(n, symbol, name, a, b, items...), with the arguments before the fields and an
 * item for each of up to 64 fields.
 */
#define UE__COMPAT_SITE(site, n, ...) UE__COMPAT_SITE_(site, n, __VA_ARGS__)
#define UE__COMPAT_SITE_(site, n, symbol, name, a, b, ...) \
	UE__I_SECOND_OF(UE__COMPAT_SITE_##n, site, ~) \
		(n, symbol, name, a, b, UE__I_ITEMS_##n(_, __VA_ARGS__))
#define UE__COMPAT_SITE_99 ~, UE__COMPAT_TOO_MANY
#define UE__COMPAT_TOO_MANY(...) \
	UE__I_STATIC_ASSERT(0, "user_events.h: an event has over 64 arguments: split it, " \
			     "or use the builder");

/* * ---- Sites ---- */

/*
 * Places a pointer to OBJECT between __start_SECTION and __stop_SECTION. The same pointer may occur
 * more than once, because the compiler may copy an inline function.
 */
#ifdef UE_DISABLE
#define UE__COMPAT_LIST(section, object) ((void)(object))
#else
#define UE__COMPAT_LIST(section, object) \
	__asm__ volatile(UE__I_ENTRY_IN(section) : : [ue_event] UE__I_PLACE_OF(object))
#endif
#define UE__COMPAT_DECLARE(type, section) \
	UE__I_C_LINKAGE type *const UE__I_CAT(__start_, section)[] \
		__attribute__((__weak__, __visibility__("hidden"))); \
	UE__I_C_LINKAGE type *const UE__I_CAT(__stop_, section)[] \
		__attribute__((__weak__, __visibility__("hidden")))
/* Expands to two arguments: the bounds of the pointers that UE__COMPAT_LIST() placed in SECTION. */
#ifdef UE_DISABLE
#define UE__COMPAT_BOUNDS(section) UE__I_CAT(__start_, section), UE__I_CAT(__stop_, section)
#else
#define UE__COMPAT_BOUNDS(section) \
	__extension__({ \
		UE__I_HIDE_BOUNDS(UE__I_STRINGIFY(section)); \
		UE__I_CAT(__start_, section); \
	}), UE__I_CAT(__stop_, section)
#endif

UE__I_FN void ue__compat_put(struct iovec **end, const void *data, size_t size)
{
	struct iovec *piece = (*end)++;

	piece->iov_base = (void *)(uintptr_t)data;
	piece->iov_len = size;
}

/* Appends the string S of units of UNIT bytes, up to its zero unit. NULL is recorded as "". */
UE__I_FN void ue__compat_put_string(struct iovec **end, const void *s, size_t unit)
{
	static const uint32_t zero = 0;
	size_t size = 0;

	s = s ? s : &zero;
	if (unit == 1)
		size = strlen((const char *)s);
	else
		while (memcmp((const char *)s + size, &zero, unit) != 0)
			size += unit;
	ue__compat_put(end, s, size + unit);
}

UE__I_FN void ue__compat_put_counted(struct iovec **end, const void *p, const uint16_t *count,
				   size_t unit)
{
	ue__compat_put(end, count, sizeof(*count));
	ue__compat_put(end, p, *count * unit);
}

/*
 * Writes an event of COUNT pieces. Joins small pieces, because each piece costs time in the kernel.
 * Returns 0 or an errno.
 */
UE__I_FN __attribute__((__noinline__, __cold__))
int ue__compat_write(struct ue_event *event, const struct iovec *pieces,
	int count)
{
	unsigned char bytes[UE_INLINE_BYTES], *p = bytes;
	size_t size = 0;
	int i;

	for (i = 0; i < count; i++)
		size += pieces[i].iov_len;
	if (size > sizeof(bytes))
		return -ue_event_writev(event, pieces, count);
	for (i = 0; i < count; i++) {
		if (pieces[i].iov_len)
			memcpy(p, pieces[i].iov_base, pieces[i].iov_len);
		p += pieces[i].iov_len;
	}
	return -ue_event_write(event, bytes, size);
}

UE__I_HEADER_END

#endif
