/* SPDX-License-Identifier: MIT */
/*
 * The main loop of run and watch. It waits for records, signals and system time changes, and until
 * the output can accept data. It also scans for new events, and passes records to the sinks in time
 * order.
 */
#include "command/session.h"
#include "command/command.h"
#include "event/event.h"
#include "fields/dotnet.h"
#include "kernel/kernel.h"
#include "output/stream.h"
#include "usdt/usdt.h"
#include "util/util.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <tracefs.h>
#include <unistd.h>

#define TICK_NS (25u * MS)
#define QUIET_TICK_NS (100u * MS) /* used after one second without records */
/*
 * Limits on scans for new events. Records written before a scan finds their event are missed, so
 * scans are frequent. To limit their cost, scans take at most 1/SCAN_SHARE of the time, unless the
 * interval between scans would exceed SCAN_MAX_NS.
 */
#define SCAN_MAX_NS (100u * MS)
#define SCAN_SHARE 50
/*
 * Limits on checks for unregistered processes. Checks take at most 1/UNREGISTERED_SHARE of the
 * time, unless the interval between checks would exceed UNREGISTERED_MAX_NS.
 */
#define UNREGISTERED_SHARE 1000
#define UNREGISTERED_MAX_NS (5000ull * MS)
/*
 * Maximum delay between the timestamp of a record and its appearance in the ring buffer. The kernel
 * reads the clock before it copies the event, with preemption disabled.
 */
#define LATE_NS (20u * MS)

/*
 * Passes the status event to all sinks except the first one, the statistics, so that the status
 * event is not counted.
 */
void loop_write_counts(const struct session *s, const char *name, uint64_t time)
{
	if (s->o->heartbeat)
		own_counts(s->stats.sink.next, name, time, s->realtime_offset, s->stats.events,
			   s->stats.lost, s->stats.lost_unknown);
}

/*
 * Updates the realtime offset for records from this time on. With --heartbeat, reports clock steps.
 */
static void update_clock(struct session *s, uint64_t time)
{
	int64_t offset = reader_realtime_offset(s->reader, time);
	int64_t step = offset - s->realtime_offset;

	s->realtime_offset = offset;
	if (step && s->o->heartbeat)
		own_clock(s->stats.sink.next, time, offset, step);
}

static void handle_record(struct session *s, const struct record *record)
{
	static struct dotnet_event converted;
	struct event *event;
	struct record own;
	bool chosen = false;
	uint16_t id;

	if (record->realtime_offset != s->realtime_offset)
		update_clock(s, record->time);
	if (record->lost)
		sinks_lost(s->sinks, record->lost);
	if (record->size < sizeof(id))
		return;
	memcpy(&id, record->data, sizeof(id));
	event = events_by_id(s->events, id);
	if (!event)
		return; /* internal record of the ring buffer, such as a time extension */
	if (s->usdt && usdt_record(s->usdt, id, record, &own, &chosen))
		record = &own;
	if (event_format(event)->dotnet) {
		own = *record;
		event_convert(&event, &own, &converted);
		record = &own;
	}
	if (event->tracepoint && !level_matches(&s->o->choice, event->name))
		return;
	if (events_accepts(s->events, event, record, chosen))
		sinks_event(s->sinks, event, record);
}

static bool on_record(void *context, const struct record *record)
{
	struct session *s = context;

	handle_record(s, record);
	return !stream_full(s->output.events);
}

static void on_signal(struct session *s, int number)
{
	bool reopens = number == SIGHUP && stream_reopen(s->output.events);

	if (number == SIGCHLD) {
		if (s->program.child &&
		    waitpid(s->program.child, &s->program.status, WNOHANG) == s->program.child)
			s->program.ended = true;
	} else if (s->program.ended) {
		/* On SIGINT, keep the output open, because a reader such as less may continue. */
		if (number != SIGINT && !reopens) {
			stream_give_up(s->output.events);
			stream_give_up(s->output.standard);
		}
	} else if (!s->program.child) {
		s->program.ended = !reopens;
	} else if ((number == SIGTERM || number == SIGHUP) && !reopens) {
		kill(s->program.child, number);
	}
	/*
	 * A terminal also sends SIGINT and SIGQUIT to the program, so let the program decide
	 * whether to exit.
	 */
}

static void read_signals(struct session *s)
{
	struct signalfd_siginfo info;

	while (read(s->signals.fd, &info, sizeof(info)) == sizeof(info))
		on_signal(s, (int)info.ssi_signo);
}

/* Creates a timer that the kernel cancels when the system time is set, even during suspend. */
void loop_open_clock(struct session *s)
{
	static const struct itimerspec never = { .it_value.tv_sec = INT32_MAX };

	s->clock = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
	if (s->clock < 0 ||
	    timerfd_settime(s->clock, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL))
		die("cannot create a timer to detect changes of the system time: %s",
		    strerror(errno));
}

