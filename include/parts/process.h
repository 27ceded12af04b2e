/* SPDX-License-Identifier: MIT */
/*
 * What belongs to one process
 */

@enabled

/*
 * What belongs to one process, in a page that the kernel clears in a child, so that a fork is
 * noticed without asking for the pid.
 *
 * Activity ids: what is common to this process, random, and a counter.
 *
 * Threads that run probes count themselves in RUNNING, in the one of the two that EPOCH says.
 * Who waits for them turns EPOCH and waits for the other one to fall to zero, for both in turn:
 * a thread may have read EPOCH long before it counted itself.
 */
struct ue__process {
	uint64_t random[2];
	size_t count, lap[2];
	uint32_t ready;
	uint32_t epoch, running[2];
	uint32_t pid; /* once user_events_capture.h has asked */
};

/* NULL if the kernel gives none; WIPED says whether it is cleared in a child. */
UE__COLD struct ue__process *ue__process_page(bool *wiped)
{
	struct ue__state *s = &ue__state_v1;
	struct ue__process *p, *none = NULL;

	p = __atomic_load_n(&s->process, __ATOMIC_ACQUIRE);
	if (!p) {
		p = (struct ue__process *)ue__map(sizeof(*p));
		if (!p)
			return NULL;
		/*
		 * 18 is MADV_WIPEONFORK, of Linux 4.14. Emulators (qemu-user 7) that take what is
		 * no advice at all have ignored that one, too.
		 */
		if (ue__syscall3(SYS_madvise, (long)p, sizeof(*p), 18) < 0 ||
		    ue__syscall3(SYS_madvise, (long)p, sizeof(*p), 0x7fff) >= 0)
			p->ready = 3;
		if (!__atomic_compare_exchange_n(&s->process, &none, p, false, __ATOMIC_ACQ_REL,
						 __ATOMIC_ACQUIRE)) {
			munmap(p, sizeof(*p));
			p = none;
		}
	}
	if (wiped)
		*wiped = __atomic_load_n(&p->ready, __ATOMIC_RELAXED) != 3;
	return p;
}

UE__FN void ue__free_probes(struct ue__probe *probes);
