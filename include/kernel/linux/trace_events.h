/* SPDX-License-Identifier: MIT */
#ifndef UE_LINUX_TRACE_EVENTS_H
#define UE_LINUX_TRACE_EVENTS_H
#pragma GCC system_header

#include <linux/trace_seq.h>
#include <linux/tracepoint.h>

#endif
