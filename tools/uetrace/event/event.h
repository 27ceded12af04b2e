/* SPDX-License-Identifier: MIT */
/*
 * An event and a record of it, whoever recorded it.
 *
 *	format.c		the format, and how to decode records by it
 *	libtraceevent.c		the same for libtraceevent, which prints kernel events and TP_printk
 *	declared_types.c	the types that the binary gives to fields
 *	typed_values.c		a record's fields, typed, and what the event starts or stops
 *	threads.c		who wrote a record
 *	machine.c		on which machine
 *	syscalls.c		the names of system calls
 */
#ifndef UETRACE_EVENT_H
#define UETRACE_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

#include <user_events_decode.h>

struct note_field;
struct programs;
struct tep_event;
struct tep_handle;

#define CPU_UNKNOWN (~0u)

/* A machine as far as it is known: texts may be empty. */
struct machine {
	char host[256];
	char release[65]; /* of the kernel */
	char arch[65];
	char boot[37]; /* a UUID, other ones after each boot */
	char id[33];   /* of /etc/machine-id */
};

struct record {
	uint64_t time;		 /* ns of the recording's clock; live, of CLOCK_MONOTONIC */
	int64_t realtime_offset; /* CLOCK_REALTIME minus that clock, ns */
	bool dated;		 /* whether realtime_offset is known */
	unsigned int cpu;	 /* CPU_UNKNOWN: not recorded */
	const void *data;
	size_t size;
	uint64_t lost; /* live: events of this CPU that were lost right before it */
	/*
	 * Who wrote it: the names of the thread and the process; program is NULL if /proc is to be
	 * asked.
	 */
	const char *program, *process;
	pid_t pid, tid;		       /* pid -1: not known; 0 is the idle threads' */
	const struct machine *machine; /* where; NULL: not known */
};

struct event {
	char *system;
	char *name;
	char *shown;  /* "request_done", "kprobes:open" */
	char *probed; /* of an event probe: the event it is on, "user_events.request_done" */
	char *format_text;
	struct decoder *decoder;
	struct tep_event *tep;	    /* set if libtraceevent prints it */
	struct tep_handle *handle;  /* of the recording's kernel; NULL: a recorder's */
	struct tep_handle *own;	    /* used for this event only: a TRACE_EVENT of a recording */
	struct programs **programs; /* the binaries that its recording names, or NULL */
	size_t programs_known;	    /* how many of them were searched for its text */
	struct note_field *types;   /* declared by its site, up to a type of 0; NULL: not known */
	size_t types_applied;	    /* types_changes() + 1 at the last event_apply_types() */
	uint8_t long_size;	    /* sizeof(long) of its kernel; 0: as here */
	bool swapped;		    /* recorded in the other byte order */
	const bool *native; /* recorded on a machine like this one; NULL: not known, unless live */
	bool live;
	bool ours;   /* uetrace reports it itself */
	bool parsed; /* tep is set, or stays NULL */
	unsigned int id;
	bool by_uprobes;	 /* no tracepoint, which may have the same name */
	unsigned int printed_id; /* the ID that records made of uprobes' begin with */
	ino_t inode;		 /* of its directory; a later event of this name has another one */
	bool eventheader;
	bool wanted;
	bool judged;   /* show: wanted is known */
	bool by_name;  /* an event set of which the patterns name some events */
	bool by_match; /* uetrace evaluates the filter, not the kernel */
	bool enabled;
	const char *group; /* of a probe of --probe: the group that is shown; else NULL */
};

/*
 * What uetrace reports itself has this system, and nothing else: an event that has it gets the
 * other name.
 */
#define OWN_SYSTEM "uetrace"
#define NOT_OWN_SYSTEM "uetrace#2"

/*
 * The tracefs systems that user events are in. Linux has two, but its document says that tools
 * must not rely on them, and that later kernels may give processes systems of their own. Each
 * system whose name begins like these two is taken for one of user events.
 */

#define USER_SYSTEM "user_events"
#define MULTI_SYSTEM "user_events_multi" /* of names with several formats, each as NAME.HEX */

static inline bool system_is_user(const char *system)
{
	return strncmp(system, USER_SYSTEM, strlen(USER_SYSTEM)) == 0;
}

/* The length of the name that a program gave a user event, without ".HEX". */
static inline size_t user_name_length(const char *system, const char *name)
{
	const char *dot = strstr(system, "_multi") ? strrchr(name, '.') : NULL;

	return dot ? (size_t)(dot - name) : strlen(name);
}

