/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The user_events.h authors */
/*
 * user_events_recorder.h - a program's events in a file that survives a crash.
 *
 *	int main(void)
 *	{
 *		int error = ue_recorder_environment();
 *
 *		if (error < 0)
 *			fprintf(stderr, "UE_RECORD: %s\n", ue_recorder_strerror(error));
 *		...
 *
 *	$ UE_RECORD=/dev/shm/server.uer:64M ./server
 *	$ uetrace show /dev/shm/server.uer
 *
 * A recorder is a ring buffer in a mapped file, in shared memory, or in memory of the caller. By
 * default, new events overwrite the oldest ones. UE_RECORDER_KEEP keeps the oldest ones instead.
 * The kernel keeps the pages of a mapped file when the process dies, so a crash loses only the
 * events being written at that moment. A recorder needs no tracer, no privileges and no kernel with
 * user_events.
 *
 * Recording an event takes no lock, allocates nothing and makes no system call. It works in signal
 * handlers, in probes, and in children after fork(). The first event of each kind needs 1 KiB more
 * stack than without a recorder, or 2.5 KiB if it has scalars and short strings. Later events of
 * that kind need no extra stack. A program or library can have one recorder at a time.
 *
 * Functions:
 *
 *	ue_recorder_environment()	starts recording if the environment asks for it
 *	ue_recorder_open()		starts recording into a file or shared memory
 *	ue_recorder_memory()		starts recording into memory of the caller
 *	ue_recorder_close()		stops recording
 *	ue_recorder_snapshot()		copies the recording to a file
 *	ue_recorder_strerror()		describes an error
 *	ue_recorder_read(), ue_recorder_more(), ue_recorder_next()
 *					read a recording
 *
 * The chapters for users are: recording, reading. The chapters of the implementation are: format;
 * clock, CPU and thread; state; tables; recording an event; files; opening and closing; environment
 * and snapshot; finding records; describing events; merging; errors. Names that begin with ue__ or
 * UE__ are private.
 *
 * Copy this file along with user_events.h and user_events_decode.h. docs/recorder.md is the manual.
 * This header needs C11 or C++11. Recording needs Linux; recordings can be read on other systems
 * too.
 */
#ifndef UE_USER_EVENTS_RECORDER_H
#define UE_USER_EVENTS_RECORDER_H
#ifndef UE__I_NO_SYSTEM_HEADER
#pragma GCC system_header
#endif

#include "user_events.h"
#include "user_events_decode.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#if !defined(UE_DISABLE) && !defined(UE__I_DECLARED_ONLY)
#include <fcntl.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif
#endif

UE__I_HEADER_BEGIN

/*
 * Recording
 * =========
 *
 * UE_RECORDER_RINGS(n)
 * UE_RECORDER_KEEP
 *
 * Flags of ue_recorder_open() and ue_recorder_memory(), which can be combined with |.
 * UE_RECORDER_RINGS(n) sets the number of rings to N, a power of two up to 256. UE_RECORDER_KEEP
 * keeps the oldest events: once the recorder is full, later events are only counted. Such a
 * recorder has one ring by default. Without this flag, new events overwrite the oldest ones.
 */
#define UE_RECORDER_RINGS(n) ((unsigned int)(n))
#define UE_RECORDER_KEEP 0x10000u

/*
 * Starts recording every event of this program or library into the file PATH. SIZE is the number of
 * bytes for records; it must be at least 4096 and is rounded down to a power of two. Tables make
 * the file about 1/16 larger. By default there is one ring per CPU, of at least 64 KiB each. FLAGS
 * is 0 or a combination of the flags above. If PATH is NULL, events are recorded into anonymous
 * shared memory, which forked children share and ue_recorder_snapshot() can copy.
 *
 * The file is created with mode 0600, and all its blocks are allocated at once. If the disk is
 * full, this call fails, so the program is not killed by SIGBUS later. Only file systems on which
 * an allocated block stays in place are accepted: tmpfs (/dev/shm), ext4 and xfs. Do not truncate
 * the file while it is in use, because the kernel sends SIGBUS on a write after the end of the
 * file. Removing or renaming the file is harmless.
 *
 * If another process is recording into the file, this process joins it, and SIZE is ignored. If no
 * process is recording into an existing file, the file is renamed to PATH.old, so a restart keeps
 * the earlier events. An existing PATH.old is replaced if it is also a recording.
 *
 * Returns 0 or
 *   -EBUSY	a recorder is already running
 *   -EINVAL	SIZE or FLAGS is out of range, or PATH is not a regular file
 *   -EEXIST	PATH or PATH.old is neither empty nor a recording
 *   -EPERM	PATH belongs to another user
 *   -ELOOP	PATH is a symbolic link
 *   -EOPNOTSUPP  the file system does not reserve blocks (btrfs, ZFS, NFS, container overlayfs)
 *   -ENOSPC	the file does not fit on the file system
 *   -EFBIG	the file would exceed the file size limit (ulimit -f)
 *   -EAGAIN	for one second, other processes kept opening and replacing the file
 *   -ENOMEM	memory could not be mapped
 *   -ENOSYS	compiled with UE_DISABLE
 *   others	errors from open(), fallocate() and rename()
 *
 * On failure, no file is changed. After fork(), the child records into the same file. Thread-safe;
 * not async-signal-safe.
 */
UE__I_API int ue_recorder_open(const char *path, size_t size, unsigned int flags);

/*
 * Clears SIZE bytes at MEMORY, at least 4096, and starts recording into them. The tables take up
 * part of this memory. Another thread may still be writing its last event there after
 * ue_recorder_close() has returned, so free the memory only when no thread can be recording.
 *
 * Returns 0, or -EBUSY, -EINVAL, -ENOMEM or -ENOSYS as ue_recorder_open() does. Thread-safe; not
 * async-signal-safe.
 */
UE__I_API int ue_recorder_memory(void *memory, size_t size, unsigned int flags);

/*
 * Starts recording if the environment variable UE_RECORD is set to "PATH[:SIZE][:keep]". SIZE is in
 * bytes and may end with K, M or G; the default is 1M. With ":keep", the oldest events are kept
 * (UE_RECORDER_KEEP). PATH must not have a colon after its last slash. Call this function at the
 * beginning of main().
 *
 * Returns 1 if recording has started. Returns 0 if UE_RECORD is unset or empty, or if the program
 * has more privileges than its caller, which is decided as in secure_getenv(). Returns -EINVAL if
 * an option after a colon is neither a size nor "keep", -ENAMETOOLONG if the value is longer than
 * 4095 bytes, or an error of ue_recorder_open(). No other thread may call setenv() at the same
 * time. Not async-signal-safe.
 */
UE__I_API int ue_recorder_environment(void);

/*
 * Stops recording in this process. The recorded events stay in the file or in the memory. If
 * another thread is writing an event at that moment, the event is recorded as a whole or not at
 * all. Nothing is written to the file after this call has returned.
 *
 * Because such a thread may still be writing, the address range of the recorder stays reserved. The
 * next recorder reuses that range if it has the same number of rings of the same size. In addition,
 * every recorder leaves 1 MiB of address space reserved and about 16 KiB of memory in use.
 *
 * Returns 0, or -ENOENT if no recorder is running. Thread-safe; not async-signal-safe.
 */
UE__I_API int ue_recorder_close(void);

/*
 * Copies the recording to the file PATH, which is created with mode 0600. An existing file is
 * replaced only if it is empty or a recording, belongs to this user, and is not a symbolic link.
 * Threads may record events at any rate during the copy. Each event is in the copy as a whole or
 * not at all.
 *
 * Returns 0 or
 *   -ENOENT	no recorder is running
 *   -EBUSY	PATH is the file of a running recorder
 *   -EEXIST, -EPERM, -ELOOP, -EINVAL, -EFBIG, -ENOSYS	as in ue_recorder_open()
 *   others	errors from open(), lseek() and write()
 *
 * If a write fails, this call removes PATH if it created it, and empties it otherwise. If the
 * process is killed during the copy, PATH is incomplete, and readers reject it. Thread-safe and
 * async-signal-safe, so it can be called in a handler of SIGUSR2 or SIGSEGV. It uses less than 1
 * KiB of stack.
 */
UE__I_API int ue_recorder_snapshot(const char *path);

/*
 * Returns a message that describes an error of the functions above and how to fix it. For other
 * error numbers, returns the message of strerror(). Do not free the string. This function is as
 * thread-safe and async-signal-safe as strerror().
 */
UE__I_API const char *ue_recorder_strerror(int error);

/* Private: read position in a ring. In a lap, writers overwrite the whole ring once. */
struct ue__recorder_cursor {
	uint64_t total;	  /* Number of records that writers reserved in the ring */
	uint64_t expect;  /* Expected sequence number of the next record */
	uint64_t time;	  /* Time in ns of the record at AT, or of the one before if HAVE is 0 */
	uint64_t credit;  /* Number of words that may still be hashed for invalid records */
	uint32_t at, end; /* Positions of the next word to read and of the end of the records */
	uint32_t turn; /* Position at which all words of the ring have been searched for this lap */
	uint32_t later;	  /* Position of the earliest record of a later lap found so far, or END */
	uint8_t laps;	  /* Number of times the ring has been searched for later laps */
	uint8_t have;	  /* 1 if a valid record was found at AT */
	uint8_t whole;	  /* 1 if a record before AT was read */
	uint8_t jumped;	  /* 1 if writers overwrote records at AT before they were read */
	uint8_t unlapped; /* 1 if no record of the ring has been overwritten */
	uint8_t moved;	  /* 1 if the ring was copied while writers overwrote it */
	uint8_t full;	  /* 1 if the ring keeps its oldest records and is full */
};

/*
 * Private: layout of a recorder, the constant part of its header. Offsets and sizes are in bytes.
 */
struct ue__recorder_layout {
	uint32_t version, flags;
	uint64_t size, key;
	uint64_t start;	       /* CLOCK_MONOTONIC at creation, in ns */
	int64_t wall;	       /* CLOCK_REALTIME - CLOCK_MONOTONIC at creation, in ns */
	uint32_t rings, shift; /* Number of rings, a power of two; log2 of the ring size in bytes */
	uint32_t processes, slots;  /* Offset and number of entries of the process table */
	uint32_t table, table_size; /* Offset and size of the format table */
	uint32_t data, zero;	    /* Offset of the records of the first ring; zero */
	uint8_t rest[48];
};

enum { UE__RECORDER_RINGS = 256 /* maximum number of rings */ };

/*
 * Reading
 * =======
 *
 * Reads a recording:
 *
 *	if (ue_recorder_read(&reader, bytes, size) == 0)
 *		while (ue_recorder_next(&reader, &event) > 0)
 *			use(&event);
 *
 * BYTES is the content of a recorder's file, of a snapshot, or of memory given to
 * ue_recorder_memory(). It must come from a machine with the same byte order. Truncated, damaged
 * and hostile content is safe: nothing outside BYTES is read, and SIZE bounds the work. Events are
 * returned in time order. Events of one thread are returned in the order in which the thread wrote
 * them.
 *
 * user_events_capture.h has functions that extract fields from an event: ue_captured_u64(),
 * ue_captured_string(), ue_captured_json() and others.
 */
struct ue_recorder_reader {
	/*
	 * Numbers of events missing so far. Every event that was written is either returned or
	 * counted here. The events missing from a ring before its first returned event are counted
	 * modulo 2^32.
	 */
	uint64_t overwritten; /* Number of events overwritten by later ones */
	/*
	 * Number of incomplete events. The thread that wrote such an event was killed, or suspended
	 * until other threads had overwritten the whole ring.
	 */
	uint64_t torn;
	uint64_t large; /* Number of events larger than a quarter of the ring or than 65535 bytes */
	uint64_t late;	/* Number of events written after a UE_RECORDER_KEEP recorder was full */
	/*
	 * If nonzero, an event that is still being written is not counted as torn. Instead, all
	 * later events are held back until the next call of ue_recorder_more().
	 */
	int follow;
	/*
	 * CLOCK_MONOTONIC time in ns, or 0. If it is nonzero, events after this time are held back
	 * until the next call of ue_recorder_more().
	 */
	uint64_t until;
	/*
	 * If not NULL, this function is called periodically while a damaged recording is searched
	 * for records. If it returns true, the search ends. Set it after ue_recorder_read().
	 */
	bool (*stop)(void);

