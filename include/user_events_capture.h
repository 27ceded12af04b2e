/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The user_events.h authors */
/*
 * user_events_capture.h - a program's own events, in memory or in a file, and what is in them.
 *
 * A capture keeps the events of its process, without a tracer, privileges, or a kernel with
 * user_events. For unit tests
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
 * A capture is a probe on all events. It keeps the oldest events; the flight recorder
 * (user_events_recorder.h) keeps the newest.
 *
 * The chapters. For users: capturing, into memory, a file, or by the environment; unit tests, which
 * find events and read their fields; reading a file's bytes. How it works, in the order of an
 * event's way: records, capturing, reading records, looking into events. Names that begin with ue__
 * or UE__ are private.
 *
 * Copy it beside user_events.h and its headers _probe.h, _recorder.h and _decode.h. The recorder's
 * header has the clock, the checksum and the rules for files, and ue_capture_environment() begins a
 * recorder, too. docs/capture.md is the manual. Needs C11 or C++11, and Linux; elsewhere captures
 * can be read.
 */
#ifndef UE_USER_EVENTS_CAPTURE_H
#define UE_USER_EVENTS_CAPTURE_H
#ifndef UE__NO_SYSTEM_HEADER
#pragma GCC system_header
#endif

#include "user_events.h"
#include "user_events_decode.h"
#include "user_events_probe.h"
#include "user_events_recorder.h"

#pragma GCC diagnostic push
#ifdef UE_DISABLE
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif
#ifdef __cplusplus
#pragma GCC diagnostic ignored "-Wold-style-cast" /* the same text is C */
#pragma GCC diagnostic ignored "-Wzero-as-null-pointer-constant"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wuseless-cast"
#endif
#endif
#ifdef __clang__
#pragma GCC diagnostic ignored "-Wunused-function"
/* Hashes, positions and ages wrap on purpose. */
#pragma clang attribute push(__attribute__((no_sanitize("integer"))), apply_to = function)
#endif

/*
 * Configuration
 * =============
 *
 * What may be defined before the include, alike in a whole program:
 *
 * UE_CAPTURE_FORMATS	Formats that a capture and a reader know (1024). A capture writes further
 *			ones again and again; a reader reports events of further ones as errors.
 *			Each costs 12 bytes in struct ue_capture, and 16 in struct
 *			ue_capture_reader, which ue_capture_find() has on its stack.
 */
#ifndef UE_CAPTURE_FORMATS
#define UE_CAPTURE_FORMATS 1024
#endif

/*
 * Capturing
 * =========
 */

/* Private: an event whose format is in the capture. */
struct ue__capture_known {
	uint32_t serial;    /* of the event, or 0 */
	uint32_t low, high; /* the format's id */
};

/* Private: the head of captured memory. In shared memory, all processes count here. */
struct ue__capture_memory {
	uint32_t magic, word; /* sizeof(size_t) */
	size_t size;	      /* bytes behind this head */
	size_t used;	      /* of them */
	size_t lost;
	unsigned char rest[64 - 8 - 3 * sizeof(size_t)];
};

/* Private: which file it is. */
struct ue__capture_file {
	uint64_t device, inode, size;
};

/* A capture, in the caller's memory. Zero it before its first use. */
struct ue_capture { /* private members */
	struct ue__capture_memory *memory;
	uint32_t pid;  /* of the process that the last record of a process names; 0: not running */
	int fd;	       /* plus one */
	uint32_t busy; /* a thread is opening the file again */
	char *path;    /* of the file, absolute */
	struct ue__capture_file file;
	uint64_t most;	/* bytes that the file may have, by ulimit -f */
	size_t lost;	/* events that were not written to the file */
	size_t pending; /* lost events that no record in the file reports yet */
	struct ue__capture_known known[UE_CAPTURE_FORMATS];
};

/*
 * Captures every event of this program or library from now on into SIZE bytes at MEMORY, at least
 * 256, which it clears first. C and MEMORY must stay in place until ue_capture_stop(), MEMORY also
 * while it is read. When it is full, further events are counted as lost. An event takes 56 bytes
 * and its payload, rounded up to 8; each format once 48 bytes and its text. Memory that processes
 * share (mmap() with MAP_SHARED) takes the events of forked children, too.
 *
 * Returns 0, -EINVAL if MEMORY is NULL or SIZE under 256, -EBUSY if the capture runs, or what
 * ue_probe_register() returns: -ENOMEM, -ENOSYS with UE_DISABLE. Any number of captures may run.
 * Thread-safe for different captures; not async-signal-safe.
 */
UE__API int ue_capture_memory(struct ue_capture *c, void *memory, size_t size);

/*
 * Captures every event from now on to the end of the file PATH, which is created with mode 0600. An
 * existing file must be empty or a capture, belong to this user, and be no symbolic link. An event
 * is one system call, so it is in the file even if the program is killed right after. Several
 * processes, also forked children, may append to one file on a local file system. Events that
 * cannot be written are counted as lost.
 *
 * The fd is close-on-exec and has a high number. If the program closes it, the file is opened again
 * by its name; no other file ever gets an event.
 *
 * Returns 0, -EBUSY if the capture runs, or
 *   -EINVAL	PATH is NULL or no regular file
 *   -EEXIST	the file is not empty and no capture
 *   -EPERM	the file belongs to another user
 *   -ELOOP	PATH is a symbolic link
 *   -ENOMEM	no memory
 *   -ENOSYS	compiled out by UE_DISABLE
 *   others	what else open() fails with
 *
 * ue_recorder_strerror() has a sentence for each. Thread-safe for different captures; not
 * async-signal-safe.
 */
UE__API int ue_capture_file(struct ue_capture *c, const char *path);

/*
 * Captures into the file that the environment variable UE_CAPTURE names, and calls
 * ue_recorder_environment(). Call it at the beginning of main(); the capture ends with the program.
 * Returns 1 if it captures or records; 0 if both variables are unset or empty, or if the program
 * has more privileges than its caller (as for secure_getenv()); or the error of ue_capture_file()
 * or ue_recorder_environment(). No other thread may call setenv() meanwhile.
 */
UE__API int ue_capture_environment(struct ue_capture *c);

/*
 * Ends a capture. When this has returned, no thread writes to the memory or the file any more. The
 * memory can still be searched. Returns 0, -ENOENT if the capture does not run, or -EDEADLK within
 * a probe. Thread-safe for different captures; not async-signal-safe.
 */
UE__API int ue_capture_stop(struct ue_capture *c);

/*
 * Returns the number of events that were not captured because the memory was full or a write
 * failed; for shared memory, those of all processes. Also after ue_capture_stop(). Thread-safe,
 * async-signal-safe.
 */
