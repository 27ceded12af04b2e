/* SPDX-License-Identifier: MIT */
/* run and watch: enable, start the program, show events until the end. */
#include "command/command.h"
#include "event/event.h"
#include "kernel/kernel.h"
#include "read/read.h"
#include "select/select.h"
#include "usdt/usdt.h"
#include "util/util.h"
#include "output/live.h"
#include "output/stream.h"
#include "command/outputs.h"
#include "summary/summary.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <tracefs.h>
#include <unistd.h>

#include <user_events.h>

#define MS 1000000u
#define TICK_NS (25u * MS)
#define QUIET_TICK_NS (100u * MS) /* when nothing has come for a second */
/*
 * Events that appear later. Those a program writes before we see them are missed, so we
 * look often, but spend no more than 1/50 of our time on it, unless that is too seldom.
 */
#define SCAN_NS (5u * MS)
#define SCAN_MOST_NS (100u * MS)
#define SCAN_SHARE 50
#define SHOW_NS (1000u * MS)
/* Looks at all processes, every second, or 1/1000 of our time up to every five seconds. */
#define SILENT_SHARE 1000
#define SILENT_MOST_NS (5000ull * MS)
/*
 * How late a record may turn up behind its time: the kernel takes the time, then copies
 * the event, with preemption off.
 */
#define SLACK_NS (20u * MS)

struct session {
	struct options *o;
	struct tracefs_instance *instance;
	struct events *events;
	struct reader *reader;
	struct sink *sinks;
	struct usdt *usdt; /* NULL: no uprobes are asked for, and no plug-ins looked for */
	struct stats stats;
	struct stream *standard, *file; /* the file may be NULL */
	struct stream *out;		/* that the events go to */
	unsigned int told;		/* bits: which of these is broken */
	bool held;			/* events wait for it */
	bool terminal;			/* of standard output */
	bool progress;
	uint64_t beat; /* when uetrace reported last that it is alive */
	int64_t wall;  /* of the last event, what the time of day was ahead */
	int clock;     /* a timerfd that tells when it is set */
	uint64_t next_scan;
	uint64_t scanned; /* when last */
	uint64_t blind;	  /* the longest time between two scans */
	bool declared;	  /* what is asked for is what binaries declare, known before they run */
	bool late_events; /* that a scan found after the first one */
	bool undeclared;  /* all events are to be seen, but the program has none that we know of */
	uint64_t next_silent; /* report_unregistered(), when */
	uint64_t next_tick;
	uint64_t came; /* the last records, when */
	uint64_t shown;
	int signals;
	int wake;	   /* epoll: these, and what usdt_scan() waits for */
	sigset_t old_mask; /* what the program is to find, as we did */
	void (*old_chld)(int);
	void (*old_pipe)(int);
	void (*old_size)(int);
	char **specs; /* of the events that are there before the program is, */
	char **files; /* of the files that declare them */
	char *path;   /* of the program */
	pid_t child;
	int start;  /* a socket to the child */
	int status; /* of the child, as waitpid() has it */
	bool ended;
};

/* Programs */

static char *find_program(const char *name)
{
	const char *path = getenv("PATH");
	char *copy, *rest, *directory, *whole = NULL;
	struct stat st;

	if (strchr(name, '/'))
		return access(name, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR)
			       ? text("%s", name)
			       : NULL;
	copy = rest = text("%s", path ? path : "/bin:/usr/bin");
	while ((directory = strsep(&rest, ":"))) {
		whole = text("%s/%s", *directory ? directory : ".", name);
		if (access(whole, X_OK) == 0 && stat(whole, &st) == 0 && S_ISREG(st.st_mode))
			break;
		free(whole);
		whole = NULL;
	}
	free(copy);
	return whole;
}

/* What the first line of a script names; NULL: it is none. */
static char *interpreter_of(const char *path)
{
	char line[256] = { 0 }; /* what the kernel looks at */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n = read(fd, line, sizeof(line) - 1);
	char *name = line + 2;

	if (fd >= 0)
		close(fd);
	if (n < 0 || strncmp(line, "#!", 2) != 0)
		return NULL;
	name += strspn(name, " \t");
	return text("%.*s", (int)strcspn(name, " \t\n"), name);
}

