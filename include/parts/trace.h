/* SPDX-License-Identifier: MIT */
/*
 * UE_TRACE
 */

@private

#ifndef UE_DISABLE
/*
 * The description in the binary: ELF notes, one for each eight fields (an asm takes 30
 * operands), written by the assembler, since GCC gives data in C++ templates no section.
 * docs/reference.md has the format.
 */
#define UE__NOTE(name, total, ...) UE__OVER(UE__NOTE_PART, name, total, __VA_ARGS__)
#define UE__NOTE_PART(name, total, more, x1, x2, x3, x4, x5, x6, x7, x8)              \
	__asm__ volatile(UE__NOTE_BEGIN(1) ".byte " UE__NUMBER "[ue_total], " #more "\n"          \
			 ".asciz \"" #name "\"\n"                                     \
			 UE__RUN(UE__NOTE_TEXT, , 0, x1, x2, x3, x4, x5, x6, x7, x8)  \
			 UE__NOTE_END                                                 \
			 :                                                            \
			 : [ue_total] "i"(total)                                      \
			 UE__RUN(UE__NOTE_ARG, , 0, x1, x2, x3, x4, x5, x6, x7, x8));
/* Where a constant has a prefix, %c takes it off. Elsewhere GCC may refuse it, or sign it. */
#if defined(__x86_64__) || defined(__i386__) || defined(__arm__) || defined(__m68k__) || \
	defined(__sh__)
#define UE__NUMBER "%c"
#else
#define UE__NUMBER "%"
#endif
#define UE__NOTE_BEGIN(type)                                                          \
	".pushsection .note.user_events,\"?\",%%note\n"                               \
	".balign 4\n.4byte 12, 993f-992f, " #type "\n.asciz \"user_events\"\n992:\n"
#define UE__NOTE_END "993:\n.balign 4\n.popsection"
#define UE__NOTE_TEXT_0V(c, t, string, variable, ...) \
	".byte " UE__NUMBER "[t_" #variable "]\n"                                  \
	".2byte " UE__NUMBER "[n_" #variable "]\n.asciz \"" string "\"\n"
