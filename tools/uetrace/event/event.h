/* SPDX-License-Identifier: MIT */
/*
 * Describes events and decodes their records, live or from any recording.
 *
 *	format.c		the format of an event, and its decoder
 *	libtraceevent.c		the format for libtraceevent, for kernel events and TP_printk
 *	declared_types.c	the types of fields that binaries declare
 *	typed_values.c		the typed fields of a record, and the span that it begins or ends
 *	names.c			counts of the names in a struct
 *	threads.c		the thread and the process that wrote a record
 *	machine.c		this machine
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

/* A machine. Unknown texts are empty. */
struct machine {
	char host[256];
	char release[65]; /* of the kernel */
	char arch[65];
	char boot[37]; /* a UUID that changes with each boot */
	char id[33];   /* of /etc/machine-id */
};

struct record {
	uint64_t time;		 /* ns of the recording's clock; live: of CLOCK_MONOTONIC */
	int64_t realtime_offset; /* CLOCK_REALTIME minus that clock, ns */
	bool dated;		 /* whether realtime_offset is known */
	unsigned int cpu;	 /* CPU_UNKNOWN: not recorded */
	const void *data;
	size_t size;
	uint64_t lost; /* live: number of events of this CPU that were lost right before it */
	/* Names of its thread and its process. program NULL: thread_of() reads /proc. */
	const char *program, *process;
	pid_t pid, tid;		       /* pid -1: unknown; 0 belongs to the idle threads */
	const struct machine *machine; /* NULL if unknown */
};

struct event {
	char *system;
	char *name;
	char *shown;  /* "request_done", "kprobes:open" */
	char *probed; /* of an event probe: the probed event, "user_events.request_done" */
	char *format_text;
	struct decoder *decoder;
	struct tep_event *tep;	    /* set if libtraceevent prints it */
	struct tep_handle *handle;  /* of the recording's kernel; NULL for a recorder */
	struct tep_handle *own;	    /* for this event only: a TRACE_EVENT of a recording */
	struct programs **programs; /* the binaries named in the recording, or NULL */
	size_t programs_known;	    /* number of these that were searched for its text */
	struct note_field *types;   /* declared by its site, up to a type of 0; NULL: not known */
	size_t types_applied;	    /* types_changes() + 1 at the last event_apply_types() */
	uint8_t long_size;	    /* sizeof(long) of its kernel; 0: as on this machine */
	bool swapped;		    /* recorded in the other byte order */
	const bool *native; /* recorded on a machine like this one; NULL: unknown, unless live */
	bool live;
	bool ours;   /* an event of uetrace about itself */
	bool parsed; /* event_parse() was called */
	unsigned int id;
	bool by_uprobes;	 /* recorded by uprobes; a tracepoint may have the same name */
	unsigned int printed_id; /* ID at the begin of records that are made from uprobes */
	ino_t inode;		 /* of its directory; changes if the event is registered again */
	bool eventheader;
	bool wanted;
	bool judged;   /* show: wanted is valid */
	bool by_name;  /* the patterns select some events of this set */
	bool by_match; /* uetrace evaluates the filter, not the kernel */
	bool enabled;
	const char *group; /* of --probe: the group that is shown; else NULL */
};

/*
 * The system of uetrace's own events. Another program's event with this system is shown with the
 * second name.
 */
#define OWN_SYSTEM "uetrace"
#define NOT_OWN_SYSTEM "uetrace#2"

/*
 * The tracefs systems of user events. Linux has two, but its documentation says that tools must not
 * rely on their names and that later kernels may give processes systems of their own. Each system
 * whose name begins like these two counts as one of user events.
 */

#define USER_SYSTEM "user_events"
#define MULTI_SYSTEM "user_events_multi" /* for names with several formats, each as NAME.HEX */

static inline bool system_is_user(const char *system)
{
	return strncmp(system, USER_SYSTEM, strlen(USER_SYSTEM)) == 0;
}

