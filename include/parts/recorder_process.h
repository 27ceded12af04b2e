/* SPDX-License-Identifier: MIT */
/*
 * What a process knows of its recorder
 */

/* @enabled */

/*
 * A process' state for the recorder that it writes to. Writers are not counted, so it is never
 * freed; the next recorder of the same size uses it again. KEY is stored last and loaded first: a
 * writer that still uses values of the former recorder writes no whole record into the new one.
 */
enum { UE__RECORDER_CACHED = 1024, UE__RECORDER_LATE = 256 };
struct ue__recorder_cached {
	uint32_t serial, what; /* of an event; its process and format */
};
struct ue__recorder_place {
	struct ue__recorder_ring *counters;
	uint64_t *words;
};
/* In memory that is zero in a child. The numbers are those in records. */
struct ue__recorder_own {
	struct ue__recorder_cached known[UE__RECORDER_CACHED]; /* the place is SERIAL modulo that */
	uint32_t process;
	uint32_t pid, inside; /* of a capture */
	struct ue__clock clock;
};
struct ue__recording {
	uint64_t key;
	struct ue__recorder_head *head;
	struct ue__recorder_own *own;
	ptrdiff_t rseq, tid; /* from the thread pointer on */
	uint32_t rings;	     /* a mask, as */
	uint32_t mask;	     /* of a ring's words */
	struct ue__recorder_place place[UE__RECORDER_RINGS];

	/* What follows is not used for each event. */
	uint32_t largest;
	uint8_t by;  /* UE__RECORDER_RSEQ... */
	uint8_t ask; /* the kernel for the thread, the process */
	struct ue__recording *next;
	struct ue__recorder_head layout; /* the copy in shared memory is trusted only at first */
	int mapped, used;		 /* by this header; by a recorder */
	uint32_t pid, process, late_count;
	struct {
		uint32_t serial, format;
	} late[UE__RECORDER_LATE];  /* run-time events, whose text is read only under the lock */
	struct ue_capture *capture; /* capture_memory.h */
	char stop_on[64];
	uint32_t stop_after;
};

enum { UE__RECORDER_RSEQ, UE__RECORDER_GETCPU, UE__RECORDER_THREAD };
enum {
	UE__RECORDER_ASK_TID = 1,
	UE__RECORDER_ASK_LIBC = 2,
	UE__RECORDER_ASK_PID = 4,
	UE__RECORDER_ASK_CLOCK = 8
};

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GLIBC__ /* since 2.35 it registers rseq, whose area holds the CPU */
extern const ptrdiff_t ue__libc_rseq_offset __asm__("__rseq_offset") __attribute__((__weak__));
extern const unsigned int ue__libc_rseq_size __asm__("__rseq_size") __attribute__((__weak__));
#endif
#ifdef __cplusplus
}
#endif

static inline const unsigned char *ue__thread_pointer(void)
{
	const unsigned char *p = NULL;

#if defined(__x86_64__)
#ifdef __LP64__
	__asm__("movq %%fs:0, %0" : "=r"(p));
#else
	__asm__("movl %%fs:0, %0" : "=r"(p));
#endif
#elif defined(__i386__)
	__asm__("movl %%gs:0, %0" : "=r"(p));
#elif defined(__aarch64__)
	__asm__("mrs %0, tpidr_el0" : "=r"(p));
#elif defined(__s390x__) || defined(__riscv) || defined(__powerpc64__)
	p = (const unsigned char *)__builtin_thread_pointer();
#endif
	return p;
}

/* The word at OFFSET from the thread pointer. */
static inline uint32_t ue__thread_word(ptrdiff_t offset)
{
	uint32_t word;

#if defined(__x86_64__) && defined(__LP64__)
	__asm__ volatile("movl %%fs:(%1), %0" : "=r"(word) : "r"(offset));
#else
	word = UE__LOAD((const uint32_t *)(const void *)(ue__thread_pointer() + offset));
#endif
	return word;
}

UE__FN uint32_t ue__recorder_tid(const struct ue__recording *r)
{
	if (r->ask & UE__RECORDER_ASK_TID)
		return (uint32_t)ue__syscall3(__NR_gettid, 0, 0, 0);
	return ue__thread_id();
}

