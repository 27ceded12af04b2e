/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The user_events.h authors */
/*
 * A provider's header includes this file at its end. If LTTNG_UST_TRACEPOINT_DEFINE is defined,
 * this file defines the events of that header.
 */
#ifndef UE__I_NO_SYSTEM_HEADER
#pragma GCC system_header
#endif
#if !defined(LTTNG_UST_TRACEPOINT_INCLUDE) && defined(TRACEPOINT_INCLUDE)
#define LTTNG_UST_TRACEPOINT_INCLUDE TRACEPOINT_INCLUDE
#endif
#if defined(LTTNG_UST_TRACEPOINT_INCLUDE) && defined(UE__TP_UNREAD) && UE__TP_PASS == 1 && \
	(defined(LTTNG_UST_TRACEPOINT_DEFINE) || defined(TRACEPOINT_DEFINE))
#ifndef UE_COMPAT_LTTNG_TRACEPOINT_EVENT_H
#define UE_COMPAT_LTTNG_TRACEPOINT_EVENT_H

/* clang-format off */

/*
 * Convert a C type to the type of a field, and a value to 64 bits. Pointers and chars are converted
 * to numbers.
 */
#ifdef __cplusplus
UE__I_BEGIN
template <class ue__Ctype, bool ue__Enum = __is_enum(ue__Ctype)> struct ue__tp_type {
	typedef ue__Ctype is;
};
template <class ue__Ctype> struct ue__tp_type<const ue__Ctype, false> : ue__tp_type<ue__Ctype> {};
template <class ue__Ctype>
struct ue__tp_type<ue__Ctype, true> : ue__tp_type<__underlying_type(ue__Ctype)> {};
template <class ue__Ctype> struct ue__tp_type<ue__Ctype *, false> { typedef uintptr_t is; };
template <> struct ue__tp_type<char, false> { typedef signed char is; };
template <class ue__Ctype> struct ue__tp_level { enum { is = UE_LEVEL_VERBOSE }; };
template <size_t ue__Size> struct ue__tp_level<char[ue__Size]> { enum { is = ue__Size }; };
UE__I_END
#define UE__TP_TYPE(type) typename ue__tp_type<type>::is
#define UE__TP_CORE(type) uint32_t(ue__i_auto<UE__TP_TYPE(type)>::ue__i_type)
#define UE__TP_BITS(type, value) \
	ue__i_auto<UE__TP_TYPE(type)>::ue__i_value(__extension__(UE__TP_TYPE(type))(value))
#define UE__TP_LEVEL_OF(level) ue__tp_level<decltype(level)>::is
#else
#define UE__TP_NUMBER(type, value) \
	__builtin_choose_expr(__builtin_classify_type((type)0) == 5, (uintptr_t)(value), \
		__builtin_choose_expr(__builtin_types_compatible_p(type, char), \
				      (signed char)(value), (type)(value)))
#define UE__TP_CORE(type) UE__I_SCALAR_TYPE(UE__TP_NUMBER(type, 0), UE__I_T_NO_FIELD)
#define UE__TP_BITS(type, value) \
	__extension__ _Generic(UE__TP_NUMBER(type, 0), float: UE__I_IN(F32), \
			       double: UE__I_IN(F64), default: UE__I_IN(U64))( \
		UE__TP_NUMBER(type, value))
/*
 * Returns whether LEVEL is an array of N chars. If the length of LEVEL is unknown, returns true for
 * every N.
 */
#define UE__TP_IS_LEVEL(level, n) __builtin_types_compatible_p(__typeof__(level), char[n])
#define UE__TP_LEVEL_OF(level) \
	(UE__TP_IS_LEVEL(level, 5) ? 5 : UE__TP_IS_LEVEL(level, 4) ? 4 : \
	 UE__TP_IS_LEVEL(level, 3) ? 3 : UE__TP_IS_LEVEL(level, 2) ? 2 : 1)
#endif
#define UE__TP_LIST_OF(type) (UE__TP_CORE(type) | UE__F_T_DATA | UE__F_T_VARRAY)
#define UE__TP_CHARS_OF(n) (UE__F_TYPE(STR) | UE__F_T_BOUNDED | UE__F_T_LENGTH(n))

UE__I_HEADER_BEGIN
UE__I_FN const char *ue__tp_string(const void *s)
{
	return s ? (const char *)s : "(null)";
}

/*
 * Limits N, a number of elements of SIZE bytes, to the number that fits into an event, so that only
 * these elements are copied.
 */
UE__I_FN size_t ue__tp_fit(int64_t n, size_t size)
{
	size_t most = UE_MAX_EVENT / size;

	return n <= 0 ? 0 : (uint64_t)n < most ? (size_t)n : most;
}

/*
 * Copies N elements at P, and converts them from network to host byte order. COPY has space for the
 * elements.
 */
