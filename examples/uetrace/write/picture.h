/* SPDX-License-Identifier: MIT */
/*
 * Events as pictures: timelines for viewers, histograms for the terminal.
 *
 *	event/typed_values.c	a record's fields, named and typed, whoever declared them
 *	spans.c		what has started and not stopped yet, in bounded memory
 *	picture.c	events to slices, instants, flows and tracks
 *	chrome.c	these as Chrome's JSON
 *	otlp.c		events as OpenTelemetry's logs and spans
 *	ctf.c		events as a folder in the Common Trace Format
 */
#ifndef UETRACE_PICTURE_H
#define UETRACE_PICTURE_H

#include "uetrace.h"

/* event/typed_values.c */

enum field_type {
	FIELD_NULL,
	FIELD_UNSIGNED,
	FIELD_SIGNED,
	FIELD_FLOAT,
	FIELD_BOOL,
	FIELD_TEXT,
	FIELD_HEX,    /* a number that is shown as 0xFF */
	FIELD_STRUCT, /* begins; its members follow, then the end */
	FIELD_STRUCT_END,
	FIELD_ARRAY, /* the same with its elements */
	FIELD_ARRAY_END,
};

struct field {
	enum field_type type;
	const char *name; /* of elements and ends: NULL */
	size_t name_length;
	unsigned int again; /* as many members of the struct had this name before */
	/* The value as text, not terminated and not checked to be UTF-8; of structs and arrays none. */
	const char *text;
	size_t length;
	union { /* of numbers; until the next field */
		uint64_t u;
		int64_t i;
		double d;
		bool b;
	};
};

typedef void (*field_fn)(void *context, const struct field *field);

/*
 * Hands over all fields of the record in their order, then a struct "meta" with what the record
 * tells beside them. What the text points to is gone when fn returns.
 */
void fields_each(const struct event *event, const struct record *record, field_fn fn,
		 void *context);
/*
 * Finds a number: "bytes", or "request.bytes" of a struct. Returns whether the record has it; of text,
 * *value is a FIELD_TEXT, whose text is there until the next call of a function of this file.
 */
bool field_find(const struct event *event, const struct record *record, const char *path,
		struct field *value);
/* Returns the field as a floating point number; 0 if it is no number. */
double field_number(const struct field *field);

/* Bytes of the character of UTF-8 at s, of n > 0 bytes; 0 if it is none. */
size_t utf8_character(const char *s, size_t n);

/* What starts, and what ends it, have the same key. */
enum span_kind {
	SPAN_NONE,
	SPAN_ACTIVITY,
	SPAN_COLLECTION,
	SPAN_CALL,
	SPAN_RUNNING,
	SPAN_NAMED
};
struct span_key {
	uint8_t bytes[16];
	uint32_t kind; /* enum span_kind */
};

/* What an event is, beside its fields. Pointers point into the event and the record. */
struct about {
	struct event *event;
	const struct record *record;
	const char *name; /* "RequestStart", "sys_enter_read" */
	size_t name_length;
	const char *category; /* "Example_Server", "user_events", "syscalls" */
	size_t category_length;
	const uint8_t *activity, *related; /* 16 bytes, or NULL */
	struct span_key key;
	bool starts, stops;
	unsigned int level; /* 0: it has none */
	/* Of OpenTelemetry's: the text of a log, or the name of a span, which ends here. */
	const char *label; /* NULL: it is none of these */
	size_t label_length;
	bool span;
	uint64_t took;	     /* ns */
	uint64_t id, parent; /* of spans; 0: none */
};

void about_read(struct event *event, const struct record *record, struct about *about);
/* Tells whether the pattern names it: "Provider:Event", "sched:sched_switch", "Event", or its tracepoint. */
bool about_matches(const struct about *about, const char *pattern);
/*
 * Names what lies between two events: by what their names have in common, of "RequestStart" and
 * "RequestStop" it is "Request", of "sys_enter_read" and "sys_exit_read" it is "read", as of sys_enter and sys_exit of this call; else the name of
 * the start remains.
 */
void span_name(struct about *start, const struct about *stop);

/* spans.c */

