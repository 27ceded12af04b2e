/* SPDX-License-Identifier: MIT */
/* The one file that has the events' code and data: the others are compiled with UE_SHARED alone. */
#define UE_IMPLEMENTATION
#define CREATE_TRACE_POINTS
#include "jobs_trace.h"
