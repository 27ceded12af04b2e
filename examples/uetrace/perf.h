/* SPDX-License-Identifier: MIT */
/* Inside of perf.data: perf_file.c reads what describes the records, perf.c the records. */
#ifndef UETRACE_PERF_H
#define UETRACE_PERF_H

#include "uetrace.h"

#define PERF_TRACING_MAX (64u << 20)

/* Bytes that are read in order; beyond their end, all is 0 and bad. */
struct cursor {
	const uint8_t *at, *end;
	bool swapped;
	bool bad;
};

static inline uint64_t cursor_number(struct cursor *c, size_t size)
{
	uint64_t value = 0;
	size_t i;

	if ((size_t)(c->end - c->at) < size) {
		c->bad = true;
		c->at = c->end;
		return 0;
	}
	for (i = 0; i < size; i++) {
		bool little = c->swapped == (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);

		value |= (uint64_t)c->at[i] << 8 * (little ? i : size - 1 - i);
	}
	c->at += size;
	return value;
}

static inline uint16_t cursor_u16(struct cursor *c)
{
	return (uint16_t)cursor_number(c, 2);
}

static inline uint32_t cursor_u32(struct cursor *c)
{
	return (uint32_t)cursor_number(c, 4);
}

static inline uint64_t cursor_u64(struct cursor *c)
{
	return cursor_number(c, 8);
}

/* What perf_event_attr says of the records of an event. */
struct perf_attr {
	uint64_t sample_type;
	uint64_t read_format;
	bool sample_id_all;
};

struct perf_id {
	uint64_t id;
	size_t attr;
};

struct perf_file {
	struct input *in;
	struct formats *formats;
	struct perf_attr *attrs;
	size_t attr_count;
	struct perf_id *ids;
	size_t id_count;
	bool ids_sorted;
	bool same;	   /* all attributes are alike */
	bool swapped;	   /* perf's own numbers */
	bool data_swapped; /* the events' */
	int64_t wall;
	bool dated;
	int clock; /* clockid_t; -1: perf's own */
};

/*
 * Reads the header. Returns NULL or what is wrong, and at which byte. The records follow in the
 * input, up to data_end; UINT64_MAX: the end of the file.
 */
const char *perf_file_open(struct perf_file *f, struct input *in, uint64_t *data_end, uint64_t *at);
void perf_file_close(struct perf_file *f);
/* Of a pipe: attributes and ids. Returns 0 or -1. */
int perf_add_attr(struct perf_file *f, struct cursor *c);
void perf_feature(struct perf_file *f, unsigned int feature, struct cursor c);
/* Returns NULL or what is wrong; at is the offset of the first byte, and then that of the wrong one. */
const char *perf_tracing_data(struct perf_file *f, const uint8_t *bytes, size_t size, uint64_t *at);
/* A binary and its build id, behind the header of their record. */
void perf_build_id(struct perf_file *f, struct cursor *c);
const struct perf_attr *perf_attr_by_id(const struct perf_file *f, uint64_t id);

#endif
