/* SPDX-License-Identifier: MIT */
/*
 * Floating point as the shortest decimal
 */

/* @private */

/*
 * Floats: Raffaello Giulietti's Schubfach. A value c * 2^q is scaled by a power of ten to an
 * integer of 16 or 17 digits, together with the middles to its neighbours, and the one or two
 * shortest decimals between these are compared. Products are truncated, with a sticky lowest bit;
 * the proof shows that this is enough if the power is right to 128 bits. Two small tables give that
 * power exactly.
 */
static const uint64_t ue__decode_fives[27] = {
	/* 5^i, shifted to the left */
	0x8000000000000000, 0xa000000000000000, 0xc800000000000000, 0xfa00000000000000,
	0x9c40000000000000, 0xc350000000000000, 0xf424000000000000, 0x9896800000000000,
	0xbebc200000000000, 0xee6b280000000000, 0x9502f90000000000, 0xba43b74000000000,
	0xe8d4a51000000000, 0x9184e72a00000000, 0xb5e620f480000000, 0xe35fa931a0000000,
	0x8e1bc9bf04000000, 0xb1a2bc2ec5000000, 0xde0b6b3a76400000, 0x8ac7230489e80000,
	0xad78ebc5ac620000, 0xd8d726b7177a8000, 0x878678326eac9000, 0xa968163f0a57b400,
	0xd3c21bcecceda100, 0x84595161401484a0, 0xa56fa5b99019a5c8,
};

static const uint64_t ue__decode_tens[24][3] = {
	/* 10^(27 i - 297), the first 192 bits */
	{ 0xa76c582338ed2621, 0xaf2af2b80af6f24e, 0x657c8f4d43323a36 },
	{ 0x873e4f75e2224e68, 0x5a7744a6e804a291, 0xcc35eddfcf0996d7 },
	{ 0xda7f5bf590966848, 0xaf39a475506a899e, 0xa30294cc2934e662 },
	{ 0xb080392cc4349dec, 0xbd8d794d96aacfb3, 0xfe13a5c86af64418 },
	{ 0x8e938662882af53e, 0x547eb47b7282ee9c, 0x41b0230e1421487d },
	{ 0xe65829b3046b0afa, 0x0cb4a5a3112a5112, 0xa3b561b1cb208396 },
	{ 0xba121a4650e4ddeb, 0x92f34d62616ce413, 0x21a0183e10583cd3 },
	{ 0x964e858c91ba2655, 0x3a6a07f8d510f86f, 0xe9082f25e9c5e9ec },
	{ 0xf2d56790ab41c2a2, 0xfae27299423fb9c3, 0x3695dad7e8858901 },
	{ 0xc428d05aa4751e4c, 0xaa97e14c3c26b886, 0x96842dc95323f5a8 },
	{ 0x9e74d1b791e07e48, 0x775ea264cf55347d, 0xca49f1c05120c9c7 },
	{ 0x8000000000000000, 0x0000000000000000, 0x0000000000000000 },
	{ 0xcecb8f27f4200f3a, 0x0000000000000000, 0x0000000000000000 },
	{ 0xa70c3c40a64e6c51, 0x999090b65f67d924, 0x0000000000000000 },
	{ 0x86f0ac99b4e8dafd, 0x69a028bb3ded71a3, 0xdf9f915627c04e28 },
	{ 0xda01ee641a708de9, 0xe80e6f4820cc9495, 0xd74baad03bc1d8d3 },
	{ 0xb01ae745b101e9e4, 0x5ec05dcff72e7f8f, 0xc04c79ffe324301f },
	{ 0x8e41ade9fbebc27d, 0x14588f13be847307, 0x23bd6a2059c002f5 },
	{ 0xe5d3ef282a242e81, 0x8f1668c8a86da5fa, 0xf0b5ccf5176ecc7c },
	{ 0xb9a74a0637ce2ee1, 0x6d953e2bd7173692, 0x88efb0037ac08bde },
	{ 0x95f83d0a1fb69cd9, 0x4abdaf101564f98e, 0x0d5a4af7b3a98e47 },
	{ 0xf24a01a73cf2dccf, 0xbc633b39673c8cec, 0x3d9c44cd2f36917c },
	{ 0xc3b8358109e84f07, 0x0a862f80ec4700c8, 0x02606ea01029dc37 },
	{ 0x9e19db92b4e31ba9, 0x6c07a2c26a8346d1, 0x4944d9f52cd0dec2 },
};

