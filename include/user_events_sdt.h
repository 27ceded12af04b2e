/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The user_events.h authors */
/*
 * user_events_sdt.h - the macros of SystemTap's <sys/sdt.h>, without SystemTap.
 *
 * The macros define USDT probes for bpftrace, perf, SystemTap, bcc and uetrace. The program chooses
 * the provider and the name.
 *
 *	DTRACE_PROBE(provider, name)
 *	DTRACE_PROBE1(provider, name, a) ... DTRACE_PROBE12(provider, name, a, ... l)
 *	STAP_PROBE(provider, name), STAP_PROBE1(...) ... STAP_PROBE12(...)
 *	STAP_PROBE_ASM(provider, name, operands)
 *
 * STAP_PROBE_ASM() expands to a string literal for an asm statement, which places a probe between
 * other instructions. OPERANDS are assembly text, and may be empty:
 *
 *	asm("before\n" STAP_PROBE_ASM(provider, name, -4@%eax 8@4(%rsi)) "after");
 *
 * Include this header instead of <sys/sdt.h>. PROVIDER and NAME are identifiers. An argument is any
 * expression of a number, enumeration, pointer or array type. Tracers receive the size, the
 * signedness and the value of an argument. For a float, the value is the bit pattern. For an array,
 * the value is the address.
 *
 * If UE_SDT_USER_EVENTS is defined before the include, each probe also writes the event
 * user_events:PROVIDER__NAME. Its fields are arg0, arg1 and so on, each a 64-bit integer (s64).
 * Strings are recorded as addresses.
 *
 * Like probes of <sys/sdt.h> without semaphores, a probe is a nop whose arguments are always
 * evaluated, even if no tracer is attached. UE_TRACE() costs less, names its fields, and also
 * writes a user_events event (docs/usdt.md).
 *
 * The macros are thread-safe and async-signal-safe. With UE_DISABLE or UE_NO_USDT, they only
 * evaluate their arguments. user_events.h must be in the same directory.
 */
#ifndef USER_EVENTS_SDT_H
#define USER_EVENTS_SDT_H
#pragma GCC system_header

#include "user_events.h"

#ifdef DTRACE_PROBE
#error "user_events_sdt.h: <sys/sdt.h> is already included; include only one of them"
#endif
#ifdef _SDT_HAS_SEMAPHORES
#error "user_events_sdt.h has no semaphores: use ue-dtrace to generate a header from the .d file"
#endif

#define STAP_PROBE(provider, name) UE__SDT(0, 0, provider, name, ~)
#define STAP_PROBE1(provider, name, a) UE__SDT(1, 1, provider, name, ~, UE__SDT_1(a))
#define STAP_PROBE2(provider, name, a, b) UE__SDT(2, 2, provider, name, ~, UE__SDT_2(a, b))
#define STAP_PROBE3(provider, name, a, b, c) UE__SDT(3, 3, provider, name, ~, UE__SDT_3(a, b, c))
#define STAP_PROBE4(provider, name, a, b, c, d) \
	UE__SDT(4, 4, provider, name, ~, UE__SDT_4(a, b, c, d))
#define STAP_PROBE5(provider, name, a, b, c, d, e) \
	UE__SDT(5, 5, provider, name, ~, UE__SDT_4(a, b, c, d), UE__SDT_1(e))
#define STAP_PROBE6(provider, name, a, b, c, d, e, f) \
	UE__SDT(6, 6, provider, name, ~, UE__SDT_4(a, b, c, d), UE__SDT_2(e, f))
#define STAP_PROBE7(provider, name, a, b, c, d, e, f, g) \
	UE__SDT(7, 7, provider, name, ~, UE__SDT_4(a, b, c, d), UE__SDT_3(e, f, g))
#define STAP_PROBE8(provider, name, a, b, c, d, e, f, g, h) \
	UE__SDT(8, 8, provider, name, ~, UE__SDT_4(a, b, c, d), UE__SDT_4(e, f, g, h))
#define STAP_PROBE9(provider, name, a, b, c, d, e, f, g, h, i) \
	UE__SDT(9, 16, provider, name, ~, UE__SDT_4(a, b, c, d), UE__SDT_4(e, f, g, h), \
		UE__SDT_1(i))
#define STAP_PROBE10(provider, name, a, b, c, d, e, f, g, h, i, j) \
	UE__SDT(10, 16, provider, name, ~, UE__SDT_4(a, b, c, d), UE__SDT_4(e, f, g, h), \
		UE__SDT_2(i, j))
