/* SPDX-License-Identifier: MIT */
/*
 * Writing records of a capture
 */

/* @enabled */

/* The process and the thread. The page that caches the pid is zero after a fork. */
static inline void ue__capture_who(struct ue__capture_head *head)
{
	struct ue__process *process = UE__LOAD(&ue__state_v1.process);
	uint32_t pid = 0;

	if (UE__LOAD(&process->ready) != 3)
		pid = UE__LOAD(&process->pid);
	if (UE__UNLIKELY(!pid)) {
		pid = (uint32_t)ue__syscall3(__NR_getpid, 0, 0, 0);
		UE__STORE(&process->pid, pid);
	}
	head->pid = pid;
	head->tid = ue__thread_id();
}

static inline unsigned char *ue__capture_reserve(struct ue__capture_memory *m, size_t size)
{
	size_t used = __atomic_load_n(&m->used, __ATOMIC_RELAXED);

	do {
		if (UE__UNLIKELY(size > m->size - used))
			return NULL;
	} while (!__atomic_compare_exchange_n(&m->used, &used, used + size, true, __ATOMIC_RELAXED,
					      __ATOMIC_RELAXED));
	return (unsigned char *)(m + 1) + used;
}

static inline int ue__capture_to_memory(struct ue__capture_memory *m, const struct ue__iovec *iov,
					int count, size_t size)
{
	unsigned char *start = ue__capture_reserve(m, size), *p = start;
	uint32_t magic;
	int i;

	if (!start)
		return -ENOSPC;
	/* the magic last: it says that all the rest is there */
	memcpy(&magic, iov->iov_base, sizeof(magic));
	memcpy(p + sizeof(magic), (const unsigned char *)iov->iov_base + sizeof(magic),
	       iov->iov_len - sizeof(magic));
	p += iov->iov_len;
	for (i = 1; i < count; p += iov[i++].iov_len)
		memcpy(p, iov[i].iov_base, iov[i].iov_len);
	__atomic_store_n((uint32_t *)(void *)start, magic, __ATOMIC_RELEASE);
	return 0;
}

/*
 * Writes an event without the hash, which would cost more than all the rest. The memory was
 * cleared, so an event that is not finished has no magic.
 */
static inline int ue__capture_event_to_memory(struct ue__capture_memory *m,
					      struct ue__capture_head *head,
					      const struct ue__capture_common *common,
					      const void *payload, size_t length)
{
	unsigned char *p = NULL;

	if (length <= UE__CAPTURE_BODY - sizeof(*common))
		p = ue__capture_reserve(m, sizeof(*head) +
						   ue__capture_padded(sizeof(*common) + length));
	if (!p)
		return -ENOSPC;
	head->check = 0;
	head->zero = 0;
	head->length = (uint32_t)(sizeof(*common) + length);
	memcpy(p + 4, (const unsigned char *)head + 4, sizeof(*head) - 4);
	memcpy(p + sizeof(*head), common, sizeof(*common));
	memcpy(p + sizeof(*head) + sizeof(*common), payload, length);
	__atomic_store_n((uint32_t *)(void *)p, UE__CAPTURE_UNHASHED, __ATOMIC_RELEASE);
	return 0;
}

static inline int ue__capture_to_file(int fd, struct ue__iovec *iov, int count, size_t size)
{
	unsigned char buffer[1024], *p = buffer;
	long n;
	int i;

	if (size <= sizeof(buffer)) {
		for (i = 0; i < count; p += iov[i++].iov_len)
			memcpy(p, iov[i].iov_base, iov[i].iov_len);
		n = ue__syscall3(__NR_write, (long)(unsigned int)fd, (long)buffer, (long)size);
	} else {
		n = ue__syscall3(__NR_writev, (long)(unsigned int)fd, (long)iov, count);
	}
	if (n < 0)
		return (int)n;
	return (size_t)n == size ? 0 : -EIO;
}

/* A write at the limit of file sizes ends the program by SIGXFSZ; other threads write, too. */
UE__FN bool ue__capture_is_full(const struct ue_capture *c, size_t size)
{
	enum { OTHERS = 65536 };
	struct stat status;
	int error;

	UE__SYSTEM(error, fstat(c->fd - 1, &status));
	return !error && (uint64_t)status.st_size + size + OTHERS > c->most;
}

/*
 * Writes a record, whose body is FRONT and REST. The size of FRONT is a multiple of 8 if there is a
 * REST.
 */
UE__FN int ue__capture_put(struct ue_capture *c, struct ue__capture_head *head, const void *front,
			   size_t front_size, const void *rest, size_t rest_size)
{
	static const unsigned char zeros[8] = { 0 };
	size_t length = front_size + rest_size;
	size_t size = sizeof(*head) + ue__capture_padded(length);
	struct ue__iovec iov[4];
	int count = 1;
	uint64_t h;

	if (length > UE__CAPTURE_BODY)
		return -E2BIG;
	head->magic = UE__CAPTURE_MAGIC;
	head->length = (uint32_t)length;
	head->zero = 0;
	h = ue__capture_mix(UE__CAPTURE_SEED, &head->length, sizeof(*head) - 8, 0);
	h = ue__capture_mix(h, front, front_size, 0);
	h = ue__capture_mix(h, rest, rest_size, 0);
	head->check = (uint32_t)ue__capture_end(h);

	iov[0].iov_base = head;
	iov[0].iov_len = sizeof(*head);
	if (front_size) {
		iov[count].iov_base = (void *)(uintptr_t)front;
		iov[count++].iov_len = front_size;
	}
	if (rest_size) {
		iov[count].iov_base = (void *)(uintptr_t)rest;
		iov[count++].iov_len = rest_size;
	}
	if (length % 8) {
		iov[count].iov_base = (void *)(uintptr_t)zeros;
		iov[count++].iov_len = 8 - length % 8;
	}
	if (c->memory)
		return ue__capture_to_memory(c->memory, iov, count, size);
	if (UE__UNLIKELY(c->most != UINT64_MAX) && ue__capture_is_full(c, size))
		return -EFBIG;
	return ue__capture_to_file(c->fd - 1, iov, count, size);
}

static inline void ue__capture_now(struct ue__capture_head *head)
{
	head->time = ue__capture_clock(1); /* CLOCK_MONOTONIC */
	head->cpu = (uint32_t)ue__libc_getcpu();
	ue__capture_who(head);
}
