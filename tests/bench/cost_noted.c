/* SPDX-License-Identifier: MIT */
/* The event of cost.c, compiled with a USDT probe. */
#define SITE noted4
#define EVENT bench_noted4
#include "cost_site.h"
