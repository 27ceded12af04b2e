/* SPDX-License-Identifier: MIT */
/*
 * Implements the show command, which merges recordings of programs, perf and trace-cmd by time. It
 * needs neither kernel support nor privileges.
 */
#include "command/command.h"
#include "binary/binary.h"
#include "event/event.h"
#include "fields/dotnet.h"
#include "read/read.h"
#include "command/options.h"
#include "select/select.h"
#include "util/util.h"
#include "command/outputs.h"
#include "summary/summary.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LOOKED_AT 100000 /* maximum number of events from which names are collected */

/* A recording and its next event. */
struct file {
	struct source *source;
	struct event *event; /* NULL at the end of the recording */
	struct record record;
	struct dotnet_event converted; /* conversion of a .NET runtime record */
	uint64_t lost;		       /* number of lost events reported so far */
	bool incomplete; /* true if an event before the end of the last gap was shown */
};

struct show {
	const struct options *o;
	struct file *files;
	size_t n;
	bool by_date; /* true to sort by system time instead of record time */
	bool failed;
	struct match *match;	/* filter, or NULL if there is none */
	struct machine machine; /* machine with the host name from --host */
	bool matched;		/* true if an event had all fields of the filter */
	bool writes;		/* true if the output has been opened */
	size_t unselected;	/* number of events that no pattern selected */
	size_t lacking;		/* number of events that lack a field used in the filter */
	size_t others;		/* number of events of processes other than the --pid process */
	bool met_pid;		/* true if an event of the --pid process was read */
	struct stats stats;
	struct sink *sinks;
};

/* Reports why a file cannot be opened. */
static void report_unopened(const char *name)
{
	int error = errno;
	char *metadata = text("%s/metadata", name);

	if (error == EISDIR && access(metadata, F_OK) == 0)
		warning("cannot show %s: it is in the Common Trace Format, which uetrace only "
			"writes; use babeltrace2 %s",
			name, name);
	else
		warning("cannot read %s: %s%s", name, strerror(error),
			error == ENOENT && !strpbrk(name, "/.") ? "; events are selected with -e"
								: "");
	free(metadata);
}

/* Reports why a file is not a usable recording. */
static void report_unreadable(const char *name, struct input *in, enum recording_kind kind)
{
	const uint8_t *first;

	if (kind == RECORDING_EMPTY)
		warning("%s is empty", in->name);
	else if (is_binary(name))
		warning("%s is a program, not a recording; use 'uetrace list' to show the events "
			"it declares, or 'uetrace run' to record them",
			name);
	else if (input_peek(in, &first, 1) == 1 && *first == '{')
		warning("cannot show %s: it is JSON, which uetrace only writes; use jq", in->name);
	else
		warning("%s is not a perf.data, trace.dat or recorder file", in->name);
}

static void add_file(struct show *s, const char *name)
{
	struct input *in = input_open(name);
	enum recording_kind kind;

	if (!in) {
		report_unopened(name);
		s->failed = true;
		return;
	}
	kind = recording_kind(in);
	if (kind == RECORDING_EMPTY || kind == RECORDING_NONE) {
		report_unreadable(name, in, kind);
		input_close(in);
		s->failed = true;
		return;
	}
	s->files = reallocarray(s->files, s->n + 1, sizeof(*s->files));
	if (!s->files)
		die("out of memory");
	s->files[s->n++] = (struct file){ .source = recording_open(in, kind, s->o->follow) };
}

/* Selecting events */

static void judge(const struct options *o, struct event *event)
{
	enum selection selection =
		o->choice.patterns ? event_selected(o->choice.patterns, event->system, event->name)
				   : SELECT_ALL;

	/* a pattern may also match the tracepoint name of the .NET runtime */
	if (event->tracepoint && o->choice.patterns && selection != SELECT_ALL &&
	    event_selected(o->choice.patterns, event->system, event->tracepoint->name) ==
		    SELECT_ALL)
		selection = SELECT_ALL;
	event->wanted = selection != SELECT_NONE && level_matches(&o->choice, event->name);
	event->by_name = selection == SELECT_NAMES;
	event->judged = true;
}

