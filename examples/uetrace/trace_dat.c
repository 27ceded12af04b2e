/* SPDX-License-Identifier: MIT */
/* trace.dat, which libtracecmd reads: its buffers and their CPUs, merged by time. */
#include "systems.h"
#include "texts.h"
#include "uetrace.h"

#include <event-parse.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <trace-cmd.h>
#include <unistd.h>

#define IDS 65536		   /* common_type has 16 bits */
#define A_DATE 1000000000000000000 /* later than any clock but the time of day: in 2001 */

/* A CPU of a buffer, and its next record. */
struct lane {
	struct tracecmd_input *handle;
	int cpu;
	struct tep_record *record;
};

struct trace_dat {
	struct source source;
	struct tracecmd_input *handle;
	struct tep_handle *tep;
	struct lane *lanes;
	size_t lane_count;
	struct lane *last; /* whose record next() returned */
	struct event *by_id[IDS];
	uint64_t unknown; /* records without a format */
	struct input *in;
};

/* Whose library call we are in. It does not survive every file; then a sentence tells which one it was. */
static const char *volatile read_by_library;

static void on_crash(int number)
{
	static const char what[] =
		": libtracecmd crashed on it: it is cut, damaged, or made to do that\n";
	const char *file = read_by_library;

	read_by_library = NULL;
	/* what was shown before; whoever crashed was not in stdio */
	if (file)
		fflush(stdout);
	if (file && (write(STDERR_FILENO, "uetrace: ", 9) < 0 ||
		     write(STDERR_FILENO, file, strlen(file)) < 0 ||
		     write(STDERR_FILENO, what, sizeof(what) - 1) < 0))
		_exit(EXIT_FAILURE);
	if (file)
		_exit(EXIT_FAILURE);
	signal(number, SIG_DFL);
	raise(number);
}

static void enter_library(const struct trace_dat *t)
{
	static const int crashes[] = { SIGSEGV, SIGBUS, SIGFPE, SIGABRT };
	struct sigaction action = { .sa_handler = on_crash, .sa_flags = SA_NODEFER };
	static bool ready;
	size_t i;

#ifdef UE_FUZZ
	ready = true; /* the sanitizers tell more */
#endif
	for (i = 0; !ready && i < ARRAY_SIZE(crashes); i++)
		sigaction(crashes[i], &action, NULL);
	ready = true;
	read_by_library = t->source.file;
}

static void leave_library(void)
{
	read_by_library = NULL;
}

static struct event *event_of(struct trace_dat *t, const struct tep_record *record)
{
	const bool host = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	int id = tep_data_type(t->tep, (struct tep_record *)(uintptr_t)record);
	struct tep_event *tep;
	struct event *event;

	if (id < 0 || id >= IDS)
		return NULL;
	if (t->by_id[id])
		return t->by_id[id];
	tep = tep_find_event(t->tep, id);
	if (!tep)
		return NULL;
	event = t->by_id[id] = allocate(sizeof(*event));
	event->system = text("%s", tep->system);
	event->name = text("%s", tep->name);
	event->shown = event_shown(tep->system, tep->name);
	event->format_text = texts_fields(tep);
	if (!event->format_text)
		die("out of memory");
	event->id = (unsigned int)id;
	event->handle = t->tep;
	event->long_size = (uint8_t)tep_get_long_size(t->tep);
	event->swapped = tep_is_file_bigendian(t->tep) != host;
	event_decode(event);
	if (!system_is_user(tep->system)) {
		event->tep = tep;
		event->parsed = true;
	}
	return event;
}

static void add_lanes(struct trace_dat *t, struct tracecmd_input *handle)
{
	int cpus = tep_get_cpus(tracecmd_get_tep(handle)), cpu;

	enter_library(t);
	t->lanes = realloc(t->lanes, (t->lane_count + (size_t)cpus) * sizeof(*t->lanes));
	if (!t->lanes && cpus)
		die("out of memory");
	for (cpu = 0; cpu < cpus; cpu++)
		t->lanes[t->lane_count++] =
			(struct lane){ handle, cpu, tracecmd_read_data(handle, cpu) };
	leave_library();
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
	enter_library(t);
	tracecmd_free_record(lane->record);
	lane->record = tracecmd_read_data(lane->handle, lane->cpu);
	leave_library();
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
		/* negative: nobody counted them */
		if (tep->missed_events)
			source->lost += tep->missed_events > 0 ? (uint64_t)tep->missed_events : 1;
		*event = event_of(t, tep);
		if (*event)
			break;
		t->unknown++;
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
	for (i = 0; i < IDS; i++)
		event_free(t->by_id[i]);
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
	enter_library(t);
	t->handle = tracecmd_open_fd(dup(in->fd), TRACECMD_FL_LOAD_NO_PLUGINS);
	leave_library();
	if (!t->handle) {
		warning("%s: libtracecmd cannot read it: it is cut, damaged, or of a later version",
			t->source.file);
		t->source.failed = true;
		return &t->source;
	}
	t->tep = tracecmd_get_tep(t->handle);
	add_lanes(t, t->handle);
	buffers = tracecmd_buffer_instances(t->handle);
	for (i = 0; i < buffers; i++) {
		struct tracecmd_input *buffer;

		enter_library(t);
		buffer = tracecmd_buffer_instance_handle(t->handle, i);
		leave_library();
		if (buffer)
			add_lanes(t, buffer);
	}
	return &t->source;
}
