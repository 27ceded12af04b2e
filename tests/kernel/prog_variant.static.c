/* SPDX-License-Identifier: MIT */
#define VARIANT variant_static
#include "prog_variant.c"
