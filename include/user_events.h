/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The user_events.h authors */
/*
 * user_events.h - events of a C or C++ program for Linux' tracers, in one file.
 *
 * Copy this file, include it, and perf, ftrace and trace-cmd see your program's
 * events through the kernel's user_events (Linux 6.4 and later):
 *
 *	#include <user_events.h>
 *
 *	UE_TRACE(request_done, status, bytes, UE_STR(path));
 *
 *	# perf record -e user_events:request_done ./server
 *
 * The same event is a USDT probe, for bpftrace, perf and SystemTap on any kernel since 4.20:
 *
 *	# bpftrace -e 'usdt:./server:user_events:request_done { printf("%d\n", arg0); }'
 *
 * There is nothing to link, to initialise or to configure. An event costs three
 * instructions (load, test, branch) while nobody listens, and one system call
 * when somebody does. Where the kernel cannot or may not record, the program
 * runs on as if the events were not there, and ue_status() says why.
 *
 * What there is:
 *
 *	UE_TRACE(name, fields...)		an event with fields the kernel knows
 *	UE_TRACEPOINT(name, fields...)		the same, declared as functions
 *	UE_EVENT_SET(symbol, "provider", level, keyword [, "group"])
 *	UE_LOG(set, "name", fields...)		a self-describing (EventHeader) event
 *	struct ue_builder			the same with fields known at run time
 *	struct ue_event, ue_event_write()	kernel-typed events known at run time
 *	ue_probe_register()			functions of this process that get the events
 *	ue_status(), ue_strerror()		what was found, what failed, what to do
 *
 * A field is a variable, which gives its name and type, or names its type:
 * UE_U32(count), UE_STR(path), UE_X64(flags, req->flags | extra).
 *
 * The kernel's side is specified in Documentation/trace/user_events.rst and
 * include/uapi/linux/user_events.h of the Linux sources.
 *
 * Contents: configuration, kernel ABI, C and C++, events, fields, EventHeader,
 * builder, probes, diagnostics, each title underlined with "===="; then the
 * implementation, each chapter under a line that begins with four dashes
 * (search for "* ----"): one copy of the code, types, state, packing, texts,
 * system calls, lock, definitions, memory, user_events_data, descriptor,
 * registration, run-time events, start and end, shortening, writing,
 * diagnostics, encoding, values, activity ids, probes, builder, preprocessor,
 * notes, USDT, UE_TRACE, UE_TRACEPOINT, UE_LOG, UE_EVENT_SET. This file is
 * assembled from include/parts/, a file a chapter. What starts with ue__ or
 * UE__ is private and changes without notice.
 *
 * Needs C11 or C++11, GCC 7 or clang 6 (or newer), any Linux libc.
 */
#ifndef UE_USER_EVENTS_H
#define UE_USER_EVENTS_H

/*
 * A system header: compilers then report a mistake in an event at the program's line, and not in
 * each macro. The project's own tests compile it as any other header.
 */
#ifndef UE__NO_SYSTEM_HEADER
#pragma GCC system_header
#endif

#define UE_VERSION_MAJOR 1
#define UE_VERSION_MINOR 0

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

/*
 * Kernel ABI: the kernel's own header where it is installed (linux-libc-dev 6.4
 * ==========  and later), else the same structures by other names.
 */
struct iovec; /* of <sys/uio.h> or <linux/uio.h>, which a program may include as it likes */
#ifndef UE_DISABLE
/* As few names as possible: the code has most constants as numbers. */
#include <sys/mman.h>
#if __has_include(<asm/unistd.h>) && __has_include(<linux/ioctl.h>)
#include <asm/unistd.h>
#include <linux/ioctl.h>
#else
#include <sys/ioctl.h>
#include <sys/syscall.h>
#endif

#if __has_include(<linux/user_events.h>) && !defined(UE__NO_KERNEL_HEADER)
#include <linux/user_events.h>
#define UE__KERNEL_HEADER 1
#define ue__reg user_reg
#define ue__unreg user_unreg
#else
struct ue__reg {
	uint32_t size;
	uint8_t enable_bit;
	uint8_t enable_size;
	uint16_t flags;
	uint64_t enable_addr;
	uint64_t name_args;
	uint32_t write_index;
} __attribute__((__packed__));

struct ue__unreg {
	uint32_t size;
	uint8_t disable_bit;
	uint8_t __reserved;
	uint16_t __reserved2;
	uint64_t disable_addr;
} __attribute__((__packed__));
#define DIAG_IOCSREG _IOWR('*', 0, struct ue__reg *)
#define DIAG_IOCSDEL _IOW('*', 1, char *)
#define DIAG_IOCSUNREG _IOW('*', 2, struct ue__unreg *)
#endif
#endif /* UE_DISABLE */

/*
 * Flags of a registration. The kernel's header has them as enumerators, which
 * an older one lacks unnoticed, so they stand here by the library's names.
 */
#define UE_PERSIST 1u	   /* stays when its last user is gone; CAP_PERFMON */
#define UE_MULTI_FORMAT 2u /* one name, many formats; Linux 6.9 and later */

/*
 * Macros write casts as UE__U64(x), since compilers would warn of them in the user's file. For all
 * else, warnings that this header cannot heed are off, and those of C++ that code of both languages
 * cannot heed.
 */
#pragma GCC diagnostic push
#ifdef UE_DISABLE
#pragma GCC diagnostic ignored "-Wunused-parameter" /* functions that do nothing */
#endif
#ifdef __clang__
#if __has_warning("-Walloca")
#pragma GCC diagnostic ignored "-Walloca" /* descriptors limit the sizes */
#endif
/* it warns of what is marked as unused and is used */
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-variable"
/* unsigned numbers wrap on purpose: hashes, masks, ages */
#pragma clang attribute push(__attribute__((no_sanitize("integer"))), apply_to = function)
#define UE__UNUSED
#else
#pragma GCC diagnostic ignored "-Walloca"
#define UE__UNUSED __attribute__((__unused__))
#endif
#define UE__HIDDEN __attribute__((__visibility__("hidden")))
#ifdef __cplusplus
/*
 * GCC makes statics of templates and inline functions unique objects, which keep a library
 * loaded at dlclose(), unless they are hidden; a local static is so by its type only.
 */
#define UE__HIDDEN_TYPE UE__HIDDEN
#define UE__FN inline UE__HIDDEN
#define UE__SHORT UE__FN /* not static: exported templates of modules could not call it */
#define UE__NOINLINE __attribute__((__noinline__))
#define UE__U64 uint64_t
#define UE__U64_OF(x) (x) /* what has 64 bits in C++ */
#ifdef __clang__	  /* which looks long for operators of enumerators */
#define UE__BITS_OF(enumerator) uint64_t(enumerator)
#else
#define UE__BITS_OF(enumerator) enumerator
#endif
#define UE__NUMBER_OF(enumerator) uint64_t(enumerator) /* no operator is looked for */
#define UE__U32 uint32_t
#define UE__U16 uint16_t
#define UE__U8 uint8_t
#define UE__INT int
#define UE__TYPE(name) name /* within a module, "struct name" would be another one */
#define UE__NULL nullptr
#define UE__ENUM64 enum : uint64_t
#define UE__STATIC_ASSERT static_assert
#define UE__SIZE_T size_t
#pragma GCC diagnostic ignored "-Wold-style-cast"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wuseless-cast"
#endif
#pragma GCC diagnostic ignored "-Wattributes" /* g++: inline and noinline, for its linkage */
#pragma GCC diagnostic ignored "-Wzero-as-null-pointer-constant"
#pragma GCC diagnostic ignored "-Wshadow" /* g++: ue_status() and struct ue_status, as stat() */
extern "C++" {
#else
#ifdef __OPTIMIZE__
#define UE__FN static UE__UNUSED
#define UE__NOINLINE __attribute__((__noinline__))
#else /* where GCC keeps functions that nobody calls, unless they are inline */
#define UE__FN static inline UE__UNUSED
#define UE__NOINLINE
#endif
#define UE__HIDDEN_TYPE
#define UE__SHORT static inline
#define UE__U64 (uint64_t)
#define UE__U64_OF(x) ((uint64_t)(x))
#ifdef __clang__ /* which gives one 32 bits whose value is a mistake */
#define UE__BITS_OF(enumerator) (uint64_t) enumerator
#else
#define UE__BITS_OF(enumerator) enumerator
#endif
#define UE__NUMBER_OF(enumerator) enumerator
#define UE__U32 (uint32_t)
#define UE__U16 (uint16_t)
#define UE__U8 (uint8_t)
#define UE__INT (int)
#define UE__TYPE(name) struct name
#define UE__NULL NULL
#define UE__ENUM64 __extension__ enum /* beyond int */
#define UE__STATIC_ASSERT _Static_assert
#define UE__SIZE_T (size_t)
#endif
/* Functions that other files of the program may call: UE_SHARED. */
#if !defined(UE_SHARED) || defined(UE_DISABLE)
#define UE__API UE__FN
#elif defined(__cplusplus)
#define UE__API extern "C" UE__HIDDEN
#else
#define UE__API extern UE__HIDDEN
#endif
/* Compiled quickly, not well. GCC drops unused functions of this kind only if they are inline. */
#if defined(__clang__)
#define UE__CHEAP __attribute__((__optnone__, __noinline__, __cold__))
#elif defined(__OPTIMIZE__) && !defined(UE_SHARED) && !defined(__cplusplus)
#define UE__CHEAP inline __attribute__((__optimize__("O0"), __cold__))
#elif defined(__OPTIMIZE__)
#define UE__CHEAP __attribute__((__optimize__("O0"), __cold__))
#else
#define UE__CHEAP __attribute__((__cold__))
#endif
/* A function that UE_DISABLE compiles out answers RESULT. */
#define UE__DISABLED(result, ...) \
	UE__API __VA_ARGS__       \
	{                         \
		return result;    \
	}
#define UE__SETUP_API UE__API UE__CHEAP
/* Compiled with few of GCC's passes: in half the time, to code that is nearly as fast. */
#if defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__) && !defined(__clang__) && \
	!defined(UE_SHARED)
#define UE__PLAIN __attribute__((__optimize__("O1")))
#else
#define UE__PLAIN
#endif
#define UE__ALWAYS_INLINE inline __attribute__((__always_inline__))
#define UE__FILE_COLD UE__FN UE__NOINLINE __attribute__((__cold__))
#define UE__FILE_HOT UE__FN UE__NOINLINE __attribute__((__hot__))

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

#ifndef UE__PART_EVENTHEADER_NUMBERS /* user_events.h and user_events_decode.h both have them */
#define UE__PART_EVENTHEADER_NUMBERS
/* How readers show a value (UE_AS). docs/reference.md tells which one fits which type. */
#define UE_FORMAT_DEFAULT 0 /* the kind's own */
#define UE_FORMAT_UNSIGNED 1
#define UE_FORMAT_SIGNED 2
#define UE_FORMAT_HEX 3
#define UE_FORMAT_ERRNO 4
#define UE_FORMAT_PID 5
#define UE_FORMAT_TIME 6
#define UE_FORMAT_BOOL 7
#define UE_FORMAT_FLOAT 8
#define UE_FORMAT_HEX_BYTES 9
#define UE_FORMAT_STRING8 10
#define UE_FORMAT_UTF 11
#define UE_FORMAT_UTF_BOM 12
#define UE_FORMAT_XML 13
#define UE_FORMAT_JSON 14
#define UE_FORMAT_UUID 15
#define UE_FORMAT_PORT 16
#define UE_FORMAT_IP 17

/* How the bytes of a value are laid out: a field's kind. */
enum ue__kind {
	UE__KIND_NULL,
	UE__KIND_STRUCT,
	UE__KIND_VALUE8,
	UE__KIND_VALUE16,
	UE__KIND_VALUE32,
	UE__KIND_VALUE64,
	UE__KIND_VALUE128,
	UE__KIND_ZSTRING8, /* up to a zero unit */
	UE__KIND_ZSTRING16,
	UE__KIND_ZSTRING32,
	UE__KIND_STRING8, /* behind a count of 16 bits */
	UE__KIND_STRING16,
	UE__KIND_STRING32,
	UE__KIND_BINARY
};

/*
 * A field's encoding: the kind and these bits. With MORE, the format follows; with MORE in the
 * format, a tag.
 */
#define UE__ENCODING_KINDS 0x1f
#define UE__ENCODING_CARRAY 0x20 /* an array, whose count is in the definition */
#define UE__ENCODING_VARRAY 0x40 /* an array, whose count is in the payload */
#define UE__ENCODING_ARRAYS 0x60
#define UE__ENCODING_MORE 0x80

/* The event's header, 8 bytes. */
#define UE__HEADER_FIELDS(_)                                                          \
	_("", "u8", "eventheader_flags", 0, 1) _("; ", "u8", "version", 1, 1)         \
	_("; ", "u16", "id", 2, 2) _("; ", "u16", "tag", 4, 2)                        \
	_("; ", "u8", "opcode", 6, 1) _("; ", "u8", "level", 7, 1)
/* the text that registers a set, behind the name */
#define UE__HEADER_TEXT(separator, type, name, offset, size) separator type " " name
#define UE__SET_FIELDS UE__HEADER_FIELDS(UE__HEADER_TEXT)
/* the flags */
#define UE__HEADER_POINTER64 1
#define UE__HEADER_LITTLE_ENDIAN 2
#define UE__HEADER_EXTENSION 4

/* Behind the header: blocks of a size and a kind of 16 bits each, then the block's bytes. */
#define UE__EXTENSION_METADATA 1
#define UE__EXTENSION_ACTIVITY 2
#define UE__EXTENSION_KINDS 0x7fff
#define UE__EXTENSION_MORE 0x8000 /* another one follows */
#endif

/*
 * Fields
 * ======
 *
 * A bare variable is a field of its own name and type: integers, bool, char,
 * enums, float and double (UE_LOG only), char pointers and arrays as strings,
 * arrays of scalars (in UE_LOG), other pointers as addresses. In C++ also pointers
 * to char16_t, char32_t and wchar_t, std::string, std::string_view, std::array,
 * std::vector and std::span of scalars. In C a char16_t pointer cannot be told from
 * a uint16_t pointer: name it, UE_STR16(s).
 *
 * Else the field names its type. All of these take (name), for the variable of that
 * name, or (name, value), for any expression:
 *
 *	UE_U8 UE_U16 UE_U32 UE_U64 UE_I8 UE_I16 UE_I32 UE_I64	decimal
 *	UE_X8 UE_X16 UE_X32 UE_X64 UE_PTR			hexadecimal
 *	UE_F32 UE_F64						UE_LOG only
 *	UE_BOOL UE_CHAR UE_CHAR16 UE_CHAR32
 *	UE_PID UE_ERRNO UE_TIME32 UE_TIME64 (seconds since 1970)
 *	UE_PORT (a uint16_t in network byte order, as in sin_port)
 *	UE_UUID UE_IPV4 UE_IPV6		pointer to 16, 4, 16 bytes in network byte order
 *	UE_STR UE_STR16 UE_STR32	NUL-terminated; NULL is ""
 *	UE_LATIN1 UE_XML UE_JSON	NUL-terminated, with that meaning
 *
 * and these a pointer and a length:
 *
 *	UE_STRN UE_STR16N UE_STR32N(name, p, units)
 *	UE_BYTES(name, p, size)
 *	UE_ARRAY(TYPE, name, p, count)		TYPE is one of the names above, UE_ left out
 *	UE_FIXED_ARRAY(TYPE, name, p, N)	N is a constant
 *
 * In UE_LOG only:
 *
 *	UE_STRUCT(name, fields...)		at most 127 members, nests
 *	UE_STRUCT_ARRAY(name, p, count, members...)	COUNT packed elements at P, each
 *					the members in order: UE_U32(id), UE_U16(port)
 *	UE_TAGGED(tag, field)		the field with a 16-bit tag of its own
 *	UE_AS(format, field)		the field shown in another UE_FORMAT_
 *
 * A kernel-typed event (UE_TRACE, UE_TRACEPOINT) carries a string as __rel_loc
 * char[], bytes and arrays as __rel_loc TYPE[], a fixed array of U8 or CHAR as
 * unsigned char[N] or char[N], hexadecimal as unsigned, UUID and IPs as unsigned
 * char[N]. What it cannot carry does not compile there, with a message that says so.
 */

#define UE_U8(...) UE__VALUE(0U8, __VA_ARGS__)
#define UE_U16(...) UE__VALUE(0U16, __VA_ARGS__)
#define UE_U32(...) UE__VALUE(0U32, __VA_ARGS__)
#define UE_U64(...) UE__VALUE(0U64, __VA_ARGS__)
#define UE_I8(...) UE__VALUE(0I8, __VA_ARGS__)
#define UE_I16(...) UE__VALUE(0I16, __VA_ARGS__)
#define UE_I32(...) UE__VALUE(0I32, __VA_ARGS__)
#define UE_I64(...) UE__VALUE(0I64, __VA_ARGS__)
#define UE_X8(...) UE__VALUE(0X8, __VA_ARGS__)
#define UE_X16(...) UE__VALUE(0X16, __VA_ARGS__)
#define UE_X32(...) UE__VALUE(0X32, __VA_ARGS__)
#define UE_X64(...) UE__VALUE(0X64, __VA_ARGS__)
#define UE_PTR(...) UE__VALUE(0PTR, __VA_ARGS__)
#define UE_F32(...) UE__VALUE(0F32, __VA_ARGS__)
#define UE_F64(...) UE__VALUE(0F64, __VA_ARGS__)
#define UE_BOOL(...) UE__VALUE(0BOOL, __VA_ARGS__)
#define UE_CHAR(...) UE__VALUE(0CHAR, __VA_ARGS__)
#define UE_CHAR16(...) UE__VALUE(0CHAR16, __VA_ARGS__)
#define UE_CHAR32(...) UE__VALUE(0CHAR32, __VA_ARGS__)
#define UE_PID(...) UE__VALUE(0PID, __VA_ARGS__)
#define UE_ERRNO(...) UE__VALUE(0ERRNO, __VA_ARGS__)
#define UE_PORT(...) UE__VALUE(0PORT, __VA_ARGS__)
#define UE_TIME32(...) UE__VALUE(0TIME32, __VA_ARGS__)
#define UE_TIME64(...) UE__VALUE(0TIME64, __VA_ARGS__)
#define UE_UUID(...) UE__VALUE(0UUID, __VA_ARGS__)
#define UE_IPV4(...) UE__VALUE(0IPV4, __VA_ARGS__)
#define UE_IPV6(...) UE__VALUE(0IPV6, __VA_ARGS__)
#define UE_STR(...) UE__VALUE(0STR, __VA_ARGS__)
#define UE_STR16(...) UE__VALUE(0STR16, __VA_ARGS__)
#define UE_STR32(...) UE__VALUE(0STR32, __VA_ARGS__)
#define UE_LATIN1(...) UE__VALUE(0LATIN1, __VA_ARGS__)
#define UE_XML(...) UE__VALUE(0XML, __VA_ARGS__)
#define UE_JSON(...) UE__VALUE(0JSON, __VA_ARGS__)
#define UE_STRN(...) UE__SPAN(0P, 0STRN, __VA_ARGS__)
#define UE_STR16N(...) UE__SPAN(0P, 0STR16N, __VA_ARGS__)
#define UE_STR32N(...) UE__SPAN(0P, 0STR32N, __VA_ARGS__)
#define UE_BYTES(...) UE__SPAN(0P, 0BYTES, __VA_ARGS__)
#define UE_ARRAY(type, ...) \
	UE__ARRAY(UE__SPAN_OF_, UE__IS_PAREN(UE_##type(~)), 0##type, __VA_ARGS__)
#define UE_FIXED_ARRAY(type, ...) \
	UE__ARRAY(UE__FIXED_OF_, UE__IS_PAREN(UE_##type(~)), 0##type, __VA_ARGS__)
#define UE_STRUCT(...) UE__STRUCT(__VA_ARGS__, UE__NOTHING)
#define UE_STRUCT_ARRAY(...) UE__STRUCT_ARRAY(__VA_ARGS__, UE__NOTHING)
#define UE_TAGGED(tag, ...) UE__WITH(UE__TAG, UE__TAG_BITS(UE__UP_TO(tag, 65535)), __VA_ARGS__)
#define UE_AS(format, ...) UE__WITH(UE__AS, UE__FORMAT_BITS(UE__UP_TO(format, 17)), __VA_ARGS__)

/*
 * EventHeader
 * ===========
 *
 * Self-describing events: each carries its name and the names, types and formats of
 * its fields, so any number of events, with floats, structs and arrays, share the one
 * tracepoint of their set. docs/eventheader.md tells when to want which kind.
 *
 * UE_EVENT_SET(symbol, "provider", level, keyword [, "group"]);
 *
 * At file scope in one source file: defines the set SYMBOL, the tracepoint
 * user_events:PROVIDER_LxKy[Ggroup]. PROVIDER is an identifier, LEVEL 1..255
 * (UE_LEVEL_...), KEYWORD a 64-bit mask of the provider's own categories, GROUP
 * [0-9a-z]*; at most 255 bytes together.
 *
 * UE_DECLARE_EVENT_SET(symbol);	lets other files of the program use it
 *
 * UE_LOG(set, "event name", fields...)
 *
 * A statement, like UE_TRACE. Among the fields may stand, with constant values,
 *
 *	UE_OPCODE(x)		UE_OPCODE_...
 *	UE_ID(id, version)	a stable number for the event
 *	UE_TAG(tag)		16 bits of the provider's own
 *
 * and UE_ACTIVITY(id) or UE_ACTIVITY(id, related), pointers to 16 bytes as
 * ue_activity_new() makes them, NULL for none.
 *
 * UE_LOG_ENABLED(set)		does anybody listen? One load.
 */
#define UE_LEVEL_CRITICAL 1
#define UE_LEVEL_ERROR 2
#define UE_LEVEL_WARNING 3
#define UE_LEVEL_INFORMATION 4
#define UE_LEVEL_VERBOSE 5

#define UE_OPCODE_INFO 0
#define UE_OPCODE_ACTIVITY_START 1
#define UE_OPCODE_ACTIVITY_STOP 2
#define UE_OPCODE_COLLECTION_START 3
#define UE_OPCODE_COLLECTION_STOP 4
#define UE_OPCODE_EXTENSION 5
#define UE_OPCODE_REPLY 6
#define UE_OPCODE_RESUME 7
#define UE_OPCODE_SUSPEND 8
#define UE_OPCODE_SEND 9
#define UE_OPCODE_RECEIVE 0xf0

#define UE_OPCODE(x) (0X, UE__FIELD, 0OPCODE, x)
#define UE_ID(id, version) (0X, UE__FIELD, 0ID, id, version)
#define UE_TAG(tag) (0X, UE__FIELD, 0TAG, tag)
#define UE_ACTIVITY(...) UE__ACTIVITY(__VA_ARGS__, UE__NULL, ~)

struct ue_event_set {
	struct ue_event event;
};

/*
 * A set whose provider, level, keyword or group are known at run time only. The rules
 * are those of UE_EVENT_SET and of ue_event_register(), group may be NULL;
 * -EINVAL also for a provider, level or group that breaks them. The struct's memory is
 * the caller's, as with ue_event_register(). USDT probes of its events have no semaphore.
 */
UE__API int ue_event_set_register(struct ue_event_set *set, const char *provider,
				  unsigned int level, uint64_t keyword, const char *group);
UE__API int ue_event_set_unregister(struct ue_event_set *set);
UE__SHORT bool ue_event_set_enabled(const struct ue_event_set *set);

/*
 * Makes a new activity id: 16 bytes, unique among all processes of the system and in
 * practice everywhere (122 random bits to begin with). No lock, and no system call
 * but for the first in a process and after a fork. Thread-safe, async-signal-safe.
 */
UE__API void ue_activity_new(uint8_t id[16]);

/*
 * Builder: EventHeader events whose fields are known at run time only.
 * =======
 *
 *	char buffer[1024];
 *	struct ue_builder b;
 *
 *	ue_builder_begin(&b, buffer, sizeof(buffer), "RequestDone", 0);
 *	ue_add_u32(&b, "status", 200);
 *	ue_struct_begin(&b, "peer");
 *	ue_add_str(&b, "host", host);
 *	ue_struct_end(&b);
 *	err = ue_builder_write(&b, &app_info, NULL, NULL);
 *
 * The buffer holds names and small values, and up to 16 bytes that stay free; data over 64 bytes is
 * not copied and must stay as it is until the write. An error (no room, a NULL name, a struct that
 * was not closed, in any order of calls) sticks, later calls do nothing, and the write returns it.
 * The same builder may be written several times, and begun anew. Names may carry attributes:
 * "name;attribute=value".
 *
 * One builder belongs to one thread at a time; all calls are async-signal-safe.
 */
struct ue__open_struct { /* an open struct; offsets into metadata and data */
	size_t format_at, members_at, members_end, count_at;
	uint16_t elements;
	uint8_t members, array, replayed;
};

struct ue_builder {
	unsigned char *buffer; /* room for the header, metadata; data; pieces at its end */
	size_t size;
	size_t meta_end, data, data_end, limit;
	size_t replay; /* in later elements of a struct array: where its metadata is read */
	unsigned int pieces, depth;
	uint16_t id, tag, next_tag;
	uint8_t version, opcode, next_format;
	int error;			/* 0 or the first error, -errno */
	struct ue__open_struct open[8]; /* DEPTH of them are set */
};

/*
 * Begins an event. TAG is the event's, 0 for none. BUFFER needs 70 bytes for the header, the
 * names with two bytes a field, the values, and 24 bytes for each long piece. Returns 0,
 * -EINVAL for NULL or an empty name, -ENOSPC.
 */
UE__API int ue_builder_begin(struct ue_builder *b, void *buffer, size_t size, const char *name,
			     uint16_t tag);
UE__API void ue_builder_id(struct ue_builder *b, uint16_t id, uint8_t version);
UE__API void ue_builder_opcode(struct ue_builder *b, uint8_t opcode);

/*
 * ue_add_<type>(b, "name", value)
 * ue_add_array_<type>(b, "name", p, count)		COUNT is 0..65535
 * ue_add_fixed_array_<type>(b, "name", p, n)		N is 1..65535
 *	for each of u8 u16 u32 u64 i8 i16 i32 i64 x8 x16 x32 x64 ptr f32 f64 bool char char16
 *	char32 pid errno port time32 time64 uuid ipv4 ipv6 str str16 str32 latin1 xml json;
 *	uuid and the IPs by pointer, p of strings an array of pointers
 * ue_add_<type>(b, "name", p, count)	for strn str16n str32n bytes
 *
 * A count over its limit is cut to it, and counted by ue_status().
 */

/* The next field or struct gets this tag, or is shown in this UE_FORMAT_. */
UE__API void ue_field_tag(struct ue_builder *b, uint16_t tag);
UE__API void ue_field_format(struct ue_builder *b, uint8_t format);

/* The fields up to ue_struct_end() are members of a struct: 1 to 127, 8 levels deep. */
UE__API void ue_struct_begin(struct ue_builder *b, const char *name);
UE__API void ue_struct_end(struct ue_builder *b);

/*
 * An array of structs: ue_struct_array_begin(), then for each element ue_struct_array_next()
 * and its members, ue_struct_end(). All elements add the same fields in the same order
 * (-EINVAL); there is at least one.
 */
UE__API void ue_struct_array_begin(struct ue_builder *b, const char *name);
UE__API void ue_struct_array_next(struct ue_builder *b);

/*
 * Writes the event to SET if somebody listens. ACTIVITY and RELATED are 16 bytes each or NULL.
 * Returns 0 also when nobody listens, -EINVAL (an event that was not begun, a struct left open,
 * unequal elements), -ENOSPC (the buffer is too small), -E2BIG (over 127 members, 8 levels, 500
 * long pieces or 65534 bytes of metadata), or what write() fails with.
 */
UE__API int ue_builder_write(struct ue_builder *b, struct ue_event_set *set, const void *activity,
			     const void *related);

/*
 * Probes: functions of this process that are called with its events.
 * ======
 *
 * FUNCTION is called for each EVENT that is written from now on, in the thread that writes
 * it, with the payload as the kernel gets it (ue_event_write(), or the EventHeader format)
 * and DATA. Probes and the kernel are independent: an event that no tracer listens to, or
 * that no kernel took, reaches its probes. EVENT is
 *
 *	&event		one registered at run time
 *	&set.event	all events of a set
 *	ue_event_find()	one that is declared by UE_TRACE or UE_TRACEPOINT
 *	NULL		all events of this program or library, later ones as well
 *
 * A probe may write events: the kernel gets them, but no probe, so that nothing recurses. So it
 * is with events of a signal handler that interrupts a probe; ue_status().unprobed counts
 * them. A probe returns: no longjmp(), no exception, no end of its thread.
 *
 * Returns 0, -EINVAL for a NULL FUNCTION, -ENOENT if EVENT is not registered, -EEXIST if the
 * three are already, -ENOMEM, or -ENOSYS. Thread-safe, also within a probe; not
 * async-signal-safe. Writing an event with probes takes no lock and no memory but the stack's,
 * and over 4096 bytes in several segments a mapping of its own; it is as async-signal-safe as
 * the probe.
 */
typedef void (*ue_probe_fn)(struct ue_event *event, const void *payload, size_t size, void *data);

UE__API int ue_probe_register(struct ue_event *event, ue_probe_fn function, void *data);

/*
 * Ends it. Once this returned, FUNCTION does not run any more with DATA in any thread, so that
 * its code and data may go; until then it waits. Returns 0, -ENOENT if it is not registered, or
 * -EDEADLK within a probe, which would wait for itself. Thread-safe; not async-signal-safe.
 */
UE__API int ue_probe_unregister(struct ue_event *event, ue_probe_fn function, void *data);

/*
 * The events of this program or library by NAME (NULL: all), one after another: the first after
 * AFTER, NULL to begin with. Each UE_TRACE in C is an event of its own, so there may be several
 * of one name. NULL if there is none (any more). Thread-safe, as long as AFTER is registered.
 */
UE__API struct ue_event *ue_event_find(const char *name, const struct ue_event *after);

/*
 * The text that registers EVENT: its name, then its fields, as in ue_event_register(). Copies what
 * fits SIZE, with a NUL. Returns its length, at most 511, -E2BIG if it is longer, which no kernel
 * takes, or -ENOENT if EVENT is not registered.
 * Thread-safe; async-signal-safe, but for an event that is being unregistered.
 */
UE__API int ue_event_spec(const struct ue_event *event, char *text, size_t size);

/*
 * Diagnostics
 * ===========
 */
struct ue_status {
	int fd;			 /* of user_events_data, -1 if there is none */
	char path[128];		 /* where it was found, cut if longer; "" for ue_use_fd() */
	unsigned int declared;	 /* events and sets that this program or library declares */
	unsigned int registered; /* of those */
	unsigned int runtime;	 /* events registered at run time */
	unsigned int multi;	 /* of all, those that became multi-format */
	uint64_t cut;		 /* events recorded with a string or array cut */
	uint64_t failed;	 /* events that the kernel refused */
	uint64_t large;		 /* events over UE_MAX_EVENT that could not be cut */
	uint64_t unprobed;	 /* events no probe got: of probes, of what interrupts them */
	uint64_t lost;		 /* events written while the program had closed the fd */
	int error;		 /* -errno of the message, or 0 */
	/*
	 * In sentences, what failed and what to do: the last event or set that could not be
	 * registered at run time, else the first of those that are declared.
	 */
	char message[1280];
};

/* What was found, what failed, and what to do about it. Thread-safe. */
UE__API struct ue_status ue_status(void);

/*
 * The sentence for a failure of this library: ERROR is what a function returned (the
 * sign does not matter). Constant text, never NULL. Thread-safe, async-signal-safe.
 */
UE__API const char *ue_strerror(int error);

/*
 * Implementation
 * ==============
 *
 * The words:
 *
 *	event		a tracepoint of the kernel
 *	event set	a tracepoint that carries EventHeader events
 *	site		one UE_TRACE or UE_LOG in the source
 *	descriptor	the constant data that describes a site's event
 *	field		name, type and value at a site
 *	shape		where the bytes of a type are: in the value, behind a pointer,
 *			up to a zero unit, counted
 *	kind, format	EventHeader's encoding of a type, and its meaning
 *	metadata	an EventHeader event's name; its fields' names, kinds and formats
 *	loc		the kernel's __rel_loc word: size and offset of variable data
 *	probe		a function of this process that gets an event's bytes
 *	USDT probe	a nop and an ELF note
 *	the fd		of user_events_data
 *	the word	an event's 32 enable bits
 *
 * The enabled path of UE_TRACE and UE_LOG: the site evaluates its values into 64-bit integers
 * and passes them, with its descriptor, to ue__encode_...(), one function for all sites. So a
 * site holds little code and no buffer: its function gets no larger frame and no stack protector.
 */

/* ---- One copy of the code in a program ----------------------------------------------------- */

/*
 * Each file that has events compiles the code that they need; a program keeps one copy. In C++ the
 * linker sees to it, as for any inline function. C has no such functions. So each of these is in a
 * section named .gnu.linkonce.t.SYMBOL, of which GNU ld and gold keep the first, and is a weak
 * symbol, hidden from other libraries. Other linkers keep all sections, unless told --gc-sections,
 * and use the first.
 *
 * clang emits a weak inline function where it is called, and only there. GCC emits it always, or
 * never. There the function is static, its first statement defines SYMBOL as its other name, and
 * calls are of SYMBOL. So GCC sees no call of the static functions; UE__COPY and UE__KEEP, which
 * scripts/assemble writes, name those that a function needs.
 *
 * A copy refers to its own file or to symbols that all copies share. Everything else refers to a
 * copy by SYMBOL, since the linker refuses references to a section that it left out. A switch of
 * four cases may become a table with such references.
 *
 * Copies are only alike if text, configuration, machine and sanitizers are: SYMBOL ends in all of
 * that.
 */
#if defined(__cplusplus) || defined(UE_DISABLE) || defined(UE_SHARED) || defined(UE_OWN_COPIES)
/* one copy, or none, or as many as there are files */
#elif !defined(__ELF__) || UE_INLINE_BYTES != 512 || UE_MAX_EVENT != 4064
/* nothing that files have in common */
#elif !defined(UE__KEY_SYSTEM) &&                                                    \
	(defined(UE_SYS_OPEN) || defined(UE_SYS_CLOSE) || defined(UE_SYS_READ) ||    \
	 defined(UE_SYS_IOCTL) || defined(UE_SYS_WRITE) || defined(UE_SYS_WRITEV) || \
	 defined(UE_SYS_FCNTL))
/* files that define the same ones may say so: the tests have a text for it */
#elif !defined(__x86_64__) && !defined(__i386__) && !defined(__aarch64__)
/* not tried */
#elif (defined(__BMI2__) + defined(__BMI__) + defined(__LZCNT__) + defined(__MOVBE__)) % 4 != 0
/* machines that have some of x86-64-v3's instructions, and not all */
#elif defined(__MMX__) ? !defined(__SSE2__) : (defined(__i386__) && !defined(__i686__))
/* old ones */
#elif defined(__APX_F__) || defined(__ARM_FEATURE_MOPS)
/* new ones */
#elif defined(__clang__)
#define UE__ONE_COPY 1
#elif defined(__PIC__) && \
	(defined(__i386__) || defined(__code_model_medium__) || defined(__code_model_large__))
/* an asm statement cannot name a function */
#else
#define UE__ONE_COPY 1
#define UE__LAZY_COPY 1
#endif

#ifdef UE__ONE_COPY
/* The text of this header: scripts/assemble. */
#define UE__TEXT "1803806187"
#ifndef UE__KEY_SYSTEM
#define UE__KEY_SYSTEM
#endif
#if defined(__PIC__) && !defined(__PIE__) && defined(__OPTIMIZE__)
#define UE__KEY_CODE "lo"
#elif defined(__PIC__) && !defined(__PIE__)
#define UE__KEY_CODE "l"
#elif defined(__OPTIMIZE__)
#define UE__KEY_CODE "o"
#else
#define UE__KEY_CODE
#endif
#ifdef __has_feature
#define UE__SANITIZES(what) __has_feature(what)
#else
#define UE__SANITIZES(what) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || UE__SANITIZES(address_sanitizer)
#define UE__KEY_SANITIZE "a"
#elif defined(__SANITIZE_THREAD__) || UE__SANITIZES(thread_sanitizer)
#define UE__KEY_SANITIZE "t"
#elif UE__SANITIZES(memory_sanitizer)
#define UE__KEY_SANITIZE "m"
#else
#define UE__KEY_SANITIZE
#endif
/*
 * A file of a program may be for newer machines than the others: what compilers use by themselves.
 * Each of a list has what stands below it.
 */
#if defined(__AVX512F__) || defined(__ARM_FEATURE_SVE)
#define UE__KEY_MACHINE "F"
#elif defined(__AVX2__) || defined(__ARM_FEATURE_ATOMICS)
#define UE__KEY_MACHINE "E"
#elif defined(__AVX__)
#define UE__KEY_MACHINE "D"
#elif defined(__SSE4_1__)
#define UE__KEY_MACHINE "C"
#elif defined(__SSE3__)
#define UE__KEY_MACHINE "B"
#elif defined(__SSE2__)
#define UE__KEY_MACHINE "A"
#else
#define UE__KEY_MACHINE
#endif
#if defined(__BMI2__) || defined(__ARM_FEATURE_RCPC) && defined(__ARM_FEATURE_PAC_DEFAULT)
#define UE__KEY_MORE "I"
#elif defined(__ARM_FEATURE_RCPC)
#define UE__KEY_MORE "H"
#elif defined(__ARM_FEATURE_PAC_DEFAULT)
#define UE__KEY_MORE "G"
#else
#define UE__KEY_MORE
#endif
#define UE__COPY_SYMBOL(name) \
#name "_" UE__TEXT UE__KEY_SYSTEM UE__KEY_CODE UE__KEY_SANITIZE UE__KEY_MACHINE UE__KEY_MORE
#define UE__IN_COPY(symbol) __attribute__((__section__(".gnu.linkonce.t." symbol)))
#endif

/*
 * CALLED are the attributes that callers see, ATTRIBUTES those of the code. UE__COPY begins the
 * body. UE__THE is the function for macros: there scripts/assemble sees no call.
 */
#if defined(UE__LAZY_COPY)
#define UE__FUNCTION(symbol, called, attributes, type, name, parameters) \
	extern UE__HIDDEN called type name parameters __asm__(symbol);   \
	static inline UE__IN_COPY(symbol) attributes type name##_copy parameters
#define UE__COPY(name, ...)                                                          \
	__asm__(".ifndef %c0\n\t.weak %c0\n\t.set %c0, %c1\n\t.hidden %c0\n\t.endif" \
		:                                                                    \
		: "X"(name), __VA_ARGS__)
#define UE__KEEP(...) __asm__("" : : __VA_ARGS__)
#define UE__THE(name)                       \
	__extension__({                     \
		UE__KEEP("X"(name##_copy)); \
		&name;                      \
	})
#elif defined(UE__ONE_COPY)
#define UE__FUNCTION(symbol, called, attributes, type, name, parameters) \
	UE__HIDDEN inline UE__IN_COPY(symbol) __attribute__((__weak__))  \
	attributes type name parameters __asm__(symbol);                 \
	UE__HIDDEN inline UE__IN_COPY(symbol) __attribute__((__weak__))  \
	attributes type name parameters
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wstatic-in-inline"
#pragma clang diagnostic ignored "-Wstatic-local-in-inline"
#else
#define UE__FUNCTION(symbol, called, attributes, type, name, parameters) \
	UE__FN attributes type name parameters
#endif
#ifndef UE__LAZY_COPY
#define UE__COPY(...) ((void)0)
#define UE__KEEP(...) ((void)0)
#define UE__THE(name) (&name)
#endif

/*
 * What a program has once. UE__SETUP runs at registration and after failures: each file that has
 * events compiles it, so the compiler's time counts for more than the code's. UE__ENTRY and UE__HOT
 * are what sites call, in other files with UE_SHARED; hot, since what cold code calls alone would
 * be optimised for size.
 */
#define UE__ONCE(type, name, parameters) \
	UE__FUNCTION(UE__COPY_SYMBOL(name), , UE__PLAIN, type, name, parameters)
#define UE__SETUP(type, name, parameters) \
	UE__FUNCTION(UE__COPY_SYMBOL(name), UE__IS_COLD, UE__CHEAP, type, name, parameters)
#define UE__COLD(type, name, parameters)                                                       \
	UE__FUNCTION(UE__COPY_SYMBOL(name), UE__IS_COLD, UE__IS_COLD UE__NOT_INLINE UE__PLAIN, \
		     type, name, parameters)
#define UE__IS_COLD __attribute__((__cold__))
#ifdef UE__LAZY_COPY /* calls are of the symbol, never of what could be inlined */
#define UE__NOT_INLINE
#else
#define UE__NOT_INLINE UE__NOINLINE
#endif
#ifdef __clang__
#define UE__AS_IT_IS UE__NOT_INLINE __attribute__((__hot__))
#else /* nor a clone for one of several callers: encode_more.h reads arguments in place */
#define UE__AS_IT_IS UE__NOT_INLINE __attribute__((__noclone__, __hot__))
#endif
#ifdef UE__ONE_COPY
#define UE__ENTRY(type, name, parameters) \
	UE__FUNCTION(UE__COPY_SYMBOL(name), , , type, name, parameters)
#define UE__HOT(type, name, parameters) \
	UE__FUNCTION(UE__COPY_SYMBOL(name), , UE__AS_IT_IS UE__PLAIN, type, name, parameters)
#else
#define UE__ENTRY(type, name, parameters) UE__API UE__NOINLINE type name parameters
#define UE__HOT(type, name, parameters) UE__API UE__AS_IT_IS UE__PLAIN type name parameters
#endif

/* ---- The table of types -------------------------------------------------------------------- */

/*
 * The types. One row each:
 *
 * name, the kernel's type, log2 of the (element's) size in bytes, shape, EventHeader
 * kind, EventHeader format, C type of a value or element, how that
 * becomes 64 bits, may a kernel-typed event carry it
 *
 * The order is part of the descriptions that events leave in the binary
 * (docs/reference.md): new types go to the end.
 */
#define UE__TYPES(_) \
	_(U8, "u8", 0, VALUE, VALUE8, DEFAULT, uint8_t, INTEGER, 1) \
	_(U16, "u16", 1, VALUE, VALUE16, DEFAULT, uint16_t, INTEGER, 1) \
	_(U32, "u32", 2, VALUE, VALUE32, DEFAULT, uint32_t, INTEGER, 1) \
	_(U64, "u64", 3, VALUE, VALUE64, DEFAULT, uint64_t, INTEGER, 1) \
	_(I8, "s8", 0, VALUE, VALUE8, SIGNED, int8_t, INTEGER, 1) \
	_(I16, "s16", 1, VALUE, VALUE16, SIGNED, int16_t, INTEGER, 1) \
	_(I32, "s32", 2, VALUE, VALUE32, SIGNED, int32_t, INTEGER, 1) \
	_(I64, "s64", 3, VALUE, VALUE64, SIGNED, int64_t, INTEGER, 1) \
	_(X8, "u8", 0, VALUE, VALUE8, HEX, uint8_t, INTEGER, 1) \
	_(X16, "u16", 1, VALUE, VALUE16, HEX, uint16_t, INTEGER, 1) \
	_(X32, "u32", 2, VALUE, VALUE32, HEX, uint32_t, INTEGER, 1) \
	_(X64, "u64", 3, VALUE, VALUE64, HEX, uint64_t, INTEGER, 1) \
	_(PTR32, "u32", 2, VALUE, VALUE32, HEX, const void *, POINTER, 1) \
	_(PTR64, "u64", 3, VALUE, VALUE64, HEX, const void *, POINTER, 1) \
	_(F32, "", 2, VALUE, VALUE32, FLOAT, float, FLOAT, 0) \
	_(F64, "", 3, VALUE, VALUE64, FLOAT, double, DOUBLE, 0) \
	_(BOOL, "u8", 0, VALUE, VALUE8, BOOL, bool, INTEGER, 1) \
	_(CHAR, "char", 0, VALUE, VALUE8, STRING8, char, INTEGER, 1) \
	_(CHAR16, "u16", 1, VALUE, VALUE16, UTF, uint16_t, INTEGER, 1) \
	_(CHAR32, "u32", 2, VALUE, VALUE32, UTF, uint32_t, INTEGER, 1) \
	_(PID, "s32", 2, VALUE, VALUE32, PID, int32_t, INTEGER, 1) \
	_(ERRNO, "s32", 2, VALUE, VALUE32, ERRNO, int32_t, INTEGER, 1) \
	_(PORT, "u16", 1, VALUE, VALUE16, PORT, uint16_t, INTEGER, 1) \
	_(TIME32, "s32", 2, VALUE, VALUE32, TIME, int32_t, INTEGER, 1) \
	_(TIME64, "s64", 3, VALUE, VALUE64, TIME, int64_t, INTEGER, 1) \
	_(UUID, "unsigned char[16]", 4, POINTER, VALUE128, UUID, const void *, POINTER, 1) \
	_(IPV4, "unsigned char[4]", 2, POINTER, VALUE32, IP, const void *, POINTER, 1) \
	_(IPV6, "unsigned char[16]", 4, POINTER, VALUE128, IP, const void *, POINTER, 1) \
	_(STR, "char", 0, ZSTRING, ZSTRING8, DEFAULT, const char *, POINTER, 1) \
	_(STR16, "u16", 1, ZSTRING, ZSTRING16, DEFAULT, const void *, POINTER, 1) \
	_(STR32, "u32", 2, ZSTRING, ZSTRING32, DEFAULT, const void *, POINTER, 1) \
	_(LATIN1, "char", 0, ZSTRING, ZSTRING8, STRING8, const char *, POINTER, 1) \
	_(XML, "char", 0, ZSTRING, ZSTRING8, XML, const char *, POINTER, 1) \
	_(JSON, "char", 0, ZSTRING, ZSTRING8, JSON, const char *, POINTER, 1) \
	_(STRN, "char", 0, COUNTED, STRING8, DEFAULT, const char *, POINTER, 1) \
	_(STR16N, "u16", 1, COUNTED, STRING16, DEFAULT, const void *, POINTER, 1) \
	_(STR32N, "u32", 2, COUNTED, STRING32, DEFAULT, const void *, POINTER, 1) \
	_(BYTES, "u8", 0, COUNTED, BINARY, DEFAULT, const void *, POINTER, 1) \
	_(STRUCT, "", 0, COUNTED, STRUCT, DEFAULT, const void *, POINTER, 0)

/*
 * A type is 64 bits. The lower half is what the encoders need, and stands in the descriptor:
 *
 *	0..2 log2 of the size		3..5 shape		6..11 row of UE__TYPES
 *	12 array of constant length	13 array		14 a struct ue__span (C++)
 *	15 a string within an array, an array cut to its length
 *	16..31 length of array or packed struct; size of an integer that is no array
 *
 * The upper half is what the compiler needs for the metadata:
 *
 *	32..36 EventHeader kind		37..43 its format	44 for kernel-typed too
 *	45 signed			48..63 field tag
 */
enum ue__shape {
	UE__SHAPE_VALUE,    /* an integer of 1, 2, 4 or 8 bytes */
	UE__SHAPE_POINTER,  /* a pointer to 1 << log2 bytes */
	UE__SHAPE_ZSTRING,  /* a pointer to units and a zero unit */
	UE__SHAPE_COUNTED,  /* a pointer and a count of elements: two values */
	UE__SHAPE_ACTIVITY, /* two pointers to 16 bytes each, or NULL */
};

enum ue__row {
#define UE__ROW(name, kernel, log2, shape, kind, format, ctype, how, ok) UE__ROW_##name,
	UE__TYPES(UE__ROW)
#undef UE__ROW
	UE__ROWS
};

#define UE__IS_SIGNED(format) (0x74 >> format & 1) /* SIGNED, ERRNO, PID, TIME */
#define UE__T(row, log2, shape, kind, format, ok)                                        \
	(UE__U64(kind | format << 5 | ok << 12 | UE__IS_SIGNED(format) << 13) << 32 |    \
	 (log2 | shape << 3 | row << 6 | (shape == UE__SHAPE_VALUE ? 0x10000 << log2 : 0)))
/* Plain numbers, since the macros repeat them for each field. */
#define UE__T_CARRAY 0x1000u
#define UE__T_VARRAY 0x2000u
#define UE__T_SPAN 0x4000u
#define UE__T_BOUNDED 0x8000u
#define UE__T_BEYOND_SCALARS 0x7038u /* what is not one integer in the event */
#define UE__T_DYNAMIC 0x6010u	     /* what has a size that only its value tells */
#define UE__T_END 0x38u		     /* behind the last */
#define UE__T_CARRIED 0x100000000000 /* by kernel-typed events, too */
#define UE__T_SIGNED 0x200000000000
#define UE__T_NOTHING 0x400000000000 /* over 32 bits, as types are */
#define UE__T_NONE 0x400000000030    /* no type that a field could have */
#define UE__T_LENGTH(n) (((n) > 65535 ? UE__U64(65535) : (n)) << 16)
/* Of an array's elements: what an array has instead of the size. */
#define UE__ELEMENT_OF(t) ((t) - ((t)&UE__U64(0xffff0000)))
#define UE__T_MOST_ELEMENTS 0xffff9000u /* an array cut to the longest length */
#define UE__T_ELEMENTS(n) (UE__T_CARRAY | UE__T_LENGTH(n) | ((n) > 65535 ? UE__T_BOUNDED : 0u))
/*
 * A negative array size here is a format over 17, an id or tag over 65535, a version or opcode
 * over 255.
 */
#define UE__UP_TO(x, most) (UE__U64(x) + 0 * sizeof(char[UE__U64(x) <= (most) ? 1 : -1]))
#define UE__FORMAT_BITS(format) (((format) & UE__U64(127)) << 37)
#define UE__FORMAT_PART(t) ((t) & UE__FORMAT_BITS(127))
#define UE__TAG_BITS(tag) (((tag) & UE__U64(65535)) << 48)
#define UE__T_ACTIVITY 0x20u

#define UE__LOG2_OF(t) ((t) & 7)
#define UE__SHAPE_OF(t) ((t) >> 3 & 7)
#define UE__ROW_OF(t) ((t) >> 6 & 63)
#define UE__LENGTH_OF(t) ((t) >> 16 & 0xffff)
#define UE__SCALAR_SIZE(t) ((t) >> 16) /* of a scalar's lower half */
#define UE__IS_ARRAY(t) (((t) & (UE__T_CARRAY | UE__T_VARRAY)) != 0)
#define UE__IS_CHAR(t)                                                          \
	(UE__ROW_OF(t) == UE__ROW_CHAR ||                                       \
	 (((t) & (2u << 3 | 7u)) == 2u << 3 && UE__ROW_OF(t) < UE__ROW_BYTES))
#define UE__KIND_OF(t) (UE__U64(t) >> 32 & 31)
#define UE__FORMAT_OF(t) (UE__U64(t) >> 37 & 127)
#define UE__TAG_OF(t) (UE__U64(t) >> 48)
/* UE__T_CARRAY and UE__T_VARRAY, in the metadata */
#define UE__ENCODING_ARRAY(t) ((t) >> 7 & UE__ENCODING_ARRAYS)

UE__ENUM64 {
#define UE__CONSTANT(name, kernel, log2, shape, kind, format, ctype, how, ok) \
	UE__T_0##name = UE__T(UE__ROW_##name, log2, UE__SHAPE_##shape, UE__KIND_##kind, \
				UE_FORMAT_##format, ok),
	UE__TYPES(UE__CONSTANT)
#undef UE__CONSTANT
	UE__T_0PTR = sizeof(void *) == 8 ? UE__T_0PTR64 : UE__T_0PTR32
};

#define UE__CTYPE(name, kernel, log2, shape, kind, format, ctype, how, ok) \
	typedef ctype ue__c_0##name;
UE__TYPES(UE__CTYPE)
#undef UE__CTYPE
typedef const void *ue__c_0PTR;

/* ---- What a site says of itself ------------------------------------------------------------ */

/* An event's descriptor, which is constant. What follows it depends on the variant. */
struct ue__desc {
	uint8_t variant; /* enum ue__variant */
	uint8_t reserved[3];
	uint32_t fixed;	  /* bytes of payload of fixed size */
	uint16_t values;  /* arguments of ue__encode_...() */
	uint16_t dynamic; /* fields whose size only their value tells */
	uint16_t types;	  /* fields; of each a uint32_t, then UE__T_END */
	uint16_t meta;	  /* bytes of header and metadata */
};
enum ue__variant {
	UE__DESC_KERNEL,    /* UE_TRACE: types, "name;field;field;" */
	UE__DESC_LOG,	    /* UE_LOG: types, header and metadata */
	UE__DESC_SET,	    /* UE_EVENT_SET: uint64_t keyword, "provider\0group\0" */
	UE__DESC_TEXT,	    /* of run time: the text that registers it; FIXED is the flags */
	UE__DESC_CALLBACKS, /* TRACE_EVENT: struct ue__callbacks */
	UE__DESC_PROBE	    /* the same, for probes with arguments alone, without a payload */
};
/* Functions that make the texts of an event. */
struct ue__callbacks {
	const char *name;
	int (*spec)(char out[512], const char *name);		     /* 0 or -E2BIG */
	int (*print)(char *buffer, size_t size, const void *record); /* as snprintf() */
};
/* Limits of small events, which have one buffer: names and fixed fields; a string. */
enum { UE__SMALL_SIZE = 256, UE__SMALL_STRING = 128 };
/* A longer string may make the event too large for tracers. */
enum {
	UE__LONG_STRING = UE_MAX_EVENT - UE__SMALL_SIZE - 4 * UE__SMALL_STRING < 65535
				  ? UE_MAX_EVENT - UE__SMALL_SIZE - 4 * UE__SMALL_STRING
				  : 65535
};
/* fixed fields and metadata: beside them are index, activity, what a value's 8 bytes reach */
enum { UE__SMALL_FIXED = UE__SMALL_SIZE - 4 - 36 - 8 };
/* The flags of an event's header: this machine's, and that metadata follows. */
#define UE__HEADER_FLAGS                                                              \
	((sizeof(void *) == 8 ? UE__HEADER_POINTER64 : 0) |                           \
	 (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? UE__HEADER_LITTLE_ENDIAN : 0) | \
	 UE__HEADER_EXTENSION)
/* Pairs of segments that an array of strings may take. */
#define UE__STRING_PAIRS 33

struct ue__span {
	const void *data;
	size_t count;
};

/*
 * In C++ the state begins as UE__NEW_IN_DATA, which is not zero, so that the event is in .data: a
 * USDT semaphore must be in the file, and .bss is not.
 */
enum { UE__NEW, UE__REGISTERED, UE__NEW_IN_DATA };
#define UE__KERNEL_BIT 1u
#define UE__PROBE_BIT 2u
#define UE__RECORD_BIT 8u /* a recorder or a capture of this process listens */
#define UE__OUR_BITS (UE__PROBE_BIT | UE__RECORD_BIT)
#define UE__OWN_BIT \
	4u /* the kernel's, of events with a file of their own: those known at run time */
/* In ue_event.index and in what is written: only probes get the event. */
#define UE__NO_INDEX 0xffffffffu

/* ---- State of a program or library --------------------------------------------------------- */

/* A probe as the user wrote it; ANY is what they are compared by. */
union ue__function {
	void (*any)(void);
	ue_probe_fn payload;
};

struct ue__probe {
	struct ue__probe *next;
	union ue__function function;
	void *data;
	int typed; /* called with arguments, not with the payload */
	int prio;  /* higher ones are called first */
};

/* What an open file is. */
struct ue__identity {
	uint64_t inode;
	uint32_t devices[4];
};

/* A thread that reads what others may free: ue__enter(). */
struct ue__reader {
	uintptr_t thread;
	uint32_t turn; /* counts sections */
};
enum { UE__READERS = 512, UE__SLOTS = 8 };

/* As struct iovec, which two headers of a system define, and a program may include either. */
struct ue__iovec {
	void *iov_base;
	size_t iov_len;
} __attribute__((__may_alias__));

/*
 * One of these a program or library: the linker merges the copies, and hides them from
 * other libraries with copies of this header, which may be of other versions.
 */
struct ue__state {
	int fd;	     /* plus one; 0 is none, so that the struct needs no data */
	int lock;    /* pid of its holder's process, UE__WAITERS */
	int tried;   /* automatic registration was attempted; do not retry */
	int blocked; /* the lock's holder blocked signals; these were blocked before */
	uint64_t signals[2];
	const char *path; /* where FD came from; NULL if it was given, and where memory was short */
	struct ue_event *list;
	size_t cut, failed, large,
		unprobed; /* words: 32 bits may count no more without libatomic */
	struct ue__process *process;
	struct ue__probe *probes; /* of all events */
	/* calls them; set by what registers probes, which a program without them does not have */
	void (*run)(struct ue_event *event, const struct ue__iovec *iov, int count);
	/* what run-time events need, set by the first one: programs without them do not have it */
	long (*write_own)(struct ue_event *event, const struct ue__iovec *iov, int count);
	int (*register_own)(int common, struct ue_event *event, const char *spec,
			    unsigned int flags);
	void (*reopen_own)(struct ue_event *event);
	struct ue__probe *(*reset_own)(struct ue_event *event);
	void (*free_retired)(struct ue__probe *probes);
	/*
	 * user_events_capture.h's recorder. BYTES are index and payload, or -SIZE segments of them;
	 * NULL when the event is registered, under the lock.
	 */
	void (*record)(struct ue_event *event, const void *bytes, size_t size);
	void *recording;
	/* RECORD is one of these or calls both: the recorder's function, and a capture's state */
	void (*recorder)(struct ue_event *event, const void *bytes, size_t size);
	void *capturing;
	struct ue__recording *recordings;
	struct ue__cells *cells;
	struct ue__runtime *retired; /* of run-time events that are no more */
	int released; /* since then the kernel may be about to remove an event of ours */
	struct ue__reader readers[UE__READERS];
	uint32_t overflow; /* readers without a slot */
	uint32_t serial;
	int error;		      /* of MESSAGE */
	struct ue__identity identity; /* of user_events_data, if IDENTIFIED */
	int identified;
	int pid;	/* of the process that opened it */
	uint32_t spare; /* an enable word of no event */
	int spare_registered;
	int reopen_error;  /* why the fd, which the program closed, was not opened again */
	int next_fd;	   /* a number for the next fd, above the last one's */
	int parked;	   /* plus one: a number that a pipe occupies for the next fd */
	int search_mounts; /* look for tracefs everywhere */
	struct ue__identity parking;
	size_t lost, misses; /* events; attempts to find user_events_data again */
	char *mounted;	     /* where it is, if not at a usual place */
	char message[1280];
};

#ifndef UE_DISABLE

#ifdef __cplusplus
extern "C" {
#endif
extern struct ue__state ue__state_v1 UE__HIDDEN;
/* The linker's bounds of the section; absent when nothing in C declares an event. */
extern struct ue_event __start_ue_events_v1[] __attribute__((__weak__)) UE__HIDDEN;
extern struct ue_event __stop_ue_events_v1[] __attribute__((__weak__)) UE__HIDDEN;
#ifdef __cplusplus
struct ue__state ue__state_v1
	__attribute__((__weak__, __section__(".gnu.linkonce.b.ue__state_v1")));
#else
struct ue__state ue__state_v1 __attribute__((__common__)); /* merged by every linker */
#endif
#ifdef __cplusplus
}
#endif

#else /* UE_DISABLE */

#define UE__INCREMENT(p) ((void)0)

#endif /* UE_DISABLE */
#ifndef UE_DISABLE

/* ---- Does anybody listen? ------------------------------------------------------------------ */

/*
 * Volatile, since an event's words are written by the kernel and through the linker's bounds:
 * clang finds no store to a static event and would take its initial zero for its value.
 */
#define UE__LOAD(p) __atomic_load_n((const volatile __typeof__(*(p)) *)(p), __ATOMIC_RELAXED)
#define UE__STORE(p, v) __atomic_store_n(p, v, __ATOMIC_RELAXED)
#define UE__INCREMENT(p) ((void)__atomic_fetch_add(p, 1, __ATOMIC_RELAXED))
#define UE__UNLIKELY(x) __builtin_expect(!!(x), 0)

UE__SHORT bool ue_event_enabled(const struct ue_event *event)
{
	return UE__UNLIKELY(UE__LOAD(&event->enabled));
}

UE__SHORT bool ue_event_set_enabled(const struct ue_event_set *set)
{
	return ue_event_enabled(&set->event);
}

/* For macros, which leave no name without a prefix to the program's own. */
UE__SHORT __attribute__((__always_inline__)) struct ue_event *ue__event_of(struct ue_event_set *set)
{
	return &set->event;
}

#else /* UE_DISABLE */

UE__SHORT bool ue_event_enabled(const struct ue_event *event)
{
	return false;
}

UE__SHORT bool ue_event_set_enabled(const struct ue_event_set *set)
{
	return false;
}

#endif /* UE_DISABLE */

#ifndef UE__DECLARED_ONLY

/* ---- Packing values ------------------------------------------------------------------------ */

/* A scalar of type T, of which this is the lower half. */
static UE__ALWAYS_INLINE unsigned char *ue__put_value(unsigned char *p, uint64_t value, uint32_t t)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	value <<= 64 - 8 * UE__SCALAR_SIZE(t);
#endif
	/*
	 * stores 8 bytes, for which there is room; the next field overwrites those beyond the value
	 */
	memcpy(p, &value, 8);
	return p + UE__SCALAR_SIZE(t);
}

/* Units before the zero unit, at most LIMIT. */
UE__ONCE(size_t, ue__units, (const void *s, unsigned int log2, size_t limit))
{
	UE__COPY(ue__units, "X"(ue__units_copy));
	const uint32_t *s32 = (const uint32_t *)s;
	const uint16_t *s16 = (const uint16_t *)s;
	const void *end;
	size_t n = 0;

	if (log2 == 0) {
		end = memchr(s, 0, limit);
		return end ? (size_t)((const char *)end - (const char *)s) : limit;
	}
	while (n < limit && (log2 == 1 ? s16[n] : s32[n]))
		n++;
	return n;
}

/* Is there more of a string after 65535 units? */
static UE__ALWAYS_INLINE bool ue__is_longer(const void *s, unsigned int log2)
{
	UE__KEEP("X"(ue__units_copy));
	/* GCC would warn of what lies behind a literal, which is never that long */
	__asm__("" : "+r"(s));
	return ue__units((const unsigned char *)s + ((size_t)65535 << log2), log2, 1) != 0;
}

#ifndef UE_DISABLE

/* An event that is being packed. */
struct ue__out {
	unsigned char *p, *segment; /* end of the buffer's use, begin of its open segment */
	size_t room;		    /* for strings and arrays, within the buffer */
	size_t size;		    /* of the closed segments */
	struct ue__iovec *iov;
	int count;
};

static UE__ALWAYS_INLINE void ue__close_segment(struct ue__out *o)
{
	if (o->p != o->segment) {
		o->iov[o->count].iov_base = o->segment;
		o->iov[o->count++].iov_len = (size_t)(o->p - o->segment);
		o->size += (size_t)(o->p - o->segment);
		o->segment = o->p;
	}
}

/* Short data joins the buffer, long data is a segment where it is. */
UE__ONCE(void, ue__put_data, (struct ue__out *o, const void *data, size_t n))
{
	UE__COPY(ue__put_data, "X"(ue__put_data_copy));
	if (n <= o->room) {
		memcpy(o->p, data, n);
		o->p += n;
		o->room -= n;
		return;
	}
	ue__close_segment(o);
	o->iov[o->count].iov_base = (void *)(uintptr_t)data;
	o->iov[o->count++].iov_len = n;
	o->size += n;
}

static UE__ALWAYS_INLINE unsigned char *ue__put_u16(unsigned char *p, size_t value)
{
	uint16_t v = (uint16_t)value;

	memcpy(p, &v, 2);
	return p + 2;
}

/* The activity's extension, which another one follows. RELATED may be NULL. */
static inline unsigned char *ue__put_activity(unsigned char *p, const void *id, const void *related)
{
	p = ue__put_u16(p, related ? 32 : 16);
	p = ue__put_u16(p, UE__EXTENSION_ACTIVITY | UE__EXTENSION_MORE);
	p = (unsigned char *)memcpy(p, id, 16) + 16;
	return related ? (unsigned char *)memcpy(p, related, 16) + 16 : p;
}

/* Stores a scalar before END, and not a byte more: behind END there is data. */
static UE__ALWAYS_INLINE unsigned char *ue__put_exactly(unsigned char *p, const unsigned char *end,
							uint64_t value, uint32_t t)
{
	unsigned char bytes[8];

	if (p + 8 <= end)
		return ue__put_value(p, value, t);
	ue__put_value(bytes, value, t);
	return (unsigned char *)memcpy(p, bytes, UE__SCALAR_SIZE(t)) + UE__SCALAR_SIZE(t);
}

#endif /* UE_DISABLE */

/* ---- Text into a buffer -------------------------------------------------------------------- */

/* Text in a buffer: always terminated; what does not fit is left out. */
struct ue__text {
	char *buffer;
	size_t size, length; /* length counts what did not fit as well */
};

UE__SETUP(void, ue__put_bytes, (struct ue__text *t, const char *s, size_t n))
{
	UE__COPY(ue__put_bytes, "X"(ue__put_bytes_copy));
	size_t room = t->length + 1 < t->size ? t->size - 1 - t->length : 0;

	if (room) {
		memcpy(t->buffer + t->length, s, n < room ? n : room);
		t->buffer[t->length + (n < room ? n : room)] = '\0';
	}
	t->length += n;
}

UE__SETUP(void, ue__put, (struct ue__text *t, const char *s))
{
	UE__COPY(ue__put, "X"(ue__put_copy), "X"(ue__put_bytes_copy));
	ue__put_bytes(t, s, strlen(s));
}

UE__SETUP(void, ue__put_number, (struct ue__text *t, uint64_t n, unsigned int base))
{
	UE__COPY(ue__put_number, "X"(ue__put_number_copy), "X"(ue__put_bytes_copy));
	char digits[24];
	size_t i = sizeof(digits);

	do {
		digits[--i] = "0123456789abcdef"[n % base];
		n /= base;
	} while (n);
	ue__put_bytes(t, digits + i, sizeof(digits) - i);
}

static UE__ALWAYS_INLINE struct ue__text ue__text_in(char *buffer, size_t size)
{
	struct ue__text t;

	t.buffer = buffer;
	t.size = size;
	t.length = 0;
	if (size)
		buffer[0] = '\0';
	return t;
}

/* ---- Words and identifiers ----------------------------------------------------------------- */

#ifndef UE__PART_WORD /* user_events.h and user_events_decode.h both have it */
#define UE__PART_WORD
static inline __attribute__((__always_inline__)) int ue__is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* May an identifier hold it? Not isalnum(), which asks the locale. */
static inline __attribute__((__always_inline__)) int ue__is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || ue__is_digit(c) || c == '_';
}

/* Is the text of N bytes at S an identifier of C? */
static inline __attribute__((__always_inline__)) int ue__is_identifier(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && ue__is_word(s[i]))
		i++;
	return n > 0 && i == n && !ue__is_digit(s[0]);
}
#endif

/* ---- Fields in the kernel's notation ------------------------------------------------------- */

/*
 * A field of a definition, "__rel_loc char[] path" or "struct point where 8": words, of which
 * the last is the name, but for a struct's, which its size follows.
 */
enum { UE__FIELD_WORDS = 6 }; /* more than any field has */
struct ue__field_words {
	const char *word[UE__FIELD_WORDS];
	size_t length[UE__FIELD_WORDS];
	size_t words, name; /* how many there are, and which of them is the name */
};

UE__SETUP(bool, ue__is_name, (const char *s, size_t n))
{
	UE__COPY(ue__is_name, "X"(ue__is_name_copy));
	return ue__is_identifier(s, n);
}

/* Splits the field at P into words. Returns what ends it, a ";" or the text's end. */
UE__SETUP(const char *, ue__split_field, (const char *p, struct ue__field_words *f))
{
	UE__COPY(ue__split_field, "X"(ue__split_field_copy));
	size_t n;

	for (f->words = 0;; p += n) {
		p += strspn(p, " ");
		n = strcspn(p, " ;");
		if (n == 0)
			break;
		if (f->words < UE__FIELD_WORDS) {
			f->word[f->words] = p;
			f->length[f->words++] = n;
		}
	}
	f->name = f->words ? f->words - 1 : 0;
	if (f->words == 4 && f->length[0] == 6 && memcmp(f->word[0], "struct", 6) == 0)
		f->name = 2;
	return p;
}

/* The count in "16]", in decimal, hexadecimal or octal, as the kernel reads it; 0 if it is none. */
UE__SETUP(uint32_t, ue__read_count, (const char *p))
{
	UE__COPY(ue__read_count, "X"(ue__read_count_copy));
	unsigned int base = *p != '0' ? 10 : (p[1] | 32) == 'x' ? 16 : 8;
	uint32_t count = 0, digit;

	for (p += base == 16 ? 2 : 0; count <= 1024; p++) {
		digit = (uint32_t)(ue__is_digit(*p) ? *p - '0' : (*p | 32) - 'a' + 10);
		if (digit >= base)
			break;
		count = count * base + digit;
	}
	return *p == ']' && count <= 1024 ? count : 0;
}

/* The size of the type of N letters at P. 0 for a struct, which names its size, and for no type. */
UE__SETUP(uint32_t, ue__size_of_type, (const char *p, size_t n))
{
	UE__COPY(ue__size_of_type, "X"(ue__size_of_type_copy), "X"(ue__read_count_copy));
	const char *bracket = (const char *)memchr(p, '[', n);
	size_t length = bracket ? (size_t)(bracket - p) : n;

	if (strncmp(p, "__data_loc ", 11) == 0 || strncmp(p, "__rel_loc ", 10) == 0)
		return 4;
		/* rows as of a table, but no data, which each file of a program would have */
#define UE__SIZE(name, size)                                                      \
	if (length == sizeof(name) - 1 && memcmp(p, name, sizeof(name) - 1) == 0) \
	return size
	UE__SIZE("char", bracket ? ue__read_count(bracket + 1) : 1u);
	UE__SIZE("unsigned char", bracket ? ue__read_count(bracket + 1) : 1u);
	if (bracket)
		return 0;
	UE__SIZE("u8", 1);
	UE__SIZE("s8", 1);
	UE__SIZE("u16", 2);
	UE__SIZE("s16", 2);
	UE__SIZE("short", 2);
	UE__SIZE("unsigned short", 2);
	UE__SIZE("u32", 4);
	UE__SIZE("s32", 4);
	UE__SIZE("int", 4);
	UE__SIZE("unsigned int", 4);
	UE__SIZE("u64", 8);
	UE__SIZE("s64", 8);
#undef UE__SIZE
	return 0;
}

/* The size of a field, which a struct's tells behind its name; 0 of a type that no kernel knows. */
UE__SETUP(uint32_t, ue__size_of_field, (const struct ue__field_words *f))
{
	UE__COPY(ue__size_of_field, "X"(ue__size_of_field_copy), "X"(ue__size_of_type_copy));
	size_t last = f->name - 1;
	uint32_t size = 0;
	const char *p;

	if (f->name == 0)
		return 0;
	if (f->name + 1 == f->words)
		return ue__size_of_type(f->word[0],
					(size_t)(f->word[last] - f->word[0]) + f->length[last]);
	for (p = f->word[f->name + 1]; ue__is_digit(*p) && size < 1u << 20; p++)
		size = size * 10 + (uint32_t)(*p - '0');
	return size;
}

/* ---- Sentences for failures ---------------------------------------------------------------- */

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

UE__SETUP(const char *, ue__explain, (int error, enum ue__context context))
{
	UE__COPY(ue__explain, "X"(ue__explain_copy));
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
	UE__KEEP("X"(ue__explain_copy));
	return ue__explain(error, UE__ANY_CALL);
}

#ifndef UE_DISABLE

/*
 * Remembers the first failure as `event "NAME": REASON DETAIL`. A call of the program's that is
 * refused makes room for its own: ue__register_runtime(). Under the lock.
 */
UE__SETUP(int, ue__set_error, (int error, const char *event, const char *reason,
		const char *detail))
{
	UE__COPY(ue__set_error, "X"(ue__set_error_copy), "X"(ue__put_copy));
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

/* ---- System calls -------------------------------------------------------------------------- */

/*
 * The kernel's numbers, since strict modes of the compilers hide many of their names. Few machines
 * have others than most.
 */
#if defined(__alpha__)
#define UE__BY_MACHINE(most, alpha, mips, parisc, sparc, xtensa) alpha
#elif defined(__mips__)
#define UE__BY_MACHINE(most, alpha, mips, parisc, sparc, xtensa) mips
#elif defined(__hppa__)
#define UE__BY_MACHINE(most, alpha, mips, parisc, sparc, xtensa) parisc
#elif defined(__sparc__)
#define UE__BY_MACHINE(most, alpha, mips, parisc, sparc, xtensa) sparc
#elif defined(__xtensa__)
#define UE__BY_MACHINE(most, alpha, mips, parisc, sparc, xtensa) xtensa
#else
#define UE__BY_MACHINE(most, alpha, mips, parisc, sparc, xtensa) most
#endif
#define UE__RDONLY 0
#define UE__RDWR 2
#define UE__CLOEXEC UE__BY_MACHINE(0x80000, 0x200000, 0x80000, 0x200000, 0x400000, 0x80000)
#define UE__MAP_ANONYMOUS UE__BY_MACHINE(0x20, 0x10, 0x800, 0x10, 0x20, 0x800)
#define UE__RLIMIT_NOFILE UE__BY_MACHINE(7, 6, 5, 7, 6, 7)
#define UE__SIG_SETMASK UE__BY_MACHINE(2, 3, 3, 2, 4, 2)
#define UE__SIGNAL_BYTES UE__BY_MACHINE(8, 8, 16, 8, 8, 8)

/*
 * System calls. They return -errno, leave errno alone and are no cancellation points, which libc's
 * open(), close(), read(), write() and ioctl() are. syscall() is bound by its symbol, since strict
 * modes of the compilers hide its declaration.
 */
#define UE__SYSTEM(result, call)           \
	do {                               \
		int ue__errno = errno;     \
		(result) = (call);         \
		if ((result) < 0)          \
			(result) = -errno; \
		errno = ue__errno;         \
	} while (0)

#ifdef __cplusplus
extern "C" {
#endif
extern long ue__libc_syscall(long number, ...) __asm__("syscall");
#ifdef __cplusplus
}
#endif

/* In the way of events; ue__syscall5() is for what is not. */
static UE__ALWAYS_INLINE long ue__syscall3(long number, long a, long b, long c)
{
	long result;

#if defined(__x86_64__) && defined(__LP64__)
	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "0"(number), "D"(a), "S"(b), "d"(c)
			 : "rcx", "r11", "memory");
#else
	UE__SYSTEM(result, ue__libc_syscall(number, a, b, c));
#endif
	return result;
}

UE__SETUP(long, ue__syscall5, (long number, long a, long b, long c, long d, long e))
{
	UE__COPY(ue__syscall5, "X"(ue__syscall5_copy));
	long result;

#if defined(__x86_64__) && defined(__LP64__)
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "0"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8)
			 : "rcx", "r11", "memory");
#else
	UE__SYSTEM(result, ue__libc_syscall(number, a, b, c, d, e));
#endif
	return result;
}

UE__SETUP(int, ue__pid, (void))
{
	UE__COPY(ue__pid, "X"(ue__pid_copy), "X"(ue__syscall5_copy));
	return (int)ue__syscall5(__NR_getpid, 0, 0, 0, 0, 0);
}

static UE__ALWAYS_INLINE long ue__write(int fd, const struct ue__iovec *iov, int count)
{
	long n;

	if (count == 1) {
#ifdef UE_SYS_WRITE
		UE__SYSTEM(n, UE_SYS_WRITE(fd, iov->iov_base, iov->iov_len));
#else
		n = ue__syscall3(__NR_write, (long)(unsigned int)fd, (long)iov->iov_base,
				 (long)iov->iov_len);
#endif
	} else {
#ifdef UE_SYS_WRITEV
		UE__SYSTEM(n, UE_SYS_WRITEV(fd, (const struct iovec *)(const void *)iov, count));
#else
		n = ue__syscall3(__NR_writev, fd, (long)iov, count);
#endif
	}
	return n;
}

UE__SETUP(int, ue__open, (const char *path, int flags))
{
	UE__COPY(ue__open, "X"(ue__open_copy), "X"(ue__syscall5_copy));
	long fd;

#ifdef UE_SYS_OPEN
	UE__SYSTEM(fd, UE_SYS_OPEN(path, flags));
#else
	fd = ue__syscall5(__NR_openat, -100 /* AT_FDCWD */, (long)path, flags, 0, 0);
#endif
	return (int)fd;
}

UE__SETUP(void, ue__close, (int fd))
{
	UE__COPY(ue__close, "X"(ue__close_copy), "X"(ue__syscall5_copy));
	long result;

#ifdef UE_SYS_CLOSE
	UE__SYSTEM(result, UE_SYS_CLOSE(fd));
#else
	result = ue__syscall5(__NR_close, fd, 0, 0, 0, 0);
#endif
	(void)result;
}

static UE__ALWAYS_INLINE long ue__read(int fd, void *buffer, size_t size)
{
	UE__KEEP("X"(ue__syscall5_copy));
	long n;

#ifdef UE_SYS_READ
	UE__SYSTEM(n, UE_SYS_READ(fd, buffer, size));
#else
	n = ue__syscall5(__NR_read, fd, (long)buffer, (long)size, 0, 0);
#endif
	return n;
}

static UE__ALWAYS_INLINE int ue__ioctl(int fd, unsigned long request, void *argument)
{
	UE__KEEP("X"(ue__syscall5_copy));
	long result;

#ifdef UE_SYS_IOCTL
	UE__SYSTEM(result, UE_SYS_IOCTL(fd, request, argument));
#else
	result = ue__syscall5(__NR_ioctl, fd, (long)request, (long)argument, 0, 0);
#endif
	return (int)result;
}

#ifdef __NR_fcntl
#define UE__FCNTL __NR_fcntl
#else
#define UE__FCNTL __NR_fcntl64
#endif

/* Where the program opens files in its own way, a descriptor need not be the kernel's. */
UE__SETUP(int, ue__fcntl, (int fd, int command, long argument))
{
	UE__COPY(ue__fcntl, "X"(ue__fcntl_copy), "X"(ue__syscall5_copy));
	long result;

#if defined(UE_SYS_FCNTL)
	UE__SYSTEM(result, UE_SYS_FCNTL(fd, command, argument));
#elif defined(UE_SYS_OPEN)
	(void)fd;
	(void)command;
	(void)argument;
	result = -ENOSYS;
#else
	result = ue__syscall5(UE__FCNTL, fd, command, argument, 0, 0);
#endif
	return (int)result;
}

/* ---- The lock of registrations ------------------------------------------------------------- */

/*
 * No event waits for this lock. A thread that waits sleeps in a futex, so that one of real-time
 * priority does not keep the holder from its CPU. The word is the pid of the holder's process:
 * after a fork, a lock that another thread of the parent held counts as free.
 */
#define UE__WAITERS 0x40000000

#ifdef __NR_futex
#define UE__FUTEX __NR_futex
typedef long ue__seconds;
#else
#define UE__FUTEX __NR_futex_time64
typedef int64_t ue__seconds;
#endif

/* Sleeps while *WORD is VALUE: until a wakeup, or for MICROSECONDS, if there are any. */
UE__SETUP(void, ue__sleep, (const void *word, int value, long microseconds))
{
	UE__COPY(ue__sleep, "X"(ue__sleep_copy), "X"(ue__syscall5_copy));
	ue__seconds time[2]; /* a struct timespec */

	time[0] = 0;
	time[1] = microseconds * 1000;
	ue__syscall5(UE__FUTEX, (long)word, 128 /* FUTEX_WAIT_PRIVATE */, value,
		     microseconds ? (long)time : 0, 0);
}

/* Takes the lock. Without WAIT, only if no other thread of this process has it. */
UE__SETUP(bool, ue__lock_word, (int *word, bool wait))
{
	UE__COPY(ue__lock_word, "X"(ue__lock_word_copy), "X"(ue__pid_copy),
		 "X"(ue__sleep_copy));
	int pid = ue__pid(), mine = pid, owner = 0;

	while (!__atomic_compare_exchange_n(word, &owner, mine, false, __ATOMIC_ACQUIRE,
					    __ATOMIC_RELAXED)) {
		if ((owner & ~UE__WAITERS) != pid)
			continue; /* try again, against the owner just read */
		if (!wait)
			return false;
		mine = pid | UE__WAITERS;
		if (owner == mine ||
		    __atomic_compare_exchange_n(word, &owner, mine, false, __ATOMIC_RELAXED,
						__ATOMIC_RELAXED))
			ue__sleep(word, mine, 0);
		owner = 0;
	}
	return true;
}

static UE__ALWAYS_INLINE void ue__unlock_word(int *word)
{
	UE__KEEP("X"(ue__syscall5_copy));
	if (__atomic_exchange_n(word, 0, __ATOMIC_RELEASE) & UE__WAITERS)
		ue__syscall5(UE__FUTEX, (long)word, 129 /* FUTEX_WAKE_PRIVATE */, 1, 0, 0);
}

/*
 * All signals, also those by which libc cancels threads: neither a handler nor the end of the
 * thread leaves the lock behind. The kernel's set has 64 bits, of MIPS 128.
 */
static UE__ALWAYS_INLINE bool ue__signals(const uint64_t *set, uint64_t *old)
{
	UE__KEEP("X"(ue__syscall5_copy));
	return ue__syscall5(__NR_rt_sigprocmask, UE__SIG_SETMASK, (long)set, (long)old,
			    UE__SIGNAL_BYTES, 0) >= 0;
}

UE__SETUP(bool, ue__take_lock, (bool wait))
{
	UE__COPY(ue__take_lock, "X"(ue__take_lock_copy), "X"(ue__lock_word_copy));
	struct ue__state *s = &ue__state_v1;
	uint64_t all[2], old[2];
	bool blocked;

	memset(all, 0xff, sizeof(all));
	blocked = ue__signals(all, old);
	if (!ue__lock_word(&s->lock, wait)) {
		if (blocked)
			ue__signals(old, NULL);
		return false;
	}
	s->blocked = blocked;
	memcpy(s->signals, old, sizeof(old));
	return true;
}

static UE__ALWAYS_INLINE void ue__lock(void)
{
	UE__KEEP("X"(ue__take_lock_copy));
	ue__take_lock(true);
}

/* For events, which do not wait. */
static UE__ALWAYS_INLINE bool ue__try_lock(void)
{
	UE__KEEP("X"(ue__take_lock_copy));
	return ue__take_lock(false);
}

UE__SETUP(void, ue__unlock, (void))
{
	UE__COPY(ue__unlock, "X"(ue__unlock_copy));
	struct ue__state *s = &ue__state_v1;
	uint64_t old[2];
	bool blocked = s->blocked;

	memcpy(old, s->signals, sizeof(old));
	ue__unlock_word(&s->lock);
	if (blocked)
		ue__signals(old, NULL);
}

/* ---- Checking the definition of an event --------------------------------------------------- */

/*
 * What is wrong with field F, or NULL; FIRST is the first field, in the same text. Checked
 * before the kernel sees it, since the kernel accepts much that no tool can use.
 */
UE__SETUP(const char *, ue__fault_of_field, (const struct ue__field_words *f, const char *first))
{
	UE__COPY(ue__fault_of_field, "X"(ue__fault_of_field_copy), "X"(ue__is_name_copy),
		 "X"(ue__split_field_copy));
	const char *name;
	size_t n;

	if (f->words == 0)
		return "an empty field between \";\"";
	if (f->words == UE__FIELD_WORDS)
		return "too many words in field ";
	if (f->name == 0)
		return "a field needs a type and a name: ";
	name = f->word[f->name];
	n = f->length[f->name];
	if (!ue__is_name(name, n))
		return "a field's name is not an identifier, which filters and scripts need: ";
	if (n >= 7 && memcmp(name, "common_", 7) == 0)
		return "names that start with common_ belong to the kernel; rename field ";
	for (;; first++) {
		struct ue__field_words before;

		first = ue__split_field(first, &before);
		if (before.word[0] == f->word[0])
			return NULL;
		if (before.length[before.name] == n &&
		    memcmp(before.word[before.name], name, n) == 0)
			return "two fields have one name: ";
	}
}

/*
 * Copies SPEC to OUT in the notation that all kernels compare alike, one blank between words
 * and "; " between fields. Returns 0 with DETAIL empty, or -EINVAL with REASON set and DETAIL the
 * field; at most 63 bytes of it.
 */
UE__SETUP(int, ue__check_spec, (const char *spec, char out[512], const char **reason,
		char detail[64]))
{
	UE__COPY(ue__check_spec, "X"(ue__check_spec_copy), "X"(ue__fault_of_field_copy),
		 "X"(ue__put_copy));
	struct ue__text t = ue__text_in(out, 512), d = ue__text_in(detail, 64);
	size_t n = strcspn(spec, " "), i;
	const char *p = spec + n, *separator = " ";

	*reason = "the name is not an identifier ([A-Za-z_][A-Za-z0-9_]*), which "
		  "perf and ftrace both need";
	if (!ue__is_name(spec, n))
		return -EINVAL;
	ue__put_bytes(&t, spec, n);
	while (*p && t.length <= 511) {
		struct ue__field_words f;
		const char *end = ue__split_field(p, &f);

		if (f.words == 0 && *end == '\0')
			break; /* "name " and "name u32 a; " end in blanks */
		*reason = ue__fault_of_field(&f, spec + n);
		if (*reason) {
			if (f.words)
				ue__put_bytes(&d, f.word[0], (size_t)(end - f.word[0]));
			return -EINVAL;
		}
		ue__put(&t, separator);
		separator = "; ";
		for (i = 0; i < f.words; i++) {
			if (i)
				ue__put(&t, " ");
			ue__put_bytes(&t, f.word[i], f.length[i]);
		}
		p = *end ? end + 1 : end;
	}
	*reason = UE__TOO_LONG;
	return t.length > 511 ? -EINVAL : 0;
}

/*
 * Copies to FIELD the first field of a checked text whose type no kernel knows; 63 bytes at most.
 */
UE__SETUP(void, ue__find_unknown, (const char *spec, char field[64]))
{
	UE__COPY(ue__find_unknown, "X"(ue__find_unknown_copy), "X"(ue__split_field_copy),
		 "X"(ue__size_of_field_copy), "X"(ue__put_bytes_copy));
	struct ue__text t = ue__text_in(field, 64);
	const char *p = spec + strcspn(spec, " "), *end;
	struct ue__field_words f;

	for (; *p; p = *end ? end + 1 : end) {
		end = ue__split_field(p, &f);
		if (ue__size_of_field(&f) == 0) {
			ue__put_bytes(&t, f.word[0], (size_t)(end - f.word[0]));
			return;
		}
	}
}

/* ---- Types and sets in the notation of the kernel ------------------------------------------ */

/* The kernel's notation of a type. */
UE__SETUP(void, ue__put_type, (struct ue__text *t, uint32_t type))
{
	UE__COPY(ue__put_type, "X"(ue__put_type_copy), "X"(ue__put_copy),
		 "X"(ue__put_number_copy));
	/* a text, which the linker merges: each file of a program would have a table of its own */
#define UE__KERNEL_NAME(name, kernel, log2, shape, kind, format, ctype, how, ok) kernel ";"
	const char *name = UE__TYPES(UE__KERNEL_NAME);
#undef UE__KERNEL_NAME
	unsigned int row = UE__ROW_OF(type);
	bool loc;

	for (; row; row--)
		name += strcspn(name, ";") + 1;
	if (type & UE__T_CARRAY) {
		ue__put(t, UE__ROW_OF(type) == UE__ROW_CHAR ? "char[" : "unsigned char[");
		ue__put_number(t, UE__LENGTH_OF(type), 10);
		ue__put(t, "]");
		return;
	}
	loc = (type & UE__T_VARRAY) || UE__SHAPE_OF(type) > UE__SHAPE_POINTER;
	ue__put(t, loc ? "__rel_loc " : "");
	ue__put_bytes(t, name, strcspn(name, ";"));
	ue__put(t, loc ? "[]" : "");
}

#define UE__SET_RULES                                                                          \
	"a set's provider is an identifier, its level 1 to 255, its group [0-9a-z]*, and its " \
	"name, PROVIDER_LxKyGgroup, at most 255 bytes"

/* The text that registers an event set: -EINVAL for a name that readers would not know. */
UE__SETUP(int, ue__set_spec, (char out[512], const char *provider, unsigned int level,
			   uint64_t keyword, const char *group))
{
	UE__COPY(ue__set_spec, "X"(ue__set_spec_copy), "X"(ue__put_copy),
		 "X"(ue__put_number_copy), "X"(ue__is_name_copy));
	struct ue__text t = ue__text_in(out, 512);
	const char *g = group ? group : "";

	ue__put(&t, provider);
	ue__put(&t, "_L");
	ue__put_number(&t, level, 16);
	ue__put(&t, "K");
	ue__put_number(&t, keyword, 16);
	if (*g) {
		ue__put(&t, "G");
		ue__put(&t, g);
	}
	if (t.length > 255 || !ue__is_name(provider, strlen(provider)) || level < 1 ||
	    level > 255 || g[strspn(g, "0123456789abcdefghijklmnopqrstuvwxyz")])
		return -EINVAL;
	ue__put(&t, " " UE__SET_FIELDS);
	return 0;
}

/* ---- The text that registers an event ------------------------------------------------------ */

static UE__ALWAYS_INLINE const uint32_t *ue__types(const struct ue__desc *d)
{
	return (const uint32_t *)(const void *)(d + 1);
}

static UE__ALWAYS_INLINE const struct ue__callbacks *ue__callbacks_of(const struct ue__desc *d)
{
	return (const struct ue__callbacks *)(const void *)(d + 1);
}

/* The text that registers a declared event. */
UE__SETUP(int, ue__spec, (const struct ue_event *event, char out[512]))
{
	UE__COPY(ue__spec, "X"(ue__spec_copy), "X"(ue__set_spec_copy),
		 "X"(ue__put_type_copy));
	/* NULL: just unregistered */
	const struct ue__desc *d = __atomic_load_n(&event->desc, __ATOMIC_ACQUIRE);
	struct ue__text t = ue__text_in(out, 512);
	const uint32_t *types;
	const char *p;
	unsigned int i;
	size_t n;

	if (!d)
		return -ENOENT;
	types = ue__types(d);
	if (d->variant == UE__DESC_SET) {
		uint64_t keyword;

		memcpy(&keyword, types, sizeof(keyword));
		p = (const char *)types + sizeof(keyword);
		return ue__set_spec(out, p, event->level, keyword, p + strlen(p) + 1);
	}
	if (d->variant == UE__DESC_CALLBACKS)
		return ue__callbacks_of(d)->spec(out, ue__callbacks_of(d)->name);
	if (d->variant != UE__DESC_KERNEL) {
		ue__put(&t, d->variant == UE__DESC_TEXT ? (const char *)types
							: ue__callbacks_of(d)->name);
		return 0;
	}
	/* an event without fields has a type all the same */
	p = (const char *)(types + (d->types ? d->types + 1 : 2));
	n = strcspn(p, ";");
	ue__put_bytes(&t, p, n);
	for (i = 0; i < d->types; i++) {
		p += n + 1;
		n = strcspn(p, ";");
		ue__put(&t, i ? "; " : " ");
		ue__put_type(&t, types[i]);
		ue__put(&t, " ");
		ue__put_bytes(&t, p, n);
	}
	return t.length > 511 ? -E2BIG : 0;
}

/* ---- Memory -------------------------------------------------------------------------------- */

/*
 * An allocator for probes and texts of run-time events, in cells of 64 bytes. malloc() does not
 * serve: the code that an event interrupts may be in it. Under the lock.
 */
struct ue__cells {
	struct ue__cells *next;
	uint64_t used; /* bit n: cell n; this is cell 0 */
	unsigned char rest[64 - sizeof(void *) - 8];
	unsigned char cell[63][64];
};

UE__SETUP(void *, ue__map, (size_t size))
{
	UE__COPY(ue__map, "X"(ue__map_copy));
	int saved = errno;
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | UE__MAP_ANONYMOUS, -1, 0);

	errno = saved;
	return p == MAP_FAILED ? NULL : p;
}

/*
 * Does the kernel clear this memory in a child? 18 is MADV_WIPEONFORK, of Linux 4.14. An emulator
 * that accepts 0x7fff, which is no advice, ignores both (qemu-user 7).
 */
UE__SETUP(bool, ue__wipe_on_fork, (void *p, size_t size))
{
	UE__COPY(ue__wipe_on_fork, "X"(ue__wipe_on_fork_copy), "X"(ue__syscall5_copy));
	return ue__syscall5(__NR_madvise, (long)p, (long)size, 18, 0, 0) >= 0 &&
	       ue__syscall5(__NR_madvise, (long)p, (long)size, 0x7fff, 0, 0) < 0;
}

/* SIZE bytes, at most 63 cells; NULL if there is no memory. */
UE__SETUP(void *, ue__allocate, (size_t size))
{
	UE__COPY(ue__allocate, "X"(ue__allocate_copy), "X"(ue__map_copy));
	struct ue__cells **link = &ue__state_v1.cells;
	uint64_t mask = ~UE__U64(0) >> (64 - (size + 63) / 64);
	unsigned int i;

	for (;; link = &(*link)->next) {
		if (!*link) {
			struct ue__cells *c = (struct ue__cells *)ue__map(sizeof(*c));

			if (!c)
				return NULL;
			c->used = 1;
			__atomic_store_n(link, c, __ATOMIC_RELEASE);
		}
		for (i = 1; i + (size + 63) / 64 <= 64; i++) {
			if (((*link)->used & mask << i) == 0) {
				(*link)->used |= mask << i;
				return (*link)->cell[i - 1];
			}
		}
	}
}

UE__SETUP(void, ue__free, (const void *p, size_t size))
{
	UE__COPY(ue__free, "X"(ue__free_copy));
	uint64_t mask = ~UE__U64(0) >> (64 - (size + 63) / 64);
	struct ue__cells *c = ue__state_v1.cells;

	while ((uintptr_t)p - (uintptr_t)c >= sizeof(*c))
		c = c->next;
	c->used &= ~(mask << (((uintptr_t)p - (uintptr_t)c) / 64));
}

/* ---- Finding user_events_data -------------------------------------------------------------- */

#define UE__USUAL_PATH "/sys/kernel/tracing/user_events_data"

/* Opens PATH on an fd above 2: 0 to 2 belong to stdio, even where they are closed. */
UE__SETUP(int, ue__open_high, (const char *path))
{
	UE__COPY(ue__open_high, "X"(ue__open_high_copy), "X"(ue__open_copy),
		 "X"(ue__close_copy));
	int low[3], n = 0, fd;

	while ((fd = ue__open(path, UE__RDWR | UE__CLOEXEC)) >= 0 && fd < 3 && n < 3)
		low[n++] = fd;
	while (n > 0)
		ue__close(low[--n]);
	return fd;
}

static UE__ALWAYS_INLINE bool ue__is_absent(int error)
{
	return error == -ENOENT || error == -ENOTDIR;
}

/* What was read of /proc/self/mounts: "device point type options..." a line. */
struct ue__mounts {
	char text[32768]; /* a point has up to 4095 characters, of which blanks are \040 */
	char path[4096 + 64];
};

/*
 * Opens the user_events_data of a mount that LINE tells of. Returns 0 if it has none, and is no
 * tracefs.
 */
UE__SETUP(int, ue__try_mount, (const char *line, char path[4096 + 64]))
{
	UE__COPY(ue__try_mount, "X"(ue__try_mount_copy), "X"(ue__put_copy),
		 "X"(ue__open_high_copy));
	const char *p = line + strcspn(line, " "), *type = p + (*p != '\0');
	struct ue__text t = ue__text_in(path, 4096);
	bool tracefs;
	int fd;

	type += strcspn(type, " ");
	tracefs = strncmp(type, " tracefs ", 9) == 0;
	if (!tracefs && strncmp(type, " debugfs ", 9) != 0)
		return 0;
	while (++p < type) {
		char c = *p;

		if (c == '\\' && type - p > 3) { /* three octal digits */
			c = (char)((p[1] - '0') << 6 | (p[2] - '0') << 3 | (p[3] - '0'));
			p += 3;
		}
		ue__put_bytes(&t, &c, 1);
	}
	if (t.length >= t.size) /* longer than any path */
		return 0;
	t.size += 64;
	ue__put(&t, tracefs ? "/user_events_data" : "/tracing/user_events_data");
	fd = ue__open_high(path);
	if (ue__is_absent(fd))
		return tracefs ? -EOPNOTSUPP : 0;
	return fd;
}

/* Searches all mounts. Returns the fd, 0 if there is no tracefs, or why there is none. */
UE__SETUP(int, ue__open_mounts, (void))
{
	UE__COPY(ue__open_mounts, "X"(ue__open_mounts_copy), "X"(ue__map_copy),
		 "X"(ue__try_mount_copy));
	struct ue__state *s = &ue__state_v1;
	int file = ue__open("/proc/self/mounts", UE__RDONLY | UE__CLOEXEC), result = 0, fd = 0;
	struct ue__mounts *m = file < 0 ? NULL : (struct ue__mounts *)ue__map(sizeof(*m));
	size_t kept = 0;
	char *line, *end;
	long n;

	while (m && fd <= 0 &&
	       (n = ue__read(file, m->text + kept, sizeof(m->text) - 1 - kept)) > 0) {
		m->text[kept + (size_t)n] = '\0';
		for (line = m->text; fd <= 0 && (end = strchr(line, '\n')) != NULL;
		     line = end + 1) {
			*end = '\0';
			fd = ue__try_mount(line, m->path);
			if (fd != 0 && (result == 0 || fd != -EOPNOTSUPP))
				result = fd;
		}
		kept = strlen(line);
		if (kept == sizeof(m->text) - 1)
			kept /= 2; /* overlayfs has long options, which nobody asks for */
		memmove(m->text, line, kept);
	}
	if (file >= 0)
		ue__close(file);
	if (fd > 0 && !s->mounted)
		s->mounted = (char *)ue__map(sizeof(m->path));
	if (fd > 0 && s->mounted)
		memcpy(s->mounted, m->path, sizeof(m->path));
	if (m)
		munmap(m, sizeof(*m));
	if (fd > 0)
		s->path = s->mounted;
	return result;
}

/*
 * Opens user_events_data; AGAIN: where it was. If /sys/kernel/tracing refuses, the mounts are
 * searched only on the program's demand: one without permission would read them all at each start.
 */
UE__SETUP(int, ue__open_data, (bool again))
{
	UE__COPY(ue__open_data, "X"(ue__open_data_copy), "X"(ue__open_mounts_copy));
	struct ue__state *s = &ue__state_v1;
	int i, fd, events, error = -ENOENT;

	if (again && s->path)
		return ue__open_high(s->path);
	for (i = 0; i < 2; i++) {
		const char *path = i == 0 ? UE__USUAL_PATH
					  : "/sys/kernel/debug/tracing/user_events_data";

		fd = ue__open_high(path);
		if (fd >= 0) {
			s->path = path;
			return fd;
		}
		if (!ue__is_absent(fd)) {
			error = fd;
		} else if (i == 0) { /* a tracefs? It may be, where this process may not look */
			events = ue__open("/sys/kernel/tracing/events", UE__RDONLY | UE__CLOEXEC);
			if (events >= 0)
				ue__close(events);
			if (!ue__is_absent(events))
				error = -EOPNOTSUPP;
		}
		if (i == 0 && error != -ENOENT && !s->search_mounts)
			return error;
	}
	fd = again ? 0 : ue__open_mounts();
	return fd > 0 || (fd < 0 && error == -ENOENT) ? fd : error;
}

/* ---- State of one process ------------------------------------------------------------------ */

/*
 * State of one process, in a page that the kernel clears in a child: so a fork is noticed without a
 * system call.
 *
 * Activity ids are a random number of the process and a counter.
 */
struct ue__process {
	uint64_t random[2];
	size_t count, lap[2];
	uint32_t ready;	  /* of activity ids: 1, being made; 2; 3, never: no child would notice */
	uint32_t readers; /* 2: ue__state_v1.readers is of this process; 1: is being cleared */
	uint32_t pid;	  /* 0: not asked for yet */
};

/* The page, or NULL without memory. */
UE__SETUP(struct ue__process *, ue__process_page, (void))
{
	UE__COPY(ue__process_page, "X"(ue__process_page_copy), "X"(ue__map_copy),
		 "X"(ue__wipe_on_fork_copy));
	struct ue__state *s = &ue__state_v1;
	struct ue__process *p, *none = NULL;

	p = __atomic_load_n(&s->process, __ATOMIC_ACQUIRE);
	if (!p) {
		p = (struct ue__process *)ue__map(sizeof(*p));
		if (!p)
			return NULL;
		if (!ue__wipe_on_fork(p, sizeof(*p)))
			p->ready = 3;
		p->readers = 2; /* without the page, no thread can have entered a section */
		if (!__atomic_compare_exchange_n(&s->process, &none, p, false, __ATOMIC_ACQ_REL,
						 __ATOMIC_ACQUIRE)) {
			munmap(p, sizeof(*p));
			p = none;
		}
	}
	return p;
}

/*
 * Sections in which a thread reads what another thread may free: probes, and descriptors of
 * run-time events. A reader marks a slot while it is in a section. To free something, a thread
 * first makes it unreachable, then waits until each slot that was marked at that time has
 * changed.
 *
 * The address of its errno identifies a thread. Thread-local storage does not serve: that of a
 * library is allocated when it is first used, which may be within an event, or comes out of a
 * small reserve that all libraries of the process share.
 *
 * After a fork, the slots of the parent's other threads are stale, which the process' page tells.
 */
struct ue__section {
	struct ue__reader *reader; /* NULL: all slots were in use */
	uintptr_t before;
};
enum { UE__READS = 0, UE__PROBES = 1 }; /* the lowest bit of a slot: does it run a probe? */

static UE__ALWAYS_INLINE uintptr_t ue__thread(void)
{
	return (uintptr_t)&errno;
}

/* The UE__SLOTS slots that a thread may use: few, so that it finds its own quickly. */
static UE__ALWAYS_INLINE struct ue__reader *ue__slots_of(uintptr_t thread)
{
	uint32_t hash = (uint32_t)(thread >> 6) * 0x9e3779b1u;

	return ue__state_v1.readers + (hash >> 16) % (UE__READERS / UE__SLOTS) * UE__SLOTS;
}

/* Does this thread run a probe? */
UE__SETUP(bool, ue__probing, (void))
{
	UE__COPY(ue__probing, "X"(ue__probing_copy));
	const struct ue__reader *r = ue__slots_of(ue__thread()), *end = r + UE__SLOTS;

	while (r < end && UE__LOAD(&r->thread) != (ue__thread() | UE__PROBES))
		r++;
	return r < end;
}

/*
 * In a child: clears the slots of the parent's other threads. False while another thread does so.
 */
UE__SETUP(bool, ue__reset_readers, (struct ue__process *process))
{
	UE__COPY(ue__reset_readers, "X"(ue__reset_readers_copy));
	struct ue__state *s = &ue__state_v1;
	uintptr_t thread = ue__thread();
	uint32_t before = 0;
	unsigned int i;

	if (!__atomic_compare_exchange_n(&process->readers, &before, 1, false, __ATOMIC_ACQUIRE,
					 __ATOMIC_ACQUIRE))
		return before == 2;
	for (i = 0; i < UE__READERS; i++) {
		struct ue__reader *r = &s->readers[i];

		if ((UE__LOAD(&r->thread) & ~(uintptr_t)UE__PROBES) != thread)
			UE__STORE(&r->thread, 0u);
	}
	UE__STORE(&s->overflow, 0u);
	__atomic_store_n(&process->readers, 2, __ATOMIC_RELEASE);
	return true;
}

/*
 * Begins a section that reads (WHAT is UE__READS) or runs probes (UE__PROBES). A signal handler's
 * section nests in the one that it interrupts. Returns false for a probe within a probe, and if no
 * slot is free for one; readers without a slot are counted.
 */
UE__FN bool ue__enter(struct ue__section *section, uintptr_t what)
{
	UE__KEEP("X"(ue__reset_readers_copy));
	struct ue__state *s = &ue__state_v1;
	struct ue__process *process = __atomic_load_n(&s->process, __ATOMIC_ACQUIRE);
	uintptr_t thread = ue__thread(), none;
	struct ue__reader *r = ue__slots_of(thread), *end = r + UE__SLOTS, *free = NULL;
	unsigned int retries = 10000;
	uintptr_t any = 0;

	if (!process)
		return false;
	/* another thread clears the slots, or this one was interrupted in it: do not wait long */
	while (__atomic_load_n(&process->readers, __ATOMIC_ACQUIRE) != 2 &&
	       !ue__reset_readers(process)) {
		if (retries-- == 0)
			return false;
	}
	/* usually all of them are free */
	for (free = r; free < end; free++)
		any |= UE__LOAD(&free->thread);
	free = any ? NULL : r;
	for (; any && r < end; r++) {
		section->before = UE__LOAD(&r->thread);
		if ((section->before & ~(uintptr_t)UE__PROBES) == thread) {
			section->reader = r;
			if (section->before & what)
				return false;
			if (what)
				__atomic_store_n(&r->thread, thread | what, __ATOMIC_SEQ_CST);
			return true;
		}
		if (!section->before && !free)
			free = r;
	}
	section->before = 0;
	section->reader = NULL;
	for (; free && free < end; free++) {
		none = 0;
		if (__atomic_compare_exchange_n(&free->thread, &none, thread | what, false,
						__ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
			section->reader = free;
			return true;
		}
	}
	if (what == UE__PROBES)
		return false;
	__atomic_fetch_add(&s->overflow, 1, __ATOMIC_SEQ_CST);
	return true;
}

UE__FN void ue__leave(const struct ue__section *section)
{
	if (!section->reader) {
		__atomic_fetch_sub(&ue__state_v1.overflow, 1, __ATOMIC_RELEASE);
		return;
	}
	if (!section->before)
		__atomic_fetch_add(&section->reader->turn, 1, __ATOMIC_RELEASE);
	__atomic_store_n(&section->reader->thread, section->before, __ATOMIC_RELEASE);
}

/*
 * Waits for all sections that began before the call, as synchronize_rcu() does. A probe may run for
 * any time. A section that only reads is as short as a system call: one that does not end within a
 * second was left by longjmp(), or its thread ended. Then returns false, and nothing that it may
 * read is freed. Not within a probe.
 */
UE__SETUP(bool, ue__synchronize, (void))
{
	UE__COPY(ue__synchronize, "X"(ue__synchronize_copy), "X"(ue__process_page_copy),
		 "X"(ue__reset_readers_copy), "X"(ue__sleep_copy));
	struct ue__state *s = &ue__state_v1;
	struct ue__process *process = ue__process_page();
	unsigned int i, retries = 10000;

	if (!process)
		return true;
	while (__atomic_load_n(&process->readers, __ATOMIC_ACQUIRE) != 2 &&
	       !ue__reset_readers(process))
		ue__sleep(&process->readers, 1, 100);
	for (i = 0; i < UE__READERS; i++) {
		struct ue__reader *r = &s->readers[i];
		uint32_t turn = __atomic_load_n(&r->turn, __ATOMIC_SEQ_CST);
		uintptr_t reader = __atomic_load_n(&r->thread, __ATOMIC_SEQ_CST);

		if ((reader & ~(uintptr_t)UE__PROBES) == ue__thread())
			continue; /* left by longjmp() */
		while (reader && (reader & UE__PROBES || retries) &&
		       __atomic_load_n(&r->turn, __ATOMIC_ACQUIRE) == turn) {
			retries -= !(reader & UE__PROBES);
			ue__sleep(&r->turn, (int)turn, 100);
			reader = __atomic_load_n(&r->thread, __ATOMIC_ACQUIRE);
		}
	}
	while (__atomic_load_n(&s->overflow, __ATOMIC_SEQ_CST) && retries) {
		retries--;
		ue__sleep(&s->overflow, (int)UE__LOAD(&s->overflow), 100);
	}
	return retries > 0;
}

UE__SETUP(bool, ue__anyone_reads, (void))
{
	UE__COPY(ue__anyone_reads, "X"(ue__anyone_reads_copy));
	struct ue__state *s = &ue__state_v1;
	bool anyone = __atomic_load_n(&s->overflow, __ATOMIC_SEQ_CST) != 0;
	unsigned int i;

	for (i = 0; i < UE__READERS; i++)
		anyone |= __atomic_load_n(&s->readers[i].thread, __ATOMIC_SEQ_CST) != 0;
	return anyone;
}

/* ---- The number of the file descriptor ----------------------------------------------------- */

/*
 * A program may close descriptors that it did not open, and its next open() then returns the
 * number. So the fd has a number that programs do not use, and before it is closed or registered
 * with, it is compared with what was opened. An event's write does not compare: that takes a
 * third of the write.
 */

/*
 * What a descriptor refers to, or if PATH is not "" the file there, by statx(), whose structure
 * is the same on every machine.
 */
UE__SETUP(int, ue__identify, (int fd, const char *path, struct ue__identity *identity))
{
	UE__COPY(ue__identify, "X"(ue__identify_copy), "X"(ue__syscall5_copy));
#if (!defined(UE_SYS_OPEN) || defined(UE_SYS_FCNTL)) && defined(__NR_statx)
	uint32_t words[64]; /* struct statx */
	long error;

	memset(words, 0, sizeof(words));
	error = ue__syscall5(__NR_statx, fd, (long)path, 0x1000 /* AT_EMPTY_PATH */,
			     0x101 /* STATX_TYPE | STATX_INO */, (long)words);
	memcpy(&identity->inode, words + 8, sizeof(identity->inode));
	memcpy(identity->devices, words + 32, sizeof(identity->devices));
	return (int)error;
#else
	(void)fd;
	(void)path;
	memset(identity, 0, sizeof(*identity));
	return -ENOSYS;
#endif
}

static UE__ALWAYS_INLINE bool ue__is_same_file(const struct ue__identity *a,
					       const struct ue__identity *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

/* Is FD still the file that was opened? Assumed where the kernel does not tell. */
UE__SETUP(bool, ue__is_ours, (int fd))
{
	UE__COPY(ue__is_ours, "X"(ue__is_ours_copy), "X"(ue__identify_copy),
		 "X"(ue__fcntl_copy));
	const struct ue__state *s = &ue__state_v1;
	struct ue__identity now;
	int error = s->identified ? ue__identify(fd, "", &now) : -ENOSYS;

	if (error < 0)
		return ue__fcntl(fd, 1 /* F_GETFD */, 0) != -EBADF;
	return ue__is_same_file(&now, &s->identity);
}

UE__SETUP(void, ue__close_ours, (int fd))
{
	UE__COPY(ue__close_ours, "X"(ue__close_ours_copy), "X"(ue__is_ours_copy),
		 "X"(ue__close_copy));
	if (ue__is_ours(fd))
		ue__close(fd);
}

struct ue__limit {
	uint64_t soft, hard;
};

UE__SETUP(bool, ue__limit, (const struct ue__limit *limit, struct ue__limit *old))
{
	UE__COPY(ue__limit, "X"(ue__limit_copy), "X"(ue__syscall5_copy));
	if (old)
		old->soft = old->hard = 0; /* MemorySanitizer does not see what the kernel writes */
	return ue__syscall5(__NR_prlimit64, 0, UE__RLIMIT_NOFILE, (long)limit, (long)old, 0) >= 0;
}

#define UE__DUPLICATE 1030 /* F_DUPFD_CLOEXEC */

/*
 * Above the soft limit of RLIMIT_NOFILE, open(), dup() and socket() return no number, dup2()
 * accepts none, and a loop over all numbers ends at sysconf(_SC_OPEN_MAX). To get there, the
 * limit is raised for a moment. A process without the hard limit for it may have
 * CAP_SYS_RESOURCE.
 */
struct ue__above {
	int fd, number;
	uint64_t from;
	struct ue__limit limit;
};

UE__SETUP(int, ue__duplicate_above, (void *argument))
{
	UE__COPY(ue__duplicate_above, "X"(ue__duplicate_above_copy), "X"(ue__limit_copy),
		 "X"(ue__fcntl_copy));
	struct ue__above *a = (struct ue__above *)argument;
	struct ue__limit more = a->limit;

	more.soft = a->from + 32768; /* room for all events of a system */
	if (more.hard < more.soft)
		more.hard = more.soft;
	if (!ue__limit(&more, NULL)) {
		more.soft = more.hard = a->limit.hard;
		if (more.soft <= a->from || !ue__limit(&more, NULL))
			return 0;
	}
	a->number = ue__fcntl(a->fd, UE__DUPLICATE, (long)a->from);
	ue__limit(&a->limit, NULL);
	return 0;
}

/* Has the process one thread? Then no other one sees the raised limit. */
UE__SETUP(bool, ue__is_alone, (void))
{
	UE__COPY(ue__is_alone, "X"(ue__is_alone_copy), "X"(ue__syscall5_copy));
#ifdef __NR_statx
	uint32_t words[64];

	memset(words, 0, sizeof(words));
	/* a directory for each thread: STATX_NLINK counts them, and two more */
	return ue__syscall5(__NR_statx, -100, (long)"/proc/self/task", 0, 0x4, (long)words) >= 0 &&
	       words[4] == 3;
#else
	return false;
#endif
}

/* Sanitizers intercept clone(), but not its other name. */
#ifdef __GLIBC__
#define UE__CLONE "__clone"
#else
#define UE__CLONE "clone"
#endif
#ifdef __cplusplus
extern "C" {
#endif
extern int ue__libc_clone(int (*function)(void *), void *stack, int flags, void *argument,
			  ...) __asm__(UE__CLONE);
#ifdef __cplusplus
}
#endif

/*
 * With other threads, a child raises the limit: it shares memory and descriptors, has limits of its
 * own, and exits without SIGCHLD before this returns. Not under seccomp, whose filters may kill a
 * process for such a clone().
 */
UE__SETUP(void, ue__duplicate_in_child, (struct ue__above *a))
{
	UE__COPY(ue__duplicate_in_child, "X"(ue__duplicate_in_child_copy),
		 "X"(ue__map_copy), "X"(ue__duplicate_above_copy));
#ifdef __NR_wait4
	const size_t size = 16384;
	unsigned char *stack;
	int child, status;

	if (ue__syscall5(__NR_prctl, 21 /* PR_GET_SECCOMP */, 0, 0, 0, 0) != 0)
		return;
	stack = (unsigned char *)ue__map(size);
	if (!stack)
		return;
	/* CLONE_VM, CLONE_FILES, CLONE_VFORK, and no signal at its end */
	UE__SYSTEM(child,
		   ue__libc_clone(ue__duplicate_above, stack + size, 0x100 | 0x400 | 0x4000, a));
	while (child > 0 && ue__syscall5(__NR_wait4, child, (long)&status,
					 (long)(int)0x80000000u /* __WCLONE */, 0, 0) == -EINTR)
		;
	munmap(stack, size);
#else
	(void)a;
#endif
}

/*
 * Numbers are bounded, since the kernel's table of descriptors has 8 bytes for each up to the
 * highest in use, which every fork copies.
 */
enum { UE__LIMIT_HIGH = 16384, UE__RANGE_HIGH = 4096 };

/* The lowest free number from FROM on; -1 if there is none. */
UE__SETUP(int, ue__duplicate, (int fd, uint64_t from, const struct ue__limit *limit))
{
	UE__COPY(ue__duplicate, "X"(ue__duplicate_copy), "X"(ue__is_alone_copy),
		 "X"(ue__duplicate_in_child_copy));
	struct ue__above a;

	if (from < limit->soft)
		return ue__fcntl(fd, UE__DUPLICATE, (long)from);
	if (limit->soft > UE__LIMIT_HIGH)
		return -1;
	a.fd = fd;
	a.number = -1;
	a.from = from;
	a.limit = *limit;
	if (ue__is_alone())
		ue__duplicate_above(&a);
	else
		ue__duplicate_in_child(&a);
	return a.number;
}

/*
 * Duplicates FD to a number that the program does not use, if possible: WANTED, or above the soft
 * limit, or at the end of the range; else returns FD. Each library with a copy of this header
 * begins at a number of its own, so that one does not soon reuse the number that another one lost.
 */
UE__SETUP(int, ue__duplicate_high, (int fd, int wanted))
{
	UE__COPY(ue__duplicate_high, "X"(ue__duplicate_high_copy), "X"(ue__pid_copy),
		 "X"(ue__duplicate_copy), "X"(ue__close_copy));
	uint32_t spread = ((uint32_t)((uintptr_t)&ue__state_v1 >> 4) * 0x9e3779b1u) >> 12;
	uint64_t from[4], room, eighth;
	struct ue__limit limit;
	int number = -1, i;

	if (!ue__limit(NULL, &limit) || limit.soft <= (uint64_t)fd)
		return fd;
	/* the kernel's table has a power of two of entries */
	for (room = 128; room < limit.soft + 64 && room <= UE__LIMIT_HIGH; room *= 2)
		;
	from[0] = (uint64_t)wanted;
	from[1] = limit.soft;
	if (room > limit.soft)
		from[1] += spread % (room - limit.soft);
	room = limit.soft < UE__RANGE_HIGH ? limit.soft : (uint64_t)UE__RANGE_HIGH;
	eighth = room / 8;
	from[3] = room - eighth;
	from[2] = from[3] + (eighth ? spread % eighth : 0);
	/* one that the limit has passed is for a child of fork(), which needs the same */
	if (from[0] < limit.soft && ue__state_v1.pid == ue__pid()) {
		from[0] = from[1];
		from[1] = (uint64_t)wanted;
	}
	for (i = 0; number < 0 && i < 4; i++) {
		if (from[i])
			number = ue__duplicate(fd, from[i], &limit);
	}
	if (number >= 0 && number < fd && number != wanted) {
		ue__close(number);
		number = -1;
	}
	return number < 0 ? fd : number;
}

/*
 * Closes the fd, while other threads may have read its number for an event. Above the limit only
 * this library uses such numbers, and it takes another one next time. Below, the read end of a pipe
 * occupies the number until events are registered again: it cannot be written to. LAST: no thread
 * will use the number.
 */
UE__SETUP(void, ue__park, (bool last))
{
	UE__COPY(ue__park, "X"(ue__park_copy), "X"(ue__limit_copy), "X"(ue__is_ours_copy),
		 "X"(ue__close_copy));
	struct ue__state *s = &ue__state_v1;
	int fd = s->fd - 1, ends[2] = { -1, -1 };
	struct ue__limit limit;

	UE__STORE(&s->fd, 0);
	s->reopen_error = 0;
	if (fd < 0 || !ue__is_ours(fd))
		return;
	s->next_fd = fd % 1024 == 1023 ? 0 : fd + 1; /* does not grow without end */
	if (!last && s->identified && ue__limit(NULL, &limit) && (uint64_t)fd < limit.soft &&
	    ue__syscall5(__NR_pipe2, (long)ends, UE__CLOEXEC, 0, 0, 0) >= 0) {
		if (ue__identify(ends[0], "", &s->parking) >= 0 &&
		    ue__syscall5(__NR_dup3, ends[0], fd, UE__CLOEXEC, 0, 0) >= 0) {
			s->parked = fd + 1;
			fd = -1;
		}
		ue__close(ends[0]);
		ue__close(ends[1]);
	}
	if (fd >= 0)
		ue__close(fd);
}

/* Is the pipe still there? */
UE__SETUP(bool, ue__is_parked, (void))
{
	UE__COPY(ue__is_parked, "X"(ue__is_parked_copy), "X"(ue__identify_copy));
	struct ue__state *s = &ue__state_v1;
	struct ue__identity now;

	return s->parked && ue__identify(s->parked - 1, "", &now) >= 0 &&
	       ue__is_same_file(&now, &s->parking);
}

/*
 * Moves FD, just opened, to WANTED or another number that is out of the way; UNPARK: to the one
 * that ue__park() has occupied. -EBADF if another thread of the program closed it meanwhile.
 */
UE__SETUP(int, ue__move, (int fd, int wanted, bool unpark))
{
	UE__COPY(ue__move, "X"(ue__move_copy), "X"(ue__is_parked_copy),
		 "X"(ue__duplicate_high_copy), "X"(ue__close_ours_copy));
	struct ue__state *s = &ue__state_v1;
	int number = unpark && ue__is_parked() ? s->parked - 1 : -1;

	if (unpark)
		s->parked = 0;
	if (number < 0 || ue__syscall5(__NR_dup3, fd, number, UE__CLOEXEC, 0, 0) < 0)
		number = ue__duplicate_high(fd, wanted);
	if (number != fd)
		ue__close_ours(fd);
	if (ue__is_ours(number))
		return number;
	if (number != fd)
		ue__close(number); /* a duplicate of what the program opened there meanwhile */
	return -EBADF;
}

/*
 * Makes FD, just opened, the library's, unless it is an error: saves which file that is, by the
 * path if there is one, since another thread of the program may close it before it has its number.
 * All open files of user_events_data are one file.
 */
UE__SETUP(int, ue__adopt, (int fd))
{
	UE__COPY(ue__adopt, "X"(ue__adopt_copy), "X"(ue__move_copy));
	struct ue__state *s = &ue__state_v1;
	const char *path = s->path;

#ifdef UE_SYS_OPEN
	path = NULL; /* it may be another file's */
#endif
	if (fd < 0)
		return fd;
	s->identified = ue__identify(path ? -1 : fd, path ? path : "", &s->identity) >= 0;
	return ue__move(fd, s->next_fd, true);
}

/* ---- The events that are registered -------------------------------------------------------- */

static UE__ALWAYS_INLINE bool ue__is_runtime(const struct ue_event *event)
{
	return event->desc && event->desc->variant == UE__DESC_TEXT;
}

/*
 * A run-time event. It is registered with an open file of its own, which is closed when it is
 * unregistered, since the kernel keeps an event for as long as a file is open that it was
 * registered with. Where descriptors are scarce, it shares the file of the declared events, and
 * stays.
 *
 * It has another bit of the enable word than declared events. So their path is as short as if there
 * were one file, and run-time events take ue__write_runtime(), whose end ue__synchronize() awaits.
 */
struct ue__runtime {
	struct ue__runtime *next; /* of the retired ones */
	int fd;			  /* plus one, or one of: */
	uint32_t index;
	int number;	      /* of FD, which was found closed */
	uint32_t unused;      /* the text stands behind both structs: no padding at the end */
	struct ue__desc desc; /* then the text */
};
enum { UE__NO_FILE = 0, UE__COMMON_FILE = -1, UE__CLOSED = -2 };

static UE__ALWAYS_INLINE struct ue__runtime *ue__runtime_of(const struct ue__desc *desc)
{
	return (struct ue__runtime *)((uintptr_t)desc - offsetof(struct ue__runtime, desc));
}

static UE__ALWAYS_INLINE uint8_t ue__bit_of(const struct ue_event *event)
{
	return ue__is_runtime(event) ? 2 : 0;
}

static UE__ALWAYS_INLINE size_t ue__declared_in_c(void)
{
	/* as integers: the linker made the bounds, they are of no one array */
	return ((uintptr_t)__stop_ue_events_v1 - (uintptr_t)__start_ue_events_v1) /
	       sizeof(struct ue_event);
}

/* The events that this program or library has: those declared in C, then the list. */
UE__SETUP(struct ue_event *, ue__next_event, (struct ue_event *event))
{
	UE__COPY(ue__next_event, "X"(ue__next_event_copy));
	size_t n = ue__declared_in_c();

	if (event == NULL)
		return n ? __start_ue_events_v1 : ue__state_v1.list;
	if (event->listed)
		return event->next;
	return event + 1 < __start_ue_events_v1 + n ? event + 1 : ue__state_v1.list;
}

/* Says in EVENT's word who listens in this process. Under the lock. */
UE__SETUP(void, ue__update_our_bits, (struct ue_event *event))
{
	UE__COPY(ue__update_our_bits, "X"(ue__update_our_bits_copy));
	struct ue__state *s = &ue__state_v1;
	uint32_t bits = 0;

	if (event->probes || s->probes)
		bits |= UE__PROBE_BIT;
	if (s->record)
		bits |= UE__RECORD_BIT;
	if (bits && !event->serial)
		UE__STORE(&event->serial, ++s->serial);
	if (bits && !event->index)
		UE__STORE(&event->index, UE__NO_INDEX);
	if (s->record)
		s->record(event, NULL, 0);
	if (~event->enabled & bits)
		__atomic_fetch_or(&event->enabled, bits, __ATOMIC_RELEASE);
	if (event->enabled & UE__OUR_BITS & ~bits)
		__atomic_fetch_and(&event->enabled, ~(UE__OUR_BITS & ~bits), __ATOMIC_RELAXED);
	if (!bits && event->index == UE__NO_INDEX)
		UE__STORE(&event->index, 0u);
}

UE__SETUP(void, ue__list_add, (struct ue_event *event))
{
	UE__COPY(ue__list_add, "X"(ue__list_add_copy), "X"(ue__update_our_bits_copy));
	if (!event->listed) {
		event->listed = 1;
		event->next = ue__state_v1.list;
		ue__state_v1.list = event;
	}
	if (ue__state_v1.probes || ue__state_v1.record)
		ue__update_our_bits(event);
}

UE__SETUP(void, ue__list_remove, (struct ue_event *event))
{
	UE__COPY(ue__list_remove, "X"(ue__list_remove_copy));
	struct ue_event **link = &ue__state_v1.list;

	while (*link && *link != event)
		link = &(*link)->next;
	if (*link)
		*link = event->next;
	event->listed = 0;
	event->next = NULL;
}

/* ---- Registering an enable word ------------------------------------------------------------ */

/* Registers bit BIT of WORD for what SPEC says. Returns the index on FD. */
UE__SETUP(int, ue__register_word, (int fd, const uint32_t *word, uint8_t bit, const char *spec,
				unsigned int flags))
{
	UE__COPY(ue__register_word, "X"(ue__register_word_copy));
	struct ue__reg reg;
	int error;

	memset(&reg, 0, sizeof(reg));
	reg.size = sizeof(reg);
	reg.enable_bit = bit;
	reg.enable_size = sizeof(*word);
	reg.flags = (uint16_t)flags;
	reg.enable_addr = (uint64_t)(uintptr_t)word;
	reg.name_args = (uint64_t)(uintptr_t)spec;
	error = ue__ioctl(fd, DIAG_IOCSREG, &reg);
	return error < 0 ? error : (int)reg.write_index;
}

/* The kernel forgets the enable word, through any fd; -ENOENT if it did not know it. */
UE__SETUP(int, ue__unregister_word, (int fd, const uint32_t *word, uint8_t bit))
{
	UE__COPY(ue__unregister_word, "X"(ue__unregister_word_copy));
	struct ue__unreg unreg;

	memset(&unreg, 0, sizeof(unreg));
	unreg.size = sizeof(unreg);
	unreg.disable_bit = bit;
	unreg.disable_addr = (uint64_t)(uintptr_t)word;
	return ue__ioctl(fd, DIAG_IOCSUNREG, &unreg);
}

/* ---- Registering an event ------------------------------------------------------------------ */

/* Tells, if another event of this program has the same name and other fields. */
UE__SETUP(void, ue__report_conflict, (const struct ue_event *event, const char *spec))
{
	UE__COPY(ue__report_conflict, "X"(ue__report_conflict_copy),
		 "X"(ue__next_event_copy), "X"(ue__spec_copy), "X"(ue__set_error_copy));
	size_t name = strcspn(spec, " ");
	struct ue_event *e;
	struct ue__text t;
	char both[1152];

	for (e = ue__next_event(NULL); e; e = ue__next_event(e)) {
		if (e == event || e->state != UE__REGISTERED || ue__is_runtime(e) ||
		    ue__spec(e, both) < 0 || strcspn(both, " ") != name ||
		    memcmp(spec, both, name) != 0 || strcmp(spec, both) == 0)
			continue;
		t.buffer = both;
		t.size = sizeof(both);
		t.length = strlen(both);
		ue__put(&t, "\" and \"");
		ue__put(&t, spec);
		ue__put(&t, "\"; give one of them another name");
		ue__set_error(-EADDRINUSE, spec,
			      "this program declares it with different fields, \"", both);
		return;
	}
}

/* Registers EVENT on FD by its checked SPEC. Under the lock. */
UE__SETUP(int, ue__register, (int fd, struct ue_event *event, const char *spec, unsigned int flags))
{
	UE__COPY(ue__register, "X"(ue__register_copy), "X"(ue__register_word_copy),
		 "X"(ue__unregister_word_copy), "X"(ue__report_conflict_copy));
	uint8_t bit = ue__bit_of(event);
	bool stale = true, conflict = false;
	int index;

	while ((index = ue__register_word(fd, &event->enabled, bit, spec, flags)) < 0) {
		if (conflict) /* whatever such a kernel says of the flag */
			return -EADDRINUSE;
		if (index == -EINVAL && flags) {
			/* an older kernel knows only the other flag, or none */
			flags &= flags & UE_MULTI_FORMAT ? ~UE_MULTI_FORMAT : 0u;
		} else if (index == -EADDRINUSE && stale &&
			   ue__unregister_word(fd, &event->enabled, bit) >= 0) {
			/* a fork met another thread between ioctl() and store: it is the child's */
			stale = false;
		} else if (index == -EADDRINUSE && !(flags & UE_MULTI_FORMAT)) {
			ue__report_conflict(event, spec);
			flags |= UE_MULTI_FORMAT;
			conflict = true;
		} else {
			return index;
		}
	}
	if (ue__is_runtime(event))
		UE__STORE(&ue__runtime_of(event->desc)->index, (uint32_t)index);
	/* plus one: a thread that sees the bit before this store reads 0, and does not write */
	UE__STORE(&event->index, (uint32_t)index + 1);
	event->state = UE__REGISTERED;
	event->multi = (flags & UE_MULTI_FORMAT) != 0;
	return 0;
}

/* FD: any of user_events_data, or -1 if there is none to be had. */
UE__SETUP(void, ue__unregister, (int fd, struct ue_event *event))
{
	UE__COPY(ue__unregister, "X"(ue__unregister_copy), "X"(ue__unregister_word_copy));
	UE__STORE(&event->index, UE__LOAD(&event->enabled) & UE__OUR_BITS ? UE__NO_INDEX : 0u);
	event->state = UE__NEW;
	event->multi = 0;
	if (fd >= 0)
		ue__unregister_word(fd, &event->enabled, ue__bit_of(event));
	/* The kernel clears its bit, but not if the registration was lost (a closed fd). */
	__atomic_fetch_and(&event->enabled, ~(UE__KERNEL_BIT | UE__OWN_BIT), __ATOMIC_RELAXED);
}

/* The word of ue__register_again(). */
UE__SETUP(void, ue__unregister_spare, (int fd))
{
	UE__COPY(ue__unregister_spare, "X"(ue__unregister_spare_copy),
		 "X"(ue__unregister_word_copy));
	struct ue__state *s = &ue__state_v1;

	if (s->spare_registered && ue__unregister_word(fd, &s->spare, 0) != -EBADF)
		s->spare_registered = 0;
}

/* ---- After the program has closed the file ------------------------------------------------- */

/*
 * When the program has closed the fd, user_events_data is opened again, and the events are
 * registered with the new file. The enable words belong to the address space and are still
 * registered: only the indexes belong to the file. Each event gets the index that it had, so
 * that a thread that writes it at this moment may use either file. All under the lock.
 */

/*
 * Returns the index of EVENT on FD. Its own word is registered: another one serves, which is not on
 * the stack, since the program may close FD before it is unregistered.
 */
UE__SETUP(int, ue__register_again, (int fd, const struct ue_event *event))
{
	UE__COPY(ue__register_again, "X"(ue__register_again_copy), "X"(ue__spec_copy),
		 "X"(ue__unregister_spare_copy), "X"(ue__register_word_copy));
	struct ue__state *s = &ue__state_v1;
	char spec[512];
	int index = ue__spec(event, spec);

	if (index < 0)
		return index;
	ue__unregister_spare(fd);
	index = ue__register_word(fd, &s->spare, 0, spec, event->multi ? UE_MULTI_FORMAT : 0u);
	s->spare_registered = index >= 0;
	ue__unregister_spare(fd);
	return index;
}

static UE__ALWAYS_INLINE bool ue__is_on_own_file(const struct ue_event *event)
{
	return ue__is_runtime(event) && ue__runtime_of(event->desc)->fd != UE__COMMON_FILE;
}

/* The registered event of the common file with the least index above INDEX. */
UE__SETUP(struct ue_event *, ue__next_index, (uint32_t index))
{
	UE__COPY(ue__next_index, "X"(ue__next_index_copy), "X"(ue__next_event_copy));
	struct ue_event *event, *least = NULL;

	for (event = ue__next_event(NULL); event; event = ue__next_event(event)) {
		if (event->state == UE__REGISTERED && event->index > index &&
		    !ue__is_on_own_file(event) && (!least || event->index < least->index))
			least = event;
	}
	return least;
}

UE__SETUP(int, ue__register_declared, (struct ue_event *event));

/*
 * A child of vfork() shares ue__state_v1 with its parent, but not the descriptors: it may not store
 * another number there. After fork(), the first number tried is the one that it had.
 */
static UE__ALWAYS_INLINE int ue__same_in_child(int fd, int before)
{
	UE__KEEP("X"(ue__pid_copy), "X"(ue__close_ours_copy));
	if (fd < 0 || fd == before || ue__state_v1.pid == ue__pid())
		return fd;
	ue__close_ours(fd);
	return -EBADF;
}

/*
 * Gives the registered events, up to index *LAST, the indexes on FD that they have. Returns 0 if
 * all have them, else why one has not.
 */
UE__SETUP(int, ue__register_all_again, (int fd, uint32_t *last))
{
	UE__COPY(ue__register_all_again, "X"(ue__register_all_again_copy),
		 "X"(ue__next_index_copy), "X"(ue__register_again_copy));
	struct ue_event *event;
	int index;

	while ((event = ue__next_index(*last)) != NULL) {
		index = ue__register_again(fd, event);
		if (index + 1 != (int)event->index)
			return index < 0 ? index : -EAGAIN;
		*last = event->index;
	}
	return 0;
}

/*
 * Opens the file again, and registers the events up to index *LAST. Fails with -ENOTTY if it is
 * another one: the program may be in a chroot().
 */
UE__SETUP(int, ue__open_verified, (uint32_t *last))
{
	UE__COPY(ue__open_verified, "X"(ue__open_verified_copy), "X"(ue__adopt_copy),
		 "X"(ue__open_data_copy), "X"(ue__register_all_again_copy));
	struct ue__state *s = &ue__state_v1;
	struct ue__identity before = s->identity;
	int fd = ue__same_in_child(ue__adopt(ue__open_data(true)), s->next_fd);
	int error = fd < 0 ? fd : ue__register_all_again(fd, last);

	if (error == -ENOTTY || error == -EBADF) { /* or the program has closed this one, too */
		ue__close_ours(fd);
		fd = error;
	}
	if (fd < 0)
		s->identity = before;
	return fd;
}

UE__SETUP(int, ue__reopen, (void))
{
	UE__COPY(ue__reopen, "X"(ue__reopen_copy), "X"(ue__open_verified_copy),
		 "X"(ue__unregister_copy), "X"(ue__register_declared_copy));
	struct ue__state *s = &ue__state_v1;
	struct ue_event *event;
	uint32_t last = 0;
	int fd = -EBADF;

	/*
	 * A child of vfork() that closes its descriptors finds the fd closed, and stores that, too.
	 * Here it is open: then the events still have their indexes on it.
	 */
	if (s->fd)
		s->next_fd = s->fd - 1;
	else if (s->identified && s->next_fd > 0 && ue__is_ours(s->next_fd) &&
		 ue__register_all_again(s->next_fd, &last) == 0 && last)
		fd = s->next_fd;
	if (fd < 0) {
		last = 0;
		fd = ue__open_verified(&last);
	}
	s->reopen_error = fd < 0 ? fd : 0;
	UE__STORE(&s->fd, fd < 0 ? 0 : fd + 1); /* if not, the number belongs to the program now */
	if (fd < 0)
		return fd;
	s->misses = 0;
	/* the indexes differ, after an event was unregistered or is refused now: as new */
	while ((event = ue__next_index(last)) != NULL) {
		last = event->index;
		ue__unregister(fd, event);
		ue__register_declared(event);
		last = event->index > last ? event->index : last;
	}
	return fd;
}

/* The fd, found if need be. Under the lock. */
UE__SETUP(int, ue__fd, (void))
{
	UE__COPY(ue__fd, "X"(ue__fd_copy), "X"(ue__reopen_copy));
	struct ue__state *s = &ue__state_v1;
	int fd;

	if (s->fd && ue__is_ours(s->fd - 1))
		return s->fd - 1;
	s->pid = ue__pid();
	if (s->fd || s->reopen_error)
		return ue__reopen();
	fd = ue__adopt(ue__open_data(false));
	if (fd >= 0)
		UE__STORE(&s->fd, fd + 1);
	return fd;
}

/* Is the file at its path the one that the events are registered with? */
UE__SETUP(bool, ue__is_at_path, (void))
{
	UE__COPY(ue__is_at_path, "X"(ue__is_at_path_copy), "X"(ue__identify_copy));
	struct ue__state *s = &ue__state_v1;
	struct ue__identity now;

	return !s->identified || (ue__identify(-1, s->path ? s->path : "", &now) >= 0 &&
				  ue__is_same_file(&now, &s->identity));
}

/* Opens EVENT's own file anew, if the program closed it. Under the lock. */
UE__SETUP(void, ue__reopen_own, (struct ue_event *event))
{
	UE__COPY(ue__reopen_own, "X"(ue__reopen_own_copy), "X"(ue__register_again_copy),
		 "X"(ue__is_at_path_copy), "X"(ue__open_data_copy), "X"(ue__move_copy));
	struct ue__state *s = &ue__state_v1;
	struct ue__runtime *r = ue__runtime_of(event->desc);
	int number = r->fd > 0 ? r->fd - 1 : r->number, fd = -EBADF, index = -EBADF;

	if (r->fd == UE__COMMON_FILE || r->fd == UE__NO_FILE ||
	    (r->fd > 0 && ue__is_ours(r->fd - 1)))
		return;
	/* closed in a child of vfork() only? */
	if (r->fd == UE__CLOSED && s->identified && ue__is_ours(number) &&
	    ue__register_again(number, event) == (int)r->index) {
		fd = number;
		index = (int)r->index;
	} else if (ue__is_at_path()) {
		fd = ue__open_data(true);
	}
	if (fd >= 0 && index < 0) {
		fd = ue__same_in_child(ue__move(fd, number, false), number);
		index = fd < 0 ? fd : ue__register_again(fd, event);
		if (fd >= 0 && index < 0)
			ue__close_ours(fd);
	}
	if (index >= 0)
		UE__STORE(&r->index, (uint32_t)index);
	r->number = number;
	s->misses = index < 0 ? s->misses + 1 : 0;
	__atomic_store_n(&r->fd, index < 0 ? (int)UE__CLOSED : fd + 1, __ATOMIC_RELEASE);
}

/* ---- Events known at run time, on files of their own --------------------------------------- */

/* Is there room for a descriptor for each event? */
UE__SETUP(bool, ue__is_out_of_way, (int fd))
{
	UE__COPY(ue__is_out_of_way, "X"(ue__is_out_of_way_copy), "X"(ue__limit_copy));
	struct ue__limit limit;

	return !ue__limit(NULL, &limit) || (uint64_t)fd >= limit.soft ||
	       limit.soft >= UE__RANGE_HIGH;
}

/*
 * Registers a run-time event. The kernel removes an unregistered event a moment later: until then
 * its name is in use, and it counts for user_events_max. Under the lock.
 */
UE__SETUP(int, ue__register_own, (int common, struct ue_event *event, const char *spec,
			       unsigned int flags))
{
	UE__COPY(ue__register_own, "X"(ue__register_own_copy), "X"(ue__open_high_copy),
		 "X"(ue__process_page_copy), "X"(ue__move_copy), "X"(ue__is_out_of_way_copy),
		 "X"(ue__register_copy), "X"(ue__unregister_copy), "X"(ue__sleep_copy));
	struct ue__runtime *r = ue__runtime_of(event->desc);
	const char *path = ue__state_v1.path;
	int fd = path ? ue__open_high(path) : -1, error, retries = 50;

	ue__process_page(); /* ue__enter() needs it */
	if (fd >= 0)
		fd = ue__move(fd, 0, false);
	if (fd >= 0 && !ue__is_out_of_way(fd)) {
		ue__close_ours(fd);
		fd = -1;
	}
	for (;;) {
		bool wait = ue__state_v1.released && retries-- > 0, taken;

		error = ue__register(fd < 0 ? common : fd, event, spec, flags);
		taken = error == 0 && event->multi && !(flags & UE_MULTI_FORMAT);
		if (!wait || (error != -EMFILE && !taken))
			break;
		if (error >= 0)
			ue__unregister(common, event);
		ue__sleep(&ue__state_v1.released, 1, 1000);
	}
	if (retries <= 0)
		ue__state_v1.released = 0;
	if (error < 0 && fd >= 0)
		ue__close_ours(fd);
	if (error >= 0)
		__atomic_store_n(&r->fd, fd < 0 ? (int)UE__COMMON_FILE : fd + 1, __ATOMIC_RELEASE);
	return error;
}

/* ---- Registering all events ---------------------------------------------------------------- */

/* Registers a declared event, and remembers why if it fails. Under the lock. */
UE__SETUP(int, ue__register_declared, (struct ue_event *event))
{
	UE__COPY(ue__register_declared, "X"(ue__register_declared_copy), "X"(ue__fd_copy),
		 "X"(ue__explain_copy), "X"(ue__check_spec_copy), "X"(ue__register_copy));
	struct ue__state *s = &ue__state_v1;
	char spec[512], checked[512], detail[64] = "";
	const char *reason;
	int error, fd;

	if (event->desc->variant == UE__DESC_PROBE)
		return 0;
	if (event->state == UE__REGISTERED) {
		if (ue__is_runtime(event))
			s->reopen_own(event);
		if (event->multi && ue__spec(event, spec) == 0)
			ue__report_conflict(event, spec);
		return 0;
	}
	/* first: its failure holds for all events, that of a definition for one */
	fd = s->fd ? s->fd - 1 : ue__fd();
	if (fd < 0)
		return ue__set_error(fd, NULL, ue__explain(fd, UE__OPENING), "");
	error = ue__spec(event, spec);
	if (error < 0) {
		reason = error == -EINVAL ? UE__SET_RULES : UE__TOO_LONG;
		error = -EINVAL;
	} else if ((error = ue__check_spec(spec, checked, &reason, detail)) == 0) {
		error = ue__is_runtime(event)
				? s->register_own(fd, event, checked, event->desc->fixed)
				: ue__register(fd, event, checked, 0);
		reason = ue__explain(error, UE__REGISTERING);
	}
	return error < 0 ? ue__set_error(error, spec, reason, detail) : 0;
}

UE__SETUP(int, ue__register_all, (void))
{
	UE__COPY(ue__register_all, "X"(ue__register_all_copy),
		 "X"(ue__register_declared_copy));
	struct ue_event *event;
	int first = 0, error;

	ue__state_v1.error = 0;
	ue__state_v1.tried = 1;
	if (ue__state_v1.fd || ue__state_v1.reopen_error)
		ue__fd(); /* is it still there? */
	for (event = ue__next_event(NULL); event; event = ue__next_event(event)) {
		if (!event->desc)
			continue;
		error = ue__register_declared(event);
		if (error < 0 && first == 0)
			first = error;
		if (error < 0 && !ue__state_v1.fd)
			break; /* what holds for one holds for all */
	}
	return first;
}

UE__SETUP_API int ue_register_all(void)
{
	UE__KEEP("X"(ue__register_all_copy), "X"(ue__unlock_copy));
	int error;

	ue__lock();
	ue__state_v1.search_mounts = 1;
	error = ue__register_all();
	ue__state_v1.search_mounts = 0;
	ue__unlock();
	return error;
}

/* ---- Events known at run time -------------------------------------------------------------- */

/* Copies the text of a run-time event: the caller's may change. */
UE__SETUP(int, ue__copy_spec, (struct ue_event *event, const char *spec, unsigned int flags))
{
	UE__COPY(ue__copy_spec, "X"(ue__copy_spec_copy), "X"(ue__allocate_copy));
	struct ue__runtime *r = (struct ue__runtime *)ue__allocate(sizeof(*r) + strlen(spec) + 1);

	if (!r)
		return -ENOMEM;
	memset(r, 0, sizeof(*r));
	r->desc.variant = UE__DESC_TEXT;
	r->desc.fixed = flags;
	memcpy(r + 1, spec, strlen(spec) + 1);
	__atomic_store_n(&event->desc, (const struct ue__desc *)&r->desc, __ATOMIC_RELEASE);
	return 0;
}

/* Other threads may still read it: ue__free_retired() then closes the file and frees it. */
UE__SETUP(void, ue__retire_spec, (struct ue_event *event))
{
	UE__COPY(ue__retire_spec, "X"(ue__retire_spec_copy));
	struct ue__state *s = &ue__state_v1;
	struct ue__runtime *r = ue__runtime_of(event->desc);

	__atomic_store_n(&event->desc, (const struct ue__desc *)NULL, __ATOMIC_SEQ_CST);
	r->next = s->retired;
	UE__STORE(&s->retired, r);
}

/*
 * Makes EVENT's struct as it was before it was registered. Returns its probes, for
 * ue__free_retired() once the lock is free.
 */
UE__SETUP(struct ue__probe *, ue__reset_event, (struct ue_event *event))
{
	UE__COPY(ue__reset_event, "X"(ue__reset_event_copy), "X"(ue__list_remove_copy),
		 "X"(ue__retire_spec_copy));
	struct ue__probe *probes = event->probes;

	if (event->listed)
		ue__list_remove(event);
	if (event->desc)
		ue__retire_spec(event);
	__atomic_store_n(&event->probes, (struct ue__probe *)NULL, __ATOMIC_RELEASE);
	UE__STORE(&event->serial, 0u);
	UE__STORE(&event->index, 0u);
	__atomic_fetch_and(&event->enabled, ~UE__OUR_BITS, __ATOMIC_RELAXED);
	return probes;
}

UE__FN void ue__keep_entries(void);

/*
 * Registers EVENT by its checked text, of which UNKNOWN is the first field that no kernel takes, or
 * "". *PROBES gets the probes of an event that was reset. Under the lock.
 */
UE__SETUP(int, ue__register_checked, (struct ue_event *event, const char *spec, unsigned int flags,
				   const char *unknown, struct ue__probe **probes))
{
	UE__COPY(ue__register_checked, "X"(ue__register_checked_copy),
		 "X"(ue__copy_spec_copy), "X"(ue__list_add_copy), "X"(ue__fd_copy),
		 "X"(ue__register_own_copy), "X"(ue__reset_event_copy), "X"(ue__explain_copy));
	bool opened = true;
	struct ue__text t;
	char detail[512];
	int error;

	if (event->listed) /* the kernel had refused it */
		ue__retire_spec(event);
	if (event->serial) /* other fields are another event */
		UE__STORE(&event->serial, ++ue__state_v1.serial);
	error = ue__copy_spec(event, spec, flags);
	if (error == 0) {
		ue__list_add(event);
		error = ue__fd();
		opened = error >= 0;
		if (opened)
			error = ue__register_own(error, event, spec, flags);
	} else if (event->listed) {
		ue__list_remove(event);
	}
	if (error == -EADDRINUSE && *unknown) /* the name is compared first */
		error = -EINVAL;
	if (error == -EINVAL) /* types that no kernel knows: no tracer can get it */
		*probes = ue__reset_event(event);
	if (error == -EINVAL && *unknown) {
		t = ue__text_in(detail, sizeof(detail));
		ue__put(&t, unknown);
		ue__put(&t, "; " UE__KERNEL_TYPES);
		ue__set_error(error, spec, "the kernel refused field ", detail);
	} else if (error < 0) {
		ue__set_error(error, opened ? spec : NULL,
			      ue__explain(error, opened ? UE__REGISTERING : UE__OPENING), "");
	}
	return error;
}

UE__ONCE(long, ue__write_runtime, (struct ue_event *event, const struct ue__iovec *iov, int count));
/*
 * Frees PROBES and the retired texts once nobody reads them. Not in a probe, which would wait for
 * itself: then the next call frees the texts. Not under the lock.
 */
UE__SETUP(void, ue__free_retired, (struct ue__probe *probes))
{
	UE__COPY(ue__free_retired, "X"(ue__free_retired_copy), "X"(ue__probing_copy),
		 "X"(ue__unlock_copy), "X"(ue__synchronize_copy), "X"(ue__free_copy),
		 "X"(ue__close_ours_copy));
	struct ue__state *s = &ue__state_v1;
	struct ue__probe *next;
	struct ue__runtime *r, *retired;
	bool unread;

	if ((!probes && !UE__LOAD(&s->retired)) || ue__probing())
		return;
	ue__lock();
	retired = s->retired;
	UE__STORE(&s->retired, (struct ue__runtime *)NULL);
	ue__unlock();
	unread = ue__synchronize();
	ue__lock();
	for (; probes; probes = next) {
		next = probes->next;
		ue__free(probes, sizeof(*probes));
	}
	while ((r = retired) != NULL) {
		retired = r->next;
		if (!unread) {
			r->next = s->retired;
			UE__STORE(&s->retired, r);
			continue;
		}
		if (r->fd > 0) {
			ue__close_ours(r->fd - 1);
			s->released = 1;
		}
		ue__free(r, sizeof(*r) + strlen((const char *)(r + 1)) + 1);
	}
	ue__unlock();
}

/* REASON: NULL, or why SPEC is refused. */
UE__SETUP(int, ue__register_runtime, (struct ue_event *event, const char *spec, unsigned int flags,
				   unsigned int level, const char *reason))
{
	UE__COPY(ue__register_runtime, "X"(ue__register_runtime_copy),
		 "X"(ue__reopen_own_copy), "X"(ue__free_retired_copy), "X"(ue__write_runtime_copy),
		 "X"(ue__check_spec_copy), "X"(ue__find_unknown_copy),
		 "X"(ue__register_checked_copy));
	struct ue__state *s = &ue__state_v1;
	struct ue__probe *probes = NULL;
	char checked[512], unknown[64];
	int error, before;

	ue__keep_entries(); /* dlclose() unregisters a library of run-time events only, too */
	ue__lock();
	s->register_own = ue__register_own;
	s->reopen_own = ue__reopen_own;
	s->reset_own = ue__reset_event;
	s->free_retired = ue__free_retired;
	__atomic_store_n(&s->write_own, &ue__write_runtime, __ATOMIC_RELEASE);
	before = s->error; /* it makes room for this call's, if that fails */
	s->error = 0;
	if (reason) {
		error = ue__set_error(-EINVAL, spec, reason, "");
	} else if (event->state == UE__REGISTERED || (event->desc && !ue__is_runtime(event))) {
		error = -EALREADY; /* a declared one is for ue_register_all() */
	} else if (flags & ~(UE_PERSIST | UE_MULTI_FORMAT)) {
		error = ue__set_error(-EINVAL, spec, "flags are UE_PERSIST and UE_MULTI_FORMAT",
				      "");
	} else if (ue__check_spec(spec, checked, &reason, unknown) < 0) {
		error = ue__set_error(-EINVAL, spec, reason, unknown);
	} else {
		ue__find_unknown(checked, unknown);
		event->level = (uint8_t)level;
		error = ue__register_checked(event, checked, flags, unknown, &probes);
	}
	if (!s->error)
		s->error = before;
	ue__unlock();
	ue__free_retired(probes);
	return error;
}

UE__SETUP_API int ue_event_register(struct ue_event *event, const char *spec, unsigned int flags)
{
	UE__KEEP("X"(ue__register_runtime_copy));
	return ue__register_runtime(event, spec ? spec : "", flags, 0, NULL);
}

UE__SETUP_API int ue_event_unregister(struct ue_event *event)
{
	UE__KEEP("X"(ue__fd_copy), "X"(ue__reset_event_copy), "X"(ue__free_retired_copy));
	struct ue__probe *probes = NULL;
	int error = -ENOENT;

	ue__lock();
	if ((event->probes || ue__state_v1.probes) && ue__probing()) {
		error = -EDEADLK;
	} else {
		if (event->state == UE__REGISTERED) {
			ue__unregister(ue__fd(), event);
			error = 0;
		}
		if (ue__is_runtime(event)) {
			probes = ue__reset_event(event);
			error = 0;
		}
	}
	ue__unlock();
	if (error == 0)
		ue__free_retired(probes);
	return error;
}

UE__SETUP_API int ue_event_set_register(struct ue_event_set *set, const char *provider,
					unsigned int level, uint64_t keyword, const char *group)
{
	UE__KEEP("X"(ue__register_runtime_copy));
	char spec[512];
	int error = ue__set_spec(spec, provider ? provider : "", level, keyword, group);

	return ue__register_runtime(&set->event, spec, 0, level, error < 0 ? UE__SET_RULES : NULL);
}

UE__SETUP_API int ue_event_set_unregister(struct ue_event_set *set)
{
	return ue_event_unregister(&set->event);
}

UE__SETUP_API int ue_event_delete(const char *name)
{
	UE__KEEP("X"(ue__fd_copy), "X"(ue__unlock_copy), "X"(ue__sleep_copy));
	int fd, error, retries = 50;

	ue__lock();
	/* not the fd that registers: the kernel wants another one for this */
	fd = ue__fd();
	if (fd >= 0)
		fd = ue__open_high(ue__state_v1.path ? ue__state_v1.path : UE__USUAL_PATH);
	ue__unlock();
	if (fd < 0)
		return fd;
	/* the kernel removes what was unregistered a moment later */
	while ((error = ue__ioctl(fd, DIAG_IOCSDEL, (void *)(uintptr_t)name)) == -EBUSY &&
	       UE__LOAD(&ue__state_v1.released) && retries-- > 0)
		ue__sleep(&ue__state_v1.released, 1, 1000);
	ue__close(fd);
	return error < 0 ? error : 0;
}

#else /* UE_DISABLE */

UE__DISABLED(-ENOSYS,
	     int ue_event_register(struct ue_event *event, const char *spec, unsigned int flags))
UE__DISABLED(-ENOENT, int ue_event_unregister(struct ue_event *event))
UE__DISABLED(-ENOSYS,
	     int ue_event_set_register(struct ue_event_set *set, const char *provider,
				       unsigned int level, uint64_t keyword, const char *group))
UE__DISABLED(-ENOENT, int ue_event_set_unregister(struct ue_event_set *set))
UE__DISABLED(-ENOSYS, int ue_event_delete(const char *name))

#endif /* UE_DISABLE */
#ifndef UE_DISABLE

/* ---- Start and end of registrations -------------------------------------------------------- */

/* LAST: at the end of the library, when no thread of the program is in it. */
UE__SETUP(void, ue__unregister_all, (bool last))
{
	UE__COPY(ue__unregister_all, "X"(ue__unregister_all_copy), "X"(ue__probing_copy),
		 "X"(ue__fd_copy), "X"(ue__park_copy), "X"(ue__unlock_copy));
	struct ue__state *s = &ue__state_v1;
	struct ue_event *event, *next;
	struct ue__probe *probes = NULL, **end = &probes;
	int fd = -1;

	if (ue__probing())
		return;
	ue__lock();
	if (s->fd || s->reopen_error)
		fd = ue__fd(); /* if the program closed it, there is none to unregister with */
	for (event = ue__next_event(NULL); event; event = next) {
		next = ue__next_event(event);
		if (event->state == UE__REGISTERED)
			ue__unregister(fd, event);
		if (ue__is_runtime(event)) {
			*end = s->reset_own(event);
			while (*end)
				end = &(*end)->next;
		}
	}
	ue__unregister_spare(fd);
	ue__park(last);
	if (last && ue__is_parked())
		ue__close(s->parked - 1);
	ue__unlock();
	if (probes || UE__LOAD(&s->retired))
		s->free_retired(probes);
}

UE__SETUP_API void ue_unregister_all(void)
{
	UE__KEEP("X"(ue__unregister_all_copy));
	ue__unregister_all(false);
}

/* A program's own code is never unloaded: other threads may use its data until the process ends. */
#if defined(__PIC__) && !defined(__PIE__)
#define UE__UNLOADS true
#else
#define UE__UNLOADS false
#endif

/* At exit() and dlclose(): does not wait for running probes. */
UE__SETUP(void, ue__stop, (void))
{
	UE__COPY(ue__stop, "X"(ue__stop_copy), "X"(ue__unregister_all_copy),
		 "X"(ue__update_our_bits_copy), "X"(ue__anyone_reads_copy));
	struct ue__state *s = &ue__state_v1;
	struct ue_event *event;
	struct ue__cells *c, *next;

	if (!s->fd && !s->reopen_error && !s->parked && !s->cells && !s->record && !s->process)
		return; /* no system call of a program that has nothing to end */
	ue__unregister_all(UE__UNLOADS);
	ue__lock();
	__atomic_store_n(&s->probes, (struct ue__probe *)NULL, __ATOMIC_SEQ_CST);
	for (event = ue__next_event(NULL); event; event = ue__next_event(event)) {
		__atomic_store_n(&event->probes, (struct ue__probe *)NULL, __ATOMIC_SEQ_CST);
		ue__update_our_bits(event);
	}
	if (s->cells && !s->record && !ue__anyone_reads()) {
		for (c = s->cells, s->cells = NULL; c; c = next) {
			next = c->next;
			munmap(c, sizeof(*c));
		}
	}
	/* at exit, other threads may be within an event */
	if (UE__UNLOADS && !s->record && s->process && ue__is_alone()) {
		munmap(s->process, sizeof(*s->process));
		s->process = NULL;
	}
	ue__unlock();
}

UE__SETUP_API int ue_use_fd(int fd)
{
	UE__KEEP("X"(ue__next_event_copy), "X"(ue__adopt_copy), "X"(ue__unlock_copy));
	struct ue__state *s = &ue__state_v1;
	struct ue_event *event;
	int mode = fd < 0 ? 0 : ue__fcntl(fd, 3 /* F_GETFL */, 0);
	int error = mode >= 0 && !(mode & 3 /* O_WRONLY, O_RDWR */) ? -EBADF : 0;

	ue__lock();
	for (event = ue__next_event(NULL); event; event = ue__next_event(event)) {
		if (event->state == UE__REGISTERED)
			error = error ? error : -EBUSY;
	}
	if (error == 0 && s->fd != fd + 1) {
		if (s->fd)
			ue__close_ours(s->fd - 1);
		ue__syscall5(UE__FCNTL, fd, 2 /* F_SETFD */, 1 /* FD_CLOEXEC */, 0, 0);
		s->path = NULL;
		fd = ue__adopt(fd);
		error = fd < 0 ? fd : 0;
		UE__STORE(&s->fd, fd < 0 ? 0 : fd + 1);
	}
	ue__unlock();
	return error;
}

/* Before main(), for each event declared in C++. */
UE__SETUP_API bool ue__declare(struct ue_event *event, const struct ue__desc *desc, bool automatic)
{
	UE__KEEP("X"(ue__list_add_copy), "X"(ue__register_declared_copy),
		 "X"(ue__unlock_copy));
	ue__lock();
	event->desc = desc;
	ue__list_add(event);
	if (automatic && (!ue__state_v1.error || ue__state_v1.fd))
		ue__register_declared(event);
	ue__unlock();
	return true;
}

#else /* UE_DISABLE */

UE__DISABLED(-ENOSYS, int ue_register_all(void))

UE__API void ue_unregister_all(void)
{
}

UE__DISABLED(-ENOSYS, int ue_use_fd(int fd))

#endif /* UE_DISABLE */
#ifndef UE_DISABLE

/* ---- Shortening events --------------------------------------------------------------------- */

/*
 * An event that is too large for tracers (UE_MAX_EVENT) is shortened: its strings and arrays are
 * cut to the largest limit with which it fits. Events of UE_TRACE and UE_LOG are packed again with
 * that limit (ue__again()). Of others there are only bytes, which ue__shorten() cuts.
 */

/*
 * How many of SIZE bytes remain if at most MOST may: whole elements, whole UTF-8 characters of
 * TEXT.
 */
UE__SETUP(size_t, ue__whole, (const void *data, size_t size, size_t most, size_t element,
		bool text))
{
	UE__COPY(ue__whole, "X"(ue__whole_copy));
	const unsigned char *p = (const unsigned char *)data;
	unsigned int i;

	if (size <= most)
		return size;
	most -= most % element;
	for (i = 0; text && element == 1 && i < 3 && most > 0 && (p[most] & 0xc0) == 0x80; i++)
		most--;
	return most;
}

/* A definition in the metadata of an EventHeader event. */
struct ue__definition {
	unsigned int kind, members;
	bool constant, variable;
	unsigned char *count; /* of a constant array, 2 bytes */
};
struct ue__definitions {
	unsigned char *p, *end;
};

UE__SETUP(bool, ue__next_definition, (struct ue__definitions *meta, struct ue__definition *d))
{
	UE__COPY(ue__next_definition, "X"(ue__next_definition_copy));
	size_t left = (size_t)(meta->end - meta->p), need;
	unsigned char *p = left ? (unsigned char *)memchr(meta->p, 0, left) : NULL;
	unsigned int encoding, format = 0;

	left -= p ? (size_t)(p - meta->p) + 1 : left;
	if (left == 0)
		return false;
	encoding = *++p;
	if (encoding & UE__ENCODING_MORE && left > 1)
		format = p[1];
	need = (encoding & UE__ENCODING_MORE ? 2u : 1u) + (format & UE__ENCODING_MORE ? 2 : 0);
	d->count = p + need;
	need += encoding & UE__ENCODING_CARRAY ? 2 : 0;
	if (left < need)
		return false;
	meta->p = p + need;
	d->kind = encoding & UE__ENCODING_KINDS;
	d->members = format & ~(unsigned int)UE__ENCODING_MORE;
	d->constant = (encoding & UE__ENCODING_CARRAY) != 0;
	d->variable = (encoding & UE__ENCODING_VARRAY) != 0;
	return d->kind != UE__KIND_NULL && d->kind <= UE__KIND_BINARY &&
	       !(d->constant && d->variable);
}

static UE__ALWAYS_INLINE bool ue__is_value(unsigned int kind)
{
	return kind >= UE__KIND_VALUE8 && kind <= UE__KIND_VALUE128;
}

/* Goes past N definitions and their members. */
UE__SETUP(void, ue__skip_definitions, (struct ue__definitions *meta, size_t n))
{
	UE__COPY(ue__skip_definitions, "X"(ue__skip_definitions_copy),
		 "X"(ue__next_definition_copy));
	struct ue__definition d;
	size_t i;

	for (i = 0; i < n && ue__next_definition(meta, &d); i++)
		n += d.kind == UE__KIND_STRUCT ? d.members : 0;
}

static UE__ALWAYS_INLINE size_t ue__constant_count(size_t count, size_t most, unsigned int log2)
{
	if (count > most >> log2)
		count = most >> log2;
	return count ? count : 1; /* readers take no array of constant length 0 */
}

/*
 * Cuts the counts of constant arrays, which are in the metadata, to MOST bytes. ALL: also those
 * within arrays of structs.
 */
UE__SETUP(void, ue__cut_counts, (struct ue__definitions meta, size_t most, bool all))
{
	UE__COPY(ue__cut_counts, "X"(ue__cut_counts_copy), "X"(ue__skip_definitions_copy));
	struct ue__definition d;
	uint16_t count;

	while (ue__next_definition(&meta, &d)) {
		if (d.kind == UE__KIND_STRUCT && d.variable && !all)
			ue__skip_definitions(&meta, d.members);
		if (!d.constant || !ue__is_value(d.kind))
			continue;
		memcpy(&count, d.count, 2);
		ue__put_u16(d.count, ue__constant_count(count, most, d.kind - UE__KIND_VALUE8));
	}
}

/* The search for a limit. */
struct ue__bound {
	size_t most;	  /* of a string or array; UE__ALL: not yet; UE__TOO_MUCH: no use */
	size_t best, bit; /* what is known to fit, and what is to be decided next */
	bool cut;
};
#define UE__ALL SIZE_MAX
#define UE__TOO_MUCH (SIZE_MAX - 1)
#define UE__FIRST_BIT ((size_t)1 << 19) /* over any string or array */

static UE__ALWAYS_INLINE bool ue__is_large(size_t size)
{
	return UE__UNLIKELY(size - sizeof(uint32_t) > UE_MAX_EVENT);
}

/* ---- Shortening bytes: kernel-typed events ------------------------------------------------- */

/* The data of a loc. */
enum { UE__LOCS = 32 /* no text has more */ };
struct ue__loc {
	size_t at;	     /* of the loc, in the payload */
	size_t begin, size;  /* of its data, without its NUL */
	size_t element, nul; /* bytes */
};

/* An EventHeader event while it is cut, or measured. */
struct ue__cut {
	struct ue__definitions meta; /* that follow */
	unsigned char *p, *end;	     /* payload that follows */
	unsigned char *out;	     /* where it goes to; NULL: it is measured */
	size_t size;		     /* of what is kept */
	size_t most;		     /* bytes of a string or array */
	unsigned int depth;
	bool wrong; /* the payload is not what its metadata says */
};

/*
 * An event that is to be cut: in a mapping of its own, since a signal handler's stack may have no
 * room for it. Where its strings and arrays are is told by the text that registers it.
 */
struct ue__copy {
	size_t payload; /* bytes */
	size_t align;	/* what is cut out is a multiple of it */
	size_t data;	/* of an EventHeader event, where its metadata ends */
	int locs;	/* of a kernel-typed event; -1: their data is not where it should be */
	struct ue__loc loc[UE__LOCS];
	struct ue__cut cut;
	char spec[512];
	unsigned char bytes[4]; /* the index; the payload follows */
};

/*
 * Finds the locs of a kernel-typed event. Returns their number, or -1 if their data is not there in
 * order.
 */
UE__SETUP(int, ue__find_locs, (struct ue__copy *copy))
{
	UE__COPY(ue__find_locs, "X"(ue__find_locs_copy), "X"(ue__split_field_copy),
		 "X"(ue__size_of_field_copy));
	const unsigned char *payload = copy->bytes + 4;
	const char *p = copy->spec + strcspn(copy->spec, " "), *type;
	size_t at = 0, end = 0, size;
	struct ue__field_words f;
	uint32_t word;
	int count = 0;

	for (; *p; p += *p == ';') {
		struct ue__loc *l = &copy->loc[count];
		bool relative;

		p = ue__split_field(p, &f);
		size = ue__size_of_field(&f);
		if (size == 0)
			return -1;
		at += size;
		relative = strncmp(f.word[0], "__rel_loc ", 10) == 0;
		if (!relative && strncmp(f.word[0], "__data_loc ", 11) != 0)
			continue;
		if (count++ == UE__LOCS || at > copy->payload)
			return -1;
		l->at = at - 4;
		memcpy(&word, payload + l->at, 4);
		/* the one counts from behind the loc, the other from the begin of a record */
		l->begin = (word & 0xffff) + (relative ? at : 0);
		if (!relative && l->begin < 8)
			return -1;
		l->begin -= relative ? 0 : 8;
		l->size = word >> 16;
		if (l->begin < end || l->begin + l->size > copy->payload)
			return -1;
		end = l->begin + l->size;
		type = f.word[1];
		l->element = ue__size_of_type(type, strcspn(type, "[;"));
		l->element += l->element == 0;
		l->nul = l->size && !payload[end - 1] &&
			 (strncmp(type, "char", 4) == 0 || strncmp(type, "unsigned char", 13) == 0);
		l->size -= l->nul;
	}
	return count == 0 || copy->loc[0].begin >= at ? count : -1;
}

/* Cuts a kernel-typed event, or measures what would be left. */
UE__SETUP(size_t, ue__cut_locs, (struct ue__copy *copy, size_t most, bool measure))
{
	UE__COPY(ue__cut_locs, "X"(ue__cut_locs_copy), "X"(ue__whole_copy));
	unsigned char *p = copy->bytes + 4;
	size_t gone = 0, done = 0;
	int i;

	for (i = 0; i < copy->locs; i++) {
		const struct ue__loc *l = &copy->loc[i];
		size_t cut = l->size - ue__whole(p + l->begin, l->size, most, l->element, l->nul),
		       kept;
		uint32_t word;

		cut = (cut + copy->align - 1) / copy->align * copy->align;
		if (cut > l->size)
			cut -= copy->align;
		kept = l->begin + l->size - cut;
		if (!measure) {
			memcpy(&word, p + l->at, 4);
			word -= (uint32_t)(cut << 16 | gone);
			memcpy(p + l->at, &word, 4);
			memmove(p + done - gone, p + done, kept - done);
		}
		done = kept + cut;
		gone += cut;
	}
	if (!measure)
		memmove(p + done - gone, p + done, copy->payload - done);
	return copy->payload - gone;
}

/* ---- Shortening bytes: EventHeader events -------------------------------------------------- */

UE__SETUP(void, ue__copy_bytes, (struct ue__cut *c, size_t n))
{
	UE__COPY(ue__copy_bytes, "X"(ue__copy_bytes_copy));
	if (n > (size_t)(c->end - c->p)) {
		c->wrong = true;
		return;
	}
	if (c->out) {
		memmove(c->out, c->p, n);
		c->out += n;
	}
	c->p += n;
	c->size += n;
}

/* A count of 16 bits in the payload. */
UE__SETUP(size_t, ue__copy_count, (struct ue__cut *c))
{
	UE__COPY(ue__copy_count, "X"(ue__copy_count_copy), "X"(ue__copy_bytes_copy));
	uint16_t count = 0;

	if (c->end - c->p >= 2)
		memcpy(&count, c->p, 2);
	ue__copy_bytes(c, 2);
	return count;
}

/* Copies KEPT of SIZE bytes, and sets the count at COUNT, if there is one, to UNITS. */
UE__SETUP(void, ue__copy_some, (struct ue__cut *c, size_t size, size_t kept, unsigned char *count,
			     size_t units))
{
	UE__COPY(ue__copy_some, "X"(ue__copy_some_copy), "X"(ue__copy_bytes_copy));
	if (size > (size_t)(c->end - c->p)) {
		c->wrong = true;
		return;
	}
	if (count)
		ue__put_u16(count, units);
	ue__copy_bytes(c, kept);
	c->p += size - kept;
}

/* A string: up to a zero unit, or counted. */
UE__SETUP(void, ue__cut_string, (struct ue__cut *c, unsigned int kind))
{
	UE__COPY(ue__cut_string, "X"(ue__cut_string_copy), "X"(ue__copy_count_copy),
		 "X"(ue__units_copy), "X"(ue__whole_copy), "X"(ue__copy_some_copy));
	bool counted = kind >= UE__KIND_STRING8, text = kind != UE__KIND_BINARY;
	size_t unit = text ? (size_t)1 << (kind - UE__KIND_ZSTRING8) % 3 : 1, n = 0, left, kept;
	unsigned char *count = c->out;

	if (counted)
		n = ue__copy_count(c) * unit;
	left = (size_t)(c->end - c->p);
	if (!counted && unit == 1)
		n = ue__units(c->p, 0, left);
	else if (!counted)
		while (n + unit <= left && memcmp(c->p + n, "\0\0\0", unit) != 0)
			n += unit;
	if (n > left) {
		c->wrong = true;
		return;
	}
	kept = ue__whole(c->p, n, c->most, unit, text);
	ue__copy_some(c, n, kept, counted ? count : NULL, kept / unit);
	if (!counted)
		ue__copy_bytes(c, unit);
}

UE__SETUP(void, ue__cut_fields, (struct ue__cut *c, size_t n));

/* An array of strings or structs: its first element, and those behind it that fit whole. */
UE__SETUP(void, ue__cut_elements, (struct ue__cut *c, const struct ue__definition *d, size_t count))
{
	UE__COPY(ue__cut_elements, "X"(ue__cut_elements_copy), "X"(ue__cut_fields_copy),
		 "X"(ue__cut_string_copy), "X"(ue__skip_definitions_copy));
	struct ue__definitions meta = c->meta;
	unsigned char *at = c->out ? c->out - 2 : NULL;
	size_t i, used = 0, kept = 0;
	bool full = false;

	c->depth++;
	c->wrong |= c->depth > 8;
	for (i = 0; i < count && !c->wrong; i++) {
		struct ue__cut before = *c;
		int pass;

		/* whether an element fits is known only once it is measured */
		for (pass = 0; pass < (full || !before.out ? 1 : 2); pass++) {
			*c = before;
			c->out = pass ? before.out : NULL;
			c->meta = meta;
			if (d->kind == UE__KIND_STRUCT)
				ue__cut_fields(c, d->members);
			else
				ue__cut_string(c, d->kind);
			full |= i && !d->constant && used + (c->size - before.size) > c->most;
		}
		if (full) {
			c->size = before.size;
			c->out = before.out;
		} else {
			used += c->size - before.size;
			kept++;
		}
	}
	c->depth--;
	if (at && d->variable)
		ue__put_u16(at, kept);
	c->meta = meta;
	if (d->kind == UE__KIND_STRUCT)
		ue__skip_definitions(&c->meta, d->members);
}

/* An array of scalars, or one. */
UE__SETUP(void, ue__cut_values, (struct ue__cut *c, const struct ue__definition *d, size_t count))
{
	UE__COPY(ue__cut_values, "X"(ue__cut_values_copy), "X"(ue__copy_some_copy));
	unsigned int log2 = d->kind - UE__KIND_VALUE8;
	size_t kept = count;

	if (d->constant)
		kept = ue__constant_count(count, c->most, log2);
	else if (d->variable && count > c->most >> log2)
		kept = c->most >> log2;
	ue__copy_some(c, count << log2, kept << log2, c->out && d->variable ? c->out - 2 : NULL,
		      kept);
}

/* N fields of one struct, or of the event. */
UE__SETUP(void, ue__cut_fields, (struct ue__cut *c, size_t n))
{
	UE__COPY(ue__cut_fields, "X"(ue__cut_fields_copy), "X"(ue__cut_values_copy),
		 "X"(ue__cut_elements_copy));
	struct ue__definition d;
	uint16_t constant = 1;
	size_t i, count;

	for (i = 0; i < n && c->meta.p < c->meta.end && !c->wrong; i++) {
		if (!ue__next_definition(&c->meta, &d)) {
			c->wrong = true;
			return;
		}
		if (d.constant)
			memcpy(&constant, d.count, 2);
		count = d.variable ? ue__copy_count(c) : d.constant ? constant : 1;
		if (ue__is_value(d.kind))
			ue__cut_values(c, &d, count);
		else if (d.constant || d.variable)
			ue__cut_elements(c, &d, count);
		else if (d.kind == UE__KIND_STRUCT)
			n += d.members;
		else
			ue__cut_string(c, d.kind);
	}
}

/* Finds the metadata of an EventHeader event. False if it has none that this can read. */
UE__SETUP(bool, ue__find_metadata, (struct ue__copy *copy))
{
	UE__COPY(ue__find_metadata, "X"(ue__find_metadata_copy));
	struct ue__definitions *meta = &copy->cut.meta;
	unsigned char *p = copy->bytes + 4, *name;
	size_t at = 8;
	uint16_t block[2];

	if (copy->payload < at || p[0] != UE__HEADER_FLAGS)
		return false;
	do {
		if (copy->payload - at < sizeof(block))
			return false;
		memcpy(block, p + at, sizeof(block));
		at += sizeof(block);
		if (copy->payload - at < block[0])
			return false;
		if ((block[1] & UE__EXTENSION_KINDS) == UE__EXTENSION_METADATA) {
			meta->p = p + at;
			meta->end = p + at + block[0];
		}
		at += block[0];
	} while (block[1] & UE__EXTENSION_MORE);
	copy->data = at;
	if (!meta->p || meta->p == meta->end)
		return false;
	name = (unsigned char *)memchr(meta->p, 0, (size_t)(meta->end - meta->p));
	if (!name)
		return false;
	meta->p = name + 1;
	return true;
}

/* As ue__cut_locs(), of an EventHeader event; 0 if it is not understood. */
UE__SETUP(size_t, ue__cut_log, (struct ue__copy *copy, size_t most, bool measure))
{
	UE__COPY(ue__cut_log, "X"(ue__cut_log_copy), "X"(ue__cut_fields_copy),
		 "X"(ue__cut_counts_copy));
	struct ue__cut c = copy->cut;

	c.most = most;
	c.p = copy->bytes + 4 + copy->data;
	c.out = measure ? NULL : c.p;
	c.end = copy->bytes + 4 + copy->payload;
	ue__cut_fields(&c, 65536);
	if (!c.wrong)
		ue__copy_bytes(&c, (size_t)(c.end - c.p));
	if (!measure)
		ue__cut_counts(copy->cut.meta, most, true);
	return c.wrong ? 0 : copy->data + c.size;
}

/* ---- Shortening bytes ---------------------------------------------------------------------- */

/* Makes an event of at most UE_MAX_EVENT bytes of the copy. False if that cannot be. */
UE__SETUP(bool, ue__shorten, (struct ue__copy *copy, const struct ue_event *event))
{
	UE__COPY(ue__shorten, "X"(ue__shorten_copy), "X"(ue__cut_locs_copy),
		 "X"(ue__spec_copy), "X"(ue__cut_log_copy), "X"(ue__find_metadata_copy),
		 "X"(ue__find_locs_copy));
	size_t (*cut)(struct ue__copy * copy, size_t most, bool measure) = ue__cut_locs;
	size_t most = 0, bit, size;

	if (ue__spec(event, copy->spec) < 0)
		return false;
	if (strcmp(copy->spec + strcspn(copy->spec, " "), " " UE__SET_FIELDS) == 0) {
		cut = ue__cut_log;
		if (!ue__find_metadata(copy))
			return false;
	} else {
		copy->locs = ue__find_locs(copy);
		copy->align = event->desc->variant == UE__DESC_CALLBACKS ? 8 : 1;
	}
	size = cut(copy, 0, true);
	if (copy->locs < 0 || size == 0 || size > UE_MAX_EVENT)
		return false;
	for (bit = (size_t)1 << (sizeof(bit) * 8 - 1); bit; bit >>= 1) {
		if ((most | bit) <= UE_MAX_EVENT && cut(copy, most | bit, true) <= UE_MAX_EVENT)
			most |= bit;
	}
	copy->payload = cut(copy, most, false);
	return true;
}

/* ---- Writing bytes ------------------------------------------------------------------------- */

/* Where declared events are written to. */
static UE__ALWAYS_INLINE int ue__data_fd(void)
{
	return UE__LOAD(&ue__state_v1.fd) - 1;
}

static UE__ALWAYS_INLINE bool ue__should_retry(size_t misses)
{
	return (misses < 32 ? misses & (misses - 1) : misses % 32) == 0;
}

/*
 * Did the last tracer leave between the test and the write? The kernel clears the bit some
 * microseconds after it stops to take events. So a sandbox that allows write() alone sees no other
 * system call while tracers come and go.
 */
UE__SETUP(bool, ue__tracer_has_left, (const struct ue_event *event))
{
	UE__COPY(ue__tracer_has_left, "X"(ue__tracer_has_left_copy));
	unsigned int reads = 100000; /* at most 0.1 ms: a thread of real time is not held up */

	while (UE__LOAD(&event->enabled) & (UE__KERNEL_BIT | UE__OWN_BIT)) {
		if (reads-- == 0)
			return false;
	}
	return true;
}

/*
 * The kernel refused the write. -EBADF means that the last tracer left since the test, or that the
 * program closed the fd, which is then opened again, also in a signal handler. It never waits for
 * the lock. If the open fails, it is repeated after 1, 2, 4, 8, 16 and each 32 lost events.
 */
UE__SETUP(int, ue__write_failed, (const struct ue_event *event, long n))
{
	UE__COPY(ue__write_failed, "X"(ue__write_failed_copy),
		 "X"(ue__tracer_has_left_copy), "X"(ue__reopen_copy), "X"(ue__unlock_copy));
	struct ue__state *s = &ue__state_v1;
	bool lost = n == -ENOENT; /* another thread registers it again, or has just done so */
	bool gone;

	if (n != -EBADF && n != -ENOENT) {
		UE__INCREMENT(&s->failed);
		return (int)n;
	}
	if (!lost && UE__LOAD(&s->fd) && ue__tracer_has_left(event))
		return 0;
	if (ue__try_lock()) {
		gone = s->reopen_error || (s->fd && !ue__is_ours(s->fd - 1));
		if (gone && ue__should_retry(s->misses))
			ue__reopen();
		s->misses += s->reopen_error != 0;
		ue__unlock();
		lost |= gone;
	} else if (!lost) {
		lost = ue__fcntl(ue__data_fd(), 1 /* F_GETFD */, 0) == -EBADF;
	}
	if (lost)
		UE__INCREMENT(&s->lost);
	return 0;
}

/* The same of a run-time event, whose file has FD. Within a section that reads it. */
UE__SETUP(int, ue__write_failed_own, (struct ue_event *event, int fd))
{
	UE__COPY(ue__write_failed_own, "X"(ue__write_failed_own_copy),
		 "X"(ue__tracer_has_left_copy), "X"(ue__reopen_own_copy), "X"(ue__unlock_copy));
	struct ue__state *s = &ue__state_v1;
	bool lost = fd == UE__CLOSED;

	if (!lost && ue__tracer_has_left(event))
		return 0;
	if (ue__try_lock()) {
		lost = lost || !ue__is_ours(fd - 1);
		if (lost && event->desc && ue__should_retry(s->misses))
			ue__reopen_own(event);
		else
			s->misses += lost;
		ue__unlock();
	} else if (!lost) {
		lost = ue__fcntl(fd - 1, 1 /* F_GETFD */, 0) == -EBADF;
	}
	if (lost)
		UE__INCREMENT(&s->lost);
	return 0;
}

/* Counts what came of a write that returned N. */
static UE__ALWAYS_INLINE int ue__count_write(const struct ue_event *event, long n)
{
	UE__KEEP("X"(ue__write_failed_copy));
	return UE__UNLIKELY(n < 0) ? ue__write_failed(event, n) : 0;
}

/*
 * A run-time event. When it is unregistered, its file is closed, and another file may get the
 * number: a section prevents that. The index belongs to the file, so both are read from one
 * struct.
 */
UE__ONCE(long, ue__write_runtime, (struct ue_event *event, const struct ue__iovec *iov, int count))
{
	UE__COPY(ue__write_runtime, "X"(ue__write_runtime_copy),
		 "X"(ue__write_failed_own_copy));
	const struct ue__desc *d;
	struct ue__section section;
	struct ue__runtime *r;
	uint32_t index;
	long n = 0;
	int fd;

	if (!ue__enter(&section, UE__READS))
		return -EAGAIN;
	d = __atomic_load_n(&event->desc, __ATOMIC_SEQ_CST);
	r = d && d->variant == UE__DESC_TEXT ? ue__runtime_of(d) : NULL;
	fd = r ? __atomic_load_n(&r->fd, __ATOMIC_ACQUIRE) : UE__NO_FILE;
	if (fd != UE__NO_FILE) {
		index = UE__LOAD(&r->index);
		if (memcmp(iov->iov_base, &index, sizeof(index)) != 0)
			memcpy(iov->iov_base, &index, sizeof(index));
		if (fd == UE__CLOSED)
			n = -EBADF;
		else
			n = ue__write(fd == UE__COMMON_FILE ? ue__data_fd() : fd - 1, iov, count);
	}
	if (UE__UNLIKELY(n == -EBADF) && fd != UE__COMMON_FILE)
		n = ue__write_failed_own(event, fd);
	ue__leave(&section);
	return n;
}

/* To the kernel, if it still listens. */
UE__ONCE(long, ue__write_enabled, (struct ue_event *event, uint32_t enabled,
				const struct ue__iovec *iov, int count))
{
	UE__COPY(ue__write_enabled, "X"(ue__write_enabled_copy));
	uint32_t index;

	memcpy(&index, iov->iov_base, sizeof(index));
	if (enabled & UE__OWN_BIT)
		return __atomic_load_n(&ue__state_v1.write_own, __ATOMIC_ACQUIRE)(event, iov,
										  count);
	if ((enabled & UE__KERNEL_BIT) && index != UE__NO_INDEX - 1)
		return ue__write(ue__data_fd(), iov, count);
	return 0;
}

/*
 * rt_sigprocmask() reads a set of signals before it refuses to do what is none of its three
 * things. A set at address 0 would be none: the next one of the page is asked for.
 */
UE__COLD(bool, ue__is_readable, (const void *p, size_t size))
{
	UE__COPY(ue__is_readable, "X"(ue__is_readable_copy), "X"(ue__syscall5_copy));
	uintptr_t at = (uintptr_t)p & ~(uintptr_t)(UE__SIGNAL_BYTES - 1);
	uintptr_t end = (uintptr_t)p + size;

	if (size == 0)
		return true;
	if (end < at)
		return false;
	for (; at < end; at = (at | 4095) + 1) /* no page is smaller */
		if (ue__syscall5(__NR_rt_sigprocmask, -1, (long)(at | UE__SIGNAL_BYTES), 0,
				 UE__SIGNAL_BYTES, 0) == -EFAULT)
			return false;
	return true;
}

#define UE__MOST_COPIED ((size_t)1 << 20) /* of an event that is to be cut */

/* The same of an event that no tracer would take: what fits of it. */
UE__COLD(long, ue__write_large, (struct ue_event *event, uint32_t enabled,
		const struct ue__iovec *iov,
			      int count))
{
	UE__COPY(ue__write_large, "X"(ue__write_large_copy), "X"(ue__map_copy),
		 "X"(ue__shorten_copy), "X"(ue__write_enabled_copy));
	size_t room = sizeof(struct ue__copy);
	struct ue__section section;
	struct ue__iovec one;
	struct ue__copy *copy;
	bool shortened = false;
	long n;
	int i;

	for (i = 0; i < count; i++)
		room += iov[i].iov_len;
	copy = room <= UE__MOST_COPIED ? (struct ue__copy *)ue__map(room) : NULL;
	/* the text of a run-time event may be gone by the time that it is read */
	if (copy && (!(enabled & UE__OWN_BIT) || ue__enter(&section, UE__READS))) {
		for (i = 0; i < count; i++) {
			if (iov[i].iov_len)
				memcpy(copy->bytes + copy->payload, iov[i].iov_base,
				       iov[i].iov_len);
			copy->payload += iov[i].iov_len;
		}
		copy->payload -= sizeof(uint32_t);
		shortened = ue__shorten(copy, event);
		if (enabled & UE__OWN_BIT)
			ue__leave(&section);
	}
	UE__INCREMENT(shortened ? &ue__state_v1.cut : &ue__state_v1.large);
	if (shortened) {
		one.iov_base = copy->bytes;
		one.iov_len = sizeof(uint32_t) + copy->payload;
		iov = &one;
		count = 1;
	}
	n = ue__write_enabled(event, enabled, iov, count);
	if (copy)
		munmap(copy, room);
	return n;
}

/*
 * An event with probes; also one that nobody listens to any more. TO_KERNEL is one of the
 * two above, or NULL.
 */
UE__COLD(int, ue__send_probed, (struct ue_event *event, const struct ue__iovec *iov, int count,
			     size_t size,
			     long (*to_kernel)(struct ue_event *event, uint32_t enabled,
					       const struct ue__iovec *iov, int count)))
{
	UE__COPY(ue__send_probed, "X"(ue__send_probed_copy));
	void (*record)(struct ue_event * event, const void *bytes, size_t size);
	void (*run)(struct ue_event * event, const struct ue__iovec *iov, int count);
	uint32_t enabled = UE__LOAD(&event->enabled);
	long n = 0;

	record = __atomic_load_n(&ue__state_v1.record, __ATOMIC_ACQUIRE);
	if ((enabled & UE__RECORD_BIT) && record) {
		if (count == 1)
			record(event, iov->iov_base, size);
		else
			record(event, iov, -(size_t)count);
	}
	if (to_kernel && (enabled & (UE__KERNEL_BIT | UE__OWN_BIT)))
		n = to_kernel(event, enabled, iov, count);
	run = __atomic_load_n(&ue__state_v1.run, __ATOMIC_ACQUIRE);
	if ((enabled & UE__PROBE_BIT) && run)
		run(event, iov, count);
	return ue__count_write(event, n);
}

/* Sends a packed event. SIZE is that of all segments, index included. */
static UE__ALWAYS_INLINE int ue__send(struct ue_event *event, const struct ue__iovec *iov,
				      int count, size_t size)
{
	UE__KEEP("X"(ue__send_probed_copy), "X"(ue__write_enabled_copy));
	if (UE__UNLIKELY(UE__LOAD(&event->enabled) != UE__KERNEL_BIT))
		return ue__send_probed(event, iov, count, size, ue__write_enabled);
	return ue__count_write(event, ue__write(ue__data_fd(), iov, count));
}

/* The same of what may be too large. */
static inline int ue__send_any(struct ue_event *event, const struct ue__iovec *iov, int count,
			       size_t size)
{
	UE__KEEP("X"(ue__is_readable_copy), "X"(ue__send_probed_copy),
		 "X"(ue__write_large_copy));
	int i;

	if (ue__is_large(size)) {
		/* it is copied, by a recorder, too, which must not end the program */
		for (i = 0; i < count; i++)
			if (!ue__is_readable(iov[i].iov_base, iov[i].iov_len))
				return ue__count_write(event, -EFAULT);
		return ue__send_probed(event, iov, count, size, ue__write_large);
	}
	return ue__send(event, iov, count, size);
}

UE__API int ue_event_writev(struct ue_event *event, const struct iovec *iov, int count)
{
	const struct ue__iovec *segments = (const struct ue__iovec *)(const void *)iov;
	uint32_t index = UE__LOAD(&event->index);
	struct ue__iovec *all;
	size_t size = sizeof(index);
	int i;

	if (index == 0 || !ue_event_enabled(event))
		return 0;
	if (count < 0 || count > 1023)
		return -EINVAL;
	index--;
	all = (struct ue__iovec *)__builtin_alloca(((size_t)count + 1) * sizeof(*all));
	all[0].iov_base = &index;
	all[0].iov_len = sizeof(index);
	for (i = 0; i < count; i++) {
		if (segments[i].iov_len > INT32_MAX - size)
			return -EINVAL;
		all[i + 1] = segments[i];
		size += segments[i].iov_len;
	}
	return ue__send_any(event, all, count + 1, size);
}

UE__API int ue_event_write(struct ue_event *event, const void *payload, size_t size)
{
	struct ue__iovec iov;
	const void *segments = &iov;

	if (size > UE_INLINE_BYTES) {
		iov.iov_base = (void *)(uintptr_t)payload;
		iov.iov_len = size;
		return ue_event_writev(event, (const struct iovec *)segments, 1);
	} else {
		/* one segment is cheaper than two */
		unsigned char buffer[4 + UE_INLINE_BYTES];
		uint32_t index = UE__LOAD(&event->index);

		if (index == 0 || !ue_event_enabled(event))
			return 0;
		index--;
		memcpy(buffer, &index, 4);
		if (size)
			memcpy(buffer + 4, payload, size);
		iov.iov_base = buffer;
		iov.iov_len = 4 + size;
		return ue__send(event, &iov, 1, iov.iov_len);
	}
}

#else /* UE_DISABLE */

UE__DISABLED(0, int ue_event_write(struct ue_event *event, const void *payload, size_t size))
UE__DISABLED(0, int ue_event_writev(struct ue_event *event, const struct iovec *iov, int count))

#endif /* UE_DISABLE */
#ifndef UE_DISABLE

/* ---- Diagnostics --------------------------------------------------------------------------- */

UE__SETUP_API struct ue_status ue_status(void)
{
	UE__KEEP("X"(ue__fd_copy), "X"(ue__explain_copy), "X"(ue__unlock_copy));
	struct ue__state *s = &ue__state_v1;
	struct ue_status status;
	struct ue_event *event;
	struct ue__text t;

	memset(&status, 0, sizeof(status));
	ue__lock();
	if (s->fd || s->reopen_error)
		ue__fd(); /* the program may have closed it */
	status.fd = s->fd - 1;
	t = ue__text_in(status.path, sizeof(status.path));
	if (s->fd && s->path)
		ue__put(&t, s->path);
	for (event = ue__next_event(NULL); event; event = ue__next_event(event)) {
		unsigned int registered = event->state == UE__REGISTERED;

		if (ue__is_runtime(event)) {
			s->reopen_own(event);
			status.runtime += registered;
		} else if (event->desc && event->desc->variant != UE__DESC_PROBE) {
			status.declared++;
			status.registered += registered;
		}
		status.multi += event->multi;
	}
	status.cut = UE__LOAD(&s->cut);
	status.failed = UE__LOAD(&s->failed);
	status.large = UE__LOAD(&s->large);
	status.unprobed = UE__LOAD(&s->unprobed);
	status.lost = UE__LOAD(&s->lost);
	status.error = s->error;
	t = ue__text_in(status.message, sizeof(status.message));
	if (s->reopen_error) {
		status.error = -EBADF;
		ue__put(&t, "the program closed the fd of user_events_data, which cannot be opened "
			    "again: ");
		ue__put(&t, ue__explain(s->reopen_error, UE__OPENING));
	} else {
		ue__put(&t, s->error ? s->message : ue__explain(0, UE__ANY_CALL));
	}
	ue__unlock();
	return status;
}

#else /* UE_DISABLE */

UE__API struct ue_status ue_status(void)
{
	struct ue_status status;

	memset(&status, 0, sizeof(status));
	status.fd = -1;
	status.error = -ENOSYS;
	memcpy(status.message, "compiled out by UE_DISABLE", 27);
	return status;
}

#endif /* UE_DISABLE */
#ifndef UE_DISABLE

/* ---- What a declaration leaves for the linker and the loader ------------------------------- */

/*
 * In C an event is in a section of its own, over which ue__start() walks. It is called by the
 * entry below, which is in the file only if something refers to it, as each
 * event does: a file that includes this header and declares no event gets no code.
 * In C++, where GCC ignores sections in templates, each event is declared by an initialiser. With
 * clang those of UE_TRACE are in the section, too, but for libraries.
 */
#if defined(UE_NO_AUTO_REGISTER)
#define UE__KEEP_START ((void)0)
#define UE__KEEP_STOP ((void)0)
#else
#if defined(__clang__)
#define UE__NO_ASAN __attribute__((__no_sanitize__("address")))
#else
#define UE__NO_ASAN
#endif
#ifdef UE_SHARED /* other files have the events */
#define UE__KEPT __attribute__((__used__))
#else
#define UE__KEPT UE__UNUSED
#endif
/*
 * An entry in the loader's list that calls NAME, which is in the file if NAME_keep() is. GCC keeps
 * each variable of a file at -O0, but not those of functions that nobody calls.
 */
#ifdef UE__LAZY_COPY
#define UE__ENTRY_OF(list, name)                                              \
	static UE__ALWAYS_INLINE UE__UNUSED void name##_keep(void)            \
	{                                                                     \
		static void (*entry)(void) __attribute__((__section__(list))) \
		UE__KEPT UE__NO_ASAN = name;                                  \
		__asm__ volatile("" : : "X"(&entry), "X"(name##_copy));       \
	}
#define UE__KEEP_ENTRY(name) name##_keep()
#else
#define UE__ENTRY_OF(list, name)                                             \
	static void (*name##_entry)(void) __attribute__((__section__(list))) \
	UE__KEPT UE__NO_ASAN = name;
#define UE__KEEP_ENTRY(name) __asm__ volatile("" : : "X"(&name##_entry))
#endif
UE__ENTRY_OF(".fini_array.00101", ue__stop)
#define UE__KEEP_STOP UE__KEEP_ENTRY(ue__stop)
#if defined(__cplusplus) && !defined(__clang__) && !defined(UE_SHARED)
#define UE__KEEP_START ((void)0)
#else
/* Before main(), for events in the section: a walk over it, once. */
UE__SETUP(void, ue__start, (void))
{
	UE__COPY(ue__start, "X"(ue__start_copy), "X"(ue__register_all_copy),
		 "X"(ue__unlock_copy));
	UE__KEEP_STOP;
	ue__lock();
	if (!ue__state_v1.tried)
		ue__register_all();
	ue__unlock();
}

UE__ENTRY_OF(".init_array.00101", ue__start)
#define UE__KEEP_START UE__KEEP_ENTRY(ue__start)
#endif
#endif

UE__FN void ue__keep_entries(void)
{
	UE__KEEP_START;
	UE__KEEP_STOP;
}

/* Called first by a site: compilers move the code that leads to a cold function out of the way. */
UE__API UE__NOINLINE __attribute__((__cold__)) void ue__cold(void)
{
	UE__KEEP_START;
}

/* ---- Header and metadata of an event ------------------------------------------------------- */

/* A pointer's bytes, zeros for NULL. */
static UE__ALWAYS_INLINE unsigned char *ue__put_fixed(unsigned char *p, const void *data, size_t n)
{
	if (data)
		memcpy(p, data, n);
	else
		memset(p, 0, n);
	return p + n;
}

/* Header and metadata block of an EventHeader event without an activity. */
static UE__ALWAYS_INLINE unsigned char *ue__put_meta(unsigned char *p, const struct ue_event *event,
						     const struct ue__desc *d)
{
	const unsigned char *meta = (const unsigned char *)(ue__types(d) + d->types + 1);
	size_t n = d->meta, i;

	/*
	 * memcpy() of at least 8 bytes, the header, without the call; some bytes are copied twice
	 */
	if (UE__UNLIKELY(n < 16)) {
		memcpy(p, meta, 8);
		memcpy(p + n - 8, meta + n - 8, 8);
	} else {
		for (i = 16; i < n; i += 16) {
			memcpy(p + i - 16, meta + i - 16, 16);
			__asm__("" : "+r"(i)); /* else GCC makes it a call */
		}
		memcpy(p + n - 16, meta + n - 16, 16);
	}
	p[7] = event->level;
	return p + n;
}

/*
 * Index, and of an EventHeader event the header, activity and metadata blocks. TYPE and V move
 * behind the activity.
 */
static UE__ALWAYS_INLINE unsigned char *ue__put_head(unsigned char *p, uint32_t index,
						     struct ue_event *event,
						     const struct ue__desc *d,
						     const uint32_t **type, const uint64_t **v)
{
	const unsigned char *meta = (const unsigned char *)(*type + d->types + 1);

	memcpy(p, &index, 4);
	p += 4;
	if (d->variant == UE__DESC_KERNEL)
		return p;
	if (UE__SHAPE_OF(**type) == UE__SHAPE_ACTIVITY) {
		const void *id = (const void *)(uintptr_t)(*v)[0];
		const void *related = (const void *)(uintptr_t)(*v)[1];

		*type += 1;
		*v += 2;
		/* hides constants from GCC, which would warn that they are no addresses */
		__asm__("" : "+r"(id), "+r"(related));
		if (id) {
			unsigned char *extension = p + 8;

			memcpy(p, meta, 8);
			p[7] = event->level;
			p = ue__put_activity(extension, id, related);
			return (unsigned char *)memcpy(p, meta + 8, d->meta - 8u) + d->meta - 8;
		}
	}
	return ue__put_meta(p, event, d);
}

/* ---- Data of dynamic size ------------------------------------------------------------------ */

/*
 * Puts an array of strings. Returns how many whole ones its segments and MOST bytes had room for.
 */
UE__FN UE__PLAIN size_t ue__put_strings(struct ue__out *o, const void *strings, size_t count,
					unsigned int log2, size_t most)
{
	UE__KEEP("X"(ue__units_copy), "X"(ue__put_data_copy));
	const void *const *s = (const void *const *)strings;
	int limit = o->count + 2 * UE__STRING_PAIRS - 2;
	size_t i;

	for (i = 0; i < count; i++) {
		const void *string = s[i] ? s[i] : "\0\0\0";
		size_t size = ue__units(string, log2, 65536) + 1;

		if (size > 65536 || ((size << log2) > o->room && o->count > limit) ||
		    size << log2 > most)
			break;
		most -= size << log2;
		ue__put_data(o, string, size << log2);
	}
	return i;
}

/* What a field of dynamic size points to. */
struct ue__data {
	const void *p;
	size_t count;	 /* elements, strings without their zero unit */
	bool terminated; /* is a zero unit in memory behind them */
};

/* Limits the data of an event that is packed again to MOST bytes. */
UE__SETUP(void, ue__limit_data, (struct ue__data *data, uint32_t t, size_t most))
{
	UE__COPY(ue__limit_data, "X"(ue__limit_data_copy), "X"(ue__whole_copy));
	unsigned int log2 = UE__LOG2_OF(t);
	size_t count = data->count;

	if (UE__SHAPE_OF(t) == UE__SHAPE_ZSTRING && UE__IS_ARRAY(t))
		return; /* for ue__put_strings() */
	if (UE__ROW_OF(t) == UE__ROW_STRUCT)
		count = most / UE__LENGTH_OF(t);
	else if (t & UE__T_CARRAY)
		count = ue__constant_count(count, most, log2);
	else
		count = ue__whole(data->p, count << log2, most, (size_t)1 << log2,
				  UE__IS_CHAR(t)) >>
			log2;
	if (count < data->count) {
		data->count = count;
		data->terminated = false;
	}
}

UE__ONCE(const uint64_t *, ue__get_data, (struct ue__data *data, uint32_t t, const uint64_t *v,
				      struct ue__bound *limit))
{
	UE__COPY(ue__get_data, "X"(ue__get_data_copy), "X"(ue__units_copy),
		 "X"(ue__limit_data_copy));
	data->p = (const void *)(uintptr_t)*v++;
	data->terminated = false;
	if (t & UE__T_SPAN) {
		data->count = ((const struct ue__span *)data->p)->count;
		data->p = ((const struct ue__span *)data->p)->data;
	} else if (UE__SHAPE_OF(t) == UE__SHAPE_ZSTRING && !UE__IS_ARRAY(t)) {
		size_t most = t & UE__T_BOUNDED ? UE__LENGTH_OF(t) : 65535;
		unsigned int log2 = UE__LOG2_OF(t);

		data->count = data->p ? ue__units(data->p, log2, most) : 0;
		data->terminated = data->p && data->count < most;
		if (UE__UNLIKELY(data->count == 65535) && !(t & UE__T_BOUNDED))
			limit->cut |= ue__is_longer(data->p, log2);
	} else if (t & UE__T_CARRAY) {
		data->count = UE__LENGTH_OF(t);
		limit->cut |= (t & UE__T_BOUNDED) != 0;
	} else {
		data->count = (size_t)*v++;
	}
	if (!data->p && !(t & UE__T_CARRAY))
		data->count = 0;
	/* a negative length, of a read() that failed: no data */
	if (data->count > SIZE_MAX / 2) {
		data->count = 0;
		limit->cut = true;
	}
	if (data->count > 65535) {
		data->count = 65535;
		limit->cut = true;
	}
	if (UE__UNLIKELY(limit->most < UE__TOO_MUCH))
		ue__limit_data(data, t, limit->most);
	return v;
}

/* ---- Encoding events of any kind and size -------------------------------------------------- */

/* The segments and the buffer of an event; on the stack as long as it is a small one. */
#define UE__SMALL_FIELDS 4
struct ue__small {
	struct ue__iovec iov[2 * UE__SMALL_FIELDS + 1];
	unsigned char buffer[256 + UE_INLINE_BYTES];
};
#define UE__BEGIN_OUT(o, small, d)                                                              \
	do {                                                                                    \
		size_t ue__n = (d)->dynamic;                                                    \
		size_t ue__size = 4 + 8 + 36 + (d)->fixed + (d)->meta + 4 * ue__n;              \
		(o).iov = (small).iov;                                                          \
		(o).segment = (small).buffer;                                                   \
		if (ue__n > UE__SMALL_FIELDS || ue__size > 256) {                               \
			ue__n = 2 * ue__n + 1;                                                  \
			(o).iov = (struct ue__iovec *)__builtin_alloca(                         \
				ue__n * sizeof(struct ue__iovec) + ue__size + UE_INLINE_BYTES); \
			(o).segment = (unsigned char *)((o).iov + ue__n);                       \
		}                                                                               \
		(o).p = (o).segment;                                                            \
		(o).room = UE_INLINE_BYTES;                                                     \
		(o).size = 0;                                                                   \
		(o).count = 0;                                                                  \
	} while (0)

/*
 * An event is packed that is, or was, too large for tracers. Returns whether to pack it again with
 * the limit L->most for each of its strings and arrays. This is a binary search, bit by bit; the
 * best limit is packed last. Probes get the event first, and whole.
 */
UE__SETUP(bool, ue__again, (struct ue_event *event, struct ue__out *o, struct ue__bound *l))
{
	UE__COPY(ue__again, "X"(ue__again_copy), "X"(ue__send_probed_copy));
	uint32_t enabled = UE__LOAD(&event->enabled);

	if (l->most == UE__ALL) {
		if (!(enabled & (UE__KERNEL_BIT | UE__OWN_BIT)))
			return false;
		if (enabled & UE__OUR_BITS)
			ue__send_probed(event, o->iov, o->count, o->size, NULL);
		l->bit = UE__FIRST_BIT;
		l->most = 0;
		return true;
	}
	if (l->bit == 0)
		return false;
	if (!ue__is_large(o->size)) {
		l->best = l->most;
	} else if (l->bit == UE__FIRST_BIT) {
		l->bit = 0;
		l->most = UE__TOO_MUCH;
		return true;
	}
	l->bit >>= 1;
	l->most = l->best | l->bit;
	return true;
}

/* Is the event packed? Else it is to be packed again. */
static UE__ALWAYS_INLINE bool ue__is_packed(struct ue_event *event, struct ue__out *o,
					    struct ue__bound *l)
{
	UE__KEEP("X"(ue__again_copy));
	return !UE__UNLIKELY(ue__is_large(o->size) || l->most != UE__ALL) ||
	       !ue__again(event, o, l);
}

UE__ONCE(void, ue__end_out, (struct ue_event *event, struct ue__out *o, const struct ue__bound *l))
{
	UE__COPY(ue__end_out, "X"(ue__end_out_copy), "X"(ue__write_enabled_copy));
	if (UE__UNLIKELY(l->most != UE__ALL)) {
		UE__INCREMENT(l->most == UE__TOO_MUCH ? &ue__state_v1.large : &ue__state_v1.cut);
		ue__count_write(event, ue__write_enabled(event, UE__LOAD(&event->enabled), o->iov,
							 o->count));
		return;
	}
	if (UE__UNLIKELY(l->cut))
		UE__INCREMENT(&ue__state_v1.cut);
	ue__send(event, o->iov, o->count, o->size);
}

/*
 * A kernel-typed event with data: a loc of each among the fixed fields, at P, and the data
 * behind them, at O.
 */
static inline UE__PLAIN void ue__pack_locs(struct ue__out *o, const struct ue__desc *d,
					   const uint64_t *v, uint32_t index,
					   struct ue__bound *limit)
{
	UE__KEEP("X"(ue__get_data_copy), "X"(ue__put_data_copy));
	const uint32_t *type = ue__types(d);
	size_t dynamic = d->dynamic, done = 0;
	unsigned char *p, *end;

	memcpy(o->segment, &index, 4);
	p = o->segment + 4;
	end = o->p = p + d->fixed;
	for (;; type++) {
		uint32_t t = *type;
		unsigned int log2 = UE__LOG2_OF(t);
		struct ue__data data;
		size_t room = 65535, size, nul;
		uint32_t loc;

		if ((t & UE__T_BEYOND_SCALARS) == 0) {
			p = ue__put_exactly(p, end, *v++, t);
			continue;
		}
		if (t == UE__T_END)
			break;
		if (t & UE__T_CARRAY || UE__SHAPE_OF(t) == UE__SHAPE_POINTER) {
			p = ue__put_fixed(p, (const void *)(uintptr_t)*v++,
					  (t & UE__T_CARRAY ? UE__LENGTH_OF(t) : (size_t)1)
						  << log2);
			continue;
		}
		v = ue__get_data(&data, t, v, limit);
		/* a char loc must end with a NUL, else the kernel refuses the event */
		nul = UE__IS_CHAR(t);
		size = data.count << log2;
		dynamic--;
		if (UE__UNLIKELY(done + size > 65535 - d->fixed - 4 * d->dynamic)) {
			/* sizes are 16 bits; so are offsets, also of the data that follows */
			if (dynamic) {
				room = 65535 - d->fixed - 4 * dynamic;
				room = room > done ? room - done : 0;
			}
			room = room > nul ? room - nul : 0;
			if (size > room) {
				size = room >> log2 << log2;
				data.terminated = false;
				limit->cut = true;
			}
		}
		loc = (uint32_t)((size + nul) << 16 | ((size_t)(end - p) - 4 + done));
		p = (unsigned char *)memcpy(p, &loc, 4) + 4;
		done += size + nul;
		if (nul && data.terminated && size >= o->room) {
			size++;
			nul = 0;
		}
		if (size)
			ue__put_data(o, data.p, size);
		if (nul)
			*o->p++ = '\0';
	}
	ue__close_segment(o);
}

/* An EventHeader event with data, all in order. False if it cannot be one. */
static inline UE__PLAIN bool ue__pack_log(struct ue__out *o, struct ue_event *event,
					  const struct ue__desc *d, const uint64_t *v,
					  uint32_t index, struct ue__bound *limit)
{
	UE__KEEP("X"(ue__cut_counts_copy), "X"(ue__get_data_copy), "X"(ue__put_data_copy));
	const uint32_t *type = ue__types(d);

	o->p = ue__put_head(o->segment, index, event, d, &type, &v);
	if (UE__UNLIKELY(limit->most < UE__TOO_MUCH)) {
		struct ue__definitions meta;

		meta.end = o->p;
		/*
		 * without the header and the block's, which are of that size, and the event's name
		 */
		meta.p = o->p - (d->meta - 12u);
		meta.p += strlen((const char *)meta.p) + 1;
		ue__cut_counts(meta, limit->most, false);
	}
	for (;; type++) {
		uint32_t t = *type;
		unsigned int log2 = UE__LOG2_OF(t), shape = UE__SHAPE_OF(t);
		struct ue__data data;
		size_t size;

		if ((t & UE__T_BEYOND_SCALARS) == 0) {
			o->p = ue__put_value(o->p, *v++, t);
			continue;
		}
		if (t == UE__T_END)
			break;
		if (shape == UE__SHAPE_POINTER && !UE__IS_ARRAY(t)) {
			o->p = ue__put_fixed(o->p, (const void *)(uintptr_t)*v++,
					     (size_t)1 << log2);
			continue;
		}
		v = ue__get_data(&data, t, v, limit);
		size = data.count << log2;
		if (shape == UE__SHAPE_ZSTRING && !UE__IS_ARRAY(t)) {
			/* the zero unit comes with the string or from here */
			if (data.terminated) {
				ue__put_data(o, data.p, size + ((size_t)1 << log2));
				continue;
			}
			if (size)
				ue__put_data(o, data.p, size);
			memset(o->p, 0, 4);
			o->p += (size_t)1 << log2;
			continue;
		}
		if (!(t & UE__T_CARRAY))
			o->p = ue__put_u16(o->p, data.count);
		if (shape == UE__SHAPE_ZSTRING) {
			unsigned char *at = o->p - 2;
			size_t written =
				data.p ? ue__put_strings(o, data.p, data.count, log2, limit->most)
				       : 0;

			limit->cut |= written != data.count;
			if (t & UE__T_VARRAY)
				ue__put_u16(at, written);
			else if (written != data.count)
				return false; /* the metadata promises them all */
			continue;
		}
		if (UE__ROW_OF(t) == UE__ROW_STRUCT)
			size = data.count * UE__LENGTH_OF(t);
		if (data.p && size) {
			ue__put_data(o, data.p, size);
		} else if (size) { /* NULL for a constant-length array: zeros */
			if (size > o->room)
				return false;
			o->room -= size;
			o->p = ue__put_fixed(o->p, NULL, size);
		}
	}
	ue__close_segment(o);
	return true;
}

/* All values in an array, for what the functions below have no shorter way. */
UE__ONCE(void, ue__encode_kernel_array, (struct ue_event *event, const struct ue__desc *d,
				      const uint64_t *v))
{
	UE__COPY(ue__encode_kernel_array, "X"(ue__encode_kernel_array_copy),
		 "X"(ue__end_out_copy));
	/* 0: about to be registered, or unregistered a moment ago */
	uint32_t index = UE__LOAD(&event->index);
	struct ue__bound limit = { UE__ALL, 0, 0, false };
	struct ue__small small;
	struct ue__out o, begin;

	if (index == 0)
		return;
	UE__BEGIN_OUT(begin, small, d);
	do {
		o = begin;
		ue__pack_locs(&o, d, v, index - 1, &limit);
	} while (!ue__is_packed(event, &o, &limit));
	ue__end_out(event, &o, &limit);
}

UE__ONCE(void, ue__encode_log_array, (struct ue_event *event, const struct ue__desc *d,
				   const uint64_t *v))
{
	UE__COPY(ue__encode_log_array, "X"(ue__encode_log_array_copy),
		 "X"(ue__end_out_copy));
	uint32_t index = UE__LOAD(&event->index);
	struct ue__bound limit = { UE__ALL, 0, 0, false };
	struct ue__small small;
	struct ue__out o, begin;

	if (index == 0)
		return;
	UE__BEGIN_OUT(begin, small, d);
	do {
		o = begin;
		if (!ue__pack_log(&o, event, d, v, index - 1, &limit)) {
			UE__INCREMENT(&ue__state_v1.failed);
			return;
		}
	} while (!ue__is_packed(event, &o, &limit));
	ue__end_out(event, &o, &limit);
}

/* ---- Sending small events ------------------------------------------------------------------ */

/* A segment of its own, which would cost the others two instructions. */
UE__COLD(void, ue__send_probed_one, (struct ue_event *event, const unsigned char *buffer,
		size_t size))
{
	UE__COPY(ue__send_probed_one, "X"(ue__send_probed_one_copy),
		 "X"(ue__send_probed_copy), "X"(ue__write_enabled_copy));
	struct ue__iovec one;

	one.iov_base = (void *)(uintptr_t)buffer;
	one.iov_len = size;
	ue__send_probed(event, &one, 1, size, ue__write_enabled);
}

/* Sends the small event that is packed from BUFFER to END. */
static UE__ALWAYS_INLINE void ue__send_small(struct ue_event *event, const unsigned char *buffer,
					     const unsigned char *end)
{
	UE__KEEP("X"(ue__send_probed_one_copy));
	void (*record)(struct ue_event * event, const void *bytes, size_t size);
	size_t size = (size_t)(end - buffer);
	struct ue__iovec one;
	uint32_t enabled = UE__LOAD(&event->enabled);

	if (UE__UNLIKELY(enabled != UE__KERNEL_BIT)) {
		record = __atomic_load_n(&ue__state_v1.record, __ATOMIC_ACQUIRE);
		if (enabled == UE__RECORD_BIT && record)
			record(event, buffer, size);
		else
			ue__send_probed_one(event, buffer, size);
		return;
	}
	one.iov_base = (void *)(uintptr_t)buffer;
	one.iov_len = size;
	ue__count_write(event, ue__write(ue__data_fd(), &one, 1));
}

/* The same, and a long string that ends it, where it is. */
UE__ONCE(void, ue__send_two, (struct ue_event *event, const unsigned char *buffer,
			   const unsigned char *end, const char *s, size_t n))
{
	UE__COPY(ue__send_two, "X"(ue__send_two_copy));
	struct ue__iovec two[2];

	two[0].iov_base = (void *)(uintptr_t)buffer;
	two[0].iov_len = (size_t)(end - buffer);
	two[1].iov_base = (void *)(uintptr_t)s;
	two[1].iov_len = n;
	ue__send(event, two, 2, two[0].iov_len + n);
}

/* ---- Encoding events of up to four values -------------------------------------------------- */

/*
 * The way from a call site, with what the site's macros know: of EVENT, the descriptor D and its
 * values. A site is UE__COLD_SITE and then one of these. The macros choose by the types, so that a
 * file with events of scalars alone does not compile what packs strings and arrays.
 */

UE__ENTRY(void, ue__encode_kernel_any, (struct ue_event *event, const struct ue__desc *d,
		uint64_t v0,
				     uint64_t v1, uint64_t v2, uint64_t v3))
{
	UE__COPY(ue__encode_kernel_any, "X"(ue__encode_kernel_any_copy),
		 "X"(ue__encode_kernel_array_copy));
	uint64_t v[4] = { v0, v1, v2, v3 };

	ue__encode_kernel_array(event, d, v);
}

UE__ENTRY(void, ue__encode_log_any, (struct ue_event *event, const struct ue__desc *d, uint64_t v0,
				  uint64_t v1, uint64_t v2, uint64_t v3))
{
	UE__COPY(ue__encode_log_any, "X"(ue__encode_log_any_copy),
		 "X"(ue__encode_log_array_copy));
	uint64_t v[4] = { v0, v1, v2, v3 };

	ue__encode_log_array(event, d, v);
}

/*
 * Is one of the two types at TYPE no scalar's? There is a type, or something else, behind the last.
 */
static UE__ALWAYS_INLINE bool ue__pair_is_beyond(const uint32_t *type)
{
#if __SIZEOF_SIZE_T__ > 4
	uint64_t two;

	memcpy(&two, type, sizeof(two));
	return (two & (UE__U64(UE__T_BEYOND_SCALARS) << 32 | UE__T_BEYOND_SCALARS)) != 0;
#else
	return ((type[0] | type[1]) & UE__T_BEYOND_SCALARS) != 0;
#endif
}

/* A scalar of the type at TYPE. Its size alone is loaded where that is one instruction. */
static UE__ALWAYS_INLINE unsigned char *ue__put_at(unsigned char *p, uint64_t value,
						   const uint32_t *type)
{
#if defined(__x86_64__)
	uint16_t size;

	memcpy(&size, (const unsigned char *)type + 2, sizeof(size));
	memcpy(p, &value, 8);
	return p + size;
#else
	return ue__put_value(p, value, *type);
#endif
}

/* Two scalars, straight from registers; to END behind the last. */
#define UE__PUT_TWO(p, type, end, v0, v1)                            \
	do {                                                         \
		if (ue__pair_is_beyond(type)) {                      \
			if ((UE__T_BEYOND_SCALARS & *(type)) == 0)   \
				(p) = ue__put_value(p, v0, *(type)); \
			goto end;                                    \
		}                                                    \
		(p) = ue__put_at(p, v0, type);                       \
		(p) = ue__put_at(p, v1, (type) + 1);                 \
	} while (0)
#define UE__PUT_FOUR(p, type, end, v0, v1, v2, v3)       \
	do {                                             \
		UE__PUT_TWO(p, type, end, v0, v1);       \
		UE__PUT_TWO(p, (type) + 2, end, v2, v3); \
	} while (0)

/* Kernel-typed, at most four values, all of them scalars. */
UE__HOT(void, ue__encode_scalars, (struct ue_event *event, const struct ue__desc *d, uint64_t v0,
				uint64_t v1, uint64_t v2, uint64_t v3))
{
	UE__COPY(ue__encode_scalars, "X"(ue__encode_scalars_copy));
	unsigned char buffer[4 + 4 * 8 + 8], *p = buffer + 4;
	const uint32_t *type = ue__types(d);
	uint32_t index = UE__LOAD(&event->index);

	if (index-- == 0)
		return;
	memcpy(buffer, &index, 4);
	UE__PUT_FOUR(p, type, end, v0, v1, v2, v3);
end:
	ue__send_small(event, buffer, p);
}

/* memcpy(), without the call for the length that strings of events have most often. */
static UE__ALWAYS_INLINE void ue__copy_string(unsigned char *p, const char *s, size_t n)
{
	if (n >= 8 && n <= 16) {
		uint64_t first, last;

		memcpy(&first, s, 8);
		memcpy(&last, s + n - 8, 8);
		memcpy(p, &first, 8);
		memcpy(p + n - 8, &last, 8);
	} else {
		memcpy(p, s, n);
	}
}

/* Kernel-typed, at most four values, some of them strings: at DATA, behind the fixed fields. */
UE__HOT(void, ue__encode_text, (struct ue_event *event, const struct ue__desc *d, uint64_t v0,
			     uint64_t v1, uint64_t v2, uint64_t v3))
{
	UE__COPY(ue__encode_text, "X"(ue__encode_text_copy), "X"(ue__send_two_copy),
		 "X"(ue__encode_kernel_array_copy));
	unsigned char buffer[UE__SMALL_SIZE + 4 * UE__SMALL_STRING], *p = buffer + 4;
	unsigned char *fixed_end, *data;
	const uint32_t *type = ue__types(d);
	const uint64_t *value;
	uint32_t index = UE__LOAD(&event->index);
	uint64_t v[4] = { v0, v1, v2, v3 };
	uint32_t t;

	if (index-- == 0)
		return;
	memcpy(buffer, &index, 4);
	/* up to the first string there is nothing behind the fixed fields */
	for (value = v; ((t = *type) & UE__T_BEYOND_SCALARS) == 0; type++, value++)
		p = ue__put_value(p, *value, t);
	/* most often that is the last one, and short: the loc is just before the data */
	if (t == UE__U32(UE__T_0STR & 0xffffffff) && type[1] == UE__T_END && *value) {
		const char *s = (const char *)(uintptr_t)*value;
		size_t n = strlen(s) + 1;
		uint32_t loc = (uint32_t)n << 16;

		memcpy(p, &loc, 4);
		if (UE__UNLIKELY(n > UE__SMALL_STRING)) {
			if (n > UE__LONG_STRING)
				goto unusual;
			ue__send_two(event, buffer, p + 4, s, n);
			return;
		}
		p += 4 + n;
		ue__copy_string(p - n, s, n);
		p[-1] = '\0'; /* whatever another thread did to the string */
		ue__send_small(event, buffer, p);
		return;
	}
	fixed_end = data = buffer + 4 + d->fixed;
	for (; (t = *type) != UE__T_END; type++, value++) {
		const char *s = (const char *)(uintptr_t)*value;
		uint32_t loc;
		size_t n;

		if ((t & UE__T_BEYOND_SCALARS) == 0) {
			p = ue__put_exactly(p, fixed_end, *value, t);
			continue;
		}
		if (t != UE__U32(UE__T_0STR & 0xffffffff))
			goto unusual;
		if (!s)
			s = "";
		n = strlen(s) + 1;
		if (UE__UNLIKELY(n > UE__SMALL_STRING) &&
		    (n > UE__LONG_STRING || type[1] != UE__T_END))
			goto unusual;
		loc = (uint32_t)(n << 16 | (size_t)(data - p - 4));
		memcpy(p, &loc, 4);
		p += 4;
		if (n > UE__SMALL_STRING) {
			ue__send_two(event, buffer, data, s, n);
			return;
		}
		ue__copy_string(data, s, n);
		data += n;
		data[-1] = '\0'; /* whatever another thread did to the string */
	}
	ue__send_small(event, buffer, data);
	return;
unusual:
	ue__encode_kernel_array(event, d, v);
}

/* EventHeader, at most four values, some of them data elsewhere. */
UE__HOT(void, ue__encode_log_text, (struct ue_event *event, const struct ue__desc *d, uint64_t v0,
				 uint64_t v1, uint64_t v2, uint64_t v3))
{
	UE__COPY(ue__encode_log_text, "X"(ue__encode_log_text_copy), "X"(ue__send_two_copy),
		 "X"(ue__encode_log_array_copy));
	unsigned char buffer[UE__SMALL_SIZE + 4 * UE__SMALL_STRING], *p;
	const uint32_t *type = ue__types(d);
	const uint64_t *value;
	uint32_t index = UE__LOAD(&event->index);
	uint64_t v[4] = { v0, v1, v2, v3 };
	uint32_t t;

	if (index-- == 0)
		return;
	memcpy(buffer, &index, 4);
	p = ue__put_meta(buffer + 4, event, d);
	for (value = v; (t = *type) != UE__T_END; type++, value++) {
		const char *s = (const char *)(uintptr_t)*value;
		size_t n;

		if ((t & UE__T_BEYOND_SCALARS) == 0) {
			p = ue__put_value(p, *value, t);
			continue;
		}
		if (t != UE__U32(UE__T_0STR & 0xffffffff))
			goto unusual;
		if (!s)
			s = "";
		n = strlen(s) + 1;
		if (UE__UNLIKELY(n > UE__SMALL_STRING)) {
			if (n > UE__LONG_STRING || type[1] != UE__T_END)
				goto unusual;
			ue__send_two(event, buffer, p, s, n);
			return;
		}
		ue__copy_string(p, s, n);
		p += n;
		p[-1] = '\0';
	}
	ue__send_small(event, buffer, p);
	return;
unusual:
	ue__encode_log_array(event, d, v);
}

/* EventHeader, at most four values, all of them scalars. */
UE__HOT(void, ue__encode_log, (struct ue_event *event, const struct ue__desc *d, uint64_t v0,
			    uint64_t v1, uint64_t v2, uint64_t v3))
{
	UE__COPY(ue__encode_log, "X"(ue__encode_log_copy));
	unsigned char buffer[UE__SMALL_SIZE], *p;
	const uint32_t *type = ue__types(d);
	uint32_t index = UE__LOAD(&event->index);

	if (index-- == 0)
		return;
	memcpy(buffer, &index, 4);
	p = ue__put_meta(buffer + 4, event, d);
	UE__PUT_FOUR(p, type, end, v0, v1, v2, v3);
end:
	ue__send_small(event, buffer, p);
}

/* ---- Encoding events of more values -------------------------------------------------------- */

/*
 * The values behind the first four. Where six registers are taken already, they are one after
 * another in memory; va_arg() would look where each one is, and GCC's va_start() costs as much as a
 * value. clang removes arguments that no va_start() asks for; GCC does if it clones the function.
 * __builtin_next_arg() is right also where GCC aligns the stack, other than __builtin_dwarf_cfa().
 */
#if defined(__x86_64__) && defined(__LP64__)
#ifdef __clang__
struct ue__va_list { /* as the machine's ABI has it */
	unsigned int general, floating;
	const uint64_t *overflow;
	void *saved;
} __attribute__((__may_alias__));
#define UE__BEGIN_REST(list) \
	(va_start(list, v3), ((const struct ue__va_list *)(const void *)(list))->overflow)
#define UE__END_REST(list) va_end(list)
#else
#define UE__BEGIN_REST(list) ((const uint64_t *)__builtin_next_arg(v3))
#define UE__END_REST(list) ((void)(list))
#endif
typedef const uint64_t *ue__rest;
#define UE__NEXT(rest) (*(rest)++)
#define UE__PUT_REST(p, type, end, rest)  \
	for (;; (type) += 4, (rest) += 4) \
	UE__PUT_FOUR(p, type, end, (rest)[0], (rest)[1], (rest)[2], (rest)[3])
#else
#define UE__BEGIN_REST(list) (va_start(list, v3), &(list))
#define UE__END_REST(list) va_end(list)
typedef va_list *ue__rest;
#define UE__NEXT(rest) va_arg(*(rest), uint64_t)
#define UE__PUT_REST(p, type, end, rest)                         \
	for (;; (type)++) {                                      \
		if (UE__T_BEYOND_SCALARS & *(type))              \
			goto end;                                \
		(p) = ue__put_value(p, UE__NEXT(rest), *(type)); \
	}
#endif

/* More than four values, the first four and the REST: scalars, and in a log an activity's ids. */
static UE__ALWAYS_INLINE void ue__encode_values(struct ue_event *event, const struct ue__desc *d,
						bool log, uint64_t v0, uint64_t v1, uint64_t v2,
						uint64_t v3, ue__rest rest)
{
	unsigned char buffer[UE__SMALL_SIZE], *p;
	const uint32_t *type = ue__types(d);
	uint32_t index = UE__LOAD(&event->index);

	if (index-- == 0)
		return;
	if (log && UE__UNLIKELY(UE__SHAPE_OF(*type) == UE__SHAPE_ACTIVITY)) {
		uint64_t activity[2];
		const uint64_t *ids = activity;

		activity[0] = v0;
		activity[1] = v1;
		p = ue__put_head(buffer, index, event, d, &type, &ids);
		UE__PUT_TWO(p, type, end, v2, v3);
		type += 2;
	} else {
		memcpy(buffer, &index, 4);
		p = buffer + 4;
		if (log)
			p = ue__put_meta(p, event, d);
		UE__PUT_FOUR(p, type, end, v0, v1, v2, v3);
		type += 4;
	}
	UE__PUT_REST(p, type, end, rest);
end:
	ue__send_small(event, buffer, p);
}

/* What has strings or arrays, or is large: the four values and the rest in one array. */
UE__COLD(void, ue__encode_list, (struct ue_event *event, const struct ue__desc *d, uint64_t v0,
			      uint64_t v1, uint64_t v2, uint64_t v3, ue__rest rest,
			      void (*encode)(struct ue_event *event, const struct ue__desc *d,
					     const uint64_t *v)))
{
	UE__COPY(ue__encode_list, "X"(ue__encode_list_copy));
	uint64_t small[16], *v = small;
	unsigned int i;

	if (d->values > sizeof(small) / sizeof(*small))
		v = (uint64_t *)__builtin_alloca(d->values * sizeof(*v));
	v[0] = v0;
	v[1] = v1;
	v[2] = v2;
	v[3] = v3;
	for (i = 4; i < d->values; i++)
		v[i] = UE__NEXT(rest);
	encode(event, d, v);
}

UE__HOT(void, ue__encode_kernel_more, (struct ue_event *event, const struct ue__desc *d,
		uint64_t v0,
				    uint64_t v1, uint64_t v2, uint64_t v3, ...))
{
	UE__COPY(ue__encode_kernel_more, "X"(ue__encode_kernel_more_copy));
	va_list list;

	ue__encode_values(event, d, false, v0, v1, v2, v3, UE__BEGIN_REST(list));
	UE__END_REST(list);
}

UE__HOT(void, ue__encode_log_more, (struct ue_event *event, const struct ue__desc *d, uint64_t v0,
				 uint64_t v1, uint64_t v2, uint64_t v3, ...))
{
	UE__COPY(ue__encode_log_more, "X"(ue__encode_log_more_copy));
	va_list list;

	ue__encode_values(event, d, true, v0, v1, v2, v3, UE__BEGIN_REST(list));
	UE__END_REST(list);
}

UE__HOT(void, ue__encode_kernel_list, (struct ue_event *event, const struct ue__desc *d,
		uint64_t v0,
				    uint64_t v1, uint64_t v2, uint64_t v3, ...))
{
	UE__COPY(ue__encode_kernel_list, "X"(ue__encode_kernel_list_copy),
		 "X"(ue__encode_list_copy), "X"(ue__encode_kernel_array_copy));
	va_list list;

	ue__encode_list(event, d, v0, v1, v2, v3, UE__BEGIN_REST(list),
			UE__THE(ue__encode_kernel_array));
	UE__END_REST(list);
}

UE__HOT(void, ue__encode_log_list, (struct ue_event *event, const struct ue__desc *d, uint64_t v0,
				 uint64_t v1, uint64_t v2, uint64_t v3, ...))
{
	UE__COPY(ue__encode_log_list, "X"(ue__encode_log_list_copy),
		 "X"(ue__encode_list_copy), "X"(ue__encode_log_array_copy));
	va_list list;

	ue__encode_list(event, d, v0, v1, v2, v3, UE__BEGIN_REST(list),
			UE__THE(ue__encode_log_array));
	UE__END_REST(list);
}

#endif /* UE_DISABLE */

#endif

/* ---- Types of the notes in binaries -------------------------------------------------------- */

/*
 * Macros, since the assembler gets them as text; docs/reference.md tells what is in each. Those of
 * classes and texts are of TRACE_EVENT.
 */
#define UE__NOTE_EVENT 1
#define UE__NOTE_SET 2
#define UE__NOTE_CLASS 3
#define UE__NOTE_CLASS_EVENT 4
#define UE__NOTE_SITE 5 /* of a USDT probe of UE_LOG: where the event's constant bytes are */
#define UE__NOTE_PRINT 7

#ifndef UE_DISABLE

/* ---- What a file that only declares events needs ------------------------------------------- */

#ifdef UE__DECLARED_ONLY
#define UE__KEEP_START ((void)0)
#define UE__KEEP_STOP ((void)0)
UE__API void ue__cold(void) __attribute__((__cold__));
UE__API bool ue__declare(struct ue_event *event, const struct ue__desc *desc, bool automatic);
#define UE__ENCODER(name, ...)                                                          \
	UE__API void name(struct ue_event *event, const struct ue__desc *d, uint64_t v0, \
			  uint64_t v1, uint64_t v2, uint64_t v3 __VA_ARGS__)
UE__ENCODER(ue__encode_kernel_any, );
UE__ENCODER(ue__encode_scalars, );
UE__ENCODER(ue__encode_text, );
UE__ENCODER(ue__encode_kernel_more, , ...);
UE__ENCODER(ue__encode_kernel_list, , ...);
UE__ENCODER(ue__encode_log_any, );
UE__ENCODER(ue__encode_log, );
UE__ENCODER(ue__encode_log_text, );
UE__ENCODER(ue__encode_log_more, , ...);
UE__ENCODER(ue__encode_log_list, , ...);
#undef UE__ENCODER
#endif

/*
 * clang takes __builtin_expect()'s word for it. A second call would keep values in more registers,
 * which the function would save in its hot path.
 */
#ifdef __clang__
#define UE__COLD_SITE UE__KEEP_START
#else
#define UE__COLD_SITE ue__cold()
#endif

#ifdef __cplusplus
/* Unregistered by the entry, not by a destructor: events of the program's own come before it. */
template <bool ue__Automatic> UE__SHORT void ue__until_exit()
{
	if (ue__Automatic)
		UE__KEEP_STOP;
}

template <class ue__Tag, bool ue__Automatic> struct UE__HIDDEN ue__site {
	static struct ue_event ue__event;
	static const bool declared;
	static void ue__use() { (void)&declared; }
};
template <class ue__Tag, bool ue__Automatic>
struct ue_event ue__site<ue__Tag, ue__Automatic>::ue__event = {
	0, 0, nullptr, nullptr, nullptr, UE__NEW_IN_DATA, 0, 0, 0, 0
};
template <class ue__Tag, bool ue__Automatic>
const bool ue__site<ue__Tag, ue__Automatic>::declared =
	(ue__until_exit<ue__Automatic>(),
	 ue__declare(&ue__site<ue__Tag, ue__Automatic>::ue__event, ue__Tag::ue__describe(),
		     ue__Automatic));
#endif

#endif /* UE_DISABLE */

/* ---- Values: what a field evaluates to ----------------------------------------------------- */

/*
 * Each value becomes 64 bits, by a function of its type's name. It is that function's argument, so
 * the compiler converts it, and warns of that, as where a variable of the type is initialised.
 */
UE__SHORT uint64_t ue__from_FLOAT(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

UE__SHORT uint64_t ue__from_DOUBLE(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

#define ue__from_INTEGER(value) (uint64_t)(value)
#define ue__from_POINTER(value) (uint64_t)(uintptr_t)(value)
#define UE__IN_ROW(name, kernel, log2, shape, kind, format, ctype, how, ok) \
	UE__SHORT uint64_t ue__in_0##name(ctype value)              \
	{                                                               \
		return ue__from_##how(value);                           \
	}
UE__TYPES(UE__IN_ROW)
#undef UE__IN_ROW
#undef ue__from_INTEGER
#undef ue__from_POINTER

UE__SHORT uint64_t ue__in_pointer(const volatile void *value)
{
	return (uint64_t)(uintptr_t)value;
}

#ifdef __cplusplus
struct ue__address { /* a pointer, or its number */
	uint64_t value;
	ue__address(const volatile void *p) : value((uint64_t)(uintptr_t)p) {}
	ue__address(uintptr_t n) : value(n) {}
};
UE__SHORT uint64_t ue__in_0PTR(ue__address value)
{
	return value.value;
}
UE__SHORT uint64_t ue__arg(const uint64_t &value)
{
	return value;
}
UE__SHORT uint64_t ue__arg(const ue__span &value)
{
	return (uint64_t)(uintptr_t)&value;
}
/* A number of elements, negative ones too: the encoders find them. */
template <class ue__T> UE__SHORT uint64_t ue__in_count(ue__T n)
{
	return static_cast<uint64_t>(n);
}
#else
#define ue__arg(value) (value)
#define ue__in_0PTR(value) ((uint64_t)(uintptr_t)(value))
#define UE__CAST_0PTR ~, ue__in_0PTR
#define ue__in_count(n) ((uint64_t)(n)) /* also of a negative number: the encoders find it */
#endif

/* By its address: of a wrong argument, clang then shows neither function nor candidates. */
#define UE__IN_AS(kind) UE__SECOND_OF(UE__CAST_##kind, (*ue__in_##kind), ~)

/* A negative array size here is a fixed array's N outside 1..65535. */
#define UE__FIXED_LENGTH(n) \
	(UE__T_LENGTH(n) + 0 * sizeof(char[(n) > 0 && (n) <= 65535 ? 1 : -1]))
/* A negative array size here is a pointer to elements of another size than the type's. */
#define UE__ELEMENTS(t, p)                                                                   \
	(ue__in_pointer(p) +                                                                 \
	 0 * sizeof(char[UE__ELEMENT_FITS(t, __extension__ sizeof(*(p))) ? 1 : -1]))
#define UE__ELEMENT_FITS(t, size)                                                            \
	(UE__SHAPE_OF(t) == UE__SHAPE_VALUE   ? (size) == 1u << UE__LOG2_OF(t) :             \
	 UE__SHAPE_OF(t) == UE__SHAPE_ZSTRING ? (size) == sizeof(void *) :                   \
						UE__SHAPE_OF(t) == UE__SHAPE_POINTER)

#ifdef UE_DISABLE
/* Type-checks values that nobody asks for. */
UE__SHORT void ue__ignore(int none, ...)
{
	(void)none;
}
#endif

/* ---- The type of a bare variable, in C ----------------------------------------------------- */

#ifndef __cplusplus
/* Short names and no spaces, since each bare variable repeats this text. */
UE__ENUM64 {
	ue__bl = UE__T_0BOOL,
	ue__ch = UE__T_0CHAR,
	ue__i1 = UE__T_0I8,
	ue__u1 = UE__T_0U8,
	ue__i2 = UE__T_0I16,
	ue__u2 = UE__T_0U16,
	ue__i4 = UE__T_0I32,
	ue__u4 = UE__T_0U32,
	ue__il = sizeof(long) == 8 ? UE__T_0I64 : UE__T_0I32,
	ue__ul = sizeof(long) == 8 ? UE__T_0U64 : UE__T_0U32,
	ue__i8 = UE__T_0I64,
	ue__u8 = UE__T_0U64,
	ue__f4 = UE__T_0F32,
	ue__f8 = UE__T_0F64,
	ue__st = UE__T_0STR,
	ue__pt = UE__T_0PTR,
	ue__no = UE__T_NONE
};
/* clang-format off */
#define UE__TYPE_OF_VALUE(value, other)                                                   \
	_Generic(value,_Bool:ue__bl,char:ue__ch,signed char:ue__i1,unsigned char:ue__u1,  \
		 short:ue__i2,unsigned short:ue__u2,int:ue__i4,unsigned:ue__u4,long:ue__il, \
		 unsigned long:ue__ul,long long:ue__i8,unsigned long long:ue__u8,         \
		 float:ue__f4,double:ue__f8,char*:ue__st,const char*:ue__st,default:other)

/* An object of the variable's type, for what does not evaluate it; clang warns of NULL. */
#define UE__LIKE(at) *(ue__x##at*)8
/* The value of X, an array decayed, in contexts that do not evaluate it. */
#define UE__DECAYED(x) ((void)0,x)
/* Is it an array? It has another type than its value; to clang so has what is _Atomic. */
#define UE__VALUE_TYPE(at) __typeof__(UE__DECAYED(UE__LIKE(at)))
#ifdef __clang__
#define UE__DECAYS(at)                                                                    \
	(!__builtin_types_compatible_p(ue__x##at,UE__VALUE_TYPE(at))&&                    \
	 !__builtin_types_compatible_p(ue__x##at,_Atomic(UE__VALUE_TYPE(at))))
#else
#define UE__DECAYS(at) !__builtin_types_compatible_p(ue__x##at,UE__VALUE_TYPE(at))
#endif
/*
 * The type in steps, each of which has a name: is it an array; the type of it or its elements;
 * their number; what an array is. The number has the name that the compiler tells of an array of
 * variable length.
 */
#if !defined(__clang__) && !defined(UE__NO_SYSTEM_HEADER) /* -Wshadow tells of them then */
/* For GCC, of a variable that is missing between two commas, which has been told. */
typedef int ue__x0_1, ue__x0_2, ue__x0_3, ue__x0_4, ue__x0_5, ue__x0_6, ue__x0_7, ue__x0_8;
#endif
#define UE__TYPE_0B(at, as, tag, string, x) typedef __typeof__(_Generic(0,default:x))ue__x##at;
#define UE__ENUM_0B(at, as, tag, string, x)                                               \
	ue__a##at=UE__DECAYS(at),ue__e##at=UE__TYPE_OF_VALUE(                             \
		UE__DECAYED(*__builtin_choose_expr(ue__a##at,UE__LIKE(at),(ue__x##at*)8)), \
		!ue__a##at&&__builtin_classify_type(UE__LIKE(at))==5?ue__pt:ue__no),      \
	ue__use_UE_ARRAY##at=sizeof(ue__x##at)>>(ue__e##at&7),                            \
	ue__t##at=as(ue__a##at?UE__ARRAY_TYPE(ue__e##at,ue__use_UE_ARRAY##at):ue__e##at)tag,
#ifdef __clang__ /* to which what is not constant is the enumerator before it plus 1 */
#define UE__ARRAY_TYPE(e, z) (z>>44?e:UE__ARRAY_OF(e,z))
#else
#define UE__ARRAY_TYPE UE__ARRAY_OF
#endif
#define UE__ARRAY_OF(e, z)                                                                \
	(e==ue__ch?ue__st+(z>>16?0:(z|0ull)<<16|UE__T_BOUNDED):e&UE__T_BEYOND_SCALARS?ue__no:    \
	 (e&~0xffff0000ull)+(z>>16?UE__T_MOST_ELEMENTS:(z|0ull)<<16|UE__T_CARRAY))
/* A variable's value; what is no field (UE__T_NONE) has been told once. */
#define UE__FIELD_VALUE(at, x) __builtin_choose_expr(ue__t##at & UE__T_NOTHING, 0, x)
#if __SIZEOF_POINTER__ == 8 /* a cast serves integers and pointers; UE_LOG alone has floats */
#define UE__IN(at, x)                                                                     \
	_Generic(UE__DECAYED(UE__LIKE(at)), float : ue__in_0F32, double : ue__in_0F64,    \
		 default : ue__in_0U64)(                                                  \
		_Generic(UE__DECAYED(UE__LIKE(at)), float : x, double : x,                \
			 default : UE__IN_KERNEL(at, x)))
#define UE__IN_KERNEL(at, x) (uint64_t)UE__FIELD_VALUE(at, x)
#else
#define UE__C_TYPES(_)                                                                    \
	_(bool, 0BOOL) _(char, 0CHAR) _(signed char, 0I8) _(unsigned char, 0U8) _(short, 0I16) \
	_(unsigned short, 0U16) _(int, 0I32) _(unsigned int, 0U32) _(long, 0I64)          \
	_(unsigned long, 0U64) _(long long, 0I64) _(unsigned long long, 0U64)             \
	_(float, 0F32) _(double, 0F64)
#define UE__C_VALUE(type, kind) type : ue__in_##kind,
#define UE__IN(at, x)                                                                     \
	_Generic(UE__DECAYED(UE__FIELD_VALUE(at, UE__LIKE(at))),                          \
		 UE__C_TYPES(UE__C_VALUE) default : ue__in_pointer)(UE__FIELD_VALUE(at, x))
#define UE__IN_KERNEL UE__IN
#endif
/* clang-format on */
#endif

/* ---- The type of a bare variable, in C++ --------------------------------------------------- */

#ifdef __cplusplus

template <class ue__T> struct ue__plain { typedef ue__T type; };
template <class ue__T> struct ue__plain<ue__T &> { typedef typename ue__plain<ue__T>::type type; };
template <class ue__T> struct ue__plain<ue__T &&> { typedef typename ue__plain<ue__T>::type type; };
template <class ue__T> struct ue__plain<const ue__T> {
	typedef typename ue__plain<ue__T>::type type;
};
template <class ue__T> struct ue__plain<volatile ue__T> {
	typedef typename ue__plain<ue__T>::type type;
};
template <class ue__T> struct ue__plain<const volatile ue__T> {
	typedef typename ue__plain<ue__T>::type type;
};
template <class ue__T, size_t ue__N> struct ue__plain<ue__T[ue__N]> {
	typedef typename ue__plain<ue__T>::type type[ue__N];
};
template <class ue__T, size_t ue__N> struct ue__plain<const ue__T[ue__N]> {
	typedef typename ue__plain<ue__T>::type type[ue__N];
};

/* TYPE of a scalar, and of a counted string of such units: 0 if there is none. */
template <uint64_t ue__Type, uint64_t ue__String> struct ue__types_of {
	static constexpr uint64_t type = ue__Type;
	static constexpr uint64_t string = ue__String;
};
template <class ue__T, bool ue__IsEnum = __is_enum(ue__T)>
struct ue__scalar : ue__types_of<0, 0> {};
template <class ue__T>
struct ue__scalar<ue__T, true> : ue__types_of<ue__scalar<__underlying_type(ue__T)>::type, 0> {};
#define UE__SCALAR(cpp, type, string) \
	template <> struct ue__scalar<cpp, false> : ue__types_of<type, string> {};
UE__SCALAR(bool, UE__T_0BOOL, 0)
UE__SCALAR(char, UE__T_0CHAR, UE__T_0STRN)
UE__SCALAR(signed char, UE__T_0I8, 0)
UE__SCALAR(unsigned char, UE__T_0U8, 0)
UE__SCALAR(short, UE__T_0I16, 0)
UE__SCALAR(unsigned short, UE__T_0U16, 0)
UE__SCALAR(int, UE__T_0I32, 0)
UE__SCALAR(unsigned int, UE__T_0U32, 0)
UE__SCALAR(long, sizeof(long) == 8 ? UE__T_0I64 : UE__T_0I32, 0)
UE__SCALAR(unsigned long, sizeof(long) == 8 ? UE__T_0U64 : UE__T_0U32, 0)
UE__SCALAR(long long, UE__T_0I64, 0)
UE__SCALAR(unsigned long long, UE__T_0U64, 0)
UE__SCALAR(float, UE__T_0F32, 0)
UE__SCALAR(double, UE__T_0F64, 0)
UE__SCALAR(char16_t, UE__T_0CHAR16, UE__T_0STR16N)
UE__SCALAR(char32_t, UE__T_0CHAR32, UE__T_0STR32N)
UE__SCALAR(wchar_t, sizeof(wchar_t) == 2 ? UE__T_0CHAR16 : UE__T_0CHAR32,
	   sizeof(wchar_t) == 2 ? UE__T_0STR16N : UE__T_0STR32N)
#ifdef __cpp_char8_t
UE__SCALAR(char8_t, UE__T_0CHAR, UE__T_0STRN)
#endif
#undef UE__SCALAR

/* The NUL-terminated form of a counted string. */
constexpr uint64_t ue__terminated(uint64_t counted)
{
	return counted == UE__T_0STRN   ? UE__T_0STR :
	       counted == UE__T_0STR16N ? UE__T_0STR16 :
					 UE__T_0STR32;
}

template <class ue__T> ue__T &&ue__declval();
template <class ue__T> struct ue__void { typedef void type; };

/* What is no field has a value all the same, so that UE__CHECK alone tells the mistake. */
struct ue__no_field {
	static constexpr uint64_t type = UE__T_NONE;
	template <class ue__T> static uint64_t ue__value(const ue__T &) { return 0; }
};
template <class ue__T, uint64_t ue__Type> struct ue__scalar_value {
	static constexpr uint64_t type = ue__Type;
	static uint64_t ue__value(ue__T v) { return static_cast<uint64_t>(v); }
};
template <class ue__T> struct ue__scalar_value<ue__T, 0> : ue__no_field {};
template <class ue__T, class = void>
struct ue__auto : ue__scalar_value<ue__T, ue__scalar<ue__T>::type> {};
template <> struct ue__auto<float> {
	static constexpr uint64_t type = UE__T_0F32;
	static uint64_t ue__value(float v) { return ue__from_FLOAT(v); }
};
template <> struct ue__auto<double> {
	static constexpr uint64_t type = UE__T_0F64;
	static uint64_t ue__value(double v) { return ue__from_DOUBLE(v); }
};
template <> struct ue__auto<decltype(nullptr)> {
	static constexpr uint64_t type = UE__T_0PTR;
	static uint64_t ue__value(decltype(nullptr)) { return 0; }
};
template <class ue__T> struct ue__auto<ue__T *> {
	static constexpr uint64_t string = ue__scalar<typename ue__plain<ue__T>::type>::string;
	static constexpr uint64_t type = string ? ue__terminated(string) : (uint64_t)UE__T_0PTR;
	static uint64_t ue__value(ue__T *v) { return (uint64_t)(uintptr_t)v; }
};
template <class ue__T, size_t ue__N> struct ue__auto<ue__T[ue__N]> {
	typedef ue__scalar<ue__T> element;
	static constexpr uint64_t type =
		!element::type	 ? UE__T_NONE :
		!element::string ? UE__ELEMENT_OF(element::type) | UE__T_ELEMENTS(ue__N) :
		ue__N <= 65535	 ? ue__terminated(element::string) | UE__T_BOUNDED |
							 UE__T_LENGTH(ue__N) :
				   ue__terminated(element::string);
	static uint64_t ue__value(const volatile ue__T *v) { return (uint64_t)(uintptr_t)v; }
};
/* Whatever has data() and size(): std::string, string_view, array, vector, span. */
template <class ue__T>
struct ue__auto<ue__T, typename ue__void<decltype(ue__declval<const ue__T &>().data(),
					      ue__declval<const ue__T &>().size())>::type> {
	typedef typename ue__plain<decltype(*ue__declval<const ue__T &>().data())>::type unit;
	typedef ue__scalar<unit> element;
	static constexpr uint64_t type =
		!element::type ? UE__T_NONE :
		UE__T_SPAN | (element::string ? element::string : element::type | UE__T_VARRAY);
	static ue__span ue__value(const ue__T &v)
	{
		return ue__span{ static_cast<const void *>(v.data()),
				 static_cast<size_t>(v.size()) };
	}
};
/*
 * What sites ask of the type (trace.h). By the type's name, not deduced from an argument: a
 * template for each type, not each site.
 */
template <class ue__T> struct ue__bare;
#define UE__TYPE_0B(at, as, tag, string, x) typedef decltype(x) ue__x##at;
#define UE__ENUM_0B(at, as, tag, string, x) ue__t##at = as(ue__bare<ue__x##at>::ue__type) tag,
#define UE__IN(at, x) ue__bare<ue__x##at>::ue__value(x)
#endif

#ifndef UE__DECLARED_ONLY

#ifndef UE_DISABLE

/* ---- Activity ids -------------------------------------------------------------------------- */

/* Where getrandom() is refused, each id is read: the address and the pid alone would give one. */
UE__FN void ue__random(uint64_t random[2])
{
	UE__KEEP("X"(ue__open_copy), "X"(ue__close_copy));
	int fd = -1, *stack = &fd;
	long n = ue__syscall3(__NR_getrandom, (long)random, 16, 0);

	if (n != 16) {
		fd = ue__open("/dev/urandom", UE__RDONLY | UE__CLOEXEC);
		if (fd >= 0) {
			n = ue__read(fd, random, 16);
			ue__close(fd);
		}
	}
	if (n != 16) {
		random[0] = (uint64_t)ue__syscall3(__NR_getpid, 0, 0, 0) << 32 ^
			    (uint64_t)(uintptr_t)stack;
		random[1] = (uint64_t)(uintptr_t)&ue__state_v1;
	}
}

UE__COLD(struct ue__process *, ue__activities, (void))
{
	UE__COPY(ue__activities, "X"(ue__activities_copy), "X"(ue__process_page_copy));
	uint32_t ready = 0;
	struct ue__process *p = ue__process_page();

	if (!p)
		return NULL;
	if (__atomic_compare_exchange_n(&p->ready, &ready, 1, false, __ATOMIC_ACQUIRE,
					__ATOMIC_ACQUIRE)) {
		ue__random(p->random);
		__atomic_store_n(&p->ready, 2, __ATOMIC_RELEASE);
		ready = 2;
	}
	return ready == 2 ? p : NULL;
}

/*
 * A number that is unique in the process. With words of 32 bits, each half of the counter's range
 * has a number of laps, which advances while the other half is in use.
 */
static inline uint64_t ue__next_number(struct ue__process *p)
{
	size_t n = __atomic_fetch_add(&p->count, 1, __ATOMIC_RELAXED);
#if __SIZEOF_SIZE_T__ > 4
	return n;
#else
	unsigned int half = n >> 31;

	if (!(n & 0x7fffffff))
		__atomic_fetch_add(&p->lap[!half], 1, __ATOMIC_RELAXED);
	return UE__U64(UE__LOAD(&p->lap[half])) << 32 | n;
#endif
}

UE__API void ue_activity_new(uint8_t id[16])
{
	UE__KEEP("X"(ue__activities_copy));
	struct ue__process *a = __atomic_load_n(&ue__state_v1.process, __ATOMIC_ACQUIRE);
	uint64_t bits[2];

	if (!a || __atomic_load_n(&a->ready, __ATOMIC_ACQUIRE) != 2)
		a = ue__activities();
	if (a) {
		bits[0] = a->random[0];
		bits[1] = a->random[1] + ue__next_number(a);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
		bits[1] = __builtin_bswap64(bits[1]); /* its top bits become the variant */
#endif
	} else {
		ue__random(bits); /* another thread initialises it, or the kernel is old */
	}
	memcpy(id, bits, 16);
	id[6] = (uint8_t)((id[6] & 0x0f) | 0x40); /* a UUID of version 4 */
	id[8] = (uint8_t)((id[8] & 0x3f) | 0x80);
}

#else /* UE_DISABLE */

UE__API void ue_activity_new(uint8_t id[16])
{
	memset(id, 0, 16);
}

#endif /* UE_DISABLE */
#ifndef UE_DISABLE

/* ---- Probes -------------------------------------------------------------------------------- */

static inline void ue__run_list(struct ue__probe **list, struct ue_event *event,
				const void *payload, size_t size)
{
	struct ue__probe *p;

	for (p = __atomic_load_n(list, __ATOMIC_SEQ_CST); p;
	     p = __atomic_load_n(&p->next, __ATOMIC_ACQUIRE)) {
		if (!p->typed)
			p->function.payload(event, payload, size, p->data);
	}
}

/* Calls the probes of EVENT, with what is behind the index as one piece. */
UE__COLD(void, ue__run_probes, (struct ue_event *event, const struct ue__iovec *iov, int count))
{
	UE__COPY(ue__run_probes, "X"(ue__run_probes_copy), "X"(ue__map_copy));
	unsigned char *mapped = NULL, *payload;
	size_t size = 0, done, room = 0;
	int i, saved = errno;
	struct ue__section section;

	if (!ue__enter(&section, UE__PROBES)) {
		UE__INCREMENT(&ue__state_v1.unprobed);
		return;
	}
	for (i = 0; i < count; i++)
		size += iov[i].iov_len;
	size -= sizeof(uint32_t);
	if (count == 1) {
		payload = (unsigned char *)iov[0].iov_base + sizeof(uint32_t);
	} else if (count == 2 && iov[0].iov_len == sizeof(uint32_t)) {
		payload = (unsigned char *)iov[1].iov_base;
	} else {
		/* the index in front of it, at an address that aligns the payload to 8 */
		room = size + 16;
		if (size > 4096)
			payload = mapped = (unsigned char *)ue__map(room);
		else
			payload = (unsigned char *)__builtin_alloca(room);
		if (!payload) {
			ue__leave(&section);
			UE__INCREMENT(&ue__state_v1.unprobed);
			return;
		}
		payload += (8 - (uintptr_t)payload % 8) % 8 + 4;
		for (i = 0, done = 0; i < count; done += iov[i++].iov_len)
			if (iov[i].iov_len)
				memcpy(payload + done, iov[i].iov_base, iov[i].iov_len);
		payload += sizeof(uint32_t);
	}
	ue__run_list(&event->probes, event, payload, size);
	ue__run_list(&ue__state_v1.probes, event, payload, size);
	ue__leave(&section);
	if (mapped)
		munmap(mapped, room);
	errno = saved;
}

static inline bool ue__is_probe(const struct ue__probe *p, void (*function)(void), const void *data,
				int typed)
{
	return p->function.any == function && p->data == data && p->typed == typed;
}

/* FIRST is whether there was none of its kind. Of equal priority the first one is called first. */
UE__FN int ue__add_probe(struct ue_event *event, void (*function)(void), void *data, int typed,
			 int prio, bool *first)
{
	UE__KEEP("X"(ue__process_page_copy), "X"(ue__unlock_copy), "X"(ue__allocate_copy),
		 "X"(ue__run_probes_copy), "X"(ue__update_our_bits_copy), "X"(ue__next_event_copy));
	struct ue__state *s = &ue__state_v1;
	struct ue__probe **link = event ? &event->probes : &s->probes, **place = NULL, *p;
	struct ue_event *e;

	if (!function)
		return -EINVAL;
	if (event && !UE__LOAD(&event->desc))
		return -ENOENT;
	ue__keep_entries();
	if (!ue__process_page())
		return -ENOMEM;
	*first = true;
	ue__lock();
	for (; *link; link = &(*link)->next) {
		if (ue__is_probe(*link, function, data, typed)) {
			ue__unlock();
			return -EEXIST;
		}
		*first &= (*link)->typed != typed;
		if (!place && (*link)->prio < prio)
			place = link;
	}
	if (!place)
		place = link;
	p = (struct ue__probe *)ue__allocate(sizeof(*p));
	if (p) {
		p->next = *place;
		p->function.any = function;
		p->data = data;
		p->typed = typed;
		p->prio = prio;
		__atomic_store_n(&s->run, &ue__run_probes, __ATOMIC_RELEASE);
		__atomic_store_n(place, p, __ATOMIC_RELEASE);
		if (event)
			ue__update_our_bits(event);
		for (e = event ? NULL : ue__next_event(NULL); e; e = ue__next_event(e))
			ue__update_our_bits(e);
	}
	ue__unlock();
	return p ? 0 : -ENOMEM;
}

/* LAST is whether there is none of its kind left. */
UE__FN int ue__remove_probe(struct ue_event *event, void (*function)(void), void *data, int typed,
			    bool *last)
{
	UE__KEEP("X"(ue__probing_copy), "X"(ue__update_our_bits_copy),
		 "X"(ue__next_event_copy), "X"(ue__unlock_copy), "X"(ue__synchronize_copy),
		 "X"(ue__free_copy));
	struct ue__probe **link = event ? &event->probes : &ue__state_v1.probes, *p = NULL, **place;
	struct ue_event *e;

	if (ue__probing())
		return -EDEADLK;
	*last = true;
	ue__lock();
	for (place = NULL; *link; link = &(*link)->next) {
		if (ue__is_probe(*link, function, data, typed))
			place = link;
		else
			*last &= (*link)->typed != typed;
	}
	if (place) {
		p = *place;
		__atomic_store_n(place, p->next, __ATOMIC_SEQ_CST);
		if (event)
			ue__update_our_bits(event);
		for (e = event ? NULL : ue__next_event(NULL); e; e = ue__next_event(e))
			ue__update_our_bits(e);
	}
	ue__unlock();
	if (!p)
		return -ENOENT;
	ue__synchronize();
	ue__lock();
	ue__free(p, sizeof(*p));
	ue__unlock();
	return 0;
}

UE__API int ue_probe_register(struct ue_event *event, ue_probe_fn function, void *data)
{
	union ue__function f;
	bool first;

	f.payload = function;
	return ue__add_probe(event, f.any, data, 0, 0, &first);
}

UE__API int ue_probe_unregister(struct ue_event *event, ue_probe_fn function, void *data)
{
	union ue__function f;
	bool last;

	f.payload = function;
	return ue__remove_probe(event, f.any, data, 0, &last);
}

UE__API struct ue_event *ue_event_find(const char *name, const struct ue_event *after)
{
	UE__KEEP("X"(ue__next_event_copy), "X"(ue__spec_copy), "X"(ue__unlock_copy));
	struct ue_event *event;
	char spec[512];

	ue__lock();
	event = ue__next_event((struct ue_event *)(uintptr_t)after);
	for (; event && name; event = ue__next_event(event)) {
		if (ue__spec(event, spec) == -EINVAL)
			continue;
		if (strcspn(spec, " ") == strlen(name) && memcmp(name, spec, strlen(name)) == 0)
			break;
	}
	ue__unlock();
	return event;
}

UE__API int ue_event_spec(const struct ue_event *event, char *text, size_t size)
{
	UE__KEEP("X"(ue__spec_copy));
	struct ue__text t = ue__text_in(text, size);
	char spec[512];
	int error = ue__spec(event, spec);

	if (error == -ENOENT || error == -E2BIG)
		return error;
	ue__put(&t, spec);
	return (int)t.length;
}

#else /* UE_DISABLE */

UE__DISABLED(-ENOSYS,
	     int ue_probe_register(struct ue_event *event, ue_probe_fn function, void *data))
UE__DISABLED(-ENOENT,
	     int ue_probe_unregister(struct ue_event *event, ue_probe_fn function, void *data))
UE__DISABLED(NULL, struct ue_event *ue_event_find(const char *name, const struct ue_event *after))

UE__API int ue_event_spec(const struct ue_event *event, char *text, size_t size)
{
	if (size)
		*text = '\0';
	return -ENOENT;
}

#endif /* UE_DISABLE */

/* ---- Builder: the buffer of metadata and data ---------------------------------------------- */

struct ue__piece {
	const void *data;
	size_t size, at; /* bytes; those of data before it */
};
enum {
	UE__BUILDER_HEAD = 4 + 8 + 36 + 4,
	UE__BUILDER_META = UE__BUILDER_HEAD + 65535, /* no data beyond, so that names end there */
	UE__BUILDER_COPIES = 64
};

static inline struct ue__piece *ue__pieces(const struct ue_builder *b)
{
	uintptr_t end = ((uintptr_t)b->buffer + b->size) & ~(uintptr_t)(sizeof(void *) - 1);

	return (struct ue__piece *)end - b->pieces;
}

/* Makes room for more bytes of each; moves the data if needed. */
UE__FN UE__NOINLINE bool ue__make_room(struct ue_builder *b, size_t meta, size_t data,
				       unsigned int pieces)
{
	size_t used = b->data_end - b->data, limit, start;

	if (b->error)
		return false;
	b->pieces += pieces;
	limit = b->size > (b->pieces + 1) * sizeof(struct ue__piece)
			? (size_t)((unsigned char *)ue__pieces(b) - b->buffer)
			: 0;
	b->pieces -= pieces;
	if (!b->buffer)
		b->error = -EINVAL; /* not begun */
	else if (b->meta_end + meta > UE__BUILDER_META || b->pieces + pieces > 500)
		b->error = -E2BIG;
	else if (b->meta_end + meta + used + data > limit)
		b->error = -ENOSPC;
	if (b->error)
		return false;
	b->limit = limit;
	if (b->meta_end + meta > b->data || b->data_end + data > limit) {
		start = b->meta_end + meta + (limit - b->meta_end - meta - used - data) / 2;
		if (start > UE__BUILDER_META)
			start = UE__BUILDER_META;
		memmove(b->buffer + start, b->buffer + b->data, used);
		b->data = start;
		b->data_end = start + used;
	}
	return true;
}

static inline bool ue__room(struct ue_builder *b, size_t meta, size_t data)
{
	if (b->meta_end + meta <= b->data && b->data_end + data <= b->limit && !b->error)
		return true;
	return ue__make_room(b, meta, data, 0);
}

UE__FN void ue__meta(struct ue_builder *b, const void *p, size_t n)
{
	if (b->replay) {
		/* a later element of a struct array must say the same */
		if (b->replay + n > b->meta_end || memcmp(b->buffer + b->replay, p, n) != 0)
			b->error = -EINVAL;
		else
			b->replay += n;
	} else if (ue__room(b, n, 0)) {
		memcpy(b->buffer + b->meta_end, p, n);
		b->meta_end += n;
	}
}

UE__FN void ue__data(struct ue_builder *b, const void *p, size_t n)
{
	if (n > UE__BUILDER_COPIES) {
		if (ue__make_room(b, 0, 0, 1)) {
			struct ue__piece *pieces;

			b->pieces++;
			/* the newest is the lowest */
			pieces = ue__pieces(b);
			pieces->data = p;
			pieces->size = n;
			pieces->at = b->data_end - b->data;
		}
	} else if (n && ue__room(b, 0, n)) {
		memcpy(b->buffer + b->data_end, p, n);
		b->data_end += n;
	}
}

/* ---- Builder ------------------------------------------------------------------------------- */

UE__API int ue_builder_begin(struct ue_builder *b, void *buffer, size_t size, const char *name,
			     uint16_t tag)
{
	memset(b, 0, offsetof(struct ue_builder, open));
	b->buffer = (unsigned char *)buffer;
	b->size = size;
	b->meta_end = UE__BUILDER_HEAD;
	b->tag = tag;
	if (!buffer || !name || !*name)
		b->error = -EINVAL;
	else if (size < UE__BUILDER_HEAD + sizeof(void *))
		b->error = -ENOSPC;
	b->data = b->data_end = UE__BUILDER_HEAD;
	if (!b->error) {
		/* half for the names, half for the values, as long as nothing says otherwise */
		b->limit = (size_t)((unsigned char *)ue__pieces(b) - b->buffer);
		b->data = b->data + (b->limit - b->data) / 2;
		if (b->data > UE__BUILDER_META)
			b->data = UE__BUILDER_META;
		b->data_end = b->data;
	}
	if (!b->error)
		ue__meta(b, name, strlen(name) + 1);
	return b->error;
}

UE__API void ue_builder_id(struct ue_builder *b, uint16_t id, uint8_t version)
{
	b->id = id;
	b->version = version;
}

UE__API void ue_builder_opcode(struct ue_builder *b, uint8_t opcode)
{
	b->opcode = opcode;
}

/* ---- Builder: fields ----------------------------------------------------------------------- */

/* Counts a member of the innermost struct, in its format byte. False if it can have no more. */
static inline bool ue__count_member(struct ue_builder *b)
{
	struct ue__open_struct *open = &b->open[b->depth - 1];

	if (open->array && open->elements == 0)
		b->error = -EINVAL; /* no ue_struct_array_next() */
	else if (++open->members > 127)
		b->error = -E2BIG;
	if (b->error)
		return false;
	if (!b->replay)
		b->buffer[open->format_at] =
			(unsigned char)((b->buffer[open->format_at] & UE__ENCODING_MORE) |
					open->members);
	return true;
}

/*
 * The definition of a field or struct of type T. False after an error. If not, there is room for a
 * scalar's value, too: 8 bytes are stored whatever its size.
 */
UE__FN bool ue__define(struct ue_builder *b, const char *name, uint64_t t)
{
	unsigned int format = b->next_format ? b->next_format : (unsigned int)UE__FORMAT_OF(t);
	uint16_t count = (uint16_t)UE__LENGTH_OF(t);
	unsigned char encoding[6]; /* kind, format, tag, count */
	size_t n = 1, at, length;

	if (!b->error && (!name || !*name))
		b->error = -EINVAL;
	if (b->error || (b->depth && !ue__count_member(b)))
		return false;
	length = strlen(name) + 1;
	encoding[0] = (unsigned char)(UE__KIND_OF(t) | UE__ENCODING_ARRAY(t));
	if (UE__ROW_OF(t) == UE__ROW_STRUCT) {
		at = (b->replay ? b->replay : b->meta_end) + length + 1;
		b->open[b->depth].format_at = at;
		/* it counts members: known at the end or, in a later element, checked by them */
		if (b->replay && at < b->meta_end)
			format = b->buffer[at] & ~(unsigned int)UE__ENCODING_MORE;
	}
	if (format || b->next_tag || UE__ROW_OF(t) == UE__ROW_STRUCT) {
		encoding[0] |= UE__ENCODING_MORE;
		encoding[n++] = (unsigned char)(format | (b->next_tag ? UE__ENCODING_MORE : 0u));
	}
	if (b->next_tag) {
		memcpy(encoding + n, &b->next_tag, 2);
		n += 2;
	}
	if (t & UE__T_CARRAY) {
		memcpy(encoding + n, &count, 2);
		n += 2;
	}
	b->next_tag = 0;
	b->next_format = 0;
	if (b->replay) {
		ue__meta(b, name, length);
		ue__meta(b, encoding, n);
		return ue__room(b, 0, 8);
	}
	if (!ue__room(b, length + (n > 2 ? 6 : 2), 8))
		return false;
	memcpy(b->buffer + b->meta_end, name, length);
	memcpy(b->buffer + b->meta_end + length, encoding, 2);
	if (n > 2)
		memcpy(b->buffer + b->meta_end + length + 2, encoding + 2, 4);
	b->meta_end += length + n;
	return true;
}

UE__FN void ue__add_value(struct ue_builder *b, const char *name, uint64_t t, const void *value)
{
	static const char zeros[16] = "";

	if (ue__define(b, name, t))
		ue__data(b, value ? value : zeros, (size_t)1 << UE__LOG2_OF(t));
}

static inline void ue__add_scalar(struct ue_builder *b, const char *name, uint64_t t,
				  uint64_t value)
{
	if (ue__define(b, name, t)) {
		ue__put_value(b->buffer + b->data_end, value, (uint32_t)t);
		b->data_end += (size_t)1 << UE__LOG2_OF(t);
	}
}

/* A string, and its zero unit. */
UE__FN void ue__add_string(struct ue_builder *b, const void *p, unsigned int log2)
{
	UE__KEEP("X"(ue__units_copy));
	size_t n = p ? ue__units(p, log2, 65535) : 0;

	if (n == 65535) {
		if (ue__is_longer(p, log2))
			UE__INCREMENT(&ue__state_v1.cut);
	} else if (n << log2 > UE__BUILDER_COPIES) {
		ue__data(b, p, (n + 1) << log2);
		return;
	}
	if (n)
		ue__data(b, p, n << log2);
	ue__data(b, "\0\0\0", (size_t)1 << log2);
}

UE__FN void ue__add_data(struct ue_builder *b, const char *name, uint64_t t, const void *p,
			 size_t count)
{
	unsigned int log2 = (unsigned int)UE__LOG2_OF(t);
	bool strings = UE__SHAPE_OF(t) == UE__SHAPE_ZSTRING;
	uint16_t n;
	size_t i;

	if (!b->error && (t & UE__T_CARRAY) && (count == 0 || !p))
		b->error = -EINVAL;
	if (!p)
		count = 0;
	if (count > 65535) {
		count = 65535;
		UE__INCREMENT(&ue__state_v1.cut);
	}
	if (t & UE__T_CARRAY)
		t = UE__ELEMENT_OF(t) | UE__T_LENGTH(count);
	if (!ue__define(b, name, t))
		return;
	n = (uint16_t)count;
	if (!(t & UE__T_CARRAY) && (UE__IS_ARRAY(t) || !strings))
		ue__data(b, &n, 2);
	if (strings && UE__IS_ARRAY(t))
		for (i = 0; i < count; i++)
			ue__add_string(b, ((const void *const *)p)[i], log2);
	else if (strings)
		ue__add_string(b, p, log2);
	else
		ue__data(b, p, count << log2);
}

UE__API void ue_field_tag(struct ue_builder *b, uint16_t tag)
{
	b->next_tag = tag;
}

UE__API void ue_field_format(struct ue_builder *b, uint8_t format)
{
	if (format > 127 && !b->error)
		b->error = -EINVAL;
	b->next_format = format;
}

/* ---- Builder: structs ---------------------------------------------------------------------- */

UE__FN void ue__open_struct_begin(struct ue_builder *b, const char *name, bool array)
{
	struct ue__open_struct *open = &b->open[b->depth < 8 ? b->depth : 7];

	if (!b->error && b->depth == 8)
		b->error = -E2BIG;
	if (b->error)
		return;
	b->next_format = 0;
	memset(open, 0, sizeof(*open));
	if (!ue__define(b, name, UE__T_0STRUCT | (array ? UE__T_VARRAY : 0)))
		return;
	open->array = array;
	open->replayed = b->replay != 0;
	open->members_at = b->replay ? b->replay : b->meta_end;
	if (array) {
		open->count_at = b->data_end - b->data;
		ue__data(b, &open->elements, 2);
	}
	if (!b->error)
		b->depth++;
}

/* Where an element of the innermost struct ends in the metadata: all its members were added. */
UE__FN void ue__element_end(struct ue_builder *b, struct ue__open_struct *open)
{
	size_t here = b->replay ? b->replay : b->meta_end;

	if (here == open->members_at || (open->members_end && here != open->members_end) ||
	    (b->buffer[open->format_at] & 0x7f) != open->members)
		b->error = -EINVAL;
	open->members_end = here;
	open->members = 0;
}

UE__API void ue_struct_begin(struct ue_builder *b, const char *name)
{
	ue__open_struct_begin(b, name, false);
}

UE__API void ue_struct_array_begin(struct ue_builder *b, const char *name)
{
	ue__open_struct_begin(b, name, true);
}

UE__API void ue_struct_array_next(struct ue_builder *b)
{
	struct ue__open_struct *open = &b->open[b->depth ? b->depth - 1 : 0];

	if (!b->error && (b->depth == 0 || !open->array))
		b->error = -EINVAL;
	if (b->error)
		return;
	if (open->elements > 0) {
		ue__element_end(b, open);
		b->replay = open->members_at;
	}
	if (++open->elements == 0)
		b->error = -E2BIG;
	else
		memcpy(b->buffer + b->data + open->count_at, &open->elements, 2);
}

UE__API void ue_struct_end(struct ue_builder *b)
{
	struct ue__open_struct *open = &b->open[b->depth ? b->depth - 1 : 0];

	if (!b->error && (b->depth == 0 || (open->array && open->elements == 0)))
		b->error = -EINVAL;
	if (b->error)
		return;
	ue__element_end(b, open);
	/* within a later element of an outer array, go on comparing */
	b->replay = open->replayed ? open->members_end : 0;
	b->depth--;
}

#ifndef UE_DISABLE

/* ---- Builder: the write -------------------------------------------------------------------- */

/* Writes index, header, activity and size in front of the metadata. Returns where they begin. */
static inline unsigned char *ue__put_builder_head(struct ue_builder *b, uint32_t index,
						  uint8_t level, const void *activity,
						  const void *related)
{
	unsigned char *begin = b->buffer + UE__BUILDER_HEAD - 4 - 8 - 4, *p;

	if (activity)
		begin -= related ? 36 : 20;
	p = begin;
	memcpy(p, &index, 4);
	p[4] = UE__HEADER_FLAGS;
	p[5] = b->version;
	memcpy(p + 6, &b->id, 2);
	memcpy(p + 8, &b->tag, 2);
	p[10] = b->opcode;
	p[11] = level;
	p += 12;
	if (activity)
		p = ue__put_activity(p, activity, related);
	ue__put_u16(ue__put_u16(p, b->meta_end - UE__BUILDER_HEAD), UE__EXTENSION_METADATA);
	return begin;
}

/*
 * Appends the data and the long pieces between it to IOV, whose first segment ends with the
 * metadata. Returns the number of segments, and adds to *SIZE what they have.
 */
static inline int ue__put_builder_data(struct ue_builder *b, struct ue__iovec *iov, size_t *size)
{
	const struct ue__piece *pieces = ue__pieces(b);
	size_t n = b->data_end - b->data, done = 0;
	unsigned int i;
	int count = 0;

	/* one segment if the data can be moved behind the metadata cheaply */
	if (n <= UE_INLINE_BYTES && b->data != b->meta_end) {
		memmove(b->buffer + b->meta_end, b->buffer + b->data, n);
		b->data = b->meta_end;
		b->data_end = b->data + n;
	}
	for (i = b->pieces + 1; i-- > 0;) {
		size_t end = i ? pieces[i - 1].at : n;

		if (end > done) {
			if (count == 0 && b->data == b->meta_end) {
				iov[0].iov_len += end - done;
			} else {
				iov[++count].iov_base = b->buffer + b->data + done;
				iov[count].iov_len = end - done;
			}
			*size += end - done;
			done = end;
		}
		if (i) {
			iov[++count].iov_base = (void *)(uintptr_t)pieces[i - 1].data;
			iov[count].iov_len = pieces[i - 1].size;
			*size += pieces[i - 1].size;
		}
	}
	return count + 1;
}

UE__API int ue_builder_write(struct ue_builder *b, struct ue_event_set *set, const void *activity,
			     const void *related)
{
	uint32_t index = UE__LOAD(&set->event.index);
	struct ue__iovec *iov;
	unsigned char *begin;
	size_t size;
	int count;

	if (!b->error && (b->depth || !b->buffer))
		b->error = -EINVAL;
	if (b->error)
		return b->error;
	if (!ue_event_set_enabled(set) || index-- == 0)
		return 0;
	iov = (struct ue__iovec *)__builtin_alloca((2 * b->pieces + 2) * sizeof(*iov));
	begin = ue__put_builder_head(b, index, set->event.level, activity, related);
	size = (size_t)(b->buffer + b->meta_end - begin);
	iov[0].iov_base = begin;
	iov[0].iov_len = size;
	count = ue__put_builder_data(b, iov, &size);
	return ue__send_any(&set->event, iov, count, size);
}

#else /* UE_DISABLE */

UE__API int ue_builder_write(struct ue_builder *b, struct ue_event_set *set, const void *activity,
			     const void *related)
{
	return b->error ? b->error : b->depth || !b->buffer ? -EINVAL : 0;
}

#endif /* UE_DISABLE */

#endif

/* ---- Builder: a function for each type ----------------------------------------------------- */

#ifdef UE__DECLARED_ONLY
#define UE__BODY(...) ;
#else
#define UE__BODY(...) { __VA_ARGS__ }
#endif
#define UE__BUILD_VALUES(_) \
	_(u8, U8) _(u16, U16) _(u32, U32) _(u64, U64) _(i8, I8) _(i16, I16) _(i32, I32) \
	_(i64, I64) _(x8, X8) _(x16, X16) _(x32, X32) _(x64, X64) _(ptr, PTR) _(f32, F32) \
	_(f64, F64) _(bool, BOOL) _(char, CHAR) _(char16, CHAR16) _(char32, CHAR32) \
	_(pid, PID) _(errno, ERRNO) _(port, PORT) _(time32, TIME32) _(time64, TIME64)
#define UE__BUILD_POINTERS(_) _(uuid, UUID) _(ipv4, IPV4) _(ipv6, IPV6)
#define UE__BUILD_STRINGS(_) \
	_(str, STR) _(str16, STR16) _(str32, STR32) _(latin1, LATIN1) _(xml, XML) _(json, JSON)
#define UE__BUILD_COUNTED(_) _(strn, STRN) _(str16n, STR16N) _(str32n, STR32N) _(bytes, BYTES)

#define UE__BUILD_VALUE(name_, type) \
	UE__API void ue_add_##name_(struct ue_builder *b, const char *name, ue__c_0##type value) \
	UE__BODY(ue__add_scalar(b, name, UE__T_0##type, ue__in_0##type(value));) \
	UE__BUILD_ARRAYS(ue_add_array_##name_, ue_add_fixed_array_##name_, UE__T_0##type, \
			 ue__c_0##type)
#define UE__BUILD_POINTER(name_, type) \
	UE__API void ue_add_##name_(struct ue_builder *b, const char *name, const void *value) \
	UE__BODY(ue__add_value(b, name, UE__T_0##type, value);) \
	UE__BUILD_ARRAYS(ue_add_array_##name_, ue_add_fixed_array_##name_, UE__T_0##type, void)
#define UE__BUILD_STRING(name_, type) \
	UE__API void ue_add_##name_(struct ue_builder *b, const char *name, ue__c_0##type value) \
	UE__BODY(ue__add_data(b, name, UE__T_0##type, value ? (const void *)value : "\0\0\0", 1);) \
	UE__BUILD_ARRAYS(ue_add_array_##name_, ue_add_fixed_array_##name_, UE__T_0##type, \
			 ue__c_0##type)
#define UE__BUILD_ARRAYS(array, fixed_array, t, ctype) \
	UE__API void array(struct ue_builder *b, const char *name, ctype const *p, size_t count) \
	UE__BODY(ue__add_data(b, name, (t) | UE__T_VARRAY, p, count);) \
	UE__API void fixed_array(struct ue_builder *b, const char *name, ctype const *p, size_t n) \
	UE__BODY(ue__add_data(b, name, (t) | UE__T_CARRAY, p, n);)
#define UE__BUILD_COUNT(name_, type) \
	UE__API void ue_add_##name_(struct ue_builder *b, const char *name, ue__c_0##type p, \
				   size_t count) \
	UE__BODY(ue__add_data(b, name, UE__T_0##type, p, count);)
UE__BUILD_VALUES(UE__BUILD_VALUE)
UE__BUILD_POINTERS(UE__BUILD_POINTER)
UE__BUILD_STRINGS(UE__BUILD_STRING)
UE__BUILD_COUNTED(UE__BUILD_COUNT)

/* ---- Preprocessor: for each field ---------------------------------------------------------- */

/*
 * UE__NORMAL(n, at, fields..., UE__END) makes the list that all else works on. Each field is a
 * class and a tuple: a bare variable becomes 0B(position, , , "x", x); field.h has the others. Up
 * to eight fields are one group, of that length: N is 0N3 for three. Of more, N is the number of
 * groups of eight, and the last of them is filled up with UE__END.
 *
 * UE__EACH(n, op, list) expands to op_0V(position, ...) op_0B(...) and so on, in order. N is
 * UE__GROUPS(fields..., UE__END). A position is AT, which tells the names of events at file scope
 * apart, how many groups follow, and the field's place in its group: ue__t0_1 is the first field's
 * type. Eight fields at a time, so that the expansion is linear in their number.
 *
 * The compiler reads each list many times, so this is written for its time: a field's class stands
 * where op is pasted to it, and the result is a macro's call, without a macro that takes the field
 * apart.
 *
 * Nothing is pasted to what a user wrote but the names of our own macros, which begin with a digit:
 * a program may have macros of any name.
 */
#define UE__END (0X, UE__FIELD, 0END, ~)
#define UE__NOTHING (0X, UE__FIELD, 0NOTHING, ~) /* neither a field nor the end */
#define UE__CAT(a, b) UE__CAT_(a, b)
#define UE__CAT_(a, b) a##b
#define UE__STRINGIFY(x) #x
#define UE__STRINGIFY_EACH(x) UE__STRINGIFY(x)

#define UE__SECOND(a, b, ...) b
#define UE__SECOND_OF(...) UE__SECOND(__VA_ARGS__)
#define UE__PAREN_PROBE(...) ~, 1
#define UE__IS_PAREN(x) UE__SECOND_OF(UE__PAREN_PROBE x, 0, ~)
#define UE__UNPACK(...) __VA_ARGS__

/* One argument or more? Up to 16 are told apart from one. */
#define UE__MANY(...) \
	UE__MANY_(__VA_ARGS__, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, ~)
/* One, two, or three and more? */
#define UE__UP_TO_3(...) \
	UE__MANY_(__VA_ARGS__, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2, 1, ~)
#define UE__MANY_(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, result, ...) result

/*
 * The number of fields before UE__END, and of groups of eight that they take, up to 256. Up to
 * eight fields are told by what comes tenth, since lists of 257 take the compiler long.
 */
#define UE__COUNT(...)                                                                  \
	UE__FEW_OR(UE__TENTH_(__VA_ARGS__, (, 8), (, 7), (, 6), (, 5), (, 4), (, 3), (, 2), (, 1), \
			      (, 0), ~), UE__COUNT_MANY)(__VA_ARGS__)
#define UE__GROUPS(...)                                                                 \
	UE__FEW_OR(UE__TENTH_(__VA_ARGS__, (, 0N8), (, 0N7), (, 0N6), (, 0N5), (, 0N4), (, 0N3), \
			      (, 0N2), (, 0N1), (, 0N0), ~), UE__GROUPS_OF_MANY)(__VA_ARGS__)
/* The groups of COUNT fields. */
#define UE__GROUPS_BY(count, ...) \
	UE__SECOND_OF(UE__ONE_GROUP_##count, UE__GROUPS_OF_MANY, ~)(__VA_ARGS__)
#define UE__ONE_GROUP_0 ~, UE__IS_0N0
#define UE__ONE_GROUP_1 ~, UE__IS_0N1
#define UE__ONE_GROUP_2 ~, UE__IS_0N2
#define UE__ONE_GROUP_3 ~, UE__IS_0N3
#define UE__ONE_GROUP_4 ~, UE__IS_0N4
#define UE__ONE_GROUP_5 ~, UE__IS_0N5
#define UE__ONE_GROUP_6 ~, UE__IS_0N6
#define UE__ONE_GROUP_7 ~, UE__IS_0N7
#define UE__ONE_GROUP_8 ~, UE__IS_0N8
#define UE__TENTH_(a, b, c, d, e, f, g, h, i, j, ...) j
#define UE__FEW_OR(x, many) UE__SECOND_OF(UE__FEW x, many, ~)
#define UE__FEW(first, ...) UE__FEW_##first(__VA_ARGS__)
#define UE__FEW_(n) ~, UE__IS_##n
#define UE__IS_0(...) 0
#define UE__IS_1(...) 1
#define UE__IS_2(...) 2
#define UE__IS_3(...) 3
#define UE__IS_4(...) 4
#define UE__IS_5(...) 5
#define UE__IS_6(...) 6
#define UE__IS_7(...) 7
#define UE__IS_8(...) 8
#define UE__IS_0N0(...) 0N0
#define UE__IS_0N1(...) 0N1
#define UE__IS_0N2(...) 0N2
#define UE__IS_0N3(...) 0N3
#define UE__IS_0N4(...) 0N4
#define UE__IS_0N5(...) 0N5
#define UE__IS_0N6(...) 0N6
#define UE__IS_0N7(...) 0N7
#define UE__IS_0N8(...) 0N8
#define UE__COUNT_MANY(...)                                                             \
	UE__PICK(__VA_ARGS__, 256, 255, 254, 253, 252, 251, 250, UE__10(24), UE__10(23), \
		 UE__10(22), UE__10(21), UE__10(20), UE__10(19), UE__10(18), UE__10(17), \
		 UE__10(16), UE__10(15), UE__10(14), UE__10(13), UE__10(12), UE__10(11), \
		 UE__10(10), UE__10(9), UE__10(8), UE__10(7), UE__10(6), UE__10(5), UE__10(4), \
		 UE__10(3), UE__10(2), UE__10(1), UE__10(), ~)
/* Up to 64 fields exactly, then 16 or 32: the others are UE__END. */
#define UE__GROUPS_OF_MANY(...)                                                         \
	UE__PICK(__VA_ARGS__, UE__64(32), UE__64(32), UE__64(16), UE__8(8), UE__8(7), UE__8(6), \
		 UE__8(5), UE__8(4), UE__8(3), UE__8(2), UE__8(1), 1, ~)
/* The 258th argument. */
#define UE__PICK(...) UE__SECOND_OF(UE__DROP(UE__DROP(UE__DROP(UE__DROP(__VA_ARGS__)))))
/* All but the first 64. */
#define UE__DROP(...) UE__DROP_(__VA_ARGS__)
#define UE__DROP_(a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, b3, b4, b5, b6, b7, b8, c1, c2, c3, c4, \
		  c5, c6, c7, c8, d1, d2, d3, d4, d5, d6, d7, d8, e1, e2, e3, e4, e5, e6, e7, e8, \
		  f1, f2, f3, f4, f5, f6, f7, f8, g1, g2, g3, g4, g5, g6, g7, g8, h1, h2, h3, h4, \
		  h5, h6, h7, h8, ...)                                                     \
	__VA_ARGS__
#define UE__8(x) x, x, x, x, x, x, x, x
#define UE__64(x) UE__8(x), UE__8(x), UE__8(x), UE__8(x), UE__8(x), UE__8(x), UE__8(x), UE__8(x)
#define UE__10(x) x##9, x##8, x##7, x##6, x##5, x##4, x##3, x##2, x##1, x##0

#define UE__GROUPS_1(run, op, at, a, b, c, d, e, f, g, h, ...) \
	run(op, at, 0, a, b, c, d, e, f, g, h)
#define UE__GROUPS_0N0 UE__GROUPS_1
#define UE__GROUPS_0N1 UE__GROUPS_1
#define UE__GROUPS_0N2 UE__GROUPS_1
#define UE__GROUPS_0N3 UE__GROUPS_1
#define UE__GROUPS_0N4 UE__GROUPS_1
#define UE__GROUPS_0N5 UE__GROUPS_1
#define UE__GROUPS_0N6 UE__GROUPS_1
#define UE__GROUPS_0N7 UE__GROUPS_1
#define UE__GROUPS_0N8 UE__GROUPS_1
#define UE__GROUPS_2(run, op, at, a, b, c, d, e, f, g, h, ...) \
	run(op, at, 1, a, b, c, d, e, f, g, h) UE__GROUPS_1(run, op, at, __VA_ARGS__)
#define UE__GROUPS_3(run, op, at, a, b, c, d, e, f, g, h, ...) \
	run(op, at, 2, a, b, c, d, e, f, g, h) UE__GROUPS_2(run, op, at, __VA_ARGS__)
#define UE__GROUPS_4(run, op, at, a, b, c, d, e, f, g, h, ...) \
	run(op, at, 3, a, b, c, d, e, f, g, h) UE__GROUPS_3(run, op, at, __VA_ARGS__)
#define UE__GROUPS_5(run, op, at, a, b, c, d, e, f, g, h, ...) \
	run(op, at, 4, a, b, c, d, e, f, g, h) UE__GROUPS_4(run, op, at, __VA_ARGS__)
#define UE__GROUPS_6(run, op, at, a, b, c, d, e, f, g, h, ...) \
	run(op, at, 5, a, b, c, d, e, f, g, h) UE__GROUPS_5(run, op, at, __VA_ARGS__)
#define UE__GROUPS_7(run, op, at, a, b, c, d, e, f, g, h, ...) \
	run(op, at, 6, a, b, c, d, e, f, g, h) UE__GROUPS_6(run, op, at, __VA_ARGS__)
#define UE__GROUPS_8(run, op, at, a, b, c, d, e, f, g, h, ...) \
	run(op, at, 7, a, b, c, d, e, f, g, h) UE__GROUPS_7(run, op, at, __VA_ARGS__)
#define UE__GROUPS_16(run, op, at, ...)                \
	UE__GROUPS_8(run, op, at##8, __VA_ARGS__)      \
	UE__LATER(UE__GROUPS_8, run, op, at, UE__DROP(__VA_ARGS__, UE__64(UE__END)))
#define UE__GROUPS_32(run, op, at, ...)                \
	UE__GROUPS_16(run, op, at##16, __VA_ARGS__)    \
	UE__LATEST(UE__GROUPS_16, run, op, at,          \
		  UE__DROP(UE__DROP(__VA_ARGS__, UE__64(UE__END), UE__64(UE__END))))
#define UE__LATER(next, ...) next(__VA_ARGS__)
#define UE__LATEST(next, ...) next(__VA_ARGS__)

#define UE__EACH(n, ...) UE__EACH_(n, __VA_ARGS__)
#define UE__EACH_(n, ...) UE__EACH_##n(__VA_ARGS__)
#define UE__EACH_1(op, a, b, c, d, e, f, g, h, ...) \
	op##_##a op##_##b op##_##c op##_##d op##_##e op##_##f op##_##g op##_##h
#define UE__EACH_0N0(...)
#define UE__EACH_0N1(op, a, ...) op##_##a
#define UE__EACH_0N2(op, a, b, ...) op##_##a op##_##b
#define UE__EACH_0N3(op, a, b, c, ...) op##_##a op##_##b op##_##c
#define UE__EACH_0N4(op, a, b, c, d, ...) op##_##a op##_##b op##_##c op##_##d
#define UE__EACH_0N5(op, a, b, c, d, e, ...) op##_##a op##_##b op##_##c op##_##d op##_##e
#define UE__EACH_0N6(op, a, b, c, d, e, f, ...) \
	op##_##a op##_##b op##_##c op##_##d op##_##e op##_##f
#define UE__EACH_0N7(op, a, b, c, d, e, f, g, ...) \
	op##_##a op##_##b op##_##c op##_##d op##_##e op##_##f op##_##g
#define UE__EACH_0N8 UE__EACH_1
#define UE__RUN_EACH(op, at, more, ...) UE__EACH_1(op, __VA_ARGS__, ~)
#define UE__EACH_2(op, ...) UE__GROUPS_2(UE__RUN_EACH, op, , __VA_ARGS__)
#define UE__EACH_3(op, ...) UE__GROUPS_3(UE__RUN_EACH, op, , __VA_ARGS__)
#define UE__EACH_4(op, ...) UE__GROUPS_4(UE__RUN_EACH, op, , __VA_ARGS__)
#define UE__EACH_5(op, ...) UE__GROUPS_5(UE__RUN_EACH, op, , __VA_ARGS__)
#define UE__EACH_6(op, ...) UE__GROUPS_6(UE__RUN_EACH, op, , __VA_ARGS__)
#define UE__EACH_7(op, ...) UE__GROUPS_7(UE__RUN_EACH, op, , __VA_ARGS__)
#define UE__EACH_8(op, ...) UE__GROUPS_8(UE__RUN_EACH, op, , __VA_ARGS__)
#define UE__EACH_16(op, ...) UE__GROUPS_16(UE__RUN_EACH, op, , __VA_ARGS__)
#define UE__EACH_32(op, ...) UE__GROUPS_32(UE__RUN_EACH, op, , __VA_ARGS__)

#define UE__NORMAL(n, at, ...) UE__NORMAL_##n(at, __VA_ARGS__)
#define UE__NORMAL_0N0(...) ~
#define UE__NORMAL_0N1(at, a, ...) \
	UE__TUPLE(at##0_1, a), ~
#define UE__NORMAL_0N2(at, a, b, ...) \
	UE__TUPLE(at##0_1, a), UE__TUPLE(at##0_2, b), ~
#define UE__NORMAL_0N3(at, a, b, c, ...) \
	UE__TUPLE(at##0_1, a), UE__TUPLE(at##0_2, b), UE__TUPLE(at##0_3, c), ~
#define UE__NORMAL_0N4(at, a, b, c, d, ...) \
	UE__TUPLE(at##0_1, a), UE__TUPLE(at##0_2, b), UE__TUPLE(at##0_3, c), \
	UE__TUPLE(at##0_4, d), ~
#define UE__NORMAL_0N5(at, a, b, c, d, e, ...) \
	UE__TUPLE(at##0_1, a), UE__TUPLE(at##0_2, b), UE__TUPLE(at##0_3, c), \
	UE__TUPLE(at##0_4, d), UE__TUPLE(at##0_5, e), ~
#define UE__NORMAL_0N6(at, a, b, c, d, e, f, ...) \
	UE__TUPLE(at##0_1, a), UE__TUPLE(at##0_2, b), UE__TUPLE(at##0_3, c), \
	UE__TUPLE(at##0_4, d), UE__TUPLE(at##0_5, e), UE__TUPLE(at##0_6, f), ~
#define UE__NORMAL_0N7(at, a, b, c, d, e, f, g, ...) \
	UE__TUPLE(at##0_1, a), UE__TUPLE(at##0_2, b), UE__TUPLE(at##0_3, c), \
	UE__TUPLE(at##0_4, d), UE__TUPLE(at##0_5, e), UE__TUPLE(at##0_6, f), \
	UE__TUPLE(at##0_7, g), ~
#define UE__NORMAL_0N8(at, a, b, c, d, e, f, g, h, ...) \
	UE__TUPLE(at##0_1, a), UE__TUPLE(at##0_2, b), UE__TUPLE(at##0_3, c), \
	UE__TUPLE(at##0_4, d), UE__TUPLE(at##0_5, e), UE__TUPLE(at##0_6, f), \
	UE__TUPLE(at##0_7, g), UE__TUPLE(at##0_8, h), ~
#define UE__NORMAL_2(at, ...) UE__NORMAL_GROUPS(UE__GROUPS_2, at, __VA_ARGS__)
#define UE__NORMAL_3(at, ...) UE__NORMAL_GROUPS(UE__GROUPS_3, at, __VA_ARGS__)
#define UE__NORMAL_4(at, ...) UE__NORMAL_GROUPS(UE__GROUPS_4, at, __VA_ARGS__)
#define UE__NORMAL_5(at, ...) UE__NORMAL_GROUPS(UE__GROUPS_5, at, __VA_ARGS__)
#define UE__NORMAL_6(at, ...) UE__NORMAL_GROUPS(UE__GROUPS_6, at, __VA_ARGS__)
#define UE__NORMAL_7(at, ...) UE__NORMAL_GROUPS(UE__GROUPS_7, at, __VA_ARGS__)
#define UE__NORMAL_8(at, ...) UE__NORMAL_GROUPS(UE__GROUPS_8, at, __VA_ARGS__)
#define UE__NORMAL_16(at, ...) UE__NORMAL_GROUPS(UE__GROUPS_16, at, __VA_ARGS__)
#define UE__NORMAL_32(at, ...) UE__NORMAL_GROUPS(UE__GROUPS_32, at, __VA_ARGS__)
#define UE__NORMAL_GROUPS(groups, at, ...)                                              \
	groups(UE__RUN_NORMAL, , at, __VA_ARGS__, UE__END, UE__END, UE__END, UE__END,           \
	       UE__END, UE__END, UE__END, UE__END) ~
#define UE__RUN_NORMAL(op, at, more, x1, x2, x3, x4, x5, x6, x7, x8)                    \
	UE__TUPLE(at##more##_1, x1), UE__TUPLE(at##more##_2, x2),                       \
	UE__TUPLE(at##more##_3, x3), UE__TUPLE(at##more##_4, x4),                       \
	UE__TUPLE(at##more##_5, x5), UE__TUPLE(at##more##_6, x6),                       \
	UE__TUPLE(at##more##_7, x7), UE__TUPLE(at##more##_8, x8),
/*
 * Ours are (class, UE__FIELD, ...), all else is a variable, or none: (size_t)x and its like. What
 * is behind one of ours, before the next comma, is REST: there should be a comma between them, as
 * the check of names tells. The field itself takes no part in that, since each step would read it
 * again.
 */
#define UE__TUPLE(at, x) UE__TUPLE_BY(UE__OURS x, UE__BARE, ~, ~)(at, x)
#define UE__TUPLE_OF(bare, at, x) UE__TUPLE_BY(UE__OURS x, bare, ~, ~)(at, x)
#define UE__TUPLE_BY(...) UE__TUPLE_BY_(__VA_ARGS__)
#define UE__TUPLE_BY_(none, how, rest, ...) how(rest)
#define UE__OURS(...) UE__OURS_(__VA_ARGS__, UE__BARE, ~)
#define UE__OURS_(class, mark, ...) ~, mark,
#define UE__BARE(rest) UE__BARE_
#define UE__BARE_(at, x) 0B(at, , , #x, x)
#define UE__FIELD(rest) UE__SECOND_OF(UE__BEHIND rest(0ALONE, ~), UE__NO_COMMA, ~)
#define UE__BEHIND(what, ...) UE__BEHIND_##what
#define UE__BEHIND_0ALONE ~, UE__ALONE
#define UE__NO_COMMA(at, x) 0V(at, 0I32, , , "no comma", none, 0)
#define UE__ALONE(at, x) UE__FIELD_(at, UE__UNPACK x)
#define UE__FIELD_(...) UE__FIELD__(__VA_ARGS__)
#define UE__FIELD__(at, class, mark, ...) class(at, __VA_ARGS__)
/* An op on one field, and within an op on a struct's member. */
#define UE__APPLY(op, x) UE__APPLY_(op, x)
#define UE__APPLY_(op, x) op##_##x
#define UE__INNER(...) UE__INNER_(__VA_ARGS__)
#define UE__INNER_(op, ...) op(__VA_ARGS__)

/* ---- Preprocessor: fields as tuples -------------------------------------------------------- */

/*
 * What a user writes becomes (class, UE__FIELD, what depends on the class...), UE__NORMAL() makes
 * of it class(position, what depends on the class...):
 *
 *	(0B, as, tag, "x", x)				a bare variable
 *	(0V, kind, as, tag, "name", name, value)	one value
 *	(0P, kind, as, tag, "name", name, pointer, count)  two values: a counted string, bytes
 *	(0L, kind, as, tag, "name", name, pointer, count)  two values: an array
 *	(0F, kind, as, tag, "name", name, pointer, n)	one value: an array of N
 *	(0S, as, tag, "name", members)			a struct, whose members follow
 *	(0R, as, tag, "name", members, size, pointer, count)  an array of packed structs, the same
 *	(0M, class, (...))				member of a packed struct, without value
 *	(0X, option...)					no field
 *
 * KIND is the type's name behind a zero, so that no macro of the program (U8, BOOL) is taken for
 * it. AS and TAG are empty, or what UE_AS() and UE_TAGGED() add to the type; a bare variable's AS
 * is the format's bits, or -1.
 */
#define UE__VALUE(kind, ...) UE__VALUE_BY(__VA_ARGS__, UE__VALUE_OF_NAME, ~)(kind, __VA_ARGS__)
#define UE__VALUE_BY(name, second, ...) UE__SECOND(second, UE__VALUE_2, ~)
#define UE__VALUE_OF_NAME ~, UE__VALUE_1
#define UE__VALUE_1(kind, name) (0V, UE__FIELD, kind, , , #name, name, name)
#define UE__VALUE_2(kind, name, ...) (0V, UE__FIELD, kind, , , #name, name, __VA_ARGS__)

#define UE__SPAN(class, kind, ...) \
	UE__CAT(UE__SPAN_, UE__UP_TO_3(__VA_ARGS__))(class, kind, __VA_ARGS__)
#define UE__SPAN_1(class, kind, name) (class, UE__FIELD, kind, , , #name, name, name, name##_count)
#define UE__SPAN_2(class, kind, name, p) (0V, UE__FIELD, 0I32, , , #name, name, UE__NO_LENGTH)
#define UE__NO_LENGTH                                                                   \
	UE__MISTAKE("a pointer has a length: write UE_ARRAY(I32, name, pointer, count), " \
		    "UE_BYTES(name, pointer, size)")
#define UE__MISTAKE(sentence)                                                           \
	(__extension__({                                                                \
		UE__STATIC_ASSERT(0, "user_events.h: " sentence);                       \
		0;                                                                      \
	}))
#define UE__SPAN_3(class, kind, name, p, ...) \
	(class, UE__FIELD, kind, , , #name, name, p, __VA_ARGS__)

/* An array: is there a UE_TYPE()? Else HOW_0 tells what a type is. */
#define UE__ARRAY(how, is_type, ...) UE__CAT(how, is_type)(__VA_ARGS__)
#define UE__SPAN_OF_1(kind, ...) UE__SPAN(0L, kind, __VA_ARGS__)
#define UE__SPAN_OF_0(kind, name, ...) (0V, UE__FIELD, 0I32, , , #name, name, UE__NO_TYPE)
#define UE__FIXED_OF_1 UE__FIXED
#define UE__FIXED_OF_0 UE__SPAN_OF_0
#define UE__NO_TYPE                                                                     \
	UE__MISTAKE("an array's type is I32, U8, STR or another of the names, without UE_: write " \
		    "UE_ARRAY(I32, name, pointer, count)")

#define UE__FIXED(kind, name, ...) \
	UE__FIXED_BY(__VA_ARGS__, UE__FIXED_OF_NAME, ~)(kind, name, __VA_ARGS__)
#define UE__FIXED_BY(n, second, ...) UE__SECOND(second, UE__FIXED_2, ~)
#define UE__FIXED_OF_NAME ~, UE__FIXED_1
#define UE__FIXED_1(kind, name, n) (0F, UE__FIELD, kind, , , #name, name, name, n)
#define UE__FIXED_2(kind, name, p, ...) (0F, UE__FIELD, kind, , , #name, name, p, __VA_ARGS__)

/*
 * The members stand in the list behind their struct, nested ones, too. So a struct's own members
 * are all that follow, but for those of the structs among them.
 */
#define UE__STRUCT(name, ...) \
	(0S, UE__FIELD, , , #name, UE__MEMBERS(__VA_ARGS__, UE__END)), __VA_ARGS__
#define UE__STRUCT_ARRAY(name, p, count, ...)                                           \
	(0R, UE__FIELD, , , #name, UE__MEMBERS(__VA_ARGS__, UE__END),           \
	 UE__PACKED_SIZE(__VA_ARGS__, UE__END), p, count) UE__PACKED(__VA_ARGS__, UE__END)
#define UE__MEMBERS(...) UE__MEMBERS_(UE__GROUPS(__VA_ARGS__), __VA_ARGS__)
#define UE__MEMBERS_(n, ...) \
	(UE__COUNT(__VA_ARGS__) UE__EACH(n, UE__NESTED, UE__NORMAL(n, , __VA_ARGS__)))
#define UE__NESTED_0B(...)
#define UE__NESTED_0V(...)
#define UE__NESTED_0P(...)
#define UE__NESTED_0L(...)
#define UE__NESTED_0F(...)
#define UE__NESTED_0M(at, class, tuple) UE__INNER(UE__NESTED_##class, at, UE__UNPACK tuple)
#define UE__NESTED_0S(at, as, tag, string, members) -members
#define UE__NESTED_0R(at, as, tag, string, members, ...) -members
/* an option of the event, which is none of its members, makes the number negative */
#define UE__NESTED_0X(at, option, ...) UE__NESTED_##option
#define UE__NESTED_0END
#define UE__NESTED_0NOTHING -1
#define UE__NESTED_0ID -1000
#define UE__NESTED_0OPCODE -1000
#define UE__NESTED_0TAG -1000
#define UE__NESTED_0ACTIVITY -1000

#define UE__PACKED(...) UE__PACKED_(UE__GROUPS(__VA_ARGS__), __VA_ARGS__)
#define UE__PACKED_(n, ...) UE__EACH(n, UE__PACK, UE__NORMAL(n, , __VA_ARGS__))
#define UE__PACK_0B(at, ...) , (0M, UE__FIELD, 0B, (__VA_ARGS__))
#define UE__PACK_0V(at, ...) , (0M, UE__FIELD, 0V, (__VA_ARGS__))
#define UE__PACK_0P(at, ...) , (0M, UE__FIELD, 0P, (__VA_ARGS__))
#define UE__PACK_0L(at, ...) , (0M, UE__FIELD, 0L, (__VA_ARGS__))
#define UE__PACK_0F(at, ...) , (0M, UE__FIELD, 0F, (__VA_ARGS__))
#define UE__PACK_0S(at, ...) , (0M, UE__FIELD, 0S, (__VA_ARGS__))
#define UE__PACK_0R(at, ...) , (0M, UE__FIELD, 0R, (__VA_ARGS__))
#define UE__PACK_0M(at, ...) , (0M, UE__FIELD, __VA_ARGS__)
#define UE__PACK_0X(...)

#define UE__PACKED_SIZE(...) UE__PACKED_SIZE_(UE__GROUPS(__VA_ARGS__), __VA_ARGS__)
#define UE__PACKED_SIZE_(n, ...) (0 UE__EACH(n, UE__BYTES, UE__NORMAL(n, , __VA_ARGS__)))
#define UE__BYTES_0B(at, as, tag, string, x) +sizeof(x)
#define UE__BYTES_0V(at, kind, ...) +(UE__U64(1) << UE__LOG2_OF(UE__T_##kind))
#define UE__BYTES_0P(...)
#define UE__BYTES_0L(...)
#define UE__BYTES_0F(at, kind, as, tag, string, name, p, ...) \
	+(UE__U64((__VA_ARGS__)) << UE__LOG2_OF(UE__T_##kind))
#define UE__BYTES_0S(...)
#define UE__BYTES_0R(...)
#define UE__BYTES_0M(...)
#define UE__BYTES_0X(...)

/* UE_AS, UE_TAGGED: the first tuple with more in it; behind it may be a struct's members. */
#define UE__WITH(op, bits, ...) UE__WITH_(op, bits, __VA_ARGS__, UE__NOTHING)
#define UE__WITH_(op, bits, x, ...) UE__APPLY(op, UE__TUPLE(bits, x)), __VA_ARGS__
#define UE__TAG_0B(bits, as, tag, ...) (0B, UE__FIELD, as, +bits, __VA_ARGS__)
#define UE__TAG_0V(bits, kind, as, tag, ...) (0V, UE__FIELD, kind, as, +bits, __VA_ARGS__)
#define UE__TAG_0P(bits, kind, as, tag, ...) (0P, UE__FIELD, kind, as, +bits, __VA_ARGS__)
#define UE__TAG_0L(bits, kind, as, tag, ...) (0L, UE__FIELD, kind, as, +bits, __VA_ARGS__)
#define UE__TAG_0F(bits, kind, as, tag, ...) (0F, UE__FIELD, kind, as, +bits, __VA_ARGS__)
#define UE__TAG_0S(bits, as, tag, ...) (0S, UE__FIELD, as, +bits, __VA_ARGS__)
#define UE__TAG_0R(bits, as, tag, ...) (0R, UE__FIELD, as, +bits, __VA_ARGS__)
#define UE__TAG_0X(bits, ...) (0X, UE__FIELD, __VA_ARGS__)
#define UE__AS_0B(bits, as, tag, string, x) \
	(0B, UE__FIELD, bits + UE__WITHOUT_FORMAT, tag, string, x)
#define UE__WITHOUT_FORMAT(t) (t) - UE__FORMAT_PART(t)
#define UE__AS_0V(bits, kind, as, ...) (0V, UE__FIELD, kind, UE__AS_KIND(bits, kind), __VA_ARGS__)
#define UE__AS_0P(bits, kind, as, ...) (0P, UE__FIELD, kind, UE__AS_KIND(bits, kind), __VA_ARGS__)
#define UE__AS_0L(bits, kind, as, ...) (0L, UE__FIELD, kind, UE__AS_KIND(bits, kind), __VA_ARGS__)
#define UE__AS_0F(bits, kind, as, ...) (0F, UE__FIELD, kind, UE__AS_KIND(bits, kind), __VA_ARGS__)
#define UE__AS_0S(bits, as, ...) (0S, UE__FIELD, +bits, __VA_ARGS__)
#define UE__AS_0R(bits, as, ...) (0R, UE__FIELD, +bits, __VA_ARGS__)
#define UE__AS_0X(bits, ...) (0X, UE__FIELD, __VA_ARGS__)
#define UE__AS_KIND(bits, kind) +bits - UE__FORMAT_PART(UE__T_##kind)

/* Of UE_LOG, not a field. */
#define UE__ACTIVITY(id, related, ...) \
	(0X, UE__FIELD, 0ACTIVITY, ue__in_pointer(id), ue__in_pointer(related))

/* ---- Preprocessor: what is asked of each field --------------------------------------------- */

/*
 * op UE__TYPE: ue__x..., the type of a bare variable, by which all else asks for it: so a variable
 * that is not declared is told once.
 */
#define UE__TYPE_0V(...)
#define UE__TYPE_0P(...)
#define UE__TYPE_0L(...)
#define UE__TYPE_0F(...)
#define UE__TYPE_0S(...)
#define UE__TYPE_0R(...)
#define UE__TYPE_0M(at, class, tuple) UE__INNER(UE__TYPE_##class, at, UE__UNPACK tuple)
#define UE__TYPE_0X(...)

/*
 * op UE__ENUM: ue__t..., the type, as an enumerator, so that all else has a short name for it. A
 * type that the user names has one, but for UE_AS() and UE_TAGGED(). That of bare variables,
 * UE__ENUM_0B, is C's and C++'s own.
 */
#define UE__ENUM_0V(at, kind, as, tag, ...) \
	UE__IF_PLAIN(as tag, UE__ENUM_PLAIN, UE__ENUM_OTHER)(at, UE__T_##kind as tag)
#define UE__ENUM_PLAIN(...) /* it has a name: UE__T_... */
#define UE__ENUM_OTHER(at, t) ue__t##at = t,
/* without UE_AS() and UE_TAGGED() */
#define UE__IF_PLAIN(more, plain, other) UE__SECOND_OF(UE__PLAIN_PROBE more(plain), other, ~)
#define UE__PLAIN_PROBE(plain) ~, plain
#define UE__ENUM_0P UE__ENUM_0V
#define UE__ENUM_0L(at, kind, as, tag, ...) ue__t##at = UE__T_##kind + UE__T_VARRAY as tag,
#define UE__ENUM_0F(at, kind, as, tag, string, name, p, ...) \
	ue__t##at = UE__ELEMENT_OF(UE__T_##kind) + UE__T_CARRAY +            \
		    UE__FIXED_LENGTH((__VA_ARGS__)) as tag,
#define UE__ENUM_0S(at, as, tag, string, members) \
	ue__t##at = UE__T_0STRUCT + UE__FORMAT_BITS(members) as tag,
#define UE__ENUM_0R(at, as, tag, string, members, size, ...) \
	ue__t##at = UE__T_0STRUCT + UE__T_VARRAY + UE__FORMAT_BITS(members) + \
		    UE__T_LENGTH(size) as tag,
#define UE__ENUM_0M(at, class, tuple) UE__INNER(UE__ENUM_##class, at, UE__UNPACK tuple)
#define UE__ENUM_0X(...)

/* op UE__NAME: "field;" */
#define UE__NAME_0B(at, as, tag, string, x) string ";"
#define UE__NAME_0V(at, kind, as, tag, string, ...) string ";"
#define UE__NAME_0P UE__NAME_0V
#define UE__NAME_0L UE__NAME_0V
#define UE__NAME_0F UE__NAME_0V
#define UE__NAME_0S(at, as, tag, string, ...) string ";"
#define UE__NAME_0R UE__NAME_0S
#define UE__NAME_0M(at, class, tuple) UE__INNER(UE__NAME_##class, at, UE__UNPACK tuple)
#define UE__NAME_0X(...)

/*
 * op UE__ENTRY: the types of values in the descriptor. In C++ an operator of an enumerator makes
 * clang look for overloads, which takes long: so each is cast first.
 */
#define UE__ENTRY_0B(at, ...) UE__U32(ue__t##at),
#define UE__ENTRY_0V(at, kind, ...) UE__U32(UE__T_##kind),
#define UE__ENTRY_0P UE__ENTRY_0V
#define UE__ENTRY_0L UE__ENTRY_0B
#define UE__ENTRY_0F UE__ENTRY_0B
#define UE__ENTRY_0S(...)
#define UE__ENTRY_0R UE__ENTRY_0B
#define UE__ENTRY_0M(...)
#define UE__ENTRY_0X(...)

/*
 * op UE__KERNEL_SUM, UE__LOG_SUM: what an event needs, as "+ sum": bits 0..23 fixed bytes, 24..33
 * values, 34..47 pairs of segments, 48..56 entries of types, 57..63 what else is no scalar
 */
#define UE__SUM_OF(bytes, values, dynamic, types) \
	+(UE__U64(bytes) | UE__U64(values) << 24 | UE__U64(dynamic) << 34 | UE__U64(types) << 48)
#define UE__SUM_VALUE 0x1000001000000 /* one value, one type */
#define UE__SUM_DYNAMIC 0x400000000
#define UE__SUM_OTHER 0x200000000000000 /* no scalar, but of constant size */
#define UE__SUM_NO_SCALARS 0xfe00fffc00000000
#define UE__SUM_LOC 0x1000401000004 /* a loc of 4 bytes */
/* of a bare variable: a scalar has its size where an array of bytes has its length */
#define UE__KERNEL_PART(t) \
	(t & UE__T_DYNAMIC ? UE__SUM_LOC : \
	 UE__SUM_VALUE + UE__LENGTH_OF(t) + (t & UE__T_CARRAY ? UE__SUM_OTHER : 0))
#ifdef __cplusplus
#define UE__KERNEL_SUM_0B(at, ...) +ue__bare<ue__x##at>::ue__kernel
#else
#define UE__KERNEL_SUM_0B(at, ...) +UE__KERNEL_PART(ue__t##at)
#endif
#define UE__KERNEL_SUM_0V(at, kind, ...) +UE__NUMBER_OF(ue__k##kind)
#define UE__KERNEL_SUM_0P(...) UE__SUM_OF(4, 2, 1, 1)
#define UE__KERNEL_SUM_0L UE__KERNEL_SUM_0P
#define UE__KERNEL_SUM_0F(at, ...) +(UE__SUM_VALUE + UE__SUM_OTHER + UE__LENGTH_OF(ue__t##at))
#define UE__KERNEL_SUM_0S(...)
#define UE__KERNEL_SUM_0R(...)
#define UE__KERNEL_SUM_0M(...)
#define UE__KERNEL_SUM_0X(...)
/* of an EventHeader event: a count of 2 bytes before what is counted */
#define UE__LOG_PART(t)                                  \
	UE__SUM_VALUE + (t & (UE__T_DYNAMIC | UE__T_CARRAY) ? \
				 UE__SUM_DYNAMIC + (t & UE__T_SPAN ? 2 : 0) : UE__LENGTH_OF(t))
#ifdef __cplusplus
#define UE__LOG_SUM_0B(at, ...) +ue__bare<ue__x##at>::ue__log
#else
#define UE__LOG_SUM_0B(at, ...) +UE__LOG_PART(ue__t##at)
#endif
#define UE__LOG_SUM_0V(at, kind, ...) +UE__NUMBER_OF(ue__l##kind)
/* in pairs of segments: an array of strings may take many */
#define UE__SEGMENTS(t) \
	(UE__SHAPE_OF(t) == UE__SHAPE_ZSTRING && UE__IS_ARRAY(t) ? UE__STRING_PAIRS : 1)
#define UE__LOG_SUM_0P(...) UE__SUM_OF(2, 2, 1, 1)
#define UE__LOG_SUM_0L(at, ...) UE__SUM_OF(2, 2, UE__SEGMENTS(ue__t##at), 1)
#define UE__LOG_SUM_0F(at, ...) UE__SUM_OF(0, 1, UE__SEGMENTS(ue__t##at), 1)
#define UE__LOG_SUM_0S(...)
#define UE__LOG_SUM_0R UE__LOG_SUM_0P
#define UE__LOG_SUM_0M(...)
#define UE__LOG_SUM_0X(at, option, ...) UE__LOG_SUM_##option
#define UE__LOG_SUM_0END
#define UE__LOG_SUM_0NOTHING
#define UE__LOG_SUM_0ID
#define UE__LOG_SUM_0OPCODE
#define UE__LOG_SUM_0TAG
#define UE__LOG_SUM_0ACTIVITY UE__SUM_OF(0, 2, 0, 0x8001)
/* of the types that fields name, in either event; a pointer to bytes is no scalar */
UE__ENUM64 {
#define UE__SUM_FIXED(log2) UE__SUM_VALUE + (1 << log2)
#define UE__SUM_VALUE_OF(event, log2) UE__SUM_FIXED(log2)
#define UE__SUM_POINTER_OF(event, log2) UE__SUM_FIXED(log2) + UE__SUM_OTHER
#define UE__SUM_ZSTRING_OF(event, log2) event
#define UE__SUM_COUNTED_OF(event, log2) 0 /* two values */
#define UE__SUM_ROW(name, kernel, log2, shape, kind, format, ctype, how, ok) \
	ue__k0##name = UE__SUM_##shape##_OF(UE__SUM_LOC, log2),              \
	ue__l0##name = UE__SUM_##shape##_OF(UE__SUM_VALUE + UE__SUM_DYNAMIC, log2),
	UE__TYPES(UE__SUM_ROW)
#undef UE__SUM_ROW
	ue__k0PTR = UE__SUM_VALUE + sizeof(void *),
	ue__l0PTR = ue__k0PTR
};

/* op UE__ARGUMENT: the values, as ", value" */
#define UE__ARGUMENT_0B(at, as, tag, string, x) , ue__arg(UE__IN(at, x))
#define UE__ARGUMENT_0V(at, kind, as, tag, string, name, ...) , UE__IN_AS(kind)(__VA_ARGS__)
#define UE__ARGUMENT_0P(at, kind, as, tag, string, name, p, ...) \
	, UE__IN_AS(kind)(p), ue__in_count((__VA_ARGS__))
#define UE__ARGUMENT_0L(at, kind, as, tag, string, name, p, ...) \
	, UE__ELEMENTS(UE__T_##kind, p), ue__in_count((__VA_ARGS__))
#define UE__ARGUMENT_0F(at, kind, as, tag, string, name, p, ...) , UE__ELEMENTS(UE__T_##kind, p)
#define UE__ARGUMENT_0S(...)
#define UE__ARGUMENT_0R(at, as, tag, string, members, size, p, n) \
	, ue__in_pointer(p), ue__in_count(n)
#define UE__ARGUMENT_0M(...)
#define UE__ARGUMENT_0X(at, option, ...) UE__ARGUMENT_##option(__VA_ARGS__)
#define UE__ARGUMENT_0END(...)
#define UE__ARGUMENT_0NOTHING(...)
#define UE__ARGUMENT_0ID(...)
#define UE__ARGUMENT_0OPCODE(...)
#define UE__ARGUMENT_0TAG(...)
#define UE__ARGUMENT_0ACTIVITY(id, related) , id, related

/* op UE__PASS: the variables that hold them, as ", variable" */
#define UE__PASS_0B(at, ...) , ue__v##at
#define UE__PASS_0V UE__PASS_0B
#define UE__PASS_0P(at, ...) , ue__v##at, ue__n##at
#define UE__PASS_0L UE__PASS_0P
#define UE__PASS_0F UE__PASS_0B
#define UE__PASS_0S(...)
#define UE__PASS_0R UE__PASS_0P
#define UE__PASS_0M(...)
#define UE__PASS_0X(...)

#ifdef __cplusplus
/* op UE__PARAMETER: the same as parameters, in the order of the values */
#define UE__PARAMETER_0B(at, ...) , uint64_t ue__v##at
#define UE__PARAMETER_0V UE__PARAMETER_0B
#define UE__PARAMETER_0P(at, ...) , uint64_t ue__v##at, uint64_t ue__n##at
#define UE__PARAMETER_0L UE__PARAMETER_0P
#define UE__PARAMETER_0F UE__PARAMETER_0B
#define UE__PARAMETER_0S(...)
#define UE__PARAMETER_0R UE__PARAMETER_0P
#define UE__PARAMETER_0M(...)
#define UE__PARAMETER_0X(at, option, ...) UE__PARAMETER_##option(at)
#define UE__PARAMETER_0END(at)
#define UE__PARAMETER_0NOTHING(at)
#define UE__PARAMETER_0ID(at)
#define UE__PARAMETER_0OPCODE(at)
#define UE__PARAMETER_0TAG(at)
#define UE__PARAMETER_0ACTIVITY(at) , uint64_t ue__v##at, uint64_t ue__n##at
#endif
#if !defined(__cplusplus) || defined(__clang__)
/*
 * op UE__EVALUATE: the same, evaluated in order. In C++ it is one expression, so that temporaries
 * among the values live until all is written.
 */
#ifdef __cplusplus
#define UE__BE(variable, value) variable = value,
#define UE__IN_KERNEL(at, x) ue__arg(UE__IN(at, x))
#else
#define UE__BE(variable, value) const uint64_t variable = value;
#endif
#define UE__EVALUATE_0B(at, as, tag, string, x) UE__BE(ue__v##at, UE__IN_KERNEL(at, x))
#define UE__EVALUATE_0V(at, kind, as, tag, string, name, ...) \
	UE__BE(ue__v##at, UE__IN_AS(kind)(__VA_ARGS__))
#define UE__EVALUATE_0P(at, kind, as, tag, string, name, p, ...)                          \
	UE__BE(ue__v##at, UE__IN_AS(kind)(p)) UE__BE(ue__n##at, ue__in_count((__VA_ARGS__)))
#define UE__EVALUATE_0L(at, kind, as, tag, string, name, p, ...)                          \
	UE__BE(ue__v##at, UE__ELEMENTS(UE__T_##kind, p))                                  \
	UE__BE(ue__n##at, ue__in_count((__VA_ARGS__)))
#define UE__EVALUATE_0F(at, kind, as, tag, string, name, p, ...) \
	UE__BE(ue__v##at, UE__ELEMENTS(UE__T_##kind, p))
#define UE__EVALUATE_0S(...)
#define UE__EVALUATE_0R(at, as, tag, string, members, size, p, n)                       \
	UE__BE(ue__v##at, ue__in_pointer(p)) UE__BE(ue__n##at, ue__in_count(n))
#define UE__EVALUATE_0M(...)
#define UE__EVALUATE_0X(at, option, ...) UE__EVALUATE_##option(at, __VA_ARGS__)
#define UE__EVALUATE_0END(...)
#define UE__EVALUATE_0NOTHING(...)
#define UE__EVALUATE_0ID(...)
#define UE__EVALUATE_0OPCODE(...)
#define UE__EVALUATE_0TAG(...)
#ifdef __cplusplus
#define UE__EVALUATE_0ACTIVITY(at, id, related) UE__BE(ue__v##at, id) UE__BE(ue__n##at, related)
#define UE__EVALUATE_LOG UE__EVALUATE
#else
#define UE__EVALUATE_0ACTIVITY(at, id, related) \
	const uint64_t ue__v##at = id, ue__n##at = related;                    \
	(void)ue__v##at;                                                           \
	(void)ue__n##at;
/* op UE__EVALUATE_LOG: of an EventHeader event, which has floats */
#define UE__EVALUATE_LOG_0B(at, as, tag, string, x) const uint64_t ue__v##at = UE__IN(at, x);
#define UE__EVALUATE_LOG_0V UE__EVALUATE_0V
#define UE__EVALUATE_LOG_0P UE__EVALUATE_0P
#define UE__EVALUATE_LOG_0L UE__EVALUATE_0L
#define UE__EVALUATE_LOG_0F UE__EVALUATE_0F
#define UE__EVALUATE_LOG_0S UE__EVALUATE_0S
#define UE__EVALUATE_LOG_0R UE__EVALUATE_0R
#define UE__EVALUATE_LOG_0M UE__EVALUATE_0M
#define UE__EVALUATE_LOG_0X UE__EVALUATE_0X
#endif
#endif

#ifdef UE_DISABLE
/* Type-checks the values. */
#ifdef __cplusplus
#define UE__IGNORE(n, ...) ue__ignore(0 UE__EACH_##n(UE__ARGUMENT, __VA_ARGS__));
#else
#define UE__IGNORE(n, ...)                                                              \
	UE__EACH_##n(UE__EVALUATE, __VA_ARGS__)                                        \
	ue__ignore(0 UE__EACH_##n(UE__PASS, __VA_ARGS__));
#endif
#endif

/* ---- Preprocessor: mistakes that the compiler finds ---------------------------------------- */

/*
 * UE__CHECK_NAMES(names): the names of an event and its fields, "name;name;", are identifiers. What
 * is none is an expression in the place of a variable, or the text of a macro of that name.
 * UE__CHECK_LOG(name, names): of UE_LOG, whose event's NAME, as it is written, is a literal. These
 * checks stand before all that the compiler would say of such a field, and in the macro that the
 * user's line becomes, not deeper: clang prints three lines for each level. A condition stands in
 * one line and has no operator on top: newer clang prints all lines, and explains operators.
 */
#define UE__NO_NAME                                                                     \
	"user_events.h: a field is a variable or names its type and itself: write "     \
	"UE_I32(status, r->status) for r->status, and a comma between fields; the event's name " \
	"has no quotes; names are identifiers and no macros"
#define UE__NO_QUOTES                                                                   \
	"user_events.h: an event has a name, in quotes and behind the set: "             \
	"UE_LOG(set, \"Name\", fields...)"
#ifdef __cplusplus
constexpr bool ue__is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
/* What is behind the identifier at S and its ';', or NULL. */
constexpr const char *ue__behind_identifier(const char *s, bool first)
{
	return ue__is_name_char(*s) || (!first && *s >= '0' && *s <= '9') ?
		       ue__behind_identifier(s + 1, false) :
	       first || *s != ';' ? nullptr :
				    s + 1;
}
/*
 * UE_U33(x), which the compiler tells by itself, passes. A call for each name, not for each letter:
 * compilers take 512 within each other.
 */
constexpr bool ue__are_identifiers(const char *s)
{
	return s && (!*s || (s[0] == 'U' && s[1] == 'E' && s[2] == '_') ||
		     ue__are_identifiers(ue__behind_identifier(s, true)));
}
/* Does the first name at S, up to its ';', stand again behind it? */
constexpr bool ue__same_name(const char *s, const char *t)
{
	return *s == *t && (*s == ';' || ue__same_name(s + 1, t + 1));
}
constexpr const char *ue__next_name(const char *s)
{
	return *s == ';' ? s + 1 : ue__next_name(s + 1);
}
constexpr bool ue__is_among(const char *s, const char *rest)
{
	return *rest && (ue__same_name(s, rest) || ue__is_among(s, ue__next_name(rest)));
}
constexpr bool ue__are_distinct(const char *s)
{
	return !*s || (!ue__is_among(s, ue__next_name(s)) && ue__are_distinct(ue__next_name(s)));
}
#ifdef __clang__ /* which calls its own function sooner than ours */
#define ue__name_end(s) __builtin_strchr(s, ';')
#else
constexpr const char *ue__name_end(const char *s)
{
	return !*s || *s == ';' ? s : ue__name_end(s + 1);
}
#endif
/*
 * A bit for each name, by its length, first and last character. Names of different bits differ:
 * then there is no need to compare each with each, which takes compilers long.
 */
constexpr uint64_t ue__name_bits(const char *s, const char *end)
{
	return *s ? UE__U64(1) << ((*s * 5 + end[-1] * 12 + (end - s) * 27) & 63) |
			    ue__name_bits(end + 1, ue__name_end(end + 1)) :
		    0;
}
constexpr bool ue__no_name_twice(const char *s, int count)
{
	return !ue__are_identifiers(s) ||
	       __builtin_popcountll(ue__name_bits(s, ue__name_end(s))) == count ||
	       ue__are_distinct(s);
}
/* In C, ue__register_declared() finds it. */
#define UE__CHECK_DISTINCT(count, names)                                                \
	static_assert(ue__no_name_twice(names, count),                                  \
		      "user_events.h: two fields of an event have one name (" names ")");
#define UE__CHECK_FN constexpr
#else
#define UE__CHECK_DISTINCT(count, names)
#define UE__CHECK_FN static inline
#endif
#ifdef __clang__
/*
 * A warning that is fatal is all that clang says of the file: its own words for an expression in
 * the place of a name are many lines.
 */
#define UE__CHECK_NAMES(names)                                                          \
	UE__FATAL UE__STATIC_ASSERT(sizeof(ue__are_names(names)), UE__NO_NAME);         \
	_Pragma("clang diagnostic pop")
#define UE__CHECK_LOG(name, names)                                                      \
	UE__FATAL UE__STATIC_ASSERT(sizeof(ue__is_quoted(name)), UE__NO_QUOTES);        \
	UE__STATIC_ASSERT(sizeof(ue__are_names(names)), UE__NO_NAME);                   \
	_Pragma("clang diagnostic pop")
#define UE__FATAL                                                                       \
	_Pragma("clang diagnostic push")                                                \
	_Pragma("clang diagnostic fatal \"-Wuser-defined-warnings\"")
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wgcc-compat" /* GCC has another way, below */
#ifdef __cplusplus
constexpr int ue__are_names(const char *s)
	__attribute__((__diagnose_if__(!ue__are_identifiers(s), UE__NO_NAME, "warning")))
{
	return !s;
}
#else
/* what no identifier has; in a literal clang finds characters by strchr() */
#define UE__HAS(c) __builtin_strchr(s, c)
#define UE__ANY(a, b, c, d) (UE__HAS(a) || UE__HAS(b) || UE__HAS(c) || UE__HAS(d))
#define UE__NONE                                                                        \
	(s[0] == ';' || __builtin_strchr(s, ';')[1] == ';' ||                           \
	 s[__builtin_strlen(s) - 2] == ';' || (s[0] >= '0' && s[0] <= '9'))
static inline int ue__are_names(const char *s) __attribute__((
	__diagnose_if__(UE__NONE || UE__ANY(' ', '.', '>', '(') || UE__ANY('[', '"', '-', '+') ||
			UE__HAS('*') || UE__HAS('&') || UE__HAS('!'), UE__NO_NAME, "warning")));
static inline int ue__are_names(const char *s)
{
	return !s;
}
#undef UE__HAS
#undef UE__ANY
#undef UE__NONE
#endif
UE__CHECK_FN int ue__is_quoted(const char *s)
	__attribute__((
	__diagnose_if__(s[0] != '"' || s[1] == '"', UE__NO_QUOTES, "warning"),
	__diagnose_if__(s[__builtin_strlen(s) - 1] != '"', UE__NO_QUOTES, "warning")));
UE__CHECK_FN int ue__is_quoted(const char *s)
{
	return !s;
}
#pragma clang diagnostic pop
#else
#define UE__CHECK_NAMES(names) UE__STATIC_ASSERT(ue__are_names(names), UE__NO_NAME);
#define UE__CHECK_LOG(name, names)                                                      \
	UE__STATIC_ASSERT(ue__is_quoted(name), UE__NO_QUOTES);                          \
	UE__CHECK_NAMES(names)
#ifdef __cplusplus
#define ue__are_names(names) ue__are_identifiers(names)
#define ue__is_quoted(text) \
	((text)[0] == '"' && (text)[1] != '"' && (text)[sizeof(text) - 2] == '"')
#else
#define UE__NAME_CHARS ";_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define ue__are_names(names)                                                            \
	(__extension__(__builtin_strspn(names, UE__NAME_CHARS) == sizeof(names) - 1 &&  \
		       !__builtin_strstr(";" names, ";;") &&                            \
		       __builtin_strspn(names, "0123456789") == 0))
#define ue__is_quoted(text)                                                             \
	(__extension__(__builtin_strspn(text, "\"") == 1 &&                             \
		       __builtin_strlen(__builtin_strrchr(text, '"')) == 1))
#endif
#endif
#undef UE__CHECK_FN

/* op UE__CHECK: fields of any event */
#define UE__CHECK_0B(at, as, tag, string, x)                                            \
	UE__STATIC_ASSERT(!(UE__U64(ue__t##at) == UE__T_NONE),                                   \
			  "user_events.h: \"" string                                     \
			  "\" is no scalar, pointer or array of scalars of constant length; " \
			  "write UE_I32(name, value), UE_ARRAY(I32, name, pointer, count)");
#define UE__CHECK_0V(...)
#define UE__CHECK_0P(...)
#define UE__CHECK_0L(...)
#define UE__CHECK_0F(...)
#define UE__CHECK_0S(at, as, tag, string, members)                                      \
	UE__CHECK_STRUCT(as, string, members)
#define UE__CHECK_0R(at, as, tag, string, members, size, ...)                           \
	UE__CHECK_STRUCT(as, string, members)                                           \
	UE__STATIC_ASSERT(!(size > 65535), "user_events.h: struct \"" string              \
					 "\" of a UE_STRUCT_ARRAY is over 65535 bytes");
#define UE__CHECK_STRUCT(as, string, members)                                           \
	UE__STATIC_ASSERT(!(members < 1 || members > 127),                              \
			  "user_events.h: struct \"" string "\" needs 1 to 127 members, none of " \
			  "them an option of the event");                               \
	UE__STATIC_ASSERT(!(0 as), "user_events.h: UE_AS() of struct \"" string     \
				       "\": formats are for its members");
/* of an array of packed structs: what has its bytes in the struct itself */
#define UE__CHECK_0M(at, class, tuple) UE__INNER(UE__CHECK_MEMBER_##class, at, UE__UNPACK tuple)
#define UE__CHECK_MEMBER_0B(at, as, tag, string, x) UE__CHECK_FIXED(ue__t##at, string)
#define UE__CHECK_MEMBER_0V(at, kind, as, tag, string, ...) UE__CHECK_FIXED(UE__T_##kind, string)
#define UE__CHECK_FIXED(t, string)                                                      \
	UE__STATIC_ASSERT(!(t & UE__T_DYNAMIC),                                         \
			  "user_events.h: field \"" string                              \
			  "\" has no fixed size, as members of a UE_STRUCT_ARRAY must");
#define UE__CHECK_MEMBER_0P(at, kind, as, tag, string, ...)                             \
	UE__STATIC_ASSERT(0, "user_events.h: field \"" string                           \
			     "\" has no fixed size, as members of a UE_STRUCT_ARRAY must");
#define UE__CHECK_MEMBER_0L UE__CHECK_MEMBER_0P
#define UE__CHECK_MEMBER_0F(...)
#define UE__CHECK_MEMBER_0S UE__CHECK_0S
#define UE__CHECK_MEMBER_0R(at, as, tag, string, ...) \
	UE__CHECK_MEMBER_0P(at, , as, tag, string, ~)
#define UE__CHECK_0X(...)

/* op UE__KERNEL: what a kernel-typed event cannot carry; what is no field has been told */
#define UE__NOT_CARRIED(string) \
	"user_events.h: field \"" string "\" has a type that kernel-typed events cannot carry "
#define UE__KERNEL_0B(at, as, tag, string, x)                                           \
	UE__STATIC_ASSERT(UE__IS_CARRIED_0B(at),                                        \
			  UE__NOT_CARRIED(string) "(write UE_I32(name, value), "          \
			  "UE_ARRAY(I32, name, p, count); use UE_LOG for floats)");
/* in C++ of any integer's type; of arrays, bytes (of row 0) and strings are carried */
#define UE__IS_CARRIED(t) !!(t & UE__T_CARRIED && (t & 0x1fc0) < 0x1040)
#ifdef __cplusplus
#define UE__IS_CARRIED_0B(at) ue__bare<ue__x##at>::ue__carried
#else
#define UE__IS_CARRIED_0B(at) UE__IS_CARRIED(ue__t##at)
#endif
/* floats alone are not carried: an assertion for each field would cost the compiler too much */
#define UE__KERNEL_0V(at, kind, as, tag, string, ...) \
	UE__SECOND_OF(UE__KERNEL_##kind, UE__CARRIED, ~)(string)
#define UE__CARRIED(string)
#define UE__KERNEL_0F32 ~, UE__REFUSED
#define UE__KERNEL_0F64 ~, UE__REFUSED
#define UE__REFUSED(string) UE__STATIC_ASSERT(0, UE__NOT_CARRIED(string) "(a float); use UE_LOG");
#define UE__KERNEL_0P(...)
#define UE__KERNEL_0L(at, kind, as, tag, string, ...)                                   \
	UE__STATIC_ASSERT(!(!(UE__U64(ue__t##at) >> 44 & 1) || UE__SHAPE_OF(ue__t##at)),   \
			  UE__NOT_CARRIED(string)                                       \
			  "(an array of floats, strings, addresses); use UE_LOG");
#define UE__KERNEL_0F(at, kind, as, tag, string, ...)                                   \
	UE__STATIC_ASSERT(!!UE__IS_BYTE(ue__t##at),                                    \
			  UE__NOT_CARRIED(string)                                       \
			  "(a fixed array of other than bytes); use UE_LOG");
#define UE__IS_BYTE(t) (UE__ROW_OF(t) == UE__ROW_CHAR || UE__ROW_OF(t) == UE__ROW_U8)
#define UE__KERNEL_0S(at, as, tag, string, ...)                                         \
	UE__STATIC_ASSERT(0, "user_events.h: field \"" string                           \
			     "\" is a struct, which kernel-typed events cannot carry; use UE_LOG");
#define UE__KERNEL_0R UE__KERNEL_0S
#define UE__KERNEL_0M(...)
#define UE__KERNEL_0X(at, option, ...) UE__KERNEL_##option
#define UE__KERNEL_0END
#define UE__KERNEL_0NOTHING
#define UE__KERNEL_0ID UE__KERNEL_OPTION
#define UE__KERNEL_0OPCODE UE__KERNEL_OPTION
#define UE__KERNEL_0TAG UE__KERNEL_OPTION
#define UE__KERNEL_0ACTIVITY UE__KERNEL_OPTION
#define UE__KERNEL_OPTION                                                               \
	UE__STATIC_ASSERT(0, "user_events.h: UE_ID, UE_OPCODE, UE_TAG and UE_ACTIVITY are " \
			     "options of UE_LOG");

/* ---- Notes: what a site leaves in the binary for tools ------------------------------------- */

#ifndef UE_DISABLE
/*
 * Descriptions, for tools that read the binary (docs/reference.md has the format), and USDT
 * probes. The assembler writes them, since GCC gives data in C++ templates no section. An asm
 * takes 30 operands, so a note has eight fields at the most, and a probe twelve arguments.
 */
/* Where a constant has a prefix, %c takes it off. Elsewhere GCC may refuse it, or sign it. */
#if defined(__x86_64__) || defined(__i386__) || defined(__arm__) || defined(__m68k__) || \
	defined(__sh__)
#define UE__NUMBER "%c"
#else
#define UE__NUMBER "%"
#endif
#if __SIZEOF_POINTER__ == 8
#define UE__ADDRESS ".8byte "
#else
#define UE__ADDRESS ".4byte "
#endif
/*
 * An operand that is an object's address, and how the assembler is given it. In
 * position-independent code for 32-bit x86 and ARM "i" takes none, but other constraints for
 * symbols do.
 */
#if defined(__aarch64__)
#define UE__PLACE_OF(object) "S"(object)
#elif defined(__clang__) && defined(__PIC__) && \
	(defined(__i386__) || (defined(__x86_64__) && !defined(__PIE__)))
/* also of data in inline functions of libraries, which code would ask the loader for */
#define UE__PLACE_OF(object) "s"(object)
#elif defined(__PIC__) && defined(__i386__)
#define UE__PLACE_OF(object) "Bz"(object) /* of a function to call; GCC 14 has "Ws", too */
#define UE__SYMBOL "%p"
#elif defined(__PIC__) && defined(__arm__) && !defined(__clang__)
#define UE__PLACE_OF(object) "US"(object)
#else
#define UE__PLACE_OF(object) "i"(object)
#endif
#ifndef UE__SYMBOL
#define UE__SYMBOL UE__NUMBER
#endif
#define UE__NOTE_BEGIN(type) UE__NOTE_BEGIN_(type)
#define UE__NOTE_BEGIN_(type)                                                          \
	".pushsection .note.user_events,\"?\",%%note\n"                               \
	".balign 4\n.4byte 12, 993f-992f, " #type "\n.asciz \"user_events\"\n992:\n"
#define UE__NOTE_END "993:\n.balign 4\n.popsection\n"

/* Of a kernel-typed event: names and types. */
#define UE__NOTE(n, at, total, name, ...) \
	UE__SECOND_OF(UE__NOTE_OF_##n, UE__NOTE_OF_ONE_GROUP, ~)(n, at, total, name, __VA_ARGS__)
#define UE__NOTE_OF_ONE_GROUP(n, at, total, name, ...) \
	UE__NOTE_GROUP_(UE__EACH_##n, 0, at, total, name, __VA_ARGS__)
#define UE__NOTE_OF_2 ~, UE__NOTE_GROUPS
#define UE__NOTE_OF_3 ~, UE__NOTE_GROUPS
#define UE__NOTE_OF_4 ~, UE__NOTE_GROUPS
#define UE__NOTE_OF_5 ~, UE__NOTE_GROUPS
#define UE__NOTE_OF_6 ~, UE__NOTE_GROUPS
#define UE__NOTE_OF_7 ~, UE__NOTE_GROUPS
#define UE__NOTE_OF_8 ~, UE__NOTE_GROUPS
#define UE__NOTE_OF_16 ~, UE__NO_NOTE /* over 64 fields: told already */
#define UE__NOTE_OF_32 ~, UE__NO_NOTE
#define UE__NO_NOTE(...)
#define UE__NOTE_GROUPS(n, at, total, name, ...) \
	UE__CAT(UE__GROUPS_, n)(UE__RUN_NOTE, (at, total, name), , __VA_ARGS__)
#define UE__RUN_NOTE(event, none, more, ...) \
	UE__NOTE_GROUP(UE__EACH_1, more, UE__UNPACK event, __VA_ARGS__)
#define UE__NOTE_GROUP(...) UE__NOTE_GROUP_(__VA_ARGS__)
#define UE__NOTE_GROUP_(each, more, at, total, name, ...)                                   \
	__asm__ volatile(UE__NOTE_BEGIN(UE__NOTE_EVENT)                               \
			 ".byte " UE__NUMBER "[ue_total], " #more "\n"               \
			 ".asciz \"" name "\"\n"                                      \
			 each(UE__NOTE_TEXT, __VA_ARGS__, ~) UE__NOTE_END    \
			 :                                                            \
			 : [ue_total] "i"(total) each(UE__NOTE_TYPE, __VA_ARGS__, ~));
#define UE__NOTE_TEXT_0B(at, as, tag, string, x) UE__NOTE_TEXT_0V(at, , as, tag, string, ~)
/* row and kind of array, length; the assembler computes faster than the compiler */
#define UE__NOTE_TEXT_0V(at, kind, as, tag, string, ...)                              \
	".byte " UE__NUMBER "[t" #at "] >> 6 & 255\n"                                 \
	".2byte " UE__NUMBER "[t" #at "] >> 16 & 65535\n"                             \
	".asciz \"" string "\"\n"
#define UE__NOTE_TEXT_0P UE__NOTE_TEXT_0V
#define UE__NOTE_TEXT_0L UE__NOTE_TEXT_0V
#define UE__NOTE_TEXT_0F UE__NOTE_TEXT_0V
#define UE__NOTE_TEXT_0S(...)
#define UE__NOTE_TEXT_0R(...)
#define UE__NOTE_TEXT_0M(...)
#define UE__NOTE_TEXT_0X(...)
#define UE__NOTE_TYPE_0B(at, ...) , [t##at] "i"(UE__INT(ue__t##at))
#define UE__NOTE_TYPE_0V(at, kind, ...) , [t##at] "i"(UE__INT(UE__T_##kind))
#define UE__NOTE_TYPE_0P UE__NOTE_TYPE_0V
#define UE__NOTE_TYPE_0L UE__NOTE_TYPE_0B
#define UE__NOTE_TYPE_0F UE__NOTE_TYPE_0B
#define UE__NOTE_TYPE_0S(...)
#define UE__NOTE_TYPE_0R(...)
#define UE__NOTE_TYPE_0M(...)
#define UE__NOTE_TYPE_0X(...)
#endif /* UE_DISABLE */

/* ---- USDT: each site is a probe as well ---------------------------------------------------- */

#ifndef UE_DISABLE
/*
 * A nop, and a note that tells where it is and where the values are, as <sys/sdt.h> writes it;
 * docs/usdt.md says what tools see. The probe's semaphore is the upper half of the event's word:
 * the kernel counts in it who has attached to the probe, so that one test asks for all listeners.
 */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define UE__SEMAPHORE "0"
#else
#define UE__SEMAPHORE "2"
#endif
#if defined(__x86_64__)
/* Linux 6.18 and later make a uprobe on a nop of five bytes three times as fast. */
#define UE__NOP ".byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n"
#else
#define UE__NOP "nop\n"
#endif
#ifdef __arm__
#define UE__STAPSDT_NOTE ".pushsection .note.stapsdt,\"?\",%%note\n"
#define UE__STAPSDT_BASE ".pushsection .stapsdt.base,\"aG\",%%progbits,.stapsdt.base,comdat\n"
#define UE__PROBES_SECTION ".pushsection .probes,\"awG\",%%progbits,ue__probes,comdat\n"
#else
#define UE__STAPSDT_NOTE ".pushsection .note.stapsdt,\"?\",\"note\"\n"
#define UE__STAPSDT_BASE ".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n"
#define UE__PROBES_SECTION ".pushsection .probes,\"awG\",\"progbits\",ue__probes,comdat\n"
#endif
/*
 * bcc and bpftrace compute a semaphore's place in the file from a section .probes. A program's data
 * has one beside the words for that alone. The note of type 6 keeps it from --gc-sections.
 */
#define UE__USDT_BEGIN_WITH(names)                                                      \
	"990:\n" UE__NOP UE__STAPSDT_NOTE                                               \
	".balign 4\n.4byte 992f-991f, 994f-993f, 3\n991: .asciz \"stapsdt\"\n992: .balign 4\n" \
	"993:\n" UE__ADDRESS "990b\n" UE__ADDRESS "_.stapsdt.base\n" names ".ascii \""
#define UE__USDT_END                                                                    \
	"\"\n.byte 0\n994: .balign 4\n.popsection\n"                                    \
	".ifndef _.stapsdt.base\n" UE__STAPSDT_BASE                                     \
	".weak _.stapsdt.base\n.hidden _.stapsdt.base\n_.stapsdt.base: .space 1\n"      \
	".size _.stapsdt.base,1\n.popsection\n.endif\n"                                 \
	".ifndef ue__probes\n" UE__PROBES_SECTION                                               \
	".weak ue__probes\n.hidden ue__probes\n.balign 2\nue__probes: .2byte 0\n"        \
	".size ue__probes,2\n.popsection\n"                                            \
	".pushsection .note.user_events,\"\",%%note\n.balign 4\n"                       \
	".4byte 12, 993f-992f, 6\n.asciz \"user_events\"\n992:\n" UE__ADDRESS "ue__probes\n" \
	"993: .balign 4\n.popsection\n.endif\n"

/*
 * op UE__USDT_VALUE: size, negative if signed, and value, as operands of an asm that come first.
 * The first twelve values are arguments.
 */
#define UE__USDT_OPERANDS(size, v) "i"(size), UE__USDT_PLACE(UE__WORD(v)),
#ifdef __cplusplus
#define UE__USDT_VALUE_0B(at, ...) UE__USDT_OPERANDS(int(ue__bare<ue__x##at>::ue__usdt), ue__v##at)
#else
#define UE__USDT_VALUE_0B(at, ...) UE__USDT_OPERANDS(UE__USDT_SIZE(ue__t##at), ue__v##at)
#endif
#define UE__USDT_VALUE_0V(at, kind, ...) UE__USDT_OPERANDS(UE__USDT_##kind, ue__v##at)
#define UE__USDT_VALUE_0P(at, ...) \
	UE__USDT_OPERANDS(UE__WORD_SIZE, ue__v##at) UE__USDT_OPERANDS(UE__WORD_SIZE, ue__n##at)
#define UE__USDT_VALUE_0L UE__USDT_VALUE_0P
#define UE__USDT_VALUE_0F(at, ...) UE__USDT_OPERANDS(UE__WORD_SIZE, ue__v##at)
#define UE__USDT_VALUE_0S(...)
#define UE__USDT_VALUE_0R UE__USDT_VALUE_0P
#define UE__USDT_VALUE_0M(...)
#define UE__USDT_VALUE_0X(...)
#if __SIZEOF_LONG__ == 8
#define UE__WORD_SIZE 8
#else
#define UE__WORD_SIZE 4
#endif
/* a pointer is a word; a signed one points to pointer and count: C++'s strings, vectors, spans */
#ifdef __cplusplus
#define UE__USDT_SIZE(t)                                                                \
	(t & UE__T_SPAN		  ? -UE__WORD_SIZE :                                    \
	 t & UE__T_BEYOND_SCALARS ? UE__WORD_SIZE :                                     \
	 UE__U64_OF(t) >> 45 & 1  ? -UE__USDT_BYTES(t) :                                \
				    UE__USDT_BYTES(t))
#else
#define UE__USDT_SIZE(t) \
	(t & UE__T_BEYOND_SCALARS ? UE__WORD_SIZE : (t & UE__T_SIGNED ? -1 : 1) * UE__USDT_BYTES(t))
#endif
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ /* the low bytes are behind the address */
#define UE__USDT_BYTES(t) UE__WORD_SIZE
#elif __SIZEOF_LONG__ == 8
#define UE__USDT_BYTES(t) (1 << (t & 7))
#else
#define UE__USDT_BYTES(t) (1 << ((t & 7) < 2 ? (t & 7) : 2))
#endif
/* of the types that fields name */
enum {
#define UE__USDT_ROW(name, kernel, log2, shape, kind, format, ctype, how, ok) \
	UE__USDT_0##name = UE__USDT_SIZE_OF_##shape(log2, UE_FORMAT_##format),
#define UE__USDT_SIZE_OF_VALUE(log2, format) \
	(UE__IS_SIGNED(format) ? -UE__USDT_BYTES(log2) : UE__USDT_BYTES(log2))
#define UE__USDT_SIZE_OF_POINTER(log2, format) UE__WORD_SIZE
#define UE__USDT_SIZE_OF_ZSTRING UE__USDT_SIZE_OF_POINTER
#define UE__USDT_SIZE_OF_COUNTED UE__USDT_SIZE_OF_POINTER
	UE__TYPES(UE__USDT_ROW)
#undef UE__USDT_ROW
	UE__USDT_0PTR = UE__WORD_SIZE
};
#if __SIZEOF_LONG__ == 8
#define UE__WORD(v) v
#else /* the lower half of what has 64 bits */
#ifdef __cplusplus
#define UE__WORD(v) static_cast<unsigned long>(v)
#else
#define UE__WORD(v) (unsigned long)(v)
#endif
#endif
/* The number of values after a comma, up to 13. */
#define UE__TWELVE(...) \
	UE__TWELVE_(UE__FOURTEENTH(__VA_ARGS__, (12), (11), (10), (9), (8), (7), (6), (5), (4), \
				   (3), (2), (1), (0), ~))
#define UE__TWELVE_(x) UE__SECOND_OF(UE__TWELVE_AT_MOST x, 13, ~)
#define UE__TWELVE_AT_MOST(n) ~, n
#define UE__FOURTEENTH(...) UE__FOURTEENTH_(__VA_ARGS__)
#define UE__FOURTEENTH_(a, b, c, d, e, f, g, h, i, j, k, l, m, n, ...) n
#ifdef __powerpc__ /* where 5 is a register and i5 a constant */
#define UE__USDT_ARGUMENT(size, value) UE__NUMBER #size "@%I" #value "%" #value
#else
#define UE__USDT_ARGUMENT(size, value) UE__NUMBER #size "@%" #value
#endif
#if defined(__arm__) /* or GCC puts constants into memory */
#define UE__USDT_PLACE "g"
#elif defined(__powerpc__)
#define UE__USDT_PLACE "nZr"
#elif defined(__clang__) && defined(__x86_64__)
/* It would make room on the stack at the function's begin, where nobody may listen. */
#define UE__USDT_PLACE "nr"
#else
#define UE__USDT_PLACE "nor"
#endif
#define UE__USDT_TEXT_0 ""
#define UE__USDT_TEXT_1 UE__USDT_ARGUMENT(0, 1)
#define UE__USDT_TEXT_2 UE__USDT_TEXT_1 " " UE__USDT_ARGUMENT(2, 3)
#define UE__USDT_TEXT_3 UE__USDT_TEXT_2 " " UE__USDT_ARGUMENT(4, 5)
#define UE__USDT_TEXT_4 UE__USDT_TEXT_3 " " UE__USDT_ARGUMENT(6, 7)
#define UE__USDT_TEXT_5 UE__USDT_TEXT_4 " " UE__USDT_ARGUMENT(8, 9)
#define UE__USDT_TEXT_6 UE__USDT_TEXT_5 " " UE__USDT_ARGUMENT(10, 11)
#define UE__USDT_TEXT_7 UE__USDT_TEXT_6 " " UE__USDT_ARGUMENT(12, 13)
#define UE__USDT_TEXT_8 UE__USDT_TEXT_7 " " UE__USDT_ARGUMENT(14, 15)
#define UE__USDT_TEXT_9 UE__USDT_TEXT_8 " " UE__USDT_ARGUMENT(16, 17)
#define UE__USDT_TEXT_10 UE__USDT_TEXT_9 " " UE__USDT_ARGUMENT(18, 19)
#define UE__USDT_TEXT_11 UE__USDT_TEXT_10 " " UE__USDT_ARGUMENT(20, 21)
#define UE__USDT_TEXT_12 UE__USDT_TEXT_11 " " UE__USDT_ARGUMENT(22, 23)
#define UE__USDT_TEXT_13 UE__USDT_TEXT_12
/* Of more than twelve values, the first twelve: an asm takes 30 operands. */
#define UE__USDT_CUT(count) UE__SECOND_OF(UE__USDT_CUT_##count, UE__UNPACK, ~)
#define UE__USDT_CUT_13 ~, UE__USDT_FIRST
#define UE__USDT_FIRST(s1, a1, s2, a2, s3, a3, s4, a4, s5, a5, s6, a6, s7, a7, s8, a8, s9, a9, \
		       s10, a10, s11, a11, s12, a12, ...)                                    \
	s1, a1, s2, a2, s3, a3, s4, a4, s5, a5, s6, a6, s7, a7, s8, a8, s9, a9, s10, a10, s11, \
	a11, s12, a12,
#ifdef UE_NO_USDT
#define UE__USDT(...)
#define UE__USDT_LOG(...)
#define UE__USDT_SET(symbol)
#else
/* PASSED are the values, each behind a comma, OPERANDS what they are in the asm. */
#define UE__USDT(event, name, passed, operands) \
	UE__USDT_(UE__TWELVE(passed), event, name, operands)
#define UE__USDT_(...) UE__USDT__(__VA_ARGS__)
#define UE__USDT__(count, event, name, ...)                                             \
	__asm__ volatile(UE__USDT_BEGIN_WITH(UE__ADDRESS UE__SYMBOL "[ue_event] + " UE__SEMAPHORE \
					     "\n.asciz \"user_events\"\n.asciz \"" name "\"\n") \
			 UE__USDT_TEXT_##count UE__USDT_END                             \
			 :                                                              \
			 : UE__USDT_CUT(count)(__VA_ARGS__)[ue_event] UE__PLACE_OF(event));
/*
 * A site of UE_LOG knows its set by an expression. UE_EVENT_SET() gives the address of the
 * semaphore a name of its own, ue__semaphore_SYMBOL, by which sites find it; one that is not
 * defined is 0, no semaphore. What is no symbol (*set, sets[i]) has none either. A note tells where
 * the metadata is.
 */
#define UE__NO_SYMBOL "*[>.(:\" "
#if !defined(__clang__)
#define UE__IS_SYMBOL(symbol) \
	(__builtin_strcspn(symbol, UE__NO_SYMBOL) == sizeof(symbol) - 1)
#elif defined(__cplusplus)
constexpr bool ue__is_symbol(const char *s)
{
	return !*s || (!__builtin_strchr(UE__NO_SYMBOL, *s) && ue__is_symbol(s + 1));
}
#define UE__IS_SYMBOL(symbol) ue__is_symbol(symbol)
#else
#define UE__IS_SYMBOL(symbol)                                                           \
	(!__builtin_strchr(symbol, '*') && !__builtin_strchr(symbol, '[') &&            \
	 !__builtin_strchr(symbol, '>') && !__builtin_strchr(symbol, '.') &&            \
	 !__builtin_strchr(symbol, '(') && !__builtin_strchr(symbol, ':') &&            \
	 !__builtin_strchr(symbol, '"') && !__builtin_strchr(symbol, ' '))
#endif
#define UE__USDT_LOG(symbol, name, desc, passed, operands)                              \
	UE__USDT_NAMES(symbol, name)                                                    \
	UE__USDT_LOG_(UE__TWELVE(passed), symbol, UE__IS_WORD(UE__STRINGIFY_EACH(name)), desc, \
		      operands)
/*
 * Tools take names that are identifiers: the assembler makes '_' of all else (1), and puts one
 * before a digit (2). It leaves names with escapes or of several literals, which have more bytes in
 * the source than two quotes (0); and identifiers, as far as GCC knows before it compiles.
 */
#define UE__IS_WORD(source)                                                             \
	(sizeof(source) != sizeof(ue__name_type) + 2 ? 0 :                              \
	 UE__BEGINS_WITH_DIGIT(source)		     ? 2 :                              \
						       !UE__IS_LETTERS(source))
#define UE__BEGINS_WITH_DIGIT(source) \
	(__builtin_strcmp(source, "\"0") >= 0 && __builtin_strcmp(source, "\":") < 0)
#ifdef __clang__
#define UE__IS_LETTERS(source) 0
#else
#define UE__IS_LETTERS(source)                                                          \
	(__builtin_strspn(&(source)[1], "0123456789_abcdefghijklmnopqrstuvwxyz"         \
					"ABCDEFGHIJKLMNOPQRSTUVWXYZ") == sizeof(source) - 3)
#endif
#define UE__ASM_LETTER(c)                                                               \
	".if " c " >= 'a' && " c " <= 'z' || " c " >= 'A' && " c " <= 'Z' || "          \
	c " >= '0' && " c " <= '9'\n.byte " c "\n.else\n.byte '_'\n.endif\n"
/*
 * GAS would take '\ue__c' for a character that is escaped, so it gets the quotes by an argument;
 * LLVM's assembler gives .irpc the string's quotes, too.
 */
#define UE__ASM_WORDS                                                                   \
	".ifndef .Lue__words\n.set .Lue__words, 1\n.ifdef .gasversion.\n"               \
	".macro ue__letter c, q=\"'\"\n" UE__ASM_LETTER("\\q\\c\\q") ".endm\n"          \
	".macro ue__word s\n.irpc ue__c,\"\\s\"\nue__letter \"\\ue__c\"\n.endr\n.endm\n.else\n" \
	".macro ue__word s\n.irpc ue__c,\"\\s\"\n.if '\\ue__c' != 34\n"                 \
	UE__ASM_LETTER("'\\ue__c'") ".endif\n.endr\n.endm\n.endif\n.endif\n"
/* An asm without operands takes each character for itself, such as a percent sign in a name. */
#define UE__USDT_NAMES(symbol, name)                                                    \
	__asm__ volatile(UE__ASM_WORDS                                                  \
			 ".macro ue__name word\n.if \\word == 0\n.ascii " UE__STRINGIFY_EACH(name) \
			 "\n.else\n.if \\word == 2\n.byte '_'\n.endif\nue__word "    \
			 UE__STRINGIFY_EACH(name)                                       \
			 "\n.endif\n.byte 0\n.endm\n"                                  \
			 ".macro ue__set\n.weak ue__semaphore_" symbol                  \
			 "\n.hidden ue__semaphore_" symbol "\n" UE__ADDRESS              \
			 "ue__semaphore_" symbol "\n.asciz \"" symbol "\"\n.endm\n");
#define UE__USDT_LOG_(...) UE__USDT_LOG__(__VA_ARGS__)
#define UE__USDT_LOG__(count, symbol, word, desc, ...)                                  \
	__asm__ volatile(UE__USDT_BEGIN_WITH(".if " UE__NUMBER "[ue_symbol]\nue__set\n.else\n" \
					     UE__ADDRESS "0\n.asciz \"user_events\"\n.endif\n" \
					     "ue__name " UE__NUMBER "[ue_word]\n")      \
			 UE__USDT_TEXT_##count UE__USDT_END UE__NOTE_BEGIN(UE__NOTE_SITE) \
			 UE__ADDRESS "990b\n" UE__ADDRESS UE__SYMBOL "[ue_desc] + "     \
			 UE__NUMBER "[ue_meta]\n"                                      \
			 ".4byte " UE__NUMBER "[ue_size]\n" UE__NOTE_END               \
			 ".purgem ue__name\n.purgem ue__set\n"                         \
			 :                                                              \
			 : UE__USDT_CUT(count)(__VA_ARGS__)[ue_desc] UE__PLACE_OF(&desc), \
			   [ue_symbol] "i"(UE__IS_SYMBOL(symbol)),                      \
			   [ue_word] "i"(word),                                         \
			   [ue_meta] "i"(                                               \
				   UE__INT(__builtin_offsetof(__typeof__(desc), ue__meta_))), \
			   [ue_size] "i"(UE__INT(sizeof(struct ue__meta))));
#define UE__USDT_SET(symbol)                                                            \
	__asm__ volatile(".weak ue__semaphore_" #symbol "\n.hidden ue__semaphore_" #symbol \
			 "\n.set ue__semaphore_" #symbol ", " UE__SYMBOL               \
			 "[ue_event] + " UE__SEMAPHORE "\n"                             \
			 :                                                              \
			 : [ue_event] UE__PLACE_OF(&symbol));
#endif
#endif /* UE_DISABLE */

/* ---- UE_TRACE ------------------------------------------------------------------------------ */

#ifdef __cplusplus
#define UE__INLINE inline
#define UE__SLOW inline __attribute__((__noinline__, __cold__))
#else
#define UE__INLINE static inline UE__UNUSED
#define UE__SLOW static UE__UNUSED __attribute__((__noinline__, __cold__))
#endif

#ifdef __cplusplus
/* What is asked of a bare variable's type, computed once for each type. */
template <class ue__T> struct ue__bare : ue__auto<typename ue__plain<ue__T>::type> {
	static constexpr uint64_t ue__type = ue__auto<typename ue__plain<ue__T>::type>::type;
	static constexpr uint64_t ue__kernel = UE__KERNEL_PART(ue__type);
	static constexpr uint64_t ue__log = UE__LOG_PART(ue__type);
	static constexpr bool ue__carried = UE__IS_CARRIED(ue__type);
#ifndef UE_DISABLE
	static constexpr int ue__usdt = UE__USDT_SIZE(ue__type);
#endif
};
#endif

#define UE_TRACE(...) UE__TRACE(__VA_ARGS__, UE__END)
#define UE__TRACE(name, ...) UE__TRACE_COUNTED(UE__COUNT(__VA_ARGS__), name, __VA_ARGS__)
#define UE__TRACE_COUNTED(count, name, ...) \
	UE__TRACE_(UE__GROUPS_BY(count, __VA_ARGS__), count, name, __VA_ARGS__)
#define UE__TRACE_(n, count, name, ...) UE__TRACE__(n, count, #name, UE__NORMAL(n, , __VA_ARGS__))

/* What is known and checked of an event's fields, at POSITIONS that begin with AT. */
#define UE__FIELDS(n, at, count, name, ...)                                              \
	UE__CHECK_DISTINCT(count, "" UE__EACH_##n(UE__NAME, __VA_ARGS__))                \
	UE__SECOND_OF(UE__OVER_64_##n, UE__NOT_OVER_64, ~)(name)                         \
	UE__EACH_##n(UE__TYPE, __VA_ARGS__) \
	UE__ENUM64{ UE__EACH_##n(UE__ENUM, __VA_ARGS__) ue__sum##at = !count \
			    UE__EACH_##n(UE__KERNEL_SUM, __VA_ARGS__) };              \
	UE__EACH_##n(UE__KERNEL, __VA_ARGS__)

#define UE__NOT_OVER_64(name)
#define UE__OVER_64_16 ~, UE__IS_OVER_64
#define UE__OVER_64_32 ~, UE__IS_OVER_64
#define UE__IS_OVER_64(name)                                                             \
	UE__STATIC_ASSERT(0, "user_events.h: event \"" name "\" has over 64 fields; "    \
			     "UE_LOG takes more");

#ifdef UE_DISABLE
#define UE__TRACE__(n, count, name, ...)                  \
	do {                                              \
		UE__CHECK_NAMES(name ";" UE__EACH_##n(UE__NAME, __VA_ARGS__)) \
		UE__FIELDS(n, , count, name, __VA_ARGS__) \
		if (0) {                                  \
			UE__IGNORE(n, __VA_ARGS__)        \
		}                                         \
	} while (0)
#else

/*
 * A kernel-typed event's descriptor. One without fields has a zero byte without a name: kernels
 * before 6.12 do not always show an empty payload.
 */
#define UE__DESC(kind, sum, types, meta)                                                  \
	{                                                                                 \
		kind, { 0, 0, 0 }, UE__U32(sum & 0xffffff), UE__U16(sum >> 24 & 0x3ff),   \
			UE__U16(sum >> 34 & 0x3fff), types, meta                        \
	}
#define UE__DESCRIPTOR(variable, n, at, count, names, ...)                            \
	static const struct UE__HIDDEN_TYPE {                                         \
		UE__TYPE(ue__desc) ue__head;                                           \
		uint32_t ue__types[count + 1 + !count];                               \
		char ue__text[sizeof(names)];                                         \
	} variable UE__UNUSED =                                                       \
		{ UE__DESC(UE__DESC_KERNEL, UE__U64(ue__sum##at), count, 0),  \
				 { UE__EACH_##n(UE__ENTRY, __VA_ARGS__)            \
					   UE__CAT(UE__LAST_, UE__IS_ZERO(count)) },  \
				 names }

#define UE__IS_ZERO(count) UE__SECOND_OF(UE__CAT(UE__ZERO_, count), 0, ~)
#define UE__ZERO_0 ~, 1
#define UE__LAST_0 UE__T_END
#define UE__LAST_1 UE__U32(UE__T_0U8 & 0xffffffff), UE__T_END

/*
 * The way out of a site. FEW(SUM) is the function for at most four values, MORE(SUM) takes any
 * number. The values stand behind a comma.
 */
#define UE__EMIT(few, more, sum, event, desc, ...)                                      \
	UE__CAT(UE__EMIT_, UE__IS_PAREN(UE__SIXTH(__VA_ARGS__, (), (), (), (), (), ~))) \
	(few, more, sum, event, desc, __VA_ARGS__)
#define UE__SIXTH(...) UE__SIXTH_(__VA_ARGS__)
#define UE__SIXTH_(a, b, c, d, e, f, ...) f
#define UE__EMIT_1(few, more, sum, event, desc, ...)                                    \
	UE__EMIT_FEW(few, sum, event, desc, __VA_ARGS__, UE__U64(0), UE__U64(0), UE__U64(0), \
		     UE__U64(0), ~)
#define UE__EMIT_FEW(few, sum, event, desc, none, v0, v1, v2, v3, ...) \
	few(sum)(event, desc, v0, v1, v2, v3)
#define UE__EMIT_0(few, more, sum, event, desc, ...) more(sum)(event, desc __VA_ARGS__)

#define UE__IN_SECTION __attribute__((__section__("ue_events_v1"), __aligned__(8)))
#define UE__EVENT_INIT(desc, level)                             \
	{                                                       \
		0, 0, desc, NULL, NULL, UE__NEW, level, 0, 0, 0 \
	}

/* As an event is in C. */
#define UE__SITE_OBJECTS(tag, n, at, count, name, ...)               \
	UE__DESCRIPTOR(tag##_desc, n, at, count,                                      \
		       name ";" UE__EACH_##n(UE__NAME, __VA_ARGS__), __VA_ARGS__);    \
	static UE__TYPE(ue_event) tag UE__IN_SECTION               \
		UE__UNUSED = UE__EVENT_INIT(&tag##_desc.ue__head, 0)

#define UE__EMIT_KERNEL(sum, ...) UE__EMIT(UE__KERNEL_FEW, UE__KERNEL_MORE, sum, __VA_ARGS__)
#define UE__KERNEL_FEW(sum)                                                            \
	((UE__BITS_OF(sum) & 0xffffff) > UE__SMALL_FIXED || UE__U64(sum) >> 57           \
		 ? UE__THE(ue__encode_kernel_any)                                      \
	 : UE__U64(sum) >> 34 & 0x3fff ? UE__THE(ue__encode_text)                       \
				      : UE__THE(ue__encode_scalars))
#define UE__KERNEL_MORE(sum)                                                                   \
	((UE__BITS_OF(sum) & 0xffffff) > UE__SMALL_FIXED || UE__U64(sum) & UE__SUM_NO_SCALARS    \
		 ? UE__THE(ue__encode_kernel_list)                                             \
		 : UE__THE(ue__encode_kernel_more))

#ifdef __cplusplus
#ifdef UE_NO_AUTO_REGISTER
#define UE__AUTOMATIC false
#else
#define UE__AUTOMATIC true
#endif
/*
 * A site is a class. Its constructor takes the values, in braces: so they are evaluated in order,
 * and temporaries among them live until all is written.
 */
#define UE__SITE_CLASS(tag, n, at, count, name, ...)                                            \
	struct tag {                                                                            \
		tag(const tag &) = delete; \
		static const UE__TYPE(ue__desc) *ue__describe()                               \
		{                                                                               \
			UE__DESCRIPTOR(ue__d, n, at, count,                                     \
				       name ";" UE__EACH_##n(UE__NAME, __VA_ARGS__), __VA_ARGS__); \
			return &ue__d.ue__head;                                                 \
		}                                                                               \
		UE__ALWAYS_INLINE explicit tag(int UE__EACH_##n(UE__PARAMETER, __VA_ARGS__)) \
		{                                                                               \
			UE__COLD_SITE;                                                          \
			UE__NOTE(n, at, count, name, __VA_ARGS__)                               \
			UE__USDT(&UE__SITE(tag), name, UE__EACH_##n(UE__PASS, __VA_ARGS__), \
		 UE__EACH_##n(UE__USDT_VALUE, __VA_ARGS__)) \
			UE__EMIT_KERNEL(ue__sum##at, &UE__SITE(tag), ue__describe(),            \
					UE__EACH_##n(UE__PASS, __VA_ARGS__));                \
		}                                                                               \
	}
#define UE__SITE(tag) (ue__site<tag, UE__AUTOMATIC>::ue__event)
#define UE__USE(tag) ue__site<tag, UE__AUTOMATIC>::ue__use()
#if defined(__clang__) && (!defined(__PIC__) || defined(__PIE__))
/*
 * clang gives data in templates and inline functions a section. So UE_TRACE is as in C, which is
 * less work for the compiler. Not in libraries: other libraries would see such data, and code asks
 * the loader for its place. A constexpr function takes static variables and asm within an
 * expression.
 */
#define UE__TRACE__(n, count, name, ...)                                           \
	do {                                                                       \
		UE__CHECK_NAMES(name ";" UE__EACH_##n(UE__NAME, __VA_ARGS__)) \
		UE__FIELDS(n, , count, name, __VA_ARGS__)                          \
		__extension__({                                                    \
			UE__SITE_OBJECTS(ue__s, n, , count, name, __VA_ARGS__);    \
			if (UE__UNLIKELY(ue_event_enabled(&ue__s))) {              \
				uint64_t ue__none __attribute__((__unused__))      \
					UE__EACH_##n(UE__PASS, __VA_ARGS__);       \
				(void)(UE__EACH_##n(UE__EVALUATE, __VA_ARGS__)     \
				       __extension__({                             \
					UE__COLD_SITE;                             \
					UE__NOTE(n, , count, name, __VA_ARGS__)    \
					UE__USDT(&ue__s, name,                     \
						 UE__EACH_##n(UE__PASS, __VA_ARGS__), \
						 UE__EACH_##n(UE__USDT_VALUE, __VA_ARGS__)) \
					UE__EMIT_KERNEL(ue__sum, &ue__s, &ue__s_desc.ue__head, \
							UE__EACH_##n(UE__PASS, __VA_ARGS__)); \
				}));                                               \
			}                                                          \
		});                                                                \
	} while (0)
#else
#define UE__TRACE__(n, count, name, ...)                                           \
	do {                                                                       \
		UE__CHECK_NAMES(name ";" UE__EACH_##n(UE__NAME, __VA_ARGS__)) \
		UE__FIELDS(n, , count, name, __VA_ARGS__)                          \
		UE__SITE_CLASS(ue__s, n, , count, name, __VA_ARGS__);              \
		if (UE__UNLIKELY(ue_event_enabled(&UE__SITE(ue__s)))) {            \
			UE__USE(ue__s);                                            \
			(void)ue__s{ 0 UE__EACH_##n(UE__ARGUMENT, __VA_ARGS__) }; \
		}                                                                  \
	} while (0)
#endif
#else
#define UE__SITE(tag) tag
#define UE__USE(tag) ((void)0)
#define UE__WRITE_OUT(tag, n, at, count, name, ...)                        \
	UE__EACH_##n(UE__EVALUATE, __VA_ARGS__)                         \
	UE__COLD_SITE;                                                     \
	UE__NOTE(n, at, count, name, __VA_ARGS__)                          \
	UE__USDT(&tag, name, UE__EACH_##n(UE__PASS, __VA_ARGS__), \
		 UE__EACH_##n(UE__USDT_VALUE, __VA_ARGS__)) \
	UE__EMIT_KERNEL(ue__sum##at, &tag, &tag##_desc.ue__head,           \
			UE__EACH_##n(UE__PASS, __VA_ARGS__));
#define UE__TRACE__(n, count, name, ...)                                    \
	do {                                                                \
		UE__CHECK_NAMES(name ";" UE__EACH_##n(UE__NAME, __VA_ARGS__)) \
		UE__FIELDS(n, , count, name, __VA_ARGS__)                   \
		UE__SITE_OBJECTS(ue__s, n, , count, name, __VA_ARGS__);     \
		if (UE__UNLIKELY(ue_event_enabled(&ue__s))) {               \
			UE__WRITE_OUT(ue__s, n, , count, name, __VA_ARGS__) \
		}                                                           \
	} while (0)
#endif
#endif /* UE_DISABLE */

/* ---- UE_TRACEPOINT ------------------------------------------------------------------------- */

/* op UE__PARAM, UE__FORWARD: a function's parameters, and its call */
#define UE__PARAM_0B(...)
#define UE__PARAM_0V(at, kind, as, tag, string, name, ...) , ue__c_##kind name
#define UE__PARAM_0P(at, kind, as, tag, string, name, ...) , ue__c_##kind name, size_t name##_count
#define UE__PARAM_0L(at, kind, as, tag, string, name, ...) \
	, ue__c_##kind const *name, size_t name##_count
#define UE__PARAM_0F(at, kind, as, tag, string, name, ...) , ue__c_##kind const *name
#define UE__PARAM_0S(...)
#define UE__PARAM_0R(...)
#define UE__PARAM_0M(...)
#define UE__PARAM_0X(...)
#define UE__FORWARD_0B(...)
#define UE__FORWARD_0V(at, kind, as, tag, string, name, ...) , name
#define UE__FORWARD_0P(at, kind, as, tag, string, name, ...) , name, name##_count
#define UE__FORWARD_0L UE__FORWARD_0P
#define UE__FORWARD_0F UE__FORWARD_0V
#define UE__FORWARD_0S(...)
#define UE__FORWARD_0R(...)
#define UE__FORWARD_0M(...)
#define UE__FORWARD_0X(...)

/* op UE__POINT: at file scope there are no variables whose types could be asked for */
#define UE__POINT_0B(at, as, tag, string, ...)                                        \
	UE__STATIC_ASSERT(0, "user_events.h: field \"" string                         \
			     "\" of UE_TRACEPOINT names its type: UE_I32(" string ")");
#define UE__POINT_0V(...)
#define UE__POINT_0P(...)
#define UE__POINT_0L(...)
#define UE__POINT_0F(...)
#define UE__POINT_0S(...)
#define UE__POINT_0R(...)
#define UE__POINT_0M(...)
#define UE__POINT_0X(...)

#define UE_TRACEPOINT(...) UE__TRACEPOINT(__VA_ARGS__, UE__END)
/* A name in quotes pastes to two tokens, of which the first is a macro. */
#define UE__TRACEPOINT(name, ...) \
	UE__SECOND_OF(UE__WRITE_THE_NAME_WITHOUT_QUOTES_##name, UE__TRACEPOINT_OF, ~) \
	(name, __VA_ARGS__)
#define UE__WRITE_THE_NAME_WITHOUT_QUOTES_ ~, UE__TRACEPOINT_QUOTED,
#define UE__TRACEPOINT_QUOTED(...) struct ue__semicolon
/* clang++ shows the last declaration beside a wrong argument, and each macro that it is made by. */
#define UE__TRACEPOINT_OF(name, ...)                                                        \
	UE__TRACEPOINT_(UE__GROUPS(__VA_ARGS__), UE__COUNT(__VA_ARGS__), name, __VA_ARGS__) \
	__typeof__(trace_##name) trace_##name
#define UE__TRACEPOINT_(n, count, name, ...) \
	UE__EACH(n, UE__POINT, UE__NORMAL(n, , __VA_ARGS__))                          \
	UE__TRACEPOINT__(n, count, name, #name,                                       \
			 UE__CAT(UE__GROUPS_, n)(UE__RUN_POINT, , name##_, __VA_ARGS__, UE__END, \
				UE__END, UE__END, UE__END, UE__END, UE__END, UE__END, UE__END) ~)
#define UE__RUN_POINT(op, at, more, x1, x2, x3, x4, x5, x6, x7, x8)                   \
	UE__TUPLE_OF(UE__POINT_BARE, at##more##_1, x1),                                \
	UE__TUPLE_OF(UE__POINT_BARE, at##more##_2, x2),                                \
	UE__TUPLE_OF(UE__POINT_BARE, at##more##_3, x3),                                \
	UE__TUPLE_OF(UE__POINT_BARE, at##more##_4, x4),                                \
	UE__TUPLE_OF(UE__POINT_BARE, at##more##_5, x5),                                \
	UE__TUPLE_OF(UE__POINT_BARE, at##more##_6, x6),                                \
	UE__TUPLE_OF(UE__POINT_BARE, at##more##_7, x7),                                \
	UE__TUPLE_OF(UE__POINT_BARE, at##more##_8, x8),
/* told already */
#define UE__POINT_BARE(rest) UE__POINT_BARE_
#define UE__POINT_BARE_(at, x) 0V(at, 0I32, , , #x, x, x)
#define UE__TRACEPOINT__(n, count, name, string, ...)                                 \
	UE__CHECK_NAMES(string ";" UE__EACH_##n(UE__NAME, __VA_ARGS__)) \
	UE__FIELDS(n, name##_, count, string, __VA_ARGS__)                            \
	UE__TRACEPOINT___(n, count, name, string, ue__site_##name,                    \
			  UE__PARAMETERS(UE__EACH_##n(UE__PARAM, __VA_ARGS__)),      \
			  UE__ARGUMENTS(UE__EACH_##n(UE__FORWARD, __VA_ARGS__)), __VA_ARGS__)
/* ", a, b" to "(a, b)", nothing to "(void)" or "()" */
#define UE__PARAMETERS(...) \
	UE__CAT(UE__LIST_, UE__IS_NOTHING(__VA_ARGS__, (), ~))(void, __VA_ARGS__)
#define UE__ARGUMENTS(...) UE__CAT(UE__LIST_, UE__IS_NOTHING(__VA_ARGS__, (), ~))(, __VA_ARGS__)
#define UE__IS_NOTHING(nothing, first, ...) UE__IS_PAREN(first)
#define UE__LIST_1(none, nothing) (none)
#define UE__LIST_0(none, nothing, ...) (__VA_ARGS__)
/* Not all of the functions need be called. What is marked as unused may not be, for clang. */
#ifdef __clang__
#define UE__MAYBE_CALLED(...)                                                         \
	_Pragma("clang diagnostic push")                                              \
	_Pragma("clang diagnostic ignored \"-Wunused-function\"") __VA_ARGS__         \
	_Pragma("clang diagnostic pop")
#else
#define UE__MAYBE_CALLED(...) __VA_ARGS__
#endif
#ifdef UE_DISABLE
#define UE__TRACEPOINT___(n, count, name, string, tag, parameters, arguments, ...)    \
	UE__MAYBE_CALLED(UE__INLINE bool trace_##name##_enabled(void)                 \
	{                                                                             \
		return false;                                                         \
	}                                                                             \
	UE__INLINE void trace_##name parameters                                       \
	{                                                                             \
		if (0) {                                                              \
			UE__IGNORE(n, __VA_ARGS__)                                    \
		}                                                                     \
	})
#else
#ifdef __cplusplus
#define UE__POINT_SITE UE__SITE_CLASS
#define UE__POINT_BODY(tag, n, at, count, name, ...) \
	(void)tag{ 0 UE__EACH_##n(UE__ARGUMENT, __VA_ARGS__) };
#else
#define UE__POINT_SITE UE__SITE_OBJECTS
#define UE__POINT_BODY UE__WRITE_OUT
#endif
#define UE__TRACEPOINT___(n, count, name, string, tag, parameters, arguments, ...)    \
	UE__POINT_SITE(tag, n, name##_, count, string, __VA_ARGS__);                  \
	UE__SLOW void ue__trace_##name parameters                                     \
	{                                                                             \
		UE__USE(tag);                                                         \
		UE__POINT_BODY(tag, n, name##_, count, string, __VA_ARGS__)           \
	}                                                                             \
	UE__MAYBE_CALLED(UE__INLINE bool trace_##name##_enabled(void)                 \
	{                                                                             \
		UE__USE(tag);                                                         \
		return ue_event_enabled(&UE__SITE(tag));                              \
	}                                                                             \
	UE__INLINE void trace_##name parameters                                       \
	{                                                                             \
		if (UE__UNLIKELY(ue_event_enabled(&UE__SITE(tag))))                   \
			ue__trace_##name arguments;                                   \
	})
#endif

/* ---- Preprocessor: metadata of EventHeader events ------------------------------------------ */

/*
 * op UE__DEFINE, UE__INITIALISE: metadata, as members of a packed struct. A field's encoding
 * is 1 to 6 bytes, as a bit-field: kind, format and tag if there are any, count of an array.
 */
#define UE__HAS_FORMAT(t) (t & 0xffff0fe000000000) /* or a tag */
#define UE__ENCODING_BITS(t) \
	8 * (1 + !!UE__HAS_FORMAT(t) + (UE__TAG_OF(t) ? 2 : 0) + (t & UE__T_CARRAY ? 2 : 0))
#define UE__ENCODING_KIND(t) \
	(UE__KIND_OF(t) | UE__ENCODING_ARRAY(t) | (UE__HAS_FORMAT(t) ? UE__ENCODING_MORE : 0u))
#define UE__ENCODING_FORMAT(t) (UE__FORMAT_OF(t) | (UE__TAG_OF(t) ? UE__ENCODING_MORE : 0u))
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define UE__ENCODING(t)                                                                       \
	(UE__U64_OF(UE__ENCODING_KIND(t)) << (UE__ENCODING_BITS(t) - 8) |                     \
	 (UE__HAS_FORMAT(t) ?                                                                 \
		  UE__U64_OF(UE__ENCODING_FORMAT(t)) << ((UE__ENCODING_BITS(t) - 16) & 63) : 0) | \
	 UE__TAG_OF(t) << (t & UE__T_CARRAY ? 16 : 0) |                                       \
	 (t & UE__T_CARRAY ? UE__LENGTH_OF(t) : 0u))
#else
#define UE__ENCODING(t)                                                                       \
	(UE__ENCODING_KIND(t) | UE__U64_OF(UE__ENCODING_FORMAT(t)) << 8 | UE__TAG_OF(t) << 16 | \
	 (t & UE__T_CARRAY ?                                                                  \
		  UE__U64_OF(UE__LENGTH_OF(t)) << ((UE__ENCODING_BITS(t) - 16) & 63) : 0))
#endif
/* of the types that fields name */
enum {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define UE__ENCODING_ROW(name, kernel, log2, shape, kind, format, ctype, how, ok)     \
	ue__w0##name = UE_FORMAT_##format ? 16 : 8,                                 \
	ue__m0##name = UE_FORMAT_##format ?                                         \
		(UE__INT(UE__KIND_##kind) | 128) << 8 | UE_FORMAT_##format :          \
		UE__INT(UE__KIND_##kind),
#else
#define UE__ENCODING_ROW(name, kernel, log2, shape, kind, format, ctype, how, ok)     \
	ue__w0##name = UE_FORMAT_##format ? 16 : 8,                                 \
	ue__m0##name = UE__INT(UE__KIND_##kind) |                                   \
		(UE_FORMAT_##format ? UE_FORMAT_##format << 8 | 128 : 0),
#endif
	UE__TYPES(UE__ENCODING_ROW)
#undef UE__ENCODING_ROW
	ue__w0PTR = ue__w0PTR64,
	ue__m0PTR = sizeof(void *) == 8 ? ue__m0PTR64 : ue__m0PTR32
};
#define UE__DEFINE_AS(at, string, bits) \
	char ue__name##at[sizeof(string)];  \
	__extension__ uint64_t ue__encoding##at : bits;
#define UE__DEFINE_0B(at, as, tag, string, ...) \
	UE__DEFINE_AS(at, string, UE__ENCODING_BITS(UE__BITS_OF(ue__t##at)))
#define UE__DEFINE_0V(at, kind, as, tag, string, ...) \
	UE__DEFINE_AS(at, string, UE__IF_PLAIN(as tag, UE__PLAIN_BITS, UE__OTHER_BITS)(at, kind))
#define UE__PLAIN_BITS(at, kind) ue__w##kind
#define UE__OTHER_BITS(at, kind) UE__ENCODING_BITS(UE__BITS_OF(ue__t##at))
#define UE__DEFINE_0P UE__DEFINE_0V
#define UE__DEFINE_0L(at, kind, as, tag, string, ...) UE__DEFINE_0B(at, as, tag, string, ~)
#define UE__DEFINE_0F UE__DEFINE_0L
#define UE__DEFINE_0S UE__DEFINE_0B
#define UE__DEFINE_0R UE__DEFINE_0S
#define UE__DEFINE_0M(at, class, tuple) UE__INNER(UE__DEFINE_##class, at, UE__UNPACK tuple)
#define UE__DEFINE_0X(...)
#define UE__INITIALISE_0B(at, as, tag, string, ...) string, UE__ENCODING(UE__BITS_OF(ue__t##at)),
#define UE__INITIALISE_0V(at, kind, as, tag, string, ...) \
	string, UE__IF_PLAIN(as tag, UE__PLAIN_ENCODING, UE__OTHER_ENCODING)(at, kind),
#define UE__PLAIN_ENCODING(at, kind) ue__m##kind
#define UE__OTHER_ENCODING(at, kind) UE__ENCODING(UE__BITS_OF(ue__t##at))
#define UE__INITIALISE_0P UE__INITIALISE_0V
#define UE__INITIALISE_0L(at, kind, as, tag, string, ...) \
	string, UE__ENCODING(UE__BITS_OF(ue__t##at)),
#define UE__INITIALISE_0F UE__INITIALISE_0L
#define UE__INITIALISE_0S UE__INITIALISE_0B
#define UE__INITIALISE_0R UE__INITIALISE_0S
#define UE__INITIALISE_0M(at, class, tuple) UE__INNER(UE__INITIALISE_##class, at, UE__UNPACK tuple)
#define UE__INITIALISE_0X(...)

/* op UE__HEAD: id, version << 16, opcode << 24, tag << 32, how many there are of each << 48 */
#define UE__HEAD_0B(...)
#define UE__HEAD_0V(...)
#define UE__HEAD_0P(...)
#define UE__HEAD_0L(...)
#define UE__HEAD_0F(...)
#define UE__HEAD_0S(...)
#define UE__HEAD_0R(...)
#define UE__HEAD_0M(...)
#define UE__HEAD_0X(at, option, ...) UE__HEAD_##option(__VA_ARGS__)
#define UE__HEAD_0END(...)
#define UE__HEAD_0NOTHING(...)
/* a version needs an id */
#define UE__HEAD_0ID(id, version)                                                     \
	+(UE__UP_TO(id, 65535) | UE__UP_TO(version, (id) ? 255 : 0) << 16 | UE__U64(1) << 48)
#define UE__HEAD_0OPCODE(opcode) +(UE__UP_TO(opcode, 255) << 24 | UE__U64(1) << 52)
#define UE__HEAD_0TAG(tag) +(UE__UP_TO(tag, 65535) << 32 | UE__U64(1) << 56)
#define UE__HEAD_0ACTIVITY(...) +(UE__U64(1) << 60)
#define UE__CHECK_HEAD(head)                                                          \
	UE__STATIC_ASSERT(!(UE__U64(head) >> 48 & 0xeeee),                                   \
			  "user_events.h: an event has one UE_ID, UE_OPCODE, UE_TAG, UE_ACTIVITY");

/*
 * op UE__ACTIVITY_PASS: the activity's variables, as ", id, related"; in the event they come before
 * all fields
 */
#define UE__ACTIVITY_PASS_0B(...)
#define UE__ACTIVITY_PASS_0V(...)
#define UE__ACTIVITY_PASS_0P(...)
#define UE__ACTIVITY_PASS_0L(...)
#define UE__ACTIVITY_PASS_0F(...)
#define UE__ACTIVITY_PASS_0S(...)
#define UE__ACTIVITY_PASS_0R(...)
#define UE__ACTIVITY_PASS_0M(...)
#define UE__ACTIVITY_PASS_0X(at, option, ...) UE__ACTIVITY_PASS_##option(at)
#define UE__ACTIVITY_PASS_0END(at)
#define UE__ACTIVITY_PASS_0NOTHING(at)
#define UE__ACTIVITY_PASS_0ID(at)
#define UE__ACTIVITY_PASS_0OPCODE(at)
#define UE__ACTIVITY_PASS_0TAG(at)
#define UE__ACTIVITY_PASS_0ACTIVITY(at) , ue__v##at, ue__n##at
/* its type, and the last operands of a USDT probe */
#define UE__ACTIVITY_ENTRIES(...) \
	UE__CAT(UE__ACTIVITY_ENTRIES_, UE__IS_NOTHING(__VA_ARGS__, (), ~))
#define UE__ACTIVITY_ENTRIES_0 UE__T_ACTIVITY,
#define UE__ACTIVITY_ENTRIES_1
#define UE__ACTIVITY_OPERANDS(...) \
	UE__CAT(UE__ACTIVITY_OPERANDS_, UE__IS_NOTHING(__VA_ARGS__, (), ~))(__VA_ARGS__, ~)
#define UE__ACTIVITY_OPERANDS_0(none, id, related, ...) /* two do not compile */ \
	UE__USDT_OPERANDS(UE__WORD_SIZE, id) UE__USDT_OPERANDS(UE__WORD_SIZE, related)
#define UE__ACTIVITY_OPERANDS_1(...)

/* ---- UE_LOG -------------------------------------------------------------------------------- */

#define UE_LOG_ENABLED(set) ue_event_set_enabled(&(set))
#define UE_LOG(set, ...) UE__LOG(set, #set, __VA_ARGS__, UE__END)
#define UE__LOG(set, symbol, event_name, ...) \
	UE__LOG_(UE__GROUPS(__VA_ARGS__), set, symbol, event_name, __VA_ARGS__)
#define UE__LOG_(n, set, symbol, event_name, ...) \
	UE__LOG__(n, set, symbol, event_name, UE__NORMAL(n, , __VA_ARGS__))
#define UE__LOG_FIELDS(n, event_name, ...)                                                  \
	UE__EACH_##n(UE__TYPE, __VA_ARGS__) \
	UE__ENUM64{ UE__EACH_##n(UE__ENUM, __VA_ARGS__) ue__head = UE__U64(0)              \
			    UE__EACH_##n(UE__HEAD, __VA_ARGS__),                           \
		    ue__sum = UE__U64(0) UE__EACH_##n(UE__LOG_SUM, __VA_ARGS__) };         \
	UE__EACH_##n(UE__CHECK, __VA_ARGS__)                                               \
	UE__CHECK_HEAD(ue__head)
#ifdef UE_DISABLE
#define UE__LOG__(n, set, symbol, event_name, ...)          \
	do {                                                \
		UE__CHECK_LOG(#event_name, "event;" UE__EACH_##n(UE__NAME, __VA_ARGS__)) \
		UE__LOG_FIELDS(n, event_name, __VA_ARGS__)  \
		struct ue_event_set *const ue__set = &(set); \
		if (0) {                                    \
			(void)ue_event_set_enabled(ue__set); \
			UE__IGNORE(n, __VA_ARGS__)          \
		}                                           \
	} while (0)
#else
/*
 * An event's name that is no literal, or none, has been told. In parentheses, so that GCC goes on
 * behind them; __extension__ is for those.
 */
#ifdef __cplusplus
#define UE__LITERAL(name) (name)
#define UE__TYPE_OF_NAME(name) typedef decltype(name) ue__name_type
#else
#define UE__LITERAL(name) ("" name)
#define UE__TYPE_OF_NAME(name) typedef __typeof__("" name) ue__name_type
#endif
#define UE__METADATA(n, event_name, ...)                    \
	UE__TYPE_OF_NAME(event_name);                       \
	struct ue__meta {                                   \
		uint8_t ue__flags, ue__version;             \
		uint16_t ue__id, ue__tag;                   \
		uint8_t ue__opcode, ue__level;              \
		uint16_t ue__size, ue__kind;                \
		char ue__name[sizeof(ue__name_type)];       \
		UE__EACH_##n(UE__DEFINE, __VA_ARGS__)      \
	} __attribute__((__packed__));                      \
	UE__STATIC_ASSERT(!(sizeof(struct ue__meta) > 65535), \
			  "user_events.h: names and fields over 64 KiB");
#define UE__LOG_DESCRIPTOR(n, event_name, ...)                                                     \
	__extension__ static const struct UE__HIDDEN_TYPE {                                        \
		UE__TYPE(ue__desc) ue__desc_;                                                      \
		uint32_t ue__types[(UE__U64(ue__sum) >> 48 & 511) + 1];                            \
		struct ue__meta ue__meta_;                                                         \
	} ue__d = { UE__DESC(UE__DESC_LOG, UE__U64(ue__sum),                                       \
			     UE__U16(UE__U64(ue__sum) >> 48 & 511),                                \
			     UE__U16(sizeof(struct ue__meta))),                                    \
		    { UE__ACTIVITY_ENTRIES(UE__EACH_##n(UE__ACTIVITY_PASS, __VA_ARGS__))          \
			      UE__EACH_##n(UE__ENTRY, __VA_ARGS__) UE__T_END },                   \
		    { UE__HEADER_FLAGS, UE__U8(UE__BITS_OF(ue__head) >> 16 & 0xff),                \
		      UE__U16(UE__BITS_OF(ue__head) & 0xffff),                                     \
		      UE__U16(UE__U64(ue__head) >> 32 & 0xffff),                                   \
		      UE__U8(UE__BITS_OF(ue__head) >> 24 & 0xff), 0,                               \
		      UE__U16(sizeof(struct ue__meta) - 12), UE__EXTENSION_METADATA,               \
		      UE__LITERAL(event_name), UE__EACH_##n(UE__INITIALISE, __VA_ARGS__) } };
#define UE__EMIT_LOG(...) UE__EMIT(UE__LOG_FEW, UE__LOG_MORE, ue__sum, __VA_ARGS__)
#define UE__LOG_FEW(sum) \
	((UE__BITS_OF(sum) & 0xffffff) + sizeof(struct ue__meta) > UE__SMALL_FIXED ||             \
			 UE__U64(sum) >> 57                                                    \
		 ? UE__THE(ue__encode_log_any)                                                     \
	 : UE__U64(sum) >> 34 & 0x3fff ? UE__THE(ue__encode_log_text)                          \
					  : UE__THE(ue__encode_log))
/* an activity, the highest bit, may come with scalars */
#define UE__LOG_MORE(sum) \
	((UE__BITS_OF(sum) & 0xffffff) + sizeof(struct ue__meta) > UE__SMALL_FIXED ||             \
			 UE__U64(sum) << 1 & UE__SUM_NO_SCALARS << 1                           \
		 ? UE__THE(ue__encode_log_list)                                                    \
		 : UE__THE(ue__encode_log_more))
/* Behind the evaluation. ACTIVITY: its variables, in parentheses. */
#define UE__LOG_WRITE(n, symbol, event_name, activity, ...)                                        \
	UE__COLD_SITE;                                                                             \
	UE__USDT_LOG(symbol, event_name, ue__d,                                                    \
		     UE__EACH_##n(UE__PASS, __VA_ARGS__) UE__UNPACK activity,                      \
		     UE__EACH_##n(UE__USDT_VALUE, __VA_ARGS__) UE__ACTIVITY_OPERANDS activity)     \
	UE__EMIT_LOG(ue__e, &ue__d.ue__desc_,                                                      \
		     UE__UNPACK activity UE__EACH_##n(UE__PASS, __VA_ARGS__));
#if defined(__cplusplus) && defined(__clang__)
#define UE__LOG_OUT(n, symbol, event_name, ...)                                                    \
	__extension__({                                                                            \
		UE__LOG_DESCRIPTOR(n, event_name, __VA_ARGS__)                                     \
		struct ue_event *const ue__e = ue__event_of(ue__set);                              \
		uint64_t ue__none __attribute__((__unused__))                                      \
			UE__EACH_##n(UE__ACTIVITY_PASS, __VA_ARGS__)                               \
			UE__EACH_##n(UE__PASS, __VA_ARGS__);                                       \
		(void)(UE__EACH_##n(UE__EVALUATE, __VA_ARGS__) __extension__({                     \
			UE__LOG_WRITE(n, symbol, event_name,                                       \
				      (UE__EACH_##n(UE__ACTIVITY_PASS, __VA_ARGS__)), __VA_ARGS__) \
		}));                                                                               \
	});
#elif defined(__cplusplus)
#define UE__LOG_OUT(n, symbol, event_name, ...)                                                    \
	struct ue__s {                                                                             \
		ue__s(const ue__s &) = delete; \
		UE__ALWAYS_INLINE explicit ue__s(                                                  \
			struct ue_event *ue__e UE__EACH_##n(UE__PARAMETER, __VA_ARGS__))           \
		{                                                                                  \
			UE__LOG_DESCRIPTOR(n, event_name, __VA_ARGS__)                             \
			UE__LOG_WRITE(n, symbol, event_name,                                       \
				      (UE__EACH_##n(UE__ACTIVITY_PASS, __VA_ARGS__)), __VA_ARGS__) \
		}                                                                                  \
	};                                                                                         \
	(void)ue__s{ ue__event_of(ue__set) UE__EACH_##n(UE__ARGUMENT, __VA_ARGS__) };
#else
#define UE__LOG_OUT(n, symbol, event_name, ...)                                                    \
	UE__LOG_DESCRIPTOR(n, event_name, __VA_ARGS__)                                             \
	struct ue_event *const ue__e = ue__event_of(ue__set);                                      \
	UE__EACH_##n(UE__EVALUATE_LOG, __VA_ARGS__)                                                \
	UE__LOG_WRITE(n, symbol, event_name, (UE__EACH_##n(UE__ACTIVITY_PASS, __VA_ARGS__)),       \
		      __VA_ARGS__)
#endif
#define UE__LOG__(n, set, symbol, event_name, ...)                           \
	do {                                                                 \
		UE__CHECK_LOG(#event_name, "event;" UE__EACH_##n(UE__NAME, __VA_ARGS__)) \
		UE__LOG_FIELDS(n, event_name, __VA_ARGS__)                   \
		struct ue_event_set *const ue__set = &(set);                 \
		if (UE__UNLIKELY(ue_event_set_enabled(ue__set))) {           \
			UE__METADATA(n, event_name, __VA_ARGS__)             \
			UE__LOG_OUT(n, symbol, event_name, __VA_ARGS__)      \
		}                                                            \
	} while (0)
#endif

/* ---- UE_EVENT_SET -------------------------------------------------------------------------- */

#define UE__HEX_DIGITS(x) ((67u - UE__U32(__builtin_clzll((x) | UE__U64(1)))) / 4u)
#define UE__SET_IS_LONG(provider, level, keyword, group)                              \
	(sizeof(provider) + 2 + UE__HEX_DIGITS(level) + UE__HEX_DIGITS(keyword) +     \
		 (sizeof(group) > 1 ? sizeof(group) : 0) > 255)
#define UE_DECLARE_EVENT_SET(symbol) extern UE__TYPE(ue_event_set) symbol UE__HIDDEN
#define UE_EVENT_SET(...) UE__EVENT_SET(__VA_ARGS__, "", ~)
#define UE__EVENT_SET(symbol, provider, level_, keyword, group, ...)                  \
	_Pragma("GCC diagnostic push")                                                \
	_Pragma("GCC diagnostic ignored \"-Wredundant-decls\"") /* a header's, too */  \
	UE_DECLARE_EVENT_SET(symbol);                                                 \
	_Pragma("GCC diagnostic pop")                                                 \
	UE__STATIC_ASSERT(!((level_) < 1 || (level_) > 255),                          \
			  "user_events.h: the level of an event set is 1 to 255");    \
	UE__STATIC_ASSERT(!!(sizeof(provider) > 1), "user_events.h: an event set has a name"); \
	UE__STATIC_ASSERT(!UE__SET_IS_LONG(provider, level_, keyword, group),         \
			  "user_events.h: an event set's name, PROVIDER_LxKyGgroup, is at most " \
			  "255 bytes");                                               \
	UE__DEFINE_SET(symbol, provider, UE__U8((level_) & 255), keyword, group)
#ifdef UE_DISABLE
#define UE__DEFINE_SET(symbol, provider, level_, keyword, group) \
	UE__TYPE(ue_event_set) symbol = { { 0, 0, NULL, NULL, NULL, 0, level_, 0, 0, 0 } }
#else
#define UE__DEFINE_SET(symbol, provider, level_, keyword, group)                      \
	static const struct {                                                         \
		UE__TYPE(ue__desc) ue__head;                                             \
		uint64_t ue__keyword;                                                 \
		char ue__text[sizeof(provider "\0" group)];                               \
	} ue__set_of_##symbol = { UE__DESC(UE__DESC_SET, UE__U64(0), 0, 0), (keyword),          \
			       provider "\0" group };                                 \
	static void __attribute__((__used__, __noinline__, __cold__)) ue__note_##symbol(void) \
	{                                                                             \
		UE__KEEP_START;                                                       \
		__asm__ volatile(UE__NOTE_BEGIN(UE__NOTE_SET)                         \
				 ".byte " UE__NUMBER "[ue_level]\n.byte 0\n"         \
				 ".2byte " UE__NUMBER "[ue_k0], " UE__NUMBER "[ue_k1]\n" \
				 ".2byte " UE__NUMBER "[ue_k2], " UE__NUMBER "[ue_k3]\n" \
				 ".ascii " UE__STRINGIFY_EACH(provider) "\n.byte 0\n" \
				 ".ascii " UE__STRINGIFY_EACH(group) "\n.byte 0\n"   \
				 UE__ADDRESS UE__SYMBOL "[ue_event]\n" UE__NOTE_END   \
				 :                                                    \
				 : [ue_event] UE__PLACE_OF(&symbol), \
				   [ue_level] "i"(UE__INT(level_)), UE__KEYWORD_PART(0, keyword), \
				   UE__KEYWORD_PART(1, keyword), UE__KEYWORD_PART(2, keyword), \
				   UE__KEYWORD_PART(3, keyword));                     \
		UE__USDT_SET(symbol)                                                  \
	}                                                                             \
	UE__DEFINE_SET_EVENT(symbol, level_)
#define UE__KEYWORD_PART(n, keyword) \
	[ue_k##n] "i"(UE__INT(((keyword) | UE__U64(0)) >> 16 * n & 0xffff))
#ifdef __cplusplus
#define UE__DEFINE_SET_EVENT(symbol, level)                                                 \
	UE__TYPE(ue_event_set) symbol = { UE__EVENT_INIT(nullptr, level) };              \
	static const bool ue__declared_##symbol __attribute__((__unused__)) =         \
		(ue__until_exit<UE__AUTOMATIC>(),                            \
		 ue__declare(ue__event_of(&symbol), &ue__set_of_##symbol.ue__head, UE__AUTOMATIC))
#else
#define UE__DEFINE_SET_EVENT(symbol, level) \
	struct ue_event_set symbol UE__IN_SECTION = { \
		UE__EVENT_INIT(&ue__set_of_##symbol.ue__head, level) }
#endif
#endif /* UE_DISABLE */

#if defined(UE__ONE_COPY) && defined(__clang__)
#pragma clang diagnostic pop
#endif
#if !defined(__clang__) && defined(__OPTIMIZE__)
/* GCC's attribute "optimize" sets -fmerge-constants for the rest of the file. */
static inline __attribute__((__optimize__("O2"), __unused__)) void ue__merge_constants(void)
{
}
#endif
#ifdef __cplusplus
} /* extern "C++" */
#endif
#ifdef __clang__
#pragma clang attribute pop
#endif
#pragma GCC diagnostic pop
#endif /* UE_USER_EVENTS_H */
