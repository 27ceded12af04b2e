/* SPDX-License-Identifier: MIT */
/*
 * The text that registers an event
 */

@enabled

/* The kernel's notation of a type. */
UE__SETUP void ue__put_type(struct ue__text *t, uint32_t type)
{
	static const char names[][20] = {
#define UE__KERNEL_NAME(name, kernel, log2, shape, kind, format, ctype, how, ok) kernel,
		UE__TYPES(UE__KERNEL_NAME)
#undef UE__KERNEL_NAME
	};
	const char *name = names[UE__ROW_OF(type)];

	if (type & UE__T_CARRAY) {
		ue__put(t, UE__ROW_OF(type) == UE__ROW_CHAR ? "char[" : "unsigned char[");
		ue__put_number(t, UE__LENGTH_OF(type), 10);
		ue__put(t, "]");
		return;
	}
	if (UE__SHAPE_OF(type) == UE__SHAPE_VALUE || UE__SHAPE_OF(type) == UE__SHAPE_POINTER) {
		if (!(type & UE__T_VARRAY)) {
			ue__put(t, name);
			return;
		}
	}
	ue__put(t, "__rel_loc ");
	ue__put(t, name);
	ue__put(t, "[]");
}

static inline const uint32_t *ue__types(const struct ue__desc *d)
{
	return (const uint32_t *)(const void *)(d + 1);
}

static inline const struct ue__callbacks *ue__callbacks_of(const struct ue__desc *d)
{
	return (const struct ue__callbacks *)(const void *)(d + 1);
}

#define UE__SET_RULES                                                                        \
	"a set's provider is an identifier, its level 1 to 255, its group [0-9a-z]*, and its " \
	"name, PROVIDER_LxKyGgroup, at most 255 bytes"

/* The text that registers an event set: -EINVAL for a name that readers would not know. */
UE__SETUP int ue__set_spec(char out[512], const char *provider, unsigned int level, uint64_t keyword,
			const char *group)
{
	struct ue__text t = ue__text_in(out, 512);
	const char *g = group ? group : "";

	ue__put(&t, provider);
	ue__put(&t, "_L");
	ue__put_number(&t, level, 16);
	ue__put(&t, "K");
	ue__put_number(&t, keyword, 16);
	if (*g) {
		ue__put(&t, "G");
		ue__put(&t, g);
	}
	if (t.length > 255 || !ue__is_identifier(provider, strlen(provider)) || level < 1 ||
	    level > 255 || g[strspn(g, "0123456789abcdefghijklmnopqrstuvwxyz")])
		return -EINVAL;
	ue__put(&t, " " UE__SET_FIELDS);
	return 0;
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
		ue__put(&t, d->variant == UE__DESC_TEXT ? (const char *)types : ue__callbacks_of(d)->name);
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
