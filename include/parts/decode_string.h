/* SPDX-License-Identifier: MIT */
/*
 * Characters of every encoding
 */

/* @private */

/* Below 0x80: as it is, or as JSON writes it. */
static inline void ue__decode_ascii(struct ue__decode_out *out, uint8_t c)
{
	static const char escapes[] = "uuuuuuuubtnufruuuuuuuuuuuuuuuuuu";

	if (!out->json || (c >= ' ' && c != '"' && c != '\\')) {
		ue__decode_put(out, (char)c);
		return;
	}
	ue__decode_put(out, '\\');
	if (c >= ' ') {
		ue__decode_put(out, (char)c);
		return;
	}
	ue__decode_put(out, escapes[c]);
	if (escapes[c] == 'u') {
		ue__decode_put(out, '0');
		ue__decode_put(out, '0');
		ue__decode_hex_byte(out, c);
	}
}

/* Any 32-bit number, in UTF-8's original form, which has no end at 0x10ffff. */
static inline void ue__decode_char(struct ue__decode_out *out, uint32_t c)
{
	static const uint8_t leads[] = { 0, 0, 0xc0, 0xe0, 0xf0, 0xf8, 0xfc, 0xfe };
	static const uint32_t ends[] = { 0, 0, 0x800, 0x10000, 0x200000, 0x4000000, 0x80000000 };
	int length = 2, shift;

	if (c < 0x80) {
		ue__decode_ascii(out, (uint8_t)c);
		return;
	}
	while (length < 7 && c >= ends[length])
		length++;
	shift = 6 * (length - 1);
	/* The 7th byte's lead carries none of the 32 bits. */
	ue__decode_put(out, (char)(leads[length] | (length < 7 ? c >> shift : 0)));
	while (shift) {
		shift -= 6;
		ue__decode_put(out, (char)(0x80 | (c >> shift & 0x3f)));
	}
}

/* The length of the valid UTF-8 sequence of two or more bytes at p, or 0. */
static inline size_t ue__decode_sequence(const uint8_t *p, const uint8_t *end)
{
	size_t length = *p < 0xc2 ? 0 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : *p < 0xf5 ? 4 : 0, i;

	if ((size_t)(end - p) < length)
		return 0;
	for (i = 1; i < length; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	/* Not overlong, no surrogate, not beyond Unicode. */
	if ((*p == 0xe0 && p[1] < 0xa0) || (*p == 0xed && p[1] > 0x9f) ||
	    (*p == 0xf0 && p[1] < 0x90) || (*p == 0xf4 && p[1] > 0x8f))
		return 0;
	return length;
}

/* Are eight bytes ASCII, without characters that JSON escapes? */
static inline int ue__decode_plain(uint64_t bytes, int json)
{
	const uint64_t ones = UE__DECODE_ONES;
	uint64_t quotes = bytes ^ ones * '"', backslashes = bytes ^ ones * '\\';

	if (!json)
		return !(bytes & ones * 0x80);
	return !((bytes | (bytes - ones * ' ') | (quotes - ones) | (backslashes - ones)) &
		 ones * 0x80);
}

/* The same for 32 bytes, where the machine has vectors of 16 bytes; elsewhere 0. */
#define UE__DECODE_MANY 32
#if defined(__SSE2__) || (defined(__ARM_NEON) && defined(__aarch64__))
typedef signed char ue__decode_vector __attribute__((vector_size(16), may_alias));

static inline int ue__decode_many(const uint8_t *p, int json)
{
	ue__decode_vector a, b, special;
	uint64_t halves[2];

	memcpy(&a, p, 16);
	memcpy(&b, p + 16, 16);
	special = (ue__decode_vector)((a | b) < 0);
	if (json)
		special = (ue__decode_vector)((a < ' ') | (b < ' ') | (a == '"') | (b == '"') |
					      (a == '\\') | (b == '\\'));
	memcpy(halves, &special, 16);
	return !(halves[0] | halves[1]);
}
#else
#define ue__decode_many(p, json) ((void)(p), 0)
#endif

/* One to seven bytes, with letters for the missing ones, in memory's order. */
static inline uint64_t ue__decode_few(const uint8_t *p, size_t n)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	uint64_t bytes = (uint64_t)0x6161616161616161 << 8 * n;
	uint32_t first, last;

	/* the two loads may overlap */
	if (n >= 4) {
		memcpy(&first, p, 4);
		memcpy(&last, p + n - 4, 4);
		return bytes | first | (uint64_t)last << 8 * (n - 4);
	}
	return bytes | p[0] | (uint64_t)p[n / 2] << 8 * (n / 2) | (uint64_t)p[n - 1] << 8 * (n - 1);
#else
	uint64_t bytes = 0x6161616161616161;

	memcpy(&bytes, p, n);
	return bytes;
#endif
}

