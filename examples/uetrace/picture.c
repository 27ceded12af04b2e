/* SPDX-License-Identifier: MIT */
/*
 * Events as a timeline. What starts and stops is a slice on the row of the thread where it started,
 * within the slice of the activity that it is related to; all else is an instant. What goes on in
 * another thread has a flow there. A row has as many lanes as it needs: in a lane, slices are one after
 * the other, or one within its parent, never across each other, because viewers cannot draw that.
 *
 * A slice is drawn when it ends, so its lane is chosen when everything about it is known.
 */
#include "picture.h"

#include <stdlib.h>
#include <string.h>

#define SPANS_MAX 65536
#define SPANS_BYTES (64u << 20)
#define ROWS_MAX 65536
#define ROW_BUCKETS 4096 /* a power of two */
#define LANES_MAX 64
#define PAST 64
#define DEPTH_MAX 32 /* of activities that are related to one another */

enum row_kind { ROW_PROCESS, ROW_THREAD, ROW_SYSTEM, ROW_CPU, ROW_COUNTER };

struct lane {
	struct track track;
	char *name;
	uint64_t end;	  /* of the last slice in it */
	struct span *top; /* the innermost of the open ones that it is reserved for */
	/* OpenTelemetry's spans, which come when they end: those not within another one, by time */
	struct past {
		uint64_t begin, end, parent;
	} * past;
	size_t past_n;
};

struct row {
	enum row_kind kind;
	pid_t pid, tid;
	char *system; /* "sched"; of counters their name; else "" */
	char name[32];
	uint64_t id, process; /* of tracks */
	struct lane *lanes;
	size_t n;
	size_t open; /* spans that began here */
	struct row *next;
};

struct counter {
	char *event, *field;
	bool drawn;
};

struct picture {
	struct sink sink;
	struct canvas *canvas;
	struct spans *spans;
	struct row *rows[ROW_BUCKETS];
	size_t n;
	uint64_t floor; /* a new row may have slices up to here, from before it was dropped */
	unsigned int numbers;
	struct counter *counters;
	size_t counters_n;
	bool begun;
	uint64_t lost; /* before the first record */
	int64_t wall;  /* of the first record */
	uint64_t last;
	uint64_t crowded; /* slices that no lane had room for */
};

/* Rows */

static uint64_t hash(uint64_t h, const void *data, size_t n)
{
	const unsigned char *s = data;

	while (n--)
		h = (h ^ *s++) * 1099511628211u;
	return h;
}

/* Returns an id that is far from any other, since the lanes of a row count on from it. */
static uint64_t row_id(enum row_kind kind, pid_t pid, pid_t tid, const char *system)
{
	const uint32_t numbers[] = { kind, (uint32_t)pid, (uint32_t)tid };
	uint64_t h = hash(1469598103934665603u, numbers, sizeof(numbers));

	h = hash(h, system, strlen(system));
	return (h ^ h >> 29) * 0x9e3779b97f4a7c15u | 1;
}

static void lane_name(struct picture *p, struct row *row, size_t number)
{
	struct lane *lane = &row->lanes[number];
	char *name;

	if (row->kind == ROW_CPU)
		name = text(*row->system ? "CPU %d %s" : "CPU %d", row->tid, row->system);
	else if (row->kind == ROW_SYSTEM || row->kind == ROW_COUNTER)
		name = text("%s", row->system);
	else
		name = text("%s", row->name);
	free(lane->name);
	lane->name = number ? text("%s (%zu)", name, number + 1) : text("%s", name);
	free(name);
	lane->track.name = lane->name;
	p->canvas->track(p->canvas, &lane->track);
}

