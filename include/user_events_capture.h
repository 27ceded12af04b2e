/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The user_events.h authors */
/*
 * user_events_capture.h - a program's own events, in memory or in a file.
 *
 * Needs no tracer, no privileges and no kernel with user_events: what the program writes
 * with user_events.h is captured in the same process. For unit tests
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
 * captured without a lock and, in memory, without a system call. Events of signal handlers are
 * captured, too; by a capture that is a probe (docs/capture.md) unless the handler interrupts a
 * probe (ue_status().unprobed counts them).
 *
 * The chapters: capturing, unit tests, reading, implementation. docs/capture.md has the file
 * format. What starts with ue__ or UE__ is private. Needs C11 or C++11.
 */
#ifndef UE_USER_EVENTS_CAPTURE_H
#define UE_USER_EVENTS_CAPTURE_H

#include "user_events.h"
#ifdef UE__DECLARED_ONLY
#error "user_events_capture.h: with UE_SHARED, include it where UE_IMPLEMENTATION is defined"
#endif
#include "user_events_decode.h"

#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#ifndef UE_DISABLE
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>
#include <sys/statfs.h>
#endif

#pragma GCC diagnostic push
#ifdef UE_DISABLE
#pragma GCC diagnostic ignored "-Wunused-parameter" /* functions that do nothing */
#endif
#ifdef __clang__
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-variable"
/* unsigned numbers wrap on purpose: hashes, masks, ages */
#pragma clang attribute push(__attribute__((no_sanitize("integer"))), apply_to = function)
#endif
#ifdef __cplusplus
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wuseless-cast"
#endif
#pragma GCC diagnostic ignored "-Wold-style-cast" /* the same text is C */
#pragma GCC diagnostic ignored "-Wzero-as-null-pointer-constant"
#endif

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

/*
 * Flight recorder
 * ===============
 *
 * The last events of the program, always on: a ring that overwrites the oldest, in a mapped file
 * that is there after a crash, in memory that processes share, or in the caller's. No thread, no
 * lock, no allocation and no system call an event; also from signal handlers and probes.
 * `uetrace show FILE` prints it, also while it is written. A program or library has one at a
 * time.
 */

/*
 * Records every event of this program or library from now on into the file PATH, which keeps
 * SIZE bytes of records (the largest power of two that is not more, at least 4096), plus some
 * for its tables. They are in as many rings as there are CPUs, but of 64 KiB at least. FLAGS is
 * UE_RECORDER_RINGS(n) for another number of rings, a power of two up to 256, or 0. PATH may be
 * NULL: shared memory without a name, for forked children and snapshots.
 *
 * The file is made for its owner only (0600), and all its blocks are allocated, so that no full
 * disk kills the program later. It must not be truncated while it is in use: the kernel answers
 * a write behind its end with SIGBUS. Removing and renaming it is harmless.
 *
 * If a recorder's file of that name is there, and a process still records into it, this one
 * joins, whatever its SIZE. Else it is renamed to PATH.old first, so that a restart does not
 * overwrite what led to it.
 *
 * Returns 0; -EBUSY if a recorder runs already; -EINVAL for an impossible size, flags or file;
 * -EEXIST if the file is not empty and no recorder's; -EPERM if it belongs to somebody else;
 * -EOPNOTSUPP if its file system cannot allocate blocks ahead (NFS before 4.2, ZFS) or needs new
 * ones to overwrite old ones (btrfs, bcachefs); -ENOSPC, -EFBIG, -ENOMEM, -ENOSYS with UE_DISABLE,
 * or what else open() and mmap() fail with. Thread-safe; not async-signal-safe. A fork()ed child
 * records into the same one.
 */
#define UE_RECORDER_RINGS(n) ((unsigned int)(n))
UE__FN int ue_recorder_open(const char *path, size_t size, unsigned int flags);

/*
 * The same into SIZE bytes of MEMORY, which it clears. The memory stays the recorder's: also
 * after ue_recorder_close() an event that another thread is just writing may end there. So free
 * it only when no thread can be in an event. ue_recorder_size() says how many bytes keep EVENTS
 * bytes of records. Returns as above.
 */
UE__FN int ue_recorder_memory(void *memory, size_t size, unsigned int flags);
UE__FN size_t ue_recorder_size(size_t events, unsigned int flags);

/*
 * Records for the life of the program if the environment variable UE_RECORD is "PATH" or
 * "PATH:SIZE", where SIZE may end with K, M or G (1M). UE_RECORD_STOP_ON is "EVENT" or
 * "EVENT:AFTER" (1000), for ue_recorder_stop_on(). Returns 1, 0 if there is no such variable, it
 * is empty, or the program has more privileges than its caller (as secure_getenv() has it),
 * -EINVAL if what follows the last colon is empty or begins with a digit, but is no size, or what
 * ue_recorder_open() fails with. Not while another thread calls setenv().
 * ue_capture_environment() does this, too.
 */
UE__FN int ue_recorder_environment(void);

/*
 * Ends it for this process. What was recorded stays in the file, or the memory. An event that
 * another thread is just writing is whole there or is not there; nothing is written to the file
 * any more once this returned. The addresses that the file was mapped to are kept, empty, for
 * the next recorder of that size. Returns 0, or -ENOENT if it does not run. Thread-safe; not
 * async-signal-safe.
 */
UE__FN int ue_recorder_close(void);

/*
 * Copies what is there to the file PATH, which is made for its owner only or overwritten. Events
 * that are written meanwhile are there or not, each of them whole. Returns 0, -ENOENT if it does
 * not run, or what open() and write() fail with. Thread-safe and async-signal-safe, for a
 * handler of SIGUSR2 or SIGSEGV.
 */
UE__FN int ue_recorder_snapshot(const char *path);

/*
 * Stops the recorder AFTER events (up to 2^31 - 2) after the next one of this name, that of a
 * tracepoint or the one within a self-describing event, so that what led to it is not
 * overwritten; for all its processes. Called again, it records again. NAME may be NULL: it only
 * records again. Returns 0, -ENOENT if it does not run, or -EINVAL for a name over 63 bytes or
 * too large a number. Thread-safe; not async-signal-safe.
 */
UE__FN int ue_recorder_stop_on(const char *name, unsigned int after);

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
UE__FN int ue_captured_string(const struct ue_capture_event *event, const char *field, char *buffer,
			      size_t size);

/*
 * The field itself, for what else user_events_decode.h can do with it. Returns 0, or -ENOENT;
 * -EBADMSG if its value is not in the record.
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
	uint64_t lost;	  /* events that were not captured, up to here */
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
 * The next event. Returns 1; 0 at the end (in a running capture for now); or -EBADMSG for what
 * could not be read, and goes on behind it with the next call. The work is bounded by the bytes'
 * number.
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
 * Private. A recorder is one piece of memory: this head, the rings' counters, a table of processes,
 * a table of formats, and the rings with the records. It consists of words of 8 bytes, in the
 * machine's byte order.
 *
 * A writer reserves its place with one atomic addition to its ring's counter. The counter's upper
 * half is a position in words, its lower half counts the records. The record's first word is the
 * reserved value XORed with a hash of all other words; the hash begins with the recorder's random
 * KEY. So a word begins a whole record only if the hash gives exactly the word's own position. That
 * is not so for a record whose writer was killed, for one that is being written, and for one that a
 * writer overwrote after it slept for a lap of the ring. When the lower half overflows, one word of
 * the ring is left out.
 *
 * Why a hash: counts of the committed bytes in each part of a ring would save two instructions a
 * word. But a process that was killed leaves its part uncommitted for ever, and a writer that slept
 * for a lap writes into what others have committed since. The hash needs no cleanup, since each
 * wrong word changes it. A damaged record passes only by chance: 32 bits of its first word must be
 * its position, the others a plausible count. Who chooses payloads cannot aim at that without the
 * key.
 */
struct ue__recorder_head {
	uint32_t magic, check; /* of what follows, up to USED */
	uint32_t version, flags;
	uint64_t size, key;
	uint64_t start;	       /* CLOCK_MONOTONIC */
	int64_t wall;	       /* to add to it for CLOCK_REALTIME */
	uint32_t rings, shift; /* how many, a power of two, of 1 << SHIFT bytes each */
	uint32_t processes, slots;
	uint32_t table, table_size;
	uint32_t data, zero;
	uint8_t rest[128 - 80];

	uint32_t used;	/* of the table, in bytes */
	uint32_t count; /* processes, from 0 on */
	uint32_t mode;	/* UE__RECORDER_RUNS... */
	uint32_t left;	/* events until it stops */
	uint8_t more[128 - 16];
};

/* A ring's counters. Two cache lines: processors fetch them in pairs. */
struct ue__recorder_ring {
	union {
		uint64_t next;
		uint32_t halves[2];
	} u;
	uint32_t limit; /* shorter payloads take the fast path; 0 when it is to stop */
	uint32_t large; /* events that were too large for it */
	uint32_t count; /* of records, at the ring's last lap */
	uint32_t laps;	/* overflows of that count */
	uint8_t rest[128 - 24];
};

/*
 * A process that has recorded events. NUMBER counts the processes. Records hold NUMBER % 4095 + 1;
 * that modulo SLOTS is the place in the table.
 */
struct ue__recorder_process {
	uint32_t check, number;
	uint64_t start; /* its events are not older */
	int64_t wall;
	uint32_t pid, zero;
	char name[16];
};

/*
 * A format: the NUL-terminated text that registers an event follows. Records hold its place in the
 * table.
 */
struct ue__recorder_spec {
	uint32_t check, length; /* without the NUL */
	uint64_t hash;
};

/*
 * A record's second word is the time. The third is the length of the payload (16 bits), the format
 * (14), the process (12) and the thread (22; Linux uses no more).
 */
#define UE__RECORDER_MAGIC 0xb5555201u
enum {
	UE__RECORDER_VERSION = 1,
	UE__RECORDER_BY_THREAD = 1, /* flag: rings are by thread, not by CPU */
	UE__RECORDER_WORDS = 3,	    /* before the payload */
	UE__RECORDER_UNIT = 16,	    /* of the table */
	UE__RECORDER_UNKNOWN = 0x3fff,
	UE__RECORDER_RINGS = 256, /* at most */
	UE__RECORDER_RUNS = 0,
	UE__RECORDER_COUNTS, /* stops after LEFT more events */
	UE__RECORDER_STOPPED
};

/*
 * Reading a recorder
 * ==================
 *
 *	if (ue_recorder_read(&reader, bytes, size) == 0)
 *		while (ue_recorder_next(&reader, &event) > 0)
 *			use(&event);
 *
 * The bytes are a file's content, the memory that is recorded into, or a snapshot. They may be
 * cut, damaged or hostile, and of either byte order. Events come in order of time; those of a
 * thread in the order it wrote them, as far as its clock tells two times apart.
 */
struct ue__recorder_cursor {
	uint64_t total;	  /* records that were reserved */
	uint64_t expect;  /* number of the next one */
	uint64_t time;	  /* of the one at AT, if HAVE */
	uint32_t at, end; /* positions, in words */
	uint8_t have, whole, jumped, unlapped;
};

struct ue_recorder_reader {
	/* What is missing up to here: each event is read, or counted in one of these. */
	uint64_t overwritten; /* by later events */
	uint64_t torn;	      /* its writer was killed, or slept until the ring went round */
	uint64_t large;	      /* too large for its ring: a quarter, or 65535 bytes */
	/*
	 * An event that is being written ends its ring until ue_recorder_more(), and is not yet
	 * torn.
	 */
	int follow;
	/* If not 0, later events are left to ue_recorder_more(), so that all come in order. */
	uint64_t until;
	bool stopped; /* by ue_recorder_stop_on() */

	/* The rest is private. */
	const uint8_t *bytes;
	struct ue__recorder_head layout;
	bool swap, live;
	int error;
	uint64_t work;
	struct ue__recorder_cursor rings[UE__RECORDER_RINGS];
	uint8_t checked[(UE__RECORDER_UNKNOWN + 1) / 8];
	uint64_t record[1 + 65536 / 8 + 1];
};

/*
 * Begins. BYTES must outlive what is read, and may be at any address. Returns 0, or -EBADMSG if
 * they are no recorder, or not all of it.
 */
UE__FN int ue_recorder_read(struct ue_recorder_reader *reader, const void *bytes, size_t size);

/*
 * The same for the recorder of this process, while it is written. Returns 0, or -ENOENT if it does
 * not run.
 */
UE__FN int ue_recorder_read_live(struct ue_recorder_reader *reader);

/*
 * Goes on behind what was read, in BYTES of the same recorder that were copied later, when
 * ue_recorder_next() has returned 0. Returns 0, or -EBADMSG if it is another recorder, or none.
 */
UE__FN int ue_recorder_more(struct ue_recorder_reader *reader, const void *bytes, size_t size);

/*
 * The next event, for the functions ue_captured_...(); it is valid until the next call. One that
 * there was no room to describe is called "unknown". Returns 1; 0 at the end; or once -EBADMSG
 * if the bytes are made to be slow to read: what is left of them is not read then.
 */
UE__FN int ue_recorder_next(struct ue_recorder_reader *reader, struct ue_capture_event *event);

/*
 * Implementation
 * ==============
 */

/* ---- Records of a capture ------------------------------------------------------------------ */

/*
 * A capture is a sequence of records. Each has a head and a body, padded with zeros to a multiple
 * of 8 bytes. A format's id is a hash of its text, so processes and files need not agree on it.
 */
struct ue__capture_head {
	uint32_t magic;
	uint32_t check;	 /* hash of all that follows, padding included */
	uint32_t length; /* of the body */
	uint32_t type;	 /* UE__CAPTURE_FORMAT... */
	uint64_t value;	 /* depends on the type */
	uint64_t time;
	uint32_t pid, tid, cpu, zero;
};

#define UE__CAPTURE_MAGIC 0xb5554501u
#define UE__CAPTURE_UNHASHED 0xb5aaba01u /* an event in memory, without the check */
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

/* An event's record begins with what a tracer's does. */
struct ue__capture_common {
	uint16_t type;
	uint8_t flags, preempt;
	uint32_t tid;
};

#define UE__CAPTURE_SEED 0x9e3779b97f4a7c15ull

/*
 * Hashes eight bytes a step; zeros pad the last word. Each step is a bijection, so a single wrong
 * word changes the result.
 */
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