/* Of a script, what its interpreter declares. */
static int read_notes(struct session *s)
{
	int error = notes_read(s->path, &s->specs, &s->files), depth;
	char *script = text("%s", s->path), *interpreter;

	/* if it cannot be run, the kernel says so */
	for (depth = 0; error == -ENOEXEC && depth < 5; depth++) {
		interpreter = interpreter_of(script);
		free(script);
		script = interpreter;
		if (!script || notes_read(script, &s->specs, &s->files) != -ENOEXEC)
			break;
	}
	free(script);
	return error == -ENOEXEC ? 0 : error;
}

/* Registers them for as long as we live, so that they exist before the program does. */
static void hold(char **specs)
{
	int error;

	for (; specs && *specs; specs++) {
		/* for good: the kernel writes to it */
		error = ue_event_register(allocate(sizeof(struct ue_event)), *specs, 0);
		if (error)
			warning("cannot register %.*s before the program does: %s",
				(int)strcspn(*specs, " "), *specs, ue_strerror(error));
	}
}

/* Marks the process, waits for a byte, and executes the program, or sends the errno. */
static void child_run(const struct session *s, int start)
{
	char byte = 0;
	int error;

	if (pid_mark(s->instance) != 0 || write(start, &byte, 1) != 1 || read(start, &byte, 1) != 1)
		_exit(127);
	signal(SIGPIPE, s->old_pipe);
	signal(SIGXFSZ, s->old_size);
	signal(SIGCHLD, s->old_chld);
	sigprocmask(SIG_SETMASK, &s->old_mask, NULL);
	execv(s->path, s->o->command);
	error = errno;
	if (write(start, &error, sizeof(error)) < 0)
		_exit(127);
	_exit(error == ENOENT ? 127 : 126);
}

/* Creates the process that will execute the program. Returns its PID in records. */
static pid_t child_new(struct session *s)
{
	int ends[2];
	pid_t global;
	char byte;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
		die("cannot make a socket: %s", strerror(errno));
	fflush(NULL);
	s->child = fork();
	if (s->child < 0)
		die("cannot fork: %s", strerror(errno));
	if (s->child == 0) {
		close(ends[0]);
		child_run(s, ends[1]);
	}
	close(ends[1]);
	s->start = ends[0];
	global = read(s->start, &byte, 1) == 1 ? pid_of_mark(s->instance, s->child) : -1;
	if (global < 0)
		die("cannot follow %s: its mark in trace_marker was not recorded", s->path);
	return global;
}

/* Returns whether a file has no permission to execute it. */
static bool is_plain_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && !(st.st_mode & 0111);
}

/* Returns 0, or the exit status that a shell would give. */
static int child_start(const struct session *s)
{
	int error;

	if (write(s->start, "", 1) != 1)
		die("the child ended early");
	if (read(s->start, &error, sizeof(error)) <= 0)
		return 0; /* exec has closed it */
	warning("cannot run %s: %s", s->path,
		error == EACCES && is_plain_file(s->path) ? "it is not executable"
							  : strerror(error));
	waitpid(s->child, NULL, 0);
	return error == ENOENT ? 127 : 126;
}

/* Which threads are recorded */

/* Frees pids. */
static void follow(struct session *s, char *pids)
{
	if (instance_write(s->instance, "set_event_pid", pids) != 0)
		die("cannot restrict the events to process %s: %s", pids, strerror(errno));
	/* and what they fork */
	if (instance_write(s->instance, "trace_options", "event-fork") != 0)
		warning("this kernel does not follow forks: events of children are missing");
	free(pids);
}

/* Returns whether /proc, whose PIDs the user knows, has this one. */
static bool has_process(pid_t pid)
{
	char *path = text("/proc/%d", pid);
	bool found = access(path, F_OK) == 0;

	free(path);
	return found;
}

static char *threads_of(pid_t pid)
{
	char *path = text("/proc/%d/task", pid), *list = text("%s", ""), *longer;
	char **threads = names_in(path), **p;

	if (!threads)
		die("there is no process %d", pid);
	for (p = threads; *p; p++) {
		longer = text("%s%s ", list, *p);
		free(list);
		list = longer;
	}
	list_free(threads);
	free(path);
	return list;
}

/* The loop */

/* To what writes events: they are not counted as such. */
static void tell_counts(const struct session *s, const char *name, uint64_t time)
{
	if (s->o->heartbeat)
		own_counts(s->stats.sink.next, name, time, s->wall, s->stats.events, s->stats.lost);
}

