/* SPDX-License-Identifier: MIT */
/*
 * A user_events kernel inside the process, for tests without the real one.
 *
 * It answers open, ioctl, write, writev, read and close as Linux 6.12 does, for one process, and
 * lets a test play the rest of the world: a tracer, another process, a missing mount, an older
 * kernel. tests/fake_kernel/abi_table.c runs one table against it and the real kernel and fails on
 * any difference.
 *
 *	#define FAKE_KERNEL_HOOKS
 *	#include "fake_kernel.h"
 *	#include <user_events.h>
 *
 *	fake_kernel_reset(NULL);
 *	... the code under test registers "hello u32 x" ...
 *	fake_kernel_enable("hello", FAKE_FTRACE);
 *	... it writes ...
 *	fake_kernel_record(0)->data
 *
 * Every function may be called from any thread at any time. fake_write and fake_writev allocate
 * nothing and block signals while they run, so they are async-signal-safe as the kernel's are.
 * After fork the child has a copy of its own.
 */
#ifndef FAKE_KERNEL_H
#define FAKE_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

#ifdef FAKE_KERNEL_HOOKS
#define UE_SYS_OPEN(path, flags) fake_open(path, flags)
#define UE_SYS_IOCTL(fd, request, argp) fake_ioctl(fd, request, argp)
#define UE_SYS_WRITE(fd, buf, n) fake_write(fd, buf, n)
#define UE_SYS_WRITEV(fd, iov, n) fake_writev(fd, iov, n)
#define UE_SYS_CLOSE(fd) fake_close(fd)
#define UE_SYS_READ(fd, buf, n) fake_read(fd, buf, n)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* As the calls of libc: -1 and errno on failure. The fds are none that the real kernel gives. */
int fake_open(const char *path, int flags);
int fake_ioctl(int fd, unsigned long request, void *argp);
ssize_t fake_write(int fd, const void *buf, size_t n);
ssize_t fake_writev(int fd, const struct iovec *iov, int n);
ssize_t fake_read(int fd, void *buf, size_t n);
int fake_close(int fd);

/* The flags of struct user_reg. */
#define FAKE_REG_PERSIST 1u
#define FAKE_REG_MULTI_FORMAT 2u

/* What kind of machine the process runs on. Strings are copied. */
struct fake_world {
	/* Where tracefs is mounted: any path, escaped in /proc/self/mounts. NULL: nowhere. */
	const char *tracefs;
	/* The whole text of /proc/self/mounts. NULL: some file systems and tracefs. */
	const char *mounts;
	/* What opening /proc/self/mounts fails with; 0: it opens. */
	int mounts_errno;
	/* What opening user_events_data fails with: EACCES, or ENOENT without user_events. */
	int data_errno;
	/* Opening any path that begins with this is EACCES. NULL: none. */
	const char *denied;
	/* The most bytes that one read returns; 0: as many as are asked for. */
	size_t read_max;
	/* A 32-bit process on a 64-bit kernel: every ioctl is ENOTTY. */
	bool compat;
	/* The registration flags that the kernel knows; others are EINVAL. */
	unsigned int known_flags;
	/* CAP_PERFMON: without it persistent events are EPERM. */
	bool perfmon;
	/* kernel.user_events_max: then EMFILE. */
	unsigned int max_events;
	/* The most payload bytes that ftrace records; more is lost in silence. */
	size_t ftrace_max;
};

/* Linux 6.12 on a machine of this pointer size: tracefs at its usual place, all permissions. */
struct fake_world fake_world_default(void);

/*
 * Forgets everything: fds, registrations, events, records, failures, counts. world NULL: the
 * default. Enable words are left as they are; their memory may be gone. The library keeps its file
 * open after ue_unregister_all(): with the hooks above, it forgets its file as well.
 */
void fake_kernel_reset(const struct fake_world *world);
#ifdef FAKE_KERNEL_HOOKS
#define fake_kernel_reset(world) \
	(ue__state_v1.fd = ue__state_v1.reopen_error = 0, fake_kernel_reset(world))