/* Returns the length of the name that a program gave a user event, without ".HEX". */
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
/* Frees an event and everything it owns. */
void event_free(void *event);
const struct ue_decode_format *event_format(const struct event *event);
/* Tells whether the record contains all fields, which libtraceevent does not check. */
bool event_whole(const struct event *event, const struct record *record);

#define FIELDS_MAX 256

struct decoder {
	struct ue_decode_format format;
	struct ue_decode_field fields[FIELDS_MAX];
	size_t own;    /* index of the first field after the common ones */
	size_t places; /* number of fields from there on with the probe's addresses */
};

/* Returns the offset of an EventHeader event in its record, at most the record's size. */
static inline size_t header_offset(const struct event *event, const struct record *record)
{
	size_t offset = event->decoder->format.eventheader;

	return offset < record->size ? offset : record->size;
}

/* Reads an EventHeader event up to its fields. Returns the error, which is also in e. */
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

/* Sets event->tep at the first call, unless the format would crash libtraceevent. */
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
	pid_t pid;	/* -1: unknown; 0 belongs to the idle threads */
	uint64_t asked; /* time of the last query */
	char name[16];
	char process[64]; /* live: base name of its binary; "" if unknown */
};
/*
 * Uses /proc only for one process, with these PIDs, because uetrace runs in a PID namespace whose
 * /proc has other PIDs than records. The kernel's saved_cmdlines has the names of the others.
 */
void threads_translate(pid_t in_records, pid_t in_proc);
/* Returns the thread that wrote a record; valid until the next call. */
const struct thread *thread_of(const struct record *record);

/* machine.c: returns this machine, which the caller may change. */
struct machine *machine_here(void);

/* syscalls.c: returns the name of a system call, or NULL. */
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
	const char *name; /* NULL for elements and ends */
	size_t name_length;
	unsigned int earlier; /* number of earlier members of the struct with this name */
	/* The value as text, not terminated, possibly not UTF-8. Structs and arrays have none. */
	const char *text;
	size_t length;
	union { /* the value of a number */
		uint64_t u;
		int64_t i;
		double d;
		bool b;
	};
};

typedef void (*field_fn)(void *context, const struct field *field);

/*
 * Passes all fields of the record to fn, in order, then a struct "meta" with the other data of the
 * record. The text of a field is valid until fn returns. fn must not call functions of this file.
 */
void fields_each(const struct event *event, const struct record *record, field_fn fn,
		 void *context);
/*
 * Finds a field by its path: "bytes", or "request.bytes" for a member of a struct. Returns whether
 * the record has it. The text of the value is valid until the next call of a function of this file.
 */
bool field_find(const struct event *event, const struct record *record, const char *path,
		struct field *value);
/* Returns the field as a floating point number, or 0 if it is not a number. */
double field_number(const struct field *field);

/* The key of a span. The event that begins it and the event that ends it have the same key. */
enum span_kind { SPAN_NONE, SPAN_ACTIVITY, SPAN_COLLECTION, SPAN_CALL, SPAN_RUNNING, SPAN_NAMED };
struct span_key {
	uint8_t bytes[16];
	uint32_t kind; /* enum span_kind */
};

/* The properties of an event other than its fields. Pointers point into the event and record. */
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
	unsigned int level; /* 0 if it has none */
	/* OpenTelemetry: the text of a log, or the name of a span, which ends here. */
	const char *label; /* NULL for other events */
	size_t label_length;
	bool span;
	uint64_t took;	     /* ns */
	uint64_t id, parent; /* of a span; 0: none */
};

void about_read(struct event *event, const struct record *record, struct about *about);
/*
 * Tells whether a pattern matches "Provider:Event", "sched:sched_switch", "Event" or the
 * tracepoint.
 */
bool about_matches(const struct about *about, const char *pattern);
/*
 * Sets the name of start to that of the span between two events: "Request" for "RequestStart" and
 * "RequestStop", "read" for "sys_enter_read" and "sys_exit_read" or for sys_enter and sys_exit of
 * this call. Otherwise the name stays.
 */
void span_name(struct about *start, const struct about *stop);

#endif
