/* SPDX-License-Identifier: MIT */
/*
 * Writing bytes
 */

/* @enabled */

/* Where declared events are written to. */
static UE__ALWAYS_INLINE int ue__data_fd(void)
{
	return UE__LOAD(&ue__state_v1.fd) - 1;
}

static UE__ALWAYS_INLINE bool ue__should_retry(size_t misses)
{
	return (misses < 32 ? misses & (misses - 1) : misses % 32) == 0;
}

/*
 * Did the last tracer leave between the test and the write? The kernel clears the bit some
 * microseconds after it stops to take events. So a sandbox that allows write() alone sees no other
 * system call while tracers come and go.
 */
UE__SETUP bool ue__tracer_has_left(const struct ue_event *event)
{
	unsigned int reads = 100000; /* at most 0.1 ms: a thread of real time is not held up */

	while (UE__LOAD(&event->enabled) & (UE__KERNEL_BIT | UE__OWN_BIT)) {
		if (reads-- == 0)
			return false;
	}
	return true;
}

/*
 * The kernel refused the write. -EBADF means that the last tracer left since the test, or that the
 * program closed the fd, which is then opened again, also in a signal handler. It never waits for
 * the lock. If the open fails, it is repeated after 1, 2, 4, 8, 16 and each 32 lost events.
 */
UE__SETUP int ue__write_failed(const struct ue_event *event, long n)
{
	struct ue__state *s = &ue__state_v1;
	bool lost = n == -ENOENT; /* another thread registers it again, or has just done so */
	bool gone;

	if (n != -EBADF && n != -ENOENT) {
		UE__INCREMENT(&s->failed);
		return (int)n;
	}
	if (!lost && UE__LOAD(&s->fd) && ue__tracer_has_left(event))
		return 0;
	if (ue__try_lock()) {
		gone = s->reopen_error || (s->fd && !ue__is_ours(s->fd - 1));
		if (gone && ue__should_retry(s->misses))
			ue__reopen();
		s->misses += s->reopen_error != 0;
		ue__unlock();
		lost |= gone;
	} else if (!lost) {
		lost = ue__fcntl(ue__data_fd(), 1 /* F_GETFD */, 0) == -EBADF;
	}
	if (lost)
		UE__INCREMENT(&s->lost);
	return 0;
}

/* The same of a run-time event, whose file has FD. Within a section that reads it. */
UE__SETUP int ue__write_failed_own(struct ue_event *event, int fd)
{
	struct ue__state *s = &ue__state_v1;
	bool lost = fd == UE__CLOSED;

	if (!lost && ue__tracer_has_left(event))
		return 0;
	if (ue__try_lock()) {
		lost = lost || !ue__is_ours(fd - 1);
		if (lost && event->desc && ue__should_retry(s->misses))
			ue__reopen_own(event);
		else
			s->misses += lost;
		ue__unlock();
	} else if (!lost) {
		lost = ue__fcntl(fd - 1, 1 /* F_GETFD */, 0) == -EBADF;
	}
	if (lost)
		UE__INCREMENT(&s->lost);
	return 0;
}

/* Counts what came of a write that returned N. */
static UE__ALWAYS_INLINE int ue__count_write(const struct ue_event *event, long n)
{
	return UE__UNLIKELY(n < 0) ? ue__write_failed(event, n) : 0;
}

/*
 * A run-time event. When it is unregistered, its file is closed, and another file may get the
 * number: a section prevents that. The index belongs to the file, so both are read from one
 * struct.
 */
