/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The user_events.h authors */
/*
 * What the headers in this folder have in common: lists of macro arguments, values as pieces of an event,
 * and the write. Programs include those headers, not this one.
 */
#ifndef UE_COMPAT_H
#define UE_COMPAT_H
#ifndef UE__NO_SYSTEM_HEADER
#pragma GCC system_header
#endif

#if __has_include("../user_events.h")
#include "../user_events.h"
#else /* installed */
#include <user_events.h>
#endif
#include <sys/uio.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes" /* inline and noinline: the one is linkage */
#ifdef __cplusplus
#pragma GCC diagnostic ignored "-Wold-style-cast"
extern "C++" {
#else
#include <uchar.h>
#endif

/* * ---- Lists ---- */

/*
 * UE__COMPAT_COUNT() counts the arguments behind the first one: 0 to 10, or else the next multiple of ten.
 * UE__COMPAT_EACH_n(op, arguments..., UE__COMPAT_FILL(filler)) is op(position, argument) for each; a multiple of
 * ten is filled up with the filler.
 */
#define UE__COMPAT_TEN(x) x, x, x, x, x, x, x, x, x, x
#define UE__COMPAT_FILL(filler) UE__COMPAT_TEN(filler)
#define UE__COMPAT_COUNT(...) \
	UE__COMPAT_CALL(UE__COMPAT_COUNT_, (__VA_ARGS__, UE__COMPAT_TEN(100), UE__COMPAT_TEN(90), UE__COMPAT_TEN(80), \
					    UE__COMPAT_TEN(70), UE__COMPAT_TEN(60), UE__COMPAT_TEN(50), \
					    UE__COMPAT_TEN(40), UE__COMPAT_TEN(30), UE__COMPAT_TEN(20), 10, 9, \
					    8, 7, 6, 5, 4, 3, 2, 1, 0, ~))
#define UE__COMPAT_CALL(macro, arguments) macro arguments
#define UE__COMPAT_COUNT_(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, \
			  a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, a34, a35, a36, \
			  a37, a38, a39, a40, a41, a42, a43, a44, a45, a46, a47, a48, a49, a50, a51, a52, a53, \
			  a54, a55, a56, a57, a58, a59, a60, a61, a62, a63, a64, a65, a66, a67, a68, a69, a70, \
			  a71, a72, a73, a74, a75, a76, a77, a78, a79, a80, a81, a82, a83, a84, a85, a86, a87, \
			  a88, a89, a90, a91, a92, a93, a94, a95, a96, a97, a98, a99, a100, n, ...) \
	n

#define UE__COMPAT_EACH_0(op, ...)
#define UE__COMPAT_EACH_1(op, a, ...) op(0, a)
#define UE__COMPAT_EACH_2(op, a, b, ...) op(0, a) op(1, b)
#define UE__COMPAT_EACH_3(op, a, b, c, ...) op(0, a) op(1, b) op(2, c)
#define UE__COMPAT_EACH_4(op, a, b, c, d, ...) op(0, a) op(1, b) op(2, c) op(3, d)
#define UE__COMPAT_EACH_5(op, a, b, c, d, e, ...) op(0, a) op(1, b) op(2, c) op(3, d) op(4, e)
#define UE__COMPAT_EACH_6(op, a, b, c, d, e, f, ...) \
	op(0, a) op(1, b) op(2, c) op(3, d) op(4, e) op(5, f)
#define UE__COMPAT_EACH_7(op, a, b, c, d, e, f, g, ...) \
	op(0, a) op(1, b) op(2, c) op(3, d) op(4, e) op(5, f) op(6, g)
#define UE__COMPAT_EACH_8(op, a, b, c, d, e, f, g, h, ...) \
	op(0, a) op(1, b) op(2, c) op(3, d) op(4, e) op(5, f) op(6, g) op(7, h)
#define UE__COMPAT_EACH_9(op, a, b, c, d, e, f, g, h, i, ...) \
	op(0, a) op(1, b) op(2, c) op(3, d) op(4, e) op(5, f) op(6, g) op(7, h) op(8, i)
#define UE__COMPAT_EACH_10(op, a, b, c, d, e, f, g, h, i, j, ...) \
	op(0, a) op(1, b) op(2, c) op(3, d) op(4, e) op(5, f) op(6, g) op(7, h) op(8, i) op(9, j)
