/* SPDX-License-Identifier: MIT */
/*
 * Writing bytes
 */

@enabled

/*
 * Writing
 */
static inline bool ue_event_enabled(const struct ue_event *event)
{
	return UE__UNLIKELY(UE__LOAD(&event->enabled));
}

static inline bool ue_event_set_enabled(const struct ue_event_set *set)
{
	return ue_event_enabled(&set->event);
}

/* For macros, which leave no name without a prefix to the program's own. */
static inline __attribute__((__always_inline__)) struct ue_event *ue__event_of(struct ue_event_set *set)
{
	return &set->event;
}

/* What the kernel answered, and what there is to count of it. */
static inline int ue__sent(long n, size_t size)
{
	struct ue__state *s = &ue__state_v1;

	if (UE__UNLIKELY(size > 4064 + 4))
		UE__INCREMENT(&s->large);
	/* -EBADF: the last tracer left since we looked */
	if (UE__UNLIKELY(n < 0) && n != -EBADF)
		UE__INCREMENT(&s->failed);
	return n < 0 && n != -EBADF ? (int)n : 0;
}

/* An event with probes; also one that nobody listens to any more. */
UE__COLD int ue__send_probed(struct ue_event *event, const struct iovec *iov, int count,
			     size_t size)
{
	void (*run)(struct ue_event *event, const struct iovec *iov, int count);
	uint32_t enabled = UE__LOAD(&event->enabled), index;
	long n = 0;

	memcpy(&index, iov->iov_base, sizeof(index));
	if ((enabled & UE__KERNEL_BIT) && index != UE__NO_INDEX - 1)
		n = ue__write(UE__LOAD(&ue__state_v1.fd) - 1, iov, count);
	run = __atomic_load_n(&ue__state_v1.run, __ATOMIC_ACQUIRE);
	if ((enabled & UE__PROBE_BIT) && run)
		run(event, iov, count);
	return ue__sent(n, size);
}

/* An event's way out. SIZE is that of all segments, index included. */
static inline int ue__send(struct ue_event *event, const struct iovec *iov, int count, size_t size)
{
	if (UE__UNLIKELY(UE__LOAD(&event->enabled) != UE__KERNEL_BIT))
		return ue__send_probed(event, iov, count, size);
	return ue__sent(ue__write(UE__LOAD(&ue__state_v1.fd) - 1, iov, count), size);
}

UE__FN int ue_event_writev(struct ue_event *event, const struct iovec *iov, int count)
{
	uint32_t index = UE__LOAD(&event->index);
	struct iovec *all;
	size_t size = sizeof(index);
	int i;

	if (index == 0 || !ue_event_enabled(event))
		return 0;
	if (count < 0 || count > 1023)
		return -EINVAL;
	index--;
	all = (struct iovec *)__builtin_alloca(((size_t)count + 1) * sizeof(*all));
	all[0].iov_base = &index;
	all[0].iov_len = sizeof(index);
	for (i = 0; i < count; i++) {
		all[i + 1] = iov[i];
		size += iov[i].iov_len;
	}
	return ue__send(event, all, count + 1, size);
}

UE__FN int ue_event_write(struct ue_event *event, const void *payload, size_t size)
{
	struct iovec iov;

	if (size > UE_INLINE_BYTES) {
		iov.iov_base = (void *)(uintptr_t)payload;
		iov.iov_len = size;
		return ue_event_writev(event, &iov, 1);
	} else {
		/* one segment is cheaper than two */
		unsigned char buffer[4 + UE_INLINE_BYTES];
		uint32_t index = UE__LOAD(&event->index);

		if (index == 0 || !ue_event_enabled(event))
			return 0;
		index--;
		memcpy(buffer, &index, 4);
		if (size)
			memcpy(buffer + 4, payload, size);
		iov.iov_base = buffer;
		iov.iov_len = 4 + size;
		return ue__send(event, &iov, 1, iov.iov_len);
	}
}

@disabled

static inline bool ue_event_enabled(const struct ue_event *event)
{
	(void)event;
	return false;
}

static inline bool ue_event_set_enabled(const struct ue_event_set *set)
{
	(void)set;
	return false;
}

UE__FN int ue_event_write(struct ue_event *event, const void *payload, size_t size)
{
	(void)event;
	(void)payload;
	(void)size;
	return 0;
}

UE__FN int ue_event_writev(struct ue_event *event, const struct iovec *iov, int count)
{
	(void)event;
	(void)iov;
	(void)count;
	return 0;
}
