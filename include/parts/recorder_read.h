/* SPDX-License-Identifier: MIT */
/*
 * Reading recorders
 */

/* @public */

/*
 * Reading a recorder
 * ==================
 *
 *	if (ue_recorder_read(&reader, bytes, size) == 0)
 *		while (ue_recorder_next(&reader, &event) > 0)
 *			use(&event);
 *
 * The bytes are a file's content, the memory that is recorded into, or a snapshot. They may be
 * cut, damaged or hostile, and of either byte order. Events come in order of time; those of a
 * thread in the order it wrote them, as far as its clock tells two times apart.
 */
struct ue__recorder_cursor {
	uint64_t total;	  /* records that were reserved */
	uint64_t expect;  /* number of the next one */
	uint64_t time;	  /* of the one at AT, if HAVE */
	uint32_t at, end; /* positions, in words */
	uint8_t have, whole, jumped, unlapped;
};

struct ue_recorder_reader {
	/* What is missing up to here: each event is read, or counted in one of these. */
	uint64_t overwritten; /* by later events */
	uint64_t torn;	      /* its writer was killed, or slept until the ring went round */
	uint64_t large;	      /* too large for its ring: a quarter, or 65535 bytes */
	/*
	 * An event that is being written ends its ring until ue_recorder_more(), and is not yet
	 * torn.
	 */
	int follow;
	/* If not 0, later events are left to ue_recorder_more(), so that all come in order. */
	uint64_t until;
	bool stopped; /* by ue_recorder_stop_on() */

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
 * Begins. BYTES must outlive what is read, and may be at any address. Returns 0, or -EBADMSG if
 * they are no recorder, or not all of it.
 */
UE__FN int ue_recorder_read(struct ue_recorder_reader *reader, const void *bytes, size_t size);

/*
 * The same for the recorder of this process, while it is written. Returns 0, or -ENOENT if it does
 * not run.
 */
UE__FN int ue_recorder_read_live(struct ue_recorder_reader *reader);

/*
 * Goes on behind what was read, in BYTES of the same recorder that were copied later, when
 * ue_recorder_next() has returned 0. Returns 0, or -EBADMSG if it is another recorder, or none.
 */
UE__FN int ue_recorder_more(struct ue_recorder_reader *reader, const void *bytes, size_t size);

/*
 * The next event, for the functions ue_captured_...(); it is valid until the next call. One that
 * there was no room to describe is called "unknown". Returns 1; 0 at the end; or once -EBADMSG
 * if the bytes are made to be slow to read: what is left of them is not read then.
 */
UE__FN int ue_recorder_next(struct ue_recorder_reader *reader, struct ue_capture_event *event);

/* @private */

UE__FN void ue__recorder_scan(struct ue_recorder_reader *reader, const void *bytes)
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

/* Sets all rings to their oldest words. */
UE__FN void ue__recorder_rewind(struct ue_recorder_reader *reader)
{
	uint32_t words = (uint32_t)(((uint64_t)1 << reader->layout.shift) / 8), i;

	for (i = 0; i < reader->layout.rings; i++) {
		struct ue__recorder_cursor *c = &reader->rings[i];

		c->at = c->end - words;
		c->have = c->jumped = 0;
		/* is this all that was ever written? */
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
	ue__recorder_scan(reader, bytes);
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
	ue__recorder_scan(reader, bytes);
	return 0;
}

/* Counts the records before NUMBER that are missing. */
static inline void ue__recorder_miss(struct ue_recorder_reader *reader,
				     const struct ue__recorder_cursor *c, uint64_t number)
{
	if (c->jumped || !(c->whole || c->unlapped))
		reader->overwritten += number - c->expect;
	else
		reader->torn += number - c->expect;
}

/* Accounts for the record SEQUENCE of a ring, and for those missing before it. */
UE__FN void ue__recorder_account(struct ue_recorder_reader *reader, struct ue__recorder_cursor *c,
				 uint32_t sequence)
{
	uint64_t number = c->total - ((uint32_t)c->total - sequence);

	ue__recorder_miss(reader, c, number);
	c->expect = number + 1;
	c->whole = 1;
	c->jumped = 0;
}

/* Counts what is missing at the rings' ends. */
UE__FN void ue__recorder_finish(struct ue_recorder_reader *reader)
{
	uint32_t i;

	for (i = 0; !reader->follow && i < reader->layout.rings; i++) {
		struct ue__recorder_cursor *c = &reader->rings[i];

		ue__recorder_miss(reader, c, c->total);
		c->expect = c->total;
	}
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
		if (!c)
			ue__recorder_finish(reader);
		if (!c || (reader->until && c->time > reader->until))
			return 0;
		c->have = 0;
		if (!ue__recorder_whole(reader, ring, c->at, c->end - c->at, &f,
					reader->record + 1))
			continue; /* overwritten meanwhile */
		ue__recorder_account(reader, c, f.sequence);
		c->at += f.words;
		ue__recorder_event(reader, ring, &f, event);
		return 1;
	}
}

/* @enabled */

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
	ue__recorder_scan(reader, r->head);
	ue__recorder_rewind(reader);
	return 0;
}

/* @disabled */

UE__DISABLED(-ENOENT, int ue_recorder_read_live(struct ue_recorder_reader *reader))
