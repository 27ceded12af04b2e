/* SPDX-License-Identifier: MIT */
/*
 * Beginning and ending a recorder
 */

/* @enabled */

/*
 * Allocates the state for a recorder of this layout, in the memory FIXED or, if that is NULL, in a
 * mapping. Uses a former recorder's if there is one.
 */
UE__FN struct ue__recording *ue__recording_allocate(const struct ue__recorder_head *layout,
						    void *fixed)
{
	struct ue__recording **list = &ue__state_v1.recordings, *r;

	ue__lock();
	for (r = *list; r; r = r->next) {
		if (!r->used && r->layout.size == layout->size &&
		    r->layout.rings == layout->rings &&
		    (fixed ? (void *)r->head == fixed : r->mapped))
			break;
	}
	if (!r) {
		r = (struct ue__recording *)ue__map(sizeof(*r));
		if (r) {
			r->next = *list;
			*list = r;
			r->own = (struct ue__recorder_own *)ue__map(sizeof(*r->own));
		}
	}
	if (r && !r->own)
		r = NULL;
	if (r)
		r->used = 1;
	ue__unlock();
	return r;
}

/*
 * Finds where glibc stores a thread's id, in a struct that is larger than this copy of its
 * beginning. It is the one word of the copy that changes the number of the CPU clock. NULL if there
 * is none.
 */
UE__FN const unsigned char *ue__recorder_find_tid(uint32_t tid)
{
#if defined(__GLIBC__) && defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 34)
	const unsigned char *self = (const unsigned char *)ue__libc_self(), *found = NULL;
	uint32_t copy[256], i;
	int clock;

	for (i = 0; i < sizeof(copy) / sizeof(*copy); i++)
		copy[i] = UE__LOAD((const uint32_t *)(const void *)self + i);
	for (i = 0; i < sizeof(copy) / sizeof(*copy); i++) {
		if (copy[i] != tid)
			continue;
		copy[i] = tid ^ 1;
		if (!ue__libc_thread_clock((unsigned long)(uintptr_t)copy, &clock) &&
		    (uint32_t) ~(clock >> 3) == (tid ^ 1))
			found = found ? NULL : self + 4 * i;
		copy[i] = tid;
	}
	return found;
#endif
#endif
	(void)tid;
	return NULL;
}

/* Finds out how to tell thread, CPU and process without a system call. */
UE__FN void ue__recorder_detect(struct ue__recording *r)
{
	const unsigned char *thread = ue__thread_pointer();
	uint32_t tid = (uint32_t)ue__syscall3(__NR_gettid, 0, 0, 0);
	const unsigned char *at = ue__recorder_find_tid(tid);

	r->ask = 0;
	r->tid = at - thread;
	if (!at || !thread)
		r->ask |= UE__RECORDER_ASK_LIBC;
	if (ue__recorder_tid(r) != tid)
		r->ask |= UE__RECORDER_ASK_TID;
	if (!ue__wipe_on_fork(r->own, sizeof(*r->own)))
		r->ask |= UE__RECORDER_ASK_PID;
	if (!ue__counter_is_clock())
		r->ask |= UE__RECORDER_ASK_CLOCK;
	r->by = UE__RECORDER_THREAD;
#if defined(__x86_64__) || defined(__i386__) /* elsewhere it may be a system call */
	r->by = UE__RECORDER_GETCPU;
#endif
#ifdef __GLIBC__
	if (&ue__libc_rseq_size && &ue__libc_rseq_offset && ue__libc_rseq_size &&
	    ue__thread_pointer()) {
		r->by = UE__RECORDER_RSEQ;
		r->rseq = ue__libc_rseq_offset;
	}
#endif
}