#ifndef UE_DISABLE

/* ---- The time and the CPU of an event ------------------------------------------------------ */

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

#endif /* UE_DISABLE */

/* ---- What a recorder's memory holds -------------------------------------------------------- */

/*
 * Adds a word to a record's hash. The rotation keeps small differences of several words from
 * cancelling each other. The multiplication at the end spreads them.
 */
static inline uint64_t ue__recorder_mix(uint64_t h, uint64_t word)
{
	return (h << 25 | h >> 39) + word;
}

static inline uint64_t ue__recorder_end(uint64_t h)
{
	return h * 0xd6e8feb86659fd93ull;
}

/* The hash of SIZE bytes at any address. */
UE__FN uint64_t ue__recorder_hash(uint64_t h, const void *data, size_t size, int swap)
{
	return ue__capture_end(ue__capture_mix(h, data, size, swap));
}

/*
 * Computes the layout for EVENTS bytes of records (a power of two) in RINGS rings. Returns the
 * total size, or 0 if it is too large for this machine.
 */
UE__FN uint64_t ue__recorder_layout(struct ue__recorder_head *head, uint64_t events, uint32_t rings)
{
	uint32_t slots = 4, table = 1024, shift = 0;
	uint64_t data;

	while (slots < 256 && slots < events >> 14)
		slots *= 2;
	while (table < 131072 && table < events >> 4)
		table *= 2;
	while ((uint64_t)rings << (shift + 1) <= events)
		shift++;
	memset(head, 0, sizeof(*head));
	head->magic = UE__RECORDER_MAGIC;
	head->version = UE__RECORDER_VERSION;
	head->rings = rings;
	head->shift = shift;
	head->processes = (uint32_t)(sizeof(*head) + rings * sizeof(struct ue__recorder_ring));
	head->slots = slots;
	head->table = (uint32_t)(head->processes + slots * sizeof(struct ue__recorder_process));
	head->table_size = table;
	data = head->table + table;
	if (events >= 65536)
		data = (data + 4095) & ~(uint64_t)4095;
	head->data = (uint32_t)data;
	head->used = UE__RECORDER_UNIT; /* so that no format is 0 */
	head->size = data + ((uint64_t)rings << shift);
	return head->size <= SIZE_MAX / 2 ? head->size : 0;
}

/* The check of the head's constant part. SWAP: it has the other byte order. */
static inline uint32_t ue__recorder_check(const struct ue__recorder_head *head, int swap)
{
	return (uint32_t)ue__recorder_hash(UE__CAPTURE_SEED, &head->version,
					   offsetof(struct ue__recorder_head, used) -
						   offsetof(struct ue__recorder_head, version),
					   swap);
}

/* An event's largest payload: a quarter of a ring, at most what 16 bits can count. */
static inline uint32_t ue__recorder_largest(uint32_t shift)
{
	return shift >= 18 ? 65535 : (1u << shift) / 4;
}

/*
 * Is HEAD the beginning of a recorder of SIZE bytes? Then LAYOUT gets it in this machine's byte
 * order, and SWAP says whether it had the other one. Its numbers must be those that
 * ue__recorder_layout() computes.
 */
UE__FN bool ue__recorder_valid(const struct ue__recorder_head *head, uint64_t size,
			       struct ue__recorder_head *layout, bool *swap)
{
	struct ue__recorder_head h = *head;
	uint32_t flags;

	*swap = h.magic == __builtin_bswap32(UE__RECORDER_MAGIC);
	if (h.magic != UE__RECORDER_MAGIC && !*swap)
		return false;
	if (*swap) {
		h.check = __builtin_bswap32(h.check);
		h.version = __builtin_bswap32(h.version);
		h.flags = __builtin_bswap32(h.flags);
		h.size = __builtin_bswap64(h.size);
		h.key = __builtin_bswap64(h.key);
		h.start = __builtin_bswap64(h.start);
		h.wall = (int64_t)__builtin_bswap64((uint64_t)h.wall);
		h.rings = __builtin_bswap32(h.rings);
		h.shift = __builtin_bswap32(h.shift);
	}
	flags = h.flags;
	if (ue__recorder_check(head, *swap) != h.check || h.version != UE__RECORDER_VERSION ||
	    !h.rings || h.rings > UE__RECORDER_RINGS || h.rings & (h.rings - 1) || h.shift < 8 ||
	    h.shift > 34 || h.size > size ||
	    ue__recorder_layout(layout, (uint64_t)h.rings << h.shift, h.rings) != h.size)
		return false;
	layout->flags = flags;
	layout->key = h.key;
	layout->start = h.start;
	layout->wall = h.wall;
	return true;
}

#ifndef UE_DISABLE

/* ---- The time of a recorded event ---------------------------------------------------------- */

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
	UE__KEEP("X"(ue__syscall5_copy));
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

/* ---- What a process knows of its recorder -------------------------------------------------- */

/*
 * A process' state for the recorder that it writes to. Writers are not counted, so it is never
 * freed; the next recorder of the same size uses it again. KEY is stored last and loaded first: a
 * writer that still uses values of the former recorder writes no whole record into the new one.
 */
enum { UE__RECORDER_CACHED = 1024, UE__RECORDER_LATE = 256 };
struct ue__recorder_cached {
	uint32_t serial, what; /* of an event; its process and format */
};
struct ue__recorder_place {
	struct ue__recorder_ring *counters;
	uint64_t *words;
};
/* In memory that is zero in a child. The numbers are those in records. */
struct ue__recorder_own {
	struct ue__recorder_cached known[UE__RECORDER_CACHED]; /* the place is SERIAL modulo that */
	uint32_t process;
	uint32_t pid, inside; /* of a capture */
	struct ue__clock clock;
};
struct ue__recording {
	uint64_t key;
	struct ue__recorder_head *head;
	struct ue__recorder_own *own;
	ptrdiff_t rseq, tid; /* from the thread pointer on */
	uint32_t rings;	     /* a mask, as */
	uint32_t mask;	     /* of a ring's words */
	struct ue__recorder_place place[UE__RECORDER_RINGS];

	/* What follows is not used for each event. */
	uint32_t largest;
	uint8_t by;  /* UE__RECORDER_RSEQ... */
	uint8_t ask; /* the kernel for the thread, the process */
	struct ue__recording *next;
	struct ue__recorder_head layout; /* the copy in shared memory is trusted only at first */
	int mapped, used;		 /* by this header; by a recorder */
	uint32_t pid, process, late_count;
	struct {
		uint32_t serial, format;
	} late[UE__RECORDER_LATE];  /* run-time events, whose text is read only under the lock */
	struct ue_capture *capture; /* capture_memory.h */
	char stop_on[64];
	uint32_t stop_after;
};

enum { UE__RECORDER_RSEQ, UE__RECORDER_GETCPU, UE__RECORDER_THREAD };
enum {
	UE__RECORDER_ASK_TID = 1,
	UE__RECORDER_ASK_LIBC = 2,
	UE__RECORDER_ASK_PID = 4,
	UE__RECORDER_ASK_CLOCK = 8
};

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GLIBC__ /* since 2.35 it registers rseq, whose area holds the CPU */
extern const ptrdiff_t ue__libc_rseq_offset __asm__("__rseq_offset") __attribute__((__weak__));
extern const unsigned int ue__libc_rseq_size __asm__("__rseq_size") __attribute__((__weak__));
#endif
#ifdef __cplusplus
}
#endif

static inline const unsigned char *ue__thread_pointer(void)
{
	const unsigned char *p = NULL;

#if defined(__x86_64__)
#ifdef __LP64__
	__asm__("movq %%fs:0, %0" : "=r"(p));
#else
	__asm__("movl %%fs:0, %0" : "=r"(p));
#endif
#elif defined(__i386__)
	__asm__("movl %%gs:0, %0" : "=r"(p));
#elif defined(__aarch64__)
	__asm__("mrs %0, tpidr_el0" : "=r"(p));
#elif defined(__s390x__) || defined(__riscv) || defined(__powerpc64__)
	p = (const unsigned char *)__builtin_thread_pointer();
#endif
	return p;
}

/* The word at OFFSET from the thread pointer. */
static inline uint32_t ue__thread_word(ptrdiff_t offset)
{
	uint32_t word;

#if defined(__x86_64__) && defined(__LP64__)
	__asm__ volatile("movl %%fs:(%1), %0" : "=r"(word) : "r"(offset));
#else
	word = UE__LOAD((const uint32_t *)(const void *)(ue__thread_pointer() + offset));
#endif
	return word;
}

UE__FN uint32_t ue__recorder_tid(const struct ue__recording *r)
{
	if (r->ask & UE__RECORDER_ASK_TID)
		return (uint32_t)ue__syscall3(__NR_gettid, 0, 0, 0);
	return ue__thread_id();
}

/* The CPU, or another number that spreads the threads over the rings. */
UE__FN uint32_t ue__recorder_cpu(const struct ue__recording *r)
{
	unsigned long self;
	int cpu;

	if (r->by == UE__RECORDER_RSEQ)
		return ue__thread_word(r->rseq);
	if (r->by == UE__RECORDER_GETCPU) {
		cpu = ue__libc_getcpu();
		return cpu < 0 ? 0 : (uint32_t)cpu;
	}
	self = ue__libc_self(); /* an address */
	return (uint32_t)(((uint64_t)self >> 6) * 0x9e3779b97f4a7c15ull >> 32);
}

static inline uint64_t ue__recorder_time(struct ue__recording *r)
{
	return ue__clock_now(&r->own->clock, !(r->ask & UE__RECORDER_ASK_CLOCK));
}

/* What is cached of the event with SERIAL: process << 14 | format, or 0. */
static inline uint32_t ue__recorder_cached_of(const struct ue__recording *r, uint32_t serial)
{
	const struct ue__recorder_cached *k = &r->own->known[serial % UE__RECORDER_CACHED];
#if __SIZEOF_SIZE_T__ > 4
	union {
		uint64_t word;
		struct ue__recorder_cached known;
	} u;

	u.word = UE__LOAD((const uint64_t *)(const void *)k);
	return u.known.serial == serial ? u.known.what : 0;
#else
	uint32_t known = __atomic_load_n(&k->serial, __ATOMIC_ACQUIRE);
	uint32_t what = __atomic_load_n(&k->what, __ATOMIC_ACQUIRE);

	return known == serial && UE__LOAD(&k->serial) == serial ? what : 0;
#endif
}

/* Stores a word that others may read and, if this thread sleeps for a lap, write as well. */
static inline void ue__recorder_store(uint64_t *at, uint64_t word)
{
#if __SIZEOF_SIZE_T__ > 4
	UE__STORE(at, word);
#else
	uint32_t halves[2], *p = (uint32_t *)(void *)at;

	memcpy(halves, &word, 8);
	UE__STORE(p, halves[0]);
	UE__STORE(p + 1, halves[1]);
#endif
}

/*
 * Stores the word that makes the record behind it whole. The hash tells readers of a half-written
 * one.
 */
static inline void ue__recorder_commit(uint64_t *at, uint64_t word)
{
#if __SIZEOF_SIZE_T__ > 4
	__atomic_store_n(at, word, __ATOMIC_RELEASE);
#else
	uint32_t halves[2], *p = (uint32_t *)(void *)at;

	memcpy(halves, &word, 8);
	__atomic_store_n(p, halves[0], __ATOMIC_RELEASE);
	__atomic_store_n(p + 1, halves[1], __ATOMIC_RELEASE);
#endif
}

static inline uint64_t ue__recorder_load(const uint64_t *at)
{
#if __SIZEOF_SIZE_T__ > 4
	return __atomic_load_n(at, __ATOMIC_ACQUIRE);
#else
	uint32_t halves[2];
	const uint32_t *p = (const uint32_t *)(const void *)at;
	uint64_t word;

	halves[0] = __atomic_load_n(p, __ATOMIC_ACQUIRE);
	halves[1] = __atomic_load_n(p + 1, __ATOMIC_ACQUIRE);
	memcpy(&word, halves, 8);
	return word;
#endif
}

/*
 * Returns the position in the upper half and the count in the lower. On 32-bit machines these are
 * two words: of two threads, each may get the other's count.
 */
static inline uint64_t ue__recorder_reserve(struct ue__recorder_ring *ring, uint32_t words)
{
	uint64_t reserved;

#if __SIZEOF_SIZE_T__ > 4
	reserved = __atomic_fetch_add(&ring->u.next, (uint64_t)words << 32 | 1, __ATOMIC_RELAXED);
#else
	enum { HIGH = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, LOW = !HIGH };

	reserved = __atomic_fetch_add(&ring->u.halves[LOW], 1, __ATOMIC_RELAXED);
	reserved |= (uint64_t)__atomic_fetch_add(&ring->u.halves[HIGH], words, __ATOMIC_RELAXED)
		    << 32;
#endif
	return reserved;
}

/* At the ring's end: counts the overflows of the number of records. */
static inline void ue__recorder_lap(struct ue__recorder_ring *ring, uint32_t count)
{
	uint32_t last = __atomic_exchange_n(&ring->count, count, __ATOMIC_RELAXED);

	if (count < last && last - count > UINT32_MAX / 2)
		UE__INCREMENT(&ring->laps);
}

/* ---- Writing records of a capture ---------------------------------------------------------- */

/* The process and the thread. The page that caches the pid is zero after a fork. */
static inline void ue__capture_who(struct ue__capture_head *head)
{
	struct ue__process *process = UE__LOAD(&ue__state_v1.process);
	uint32_t pid = 0;

	if (UE__LOAD(&process->ready) != 3)
		pid = UE__LOAD(&process->pid);
	if (UE__UNLIKELY(!pid)) {
		pid = (uint32_t)ue__syscall3(__NR_getpid, 0, 0, 0);
		UE__STORE(&process->pid, pid);
	}
	head->pid = pid;
	head->tid = ue__thread_id();
}

static inline unsigned char *ue__capture_reserve(struct ue__capture_memory *m, size_t size)
{
	size_t used = __atomic_load_n(&m->used, __ATOMIC_RELAXED);

	do {
		if (UE__UNLIKELY(size > m->size - used))
			return NULL;
	} while (!__atomic_compare_exchange_n(&m->used, &used, used + size, true, __ATOMIC_RELAXED,
					      __ATOMIC_RELAXED));
	return (unsigned char *)(m + 1) + used;
}

