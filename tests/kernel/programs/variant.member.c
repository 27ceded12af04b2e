/* SPDX-License-Identifier: MIT */
/* The only member of the static library that variant.archive.c is linked with. */
#define VARIANT variant_archive
#define main variant_main
extern int variant_main(int argc, char **argv);
#include "variant.c"
