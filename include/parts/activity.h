/* SPDX-License-Identifier: MIT */
/*
 * Activity ids
 */

/* @enabled */

/* Where getrandom() is refused, each id is read: the address and the pid alone would give one. */
UE__FN void ue__random(uint64_t random[2])
{
	int fd = -1, *stack = &fd;
	long n = ue__syscall3(__NR_getrandom, (long)random, 16, 0);

	if (n != 16) {
		fd = ue__open("/dev/urandom", UE__RDONLY | UE__CLOEXEC);
		if (fd >= 0) {
			n = ue__read(fd, random, 16);
			ue__close(fd);
		}
	}
	if (n != 16) {
		random[0] = (uint64_t)ue__syscall3(__NR_getpid, 0, 0, 0) << 32 ^
			    (uint64_t)(uintptr_t)stack;
		random[1] = (uint64_t)(uintptr_t)&ue__state_v1;
	}
}

UE__COLD struct ue__process *ue__activities(void)
{
	uint32_t ready = 0;
	struct ue__process *p = ue__process_page();

	if (!p)
		return NULL;
	if (__atomic_compare_exchange_n(&p->ready, &ready, 1, false, __ATOMIC_ACQUIRE,
					__ATOMIC_ACQUIRE)) {
		ue__random(p->random);
		__atomic_store_n(&p->ready, 2, __ATOMIC_RELEASE);
		ready = 2;
	}
	return ready == 2 ? p : NULL;
}

/*
 * A number that is unique in the process. With words of 32 bits, each half of the counter's range
 * has a number of laps, which advances while the other half is in use.
 */
static inline uint64_t ue__next_number(struct ue__process *p)
{
	size_t n = __atomic_fetch_add(&p->count, 1, __ATOMIC_RELAXED);
#if __SIZEOF_SIZE_T__ > 4
	return n;
#else
	unsigned int half = n >> 31;

	if (!(n & 0x7fffffff))
		__atomic_fetch_add(&p->lap[!half], 1, __ATOMIC_RELAXED);
	return UE__U64(UE__LOAD(&p->lap[half])) << 32 | n;
#endif
}

UE__API void ue_activity_new(uint8_t id[16])
{
	struct ue__process *a = __atomic_load_n(&ue__state_v1.process, __ATOMIC_ACQUIRE);
	uint64_t bits[2];

	if (!a || __atomic_load_n(&a->ready, __ATOMIC_ACQUIRE) != 2)
		a = ue__activities();
	if (a) {
		bits[0] = a->random[0];
		bits[1] = a->random[1] + ue__next_number(a);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
		bits[1] = __builtin_bswap64(bits[1]); /* its top bits become the variant */
#endif
	} else {
		ue__random(bits); /* another thread initialises it, or the kernel is old */
	}
	memcpy(id, bits, 16);
	id[6] = (uint8_t)((id[6] & 0x0f) | 0x40); /* a UUID of version 4 */
	id[8] = (uint8_t)((id[8] & 0x3f) | 0x80);
}

/* @disabled */

UE__API void ue_activity_new(uint8_t id[16])
{
	memset(id, 0, 16);
}
