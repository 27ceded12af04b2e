/* SPDX-License-Identifier: MIT */
/*
 * The time of a recorded event
 */

/* @enabled */

/*
 * Reading the kernel's clock costs more than the rest of a record. Where the kernel itself uses the
 * processor's counter (clock source "tsc"), this does, too: the time is TIME + (counter - FROM) *
 * RATE, for MOST ticks. Then the kernel's clock is read again. The interval doubles each time, up
 * to half a second. So the error is at most the uncertainty of one reading (some 50 ns) and the
 * drift of half a second. A struct of zeros reads the kernel's clock each time.
 *
 * FROM is stored first and last, and has no value twice: a reader that finds it unchanged has read
 * values that belong together.
 */
struct ue__clock {
	uint64_t from, most, rate, time; /* the rate in nanoseconds << 32 */
	uint64_t counter, measured;	 /* counter and time at which the measurement began */
	uint32_t busy;
};

#if defined(__x86_64__) && defined(__LP64__)
/* Ordered like the kernel's own reads, so that threads that wait for each other record in order. */
static inline uint64_t ue__counter(void)
{
	uint32_t low, high;

	__asm__ volatile("lfence\n\trdtsc" : "=a"(low), "=d"(high) : : "memory");
	return (uint64_t)high << 32 | low;
}
/* Does the kernel's clock use the counter? */
UE__FN bool ue__counter_is_clock(void)
{
	static const char path[] =
		"/sys/devices/system/clocksource/clocksource0/current_clocksource";
	static const char wanted[] = "tsc\n";
	char name[32] = "";
	long fd, n;

	fd = ue__syscall5(__NR_openat, -100, (long)path, UE__CLOEXEC, 0, 0); /* AT_FDCWD */
	if (fd < 0)
		return false;
	n = ue__syscall3(__NR_read, fd, (long)name, sizeof(name));
	ue__syscall3(__NR_close, fd, 0, 0);
	return n == (long)sizeof(wanted) - 1 && !memcmp(name, wanted, sizeof(wanted) - 1);
}

/* Reads the counter and the clock at one moment. Returns the uncertainty in ticks. */
UE__FN uint64_t ue__clock_measure(uint64_t *counter, uint64_t *time)
{
	uint64_t best = UINT64_MAX;
	int i;

	for (i = 0; i < 4; i++) {
		uint64_t before = ue__counter(), now = ue__capture_clock(1);
		uint64_t width = ue__counter() - before;

		if (width < best) {
			best = width;
			*counter = before + width / 2;
			*time = now;
		}
	}
	return best;
}

/* The time at COUNTER as C predicts it; TIME if C is too old for that. */
static inline uint64_t ue__clock_predict(const struct ue__clock *c, uint64_t counter, uint64_t time)
{
	uint64_t ticks = counter - c->from;

	return c->most && ticks < 2 * c->most ? c->time + (ticks * c->rate >> 32) : time;
}

/* Begins to measure the rate. Until it is known, the kernel's clock is read. */
UE__FN void ue__clock_begin(struct ue__clock *c, uint64_t counter, uint64_t time)
{
	UE__STORE(&c->most, (uint64_t)0);
	c->counter = counter;
	c->measured = time;
}

/* Measures and sets the rate, or leaves that to a later event. One thread at a time. */
UE__FN void ue__clock_set(struct ue__clock *c)
{
	enum { HALF_A_SECOND = 1 << 29 };
	uint64_t counter = 0, time = 0, width = ue__clock_measure(&counter, &time);
	uint64_t ticks, span, rate, slack, ahead, most;

	ticks = counter - c->counter;
	span = time - c->measured;
	if (!c->measured || ticks > UINT64_MAX / 2 ||
	    (c->most && counter - c->from > UINT64_MAX / 2)) {
		/* the first time, or the counter was set back while the machine slept */
		ue__clock_begin(c, counter, time);
		return;
	}
	if (ticks < 64 * width)
		return;
	for (; span > UINT32_MAX / 2; span /= 2)
		ticks /= 2;
	rate = (span << 32) / ticks;
	/* what the kernel may change its rate by, and the uncertainty of a short measurement */
	slack = c->rate / 1024 + 4 * width * c->rate / ticks;
	if (!rate || (c->most && (rate > c->rate + slack || rate < c->rate - slack))) {
		/*
		 * one of them stood still while the machine slept, or the kernel changed its clock
		 */
		ue__clock_begin(c, counter, time);
		return;
	}
	if (span > HALF_A_SECOND)
		span = HALF_A_SECOND;
	most = (span << 32) / rate;
	/* time must not go back: if it is ahead, it runs slower */
	ahead = ue__clock_predict(c, counter, time) - time;
	if (ahead < span / 8) {
		time += ahead;
		rate -= (ahead << 32) / most;
	}
	/* meanwhile events read the kernel's clock */
	__atomic_store_n(&c->from, counter + UINT64_MAX / 2, __ATOMIC_RELAXED);
	__atomic_store_n(&c->most, most, __ATOMIC_RELEASE);
	__atomic_store_n(&c->rate, rate, __ATOMIC_RELEASE);
	__atomic_store_n(&c->time, time, __ATOMIC_RELEASE);
	__atomic_store_n(&c->from, counter, __ATOMIC_RELEASE);
	if (span == HALF_A_SECOND) {
		c->counter = counter;
		c->measured = time - (ahead < span / 8 ? ahead : 0);
	}
}

UE__FILE_COLD uint64_t ue__clock_slowly(struct ue__clock *c, bool counts)
{
	uint64_t now = ue__capture_clock(1);
	uint32_t idle = 0;

	if (counts && __atomic_compare_exchange_n(&c->busy, &idle, 1, false, __ATOMIC_ACQUIRE,
						  __ATOMIC_RELAXED)) {
		ue__clock_set(c);
		now = ue__clock_predict(c, ue__counter(), ue__capture_clock(1));
		__atomic_store_n(&c->busy, 0, __ATOMIC_RELEASE);
	}
	return now;
}

/*
 * CLOCK_MONOTONIC by the counter. False if the kernel's clock must be read: ue__clock_now() does.
 * In a child C is zero.
 */
static inline bool ue__clock_counted(const struct ue__clock *c, uint64_t *time)
{
	uint64_t now = ue__counter(), from = __atomic_load_n(&c->from, __ATOMIC_ACQUIRE);

	now -= from;
	if (UE__UNLIKELY(now >= __atomic_load_n(&c->most, __ATOMIC_ACQUIRE)))
		return false;
	*time = now * __atomic_load_n(&c->rate, __ATOMIC_ACQUIRE) >> 32;
	*time += __atomic_load_n(&c->time, __ATOMIC_ACQUIRE);
	return !UE__UNLIKELY(UE__LOAD(&c->from) != from);
}

/* COUNTS is the result of ue__counter_is_clock(). */
static inline uint64_t ue__clock_now(struct ue__clock *c, bool counts)
{
	uint64_t time;

	return ue__clock_counted(c, &time) ? time : ue__clock_slowly(c, counts);
}
#else
UE__FN bool ue__counter_is_clock(void)
{
	return false;
}

static inline bool ue__clock_counted(const struct ue__clock *c, uint64_t *time)
{
	(void)c;
	(void)time;
	return false;
}

static inline uint64_t ue__clock_now(struct ue__clock *c, bool counts)
{
	(void)c;
	(void)counts;
	return ue__capture_clock(1);
}
#endif