UE__I_FN uint64_t ue__tp_hosts(void *copy, const void *p, size_t size, size_t n)
{
	struct ue__i_span *span = (struct ue__i_span *)copy;
	size_t i, mirror = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 0 : size - 1;
	char *data = (char *)(span + 1);

	for (i = 0; i < n * size; i++)
		data[i] = ((const char *)p)[i ^ mirror];
	span->data = data;
	span->count = n;
	return UE__I_IN(BYTES)(copy);
}

/*
 * Adds a field of type T to an event under construction. T is a constant: one of the types used by
 * the field macros. Calls only public functions, because their code may be in other files.
 */
UE__I_FN __attribute__((__always_inline__)) void
ue__tp_add(struct ue_builder *b, const char *name, uint32_t t, uint64_t value, uint64_t count)
{
	const void *p = (const void *)(uintptr_t)value, *end;
	unsigned int log2 = UE__F_LOG2_OF(t);
	size_t n = (size_t)count;

	if (t & UE__F_T_SPAN) {
		n = ((const struct ue__i_span *)p)->count;
		p = ((const struct ue__i_span *)p)->data;
	}
	if (UE__F_FORMAT_OF(t))
		ue_field_format(b, UE__F_FORMAT_OF(t));
	if (t & UE__F_T_BOUNDED) {
		n = UE__F_LENGTH_OF(t);
		end = memchr(p, 0, n);
		ue_add_strn(b, name, (const char *)p,
			    end ? (size_t)((const char *)end - (const char *)p) : n);
	} else if (UE__F_IS_ZSTRING(t))
		ue_add_str(b, name, (const char *)p);
	else if (UE__F_KIND_OF(t) == UE__F_KIND(STRING8))
		ue_add_strn(b, name, (const char *)p, n);
	else if (UE__F_KIND_OF(t) == UE__F_KIND(BINARY))
		ue_add_bytes(b, name, p, n);
	else if (t & UE__F_T_VARRAY)
		log2 == 0 ? ue_add_array_u8(b, name, (const uint8_t *)p, n) :
		log2 == 1 ? ue_add_array_u16(b, name, (const uint16_t *)p, n) :
		log2 == 2 ? ue_add_array_u32(b, name, (const uint32_t *)p, n) :
			    ue_add_array_u64(b, name, (const uint64_t *)p, n);
	else
		log2 == 0 ? ue_add_u8(b, name, (uint8_t)value) :
		log2 == 1 ? ue_add_u16(b, name, (uint16_t)value) :
		log2 == 2 ? ue_add_u32(b, name, (uint32_t)value) :
			    ue_add_u64(b, name, value);
}
UE__I_HEADER_END
#define UE__TP_HOST(type, value) \
	(__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? (uint64_t)(value) : \
	 __builtin_bswap64((uint64_t)(value)) >> (64 - 8 * sizeof(type)))
#define UE__TP_HOSTS(type, p, n) \
	__extension__({ \
		const size_t ue__count = ue__tp_fit((int64_t)(n), sizeof(type)); \
		ue__tp_hosts( \
			__builtin_alloca(sizeof(struct ue__i_span) + ue__count * sizeof(type)), \
			p, sizeof(type), ue__count); \
	})

/*
 * Selects either a kernel-typed tracepoint p__n or the EventHeader event n of a set. LENGTH is the
 * maximum size of the definition with its NUL, in bytes. A field that the kernel does not support,
 * such as a float, counts as too long. The compiler evaluates this expression, because macros
 * cannot inspect types.
 */
#ifdef UE_LTTNG_SETS
#define UE__TP_NAME(p, n) #p
#define UE__TP_IS_TYPED(length) false
#else
#define UE__TP_NAME(p, n) #p "__" #n
#define UE__TP_IS_TYPED(length) ((length) <= UE__F_SPEC_SIZE)
#endif
#define UE__TP_NOT_KNOWN 1000
#define UE__TP_NO_TYPE 1000000

/* Declarator of the function of an event, and the set to which UE_LOG() or a builder writes. */
#define UE__TP_FUNCTION(id, parameters) \
	void lttng_ust_tracepoint_cb_##id UE__TP_LIST(void, UE__I_UNPACK parameters)
