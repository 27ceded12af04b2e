/* SPDX-License-Identifier: MIT */
/*
 * USDT probes, recorded by uprobes.
 *
 *	operand.c	the arguments of probes, as the kernel fetches them
 *	notes.c		the probes that a file has
 *	mapped.c	the files that processes run
 *	record.c	a uprobe's record to what the event itself would have written
 *	uprobes.c	which probes of which files, their uprobes
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
#define USDT_ARGS_MAX 12  /* what tools read, and programs have */
#define USDT_FETCH_MAX 64 /* bytes of a fetch argument, its name left out */

enum usdt_kind {
	USDT_OUT_OF_REACH, /* of a uprobe */
	USDT_CONSTANT,	   /* value */
	USDT_REGISTER,	   /* reg */
	USDT_MEMORY,	   /* at reg + value */
	USDT_SYMBOL,	   /* at symbol + value; USDT_FILE once the symbol is known */
	USDT_FILE,	   /* at value behind the file's first byte */
};

struct usdt_arg {
	enum usdt_kind kind;
	uint8_t size; /* bytes: 1, 2, 4, 8 */
	bool is_signed;
	bool is_float;
	uint8_t shift; /* bits, of %ah */
	char reg[8];   /* as the kernel calls it */
	char symbol[128];
	int64_t value;
};

/*
 * The arguments of a note, for ELF's number of the machine. Returns how many; -EINVAL for what the
 * grammar does not have, -E2BIG for more than USDT_ARGS_MAX, -EOPNOTSUPP for another machine.
 */
int usdt_parse_args(unsigned int machine, const char *text, struct usdt_arg args[USDT_ARGS_MAX]);
/* "%ax:s32", of at most as many bytes as the operand has. 0, or -EOPNOTSUPP: no uprobe can. */
int usdt_fetch_value(const struct usdt_arg *arg, unsigned int size, bool is_signed, char *out,
		     size_t room);
/* "+0(%ax):string"; indirect: "+0(+0(%ax)):string" */
int usdt_fetch_memory(const struct usdt_arg *arg, bool indirect, size_t offset, const char *type,
		      char *out, size_t room);
/* Is it C++'s: a pointer to pointer and count? */
static inline bool usdt_is_span(const struct usdt_arg *arg)
{
	return arg->is_signed && arg->kind != USDT_CONSTANT;
}

/* notes.c */
struct usdt_probe {
	char *provider;
	char *name;
	uint64_t pc;	    /* address of the nop, */
	uint64_t offset;    /* and its place in the file */
	uint64_t semaphore; /* address, 0: there is none, */
	uint64_t counter;   /* and its place in the file */
	/*
	 * The kernel increments another copy of the counter in processes that map the file while
	 * the probe is enabled, so they do not reach the probe.
	 */
	bool counted_elsewhere;
	int n; /* of arguments, or -errno: they cannot be read */
	struct usdt_arg *args;
};

/* What a file has of probes, and of notes that describe them. */
struct usdt_file {
	bool big;		   /* endian */
	bool perf_misses_probes;   /* perf would define uprobes at other instructions, */
	bool perf_misses_counters; /* and have the kernel increment other data */
	bool stripped;		   /* the file has events, but its notes were removed */
	struct usdt_probe *probes;
	size_t n;
	struct notes notes;
};

/* 0 or -errno, as binary_open_fd(). A file without probes is none that is wrong. */
int usdt_file_read(struct usdt_file *file, int fd);
/* Opens the file only to read it. Returns 0 or -errno, as binary_open(). */
int usdt_file_open(struct usdt_file *file, const char *path);
void usdt_file_free(struct usdt_file *file);
/*
 * Warns about a file that was stripped of its notes, that perf would damage, or of which processes
 * do not see uprobes. Returns false if it was stripped.
 */
bool usdt_check_file(const char *path);
/* What the file says about a probe, one of them at most. */
const struct note_event *usdt_event_of(const struct usdt_file *file,
				       const struct usdt_probe *probe);
const struct note_event *usdt_site_of(const struct usdt_file *file, const struct usdt_probe *probe);
const struct note_event *usdt_set_of(const struct usdt_file *file, const struct usdt_probe *probe);

/* mapped.c */
/*
 * Gets a file that a thread has mapped to run it, by a path that leads to this very file, or
 * nowhere once it is unmapped. Returns 0, or -errno if it cannot be opened; -EINTR: no more files.
 */
typedef int (*mapped_fn)(void *context, pid_t tid, const char *path);
/*
 * Calls fn for each file that a process has mapped. If report is true, warns about files that
 * cannot be opened.
 */