static void add_lane(struct picture *p, struct row *row)
{
	static const enum track_kind kinds[] = { TRACK_PROCESS, TRACK_THREAD, TRACK_LANE,
						 TRACK_LANE, TRACK_COUNTER };
	static const unsigned int sorts[] = { 0, 0, LANES_MAX, 0, 0 };
	struct lane *lane;

	row->lanes = realloc(row->lanes, (row->n + 1) * sizeof(*row->lanes));
	if (!row->lanes)
		die("out of memory");
	lane = &row->lanes[row->n];
	*lane = (struct lane){ .end = p->floor };
	lane->track = (struct track){
		.kind = row->n ? TRACK_LANE : kinds[row->kind],
		.id = row->id + 2 * row->n,
		.parent = row->process,
		.pid = row->pid,
		.tid = row->tid,
		.sort = (unsigned int)row->tid * 2 * LANES_MAX + sorts[row->kind] +
			(unsigned int)row->n,
	};
	if (lane->track.kind == TRACK_LANE)
		lane->track.number = ++p->numbers;
	/* what is beside a thread belongs to it */
	if (row->kind == ROW_SYSTEM || (row->kind == ROW_THREAD && row->n))
		lane->track.parent = row_id(ROW_THREAD, row->pid, row->tid, "");
	lane_name(p, row, row->n++);
}

static void row_free(struct row *row)
{
	size_t i;

	for (i = 0; i < row->n; i++) {
		free(row->lanes[i].name);
		free(row->lanes[i].past);
	}
	free(row->lanes);
	free(row->system);
	free(row);
}

/* Frees rows without an open span; they are made again when needed. */
static void drop_rows(struct picture *p)
{
	struct row **at, *row;
	size_t i;

	for (i = 0; i < ROW_BUCKETS; i++) {
		for (at = &p->rows[i]; (row = *at);) {
			if (row->open) {
				at = &row->next;
				continue;
			}
			*at = row->next;
			row_free(row);
			p->n--;
		}
	}
	p->floor = p->last;
}

static struct row *find_row(struct picture *p, enum row_kind kind, pid_t pid, pid_t tid,
			    const char *system, const char *name)
{
	uint64_t id = row_id(kind, pid, tid, system);
	struct row **at = &p->rows[id >> 32 & (ROW_BUCKETS - 1)], *row;
	size_t i;

	for (row = *at; row && row->id != id; row = row->next)
		;
	if (!row) {
		row = allocate(sizeof(*row));
		*row = (struct row){ .kind = kind, .pid = pid, .tid = tid, .id = id, .next = *at };
		*at = row;
		p->n++;
		row->system = text("%s", system);
		snprintf(row->name, sizeof(row->name), "%s", name);
		if (kind != ROW_PROCESS)
			row->process = row_id(ROW_PROCESS, pid, 0, "");
		add_lane(p, row);
	} else if (name && strcmp(row->name, name) != 0) {
		snprintf(row->name, sizeof(row->name), "%s", name);
		for (i = 0; i < row->n; i++)
			lane_name(p, row, i);
	}
	return row;
}

/* Names a process after its first thread, if that is known. */
static void show_process(struct picture *p, const struct thread *thread, pid_t pid,
			 const struct record *record)
{
	uint64_t id = row_id(ROW_PROCESS, pid, 0, "");
	struct { /* the begin of struct trace_entry */
		uint32_t type;
		int32_t tid;
	} entry = { 0, pid };
	struct record first = { .data = &entry, .size = sizeof(entry), .time = record->time };
	const struct row *row;

	if (pid == thread->tid) {
		find_row(p, ROW_PROCESS, pid, 0, "", thread->name);
		return;
	}
	for (row = p->rows[id >> 32 & (ROW_BUCKETS - 1)]; row; row = row->next) {
		if (row->id == id)
			return;
	}
	first.program = record->program;
	first.pid = first.tid = pid;
	find_row(p, ROW_PROCESS, pid, 0, "", thread_of(&first)->name);
}

/* These events belong to the CPU, not to the thread that they interrupted. */
static bool is_of_cpu(const char *system)
{
	static const char *const systems[] = { "sched", "irq", "irq_vectors", "power", "timer",
					       "ipi",	"rcu", "nmi",	      "cpuhp" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(systems); i++) {
		if (strcmp(system, systems[i]) == 0)
			return true;
	}
	return false;
}

static struct row *row_of(struct picture *p, const struct event *event, const struct record *record,
			  const struct about *about)
{
	struct thread thread = *thread_of(record);
	pid_t pid = thread.pid == -1 ? thread.tid : thread.pid;
	struct row *row;

	if (p->n >= ROWS_MAX)
		drop_rows(p);
	if (!event_is_user(event) && is_of_cpu(event->system)) {
		find_row(p, ROW_PROCESS, 0, 0, "", "Kernel");
		return find_row(p, ROW_CPU, 0, (pid_t)record->cpu, about->category, "");
	}
	if (thread.tid == 0)
		find_row(p, ROW_PROCESS, 0, 0, "", "Kernel");
	else
		show_process(p, &thread, pid, record);
	row = find_row(p, ROW_THREAD, pid, thread.tid, "", thread.name);
	if (event_is_user(event))
		return row;
	return find_row(p, ROW_SYSTEM, pid, thread.tid, about->category, "");
}