#define SPANS_MAX 65536
#define SPANS_BYTES (64u << 20)
#define RELATED_MAX 32 /* activities that are related to one another */
#define SPAN_LINKS 16 /* flows that leave a span to others, of each */

struct span {
	struct span_key key;
	uint64_t serial; /* from 1 on, never used again */
	uint64_t begin;
	struct event *event;
	struct record record; /* a copy, with its data and program */
	/* picture.c's: */
	struct row *row;
	pid_t tid;	    /* that wrote its last event */
	struct span *below; /* in its lane */
	int lane;	    /* -1: not known yet */
	bool flows;	    /* other threads continued it */
	bool linked;	    /* a span of another thread is its parent */
	unsigned int links;
	uint64_t link[SPAN_LINKS]; /* serials of those that it is the parent of */
	/* spans.c's: */
	struct span *next, *newer, *older;
	size_t size;
};

typedef void (*span_fn)(void *context, struct span *span);
#define SPAN_BUCKETS 65536 /* a power of two */

struct spans {
	struct span *buckets[SPAN_BUCKETS];
	struct span *newest, *oldest;
	size_t n, most;
	size_t bytes, bytes_most;
	uint64_t serial;
	uint64_t dropped;
	span_fn drop;
	void *context;
};

/*
 * As many spans and bytes of them as that may be open; dropped is called for the oldest when there are
 * more, and for one that is started again, before it is freed.
 */
struct spans *spans_new(size_t most, size_t bytes, span_fn dropped, void *context);
void spans_free(struct spans *spans);
struct span *spans_open(struct spans *spans, const struct span_key *key, uint64_t time,
			struct event *event, const struct record *record);
struct span *spans_find(struct spans *spans, const struct span_key *key);
/* Finds the activity of this id; NULL: none. */
struct span *spans_activity(struct spans *spans, const uint8_t *id);
void spans_close(struct spans *spans, struct span *span);

/* chrome.c */

/* A line of the picture: a thread, or what is beside one. */
struct track {
	pid_t pid, tid;
	unsigned int number; /* 0 of a thread, else one that no other track has */
};

/* These are Chrome's phases. */
enum mark_kind {
	MARK_INSTANT = 'i',
	MARK_SLICE = 'X',
	MARK_OPEN = 'B', /* a slice whose end is not known */
};

/* What is drawn onto a track. */
struct mark {
	enum mark_kind kind;
	const struct track *track;
	uint64_t begin, end;
	const struct about *about;
	const struct about *stop; /* what ended a slice: its fields are in a struct "stop"; or NULL */
};

struct chrome {
	FILE *out;
	bool more;  /* the list of events is not empty */
	bool first; /* the next member is the first of its object or array */
};

/* wall: CLOCK_REALTIME minus the clock of the times; dated: it is known. */
void chrome_begin(struct chrome *c, int64_t wall, bool dated);
/* Name a process or a track: before anything is drawn onto it, and again when its name changes. */
void chrome_process(struct chrome *c, pid_t pid, const char *name);
/* sort: where it stands in its process. */
void chrome_track(struct chrome *c, const struct track *track, unsigned int sort, const char *name);
void chrome_mark(struct chrome *c, const struct mark *mark);
/* phase: the flow starts ('s') or finishes ('f') where the mark begins, which is a slice. */
void chrome_flow(struct chrome *c, char phase, const struct mark *mark, uint64_t flow);
void chrome_count(struct chrome *c, pid_t pid, const char *name, uint64_t time,
		  const struct field *value);
void chrome_lost(struct chrome *c, uint64_t time, uint64_t lost);
void chrome_end(struct chrome *c);

/* Writes a string of JSON, without characters that would do something to a terminal; other bytes than UTF-8 are U+FFFD. */
void json_string(FILE *out, const char *s, size_t n);
/* Writes the field's name; a name may occur once in an object of JSON: the second one is "name#2". */
void json_name(FILE *out, const struct field *field);
/* A sink of OpenTelemetry's requests, one a line. recorded: not of this machine. */
struct sink *otlp_new(FILE *out, bool recorded);
/* A sink that makes a folder of this name. */
struct sink *ctf_new(const char *folder);
/* A sink that draws into out. counters: "event.field"... */
struct sink *picture_new(FILE *out, char **counters);

#endif
