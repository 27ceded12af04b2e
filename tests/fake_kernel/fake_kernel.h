/* SPDX-License-Identifier: MIT */
/*
 * An implementation of user_events within the process, for tests that cannot use a real kernel.
 *
 * It implements open, ioctl, write, writev, read and close for one process, in the same way as
 * Linux 6.12. A test can simulate the environment: a tracer, another process, a missing mount, or
 * an older kernel. tests/fake_kernel/abi_table.c runs the same table on this implementation and on
 * the real kernel, and reports any difference.
 *
 *   #define FAKE_KERNEL_HOOKS
 *   ...
 *   fake_kernel_reset(NULL);
 *   ... the code under test registers "hello u32 x" ...
 *   fake_kernel_enable("hello", FAKE_FTRACE);
 *   ... the code under test writes an event ...
 *   fake_kernel_record(0)->data
 *
 * All functions can be called from any thread at any time. fake_write and fake_writev do not
 * allocate memory, and they block signals while they run. Like the kernel's calls, they are
 * async-signal-safe. After fork(), the child has a separate copy.
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

/*
 * Like libc, these functions return -1 and set errno on failure. Their fds never have the same
 * numbers as real fds.
 */
int fake_open(const char *path, int flags);
int fake_ioctl(int fd, unsigned long request, void *argp);
ssize_t fake_write(int fd, const void *buf, size_t n);
ssize_t fake_writev(int fd, const struct iovec *iov, int n);
ssize_t fake_read(int fd, void *buf, size_t n);
int fake_close(int fd);

/* Values of the flags in struct user_reg. */
#define FAKE_REG_PERSIST 1u
#define FAKE_REG_MULTI_FORMAT 2u

/* Environment of the process. Strings are copied. */
struct fake_world {
	/*
	 * Mount point of tracefs, without the escapes of /proc/self/mounts, or NULL if tracefs is
	 * not mounted.
	 */
	const char *tracefs;
	/* Contents of /proc/self/mounts, or NULL for tracefs and some other file systems. */
	const char *mounts;
	/* errno with which opening /proc/self/mounts fails, or 0. */
	int mounts_errno;
	/*
	 * errno with which opening user_events_data fails, such as EACCES, or ENOENT without
	 * user_events.
	 */
	int data_errno;
	/* Prefix of the paths that cannot be opened (EACCES), or NULL for none. */
	const char *denied;
	/* Maximum number of bytes that read() returns, or 0 for no limit. */
	size_t read_max;
	/* Simulates a 32-bit process on a 64-bit kernel: every ioctl fails with ENOTTY. */
	bool compat;
	/* Registration flags that the kernel supports. All other flags fail with EINVAL. */
	unsigned int known_flags;
	/*
	 * Whether the process has CAP_PERFMON. Without it, registering a persistent event fails
	 * with EPERM.
	 */
	bool perfmon;
	/* Value of kernel.user_events_max. Registrations of further events fail with EMFILE. */
	unsigned int max_events;
	/*
	 * Size of the largest payload that ftrace records. Longer payloads are lost without an
	 * error.
	 */
	size_t ftrace_max;
};

/*
 * Returns the default world: Linux 6.12 on a machine with this pointer size, tracefs at the usual
 * path, and all permissions.
 */
struct fake_world fake_world_default(void);

/*
 * Resets everything: fds, registrations, events, records, failures and counts. If WORLD is NULL,
 * uses the default world. Does not change enable words, because their memory may have been freed.
 * The library keeps its file open after ue_unregister_all(). With the hooks above, a reset makes
 * the library forget this file.
 */
void fake_kernel_reset(const struct fake_world *world);
#ifdef FAKE_KERNEL_HOOKS
#define fake_kernel_reset(world) \
	(ue__state_v1.fd = ue__state_v1.reopen_error = 0, fake_kernel_reset(world))
