/* SPDX-License-Identifier: MIT */
/*
 * uetrace - shows user_events as they happen.
 *
 * One file a subject:
 *
 *	main.c		the command line, common to all subcommands
 *	run.c		run and watch: the loop
 *	list.c		list, of the system; list_file.c: of binaries and recordings
 *	listed.c	what it tells of an event
 *	register.c	register and delete
 *	probe.c		probe, and --probe of run and watch
 *	instance.c	our trace instance, and what dead tracers left behind
 *	events.c	which events exist, match and are enabled
 *	show.c		show: files, merged by time
 *	recording.c	what kind of recording a file is
 *	capture.c	files that programs captured themselves
 *	perf.c		perf.data; perf_file.c: what describes its records
 *	trace_dat.c	trace.dat of trace-cmd
 *	formats.c	the tracepoints and threads of a recording
 *	input.c		the bytes of a file
 *	queue.c		records that wait for earlier ones
 *	select.c	patterns of names
 *	filter.c	what kernel filters cannot say about event sets
 *	match.c		filters where no kernel is asked
 *	reader.c	the kernel's buffers, merged by time
 *	sink.c		where events go: text, counts, pictures
 *	threads.c	who wrote them
 *	syscalls.c	names of system calls
 *	print.c		events as lines of text and JSON
 *	fields.c	the fields of one event as text
 *	stats.c		summary, live table, progress line
 *	picture.h	timelines, and what files draw them
 *	histogram.h	histograms and latencies, the same
 *	notes.c		what a binary declares, and the libraries it needs
 *	meanings.c	what kernel-typed fields are, beyond the kernel's types
 *	texts.c		how its TRACE_EVENTs print
 *	programs.c	the binaries that a recording names, for these texts
 *	binary.c	ELF files, by libelf
 *	usdt.c		events by uprobes (usdt.h tells the rest)
 *	caret.c		the kernel's error message under what the user typed
 *	util.c		memory, lists, sentences
 */
#ifndef UETRACE_H
#define UETRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof(*(a)))

/* Options of run and watch. */
struct options {
	char **patterns;
	char **probes;
	char **counters; /* "event.field" */
	char **programs; /* binaries with texts of TP_printk; of run, with more events */
	const char *hist_event, *hist_field;
	const char *from, *to, *by; /* of latency */
	bool latency;
	char **command;
	const char *filter;
	const char *output;
	pid_t pid;
	unsigned long level;	/* 0: any */
	unsigned long long keyword; /* 0: any */
	bool json;
	bool stats;
	bool follow; /* show: what is written later, too */
	bool all; /* run: other programs' events, too */
	bool usdt; /* by uprobes */
	char **usdt_patterns; /* "usdt:FILE:PROVIDER:NAME" */
};

struct tracefs_instance;
struct tep_handle;
struct event;
struct record;
struct input;
struct tep_event;