/* Lanes */

static struct span *parent_of(const struct picture *p, const struct span *span)
{
	struct span_key key = { .kind = SPAN_ACTIVITY };
	struct about about;

	about_read(span->event, &span->record, &about);
	if (!about.related)
		return NULL;
	memcpy(key.bytes, about.related, sizeof(key.bytes));
	return spans_find(p->spans, &key);
}

static bool is_within(const struct picture *p, const struct span *span, const struct span *outer)
{
	unsigned int depth;

	for (depth = 0; span && depth < DEPTH_MAX; depth++) {
		if (span == outer)
			return true;
		span = parent_of(p, span);
	}
	return false;
}

static bool fits(const struct picture *p, const struct lane *lane, const struct span *span)
{
	if (span->begin < lane->end)
		return false;
	/* of two that begin at the same time, viewers would not know which one is within */
	return !lane->top || (span->begin > lane->top->begin && is_within(p, span, lane->top));
}

/* Returns the lane that a slice from span->begin to now may be in, or -1. */
static int choose_lane(struct picture *p, struct span *span, int first)
{
	struct row *row = span->row;
	size_t i;

	if (first >= 0 && fits(p, &row->lanes[first], span))
		return first;
	for (i = 0; i < row->n; i++) {
		if (fits(p, &row->lanes[i], span))
			return (int)i;
	}
	if (row->n == LANES_MAX)
		return -1;
	add_lane(p, row);
	return fits(p, &row->lanes[i], span) ? (int)i : -1;
}

static void reserve(struct span *span, int number)
{
	struct lane *lane;

	span->lane = number;
	if (number < 0)
		return;
	lane = &span->row->lanes[number];
	span->below = lane->top;
	lane->top = span;
}

/* Returns the lane of a slice. The slices around it get their lanes first. */
static int lane_of(struct picture *p, struct span *span)
{
	struct span *outer[DEPTH_MAX], *parent;
	size_t n = 0;
	int lane = -1;

	if (span->lane >= 0)
		return span->lane;
	for (parent = parent_of(p, span); parent && n < DEPTH_MAX; parent = parent_of(p, parent)) {
		if (parent == span || parent->row != span->row)
			break;
		outer[n++] = parent;
		if (parent->lane >= 0)
			break;
	}
	while (n) {
		parent = outer[--n];
		if (parent->lane < 0)
			reserve(parent, choose_lane(p, parent, lane));
		lane = parent->lane;
	}
	return choose_lane(p, span, lane);
}

/* The lane is free again, also of those that are within and last longer. */
static void release(struct span *span, bool drawn)
{
	struct lane *lane;
	struct span *top, **at;

	span->row->open--;
	if (span->lane < 0)
		return;
	lane = &span->row->lanes[span->lane];
	if (!drawn) {
		for (at = &lane->top; *at != span; at = &(*at)->below)
			;
		*at = span->below;
		return;
	}
	do {
		top = lane->top;
		lane->top = top->below;
		top->lane = -1;
	} while (top != span);
}

/* Drawing */

static struct mark mark_of(const struct about *about, const struct event *event,
			   const struct record *record, uint64_t time)
{
	return (struct mark){
		.begin = time,
		.end = time,
		.name = about->label ? about->label : about->name,
		.name_length = about->label ? about->label_length : about->name_length,
		.category = about->category,
		.category_length = about->category_length,
		.event = event,
		.record = record,
	};
}

/* Flows have numbers of their own: even ones go on with an activity, odd ones to one within. */
static void add_flows(struct mark *mark, const struct span *span)
{
	unsigned int i;

	if (span->flows)
		mark->out[mark->outs++] = 2 * span->serial;
	for (i = 0; i < span->links; i++)
		mark->out[mark->outs++] = 2 * span->link[i] + 1;
	if (span->linked)
		mark->in[mark->ins++] = 2 * span->serial + 1;
}

