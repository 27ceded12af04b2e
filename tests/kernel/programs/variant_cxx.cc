// SPDX-License-Identifier: MIT
#define VARIANT variant_cxx
#include "variant.c"
