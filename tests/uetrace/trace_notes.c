/* SPDX-License-Identifier: MIT */
/* A program with TRACE_EVENT events. The tests of the plugin read its notes. */
#define CREATE_TRACE_POINTS
#include "trace_notes.h"
