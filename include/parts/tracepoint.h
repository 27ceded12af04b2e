/* SPDX-License-Identifier: MIT */
/*
 * UE_TRACEPOINT
 */

@private

/* op UE__PARAM, UE__FORWARD: a function's parameters, and its call */
#define UE__PARAM_0V(c, t, string, variable, value, ctype, name) , ctype name
#define UE__PARAM_0P(c, t, string, variable, p, n, ctype, name) , ctype name, size_t name##_count
#define UE__PARAM_0X(...)
#define UE__FORWARD_0V(c, t, string, variable, value, ctype, name) , name
#define UE__FORWARD_0P(c, t, string, variable, p, n, ctype, name) , name, name##_count
#define UE__FORWARD_0X(...)

/* op UE__POINT: at file scope there are no variables whose types could be asked for */
#define UE__POINT_0B(c, t, string, ...)                                               \
	UE__STATIC_ASSERT(0, "user_events.h: field \"" string                         \
			     "\" of UE_TRACEPOINT names its type: UE_I32(" string ")");
#define UE__POINT_0V(...)
#define UE__POINT_0P(...)
#define UE__POINT_0S(...)
#define UE__POINT_0R(...)
#define UE__POINT_0X(...)

#define UE_TRACEPOINT(...) UE__TRACEPOINT(__VA_ARGS__, UE__END)
#define UE__TRACEPOINT(name, ...)                                                     \
	UE__EACH(UE__POINT, , __VA_ARGS__)                                            \
	UE__TRACEPOINT_(name, ue__site_##name,                                        \
			UE__PARAMETERS(UE__EACH(UE__PARAM, , __VA_ARGS__)),           \
			UE__ARGUMENTS(UE__EACH(UE__FORWARD, , __VA_ARGS__)), __VA_ARGS__)
/* ", a, b" to "(a, b)", nothing to "(void)" or "()" */
#define UE__PARAMETERS(...) \
	UE__CAT(UE__LIST_, UE__IS_NOTHING(__VA_ARGS__, (), ~))(void, __VA_ARGS__)
#define UE__ARGUMENTS(...) UE__CAT(UE__LIST_, UE__IS_NOTHING(__VA_ARGS__, (), ~))(, __VA_ARGS__)
#define UE__IS_NOTHING(nothing, first, ...) UE__IS_PAREN(first)
#define UE__LIST_1(none, nothing) (none)
#define UE__LIST_0(none, nothing, ...) (__VA_ARGS__)
#ifdef UE_DISABLE
#define UE__TRACEPOINT_(name, tag, parameters, arguments, ...)                        \
	UE__EACH(UE__CHECK, , __VA_ARGS__)                                            \
	UE__INLINE bool trace_##name##_enabled(void)                                  \
	{                                                                             \
		return false;                                                         \
	}                                                                             \
	UE__INLINE void trace_##name parameters                                       \
	{                                                                             \
		if (0) {                                                              \
			UE__EACH(UE__DO, , __VA_ARGS__)                               \
		}                                                                     \
	}                                                                             \
	struct ue__semicolon
#else
#define UE__TRACEPOINT_(name, tag, parameters, arguments, ...)                        \
	UE__SITE_TAG(tag, name, __VA_ARGS__);                                         \
	UE__EACH(UE__CHECK, , __VA_ARGS__)                                            \
	UE__SLOW void ue__trace_##name parameters                                     \
	{                                                                             \
		UE__USE(tag);                                                         \
		UE__NOTE(name, UE__COUNT(__VA_ARGS__), __VA_ARGS__)                   \
		UE__EVALUATE(UE__KERNEL_KIND, &UE__SITE(tag), UE__DESC_OF(tag),       \
			     UE__KSUM_ALL(__VA_ARGS__), 0u, __VA_ARGS__);             \
	}                                                                             \
	UE__INLINE bool trace_##name##_enabled(void)                                  \
	{                                                                             \
		UE__USE(tag);                                                         \
		return ue_event_enabled(&UE__SITE(tag));                              \
	}                                                                             \
	UE__INLINE void trace_##name parameters                                       \
	{                                                                             \
		if (UE__UNLIKELY(ue_event_enabled(&UE__SITE(tag))))                                 \
			ue__trace_##name arguments;                                   \
	}                                                                             \
	struct ue__semicolon
#endif
