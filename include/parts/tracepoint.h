/* SPDX-License-Identifier: MIT */
/*
 * UE_TRACEPOINT
 */

/* @private */

/* op UE__PARAM, UE__FORWARD: a function's parameters, and its call */
#define UE__PARAM_0B(...)
#define UE__PARAM_0V(at, kind, as, tag, string, name, ...) , ue__c_##kind name
#define UE__PARAM_0P(at, kind, as, tag, string, name, ...) , ue__c_##kind name, size_t name##_count
#define UE__PARAM_0L(at, kind, as, tag, string, name, ...) \
	, ue__c_##kind const *name, size_t name##_count
#define UE__PARAM_0F(at, kind, as, tag, string, name, ...) , ue__c_##kind const *name
#define UE__PARAM_0S(...)
#define UE__PARAM_0R(...)
#define UE__PARAM_0M(...)
#define UE__PARAM_0X(...)
#define UE__FORWARD_0B(...)
#define UE__FORWARD_0V(at, kind, as, tag, string, name, ...) , name
#define UE__FORWARD_0P(at, kind, as, tag, string, name, ...) , name, name##_count
#define UE__FORWARD_0L UE__FORWARD_0P
#define UE__FORWARD_0F UE__FORWARD_0V
#define UE__FORWARD_0S(...)
#define UE__FORWARD_0R(...)
#define UE__FORWARD_0M(...)
#define UE__FORWARD_0X(...)

/* op UE__POINT: at file scope there are no variables whose types could be asked for */
#define UE__POINT_0B(at, as, tag, string, ...)                                        \
	UE__STATIC_ASSERT(0, "user_events.h: field \"" string                         \
			     "\" of UE_TRACEPOINT names its type: UE_I32(" string ")");
#define UE__POINT_0V(...)
#define UE__POINT_0P(...)
#define UE__POINT_0L(...)
#define UE__POINT_0F(...)
#define UE__POINT_0S(...)
#define UE__POINT_0R(...)
#define UE__POINT_0M(...)
#define UE__POINT_0X(...)

