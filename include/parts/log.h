/* SPDX-License-Identifier: MIT */
/*
 * UE_LOG
 */

@private

#define UE_LOG_ENABLED(set) ue_event_set_enabled(&(set))
#define UE_LOG(set, ...) UE__LOG(set, __VA_ARGS__, UE__END)
#define UE__LOG(set, event_name, ...)                                                 \
	UE__LOG_(set, event_name, UE__SCAN(UE__EACH(UE__SUM, , __VA_ARGS__)),         \
		 (UE__U64(0) UE__EACH(UE__HEAD, , __VA_ARGS__)), __VA_ARGS__)
#ifdef UE_DISABLE
#define UE__LOG_(set, event_name, sum, head, ...)                                     \
	do {                                                                          \
		UE__BARES(__VA_ARGS__)                                                \
		UE__SCAN(UE__EACH(UE__MEMBERS, , __VA_ARGS__))                        \
		UE__CHECK_HEAD(head)                                                  \
		if (0) {                                                              \
			(void)ue_event_set_enabled(&(set));                           \
			(void)sizeof("" event_name);                                  \
			UE__SCAN(UE__EACH(UE__DO, , __VA_ARGS__))                     \
		}                                                                     \
	} while (0)
#else
#define UE__LOG_(set, event_name, sum, head, ...)                                     \
	do {                                                                          \
		UE__BARES(__VA_ARGS__)                                                \
		UE__SCAN(UE__EACH(UE__MEMBERS, , __VA_ARGS__))                        \
		UE__CHECK_HEAD(head)                                                  \
		if (UE__UNLIKELY(ue_event_set_enabled(&(set)))) {                                   \
			struct ue__meta {                                             \
				uint8_t ue__flags, ue__version;                       \
				uint16_t ue__id, ue__tag;                             \
				uint8_t ue__opcode, ue__level;                        \
				uint16_t ue__size, ue__kind;                          \
				char ue__name[sizeof("" event_name)];                 \
				UE__SCAN(UE__EACH(UE__DEFINE, , __VA_ARGS__))         \
			} __attribute__((__packed__));                                \
			UE__STATIC_ASSERT(sizeof(struct ue__meta) <= 65535,           \
					  "user_events.h: names and fields over 64 KiB"); \
			static const struct UE__HIDDEN_TYPE {                         \
				struct ue__desc ue__head;                             \
				uint64_t ue__types[((UE__U64(0) sum) >> 48) + 1];     \
				struct ue__meta ue__meta_;                            \
			} ue__d = {                                                   \
				UE__DESC(UE__LOG_KIND, (UE__U64(0) sum),              \
					 UE__U16(sizeof(struct ue__meta))),           \
				{ UE__EACH(UE__ACTIVITY_TYPE, , __VA_ARGS__)          \
					  UE__SCAN(UE__EACH(UE__TYPE, , __VA_ARGS__)) UE__T_END }, \
				{ UE__HEADER_FLAGS, UE__U8((head) >> 16 & 0xff),      \
				  UE__U16((head) & 0xffff), UE__U16((head) >> 32 & 0xffff), \
				  UE__U8((head) >> 24 & 0xff), 0,                     \
				  UE__U16(sizeof(struct ue__meta) - 12), 1, event_name, \
				  UE__SCAN(UE__EACH(UE__INITIALISE, , __VA_ARGS__)) } \
			};                                                            \
			UE__EVALUATE(UE__LOG_KIND, ue__event_of(&(set)), &ue__d.ue__head, \
				     (UE__U64(0) sum), sizeof(struct ue__meta), __VA_ARGS__); \
		}                                                                     \
	} while (0)

#endif
