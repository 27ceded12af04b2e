/* SPDX-License-Identifier: MIT */
/*
 * Capturing
 */

@public

/*
 * Configuration: what may be defined before the include, for a whole program alike.
 * =============
 *
 * UE_CAPTURE_FORMATS	Different events that a capture keeps in mind; of more, some are described
 *			again and again. A reader tells the events of more formats as
 *			unknown. Costs 12 bytes each of struct ue_capture, and 16 of struct
 *			ue_capture_reader, which ue_capture_find() has on its stack (1024).
 */
#ifndef UE_CAPTURE_FORMATS
#define UE_CAPTURE_FORMATS 1024
#endif

/* Private. */
struct ue__capture_known {
	uint32_t serial;    /* of an event whose format is written, or 0 */
	uint32_t low, high; /* its id */
};

/* The beginning of a memory capture; shared memory is counted by all its processes. */
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
	int fd;		/* plus one */
	uint32_t pid;	/* of the process that it has introduced itself as */
	size_t lost;	/* file: records that could not be written */
	size_t pending; /* of those, not told in the file yet */
	struct ue__capture_known known[UE_CAPTURE_FORMATS];
};

/*
 * Captures every event of this program or library (whatever includes user_events.h together
 * with this call) from now on into MEMORY, which it clears first; both stay the capture's until
 * ue_capture_stop(), the memory as long as it is read. When SIZE bytes are full, further events are
 * counted as lost. An event needs 56 bytes and its payload, rounded up to 8, each
 * format 48 and its text, once. Memory that processes share (mmap() with MAP_SHARED) goes on
 * to be filled by children after a fork().
 *
 * Returns 0, -EINVAL if MEMORY is NULL or SIZE under 256, -EBUSY if the capture runs already, or what
 * ue_probe_register() returns: -ENOMEM, -ENOSYS with UE_DISABLE. Thread-safe for different
 * captures, any number of which may run; not async-signal-safe.
 */
UE__FN int ue_capture_memory(struct ue_capture *c, void *memory, size_t size);

/*
 * The same to the end of the file PATH, which is made if need be, for its owner only (0600).
 * Each event is one write(), so it is in the file even if the program is killed right after, and
 * several processes, also children after a fork(), may append to one file of a local file system.
 * The fd is close-on-exec; a daemon that closes all its files must stop the capture before it does.
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
 * Ends it. Once this returned, no thread of this process writes to the memory or the file any more. What is in
 * memory may still be read. Returns 0, -ENOENT if the capture does not run, or -EDEADLK
 * if it is called by a probe. Not async-signal-safe.
 */
UE__FN int ue_capture_stop(struct ue_capture *c);

/*
 * Events that were not captured, since the memory is full or writing failed; of shared memory, those of all
 * processes. Also after ue_capture_stop(). Thread-safe, async-signal-safe.
 */
UE__FN uint64_t ue_capture_lost(const struct ue_capture *c);

@enabled

/* Writing */

struct ue__capture_thread {
	uint32_t pid, tid;
};

/*
 * glibc would allocate a library's thread-local variables at their first use, in the midst of an
 * event: these few bytes have their place in every thread. musl allocates nothing late, and opens
 * no library that wants this.
 */
#ifdef __GLIBC__
#define UE__THREAD_LOCAL UE__HIDDEN __attribute__((__tls_model__("initial-exec")))
#else
#define UE__THREAD_LOCAL UE__HIDDEN
#endif

#ifdef __cplusplus
extern "C" {
#endif
extern __thread struct ue__capture_thread ue__capture_thread_v1 UE__THREAD_LOCAL;
__thread struct ue__capture_thread ue__capture_thread_v1 UE__THREAD_LOCAL __attribute__((__weak__));
#ifdef __cplusplus
}
#endif

/*
 * Asks the kernel only in a thread's first event, and after a fork: the page of the process is
 * zero then.
 */