/* util.c: memory that is not there ends the program */
void die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
/* The same for wrong use of the command line, which has an exit status of its own. */
void die_usage(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
void warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Did all arrive on standard output? If not, says so, once. */
bool output_flush(void);
/* From now on standard output is this file. */
void output_to(const char *file);
void *allocate(size_t size); /* zeroed */
char *text(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *read_text(const char *path); /* all of it, or NULL and errno */
/* An array whose n, a power of two or 0, is its room: twice as many. */
void *doubled(void *array, size_t n, size_t size);
/* Lists of strings end with NULL, and are NULL if they are empty. */
void add(char ***list, const char *string);
void list_free(char **list);

/* run.c, list.c, register.c, probe.c: subcommands, which return the exit status */
int cmd_run(const struct options *o);
int cmd_watch(const struct options *o);
int cmd_list(char **patterns, bool json, bool usdt);
int cmd_register(char **specs, bool persist);
int cmd_delete(char **names);
int cmd_probe(char **words);
int cmd_show(const struct options *o, char **files); /* show.c */

/* run.c */
char *find_program(const char *name);

/* notes.c */
/*
 * Adds what a binary declares to *specs, as ue_event_register() takes it, each once, in
 * order. With libraries, also what the libraries it needs declare. Returns 0, or -errno;
 * -ENOEXEC for what is not ELF, or damaged.
 */
int notes_read(const char *path, bool libraries, char ***specs);
/* Adds a binary and the libraries that it needs to *files. */
int notes_files(const char *path, char ***files);

/* instance.c */
/* What keeps us from tracing, a sentence that the caller frees; NULL: nothing does. */
char *instance_problem(void);
/* Ends the program with that sentence. */
void instance_find(bool user_events);
void instance_clean(void);
struct tracefs_instance *instance_create(void);
void instance_end(void);
const char *instance_group(void);
/* And the uprobes of usdt.c. */
const char *usdt_group(void);
bool kernel_has_user_events(void);
/* Adds the other instances that have the event enabled. */
void instances_using(const char *system, const char *name, char ***list);
int instance_write(struct tracefs_instance *instance, const char *file, const char *value);

/* usdt.c */
/* Events by uprobes, on kernels without user_events, and other programs' USDT probes. */
struct usdt;
struct record;
struct events;
bool usdt_pattern(const char *pattern);
struct usdt *usdt_new(struct tracefs_instance *instance, struct events *events,
		      const struct options *o);
void usdt_free(struct usdt *usdt);
/* The probes of a file, unless it was there before. Returns how many. */
int usdt_add_file(struct usdt *usdt, const char *path);
void usdt_add_files(struct usdt *usdt, char **files);
/* The files of programs that run, and are traced. Returns how many probes are new. */
int usdt_scan(struct usdt *usdt);
/*
 * Is it the record of one of our uprobes? Then out is that of its event, until the next call; chosen: it
 * was asked for by the probe's name.
 */
bool usdt_record(struct usdt *usdt, unsigned int id, const struct record *in, struct record *out,
		 bool *chosen);
/* Files with probes that the program of run opened, or ran, when it ran itself. */
char **usdt_late(const struct usdt *usdt);
/* How often uprobes were hit, to be read before the recording stops; how many of that left no record. */
void usdt_read_hits(struct usdt *usdt);
void usdt_tell_missing(const struct usdt *usdt, uint64_t lost);
/* The probes of a file that are not events of user_events.h, as specs, and their providers. */
int usdt_list(const char *path, char ***providers, char ***specs);
/* Adds what the programs that run declare. */
void usdt_running(char ***specs);

/* probe.c */
int dynamic_event_write(const char *line); /* 0 or -errno */
/* 0, or -errno; the kernel's error_log tells why. */
int probe_define(const char *line);
void probes_add(char **definitions);
void probes_remove(const char *group);

/* caret.c */
/*
 * A refusal from the kernel's error_log, as
 *
 *	  typed words
 *	        ^
 *	reason
 *
 * log is the text of the file's last entry, typed what the user wrote. The caller frees it;
 * NULL if the log says nothing about it.
 */
char *caret(const char *log, const char *command, const char *typed);

/* events.c */
struct event;
struct events;
struct decoder;
struct ue_decode_format;

struct event {
	char *system;
	char *name;
	char *shown;	  /* "request_done", "kprobes:open" */
	char *probed;	  /* what an event probe is on, "user_events.request_done" */
	char *format_text;
	struct decoder *decoder;
	struct tep_event *tep; /* of events that the kernel formats */
	struct tep_handle *handle; /* what else is known of its kernel; NULL of captures */
	struct tep_handle *own;	   /* of a TRACE_EVENT in a recording, which it alone has */
	struct programs **programs; /* that its recording names; NULL: none */
	size_t programs_known;	   /* that had no text for it */
	size_t meanings;	   /* that were known when it was last looked at */
	uint8_t long_size;	/* of its kernel; 0: ours */
	bool swapped; /* recorded in the other byte order */
	const bool *native; /* on a machine of our kind; NULL: that is not known, unless it is live */
	bool live;
	bool parsed; /* tep is known, or is not to be */
	unsigned int id;
	unsigned int printed_id; /* in records that uprobes stand for */
	ino_t inode; /* of its directory, which another event of its name does not have */
	bool eventheader;
	bool wanted;
	bool judged; /* show: wanted is known */
	bool by_name; /* a set of which only some names are wanted */
	bool by_match; /* the filter is not the kernel's matter */
	bool enabled;
	bool ours; /* a probe of this run */
};

struct events *events_new(struct tracefs_instance *instance, const struct options *o);
void events_free(struct events *events);
/* Enables what matches and was not there before. Returns how many events that is. */
int events_scan(struct events *events);
bool events_matched(const struct events *events);
/*
 * An event that uprobes stand for, with a format of the caller's; chosen: asked for by its probe's name; fresh: it
 * was not there before.
 */
struct event *events_add(struct events *events, const char *system, const char *name,
			 const char *format, bool chosen, bool *fresh);
/* Of an event that events_add() made: its TP_printk's text prints records that begin with this ID. */
void events_print_as(struct events *events, struct event *event, unsigned int id);
/* Filters and enables a uprobe, whose records are the event's. */
void events_enable_place(struct events *events, struct event *event, const char *group,
			 const char *uprobe, unsigned int id);
struct event *events_by_id(const struct events *events, unsigned int id);
size_t events_list(const struct events *events, struct event ***list);
/* Is this record of an enabled event one to show? chosen: whatever its name is. */
bool events_take(struct events *events, const struct event *event, const struct record *record,
		 bool chosen);
/*
 * Ends the program with a sentence if the filter was refused by all events. Later events, which the
 * next scans find, are told of in a warning.
 */
void events_check_filter(struct events *events);
/* At the end, if nothing came that has its fields. */
void events_tell_filter(const struct events *events);

/* select.c */
/* Of what patterns name, all, or the events of a set that record_selected() says. */
enum selection { SELECT_NONE, SELECT_NAMES, SELECT_ALL };
/* patterns: NULL are all user events */
enum selection event_selected(char **patterns, const char *system, const char *name);
/* Some or all of it? */
bool event_matches(char **patterns, const char *system, const char *name);
bool record_selected(char **patterns, const struct event *event, const struct record *record);
/* Do the level and the keyword in the name of an event set? */
bool level_matches(const struct options *o, const char *name);
/* Remembers what there is, to tell it to who asked for something else. record: or NULL */
void selection_seen(const struct event *event, const struct record *record);
void selection_tell(void);
/* The same of fields. */
void selection_seen_fields(const struct event *event, const struct record *record);
void selection_tell_fields(void);

/* filter.c */
/* Is it the name of an event set, PROVIDER_LxKy? */
bool set_name(const char *name, unsigned int *level, unsigned long long *keyword);
/* The filter as the kernel takes it for the event set of this name. The caller frees it. */
char *filter_for_set(const char *filter, const char *name);

/* reader.c */
#define CPU_UNKNOWN (~0u)

struct reader;
struct record {
	uint64_t time; /* ns of the recording's clock; live, of CLOCK_MONOTONIC */
	int64_t wall;  /* CLOCK_REALTIME minus that clock, */
	bool dated;    /* if it is known */
	unsigned int cpu; /* CPU_UNKNOWN: not recorded */
	const void *data;
	size_t size;
	/* Who it was, where the record knows better than /proc; NULL otherwise. */
	const char *program;
	pid_t pid, tid;
};
typedef void (*record_fn)(void *context, const struct record *record);

struct reader *reader_new(struct tracefs_instance *instance);
void reader_free(struct reader *reader);
size_t reader_fds(const struct reader *reader);
int reader_fd(const struct reader *reader, size_t i);
/* Takes what the kernel has. Returns bytes. */
size_t reader_fill(struct reader *reader);
/* Hands over the records up to a time, in order. */
void reader_drain(struct reader *reader, uint64_t until, record_fn fn, void *context);
/* Events that the kernel had no room for. */
uint64_t reader_lost(struct reader *reader);

/* A recording, as show reads it: captures, perf.data, trace.dat. */
struct source {
	const char *file;
	/*
	 * The next event in order of time, and its record, both until the next call. Returns 1,
	 * or 0 when there is none any more; what was wrong is told.
	 */
	int (*next)(struct source *source, struct event **event, struct record *record);
	void (*close)(struct source *source);
	int clock; /* clockid_t; -1: of its own */
	uint64_t lost;
	uint64_t overwritten; /* events of a recorder, as is usual, */
	uint64_t complete;    /* all of them before this time; 0: that is not known */
	uint64_t damaged; /* bytes */
	bool failed;
};

/* capture.c */
struct captures;
struct captures *captures_new(void);
void captures_add(struct captures *captures, struct input *in);
/* And what is written to it later, until we are interrupted. */
void captures_follow(struct captures *captures, struct input *in);
/* When all are added. */
struct source *captures_open(struct captures *captures);
/* What an event of user_events_capture.h is; formats is NULL at first. */
struct ue_capture_event;
struct event *captured_event(void **formats, const struct ue_capture_event *captured);
struct record captured_record(const struct ue_capture_event *captured);
void captured_free(void *formats);

bool is_capture(const uint8_t *magic, size_t n);

/* recorder.c: takes over the input; follow: waits for more until it is interrupted */
bool is_recorder(const uint8_t *magic, size_t n);
struct source *recorder_open(struct input *in, bool follow);

/* perf.c, trace_dat.c: take over the input */
struct source *perf_open(struct input *in);
struct source *trace_dat_open(struct input *in);

/* recording.c */
enum recording_kind {
	RECORDING_EMPTY,
	RECORDING_NONE,
	RECORDING_CAPTURE,
	RECORDING_RECORDER,
	RECORDING_PERF,
	RECORDING_TRACE_DAT,
};
enum recording_kind recording_kind(struct input *in);
/* Takes over the input. */
struct source *recording_open(struct input *in, enum recording_kind kind, bool follow);
/* Is it a file that is one? */
bool is_recording(const char *path);

/* input.c */
struct input *input_open(const char *name); /* "-": standard input. NULL and errno */
struct input *input_memory(const char *name, const void *bytes, size_t size);
void input_close(struct input *in);
const char *input_name(const struct input *in);
uint64_t input_offset(const struct input *in);
uint64_t input_size(const struct input *in);
bool input_seekable(const struct input *in);
bool input_seek(struct input *in, uint64_t offset);
/* The next up to n bytes, n <= 256 KiB, which stay where they are until the next call. */
size_t input_peek(struct input *in, const uint8_t **bytes, size_t n);
size_t input_read(struct input *in, void *to, size_t n);
bool input_skip(struct input *in, uint64_t n);
/* n bytes and a NUL, which the caller frees. NULL: they are not there, or more than most. */
char *input_text(struct input *in, uint64_t n, uint64_t most);
/* The rest, which may be nothing; the caller frees it. */
char *input_rest(struct input *in, size_t *size);
/* One with the same bytes that can seek; takes over the other. */
struct input *input_spool(struct input *in);
int input_fd(const struct input *in);

/* queue.c */
enum queued_kind { QUEUED_EVENT, QUEUED_NAME, QUEUED_FORK, QUEUED_LOST };

struct queued {
	uint64_t time;
	uint64_t number; /* as they came */
	uint64_t offset; /* in the file */
	size_t size;	 /* of memory, about */
	size_t data_size;
	pid_t pid, tid;
	unsigned int cpu;
	enum queued_kind kind;
	uint8_t data[] __attribute__((aligned(8)));
};

struct queue {
	struct queued **heap;
	size_t n, room;
	size_t bytes;
	uint64_t numbers;
};

void queue_add(struct queue *queue, struct queued *record);
const struct queued *queue_first(const struct queue *queue); /* NULL: it is empty */
struct queued *queue_take(struct queue *queue);
void queue_free(struct queue *queue);

/* formats.c */
struct formats;
struct formats *formats_new(void);
void formats_free(struct formats *f);
void formats_machine(struct formats *f, bool big_endian, unsigned int long_size);
struct tep_handle *formats_tep(struct formats *f);
/* format is the text of a format file. Returns NULL if it is none, or is there already. */
struct event *formats_add(struct formats *f, const char *system, const char *format);
struct event *formats_find(struct formats *f, unsigned int id);
void formats_thread(struct formats *f, pid_t tid, pid_t pid, const char *name, pid_t parent);
/* Recorded on a machine of our kind: its system calls have our numbers. */
void formats_native(struct formats *f);
/* A binary that ran; id: of its build, id_size 0: not known */
void formats_program(struct formats *f, const char *path, const void *id, size_t id_size);
/* Sets tep, unless that was done before: libtraceevent is not made for hostile formats. */
void event_parse(struct event *event);
/* Sets *pid if it is 0 and known. */
const char *formats_thread_name(const struct formats *f, pid_t tid, pid_t *pid);
/* The name that is shown; the caller frees it. */
char *event_shown(const char *system, const char *name);

/* programs.c */
struct programs;
/* Once each; *programs is NULL at first. */
void programs_add(struct programs **programs, const char *path, const void *id, size_t id_size);
/* What its notes say of events is known from now on. Returns 0 or -errno; -ESTALE for another build. */
int program_read(const char *path, const void *id, size_t id_size);
/* The same of those that are new. Returns how many there are. */
size_t programs_read(struct programs *programs);
void programs_free(struct programs *programs);

/* threads.c */
struct thread {
	pid_t tid;	/* 0: unused */
	pid_t pid;	/* 0: not known */
	uint64_t asked; /* when, to ask again */
	char name[16];
};
/* Who wrote it; until the next call. */
const struct thread *thread_of(const struct record *record);

/* syscalls.c: NULL: it has none */
const char *syscall_name(uint64_t number);

/* sink.c */
/* Where events go. A sink's own struct begins with this one. */
struct sink {
	void (*event)(struct sink *sink, struct event *event, const struct record *record);
	void (*lost)(struct sink *sink, uint64_t lost); /* these many more; may be NULL */
	void (*complete)(struct sink *sink); /* there are gaps before, but not behind; may be NULL */
	void (*end)(struct sink *sink);			/* no event comes any more; may be NULL */
	void (*free)(struct sink *sink);		/* may be NULL */
	bool off; /* gets nothing more: what it writes to is broken */
	struct sink *next;
};
void sinks_add(struct sink **first, struct sink *sink);
void sinks_event(struct sink *first, struct event *event, const struct record *record);
void sinks_lost(struct sink *first, uint64_t lost);
void sinks_complete(struct sink *first);
void sinks_end(struct sink *first);
void sinks_free(struct sink *first);
/* Adds what the options say the events are to be written as. */
void sinks_open(struct sink **first, const struct options *o, FILE *out, bool colours);

/* decode.c */
/* Reads the event's format_text: its fields. */
void event_decode(struct event *event);
void event_forget(struct event *event);
const struct ue_decode_format *event_format(const struct event *event);
/* Has the record all of its fields? libtraceevent does not ask. */
bool event_whole(const struct event *event, const struct record *record);

/* print.c */
struct sink *printer_new(FILE *out, const struct options *o, bool colours);

/* stats.c */
struct row;

struct stats {
	struct sink sink; /* counts */
	struct row **rows; /* sorted by name */
	size_t row_count;
	bool live; /* else begin and end are the records' own times */
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
/* "1.5ms" */
const char *duration(char buffer[16], double ns);
/* Of the events that its sink gets. */
void stats_begin(struct stats *stats, bool live);
void stats_table(struct stats *stats, FILE *out, bool redraw);
void stats_progress(struct stats *stats, const char *output);
void stats_clear(struct stats *stats);
void stats_summary(struct stats *stats);

#endif
