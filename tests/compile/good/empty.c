/* SPDX-License-Identifier: MIT */
/* Declares nothing, so the file gets no code and no data. */
#include <user_events.h>
#include <user_events_decode.h>
