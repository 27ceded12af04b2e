/* SPDX-License-Identifier: MIT */
#define VARIANT variant_gc
#include "variant.c"
