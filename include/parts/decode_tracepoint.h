/* SPDX-License-Identifier: MIT */
/*
 * Names of tracepoints
 */

/* @private */

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