static bool match_filter(struct show *s, const struct event *event, const struct record *record)
{
	int matches = match(s->match, event, record);

	s->matched = s->matched || matches >= 0;
	if (!s->matched && s->lacking++ < LOOKED_AT)
		selection_note_fields(event, record);
	return matches > 0;
}

static bool wanted(struct show *s, struct event *event, const struct record *record)
{
	const struct options *o = s->o;
	bool unmet, named = false;

	if (!event->judged)
		judge(o, event);
	unmet = selection_has_unmatched(o->choice.patterns);
	if (event->by_name || (unmet && event->eventheader))
		named = record_selected(o->choice.patterns, event, record);
	if (!event->wanted || (event->by_name && !named)) {
		if (unmet && s->unselected++ < LOOKED_AT)
			selection_note_event(event, record);
		return false;
	}
	if (o->pid && record->pid != o->pid && record->tid != o->pid) {
		if (!s->met_pid && s->others++ < LOOKED_AT)
			selection_note_process(record);
		return false;
	}
	s->met_pid = true;
	return !s->match || match_filter(s, event, record);
}

/* Merging by time */

static void advance(struct show *s, struct file *file)
{
	do {
		if (file->source->next(file->source, &file->event, &file->record) <= 0) {
			file->event = NULL;
			return;
		}
		event_convert(&file->event, &file->record, &file->converted);
	} while (!wanted(s, file->event, &file->record));
	if (!s->o->host)
		return;
	if (file->record.machine)
		s->machine = *file->record.machine;
	snprintf(s->machine.host, sizeof(s->machine.host), "%s", s->o->host);
	file->record.machine = &s->machine;
}

/* Chooses how to compare timestamps from different files. Warns if the clocks are unrelated. */
static void compare_clocks(struct show *s)
{
	const struct file *first = NULL, *file;
	bool dated = true, alike = true;

	for (file = s->files; file && file < s->files + s->n; file++) {
		if (!file->event)
			continue;
		first = first ? first : file;
		dated = dated && file->record.dated;
		if (file->source->clock == -1 ? file != first
					      : file->source->clock != first->source->clock)
			alike = false;
	}
	s->by_date = dated;
	if (!dated && !alike)
		warning("the files were recorded with clocks that cannot be compared, so the order "
			"of their events is a guess; record with perf record -k CLOCK_MONOTONIC "
			"and trace-cmd record --date");
}

static uint64_t time_of(const struct show *s, const struct file *file)
{
	return file->record.time + (s->by_date ? (uint64_t)file->record.realtime_offset : 0);
}

static struct file *earliest(const struct show *s)
{
	struct file *best = NULL, *file;

	for (file = s->files; file && file < s->files + s->n; file++) {
		if (file->event && (!best || time_of(s, file) < time_of(s, best)))
			best = file;
	}
	return best;
}

static void report_lost(struct show *s, struct file *file)
{
	if (file->source->lost > file->lost)
		sinks_lost(s->sinks, file->source->lost - file->lost);
	file->lost = file->source->lost;
}

/*
 * If an event before the end of a flight recorder's last gap was shown, reports the end of the gap.
 */
static void report_complete(struct show *s, struct file *file)
{
	if (file->record.time < file->source->complete) {
		file->incomplete = true;
		return;
	}
	if (file->incomplete)
		sinks_complete(s->sinks);
	file->incomplete = false;
}

/* Opens the output. If no recording could be read, leaves an existing file unchanged. */
static bool open_output(const struct show *s)
{
	const char *output = s->o->output;
	bool failed = s->failed, any = false;
	size_t i;

	if (!output || strcmp(output, "-") == 0)
		return true;
	for (i = 0; i < s->n; i++) {
		failed = failed || s->files[i].source->failed;
		any = any || s->files[i].event;
	}
	if (failed && !any)
		return false;
	if (output_format(s->o) != OUTPUT_CTF)
		output_to(output);
	return true;
}

static void write_all(void *context)
{
	sinks_flush(((struct show *)context)->sinks);
}