/* Makes a recorder of MEMORY, which has zeros. */
UE__FN void ue__recorder_make(void *memory, struct ue__recorder_head *layout, unsigned int by)
{
	uint64_t random[2];

	ue__random(random);
	layout->key = random[0];
	layout->start = ue__capture_clock(1);
	layout->wall = (int64_t)(ue__capture_clock(0) - layout->start);
	layout->flags = by == UE__RECORDER_THREAD ? UE__RECORDER_BY_THREAD : 0;
	layout->magic = 0;
	layout->check = ue__recorder_check(layout, 0);
	memcpy(memory, layout, sizeof(*layout));
	layout->magic = UE__RECORDER_MAGIC;
	__atomic_store_n((uint32_t *)memory, UE__RECORDER_MAGIC, __ATOMIC_RELEASE);
}

/* Empties the cache of formats; no serial is 0. */
UE__FN void ue__recorder_clear_cache(struct ue__recording *r)
{
	uint32_t i;

	for (i = 0; i < UE__RECORDER_CACHED; i++)
		UE__STORE(&r->own->known[i].serial, 0u);
}

/* Sets what stays the same when R is used again: writers may still read it. */
UE__FN void ue__recording_prepare(struct ue__recording *r, void *memory,
				  const struct ue__recorder_head *layout, bool mapped)
{
	unsigned char *base = (unsigned char *)memory;
	uint32_t i;

	if (r->head)
		return;
	r->head = (struct ue__recorder_head *)memory;
	r->layout = *layout;
	r->mapped = mapped;
	for (i = 0; i < r->layout.rings; i++) {
		r->place[i].counters = (struct ue__recorder_ring *)(void *)(r->head + 1) + i;
		r->place[i].words = (uint64_t *)(void *)(base + r->layout.data +
							 ((size_t)i << r->layout.shift));
	}
	r->rings = r->layout.rings - 1;
	r->mask = (uint32_t)(((uint64_t)1 << r->layout.shift) / 8 - 1);
	r->largest = ue__recorder_largest(r->layout.shift);
	ue__recorder_detect(r);
}

/* Sends every event to R from now on. */
UE__FN int ue__recording_start(struct ue__recording *r, uint64_t key)
{
	struct ue__state *s = &ue__state_v1;
	uint32_t i;
	int error = 0;

	UE__STORE(&r->own->process, 0u);
	ue__recorder_clear_cache(r);
	if (!UE__LOAD(&r->head->mode))
		ue__recorder_limit(r, r->largest);
	for (i = 0; i < UE__RECORDER_LATE; i++)
		UE__STORE(&r->late[i].serial, 0u);
	UE__STORE(&r->stop_on[0], '\0');
	UE__STORE(&r->pid, 0u);
	ue__recorder_add_process(r);
	ue__recorder_commit(&r->key, key);
	ue__keep_entries();
	ue__lock();
	if (s->recorder) {
		error = -EBUSY;
	} else {
		__atomic_store_n(&s->recording, (void *)r, __ATOMIC_RELEASE);
		__atomic_store_n(&s->recorder,
				 r->by == UE__RECORDER_RSEQ && !r->ask ? &ue__record
								       : &ue__record_slowly,
				 __ATOMIC_RELEASE);
		ue__listen();
	}
	ue__unlock();
	return error;
}

/* Replaces the mapping: what late writers write goes nowhere. */
UE__FN void ue__recording_release(struct ue__recording *r)
{
	void *empty;

	if (r->mapped)
		ue__recorder_map(&empty, r->head, -1, (size_t)r->layout.size);
	ue__lock();
	r->used = 0;
	ue__unlock();
}

UE__FN int ue__recorder_plan(struct ue__recorder_head *layout, size_t events, unsigned int flags)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	uint64_t size = 1024;
	uint32_t rings = 1;

	if (flags > UE__RECORDER_RINGS || flags & (flags - 1) ||
	    events / 1024 < (flags ? flags : 1))
		return -EINVAL;
	while (size <= events / 2)
		size *= 2;
	while (rings < (uint32_t)cpus && rings < UE__RECORDER_RINGS && cpus > 0 &&
	       size / rings > 65536)
		rings *= 2;
	if (size / (flags ? flags : rings) > (uint64_t)1 << 34 ||
	    !ue__recorder_layout(layout, size, flags ? flags : rings))
		return -EINVAL;
	return 0;
}

