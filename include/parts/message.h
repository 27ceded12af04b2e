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

#define UE__TOO_LONG                                                                      \
	"name and fields together are over the kernel's 511 bytes; shorten names or use " \
	"UE_LOG, which has no such limit"

/* What failed. An error may have a meaning of its own there, which is looked for first. */
enum ue__context { UE__ANY_CALL, UE__REGISTERING, UE__OPENING };

/* Rows as of a table, but no data, which each file of a program would have. */
#define UE__SENTENCE(code, text)            \
	if (number == (unsigned int)(code)) \
	return text

UE__SETUP const char *ue__explain(int error, enum ue__context context)
{
	unsigned int number = error < 0 ? 0u - (unsigned int)error : (unsigned int)error;

	if (context == UE__OPENING) {
		UE__SENTENCE(ENOENT, "no tracefs is mounted; as root: mount -t tracefs tracefs "
				     "/sys/kernel/tracing");
		UE__SENTENCE(EPERM, "a security policy (seccomp, SELinux, AppArmor, lockdown) "
				    "forbids to open user_events_data; change it, or pass an open "
				    "fd to ue_use_fd()");
		UE__SENTENCE(EMFILE, "the process has as many open files as it may; raise ulimit "
				     "-n");
		UE__SENTENCE(ENOTTY, "the file at its path is another one; as root: mount -t "
				     "tracefs tracefs /sys/kernel/tracing");
		UE__SENTENCE(ENFILE, "the system has as many open files as it may; raise sysctl "
				     "fs.file-max");
	}
	if (context != UE__ANY_CALL) {
		UE__SENTENCE(EINVAL, "the kernel refused the fields; " UE__KERNEL_TYPES);
		UE__SENTENCE(EMFILE, "the system has its maximum of events; raise sysctl "
				     "kernel.user_events_max");
		UE__SENTENCE(EBADF, "another thread closed the fd of user_events_data in the midst "
				    "of it; call ue_register_all()");
	}
	UE__SENTENCE(0, "no error");
	UE__SENTENCE(ENOENT, "no tracefs is mounted (as root: mount -t tracefs tracefs "
			     "/sys/kernel/tracing), or there is no such event, probe or capture");
	UE__SENTENCE(EOPNOTSUPP, "this kernel has no user_events; it needs Linux 6.4 or later "
				 "built with CONFIG_USER_EVENTS=y");
	UE__SENTENCE(EACCES, "no permission to open user_events_data; run as root, or let a group "
			     "in: chgrp tracers and chmod g+x the tracing directory, chgrp tracers "
			     "and chmod g+rw its user_events_data, or pass an open fd to "
			     "ue_use_fd()");
	UE__SENTENCE(EROFS, "tracefs is mounted read-only, as containers have it; as root: mount "
			    "-o remount,rw /sys/kernel/tracing, or pass an open fd to ue_use_fd()");
	UE__SENTENCE(EPERM, "persistent events need CAP_PERFMON; run as root or leave UE_PERSIST "
			    "out");
	UE__SENTENCE(
		ENOTTY,
		sizeof(void *) < 8
			? "a 32-bit program cannot use user_events of a 64-bit kernel; build it "
			  "for 64 bits to trace it"
			: "the fd given to ue_use_fd() is not user_events_data, or a program with "
			  "pointers of 32 bits runs on a kernel of 64 bits");
	UE__SENTENCE(EADDRINUSE, "another process holds the name with other fields, and this "
				 "kernel has no multi-format events (Linux 6.9); rename the event "
				 "or end the other process");
	UE__SENTENCE(EMFILE, "too many events or open files; raise sysctl kernel.user_events_max "
			     "or ulimit -n");
	UE__SENTENCE(EALREADY, "this struct ue_event is registered already; unregister it first");
	UE__SENTENCE(EBUSY, "in use: unregister what is registered (ue_unregister_all()), disable "
			    "the event in its tracers");
	UE__SENTENCE(EINVAL, "a wrong argument, name or order of calls, or fields that the kernel "
			     "refuses, of which ue_status() tells more; " UE__KERNEL_TYPES);
	UE__SENTENCE(ENOMEM, "the kernel has no memory for it, or the struct ue_event is not "
			     "writable");
	UE__SENTENCE(EFAULT, "a loc field points outside the payload or a char loc lacks its NUL, "
			     "so the kernel recorded nothing; or a pointer is wrong");
	UE__SENTENCE(EBADF, "nobody listens, or the fd of user_events_data was closed");
	UE__SENTENCE(ENOSPC, "the builder's buffer is too small; give it more");
	UE__SENTENCE(ENOSYS, "events are compiled out by UE_DISABLE");
	UE__SENTENCE(EEXIST, "this probe is registered for this event with this data already");
	UE__SENTENCE(EDEADLK, "called by a probe, which would wait for its own end; do it "
			      "elsewhere");
	UE__SENTENCE(E2BIG, "the event is over a limit of its format: 127 members of a struct, 8 "
			    "levels, 500 long pieces or 65534 bytes of names");
	return "unexpected error of the kernel; see errno(3)";
}

UE__SETUP_API const char *ue_strerror(int error)
{
	return ue__explain(error, UE__ANY_CALL);
}

/* @enabled */

/*
 * Remembers the first failure as `event "NAME": REASON DETAIL`. A call of the program's that is
 * refused makes room for its own: ue__register_runtime(). Under the lock.
 */
UE__SETUP int ue__set_error(int error, const char *event, const char *reason, const char *detail)
{
	struct ue__state *s = &ue__state_v1;
	struct ue__text t;

	if (s->error)
		return error;
	s->error = error;
	t = ue__text_in(s->message, sizeof(s->message));
	if (event) {
		ue__put(&t, "event \"");
		ue__put_bytes(&t, event, strcspn(event, " "));
		ue__put(&t, "\": ");
	}
	ue__put(&t, reason);
	ue__put(&t, detail);
	return error;
}