	/* The remaining members are private. */
	const uint8_t *bytes;
	struct ue__recorder_layout layout; /* Layout, in the byte order of this machine */
	bool refused;	    /* True if the work limit caused a possible record to be skipped */
	uint64_t work;	    /* Number of words hashed since BYTES was set */
	uint64_t last;	    /* Time of the last returned event, in ns */
	uint32_t processes; /* Maximum process number in a valid record */
	uint32_t spare;	    /* Unused part of UE__READER_SPARE, in words */
	struct ue__recorder_cursor rings[UE__RECORDER_RINGS];
	uint64_t record[1 + 65536 / 8 + 1];
};

/*
 * Starts reading the recording of SIZE bytes at BYTES, which may have any alignment and must stay
 * valid until reading ends. Returns 0, or -EBADMSG if BYTES is not a complete recording of this
 * version and byte order.
 */
UE__I_API int ue_recorder_read(struct ue_recorder_reader *reader, const void *bytes, size_t size);

/*
 * Continues reading with BYTES, a later copy of the same recording. Call this function after
 * ue_recorder_next() has returned 0. Returns 0, or -EBADMSG if BYTES is another recording.
 */
UE__I_API int ue_recorder_more(struct ue_recorder_reader *reader, const void *bytes, size_t size);

/*
 * Reads the next event into *EVENT, whose data is valid until the next call. If the format of the
 * event did not fit into the format table, the event is named "unknown". If an event is earlier
 * than the previously returned event by less than a second, it is returned with the time of the
 * previous event. Returns 1, or 0 at the end of the recording.
 *
 * The three functions for reading are async-signal-safe. They are thread-safe if each thread uses
 * its own reader.
 */
UE__I_API int ue_recorder_next(struct ue_recorder_reader *reader, struct ue_capture_event *event);

#ifndef UE__I_DECLARED_ONLY

/*
 * Format
 * ------
 *
 * This is version 1 of the format of a recorder's memory or file. All numbers are in the writer's
 * byte order. A word is 8 bytes. Offsets and sizes are in bytes, positions in words.
 *
 *	header					the layout, which never changes, and two counters
 *	ring counters				128 bytes per ring
 *	process table				48 bytes per process
 *	format table				event definitions
 *	rings					records; 1 << SHIFT bytes per ring
 *
 * The header:
 *
 *	  0	4	magic 0xb5555201, which reveals the byte order; written last
 *	  4	4	check: lower half of the checksum of bytes 8 to 127
 *	  8	4	version, 1
 *	 12	4	flags: 1 if the ring is selected by thread, not by CPU; 2 if rings keep
 *			their oldest records
 *	 16	8	total size
 *	 24	8	random key
 *	 32	8	CLOCK_MONOTONIC at creation, ns
 *	 40	8	CLOCK_REALTIME - CLOCK_MONOTONIC at creation, ns
 *	 48	4, 4	number of rings, a power of two; SHIFT
 *	 56	4, 4	process table: offset and number of entries
 *	 64	4, 4	format table: offset and size
 *	 72	4	offset of the first ring
 *	 76	52	zeros
 *	128	4	number of bytes used in the format table; changes
 *	132	4	number of processes so far; changes
 *	136	120	zeros
 *
 * The counters of the rings begin at offset 256. Each ring has these:
 *
 *	  0	8	position of the next record << 32 | number of records so far. Both halves
 *			wrap around.
 *	  8	4	payloads smaller than this take the writer's fast path; readers ignore it
 *	 12	4	number of events too large for the ring
 *	 16	8	in a snapshot: value at offset 0 before the ring was copied, if records were
 *			overwritten during the copy; otherwise 0
 *
 * A process table entry. Records refer to process N (counted from 0) by the number N % 4095 + 1.
 * Its index in the table is that number modulo the number of entries:
 *
 *	  0	4	check: N ^ the lower half of the checksum of bytes 8 to 47
 *	  4	4	N
 *	  8	8	CLOCK_MONOTONIC when the process began to record, ns
 *	 16	8	CLOCK_REALTIME - CLOCK_MONOTONIC at that time, ns
 *	 24	4, 4	process ID; zero
 *	 32	16	process name, NUL-terminated
 *
 * A format table entry, at a nonzero multiple of 16:
 *
 *	  0	4	check: lower half of the checksum of two words, HASH ^ key and
 *			LENGTH << 32 | offset in the table; bit 0 is set
 *	  4	4	LENGTH of the text, 1 to 511
 *	  8	8	HASH: checksum of the text and its padding
 *	 16		registration text of the event and 1 to 16 zeros, up to a multiple of 16
 *
 * A record. In a ring that keeps its oldest records, records do not wrap around, and a position
 * past the end means that the ring is full. In other rings, records wrap around at the end.
 *
 *	  0	8	the ring counter that the writer reserved (position << 32 | count), XORed
 *			with the hash of the other words
 *	  8	8	CLOCK_MONOTONIC, ns
 *	 16	8	bits 0 to 15: payload size in bytes
 *			bits 16 to 29: offset of the format / 16, or 0x3fff if the table was full
 *			bits 30 to 41: process number
 *			bits 42 to 63: thread ID
 *	 24		the payload as written to user_events_data, padded with zeros to a multiple
 *			of 8
 *
 * The hash H of a record is initialized with the key plus the second word. For each further word, H
 * is rotated left by 25 bits, and the word is added. At the end, H is multiplied by
 * 0xd6e8feb86659fd93.
 *
 * The checksum H of a sequence of words is initialized with 0x9e3779b97f4a7c15. For each word, H is
 * XORed with the word, rotated left by 29 bits and multiplied by 0xd6e8feb86659fd93. At the end, H
 * is XORed with H >> 32, multiplied by the same constant, and XORed with H >> 29.
 *
 * A writer reads the counter of its ring, then the clock, and reserves a record by updating the
 * counter with compare-and-swap. If another record was reserved in between, the writer reads the
 * counter and the clock again. The records of a ring are therefore in time order. The writer then
 * stores the other words, and the first word last. If the writer is killed in between, or suspended
 * until other writers have overwritten the ring, nothing in the ring marks the incomplete record. A
 * reader therefore proceeds as follows:
 *
 * 1. Check the header. Compute all offsets from the number of rings and SHIFT. Do not trust the
 *    stored ones.
 *
 * 2. For each ring, read the position P and the count N. If the counters were copied before the
 *    ring, later records may follow P. While a valid record begins at P, advance P by the length of
 *    that record.
 *
 * 3. Examine each word from P - (words per ring) to P, or from 0 if the ring was never overwritten
 *    or keeps its oldest records. If the value at offset 16 of the ring counters is nonzero, begin
 *    at the position in its upper half - (words per ring), because the ring may have records of
 *    every lap up to P. A valid record begins at a word if all of these conditions hold: the word
 *    is nonzero; the time is less than 2^60; the process number is at most the number of processes
 *    so far; the format is in the table; the payload is at most a quarter of the ring and at most
 *    65535 bytes; and the word, XORed with the hash of the other words, has its own position in the
 *    upper half. The lower half is then the sequence number of the record. It is less than or equal
 *    to N, and the difference is at most the number of records that fit into the ring. On 32-bit
 *    machines, which count in two steps, it can be off by up to 256. Limit the number of words
 *    hashed for records that prove invalid.
 *
 * 4. After a valid record, continue at its end; otherwise, continue at the next word. Skipped words
 *    belong to a record that was overwritten or torn.
 *
 * 5. Among the next records of all rings, return the one with the earliest time. If sequence
 *    numbers are missing before this record, the missing records were overwritten if this is the
 *    first record read from its ring. Otherwise, they were torn. If a ring that keeps its oldest
 *    records is full, the numbers missing after its last record are events that were written too
 *    late.
 *
 * 6. Look up the format and the process. If the check of the format is wrong, name the event
 *    "unknown". If the check of the process is wrong, the process is unknown.
 *
 * Rationale for the hash: counting the committed bytes in each part of a ring would save two
 * instructions per word. But a killed process would leave its part uncommitted forever, and a
 * writer that was suspended for a whole lap would write into parts that other writers have
 * committed since. A hash needs no repair. A damaged record is accepted only by chance: 32 bits of
 * its first word must equal the position, and the other 32 must be a plausible count. Without the
 * key, nobody can choose a payload that passes this check. Each time the lower half of the counter
 * overflows, one word of the ring stays unused.
 */
#define UE__RECORDER_MAGIC 0xb5555201u

enum {
	UE__RECORDER_VERSION = 1,
	UE__RECORDER_BY_THREAD = 1,    /* flag: the ring is selected by thread, not by CPU */
	UE__RECORDER_KEEPS = 2,	       /* flag: rings keep their oldest records */
	UE__RECORDER_UNKNOWN = 0x3fff, /* format number if the format table was full */
	UE__RECORDER_HEADER = 3,       /* number of words in a record before the payload */
	UE__RECORDER_UNIT = 16,	       /* alignment of formats, in bytes */
	UE__RECORDER_NUMBERS = 4095    /* number of distinct process numbers in records */
};

/* Index, in ue__recorder_ring.u.halves, of the position. The other half is the count. */
enum { UE__RECORDER_POSITION = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ };

struct ue__recorder_head {
	uint32_t magic, check; /* UE__RECORDER_MAGIC; checksum of LAYOUT */
	struct ue__recorder_layout layout;

	uint32_t used;	/* Number of bytes used in the format table */
	uint32_t count; /* Number of processes so far */
	uint8_t more[128 - 8];
};

/* The counters of a ring. They occupy two cache lines, because processors fetch lines in pairs. */
struct ue__recorder_ring {
	union {
		uint64_t next;
		uint32_t halves[2];
	} u;
	uint32_t limit;	 /* Smallest payload size that takes the slow path; 0 if the ring is full */
	uint32_t large;	 /* Number of events too large for the ring */
	uint64_t before; /* In a snapshot: NEXT before the copy, or 0 if not needed */
	uint8_t rest[128 - 24];
};

/*
 * A process that has recorded events. Records contain its ue__recorder_number(). That number modulo
 * SLOTS is the index of the process in the table.
 */
struct ue__recorder_process {
	uint32_t check, number;
	uint64_t start; /* CLOCK_MONOTONIC before the first event, in ns */
	int64_t wall;
	uint32_t pid, zero;
	char name[16];
};

/* A format. The registration text of the event follows, padded with 1 to 16 zeros. */
struct ue__recorder_spec {
	uint32_t check, length; /* Checksum; length of the text without the NUL, in bytes */
	uint64_t hash;
};

/* Returns the size in the format table, including padding, for a text of LENGTH bytes. */
UE__I_FN uint32_t ue__recorder_text_size(uint32_t length)
{
	return (length & ~15u) + 16;
}

UE__I_FN uint32_t ue__recorder_number(uint32_t process)
{
	return process % UE__RECORDER_NUMBERS + 1;
}

/*
 * Returns the third word of a record. KNOWN is process << 14 | format. Linux thread IDs have 22
 * bits.
 */
UE__I_FN uint64_t ue__recorder_what(uint32_t tid, uint32_t known, size_t size)
{
	return (uint64_t)tid << 42 | (uint64_t)known << 16 | size;
}

/* Returns the number of words in a record with a payload of SIZE bytes. */
UE__I_FN uint32_t ue__recorder_words(size_t size)
{
	return (uint32_t)(size + 8 * UE__RECORDER_HEADER + 7) / 8;
}

/* Returns the maximum payload size: a quarter of a ring, but at most 65535 bytes. */
UE__I_FN uint32_t ue__recorder_largest(uint32_t shift)
{
	return shift >= 18 ? 65535 : (1u << shift) / 4;
}

/* Returns the number of words in a ring. */
UE__I_FN uint32_t ue__recorder_ring_words(const struct ue__recorder_layout *layout)
{
	return (uint32_t)(((uint64_t)1 << layout->shift) / 8);
}

/*
 * Returns true if the first record of a ring has not been overwritten. END and TOTAL are the two
 * halves of the ring counter.
 */
UE__I_FN bool ue__recorder_is_unlapped(const struct ue__recorder_layout *layout, uint32_t end,
				       uint64_t total)
{
	return layout->flags & UE__RECORDER_KEEPS ||
	       (end <= ue__recorder_ring_words(layout) && total <= end / UE__RECORDER_HEADER);
}

#define UE__HASH_SEED 0x9e3779b97f4a7c15ull
#define UE__HASH_FACTOR 0xd6e8feb86659fd93ull

