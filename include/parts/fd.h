/* SPDX-License-Identifier: MIT */
/*
 * The number of the file descriptor
 */

/* @enabled */

/*
 * A program may close descriptors that it did not open, and its next open() then returns the
 * number. So the fd has a number that programs do not use, and before it is closed or registered
 * with, it is compared with what was opened. An event's write does not compare: that takes a
 * third of the write.
 */

/*
 * What a descriptor refers to, or if PATH is not "" the file there, by statx(), whose structure
 * is the same on every machine.
 */
UE__SETUP int ue__identify(int fd, const char *path, struct ue__identity *identity)
{
#if (!defined(UE_SYS_OPEN) || defined(UE_SYS_FCNTL)) && defined(__NR_statx)
	uint32_t words[64]; /* struct statx */
	long error;

	memset(words, 0, sizeof(words));
	error = ue__syscall5(__NR_statx, fd, (long)path, 0x1000 /* AT_EMPTY_PATH */,
			     0x101 /* STATX_TYPE | STATX_INO */, (long)words);
	memcpy(&identity->inode, words + 8, sizeof(identity->inode));
	memcpy(identity->devices, words + 32, sizeof(identity->devices));
	return (int)error;
#else
	(void)fd;
	(void)path;
	memset(identity, 0, sizeof(*identity));
	return -ENOSYS;
#endif
}

