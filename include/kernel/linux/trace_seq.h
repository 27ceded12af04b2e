/* SPDX-License-Identifier: MIT */
#ifndef UE_LINUX_TRACE_SEQ_H
#define UE_LINUX_TRACE_SEQ_H
#pragma GCC system_header

#include <ue_trace_event/print.h>

#endif