#define STAP_PROBE11(provider, name, a, b, c, d, e, f, g, h, i, j, k) \
	UE__SDT(11, 16, provider, name, ~, UE__SDT_4(a, b, c, d), UE__SDT_4(e, f, g, h), \
		UE__SDT_3(i, j, k))
#define STAP_PROBE12(provider, name, a, b, c, d, e, f, g, h, i, j, k, l) \
	UE__SDT(12, 16, provider, name, ~, UE__SDT_4(a, b, c, d), UE__SDT_4(e, f, g, h), \
		UE__SDT_4(i, j, k, l))

#define DTRACE_PROBE STAP_PROBE
#define DTRACE_PROBE1 STAP_PROBE1
#define DTRACE_PROBE2 STAP_PROBE2
#define DTRACE_PROBE3 STAP_PROBE3
#define DTRACE_PROBE4 STAP_PROBE4
#define DTRACE_PROBE5 STAP_PROBE5
#define DTRACE_PROBE6 STAP_PROBE6
#define DTRACE_PROBE7 STAP_PROBE7
#define DTRACE_PROBE8 STAP_PROBE8
#define DTRACE_PROBE9 STAP_PROBE9
#define DTRACE_PROBE10 STAP_PROBE10
#define DTRACE_PROBE11 STAP_PROBE11
#define DTRACE_PROBE12 STAP_PROBE12

/*
 * Implementation. Converts an argument, which can be any expression, to a tuple of class
 * ue__i_bare.
 */
#ifdef __cplusplus
UE__I_BEGIN
template <class ue__Ctype> UE__I_FN ue__Ctype ue__decayed(ue__Ctype value)
{
	return value;
}
UE__I_END
#define UE__SDT_1(a) (ue__i_bare, ue__i_field, "", "", , , ue__decayed(a))
#else
#define UE__SDT_1(a) (ue__i_bare, ue__i_field, "", "", , , ((void)0, a))
#endif
#define UE__SDT_2(a, b) UE__SDT_1(a), UE__SDT_1(b)
#define UE__SDT_3(a, b, c) UE__SDT_2(a, b), UE__SDT_1(c)
#define UE__SDT_4(a, b, c, d) UE__SDT_2(a, b), UE__SDT_2(c, d)

/*
 * Expands to a probe with COUNT arguments. The argument list is padded with placeholders to N
 * items, as explained in the chapter "Lists" of user_events.h.
 */