UE__API uint64_t ue_capture_lost(const struct ue_capture *c);

/*
 * Unit tests
 * ==========
 */

/*
 * Finds the first event of NAME in captured memory, or the first one behind EVENT. NAME is the
 * tracepoint's ("request_done", "MyApp_L4K1"), the name within an EventHeader event
 * ("RequestDone"), or NULL for any. Returns 0, -ENOENT if there is none, or -EINVAL if C is not in
 * memory. The capture may be running: the search ends at an event that another thread is still
 * writing. Thread-safe, async-signal-safe.
 */
UE__API int ue_capture_find(const struct ue_capture *c, const char *name,
			    struct ue_capture_event *event);
UE__API int ue_capture_find_next(const struct ue_capture *c, const char *name,
				 struct ue_capture_event *event);

/* Returns how many events of NAME there are, or -EINVAL as above. */
UE__API int ue_capture_count(const struct ue_capture *c, const char *name);

/*
 * Return the value of a field. FIELD is a name, or a path: "peer.host", "samples[2]",
 * "peers[0].port". A field that is not there, or has no such value, is UINT64_MAX, INT64_MIN, NaN.
 * Negative numbers are converted as by a cast; floats are no integers; integers are doubles.
 * Thread-safe, async-signal-safe, as are all functions below.
 */
UE__API uint64_t ue_captured_u64(const struct ue_capture_event *event, const char *field);
UE__API int64_t ue_captured_i64(const struct ue_capture_event *event, const char *field);
UE__API double ue_captured_double(const struct ue_capture_event *event, const char *field);

/*
 * Writes any field as text: strings as UTF-8, numbers, "[1,2,3]", "true", a UUID, as
 * ue_decode_value() does. Writes at most SIZE bytes, the last one a NUL. Returns the length of the
 * whole text, as snprintf() does; or -ENOENT, with "" in BUFFER.
 */
UE__API int ue_captured_string(const struct ue_capture_event *event, const char *field,
			       char *buffer, size_t size);

/*
 * Finds the field itself, for the functions of user_events_decode.h. Returns 0, -ENOENT, or
 * -EBADMSG if its value is not within the record.
 */
UE__API int ue_captured_item(const struct ue_capture_event *event, const char *field,
			     struct ue_decode_item *item);

/* Write the event as one JSON object. FLAGS and the results are those of ue_decode_json(). */
UE__API size_t ue_captured_json(const struct ue_capture_event *event, unsigned int flags,
				char *buffer, size_t size);
UE__API int ue_captured_json_to(const struct ue_capture_event *event, unsigned int flags,
				ue_decode_write_fn write, void *context);

/* What is wrong with captured bytes: UE_CAPTURE_OK and so on. ue_capture_strerror() has sentences. */
#define UE__CAPTURE_ERRORS(_)                             \
	_(OK, "no error")                                 \
	_(ECUT, "the capture ends within a record")       \
	_(EDAMAGED, "these bytes are no record")          \
	_(EFORMAT, "an event's format is missing")        \
	_(ERECORD, "a record is shorter than it must be") \
	_(EWORK, "too many damaged records: the rest was not read")

#define UE__CAPTURE_ERROR(name, text) UE_CAPTURE_##name,
enum ue_capture_error { UE__CAPTURE_ERRORS(UE__CAPTURE_ERROR) UE__CAPTURE_ERROR_COUNT };
#undef UE__CAPTURE_ERROR

/* Private: a format, and a process, that were read. */
struct ue__capture_place {
	uint64_t id;
	const char *spec;
};

struct ue__capture_program {
	uint32_t pid;
	int64_t wall;
	const char *name;
};

/*
 * Reading
 * =======
 *
 * A capture that is read:
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
struct ue_capture_reader {
	uint64_t lost;	  /* events that were not captured, so far */
	uint64_t damaged; /* bytes that were skipped */
	/* Why ue_capture_next() returned -EBADMSG: UE_CAPTURE_E..., and for which bytes. */
	int error;
	size_t error_offset, error_size;

	/* The rest is private. */
	const uint8_t *bytes;
	size_t size, offset;
	const struct ue__capture_memory *live;
	uint64_t work; /* bytes of damaged records that were hashed */
	struct ue__capture_place formats[UE_CAPTURE_FORMATS];
	struct ue__capture_program programs[64];
};

/* Begins to read SIZE bytes at BYTES, which must stay as long as events of them are used. */
UE__API void ue_capture_read(struct ue_capture_reader *reader, const void *bytes, size_t size);

/*
 * Begins to read captured memory, also of a running capture. Returns 0, or -EINVAL if C is not in
 * memory.
 */
UE__API int ue_capture_read_memory(struct ue_capture_reader *reader, const struct ue_capture *c);

/*
 * Reads the next event. Returns 1; 0 at the end (of a running capture: so far); or -EBADMSG for
 * bytes that could not be read; the next call goes on behind them. The work is bounded by
 * the number of bytes. Thread-safe for different readers, async-signal-safe.
 */
UE__API int ue_capture_next(struct ue_capture_reader *reader, struct ue_capture_event *event);

/* Returns the sentence for UE_CAPTURE_E..., or for any other number. Constant text. */
UE__API const char *ue_capture_strerror(int error);

/* Bytes that are enough for any text of ue_capture_format_text() */
#define UE_CAPTURE_TEXT 8192

/*
 * Writes the format file that tracefs would show for SPEC, with ID as its number, for
 * ue_decode_format_parse() and other readers. Returns its length, as snprintf() does. With
 * UE_DISABLE it returns 0, and only the fields of EventHeader events are found.
 */
UE__API size_t ue_capture_format_text(const char *spec, unsigned int id, char *buffer, size_t size);

#ifndef UE__DECLARED_ONLY

/*
 * Implementation
 * ==============
 *
 * Records
 * -------
 *
 * A capture is a sequence of records. Each has a head and a body, padded with zeros to a multiple
 * of 8 bytes. A format's id is a hash of its text, so processes and files need not agree on it.
 */
#define UE__CAPTURE_MAGIC 0xb5554501u
#define UE__CAPTURE_UNHASHED 0xb5aaba01u /* an event in memory, without a check */
#define UE__CAPTURE_MEMORY_MAGIC 0xb5554d01u

/* Types of records. */
enum {
	UE__CAPTURE_FORMAT = 1, /* value: its id; body: the spec and a NUL */
	UE__CAPTURE_EVENT,	/* value: the format's id; body: the record */
	UE__CAPTURE_LOST,	/* value: the number of lost events */
	UE__CAPTURE_PROGRAM	/* value: CLOCK_REALTIME - CLOCK_MONOTONIC; body: name and a NUL */
};
enum { UE__CAPTURE_BODY = 1 << 20 /* at most */, UE__CAPTURE_SPEC = 512 };

