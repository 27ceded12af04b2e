/* SPDX-License-Identifier: MIT */
/*
 * Reading captures
 */

/* @public */

/*
 * Reading
 * =======
 *
 *	ue_capture_read(&reader, bytes, size);
 *	while ((more = ue_capture_next(&reader, &event)) != 0)
 *		if (more > 0)
 *			use(&event);
 *		else
 *			fprintf(stderr, "%s at byte %zu\n", ue_capture_strerror(reader.error),
 *				reader.error_offset);
 *
 * The bytes are a file's content, or memory that was captured into. They may be cut, damaged or
 * hostile, of either byte order, and several files one after the other.
 */
#define UE__CAPTURE_ERRORS(_)                             \
	_(OK, "no error")                                 \
	_(ECUT, "the capture ends within a record")       \
	_(EDAMAGED, "these bytes are no record")          \
	_(EFORMAT, "an event's format is missing")        \
	_(ERECORD, "a record is shorter than it must be") \
	_(EWORK, "too many damaged records: the rest was not read")

#define UE__CAPTURE_ERROR(name, text) UE_CAPTURE_##name,
enum ue_capture_error { UE__CAPTURE_ERRORS(UE__CAPTURE_ERROR) UE__CAPTURE_ERROR_COUNT };
#undef UE__CAPTURE_ERROR

struct ue__capture_place {
	uint64_t id;
	const char *spec;
};

struct ue__capture_program {
	uint32_t pid;
	int64_t wall;
	const char *name;
};

struct ue_capture_reader {
	uint64_t lost;	  /* events that were not captured, up to here */
	uint64_t damaged; /* bytes that were skipped */
	/* What ue_capture_next() returned -EBADMSG for: UE_CAPTURE_E..., and where. */
	int error;
	size_t error_offset, error_size;

	/* The rest is private. */
	const uint8_t *bytes;
	size_t size, offset;
	const struct ue__capture_memory *live;
	uint64_t work;
	struct ue__capture_place formats[UE_CAPTURE_FORMATS];
	struct ue__capture_program programs[64];
};

/* Begins. BYTES must outlive what is read. */
UE__FN void ue_capture_read(struct ue_capture_reader *reader, const void *bytes, size_t size);

/* The same for a memory capture, which may be running. Returns 0, or -EINVAL if it is none. */
UE__FN int ue_capture_read_memory(struct ue_capture_reader *reader, const struct ue_capture *c);

/*
 * The next event. Returns 1; 0 at the end (in a running capture for now); or -EBADMSG for what
 * could not be read, and goes on behind it with the next call. The work is bounded by the bytes'
 * number.
 */
UE__FN int ue_capture_next(struct ue_capture_reader *reader, struct ue_capture_event *event);

/* What UE_CAPTURE_E... means; a constant string, also for other numbers. */
UE__FN const char *ue_capture_strerror(int error);

/*
 * The text of the format file that tracefs would show for SPEC, with ID as number, for
 * ue_decode_format_parse() and other readers. Returns its length, as snprintf() does; with
 * UE_CAPTURE_TEXT bytes it is never cut.
 */
#define UE_CAPTURE_TEXT 8192
UE__FN size_t ue_capture_format_text(const char *spec, unsigned int id, char *buffer, size_t size);

/* @private */

struct ue__capture_record {
	const uint8_t *body;
	size_t length, size; /* of the body; of all */
	uint64_t value, time;
	uint32_t type, pid, tid, cpu;
	int big;
};

/*
 * Is there a whole record at OFFSET? If it is damaged, sets *HURT to its size, else to 0: callers
 * bound the work with that.
 */
UE__FN int ue__capture_at(const uint8_t *bytes, size_t size, size_t offset,
			  struct ue__capture_record *r, size_t *hurt)
{
	const uint8_t *p = bytes + offset;
	size_t room = size - offset;
	uint32_t magic;
	int swap;
	uint64_t h;

