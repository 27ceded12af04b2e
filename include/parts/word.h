/* SPDX-License-Identifier: MIT */
/*
 * Words and identifiers
 */

/* @private */

#ifndef UE__PART_WORD /* user_events.h and user_events_decode.h both have it */
#define UE__PART_WORD
static inline __attribute__((__always_inline__)) int ue__is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* May an identifier hold it? Not isalnum(), which asks the locale. */
static inline __attribute__((__always_inline__)) int ue__is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || ue__is_digit(c) || c == '_';
}

/* Is the text of N bytes at S an identifier of C? */
static inline __attribute__((__always_inline__)) int ue__is_identifier(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && ue__is_word(s[i]))
		i++;
	return n > 0 && i == n && !ue__is_digit(s[0]);
}
#endif
