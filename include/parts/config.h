/* SPDX-License-Identifier: MIT */
/*
 * Configuration
 */

/* @public */

/*
 * Configuration: what may be defined before the include.
 * =============
 *
 * UE_DISABLE		Every macro compiles to nothing, its arguments are still
 *			type-checked, functions answer -ENOSYS. Implied by any system
 *			other than Linux.
 * UE_NO_AUTO_REGISTER	No registration before main(): call ue_register_all() and,
 *			before a dlclose(), ue_unregister_all(). Define it for a whole
 *			program or library or not at all.
 * UE_SHARED		For large programs: defined for all files of a program or library, the
 *			header has declarations only, and compiles in a fraction of the time. One
 *			file, in C or C++, defines UE_IMPLEMENTATION as well, and holds the code.
 * UE_OWN_COPIES	Each C file keeps its copy of the library's code: for tools that
 *			cannot have .gnu.linkonce sections (docs/guide.md). A program
 *			has it once otherwise, if GNU ld or gold links it.
 * UE_NO_USDT		No USDT probes (docs/usdt.md).
 * UE_SYS_OPEN(path, flags), UE_SYS_CLOSE(fd), UE_SYS_READ(fd, buffer, size),
 * UE_SYS_IOCTL(fd, request, argument), UE_SYS_WRITE(fd, buffer, size),
 * UE_SYS_WRITEV(fd, iov, count)
 *			The system calls, as libc has them: -1 and errno on failure.
 *			For tests, other libcs and runtimes of one's own. With UE_SYS_OPEN,
 *			descriptors are neither moved nor looked at, unless
 *			UE_SYS_FCNTL(fd, command, argument) is defined, too.
 * UE_INLINE_BYTES	Bytes of strings and arrays that an event copies into its one
 *			buffer before they become segments of a writev(). It adds to
 *			the stack that an enabled event needs (512).
 * UE_MAX_EVENT		Bytes of an event that tracers take: of a larger one the longest
 *			strings and arrays are cut until it fits, and ue_status().cut counts
 *			it. A number, at least 1024. The usual 4064 is what ftrace takes where
 *			pages have 4 KiB; perf takes 8184.
 */
#if !defined(__linux__) && !defined(UE_DISABLE)
#define UE_DISABLE 1
#endif

#ifndef UE_INLINE_BYTES
#define UE_INLINE_BYTES 512
#endif

#ifndef UE_MAX_EVENT
#define UE_MAX_EVENT 4064
#elif UE_MAX_EVENT < 1024
#error "user_events.h: UE_MAX_EVENT is at least 1024"
#endif

#if defined(UE_SHARED) && !defined(UE_IMPLEMENTATION) && !defined(UE_DISABLE)
#define UE__DECLARED_ONLY 1
#endif
