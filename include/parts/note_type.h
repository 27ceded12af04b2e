/* SPDX-License-Identifier: MIT */
/*
 * Types of the notes in binaries
 */

/* @private */

/*
 * Macros, since the assembler gets them as text; docs/reference.md tells what is in each. Those of
 * classes and texts are of TRACE_EVENT.
 */
#define UE__NOTE_EVENT 1
#define UE__NOTE_SET 2
#define UE__NOTE_CLASS 3
#define UE__NOTE_CLASS_EVENT 4
#define UE__NOTE_SITE 5 /* of a USDT probe of UE_LOG: where the event's constant bytes are */
#define UE__NOTE_PRINT 7
