/* SPDX-License-Identifier: MIT */
/*
 * Names
 */

/* @private */

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
