/* SPDX-License-Identifier: MIT */
/*
 * UE_LOG
 */

/* @private */

#define UE_LOG_ENABLED(set) ue_event_set_enabled(&(set))
#define UE_LOG(set, ...) UE__LOG(set, #set, __VA_ARGS__, UE__END)
#define UE__LOG(set, symbol, event_name, ...) \
	UE__LOG_(UE__GROUPS(__VA_ARGS__), set, symbol, event_name, __VA_ARGS__)
#define UE__LOG_(n, set, symbol, event_name, ...) \
	UE__LOG__(n, set, symbol, event_name, UE__NORMAL(n, , __VA_ARGS__))
#define UE__LOG_FIELDS(n, event_name, ...)                                                  \
	UE__EACH_##n(UE__TYPE, __VA_ARGS__) \
	UE__ENUM64{ UE__EACH_##n(UE__ENUM, __VA_ARGS__) ue__head = UE__U64(0)              \
			    UE__EACH_##n(UE__HEAD, __VA_ARGS__),                           \
		    ue__sum = UE__U64(0) UE__EACH_##n(UE__LOG_SUM, __VA_ARGS__) };         \
	UE__EACH_##n(UE__CHECK, __VA_ARGS__)                                               \
	UE__CHECK_HEAD(ue__head)
#ifdef UE_DISABLE
#define UE__LOG__(n, set, symbol, event_name, ...)          \
	do {                                                \
		UE__CHECK_LOG(#event_name, "event;" UE__EACH_##n(UE__NAME, __VA_ARGS__)) \
		UE__LOG_FIELDS(n, event_name, __VA_ARGS__)  \
		struct ue_event_set *const ue__set = &(set); \
		if (0) {                                    \
			(void)ue_event_set_enabled(ue__set); \
			UE__IGNORE(n, __VA_ARGS__)          \
		}                                           \
	} while (0)
#else
/*
 * An event's name that is no literal, or none, has been told. In parentheses, so that GCC goes on
 * behind them; __extension__ is for those.
 */
#ifdef __cplusplus
#define UE__LITERAL(name) (name)
#define UE__TYPE_OF_NAME(name) typedef decltype(name) ue__name_type
#else
#define UE__LITERAL(name) ("" name)
#define UE__TYPE_OF_NAME(name) typedef __typeof__("" name) ue__name_type
#endif
#define UE__METADATA(n, event_name, ...)                    \
	UE__TYPE_OF_NAME(event_name);                       \
	struct ue__meta {                                   \
		uint8_t ue__flags, ue__version;             \
		uint16_t ue__id, ue__tag;                   \
		uint8_t ue__opcode, ue__level;              \
		uint16_t ue__size, ue__kind;                \
		char ue__name[sizeof(ue__name_type)];       \
		UE__EACH_##n(UE__DEFINE, __VA_ARGS__)      \
	} __attribute__((__packed__));                      \
	UE__STATIC_ASSERT(!(sizeof(struct ue__meta) > 65535), \
			  "user_events.h: names and fields over 64 KiB");
#define UE__LOG_DESCRIPTOR(n, event_name, ...)                                                     \
	__extension__ static const struct UE__HIDDEN_TYPE {                                        \
		UE__TYPE(ue__desc) ue__desc_;                                                      \
		uint32_t ue__types[(UE__U64(ue__sum) >> 48 & 511) + 1];                            \
		struct ue__meta ue__meta_;                                                         \
	} ue__d = { UE__DESC(UE__DESC_LOG, UE__U64(ue__sum),                                       \
			     UE__U16(UE__U64(ue__sum) >> 48 & 511),                                \
			     UE__U16(sizeof(struct ue__meta))),                                    \
		    { UE__ACTIVITY_ENTRIES(UE__EACH_##n(UE__ACTIVITY_PASS, __VA_ARGS__))          \
			      UE__EACH_##n(UE__ENTRY, __VA_ARGS__) UE__T_END },                   \
		    { UE__HEADER_FLAGS, UE__U8(UE__BITS_OF(ue__head) >> 16 & 0xff),                \
		      UE__U16(UE__BITS_OF(ue__head) & 0xffff),                                     \
		      UE__U16(UE__U64(ue__head) >> 32 & 0xffff),                                   \
		      UE__U8(UE__BITS_OF(ue__head) >> 24 & 0xff), 0,                               \
		      UE__U16(sizeof(struct ue__meta) - 12), UE__EXTENSION_METADATA,               \
		      UE__LITERAL(event_name), UE__EACH_##n(UE__INITIALISE, __VA_ARGS__) } };
#define UE__EMIT_LOG(...) UE__EMIT(UE__LOG_FEW, UE__LOG_MORE, ue__sum, __VA_ARGS__)
#define UE__LOG_FEW(sum) \
	((UE__BITS_OF(sum) & 0xffffff) + sizeof(struct ue__meta) > UE__SMALL_FIXED ||             \
			 UE__U64(sum) >> 57                                                    \
		 ? UE__THE(ue__encode_log_any)                                                     \
	 : UE__U64(sum) >> 34 & 0x3fff ? UE__THE(ue__encode_log_text)                          \
					  : UE__THE(ue__encode_log))
/* an activity, the highest bit, may come with scalars */
#define UE__LOG_MORE(sum) \
	((UE__BITS_OF(sum) & 0xffffff) + sizeof(struct ue__meta) > UE__SMALL_FIXED ||             \
			 UE__U64(sum) << 1 & UE__SUM_NO_SCALARS << 1                           \
		 ? UE__THE(ue__encode_log_list)                                                    \
		 : UE__THE(ue__encode_log_more))
/* Behind the evaluation. ACTIVITY: its variables, in parentheses. */
#define UE__LOG_WRITE(n, symbol, event_name, activity, ...)                                        \
	UE__COLD_SITE;                                                                             \
	UE__USDT_LOG(symbol, event_name, ue__d,                                                    \
		     UE__EACH_##n(UE__PASS, __VA_ARGS__) UE__UNPACK activity,                      \
		     UE__EACH_##n(UE__USDT_VALUE, __VA_ARGS__) UE__ACTIVITY_OPERANDS activity)     \
	UE__EMIT_LOG(ue__e, &ue__d.ue__desc_,                                                      \
		     UE__UNPACK activity UE__EACH_##n(UE__PASS, __VA_ARGS__));
#if defined(__cplusplus) && defined(__clang__)
#define UE__LOG_OUT(n, symbol, event_name, ...)                                                    \
	__extension__({                                                                            \
		UE__LOG_DESCRIPTOR(n, event_name, __VA_ARGS__)                                     \
		struct ue_event *const ue__e = ue__event_of(ue__set);                              \
		uint64_t ue__none __attribute__((__unused__))                                      \
			UE__EACH_##n(UE__ACTIVITY_PASS, __VA_ARGS__)                               \
			UE__EACH_##n(UE__PASS, __VA_ARGS__);                                       \
		(void)(UE__EACH_##n(UE__EVALUATE, __VA_ARGS__) __extension__({                     \
			UE__LOG_WRITE(n, symbol, event_name,                                       \
				      (UE__EACH_##n(UE__ACTIVITY_PASS, __VA_ARGS__)), __VA_ARGS__) \
		}));                                                                               \
	});
#elif defined(__cplusplus)
#define UE__LOG_OUT(n, symbol, event_name, ...)                                                    \
	struct ue__s {                                                                             \
		ue__s(const ue__s &) = delete; \
		UE__ALWAYS_INLINE explicit ue__s(                                                  \
			struct ue_event *ue__e UE__EACH_##n(UE__PARAMETER, __VA_ARGS__))           \
		{                                                                                  \
			UE__LOG_DESCRIPTOR(n, event_name, __VA_ARGS__)                             \
			UE__LOG_WRITE(n, symbol, event_name,                                       \
				      (UE__EACH_##n(UE__ACTIVITY_PASS, __VA_ARGS__)), __VA_ARGS__) \
		}                                                                                  \
	};                                                                                         \
	(void)ue__s{ ue__event_of(ue__set) UE__EACH_##n(UE__ARGUMENT, __VA_ARGS__) };
#else
#define UE__LOG_OUT(n, symbol, event_name, ...)                                                    \
	UE__LOG_DESCRIPTOR(n, event_name, __VA_ARGS__)                                             \
	struct ue_event *const ue__e = ue__event_of(ue__set);                                      \
	UE__EACH_##n(UE__EVALUATE_LOG, __VA_ARGS__)                                                \
	UE__LOG_WRITE(n, symbol, event_name, (UE__EACH_##n(UE__ACTIVITY_PASS, __VA_ARGS__)),       \
		      __VA_ARGS__)
#endif
#define UE__LOG__(n, set, symbol, event_name, ...)                           \
	do {                                                                 \
		UE__CHECK_LOG(#event_name, "event;" UE__EACH_##n(UE__NAME, __VA_ARGS__)) \
		UE__LOG_FIELDS(n, event_name, __VA_ARGS__)                   \
		struct ue_event_set *const ue__set = &(set);                 \
		if (UE__UNLIKELY(ue_event_set_enabled(ue__set))) {           \
			UE__METADATA(n, event_name, __VA_ARGS__)             \
			UE__LOG_OUT(n, symbol, event_name, __VA_ARGS__)      \
		}                                                            \
	} while (0)
#endif