struct ue__capture_head {
	uint32_t magic;
	uint32_t check;	 /* hash of all that follows, padding included */
	uint32_t length; /* of the body */
	uint32_t type;	 /* UE__CAPTURE_FORMAT... */
	uint64_t value;	 /* depends on the type */
	uint64_t time;
	uint32_t pid, tid, cpu, zero;
};

/* An event's body begins as a tracer's record does. */
struct ue__capture_common {
	uint16_t type;
	uint8_t flags, preempt;
	uint32_t tid;
};

UE__FN size_t ue__capture_padded(size_t size)
{
	return (size + 7) & ~(size_t)7;
}

UE__API const char *ue_capture_strerror(int error)
{
#define UE__CAPTURE_SENTENCE(name, text) text,
	static const char *const texts[] = { UE__CAPTURE_ERRORS(UE__CAPTURE_SENTENCE) };
#undef UE__CAPTURE_SENTENCE

	return error >= 0 && error < UE__CAPTURE_ERROR_COUNT ? texts[error] : "unknown error";
}

#ifndef UE_DISABLE

/* Reserves SIZE bytes of memory. Returns NULL if there is no room. */
UE__FN unsigned char *ue__capture_reserve(struct ue__capture_memory *m, size_t size)
{
	size_t used = UE__LOAD(&m->used);

	do {
		if (size > m->size - used)
			return NULL;
	} while (!__atomic_compare_exchange_n(&m->used, &used, used + size, true, __ATOMIC_RELAXED,
					      __ATOMIC_RELAXED));
	return (unsigned char *)(m + 1) + used;
}

/* Copies a record into memory. The memory was zero, and a reader waits for the magic. */
UE__FN int ue__capture_to_memory(struct ue__capture_memory *m, const struct ue__iovec *iov,
				 int count, size_t size)
{
	unsigned char *start = ue__capture_reserve(m, size), *p = start;
	uint32_t magic;
	int i;

	if (!start)
		return -ENOSPC;
	memcpy(&magic, iov->iov_base, sizeof(magic));
	memcpy(p + sizeof(magic), (const unsigned char *)iov->iov_base + sizeof(magic),
	       iov->iov_len - sizeof(magic));
	p += iov->iov_len;
	for (i = 1; i < count; p += iov[i++].iov_len)
		memcpy(p, iov[i].iov_base, iov[i].iov_len);
	__atomic_store_n((uint32_t *)(void *)start, magic, __ATOMIC_RELEASE);
	return 0;
}

/*
 * Tells which file FD is. Not by fstat(): since Linux 6.13, asking for a file's times makes its
 * next write twice as long. The indexes are those of struct statx, as 64-bit words.
 */
UE__FN int ue__capture_identify(int fd, struct ue__capture_file *file)
{
	uint64_t words[32];
	struct stat status;
	int error = -ENOSYS;

#ifdef SYS_statx
	memset(words, 0, sizeof(words)); /* MemorySanitizer does not see what the kernel writes */
	error = (int)ue__syscall(SYS_statx, fd, (long)"", 0x1000 /* AT_EMPTY_PATH */,
				 0x300 /* STATX_INO, STATX_SIZE */, (long)words);
	file->inode = words[4];
	file->size = words[5];
	file->device = words[17];
#endif
	if (error) { /* Linux before 4.11, or a filter of system calls */
		UE__SYSTEM(error, fstat(fd, &status));
		file->device = (uint64_t)status.st_dev;
		file->inode = (uint64_t)status.st_ino;
		file->size = (uint64_t)status.st_size;
	}
	return error;
}

/* Tells whether FD is the file of C, and sets *SIZE to its size. */
UE__FN bool ue__capture_is_file(const struct ue_capture *c, int fd, uint64_t *size)
{
	struct ue__capture_file now;

	if (ue__capture_identify(fd, &now))
		return false;
	*size = now.size;
	return now.device == c->file.device && now.inode == c->file.inode;
}

/* Opens the file again after the program has closed it. Returns the fd, or -errno. */
UE__COLD int ue__capture_reopen(struct ue_capture *c, uint64_t *size)
{
	uint32_t idle = 0;
	int fd;

	if (!__atomic_compare_exchange_n(&c->busy, &idle, 1, false, __ATOMIC_ACQUIRE,
					 __ATOMIC_RELAXED))
		return -EBUSY;
	fd = ue__file_open_as(c->path, O_RDWR | O_APPEND);
	/* a new file may have the inode number of one that was removed */
	if (fd >= 0 &&
	    (!ue__capture_is_file(c, fd, size) || !ue__file_has_magic(fd, UE__CAPTURE_MAGIC))) {
		ue__file_close(fd);
		fd = -ENOENT;
	}
	if (fd >= 0)
		fd = ue__move_up(fd, false, -1);
	if (fd >= 0)
		UE__STORE(&c->fd, fd + 1);
	__atomic_store_n(&c->busy, 0, __ATOMIC_RELEASE);
	return fd;
}

/*
 * Appends a record to the file. The program may have closed the fd and opened another file under
 * its number, which gets nothing. A write over the limit of file sizes would kill the program by
 * SIGXFSZ, hence some room for records that others write at the same time.
 */
UE__FN int ue__capture_to_file(struct ue_capture *c, const struct ue__iovec *iov, int count,
			       size_t size)
{
	const uint64_t others = 65536;
	int fd = UE__LOAD(&c->fd) - 1;
	uint64_t used = 0;
	long n;

	if (UE__UNLIKELY(!ue__capture_is_file(c, fd, &used)))
		fd = ue__capture_reopen(c, &used);
	if (fd < 0)
		return fd;
	if (c->most != UINT64_MAX && used + size + others > c->most)
		return -EFBIG;
	n = ue__syscall(SYS_writev, fd, (long)iov, count, 0, 0);
	if (n < 0)
		return (int)n;
	return (size_t)n == size ? 0 : -EIO;
}

/*
 * Writes a record. Its body is FRONT, of a multiple of 8 bytes if there is a REST, and REST. An
 * event in memory has no check, which would cost more than everything else.
 */
