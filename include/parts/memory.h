/* SPDX-License-Identifier: MIT */
/*
 * Memory
 */

/* @enabled */

/*
 * An allocator for probes and texts of run-time events, in cells of 64 bytes. malloc() does not
 * serve: the code that an event interrupts may be in it. Under the lock.
 */
struct ue__cells {
	struct ue__cells *next;
	uint64_t used; /* bit n: cell n; this is cell 0 */
	unsigned char rest[64 - sizeof(void *) - 8];
	unsigned char cell[63][64];
};

UE__SETUP void *ue__map(size_t size)
{
	int saved = errno;
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | UE__MAP_ANONYMOUS, -1, 0);

	errno = saved;
	return p == MAP_FAILED ? NULL : p;
}

/*
 * Does the kernel clear this memory in a child? 18 is MADV_WIPEONFORK, of Linux 4.14. An emulator
 * that accepts 0x7fff, which is no advice, ignores both (qemu-user 7).
 */
UE__SETUP bool ue__wipe_on_fork(void *p, size_t size)
{
	return ue__syscall5(__NR_madvise, (long)p, (long)size, 18, 0, 0) >= 0 &&
	       ue__syscall5(__NR_madvise, (long)p, (long)size, 0x7fff, 0, 0) < 0;
}

/* SIZE bytes, at most 63 cells; NULL if there is no memory. */
UE__SETUP void *ue__allocate(size_t size)
{
	struct ue__cells **link = &ue__state_v1.cells;
	uint64_t mask = ~UE__U64(0) >> (64 - (size + 63) / 64);
	unsigned int i;

	for (;; link = &(*link)->next) {
		if (!*link) {
			struct ue__cells *c = (struct ue__cells *)ue__map(sizeof(*c));

			if (!c)
				return NULL;
			c->used = 1;
			__atomic_store_n(link, c, __ATOMIC_RELEASE);
		}
		for (i = 1; i + (size + 63) / 64 <= 64; i++) {
			if (((*link)->used & mask << i) == 0) {
				(*link)->used |= mask << i;
				return (*link)->cell[i - 1];
			}
		}
	}
}

UE__SETUP void ue__free(const void *p, size_t size)
{
	uint64_t mask = ~UE__U64(0) >> (64 - (size + 63) / 64);
	struct ue__cells *c = ue__state_v1.cells;

	while ((uintptr_t)p - (uintptr_t)c >= sizeof(*c))
		c = c->next;
	c->used &= ~(mask << (((uintptr_t)p - (uintptr_t)c) / 64));
}
