/* SPDX-License-Identifier: MIT */
/* Reads trace.dat with libtracecmd and merges the CPUs of all its buffers by time. */
#include "read/read.h"
#include "binary/binary.h"
#include "read/tracepoints.h"
#include "util/util.h"

#include <event-parse.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <trace-cmd.h>
#include <unistd.h>

/*
 * A time in 2001, in ns since 1970. Later timestamps must be from a wall clock, because other trace
 * clocks start at boot.
 */
#define A_DATE 1000000000000000000

/* Records of one CPU in one buffer. record is the next record, or NULL at the end. */
struct lane {
	struct tracecmd_input *handle;
	int cpu;
	struct tep_record *record;
};

struct trace_dat {
	struct source source;
	struct tracecmd_input *handle;
	struct tep_handle *tep;
	struct formats *formats;
	struct lane *lanes;
	size_t lane_count;
	struct lane *last; /* lane of the most recently returned record, or NULL */
	struct input *in;
};

/*
 * Name of the file that libtracecmd is reading, or NULL while libtracecmd is not running. If
 * libtracecmd crashes, as it does on some damaged files, the signal handler reports this name.
 */
static const char *volatile read_by_library;

static void on_crash(int number)
{
	const char *file = read_by_library;

	read_by_library = NULL;
	if (file) {
		/*
		 * Flush the events shown so far. This is safe, because the crash was in
		 * libtracecmd, not in stdio.
		 */
		fflush(stdout);
		dprintf(STDERR_FILENO,
			"uetrace: %s: libtracecmd crashed on it: the file is truncated, damaged or "
			"malicious\n",
			file);
		_exit(EXIT_FAILURE);
	}
	signal(number, SIG_DFL);
	raise(number);
}

static void catch_crashes(void)
{
	static const int crashes[] = { SIGSEGV, SIGBUS, SIGFPE, SIGABRT };
	struct sigaction action = { .sa_handler = on_crash, .sa_flags = SA_NODEFER };
	size_t i;

#ifdef UE_FUZZ
	return; /* let the sanitizers report the crash, with more details */
#endif
	for (i = 0; i < ARRAY_SIZE(crashes); i++)
		sigaction(crashes[i], &action, NULL);
}

static struct event *event_of(struct trace_dat *t, struct tep_record *record)
{
	int id = tep_data_type(t->tep, record);
	struct event *event = formats_find(t->formats, (unsigned int)id);
	struct tep_event *tep = event ? NULL : tep_find_event(t->tep, id);
	char *format;

	if (!tep)
		return event;
	format = texts_fields(tep);
	if (!format)
		die("out of memory");
	event = formats_add(t->formats, tep->system, format);
	free(format);
	if (event && !system_is_user(tep->system))
		event->tep = tep;
	return formats_find(t->formats, (unsigned int)id);
}

/* Adds a lane for each CPU of a buffer. */
static void add_lanes(struct trace_dat *t, struct tracecmd_input *handle)
{
	int cpus = handle ? tep_get_cpus(tracecmd_get_tep(handle)) : 0, cpu;

	t->lanes = realloc(t->lanes, (t->lane_count + (size_t)cpus) * sizeof(*t->lanes));
	if (!t->lanes && cpus)
		die("out of memory");
	for (cpu = 0; cpu < cpus; cpu++)
		t->lanes[t->lane_count++] =
			(struct lane){ handle, cpu, tracecmd_read_data(handle, cpu) };
}

static struct lane *earliest(const struct trace_dat *t)
{
	struct lane *best = NULL, *lane;

	for (lane = t->lanes; lane && lane < t->lanes + t->lane_count; lane++) {
		if (lane->record && (!best || lane->record->ts < best->record->ts))
			best = lane;
	}
	return best;
}

static void advance(const struct trace_dat *t, struct lane *lane)
{
	read_by_library = t->source.file;
	tracecmd_free_record(lane->record);
	lane->record = tracecmd_read_data(lane->handle, lane->cpu);
	read_by_library = NULL;
}

static int next(struct source *source, struct event **event, struct record *record)
{
	struct trace_dat *t = (struct trace_dat *)source;
	struct tep_record *tep;
	struct lane *lane;

	if (t->last)
		advance(t, t->last);
	for (; (lane = t->last = earliest(t)) != NULL; advance(t, lane)) {
		tep = lane->record;
		/* A negative value means that the kernel did not count the lost events. */
		if (tep->missed_events)
			source->lost += tep->missed_events > 0 ? (uint64_t)tep->missed_events : 1;
		*event = event_of(t, tep);
		if (*event)
			break; /* records of unknown events are skipped */
	}
	if (!lane)
		return 0;
	*record = (struct record){ .time = tep->ts,
				   .dated = tep->ts > A_DATE,
				   .cpu = (unsigned int)tep->cpu,
				   .data = tep->data,
				   .size = (size_t)tep->size,
				   .tid = tep_data_pid(t->tep, tep) };
	record->pid = record->tid ? -1 : 0;
	record->program = tep_data_comm_from_pid(t->tep, record->tid);
	return 1;
}

static void close_trace_dat(struct source *source)
{
	struct trace_dat *t = (struct trace_dat *)source;
	size_t i;

	for (i = 0; i < t->lane_count; i++)
		tracecmd_free_record(t->lanes[i].record);
	if (t->formats)
		formats_free(t->formats);
	tracecmd_close(t->handle);
	free(t->lanes);
	input_close(t->in);
	free(t);
}

struct source *trace_dat_open(struct input *in)
{
	struct trace_dat *t = allocate(sizeof(*t));
	int buffers, i;

	t->source = (struct source){
		.file = in->name, .next = next, .close = close_trace_dat, .clock = -1
	};
	t->in = in;
	tracecmd_set_loglevel(TEP_LOG_NONE);
	tep_set_loglevel(TEP_LOG_NONE);
	input_seek(in, 0);
	catch_crashes();
	read_by_library = in->name;
	t->handle = tracecmd_open_fd(dup(in->fd), TRACECMD_FL_LOAD_NO_PLUGINS);
	if (t->handle) {
		t->tep = tracecmd_get_tep(t->handle);
		tep_ref(t->tep);
		t->formats = formats_new(t->tep);
		add_lanes(t, t->handle);
		buffers = tracecmd_buffer_instances(t->handle);
		for (i = 0; i < buffers; i++)
			add_lanes(t, tracecmd_buffer_instance_handle(t->handle, i));
	} else {
		warning("%s: libtracecmd cannot read it: the file is truncated, damaged or of a "
			"later version",
			in->name);
		t->source.failed = true;
	}
	read_by_library = NULL;
	return &t->source;
}
