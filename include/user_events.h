/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The user_events.h authors */
/*
 * user_events.h - a single-header C and C++ tracing library for Linux.
 *
 *	#include <user_events.h>
 *
 *	UE_TRACE(request_done, status, bytes, UE_STR(path));
 *
 * perf, ftrace and trace-cmd record the event from the running program through the kernel's
 * user_events (Linux 6.4 or later, CONFIG_USER_EVENTS=y):
 *
 *	# perf record -e user_events:request_done -a
 *
 * The event is also a USDT probe for bpftrace, perf and SystemTap on Linux 4.20 or later:
 *
 *	# bpftrace -e 'usdt:./server:user_events:request_done { printf("%d\n", arg0); }'
 *
 * There is no library to link, no initialisation and no configuration. A disabled event costs three
 * instructions (load, test, branch). An enabled event costs one system call. If the kernel has no
 * user_events or the program lacks permission, the program runs normally. ue_status() then explains
 * what to do.
 *
 * If more than one file of a program has events, compile all files with -DUE_SHARED. In one file,
 * of any name, add these two lines:
 *
 *	#define UE_IMPLEMENTATION
 *	#include <user_events.h>
 *
 * Without UE_SHARED, each file compiles its own copy of the code, which costs 11 KB and 0.3 s of
 * compile time.
 *
 * Overview:
 *
 *	UE_TRACE(name, fields...)		a kernel-typed event
 *	UE_TRACEPOINT(name, fields...)		a kernel-typed event, declared as functions
 *	UE_EVENT_SET(symbol, "provider", level, keyword [, "group"])
 *						a set of EventHeader events
 *	UE_LOG(set, "name", fields...)		a self-describing (EventHeader) event of a set
 *	struct ue_event, ue_event_register()	events defined at run time
 *	ue_status(), ue_strerror()		state, first failure, and how to fix it
 *
 * Additional headers, which include this one:
 *
 *	user_events_builder.h	EventHeader events with fields that are known only at run time
 *	user_events_cpp.h	fields of C++ library types: std::chrono, optional, atomic, path
 *	user_events_span.h	pairs of events for the start and the end of an activity
 *	user_events_otel.h	OpenTelemetry logs and spans
 *	user_events_probe.h	functions that the program calls when it writes events
 *	user_events_limit.h	every Nth event, or at most N events per second
 *	user_events_state.h	functions that run when a tracer attaches or detaches
 *	user_events_recorder.h	a recording of a program's events that survives a crash
 *	user_events_capture.h	events captured in memory, for unit tests
 *	user_events_sdt.h	the macros of <sys/sdt.h>
 *
 * user_events_decode.h is for programs that read traces, and does not depend on this header. The
 * directory kernel/ contains the kernel's trace headers (TRACE_EVENT() and related macros),
 * implemented with this header.
 *
 * Terms:
 *
 *	event		one tracepoint of the kernel
 *	event set	one tracepoint for any number of EventHeader events
 *	site		one UE_TRACE or UE_LOG in the source
 *	descriptor	the constant data that describes a site (not an open file, which is an fd)
 *	field		a name, a type and a value
 *	loc		the kernel's __rel_loc word: size and offset of a string or array
 *	kind, format	EventHeader's encoding of a value, and its meaning
 *	piece		one scalar, string, array or count, as handled by the slow path of packing
 *	metadata	the names, kinds and formats of an event
 *	enable word	32 bits in this process, nonzero while the event is enabled
 *	index		the number that identifies an event in a write(); valid for one open file
 *	common file	the open user_events_data shared by all events that have no file of their
 *			own
 *	tracer		a program that enables events from outside: perf, ftrace, trace-cmd
 *	hook		an internal callback that receives the events of this process, on behalf of
 *			probes, captures or a recorder
 *	probe		a function of this process that receives events. A USDT probe is
 *			different: it is the nop of a site.
 *
 * Contents:
 *
 *	interface	Configuration, Events, Fields, Event sets, Diagnostics
 *	macros		Language, EventHeader numbers, Types, Recorded format, Internal interface,
 *			How a site expands, Lists, Values, Items, Checks, The site, UE_TRACE,
 *			UE_LOG
 *	implementation	State and lock, System calls, Text buffers, Definitions,
 *			The data file, The event list, Registration, Reopening,
 *			Loading and unloading, Run-time events, Hooks, Activities, Writing,
 *			Packing: fast path, Packing: slow path, Diagnostics
 *
 * Names that begin with ue__ or UE__ are private. Among these, ue__i_ and UE__I_ mark the interface
 * for the other headers and tools of this project, and ue__f_ and UE__F_ the recorded format.
 *
 * The kernel interface is documented in Documentation/trace/user_events.rst of the Linux sources.
 * This header needs C11 or C++11, GCC 7 or clang 6, and any libc for Linux.
 */
#ifndef UE_USER_EVENTS_H
#define UE_USER_EVENTS_H

/* GCC and clang also accept the needed C11 features in C99 and gnu89, as extensions. */
#if defined(__cplusplus)        \
	? __cplusplus < 201103L \
	: defined(__STRICT_ANSI__) && (!defined(__STDC_VERSION__) || __STDC_VERSION__ < 199901L)
#error "user_events.h needs C11 or C++11: compile with -std=c11, -std=c++11 or later"
#else /* report one error, not hundreds */

#define UE_VERSION_MAJOR 1
#define UE_VERSION_MINOR 0
#define UE_VERSION_PATCH 0

/*
 * Configuration
 * =============
 *
 * A program may define these macros before the include:
 *
 * UE_SHARED, UE_IMPLEMENTATION
 *			Define UE_SHARED in all files of a program or library. The header then
 *			contains only declarations. Also define UE_IMPLEMENTATION in exactly one
 *			of these files, in C or C++. This file then contains the code. Without
 *			UE_SHARED, each file that declares events contains the code: static
 *			functions in C, inline functions in C++.
 * UE_DISABLE		Every macro compiles to nothing, but its arguments are still type-checked.
 *			Functions do nothing. They return -ENOSYS (functions that register,
 *			ue_event_delete(), ue_use_fd()), 0 (functions that write), NULL
 *			(ue_event_find()) or -ENOENT (all others). The header defines UE_DISABLE
 *			itself on systems other than Linux; on MIPS, Alpha, PA-RISC and SPARC,
 *			because their system calls use other flag values; and on x32 and 32-bit
 *			RISC-V, because their time types have another size.
 * UE_NO_AUTO_REGISTER	Do not register events before main(). The program calls ue_register_all(),
 *			and a library calls ue_unregister_all() before its dlclose(). Define this
 *			macro in all files of a program or library, or in none.
 * UE_NO_USDT		Omit the USDT probes.
 * UE_NO_LOG		Do not define UE_LOG. Use this in files in which another library, such as
 *			Unreal Engine, defines UE_LOG, and write UE_LOG_EVENT() there.
 * UE_USDT_CONSTRAINT	The asm constraint for the arguments of USDT probes.
 * UE_SYS_OPEN, UE_SYS_CLOSE, UE_SYS_READ, UE_SYS_IOCTL, UE_SYS_WRITE, UE_SYS_WRITEV
 *			Replacements for the system calls, with the conventions of libc: -1 and
 *			errno on failure. UE_SYS_OPEN(path, flags) has no mode argument. Use these
 *			macros in tests and in runtimes with virtual fds. With UE_SYS_OPEN, an fd
 *			may be virtual, so the library neither renumbers it nor calls fstat() on
 *			it. If the program closes that fd, the library cannot detect this, and all
 *			later events are lost.
 * UE_INLINE_BYTES	Space for strings in the stack buffer of the fast path, in bytes (default
 *			256; 128 to UE_MAX_EVENT - 384, and at most 65151). An event with longer
 *			strings takes a slower path.
 * UE_MAX_EVENT		Largest payload that tracers accept, in bytes (default 4064, at least
 *			1024). ftrace accepts 4064 bytes with 4 KiB pages, perf 8184. If a UE_TRACE
 *			or UE_LOG event is larger, its strings and arrays are truncated so that the
 *			event fits, including the 8 bytes that mark it as truncated. This also
 *			applies if only a recorder receives the event. Events are built on the
 *			stack, so a larger limit needs more stack.
 */
#if !defined(UE_DISABLE) &&                                                                     \
	(!defined(__linux__) || defined(__mips__) || defined(__alpha__) || defined(__hppa__) || \
	 defined(__sparc__) || (defined(__x86_64__) && !defined(__LP64__)) ||                   \
	 (defined(__riscv) && __riscv_xlen == 32))
#define UE_DISABLE 1
#endif

#ifndef UE_MAX_EVENT
#define UE_MAX_EVENT 4064
#elif UE_MAX_EVENT < 1024
#error "user_events.h: UE_MAX_EVENT must be at least 1024"
#endif

/*
 * Size of the fast path's stack buffer, in bytes, not counting the UE_INLINE_BYTES for strings; see
 * "Packing: fast path". The fast path does not compare the size of an event with UE_MAX_EVENT, so
 * the whole buffer must not be larger than UE_MAX_EVENT.
 */
#define UE__FAST_BYTES 384
#ifndef UE_INLINE_BYTES
#define UE_INLINE_BYTES 256
#elif UE_INLINE_BYTES < 128 || UE_INLINE_BYTES > UE_MAX_EVENT - UE__FAST_BYTES
#error "user_events.h: UE_INLINE_BYTES must be 128 to UE_MAX_EVENT - 384" /* UE__FAST_BYTES */
#elif UE_INLINE_BYTES > 65535 - UE__FAST_BYTES /* sizes and offsets are 16-bit */
#error "user_events.h: UE_INLINE_BYTES must be at most 65151"
#endif

#if defined(UE_SHARED) && !defined(UE_IMPLEMENTATION) && !defined(UE_DISABLE)
#define UE__I_DECLARED_ONLY 1
#endif

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifndef UE__I_DECLARED_ONLY
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#ifndef UE_DISABLE
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#endif
#endif

/* clang-format off */
/*
 * Marks this file as a system header, so that compilers report a mistake in an event at the
 * program's line. The pragma also suppresses warnings about redefined macros, so the header itself
 * checks whether its macros are already defined. tests/compile/names compares this list with the
 * public macros.
 */
#if defined(UE_LOG) && !defined(UE_NO_LOG)
#error "user_events.h: another header defines UE_LOG: define UE_NO_LOG and use UE_LOG_EVENT()"
#elif defined(UE_PERSIST) || defined(UE_MULTI_FORMAT) || defined(UE_U8) || defined(UE_U16) || \
	defined(UE_U32) || defined(UE_U64) || defined(UE_I8) || defined(UE_I16) || \
	defined(UE_I32) || defined(UE_I64) || defined(UE_X8) || defined(UE_X16) || \
	defined(UE_X32) || defined(UE_X64) || defined(UE_PTR) || defined(UE_F32) || \
	defined(UE_F64) || defined(UE_BOOL) || defined(UE_CHAR) || defined(UE_CHAR16) || \
	defined(UE_CHAR32) || defined(UE_PID) || defined(UE_ERRNO) || defined(UE_PORT) || \
	defined(UE_TIME32) || defined(UE_TIME64) || defined(UE_UUID) || defined(UE_IPV4) || \
	defined(UE_IPV6) || defined(UE_STR) || defined(UE_STR16) || defined(UE_STR32) || \
	defined(UE_LATIN1) || defined(UE_XML) || defined(UE_JSON) || defined(UE_STRN) || \
	defined(UE_STR16N) || defined(UE_STR32N) || defined(UE_BYTES) || defined(UE_ARRAY) || \
	defined(UE_FIXED_ARRAY) || defined(UE_STRUCT) || defined(UE_TAGGED) || defined(UE_AS) || \
	defined(UE_NAMED) || defined(UE_LEVEL_CRITICAL) || defined(UE_LEVEL_ERROR) || \
	defined(UE_LEVEL_WARNING) || defined(UE_LEVEL_INFORMATION) || \
	defined(UE_LEVEL_VERBOSE) || defined(UE_OPCODE_INFO) || \
	defined(UE_OPCODE_ACTIVITY_START) || defined(UE_OPCODE_ACTIVITY_STOP) || \
	defined(UE_OPCODE_COLLECTION_START) || defined(UE_OPCODE_COLLECTION_STOP) || \
	defined(UE_OPCODE_EXTENSION) || defined(UE_OPCODE_REPLY) || defined(UE_OPCODE_RESUME) || \
	defined(UE_OPCODE_SUSPEND) || defined(UE_OPCODE_SEND) || defined(UE_OPCODE_RECEIVE) || \
	defined(UE_ID) || defined(UE_OPCODE) || defined(UE_TAG) || defined(UE_ACTIVITY) || \
	defined(UE_FORMAT_DEFAULT) || defined(UE_FORMAT_UNSIGNED) || \
	defined(UE_FORMAT_SIGNED) || defined(UE_FORMAT_HEX) || defined(UE_FORMAT_ERRNO) || \
	defined(UE_FORMAT_PID) || defined(UE_FORMAT_TIME) || defined(UE_FORMAT_BOOL) || \
	defined(UE_FORMAT_FLOAT) || defined(UE_FORMAT_HEX_BYTES) || \
	defined(UE_FORMAT_STRING8) || defined(UE_FORMAT_UTF) || defined(UE_FORMAT_UTF_BOM) || \
	defined(UE_FORMAT_XML) || defined(UE_FORMAT_JSON) || defined(UE_FORMAT_UUID) || \
	defined(UE_FORMAT_PORT) || defined(UE_FORMAT_IP) || defined(UE_TRACE) || \
	defined(UE_TRACEPOINT) || defined(UE_LOG_ENABLED) || defined(UE_LOG_EVENT) || \
	defined(UE_DECLARE_EVENT_SET) || defined(UE_EVENT_SET)
#error "user_events.h: a macro is already defined, see below: #undef it, or use push_macro()"
#elif !defined(UE__I_NO_SYSTEM_HEADER)
#pragma GCC system_header
#endif
/* clang-format on */

/* * ---- Language ---- */

/*
 * This chapter hides the differences between C and C++, and between GCC and clang.
 *
 * UE__I_HEADER_BEGIN and UE__I_HEADER_END enclose the declarations of each header of this library.
 * They switch off warnings that cannot be avoided in both languages. No public macro causes one of
 * these warnings in the user's file.
 *
 *	-Wpragmas, -Wunknown-warning-option	some compilers do not support the next options
 *	-Wattributes		inline, needed for linkage in C++, is combined with noinline
 *	-Walloca		the sizes of events are bounded
 *	-Wunused-...		a file need not call every function; UE_DISABLE ignores parameters
 *	-Wshadow		ue_status is a function and a struct, like stat
 *	others			the same code must also compile as C
 */
/* clang-format off */
#define UE__I_HEADER_BEGIN \
	_Pragma("GCC diagnostic push") \
	_Pragma("GCC diagnostic ignored \"-Wpragmas\"") \
	_Pragma("GCC diagnostic ignored \"-Wunknown-warning-option\"") \
	_Pragma("GCC diagnostic ignored \"-Wattributes\"") \
	_Pragma("GCC diagnostic ignored \"-Walloca\"") \
	_Pragma("GCC diagnostic ignored \"-Wunused-function\"") \
	_Pragma("GCC diagnostic ignored \"-Wunused-parameter\"") \
	_Pragma("GCC diagnostic ignored \"-Wshadow\"") \
	_Pragma("GCC diagnostic ignored \"-Wold-style-cast\"") \
	_Pragma("GCC diagnostic ignored \"-Wzero-as-null-pointer-constant\"") \
	_Pragma("GCC diagnostic ignored \"-Wuseless-cast\"") \
	UE__I_BEGIN
#define UE__I_HEADER_END UE__I_END _Pragma("GCC diagnostic pop")
/* clang-format on */

/*
 * UE__I_UNTRACED: attributes of all functions in this header. A program may write events in its
 * -finstrument-functions or coverage callback. Instrumentation of these functions is therefore
 * disabled. Otherwise, the callback would call itself endlessly. Integers wrap intentionally, so
 * -fsanitize=integer is disabled. Only GCC gets the attribute __unused__: without it, GCC warns
 * about unused functions, but with it, clang warns about calls of the functions.
 */
#ifdef __clang__
#define UE__I_UNTRACED \
	__attribute__((__no_instrument_function__, __no_sanitize__("integer", "coverage")))
#elif __GNUC__ >= 12
#define UE__I_UNTRACED \
	__attribute__((__unused__, __no_instrument_function__, __no_sanitize_coverage__))
#else
#define UE__I_UNTRACED __attribute__((__unused__, __no_instrument_function__))
#endif
#define UE__HIDDEN __attribute__((__visibility__("hidden")))

#ifdef __cplusplus
#define UE__I_FN inline UE__HIDDEN UE__I_UNTRACED
#define UE__I_C_LINKAGE extern "C"
/*
 * In GCC, static variables of inline functions have the binding STB_GNU_UNIQUE. Such a variable
 * exists once per process, and dlclose() cannot unload the library that defines it. A variable
 * whose type has hidden visibility does not have this binding.
 */
#define UE__I_HIDDEN_TYPE UE__HIDDEN
/* Expands to NAME without "struct", because `struct NAME` in a C++ module declares a new struct. */
#define UE__I_STRUCT(name) name
#define UE__I_STATIC_ASSERT static_assert
#define UE__I_NULL nullptr
#define UE__I_CAST(type, x) static_cast<type>(x)
/* clang-format off */
/*
 * UE__I_BEGIN and UE__I_END enclose all C++ declarations of the library. The name of the namespace
 * ends in the layout number, so files compiled with headers of different layouts share neither code
 * nor data. Programs that include headers within extern "C" { } need the extern "C++".
 */
#define UE__I_BEGIN extern "C++" { inline namespace ue__v1 {
#define UE__I_END } }
#define UE__IN_C(...) extern "C" { __VA_ARGS__ }
/* clang-format on */
#else
#define UE__I_BEGIN
#define UE__I_END
#define UE__I_FN static inline UE__I_UNTRACED
#define UE__I_C_LINKAGE extern
#define UE__IN_C(...) __VA_ARGS__
#define UE__I_HIDDEN_TYPE
#define UE__I_STRUCT(name) struct name
/*
 * clang -pedantic warns about these keywords in C99, even in system headers. __extension__
 * suppresses the warning.
 */
#define UE__I_STATIC_ASSERT __extension__ _Static_assert
#define UE__GENERIC __extension__ _Generic
#define UE__I_NULL NULL
#define UE__I_CAST(type, x) ((type)(x))
#endif
#ifdef __clang_analyzer__ /* see "The site" */
#undef UE__I_STATIC_ASSERT
#ifdef __cplusplus
#define UE__I_STATIC_ASSERT(...) static_assert(true, "")
#else
#define UE__I_STATIC_ASSERT(...) __extension__ _Static_assert(1, "")
#endif
#endif
#define UE__TO_U64(x) UE__I_CAST(uint64_t, x)
#define UE__TO_U32(x) UE__I_CAST(uint32_t, x)
#define UE__TO_U16(x) UE__I_CAST(uint16_t, x)
#define UE__TO_U8(x) UE__I_CAST(uint8_t, x)

#define UE__COLD UE__I_FN __attribute__((__cold__))
/* Attributes of a function that is not inlined, to keep its code and stack off the fast path. */
#define UE__OUT_OF_LINE UE__I_FN __attribute__((__noinline__, __cold__))
/* Attributes of a function that other files may call. */
#if defined(UE_SHARED) && !defined(UE_DISABLE)
#define UE__I_API UE__I_C_LINKAGE UE__HIDDEN UE__I_UNTRACED
#else
#define UE__I_API UE__I_FN
#endif
/*
 * Attributes of a variable that each file defines. Because it is weak, the linker keeps one
 * definition. Because it is hidden, each library has its own copy.
 */
#define UE__ONE_COPY __attribute__((__weak__, __visibility__("hidden")))
/* Declares and defines a variable. Compilers warn about a definition without a declaration. */
#define UE__I_DEFINE_ONE(type, name) UE__IN_C(extern type name UE__ONE_COPY; type name;)
#define UE__UNLIKELY(x) __builtin_expect(!!(x), 0)
/*
 * Declares a thread-local variable. In the default TLS model, glibc allocates a library's variable
 * at its first use, which may be in a signal handler. The initial-exec model avoids this
 * allocation. musl never allocates at first use.
 */
#ifdef __GLIBC__
#define UE__I_TLS __attribute__((__tls_model__("initial-exec"))) __thread
#else
#define UE__I_TLS __thread
#endif

/*
 * Events
 * ======
 *
 * UE_TRACE(name, fields...)
 *
 * Records the event user_events:NAME. The macro is a statement. It may be used in a static inline
 * function of a header, in a template or in a lambda, but not in a constexpr function.
 *
 * name		identifier
 * fields	up to 64 fields, as described in "Fields". Name and fields together have at most
 *		511 bytes in the kernel's notation.
 *
 * Several sites may have the same name if their fields are identical. Values are evaluated only if
 * the event is enabled. They are evaluated once, in order.
 *
 * Thread-safe and async-signal-safe. A site does not change errno, allocate memory, or wait for a
 * lock, and it is not a cancellation point.
 *
 * If the program closes fds that it did not open, a file that it opens later may have the same fd
 * number as the library's closed file. Until the library detects this, events may be written to
 * that file. To prevent this, call close_range() only before exec(), or call ue_unregister_all()
 * first.
 *
 * Strings longer than 65535 units, arrays of more than 65535 elements and arrays of more than 64
 * strings are truncated. If an event exceeds UE_MAX_EVENT, its strings and arrays are truncated
 * too. A truncated event is marked, so readers show that it is incomplete: see docs/reading.md.
 * ue_status().cut counts the truncated events. An event needs stack space:
 *
 *	up to 8 scalars and 4 short strings		less than 1.5 KiB
 *	larger or truncated, or the fd was closed	10 KiB, plus the size of its names,
 *							plus 2 KiB for each array of strings
 *	first of its kind while a recorder is running	1 KiB more
 *
 * UE_TRACEPOINT(name, fields...);
 *
 * Declares the event as two functions, at file scope of a source file or header:
 *
 *	void trace_NAME(values...);	one parameter for a scalar or string; a pointer and
 *					size_t NAME_count for a field with a length
 *	bool trace_NAME_enabled(void);	for values that are expensive to compute
 *
 * Each field must name its type: UE_TRACEPOINT(tick, UE_U64(now));
 */

struct iovec; /* defined by <sys/uio.h> and <linux/uio.h>; a program may include either */
UE__I_HEADER_BEGIN

/*
 * One kernel tracepoint and its state in this process. The program owns the struct of an event that
 * it registers at run time. This struct must be zero before its first use. It must not be moved or
 * freed between ue_event_register() and ue_event_unregister(). The members are private.
 */
struct ue_event {
	uint32_t enabled; /* enable word. Bit 0: kernel; bit 1: hooks; upper half: USDT tracers */
	uint32_t index;	  /* write index of the event, plus one; 0 if not registered */
	const struct ue__f_desc *desc; /* name and fields */
	struct ue_event *next;	       /* next event of the program or library */
	int fd;			       /* fd of a run-time event, plus one; 0 for the common file */
	uint32_t serial;	       /* serial number, for hooks; 0 if not assigned */
	uint8_t level;		       /* EventHeader level of an event set */
	uint8_t state;		       /* bitmask of UE__LISTED ... */
};

/* Flags of ue_event_register() */
#define UE_PERSIST 1u	   /* keep the event after its last user exits; needs CAP_PERFMON */
#define UE_MULTI_FORMAT 2u /* allow several formats of one name; Linux 6.9 or later */

/*
 * Registers an event whose name and fields are known at run time.
 *
 * event	zeroed struct, or the struct of an event that could not be registered before
 * spec		"name type field; type field", in the kernel's notation, at most 511 bytes. Types
 *		are u8 u16 u32 u64 s8 s16 s32 s64, char short int (also unsigned), char[N],
 *		struct NAME FIELD SIZE, and __rel_loc char[] or __rel_loc u8[] for data of any
 *		length. The text is copied.
 * flags	0, UE_PERSIST, UE_MULTI_FORMAT. A flag that the kernel does not support is dropped.
 *		If the name is registered with other fields, UE_MULTI_FORMAT is added.
 *
 * The event has its own open file, so that the kernel can remove the event after
 * ue_event_unregister(). If no other file can be opened, the event shares the file of the declared
 * events.
 *
 * Returns 0 or
 *   -EINVAL	invalid spec or flags; ue_status().message explains the mistake
 *   -EALREADY	the struct is registered, or declared by UE_EVENT_SET
 *   -ENOENT	no tracefs is mounted
 *   -EOPNOTSUPP  the kernel has no user_events
 *   -EACCES	no permission to open user_events_data
 *   -EPERM	UE_PERSIST without CAP_PERFMON, or a security policy forbids opening the file
 *   -EROFS	tracefs is mounted read-only
 *   -ENOTTY	32-bit program on a 64-bit kernel, or ue_use_fd() was called with another file
 *   -EADDRINUSE  the name is registered with other fields, and the kernel has no multi-format
 *		events
 *   -EAGAIN	the struct was unregistered shortly after a fork, and the kernel has still not
 *		released it after 50 ms of retries
 *   -EMFILE	the system has reached its maximum number of events (kernel.user_events_max), or
 *		the process its maximum number of open files
 *   -ENOMEM	out of memory, or the struct is not writable
 *   -ENOSYS	compiled out by UE_DISABLE
 *   others	any other error from open() or ioctl()
 *
 * After -EINVAL, -EALREADY or -ENOSYS, or if malloc() failed, EVENT is not registered. After any
 * other error, the event is registered in this process but not in the kernel: probes receive it,
 * ue_register_all() tries to register it again, and ue_event_unregister() removes it. A run-time
 * event is not a USDT probe. Thread-safe; not async-signal-safe.
 */
UE__I_API int ue_event_register(struct ue_event *event, const char *spec, unsigned int flags);

/*
 * Unregisters EVENT. Neither the kernel nor a probe accesses EVENT afterwards, so its memory may be
 * freed or registered again. After a fork, the kernel may keep the address for a moment longer;
 * ue_event_register() waits for that. As with free(), no other thread may use EVENT at the same
 * time, not even to write the event or to call ue_event_spec(). When the name is no longer
 * registered by any process, it can be registered with other fields.
 *
 * Returns 0, or -ENOENT if EVENT is not registered. Returns -EBADF if the program has closed the
 * library's fds and user_events_data cannot be opened. In that case, the kernel still accesses
 * EVENT, so it must not be freed. Thread-safe; not async-signal-safe.
 */
UE__I_API int ue_event_unregister(struct ue_event *event);

/* Returns true if EVENT is enabled. Costs one load. Thread-safe, async-signal-safe. */
UE__I_FN bool ue_event_enabled(const struct ue_event *event);

/*
 * Writes an event if it is enabled.
 *
 * payload	SIZE bytes: the fixed fields in order and in native byte order, without padding;
 *		then the data of the __rel_loc fields. A __rel_loc field is a u32,
 *		size << 16 | offset, with the offset counted from the end of that u32.
 * iov, count	the payload in up to 1023 segments; <sys/uio.h> defines struct iovec
 *
 * Returns 0 if the event was written, is disabled, or was lost because the program closed the fd
 * (ue_status().lost counts these events); or
 *   -EINVAL	the payload is shorter than the fixed fields, or COUNT is out of range
 *   -E2BIG	the payload exceeds UE_MAX_EVENT and a tracer has enabled the event. Nothing is
 *		written, and ue_status().large counts the event.
 *   -EFAULT	a loc points outside the payload, or the data of a char loc has no NUL
 *   others	any other error from write()
 *
 * ue_event_writev() needs 16 bytes of stack for each segment, up to 16 KiB. Thread-safe,
 * async-signal-safe. Does not change errno.
 */
UE__I_API int ue_event_write(struct ue_event *event, const void *payload, size_t size);
UE__I_API int ue_event_writev(struct ue_event *event, const struct iovec *iov, int count);

/*
 * Deletes the persistent event NAME from the system. If NAME has several formats, they are deleted
 * in order, up to the first format that is in use.
 *
 * Returns 0, -EBUSY while the event is in use and for a moment afterwards, -ENOENT if there is no
 * such event, -EPERM without CAP_PERFMON, or the error from opening user_events_data. Thread-safe;
 * not async-signal-safe.
 */
UE__I_API int ue_event_delete(const char *name);

/*
 * Returns the next event with this name in this program or library.
 *
 * name		name of the event, or NULL for events of any name
 * after	the previous result, or NULL for the first event
 *
 * Returns NULL at the end. Each UE_TRACE is a separate event, so several events may have the same
 * name. Thread-safe if AFTER stays registered; not async-signal-safe.
 */
UE__I_API struct ue_event *ue_event_find(const char *name, const struct ue_event *after);

/*
 * Copies the definition of EVENT, its name and fields as in ue_event_register(), to TEXT of SIZE
 * bytes. Like snprintf(), truncates a longer definition. Returns the length of the whole text,
 * -E2BIG if name and fields exceed 511 bytes, or -ENOENT if EVENT is not registered. Thread-safe,
 * async-signal-safe.
 */
UE__I_API int ue_event_spec(const struct ue_event *event, char *text, size_t size);

/*
 * Registers all events of this program or library that are not registered. Declared events are
 * registered automatically before main() and at dlopen(). Call ue_register_all() again after the
 * cause of a failure is fixed, for example after tracefs is mounted or permission is granted. If
 * there is no tracefs at /sys/kernel/tracing, all mounts are searched. Returns 0, or the first
 * failure, with the error codes of ue_event_register(). Thread-safe; not async-signal-safe.
 */
UE__I_API int ue_register_all(void);

/*
 * Unregisters all events, including those registered at run time. Other threads may write declared
 * events at the same time. A library does this automatically at dlclose(). A program need not call
 * this function, because the kernel drops the events together with the memory of the process. The
 * common file stays open, so that its fd is not reused while another thread may still write to it.
 * Thread-safe; not async-signal-safe.
 */
UE__I_API void ue_unregister_all(void);

/*
 * Uses FD for all events of this program or library. FD must be open for writing and refer to
 * user_events_data. A sandboxed program can receive such an fd from its parent. Call this function
 * before any event is registered, and call ue_register_all() afterwards. On success the library
 * owns FD, moves it to a high number and makes it close-on-exec. Returns 0, -EBADF if FD is not
 * open for writing, -EBUSY if an event is registered, or -EMFILE if no other fd is available. After
 * a failure the program still owns FD. Thread-safe; not async-signal-safe.
 */
UE__I_API int ue_use_fd(int fd);

/*
 * Fields
 * ======
 *
 * A plain variable is a field with the variable's name and type:
 *
 *	integers, bool, char, enums		numbers
 *	float, double				numbers, in UE_LOG only
 *	char pointers and char arrays		strings
 *	other arrays of scalars			arrays, in UE_LOG only
 *	other pointers				addresses
 *	in C++ char16_t, char32_t, wchar_t pointers, std::string, string_view	strings
 *	in C++ array, vector, span of scalars	arrays
 *	in C++ any type with a ue_field<T>	the result of ue_field<T>::value()
 *
 * A C++ program specialises ue_field, at global scope, to record a type of its own. value() returns
 * a field of any type in this list: a number, a string, a container, or another type with a
 * ue_field. The result lives until the event is written. user_events_cpp.h has specialisations for
 * std::chrono, optional, atomic, filesystem::path and vector<string>.
 *
 *	template <> struct ue_field<Money> {
 *		static int64_t value(const Money &m) { return m.cents; }
 *	};
 *
 * In C, a char16_t pointer has the same type as a uint16_t pointer, so write UE_STR16(s) for a
 * string.
 *
 * Any other field names its type. These macros accept (name) for the variable of that name, or
 * (name, value) for any expression. In C++ the value of a string may be a std::string or
 * string_view.
 *
 *	UE_U8 UE_U16 UE_U32 UE_U64 UE_I8 UE_I16 UE_I32 UE_I64	decimal
 *	UE_X8 UE_X16 UE_X32 UE_X64 UE_PTR			hexadecimal
 *	UE_F32 UE_F64						UE_LOG only
 *	UE_BOOL UE_CHAR UE_CHAR16 UE_CHAR32
 *	UE_PID UE_ERRNO UE_TIME32 UE_TIME64	times are seconds since 1970
 *	UE_PORT				a uint16_t in network byte order: sin_port, or htons(80)
 *	UE_UUID UE_IPV4 UE_IPV6		pointer to 16, 4, 16 bytes in network byte order
 *	UE_STR UE_STR16 UE_STR32	NUL-terminated; NULL is recorded as ""
 *	UE_LATIN1 UE_XML UE_JSON	NUL-terminated text in that encoding or format
 *
 * These macros take a pointer and a length, in units, bytes or elements:
 *
 *	UE_STRN UE_STR16N UE_STR32N(name, p, units)
 *	UE_BYTES(name, p, size)
 *	UE_ARRAY(TYPE, name, p, count)		TYPE is one of the names above without UE_; in C++
 *						also (TYPE, name, container) of scalars
 *	UE_FIXED_ARRAY(TYPE, name, p, N)	N is a constant
 *
 * These macros are for UE_LOG only:
 *
 *	UE_STRUCT(name, fields...)	1 to 63 members; structs may be nested
 *	UE_TAGGED(tag, field)		adds a 16-bit tag to the field
 *	UE_AS(format, field)		shows the field in another UE_FORMAT_
 *	UE_NAMED("any name", field)	gives the field a name that need not be an identifier
 *
 * UE_TRACE accepts UE_TAGGED and UE_AS, but kernel-typed fields have no tag and no format: the tag
 * has no effect, and the format only determines whether an integer is signed.
 *
 * A kernel-typed event (UE_TRACE, UE_TRACEPOINT) carries a string as __rel_loc char[], bytes and
 * arrays as __rel_loc TYPE[], a fixed array of U8 or CHAR as unsigned char[N] or char[N], a
 * hexadecimal number as an unsigned number, and a UUID or IP address as unsigned char[N]. A field
 * of any other type does not compile.
 *
 * An array of strings has at most 64 elements. A UE_FIXED_ARRAY is never truncated. If its pointer
 * is NULL, its elements are zeros or empty strings.
 */
