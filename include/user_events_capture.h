/* SPDX-License-Identifier: MIT */
/*
 * user_events_capture.h - a program's own events, in memory or in a file.
 *
 * Needs no tracer, no privileges and no kernel with user_events: what the program writes
 * with user_events.h is captured by a probe in the same process. For unit tests
 *
 *	static struct ue_capture capture;
 *	static char memory[1 << 16];
 *	struct ue_capture_event event;
 *
 *	ue_capture_memory(&capture, memory, sizeof(memory));
 *	serve("/index.html");
 *	ue_capture_stop(&capture);
 *	assert(ue_capture_find(&capture, "request_done", &event) == 0);
 *	assert(ue_captured_u64(&event, "status") == 200);
 *
 * and for machines whose kernel cannot record: with ue_capture_environment() in main(),
 *
 *	$ UE_CAPTURE=server.uec ./server
 *	$ uetrace show server.uec
 *
 * What there is:
 *
 *	ue_capture_memory(), ue_capture_file(), ue_capture_environment()	begin
 *	ue_capture_stop(), ue_capture_lost()
 *	ue_capture_find(), ue_capture_find_next(), ue_capture_count()	for unit tests
 *	ue_captured_u64() and others, ue_captured_json()	fields of what was found
 *	ue_capture_read(), ue_capture_next()		all events of a file's bytes
 *	ue_capture_format_text()	a kernel-typed event's format file, as in tracefs
 *
 * It comes with user_events.h and user_events_decode.h beside it. Nothing is allocated. Events are
 * captured without a lock and, in memory, without a system call; what a signal handler
 * writes is captured, too, unless it interrupts a probe (ue_status().unprobed counts that).
 *
 * The chapters: capturing, unit tests, reading, implementation. docs/capture.md has the file
 * format. What starts with ue__ or UE__ is private. Needs C11 or C++11.
 */
#ifndef UE_USER_EVENTS_CAPTURE_H
#define UE_USER_EVENTS_CAPTURE_H

#include "user_events.h"
#include "user_events_decode.h"

#include <stdlib.h>
#include <time.h>
#ifndef UE_DISABLE
#include <sys/auxv.h>
#include <sys/stat.h>
#endif

#ifdef __cplusplus
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast" /* the same text is C */
#pragma GCC diagnostic ignored "-Wzero-as-null-pointer-constant"
#endif

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

/*
 * Unit tests
 * ==========
 */

/* An event that was found. Its pointers point into the capture. */
struct ue_capture_event {
	const char *spec; /* "name type field; ...", NUL-terminated */
	const char *name; /* of an EventHeader event its own, else the tracepoint's */
	size_t name_length;
	/* As a tracer has it: u16 type, u8 flags, u8 preempt, s32 thread id; the payload. */
	const uint8_t *record;
	size_t size;
	uint64_t time;	     /* CLOCK_MONOTONIC, in nanoseconds */
	int64_t wall;	     /* to add to it for CLOCK_REALTIME; 0 if it is not known */
	const char *program; /* name of the process, at most 15 bytes; "" if it is not known */
	uint64_t format;     /* a number for each SPEC, the same in every file */
	uint32_t pid, tid, cpu;
	uint8_t eventheader; /* self-describing: DECODED is set */
	uint8_t big_endian;
	size_t offset; /* of the captured bytes */
	struct ue_decode_event decoded;
};

/*
 * The first event of this name in a memory capture, or the first behind the one that EVENT is.
 * NAME is the tracepoint's ("request_done", "MyApp_L4K1") or the name within an EventHeader
 * event ("RequestDone"); NULL takes any. Returns 0, -ENOENT if there is none, or -EINVAL if this is
 * no memory capture. The capture may be running; events of other threads that
 * are just being written end the search, until they are there. Thread-safe, async-signal-safe.
 */
UE__FN int ue_capture_find(const struct ue_capture *c, const char *name,
			   struct ue_capture_event *event);
UE__FN int ue_capture_find_next(const struct ue_capture *c, const char *name,
				struct ue_capture_event *event);

/* How many there are, or -EINVAL as above. */
UE__FN int ue_capture_count(const struct ue_capture *c, const char *name);

/*
 * A field's value. FIELD is a name, or a path: "peer.host", "samples[2]", "peers[0].port".
 * Fields that are not there, or cannot be such a value, give UINT64_MAX, INT64_MIN, NaN.
 * Negative numbers are as a cast makes them, floats are no integers, integers are doubles.
 * Thread-safe, async-signal-safe, as are all that follow.
 */
UE__FN uint64_t ue_captured_u64(const struct ue_capture_event *event, const char *field);
UE__FN int64_t ue_captured_i64(const struct ue_capture_event *event, const char *field);
UE__FN double ue_captured_double(const struct ue_capture_event *event, const char *field);

