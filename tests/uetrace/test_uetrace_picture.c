/* SPDX-License-Identifier: MIT */
/*
 * Tests the slices, flows and lanes of random activities. Every event must be drawn once, with the
 * correct times. Slices in a lane must never overlap partially, and may be nested only if they are
 * related. The number of open activities is limited, and dropped activities are counted.
 */
#include "test.h"

#include "../../tools/uetrace/format/picture.c"

#define FORMAT                                                                         \
	"name: P_L4K1\nID: 1\nformat:\n"                                               \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"         \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"         \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"                   \
	"\tfield:u8 eventheader_flags;\toffset:8;\tsize:1;\tsigned:0;\n"               \
	"\tfield:u8 version;\toffset:9;\tsize:1;\tsigned:0;\n"                         \
	"\tfield:u16 id;\toffset:10;\tsize:2;\tsigned:0;\n"                            \
	"\tfield:u16 tag;\toffset:12;\tsize:2;\tsigned:0;\n"                           \
	"\tfield:u8 opcode;\toffset:14;\tsize:1;\tsigned:0;\n"                         \
	"\tfield:u8 level;\toffset:15;\tsize:1;\tsigned:0;\n\nprint fmt: \"\"\n"

#define MARKS 200000
#define ACTIVITIES 4000

/* A slice or instant in the timeline. */
struct drawn {
	enum mark_kind kind;
	uint64_t track, begin, end;
	unsigned int activity, related; /* 0 for none */
	unsigned int opcode, stop_opcode;
	unsigned int outs;
	uint64_t in, out[SPAN_LINKS + 1]; /* flows; in is 0 if there is none */
	int tid;
};

static struct drawn *drawn;
static size_t drawn_n;

static int32_t tid_of(const struct record *record)
{
	int32_t tid;

	memcpy(&tid, (const char *)record->data + 4, 4);
	return tid;
}

/* called for counters of unknown events; tests/uetrace/show.sh tests the real function */
void selection_note_fields(const struct event *event, const struct record *record)
{
	(void)event;
	(void)record;
}

void selection_report_fields(void)
{
}

const struct thread *thread_of(const struct record *record)
{
	static struct thread thread;

	thread = (struct thread){ .tid = tid_of(record), .pid = 100, .name = "thread" };
	return &thread;
}

static unsigned int number_of(const uint8_t *id)
{
	uint32_t number = 0;

	if (id)
		memcpy(&number, id, sizeof(number));
	return number;
}

void chrome_mark(struct chrome *c, const struct mark *mark)
{
	struct drawn *d = &drawn[drawn_n++];
	const struct about *about = mark->about;
	/* a slice of length 0 at the end of a flow */
	bool instant = mark->kind == MARK_SLICE && !mark->stop;

	(void)c;
	assert_true(drawn_n < MARKS);
	*d = (struct drawn){ .kind = instant ? MARK_INSTANT : mark->kind,
			     .track = (uint64_t)mark->track->tid << 32 | mark->track->number,
			     .begin = mark->begin,
			     .end = mark->end,
			     .activity = number_of(about->activity),
			     .related = number_of(about->related),
			     .opcode = ((const uint8_t *)about->record->data)[14],
			     .tid = tid_of(about->record) };
	if (mark->stop)
		d->stop_opcode = ((const uint8_t *)mark->stop->record->data)[14];
	assert_int_equal(mark->track->tid, d->tid);
}

void chrome_flow(struct chrome *c, char phase, const struct mark *mark, uint64_t flow)
{
	struct drawn *d = &drawn[drawn_n - 1];

	(void)c;
	assert_true(mark->kind != MARK_INSTANT || phase == 's');
	if (phase == 's') {
		assert_true(d->outs < ARRAY_SIZE(d->out));
		d->out[d->outs++] = flow;
	} else {
		assert_int_equal(d->in, 0);
		d->in = flow;
	}
}

void chrome_begin(struct chrome *c, int64_t realtime_offset, bool dated)
{
	(void)c;
	(void)realtime_offset;
	(void)dated;
	drawn_n = 0;
}

void chrome_process(struct chrome *c, pid_t pid, const char *name)
{
	(void)c;
	(void)pid;
	(void)name;
}

