// SPDX-License-Identifier: MIT
// expect: UE_TRACEPOINT_names_its_type|undeclared identifier .status
#include <user_events.h>

UE_TRACEPOINT(point, status);
