/* SPDX-License-Identifier: MIT */
/*
 * State of one process
 */

/* @enabled */

/*
 * State of one process, in a page that the kernel clears in a child: so a fork is noticed without a
 * system call.
 *
 * Activity ids are a random number of the process and a counter.
 */
struct ue__process {
	uint64_t random[2];
	size_t count, lap[2];
	uint32_t ready;	  /* of activity ids: 1, being made; 2; 3, never: no child would notice */
	uint32_t readers; /* 2: ue__state_v1.readers is of this process; 1: is being cleared */
	uint32_t pid;	  /* 0: not asked for yet */
};

/* The page, or NULL without memory. */
UE__SETUP struct ue__process *ue__process_page(void)
{
	struct ue__state *s = &ue__state_v1;
	struct ue__process *p, *none = NULL;

	p = __atomic_load_n(&s->process, __ATOMIC_ACQUIRE);
	if (!p) {
		p = (struct ue__process *)ue__map(sizeof(*p));
		if (!p)
			return NULL;
		if (!ue__wipe_on_fork(p, sizeof(*p)))
			p->ready = 3;
		p->readers = 2; /* without the page, no thread can have entered a section */
		if (!__atomic_compare_exchange_n(&s->process, &none, p, false, __ATOMIC_ACQ_REL,
						 __ATOMIC_ACQUIRE)) {
			munmap(p, sizeof(*p));
			p = none;
		}
	}
	return p;
}

/*
 * Sections in which a thread reads what another thread may free: probes, and descriptors of
 * run-time events. A reader marks a slot while it is in a section. To free something, a thread
 * first makes it unreachable, then waits until each slot that was marked at that time has
 * changed.
 *
 * The address of its errno identifies a thread. Thread-local storage does not serve: that of a
 * library is allocated when it is first used, which may be within an event, or comes out of a
 * small reserve that all libraries of the process share.
 *
 * After a fork, the slots of the parent's other threads are stale, which the process' page tells.
 */
struct ue__section {
	struct ue__reader *reader; /* NULL: all slots were in use */
	uintptr_t before;
};
enum { UE__READS = 0, UE__PROBES = 1 }; /* the lowest bit of a slot: does it run a probe? */

static UE__ALWAYS_INLINE uintptr_t ue__thread(void)
{
	return (uintptr_t)&errno;
}

/* The UE__SLOTS slots that a thread may use: few, so that it finds its own quickly. */
static UE__ALWAYS_INLINE struct ue__reader *ue__slots_of(uintptr_t thread)
{
	uint32_t hash = (uint32_t)(thread >> 6) * 0x9e3779b1u;

	return ue__state_v1.readers + (hash >> 16) % (UE__READERS / UE__SLOTS) * UE__SLOTS;
}

/* Does this thread run a probe? */
UE__SETUP bool ue__probing(void)
{
	const struct ue__reader *r = ue__slots_of(ue__thread()), *end = r + UE__SLOTS;

	while (r < end && UE__LOAD(&r->thread) != (ue__thread() | UE__PROBES))
		r++;
	return r < end;
}

/*
 * In a child: clears the slots of the parent's other threads. False while another thread does so.
 */
UE__SETUP bool ue__reset_readers(struct ue__process *process)
{
	struct ue__state *s = &ue__state_v1;
	uintptr_t thread = ue__thread();
	uint32_t before = 0;
	unsigned int i;

	if (!__atomic_compare_exchange_n(&process->readers, &before, 1, false, __ATOMIC_ACQUIRE,
					 __ATOMIC_ACQUIRE))
		return before == 2;
	for (i = 0; i < UE__READERS; i++) {
		struct ue__reader *r = &s->readers[i];

		if ((UE__LOAD(&r->thread) & ~(uintptr_t)UE__PROBES) != thread)
			UE__STORE(&r->thread, 0u);
	}
	UE__STORE(&s->overflow, 0u);
	__atomic_store_n(&process->readers, 2, __ATOMIC_RELEASE);
	return true;
}

/*
 * Begins a section that reads (WHAT is UE__READS) or runs probes (UE__PROBES). A signal handler's
 * section nests in the one that it interrupts. Returns false for a probe within a probe, and if no
 * slot is free for one; readers without a slot are counted.
 */