void chrome_track(struct chrome *c, const struct track *track, unsigned int sort, const char *name)
{
	(void)c;
	(void)track;
	(void)sort;
	(void)name;
}

void chrome_count(struct chrome *c, pid_t pid, const char *name, uint64_t time,
		  const struct field *value)
{
	(void)c;
	(void)pid;
	(void)name;
	(void)time;
	(void)value;
}

void chrome_lost(struct chrome *c, uint64_t time, uint64_t lost)
{
	(void)c;
	(void)time;
	(void)lost;
}

void chrome_end(struct chrome *c)
{
	(void)c;
}

static struct event *event(void)
{
	static char system[] = "user_events", name[] = "P_L4K1", format[] = FORMAT;
	static struct event event = {
		.system = system, .name = name, .shown = name, .format_text = format
	};

	if (!event.decoder)
		event_decode(&event);
	assert_true(event.eventheader);
	return &event;
}

/*
 * Writes an event that consists of a header, an activity ID, a related activity ID and a name,
 * without fields.
 */
static void write_event(struct sink *sink, uint64_t time, int tid, unsigned int opcode,
			unsigned int activity, unsigned int related)
{
	uint8_t bytes[80] = { 1 };
	int32_t thread = tid;
	uint32_t a = activity, r = related;
	struct record record = { .time = time, .data = bytes };
	size_t n = 16;

	memcpy(bytes + 4, &thread, 4);
	bytes[8] = 7; /* flags: 64-bit pointers, little endian, followed by an extension */
	bytes[14] = (uint8_t)opcode;
	bytes[15] = 4;
	if (activity) {
		bytes[n] = related ? 32 : 16;
		bytes[n + 2] = 2;
		bytes[n + 3] = 0x80;
		memcpy(bytes + n + 4, &a, 4);
		if (related)
			memcpy(bytes + n + 20, &r, 4);
		n += related ? 36 : 20;
	}
	bytes[n] = 2;
	bytes[n + 2] = 1;
	memcpy(bytes + n + 4, "E", 2);
	record.size = n + 6;
	sink->event(sink, event(), &record);
}

static uint32_t seed;

static uint32_t random_below(uint32_t n)
{
	seed = seed * 1664525u + 1013904223u;
	return (uint32_t)((uint64_t)seed * n >> 32);
}

/* Events written for each activity. */
static struct {
	uint64_t begin, end;
	unsigned int related;
	int tid, stop_tid, last_tid;
	bool moved; /* true if the last two events of the activity come from different threads */
} written[ACTIVITIES + 1];

static bool is_related(unsigned int inner, unsigned int outer)
{
	unsigned int i;

	for (i = 0; inner && i < 64; i++, inner = written[inner].related) {
		if (inner == outer)
			return true;
	}
	return false;
}

static void check_cross(const struct drawn *a, const struct drawn *b)
{
	const struct drawn *outer = a, *inner = b;
	uint64_t a_end = a->kind == MARK_OPEN ? UINT64_MAX : a->end;
	uint64_t b_end = b->kind == MARK_OPEN ? UINT64_MAX : b->end;

	if (a_end <= b->begin || b_end <= a->begin)
		return;
	if (b->begin < a->begin || (b->begin == a->begin && b_end > a_end)) {
		outer = b;
		inner = a;
	}
	/* viewers sort slices by their start times */
	assert_true(outer->begin < inner->begin);
	/* slices that overlap must be nested and related */
	if ((outer == a ? a_end : b_end) < (inner == a ? a_end : b_end))
		fail_msg("slice %u (%llu to %llu) partially overlaps slice %u", a->activity,
			 (unsigned long long)a->begin, (unsigned long long)a->end, b->activity);
	if (!is_related(inner->activity, outer->activity))
		fail_msg("slice %u is within the unrelated slice %u", inner->activity,
			 outer->activity);
}

static void check_lanes(void)
{
	size_t i, j;

	for (i = 0; i < drawn_n; i++) {
		for (j = 0; j < i; j++) {
			if (drawn[i].kind != MARK_INSTANT && drawn[j].kind != MARK_INSTANT &&
			    drawn[i].track == drawn[j].track)
				check_cross(&drawn[i], &drawn[j]);
		}
	}
}