static void draw_start(struct picture *p, const struct span *span)
{
	struct about about;
	struct mark mark;

	about_read(span->event, &span->record, &about);
	mark = mark_of(&about, span->event, &span->record, span->begin);
	mark.track = &span->row->lanes[0].track;
	add_flows(&mark, span);
	p->canvas->mark(p->canvas, &mark);
}

/* It fell out of the table, or began again: only its begin is known. */
static void span_dropped(void *context, struct span *span)
{
	/* a switch was drawn when it came */
	if (span->key.kind != SPAN_RUNNING)
		draw_start(context, span);
	release(span, false);
}

/* NAME-TID of whom a sched_switch gave the CPU to; NULL: it does not tell. */
static char *who_runs(const struct span *span)
{
	struct field tid, name;
	double number;

	if (!field_find(span->event, &span->record, "next_pid", &tid))
		return NULL;
	number = field_number(&tid);
	if (!field_find(span->event, &span->record, "next_comm", &name))
		return NULL;
	return text("%.*s-%.0f", (int)name.length, name.text, number);
}

/* Draws a slice. Returns false if there is no lane for it. */
static bool draw_slice(struct picture *p, struct span *span, uint64_t end,
		       const struct about *stop_about, const struct event *stop,
		       const struct record *record)
{
	struct about about;
	struct mark mark;
	struct lane *lane;
	char *running;
	int number = lane_of(p, span);

	if (number < 0) {
		p->crowded++;
		draw_start(p, span);
		release(span, false);
		return false;
	}
	about_read(span->event, &span->record, &about);
	if (stop_about)
		span_name(&about, stop_about);
	running = span->key.kind == SPAN_RUNNING ? who_runs(span) : NULL;
	if (running) {
		about.name = running;
		about.name_length = strlen(running);
	}
	mark = mark_of(&about, span->event, &span->record, span->begin);
	mark.kind = stop ? MARK_SLICE : MARK_OPEN;
	mark.end = end;
	mark.stop_event = stop;
	mark.stop_record = record;
	lane = &span->row->lanes[number];
	mark.track = &lane->track;
	add_flows(&mark, span);
	p->canvas->mark(p->canvas, &mark);
	free(running);
	release(span, true);
	lane->end = stop ? end : UINT64_MAX;
	return true;
}

static void draw_instant(struct picture *p, const struct row *row, const struct about *about,
			 const struct event *event, const struct record *record, uint64_t time,
			 uint64_t flow)
{
	struct mark mark = mark_of(about, event, record, time);

	mark.track = &row->lanes[0].track;
	if (flow)
		mark.in[mark.ins++] = flow;
	p->canvas->mark(p->canvas, &mark);
}

/* An event of an activity in another thread than its last one: returns the flow, or 0. */
static uint64_t follow(struct span *span, const struct record *record)
{
	const struct thread *thread = thread_of(record);

	if (span->tid == thread->tid)
		return 0;
	span->tid = thread->tid;
	span->flows = true;
	return 2 * span->serial;
}

static void start(struct picture *p, struct row *row, struct event *event,
		  const struct record *record, const struct about *about, uint64_t time)
{
	struct span *span, *parent;

	row->open++; /* before another span's end might let the row go */
	span = spans_open(p->spans, &about->key, time, event, record, true);
	span->row = row;
	span->tid = thread_of(record)->tid;
	parent = about->related ? parent_of(p, span) : NULL;
	if (parent && parent != span && parent->row != row && parent->links < SPAN_LINKS) {
		parent->link[parent->links++] = span->serial;
		span->linked = true;
	}
}

static void stop(struct picture *p, struct row *row, struct event *event,
		 const struct record *record, const struct about *about, uint64_t time)
{
	struct span *span = spans_find(p->spans, &about->key);
	uint64_t flow;

	if (!span) {
		draw_instant(p, row, about, event, record, time, 0);
		return;
	}
	flow = follow(span, record);
	if (!draw_slice(p, span, time > span->begin ? time : span->begin, about, event, record) ||
	    flow)
		draw_instant(p, row, about, event, record, time, flow);
	spans_close(p->spans, span);
}

