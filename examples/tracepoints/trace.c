/* SPDX-License-Identifier: MIT */
/* Contains the code and data of all events. All other source files only define UE_SHARED. */
#define UE_IMPLEMENTATION
#define CREATE_TRACE_POINTS
#include "jobs_trace.h"