/*
 * Any value as text: strings as UTF-8, numbers, "[1,2,3]", "true", UUIDs and so on as
 * ue_decode_value() has them. Writes at most SIZE bytes, the last of them a NUL. Returns the
 * length of the whole, as snprintf() does, or -ENOENT, and "" in BUFFER.
 */
UE__FN int ue_captured_string(const struct ue_capture_event *event, const char *field,
			      char *buffer, size_t size);

/*
 * The field itself, for what else user_events_decode.h can do with it. Returns 0, or -ENOENT; -EBADMSG if
 * its value is not in the record.
 */
UE__FN int ue_captured_item(const struct ue_capture_event *event, const char *field,
			    struct ue_decode_item *item);

/* The event as one JSON object. FLAGS and the result are those of ue_decode_json(). */
UE__FN size_t ue_captured_json(const struct ue_capture_event *event, unsigned int flags,
			       char *buffer, size_t size);
UE__FN int ue_captured_json_to(const struct ue_capture_event *event, unsigned int flags,
			       ue_decode_write_fn write, void *context);

/*
 * Reading
 * =======
 *
 *	ue_capture_read(&reader, bytes, size);
 *	while ((more = ue_capture_next(&reader, &event)) != 0)
 *		if (more > 0)
 *			use(&event);
 *		else
 *			fprintf(stderr, "%s at byte %zu\n", ue_capture_strerror(reader.error),
 *				reader.error_offset);
 *
 * The bytes are a file's content, or memory that was captured into. They may be cut, damaged or
 * hostile, of either byte order, and several files one after the other.
 */
#define UE__CAPTURE_ERRORS(_)                                                          \
	_(OK, "no error")                                                              \
	_(ECUT, "the capture ends within a record")                                    \
	_(EDAMAGED, "these bytes are no record")                                       \
	_(EFORMAT, "an event's format is missing")                                     \
	_(ERECORD, "a record is shorter than it must be")                              \
	_(EWORK, "too many damaged records: the rest was not read")

#define UE__CAPTURE_ERROR(name, text) UE_CAPTURE_##name,
enum ue_capture_error { UE__CAPTURE_ERRORS(UE__CAPTURE_ERROR) UE__CAPTURE_ERROR_COUNT };
#undef UE__CAPTURE_ERROR

struct ue__capture_place {
	uint64_t id;
	const char *spec;
};

struct ue__capture_program {
	uint32_t pid;
	int64_t wall;
	const char *name;
};

struct ue_capture_reader {
	uint64_t lost;	  /* events that were not captured, as far as it is told yet */
	uint64_t damaged; /* bytes that were skipped */
	/* What ue_capture_next() returned -EBADMSG for: UE_CAPTURE_E..., and where. */
	int error;
	size_t error_offset, error_size;

	/* The rest is private. */
	const uint8_t *bytes;
	size_t size, offset;
	const struct ue__capture_memory *live;
	uint64_t work;
	struct ue__capture_place formats[UE_CAPTURE_FORMATS];
	struct ue__capture_program programs[64];
};

/* Begins. BYTES must outlive what is read. */
UE__FN void ue_capture_read(struct ue_capture_reader *reader, const void *bytes, size_t size);

/* The same for a memory capture, which may be running. Returns 0, or -EINVAL if it is none. */
UE__FN int ue_capture_read_memory(struct ue_capture_reader *reader, const struct ue_capture *c);

/*
 * The next event. Returns 1; 0 at the end (in a running capture for now); or -EBADMSG for what could not be
 * read, and goes on behind it with the next call. The work is bounded by the bytes' number.
 */
UE__FN int ue_capture_next(struct ue_capture_reader *reader, struct ue_capture_event *event);

/* What UE_CAPTURE_E... means; a constant string, also for other numbers. */
UE__FN const char *ue_capture_strerror(int error);

/*
 * The text of the format file that tracefs would show for SPEC, with ID as number, for
 * ue_decode_format_parse() and other readers. Returns its length, as snprintf() does; with
 * UE_CAPTURE_TEXT bytes it is never cut.
 */
#define UE_CAPTURE_TEXT 8192
UE__FN size_t ue_capture_format_text(const char *spec, unsigned int id, char *buffer, size_t size);

/*
 * Implementation
 * ==============
 */

/*
 * Records of a capture
 * --------------------
 */

/*
 * A capture is a sequence of records, each a head and a body that zeros fill up to 8 bytes. A
 * format's id is a hash of its text, so that processes and files need not agree on it.
 */
struct ue__capture_head {
	uint32_t magic;
	uint32_t check;	 /* of all that follows, body and padding included */
	uint32_t length; /* of the body */
	uint32_t type;	 /* UE__CAPTURE_FORMAT... */
	uint64_t value;	 /* what it is is up to the type */
	uint64_t time;
	uint32_t pid, tid, cpu, zero;
};

