/* SPDX-License-Identifier: MIT */
/*
 * Describes events and decodes their records, both live and from recordings.
 *
 *   format.c          event formats and decoders
 *   libtraceevent.c   printing with libtraceevent, for kernel events and TP_printk
 *   declared_types.c  field types declared in binaries
 *   typed_values.c    typed fields of a record, and the span that it starts or stops
 *   names.c           uniqueness of names within a struct
 *   threads.c         thread and process that wrote a record
 *   machine.c         this machine
 *   dotnet.c          events of the .NET runtime, as EventHeader events
 *   syscalls.c        system call names
 */
#ifndef UETRACE_EVENT_H
#define UETRACE_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

#include <user_events_decode.h>

struct dotnet_event;
struct note_field;
struct programs;
struct tep_event;
struct tep_handle;

#define CPU_UNKNOWN (~0u)

/* A machine. Unknown strings are empty. */
struct machine {
	char host[256];
	char release[65]; /* kernel release */
	char arch[65];
	char boot[37]; /* boot ID, a UUID */
	char id[33];   /* content of /etc/machine-id */
};

struct record {
	uint64_t time;		 /* ns of the recording's clock; CLOCK_MONOTONIC for live records */
	int64_t realtime_offset; /* CLOCK_REALTIME minus the recording's clock, ns */
	bool dated;		 /* true if realtime_offset is known */
	unsigned int cpu;	 /* CPU number; CPU_UNKNOWN if not recorded */
	const void *data;
	size_t size;
	uint64_t lost; /* number of events lost on this CPU before this record; 0 in a file */
	/*
	 * Thread name and process name. If program is NULL, thread_of() looks up both names in
	 * /proc.
	 */
	const char *program, *process;
	pid_t pid, tid;		       /* pid is -1 if unknown, and 0 for idle threads */
	const struct machine *machine; /* NULL if unknown */
};

struct event {
	char *system;
	char *name;
	char *shown;  /* name to print, such as "request_done" or "kprobes:open" */
	char *probed; /* target of an event probe, or NULL */
	char *format_text;
	struct decoder *decoder;
	struct tep_event *tep;	    /* NULL if libtraceevent does not print the event */
	struct tep_handle *handle;  /* handle of the recorded kernel; NULL for a recorder file */
	struct tep_handle *own;	    /* private handle of a recorded TRACE_EVENT event */
	struct programs **programs; /* binaries named in the recording, or NULL */
	size_t programs_known;	    /* number of binaries already searched for a TP_printk string */
	struct note_field *types;   /* types declared by the site, ending with type 0; or NULL */
	size_t types_applied;	    /* types_changes() + 1 at the last event_apply_types() call */
	uint8_t long_size;	    /* sizeof(long) in the recorded kernel; 0 if the same as here */
	bool swapped;		    /* true if recorded in the opposite byte order */
	const bool *native;	    /* true for a machine like this one; NULL if unknown or live */
	bool live;
	bool ours;   /* true if uetrace generated the event to report its own state */
	bool parsed; /* true after event_parse() */
	unsigned int id;
	bool by_uprobes;	 /* true if recorded by uprobes instead of a tracepoint */
	unsigned int printed_id; /* event ID to store in records converted from uprobe records */
	ino_t inode;		 /* inode of the tracefs directory; changes on re-registration */
	bool eventheader;
	bool wanted;
	bool judged;   /* true if wanted has been determined; used by uetrace show */
	bool by_name;  /* true if the patterns select only some events of this event set */
	bool by_match; /* true if uetrace evaluates the filter rather than the kernel */
	bool enabled;
	const char *group; /* group name to print for a --probe event; otherwise NULL */
	/*
	 * A .NET tracepoint lists its event sets in sets. An event set refers to its .NET
	 * tracepoint in tracepoint.
	 */
	struct event **sets;
	size_t sets_n;
	struct event *tracepoint;
};

/*
 * OWN_SYSTEM is the system of the events that uetrace itself generates. If a program's event has
 * the same system name, it is printed as NOT_OWN_SYSTEM.
 */
#define OWN_SYSTEM "uetrace"
#define NOT_OWN_SYSTEM "uetrace#2"

/*
 * The tracefs systems of user events. Linux has two such systems, but its documentation warns
 * that later kernels may add more, for example one per process. Therefore, every system whose name
 * begins with "user_events" is treated as a system of user events.
 */

#define USER_SYSTEM "user_events"
#define MULTI_SYSTEM "user_events_multi" /* its events are called NAME.HEX, one per format */

static inline bool system_is_user(const char *system)
{
	return strncmp(system, USER_SYSTEM, strlen(USER_SYSTEM)) == 0;
}

/* Returns the length of a user event's name without the ".HEX" suffix of multi-format events. */
static inline size_t user_name_length(const char *system, const char *name)
{
	const char *dot = strstr(system, "_multi") ? strrchr(name, '.') : NULL;

	return dot ? (size_t)(dot - name) : strlen(name);
}

/* format.c */

/* Returns the name to print. The caller frees it. */
char *event_shown(const char *system, const char *name);

/* Parses the fields in event->format_text. */
void event_decode(struct event *event);
/* Frees the decoder that event_decode() created. */
void event_forget(struct event *event);
/* Frees an event and all memory that it owns. */
void event_free(void *event);
const struct ue_decode_format *event_format(const struct event *event);
/* Returns true if the record is long enough for all fields. libtraceevent does not check this. */
bool event_whole(const struct event *event, const struct record *record);
/* Returns true if the program truncated a string or an array of the event. */
bool event_truncated(const struct event *event, const struct record *record);

#define FIELDS_MAX 256

