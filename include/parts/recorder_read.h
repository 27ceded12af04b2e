/* SPDX-License-Identifier: MIT */
/*
 * Reading recorders
 */

@public

/*
 * Reading a recorder
 * ==================
 *
 *	if (ue_recorder_read(&reader, bytes, size) == 0)
 *		while (ue_recorder_next(&reader, &event) > 0)
 *			use(&event);
 *
 * The bytes are a file's content, the memory that is recorded into, or a snapshot. They may be cut, damaged or
 * hostile, and of either byte order. Events come in order of time; those of a thread in the order it wrote them, as far
 * as its clock tells two times apart.
 */
struct ue__recorder_cursor {
	uint64_t total;	 /* records that were reserved */
	uint64_t expect; /* number of the next one */
	uint64_t time;	 /* of the one at AT, if HAVE */
	uint32_t at, end; /* positions, in words */
	uint8_t have, whole, jumped, unlapped;
};

struct ue_recorder_reader {
	/* What is missing, as far as it is told yet: each event is read, or counted in one of these. */
	uint64_t overwritten; /* by later events */
	uint64_t torn;	      /* its writer was killed, or slept until the ring had gone round */
	uint64_t large;	      /* too large for its ring: a quarter, or 65535 bytes */
	/* Whether what is being written ends its ring for now, until ue_recorder_more(), and is not yet torn. */
	int follow;
	bool stopped; /* as ue_recorder_stop_on() was told */

	/* The rest is private. */
	const uint8_t *bytes;
	struct ue__recorder_head layout;
	bool swap, live;
	int error;
	uint64_t work;
	struct ue__recorder_cursor rings[UE__RECORDER_RINGS];
	uint8_t checked[(UE__RECORDER_UNKNOWN + 1) / 8];
	uint64_t record[1 + 65536 / 8 + 1];
};

/*
 * Begins. BYTES must outlive what is read, and may be at any address. Returns 0, or -EBADMSG if they are no recorder, or not
 * all of it.
 */
UE__FN int ue_recorder_read(struct ue_recorder_reader *reader, const void *bytes, size_t size);

/* The same for the recorder of this process, while it is written. Returns 0, or -ENOENT if it does not run. */
UE__FN int ue_recorder_read_live(struct ue_recorder_reader *reader);

/*
 * Goes on behind what was read, in BYTES of the same recorder that were copied later, when ue_recorder_next() has
 * returned 0. Returns 0, or -EBADMSG if it is another recorder, or none.
 */
UE__FN int ue_recorder_more(struct ue_recorder_reader *reader, const void *bytes, size_t size);

/*
 * The next event, for the functions ue_captured_...(); it is valid until the next call. One that there was no
 * room to describe is called "unknown". Returns 1; 0 at the end; or once -EBADMSG if the bytes are made to be slow to read:
 * what is left of them is not read then.
 */
UE__FN int ue_recorder_next(struct ue_recorder_reader *reader, struct ue_capture_event *event);

@private

static inline uint32_t ue__recorder_u32(const struct ue_recorder_reader *reader, size_t offset)
{
	uint32_t v;

	if (reader->live)
		return __atomic_load_n((const uint32_t *)(const void *)(reader->bytes + offset),
				       __ATOMIC_ACQUIRE);
	memcpy(&v, reader->bytes + offset, 4);
	return reader->swap ? __builtin_bswap32(v) : v;
}

/* As it is there, not swapped. Of what is live, the halves may belong to different times: the check tells. */
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

/* Is there a whole record at position AT, and not behind END? PAYLOAD gets its bytes, unless it is NULL. */
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

/* Two counts of which one may be a little ahead: of 32-bit machines they are two words. */
static inline bool ue__recorder_near(uint32_t a, uint32_t b, uint32_t most)
{
	return a - b + 256 <= most + 512;
}

/* Looks how far the ring is written. */
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
	/* what was written while the bytes were copied, the counters first */
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

/* The next whole record of a ring; what is before it was overwritten or torn. */
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

		/* the next one is just written; where the count overflowed, it is a word behind */
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

UE__FN void ue__recorder_look(struct ue_recorder_reader *reader, const void *bytes)
{
	uint32_t i;
	size_t at = sizeof(struct ue__recorder_head);

	reader->bytes = (const uint8_t *)bytes;
	reader->work = 0;
	reader->error = 0;
	reader->large = 0;
	reader->stopped = ue__recorder_u32(reader, offsetof(struct ue__recorder_head, mode)) ==
			  UE__RECORDER_STOPPED;
	memset(reader->checked, 0, sizeof(reader->checked));
	for (i = 0; i < reader->layout.rings; i++, at += sizeof(struct ue__recorder_ring)) {
		reader->large +=
			ue__recorder_u32(reader, at + offsetof(struct ue__recorder_ring, large));
		ue__recorder_extent(reader, i);
	}
}

