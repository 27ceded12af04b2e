/* SPDX-License-Identifier: MIT */
/*
 * Implements the commands run and watch, which prepare a session, enable events, show them, and
 * clean up.
 */
#include "command/command.h"
#include "command/outputs.h"
#include "command/session.h"
#include "event/event.h"
#include "kernel/kernel.h"
#include "output/stream.h"
#include "usdt/usdt.h"
#include "util/util.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>
#include <unistd.h>

#include <user_events.h>

/* Registers events before the program starts. They exist until uetrace exits. */
static void register_events(char **specs)
{
	int error;

	for (; specs && *specs; specs++) {
		/* never freed, because the kernel writes to the enable word */
		error = ue_event_register(allocate(sizeof(struct ue_event)), *specs, 0);
		if (error)
			warning("cannot register %.*s before the program starts: %s",
				(int)strcspn(*specs, " "), *specs, ue_strerror(error));
	}
}

/* Restricts recording to the threads in pids and their descendants. Frees pids. */
static void follow(struct session *s, char *pids)
{
	if (instance_write(s->instance, "set_event_pid", pids) != 0)
		die("cannot restrict the events to process %s: %s", pids, strerror(errno));
	if (instance_write(s->instance, "trace_options", "event-fork") != 0)
		warning("events of child processes are missing: this kernel does not follow forks");
	free(pids);
}

/* Returns the thread IDs of a process, formatted for set_event_pid. */
static char *threads_of(pid_t pid)
{
	char *path = text("/proc/%d/task", pid), *list = text("%s", ""), *longer;
	char **threads = names_in(path), **p;

	if (!threads)
		die("cannot follow process %d: there is no such process", pid);
	for (p = threads; *p; p++) {
		longer = text("%s%s ", list, *p);
		free(list);
		list = longer;
	}
	list_free(threads);
	free(path);
	return list;
}

static void open_output(struct session *s)
{
	const char *name = s->o->output;

	s->output.standard = s->output.events = stream_new(STDOUT_FILENO, "standard output");
	if (name && strcmp(name, "-") != 0 && output_format(s->o) != OUTPUT_CTF)
		s->output.file = s->output.events = stream_open(name, s->o->append);
	s->output.terminal = isatty(STDOUT_FILENO);
	s->output.progress = s->output.file && isatty(STDERR_FILENO);
	if (s->output.terminal && s->o->command)
		stream_share(s->output.standard);
}

/*
 * Selects uprobes if --usdt is set, the kernel has no user_events, or running programs could not
 * register their events.
 */
static void choose_uprobes(struct options *o)
{
	instance_find(false);
	if (kernel_has_user_events() && !o->usdt && (o->command || !instance_mounted()))
		return;
	if (!tracefs_file_exists(NULL, "uprobe_events"))
		instance_find(true); /* exits with a message about the missing kernel feature */
	o->usdt = true;
}

/* Prepares the session, without enabling any events yet. */
static void begin(struct session *s)
{
	struct machine *here = machine_here();

	if (s->o->usdt_patterns && !s->o->choice.patterns)
		add(&s->o->choice.patterns, ""); /* an empty pattern matches no other events */
	if (s->o->host)
		snprintf(here->host, sizeof(here->host), "%s", s->o->host);
	open_output(s);
	choose_uprobes(s->o);
	s->instance = instance_create();
	if (s->o->buffer_size &&
	    tracefs_instance_set_buffer_size(s->instance, s->o->buffer_size, -1) != 0)
		die("cannot allocate %lu KiB of buffer for each CPU; choose a smaller "
		    "--buffer-size",
		    s->o->buffer_size);
	if (!s->o->usdt)
		register_events(s->program.specs);
	probes_add(s->o->probes, instance_group());
	s->events = events_new(s->instance, &(struct events_settings){
						    .choice = &s->o->choice,
						    .user_events = !s->o->usdt,
						    .probes = s->o->probes,
					    });
	loop_open_clock(s);
	loop_open_signals(s);
}

/* Excludes events of uetrace's own threads. Requires Linux 5.7. */
static void exclude_own_events(struct session *s)
{
	char *pid = text("%d", instance_owner());

	if ((instance_write(s->instance, "set_event_notrace_pid", pid) != 0 ||
	     instance_write(s->instance, "trace_options", "event-fork") != 0) &&
	    s->o->probes)
		warning("events of uetrace itself are included: this kernel cannot exclude a "
			"process");
	free(pid);
}