/* format.c */

/* Returns the name to show, which the caller frees. */
char *event_shown(const char *system, const char *name);

/* Reads the fields of event->format_text. */
void event_decode(struct event *event);
/* Frees what event_decode() allocated. */
void event_forget(struct event *event);
/* Frees an event and all that it owns. */
void event_free(void *event);
const struct ue_decode_format *event_format(const struct event *event);
/* Does the record have all fields? libtraceevent reads them without asking. */
bool event_whole(const struct event *event, const struct record *record);

#define FIELDS_MAX 256

struct decoder {
	struct ue_decode_format format;
	struct ue_decode_field fields[FIELDS_MAX];
	size_t own;    /* the first that is not in all events */
	size_t places; /* how many from there on tell where a probe was hit, up to 2 */
};

/* Where an EventHeader event begins in its record, at most at its end. */
static inline size_t header_offset(const struct event *event, const struct record *record)
{
	size_t offset = event->decoder->format.eventheader;

	return offset < record->size ? offset : record->size;
}

/* What is before the fields of an EventHeader event; the error is in e, too. */
static inline int event_header(const struct event *event, const struct record *record,
			       struct ue_decode_event *e)
{
	size_t offset = header_offset(event, record);
	int error = ue_decode_parse(e, event->shown, strlen(event->shown),
				    (const char *)record->data + offset, record->size - offset);

	if (e->provider_length == strlen(OWN_SYSTEM) &&
	    memcmp(e->provider, OWN_SYSTEM, e->provider_length) == 0) {
		e->provider = NOT_OWN_SYSTEM;
		e->provider_length = strlen(NOT_OWN_SYSTEM);
	}
	return error;
}

/* libtraceevent.c */

/* Sets event->tep, once, unless the format would crash libtraceevent. */
void event_parse(struct event *event);

/* declared_types.c */

/*
 * Sets the declared types of the fields, for text output. An event with types of its own gets
 * these. Another event gets those of types_find(). JSON shows the types of the format alone.
 */
void event_apply_types(struct event *event);
/* Copies the types that a site declares to an event. NULL is no types. */
void event_set_types(struct event *event, const struct note_field *types);
/* Orders events by their own types. */
int event_compare_types(const struct event *a, const struct event *b);

/* threads.c */
struct thread {
	pid_t tid;
	pid_t pid;	/* -1: not known; 0 is the idle threads' */
	uint64_t asked; /* time of the last query */
	char name[16];
	char process[64]; /* live, the base name of its binary; "": not known */
};
/*
 * Uses /proc only for one process, with these PIDs, because uetrace runs in a PID namespace whose
 * /proc has other PIDs than records. The kernel's saved_cmdlines has the names of the others.
 */
void threads_translate(pid_t in_records, pid_t in_proc);
/* Returns who wrote a record; valid until the next call. */
const struct thread *thread_of(const struct record *record);

/* machine.c: this one. The caller may change it. */
struct machine *machine_here(void);

/* syscalls.c: NULL if there is none of this number */
const char *syscall_name(uint64_t number);

/* typed_values.c */

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
	unsigned int earlier; /* number of earlier members of the struct with this name */
	/*
	 * The value as text, not terminated and not checked to be UTF-8; of structs and arrays
	 * none.
	 */
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
 * Finds a number: "bytes", or "request.bytes" of a struct. Returns whether the record has it; of
 * text,
 * *value is a FIELD_TEXT, whose text is there until the next call of a function of this file.
 */
bool field_find(const struct event *event, const struct record *record, const char *path,
		struct field *value);
/* Returns the field as a floating point number; 0 if it is no number. */
double field_number(const struct field *field);

/* What starts, and what ends it, have the same key. */
enum span_kind { SPAN_NONE, SPAN_ACTIVITY, SPAN_COLLECTION, SPAN_CALL, SPAN_RUNNING, SPAN_NAMED };
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
/*
 * Tells whether the pattern names it: "Provider:Event", "sched:sched_switch", "Event", or its
 * tracepoint.
 */
bool about_matches(const struct about *about, const char *pattern);
/*
 * Names what lies between two events: by what their names have in common, of "RequestStart" and
 * "RequestStop" it is "Request", of "sys_enter_read" and "sys_exit_read" it is "read", as of
 * sys_enter and sys_exit of this call; else the name of the start remains.
 */
void span_name(struct about *start, const struct about *stop);

#endif