#define UE__TP_SET(id, name) \
	UE_EVENT_SET(lttng_ust_tracepoint_##id, name, UE__TP_LEVEL_OF(ue__tp_level_##id), 1);
#define UE__TP_LEVEL_2(...)

/* FIELDS is a sequence of tuples: (...)(...). UE__TP_L0 converts up to 64 of them to a list. */
#define UE__TP_EVENT_2(p, n, parameters, fields) \
	UE__TP_EVENT(p##___##n, UE__TP_NAME(p, n), parameters, (fields), \
		     #p, #n UE__TP_END(UE__TP_L0 fields))
#define UE__TP_EVENT(id, name, parameters, fields, p, ...) \
	UE__TP_BY_COUNT(UE__I_COUNT(__VA_ARGS__), id, name, parameters, fields, p, __VA_ARGS__)
#define UE__TP_BY_COUNT(count, ...) \
	UE__I_CAT(UE__TP_EVENT_OF_, UE__TP_IS_MANY(count))(count, __VA_ARGS__)
#define UE__TP_L0(...) , (__VA_ARGS__) UE__TP_L1
#define UE__TP_L1(...) , (__VA_ARGS__) UE__TP_L0
#define UE__TP_L0_END
#define UE__TP_L1_END
#define UE__TP_END(...) UE__TP_END_(__VA_ARGS__)
#define UE__TP_END_(...) __VA_ARGS__##_END
/*
 * Expands to 1 if COUNT is 99 (65 to 95 fields) or a field (more than 95 fields), otherwise to 0.
 */
#define UE__TP_IS_MANY(count) UE__I_CAT(UE__TP_IS_MANY_, UE__I_IS_PAREN(count))(count)
#define UE__TP_IS_MANY_1(count) 1
#define UE__TP_IS_MANY_0(count) UE__I_SECOND_OF(UE__TP_MANY_##count, 0, ~)
#define UE__TP_MANY_99 ~, 1

#ifdef UE_DISABLE
#define UE__TP_EVENT_OF_0(count, id, name, parameters, fields, p, ...) \
	UE__TP_SET(id, name) \
	UE__TP_FUNCTION(id, parameters) \
	{ \
		UE_LOG(lttng_ust_tracepoint_##id, __VA_ARGS__); \
	}
#else
/*
 * Combines the expansions of UE_TRACE() and UE_LOG(), which user_events.h explains. The
 * kernel-typed event and its descriptor are at file scope, because other files test the event. The
 * descriptor of the EventHeader event is in the function.
 */
#define UE__TP_EVENT_OF_0(count, id, name, parameters, fields, p, n, ...) \
	UE__TP_DEFINE(count, id, name, parameters, \
		      ".asciz \"" p "\"\n.asciz \"" n "\"\n", n, \
		      UE__I_CAT(UE__I_ITEMS_, count)(_##id##_, ~, ##__VA_ARGS__))
#define UE__TP_DEFINE(count, id, name, parameters, usdt, n, ...) \
	UE__I_EACH_##count(UE__I_DECLARE, __VA_ARGS__) \
	enum { \
		ue__length_##id = sizeof(name) UE__I_EACH_##count(UE__TP_LENGTH, __VA_ARGS__), \
		ue__typed_##id = UE__TP_IS_TYPED(ue__length_##id), \
		ue__level_##id = UE__TP_LEVEL_OF(ue__tp_level_##id) \
	}; \
	UE__I_STATIC_ASSERT(ue__length_##id < UE__TP_NO_TYPE, \
			  "user_events.h: a field of event " name " is not a number"); \
	UE__I_KERNEL_DESC(count, ue__typed_desc_##id, ue__total_##id, name, __VA_ARGS__) \
	static const struct { \
		UE__I_STRUCT(ue__f_desc) ue__desc_head; \
		uint64_t ue__set_keyword; \
		char ue__provider[sizeof(name "\0")]; \
	} __attribute__((__packed__, __aligned__(8))) ue__set_##id = { \
		UE__I_DESC(UE__F_DESC_SET, ue__level_##id, 0, 0u, 0), 1, name "\0" }; \
	UE__I_STRUCT(ue_event_set) lttng_ust_tracepoint_##id = { UE__I_EVENT_INIT( \
		ue__typed_##id ? UE__I_HEAD_OF(ue__typed_desc_##id) : \
				 &ue__set_##id.ue__desc_head, \
		ue__level_##id) }; \
	UE__TP_FUNCTION(id, parameters) \
	{ \
		if (!ue_event_set_enabled(&lttng_ust_tracepoint_##id)) \
			return; \
		UE__I_LOG_FIELDS(count, __VA_ARGS__) \
		UE__I_LOG_DESC(count, ue__log_desc, n, __VA_ARGS__) \
		if (!ue__typed_##id) \
			__asm__ volatile(UE__I_SITE_NOTE("0", UE__I_SYMBOL "[ue_event]") \
				: : [ue_event] UE__I_PLACE_OF(&lttng_ust_tracepoint_##id), \
				    [ue_desc] UE__I_PLACE_OF(&ue__set_##id.ue__desc_head)); \
		UE__I_RUN(count, (UE__I_EMIT(count, \
			(ue__typed_##id ? ue__i_write_kernel_v1 : ue__i_write_log_v1), \
			((UE__I_STRUCT(ue_event) *)&lttng_ust_tracepoint_##id), \
			(ue__typed_##id ? UE__I_HEAD_OF(ue__typed_desc_##id) : \
					  UE__I_HEAD_OF(ue__log_desc)), \
			usdt, __VA_ARGS__)), __VA_ARGS__) \
	}
/* Operation UE__TP_LENGTH returns the maximum size of a field's definition with "; ", in bytes. */
#define UE__TP_LENGTH_ue__i_value(at, string, id, ...) \
	+(UE__I_CAST(uint32_t, UE__I_TYPE_AT(at)) == UE__I_T_NO_FIELD ? UE__TP_NO_TYPE : \
	  !UE__I_IS_CARRIED(UE__I_CAST(uint32_t, UE__I_TYPE_AT(at)))  ? UE__TP_NOT_KNOWN : \
	  sizeof(id) + (UE__I_TYPE_AT(at) & UE__F_T_DATA ? sizeof("__rel_loc char[]") : \
		sizeof("u64")))
#define UE__TP_LENGTH_ue__i_pair UE__TP_LENGTH_ue__i_value
#define UE__TP_LENGTH_ue__i_option(...)
#endif

/*
 * Adds fields to an event that is built at run time. This is used for the fields of a class, whose
 * events have different names in UE_LOG(), and for events with more than 64 fields.
 */
#define UE__TP_EVENT_OF_1(count, id, name, parameters, fields, p, n, ...) \
	UE__TP_SET(id, name) \
	UE__TP_FUNCTION(id, parameters) \
	{ \
		if (!ue_event_set_enabled(&lttng_ust_tracepoint_##id)) \
			return; \
		UE__TP_BUILD(&lttng_ust_tracepoint_##id, n, UE__I_UNPACK fields) \
	}
#define UE__TP_CLASS_2(p, n, parameters, fields) \
	UE__I_FN __attribute__((__noinline__, __cold__)) void \
	ue__tp_class_##p##___##n(UE__I_STRUCT(ue_event_set) *ue__to, \
				 const char *ue__event_name UE__I_UNPACK parameters) \
	{ \
		UE__TP_BUILD(ue__to, ue__event_name, fields) \
	}
#define UE__TP_INSTANCE_2(cp, cn, p, n, parameters, ...) \
	UE__TP_SET(p##___##n, UE__TP_NAME(p, n)) \
	UE__TP_FUNCTION(p##___##n, parameters) \
	{ \
		if (ue_event_set_enabled(&lttng_ust_tracepoint_##p##___##n)) \
			ue__tp_class_##cp##___##cn(&lttng_ust_tracepoint_##p##___##n, \
						   #n __VA_ARGS__); \
	}
#ifdef UE_DISABLE
#define UE__TP_BUILD(...)
#else
#define UE__TP_BUILD(to, name, fields) \
	char ue__buffer[UE_MAX_EVENT]; \
	UE__I_STRUCT(ue_builder) ue__b; \
	ue_builder_begin(&ue__b, ue__buffer, sizeof(ue__buffer), name, 0); \
	UE__TP_END(UE__TP_S0 fields) \
	ue_builder_write(&ue__b, to, UE__I_NULL, UE__I_NULL);
#endif
#define UE__TP_S0(class, ...) { UE__TP_S_##class(__VA_ARGS__) } UE__TP_S1
#define UE__TP_S1(class, ...) { UE__TP_S_##class(__VA_ARGS__) } UE__TP_S0
#define UE__TP_S0_END
#define UE__TP_S1_END
#define UE__TP_S_ue__i_value(mark, string, id, as, tag, type, ctype, name, ...) \
	const uint64_t ue__value_bits = __VA_ARGS__; \
	ue__tp_add(&ue__b, string, UE__I_TYPE_AS##as(type), ue__value_bits, 0);
#define UE__TP_S_ue__i_pair(mark, string, id, as, tag, type, ctype, name, p, ...) \
	const uint64_t ue__value_bits = p, ue__count = UE__I_IN(count)((__VA_ARGS__)); \
	ue__tp_add(&ue__b, string, UE__I_TYPE_AS##as(type), ue__value_bits, ue__count);
#endif

#undef UE__TP_PASS
#define UE__TP_PASS 2
#define LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ
#define TRACEPOINT_HEADER_MULTI_READ
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wattributes" /* as in user_events.h */
#include LTTNG_UST_TRACEPOINT_INCLUDE
#pragma GCC diagnostic pop
#undef LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ
#undef TRACEPOINT_HEADER_MULTI_READ
#undef UE__TP_UNREAD
#undef UE__TP_PASS
#define UE__TP_PASS 1
#endif
#if UE__TP_PASS == 1
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#undef TRACEPOINT_INCLUDE
#endif
