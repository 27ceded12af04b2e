/* SPDX-License-Identifier: MIT */
/*
 * Builder: the write
 */

/* @enabled */

/* Writes index, header, activity and size in front of the metadata. Returns where they begin. */
static inline unsigned char *ue__put_builder_head(struct ue_builder *b, uint32_t index,
						  uint8_t level, const void *activity,
						  const void *related)
{
	unsigned char *begin = b->buffer + UE__BUILDER_HEAD - 4 - 8 - 4, *p;

	if (activity)
		begin -= related ? 36 : 20;
	p = begin;
	memcpy(p, &index, 4);
	p[4] = UE__HEADER_FLAGS;
	p[5] = b->version;
	memcpy(p + 6, &b->id, 2);
	memcpy(p + 8, &b->tag, 2);
	p[10] = b->opcode;
	p[11] = level;
	p += 12;
	if (activity)
		p = ue__put_activity(p, activity, related);
	ue__put_u16(ue__put_u16(p, b->meta_end - UE__BUILDER_HEAD), UE__EXTENSION_METADATA);
	return begin;
}

/*
 * Appends the data and the long pieces between it to IOV, whose first segment ends with the
 * metadata. Returns the number of segments, and adds to *SIZE what they have.
 */
static inline int ue__put_builder_data(struct ue_builder *b, struct ue__iovec *iov, size_t *size)
{
	const struct ue__piece *pieces = ue__pieces(b);
	size_t n = b->data_end - b->data, done = 0;
	unsigned int i;
	int count = 0;

	/* one segment if the data can be moved behind the metadata cheaply */
	if (n <= UE_INLINE_BYTES && b->data != b->meta_end) {
		memmove(b->buffer + b->meta_end, b->buffer + b->data, n);
		b->data = b->meta_end;
		b->data_end = b->data + n;
	}
	for (i = b->pieces + 1; i-- > 0;) {
		size_t end = i ? pieces[i - 1].at : n;

		if (end > done) {
			if (count == 0 && b->data == b->meta_end) {
				iov[0].iov_len += end - done;
			} else {
				iov[++count].iov_base = b->buffer + b->data + done;
				iov[count].iov_len = end - done;
			}
			*size += end - done;
			done = end;
		}
		if (i) {
			iov[++count].iov_base = (void *)(uintptr_t)pieces[i - 1].data;
			iov[count].iov_len = pieces[i - 1].size;
			*size += pieces[i - 1].size;
		}
	}
	return count + 1;
}

UE__API int ue_builder_write(struct ue_builder *b, struct ue_event_set *set, const void *activity,
			     const void *related)
{
	uint32_t index = UE__LOAD(&set->event.index);
	struct ue__iovec *iov;
	unsigned char *begin;
	size_t size;
	int count;

	if (!b->error && (b->depth || !b->buffer))
		b->error = -EINVAL;
	if (b->error)
		return b->error;
	if (!ue_event_set_enabled(set) || index-- == 0)
		return 0;
	iov = (struct ue__iovec *)__builtin_alloca((2 * b->pieces + 2) * sizeof(*iov));
	begin = ue__put_builder_head(b, index, set->event.level, activity, related);
	size = (size_t)(b->buffer + b->meta_end - begin);
	iov[0].iov_base = begin;
	iov[0].iov_len = size;
	count = ue__put_builder_data(b, iov, &size);
	return ue__send_any(&set->event, iov, count, size);
}

/* @disabled */

UE__API int ue_builder_write(struct ue_builder *b, struct ue_event_set *set, const void *activity,
			     const void *related)
{
	return b->error ? b->error : b->depth || !b->buffer ? -EINVAL : 0;
}
