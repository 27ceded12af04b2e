/* SPDX-License-Identifier: MIT */
/*
 * Encoding events of up to four values
 */

/* @enabled */

/*
 * The way from a call site, with what the site's macros know: of EVENT, the descriptor D and its
 * values. A site is UE__COLD_SITE and then one of these. The macros choose by the types, so that a
 * file with events of scalars alone does not compile what packs strings and arrays.
 */

UE__ENTRY void ue__encode_kernel_any(struct ue_event *event, const struct ue__desc *d, uint64_t v0,
				     uint64_t v1, uint64_t v2, uint64_t v3)
{
	uint64_t v[4] = { v0, v1, v2, v3 };

	ue__encode_kernel_array(event, d, v);
}

UE__ENTRY void ue__encode_log_any(struct ue_event *event, const struct ue__desc *d, uint64_t v0,
				  uint64_t v1, uint64_t v2, uint64_t v3)
{
	uint64_t v[4] = { v0, v1, v2, v3 };

	ue__encode_log_array(event, d, v);
}

/*
 * Is one of the two types at TYPE no scalar's? There is a type, or something else, behind the last.
 */
static UE__ALWAYS_INLINE bool ue__pair_is_beyond(const uint32_t *type)
{
#if __SIZEOF_SIZE_T__ > 4
	uint64_t two;

	memcpy(&two, type, sizeof(two));
	return (two & (UE__U64(UE__T_BEYOND_SCALARS) << 32 | UE__T_BEYOND_SCALARS)) != 0;
#else
	return ((type[0] | type[1]) & UE__T_BEYOND_SCALARS) != 0;
#endif
}

/* A scalar of the type at TYPE. Its size alone is loaded where that is one instruction. */
static UE__ALWAYS_INLINE unsigned char *ue__put_at(unsigned char *p, uint64_t value,
						   const uint32_t *type)
{
#if defined(__x86_64__)
	uint16_t size;

	memcpy(&size, (const unsigned char *)type + 2, sizeof(size));
	memcpy(p, &value, 8);
	return p + size;
#else
	return ue__put_value(p, value, *type);
#endif
}

/* Two scalars, straight from registers; to END behind the last. */
#define UE__PUT_TWO(p, type, end, v0, v1)                            \
	do {                                                         \
		if (ue__pair_is_beyond(type)) {                      \
			if ((UE__T_BEYOND_SCALARS & *(type)) == 0)   \
				(p) = ue__put_value(p, v0, *(type)); \
			goto end;                                    \
		}                                                    \
		(p) = ue__put_at(p, v0, type);                       \
		(p) = ue__put_at(p, v1, (type) + 1);                 \
	} while (0)
#define UE__PUT_FOUR(p, type, end, v0, v1, v2, v3)       \
	do {                                             \
		UE__PUT_TWO(p, type, end, v0, v1);       \
		UE__PUT_TWO(p, (type) + 2, end, v2, v3); \
	} while (0)

/* Kernel-typed, at most four values, all of them scalars. */
UE__HOT void ue__encode_scalars(struct ue_event *event, const struct ue__desc *d, uint64_t v0,
				uint64_t v1, uint64_t v2, uint64_t v3)
{
	unsigned char buffer[4 + 4 * 8 + 8], *p = buffer + 4;
	const uint32_t *type = ue__types(d);
	uint32_t index = UE__LOAD(&event->index);

	if (index-- == 0)
		return;
	memcpy(buffer, &index, 4);
	UE__PUT_FOUR(p, type, end, v0, v1, v2, v3);
end:
	ue__send_small(event, buffer, p);
}

/* memcpy(), without the call for the length that strings of events have most often. */
static UE__ALWAYS_INLINE void ue__copy_string(unsigned char *p, const char *s, size_t n)
{
	if (n >= 8 && n <= 16) {
		uint64_t first, last;

		memcpy(&first, s, 8);
		memcpy(&last, s + n - 8, 8);
		memcpy(p, &first, 8);
		memcpy(p + n - 8, &last, 8);
	} else {
		memcpy(p, s, n);
	}
}

