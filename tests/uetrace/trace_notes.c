/* SPDX-License-Identifier: MIT */
/* A program with TRACE_EVENT events, whose notes the tests of the plugin read. */
#define CREATE_TRACE_POINTS
#include "trace_notes.h"