static void show_all(struct show *s)
{
	bool progress = s->o->output && strcmp(s->o->output, "-") != 0 && isatty(STDERR_FILENO);
	struct file *file;
	size_t i, n = 0;

	s->stats.shown_at = now();
	for (i = 0; i < s->n; i++)
		advance(s, &s->files[i]);
	compare_clocks(s);
	s->writes = open_output(s);
	if (!s->o->stats && s->writes)
		sinks_open(&s->sinks, s->o, stdout, isatty(STDOUT_FILENO) && !getenv("NO_COLOR"));
	output_before_flush(write_all, s);
	while ((file = earliest(s)) != NULL) {
		report_lost(s, file);
		report_complete(s, file);
		sinks_event(s->sinks, file->event, &file->record);
		if (output_failed() || interrupted())
			break;
		if (progress && ++n % 4096 == 0 && now() - s->stats.shown_at > 1000000000u)
			stats_progress(&s->stats, s->o->output);
		advance(s, file);
	}
	for (i = 0; i < s->n; i++)
		report_lost(s, &s->files[i]);
	output_before_flush(NULL, NULL);
	sinks_end(s->sinks);
	s->stats.shown_at = 0;
	stats_clear(&s->stats);
}

static void print_summary(const struct show *s)
{
	const struct stats *stats = &s->stats;
	uint64_t overwritten = 0;
	size_t i;

	for (i = 0; i < s->n; i++)
		overwritten += s->files[i].source->overwritten;
	output_flush();
	fprintf(stderr, "uetrace: %llu event%s in a recording of %.3f s, %llu lost",
		(unsigned long long)stats->events, stats->events == 1 ? "" : "s",
		(double)(stats->end - stats->begin) / 1e9, (unsigned long long)stats->lost);
	if (overwritten)
		fprintf(stderr, ", %llu overwritten, the oldest of each CPU",
			(unsigned long long)overwritten);
	fputc('\n', stderr);
}

static void read_programs(const struct options *o)
{
	char **path;
	int error;

	for (path = o->programs; path && *path; path++) {
		error = program_read(*path, NULL, 0);
		if (error)
			die("cannot read %s: %s", *path,
			    error == -ENOEXEC ? "it is not an ELF binary" : strerror(-error));
	}
}

int cmd_show(struct options *o)
{
	struct show s = { .o = o };
	char **names;
	size_t i;

	interruptible();
	if (o->json)
		/* if the reader exits, report this instead of being killed by SIGPIPE */
		signal(SIGPIPE, SIG_IGN);
	if (o->choice.filter)
		s.match = match_new(o->choice.filter, true);
	read_programs(o);
	for (names = o->words; *names; names++)
		add_file(&s, *names);
	if (!s.n)
		return EXIT_FAILURE;
	/* following one file would delay the events of the others */
	if (o->follow && s.n > 1)
		die_usage("uetrace show --follow accepts only one recorder file");
	stats_begin(&s.stats, false);
	sinks_add(&s.sinks, &s.stats.sink);
	show_all(&s);
	if (o->stats && s.writes)
		stats_table(&s.stats, stdout, false);
	print_summary(&s);
	for (i = 0; i < s.n; i++)
		s.failed = s.failed || s.files[i].source->failed;
	s.failed = s.failed || sinks_failed(s.sinks);
	report_without_level();
	if (selection_report_unmatched(o->choice.patterns, ""))
		s.failed = true;
	if (s.lacking && !s.matched) {
		s.failed = true;
		warning("no event has all the fields of the filter: %s", o->choice.filter);
		selection_report_fields();
	}
	if (s.others && !s.met_pid) {
		warning("no event belongs to process %d", o->pid);
		selection_report_processes();
	}
	if (interrupted() && !o->follow) {
		s.failed = true;
		warning("interrupted: later events are not shown");
	}
	match_free(s.match);
	sinks_free(s.sinks);
	for (i = 0; i < s.n; i++) {
		free(s.files[i].converted.buffer);
		s.files[i].source->close(s.files[i].source);
	}
	free(s.files);
	return s.failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
