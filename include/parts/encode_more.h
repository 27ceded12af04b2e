/* SPDX-License-Identifier: MIT */
/*
 * Encoding events of more values
 */

/* @enabled */

/*
 * The values behind the first four, one after another in memory where six registers are taken already; va_arg() would
 * look where each one is.
 */
#if defined(__x86_64__) && defined(__LP64__)
struct ue__va_list { /* as the machine's ABI has it */
	unsigned int general, floating;
	const uint64_t *overflow;
	void *saved;
} __attribute__((__may_alias__));
#define UE__REST(variable, more) \
	const uint64_t *variable = ((const struct ue__va_list *)(const void *)*(more))->overflow
#define UE__PUT_REST(p, type, t, beyond, variable, more) \
	for (;; type += 4, variable += 4)                \
	UE__PUT_FOUR(p, type, t, beyond, variable[0], variable[1], variable[2], variable[3])
#else
#define UE__REST(variable, more) ((void)0)
#define UE__PUT_REST(p, type, t, beyond, variable, more)                               \
	for (;; type++) {                                                              \
		(t) = *type;                                                           \
		if (UE__T_BEYOND_SCALARS & (t))                                        \
			goto beyond;                                                   \
		(p) = ue__put_value(p, va_arg(*(more), uint64_t), UE__SCALAR_LOG2(t)); \
	}
#endif

/*
 * More than four values, the first four and MORE. Returns false for what is not packed at once; the
 * caller then has them all in an array.
 */
static UE__ALWAYS_INLINE bool ue__encode_values(struct ue_event *event, const struct ue__desc *d,
						bool log, uint64_t v0, uint64_t v1, uint64_t v2,
						uint64_t v3, va_list *more)
{
	unsigned char buffer[UE__SMALL_SIZE], *p;
	const uint32_t *type = ue__types(d);
	uint32_t index = UE__LOAD(&event->index), t;
	UE__REST(rest, more);

	if (index == 0)
		return true;
	if (d->dynamic || !UE__IS_SMALL(d->fixed, log ? d->meta : 0))
		return false;
	if (log && UE__UNLIKELY(UE__SHAPE_OF(*type) == UE__SHAPE_ACTIVITY)) {
		uint64_t activity[2];
		const uint64_t *ids = activity;

		activity[0] = v0;
		activity[1] = v1;
		p = ue__put_head(buffer, index - 1, event, d, &type, &ids);
		if ((type[0] | type[1]) & UE__T_BEYOND_SCALARS)
			return false;
		p = ue__put_value(p, v2, UE__LOG2_OF(type[0]));
		p = ue__put_value(p, v3, UE__LOG2_OF(type[1]));
		type += 2;
	} else {
		index--;
		memcpy(buffer, &index, 4);
		p = buffer + 4;
		if (log)
			p = ue__put_meta(p, event, d);
		UE__PUT_FOUR(p, type, t, unusual, v0, v1, v2, v3);
		type += 4;
	}
	UE__PUT_REST(p, type, t, beyond, rest, more);
beyond:
	if (t != UE__T_END)
		return false;
	ue__send_small(event, buffer, p);
	return true;
unusual:
	return false;
}

/* What is not packed at once: the four values and those of the list in one array. */
UE__COLD void ue__encode_list(struct ue_event *event, const struct ue__desc *d, uint64_t v0,
			      uint64_t v1, uint64_t v2, uint64_t v3, va_list *more)
{
	uint64_t small[16], *v = small;
	unsigned int i;

	if (d->values > sizeof(small) / sizeof(*small))
		v = (uint64_t *)__builtin_alloca(d->values * sizeof(*v));
	v[0] = v0;
	v[1] = v1;
	v[2] = v2;
	v[3] = v3;
	for (i = 4; i < d->values; i++)
		v[i] = va_arg(*more, uint64_t);
	if (d->variant == UE__DESC_KERNEL)
		ue__encode_kernel_array(event, d, v);
	else
		ue__encode_log_array(event, d, v);
}

UE__HOT void ue__encode_kernel_more(struct ue_event *event, const struct ue__desc *d, uint64_t v0,
				    uint64_t v1, uint64_t v2, uint64_t v3, ...)
{
	va_list more, again;

	va_start(more, v3);
	if (!ue__encode_values(event, d, false, v0, v1, v2, v3, &more)) {
		va_start(again, v3);
		ue__encode_list(event, d, v0, v1, v2, v3, &again);
		va_end(again);
	}
	va_end(more);
}

UE__HOT void ue__encode_log_more(struct ue_event *event, const struct ue__desc *d, uint64_t v0,
				 uint64_t v1, uint64_t v2, uint64_t v3, ...)
{
	va_list more, again;

	va_start(more, v3);
	if (!ue__encode_values(event, d, true, v0, v1, v2, v3, &more)) {
		va_start(again, v3);
		ue__encode_list(event, d, v0, v1, v2, v3, &again);
		va_end(again);
	}
	va_end(more);
}
