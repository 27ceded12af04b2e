/* SPDX-License-Identifier: MIT */
/*
 * UE_TRACE
 */

/* @private */

#ifdef __cplusplus
#define UE__INLINE inline
#define UE__SLOW inline __attribute__((__noinline__, __cold__))
#else
#define UE__INLINE static inline UE__UNUSED
#define UE__SLOW static UE__UNUSED __attribute__((__noinline__, __cold__))
#endif

#ifdef __cplusplus
/* What is asked of a bare variable's type, computed once for each type. */
template <class ue__T> struct ue__bare : ue__auto<typename ue__plain<ue__T>::type> {
	static constexpr uint64_t ue__type = ue__auto<typename ue__plain<ue__T>::type>::type;
	static constexpr uint64_t ue__kernel = UE__KERNEL_PART(ue__type);
	static constexpr uint64_t ue__log = UE__LOG_PART(ue__type);
	static constexpr bool ue__carried = UE__IS_CARRIED(ue__type);
#ifndef UE_DISABLE
	static constexpr int ue__usdt = UE__USDT_SIZE(ue__type);
#endif
};
#endif

#define UE_TRACE(...) UE__TRACE(__VA_ARGS__, UE__END)
#define UE__TRACE(name, ...) UE__TRACE_COUNTED(UE__COUNT(__VA_ARGS__), name, __VA_ARGS__)
#define UE__TRACE_COUNTED(count, name, ...) \
	UE__TRACE_(UE__GROUPS_BY(count, __VA_ARGS__), count, name, __VA_ARGS__)
#define UE__TRACE_(n, count, name, ...) UE__TRACE__(n, count, #name, UE__NORMAL(n, , __VA_ARGS__))