/* The CPU, or another number that spreads the threads over the rings. */
UE__FN uint32_t ue__recorder_cpu(const struct ue__recording *r)
{
	unsigned long self;
	int cpu;

	if (r->by == UE__RECORDER_RSEQ)
		return ue__thread_word(r->rseq);
	if (r->by == UE__RECORDER_GETCPU) {
		cpu = ue__libc_getcpu();
		return cpu < 0 ? 0 : (uint32_t)cpu;
	}
	self = ue__libc_self(); /* an address */
	return (uint32_t)(((uint64_t)self >> 6) * 0x9e3779b97f4a7c15ull >> 32);
}

static inline uint64_t ue__recorder_time(struct ue__recording *r)
{
	return ue__clock_now(&r->own->clock, !(r->ask & UE__RECORDER_ASK_CLOCK));
}

/* What is cached of the event with SERIAL: process << 14 | format, or 0. */
static inline uint32_t ue__recorder_cached_of(const struct ue__recording *r, uint32_t serial)
{
	const struct ue__recorder_cached *k = &r->own->known[serial % UE__RECORDER_CACHED];
#if __SIZEOF_SIZE_T__ > 4
	union {
		uint64_t word;
		struct ue__recorder_cached known;
	} u;

	u.word = UE__LOAD((const uint64_t *)(const void *)k);
	return u.known.serial == serial ? u.known.what : 0;
#else
	uint32_t known = __atomic_load_n(&k->serial, __ATOMIC_ACQUIRE);
	uint32_t what = __atomic_load_n(&k->what, __ATOMIC_ACQUIRE);

	return known == serial && UE__LOAD(&k->serial) == serial ? what : 0;
#endif
}

/* Stores a word that others may read and, if this thread sleeps for a lap, write as well. */
static inline void ue__recorder_store(uint64_t *at, uint64_t word)
{
#if __SIZEOF_SIZE_T__ > 4
	UE__STORE(at, word);
#else
	uint32_t halves[2], *p = (uint32_t *)(void *)at;

	memcpy(halves, &word, 8);
	UE__STORE(p, halves[0]);
	UE__STORE(p + 1, halves[1]);
#endif
}

/*
 * Stores the word that makes the record behind it whole. The hash tells readers of a half-written
 * one.
 */
static inline void ue__recorder_commit(uint64_t *at, uint64_t word)
{
#if __SIZEOF_SIZE_T__ > 4
	__atomic_store_n(at, word, __ATOMIC_RELEASE);
#else
	uint32_t halves[2], *p = (uint32_t *)(void *)at;

	memcpy(halves, &word, 8);
	__atomic_store_n(p, halves[0], __ATOMIC_RELEASE);
	__atomic_store_n(p + 1, halves[1], __ATOMIC_RELEASE);
#endif
}

static inline uint64_t ue__recorder_load(const uint64_t *at)
{
#if __SIZEOF_SIZE_T__ > 4
	return __atomic_load_n(at, __ATOMIC_ACQUIRE);
#else
	uint32_t halves[2];
	const uint32_t *p = (const uint32_t *)(const void *)at;
	uint64_t word;

	halves[0] = __atomic_load_n(p, __ATOMIC_ACQUIRE);
	halves[1] = __atomic_load_n(p + 1, __ATOMIC_ACQUIRE);
	memcpy(&word, halves, 8);
	return word;
#endif
}

/*
 * Returns the position in the upper half and the count in the lower. On 32-bit machines these are
 * two words: of two threads, each may get the other's count.
 */
static inline uint64_t ue__recorder_reserve(struct ue__recorder_ring *ring, uint32_t words)
{
	uint64_t reserved;

#if __SIZEOF_SIZE_T__ > 4
	reserved = __atomic_fetch_add(&ring->u.next, (uint64_t)words << 32 | 1, __ATOMIC_RELAXED);
#else
	enum { HIGH = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, LOW = !HIGH };

	reserved = __atomic_fetch_add(&ring->u.halves[LOW], 1, __ATOMIC_RELAXED);
	reserved |= (uint64_t)__atomic_fetch_add(&ring->u.halves[HIGH], words, __ATOMIC_RELAXED)
		    << 32;
#endif
	return reserved;
}

/* At the ring's end: counts the overflows of the number of records. */
static inline void ue__recorder_lap(struct ue__recorder_ring *ring, uint32_t count)
{
	uint32_t last = __atomic_exchange_n(&ring->count, count, __ATOMIC_RELAXED);

	if (count < last && last - count > UINT32_MAX / 2)
		UE__INCREMENT(&ring->laps);
}