UE__ONCE long ue__write_runtime(struct ue_event *event, const struct ue__iovec *iov, int count)
{
	const struct ue__desc *d;
	struct ue__section section;
	struct ue__runtime *r;
	uint32_t index;
	long n = 0;
	int fd;

	if (!ue__enter(&section, UE__READS))
		return -EAGAIN;
	d = __atomic_load_n(&event->desc, __ATOMIC_SEQ_CST);
	r = d && d->variant == UE__DESC_TEXT ? ue__runtime_of(d) : NULL;
	fd = r ? __atomic_load_n(&r->fd, __ATOMIC_ACQUIRE) : UE__NO_FILE;
	if (fd != UE__NO_FILE) {
		index = UE__LOAD(&r->index);
		if (memcmp(iov->iov_base, &index, sizeof(index)) != 0)
			memcpy(iov->iov_base, &index, sizeof(index));
		if (fd == UE__CLOSED)
			n = -EBADF;
		else
			n = ue__write(fd == UE__COMMON_FILE ? ue__data_fd() : fd - 1, iov, count);
	}
	if (UE__UNLIKELY(n == -EBADF) && fd != UE__COMMON_FILE)
		n = ue__write_failed_own(event, fd);
	ue__leave(&section);
	return n;
}

/* To the kernel, if it still listens. */
UE__ONCE long ue__write_enabled(struct ue_event *event, uint32_t enabled,
				const struct ue__iovec *iov, int count)
{
	uint32_t index;

	memcpy(&index, iov->iov_base, sizeof(index));
	if (enabled & UE__OWN_BIT)
		return __atomic_load_n(&ue__state_v1.write_own, __ATOMIC_ACQUIRE)(event, iov,
										  count);
	if ((enabled & UE__KERNEL_BIT) && index != UE__NO_INDEX - 1)
		return ue__write(ue__data_fd(), iov, count);
	return 0;
}

/*
 * rt_sigprocmask() reads a set of signals before it refuses to do what is none of its three
 * things. A set at address 0 would be none: the next one of the page is asked for.
 */
UE__COLD bool ue__is_readable(const void *p, size_t size)
{
	uintptr_t at = (uintptr_t)p & ~(uintptr_t)(UE__SIGNAL_BYTES - 1);
	uintptr_t end = (uintptr_t)p + size;

	if (size == 0)
		return true;
	if (end < at)
		return false;
	for (; at < end; at = (at | 4095) + 1) /* no page is smaller */
		if (ue__syscall5(__NR_rt_sigprocmask, -1, (long)(at | UE__SIGNAL_BYTES), 0,
				 UE__SIGNAL_BYTES, 0) == -EFAULT)
			return false;
	return true;
}

#define UE__MOST_COPIED ((size_t)1 << 20) /* of an event that is to be cut */

/* The same of an event that no tracer would take: what fits of it. */
UE__COLD long ue__write_large(struct ue_event *event, uint32_t enabled, const struct ue__iovec *iov,
			      int count)
{
	size_t room = sizeof(struct ue__copy);
	struct ue__section section;
	struct ue__iovec one;
	struct ue__copy *copy;
	bool shortened = false;
	long n;
	int i;

	for (i = 0; i < count; i++)
		room += iov[i].iov_len;
	copy = room <= UE__MOST_COPIED ? (struct ue__copy *)ue__map(room) : NULL;
	/* the text of a run-time event may be gone by the time that it is read */
	if (copy && (!(enabled & UE__OWN_BIT) || ue__enter(&section, UE__READS))) {
		for (i = 0; i < count; i++) {
			if (iov[i].iov_len)
				memcpy(copy->bytes + copy->payload, iov[i].iov_base,
				       iov[i].iov_len);
			copy->payload += iov[i].iov_len;
		}
		copy->payload -= sizeof(uint32_t);
		shortened = ue__shorten(copy, event);
		if (enabled & UE__OWN_BIT)
			ue__leave(&section);
	}
	UE__INCREMENT(shortened ? &ue__state_v1.cut : &ue__state_v1.large);
	if (shortened) {
		one.iov_base = copy->bytes;
		one.iov_len = sizeof(uint32_t) + copy->payload;
		iov = &one;
		count = 1;
	}
	n = ue__write_enabled(event, enabled, iov, count);
	if (copy)
		munmap(copy, room);
	return n;
}