#define UE__SDT(count, n, provider, name, ...) \
	UE__SDT_SITE(count, n, #provider, #name, provider##__##name, \
		     UE__I_ITEMS_##n(_, __VA_ARGS__))
#define UE__SDT_SITE(count, n, provider, name, event, ...) \
	do { \
		UE__I_EACH_##n(UE__I_DECLARE, __VA_ARGS__) \
		UE__I_EACH_##n(UE__SDT_CHECK, __VA_ARGS__) \
		UE__I_RUN(n, (UE__SDT_EMIT(count, n, provider, name, __VA_ARGS__); \
			      UE__SDT_EVENT(count, n, event, __VA_ARGS__)), __VA_ARGS__) \
	} while (0)
/* Operation UE__SDT_CHECK: checks the type of an argument. */
#define UE__SDT_CHECK_ue__i_bare(at, ...) \
	UE__I_STATIC_ASSERT(UE__I_TYPE_AT(at) != UE__I_T_NO_FIELD, \
			  "user_events_sdt.h: a probe argument must be a number, a pointer " \
			  "or an array; for a struct or union, pass its address");
#define UE__SDT_CHECK_ue__i_option(...)

/*
 * Defined as 1 if char or wchar_t is signed. <sys/sdt.h> records characters as signed on such
 * machines, but characters in event fields are unsigned.
 */
#ifdef __CHAR_UNSIGNED__
#define UE__SDT_CHAR 0
#else
#define UE__SDT_CHAR 1
#endif
#ifdef __WCHAR_UNSIGNED__
#define UE__SDT_WCHAR 0
#else
#define UE__SDT_WCHAR 1
#endif
#ifdef __cplusplus
UE__I_BEGIN
template <class ue__Ctype> struct ue__sdt_sign { enum { ue__is = 0 }; };
template <> struct ue__sdt_sign<char> { enum { ue__is = UE__SDT_CHAR }; };
template <> struct ue__sdt_sign<wchar_t> { enum { ue__is = UE__SDT_WCHAR }; };
UE__I_END
#define UE__SDT_SIGN(x) UE__I_CAST(int, ue__sdt_sign<decltype(x)>::ue__is)
#else
#define UE__SDT_SIGN(x) (UE__SDT_CHAR && __builtin_types_compatible_p(__typeof__(x), char))
#endif

#if defined(UE_DISABLE) || defined(UE_NO_USDT)
#define STAP_PROBE_ASM(provider, name, ...) ""
#define UE__SDT_EMIT(count, n, provider, name, ...) UE__I_EACH_##n(UE__SDT_IGNORE, __VA_ARGS__)
#define UE__SDT_IGNORE_ue__i_bare(at, ...) (void)UE__I_VALUE_AT(at);
#define UE__SDT_IGNORE_ue__i_option(...)
#else
#define UE__SDT_NAMES(provider, name) \
	UE__I_ADDRESS "0\n.asciz \"" provider "\"\n.asciz \"" name "\"\n"
#define STAP_PROBE_ASM(provider, name, ...) \
	UE__I_USDT_BEGIN(UE__SDT_NAMES(#provider, #name)) #__VA_ARGS__ UE__I_USDT_END
#define UE__SDT_EMIT(count, n, provider, name, ...) \
	UE__SDT_ASM(count, provider, name, \
		    UE__I_EACH_##n(UE__SDT_OPERANDS, __VA_ARGS__))
#define UE__SDT_OPERANDS_ue__i_bare(at, string, id, as, tag, x) \
	UE__I_USDT_OPERANDS(UE__I_USDT_SIZE(UE__I_CAST(uint32_t, UE__I_TYPE_AT(at))) * \
				    (UE__SDT_SIGN(x) ? -1 : 1), UE__I_VALUE_AT(at))
#define UE__SDT_OPERANDS_ue__i_option(...)
#define UE__SDT_ASM(...) UE__SDT_ASM_(__VA_ARGS__)
#define UE__SDT_ASM_(count, provider, name, ...) \
	__asm__ volatile(UE__I_USDT_BEGIN(UE__SDT_NAMES(provider, name)) \
			 UE__I_USDT_TEXT_##count UE__I_USDT_END \
			 : \
			 : __VA_ARGS__[ue_none] "i"(0));
#endif

/*
 * Implementation
 * ==============
 *
 * Writes the event for UE_SDT_USER_EVENTS. UE__I_RUN() has already converted each value to 64
 * bits.
 */
#if !defined(UE_SDT_USER_EVENTS) || defined(UE_DISABLE)
#define UE__SDT_EVENT(count, n, event, ...)
#else
#define UE__SDT_EVENT(count, n, event, ...) \
	UE__I_EACH_##n(UE__SDT_VALUE, __VA_ARGS__) \
	UE_TRACE(event UE__SDT_FIELDS_##count);
#define UE__SDT_VALUE_ue__i_bare(at, ...) const uint64_t ue__w##at = UE__I_VALUE_AT(at);
#define UE__SDT_VALUE_ue__i_option(...)
#define UE__SDT_FIELDS_0
#define UE__SDT_FIELDS_1 , UE_I64(arg0, (int64_t)ue__w_1)
#define UE__SDT_FIELDS_2 UE__SDT_FIELDS_1, UE_I64(arg1, (int64_t)ue__w_2)
#define UE__SDT_FIELDS_3 UE__SDT_FIELDS_2, UE_I64(arg2, (int64_t)ue__w_3)
#define UE__SDT_FIELDS_4 UE__SDT_FIELDS_3, UE_I64(arg3, (int64_t)ue__w_4)
#define UE__SDT_FIELDS_5 UE__SDT_FIELDS_4, UE_I64(arg4, (int64_t)ue__w_5)
#define UE__SDT_FIELDS_6 UE__SDT_FIELDS_5, UE_I64(arg5, (int64_t)ue__w_6)
#define UE__SDT_FIELDS_7 UE__SDT_FIELDS_6, UE_I64(arg6, (int64_t)ue__w_7)
#define UE__SDT_FIELDS_8 UE__SDT_FIELDS_7, UE_I64(arg7, (int64_t)ue__w_8)
#define UE__SDT_FIELDS_9 UE__SDT_FIELDS_8, UE_I64(arg8, (int64_t)ue__w_8_1)
#define UE__SDT_FIELDS_10 UE__SDT_FIELDS_9, UE_I64(arg9, (int64_t)ue__w_8_2)
#define UE__SDT_FIELDS_11 UE__SDT_FIELDS_10, UE_I64(arg10, (int64_t)ue__w_8_3)
#define UE__SDT_FIELDS_12 UE__SDT_FIELDS_11, UE_I64(arg11, (int64_t)ue__w_8_4)
#endif

#endif