#define UE__CAPTURE_MAGIC 0xb5554501u
#define UE__CAPTURE_MEMORY_MAGIC 0xb5554d01u

enum {
	UE__CAPTURE_FORMAT = 1, /* value: its id; body: the spec and a NUL */
	UE__CAPTURE_EVENT,	/* value: the format's id; body: the record */
	UE__CAPTURE_LOST,	/* value: how many */
	UE__CAPTURE_PROGRAM,	/* value: CLOCK_REALTIME - CLOCK_MONOTONIC; body: name and a NUL */
	UE__CAPTURE_BODY = 1 << 20, /* at most */
	UE__CAPTURE_SPEC = 512,
	UE__CAPTURE_BUSY = 0x7fffffff
};

#define UE__CAPTURE_SEED 0x9e3779b97f4a7c15ull

/* Eight bytes a step; zeros fill up the last. Each step is a bijection, so one wrong word shows. */
static inline uint64_t ue__capture_mix(uint64_t h, const void *data, size_t size, int swap)
{
	const unsigned char *p = (const unsigned char *)data;
	uint64_t word;

	for (;; p += 8, size -= 8) {
		word = 0;
		if (size >= 8)
			memcpy(&word, p, 8);
		else if (size)
			memcpy(&word, p, size);
		else
			return h;
		if (swap)
			word = __builtin_bswap64(word);
		h ^= word;
		h = (h << 29 | h >> 35) * 0xd6e8feb86659fd93ull;
		if (size < 8)
			return h;
	}
}

static inline uint64_t ue__capture_end(uint64_t h)
{
	h ^= h >> 32;
	h *= 0xd6e8feb86659fd93ull;
	return h ^ h >> 29;
}

static inline size_t ue__capture_padded(size_t size)
{
	return (size + 7) & ~(size_t)7;
}

UE__FN const char *ue_capture_strerror(int error)
{
#define UE__CAPTURE_SENTENCE(name, text) text,
	static const char *const texts[] = { UE__CAPTURE_ERRORS(UE__CAPTURE_SENTENCE) };
#undef UE__CAPTURE_SENTENCE

	if (error < 0 || error >= UE__CAPTURE_ERROR_COUNT)
		return "unknown error";
	return texts[error];
}

/*
 * Capturing
 * ---------
 */

#ifndef UE_DISABLE

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

/*
 * What strict modes of the compilers hide. Where the time has 64 bits on machines of 32, the
 * function has another name.
 */
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

UE__FN int ue__capture_open(const char *path)
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
	UE__SYSTEM(fd, open(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | UE__CLOEXEC | large,
			    0600));
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
	fd = ue__capture_open(path);
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
	int error;

	if (!path || !*path || getauxval(AT_SECURE))
		return 0;
	error = ue_capture_file(c, path);
	return error ? error : 1;
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

#else /* UE_DISABLE */

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
#endif /* UE_DISABLE */

/*
 * Reading captures
 * ----------------
 */

/* Reading */

struct ue__capture_record {
	const uint8_t *body;
	size_t length, size; /* of the body; of all */
	uint64_t value, time;
	uint32_t type, pid, tid, cpu;
	int big;
};

/*
 * Is there a record at OFFSET? Sets *HURT to the size of one that is damaged, else to 0, so that what it costs
 * to see that can be bounded.
 */
UE__FN int ue__capture_at(const uint8_t *bytes, size_t size, size_t offset,
			  struct ue__capture_record *r, size_t *hurt)
{
	const uint8_t *p = bytes + offset;
	size_t room = size - offset;
	int swap;
	uint64_t h;

	*hurt = 0;
	if (room < sizeof(struct ue__capture_head))
		return 0;
	r->big = p[0] == UE__CAPTURE_MAGIC >> 24;
	if (ue__decode_u32(p, r->big) != UE__CAPTURE_MAGIC)
		return 0;
	r->length = ue__decode_u32(p + 8, r->big);
	if (r->length > UE__CAPTURE_BODY)
		return 0;
	r->size = sizeof(struct ue__capture_head) + ue__capture_padded(r->length);
	if (r->size > room)
		return 0;
	*hurt = r->size;
	swap = r->big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	h = ue__capture_mix(UE__CAPTURE_SEED, p + 8, r->size - 8, swap);
	if ((uint32_t)ue__capture_end(h) != ue__decode_u32(p + 4, r->big))
		return 0;
	r->type = ue__decode_u32(p + 12, r->big);
	r->value = ue__decode_u64(p + 16, r->big);
	r->time = ue__decode_u64(p + 24, r->big);
	r->pid = ue__decode_u32(p + 32, r->big);
	r->tid = ue__decode_u32(p + 36, r->big);
	r->cpu = ue__decode_u32(p + 40, r->big);
	r->body = p + sizeof(struct ue__capture_head);
	return 1;
}

