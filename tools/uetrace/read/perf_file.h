/* SPDX-License-Identifier: MIT */
/* Interface between perf_file.c, which reads the header of perf.data, and perf.c. */
#ifndef UETRACE_PERF_FILE_H
#define UETRACE_PERF_FILE_H

#include "binary/binary.h"
#include "read/read.h"
#include "read/tracepoints.h"

#define PERF_TRACING_MAX (64u << 20)

/* The members of perf_event_attr that determine the layout of an event's records. */
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
	char *loaded;	   /* section of the file in memory, or NULL */
	uint64_t at;	   /* file offset of that section or, after an error, of the damaged part */
	uint64_t data_end; /* end of the records as a file offset; UINT64_MAX means end of file */
	struct formats *formats;
	struct perf_attr *attrs; /* attributes; adjacent equal ones share an entry */
	size_t attr_count;
	struct perf_id *ids;
	size_t id_count;
	bool ids_sorted;
	bool big;		 /* true if perf's own numbers are big-endian */
	bool data_big;		 /* true if the event fields are big-endian */
	int64_t realtime_offset; /* CLOCK_REALTIME minus the clock of the record times, ns */
	bool dated;		 /* true if realtime_offset is known */
	int clock;		 /* clockid_t of the record times; -1 for perf's default clock */
	struct machine machine;
};

/*
 * Reads the header and moves the input to the first record. Returns NULL on success, otherwise an
 * error message.
 */
const char *perf_file_open(struct perf_file *f, struct input *in);
void perf_file_close(struct perf_file *f);
/* Adds an attribute and the sample IDs that follow it. Returns false if they are malformed. */
bool perf_add_attr(struct perf_file *f, struct bytes b);
/*
 * Reads a feature section, such as the host name. feature is the number of its bit in the header.
 */
void perf_feature(struct perf_file *f, uint64_t feature, struct bytes b);
/*
 * Reads the event formats at file offset f->at. Returns NULL on success, otherwise an error
 * message.
 */
const char *perf_tracing_data(struct perf_file *f, struct bytes b);
/* Adds a binary and its build ID from the body of a build ID record. */
void perf_build_id(struct perf_file *f, struct bytes b);
/* Returns the attribute with this sample ID, or NULL. */
const struct perf_attr *perf_attr_by_id(struct perf_file *f, uint64_t id);

#endif