/*
 * Returns a checksum of SIZE bytes. Processes eight bytes at a time, with the last word padded with
 * zeros. Each step is a bijection, so a single wrong word always changes the result.
 */
UE__I_FN uint64_t ue__hash(const void *data, size_t size)
{
	const unsigned char *p = (const unsigned char *)data;
	uint64_t h = UE__HASH_SEED, word;
	size_t n;

	for (; size; p += n, size -= n) {
		n = size < 8 ? size : 8;
		word = 0;
		memcpy(&word, p, n);
		h ^= word;
		h = (h << 29 | h >> 35) * UE__HASH_FACTOR;
	}
	h ^= h >> 32;
	h *= UE__HASH_FACTOR;
	return h ^ h >> 29;
}

/*
 * Adds a word to the hash of a record. The rotation prevents small differences in several words
 * from cancelling each other out. The multiplication in ue__recorder_end() spreads the differences
 * over all bits.
 */
UE__I_FN uint64_t ue__recorder_mix(uint64_t h, uint64_t word)
{
	return (h << 25 | h >> 39) + word;
}

UE__I_FN uint64_t ue__recorder_end(uint64_t h)
{
	return h * UE__HASH_FACTOR;
}

UE__I_FN uint32_t ue__recorder_check(const struct ue__recorder_head *head)
{
	return (uint32_t)ue__hash(&head->layout, sizeof(head->layout));
}

/*
 * Returns the checksum of a format table entry. The key of the recording is included, so that an
 * entry is invalid if a thread that was still writing to an earlier recording stored it in this
 * one.
 */
UE__I_FN uint32_t ue__recorder_spec_check(uint64_t key, uint32_t offset,
					  const struct ue__recorder_spec *spec)
{
	uint64_t words[2];

	words[0] = spec->hash ^ key;
	words[1] = (uint64_t)spec->length << 32 | offset;
	return (uint32_t)ue__hash(words, sizeof(words)) | 1;
}

/* Returns the value for P->check, a checksum of all members after P->number, XORed with NUMBER. */
UE__I_FN uint32_t ue__recorder_process_check(const struct ue__recorder_process *p, uint32_t number)
{
	return (uint32_t)ue__hash(&p->start, sizeof(*p) - 8) ^ number;
}

/*
 * Computes the layout for EVENTS bytes of records, a power of two, in RINGS rings. Returns false if
 * the result exceeds the address space of this machine.
 */
UE__I_FN bool ue__recorder_plan(struct ue__recorder_layout *layout, uint64_t events, uint32_t rings)
{
	uint32_t slots = 4, table = 1024, shift = 0;
	uint64_t data;

	while (slots < 256 && slots < events >> 14)
		slots *= 2;
	while (table < 131072 && table < events >> 4)
		table *= 2;
	while ((uint64_t)rings << (shift + 1) <= events)
		shift++;
	memset(layout, 0, sizeof(*layout));
	layout->version = UE__RECORDER_VERSION;
	layout->rings = rings;
	layout->shift = shift;
	layout->processes = (uint32_t)(sizeof(struct ue__recorder_head) +
				       rings * sizeof(struct ue__recorder_ring));
	layout->slots = slots;
	layout->table = (uint32_t)(layout->processes + slots * sizeof(struct ue__recorder_process));
	layout->table_size = table;
	data = layout->table + table;
	if (events >= 65536)
		data = (data + 4095) & ~(uint64_t)4095;
	layout->data = (uint32_t)data;
	layout->size = data + ((uint64_t)rings << shift);
	return layout->size <= SIZE_MAX / 2;
}

/*
 * Checks the header of a recorder of SIZE bytes. Returns false if the header is invalid or has the
 * other byte order. The offsets in LAYOUT are not copied from the header: ue__recorder_plan()
 * computes them from the number and size of the rings, which have been checked.
 */
UE__I_FN bool ue__recorder_valid(const void *bytes, uint64_t size,
				 struct ue__recorder_layout *layout)
{
	struct ue__recorder_head head;
	const struct ue__recorder_layout *h = &head.layout;

	if (size < sizeof(head))
		return false;
	memcpy(&head, bytes, offsetof(struct ue__recorder_head, used));
	if (head.magic != UE__RECORDER_MAGIC || ue__recorder_check(&head) != head.check ||
	    h->version != UE__RECORDER_VERSION || !h->rings || h->rings > UE__RECORDER_RINGS ||
	    h->rings & (h->rings - 1) || h->shift < 8 || h->shift > 34 || h->size > size ||
	    !ue__recorder_plan(layout, (uint64_t)h->rings << h->shift, h->rings) ||
	    layout->size != h->size)
		return false;
	layout->flags = h->flags;
	layout->key = h->key;
	layout->start = h->start;
	layout->wall = h->wall;
	return true;
}

/*
 * The following functions access words that several threads may use at once. To avoid libatomic,
 * 32-bit machines store and load a word in two halves. If a reader loads halves of different words,
 * the hash of the record does not match.
 */
UE__I_FN void ue__word_store(uint64_t *at, uint64_t word)
{
#if __SIZEOF_SIZE_T__ > 4
	__atomic_store_n(at, word, __ATOMIC_RELAXED);
#else
	*(volatile uint64_t *)at = word;
#endif
}

/* Stores a word. A thread that loads this value also sees all earlier stores of this thread. */
UE__I_FN void ue__word_commit(uint64_t *at, uint64_t word)
{
#if __SIZEOF_SIZE_T__ > 4
	__atomic_store_n(at, word, __ATOMIC_RELEASE);
#else
	__atomic_thread_fence(__ATOMIC_RELEASE);
	ue__word_store(at, word);
#endif
}

UE__I_FN uint64_t ue__word_load(const uint64_t *at)
{
#if __SIZEOF_SIZE_T__ > 4
	return __atomic_load_n(at, __ATOMIC_ACQUIRE);
#else
	uint64_t word = *(const volatile uint64_t *)at;

	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return word;
#endif
}

#ifndef UE_DISABLE

/*
 * Clock, CPU and thread
 * ---------------------
 *
 * Provides the time, CPU and thread ID for a record without a system call.
 *
 * The libc functions are declared here by symbol name, because strict compiler modes (-std=c11)
 * hide their declarations. On 32-bit machines with a 64-bit time_t, clock_gettime() has a different
 * symbol.
 */
#ifdef __GLIBC__
#define UE__FALLOCATE "fallocate64"
#else
#define UE__FALLOCATE "fallocate"
#endif
#if (defined(__USE_TIME_BITS64) && defined(__TIMESIZE) && __TIMESIZE == 32) || \
	(defined(_REDIR_TIME64) && _REDIR_TIME64 + 0)
#define UE__CLOCK_GETTIME "__clock_gettime64"
#else
#define UE__CLOCK_GETTIME "clock_gettime"
#endif

/*
 * ID of a thread, and the ring of its last event. PID is the ID of the process that stored TID. If
 * PID differs from the ID of this process, TID is stale: a forked child inherited it from its
 * parent.
 */
struct ue__thread {
	uint32_t pid, tid, ring;
};

UE__I_C_LINKAGE int ue__libc_getcpu(void) __asm__("sched_getcpu");
UE__I_C_LINKAGE int ue__libc_clock(int clock, struct timespec *time) __asm__(UE__CLOCK_GETTIME);
UE__I_C_LINKAGE int ue__libc_fallocate(int fd, int mode, int64_t from,
				       int64_t size) __asm__(UE__FALLOCATE);
UE__I_DEFINE_ONE(UE__I_TLS struct ue__thread, ue__thread_v2)

/* Returns the ID of this thread. PID is the ID of this process. */
UE__I_FN uint32_t ue__thread_id(uint32_t pid)
{
	struct ue__thread *t = &ue__thread_v2;

	if (UE__I_LOAD(&t->pid) != pid) {
		UE__I_STORE(&t->tid, (uint32_t)ue__i_syscall3(SYS_gettid, 0, 0, 0));
		UE__I_STORE(&t->pid, pid);
	}
	return UE__I_LOAD(&t->tid);
}

enum { UE__REALTIME, UE__MONOTONIC }; /* CLOCK_... of <time.h>, which strict modes hide */

