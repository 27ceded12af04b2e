/* SPDX-License-Identifier: MIT */
/*
 * Records USDT probes with uprobes.
 *
 *   operand.c  converts the operands of a probe to fetch arguments
 *   notes.c    reads the probes of a file
 *   mapped.c   finds the files that processes execute
 *   record.c   converts the record of a uprobe to the record of its event
 *   uprobes.h  lists the source files that select probes and define their uprobes
 *   probe_lists.c  lists the probes and events that files declare
 */
#ifndef UETRACE_USDT_H
#define UETRACE_USDT_H

#include "binary/binary.h"
#include "select/select.h"

struct event;
struct events;
struct record;
struct tracefs_instance;

/* operand.c */
#define USDT_ARGS_MAX 12  /* maximum number of probe arguments in <sys/sdt.h> */
#define USDT_FETCH_MAX 64 /* buffer size for a fetch argument without its name, in bytes */

enum usdt_kind {
	USDT_OUT_OF_REACH, /* operand that no uprobe can fetch */
	USDT_CONSTANT,	   /* the constant value */
	USDT_REGISTER,	   /* register reg */
	USDT_MEMORY,	   /* memory at address reg + value */
	USDT_SYMBOL,	   /* memory at symbol + value; replaced when the symbol is resolved */
	USDT_FILE,	   /* memory mapped from file offset value */
};

struct usdt_arg {
	enum usdt_kind kind;
	uint8_t size; /* argument size, bytes: 1, 2, 4 or 8 */
	bool is_signed;
	bool is_float;
	uint8_t shift; /* bit position of the value in the register: 8 for %ah, otherwise 0 */
	char reg[8];   /* register name used by the kernel */
	char symbol[128];
	int64_t value;
};

/*
 * Parses the arguments of a note. machine is an EM_ constant of ELF. Returns the number of
 * arguments, -EINVAL if the text is malformed, -E2BIG if there are more than USDT_ARGS_MAX, or
 * -EOPNOTSUPP if the machine is not supported.
 */
int usdt_parse_args(unsigned int machine, const char *text, struct usdt_arg args[USDT_ARGS_MAX]);
/*
 * Formats a fetch argument such as "%ax:s32", which reads size bytes of the operand, or the whole
 * operand if it is smaller. Returns 0, or -EOPNOTSUPP if no uprobe can fetch the operand.
 */
int usdt_fetch_value(const struct usdt_arg *arg, unsigned int size, bool is_signed, char *out,
		     size_t room);
/*
 * Formats a fetch argument such as "+0(%ax):string", which reads memory offset bytes after the
 * address in the operand. If indirect is true, the operand is the address of a pointer to the
 * memory, as in "+0(+0(%ax)):string". Returns 0, or -EOPNOTSUPP if no uprobe can fetch the operand.
 */
int usdt_fetch_memory(const struct usdt_arg *arg, bool indirect, size_t offset, const char *type,
		      char *out, size_t room);
/*
 * Returns true if the argument is the address of a pointer followed by a count, as in a C++ span.
 */
static inline bool usdt_is_span(const struct usdt_arg *arg)
{
	return arg->is_signed && arg->kind != USDT_CONSTANT;
}

/* notes.c */
struct usdt_probe {
	char *provider;
	char *name;
	uint64_t pc;	    /* address of the nop */
	uint64_t offset;    /* file offset of the nop */
	uint64_t semaphore; /* address of the semaphore, or 0 if the probe has no semaphore */
	uint64_t counter;   /* file offset of the semaphore */
	/*
	 * True if the kernel increments the wrong copy of the semaphore in processes that map the
	 * file while the probe is enabled. These processes never execute the probe.
	 */
	bool counted_elsewhere;
	int n; /* number of arguments, or -errno if parsing failed */
	struct usdt_arg *args;
};