UE__FN void ue_capture_read(struct ue_capture_reader *reader, const void *bytes, size_t size)
{
	memset(reader, 0, sizeof(*reader));
	reader->bytes = (const uint8_t *)bytes;
	reader->size = size;
}

UE__FN int ue_capture_read_memory(struct ue_capture_reader *reader, const struct ue_capture *c)
{
	if (!c->memory)
		return -EINVAL;
	ue_capture_read(reader, c->memory + 1, __atomic_load_n(&c->memory->used, __ATOMIC_ACQUIRE));
	reader->lost = __atomic_load_n(&c->memory->lost, __ATOMIC_RELAXED);
	/* what was not finished when it was stopped never will be: it is skipped as damage */
	if (c->pid)
		reader->live = c->memory;
	return 0;
}

UE__FN struct ue__capture_place *ue__capture_place_of(struct ue_capture_reader *reader, uint64_t id)
{
	size_t i, at = (size_t)id;

	/* not all of them: bytes may be made to have as many as possible, and events of none */
	for (i = 0; i < UE_CAPTURE_FORMATS && i < 256; i++, at++) {
		struct ue__capture_place *place = &reader->formats[at % UE_CAPTURE_FORMATS];

		if (!place->spec || place->id == id)
			return place;
	}
	return NULL;
}

static inline int ue__capture_bad(struct ue_capture_reader *reader, int error, size_t offset,
				  size_t size)
{
	reader->error = error;
	reader->error_offset = offset;
	reader->error_size = size;
	return -EBADMSG;
}

/* Goes to the next record behind what is none. */
UE__COLD int ue__capture_skip(struct ue_capture_reader *reader)
{
	static const uint8_t magics[2][4] = { { 0xb5, 0x55, 0x45, 0x01 }, { 0x01, 0x45, 0x55, 0xb5 } };
	size_t start = reader->offset, next, hurt = 0, left = reader->size - start;
	const uint8_t *p = reader->bytes + start;
	struct ue__capture_record r;
	int error = UE_CAPTURE_EDAMAGED;

	for (next = start + 1; next < reader->size; next++) {
		uint8_t first = reader->bytes[next];

		if (first != magics[0][0] && first != magics[1][0])
			continue;
		if (ue__capture_at(reader->bytes, reader->size, next, &r, &hurt))
			break;
		reader->work += hurt;
		if (reader->work / 64 > reader->size) {
			next = reader->size;
			error = UE_CAPTURE_EWORK;
			break;
		}
	}
	reader->offset = next;
	reader->damaged += next - start;
	/* what begins like a record and has no other behind it was cut */
	ue__capture_at(reader->bytes, reader->size, start, &r, &hurt);
	if (error != UE_CAPTURE_EWORK && next == reader->size && !hurt &&
	    (!memcmp(p, magics[0], left < 4 ? left : 4) || !memcmp(p, magics[1], left < 4 ? left : 4)))
		error = UE_CAPTURE_ECUT;
	return ue__capture_bad(reader, error, start, next - start);
}

/* The head of a memory capture, where a record might be. */
UE__FN int ue__capture_skip_head(struct ue_capture_reader *reader)
{
	struct ue__capture_memory m;

	if (reader->size - reader->offset < sizeof(m))
		return 0;
	memcpy(&m, reader->bytes + reader->offset, sizeof(m));
	if (m.magic != UE__CAPTURE_MEMORY_MAGIC || m.word != sizeof(size_t))
		return 0;
	reader->offset += sizeof(m);
	reader->lost += m.lost;
	/* what was never filled is no damage */
	if (m.used <= m.size && m.used < reader->size - reader->offset)
		reader->size = reader->offset + m.used;
	return 1;
}

UE__FN int ue__capture_is_set(const char *spec)
{
	spec += strcspn(spec, " ");
	return *spec && !strcmp(spec + 1, UE__SET_FIELDS);
}