static inline int ue__capture_to_memory(struct ue__capture_memory *m, const struct ue__iovec *iov,
					int count, size_t size)
{
	unsigned char *start = ue__capture_reserve(m, size), *p = start;
	uint32_t magic;
	int i;

	if (!start)
		return -ENOSPC;
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

/*
 * Writes an event without the hash, which would cost more than all the rest. The memory was
 * cleared, so an event that is not finished has no magic.
 */
static inline int ue__capture_event_to_memory(struct ue__capture_memory *m,
					      struct ue__capture_head *head,
					      const struct ue__capture_common *common,
					      const void *payload, size_t length)
{
	unsigned char *p = NULL;

	if (length <= UE__CAPTURE_BODY - sizeof(*common))
		p = ue__capture_reserve(m, sizeof(*head) +
						   ue__capture_padded(sizeof(*common) + length));
	if (!p)
		return -ENOSPC;
	head->check = 0;
	head->zero = 0;
	head->length = (uint32_t)(sizeof(*common) + length);
	memcpy(p + 4, (const unsigned char *)head + 4, sizeof(*head) - 4);
	memcpy(p + sizeof(*head), common, sizeof(*common));
	memcpy(p + sizeof(*head) + sizeof(*common), payload, length);
	__atomic_store_n((uint32_t *)(void *)p, UE__CAPTURE_UNHASHED, __ATOMIC_RELEASE);
	return 0;
}

static inline int ue__capture_to_file(int fd, struct ue__iovec *iov, int count, size_t size)
{
	unsigned char buffer[1024], *p = buffer;
	long n;
	int i;

	if (size <= sizeof(buffer)) {
		for (i = 0; i < count; p += iov[i++].iov_len)
			memcpy(p, iov[i].iov_base, iov[i].iov_len);
		n = ue__syscall3(__NR_write, (long)(unsigned int)fd, (long)buffer, (long)size);
	} else {
		n = ue__syscall3(__NR_writev, (long)(unsigned int)fd, (long)iov, count);
	}
	if (n < 0)
		return (int)n;
	return (size_t)n == size ? 0 : -EIO;
}

/* A write at the limit of file sizes ends the program by SIGXFSZ; other threads write, too. */
UE__FN bool ue__capture_is_full(const struct ue_capture *c, size_t size)
{
	enum { OTHERS = 65536 };
	struct stat status;
	int error;

	UE__SYSTEM(error, fstat(c->fd - 1, &status));
	return !error && (uint64_t)status.st_size + size + OTHERS > c->most;
}

/*
 * Writes a record, whose body is FRONT and REST. The size of FRONT is a multiple of 8 if there is a
 * REST.
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
	if (UE__UNLIKELY(c->most != UINT64_MAX) && ue__capture_is_full(c, size))
		return -EFBIG;
	return ue__capture_to_file(c->fd - 1, iov, count, size);
}

static inline void ue__capture_now(struct ue__capture_head *head)
{
	head->time = ue__capture_clock(1); /* CLOCK_MONOTONIC */
	head->cpu = (uint32_t)ue__libc_getcpu();
	ue__capture_who(head);
}

/* ---- Capturing an event -------------------------------------------------------------------- */

/* Writes a record that names the process. After a fork, all events are described again. */
UE__FILE_COLD void ue__capture_put_program(struct ue_capture *c, const struct ue__capture_head *now)
{
	struct ue__capture_head head = *now;
	char name[16] = "";
	size_t i;

	for (i = 0; i < UE_CAPTURE_FORMATS; i++)
		UE__STORE(&c->known[i].serial, 0u);
	UE__STORE(&c->pending, (size_t)0);
	UE__STORE(&c->lost, (size_t)0);
	UE__STORE(&c->pid, head.pid);
	ue__syscall3(__NR_prctl, 16, (long)name, 0); /* PR_GET_NAME */
	name[15] = '\0';
	head.type = UE__CAPTURE_PROGRAM;
	head.value = ue__capture_clock(0) - ue__capture_clock(1);
	ue__capture_put(c, &head, name, strlen(name) + 1, NULL, 0);
}

/* Writes the format of EVENT, and caches its id. Returns 0 and the id. */
UE__FILE_COLD int ue__capture_describe(struct ue_capture *c, const struct ue_event *event,
				       uint32_t serial, const struct ue__capture_head *now,
				       uint64_t *id)
{
	struct ue__capture_known *slot = &c->known[serial % UE_CAPTURE_FORMATS];
	struct ue__capture_head head = *now;
	char spec[UE__CAPTURE_SPEC];
	struct ue__section section;
	uint32_t old;
	int error, n;

	if (!ue__enter(&section, UE__READS)) /* or the text of a run-time event may be freed */
		return -EAGAIN;
	n = ue_event_spec(event, spec, sizeof(spec));
	ue__leave(&section);
	/* it is being unregistered: the text may be that of another event */
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
		/* a reader that sees one of these sees that the serial changed */
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

UE__FILE_COLD void ue__capture_failed(struct ue_capture *c)
{
	size_t *lost = c->memory ? &c->memory->lost : &c->lost;

	UE__INCREMENT(lost);
	UE__INCREMENT(&c->pending);
}

/* Writes a record that says how many events are missing. */
UE__FILE_COLD void ue__capture_put_lost(struct ue_capture *c, const struct ue__capture_head *now)
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
	struct ue__capture_common common;
	int error;

	ue__capture_now(&head);
	if (UE__UNLIKELY(UE__LOAD(&c->pid) != head.pid))
		ue__capture_put_program(c, &head);
	if (UE__UNLIKELY(ue__capture_id(c, event, &head, &head.value))) {
		ue__capture_failed(c);
		return;
	}
	head.type = UE__CAPTURE_EVENT;
	common.type = (uint16_t)head.value;
	common.flags = common.preempt = 0;
	common.tid = head.tid;
	if (c->memory) {
		error = ue__capture_event_to_memory(c->memory, &head, &common, payload, size);
	} else {
		if (UE__UNLIKELY(UE__LOAD(&c->pending)))
			ue__capture_put_lost(c, &head);
		error = ue__capture_put(c, &head, &common, sizeof(common), payload, size);
	}
	if (UE__UNLIKELY(error))
		ue__capture_failed(c);
}

/* ---- Capturing an event in memory ---------------------------------------------------------- */

/*
 * The first memory capture gets events as the recorder does, which is cheaper than a probe. Further
 * ones, and those into files, are probes. Its struct ue__recording finds the thread, the CPU and
 * the time. OWN->inside counts the events that are being captured: the end of the capture waits
 * until it is 0. In a child, OWN is zero, and so is the count.
 */
UE__FN void ue__recorder_detect(struct ue__recording *r);

/*
 * Sets who gets the events of this program or library: the recorder, the capture, both or none.
 * Under the lock.
 */
UE__FN void ue__listen(void);

/* memcpy() without the call; some bytes are copied twice. */
static inline void ue__capture_copy(unsigned char *to, const unsigned char *bytes, size_t n)
{
	size_t i;

	if (UE__UNLIKELY(n < 8)) {
		for (i = 0; i < n; i++) {
			to[i] = bytes[i];
			__asm__("" : "+r"(i)); /* else GCC makes it a call */
		}
		return;
	}
	for (i = 8; i < n; i += 8) {
		memcpy(to + i - 8, bytes + i - 8, 8);
		__asm__("" : "+r"(i));
	}
	memcpy(to + n - 8, bytes + n - 8, 8);
}

/* Copies several segments to TO, without the index. */
UE__FILE_COLD void ue__capture_pieces(unsigned char *to, const struct ue__iovec *iov, int count)
{
	size_t skip = 4;

	for (; count; iov++, count--) {
		if (iov->iov_len > skip)
			memcpy(to, (const unsigned char *)iov->iov_base + skip,
			       iov->iov_len - skip);
		to += iov->iov_len - skip;
		skip = 0;
	}
}

/* The pid, at the first event and after a fork: writes a record that names the process. */
UE__FILE_COLD uint32_t ue__capture_process(struct ue__recording *r, struct ue_capture *c,
					   const struct ue__capture_head *now)
{
	struct ue__capture_head head = *now;

	head.pid = (uint32_t)ue__syscall3(__NR_getpid, 0, 0, 0);
	if (UE__LOAD(&c->pid) != head.pid)
		ue__capture_put_program(c, &head);
	if (!(r->ask & UE__RECORDER_ASK_PID))
		UE__STORE(&r->own->pid, head.pid);
	return head.pid;
}

static inline void ue__capture_now_by(struct ue__recording *r, struct ue_capture *c,
				      struct ue__capture_head *head)
{
	head->time = ue__recorder_time(r);
	if (r->by == UE__RECORDER_RSEQ && !r->ask) {
		head->cpu = ue__thread_word(r->rseq);
		head->tid = ue__thread_word(r->tid);
	} else {
		head->cpu = (uint32_t)ue__libc_getcpu();
		head->tid = ue__recorder_tid(r);
	}
	head->pid = UE__LOAD(&r->own->pid);
	if (UE__UNLIKELY(!head->pid))
		head->pid = ue__capture_process(r, c, head);
}

/* Called like ue__record(). */
UE__FILE_HOT void ue__capture_record(struct ue_event *event, const void *bytes, size_t size)
{
	struct ue__recording *r = (struct ue__recording *)UE__LOAD(&ue__state_v1.capturing);
	const struct ue__iovec *iov = NULL;
	struct ue__capture_head head;
	unsigned char *place = NULL;
	struct ue_capture *c;
	struct ue__capture_common common;
	int i, count = 0;

	if (UE__UNLIKELY(!bytes))
		return; /* it is described when it is written */
	__atomic_fetch_add(&r->own->inside, 1u, __ATOMIC_SEQ_CST);
	c = __atomic_load_n(&r->capture, __ATOMIC_SEQ_CST);
	if (UE__UNLIKELY(!c))
		goto out;
	if (UE__UNLIKELY(size > SIZE_MAX / 2)) {
		iov = (const struct ue__iovec *)bytes;
		count = -(int)size;
		for (i = 0, size = 0; i < count; i++)
			size += iov[i].iov_len;
	}
	size -= 4;
	ue__capture_now_by(r, c, &head);
	if (!ue__capture_id(c, event, &head, &head.value) &&
	    size <= UE__CAPTURE_BODY - sizeof(common))
		place = ue__capture_reserve(
			c->memory, sizeof(head) + ue__capture_padded(sizeof(common) + size));
	if (UE__UNLIKELY(!place)) {
		ue__capture_failed(c);
		goto out;
	}
	head.magic = 0; /* stored last, when the event is complete */
	head.check = head.zero = 0;
	head.length = (uint32_t)(sizeof(common) + size);
	head.type = UE__CAPTURE_EVENT;
	common.type = (uint16_t)head.value;
	common.flags = common.preempt = 0;
	common.tid = head.tid;
	memcpy(place, &head, sizeof(head));
	memcpy(place + sizeof(head), &common, sizeof(common));
	place += sizeof(head) + sizeof(common);
	if (UE__UNLIKELY(iov != NULL))
		ue__capture_pieces(place, iov, count);
	else
		ue__capture_copy(place, (const unsigned char *)bytes + 4, size);
	place -= sizeof(head) + sizeof(common);
	__atomic_store_n((uint32_t *)(void *)place, UE__CAPTURE_UNHASHED, __ATOMIC_RELEASE);
out:
	__atomic_fetch_sub(&r->own->inside, 1u, __ATOMIC_RELEASE);
}

UE__FILE_COLD void ue__record_both(struct ue_event *event, const void *bytes, size_t size)
{
	void (*record)(struct ue_event * event, const void *bytes, size_t size) =
		__atomic_load_n(&ue__state_v1.recorder, __ATOMIC_ACQUIRE);

	if (record)
		record(event, bytes, size);
	ue__capture_record(event, bytes, size);
}

UE__FN void ue__listen(void)
{
	UE__KEEP("X"(ue__next_event_copy), "X"(ue__update_our_bits_copy));
	struct ue__state *s = &ue__state_v1;
	const struct ue__recording *r = (const struct ue__recording *)s->capturing;
	struct ue_event *e;
	__typeof__(s->record) record = s->recorder;

	if (r && r->capture)
		record = record ? &ue__record_both : &ue__capture_record;
	__atomic_store_n(&s->record, record, __ATOMIC_RELEASE);
	for (e = ue__next_event(NULL); e; e = ue__next_event(e))
		ue__update_our_bits(e);
}

/* Returns false if another capture is there already. */
UE__FN bool ue__capturing_start(struct ue_capture *c)
{
	UE__KEEP("X"(ue__map_copy), "X"(ue__unlock_copy));
	struct ue__state *s = &ue__state_v1;
	struct ue__recording *r;
	bool starts;

	ue__keep_entries();
	ue__lock();
	r = (struct ue__recording *)s->capturing;
	if (!r) {
		r = (struct ue__recording *)ue__map(sizeof(*r));
		if (r && !(r->own = (struct ue__recorder_own *)ue__map(sizeof(*r->own)))) {
			munmap(r, sizeof(*r));
			r = NULL;
		}
		if (r)
			ue__recorder_detect(r);
		__atomic_store_n(&s->capturing, (void *)r, __ATOMIC_RELEASE);
	}
	starts = r && !r->capture;
	if (starts) {
		UE__STORE(&r->own->pid, 0u);
		__atomic_store_n(&r->capture, c, __ATOMIC_SEQ_CST);
		ue__listen();
	}
	ue__unlock();
	return starts;
}

/* Returns false if C is a probe. */
UE__FN bool ue__capturing_stop(const struct ue_capture *c)
{
	UE__KEEP("X"(ue__unlock_copy), "X"(ue__sleep_copy));
	struct ue__recording *r;
	uint32_t inside;
	bool stops;

	ue__lock();
	r = (struct ue__recording *)ue__state_v1.capturing;
	stops = r && r->capture == c;
	if (stops) {
		__atomic_store_n(&r->capture, (struct ue_capture *)NULL, __ATOMIC_SEQ_CST);
		ue__listen();
	}
	ue__unlock();
	while (stops && (inside = __atomic_load_n(&r->own->inside, __ATOMIC_SEQ_CST)) != 0 &&
	       inside <= INT32_MAX)
		ue__sleep(&r->own->inside, (int)inside, 100);
	return stops;
}

