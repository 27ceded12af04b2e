/* SPDX-License-Identifier: MIT */
/*
 * A user_events kernel inside the process, for tests without the real one.
 *
 * It implements open, ioctl, write, writev, read and close like Linux 6.12, for one process, and
 * lets a test simulate its environment: a tracer, another process, a missing mount, an older
 * kernel. tests/fake_kernel/abi_table.c runs one table on it and on the real kernel, and fails on
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
 * After a fork, the child has its own copy.
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

/* These follow libc's calls: -1 and errno on failure. The real kernel never returns such fds. */
int fake_open(const char *path, int flags);
int fake_ioctl(int fd, unsigned long request, void *argp);
ssize_t fake_write(int fd, const void *buf, size_t n);
ssize_t fake_writev(int fd, const struct iovec *iov, int n);
ssize_t fake_read(int fd, void *buf, size_t n);
int fake_close(int fd);

/* The flags of struct user_reg. */
#define FAKE_REG_PERSIST 1u
#define FAKE_REG_MULTI_FORMAT 2u

/* Properties of the machine that the process runs on. Strings are copied. */
struct fake_world {
	/* Mount point of tracefs: any path, escaped in /proc/self/mounts. NULL: not mounted. */
	const char *tracefs;
	/* Full text of /proc/self/mounts. NULL: some file systems and tracefs. */
	const char *mounts;
	/* errno of opening /proc/self/mounts; 0: success. */
	int mounts_errno;
	/* errno of opening user_events_data: EACCES, or ENOENT without user_events. */
	int data_errno;
	/* Prefix of all paths whose opening fails with EACCES. NULL: none. */
	const char *denied;
	/* Maximum number of bytes per read; 0: as many as requested. */
	size_t read_max;
	/* A 32-bit process on a 64-bit kernel: every ioctl fails with ENOTTY. */
	bool compat;
	/* Registration flags that the kernel supports; others fail with EINVAL. */
	unsigned int known_flags;
	/* CAP_PERFMON: without it, persistent events fail with EPERM. */
	bool perfmon;
	/* kernel.user_events_max: then EMFILE. */
	unsigned int max_events;
	/* Maximum size of a payload that ftrace records; longer ones are lost silently. */
	size_t ftrace_max;
};

/*
 * Returns Linux 6.12 on a machine of this pointer size, with tracefs at the usual path and all
 * permissions.
 */
struct fake_world fake_world_default(void);

/*
 * Resets everything: fds, registrations, events, records, failures, counts. If WORLD is NULL, the
 * default world is used. Enable words are not changed, because their memory may be freed. The
 * library keeps its file open after ue_unregister_all(); with the hooks above, it forgets its file
 * as well.
 */
void fake_kernel_reset(const struct fake_world *world);
#ifdef FAKE_KERNEL_HOOKS
#define fake_kernel_reset(world) \
	(ue__state_v1.fd = ue__state_v1.reopen_error = 0, fake_kernel_reset(world))
#endif
/*
 * Switches to another world, for example after mounting tracefs or granting a permission, and keeps
 * all state.
 */
void fake_kernel_change(const struct fake_world *world);

/* ---- Tracers ---- */

#define FAKE_FTRACE 1u
#define FAKE_PERF 2u
#define FAKE_OTHER 128u

/*
 * Lets a tracer (one or more of FAKE_*) enable or disable all current events whose name matches:
 * "hello", "hel*", "user_events:hello", "user_events_multi:hello.0", "*". The bits of their enable
 * words change before the call returns. Returns the number of matching events.
 */
int fake_kernel_enable(const char *pattern, unsigned int tracers);
int fake_kernel_disable(const char *pattern, unsigned int tracers);

/* ---- Another process ---- */

/* Registers "name fields" as another process would. Returns 0 or -errno. */
int fake_kernel_other_register(const char *name_args, unsigned int flags);
/* Ends that process, which releases every event of this name. Returns their number, or -ENOENT. */
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
 * Makes the nth call of this kind from now on (1: the next one) and the following `times - 1` calls
 * fail with ERR, without any other effect (a failed close() closes the fd, as on Linux). At most 32
 * such requests.
 */
void fake_kernel_fail(enum fake_call call, unsigned int nth, unsigned int times, int err);
/*
 * Keeps words that are unregistered from now on listed until this number of their registrations has
 * been rejected, as Linux does while a fault of the word's page is pending.
 */
void fake_kernel_hold_words(unsigned int registrations);
/* Returns the number of calls of this kind since the reset, including failed ones. */
unsigned long fake_kernel_calls(enum fake_call call);
void fake_kernel_clear_calls(void);

/* ---- What was recorded ---- */

struct fake_record {
	/* name of the tracepoint: NAME, or NAME.HEX if multi-format */
	const char *name;
	const unsigned char *data;	/* payload: what followed the index */
	size_t size;
	unsigned int segments;		/* 0: write(); otherwise the length of the iovec */
	unsigned int tracers;		/* who took it */
	int index;			/* write index that was used */
	long thread;			/* kernel thread ID of the writer */
};

/*
 * Returns records in the order of their writes, or NULL if the index is too large. One write is one
 * record, regardless of the number of tracers. The pointers stay valid until the next reset or
 * clear.
 */
const struct fake_record *fake_kernel_record(size_t i);
size_t fake_kernel_records(void);
void fake_kernel_clear_records(void);
/* Returns the number of successful writes that a tracer did not record: too long for its buffer. */
unsigned long fake_kernel_lost(void);
/*
 * Returns the number of records that exceeded the fake's memory (64 MiB, a million): 0 in a valid
 * test.
 */
unsigned long fake_kernel_overrun(void);

/* ---- What there is ---- */

/*
 * Return the numbers of events, of this process's enable words, and of open fds of
 * user_events_data.
 */
unsigned int fake_kernel_events(void);
unsigned int fake_kernel_enablers(void);
unsigned int fake_kernel_fds(void);
/* Returns the flags that FD was opened with, or -1. */
int fake_kernel_fd_flags(int fd);
/*
 * Stores the fields of a tracepoint as the kernel shows them, "u32 a; __rel_loc char[] s". Returns
 * the length of the whole text (like snprintf), or -ENOENT.
 *
 * fake_open() also opens, read-only, user_events_status, dynamic_events and
 * events/SYSTEM/NAME/format below the tracefs directory, with the kernel's text. Like 6.12, which
 * leaves it uninitialised, it shows a meaningless number as the length of an array.
 */
#define FAKE_ARRAY_NUMBER "9597920"
int fake_kernel_fields(const char *tracepoint, char *buf, size_t size);

#ifdef __cplusplus
}
#endif

#endif
