/* SPDX-License-Identifier: MIT */
/* flags: -DUE_INLINE_BYTES=64 */
/* expect: UE_INLINE_BYTES is 128 to UE_MAX_EVENT - 384 */
#include <user_events.h>