/* Kernel-typed, at most four values, some of them strings: at DATA, behind the fixed fields. */
UE__HOT void ue__encode_text(struct ue_event *event, const struct ue__desc *d, uint64_t v0,
			     uint64_t v1, uint64_t v2, uint64_t v3)
{
	unsigned char buffer[UE__SMALL_SIZE + 4 * UE__SMALL_STRING], *p = buffer + 4;
	unsigned char *fixed_end, *data;
	const uint32_t *type = ue__types(d);
	const uint64_t *value;
	uint32_t index = UE__LOAD(&event->index);
	uint64_t v[4] = { v0, v1, v2, v3 };
	uint32_t t;

	if (index-- == 0)
		return;
	memcpy(buffer, &index, 4);
	/* up to the first string there is nothing behind the fixed fields */
	for (value = v; ((t = *type) & UE__T_BEYOND_SCALARS) == 0; type++, value++)
		p = ue__put_value(p, *value, t);
	/* most often that is the last one, and short: the loc is just before the data */
	if (t == UE__U32(UE__T_0STR & 0xffffffff) && type[1] == UE__T_END && *value) {
		const char *s = (const char *)(uintptr_t)*value;
		size_t n = strlen(s) + 1;
		uint32_t loc = (uint32_t)n << 16;

		memcpy(p, &loc, 4);
		if (UE__UNLIKELY(n > UE__SMALL_STRING)) {
			if (n > UE__LONG_STRING)
				goto unusual;
			ue__send_two(event, buffer, p + 4, s, n);
			return;
		}
		p += 4 + n;
		ue__copy_string(p - n, s, n);
		p[-1] = '\0'; /* whatever another thread did to the string */
		ue__send_small(event, buffer, p);
		return;
	}
	fixed_end = data = buffer + 4 + d->fixed;
	for (; (t = *type) != UE__T_END; type++, value++) {
		const char *s = (const char *)(uintptr_t)*value;
		uint32_t loc;
		size_t n;

		if ((t & UE__T_BEYOND_SCALARS) == 0) {
			p = ue__put_exactly(p, fixed_end, *value, t);
			continue;
		}
		if (t != UE__U32(UE__T_0STR & 0xffffffff))
			goto unusual;
		if (!s)
			s = "";
		n = strlen(s) + 1;
		if (UE__UNLIKELY(n > UE__SMALL_STRING) &&
		    (n > UE__LONG_STRING || type[1] != UE__T_END))
			goto unusual;
		loc = (uint32_t)(n << 16 | (size_t)(data - p - 4));
		memcpy(p, &loc, 4);
		p += 4;
		if (n > UE__SMALL_STRING) {
			ue__send_two(event, buffer, data, s, n);
			return;
		}
		ue__copy_string(data, s, n);
		data += n;
		data[-1] = '\0'; /* whatever another thread did to the string */
	}
	ue__send_small(event, buffer, data);
	return;
unusual:
	ue__encode_kernel_array(event, d, v);
}

/* EventHeader, at most four values, some of them data elsewhere. */
UE__HOT void ue__encode_log_text(struct ue_event *event, const struct ue__desc *d, uint64_t v0,
				 uint64_t v1, uint64_t v2, uint64_t v3)
{
	unsigned char buffer[UE__SMALL_SIZE + 4 * UE__SMALL_STRING], *p;
	const uint32_t *type = ue__types(d);
	const uint64_t *value;
	uint32_t index = UE__LOAD(&event->index);
	uint64_t v[4] = { v0, v1, v2, v3 };
	uint32_t t;

	if (index-- == 0)
		return;
	memcpy(buffer, &index, 4);
	p = ue__put_meta(buffer + 4, event, d);
	for (value = v; (t = *type) != UE__T_END; type++, value++) {
		const char *s = (const char *)(uintptr_t)*value;
		size_t n;

		if ((t & UE__T_BEYOND_SCALARS) == 0) {
			p = ue__put_value(p, *value, t);
			continue;
		}
		if (t != UE__U32(UE__T_0STR & 0xffffffff))
			goto unusual;
		if (!s)
			s = "";
		n = strlen(s) + 1;
		if (UE__UNLIKELY(n > UE__SMALL_STRING)) {
			if (n > UE__LONG_STRING || type[1] != UE__T_END)
				goto unusual;
			ue__send_two(event, buffer, p, s, n);
			return;
		}
		ue__copy_string(p, s, n);
		p += n;
		p[-1] = '\0';
	}
	ue__send_small(event, buffer, p);
	return;
unusual:
	ue__encode_log_array(event, d, v);
}

/* EventHeader, at most four values, all of them scalars. */
UE__HOT void ue__encode_log(struct ue_event *event, const struct ue__desc *d, uint64_t v0,
			    uint64_t v1, uint64_t v2, uint64_t v3)
{
	unsigned char buffer[UE__SMALL_SIZE], *p;
	const uint32_t *type = ue__types(d);
	uint32_t index = UE__LOAD(&event->index);

	if (index-- == 0)
		return;
	memcpy(buffer, &index, 4);
	p = ue__put_meta(buffer + 4, event, d);
	UE__PUT_FOUR(p, type, end, v0, v1, v2, v3);
end:
	ue__send_small(event, buffer, p);
}