/* The probes of a file and the event notes that describe them. */
struct usdt_file {
	bool big;		   /* true if the file is big-endian */
	bool perf_misses_probes;   /* true if perf would place uprobes on the wrong instructions */
	bool perf_misses_counters; /* true if perf would make the kernel modify unrelated memory */
	bool stripped;		   /* true if the file contains events, but no notes */
	struct usdt_probe *probes;
	size_t n;
	struct notes notes;
};

/*
 * Reads the probes of an open file. Returns 0, even if the file has no probes, or -errno from
 * binary_open_fd().
 */
int usdt_file_read(struct usdt_file *file, int fd);
/* Opens a file, reads its probes and closes it. Returns 0, or -errno from binary_open(). */
int usdt_file_open(struct usdt_file *file, const char *path);
void usdt_file_free(struct usdt_file *file);
/*
 * Warns if the notes were stripped from a file, if perf would damage processes that execute it, or
 * if uprobes cannot reach some of its probes. Returns false if the notes were stripped.
 */
bool usdt_check_file(const char *path);
/*
 * These functions return the event, UE_LOG site or event set that the notes of the file declare for
 * a probe, or NULL if there is none. A probe has either an event, or a site and a set.
 */
const struct note_event *usdt_event_of(const struct usdt_file *file,
				       const struct usdt_probe *probe);
const struct note_event *usdt_site_of(const struct usdt_file *file, const struct usdt_probe *probe);
const struct note_event *usdt_set_of(const struct usdt_file *file, const struct usdt_probe *probe);

/* mapped.c */
/*
 * Called with a file that a thread has mapped as executable. path refers to exactly this file, or
 * to nothing after the file was unmapped. Returns 0, -EINTR to stop the iteration, or another
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
/* Starts receiving reports of new executable mappings in all processes except this one. */
struct mapped *mapped_new(void);
/*
 * Returns true if new mappings are reported. The perf events used for this may be forbidden in a
 * container.
 */
bool mapped_works(const struct mapped *m);
void mapped_free(struct mapped *m);
/* If the files of some processes could not be opened, reports the number of these processes. */
void mapped_report_denied(void);
/* Returns a descriptor to poll. When it is readable, call mapped_ready(). */
int mapped_fd(const struct mapped *m);
/* Returns true if there are reports that mapped_read() has not read yet. */
bool mapped_ready(const struct mapped *m);
/*
 * Called with the name of a newly mapped file. By the time of the call, the name may refer to
 * another file.
 */
typedef void (*named_fn)(void *context, pid_t pid, pid_t tid, const char *name);
/*
 * Calls fn and then named for each file that was mapped since the last call. Stops after 20 ms,
 * because other users control the number of mappings and the time that each file takes. Returns
 * false if reports of mappings were lost.
 */
bool mapped_read(struct mapped *m, mapped_fn fn, named_fn named, void *context);

/* record.c */
struct usdt_shape;
/*
 * Returns a shape: instructions for building the record that the program would write at this probe.
 * The instructions are derived from the notes or, if there are no notes, only from the arguments.
 * Fields that no uprobe can read are omitted, and *missing is set to their names, which the caller
 * frees. If filter is true, constants are also fetched, so that the kernel can filter on them.
 */
struct usdt_shape *usdt_shape_new(const struct usdt_file *file, const struct usdt_probe *probe,
				  bool filter, char **missing);
void usdt_shape_free(struct usdt_shape *shape);
/* Returns the fetch arguments, such as " status=%di:s32 path=+0(%si):string". */
const char *usdt_shape_fetch(const struct usdt_shape *shape);
/* Returns the spec of the event, such as "name u32 status; __rel_loc char[] path". */
const char *usdt_shape_spec(const struct usdt_shape *shape);
/* Returns the declared field types, or NULL if no types are declared. The last entry has type 0. */
const struct note_field *usdt_shape_types(const struct usdt_shape *shape);
/*
 * Reads the field offsets from the uprobe's format file. Returns false if the file is malformed or
 * lacks fetch arguments.
 */
bool usdt_shape_format(struct usdt_shape *shape, const char *format);
/*
 * Converts a uprobe record to a record of the event with this ID. The result is valid until the
 * next call. Sets *cut to true if values were truncated. Returns false if the uprobe record is
 * malformed.
 */
