/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The user_events.h authors */
/* What a provider's header includes at its end: defines its events where that is asked for. */
#ifndef UE__NO_SYSTEM_HEADER
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

/* A value as it is recorded, of UE__TP_TYPE(): pointers and chars are numbers. */
#ifdef __cplusplus
UE__BEGIN
template <class ue__T, bool ue__Enum = __is_enum(ue__T)> struct ue__tp_type { typedef ue__T is; };
template <class ue__T> struct ue__tp_type<const ue__T, false> : ue__tp_type<ue__T> {};
template <class ue__T> struct ue__tp_type<ue__T, true> : ue__tp_type<__underlying_type(ue__T)> {};
template <class ue__T> struct ue__tp_type<ue__T *, false> { typedef uintptr_t is; };
template <> struct ue__tp_type<char, false> { typedef signed char is; };
template <class ue__T> struct ue__tp_level { enum { is = UE_LEVEL_VERBOSE }; };
template <size_t ue__N> struct ue__tp_level<char[ue__N]> { enum { is = ue__N }; };
UE__END
#define UE__TP_TYPE(type) typename ue__tp_type<type>::is
#define UE__TP_NUMBER(type, value) __extension__(UE__TP_TYPE(type))(value)
#define UE__TP_CORE(type) uint32_t(ue__auto<UE__TP_TYPE(type)>::ue__type)
#define UE__TP_LEVEL_OF(level) ue__tp_level<decltype(level)>::is
#else
#define UE__TP_TYPE(type) __typeof__(UE__TP_NUMBER(type, 0))
#define UE__TP_NUMBER(type, value) \
	__builtin_choose_expr(__builtin_classify_type((type)0) == 5, (uintptr_t)(value), \
		__builtin_choose_expr(__builtin_types_compatible_p(type, char), \
				      (signed char)(value), (type)(value)))
#define UE__TP_CORE(type) UE__SCALAR_TYPE(UE__TP_NUMBER(type, 0), UE__T_NO_FIELD)
/* An array of unknown length is compatible with all lengths. */
#define UE__TP_IS_LEVEL(level, n) __builtin_types_compatible_p(__typeof__(level), char[n])
#define UE__TP_LEVEL_OF(level) \
	(UE__TP_IS_LEVEL(level, 5) ? 5 : UE__TP_IS_LEVEL(level, 4) ? 4 : \
	 UE__TP_IS_LEVEL(level, 3) ? 3 : UE__TP_IS_LEVEL(level, 2) ? 2 : 1)
#endif

#pragma GCC diagnostic push
#ifdef __cplusplus
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif
UE__BEGIN
UE__FN const char *ue__tp_string(const void *s)
{
	return s ? (const char *)s : "(null)";
}

/* Returns COPY, with N elements at P, which are in network byte order, in the machine's. */
UE__FN const void *ue__tp_hosts(void *copy, const void *p, size_t size, size_t n)
{
	size_t i, mirror = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 0 : size - 1;

	for (i = 0; i < n * size; i++)
		((char *)copy)[i] = ((const char *)p)[i ^ mirror];
	return copy;
}
UE__END
#pragma GCC diagnostic pop
#define UE__TP_HOST(type, value) \
	UE__TP_NUMBER(type, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? (uint64_t)(value) : \
				    __builtin_bswap64((uint64_t)(value)) >> (64 - 8 * sizeof(type)))
#define UE__TP_HOSTS(type, p, n) \
	ue__tp_hosts(__builtin_alloca((n) * sizeof(type)), p, sizeof(type), n)
#define UE__TP_FIT(type, n) /* an event holds no more elements */ \
	((n) <= 0 ? 0 : (size_t)(n) < UE_MAX_EVENT / sizeof(type) ? (size_t)(n) : \
								    UE_MAX_EVENT / sizeof(type))