/* What is known and checked of an event's fields, at POSITIONS that begin with AT. */
#define UE__FIELDS(n, at, count, name, ...)                                              \
	UE__CHECK_DISTINCT(count, "" UE__EACH_##n(UE__NAME, __VA_ARGS__))                \
	UE__SECOND_OF(UE__OVER_64_##n, UE__NOT_OVER_64, ~)(name)                         \
	UE__EACH_##n(UE__TYPE, __VA_ARGS__) \
	UE__ENUM64{ UE__EACH_##n(UE__ENUM, __VA_ARGS__) ue__sum##at = !count \
			    UE__EACH_##n(UE__KERNEL_SUM, __VA_ARGS__) };              \
	UE__EACH_##n(UE__KERNEL, __VA_ARGS__)

#define UE__NOT_OVER_64(name)
#define UE__OVER_64_16 ~, UE__IS_OVER_64
#define UE__OVER_64_32 ~, UE__IS_OVER_64
#define UE__IS_OVER_64(name)                                                             \
	UE__STATIC_ASSERT(0, "user_events.h: event \"" name "\" has over 64 fields; "    \
			     "UE_LOG takes more");

#ifdef UE_DISABLE
#define UE__TRACE__(n, count, name, ...)                  \
	do {                                              \
		UE__CHECK_NAMES(name ";" UE__EACH_##n(UE__NAME, __VA_ARGS__)) \
		UE__FIELDS(n, , count, name, __VA_ARGS__) \
		if (0) {                                  \
			UE__IGNORE(n, __VA_ARGS__)        \
		}                                         \
	} while (0)
#else

/*
 * A kernel-typed event's descriptor. One without fields has a zero byte without a name: kernels
 * before 6.12 do not always show an empty payload.
 */
#define UE__DESC(kind, sum, types, meta)                                                  \
	{                                                                                 \
		kind, { 0, 0, 0 }, UE__U32(sum & 0xffffff), UE__U16(sum >> 24 & 0x3ff),   \
			UE__U16(sum >> 34 & 0x3fff), types, meta                        \
	}
#define UE__DESCRIPTOR(variable, n, at, count, names, ...)                            \
	static const struct UE__HIDDEN_TYPE {                                         \
		UE__TYPE(ue__desc) ue__head;                                           \
		uint32_t ue__types[count + 1 + !count];                               \
		char ue__text[sizeof(names)];                                         \
	} variable UE__UNUSED =                                                       \
		{ UE__DESC(UE__DESC_KERNEL, UE__U64(ue__sum##at), count, 0),  \
				 { UE__EACH_##n(UE__ENTRY, __VA_ARGS__)            \
					   UE__CAT(UE__LAST_, UE__IS_ZERO(count)) },  \
				 names }

#define UE__IS_ZERO(count) UE__SECOND_OF(UE__CAT(UE__ZERO_, count), 0, ~)
#define UE__ZERO_0 ~, 1
#define UE__LAST_0 UE__T_END
#define UE__LAST_1 UE__U32(UE__T_0U8 & 0xffffffff), UE__T_END

/*
 * The way out of a site. FEW(SUM) is the function for at most four values, MORE(SUM) takes any
 * number. The values stand behind a comma.
 */
#define UE__EMIT(few, more, sum, event, desc, ...)                                      \
	UE__CAT(UE__EMIT_, UE__IS_PAREN(UE__SIXTH(__VA_ARGS__, (), (), (), (), (), ~))) \
	(few, more, sum, event, desc, __VA_ARGS__)
#define UE__SIXTH(...) UE__SIXTH_(__VA_ARGS__)
#define UE__SIXTH_(a, b, c, d, e, f, ...) f
#define UE__EMIT_1(few, more, sum, event, desc, ...)                                    \
	UE__EMIT_FEW(few, sum, event, desc, __VA_ARGS__, UE__U64(0), UE__U64(0), UE__U64(0), \
		     UE__U64(0), ~)
#define UE__EMIT_FEW(few, sum, event, desc, none, v0, v1, v2, v3, ...) \
	few(sum)(event, desc, v0, v1, v2, v3)
#define UE__EMIT_0(few, more, sum, event, desc, ...) more(sum)(event, desc __VA_ARGS__)

#define UE__IN_SECTION __attribute__((__section__("ue_events_v1"), __aligned__(8)))
#define UE__EVENT_INIT(desc, level)                             \
	{                                                       \
		0, 0, desc, NULL, NULL, UE__NEW, level, 0, 0, 0 \
	}

/* As an event is in C. */
#define UE__SITE_OBJECTS(tag, n, at, count, name, ...)               \
	UE__DESCRIPTOR(tag##_desc, n, at, count,                                      \
		       name ";" UE__EACH_##n(UE__NAME, __VA_ARGS__), __VA_ARGS__);    \
	static UE__TYPE(ue_event) tag UE__IN_SECTION               \
		UE__UNUSED = UE__EVENT_INIT(&tag##_desc.ue__head, 0)

#define UE__EMIT_KERNEL(sum, ...) UE__EMIT(UE__KERNEL_FEW, UE__KERNEL_MORE, sum, __VA_ARGS__)
#define UE__KERNEL_FEW(sum)                                                            \
	((UE__BITS_OF(sum) & 0xffffff) > UE__SMALL_FIXED || UE__U64(sum) >> 57           \
		 ? UE__THE(ue__encode_kernel_any)                                      \
	 : UE__U64(sum) >> 34 & 0x3fff ? UE__THE(ue__encode_text)                       \
				      : UE__THE(ue__encode_scalars))
#define UE__KERNEL_MORE(sum)                                                                   \
	((UE__BITS_OF(sum) & 0xffffff) > UE__SMALL_FIXED || UE__U64(sum) & UE__SUM_NO_SCALARS    \
		 ? UE__THE(ue__encode_kernel_list)                                             \
		 : UE__THE(ue__encode_kernel_more))

#ifdef __cplusplus
#ifdef UE_NO_AUTO_REGISTER
#define UE__AUTOMATIC false
#else
#define UE__AUTOMATIC true
#endif
/*
 * A site is a class. Its constructor takes the values, in braces: so they are evaluated in order,
 * and temporaries among them live until all is written.
 */
#define UE__SITE_CLASS(tag, n, at, count, name, ...)                                            \
	struct tag {                                                                            \
		tag(const tag &) = delete; \
		static const UE__TYPE(ue__desc) *ue__describe()                               \
		{                                                                               \
			UE__DESCRIPTOR(ue__d, n, at, count,                                     \
				       name ";" UE__EACH_##n(UE__NAME, __VA_ARGS__), __VA_ARGS__); \
			return &ue__d.ue__head;                                                 \
		}                                                                               \
		UE__ALWAYS_INLINE explicit tag(int UE__EACH_##n(UE__PARAMETER, __VA_ARGS__)) \
		{                                                                               \
			UE__COLD_SITE;                                                          \
			UE__NOTE(n, at, count, name, __VA_ARGS__)                               \
			UE__USDT(&UE__SITE(tag), name, UE__EACH_##n(UE__PASS, __VA_ARGS__), \
		 UE__EACH_##n(UE__USDT_VALUE, __VA_ARGS__)) \
			UE__EMIT_KERNEL(ue__sum##at, &UE__SITE(tag), ue__describe(),            \
					UE__EACH_##n(UE__PASS, __VA_ARGS__));                \
		}                                                                               \
	}
#define UE__SITE(tag) (ue__site<tag, UE__AUTOMATIC>::ue__event)
#define UE__USE(tag) ue__site<tag, UE__AUTOMATIC>::ue__use()
#if defined(__clang__) && (!defined(__PIC__) || defined(__PIE__))
/*
 * clang gives data in templates and inline functions a section. So UE_TRACE is as in C, which is
 * less work for the compiler. Not in libraries: other libraries would see such data, and code asks
 * the loader for its place. A constexpr function takes static variables and asm within an
 * expression.
 */
#define UE__TRACE__(n, count, name, ...)                                           \
	do {                                                                       \
		UE__CHECK_NAMES(name ";" UE__EACH_##n(UE__NAME, __VA_ARGS__)) \
		UE__FIELDS(n, , count, name, __VA_ARGS__)                          \
		__extension__({                                                    \
			UE__SITE_OBJECTS(ue__s, n, , count, name, __VA_ARGS__);    \
			if (UE__UNLIKELY(ue_event_enabled(&ue__s))) {              \
				uint64_t ue__none __attribute__((__unused__))      \
					UE__EACH_##n(UE__PASS, __VA_ARGS__);       \
				(void)(UE__EACH_##n(UE__EVALUATE, __VA_ARGS__)     \
				       __extension__({                             \
					UE__COLD_SITE;                             \
					UE__NOTE(n, , count, name, __VA_ARGS__)    \
					UE__USDT(&ue__s, name,                     \
						 UE__EACH_##n(UE__PASS, __VA_ARGS__), \
						 UE__EACH_##n(UE__USDT_VALUE, __VA_ARGS__)) \
					UE__EMIT_KERNEL(ue__sum, &ue__s, &ue__s_desc.ue__head, \
							UE__EACH_##n(UE__PASS, __VA_ARGS__)); \
				}));                                               \
			}                                                          \
		});                                                                \
	} while (0)
#else
#define UE__TRACE__(n, count, name, ...)                                           \
	do {                                                                       \
		UE__CHECK_NAMES(name ";" UE__EACH_##n(UE__NAME, __VA_ARGS__)) \
		UE__FIELDS(n, , count, name, __VA_ARGS__)                          \
		UE__SITE_CLASS(ue__s, n, , count, name, __VA_ARGS__);              \
		if (UE__UNLIKELY(ue_event_enabled(&UE__SITE(ue__s)))) {            \
			UE__USE(ue__s);                                            \
			(void)ue__s{ 0 UE__EACH_##n(UE__ARGUMENT, __VA_ARGS__) }; \
		}                                                                  \
	} while (0)
#endif
#else
#define UE__SITE(tag) tag
#define UE__USE(tag) ((void)0)
#define UE__WRITE_OUT(tag, n, at, count, name, ...)                        \
	UE__EACH_##n(UE__EVALUATE, __VA_ARGS__)                         \
	UE__COLD_SITE;                                                     \
	UE__NOTE(n, at, count, name, __VA_ARGS__)                          \
	UE__USDT(&tag, name, UE__EACH_##n(UE__PASS, __VA_ARGS__), \
		 UE__EACH_##n(UE__USDT_VALUE, __VA_ARGS__)) \
	UE__EMIT_KERNEL(ue__sum##at, &tag, &tag##_desc.ue__head,           \
			UE__EACH_##n(UE__PASS, __VA_ARGS__));
#define UE__TRACE__(n, count, name, ...)                                    \
	do {                                                                \
		UE__CHECK_NAMES(name ";" UE__EACH_##n(UE__NAME, __VA_ARGS__)) \
		UE__FIELDS(n, , count, name, __VA_ARGS__)                   \
		UE__SITE_OBJECTS(ue__s, n, , count, name, __VA_ARGS__);     \
		if (UE__UNLIKELY(ue_event_enabled(&ue__s))) {               \
			UE__WRITE_OUT(ue__s, n, , count, name, __VA_ARGS__) \
		}                                                           \
	} while (0)
#endif
#endif /* UE_DISABLE */
