/* SPDX-License-Identifier: MIT */
/* Pointers to char, signed char and unsigned char can all be recorded as strings. */
#include <user_events.h>

UE_EVENT_SET(bytes_set, "Bytes", UE_LEVEL_INFORMATION, 1);

void bytes(unsigned char *u, const signed char *s, const unsigned char *p, size_t n);
void bytes(unsigned char *u, const signed char *s, const unsigned char *p, size_t n)
{
	unsigned char array[16] = { 0 };

	UE_TRACE(bytes, UE_STR(u), UE_STR(s), UE_STR(name, p), UE_STR(array), UE_STR(none, NULL));
	UE_TRACE(counted_bytes, UE_STRN(counted, p, n), UE_STRN(part, array, sizeof(array)),
		 UE_STRN(nothing, NULL, n));
	UE_LOG(bytes_set, "Bytes", UE_STR(u), UE_LATIN1(s), UE_XML(name, p), UE_JSON(u),
	       UE_STRN(counted, p, n));
}
