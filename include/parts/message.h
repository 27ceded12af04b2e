/* SPDX-License-Identifier: MIT */
/*
 * Sentences for failures
 */

@public

/*
 * The sentence for a failure of this library: ERROR is what a function returned (the
 * sign does not matter). Constant text, never NULL. Thread-safe, async-signal-safe.
 */
UE__FN const char *ue_strerror(int error);

@private

#define UE__KERNEL_TYPES                                                                   \
	"its types are u8 u16 u32 u64 s8 s16 s32 s64 char short int, char[N], "            \
	"__rel_loc char[] and struct NAME FIELD SIZE, so use u64 for long or a pointer, "  \
	"u8 for bool, and UE_LOG for floats"

@enabled

#define UE__NO_TRACEFS "no tracefs is mounted; as root: mount -t tracefs tracefs /sys/kernel/tracing"
#define UE__TOO_LONG                                                                       \
	"name and fields together are over the kernel's 511 bytes; shorten names or use "  \
	"UE_LOG, which has no such limit"

/* Why a registration failed: of an error with several meanings, the one that it has there. */
static inline const char *ue__reason(int error)
{
	return error == -ENOENT ? UE__NO_TRACEFS :
	       error == -EINVAL ? "the kernel refused the fields; " UE__KERNEL_TYPES :
				  ue_strerror(error);
}

/* Why user_events_data could not be opened. */
static inline const char *ue__open_reason(int error)
{
	return ue__reason(error);
}

/*
 * Remembers the first failure as `event "NAME": PARTS`; a NULL ends them. A call of the
 * program's that is refused makes room for its own: ue__register_runtime(). Under the lock.
 */
UE__FN int ue__failed(int error, const char *event, ...)
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

@private

UE__FN const char *ue_strerror(int error)
{
	switch (error < 0 ? 0u - (unsigned int)error : (unsigned int)error) {
	case 0:
		return "no error";
	case ENOENT:
		return "no tracefs is mounted (as root: mount -t tracefs tracefs /sys/kernel/tracing), or "
		       "there is no such event, probe or capture";
	case EOPNOTSUPP:
		return "this kernel has no user_events; it needs Linux 6.4 or later built with "
		       "CONFIG_USER_EVENTS=y";
	case EACCES:
		return "no permission to open user_events_data; run as root, or let a group in: chgrp "
		       "tracers and chmod g+x the tracing directory, chgrp tracers and chmod g+rw its "
		       "user_events_data, or pass an open fd to ue_use_fd()";
	case EPERM:
		return "persistent events need CAP_PERFMON; run as root or leave UE_PERSIST out";
	case ENOTTY:
		return "a 32-bit program cannot use user_events of a 64-bit kernel; build it for 64 bits "
		       "to trace it";
	case EADDRINUSE:
		return "another process holds the name with other fields, and this kernel has no "
		       "multi-format events (Linux 6.9); rename the event or end the other process";
	case EMFILE:
		return "too many events or open files; raise sysctl kernel.user_events_max or ulimit -n";
	case EALREADY:
		return "this struct ue_event is registered already; unregister it first";
	case EBUSY:
		return "in use: unregister what is registered (ue_unregister_all()), disable the event "
		       "in its tracers";
	case EINVAL:
		return "a wrong argument, name or order of calls, or fields that the kernel refuses, of "
		       "which ue_status() tells more; " UE__KERNEL_TYPES;
	case ENOMEM:
		return "the kernel has no memory for it, or the struct ue_event is not writable";
	case EFAULT:
		return "a loc field points outside the payload or a char loc lacks its NUL, so the "
		       "kernel recorded nothing; or a pointer is wrong";
	case EBADF:
		return "nobody listens, or the fd of user_events_data was closed";
	case ENOSPC:
		return "the builder's buffer is too small; give it more";
	case ENOSYS:
		return "events are compiled out by UE_DISABLE";
	case EEXIST:
		return "this probe is registered for this event with this data already";
	case EDEADLK:
		return "called by a probe, which would wait for its own end; do it elsewhere";
	case E2BIG:
		return "the event is over a limit of its format: 127 members of a struct, 8 levels, 500 "
		       "long pieces or 65534 bytes of names";
	default:
		return "unexpected error of the kernel; see errno(3)";
	}
}