/* The set of an event, and the head of its function */
#define UE__TP_BEGIN(p, n, parameters) \
	enum { ue__tp_at_##p##___##n = UE__TP_LEVEL_OF(ue__tp_level_##p##___##n) }; \
	UE_EVENT_SET(lttng_ust_tracepoint_##p##___##n, #p, ue__tp_at_##p##___##n, 1); \
	void lttng_ust_tracepoint_cb_##p##___##n UE__TP_LIST(void, UE__UNPACK parameters)
#define UE__TP_LEVEL_2(...)

/* Of FIELDS, which are tuples behind each other, UE_LOG() gets a list. */
#define UE__TP_EVENT_2(p, n, parameters, fields) \
	UE__TP_BEGIN(p, n, parameters) \
	{ \
		UE__TP_LOG(lttng_ust_tracepoint_##p##___##n, #n UE__TP_END(UE__TP_L0 fields)); \
	}
#define UE__TP_LOG(...) UE_LOG(__VA_ARGS__)
#define UE__TP_L0(kind, item, ...) , UE_NAMED(item, UE__TP_L_##kind(__VA_ARGS__)) UE__TP_L1
#define UE__TP_L1(kind, item, ...) , UE_NAMED(item, UE__TP_L_##kind(__VA_ARGS__)) UE__TP_L0
#define UE__TP_END(...) UE__TP_END_(__VA_ARGS__)
#define UE__TP_END_(...) __VA_ARGS__##_END
#define UE__TP_L0_END
#define UE__TP_L1_END
#define UE__TP_L_ue__value(type, as, value) UE__TP_##as(value)
#define UE__TP_L_ue__array(type, as, p, n) \
	UE__TP_##as(*(UE__TP_TYPE(type) const (*)[n])(const void *)(p))
#define UE__TP_L_ue__sequence(type, as, p, n) \
	UE__TP_##as(UE__ARRAY_1(UE__TP_CORE(type), UE__TP_TYPE(type), ue__p, \
				(UE__TP_TYPE(type) const *)(const void *)(p), n))
#define UE__TP_L_ue__chars(p, n) *(char const (*)[n])(const void *)(p)
#define UE__TP_L_ue__text(p, n) UE_STRN(ue__p, (const char *)(p), n)
#define UE__TP_L_ue__string(s) UE_STR(ue__p, s)
#define UE__TP_ue__dec(...) __VA_ARGS__
#define UE__TP_ue__hex(...) UE_AS(UE_FORMAT_HEX, __VA_ARGS__)

/* The fields of a class have several names in UE_LOG()'s place: its events are built. */
#define UE__TP_CLASS_2(p, n, parameters, fields) \
	UE__OUT_OF_LINE void ue__tp_class_##p##___##n(UE__STRUCT(ue_event_set) *ue__to, \
					       const char *ue__name UE__UNPACK parameters) \
	{ \
		char ue__buffer[UE_MAX_EVENT]; \
		UE__STRUCT(ue_builder) ue__b; \
		ue_builder_begin(&ue__b, ue__buffer, sizeof(ue__buffer), ue__name, 0); \
		UE__TP_BUILD(fields) \
		ue_builder_write(&ue__b, ue__to, UE__NULL, UE__NULL); \
	}
#ifdef UE_DISABLE
#define UE__TP_BUILD(fields)
#else
#define UE__TP_BUILD(fields) UE__TP_END(UE__TP_S0 fields)
#endif
#define UE__TP_INSTANCE_2(cp, cn, p, n, parameters, ...) \
	UE__TP_BEGIN(p, n, parameters) \
	{ \
		if (ue_event_set_enabled(&lttng_ust_tracepoint_##p##___##n)) \
			ue__tp_class_##cp##___##cn(&lttng_ust_tracepoint_##p##___##n, \
						   #n __VA_ARGS__); \
	}
#define UE__TP_S0(kind, ...) { UE__TP_S_##kind(__VA_ARGS__); } UE__TP_S1
#define UE__TP_S1(kind, ...) { UE__TP_S_##kind(__VA_ARGS__); } UE__TP_S0
#define UE__TP_S0_END
#define UE__TP_S1_END
#define UE__TP_S_ue__value(item, type, as, value) \
	UE__TP_TYPE(type) ue__v = value; \
	UE__TP_S_##as; \
	if (ue__define(&ue__b, item, UE__TP_CORE(type), 0)) \
		ue__add_data(&ue__b, &ue__v, sizeof(ue__v))
#define UE__TP_S_ue__array(item, type, as, p, n) \
	UE__TP_S_##as; ue__add_array(&ue__b, item, UE__TP_CORE(type) | UE__T_CARRAY, p, n)
#define UE__TP_S_ue__sequence(item, type, as, p, n) \
	UE__TP_S_##as; ue__add_array(&ue__b, item, UE__TP_CORE(type) | UE__T_VARRAY, p, (size_t)(n))
#define UE__TP_S_ue__chars(item, p, n) UE__TP_S_ue__text(item, p, ue__units(p, 0, n))
#define UE__TP_S_ue__text(item, p, n) ue_add_strn(&ue__b, item, (const char *)(p), (size_t)(n))
#define UE__TP_S_ue__string(item, s) ue_add_str(&ue__b, item, s)
#define UE__TP_S_ue__dec (void)0
#define UE__TP_S_ue__hex ue_field_format(&ue__b, UE_FORMAT_HEX)
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
