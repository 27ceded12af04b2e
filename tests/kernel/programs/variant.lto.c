/* SPDX-License-Identifier: MIT */
#define VARIANT variant_lto
#include "variant.c"