/* The product of two 64-bit numbers; its lower half is returned in *low. */
static inline uint64_t ue__decode_multiply(uint64_t a, uint64_t b, uint64_t *low)
{
#ifdef __SIZEOF_INT128__
	__extension__ unsigned __int128 product = (unsigned __int128)a * b;

	*low = (uint64_t)product;
	return (uint64_t)(product >> 64);
#else
	uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
	uint64_t ll = al * bl, lh = al * bh, hl = ah * bl;
	uint64_t middle = (ll >> 32) + (uint32_t)lh + (uint32_t)hl;

	*low = middle << 32 | (uint32_t)ll;
	return ah * bh + (lh >> 32) + (hl >> 32) + (middle >> 32);
#endif
}

/* The first 128 bits of 10^e, rounded up; e is from -297 to 350. */
static inline void ue__decode_ten(int e, uint64_t *high, uint64_t *low)
{
	unsigned i = (unsigned)(e + 297) / 27, j = (unsigned)(e + 297) % 27;
	uint64_t m = ue__decode_fives[j], w0, w1, w2, w3, l1, l2;
	const uint64_t *ten = ue__decode_tens[i];

	w1 = ue__decode_multiply(ten[2], m, &w0);
	w2 = ue__decode_multiply(ten[1], m, &l1);
	w1 += l1;
	w2 += w1 < l1;
	w3 = ue__decode_multiply(ten[0], m, &l2);
	w2 += l2;
	w3 += w2 < l2;
	if (!(w3 >> 63)) {
		w3 = w3 << 1 | w2 >> 63;
		w2 = w2 << 1 | w1 >> 63;
		w1 = w1 << 1 | w0 >> 63;
		w0 <<= 1;
	}
	*high = w3;
	*low = w2 + ((w1 | w0) != 0); /* w2 is never so full that this would carry */
}

/* The upper half of the upper half of g * c, its lowest bit sticky. */
static inline uint64_t ue__decode_scale(uint64_t high, uint64_t low, uint64_t c)
{
	uint64_t carry, y0, y1, unused;

	carry = ue__decode_multiply(low, c, &unused);
	y1 = ue__decode_multiply(high, c, &y0);
	y0 += carry;
	y1 += y0 < carry;
	return y1 | (y0 > 1);
}

/* c * 2^q as digits * 10^exponent; even_gap: both neighbours are equally far. */
static inline uint64_t ue__decode_shortest(uint64_t c, int q, int even_gap, int *exponent)
{
	/* 1262611 / 2^22 is log10(2), 524031 / 2^22 log10(4/3), 1741647 / 2^19 log2(10) */
	int k = (q * 1262611 - (even_gap ? 0 : 524031)) >> 22;
	int h = q + ((-k * 1741647) >> 19) + 1;
	uint64_t high, low, lower, value, upper, s, sp, odd = c & 1;

	ue__decode_ten(-k, &high, &low);
	lower = ue__decode_scale(high, low, (4 * c - 1 - (uint64_t)even_gap) << h) + odd;
	value = ue__decode_scale(high, low, (4 * c) << h);
	upper = ue__decode_scale(high, low, (4 * c + 2) << h) - odd;
	s = value / 4;
	*exponent = k;
	if (s >= 10) {
		int under, over;

		sp = s / 10;
		under = lower <= 40 * sp;
		over = 40 * sp + 40 <= upper;
		if (under != over) {
			*exponent = k + 1;
			return sp + (uint64_t)over;
		}
	}
	if ((lower <= 4 * s) != (4 * s + 4 <= upper))
		return s + (4 * s + 4 <= upper);
	return s + (value > 4 * s + 2 || (value == 4 * s + 2 && (s & 1)));
}

/*
 * The same for a double that is nearest to a number of at most six decimals and 15 digits, as
 * people write most numbers; else 0. No two numbers of so few digits are the same double, so this
 * one is the shortest. Compares integers, scaled by 10^6 / 2^q: the neighbours are 10^6 away, below
 * a power of two half as far.
 */