UE__I_FN uint64_t ue__clock_read(int clock)
{
	struct timespec t;

	ue__libc_clock(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Returns CLOCK_REALTIME - CLOCK_MONOTONIC. */
UE__I_FN int64_t ue__clock_wall(void)
{
	return (int64_t)(ue__clock_read(UE__REALTIME) - ue__clock_read(UE__MONOTONIC));
}

/*
 * Reading the kernel clock takes as many instructions as the rest of recording an event. If the
 * kernel clock is based on the processor's counter (clock source "tsc"), events use the counter
 * instead, and the kernel clock is read only every half millisecond. For MOST ticks after FROM, the
 * time is TIME + (counter - FROM) * RATE.
 *
 * RATE is reduced by about a thousandth, so this clock never runs ahead of the kernel clock and
 * never goes back. It is at most half a microsecond late. A zeroed struct is a clock that has not
 * been measured yet.
 *
 * An update first sets FROM to a value that is otherwise impossible, and stores the new FROM last.
 * If a reader finds FROM unchanged, the other values it has read belong together.
 */
struct ue__clock {
	uint64_t from, most, rate, time; /* RATE in ns << 32 per tick, TIME in ns */
	uint32_t busy;
} __attribute__((__aligned__(8)));

/*
 * Reads the counter and the CPU number. The kernel adds the NUMA node << 12 to the CPU number.
 * rdtscp waits for preceding loads. If one thread waits for another, their events therefore have
 * times in the right order.
 */
UE__I_FN uint64_t ue__counter(uint32_t *cpu)
{
#ifdef __x86_64__
	uint64_t low, high; /* 32 bits each; the upper halves are zero */

	__asm__ volatile("rdtscp" : "=a"(low), "=d"(high), "=c"(*cpu));
	return high << 32 | low;
#else
	return *cpu = 0;
#endif
}

/* Updates the clock. COUNTER was read just after TIME. Only one thread at a time may call this. */
UE__I_FN void ue__clock_set(struct ue__clock *c, uint64_t counter, uint64_t time)
{
	enum {
		UE__A_SECOND = 1 << 30,
		UE__TO_MEASURE = UE__A_SECOND / 128,
		UE__TO_COUNT = UE__A_SECOND / 2048
	};
	uint64_t ticks = counter - c->from, span = time - c->time, rate = c->rate, expected;
	uint64_t most;

	if (!c->time || span >= UE__A_SECOND) {
		rate = 0; /* start measuring */
	} else if (rate) {
		/* the clock or the counter may have stopped or been reset during suspend */
		expected = (span << 32) / rate;
		if (ticks > expected || ticks < expected - expected / 256)
			rate = 0;
	} else if (span < UE__TO_MEASURE) {
		return;
	} else if (ticks > span / 64) {
		rate = (span << 32) / ticks;
		rate -= rate / 1024;
	}
	most = rate ? ((uint64_t)UE__TO_COUNT << 32) / rate : 0;
	ue__word_store(&c->from, counter + UINT64_MAX / 2);
	ue__word_commit(&c->most, most);
	ue__word_commit(&c->rate, rate);
	ue__word_commit(&c->time, time);
	ue__word_commit(&c->from, counter);
}

/* Returns CLOCK_MONOTONIC as read from the kernel. If COUNTS is true, also updates the clock C. */
UE__I_FN uint64_t ue__clock_ask(struct ue__clock *c, bool counts)
{
	enum { UE__QUICKLY = 2048 }; /* maximum duration, in ticks, of an uninterrupted reading */
	uint32_t idle = 0, cpu;
	uint64_t before = counts ? ue__counter(&cpu) : 0, time = ue__clock_read(UE__MONOTONIC),
		 after;

	if (counts && __atomic_compare_exchange_n(&c->busy, &idle, 1, false, __ATOMIC_ACQUIRE,
						  __ATOMIC_RELAXED)) {
		after = ue__counter(&cpu);
		if (after - before < UE__QUICKLY) /* not interrupted */
			ue__clock_set(c, after, time);
		__atomic_store_n(&c->busy, 0, __ATOMIC_RELEASE);
	}
	return time;
}

/*
 * Computes CLOCK_MONOTONIC from the counter. Returns false if the kernel clock must be read
 * instead.
 */
UE__I_FN bool ue__clock_counted(const struct ue__clock *c, uint64_t *time, uint32_t *cpu)
{
	uint64_t ticks = ue__counter(cpu), from = ue__word_load(&c->from);

	ticks -= from;
	if (__builtin_expect(ticks >= ue__word_load(&c->most), 0))
		return false;
	*time = ticks * ue__word_load(&c->rate) >> 32;
	*time += ue__word_load(&c->time);
	return !__builtin_expect(ue__word_load(&c->from) != from, 0);
}

/*
 * State
 * -----
 *
 * The state of a recorder in one process, including all values loaded to record an event. Writers
 * are not counted, so a thread may still be writing an event when the recorder is closed.
 * Therefore, a struct ue__recording is never freed, and its address range stays mapped.
 */
enum { UE__RECORDER_CACHED = 1 << 18 /* events with higher serials are not cached */ };

/* State in memory that the kernel clears in a forked child. Unused pages take no memory. */
struct ue__recorder_own {
	uint32_t known[UE__RECORDER_CACHED]; /* process << 14 | format, by event serial */
	uint32_t process;		     /* ue__recorder_number() of this process, or 0 */
	uint32_t pid;
	struct ue__clock clock;
};

struct ue__recorder_place {
	struct ue__recorder_ring *counters;
	uint64_t *words;
	uint32_t mask; /* Mask for positions; all ones if the ring keeps its oldest records */
	uint32_t last; /* Position of the last word of the ring */
};

struct ue__recording {
	uint64_t key;
	struct ue__recorder_own *own;
	uint32_t rings; /* Number of rings - 1, used as a mask */
	struct ue__recorder_place place[UE__RECORDER_RINGS];

	/* The members below are not used on the fast path. */
	struct ue__recorder_head *head;
	bool counts;			   /* Result of ue__counter_is_clock() */
	bool wipes;			   /* True if the kernel clears OWN in a forked child */
	struct ue__recorder_layout layout; /* Copy; other processes can overwrite HEAD->layout */
	bool mapped;			   /* True if HEAD is a mapping, not memory of the caller */
};

struct ue__recorder_state {
	struct ue__i_hook hook;
	struct ue__recording *recording; /* State of the running recorder, or of the last one */
	uint32_t runs;
};

UE__I_DEFINE_ONE(struct ue__recorder_state, ue__recorder_v1)

/* Returns the running recording, or NULL if no recorder is running. */
UE__I_FN struct ue__recording *ue__recorder_running(void)
{
	if (!__atomic_load_n(&ue__recorder_v1.runs, __ATOMIC_ACQUIRE))
		return NULL;
	return __atomic_load_n(&ue__recorder_v1.recording, __ATOMIC_ACQUIRE);
}

/*
 * Tables
 * ------
 *
 * Maintains the tables of processes and formats to which records refer. A process is added when it
 * starts recording, and a format when its event is first written. Both numbers are then cached for
 * each event.
 */

/* Stores N words. The first one is stored last, because it marks the others as complete. */
UE__I_FN void ue__words_commit(uint64_t *at, const uint64_t *words, size_t n)
{
	ue__word_store(at, 0);
	while (--n)
		ue__word_store(at + n, words[n]);
	ue__word_commit(at, words[0]);
}

/* An entry of the format table. The text is padded with zeros. */
union ue__recorder_entry {
	struct {
		struct ue__recorder_spec spec;
		char text[UE__F_SPEC_SIZE];
	} e;
	uint64_t words[(sizeof(struct ue__recorder_spec) + UE__F_SPEC_SIZE) / 8];
};

/*
 * Returns the offset / 16 of a format in the table, and adds the format if it is missing. Returns
 * UE__RECORDER_UNKNOWN if the table is full. FORMAT contains the text; the other members are filled
 * in here. Formats with the same hash and length are considered equal. If two threads add the same
 * format at the same time, the table contains it twice.
 */
UE__I_FN uint32_t ue__recorder_format(struct ue__recording *r, union ue__recorder_entry *format)
{
	uint64_t *table = (uint64_t *)(void *)((unsigned char *)r->head + r->layout.table),
		 found[2];
	uint32_t length = (uint32_t)strlen(format->e.text), at = UE__RECORDER_UNIT, n;
	uint32_t size = (uint32_t)sizeof(struct ue__recorder_spec) + ue__recorder_text_size(length);
	uint32_t used = __atomic_load_n(&r->head->used, __ATOMIC_ACQUIRE);
	struct ue__recorder_spec *spec = &format->e.spec, other;

	spec->length = length;
	spec->hash = ue__hash(format->e.text, size - sizeof(*spec));
	for (;;) {
		for (; at < used && at < r->layout.table_size; at += n) {
			found[0] = ue__word_load(table + at / 8);
			found[1] = ue__word_load(table + at / 8 + 1);
			memcpy(&other, found, sizeof(other));
			n = UE__RECORDER_UNIT;
			if (other.length >= UE__F_SPEC_SIZE ||
			    other.check != ue__recorder_spec_check(r->key, at, &other))
				continue;
			if (other.hash == spec->hash && other.length == length)
				return at / UE__RECORDER_UNIT;
			n = (uint32_t)sizeof(other) + ue__recorder_text_size(other.length);
		}
		if (used > r->layout.table_size || size > r->layout.table_size - used)
			return UE__RECORDER_UNKNOWN;
		if (__atomic_compare_exchange_n(&r->head->used, &used, used + size, false,
						__ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE))
			break;
	}
	spec->check = ue__recorder_spec_check(r->key, used, spec);
	ue__words_commit(table + used / 8, format->words, size / 8);
	return used / UE__RECORDER_UNIT;
}

/* Adds this process to the process table. Returns its number for records. */
UE__I_FN __attribute__((__cold__)) uint32_t ue__recorder_add_process(struct ue__recording *r,
								     uint32_t pid)
{
	uint64_t *table = (uint64_t *)(void *)((unsigned char *)r->head + r->layout.processes);
	uint64_t words[sizeof(struct ue__recorder_process) / 8];
	struct ue__recorder_process p = { 0, 0, 0, 0, 0, 0, "" };
	uint32_t number;

	ue__i_syscall3(SYS_prctl, PR_GET_NAME, (long)p.name, 0);
	p.name[15] = '\0';
	p.number = __atomic_fetch_add(&r->head->count, 1, __ATOMIC_RELAXED);
	p.pid = pid;
	p.start = ue__clock_read(UE__MONOTONIC);
	p.wall = ue__clock_wall();
	p.check = ue__recorder_process_check(&p, p.number);
	number = ue__recorder_number(p.number);
	memcpy(words, &p, sizeof(p));
	ue__words_commit(table + number % r->layout.slots * (sizeof(p) / 8), words, sizeof(p) / 8);
	if (UE__I_LOAD(&r->own->process)) /* the cache contains the number of the parent process */
		memset(r->own->known, 0, sizeof(r->own->known));
	UE__I_STORE(&r->own->pid, pid);
	UE__I_STORE(&r->own->process, number);
	return number;
}

/* Returns the number of this process for records, and adds the process to the table if needed. */
UE__I_FN uint32_t ue__recorder_this_process(struct ue__recording *r)
{
	uint32_t process = UE__I_LOAD(&r->own->process), pid;

	if (process && r->wipes)
		return process;
	pid = (uint32_t)ue__i_syscall3(SYS_getpid, 0, 0, 0);
	return process && UE__I_LOAD(&r->own->pid) == pid ? process
							  : ue__recorder_add_process(r, pid);
}

/* Returns process << 14 | format for the event SERIAL if it is cached, else 0. */
UE__I_FN uint32_t ue__recorder_known(const struct ue__recording *r, uint32_t serial)
{
	return serial < UE__RECORDER_CACHED ? UE__I_LOAD(&r->own->known[serial]) : 0;
}

/*
 * Returns process << 14 | format for records of EVENT, and caches the value. Returns 0 if EVENT has
 * been unregistered.
 */
UE__I_FN __attribute__((__cold__)) uint32_t
ue__recorder_describe(struct ue__recording *r, const struct ue_event *event, uint32_t process)
{
	uint32_t serial = UE__I_LOAD(&event->serial), known;
	union ue__recorder_entry format;

	memset(&format, 0, sizeof(format));
	if (ue__i_spec(event, format.e.text))
		return 0;
	known = process << 14 | ue__recorder_format(r, &format);
	if (serial < UE__RECORDER_CACHED)
		UE__I_STORE(&r->own->known[serial], known);
	return known;
}

/*
 * Recording an event
 * ------------------
 *
 * The hook calls ue__record() with an event: 4 bytes of index, followed by the payload. The fast
 * path handles cached events that are small enough and contiguous in memory. All others go to
 * ue__record_slowly().
 *
 * Both functions read the ring counter, then the clock, and then reserve space with
 * compare-and-swap. The compare-and-swap fails if another record was reserved after the counter was
 * read. The times in a ring therefore never decrease, even if a thread is suspended or a signal
 * handler records an event in between.
 */

/*
 * Returns the counter of a ring, position << 32 | count, for ue__recorder_reserve(). On 32-bit
 * machines, only the position is read, and the count is 0.
 */
UE__I_FN uint64_t ue__recorder_next_place(const struct ue__recorder_ring *ring)
{
#if __SIZEOF_SIZE_T__ > 4
	return __atomic_load_n(&ring->u.next, __ATOMIC_ACQUIRE);
#else
	return (uint64_t)__atomic_load_n(&ring->u.halves[UE__RECORDER_POSITION], __ATOMIC_ACQUIRE)
	       << 32;
#endif
}

/*
 * Reserves WORDS words at *PLACE, a value returned by ue__recorder_next_place(). Returns false if
 * another record has been reserved since then; the caller must then read the clock again. On 32-bit
 * machines, the position and the count are updated separately, so two threads may swap their
 * counts.
 */
UE__I_FN bool ue__recorder_reserve(struct ue__recorder_ring *ring, uint64_t *place, uint32_t words)
{
#if __SIZEOF_SIZE_T__ > 4
	return __atomic_compare_exchange_n(&ring->u.next, place,
					   *place + ((uint64_t)words << 32 | 1), false,
					   __ATOMIC_RELAXED, __ATOMIC_RELAXED);
#else
	uint32_t position = (uint32_t)(*place >> 32);

	if (!__atomic_compare_exchange_n(&ring->u.halves[UE__RECORDER_POSITION], &position,
					 position + words, false, __ATOMIC_RELAXED,
					 __ATOMIC_RELAXED))
		return false;
	*place |= __atomic_fetch_add(&ring->u.halves[!UE__RECORDER_POSITION], 1, __ATOMIC_RELAXED);
	return true;
#endif
}

/*
 * A read position in a payload that consists of several pieces. OFFSET is the position in the
 * current piece, and LEFT the number of bytes left in all pieces. The first 4 bytes of the first
 * piece are the index, which is not part of the payload.
 */
struct ue__recorder_pieces {
	const struct ue__i_iovec *iov;
	size_t offset, left;
};

/* Returns the next 8 bytes of the payload. Pads the last word with zeros. */
UE__I_FN uint64_t ue__recorder_take(struct ue__recorder_pieces *p)
{
	uint64_t word = 0;
	size_t fill = 0, n;

	for (; fill < 8 && p->left; fill += n, p->offset += n, p->left -= n) {
		if (p->offset == p->iov->iov_len) {
			p->offset = 0;
			p->iov++;
		}
		n = p->iov->iov_len - p->offset;
		n = n < 8 - fill ? n : 8 - fill;
		n = n < p->left ? n : p->left;
		if (n == 8) /* the compiler inlines a copy of constant size */
			memcpy(&word, (const unsigned char *)p->iov->iov_base + p->offset, 8);
		else if (n)
			memcpy((unsigned char *)&word + fill,
			       (const unsigned char *)p->iov->iov_base + p->offset, n);
	}
	return word;
}

/*
 * Writes a record into the ring PLACE at RESERVED, the counter value reserved for it. HASH is the
 * hash of the key, TIME and WHAT. The record may cross the end of the ring, and the payload may be
 * in several pieces. A ring that keeps its oldest records does not wrap around: the first record
 * that does not fit disables the fast path.
 */
UE__I_FN __attribute__((__cold__)) void ue__recorder_write(const struct ue__recorder_place *place,
							   uint64_t hash, uint64_t time,
							   uint64_t what, uint64_t reserved,
							   const struct ue__i_iovec *iov)
{
	uint64_t at = reserved >> 32; /* 64 bits: cannot overflow below if damaged */
	uint32_t words = ue__recorder_words(what & 0xffff), mask = place->mask, i;
	struct ue__recorder_pieces pieces = { iov, 4, (size_t)(what & 0xffff) };
	uint64_t word;

	if (mask != place->last && at + words > place->last) {
		UE__I_STORE(&place->counters->limit, 0u);
		return;
	}
	ue__word_store(place->words + ((at + 1) & mask), time);
	ue__word_store(place->words + ((at + 2) & mask), what);
	for (i = UE__RECORDER_HEADER; i < words; i++) {
		word = ue__recorder_take(&pieces);
		hash = ue__recorder_mix(hash, word);
		ue__word_store(place->words + ((at + i) & mask), word);
	}
	ue__word_commit(place->words + (at & mask), ue__recorder_end(hash) ^ reserved);
}

/*
 * Defined as 1 if sched_getcpu() makes no system call: x86 has an instruction that returns the CPU,
 * and glibc 2.35 and later read the CPU from memory. Otherwise, the ring is selected by thread ID.
 */
#if defined(__x86_64__) || defined(__i386__) || \
	(defined(__GLIBC__) && 100 * __GLIBC__ + __GLIBC_MINOR__ >= 235)
#define UE__CPU_IS_KNOWN 1
#else
#define UE__CPU_IS_KNOWN 0
#endif

/* Records any event. This is the hook's RUN function if the fast path cannot be used. */
UE__I_FN __attribute__((__cold__)) void ue__record_slowly(struct ue__i_hook *hook,
							  struct ue_event *event,
							  const struct ue__i_iovec *iov, int count,
							  size_t size)
{
	struct ue__recording *r = __atomic_load_n(&ue__recorder_v1.recording, __ATOMIC_ACQUIRE);
	uint32_t process = ue__recorder_this_process(r), cpu, ring, words;
	uint32_t known = ue__recorder_known(r, UE__I_LOAD(&event->serial));
	uint32_t thread = ue__thread_id(UE__I_LOAD(&r->own->pid));
	const struct ue__recorder_place *place;
	uint64_t time, what, reserved;

	(void)hook;
	(void)count;
	size -= 4;
	if (!known)
		known = ue__recorder_describe(r, event, process);
	if (!known)
		return;
	ring = UE__CPU_IS_KNOWN ? (uint32_t)ue__libc_getcpu()
				: (uint32_t)(thread * UE__HASH_SEED >> 32);
	ring &= r->rings;
	UE__I_STORE(&ue__thread_v2.ring, ring);
	place = &r->place[ring];
	if (size > ue__recorder_largest(r->layout.shift)) {
		__atomic_fetch_add(&place->counters->large, 1, __ATOMIC_RELAXED);
		return;
	}
	do {
		reserved = ue__recorder_next_place(place->counters);
		if (!r->counts || !ue__clock_counted(&r->own->clock, &time, &cpu))
			time = ue__clock_ask(&r->own->clock, r->counts);
		words = ue__recorder_words(size);
		if (place->mask != place->last && reserved >> 32 > place->last)
			words = 0; /* the ring is full and keeps its oldest records */
	} while (!ue__recorder_reserve(place->counters, &reserved, words));
	what = ue__recorder_what(thread, known, size);
	ue__recorder_write(place, ue__recorder_mix(r->key + time, what), time, what, reserved, iov);
}

/*
 * Returns the last, partial word of a payload of SIZE bytes, padded with zeros. Loads the 4 or 8
 * bytes before END at once, and shifts out the bytes that precede the partial word. Works on
 * little-endian machines only, which is sufficient because only x86-64 has the counter and
 * therefore the fast path.
 */
UE__I_FN uint64_t ue__recorder_tail(const unsigned char *end, size_t size)
{
	uint64_t word;
	uint32_t half;

	if (size < 4) {
		memcpy(&half, end - 4, 4);
		word = (uint64_t)half << 32;
	} else {
		memcpy(&word, end - 8, 8);
	}
	return word >> (64 - 8 * (size % 8));
}

/*
 * Records an event. This is the hook's RUN function if the counter is the clock
 * (ue__recording.counts) and the kernel clears the state in a forked child (ue__recording.wipes).
 * The fast path calls no function.
 */
UE__I_FN void ue__record(struct ue__i_hook *hook, struct ue_event *event,
			 const struct ue__i_iovec *iov, int count, size_t size)
{
	struct ue__recording *r = __atomic_load_n(&ue__recorder_v1.recording, __ATOMIC_ACQUIRE);
	uint32_t known = ue__recorder_known(r, UE__I_LOAD(&event->serial)), words, cpu;
	const struct ue__thread *thread = &ue__thread_v2;
	uint32_t ring = UE__I_LOAD(&thread->ring) & r->rings;
	const struct ue__recorder_place *place = &r->place[ring];
	uint64_t reserved = ue__recorder_next_place(place->counters);
	uint64_t time = 0, what, hash, word, *first, at;
	const unsigned char *from;
	unsigned char *to;
	size_t i = 0, whole;

	words = ue__recorder_words(size - 4);
	if (__builtin_expect(count != 1 || !known ||
				     size - 4 >= UE__I_LOAD(&place->counters->limit) ||
				     UE__I_LOAD(&thread->pid) != UE__I_LOAD(&r->own->pid) ||
				     !ue__clock_counted(&r->own->clock, &time, &cpu) ||
				     (cpu & r->rings) != ring ||
				     !ue__recorder_reserve(place->counters, &reserved, words),
			     0)) {
		ue__record_slowly(hook, event, iov, count, size);
		return;
	}
	size -= 4;
	what = ue__recorder_what(UE__I_LOAD(&thread->tid), known, size);
	hash = ue__recorder_mix(r->key + time, what);
	at = reserved >> 32 & place->mask;
	if (__builtin_expect(at + words > place->last, 0)) {
		ue__recorder_write(place, hash, time, what, reserved, iov);
		return;
	}
	first = place->words + at;
	ue__word_store(first + 1, time);
	ue__word_store(first + 2, what);
	to = (unsigned char *)(first + UE__RECORDER_HEADER);
	from = (const unsigned char *)iov->iov_base + 4;
	for (whole = size & ~(size_t)7; i < whole; i += 8) {
		memcpy(&word, from + i, 8);
		hash = ue__recorder_mix(hash, word);
		ue__word_store((uint64_t *)(void *)(to + i), word);
	}
	if (i < size) {
		word = ue__recorder_tail(from + size, size);
		hash = ue__recorder_mix(hash, word);
		ue__word_store((uint64_t *)(void *)(to + i), word);
	}
	ue__word_commit(first, ue__recorder_end(hash) ^ reserved);
}

/*
 * Files
 * -----
 *
 * Opens, checks, locks and allocates files. The path may come from the environment, and the
 * directory may be world-writable. An existing file is therefore used only if it is a regular file
 * of this user, is not a symbolic link, and is empty or a recording.
 */
#ifdef O_NOFOLLOW
#define UE__FILE_FLAGS (O_NONBLOCK | UE__I_CLOEXEC | O_NOFOLLOW)
#else /* hidden in strict modes */
#define UE__FILE_FLAGS (O_NONBLOCK | UE__I_CLOEXEC | __O_NOFOLLOW)
#endif

UE__I_FN void ue__file_close(int fd)
{
	ue__i_syscall3(SYS_close, fd, 0, 0);
}

/* Opens PATH with FLAGS and UE__FILE_FLAGS. Does not follow a symbolic link. */
UE__I_FN int ue__file_open_as(const char *path, int flags)
{
	return (int)UE__I_SYSTEM(open(path, flags | UE__FILE_FLAGS, 0600));
}

/* Returns 0 if FD is a regular file of this user, or -errno. */
UE__I_FN int ue__file_check(int fd, struct stat *status)
{
	int error = (int)UE__I_SYSTEM(fstat(fd, status));

	if (!error && !S_ISREG(status->st_mode))
		error = -EINVAL;
	if (!error && status->st_uid != geteuid())
		error = -EPERM; /* the owner could truncate the file */
	return error;
}

/*
 * Opens PATH, a regular file of this user, for reading and writing. If PATH does not exist, creates
 * it and sets *CREATED. Does not change the content of the file. Returns an fd, -EAGAIN if the file
 * was removed concurrently, or another -errno. Async-signal-safe.
 */
UE__I_FN int ue__file_open(const char *path, bool *created)
{
	struct stat status;
	int fd = ue__file_open_as(path, O_RDWR | O_CREAT | O_EXCL), error;

	*created = fd >= 0;
	if (fd == -EEXIST) {
		fd = ue__file_open_as(path, O_RDWR);
		if (fd == -ENOENT) /* the file was removed after the first open() */
			return -EAGAIN;
	}
	if (fd < 0)
		return fd == -ENXIO ? -EINVAL : fd; /* a socket */
	error = ue__file_check(fd, &status);
	if (error)
		ue__file_close(fd);
	return error ? error : fd;
}

/* Returns true if FD, positioned at 0, is a recording of any version and byte order. */
UE__I_FN bool ue__file_is_recording(int fd)
{
	uint32_t found = 0;

	return ue__i_syscall3(SYS_read, fd, (long)&found, sizeof(found)) == sizeof(found) &&
	       (found == UE__RECORDER_MAGIC || found == __builtin_bswap32(UE__RECORDER_MAGIC));
}

/* Truncates FD to 0 bytes and sets its position to 0. */
UE__I_FN int ue__file_clear(int fd)
{
	int error = (int)ue__i_syscall3(SYS_ftruncate, fd, 0, 0); /* hidden in strict modes */

	if (!error)
		error = (int)UE__I_SYSTEM(lseek(fd, 0, SEEK_SET));
	return error;
}

UE__I_FN int ue__file_write(int fd, const unsigned char *p, size_t size)
{
	long n;

	for (; size; size -= (size_t)n, p += n) {
		n = ue__i_syscall3(SYS_write, fd, (long)p, (long)size);
		if (n == -EINTR)
			n = 0;
		else if (n <= 0)
			return n ? (int)n : -EIO;
	}
	return 0;
}

UE__I_FN void ue__file_remove(const char *path)
{
	(void)UE__I_SYSTEM(unlink(path));
}

/*
 * Returns the file size limit (ulimit -f) in bytes. If a write exceeds this limit, the kernel sends
 * SIGXFSZ.
 */
UE__I_FN uint64_t ue__file_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur == RLIM_INFINITY)
		return UINT64_MAX;
	return (uint64_t)limit.rlim_cur;
}

