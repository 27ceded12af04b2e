/* SPDX-License-Identifier: MIT */
/*
 * Events from records
 */

/* @private */

/* The format's text, which is checked once, or "unknown". */
UE__FN const char *ue__recorder_text(struct ue_recorder_reader *reader, uint32_t format,
				     uint64_t *id)
{
	size_t offset = (size_t)format * UE__RECORDER_UNIT, at = reader->layout.table + offset,
	       size;
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

/* Sets the process that wrote it, if the table still has it. */
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
	    ((uint32_t)ue__recorder_hash(UE__CAPTURE_SEED, words, sizeof(words), reader->swap) ^
	     full) != ue__recorder_u32(reader, at) ||
	    !memchr(words + 3, 0, 16))
		return;
	event->wall = (int64_t)ue__recorder_word(reader, at + 16);
	event->pid = ue__recorder_u32(reader, at + 24);
	event->program = (const char *)reader->bytes + at + 32;
}

UE__FN void ue__recorder_event(struct ue_recorder_reader *reader, uint32_t ring,
			       const struct ue__recorder_found *f, struct ue_capture_event *event)
{
	struct ue__capture_common common;

	event->spec =
		ue__recorder_text(reader, f->what >> 16 & UE__RECORDER_UNKNOWN, &event->format);
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
