/* SPDX-License-Identifier: MIT */
/*
 * Draws events as a timeline.
 *
 * An activity with START and STOP events becomes a slice on the row of the thread that started it,
 * inside the slice of its related activity. All other events become instants. If an activity
 * continues in another thread, a flow connects the two.
 *
 * A row has as many lanes as it needs. Slices in a lane follow each other or are nested, but never
 * overlap partially, because viewers cannot draw that. A slice is drawn when it ends, because its
 * lane can only be chosen when its start, end and parent are known.
 */
#include "format/format.h"
#include "select/select.h"
#include "util/util.h"
#include "format/chrome.h"
#include "summary/spans.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_MAX 65536
#define ROW_BUCKETS 4096 /* a power of two */
#define LANES_MAX 64
#define PAST 64
#define VALUE_MAX 64 /* maximum length in bytes of a field value in a row name */

enum row_kind { ROW_PROCESS, ROW_THREAD, ROW_SYSTEM, ROW_CPU, ROW_FIELD };

struct lane {
	struct track track;
	uint64_t end;	  /* end time of the last slice in the lane, ns */
	struct span *top; /* innermost open span that occupies the lane, or NULL */
	/*
	 * Finished OpenTelemetry spans that no later span has enclosed so far, in time order. They
	 * are stored because a span is written when it ends, so an outer span arrives after its
	 * inner spans.
	 */
	struct past {
		uint64_t begin, end, parent;
	} * past;
	size_t past_n;
};

struct row {
	enum row_kind kind;
	pid_t pid, tid;	    /* for a CPU row: 0 and the CPU number */
	char *system;	    /* system of kernel events, such as "sched"; otherwise "" */
	char name[32];	    /* name of the process or thread */
	uint64_t id;	    /* hash of kind, pid, tid and system */
	struct lane *lanes; /* NULL for a process */
	size_t n;
	size_t open; /* number of open spans that started on this row */
	struct row *next;
};

struct counter {
	char *event, *field;
	bool drawn;
};

struct picture {
	struct sink sink;
	struct chrome chrome;
	struct spans *spans;
	struct row *rows[ROW_BUCKETS];
	size_t n;
	uint64_t floor; /* start time of new lanes after rows were dropped, ns */
	unsigned int numbers;
	struct counter *counters;
	size_t counters_n;
	const char *row_field; /* field given with --row, or NULL */
	bool row_found;	       /* true if an event had this field */
	bool begun;
	uint64_t lost;		 /* number of events lost before the first record */
	int64_t realtime_offset; /* realtime_offset of the first record, ns */
	uint64_t last;		 /* time of the last event, ns */
	uint64_t crowded;	 /* number of slices that did not fit in any lane */
};

/* Rows */

static uint64_t row_id(enum row_kind kind, pid_t pid, pid_t tid, const char *system)
{
	const uint32_t numbers[] = { kind, (uint32_t)pid, (uint32_t)tid };

	return hash(numbers, sizeof(numbers)) ^ hash(system, strlen(system));
}

/* Returns the address of the pointer to a row. The pointer is NULL if the row does not exist. */
static struct row **row_at(struct picture *p, uint64_t id)
{
	struct row **at = &p->rows[id & (ROW_BUCKETS - 1)];

	while (*at && (*at)->id != id)
		at = &(*at)->next;
	return at;
}

static void name_lane(struct picture *p, const struct row *row, size_t i)
{
	unsigned int offset = row->kind == ROW_SYSTEM ? LANES_MAX : 0;
	unsigned int sort = (unsigned int)row->tid * 2 * LANES_MAX + offset + (unsigned int)i;
	char *name, *numbered;

	if (row->kind == ROW_FIELD)
		name = text("%s %s", p->row_field, row->system);
	else if (row->kind == ROW_CPU)
		name = text(*row->system ? "CPU %d %s" : "CPU %d", row->tid, row->system);
	else
		name = text("%s", row->kind == ROW_SYSTEM ? row->system : row->name);
	numbered = text(i ? "%s (%zu)" : "%s", name, i + 1);
	chrome_track(&p->chrome, &row->lanes[i].track, sort, numbered);
	free(numbered);
	free(name);
}

