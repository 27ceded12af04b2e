/* SPDX-License-Identifier: MIT */
/* flags: -D__sparc__ */
/* If the flags of system calls have other values, everything is compiled out. */
#include "types.c"
#ifndef UE_DISABLE
#error "it is not compiled out"
#endif