#define UE__NOTE_TEXT_0P UE__NOTE_TEXT_0V
#define UE__NOTE_TEXT_0S(...) ""
#define UE__NOTE_TEXT_0R(...) ""
#define UE__NOTE_TEXT_0X(...)
#define UE__NOTE_ARG_0V(c, t, string, variable, ...)                                   \
	, [t_##variable] "i"(UE__INT(UE__ROW_OF(t)) | ((t) & UE__T_CARRAY ? 64 : 0) |        \
			     ((t) & UE__T_VARRAY ? 128 : 0)),                         \
		[n_##variable] "i"(UE__INT(UE__LENGTH_OF(t)))
#define UE__NOTE_ARG_0P UE__NOTE_ARG_0V
#define UE__NOTE_ARG_0S(...)
#define UE__NOTE_ARG_0R(...)
#define UE__NOTE_ARG_0X(...)

#define UE__CONST_EVENT(variable, name, ...)                                                    \
	UE__STATIC_ASSERT(UE__COUNT(__VA_ARGS__) <= 64,                               \
			  "user_events.h: event \"" #name "\" has over 64 fields; UE_LOG takes " \
			  "more");                                                    \
	static const struct UE__HIDDEN_TYPE {                                         \
		struct ue__desc ue__head;                                             \
		uint64_t ue__types[UE__COUNT(__VA_ARGS__) + 2];                           \
		char ue__text[sizeof(#name "\0" UE__EACH(UE__NAME, , __VA_ARGS__))];      \
	} variable __attribute__((__unused__)) = {                                     \
		UE__DESC(UE__KERNEL_KIND, UE__KSUM_ALL(__VA_ARGS__), 0),       \
		{ UE__EACH(UE__TYPE, , __VA_ARGS__) UE__NO_FIELDS(__VA_ARGS__), UE__T_END },                              \
		#name "\0" UE__EACH(UE__NAME, , __VA_ARGS__)                          \
	}

#define UE__IN_SECTION __attribute__((__section__("ue_events_v1"), __aligned__(8)))
#define UE__EVENT_INIT(desc, level)                          \
	{                                                    \
		0, 0, desc, NULL, NULL, UE__NEW, level, 0, 0, 0    \
	}

/* The site: ue__s, its struct ue_event, and ue__d, its description. */
#ifdef __cplusplus
#ifdef UE_NO_AUTO_REGISTER
#define UE__AUTOMATIC false
#else
#define UE__AUTOMATIC true
#endif
#define UE__SITE_TAG(tag, name, ...)                          \
	struct tag {                                          \
		static const struct ue__desc *ue__describe()      \
		{                                             \
			UE__CONST_EVENT(ue__d, name, __VA_ARGS__); \
			return &ue__d.ue__head;                   \
		}                                             \
	}
#define UE__SITE(tag) (ue__site<tag, UE__AUTOMATIC>::ue__event)
#define UE__USE(tag) ue__site<tag, UE__AUTOMATIC>::ue__use()
#define UE__DESC_OF(tag) tag::ue__describe()
#define UE__INLINE inline __attribute__((__unused__))
#define UE__SLOW inline __attribute__((__noinline__, __cold__))
#else
#define UE__SITE_TAG(tag, name, ...)                          \
	UE__CONST_EVENT(tag##_desc, name, __VA_ARGS__);       \
	static struct ue_event tag UE__IN_SECTION __attribute__((__unused__)) = \
		UE__EVENT_INIT(&tag##_desc.ue__head, 0)
#define UE__SITE(tag) tag
#define UE__USE(tag) ((void)0)
#define UE__DESC_OF(tag) (&tag##_desc.ue__head)
#define UE__INLINE static inline __attribute__((__unused__))
#define UE__SLOW static __attribute__((__noinline__, __cold__, __unused__))
#endif

#define UE__TRACE(name, ...)                                                          \
	do {                                                                          \
		UE__BARES(__VA_ARGS__)                                                \
		UE__EACH(UE__CHECK, , __VA_ARGS__)                                    \
		UE__SITE_TAG(ue__s, name, __VA_ARGS__);                               \
		if (UE__UNLIKELY(ue_event_enabled(&UE__SITE(ue__s)))) {                             \
			UE__USE(ue__s);                                               \
			UE__NOTE(name, UE__COUNT(__VA_ARGS__), __VA_ARGS__)           \
			UE__EVALUATE(UE__KERNEL_KIND, &UE__SITE(ue__s), UE__DESC_OF(ue__s), \
				     UE__KSUM_ALL(__VA_ARGS__), 0u, __VA_ARGS__);     \
		}                                                                     \
	} while (0)
/* the encoders take four values, and there is one to be left over */
#define UE__FOUR UE__U64(0), UE__U64(0), UE__U64(0), UE__U64(0), UE__U64(0)
#define UE__EMIT(kind, event, desc, sum, meta, ...) \
	UE__EMIT_(kind, event, desc, sum, meta, __VA_ARGS__)
#define UE__EMIT_(kind, event, desc, sum, meta, v0, v1, v2, v3, ...)                        \
	do {                                                                          \
		UE__COLD_SITE;                                                        \
		if (((sum) >> 24 & 0xfff) > 4)                                        \
			ue__encode_more(event, desc, v0, v1, v2, v3, __VA_ARGS__);    \
		else if (!UE__IS_USUAL((sum) & 0xffffff, meta))                       \
			ue__encode_any(event, desc, v0, v1, v2, v3);                  \
		else if ((kind) == UE__LOG_KIND)                                      \
			ue__encode_log(event, desc, v0, v1, v2, v3);                  \
		else if (((sum) >> 36 & 0xfff) != 0)                                  \
			ue__encode_text(event, desc, v0, v1, v2, v3);                 \
		else                                                                  \
			ue__encode_scalars(event, desc, v0, v1, v2, v3);              \
	} while (0)
#ifdef __cplusplus
/*
 * One full expression, so that temporaries among the values live until all is written; in braces,
 * so that they are evaluated in order.
 */
#define UE__EVALUATE(kind, event, desc, sum, meta, ...)                               \
	(void)ue__emission<kind, (sum), meta>                                         \
	{                                                                             \
		event, desc, UE__EACH(UE__ACTIVITY_EXPRESSION, , __VA_ARGS__)         \
			UE__SCAN(UE__EACH(UE__EXPRESSION, , __VA_ARGS__)) UE__FOUR    \
	}
struct ue__with_activity {};
struct ue__activity {
	uint64_t id, related;
};
/* An activity is evaluated in its place and written before all values: those BEFORE it. */
template <class Emission, class Before, class... Values> struct ue__in_front;
template <class... Values> struct ue__values {};
template <class Emission, class... Before, class Value, class... Values>
struct ue__in_front<Emission, ue__values<Before...>, Value, Values...>
    : ue__in_front<Emission, ue__values<Before..., Value>, Values...> {};
template <class Emission, class... Before, class... Values>
struct ue__in_front<Emission, ue__values<Before...>, ue__activity, Values...> {
	static void emit(struct ue_event *event, const struct ue__desc *desc,
			 const Before &...before, const ue__activity &activity,
			 const Values &...values)
	{
		Emission::emit(event, desc, activity.id, activity.related, ue__arg(before)...,
			       ue__arg(values)...);
	}
};
template <unsigned int Kind, uint64_t Sum, size_t Meta> struct ue__emission {
	template <class... Values>
	ue__emission(struct ue_event *event, const struct ue__desc *desc, const Values &...values)
	{
		emit(event, desc, ue__arg(values)...);
	}
	template <class... Values>
	ue__emission(struct ue_event *event, const struct ue__desc *desc, const ue__with_activity &,
		     const Values &...values)
	{
		ue__in_front<ue__emission, ue__values<>, Values...>::emit(event, desc, values...);
	}
	template <class... More>
	static void emit(struct ue_event *event, const struct ue__desc *desc, uint64_t v0,
			 uint64_t v1, uint64_t v2, uint64_t v3, More... more)
	{
		UE__EMIT_(Kind, event, desc, Sum, Meta, v0, v1, v2, v3, more...);
	}
};
#else
#define UE__EVALUATE(kind, event, desc, sum, meta, ...)                               \
	{                                                                             \
		UE__SCAN(UE__EACH(UE__DO, , __VA_ARGS__))                             \
		UE__EMIT(kind, event, desc, sum, meta,                                \
			 UE__EACH(UE__ACTIVITY_PASS, , __VA_ARGS__)                   \
				 UE__SCAN(UE__EACH(UE__PASS, , __VA_ARGS__)) UE__FOUR); \
	}
#endif
#else
#ifdef __cplusplus
#define UE__INLINE inline __attribute__((__unused__))
#else
#define UE__INLINE static inline __attribute__((__unused__))
#endif
#define UE__TRACE(name, ...)                                                          \
	do {                                                                          \
		UE__BARES(__VA_ARGS__)                                                \
		UE__EACH(UE__CHECK, , __VA_ARGS__)                                    \
		if (0) {                                                              \
			UE__EACH(UE__DO, , __VA_ARGS__)                               \
		}                                                                     \
	} while (0)
#endif
#define UE_TRACE(...) UE__TRACE(__VA_ARGS__, UE__END)
