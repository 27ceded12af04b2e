/* SPDX-License-Identifier: MIT */
/*
 * Encoding events of more values
 */

/* @enabled */

/*
 * The values behind the first four. Where six registers are taken already, they are one after
 * another in memory; va_arg() would look where each one is, and GCC's va_start() costs as much as a
 * value. clang removes arguments that no va_start() asks for; GCC does if it clones the function.
 * __builtin_next_arg() is right also where GCC aligns the stack, other than __builtin_dwarf_cfa().
 */
#if defined(__x86_64__) && defined(__LP64__)
#ifdef __clang__
struct ue__va_list { /* as the machine's ABI has it */
	unsigned int general, floating;
	const uint64_t *overflow;
	void *saved;
} __attribute__((__may_alias__));
#define UE__BEGIN_REST(list) \
	(va_start(list, v3), ((const struct ue__va_list *)(const void *)(list))->overflow)
#define UE__END_REST(list) va_end(list)
#else
#define UE__BEGIN_REST(list) ((const uint64_t *)__builtin_next_arg(v3))
#define UE__END_REST(list) ((void)(list))
#endif
typedef const uint64_t *ue__rest;
#define UE__NEXT(rest) (*(rest)++)
#define UE__PUT_REST(p, type, end, rest)  \
	for (;; (type) += 4, (rest) += 4) \
	UE__PUT_FOUR(p, type, end, (rest)[0], (rest)[1], (rest)[2], (rest)[3])
#else
#define UE__BEGIN_REST(list) (va_start(list, v3), &(list))
#define UE__END_REST(list) va_end(list)
typedef va_list *ue__rest;
#define UE__NEXT(rest) va_arg(*(rest), uint64_t)
#define UE__PUT_REST(p, type, end, rest)                         \
	for (;; (type)++) {                                      \
		if (UE__T_BEYOND_SCALARS & *(type))              \
			goto end;                                \
		(p) = ue__put_value(p, UE__NEXT(rest), *(type)); \
	}
#endif

/* More than four values, the first four and the REST: scalars, and in a log an activity's ids. */
static UE__ALWAYS_INLINE void ue__encode_values(struct ue_event *event, const struct ue__desc *d,
						bool log, uint64_t v0, uint64_t v1, uint64_t v2,
						uint64_t v3, ue__rest rest)
{
	unsigned char buffer[UE__SMALL_SIZE], *p;
	const uint32_t *type = ue__types(d);
	uint32_t index = UE__LOAD(&event->index);

	if (index-- == 0)
		return;
	if (log && UE__UNLIKELY(UE__SHAPE_OF(*type) == UE__SHAPE_ACTIVITY)) {
		uint64_t activity[2];
		const uint64_t *ids = activity;

		activity[0] = v0;
		activity[1] = v1;
		p = ue__put_head(buffer, index, event, d, &type, &ids);
		UE__PUT_TWO(p, type, end, v2, v3);
		type += 2;
	} else {
		memcpy(buffer, &index, 4);
		p = buffer + 4;
		if (log)
			p = ue__put_meta(p, event, d);
		UE__PUT_FOUR(p, type, end, v0, v1, v2, v3);
		type += 4;
	}
	UE__PUT_REST(p, type, end, rest);
end:
	ue__send_small(event, buffer, p);
}

/* What has strings or arrays, or is large: the four values and the rest in one array. */
UE__COLD void ue__encode_list(struct ue_event *event, const struct ue__desc *d, uint64_t v0,
			      uint64_t v1, uint64_t v2, uint64_t v3, ue__rest rest,
			      void (*encode)(struct ue_event *event, const struct ue__desc *d,
					     const uint64_t *v))
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
		v[i] = UE__NEXT(rest);
	encode(event, d, v);
}

UE__HOT void ue__encode_kernel_more(struct ue_event *event, const struct ue__desc *d, uint64_t v0,
				    uint64_t v1, uint64_t v2, uint64_t v3, ...)
{
	va_list list;

	ue__encode_values(event, d, false, v0, v1, v2, v3, UE__BEGIN_REST(list));
	UE__END_REST(list);
}

UE__HOT void ue__encode_log_more(struct ue_event *event, const struct ue__desc *d, uint64_t v0,
				 uint64_t v1, uint64_t v2, uint64_t v3, ...)
{
	va_list list;

	ue__encode_values(event, d, true, v0, v1, v2, v3, UE__BEGIN_REST(list));
	UE__END_REST(list);
}

UE__HOT void ue__encode_kernel_list(struct ue_event *event, const struct ue__desc *d, uint64_t v0,
				    uint64_t v1, uint64_t v2, uint64_t v3, ...)
{
	va_list list;

	ue__encode_list(event, d, v0, v1, v2, v3, UE__BEGIN_REST(list),
			UE__THE(ue__encode_kernel_array));
	UE__END_REST(list);
}

UE__HOT void ue__encode_log_list(struct ue_event *event, const struct ue__desc *d, uint64_t v0,
				 uint64_t v1, uint64_t v2, uint64_t v3, ...)
{
	va_list list;

	ue__encode_list(event, d, v0, v1, v2, v3, UE__BEGIN_REST(list),
			UE__THE(ue__encode_log_array));
	UE__END_REST(list);
}