/* The clock as it was at this time, which no event follows that is earlier. */
static void tell_clock(struct session *s, uint64_t time)
{
	int64_t wall = reader_wall(s->reader, time), step = wall - s->wall;

	s->wall = wall;
	if (step && s->o->heartbeat)
		own_clock(s->stats.sink.next, time, wall, step);
}

static void handle(struct session *s, const struct record *record)
{
	struct event *event;
	struct record own;
	bool chosen = false;
	uint16_t id;

	if (record->realtime_offset != s->wall)
		tell_clock(s, record->time);
	if (record->lost)
		sinks_lost(s->sinks, record->lost);
	if (record->size < sizeof(id))
		return;
	memcpy(&id, record->data, sizeof(id));
	event = events_by_id(s->events, id);
	if (!event)
		return; /* the buffer's own, such as time extensions */
	if (s->usdt && usdt_record(s->usdt, id, record, &own, &chosen))
		record = &own;
	if (events_take(s->events, event, record, chosen))
		sinks_event(s->sinks, event, record);
}

static bool on_record(void *context, const struct record *record)
{
	struct session *s = context;

	handle(s, record);
	return !stream_full(s->out);
}

static void on_signal(struct session *s, int number)
{
	bool again = number == SIGHUP && stream_reopen(s->out);

	if (number == SIGCHLD) {
		if (s->child && waitpid(s->child, &s->status, WNOHANG) == s->child)
			s->ended = true;
	} else if (s->ended) {
		/* a reader such as less takes its time, and SIGINT, which is its user's */
		if (number != SIGINT && !again) {
			stream_give_up(s->out);
			stream_give_up(s->standard);
		}
	} else if (!s->child) {
		s->ended = !again;
	} else if ((number == SIGTERM || number == SIGHUP) && !again) {
		kill(s->child, number);
	}
	/* SIGINT and SIGQUIT of a terminal reach the program, too, which decides */
}

static void read_signals(struct session *s)
{
	struct signalfd_siginfo info;

	while (read(s->signals, &info, sizeof(info)) == sizeof(info))
		on_signal(s, (int)info.ssi_signo);
}

/* The kernel tells when the time of day is set, or was while the machine slept. */
static void open_clock(struct session *s)
{
	static const struct itimerspec never = { .it_value.tv_sec = INT32_MAX };

	s->clock = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
	if (s->clock < 0 ||
	    timerfd_settime(s->clock, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL))
		die("cannot wait for changes of the clock: %s", strerror(errno));
}

static void read_clock(const struct session *s)
{
	uint64_t n;

	if (read(s->clock, &n, sizeof(n)) < 0 && errno == ECANCELED)
		reader_take_clock(s->reader);
}

static void wake_by(const struct session *s, int fd)
{
	struct epoll_event event = { .events = EPOLLIN };

	if (epoll_ctl(s->wake, EPOLL_CTL_ADD, fd, &event) != 0)
		die("epoll: %s", strerror(errno));
}

static void open_signals(struct session *s)
{
	sigset_t set = block_signals(&s->old_mask);

	/* inherited as ignored, it would never tell of the program's end */
	s->old_chld = signal(SIGCHLD, SIG_DFL);
	s->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	s->wake = epoll_create1(EPOLL_CLOEXEC);
	if (s->signals < 0 || s->wake < 0)
		die("cannot wait for signals: %s", strerror(errno));
	wake_by(s, s->signals);
	wake_by(s, stream_fd(s->out));
	wake_by(s, s->clock);
	/* of a pipe that nobody reads any more, and of a file's limit, write() tells */
	s->old_pipe = signal(SIGPIPE, SIG_IGN);
	s->old_size = signal(SIGXFSZ, SIG_IGN);
}

/* Reports what was lost at the end, behind the last record. */
static void tell_lost(struct session *s)
{
	uint64_t lost = reader_lost(s->reader);

	if (lost > s->stats.lost)
		sinks_lost(s->sinks, lost - s->stats.lost);
}

/* That nobody reads standard output any more, as with head, is no failure. */
static bool output_broken(const struct session *s, const struct stream *out)
{
	int error = out ? stream_error(out) : 0;

	return error && !(error == EPIPE && out == s->standard);
}

