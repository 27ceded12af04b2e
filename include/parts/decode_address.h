/* SPDX-License-Identifier: MIT */
/*
 * UUIDs and addresses as text
 */

/* @private */

static inline void ue__decode_uuid(struct ue__decode_out *out, const uint8_t *p)
{
	int i;

	for (i = 0; i < 16; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			ue__decode_put(out, '-');
		ue__decode_hex_byte(out, p[i]);
	}
}

static inline void ue__decode_ipv4(struct ue__decode_out *out, const uint8_t *p)
{
	int i;

	for (i = 0; i < 4; i++) {
		if (i)
			ue__decode_put(out, '.');
		ue__decode_uint(out, p[i]);
	}
}

/*
 * As inet_ntop() does it: the first of the longest runs of two zero words and more is
 * "::", and what is left of an address of ::/96 or ::ffff:0:0/96 is an IPv4 address.
 */
static inline void ue__decode_ipv6(struct ue__decode_out *out, const uint8_t *p)
{
	unsigned words[8], i, run = 0, best = 8, length = 1;

	for (i = 0; i < 8; i++) {
		words[i] = ue__decode_u16(p + (size_t)2 * i, 1);
		run = words[i] ? 0 : run + 1;
		if (run > length) {
			length = run;
			best = i + 1 - run;
		}
	}
	for (i = 0; i < 8; i++) {
		int shift;

		if (i == best) {
			ue__decode_put(out, ':');
			i += length - 1;
			if (i == 7)
				ue__decode_put(out, ':');
			continue;
		}
		if (i)
			ue__decode_put(out, ':');
		if (i == 6 && !best && (length == 6 || (length == 5 && words[5] == 0xffff))) {
			ue__decode_ipv4(out, p + 12);
			return;
		}
		for (shift = 12; shift && !(words[i] >> shift);)
			shift -= 4;
		for (; shift >= 0; shift -= 4)
			ue__decode_put(out, "0123456789abcdef"[words[i] >> shift & 15]);
	}
}
