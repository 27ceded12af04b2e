/* SPDX-License-Identifier: MIT */
/*
 * Shortening bytes: kernel-typed events
 */

/* @enabled */

/* The data of a loc. */
enum { UE__LOCS = 32 /* no text has more */ };
struct ue__loc {
	size_t at;	     /* of the loc, in the payload */
	size_t begin, size;  /* of its data, without its NUL */
	size_t element, nul; /* bytes */
};

/* An EventHeader event while it is cut, or measured. */
struct ue__cut {
	struct ue__definitions meta; /* that follow */
	unsigned char *p, *end;	     /* payload that follows */
	unsigned char *out;	     /* where it goes to; NULL: it is measured */
	size_t size;		     /* of what is kept */
	size_t most;		     /* bytes of a string or array */
	unsigned int depth;
	bool wrong; /* the payload is not what its metadata says */
};

/*
 * An event that is to be cut: in a mapping of its own, since a signal handler's stack may have no
 * room for it. Where its strings and arrays are is told by the text that registers it.
 */
struct ue__copy {
	size_t payload; /* bytes */
	size_t align;	/* what is cut out is a multiple of it */
	size_t data;	/* of an EventHeader event, where its metadata ends */
	int locs;	/* of a kernel-typed event; -1: their data is not where it should be */
	struct ue__loc loc[UE__LOCS];
	struct ue__cut cut;
	char spec[512];
	unsigned char bytes[4]; /* the index; the payload follows */
};

UE__SETUP size_t ue__decimal(const char *p)
{
	size_t n = 0;

	while (ue__is_digit(*p) && n < 65536)
		n = n * 10 + (size_t)(*p++ - '0');
	return n;
}

/* The element size of the kernel's type at P; of an unknown one, a byte. */
UE__SETUP size_t ue__element_size(const char *p)
{
	if (strncmp(p, "unsigned ", 9) == 0)
		p += 9;
	if ((*p == 'u' || *p == 's') && ue__is_digit(p[1]))
		return ue__decimal(p + 1) / 8;
	return *p == 'i' ? 4 : strncmp(p, "short", 5) == 0 ? 2 : 1;
}

/* The size of a field that is no loc, N characters of text. */
UE__SETUP size_t ue__field_size(const char *p, size_t n)
{
	const char *bracket = (const char *)memchr(p, '[', n);

	if (strncmp(p, "struct ", 7) == 0) {
		while (n > 0 && p[n - 1] != ' ')
			n--;
		return ue__decimal(p + n);
	}
	return ue__element_size(p) * (bracket ? ue__decimal(bracket + 1) : 1);
}

/*
 * Finds the locs of a kernel-typed event. Returns their number, or -1 if their data is not there in
 * order.
 */
UE__SETUP int ue__find_locs(struct ue__copy *copy)
{
	const unsigned char *payload = copy->bytes + 4;
	const char *field = copy->spec + strcspn(copy->spec, " ");
	size_t at = 0, end = 0, n, prefix;
	uint32_t word;
	int count = 0;

	for (; *field; field += n) {
		struct ue__loc *l = &copy->loc[count];

		field += strspn(field, "; ");
		n = strcspn(field, ";");
		prefix = strncmp(field, "__rel_loc ", 10) == 0	  ? 10
			 : strncmp(field, "__data_loc ", 11) == 0 ? 11
								  : 0;
		if (!prefix) {
			at += ue__field_size(field, n);
			continue;
		}
		if (count++ == UE__LOCS || at + 4 > copy->payload)
			return -1;
		memcpy(&word, payload + at, 4);
		l->at = at;
		at += 4;
		/* the one counts from behind the loc, the other from the begin of a record */
		l->begin = (word & 0xffff) + (prefix == 10 ? at : 0);
		if (prefix == 11 && l->begin < 8)
			return -1;
		l->begin -= prefix == 11 ? 8 : 0;
		l->size = word >> 16;
		if (l->begin < end || l->begin + l->size > copy->payload)
			return -1;
		end = l->begin + l->size;
		l->element = ue__element_size(field + prefix);
		l->nul = l->size && !payload[end - 1] &&
			 (strncmp(field + prefix, "char", 4) == 0 ||
			  strncmp(field + prefix, "unsigned char", 13) == 0);
		l->size -= l->nul;
	}
	return count == 0 || copy->loc[0].begin >= at ? count : -1;
}

/* Cuts a kernel-typed event, or measures what would be left. */
UE__SETUP size_t ue__cut_locs(struct ue__copy *copy, size_t most, bool measure)
{
	unsigned char *p = copy->bytes + 4;
	size_t gone = 0, done = 0;
	int i;

	for (i = 0; i < copy->locs; i++) {
		const struct ue__loc *l = &copy->loc[i];
		size_t cut = l->size - ue__whole(p + l->begin, l->size, most, l->element, l->nul),
		       kept;
		uint32_t word;

		cut = (cut + copy->align - 1) / copy->align * copy->align;
		if (cut > l->size)
			cut -= copy->align;
		kept = l->begin + l->size - cut;
		if (!measure) {
			memcpy(&word, p + l->at, 4);
			word -= (uint32_t)(cut << 16 | gone);
			memcpy(p + l->at, &word, 4);
			memmove(p + done - gone, p + done, kept - done);
		}
		done = kept + cut;
		gone += cut;
	}
	if (!measure)
		memmove(p + done - gone, p + done, copy->payload - done);
	return copy->payload - gone;
}
