/* SPDX-License-Identifier: MIT */
/*
 * One user_events_sdt.h probe for each C type and each kind of constant. "run sdt" compares their
 * notes with those of SystemTap's <sys/sdt.h>, which this file includes if THEIRS is defined.
 */
#ifdef THEIRS
#include <sys/sdt.h>
#else
#include <user_events_sdt.h>
#endif
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

enum natural { NONE, ONE };
enum whole { MINUS_ONE = -1 };
struct any;
typedef void (*function)(void);
typedef unsigned char uchar;
typedef long long llong;

extern int array[4];

#define OF_TYPE(name, type) \
	void of_##name(type value); \
	void of_##name(type value) \
	{ \
		DTRACE_PROBE1(types, name, value); \
	}
OF_TYPE(char, char)
OF_TYPE(signed_char, signed char)
OF_TYPE(unsigned_char, unsigned char)
OF_TYPE(short, short)
OF_TYPE(unsigned_short, unsigned short)
OF_TYPE(int, int)
OF_TYPE(unsigned, unsigned int)
OF_TYPE(long, long)
OF_TYPE(unsigned_long, unsigned long)
OF_TYPE(long_long, llong)
OF_TYPE(unsigned_long_long, unsigned long long)
OF_TYPE(bool, bool)
OF_TYPE(natural, enum natural)
OF_TYPE(whole, enum whole)
OF_TYPE(wchar, wchar_t)
OF_TYPE(size, size_t)
OF_TYPE(ptrdiff, ptrdiff_t)
OF_TYPE(pointer, void *)
OF_TYPE(text, const char *)
OF_TYPE(incomplete, const struct any *)
OF_TYPE(function, function)

void constants(void);
void constants(void)
{
	DTRACE_PROBE1(types, five, 5);
	DTRACE_PROBE1(types, minus_five, -5);
	DTRACE_PROBE1(types, five_unsigned, 5u);
	DTRACE_PROBE1(types, five_long, 5L);
	DTRACE_PROBE1(types, five_long_long, (llong)5);
	DTRACE_PROBE1(types, a_char, (char)-3);
	DTRACE_PROBE1(types, a_short, (short)-2);
	DTRACE_PROBE1(types, an_unsigned_char, (uchar)200);
	DTRACE_PROBE1(types, a_bool, (bool)1);
	DTRACE_PROBE1(types, an_enumerator, ONE);
	DTRACE_PROBE1(types, a_letter, 'x');
	DTRACE_PROBE1(types, null, (void *)0);
	DTRACE_PROBE1(types, literal, "text");
	DTRACE_PROBE1(types, array, array);
}

#ifndef THEIRS /* unlike ours, the macro of <sys/sdt.h> has no size arguments */
void between(void);
void between(void)
{
	__asm__ volatile("nop\n" STAP_PROBE_ASM(types, between, -4@%eax 8@4(%rsi)) "nop");
}
#endif