UE__FN int ue__capture_put(struct ue_capture *c, struct ue__capture_head *head, const void *front,
			   size_t front_size, const void *rest, size_t rest_size)
{
	static const unsigned char zeros[8] = { 0 };
	size_t length = front_size + rest_size;
	size_t size = sizeof(*head) + ue__capture_padded(length);
	struct ue__iovec iov[4];
	int count = 1;
	uint64_t h;

	if (length > UE__CAPTURE_BODY)
		return -E2BIG;
	head->magic = UE__CAPTURE_UNHASHED;
	head->check = 0;
	head->length = (uint32_t)length;
	head->zero = 0;
	if (!c->memory || head->type != UE__CAPTURE_EVENT) {
		h = ue__hash_add(UE__HASH_SEED, &head->length, sizeof(*head) - 8, 0);
		h = ue__hash_add(h, front, front_size, 0);
		h = ue__hash_add(h, rest, rest_size, 0);
		head->magic = UE__CAPTURE_MAGIC;
		head->check = (uint32_t)ue__hash_end(h);
	}
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
	return ue__capture_to_file(c, iov, count, size);
}

/*
 * Capturing
 * ---------
 *
 * A probe on all events writes a record for each. Before the first event of a process it writes a
 * record that names the process, before the first event of a format the format, and once the file
 * has room again, how many events were lost.
 */

UE__FN void ue__capture_now(struct ue__capture_head *head)
{
	head->time = ue__clock_read(UE__MONOTONIC);
	head->cpu = (uint32_t)ue__libc_getcpu();
	head->pid = (uint32_t)ue__syscall(SYS_getpid, 0, 0, 0, 0, 0);
	head->tid = ue__thread_id(head->pid);
}

/* Names the process. A child of fork() does that too, and describes all its events again. */
UE__COLD void ue__capture_put_program(struct ue_capture *c, const struct ue__capture_head *now)
{
	struct ue__capture_head head = *now;
	char name[16] = "";
	size_t i;

	for (i = 0; i < UE_CAPTURE_FORMATS; i++)
		UE__STORE(&c->known[i].serial, 0u);
	UE__STORE(&c->pending, (size_t)0);
	UE__STORE(&c->lost, (size_t)0);
	UE__STORE(&c->busy, 0u);
	UE__STORE(&c->pid, head.pid);
	ue__syscall(SYS_prctl, PR_GET_NAME, (long)name, 0, 0, 0);
	name[15] = '\0';
	head.type = UE__CAPTURE_PROGRAM;
	head.value = (uint64_t)ue__clock_wall();
	ue__capture_put(c, &head, name, strlen(name) + 1, NULL, 0);
}