/* Checks that each flow starts once and ends at least once. */
static void check_flows(void)
{
	size_t i, j;
	unsigned int k, arrived;

	for (i = 0; i < drawn_n; i++) {
		for (k = 0; k < drawn[i].outs; k++) {
			arrived = 0;
			for (j = 0; j < drawn_n; j++)
				arrived += drawn[j].in == drawn[i].out[k];
			assert_true(arrived > 0);
		}
	}
}

static void check_slices(unsigned int activities, size_t instants)
{
	static unsigned int slices[ACTIVITIES + 1];
	size_t i, others = 0;
	unsigned int a;

	memset(slices, 0, sizeof(slices));
	for (i = 0; i < drawn_n; i++) {
		if (drawn[i].kind == MARK_INSTANT) {
			others += drawn[i].opcode == 0;
			continue;
		}
		a = drawn[i].activity;
		assert_int_equal(drawn[i].opcode, 1);
		assert_int_equal(drawn[i].begin, written[a].begin);
		assert_int_equal(drawn[i].kind, written[a].end ? MARK_SLICE : MARK_OPEN);
		assert_int_equal(drawn[i].tid, written[a].tid);
		if (written[a].end) {
			assert_int_equal(drawn[i].end, written[a].end);
			assert_int_equal(drawn[i].stop_opcode, 2);
		}
		slices[a]++;
	}
	for (a = 1; a <= activities; a++)
		assert_int_equal(slices[a], 1);
	assert_int_equal(others, instants);
}

/*
 * Several threads start nested and separate activities. Some of them are later stopped, by the same
 * or another thread. Several events may have the same time.
 */
static void check_random(uint32_t s, unsigned int threads, unsigned int open_most)
{
	struct sink *sink = picture_new(NULL, NULL, NULL);
	unsigned int open[64], n = 0, activities = 0, i, a;
	uint64_t time = 1000;
	size_t instants = 0;

	seed = s;
	memset(written, 0, sizeof(written));
	for (i = 0; i < 700; i++) {
		int tid = 100 + (int)random_below(threads);

		time += random_below(3);
		switch (random_below(5)) {
		case 0:
		case 1:
			if (n == open_most || activities == ACTIVITIES)
				break;
			a = ++activities;
			written[a].begin = time;
			written[a].tid = written[a].last_tid = tid;
			if (n && random_below(3))
				written[a].related = open[random_below(n)];
			open[n++] = a;
			write_event(sink, time, tid, 1, a, written[a].related);
			break;
		case 2:
		case 3:
			if (!n || !random_below(40))
				break;
			a = random_below(n);
			if (!random_below(4))
				tid = written[open[a]].tid;
			written[open[a]].end = time;
			write_event(sink, time, tid, 2, open[a], written[open[a]].related);
			open[a] = open[--n];
			break;
		default:
			write_event(sink, time, tid, 0, n ? open[random_below(n)] : 0, 0);
			instants++;
		}
	}
	sink->end(sink);
	check_slices(activities, instants);
	check_lanes();
	check_flows();
	assert_int_equal(((struct picture *)sink)->crowded, 0);
	sink->free(sink);
}

TEST(test_random_activities_are_drawn_once_and_never_cross)
{
	uint32_t s;

	for (s = 1; s <= 40; s++)
		check_random(s, s % 5 + 1, s % 3 ? 8 : 30);
}

TEST(test_mutual_parents_do_not_cause_an_endless_loop)
{
	struct sink *sink = picture_new(NULL, NULL, NULL);

	memset(written, 0, sizeof(written));
	write_event(sink, 1, 100, 1, 1, 2);
	write_event(sink, 2, 100, 1, 2, 1);
	write_event(sink, 3, 100, 1, 3, 3);
	write_event(sink, 4, 100, 2, 3, 3);
	write_event(sink, 5, 100, 2, 2, 1);
	write_event(sink, 6, 100, 2, 1, 2);
	sink->end(sink);
	assert_int_equal(drawn_n, 3);
	sink->free(sink);
}

