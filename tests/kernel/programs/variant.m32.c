/* SPDX-License-Identifier: MIT */
#define VARIANT variant_m32
#include "variant.c"
