/* SPDX-License-Identifier: MIT */
/*
 * The text that registers an event
 */

/* @enabled */

static UE__ALWAYS_INLINE const uint32_t *ue__types(const struct ue__desc *d)
{
	return (const uint32_t *)(const void *)(d + 1);
}

static UE__ALWAYS_INLINE const struct ue__callbacks *ue__callbacks_of(const struct ue__desc *d)
{
	return (const struct ue__callbacks *)(const void *)(d + 1);
}

/* The text that registers a declared event. */
UE__SETUP int ue__spec(const struct ue_event *event, char out[512])
{
	/* NULL: just unregistered */
	const struct ue__desc *d = __atomic_load_n(&event->desc, __ATOMIC_ACQUIRE);
	struct ue__text t = ue__text_in(out, 512);
	const uint32_t *types;
	const char *p;
	unsigned int i;
	size_t n;

	if (!d)
		return -ENOENT;
	types = ue__types(d);
	if (d->variant == UE__DESC_SET) {
		uint64_t keyword;

		memcpy(&keyword, types, sizeof(keyword));
		p = (const char *)types + sizeof(keyword);
		return ue__set_spec(out, p, event->level, keyword, p + strlen(p) + 1);
	}
	if (d->variant == UE__DESC_CALLBACKS)
		return ue__callbacks_of(d)->spec(out, ue__callbacks_of(d)->name);
	if (d->variant != UE__DESC_KERNEL) {
		ue__put(&t, d->variant == UE__DESC_TEXT ? (const char *)types
							: ue__callbacks_of(d)->name);
		return 0;
	}
	/* an event without fields has a type all the same */
	p = (const char *)(types + (d->types ? d->types + 1 : 2));
	n = strcspn(p, ";");
	ue__put_bytes(&t, p, n);
	for (i = 0; i < d->types; i++) {
		p += n + 1;
		n = strcspn(p, ";");
		ue__put(&t, i ? "; " : " ");
		ue__put_type(&t, types[i]);
		ue__put(&t, " ");
		ue__put_bytes(&t, p, n);
	}
	return t.length > 511 ? -E2BIG : 0;
}
