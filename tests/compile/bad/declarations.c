/* SPDX-License-Identifier: MIT */
/* Mistakes in the declarations of events and event sets. */
#include <user_events.h>

/* expect: the level of an event set must be 1 to 255 */
UE_EVENT_SET(set, "Bad_Set", 0, 1);

/* expect: the level of an event set must be 1 to 255 */
UE_EVENT_SET(set, "Bad_Set", 256, 1);

/* expect: UE_EVENT_SET\(symbol, \\?"provider\\?", level, keyword\) needs a nonempty provider */
UE_EVENT_SET(set, "", 4, 1);

/* expect: UE_EVENT_SET\(symbol, \\?"provider\\?", level, keyword\) needs a nonempty provider */
UE_EVENT_SET(shop, "Shop", 4);

/* expect: provider .{1,2}My Company.{1,2} contains blank */
UE_EVENT_SET(set, "My Company", 4, 1);

/* expect: WRITE_THE_NAME_WITHOUT_QUOTES */
UE_TRACEPOINT("event", UE_U32(n));

/* expect: field ..?int key.{1,3}of UE_TRACEPOINT needs a type as a macro */
UE_TRACEPOINT(typed_in_c, int key);

/* expect: field ..?status.{1,3}of UE_TRACEPOINT needs a type as a macro */
UE_TRACEPOINT(point, status);