static void instant(struct picture *p, struct row *row, struct event *event,
		    const struct record *record, const struct about *about, uint64_t time)
{
	struct span_key key = { .kind = SPAN_ACTIVITY };
	struct span *span = NULL;

	if (about->activity) {
		memcpy(key.bytes, about->activity, sizeof(key.bytes));
		span = spans_find(p->spans, &key);
	}
	draw_instant(p, row, about, event, record, time, span ? follow(span, record) : 0);
}

/* Draws which thread runs on a CPU, from one sched_switch to the next. */
static void run_on(struct picture *p, struct event *event, const struct record *record,
		   uint64_t time)
{
	struct span_key key = { .kind = SPAN_RUNNING };
	struct row *row = find_row(p, ROW_CPU, 0, (pid_t)record->cpu, "", "");
	struct field before, after;
	struct span *span;
	bool seen;

	memcpy(key.bytes, &record->cpu, sizeof(record->cpu));
	span = spans_find(p->spans, &key);
	if (span) {
		/* of a process that is traced alone, switches between others are not recorded */
		seen = field_find(span->event, &span->record, "next_pid", &before) &&
		       field_find(event, record, "prev_pid", &after) && field_number(&before) &&
		       field_number(&before) == field_number(&after);
		if (seen)
			draw_slice(p, span, time, NULL, event, record);
		else
			release(span, false);
		spans_close(p->spans, span);
	}
	row->open++;
	span = spans_open(p->spans, &key, time, event, record, true);
	span->row = row;
}

/* A span fits behind those of a lane, or around those of them that are within it. */
static bool fits_around(struct lane *lane, uint64_t begin, uint64_t id)
{
	size_t n = lane->past_n;

	while (n && lane->past[n - 1].begin >= begin && lane->past[n - 1].parent == id)
		n--;
	if (begin < lane->end || (n && lane->past[n - 1].end > begin))
		return false;
	lane->past_n = n;
	return true;
}

/* Draws a span of OpenTelemetry, which is written when it ends, on lines of its provider. */
static void draw_past(struct picture *p, const struct row *thread, const struct event *event,
		      const struct record *record, const struct about *about, uint64_t time)
{
	char *provider = text("%.*s", (int)about->category_length, about->category);
	struct row *row = find_row(p, ROW_SYSTEM, thread->pid, thread->tid, provider, "");
	uint64_t begin = time > about->took ? time - about->took : 0;
	struct mark mark = mark_of(about, event, record, begin);
	struct lane *lane;
	size_t i;

	free(provider);
	for (i = 0; i < row->n && !fits_around(&row->lanes[i], begin, about->id); i++)
		;
	if (i == row->n && i < LANES_MAX)
		add_lane(p, row);
	lane = &row->lanes[i < LANES_MAX ? i : 0];
	if (i == LANES_MAX) {
		p->crowded++;
	} else {
		if (!lane->past)
			lane->past = allocate(PAST * sizeof(*lane->past));
		if (lane->past_n == PAST) { /* nothing will be drawn around the oldest one */
			lane->end = lane->past[0].end;
			memmove(lane->past, lane->past + 1, --lane->past_n * sizeof(*lane->past));
		}
		lane->past[lane->past_n++] = (struct past){ begin, time, about->parent };
		mark.kind = MARK_SLICE;
		mark.end = time;
	}
	mark.track = &lane->track;
	p->canvas->mark(p->canvas, &mark);
}

/* Counters */

static void count(struct picture *p, const struct row *of, const struct event *event,
		  const struct record *record, const struct about *about, uint64_t time)
{
	struct field value;
	struct row *row;
	char *name;
	size_t i;

	for (i = 0; i < p->counters_n; i++) {
		if (!about_matches(about, p->counters[i].event))
			continue;
		if (!field_find(event, record, p->counters[i].field, &value) ||
		    value.type == FIELD_TEXT) {
			if (!p->counters[i].drawn)
				selection_seen_fields(event, record);
			continue;
		}
		p->counters[i].drawn = true;
		name = text("%.*s.%s", (int)about->name_length, about->name, p->counters[i].field);
		row = find_row(p, ROW_COUNTER, of->pid, 0, name, "");
		p->canvas->count(p->canvas, &row->lanes[0].track, time, &value);
		free(name);
	}
}

/* The sink */

