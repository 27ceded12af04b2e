/* SPDX-License-Identifier: MIT */
/*
 * Records USDT probes with uprobes.
 *
 *	operand.c	converts the operands of a probe to fetch arguments
 *	notes.c		reads the probes of a file
 *	mapped.c	finds the files that processes run
 *	record.c	converts a uprobe's record to the record of its event
 *	uprobes.c	selects probes and defines their uprobes
 */
#ifndef UETRACE_USDT_H
#define UETRACE_USDT_H

#include "binary/binary.h"

struct event;
struct events;
struct options;
struct record;
struct tracefs_instance;

/* operand.c */
#define USDT_ARGS_MAX 12  /* largest number of arguments that tools read and <sys/sdt.h> writes */
#define USDT_FETCH_MAX 64 /* buffer size for a fetch argument without its name, bytes */

enum usdt_kind {
	USDT_OUT_OF_REACH, /* operand that no uprobe can fetch */
	USDT_CONSTANT,	   /* the constant value */
	USDT_REGISTER,	   /* register reg */
	USDT_MEMORY,	   /* memory at address reg + value */
	USDT_SYMBOL,	   /* memory at symbol + value; becomes USDT_FILE once it is resolved */
	USDT_FILE,	   /* memory mapped from file offset value */
};

struct usdt_arg {
	enum usdt_kind kind;
	uint8_t size; /* size of the argument, bytes: 1, 2, 4 or 8 */
	bool is_signed;
	bool is_float;
	uint8_t shift; /* lowest bit of the value in the register: 8 for %ah, else 0 */
	char reg[8];   /* kernel's name of the register */
	char symbol[128];
	int64_t value;
};

/*
 * Parses the arguments of a note for a machine, an EM_ constant of ELF. Returns the number of
 * arguments, -EINVAL if the text is malformed, -E2BIG if there are more than USDT_ARGS_MAX, or
 * -EOPNOTSUPP if the machine is not supported.
 */
int usdt_parse_args(unsigned int machine, const char *text, struct usdt_arg args[USDT_ARGS_MAX]);
/*
 * Formats a fetch argument like "%ax:s32" that reads size bytes of the operand, or all if it has
 * fewer. Returns 0, or -EOPNOTSUPP if no uprobe can fetch it.
 */
int usdt_fetch_value(const struct usdt_arg *arg, unsigned int size, bool is_signed, char *out,
		     size_t room);
/*
 * Formats a fetch argument like "+0(%ax):string", which reads the memory at the pointer in the
 * operand plus offset. indirect: the operand points to that pointer, as in "+0(+0(%ax)):string".
 * Returns 0, or -EOPNOTSUPP if no uprobe can fetch it.
 */
int usdt_fetch_memory(const struct usdt_arg *arg, bool indirect, size_t offset, const char *type,
		      char *out, size_t room);
/* Returns whether the argument points to a pair of pointer and count, as those of C++ spans do. */
static inline bool usdt_is_span(const struct usdt_arg *arg)
{
	return arg->is_signed && arg->kind != USDT_CONSTANT;
}

/* notes.c */
struct usdt_probe {
	char *provider;
	char *name;
	uint64_t pc;	    /* address of the nop */
	uint64_t offset;    /* file offset of the nop, bytes */
	uint64_t semaphore; /* address of the semaphore, or 0 if there is none */
	uint64_t counter;   /* file offset of the semaphore, bytes */
	/*
	 * The kernel increments another copy of the counter in processes that map the file while
	 * the probe is enabled, so they do not reach the probe.
	 */
	bool counted_elsewhere;
	int n; /* number of arguments, or -errno if they cannot be parsed */
	struct usdt_arg *args;
};

/* The probes of a file, and the notes that describe them. */
struct usdt_file {
	bool big;		   /* the file is big-endian */
	bool perf_misses_probes;   /* perf would define uprobes at wrong instructions */
	bool perf_misses_counters; /* perf would make the kernel increment unrelated data */
	bool stripped;		   /* the file has events, but its notes were removed */
	struct usdt_probe *probes;
	size_t n;
	struct notes notes;
};

/*
 * Reads the probes of an open file. Returns 0, also without probes, or -errno of binary_open_fd().
 */
int usdt_file_read(struct usdt_file *file, int fd);
/* Opens a file, reads its probes and closes it. Returns 0 or -errno of binary_open(). */
int usdt_file_open(struct usdt_file *file, const char *path);
void usdt_file_free(struct usdt_file *file);
/*
 * Warns if the notes were stripped from a file, if perf would damage processes that run it, or if
 * uprobes do not reach some of its probes. Returns false if the notes were stripped.
 */
bool usdt_check_file(const char *path);
/*
 * Return the event, the event's site or the event set that the notes of the file declare for a
 * probe, or NULL. A probe has either an event, or a site and its set.
 */
const struct note_event *usdt_event_of(const struct usdt_file *file,
				       const struct usdt_probe *probe);
const struct note_event *usdt_site_of(const struct usdt_file *file, const struct usdt_probe *probe);
const struct note_event *usdt_set_of(const struct usdt_file *file, const struct usdt_probe *probe);

/* mapped.c */
/*
 * Is called with a file that a thread has mapped executable. The path leads to exactly this file,
 * and to no file after it was unmapped. Returns 0, -EINTR to stop the enumeration, or another
 * -errno if the file cannot be opened.
 */
typedef int (*mapped_fn)(void *context, pid_t tid, const char *path);
/*
 * Calls fn for each file that a process has mapped. If report is true, warns about files that
 * cannot be opened.
 */