/* Maps the file and starts. FD is -1 for memory without a name. */
UE__FN int ue__recorder_begin(struct ue__recorder_head *layout, int fd, bool joins)
{
	struct ue__recording *r = ue__recording_allocate(layout, NULL);
	void *memory;
	int error;

	if (!r)
		return -ENOMEM;
	if (!ue__recorder_map(&memory, r->mapped ? r->head : NULL, fd, (size_t)layout->size)) {
		r->used = 0;
		return -ENOMEM;
	}
	ue__recording_prepare(r, memory, layout, true);
	if (!joins)
		ue__recorder_make(memory, layout, r->by);
	error = ue__recording_start(r, layout->key);
	if (error)
		ue__recording_release(r);
	return error;
}

UE__FN int ue_recorder_open(const char *path, size_t size, unsigned int flags)
{
	struct ue__recorder_head layout;
	int error = ue__recorder_plan(&layout, size, flags), fd = -1, tries = 0;
	bool joins = false;

	if (error || size < 4096)
		return -EINVAL;
	if (__atomic_load_n(&ue__state_v1.recorder, __ATOMIC_ACQUIRE))
		return -EBUSY;
	if (!path)
		return ue__recorder_begin(&layout, -1, false);
	do {
		fd = ue__recorder_open_once(path, &layout, &joins);
		if (fd == -EAGAIN)
			ue__libc_usleep(1000);
	} while (fd == -EAGAIN && tries++ < 1000);
	if (fd < 0)
		return fd;
	error = ue__recorder_begin(&layout, fd, joins);
	if (!error && !joins)
		ue__recorder_flock(fd, UE__LOCK_SHARED);
	ue__syscall3(__NR_close, fd, 0, 0);
	return error;
}

UE__FN size_t ue_recorder_size(size_t events, unsigned int flags)
{
	struct ue__recorder_head layout;

	return ue__recorder_plan(&layout, events, flags) ? 0 : (size_t)layout.size;
}

UE__FN int ue_recorder_memory(void *memory, size_t size, unsigned int flags)
{
	size_t skip = (8 - (uintptr_t)memory % 8) % 8, events = size;
	unsigned char *start = (unsigned char *)memory + skip;
	struct ue__recorder_head layout;
	struct ue__recording *r;
	int error;

	if (!memory || size < 4096)
		return -EINVAL;
	while (!(error = ue__recorder_plan(&layout, events, flags)) && layout.size > size - skip)
		events /= 2;
	if (error)
		return error;
	if (__atomic_load_n(&ue__state_v1.recorder, __ATOMIC_ACQUIRE))
		return -EBUSY;
	r = ue__recording_allocate(&layout, start);
	if (!r)
		return -ENOMEM;
	memset(start, 0, size - skip);
	ue__recording_prepare(r, start, &layout, false);
	ue__recorder_make(start, &layout, r->by);
	error = ue__recording_start(r, layout.key);
	if (error)
		ue__recording_release(r);
	return error;
}

UE__FN int ue_recorder_close(void)
{
	struct ue__state *s = &ue__state_v1;
	bool runs;

	ue__lock();
	runs = s->recorder != NULL;
	if (runs) {
		__atomic_store_n(&s->recorder, (__typeof__(s->recorder))NULL, __ATOMIC_RELEASE);
		ue__listen();
	}
	ue__unlock();
	if (!runs)
		return -ENOENT;
	ue__recording_release((struct ue__recording *)s->recording);
	return 0;
}

/* @disabled */

UE__DISABLED(-ENOSYS, int ue_recorder_open(const char *path, size_t size, unsigned int flags))
UE__DISABLED(events, size_t ue_recorder_size(size_t events, unsigned int flags))
UE__DISABLED(ue_recorder_open(NULL, size, flags),
	     int ue_recorder_memory(void *memory, size_t size, unsigned int flags))
UE__DISABLED(-ENOENT, int ue_recorder_close(void))