static void read_clock(const struct session *s)
{
	uint64_t n;

	if (read(s->clock, &n, sizeof(n)) < 0 && errno == ECANCELED)
		reader_take_clock(s->reader);
}

void loop_watch_fd(const struct session *s, int fd)
{
	struct epoll_event event = { .events = EPOLLIN };

	if (epoll_ctl(s->epoll, EPOLL_CTL_ADD, fd, &event) != 0)
		die("cannot add a file descriptor to epoll: %s", strerror(errno));
}

void loop_open_signals(struct session *s)
{
	sigset_t set = block_signals(&s->signals.old_mask);

	/* If SIGCHLD was inherited as ignored, it would not report the exit of the program. */
	s->signals.old_chld = signal(SIGCHLD, SIG_DFL);
	s->signals.fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	s->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (s->signals.fd < 0 || s->epoll < 0)
		die("cannot create a signalfd or epoll descriptor: %s", strerror(errno));
	loop_watch_fd(s, s->signals.fd);
	loop_watch_fd(s, stream_fd(s->output.events));
	loop_watch_fd(s, s->clock);
	/*
	 * Ignore these signals, because write() reports a closed pipe or a file size limit as an
	 * error.
	 */
	s->signals.old_pipe = signal(SIGPIPE, SIG_IGN);
	s->signals.old_size = signal(SIGXFSZ, SIG_IGN);
}

/* Reports to the sinks the events that were lost after the last record. */
static void report_lost(struct session *s)
{
	uint64_t lost = reader_lost(s->reader);

	if (lost > s->stats.lost)
		sinks_lost(s->sinks, lost - s->stats.lost);
}

/*
 * A closed pipe is not a failure, because a reader of standard output, such as head, may exit
 * early.
 */
bool output_broken(const struct session *s, const struct stream *out)
{
	int error = out ? stream_error(out) : 0;

	return error && !(error == EPIPE && out == s->output.standard);
}

static void report_broken(struct session *s, const struct stream *out)
{
	const char *name = out == s->output.standard ? "standard output" : s->o->output;
	unsigned int bit = out == s->output.standard ? 1 : 2;
	int error = out ? stream_error(out) : 0;

	if (!error || s->output.reported & bit)
		return;
	s->output.reported |= bit;
	stats_clear(&s->stats);
	if (error == EINTR)
		warning("interrupted before all events were written to %s", name);
	else if (output_broken(s, out))
		warning("cannot write %s: %s", name, strerror(error));
	else
		warning("standard output was closed by its reader%s%s",
			s->program.child ? "; still running: " : "",
			s->program.child ? s->o->command[0] : "");
}

/*
 * Returns true if a process with this PID exists. Checks /proc, because users specify PIDs as shown
 * in /proc.
 */
static bool has_process(pid_t pid)
{
	char *path = text("/proc/%d", pid);
	bool found = access(path, F_OK) == 0;

	free(path);
	return found;
}

static void every_second(struct session *s, uint64_t time)
{
	char **processes;
	uint64_t pause;

	if (time - s->schedule.last_second < SECOND_NS)
		return;
	s->schedule.last_second = time;
	if (s->o->stats && s->output.terminal) {
		stats_table(&s->stats, stream_file(s->output.standard), true);
		stream_flush(s->output.standard);
	} else if (s->output.progress) {
		stats_progress(&s->stats, s->o->output);
	}
	if (s->o->pid && !has_process(s->o->pid))
		s->program.ended = true;
	if (s->o->usdt || time < s->schedule.next_unregistered)
		return;
	/* for run, check only the program and its descendants */
	processes = s->program.child && !s->o->all ? pids_descendants(s->program.child)
						   : names_in("/proc");
	report_unregistered(s->o->choice.patterns, processes);
	list_free(processes);
	pause = UNREGISTERED_SHARE * (now() - time);
	s->schedule.next_unregistered =
		time + (pause < UNREGISTERED_MAX_NS ? pause : UNREGISTERED_MAX_NS);
}

static void scan(struct session *s)
{
	uint64_t time = now(), pause;

	if (s->usdt) {
		usdt_scan(s->usdt);
		s->stats.lost_unknown = usdt_loses_uncounted(s->usdt);
	}
	if (time < s->schedule.next_scan)
		return;
	if (s->schedule.last_scan && time - s->schedule.last_scan > s->schedule.max_scan_gap &&
	    events_may_appear(s->events))
		s->schedule.max_scan_gap = time - s->schedule.last_scan;
	s->schedule.last_scan = time;
	if (events_scan(s->events)) {
		s->late_events = true;
		if (s->usdt)
			usdt_request_scan(s->usdt);
	}
	pause = SCAN_SHARE * (now() - time);
	pause = pause < SCAN_NS ? SCAN_NS : pause > SCAN_MAX_NS ? SCAN_MAX_NS : pause;
	s->schedule.next_scan = time + (events_may_appear(s->events) ? pause : SECOND_NS);
}