static void add_lane(struct picture *p, struct row *row)
{
	bool thread = row->kind == ROW_THREAD && !row->n;

	if (!(row->n & (row->n - 1)))
		row->lanes = doubled(row->lanes, row->n, sizeof(*row->lanes));
	row->lanes[row->n] = (struct lane){
		.track = { row->pid, row->tid, thread ? 0 : ++p->numbers },
		.end = thread ? p->floor : 0,
	};
	name_lane(p, row, row->n++);
}

static void row_free(struct row *row)
{
	size_t i;

	for (i = 0; i < row->n; i++)
		free(row->lanes[i].past);
	free(row->lanes);
	free(row->system);
	free(row);
}

/*
 * Frees all rows or, if all is false, only rows without open spans. Freed rows are created again
 * when needed.
 */
static void drop_rows(struct picture *p, bool all)
{
	struct row **at, *row;
	size_t i;

	for (i = 0; i < ROW_BUCKETS; i++) {
		for (at = &p->rows[i]; (row = *at);) {
			if (row->open && !all) {
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
	struct row **at = row_at(p, id), *row = *at;
	size_t i;

	if (row && strcmp(row->name, name) == 0)
		return row;
	if (!row) {
		row = *at = allocate(sizeof(*row));
		*row = (struct row){ .kind = kind, .pid = pid, .tid = tid, .id = id };
		row->system = text("%s", system);
		p->n++;
	}
	snprintf(row->name, sizeof(row->name), "%s", name);
	for (i = 0; i < row->n; i++)
		name_lane(p, row, i);
	if (kind == ROW_PROCESS)
		chrome_process(&p->chrome, pid, row->name);
	else if (!row->n)
		add_lane(p, row);
	return row;
}

/* Names a process after its main thread, if this thread's name is known. */
static void show_process(struct picture *p, const struct thread *thread, pid_t pid,
			 const struct record *record)
{
	const int32_t entry[] = { 0, pid }; /* first members of struct trace_entry */
	struct record first = *record;

	first.data = entry;
	first.size = sizeof(entry);
	first.pid = first.tid = pid;
	if (pid == thread->tid)
		find_row(p, ROW_PROCESS, pid, 0, "", thread->name);
	else if (!*row_at(p, row_id(ROW_PROCESS, pid, 0, "")))
		find_row(p, ROW_PROCESS, pid, 0, "", thread_of(&first)->name);
}

/*
 * Returns true if a system's events are shown on the row of the CPU instead of the interrupted
 * thread.
 */
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

/* Returns the row of an open activity if --row created this row; otherwise, returns NULL. */
static struct row *row_of_activity(const struct picture *p, const uint8_t *id)
{
	const struct span *span = spans_activity(p->spans, id);

	return span && span->row->kind == ROW_FIELD ? span->row : NULL;
}

/*
 * Returns the row that --row selects for an event, or NULL if neither the event nor its activity
 * has the field. For "--row activity", returns the row of the outermost activity that encloses the
 * event.
 */
static struct row *row_of_field(struct picture *p, const struct about *about, pid_t pid)
{
	bool activity = strcmp(p->row_field, "activity") == 0;
	struct row *row = activity ? row_of_activity(p, about->related) : NULL;
	struct field value;
	char *shown;

	if (!row && activity)
		row = row_of_activity(p, about->activity);
	if (!row && field_find(about->event, about->record,
			       activity ? "meta.activity" : p->row_field, &value)) {
		shown = text("%.*s", (int)text_cut(value.text, value.length, VALUE_MAX),
			     value.text);
		row = find_row(p, ROW_FIELD, pid, 0, shown, "");
		free(shown);
	}
	if (!row && !activity)
		row = row_of_activity(p, about->activity);
	if (!row && !p->row_found)
		selection_note_fields(about->event, about->record);
	p->row_found = p->row_found || row;
	return row;
}

static struct row *row_of(struct picture *p, const struct about *about)
{
	struct thread thread = *thread_of(about->record);
	pid_t pid = thread.pid == -1 ? thread.tid : thread.pid;
	bool user = system_is_user(about->event->system);
	struct row *row = NULL;

	if (p->n >= ROWS_MAX)
		drop_rows(p, false);
	if (!user && is_of_cpu(about->event->system)) {
		find_row(p, ROW_PROCESS, 0, 0, "", "Kernel");
		return find_row(p, ROW_CPU, 0, (pid_t)about->record->cpu, about->category, "");
	}
	if (thread.tid == 0)
		find_row(p, ROW_PROCESS, 0, 0, "", "Kernel");
	else
		show_process(p, &thread, pid, about->record);
	if (p->row_field)
		row = row_of_field(p, about, pid);
	if (row)
		return row;
	row = find_row(p, ROW_THREAD, pid, thread.tid, "", thread.name);
	return user ? row : find_row(p, ROW_SYSTEM, pid, thread.tid, about->category, "");
}

/* Lanes */

/* Returns the open related activity of a span, or NULL. */
static struct span *parent_of(const struct picture *p, const struct span *span)
{
	struct span *parent;
	struct about about;

	about_read(span->event, &span->record, &about);
	parent = spans_activity(p->spans, about.related);
	return parent == span ? NULL : parent;
}

static bool is_within(const struct picture *p, const struct span *span, const struct span *outer)
{
	unsigned int depth;

	for (depth = 0; span && span != outer && depth < RELATED_MAX; depth++)
		span = parent_of(p, span);
	return span == outer;
}

static bool fits(const struct picture *p, const struct lane *lane, const struct span *span)
{
	if (span->begin < lane->end)
		return false;
	/* viewers cannot determine which of two slices with the same start encloses the other */
	return !lane->top || (span->begin > lane->top->begin && is_within(p, span, lane->top));
}

static void reserve(struct span *span, int number)
{
	struct lane *lane;

	if (number < 0 || span->lane >= 0)
		return;
	lane = &span->row->lanes[number];
	span->lane = number;
	span->below = lane->top;
	lane->top = span;
}

/*
 * Returns a lane for a slice from span->begin until now, or -1 if all LANES_MAX lanes are occupied.
 * First chooses lanes for the enclosing slices. Then uses the lane of the parent if the slice fits
 * there, and otherwise the first lane in which it fits.
 */
static int lane_of(struct picture *p, struct span *span, unsigned int depth)
{
	struct row *row = span->row;
	struct span *parent;
	size_t i;

	if (span->lane >= 0)
		return span->lane;
	parent = depth < RELATED_MAX ? parent_of(p, span) : NULL;
	if (parent && parent->row == row) {
		reserve(parent, lane_of(p, parent, depth + 1));
		if (parent->lane >= 0 && fits(p, &row->lanes[parent->lane], span))
			return parent->lane;
	}
	for (i = 0; i < row->n; i++) {
		if (fits(p, &row->lanes[i], span))
			return (int)i;
	}
	if (row->n == LANES_MAX)
		return -1;
	add_lane(p, row);
	return (int)i;
}

/* Releases the lane of a span. The inner spans that are still open lose this lane too. */
static void release(struct span *span)
{
	struct lane *lane;
	struct span *top;

	span->row->open--;
	if (span->lane < 0)
		return;
	lane = &span->row->lanes[span->lane];
	do {
		top = lane->top;
		lane->top = top->below;
		top->lane = -1;
	} while (top != span);
}

static void close_span(struct picture *p, struct span *span)
{
	release(span);
	spans_close(p->spans, span);
}

/* Drawing */

/*
 * Returns "NAME-TID" of the thread to which a sched_switch event switched, or NULL if the event
 * lacks these fields.
 */
static char *next_thread_name(const struct span *span)
{
	struct field tid, name;

	if (!field_find(span->event, &span->record, "next_pid", &tid) ||
	    !field_find(span->event, &span->record, "next_comm", &name))
		return NULL;
	return text("%.*s-%.0f", (int)name.length, name.text, field_number(&tid));
}

/*
 * Draws a span as a slice in the lane with this number. end is the end time of the slice. If number
 * is -1, draws only the start of the span, as an instant. stop is the event that ended the span, or
 * NULL.
 *
 * Flows between threads of the same activity have even numbers. Flows to an inner activity have odd
 * numbers.
 */
static void draw_span(struct picture *p, const struct span *span, int number,
		      const struct about *stop, uint64_t end)
{
	struct lane *lane = &span->row->lanes[number < 0 ? 0 : number];
	struct about about;
	struct mark mark = { MARK_INSTANT, &lane->track, span->begin, 0, &about, NULL };
	char *running = NULL;
	unsigned int i;

	about_read(span->event, &span->record, &about);
	if (number >= 0) {
		mark.kind = stop ? MARK_SLICE : MARK_OPEN;
		mark.end = lane->end = stop ? end : UINT64_MAX;
		mark.stop = stop;
		if (stop)
			span_name(&about, stop);
	}
	if (span->key.kind == SPAN_RUNNING)
		running = next_thread_name(span);
	if (running) {
		about.name = running;
		about.name_length = strlen(running);
	}
	chrome_mark(&p->chrome, &mark);
	free(running);
	if (span->flows)
		chrome_flow(&p->chrome, 's', &mark, 2 * span->serial);
	for (i = 0; i < span->links; i++)
		chrome_flow(&p->chrome, 's', &mark, 2 * span->link[i] + 1);
	if (span->linked)
		chrome_flow(&p->chrome, 'f', &mark, 2 * span->serial + 1);
}

/*
 * Draws only the start of a span that is dropped from the table. Its end is unknown, because the
 * table was full or because the same span was started again.
 */
static void span_dropped(void *context, struct span *span)
{
	/* a sched_switch event was already drawn as an instant */
	if (span->key.kind != SPAN_RUNNING)
		draw_span(context, span, -1, NULL, 0);
	release(span);
}

/*
 * Draws an event as an instant. If flow is not 0, a flow ends at this event. In this case, draws a
 * slice of length 0 instead, because flows can only end at slices.
 */
static void draw_instant(struct picture *p, const struct row *row, const struct about *about,
			 uint64_t time, uint64_t flow)
{
	const struct mark mark = { .kind = flow ? MARK_SLICE : MARK_INSTANT,
				   .track = &row->lanes[0].track,
				   .begin = time,
				   .end = time,
				   .about = about };

	chrome_mark(&p->chrome, &mark);
	if (flow)
		chrome_flow(&p->chrome, 'f', &mark, flow);
}

/*
 * Returns the number of the flow that leads to an event if the previous event of its activity came
 * from another thread. Otherwise returns 0. Also returns 0 if both events are on the same row of
 * --row, because no flows are drawn within such a row.
 */
static uint64_t flow_to(struct span *span, const struct row *row, const struct record *record)
{
	const struct thread *thread = thread_of(record);

	if (span->tid == thread->tid || (row->kind == ROW_FIELD && span->row == row))
		return 0;
	span->tid = thread->tid;
	span->flows = true;
	return 2 * span->serial;
}

static void start(struct picture *p, struct row *row, const struct span_key *key,
		  const struct about *about, uint64_t time)
{
	struct span *span, *parent;

	row->open++; /* keep the row, because spans_open() may drop spans */
	span = spans_open(p->spans, key, time, about->event, about->record);
	span->row = row;
	span->tid = thread_of(about->record)->tid;
	parent = about->related ? parent_of(p, span) : NULL;
	if (parent && parent->row != row && parent->links < SPAN_LINKS) {
		parent->link[parent->links++] = span->serial;
		span->linked = true;
	}
}

/*
 * Draws and closes a span. stop is the event that ended the span, or NULL if it has not ended.
 * Returns false if the slice did not fit in any lane.
 */
static bool draw_slice(struct picture *p, struct span *span, const struct about *stop,
		       uint64_t time)
{
	int lane = lane_of(p, span, 0);

	p->crowded += lane < 0;
	draw_span(p, span, lane, stop, time > span->begin ? time : span->begin);
	close_span(p, span);
	return lane >= 0;
}

static void stop(struct picture *p, const struct row *row, struct span *span,
		 const struct about *about, uint64_t time)
{
	uint64_t flow = flow_to(span, row, about->record);

	if (!draw_slice(p, span, about, time) || flow)
		draw_instant(p, row, about, time, flow);
}

static void instant(struct picture *p, struct row *row, const struct about *about, uint64_t time)
{
	/* a STOP event without a START event does not continue an activity */
	struct span *span = about->stops ? NULL : spans_activity(p->spans, about->activity);

	draw_instant(p, row, about, time, span ? flow_to(span, row, about->record) : 0);
}

/* Draws a slice for the thread that ran on a CPU until this sched_switch event. */
static void run_on(struct picture *p, const struct about *about, uint64_t time)
{
	uint32_t cpu = about->record->cpu;
	struct span_key key = { .kind = SPAN_RUNNING };
	struct field before, after;
	struct span *span;

	memcpy(key.bytes, &cpu, sizeof(cpu));
	span = spans_find(p->spans, &key);
	if (span) {
		/*
		 * draw the slice only if this event switches away from the thread to which the
		 * previous event switched; if only some processes are traced, events in between may
		 * be missing
		 */
		if (field_find(span->event, &span->record, "next_pid", &before) &&
		    field_find(about->event, about->record, "prev_pid", &after) &&
		    field_number(&before) && field_number(&before) == field_number(&after))
			draw_slice(p, span, about, time);
		else
			close_span(p, span);
	}
	start(p, find_row(p, ROW_CPU, 0, (pid_t)cpu, "", ""), &key, about, time);
}

/*
 * Returns true if a finished span fits in a lane: either it starts after all spans in the lane, or
 * it encloses the last ones, which must be its children. Forgets the enclosed spans.
 */
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

/*
 * Draws an OpenTelemetry span on a row for its provider. The span has already ended, because its
 * event is written at the end of the span.
 */
static void draw_past(struct picture *p, const struct row *of, const struct about *about,
		      uint64_t time)
{
	bool field = of->kind == ROW_FIELD;
	char *provider = text("%s%s%.*s", field ? of->system : "", field ? " " : "",
			      (int)about->category_length, about->category);
	struct row *row =
		find_row(p, field ? ROW_FIELD : ROW_SYSTEM, of->pid, of->tid, provider, "");
	uint64_t begin = time > about->took ? time - about->took : 0;
	struct mark mark = { .kind = MARK_SLICE, .begin = begin, .end = time, .about = about };
	struct lane *lane;
	size_t i;

	free(provider);
	for (i = 0; i < row->n && !fits_around(&row->lanes[i], begin, about->id); i++)
		;
	if (i == LANES_MAX) {
		p->crowded++;
		draw_instant(p, row, about, begin, 0);
		return;
	}
	if (i == row->n)
		add_lane(p, row);
	lane = &row->lanes[i];
	if (!lane->past)
		lane->past = allocate(PAST * sizeof(*lane->past));
	if (lane->past_n == PAST) { /* full: forget the oldest span */
		lane->end = lane->past[0].end;
		memmove(lane->past, lane->past + 1, --lane->past_n * sizeof(*lane->past));
	}
	lane->past[lane->past_n++] = (struct past){ begin, time, about->parent };
	mark.track = &lane->track;
	chrome_mark(&p->chrome, &mark);
}

/* Counters */

static void count(struct picture *p, pid_t pid, const struct about *about, uint64_t time)
{
	struct counter *counter;
	struct field value;
	char *name;

	for (counter = p->counters; counter < p->counters + p->counters_n; counter++) {
		if (!about_matches(about, counter->event))
			continue;
		if (!field_find(about->event, about->record, counter->field, &value) ||
		    value.type == FIELD_TEXT) {
			if (!counter->drawn)
				selection_note_fields(about->event, about->record);
			continue;
		}
		counter->drawn = true;
		name = text("%.*s.%s", (int)about->name_length, about->name, counter->field);
		chrome_count(&p->chrome, pid, name, time, &value);
		free(name);
	}
}

/* The sink */

static void picture_begin(struct picture *p, const struct record *first)
{
	p->begun = true;
	p->realtime_offset = first->realtime_offset;
	chrome_begin(&p->chrome, first->realtime_offset, first->dated);
	if (p->lost)
		chrome_lost(&p->chrome, first->time, p->lost);
}

static void picture_event(struct sink *sink, struct event *event, const struct record *record)
{
	struct picture *p = (struct picture *)sink;
	struct about about;
	struct span *span;
	struct row *row;
	uint64_t time;

	if (!p->begun)
		picture_begin(p, record);
	/*
	 * convert the time to the clock of the first record, because this record may come from
	 * another boot or machine
	 */
	time = record->time + (uint64_t)record->realtime_offset - (uint64_t)p->realtime_offset;
	p->last = time;
	about_read(event, record, &about);
	row = row_of(p, &about);
	span = about.stops ? spans_find(p->spans, &about.key) : NULL;
	if (about.span)
		draw_past(p, row, &about, time);
	else if (about.starts)
		start(p, row, &about.key, &about, time);
	else if (span)
		stop(p, row, span, &about, time);
	else
		instant(p, row, &about, time);
	if (strcmp(event->system, "sched") == 0 && strcmp(event->name, "sched_switch") == 0)
		run_on(p, &about, time);
	count(p, row->pid, &about, time);
}

static void picture_lost(struct sink *sink, uint64_t lost)
{
	struct picture *p = (struct picture *)sink;

	if (p->begun)
		chrome_lost(&p->chrome, p->last, lost);
	else
		p->lost += lost;
}

/* Reports counters that found no values, and a --row field that no event had. */
static void report_fields(struct picture *p)
{
	const struct counter *counter;

	if (p->row_field && !p->row_found) {
		warning(strcmp(p->row_field, "activity") == 0 ? "no event has an %s for --row"
							      : "no event has a field %s for --row",
			p->row_field);
		p->sink.failed = true;
	}

	for (counter = p->counters; counter < p->counters + p->counters_n; counter++) {
		if (counter->drawn)
			continue;
		warning("no event has a numeric field %s.%s for --counter", counter->event,
			counter->field);
		p->sink.failed = true;
	}
	if (p->sink.failed)
		selection_report_fields();
}

static void picture_end(struct sink *sink)
{
	struct picture *p = (struct picture *)sink;
	const struct record none = { .dated = false };
	struct span *span;

	if (!p->begun)
		picture_begin(p, &none);
	while ((span = p->spans->newest)) {
		/* do not draw the thread that is still running, because its end time is unknown */
		if (span->key.kind == SPAN_RUNNING)
			close_span(p, span);
		else
			draw_slice(p, span, NULL, 0);
	}
	chrome_end(&p->chrome);
	report_fields(p);
	if (p->spans->dropped)
		warning("%llu activities started twice or exceeded the limit of open "
			"activities: only their starts are drawn, as instants",
			(unsigned long long)p->spans->dropped);
	if (p->crowded)
		warning("%llu activities overlap more than %d others in one thread: their starts "
			"and ends are drawn as instants",
			(unsigned long long)p->crowded, LANES_MAX);
}

static void picture_free(struct sink *sink)
{
	struct picture *p = (struct picture *)sink;
	size_t i;

	spans_free(p->spans);
	drop_rows(p, true);
	for (i = 0; i < p->counters_n; i++)
		free(p->counters[i].event);
	free(p->counters);
	free(p);
}

/*
 * Adds a counter, specified as "event.field". The first dot separates the two names, because a
 * field name may contain dots.
 */
static void add_counter(struct picture *p, const char *given)
{
	struct counter *counter = &p->counters[p->counters_n++];
	char *dot;

	counter->event = text("%s", given);
	dot = strchr(counter->event, '.');
	if (!dot || dot == counter->event || !dot[1])
		die_usage("--counter needs EVENT.FIELD, not \"%s\"", given);
	*dot = '\0';
	counter->field = dot + 1;
}

struct sink *picture_new(FILE *out, char **counters, const char *row)
{
	struct picture *p = allocate(sizeof(*p));

	p->sink = (struct sink){ .event = picture_event,
				 .lost = picture_lost,
				 .end = picture_end,
				 .free = picture_free };
	p->chrome.out = out;
	p->row_field = row;
	p->spans = spans_new(SPANS_MAX, SPANS_BYTES, span_dropped, p);
	p->counters = allocate(list_length(counters) * sizeof(*p->counters));
	for (; counters && *counters; counters++)
		add_counter(p, *counters);
	return &p->sink;
}
