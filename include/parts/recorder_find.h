/* SPDX-License-Identifier: MIT */
/*
 * Finding whole records
 */

/* @private */

static inline uint32_t ue__recorder_u32(const struct ue_recorder_reader *reader, size_t offset)
{
	uint32_t v;

	if (reader->live)
		return __atomic_load_n((const uint32_t *)(const void *)(reader->bytes + offset),
				       __ATOMIC_ACQUIRE);
	memcpy(&v, reader->bytes + offset, 4);
	return reader->swap ? __builtin_bswap32(v) : v;
}

/* A word as it is stored. In live memory, its halves may be of different stores; the hash tells. */
static inline uint64_t ue__recorder_raw(const struct ue_recorder_reader *reader, size_t offset)
{
	uint64_t word;

	if (reader->live) {
#if __SIZEOF_SIZE_T__ > 4
		return __atomic_load_n((const uint64_t *)(const void *)(reader->bytes + offset),
				       __ATOMIC_ACQUIRE);
#else
		uint32_t halves[2];

		halves[0] = ue__recorder_u32(reader, offset);
		halves[1] = ue__recorder_u32(reader, offset + 4);
		memcpy(&word, halves, 8);
		return word;
#endif
	}
	memcpy(&word, reader->bytes + offset, 8);
	return word;
}

static inline uint64_t ue__recorder_word(const struct ue_recorder_reader *reader, size_t offset)
{
	uint64_t word = ue__recorder_raw(reader, offset);

	return reader->swap ? __builtin_bswap64(word) : word;
}

struct ue__recorder_found {
	uint64_t time, what;
	uint32_t words, sequence;
};

/*
 * Is there a whole record of at most MOST words at position AT? Copies its payload, unless PAYLOAD
 * is NULL.
 */
UE__FN bool ue__recorder_whole(struct ue_recorder_reader *reader, uint32_t ring, uint32_t at,
			       uint32_t most, struct ue__recorder_found *f, uint64_t *payload)
{
	size_t base = reader->layout.data + ((size_t)ring << reader->layout.shift);
	uint32_t mask = (uint32_t)(((uint64_t)1 << reader->layout.shift) / 8 - 1), size, i;
	uint64_t first = ue__recorder_word(reader, base + 8 * (size_t)(at & mask)), hash;

	if (!first)
		return false;
	f->what = ue__recorder_word(reader, base + 8 * (size_t)((at + 2) & mask));
	size = f->what & 0xffff;
	f->words = UE__RECORDER_WORDS + (size + 7) / 8;
	if (f->words > most || size > ue__recorder_largest(reader->layout.shift))
		return false;
	reader->work += f->words;
	f->time = ue__recorder_word(reader, base + 8 * (size_t)((at + 1) & mask));
	hash = ue__recorder_mix(reader->layout.key + f->time, f->what);
	for (i = UE__RECORDER_WORDS; i < f->words; i++) {
		uint64_t raw = ue__recorder_raw(reader, base + 8 * (size_t)((at + i) & mask));

		hash = ue__recorder_mix(hash, reader->swap ? __builtin_bswap64(raw) : raw);
		if (payload)
			*payload++ = raw;
	}
	hash = ue__recorder_end(hash) ^ first;
	f->sequence = (uint32_t)hash;
	return hash >> 32 == at;
}

/*
 * Is A at most MOST behind B? Either may be a little ahead, since 32-bit machines count in two
 * steps.
 */
static inline bool ue__recorder_near(uint32_t a, uint32_t b, uint32_t most)
{
	return a - b + 256 <= most + 512;
}

/* Finds the end of what is written to the ring. */
UE__FN void ue__recorder_extent(struct ue_recorder_reader *reader, uint32_t ring)
{
	struct ue__recorder_cursor *c = &reader->rings[ring];
	size_t at = sizeof(struct ue__recorder_head) + ring * sizeof(struct ue__recorder_ring);
	uint32_t words = (uint32_t)(((uint64_t)1 << reader->layout.shift) / 8), most = words;
	uint64_t next = ue__recorder_word(reader, at), laps;
	uint32_t count;
	struct ue__recorder_found f;

	laps = ue__recorder_u32(reader, at + offsetof(struct ue__recorder_ring, laps));
	count = ue__recorder_u32(reader, at + offsetof(struct ue__recorder_ring, count));
	if ((uint32_t)next < count && count - (uint32_t)next > UINT32_MAX / 2)
		laps++;
	c->total = laps << 32 | (uint32_t)next;
	c->end = (uint32_t)(next >> 32);
	/* records written while the bytes were copied: the counters came first */
	while (ue__recorder_whole(reader, ring, c->end, most, &f, NULL) &&
	       ue__recorder_near(f.sequence, (uint32_t)c->total, 0)) {
		most -= f.words;
		c->end += f.words;
		if ((int32_t)(f.sequence - (uint32_t)c->total) >= 0)
			c->total += f.sequence - (uint32_t)c->total + 1;
	}
	if (c->end - c->at > words) {
		c->jumped = 1;
		c->have = 0;
		c->at = c->end - words;
	}
}

/* Finds the next whole record of a ring. What it skips was overwritten or torn. */
UE__FN void ue__recorder_seek(struct ue_recorder_reader *reader, uint32_t ring)
{
	struct ue__recorder_cursor *c = &reader->rings[ring];
	uint32_t at;

	if (c->have)
		return;
	if (reader->live)
		ue__recorder_extent(reader, ring);
	for (at = c->at; at != c->end; at++) {
		struct ue__recorder_found f;
		uint32_t left = c->end - at;

		/*
		 * the next one is being written; after an overflow of the count, it is a word
		 * behind
		 */
		if (reader->follow && at - c->at > 1 && !c->jumped && (c->whole || c->unlapped))
			return;

		if (ue__recorder_whole(reader, ring, at, left, &f, NULL) &&
		    ue__recorder_near((uint32_t)c->total, f.sequence, left / UE__RECORDER_WORDS)) {
			c->have = 1;
			c->at = at;
			c->time = f.time;
			return;
		}
		if (reader->work / 64 > reader->layout.size)
			break;
	}
	if (!reader->follow)
		c->at = c->end;
}
