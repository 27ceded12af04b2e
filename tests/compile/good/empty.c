/* SPDX-License-Identifier: MIT */
/* A file that includes the header but declares no event compiles to no code and no data. */
#include <user_events.h>
#include <user_events_decode.h>