UE__FN bool ue__enter(struct ue__section *section, uintptr_t what)
{
	struct ue__state *s = &ue__state_v1;
	struct ue__process *process = __atomic_load_n(&s->process, __ATOMIC_ACQUIRE);
	uintptr_t thread = ue__thread(), none;
	struct ue__reader *r = ue__slots_of(thread), *end = r + UE__SLOTS, *free = NULL;
	unsigned int retries = 10000;
	uintptr_t any = 0;

	if (!process)
		return false;
	/* another thread clears the slots, or this one was interrupted in it: do not wait long */
	while (__atomic_load_n(&process->readers, __ATOMIC_ACQUIRE) != 2 &&
	       !ue__reset_readers(process)) {
		if (retries-- == 0)
			return false;
	}
	/* usually all of them are free */
	for (free = r; free < end; free++)
		any |= UE__LOAD(&free->thread);
	free = any ? NULL : r;
	for (; any && r < end; r++) {
		section->before = UE__LOAD(&r->thread);
		if ((section->before & ~(uintptr_t)UE__PROBES) == thread) {
			section->reader = r;
			if (section->before & what)
				return false;
			if (what)
				__atomic_store_n(&r->thread, thread | what, __ATOMIC_SEQ_CST);
			return true;
		}
		if (!section->before && !free)
			free = r;
	}
	section->before = 0;
	section->reader = NULL;
	for (; free && free < end; free++) {
		none = 0;
		if (__atomic_compare_exchange_n(&free->thread, &none, thread | what, false,
						__ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
			section->reader = free;
			return true;
		}
	}
	if (what == UE__PROBES)
		return false;
	__atomic_fetch_add(&s->overflow, 1, __ATOMIC_SEQ_CST);
	return true;
}

UE__FN void ue__leave(const struct ue__section *section)
{
	if (!section->reader) {
		__atomic_fetch_sub(&ue__state_v1.overflow, 1, __ATOMIC_RELEASE);
		return;
	}
	if (!section->before)
		__atomic_fetch_add(&section->reader->turn, 1, __ATOMIC_RELEASE);
	__atomic_store_n(&section->reader->thread, section->before, __ATOMIC_RELEASE);
}

/*
 * Waits for all sections that began before the call, as synchronize_rcu() does. A probe may run for
 * any time. A section that only reads is as short as a system call: one that does not end within a
 * second was left by longjmp(), or its thread ended. Then returns false, and nothing that it may
 * read is freed. Not within a probe.
 */
UE__SETUP bool ue__synchronize(void)
{
	struct ue__state *s = &ue__state_v1;
	struct ue__process *process = ue__process_page();
	unsigned int i, retries = 10000;

	if (!process)
		return true;
	while (__atomic_load_n(&process->readers, __ATOMIC_ACQUIRE) != 2 &&
	       !ue__reset_readers(process))
		ue__sleep(&process->readers, 1, 100);
	for (i = 0; i < UE__READERS; i++) {
		struct ue__reader *r = &s->readers[i];
		uint32_t turn = __atomic_load_n(&r->turn, __ATOMIC_SEQ_CST);
		uintptr_t reader = __atomic_load_n(&r->thread, __ATOMIC_SEQ_CST);

		if ((reader & ~(uintptr_t)UE__PROBES) == ue__thread())
			continue; /* left by longjmp() */
		while (reader && (reader & UE__PROBES || retries) &&
		       __atomic_load_n(&r->turn, __ATOMIC_ACQUIRE) == turn) {
			retries -= !(reader & UE__PROBES);
			ue__sleep(&r->turn, (int)turn, 100);
			reader = __atomic_load_n(&r->thread, __ATOMIC_ACQUIRE);
		}
	}
	while (__atomic_load_n(&s->overflow, __ATOMIC_SEQ_CST) && retries) {
		retries--;
		ue__sleep(&s->overflow, (int)UE__LOAD(&s->overflow), 100);
	}
	return retries > 0;
}

UE__SETUP bool ue__anyone_reads(void)
{
	struct ue__state *s = &ue__state_v1;
	bool anyone = __atomic_load_n(&s->overflow, __ATOMIC_SEQ_CST) != 0;
	unsigned int i;

	for (i = 0; i < UE__READERS; i++)
		anyone |= __atomic_load_n(&s->readers[i].thread, __ATOMIC_SEQ_CST) != 0;
	return anyone;
}