/*
 * Turns off the sinks of a closed output. The program continues, and its events are still counted
 * in the statistics.
 */
static void drop_output(struct session *s)
{
	struct sink *sink;

	for (sink = s->stats.sink.next; sink && !output_broken(s, s->output.events);
	     sink = sink->next)
		sink->off = true;
	if (!s->program.child)
		s->program.ended = true;
}

/* Passes the records up to the given time to the sinks. Returns false if the output is full. */
static bool drain(struct session *s, uint64_t until)
{
	s->output.waiting = true;
	while (s->output.waiting && !stream_full(s->output.events)) {
		s->output.waiting = !reader_drain(s->reader, until, on_record, s);
		sinks_flush(s->sinks);
		stream_flush(s->output.events);
	}
	return !s->output.waiting;
}

/* Sends a heartbeat to systemd and, unless the output is stalled, to the reader of the events. */
static void send_heartbeat(struct session *s, uint64_t time, uint64_t until)
{
	s->schedule.last_heartbeat = time;
	if (!s->output.waiting)
		loop_write_counts(s, "alive", until);
	if (!s->program.child)
		notify("WATCHDOG=1\nSTATUS=%llu events, %s%llu lost, %zu MB waiting for the output",
		       (unsigned long long)s->stats.events,
		       s->stats.lost_unknown ? "at least " : "", (unsigned long long)s->stats.lost,
		       reader_queued(s->reader) >> 20);
}

static void tick(struct session *s)
{
	uint64_t time = now(), until = time - LATE_NS;

	if (reader_fill(s->reader))
		s->schedule.last_record = time;
	s->schedule.next_tick =
		time + (time - s->schedule.last_record < SECOND_NS ? TICK_NS : QUIET_TICK_NS);
	if (drain(s, until))
		update_clock(s, until);
	if (s->o->heartbeat && time - s->schedule.last_heartbeat >= s->o->heartbeat * SECOND_NS)
		send_heartbeat(s, time, until);
	every_second(s, time);
	report_broken(s, s->output.events);
	if (stream_error(s->output.events))
		drop_output(s);
}

void loop_tick(void *session)
{
	tick(session);
}

/* Waits until the output is written, and handles signals meanwhile. */
static void wait_for_output(struct session *s, struct stream *out)
{
	while (stream_wait(out, s->signals.fd))
		read_signals(s);
}

void loop_run(struct session *s)
{
	uint64_t end;

	while (!s->program.ended) {
		uint64_t time = now();
		uint64_t until = s->schedule.next_scan < s->schedule.next_tick
					 ? s->schedule.next_scan
					 : s->schedule.next_tick;
		int pause = until > time ? (int)((until - time + MS - 1) / MS) : 0;
		/*
		 * reader_wait() returns early if a buffer is half full; smaller amounts are read
		 * once per tick
		 */
		bool more = reader_wait(s->reader, s->epoll, pause);

		read_signals(s);
		read_clock(s);
		if (!s->program.ended)
			scan(s);
		stream_flush(s->output.events);
		if (more || (s->output.waiting && !stream_full(s->output.events)) ||
		    now() >= s->schedule.next_tick)
			tick(s);
	}
	/* find plug-ins that the program opened just before it exited */
	for (end = now() + SECOND_NS;
	     s->usdt && s->program.child && usdt_scan(s->usdt) && now() < end;)
		;
	if (s->usdt)
		usdt_read_hits(s->usdt);
	tracefs_trace_off(s->instance);
	if (s->usdt)
		usdt_stop(s->usdt); /* detach first, because writing the output may take long */
	s->stats.end = now();
	stream_last(s->output.events);
	do {
		while (reader_fill(s->reader))
			;
		while (!drain(s, UINT64_MAX) && stream_wait(s->output.events, s->signals.fd))
			read_signals(s);
	} while (reader_fill(s->reader));
	report_lost(s);
	update_clock(s, s->stats.end);
	loop_write_counts(s, "stop", s->stats.end);
	sinks_end(s->sinks);
	wait_for_output(s, s->output.events);
	report_broken(s, s->output.events);
}

bool loop_close_output(struct session *s)
{
	wait_for_output(s, s->output.standard);
	stream_close(s->output.standard);
	if (s->output.file)
		stream_close(s->output.file);
	report_broken(s, s->output.standard);
	report_broken(s, s->output.file);
	return !output_broken(s, s->output.standard) && !output_broken(s, s->output.file);
}
