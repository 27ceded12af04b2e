/* SPDX-License-Identifier: MIT */
/* Detects the type of a recording from its first bytes and opens it. The file name is ignored. */
#include "read/read.h"

#include <string.h>
#include <sys/stat.h>

#define MAGIC 16 /* number of bytes needed to detect the type */

static bool begins(const uint8_t *head, size_t n, const char *magic)
{
	return n >= strlen(magic) && memcmp(head, magic, strlen(magic)) == 0;
}

/*
 * Returns true if the event formats are at the end of perf.data. If perf wrote to a pipe, the
 * header has 16 bytes and there are no formats at the end.
 */
static bool needs_seeking(const uint8_t *head, size_t n)
{
	return n >= 16 && head[8] != 16 && head[15] != 16;
}

enum recording_kind recording_kind(struct input *in)
{
	const uint8_t *magic;
	size_t n = input_peek(in, &magic, MAGIC);

	if (!n)
		return RECORDING_EMPTY;
	if (begins(magic, n, "PERFILE2") || begins(magic, n, "2ELIFREP"))
		return RECORDING_PERF;
	if (begins(magic, n, "\x17\x08\x44tracing"))
		return RECORDING_TRACE_DAT;
	if (is_recorder(magic, n))
		return RECORDING_RECORDER;
	return RECORDING_NONE;
}

struct source *recording_open(struct input *in, enum recording_kind kind, bool follow)
{
	const uint8_t *magic;
	size_t n = input_peek(in, &magic, MAGIC);

	if (!in->seekable &&
	    (kind == RECORDING_TRACE_DAT || (kind == RECORDING_PERF && needs_seeking(magic, n))))
		input_spool(in);
	if (kind == RECORDING_PERF)
		return perf_open(in);
	if (kind == RECORDING_TRACE_DAT)
		return trace_dat_open(in);
	return recorder_open(in, follow);
}

bool is_recording(const char *path)
{
	struct stat st;
	struct input *in;
	bool known;

	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || !st.st_size)
		return false;
	in = input_open(path);
	if (!in)
		return false;
	known = recording_kind(in) > RECORDING_NONE;
	input_close(in);
	return known;
}
