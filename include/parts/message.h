/* SPDX-License-Identifier: MIT */
/*
 * Sentences for failures
 */

/* @public */

/*
 * The sentence for a failure of this library: ERROR is what a function returned (the
 * sign does not matter). Constant text, never NULL. Thread-safe, async-signal-safe.
 */
UE__API const char *ue_strerror(int error);

/* @private */

#define UE__KERNEL_TYPES                                                                  \
	"its types are u8 u16 u32 u64 s8 s16 s32 s64 char short int, char[N], "           \
	"__rel_loc char[] and struct NAME FIELD SIZE, so use u64 for long or a pointer, " \
	"u8 for bool, and UE_LOG for floats"

struct ue__sentence {
	int error;
	const char *text;
};

/* The table ends with no text. */
UE__SETUP const char *ue__sentence(const struct ue__sentence *s, int error)
{
	unsigned int number = error < 0 ? 0u - (unsigned int)error : (unsigned int)error;

	while (s->text && (unsigned int)s->error != number)
		s++;
	return s->text;
}

/* @enabled */

#define UE__NO_TRACEFS \
	"no tracefs is mounted; as root: mount -t tracefs tracefs /sys/kernel/tracing"
#define UE__TOO_LONG                                                                      \
	"name and fields together are over the kernel's 511 bytes; shorten names or use " \
	"UE_LOG, which has no such limit"

/* Why a registration failed: of an error with several meanings, the one that it has there. */
UE__SETUP const char *ue__reason(int error)
{
	static const struct ue__sentence sentences[] = {
		{ EINVAL, "the kernel refused the fields; " UE__KERNEL_TYPES },
		{ EMFILE, "the system has its maximum of events; raise sysctl "
			  "kernel.user_events_max" },
		{ EBADF, "another thread closed the fd of user_events_data in the midst of it; "
			 "call ue_register_all()" },
		{ 0, NULL },
	};
	const char *sentence = ue__sentence(sentences, error);

	return sentence ? sentence : ue_strerror(error);
}

/* Why user_events_data could not be opened. */
UE__SETUP const char *ue__open_reason(int error)
{
	static const struct ue__sentence sentences[] = {
		{ ENOENT, UE__NO_TRACEFS },
		{ EPERM, "a security policy (seccomp, SELinux, AppArmor, lockdown) forbids to open "
			 "user_events_data; change it, or pass an open fd to ue_use_fd()" },
		{ EMFILE, "the process has as many open files as it may; raise ulimit -n" },
		{ ENFILE, "the system has as many open files as it may; raise sysctl fs.file-max" },
		{ 0, NULL },
	};
	const char *sentence = ue__sentence(sentences, error);

	return sentence ? sentence : ue__reason(error);
}

/*
 * Remembers the first failure as `event "NAME": PARTS`; a NULL ends them. A call of the
 * program's that is refused makes room for its own: ue__register_runtime(). Under the lock.
 */
UE__SETUP int ue__set_error(int error, const char *event, ...)
{
	struct ue__state *s = &ue__state_v1;
	struct ue__text t;
	const char *part;
	va_list parts;

	if (s->error)
		return error;
	s->error = error;
	t = ue__text_in(s->message, sizeof(s->message));
	if (event) {
		ue__put(&t, "event \"");
		ue__put_bytes(&t, event, strcspn(event, " "));
		ue__put(&t, "\": ");
	}
	va_start(parts, event);
	while ((part = va_arg(parts, const char *)) != NULL)
		ue__put(&t, part);
	va_end(parts);
	return error;
}

/* @private */

UE__SETUP_API const char *ue_strerror(int error)
{
	static const struct ue__sentence sentences[] = {
		{ 0, "no error" },
		{ ENOENT,
		  "no tracefs is mounted (as root: mount -t tracefs tracefs /sys/kernel/tracing), "
		  "or there is no such event, probe or capture" },
		{ EOPNOTSUPP,
		  "this kernel has no user_events; it needs Linux 6.4 or later built with "
		  "CONFIG_USER_EVENTS=y" },
		{ EACCES,
		  "no permission to open user_events_data; run as root, or let a group in: chgrp "
		  "tracers and chmod g+x the tracing directory, chgrp tracers and chmod g+rw its "
		  "user_events_data, or pass an open fd to ue_use_fd()" },
		{ EROFS, "tracefs is mounted read-only, as containers have it; as root: mount -o "
			 "remount,rw /sys/kernel/tracing, or pass an open fd to ue_use_fd()" },
		{ EPERM,
		  "persistent events need CAP_PERFMON; run as root or leave UE_PERSIST out" },
		{ ENOTTY,
		  sizeof(void *) < 8
			  ? "a 32-bit program cannot use user_events of a 64-bit kernel; build it "
			    "for 64 bits to trace it"
			  : "the fd given to ue_use_fd() is not user_events_data, or a program with "
			    "pointers of 32 bits runs on a kernel of 64 bits" },
		{ EADDRINUSE,
		  "another process holds the name with other fields, and this kernel has no "
		  "multi-format events (Linux 6.9); rename the event or end the other process" },
		{ EMFILE,
		  "too many events or open files; raise sysctl kernel.user_events_max or ulimit -n" },
		{ EALREADY, "this struct ue_event is registered already; unregister it first" },
		{ EBUSY,
		  "in use: unregister what is registered (ue_unregister_all()), disable the event "
		  "in its tracers" },
		{ EINVAL,
		  "a wrong argument, name or order of calls, or fields that the kernel refuses, of "
		  "which ue_status() tells more; " UE__KERNEL_TYPES },
		{ ENOMEM,
		  "the kernel has no memory for it, or the struct ue_event is not writable" },
		{ EFAULT,
		  "a loc field points outside the payload or a char loc lacks its NUL, so the "
		  "kernel recorded nothing; or a pointer is wrong" },
		{ EBADF, "nobody listens, or the fd of user_events_data was closed" },
		{ ENOSPC, "the builder's buffer is too small; give it more" },
		{ ENOSYS, "events are compiled out by UE_DISABLE" },
		{ EEXIST, "this probe is registered for this event with this data already" },
		{ EDEADLK, "called by a probe, which would wait for its own end; do it elsewhere" },
		{ E2BIG,
		  "the event is over a limit of its format: 127 members of a struct, 8 levels, 500 "
		  "long pieces or 65534 bytes of names" },
		{ 0, NULL },
	};
	const char *sentence = ue__sentence(sentences, error);

	return sentence ? sentence : "unexpected error of the kernel; see errno(3)";
}