static void tell_broken(struct session *s, const struct stream *out)
{
	const char *name = out == s->standard ? "standard output" : s->o->output;
	unsigned int bit = out == s->standard ? 1 : 2;
	int error = out ? stream_error(out) : 0;

	if (!error || s->told & bit)
		return;
	s->told |= bit;
	stats_clear(&s->stats);
	if (error == EINTR)
		warning("interrupted while %s did not take what was there", name);
	else if (output_broken(s, out))
		warning("cannot write %s: %s", name, strerror(error));
	else
		warning("nobody reads standard output any more%s%s",
			s->child ? "; this goes on: " : "", s->child ? s->o->command[0] : "");
}

static void every_second(struct session *s, uint64_t time)
{
	char **processes;
	uint64_t pause;

	if (time - s->shown < SHOW_NS)
		return;
	s->shown = time;
	if (s->o->stats && s->terminal) {
		stats_table(&s->stats, stream_file(s->standard), true);
		stream_flush(s->standard);
	} else if (s->progress) {
		stats_progress(&s->stats, s->o->output);
	}
	if (s->o->pid && !has_process(s->o->pid))
		s->ended = true;
	if (s->o->usdt || time < s->next_silent)
		return;
	/* of run, the program and its descendants */
	processes = s->child && !s->o->all ? pids_descendants(s->child) : names_in("/proc");
	report_unregistered(s->o->patterns, processes);
	list_free(processes);
	pause = SILENT_SHARE * (now() - time);
	s->next_silent = time + (pause < SILENT_MOST_NS ? pause : SILENT_MOST_NS);
}

static void scan(struct session *s)
{
	uint64_t time = now(), pause;

	if (s->usdt)
		usdt_scan(s->usdt);
	if (time < s->next_scan)
		return;
	if (s->scanned && time - s->scanned > s->blind && events_come(s->events))
		s->blind = time - s->scanned;
	s->scanned = time;
	if (events_scan(s->events)) {
		s->late_events = true;
		if (s->usdt)
			usdt_look(s->usdt);
	}
	pause = SCAN_SHARE * (now() - time);
	pause = pause < SCAN_NS ? SCAN_NS : pause > SCAN_MOST_NS ? SCAN_MOST_NS : pause;
	s->next_scan = time + (events_come(s->events) ? pause : SHOW_NS);
}

/* The program goes on, and what it writes is counted; and the lines, if somebody wanted them. */
static void drop_output(struct session *s)
{
	struct sink *sink;

	for (sink = s->stats.sink.next; sink && !output_broken(s, s->out); sink = sink->next)
		sink->off = true;
	if (!s->child)
		s->ended = true;
}

/* Hands on what there is up to a time. Returns false if the output has to be waited for. */
static bool drain(struct session *s, uint64_t until)
{
	s->held = true;
	while (s->held && !stream_full(s->out)) {
		s->held = !reader_drain(s->reader, until, on_record, s);
		sinks_flush(s->sinks);
		stream_flush(s->out);
	}
	return !s->held;
}

/* To the events' reader, unless it does not read, and to systemd. */
static void beat(struct session *s, uint64_t time, uint64_t until)
{
	s->beat = time;
	if (!s->held)
		tell_counts(s, "alive", until);
	if (!s->child)
		notify("WATCHDOG=1\nSTATUS=%llu events, %llu lost, %zu MB wait for the output",
		       (unsigned long long)s->stats.events, (unsigned long long)s->stats.lost,
		       reader_queued(s->reader) >> 20);
}

static void tick(struct session *s)
{
	uint64_t time = now(), until = time - SLACK_NS;

	if (reader_fill(s->reader))
		s->came = time;
	s->next_tick = time + (time - s->came < SHOW_NS ? TICK_NS : QUIET_TICK_NS);
	if (drain(s, until))
		tell_clock(s, until);
	if (s->o->heartbeat && time - s->beat >= s->o->heartbeat * SHOW_NS)
		beat(s, time, until);
	every_second(s, time);
	tell_broken(s, s->out);
	if (stream_error(s->out))
		drop_output(s);
}

static void meanwhile(void *session)
{
	tick(session);
}

/* Waits for the output. A signal may end that. */
static void wait_for(struct session *s, struct stream *out)
{
	while (stream_wait(out, s->signals))
		read_signals(s);
}

