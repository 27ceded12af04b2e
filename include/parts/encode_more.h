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
#define UE__NEXT_OF(variable, more) (*(variable)++)
#else
#define UE__REST(variable, more) ((void)0)
#define UE__NEXT_OF(variable, more) va_arg(*(more), uint64_t)
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
	const uint64_t *none = NULL;
	uint32_t index = UE__LOAD(&event->index), t;
	UE__REST(rest, more);

	if (index == 0)
		return true;
	if (d->dynamic || !UE__IS_SMALL(d->fixed, d->meta))
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
		p = ue__put_head(buffer, index - 1, event, d, &type, &none);
		UE__PUT_FOUR(p, type, t, unusual, v0, v1, v2, v3);
		type += 4;
	}
	while (((t = *type++) & UE__T_BEYOND_SCALARS) == 0)
		p = ue__put_value(p, UE__NEXT_OF(rest, more), UE__LOG2_OF(t));
	if (t != UE__T_END)
		return false;
	ue__send_small(event, buffer, p);
	return true;
unusual:
	return false;
}

/* The four values and those of the list, in one array of N. */
#define UE__ALL_VALUES(v, small, n, v0, v1, v2, v3, more)                   \
	do {                                                                \
		unsigned int ue__i;                                         \
		v = small;                                                  \
		if ((n) > sizeof(small) / sizeof(*(small)))                 \
			v = (uint64_t *)__builtin_alloca((n) * sizeof(*v)); \
		(v)[0] = v0;                                                \
		(v)[1] = v1;                                                \
		(v)[2] = v2;                                                \
		(v)[3] = v3;                                                \
		va_start(more, v3);                                         \
		for (ue__i = 4; ue__i < (n); ue__i++)                       \
			(v)[ue__i] = va_arg(more, uint64_t);                \
		va_end(more);                                               \
	} while (0)

UE__HOT void ue__encode_kernel_more(struct ue_event *event, const struct ue__desc *d, uint64_t v0,
				    uint64_t v1, uint64_t v2, uint64_t v3, ...)
{
	uint64_t small[16], *v;
	va_list more;
	bool done;

	va_start(more, v3);
	done = ue__encode_values(event, d, false, v0, v1, v2, v3, &more);
	va_end(more);
	if (done)
		return;
	UE__ALL_VALUES(v, small, d->values, v0, v1, v2, v3, more);
	ue__encode_kernel_array(event, d, v);
}

UE__HOT void ue__encode_log_more(struct ue_event *event, const struct ue__desc *d, uint64_t v0,
				 uint64_t v1, uint64_t v2, uint64_t v3, ...)
{
	uint64_t small[16], *v;
	va_list more;
	bool done;

	va_start(more, v3);
	done = ue__encode_values(event, d, true, v0, v1, v2, v3, &more);
	va_end(more);
	if (done)
		return;
	UE__ALL_VALUES(v, small, d->values, v0, v1, v2, v3, more);
	ue__encode_log_array(event, d, v);
}
