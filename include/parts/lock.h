/* SPDX-License-Identifier: MIT */
/*
 * The lock of registrations
 */

@enabled

/*
 * The lock of registrations; no event takes it. Its word is the holder's pid: after a
 * fork, a lock that another thread of the parent held has no holder, and is taken.
 */
UE__FN void ue__lock_word(int *word)
{
	int pid = (int)getpid(), owner = 0;

	while (!__atomic_compare_exchange_n(word, &owner, pid, false, __ATOMIC_ACQUIRE,
					    __ATOMIC_RELAXED)) {
		if (owner == 0 || owner != pid)
			continue; /* try again, against the owner just read */
		owner = 0;
		sched_yield();
	}
}

static inline void ue__lock(void)
{
	ue__lock_word(&ue__state_v1.lock);
}

static inline void ue__unlock(void)
{
	__atomic_store_n(&ue__state_v1.lock, 0, __ATOMIC_RELEASE);
}
