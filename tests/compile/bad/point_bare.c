// SPDX-License-Identifier: MIT
// expect: a_field_of_UE_TRACEPOINT_names_its_type|incomplete type
#include <user_events.h>

UE_TRACEPOINT(point, status);