static inline void ue__capture_who(struct ue__capture_head *head)
{
	struct ue__process *process = UE__LOAD(&ue__state_v1.process);
	struct ue__capture_thread *own = &ue__capture_thread_v1;
	uint32_t pid = 0;

	if (UE__LOAD(&process->ready) != 3)
		pid = UE__LOAD(&process->pid);
	if (pid && UE__LOAD(&own->pid) == pid) {
		head->pid = pid;
		head->tid = own->tid;
		return;
	}
	head->pid = (uint32_t)ue__syscall3(SYS_getpid, 0, 0, 0);
	head->tid = (uint32_t)ue__syscall3(SYS_gettid, 0, 0, 0);
	UE__STORE(&own->tid, head->tid);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	UE__STORE(&own->pid, head->pid);
	UE__STORE(&process->pid, head->pid);
}

static inline int ue__capture_to_memory(struct ue__capture_memory *m, const struct iovec *iov,
					int count, size_t size)
{
	size_t used = __atomic_load_n(&m->used, __ATOMIC_RELAXED);
	unsigned char *start, *p;
	uint32_t magic;
	int i;

	do {
		if (size > m->size - used)
			return -ENOSPC;
	} while (!__atomic_compare_exchange_n(&m->used, &used, used + size, true, __ATOMIC_RELAXED,
					      __ATOMIC_RELAXED));
	start = p = (unsigned char *)(m + 1) + used;
	/* the magic last: it says that all the rest is there */
	memcpy(&magic, iov->iov_base, sizeof(magic));
	memcpy(p + sizeof(magic), (const unsigned char *)iov->iov_base + sizeof(magic),
	       iov->iov_len - sizeof(magic));
	p += iov->iov_len;
	for (i = 1; i < count; p += iov[i++].iov_len)
		memcpy(p, iov[i].iov_base, iov[i].iov_len);
	__atomic_store_n((uint32_t *)(void *)start, magic, __ATOMIC_RELEASE);
	return 0;
}

static inline int ue__capture_to_file(int fd, struct iovec *iov, int count, size_t size)
{
	unsigned char buffer[1024], *p = buffer;
	long n;
	int i;

	if (size <= sizeof(buffer)) {
		for (i = 0; i < count; p += iov[i++].iov_len)
			memcpy(p, iov[i].iov_base, iov[i].iov_len);
		n = ue__syscall3(SYS_write, (long)(unsigned int)fd, (long)buffer, (long)size);
	} else {
		n = ue__syscall3(SYS_writev, (long)(unsigned int)fd, (long)iov, count);
	}
	if (n < 0)
		return (int)n;
	return (size_t)n == size ? 0 : -EIO;
}

/*
 * Writes a record: FRONT of its body has the size of a whole number of words, or there is
 * nothing else.
 */
UE__FN int ue__capture_put(struct ue_capture *c, struct ue__capture_head *head, const void *front,
			   size_t front_size, const void *rest, size_t rest_size)
{
	static const unsigned char zeros[8] = { 0 };
	size_t length = front_size + rest_size;
	size_t size = sizeof(*head) + ue__capture_padded(length);
	struct iovec iov[4];
	int count = 1;
	uint64_t h;

	if (length > UE__CAPTURE_BODY)
		return -E2BIG;
	head->magic = UE__CAPTURE_MAGIC;
	head->length = (uint32_t)length;
	head->zero = 0;
	h = ue__capture_mix(UE__CAPTURE_SEED, &head->length, sizeof(*head) - 8, 0);
	h = ue__capture_mix(h, front, front_size, 0);
	h = ue__capture_mix(h, rest, rest_size, 0);
	head->check = (uint32_t)ue__capture_end(h);

	iov[0].iov_base = head;
	iov[0].iov_len = sizeof(*head);
	if (front_size) {
		iov[count].iov_base = (void *)(uintptr_t)front;
		iov[count++].iov_len = front_size;
	}
	if (rest_size) {
		iov[count].iov_base = (void *)(uintptr_t)rest;
		iov[count++].iov_len = rest_size;
	}
	if (length % 8) {
		iov[count].iov_base = (void *)(uintptr_t)zeros;
		iov[count++].iov_len = 8 - length % 8;
	}
	if (c->memory)
		return ue__capture_to_memory(c->memory, iov, count, size);
	return ue__capture_to_file(c->fd - 1, iov, count, size);
}