static UE__ALWAYS_INLINE bool ue__is_same_file(const struct ue__identity *a,
					       const struct ue__identity *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

/* Is FD still the file that was opened? Assumed where the kernel does not tell. */
UE__SETUP bool ue__is_ours(int fd)
{
	const struct ue__state *s = &ue__state_v1;
	struct ue__identity now;
	int error = s->identified ? ue__identify(fd, "", &now) : -ENOSYS;

	if (error < 0)
		return ue__fcntl(fd, 1 /* F_GETFD */, 0) != -EBADF;
	return ue__is_same_file(&now, &s->identity);
}

UE__SETUP void ue__close_ours(int fd)
{
	if (ue__is_ours(fd))
		ue__close(fd);
}

struct ue__limit {
	uint64_t soft, hard;
};

UE__SETUP bool ue__limit(const struct ue__limit *limit, struct ue__limit *old)
{
	if (old)
		old->soft = old->hard = 0; /* MemorySanitizer does not see what the kernel writes */
	return ue__syscall5(__NR_prlimit64, 0, UE__RLIMIT_NOFILE, (long)limit, (long)old, 0) >= 0;
}

#define UE__DUPLICATE 1030 /* F_DUPFD_CLOEXEC */

/*
 * Above the soft limit of RLIMIT_NOFILE, open(), dup() and socket() return no number, dup2()
 * accepts none, and a loop over all numbers ends at sysconf(_SC_OPEN_MAX). To get there, the
 * limit is raised for a moment. A process without the hard limit for it may have
 * CAP_SYS_RESOURCE.
 */
struct ue__above {
	int fd, number;
	uint64_t from;
	struct ue__limit limit;
};

UE__SETUP int ue__duplicate_above(void *argument)
{
	struct ue__above *a = (struct ue__above *)argument;
	struct ue__limit more = a->limit;

	more.soft = a->from + 32768; /* room for all events of a system */
	if (more.hard < more.soft)
		more.hard = more.soft;
	if (!ue__limit(&more, NULL)) {
		more.soft = more.hard = a->limit.hard;
		if (more.soft <= a->from || !ue__limit(&more, NULL))
			return 0;
	}
	a->number = ue__fcntl(a->fd, UE__DUPLICATE, (long)a->from);
	ue__limit(&a->limit, NULL);
	return 0;
}

/* Has the process one thread? Then no other one sees the raised limit. */
UE__SETUP bool ue__is_alone(void)
{
#ifdef __NR_statx
	uint32_t words[64];

	memset(words, 0, sizeof(words));
	/* a directory for each thread: STATX_NLINK counts them, and two more */
	return ue__syscall5(__NR_statx, -100, (long)"/proc/self/task", 0, 0x4, (long)words) >= 0 &&
	       words[4] == 3;
#else
	return false;
#endif
}

/* Sanitizers intercept clone(), but not its other name. */
#ifdef __GLIBC__
#define UE__CLONE "__clone"
#else
#define UE__CLONE "clone"
#endif
#ifdef __cplusplus
extern "C" {
#endif
extern int ue__libc_clone(int (*function)(void *), void *stack, int flags, void *argument,
			  ...) __asm__(UE__CLONE);
#ifdef __cplusplus
}
#endif

/*
 * With other threads, a child raises the limit: it shares memory and descriptors, has limits of its
 * own, and exits without SIGCHLD before this returns. Not under seccomp, whose filters may kill a
 * process for such a clone().
 */
UE__SETUP void ue__duplicate_in_child(struct ue__above *a)
{
#ifdef __NR_wait4
	const size_t size = 16384;
	unsigned char *stack;
	int child, status;

	if (ue__syscall5(__NR_prctl, 21 /* PR_GET_SECCOMP */, 0, 0, 0, 0) != 0)
		return;
	stack = (unsigned char *)ue__map(size);
	if (!stack)
		return;
	/* CLONE_VM, CLONE_FILES, CLONE_VFORK, and no signal at its end */
	UE__SYSTEM(child,
		   ue__libc_clone(ue__duplicate_above, stack + size, 0x100 | 0x400 | 0x4000, a));
	while (child > 0 && ue__syscall5(__NR_wait4, child, (long)&status,
					 (long)(int)0x80000000u /* __WCLONE */, 0, 0) == -EINTR)
		;
	munmap(stack, size);
#else
	(void)a;
#endif
}

/*
 * Numbers are bounded, since the kernel's table of descriptors has 8 bytes for each up to the
 * highest in use, which every fork copies.
 */
enum { UE__LIMIT_HIGH = 16384, UE__RANGE_HIGH = 4096 };

/* The lowest free number from FROM on; -1 if there is none. */
UE__SETUP int ue__duplicate(int fd, uint64_t from, const struct ue__limit *limit)
{
	struct ue__above a;

	if (from < limit->soft)
		return ue__fcntl(fd, UE__DUPLICATE, (long)from);
	if (limit->soft > UE__LIMIT_HIGH)
		return -1;
	a.fd = fd;
	a.number = -1;
	a.from = from;
	a.limit = *limit;
	if (ue__is_alone())
		ue__duplicate_above(&a);
	else
		ue__duplicate_in_child(&a);
	return a.number;
}

/*
 * Duplicates FD to a number that the program does not use, if possible: WANTED, or above the soft
 * limit, or at the end of the range; else returns FD. Each library with a copy of this header
 * begins at a number of its own, so that one does not soon reuse the number that another one lost.
 */
UE__SETUP int ue__duplicate_high(int fd, int wanted)
{
	uint32_t spread = ((uint32_t)((uintptr_t)&ue__state_v1 >> 4) * 0x9e3779b1u) >> 12;
	uint64_t from[4], room, eighth;
	struct ue__limit limit;
	int number = -1, i;

	if (!ue__limit(NULL, &limit) || limit.soft <= (uint64_t)fd)
		return fd;
	/* the kernel's table has a power of two of entries */
	for (room = 128; room < limit.soft + 64 && room <= UE__LIMIT_HIGH; room *= 2)
		;
	from[0] = (uint64_t)wanted;
	from[1] = limit.soft;
	if (room > limit.soft)
		from[1] += spread % (room - limit.soft);
	room = limit.soft < UE__RANGE_HIGH ? limit.soft : (uint64_t)UE__RANGE_HIGH;
	eighth = room / 8;
	from[3] = room - eighth;
	from[2] = from[3] + (eighth ? spread % eighth : 0);
	/* one that the limit has passed is for a child of fork(), which needs the same */
	if (from[0] < limit.soft && ue__state_v1.pid == ue__pid()) {
		from[0] = from[1];
		from[1] = (uint64_t)wanted;
	}
	for (i = 0; number < 0 && i < 4; i++) {
		if (from[i])
			number = ue__duplicate(fd, from[i], &limit);
	}
	if (number >= 0 && number < fd && number != wanted) {
		ue__close(number);
		number = -1;
	}
	return number < 0 ? fd : number;
}

/*
 * Closes the fd, while other threads may have read its number for an event. Above the limit only
 * this library uses such numbers, and it takes another one next time. Below, the read end of a pipe
 * occupies the number until events are registered again: it cannot be written to. LAST: no thread
 * will use the number.
 */
UE__SETUP void ue__park(bool last)
{
	struct ue__state *s = &ue__state_v1;
	int fd = s->fd - 1, ends[2] = { -1, -1 };
	struct ue__limit limit;

	UE__STORE(&s->fd, 0);
	s->reopen_error = 0;
	if (fd < 0 || !ue__is_ours(fd))
		return;
	s->next_fd = fd % 1024 == 1023 ? 0 : fd + 1; /* does not grow without end */
	if (!last && s->identified && ue__limit(NULL, &limit) && (uint64_t)fd < limit.soft &&
	    ue__syscall5(__NR_pipe2, (long)ends, UE__CLOEXEC, 0, 0, 0) >= 0) {
		if (ue__identify(ends[0], "", &s->parking) >= 0 &&
		    ue__syscall5(__NR_dup3, ends[0], fd, UE__CLOEXEC, 0, 0) >= 0) {
			s->parked = fd + 1;
			fd = -1;
		}
		ue__close(ends[0]);
		ue__close(ends[1]);
	}
	if (fd >= 0)
		ue__close(fd);
}

/* Is the pipe still there? */
UE__SETUP bool ue__is_parked(void)
{
	struct ue__state *s = &ue__state_v1;
	struct ue__identity now;

	return s->parked && ue__identify(s->parked - 1, "", &now) >= 0 &&
	       ue__is_same_file(&now, &s->parking);
}

/*
 * Moves FD, just opened, to WANTED or another number that is out of the way; UNPARK: to the one
 * that ue__park() has occupied. -EBADF if another thread of the program closed it meanwhile.
 */
UE__SETUP int ue__move(int fd, int wanted, bool unpark)
{
	struct ue__state *s = &ue__state_v1;
	int number = unpark && ue__is_parked() ? s->parked - 1 : -1;

	if (unpark)
		s->parked = 0;
	if (number < 0 || ue__syscall5(__NR_dup3, fd, number, UE__CLOEXEC, 0, 0) < 0)
		number = ue__duplicate_high(fd, wanted);
	if (number != fd)
		ue__close_ours(fd);
	if (ue__is_ours(number))
		return number;
	if (number != fd)
		ue__close(number); /* a duplicate of what the program opened there meanwhile */
	return -EBADF;
}

/*
 * Makes FD, just opened, the library's, unless it is an error: saves which file that is, by the
 * path if there is one, since another thread of the program may close it before it has its number.
 * All open files of user_events_data are one file.
 */
UE__SETUP int ue__adopt(int fd)
{
	struct ue__state *s = &ue__state_v1;
	const char *path = s->path;

#ifdef UE_SYS_OPEN
	path = NULL; /* it may be another file's */
#endif
	if (fd < 0)
		return fd;
	s->identified = ue__identify(path ? -1 : fd, path ? path : "", &s->identity) >= 0;
	return ue__move(fd, s->next_fd, true);
}
