/* SPDX-License-Identifier: MIT */
/* The one file that makes the events' code and data. */
#define CREATE_TRACE_POINTS
#include "jobs_trace.h"