/* Most names and texts are not longer. Up to 7 bytes more are written. */
#define UE__DECODE_SHORT 32

/* Copies a short text, and returns 1 if all of it is plain. */
UE__DECODE_INLINE int ue__decode_short(char *to, const uint8_t *p, size_t n, int json)
{
	uint64_t bytes;

	for (; n >= 8; p += 8, to += 8, n -= 8) {
		memcpy(&bytes, p, 8);
		if (UE__DECODE_UNLIKELY(!ue__decode_plain(bytes, json)))
			return 0;
		memcpy(to, &bytes, 8);
	}
	if (n) {
		bytes = ue__decode_few(p, n);
		if (UE__DECODE_UNLIKELY(!ue__decode_plain(bytes, json)))
			return 0;
		memcpy(to, &bytes, 8);
	}
	return 1;
}

static inline void ue__decode_utf8(struct ue__decode_out *out, const uint8_t *p, size_t n)
{
	const uint8_t *end = n ? p + n : p, *stop;

	ue__decode_room(out);
	if (n <= UE__DECODE_SHORT && ue__decode_short(out->p, p, n, out->json)) {
		out->p += n;
		return;
	}
	while (p < end) {
		size_t length = (size_t)(end - p);
		uint64_t bytes;

		ue__decode_room(out);
		if (length >= UE__DECODE_MANY && ue__decode_many(p, out->json)) {
			memcpy(out->p, p, UE__DECODE_MANY);
			out->p += UE__DECODE_MANY;
			p += UE__DECODE_MANY;
			continue;
		}
		if (length >= 8) {
			memcpy(&bytes, p, 8);
			length = 8;
		} else {
			bytes = ue__decode_few(p, length);
		}
		if (ue__decode_plain(bytes, out->json)) {
			memcpy(out->p, &bytes, 8);
			out->p += length;
			p += length;
			continue;
		}
		/* Each byte becomes at most 6; the last may begin a sequence of 4. */
		for (stop = p + length; p < stop;) {
			if (*p < 0x80) {
				ue__decode_ascii(out, *p++);
				continue;
			}
			length = ue__decode_sequence(p, end);
			if (!length) {
				ue__decode_char(out, *p++);
				continue;
			}
			memcpy(out->p, p, length);
			out->p += length;
			p += length;
		}
	}
}

/* unit: bytes of a character: 1 is Latin-1, 2 UTF-16, 4 UTF-32. */
static inline void ue__decode_wide(struct ue__decode_out *out, const uint8_t *p, size_t n,
				   size_t unit, int big)
{
	for (; n >= unit; p += unit, n -= unit) {
		uint32_t c = (uint32_t)ue__decode_load(p, unit, big), low;

		if (unit == 2 && c >> 10 == 0xd800 >> 10 && n >= 4) {
			low = ue__decode_u16(p + 2, big);
			if (low >> 10 == 0xdc00 >> 10) {
				c = 0x10000 + ((c & 0x3ff) << 10 | (low & 0x3ff));
				p += 2;
				n -= 2;
			}
		}
		ue__decode_room(out);
		ue__decode_char(out, c);
	}
}

static inline void ue__decode_utf(struct ue__decode_out *out, const uint8_t *p, size_t n,
				  size_t unit, int big)
{
	if (unit == 1)
		ue__decode_utf8(out, p, n);
	else
		ue__decode_wide(out, p, n, unit, big);
}

/* A byte order mark tells the encoding, whatever the field's kind says. */
static inline void ue__decode_utf_bom(struct ue__decode_out *out, const uint8_t *p, size_t n,
				      size_t unit, int big)
{
	static const struct {
		uint8_t length, unit, big, bytes[4];
	} boms[] = {
		{ 4, 4, 0, { 0xff, 0xfe, 0, 0 } },    { 4, 4, 1, { 0, 0, 0xfe, 0xff } },
		{ 2, 2, 0, { 0xff, 0xfe, 0, 0 } },    { 2, 2, 1, { 0xfe, 0xff, 0, 0 } },
		{ 3, 1, 0, { 0xef, 0xbb, 0xbf, 0 } },
	};
	size_t i;

	for (i = 0; i < sizeof(boms) / sizeof(boms[0]); i++)
		if (n >= boms[i].length && !memcmp(p, boms[i].bytes, boms[i].length)) {
			p += boms[i].length;
			n -= boms[i].length;
			unit = boms[i].unit;
			big = boms[i].big;
			break;
		}
	ue__decode_utf(out, p, n, unit, big);
}
