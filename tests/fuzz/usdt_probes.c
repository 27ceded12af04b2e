/* SPDX-License-Identifier: MIT */
/*
 * A library with the USDT probes of kernel-typed and EventHeader events. tests/fuzz/build.mk builds
 * it with each installed compiler, as a seed for usdt_fuzz.c. The library is never executed.
 */
#define UE_NO_AUTO_REGISTER
#include <user_events.h>

UE_EVENT_SET(tiny, "Tiny", UE_LEVEL_INFORMATION, 0x1);

void probes(int a, const char *b, const int *c, unsigned char d, double e);

void probes(int a, const char *b, const int *c, unsigned char d, double e)
{
	UE_TRACE(one, UE_I32(a, a), UE_STR(b, b), UE_ARRAY(I32, c, c, 3), UE_U8(d, d));
	UE_LOG(tiny, "Log", UE_I32(a, a), UE_STR(b, b), UE_STRUCT(s, UE_U8(d, d), UE_F64(e, e)));
}