/* Writes the format of EVENT, and caches its id. Returns 0 and the id. */
UE__COLD int ue__capture_describe(struct ue_capture *c, const struct ue_event *event,
				  uint32_t serial, const struct ue__capture_head *now, uint64_t *id)
{
	const uint32_t busy = UINT32_MAX;
	struct ue__capture_known *slot = &c->known[serial % UE_CAPTURE_FORMATS];
	struct ue__capture_head head = *now;
	uint32_t old = UE__LOAD(&slot->serial);
	char spec[UE__CAPTURE_SPEC];
	int error = ue__spec(event, spec);

	if (error)
		return error;
	*id = ue__hash(spec, strlen(spec) + 1, 0);
	head.type = UE__CAPTURE_FORMAT;
	head.value = *id;
	error = ue__capture_put(c, &head, spec, strlen(spec) + 1, NULL, 0);
	if (error)
		return error;
	if (old != busy && __atomic_compare_exchange_n(&slot->serial, &old, busy, false,
						       __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
		__atomic_store_n(&slot->low, (uint32_t)*id, __ATOMIC_RELEASE);
		__atomic_store_n(&slot->high, (uint32_t)(*id >> 32), __ATOMIC_RELEASE);
		__atomic_store_n(&slot->serial, serial, __ATOMIC_RELEASE);
	}
	return 0;
}

/* Returns 0 and the id of EVENT's format. Writes the format if it is not in the cache. */
UE__FN int ue__capture_id(struct ue_capture *c, const struct ue_event *event,
			  const struct ue__capture_head *now, uint64_t *id)
{
	uint32_t serial = UE__LOAD(&event->serial);
	struct ue__capture_known *slot = &c->known[serial % UE_CAPTURE_FORMATS];

	if (__atomic_load_n(&slot->serial, __ATOMIC_ACQUIRE) == serial) {
		*id = __atomic_load_n(&slot->low, __ATOMIC_ACQUIRE);
		*id |= (uint64_t)__atomic_load_n(&slot->high, __ATOMIC_ACQUIRE) << 32;
		/* not overwritten meanwhile: serials are not reused */
		if (UE__LOAD(&slot->serial) == serial)
			return 0;
	}
	return ue__capture_describe(c, event, serial, now, id);
}

UE__COLD void ue__capture_failed(struct ue_capture *c)
{
	if (c->memory)
		UE__INCREMENT(&c->memory->lost);
	else
		UE__INCREMENT(&c->lost);
	UE__INCREMENT(&c->pending);
}

/* Writes a record that says how many events are lost. */
UE__COLD void ue__capture_put_lost(struct ue_capture *c, const struct ue__capture_head *now)
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

/* Captures an event: the probe. */
UE__FN void ue__capture_probe(struct ue_event *event, const void *payload, size_t size, void *data)
{
	struct ue_capture *c = (struct ue_capture *)data;
	struct ue__capture_head head;
	struct ue__capture_common common;

	ue__capture_now(&head);
	if (UE__UNLIKELY(UE__LOAD(&c->pid) != head.pid))
		ue__capture_put_program(c, &head);
	if (ue__capture_id(c, event, &head, &head.value)) {
		ue__capture_failed(c);
		return;
	}
	if (UE__UNLIKELY(!c->memory && UE__LOAD(&c->pending)))
		ue__capture_put_lost(c, &head);
	head.type = UE__CAPTURE_EVENT;
	common.type = (uint16_t)head.value;
	common.flags = common.preempt = 0;
	common.tid = head.tid;
	if (ue__capture_put(c, &head, &common, sizeof(common), payload, size))
		ue__capture_failed(c);
}

/* Starts C, whose memory or file is set. */
UE__FN int ue__capture_start(struct ue_capture *c)
{
	struct ue__capture_head head;
	int error;

	ue__capture_now(&head);
	ue__capture_put_program(c, &head);
	error = ue_probe_register(NULL, ue__capture_probe, c);
	if (error)
		c->pid = 0;
	return error;
}

UE__API int ue_capture_memory(struct ue_capture *c, void *memory, size_t size)
{
	size_t skip = (8 - (uintptr_t)memory % 8) % 8;
	struct ue__capture_memory *m;

	if (c->pid)
		return -EBUSY;
	if (!memory || size < 256)
		return -EINVAL;
	m = (struct ue__capture_memory *)(void *)((unsigned char *)memory + skip);
	memset(memory, 0, size);
	m->magic = UE__CAPTURE_MEMORY_MAGIC;
	m->word = sizeof(size_t);
	m->size = (size - skip - sizeof(*m)) & ~(size_t)7;
	c->memory = m;
	return ue__capture_start(c);
}

/* Closes the file, unless the program has closed it: the number may be another file's. */
UE__FN void ue__capture_close(struct ue_capture *c)
{
	uint64_t size;

	if (ue__capture_is_file(c, c->fd - 1, &size))
		ue__file_close(c->fd - 1);
	c->fd = 0;
	free(c->path);
	c->path = NULL;
}

/* Returns PATH made absolute, for the caller to free, or NULL without memory. */
UE__FN char *ue__capture_full_path(const char *path)
{
	size_t length = strlen(path) + 1, used = 0;
	char *full = (char *)malloc(4096 + length);

	if (!full)
		return NULL;
	if (*path != '/' && getcwd(full, 4096)) {
		used = strlen(full);
		full[used++] = '/';
	}
	memcpy(full + used, path, length);
	return full;
}

/* Opens the file of C, and remembers which file it is. Returns the fd, or -errno. */
UE__FN int ue__capture_open(struct ue_capture *c, const char *path)
{
	struct stat status;
	bool created;
	int fd = ue__file_open(path, O_APPEND, &created), error;

	if (fd < 0)
		return fd;
	error = ue__file_check(fd, &status);
	if (!error && status.st_size && !ue__file_has_magic(fd, UE__CAPTURE_MAGIC))
		error = -EEXIST;
	if (!error)
		error = ue__capture_identify(fd, &c->file);
	if (error) {
		ue__file_close(fd);
		return error;
	}
	c->most = ue__file_limit();
	return ue__move_up(fd, false, -1);
}

UE__API int ue_capture_file(struct ue_capture *c, const char *path)
{
	int saved = errno, error;

	if (c->pid)
		return -EBUSY;
	if (!path)
		return -EINVAL;
	error = ue__capture_open(c, path);
	if (error >= 0) {
		c->memory = NULL;
		c->fd = error + 1;
		c->path = ue__capture_full_path(path);
		error = c->path ? ue__capture_start(c) : -ENOMEM;
		if (error)
			ue__capture_close(c);
	}
	errno = saved;
	return error;
}

UE__API int ue_capture_environment(struct ue_capture *c)
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

UE__API int ue_capture_stop(struct ue_capture *c)
{
	struct ue__capture_head head;

	if (!c->pid)
		return -ENOENT;
	if (ue_probe_unregister(NULL, ue__capture_probe, c) == -EDEADLK)
		return -EDEADLK;
	if (c->fd) {
		ue__capture_now(&head);
		ue__capture_put_lost(c, &head);
		ue__capture_close(c);
	}
	c->pid = 0;
	return 0;
}

UE__API uint64_t ue_capture_lost(const struct ue_capture *c)
{
	return c->memory ? UE__LOAD(&c->memory->lost) : UE__LOAD(&c->lost);
}

#else /* UE_DISABLE */

UE__DISABLED(-ENOSYS, int ue_capture_memory(struct ue_capture *c, void *memory, size_t size))
UE__DISABLED(-ENOSYS, int ue_capture_file(struct ue_capture *c, const char *path))
UE__DISABLED(0, int ue_capture_environment(struct ue_capture *c))
UE__DISABLED(-ENOENT, int ue_capture_stop(struct ue_capture *c))
UE__DISABLED(0, uint64_t ue_capture_lost(const struct ue_capture *c))

#endif /* UE_DISABLE */

/*
 * Reading records
 * ---------------
 *
 * The bytes may be hostile. What is no record is skipped, up to the next record.
 */

struct ue__capture_record {
	const uint8_t *body;
	size_t length, size; /* of the body; of the whole record */
	uint64_t value, time;
	uint32_t type, pid, tid, cpu;
	int big;
};

/*
 * Tells whether a whole record begins at OFFSET. *HURT becomes the record's size, even if it is
 * damaged, or 0 if none begins here: callers bound the work with it.
 */
UE__FN bool ue__capture_at(const uint8_t *bytes, size_t size, size_t offset,
			   struct ue__capture_record *r, size_t *hurt)
{
	const uint8_t *p = bytes + offset;
	size_t room = size - offset;
	uint32_t magic, check = 0;
	int swap;

	*hurt = 0;
	if (room < sizeof(struct ue__capture_head))
		return false;
	r->big = p[0] == UE__CAPTURE_MAGIC >> 24;
	magic = ue__decode_u32(p, r->big);
	if (magic != UE__CAPTURE_MAGIC && magic != UE__CAPTURE_UNHASHED)
		return false;
	r->length = ue__decode_u32(p + 8, r->big);
	if (r->length > UE__CAPTURE_BODY)
		return false;
	r->size = sizeof(struct ue__capture_head) + ue__capture_padded(r->length);
	if (r->size > room)
		return false;
	*hurt = r->size;
	swap = r->big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	if (magic == UE__CAPTURE_MAGIC)
		check = (uint32_t)ue__hash(p + 8, r->size - 8, swap);
	if (check != ue__decode_u32(p + 4, r->big))
		return false;
	r->type = ue__decode_u32(p + 12, r->big);
	r->value = ue__decode_u64(p + 16, r->big);
	r->time = ue__decode_u64(p + 24, r->big);
	r->pid = ue__decode_u32(p + 32, r->big);
	r->tid = ue__decode_u32(p + 36, r->big);
	r->cpu = ue__decode_u32(p + 40, r->big);
	r->body = p + sizeof(struct ue__capture_head);
	return true;
}

UE__API void ue_capture_read(struct ue_capture_reader *reader, const void *bytes, size_t size)
{
	memset(reader, 0, sizeof(*reader));
	reader->bytes = (const uint8_t *)bytes;
	reader->size = size;
}

UE__API int ue_capture_read_memory(struct ue_capture_reader *reader, const struct ue_capture *c)
{
	if (!c->memory)
		return -EINVAL;
	ue_capture_read(reader, c->memory + 1, __atomic_load_n(&c->memory->used, __ATOMIC_ACQUIRE));
	reader->lost = UE__LOAD(&c->memory->lost);
	/* after the capture has stopped, an event that was not finished is skipped as damage */
	if (c->pid)
		reader->live = c->memory;
	return 0;
}

/* Returns the place of the format ID, or a free one for it, or NULL. */
UE__FN struct ue__capture_place *ue__capture_place_of(struct ue_capture_reader *reader, uint64_t id)
{
	size_t i, at = (size_t)id;

	/* at most 256 steps: hostile bytes may fill the table, and then name other formats */
	for (i = 0; i < UE_CAPTURE_FORMATS && i < 256; i++, at++) {
		struct ue__capture_place *place = &reader->formats[at % UE_CAPTURE_FORMATS];

		if (!place->spec || place->id == id)
			return place;
	}
	return NULL;
}

UE__FN int ue__capture_bad(struct ue_capture_reader *reader, int error, size_t offset, size_t size)
{
	reader->error = error;
	reader->error_offset = offset;
	reader->error_size = size;
	return -EBADMSG;
}

/* Skips damaged bytes up to the next record. */
UE__COLD int ue__capture_skip(struct ue_capture_reader *reader)
{
	static const uint8_t magics[2][4] = { { 0xb5, 0x55, 0x45, 0x01 },
					      { 0x01, 0x45, 0x55, 0xb5 } };
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
	/* the last bytes, if they begin like a record: the file was cut */
	left = left < 4 ? left : 4;
	ue__capture_at(reader->bytes, reader->size, start, &r, &hurt);
	if (error != UE_CAPTURE_EWORK && next == reader->size && !hurt &&
	    (!memcmp(p, magics[0], left) || !memcmp(p, magics[1], left)))
		error = UE_CAPTURE_ECUT;
	return ue__capture_bad(reader, error, start, next - start);
}

/* Skips the head of captured memory. Returns whether there is one. */
UE__FN bool ue__capture_skip_head(struct ue_capture_reader *reader)
{
	struct ue__capture_memory m;

	if (reader->size - reader->offset < sizeof(m))
		return false;
	memcpy(&m, reader->bytes + reader->offset, sizeof(m));
	if (m.magic != UE__CAPTURE_MEMORY_MAGIC || m.word != sizeof(size_t))
		return false;
	reader->offset += sizeof(m);
	reader->lost += m.lost;
	/* the part that was never filled is no damage */
	if (m.used <= m.size && m.used < reader->size - reader->offset)
		reader->size = reader->offset + m.used;
	return true;
}

UE__FN int ue__capture_event(struct ue_capture_reader *reader, const struct ue__capture_record *r,
			     size_t offset, struct ue_capture_event *event)
{
	const struct ue__capture_program *program = &reader->programs[r->pid % 64];
	const struct ue__capture_place *place = ue__capture_place_of(reader, r->value);
	bool known = program->name && program->pid == r->pid;

	if (r->length < sizeof(struct ue__capture_common))
		return ue__capture_bad(reader, UE_CAPTURE_ERECORD, offset, r->size);
	if (!place || !place->spec)
		return ue__capture_bad(reader, UE_CAPTURE_EFORMAT, offset, r->size);
	event->spec = place->spec;
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
	event->offset = offset;
	ue__event_decode(event);
	return 1;
}

/* Remembers a format or a process. Returns false if the body is no text, or too long a one. */
UE__FN bool ue__capture_note(struct ue_capture_reader *reader, const struct ue__capture_record *r)
{
	bool is_format = r->type == UE__CAPTURE_FORMAT;
	struct ue__capture_program *program = &reader->programs[r->pid % 64];
	struct ue__capture_place *place;

	if (!r->length || r->length > (is_format ? UE__CAPTURE_SPEC : 16) ||
	    memchr(r->body, 0, r->length) != r->body + r->length - 1)
		return false;
	if (is_format) {
		place = ue__capture_place_of(reader, r->value);
		if (place) {
			place->id = r->value;
			place->spec = (const char *)r->body;
		}
	} else {
		program->pid = r->pid;
		program->wall = (int64_t)r->value;
		program->name = (const char *)r->body;
	}
	return true;
}

/* Looks how far a running capture is. Returns false if its next record is not there yet. */
UE__FN bool ue__capture_refresh(struct ue_capture_reader *reader)
{
	const struct ue__capture_memory *live = reader->live;

	if (live) {
		reader->size = __atomic_load_n(&live->used, __ATOMIC_ACQUIRE);
		reader->lost = UE__LOAD(&live->lost);
	}
	return reader->offset < reader->size &&
	       (!live ||
		__atomic_load_n((const uint32_t *)(const void *)(reader->bytes + reader->offset),
				__ATOMIC_ACQUIRE));
}

UE__API int ue_capture_next(struct ue_capture_reader *reader, struct ue_capture_event *event)
{
	struct ue__capture_record r;
	size_t offset, hurt;

	reader->error = 0;
	while (ue__capture_refresh(reader)) {
		offset = reader->offset;
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
			break;
		case UE__CAPTURE_FORMAT:
		case UE__CAPTURE_PROGRAM:
			if (!ue__capture_note(reader, &r))
				return ue__capture_bad(reader, UE_CAPTURE_ERECORD, offset, r.size);
			break;
		default: /* of a later version */
			break;
		}
	}
	return 0;
}