/* ---- Capturing ----------------------------------------------------------------------------- */

static inline int ue__capture_runs(const struct ue_capture *c)
{
	return c->pid != 0;
}

/* Starts C, whose memory or fd is set. */
UE__FN int ue__capture_start(struct ue_capture *c)
{
	UE__KEEP("X"(ue__process_page_copy));
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
	UE__KEEP("X"(ue__duplicate_high_copy), "X"(ue__unlock_copy));
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
	UE__KEEP("X"(ue__syscall5_copy));
	uint64_t limit[2] = { UINT64_MAX, UINT64_MAX }; /* soft and hard: infinite */

	ue__syscall5(__NR_prlimit64, 0, 1 /* RLIMIT_FSIZE */, 0, (long)limit, 0);
	return limit[0];
}

/* The program may have closed it, and have another file there. */
UE__FN bool ue__capture_has_file(const struct ue_capture *c)
{
	UE__KEEP("X"(ue__identify_copy));
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
	UE__KEEP("X"(ue__identify_copy));
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
	UE__KEEP("X"(ue__probing_copy));
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

#else /* UE_DISABLE */

UE__DISABLED(-ENOSYS, int ue_capture_memory(struct ue_capture *c, void *memory, size_t size))
UE__DISABLED(-ENOSYS, int ue_capture_file(struct ue_capture *c, const char *path))
UE__DISABLED(0, int ue_capture_environment(struct ue_capture *c))
UE__DISABLED(-ENOENT, int ue_capture_stop(struct ue_capture *c))
UE__DISABLED(0, uint64_t ue_capture_lost(const struct ue_capture *c))

#endif /* UE_DISABLE */
#ifndef UE_DISABLE

/* ---- A recorder's tables of events and processes ------------------------------------------- */

/* Stores words that are valid once the check before them is stored. */
static inline void ue__recorder_put(uint64_t *at, const uint64_t *words, size_t n)
{
	while (n--)
		ue__recorder_store(at++, *words++);
}

/* Copies the format at OFFSET of the table. Returns its size, or 0 if there is none. */
UE__FN uint32_t ue__recorder_spec_at(const struct ue__recording *r, uint32_t offset,
				     uint64_t *words)
{
	const unsigned char *table = (const unsigned char *)r->head + r->layout.table;
	const uint64_t *at = (const uint64_t *)(const void *)(table + offset);
	struct ue__recorder_spec spec;
	uint32_t size, i;

	words[0] = ue__recorder_load(at);
	words[1] = ue__recorder_load(at + 1);
	memcpy(&spec, words, sizeof(spec));
	if (!spec.check || spec.length >= UE__CAPTURE_SPEC)
		return 0;
	size = (uint32_t)sizeof(spec) + (spec.length & ~15u) + 16;
	if (size > r->layout.table_size - offset)
		return 0;
	for (i = 2; i < size / 8; i++)
		words[i] = ue__recorder_load(at + i);
	return size;
}

static inline uint32_t ue__recorder_spec_check(uint64_t hash, uint32_t offset, uint32_t length)
{
	uint64_t words[2];

	words[0] = hash;
	words[1] = (uint64_t)length << 32 | offset;
	return (uint32_t)ue__recorder_hash(UE__CAPTURE_SEED, words, 16, 0) | 1;
}

/*
 * The place of TEXT in the table, to which it is added if needed; UE__RECORDER_UNKNOWN if there is
 * no room.
 */
UE__FN uint32_t ue__recorder_format(struct ue__recording *r, const char *text, uint32_t length)
{
	uint64_t words[(sizeof(struct ue__recorder_spec) + UE__CAPTURE_SPEC) / 8];
	uint64_t other[sizeof(words) / sizeof(*words)];
	unsigned char *table = (unsigned char *)r->head + r->layout.table;
	struct ue__recorder_spec spec;
	uint32_t size = (uint32_t)sizeof(spec) + (length & ~15u) + 16, at = UE__RECORDER_UNIT, n;
	uint32_t used = __atomic_load_n(&r->head->used, __ATOMIC_ACQUIRE);

	memset(words, 0, sizeof(words));
	memcpy((unsigned char *)words + sizeof(spec), text, length);
	spec.length = length;
	spec.hash = ue__recorder_hash(UE__CAPTURE_SEED, words + 2, size - sizeof(spec), 0);
	for (;;) {
		for (; at < used && at < r->layout.table_size;
		     at += n ? n : (uint32_t)UE__RECORDER_UNIT) {
			n = ue__recorder_spec_at(r, at, other);
			if (n == size && n > sizeof(spec) &&
			    !memcmp(words + 2, other + 2, n - sizeof(spec)))
				return at / UE__RECORDER_UNIT;
		}
		if (used > r->layout.table_size || size > r->layout.table_size - used)
			return UE__RECORDER_UNKNOWN;
		if (__atomic_compare_exchange_n(&r->head->used, &used, used + size, false,
						__ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE))
			break;
	}
	spec.check = ue__recorder_spec_check(spec.hash, used, length);
	memcpy(words, &spec, sizeof(spec));
	ue__recorder_put((uint64_t *)(void *)(table + used) + 1, words + 1, size / 8 - 1);
	ue__recorder_commit((uint64_t *)(void *)(table + used), words[0]);
	return used / UE__RECORDER_UNIT;
}

/* The name within a self-describing event; "" if it has none. */
UE__FN const char *ue__recorder_name(const void *bytes, size_t size)
{
	const unsigned char *p = (const unsigned char *)bytes;
	size_t at = 4 + 8;
	uint16_t extension[2]; /* size and kind */

	for (; at + 4 < size; at += 4 + extension[0]) {
		memcpy(extension, p + at, 4);
		if ((extension[1] & UE__EXTENSION_KINDS) == UE__EXTENSION_METADATA)
			return memchr(p + at + 4, 0, size - at - 4) ? (const char *)p + at + 4 : "";
		if (!(extension[1] & UE__EXTENSION_MORE))
			break;
	}
	return "";
}

/* Does the recorder stop on this event? LOOK: the next one of FORMAT must be checked, too. */
UE__FN bool ue__recorder_stops_on(const struct ue__recording *r, uint32_t format, const void *bytes,
				  size_t size, bool *look)
{
	uint64_t words[(sizeof(struct ue__recorder_spec) + UE__CAPTURE_SPEC) / 8];
	char *spec = (char *)(words + 2), stop_on[sizeof(r->stop_on)];
	size_t i;

	for (i = 0; i < sizeof(stop_on); i++)
		stop_on[i] = UE__LOAD(&r->stop_on[i]);
	stop_on[sizeof(stop_on) - 1] = '\0';
	*look = false;
	if (!*stop_on || format == UE__RECORDER_UNKNOWN ||
	    !ue__recorder_spec_at(r, format * UE__RECORDER_UNIT, words))
		return false;
	spec[UE__CAPTURE_SPEC - 1] = '\0';
	i = strcspn(spec, " ");
	*look = spec[i] && !strcmp(spec + i + 1, UE__SET_FIELDS);
	if (*look && !strcmp(ue__recorder_name(bytes, size), stop_on))
		return true;
	if (i != strlen(stop_on) || memcmp(spec, stop_on, i))
		return false;
	return *look = true;
}

/* Saves the format of a run-time event that is being registered. */
UE__FN void ue__recorder_save_late(struct ue__recording *r, uint32_t serial, uint32_t format)
{
	uint32_t i = UE__LOAD(&r->late_count);

	__atomic_store_n(&r->late[i % UE__RECORDER_LATE].serial, 0u, __ATOMIC_RELAXED);
	__atomic_store_n(&r->late[i % UE__RECORDER_LATE].format, format, __ATOMIC_RELEASE);
	__atomic_store_n(&r->late[i % UE__RECORDER_LATE].serial, serial, __ATOMIC_RELEASE);
	UE__STORE(&r->late_count, i + 1);
}

UE__FN uint32_t ue__recorder_late(const struct ue__recording *r, uint32_t serial)
{
	uint32_t i, format;

	for (i = 0; serial && i < UE__RECORDER_LATE; i++) {
		if (__atomic_load_n(&r->late[i].serial, __ATOMIC_ACQUIRE) != serial)
			continue;
		format = __atomic_load_n(&r->late[i].format, __ATOMIC_ACQUIRE);
		if (UE__LOAD(&r->late[i].serial) == serial) /* serials do not come back */
			return format;
	}
	return UE__RECORDER_UNKNOWN;
}

/* Is this a run-time event's text? Then it may be read only under the lock. */
static inline bool ue__recorder_is_late(const struct ue__desc *text)
{
	const struct ue__cells *c = __atomic_load_n(&ue__state_v1.cells, __ATOMIC_ACQUIRE);

	while (c && (uintptr_t)text - (uintptr_t)c >= sizeof(*c))
		c = __atomic_load_n(&c->next, __ATOMIC_ACQUIRE);
	return c != NULL;
}

/* Limits the fast path of all rings; 0 closes it. */
UE__FN void ue__recorder_limit(const struct ue__recording *r, uint32_t limit)
{
	uint32_t i;

	for (i = 0; i <= r->rings; i++)
		UE__STORE(&r->place[i].counters->limit, limit);
}

UE__FN void ue__recorder_cache(struct ue__recording *r, uint32_t serial, uint32_t what)
{
	struct ue__recorder_cached *k = &r->own->known[serial % UE__RECORDER_CACHED];
#if __SIZEOF_SIZE_T__ > 4
	union {
		uint64_t word;
		struct ue__recorder_cached known;
	} u;

	u.known.serial = serial;
	u.known.what = what;
	UE__STORE((uint64_t *)(void *)k, u.word);
#else
	uint32_t old = UE__LOAD(&k->serial),
		 busy = ~(serial % UE__RECORDER_CACHED); /* no serial of this place */

	if (old == busy || !__atomic_compare_exchange_n(&k->serial, &old, busy, false,
							__ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return;
	__atomic_store_n(&k->what, what, __ATOMIC_RELEASE);
	__atomic_store_n(&k->serial, serial, __ATOMIC_RELEASE);
#endif
}

/* Adds this process to the table. Returns its number in records. */
UE__FILE_COLD uint32_t ue__recorder_add_process(struct ue__recording *r)
{
	uint32_t pid = (uint32_t)ue__syscall3(__NR_getpid, 0, 0, 0), number;
	uint64_t words[sizeof(struct ue__recorder_process) / 8], *at;
	struct ue__recorder_process p;

	if (r->ask & UE__RECORDER_ASK_PID && UE__LOAD(&r->pid) == pid)
		return UE__LOAD(&r->process);
	memset(&p, 0, sizeof(p));
	ue__syscall3(__NR_prctl, 16, (long)p.name, 0); /* PR_GET_NAME */
	p.name[15] = '\0';
	number = __atomic_fetch_add(&r->head->count, 1, __ATOMIC_RELAXED);
	p.number = number;
	p.pid = pid;
	p.start = ue__capture_clock(1);
	p.wall = (int64_t)(ue__capture_clock(0) - p.start);
	p.check = (uint32_t)ue__recorder_hash(UE__CAPTURE_SEED, &p.start, sizeof(p) - 8, 0) ^
		  number;
	memcpy(words, &p, sizeof(p));
	at = (uint64_t *)(void *)((unsigned char *)r->head + r->layout.processes +
				  (number % 4095 + 1) % r->layout.slots * sizeof(p));
	ue__recorder_store(at, 0);
	ue__recorder_put(at + 1, words + 1, sizeof(p) / 8 - 1);
	ue__recorder_commit(at, words[0]);
	number = number % 4095 + 1;
	if (r->ask & UE__RECORDER_ASK_PID) {
		UE__STORE(&r->process, number);
		UE__STORE(&r->pid, pid);
	} else {
		UE__STORE(&r->own->process, number);
	}
	return number;
}

/* This process' number in records. */
static inline uint32_t ue__recorder_this_process(struct ue__recording *r)
{
	uint32_t process = UE__LOAD(&r->own->process);

	return process ? process : ue__recorder_add_process(r);
}

/*
 * Begins to count if the recorder stops on this event, whose beginning is BYTES; else caches its
 * format.
 */
UE__FN void ue__recorder_check_stop(struct ue__recording *r, uint32_t serial, uint32_t format,
				    const void *bytes, size_t size)
{
	uint32_t runs = UE__RECORDER_RUNS;
	bool look;

	if (ue__recorder_stops_on(r, format, bytes, size, &look)) {
		__atomic_compare_exchange_n(&r->head->mode, &runs, (uint32_t)UE__RECORDER_COUNTS,
					    false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
		ue__recorder_limit(r, 0);
	}
	if (!look && format != UE__RECORDER_UNKNOWN)
		ue__recorder_cache(r, serial, ue__recorder_this_process(r) << 14 | format);
}

/*
 * The format of EVENT in records, or 0 if it is gone. A declared event is described when it is
 * first written. A run-time event is described when it is registered, since its text may be freed
 * later.
 */
UE__FILE_COLD uint32_t ue__recorder_describe(struct ue__recording *r, struct ue_event *event,
					     uint32_t serial, const void *bytes, size_t size)
{
	const struct ue__desc *text = UE__LOAD(&event->desc);
	bool late = ue__recorder_is_late(text), locked = !bytes;
	uint32_t format;
	char spec[UE__CAPTURE_SPEC];
	int n;

	if (!serial || !text || (locked && !late))
		return 0;
	if (late && !locked) {
		format = ue__recorder_late(r, serial);
	} else {
		n = ue_event_spec(event, spec, sizeof(spec));
		if (n <= 0)
			return 0;
		format = ue__recorder_format(r, spec, (uint32_t)n);
		if (locked)
			ue__recorder_save_late(r, serial, format);
	}
	if (!locked)
		ue__recorder_check_stop(r, serial, format, bytes, size);
	else if (!*r->stop_on && format != UE__RECORDER_UNKNOWN)
		ue__recorder_cache(r, serial, ue__recorder_this_process(r) << 14 | format);
	return format;
}

/* Counts an event before the stop. Returns false if the recorder has stopped. */
UE__FILE_COLD bool ue__recorder_count_down(struct ue__recorder_head *head)
{
	uint32_t left;

	if (UE__LOAD(&head->mode) == UE__RECORDER_STOPPED)
		return false;
	left = __atomic_fetch_sub(&head->left, 1, __ATOMIC_RELAXED);
	if ((int32_t)left <= 1)
		UE__STORE(&head->mode, (uint32_t)UE__RECORDER_STOPPED);
	return (int32_t)left > 0;
}

/* ---- Recording an event -------------------------------------------------------------------- */

UE__FILE_COLD uint64_t ue__recorder_short(const unsigned char *payload, size_t size)
{
	uint64_t word = 0;

	memcpy(&word, payload, size);
	return word;
}

/*
 * The last, partial word of a payload, padded with zeros. The index before the payload is read,
 * too.
 */
static inline uint64_t ue__recorder_tail(const unsigned char *payload, size_t size)
{
	unsigned int bits = -8u * (unsigned int)size % 64;
	uint64_t word;

	if (UE__UNLIKELY(size < 4))
		return ue__recorder_short(payload, size);
	memcpy(&word, payload + size - 8, 8);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return word >> bits;
#else
	return word << bits;
#endif
}

/* A record that wraps around the ring's end, or comes in several segments. */
struct ue__recorder_out {
	uint64_t *ring;
	uint64_t hash;
	uint32_t at, mask, fill;
	unsigned char word[8];
};

static inline void ue__recorder_add(struct ue__recorder_out *o, const void *data, size_t size)
{
	const unsigned char *p = (const unsigned char *)data;
	uint64_t word;

	for (; size; p += 8 - o->fill, size -= 8 - o->fill, o->fill = 0) {
		size_t n = size < 8 - o->fill ? size : 8 - o->fill;

		memcpy(o->word + o->fill, p, n);
		if (n < 8 - o->fill) {
			o->fill += (uint32_t)n;
			return;
		}
		memcpy(&word, o->word, 8);
		o->hash = ue__recorder_mix(o->hash, word);
		ue__recorder_store(o->ring + (o->at++ & o->mask), word);
	}
}

UE__FILE_COLD uint64_t ue__recorder_pieces(uint64_t *ring, uint32_t mask, uint32_t at,
					   uint64_t hash, const struct ue__iovec *iov, int count)
{
	static const unsigned char zeros[8] = { 0 };
	struct ue__recorder_out o;
	int i;

	o.ring = ring;
	o.mask = mask;
	o.at = at;
	o.hash = hash;
	o.fill = 0;
	ue__recorder_add(&o, (const unsigned char *)iov->iov_base + 4, iov->iov_len - 4);
	for (i = 1; i < count; i++)
		ue__recorder_add(&o, iov[i].iov_base, iov[i].iov_len);
	if (o.fill)
		ue__recorder_add(&o, zeros, 8 - o.fill);
	return o.hash;
}

/* Writes such a record, whose place is reserved. */
UE__FILE_COLD void ue__recorder_write_pieces(struct ue__recording *r,
					     const struct ue__recorder_place *place, uint64_t key,
					     uint64_t time, uint64_t what, uint64_t reserved,
					     const struct ue__iovec *iov, int count)
{
	uint32_t at = (uint32_t)(reserved >> 32), mask = r->mask;
	uint64_t hash = ue__recorder_mix(key + time, what);

	ue__recorder_lap(place->counters, (uint32_t)reserved);
	ue__recorder_store(place->words + ((at + 1) & mask), time);
	ue__recorder_store(place->words + ((at + 2) & mask), what);
	hash = ue__recorder_pieces(place->words, mask, at + 3, hash, iov, count);
	ue__recorder_commit(place->words + (at & mask), ue__recorder_end(hash) ^ reserved);
}

/* KNOWN is process << 14 | format. */
static inline uint64_t ue__recorder_what(uint32_t tid, uint32_t known, size_t size)
{
	return (uint64_t)tid << 42 | (uint64_t)known << 16 | size;
}

/*
 * The slow path: events that are new, in several segments or too large, and recorders that are to
 * stop.
 */
UE__FILE_COLD void ue__record_slowly(struct ue_event *event, const void *bytes, size_t size)
{
	struct ue__recording *r = (struct ue__recording *)UE__LOAD(&ue__state_v1.recording);
	const struct ue__iovec *iov = NULL;
	struct ue__iovec one;
	uint64_t key = ue__recorder_load(&r->key), time, what, reserved;
	uint32_t serial = UE__LOAD(&event->serial), format, process, ring, tid;
	int i, count = 0;

	if (size > SIZE_MAX / 2) {
		iov = (const struct ue__iovec *)bytes;
		count = -(int)size;
		bytes = iov->iov_base;
		for (i = 0, size = 0; i < count; i++)
			size += iov[i].iov_len;
	}
	format = bytes ? ue__recorder_cached_of(r, serial) & UE__RECORDER_UNKNOWN : 0;
	if (!format)
		format = ue__recorder_describe(r, event, serial, bytes, iov ? iov->iov_len : size);
	if (!format || !bytes)
		return;
	process = ue__recorder_this_process(r);
	if (UE__LOAD(&r->head->mode) && !ue__recorder_count_down(r->head))
		return;
	size -= 4;
	ring = ue__recorder_cpu(r) & r->rings;
	if (size > r->largest) {
		UE__INCREMENT(&r->place[ring].counters->large);
		return;
	}
	tid = ue__recorder_tid(r);
	time = ue__recorder_time(r);
	what = ue__recorder_what(tid, process << 14 | format, size);
	one.iov_base = (void *)(uintptr_t)bytes;
	one.iov_len = size + 4;
	reserved = ue__recorder_reserve(r->place[ring].counters,
					(uint32_t)(size + 8 * UE__RECORDER_WORDS + 7) / 8);
	ue__recorder_write_pieces(r, &r->place[ring], key, time, what, reserved, iov ? iov : &one,
				  iov ? count : 1);
}

static inline uint64_t ue__recorder_copy(unsigned char *to, const unsigned char *from,
					 uint64_t hash)
{
	uint64_t word;

	memcpy(&word, from, 8);
	ue__recorder_store((uint64_t *)(void *)to, word);
	return ue__recorder_mix(hash, word);
}

/* The same for one segment. */
UE__FILE_COLD void ue__record_around(const void *bytes, size_t size, struct ue__recording *r,
				     const struct ue__recorder_place *place, uint64_t time,
				     uint64_t what, uint64_t key, uint64_t reserved)
{
	struct ue__iovec one;

	one.iov_base = (void *)(uintptr_t)bytes;
	one.iov_len = size;
	ue__recorder_write_pieces(r, place, key, time, what, reserved, &one, 1);
}

/*
 * Called for each event of this program or library: struct ue__state's RECORD. BYTES are index and
 * payload, or -SIZE segments of them; NULL if the event is being registered, under the lock. All
 * calls are tail calls, so that it saves no registers.
 */
UE__FILE_HOT void ue__record(struct ue_event *event, const void *bytes, size_t size)
{
	struct ue__recording *r = (struct ue__recording *)UE__LOAD(&ue__state_v1.recording);
	const unsigned char *from;
	unsigned char *to;
	uint64_t time, key, reserved, hash, what, word, *first;
	const struct ue__recorder_place *place;
	uint32_t known, at, words;
	ptrdiff_t i;

	/* read before the place is reserved: merged by time, a thread's events stay in order */
	if (UE__UNLIKELY(!ue__clock_counted(&r->own->clock, &time))) {
		ue__record_slowly(event, bytes, size);
		return;
	}
	key = ue__recorder_load(&r->key);
	place = &r->place[ue__thread_word(r->rseq) & r->rings];
	known = ue__recorder_cached_of(r, UE__LOAD(&event->serial));
	size -= 4;
	if (UE__UNLIKELY(!known || size >= UE__LOAD(&place->counters->limit))) {
		ue__record_slowly(event, bytes, size + 4);
		return;
	}
	what = ue__recorder_what(ue__thread_word(r->tid), known, size);
	hash = ue__recorder_mix(key + time, what);
	words = (uint32_t)(size + 8 * UE__RECORDER_WORDS + 7) / 8;
	reserved = ue__recorder_reserve(place->counters, words);
	at = (uint32_t)(reserved >> 32) & r->mask;
	if (UE__UNLIKELY(at + words > r->mask)) {
		ue__record_around(bytes, size + 4, r, place, time, what, key, reserved);
		return;
	}
	first = place->words + at;
	ue__recorder_store(first + 1, time);
	ue__recorder_store(first + 2, what);
	i = -(ptrdiff_t)(size & ~(size_t)7);
	from = (const unsigned char *)bytes + 4 - i;
	to = (unsigned char *)(first + UE__RECORDER_WORDS) - i;
	if (i & 8) {
		hash = ue__recorder_copy(to + i, from + i, hash);
		i += 8;
	}
	for (; i; i += 16) {
		__asm__("" : "+r"(i)); /* one variable for both addresses */
		hash = ue__recorder_copy(to + i, from + i, hash);
		hash = ue__recorder_copy(to + i + 8, from + i + 8, hash);
	}
	if (size & 7) {
		word = ue__recorder_tail((const unsigned char *)bytes + 4, size);
		hash = ue__recorder_mix(hash, word);
		ue__recorder_store((uint64_t *)(void *)to, word);
	}
	ue__recorder_commit(first, ue__recorder_end(hash) ^ reserved);
}

/* ---- The files of recorders ---------------------------------------------------------------- */

#ifdef __cplusplus
extern "C" {
#endif
extern int ue__libc_usleep(unsigned int microseconds) __asm__("usleep");
extern int ue__libc_rename(const char *from, const char *to) __asm__("rename");
#ifdef __GLIBC__
extern int ue__libc_fallocate(int fd, int mode, int64_t from, int64_t size) __asm__("fallocate64");
#else
extern int ue__libc_fallocate(int fd, int mode, int64_t from, int64_t size) __asm__("fallocate");
#endif
#ifdef __cplusplus
}
#endif

/* flock(): a mapping keeps the lock when the file is closed. */
enum { UE__LOCK_SHARED = 1, UE__LOCK_ONE = 2, UE__LOCK_TRY = 4 };
static inline int ue__recorder_flock(int fd, int how)
{
	int error = (int)ue__syscall3(__NR_flock, fd, how | UE__LOCK_TRY, 0);

	/* where files cannot be locked, assume that nobody uses it */
	return error == -EWOULDBLOCK ? error : 0;
}

/* Copy-on-write file systems need new blocks to overwrite data, which a full disk does not have. */
UE__FN bool ue__recorder_copies_on_write(int fd)
{
	static const unsigned long types[] = { 0x9123683eul /* btrfs */,
					       0xca451a4eul /* bcachefs */ };
	struct statfs fs;
	size_t i;
	int error;

	UE__SYSTEM(error, fstatfs(fd, &fs));
	for (i = 0; !error && i < sizeof(types) / sizeof(*types); i++) {
		if (((unsigned long)fs.f_type & 0xffffffffu) == types[i])
			return true;
	}
	return false;
}

/* May a file be of SIZE bytes? To ask the kernel for more ends a program by SIGXFSZ. */
UE__FN bool ue__recorder_may_be(uint64_t size)
{
	return size <= ue__capture_most();
}

UE__FN int ue__recorder_allocate(int fd, uint64_t size)
{
	int error, tries;

	if (!ue__recorder_may_be(size))
		return -EFBIG;
	if (ue__recorder_copies_on_write(fd))
		return -EOPNOTSUPP;
	for (tries = 0; tries < 100; tries++) {
		UE__SYSTEM(error, ue__libc_fallocate(fd, 0, 0, (int64_t)size));
		if (error != -EINTR) /* tmpfs returns it at every signal */
			break;
	}
	return error;
}

UE__FN bool ue__recorder_map(void **memory, void *where, int fd, size_t size)
{
	int saved = errno;
	int flags = fd < 0 ? MAP_SHARED | UE__MAP_ANONYMOUS : MAP_SHARED;

	*memory = mmap(where, size, PROT_READ | PROT_WRITE, flags | (where ? MAP_FIXED : 0), fd, 0);
	errno = saved;
	return *memory != MAP_FAILED;
}

/* Renames the file of another recorder, of any version, to PATH.old. */
UE__FN int ue__recorder_move(int fd, const char *path)
{
	char old[4096];
	size_t n = strlen(path);
	uint32_t magic = 0;
	int error;

	if (ue__syscall3(__NR_read, fd, (long)&magic, 4) != 4 ||
	    (magic != UE__RECORDER_MAGIC && magic != __builtin_bswap32(UE__RECORDER_MAGIC)))
		return -EEXIST;
	if (n + 5 > sizeof(old))
		return -ENAMETOOLONG;
	memcpy(old, path, n);
	memcpy(old + n, ".old", 5);
	UE__SYSTEM(error, ue__libc_rename(path, old));
	return error;
}

UE__FN int ue__recorder_open_file(const char *path, struct stat *status)
{
	int flags = O_RDWR, fd, error;

#if defined(O_NOFOLLOW)
	flags |= O_NOFOLLOW;
#elif defined(__O_NOFOLLOW)
	flags |= __O_NOFOLLOW;
#endif
	fd = ue__capture_open(path, flags);
	if (fd < 0)
		return fd;
	UE__SYSTEM(error, fstat(fd, status));
	if (!error && !S_ISREG(status->st_mode))
		error = -EINVAL;
	if (!error && status->st_uid != geteuid())
		error = -EPERM; /* its owner may truncate it */
	if (error) {
		ue__syscall3(__NR_close, fd, 0, 0);
		return error;
	}
	return fd;
}

/* Does PATH still name this file? */
static inline bool ue__recorder_is_at(const char *path, const struct stat *file)
{
	struct stat now;
	int error;

	UE__SYSTEM(error, stat(path, &now));
	return !error && now.st_dev == file->st_dev && now.st_ino == file->st_ino;
}

/* Reads the layout of a recorder's file. Returns -EEXIST for any other file. */
UE__FN int ue__recorder_join(int fd, const struct stat *status, struct ue__recorder_head *layout)
{
	struct ue__recorder_head head;
	bool swap;
	long n;

	n = ue__syscall3(__NR_read, fd, (long)&head, sizeof(head));
	if (n == (long)sizeof(head) &&
	    ue__recorder_valid(&head, (uint64_t)status->st_size, layout, &swap) && !swap)
		return 0;
	return -EEXIST;
}

/*
 * Opens and locks PATH. Returns its fd. If others record into it, *JOINS is set, and LAYOUT becomes
 * the file's; else the file is new. -EAGAIN: another process is opening it.
 */
UE__FN int ue__recorder_open_once(const char *path, struct ue__recorder_head *layout, bool *joins)
{
	struct ue__recorder_head found;
	struct stat status;
	int fd = ue__recorder_open_file(path, &status), error;

	if (fd < 0)
		return fd;
	error = -EAGAIN;
	*joins = ue__recorder_flock(fd, UE__LOCK_ONE) != 0;
	if (*joins) {
		if (!ue__recorder_flock(fd, UE__LOCK_SHARED) && ue__recorder_is_at(path, &status))
			error = ue__recorder_join(fd, &status, &found);
		if (!error)
			*layout = found;
	} else if (!ue__recorder_is_at(path, &status)) {
		error = -EAGAIN;
	} else if (!status.st_size) {
		error = ue__recorder_allocate(fd, layout->size);
		if (error)
			ue__syscall3(__NR_unlinkat, -100, (long)path, 0); /* AT_FDCWD */
	} else {
		error = ue__recorder_move(fd, path);
		error = error ? error : -EAGAIN;
	}
	if (error) {
		ue__syscall3(__NR_close, fd, 0, 0);
		return error;
	}
	return fd;
}

/* ---- Beginning and ending a recorder ------------------------------------------------------- */

/*
 * Allocates the state for a recorder of this layout, in the memory FIXED or, if that is NULL, in a
 * mapping. Uses a former recorder's if there is one.
 */
UE__FN struct ue__recording *ue__recording_allocate(const struct ue__recorder_head *layout,
						    void *fixed)
{
	UE__KEEP("X"(ue__map_copy), "X"(ue__unlock_copy));
	struct ue__recording **list = &ue__state_v1.recordings, *r;

	ue__lock();
	for (r = *list; r; r = r->next) {
		if (!r->used && r->layout.size == layout->size &&
		    r->layout.rings == layout->rings &&
		    (fixed ? (void *)r->head == fixed : r->mapped))
			break;
	}
	if (!r) {
		r = (struct ue__recording *)ue__map(sizeof(*r));
		if (r) {
			r->next = *list;
			*list = r;
			r->own = (struct ue__recorder_own *)ue__map(sizeof(*r->own));
		}
	}
	if (r && !r->own)
		r = NULL;
	if (r)
		r->used = 1;
	ue__unlock();
	return r;
}

/*
 * Finds where glibc stores a thread's id, in a struct that is larger than this copy of its
 * beginning. It is the one word of the copy that changes the number of the CPU clock. NULL if there
 * is none.
 */
UE__FN const unsigned char *ue__recorder_find_tid(uint32_t tid)
{
#if defined(__GLIBC__) && defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 34)
	const unsigned char *self = (const unsigned char *)ue__libc_self(), *found = NULL;
	uint32_t copy[256], i;
	int clock;

	for (i = 0; i < sizeof(copy) / sizeof(*copy); i++)
		copy[i] = UE__LOAD((const uint32_t *)(const void *)self + i);
	for (i = 0; i < sizeof(copy) / sizeof(*copy); i++) {
		if (copy[i] != tid)
			continue;
		copy[i] = tid ^ 1;
		if (!ue__libc_thread_clock((unsigned long)(uintptr_t)copy, &clock) &&
		    (uint32_t) ~(clock >> 3) == (tid ^ 1))
			found = found ? NULL : self + 4 * i;
		copy[i] = tid;
	}
	return found;
#endif
#endif
	(void)tid;
	return NULL;
}

/* Finds out how to tell thread, CPU and process without a system call. */
UE__FN void ue__recorder_detect(struct ue__recording *r)
{
	UE__KEEP("X"(ue__wipe_on_fork_copy));
	const unsigned char *thread = ue__thread_pointer();
	uint32_t tid = (uint32_t)ue__syscall3(__NR_gettid, 0, 0, 0);
	const unsigned char *at = ue__recorder_find_tid(tid);

	r->ask = 0;
	r->tid = at - thread;
	if (!at || !thread)
		r->ask |= UE__RECORDER_ASK_LIBC;
	if (ue__recorder_tid(r) != tid)
		r->ask |= UE__RECORDER_ASK_TID;
	if (!ue__wipe_on_fork(r->own, sizeof(*r->own)))
		r->ask |= UE__RECORDER_ASK_PID;
	if (!ue__counter_is_clock())
		r->ask |= UE__RECORDER_ASK_CLOCK;
	r->by = UE__RECORDER_THREAD;
#if defined(__x86_64__) || defined(__i386__) /* elsewhere it may be a system call */
	r->by = UE__RECORDER_GETCPU;
#endif
#ifdef __GLIBC__
	if (&ue__libc_rseq_size && &ue__libc_rseq_offset && ue__libc_rseq_size &&
	    ue__thread_pointer()) {
		r->by = UE__RECORDER_RSEQ;
		r->rseq = ue__libc_rseq_offset;
	}
#endif
}

/* Makes a recorder of MEMORY, which has zeros. */
UE__FN void ue__recorder_make(void *memory, struct ue__recorder_head *layout, unsigned int by)
{
	uint64_t random[2];

	ue__random(random);
	layout->key = random[0];
	layout->start = ue__capture_clock(1);
	layout->wall = (int64_t)(ue__capture_clock(0) - layout->start);
	layout->flags = by == UE__RECORDER_THREAD ? UE__RECORDER_BY_THREAD : 0;
	layout->magic = 0;
	layout->check = ue__recorder_check(layout, 0);
	memcpy(memory, layout, sizeof(*layout));
	layout->magic = UE__RECORDER_MAGIC;
	__atomic_store_n((uint32_t *)memory, UE__RECORDER_MAGIC, __ATOMIC_RELEASE);
}

/* Empties the cache of formats; no serial is 0. */
UE__FN void ue__recorder_clear_cache(struct ue__recording *r)
{
	uint32_t i;

	for (i = 0; i < UE__RECORDER_CACHED; i++)
		UE__STORE(&r->own->known[i].serial, 0u);
}

/* Sets what stays the same when R is used again: writers may still read it. */
UE__FN void ue__recording_prepare(struct ue__recording *r, void *memory,
				  const struct ue__recorder_head *layout, bool mapped)
{
	unsigned char *base = (unsigned char *)memory;
	uint32_t i;

	if (r->head)
		return;
	r->head = (struct ue__recorder_head *)memory;
	r->layout = *layout;
	r->mapped = mapped;
	for (i = 0; i < r->layout.rings; i++) {
		r->place[i].counters = (struct ue__recorder_ring *)(void *)(r->head + 1) + i;
		r->place[i].words = (uint64_t *)(void *)(base + r->layout.data +
							 ((size_t)i << r->layout.shift));
	}
	r->rings = r->layout.rings - 1;
	r->mask = (uint32_t)(((uint64_t)1 << r->layout.shift) / 8 - 1);
	r->largest = ue__recorder_largest(r->layout.shift);
	ue__recorder_detect(r);
}

/* Sends every event to R from now on. */
UE__FN int ue__recording_start(struct ue__recording *r, uint64_t key)
{
	UE__KEEP("X"(ue__unlock_copy));
	struct ue__state *s = &ue__state_v1;
	uint32_t i;
	int error = 0;

	UE__STORE(&r->own->process, 0u);
	ue__recorder_clear_cache(r);
	if (!UE__LOAD(&r->head->mode))
		ue__recorder_limit(r, r->largest);
	for (i = 0; i < UE__RECORDER_LATE; i++)
		UE__STORE(&r->late[i].serial, 0u);
	UE__STORE(&r->stop_on[0], '\0');
	UE__STORE(&r->pid, 0u);
	ue__recorder_add_process(r);
	ue__recorder_commit(&r->key, key);
	ue__keep_entries();
	ue__lock();
	if (s->recorder) {
		error = -EBUSY;
	} else {
		__atomic_store_n(&s->recording, (void *)r, __ATOMIC_RELEASE);
		__atomic_store_n(&s->recorder,
				 r->by == UE__RECORDER_RSEQ && !r->ask ? &ue__record
								       : &ue__record_slowly,
				 __ATOMIC_RELEASE);
		ue__listen();
	}
	ue__unlock();
	return error;
}

/* Replaces the mapping: what late writers write goes nowhere. */
UE__FN void ue__recording_release(struct ue__recording *r)
{
	UE__KEEP("X"(ue__unlock_copy));
	void *empty;

	if (r->mapped)
		ue__recorder_map(&empty, r->head, -1, (size_t)r->layout.size);
	ue__lock();
	r->used = 0;
	ue__unlock();
}

UE__FN int ue__recorder_plan(struct ue__recorder_head *layout, size_t events, unsigned int flags)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	uint64_t size = 1024;
	uint32_t rings = 1;

	if (flags > UE__RECORDER_RINGS || flags & (flags - 1) ||
	    events / 1024 < (flags ? flags : 1))
		return -EINVAL;
	while (size <= events / 2)
		size *= 2;
	while (rings < (uint32_t)cpus && rings < UE__RECORDER_RINGS && cpus > 0 &&
	       size / rings > 65536)
		rings *= 2;
	if (size / (flags ? flags : rings) > (uint64_t)1 << 34 ||
	    !ue__recorder_layout(layout, size, flags ? flags : rings))
		return -EINVAL;
	return 0;
}

/* Maps the file and starts. FD is -1 for memory without a name. */
UE__FN int ue__recorder_begin(struct ue__recorder_head *layout, int fd, bool joins)
{
	struct ue__recording *r = ue__recording_allocate(layout, NULL);
	void *memory;
	int error;

	if (!r)
		return -ENOMEM;
	if (!ue__recorder_map(&memory, r->mapped ? r->head : NULL, fd, (size_t)layout->size)) {
		r->used = 0;
		return -ENOMEM;
	}
	ue__recording_prepare(r, memory, layout, true);
	if (!joins)
		ue__recorder_make(memory, layout, r->by);
	error = ue__recording_start(r, layout->key);
	if (error)
		ue__recording_release(r);
	return error;
}

UE__FN int ue_recorder_open(const char *path, size_t size, unsigned int flags)
{
	struct ue__recorder_head layout;
	int error = ue__recorder_plan(&layout, size, flags), fd = -1, tries = 0;
	bool joins = false;

	if (error || size < 4096)
		return -EINVAL;
	if (__atomic_load_n(&ue__state_v1.recorder, __ATOMIC_ACQUIRE))
		return -EBUSY;
	if (!path)
		return ue__recorder_begin(&layout, -1, false);
	do {
		fd = ue__recorder_open_once(path, &layout, &joins);
		if (fd == -EAGAIN)
			ue__libc_usleep(1000);
	} while (fd == -EAGAIN && tries++ < 1000);
	if (fd < 0)
		return fd;
	error = ue__recorder_begin(&layout, fd, joins);
	if (!error && !joins)
		ue__recorder_flock(fd, UE__LOCK_SHARED);
	ue__syscall3(__NR_close, fd, 0, 0);
	return error;
}

UE__FN size_t ue_recorder_size(size_t events, unsigned int flags)
{
	struct ue__recorder_head layout;

	return ue__recorder_plan(&layout, events, flags) ? 0 : (size_t)layout.size;
}

UE__FN int ue_recorder_memory(void *memory, size_t size, unsigned int flags)
{
	size_t skip = (8 - (uintptr_t)memory % 8) % 8, events = size;
	unsigned char *start = (unsigned char *)memory + skip;
	struct ue__recorder_head layout;
	struct ue__recording *r;
	int error;

	if (!memory || size < 4096)
		return -EINVAL;
	while (!(error = ue__recorder_plan(&layout, events, flags)) && layout.size > size - skip)
		events /= 2;
	if (error)
		return error;
	if (__atomic_load_n(&ue__state_v1.recorder, __ATOMIC_ACQUIRE))
		return -EBUSY;
	r = ue__recording_allocate(&layout, start);
	if (!r)
		return -ENOMEM;
	memset(start, 0, size - skip);
	ue__recording_prepare(r, start, &layout, false);
	ue__recorder_make(start, &layout, r->by);
	error = ue__recording_start(r, layout.key);
	if (error)
		ue__recording_release(r);
	return error;
}

UE__FN int ue_recorder_close(void)
{
	UE__KEEP("X"(ue__unlock_copy));
	struct ue__state *s = &ue__state_v1;
	bool runs;

	ue__lock();
	runs = s->recorder != NULL;
	if (runs) {
		__atomic_store_n(&s->recorder, (__typeof__(s->recorder))NULL, __ATOMIC_RELEASE);
		ue__listen();
	}
	ue__unlock();
	if (!runs)
		return -ENOENT;
	ue__recording_release((struct ue__recording *)s->recording);
	return 0;
}

#else /* UE_DISABLE */

UE__DISABLED(-ENOSYS, int ue_recorder_open(const char *path, size_t size, unsigned int flags))
UE__DISABLED(events, size_t ue_recorder_size(size_t events, unsigned int flags))
UE__DISABLED(ue_recorder_open(NULL, size, flags),
	     int ue_recorder_memory(void *memory, size_t size, unsigned int flags))
UE__DISABLED(-ENOENT, int ue_recorder_close(void))

#endif /* UE_DISABLE */
#ifndef UE_DISABLE

/* ---- Controlling a recorder: environment, stop, snapshots ---------------------------------- */

/* Parses "64K". Returns 0 if the text is no number. */
UE__FN size_t ue__recorder_number(const char *s, bool units)
{
	static const char suffixes[] = "KMG";
	const char *suffix;
	uint64_t n = 0;

	while (*s >= '0' && *s <= '9' && n <= UINT32_MAX)
		n = 10 * n + (uint64_t)(*s++ - '0');
	if (units && *s && (suffix = strchr(suffixes, *s)) != NULL) {
		n <<= 10 * (suffix - suffixes + 1);
		s++;
	}
	return *s || n > SIZE_MAX ? 0 : (size_t)n;
}

/* Splits "TEXT:NUMBER". Returns the length of TEXT, and sets *NUMBER if there is a number. */
UE__FN size_t ue__recorder_split(const char *text, bool units, size_t *number)
{
	const char *colon = strrchr(text, ':');
	size_t n = colon && colon[1] ? ue__recorder_number(colon + 1, units) : 0;

	if (!n && !(colon && !units && !strcmp(colon, ":0")))
		return strlen(text);
	*number = n;
	return (size_t)(colon - text);
}

/* Is a size meant, but none there? "PATH:", "PATH:64Q"; but paths may contain colons. */
static inline bool ue__recorder_bad_size(const char *record, size_t path)
{
	const char *colon = strrchr(record, ':');

	return !record[path] && colon && !strchr(colon, '/') &&
	       (!colon[1] || (colon[1] >= '0' && colon[1] <= '9'));
}

UE__FN int ue_recorder_environment(void)
{
	const char *record = getenv("UE_RECORD"), *stop = getenv("UE_RECORD_STOP_ON");
	size_t size = 1 << 20, after = 1000, n;
	char text[4096];
	int error;

	if (!record || !*record || getauxval(AT_SECURE))
		return 0;
	n = ue__recorder_split(record, true, &size);
	if (ue__recorder_bad_size(record, n))
		return -EINVAL;
	if (n >= sizeof(text))
		return -ENAMETOOLONG;
	memcpy(text, record, n);
	text[n] = '\0';
	error = ue_recorder_open(text, size, 0);
	if (!error && stop && *stop) {
		n = ue__recorder_split(stop, false, &after);
		if (n >= 64 || after > INT32_MAX - 1u)
			return -EINVAL;
		memcpy(text, stop, n);
		text[n] = '\0';
		error = ue_recorder_stop_on(text, (unsigned int)after);
	}
	return error ? error : 1;
}

static inline struct ue__recording *ue__recorder_running(void)
{
	if (!__atomic_load_n(&ue__state_v1.recorder, __ATOMIC_ACQUIRE))
		return NULL;
	return (struct ue__recording *)UE__LOAD(&ue__state_v1.recording);
}

UE__FN int ue_recorder_stop_on(const char *name, unsigned int after)
{
	UE__KEEP("X"(ue__unlock_copy));
	struct ue__recording *r = ue__recorder_running();
	size_t n = name ? strlen(name) : 0;
	uint32_t i;

	if (!r)
		return -ENOENT;
	if (n >= sizeof(r->stop_on) || after > INT32_MAX - 1u)
		return -EINVAL;
	ue__lock();
	/* the first character is stored last: until then writers see an empty name */
	__atomic_store_n(&r->stop_on[0], '\0', __ATOMIC_SEQ_CST);
	for (i = 1; i < n; i++)
		UE__STORE(&r->stop_on[i], name[i]);
	UE__STORE(&r->stop_on[n], '\0');
	if (n)
		__atomic_store_n(&r->stop_on[0], name[0], __ATOMIC_SEQ_CST);
	UE__STORE(&r->head->left, (uint32_t)after + 1);
	ue__recorder_clear_cache(r); /* events of this name take the slow path */
	__atomic_store_n(&r->head->mode, (uint32_t)UE__RECORDER_RUNS, __ATOMIC_SEQ_CST);
	ue__recorder_limit(r, r->largest);
	ue__unlock();
	return 0;
}

UE__FN int ue_recorder_snapshot(const char *path)
{
	const struct ue__recording *r = ue__recorder_running();
	const unsigned char *p;
	uint64_t left;
	int fd, error = 0;
	long n;

	if (!r)
		return -ENOENT;
	if (!ue__recorder_may_be(r->layout.size))
		return -EFBIG;
	fd = ue__capture_open(path, O_WRONLY | O_TRUNC);
	if (fd < 0)
		return fd;
	/*
	 * the counters come first: events written meanwhile are behind them, and are read as well
	 */
	for (p = (const unsigned char *)r->head, left = r->layout.size; left && !error;) {
		n = ue__syscall3(__NR_write, fd, (long)p, (long)(left < 1 << 20 ? left : 1 << 20));
		if (n > 0) {
			p += n;
			left -= (uint64_t)n;
		} else if (n != -EINTR) {
			error = n ? (int)n : -EIO;
		}
	}
	ue__syscall3(__NR_close, fd, 0, 0);
	return error;
}

#else /* UE_DISABLE */

UE__DISABLED(0, int ue_recorder_environment(void))
UE__DISABLED(-ENOENT, int ue_recorder_stop_on(const char *name, unsigned int after))
UE__DISABLED(-ENOENT, int ue_recorder_snapshot(const char *path))

#endif /* UE_DISABLE */

/* ---- Reading captures ---------------------------------------------------------------------- */

struct ue__capture_record {
	const uint8_t *body;
	size_t length, size; /* of the body; of all */
	uint64_t value, time;
	uint32_t type, pid, tid, cpu;
	int big;
};

/*
 * Is there a whole record at OFFSET? If it is damaged, sets *HURT to its size, else to 0: callers
 * bound the work with that.
 */
UE__FN int ue__capture_at(const uint8_t *bytes, size_t size, size_t offset,
			  struct ue__capture_record *r, size_t *hurt)
{
	const uint8_t *p = bytes + offset;
	size_t room = size - offset;
	uint32_t magic;
	int swap;
	uint64_t h;

	*hurt = 0;
	if (room < sizeof(struct ue__capture_head))
		return 0;
	r->big = p[0] == UE__CAPTURE_MAGIC >> 24;
	magic = ue__decode_u32(p, r->big);
	if (magic != UE__CAPTURE_MAGIC && magic != UE__CAPTURE_UNHASHED)
		return 0;
	r->length = ue__decode_u32(p + 8, r->big);
	if (r->length > UE__CAPTURE_BODY)
		return 0;
	r->size = sizeof(struct ue__capture_head) + ue__capture_padded(r->length);
	if (r->size > room)
		return 0;
	*hurt = r->size;
	swap = r->big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	h = 0;
	if (magic == UE__CAPTURE_MAGIC)
		h = ue__capture_end(ue__capture_mix(UE__CAPTURE_SEED, p + 8, r->size - 8, swap));
	if ((uint32_t)h != ue__decode_u32(p + 4, r->big))
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
	/* an event that was not finished at the stop is skipped as damage */
	if (c->pid)
		reader->live = c->memory;
	return 0;
}

UE__FN struct ue__capture_place *ue__capture_place_of(struct ue_capture_reader *reader, uint64_t id)
{
	size_t i, at = (size_t)id;

	/* a bound: hostile bytes may fill the table and then name other formats */
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

/* Skips damaged bytes up to the next record. */
UE__FILE_COLD int ue__capture_skip(struct ue_capture_reader *reader)
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
	/* what begins like a record and has none behind it was cut */
	ue__capture_at(reader->bytes, reader->size, start, &r, &hurt);
	if (error != UE_CAPTURE_EWORK && next == reader->size && !hurt &&
	    (!memcmp(p, magics[0], left < 4 ? left : 4) ||
	     !memcmp(p, magics[1], left < 4 ? left : 4)))
		error = UE_CAPTURE_ECUT;
	return ue__capture_bad(reader, error, start, next - start);
}

/* Skips the head of a memory capture. Returns whether there is one. */
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

/* Decodes a self-describing event. */
UE__FN void ue__capture_decode(struct ue_capture_event *event)
{
	event->eventheader = (uint8_t)ue__capture_is_set(event->spec);
	if (!event->eventheader) {
		memset(&event->decoded, 0, sizeof(event->decoded));
		return;
	}
	ue_decode_parse(&event->decoded, event->spec, event->name_length, event->record + 8,
			event->size - 8);
	if (event->decoded.name) {
		event->name = event->decoded.name;
		event->name_length = event->decoded.name_length;
	}
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
	event->offset = offset;
	ue__capture_decode(event);
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
		if (reader->live &&
		    !__atomic_load_n((const uint32_t *)(const void *)(reader->bytes + offset),
				     __ATOMIC_ACQUIRE))
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

/* ---- The format file of a kernel-typed event ----------------------------------------------- */

UE__FN void ue__capture_property(struct ue__text *t, const char *name, uint64_t value)
{
	UE__KEEP("X"(ue__put_copy), "X"(ue__put_number_copy));
	ue__put(t, name);
	ue__put_number(t, value, 10);
}

/* The line of field F at OFFSET. Returns where the field ends. */
UE__FN uint64_t ue__capture_field(struct ue__text *t, const struct ue__field_words *f,
				  uint64_t offset)
{
	UE__KEEP("X"(ue__size_of_field_copy), "X"(ue__put_copy), "X"(ue__put_bytes_copy));
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

UE__FN size_t ue_capture_format_text(const char *spec, unsigned int id, char *buffer, size_t size)
{
	UE__KEEP("X"(ue__put_copy), "X"(ue__put_bytes_copy), "X"(ue__split_field_copy));
	static const char common[] =
		"\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
		"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n";
	const char *p = spec + strcspn(spec, " ");
	struct ue__text t = ue__text_in(buffer, size);
	struct ue__field_words f;
	uint64_t offset = 8;

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

/* ---- Unit tests: finding events and their fields ------------------------------------------- */

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

/* ---- Fields of captured events ------------------------------------------------------------- */

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
		if (ue_decode_format_item(&f.format, &f.fields[i], event->record, event->size,
					  item))
			return -EBADMSG;
		/* F ends with this function; the spec has the name, too */
		field = event->spec;
		while ((field = strchr(field + 1, ' ')) != NULL) {
			if (!strncmp(field + 1, path, n) && !ue__is_word(field[1 + n]))
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
		if (i->depth != depth ||
		    (element ? i->index != index : !ue__captured_is(i, path, n)))
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
	*is_signed = item.format == UE_DECODE_FORMAT_SIGNED ||
		     item.format == UE_DECODE_FORMAT_ERRNO || item.format == UE_DECODE_FORMAT_PID ||
		     item.format == UE_DECODE_FORMAT_TIME;
	if (item.format == UE_DECODE_FORMAT_PORT && item.size == 2) /* in network byte order */
		*bits = ue__decode_u16(item.value, 1);
	unused = 64 - 8 * (unsigned int)item.size;
	if (*is_signed && !*is_float)
		*bits = (uint64_t)((int64_t)(*bits << unused) >> unused);
	return 1;
}

static inline uint64_t ue__captured_integer(const struct ue_capture_event *event, const char *field,
					    uint64_t none)
{
	uint64_t bits;
	int is_signed, is_float;

	if (!ue__captured_bits(event, field, &bits, &is_signed, &is_float) || is_float)
		return none;
	return bits;
}

UE__FN uint64_t ue_captured_u64(const struct ue_capture_event *event, const char *field)
{
	return ue__captured_integer(event, field, UINT64_MAX);
}

UE__FN int64_t ue_captured_i64(const struct ue_capture_event *event, const char *field)
{
	return (int64_t)ue__captured_integer(event, field, (uint64_t)INT64_MIN);
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

UE__FN int ue_captured_string(const struct ue_capture_event *event, const char *field, char *buffer,
			      size_t size)
{
	struct ue_decode_item item;

	if (size)
		*buffer = '\0';
	if (ue_captured_item(event, field, &item) || item.type == UE_DECODE_STRUCT ||
	    (item.type == UE_DECODE_ARRAY && !item.value))
		return -ENOENT;
	return (int)ue_decode_value(&item, 0, buffer, size);
}

/* What JSON tells of EVENT. True if that is an EventHeader event, else FORMAT has its fields. */
UE__FN bool ue__captured_meta(const struct ue_capture_event *event, struct ue_decode_meta *meta,
			      struct ue__capture_format *format)
{
	meta->time = event->time + (uint64_t)event->wall;
	meta->cpu = event->cpu;
	meta->pid = event->pid;
	meta->tid = event->tid;
	meta->known = UE_DECODE_HAS_TIME | UE_DECODE_HAS_CPU | UE_DECODE_HAS_PID |
		      UE_DECODE_HAS_TID | (event->wall ? UE_DECODE_HAS_WALL_TIME : 0);
	if (!event->eventheader)
		ue__capture_parse(event, format);
	return event->eventheader;
}

UE__FN size_t ue_captured_json(const struct ue_capture_event *event, unsigned int flags,
			       char *buffer, size_t size)
{
	struct ue_decode_event decoded = event->decoded;
	struct ue__capture_format f;
	struct ue_decode_meta meta;

	if (ue__captured_meta(event, &meta, &f))
		return ue_decode_json(&decoded, &meta, flags, buffer, size);
	return ue_decode_format_json(&f.format, event->record, event->size, &meta, flags, buffer,
				     size);
}

UE__FN int ue_captured_json_to(const struct ue_capture_event *event, unsigned int flags,
			       ue_decode_write_fn write, void *context)
{
	struct ue_decode_event decoded = event->decoded;
	struct ue__capture_format f;
	struct ue_decode_meta meta;

	if (ue__captured_meta(event, &meta, &f))
		return ue_decode_json_to(&decoded, &meta, flags, write, context);
	return ue_decode_format_json_to(&f.format, event->record, event->size, &meta, flags, write,
					context);
}

/* ---- Finding whole records ----------------------------------------------------------------- */

static inline uint32_t ue__recorder_u32(const struct ue_recorder_reader *reader, size_t offset)
{
	uint32_t v;

	if (reader->live)
		return __atomic_load_n((const uint32_t *)(const void *)(reader->bytes + offset),
				       __ATOMIC_ACQUIRE);
	memcpy(&v, reader->bytes + offset, 4);
	return reader->swap ? __builtin_bswap32(v) : v;
}

/* A word as it is stored. In live memory, its halves may be of different stores; the hash tells. */
static inline uint64_t ue__recorder_raw(const struct ue_recorder_reader *reader, size_t offset)
{
	uint64_t word;

	if (reader->live) {
#if __SIZEOF_SIZE_T__ > 4
		return __atomic_load_n((const uint64_t *)(const void *)(reader->bytes + offset),
				       __ATOMIC_ACQUIRE);
#else
		uint32_t halves[2];

		halves[0] = ue__recorder_u32(reader, offset);
		halves[1] = ue__recorder_u32(reader, offset + 4);
		memcpy(&word, halves, 8);
		return word;
#endif
	}
	memcpy(&word, reader->bytes + offset, 8);
	return word;
}

static inline uint64_t ue__recorder_word(const struct ue_recorder_reader *reader, size_t offset)
{
	uint64_t word = ue__recorder_raw(reader, offset);

	return reader->swap ? __builtin_bswap64(word) : word;
}

struct ue__recorder_found {
	uint64_t time, what;
	uint32_t words, sequence;
};

/*
 * Is there a whole record of at most MOST words at position AT? Copies its payload, unless PAYLOAD
 * is NULL.
 */
UE__FN bool ue__recorder_whole(struct ue_recorder_reader *reader, uint32_t ring, uint32_t at,
			       uint32_t most, struct ue__recorder_found *f, uint64_t *payload)
{
	size_t base = reader->layout.data + ((size_t)ring << reader->layout.shift);
	uint32_t mask = (uint32_t)(((uint64_t)1 << reader->layout.shift) / 8 - 1), size, i;
	uint64_t first = ue__recorder_word(reader, base + 8 * (size_t)(at & mask)), hash;

	if (!first)
		return false;
	f->what = ue__recorder_word(reader, base + 8 * (size_t)((at + 2) & mask));
	size = f->what & 0xffff;
	f->words = UE__RECORDER_WORDS + (size + 7) / 8;
	if (f->words > most || size > ue__recorder_largest(reader->layout.shift))
		return false;
	reader->work += f->words;
	f->time = ue__recorder_word(reader, base + 8 * (size_t)((at + 1) & mask));
	hash = ue__recorder_mix(reader->layout.key + f->time, f->what);
	for (i = UE__RECORDER_WORDS; i < f->words; i++) {
		uint64_t raw = ue__recorder_raw(reader, base + 8 * (size_t)((at + i) & mask));

		hash = ue__recorder_mix(hash, reader->swap ? __builtin_bswap64(raw) : raw);
		if (payload)
			*payload++ = raw;
	}
	hash = ue__recorder_end(hash) ^ first;
	f->sequence = (uint32_t)hash;
	return hash >> 32 == at;
}

/*
 * Is A at most MOST behind B? Either may be a little ahead, since 32-bit machines count in two
 * steps.
 */
static inline bool ue__recorder_near(uint32_t a, uint32_t b, uint32_t most)
{
	return a - b + 256 <= most + 512;
}

/* Finds the end of what is written to the ring. */
UE__FN void ue__recorder_extent(struct ue_recorder_reader *reader, uint32_t ring)
{
	struct ue__recorder_cursor *c = &reader->rings[ring];
	size_t at = sizeof(struct ue__recorder_head) + ring * sizeof(struct ue__recorder_ring);
	uint32_t words = (uint32_t)(((uint64_t)1 << reader->layout.shift) / 8), most = words;
	uint64_t next = ue__recorder_word(reader, at), laps;
	uint32_t count;
	struct ue__recorder_found f;

	laps = ue__recorder_u32(reader, at + offsetof(struct ue__recorder_ring, laps));
	count = ue__recorder_u32(reader, at + offsetof(struct ue__recorder_ring, count));
	if ((uint32_t)next < count && count - (uint32_t)next > UINT32_MAX / 2)
		laps++;
	c->total = laps << 32 | (uint32_t)next;
	c->end = (uint32_t)(next >> 32);
	/* records written while the bytes were copied: the counters came first */
	while (ue__recorder_whole(reader, ring, c->end, most, &f, NULL) &&
	       ue__recorder_near(f.sequence, (uint32_t)c->total, 0)) {
		most -= f.words;
		c->end += f.words;
		if ((int32_t)(f.sequence - (uint32_t)c->total) >= 0)
			c->total += f.sequence - (uint32_t)c->total + 1;
	}
	if (c->end - c->at > words) {
		c->jumped = 1;
		c->have = 0;
		c->at = c->end - words;
	}
}

/* Finds the next whole record of a ring. What it skips was overwritten or torn. */
UE__FN void ue__recorder_seek(struct ue_recorder_reader *reader, uint32_t ring)
{
	struct ue__recorder_cursor *c = &reader->rings[ring];
	uint32_t at;

	if (c->have)
		return;
	if (reader->live)
		ue__recorder_extent(reader, ring);
	for (at = c->at; at != c->end; at++) {
		struct ue__recorder_found f;
		uint32_t left = c->end - at;

		/*
		 * the next one is being written; after an overflow of the count, it is a word
		 * behind
		 */
		if (reader->follow && at - c->at > 1 && !c->jumped && (c->whole || c->unlapped))
			return;

		if (ue__recorder_whole(reader, ring, at, left, &f, NULL) &&
		    ue__recorder_near((uint32_t)c->total, f.sequence, left / UE__RECORDER_WORDS)) {
			c->have = 1;
			c->at = at;
			c->time = f.time;
			return;
		}
		if (reader->work / 64 > reader->layout.size)
			break;
	}
	if (!reader->follow)
		c->at = c->end;
}

/* ---- Events from records ------------------------------------------------------------------- */

/* The format's text, which is checked once, or "unknown". */
UE__FN const char *ue__recorder_text(struct ue_recorder_reader *reader, uint32_t format,
				     uint64_t *id)
{
	size_t offset = (size_t)format * UE__RECORDER_UNIT, at = reader->layout.table + offset,
	       size;
	struct ue__recorder_spec spec;
	const char *text;
	uint64_t words[2];

	*id = 0;
	if (!format || offset + 2 * UE__RECORDER_UNIT > reader->layout.table_size)
		return "unknown";
	spec.check = ue__recorder_u32(reader, at);
	spec.length = ue__recorder_u32(reader, at + 4);
	*id = spec.hash = ue__recorder_word(reader, at + 8);
	text = (const char *)reader->bytes + at + sizeof(spec);
	if (reader->checked[format / 8] & 1u << format % 8)
		return text;
	*id = 0;
	size = (spec.length & ~(size_t)15) + 16;
	words[0] = spec.hash;
	words[1] = (uint64_t)spec.length << 32 | (uint32_t)offset;
	if (!spec.check || !spec.length || spec.length >= UE__CAPTURE_SPEC ||
	    size > reader->layout.table_size - offset - sizeof(spec) ||
	    ((uint32_t)ue__recorder_hash(UE__CAPTURE_SEED, words, 16, 0) | 1) != spec.check ||
	    memchr(text, 0, size) != text + spec.length ||
	    ue__recorder_hash(UE__CAPTURE_SEED, text, size, reader->swap) != spec.hash)
		return "unknown";
	reader->checked[format / 8] |= (uint8_t)(1u << format % 8);
	*id = spec.hash;
	return text;
}

/* Sets the process that wrote it, if the table still has it. */
UE__FN void ue__recorder_who(const struct ue_recorder_reader *reader, uint32_t number,
			     struct ue_capture_event *event)
{
	size_t at = reader->layout.processes +
		    number % reader->layout.slots * sizeof(struct ue__recorder_process);
	uint64_t words[5], start = ue__recorder_word(reader, at + 8);
	uint32_t full = ue__recorder_u32(reader, at + 4), i;

	for (i = 0; i < 5; i++)
		words[i] = ue__recorder_raw(reader, at + 8 + 8 * i);
	if (full % 4095 + 1 != number || start > event->time ||
	    ((uint32_t)ue__recorder_hash(UE__CAPTURE_SEED, words, sizeof(words), reader->swap) ^
	     full) != ue__recorder_u32(reader, at) ||
	    !memchr(words + 3, 0, 16))
		return;
	event->wall = (int64_t)ue__recorder_word(reader, at + 16);
	event->pid = ue__recorder_u32(reader, at + 24);
	event->program = (const char *)reader->bytes + at + 32;
}

UE__FN void ue__recorder_event(struct ue_recorder_reader *reader, uint32_t ring,
			       const struct ue__recorder_found *f, struct ue_capture_event *event)
{
	struct ue__capture_common common;

	event->spec =
		ue__recorder_text(reader, f->what >> 16 & UE__RECORDER_UNKNOWN, &event->format);
	event->name = event->spec;
	event->name_length = strcspn(event->spec, " ");
	event->record = (const uint8_t *)reader->record;
	event->size = (f->what & 0xffff) + sizeof(common);
	event->time = f->time;
	event->wall = reader->layout.wall;
	event->program = "";
	event->pid = 0;
	event->tid = (uint32_t)(f->what >> 42);
	event->cpu = reader->layout.flags & UE__RECORDER_BY_THREAD ? UINT32_MAX : ring;
	event->big_endian = reader->swap != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	event->offset = 0;
	ue__recorder_who(reader, (uint32_t)(f->what >> 30) & 4095, event);
	common.type = (uint16_t)event->format;
	common.flags = common.preempt = 0;
	common.tid = reader->swap ? __builtin_bswap32(event->tid) : event->tid;
	if (reader->swap)
		common.type = __builtin_bswap16(common.type);
	memcpy(reader->record, &common, sizeof(common));
	ue__capture_decode(event);
}

/* ---- Reading recorders --------------------------------------------------------------------- */

UE__FN void ue__recorder_scan(struct ue_recorder_reader *reader, const void *bytes)
{
	uint32_t i;
	size_t at = sizeof(struct ue__recorder_head);

	reader->bytes = (const uint8_t *)bytes;
	reader->work = 0;
	reader->error = 0;
	reader->large = 0;
	reader->stopped = ue__recorder_u32(reader, offsetof(struct ue__recorder_head, mode)) ==
			  UE__RECORDER_STOPPED;
	memset(reader->checked, 0, sizeof(reader->checked));
	for (i = 0; i < reader->layout.rings; i++, at += sizeof(struct ue__recorder_ring)) {
		reader->large +=
			ue__recorder_u32(reader, at + offsetof(struct ue__recorder_ring, large));
		ue__recorder_extent(reader, i);
	}
}

/* Sets all rings to their oldest words. */
UE__FN void ue__recorder_rewind(struct ue_recorder_reader *reader)
{
	uint32_t words = (uint32_t)(((uint64_t)1 << reader->layout.shift) / 8), i;

	for (i = 0; i < reader->layout.rings; i++) {
		struct ue__recorder_cursor *c = &reader->rings[i];

		c->at = c->end - words;
		c->have = c->jumped = 0;
		/* is this all that was ever written? */
		if (c->end <= words && c->total <= c->end / UE__RECORDER_WORDS) {
			c->at = 0;
			c->unlapped = 1;
		}
	}
}

UE__FN int ue_recorder_read(struct ue_recorder_reader *reader, const void *bytes, size_t size)
{
	struct ue__recorder_head head;

	memset(reader, 0, offsetof(struct ue_recorder_reader, record));
	if (size < sizeof(head))
		return -EBADMSG;
	memcpy(&head, bytes, sizeof(head));
	if (!ue__recorder_valid(&head, size, &reader->layout, &reader->swap))
		return -EBADMSG;
	ue__recorder_scan(reader, bytes);
	ue__recorder_rewind(reader);
	return 0;
}

UE__FN int ue_recorder_more(struct ue_recorder_reader *reader, const void *bytes, size_t size)
{
	struct ue__recorder_head head, layout;
	bool swap;

	if (size < sizeof(head))
		return -EBADMSG;
	memcpy(&head, bytes, sizeof(head));
	if (!ue__recorder_valid(&head, size, &layout, &swap) ||
	    memcmp(&layout, &reader->layout, sizeof(layout)))
		return -EBADMSG;
	ue__recorder_scan(reader, bytes);
	return 0;
}

/* Counts the records before NUMBER that are missing. */
static inline void ue__recorder_miss(struct ue_recorder_reader *reader,
				     const struct ue__recorder_cursor *c, uint64_t number)
{
	if (c->jumped || !(c->whole || c->unlapped))
		reader->overwritten += number - c->expect;
	else
		reader->torn += number - c->expect;
}

/* Accounts for the record SEQUENCE of a ring, and for those missing before it. */
UE__FN void ue__recorder_account(struct ue_recorder_reader *reader, struct ue__recorder_cursor *c,
				 uint32_t sequence)
{
	uint64_t number = c->total - ((uint32_t)c->total - sequence);

	ue__recorder_miss(reader, c, number);
	c->expect = number + 1;
	c->whole = 1;
	c->jumped = 0;
}

/* Counts what is missing at the rings' ends. */
UE__FN void ue__recorder_finish(struct ue_recorder_reader *reader)
{
	uint32_t i;

	for (i = 0; !reader->follow && i < reader->layout.rings; i++) {
		struct ue__recorder_cursor *c = &reader->rings[i];

		ue__recorder_miss(reader, c, c->total);
		c->expect = c->total;
	}
}

UE__FN int ue_recorder_next(struct ue_recorder_reader *reader, struct ue_capture_event *event)
{
	for (;;) {
		struct ue__recorder_cursor *c = NULL;
		struct ue__recorder_found f;
		uint32_t i, ring = 0;

		for (i = 0; i < reader->layout.rings; i++) {
			ue__recorder_seek(reader, i);
			if (reader->rings[i].have && (!c || reader->rings[i].time < c->time)) {
				c = &reader->rings[i];
				ring = i;
			}
		}
		if (reader->work / 64 > reader->layout.size && !reader->live) {
			if (reader->error)
				return 0;
			reader->error = 1;
			return -EBADMSG;
		}
		if (!c)
			ue__recorder_finish(reader);
		if (!c || (reader->until && c->time > reader->until))
			return 0;
		c->have = 0;
		if (!ue__recorder_whole(reader, ring, c->at, c->end - c->at, &f,
					reader->record + 1))
			continue; /* overwritten meanwhile */
		ue__recorder_account(reader, c, f.sequence);
		c->at += f.words;
		ue__recorder_event(reader, ring, &f, event);
		return 1;
	}
}

#ifndef UE_DISABLE

UE__FN int ue_recorder_read_live(struct ue_recorder_reader *reader)
{
	const struct ue__recording *r = ue__recorder_running();
	struct ue__recorder_head head;

	if (!r)
		return -ENOENT;
	memset(reader, 0, offsetof(struct ue_recorder_reader, record));
	reader->live = true;
	memcpy(&head, r->head, offsetof(struct ue__recorder_head, used));
	if (!ue__recorder_valid(&head, r->layout.size, &reader->layout, &reader->swap))
		return -ENOENT;
	ue__recorder_scan(reader, r->head);
	ue__recorder_rewind(reader);
	return 0;
}

#else /* UE_DISABLE */

UE__DISABLED(-ENOENT, int ue_recorder_read_live(struct ue_recorder_reader *reader))

#endif /* UE_DISABLE */

#ifdef __clang__
#pragma clang attribute pop
#endif
#pragma GCC diagnostic pop
#endif /* UE_USER_EVENTS_CAPTURE_H */