/* Locks FD without waiting. If the file is mapped, the lock outlives close(). */
UE__I_FN int ue__file_lock(int fd, int how)
{
	long error = ue__i_syscall3(SYS_flock, fd, how | LOCK_NB, 0);

	/* if the file system has no locks, assume that nobody else uses the file */
	return error == -EWOULDBLOCK ? (int)error : 0;
}

/* Returns true if PATH still refers to FILE. */
UE__I_FN bool ue__file_is_at(const char *path, const struct stat *file)
{
	struct stat now;

	return UE__I_SYSTEM(stat(path, &now)) == 0 && now.st_dev == file->st_dev &&
	       now.st_ino == file->st_ino;
}

/*
 * Returns true if blocks that fallocate() allocates in FD stay usable for later writes to a
 * mapping, so a full disk causes no SIGBUS. This holds on file systems that overwrite in place.
 * Others write to new blocks (btrfs, bcachefs, f2fs, ZFS), cannot guarantee space on the underlying
 * disk (NFS, FUSE, 9p), or lack fallocate() (ext2, ramfs, vfat). hugetlbfs requires sizes that are
 * multiples of its page size. All file systems not listed here are rejected.
 */
UE__I_FN bool ue__file_keeps_blocks(int fd)
{
	static const uint32_t types[] = { 0x01021994 /* tmpfs */, 0xef53 /* ext4, ext3 */,
					  0x58465342 /* xfs */ };
	struct statfs fs;
	size_t i;

	if (UE__I_SYSTEM(fstatfs(fd, &fs)) < 0)
		return false;
	for (i = 0; i < sizeof(types) / sizeof(*types); i++)
		if ((uint32_t)fs.f_type == types[i])
			return true;
	return false;
}

