/* SPDX-License-Identifier: MIT */
/* The event of cost.c, compiled without a USDT probe. */
#define UE_NO_USDT
#define SITE plain4
#define EVENT bench_plain4
#include "cost_site.h"
