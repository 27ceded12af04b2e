/* SPDX-License-Identifier: MIT */
#define VARIANT variant_lto
#include "prog_variant.c"
