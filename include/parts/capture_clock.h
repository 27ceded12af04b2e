/* SPDX-License-Identifier: MIT */
/*
 * The time and the CPU of an event
 */

/* @enabled */

/*
 * Functions of libc, by their symbols, since strict modes of the compilers hide the declarations.
 * With a time of 64 bits on 32-bit machines, clock_gettime() has another symbol.
 */
#if defined(__GLIBC__) && defined(__GLIBC_PREREQ)
#if !__GLIBC_PREREQ(2, 34) /* threads are in a library of their own */
#define UE__LIBC_THREADS __attribute__((__weak__))
#endif
#endif
#ifndef UE__LIBC_THREADS
#define UE__LIBC_THREADS
#endif
#ifdef __cplusplus
extern "C" {
#endif
extern unsigned long ue__libc_self(void) __asm__("pthread_self");
extern int ue__libc_thread_clock(unsigned long thread,
				 int *clock) __asm__("pthread_getcpuclockid") UE__LIBC_THREADS;
extern int ue__libc_getcpu(void) __asm__("sched_getcpu");
#if (defined(__USE_TIME_BITS64) && defined(__TIMESIZE) && __TIMESIZE == 32) || \
	(defined(_REDIR_TIME64) && _REDIR_TIME64 + 0)
extern int ue__libc_clock(int clock, struct timespec *time) __asm__("__clock_gettime64");
#else
extern int ue__libc_clock(int clock, struct timespec *time) __asm__("clock_gettime");
#endif
#ifdef __cplusplus
}
#endif

static inline uint64_t ue__capture_clock(int clock)
{
	struct timespec t;

	ue__libc_clock(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline bool ue__has_thread_clock(void)
{
#if defined(__GLIBC__) && defined(__GLIBC_PREREQ)
#if !__GLIBC_PREREQ(2, 34)
	return &ue__libc_thread_clock != NULL;
#endif
#endif
	return true;
}

/*
 * The thread's id without a system call. The kernel defines the number of a thread's CPU clock as
 * (~tid << 3) | 6. libc computes it from the id that it stores.
 */
static inline uint32_t ue__thread_id(void)
{
	int clock;

	if (UE__UNLIKELY(!ue__has_thread_clock() || ue__libc_thread_clock(ue__libc_self(), &clock)))
		return (uint32_t)ue__syscall3(__NR_gettid, 0, 0, 0);
	return (uint32_t) ~(clock >> 3);
}