bool usdt_shape_record(struct usdt_shape *shape, const struct record *in, unsigned int id,
		       struct record *out, bool *cut);
/*
 * Returns the format file that a user_events kernel would generate for a spec. The caller frees it.
 */
char *usdt_format_text(const char *spec);

/* uprobes.c and the files listed in uprobes.h */
struct usdt;
struct usdt_settings {
	struct choice choice; /* events to record */
	char **patterns;      /* "usdt:FILE:PROVIDER:NAME", or NULL */
	bool events;	      /* true to record user_events.h events with uprobes, too */
	bool selective;	      /* true if only some processes are traced */
	bool runs_program;    /* true if the command is `uetrace run` */
	bool only_program;    /* true if the command is `uetrace run` without --all */
};

/* Returns true if the pattern selects USDT probes, in the form "usdt:FILE:PROVIDER:NAME". */
bool usdt_pattern(const char *pattern);
/*
 * Starts recording with uprobes in this trace instance. Records USDT probes of other programs and,
 * if settings->events is true, user_events.h events.
 */
struct usdt *usdt_new(struct tracefs_instance *instance, struct events *events,
		      const struct usdt_settings *settings);
void usdt_free(struct usdt *usdt);
/* Adds the probes of the files, except files whose notes were already read. */
void usdt_add_files(struct usdt *usdt, char **files);
/*
 * Adds the probes of files that traced processes execute or have mapped since the last call.
 * Returns true if another call is needed.
 */
bool usdt_scan(struct usdt *usdt);
/* Sets a function that usdt_scan() calls every 20 ms during a long scan. */
void usdt_set_tick(struct usdt *usdt, void (*fn)(void *context), void *context);
/* Returns a descriptor to poll. When it is readable, call usdt_scan(). */
int usdt_fd(const struct usdt *usdt);
/*
 * Converts a uprobe record to a record of its event. *out is valid until the next call. Sets
 * *chosen to true if one of the user's patterns matches the probe. Returns false if no uprobe of
 * uetrace has this ID.
 */
bool usdt_record(struct usdt *usdt, unsigned int id, const struct record *in, struct record *out,
		 bool *chosen);
/*
 * Returns the files that a program under `uetrace run` opened after startup and that declare
 * selected events unknown until then. This includes files whose events are recorded with
 * user_events.
 */
char **usdt_late(const struct usdt *usdt);
/*
 * Call this when new events appear. If the kernel does not report mappings, the next usdt_scan()
 * checks all processes, to find the files that declare these events.
 */
void usdt_request_scan(struct usdt *usdt);
/* Reads the hit counts of the uprobes. Call it before recording stops. */
void usdt_read_hits(struct usdt *usdt);
/*
 * Stops calling the function set by usdt_set_tick(), and releases the leases on all files. When the
 * disabler thread has disabled the uprobes of a file, processes that wait to write to the file
 * continue.
 */
void usdt_stop(struct usdt *usdt);
/*
 * Returns true if a uprobe may have no effect in some processes. In this case, the number of lost
 * events is unknown.
 */
bool usdt_loses_uncounted(const struct usdt *usdt);
/*
 * Reports the number of uprobe hits without a record. lost is the number of events that the buffer
 * lost, which are not reported again.
 */
void usdt_report_missing(struct usdt *usdt, uint64_t lost);

/* probe_lists.c */
/*
 * Adds the provider and the spec of each probe in a file to the lists, but skips the probes that
 * belong to events of user_events.h.
 */
int usdt_list(const char *path, char ***providers, char ***specs);
/* Adds the names of the events written by a file's UE_LOG sites, as "PROVIDER:NAME". */
void usdt_events_of_sets(const char *path, char ***names);
/*
 * Adds the specs of all events that running programs declare. If names is not NULL, also adds the
 * names that usdt_events_of_sets() finds in these programs.
 */
void usdt_running(char ***specs, char ***names);

#endif