/*
 * Looking into events
 * -------------------
 *
 * Kernel-typed events are decoded by the format file that tracefs would show, which is made from
 * the event's definition; EventHeader events describe themselves. A field is found by its path.
 */
#ifndef UE_DISABLE

/* Reads the count in "16]", decimal, hexadecimal or octal, as the kernel does; 0 if it is none. */
UE__FN uint32_t ue__read_count(const char *p)
{
	unsigned int base = *p != '0' ? 10 : (p[1] | 32) == 'x' ? 16 : 8;
	uint32_t count = 0, digit;

	for (p += base == 16 ? 2 : 0; count <= 1024; p++) {
		digit = (uint32_t)(ue__is_digit(*p) ? *p - '0' : (*p | 32) - 'a' + 10);
		if (digit >= base)
			break;
		count = count * base + digit;
	}
	return *p == ']' && count <= 1024 ? count : 0;
}

/* Returns the bytes of the type of N letters at P; 0 for one that no kernel knows. */
UE__FN uint32_t ue__size_of_type(const char *p, size_t n)
{
	static const struct {
		const char *name;
		uint32_t size;
	} types[] = { { "u8", 1 },	       { "s8", 1 },	       { "u16", 2 },
		      { "s16", 2 },	       { "short", 2 },	       { "unsigned short", 2 },
		      { "u32", 4 },	       { "s32", 4 },	       { "int", 4 },
		      { "unsigned int", 4 },   { "u64", 8 },	       { "s64", 8 },
		      { "char", 1 },	       { "unsigned char", 1 } };
	const char *bracket = (const char *)memchr(p, '[', n);
	size_t length = bracket ? (size_t)(bracket - p) : n, i;

	if (strncmp(p, "__data_loc ", 11) == 0 || strncmp(p, "__rel_loc ", 10) == 0)
		return 4;
	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (strlen(types[i].name) != length || memcmp(types[i].name, p, length) != 0)
			continue;
		if (!bracket)
			return types[i].size;
		/* the kernel has arrays of chars only, the last two */
		return i >= sizeof(types) / sizeof(types[0]) - 2 ? ue__read_count(bracket + 1) : 0;
	}
	return 0;
}

