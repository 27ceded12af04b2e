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

UE__DECODE_COLD int ue__decode_bad(struct ue_decode_event *event, int error, size_t offset)
{
	if (!event->error) {
		event->error = error;
		event->error_offset = offset;
	}
	return -EBADMSG;
}

/* Eight bytes, the first in the lowest bits. */
static inline uint64_t ue__decode_eight(const void *p)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	uint64_t bytes;

	memcpy(&bytes, p, 8);
	return bytes;
#else
	return ue__decode_u64((const uint8_t *)p, 0);
#endif
}

#define UE__DECODE_ONES 0x0101010101010101u

/* Bit 7 of each byte that is zero; also of bytes above one, which are not looked at. */
static inline uint64_t ue__decode_zeros(uint64_t bytes)
{
	return (bytes - UE__DECODE_ONES) & ~bytes & UE__DECODE_ONES * 0x80;
}

/* A name with attributes, at the very end of the event, or without a NUL. */
UE__DECODE_COLD const uint8_t *ue__decode_name_slowly(const uint8_t *p, const uint8_t *end,
						      const char **name, size_t *name_length,
						      size_t *attributes_length)
{
	const uint8_t *begin = p, *semicolon = NULL;

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

/*
 * Reads a name, which must have a NUL before end; returns what follows it, or NULL. Bytes up
 * to limit, where the event ends, may be read, too.
 */
UE__DECODE_INLINE const uint8_t *ue__decode_name(const uint8_t *begin, const uint8_t *end,
						 const uint8_t *limit, const char **name,
						 size_t *name_length, size_t *attributes_length)
{
#if defined(__GNUC__)
	const uint8_t *p = begin;

	for (; limit - p >= 8; p += 8) {
		uint64_t bytes = ue__decode_eight(p), nul = ue__decode_zeros(bytes);
		uint64_t semicolon = ue__decode_zeros(bytes ^ UE__DECODE_ONES * ';');

		/* before the first NUL, of which the lowest bit tells */
		if (UE__DECODE_UNLIKELY(semicolon & ((nul & (0 - nul)) - 1)))
			break;
		if (nul) {
			p += __builtin_ctzll(nul) >> 3;
			if (UE__DECODE_UNLIKELY(p >= end))
				return NULL;
			*name = (const char *)begin;
			*name_length = (size_t)(p - begin);
			*attributes_length = 0;
			return p + 1;
		}
	}
#else
	(void)limit;
#endif
	return ue__decode_name_slowly(begin, end, name, name_length, attributes_length);
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
UE__DECODE_COLD int ue__decode_any_tracepoint(struct ue_decode_event *event, const char *name,
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

/* Of eight letters or more. */
static inline int ue__decode_has_colon(const char *p, size_t length)
{
	uint64_t found = 0;

	for (; length >= 8; p += 8, length -= 8)
		found |= ue__decode_zeros(ue__decode_eight(p) ^ UE__DECODE_ONES * ':');
	p -= 8 - length; /* the last eight, some of them again */
	return (found | ue__decode_zeros(ue__decode_eight(p) ^ UE__DECODE_ONES * ':')) != 0;
}

/* What nearly all are, PROVIDER_LxKy with a level of one digit and no system; 0 for others. */
static inline int ue__decode_plain_tracepoint(struct ue_decode_event *event, const char *name,
					      size_t length, uint64_t *level)
{
	const char *end = name + length, *split = end - 4, *p;
	uint64_t keyword = 0;

	if (length < 8)
		return 0;
	do { /* in the last eight letters: a keyword of up to four digits */
		if (--split < end - 8)
			return 0;
	} while (*split != '_');
	*level = (uint64_t)(unsigned char)split[2] - '0';
	if (split == name || split[1] != 'L' || *level - 1 > 8 || split[3] != 'K' ||
	    ue__decode_has_colon(name, length))
		return 0;
	for (p = split + 4; p < end; p++) {
		unsigned digit = (unsigned char)*p - '0';

		if (digit > 9) {
			digit = (unsigned char)*p - 'a' + 10u;
			if (digit - 10 > 5)
				return 0;
		}
		keyword = keyword << 4 | digit;
	}
	event->provider = name;
	event->provider_length = (size_t)(split - name);
	event->options = end;
	event->keyword = keyword;
	return 1;
}

static inline void ue__decode_tracepoint(struct ue_decode_event *event, const char *name,
					 size_t length, uint64_t *level)
{
	if (UE__DECODE_UNLIKELY(!ue__decode_plain_tracepoint(event, name, length, level)))
		ue__decode_any_tracepoint(event, name, length, level);
}

static inline int ue__decode_metadata(struct ue_decode_event *event, const uint8_t *p,
				      size_t size)
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

/* By hand: compilers make of memset() an instruction that takes longer than all the rest. */
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
