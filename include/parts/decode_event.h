/* SPDX-License-Identifier: MIT */
/*
 * An event's identity
 */

@public

/*
 * Events
 * ======
 *
 * Lengths are in bytes. Strings have a length and no NUL. They are what the event
 * holds, UTF-8 by convention but nobody has checked.
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

#define UE_DECODE_FLAG_POINTER64 1
#define UE_DECODE_FLAG_LITTLE_ENDIAN 2
#define UE_DECODE_FLAG_EXTENSION 4

/*
 * Reads who an EventHeader event is from. tracepoint is the tracepoint's name, with
 * or without its system ("user_events:MyApp_L4K1"), or NULL if it is not known;
 * data are the event's bytes from the header on, behind the record's common
 * fields. Both must outlive the event.
 *
 * Returns 0, or -EBADMSG with event->error and event->error_offset set. The offset
 * counts in data, or in the name for UE_DECODE_ETRACEPOINT. Whatever could be read
 * is in the event all the same, the rest is zero; its fields can be asked for and
 * its JSON be printed either way.
 */
static inline int ue_decode_parse(struct ue_decode_event *event, const char *tracepoint,
				  size_t tracepoint_length, const void *data, size_t size);

@private

/* An event's identity. */

static inline int ue__decode_bad(struct ue_decode_event *event, int error, size_t offset)
{
	if (!event->error) {
		event->error = error;
		event->error_offset = offset;
	}
	return -EBADMSG;
}

/* Reads lowercase hex digits from *p on; there must be at least one. */
static inline int ue__decode_hex(const char **p, const char *end, uint64_t *value)
{
	const char *begin = *p;

	for (*value = 0; *p < end; (*p)++) {
		unsigned digit = (unsigned char)**p;

		if (digit >= '0' && digit <= '9')
			digit -= '0';
		else if (digit >= 'a' && digit <= 'f')
			digit -= 'a' - 10;
		else
			break;
		if (*value >> 60)
			return -1;
		*value = *value << 4 | digit;
	}
	return *p > begin ? 0 : -1;
}

/* [SYSTEM:]PROVIDER_LxKy[OPTIONS], with .HEX behind it if it is a multi-format event. */
static inline int ue__decode_tracepoint(struct ue_decode_event *event, const char *name,
					size_t length, uint64_t *level)
{
	const char *end = name + length, *provider = end, *split, *p, *options;
	uint64_t suffix;

	while (provider > name && provider[-1] != ':')
		provider--;
	event->provider = provider;
	event->provider_length = (size_t)(end - provider);

	for (p = end; p > provider && p[-1] != '_';)
		p--;
	split = p - 1;
	if (split <= provider || p == end || *p++ != 'L' || ue__decode_hex(&p, end, level) ||
	    *level - 1 > 0xfe || p == end || *p++ != 'K' ||
	    ue__decode_hex(&p, end, &event->keyword))
		goto bad;
	options = p;
	while (p < end && *p >= 'A' && *p <= 'Z') {
		const char *option = p++;

		while (p < end && ((*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'z')))
			p++;
		if (*option == 'G') {
			event->group = option + 1;
			event->group_length = (size_t)(p - event->group);
		}
	}
	event->options = options;
	event->options_length = (size_t)(p - options);
	if (p < end && *p == '.') {
		p++;
		if (ue__decode_hex(&p, end, &suffix))
			goto bad;
	}
	if (p < end)
		goto bad;
	event->provider_length = (size_t)(split - provider);
	return 0;
bad:
	event->keyword = 0;
	event->options_length = event->group_length = 0;
	*level = 0;
	return ue__decode_bad(event, UE_DECODE_ETRACEPOINT, (size_t)(p - name));
}

/* Bit 7 of each byte that is zero; also of bytes above one, which are not looked at. */
static inline uint64_t ue__decode_zeros(uint64_t bytes)
{
	const uint64_t ones = 0x0101010101010101;

	return (bytes - ones) & ~bytes & ones * 0x80;
}

/* Reads a name, which must have a NUL; returns what follows it, or NULL. */
static inline const uint8_t *ue__decode_name(const uint8_t *p, const uint8_t *end,
					     const char **name, size_t *name_length,
					     size_t *attributes_length)
{
	const uint8_t *begin = p, *semicolon = NULL;

#if defined(__GNUC__)
	for (; end - p >= 8; p += 8) {
		uint64_t bytes = ue__decode_u64(p, 0), nul = ue__decode_zeros(bytes);
		uint64_t found = ue__decode_zeros(bytes ^ 0x0101010101010101 * ';');

		/* the lowest is the first; without a NUL it is before all of them, up to byte 7 */
		if (found && !semicolon && (found ^ (found - 1)) <= (nul ^ (nul - 1)))
			semicolon = p + (__builtin_ctzll(found) >> 3);
		if (nul) {
			p += __builtin_ctzll(nul) >> 3;
			break;
		}
	}
#endif
	for (; p < end && *p; p++)
		if (*p == ';' && !semicolon)
			semicolon = p;
	if (p == end)
		return NULL;
	if (!semicolon)
		semicolon = p;
	*name = (const char *)begin;
	*name_length = (size_t)(semicolon - begin);
	*attributes_length = (size_t)(p - semicolon);
	return p + 1;
}

static inline int ue__decode_metadata(struct ue_decode_event *event, const uint8_t *p,
				      size_t size)
{
	const uint8_t *end = p + size;

	if (event->name)
		return ue__decode_bad(event, UE_DECODE_ETWICE, (size_t)(p - event->data));
	event->definitions = ue__decode_name(p, end, &event->name, &event->name_length,
					     &event->attributes_length);
	if (!event->definitions) {
		event->definitions = end;
		return ue__decode_bad(event, UE_DECODE_ENAME, (size_t)(p - event->data));
	}
	event->definitions_length = (size_t)(end - event->definitions);
	return 0;
}

static inline int ue__decode_activity(struct ue_decode_event *event, const uint8_t *p,
				      size_t size)
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

static inline int ue_decode_parse(struct ue_decode_event *event, const char *tracepoint,
				  size_t tracepoint_length, const void *data, size_t size)
{
	const uint8_t *p = (const uint8_t *)(data ? data : ""), *end = p + size;
	uint64_t level = 0;
	unsigned more;
	int big;

	memset(event, 0, sizeof(*event));
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
	if (p[0] & ~7)
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
		if ((kind & 0x7fff) == 1)
			ue__decode_metadata(event, p, block);
		else if ((kind & 0x7fff) == 2)
			ue__decode_activity(event, p, block);
		else if (!(kind & 0x7fff))
			ue__decode_bad(event, UE_DECODE_EEXTENSIONKIND,
				       (size_t)(p - 4 - event->data));
		p += block;
		more = kind & 0x8000;
	}
	event->payload = p;
	return event->error ? -EBADMSG : 0;
}
