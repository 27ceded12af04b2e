/* SPDX-License-Identifier: MIT */
/*
 * Events: what they are, and the public functions of their life
 */

/* @public */

/*
 * Events
 * ======
 *
 * UE_TRACE(name, fields...)
 *
 * Records the event user_events:NAME. NAME is an identifier, at most 64 fields
 * follow (none is fine), together at most 511 bytes of the kernel's notation.
 * A statement, usable in any function: static inline ones in headers, C++
 * templates and lambdas, several times with one name as long as the fields
 * agree. Values are evaluated only when somebody listens, once, in order.
 *
 * Thread-safe, async-signal-safe, leaves errno alone, allocates nothing, waits for
 * no lock. Strings over 65535 bytes are cut, and so are the longest strings and arrays of an
 * event that is too large for tracers (UE_MAX_EVENT); ue_status() counts it.
 *
 * UE_TRACEPOINT(name, fields...);
 *
 * At file scope, also in headers: declares the same event as two functions,
 *
 *	void trace_NAME(values...);	one parameter for each field of one value,
 *					pointer and NAME_count for the others
 *	bool trace_NAME_enabled(void);	to guard values that are costly to compute
 *
 * Every field names its type there: UE_TRACEPOINT(tick, UE_U64(now));
 */

/*
 * An event: one tracepoint of the kernel and where this process keeps it. Users own the memory
 * of those they register at run time; from ue_event_register() to ue_event_unregister() it
 * must stay in place and not be freed, since the kernel and probes refer to it. Zero it (or
 * leave it static) before its first use; the members are private.
 */
struct ue_event {
	uint32_t enabled;	     /* who listens: the kernel, probes, a recorder, USDT */
	uint32_t index;		     /* of the tracepoint on this library's fd, plus one */
	const struct ue__desc *desc; /* name and fields */
	struct ue_event *next;	     /* run-time and C++ events: the list */
	struct ue__probe *probes;    /* of this event */
	uint8_t state;		     /* UE__NEW... */
	uint8_t level;		     /* of an event set; 0 for kernel-typed events */
	uint8_t listed;		     /* is it on the list */
	uint8_t multi;		     /* had to become user_events_multi:NAME.HEX */
	uint32_t serial;	     /* names the event to a capture, while it has probes */
} __attribute__((__aligned__(8)));

/*
 * Registers an event whose name and fields are known at run time.
 *
 * spec		"name type field; type field", as the kernel documents it; types are
 *		u8 u16 u32 u64 s8 s16 s32 s64 char short int, unsigned char, short and
 *		int, char[N], struct NAME FIELD SIZE, and __rel_loc char[] or __rel_loc
 *		u8[] for data of any length. At most 511 bytes; need not live on.
 * flags	0, UE_PERSIST, UE_MULTI_FORMAT. A flag that the kernel does not know is
 *		left out; UE_MULTI_FORMAT is added where another format holds the name.
 *
 * Returns 0 or
 *   -EINVAL	the spec is not one that tools can use: ue_status() has the sentence
 *   -EALREADY	this struct is registered, or declared by UE_EVENT_SET
 *   -ENOENT	no tracefs is mounted	   -EOPNOTSUPP	kernel without user_events
 *   -EACCES	no permission for it
 *   -EPERM	UE_PERSIST without CAP_PERFMON, or a security policy forbids to open the file
 *   -EROFS	tracefs is mounted read-only
 *   -ENOTTY	32-bit program on a 64-bit kernel, or ue_use_fd() had another file
 *   -EADDRINUSE  the name has other fields and the kernel no multi-format events
 *   -EMFILE	the system has its maximum of events (kernel.user_events_max), or the process
 *		of open files
 *   -ENOMEM	the struct is not writable, or the kernel is out of memory
 *   -ENOSYS	compiled out by UE_DISABLE
 * or what else open() and ioctl() of the kernel fail with.
 *
 * What the kernel refused (anything but -EINVAL, -EALREADY, -ENOSYS) is an event all the same:
 * probes of this process get it, and ue_register_all() tries again. It ends with
 * ue_event_unregister(), too. It is no USDT probe: uprobes count their listeners in a file's data.
 *
 * Thread-safe; not async-signal-safe.
 */
UE__API int ue_event_register(struct ue_event *event, const char *spec, unsigned int flags);

/*
 * Ends the registration: neither the kernel nor a probe refers to EVENT any more; probes of just
 * this event are gone, too. It waits for those that run, and for other threads' writes, which are
 * recorded or not. The kernel then holds nothing of a run-time event: its name may be registered
 * with other fields. Returns 0, -ENOENT if EVENT is not registered, or -EDEADLK within a probe,
 * if EVENT has any. Thread-safe; not async-signal-safe.
 */
UE__API int ue_event_unregister(struct ue_event *event);

/* Does anybody listen? One load. Thread-safe, async-signal-safe. */
UE__SHORT bool ue_event_enabled(const struct ue_event *event);

/*
 * Writes an event, if somebody listens. The payload is packed: fixed fields in
 * order and native byte order, without padding; for each __rel_loc a u32 of
 * size << 16 | offset, counted from the end of that u32; then the data.
 *
 * Returns 0 also when nobody listens, -EINVAL for a payload shorter than the fields or of 2 GiB and
 * more (also the -1 of a failed read), -EFAULT for a loc that points outside it or a char loc
 * without a NUL (both as the kernel finds), or what else write() fails with. A payload over
 * UE_MAX_EVENT is copied and cut, if it is what its fields say and at most 1 MiB. 1023 segments at
 * most. struct iovec is that of <sys/uio.h> or <linux/uio.h>, which the program includes itself.
 * Thread-safe, async-signal-safe, leaves errno alone.
 */
UE__API int ue_event_write(struct ue_event *event, const void *payload, size_t size);
UE__API int ue_event_writev(struct ue_event *event, const struct iovec *iov, int count);

/*
 * Deletes a persistent event from the system. -EBUSY while anyone uses it, and for a moment
 * after another process did, -ENOENT if there is none, -EPERM without CAP_PERFMON. Thread-safe.
 */
UE__API int ue_event_delete(const char *name);

/*
 * Registers what is declared in this program or library and is not registered
 * yet. It happens by itself before main() and at dlopen(); call it again when what
 * was missing then is there (tracefs mounted, a permission granted). If the usual place of tracefs
 * refuses, this looks at all mounts, which a start does not.
 * Returns 0, or the first failure as ue_event_register() has them. Thread-safe.
 */
UE__API int ue_register_all(void);

/*
 * Unregisters everything, events registered at run time too, and closes the fd, also while other
 * threads write events.
 * It happens by itself at exit() and dlclose(). Does nothing within a probe. Thread-safe.
 */
UE__API void ue_unregister_all(void);

/*
 * Uses FD, an open user_events_data (O_RDWR), for this program or library: for a
 * sandbox that gets it from its parent. Call it before anything is registered
 * and then ue_register_all(). FD belongs to the library from then on, which gives it a number
 * that is out of the program's way, and makes it close-on-exec.
 * Returns 0, -EBADF if FD is negative or not open for writing, -EBUSY if events are registered
 * already (ue_unregister_all() first). Thread-safe.
 */
UE__API int ue_use_fd(int fd);