static void loop(struct session *s)
{
	uint64_t end;

	while (!s->ended) {
		uint64_t time = now();
		uint64_t until = s->next_scan < s->next_tick ? s->next_scan : s->next_tick;
		int pause = until > time ? (int)((until - time + MS - 1) / MS) : 0;
		/* a buffer is readable when it is half full; the tick is for what is less */
		bool more = reader_wait(s->reader, s->wake, pause);

		read_signals(s);
		read_clock(s);
		if (!s->ended)
			scan(s);
		stream_flush(s->out);
		if (more || (s->held && !stream_full(s->out)) || now() >= s->next_tick)
			tick(s);
	}
	/* which plug-ins the program opened at its end */
	for (end = now() + SHOW_NS; s->usdt && s->child && usdt_scan(s->usdt) && now() < end;)
		;
	if (s->usdt)
		usdt_read_hits(s->usdt);
	tracefs_trace_off(s->instance);
	if (s->usdt)
		usdt_stop(s->usdt); /* before the output, which may have to be waited for */
	s->stats.end = now();
	stream_last(s->out);
	do {
		while (reader_fill(s->reader))
			;
		while (!drain(s, UINT64_MAX) && stream_wait(s->out, s->signals))
			read_signals(s);
	} while (reader_fill(s->reader));
	tell_lost(s);
	tell_clock(s, s->stats.end);
	tell_counts(s, "stop", s->stats.end);
	sinks_end(s->sinks);
	wait_for(s, s->out);
	tell_broken(s, s->out);
}

/* Begin and end */

static void open_output(struct session *s)
{
	const char *name = s->o->output;

	s->standard = s->out = stream_new(STDOUT_FILENO, "standard output");
	if (name && strcmp(name, "-") != 0 && output_format(s->o) != OUTPUT_CTF)
		s->file = s->out = stream_open(name, s->o->append);
	s->terminal = isatty(STDOUT_FILENO);
	s->progress = s->file && isatty(STDERR_FILENO);
	if (s->terminal && s->o->command)
		stream_share(s->standard);
}

/* Returns whether all was written. */
static bool close_output(struct session *s)
{
	wait_for(s, s->standard);
	stream_close(s->standard);
	if (s->file)
		stream_close(s->file);
	tell_broken(s, s->standard);
	tell_broken(s, s->file);
	return !output_broken(s, s->standard) && !output_broken(s, s->file);
}

/* By uprobes if the user says so, or the kernel or the programs have no user_events. */
static void choose(struct options *o)
{
	instance_find(false);
	if (kernel_has_user_events() && !o->usdt && (o->command || !instance_mounted()))
		return;
	if (!tracefs_file_exists(NULL, "uprobe_events"))
		instance_find(true); /* which says what is missing */
	o->usdt = true;
}

/* All that comes before the first event can be enabled. */
static void begin(struct session *s)
{
	struct machine *here = machine_here();

	if (s->o->usdt_patterns && !s->o->patterns)
		add(&s->o->patterns, ""); /* none but these */
	if (s->o->host)
		snprintf(here->host, sizeof(here->host), "%s", s->o->host);
	open_output(s);
	choose(s->o);
	s->instance = instance_create();
	if (s->o->buffer_size &&
	    tracefs_instance_set_buffer_size(s->instance, s->o->buffer_size, -1) != 0)
		die("the kernel has no buffers of %lu KiB for each CPU", s->o->buffer_size);
	if (!s->o->usdt)
		hold(s->specs);
	probes_add(s->o->probes, instance_group());
	s->events = events_new(s->instance, s->o);
	open_clock(s);
	open_signals(s);
}

static void leave_out_ourselves(struct session *s)
{
	char *pid = text("%d", instance_owner());

	/* since Linux 5.7; with the threads that write */
	if ((instance_write(s->instance, "set_event_notrace_pid", pid) != 0 ||
	     instance_write(s->instance, "trace_options", "event-fork") != 0) &&
	    s->o->probes)
		warning("this kernel cannot leave uetrace itself out of the events");
	free(pid);
}

