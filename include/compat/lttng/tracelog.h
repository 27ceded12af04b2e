/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The user_events.h authors */
/*
 * tracelog(level, format, ...) writes an event of the set lttng_ust_tracelog_LxK1 with that level.
 * The event is named after the level, and has the fields line, file, func and msg. See tracef.h.
 */
#ifndef UE__I_NO_SYSTEM_HEADER
#pragma GCC system_header
#endif
#ifndef UE_COMPAT_LTTNG_TRACELOG_H
#define UE_COMPAT_LTTNG_TRACELOG_H

#include "tracef.h"

UE__TP_COMMON_SET(lttng_ust_tracelog_1_v1, "lttng_ust_tracelog", UE_LEVEL_CRITICAL)
UE__TP_COMMON_SET(lttng_ust_tracelog_2_v1, "lttng_ust_tracelog", UE_LEVEL_ERROR)
UE__TP_COMMON_SET(lttng_ust_tracelog_3_v1, "lttng_ust_tracelog", UE_LEVEL_WARNING)
UE__TP_COMMON_SET(lttng_ust_tracelog_4_v1, "lttng_ust_tracelog", UE_LEVEL_INFORMATION)
UE__TP_COMMON_SET(lttng_ust_tracelog_5_v1, "lttng_ust_tracelog", UE_LEVEL_VERBOSE)
#define UE__TP_LOG_SET(level)                                  \
	(UE__TP_LEVEL(level) == 1   ? &lttng_ust_tracelog_1_v1 \
	 : UE__TP_LEVEL(level) == 2 ? &lttng_ust_tracelog_2_v1 \
	 : UE__TP_LEVEL(level) == 3 ? &lttng_ust_tracelog_3_v1 \
	 : UE__TP_LEVEL(level) == 4 ? &lttng_ust_tracelog_4_v1 \
				    : &lttng_ust_tracelog_5_v1)

#define lttng_ust_tracelog(level, ...)                                                          \
	UE__TP_PRINT(ue__tp_print, UE__TP_LOG_SET(level), #level, __FILE__, __LINE__, __func__, \
		     __VA_ARGS__)
#define lttng_ust_vtracelog(level, ...)                                                          \
	UE__TP_PRINT(ue__tp_vprint, UE__TP_LOG_SET(level), #level, __FILE__, __LINE__, __func__, \
		     __VA_ARGS__)
#define tracelog lttng_ust_tracelog

#endif