static void picture_begin(struct picture *p, const struct record *first)
{
	p->begun = true;
	p->wall = first->wall;
	p->canvas->clock(p->canvas, first->time, first->wall, first->dated);
	if (p->lost)
		p->canvas->lost(p->canvas, first->time, p->lost);
}

static void picture_event(struct sink *sink, struct event *event, const struct record *record)
{
	struct picture *p = (struct picture *)sink;
	uint64_t time = record->time;
	struct about about;
	struct row *row;

	if (!p->begun)
		picture_begin(p, record);
	/* records of another boot, or machine, on the clock of the first one */
	time += (uint64_t)record->wall - (uint64_t)p->wall;
	p->last = time;
	about_read(event, record, &about);
	row = row_of(p, event, record, &about);
	if (about.span)
		draw_past(p, row, event, record, &about, time);
	else if (about.starts)
		start(p, row, event, record, &about, time);
	else if (about.stops)
		stop(p, row, event, record, &about, time);
	else
		instant(p, row, event, record, &about, time);
	if (strcmp(event->system, "sched") == 0 && strcmp(event->name, "sched_switch") == 0)
		run_on(p, event, record, time);
	count(p, row, event, record, &about, time);
}

static void picture_lost(struct sink *sink, uint64_t lost)
{
	struct picture *p = (struct picture *)sink;

	if (p->begun)
		p->canvas->lost(p->canvas, p->last, lost);
	else
		p->lost += lost;
}

static void tell_counters(struct picture *p)
{
	size_t i;

	for (i = 0; i < p->counters_n; i++) {
		if (p->counters[i].drawn)
			continue;
		warning("no event has a number %s.%s for --counter", p->counters[i].event,
			p->counters[i].field);
		p->sink.failed = true;
	}
	if (p->sink.failed)
		selection_tell_fields();
}

static void picture_end(struct sink *sink)
{
	struct picture *p = (struct picture *)sink;
	const struct record none = { .dated = false };
	struct span *span;

	if (!p->begun)
		picture_begin(p, &none);
	while ((span = spans_newest(p->spans))) {
		/* a slice for who runs at the end would have no end */
		if (span->key.kind == SPAN_RUNNING)
			release(span, false);
		else
			draw_slice(p, span, p->last, NULL, NULL, NULL);
		spans_close(p->spans, span);
	}
	p->canvas->end(p->canvas);
	tell_counters(p);
	if (spans_dropped(p->spans))
		warning("%llu activities were too many at once, or started twice: in the picture "
			"only their starts are shown",
			(unsigned long long)spans_dropped(p->spans));
	if (p->crowded)
		warning("%llu activities overlap more than %d others in one thread: in the "
			"picture they are two instants each",
			(unsigned long long)p->crowded, LANES_MAX);
}

static void picture_free(struct sink *sink)
{
	struct picture *p = (struct picture *)sink;
	size_t i;

	spans_free(p->spans);
	for (i = 0; i < ROW_BUCKETS; i++) {
		while (p->rows[i]) {
			struct row *row = p->rows[i];

			p->rows[i] = row->next;
			row_free(row);
		}
	}
	for (i = 0; i < p->counters_n; i++)
		free(p->counters[i].event);
	free(p->counters);
	p->canvas->free(p->canvas);
	free(p);
}

/* "event.field"; a field may have dots, an event has none. */
static void add_counter(struct picture *p, const char *given)
{
	struct counter *counter = &p->counters[p->counters_n++];
	char *dot;

	counter->event = text("%s", given);
	dot = strchr(counter->event, '.');
	if (!dot || dot == counter->event || !dot[1])
		die_usage("--counter takes EVENT.FIELD, not \"%s\"", given);
	*dot = '\0';
	counter->field = dot + 1;
}

struct sink *picture_new(FILE *out, char **counters)
{
	struct picture *p = allocate(sizeof(*p));
	size_t n = 0;

	p->sink = (struct sink){ .event = picture_event,
				 .lost = picture_lost,
				 .end = picture_end,
				 .free = picture_free };
	p->canvas = chrome_new(out);
	p->spans = spans_new(SPANS_MAX, SPANS_BYTES, span_dropped, p);
	while (counters && counters[n])
		n++;
	p->counters = allocate(n * sizeof(*p->counters));
	for (n = 0; counters && counters[n]; n++)
		add_counter(p, counters[n]);
	return &p->sink;
}