void mapped_each(pid_t pid, mapped_fn fn, void *context, bool report);
/* Calls fn for each process but this one. */
void processes_each(void (*fn)(void *context, pid_t pid), void *context);
struct mapped;
/* Begins to listen to what all processes but this one map from now on. */
struct mapped *mapped_new(void);
/* Is there anything to listen to? The rules of a container may forbid perf events. */
bool mapped_works(const struct mapped *m);
void mapped_free(struct mapped *m);
/* To poll: it becomes readable when mapped_ready() is to be asked. */
int mapped_fd(const struct mapped *m);
/* Was something mapped that mapped_read() has not read? */
bool mapped_ready(const struct mapped *m);
/* Gets the name of a file that a thread has mapped; another one may have taken its place since. */
typedef void (*named_fn)(void *context, pid_t pid, pid_t tid, const char *name);
/*
 * Calls fn, then named, for what was mapped since the last call, as far as it gets in 20 ms: others
 * choose how many files they map, and how long a file takes. Returns false if some was lost.
 */
bool mapped_read(struct mapped *m, mapped_fn fn, named_fn named, void *context);

/* record.c */
struct usdt_shape;
/*
 * How a probe's event is recorded, as its place in the program would write it: from the notes,
 * or from the arguments alone. Fields that no uprobe reads are left out; *missing has their names,
 * which the caller frees. For a filter, what is constant is fetched, too.
 */
struct usdt_shape *usdt_shape_new(const struct usdt_file *file, const struct usdt_probe *probe,
				  bool filter, char **missing);
void usdt_shape_free(struct usdt_shape *shape);
/* What the kernel is to fetch, " status=%di:s32 path=+0(%si):string". */
const char *usdt_shape_fetch(const struct usdt_shape *shape);
/* "name u32 status; __rel_loc char[] path": what the event is registered as. */
const char *usdt_shape_spec(const struct usdt_shape *shape);
/* Returns the declared types of the fields, up to a type of 0, or NULL if none is declared. */
const struct note_field *usdt_shape_types(const struct usdt_shape *shape);
/* Reads the format file of its uprobe. False: it is not what was asked for. */
bool usdt_shape_format(struct usdt_shape *shape, const char *format);
/*
 * The uprobe's record as that of the event with the ID; its bytes live until the next call. cut:
 * not all was there.
 */
bool usdt_shape_record(struct usdt_shape *shape, const struct record *in, unsigned int id,
		       struct record *out, bool *cut);
/* The event's format file on a kernel that has user_events, from its spec. The caller frees it. */
char *usdt_format_text(const char *spec);

/* uprobes.c */
struct usdt;

/* Events by uprobes, for kernels without user_events, and USDT probes of other programs. */
bool usdt_pattern(const char *pattern);
struct usdt *usdt_new(struct tracefs_instance *instance, struct events *events,
		      const struct options *o);
void usdt_free(struct usdt *usdt);
/* Adds the probes of the files, each once. */
void usdt_add_files(struct usdt *usdt, char **files);
/*
 * Adds the probes of all files that traced processes run, or have mapped since the last call.
 * Returns whether there is more to do, at the next call.
 */
bool usdt_scan(struct usdt *usdt);
/* Has fn called each 20 ms while usdt_scan() works, which may take long. */
void usdt_meanwhile(struct usdt *usdt, void (*fn)(void *context), void *context);
/* To poll: it is readable when usdt_scan() has something to do. */
int usdt_fd(const struct usdt *usdt);
/*
 * Makes the record of an event from that of a uprobe. *out is valid until the next call; *chosen:
 * the user named the probe. Returns false if the ID is not that of a uprobe of uetrace.
 */
bool usdt_record(struct usdt *usdt, unsigned int id, const struct record *in, struct record *out,
		 bool *chosen);
/*
 * The files with events that are asked for and were not known, which the program of run opened
 * after its start; also where the events come from user_events.
 */
char **usdt_late(const struct usdt *usdt);
/* There are new events: makes usdt_scan() look for their file, if mappings are not reported. */
void usdt_look(struct usdt *usdt);
/* Reads how often uprobes were hit. Call it before the recording stops. */
void usdt_read_hits(struct usdt *usdt);
/*
 * Nobody asks for events any more, nor is anything done meanwhile. Who waits to write to a file
 * goes on once its uprobes are disabled, which another thread does.
 */
void usdt_stop(struct usdt *usdt);
/* Tells whether processes may not see a uprobe, so that the number of lost events is unknown. */
bool usdt_loses_uncounted(const struct usdt *usdt);
/* Reports how many hits left no record, the lost events of the buffer aside. */
void usdt_report_missing(struct usdt *usdt, uint64_t lost);
/* Adds the probes of a file that are no events of user_events.h, as specs, and their providers. */
int usdt_list(const char *path, char ***providers, char ***specs);
/* Adds the names of the events of sets that a file's UE_LOGs write, "PROVIDER:NAME". */
void usdt_events_of_sets(const char *path, char ***names);
/* Adds the specs of all events that running programs declare; names: and those names, or NULL. */
void usdt_running(char ***specs, char ***names);

#endif
