/* SPDX-License-Identifier: MIT */
/* TRACE_EVENT events whose notes the plugin tests read from the test's binary. */
#define CREATE_TRACE_POINTS
#include "trace_notes.h"