#endif
/* Another world from now on: tracefs is mounted, a permission granted. Nothing is forgotten. */
void fake_kernel_change(const struct fake_world *world);

/* ---- Tracers ---- */

#define FAKE_FTRACE 1u
#define FAKE_PERF 2u
#define FAKE_OTHER 128u

/*
 * A tracer (one or more of FAKE_*) starts or stops listening to all events there are now whose
 * name matches: "hello", "hel*", "user_events:hello", "user_events_multi:hello.0", "*". The bits
 * of their enable words follow before the call returns. Returns how many matched.
 */
int fake_kernel_enable(const char *pattern, unsigned int tracers);
int fake_kernel_disable(const char *pattern, unsigned int tracers);

/* ---- Another process ---- */

/* Registers "name fields" as a process of its own would; returns 0 or -errno. */
int fake_kernel_other_register(const char *name_args, unsigned int flags);
/* That process ends: it gives up every event of this name. Returns how many, or -ENOENT. */
int fake_kernel_other_exit(const char *name);

/* ---- Failures and counts ---- */

enum fake_call {
	FAKE_OPEN,
	FAKE_READ,
	FAKE_REG,
	FAKE_UNREG,
	FAKE_DEL,
	FAKE_WRITE,
	FAKE_WRITEV,
	FAKE_CLOSE,
	FAKE_CALLS
};

/*
 * The nth call of this kind from now on (1: the next one), and `times - 1` calls after it, fail
 * with err and do nothing else (a failed close closes, as Linux does). At most 32 such orders.
 */
void fake_kernel_fail(enum fake_call call, unsigned int nth, unsigned int times, int err);
/*
 * A word that is unregistered from now on stays listed until so many registrations of it were
 * refused, as Linux does while a fault of the word's page is pending.
 */
void fake_kernel_hold_words(unsigned int registrations);
/* How many calls of this kind were made since the reset, failed ones included. */
unsigned long fake_kernel_calls(enum fake_call call);
void fake_kernel_clear_calls(void);

/* ---- What was recorded ---- */

struct fake_record {
	const char *name;		/* of the tracepoint: NAME, or NAME.HEX if multi-format */
	const unsigned char *data;	/* payload: what followed the index */
	size_t size;
	unsigned int segments;		/* 0: write; else the iovec's length */
	unsigned int tracers;		/* who took it */
	int index;			/* write index that was used */
	long thread;			/* kernel thread id of the writer */
};

/*
 * Records in the order of their writes. One write is one record, however many tracers took it.
 * The pointers stay good until the next reset or clear. NULL: there is no such record.
 */
const struct fake_record *fake_kernel_record(size_t i);
size_t fake_kernel_records(void);
void fake_kernel_clear_records(void);
/* Writes that answered success and that a tracer did not record: too long for its buffer. */
unsigned long fake_kernel_lost(void);
/* Records that the fake itself had no room for (64 MiB, a million): 0 in a sound test. */
unsigned long fake_kernel_overrun(void);

/* ---- What there is ---- */

/* Events there are, enable words of this process, open fds of user_events_data. */
unsigned int fake_kernel_events(void);
unsigned int fake_kernel_enablers(void);
unsigned int fake_kernel_fds(void);
/* The flags that fd was opened with, or -1. */
int fake_kernel_fd_flags(int fd);
/*
 * The fields of a tracepoint as the kernel shows them, "u32 a; __rel_loc char[] s". Returns the
 * length of the whole text (as snprintf), or -ENOENT.
 *
 * fake_open also opens, read-only, user_events_status, dynamic_events and
 * events/SYSTEM/NAME/format below the tracefs directory, with the kernel's text. As the length of
 * an array it shows a number that means nothing, since 6.12 never sets it.
 */
#define FAKE_ARRAY_NUMBER "9597920"
int fake_kernel_fields(const char *tracepoint, char *buf, size_t size);

#ifdef __cplusplus
}
#endif

#endif