/* All rings from their oldest words on. */
UE__FN void ue__recorder_rewind(struct ue_recorder_reader *reader)
{
	uint32_t words = (uint32_t)(((uint64_t)1 << reader->layout.shift) / 8), i;

	for (i = 0; i < reader->layout.rings; i++) {
		struct ue__recorder_cursor *c = &reader->rings[i];

		c->at = c->end - words;
		c->have = c->jumped = 0;
		/* can these all be since the beginning? */
		if (c->end <= words && c->total <= c->end / UE__RECORDER_WORDS) {
			c->at = 0;
			c->unlapped = 1;
		}
	}
}

UE__FN int ue_recorder_read(struct ue_recorder_reader *reader, const void *bytes, size_t size)
{
	struct ue__recorder_head head;

	memset(reader, 0, offsetof(struct ue_recorder_reader, record));
	if (size < sizeof(head))
		return -EBADMSG;
	memcpy(&head, bytes, sizeof(head));
	if (!ue__recorder_valid(&head, size, &reader->layout, &reader->swap))
		return -EBADMSG;
	ue__recorder_look(reader, bytes);
	ue__recorder_rewind(reader);
	return 0;
}

UE__FN int ue_recorder_more(struct ue_recorder_reader *reader, const void *bytes, size_t size)
{
	struct ue__recorder_head head, layout;
	bool swap;

	if (size < sizeof(head))
		return -EBADMSG;
	memcpy(&head, bytes, sizeof(head));
	if (!ue__recorder_valid(&head, size, &layout, &swap) ||
	    memcmp(&layout, &reader->layout, sizeof(layout)))
		return -EBADMSG;
	ue__recorder_look(reader, bytes);
	return 0;
}

/* Accounts for the record SEQUENCE of a ring, and for those missing before it. */
UE__FN void ue__recorder_account(struct ue_recorder_reader *reader, struct ue__recorder_cursor *c,
				 uint32_t sequence)
{
	uint64_t number = c->total - ((uint32_t)c->total - sequence);
	uint64_t missing = number - c->expect;

	if (c->jumped || !(c->whole || c->unlapped))
		reader->overwritten += missing;
	else
		reader->torn += missing;
	c->expect = number + 1;
	c->whole = 1;
	c->jumped = 0;
}

/* At a ring's end, what is missing there. */
UE__FN void ue__recorder_finish(struct ue_recorder_reader *reader)
{
	uint32_t i;

	for (i = 0; !reader->follow && i < reader->layout.rings; i++) {
		struct ue__recorder_cursor *c = &reader->rings[i];

		if (c->jumped || !(c->whole || c->unlapped))
			reader->overwritten += c->total - c->expect;
		else
			reader->torn += c->total - c->expect;
		c->expect = c->total;
	}
}

/* The format's text, which is checked once; "unknown" if it is none. */
UE__FN const char *ue__recorder_text(struct ue_recorder_reader *reader, uint32_t format,
				     uint64_t *id)
{
	size_t offset = (size_t)format * UE__RECORDER_UNIT, at = reader->layout.table + offset, size;
	struct ue__recorder_spec spec;
	const char *text;
	uint64_t words[2];

	*id = 0;
	if (!format || offset + 2 * UE__RECORDER_UNIT > reader->layout.table_size)
		return "unknown";
	spec.check = ue__recorder_u32(reader, at);
	spec.length = ue__recorder_u32(reader, at + 4);
	*id = spec.hash = ue__recorder_word(reader, at + 8);
	text = (const char *)reader->bytes + at + sizeof(spec);
	if (reader->checked[format / 8] & 1u << format % 8)
		return text;
	*id = 0;
	size = (spec.length & ~(size_t)15) + 16;
	words[0] = spec.hash;
	words[1] = (uint64_t)spec.length << 32 | (uint32_t)offset;
	if (!spec.check || !spec.length || spec.length >= UE__CAPTURE_SPEC ||
	    size > reader->layout.table_size - offset - sizeof(spec) ||
	    ((uint32_t)ue__recorder_hash(UE__CAPTURE_SEED, words, 16, 0) | 1) != spec.check ||
	    memchr(text, 0, size) != text + spec.length ||
	    ue__recorder_hash(UE__CAPTURE_SEED, text, size, reader->swap) != spec.hash)
		return "unknown";
	reader->checked[format / 8] |= (uint8_t)(1u << format % 8);
	*id = spec.hash;
	return text;
}