TEST(test_activities_that_overlap_too_much_are_counted)
{
	struct sink *sink = picture_new(NULL, NULL, NULL);
	unsigned int i;

	for (i = 1; i <= LANES_MAX + 10; i++)
		write_event(sink, i, 100, 1, i, 0);
	for (i = 1; i <= LANES_MAX + 10; i++)
		write_event(sink, 1000 + i, 100, 2, i, 0);
	sink->end(sink);
	assert_int_equal(((struct picture *)sink)->crowded, 10);
	/* an activity that fits in no lane is drawn as two instants */
	assert_int_equal(drawn_n, LANES_MAX + 2 * 10);
	for (i = 0; i < drawn_n; i++)
		assert_int_equal(drawn[i].kind, i < LANES_MAX ? MARK_SLICE : MARK_INSTANT);
	sink->free(sink);
}

TEST(test_open_activities_are_bounded)
{
	struct sink *sink = picture_new(NULL, NULL, NULL);
	struct picture *p = (struct picture *)sink;
	unsigned int i;

	for (i = 1; i <= SPANS_MAX + 1000; i++)
		write_event(sink, i, 100, 1, i, 0);
	assert_int_equal(p->spans->n, SPANS_MAX);
	assert_int_equal(p->spans->dropped, 1000);
	/* the oldest activities were dropped from memory, but their starts are drawn */
	assert_int_equal(drawn_n, 1000);
	for (i = 0; i < 1000; i++) {
		assert_int_equal(drawn[i].activity, i + 1);
		assert_int_equal(drawn[i].kind, MARK_INSTANT);
	}
	/* if an activity starts again, it counts as a new one */
	write_event(sink, 1000000, 100, 1, SPANS_MAX + 1000, 0);
	assert_int_equal(p->spans->dropped, 1001);
	sink->free(sink);
}

TEST(test_bytes_of_open_activities_are_bounded)
{
	struct spans *spans = spans_new(1000, 1u << 20, NULL, NULL);
	static char data[60000];
	const struct record record = { .data = data, .size = sizeof(data) };
	struct span_key key = { .kind = SPAN_ACTIVITY };
	uint32_t i;

	for (i = 0; i < 100; i++) {
		memcpy(key.bytes, &i, sizeof(i));
		spans_open(spans, &key, i, event(), &record);
		assert_true(spans->bytes <= 1u << 20);
	}
	assert_int_equal(spans->n, (1u << 20) / (sizeof(data) + sizeof(struct span)));
	assert_int_equal(spans->n + spans->dropped, 100);
	spans_free(spans);
}

TEST(test_threads_are_bounded)
{
	struct sink *sink = picture_new(NULL, NULL, NULL);
	struct picture *p = (struct picture *)sink;
	unsigned int i;

	write_event(sink, 1, 1, 1, 7, 0);
	for (i = 1; i < ROWS_MAX + 100; i++) {
		write_event(sink, i, (int)i, 0, 0, 0);
		assert_true(p->n <= ROWS_MAX + 2);
	}
	/* the row was kept, because its activity is still open */
	write_event(sink, 1000000, 1, 2, 7, 0);
	assert_int_equal(drawn[drawn_n - 1].kind, MARK_SLICE);
	assert_int_equal(drawn[drawn_n - 1].begin, 1);
	sink->free(sink);
}

TEST(test_span_is_named_after_its_two_events)
{
	static const struct {
		const char *start, *stop, *name;
		bool call;
	} rows[] = {
		{ "RequestStart", "RequestStop", "Request", false },
		{ "load_begin", "load_end", "load", false },
		{ "Load.Start", "Load.Stop", "Load", false },
		{ "Start", "Stop", "Start", false },
		{ "aStart", "bStop", "aStart", false },
		{ "Work", "Work", "Work", false },
		{ "aStart", "aEnd", "a", false },
		{ "_start", "_stop", "_", false },
		{ "readStart", "readStopped", "readStart", false },
		{ "sys_enter_read", "sys_exit_read", "read", true },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct about start = { .name = rows[i].start,
				       .name_length = strlen(rows[i].start) };
		struct about stop = { .name = rows[i].stop, .name_length = strlen(rows[i].stop) };

		start.key.kind = rows[i].call ? SPAN_CALL : SPAN_ACTIVITY;
		span_name(&start, &stop);
		assert_int_equal(start.name_length, strlen(rows[i].name));
		assert_memory_equal(start.name, rows[i].name, start.name_length);
	}
}

int main(void)
{
	drawn = allocate(MARKS * sizeof(*drawn));
	return run_all_tests(NULL, NULL);
}
