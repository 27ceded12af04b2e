/* SPDX-License-Identifier: MIT */
/*
 * UE_EVENT_SET
 */

/* @private */

#define UE__HEX_DIGITS(x) ((67u - UE__U32(__builtin_clzll((x) | UE__U64(1)))) / 4u)
#define UE__SET_IS_LONG(provider, level, keyword, group)                              \
	(sizeof(provider) + 2 + UE__HEX_DIGITS(level) + UE__HEX_DIGITS(keyword) +     \
		 (sizeof(group) > 1 ? sizeof(group) : 0) > 255)
#define UE_DECLARE_EVENT_SET(symbol) extern UE__TYPE(ue_event_set) symbol UE__HIDDEN
#define UE_EVENT_SET(...) UE__EVENT_SET(__VA_ARGS__, "", ~)
#define UE__EVENT_SET(symbol, provider, level_, keyword, group, ...)                  \
	_Pragma("GCC diagnostic push")                                                \
	_Pragma("GCC diagnostic ignored \"-Wredundant-decls\"") /* a header's, too */  \
	UE_DECLARE_EVENT_SET(symbol);                                                 \
	_Pragma("GCC diagnostic pop")                                                 \
	UE__STATIC_ASSERT(!((level_) < 1 || (level_) > 255),                          \
			  "user_events.h: the level of an event set is 1 to 255");    \
	UE__STATIC_ASSERT(!!(sizeof(provider) > 1), "user_events.h: an event set has a name"); \
	UE__STATIC_ASSERT(!UE__SET_IS_LONG(provider, level_, keyword, group),         \
			  "user_events.h: an event set's name, PROVIDER_LxKyGgroup, is at most " \
			  "255 bytes");                                               \
	UE__DEFINE_SET(symbol, provider, UE__U8((level_) & 255), keyword, group)
#ifdef UE_DISABLE
#define UE__DEFINE_SET(symbol, provider, level_, keyword, group) \
	UE__TYPE(ue_event_set) symbol = { { 0, 0, NULL, NULL, NULL, 0, level_, 0, 0, 0 } }
#else
#define UE__DEFINE_SET(symbol, provider, level_, keyword, group)                      \
	static const struct {                                                         \
		UE__TYPE(ue__desc) ue__head;                                             \
		uint64_t ue__keyword;                                                 \
		char ue__text[sizeof(provider "\0" group)];                               \
	} ue__set_of_##symbol = { UE__DESC(UE__DESC_SET, UE__U64(0), 0, 0), (keyword),          \
			       provider "\0" group };                                 \
	static void __attribute__((__used__, __noinline__, __cold__)) ue__note_##symbol(void) \
	{                                                                             \
		UE__KEEP_START;                                                       \
		__asm__ volatile(UE__NOTE_BEGIN(UE__NOTE_SET)                         \
				 ".byte " UE__NUMBER "[ue_level]\n.byte 0\n"         \
				 ".2byte " UE__NUMBER "[ue_k0], " UE__NUMBER "[ue_k1]\n" \
				 ".2byte " UE__NUMBER "[ue_k2], " UE__NUMBER "[ue_k3]\n" \
				 ".ascii " UE__STRINGIFY_EACH(provider) "\n.byte 0\n" \
				 ".ascii " UE__STRINGIFY_EACH(group) "\n.byte 0\n"   \
				 UE__ADDRESS UE__SYMBOL "[ue_event]\n" UE__NOTE_END   \
				 :                                                    \
				 : [ue_event] UE__PLACE_OF(&symbol), \
				   [ue_level] "i"(UE__INT(level_)), UE__KEYWORD_PART(0, keyword), \
				   UE__KEYWORD_PART(1, keyword), UE__KEYWORD_PART(2, keyword), \
				   UE__KEYWORD_PART(3, keyword));                     \
		UE__USDT_SET(symbol)                                                  \
	}                                                                             \
	UE__DEFINE_SET_EVENT(symbol, level_)
#define UE__KEYWORD_PART(n, keyword) \
	[ue_k##n] "i"(UE__INT(((keyword) | UE__U64(0)) >> 16 * n & 0xffff))
#ifdef __cplusplus
#define UE__DEFINE_SET_EVENT(symbol, level)                                                 \
	UE__TYPE(ue_event_set) symbol = { UE__EVENT_INIT(nullptr, level) };              \
	static const bool ue__declared_##symbol __attribute__((__unused__)) =         \
		(ue__until_exit<UE__AUTOMATIC>(),                            \
		 ue__declare(ue__event_of(&symbol), &ue__set_of_##symbol.ue__head, UE__AUTOMATIC))
#else
#define UE__DEFINE_SET_EVENT(symbol, level) \
	struct ue_event_set symbol UE__IN_SECTION = { \
		UE__EVENT_INIT(&ue__set_of_##symbol.ue__head, level) }
#endif
#endif /* UE_DISABLE */
