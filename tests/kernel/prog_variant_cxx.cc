// SPDX-License-Identifier: MIT
#define VARIANT variant_cxx
#include "prog_variant.c"