	*hurt = 0;
	if (room < sizeof(struct ue__capture_head))
		return 0;
	r->big = p[0] == UE__CAPTURE_MAGIC >> 24;
	magic = ue__decode_u32(p, r->big);
	if (magic != UE__CAPTURE_MAGIC && magic != UE__CAPTURE_UNHASHED)
		return 0;
	r->length = ue__decode_u32(p + 8, r->big);
	if (r->length > UE__CAPTURE_BODY)
		return 0;
	r->size = sizeof(struct ue__capture_head) + ue__capture_padded(r->length);
	if (r->size > room)
		return 0;
	*hurt = r->size;
	swap = r->big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	h = 0;
	if (magic == UE__CAPTURE_MAGIC)
		h = ue__capture_end(ue__capture_mix(UE__CAPTURE_SEED, p + 8, r->size - 8, swap));
	if ((uint32_t)h != ue__decode_u32(p + 4, r->big))
		return 0;
	r->type = ue__decode_u32(p + 12, r->big);
	r->value = ue__decode_u64(p + 16, r->big);
	r->time = ue__decode_u64(p + 24, r->big);
	r->pid = ue__decode_u32(p + 32, r->big);
	r->tid = ue__decode_u32(p + 36, r->big);
	r->cpu = ue__decode_u32(p + 40, r->big);
	r->body = p + sizeof(struct ue__capture_head);
	return 1;
}

UE__FN void ue_capture_read(struct ue_capture_reader *reader, const void *bytes, size_t size)
{
	memset(reader, 0, sizeof(*reader));
	reader->bytes = (const uint8_t *)bytes;
	reader->size = size;
}

UE__FN int ue_capture_read_memory(struct ue_capture_reader *reader, const struct ue_capture *c)
{
	if (!c->memory)
		return -EINVAL;
	ue_capture_read(reader, c->memory + 1, __atomic_load_n(&c->memory->used, __ATOMIC_ACQUIRE));
	reader->lost = __atomic_load_n(&c->memory->lost, __ATOMIC_RELAXED);
	/* an event that was not finished at the stop is skipped as damage */
	if (c->pid)
		reader->live = c->memory;
	return 0;
}

UE__FN struct ue__capture_place *ue__capture_place_of(struct ue_capture_reader *reader, uint64_t id)
{
	size_t i, at = (size_t)id;

	/* a bound: hostile bytes may fill the table and then name other formats */
	for (i = 0; i < UE_CAPTURE_FORMATS && i < 256; i++, at++) {
		struct ue__capture_place *place = &reader->formats[at % UE_CAPTURE_FORMATS];

		if (!place->spec || place->id == id)
			return place;
	}
	return NULL;
}

static inline int ue__capture_bad(struct ue_capture_reader *reader, int error, size_t offset,
				  size_t size)
{
	reader->error = error;
	reader->error_offset = offset;
	reader->error_size = size;
	return -EBADMSG;
}

/* Skips damaged bytes up to the next record. */
UE__FILE_COLD int ue__capture_skip(struct ue_capture_reader *reader)
{
	static const uint8_t magics[2][4] = { { 0xb5, 0x55, 0x45, 0x01 },
					      { 0x01, 0x45, 0x55, 0xb5 } };
	size_t start = reader->offset, next, hurt = 0, left = reader->size - start;
	const uint8_t *p = reader->bytes + start;
	struct ue__capture_record r;
	int error = UE_CAPTURE_EDAMAGED;

	for (next = start + 1; next < reader->size; next++) {
		uint8_t first = reader->bytes[next];

		if (first != magics[0][0] && first != magics[1][0])
			continue;
		if (ue__capture_at(reader->bytes, reader->size, next, &r, &hurt))
			break;
		reader->work += hurt;
		if (reader->work / 64 > reader->size) {
			next = reader->size;
			error = UE_CAPTURE_EWORK;
			break;
		}
	}
	reader->offset = next;
	reader->damaged += next - start;
	/* what begins like a record and has none behind it was cut */
	ue__capture_at(reader->bytes, reader->size, start, &r, &hurt);
	if (error != UE_CAPTURE_EWORK && next == reader->size && !hurt &&
	    (!memcmp(p, magics[0], left < 4 ? left : 4) ||
	     !memcmp(p, magics[1], left < 4 ? left : 4)))
		error = UE_CAPTURE_ECUT;
	return ue__capture_bad(reader, error, start, next - start);
}

/* Skips the head of a memory capture. Returns whether there is one. */
UE__FN int ue__capture_skip_head(struct ue_capture_reader *reader)
{
	struct ue__capture_memory m;

	if (reader->size - reader->offset < sizeof(m))
		return 0;
	memcpy(&m, reader->bytes + reader->offset, sizeof(m));
	if (m.magic != UE__CAPTURE_MEMORY_MAGIC || m.word != sizeof(size_t))
		return 0;
	reader->offset += sizeof(m);
	reader->lost += m.lost;
	/* what was never filled is no damage */
	if (m.used <= m.size && m.used < reader->size - reader->offset)
		reader->size = reader->offset + m.used;
	return 1;
}