void mapped_each(pid_t pid, mapped_fn fn, void *context, bool report);
/* Calls fn for each process except this one. */
void processes_each(void (*fn)(void *context, pid_t pid), void *context);
struct mapped;
/* Starts to receive reports about executable mappings of all processes except this one. */
struct mapped *mapped_new(void);
/* Returns whether mappings are reported. The rules of a container may deny perf events. */
bool mapped_works(const struct mapped *m);
void mapped_free(struct mapped *m);
/* Returns a file descriptor to poll. When it is readable, call mapped_ready(). */
int mapped_fd(const struct mapped *m);
/* Returns whether there are reports that mapped_read() has not read. */
bool mapped_ready(const struct mapped *m);
/* Is called with the name of a mapped file. The name may lead to another file by now. */
typedef void (*named_fn)(void *context, pid_t pid, pid_t tid, const char *name);
/*
 * Calls fn, then named, for each file mapped since the last call. Stops after 20 ms, because other
 * users choose the number of mappings and the time a file takes. Returns false if reports were
 * lost.
 */
bool mapped_read(struct mapped *m, mapped_fn fn, named_fn named, void *context);

/* record.c */
struct usdt_shape;
/*
 * Returns a description of how to build the record that the program itself would write at this
 * probe, from the notes or, without notes, from the arguments alone. Omits fields that no uprobe
 * can read, and sets *missing to their names, which the caller frees. filter: fetch constants, too,
 * so that the kernel can filter by them.
 */
struct usdt_shape *usdt_shape_new(const struct usdt_file *file, const struct usdt_probe *probe,
				  bool filter, char **missing);
void usdt_shape_free(struct usdt_shape *shape);
/* Returns the fetch arguments, such as " status=%di:s32 path=+0(%si):string". */
const char *usdt_shape_fetch(const struct usdt_shape *shape);
/* Returns the event's spec, such as "name u32 status; __rel_loc char[] path". */
const char *usdt_shape_spec(const struct usdt_shape *shape);
/* Returns the declared types of the fields, up to a type of 0, or NULL if none is declared. */
const struct note_field *usdt_shape_types(const struct usdt_shape *shape);
/*
 * Reads the field offsets from the format file of the uprobe. Returns false if the file is
 * malformed or lacks fetch arguments.
 */
bool usdt_shape_format(struct usdt_shape *shape, const char *format);
/*
 * Converts a uprobe's record to a record of the event with this ID. Its bytes are valid until the
 * next call. Sets *cut if values were truncated. Returns false if the record is malformed.
 */
bool usdt_shape_record(struct usdt_shape *shape, const struct record *in, unsigned int id,
		       struct record *out, bool *cut);
/*
 * Returns the format file that a kernel with user_events would show for a spec. The caller frees
 * it.
 */
char *usdt_format_text(const char *spec);

/* uprobes.c */
struct usdt;

/* Returns whether a pattern names USDT probes, "usdt:FILE:PROVIDER:NAME". */
bool usdt_pattern(const char *pattern);
/*
 * Starts to record USDT probes of other programs and, on kernels without user_events, events, with
 * uprobes in this instance.
 */
struct usdt *usdt_new(struct tracefs_instance *instance, struct events *events,
		      const struct options *o);
void usdt_free(struct usdt *usdt);
/* Adds the probes of files that were not added yet. */
void usdt_add_files(struct usdt *usdt, char **files);
/*
 * Adds the probes of the files that traced processes run or have mapped since the last call.
 * Returns whether work is left for the next call.
 */
bool usdt_scan(struct usdt *usdt);
/* Sets a function that usdt_scan() calls every 20 ms while it works, because that may take long. */
void usdt_set_tick(struct usdt *usdt, void (*fn)(void *context), void *context);
/* Returns a file descriptor to poll. When it is readable, call usdt_scan(). */
int usdt_fd(const struct usdt *usdt);
/*
 * Converts a uprobe's record to a record of its event. *out is valid until the next call. Sets
 * *chosen if the user named the probe. Returns false if the ID is not that of a uprobe of uetrace.
 */
bool usdt_record(struct usdt *usdt, unsigned int id, const struct record *in, struct record *out,
		 bool *chosen);
/*
 * Returns the files with selected, previously unknown events that the program of the command run
 * opened after its start. Includes files whose events are recorded with user_events.
 */
char **usdt_late(const struct usdt *usdt);
/*
 * Makes the next usdt_scan() look at all processes if mappings are not reported. Call it when there
 * are new events, to find their files.
 */
void usdt_request_scan(struct usdt *usdt);
/* Reads the hit counts of the uprobes. Call it before the recording stops. */
void usdt_read_hits(struct usdt *usdt);
/*
 * Ends the calls of the function set by usdt_set_tick(), and releases the leases of all files. A
 * process that waits to write to a file continues when a thread has disabled the uprobes of that
 * file.
 */
void usdt_stop(struct usdt *usdt);
/* Returns whether some processes may miss a uprobe, so the number of lost events is unknown. */
bool usdt_loses_uncounted(const struct usdt *usdt);
/* Reports the number of hits that left no record, minus the events that the buffer lost. */
void usdt_report_missing(struct usdt *usdt, uint64_t lost);
/* Adds the providers and specs of a file's probes that are not events of user_events.h. */
int usdt_list(const char *path, char ***providers, char ***specs);
/* Adds the names of the events that the UE_LOGs of a file write, as "PROVIDER:NAME". */
void usdt_events_of_sets(const char *path, char ***names);
/*
 * Adds the specs of all events that running programs declare. If names is not NULL, also adds the
 * names of usdt_events_of_sets().
 */
void usdt_running(char ***specs, char ***names);

#endif
