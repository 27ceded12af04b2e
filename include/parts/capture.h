/* SPDX-License-Identifier: MIT */
/*
 * Capturing
 */

/* @public */

/*
 * Configuration: what may be defined before the include, for a whole program alike.
 * =============
 *
 * UE_CAPTURE_FORMATS	Formats that a capture caches; further ones are written repeatedly. A
 *			reader reports events of further formats as errors. Costs 12 bytes each
 *			of struct ue_capture, and 16 of struct ue_capture_reader, which
 *			ue_capture_find() has on its stack (1024).
 */
#ifndef UE_CAPTURE_FORMATS
#define UE_CAPTURE_FORMATS 1024
#endif

/* Private. */
struct ue__capture_known {
	uint32_t serial;    /* of an event whose format is written, or 0 */
	uint32_t low, high; /* its id */
};

/* The head of a memory capture. In shared memory, all processes count here. */
struct ue__capture_memory {
	uint32_t magic, word; /* sizeof(size_t) */
	size_t size;	      /* bytes behind this */
	size_t used;	      /* of them, reserved */
	size_t lost;
	unsigned char rest[64 - 8 - 3 * sizeof(size_t)];
};

/*
 * Capturing
 * =========
 */

/* The caller's. Zero it (or leave it static) before its first use; the members are private. */
struct ue_capture {
	struct ue__capture_memory *memory;
	int fd;			  /* plus one */
	uint32_t pid;		  /* of the process that its last record names */
	size_t lost;		  /* file: records that could not be written */
	size_t pending;		  /* of those, not in the file yet */
	struct ue__identity file; /* what FD refers to, if IDENTIFIED */
	int identified;
	uint64_t most; /* bytes that the file may have, as ulimit -f says */
	struct ue__capture_known known[UE_CAPTURE_FORMATS];
};

/*
 * Captures every event of this program or library (whatever includes user_events.h together
 * with this call) from now on into MEMORY, which it clears first; both stay the capture's until
 * ue_capture_stop(), the memory as long as it is read. When SIZE bytes are full, further events are
 * counted as lost. An event needs 56 bytes and its payload, rounded up to 8, each
 * format 48 and its text, once. Memory that processes share (mmap() with MAP_SHARED) is
 * filled by children, too, after a fork().
 *
 * Returns 0, -EINVAL if MEMORY is NULL or SIZE under 256, -EBUSY if the capture runs already, or
 * what ue_probe_register() returns: -ENOMEM, -ENOSYS with UE_DISABLE. Thread-safe for different
 * captures, any number of which may run; not async-signal-safe.
 */
UE__FN int ue_capture_memory(struct ue_capture *c, void *memory, size_t size);

/*
 * The same to the end of the file PATH, which is made if need be, for its owner only (0600). Each
 * event is one write(), so it is in the file even if the program is killed right after, and
 * several processes, also children after a fork(), may append to one file of a local file system.
 * The fd is close-on-exec, and its number out of the program's way: a loop over all descriptors
 * does not close it. After close_range() events are lost, and no other file gets them.
 *
 * Returns also -EINVAL if PATH is NULL, a pipe or a socket, or what open() fails with.
 */
UE__FN int ue_capture_file(struct ue_capture *c, const char *path);

/*
 * Captures into the file that the environment variable UE_CAPTURE names, for the life of the
 * program: call it at the beginning of main(). Returns 1, 0 if there is no such variable, it is
 * empty, or the program has more privileges than its caller (as secure_getenv() has it), or
 * what ue_capture_file() fails with. Not while another thread calls setenv().
 */
UE__FN int ue_capture_environment(struct ue_capture *c);

/*
 * Ends it. Once this returned, no thread of this process writes to the memory or the file any
 * more. What is in memory may still be read. Returns 0, -ENOENT if the capture does not run, or
 * -EDEADLK if it is called by a probe. Not async-signal-safe.
 */
UE__FN int ue_capture_stop(struct ue_capture *c);

/*
 * Events that were not captured, since the memory is full or writing failed; of shared memory,
 * those of all processes. Also after ue_capture_stop(). Thread-safe, async-signal-safe.
 */
UE__FN uint64_t ue_capture_lost(const struct ue_capture *c);

/* @enabled */

static inline int ue__capture_runs(const struct ue_capture *c)
{
	return c->pid != 0;
}

/* Starts C, whose memory or fd is set. */
UE__FN int ue__capture_start(struct ue_capture *c)
{
	struct ue__capture_head head;
	int error;

	memset(c->known, 0, sizeof(c->known));
	c->lost = c->pending = 0;
	if (!ue__process_page())
		return -ENOMEM;
	ue__capture_now(&head);
	ue__capture_put_program(c, &head);
	if (c->memory && ue__capturing_start(c))
		return 0;
	error = ue_probe_register(NULL, ue__capture_probe, c);
	if (error) {
		c->pid = 0;
		c->fd = 0;
	}
	return error;
}