UE__FN int ue__capture_is_set(const char *spec)
{
	spec += strcspn(spec, " ");
	return *spec && !strcmp(spec + 1, UE__SET_FIELDS);
}

/* Decodes a self-describing event. */
UE__FN void ue__capture_decode(struct ue_capture_event *event)
{
	event->eventheader = (uint8_t)ue__capture_is_set(event->spec);
	if (!event->eventheader) {
		memset(&event->decoded, 0, sizeof(event->decoded));
		return;
	}
	ue_decode_parse(&event->decoded, event->spec, event->name_length, event->record + 8,
			event->size - 8);
	if (event->decoded.name) {
		event->name = event->decoded.name;
		event->name_length = event->decoded.name_length;
	}
}

UE__FN int ue__capture_event(struct ue_capture_reader *reader, const struct ue__capture_record *r,
			     size_t offset, struct ue_capture_event *event)
{
	const struct ue__capture_program *program = &reader->programs[r->pid % 64];
	const struct ue__capture_place *place = ue__capture_place_of(reader, r->value);
	int known = program->name && program->pid == r->pid;

	if (r->length < 8)
		return ue__capture_bad(reader, UE_CAPTURE_ERECORD, offset, r->size);
	if (!place || !place->spec)
		return ue__capture_bad(reader, UE_CAPTURE_EFORMAT, offset, r->size);
	event->spec = place->spec;
	event->name = place->spec;
	event->name_length = strcspn(place->spec, " ");
	event->record = r->body;
	event->size = r->length;
	event->time = r->time;
	event->wall = known ? program->wall : 0;
	event->program = known ? program->name : "";
	event->format = r->value;
	event->pid = r->pid;
	event->tid = r->tid;
	event->cpu = r->cpu;
	event->big_endian = (uint8_t)r->big;
	event->offset = offset;
	ue__capture_decode(event);
	return 1;
}

static inline int ue__capture_text_ok(const struct ue__capture_record *r)
{
	return r->length && !r->body[r->length - 1] &&
	       strlen((const char *)r->body) + 1 == r->length;
}

UE__FN int ue_capture_next(struct ue_capture_reader *reader, struct ue_capture_event *event)
{
	struct ue__capture_program *program;
	struct ue__capture_record r;
	struct ue__capture_place *place;
	size_t offset, hurt;

	reader->error = 0;
	for (;;) {
		offset = reader->offset;
		if (reader->live) {
			reader->size = __atomic_load_n(&reader->live->used, __ATOMIC_ACQUIRE);
			reader->lost = __atomic_load_n(&reader->live->lost, __ATOMIC_RELAXED);
		}
		if (offset >= reader->size)
			return 0;
		if (reader->live &&
		    !__atomic_load_n((const uint32_t *)(const void *)(reader->bytes + offset),
				     __ATOMIC_ACQUIRE))
			return 0; /* it is being written */
		if (!ue__capture_at(reader->bytes, reader->size, offset, &r, &hurt)) {
			if (ue__capture_skip_head(reader))
				continue;
			reader->work += hurt;
			return ue__capture_skip(reader);
		}
		reader->offset += r.size;
		switch (r.type) {
		case UE__CAPTURE_EVENT:
			return ue__capture_event(reader, &r, offset, event);
		case UE__CAPTURE_LOST:
			reader->lost += r.value;
			continue;
		case UE__CAPTURE_FORMAT:
			if (!ue__capture_text_ok(&r) || r.length > UE__CAPTURE_SPEC)
				return ue__capture_bad(reader, UE_CAPTURE_ERECORD, offset, r.size);
			place = ue__capture_place_of(reader, r.value);
			if (place) {
				place->id = r.value;
				place->spec = (const char *)r.body;
			}
			continue;
		case UE__CAPTURE_PROGRAM:
			if (!ue__capture_text_ok(&r) || r.length > 16)
				return ue__capture_bad(reader, UE_CAPTURE_ERECORD, offset, r.size);
			program = &reader->programs[r.pid % 64];
			program->pid = r.pid;
			program->wall = (int64_t)r.value;
			program->name = (const char *)r.body;
			continue;
		default: /* of a later version */
			continue;
		}
	}
}
