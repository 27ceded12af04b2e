/* SPDX-License-Identifier: MIT */
/* A program with TRACE_EVENTs whose notes the plugin's tests read. */
#define CREATE_TRACE_POINTS
#include "trace_notes.h"
