/* SPDX-License-Identifier: MIT */
/*
 * Values as text
 */

/* @private */

/* By enum ue_decode_format_code: the kinds that a format goes with, one bit each. */
static const uint16_t ue__decode_fits[] = {
	0,			/* default */
	0x003c, 0x003c, 0x003c, /* unsigned, signed, hex */
	0x0010, 0x0010,		/* errno, pid */
	0x0030,			/* time */
	0x001c,			/* bool */
	0x0030,			/* float */
	0x3ffc,			/* hex bytes */
	0x2484,			/* Latin-1 */
	0x3f98,			/* UTF */
	0x3f80, 0x3f80, 0x3f80, /* UTF with a BOM, XML, JSON */
	0x0040,			/* UUID */
	0x0008,			/* port */
	0x0050, 0x0050,		/* IP */
};

/* The format of a kind and size, never UE_DECODE_FORMAT_DEFAULT but for null. */
static inline unsigned ue__decode_resolve(unsigned kind, unsigned format, size_t size)
{
	static const uint8_t kinds[] = { 0, 2, 3, 0, 4, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 6 };
	static const uint8_t defaults[] = { 0, 0, 1, 1, 1, 1, 9, 11, 11, 11, 11, 11, 11, 9 };
	unsigned fits = format < sizeof(ue__decode_fits) / 2 ? ue__decode_fits[format] : 0;

	if (fits >> kind & 1)
		return format;
	/* Counted bytes may have a fixed-size format, if there are as many. */
	if ((kind == UE_DECODE_KIND_STRING8 || kind == UE_DECODE_KIND_BINARY) && fits) {
		if (!size)
			return UE_DECODE_FORMAT_DEFAULT;
		if (size <= 16 && kinds[size] && fits >> kinds[size] & 1)
			return format;
	}
	return defaults[kind];
}

/* One value of an item's kind and format, which may be an element of an array. */
static inline void ue__decode_put_value(struct ue__decode_out *out,
					const struct ue_decode_item *item, const uint8_t *p,
					size_t size)
{
	static const uint8_t units[] = { 1, 1, 1, 2, 4, 1, 1, 1, 2, 4, 1, 2, 4, 1 };
	unsigned format = ue__decode_resolve(item->kind, item->format, size);
	int big = item->big_endian;
	uint64_t value = 0;
	unsigned shift;

	ue__decode_room(out);
	if (format <= UE_DECODE_FORMAT_FLOAT && format)
		value = ue__decode_load(p, size, big);
	switch (format) {
	case UE_DECODE_FORMAT_DEFAULT:
		ue__decode_puts(out, "null");
		return;
	case UE_DECODE_FORMAT_UNSIGNED:
		ue__decode_uint(out, value);
		return;
	case UE_DECODE_FORMAT_SIGNED:
	case UE_DECODE_FORMAT_PID:
		shift = 64 - 8 * (unsigned)size;
		ue__decode_int(out, (int64_t)(value << shift) >> shift);
		return;
	case UE_DECODE_FORMAT_BOOL:
		if (value < 2)
			ue__decode_puts(out, value ? "true" : "false");
		else
			ue__decode_int(out, (int32_t)value);
		return;
	case UE_DECODE_FORMAT_FLOAT:
		ue__decode_float(out, value, size == 4 ? 8 : 11, size == 4 ? 23 : 52);
		return;
	case UE_DECODE_FORMAT_PORT:
		ue__decode_uint(out, ue__decode_u16(p, 1));
		return;
	default:
		break;
	}
	ue__decode_quote(out);
	switch (format) {
	case UE_DECODE_FORMAT_HEX:
		ue__decode_hex_int(out, value);
		break;
	case UE_DECODE_FORMAT_ERRNO:
		ue__decode_errno(out, (uint32_t)value);
		break;
	case UE_DECODE_FORMAT_TIME:
		shift = 64 - 8 * (unsigned)size;
		ue__decode_time(out, (int64_t)(value << shift) >> shift);
		break;
	case UE_DECODE_FORMAT_HEX_BYTES:
		ue__decode_hex_bytes(out, p, size);
		break;
	case UE_DECODE_FORMAT_LATIN1:
		ue__decode_wide(out, p, size, 1, 0);
		break;
	case UE_DECODE_FORMAT_UTF:
		ue__decode_utf(out, p, size, units[item->kind], big);
		break;
	case UE_DECODE_FORMAT_UUID:
		ue__decode_uuid(out, p);
		break;
	case UE_DECODE_FORMAT_IP:
	case UE_DECODE_FORMAT_IP_OLD:
		if (size == 4)
			ue__decode_ipv4(out, p);
		else
			ue__decode_ipv6(out, p);
		break;
	default: /* UTF with a BOM, XML, JSON */
		ue__decode_utf_bom(out, p, size, units[item->kind], big);
		break;
	}
	ue__decode_room(out);
	ue__decode_quote(out);
}

/* Writes what separates values. The next piece counts the room for it. */
static inline void ue__decode_comma(struct ue__decode_out *out)
{
	char *p = out->p;

	*p = ',';
	p += out->comma;
	*p = ' ';
	out->p = p + out->spaced;
	out->comma = 1;
}

static inline void ue__decode_begin(struct ue__decode_out *out, char bracket)
{
	ue__decode_room(out);
	ue__decode_put(out, bracket);
	out->comma = 0;
}

static inline void ue__decode_end(struct ue__decode_out *out, char bracket)
{
	ue__decode_room(out);
	if (out->spaced)
		ue__decode_put(out, ' ');
	ue__decode_put(out, bracket);
	out->comma = 1;
}

/* All the elements of an array of fixed-size values. */
static inline void ue__decode_put_list(struct ue__decode_out *out,
				       const struct ue_decode_item *item)
{
	size_t size = ue__decode_shapes[item->kind].fixed, at;

	ue__decode_begin(out, '[');
	for (at = 0; at < item->size; at += size) {
		ue__decode_room(out);
		ue__decode_comma(out);
		ue__decode_put_value(out, item, item->value + at, size);
	}
	ue__decode_end(out, ']');
}

static inline size_t ue_decode_value(const struct ue_decode_item *item, unsigned flags,
				     char *buffer, size_t size)
{
	struct ue__decode_out out;

	ue__decode_out_buffer(&out, flags, buffer, size);
	if (item->type == UE_DECODE_VALUE)
		ue__decode_put_value(&out, item, item->value, item->size);
	else if (item->type == UE_DECODE_ARRAY && item->value)
		ue__decode_put_list(&out, item);
	return ue__decode_out_end(&out, size);
}
