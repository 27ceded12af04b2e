/* SPDX-License-Identifier: MIT */
/*
 * Recording an event
 */

/* @enabled */

UE__COLD uint64_t ue__recorder_short(const unsigned char *p, size_t size)
{
	uint64_t word = 0;

	memcpy(&word, p, size & 7);
	return word;
}

/* What is left at P, the end of a payload of SIZE bytes, as a word whose other bytes are zero. */
static inline uint64_t ue__recorder_tail(const unsigned char *p, size_t size)
{
	uint64_t word = 0;

	if (size >= 8) {
		unsigned int bits = 64 - 8 * (unsigned int)(size & 7);

		memcpy(&word, p + (size & 7) - 8, 8);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
		return word >> bits;
#else
		return word << bits;
#endif
	}
	return ue__recorder_short(p, size);
}

/* A record that goes round the end of the ring, or comes in several pieces. */
struct ue__recorder_out {
	uint64_t *ring;
	uint64_t hash;
	uint32_t at, mask, fill;
	unsigned char word[8];
};

static inline void ue__recorder_add(struct ue__recorder_out *o, const void *data, size_t size)
{
	const unsigned char *p = (const unsigned char *)data;
	uint64_t word;

	for (; size; p += 8 - o->fill, size -= 8 - o->fill, o->fill = 0) {
		size_t n = size < 8 - o->fill ? size : 8 - o->fill;

		memcpy(o->word + o->fill, p, n);
		if (n < 8 - o->fill) {
			o->fill += (uint32_t)n;
			return;
		}
		memcpy(&word, o->word, 8);
		o->hash = ue__recorder_mix(o->hash, word);
		ue__recorder_store(o->ring + (o->at++ & o->mask), word);
	}
}

UE__COLD uint64_t ue__recorder_pieces(uint64_t *ring, uint32_t mask, uint32_t at, uint64_t hash,
				      const struct ue__iovec *iov, int count)
{
	static const unsigned char zeros[8] = { 0 };
	struct ue__recorder_out o;
	int i;

	o.ring = ring;
	o.mask = mask;
	o.at = at;
	o.hash = hash;
	o.fill = 0;
	ue__recorder_add(&o, (const unsigned char *)iov->iov_base + 4, iov->iov_len - 4);
	for (i = 1; i < count; i++)
		ue__recorder_add(&o, iov[i].iov_base, iov[i].iov_len);
	if (o.fill)
		ue__recorder_add(&o, zeros, 8 - o.fill);
	return o.hash;
}

/* The rest of a record that goes round the end of the ring, or comes in pieces. */
UE__COLD void ue__recorder_write_pieces(struct ue__recording *r,
					const struct ue__recorder_place *place, uint64_t key,
					uint64_t time, uint64_t what, uint64_t reserved,
					const struct ue__iovec *iov, int count)
{
	uint32_t at = (uint32_t)(reserved >> 32), mask = r->mask;
	uint64_t hash = ue__recorder_mix(key + time, what);

	ue__recorder_lap(place->counters, (uint32_t)reserved);
	ue__recorder_store(place->words + ((at + 1) & mask), time);
	ue__recorder_store(place->words + ((at + 2) & mask), what);
	hash = ue__recorder_pieces(place->words, mask, at + 3, hash, iov, count);
	ue__recorder_commit(place->words + (at & mask), ue__recorder_end(hash) ^ reserved);
}

/* KNOWN is the process << 14 | format. */
static inline uint64_t ue__recorder_what(uint32_t tid, uint32_t known, size_t size)
{
	return (uint64_t)tid << 42 | (uint64_t)known << 16 | size;
}