/* Allocates SIZE bytes for FD, an empty file. On failure, leaves the file empty. */
UE__I_FN int ue__recorder_allocate(int fd, uint64_t size)
{
	int error = -EINTR, tries;

	if (size > ue__file_limit())
		return -EFBIG;
	if (!ue__file_keeps_blocks(fd))
		return -EOPNOTSUPP;
	/* tmpfs returns EINTR at every signal */
	for (tries = 0; error == -EINTR && tries < 100; tries++)
		error = (int)UE__I_SYSTEM(ue__libc_fallocate(fd, 0, 0, (int64_t)size));
	if (error)
		ue__file_clear(fd); /* some of the blocks may have been allocated */
	return error;
}

/* Returns true if PATH may be replaced: it does not exist, or it is a recording of this user. */
UE__I_FN bool ue__recorder_may_replace(const char *path)
{
	int fd = ue__file_open_as(path, O_RDONLY);
	struct stat status;
	bool may;

	if (fd < 0)
		return fd == -ENOENT;
	may = !ue__file_check(fd, &status) && ue__file_is_recording(fd);
	ue__file_close(fd);
	return may;
}

/*
 * Renames PATH, opened as FD, to PATH.old. Fails if PATH is not a recording. No process may be
 * recording into PATH.
 */
UE__I_FN int ue__recorder_move(int fd, const char *path)
{
	char old[4096];

	if (!ue__file_is_recording(fd))
		return -EEXIST;
	if (snprintf(old, sizeof(old), "%s.old", path) >= (int)sizeof(old))
		return -ENAMETOOLONG;
	if (!ue__recorder_may_replace(old))
		return -EEXIST;
	return (int)UE__I_SYSTEM(rename(path, old));
}

/* Reads the layout of FD, a file into which other processes are recording. */
UE__I_FN int ue__recorder_join(int fd, uint64_t size, struct ue__recorder_layout *layout)
{
	struct ue__recorder_head head;

	if (ue__i_syscall3(SYS_read, fd, (long)&head, sizeof(head)) != (long)sizeof(head) ||
	    !ue__recorder_valid(&head, size, layout))
		return -EEXIST;
	return 0;
}

/*
 * Tries once to open and lock PATH. A process that records into a file holds a shared lock on it. A
 * process that creates the file holds an exclusive lock. If other processes are recording into the
 * file, sets *JOINS and reads LAYOUT from the file. Otherwise, clears *JOINS and allocates the file
 * for LAYOUT. Returns the fd, or -errno. -EAGAIN means that another process is creating the file,
 * or that an old recording has been renamed to PATH.old.
 */
UE__I_FN int ue__recorder_open_once(const char *path, struct ue__recorder_layout *layout,
				    bool *joins)
{
	struct stat status;
	bool created;
	int fd = ue__file_open(path, &created), error;

	if (fd < 0)
		return fd;
	*joins = ue__file_lock(fd, LOCK_EX) != 0;
	error = ue__file_check(fd, &status); /* repeated, because the size may have changed */
	if (!error && !ue__file_is_at(path, &status))
		error = -EAGAIN;
	if (!error && *joins) {
		error = ue__file_lock(fd, LOCK_SH);
		error = error ? -EAGAIN : ue__recorder_join(fd, (uint64_t)status.st_size, layout);
	} else if (!error && status.st_size) {
		error = ue__recorder_move(fd, path);
		error = error ? error : -EAGAIN;
	} else if (!error) {
		error = ue__recorder_allocate(fd, layout->size);
		if (error && created)
			ue__file_remove(path);
	}
	if (error)
		ue__file_close(fd);
	return error ? error : fd;
}

/*
 * Opening and closing
 * -------------------
 *
 * Maps the memory of a recorder, prepares the state of this process, and adds the hook. Closing
 * replaces the mapping with anonymous memory, because other threads may still be writing an event.
 */
/* Maps FD, or anonymous memory if FD is -1. If WHERE is not NULL, maps at that address. */
UE__I_FN void *ue__recorder_map(void *where, int fd, size_t size, int flags)
{
	int saved = errno;
	void *memory = mmap(where, size, PROT_READ | PROT_WRITE,
			    flags | (fd < 0 ? UE__I_MAP_ANONYMOUS : 0) | (where ? MAP_FIXED : 0),
			    fd, 0);

	errno = saved;
	return memory == MAP_FAILED ? NULL : memory;
}

/*
 * Returns true if the kernel clock uses the counter and the processor has rdtscp, as all processors
 * since 2008 do.
 */
UE__I_FN bool ue__counter_is_clock(void)
{
#ifdef __x86_64__
	static const char path[] =
		"/sys/devices/system/clocksource/clocksource0/current_clocksource";
	enum { UE__HAS_RDTSCP = 1 << 27 };
	unsigned int a, b, c, d;
	char name[32] = "";
	int fd = ue__file_open_as(path, O_RDONLY);

	if (fd < 0)
		return false;
	ue__i_syscall3(SYS_read, fd, (long)name, sizeof(name) - 1);
	ue__file_close(fd);
	return !strcmp(name, "tsc\n") && __get_cpuid(0x80000001, &a, &b, &c, &d) &&
	       d & UE__HAS_RDTSCP;
#else
	return false;
#endif
}

/*
 * Asks the kernel to clear MEMORY in forked children (Linux 4.14). Returns false if the kernel
 * cannot do this. qemu-user 7 accepts and ignores every value, so this function also checks that
 * the kernel rejects the invalid value 0x7fff.
 */
UE__I_FN bool ue__wipes_on_fork(void *memory, size_t size)
{
	enum { UE__WIPE_ON_FORK = 18, UE__NO_ADVICE = 0x7fff };

	return ue__i_syscall3(SYS_madvise, (long)memory, (long)size, UE__WIPE_ON_FORK) >= 0 &&
	       ue__i_syscall3(SYS_madvise, (long)memory, (long)size, UE__NO_ADVICE) < 0;
}

/*
 * Writes the header of a recorder to MEMORY, which is zeroed, and fills in the rest of LAYOUT. The
 * magic is stored last, because it indicates that the header is complete.
 */
UE__I_FN void ue__recorder_make(void *memory, struct ue__recorder_layout *layout)
{
	struct ue__recorder_head *head = (struct ue__recorder_head *)memory;

	layout->start = ue__clock_read(UE__MONOTONIC);
	layout->wall = ue__clock_wall();
	layout->flags |= UE__CPU_IS_KNOWN ? 0 : UE__RECORDER_BY_THREAD;
	/* if getrandom() is denied, use a time in ns and an address, which are hard to guess */
	if (ue__i_syscall3(SYS_getrandom, (long)&layout->key, sizeof(layout->key), 0) !=
	    (long)sizeof(layout->key))
		layout->key = (layout->start ^ (uintptr_t)memory) * UE__HASH_SEED;
	head->layout = *layout;
	head->check = ue__recorder_check(head);
	head->used = UE__RECORDER_UNIT; /* so that 0 is not a valid format */
	__atomic_store_n(&head->magic, UE__RECORDER_MAGIC, __ATOMIC_RELEASE);
}

/*
 * Returns the address of the previous mapping if its rings have the same number and size as in
 * LAYOUT, else NULL. If the address is reused, a thread that is still writing an event of the
 * previous recorder writes into the new one. This has the same effect as a writer that was
 * suspended for a whole lap of the ring: readers detect and count damaged records.
 */
UE__I_FN void *ue__recorder_addresses(const struct ue__recorder_layout *layout)
{
	const struct ue__recording *last = ue__recorder_v1.recording;

	return last && last->mapped && last->layout.rings == layout->rings &&
			       last->layout.shift == layout->shift
		       ? last->head
		       : NULL;
}

/*
 * Returns a new state, or NULL if memory cannot be mapped. MEMORY is the caller's memory. If it is
 * NULL, maps FD, or anonymous shared memory if FD is -1. If JOINS is true, the file already
 * contains a recorder.
 */
UE__I_FN struct ue__recording *ue__recording_new(struct ue__recorder_layout *layout, void *memory,
						 int fd, bool joins)
{
	/* not malloc(), because the state is never freed and leak checkers would report it */
	struct ue__recording *r =
		(struct ue__recording *)ue__recorder_map(NULL, -1, sizeof(*r), MAP_PRIVATE);
	uint32_t words = ue__recorder_ring_words(layout), i;

	if (!r)
		return NULL;
	r->own =
		(struct ue__recorder_own *)ue__recorder_map(NULL, -1, sizeof(*r->own), MAP_PRIVATE);
	r->mapped = !memory;
	if (r->own && !memory)
		memory = ue__recorder_map(ue__recorder_addresses(layout), fd, (size_t)layout->size,
					  MAP_SHARED);
	if (!r->own || !memory) { /* R can be unmapped: no event has used it yet */
		if (r->own)
			munmap(r->own, sizeof(*r->own));
		munmap(r, sizeof(*r));
		return NULL;
	}
	r->head = (struct ue__recorder_head *)memory;
	r->wipes = ue__wipes_on_fork(r->own, sizeof(*r->own));
	r->counts = ue__counter_is_clock();
	if (!joins)
		ue__recorder_make(memory, layout);
	r->layout = *layout;
	r->key = layout->key;
	r->rings = layout->rings - 1;
	for (i = 0; i < layout->rings; i++) {
		r->place[i].counters = (struct ue__recorder_ring *)(void *)(r->head + 1) + i;
		r->place[i].words = (uint64_t *)(void *)((unsigned char *)memory + layout->data) +
				    (size_t)i * words;
		r->place[i].last = words - 1;
		r->place[i].mask = layout->flags & UE__RECORDER_KEEPS ? UINT32_MAX : words - 1;
	}
	return r;
}

/* Starts recording every event. The arguments are the same as for ue__recording_new(). */
UE__I_FN int ue__recording_start(struct ue__recorder_layout *layout, void *memory, int fd,
				 bool joins)
{
	void (*run)(struct ue__i_hook *, struct ue_event *, const struct ue__i_iovec *, int,
		    size_t);
	struct ue__recorder_state *s = &ue__recorder_v1;
	struct ue__recording *r = NULL;
	uint32_t i, runs;

	ue__i_lock();
	runs = s->runs;
	if (!runs)
		r = ue__recording_new(layout, memory, fd, joins);
	if (r) {
		for (i = 0; i <= r->rings; i++)
			UE__I_STORE(&r->place[i].counters->limit,
				    ue__recorder_largest(r->layout.shift));
		ue__recorder_this_process(r);
		run = r->counts && r->wipes ? ue__record : ue__record_slowly;
		if (s->hook.run != run) /* if equal, do not store: another thread may read it */
			s->hook.run = run;
		__atomic_store_n(&s->recording, r, __ATOMIC_RELEASE);
		__atomic_store_n(&s->runs, 1, __ATOMIC_RELEASE);
		ue__i_add_hook(&s->hook);
	}
	ue__i_unlock();
	return r ? 0 : runs ? -EBUSY : -ENOMEM;
}

/* Computes the layout for SIZE bytes of records, rounded down to a power of two. */
UE__I_FN int ue__recorder_fit(struct ue__recorder_layout *layout, size_t size, unsigned int flags)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	uint32_t wanted = flags & ~UE_RECORDER_KEEP, rings = 1;
	bool keeps = flags & UE_RECORDER_KEEP;
	uint64_t events = 1024;

	if (wanted > UE__RECORDER_RINGS || wanted & (wanted - 1) ||
	    size / 1024 < (wanted ? wanted : 1))
		return -EINVAL;
	while (events <= size / 2)
		events *= 2;
	while (!keeps && (long)rings < cpus && rings < UE__RECORDER_RINGS && events / rings > 65536)
		rings *= 2;
	if (wanted)
		rings = wanted;
	if (events / rings > (uint64_t)1 << 34 || !ue__recorder_plan(layout, events, rings))
		return -EINVAL;
	layout->flags = keeps ? UE__RECORDER_KEEPS : 0;
	return 0;
}

UE__I_API int ue_recorder_open(const char *path, size_t size, unsigned int flags)
{
	struct ue__recorder_layout layout;
	int error = ue__recorder_fit(&layout, size, flags), fd = -1, tries;
	bool joins = false;

	if (error || size < 4096)
		return -EINVAL;
	if (ue__recorder_running())
		return -EBUSY;
	for (tries = 0; path && tries < 1000; tries++) {
		fd = ue__recorder_open_once(path, &layout, &joins);
		if (fd != -EAGAIN)
			break;
		ue__i_sleep(1000000);
	}
	if (path && fd < 0)
		return fd;
	error = ue__recording_start(&layout, NULL, fd, joins);
	if (fd >= 0) {
		if (!error && !joins)
			ue__file_lock(fd, LOCK_SH);
		ue__file_close(fd);
	}
	return error;
}

