/* SPDX-License-Identifier: MIT */
/* uetrace shows user_events as they happen. README.md tells what is where. */
#ifndef UETRACE_H
#define UETRACE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof(*(a)))

/* The options of all subcommands. */
struct options {
	char **words; /* what follows the options: a program and its arguments, patterns, files */
	char **patterns;
	char **probes;
	char **counters; /* "event.field" */
	char **programs; /* --program: binaries with TP_printk texts; --also: with more events */
	const char *hist_event, *hist_field;
	const char *from, *to, *by; /* of latency */
	bool latency;
	char **command;
	const char *filter;
	const char *output;
	pid_t pid;
	unsigned long buffer_size; /* KiB of each CPU; 0: the kernel's default */
	unsigned long level;	/* 0: any */
	unsigned long long keyword; /* 0: any */
	bool json;
	bool otlp;
	bool origin;   /* with host, boot and process name; */
	bool recorded; /* without the first two, which a file does not tell */
	bool stats;
	bool follow; /* show: wait for what is written later */
	bool all; /* run: show events of other programs, too */
	bool usdt; /* by uprobes */
	char **usdt_patterns; /* "usdt:FILE:PROVIDER:NAME" */
	bool persist;
};

struct decoder;
struct event;
struct events;
struct formats;
struct input;
struct programs;
struct reader;
struct record;
struct row;
struct tep_event;
struct tep_handle;
struct tracefs_instance;
struct ue_decode_format;
struct usdt;

