/* SPDX-License-Identifier: MIT */
/*
 * Declarations for headers with inline functions that test a tracepoint without including its trace
 * header.
 */
#ifndef UE_LINUX_TRACEPOINT_DEFS_H
#define UE_LINUX_TRACEPOINT_DEFS_H
#pragma GCC system_header

#include <user_events.h>

#ifdef __clang__ /* clang warns about the use of objects marked as unused */
#define UE__UNUSED
#else
#define UE__UNUSED __attribute__((__unused__))
#endif
#ifdef __cplusplus
#define UE__EXTERN extern "C" __attribute__((__visibility__("hidden")))
#else
#define UE__EXTERN extern __attribute__((__visibility__("hidden")))
#endif

/*
 * At file scope, declares tracepoint NAME, which is defined elsewhere in this program or library.
 */
#define DECLARE_TRACEPOINT(name) UE__EXTERN struct ue_event ue__tracepoint_v3_##name
/* Returns true if the tracepoint is enabled. Costs one load, like trace_NAME_enabled(). */
#ifdef UE_DISABLE
#define tracepoint_enabled(name) ((void)sizeof(ue__tracepoint_v3_##name), false)
#else
#define tracepoint_enabled(name) ue_event_enabled(&ue__tracepoint_v3_##name)
#endif

#endif