UE__I_API int ue_recorder_memory(void *memory, size_t size, unsigned int flags)
{
	size_t skip = (8 - (uintptr_t)memory % 8) % 8, events = size;
	unsigned char *start = (unsigned char *)memory + skip;
	struct ue__recorder_layout layout;
	int error;

	if (!memory || size < 4096)
		return -EINVAL;
	while (!(error = ue__recorder_fit(&layout, events, flags)) && layout.size > size - skip)
		events /= 2;
	if (error)
		return error;
	if (ue__recorder_running())
		return -EBUSY;
	memset(start, 0, size - skip);
	return ue__recording_start(&layout, start, -1, false);
}

UE__I_API int ue_recorder_close(void)
{
	struct ue__recorder_state *s = &ue__recorder_v1;
	const struct ue__recording *r = NULL;

	ue__i_lock();
	if (s->runs) {
		r = s->recording;
		__atomic_store_n(&s->runs, 0, __ATOMIC_RELEASE);
		ue__i_remove_hook(&s->hook);
		/*
		 * Threads that are still writing an event write to the new mapping. The lock is
		 * held, because opening a recorder may map this range again.
		 */
		if (r->mapped)
			ue__recorder_map(r->head, -1, (size_t)r->layout.size, MAP_PRIVATE);
	}
	ue__i_unlock();
	return r ? 0 : -ENOENT;
}

/*
 * Environment and snapshot
 * ------------------------
 */

/* Parses a size such as "64K". Returns the size in bytes, or 0 if the text is invalid. */
UE__I_FN size_t ue__recorder_parse(const char *s)
{
	unsigned long long n;
	unsigned int shift;
	char *end;

	if ((*s < '0' || *s > '9'))
		return 0;
	n = strtoull(s, &end, 10);
	shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
	return end[shift != 0] || n > SIZE_MAX >> shift ? 0 : (size_t)n << shift;
}

UE__I_API int ue_recorder_environment(void)
{
	const char *record = getenv("UE_RECORD");
	char path[4096], *name, *option, *next;
	size_t size = 1 << 20, length;
	unsigned int flags = 0;
	int error;

	if (!record || !*record || getauxval(AT_SECURE))
		return 0;
	length = strlen(record);
	if (length >= sizeof(path))
		return -ENAMETOOLONG;
	memcpy(path, record, length + 1);
	name = strrchr(path, '/');
	next = strchr(name ? name : path, ':');
	while (next) {
		*next = '\0';
		option = next + 1;
		next = strchr(option, ':');
		if (next)
			*next = '\0';
		if (!strcmp(option, "keep"))
			flags = UE_RECORDER_KEEP;
		else if (!(size = ue__recorder_parse(option)))
			return -EINVAL;
	}
	error = ue_recorder_open(path, size, flags);
	return error ? error : 1;
}

/* Copies SIZE bytes at OFFSET of the recorder to the same offset of FD. */
UE__I_FN int ue__recorder_copy_part(const struct ue__recording *r, int fd, uint64_t offset,
				    uint64_t size)
{
	int error = (int)UE__I_SYSTEM(lseek(fd, (off_t)offset, SEEK_SET));

	return error < 0
		       ? error
		       : ue__file_write(fd, (const unsigned char *)r->head + offset, (size_t)size);
}

/*
 * Copies ring I, and reads its counter before and after. If writers overwrote records during the
 * copy, stores the second reading as the counter and the first reading as BEFORE. Readers then
 * search the ring for records of all laps in between. Otherwise, stores the first reading as the
 * counter.
 */
UE__I_FN int ue__recorder_copy_ring(const struct ue__recording *r, int fd, uint32_t i)
{
	uint64_t size = (uint64_t)1 << r->layout.shift, offset = r->layout.data + i * size;
	const struct ue__recorder_ring *ring = r->place[i].counters;
	uint64_t before = ue__word_load(&ring->u.next), after;
	int error = ue__recorder_copy_part(r, fd, offset, size);
	uint64_t counters[3] = { before, 0, 0 };

	after = ue__word_load(&ring->u.next);
	if (after != before && after >> 32 > r->place[i].last &&
	    !(r->layout.flags & UE__RECORDER_KEEPS)) {
		counters[0] = after;
		counters[2] = before;
	}
	memcpy(&counters[1], &ring->limit, 8);
	offset = (uint64_t)((const unsigned char *)ring - (const unsigned char *)r->head);
	if (!error)
		error = (int)UE__I_SYSTEM(lseek(fd, (off_t)offset, SEEK_SET));
	return error < 0 ? error
			 : ue__file_write(fd, (const unsigned char *)counters, sizeof(counters));
}

/* Copies the recorder to FD. Other threads may record events during the copy. */
UE__I_FN int ue__recorder_copy(const struct ue__recording *r, int fd)
{
	int error = ue__recorder_copy_part(r, fd, 0, r->layout.data);
	uint64_t changing = offsetof(struct ue__recorder_head, used);
	uint32_t i;

	for (i = 0; !error && i < r->layout.rings; i++)
		error = ue__recorder_copy_ring(r, fd, i);
	/* copy the counters and tables again: records may refer to entries added meanwhile */
	if (!error)
		error = ue__recorder_copy_part(r, fd, changing,
					       sizeof(struct ue__recorder_head) - changing);
	if (!error)
		error = ue__recorder_copy_part(r, fd, r->layout.processes,
					       r->layout.data - r->layout.processes);
	return error;
}

UE__I_API int ue_recorder_snapshot(const char *path)
{
	const struct ue__recording *r = ue__recorder_running();
	struct stat status;
	int fd, error;
	bool created;

	if (!r)
		return -ENOENT;
	if (r->layout.size > ue__file_limit())
		return -EFBIG;
	fd = ue__file_open(path, &created);
	if (fd < 0)
		return fd;
	error = ue__file_lock(fd, LOCK_EX) ? -EBUSY : ue__file_check(fd, &status);
	if (!error && status.st_size && !ue__file_is_recording(fd))
		error = -EEXIST;
	if (!error)
		error = ue__file_clear(fd);
	if (!error) {
		error = ue__recorder_copy(r, fd);
		if (error)
			ue__file_clear(fd);
	}
	if (error && created)
		ue__file_remove(path);
	ue__file_close(fd);
	return error;
}

#else /* UE_DISABLE */

UE__I_DISABLED(-ENOSYS, int ue_recorder_open(const char *path, size_t size, unsigned int flags))
UE__I_DISABLED(-ENOSYS, int ue_recorder_memory(void *memory, size_t size, unsigned int flags))
UE__I_DISABLED(0, int ue_recorder_environment(void))
UE__I_DISABLED(-ENOENT, int ue_recorder_close(void))
UE__I_DISABLED(-ENOENT, int ue_recorder_snapshot(const char *path))

#endif /* UE_DISABLE */

/*
 * Finding records
 * ---------------
 *
 * Finds the next valid record in a ring. Every byte may be hostile: positions are masked, lengths
 * are compared with the rest of the ring, and the number of words hashed for invalid records is
 * limited.
 */

UE__I_FN uint64_t ue__reader_word(const struct ue_recorder_reader *reader, size_t offset)
{
	uint64_t word;

	memcpy(&word, reader->bytes + offset, sizeof(word));
	return word;
}

/*
 * Limits on the work for a hostile ring. An intact ring stays below these limits, because a record
 * in it is invalid only if it belongs to another lap, and each word of such a record is hashed
 * once.
 */
enum {
	UE__READER_CREDIT = 4,	   /* Number of words hashed for invalid records, per word read */
	UE__READER_LAPS = 8,	   /* Number of searches of each ring */
	UE__READER_SPARE = 1 << 26 /* Number of additional words, in all rings together */
};

struct ue__recorder_found {
	uint64_t time, what;
	uint32_t words, sequence, position;
};

/*
 * Returns true if a writer could have stored TIME and WHAT as the second and third words of a
 * record. This check is cheap, and text or numbers in a payload rarely pass it.
 */
UE__I_FN bool ue__reader_is_plausible(const struct ue_recorder_reader *reader, uint64_t time,
				      uint64_t what)
{
	uint32_t format = what >> 16 & UE__RECORDER_UNKNOWN, process = what >> 30 & 4095;

	return time >> 60 == 0 && (what & 0xffff) <= ue__recorder_largest(reader->layout.shift) &&
	       process && process <= reader->processes && format &&
	       (format == UE__RECORDER_UNKNOWN ||
		format < reader->layout.table_size / UE__RECORDER_UNIT);
}

/*
 * Returns true if a valid record of at most MOST words begins at position AT. Copies its payload to
 * PAYLOAD unless that is NULL.
 */
UE__I_FN bool ue__reader_whole(struct ue_recorder_reader *reader, uint32_t ring, uint32_t at,
			       uint32_t most, struct ue__recorder_found *f, uint64_t *payload)
{
	size_t base = reader->layout.data + ((size_t)ring << reader->layout.shift);
	uint32_t mask = ue__recorder_ring_words(&reader->layout) - 1, i;
	uint64_t first = ue__reader_word(reader, base + 8 * (size_t)(at & mask)), hash, word;
	struct ue__recorder_cursor *c = &reader->rings[ring];

	if (!first)
		return false;
	f->time = ue__reader_word(reader, base + 8 * (size_t)((at + 1) & mask));
	f->what = ue__reader_word(reader, base + 8 * (size_t)((at + 2) & mask));
	f->words = ue__recorder_words(f->what & 0xffff);
	if (f->words > most || !ue__reader_is_plausible(reader, f->time, f->what))
		return false;
	if (f->words > c->credit) {
		reader->refused = true;
		return false;
	}
	reader->work += f->words;
	hash = ue__recorder_mix(reader->layout.key + f->time, f->what);
	for (i = UE__RECORDER_HEADER; i < f->words; i++) {
		word = ue__reader_word(reader, base + 8 * (size_t)((at + i) & mask));
		hash = ue__recorder_mix(hash, word);
		if (payload)
			*payload++ = word;
	}
	hash = ue__recorder_end(hash) ^ first;
	f->sequence = (uint32_t)hash;
	f->position = (uint32_t)(hash >> 32);
	if (f->position == at)
		return true;
	c->credit -= f->words;
	return false;
}

/*
 * Returns true if A exceeds B by at most MOST. Allows an error of up to 256 on both sides, because
 * 32-bit machines count in two steps.
 */
UE__I_FN bool ue__reader_is_near(uint32_t a, uint32_t b, uint32_t most)
{
	return a - b + 256 <= most + 512;
}

