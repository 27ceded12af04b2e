/* SPDX-License-Identifier: MIT */
/* A program with TRACE_EVENTs: what the tests of the plugin read the notes of. */
#define CREATE_TRACE_POINTS
#include "trace_notes.h"