struct decoder {
	struct ue_decode_format format;
	struct ue_decode_field fields[FIELDS_MAX];
	size_t own;    /* index of the first field after the common ones */
	size_t places; /* number of address fields of a kprobe or uprobe, starting at index own */
};

/* Returns the offset of the EventHeader header within the record, at most the record size. */
static inline size_t header_offset(const struct event *event, const struct record *record)
{
	size_t offset = event->decoder->format.eventheader;

	return offset < record->size ? offset : record->size;
}

/*
 * Decodes the header and name of an EventHeader event. Returns the error, and also stores it in e.
 */
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

/*
 * Parses the event's format with libtraceevent and sets event->tep, unless this was already done.
 * Skips formats on which libtraceevent would crash.
 */
void event_parse(struct event *event);

/* declared_types.c */

/*
 * Applies the declared field types to the decoder, for text output only. If the event's site is
 * known, uses the types declared there; otherwise, uses types_find(). JSON output always uses the
 * types in the format file.
 */
void event_apply_types(struct event *event);
/* Copies the types that a site declares to an event. If types is NULL, removes them. */
void event_set_types(struct event *event, const struct note_field *types);
/* Comparison function that sorts events by the field types of their sites. */
int event_compare_types(const struct event *a, const struct event *b);

/* threads.c */
struct thread {
	pid_t tid;
	pid_t pid;	/* -1 if unknown, 0 for idle threads */
	uint64_t asked; /* time of the last lookup */
	char name[16];
	char process[64]; /* live: file name of the process's executable; "" if unknown */
};
/*
 * Declares that records contain other PIDs than /proc, because uetrace runs in another PID
 * namespace. Afterwards, /proc is used only for the process that has these two PIDs. The names of
 * all other threads are read from saved_cmdlines.
 */
void threads_translate(pid_t in_records, pid_t in_proc);
/* Returns the thread that wrote a record. The result is valid until the next call. */
const struct thread *thread_of(const struct record *record);

/*
 * dotnet.c: converts a record of the .NET runtime to an EventHeader event in the buffer, and
 * replaces both *event and *record. Leaves all other records unchanged. The new record is valid
 * until the next call with the same buffer.
 */
void event_convert(struct event **event, struct record *record, struct dotnet_event *buffer);

/* machine.c: returns a description of this machine, which the caller may modify. */
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
	FIELD_HEX,    /* number printed in hexadecimal, such as 0xFF */
	FIELD_STRUCT, /* start of a struct; its members and FIELD_STRUCT_END follow */
	FIELD_STRUCT_END,
	FIELD_ARRAY, /* start of an array; its elements and FIELD_ARRAY_END follow */
	FIELD_ARRAY_END,
};

struct field {
	enum field_type type;
	const char *name; /* NULL for array elements and ends */
	size_t name_length;
	unsigned int earlier; /* number of earlier members of the same struct that have this name */
	/*
	 * Text form of the value, without a terminating NUL and possibly with invalid UTF-8. NULL
	 * for structs and arrays.
	 */
	const char *text;
	size_t length;
	union { /* numeric value */
		uint64_t u;
		int64_t i;
		double d;
		bool b;
	};
};

typedef void (*field_fn)(void *context, const struct field *field);

/*
 * Calls fn for each field of the record, in order, and then for a struct named "meta" that contains
 * the record's metadata. A field's text is valid until fn returns. fn must not call any function of
 * typed_values.c.
 */
void fields_each(const struct event *event, const struct record *record, field_fn fn,
		 void *context);
/*
 * Finds a field by its path, such as "bytes", or "request.bytes" for a struct member. Returns false
 * if the record has no such field. The text of the value is valid until the next call to a function
 * of typed_values.c.
 */
bool field_find(const struct event *event, const struct record *record, const char *path,
		struct field *value);
/* Returns the value of a field as a floating-point number, or 0 if it is not numeric. */
double field_number(const struct field *field);

/* Identifies a span. The events that start and stop a span have the same key. */
enum span_kind { SPAN_NONE, SPAN_ACTIVITY, SPAN_COLLECTION, SPAN_CALL, SPAN_RUNNING, SPAN_NAMED };
struct span_key {
	uint8_t bytes[16];
	uint32_t kind; /* enum span_kind */
};

/*
 * Name, category, activity and span of an event. All pointers refer to memory of the event or
 * record.
 */
struct about {
	struct event *event;
	const struct record *record;
	const char *name; /* event name, such as "RequestStart" or "sys_enter_read" */
	size_t name_length;
	const char *category; /* provider or system, such as "Example_Server", "sched" */
	size_t category_length;
	const uint8_t *activity, *related; /* activity IDs of 16 bytes, or NULL */
	struct span_key key;
	bool starts, stops;
	unsigned int level; /* 0 if the event has no level */
	/* OpenTelemetry: body of a log, or name of a span that ends with this event. */
	const char *label; /* NULL for other events */
	size_t label_length;
	bool span;
	uint64_t took;	     /* duration of the span, ns */
	uint64_t id, parent; /* IDs of the span and its parent; 0 for none */
};

void about_read(struct event *event, const struct record *record, struct about *about);
/*
 * Returns true if the pattern matches one of these names of the event: "Provider:Event",
 * "sched:sched_switch", "Event", or the tracepoint name.
 */
bool about_matches(const struct about *about, const char *pattern);
/*
 * Replaces the name of the start event with the name of the span: "Request" for the events
 * "RequestStart" and "RequestStop", "read" for "sys_enter_read" and "sys_exit_read", and also
 * "read" for the raw events sys_enter and sys_exit of read(). Leaves other names unchanged.
 */
void span_name(struct about *start, const struct about *stop);

#endif