/*
 * An event with probes; also one that nobody listens to any more. TO_KERNEL is one of the
 * two above, or NULL.
 */
UE__COLD int ue__send_probed(struct ue_event *event, const struct ue__iovec *iov, int count,
			     size_t size,
			     long (*to_kernel)(struct ue_event *event, uint32_t enabled,
					       const struct ue__iovec *iov, int count))
{
	void (*record)(struct ue_event * event, const void *bytes, size_t size);
	void (*run)(struct ue_event * event, const struct ue__iovec *iov, int count);
	uint32_t enabled = UE__LOAD(&event->enabled);
	long n = 0;

	record = __atomic_load_n(&ue__state_v1.record, __ATOMIC_ACQUIRE);
	if ((enabled & UE__RECORD_BIT) && record) {
		if (count == 1)
			record(event, iov->iov_base, size);
		else
			record(event, iov, -(size_t)count);
	}
	if (to_kernel && (enabled & (UE__KERNEL_BIT | UE__OWN_BIT)))
		n = to_kernel(event, enabled, iov, count);
	run = __atomic_load_n(&ue__state_v1.run, __ATOMIC_ACQUIRE);
	if ((enabled & UE__PROBE_BIT) && run)
		run(event, iov, count);
	return ue__count_write(event, n);
}

/* Sends a packed event. SIZE is that of all segments, index included. */
static UE__ALWAYS_INLINE int ue__send(struct ue_event *event, const struct ue__iovec *iov,
				      int count, size_t size)
{
	if (UE__UNLIKELY(UE__LOAD(&event->enabled) != UE__KERNEL_BIT))
		return ue__send_probed(event, iov, count, size, ue__write_enabled);
	return ue__count_write(event, ue__write(ue__data_fd(), iov, count));
}

/* The same of what may be too large. */
static inline int ue__send_any(struct ue_event *event, const struct ue__iovec *iov, int count,
			       size_t size)
{
	int i;

	if (ue__is_large(size)) {
		/* it is copied, by a recorder, too, which must not end the program */
		for (i = 0; i < count; i++)
			if (!ue__is_readable(iov[i].iov_base, iov[i].iov_len))
				return ue__count_write(event, -EFAULT);
		return ue__send_probed(event, iov, count, size, ue__write_large);
	}
	return ue__send(event, iov, count, size);
}

UE__API int ue_event_writev(struct ue_event *event, const struct iovec *iov, int count)
{
	const struct ue__iovec *segments = (const struct ue__iovec *)(const void *)iov;
	uint32_t index = UE__LOAD(&event->index);
	struct ue__iovec *all;
	size_t size = sizeof(index);
	int i;

	if (index == 0 || !ue_event_enabled(event))
		return 0;
	if (count < 0 || count > 1023)
		return -EINVAL;
	index--;
	all = (struct ue__iovec *)__builtin_alloca(((size_t)count + 1) * sizeof(*all));
	all[0].iov_base = &index;
	all[0].iov_len = sizeof(index);
	for (i = 0; i < count; i++) {
		if (segments[i].iov_len > INT32_MAX - size)
			return -EINVAL;
		all[i + 1] = segments[i];
		size += segments[i].iov_len;
	}
	return ue__send_any(event, all, count + 1, size);
}

UE__API int ue_event_write(struct ue_event *event, const void *payload, size_t size)
{
	struct ue__iovec iov;
	const void *segments = &iov;

	if (size > UE_INLINE_BYTES) {
		iov.iov_base = (void *)(uintptr_t)payload;
		iov.iov_len = size;
		return ue_event_writev(event, (const struct iovec *)segments, 1);
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

/* @disabled */

UE__DISABLED(0, int ue_event_write(struct ue_event *event, const void *payload, size_t size))
UE__DISABLED(0, int ue_event_writev(struct ue_event *event, const struct iovec *iov, int count))