/* Returns the bytes of field F; 0 for a type that no kernel knows. */
UE__FN uint32_t ue__size_of_field(const struct ue__field_words *f)
{
	size_t last = f->name - 1;
	uint32_t size = 0;
	const char *p;

	if (f->name == 0)
		return 0;
	if (f->name + 1 == f->words)
		return ue__size_of_type(f->word[0],
					(size_t)(f->word[last] - f->word[0]) + f->length[last]);
	/* "struct TYPE NAME SIZE" */
	for (p = f->word[f->name + 1]; ue__is_digit(*p) && size < 1u << 20; p++)
		size = size * 10 + (uint32_t)(*p - '0');
	return size;
}

UE__FN void ue__capture_property(struct ue__text *t, const char *name, uint64_t value)
{
	ue__put(t, name);
	ue__put_number(t, value, 10);
}

/* Puts the line of the field F at OFFSET. Returns where the field ends. */
UE__FN uint64_t ue__capture_field(struct ue__text *t, const struct ue__field_words *f,
				  uint64_t offset)
{
	const char *type = f->word[0];
	size_t length = f->name ? (size_t)(f->word[f->name - 1] - type) + f->length[f->name - 1]
				: 0;
	/* "char[16] name" is shown as "char name[]" */
	const char *bracket = (const char *)memchr(type, '[', length);
	uint32_t bytes = ue__size_of_field(f);

	ue__put(t, "\tfield:");
	ue__put_bytes(t, type, bracket ? (size_t)(bracket - type) : length);
	ue__put(t, " ");
	ue__put_bytes(t, f->word[f->name], f->length[f->name]);
	ue__put(t, bracket ? "[]" : "");
	ue__capture_property(t, ";\toffset:", offset);
	ue__capture_property(t, ";\tsize:", bytes);
	ue__capture_property(t, ";\tsigned:", *type != 'u');
	ue__put(t, ";\n");
	return offset + bytes;
}

UE__API size_t ue_capture_format_text(const char *spec, unsigned int id, char *buffer, size_t size)
{
	static const char common[] =
		"\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
		"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n";
	const char *p = spec + strcspn(spec, " ");
	struct ue__text t = ue__text_in(buffer, size);
	struct ue__field_words f;
	uint64_t offset = sizeof(struct ue__capture_common);

	ue__put(&t, "name: ");
	ue__put_bytes(&t, spec, (size_t)(p - spec));
	ue__capture_property(&t, "\nID: ", id);
	ue__put(&t, common);
	for (; *p; p += *p == ';') {
		p = ue__split_field(p, &f);
		if (f.words)
			offset = ue__capture_field(&t, &f, offset);
	}
	ue__put(&t, "\nprint fmt: \"\"\n");
	return t.length;
}

#else /* UE_DISABLE */

UE__API size_t ue_capture_format_text(const char *spec, unsigned int id, char *buffer, size_t size)
{
	(void)spec, (void)id;
	if (size)
		*buffer = '\0';
	return 0;
}

#endif /* UE_DISABLE */

UE__FN bool ue__capture_named(const struct ue_capture_event *event, const char *name)
{
	size_t n = name ? strlen(name) : 0;

	if (!name || (event->name_length == n && !memcmp(event->name, name, n)))
		return true;
	return strcspn(event->spec, " ") == n && !memcmp(event->spec, name, n);
}

/* Finds the first event at FROM or behind it; with COUNT counts all of them instead. */
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

UE__API int ue_capture_find(const struct ue_capture *c, const char *name,
			    struct ue_capture_event *event)
{
	memset(event, 0, sizeof(*event));
	return ue__capture_search(c, name, 0, NULL, event);
}

UE__API int ue_capture_find_next(const struct ue_capture *c, const char *name,
				 struct ue_capture_event *event)
{
	return ue__capture_search(c, name, event->offset + 1, NULL, event);
}

UE__API int ue_capture_count(const struct ue_capture *c, const char *name)
{
	int count = 0, error = ue__capture_search(c, name, 0, &count, NULL);

	return error == -ENOENT ? count : error;
}

/* A kernel-typed event's format, and the memory that it needs. */
struct ue__capture_format {
	struct ue_decode_format format;
	struct ue_decode_field fields[128]; /* a definition of 511 bytes has fewer */
	char text[UE_CAPTURE_TEXT];
};

UE__FN void ue__capture_parse(const struct ue_capture_event *event, struct ue__capture_format *f)
{
	size_t n = ue_capture_format_text(event->spec, (uint16_t)event->format, f->text,
					  sizeof(f->text));

	memset(&f->format, 0, sizeof(f->format));
	f->format.system = "user_events";
	f->format.system_length = strlen(f->format.system);
	f->format.fields = f->fields;
	f->format.fields_max = sizeof(f->fields) / sizeof(f->fields[0]);
	f->format.big_endian = event->big_endian;
	ue_decode_format_parse(&f->format, f->text, n < sizeof(f->text) ? n : sizeof(f->text) - 1);
	if (f->format.field_count > f->format.fields_max)
		f->format.field_count = f->format.fields_max;
}

/* Reads "[2]" at *PATH. */
UE__FN bool ue__captured_index(const char **path, uint32_t *index)
{
	const char *p = *path;
	uint64_t n = 0;

	if (*p++ != '[' || !ue__is_digit(*p))
		return false;
	while (ue__is_digit(*p) && n <= UINT32_MAX)
		n = 10 * n + (uint64_t)(*p++ - '0');
	*path = p + 1;
	*index = (uint32_t)n;
	return *p == ']' && n <= UINT32_MAX;
}

/* Turns an array of values of one size into the element that PATH names, unless PATH is empty. */
UE__FN int ue__captured_element(struct ue_decode_item *item, const char *path)
{
	uint32_t index;
	size_t unit;

	if (!*path)
		return 0;
	if (item->type != UE_DECODE_ARRAY || !ue__captured_index(&path, &index) || *path ||
	    !item->value)
		return -ENOENT;
	unit = ue__decode_kinds[item->kind].fixed;
	if (index >= item->size / unit) /* damaged events have fewer than item->count */
		return -ENOENT;
	item->type = UE_DECODE_VALUE;
	item->value += index * unit;
	item->size = unit;
	item->index = index;
	item->count = 1;
	item->array = 0;
	return 0;
}