UE__FN int ue__capture_event(struct ue_capture_reader *reader, const struct ue__capture_record *r,
			     size_t offset, struct ue_capture_event *event)
{
	const struct ue__capture_program *program = &reader->programs[r->pid % 64];
	const struct ue__capture_place *place = ue__capture_place_of(reader, r->value);
	int known = program->name && program->pid == r->pid;

	if (r->length < 8)
		return ue__capture_bad(reader, UE_CAPTURE_ERECORD, offset, r->size);
	if (!place || !place->spec)
		return ue__capture_bad(reader, UE_CAPTURE_EFORMAT, offset, r->size);
	event->spec = place->spec;
	event->name = place->spec;
	event->name_length = strcspn(place->spec, " ");
	event->record = r->body;
	event->size = r->length;
	event->time = r->time;
	event->wall = known ? program->wall : 0;
	event->program = known ? program->name : "";
	event->format = r->value;
	event->pid = r->pid;
	event->tid = r->tid;
	event->cpu = r->cpu;
	event->big_endian = (uint8_t)r->big;
	event->eventheader = (uint8_t)ue__capture_is_set(place->spec);
	event->offset = offset;
	if (event->eventheader) {
		ue_decode_parse(&event->decoded, place->spec, event->name_length, r->body + 8,
				r->length - 8);
		if (event->decoded.name) {
			event->name = event->decoded.name;
			event->name_length = event->decoded.name_length;
		}
	} else {
		memset(&event->decoded, 0, sizeof(event->decoded));
	}
	return 1;
}

static inline int ue__capture_text_ok(const struct ue__capture_record *r)
{
	return r->length && !r->body[r->length - 1] &&
	       strlen((const char *)r->body) + 1 == r->length;
}

UE__FN int ue_capture_next(struct ue_capture_reader *reader, struct ue_capture_event *event)
{
	struct ue__capture_program *program;
	struct ue__capture_record r;
	struct ue__capture_place *place;
	size_t offset, hurt;

	reader->error = 0;
	for (;;) {
		offset = reader->offset;
		if (reader->live) {
			reader->size = __atomic_load_n(&reader->live->used, __ATOMIC_ACQUIRE);
			reader->lost = __atomic_load_n(&reader->live->lost, __ATOMIC_RELAXED);
		}
		if (offset >= reader->size)
			return 0;
		if (reader->live && __atomic_load_n((const uint32_t *)(const void *)(reader->bytes +
										     offset),
						    __ATOMIC_ACQUIRE) != UE__CAPTURE_MAGIC)
			return 0; /* it is being written */
		if (!ue__capture_at(reader->bytes, reader->size, offset, &r, &hurt)) {
			if (ue__capture_skip_head(reader))
				continue;
			reader->work += hurt;
			return ue__capture_skip(reader);
		}
		reader->offset += r.size;
		switch (r.type) {
		case UE__CAPTURE_EVENT:
			return ue__capture_event(reader, &r, offset, event);
		case UE__CAPTURE_LOST:
			reader->lost += r.value;
			continue;
		case UE__CAPTURE_FORMAT:
			if (!ue__capture_text_ok(&r) || r.length > UE__CAPTURE_SPEC)
				return ue__capture_bad(reader, UE_CAPTURE_ERECORD, offset, r.size);
			place = ue__capture_place_of(reader, r.value);
			if (place) {
				place->id = r.value;
				place->spec = (const char *)r.body;
			}
			continue;
		case UE__CAPTURE_PROGRAM:
			if (!ue__capture_text_ok(&r) || r.length > 16)
				return ue__capture_bad(reader, UE_CAPTURE_ERECORD, offset, r.size);
			program = &reader->programs[r.pid % 64];
			program->pid = r.pid;
			program->wall = (int64_t)r.value;
			program->name = (const char *)r.body;
			continue;
		default: /* of a later version */
			continue;
		}
	}
}

/*
 * The format file of a kernel-typed event
 * ---------------------------------------
 */

/* Text that is counted also where it does not fit. */
struct ue__capture_text {
	char *buffer;
	size_t size, length;
};

UE__FN void ue__capture_add(struct ue__capture_text *t, const char *s, size_t n)
{
	size_t room = t->length + 1 < t->size ? t->size - 1 - t->length : 0;

	if (room)
		memcpy(t->buffer + t->length, s, n < room ? n : room);
	t->length += n;
	if (t->size)
		t->buffer[t->length < t->size ? t->length : t->size - 1] = '\0';
}

UE__FN void ue__capture_add_number(struct ue__capture_text *t, const char *before, uint64_t n)
{
	char digits[20];
	size_t i = sizeof(digits);

	do {
		digits[--i] = (char)('0' + n % 10);
		n /= 10;
	} while (n);
	ue__capture_add(t, before, strlen(before));
	ue__capture_add(t, digits + i, sizeof(digits) - i);
}

/* A field of a spec, "unsigned char[4] ip", "struct timespec t 16". */
struct ue__capture_field {
	const char *type, *name;
	size_t type_length, name_length;
	uint32_t size;
};