static inline void ue__capture_now(struct ue__capture_head *head)
{
	head->time = ue__capture_clock(1); /* CLOCK_MONOTONIC */
	head->cpu = (uint32_t)ue__libc_getcpu();
	ue__capture_who(head);
}

/* A process says who it is and, after a fork, describes its events anew. */
UE__COLD void ue__capture_introduce(struct ue_capture *c, const struct ue__capture_head *now)
{
	struct ue__capture_head head = *now;
	char name[16] = "";
	size_t i;

	for (i = 0; i < UE_CAPTURE_FORMATS; i++)
		UE__STORE(&c->known[i].serial, 0u);
	UE__STORE(&c->pending, (size_t)0);
	UE__STORE(&c->lost, (size_t)0);
	UE__STORE(&c->pid, head.pid);
	ue__syscall3(SYS_prctl, 16, (long)name, 0); /* PR_GET_NAME */
	name[15] = '\0';
	head.type = UE__CAPTURE_PROGRAM;
	head.value = ue__capture_clock(0) - ue__capture_clock(1);
	ue__capture_put(c, &head, name, strlen(name) + 1, NULL, 0);
}

/* Describes EVENT, and remembers that. Returns 0 and the format's id. */
UE__COLD int ue__capture_describe(struct ue_capture *c, const struct ue_event *event,
				  uint32_t serial, const struct ue__capture_head *now, uint64_t *id)
{
	struct ue__capture_known *slot = &c->known[serial % UE_CAPTURE_FORMATS];
	struct ue__capture_head head = *now;
	char spec[UE__CAPTURE_SPEC];
	int error, n = ue_event_spec(event, spec, sizeof(spec));
	uint32_t old;

	/* it is being unregistered: the text may be another's by now */
	if (n <= 0 || !serial || serial != __atomic_load_n(&event->serial, __ATOMIC_ACQUIRE))
		return -ENOENT;
	*id = ue__capture_end(ue__capture_mix(UE__CAPTURE_SEED, spec, (size_t)n + 1, 0));
	head.type = UE__CAPTURE_FORMAT;
	head.value = *id;
	error = ue__capture_put(c, &head, spec, (size_t)n + 1, NULL, 0);
	if (error)
		return error;
	old = UE__LOAD(&slot->serial);
	if (old != UE__CAPTURE_BUSY &&
	    __atomic_compare_exchange_n(&slot->serial, &old, (uint32_t)UE__CAPTURE_BUSY, false,
					__ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
		/* who sees one of these sees that the serial is another's */
		__atomic_store_n(&slot->low, (uint32_t)*id, __ATOMIC_RELEASE);
		__atomic_store_n(&slot->high, (uint32_t)(*id >> 32), __ATOMIC_RELEASE);
		__atomic_store_n(&slot->serial, serial, __ATOMIC_RELEASE);
	}
	return 0;
}

static inline int ue__capture_id(struct ue_capture *c, const struct ue_event *event,
				 const struct ue__capture_head *now, uint64_t *id)
{
	uint32_t serial = __atomic_load_n(&event->serial, __ATOMIC_ACQUIRE);
	struct ue__capture_known *slot = &c->known[serial % UE_CAPTURE_FORMATS];

	if (__atomic_load_n(&slot->serial, __ATOMIC_ACQUIRE) == serial && serial) {
		*id = __atomic_load_n(&slot->low, __ATOMIC_ACQUIRE);
		*id |= (uint64_t)__atomic_load_n(&slot->high, __ATOMIC_ACQUIRE) << 32;
		/* not overwritten meanwhile: serials do not come back */
		if (UE__LOAD(&slot->serial) == serial)
			return 0;
	}
	return ue__capture_describe(c, event, serial, now, id);
}

UE__COLD void ue__capture_failed(struct ue_capture *c)
{
	size_t *lost = c->memory ? &c->memory->lost : &c->lost;

	UE__INCREMENT(lost);
	UE__INCREMENT(&c->pending);
}

/* Tells in the file how many events are missing. */
UE__COLD void ue__capture_tell(struct ue_capture *c, const struct ue__capture_head *now)
{
	struct ue__capture_head head = *now;
	size_t pending = __atomic_exchange_n(&c->pending, (size_t)0, __ATOMIC_RELAXED);

	if (!pending)
		return;
	head.type = UE__CAPTURE_LOST;
	head.value = pending;
	if (ue__capture_put(c, &head, NULL, 0, NULL, 0))
		__atomic_fetch_add(&c->pending, pending, __ATOMIC_RELAXED);
}

UE__FN void ue__capture_probe(struct ue_event *event, const void *payload, size_t size, void *data)
{
	struct ue_capture *c = (struct ue_capture *)data;
	struct ue__capture_head head;
	struct {
		uint16_t type;
		uint8_t flags, preempt;
		uint32_t tid;
	} common;

	ue__capture_now(&head);
	if (UE__UNLIKELY(UE__LOAD(&c->pid) != head.pid))
		ue__capture_introduce(c, &head);
	if (UE__UNLIKELY(ue__capture_id(c, event, &head, &head.value))) {
		ue__capture_failed(c);
		return;
	}
	if (UE__UNLIKELY(UE__LOAD(&c->pending)) && !c->memory)
		ue__capture_tell(c, &head);
	head.type = UE__CAPTURE_EVENT;
	common.type = (uint16_t)head.value;
	common.flags = common.preempt = 0;
	common.tid = head.tid;
	if (UE__UNLIKELY(ue__capture_put(c, &head, &common, sizeof(common), payload, size)))
		ue__capture_failed(c);
}

static inline int ue__capture_runs(const struct ue_capture *c)
{
	return c->pid != 0;
}

/* The memory or the fd is set. */
UE__FN int ue__capture_start(struct ue_capture *c)
{
	struct ue__capture_head head;
	int error;

	memset(c->known, 0, sizeof(c->known));
	c->lost = c->pending = 0;
	if (!ue__process_page(NULL))
		return -ENOMEM;
	ue__capture_now(&head);
	ue__capture_introduce(c, &head);
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

	/* not blocked by a pipe that nobody reads: it is refused right after */
	UE__SYSTEM(fd, open(path, flags | O_CREAT | O_NONBLOCK | UE__CLOEXEC | large, 0600));
	if (fd == -ENXIO)
		return -EINVAL;
	if (fd < 0)
		return fd;
	/* 0 to 2 belong to stdio, even where they are closed */
	if (fd < 3) {
		UE__SYSTEM(high, fcntl(fd, 1030, 3)); /* F_DUPFD_CLOEXEC */
		ue__syscall3(SYS_close, fd, 0, 0);
		if (high < 0)
			return high;
		fd = high;
	}
	if (fstat(fd, &status) || S_ISFIFO(status.st_mode)) {
		ue__syscall3(SYS_close, fd, 0, 0);
		return -EINVAL;
	}
	return fd;
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
	c->fd = fd + 1;
	error = ue__capture_start(c);
	if (error)
		ue__syscall3(SYS_close, fd, 0, 0);
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
	error = ue_probe_unregister(NULL, ue__capture_probe, c);
	if (error == -EDEADLK)
		return error;
	if (c->fd) {
		ue__capture_now(&head);
		ue__capture_tell(c, &head);
		ue__syscall3(SYS_close, c->fd - 1, 0, 0);
		c->fd = 0;
	}
	c->pid = 0;
	return 0;
}

UE__FN uint64_t ue_capture_lost(const struct ue_capture *c)
{
	return c->memory ? UE__LOAD(&c->memory->lost) : UE__LOAD(&c->lost);
}

@disabled

UE__FN int ue_capture_memory(struct ue_capture *c, void *memory, size_t size)
{
	(void)c;
	(void)memory;
	(void)size;
	return -ENOSYS;
}

UE__FN int ue_capture_file(struct ue_capture *c, const char *path)
{
	(void)c;
	(void)path;
	return -ENOSYS;
}

UE__FN int ue_capture_environment(struct ue_capture *c)
{
	(void)c;
	return 0;
}

UE__FN int ue_capture_stop(struct ue_capture *c)
{
	(void)c;
	return -ENOENT;
}

UE__FN uint64_t ue_capture_lost(const struct ue_capture *c)
{
	(void)c;
	return 0;
}
