/* SPDX-License-Identifier: MIT */
/*
 * The lock of registrations
 */

/* @enabled */

/*
 * No event waits for this lock. A thread that waits sleeps in a futex, so that one of real-time
 * priority does not keep the holder from its CPU. The word is the pid of the holder's process:
 * after a fork, a lock that another thread of the parent held counts as free.
 */
#define UE__WAITERS 0x40000000

#ifdef __NR_futex
#define UE__FUTEX __NR_futex
typedef long ue__seconds;
#else
#define UE__FUTEX __NR_futex_time64
typedef int64_t ue__seconds;
#endif

/* Sleeps while *WORD is VALUE: until a wakeup, or for MICROSECONDS, if there are any. */
UE__SETUP void ue__sleep(const void *word, int value, long microseconds)
{
	ue__seconds time[2]; /* a struct timespec */

	time[0] = 0;
	time[1] = microseconds * 1000;
	ue__syscall5(UE__FUTEX, (long)word, 128 /* FUTEX_WAIT_PRIVATE */, value,
		     microseconds ? (long)time : 0, 0);
}

/* Takes the lock. Without WAIT, only if no other thread of this process has it. */
UE__SETUP bool ue__lock_word(int *word, bool wait)
{
	int pid = ue__pid(), mine = pid, owner = 0;

	while (!__atomic_compare_exchange_n(word, &owner, mine, false, __ATOMIC_ACQUIRE,
					    __ATOMIC_RELAXED)) {
		if ((owner & ~UE__WAITERS) != pid)
			continue; /* try again, against the owner just read */
		if (!wait)
			return false;
		mine = pid | UE__WAITERS;
		if (owner == mine ||
		    __atomic_compare_exchange_n(word, &owner, mine, false, __ATOMIC_RELAXED,
						__ATOMIC_RELAXED))
			ue__sleep(word, mine, 0);
		owner = 0;
	}
	return true;
}

static UE__ALWAYS_INLINE void ue__unlock_word(int *word)
{
	if (__atomic_exchange_n(word, 0, __ATOMIC_RELEASE) & UE__WAITERS)
		ue__syscall5(UE__FUTEX, (long)word, 129 /* FUTEX_WAKE_PRIVATE */, 1, 0, 0);
}

/*
 * All signals, also those by which libc cancels threads: neither a handler nor the end of the
 * thread leaves the lock behind. The kernel's set has 64 bits, of MIPS 128.
 */
static UE__ALWAYS_INLINE bool ue__signals(const uint64_t *set, uint64_t *old)
{
	return ue__syscall5(__NR_rt_sigprocmask, UE__SIG_SETMASK, (long)set, (long)old,
			    UE__SIGNAL_BYTES, 0) >= 0;
}

UE__SETUP bool ue__take_lock(bool wait)
{
	struct ue__state *s = &ue__state_v1;
	uint64_t all[2], old[2];
	bool blocked;

	memset(all, 0xff, sizeof(all));
	blocked = ue__signals(all, old);
	if (!ue__lock_word(&s->lock, wait)) {
		if (blocked)
			ue__signals(old, NULL);
		return false;
	}
	s->blocked = blocked;
	memcpy(s->signals, old, sizeof(old));
	return true;
}

static UE__ALWAYS_INLINE void ue__lock(void)
{
	ue__take_lock(true);
}

/* For events, which do not wait. */
static UE__ALWAYS_INLINE bool ue__try_lock(void)
{
	return ue__take_lock(false);
}

UE__SETUP void ue__unlock(void)
{
	struct ue__state *s = &ue__state_v1;
	uint64_t old[2];
	bool blocked = s->blocked;

	memcpy(old, s->signals, sizeof(old));
	ue__unlock_word(&s->lock);
	if (blocked)
		ue__signals(old, NULL);
}
