/* SPDX-License-Identifier: MIT */
/*
 * Builder: the write
 */

@enabled

UE__API int ue_builder_write(struct ue_builder *b, struct ue_event_set *set, const void *activity,
			     const void *related)
{
	uint32_t index = UE__LOAD(&set->event.index);
	unsigned char *p;
	struct ue__piece *pieces;
	struct ue__iovec *iov;
	size_t size, done = 0, n;
	int count = 0;
	unsigned int i;

	if (!b->error && (b->depth || !b->buffer))
		b->error = -EINVAL;
	if (b->error)
		return b->error;
	if (!ue_event_set_enabled(set) || index-- == 0)
		return 0;
	iov = (struct ue__iovec *)__builtin_alloca((2 * b->pieces + 2) * sizeof(*iov));
	p = b->buffer + UE__BUILDER_HEAD - 4 - 8 - 4;
	if (activity)
		p -= related ? 36 : 20;
	iov[0].iov_base = p;
	memcpy(p, &index, 4);
	p[4] = UE__HEADER_FLAGS;
	p[5] = b->version;
	memcpy(p + 6, &b->id, 2);
	memcpy(p + 8, &b->tag, 2);
	p[10] = b->opcode;
	p[11] = set->event.level;
	p += 12;
	if (activity)
		p = ue__put_activity(p, activity, related);
	ue__put_u16(ue__put_u16(p, b->meta_end - UE__BUILDER_HEAD), UE__EXTENSION_METADATA);
	/* one segment if the data can be moved behind the metadata cheaply */
	n = b->data_end - b->data;
	if (n <= UE_INLINE_BYTES && b->data != b->meta_end) {
		memmove(b->buffer + b->meta_end, b->buffer + b->data, n);
		b->data = b->meta_end;
		b->data_end = b->data + n;
	}
	size = (size_t)(b->buffer + b->meta_end - (unsigned char *)iov[0].iov_base);
	iov[0].iov_len = size;
	pieces = ue__pieces(b);
	for (i = b->pieces + 1; i-- > 0;) {
		size_t end = i ? pieces[i - 1].at : n;

		if (end > done) {
			if (count == 0 && b->data == b->meta_end) {
				iov[0].iov_len += end - done;
			} else {
				iov[++count].iov_base = b->buffer + b->data + done;
				iov[count].iov_len = end - done;
			}
			size += end - done;
			done = end;
		}
		if (i) {
			iov[++count].iov_base = (void *)(uintptr_t)pieces[i - 1].data;
			iov[count].iov_len = pieces[i - 1].size;
			size += pieces[i - 1].size;
		}
	}
	return ue__send_any(&set->event, iov, count + 1, size);
}

@disabled

UE__API int ue_builder_write(struct ue_builder *b, struct ue_event_set *set, const void *activity,
			     const void *related)
{
	(void)set;
	(void)activity;
	(void)related;
	return b->error ? b->error : b->depth || !b->buffer ? -EINVAL : 0;
}