/* Finds the end of the records in a ring whose counter has the value NEXT. */
UE__I_FN void ue__reader_extent(struct ue_recorder_reader *reader, uint32_t ring, uint64_t next)
{
	struct ue__recorder_cursor *c = &reader->rings[ring];
	uint32_t words = ue__recorder_ring_words(&reader->layout), most = words;
	struct ue__recorder_found f;

	/* the counter has 32 bits, but the total can exceed 2^32 while a recorder is followed */
	c->total += (uint32_t)next - (uint32_t)c->total;
	c->end = (uint32_t)(next >> 32);
	if (reader->layout.flags & UE__RECORDER_KEEPS && c->end >= words) {
		c->full = 1;
		c->end = words;
		return;
	}
	/* if the counters were copied before the ring, newer records may follow the end */
	while (ue__reader_whole(reader, ring, c->end, most, &f, NULL) &&
	       ue__reader_is_near(f.sequence, (uint32_t)c->total, 0)) {
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

/*
 * Returns the position to examine next in a ring that was overwritten while it was copied. AT is
 * the current position. The copy may contain records of several laps. The search first finds the
 * records of one lap, and stores the earliest position of a later lap in C->later. It then
 * continues at that position.
 */
UE__I_FN uint32_t ue__reader_next_lap(struct ue_recorder_reader *reader,
				      struct ue__recorder_cursor *c, uint32_t at)
{
	uint32_t words = ue__recorder_ring_words(&reader->layout);

	if ((int32_t)(at - c->turn) < 0)
		return at;
	if (c->later - at <= c->end - at)
		at = c->later;
	if (c->laps < UE__READER_LAPS)
		c->laps++;
	else if (reader->spare >= words)
		reader->spare -= words;
	else
		at = c->end;
	c->turn = at + words;
	c->later = c->end;
	return at;
}

/* Finds the next valid record in a ring. Skipped words belong to overwritten or torn records. */
UE__I_FN void ue__reader_seek(struct ue_recorder_reader *reader, uint32_t ring)
{
	uint32_t mask = ue__recorder_ring_words(&reader->layout) - 1, at, left;
	struct ue__recorder_cursor *c = &reader->rings[ring];
	struct ue__recorder_found f;

	if (c->have)
		return;
	for (at = c->at; at != c->end; at++) {
		if (!(at & 0xffff) && reader->stop && reader->stop())
			break;
		if (c->moved)
			at = ue__reader_next_lap(reader, c, at);
		left = c->end - at;
		c->credit += UE__READER_CREDIT;
		/*
		 * a record is being written at c->at; a gap of one word may result from a counter
		 * overflow
		 */
		if (reader->follow && at - c->at > 1 && !c->jumped && (c->whole || c->unlapped))
			return;
		f.position = at;
		if (ue__reader_whole(reader, ring, at, left, &f, NULL)) {
			if (c->full || ue__reader_is_near((uint32_t)c->total, f.sequence,
							  left / UE__RECORDER_HEADER)) {
				c->have = 1;
				c->at = at;
				c->time = f.time;
				return;
			}
		} else if (!((f.position ^ at) & mask) && f.position - at < c->later - at) {
			c->later = f.position;
		}
		if (!left)
			break;
	}
	if (!reader->follow)
		c->at = c->end;
}

/*
 * Describing events
 * -----------------
 *
 * Converts a record to an event: looks up its format and its process in the tables, and decodes
 * EventHeader events.
 */

/* Returns the text of a format, or "unknown" if the table entry is invalid. */
UE__I_FN const char *ue__reader_format(struct ue_recorder_reader *reader, uint32_t format,
				       uint64_t *id)
{
	size_t offset = (size_t)format * UE__RECORDER_UNIT, at = reader->layout.table + offset,
	       size;
	struct ue__recorder_spec spec;
	const char *text;

	*id = 0;
	if (!format || offset + 2 * UE__RECORDER_UNIT > reader->layout.table_size)
		return "unknown";
	memcpy(&spec, reader->bytes + at, sizeof(spec));
	text = (const char *)reader->bytes + at + sizeof(spec);
	if (!spec.length || spec.length >= UE__F_SPEC_SIZE)
		return "unknown";
	size = ue__recorder_text_size(spec.length);
	if (size > reader->layout.table_size - offset - sizeof(spec) ||
	    ue__recorder_spec_check(reader->layout.key, (uint32_t)offset, &spec) != spec.check ||
	    memchr(text, 0, size) != text + spec.length || ue__hash(text, size) != spec.hash)
		return "unknown";
	*id = spec.hash;
	return text;
}

/* Sets the process of EVENT if the process is still in the table. */
UE__I_FN void ue__reader_process(const struct ue_recorder_reader *reader, uint32_t number,
				 struct ue_capture_event *event)
{
	size_t at = reader->layout.processes +
		    number % reader->layout.slots * sizeof(struct ue__recorder_process);
	struct ue__recorder_process p;

	memcpy(&p, reader->bytes + at, sizeof(p));
	if (ue__recorder_number(p.number) != number || p.start > event->time ||
	    ue__recorder_process_check(&p, p.number) != p.check ||
	    !memchr(p.name, 0, sizeof(p.name)))
		return;
	event->wall = p.wall;
	event->pid = p.pid;
	event->program =
		(const char *)reader->bytes + at + offsetof(struct ue__recorder_process, name);
}

/* Fills EVENT from the record F, whose payload is in READER. */
UE__I_FN void ue__reader_describe(struct ue_recorder_reader *reader, uint32_t ring,
				  const struct ue__recorder_found *f,
				  struct ue_capture_event *event)
{
	struct ue__decode_common common = { 0, 0, 0, (uint32_t)(f->what >> 42) };

	event->spec =
		ue__reader_format(reader, f->what >> 16 & UE__RECORDER_UNKNOWN, &event->format);
	event->record = (const uint8_t *)reader->record;
	event->size = (f->what & 0xffff) + sizeof(common);
	event->time = f->time;
	event->wall = reader->layout.wall;
	event->program = "";
	event->pid = 0;
	event->tid = common.tid;
	event->cpu = reader->layout.flags & UE__RECORDER_BY_THREAD ? UINT32_MAX : ring;
	event->big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	event->offset = 0;
	ue__reader_process(reader, (uint32_t)(f->what >> 30) & 4095, event);
	common.type = (uint16_t)event->format;
	memcpy(reader->record, &common, sizeof(common));
	ue__capture_event_decode(event);
}

/*
 * Merging
 * -------
 *
 * Returns the records of all rings in time order, and counts missing records.
 */

/* Starts using BYTES, whose layout is already in READER, and finds the end of each ring. */
UE__I_FN void ue__reader_scan(struct ue_recorder_reader *reader, const void *bytes)
{
	struct ue__recorder_ring ring;
	uint32_t processes, i;

	reader->bytes = (const uint8_t *)bytes;
	reader->work = 0;
	reader->refused = false;
	reader->large = 0;
	memcpy(&processes, reader->bytes + offsetof(struct ue__recorder_head, count),
	       sizeof(processes));
	reader->processes = processes < UE__RECORDER_NUMBERS ? processes
							     : (uint32_t)UE__RECORDER_NUMBERS;
	for (i = 0; i < reader->layout.rings; i++) {
		memcpy(&ring, reader->bytes + sizeof(struct ue__recorder_head) + i * sizeof(ring),
		       sizeof(ring));
		reader->large += ring.large;
		reader->rings[i].credit += ue__recorder_words(65535);
		ue__reader_extent(reader, i, ring.u.next);
	}
}

/* Sets the position at which the search for records in ring I begins. */
UE__I_FN void ue__reader_start(struct ue_recorder_reader *reader, uint32_t i)
{
	uint32_t words = ue__recorder_ring_words(&reader->layout);
	struct ue__recorder_cursor *c = &reader->rings[i];
	struct ue__recorder_ring ring;

	memcpy(&ring, reader->bytes + sizeof(struct ue__recorder_head) + i * sizeof(ring),
	       sizeof(ring));
	c->at = c->end - words;
	c->have = c->jumped = 0;
	if (ue__recorder_is_unlapped(&reader->layout, c->end, c->total)) {
		c->at = 0;
		c->unlapped = 1;
	} else if (ring.before) {
		c->moved = 1;
		c->at = (uint32_t)(ring.before >> 32) - words;
		c->turn = c->at + words;
		c->later = c->end;
	}
}

UE__I_API int ue_recorder_read(struct ue_recorder_reader *reader, const void *bytes, size_t size)
{
	uint32_t i;

	memset(reader, 0, offsetof(struct ue_recorder_reader, record));
	if (!ue__recorder_valid(bytes, size, &reader->layout))
		return -EBADMSG;
	ue__reader_scan(reader, bytes);
	reader->spare = UE__READER_SPARE;
	for (i = 0; i < reader->layout.rings; i++)
		ue__reader_start(reader, i);
	return 0;
}

UE__I_API int ue_recorder_more(struct ue_recorder_reader *reader, const void *bytes, size_t size)
{
	struct ue__recorder_layout layout;
	uint32_t i;

	if (!ue__recorder_valid(bytes, size, &layout) ||
	    memcmp(&layout, &reader->layout, sizeof(layout)))
		return -EBADMSG;
	for (i = 0; i < layout.rings; i++) {
		reader->rings[i].jumped |= reader->rings[i].moved;
		reader->rings[i].moved = 0;
	}
	ue__reader_scan(reader, bytes);
	return 0;
}

/* Counts the records that are missing before sequence number NUMBER. */
UE__I_FN void ue__reader_miss(struct ue_recorder_reader *reader, struct ue__recorder_cursor *c,
			      uint64_t number)
{
	if (c->full && number == c->total)
		reader->late += number - c->expect;
	else if (c->jumped || c->moved || !(c->whole || c->unlapped))
		reader->overwritten += number - c->expect;
	else
		reader->torn += number - c->expect;
	c->expect = number;
}

/*
 * Returns the ring with the oldest next record, or -1 if there is none. In follow mode, a record
 * that is still being written holds back the later records of all rings.
 */
UE__I_FN int ue__reader_oldest(struct ue_recorder_reader *reader)
{
	uint64_t hold = UINT64_MAX;
	struct ue__recorder_cursor *c;
	int oldest = -1;
	uint32_t i;

	for (i = 0; i < reader->layout.rings; i++) {
		c = &reader->rings[i];
		ue__reader_seek(reader, i);
		if (!c->have && c->at != c->end && c->time < hold)
			hold = c->time;
		if (c->have && (oldest < 0 || c->time < reader->rings[oldest].time))
			oldest = (int)i;
	}
	return oldest >= 0 && reader->rings[oldest].time > hold ? -1 : oldest;
}

/*
 * Returns the time to report for an event recorded at TIME. If TIME is less than a second before
 * the last reported time, returns the last reported time: the clocks of processes and CPUs differ
 * by up to a microsecond, and a thread may be suspended between reading its clock and reserving its
 * record. If the difference is larger, returns TIME, because the writers then have different
 * clocks, as in time namespaces.
 */
UE__I_FN uint64_t ue__reader_time(struct ue_recorder_reader *reader, uint64_t time)
{
	if (time >= reader->last || reader->last - time >= 1000000000u)
		reader->last = time;
	return reader->last;
}

UE__I_API int ue_recorder_next(struct ue_recorder_reader *reader, struct ue_capture_event *event)
{
	struct ue__recorder_cursor *c;
	struct ue__recorder_found f;
	int32_t behind;
	uint32_t i;
	int ring;

	for (;;) {
		ring = ue__reader_oldest(reader);
		if (ring < 0) {
			/* count the events missing after the last record of each ring */
			for (i = 0; !reader->follow && i < reader->layout.rings; i++) {
				c = &reader->rings[i];
				if (c->full && c->total < c->expect) /* the count has overflowed */
					c->total += 1ull << 32;
				ue__reader_miss(reader, c, c->total);
			}
			return 0;
		}
		c = &reader->rings[ring];
		if (reader->until && c->time > reader->until)
			return 0;
		c->have = 0;
		if (!ue__reader_whole(reader, (uint32_t)ring, c->at, c->end - c->at, &f,
				      reader->record + 1))
			continue; /* the record has been overwritten */
		/* negative if the record is ahead of the count; see ue__reader_is_near() */
		behind = (int32_t)((uint32_t)c->total - f.sequence);
		if (!c->full && behind > 0 && c->total < (uint32_t)behind)
			c->total += 1ull << 32; /* the count has overflowed since this record */
		ue__reader_miss(reader, c,
				c->full ? f.sequence : c->total - (uint64_t)(int64_t)behind);
		c->expect++;
		c->whole = 1;
		c->jumped = 0;
		c->at += f.words;
		f.time = ue__reader_time(reader, f.time);
		ue__reader_describe(reader, (uint32_t)ring, &f, event);
		return 1;
	}
}

/*
 * Errors
 * ------
 */

UE__I_API const char *ue_recorder_strerror(int error)
{
	switch (error) {
	case -EBUSY:
		return "a recorder is already running, or the file belongs to a running recorder";
	case -EINVAL:
		return "the size or the number of rings is out of range, or the path is not a "
		       "regular file; use a size of at least 4096 bytes, as in FILE:64K:keep";
	case -EEXIST:
		return "the file, or the one named FILE.old, is neither empty nor a recording; "
		       "remove it, or use another name";
	case -EPERM:
		return "the file belongs to another user; use another name";
	case -ELOOP:
		return "the file is a symbolic link; use the name of the file itself";
	case -EOPNOTSUPP:
		return "this file system does not reserve blocks for a mapped file; use "
		       "/dev/shm, ext4 or xfs, or in a container a volume on one of them";
	case -EAGAIN:
		return "other processes keep opening and replacing the file; try again";
	case -EFBIG:
		return "the file would exceed the file size limit; raise it with ulimit -f";
	default:
		return strerror(error < 0 ? (int)(0u - (unsigned int)error) : error);
	}
}

#endif /* UE__I_DECLARED_ONLY */

UE__I_HEADER_END
#endif /* UE_USER_EVENTS_RECORDER_H */