static inline uint32_t ue__capture_size(const char *type, size_t length)
{
	static const struct {
		char name[16];
		uint8_t size;
	} sizes[] = {
		{ "u8", 1 }, { "s8", 1 }, { "char", 1 }, { "unsigned char", 1 },
		{ "u16", 2 }, { "s16", 2 }, { "short", 2 }, { "unsigned short", 2 },
		{ "u32", 4 }, { "s32", 4 }, { "int", 4 }, { "unsigned int", 4 },
		{ "u64", 8 }, { "s64", 8 },
	};
	const char *bracket = (const char *)memchr(type, '[', length);
	size_t i;

	if (length > 10 && (!memcmp(type, "__rel_loc ", 10) || !memcmp(type, "__data_loc", 10)))
		return 4;
	if (bracket) {
		bracket++;
		return ue__decode_number(&bracket, type + length);
	}
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		if (ue__decode_is(type, length, sizes[i].name))
			return sizes[i].size;
	}
	return 0;
}

/* The field at *P, and behind it; 0 at the end. */
UE__FN int ue__capture_next_field(const char **p, struct ue__capture_field *f)
{
	const char *s = *p, *end, *digits;

	while (*s == ' ' || *s == ';')
		s++;
	end = s + strcspn(s, ";");
	*p = end;
	while (end > s && end[-1] == ' ')
		end--;
	if (end == s)
		return 0;
	f->size = 0;
	if (end - s > 7 && !memcmp(s, "struct ", 7)) {
		digits = end;
		while (digits > s && digits[-1] != ' ')
			digits--;
		end = digits;
		f->size = ue__decode_number(&digits, *p);
		while (end > s && end[-1] == ' ')
			end--;
	}
	f->name = end;
	while (f->name > s && f->name[-1] != ' ')
		f->name--;
	f->name_length = (size_t)(end - f->name);
	f->type = s;
	f->type_length = f->name > s ? (size_t)(f->name - s) - 1 : 0;
	if (!f->size)
		f->size = ue__capture_size(f->type, f->type_length);
	return 1;
}

UE__FN size_t ue_capture_format_text(const char *spec, unsigned int id, char *buffer, size_t size)
{
	static const char common[] =
		"\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
		"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n";
	static const char print[] = "\nprint fmt: \"\"\n";
	struct ue__capture_text t = { buffer, size, 0 };
	struct ue__capture_field f;
	const char *p = spec + strcspn(spec, " ");
	uint64_t offset = 8;

	ue__capture_add(&t, "name: ", 6);
	ue__capture_add(&t, spec, (size_t)(p - spec));
	ue__capture_add_number(&t, "\nID: ", id);
	ue__capture_add(&t, common, sizeof(common) - 1);
	while (ue__capture_next_field(&p, &f)) {
		/* "char[16] name" is shown as "char name[]" */
		const char *bracket = (const char *)memchr(f.type, '[', f.type_length);
		size_t before = bracket ? (size_t)(bracket - f.type) : f.type_length;

		ue__capture_add(&t, "\tfield:", 7);
		ue__capture_add(&t, f.type, before);
		ue__capture_add(&t, " ", 1);
		ue__capture_add(&t, f.name, f.name_length);
		ue__capture_add(&t, "[]", before < f.type_length ? 2 : 0);
		ue__capture_add_number(&t, ";\toffset:", offset);
		ue__capture_add_number(&t, ";\tsize:", f.size);
		ue__capture_add_number(&t, ";\tsigned:", *f.type != 'u');
		ue__capture_add(&t, ";\n", 2);
		offset += f.size;
	}
	ue__capture_add(&t, print, sizeof(print) - 1);
	return t.length;
}

/*
 * Unit tests: finding events and their fields
 * -------------------------------------------
 */

/* Unit tests */

static inline int ue__capture_named(const struct ue_capture_event *event, const char *name)
{
	size_t n = name ? strlen(name) : 0;

	if (!name || (event->name_length == n && !memcmp(event->name, name, n)))
		return 1;
	return strcspn(event->spec, " ") == n && !memcmp(event->spec, name, n);
}

/* The first at FROM or behind it; *COUNT is the number of all, if it is asked for. */
UE__FN int ue__capture_search(const struct ue_capture *c, const char *name, size_t from, int *count,
			      struct ue_capture_event *event)
{
	struct ue_capture_reader reader;
	struct ue_capture_event e;
	int more = ue_capture_read_memory(&reader, c);

	if (more)
		return more;
	while ((more = ue_capture_next(&reader, &e)) != 0) {
		if (more < 0 || e.offset < from || !ue__capture_named(&e, name))
			continue;
		if (!count) {
			*event = e;
			return 0;
		}
		++*count;
	}
	return -ENOENT;
}

UE__FN int ue_capture_find(const struct ue_capture *c, const char *name,
			   struct ue_capture_event *event)
{
	return ue__capture_search(c, name, 0, NULL, event);
}

UE__FN int ue_capture_find_next(const struct ue_capture *c, const char *name,
				struct ue_capture_event *event)
{
	return ue__capture_search(c, name, event->offset + 1, NULL, event);
}