/* Enables the events and opens the ring buffers. */
static void enable(struct session *s)
{
	bool colours = s->output.events == s->output.standard && s->output.terminal &&
		       !getenv("NO_COLOR");

	/* otherwise, an event of uetrace's own write() would cause another write() */
	if (s->o->probes || s->o->choice.patterns)
		exclude_own_events(s);
	events_scan(s->events);
	/*
	 * set_event_pid must be written before this, because uprobes record as soon as they are
	 * defined.
	 */
	if (s->o->usdt || s->o->usdt_patterns || (s->program.child && !s->o->all)) {
		bool only_program = s->o->command && !s->o->all;
		struct usdt_settings settings = { .choice = s->o->choice,
						  .patterns = s->o->usdt_patterns,
						  .events = s->o->usdt,
						  .selective = s->o->pid || only_program,
						  .runs_program = s->o->command != NULL,
						  .only_program = only_program };

		s->usdt = usdt_new(s->instance, s->events, &settings);
		usdt_add_files(s->usdt, s->program.files);
		usdt_scan(s->usdt);
		loop_watch_fd(s, usdt_fd(s->usdt));
	}
	events_check_filter(s->events);
	s->reader = reader_new(s->instance);
	s->realtime_offset = reader_realtime_offset(s->reader, 0);
	if (s->usdt)
		usdt_set_tick(s->usdt, loop_tick, s);
	stats_begin(&s->stats, true);
	sinks_add(&s->sinks, &s->stats.sink);
	if (!s->o->stats || s->output.file || output_format(s->o) == OUTPUT_CTF)
		sinks_open(&s->sinks, s->o, stream_file(s->output.events), colours);
	s->schedule.last_second = s->schedule.last_heartbeat = s->stats.begin;
	loop_write_counts(s, "start", s->stats.begin);
}

/* Ends the session and cleans up. Returns true if everything was written. */
static bool end(struct session *s)
{
	bool written = loop_close_output(s);

	sinks_free(s->sinks);
	reader_close(s->reader);
	usdt_free(s->usdt);
	instance_end();
	return written;
}

int cmd_run(struct options *o)
{
	struct session s = { .o = o,
			     .program.path = find_program(o->words[0]),
			     .all_declared = true };
	bool found = true;
	int error, number;
	pid_t child;

	o->command = o->words;
	reject_recording(o->command[0]);
	if (!s.program.path) {
		report_no_program(o->command[0]);
		return 127;
	}
	error = program_read_declared(&s.program);
	if (error) {
		warning("cannot read %s: %s", s.program.path, strerror(-error));
		return 126;
	}
	program_read_also(&s.program, o->programs);
	s.nothing_declared = !s.program.specs && !o->choice.patterns && !o->probes &&
			     !o->usdt_patterns && !o->all;
	begin(&s);
	child = program_fork(&s);
	if (!proc_has_global_pids(instance_owner())) {
		threads_translate(child, s.program.child);
		pids_translate(s.program.child);
	}
	if (!o->all)
		follow(&s, text("%d", child));
	enable(&s);
	if (selection_has_unmatched(o->choice.patterns))
		report_unexpected_patterns(&s);
	number = signal_waits();
	error = number ? 0 : program_start(&s.program);
	if (number) { /* the program has not started, so it cannot handle the signal */
		s.program.status = number;
	} else if (error) {
		s.program.status = error << 8; /* in the format of waitpid() */
	} else {
		loop_run(&s);
		found = summarize(&s);
	}
	if ((!end(&s) || !found) && !s.program.status)
		s.program.status = EXIT_FAILURE << 8;
	return exit_as(s.program.status, o->command[0]);
}

/*
 * Replaces each pattern that is the path of a binary with the events that the binary declares.
 * Returns true if all patterns were paths.
 */
static bool read_patterns(struct session *s)
{
	struct options *o = s->o;
	char **given = o->choice.patterns, **spec;
	bool all = given != NULL;

	o->choice.patterns = NULL;
	for (; given && *given; given++) {
		char **declared = NULL;

		if (usdt_pattern(*given)) {
			add(&o->usdt_patterns, *given);
			continue;
		}
		reject_recording(*given);
		if (!strchr(*given, '/')) {
			all = false;
			add(&o->choice.patterns, *given);
			continue;
		}
		read_declared(*given, &declared, &s->program.files);
		for (spec = declared; *spec; spec++) {
			char *name = text("%.*s", (int)strcspn(*spec, " "), *spec);

			add(&o->choice.patterns, name);
			selection_mark_matched(name); /* do not report it if it never occurs */
			add(&s->program.specs, *spec);
			free(name);
		}
		list_free(declared);
	}
	return all;
}

/*
 * Handles a PID namespace other than the host's. With -p, exits with a message, because the host's
 * PIDs are not available in this namespace.
 */
static void watch_in_namespace(const struct options *o)
{
	threads_translate(0, 0);
	if (o->pid)
		die("cannot follow process %d: the kernel compares PIDs of the host, which this "
		    "PID namespace does not know; run uetrace on the host with the PID that the "
		    "process has there, or start the container with --pid=host",
		    o->pid);
}

int cmd_watch(struct options *o)
{
	struct session s = { .o = o };
	bool written, found;

	s.all_declared = read_patterns(&s);
	begin(&s);
	if (!proc_has_global_pids(instance_owner()))
		watch_in_namespace(o);
	if (o->pid)
		follow(&s, threads_of(o->pid));
	enable(&s);
	if (!events_matched(s.events) && !o->probes && !o->choice.patterns)
		warning("no event is registered yet; waiting for one");
	else if (selection_has_unmatched(o->choice.patterns) && !o->probes)
		report_unexpected_patterns(&s);
	notify("READY=1");
	loop_run(&s);
	found = summarize(&s);
	written = end(&s);
	return written && found ? EXIT_SUCCESS : EXIT_FAILURE;
}