/* Finds the name of N bytes in SPEC. */
UE__FN const char *ue__captured_name(const char *spec, const char *name, size_t n)
{
	while ((spec = strchr(spec, ' ')) != NULL) {
		spec++;
		if (!strncmp(spec, name, n) && !ue__is_word(spec[n]))
			return spec;
	}
	return NULL;
}

/* Finds a field of a kernel-typed event. */
UE__FN int ue__captured_plain(const struct ue_capture_event *event, const char *path,
			      struct ue_decode_item *item)
{
	struct ue__capture_format f;
	size_t i, n = strcspn(path, "[");
	const struct ue_decode_field *field;

	ue__capture_parse(event, &f);
	for (i = 0; i < f.format.field_count; i++) {
		field = &f.fields[i];
		if (field->common || field->name_length != n || memcmp(field->name, path, n))
			continue;
		if (ue_decode_format_item(&f.format, field, event->record, event->size, item))
			return -EBADMSG;
		/* item->name must not point into F, which ends here */
		item->name = ue__captured_name(event->spec, path, n);
		return item->name ? ue__captured_element(item, path + n) : -ENOENT;
	}
	return -ENOENT;
}

/* Finds a field of an EventHeader event. */
UE__FN int ue__captured_deep(const struct ue_capture_event *event, const char *path,
			     struct ue_decode_item *item)
{
	struct ue_decode_fields fields;
	const struct ue_decode_item *i = &fields.item;
	size_t n = strcspn(path, ".[");
	uint32_t index = 0;
	unsigned int depth = 0;
	bool element = false; /* search the element INDEX, not a name */

	ue_decode_start(&fields, &event->decoded);
	while (ue_decode_next(&fields) > 0) {
		if (i->type == UE_DECODE_STRUCT_END || i->type == UE_DECODE_ARRAY_END) {
			if (i->depth < depth)
				return -ENOENT; /* the struct or array has ended */
			continue;
		}
		if (i->depth != depth ||
		    (element ? i->index != index : i->name_length != n || memcmp(i->name, path, n)))
			continue;
		if (!element)
			path += n;
		if (!*path || (i->type == UE_DECODE_ARRAY && i->value)) {
			*item = *i;
			return ue__captured_element(item, path);
		}
		element = i->type == UE_DECODE_ARRAY;
		if (element ? !ue__captured_index(&path, &index)
			    : i->type != UE_DECODE_STRUCT || *path++ != '.')
			return -ENOENT;
		n = element ? 0 : strcspn(path, ".[");
		depth++;
	}
	return fields.error ? -EBADMSG : -ENOENT;
}

UE__API int ue_captured_item(const struct ue_capture_event *event, const char *field,
			     struct ue_decode_item *item)
{
	if (!event->spec)
		return -ENOENT; /* ue_capture_find() found none */
	if (event->eventheader)
		return ue__captured_deep(event, field, item);
	return ue__captured_plain(event, field, item);
}

struct ue__captured_number {
	uint64_t bits; /* of an integer, with its sign */
	bool is_signed;
	size_t float_size; /* of a float, else 0 */
};

UE__FN bool ue__captured_read(const struct ue_capture_event *event, const char *field,
			      struct ue__captured_number *n)
{
	struct ue_decode_item item;
	unsigned int unused;

	if (ue_captured_item(event, field, &item) || item.type != UE_DECODE_VALUE ||
	    item.kind < UE_DECODE_KIND_VALUE8 || item.kind > UE_DECODE_KIND_VALUE64)
		return false;
	/* a port is in network byte order */
	n->bits = ue__decode_load(
		item.value, item.size,
		item.big_endian || (item.format == UE_DECODE_FORMAT_PORT && item.size == 2));
	n->float_size = item.format == UE_DECODE_FORMAT_FLOAT ? item.size : 0;
	n->is_signed = item.format == UE_DECODE_FORMAT_SIGNED ||
		       item.format == UE_DECODE_FORMAT_ERRNO ||
		       item.format == UE_DECODE_FORMAT_PID || item.format == UE_DECODE_FORMAT_TIME;
	unused = 64 - 8 * (unsigned int)item.size;
	if (n->is_signed)
		n->bits = (uint64_t)((int64_t)(n->bits << unused) >> unused);
	return true;
}

UE__FN uint64_t ue__captured_integer(const struct ue_capture_event *event, const char *field,
				     uint64_t none)
{
	struct ue__captured_number n;

	return ue__captured_read(event, field, &n) && !n.float_size ? n.bits : none;
}

UE__API uint64_t ue_captured_u64(const struct ue_capture_event *event, const char *field)
{
	return ue__captured_integer(event, field, UINT64_MAX);
}

UE__API int64_t ue_captured_i64(const struct ue_capture_event *event, const char *field)
{
	return (int64_t)ue__captured_integer(event, field, (uint64_t)INT64_MIN);
}

UE__API double ue_captured_double(const struct ue_capture_event *event, const char *field)
{
	struct ue__captured_number n;
	uint32_t half;
	double d = 0;
	float f;

	if (!ue__captured_read(event, field, &n))
		return (double)__builtin_nan("");
	if (n.float_size == 8) {
		memcpy(&d, &n.bits, sizeof(d));
		return d;
	}
	if (n.float_size == 4) {
		half = (uint32_t)n.bits;
		memcpy(&f, &half, sizeof(f));
		return (double)f;
	}
	return n.is_signed ? (double)(int64_t)n.bits : (double)n.bits;
}

UE__API int ue_captured_string(const struct ue_capture_event *event, const char *field,
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

/* Sets what "meta" says about an event. */
UE__FN void ue__captured_meta(const struct ue_capture_event *event, struct ue_decode_meta *meta)
{
	meta->time = event->time + (uint64_t)event->wall;
	meta->cpu = event->cpu;
	meta->pid = event->pid;
	meta->tid = event->tid;
	meta->known = UE_DECODE_HAS_TIME | UE_DECODE_HAS_CPU | UE_DECODE_HAS_PID |
		      UE_DECODE_HAS_TID | (event->wall ? UE_DECODE_HAS_WALL_TIME : 0);
}

UE__API size_t ue_captured_json(const struct ue_capture_event *event, unsigned int flags,
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

UE__API int ue_captured_json_to(const struct ue_capture_event *event, unsigned int flags,
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

#endif /* UE__DECLARED_ONLY */

#ifdef __clang__
#pragma clang attribute pop
#endif
#pragma GCC diagnostic pop
#endif /* UE_USER_EVENTS_CAPTURE_H */
