/* SPDX-License-Identifier: MIT */
/* flags: -D__sparc__ */
/* If a machine has other values for the system-call flags, all events are compiled out. */
#include "types.c"
#ifndef UE_DISABLE
#error "it is not compiled out"
#endif
