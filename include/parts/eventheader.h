/* SPDX-License-Identifier: MIT */
/*
 * EventHeader
 */

/* @public */

/*
 * EventHeader
 * ===========
 *
 * Self-describing events: each carries its name and the names, types and formats of
 * its fields, so any number of events, with floats, structs and arrays, share the one
 * tracepoint of their set. docs/eventheader.md tells when to want which kind.
 *
 * UE_EVENT_SET(symbol, "provider", level, keyword [, "group"]);
 *
 * At file scope in one source file: defines the set SYMBOL, the tracepoint
 * user_events:PROVIDER_LxKy[Ggroup]. PROVIDER is an identifier, LEVEL 1..255
 * (UE_LEVEL_...), KEYWORD a 64-bit mask of the provider's own categories, GROUP
 * [0-9a-z]*; at most 255 bytes together.
 *
 * UE_DECLARE_EVENT_SET(symbol);	lets other files of the program use it
 *
 * UE_LOG(set, "event name", fields...)
 *
 * A statement, like UE_TRACE. Among the fields may stand, with constant values,
 *
 *	UE_OPCODE(x)		UE_OPCODE_...
 *	UE_ID(id, version)	a stable number for the event
 *	UE_TAG(tag)		16 bits of the provider's own
 *
 * and UE_ACTIVITY(id) or UE_ACTIVITY(id, related), pointers to 16 bytes as
 * ue_activity_new() makes them, NULL for none.
 *
 * UE_LOG_ENABLED(set)		does anybody listen? One load.
 */
#define UE_LEVEL_CRITICAL 1
#define UE_LEVEL_ERROR 2
#define UE_LEVEL_WARNING 3
#define UE_LEVEL_INFORMATION 4
#define UE_LEVEL_VERBOSE 5

#define UE_OPCODE_INFO 0
#define UE_OPCODE_ACTIVITY_START 1
#define UE_OPCODE_ACTIVITY_STOP 2
#define UE_OPCODE_COLLECTION_START 3
#define UE_OPCODE_COLLECTION_STOP 4
#define UE_OPCODE_EXTENSION 5
#define UE_OPCODE_REPLY 6
#define UE_OPCODE_RESUME 7
#define UE_OPCODE_SUSPEND 8
#define UE_OPCODE_SEND 9
#define UE_OPCODE_RECEIVE 0xf0

#define UE_OPCODE(x) (0X, UE__FIELD, 0OPCODE, x)
#define UE_ID(id, version) (0X, UE__FIELD, 0ID, id, version)
#define UE_TAG(tag) (0X, UE__FIELD, 0TAG, tag)
#define UE_ACTIVITY(...) UE__ACTIVITY(__VA_ARGS__, UE__NULL, ~)

struct ue_event_set {
	struct ue_event event;
};

/*
 * A set whose provider, level, keyword or group are known at run time only. The rules
 * are those of UE_EVENT_SET and of ue_event_register(), group may be NULL;
 * -EINVAL also for a provider, level or group that breaks them. The struct's memory is
 * the caller's, as with ue_event_register(). USDT probes of its events have no semaphore.
 */
UE__API int ue_event_set_register(struct ue_event_set *set, const char *provider,
				  unsigned int level, uint64_t keyword, const char *group);
UE__API int ue_event_set_unregister(struct ue_event_set *set);
UE__SHORT bool ue_event_set_enabled(const struct ue_event_set *set);

/*
 * Makes a new activity id: 16 bytes, unique among all processes of the system and in
 * practice everywhere (122 random bits to begin with). No lock, and no system call
 * but for the first in a process and after a fork. Thread-safe, async-signal-safe.
 */
UE__API void ue_activity_new(uint8_t id[16]);
