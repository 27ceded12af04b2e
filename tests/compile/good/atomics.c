/* SPDX-License-Identifier: MIT */
/*
 * An _Atomic variable is recorded as its value, not as an array. The type of an atomic variable
 * differs from the type of its value.
 */
#include <user_events.h>

UE_EVENT_SET(atomics_set, "Compile_Atomics", UE_LEVEL_VERBOSE, 1);

#ifndef __cplusplus /* C++ uses std::atomic instead */
static _Atomic(int) number;
static volatile _Atomic(bool) flag;
static _Atomic(void *) pointer;
static _Atomic(const char *) text;
static _Atomic(double) real;

void atomics(void);
void atomics(void)
{
	UE_TRACE(atomics, number, flag, pointer);
	UE_LOG(atomics_set, "Atomics", number, flag, pointer, real);
	{
		/* the recorded string ends at its NUL, not after sizeof(char *) bytes */
		typedef __typeof__(text) ue__x_text;
		_Static_assert(!(UE__IS_C_ARRAY(ue__x_text)), "a pointer is no array");
	}
	UE_TRACE(atomic_text, text);
}
#endif