/* Enables the events, and begins to read them. */
static void enable(struct session *s)
{
	bool colours = s->out == s->standard && s->terminal && !getenv("NO_COLOR");

	/* what a probe sees of ourselves would make us write, and see that */
	if (s->o->probes || s->o->patterns)
		leave_out_ourselves(s);
	events_scan(s->events);
	/* defined and enabled at once, so that it is known by now whose events they are for */
	if (s->o->usdt || s->o->usdt_patterns || (s->child && !s->o->all)) {
		s->usdt = usdt_new(s->instance, s->events, s->o);
		usdt_add_files(s->usdt, s->files);
		usdt_scan(s->usdt);
		wake_by(s, usdt_fd(s->usdt));
	}
	events_check_filter(s->events);
	s->reader = reader_new(s->instance);
	s->wall = reader_wall(s->reader, 0);
	if (s->usdt)
		usdt_meanwhile(s->usdt, meanwhile, s);
	stats_begin(&s->stats, true);
	sinks_add(&s->sinks, &s->stats.sink);
	if (!s->o->stats || s->file || output_format(s->o) == OUTPUT_CTF)
		sinks_open(&s->sinks, s->o, stream_file(s->out), colours);
	s->shown = s->beat = s->stats.begin;
	tell_counts(s, "start", s->stats.begin);
}

static bool end(struct session *s)
{
	bool written = close_output(s);

	sinks_free(s->sinks);
	reader_close(s->reader);
	usdt_free(s->usdt);
	instance_end();
	return written;
}

/*
 * What began between two scans, and wrote at once, was not seen. That is nothing to tell of a
 * program whose events were all known before it began.
 */
static void tell_blind(const struct session *s)
{
	unsigned int ms = (unsigned int)((s->blind + MS - 1) / MS);

	if (s->blind <= 2 * SCAN_NS || (s->declared && !s->late_events))
		return;
	warning("looked for new events at least every %u ms, so it may have missed up to %u ms "
		"of a new one%s",
		ms, ms, s->child ? "" : "; 'uetrace watch ./PROGRAM' does not");
}

static void tell_undeclared(const struct session *s)
{
	char **providers = NULL, **probes = NULL, *program = s->o->command[0];

	usdt_list(s->path, &providers, &probes);
	if (probes)
		warning("%s declares no events, but USDT probes; these show them: "
			"uetrace run -e 'usdt:%s:*:*' %s",
			program, s->path, program);
	else
		warning("%s declares no events, nor do the libraries that it is linked with; those "
			"of plug-ins are found with --also ./PLUGIN.so" REGISTERED_LATER,
			program);
}

/* Returns whether all was there that was asked for by name. */
static bool sum_up(struct session *s)
{
	const char *program = s->o->command ? s->o->command[0] : "";
	bool failed = sinks_failed(s->sinks), unmet;
	char **late;

	if (s->o->stats)
		stats_table(&s->stats, stream_file(s->standard), false);
	if (s->child && isatty(STDERR_FILENO))
		fresh_line(STDERR_FILENO);
	stats_summary(&s->stats, output_broken(s, s->out) ? stream_unwritten(s->out) : 0);
	report_without_level();
	unmet = selection_tell_unmet(s->o->patterns, program);
	unmet = selection_tell_unmet(s->o->usdt_patterns, program) || unmet;
	unmet = events_tell_filter(s->events) || unmet;
	if (s->usdt)
		usdt_tell_missing(s->usdt, s->stats.lost);
	late = s->usdt ? usdt_late(s->usdt) : NULL;
	if (s->undeclared && !s->stats.events && !late)
		tell_undeclared(s);
	for (; late && *late; late++)
		warning("the program opened %s while it ran, whose first events may be missing; "
			"with --also %s they are not",
			*late, *late);
	tell_blind(s);
	if (s->o->usdt && !s->stats.events && !s->undeclared && !unmet)
		warning("uprobes see the events of UE_TRACE and UE_LOG; those of "
			"user_events_otel.h, of a builder and of ue_event_register() need a kernel "
			"with user_events");
	return !failed && !unmet;
}

static void refuse_recording(const char *name)
{
	if (is_recording(name))
		die_usage("%s is a recording; 'uetrace show %s' shows it", name, name);
}

static void report_no_program(const char *name)
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

/* Of plug-ins that the program opens when it runs. */
static void read_also(struct session *s)
{
	char **also;
	int error;

	for (also = s->o->programs; also && *also; also++) {
		error = notes_read(*also, &s->specs, &s->files);
		if (error)
			die("cannot read %s: %s", *also,
			    error == -ENOEXEC ? "it is no ELF binary" : strerror(-error));
	}
}

