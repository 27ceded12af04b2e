/* SPDX-License-Identifier: MIT */
/* flags: -DUE_MAX_EVENT=200000 -DUE_INLINE_BYTES=65152 */
/* expect: UE_INLINE_BYTES is at most 65151 */
#include <user_events.h>
