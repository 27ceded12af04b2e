/* SPDX-License-Identifier: MIT */
#define FIELDS UE_U32(status, 2), UE_STR(path, "/new")
#include "version1.c"
