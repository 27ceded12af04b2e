/* SPDX-License-Identifier: MIT */
/* The only file with the code and data of the events. The other files define only UE_SHARED. */
#define UE_IMPLEMENTATION
#define CREATE_TRACE_POINTS
#include "jobs_trace.h"
