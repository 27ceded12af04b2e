/* SPDX-License-Identifier: MIT */
/*
 * Each trace header includes this file at its end. If CREATE_TRACE_POINTS is defined, this file
 * includes the trace header again for each pass below. The passes define the functions and data of
 * the events.
 *
 * TRACE_INCLUDE_FILE	name of the trace header without .h; default TRACE_SYSTEM
 * TRACE_INCLUDE_PATH	its directory, relative to an include path; default trace/events
 */
/*
 * Unlike the other files in this directory, this is not a system header. It includes the program's
 * trace header, in which warnings should be reported.
 */

/*
 * This declaration is needed in each pass, because the last macro of the trace header may have no
 * semicolon; see UE__END_OF_MACRO.
 */
struct ue__end;
#if defined(CREATE_TRACE_POINTS) && defined(UE__I_DECLARED_ONLY)
#error "CREATE_TRACE_POINTS belongs in the file that defines UE_IMPLEMENTATION"
#elif defined(CREATE_TRACE_POINTS)
#undef CREATE_TRACE_POINTS

#include <linux/stringify.h>
#include <linux/tracepoint.h>
#include <ue_trace_event/passes.h>
#include <ue_trace_event/print.h>
#include <ue_trace_event/usdt.h>

#ifndef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE TRACE_SYSTEM
#endif
#ifndef TRACE_INCLUDE_PATH
#define UE__TRACE_INCLUDE(file) <trace/events/file.h>
#else
#define UE__TRACE_INCLUDE(file) __stringify(TRACE_INCLUDE_PATH/file.h)
#endif
#define TRACE_INCLUDE(file) UE__TRACE_INCLUDE(file)
#define TRACE_HEADER_MULTI_READ

/*
 * The generated functions have all parameters of an event, but do not use all of them. The structs
 * of records use GNU C extensions.
 */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wpedantic"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Walloca" /* a record on the stack has at most 4096 bytes */
#else
#if __has_warning("-Walloca")
#pragma GCC diagnostic ignored "-Walloca"
#endif
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-local-typedef"
#endif
#if defined(__clang__) && defined(__cplusplus)
#pragma GCC diagnostic ignored "-Wc99-extensions"
#endif
#undef UE__STAGE
#define UE__STAGE(x) UE__RECORD_##x
#include TRACE_INCLUDE(TRACE_INCLUDE_FILE)

#undef UE__STAGE
#define UE__STAGE(x) UE__OFFSETS_##x
#include TRACE_INCLUDE(TRACE_INCLUDE_FILE)

#undef UE__STAGE
#define UE__STAGE(x) UE__FIELDS_##x
#include TRACE_INCLUDE(TRACE_INCLUDE_FILE)

#undef UE__STAGE
#define UE__STAGE(x) UE__NOTES_##x
#define UE__AS_TEXT
#include <ue_trace_event/helpers.h>
#include TRACE_INCLUDE(TRACE_INCLUDE_FILE)
#undef UE__AS_TEXT
#include <ue_trace_event/helpers.h>

#undef UE__STAGE
#define UE__STAGE(x) UE__PRINT_##x
#include TRACE_INCLUDE(TRACE_INCLUDE_FILE)

#undef UE__STAGE
#define UE__STAGE(x) UE__SIZES_##x
#include TRACE_INCLUDE(TRACE_INCLUDE_FILE)

#undef UE__STAGE
#define UE__STAGE(x) UE__PLACES_##x
#include TRACE_INCLUDE(TRACE_INCLUDE_FILE)

#undef UE__STAGE
#define UE__STAGE(x) UE__CODES_##x
#include TRACE_INCLUDE(TRACE_INCLUDE_FILE)

#undef UE__STAGE
#define UE__STAGE(x) UE__VALUES_##x
#include TRACE_INCLUDE(TRACE_INCLUDE_FILE)

#undef UE__STAGE
#define UE__STAGE(x) UE__WRITE_##x
#include TRACE_INCLUDE(TRACE_INCLUDE_FILE)
#pragma GCC diagnostic pop

/* Selects the pass for declarations again, for the next trace header. */
#undef UE__STAGE
#define UE__STAGE(x) UE__DECLARE_##x
#undef TRACE_HEADER_MULTI_READ
#undef TRACE_INCLUDE
#undef UE__TRACE_INCLUDE
#define CREATE_TRACE_POINTS
#endif /* CREATE_TRACE_POINTS */

/* The next trace header may have a different directory and name. */
#ifndef TRACE_HEADER_MULTI_READ
#undef TRACE_INCLUDE_FILE
#undef TRACE_INCLUDE_PATH
#endif
