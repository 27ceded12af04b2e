/* SPDX-License-Identifier: MIT */
/*
 * The time and the CPU of an event
 */

@enabled

/*
 * What strict modes of the compilers hide. Where the time has 64 bits on machines of 32, the
 * function has another name.
 */
#ifdef __cplusplus
extern "C" {
#endif
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
