/* SPDX-License-Identifier: MIT */
/*
 * Recording an event
 */

/* @enabled */

UE__FILE_COLD uint64_t ue__recorder_short(const unsigned char *payload, size_t size)
{
	uint64_t word = 0;

	memcpy(&word, payload, size);
	return word;
}

/*
 * The last, partial word of a payload, padded with zeros. The index before the payload is read,
 * too.
 */
static inline uint64_t ue__recorder_tail(const unsigned char *payload, size_t size)
{
	unsigned int bits = -8u * (unsigned int)size % 64;
	uint64_t word;

	if (UE__UNLIKELY(size < 4))
		return ue__recorder_short(payload, size);
	memcpy(&word, payload + size - 8, 8);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return word >> bits;
#else
	return word << bits;
#endif
}

/* A record that wraps around the ring's end, or comes in several segments. */
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

UE__FILE_COLD uint64_t ue__recorder_pieces(uint64_t *ring, uint32_t mask, uint32_t at,
					   uint64_t hash, const struct ue__iovec *iov, int count)
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

/* Writes such a record, whose place is reserved. */
UE__FILE_COLD void ue__recorder_write_pieces(struct ue__recording *r,
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

/* KNOWN is process << 14 | format. */
static inline uint64_t ue__recorder_what(uint32_t tid, uint32_t known, size_t size)
{
	return (uint64_t)tid << 42 | (uint64_t)known << 16 | size;
}

/*
 * The slow path: events that are new, in several segments or too large, and recorders that are to
 * stop.
 */
UE__FILE_COLD void ue__record_slowly(struct ue_event *event, const void *bytes, size_t size)
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
	format = bytes ? ue__recorder_cached_of(r, serial) & UE__RECORDER_UNKNOWN : 0;
	if (!format)
		format = ue__recorder_describe(r, event, serial, bytes, iov ? iov->iov_len : size);
	if (!format || !bytes)
		return;
	process = ue__recorder_this_process(r);
	if (UE__LOAD(&r->head->mode) && !ue__recorder_count_down(r->head))
		return;
	size -= 4;
	ring = ue__recorder_cpu(r) & r->rings;
	if (size > r->largest) {
		UE__INCREMENT(&r->place[ring].counters->large);
		return;
	}
	tid = ue__recorder_tid(r);
	time = ue__recorder_time(r);
	what = ue__recorder_what(tid, process << 14 | format, size);
	one.iov_base = (void *)(uintptr_t)bytes;
	one.iov_len = size + 4;
	reserved = ue__recorder_reserve(r->place[ring].counters,
					(uint32_t)(size + 8 * UE__RECORDER_WORDS + 7) / 8);
	ue__recorder_write_pieces(r, &r->place[ring], key, time, what, reserved, iov ? iov : &one,
				  iov ? count : 1);
}

static inline uint64_t ue__recorder_copy(unsigned char *to, const unsigned char *from,
					 uint64_t hash)
{
	uint64_t word;

	memcpy(&word, from, 8);
	ue__recorder_store((uint64_t *)(void *)to, word);
	return ue__recorder_mix(hash, word);
}

/* The same for one segment. */
UE__FILE_COLD void ue__record_around(const void *bytes, size_t size, struct ue__recording *r,
				     const struct ue__recorder_place *place, uint64_t time,
				     uint64_t what, uint64_t key, uint64_t reserved)
{
	struct ue__iovec one;

	one.iov_base = (void *)(uintptr_t)bytes;
	one.iov_len = size;
	ue__recorder_write_pieces(r, place, key, time, what, reserved, &one, 1);
}

/*
 * Called for each event of this program or library: struct ue__state's RECORD. BYTES are index and
 * payload, or -SIZE segments of them; NULL if the event is being registered, under the lock. All
 * calls are tail calls, so that it saves no registers.
 */
UE__FILE_HOT void ue__record(struct ue_event *event, const void *bytes, size_t size)
{
	struct ue__recording *r = (struct ue__recording *)UE__LOAD(&ue__state_v1.recording);
	const unsigned char *from;
	unsigned char *to;
	uint64_t time, key, reserved, hash, what, word, *first;
	const struct ue__recorder_place *place;
	uint32_t known, at, words;
	ptrdiff_t i;

	/* read before the place is reserved: merged by time, a thread's events stay in order */
	if (UE__UNLIKELY(!ue__clock_counted(&r->own->clock, &time))) {
		ue__record_slowly(event, bytes, size);
		return;
	}
	key = ue__recorder_load(&r->key);
	place = &r->place[ue__thread_word(r->rseq) & r->rings];
	known = ue__recorder_cached_of(r, UE__LOAD(&event->serial));
	size -= 4;
	if (UE__UNLIKELY(!known || size >= UE__LOAD(&place->counters->limit))) {
		ue__record_slowly(event, bytes, size + 4);
		return;
	}
	what = ue__recorder_what(ue__thread_word(r->tid), known, size);
	hash = ue__recorder_mix(key + time, what);
	words = (uint32_t)(size + 8 * UE__RECORDER_WORDS + 7) / 8;
	reserved = ue__recorder_reserve(place->counters, words);
	at = (uint32_t)(reserved >> 32) & r->mask;
	if (UE__UNLIKELY(at + words > r->mask)) {
		ue__record_around(bytes, size + 4, r, place, time, what, key, reserved);
		return;
	}
	first = place->words + at;
	ue__recorder_store(first + 1, time);
	ue__recorder_store(first + 2, what);
	i = -(ptrdiff_t)(size & ~(size_t)7);
	from = (const unsigned char *)bytes + 4 - i;
	to = (unsigned char *)(first + UE__RECORDER_WORDS) - i;
	if (i & 8) {
		hash = ue__recorder_copy(to + i, from + i, hash);
		i += 8;
	}
	for (; i; i += 16) {
		__asm__("" : "+r"(i)); /* one variable for both addresses */
		hash = ue__recorder_copy(to + i, from + i, hash);
		hash = ue__recorder_copy(to + i + 8, from + i + 8, hash);
	}
	if (size & 7) {
		word = ue__recorder_tail((const unsigned char *)bytes + 4, size);
		hash = ue__recorder_mix(hash, word);
		ue__recorder_store((uint64_t *)(void *)to, word);
	}
	ue__recorder_commit(first, ue__recorder_end(hash) ^ reserved);
}