#define UE_TRACEPOINT(...) UE__TRACEPOINT(__VA_ARGS__, UE__END)
/* A name in quotes pastes to two tokens, of which the first is a macro. */
#define UE__TRACEPOINT(name, ...) \
	UE__SECOND_OF(UE__WRITE_THE_NAME_WITHOUT_QUOTES_##name, UE__TRACEPOINT_OF, ~) \
	(name, __VA_ARGS__)
#define UE__WRITE_THE_NAME_WITHOUT_QUOTES_ ~, UE__TRACEPOINT_QUOTED,
#define UE__TRACEPOINT_QUOTED(...) struct ue__semicolon
/* clang++ shows the last declaration beside a wrong argument, and each macro that it is made by. */
#define UE__TRACEPOINT_OF(name, ...)                                                        \
	UE__TRACEPOINT_(UE__GROUPS(__VA_ARGS__), UE__COUNT(__VA_ARGS__), name, __VA_ARGS__) \
	__typeof__(trace_##name) trace_##name
#define UE__TRACEPOINT_(n, count, name, ...) \
	UE__EACH(n, UE__POINT, UE__NORMAL(n, , __VA_ARGS__))                          \
	UE__TRACEPOINT__(n, count, name, #name,                                       \
			 UE__CAT(UE__GROUPS_, n)(UE__RUN_POINT, , name##_, __VA_ARGS__, UE__END, \
				UE__END, UE__END, UE__END, UE__END, UE__END, UE__END, UE__END) ~)
#define UE__RUN_POINT(op, at, more, x1, x2, x3, x4, x5, x6, x7, x8)                   \
	UE__TUPLE_OF(UE__POINT_BARE, at##more##_1, x1),                                \
	UE__TUPLE_OF(UE__POINT_BARE, at##more##_2, x2),                                \
	UE__TUPLE_OF(UE__POINT_BARE, at##more##_3, x3),                                \
	UE__TUPLE_OF(UE__POINT_BARE, at##more##_4, x4),                                \
	UE__TUPLE_OF(UE__POINT_BARE, at##more##_5, x5),                                \
	UE__TUPLE_OF(UE__POINT_BARE, at##more##_6, x6),                                \
	UE__TUPLE_OF(UE__POINT_BARE, at##more##_7, x7),                                \
	UE__TUPLE_OF(UE__POINT_BARE, at##more##_8, x8),
/* told already */
#define UE__POINT_BARE(rest) UE__POINT_BARE_
#define UE__POINT_BARE_(at, x) 0V(at, 0I32, , , #x, x, x)
#define UE__TRACEPOINT__(n, count, name, string, ...)                                 \
	UE__CHECK_NAMES(string ";" UE__EACH_##n(UE__NAME, __VA_ARGS__)) \
	UE__FIELDS(n, name##_, count, string, __VA_ARGS__)                            \
	UE__TRACEPOINT___(n, count, name, string, ue__site_##name,                    \
			  UE__PARAMETERS(UE__EACH_##n(UE__PARAM, __VA_ARGS__)),      \
			  UE__ARGUMENTS(UE__EACH_##n(UE__FORWARD, __VA_ARGS__)), __VA_ARGS__)
/* ", a, b" to "(a, b)", nothing to "(void)" or "()" */
#define UE__PARAMETERS(...) \
	UE__CAT(UE__LIST_, UE__IS_NOTHING(__VA_ARGS__, (), ~))(void, __VA_ARGS__)
#define UE__ARGUMENTS(...) UE__CAT(UE__LIST_, UE__IS_NOTHING(__VA_ARGS__, (), ~))(, __VA_ARGS__)
#define UE__IS_NOTHING(nothing, first, ...) UE__IS_PAREN(first)
#define UE__LIST_1(none, nothing) (none)
#define UE__LIST_0(none, nothing, ...) (__VA_ARGS__)
/* Not all of the functions need be called. What is marked as unused may not be, for clang. */
#ifdef __clang__
#define UE__MAYBE_CALLED(...)                                                         \
	_Pragma("clang diagnostic push")                                              \
	_Pragma("clang diagnostic ignored \"-Wunused-function\"") __VA_ARGS__         \
	_Pragma("clang diagnostic pop")
#else
#define UE__MAYBE_CALLED(...) __VA_ARGS__
#endif
#ifdef UE_DISABLE
#define UE__TRACEPOINT___(n, count, name, string, tag, parameters, arguments, ...)    \
	UE__MAYBE_CALLED(UE__INLINE bool trace_##name##_enabled(void)                 \
	{                                                                             \
		return false;                                                         \
	}                                                                             \
	UE__INLINE void trace_##name parameters                                       \
	{                                                                             \
		if (0) {                                                              \
			UE__IGNORE(n, __VA_ARGS__)                                    \
		}                                                                     \
	})
#else
#ifdef __cplusplus
#define UE__POINT_SITE UE__SITE_CLASS
#define UE__POINT_BODY(tag, n, at, count, name, ...) \
	(void)tag{ 0 UE__EACH_##n(UE__ARGUMENT, __VA_ARGS__) };
#else
#define UE__POINT_SITE UE__SITE_OBJECTS
#define UE__POINT_BODY UE__WRITE_OUT
#endif
#define UE__TRACEPOINT___(n, count, name, string, tag, parameters, arguments, ...)    \
	UE__POINT_SITE(tag, n, name##_, count, string, __VA_ARGS__);                  \
	UE__SLOW void ue__trace_##name parameters                                     \
	{                                                                             \
		UE__USE(tag);                                                         \
		UE__POINT_BODY(tag, n, name##_, count, string, __VA_ARGS__)           \
	}                                                                             \
	UE__MAYBE_CALLED(UE__INLINE bool trace_##name##_enabled(void)                 \
	{                                                                             \
		UE__USE(tag);                                                         \
		return ue_event_enabled(&UE__SITE(tag));                              \
	}                                                                             \
	UE__INLINE void trace_##name parameters                                       \
	{                                                                             \
		if (UE__UNLIKELY(ue_event_enabled(&UE__SITE(tag))))                   \
			ue__trace_##name arguments;                                   \
	})
#endif
