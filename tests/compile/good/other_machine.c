/* SPDX-License-Identifier: MIT */
/* flags: -D__sparc__ */
/* Where flags of system calls have other numbers, all is compiled out. */
#include "types.c"
#ifndef UE_DISABLE
#error "it is not compiled out"
#endif
