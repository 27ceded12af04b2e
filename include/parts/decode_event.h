/* SPDX-License-Identifier: MIT */
/*
 * An event's identity
 */

/* @public */

/*
 * Events
 * ======
 *
 * Lengths are in bytes. Strings have a length and no NUL. They are what the event
 * holds: UTF-8 by convention, but not checked.
 */
struct ue_decode_event {
	/* From the tracepoint's name; lengths 0 and keyword 0 without one. */
	const char *provider;
	size_t provider_length;
	const char *options; /* all of them: "Gperf" */
	size_t options_length;
	const char *group; /* the value of option G: "perf" */
	size_t group_length;
	uint64_t keyword;

	/* The header. */
	uint16_t id; /* 0 = none */
	uint16_t tag;
	uint8_t flags; /* UE_DECODE_FLAG_... */
	uint8_t version;
	uint8_t opcode;
	uint8_t level;

	const uint8_t *activity; /* 16 bytes, or NULL */
	const uint8_t *related;	 /* 16 bytes, or NULL */
	const char *name;
	size_t name_length;	  /* without attributes; 0 without metadata */
	size_t attributes_length; /* ";attribute=value...", right after the name */

	/* The first thing found wrong: UE_DECODE_E..., and the byte of it. */
	int error;
	size_t error_offset;

	/* Where things are. */
	const uint8_t *data;
	size_t size;
	const uint8_t *definitions;
	size_t definitions_length;
	const uint8_t *payload;
};

#define UE_DECODE_FLAG_POINTER64 UE__HEADER_POINTER64
#define UE_DECODE_FLAG_LITTLE_ENDIAN UE__HEADER_LITTLE_ENDIAN
#define UE_DECODE_FLAG_EXTENSION UE__HEADER_EXTENSION

/*
 * Reads an EventHeader event's identity. tracepoint is the tracepoint's name, with or without its
 * system ("user_events:MyApp_L4K1"), or NULL if it is not known; data are the event's bytes from
 * the header on, behind the record's common fields. Both must outlive the event.
 *
 * Returns 0, or -EBADMSG with event->error and event->error_offset set. The offset counts in data,
 * or in the name for UE_DECODE_ETRACEPOINT. Whatever could be read is in the event all the same,
 * the rest is zero; its fields can be asked for and its JSON be printed either way.
 */
static inline int ue_decode_parse(struct ue_decode_event *event, const char *tracepoint,
				  size_t tracepoint_length, const void *data, size_t size);

/* @private */

static inline int ue__decode_metadata(struct ue_decode_event *event, const uint8_t *p, size_t size)
{
	const uint8_t *end = p + size;

	if (event->name)
		return ue__decode_bad(event, UE_DECODE_ETWICE, (size_t)(p - event->data));
	event->definitions = ue__decode_name(p, end, event->data + event->size, &event->name,
					     &event->name_length, &event->attributes_length);
	if (!event->definitions) {
		event->definitions = end;
		return ue__decode_bad(event, UE_DECODE_ENAME, (size_t)(p - event->data));
	}
	event->definitions_length = (size_t)(end - event->definitions);
	return 0;
}

static inline int ue__decode_activity(struct ue_decode_event *event, const uint8_t *p, size_t size)
{
	if (event->activity)
		return ue__decode_bad(event, UE_DECODE_ETWICE, (size_t)(p - event->data));
	if (size != 16 && size != 32)
		return ue__decode_bad(event, UE_DECODE_EACTIVITY, (size_t)(p - event->data));
	event->activity = p;
	if (size == 32)
		event->related = p + 16;
	return 0;
}

/* By hand: compilers turn memset() into an instruction that takes longer than all the rest. */
static inline void ue__decode_clear(struct ue_decode_event *event)
{
	event->provider = event->options = event->group = event->name = NULL;
	event->provider_length = event->options_length = event->group_length = 0;
	event->name_length = event->attributes_length = event->definitions_length = 0;
	event->keyword = 0;
	event->id = event->tag = 0;
	event->flags = event->version = event->opcode = event->level = 0;
	event->activity = event->related = NULL;
	event->error = 0;
	event->error_offset = 0;
}

static inline int ue_decode_parse(struct ue_decode_event *event, const char *tracepoint,
				  size_t tracepoint_length, const void *data, size_t size)
{
	const uint8_t *p = (const uint8_t *)(data ? data : ""), *end = p + size;
	uint64_t level = 0;
	unsigned more;
	int big;

	ue__decode_clear(event);
	event->data = p;
	event->size = size;
	event->definitions = event->payload = end;
	if (tracepoint)
		ue__decode_tracepoint(event, tracepoint, tracepoint_length, &level);
	if (size < 8)
		return ue__decode_bad(event, UE_DECODE_EHEADER, size);
	event->flags = p[0];
	big = !(p[0] & UE_DECODE_FLAG_LITTLE_ENDIAN);
	event->version = p[1];
	event->id = ue__decode_u16(p + 2, big);
	event->tag = ue__decode_u16(p + 4, big);
	event->opcode = p[6];
	event->level = p[7];
	if (p[0] &
	    ~(UE_DECODE_FLAG_POINTER64 | UE_DECODE_FLAG_LITTLE_ENDIAN | UE_DECODE_FLAG_EXTENSION))
		ue__decode_bad(event, UE_DECODE_EFLAGS, 0);
	if (level && level != p[7])
		ue__decode_bad(event, UE_DECODE_ELEVEL, 7);

	more = p[0] & UE_DECODE_FLAG_EXTENSION;
	p += 8;
	while (more) {
		unsigned block, kind;

		if (end - p < 4)
			return ue__decode_bad(event, UE_DECODE_EEXTENSION,
					      (size_t)(p - event->data));
		block = ue__decode_u16(p, big);
		kind = ue__decode_u16(p + 2, big);
		if ((size_t)(end - p) - 4 < block)
			return ue__decode_bad(event, UE_DECODE_EEXTENSION,
					      (size_t)(p - event->data));
		p += 4;
		if ((kind & UE__EXTENSION_KINDS) == UE__EXTENSION_METADATA)
			ue__decode_metadata(event, p, block);
		else if ((kind & UE__EXTENSION_KINDS) == UE__EXTENSION_ACTIVITY)
			ue__decode_activity(event, p, block);
		else if (!(kind & UE__EXTENSION_KINDS))
			ue__decode_bad(event, UE_DECODE_EEXTENSIONKIND,
				       (size_t)(p - 4 - event->data));
		p += block;
		more = kind & UE__EXTENSION_MORE;
	}
	event->payload = p;
	return event->error ? -EBADMSG : 0;
}