#ifdef __cplusplus
/* The second parameter is for specialisations with std::enable_if. */
template <class ue__T, class = void> struct ue_field {
};
#endif
/* clang-format off */
#define UE_U8(...) UE__VALUE(__VA_ARGS__)(U8, NUMBER, #__VA_ARGS__, __VA_ARGS__)
#define UE_U16(...) UE__VALUE(__VA_ARGS__)(U16, NUMBER, #__VA_ARGS__, __VA_ARGS__)
#define UE_U32(...) UE__VALUE(__VA_ARGS__)(U32, NUMBER, #__VA_ARGS__, __VA_ARGS__)
#define UE_U64(...) UE__VALUE(__VA_ARGS__)(U64, NUMBER, #__VA_ARGS__, __VA_ARGS__)
#define UE_I8(...) UE__VALUE(__VA_ARGS__)(I8, NUMBER, #__VA_ARGS__, __VA_ARGS__)
#define UE_I16(...) UE__VALUE(__VA_ARGS__)(I16, NUMBER, #__VA_ARGS__, __VA_ARGS__)
#define UE_I32(...) UE__VALUE(__VA_ARGS__)(I32, NUMBER, #__VA_ARGS__, __VA_ARGS__)
#define UE_I64(...) UE__VALUE(__VA_ARGS__)(I64, NUMBER, #__VA_ARGS__, __VA_ARGS__)
#define UE_X8(...) UE__VALUE(__VA_ARGS__)(X8, NUMBER, #__VA_ARGS__, __VA_ARGS__)
#define UE_X16(...) UE__VALUE(__VA_ARGS__)(X16, NUMBER, #__VA_ARGS__, __VA_ARGS__)
#define UE_X32(...) UE__VALUE(__VA_ARGS__)(X32, NUMBER, #__VA_ARGS__, __VA_ARGS__)
#define UE_X64(...) UE__VALUE(__VA_ARGS__)(X64, NUMBER, #__VA_ARGS__, __VA_ARGS__)
#define UE_PTR(...) UE__VALUE(__VA_ARGS__)(PTR, WORD, #__VA_ARGS__, __VA_ARGS__)
#define UE_F32(...) UE__VALUE(__VA_ARGS__)(F32, NUMBER, #__VA_ARGS__, __VA_ARGS__)
#define UE_F64(...) UE__VALUE(__VA_ARGS__)(F64, NUMBER, #__VA_ARGS__, __VA_ARGS__)
#define UE_BOOL(...) UE__VALUE(__VA_ARGS__)(BOOL, NUMBER, #__VA_ARGS__, __VA_ARGS__)
#define UE_CHAR(...) UE__VALUE(__VA_ARGS__)(CHAR, NUMBER, #__VA_ARGS__, __VA_ARGS__)
#define UE_CHAR16(...) UE__VALUE(__VA_ARGS__)(CHAR16, NUMBER, #__VA_ARGS__, __VA_ARGS__)
#define UE_CHAR32(...) UE__VALUE(__VA_ARGS__)(CHAR32, NUMBER, #__VA_ARGS__, __VA_ARGS__)
#define UE_PID(...) UE__VALUE(__VA_ARGS__)(PID, NUMBER, #__VA_ARGS__, __VA_ARGS__)
#define UE_ERRNO(...) UE__VALUE(__VA_ARGS__)(ERRNO, NUMBER, #__VA_ARGS__, __VA_ARGS__)
#define UE_PORT(...) UE__VALUE(__VA_ARGS__)(PORT, NUMBER, #__VA_ARGS__, __VA_ARGS__)
#define UE_TIME32(...) UE__VALUE(__VA_ARGS__)(TIME32, NUMBER, #__VA_ARGS__, __VA_ARGS__)
#define UE_TIME64(...) UE__VALUE(__VA_ARGS__)(TIME64, NUMBER, #__VA_ARGS__, __VA_ARGS__)
#define UE_UUID(...) UE__VALUE(__VA_ARGS__)(UUID, ADDRESS, #__VA_ARGS__, __VA_ARGS__)
#define UE_IPV4(...) UE__VALUE(__VA_ARGS__)(IPV4, ADDRESS, #__VA_ARGS__, __VA_ARGS__)
#define UE_IPV6(...) UE__VALUE(__VA_ARGS__)(IPV6, ADDRESS, #__VA_ARGS__, __VA_ARGS__)
#define UE_STR(...) UE__VALUE(__VA_ARGS__)(STR, TEXT, #__VA_ARGS__, __VA_ARGS__)
#define UE_STR16(...) UE__VALUE(__VA_ARGS__)(STR16, ADDRESS, #__VA_ARGS__, __VA_ARGS__)
#define UE_STR32(...) UE__VALUE(__VA_ARGS__)(STR32, ADDRESS, #__VA_ARGS__, __VA_ARGS__)
#define UE_LATIN1(...) UE__VALUE(__VA_ARGS__)(LATIN1, TEXT, #__VA_ARGS__, __VA_ARGS__)
#define UE_XML(...) UE__VALUE(__VA_ARGS__)(XML, TEXT, #__VA_ARGS__, __VA_ARGS__)
#define UE_JSON(...) UE__VALUE(__VA_ARGS__)(JSON, TEXT, #__VA_ARGS__, __VA_ARGS__)
#define UE_STRN(...) UE__COUNTED(UE__STRN, ue__c_STRN, UE__CHARS, __VA_ARGS__)
#define UE_STR16N(...) UE__COUNTED(UE__STR16N, ue__c_STR16N, UE__ANY_BYTES, __VA_ARGS__)
#define UE_STR32N(...) UE__COUNTED(UE__STR32N, ue__c_STR32N, UE__ANY_BYTES, __VA_ARGS__)
#define UE_BYTES(...) UE__COUNTED(UE__BYTES, ue__c_BYTES, UE__ANY_BYTES, __VA_ARGS__)
/* UE_##type(~) checks TYPE: it expands to a tuple only if UE_TYPE is one of the macros above. */
#define UE_ARRAY(type, ...) UE__ARRAY(UE__##type, ue__c_##type, UE_##type(~), __VA_ARGS__)
#define UE_FIXED_ARRAY(type, ...) \
	UE__FIXED_ARRAY(UE__##type, ue__c_##type, UE_##type(~), __VA_ARGS__)
#define UE_STRUCT(...) UE__STRUCT_FIELD(UE__I_COUNT(__VA_ARGS__), __VA_ARGS__)
#define UE_TAGGED(tag, ...) UE__WITH(UE__TAGGED, UE__I_COUNT(__VA_ARGS__), tag, __VA_ARGS__)
#define UE_AS(format, ...) UE__WITH(UE__AS, UE__I_COUNT(__VA_ARGS__), format, __VA_ARGS__)
#define UE_NAMED(name, ...) UE__WITH(UE__NAMED, UE__I_COUNT(__VA_ARGS__), name, __VA_ARGS__)
/* clang-format on */

/*
 * Event sets
 * ==========
 *
 * The events of a set are self-describing, in the EventHeader format. Each event carries its name
 * and the names, types and formats of its fields. So any number of events, including events with
 * floats, structs and arrays, share the one tracepoint of their set.
 *
 * UE_EVENT_SET(symbol, "provider", level, keyword [, "group"]);
 *
 * Defines the set SYMBOL, at file scope in one source file: the tracepoint
 * user_events:PROVIDER_LxKy[Ggroup]. Symbols of sets must differ within a program, even in
 * different namespaces.
 *
 * provider	preferably an identifier; a blank, ':' or '/' is not allowed
 * level	1..255 (UE_LEVEL_...)
 * keyword	64-bit mask of categories that the provider defines
 * group	[0-9a-z]*, or a list of options: each is an uppercase letter and [0-9a-z]*, sorted
 *		by letter, such as "GgroupHopt"
 *
 * The name of the tracepoint has at most 255 bytes. The kernel does not check these rules. The
 * library checks them when the program starts, and ue_status() reports violations.
 *
 * UE_DECLARE_EVENT_SET(symbol);	lets other files of the program use the set
 *
 * UE_LOG(set, "event name", fields...)
 *
 * Records an event of SET. The rules of UE_TRACE apply, except for the limit of 511 bytes. An event
 * has at most 64 fields; options and struct members count as fields. SET is the symbol itself. If a
 * qualified name (`space::set`) or a macro is given instead, USDT tracers cannot enable the event.
 * The list of fields may contain each of these options once; opcode, id, version and tag are
 * constants:
 *
 *	UE_OPCODE(x)		UE_OPCODE_..., or another number up to 255
 *	UE_ID(id, version)	stable number of the event, 1 to 65535, and its version, 0 to 255
 *	UE_TAG(tag)		16 bits that the provider defines
 *	UE_ACTIVITY(id), UE_ACTIVITY(id, related)
 *				pointers to 16-byte ids of ue_activity_new(), or NULL
 *
 * UE_LOG_ENABLED(set)		returns true if the set is enabled; costs one load
 *
 * UE_LOG_EVENT(set, "event name", fields...)	the same as UE_LOG, for files in which another
 *				library defines UE_LOG (see UE_NO_LOG)
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

#define UE_ID(id, version) UE__OPTION_ID(UE__TO_U64(id), UE__TO_U64(version))
#define UE_OPCODE(x) UE__OPTION(UE__TO_U64(x) <= 255, (UE__TO_U64(x) & 255) << 24 | UE__ONE_OPCODE)
#define UE_TAG(tag) \
	UE__OPTION(UE__TO_U64(tag) <= 65535, (UE__TO_U64(tag) & 65535) << 32 | UE__ONE_TAG)
#define UE_ACTIVITY(...) UE__ACTIVITY(__VA_ARGS__, UE__I_NULL, ~)

struct ue_event_set {
	struct ue_event event;
};

/*
 * Registers a set whose provider, level, keyword or group are known only at run time. The rules of
 * UE_EVENT_SET and ue_event_register() apply, with the same errors. GROUP may be NULL. Also returns
 * -EINVAL if provider, level or group violate a rule. The USDT probes of such a set have no
 * semaphore. ue_event_set_unregister() and ue_event_set_enabled() do the same as
 * ue_event_unregister() and ue_event_enabled(). Thread-safe; not async-signal-safe, except for
 * ue_event_set_enabled().
 */
UE__I_API int ue_event_set_register(struct ue_event_set *set, const char *provider,
				    unsigned int level, uint64_t keyword, const char *group);
UE__I_API int ue_event_set_unregister(struct ue_event_set *set);
UE__I_FN bool ue_event_set_enabled(const struct ue_event_set *set);

/*
 * Creates an activity id: the 16 bytes of a random UUID, version 4. No two calls return the same
 * id, even in different threads, signal handlers or children of fork(). An id is not a secret,
 * because it can be guessed from earlier ids. The first call makes the getrandom() system call, and
 * every call makes getpid(). Takes no lock. Thread-safe, async-signal-safe.
 */
UE__I_API void ue_activity_new(uint8_t id[16]);

/*
 * Diagnostics
 * ===========
 *
 * ue_status() returns the state of the library, the first failure, and how to fix it. If the
 * program closed the fd, ue_status() opens the file again. Thread-safe; not async-signal-safe.
 */
struct ue_status {
	int fd;			 /* fd of user_events_data, or -1 if it is not open */
	char path[128];		 /* path of user_events_data, truncated; "" after ue_use_fd() */
	unsigned int declared;	 /* number of events and sets declared by the program or library */
	unsigned int registered; /* number of declared events that are registered */
	unsigned int runtime;	 /* number of registered run-time events */
	unsigned int multi;	 /* number of multi-format events, declared and run-time */
	uint64_t cut;		 /* number of recorded events with a truncated string or array */
	uint64_t failed;	 /* number of events that the kernel rejected */
	uint64_t large;	   /* number of events above UE_MAX_EVENT that could not be truncated */
	uint64_t unprobed; /* number of events written by, and not passed to, probes */
	uint64_t lost;	   /* number of events lost because the program had closed the fd */
	/*
	 * Error code (-errno) that MESSAGE explains, or 0. -EBADF means that the program closed the
	 * fd and that the file cannot be opened again, for any reason.
	 */
	int error;
	/*
	 * Explains what failed and how to fix it. Describes the last run-time event that could not
	 * be registered. If there is none, describes the first declared event that could not be
	 * registered.
	 */
	char message[1280];
};
UE__I_API struct ue_status ue_status(void);

/*
 * Returns a message for an error code of this library. ERROR is the return value of a function,
 * with either sign. The text is constant and never NULL. Thread-safe, async-signal-safe.
 */
UE__I_API const char *ue_strerror(int error);

/* * ---- EventHeader numbers ---- */

/*
 * Formats for UE_AS(). The format of a field determines how readers show its value;
 * docs/eventheader.md lists the kinds that each format supports.
 */
#define UE_FORMAT_DEFAULT 0 /* the default of the kind */
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

/*
 * Kinds of fields, which determine how values are encoded. UE__F_IS_ZSTRING(), UE__F_IS_PAIR() and
 * UE__F_LOG2_OF() rely on the order of these constants.
 */
/* clang-format off */
enum ue__kind {
	UE__KIND_NULL, UE__KIND_STRUCT,
	UE__KIND_VALUE8, UE__KIND_VALUE16, UE__KIND_VALUE32, UE__KIND_VALUE64, UE__KIND_VALUE128,
	/* strings that end with a zero unit; only in descriptors, see UE__F_RECORDED_KIND() */
	UE__KIND_ZSTRING8, UE__KIND_ZSTRING16, UE__KIND_ZSTRING32,
	/* strings and bytes that follow a 16-bit count */
	UE__KIND_STRING8, UE__KIND_STRING16, UE__KIND_STRING32, UE__KIND_BINARY
};

/*
 * The encoding byte of a field is its kind combined with these bits. If UE__F_ENCODING_MORE is set
 * in the encoding byte, a format byte follows. If it is set in the format byte, a 2-byte tag
 * follows.
 */
#define UE__F_ENCODING_CARRAY 0x20 /* an array with its count in the metadata */
#define UE__F_ENCODING_VARRAY 0x40 /* an array with its count in the payload */
#define UE__F_ENCODING_MORE 0x80

/*
 * Header of an EventHeader event: a struct, the corresponding fields in the definition of an event
 * set, and the flags.
 */
struct ue__f_header {
	uint8_t flags, version;
	uint16_t id, tag;
	uint8_t opcode, level;
};
#define UE__F_SET_FIELDS "u8 eventheader_flags; u8 version; u16 id; u16 tag; u8 opcode; u8 level"
#define UE__HEADER_POINTER64 1
#define UE__HEADER_LITTLE_ENDIAN 2
#define UE__HEADER_EXTENSION 4 /* an extension follows */
#define UE__F_HEADER_FLAGS \
	((sizeof(void *) == 8 ? UE__HEADER_POINTER64 : 0) | UE__HEADER_EXTENSION | \
	 (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? UE__HEADER_LITTLE_ENDIAN : 0))

/* Extension blocks follow the header. Each block is this struct followed by SIZE bytes of data. */
struct ue__block {
	uint16_t size, kind;
};
#define UE__F_EXTENSION_METADATA 1
#define UE__F_EXTENSION_ACTIVITY 2
#define UE__F_EXTENSION_MORE 0x8000 /* another block follows */

/*
 * Mark of a truncated event, kernel-typed or EventHeader: 8 bytes, without a NUL, directly after
 * the last field. Tracers append at most 7 bytes of padding, so padding cannot be mistaken for the
 * mark.
 */
#define UE__F_MARK "UE_TRUNC"
#define UE__F_MARK_SIZE 8u

/* * ---- Types ---- */

/*
 * Lists the types, one per row: name, EventHeader kind and format, flags, bytes of a scalar, C
 * type, and the function that converts a value to the 64 bits that a site passes. When you add a
 * type, see the list of places to change in docs/CONTRIBUTING.md.
 */
#define UE__TYPES(_) \
	_(U8, VALUE8, DEFAULT, 0, 1, uint8_t, UE__TO_U64) \
	_(U16, VALUE16, DEFAULT, 0, 2, uint16_t, UE__TO_U64) \
	_(U32, VALUE32, DEFAULT, 0, 4, uint32_t, UE__TO_U64) \
	_(U64, VALUE64, DEFAULT, 0, 8, uint64_t, UE__TO_U64) \
	_(I8, VALUE8, SIGNED, 0, 1, int8_t, UE__TO_U64) \
	_(I16, VALUE16, SIGNED, 0, 2, int16_t, UE__TO_U64) \
	_(I32, VALUE32, SIGNED, 0, 4, int32_t, UE__TO_U64) \
	_(I64, VALUE64, SIGNED, 0, 8, int64_t, UE__TO_U64) \
	_(X8, VALUE8, HEX, 0, 1, uint8_t, UE__TO_U64) \
	_(X16, VALUE16, HEX, 0, 2, uint16_t, UE__TO_U64) \
	_(X32, VALUE32, HEX, 0, 4, uint32_t, UE__TO_U64) \
	_(X64, VALUE64, HEX, 0, 8, uint64_t, UE__TO_U64) \
	_(F32, VALUE32, FLOAT, 0, 4, float, ue__bits_of_float) \
	_(F64, VALUE64, FLOAT, 0, 8, double, ue__bits_of_double) \
	_(BOOL, VALUE8, BOOL, 0, 1, bool, UE__TO_U64) \
	_(CHAR, VALUE8, STRING8, 0, 1, char, UE__TO_U64) \
	_(CHAR16, VALUE16, UTF, 0, 2, uint16_t, UE__TO_U64) \
	_(CHAR32, VALUE32, UTF, 0, 4, uint32_t, UE__TO_U64) \
	_(PID, VALUE32, PID, 0, 4, int32_t, UE__TO_U64) \
	_(ERRNO, VALUE32, ERRNO, 0, 4, int32_t, UE__TO_U64) \
	_(PORT, VALUE16, PORT, 0, 2, uint16_t, UE__TO_U64) \
	_(TIME32, VALUE32, TIME, 0, 4, int32_t, UE__TO_U64) \
	_(TIME64, VALUE64, TIME, 0, 8, int64_t, UE__TO_U64) \
	_(UUID, VALUE128, UUID, UE__F_T_DATA | UE__F_T_POINTER, 16, const void *, \
		ue__bits_of_pointer) \
	_(IPV4, VALUE32, IP, UE__F_T_DATA | UE__F_T_POINTER, 4, const void *, \
		ue__bits_of_pointer) \
	_(IPV6, VALUE128, IP, UE__F_T_DATA | UE__F_T_POINTER, 16, const void *, \
		ue__bits_of_pointer) \
	_(STR, ZSTRING8, DEFAULT, UE__F_T_DATA, 0, const char *, ue__bits_of_pointer) \
	_(STR16, ZSTRING16, DEFAULT, UE__F_T_DATA, 0, const void *, ue__bits_of_pointer) \
	_(STR32, ZSTRING32, DEFAULT, UE__F_T_DATA, 0, const void *, ue__bits_of_pointer) \
	_(LATIN1, ZSTRING8, STRING8, UE__F_T_DATA, 0, const char *, ue__bits_of_pointer) \
	_(XML, ZSTRING8, XML, UE__F_T_DATA, 0, const char *, ue__bits_of_pointer) \
	_(JSON, ZSTRING8, JSON, UE__F_T_DATA, 0, const char *, ue__bits_of_pointer) \
	_(STRN, STRING8, DEFAULT, UE__F_T_DATA, 0, const char *, ue__bits_of_pointer) \
	_(STR16N, STRING16, DEFAULT, UE__F_T_DATA, 0, const void *, ue__bits_of_pointer) \
	_(STR32N, STRING32, DEFAULT, UE__F_T_DATA, 0, const void *, ue__bits_of_pointer) \
	_(BYTES, BINARY, DEFAULT, UE__F_T_DATA, 0, const void *, ue__bits_of_pointer)

/*
 * A type is a 32-bit number, in descriptors and in constant expressions:
 *
 *	0..4	EventHeader kind
 *	5..9	EventHeader format
 *	10..15	flags
 *	16..31	length: bytes of a scalar or of the data at an address, elements of an array
 *
 * The flags and the kind determine what a site passes as the value of a field:
 *
 *	no flag		the scalar
 *	DATA		address of a string up to its zero unit; for STRN and BYTES, also the count
 *	DATA | BOUNDED	the same in a char array: the string has at most LENGTH units. An array of
 *			over 65535 units has no BOUNDED flag, because at most 65536 units are read
 *	DATA | POINTER	address of LENGTH bytes; NULL stands for zeros
 *	DATA | CARRAY	address of LENGTH elements; with BOUNDED the array is longer, and the event
 *			counts as truncated
 *	DATA | VARRAY	address of elements, and their count
 *	DATA | SPAN	address of a struct ue__i_span: a C++ string, or with VARRAY a container
 *
 * A zero ends the list of types in a descriptor. UE__F_T_ACTIVITY is the flag DATA without a kind.
 * If a list begins with UE__F_T_ACTIVITY, the first two values are the addresses of two 16-byte
 * activity IDs, or NULL.
 */
#define UE__F_T_CARRAY (1u << 10) /* constant array */
#define UE__F_T_VARRAY (1u << 11) /* variable array */
#define UE__F_T_SPAN (1u << 12)
#define UE__F_T_BOUNDED (1u << 13)
#define UE__F_T_POINTER (1u << 14)
#define UE__F_T_DATA (1u << 15)
#define UE__F_T_ACTIVITY UE__F_T_DATA
#define UE__I_T_NO_FIELD (UE__F_T_DATA | 15u) /* a variable that cannot be a field; no kind is 15 */
#define UE__F_T_LENGTH(n) (UE__TO_U32((n) > 65535 ? 65535 : (n)) << 16)

#define UE__F_T_FORMATS (31u << 5)
#define UE__F_KIND_OF(t) ((t)&31)
#define UE__F_FORMAT_OF(t) ((t) >> 5 & 31)
#define UE__F_LENGTH_OF(t) ((t) >> 16)
/*
 * Returns the log2 of the unit or element size of type T. The constant has one hex digit per kind.
 * The first digit is for UE__KIND_BINARY.
 */
#define UE__F_LOG2_OF(t) UE__TO_U32(UE__TO_U64(0x02102104321000) >> 4 * UE__F_KIND_OF(t) & 15)
UE__I_STATIC_ASSERT(UE__F_LOG2_OF(UE__TO_U32(UE__KIND_VALUE128)) == 4,
		    "user_events.h: UE__F_LOG2_OF() needs a digit for each kind of field");
#define UE__F_IS_SIGNED(t) (UE__SIGNED_FORMATS >> UE__F_FORMAT_OF(t) & 1)
#define UE__SIGNED_FORMATS \
	(1 << UE_FORMAT_SIGNED | 1 << UE_FORMAT_ERRNO | 1 << UE_FORMAT_PID | 1 << UE_FORMAT_TIME)
#define UE__F_IS_ZSTRING(t) \
	(UE__F_KIND_OF(t) >= UE__KIND_ZSTRING8 && UE__F_KIND_OF(t) <= UE__KIND_ZSTRING32)
#define UE__IS_ARRAY(t) ((t) & (UE__F_T_CARRAY | UE__F_T_VARRAY))
#define UE__F_IS_STRINGS(t) (UE__F_IS_ZSTRING(t) && UE__IS_ARRAY(t)) /* an array of strings */
/* Returns whether T is text made of chars. The kernel requires a NUL at the end of such text. */
#define UE__F_IS_CHARS(t) \
	(UE__F_KIND_OF(t) == UE__KIND_ZSTRING8 || UE__F_KIND_OF(t) == UE__KIND_STRING8 || \
	 (UE__F_KIND_OF(t) == UE__KIND_VALUE8 && UE__F_FORMAT_OF(t) == UE_FORMAT_STRING8))
/* Returns whether T is a scalar, or a constant number of bytes at an address. */
#define UE__F_IS_FIXED(t) \
	(!((t) & UE__F_T_DATA) || (!((t) & UE__F_T_VARRAY) && \
	 ((t) & UE__F_T_POINTER || ((t) & UE__F_T_CARRAY && !UE__F_IS_ZSTRING(t)))))
#define UE__FIXED_SIZE_OF(t) \
	((t) & UE__F_T_CARRAY ? UE__F_LENGTH_OF(t) << UE__F_LOG2_OF(t) : UE__F_LENGTH_OF(t))
/*
 * Returns the byte offset of a scalar in the 64-bit value that contains it. On big-endian machines,
 * the scalar is in the last bytes.
 */
#define UE__OFFSET_IN_VALUE(t) \
	(__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 8 - UE__F_LENGTH_OF(t) : 0)
/* Returns whether a site passes two values, address and count, for a field of type T. */
#define UE__F_IS_PAIR(t) \
	(!((t) & UE__F_T_SPAN) && ((t) & UE__F_T_VARRAY || \
	 (UE__F_KIND_OF(t) >= UE__KIND_STRING8 && !((t) & UE__F_T_CARRAY))))
/* Returns the type of a single string in T, an array of strings. */
#define UE__STRING_OF(t) ((t) & (UE__F_T_DATA | UE__F_T_FORMATS | 31u))
#define UE__MOST_STRINGS 64u /* a longer array of strings is truncated */
/*
 * Returns the kind that is recorded for T. Strings are recorded with a count, not a terminator. If
 * another thread changes a string while it is copied, the position of the next field remains
 * correct.
 */
#define UE__F_RECORDED_KIND(t) \
	(UE__F_KIND_OF(t) + \
	 (UE__F_IS_ZSTRING(t) ? UE__TO_U32(UE__KIND_STRING8) - UE__TO_U32(UE__KIND_ZSTRING8) : 0u))

/*
 * Defines the types as constants. UE__U8 is a type, while UE__TO_U8(x) is a cast. The casts are
 * function-like macros, so they do not conflict with the names of types.
 */
#ifdef __cplusplus
enum ue__i_type : uint32_t {
#else
__extension__ enum {
#endif
#define UE__ROW(name, kind, format, flags, bytes, ctype, bits_of) \
	UE__##name = UE__TO_U32(UE__KIND_##kind) | UE_FORMAT_##format << 5 | (flags) | \
		     UE__TO_U32(bytes) << 16,
	UE__TYPES(UE__ROW)
#undef UE__ROW
	UE__PTR = sizeof(void *) == 8 ? UE__X64 : UE__X32,
	UE__LONG = sizeof(long) == 8 ? UE__I64 : UE__I32,
	UE__ULONG = sizeof(long) == 8 ? UE__U64 : UE__U32
};

#define UE__ROW(name, kind, format, flags, bytes, ctype, bits_of) typedef ctype ue__c_##name;
UE__TYPES(UE__ROW)
#undef UE__ROW
typedef const void *ue__c_PTR;
/*
 * These macros expand the NAME of a type to the type, to the C type, or to the conversion function,
 * and the NAME of a kind to the kind.
 */
#define UE__F_TYPE(name) UE__##name
#define UE__I_CTYPE(name) ue__c_##name
#define UE__I_IN(name) ue__in_##name
#define UE__F_KIND(name) UE__KIND_##name
/* clang-format on */

/* The constant descriptor of an event. VARIANT determines the data that follow the struct. */
struct ue__f_desc {
	uint8_t variant;
	uint8_t level;	 /* level of a set, for tools only; the code reads ue_event.level */
	uint16_t types;	 /* number of types that follow */
	uint16_t values; /* number of 64-bit values that a site passes */
	uint16_t pieces; /* maximum number of struct ue__piece */
	uint16_t size;	 /* size of the constant part of an event in bytes, depending on VARIANT */
	uint16_t flags;	 /* flags of ue_event_register() */
};
enum ue__variant {
	UE__F_DESC_KERNEL,    /* TYPES types and a 0, "name;field;field;". SIZE: scalars and locs */
	UE__F_DESC_LOG,	      /* TYPES types and a 0; SIZE bytes of header and metadata block */
	UE__F_DESC_SET,	      /* uint64_t keyword; "provider\0options\0" */
	UE__DESC_TEXT,	      /* run-time event: its definition as text, and FLAGS */
	UE__F_DESC_CALLBACKS, /* struct ue__i_callbacks of a TRACE_EVENT (docs/tracepoints.md) */
	UE__F_DESC_PROBE      /* the callbacks of a DECLARE_TRACE(), which has no fields */
};
enum { UE__F_SPEC_SIZE = 512 }; /* size of a definition with its NUL, in bytes */
struct ue__i_callbacks {
	const char *name;
	int (*spec)(char out[UE__F_SPEC_SIZE], const char *name);    /* returns 0 or -E2BIG */
	int (*print)(char *buffer, size_t size, const void *record); /* like snprintf() */
};

/* Types of ELF notes for tools. docs/reference.md describes the contents of each. */
#define UE__F_NOTE_SITE 1
#define UE__F_NOTE_CLASS 2 /* for TRACE_EVENT, like the next two */
#define UE__F_NOTE_CLASS_EVENT 3
#define UE__F_NOTE_PRINT 4
#define UE__NOTE_KEEP 5 /* refers to sections that the linker must keep for tracers */

/* Bits of an event's enable word. The upper 16 bits count the attached uprobes (USDT). */
#define UE__KERNEL_BIT 1u
#define UE__I_HOOK_BIT 2u

#define UE__I_LOAD(p) __atomic_load_n((const volatile __typeof__(*(p)) *)(p), __ATOMIC_RELAXED)

/*
 * The load is volatile, because the kernel writes the word. The function is always inlined, because
 * otherwise GCC would not inline it at -Os.
 */
UE__I_FN __attribute__((__always_inline__)) bool ue_event_enabled(const struct ue_event *event)
{
#ifdef UE_DISABLE
	return false;
#else
	return UE__UNLIKELY(UE__I_LOAD(&event->enabled));
#endif
}

UE__I_FN bool ue_event_set_enabled(const struct ue_event_set *set)
{
	return ue_event_enabled(&set->event);
}

#if defined(UE_SHARED) && !defined(UE_DISABLE)
/*
 * Functions that sites call. Their definitions are in "Packing: fast path". If no file of a program
 * or library defines UE_IMPLEMENTATION, the linker reports these symbols as undefined, so their
 * names explain what to do.
 */
UE__I_API void
ue__i_write_kernel_v1(struct ue_event *event, const struct ue__f_desc *d, uint64_t v0, uint64_t v1,
		      uint64_t v2, uint64_t v3,
		      ...) __asm__("ue__i_write_kernel_v1__define_UE_IMPLEMENTATION_in_one_file");
UE__I_API __typeof__(ue__i_write_kernel_v1)
	ue__i_write_log_v1 __asm__("ue__i_write_log_v1__define_UE_IMPLEMENTATION_in_one_file");
#endif

/* * ---- Recorded format ---- */

/*
 * Names that begin with ue__f_ or UE__F_ denote numbers and layouts that are stored in binaries and
 * recordings: ELF notes, descriptors, and the EventHeader wire format. Their meaning never changes,
 * because tracers also read binaries that were built with older headers. docs/reference.md and
 * docs/eventheader.md describe the formats byte by byte. The definitions are in the chapters before
 * this one.
 *
 * ELF notes and descriptors
 *	UE__F_NOTE_SITE, UE__F_NOTE_CLASS, UE__F_NOTE_CLASS_EVENT, UE__F_NOTE_PRINT
 *		Types of notes.
 *	ue__f_desc, UE__F_DESC_KERNEL, UE__F_DESC_LOG, UE__F_DESC_SET, UE__F_DESC_CALLBACKS,
 *	UE__F_DESC_PROBE
 *		The head of a descriptor, and its variants.
 *
 * Types of fields, 32-bit numbers in descriptors: see "Types"
 *	UE__F_TYPE(U32), UE__F_KIND(VALUE32)
 *		The type and the kind with a given name.
 *	UE__F_KIND_OF, UE__F_FORMAT_OF, UE__F_LENGTH_OF, UE__F_LOG2_OF, UE__F_RECORDED_KIND,
 *	UE__F_IS_CHARS, UE__F_IS_FIXED, UE__F_IS_PAIR, UE__F_IS_SIGNED, UE__F_IS_STRINGS,
 *	UE__F_IS_ZSTRING
 *		Properties of a type.
 *	UE__F_T_ACTIVITY, UE__F_T_BOUNDED, UE__F_T_CARRAY, UE__F_T_DATA, UE__F_T_FORMATS,
 *	UE__F_T_LENGTH, UE__F_T_POINTER, UE__F_T_SPAN, UE__F_T_VARRAY
 *		Bits of a type.
 *
 * Events
 *	ue__f_header, UE__F_HEADER_FLAGS, UE__F_SET_FIELDS, UE__F_EXTENSION_ACTIVITY,
 *	UE__F_EXTENSION_METADATA, UE__F_EXTENSION_MORE
 *		EventHeader's header, and the kinds of the blocks after it.
 *	UE__F_ENCODING_CARRAY, UE__F_ENCODING_VARRAY, UE__F_ENCODING_MORE, UE__F_META_VALUE
 *		The encoding of a field in the metadata.
 *	UE__F_MARK, UE__F_MARK_SIZE
 *		The bytes that follow the fields of a truncated event, and their number.
 *	UE__F_SPEC_SIZE
 *		The kernel's limit on the length of the text that registers an event.
 */

/* * ---- Internal interface ---- */

/*
 * The other headers, the tools and the tests use only two groups of private names of this file: the
 * names of the recorded format, and the names that begin with ue__i_ or UE__I_. tests/interface.sh
 * checks this. A change to this file must either keep the contracts below or also change all users
 * of the name. The definitions are in the chapters before and after this one.
 *
 * Language
 *	UE__I_NO_SYSTEM_HEADER
 *		For tests: if defined, compilers also warn about the code of the headers.
 *	UE__I_DECLARED_ONLY
 *		Defined if this file contains declarations only (UE_SHARED).
 *	UE__I_HEADER_BEGIN, UE__I_HEADER_END
 *		Enclose a header and silence warnings that code for both C and C++ causes.
 *	UE__I_BEGIN, UE__I_END
 *		Enclose declarations. In C++, they form the versioned namespace.
 *	UE__I_FN
 *		Specifiers of a function that each file defines.
 *	UE__I_UNTRACED
 *		Attributes of all functions.
 *	UE__I_API
 *		Specifiers of a function that, with UE_SHARED, only one file defines.
 *	UE__I_DISABLED(result, function)
 *		Defines the stub of a UE__I_API function for UE_DISABLE.
 *	UE__I_HIDDEN_TYPE
 *		Attribute of a hidden type.
 *	UE__I_HIDE_BOUNDS(section)
 *		Hides the __start_ and __stop_ symbols of a section.
 *	UE__I_C_LINKAGE, UE__I_DEFINE_ONE(type, name), UE__I_TLS
 *		Declare and define variables that exist once per program or library, or
 *		once per thread.
 *	UE__I_STRUCT(name), UE__I_STATIC_ASSERT, UE__I_NULL, UE__I_CAST(type, x)
 *		The same spelling for C and C++.
 *	UE__I_LOAD(p), UE__I_STORE(p, value)
 *		Relaxed atomic accesses.
 *
 * Lists
 *	UE__I_COUNT(name, fields...), UE__I_ITEMS_n(at, name, fields...), UE__I_EACH_n(op,
 *	items...)
 *		Count the fields, convert each field to an item, and call op_CLASS for each
 *		item: see "Lists".
 *	UE__I_DECLARE, UE__I_PASS
 *		Operations for UE__I_EACH_n().
 *	UE__I_TYPE_AT(at)
 *		The type of the field at a position. Use it after UE__I_DECLARE.
 *	UE__I_VALUE_AT(at)
 *		The value of the field at a position. Use it in UE__I_RUN().
 *	ue__i_field, ue__i_bare, ue__i_value, ue__i_pair, ue__i_struct, ue__i_option,
 *	ue__i_activity, ue__i_implicit
 *		The mark of a tuple, and the classes of items: see "Items".
 *	UE__I_CAT, UE__I_STRINGIFY, UE__I_UNPACK, UE__I_FIRST, UE__I_SECOND_OF,
 *	UE__I_IS_PAREN, UE__I_IN_PARENS
 *		Preprocessor helpers.
 *
 * Types of fields
 *	UE__I_CTYPE(U32)
 *		The C type for a type with this name.
 *	UE__I_IN(U32)
 *		The function that converts a value of a type with this name to 64 bits.
 *	UE__I_SCALAR_TYPE(value, other)
 *		In C, the type for a C type.
 *	ue__i_auto, ue__i_scalar, ue__i_type
 *		In C++, the class templates that map a C++ type to the type of a field, and
 *		their member with the result.
 *	UE__I_TYPE_AS
 *		Applies UE_AS() to a type.
 *	UE__I_T_NO_FIELD
 *		The type of a variable that cannot be a field.
 *	UE__I_IS_CARRIED
 *		Tests whether the kernel has a type for a field.
 *	ue__i_span
 *		A pointer and a count as one value.
 *
 * Sites and descriptors
 *	UE__I_DESC(...)
 *		The initialiser of a struct ue__f_desc.
 *	UE__I_HEAD_OF(desc)
 *		The address of the struct ue__f_desc in a descriptor.
 *	ue__i_callbacks
 *		The part of a TRACE_EVENT's descriptor after the struct ue__f_desc.
 *	UE__I_KERNEL_DESC(n, desc, sum, name, items)
 *		Defines the descriptor of a kernel-typed event, after UE__I_DECLARE.
 *	UE__I_LOG_FIELDS(n, items)
 *		Declares and checks the fields of a UE_LOG event.
 *	UE__I_LOG_DESC(n, desc, name, items)
 *		Defines the descriptor of a UE_LOG event.
 *	UE__I_EVENT_INIT(desc, level)
 *		The initialiser of a struct ue_event.
 *	ue__i_event_of(set)
 *		Returns the event of a set.
 *	UE__I_RUN(n, (statements), items)
 *		Evaluates the values once, in order, and then runs the statements.
 *	UE__I_EMIT(n, write, event, desc, names, items)
 *		A statement that executes the USDT probe and writes the event.
 *	UE__I_IF_ACTIVITY, UE__I_COLD_SITE, UE__I_IGNORE, ue__i_ignore()
 *		Parts of a site.
 *	UE__I_USDT_BEGIN, UE__I_USDT_END, UE__I_USDT_NAMES, UE__I_USDT_OPERANDS,
 *	UE__I_USDT_SEMAPHORES, UE__I_USDT_SIZE, UE__I_USDT_TEXT_n, UE__I_SEMAPHORE
 *		Parts of a USDT probe.
 *	UE__I_SITE_NOTE, UE__I_EVENT_ENTRY, UE__I_ENTRY_IN(section),
 *	UE__I_NOTE_BEGIN(type), UE__I_NOTE_END
 *		ELF notes, and the list of events.
 *	UE__I_ADDRESS, UE__I_NUMBER, UE__I_SYMBOL, UE__I_PLACE_OF(object)
 *		Directives and operands for asm statements on each machine.
 *	UE__I_SLOW
 *		Specifiers of the function that writes an event.
 *	UE__I_LOADER_ENTRIES
 *		Makes the loader register the events at startup.
 *	ue__i_event_NAME
 *		The event that UE_TRACEPOINT(NAME) defines in C.
 *
 * Writing (async-signal-safe; allocates no memory; preserves errno)
 *	ue__i_write_kernel_v1(), ue__i_write_log_v1()
 *		Pack and write an event of a site. The values are arguments.
 *	ue__i_write_values()
 *		Packs and writes an event of a site. The values are in an array.
 *	ue__i_send_segments(), ue__i_iovec
 *		Writes a packed event.
 *	ue__i_put_activity(), ue__i_put_u16(), ue__i_put_value(), ue__i_measure_string()
 *		Pack parts of an EventHeader event.
 *	UE__I_COUNT_EVENT(counter)
 *		Adds one to a counter of ue_status().
 *
 * Hooks (callbacks in this process; change lists only between ue__i_lock() and ue__i_unlock())
 *	ue__i_lock(), ue__i_unlock(), ue__i_hook, ue__i_add_hook(), ue__i_remove_hook(),
 *	ue__i_update_hooks(), ue__i_has_other_hooks(), UE__I_HOOK_BIT
 *		See "Hooks".
 *
 * System calls and text
 *	ue__i_syscall3(), UE__I_SYSTEM(call)
 *		Make a system call, and call a function of libc. They return -errno and do not
 *		change errno.
 *	ue__i_libc_syscall()
 *		syscall() of libc.
 *	ue__i_sleep(ns)
 *		Sleeps for a number of nanoseconds.
 *	UE__I_CLOEXEC, UE__I_MAP_ANONYMOUS
 *		O_CLOEXEC and MAP_ANONYMOUS.
 *	ue__i_text, ue__i_text_in(), ue__i_put(), ue__i_put_bytes(), ue__i_put_number()
 *		Append text to a buffer of constant size. Text that does not fit is
 *		omitted.
 *	ue__i_put_type(), ue__i_set_spec(), ue__i_spec(), ue__i_field_words,
 *	ue__i_split_field(), ue__i_is_identifier()
 *		Generate and parse the text that registers an event.
 */

/* * ---- How a site expands ---- */

/*
 * The macros from here to "Implementation" turn a site into constant data, a test, and a call. This
 * chapter shows the expansion of one site, step by step:
 *
 *	UE_EVENT_SET(shop, "Shop", UE_LEVEL_INFORMATION, 0x1);
 *	int items;
 *
 *	UE_LOG(shop, "Order", items);
 *
 * 1. UE__I_COUNT() counts the fields after the name: 1.
 * 2. UE__I_ITEMS_1(_, "Order", items) makes an item of each field. An item is the call of a class:
 *	items			ue__i_bare(_1, "items", "items;", , , items)
 *	UE_U32(items)		ue__i_value(_1, "items", "items;", , , UE__U32, ue__c_U32, ...)
 *    _1 is the field's position. The names that the site declares for the field end in the
 *    position: ue__t_1. Struct members are counted too. If the second field is a struct, its first
 *    member has position _3.
 * 3. An operation is a set of macros, one for each class. UE__I_EACH_1(UE__I_PASS, items...) pastes
 *    the operation's name and the item. The result UE__I_PASS_ue__i_bare(_1, ...) expands to
 *    ", ue__v_1".
 * 4. UE__LOG_SITE() applies the operations one after the other. The listing shows the names of the
 *    operations on the right, and omits the layout number (_v1) after names:
 *
 *	do {
 *		struct ue_event_set *const ue__set = &shop;
 *		_Static_assert("items;" is an identifier);		UE__I_DECLARE
 *		typedef __typeof__(items) ue__x_1;
 *		enum { ue__t_1 = UE__I32 };				  the field's type
 *		_Static_assert(ue__t_1 != UE__I_T_NO_FIELD);
 *		enum { ue__sum = 1 | 1 << 16 | ... };			UE__SUM: value, piece
 *		enum { ue__parts = 0 };					UE__PART: no option
 *		if (ue__set->event.enabled) {				  three instructions
 *			struct ue__meta { header; char ue__name[6];
 *				char ue__name_1[6]; uint64_t ue__meta_1 : 16; };  UE__DEFINE
 *			static const struct { ... } ue__d = {
 *				{ UE__F_DESC_LOG, ... },
 *				{ UE__I32, 0 },				UE__ENTRY
 *				{ header, "Order", "items", kind and format } };  UE__INITIALISE
 *			uint64_t ue__none, ue__v_1;			UE__I_PASS
 *			ue__v_1 = items,				UE__EVALUATE
 *			({						  the same expression
 *				ue__cold();
 *				asm("nop; notes" : : -4, ue__v_1 ...);	UE__USDT; -4: signed
 *				ue__i_write_log(&shop.event, &ue__d.ue__head,
 *					      ue__v_1,			UE__I_PASS
 *					      0, 0, 0);			UE__AT_LEAST_4
 *			});
 *		}
 *	} while (0)
 *
 * UE_TRACE has its own event, a static variable of the site, and UE__CARRIED in place of UE__CHECK.
 * UE_TRACEPOINT adds UE__TYPED, UE__PARAM and UE__FORWARD for the parameters of its functions.
 * `gcc -E -P -Iinclude FILE` prints the whole expansion of a file.
 */

/* * ---- Lists ---- */

/*
 * The arguments of a site are a name and up to 64 fields. Three families of macros process this
 * list:
 *
 *	UE__I_COUNT(name, fields...)		the number of fields
 *	UE__I_ITEMS_n(at, name, fields...)	an item for each field: class(position, ...)
 *	UE__I_EACH_n(op, items...)		op_class(position, ...) for each item
 *
 * For UE_TRACE(read, fd, UE_U64(size)) the count is 2, and the items are ue__i_bare(_1, "fd", ...)
 * and ue__i_value(_2, "size", ...). UE__I_EACH_2(UE__ENTRY, items) then becomes
 * UE__ENTRY_ue__i_bare(_1, ...) UE__ENTRY_ue__i_value(_2, ...). These expand to the types in the
 * descriptor: ue__t_1, ue__t_2.
 *
 * A field's position is part of the names of its variables: ue__t... for types, ue__v... for
 * values, ue__n... for element counts. The ninth field has position _8_1, because a list of more
 * than eight fields is processed in groups of eight. The last group is padded with options that
 * have no effect. For 9 to 16 fields, UE__I_COUNT() is therefore 16.
 */
/* clang-format off */
#define UE__I_CAT(a, b) UE__CAT_(a, b)
#define UE__CAT_(a, b) a##b
#define UE__I_STRINGIFY(x) UE__STRINGIFY_(x)
#define UE__STRINGIFY_(x) #x
#define UE__I_UNPACK(...) __VA_ARGS__
#define UE__I_FIRST(first, ...) first
#define UE__FIRST_TEXT(first, ...) #first
#define UE__SECOND(first, second, ...) second
#define UE__I_SECOND_OF(...) UE__SECOND(__VA_ARGS__)
/*
 * Expands to 1 if X begins with a parenthesis, which makes UE__PAREN X a call. Otherwise expands to
 * 0.
 */
#define UE__I_IS_PAREN(x) UE__I_SECOND_OF(UE__PAREN x, 0, ~)
#define UE__PAREN(...) ~, 1
/* Expands to 1 if N is 0. Otherwise expands to 0. */
#define UE__IS_0(n) UE__I_SECOND_OF(UE__I_CAT(UE__IS_0_, n), 0, ~)
#define UE__IS_0_0 ~, 1

/*
 * Expands to the number of arguments after the first. A number above 8 is rounded up to a multiple
 * of 8. For 65 to 95 arguments, which are too many, expands to 99.
 */
#define UE__I_COUNT(...) \
	UE__COUNT_(__VA_ARGS__, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, \
		   99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, \
		   64, 64, 64, 64, 64, 64, 64, 64, 56, 56, 56, 56, 56, 56, 56, 56, \
		   48, 48, 48, 48, 48, 48, 48, 48, 40, 40, 40, 40, 40, 40, 40, 40, \
		   32, 32, 32, 32, 32, 32, 32, 32, 24, 24, 24, 24, 24, 24, 24, 24, \
		   16, 16, 16, 16, 16, 16, 16, 16, 8, 7, 6, 5, 4, 3, 2, 1, 0, ~)
#define UE__COUNT_(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, \
		   a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, \
		   a34, a35, a36, a37, a38, a39, a40, a41, a42, a43, a44, a45, a46, a47, a48, a49, \
		   a50, a51, a52, a53, a54, a55, a56, a57, a58, a59, a60, a61, a62, a63, a64, a65, \
		   a66, a67, a68, a69, a70, a71, a72, a73, a74, a75, a76, a77, a78, a79, a80, a81, \
		   a82, a83, a84, a85, a86, a87, a88, a89, a90, a91, a92, a93, a94, a95, n, ...) n

/* UE__I_ITEMS_n(at, name, fields...) */
#define UE__I_ITEMS_0(at, name)
#define UE__I_ITEMS_1(at, name, a) UE__ITEM(at##1, a)
#define UE__I_ITEMS_2(at, name, a, b) UE__ITEM(at##1, a), UE__ITEM(at##2, b)
#define UE__I_ITEMS_3(at, name, a, b, c) UE__ITEM(at##1, a), UE__ITEM(at##2, b), UE__ITEM(at##3, c)
#define UE__I_ITEMS_4(at, name, a, b, c, d) UE__I_ITEMS_3(at, ~, a, b, c), UE__ITEM(at##4, d)
#define UE__I_ITEMS_5(at, name, a, b, c, d, e) UE__I_ITEMS_4(at, ~, a, b, c, d), UE__ITEM(at##5, e)
#define UE__I_ITEMS_6(at, name, a, b, c, d, e, f) \
	UE__I_ITEMS_4(at, ~, a, b, c, d), UE__ITEM(at##5, e), UE__ITEM(at##6, f)
#define UE__I_ITEMS_7(at, name, a, b, c, d, e, f, g) \
	UE__I_ITEMS_4(at, ~, a, b, c, d), UE__ITEM(at##5, e), UE__ITEM(at##6, f), UE__ITEM(at##7, g)
#define UE__I_ITEMS_8(at, name, a, b, c, d, e, f, g, h) \
	UE__I_ITEMS_4(at, ~, a, b, c, d), UE__ITEM(at##5, e), UE__ITEM(at##6, f), \
	UE__ITEM(at##7, g), UE__ITEM(at##8, h)
/* For 9 to 16 fields, appends seven options without effect, and drops the excess. */
#define UE__I_ITEMS_16(at, name, a, b, c, d, e, f, g, h, ...) \
	UE__I_ITEMS_8(at, name, a, b, c, d, e, f, g, h), \
	UE__ITEMS_FILLED(at##8_, __VA_ARGS__, UE__FILLERS, ~)
#define UE__ITEMS_FILLED(...) UE__ITEMS_FILLED_(__VA_ARGS__)
#define UE__ITEMS_FILLED_(at, a, b, c, d, e, f, g, h, ...) \
	UE__I_ITEMS_8(at, ~, a, b, c, d, e, f, g, h)
#define UE__FILLERS \
	UE__FILLER, UE__FILLER, UE__FILLER, UE__FILLER, UE__FILLER, UE__FILLER, UE__FILLER
#define UE__FILLER UE__FIELD(ue__i_option, "", "", 1, 0, UE__NO_MEMBER)
#define UE__I_ITEMS_24(at, name, a, b, c, d, e, f, g, h, ...) \
	UE__I_ITEMS_8(at, name, a, b, c, d, e, f, g, h), UE__I_ITEMS_16(at##8_, name, __VA_ARGS__)
#define UE__I_ITEMS_32(at, name, a, b, c, d, e, f, g, h, ...) \
	UE__I_ITEMS_8(at, name, a, b, c, d, e, f, g, h), UE__I_ITEMS_24(at##8_, name, __VA_ARGS__)
#define UE__I_ITEMS_40(at, name, a, b, c, d, e, f, g, h, ...) \
	UE__I_ITEMS_8(at, name, a, b, c, d, e, f, g, h), UE__I_ITEMS_32(at##8_, name, __VA_ARGS__)
#define UE__I_ITEMS_48(at, name, a, b, c, d, e, f, g, h, ...) \
	UE__I_ITEMS_8(at, name, a, b, c, d, e, f, g, h), UE__I_ITEMS_40(at##8_, name, __VA_ARGS__)
#define UE__I_ITEMS_56(at, name, a, b, c, d, e, f, g, h, ...) \
	UE__I_ITEMS_8(at, name, a, b, c, d, e, f, g, h), UE__I_ITEMS_48(at##8_, name, __VA_ARGS__)
#define UE__I_ITEMS_64(at, name, a, b, c, d, e, f, g, h, ...) \
	UE__I_ITEMS_8(at, name, a, b, c, d, e, f, g, h), UE__I_ITEMS_56(at##8_, name, __VA_ARGS__)
/* Reports an event of more than 64 fields. */
#define UE__I_ITEMS_99(at, name, ...) \
	ue__i_value(at##1, "many", "many;", , , UE__U8, ue__c_U8, many, \
		  UE__MISTAKE("an event or struct has more than 64 fields: split it, " \
			      "or use the builder"))

/* UE__I_EACH_n(op, items...). Use UE__WALK() instead if a macro call produces the list of items. */
#define UE__WALK(n, op, ...) UE__WALK_(n, op, __VA_ARGS__)
#define UE__WALK_(n, op, ...) UE__I_EACH_##n(op, __VA_ARGS__)
#define UE__I_EACH_0(op, ...)
#define UE__I_EACH_1(op, a) op##_##a
#define UE__I_EACH_2(op, a, b) op##_##a op##_##b
#define UE__I_EACH_3(op, a, b, c) op##_##a op##_##b op##_##c
#define UE__I_EACH_4(op, a, b, c, d) op##_##a op##_##b op##_##c op##_##d
#define UE__I_EACH_5(op, a, b, c, d, e) op##_##a op##_##b op##_##c op##_##d op##_##e
#define UE__I_EACH_6(op, a, b, c, d, e, f) op##_##a op##_##b op##_##c op##_##d op##_##e op##_##f
#define UE__I_EACH_7(op, a, b, c, d, e, f, g) \
	op##_##a op##_##b op##_##c op##_##d op##_##e op##_##f op##_##g
#define UE__I_EACH_8(op, a, b, c, d, e, f, g, h) \
	op##_##a op##_##b op##_##c op##_##d op##_##e op##_##f op##_##g op##_##h
#define UE__I_EACH_16(op, a, b, c, d, e, f, g, h, ...) \
	UE__I_EACH_8(op, a, b, c, d, e, f, g, h) UE__I_EACH_8(op, __VA_ARGS__)
#define UE__I_EACH_24(op, a, b, c, d, e, f, g, h, ...) \
	UE__I_EACH_8(op, a, b, c, d, e, f, g, h) UE__I_EACH_16(op, __VA_ARGS__)
#define UE__I_EACH_32(op, a, b, c, d, e, f, g, h, ...) \
	UE__I_EACH_8(op, a, b, c, d, e, f, g, h) UE__I_EACH_24(op, __VA_ARGS__)
#define UE__I_EACH_40(op, a, b, c, d, e, f, g, h, ...) \
	UE__I_EACH_8(op, a, b, c, d, e, f, g, h) UE__I_EACH_32(op, __VA_ARGS__)
#define UE__I_EACH_48(op, a, b, c, d, e, f, g, h, ...) \
	UE__I_EACH_8(op, a, b, c, d, e, f, g, h) UE__I_EACH_40(op, __VA_ARGS__)
#define UE__I_EACH_56(op, a, b, c, d, e, f, g, h, ...) \
	UE__I_EACH_8(op, a, b, c, d, e, f, g, h) UE__I_EACH_48(op, __VA_ARGS__)
#define UE__I_EACH_64(op, a, b, c, d, e, f, g, h, ...) \
	UE__I_EACH_8(op, a, b, c, d, e, f, g, h) UE__I_EACH_56(op, __VA_ARGS__)
#define UE__I_EACH_99(op, a) op##_##a
/* clang-format on */

/* * ---- Values ---- */

/*
 * A site passes each field value as 64 bits. If a field specifies its type, ue__in_TYPE() converts
 * the value, and compilers warn about the same conversions as in an initialiser. For a plain
 * variable, the field type is derived from the C type of the variable.
 */
/* A pointer and a count, passed as one value, for example for a C++ container. */
struct ue__i_span {
	const void *data;
	size_t count;
};

UE__I_FN uint64_t ue__bits_of_float(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

UE__I_FN uint64_t ue__bits_of_double(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

UE__I_FN uint64_t ue__bits_of_pointer(const volatile void *p)
{
	return (uint64_t)(uintptr_t)p;
}

#define UE__ROW(name, kind, format, flags, bytes, ctype, bits_of) \
	UE__I_FN uint64_t ue__in_##name(ctype value)              \
	{                                                         \
		return bits_of(value);                            \
	}
UE__TYPES(UE__ROW)
#undef UE__ROW

/* clang-format off */

/* Reports MESSAGE at compile time unless CONDITION is true. May be part of an expression. */
#define UE__REQUIRE(condition, message) \
	(void)__extension__({ UE__I_STATIC_ASSERT(condition, "user_events.h: " message); 0; })
#define UE__MISTAKE(message) (UE__REQUIRE(0, message), UE__TO_U64(0))

/* Returns the address P of an array. Checks that its elements have the size of type T. */
#define UE__ELEMENTS(t, name, p) \
	(UE__REQUIRE(UE__IS_ADDRESS(p) && \
		     UE__ELEMENT_FITS(t, __extension__ sizeof(*UE__IF(UE__IS_ADDRESS(p), p))), \
		     "elements of \"" name "\" differ in size from the array's type, or \"" name \
		     "\" is not a pointer: I8 and U8 have 1 byte, I16 has 2, I32 4, I64 8; " \
		     "strings are pointers"), \
	 ue__bits_of_pointer(UE__IF(UE__IS_ADDRESS(p), p)))
#define UE__ELEMENT_FITS(t, size) \
	((t) & UE__F_T_POINTER || (size) == (UE__F_IS_ZSTRING(t) ? sizeof(void *) : \
					    UE__F_LENGTH_OF(t)))

/* Returns the type of a constant array of N elements. */
#define UE__ARRAY_OF(element, n) \
	(((element) & 0xffffu) | UE__F_T_DATA | UE__F_T_CARRAY | UE__F_T_LENGTH(n) | \
	 ((n) > 65535 ? UE__F_T_BOUNDED : 0u))

/*
 * Each of these three macro families has one macro per class of types: NUMBER for a scalar, WORD
 * for a scalar or pointer, TEXT for a pointer to char, and ADDRESS for any other pointer.
 *
 *	UE__VARIABLE_class(in, name, variable)	the variable called NAME, converted to 64 bits by IN
 *	UE__IN_class(in, name, value)		VALUE of the field NAME, converted to 64 bits by IN
 *	UE__TYPE_OF_class(type, bits)		the type of the field
 *
 * In C, a number converts to a pointer with only a warning, and an enabled event would then crash
 * the program. These macros therefore check pointers. In C++, the value of a string may also be an
 * object with data() and size().
 */
#define UE__VARIABLE_WORD(in, name, x) in(x)
#define UE__IN_WORD(in, name, ...) in(__VA_ARGS__)
#define UE__TYPE_OF_WORD(type, bits) type
#define UE__TYPE_OF_NUMBER UE__TYPE_OF_WORD

#ifndef __cplusplus
#define UE__IN_NUMBER(in, name, ...) \
	(UE__REQUIRE(!UE__IS_TEXT((__VA_ARGS__)), "\"" name "\" is a pointer, not a number: use " \
		     "UE_STR(" name ") for text, UE_PTR(" name ") for an address"), \
	 in(__builtin_choose_expr(UE__IS_TEXT((__VA_ARGS__)), 0, (__VA_ARGS__))))
#define UE__VARIABLE_NUMBER UE__IN_NUMBER
/* In C these two are macros. The argument of UE_PTR() may be a pointer or a number. */
#define ue__in_PTR(value) ((uint64_t)(uintptr_t)(value))
/* The unary plus rejects a pointer. ue__element_count() treats a negative count as 0. */
#define ue__in_count(n) ((uint64_t)(+(n)))

#define UE__IN_TEXT(in, name, ...) \
	UE__CHECKED(UE__IS_TEXT((__VA_ARGS__)), \
		    "pointer to char: for a number, use UE_I32(" name ")", \
		    ue__bits_of_pointer, name, (__VA_ARGS__))
#define UE__IN_ADDRESS(in, name, ...) \
	UE__CHECKED(UE__IS_ADDRESS((__VA_ARGS__)), "pointer", in, name, (__VA_ARGS__))
/*
 * If the type of VALUE is wrong, replaces VALUE with NULL, so that the failed assertion is the only
 * error message.
 */
#define UE__CHECKED(is_right, what, in, name, value) \
	(UE__REQUIRE(is_right, "\"" name "\" is not a " what), in(UE__IF(is_right, value)))
#define UE__IF(is_right, value) __builtin_choose_expr(is_right, value, (char *)NULL)
#define UE__VARIABLE_TEXT UE__IN_TEXT
#define UE__VARIABLE_ADDRESS UE__IN_ADDRESS
#define UE__TYPE_OF_TEXT(type, bits) type
#define UE__TYPE_OF_ADDRESS(type, bits) type
#define UE__IS_ADDRESS(p) (__builtin_classify_type(UE__DECAYED(p)) == UE__POINTER_CLASS)
/* All three character types are accepted, because text is bytes. void * is accepted for NULL. */
#define UE__IS_TEXT(p) \
	UE__GENERIC(UE__DECAYED(p), \
		 char *: 1, unsigned char *: 1, signed char *: 1, void *: 1, \
		 const char *: 1, const unsigned char *: 1, const signed char *: 1, \
		 const void *: 1, default: 0)

/*
 * The site declares the C type T of a plain variable as ue__x_1. Three constants follow from T:
 *
 *	ue__a_1		whether T is an array
 *	ue__e_1		the type of its elements, or of the value
 *	ue__t_1		the field's type
 *
 * UE__OBJECT_OF(T) is an object of type T for unevaluated expressions. Its address is 8 and not 0,
 * because compilers warn about dereferencing NULL.
 */
#define UE__OBJECT_OF(T) (*(T *)8)
#define UE__DECAYED(x) ((void)0, x) /* converts an array to a pointer, drops qualifiers */
#define UE__I_SCALAR_TYPE(value, other) \
	UE__GENERIC(value, \
		 bool: UE__BOOL, char: UE__CHAR, \
		 signed char: UE__I8, unsigned char: UE__U8, \
		 short: UE__I16, unsigned short: UE__U16, \
		 int: UE__I32, unsigned int: UE__U32, \
		 long: UE__LONG, unsigned long: UE__ULONG, \
		 long long: UE__I64, unsigned long long: UE__U64, \
		 float: UE__F32, double: UE__F64, \
		 char *: UE__STR, const char *: UE__STR, \
		 default: other)

/*
 * Returns whether T is an array. The type of an array differs from the type of its value, which is
 * a pointer. With clang, an _Atomic type differs from the type of its value too.
 */
#define UE__VALUE_TYPE(T) __typeof__(UE__DECAYED(UE__OBJECT_OF(T)))
#ifdef __clang__
#define UE__IS_C_ARRAY(T) \
	(!__builtin_types_compatible_p(T, UE__VALUE_TYPE(T)) && \
	 !__builtin_types_compatible_p(T, _Atomic(UE__VALUE_TYPE(T))))
#else
#define UE__IS_C_ARRAY(T) !__builtin_types_compatible_p(T, UE__VALUE_TYPE(T))
#endif

/* Returns the type of an array's elements, or of a variable that is not an array. */
#define UE__ELEMENT_TYPE(T, is_array) \
	UE__I_SCALAR_TYPE(UE__DECAYED(*__builtin_choose_expr(is_array, UE__OBJECT_OF(T), (T *)8)), \
			!(is_array) && UE__IS_POINTER(T) ? UE__PTR : UE__I_T_NO_FIELD)
#define UE__IS_POINTER(T) (__builtin_classify_type(UE__NO_FLOAT(T)) == UE__POINTER_CLASS)
#define UE__POINTER_CLASS 5 /* pointer_type_class in GCC's typeclass.h, and the same in clang */
/* Replaces a float with 0, because -Wdouble-promotion would warn about it. */
#define UE__NO_FLOAT(T) UE__GENERIC(UE__OBJECT_OF(T), float: 0, default: UE__OBJECT_OF(T))

/*
 * Returns the field type for an array of SIZE bytes whose elements have type ELEMENT: text, array
 * of scalars, or UE__I_T_NO_FIELD.
 */
#define UE__ARRAY_TYPE(element, size) \
	((element) == UE__CHAR	    ? UE__CHARS_TYPE(size) : \
	 (element) & UE__F_T_DATA ? UE__I_T_NO_FIELD : \
				      UE__ARRAY_OF(element, (size) >> UE__F_LOG2_OF(element)))
#define UE__CHARS_TYPE(size) \
	(UE__STR | UE__F_T_LENGTH(size) | ((size) > 65535 ? 0u : UE__F_T_BOUNDED))

/* Operation UE__I_DECLARE (see "Lists") for a variable X. Declares the type of the field. */
#define UE__I_DECLARE_ue__i_bare(at, string, id, as, tag, x) \
	UE__CHECK_NAME(ue__is_named##at, id, UE__NO_NAME(string)) \
	typedef __typeof__(UE__GENERIC(0, default: x)) ue__x##at; /* fails if X is a type */ \
	UE__ENUM32 { \
		ue__a##at = UE__IS_C_ARRAY(ue__x##at), \
		ue__e##at = UE__ELEMENT_TYPE(ue__x##at, ue__a##at), \
		ue__t##at = UE__I_TYPE_AS##as( \
			ue__a##at ? UE__ARRAY_TYPE(ue__e##at, sizeof(ue__x##at)) : ue__e##at) \
	}; \
	UE__CHECK_VARIABLE(at, string)

/*
 * Returns the value of variable X as 64 bits. _Generic also compiles the branches that it does not
 * select, so each branch contains X only if its type fits. If a variable cannot be a field, an
 * assertion reports it, and its value is 0.
 */
#define UE__BITS(at, x) \
	UE__GENERIC(UE__DECAYED(UE__OBJECT_OF(ue__x##at)), \
		float: ue__in_F32, \
		double: ue__in_F64, \
		default: ue__in_U64)(UE__GENERIC(UE__DECAYED(UE__OBJECT_OF(ue__x##at)), \
			float: x, \
			double: x, \
			default: UE__INTEGER_BITS(at, x)))
#define UE__FIELD_VALUE(at, x) __builtin_choose_expr(ue__t##at == UE__I_T_NO_FIELD, 0, x)
#if __SIZEOF_POINTER__ == 8
#define UE__INTEGER_BITS(at, x) ((uint64_t)UE__FIELD_VALUE(at, x))
#else /* a 64-bit integer and a pointer need different casts */
#define UE__INTEGER_BITS(at, x) \
	((uint64_t)__builtin_choose_expr(sizeof(UE__VALUE_TYPE(ue__x##at)) == 8, \
					 UE__FIELD_VALUE(at, x), \
					 (uintptr_t)UE__FIELD_VALUE(at, x)))
#endif

#else /* C++ */

#define UE__VARIABLE_NUMBER UE__VARIABLE_WORD
#define UE__IN_NUMBER UE__IN_WORD
/* Rejects a pointer as the value of a numeric field. */
#define UE__NO_POINTER(name) \
	template <class ue__T> UE__I_FN uint64_t ue__in_##name(ue__T *) \
	{ \
		static_assert(!sizeof(ue__T *), "user_events.h: a pointer is not a number: use " \
						"UE_STR() for text, UE_PTR() for an address"); \
		return 0; \
	}
UE__NO_POINTER(U8) UE__NO_POINTER(U16) UE__NO_POINTER(U32) UE__NO_POINTER(U64)
UE__NO_POINTER(I8) UE__NO_POINTER(I16) UE__NO_POINTER(I32) UE__NO_POINTER(I64)
UE__NO_POINTER(X8) UE__NO_POINTER(X16) UE__NO_POINTER(X32) UE__NO_POINTER(X64)
UE__NO_POINTER(F32) UE__NO_POINTER(F64) UE__NO_POINTER(CHAR) UE__NO_POINTER(PID)
UE__NO_POINTER(ERRNO) UE__NO_POINTER(PORT) UE__NO_POINTER(TIME32) UE__NO_POINTER(TIME64)
#undef UE__NO_POINTER
UE__I_FN uint64_t ue__in_PTR(const volatile void *value) { return ue__bits_of_pointer(value); }
UE__I_FN uint64_t ue__in_PTR(uintptr_t value) { return value; }
template <class ue__T> UE__I_FN uint64_t ue__in_count(ue__T n) { return static_cast<uint64_t>(n); }
UE__I_FN uint64_t ue__pass(const uint64_t &value) { return value; }
UE__I_FN uint64_t ue__pass(const ue__i_span &value) { return (uint64_t)(uintptr_t)&value; }

/* Removes references and qualifiers from a type, and the qualifiers of an array's elements. */
template <class ue__T> struct ue__unqualified { typedef ue__T ue__i_type; };
template <class ue__T> struct ue__unqualified<ue__T &> : ue__unqualified<ue__T> {};
template <class ue__T> struct ue__unqualified<ue__T &&> : ue__unqualified<ue__T> {};
template <class ue__T> struct ue__unqualified<const ue__T> : ue__unqualified<ue__T> {};
template <class ue__T> struct ue__unqualified<volatile ue__T> : ue__unqualified<ue__T> {};
template <class ue__T> struct ue__unqualified<const volatile ue__T> : ue__unqualified<ue__T> {};

/*
 * Maps a C++ type to the type of a scalar field, and to the type of a string made of such units.
 * The latter is 0 if there is no such string type.
 */
template <uint32_t ue__Type, uint32_t ue__String> struct ue__types_of {
	static constexpr uint32_t ue__i_type = ue__Type;
	static constexpr uint32_t ue__string = ue__String;
};
template <class ue__T, bool ue__IsEnum = __is_enum(ue__T)>
struct ue__i_scalar : ue__types_of<0, 0> {};
template <class ue__T>
struct ue__i_scalar<ue__T, true>
	: ue__types_of<ue__i_scalar<__underlying_type(ue__T)>::ue__i_type, 0> {};
#define UE__SCALAR(cpp, type, string) \
	template <> struct ue__i_scalar<cpp, false> : ue__types_of<type, string> {};
UE__SCALAR(bool, UE__BOOL, 0)
UE__SCALAR(char, UE__CHAR, UE__STRN)
UE__SCALAR(signed char, UE__I8, 0)
UE__SCALAR(unsigned char, UE__U8, 0)
UE__SCALAR(short, UE__I16, 0)
UE__SCALAR(unsigned short, UE__U16, 0)
UE__SCALAR(int, UE__I32, 0)
UE__SCALAR(unsigned int, UE__U32, 0)
UE__SCALAR(long, UE__LONG, 0)
UE__SCALAR(unsigned long, UE__ULONG, 0)
UE__SCALAR(long long, UE__I64, 0)
UE__SCALAR(unsigned long long, UE__U64, 0)
UE__SCALAR(float, UE__F32, 0)
UE__SCALAR(double, UE__F64, 0)
UE__SCALAR(char16_t, UE__CHAR16, UE__STR16N)
UE__SCALAR(char32_t, UE__CHAR32, UE__STR32N)
UE__SCALAR(wchar_t, sizeof(wchar_t) == 2 ? UE__CHAR16 : UE__CHAR32,
	   sizeof(wchar_t) == 2 ? UE__STR16N : UE__STR32N)
#ifdef __cpp_char8_t
UE__SCALAR(char8_t, UE__CHAR, UE__STRN)
#endif

/* Returns the NUL-terminated form of a counted string's type. */
constexpr uint32_t ue__terminated(uint32_t counted)
{
	return counted == UE__STRN ? UE__STR : counted == UE__STR16N ? UE__STR16 : UE__STR32;
}

template <class ue__T> ue__T &&ue__declval();
template <class ue__T> struct ue__void { typedef void ue__i_type; }; /* std::void_t */

/*
 * ue__i_auto<T> describes a variable of type T as a field: ue__i_type is the field's type, and
 * ue__i_value() returns its value as 64 bits or as a ue__i_span. Variables that cannot be fields
 * also have a value, so that the assertion is the only error message.
 */
struct ue__no_field {
	static constexpr uint32_t ue__i_type = UE__I_T_NO_FIELD;
	template <class ue__T>
	UE__I_UNTRACED static uint64_t ue__i_value(const ue__T &) { return 0; }
};
template <class ue__T, uint32_t ue__Type> struct ue__scalar_value {
	static constexpr uint32_t ue__i_type = ue__Type;
	UE__I_UNTRACED static uint64_t ue__i_value(ue__T v) { return static_cast<uint64_t>(v); }
};
template <class ue__T> struct ue__scalar_value<ue__T, 0> : ue__no_field {};
template <class ue__T, class = void>
struct ue__auto : ue__scalar_value<ue__T, ue__i_scalar<ue__T>::ue__i_type> {};
#define UE__AUTO(cpp, type, value) \
	template <> struct ue__auto<cpp> { \
		static constexpr uint32_t ue__i_type = type; \
		UE__I_UNTRACED static uint64_t ue__i_value(cpp v) { return value; } \
	};
UE__AUTO(float, UE__F32, ue__bits_of_float(v))
UE__AUTO(double, UE__F64, ue__bits_of_double(v))
UE__AUTO(decltype(nullptr), UE__PTR, ((void)v, 0))
template <class ue__T> struct ue__auto<ue__T *> {
	typedef ue__i_scalar<typename ue__unqualified<ue__T>::ue__i_type> ue__unit;
	static constexpr uint32_t ue__i_type =
		ue__unit::ue__string ? ue__terminated(ue__unit::ue__string) : uint32_t(UE__PTR);
	UE__I_UNTRACED static uint64_t ue__i_value(ue__T *v) { return (uint64_t)(uintptr_t)v; }
};
template <class ue__T, size_t ue__N> struct ue__auto<ue__T[ue__N]> {
	typedef ue__i_scalar<ue__T> ue__unit;
	static constexpr uint32_t ue__i_type =
		!ue__unit::ue__i_type   ? UE__I_T_NO_FIELD :
		!ue__unit::ue__string ? UE__ARRAY_OF(ue__unit::ue__i_type, ue__N) :
		ue__terminated(ue__unit::ue__string) | UE__F_T_LENGTH(ue__N) |
			(ue__N > 65535 ? 0u : UE__F_T_BOUNDED);
	UE__I_UNTRACED static uint64_t ue__i_value(const volatile ue__T *v)
	{
		return ue__in_PTR(v);
	}
};
template <class ue__T> struct ue__is_text { static constexpr bool ue__value = false; };
template <> struct ue__is_text<char *> { static constexpr bool ue__value = true; };
template <> struct ue__is_text<const char *> { static constexpr bool ue__value = true; };
/* Any type with data() and size(): std::string, string_view, array, vector, span. */
template <class ue__T>
struct ue__auto<ue__T,
		typename ue__void<decltype(ue__declval<const ue__T &>().data(),
					   ue__declval<const ue__T &>().size())>::ue__i_type> {
	typedef decltype(*ue__declval<const ue__T &>().data()) ue__reference;
	typedef typename ue__unqualified<ue__reference>::ue__i_type ue__c;
	typedef ue__i_scalar<ue__c> ue__unit;
	static constexpr uint32_t ue__i_type =
		ue__is_text<ue__c>::ue__value ? UE__F_T_SPAN | UE__F_T_VARRAY | uint32_t(UE__STR) :
		!ue__unit::ue__i_type  ? UE__I_T_NO_FIELD :
		ue__unit::ue__string ? UE__F_T_SPAN | ue__unit::ue__string :
				       UE__F_T_SPAN | UE__F_T_VARRAY | UE__F_T_DATA |
					ue__unit::ue__i_type;
	UE__I_UNTRACED static ue__i_span ue__i_value(const ue__T &v)
	{
		return { static_cast<const void *>(v.data()), static_cast<size_t>(v.size()) };
	}
};

/*
 * For a type with a ue_field<T>, the field is the result of value(). ue__held contains this result
 * and its 64-bit value, or a span that refers to the result.
 */
template <class ue__T, class = void> struct ue__i_auto : ue__auto<ue__T> {};
template <class ue__T> struct ue__held {
	typedef decltype(ue_field<ue__T>::value(ue__declval<const ue__T &>())) ue__result;
	typedef ue__i_auto<typename ue__unqualified<ue__result>::ue__i_type> ue__as;
	ue__result ue__kept;
	decltype(ue__as::ue__i_value(ue__declval<ue__result &>())) ue__value;

	UE__I_UNTRACED explicit ue__held(const ue__T &v)
		: ue__kept(ue_field<ue__T>::value(v)), ue__value(ue__as::ue__i_value(ue__kept)) {}
	/*
	 * A short std::string stores its characters in the object itself, so the span must refer to
	 * the new object.
	 */
	UE__I_UNTRACED ue__held(ue__held &&from)
		: ue__kept(static_cast<ue__result &&>(from.ue__kept)),
		  ue__value(ue__as::ue__i_value(ue__kept)) {}
};
template <class ue__T>
struct ue__i_auto<ue__T, typename ue__void<decltype(ue_field<ue__T>::value(
				 ue__declval<const ue__T &>()))>::ue__i_type> {
	static constexpr uint32_t ue__i_type = ue__held<ue__T>::ue__as::ue__i_type;
	UE__I_UNTRACED static ue__held<ue__T> ue__i_value(const ue__T &v)
	{
		return ue__held<ue__T>(v);
	}
};
template <class ue__T> UE__I_FN uint64_t ue__pass(const ue__held<ue__T> &v)
{
	return ue__pass(v.ue__value);
}

/*
 * Overloads of ue__in_TYPE() for pointer types, in addition to the overload for char pointers:
 *
 *	- C++ strings with units of UNIT; none if UNIT is 0
 *	- pointers to signed or unsigned char, because text is bytes
 *	- any other type, which is a mistake: an assertion reports it where the value is used
 */
struct ue__mistake {};
template <bool ue__Is, class ue__T> struct ue__span_if {};
template <class ue__T> struct ue__span_if<true, ue__T> {
	typedef decltype(ue__i_auto<ue__T>::ue__i_value(ue__declval<const ue__T &>())) ue__i_type;
};
template <class ue__T> struct ue__byte {};
template <> struct ue__byte<signed char> { typedef uint64_t ue__bits; };
template <> struct ue__byte<unsigned char> { typedef uint64_t ue__bits; };
#define UE__STRING_OR_MISTAKE(name, unit) \
	template <class ue__T> \
	UE__I_FN typename ue__span_if<ue__i_auto<ue__T>::ue__i_type == \
				      (UE__F_T_SPAN | unit), ue__T>::ue__i_type \
	ue__in_##name(const ue__T &v) { return ue__i_auto<ue__T>::ue__i_value(v); } \
	template <class ue__T> UE__I_FN typename ue__byte<ue__T>::ue__bits \
	ue__in_##name(const ue__T *v) { return ue__bits_of_pointer(v); } \
	UE__I_FN ue__mistake ue__in_##name(...) { return {}; }
UE__STRING_OR_MISTAKE(STR, UE__STRN) UE__STRING_OR_MISTAKE(LATIN1, UE__STRN)
UE__STRING_OR_MISTAKE(XML, UE__STRN) UE__STRING_OR_MISTAKE(JSON, UE__STRN)
UE__STRING_OR_MISTAKE(STR16, UE__STR16N) UE__STRING_OR_MISTAKE(STR32, UE__STR32N)
UE__STRING_OR_MISTAKE(STRN, 0) UE__STRING_OR_MISTAKE(BYTES, 0) UE__STRING_OR_MISTAKE(UUID, 0)
UE__STRING_OR_MISTAKE(IPV4, 0) UE__STRING_OR_MISTAKE(IPV6, 0)

/* Maps the result type of ue__in_TYPE() to the type of the field. */
template <class ue__T, uint32_t ue__Type> struct ue__type_for {
	static constexpr uint32_t ue__i_type = ue__Type;
};
template <uint32_t ue__Type> struct ue__type_for<ue__i_span, ue__Type> {
	static constexpr uint32_t ue__i_type =
		(ue__Type & ~31u) | UE__F_T_SPAN | UE__F_RECORDED_KIND(ue__Type);
};
template <class ue__T, uint32_t ue__Type>
struct ue__type_for<ue__held<ue__T>, ue__Type> : ue__type_for<ue__i_span, ue__Type> {};
template <class ue__T> UE__I_FN uint64_t ue__pass(const ue__T &)
{
	static_assert(sizeof(ue__T) == 0, "user_events.h: the value is not a pointer, or not a "
					  "pointer to char for UE_STR() or UE_STRN()");
	return 0;
}
UE__I_FN uint64_t ue__pass_variable(uint64_t value) { return value; }
template <class ue__T> UE__I_FN uint64_t ue__pass_variable(const ue__T &)
{
	static_assert(sizeof(ue__T) == 0, "user_events.h: the variable is not a pointer to char; "
					  "for a std::string s, write s or UE_STR(name, s)");
	return 0;
}
#define UE__VARIABLE_TEXT(in, name, x) ue__pass_variable(in(x))
#define UE__IN_TEXT(in, name, ...) ue__pass(in(__VA_ARGS__))
#define UE__TYPE_OF_TEXT(type, bits) uint32_t(ue__type_for<decltype(bits), type>::ue__i_type)
#define UE__VARIABLE_ADDRESS UE__VARIABLE_TEXT
#define UE__IS_ADDRESS(p) true /* a non-pointer fails to convert in ue__bits_of_pointer() */
#define UE__IF(is_right, value) (value)
#define UE__IN_ADDRESS UE__IN_TEXT
#define UE__TYPE_OF_ADDRESS UE__TYPE_OF_TEXT

/*
 * Converts CONTAINER in UE_ARRAY(TYPE, name, container). Its elements must have the size of TYPE.
 */
template <uint32_t ue__Type, class ue__T>
UE__I_FN decltype(ue__i_auto<ue__T>::ue__i_value(ue__declval<const ue__T &>()))
ue__container_value(const ue__T &v)
{
	static_assert(!UE__F_IS_ZSTRING(ue__Type) && ue__i_auto<ue__T>::ue__i_type & UE__F_T_SPAN &&
			      UE__F_LOG2_OF(ue__i_auto<ue__T>::ue__i_type) ==
				      UE__F_LOG2_OF(ue__Type),
		      "user_events.h: not a container of elements of that size; a pointer needs a "
		      "length: write UE_ARRAY(I32, name, pointer, count) or UE_BYTES(name, "
		      "pointer, size)");
	return ue__i_auto<ue__T>::ue__i_value(v);
}

/* Operation UE__I_DECLARE (see "Lists") for a variable X. Declares the type of the field. */
#define UE__I_DECLARE_ue__i_bare(at, string, id, as, tag, x) \
	UE__CHECK_NAME(ue__is_named##at, id, UE__NO_NAME(string)) \
	typedef typename ue__unqualified<decltype(x)>::ue__i_type ue__x##at; \
	UE__ENUM32 { ue__t##at = UE__I_TYPE_AS##as(uint32_t(ue__i_auto<ue__x##at>::ue__i_type)) }; \
	UE__CHECK_VARIABLE(at, string)
#define UE__BITS(at, x) ue__pass(ue__i_auto<ue__x##at>::ue__i_value(x))
#endif

/* * ---- Items ---- */

/*
 * A field's macro, such as UE_U32(count), expands to a tuple. UE__ITEM() turns a tuple or a
 * variable into an item: class(position, ...). The elements of the tuple are
 *
 *	class		see below
 *	ue__i_field	the mark that distinguishes a tuple from a parenthesised expression, (x)
 *	string		the field's name as a literal
 *	id		"name;"; the name must be an identifier
 *	as		empty, or _ue__format(F) of UE_AS()
 *	tag		empty, or _ue__is(T) of UE_TAGGED()
 *
 * followed by the elements of the class:
 *
 *	ue__i_bare	x					a variable
 *	ue__i_value	type, C type, name, value		one value; also fixed arrays
 *	ue__i_pair	type, C type, name, pointer, count	two values
 *	ue__i_struct	members					their number; they follow
 *	ue__i_option	valid, part, members			of the header, see UE__OPTION()
 *	ue__i_activity	id, related
 *	ue__i_implicit	like ue__i_value, but a function passes the value, not the site
 *
 * These three mistakes are converted to a field with a failing assertion:
 *
 *	- two commas with nothing between them
 *	- a missing comma: UE_U32(a) UE_U32(b) leaves tokens after the tuple
 *	- a macro in place of a variable, if its expansion has parentheses, such as errno
 *
 * This is how a variable and a tuple become items:
 *
 *	UE__ITEM(_1, items)
 *	  UE__BY_MARK_(UE__ITEM, _1, items, UE__MARK_OF items, ue__none, items, ~, ...)
 *	  MARK is ue__none, REST is items: UE__ITEM_ue__none1
 *
 *	UE__ITEM(_1, (C, ue__i_field, "n", ...))
 *	  UE__BY_MARK_(UE__ITEM, _1, (...), ~, ue__i_field, , ue__none, (...), ~, C, ue__i_field)
 *	  MARK is ue__i_field, REST is empty: UE__ITEM_ue__i_field; a, b, c skip ue__none, (...), ~
 *
 * If a comma is missing after a tuple, REST is the text after the tuple: UE__ITEM_ue__i_field1.
 * Without __VA_OPT__, UE__NOT_EMPTY() is empty, and compilers report the first two mistakes with
 * their own messages.
 */
#define UE__ITEM(at, x) UE__BY_MARK(UE__ITEM, at, x, UE__MARK_OF x, ue__none, x, ~, UE__I_UNPACK x)
#define UE__ITEM_ue__none1(at, x, ...) ue__i_bare(at, #x, #x ";", , , x)
#define UE__ITEM_ue__i_field(at, x, rest, a, b, c, class, mark, ...) class(at, __VA_ARGS__)
#define UE__ITEM_ue__i_field1(at, x, rest, a, b, c, class, mark, string, ...) \
	UE__NO_ITEM(at, "a comma is missing after the field \"" string "\"")
#define UE__NO_ITEM(at, message) \
	ue__i_value(at, "", "none;", , , UE__U8, ue__c_U8, ue__none##at, UE__MISTAKE(message))
/*
 * Calls op_MARK, or op_MARK1 if REST is not empty. REST is the text after a tuple, or a variable.
 */
#define UE__BY_MARK(...) UE__BY_MARK_(__VA_ARGS__)
#define UE__BY_MARK_(op, at, x, paren, mark, rest, ...) \
	UE__I_CAT(op##_##mark, UE__NOT_EMPTY(rest))(at, x, rest, __VA_ARGS__)
/*
 * If X is in parentheses or begins with a cast, "UE__MARK_OF X" expands to a call of the macro.
 * Returns the mark of the tuple X, or ue__none for a cast.
 */
#define UE__MARK_OF(...) UE__MARK_OF_(__VA_ARGS__, ue__none, ~)
#define UE__MARK_OF_(class, mark, ...) ~, mark,
/* Some compilers warn about __VA_OPT__ in older standards, but not in a system header. */
#if !defined(UE__I_NO_SYSTEM_HEADER) && (defined(__clang__) ? __clang_major__ >= 12 : __GNUC__ >= 8)
#define UE__NOT_EMPTY(...) __VA_OPT__(1)
#define UE__ITEM_ue__none(at, x, ...) UE__I_CAT(UE__ITEM_NO, UE__NOT_EMPTY(x))(at, x)
#define UE__ITEM_NO(at, x) UE__NO_ITEM(at, "a field is missing between two commas or at the end")
#define UE__ITEM_NO1(at, x) \
	ue__i_value(at, #x, #x ";", , , UE__U8, ue__c_U8, ue__none##at, UE__TO_U64(0))
#else
#define UE__NOT_EMPTY(...)
#define UE__ITEM_ue__none UE__ITEM_ue__none1
#endif

/* Expands to a field's tuple. UE_AS() and UE_TAGGED() fill the two empty elements. */
#define UE__FIELD(class, string, id, ...) (class, ue__i_field, string, id, , , __VA_ARGS__)
/* Distinguishes (name) from (name, value). The value may contain commas. */
#define UE__VALUE(...) UE__VALUE_BY(__VA_ARGS__, UE__VALUE_ALONE, ~)
#define UE__VALUE_BY(name, second, ...) UE__I_SECOND_OF(second, UE__VALUE_OF, ~)
#define UE__VALUE_ALONE ~, UE__VALUE_OF_NAME
#define UE__VALUE_OF_NAME(type, what, text, name) \
	UE__FIELD(ue__i_value, text, text ";", UE__##type, ue__c_##type, name, \
	 UE__VARIABLE_##what(ue__in_##type, text, name))
#define UE__VALUE_OF(type, what, text, name, ...) \
	UE__FIELD(ue__i_value, #name, #name ";", \
	 UE__TYPE_OF_##what(UE__##type, ue__in_##type(__VA_ARGS__)), ue__c_##type, name, \
	 UE__IN_##what(ue__in_##type, #name, __VA_ARGS__))
#define UE__MISTAKE_FIELD(name, message) \
	UE__FIELD(ue__i_value, #name, #name ";", UE__U8, ue__c_U8, name, UE__MISTAKE(message))

/*
 * Accepts (name), for the variables NAME and NAME_count, or (name, pointer, count). IN checks the
 * pointer.
 */
#define UE__COUNTED(type, ctype, in, ...) \
	UE__I_CAT(UE__COUNTED_, UE__I_COUNT(__VA_ARGS__))(type, ctype, in, __VA_ARGS__)
#define UE__COUNTED_0(type, ctype, in, name) \
	UE__FIELD(ue__i_pair, #name, #name ";", type, ctype, name, in(type, #name, name), \
	 name##_count)
#ifdef __cplusplus
#define UE__COUNTED_1(type, ctype, in, name, container) \
	UE__FIELD(ue__i_value, #name, #name ";", UE__F_T_SPAN | (type), ctype, name, \
	 ue__pass(ue__container_value<uint32_t(type)>(container)))
#else
#define UE__COUNTED_1(type, ctype, in, name, p) \
	UE__MISTAKE_FIELD(name, "a pointer needs a length: write " \
			  "UE_ARRAY(I32, name, pointer, count) or UE_BYTES(name, pointer, size)")
#endif
#define UE__COUNTED_2(type, ctype, in, name, p, ...) \
	UE__FIELD(ue__i_pair, #name, #name ";", type, ctype, name, in(type, #name, p), \
	 __VA_ARGS__)
#define UE__COUNTED_3 UE__COUNTED_2 /* the count contains a comma */
#define UE__CHARS(type, name, p) UE__IN_TEXT(ue__in_STRN, name, p)
#define UE__ANY_BYTES(type, name, p) UE__IN_ADDRESS(ue__in_BYTES, name, p)

/* TUPLE is UE_TYPE(~). If TYPE is valid, the macro UE_TYPE exists and expands to a tuple. */
#define UE__ARRAY(type, ctype, tuple, ...) \
	UE__I_CAT(UE__ARRAY_, UE__I_IS_PAREN(tuple))(type, ctype, __VA_ARGS__)
#define UE__ARRAY_1(type, ctype, ...) \
	UE__COUNTED(type | UE__F_T_DATA | UE__F_T_VARRAY, ctype const *, UE__ELEMENTS, __VA_ARGS__)
#define UE__ARRAY_0(type, ctype, name, ...) \
	UE__MISTAKE_FIELD(name, "the type of an array is I32, U8, STR or another type " \
			  "without UE_: write UE_ARRAY(I32, name, pointer, count)")

/* Accepts (name, n) or (name, pointer, n), where N is the number of elements. */
#define UE__FIXED_ARRAY(type, ctype, tuple, ...) \
	UE__I_CAT(UE__FIXED_ARRAY_, UE__I_IS_PAREN(tuple))(type, ctype, __VA_ARGS__)
#define UE__FIXED_ARRAY_0 UE__ARRAY_0
#define UE__FIXED_ARRAY_1(type, ctype, ...) \
	UE__I_CAT(UE__FIXED_, UE__I_COUNT(__VA_ARGS__))(type, ctype, __VA_ARGS__)
#define UE__FIXED_1(type, ctype, name, n) UE__FIXED_2(type, ctype, name, name, n)
#define UE__FIXED_2(type, ctype, name, p, n) \
	UE__FIELD(ue__i_value, #name, #name ";", \
	 ((type)&0xffffu) | UE__F_T_DATA | UE__F_T_CARRAY | UE__F_T_LENGTH(n), \
	 ctype const *, name, \
	 (UE__REQUIRE((n) > 0 && (n) <= (UE__F_IS_ZSTRING(type) ? UE__MOST_STRINGS : 65535u), \
		      "a fixed array has 1 to 65535 elements, or 1 to 64 strings"), \
	  UE__ELEMENTS(type, #name, p)))

/*
 * The members of a struct follow it in the list, including the members of nested structs. The
 * number of its own members is therefore the length of this part of the list, minus the members of
 * the nested structs:
 *
 *	UE_STRUCT(s, a, UE_STRUCT(t, b, c))	s a t b c	4 - 2 = 2 members of s: a and t
 *
 * An event option must not be a member of a struct. If one is, UE__IN_NO_STRUCT makes the number of
 * members negative, so that an assertion fails.
 */
#define UE__NO_MEMBER -1
#define UE__IN_NO_STRUCT -1000
#define UE__STRUCT_FIELD(n, ...) UE__I_CAT(UE__STRUCT_EMPTY_, UE__IS_0(n))(n, __VA_ARGS__)
#define UE__STRUCT_EMPTY_1(n, name) UE__FIELD(ue__i_struct, #name, #name ";", 0)
#define UE__STRUCT_EMPTY_0(n, name, ...) \
	UE__FIELD(ue__i_struct, #name, #name ";", UE__MEMBERS(n, ~, __VA_ARGS__)), __VA_ARGS__
#define UE__MEMBERS(n, ...) UE__MEMBERS_(n, __VA_ARGS__)
#define UE__MEMBERS_(n, ...) (n UE__WALK(n, UE__NESTED, UE__I_ITEMS_##n(_, __VA_ARGS__)))
#define UE__NESTED_ue__i_bare(...)
#define UE__NESTED_ue__i_value(...)
#define UE__NESTED_ue__i_pair(...)
#define UE__NESTED_ue__i_struct(at, string, id, as, tag, members) -members
#define UE__NESTED_ue__i_option(at, string, id, as, tag, valid, part, members) members
#define UE__NESTED_ue__i_activity(...) UE__IN_NO_STRUCT
#define UE__NESTED_ue__i_implicit(...)

/* UE_AS, UE_TAGGED and UE_NAMED change the first tuple. Members of a struct may follow it. */
#define UE__WITH(how, n, what, ...) UE__I_CAT(UE__WITH_ONE_, UE__IS_0(n))(how, what, __VA_ARGS__)
#define UE__WITH_ONE_1(how, what, x) \
	UE__WITH_(how, what, UE__BY_MARK(UE__TUPLE, ~, x, UE__MARK_OF x, ue__none, , ~, ~))
#define UE__WITH_ONE_0(how, what, x, ...) UE__WITH_ONE_1(how, what, x), __VA_ARGS__
#define UE__TUPLE_ue__none(at, x, ...) UE__FIELD(ue__i_bare, #x, #x ";", x)
#define UE__TUPLE_ue__i_field(at, x, ...) x
#define UE__TUPLE_ue__i_field1(at, x, ...) UE__MISTAKE_FIELD(x, "a comma is missing between fields")
#define UE__WITH_(how, what, tuple) UE__WITH__(how, what, UE__I_UNPACK tuple)
#define UE__WITH__(how, ...) how(__VA_ARGS__)
#define UE__TAGGED(what, class, mark, string, id, as, tag, ...) \
	(class, mark, string, id, as, _ue__is(what), __VA_ARGS__)
#define UE__AS(what, class, mark, string, id, as, tag, ...) \
	(class, mark, string, id, _ue__format(what), tag, __VA_ARGS__)
#define UE__NAMED(what, class, mark, string, id, ...) (class, mark, what, "", __VA_ARGS__)

/*
 * An event option consists of a validity check, a part of the event header, and a contribution to
 * the number of members. The sum of the parts of all options has 64 bits: id, version << 16, opcode
 * << 24, tag << 32, and from bit 48 four 4-bit counters. They count ids, opcodes, tags and
 * activities, to detect an option that is given twice.
 */
#define UE__OPTION(valid, part) UE__FIELD(ue__i_option, "", "", valid, (part), UE__IN_NO_STRUCT)
#define UE__OPTION_ID(id, version) \
	UE__OPTION((id) <= 65535 && (version) <= ((id) ? 255 : 0), \
		   ((id)&65535) | ((version)&255) << 16 | UE__ONE_ID)
#define UE__ONE_ID (UE__TO_U64(1) << 48)
#define UE__ONE_OPCODE (UE__TO_U64(1) << 52)
#define UE__ONE_TAG (UE__TO_U64(1) << 56)
#define UE__ONE_ACTIVITY (UE__TO_U64(1) << 60)
#define UE__DUPLICATE_BITS (UE__TO_U64(0xeeee) << 48) /* counters of 2 or more */
#define UE__ACTIVITY(id, related, ...) \
	UE__FIELD(ue__i_activity, "", "", ue__bits_of_pointer(id), ue__bits_of_pointer(related))

/*
 * UE_TRACE and UE_LOG share the following operations. Each operation has a macro for each class.
 *
 * Operation UE__I_DECLARE declares the field's type as a constant. Its macro for variables is in
 * "Values", because C and C++ differ.
 */
#ifdef __cplusplus
#define UE__ENUM32 enum : uint32_t
#define UE__ENUM64 enum : uint64_t
#else
#define UE__ENUM32 __extension__ enum
#define UE__ENUM64 __extension__ enum
#endif
#define UE__I_TYPE_AS(t) t
/*
 * The expansion ends in the name of the macro UE__WITHOUT_FORMAT. The argument of that macro
 * follows UE__I_TYPE_AS##as.
 */
#define UE__I_TYPE_AS_ue__format(what) UE__TO_U32((what)&31) << 5 | UE__WITHOUT_FORMAT
#define UE__WITHOUT_FORMAT(t) ((t) & ~UE__F_T_FORMATS)
#define UE__I_DECLARE_ue__i_value(at, string, id, as, tag, type, ...) \
	UE__CHECK_NAME(ue__is_named##at, id, UE__NO_NAME(string)) \
	UE__ENUM32 { ue__t##at = UE__I_TYPE_AS##as(type) };
#define UE__I_DECLARE_ue__i_pair UE__I_DECLARE_ue__i_value
#define UE__I_DECLARE_ue__i_struct(at, string, id, ...) \
	UE__CHECK_NAME(ue__is_named##at, id, UE__NO_NAME(string))
#define UE__I_DECLARE_ue__i_option(...)
#define UE__I_DECLARE_ue__i_activity(...)
#define UE__I_DECLARE_ue__i_implicit UE__I_DECLARE_ue__i_value

#define UE__CHECK_VARIABLE(at, string) \
	UE__I_STATIC_ASSERT(sizeof(string) == 1 || /* user_events_sdt.h checks its arguments */ \
		UE__TO_U32(ue__t##at) != UE__I_T_NO_FIELD, "user_events.h: field \"" \
		string "\" is not a number, string, pointer or array of numbers: name " \
		"a type and a value, such as UE_I32(" string ", " string ".member), or " \
		"UE_ARRAY(I32, " string ", pointer, count)" UE__OR_TRAIT);
#ifdef __cplusplus
#define UE__OR_TRAIT "; or specialise ue_field<T>, as user_events_cpp.h does for std:: types"
#else
#define UE__OR_TRAIT ""
#endif

/*
 * Operation UE__ID expands to "field;", for checks and for kernel-typed events. For UE_NAMED, the
 * string is empty.
 */
#define UE__ID_ue__i_bare(at, string, id, ...) id
#define UE__ID_ue__i_value UE__ID_ue__i_bare
#define UE__ID_ue__i_pair UE__ID_ue__i_bare
#define UE__ID_ue__i_struct UE__ID_ue__i_bare
#define UE__ID_ue__i_option(...)
#define UE__ID_ue__i_activity(...)
#define UE__ID_ue__i_implicit(...)

/* Operation UE__ENTRY expands to the types of the values, for the descriptor. */
#define UE__ENTRY_ue__i_bare(at, ...) UE__TO_U32(ue__t##at),
#define UE__ENTRY_ue__i_value UE__ENTRY_ue__i_bare
#define UE__ENTRY_ue__i_pair UE__ENTRY_ue__i_bare
#define UE__ENTRY_ue__i_struct(...)
#define UE__ENTRY_ue__i_option(...)
#define UE__ENTRY_ue__i_activity(...)
#define UE__ENTRY_ue__i_implicit UE__ENTRY_ue__i_bare

/*
 * Operation UE__SUM adds up, in one 64-bit constant:
 *
 *	bit 0	number of values
 *	bit 16	number of struct ue__piece; for an array of strings, the maximum plus 1
 *	bit 32	bytes of scalars and locs of a kernel-typed event
 *	bit 48	minimum number of bytes of the types in the text that registers the event, such as
 *		"u8", "char[1]" or "__rel_loc u8[]", with a blank and a separator for each
 */
#define UE__SUM_OF(t) \
	+(UE__TO_U64(((t) & UE__F_T_DATA ? (t) & UE__F_T_CARRAY ? 7 : 14 : 2) + 2) << 48) \
	+((UE__IS_ARRAY(t) && UE__F_KIND_OF(t) > UE__KIND_VALUE128 ? \
		   UE__MOST_STRINGS + 1 : 1) << 16) \
	+(UE__TO_U64(((t) & (UE__F_T_DATA | UE__F_T_POINTER | UE__F_T_CARRAY)) == UE__F_T_DATA ? \
		     4 : UE__F_LENGTH_OF(t)) << 32)
#define UE__SUM_ue__i_bare UE__SUM_ue__i_value
#define UE__SUM_ue__i_value(at, ...) +1u UE__SUM_OF(ue__t##at)
#define UE__SUM_ue__i_pair(at, ...) +2u UE__SUM_OF(ue__t##at)
#define UE__SUM_ue__i_struct(...)
#define UE__SUM_ue__i_option(...)
#define UE__SUM_ue__i_activity(...) +2u
#define UE__SUM_ue__i_implicit(at, ...) \
	UE__SUM_ue__i_value(at, ) + (UE__F_IS_PAIR(UE__TO_U32(ue__t##at)) ? 1u : 0u)

/*
 * Operation UE__EVALUATE assigns the values to ue__v... and ue__n..., in order. The assignments
 * are one expression, so that C++ temporaries in the values live until the event is written.
 */
#define UE__EVALUATE_ue__i_bare(at, string, id, as, tag, x) ue__v##at = UE__BITS(at, x),
#define UE__EVALUATE_ue__i_value(at, string, id, as, tag, type, ctype, name, ...) \
	ue__v##at = __VA_ARGS__,
#define UE__EVALUATE_ue__i_pair(at, string, id, as, tag, type, ctype, name, p, ...) \
	ue__v##at = p, ue__n##at = ue__in_count((__VA_ARGS__)),
#define UE__EVALUATE_ue__i_struct(...)
#define UE__EVALUATE_ue__i_option(...)
#define UE__EVALUATE_ue__i_activity(at, string, id, as, tag, own, related) \
	ue__i_activity = own, ue__related = related,
#define UE__EVALUATE_ue__i_implicit(...)

/*
 * Operation UE__I_PASS expands to the variables that contain the values. Its callers add the two
 * values of an activity.
 */
#define UE__I_PASS_ue__i_bare(at, ...) , ue__v##at
#define UE__I_PASS_ue__i_value UE__I_PASS_ue__i_bare
#define UE__I_PASS_ue__i_pair(at, ...) , ue__v##at, ue__n##at
#define UE__I_PASS_ue__i_struct(...)
#define UE__I_PASS_ue__i_option(...)
#define UE__I_PASS_ue__i_activity(...)
#define UE__I_PASS_ue__i_implicit(...)

/*
 * Operation UE__ACTIVE marks an activity. UE__I_IF_ACTIVITY(n, items...)(x) expands to x if the
 * items contain an activity, else to nothing. UE_LOG(set, "Sold", UE_ACTIVITY(id), price) thus
 * passes ", ue__i_activity, ue__related".
 */
#define UE__I_IF_ACTIVITY(n, ...) \
	UE__I_SECOND_OF(~UE__I_EACH_##n(UE__ACTIVE, __VA_ARGS__), UE__NOTHING, ~)
#define UE__NOTHING(...)
#define UE__PASS_ACTIVITY(n, ...) UE__I_IF_ACTIVITY(n, __VA_ARGS__)(, ue__i_activity, ue__related)
#define UE__ACTIVE_ue__i_bare(...)
#define UE__ACTIVE_ue__i_value(...)
#define UE__ACTIVE_ue__i_pair(...)
#define UE__ACTIVE_ue__i_struct(...)
#define UE__ACTIVE_ue__i_option(...)
#define UE__ACTIVE_ue__i_activity(...) , UE__I_UNPACK
#define UE__ACTIVE_ue__i_implicit(...)

/*
 * Declares VARIABLES (a list with a comma before each name), evaluates VALUES, and runs the
 * statements.
 */
#define UE__RUN_WITH(variables, values, ...) \
	uint64_t ue__none __attribute__((__unused__)) variables; \
	values __extension__({ __VA_ARGS__ });
/* Evaluates the values of the items, and runs the statements, which are in parentheses. */
#define UE__I_RUN(n, statements, ...) \
	UE__RUN_WITH(UE__I_EACH_##n(UE__I_PASS, __VA_ARGS__), \
		     UE__I_EACH_##n(UE__EVALUATE, __VA_ARGS__), UE__I_UNPACK statements)

/* Expand to the type and the value of the field at a position. */
#define UE__I_TYPE_AT(at) ue__t##at
#define UE__I_VALUE_AT(at) ue__v##at

/* * ---- Checks ---- */

/*
 * These checks report mistakes at compile time. Each mistake has its own assertion, which comes
 * before all other code of a field, so that its message is the first.
 *
 * UE__CHECK_NAME(constant, "name;", message) asserts that a name is an identifier. A field's name
 * is not an identifier if the field is an expression, or a macro that expands to an expression.
 */
#define UE__NO_NAME(string) \
	"user_events.h: field \"" string "\" is not a variable: an expression or macro needs a " \
	"type and a name, such as UE_I32(name, " string "); types: UE_U8 to 64, UE_I8 to 64, " \
	"UE_F32, UE_F64, UE_BOOL, UE_STR, UE_BYTES, UE_ARRAY"
#define UE__NO_EVENT_NAME(string) \
	"user_events.h: \"" string "\" cannot name an event: write UE_TRACE(name, fields...) " \
	"with an identifier, without quotes"
#ifdef __cplusplus
/* Returns true if S is an identifier followed by a semicolon. */
constexpr bool ue__is_name(const char *s, bool first = true)
{
	return (*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') || *s == '_' ||
	       (!first && *s >= '0' && *s <= '9') ? ue__is_name(s + 1, false) :
						    !first && *s == ';';
}
#define UE__CHECK_NAME(constant, name, message) \
	static_assert(sizeof(name) == 1 || ue__is_name(name), message);
#elif defined(__clang__)
/*
 * clang evaluates strchr() and memcmp() in constant expressions, but not strspn(). The check
 * therefore covers only the most frequent wrong characters. For example, UE_TRACE(event, a+b)
 * passes the check, and then the registration of the event fails.
 */
#define UE__HAS(name, c) __builtin_strchr(name, c)
#define UE__CHECK_NAME(constant, name, message) \
	__extension__ enum { constant = \
		!UE__HAS(name, ' ') && !UE__HAS(name, '.') && !UE__HAS(name, '>') && \
		!UE__HAS(name, '(') && !UE__HAS(name, '[') && !UE__HAS(name, '"') && \
		!UE__HAS(name, '-') && !UE__HAS(name, '*') && !UE__HAS(name, '&') && \
		!UE__HAS(name, '!') && \
		(sizeof(name) == 1 || __builtin_memcmp(name, "@", 1) > 0) }; \
	__extension__ _Static_assert(constant, message);
#else
#define UE__NAME_CHARS "_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define UE__CHECK_NAME(constant, name, message) \
	__extension__ _Static_assert( \
		sizeof(name) == 1 || \
		(__builtin_strspn(name, UE__NAME_CHARS) == sizeof(name) - 2 && \
		 __builtin_strspn(name, ";0123456789") == 0), message);
#endif
/* Asserts that a macro is used outside of functions. Clang before 9 lacks __builtin_FUNCTION(). */
#if defined(__clang__) && __clang_major__ < 9
#define UE__CHECK_OUTSIDE(what)
#else
#define UE__CHECK_OUTSIDE(what) \
	UE__I_STATIC_ASSERT(__extension__(__builtin_strlen(__builtin_FUNCTION()) == 0), \
			  "user_events.h: " what " must be outside of functions");
#endif

/*
 * Two operations check fields. UE__CARRIED checks the fields of a kernel-typed event, and UE__CHECK
 * the fields of an EventHeader event. Both check the arguments of UE_AS() and UE_TAGGED().
 *
 * Operation UE__CARRIED: the kernel has types for integers, strings, bytes, and arrays of integers.
 * It has no type for floats, structs, arrays of strings, or arrays of 16-byte elements. Its only
 * fixed arrays are char[N] and unsigned char[N].
 */
#define UE__I_IS_CARRIED(t) \
	(!UE__IS_FLOAT(t) && \
	 (!((t) & UE__F_T_CARRAY) || UE__IS_BYTES(t)) && \
	 (!((t) & UE__F_T_VARRAY) || UE__IS_LIST_OF_SCALARS(t)))
#define UE__IS_FLOAT(t) (UE__F_FORMAT_OF(t) == UE_FORMAT_FLOAT)
/* 1024 is the kernel's MAX_FIELD_ARRAY_SIZE. */
#define UE__IS_BYTES(t) \
	(UE__F_LENGTH_OF(t) <= 1024 && (UE__KIND_AND_FORMAT(t) == UE__KIND_AND_FORMAT(UE__U8) || \
				      UE__KIND_AND_FORMAT(t) == UE__KIND_AND_FORMAT(UE__CHAR)))
#define UE__KIND_AND_FORMAT(t) ((t) & 0x3ffu)
#define UE__IS_LIST_OF_SCALARS(t) \
	(!((t) & UE__F_T_POINTER) && UE__F_KIND_OF(t) <= UE__KIND_VALUE128)
#define UE__CARRIED_ue__i_bare(at, string, id, as, tag, ...) \
	UE__CHECK_AS##as UE__CHECK_TAG##tag \
	enum { ue__carried##at = UE__I_IS_CARRIED(ue__t##at) && sizeof(id) > 1 }; \
	UE__I_STATIC_ASSERT(ue__carried##at, "user_events.h: field \"" string "\": " \
		"UE_TRACE does not support floats, UE_NAMED, or arrays except 1 to 1024 " \
		"bytes: use UE_LOG, UE_I32(name, value) or UE_ARRAY(I32, name, pointer, count)");
#define UE__CARRIED_ue__i_value UE__CARRIED_ue__i_bare
#define UE__CARRIED_ue__i_pair UE__CARRIED_ue__i_bare
#define UE__CARRIED_ue__i_struct(at, string, ...) \
	UE__I_STATIC_ASSERT(0, "user_events.h: field \"" string "\": UE_TRACE does " \
			       "not support UE_STRUCT: use UE_LOG");
#define UE__CARRIED_ue__i_option(at, string, id, as, tag, valid, part, ...) \
	UE__I_STATIC_ASSERT((part) == 0, "user_events.h: UE_ID, UE_OPCODE, UE_TAG and " \
					 "UE_ACTIVITY are options of UE_LOG");
#define UE__CARRIED_ue__i_activity(at, string, id, as, tag, ...) \
	UE__CARRIED_ue__i_option(at, string, id, as, tag, true, 1)

/*
 * Operation UE__ONCE declares a struct member for each plain variable, so an event with the same
 * variable twice does not compile. The names of other fields may be macros, so they are not checked
 * here. Registration detects duplicates among them.
 */
#define UE__ONCE_ue__i_bare(at, string, id, as, tag, x) char x;
#define UE__ONCE_ue__i_value(...)
#define UE__ONCE_ue__i_pair(...)
#define UE__ONCE_ue__i_struct(...)
#define UE__ONCE_ue__i_option(...)
#define UE__ONCE_ue__i_activity(...)

/*
 * Operation UE__CHECK: an EventHeader event supports all types. Option arguments must be in range.
 */
#define UE__CHECK_ue__i_bare(at, string, id, as, tag, ...) UE__CHECK_AS##as UE__CHECK_TAG##tag
#define UE__CHECK_ue__i_value UE__CHECK_ue__i_bare
#define UE__CHECK_ue__i_pair UE__CHECK_ue__i_bare
#define UE__CHECK_ue__i_struct(at, string, id, as, tag, members) \
	UE__CHECK_TAG##tag \
	UE__I_STATIC_ASSERT(members > 0 && members < 64, "user_events.h: struct \"" string \
			  "\" needs 1 to 63 members, none of them an option of the event"); \
	UE__I_STATIC_ASSERT(sizeof(#as) == 1, "user_events.h: UE_AS() of struct \"" string \
			  "\": only the members of a struct have a format");
#define UE__CHECK_ue__i_option(at, string, id, as, tag, valid, ...) \
	UE__I_STATIC_ASSERT(valid, "user_events.h: UE_ID() takes 1 to 65535 and a version " \
				 "from 0 to 255, UE_OPCODE() up to 255, UE_TAG() up to 65535");
#define UE__CHECK_ue__i_activity(...)
#define UE__CHECK_ue__i_implicit(...)
#define UE__CHECK_AS
#define UE__CHECK_AS_ue__format(what) \
	UE__I_STATIC_ASSERT(UE__TO_U64(what) <= UE_FORMAT_IP, \
			  "user_events.h: UE_AS() takes a UE_FORMAT_... constant");
#define UE__CHECK_TAG
#define UE__CHECK_TAG_ue__is(what) \
	UE__I_STATIC_ASSERT(UE__TO_U64(what) <= 65535, \
			  "user_events.h: UE_TAGGED() takes a 16-bit tag");

/* * ---- The site ---- */

/*
 * A site consists of constant data that describe it, and a test. The code after the test evaluates
 * the values, executes a nop for uprobes, and calls one function. An asm statement of the site adds
 * to the object file:
 *
 *	.note.stapsdt	the addresses of the nop and of the values, in the format of <sys/sdt.h>.
 *			The probe's semaphore is the upper half of the event's enable word, where
 *			the kernel counts the attached uprobes.
 *	.note.user_events  for tools: the addresses of nop, descriptor and event (docs/reference.md)
 *	ue_events_v1	the event's address, for ue__list_sites()
 *
 * The assembler writes these sections, because GCC ignores section attributes of data in C++
 * templates. A USDT probe has the first twelve values, the limit of <sys/sdt.h> and its readers.
 *
 * clang-tidy and clang's static analyzer, which define __clang_analyzer__, see only the test and
 * the values. Otherwise they would count the checks and the constants of a site as code of the
 * function, for example in readability-function-cognitive-complexity.
 */

/*
 * Moves the code after the test of a site out of the hot path: GCC treats a path with a call of a
 * cold function as unlikely. The function is static in C++ too, so that GCC knows which registers
 * the call preserves.
 */
#if defined(__clang__) || defined(UE_DISABLE)
#define UE__I_COLD_SITE ((void)0)
#else
static inline UE__I_UNTRACED __attribute__((__noinline__, __cold__)) void ue__cold(void)
{
	__asm__ volatile("");
}
#define UE__I_COLD_SITE ue__cold()
#endif

#define UE__I_DESC(variant, level, n, sum, size) \
	{ variant, level, UE__TO_U16(n), UE__TO_U16((sum) & 0xffffu), \
	  UE__TO_U16((sum) >> 16 & 0xffffu), UE__TO_U16(size), 0 }
/* Returns the struct at the head of a descriptor. */
#define UE__I_HEAD_OF(desc) (&(desc).ue__head)
#define UE__I_EVENT_INIT(desc, level) \
	{ 0, 0, desc, UE__I_NULL, /* fd */ 0, /* serial */ 0, level, /* state */ 0 }
/* Rounds BYTES up to a multiple of N, so that a descriptor has no trailing padding (-Wpadded). */
#define UE__ROUND_UP(bytes, n) (((bytes) + (n) - 1) / (n) * (n))

#if defined(UE_DISABLE) || defined(__clang_analyzer__)
/* Type-checks the values of a site that is compiled out. */
UE__I_FN void ue__i_ignore(int none, ...)
{
	(void)none;
}
#endif
#ifdef __clang_analyzer__
#undef UE__BITS
#define UE__BITS(at, x) ((void)(x), UE__TO_U64(0))
#endif
#ifndef UE_DISABLE

/* Parts of asm statements: the directive for an address, and the modifier for a constant. */
#if __SIZEOF_POINTER__ == 8
#define UE__I_ADDRESS ".8byte "
#else
#define UE__I_ADDRESS ".4byte "
#endif
/*
 * In asm operands, compilers print the constant 5 as $5 on x86 and as #5 on ARM. %c omits the
 * prefix. GCC for PowerPC rejects %c, and GCC for s390 prints the constant as a signed byte.
 */
#if defined(__x86_64__) || defined(__i386__) || defined(__arm__)
#define UE__I_NUMBER "%c"
#else
#define UE__I_NUMBER "%"
#endif
#define UE__I_SYMBOL UE__I_NUMBER
/*
 * The constraint "i" accepts a symbol, except if position-independent code loads the address of the
 * symbol into a register. These constraints accept any symbol: "S" on aarch64, "s" for clang on
 * x86, "Bz" for GCC on i386, "US" for GCC on ARM.
 */
#if defined(__aarch64__)
#define UE__I_PLACE_OF(object) "S"(object)
#elif defined(__clang__) && defined(__PIC__) && \
	(defined(__i386__) || (defined(__x86_64__) && !defined(__PIE__)))
#define UE__I_PLACE_OF(object) "s"(object)
#elif defined(__PIC__) && defined(__i386__)
#define UE__I_PLACE_OF(object) "Bz"(object)
#undef UE__I_SYMBOL
#define UE__I_SYMBOL "%p"
#elif defined(__PIC__) && defined(__arm__) && !defined(__clang__)
#define UE__I_PLACE_OF(object) "US"(object)
#else
#define UE__I_PLACE_OF(object) "i"(object)
#endif

#if __has_attribute(__retain__) /* for linkers that drop sections referenced only by __start_... */
#define UE__RETAIN "R"
#else
#define UE__RETAIN
#endif
/* Appends the address of the operand [ue_event] to SECTION. */
#define UE__I_ENTRY_IN(section) \
	".pushsection " section ",\"aw" UE__RETAIN "?\"\n" \
	".balign " UE__I_STRINGIFY(__SIZEOF_POINTER__) "\n" \
	UE__I_ADDRESS UE__I_SYMBOL "[ue_event]\n.popsection\n"
#define UE__I_EVENT_ENTRY UE__I_ENTRY_IN("ue_events_v1")

/* Begins a note of this library. The contents follow, up to UE__I_NOTE_END. */
#define UE__I_NOTE_BEGIN(type) UE__NOTE_BEGIN_(".note.user_events", "?", type)
#define UE__NOTE_BEGIN_(section, flags, type) \
	".pushsection " section ",\"" flags "\",\"note\"\n" \
	".balign 4\n" \
	".4byte 12, 993f-992f, " UE__I_STRINGIFY(type) "\n" \
	".asciz \"user_events\"\n" \
	"992:\n"
#define UE__I_NOTE_END "993: .balign 4\n.popsection\n"
/*
 * Keeps __start_SECTION and __stop_SECTION out of the exported symbols of a library. GNU ld exports
 * them despite their hidden visibility, unless a relocation for calls refers to them
 * (_bfd_elf_fix_symbol_flags() in bfd/elflink.c, seen with 2.40). This note therefore has such a
 * relocation for each of the two.
 */
#define UE__I_HIDE_BOUNDS(section) \
	__asm__ volatile(UE__NOTE_BEGIN_(".note.ue_keep", "a?", UE__NOTE_KEEP) \
			 UE__CALL_OF("__start_" section) UE__CALL_OF("__stop_" section) \
			 UE__I_NOTE_END)
#if !defined(__PIC__) || defined(__PIE__)
#undef UE__I_HIDE_BOUNDS
#define UE__I_HIDE_BOUNDS(section) ((void)0)
#elif defined(__x86_64__) || defined(__i386__)
#define UE__CALL_OF(symbol) ".4byte " symbol "@PLT\n"
#elif defined(__s390__)
#define UE__CALL_OF(symbol) "jg " symbol "@PLT\n"
#elif defined(__riscv)
#define UE__CALL_OF(symbol) "tail " symbol "\n"
#else
#define UE__CALL_OF(symbol) "b " symbol "\n"
#endif
#define UE__I_SITE_NOTE(nop, event) \
	UE__I_NOTE_BEGIN(UE__F_NOTE_SITE) \
	UE__I_ADDRESS nop "\n" UE__I_ADDRESS UE__I_SYMBOL "[ue_desc]\n" UE__I_ADDRESS event "\n" \
	UE__I_NOTE_END

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define UE__I_SEMAPHORE "0"
#else
#define UE__I_SEMAPHORE "2"
#endif

/*
 * Begins a USDT probe: its nop and its note. On x86, the nop is one byte long, so that a uprobe is
 * a breakpoint. Linux 6.18 and later replace a 5-byte nop with a call, whose return address
 * overwrites the red zone of a leaf function.
 *
 * NAMES contains semaphore, provider and name. The arguments follow, up to UE__I_USDT_END.
 */
#define UE__I_USDT_BEGIN(names) \
	"990: nop\n" \
	".pushsection .note.stapsdt,\"?\",\"note\"\n" \
	".balign 4\n" \
	".4byte 992f-991f, 994f-993f, 3\n" \
	"991: .asciz \"stapsdt\"\n" \
	"992: .balign 4\n" \
	"993:\n" UE__I_ADDRESS "990b\n" UE__I_ADDRESS "_.stapsdt.base\n" names ".ascii \""
#define UE__I_USDT_END \
	"\"\n.byte 0\n" \
	"994: .balign 4\n.popsection\n" UE__USDT_BASE

/*
 * Sections that tracers need to find a probe and its semaphore in the file. They contain three
 * bytes. The notes contain addresses, but uprobes need file offsets, and each linker arranges files
 * differently:
 *
 * - perf computes the offset of a nop as its address - address of .stapsdt.base + offset of
 *   .stapsdt.base (tools/perf/util/symbol-elf.c). This is correct only if the section is in the
 *   code segment, so it has the flag x. Otherwise, perf places breakpoints in the middle of
 *   instructions. If an object with <sys/sdt.h> or an older version of this header is linked first,
 *   the linker keeps its section without x. An empty section with x then adds the flag, except with
 *   mold.
 * - perf, bcc and bpftrace compute the offset of a semaphore from .probes in the same way. .probes
 *   is in the segment that contains the enable words. Without it, perf uses the address as the
 *   offset, and the kernel increments unrelated memory.
 * - The kernel increments a semaphore in the first writable mapping whose pages contain its offset
 *   (valid_ref_ctr_vma() in kernel/events/uprobes.c). With lld and mold, the end of RELRO and the
 *   beginning of .data can share a page of the file. This page is mapped twice, first for RELRO, so
 *   the kernel would increment RELRO's copy. The section of ue__page moves .data, which contains
 *   the enable words, to the next page. This section is not in the section group of .probes,
 *   because the linker may keep that group from an object with an older version of this header. For
 *   kernels with pages above 4 KiB, link with -z separate-loadable-segments if you use lld or mold.
 *
 * --gc-sections would drop these sections, because references from notes that are not loaded do not
 * keep a section. Another note therefore refers to them. It is loaded and in no group, so linkers
 * keep this note and the sections to which it refers. The references are relative, so the loader
 * need not relocate them.
 */
#define UE__USDT_BASE \
	".ifndef _.stapsdt.base\n" \
	".pushsection .stapsdt.base,\"axG\",\"progbits\",.stapsdt.base,comdat\n" \
	UE__OBJECT("_.stapsdt.base", "1", ".space 1") \
	".popsection\n.endif\n" \
	".ifndef .Lue__base\n" \
	".pushsection .stapsdt.base,\"ax\",\"progbits\"\n.Lue__base:\n.popsection\n" \
	UE__KEEP("_.stapsdt.base", ".Lue__base") \
	".endif\n"
#define UE__I_USDT_SEMAPHORES \
	".ifndef ue__probes\n" \
	".pushsection .probes,\"awG\",\"progbits\",ue__probes,comdat\n.balign 2\n" \
	UE__OBJECT("ue__probes", "2", ".2byte 0") \
	".popsection\n" \
	".pushsection .data.ue__page,\"awG\",\"progbits\",ue__page,comdat\n.balign 4096\n" \
	UE__OBJECT("ue__page", "0", "") \
	".popsection\n" \
	UE__KEEP("ue__probes", "ue__page") \
	".endif\n"
#define UE__KEEP(a, b) \
	UE__NOTE_BEGIN_(".note.ue_keep", "a", UE__NOTE_KEEP) \
	".4byte " a " - ., " b " - .\n" UE__I_NOTE_END
#define UE__OBJECT(name, size, value) \
	".weak " name "\n.hidden " name "\n.size " name "," size "\n" name ": " value "\n"

/*
 * Operation UE__USDT expands to two asm operands per value: its size, negative if signed, and the
 * value.
 */
#if __SIZEOF_LONG__ == 8
#define UE__WORD_SIZE 8
#define UE__WORD(v) v
#else /* the lower half of a 64-bit value */
#define UE__WORD_SIZE 4
#ifdef __cplusplus
#define UE__WORD(v) static_cast<unsigned long>(v)
#else
#define UE__WORD(v) (unsigned long)(v)
#endif
#endif
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ /* the low bytes are at the highest addresses */
#define UE__USDT_BYTES(t) UE__WORD_SIZE
#elif __SIZEOF_LONG__ == 8
#define UE__USDT_BYTES(t) UE__I_CAST(int, UE__F_LENGTH_OF(t))
#else
#define UE__USDT_BYTES(t) \
	UE__I_CAST(int, UE__F_LENGTH_OF(t) < UE__WORD_SIZE ? UE__F_LENGTH_OF(t) : UE__WORD_SIZE)
#endif
/*
 * Returns the size of a value in a USDT note. The size of a signed value is negative. A pointer has
 * the size of a word. For a C++ string or container, the value is the address of a struct
 * ue__i_span, and the size is the negative size of a pointer.
 */
#define UE__I_USDT_SIZE(t) \
	((t) & UE__F_T_DATA ? (t) & UE__F_T_SPAN ? -UE__WORD_SIZE : UE__WORD_SIZE : \
			    UE__USDT_BYTES(t) * (1 - 2 * UE__F_IS_SIGNED(t)))
#ifndef UE_USDT_CONSTRAINT
#if defined(__arm__) /* with other constraints, GCC places constants in memory */
#define UE_USDT_CONSTRAINT "g"
#elif defined(__powerpc__)
#define UE_USDT_CONSTRAINT "nZr" /* Z: memory addressed by a register, which tracers can read */
#elif defined(__clang__) && defined(__x86_64__)
/* With "o", clang stores values on the stack at function entry, even if the event is disabled. */
#define UE_USDT_CONSTRAINT "nr"
#else
#define UE_USDT_CONSTRAINT "nor"
#endif
#endif
#define UE__I_USDT_OPERANDS(size, v) "i"(size), UE_USDT_CONSTRAINT(UE__WORD(v)),
#define UE__USDT_ue__i_bare(at, ...) \
	UE__I_USDT_OPERANDS(UE__I_USDT_SIZE(UE__TO_U32(ue__t##at)), ue__v##at)
#define UE__USDT_ue__i_value UE__USDT_ue__i_bare
#define UE__USDT_ue__i_pair(at, ...) \
	UE__I_USDT_OPERANDS(UE__WORD_SIZE, ue__v##at) UE__I_USDT_OPERANDS(UE__WORD_SIZE, ue__n##at)
#define UE__USDT_ue__i_struct(...)
#define UE__USDT_ue__i_option(...)
#define UE__USDT_ue__i_activity(...)

/*
 * UE__TWELVE(, a, b...) expands to the number of values in a list with a comma before each value,
 * or to 13 for more than twelve values. It selects the fourteenth element of the values followed by
 * (12) to (0). For two values this element is (2), and UE__TWELVE_AT_MOST (2) is a call. For more
 * than twelve, it is a value. A value has no parentheses, so UE__TWELVE_AT_MOST is not called, and
 * 13 remains.
 */
#define UE__TWELVE(...) \
	UE__TWELVE_(UE__FOURTEENTH(__VA_ARGS__, (12), (11), (10), (9), (8), (7), (6), (5), (4), \
				   (3), (2), (1), (0), ~))
#define UE__TWELVE_(x) UE__I_SECOND_OF(UE__TWELVE_AT_MOST x, 13, ~)
#define UE__TWELVE_AT_MOST(n) ~, n
#define UE__FOURTEENTH(...) UE__FOURTEENTH_(__VA_ARGS__)
#define UE__FOURTEENTH_(a, b, c, d, e, f, g, h, i, j, k, l, m, n, ...) n
/*
 * These macros expand to the arguments in the note, each as "size@location". SIZE and VALUE are asm
 * operand numbers.
 */
#ifdef __powerpc__ /* 5 is a register, i5 a constant */
#define UE__USDT_ARGUMENT(size, value) UE__I_NUMBER #size "@%I" #value "%" #value
#else
#define UE__USDT_ARGUMENT(size, value) UE__I_NUMBER #size "@%" #value
#endif
#define UE__I_USDT_TEXT_0 ""
#define UE__I_USDT_TEXT_1 UE__USDT_ARGUMENT(0, 1)
#define UE__I_USDT_TEXT_2 UE__I_USDT_TEXT_1 " " UE__USDT_ARGUMENT(2, 3)
#define UE__I_USDT_TEXT_3 UE__I_USDT_TEXT_2 " " UE__USDT_ARGUMENT(4, 5)
#define UE__I_USDT_TEXT_4 UE__I_USDT_TEXT_3 " " UE__USDT_ARGUMENT(6, 7)
#define UE__I_USDT_TEXT_5 UE__I_USDT_TEXT_4 " " UE__USDT_ARGUMENT(8, 9)
#define UE__I_USDT_TEXT_6 UE__I_USDT_TEXT_5 " " UE__USDT_ARGUMENT(10, 11)
#define UE__I_USDT_TEXT_7 UE__I_USDT_TEXT_6 " " UE__USDT_ARGUMENT(12, 13)
#define UE__I_USDT_TEXT_8 UE__I_USDT_TEXT_7 " " UE__USDT_ARGUMENT(14, 15)
#define UE__I_USDT_TEXT_9 UE__I_USDT_TEXT_8 " " UE__USDT_ARGUMENT(16, 17)
#define UE__I_USDT_TEXT_10 UE__I_USDT_TEXT_9 " " UE__USDT_ARGUMENT(18, 19)
#define UE__I_USDT_TEXT_11 UE__I_USDT_TEXT_10 " " UE__USDT_ARGUMENT(20, 21)
#define UE__I_USDT_TEXT_12 UE__I_USDT_TEXT_11 " " UE__USDT_ARGUMENT(22, 23)
#define UE__I_USDT_TEXT_13 UE__I_USDT_TEXT_12
/* Selects the operands of the first twelve values, if there are more. */
#define UE__USDT_LIMIT(count) UE__I_SECOND_OF(UE__USDT_LIMIT_##count, UE__I_UNPACK, ~)
#define UE__USDT_LIMIT_13 ~, UE__USDT_FIRST
#define UE__USDT_FIRST(s1, a1, s2, a2, s3, a3, s4, a4, s5, a5, s6, a6, s7, a7, s8, a8, s9, a9, \
		       s10, a10, s11, a11, s12, a12, ...) \
	s1, a1, s2, a2, s3, a3, s4, a4, s5, a5, s6, a6, s7, a7, s8, a8, s9, a9, s10, a10, \
	s11, a11, s12, a12,

/*
 * PASSED is the list of values, with a comma before each value. OPERANDS is the list of asm
 * operands for these values.
 */
#ifdef UE_NO_USDT
#define UE__TRACE_ASM(event, desc, names, passed, operands) \
	__asm__ volatile(UE__I_SITE_NOTE("0", UE__I_SYMBOL "[ue_event]") UE__I_EVENT_ENTRY \
			 : : [ue_event] UE__I_PLACE_OF(event), [ue_desc] UE__I_PLACE_OF(desc));
#define UE__LOG_ASM(desc, set, name, passed, operands) \
	__asm__ volatile(UE__I_SITE_NOTE("0", "0") : : [ue_desc] UE__I_PLACE_OF(desc));
#else
/* Expands to the provider and the name of a probe. ue-dtrace redefines this macro. */
#define UE__I_USDT_NAMES(name) ".asciz \"user_events\"\n.asciz \"" name "\"\n"
#define UE__TRACE_ASM(event, desc, names, passed, operands) \
	UE__TRACE_ASM_(UE__TWELVE(passed), event, desc, names, operands)
#define UE__TRACE_ASM_(...) UE__TRACE_ASM__(__VA_ARGS__)
#define UE__TRACE_ASM__(count, event, desc, names, ...) \
	__asm__ volatile(UE__I_USDT_BEGIN(UE__I_ADDRESS UE__I_SYMBOL "[ue_event] + " \
		UE__I_SEMAPHORE "\n" \
					names) \
			 UE__I_USDT_TEXT_##count UE__I_USDT_END UE__I_USDT_SEMAPHORES \
			 UE__I_SITE_NOTE("990b", UE__I_SYMBOL "[ue_event]") UE__I_EVENT_ENTRY \
			 : : UE__USDT_LIMIT(count)(__VA_ARGS__) [ue_event] UE__I_PLACE_OF(event), \
			     [ue_desc] UE__I_PLACE_OF(desc));
/*
 * The set of a UE_LOG site may be any expression, so the site refers to the semaphore by name:
 * ue__semaphore_SYMBOL, which UE_EVENT_SET() defines. For *set or sets[i], this symbol is
 * undefined, so the note contains 0, which means that there is no semaphore. The expression and the
 * event's name may contain percent signs, which an asm statement with operands would interpret.
 * Therefore an asm statement without operands first defines an assembler macro with these names.
 * The site's asm statement uses the macro once.
 */
#define UE__LOG_ASM(desc, set, name, passed, operands) \
	__asm__ volatile(".macro ue__names\n" \
			 ".weak \"ue__semaphore_" set "\"\n" \
			 ".hidden \"ue__semaphore_" set "\"\n" \
			 UE__I_ADDRESS "\"ue__semaphore_" set "\"\n" \
			 ".asciz \"" set "\"\n" \
			 ".ascii " UE__I_STRINGIFY(name) "\n.byte 0\n" \
			 ".endm\n"); \
	UE__LOG_ASM_(UE__TWELVE(passed), desc, operands)
#define UE__LOG_ASM_(...) UE__LOG_ASM__(__VA_ARGS__)
#define UE__LOG_ASM__(count, desc, ...) \
	__asm__ volatile(UE__I_USDT_BEGIN("ue__names\n") UE__I_USDT_TEXT_##count UE__I_USDT_END \
			 UE__I_USDT_SEMAPHORES \
			 UE__I_SITE_NOTE("990b", "0") ".purgem ue__names\n" \
			 : : UE__USDT_LIMIT(count)(__VA_ARGS__) [ue_desc] UE__I_PLACE_OF(desc));
#endif
#endif /* UE_DISABLE */

/*
 * Pads a list of values with zeros to at least four values. In the list, a comma precedes each
 * value. ue__i_write_kernel_v1() and ue__i_write_log_v1() have four named parameters for values.
 * Together with the event and the descriptor, these fill the six argument registers of x86-64. The
 * comment at UE__TWELVE() explains the method.
 */
#define UE__AT_LEAST_4(...) \
	__VA_ARGS__ UE__ZEROS(UE__SIXTH(__VA_ARGS__, (0), (1), (2), (3), (4), ~))
#define UE__SIXTH(...) UE__SIXTH_(__VA_ARGS__)
#define UE__SIXTH_(a, b, c, d, e, f, ...) f
#define UE__ZEROS(x) UE__I_SECOND_OF(UE__ZEROS_OF x, UE__ZEROS_0, ~)()
#define UE__ZEROS_OF(n) ~, UE__ZEROS_##n
#define UE__ZEROS_0()
#define UE__ZEROS_1() , UE__TO_U64(0)
#define UE__ZEROS_2() , UE__TO_U64(0), UE__TO_U64(0)
#define UE__ZEROS_3() , UE__TO_U64(0), UE__TO_U64(0), UE__TO_U64(0)
#define UE__ZEROS_4() , UE__TO_U64(0), UE__TO_U64(0), UE__TO_U64(0), UE__TO_U64(0)

/* * ---- UE_TRACE ---- */

/*
 * UE_TRACE(request_done, status, UE_STR(path)) can be thought of as expanding to
 *
 *	static struct ue_event event = { "request_done s32 status; __rel_loc char[] path" };
 *
 *	if (ue_event_enabled(&event))
 *		ue__i_write_kernel(&event, &descriptor, status, path);
 *
 * Each event has an entry in the section ue_events_v1. The constructor of the program or library
 * registers all events in this section, and generates their definitions from the descriptors. The
 * values are evaluated once, after the test. Several threads may run a site at the same time,
 * because a site modifies neither the event nor the descriptor.
 */
/* UE_TRACE itself checks the name, for the reason given at UE_LOG. */
#define UE_TRACE(...) \
	do { \
		UE__CHECK_NAME(ue__named, UE__FIRST_TEXT(__VA_ARGS__, ~) ";", \
			       UE__NO_EVENT_NAME(UE__FIRST_TEXT(__VA_ARGS__, ~))) \
		UE__TRACE(UE__I_COUNT(__VA_ARGS__), __VA_ARGS__) \
	} while (0)
#define UE__TRACE(n, ...) \
	UE__TRACE_SITE(n, UE__FIRST_TEXT(__VA_ARGS__, ~), \
		UE__I_CAT(UE__I_ITEMS_, n)(_, __VA_ARGS__))
#ifdef __clang_analyzer__
#define UE__TRACE_SITE(n, name, ...) \
	static UE__I_STRUCT(ue_event) ue__event; \
	if (ue_event_enabled(&ue__event)) { \
		UE__I_IGNORE(n, __VA_ARGS__) \
	}
#else
#define UE__TRACE_SITE(n, name, ...) \
	UE__KERNEL_FIELDS(n, ue__sum, name, __VA_ARGS__) \
	struct ue__fields { char ue__none; UE__I_EACH_##n(UE__ONCE, __VA_ARGS__) }; \
	UE__TRACE_DATA(n, name ";" UE__I_EACH_##n(UE__ID, __VA_ARGS__), __VA_ARGS__) \
	if (UE__IS_ON(&ue__s_v1.ue__event)) { \
		UE__I_RUN(n, (UE__EMIT_KERNEL(n, &ue__s_v1.ue__event, UE__I_HEAD_OF(ue__d_v1), \
					      name, __VA_ARGS__)), __VA_ARGS__) \
	}
#endif

/*
 * Declares and checks the types of the fields. SUM is the name of the constant that UE__SUM
 * computes.
 */
#define UE__KERNEL_FIELDS(n, sum, name, ...) \
	UE__I_STATIC_ASSERT(__extension__(__builtin_strcmp(name, "enable") != 0 && \
					__builtin_strcmp(name, "filter") != 0), \
			  "user_events.h: the event \"" name "\" would hide the file of that " \
			  "name in tracefs: rename it"); \
	UE__I_EACH_##n(UE__I_DECLARE, __VA_ARGS__) \
	UE__I_EACH_##n(UE__CARRIED, __VA_ARGS__) \
	UE__ENUM64 { sum = 0u UE__I_EACH_##n(UE__SUM, __VA_ARGS__) }; \
	/* a lower bound: an event slightly over 511 bytes may compile but fail to register */ \
	UE__I_STATIC_ASSERT(sizeof(name UE__I_EACH_##n(UE__ID, __VA_ARGS__)) + \
				  (UE__TO_U64(sum) >> 48) <= 511 + 2, \
			  "user_events.h: name and fields of event " name " exceed 511 bytes, " \
			  "the limit of the kernel: shorten names, or use UE_LOG");
/*
 * Kernels before 6.12 may not show an event with an empty payload, so an empty payload becomes a
 * zero byte.
 */
#define UE__KERNEL_SIZE(bytes) (!(bytes) + (bytes))
#define UE__KERNEL_INIT(n, sum, names, ...) \
	{ UE__I_DESC(UE__F_DESC_KERNEL, 0, n, sum, \
		     UE__KERNEL_SIZE(UE__TO_U64(sum) >> 32 & 65535)), \
	  { UE__I_EACH_##n(UE__ENTRY, __VA_ARGS__) 0 }, names }
#define UE__KERNEL_TYPE(n, names) \
	{ \
		UE__I_STRUCT(ue__f_desc) ue__head; \
		uint32_t ue__types[n + 1]; \
		char ue__names[UE__ROUND_UP(sizeof(names), 4)]; \
	}

#ifdef UE_DISABLE
#define UE__TRACE_DATA(n, names, ...)
#define UE__IS_ON(event) false
#define UE__EMIT_KERNEL(n, event, desc, name, ...) \
	ue__i_ignore(0 UE__I_EACH_##n(UE__I_PASS, __VA_ARGS__));
#else
#define UE__KERNEL_DESC(n, desc, sum, names, ...) \
	static const struct UE__I_HIDDEN_TYPE UE__KERNEL_TYPE(n, names) desc = \
		UE__KERNEL_INIT(n, sum, names, __VA_ARGS__);
/*
 * Defines SUM and the descriptor DESC of a kernel-typed event, after its fields have been declared.
 */
#define UE__I_KERNEL_DESC(n, desc, sum, name, ...) \
	UE__ENUM64 { sum = 0u UE__I_EACH_##n(UE__SUM, __VA_ARGS__) }; \
	UE__KERNEL_DESC(n, desc, sum, name ";" UE__I_EACH_##n(UE__ID, __VA_ARGS__), __VA_ARGS__)
#define UE__TRACE_DATA(n, names, ...) \
	UE__KERNEL_DESC(n, ue__d_v1, ue__sum, names, __VA_ARGS__) \
	static struct UE__I_HIDDEN_TYPE { \
		UE__I_STRUCT(ue_event) ue__event; \
	} ue__s_v1 __attribute__((__aligned__(8))) /* without this, GCC aligns it to 32 bytes */ = \
		{ UE__I_EVENT_INIT(UE__I_HEAD_OF(ue__d_v1), 0) };
#define UE__IS_ON(event) UE__UNLIKELY(ue_event_enabled(event))
#define UE__EMIT_KERNEL(n, event, desc, name, ...) \
	UE__I_EMIT(n, ue__i_write_kernel_v1, event, desc, UE__I_USDT_NAMES(name), __VA_ARGS__)
/* Executes the USDT probe, whose provider and name are NAMES, and writes the event with WRITE. */
#define UE__I_EMIT(n, write, event, desc, names, ...) \
	UE__I_COLD_SITE; \
	UE__TRACE_ASM(event, desc, names, UE__I_EACH_##n(UE__I_PASS, __VA_ARGS__), \
		      UE__I_EACH_##n(UE__USDT, __VA_ARGS__)) \
	write(event, desc UE__AT_LEAST_4(UE__I_EACH_##n(UE__I_PASS, __VA_ARGS__)));
#endif

/*
 * UE_TRACEPOINT(request_done, UE_I32(status), UE_STR(path)), at file scope, can be thought of as
 * expanding to
 *
 *	static inline bool trace_request_done_enabled(void) { return ue_event_enabled(&event); }
 *	static inline void trace_request_done(int32_t status, const char *path)
 *	{
 *		if (ue_event_enabled(&event))
 *			ue__trace_request_done(status, path);	(out of line: writes the event)
 *	}
 *
 * In C, the event is a static variable of the file. In C++, the functions are inline, and the event
 * is a single variable of the program or library.
 */
/*
 * UE__POINT is an argument of UE__I_SECOND_OF(). If a chain of macros called it instead, clang
 * would list each macro of the chain after every error message.
 */
#define UE_TRACEPOINT(...) \
	UE__CHECK_OUTSIDE("UE_TRACEPOINT") \
	UE__I_SECOND_OF(UE__CHECK_QUOTES(__VA_ARGS__, ~), UE__POINT, ~) \
	(UE__I_COUNT(__VA_ARGS__), UE__I_FIRST(__VA_ARGS__, ~), __VA_ARGS__)
/*
 * Rejects a name in quotes. The prefix cannot be pasted to a string literal, so compilers report an
 * error that contains the prefix, which says what to do. After the error, the prefix is a token of
 * its own, and expands as a macro.
 */
#define UE__CHECK_QUOTES(name, ...) UE__WRITE_THE_NAME_WITHOUT_QUOTES_##name
#define UE__WRITE_THE_NAME_WITHOUT_QUOTES_ ~, UE__POINT_QUOTED,
#define UE__POINT_QUOTED(...) struct ue__semicolon
#define UE__POINT(...) UE__POINT_ITEMS(__VA_ARGS__)
#define UE__POINT_ITEMS(n, name, ...) \
	UE__I_CAT(UE__POINT_EMPTY_, UE__IS_0(n)) \
	(n, name, #name UE__WALK(n, UE__TYPED, UE__I_ITEMS_##n(_##name##_, __VA_ARGS__)))
/*
 * If there are no fields, passes an empty list of items, because -pedantic rejects a missing
 * argument.
 */
#define UE__POINT_EMPTY_0(...) UE__POINT_SITE(__VA_ARGS__)
#define UE__POINT_EMPTY_1(...) UE__POINT_SITE(__VA_ARGS__, )
/* The expansion ends in a declaration that the user's semicolon completes. */
#define UE__POINT_SITE(n, name, string, ...) \
	UE__I_BEGIN \
	UE__CHECK_NAME(ue__named_##name, string ";", UE__NO_EVENT_NAME(string)) \
	UE__KERNEL_FIELDS(n, ue__sum_##name, string, __VA_ARGS__) \
	UE__MAYBE_CALLED( \
		UE__POINT_DATA(n, name, string ";" UE__I_EACH_##n(UE__ID, __VA_ARGS__), \
			__VA_ARGS__) \
		UE__POINT_FUNCTIONS(n, name, string, \
				    UE__IN_PARENS(void, \
					UE__I_EACH_##n(UE__PARAM, __VA_ARGS__)), \
				    UE__IN_PARENS(, \
					UE__I_EACH_##n(UE__FORWARD, __VA_ARGS__)), \
				    __VA_ARGS__)) \
	UE__I_END \
	struct ue__semicolon

/*
 * Operation UE__TYPED expands to the items, with a comma before each item. A field without a type
 * becomes a failing assertion.
 */
#define UE__TYPED_ue__i_bare(at, string, id, as, tag, ...) \
	, ue__i_value(at, string, "untyped;", , , UE__U8, ue__c_U8, ue__untyped##at, \
		    UE__MISTAKE("field \"" string "\" of UE_TRACEPOINT needs a type as a macro " \
				"around its name: UE_I32(count), UE_STR(path)"))
#define UE__TYPED_ue__i_value(...) , ue__i_value(__VA_ARGS__)
#define UE__TYPED_ue__i_pair(...) , ue__i_pair(__VA_ARGS__)
#define UE__TYPED_ue__i_struct(...) , ue__i_struct(__VA_ARGS__)
#define UE__TYPED_ue__i_option(...) , ue__i_option(__VA_ARGS__)
#define UE__TYPED_ue__i_activity(...) , ue__i_activity(__VA_ARGS__)

/*
 * Operations UE__PARAM and UE__FORWARD expand to the parameters of a function and to its arguments.
 */
#define UE__PARAM_ue__i_bare(...)
#define UE__PARAM_ue__i_value(at, string, id, as, tag, type, ctype, name, ...) \
	UE__I_CAT(UE__PARAM_IF_, UE__I_IS_PAREN(name))(ctype name)
#define UE__PARAM_ue__i_pair(at, string, id, as, tag, type, ctype, name, ...) \
	, ctype name, size_t name##_count
#define UE__PARAM_ue__i_struct(...)
#define UE__PARAM_ue__i_option(...)
#define UE__PARAM_ue__i_activity(...)
#define UE__FORWARD_ue__i_bare(...)
#define UE__FORWARD_ue__i_value(at, string, id, as, tag, type, ctype, name, ...) \
	UE__I_CAT(UE__PARAM_IF_, UE__I_IS_PAREN(name))(name)
#define UE__FORWARD_ue__i_pair(at, string, id, as, tag, type, ctype, name, ...) , name, name##_count
#define UE__FORWARD_ue__i_struct(...)
#define UE__FORWARD_ue__i_option(...)
#define UE__FORWARD_ue__i_activity(...)

/* A name in parentheses denotes a limit (user_events_limit.h), which has no parameter. */
#define UE__PARAM_IF_0(parameter) , parameter
#define UE__PARAM_IF_1(parameter)

/* Turns ", a, b" into "(a, b)", and an empty list into "(NONE)". */
#define UE__I_IN_PARENS(n, none, ...) UE__I_CAT(UE__IN_PARENS_, UE__IS_0(n))(none, __VA_ARGS__)
#define UE__IN_PARENS(none, ...) UE__I_IN_PARENS(UE__I_COUNT(~ __VA_ARGS__), none, __VA_ARGS__)
#define UE__IN_PARENS_1(none, nothing) (none)
#define UE__IN_PARENS_0(none, nothing, ...) (__VA_ARGS__)

/* A program need not call all functions. clang warns about calls of a function marked unused. */
#ifdef __clang__
#define UE__MAYBE_CALLED(...) \
	_Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wunused-function\"") \
	_Pragma("clang diagnostic ignored \"-Wunneeded-internal-declaration\"") __VA_ARGS__ \
	_Pragma("clang diagnostic pop")
#else
#define UE__MAYBE_CALLED(...) __VA_ARGS__
#endif

#ifdef UE_DISABLE
#define UE__I_SLOW UE__I_FN
#define UE__POINT_DATA(n, name, names, ...)
#elif defined(__cplusplus)
#define UE__I_SLOW UE__OUT_OF_LINE
/*
 * The event is a static member of a template, because such a member exists once in a program, and
 * may be in an unnamed namespace.
 */
#define UE__POINT_EVENT(name) ue__point_##name<void>::ue__event
#define UE__POINT_DESC(name) ue__point_##name<void>::ue__f_desc
#define UE__POINT_DATA(n, name, names, ...) \
	struct ue__desc_of_##name UE__KERNEL_TYPE(n, names); \
	template <class ue__T> struct UE__HIDDEN ue__point_##name { \
		static const ue__desc_of_##name ue__f_desc; \
		static ue_event ue__event; \
	}; \
	template <class ue__T> const ue__desc_of_##name ue__point_##name<ue__T>::ue__f_desc = \
		UE__KERNEL_INIT(n, ue__sum_##name, names, __VA_ARGS__); \
	template <class ue__T> ue_event ue__point_##name<ue__T>::ue__event = \
		UE__I_EVENT_INIT(&ue__point_##name<ue__T>::ue__f_desc.ue__head, 0);
#else
#define UE__I_SLOW static UE__I_UNTRACED __attribute__((__noinline__, __cold__))
#define UE__POINT_EVENT(name) ue__i_event_##name
#define UE__POINT_DESC(name) ue__desc_##name
#define UE__POINT_DATA(n, name, names, ...) \
	UE__KERNEL_DESC(n, ue__desc_##name, ue__sum_##name, names, __VA_ARGS__) \
	static struct ue_event ue__i_event_##name = \
		UE__I_EVENT_INIT(UE__I_HEAD_OF(ue__desc_##name), 0);
#endif
#define UE__POINT_FUNCTIONS(n, name, string, parameters, arguments, ...) \
	UE__I_SLOW void ue__trace_##name parameters \
	{ \
		do { /* a limit ends the loop with break, as in UE_TRACE and UE_LOG */ \
			UE__I_RUN(n, (UE__EMIT_KERNEL(n, &UE__POINT_EVENT(name), \
						      UE__I_HEAD_OF(UE__POINT_DESC(name)), string, \
						      __VA_ARGS__)), __VA_ARGS__) \
		} while (0); \
	} \
	UE__I_FN bool trace_##name##_enabled(void) \
	{ \
		return UE__IS_ON(&UE__POINT_EVENT(name)); \
	} \
	UE__I_FN void trace_##name parameters \
	{ \
		if (UE__IS_ON(&UE__POINT_EVENT(name))) \
			ue__trace_##name arguments; \
	}

/* * ---- UE_LOG ---- */

/*
 * UE_LOG(shop, "Order", items) can be thought of as expanding to
 *
 *	if (ue_event_enabled(&shop.event))
 *		ue__i_write_log(&shop.event, &descriptor, items);
 *
 * The event belongs to the set. The descriptor contains header and metadata of this site's events,
 * ready to be written. "How a site expands" shows the whole expansion.
 */
/*
 * Returns the event of a set. This is a function, because a program may define a macro called
 * `event`, which would replace the member's name in a site.
 */
UE__I_FN struct ue_event *ue__i_event_of(struct ue_event_set *set)
{
	return &set->event;
}

#define UE_LOG_ENABLED(set) ue_event_set_enabled(&(set))
#ifndef UE_NO_LOG
/*
 * The check of the name is in the outermost macro, because clang prints a note for each level of
 * expansion. ("" NAME) compiles only if NAME is a string literal.
 */
#define UE_LOG(set, ...) \
	do { \
		__extension__ enum { \
			ue__named = UE__IS_QUOTED(UE__I_STRINGIFY(UE__I_FIRST(__VA_ARGS__, ~))) && \
				    !__builtin_strchr(#set, '"') }; \
		UE__I_STATIC_ASSERT(ue__named, "user_events.h: write a set without quotes, " \
					       "and the name of the event in quotes: " \
					      "UE_LOG(set, \"Name\", fields...)"); \
		UE__LOG(UE__I_COUNT(__VA_ARGS__), set, #set, ("" UE__I_FIRST(__VA_ARGS__, ~)), \
			__VA_ARGS__) \
	} while (0)
#endif
#define UE_LOG_EVENT(set, ...) \
	do { \
		UE__LOG(UE__I_COUNT(__VA_ARGS__), set, #set, ("" UE__I_FIRST(__VA_ARGS__, ~)), \
			__VA_ARGS__) \
	} while (0)
#define UE__LOG(n, set, symbol, literal, ...) \
	UE__LOG_SITE(n, set, symbol, literal, UE__I_FIRST(__VA_ARGS__, ~), \
		     UE__I_CAT(UE__I_ITEMS_, n)(_, __VA_ARGS__))
/* Returns whether TEXT, a stringified name, is a non-empty literal. "~" handles an empty TEXT. */
#define UE__IS_QUOTED(text) \
	__extension__(__builtin_memcmp(text, "\"", 1) == 0 && \
		      __builtin_memcmp(text, "\"\"", 2) != 0 && \
		      __builtin_memcmp(("~" text) + sizeof(text) - 1, "\"", 1) == 0)

/* Operation UE__PART expands to the sum of the parts of all options; see UE__OPTION(). */
#define UE__PART_ue__i_bare(...)
#define UE__PART_ue__i_value(...)
#define UE__PART_ue__i_pair(...)
#define UE__PART_ue__i_struct(...)
#define UE__PART_ue__i_option(at, string, id, as, tag, valid, part, ...) +part
#define UE__PART_ue__i_activity(...) +UE__ONE_ACTIVITY
#define UE__PART_ue__i_implicit(...)

/*
 * Operations UE__DEFINE and UE__INITIALISE define and initialise the metadata as members of a
 * packed struct. In the metadata, 1 to 6 bytes follow the name of a field (docs/eventheader.md):
 *
 *	kind, 1 byte
 *	format, 1 byte, if it is not the default or a tag follows
 *	tag, 2 bytes, if there is one
 *	count, 2 bytes, for a constant array
 *
 * These bytes are a single bit-field of 8 to 48 bits, because C cannot omit a struct member
 * conditionally.
 */
#define UE__FIELD_TAG 0
#define UE__FIELD_TAG_ue__is(what) (UE__TO_U32(what) & 65535)
#define UE__HAS_FORMAT(t, tag) (UE__F_FORMAT_OF(t) || (tag))
#define UE__META_BITS(t, tag) \
	(8 * (1 + UE__HAS_FORMAT(t, tag) + ((tag) ? 2 : 0) + ((t) & UE__F_T_CARRAY ? 2 : 0)))
#define UE__META_KIND(t, tag) \
	(UE__F_RECORDED_KIND(t) | ((t) & UE__F_T_CARRAY ? UE__F_ENCODING_CARRAY : 0u) | \
	 ((t) & UE__F_T_VARRAY ? UE__F_ENCODING_VARRAY : 0u) | \
	 (UE__HAS_FORMAT(t, tag) ? UE__F_ENCODING_MORE : 0u))
/*
 * Returns the value of this bit-field for the byte order of the machine. & 63 keeps the shift count
 * valid where the result of the shift is not used.
 */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define UE__F_META_VALUE(kind, format, tag, count, bits, is_array) \
	(UE__TO_U64(kind) << ((bits)-8) | \
	 ((bits) > 8 ? UE__TO_U64(format) << (((bits)-16) & 63) : 0) | \
	 UE__TO_U64(tag) << ((is_array) ? 16 : 0) | ((is_array) ? UE__TO_U64(count) : 0))
#else
#define UE__F_META_VALUE(kind, format, tag, count, bits, is_array) \
	(UE__TO_U64(kind) | UE__TO_U64(format) << 8 | UE__TO_U64(tag) << 16 | \
	 ((is_array) ? UE__TO_U64(count) << (((bits) - 16) & 63) : 0))
#endif
#define UE__META(t, tag) \
	UE__F_META_VALUE(UE__META_KIND(t, tag), UE__F_FORMAT_OF(t) | \
		((tag) ? UE__F_ENCODING_MORE : 0u), \
		       tag, UE__F_LENGTH_OF(t), UE__META_BITS(t, tag), (t) & UE__F_T_CARRAY)
#define UE__DEFINE_AS(at, string, bits) \
	char ue__name##at[sizeof(string)]; __extension__ uint64_t ue__meta##at : bits;
#define UE__DEFINE_ue__i_bare(at, string, id, as, tag, ...) \
	UE__DEFINE_AS(at, string, UE__META_BITS(UE__TO_U32(ue__t##at), UE__FIELD_TAG##tag))
#define UE__DEFINE_ue__i_value UE__DEFINE_ue__i_bare
#define UE__DEFINE_ue__i_pair UE__DEFINE_ue__i_bare
#define UE__DEFINE_ue__i_struct(at, string, id, as, tag, ...) \
	UE__DEFINE_AS(at, string, UE__STRUCT_BITS(UE__FIELD_TAG##tag))
#define UE__DEFINE_ue__i_option(...)
#define UE__DEFINE_ue__i_activity(...)
#define UE__DEFINE_ue__i_implicit UE__DEFINE_ue__i_bare
#define UE__INITIALISE_ue__i_bare(at, string, id, as, tag, ...) \
	string, UE__META(UE__TO_U32(ue__t##at), UE__FIELD_TAG##tag),
#define UE__INITIALISE_ue__i_value UE__INITIALISE_ue__i_bare
#define UE__INITIALISE_ue__i_pair UE__INITIALISE_ue__i_bare
#define UE__INITIALISE_ue__i_struct(at, string, id, as, tag, members) \
	string, UE__STRUCT_META(members, UE__FIELD_TAG##tag),
#define UE__INITIALISE_ue__i_option(...)
#define UE__INITIALISE_ue__i_activity(...)
#define UE__INITIALISE_ue__i_implicit UE__INITIALISE_ue__i_bare
/* The format of a struct is its number of members. */
#define UE__STRUCT_BITS(tag) (16 + ((tag) ? 16 : 0))
#define UE__STRUCT_META(members, tag) \
	UE__F_META_VALUE(UE__TO_U32(UE__KIND_STRUCT) | UE__F_ENCODING_MORE, UE__TO_U32(members) | \
		       ((tag) ? UE__F_ENCODING_MORE : 0u), tag, 0, UE__STRUCT_BITS(tag), false)

/* Requires that SET is an event set. In C, another pointer would convert with only a warning. */
#ifdef __cplusplus
#define UE__SET_OF(set) struct ue_event_set *const ue__set = &(set);
#else
#define UE__SET_OF(set) \
	__extension__ __auto_type ue__place = &(set); /* if undeclared, clang reports SET once */\
	__extension__ _Static_assert(_Generic(ue__place, struct ue_event_set *: 1, default: 0), \
		       "user_events.h: the first argument must be a set of UE_EVENT_SET(): write " \
		       "UE_LOG(set, \"Name\", fields...)"); \
	struct ue_event_set *const ue__set = \
		UE__GENERIC(ue__place, struct ue_event_set *: ue__place, default: NULL);
#endif
#ifdef __clang_analyzer__
#define UE__I_LOG_FIELDS(n, ...)
#define UE__I_LOG_DESC(n, desc, literal, ...) \
	static const struct { UE__I_STRUCT(ue__f_desc) ue__head; } desc = \
		{ { 0, 0, 0, 0, 0, 0, 0 } };
#else
#define UE__I_LOG_FIELDS(n, ...) \
	UE__I_EACH_##n(UE__I_DECLARE, __VA_ARGS__) \
	UE__ENUM64 { ue__sum = 0u UE__I_EACH_##n(UE__SUM, __VA_ARGS__) }; \
	UE__ENUM64 { ue__parts = UE__TO_U64(0) UE__I_EACH_##n(UE__PART, __VA_ARGS__) }; \
	UE__I_EACH_##n(UE__CHECK, __VA_ARGS__) \
	UE__I_STATIC_ASSERT(!(UE__TO_U64(ue__parts) & UE__DUPLICATE_BITS), \
			  "user_events.h: an event has at most one UE_ID, UE_OPCODE, UE_TAG, " \
			  "UE_ACTIVITY");
#endif
/* Returns a part of the sum ue__parts: the sum shifted right by AT, masked with BITS. */
#define UE__PARTS(at, bits) (UE__TO_U64(ue__parts) >> at & bits)

#if defined(UE_DISABLE) || defined(__clang_analyzer__)
/* Type-checks an event's values. */
#define UE__I_IGNORE(n, ...) \
	UE__RUN_WITH(UE__PASS_ACTIVITY(n, __VA_ARGS__) UE__I_EACH_##n(UE__I_PASS, __VA_ARGS__), \
		     UE__I_EACH_##n(UE__EVALUATE, __VA_ARGS__), \
		     ue__i_ignore(0 UE__PASS_ACTIVITY(n, __VA_ARGS__) \
				UE__I_EACH_##n(UE__I_PASS, __VA_ARGS__));)
#endif
#ifdef __clang_analyzer__
#define UE__LOG_SITE(n, set, symbol, literal, event_name, ...) \
	if (ue_event_set_enabled(&(set))) { \
		UE__I_IGNORE(n, __VA_ARGS__) \
	}
#elif defined(UE_DISABLE)
#define UE__LOG_SITE(n, set, symbol, literal, event_name, ...) \
	UE__SET_OF(set) \
	UE__I_LOG_FIELDS(n, __VA_ARGS__) \
	if (0) { \
		(void)ue_event_set_enabled(ue__set); \
		UE__I_IGNORE(n, __VA_ARGS__) \
	}
#endif
#ifndef UE_DISABLE
/* Declares the header and the metadata block as a struct. */
#define UE__SIZE_OF_HEAD (sizeof(UE__I_STRUCT(ue__f_header)) + sizeof(UE__I_STRUCT(ue__block)))
#define UE__LOG_META(n, literal, ...) \
	struct ue__meta { \
		UE__I_STRUCT(ue__f_header) ue__own_header; \
		UE__I_STRUCT(ue__block) ue__own_block; \
		char ue__name[sizeof literal]; \
		UE__I_EACH_##n(UE__DEFINE, __VA_ARGS__) \
	} __attribute__((__packed__)); \
	enum { ue__size_of_meta = sizeof(struct ue__meta) }; \
	UE__I_STATIC_ASSERT(ue__size_of_meta <= 65535, \
		"user_events.h: names and fields exceed 64 KiB");
#ifndef __clang_analyzer__
/* Defines the descriptor DESC of a UE_LOG event with these items. */
#define UE__I_LOG_DESC(n, desc, literal, ...) \
	UE__LOG_META(n, literal, __VA_ARGS__) \
	__extension__ static const struct UE__I_HIDDEN_TYPE { \
		UE__I_STRUCT(ue__f_desc) ue__head; \
		uint32_t ue__types[n + 1]; \
		struct ue__meta ue__meta_; \
		uint8_t ue__rest[UE__ROUND_UP(ue__size_of_meta + 1, 4) - ue__size_of_meta]; \
	} desc = { \
		UE__I_DESC(UE__F_DESC_LOG, 0, n, ue__sum, ue__size_of_meta), \
		{ UE__I_IF_ACTIVITY(n, __VA_ARGS__)(UE__F_T_ACTIVITY, ) \
		  UE__I_EACH_##n(UE__ENTRY, __VA_ARGS__) 0 }, \
		{ { UE__F_HEADER_FLAGS, UE__TO_U8(UE__PARTS(16, 255)), \
		    UE__TO_U16(UE__PARTS(0, 65535)), UE__TO_U16(UE__PARTS(32, 65535)), \
		    UE__TO_U8(UE__PARTS(24, 255)), 0 }, \
		  { UE__TO_U16(ue__size_of_meta - UE__SIZE_OF_HEAD), UE__F_EXTENSION_METADATA }, \
		  literal, UE__I_EACH_##n(UE__INITIALISE, __VA_ARGS__) }, \
		{ 0 } \
	};
#endif
/*
 * Writes the event. In the USDT probe, the two values of an activity follow the fields, so that
 * arg0 is always the first field. In the call, they precede the fields, because ue__store_prefix()
 * reads them first.
 *
 * IF_ACTIVITY is a macro that expands to its arguments if the event has an activity, else to
 * nothing. UE__I_IF_ACTIVITY() selects it.
 */
#define UE__EMIT_LOG(n, if_activity, event, symbol, event_name, ...) \
	UE__I_COLD_SITE; \
	UE__LOG_ASM(UE__I_HEAD_OF(ue__d_v1), symbol, event_name, \
		    UE__I_EACH_##n(UE__I_PASS, __VA_ARGS__) \
		    if_activity(, ue__i_activity, ue__related), \
		    UE__I_EACH_##n(UE__USDT, __VA_ARGS__) \
		    if_activity(UE__I_USDT_OPERANDS(UE__WORD_SIZE, ue__i_activity) \
				UE__I_USDT_OPERANDS(UE__WORD_SIZE, ue__related))) \
	ue__i_write_log_v1(event, UE__I_HEAD_OF(ue__d_v1) UE__AT_LEAST_4( \
		if_activity(, ue__i_activity, ue__related) \
		UE__I_EACH_##n(UE__I_PASS, __VA_ARGS__)));
#ifndef __clang_analyzer__
#define UE__LOG_SITE(n, set, symbol, literal, event_name, ...) \
	UE__SET_OF(set) \
	UE__I_LOG_FIELDS(n, __VA_ARGS__) \
	if (UE__UNLIKELY(ue_event_set_enabled(ue__set))) { \
		UE__I_LOG_DESC(n, ue__d_v1, literal, __VA_ARGS__) \
		UE__RUN_WITH( \
			UE__PASS_ACTIVITY(n, __VA_ARGS__) UE__I_EACH_##n(UE__I_PASS, __VA_ARGS__), \
			UE__I_EACH_##n(UE__EVALUATE, __VA_ARGS__), \
			UE__EMIT_LOG(n, UE__I_IF_ACTIVITY(n, __VA_ARGS__), \
				     ue__i_event_of(ue__set), symbol, event_name, __VA_ARGS__)) \
	}
#endif
#endif

/* UE_EVENT_SET defines a set. An earlier declaration in a header is allowed. */
#define UE_DECLARE_EVENT_SET(symbol) extern UE__I_STRUCT(ue_event_set) symbol UE__HIDDEN
#define UE_EVENT_SET(...) \
	UE__CHECK_OUTSIDE("UE_EVENT_SET") UE__EVENT_SET(__VA_ARGS__, "", "", ~)
#define UE__EVENT_SET(symbol, provider, level_, keyword, group, ...) \
	_Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wredundant-decls\"") \
	UE_DECLARE_EVENT_SET(symbol); \
	_Pragma("GCC diagnostic pop") \
	UE__I_STATIC_ASSERT((level_) >= 1 && (level_) <= 255, \
			  "user_events.h: the level of an event set must be 1 to 255"); \
	UE__I_STATIC_ASSERT(sizeof(provider) > 1 && \
			  __extension__ __builtin_memcmp(#keyword, "\"", 1) != 0, \
			  "user_events.h: UE_EVENT_SET(symbol, \"provider\", level, keyword) " \
			  "needs a nonempty provider and a number as the keyword"); \
	UE__I_STATIC_ASSERT(UE__LACKS(provider, " ", ' ') && UE__LACKS(provider, ":", ':') && \
			  UE__LACKS(provider, "/", '/'), \
			  "user_events.h: provider \"" provider "\" contains blank, ':' or '/'"); \
	UE__DEFINE_SET(symbol, provider, UE__TO_U8((level_) & 255), keyword, group)
/*
 * Returns whether LITERAL does not contain the character C. TEXT is C as a string literal. strlen()
 * makes the result a constant.
 */
#define UE__LACKS(literal, text, c) \
	__extension__(__builtin_strlen(__builtin_strchr(literal text, c)) == 1)
#ifdef UE_DISABLE
#define UE__DEFINE_SET(symbol, provider, level, keyword, group) \
	UE__I_STRUCT(ue_event_set) symbol = { UE__I_EVENT_INIT(UE__I_NULL, level) }
#else
#ifdef UE__I_DECLARED_ONLY /* only the file with the implementation adds loader entries */
#define UE__I_LOADER_ENTRIES ((void)0)
#endif
#ifdef UE_NO_USDT
#define UE__SET_SEMAPHORE(symbol)
#else
#define UE__SET_SEMAPHORE(symbol) \
	".weak ue__semaphore_" #symbol "\n.hidden ue__semaphore_" #symbol "\n" \
	".set ue__semaphore_" #symbol ", " UE__I_SYMBOL "[ue_event] + " UE__I_SEMAPHORE "\n"
#endif
/*
 * The text of a set follows a struct ue__f_desc and a keyword, which together have 20 bytes. The
 * text is extended so that the struct needs no trailing padding, about which clang would warn
 * (-Wpadded).
 */
UE__I_STATIC_ASSERT(sizeof(UE__I_STRUCT(ue__f_desc)) == 12,
		    "user_events.h: the text of a set must begin at byte 20 of its descriptor");
#define UE__DEFINE_SET(symbol, provider, level, keyword, group) \
	static const struct { \
		UE__I_STRUCT(ue__f_desc) ue__head; \
		uint64_t ue__keyword; \
		char ue__i_text[UE__ROUND_UP(sizeof(provider "\0" group) + 4, 8) - 4]; \
	} __attribute__((__packed__, __aligned__(8))) ue__set_of_##symbol = { \
		UE__I_DESC(UE__F_DESC_SET, level, 0, 0u, 0), (keyword), provider "\0" group \
	}; \
	UE__I_STRUCT(ue_event_set) \
	symbol = { UE__I_EVENT_INIT(&ue__set_of_##symbol.ue__head, level) }; \
	static __attribute__((__used__, __noinline__, __cold__)) void ue__note_##symbol(void) \
	{ \
		UE__I_LOADER_ENTRIES; \
		__asm__ volatile(UE__I_SITE_NOTE("0", UE__I_SYMBOL "[ue_event]") UE__I_EVENT_ENTRY \
				 UE__SET_SEMAPHORE(symbol) : : [ue_event] UE__I_PLACE_OF(&symbol), \
				 [ue_desc] UE__I_PLACE_OF(&ue__set_of_##symbol.ue__head)); \
	} \
	extern UE__I_STRUCT(ue_event_set) symbol
#endif
/* clang-format on */

/*
 * Implementation
 * ==============
 *
 * The code for the declarations above. If you only want to use the header, you can stop reading
 * here. With UE_SHARED, the rest of this file is compiled only in the file that defines
 * UE_IMPLEMENTATION.
 */
#ifndef UE__I_DECLARED_ONLY
#ifndef UE_DISABLE

/* * ---- State and lock ---- */

/*
 * State of one program or library, and the lock that protects it. Code that writes an event takes
 * no lock. It uses atomic loads to read the values that the lock holder stores.
 */
#define UE__I_STORE(p, v) __atomic_store_n(p, v, __ATOMIC_RELAXED)
#define UE__INCREMENT(p) ((void)__atomic_fetch_add(p, 1, __ATOMIC_RELAXED))
/* Adds one to a counter of ue_status(): cut, failed, large or unprobed. */
#define UE__I_COUNT_EVENT(counter) UE__INCREMENT(&ue__state_v1.counter)

/*
 * Same layout as struct iovec. Two system headers define struct iovec, and the program may include
 * either of them, so this header includes neither.
 */
struct ue__i_iovec {
	void *iov_base;
	size_t iov_len;
} __attribute__((__may_alias__));

/*
 * A callback that receives the events of this process, for probes or a recorder. A hook is never
 * freed, because run() may still be called shortly after ue__i_remove_hook().
 */
struct ue__i_hook {
	struct ue__i_hook *next;
	/*
	 * Returns true if the hook receives EVENT. If this member is NULL, the hook receives every
	 * event. Called with the lock held.
	 */
	bool (*wants)(struct ue__i_hook *hook, const struct ue_event *event);
	/*
	 * Called after EVENT was unregistered, and before the program may free its memory. May be
	 * NULL. Called with the lock held.
	 */
	void (*gone)(struct ue__i_hook *hook, const struct ue_event *event);
	/*
	 * Receives an event of SIZE bytes in COUNT segments. The first 4 bytes are the write index.
	 */
	void (*run)(struct ue__i_hook *hook, struct ue_event *event, const struct ue__i_iovec *iov,
		    int count, size_t size);
};

/* Reasons for a failed registration. ue__message_for() has the message for each. */
enum ue__reason {
	UE__NO_REASON,
	UE__OPEN_FAILED,     /* open() failed */
	UE__REGISTER_FAILED, /* ioctl() failed */
	UE__BAD_NAME,
	UE__RESERVED_NAME,
	UE__BAD_FIELD,
	UE__BAD_FIELD_NAME,
	UE__COMMON_NAME,
	UE__SAME_NAMES,
	UE__TOO_LONG,
	UE__BAD_SET,
	UE__BAD_FLAGS
};

/* Bits of ue__state.flags */
enum {
	UE__REGISTRATION_TRIED = 1, /* automatic registration was attempted; do not retry */
	UE__EXIT_HANDLER_ADDED = 2, /* an exit handler is registered */
	UE__STAYS_LOADED = 4	    /* dlclose() cannot unload this library any more */
};

/*
 * State of one program or library. The symbol is hidden, so libraries do not share it. Its name
 * ends in a number that changes with the layout, so files compiled with different layouts do not
 * share it either.
 */
struct ue__state {
	int fd;		     /* fd of the common file, plus one; 0 if it is not open */
	int closed_fd;	     /* former fd of the common file, set after the program closed it */
	int lock;	     /* thread id of the lock holder, or 0 */
	int flags;	     /* bitmask of UE__REGISTRATION_TRIED ... */
	uint32_t serial;     /* serial number of the newest event */
	uint32_t spare_word; /* second enable word, used for reopening; see ue__register() */
	struct ue_event *list;
	struct ue__i_hook *hooks;
	char path[512];	  /* path of the common file; "" after ue_use_fd() */
	uint64_t file[2]; /* device and inode of the common file; zeros if unknown */
	/*
	 * Counters of ue_status(). They have the size of a word, because 64-bit atomics may need
	 * libatomic.
	 */
	size_t cut, failed, large, unprobed /* counted by user_events_probe.h */, lost;
	int reopen_error; /* error of the last attempt to reopen the file, or 0 */
	/* First failed event, its error and the reason. */
	int error;
	enum ue__reason reason;
	char name[64], detail[64];
};
UE__I_DEFINE_ONE(struct ue__state, ue__state_v1)

/*
 * Read and store an fd. Events and the state are initially zero, so fds and indexes are stored plus
 * one, and 0 means that there is none. Acquire and release ordering is needed because events are
 * written without the lock.
 */
UE__I_FN int ue__fd(const int *stored)
{
	return __atomic_load_n(stored, __ATOMIC_ACQUIRE) - 1;
}

UE__I_FN void ue__store_fd(int *stored, int fd)
{
	__atomic_store_n(stored, fd < 0 ? 0 : fd + 1, __ATOMIC_RELEASE);
}
/* Bounds of the linker section with pointers to all declared events. NULL if there are no sites. */
UE__I_C_LINKAGE struct ue_event *const __start_ue_events_v1[] UE__ONE_COPY;
UE__I_C_LINKAGE struct ue_event *const __stop_ue_events_v1[] UE__ONE_COPY;
UE__I_C_LINKAGE long ue__i_libc_syscall(long number,
					...) __asm__("syscall"); /* strict modes hide syscall() */

/* Evaluates a call of libc. Returns its result, or -errno. Preserves errno. */
#define UE__I_SYSTEM(call)                      \
	__extension__({                         \
		int ue__errno = errno;          \
		long ue__result = (long)(call); \
		if (ue__result < 0)             \
			ue__result = -errno;    \
		errno = ue__errno;              \
		ue__result;                     \
	})

/*
 * Makes a system call with three arguments. Returns -errno on failure and preserves errno. Unlike
 * open() and write() in libc, this is not a cancellation point. Compared with libc's syscall(), the
 * inline instruction makes an event with four scalars 2 % faster.
 */
UE__I_FN long ue__i_syscall3(long number, long a, long b, long c)
{
#ifdef __x86_64__
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "0"(number), "D"(a), "S"(b), "d"(c)
			 : "rcx", "r11", "memory");
	return result;
#else
	return UE__I_SYSTEM(ue__i_libc_syscall(number, a, b, c));
#endif
}

/* Sleeps for NS nanoseconds. */
UE__COLD void ue__i_sleep(long ns)
{
	long time[2] = { 0, ns }; /* layout of struct timespec */

	ue__i_syscall3(SYS_nanosleep, (long)time, 0, 0);
}

/*
 * Takes the lock if it is free, or if the lock holder is not a thread of this process. This happens
 * in a child of fork(), if another thread of the parent held the lock, and after the lock holder
 * has been cancelled. If the holder's thread ID has been reused in the meantime, the lock stays
 * taken until that new thread ends.
 *
 * If the lock holder has the same thread ID as the caller, the result depends on MAY_WAIT:
 *
 *	false	The caller may be a signal handler that interrupted the lock holder. Handlers never
 *		wait, so the lock is not taken.
 *	true	The lock was copied from a parent in another PID namespace. It is taken.
 */
UE__COLD bool ue__try_lock(bool may_wait)
{
	int me = (int)ue__i_syscall3(SYS_gettid, 0, 0, 0), holder = UE__I_LOAD(&ue__state_v1.lock);

	if (holder && !(may_wait && holder == me)) {
		int process = (int)ue__i_syscall3(SYS_getpid, 0, 0, 0);

		if (ue__i_syscall3(SYS_tgkill, process, holder, 0) != -ESRCH)
			return false;
	}
	return __atomic_compare_exchange_n(&ue__state_v1.lock, &holder, me, false, __ATOMIC_ACQUIRE,
					   __ATOMIC_RELAXED);
}

/*
 * Takes the lock. Sleeps between attempts so that a lock holder with a lower priority can run. A
 * sleep of 50 us is short enough to acquire the lock even if another thread registers events in a
 * loop and releases the lock only briefly.
 */
UE__OUT_OF_LINE void ue__i_lock(void)
{
	while (!ue__try_lock(true))
		ue__i_sleep(50000);
}

UE__I_FN void ue__i_unlock(void)
{
	__atomic_store_n(&ue__state_v1.lock, 0, __ATOMIC_RELEASE);
}

/* * ---- System calls ---- */

/*
 * System calls of the library. If the program defines UE_SYS_... macros, these are used instead.
 * The fds of a UE_SYS_OPEN may be virtual, so they are neither moved nor compared.
 */
#if defined(UE_SYS_OPEN) && !defined(UE__KERNEL_FDS) /* defined by tests whose fds are real */
#define UE__FOREIGN_FDS
#endif

/*
 * Constants of <fcntl.h>, which is not included because it would define struct iovec, as
 * <linux/uio.h> does. The values are valid on x86, arm, aarch64, riscv, powerpc and s390.
 */
enum {
	UE__RDONLY = 0,
	UE__WRONLY = 1,
	UE__ACCESS_MODE = 3,
	UE__NOCTTY = 0400,
	UE__NONBLOCK = 04000,
	UE__I_CLOEXEC = 02000000,
	UE__CURRENT_DIRECTORY = -100, /* AT_FDCWD */
	UE__I_MAP_ANONYMOUS = 0x20,   /* MAP_ANONYMOUS, for other headers of this library */
	UE__GET_FLAGS = 3,	      /* F_GETFL */
	UE__DUPLICATE = 1030	      /* F_DUPFD_CLOEXEC */
};

/*
 * By default, these macros call libc's syscall(). Like all UE_SYS_... macros, it returns -1 and
 * sets errno on failure.
 */
#ifndef UE_SYS_OPEN
#define UE_SYS_OPEN(path, flags) ue__i_libc_syscall(SYS_openat, UE__CURRENT_DIRECTORY, path, flags)
#endif
#ifndef UE_SYS_CLOSE
#define UE_SYS_CLOSE(fd) ue__i_libc_syscall(SYS_close, fd)
#endif
#ifndef UE_SYS_READ
#define UE_SYS_READ(fd, buffer, size) ue__i_libc_syscall(SYS_read, fd, buffer, size)
#endif
#ifndef UE_SYS_IOCTL
#define UE_SYS_IOCTL(fd, request, argument) ue__i_libc_syscall(SYS_ioctl, fd, request, argument)
#endif

/*
 * Opens PATH without blocking and without making it the controlling terminal, because in a chroot()
 * PATH may be a FIFO or a terminal.
 */
UE__COLD int ue__open(const char *path, int access)
{
	int flags = access | UE__I_CLOEXEC | UE__NONBLOCK | UE__NOCTTY;

	return (int)UE__I_SYSTEM(UE_SYS_OPEN(path, flags));
}

UE__COLD void ue__close(int fd)
{
	(void)UE__I_SYSTEM(UE_SYS_CLOSE(fd));
}

UE__COLD int ue__ioctl(int fd, unsigned long request, void *argument)
{
	return (int)UE__I_SYSTEM(UE_SYS_IOCTL(fd, request, argument));
}

UE__COLD int ue__fcntl(int fd, int command, long argument)
{
#ifdef UE__FOREIGN_FDS
	(void)fd, (void)command, (void)argument;
	return -ENOSYS;
#else
	return (int)ue__i_syscall3(SYS_fcntl, fd, command, argument);
#endif
}

/*
 * Writes all segments with one system call. For one segment, write() costs 10 % less than writev().
 */
UE__I_FN long ue__write(int fd, const struct ue__i_iovec *iov, int count)
{
	if (count == 1)
#ifdef UE_SYS_WRITE
		return UE__I_SYSTEM(UE_SYS_WRITE(fd, iov->iov_base, iov->iov_len));
#else
		return ue__i_syscall3(SYS_write, fd, (long)iov->iov_base, (long)iov->iov_len);
#endif
#ifdef UE_SYS_WRITEV
	return UE__I_SYSTEM(UE_SYS_WRITEV(fd, (const struct iovec *)(const void *)iov, count));
#else
	return ue__i_syscall3(SYS_writev, fd, (long)iov, count);
#endif
}

/* * ---- Text buffers ---- */

/*
 * Text in a buffer of fixed size. The text is always NUL-terminated, and the excess is dropped.
 *
 * ue__i_put(), ue__i_put_bytes() and ue__i_put_number() append text to such a buffer. The functions
 * that store bytes of an event take and return a position instead; see "Packing: fast path".
 */
struct ue__i_text {
	char *buffer;
	size_t size, length; /* LENGTH also counts dropped bytes */
};

UE__I_FN struct ue__i_text ue__i_text_in(char *buffer, size_t size)
{
	struct ue__i_text t = { buffer, size, 0 };

	if (size)
		buffer[0] = '\0';
	return t;
}

UE__COLD void ue__i_put_bytes(struct ue__i_text *t, const char *s, size_t n)
{
	size_t space = t->length + 1 < t->size ? t->size - 1 - t->length : 0;
	size_t fits = n < space ? n : space;

	if (fits) {
		memcpy(t->buffer + t->length, s, fits);
		t->buffer[t->length + fits] = '\0';
	}
	t->length += n;
}

UE__COLD void ue__i_put(struct ue__i_text *t, const char *s)
{
	ue__i_put_bytes(t, s, strlen(s));
}

UE__COLD void ue__i_put_number(struct ue__i_text *t, uint64_t n, unsigned int base)
{
	char digits[24];
	size_t i = sizeof(digits);

	do {
		digits[--i] = "0123456789abcdef"[n % base];
		n /= base;
	} while (n);
	ue__i_put_bytes(t, digits + i, sizeof(digits) - i);
}

#endif /* UE_DISABLE; user_events_capture.h uses the rest of this chapter even then */

UE__I_FN bool ue__is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Returns true if an identifier may contain C. Unlike isalnum(), ignores the locale. */
UE__I_FN bool ue__is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || ue__is_digit(c) || c == '_';
}

/* Returns true if the N bytes at S are a C identifier. */
UE__I_FN bool ue__i_is_identifier(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && ue__is_word(s[i]))
		i++;
	return n > 0 && i == n && !ue__is_digit(s[0]);
}

/* * ---- Definitions ---- */

/*
 * Creates and checks definitions. A definition is the text "name type field; type field" that
 * registers an event. It is generated from a descriptor or passed by the program.
 *
 * The kernel accepts definitions that no tracer can use: empty names and fields, names with '/' or
 * '-', and duplicate field names. The library rejects these. Only the kernel checks types, because
 * newer kernels may support more types.
 */
#ifndef UE_DISABLE

/* Words of one field. The name is the last word, except in "struct TYPE NAME SIZE". */
enum { UE__FIELD_WORDS = 6 }; /* one more than the maximum in a valid field */
struct ue__i_field_words {
	const char *word[UE__FIELD_WORDS];
	size_t length[UE__FIELD_WORDS];
	size_t words, name; /* number of words, and index of the name */
};

/* Splits the field at P into words. Returns its end: the next ';' or the end of the text. */
UE__COLD const char *ue__i_split_field(const char *p, struct ue__i_field_words *f)
{
	size_t n;

	for (f->words = 0;; p += n) {
		while (*p == ' ')
			p++;
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

/*
 * Checks field F. Its name must differ from the names of the first INDEX fields of the definition,
 * which start at FIELDS.
 */
UE__COLD enum ue__reason ue__check_field(const struct ue__i_field_words *f, const char *fields,
					 size_t index)
{
	const char *name;
	size_t n, i;

	if (f->name == 0 || f->words == UE__FIELD_WORDS)
		return UE__BAD_FIELD;
	name = f->word[f->name];
	n = f->length[f->name];
	if (!ue__i_is_identifier(name, n))
		return UE__BAD_FIELD_NAME;
	if (n >= 7 && memcmp(name, "common_", 7) == 0)
		return UE__COMMON_NAME;
	for (i = 0; i < index; i++) {
		struct ue__i_field_words other;

		fields = ue__i_split_field(fields, &other) + 1;
		if (other.length[other.name] == n && memcmp(other.word[other.name], name, n) == 0)
			return UE__SAME_NAMES;
	}
	return UE__NO_REASON;
}

/*
 * Copies SPEC to OUT in normal form, because only some kernels ignore spacing when they compare
 * definitions. In normal form, words are separated by one space and fields by "; ". On failure,
 * DETAIL is the first 63 bytes of the invalid field.
 */
UE__COLD enum ue__reason ue__check_spec(const char *spec, char out[UE__F_SPEC_SIZE],
					char detail[64])
{
	struct ue__i_text t = ue__i_text_in(out, UE__F_SPEC_SIZE), d = ue__i_text_in(detail, 64);
	size_t name = strcspn(spec, " "), index, i;
	const char *field = spec + name, *end;
	struct ue__i_field_words f;
	enum ue__reason reason;

	/* a set's name need not be an identifier */
	if (!ue__i_is_identifier(spec, name) &&
	    (!name || strcspn(spec, "\t\n:/") < name || strcmp(field, " " UE__F_SET_FIELDS) != 0))
		return UE__BAD_NAME;
	if (name == 6 && (memcmp(spec, "enable", 6) == 0 || memcmp(spec, "filter", 6) == 0))
		return UE__RESERVED_NAME;
	ue__i_put_bytes(&t, spec, name);
	for (index = 0; *field && t.length < UE__F_SPEC_SIZE; index++) {
		end = ue__i_split_field(field, &f);
		if (f.words == 0 && *end == '\0')
			break; /* "name " and "name u32 a; " have trailing spaces */
		reason = ue__check_field(&f, spec + name, index);
		if (reason) {
			if (f.words)
				ue__i_put_bytes(&d, f.word[0], (size_t)(end - f.word[0]));
			return reason;
		}
		for (i = 0; i < f.words; i++) {
			ue__i_put(&t, i || !index ? " " : "; ");
			ue__i_put_bytes(&t, f.word[i], f.length[i]);
		}
		field = *end ? end + 1 : end;
	}
	return t.length < UE__F_SPEC_SIZE ? UE__NO_REASON : UE__TOO_LONG;
}

/* Appends TYPE in the kernel's notation, such as "u32", "char[16]" or "__rel_loc u8[]". */
UE__COLD void ue__i_put_type(struct ue__i_text *t, uint32_t type)
{
	bool fixed = UE__F_IS_FIXED(type), data = (type & UE__F_T_DATA) != 0;

	ue__i_put(t, fixed ? "" : "__rel_loc ");
	if (UE__F_IS_CHARS(type)) {
		ue__i_put(t, "char");
	} else if (fixed && data) {
		ue__i_put(t, "unsigned char");
	} else {
		ue__i_put(t, UE__F_IS_SIGNED(type) && UE__F_KIND_OF(type) <= UE__KIND_VALUE64
				     ? "s"
				     : "u");
		ue__i_put_number(t, (uint64_t)8 << UE__F_LOG2_OF(type), 10);
	}
	ue__i_put(t, data ? "[" : "");
	if (fixed && data)
		ue__i_put_number(t, UE__F_LENGTH_OF(type), 10);
	ue__i_put(t, data ? "]" : "");
}

/* Creates the definition of an event set. Returns -EINVAL if readers could not parse its name. */
UE__COLD int ue__i_set_spec(char out[UE__F_SPEC_SIZE], const char *provider, unsigned int level,
			    uint64_t keyword, const char *group)
{
	struct ue__i_text t = ue__i_text_in(out, UE__F_SPEC_SIZE);
	const char *g = group ? group : "";
	bool is_group = !(*g >= 'A' && *g <= 'Z');
	char last = is_group ? 'G' : 0; /* letter of the previous option */

	ue__i_put(&t, provider);
	ue__i_put(&t, "_L");
	ue__i_put_number(&t, level, 16);
	ue__i_put(&t, "K");
	ue__i_put_number(&t, keyword, 16);
	ue__i_put(&t, *g && is_group ? "G" : "");
	ue__i_put(&t, g);
	for (; *g; g++) { /* options are sorted by letter */
		if (*g >= 'A' && *g <= 'Z' && *g > last)
			last = *g;
		else if (!(*g >= 'a' && *g <= 'z') && !ue__is_digit(*g))
			break;
	}
	if (t.length > 255 /* limit of EventHeader */ || *g || level < 1 || level > 255)
		return -EINVAL;
	if (!*provider || provider[strcspn(provider, " \t\n:/")])
		return -EINVAL;
	ue__i_put(&t, " " UE__F_SET_FIELDS);
	return 0;
}

UE__I_FN const uint32_t *ue__types(const struct ue__f_desc *d)
{
	return (const uint32_t *)(const void *)(d + 1);
}

UE__I_FN const struct ue__i_callbacks *ue__callbacks_of(const struct ue__f_desc *d)
{
	return (const struct ue__i_callbacks *)(const void *)(d + 1);
}

/*
 * Creates a definition from a descriptor in which the text "name;field;field;" follows the types.
 */
UE__COLD int ue__types_spec(const struct ue__f_desc *d, char out[UE__F_SPEC_SIZE])
{
	const uint32_t *type = ue__types(d);
	const char *p = (const char *)(type + d->types + 1), *separator = " ";
	struct ue__i_text t = ue__i_text_in(out, UE__F_SPEC_SIZE);
	size_t n = strcspn(p, ";");

	ue__i_put_bytes(&t, p, n);
	for (; *type; type++) {
		p += n + 1;
		n = strcspn(p, ";");
		ue__i_put(&t, separator);
		ue__i_put_type(&t, *type);
		ue__i_put(&t, " ");
		ue__i_put_bytes(&t, p, n);
		separator = "; ";
	}
	return t.length < UE__F_SPEC_SIZE ? 0 : -E2BIG;
}

/*
 * Creates the definition of EVENT. Returns 0, -E2BIG if it is too long, -EINVAL for an invalid set,
 * or -ENOENT if EVENT is an unregistered run-time event.
 */
UE__COLD int ue__i_spec(const struct ue_event *event, char out[UE__F_SPEC_SIZE])
{
	const struct ue__f_desc *d = __atomic_load_n(&event->desc, __ATOMIC_ACQUIRE);
	struct ue__i_text t = ue__i_text_in(out, UE__F_SPEC_SIZE);
	const char *provider;
	uint64_t keyword;

	if (!d)
		return -ENOENT;
	switch (d->variant) {
	case UE__F_DESC_KERNEL:
		return ue__types_spec(d, out);
	case UE__F_DESC_SET:
		memcpy(&keyword, d + 1, sizeof(keyword));
		provider = (const char *)(d + 1) + sizeof(keyword);
		return ue__i_set_spec(out, provider, event->level, keyword,
				      provider + strlen(provider) + 1);
	case UE__F_DESC_CALLBACKS:
		return ue__callbacks_of(d)->spec(out, ue__callbacks_of(d)->name);
	case UE__F_DESC_PROBE:
		ue__i_put(&t, ue__callbacks_of(d)->name);
		return 0;
	default: /* UE__DESC_TEXT */
		ue__i_put(&t, (const char *)(d + 1));
		return 0;
	}
}

/* * ---- The data file ---- */

/*
 * Finds, opens, moves and compares user_events_data. All declared events share the fd of the common
 * file. A program may close fds that it did not open, and its next open() may then return the same
 * number. Three rules protect the program's files:
 *
 * - The library's fds are near the upper end of the first 4096 numbers, which programs rarely use.
 * - Before an fd is used for a registration or closed, its device and inode are compared with the
 *   file that was opened. Writing an event skips this check, which would take a third as long as
 *   the write.
 * - The first event that finds its file closed reopens it.
 *
 * One risk remains. If the program closes the fd and reuses its number, an event written before the
 * library notices may go to the program's file; see "Events".
 */
/*
 * struct user_reg and struct user_unreg of <linux/user_events.h>, which older systems do not have.
 */
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
	uint8_t reserved;
	uint16_t reserved2;
	uint64_t disable_addr;
} __attribute__((__packed__));
/*
 * DIAG_IOCSREG, DIAG_IOCSDEL and DIAG_IOCSUNREG of <linux/user_events.h>, which older systems lack.
 * These request codes encode the size of a pointer, so a 64-bit kernel rejects the requests of a
 * 32-bit program with -ENOTTY.
 */
#define UE__IOCTL_REGISTER _IOWR('*', 0, struct ue__reg *)
#define UE__IOCTL_DELETE _IOW('*', 1, char *)
#define UE__IOCTL_UNREGISTER _IOW('*', 2, struct ue__unreg *)

/* Reads the device and inode of FD. Returns -EBADF if FD is closed. */
UE__COLD int ue__identify(int fd, uint64_t file[2])
{
#ifdef UE__FOREIGN_FDS
	(void)fd, file[0] = file[1] = 0;
	return -ENOSYS;
#else
	struct stat status;
	int error = (int)UE__I_SYSTEM(fstat(fd, &status));

	file[0] = error ? 0 : (uint64_t)status.st_dev;
	file[1] = error ? 0 : (uint64_t)status.st_ino;
	return error;
#endif
}

/* Returns true if FD still refers to the file that was opened, or if that cannot be determined. */
UE__COLD bool ue__is_ours(int fd)
{
	const uint64_t *ours = ue__state_v1.file;
	uint64_t now[2];
	int error = ue__identify(fd, now);

	if (error < 0 || !ours[1]) /* EOVERFLOW: a large file of the program, on a 32-bit machine */
		return error != -EBADF && error != -EOVERFLOW;
	return now[0] == ours[0] && now[1] == ours[1];
}

/* Closes a stored fd, unless it now refers to another file, and clears it. */
UE__COLD void ue__close_stored(int *stored)
{
	int fd = ue__fd(stored);

	if (fd >= 0 && ue__is_ours(fd))
		ue__close(fd);
	ue__store_fd(stored, -1);
}

/*
 * Moves FD to a number that the program is unlikely to use: the last eighth of the numbers below
 * the soft limit, or below 4096 if the limit is higher. Higher numbers would be expensive, because
 * fork() copies a table with 8 bytes for each number up to the highest in use. If no number in this
 * range is free, the common file (OWN is false) uses the first free number above 2.
 *
 * If the program closed a common file with a number in the lower half of that range, the upper half
 * is tried first. The reason is that another thread may still be writing to the old number, and
 * that other libraries, whose files were closed too, may be using the adjacent numbers.
 *
 * Returns the new fd. Returns -EMFILE if no number is free, and leaves FD open. Returns -EBADF if
 * the program has closed FD in the meantime.
 */
UE__COLD int ue__move_up(int fd, bool own)
{
	struct rlimit limit;
	int top = 4096, closed = ue__state_v1.closed_fd, from[3], i, moved = -EMFILE;

	if (UE__I_SYSTEM(getrlimit(RLIMIT_NOFILE, &limit)) == 0 && limit.rlim_cur < 4096)
		top = (int)limit.rlim_cur;
	from[1] = top - top / 8;
	from[0] = closed >= from[1] && closed < top - top / 16 ? top - top / 16 : from[1];
	from[2] = 3; /* above standard input, output and error */
	for (i = 0; i < (own ? 2 : 3); i++) {
		/* duplicates FD to the first free number that is at least from[i] */
		moved = ue__fcntl(fd, UE__DUPLICATE, from[i]);
		if (moved == -ENOSYS) /* FD came from UE_SYS_OPEN */
			return fd;
		if (moved < 0)
			continue;
		ue__close(moved < top ? fd : moved);
		if (moved < top)
			return moved;
	}
	return moved == -EBADF ? moved : -EMFILE;
}

/*
 * Opens the stored path for writing, and moves the fd to a high number. OWN is true for the file of
 * a run-time event. Tries up to three times, because another thread of the program may close the
 * new fd before it is moved.
 */
UE__COLD int ue__open_path(bool own)
{
	int fd, moved, tries = 3;

	do {
		fd = ue__open(ue__state_v1.path, UE__WRONLY);
		moved = fd < 0 ? fd : ue__move_up(fd, own);
	} while (fd >= 0 && moved == -EBADF && --tries);
	if (moved == -EMFILE && fd >= 0)
		ue__close(fd);
	return moved;
}

/*
 * Opens user_events_data on the mount described by LINE of /proc/self/mounts. A line is "device
 * point type options", with \040 for a space in the mount point. Returns the fd or the error of
 * open(). Returns -ENOENT if the file system is neither tracefs nor debugfs, or the path is too
 * long.
 */
UE__COLD int ue__open_mount(const char *line)
{
	const char *p = line + strcspn(line, " "), *type = p + (*p != '\0');
	struct ue__i_text t = ue__i_text_in(ue__state_v1.path, sizeof(ue__state_v1.path));
	bool tracefs;
	int fd;

	type += strcspn(type, " ");
	tracefs = strncmp(type, " tracefs ", 9) == 0;
	if (!tracefs && strncmp(type, " debugfs ", 9) != 0)
		return -ENOENT;
	while (++p < type) {
		char c = *p;

		if (c == '\\' && type - p > 3) {
			c = (char)((p[1] - '0') << 6 | (p[2] - '0') << 3 | (p[3] - '0'));
			p += 3;
		}
		ue__i_put_bytes(&t, &c, 1);
	}
	ue__i_put(&t, tracefs ? "/user_events_data" : "/tracing/user_events_data");
	if (t.length >= t.size)
		return -ENOENT;
	fd = ue__open_path(false);
	return tracefs && fd == -ENOENT ? -EOPNOTSUPP : fd;
}

/*
 * Opens user_events_data on the first mount that has it. Reads up to 1 MiB of the list of mounts,
 * about 10,000 mounts. If no mount has the file, returns the error of the first tracefs, which is
 * -EOPNOTSUPP if only the file is missing. Allocates memory, so signal handlers must not call it.
 */
UE__COLD int ue__open_mounts(void)
{
	const size_t max_size = 1 << 20;
	char *text = (char *)malloc(max_size + 1), *line, *end;
	int file, fd = -ENOENT, error = -ENOENT;
	size_t size = 0;
	long n;

	if (!text)
		return -ENOMEM;
	file = ue__open("/proc/self/mounts", UE__RDONLY);
	while ((n = UE__I_SYSTEM(UE_SYS_READ(file, text + size, max_size - size))) > 0)
		size += (size_t)n;
	if (file >= 0)
		ue__close(file);
	text[size] = '\0';
	for (line = text; fd < 0 && (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		fd = ue__open_mount(line);
		error = error == -ENOENT ? fd : error;
	}
	free(text);
	return fd >= 0 ? fd : error;
}

#define UE__DEFAULT_PATH "/sys/kernel/tracing/user_events_data"

/* Opens user_events_data at its default path. If no tracefs is there, searches all mounts. */
UE__COLD int ue__open_data(void)
{
	struct ue__i_text t = ue__i_text_in(ue__state_v1.path, sizeof(ue__state_v1.path));
	int fd, events;

	ue__i_put(&t, UE__DEFAULT_PATH);
	fd = ue__open_path(false);
	if (fd != -ENOENT && fd != -ENOTDIR)
		return fd;
	/* every tracefs has "events", even if the kernel has no user_events */
	events = ue__open("/sys/kernel/tracing/events", UE__RDONLY);
	if (events == -ENOENT || events == -ENOTDIR)
		return ue__open_mounts();
	if (events >= 0)
		ue__close(events);
	return -EOPNOTSUPP;
}

/* Makes FD the common file. Returns FD. */
UE__COLD int ue__set_common_file(int fd)
{
	struct ue__state *s = &ue__state_v1;

	ue__identify(fd, s->file);
	UE__I_STORE(&s->reopen_error, 0);
	ue__store_fd(&s->fd, fd);
	return fd;
}

/* * ---- The event list ---- */

/*
 * List of the events of this program or library. The list is changed only with the lock held.
 * Declared events are added when they are first registered or searched for, and run-time events
 * when they are registered.
 */
enum { UE__LISTED = 1, UE__REGISTERED = 2, UE__MULTI = 4 }; /* bits of ue_event.state */

UE__I_FN bool ue__is_runtime(const struct ue_event *event)
{
	return event->desc && event->desc->variant == UE__DESC_TEXT;
}

/*
 * Sets the hook bit of EVENT if any hook receives it, or clears the bit. Assigns EVENT its serial
 * number if there is a hook.
 */
UE__COLD void ue__set_hook_bit(struct ue_event *event)
{
	struct ue__state *s = &ue__state_v1;
	struct ue__i_hook *hook;
	bool wanted = false;

	for (hook = s->hooks; hook; hook = hook->next) {
		if (!event->serial) {
			UE__I_STORE(&s->serial,
				    s->serial + 1); /* atomic, for readers without the lock */
			UE__I_STORE(&event->serial, s->serial);
		}
		wanted |= !hook->wants || hook->wants(hook, event);
	}
	if (wanted)
		__atomic_fetch_or(&event->enabled, UE__I_HOOK_BIT, __ATOMIC_RELEASE);
	else if (UE__I_LOAD(&event->enabled) & UE__I_HOOK_BIT)
		__atomic_fetch_and(&event->enabled, ~UE__I_HOOK_BIT, __ATOMIC_RELAXED);
}

UE__COLD void ue__list_add(struct ue_event *event)
{
	if (event->state & UE__LISTED)
		return;
	event->state |= UE__LISTED;
	event->next = ue__state_v1.list;
	ue__state_v1.list = event;
	if (ue__state_v1.hooks)
		ue__set_hook_bit(event);
}

/*
 * Adds all sites that are not in the list yet. Adds each site at the head, from the last to the
 * first, so the list is in the order of the sites.
 */
UE__COLD void ue__list_sites(void)
{
	struct ue_event *const *site;

	UE__I_HIDE_BOUNDS("ue_events_v1");
	for (site = __stop_ue_events_v1; site != __start_ue_events_v1; site--)
		ue__list_add(site[-1]);
}

/* * ---- Registration ---- */

/*
 * Registers an event, with the common file or with its own file. The caller holds the lock. The
 * kernel keeps two values for each registered event:
 *
 * - The enable word, in the process's memory. The kernel sets its bit 0 while a tracer has enabled
 *   the event. The word stays registered after the file is closed.
 * - The index, which identifies the event in a write(). It belongs to one open file.
 *
 * fork() copies both. exec() drops both. The kernel's errors for a registration are:
 *
 *	-EADDRINUSE	the word is registered already, or the name has other fields
 *	-EINVAL		the kernel rejects the fields, or does not know a flag
 *	-EMFILE		the number of events has reached kernel.user_events_max
 *	-ENOTTY		not user_events_data, or a 32-bit program on a 64-bit kernel
 *	-EPERM		UE_PERSIST without CAP_PERFMON
 */

/*
 * Values that a writer may read in place of an index. The kernel rejects both, because they are
 * negative.
 */
#define UE__NO_INDEX 0xffffffffu   /* not registered; only hooks receive the event */
#define UE__LOST_INDEX 0xfffffffeu /* file closed by the program; the event is counted as lost */

UE__I_FN bool ue__has_index(const struct ue_event *event)
{
	return event->index - 1 < UE__LOST_INDEX;
}

/*
 * Records a failure for ue_status(), and returns ERROR. Only the first failure is kept, until the
 * next ue_register_all() or ue_event_register(). While the file cannot be reopened, no failure is
 * recorded, because every failure would then be a consequence of the closed file.
 */
UE__COLD int ue__fail(int error, enum ue__reason reason, const char *name, const char *detail)
{
	struct ue__state *s = &ue__state_v1;
	struct ue__i_text t;

	if (s->error || s->reopen_error)
		return error;
	s->error = error;
	s->reason = reason;
	t = ue__i_text_in(s->name, sizeof(s->name));
	ue__i_put_bytes(&t, name, strcspn(name, " "));
	t = ue__i_text_in(s->detail, sizeof(s->detail));
	ue__i_put(&t, detail);
	return error;
}

/*
 * Registers the event SPEC with file FD, and bit 0 of WORD as its enable bit. Returns the index.
 * Removes from FLAGS the flags that an older kernel rejects: first UE_MULTI_FORMAT, then
 * UE_PERSIST.
 */
UE__COLD int ue__register_word(int fd, uint32_t *word, const char *spec, unsigned int *flags)
{
	struct ue__reg reg;
	int error;

	memset(&reg, 0, sizeof(reg));
	reg.size = sizeof(reg);
	reg.enable_size = sizeof(*word);
	reg.enable_addr = (uint64_t)(uintptr_t)word;
	reg.name_args = (uint64_t)(uintptr_t)spec;
	for (;;) {
		reg.flags = (uint16_t)*flags;
		error = ue__ioctl(fd, UE__IOCTL_REGISTER, &reg);
		if (error != -EINVAL || !*flags)
			return error < 0 ? error : (int)reg.write_index;
		if (*flags & UE_MULTI_FORMAT)
			*flags &= ~UE_MULTI_FORMAT;
		else
			*flags = 0;
	}
}

/* Returns the fd of a run-time event, or -1 if the event has no fd or the program closed it. */
UE__COLD int ue__own_fd(const struct ue_event *event)
{
	int fd = ue__fd(&event->fd);

	return fd >= 0 && ue__is_ours(fd) ? fd : -1;
}

/* Unregisters WORD. FD may be any open user_events_data. */
UE__COLD int ue__unregister_word(int fd, uint32_t *word)
{
	struct ue__unreg unreg;

	memset(&unreg, 0, sizeof(unreg));
	unreg.size = sizeof(unreg);
	unreg.disable_addr = (uint64_t)(uintptr_t)word;
	return ue__ioctl(fd, UE__IOCTL_UNREGISTER, &unreg);
}

/*
 * Registers EVENT with FD. SPEC is its checked definition. If the name exists with other fields,
 * the event becomes multi-format.
 *
 * If the program closed the event's file, the event only needs an index for the new file. Its
 * enable word is still registered, so bit 0 stays correct. To obtain an index, the spare word is
 * registered and immediately unregistered. The kernel continues to accept that index.
 */
UE__COLD int ue__register(int fd, struct ue_event *event, const char *spec, unsigned int flags)
{
	bool needs_word = !(event->state & UE__REGISTERED);
	uint32_t *word = needs_word ? &event->enabled : &ue__state_v1.spare_word;
	int index = ue__register_word(fd, word, spec, &flags), tries;
	bool word_was_registered = true;

	/*
	 * -EADDRINUSE has two causes: the word is registered, or the name has other fields.
	 * Unregistering the word distinguishes them, because it fails in the second case. It
	 * succeeds in two cases:
	 *
	 * - fork() copied a registration that another thread was making.
	 * - The word was unregistered while its page was copy-on-write, as after fork(). Then each
	 *   unregistration succeeds, but the next registration fails, until the kernel's worker has
	 *   copied the page (seen on Linux 6.12).
	 *
	 * In the copy-on-write case, the attempts must be separated by sleeps. Code that writes an
	 * event must not sleep. It only registers the spare word, so it makes one attempt.
	 */
	for (tries = 0;
	     index == -EADDRINUSE && word_was_registered && tries < (needs_word ? 50 : 1);
	     tries++) {
		word_was_registered = ue__unregister_word(fd, word) >= 0;
		if (tries)
			ue__i_sleep(1000000);
		index = ue__register_word(fd, word, spec, &flags);
	}
	if (index == -EADDRINUSE && word_was_registered)
		return -EAGAIN;
	if (index == -EADDRINUSE) {
		flags |= UE_MULTI_FORMAT;
		index = ue__register_word(fd, word, spec, &flags);
		if (index < 0) /* older kernels return various errors for this flag */
			return -EADDRINUSE;
	}
	if (index < 0)
		return index;
	if (!needs_word)
		ue__unregister_word(fd, word);
	__atomic_store_n(&event->index, (uint32_t)index + 1, __ATOMIC_RELEASE);
	event->state |= UE__REGISTERED;
	if (flags & UE_MULTI_FORMAT)
		event->state |= UE__MULTI;
	return 0;
}

/*
 * Registers EVENT with its own file, or with COMMON if it has none. Does nothing if EVENT is
 * already registered.
 */
UE__COLD int ue__register_event(int common, struct ue_event *event)
{
	char spec[UE__F_SPEC_SIZE], checked[UE__F_SPEC_SIZE], detail[64] = "";
	enum ue__reason reason;
	unsigned int flags;
	int error, own;

	if (event->desc->variant == UE__F_DESC_PROBE || ue__has_index(event))
		return 0;
	error = ue__i_spec(event, spec);
	if (error < 0)
		reason = error == -EINVAL ? UE__BAD_SET : UE__TOO_LONG;
	else
		reason = ue__check_spec(spec, checked, detail);
	if (reason)
		return ue__fail(-EINVAL, reason, spec, detail);
	own = ue__own_fd(event);
	if (own < 0) /* after fork(), this number may not be open in the child */
		ue__store_fd(&event->fd, -1);
	flags = ue__is_runtime(event) ? event->desc->flags : 0;
	/* a persistent event stays persistent without UE_PERSIST, which would need CAP_PERFMON */
	if (event->state & UE__REGISTERED)
		flags = event->state & UE__MULTI ? UE_MULTI_FORMAT : 0;
	error = ue__register(own < 0 ? common : own, event, checked, flags);
	return error < 0 ? ue__fail(error, UE__REGISTER_FAILED, spec, "") : 0;
}

/* * ---- Reopening ---- */

/*
 * Why: the library opens its file before main(), and daemons close all fds when they start
 * (daemon(), closefrom()). Without reopening, such a program would lose all events until it calls
 * ue_register_all(). It might even write them to a file that reuses the fd.
 *
 * When: the write() of an enabled event fails with EBADF or ENOENT. Disabled events and successful
 * writes never reach this code, so an open file costs no check.
 *
 * Cost: the thread whose write failed reopens the file and registers each event again with two
 * ioctl() calls. This is safe in a signal handler, because it makes only system calls, and uses
 * neither malloc() nor locks of libc. Reopening starts only if the lock is free. Otherwise, the
 * event is counted as lost. Events that other threads write during reopening are also counted as
 * lost. If reopening fails, it is retried after every UE__LOST_PER_RETRY lost events.
 *
 * Safety: a writer reads the fd first, then the index. Reopening clears all indexes before it
 * stores the new fd. An index is therefore never used with the wrong file.
 */

/*
 * Reopens the common file if the program closed it, and registers all events that lost their index.
 * Run-time events whose own file was closed use the common file from then on. Other threads may
 * write events at the same time. Makes two ioctl() calls per event.
 *
 * Returns the fd of the common file, or the error of opening it. Returns -ENOTTY if another file is
 * at its path, as in a chroot().
 */
UE__COLD int ue__reopen(void)
{
	struct ue__state *s = &ue__state_v1;
	int fd = ue__fd(&s->fd), error, result = 0;
	bool lost = fd < 0 || !ue__is_ours(fd);
	struct ue_event *event;

	UE__I_STORE(&s->reopen_error,
		    -EBADF); /* until this pass is complete, because fork() may copy the state */
	for (event = s->list; event; event = event->next) {
		if (event->fd ? ue__own_fd(event) >= 0 : !lost)
			continue;
		if (event->state & UE__REGISTERED)
			__atomic_store_n(&event->index, UE__LOST_INDEX + 1, __ATOMIC_RELEASE);
		ue__store_fd(&event->fd, -1);
	}
	if (lost) {
		s->closed_fd = fd < 0 ? s->closed_fd : fd;
		ue__store_fd(&s->fd, -1);
		result = fd = *s->path ? ue__open_path(false) : -EBADF;
		if (fd >= 0 && !ue__is_ours(fd)) {
			ue__close(fd);
			result = fd = -ENOTTY;
		}
		ue__store_fd(&s->fd, fd);
	}
	for (event = s->list; event && fd >= 0; event = event->next) {
		if (!(event->state & UE__REGISTERED) || ue__has_index(event))
			continue;
		error = ue__register_event(fd, event);
		result = error < 0 ? error : result;
	}
	UE__I_STORE(&s->reopen_error, result < 0 ? result : 0);
	return fd;
}

/* Returns the fd of the common file. Opens the file if necessary. */
UE__COLD int ue__common_fd(void)
{
	struct ue__state *s = &ue__state_v1;
	int fd = ue__fd(&s->fd);

	if (s->reopen_error || (fd >= 0 && !ue__is_ours(fd)))
		return ue__reopen();
	if (fd >= 0)
		return fd;
	fd = ue__open_data();
	return fd < 0 ? fd : ue__set_common_file(fd);
}

/*
 * Returns the fd of the common file, or -1 if it has not been opened. For unregistering, which must
 * not open a file.
 */
UE__COLD int ue__common_fd_if_open(void)
{
	return ue__state_v1.fd || ue__state_v1.reopen_error ? ue__common_fd() : -1;
}

/* * ---- Loading and unloading ---- */

/*
 * Registers and unregisters all declared events. This happens when the program calls these
 * functions, when the program or library is loaded, and at dlclose().
 */

UE__I_API int ue_register_all(void)
{
	struct ue__state *s = &ue__state_v1;
	int fd = 0, first = 0, error;
	struct ue_event *event;

	ue__i_lock();
	__atomic_fetch_or(&s->flags, UE__REGISTRATION_TRIED, __ATOMIC_RELAXED);
	s->error = 0;
	ue__list_sites();
	event = s->list;
	if (event)
		fd = ue__common_fd();
	if (fd < 0)
		first = ue__fail(fd, UE__OPEN_FAILED, "", "");
	for (; event && fd >= 0 && !s->reopen_error; event = event->next) {
		error = ue__register_event(fd, event);
		first = first ? first : error;
	}
	first = s->reopen_error ? s->reopen_error : first;
	ue__i_unlock();
	return first;
}

/*
 * Removes a run-time event from the list, clears it, notifies the hooks, closes its file and frees
 * its text. No other thread may still use the event; see ue_event_unregister().
 */
UE__COLD void ue__remove_runtime(struct ue_event *event)
{
	struct ue__f_desc *d = (struct ue__f_desc *)(uintptr_t)event->desc;
	struct ue_event **link = &ue__state_v1.list;
	struct ue__i_hook *hook;

	while (*link && *link != event)
		link = &(*link)->next;
	if (*link)
		*link = event->next;
	event->next = NULL;
	event->state &= (uint8_t)~UE__LISTED;
	__atomic_store_n(&event->desc, (const struct ue__f_desc *)NULL, __ATOMIC_RELEASE);
	for (hook = ue__state_v1.hooks; hook; hook = hook->next)
		if (hook->gone)
			hook->gone(hook, event);
	UE__I_STORE(&event->enabled, 0u);
	UE__I_STORE(&event->index, 0u);
	UE__I_STORE(&event->serial, 0u);
	ue__close_stored(&event->fd);
	free(d);
}

/*
 * Unregisters EVENT with FD, which is any open user_events_data. If FD is negative, uses the
 * event's own file. The kernel must release the enable word before the program frees it.
 *
 * Returns -ENOENT if EVENT is not registered. Returns -EBADF if there is no open file, unless FORCE
 * is true. ue_unregister_all() sets FORCE, because the program may call ue_use_fd() with another
 * file afterwards.
 */
UE__COLD int ue__unregister_event(int fd, struct ue_event *event, bool force)
{
	bool runtime = ue__is_runtime(event);

	if (!runtime && !(event->state & UE__REGISTERED))
		return -ENOENT;
	if (fd < 0)
		fd = ue__own_fd(event);
	if (fd < 0 && !force && (event->state & UE__REGISTERED))
		return -EBADF;
	UE__I_STORE(&event->index, 0u);
	event->state &= UE__LISTED;
	if (fd >= 0)
		ue__unregister_word(fd, &event->enabled);
	/* cleared here too, because the kernel clears its bit only if a file is open */
	__atomic_fetch_and(&event->enabled, ~UE__KERNEL_BIT, __ATOMIC_RELAXED);
	if (runtime)
		ue__remove_runtime(event);
	return 0;
}

UE__I_API void ue_unregister_all(void)
{
	struct ue__state *s = &ue__state_v1;
	struct ue_event *event, *next;
	int fd;

	ue__i_lock();
	fd = ue__common_fd_if_open();
	for (event = s->list; event; event = next) {
		next = event->next;
		ue__unregister_event(fd, event, true);
	}
	ue__i_unlock();
}

UE__I_API int ue_use_fd(int fd)
{
	struct ue__state *s = &ue__state_v1;
	int flags = fd < 0 ? -EBADF : ue__fcntl(fd, UE__GET_FLAGS, 0), error = 0;
	struct ue_event *event;

	/* -ENOSYS: the fd's flags are unknown */
	if (flags != -ENOSYS && (flags < 0 || (flags & UE__ACCESS_MODE) == UE__RDONLY))
		error = -EBADF;
	ue__i_lock();
	for (event = s->list; event; event = event->next)
		if (event->state & UE__REGISTERED)
			error = -EBUSY;
	if (error == 0 && (ue__fd(&s->fd) != fd || !ue__is_ours(fd))) {
		fd = ue__move_up(fd, false);
		if (fd < 0) {
			error = fd; /* the program's fd stays open and unchanged */
		} else {
			ue__close_stored(&s->fd);
			s->path[0] = '\0';
			ue__set_common_file(fd);
		}
	}
	ue__i_unlock();
	return error;
}

/*
 * A file that declares events adds an entry to the list of functions that the loader calls before
 * main(). Functions that write or register events contain the entry, so a file that only includes
 * this header adds none. With UE_SHARED, only the file with the implementation adds it.
 *
 * Code compiled with -fPIC may be in a library. Before dlclose() unmaps a library, its enable words
 * must be unregistered, or the kernel would write to unmapped memory. A library therefore also adds
 * an entry to the loader's list of functions to call at unloading.
 *
 * The loader also calls the functions of that list at exit(). Unregistering is then unnecessary,
 * because the kernel drops the enable words together with the process. It must also be avoided,
 * because a sandbox may forbid the system calls. Two checks distinguish exit() from dlclose():
 *
 * - A library that the program was linked with is never unloaded. The loader calls its constructor
 *   before main(), with a frame 80 to 490 bytes from the top of the stack on six machines. The
 *   frame of a constructor called by dlopen() is at least 1,800 bytes from the top.
 * - In all other cases the constructor registers an exit handler, which runs before the functions
 *   in the loader's list.
 */
#if defined(__PIC__) && !defined(__PIE__)
#define UE__IS_LIBRARY
/* Defined by glibc only. */
UE__I_C_LINKAGE char *ue__stack_end __asm__("__libc_stack_end") __attribute__((__weak__));
/*
 * Defined by every libc, for C++. __cxa_finalize() calls and removes the exit handlers that were
 * registered with this key.
 */
UE__I_C_LINKAGE int ue__add_exit_handler(void (*handler)(void *), void *argument,
					 void *key) __asm__("__cxa_atexit");
UE__I_C_LINKAGE void ue__run_exit_handlers(void *key) __asm__("__cxa_finalize");

UE__COLD void ue__stay_loaded(void *state)
{
	__atomic_fetch_or(&((struct ue__state *)state)->flags, UE__STAYS_LOADED, __ATOMIC_RELAXED);
}

/* Determines whether this library can be unloaded, or arranges to be notified at exit(). */
UE__OUT_OF_LINE void ue__watch_exit(void)
{
	struct ue__state *s = &ue__state_v1;
	char *frame = (char *)__builtin_frame_address(0);

	if (&ue__stack_end && (size_t)ue__stack_end - (size_t)frame < 512)
		ue__stay_loaded(s);
	else if (!(__atomic_fetch_or(&s->flags, UE__EXIT_HANDLER_ADDED, __ATOMIC_RELAXED) &
		   UE__EXIT_HANDLER_ADDED))
		ue__add_exit_handler(ue__stay_loaded, s, s);
}

/* Runs at dlclose() and at exit(). At dlclose(), no thread may still write events. */
UE__OUT_OF_LINE void ue__stop(void)
{
	if (UE__I_LOAD(&ue__state_v1.flags) & UE__STAYS_LOADED)
		return;
	ue__run_exit_handlers(&ue__state_v1);
	ue_unregister_all();
	ue__i_lock();
	ue__close_stored(&ue__state_v1.fd);
	ue__i_unlock();
}
#endif

UE__OUT_OF_LINE void ue__start(void)
{
#ifdef UE__IS_LIBRARY
	ue__watch_exit();
#endif
	if (!(UE__I_LOAD(&ue__state_v1.flags) & UE__REGISTRATION_TRIED))
		ue_register_all();
}

/*
 * Appends FUNCTION to an array of the loader. 101 is the first priority available to programs, so
 * the function runs before other constructors at start, and after other destructors at dlclose().
 * The '?' puts the entry in the section group of the surrounding code, so a linker that drops the
 * code drops the entry.
 */
#define UE__LOADER_ENTRY(array, function)                                 \
	__asm__ volatile(".pushsection ." array ".00101,\"aw?\",\"" array \
			 "\"\n" UE__I_ADDRESS UE__I_SYMBOL "[ue_entry]\n" \
			 ".popsection\n"                                  \
			 :                                                \
			 : [ue_entry] UE__I_PLACE_OF(function))
#if defined(UE_NO_AUTO_REGISTER)
#define UE__I_LOADER_ENTRIES ((void)0)
#elif defined(UE__IS_LIBRARY)
#define UE__I_LOADER_ENTRIES                       \
	UE__LOADER_ENTRY("init_array", ue__start); \
	UE__LOADER_ENTRY("fini_array", ue__stop)
#else
#define UE__I_LOADER_ENTRIES UE__LOADER_ENTRY("init_array", ue__start)
#endif

/* * ---- Run-time events ---- */

/*
 * Events that the program defines at run time. Each has its own file, because the kernel removes an
 * event only after the last file that registered it is closed. The removal happens shortly
 * afterwards, in the background. Until then, the name stays in use, and the event counts towards
 * kernel.user_events_max.
 */

/*
 * Registers EVENT, for the first time or after a failed registration. SPEC is its checked
 * definition.
 */
UE__COLD int ue__register_checked(struct ue_event *event, const char *spec, unsigned int flags)
{
	struct ue__f_desc *d = (struct ue__f_desc *)calloc(1, sizeof(*d) + strlen(spec) + 1);
	int fd, own, error;

	if (!d)
		return -ENOMEM;
	if (event->desc)
		ue__remove_runtime(event);
	d->variant = UE__DESC_TEXT;
	d->flags = (uint16_t)flags;
	memcpy(d + 1, spec, strlen(spec) + 1);
	__atomic_store_n(&event->desc, (const struct ue__f_desc *)d, __ATOMIC_RELEASE);
	fd = ue__common_fd();
	/* without a path (after ue_use_fd()), the event cannot have its own file */
	own = fd >= 0 && ue__state_v1.path[0] ? ue__open_path(true) : -1;
	/* stored before the kernel can enable the event, because writers then read it */
	ue__store_fd(&event->fd, own);
	error = fd < 0 ? ue__fail(fd, UE__OPEN_FAILED, "", "") : ue__register_event(fd, event);
	if (error == -EINVAL) /* permanent: the kernel will never accept the fields */
		ue__remove_runtime(event);
	else /* now that the file is stored, hooks may enable the event */
		ue__list_add(event);
	return error;
}

/* Registers EVENT. REASON is nonzero if the caller has already found an error in SPEC. */
UE__COLD int ue__register_runtime(struct ue_event *event, const char *spec, unsigned int flags,
				  unsigned int level, enum ue__reason reason)
{
	struct ue__state *s = &ue__state_v1;
	char checked[UE__F_SPEC_SIZE], detail[64] = "";
	int error, older;

	UE__I_LOADER_ENTRIES; /* a library with only run-time events needs them too */
	if (!reason && (flags & ~(UE_PERSIST | UE_MULTI_FORMAT)))
		reason = UE__BAD_FLAGS;
	if (!reason)
		reason = ue__check_spec(spec, checked, detail);
	ue__i_lock();
	older = s->error; /* kept if this call reports no failure */
	s->error = 0;
	if ((event->state & UE__REGISTERED) || (event->desc && !ue__is_runtime(event))) {
		error = -EALREADY; /* declared events are registered by ue_register_all() */
	} else if (reason) {
		error = ue__fail(-EINVAL, reason, spec, detail);
	} else {
		event->level = (uint8_t)level;
		error = ue__register_checked(event, checked, flags);
	}
	if (!s->error)
		s->error = older;
	ue__i_unlock();
	return error;
}

UE__I_API int ue_event_register(struct ue_event *event, const char *spec, unsigned int flags)
{
	return ue__register_runtime(event, spec ? spec : "", flags, 0, UE__NO_REASON);
}

UE__I_API int ue_event_unregister(struct ue_event *event)
{
	int error;

	ue__i_lock();
	error = ue__unregister_event(ue__common_fd_if_open(), event, false);
	ue__i_unlock();
	return error;
}

UE__I_API int ue_event_set_register(struct ue_event_set *set, const char *provider,
				    unsigned int level, uint64_t keyword, const char *group)
{
	char spec[UE__F_SPEC_SIZE];
	int error = ue__i_set_spec(spec, provider ? provider : "", level, keyword, group);

	return ue__register_runtime(&set->event, spec, 0, level,
				    error < 0 ? UE__BAD_SET : UE__NO_REASON);
}

UE__I_API int ue_event_set_unregister(struct ue_event_set *set)
{
	return ue_event_unregister(&set->event);
}

UE__I_API int ue_event_delete(const char *name)
{
	const char *path;
	int fd, error;

	ue__i_lock();
	fd = ue__common_fd();
	path = ue__state_v1.path[0] ? ue__state_v1.path : UE__DEFAULT_PATH;
	if (fd >= 0) /* a file that registered the event would keep it in use */
		fd = ue__open(path, UE__WRONLY);
	ue__i_unlock();
	if (fd < 0)
		return fd;
	error = ue__ioctl(fd, UE__IOCTL_DELETE, (void *)(uintptr_t)name);
	ue__close(fd);
	return error;
}

UE__I_API struct ue_event *ue_event_find(const char *name, const struct ue_event *after)
{
	struct ue_event *event;
	char spec[UE__F_SPEC_SIZE];

	ue__i_lock();
	ue__list_sites();
	event = after ? after->next : ue__state_v1.list;
	for (; event && name; event = event->next) {
		/* with -E2BIG, SPEC still starts with the name */
		if (ue__i_spec(event, spec) != -EINVAL && strcspn(spec, " ") == strlen(name) &&
		    memcmp(name, spec, strlen(name)) == 0)
			break;
	}
	ue__i_unlock();
	return event;
}

UE__I_API int ue_event_spec(const struct ue_event *event, char *text, size_t size)
{
	struct ue__i_text t = ue__i_text_in(text, size);
	char spec[UE__F_SPEC_SIZE];
	int error = ue__i_spec(event, spec);

	if (error == -ENOENT || error == -E2BIG) /* with -EINVAL, copy the invalid name */
		return error;
	ue__i_put(&t, spec);
	return (int)t.length;
}

/* * ---- Hooks ---- */

/*
 * Callbacks within this process. Code that writes events walks the list of hooks without the lock.
 * Therefore, a new hook is added at the end, and a removed hook still points to the next one.
 */

/*
 * Recomputes the hook bit of every event. The caller must hold the lock, as for the next two
 * functions.
 */
UE__COLD void ue__i_update_hooks(void)
{
	struct ue_event *event;

	ue__list_sites();
	for (event = ue__state_v1.list; event; event = event->next)
		ue__set_hook_bit(event);
}

/* Appends HOOK to the list unless it is already there. */
UE__COLD void ue__i_add_hook(struct ue__i_hook *hook)
{
	struct ue__i_hook **link = &ue__state_v1.hooks;

	UE__I_LOADER_ENTRIES;
	while (*link && *link != hook)
		link = &(*link)->next;
	if (!*link) {
		__atomic_store_n(&hook->next, (struct ue__i_hook *)NULL, __ATOMIC_RELAXED);
		__atomic_store_n(link, hook, __ATOMIC_RELEASE);
	}
	ue__i_update_hooks();
}

UE__COLD void ue__i_remove_hook(struct ue__i_hook *hook)
{
	struct ue__i_hook **link = &ue__state_v1.hooks;

	while (*link && *link != hook)
		link = &(*link)->next;
	if (*link) /* HOOK->next is kept, because another thread may be about to read it */
		__atomic_store_n(link, hook->next, __ATOMIC_RELEASE);
	ue__i_update_hooks();
}

/* Returns true if a hook other than HOOK receives events. */
UE__I_FN bool ue__i_has_other_hooks(const struct ue__i_hook *hook)
{
	const struct ue__i_hook *first = __atomic_load_n(&ue__state_v1.hooks, __ATOMIC_ACQUIRE);

	return (first && first != hook) || __atomic_load_n(&hook->next, __ATOMIC_ACQUIRE);
}

/* * ---- Activities ---- */

/*
 * clock_gettime(), declared here because strict compiler modes hide it. A 32-bit libc stores two
 * 32-bit numbers.
 */
UE__I_C_LINKAGE int ue__libc_clock_gettime(int clock, uint64_t time[2]) __asm__("clock_gettime");

/*
 * Returns a hash of X. Each bit of the hash depends on all bits of X, and different values of X
 * have different hashes.
 */
UE__I_FN uint64_t ue__mix(uint64_t x)
{
	x = (x ^ x >> 33) * 0xff51afd7ed558ccdu; /* the last step of MurmurHash3 */
	x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53u;
	return x ^ x >> 33;
}

/*
 * Creates an id from the time, the process id and a call counter, mixed with random numbers. Two
 * calls in one process differ in the counter. A child of fork() inherits counter and random
 * numbers, but has another process id. If both processes have the same id in different PID
 * namespaces, the nanoseconds differ.
 *
 * The random numbers are read once, because getrandom() takes more instructions than an event. A
 * caller that finds them incomplete, such as a signal handler that interrupts the first call, reads
 * random numbers of its own. If getrandom() is forbidden, or would block during boot, the id
 * contains an address instead.
 */
UE__I_API void ue_activity_new(uint8_t id[16])
{
	static uint64_t random[2];
	static uint32_t stored; /* 0: nothing in RANDOM, 1: incomplete, 2: complete */
	static uint32_t calls;
	uint64_t time[2] = { 0, 0 }, words[2] = { (uintptr_t)&calls, 0 };
	uint32_t nothing = 0;

	if (__atomic_load_n(&stored, __ATOMIC_ACQUIRE) == 2) {
		memcpy(words, random, 16);
	} else if (ue__i_syscall3(SYS_getrandom, (long)words, 16, 1 /* GRND_NONBLOCK */) == 16 &&
		   __atomic_compare_exchange_n(&stored, &nothing, 1, false, __ATOMIC_RELAXED,
					       __ATOMIC_RELAXED)) {
		memcpy(random, words, 16);
		__atomic_store_n(&stored, 2, __ATOMIC_RELEASE);
	}
	(void)UE__I_SYSTEM(ue__libc_clock_gettime(0 /* CLOCK_REALTIME */, time));
	words[0] = ue__mix(words[0] ^ time[0] ^ time[1] << 32);
	words[1] ^= (uint64_t)ue__i_syscall3(SYS_getpid, 0, 0, 0) << 32;
	words[1] ^= __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
	words[1] = ue__mix(words[0] ^ words[1]);
	memcpy(id, words, 16);
	id[6] = (uint8_t)((id[6] & 0x0f) | 0x40); /* a UUID of version 4 */
	id[8] = (uint8_t)((id[8] & 0x3f) | 0x80);
}

/* * ---- Writing ---- */

/*
 * Writes a packed event to the kernel with one system call, then calls the hooks. All of this may
 * run in a signal handler: it waits for no lock, allocates no memory and preserves errno. The
 * kernel's errors for a write are:
 *
 *	-EBADF	the last tracer has just disabled the event, or the program closed the fd
 *	-ENOENT	the index is not registered with this file, which has just been reopened
 *	-EINVAL	the index is negative, or the payload is shorter than the fixed fields
 *	-EFAULT	a loc points outside the payload, a char loc has no NUL, or a pointer is invalid
 */

/* Reads the fd and index for writing EVENT. Reads the fd first, as "Reopening" requires. */
UE__I_FN int ue__target(const struct ue_event *event, uint32_t *index)
{
	int stored = __atomic_load_n(&event->fd, __ATOMIC_ACQUIRE);

	if (!stored)
		stored = __atomic_load_n(&ue__state_v1.fd, __ATOMIC_ACQUIRE);
	*index = __atomic_load_n(&event->index, __ATOMIC_ACQUIRE) - 1;
	return stored - 1; /* without the sign test of ue__fd(), which costs an instruction */
}

/* Number of lost events between attempts to reopen the file. */
enum { UE__LOST_PER_RETRY = 1024 };

/* Counts an event that was lost because the fd is closed. Reopens the file if the lock is free. */
UE__COLD void ue__count_lost(void)
{
	struct ue__state *s = &ue__state_v1;
	size_t lost = __atomic_add_fetch(&s->lost, 1, __ATOMIC_RELAXED);
	int error = UE__I_LOAD(&s->reopen_error);
	/*
	 * If reopen_error is EBADF although the file is open, the file was closed again, or fork()
	 * copied the state while another thread was reopening the file.
	 */
	bool failing = !UE__I_LOAD(&s->fd) || (error && error != -EBADF);

	if ((failing && lost % UE__LOST_PER_RETRY) || !ue__try_lock(false))
		return;
	if (s->fd || s->reopen_error)
		ue__reopen();
	ue__i_unlock();
}

/* Handles a write that failed with ERROR. Returns the result for the program. */
UE__OUT_OF_LINE int ue__write_failed(int fd, uint32_t index, long error)
{
	struct ue__i_iovec nothing = { NULL, 0 };

	if (index == UE__NO_INDEX) /* not registered yet, or just unregistered */
		return 0;
	if (index != UE__LOST_INDEX && error != -EBADF && error != -ENOENT) {
		UE__INCREMENT(&ue__state_v1.failed);
		return (int)error;
	}
	/*
	 * EBADF means that the fd is closed, or that the last tracer has just disabled the event. A
	 * write of zero bytes distinguishes the two cases: an open user_events_data returns EFAULT,
	 * and a closed fd returns EBADF again.
	 */
	if (index == UE__LOST_INDEX || error != -EBADF || fd < 0 ||
	    ue__write(fd, &nothing, 1) == -EBADF)
		ue__count_lost();
	return 0;
}

/* Writes an event to the kernel. IOV starts with the index. */
UE__I_FN int ue__send_to_kernel(int fd, const struct ue__i_iovec *iov, int count)
{
	long n = ue__write(fd, iov, count);
	uint32_t index;

	if (!UE__UNLIKELY(n < 0))
		return 0;
	memcpy(&index, iov->iov_base, sizeof(index));
	return ue__write_failed(fd, index, n);
}

/*
 * Sends EVENT to each receiver whose bit is set in the enable word: the kernel and the hooks. This
 * is the slow path of ue__send(), which itself handles an event that only the kernel receives.
 */
UE__OUT_OF_LINE int ue__send_to_all(struct ue_event *event, int fd, const struct ue__i_iovec *iov,
				    int count, size_t size)
{
	uint32_t enabled = UE__I_LOAD(&event->enabled);
	struct ue__i_hook *hook = NULL;
	int error = 0;

	if (enabled & UE__KERNEL_BIT)
		error = ue__send_to_kernel(fd, iov, count);
	if (enabled & UE__I_HOOK_BIT)
		hook = __atomic_load_n(&ue__state_v1.hooks, __ATOMIC_ACQUIRE);
	for (; hook; hook = __atomic_load_n(&hook->next, __ATOMIC_ACQUIRE))
		hook->run(hook, event, iov, count, size);
	return error;
}

/*
 * Sends EVENT to the kernel and to the hooks. SIZE is the total size of all segments, including the
 * index.
 */
UE__I_FN int ue__send(struct ue_event *event, int fd, const struct ue__i_iovec *iov, int count,
		      size_t size)
{
	if (UE__UNLIKELY(UE__I_LOAD(&event->enabled) != UE__KERNEL_BIT))
		return ue__send_to_all(event, fd, iov, count, size);
	return ue__send_to_kernel(fd, iov, count);
}

/* Returns the largest payload of EVENT, in bytes. Hooks accept larger payloads than tracers. */
UE__I_FN size_t ue__payload_limit(const struct ue_event *event)
{
	return UE__I_LOAD(&event->enabled) & UE__KERNEL_BIT ? UE_MAX_EVENT : INT32_MAX;
}

/*
 * Sends EVENT. The first of its COUNT segments starts with 4 bytes, in which this function stores
 * the write index. Returns 0 or the kernel's -errno. Returns -E2BIG, and counts the event, if the
 * payload is larger than UE_MAX_EVENT and a tracer has enabled the event.
 */
UE__I_FN int ue__i_send_segments(struct ue_event *event, const struct ue__i_iovec *iov, int count)
{
	size_t size = 0;
	uint32_t index;
	int fd = ue__target(event, &index), i;

	memcpy(iov->iov_base, &index, sizeof(index));
	for (i = 0; i < count; i++)
		size += iov[i].iov_len;
	if (size - sizeof(index) > ue__payload_limit(event)) {
		UE__INCREMENT(&ue__state_v1.large);
		return -E2BIG;
	}
	return ue__send(event, fd, iov, count, size);
}

/* Largest number of segments of writev() (UIO_MAXIOV). The index takes up one segment. */
enum { UE__MAX_SEGMENTS = 1024 };

UE__I_API int ue_event_writev(struct ue_event *event, const struct iovec *iov, int count)
{
	const struct ue__i_iovec *segments = (const struct ue__i_iovec *)(const void *)iov;
	struct ue__i_iovec *all;
	uint32_t index;
	size_t size = 0, max_size = ue__payload_limit(event);
	int i, fd;

	if (!ue_event_enabled(event))
		return 0;
	if (count < 0 || count >= UE__MAX_SEGMENTS)
		return -EINVAL;
	fd = ue__target(event, &index);
	all = (struct ue__i_iovec *)__builtin_alloca(((size_t)count + 1) * sizeof(*all));
	all[0].iov_base = &index;
	all[0].iov_len = sizeof(index);
	for (i = 0; i < count; i++) {
		if (segments[i].iov_len > max_size - size) {
			UE__INCREMENT(&ue__state_v1.large);
			return -E2BIG;
		}
		all[i + 1] = segments[i];
		size += segments[i].iov_len;
	}
	return ue__send(event, fd, all, count + 1, sizeof(index) + size);
}

UE__I_API int ue_event_write(struct ue_event *event, const void *payload, size_t size)
{
	unsigned char buffer[sizeof(uint32_t) + UE_INLINE_BYTES];
	struct ue__i_iovec one = { (void *)(uintptr_t)payload, size };
	const void *segments = &one; /* avoids a cast that -Wstrict-aliasing warns about */
	uint32_t index;
	int fd;

	if (size > UE_INLINE_BYTES)
		return ue_event_writev(event, (const struct iovec *)segments, 1);
	if (!ue_event_enabled(event))
		return 0;
	/* one segment is cheaper than two */
	fd = ue__target(event, &index);
	memcpy(buffer, &index, sizeof(index));
	if (size)
		memcpy(buffer + sizeof(index), payload, size);
	one.iov_base = buffer;
	one.iov_len = sizeof(index) + size;
	return ue__send(event, fd, &one, 1, one.iov_len);
}

/* * ---- Packing: fast path ---- */

/*
 * Packs a site's values into one buffer on the stack. The layout of an event is:
 *
 *	UE_TRACE	index | scalars and locs, in order | bytes of the strings and arrays
 *	UE_LOG		index | header | activity | metadata | values, in order
 *
 * The event is copied into the buffer and written with one write(). This costs less than a writev()
 * that gathers the strings from their original locations, even for 4000 bytes.
 *
 * There are two packers. This chapter contains the packer for most events, which have only scalars
 * and short strings of type UE_STR or UE_STRN. It makes one pass over the types and uses a buffer
 * of constant size, the sum of
 *
 *	UE__FAST_BYTES		index, header, metadata, and 8 bytes for each of about 12 fields
 *	UE_INLINE_BYTES		strings with their NULs
 *
 * "Packing: slow path" packs all other events, which have arrays, longer strings or more values.
 * With the slow path alone, an event with four scalars cost 1.22 times as much as a bare write().
 * With two packers, it costs 1.06 times as much.
 *
 * Functions that store bytes take the position P and return the position after the stored bytes.
 */
enum {
	/* sizes, in bytes, of the parts of a buffer except for strings and ue__f_desc.size */
	UE__INDEX = 4,
	UE__ACTIVITY_IDS = sizeof(struct ue__block) + 32,
	UE__SLACK = 8,	     /* ue__i_put_value() stores 8 bytes */
	UE__FAST_VALUES = 16 /* maximum number of values in the fast path */
};

/* A string that was measured, or NULL, and the number of bytes before its NUL. */
struct ue__measured {
	const char *s;
	size_t length;
};

/*
 * Writes any event with values V. KNOWN is a string whose length is already known. See "Packing:
 * slow path".
 */
UE__I_FN void ue__write_slow(struct ue_event *event, const struct ue__f_desc *d, const uint64_t *v,
			     struct ue__measured known);

/* Returns the pointer that a value contains. */
UE__I_FN const void *ue__pointer_from_bits(uint64_t value)
{
	return (const void *)(uintptr_t)value;
}

/*
 * Stores a scalar of type T, up to 8 bytes. Always stores 8 bytes, which takes one instruction. The
 * next field overwrites the excess, and each buffer is 8 bytes larger than its event. The position
 * before and after:
 *
 *	before	P|
 *	after	 | value | rest of the 8 bytes ...
 *			 |result
 *
 * Numbers have this machine's byte order. On a big-endian machine, a short value is first shifted
 * to the start of the 8 bytes.
 */
UE__I_FN unsigned char *ue__i_put_value(unsigned char *p, uint64_t value, uint32_t t)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	value <<= 64 - 8 * UE__F_LENGTH_OF(t);
#endif
	memcpy(p, &value, 8);
	return p + UE__F_LENGTH_OF(t);
}

/* Stores a scalar without any excess bytes, because data may already follow. */
UE__I_FN unsigned char *ue__store_exactly(unsigned char *p, uint64_t value, uint32_t t)
{
	unsigned char bytes[8];

	ue__i_put_value(bytes, value, t);
	memcpy(p, bytes, UE__F_LENGTH_OF(t));
	return p + UE__F_LENGTH_OF(t);
}

/* Stores a count or another 16-bit number. */
UE__I_FN unsigned char *ue__i_put_u16(unsigned char *p, size_t value)
{
	uint16_t v = (uint16_t)value;

	memcpy(p, &v, 2);
	return p + 2;
}

/* Stores N bytes of DATA, or N zeros if DATA is NULL. */
UE__I_FN unsigned char *ue__store_bytes(unsigned char *p, const void *data, size_t n)
{
	if (data)
		memcpy(p, data, n);
	else
		memset(p, 0, n);
	return p + n;
}

/* Stores a loc for SIZE bytes at DATA. The offset in the loc is relative to the end of the loc. */
UE__I_FN unsigned char *ue__store_loc(unsigned char *p, size_t size, const unsigned char *data)
{
	uint32_t loc = (uint32_t)size << 16 | (uint32_t)(data - p - 4);

	memcpy(p, &loc, 4);
	return p + 4;
}

/*
 * Stores the extension block of an activity, with the flag for another block after it. RELATED may
 * be NULL.
 */
UE__I_FN unsigned char *ue__i_put_activity(unsigned char *p, const void *id, const void *related)
{
	p = ue__i_put_u16(p, related ? 32 : 16);
	p = ue__i_put_u16(p, UE__F_EXTENSION_ACTIVITY | UE__F_EXTENSION_MORE);
	p = ue__store_bytes(p, id, 16);
	return related ? ue__store_bytes(p, related, 16) : p;
}

/* Stores index, header, activity and metadata. Advances *V past the two values of an activity. */
UE__I_FN unsigned char *ue__store_prefix(unsigned char *p, const struct ue_event *event,
					 const struct ue__f_desc *d, uint32_t index,
					 const uint64_t **v)
{
	const unsigned char *meta = (const unsigned char *)(ue__types(d) + d->types + 1);
	const size_t size = sizeof(struct ue__f_header);
	const void *id, *related;

	memcpy(p, &index, 4);
	memcpy(p + 4, meta, size);
	p[4 + offsetof(struct ue__f_header, level)] = event->level;
	p += 4 + size;
	if (UE__UNLIKELY(*ue__types(d) == UE__F_T_ACTIVITY)) {
		id = ue__pointer_from_bits((*v)[0]);
		related = ue__pointer_from_bits((*v)[1]);
		*v += 2;
		if (id)
			p = ue__i_put_activity(p, id, related);
	}
	memcpy(p, meta + size, d->size - size);
	return p + d->size - size;
}

/*
 * Packs scalars and strings at P. All strings together, with their NULs, may take at most SPACE
 * bytes. TAIL is the position after the fixed part of a kernel-typed event, where its strings are
 * stored. SPACE is the UE_INLINE_BYTES of the caller, because in C++ this function may have been
 * compiled in a file with a different value.
 *
 * Returns the end of the event. Returns NULL if the event needs the slow path, and stores in *KNOWN
 * the string that strlen() found to be too long. The first loop handles the leading scalars. No
 * data follows them yet, so each of them is stored as 8 bytes.
 *
 * The function is always inlined into its three callers. Otherwise, GCC would share one copy, which
 * costs each event 28 instructions.
 */
UE__I_FN __attribute__((__always_inline__)) unsigned char *
ue__pack_fast(unsigned char *p, unsigned char *tail, const uint32_t *type, const uint64_t *v,
	      size_t space, struct ue__measured *known, bool log)
{
	size_t n;
	uint32_t t;

	for (; (t = *type) != 0 && !(t & UE__F_T_DATA); type++)
		p = ue__i_put_value(p, *v++, t);
	for (; (t = *type) != 0; type++, v++) {
		const char *s;

		if ((t & ~UE__F_T_FORMATS) == UE__STR) {
			s = *v ? (const char *)ue__pointer_from_bits(*v) : "";
			n = strlen(s) + 1;
			if (n > space) {
				known->s = s;
				known->length = n - 1;
				return NULL;
			}
		} else if ((t & ~UE__F_T_FORMATS) == UE__STRN) {
			s = *v ? (const char *)ue__pointer_from_bits(*v) : "";
			n = *v ? (size_t)v[1] : 0;
			v++;
			if (n++ >= space) /* includes negative counts */
				return NULL;
		} else {
			if (t & UE__F_T_DATA)
				return NULL;
			p = log ? ue__i_put_value(p, *v, t) : ue__store_exactly(p, *v, t);
			continue;
		}
		space -= n;
		if (log) {
			p = ue__i_put_u16(p, n - 1);
			memcpy(p, s, n - 1);
			p += n - 1;
			continue;
		}
		p = ue__store_loc(p, n, tail);
		tail[n - 1] = '\0'; /* even if another thread changes the string */
		memcpy(tail, s, n - 1);
		tail += n;
	}
	return log ? p : tail;
}

/*
 * Writes an event with more than UE__FAST_VALUES values. FEW contains the first four, and REST the
 * others.
 */
UE__OUT_OF_LINE void ue__write_many(struct ue_event *event, const struct ue__f_desc *d,
				    const uint64_t *few, va_list rest)
{
	/*
	 * V has space for four extra values. Without it, GCC would warn about descriptors with
	 * fewer than four values, although such events never reach this code.
	 */
	uint64_t *v = (uint64_t *)__builtin_alloca((4u + d->values) * sizeof(*v));
	struct ue__measured known = { NULL, 0 };
	unsigned int i;

	memcpy(v, few, 4 * sizeof(*v));
	for (i = 4; i < d->values; i++)
		v[i] = va_arg(rest, uint64_t);
	ue__write_slow(event, d, v, known);
}

/*
 * Appends the values in REST to the first four in V. If there are too many values for the fast
 * path, writes the event and returns false.
 */
UE__I_FN bool ue__read_rest(uint64_t *v, struct ue_event *event, const struct ue__f_desc *d,
			    va_list rest)
{
	unsigned int i;
#ifdef __x86_64__
	const uint64_t *more; /* values on the stack: the six argument registers are in use */

	memcpy(&more, (const char *)rest + 8, sizeof(more)); /* overflow_arg_area, in the ABI */
#endif

	if (UE__UNLIKELY(d->values > UE__FAST_VALUES)) {
		ue__write_many(event, d, v, rest);
		return false;
	}
	for (i = 4; i < d->values; i++)
#ifdef __x86_64__
		v[i] = more[i - 4];
#else
		v[i] = va_arg(rest, uint64_t);
#endif
	return true;
}

/* Writes an event of at most UE__FAST_VALUES values. */
UE__I_FN __attribute__((__always_inline__)) void
ue__write_fast(struct ue_event *event, const struct ue__f_desc *d, const uint64_t *v, bool log)
{
	unsigned char buffer[UE__FAST_BYTES + UE_INLINE_BYTES], *p, *end = NULL;
	struct ue__measured known = { NULL, 0 };
	const uint64_t *fields = v;
	struct ue__i_iovec one, hooked;
	uint32_t index;
	int fd = ue__target(event, &index);
	size_t size = d->size;

	if (log) {
		if (UE__INDEX + UE__ACTIVITY_IDS + size + 8u * d->types + UE__SLACK <=
		    UE__FAST_BYTES) {
			p = ue__store_prefix(buffer, event, d, index, &fields);
			/* if FIELDS was advanced past an activity, skip its type too */
			end = ue__pack_fast(p, p, ue__types(d) + (fields != v), fields,
					    UE_INLINE_BYTES, &known, true);
		}
	} else if (UE__INDEX + size + UE__SLACK <= UE__FAST_BYTES) {
		/*
		 * 8 bytes, because the zero after the index is the payload of an event without
		 * fields
		 */
		ue__i_put_value(buffer, index, UE__U32);
		p = buffer + UE__INDEX + size;
		end = ue__pack_fast(buffer + UE__INDEX, p, ue__types(d), v, UE_INLINE_BYTES, &known,
				    false);
	}
	if (UE__UNLIKELY(!end)) {
		ue__write_slow(event, d, v, known);
		return;
	}
	one.iov_base = buffer;
	one.iov_len = (size_t)(end - buffer);
	if (UE__UNLIKELY(UE__I_LOAD(&event->enabled) != UE__KERNEL_BIT)) {
		hooked = one; /* a copy, so that ONE can stay in registers */
		ue__send_to_all(event, fd, &hooked, 1, hooked.iov_len);
		return;
	}
	ue__send_to_kernel(fd, &one, 1);
}

/*
 * The functions that sites call, one for UE_TRACE and one for UE_LOG. All values are uint64_t. If a
 * UE_LOG event has an activity, the two addresses of the activity come first.
 *
 * Four values are passed in registers, and more as variable arguments. With an array instead, the
 * calling function would need a frame and a stack protector, and the hot path would have 11
 * instructions and 54 bytes instead of 3 and 16.
 *
 * The functions are noinline, to keep the buffer out of the stack frame of the function that
 * contains the site. They are marked hot, because only cold code calls them and GCC would otherwise
 * optimise them for size.
 */
/* clang-format off */
#define UE__WRITER(ue__write, log) \
	UE__I_API __attribute__((__noinline__, __hot__)) void \
	ue__write(struct ue_event *event, const struct ue__f_desc *d, uint64_t v0, uint64_t v1, \
		  uint64_t v2, uint64_t v3, ...) \
	{ \
		uint64_t v[UE__FAST_VALUES]; \
		bool few = true; \
		va_list rest; \
 \
		UE__I_LOADER_ENTRIES; \
		v[0] = v0; \
		v[1] = v1; \
		v[2] = v2; \
		v[3] = v3; \
		if (d->values > 4) { \
			va_start(rest, v3); \
			few = ue__read_rest(v, event, d, rest); \
			va_end(rest); \
		} \
		if (few) \
			ue__write_fast(event, d, v, log); \
	}
UE__WRITER(ue__i_write_kernel_v1, false)
UE__WRITER(ue__i_write_log_v1, true)
/* clang-format on */

/* * ---- Packing: slow path ---- */

/*
 * Packs any event. Splits the event into pieces and uses a buffer of the required size. If the
 * event is larger than UE_MAX_EVENT, each long piece is truncated to its share of the remaining
 * space. The mark of a truncated event counts towards UE_MAX_EVENT.
 *
 * Each length is read once. Even if another thread changes a string at the same time, the number of
 * recorded bytes matches the recorded count.
 */

/*
 * A piece of an event: a scalar, a string, an array, or the number of strings in an array. Each
 * string of an array is also a piece.
 */
struct ue__piece {
	const void *p;	/* data, or NULL for zeros */
	size_t size;	/* size in bytes */
	uint16_t count; /* number of strings, if P points to this member */
	uint8_t log2;	/* log2 of the bytes per unit or element */
	uint8_t form;	/* UE__UNCOUNTED, ... */
};
enum {
	UE__UNCOUNTED,	  /* readers know the size, so there is no count; never truncated */
	UE__COUNTED,	  /* a count or a loc contains the size */
	UE__COUNTED_CHARS /* same, with a NUL after a loc; truncated at a UTF-8 boundary */
};

struct ue__pieces {
	struct ue__piece *end;	  /* position after the last piece */
	size_t variable_bytes;	  /* total size of the pieces that may be truncated */
	size_t fixed_bytes;	  /* total size of everything else, counts and locs included */
	unsigned int truncatable; /* number of pieces that may be truncated */
	bool truncated, log;
	struct ue__measured known; /* string whose length is already known */
};

/* Truncates PIECE to at most MAX_SIZE bytes, at a unit or UTF-8 character boundary. */
UE__I_FN void ue__truncate_piece(struct ue__piece *piece, size_t max_size)
{
	const unsigned char *p = (const unsigned char *)piece->p;
	int i;

	if (piece->size <= max_size)
		return;
	max_size = max_size >> piece->log2 << piece->log2;
	for (i = 0; piece->form == UE__COUNTED_CHARS && i < 3 && max_size > 0; i++, max_size--)
		if ((p[max_size] & 0xc0) != 0x80)
			break;
	piece->size = max_size;
}

/* Adds a piece of SIZE bytes at P that is stored without a count. */
UE__I_FN struct ue__piece *ue__add_piece(struct ue__pieces *all, const void *p, size_t size)
{
	struct ue__piece *piece = all->end++;

	piece->p = p;
	piece->size = size;
	piece->form = UE__UNCOUNTED;
	all->fixed_bytes += size;
	return piece;
}

/*
 * Adds a piece of COUNT units or elements at P, for a field of type T. The count has 16 bits, so
 * the piece is truncated to 65535 units or elements.
 */
UE__I_FN void ue__add_counted(struct ue__pieces *all, const void *p, size_t count, uint32_t t)
{
	struct ue__piece *piece = ue__add_piece(all, p, 0);

	piece->size = count << UE__F_LOG2_OF(t);
	piece->log2 = (uint8_t)UE__F_LOG2_OF(t);
	piece->form = UE__F_IS_CHARS(t) ? UE__COUNTED_CHARS : UE__COUNTED;
	if (count > 65535) {
		ue__truncate_piece(piece, (size_t)65535 << piece->log2);
		all->truncated = true;
	}
	all->variable_bytes += piece->size;
	/* a count, or a loc and possibly a NUL */
	all->fixed_bytes += all->log ? 2u : UE__F_IS_CHARS(t) ? 4u + 1u : 4u;
	all->truncatable++;
}

/*
 * Returns the number of units of 1 << LOG2 bytes before the zero unit, at most LIMIT. S need not be
 * aligned.
 */
UE__I_FN size_t ue__unit_length(const void *s, unsigned int log2, size_t limit)
{
	const void *end;
	size_t n = 0;

	if (log2 == 0) {
		end = memchr(s, 0, limit);
		return end ? (size_t)((const char *)end - (const char *)s) : limit;
	}
	for (; n < limit; n++) {
		const char *at = (const char *)s + (n << log2);
		uint32_t unit = 0;

		if (log2 == 1)
			memcpy(&unit, at, 2);
		else
			memcpy(&unit, at, 4);
		if (!unit)
			break;
	}
	return n;
}

/*
 * Returns the number of units or elements in a string or array of type T at *P. *V points to the
 * values after *P. For a pair of pointer and count, takes the count from *V and advances *V. For a
 * span, sets *P to its data. KNOWN is a string whose length is already known.
 */
UE__I_FN size_t ue__element_count(const void **p, uint32_t t, const uint64_t **v,
				  const struct ue__measured *known)
{
	const struct ue__i_span *span = (const struct ue__i_span *)*p;
	size_t n;

	if (t & UE__F_T_SPAN) {
		*p = span->data;
		n = span->count;
	} else if (UE__F_IS_PAIR(t)) {
		n = (size_t)(*v)[0];
		++*v;
	} else if (UE__IS_ARRAY(t)) { /* constant array; if NULL, all strings are empty */
		return UE__F_LENGTH_OF(t);
	} else if (*p && (t & ~UE__F_T_FORMATS) == UE__STR) { /* faster than memchr() */
		n = *p == known->s ? known->length : strlen((const char *)*p);
	} else {
		n = t & UE__F_T_BOUNDED ? UE__F_LENGTH_OF(t) : 65536;
		n = *p ? ue__unit_length(*p, UE__F_LOG2_OF(t), n) : 0;
	}
	/* a negative count, such as the result of a failed read(), means no data */
	return *p && n <= SIZE_MAX / 2 ? n : 0;
}

/* Adds the pieces of all fields. TYPE and V are the types and values of the fields. */
UE__I_FN __attribute__((__noinline__)) void ue__add_pieces(struct ue__pieces *all,
							   const uint32_t *type, const uint64_t *v)
{
	uint32_t t, string[2] = { 0, 0 };
	const void *p, *const *strings;
	struct ue__piece *piece;
	uint64_t value;
	size_t n, i;

	for (; (t = *type) != 0; type++) {
		p = t & UE__F_T_DATA ? ue__pointer_from_bits(*v)
				     : (const char *)v + UE__OFFSET_IN_VALUE(t);
		v++;
		if (UE__F_IS_FIXED(t)) {
			/* the array has more than 65535 elements, and the site truncated it */
			all->truncated |= (t & UE__F_T_BOUNDED) != 0;
			ue__add_piece(all, p, UE__FIXED_SIZE_OF(t));
			continue;
		}
		n = ue__element_count(&p, t, &v, &all->known);
		if (!UE__F_IS_STRINGS(t)) {
			ue__add_counted(all, p, n, t);
			continue;
		}
		if (n > UE__MOST_STRINGS) {
			n = UE__MOST_STRINGS;
			all->truncated = true;
		}
		piece = ue__add_piece(all, NULL, t & UE__F_T_VARRAY ? 2 : 0);
		piece->count = (uint16_t)n;
		piece->p = &piece->count;
		strings = (const void *const *)p;
		string[0] = UE__STRING_OF(t);
		for (i = 0; i < n; i++) {
			value = ue__bits_of_pointer(strings ? strings[i] : NULL);
			ue__add_pieces(all, string, &value);
		}
	}
}

/*
 * Truncates the pieces to AVAILABLE bytes in total. Pieces that do not exceed the fair share are
 * not truncated. Larger pieces share the remaining bytes equally.
 */
UE__I_FN void ue__truncate_pieces(struct ue__pieces *all, struct ue__piece *first, size_t available)
{
	size_t fair_share = available / all->truncatable;
	struct ue__piece *piece;
	int large;

	all->variable_bytes = available;
	for (large = 0; large < 2; large++) {
		for (piece = first; piece < all->end; piece++) {
			if (piece->form == UE__UNCOUNTED || (piece->size > fair_share) != large)
				continue;
			ue__truncate_piece(piece, available / all->truncatable--);
			available -= piece->size;
		}
	}
}

/*
 * Stores the pieces at P. For a kernel-typed event, stores counted data at TAIL and a loc at P.
 * Returns the end of the event.
 */
UE__I_FN unsigned char *ue__store_pieces(unsigned char *p, unsigned char *tail,
					 const struct ue__piece *piece,
					 const struct ue__pieces *all)
{
	for (; piece < all->end; piece++) {
		size_t nul = piece->form == UE__COUNTED_CHARS; /* the kernel requires a NUL */

		if (piece->form != UE__UNCOUNTED && !all->log) {
			p = ue__store_loc(p, piece->size + nul, tail);
			tail = ue__store_bytes(tail, piece->p, piece->size);
			tail = ue__store_bytes(tail, NULL, nul);
			continue;
		}
		if (piece->form != UE__UNCOUNTED)
			p = ue__i_put_u16(p, piece->size >> piece->log2);
		p = ue__store_bytes(p, piece->p, piece->size);
	}
	return all->log ? p : tail;
}

/*
 * Packs an event in a stack buffer of the event's size, and writes it. The function is not marked
 * cold, because GCC would then copy byte by byte.
 */
UE__I_FN __attribute__((__noinline__)) void ue__write_slow(struct ue_event *event,
							   const struct ue__f_desc *d,
							   const uint64_t *v,
							   struct ue__measured known)
{
	bool log = d->variant == UE__F_DESC_LOG;
	size_t max_size = log || UE_MAX_EVENT < 65535 ? UE_MAX_EVENT
						      : 65535; /* a loc's size has 16 bits */
	const uint32_t *type = ue__types(d);
	const uint64_t *fields = v;
	struct ue__piece *first;
	struct ue__pieces all;
	struct ue__i_iovec one;
	unsigned char *p;
	uint32_t index;
	int fd = ue__target(event, &index);

	memset(&all, 0, sizeof(all));
	first = all.end = (struct ue__piece *)__builtin_alloca(d->pieces * sizeof(*first));
	all.log = log;
	all.known = known;
	all.fixed_bytes = log ? d->size : 0;
	if (*type == UE__F_T_ACTIVITY) {
		/* layout of ue__i_put_activity(): header of the block, then one or two IDs */
		all.fixed_bytes += !v[0] ? 0u : v[1] ? 4u + 32u : 4u + 16u;
		fields += 2;
		type++;
	}
	ue__add_pieces(&all, type, fields);
	all.truncated |= all.fixed_bytes + all.variable_bytes > max_size;
	if (all.truncated)
		max_size -= UE__F_MARK_SIZE;
	if (all.fixed_bytes > max_size) { /* too large even with empty strings */
		UE__INCREMENT(&ue__state_v1.large);
		return;
	}
	if (all.variable_bytes > max_size - all.fixed_bytes)
		ue__truncate_pieces(&all, first, max_size - all.fixed_bytes);
	if (all.truncated)
		UE__INCREMENT(&ue__state_v1.cut);
	one.iov_base = p = (unsigned char *)__builtin_alloca(8 + all.fixed_bytes +
							     all.variable_bytes + UE__F_MARK_SIZE);
	if (log)
		p = ue__store_prefix(p, event, d, index, &v);
	else /* 8 bytes, as in ue__write_fast() */
		p = ue__i_put_value(p, index, UE__U32);
	p = ue__store_pieces(p, log ? NULL : p + d->size, first, &all);
	if (all.truncated)
		p = ue__store_bytes(p, UE__F_MARK, UE__F_MARK_SIZE);
	one.iov_len = (size_t)(p - (unsigned char *)one.iov_base);
	ue__send(event, fd, &one, 1, one.iov_len);
}

/*
 * Writes a UE_LOG event with values V. BUFFER is memory of the caller, of BUFFER_SIZE bytes,
 * including UE_INLINE_BYTES for strings. Events that do not fit take the slow path.
 */
UE__I_FN void ue__i_write_values(struct ue_event *event, const struct ue__f_desc *d,
				 const uint64_t *v, unsigned char *buffer, size_t buffer_size)
{
	struct ue__measured known = { NULL, 0 };
	const uint64_t *fields = v;
	unsigned char *p = NULL;
	struct ue__i_iovec one;
	uint32_t index;
	int fd = ue__target(event, &index);

	if (UE__INDEX + UE__ACTIVITY_IDS + d->size + 8u * d->types + UE__SLACK + UE_INLINE_BYTES <=
	    buffer_size) {
		p = ue__store_prefix(buffer, event, d, index, &fields);
		p = ue__pack_fast(p, p, ue__types(d) + (fields != v), fields, UE_INLINE_BYTES,
				  &known, true);
	}
	if (!p) {
		ue__write_slow(event, d, v, known);
		return;
	}
	one.iov_base = buffer;
	one.iov_len = (size_t)(p - buffer);
	ue__send(event, fd, &one, 1, one.iov_len);
}

/*
 * Measures the string at *P. T is the type of the string, or of the array of strings that contains
 * it. Stores the size in bytes in *SIZE, and the address of the characters in *P. Returns true if
 * the string has to be truncated, because its count has 16 bits.
 */
UE__I_FN bool ue__i_measure_string(const void **p, size_t *size, uint32_t t)
{
	const uint32_t type[2] = { UE__STRING_OF(t), 0 };
	const uint64_t value = ue__bits_of_pointer(*p);
	struct ue__pieces all;
	struct ue__piece piece;

	memset(&all, 0, sizeof(all));
	all.end = &piece;
	ue__add_pieces(&all, type, &value);
	*p = piece.p;
	*size = piece.size;
	return all.truncated;
}

#endif /* UE_DISABLE */

/* * ---- Diagnostics ---- */

/*
 * Messages for errors: what failed, why, and what to do. A row with a reason applies only to
 * failures with that reason. It must precede the row without a reason for the same error. If a
 * message ends with a colon and a space, the invalid field is appended.
 */
#ifndef UE_DISABLE
#define UE__MOUNT "as root: mount -t tracefs tracefs /sys/kernel/tracing"
#define UE__PASS_FD "pass an open fd to ue_use_fd()"

UE__COLD const char *ue__message_for(int error, enum ue__reason reason)
{
	static const struct {
		int error;
		enum ue__reason reason;
		const char *text;
	} table[] = {
		/* clang-format off */
		{ ENOENT, UE__OPEN_FAILED, "cannot open user_events_data: no tracefs is mounted; "
			UE__MOUNT "; in a container, mount the host's tracefs there" },
		{ EPERM, UE__OPEN_FAILED, "cannot open user_events_data: a security policy "
			"(seccomp, SELinux, AppArmor, lockdown) forbids it; change the policy, or "
			UE__PASS_FD },
		{ EMFILE, UE__OPEN_FAILED, "cannot open user_events_data: the process has too many "
			"open files; raise ulimit -n" },
		{ ENFILE, UE__OPEN_FAILED, "cannot open user_events_data: the system has too many "
			"open files; raise sysctl fs.file-max" },
		{ ENOTTY, UE__OPEN_FAILED, "cannot use user_events_data: its path leads to another "
			"file; " UE__MOUNT },
		/* a FIFO, see ue__open() */
		{ ENXIO, UE__OPEN_FAILED, "cannot use user_events_data: its path leads to another "
			"file; " UE__MOUNT },
		{ EBADF, UE__OPEN_FAILED, "the path of user_events_data is unknown, because "
			"the fd came from ue_use_fd(); call ue_unregister_all(), then "
			UE__PASS_FD },
		{ EINVAL, UE__REGISTER_FAILED, "the kernel rejected the fields; its types are u8 "
			"u16 u32 u64 s8 s16 s32 s64 char short int, char[N], __rel_loc char[] "
			"and struct NAME FIELD SIZE; use u64 for long or a pointer, u8 for "
			"bool, and UE_LOG for floats" },
		{ EINVAL, UE__BAD_NAME, "the name is not an identifier "
			"([A-Za-z_][A-Za-z0-9_]*), as perf and ftrace require; rename the event" },
		{ EINVAL, UE__RESERVED_NAME, "the name would hide a control file that tracefs has "
			"in every event group; rename the event" },
		{ EINVAL, UE__BAD_FIELD, "each field must have one type and one name; correct this "
			"field: " },
		{ EINVAL, UE__BAD_FIELD_NAME, "a field name is not an identifier, as filters and "
			"scripts require; rename this field: " },
		{ EINVAL, UE__COMMON_NAME, "field names that start with common_ are reserved for "
			"the kernel; rename this field: " },
		{ EINVAL, UE__SAME_NAMES, "two fields have the same name; rename one of them: " },
		{ EINVAL, UE__TOO_LONG, "name and fields together exceed the kernel's limit of 511 "
			"bytes; shorten the names, or use UE_LOG, which has no such limit" },
		{ EINVAL, UE__BAD_SET, "the event set is invalid; its provider must not be empty "
			"or contain white space, ':' or '/', its level must be 1 to 255, its group "
			"[0-9a-z]*, and its name, PROVIDER_LxKyGgroup, at most 255 bytes long" },
		{ EINVAL, UE__BAD_FLAGS, "unknown flags; use only UE_PERSIST and UE_MULTI_FORMAT" },

		{ 0, UE__NO_REASON, "no error" },
		{ ENOENT, UE__NO_REASON, "not found: no event, probe or capture has this name, or "
			"no tracefs is mounted; " UE__MOUNT },
		{ EOPNOTSUPP, UE__NO_REASON, "this kernel has no user_events; use Linux 6.4 or "
			"later with CONFIG_USER_EVENTS=y" },
		{ EACCES, UE__NO_REASON, "no permission to open user_events_data, if this kernel "
			"has it (CONFIG_USER_EVENTS); run as root, or give a group access: chgrp "
			"tracers and chmod g+x for the tracing directory, chgrp tracers and "
			"chmod g+w for its user_events_data; or " UE__PASS_FD },
		{ EROFS, UE__NO_REASON, "tracefs is mounted read-only, as is usual in containers; "
			"as root: mount -o remount,rw /sys/kernel/tracing, or " UE__PASS_FD },
		{ EPERM, UE__NO_REASON, "persistent events need CAP_PERFMON; run as root, or omit "
			"UE_PERSIST" },
		{ ENOTTY, UE__NO_REASON, sizeof(void *) < 8
			? "a 32-bit program cannot use user_events of a 64-bit kernel; build it "
			  "for 64 bits"
			: "the fd given to ue_use_fd() is not user_events_data; pass an fd of that "
			  "file" },
		{ EADDRINUSE, UE__NO_REASON, "this or another process has registered the name with "
			"other fields, and this kernel has no multi-format events (Linux 6.9); "
			"rename the event, or stop the other process" },
		{ EAGAIN, UE__NO_REASON, "the kernel has not yet released the enable word, which "
			"was unregistered shortly after a fork; register the event again later" },
		{ EMFILE, UE__NO_REASON, "too many events or open files; raise sysctl "
			"kernel.user_events_max or ulimit -n" },
		{ EALREADY, UE__NO_REASON, "this struct ue_event is already registered; "
			"unregister it first" },
		{ EBUSY, UE__NO_REASON, "events are in use; unregister them first "
			"(ue_unregister_all()), or disable them in their tracers" },
		{ EINVAL, UE__NO_REASON, "invalid argument, name, field type or order of calls; "
			"see ue_status() for the cause; UE_LOG supports more field types" },
		{ ENOMEM, UE__NO_REASON, "out of memory, or the struct ue_event is not writable" },
		{ EFAULT, UE__NO_REASON, "the kernel recorded nothing, because a loc points "
			"outside the payload, a char loc has no NUL, or a pointer is invalid" },
		{ EBADF, UE__NO_REASON, "the event is disabled, or the fd of user_events_data is "
			"closed or not open for writing" },
		/*
		 * error codes of user_events_builder.h and user_events_probe.h; ue_event_spec()
		 * also returns E2BIG
		 */
		{ ENOSPC, UE__NO_REASON, "the builder's buffer is too small; use a larger one" },
		{ ENOSYS, UE__NO_REASON, "events are compiled out by UE_DISABLE" },
		{ EEXIST, UE__NO_REASON, "this probe is already registered for this event with "
			"this data" },
		{ EDEADLK, UE__NO_REASON, "a probe called a function that waits for probes to "
			"return; call it outside of probes" },
		{ E2BIG, UE__NO_REASON, "the event exceeds UE_MAX_EVENT, its name and fields "
			"exceed 511 bytes, or it exceeds a limit of the builder: 127 members of a "
			"struct, 8 levels, 500 long values or 65535 bytes of metadata" },
		/* clang-format on */
	};
	size_t i;

	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (table[i].error != error)
			continue;
		if (table[i].reason == reason || table[i].reason == UE__NO_REASON)
			return table[i].text;
	}
	return "unexpected error from the kernel; see errno(3)";
}

UE__I_API const char *ue_strerror(int error)
{
	return ue__message_for(error < 0 ? (int)(0u - (unsigned int)error) : error, UE__NO_REASON);
}

UE__I_API struct ue_status ue_status(void)
{
	struct ue__state *s = &ue__state_v1;
	struct ue_status status;
	struct ue_event *event;
	struct ue__i_text t;

	memset(&status, 0, sizeof(status));
	ue__i_lock();
	if (s->fd || s->reopen_error)
		ue__reopen(); /* in case the program closed the file */
	status.fd = ue__fd(&s->fd);
	t = ue__i_text_in(status.path, sizeof(status.path));
	if (s->fd)
		ue__i_put(&t, s->path);
	ue__list_sites();
	for (event = s->list; event; event = event->next) {
		unsigned int registered = (event->state & UE__REGISTERED) && ue__has_index(event);

		if (ue__is_runtime(event)) {
			status.runtime += registered;
		} else if (event->desc->variant != UE__F_DESC_PROBE) {
			status.declared++;
			status.registered += registered;
		}
		status.multi += (event->state & UE__MULTI) != 0;
	}
	status.cut = UE__I_LOAD(&s->cut);
	status.failed = UE__I_LOAD(&s->failed);
	status.large = UE__I_LOAD(&s->large);
	status.unprobed = UE__I_LOAD(&s->unprobed);
	status.lost = UE__I_LOAD(&s->lost);
	status.error = s->reopen_error ? -EBADF : s->error;
	t = ue__i_text_in(status.message, sizeof(status.message));
	if (s->reopen_error) {
		ue__i_put(&t,
			  "the program closed the fd of user_events_data, and reopening failed: ");
		ue__i_put(&t, ue__message_for(-s->reopen_error,
					      s->fd ? UE__REGISTER_FAILED : UE__OPEN_FAILED));
	} else {
		if (s->error && *s->name) {
			ue__i_put(&t, "event \"");
			ue__i_put(&t, s->name);
			ue__i_put(&t, "\": ");
		}
		ue__i_put(&t, ue__message_for(-s->error, s->error ? s->reason : UE__NO_REASON));
		ue__i_put(&t, s->error ? s->detail : "");
	}
	ue__i_unlock();
	return status;
}

#else /* UE_DISABLE: same functions, without effect */

#define UE__I_DISABLED(result, ...) \
	UE__I_API __VA_ARGS__       \
	{                           \
		return result;      \
	}
UE__I_DISABLED(-ENOSYS,
	       int ue_event_register(struct ue_event *event, const char *spec, unsigned int flags))
UE__I_DISABLED(-ENOENT, int ue_event_unregister(struct ue_event *event))
UE__I_DISABLED(-ENOSYS,
	       int ue_event_set_register(struct ue_event_set *set, const char *provider,
					 unsigned int level, uint64_t keyword, const char *group))
UE__I_DISABLED(-ENOENT, int ue_event_set_unregister(struct ue_event_set *set))
UE__I_DISABLED(-ENOSYS, int ue_event_delete(const char *name))
UE__I_DISABLED(NULL, struct ue_event *ue_event_find(const char *name, const struct ue_event *after))
UE__I_DISABLED(-ENOENT, int ue_event_spec(const struct ue_event *event, char *text, size_t size))
UE__I_DISABLED(0, int ue_event_write(struct ue_event *event, const void *payload, size_t size))
UE__I_DISABLED(0, int ue_event_writev(struct ue_event *event, const struct iovec *iov, int count))
UE__I_DISABLED(-ENOSYS, int ue_register_all(void))
UE__I_DISABLED(-ENOSYS, int ue_use_fd(int fd))
UE__I_DISABLED(, void ue_unregister_all(void))
UE__I_DISABLED(error ? "events are compiled out by UE_DISABLE" : "no error",
	       const char *ue_strerror(int error))

UE__I_API void ue_activity_new(uint8_t id[16])
{
	memset(id, 0, 16);
}

UE__I_API struct ue_status ue_status(void)
{
	static const char message[] = "compiled out by UE_DISABLE";
	struct ue_status status;

	memset(&status, 0, sizeof(status));
	status.fd = -1;
	status.error = -ENOSYS;
	memcpy(status.message, message, sizeof(message));
	return status;
}
#endif /* UE_DISABLE */
#endif /* UE__I_DECLARED_ONLY */

UE__I_HEADER_END
#endif /* C11 or C++11 */
#endif /* UE_USER_EVENTS_H */
