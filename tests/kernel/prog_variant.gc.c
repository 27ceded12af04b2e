/* SPDX-License-Identifier: MIT */
#define VARIANT variant_gc
#include "prog_variant.c"
