/* SPDX-License-Identifier: MIT */
/*
 * Data of dynamic size
 */

/* @enabled */

/*
 * Puts an array of strings. Returns how many whole ones its segments and MOST bytes had room for.
 */
UE__FN UE__PLAIN size_t ue__put_strings(struct ue__out *o, const void *strings, size_t count,
					unsigned int log2, size_t most)
{
	const void *const *s = (const void *const *)strings;
	int limit = o->count + 2 * UE__STRING_PAIRS - 2;
	size_t i;

	for (i = 0; i < count; i++) {
		const void *string = s[i] ? s[i] : "\0\0\0";
		size_t size = ue__units(string, log2, 65536) + 1;

		if (size > 65536 || ((size << log2) > o->room && o->count > limit) ||
		    size << log2 > most)
			break;
		most -= size << log2;
		ue__put_data(o, string, size << log2);
	}
	return i;
}

/* What a field of dynamic size points to. */
struct ue__data {
	const void *p;
	size_t count;	 /* elements, strings without their zero unit */
	bool terminated; /* is a zero unit in memory behind them */
};

/* Limits the data of an event that is packed again to MOST bytes. */
UE__SETUP void ue__limit_data(struct ue__data *data, uint32_t t, size_t most)
{
	unsigned int log2 = UE__LOG2_OF(t);
	size_t count = data->count;

	if (UE__SHAPE_OF(t) == UE__SHAPE_ZSTRING && UE__IS_ARRAY(t))
		return; /* for ue__put_strings() */
	if (UE__ROW_OF(t) == UE__ROW_STRUCT)
		count = most / UE__LENGTH_OF(t);
	else if (t & UE__T_CARRAY)
		count = ue__constant_count(count, most, log2);
	else
		count = ue__whole(data->p, count << log2, most, (size_t)1 << log2,
				  UE__IS_CHAR(t)) >>
			log2;
	if (count < data->count) {
		data->count = count;
		data->terminated = false;
	}
}

UE__ONCE const uint64_t *ue__get_data(struct ue__data *data, uint32_t t, const uint64_t *v,
				      struct ue__bound *limit)
{
	data->p = (const void *)(uintptr_t)*v++;
	data->terminated = false;
	if (t & UE__T_SPAN) {
		data->count = ((const struct ue__span *)data->p)->count;
		data->p = ((const struct ue__span *)data->p)->data;
	} else if (UE__SHAPE_OF(t) == UE__SHAPE_ZSTRING && !UE__IS_ARRAY(t)) {
		size_t most = t & UE__T_BOUNDED ? UE__LENGTH_OF(t) : 65535;
		unsigned int log2 = UE__LOG2_OF(t);

		data->count = data->p ? ue__units(data->p, log2, most) : 0;
		data->terminated = data->p && data->count < most;
		if (UE__UNLIKELY(data->count == 65535) && !(t & UE__T_BOUNDED))
			limit->cut |= ue__is_longer(data->p, log2);
	} else if (t & UE__T_CARRAY) {
		data->count = UE__LENGTH_OF(t);
		limit->cut |= (t & UE__T_BOUNDED) != 0;
	} else {
		data->count = (size_t)*v++;
	}
	if (!data->p && !(t & UE__T_CARRAY))
		data->count = 0;
	/* a negative length, of a read() that failed: no data */
	if (data->count > SIZE_MAX / 2) {
		data->count = 0;
		limit->cut = true;
	}
	if (data->count > 65535) {
		data->count = 65535;
		limit->cut = true;
	}
	if (UE__UNLIKELY(limit->most < UE__TOO_MUCH))
		ue__limit_data(data, t, limit->most);
	return v;
}