static inline uint64_t ue__decode_few_digits(uint64_t c, int q, int *exponent)
{
	unsigned shift = (unsigned)-q;
	uint64_t high, low, digits, rest, unit = (uint64_t)1 << (shift & 63);

	if (shift - 1 > 62)
		return 0;
	*exponent = 0;
	if (!(c & (unit - 1)))
		return c >> shift;
	*exponent = -6;
	high = ue__decode_multiply(c, 1000000, &low);
	if (high >> shift)
		return 0;
	digits = high << (64 - shift) | low >> shift;
	rest = low & (unit - 1);
	if (rest > unit / 2) {
		digits++;
		rest = unit - rest;
	}
	if (rest >= (c << 12 ? 500000 : 250000) || digits >= (uint64_t)1000000000000000)
		return 0;
	return digits;
}

/*
 * digits * 10^exponent, in the shorter of two forms; the plain one if they are alike. A
 * whole number in plain form has all its true digits: c * 2^q is below 10^23.
 */
static inline void ue__decode_decimal(struct ue__decode_out *out, uint64_t digits, int exponent,
				      uint64_t c, int q)
{
	char text[20], *end = text + sizeof(text), *p;
	int n, point, plain, scientific;

	while (!(digits % 100000000)) {
		digits /= 100000000;
		exponent += 8;
	}
	while (!(digits % 10)) {
		digits /= 10;
		exponent++;
	}
	p = ue__decode_digits(end, digits);
	n = (int)(end - p);
	point = n + exponent; /* digits before the point */
	plain = exponent >= 0 ? point : point > 0 ? n + 1 : n + 2 - point;
	scientific = n + (n > 1) + (point - 1 >= 100 || point - 1 <= -100 ? 5 : 4);

	if (plain > scientific) {
		ue__decode_put(out, *p++);
		if (n > 1)
			ue__decode_put(out, '.');
		memcpy(out->p, p, (size_t)n - 1);
		out->p += n - 1;
		ue__decode_put(out, 'e');
		ue__decode_put(out, point > 0 ? '+' : '-');
		ue__decode_padded(out, (uint64_t)(point > 0 ? point - 1 : 1 - point), 2);
	} else if (exponent > 0) {
		/* In two parts, as c * 2^q may have 74 bits; q is from -52 to 21. */
		uint64_t upper, lower;

		if (q < 0) {
			ue__decode_uint(out, c >> -q);
			return;
		}
		lower = (c % 100000000) << q;
		upper = ((c / 100000000) << q) + lower / 100000000;
		if (upper)
			ue__decode_uint(out, upper);
		ue__decode_padded(out, lower % 100000000, upper ? 8 : 1);
	} else if (point > 0) {
		memcpy(out->p, p, (size_t)point);
		out->p += point;
		if (exponent) {
			ue__decode_put(out, '.');
			memcpy(out->p, p + point, (size_t)(n - point));
			out->p += n - point;
		}
	} else {
		ue__decode_put(out, '0');
		ue__decode_put(out, '.');
		for (; point < 0; point++)
			ue__decode_put(out, '0');
		memcpy(out->p, p, (size_t)n);
		out->p += n;
	}
}

/* An IEEE 754 number of so many bits of exponent and fraction. */
static inline void ue__decode_float(struct ue__decode_out *out, uint64_t bits, int exponent_bits,
				    int fraction_bits)
{
	uint64_t fraction = bits & (((uint64_t)1 << fraction_bits) - 1), c, digits;
	int biased = (int)(bits >> fraction_bits) & ((1 << exponent_bits) - 1);
	int special = biased == (1 << exponent_bits) - 1, exponent = 0, q;

	if (special)
		ue__decode_quote(out);
	if (bits >> (exponent_bits + fraction_bits))
		ue__decode_put(out, '-');
	if (special) {
		ue__decode_puts(out, fraction ? "nan" : "inf");
		ue__decode_quote(out);
	} else if (!biased && !fraction) {
		ue__decode_put(out, '0');
	} else {
		c = biased ? fraction | (uint64_t)1 << fraction_bits : fraction;
		q = (biased ? biased : 1) - (1 << (exponent_bits - 1)) + 1 - fraction_bits;
		digits = fraction_bits == 52 ? ue__decode_few_digits(c, q, &exponent) : 0;
		if (!digits)
			digits = ue__decode_shortest(c, q, fraction || biased <= 1, &exponent);
		ue__decode_decimal(out, digits, exponent, c, q);
	}
}