/* What needs a closer look: what is new, in several pieces, too large, and a recorder that is to stop. */
UE__COLD int ue__record_slowly(struct ue_event *event, const void *bytes, size_t size)
{
	struct ue__recording *r = (struct ue__recording *)UE__LOAD(&ue__state_v1.recording);
	const struct ue__iovec *iov = NULL;
	struct ue__iovec one;
	uint64_t key = ue__recorder_load(&r->key), time, what, reserved;
	uint32_t serial = UE__LOAD(&event->serial), format, process, ring, tid;
	int i, count = 0;

	if (size > SIZE_MAX / 2) {
		iov = (const struct ue__iovec *)bytes;
		count = -(int)size;
		bytes = iov->iov_base;
		for (i = 0, size = 0; i < count; i++)
			size += iov[i].iov_len;
	}
	format = bytes ? ue__recorder_known_of(r, serial) & UE__RECORDER_UNKNOWN : 0;
	if (!format)
		format = ue__recorder_describe(r, event, serial, bytes, iov ? iov->iov_len : size);
	if (!format || !bytes)
		return 0;
	process = ue__recorder_self(r);
	if (UE__LOAD(&r->head->mode) && !ue__recorder_counts(r->head))
		return 0;
	size -= 4;
	ring = ue__recorder_cpu(r) & r->rings;
	if (size > r->largest) {
		UE__INCREMENT(&r->place[ring].counters->large);
		return 0;
	}
	tid = ue__recorder_tid(r);
	time = ue__capture_clock(1);
	what = ue__recorder_what(tid, process << 14 | format, size);
	one.iov_base = (void *)(uintptr_t)bytes;
	one.iov_len = size + 4;
	reserved = ue__recorder_reserve(r->place[ring].counters,
					(uint32_t)(size + 8 * UE__RECORDER_WORDS + 7) / 8);
	ue__recorder_write_pieces(r, &r->place[ring], key, time, what, reserved, iov ? iov : &one,
				  iov ? count : 1);
	return 0;
}

/*
 * Called for each event of this program or library: struct ue__state's RECORD. BYTES are index
 * and payload, or -SIZE segments of them; NULL if the event is being registered, under the lock.
 */
UE__HOT int ue__record(struct ue_event *event, const void *bytes, size_t size)
{
	/* before a place is reserved, so that a thread's events are in order when rings are merged by time */
	uint64_t time = ue__capture_clock(1), key, reserved, hash, what, word;
	struct ue__recording *r = (struct ue__recording *)UE__LOAD(&ue__state_v1.recording);
	const unsigned char *thread = ue__thread_pointer(), *payload;
	const struct ue__recorder_place *place;
	uint32_t known, at, words;
	unsigned char *p;
	ptrdiff_t i;

	key = ue__recorder_load(&r->key);
	place = &r->place[UE__LOAD((const uint32_t *)(const void *)(thread + r->rseq)) & r->rings];
	known = ue__recorder_known_of(r, UE__LOAD(&event->serial));
	if (UE__UNLIKELY(!known || size - 4 >= UE__LOAD(&place->counters->limit)))
		return ue__record_slowly(event, bytes, size);
	size -= 4;
	what = ue__recorder_what(UE__LOAD((const uint32_t *)(const void *)(thread + r->tid)), known,
				 size);
	hash = ue__recorder_mix(key + time, what);
	words = (uint32_t)(size + 8 * UE__RECORDER_WORDS + 7) / 8;
	reserved = ue__recorder_reserve(place->counters, words);
	at = (uint32_t)(reserved >> 32) & r->mask;
	if (UE__UNLIKELY(at + words > r->mask)) {
		struct ue__iovec one;

		one.iov_base = (void *)(uintptr_t)bytes;
		one.iov_len = size + 4;
		ue__recorder_write_pieces(r, place, key, time, what, reserved, &one, 1);
		return 0;
	}
	p = (unsigned char *)(place->words + at);
	ue__recorder_store((uint64_t *)(void *)(p + 8), time);
	ue__recorder_store((uint64_t *)(void *)(p + 16), what);
	i = -(ptrdiff_t)(size & ~(size_t)7);
	payload = (const unsigned char *)bytes + 4 - i;
	for (p -= i; i; i += 8) {
		memcpy(&word, payload + i, 8);
		hash = ue__recorder_mix(hash, word);
		ue__recorder_store((uint64_t *)(void *)(p + 24 + i), word);
	}
	if (size & 7) {
		word = ue__recorder_tail(payload, size);
		hash = ue__recorder_mix(hash, word);
		ue__recorder_store((uint64_t *)(void *)(p + 24), word);
	}
	ue__recorder_commit(place->words + at, ue__recorder_end(hash) ^ reserved);
	return 0;
}
