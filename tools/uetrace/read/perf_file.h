/* SPDX-License-Identifier: MIT */
/* Interface of perf_file.c, which reads the header of perf.data for perf.c. */
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
	char *loaded; /* most recently loaded section, or NULL */
	uint64_t at; /* file offset of the loaded section or, after an error, of the damaged part */
	uint64_t data_end; /* file offset after the last record; UINT64_MAX for end of file */
	struct formats *formats;
	struct perf_attr *attrs; /* event attributes; identical adjacent ones share an entry */
	size_t attr_count;
	struct perf_id *ids;
	size_t id_count;
	bool ids_sorted;
	bool big;		 /* true if the header and the records are big-endian */
	bool data_big;		 /* true if the tracepoint data is big-endian */
	int64_t realtime_offset; /* CLOCK_REALTIME minus record time, in ns */
	bool dated;		 /* true if realtime_offset is known */
	int clock;		 /* clockid_t of the record times; -1 for perf's default clock */
	struct machine machine;
};

/*
 * Reads the header and moves the input to the first record. Returns NULL on success, or an error
 * message.
 */
const char *perf_file_open(struct perf_file *f, struct input *in);
void perf_file_close(struct perf_file *f);
/* Adds an attribute and the sample IDs that follow it. Returns false if they are malformed. */
bool perf_add_attr(struct perf_file *f, struct bytes b);
/*
 * Reads the section of a feature, such as the host name. feature is its bit number in the header.
 */
void perf_feature(struct perf_file *f, uint64_t feature, struct bytes b);
/* Reads the event formats at file offset f->at. Returns NULL on success, or an error message. */
const char *perf_tracing_data(struct perf_file *f, struct bytes b);
/* Adds the binary described by a build ID record. b contains the record without its header. */
void perf_build_id(struct perf_file *f, struct bytes b);
/* Returns the attribute for a sample ID, or NULL if the ID is unknown. */
const struct perf_attr *perf_attr_by_id(struct perf_file *f, uint64_t id);

#endif
