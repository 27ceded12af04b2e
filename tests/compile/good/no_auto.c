/* SPDX-License-Identifier: MIT */
/* flags: -DUE_NO_AUTO_REGISTER */
#include "sizes.c"
#include "contexts.c"
