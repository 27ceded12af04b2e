/* SPDX-License-Identifier: MIT */
/* flags: -D__sparc__ */
/* On a system with other values of the system-call flags, all events are compiled out. */
#include "types.c"
#ifndef UE_DISABLE
#error "it is not compiled out"
#endif
