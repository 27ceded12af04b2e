/* SPDX-License-Identifier: MIT */
/*
 * The flight recorder
 */

/* @public */

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
