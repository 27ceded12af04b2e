/* SPDX-License-Identifier: MIT */
/*
 * What uetrace shares with the library's headers: the table of types, the kernel's notation, and
 * what is in the notes of binaries. include/parts/README.md is the map of the parts.
 */
#ifndef UETRACE_PARTS_H
#define UETRACE_PARTS_H

#ifndef UE_USER_EVENTS_H /* which has them all */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../../include/parts/language.h"
/* a tool has one copy of each function anyway (include/parts/copy.h) */
#define UE__ONCE UE__FN
#define UE__SETUP UE__FN
#define UE__KEEP(...) ((void)0)
#include "../../include/parts/eventheader_numbers.h"
#include "../../include/parts/type_table.h"
#include "../../include/parts/text.h"
#include "../../include/parts/word.h"
#include "../../include/parts/notation.h"
#include "../../include/parts/type_text.h"
#include "../../include/parts/note_type.h"
#endif
#include "../../include/kernel/ue_trace_event/spec.h"

#endif
