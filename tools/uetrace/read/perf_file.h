/* SPDX-License-Identifier: MIT */
/* Inside of perf.data: perf_file.c reads what describes the records, perf.c the records. */
#ifndef UETRACE_PERF_FILE_H
#define UETRACE_PERF_FILE_H

#include "binary/binary.h"
#include "read/read.h"
#include "read/tracepoints.h"

#define PERF_TRACING_MAX (64u << 20)

/* What perf_event_attr says of the records of an event. */
struct perf_attr {
	uint64_t sample_type;
	uint64_t read_format;
	uint64_t sample_id_all;
};

struct perf_id {
	uint64_t id;
	size_t attr;
};

struct perf_file {
	struct input *in;
	char *loaded;	   /* a part of it */
	uint64_t at;	   /* which; after an error, of what is wrong */
	uint64_t data_end; /* of the records; UINT64_MAX: they end with the file */
	struct formats *formats;
	struct perf_attr *attrs; /* each other than the one before it */
	size_t attr_count;
	struct perf_id *ids;
	size_t id_count;
	bool ids_sorted;
	bool big;      /* byte order of perf's own numbers */
	bool data_big; /* of the events' */
	int64_t wall;
	bool dated;
	int clock; /* clockid_t; -1: perf's own */
	struct machine machine;
};

/* Reads the header; the records follow in the input. Returns NULL or what is wrong. */
const char *perf_file_open(struct perf_file *f, struct input *in);
void perf_file_close(struct perf_file *f);
/* Adds an attribute, and the ids behind it. Returns whether they are right. */
bool perf_add_attr(struct perf_file *f, struct bytes b);
void perf_feature(struct perf_file *f, uint64_t feature, struct bytes b);
/* Returns NULL or what is wrong. The bytes are at f->at of the file. */
const char *perf_tracing_data(struct perf_file *f, struct bytes b);
/* Adds a binary and its build id, behind the header of their record. */
void perf_build_id(struct perf_file *f, struct bytes b);
const struct perf_attr *perf_attr_by_id(struct perf_file *f, uint64_t id);

#endif
