/* SPDX-License-Identifier: MIT */
#include "lttng_events.c"