UE__FN int ue_capture_count(const struct ue_capture *c, const char *name)
{
	int count = 0, error = ue__capture_search(c, name, 0, &count, NULL);

	return error == -ENOENT ? count : error;
}

/* A kernel-typed event's format, and the memory that it needs. */
struct ue__capture_format {
	struct ue_decode_format format;
	struct ue_decode_field fields[128]; /* more than 511 bytes can name */
	char text[UE_CAPTURE_TEXT];
};

UE__FN void ue__capture_parse(const struct ue_capture_event *event, struct ue__capture_format *f)
{
	size_t n = ue_capture_format_text(event->spec, (uint16_t)event->format, f->text,
					  sizeof(f->text));

	memset(&f->format, 0, sizeof(f->format));
	f->format.system = "user_events";
	f->format.system_length = 11;
	f->format.fields = f->fields;
	f->format.fields_max = sizeof(f->fields) / sizeof(f->fields[0]);
	f->format.big_endian = event->big_endian;
	ue_decode_format_parse(&f->format, f->text, n < sizeof(f->text) ? n : sizeof(f->text) - 1);
	if (f->format.field_count > f->format.fields_max)
		f->format.field_count = f->format.fields_max;
}

/* "[2]" at the beginning of *PATH. */
UE__FN int ue__captured_index(const char **path, uint32_t *index)
{
	const char *p = *path + 1, *end = p + strcspn(p, "]");

	if (**path != '[' || *end != ']' || p == end)
		return 0;
	*index = ue__decode_number(&p, end);
	*path = end + 1;
	return p == end;
}

static inline int ue__captured_is(const struct ue_decode_item *item, const char *name, size_t n)
{
	return item->name_length == n && !memcmp(item->name, name, n);
}

/* An element of an array of values of one size. */
UE__FN int ue__captured_element(struct ue_decode_item *item, const char *path)
{
	uint32_t index;
	size_t unit;

	if (!*path)
		return 0;
	if (item->type != UE_DECODE_ARRAY || !ue__captured_index(&path, &index) || *path ||
	    index >= item->count || !item->value)
		return -ENOENT;
	unit = item->size / item->count;
	item->type = UE_DECODE_VALUE;
	item->value += index * unit;
	item->size = unit;
	item->index = index;
	item->count = 1;
	item->array = 0;
	return 0;
}

UE__FN int ue__captured_plain(const struct ue_capture_event *event, const char *path,
			      struct ue_decode_item *item)
{
	struct ue__capture_format f;
	size_t i, n = strcspn(path, "[");
	const char *field;

	ue__capture_parse(event, &f);
	for (i = 0; i < f.format.field_count; i++) {
		if (f.fields[i].common || f.fields[i].name_length != n ||
		    memcmp(f.fields[i].name, path, n))
			continue;
		if (ue_decode_format_item(&f.format, &f.fields[i], event->record, event->size, item))
			return -EBADMSG;
		/* the text of the format goes, the spec has the name, too */
		field = event->spec;
		while ((field = strchr(field + 1, ' ')) != NULL) {
			if (!strncmp(field + 1, path, n) && !ue__decode_is_ident(field[1 + n]))
				item->name = field + 1;
		}
		return ue__captured_element(item, path + n);
	}
	return -ENOENT;
}

UE__FN int ue__captured_deep(const struct ue_capture_event *event, const char *path,
			     struct ue_decode_item *item)
{
	struct ue_decode_fields fields;
	size_t n = strcspn(path, ".[");
	uint32_t index = 0;
	unsigned int depth = 0;
	int element = 0; /* look for the element INDEX, not for a name */

	ue_decode_start(&fields, &event->decoded);
	while (ue_decode_next(&fields) > 0) {
		const struct ue_decode_item *i = &fields.item;

		if (i->type == UE_DECODE_STRUCT_END || i->type == UE_DECODE_ARRAY_END) {
			if (i->depth < depth)
				return -ENOENT; /* it was not in there */
			continue;
		}
		if (i->depth != depth || (element ? i->index != index : !ue__captured_is(i, path, n)))
			continue;
		if (!element)
			path += n;
		if (!*path || (i->type == UE_DECODE_ARRAY && i->value)) {
			*item = *i;
			return ue__captured_element(item, path);
		}
		element = i->type == UE_DECODE_ARRAY;
		if (element ? !ue__captured_index(&path, &index) :
			      i->type != UE_DECODE_STRUCT || *path++ != '.')
			return -ENOENT;
		n = element ? 0 : strcspn(path, ".[");
		depth++;
	}
	return fields.error ? -EBADMSG : -ENOENT;
}

UE__FN int ue_captured_item(const struct ue_capture_event *event, const char *field,
			    struct ue_decode_item *item)
{
	if (event->eventheader)
		return ue__captured_deep(event, field, item);
	return ue__captured_plain(event, field, item);
}

