/* SPDX-License-Identifier: MIT */
/*
 * Numbers as text
 */

/* @private */

static const char ue__decode_pairs[] = "00010203040506070809"
				       "10111213141516171819"
				       "20212223242526272829"
				       "30313233343536373839"
				       "40414243444546474849"
				       "50515253545556575859"
				       "60616263646566676869"
				       "70717273747576777879"
				       "80818283848586878889"
				       "90919293949596979899";

/* Writes value in decimal, ending right before end; returns where it begins. */
static inline char *ue__decode_digits(char *end, uint64_t value)
{
	uint32_t low;

	while (value >> 32) {
		uint32_t part = (uint32_t)(value % 10000);

		value /= 10000;
		memcpy(end -= 2, ue__decode_pairs + (size_t)(part % 100) * 2, 2);
		memcpy(end -= 2, ue__decode_pairs + (size_t)(part / 100) * 2, 2);
	}
	for (low = (uint32_t)value; low >= 100; low /= 100)
		memcpy(end -= 2, ue__decode_pairs + (size_t)(low % 100) * 2, 2);
	if (low >= 10)
		memcpy(end -= 2, ue__decode_pairs + (size_t)low * 2, 2);
	else
		*--end = (char)('0' + low);
	return end;
}

/* How many decimal digits value has. */
static inline int ue__decode_digit_count(uint64_t value)
{
	int n = 1;

	for (; value >= 10000; value /= 10000)
		n += 4;
	return n + (value >= 10) + (value >= 100) + (value >= 1000);
}

static inline void ue__decode_uint(struct ue__decode_out *out, uint64_t value)
{
	out->p += ue__decode_digit_count(value);
	ue__decode_digits(out->p, value);
}

/* With zeros in front, up to width digits. */
static inline void ue__decode_padded(struct ue__decode_out *out, uint64_t value, int width)
{
	char digits[20], *end = digits + sizeof(digits), *p = ue__decode_digits(end, value);

	while (end - p < width)
		*--p = '0';
	memcpy(out->p, p, (size_t)(end - p));
	out->p += end - p;
}

static inline void ue__decode_int(struct ue__decode_out *out, int64_t value)
{
	uint64_t magnitude = (uint64_t)value;

	if (value < 0) {
		ue__decode_put(out, '-');
		magnitude = 0 - magnitude;
	}
	ue__decode_uint(out, magnitude);
}

static inline void ue__decode_hex_int(struct ue__decode_out *out, uint64_t value)
{
	char *p = out->p;
	int shift = 0;

	*p++ = '0';
	*p++ = 'x';
#if defined(__GNUC__)
	shift = (63 - __builtin_clzll(value | 1)) & ~3;
#else
	while (shift < 60 && value >> shift >> 4)
		shift += 4;
#endif
	for (; shift >= 0; shift -= 4)
		*p++ = "0123456789ABCDEF"[value >> shift & 15];
	out->p = p;
}

static inline void ue__decode_hex_byte(struct ue__decode_out *out, uint8_t byte)
{
	ue__decode_put(out, "0123456789abcdef"[byte >> 4]);
	ue__decode_put(out, "0123456789abcdef"[byte & 15]);
}

static inline void ue__decode_hex_bytes(struct ue__decode_out *out, const uint8_t *p, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		ue__decode_room(out);
		if (i)
			ue__decode_put(out, ' ');
		ue__decode_hex_byte(out, p[i]);
	}
}
