/* SPDX-License-Identifier: MIT */
/* Recognises characters that control a terminal or change the direction of text. */
#ifndef UETRACE_CLEAN_H
#define UETRACE_CLEAN_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Returns the code point of the UTF-8 character at s if it could mislead the user of a terminal,
 * otherwise 0. Some terminals interpret U+0080 to U+009F as commands. Other characters change the
 * text direction, so that one name can look like another. The caller must handle the ASCII control
 * characters below 0x20.
 */
static inline unsigned int unclean_character(const unsigned char *s, size_t n)
{
	unsigned int c;

	if (*s == 0x7f)
		return *s;
	if (n >= 2 && *s == 0xc2 && s[1] >= 0x80 && s[1] <= 0x9f)
		return s[1];
	if (n >= 2 && *s == 0xd8 && s[1] == 0x9c)
		return 0x61c;
	if (n < 3 || *s != 0xe2 || (s[1] & 0xfe) != 0x80 || (s[2] & 0xc0) != 0x80)
		return 0;
	c = 0x2000 | (s[1] & 0x3fu) << 6 | (s[2] & 0x3fu);
	return c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) ||
			       (c >= 0x2066 && c <= 0x2069)
		       ? c
		       : 0;
}

/* Returns the length, in bytes, of the UTF-8 encoding of a code point from unclean_character(). */
static inline size_t unclean_length(unsigned int code)
{
	return code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
}

#endif