/* util/util.c: all of these end the program if there is no memory */
void die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
/* Like die(), with the exit status for wrong use of the command line. */
void die_usage(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
void warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Follows "declares no events". */
#define REGISTERED_LATER \
	". Those that it registers while it runs (ue_event_register(), include/compat) are known from then " \
	"on; to miss none, name them before: uetrace register --persist 'SPEC'"
/* Tells whether writing to standard output failed. Call it right after the output, while errno says why. */
bool output_failed(void);
/* Returns whether all output was written; reports it once if not. */
bool output_flush(void);
/* Redirects standard output to a file. */
void output_to(const char *file);
/* Lets SIGINT, SIGTERM and SIGHUP end the output after a whole event. */
void interruptible(void);
bool interrupted(void);
/* Blocks and returns the signals that end us or tell of a child. old: the mask before, or NULL. */
sigset_t block_signals(sigset_t *old);
void *allocate(size_t size); /* zeroed */
/* FNV-1a, which hostile input may make collide. */
uint64_t hash(const void *data, size_t n);
char *text(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *read_text(const char *path); /* the whole file, or NULL */
/* Doubles an array that has room for n elements, n being 0 or a power of two. */
void *doubled(void *array, size_t n, size_t size);
/* Lists of strings end with NULL, and are NULL if they are empty. Adds a copy, and returns it. */
const char *add(char ***list, const char *string);
size_t list_length(char **list);
bool list_has(char **list, const char *string);
/* Returns the names in a directory but those that begin with a dot. */
char **names_in(const char *path);
void list_free(char **list);

/* command/run.c, command/list.c, command/register.c, command/probe.c: subcommands, which return the exit status */
int cmd_run(struct options *o);
int cmd_watch(struct options *o);
int cmd_list(struct options *o);
int cmd_register(struct options *o);
int cmd_with(struct options *o);
int cmd_delete(struct options *o);
int cmd_probe(struct options *o);
int cmd_show(struct options *o); /* command/show.c */

/* command/register.c */
/* As notes_read(), but ends the program if there are no events. */
void read_declared(const char *path, char ***specs, char ***files);

/* command/run.c */
/* Returns the exit status for what waitpid() says. The signal that ended a program ends us, too. */
int exit_as(int status);

/* binary/notes.c */
/*
 * Adds the events that a binary declares to *specs, as ue_event_register() takes them, each once
 * and in order. With files also those of the libraries that it needs; files gets the binary and them.
 * Returns 0 or -errno; -ENOEXEC if the file is not ELF or damaged.
 */
int notes_read(const char *path, char ***specs, char ***files);

/* tracefs/instance.c */
/*
 * Returns why uetrace cannot trace, a sentence that the caller frees; NULL: it can. Root mounts
 * tracefs, for this process and its children alone, if it is not mounted.
 */
char *instance_problem(void);
/* Did it? Then programs that run already have found no tracefs. */
bool instance_mounted(void);
/* Ends the program with that sentence, if any. user_events: also if the kernel lacks them. */
void instance_find(bool user_events);
void instance_clean(void);
struct tracefs_instance *instance_create(void);
void instance_end(void);
const char *instance_group(void);
/* The group of the uprobes of usdt/. */
const char *usdt_group(void);
bool kernel_has_user_events(void);
/* Returns the names in a directory of tracefs. */
char **tracing_names(const char *directory);
/* Adds the trace instances that have the event enabled to *list. */
void instances_using(const char *system, const char *name, char ***list);
int instance_write(struct tracefs_instance *instance, const char *file, const char *value);

/* usdt/usdt.c */
/* Events by uprobes, for kernels without user_events, and USDT probes of other programs. */
bool usdt_pattern(const char *pattern);
struct usdt *usdt_new(struct tracefs_instance *instance, struct events *events,
		      const struct options *o);
void usdt_free(struct usdt *usdt);
/* Adds the probes of the files, each once. */
void usdt_add_files(struct usdt *usdt, char **files);
/* Adds the probes of all files that traced processes run. */
void usdt_scan(struct usdt *usdt);
/*
 * Makes the record of an event from that of a uprobe. *out is valid until the next call; *chosen:
 * the user named the probe. Returns false if the ID is not that of a uprobe of uetrace.
 */
bool usdt_record(struct usdt *usdt, unsigned int id, const struct record *in, struct record *out,
		 bool *chosen);
/* The files with probes that the program of run opened after its start. */
char **usdt_late(const struct usdt *usdt);
/* Reads how often uprobes were hit. Call it before the recording stops. */
void usdt_read_hits(struct usdt *usdt);
/* Reports how many hits left no record, the lost events of the buffer aside. */
void usdt_tell_missing(struct usdt *usdt, uint64_t lost);
/* Adds the probes of a file that are no events of user_events.h, as specs, and their providers. */
int usdt_list(const char *path, char ***providers, char ***specs);
/* Adds the specs of all events that running programs declare. */
void usdt_running(char ***specs);

/* command/probe.c */
/* 0, or -errno; the kernel's error_log tells why. */
int probe_define(const char *line);
/* Defines the probes of --probe, in instance_group(). */
void probes_add(char **definitions);
/* Returns the group that --probe gave the probe of this name; "probe" if it gave none. */
const char *probe_group(const char *name);
void probes_remove(const char *group);

/* tracefs/caret.c */
/*
 * Formats a refusal of the kernel's error_log as
 *
 *	  typed words
 *	        ^
 *	reason
 *
 * log is the last entry of the file, typed what the user wrote. The caller frees the result,
 * which is NULL if the log is not about this command.
 */
char *caret(const char *log, const char *command, const char *typed);

/* tracefs/events.c */
struct event {
	char *system;
	char *name;
	char *shown;	  /* "request_done", "kprobes:open" */
	char *probed;	  /* of an event probe: the event it is on, "user_events.request_done" */
	char *format_text;
	struct decoder *decoder;
	struct tep_event *tep; /* set if libtraceevent prints it */
	struct tep_handle *handle; /* of the recording's kernel; NULL: a recorder's */
	struct tep_handle *own;	   /* used for this event only: a TRACE_EVENT of a recording */
	struct programs **programs; /* the binaries that its recording names, or NULL */
	size_t programs_known;	   /* how many of them were searched for its text */
	size_t meanings;	   /* how many meanings were known when it was decoded */
	uint8_t long_size;	/* sizeof(long) of its kernel; 0: as here */
	bool swapped; /* recorded in the other byte order */
	const bool *native; /* recorded on a machine like this one; NULL: not known, unless live */
	bool live;
	bool parsed; /* tep is set, or stays NULL */
	unsigned int id;
	unsigned int printed_id; /* the ID that records made of uprobes' begin with */
	ino_t inode; /* of its directory; a later event of this name has another one */
	bool eventheader;
	bool wanted;
	bool judged; /* show: wanted is known */
	bool by_name; /* an event set of which the patterns name some events */
	bool by_match; /* uetrace evaluates the filter, not the kernel */
	bool enabled;
	const char *group; /* of a probe of --probe: the group that is shown; else NULL */
};

struct events *events_new(struct tracefs_instance *instance, const struct options *o);
/* Enables the matching events that are new. Returns how many it enabled. */
int events_scan(struct events *events);
bool events_matched(const struct events *events);
/*
 * Adds an event whose records are made of those of uprobes. chosen: the user named its probe;
 * *fresh: it is new.
 */
struct event *events_add(struct events *events, const char *system, const char *name,
			 const char *format, bool chosen, bool *fresh);
/* Prints records that begin with this ID with the TP_printk text, for events of events_add(). */
void events_print_as(struct events *events, struct event *event, unsigned int id);
/* Sets the filter of a uprobe of the event, and enables it. */
void events_enable_place(struct events *events, struct event *event, const char *group,
			 const char *uprobe, unsigned int id);
struct event *events_by_id(const struct events *events, unsigned int id);
size_t events_list(const struct events *events, struct event ***list);
/* Is this record to be shown? chosen: the user named the probe, so the name does not matter. */
bool events_take(struct events *events, const struct event *event, const struct record *record,
		 bool chosen);
/* Ends the program if all events refused the filter. Later, such refusals are a warning. */
void events_check_filter(struct events *events);
/* Reports, at the end, that no event had the fields of the filter. Returns whether it did. */
bool events_tell_filter(const struct events *events);

/* select/patterns.c */
/* What patterns select of a tracepoint; SELECT_NAMES: some events of a set (record_selected()). */
enum selection { SELECT_NONE, SELECT_NAMES, SELECT_ALL };
/* patterns NULL: all user events. */
enum selection event_selected(char **patterns, const char *system, const char *name);
/* Does event_selected() return something else than SELECT_NONE? */
bool event_matches(char **patterns, const char *system, const char *name);
bool record_selected(char **patterns, const struct event *event, const struct record *record);
/* Do the options select the level and the keyword in the name of an event set? */
bool level_matches(const struct options *o, const char *name);
/* Remembers that an event matched a pattern, as event_selected() and record_selected() do, too. */
void selection_meet(const char *pattern);
/* Is there a pattern, the empty one aside, that no event matched? */
bool selection_unmet(char **patterns);
/* Remembers an event that no pattern selects, for selection_tell_unmet(). record may be NULL. */
void selection_seen(const struct event *event, const struct record *record);
/*
 * Reports each pattern that no event matched, and the events that there are instead. of: the
 * program's name, or "". Returns whether there was such a pattern.
 */
bool selection_tell_unmet(char **patterns, const char *of);
/* Remember and report the fields of events, for a user who asked for others; record may be NULL. */
void selection_seen_fields(const struct event *event, const struct record *record);
void selection_tell_fields(void);
/* Likewise the processes. */
void selection_seen_process(const struct record *record);
void selection_tell_processes(void);

/* command/unregistered.c */
/*
 * Reports each process that was there at the call before, declares events that the patterns select,
 * and has not registered them. Call it every second or so.
 */
void silent_tell(char **patterns);

/* select/kernel_filter.c */
/* Reads level and keyword of an event set's name, PROVIDER_LxKy. Returns false if it is none. */
bool set_name(const char *name, unsigned int *level, unsigned long long *keyword);
/* Returns the filter for the kernel, for the event set of this name. The caller frees it. */
char *filter_for_set(const char *filter, const char *name);

/* tracefs/reader.c */
#define CPU_UNKNOWN (~0u)

struct record {
	uint64_t time; /* ns of the recording's clock; live, of CLOCK_MONOTONIC */
	int64_t wall;  /* CLOCK_REALTIME minus that clock */
	bool dated;    /* wall is known */
	unsigned int cpu; /* CPU_UNKNOWN: not recorded */
	const void *data;
	size_t size;
	uint64_t lost; /* live: events of this CPU that were lost right before it */
	/* Who wrote it; program is NULL if /proc is to be asked. */
	const char *program;
	pid_t pid, tid; /* pid -1: not known; 0 is the idle threads' */
};
typedef void (*record_fn)(void *context, const struct record *record);

struct reader *reader_new(struct tracefs_instance *instance);
/* Call it before the instance ends. */
void reader_close(struct reader *reader);
/* Waits until a buffer is half full, or fd is readable. Returns what poll() does. */
int reader_wait(const struct reader *reader, int fd, int milliseconds);
/* Reads the kernel's buffers. Returns whether there was something. */
bool reader_fill(struct reader *reader);
/* Calls fn for the records up to a time, in order. Returns how many there were. */
size_t reader_drain(struct reader *reader, uint64_t until, record_fn fn, void *context);
/* Returns how many events the kernel had no room for. */
uint64_t reader_lost(struct reader *reader);

/* A recording that show reads: perf.data, trace.dat, a recorder's file. */
struct source {
	const char *file;
	/*
	 * Sets the next event in order of time and its record, which are valid until the next
	 * call. Returns 1, or 0 at the end. Reports what is wrong with the file.
	 */
	int (*next)(struct source *source, struct event **event, struct record *record);
	void (*close)(struct source *source);
	int clock; /* clockid_t of the times; -1: no other source has it */
	uint64_t lost;
	uint64_t overwritten; /* events that a flight recorder has overwritten, */
	uint64_t complete;    /* all of them before this time; 0: not known */
	bool failed;
};

/* read/recorder.c: owns the input. follow: wait for more until interrupted. */
bool is_recorder(const uint8_t *magic, size_t n);
struct source *recorder_open(struct input *in, bool follow);

/* read/perf.c, read/trace_dat.c: own the input. */
struct source *perf_open(struct input *in);
struct source *trace_dat_open(struct input *in);

/* read/recording.c */
enum recording_kind {
	RECORDING_EMPTY,
	RECORDING_NONE,
	RECORDING_RECORDER,
	RECORDING_PERF,
	RECORDING_TRACE_DAT,
};
enum recording_kind recording_kind(struct input *in);
/* Owns the input. */
struct source *recording_open(struct input *in, enum recording_kind kind, bool follow);
/* Is it a regular file that begins as a recording? */
bool is_recording(const char *path);

/* read/input.c: a file, of which the caller reads name, fd, seekable, offset and size */
struct input {
	const char *name;
	int fd;
	bool seekable;
	uint64_t offset; /* of buffer[begin] in the file */
	uint64_t size;	 /* of the file, UINT64_MAX if it is not known */
	uint8_t *buffer;
	size_t begin, end;
};
struct input *input_open(const char *name); /* "-": standard input; NULL and errno */
void input_close(struct input *in);
bool input_seek(struct input *in, uint64_t offset);
/* Points to the next up to n bytes, n <= 256 KiB, and reads no more. Valid until the next call. */
size_t input_peek(struct input *in, const uint8_t **bytes, size_t n);
size_t input_read(struct input *in, void *to, size_t n);
bool input_skip(struct input *in, uint64_t n);
/* Reads n bytes; the caller frees them and the NUL behind. NULL: there are fewer, or n > most. */
char *input_text(struct input *in, uint64_t n, uint64_t most);
/* Reads all that is left, which the caller frees. */
char *input_rest(struct input *in, size_t *size);
/* Copies a pipe to a temporary file, and reads that from its beginning. */
void input_spool(struct input *in);

/* read/queue.c */
struct queued {
	struct record record;
	struct event *event;
	uint64_t offset; /* perf: in the file; */
	uint32_t type;	 /* of the record, if there is no event */
	uint8_t data[] __attribute__((aligned(8)));
};

struct queue {
	/* With what they are sorted by: records are anywhere in memory. */
	struct queue_slot {
		uint64_t time;
		uint64_t number; /* in the order of queue_add() */
		struct queued *queued;
	} *heap;
	size_t n, room;
	size_t bytes;
	uint64_t numbers;
	struct queued *taken;
};

/* Adds a copy of a record and its data. */
struct queued *queue_add(struct queue *queue, const struct record *record);
const struct queued *queue_first(const struct queue *queue); /* NULL: it is empty */
/* Takes the first one out. It is valid until the next call. */
const struct queued *queue_take(struct queue *queue);
void queue_free(struct queue *queue);

/* read/tracepoints.c */
struct formats *formats_new(struct tep_handle *tep); /* owns it */
void formats_free(struct formats *f);
void formats_machine(struct formats *f, bool big_endian, int long_size);
/* Adds the event of a format file. Returns NULL if it is none, or its ID is taken. */
struct event *formats_add(struct formats *f, const char *system, const char *format);
struct event *formats_find(struct formats *f, unsigned int id);
void formats_thread(struct formats *f, pid_t tid, pid_t pid, const char *name, pid_t parent);
/* Says that system calls have the numbers of this machine. */
void formats_native(struct formats *f);
/* Adds a binary that ran. id is its build ID; id_size 0: not known. */
void formats_program(struct formats *f, const char *path, const void *id, size_t id_size);
/* Sets event->tep, once, unless the format would crash libtraceevent. */
void event_parse(struct event *event);
/* Sets *pid if it is -1 and the thread is known. */
const char *formats_thread_name(const struct formats *f, pid_t tid, pid_t *pid);
/* Returns the name to show, which the caller frees. */
char *event_shown(const char *system, const char *name);

/* binary/programs.c */
/* Adds a program, once. *programs is NULL at first. */
void programs_add(struct programs **programs, const char *path, const void *id, size_t id_size);
/* Reads the notes of a binary. Returns 0 or -errno; -ESTALE if its build ID is another one. */
int program_read(const char *path, const void *id, size_t id_size);
/* Reads the notes of the programs that are new. Returns how many programs there are. */
size_t programs_read(struct programs *programs);
void programs_free(struct programs *programs);

/* event/threads.c */
struct thread {
	pid_t tid;
	pid_t pid;	/* -1: not known; 0 is the idle threads' */
	uint64_t asked; /* time of the last query */
	char name[16];
};
/* Returns who wrote a record; valid until the next call. */
const struct thread *thread_of(const struct record *record);

/* event/syscalls.c: NULL if there is none of this number */
const char *syscall_name(uint64_t number);

/* write/sink.c */
/* Something that gets events. The struct of each kind of sink begins with this one. */
struct sink {
	void (*event)(struct sink *sink, struct event *event, const struct record *record);
	void (*lost)(struct sink *sink, uint64_t lost); /* so many more were lost; may be NULL */
	void (*complete)(struct sink *sink); /* no gaps from here on; may be NULL */
	void (*end)(struct sink *sink);			/* that was the last event; may be NULL */
	void (*free)(struct sink *sink);		/* may be NULL */
	bool off; /* gets no more events, since its output is broken */
	bool failed; /* no event had a field that it was asked for */
	struct sink *next;
};
void sinks_add(struct sink **first, struct sink *sink);
void sinks_event(struct sink *first, struct event *event, const struct record *record);
void sinks_lost(struct sink *first, uint64_t lost);
void sinks_complete(struct sink *first);
void sinks_end(struct sink *first);
bool sinks_failed(const struct sink *first);
void sinks_free(struct sink *first);
/* What is written: --json says it, or the ending of the output's name. */
enum output_format { OUTPUT_TEXT, OUTPUT_JSON, OUTPUT_OTLP, OUTPUT_PICTURE, OUTPUT_CTF, OUTPUT_UNKNOWN };
enum output_format output_format(const struct options *o);
/* Adds the sink that the options ask for. */
void sinks_open(struct sink **first, const struct options *o, FILE *out, bool colours);

/* event/format.c */
/* Reads the fields of event->format_text. */
void event_decode(struct event *event);
/* Frees what event_decode() allocated. */
void event_forget(struct event *event);
/* Frees an event and all that it owns. */
void event_free(void *event);
const struct ue_decode_format *event_format(const struct event *event);
/* Does the record have all fields? libtraceevent reads them without asking. */
bool event_whole(const struct event *event, const struct record *record);

/* write/print.c */
struct sink *printer_new(FILE *out, const struct options *o, bool colours);

/* write/stats.c */
struct stats {
	struct sink sink; /* counts */
	struct row **rows;
	void *by_name; /* of tsearch(): these */
	size_t row_count;
	bool live; /* else begin and end are times of records */
	uint64_t events;
	uint64_t bytes;
	uint64_t lost;
	uint64_t begin; /* CLOCK_MONOTONIC, ns */
	uint64_t end;
	uint64_t shown_events;
	uint64_t shown_at;
	bool table_drawn;
	unsigned int table_lines;
	bool progress_drawn;
};

uint64_t now(void);
/* Counts the events that its sink gets. */
void stats_begin(struct stats *stats, bool live);
void stats_table(struct stats *stats, FILE *out, bool redraw);
void stats_progress(struct stats *stats, const char *output);
void stats_clear(struct stats *stats);
void stats_summary(struct stats *stats);

#endif