/* Who wrote it, if the table still has it. */
UE__FN void ue__recorder_who(const struct ue_recorder_reader *reader, uint32_t number,
			     struct ue_capture_event *event)
{
	size_t at = reader->layout.processes +
		    number % reader->layout.slots * sizeof(struct ue__recorder_process);
	uint64_t words[5], start = ue__recorder_word(reader, at + 8);
	uint32_t full = ue__recorder_u32(reader, at + 4), i;

	for (i = 0; i < 5; i++)
		words[i] = ue__recorder_raw(reader, at + 8 + 8 * i);
	if (full % 4095 + 1 != number || start > event->time ||
	    ((uint32_t)ue__recorder_hash(UE__CAPTURE_SEED, words, sizeof(words), reader->swap) ^ full) !=
		    ue__recorder_u32(reader, at) ||
	    !memchr(words + 3, 0, 16))
		return;
	event->wall = (int64_t)ue__recorder_word(reader, at + 16);
	event->pid = ue__recorder_u32(reader, at + 24);
	event->program = (const char *)reader->bytes + at + 32;
}

UE__FN void ue__recorder_event(struct ue_recorder_reader *reader, uint32_t ring,
			       const struct ue__recorder_found *f, struct ue_capture_event *event)
{
	struct {
		uint16_t type;
		uint8_t flags, preempt;
		uint32_t tid;
	} common;

	event->spec = ue__recorder_text(reader, f->what >> 16 & UE__RECORDER_UNKNOWN, &event->format);
	event->name = event->spec;
	event->name_length = strcspn(event->spec, " ");
	event->record = (const uint8_t *)reader->record;
	event->size = (f->what & 0xffff) + sizeof(common);
	event->time = f->time;
	event->wall = reader->layout.wall;
	event->program = "";
	event->pid = 0;
	event->tid = (uint32_t)(f->what >> 42);
	event->cpu = reader->layout.flags & UE__RECORDER_BY_THREAD ? UINT32_MAX : ring;
	event->big_endian = reader->swap != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	event->offset = 0;
	ue__recorder_who(reader, (uint32_t)(f->what >> 30) & 4095, event);
	common.type = (uint16_t)event->format;
	common.flags = common.preempt = 0;
	common.tid = reader->swap ? __builtin_bswap32(event->tid) : event->tid;
	if (reader->swap)
		common.type = __builtin_bswap16(common.type);
	memcpy(reader->record, &common, sizeof(common));
	ue__capture_decode(event);
}

UE__FN int ue_recorder_next(struct ue_recorder_reader *reader, struct ue_capture_event *event)
{
	for (;;) {
		struct ue__recorder_cursor *c = NULL;
		struct ue__recorder_found f;
		uint32_t i, ring = 0;

		for (i = 0; i < reader->layout.rings; i++) {
			ue__recorder_seek(reader, i);
			if (reader->rings[i].have && (!c || reader->rings[i].time < c->time)) {
				c = &reader->rings[i];
				ring = i;
			}
		}
		if (reader->work / 64 > reader->layout.size && !reader->live) {
			if (reader->error)
				return 0;
			reader->error = 1;
			return -EBADMSG;
		}
		if (!c) {
			ue__recorder_finish(reader);
			return 0;
		}
		c->have = 0;
		if (!ue__recorder_whole(reader, ring, c->at, c->end - c->at, &f, reader->record + 1))
			continue; /* overwritten meanwhile */
		ue__recorder_account(reader, c, f.sequence);
		c->at += f.words;
		ue__recorder_event(reader, ring, &f, event);
		return 1;
	}
}

@enabled

UE__FN int ue_recorder_read_live(struct ue_recorder_reader *reader)
{
	const struct ue__recording *r = ue__recorder_running();
	struct ue__recorder_head head;

	if (!r)
		return -ENOENT;
	memset(reader, 0, offsetof(struct ue_recorder_reader, record));
	reader->live = true;
	memcpy(&head, r->head, offsetof(struct ue__recorder_head, used));
	if (!ue__recorder_valid(&head, r->layout.size, &reader->layout, &reader->swap))
		return -ENOENT;
	ue__recorder_look(reader, r->head);
	ue__recorder_rewind(reader);
	return 0;
}

@disabled

UE__FN int ue_recorder_read_live(struct ue_recorder_reader *reader)
{
	(void)reader;
	return -ENOENT;
}