static void add_names(char ***names, char **specs)
{
	for (; specs && *specs; specs++) {
		char *name = text("%.*s", (int)strcspn(*specs, " "), *specs);

		add(names, name);
		free(name);
	}
}

/*
 * Reports, before the first event, each pattern that matches no event which is registered or
 * declared: with a server there may be no end to report it at.
 */
static void tell_unforeseen(const struct session *s)
{
	char **patterns = s->o->patterns, **names = NULL, **specs = NULL, **p, **file;
	const char *program = s->o->command ? s->o->command[0] : NULL;
	bool told = false, here;

	for (file = s->files; file && *file; file++)
		usdt_events_of_sets(*file, &names);
	if (!program)
		usdt_running(&specs, &names);
	add_names(&names, s->specs);
	add_names(&names, specs);
	selection_declared(patterns, names);
	for (p = patterns; p && *p; p++) {
		if (selection_foreseen(*p))
			continue;
		here = !program && binary_here(*p);
		if (program)
			warning("no event of %s matches %s so far", program, *p);
		else
			warning("no event matches %s yet; waiting for it%s%s", *p,
				here ? ". The program in this directory is ./" : "",
				here ? *p : "");
		told = true;
	}
	if (told)
		selection_tell_events(patterns);
	list_free(specs);
	list_free(names);
}

int cmd_run(struct options *o)
{
	struct session s = { .o = o, .path = find_program(o->words[0]), .declared = true };
	bool found = true;
	int error, number;
	pid_t child;

	o->command = o->words;
	refuse_recording(o->command[0]);
	if (!s.path) {
		report_no_program(o->command[0]);
		return 127;
	}
	error = read_notes(&s);
	if (error) {
		warning("cannot read %s: %s", s.path, strerror(-error));
		return 126;
	}
	read_also(&s);
	s.undeclared = !s.specs && !o->patterns && !o->probes && !o->usdt_patterns && !o->all;
	begin(&s);
	child = child_new(&s);
	if (!proc_has_global_pids(instance_owner())) {
		threads_translate(child, s.child);
		pids_translate(s.child);
	}
	if (!o->all)
		follow(&s, text("%d", child));
	enable(&s);
	if (selection_unmet(o->patterns))
		tell_unforeseen(&s);
	number = signal_waits();
	error = number ? 0 : child_start(&s);
	if (number) { /* before there is a program that could decide */
		s.status = number;
	} else if (error) {
		s.status = error << 8; /* as waitpid() would have it */
	} else {
		loop(&s);
		found = sum_up(&s);
	}
	if ((!end(&s) || !found) && !s.status)
		s.status = EXIT_FAILURE << 8;
	return exit_as(s.status, o->command[0]);
}

/* A pattern with a slash is a binary: its events are registered before it runs. Are all so? */
static bool read_patterns(struct session *s)
{
	struct options *o = s->o;
	char **given = o->patterns, **spec;
	bool all = given != NULL;

	o->patterns = NULL;
	for (; given && *given; given++) {
		char **declared = NULL;

		if (usdt_pattern(*given)) {
			add(&o->usdt_patterns, *given);
			continue;
		}
		refuse_recording(*given);
		if (!strchr(*given, '/')) {
			all = false;
			add(&o->patterns, *given);
			continue;
		}
		read_declared(*given, &declared, &s->files);
		for (spec = declared; *spec; spec++) {
			char *name = text("%.*s", (int)strcspn(*spec, " "), *spec);

			add(&o->patterns, name);
			selection_meet(name); /* it need not happen */
			add(&s->specs, *spec);
			free(name);
		}
		list_free(declared);
	}
	return all;
}

/* Ends uetrace if it would need a PID that this PID namespace does not know. */
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

	s.declared = read_patterns(&s);
	begin(&s);
	if (!proc_has_global_pids(instance_owner()))
		watch_in_namespace(o);
	if (o->pid)
		follow(&s, threads_of(o->pid));
	enable(&s);
	if (!events_matched(s.events) && !o->probes && !o->patterns)
		warning("no event yet; waiting for one");
	else if (selection_unmet(o->patterns) && !o->probes)
		tell_unforeseen(&s);
	notify("READY=1");
	loop(&s);
	found = sum_up(&s);
	written = end(&s);
	return written && found ? EXIT_SUCCESS : EXIT_FAILURE;
}
