/* SPDX-License-Identifier: MIT */
#define VARIANT variant_static
#include "variant.c"