#endif
/*
 * Changes the simulated environment, for example to mount tracefs or to grant a permission. Keeps
 * all other state.
 */
void fake_kernel_change(const struct fake_world *world);

/* ---- Tracers ---- */

#define FAKE_FTRACE 1u
#define FAKE_PERF 2u
#define FAKE_OTHER 128u

/*
 * Makes one or more tracers (FAKE_*) enable or disable all current events whose names match a
 * pattern such as "hello", "hel*", "user_events:hello", "user_events_multi:hello.0" or "*". The
 * enable words change before the call returns. Returns the number of matching events.
 */
int fake_kernel_enable(const char *pattern, unsigned int tracers);
int fake_kernel_disable(const char *pattern, unsigned int tracers);

/* ---- Another process ---- */

/* Registers "name fields" on behalf of another process. Returns 0 or -errno. */
int fake_kernel_other_register(const char *name_args, unsigned int flags);
/*
 * Simulates the exit of the other process, which releases all events of this name. Returns the
 * number of events, or -ENOENT.
 */
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
 * Makes calls of this kind fail with ERR: the nth call from now on, and the following `times - 1`
 * calls. nth is 1 for the next call. A failed call has no other effect, except that close() still
 * closes the fd, as on Linux. At most 32 such requests can be pending.
 */
void fake_kernel_fail(enum fake_call call, unsigned int nth, unsigned int times, int err);
/*
 * Delays the release of words that are unregistered from now on. Each word remains listed until
 * this number of registrations with the word has been rejected, as in Linux while a page fault for
 * the word is pending.
 */
void fake_kernel_hold_words(unsigned int registrations);
/* Returns the number of calls of this kind since the reset, including failed ones. */
unsigned long fake_kernel_calls(enum fake_call call);
void fake_kernel_clear_calls(void);

/* ---- Records ---- */

struct fake_record {
	/* name of the tracepoint: NAME, or NAME.HEX for multi-format events */
	const char *name;
	const unsigned char *data;	/* payload, that is, the bytes after the index */
	size_t size;
	unsigned int segments;		/* number of iovec entries, or 0 for write() */
	unsigned int tracers;		/* tracers that recorded this event */
	int index;			/* write index */
	long thread;			/* thread ID of the writer */
};

/*
 * Returns a record by its number in the order of the writes, or NULL if the number is too large. A
 * write creates one record, regardless of the number of tracers. The pointers remain valid until
 * the next reset or clear.
 */
const struct fake_record *fake_kernel_record(size_t i);
size_t fake_kernel_records(void);
void fake_kernel_clear_records(void);
/* Returns the number of successful writes that were too long for a tracer's buffer. */
unsigned long fake_kernel_lost(void);
/*
 * Returns the number of records that did not fit in the fake kernel's memory (64 MiB, one million
 * records). In a valid test, this number is 0.
 */
unsigned long fake_kernel_overrun(void);

/* ---- Current state ---- */

/*
 * These functions return the number of events, of this process's enable words, and of open fds of
 * user_events_data.
 */
unsigned int fake_kernel_events(void);
unsigned int fake_kernel_enablers(void);
unsigned int fake_kernel_fds(void);
/* Returns the flags with which FD was opened, or -1. */
int fake_kernel_fd_flags(int fd);
/*
 * Stores the fields of a tracepoint in the kernel's notation, such as "u32 a; __rel_loc char[] s".
 * Returns the length of the whole text (like snprintf), or -ENOENT.
 *
 * fake_open() also opens these files below the tracefs directory, read-only and with the kernel's
 * content: user_events_status, dynamic_events and events/SYSTEM/NAME/format. Linux 6.12 prints
 * uninitialised memory as the length of an array; the fake kernel prints this constant.
 */
#define FAKE_ARRAY_NUMBER "9597920"
int fake_kernel_fields(const char *tracepoint, char *buf, size_t size);

#ifdef __cplusplus
}
#endif

#endif