/* The bits of an integer of up to 8 bytes, with its sign. 0 if it is none. */
UE__FN int ue__captured_bits(const struct ue_capture_event *event, const char *field,
			     uint64_t *bits, int *is_signed, int *is_float)
{
	struct ue_decode_item item;
	unsigned int unused;

	if (ue_captured_item(event, field, &item) || item.type != UE_DECODE_VALUE ||
	    item.kind < UE_DECODE_KIND_VALUE8 || item.kind > UE_DECODE_KIND_VALUE64)
		return 0;
	*bits = ue__decode_load(item.value, item.size, item.big_endian);
	*is_float = item.format == UE_DECODE_FORMAT_FLOAT ? (int)item.size : 0;
	*is_signed = item.format == UE_DECODE_FORMAT_SIGNED || item.format == UE_DECODE_FORMAT_ERRNO ||
		     item.format == UE_DECODE_FORMAT_PID || item.format == UE_DECODE_FORMAT_TIME;
	if (item.format == UE_DECODE_FORMAT_PORT && item.size == 2) /* in network byte order */
		*bits = ue__decode_u16(item.value, 1);
	unused = 64 - 8 * (unsigned int)item.size;
	if (*is_signed && !*is_float)
		*bits = (uint64_t)((int64_t)(*bits << unused) >> unused);
	return 1;
}

UE__FN uint64_t ue_captured_u64(const struct ue_capture_event *event, const char *field)
{
	uint64_t bits;
	int is_signed, is_float;

	if (!ue__captured_bits(event, field, &bits, &is_signed, &is_float) || is_float)
		return UINT64_MAX;
	return bits;
}

UE__FN int64_t ue_captured_i64(const struct ue_capture_event *event, const char *field)
{
	uint64_t bits;
	int is_signed, is_float;

	if (!ue__captured_bits(event, field, &bits, &is_signed, &is_float) || is_float)
		return INT64_MIN;
	return (int64_t)bits;
}

UE__FN double ue_captured_double(const struct ue_capture_event *event, const char *field)
{
	uint64_t bits;
	uint32_t half;
	int is_signed, is_float;
	double d = 0;
	float f;

	if (!ue__captured_bits(event, field, &bits, &is_signed, &is_float))
		return (double)__builtin_nan("");
	if (is_float == 8) {
		memcpy(&d, &bits, sizeof(d));
		return d;
	}
	if (is_float == 4) {
		half = (uint32_t)bits;
		memcpy(&f, &half, sizeof(f));
		return (double)f;
	}
	return is_signed ? (double)(int64_t)bits : (double)bits;
}

UE__FN int ue_captured_string(const struct ue_capture_event *event, const char *field,
			      char *buffer, size_t size)
{
	struct ue_decode_item item;

	if (size)
		*buffer = '\0';
	if (ue_captured_item(event, field, &item) || item.type == UE_DECODE_STRUCT ||
	    (item.type == UE_DECODE_ARRAY && !item.value))
		return -ENOENT;
	return (int)ue_decode_value(&item, 0, buffer, size);
}

UE__FN void ue__captured_meta(const struct ue_capture_event *event, struct ue_decode_meta *meta)
{
	meta->time = event->time + (uint64_t)event->wall;
	meta->cpu = event->cpu;
	meta->pid = event->pid;
	meta->tid = event->tid;
	meta->known = UE_DECODE_HAS_TIME | UE_DECODE_HAS_CPU | UE_DECODE_HAS_PID | UE_DECODE_HAS_TID |
		      (event->wall ? UE_DECODE_HAS_WALL_TIME : 0);
}

UE__FN size_t ue_captured_json(const struct ue_capture_event *event, unsigned int flags,
			       char *buffer, size_t size)
{
	struct ue_decode_event decoded = event->decoded;
	struct ue__capture_format f;
	struct ue_decode_meta meta;

	ue__captured_meta(event, &meta);
	if (event->eventheader)
		return ue_decode_json(&decoded, &meta, flags, buffer, size);
	ue__capture_parse(event, &f);
	return ue_decode_format_json(&f.format, event->record, event->size, &meta, flags, buffer,
				     size);
}

UE__FN int ue_captured_json_to(const struct ue_capture_event *event, unsigned int flags,
			       ue_decode_write_fn write, void *context)
{
	struct ue_decode_event decoded = event->decoded;
	struct ue__capture_format f;
	struct ue_decode_meta meta;

	ue__captured_meta(event, &meta);
	if (event->eventheader)
		return ue_decode_json_to(&decoded, &meta, flags, write, context);
	ue__capture_parse(event, &f);
	return ue_decode_format_json_to(&f.format, event->record, event->size, &meta, flags, write,
					context);
}

#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif
#endif /* UE_USER_EVENTS_CAPTURE_H */