UE__FN int ue_capture_memory(struct ue_capture *c, void *memory, size_t size)
{
	size_t skip = (8 - (uintptr_t)memory % 8) % 8;
	struct ue__capture_memory *m;

	if (ue__capture_runs(c))
		return -EBUSY;
	if (!memory || size < 256)
		return -EINVAL;
	m = (struct ue__capture_memory *)(void *)((unsigned char *)memory + skip);
	memset(memory, 0, size);
	m->magic = UE__CAPTURE_MEMORY_MAGIC;
	m->word = sizeof(size_t);
	m->size = (size - skip - sizeof(*m)) & ~(size_t)7;
	c->memory = m;
	c->fd = 0;
	return ue__capture_start(c);
}

UE__FN int ue__capture_open(const char *path, int flags)
{
#if defined(O_LARGEFILE)
	int large = O_LARGEFILE;
#elif defined(__O_LARGEFILE)
	int large = __O_LARGEFILE;
#else
	int large = 0;
#endif
	struct stat status;
	int fd, high;

	/* does not block on a pipe, which is refused below */
	UE__SYSTEM(fd, open(path, flags | O_CREAT | O_NONBLOCK | UE__CLOEXEC | large, 0600));
	if (fd == -ENXIO)
		return -EINVAL;
	if (fd < 0)
		return fd;
	/* 0 to 2 belong to stdio, even where they are closed */
	if (fd < 3) {
		UE__SYSTEM(high, fcntl(fd, 1030, 3)); /* F_DUPFD_CLOEXEC */
		ue__syscall3(__NR_close, fd, 0, 0);
		if (high < 0)
			return high;
		fd = high;
	}
	if (fstat(fd, &status) || S_ISFIFO(status.st_mode)) {
		ue__syscall3(__NR_close, fd, 0, 0);
		return -EINVAL;
	}
	return fd;
}

/* To a number that the program does not use, as that of user_events_data. */
UE__FN int ue__capture_out_of_way(int fd)
{
	int number;

	ue__lock();
	number = ue__duplicate_high(fd, 0);
	ue__unlock();
	if (number != fd)
		ue__syscall3(__NR_close, fd, 0, 0);
	return number;
}

/* The largest file that this process may write, by ulimit -f. */
UE__FN uint64_t ue__capture_most(void)
{
	uint64_t limit[2] = { UINT64_MAX, UINT64_MAX }; /* soft and hard: infinite */

	ue__syscall5(__NR_prlimit64, 0, 1 /* RLIMIT_FSIZE */, 0, (long)limit, 0);
	return limit[0];
}

/* The program may have closed it, and have another file there. */
UE__FN bool ue__capture_has_file(const struct ue_capture *c)
{
	struct ue__identity now;

	return !c->identified ||
	       (ue__identify(c->fd - 1, "", &now) >= 0 && ue__is_same_file(&now, &c->file));
}

UE__FN void ue__capture_close(const struct ue_capture *c)
{
	if (ue__capture_has_file(c))
		ue__syscall3(__NR_close, c->fd - 1, 0, 0);
}

UE__FN int ue_capture_file(struct ue_capture *c, const char *path)
{
	int error, fd;

	if (ue__capture_runs(c))
		return -EBUSY;
	if (!path)
		return -EINVAL;
	fd = ue__capture_open(path, O_WRONLY | O_APPEND);
	if (fd < 0)
		return fd;
	c->memory = NULL;
	c->fd = ue__capture_out_of_way(fd) + 1;
	c->identified = ue__identify(c->fd - 1, "", &c->file) >= 0;
	c->most = ue__capture_most();
	error = ue__capture_start(c);
	if (error) {
		ue__capture_close(c);
		c->fd = 0;
	}
	return error;
}

UE__FN int ue_capture_environment(struct ue_capture *c)
{
	const char *path = getenv("UE_CAPTURE");
	int recorder = ue_recorder_environment(), error;

	if (!path || !*path || getauxval(AT_SECURE))
		return recorder;
	error = ue_capture_file(c, path);
	if (error || recorder < 0)
		return error ? error : recorder;
	return 1;
}

UE__FN int ue_capture_stop(struct ue_capture *c)
{
	struct ue__capture_head head;
	int error;

	if (!ue__capture_runs(c))
		return -ENOENT;
	if (ue__probing())
		return -EDEADLK;
	if (!ue__capturing_stop(c)) {
		error = ue_probe_unregister(NULL, ue__capture_probe, c);
		if (error == -EDEADLK)
			return error;
	}
	if (c->fd) {
		ue__capture_now(&head);
		if (ue__capture_has_file(c))
			ue__capture_put_lost(c, &head);
		ue__capture_close(c);
		c->fd = 0;
	}
	c->pid = 0;
	return 0;
}

UE__FN uint64_t ue_capture_lost(const struct ue_capture *c)
{
	return c->memory ? UE__LOAD(&c->memory->lost) : UE__LOAD(&c->lost);
}

/* @disabled */

UE__DISABLED(-ENOSYS, int ue_capture_memory(struct ue_capture *c, void *memory, size_t size))
UE__DISABLED(-ENOSYS, int ue_capture_file(struct ue_capture *c, const char *path))
UE__DISABLED(0, int ue_capture_environment(struct ue_capture *c))
UE__DISABLED(-ENOENT, int ue_capture_stop(struct ue_capture *c))
UE__DISABLED(0, uint64_t ue_capture_lost(const struct ue_capture *c))
