/* SPDX-License-Identifier: MIT */
#ifndef UE_LINUX_STRING_H
#define UE_LINUX_STRING_H
#pragma GCC system_header

#include <errno.h>
#include <string.h>
#include <sys/types.h>

/*
 * Copies as much of SOURCE as fits in SIZE bytes, with a NUL. Returns the length, or -E2BIG if
 * SOURCE was truncated.
 */
static inline ssize_t ue__strscpy(void *destination, const void *source, size_t size)
{
	/* the kernel accepts pointers to unsigned bytes */
	char *to = (char *)destination;
	const char *from = (const char *)source;
	size_t n;

	if (size == 0)
		return -E2BIG;
	for (n = 0; n < size - 1 && from[n]; n++)
		to[n] = from[n];
	to[n] = '\0';
	return from[n] ? -E2BIG : (ssize_t)n;
}

#define UE__STRSCPY(to, from, size, ...) ue__strscpy(to, from, size)
#ifndef strscpy
#define strscpy(to, ...) UE__STRSCPY(to, __VA_ARGS__, sizeof(to), ~)
#endif
/* glibc has strlcpy() since 2.38; other libcs have had it for longer */
#if defined(__GLIBC__) && defined(__GLIBC_PREREQ)
#if !__GLIBC_PREREQ(2, 38) && !defined(strlcpy)
#define strlcpy(to, from, size) ((void)ue__strscpy(to, from, size), strlen(from))
#endif
#endif

static inline const char *kbasename(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

#endif
