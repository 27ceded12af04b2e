/* SPDX-License-Identifier: MIT */
/* Prints the messages of run and watch before the first event and after the last one. */
#include "command/session.h"
#include "binary/binary.h"
#include "command/command.h"
#include "kernel/kernel.h"
#include "output/live.h"
#include "output/stream.h"
#include "read/read.h"
#include "usdt/usdt.h"
#include "util/util.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Reports that the first records of new events may be missing, with the longest time between two
 * scans. Prints nothing if all events were known before the program started.
 */
static void report_scan_gaps(const struct session *s)
{
	unsigned int ms = (unsigned int)((s->schedule.max_scan_gap + MS - 1) / MS);

	if (s->schedule.max_scan_gap <= 2 * SCAN_NS || (s->all_declared && !s->late_events))
		return;
	warning("the first records of new events may be missing: uetrace searched for new "
		"events at intervals of up to %u ms%s",
		ms, s->program.child ? "" : "; to miss none: uetrace watch ./PROGRAM");
}

static void report_nothing_declared(const struct session *s)
{
	char **providers = NULL, **probes = NULL, *program = s->o->command[0];

	if (!usdt_check_file(s->program.path))
		return;
	usdt_list(s->program.path, &providers, &probes);
	if (probes)
		warning("%s declares no events, but it has USDT probes; to show them: "
			"uetrace run -e 'usdt:%s:*:*' %s",
			program, s->program.path, program);
	else
		warning("%s and its libraries declare no events; to add the events of a "
			"plug-in: --also ./PLUGIN.so" REGISTERED_LATER,
			program);
}

bool summarize(struct session *s)
{
	const char *program = s->o->command ? s->o->command[0] : "";
	bool failed = sinks_failed(s->sinks), unmatched;
	char **late;

	if (s->o->stats)
		stats_table(&s->stats, stream_file(s->output.standard), false);
	if (s->program.child && isatty(STDERR_FILENO))
		fresh_line(STDERR_FILENO);
	s->stats.lost_unknown = s->usdt && usdt_loses_uncounted(s->usdt);
	stats_summary(&s->stats,
		      output_broken(s, s->output.events) ? stream_unwritten(s->output.events) : 0);
	report_without_level();
	unmatched = selection_report_unmatched(s->o->choice.patterns, program);
	unmatched = selection_report_unmatched(s->o->usdt_patterns, program) || unmatched;
	unmatched = events_report_filter(s->events) || unmatched;
	if (s->usdt)
		usdt_report_missing(s->usdt, s->stats.lost);
	late = s->usdt ? usdt_late(s->usdt) : NULL;
	if (s->nothing_declared && !s->stats.events && !late)
		report_nothing_declared(s);
	for (; late && *late; late++)
		warning("the first events of %s, which the program opened at run time, may be "
			"missing; use --also %s to record them",
			*late, *late);
	report_scan_gaps(s);
	if (s->o->usdt && !s->stats.events && !s->nothing_declared && !unmatched)
		warning("uprobes record events of UE_TRACE and UE_LOG only; user_events_otel.h, "
			"builders and ue_event_register() need a kernel with user_events");
	return !failed && !unmatched;
}

void reject_recording(const char *name)
{
	if (is_recording(name))
		die_usage("%s is a recording; to show it: uetrace show %s", name, name);
}

void report_no_program(const char *name)
{
	if (strchr(name, '/') || access(name, F_OK) != 0)
		warning("cannot run %s: there is no such program", name);
	else if (access(name, X_OK) == 0)
		warning("cannot run %s: it is not in PATH; the program in this directory is ./%s",
			name, name);
	else
		warning("cannot run %s: the file in this directory is not executable; name a "
			"program, such as uetrace run ./PROGRAM",
			name);
}

static void add_names(char ***names, char **specs)
{
	for (; specs && *specs; specs++) {
		char *name = text("%.*s", (int)strcspn(*specs, " "), *specs);

		add(names, name);
		free(name);
	}
}

/* Reports unmatched patterns at startup, because a server may never exit. */
void report_unexpected_patterns(const struct session *s)
{
	char **patterns = s->o->choice.patterns, **names = NULL, **specs = NULL, **p, **file;
	const char *program = s->o->command ? s->o->command[0] : NULL;
	bool reported = false, here;

	for (file = s->program.files; file && *file; file++)
		usdt_events_of_sets(*file, &names);
	if (!program)
		usdt_running(&specs, &names);
	add_names(&names, s->program.specs);
	add_names(&names, specs);
	selection_note_declared(patterns, names);
	for (p = patterns; p && *p; p++) {
		if (selection_is_expected(*p))
			continue;
		here = !program && binary_here(*p);
		if (program)
			warning("no event of %s matches %s yet", program, *p);
		else
			warning("no event matches %s yet; waiting for it%s%s", *p,
				here ? "; the program in this directory is ./" : "",
				here ? *p : "");
		reported = true;
	}
	if (reported)
		selection_report_events(patterns);
	list_free(specs);
	list_free(names);
}