#define UE__COMPAT_EACH_TEN(op, at, a, b, c, d, e, f, g, h, i, j) \
	op(at##0, a) op(at##1, b) op(at##2, c) op(at##3, d) op(at##4, e) op(at##5, f) op(at##6, g) \
	op(at##7, h) op(at##8, i) op(at##9, j)
#define UE__COMPAT_EACH_20(op, a, b, c, d, e, f, g, h, i, j, ...) \
	UE__COMPAT_EACH_TEN(op, 1, a, b, c, d, e, f, g, h, i, j) UE__COMPAT_EACH_10(op, __VA_ARGS__)
#define UE__COMPAT_EACH_30(op, a, b, c, d, e, f, g, h, i, j, ...) \
	UE__COMPAT_EACH_TEN(op, 2, a, b, c, d, e, f, g, h, i, j) UE__COMPAT_EACH_20(op, __VA_ARGS__)
#define UE__COMPAT_EACH_40(op, a, b, c, d, e, f, g, h, i, j, ...) \
	UE__COMPAT_EACH_TEN(op, 3, a, b, c, d, e, f, g, h, i, j) UE__COMPAT_EACH_30(op, __VA_ARGS__)
#define UE__COMPAT_EACH_50(op, a, b, c, d, e, f, g, h, i, j, ...) \
	UE__COMPAT_EACH_TEN(op, 4, a, b, c, d, e, f, g, h, i, j) UE__COMPAT_EACH_40(op, __VA_ARGS__)
#define UE__COMPAT_EACH_60(op, a, b, c, d, e, f, g, h, i, j, ...) \
	UE__COMPAT_EACH_TEN(op, 5, a, b, c, d, e, f, g, h, i, j) UE__COMPAT_EACH_50(op, __VA_ARGS__)
#define UE__COMPAT_EACH_70(op, a, b, c, d, e, f, g, h, i, j, ...) \
	UE__COMPAT_EACH_TEN(op, 6, a, b, c, d, e, f, g, h, i, j) UE__COMPAT_EACH_60(op, __VA_ARGS__)
#define UE__COMPAT_EACH_80(op, a, b, c, d, e, f, g, h, i, j, ...) \
	UE__COMPAT_EACH_TEN(op, 7, a, b, c, d, e, f, g, h, i, j) UE__COMPAT_EACH_70(op, __VA_ARGS__)
#define UE__COMPAT_EACH_90(op, a, b, c, d, e, f, g, h, i, j, ...) \
	UE__COMPAT_EACH_TEN(op, 8, a, b, c, d, e, f, g, h, i, j) UE__COMPAT_EACH_80(op, __VA_ARGS__)
#define UE__COMPAT_EACH_100(op, a, b, c, d, e, f, g, h, i, j, ...) \
	UE__COMPAT_EACH_TEN(op, 9, a, b, c, d, e, f, g, h, i, j) UE__COMPAT_EACH_90(op, __VA_ARGS__)

/* * ---- Values ---- */

/*
 * UE__COMPAT_AS() converts a value as an assignment does; UE__COMPAT_ADDRESS() is the address of the result, which
 * stays until the event is written: to the end of the block in C, of the full expression in C++.
 */
#ifdef __cplusplus
template <class ue__T> UE__FN ue__T ue__compat_as(ue__T value)
{
	return value;
}
template <class ue__T> UE__FN const ue__T *ue__compat_address(const ue__T &value)
{
	return &value;
}
#define UE__COMPAT_AS(type, value) ue__compat_as<type>(value)
#define UE__COMPAT_ADDRESS(type, value) ue__compat_address<type>(value)
#else
#define UE__COMPAT_AS(type, value) (((type const[1]){ value })[0])
#define UE__COMPAT_ADDRESS(type, value) ((type const[1]){ value })
#endif

/* * ---- Sites ---- */

/*
 * Places a pointer to OBJECT between __start_SECTION and __stop_SECTION. The same pointer may be there more than
 * once: of an inline function's copies.
 */
#ifdef UE_DISABLE
#define UE__COMPAT_LIST(section, object) ((void)(object))
#else
#define UE__COMPAT_LIST(section, object) \
	__asm__ volatile(".pushsection " section ",\"aw" UE__RETAIN "?\"\n" \
			 ".balign " UE__STRINGIFY_EACH(__SIZEOF_POINTER__) "\n" \
			 UE__ADDRESS UE__SYMBOL "[ue_object]\n" \
			 ".popsection\n" \
			 : \
			 : [ue_object] UE__PLACE_OF(object))
#endif
#define UE__COMPAT_HIDDEN __attribute__((__weak__, __visibility__("hidden")))

UE__FN void ue__compat_put(struct iovec **end, const void *data, size_t size)
{
	struct iovec *piece = (*end)++;

	piece->iov_base = (void *)(uintptr_t)data;
	piece->iov_len = size;
}

/* Writes an event of COUNT pieces; as one if they are small, since each costs the kernel time. Returns 0 or an errno. */
UE__AWAY int ue__compat_write(struct ue_event *event, const struct iovec *pieces, int count)
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

#ifdef __cplusplus
}
#endif
#pragma GCC diagnostic pop

#endif
