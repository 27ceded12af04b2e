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

/*
 * Finds the locs of a kernel-typed event. Returns their number, or -1 if their data is not there in
 * order.
 */
UE__SETUP int ue__find_locs(struct ue__copy *copy)
{
	const unsigned char *payload = copy->bytes + 4;
	const char *p = copy->spec + strcspn(copy->spec, " "), *type;
	size_t at = 0, end = 0, size;
	struct ue__field_words f;
	uint32_t word;
	int count = 0;

	for (; *p; p += *p == ';') {
		struct ue__loc *l = &copy->loc[count];
		bool relative;

		p = ue__split_field(p, &f);
		size = ue__size_of_field(&f);
		if (size == 0)
			return -1;
		at += size;
		relative = strncmp(f.word[0], "__rel_loc ", 10) == 0;
		if (!relative && strncmp(f.word[0], "__data_loc ", 11) != 0)
			continue;
		if (count++ == UE__LOCS || at > copy->payload)
			return -1;
		l->at = at - 4;
		memcpy(&word, payload + l->at, 4);
		/* the one counts from behind the loc, the other from the begin of a record */
		l->begin = (word & 0xffff) + (relative ? at : 0);
		if (!relative && l->begin < 8)
			return -1;
		l->begin -= relative ? 0 : 8;
		l->size = word >> 16;
		if (l->begin < end || l->begin + l->size > copy->payload)
			return -1;
		end = l->begin + l->size;
		type = f.word[1];
		l->element = ue__size_of_type(type, strcspn(type, "[;"));
		l->element += l->element == 0;
		l->nul = l->size && !payload[end - 1] &&
			 (strncmp(type, "char", 4) == 0 || strncmp(type, "unsigned char", 13) == 0);
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
