/* SPDX-License-Identifier: MIT */
/*
 * The flight recorder keeps the newest events, completely and in order, even if the process is
 * killed. It counts missing events.
 */
#define _GNU_SOURCE /* for unshare() */
#include <sys/uio.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "test.h"

#define FAKE_KERNEL_HOOKS
#include "fake_kernel.h"
#include "rounds.h"
#include <user_events_capture.h>

/* Function that is called when the recorder releases its lock, in place of another thread. */
static void (*after_unlock)(void);

static void unlock(void)
{
	void (*then)(void) = after_unlock;

	after_unlock = NULL;
	ue__i_unlock();
	if (then)
		then();
}
#define ue__i_unlock unlock
#include <user_events_recorder.h>
#undef ue__i_unlock

UE_TRACEPOINT(numbered, UE_U32(number), UE_STR(text));
UE_EVENT_SET(info, "Recorded", UE_LEVEL_INFORMATION, 0x2);

static struct ue_recorder_reader reader;
static struct ue_capture_event event;
static uint64_t memory[1 << 15];
static char path[64], other[80];

/* Starts each test with a new fake kernel without user_events. */
static int setup(void **state)
{
	static struct fake_world none;

	(void)state;
	none = fake_world_default();
	none.data_errno = ENOENT;
	ue_unregister_all();
	fake_kernel_reset(&none);
	ue_register_all();
	ue_recorder_close();
	snprintf(path, sizeof(path), "/tmp/ue_recorder_test.%d", (int)getpid());
	snprintf(other, sizeof(other), "%s.old", path);
	unlink(path);
	unlink(other);
	return 0;
}

static int end(void **state)
{
	(void)state;
	ue_recorder_close();
	unlink(path);
	unlink(other);
	return 0;
}

static void begin(size_t size)
{
	assert_int_equal(ue_recorder_memory(memory, size, UE_RECORDER_RINGS(1)), 0);
}

static void begin_again_in(size_t size)
{
	ue_recorder_close();
	begin(size);
}

static void begin_again(void)
{
	begin_again_in(sizeof(memory));
}

/* Reserves WORDS words for a record and never finishes it, like a writer that was killed. */
static uint64_t reserve(struct ue__recorder_ring *ring, uint32_t words)
{
	uint64_t place = ue__recorder_next_place(ring);

	assert_true(ue__recorder_reserve(ring, &place, words));
	return place;
}

static void read_memory(size_t size)
{
	assert_int_equal(ue_recorder_read(&reader, memory, size), 0);
}

static void next(void)
{
	assert_int_equal(ue_recorder_next(&reader, &event), 1);
}

static void none_is_left(void)
{
	assert_int_equal(ue_recorder_next(&reader, &event), 0);
	assert_int_equal(ue_recorder_next(&reader, &event), 0);
}

/* Returns the contents of a file. The caller frees them. */
static char *content(const char *file, size_t *size)
{
	FILE *f = fopen(file, "r");
	struct stat status;
	char *p;

	assert_non_null(f);
	assert_int_equal(fstat(fileno(f), &status), 0);
	p = malloc((size_t)status.st_size + 1);
	*size = fread(p, 1, (size_t)status.st_size, f);
	fclose(f);
	return p;
}

/*
 * Checks that the recorded "numbered" events end with LAST and have no gaps. Returns the number of
 * events.
 */
static unsigned int count_numbered(uint32_t last)
{
	unsigned int n = 0;
	uint32_t before = 0;
	int more;

	while ((more = ue_recorder_next(&reader, &event)) != 0) {
		uint32_t number = (uint32_t)ue_captured_u64(&event, "number");

		assert_int_equal(more, 1);
		if (n++)
			assert_int_equal(number, before + 1);
		before = number;
	}
	if (n)
		assert_int_equal(before, last);
	return n;
}

/* ---- Recorded data ---- */

TEST_SETUP_TEARDOWN(test_a_recorded_event_has_its_fields, setup, end)
{
	int32_t error = -11;
	uint64_t big = ~0ull - 1, before, after;
	char text[64], name[16] = "";
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	before = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
	begin(65536);
	UE_TRACE(first, error, big, UE_STR(text, "a text"), UE_U8(small, 200));
	UE_LOG(info, "Second", UE_F64(ratio, 0.5), UE_STR(text, "of any length"));
	clock_gettime(CLOCK_MONOTONIC, &now);
	after = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
	read_memory(65536);
	next();
	assert_int_equal(event.name_length, 5);
	assert_memory_equal(event.name, "first", 5);
	assert_string_equal(event.spec,
			    "first s32 error; u64 big; __rel_loc char[] text; u8 small");
	assert_int_equal(ue_captured_i64(&event, "error"), -11);
	assert_true(ue_captured_u64(&event, "big") == big);
	assert_int_equal(ue_captured_u64(&event, "small"), 200);
	ue_captured_string(&event, "text", text, sizeof(text));
	assert_string_equal(text, "a text");
	assert_int_equal(event.pid, getpid());
	assert_int_equal(event.tid, getpid());
	assert_in_range(event.time, before, after);
	clock_gettime(CLOCK_REALTIME, &now);
	assert_in_range((event.time + (uint64_t)event.wall) / 1000000000u, now.tv_sec - 2,
			now.tv_sec + 1);
	prctl(PR_GET_NAME, name);
	assert_string_equal(event.program, name);
	next();
	assert_memory_equal(event.name, "Second", 6);
	assert_true(event.eventheader);
	assert_true(ue_captured_double(&event, "ratio") == 0.5);
	ue_captured_string(&event, "text", text, sizeof(text));
	assert_string_equal(text, "of any length");
	none_is_left();
	assert_int_equal(reader.overwritten + reader.torn + reader.large, 0);
}

static struct ue_event raw;

/*
 * Lets the recorder measure the rate of the processor's counter. Until then, the recorder does not
 * use its fast path. Leaves one empty ring.
 */
static void warm_up(void)
{
	const struct ue__recording *r = ue__recorder_v1.recording;

	ue_event_register(&raw, "raw u8 a", 0);
	for (int i = 0; r->counts && !r->own->clock.rate && i < 1000; i++) {
		ue_event_write(&raw, "\1", 1);
		usleep(1000);
	}
	memset(r->place->words, 0, ((size_t)r->place->last + 1) * 8);
	r->place->counters->u.next = 0;
}

/*
 * Writes payloads of every length at every position, both in one piece (through the slow and the
 * fast path) and in several pieces.
 */
TEST_SETUP_TEARDOWN(test_payloads_of_every_length_are_whole, setup, end)
{
	static unsigned char bytes[2100], pieces[2100];
	unsigned int n = 0;

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)(1 + i * 7 + i / 251);
	begin(16384);
	warm_up();
	for (size_t length = 0; length < 1900; length = length < 100 ? length + 1 : length + 97) {
		struct iovec iov[3] = { { bytes, length / 3 },
					{ bytes + length / 3, 0 },
					{ bytes + length / 3, length - length / 3 } };

		for (int i = 0; i < (length < 100 ? 5 : 1); i++)
			ue_event_write(&raw, bytes, length);
		ue_event_writev(&raw, iov, 3);
		read_memory(16384);
		for (unsigned int i = 0; i < 2; i++) {
			while (ue_recorder_next(&reader, &event) == 1) {
				n = (unsigned int)event.size - 8;
				memcpy(pieces, event.record + 8, n);
				assert_memory_equal(pieces, bytes, n);
			}
			assert_int_equal(n, length);
		}
		assert_int_equal(reader.torn, 0);
	}
}

static uint64_t monotonic(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Writes N events. Each event contains the time just before its write. */
static void trace_times(unsigned int n)
{
	while (n--)
		UE_TRACE(timed, UE_U64(before, monotonic()));
}

/*
 * Checks the recording time of each event. It must lie between the time stored in the event and the
 * time stored in the next event. The tolerance is one microsecond, for reading the clock.
 */
static void times_are_right(uint64_t end)
{
	uint64_t last = 0, before = end;
	unsigned int n = 0;

	read_memory(sizeof(memory));
	for (; ue_recorder_next(&reader, &event) == 1; n++) {
		before = ue_captured_u64(&event, "before");
		assert_true(event.time + 1000 >= before);
		assert_true(last <= before + 1000);
		last = event.time;
	}
	assert_in_range(n, 1, sizeof(memory) / 32);
	assert_true(last <= end + 1000);
}

/*
 * Checks recording times while the rate of the counter is being measured, after pauses, and after
 * the counter has jumped or changed its rate.
 */
TEST_SETUP_TEARDOWN(test_times_are_those_of_the_monotonic_clock, setup, end)
{
	struct ue__clock *clock;

	begin(sizeof(memory));
	for (int i = 0; i < 6; i++) {
		trace_times(500);
		usleep(i < 4 ? 4000u << i : 1500000);
	}
	trace_times(1);
	times_are_right(monotonic());
	for (int i = 0; i < 6; i++) {
		begin_again();
		clock = &ue__recorder_v1.recording->own->clock;
		for (int round = 0; round < 40; round++) {
			trace_times(20);
			usleep(1000);
		}
		times_are_right(monotonic());
		if (!ue__recorder_v1.recording->counts)
			return;
		assert_true(clock->rate != 0);
		/* the counter was set back, so an earlier reading is greater than a later one */
		if (i == 1)
			clock->from += 1ull << 40;
		if (i == 2)
			clock->from -= 1ull << 40;
		if (i == 3) /* a thread was killed while it measured the rate */
			clock->busy = 1;
		if (i == 4) /* the kernel has switched to another clock source */
			clock->rate *= 2;
		if (i == 5) /* the counter advanced by 100 ms while the machine was suspended */
			clock->from -= ((100000000ull << 16) / clock->rate) << 16;
		clock->most = 0; /* make the recorder use the kernel's clock */
		trace_times(500);
		times_are_right(monotonic());
		clock->busy = 0;
	}
}

TEST_SETUP_TEARDOWN(test_the_oldest_are_overwritten_and_counted, setup, end)
{
	unsigned int n, large = 0;

	begin(8192);
	for (uint32_t i = 0; i < 10000; i++) {
		static char text[5000];

		memset(text, 'x', sizeof(text) - 1);
		text[i % 50] = '\0';
		trace_numbered(i, text);
		text[i % 50] = 'x';
		if (i % 1000 == 0) {
			UE_LOG(info, "TooLarge", UE_STR(text)); /* an event larger than any ring */
			large++;
		}
	}
	read_memory(8192);
	n = count_numbered(9999);
	assert_in_range(n, 40, 170);
	assert_int_equal(reader.overwritten, 10000 - n);
	assert_int_equal(reader.torn, 0);
	assert_int_equal(reader.large, large);
}

TEST_SETUP_TEARDOWN(test_events_come_in_order_of_time_from_all_rings, setup, end)
{
	struct ue__recorder_place all[16];
	uint64_t before = 0;
	unsigned int n = 0;

	assert_int_equal(ue_recorder_memory(memory, sizeof(memory), UE_RECORDER_RINGS(16)), 0);
	memcpy(all, ue__recorder_v1.recording->place, sizeof(all));
	/* write each event to a different ring, as if it came from another CPU */
	for (uint32_t i = 0; i < 64; i++) {
		for (unsigned int ring = 0; ring < 16; ring++)
			ue__recorder_v1.recording->place[ring] = all[i * 7 % 16];
		trace_numbered(i, "");
	}
	read_memory(sizeof(memory));
	while (ue_recorder_next(&reader, &event) == 1) {
		assert_int_equal(ue_captured_u64(&event, "number"), n++);
		assert_true(event.time >= before);
		before = event.time;
	}
	assert_int_equal(n, 64);
}

TEST_SETUP_TEARDOWN(test_nothing_is_recorded_before_open_and_after_close, setup, end)
{
	trace_numbered(1, "");
	assert_false(trace_numbered_enabled());
	begin(8192);
	assert_true(trace_numbered_enabled());
	trace_numbered(2, "");
	assert_int_equal(ue_recorder_close(), 0);
	assert_false(trace_numbered_enabled());
	trace_numbered(3, "");
	assert_int_equal(ue_recorder_close(), -ENOENT);
	read_memory(8192);
	next();
	assert_int_equal(ue_captured_u64(&event, "number"), 2);
	none_is_left();
}

static void take(struct ue_event *e, const void *payload, size_t size, void *data)
{
	(void)e;
	(void)payload;
	(void)size;
	++*(int *)data;
	if (*(int *)data < 3)
		trace_numbered(100, "");
}

TEST_SETUP_TEARDOWN(test_probes_captures_and_the_recorder_are_independent, setup, end)
{
	static struct ue_capture capture;
	static char captured[4096];
	int n = 0;

	begin(8192);
	assert_int_equal(ue_capture_memory(&capture, captured, sizeof(captured)), 0);
	ue_probe_register(NULL, take, &n);
	trace_numbered(1, "");
	ue_probe_unregister(NULL, take, &n);
	assert_int_equal(ue_capture_stop(&capture), 0);
	trace_numbered(2, "");
	assert_int_equal(n, 1);
	/* an event written by the probe itself is not captured */
	assert_int_equal(ue_capture_count(&capture, NULL), 1);
	read_memory(8192);
	next();
	assert_int_equal(ue_captured_u64(&event, "number"), 1);
	next(); /* an event written by a probe is recorded, too */
	assert_int_equal(ue_captured_u64(&event, "number"), 100);
	next();
	assert_int_equal(ue_captured_u64(&event, "number"), 2);
	none_is_left();
}

TEST_SETUP_TEARDOWN(test_run_time_events_keep_their_formats, setup, end)
{
	static struct ue_event late[2];
	char spec[64];
	uint32_t value = 5;

	begin(sizeof(memory));
	for (int i = 0; i < 100; i++) {
		snprintf(spec, sizeof(spec), "late%d u32 value%d", i % 10, i % 10);
		ue_event_register(&late[i % 2], spec, 0);
		ue_event_write(&late[i % 2], &value, sizeof(value));
		ue_event_unregister(&late[i % 2]);
	}
	read_memory(sizeof(memory));
	for (int i = 0; i < 100; i++) {
		next();
		snprintf(spec, sizeof(spec), "late%d u32 value%d", i % 10, i % 10);
		assert_string_equal(event.spec, spec);
	}
	none_is_left();
}

/*
 * If a program has more events than the recorder's table can store, no event may be read under
 * another event's name.
 */
TEST_SETUP_TEARDOWN(test_events_beyond_the_table_are_correct_or_unknown, setup, end)
{
	enum { MANY = 1500 };
	struct ue_event *many = calloc(MANY, sizeof(*many));
	unsigned int unknown = 0, known = 0;

	begin(sizeof(memory));
	for (uint32_t i = 0; i < MANY; i++) {
		char spec[32];

		snprintf(spec, sizeof(spec), "many%u u32 i", i);
		ue_event_register(&many[i], spec, 0);
	}
	for (uint32_t i = 0; i < MANY; i++)
		ue_event_write(&many[i], &i, sizeof(i));
	read_memory(sizeof(memory));
	while (ue_recorder_next(&reader, &event) == 1) {
		char name[32];
		uint32_t i;

		memcpy(&i, event.record + 8, 4);
		snprintf(name, sizeof(name), "many%u u32 i", i);
		if (!strcmp(event.spec, "unknown")) {
			unknown++;
			assert_int_equal(event.size, 12);
		} else {
			known++;
			assert_string_equal(event.spec, name);
		}
	}
	assert_int_equal(unknown + known, MANY);
	assert_in_range(known, 100, MANY - 100); /* at this point, the table is full */
	for (uint32_t i = 0; i < MANY; i++)
		ue_event_unregister(&many[i]);
	free(many);
}

/* ---- Wrap-around ---- */

TEST_SETUP_TEARDOWN(test_every_counter_may_wrap_around, setup, end)
{
	static const uint32_t starts[] = {
		0, 1, 0x7fffffff, 0xfffffff0, 0xffffffff, (uint32_t)-950, (uint32_t)-1000
	};

	for (size_t p = 0; p < sizeof(starts) / sizeof(*starts); p++) {
		for (size_t c = 0; c < sizeof(starts) / sizeof(*starts); c++) {
			struct ue__recorder_ring *ring;
			unsigned int n;

			begin(8192);
			ring = ue__recorder_v1.recording->place->counters;
			ring->u.next = (uint64_t)starts[p] << 32 | starts[c];
			for (uint32_t i = 0; i < 1000; i++)
				trace_numbered(i, "wraps");
			read_memory(8192);
			n = count_numbered(999);
			assert_in_range(n, 80, 110);
			assert_true(reader.overwritten == starts[c] + 1000 - n);
			assert_int_equal(reader.torn, 0);
			ue_recorder_close();
		}
	}
	/* exactly one event */
	begin(8192);
	ue__recorder_v1.recording->place->counters->u.next = 1ull << 52 | UINT32_MAX;
	trace_numbered(0, "");
	read_memory(8192);
	next();
	none_is_left();
	assert_int_equal(reader.overwritten, UINT32_MAX);
}

TEST_SETUP_TEARDOWN(test_event_serials_may_have_any_value, setup, end)
{
	static struct ue_event late;
	uint32_t saved = ue__state_v1.serial, value = 7;

	begin(8192);
	trace_numbered(0, "the first format");
	for (unsigned int shift = 10; shift < 32; shift++) {
		ue__state_v1.serial = (1u << shift) - 1;
		ue_event_register(&late, "late u32 value", 0);
		ue_event_write(&late, &value, sizeof(value));
		ue_event_unregister(&late);
	}
	ue__state_v1.serial = saved;
	read_memory(8192);
	next();
	for (unsigned int shift = 10; shift < 32; shift++) {
		next();
		assert_string_equal(event.spec, "late u32 value");
	}
	none_is_left();
	/* all of these events share one format */
	assert_int_equal(((struct ue__recorder_head *)memory)->used, 16 + 16 + 48 + 16 + 16);
}

/* ---- Keeping the oldest events ---- */

TEST_SETUP_TEARDOWN(test_a_keep_recorder_has_the_first_events_and_counts_later_ones, setup, end)
{
	static char text[5000];

	memset(text, 'x', sizeof(text) - 1);
	for (unsigned int step = 1; step < 200; step += 7) {
		uint64_t n = 0;

		assert_int_equal(ue_recorder_memory(memory, 8192, UE_RECORDER_KEEP), 0);
		warm_up();
		for (uint32_t i = 0; i < 1000; i++) {
			text[i * step % 300] = '\0';
			trace_numbered(i, text);
			text[i * step % 300] = 'x';
		}
		UE_LOG(info, "TooLarge", UE_STR(text));
		read_memory(8192);
		while (ue_recorder_next(&reader, &event) == 1)
			assert_int_equal(ue_captured_u64(&event, "number"), n++);
		assert_in_range(n, 8192 / 800, 8192 / 40);
		assert_int_equal(reader.late + n, 1000);
		assert_int_equal(reader.torn + reader.overwritten, 0);
		assert_int_equal(reader.large, 1);
		ue_recorder_close();
	}
}

/* A ring of 512 words has 511 usable words, which is enough for 73 records of 7 words. */
TEST_SETUP_TEARDOWN(test_a_keep_ring_is_filled_completely, setup, end)
{
	for (int counted = 0; counted < 2; counted++) {
		assert_int_equal(ue_recorder_memory(memory, 8192, UE_RECORDER_KEEP), 0);
		if (counted)
			warm_up();
		for (uint64_t i = 0; i < 100; i++)
			UE_TRACE(four_words, i, UE_U64(b, i), UE_U64(c, i), UE_U64(d, i));
		read_memory(8192);
		for (uint64_t i = 0; i < 73; i++) {
			next();
			assert_int_equal(ue_captured_u64(&event, "i"), i);
		}
		none_is_left();
		assert_int_equal(reader.layout.flags, 2);
		assert_int_equal(reader.late, 27);
		ue_recorder_close();
	}
}

/*
 * If each late event advanced the ring's position, the position would overflow, and the oldest
 * records would be overwritten.
 */
TEST_SETUP_TEARDOWN(test_a_full_keep_ring_keeps_its_position, setup, end)
{
	for (int counted = 0; counted < 2; counted++) {
		struct ue__recorder_ring *ring;
		uint64_t position;

		assert_int_equal(ue_recorder_memory(memory, 8192, UE_RECORDER_KEEP), 0);
		if (counted)
			warm_up();
		ring = ue__recorder_v1.recording->place->counters;
		for (uint32_t i = 0; i < 200; i++)
			trace_numbered(i, "");
		position = ring->u.next >> 32;
		for (uint32_t i = 0; i < 10; i++)
			trace_numbered(i, "");
		assert_true(ring->u.next >> 32 == position);
		ue_recorder_close();
	}
}

/*
 * With a single ring, all of the memory is used: no event is lost before the first one that does
 * not fit.
 */
TEST_SETUP_TEARDOWN(test_a_keep_recorder_has_one_ring_by_default, setup, end)
{
	size_t whole = 1 << 20, size;
	char *bytes;

	assert_int_equal(ue_recorder_open(path, whole, UE_RECORDER_KEEP), 0);
	assert_int_equal(ue__recorder_v1.recording->layout.rings, 1);
	for (uint32_t i = 0; i < whole / 32 - 10; i++)
		UE_TRACE(small, UE_U32(number, i));
	bytes = content(path, &size);
	assert_int_equal(ue_recorder_read(&reader, bytes, size), 0);
	for (uint32_t i = 0; i < whole / 32 - 10; i++) {
		next();
		assert_int_equal(ue_captured_u64(&event, "number"), i);
	}
	none_is_left();
	assert_int_equal(reader.late + reader.torn, 0);
	free(bytes);
	ue_recorder_close();
	assert_int_equal(ue_recorder_memory(memory, 65536, UE_RECORDER_KEEP | UE_RECORDER_RINGS(4)),
			 0);
	for (uint32_t i = 0; i < 5000; i++)
		trace_numbered(i, "");
	assert_int_equal(ue_recorder_read(&reader, memory, 65536), 0);
	assert_int_equal(reader.layout.rings, 4);
	assert_int_equal(ue_recorder_open(NULL, 65536, UE_RECORDER_KEEP | 3), -EINVAL);
}

TEST_SETUP_TEARDOWN(test_a_keep_recorder_distinguishes_torn_and_late_records, setup, end)
{
	struct ue__recorder_place *place;
	uint64_t n = 0;

	assert_int_equal(ue_recorder_memory(memory, 8192, UE_RECORDER_KEEP), 0);
	place = ue__recorder_v1.recording->place;
	for (uint32_t i = 0; i < 10; i++) {
		trace_numbered(i, "");
		reserve(place->counters, 6); /* simulate a killed writer */
	}
	read_memory(8192);
	while (ue_recorder_next(&reader, &event) == 1)
		n++;
	assert_int_equal(n, 10);
	assert_int_equal(reader.torn, 10);
	for (uint32_t i = 0; i < 1000; i++)
		trace_numbered(i, "");
	/*
	 * if the file is read while events are written, events lost later are counted at the end of
	 * the recording
	 */
	reader.follow = 1;
	assert_int_equal(ue_recorder_more(&reader, memory, 8192), 0);
	while (ue_recorder_next(&reader, &event) == 1)
		n++;
	reader.follow = 0;
	none_is_left();
	assert_int_equal(reader.torn, 10);
	assert_int_equal(n + reader.late, 1010);
	/* the number of lost events may approach the limit of 32 bits */
	place->counters->u.next += 0xffffff00 - (uint32_t)place->counters->u.next;
	for (uint32_t i = 0; i < 100; i++)
		trace_numbered(i, "");
	read_memory(8192);
	for (n = 0; ue_recorder_next(&reader, &event) == 1; n++)
		;
	assert_true(n + reader.torn + reader.late == 0xffffff00ull + 100);
	/* the counter of lost events may also overflow */
	for (uint32_t i = 0; i < 200; i++)
		trace_numbered(i, "");
	read_memory(8192);
	for (n = 0; ue_recorder_next(&reader, &event) == 1; n++)
		;
	assert_true(n + reader.torn + reader.late == 0xffffff00ull + 300);
}

/*
 * A record's sequence number exceeds the counter if it is damaged, or if the counter was copied
 * before the record. Neither must be mistaken for an overflow of the counter.
 */
TEST_SETUP_TEARDOWN(test_a_sequence_ahead_of_the_count_is_not_an_overflow, setup, end)
{
	for (unsigned int keeps = 0; keeps < 2; keeps++) {
		struct ue__recorder_place *place;
		unsigned int n = 0;

		assert_int_equal(ue_recorder_memory(memory, 8192, keeps ? UE_RECORDER_KEEP : 0), 0);
		place = ue__recorder_v1.recording->place;
		for (uint32_t i = 0; i < (keeps ? 1000 : 100); i++)
			trace_numbered(i, "");
		if (keeps)
			*place->words ^= 1u << 20;
		else
			place->counters->u.next -= 3;
		read_memory(8192);
		reader.follow = 1;
		while (ue_recorder_next(&reader, &event) == 1)
			n++;
		if (!keeps) /* the next copy contains the complete count */
			place->counters->u.next += 3;
		assert_int_equal(ue_recorder_more(&reader, memory, 8192), 0);
		reader.follow = 0;
		none_is_left();
		assert_int_equal(n + reader.torn + reader.late, keeps ? 1000 : 100);
		assert_int_equal(reader.overwritten, 0);
		ue_recorder_close();
	}
}

TEST_SETUP_TEARDOWN(test_processes_share_a_keep_recorder, setup, end)
{
	uint64_t n = 0;
	char *bytes;
	size_t size;
	int status;

	assert_int_equal(ue_recorder_open(path, 8192, UE_RECORDER_KEEP), 0);
	for (int child = 0; child < 3; child++) {
		if (fork() == 0) {
			/* the child continues the recording, whose flags are stored in the file */
			if (child) {
				ue_recorder_close();
				if (ue_recorder_open(path, 65536, 0))
					_exit(1);
			}
			for (uint32_t i = 0; i < 200; i++)
				trace_numbered(i, "");
			_exit(0);
		}
	}
	for (int child = 0; child < 3; child++) {
		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	bytes = content(path, &size);
	assert_int_equal(ue_recorder_read(&reader, bytes, size), 0);
	while (ue_recorder_next(&reader, &event) == 1)
		n++;
	assert_in_range(n, 150, 260);
	assert_int_equal(n + reader.late, 600);
	assert_int_equal(reader.torn + reader.overwritten, 0);
	free(bytes);
}

/* Another process may damage the file, so the counters and limits in it can have any values. */
TEST_SETUP_TEARDOWN(test_damaged_counters_cause_no_write_outside_the_memory, setup, end)
{
	static const uint32_t positions[] = { 0, 990, 0x7fffffff, 0xffffffe0, 0xffffffff };
	static const uint32_t limits[] = { 0, 2048, UINT32_MAX };
	static char text[3000];
	struct ue__recorder_ring *ring;
	const char *after = (const char *)memory + 8192;

	memset(text, 'x', sizeof(text) - 1);
	memset(memory, 0x5a, sizeof(memory));
	for (unsigned int i = 0; i < 2 * 3 * 5; i++) {
		assert_int_equal(ue_recorder_memory(memory, 8192, i % 2 ? UE_RECORDER_KEEP : 1), 0);
		warm_up();
		ring = ue__recorder_v1.recording->place->counters;
		for (uint32_t round = 0; round < 20; round++) {
			ring->u.next = (uint64_t)positions[i / 2 % 5] << 32;
			ring->limit = limits[i / 10];
			trace_numbered(round, text + sizeof(text) - 1 - round);
			trace_numbered(round, text); /* exceeds a quarter of the ring */
		}
		read_memory(8192);
		while (ue_recorder_next(&reader, &event) > 0)
			;
		for (size_t at = 0; at < sizeof(memory) - 8192; at++)
			assert_int_equal(after[at], 0x5a);
		ue_recorder_close();
	}
}

/* An attacker who can modify the file can also compute a valid checksum. */
TEST_SETUP_TEARDOWN(test_a_damaged_format_table_does_not_hang_a_search, setup, end)
{
	static const uint32_t lengths[] = { 0,		511,	    512,       0x7fffffff,
					    0xffffffdf, 0xffffffe0, 0xffffffff };
	struct ue__recorder_spec spec = { 0, 0, 1 };
	struct ue__recording *r;

	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		begin(8192);
		r = ue__recorder_v1.recording;
		r->head->used = r->layout.table_size + lengths[i] / 2 + 1;
		trace_numbered(1, "");
		read_memory(8192);
		next();
		assert_string_equal(event.spec, "unknown");
		begin_again_in(8192);
		r = ue__recorder_v1.recording;
		spec.length = lengths[i];
		spec.check = ue__recorder_spec_check(r->key, 16, &spec);
		memcpy((char *)r->head + r->layout.table + 16, &spec, sizeof(spec));
		r->head->used = 64;
		alarm(60);
		trace_numbered(1, "");
		alarm(0);
		read_memory(8192);
		next();
		assert_string_equal(event.spec, "numbered u32 number; __rel_loc char[] text");
		ue_recorder_close();
	}
}

/* ---- Torn records ---- */

TEST_SETUP_TEARDOWN(test_unfinished_records_are_distinguished_from_finished_ones, setup, end)
{
	struct ue__recorder_place *place;
	unsigned int n = 0;

	begin(8192);
	place = ue__recorder_v1.recording->place;
	for (uint32_t round = 0; round < 300; round++) {
		trace_numbered(round, "before");
		/*
		 * simulate writers that were killed before they wrote anything, or when only the
		 * first word was missing
		 */
		reserve(place->counters, 6);
		if (round % 2)
			reserve(place->counters, 3 + round % 20);
	}
	read_memory(8192);
	while (ue_recorder_next(&reader, &event) == 1) {
		assert_int_equal(ue_captured_u64(&event, "number") - n,
				 n ? 1 : ue_captured_u64(&event, "number"));
		n = (unsigned int)ue_captured_u64(&event, "number");
	}
	assert_int_equal(n, 299);
	assert_true(reader.torn > 20);
}

/* If a writer is suspended while the ring wraps around, it overwrites newer records. */
TEST_SETUP_TEARDOWN(test_a_suspended_writer_causes_only_reported_damage, setup, end)
{
	struct ue__recorder_place *place;
	uint64_t saved[1024];
	unsigned int events = 0;

	begin(8192);
	place = ue__recorder_v1.recording->place;
	for (uint32_t i = 0; i < 500; i++)
		trace_numbered(i, "slept");
	memcpy(saved, place->words, 4096);
	for (uint32_t word = 0; word < 512; word++) {
		unsigned int n = 0;

		place->words[word] ^= 1ull << word % 64;
		read_memory(8192);
		while (ue_recorder_next(&reader, &event) == 1)
			n++;
		if (!word)
			events = n;
		assert_in_range(n, events - 1, events + 1);
		assert_int_equal(reader.overwritten + reader.torn + n, 500);
		memcpy(place->words, saved, 4096);
	}
}

/* ---- Files ---- */

static void record_and_die(int how)
{
	pid_t child = fork();
	int status;

	if (!child) {
		if (ue_recorder_open(path, 65536, 0))
			_exit(2);
		for (uint32_t i = 0; i < 5000; i++)
			trace_numbered(i, "last words");
		if (how == SIGSEGV) {
			signal(SIGSEGV, SIG_DFL);
			raise(SIGSEGV);
		}
		kill(getpid(), how);
		_exit(3);
	}
	waitpid(child, &status, 0);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == how);
}

TEST_SETUP_TEARDOWN(test_a_file_survives_any_kind_of_crash, setup, end)
{
	static const int deaths[] = { SIGKILL, SIGABRT, SIGSEGV };

	for (size_t i = 0; i < 3; i++) {
		size_t size;
		char *bytes;

		unlink(path);
		record_and_die(deaths[i]);
		bytes = content(path, &size);
		assert_int_equal(ue_recorder_read(&reader, bytes, size), 0);
		assert_in_range(count_numbered(4999), 600, 5000);
		assert_int_equal(reader.torn, 0);
		free(bytes);
	}
}

TEST_SETUP_TEARDOWN(test_a_restart_keeps_the_previous_recording, setup, end)
{
	size_t size;
	char *bytes;

	record_and_die(SIGKILL);
	assert_int_equal(ue_recorder_open(path, 4096, 0), 0);
	trace_numbered(1, "new");
	bytes = content(other, &size);
	assert_int_equal(ue_recorder_read(&reader, bytes, size), 0);
	assert_in_range(count_numbered(4999), 600, 5000);
	free(bytes);
	ue_recorder_close();
	bytes = content(path, &size);
	assert_int_equal(ue_recorder_read(&reader, bytes, size), 0);
	assert_int_equal(count_numbered(1), 1);
	free(bytes);
}

static void write_bytes(const char *file, const char *bytes, size_t size)
{
	FILE *f = fopen(file, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, size, f), size);
	fclose(f);
}

static void has_bytes(const char *file, const char *bytes, size_t size)
{
	size_t there;
	char *p = content(file, &there);

	assert_int_equal(there, size);
	assert_memory_equal(p, bytes, size);
	free(p);
}

TEST_SETUP_TEARDOWN(test_a_file_of_another_version_is_rejected_and_moved, setup, end)
{
	struct ue__recorder_head *head;
	size_t size;
	char *bytes;
	int file;

	record_and_die(SIGKILL);
	bytes = content(path, &size);
	head = (void *)bytes;
	assert_int_equal(head->layout.version, 1);
	head->layout.version = 2;
	head->check = ue__recorder_check(head);
	assert_int_equal(ue_recorder_read(&reader, bytes, size), -EBADMSG);
	write_bytes(path, bytes, size);
	/* take the file's lock in the same way as another process that records to the file */
	file = open(path, O_RDWR | O_CLOEXEC);
	assert_int_equal(flock(file, LOCK_SH), 0);
	assert_int_equal(ue_recorder_open(path, 4096, 0), -EEXIST);
	has_bytes(path, bytes, size);
	close(file);
	assert_int_equal(ue_recorder_open(path, 4096, 0), 0);
	has_bytes(other, bytes, size);
	free(bytes);
	/* make the header look as if a machine of the other byte order had written it */
	ue_recorder_close();
	write_bytes(path,
		    __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? "\1\122\125\265" : "\265\125\122\1",
		    4);
	assert_int_equal(ue_recorder_open(path, 4096, 0), 0);
}

/* ---- The file format that the header documents ---- */

static uint64_t number_at(const void *bytes, size_t offset, size_t size)
{
	const char *p = (const char *)bytes + offset;
	uint64_t u64;
	uint32_t u32;

	memcpy(&u64, p, 8);
	memcpy(&u32, p, 4);
	return size == 8 ? u64 : u32;
}

static uint64_t rotated(uint64_t h, unsigned int bits)
{
	return h << bits | h >> (64 - bits);
}

static uint64_t checksum(const void *bytes, size_t size)
{
	uint64_t h = 0x9e3779b97f4a7c15u;

	for (size_t i = 0; i < size; i += 8)
		h = rotated(h ^ number_at(bytes, i, 8), 29) * 0xd6e8feb86659fd93u;
	h = (h ^ h >> 32) * 0xd6e8feb86659fd93u;
	return h ^ h >> 29;
}

TEST_SETUP_TEARDOWN(test_the_file_has_the_documented_format, setup, end)
{
	static const char spec[48] = "numbered u32 number; __rel_loc char[] text";
	uint64_t key, processes, formats, rings, hash, what, words[2];
	const char *m = (const char *)memory, *record;

	begin(8192);
	trace_numbered(7, "seven");
	assert_int_equal(number_at(m, 0, 4), 0xb5555201);
	assert_int_equal(number_at(m, 4, 4), (uint32_t)checksum(m + 8, 120));
	assert_int_equal(number_at(m, 8, 4), 1);
	assert_true(number_at(m, 16, 8) <= 8192);
	key = number_at(m, 24, 8);
	/* a random number */
	assert_true(key != (number_at(m, 32, 8) ^ (uintptr_t)m) * UE__HASH_SEED);
	assert_in_range(number_at(m, 32, 8), 1, monotonic());
	assert_in_range((number_at(m, 32, 8) + number_at(m, 40, 8)) / 1000000000u,
			(uint64_t)time(NULL) - 2, (uint64_t)time(NULL) + 1);
	assert_int_equal(number_at(m, 48, 4), 1);
	processes = number_at(m, 56, 4);
	formats = number_at(m, 64, 4);
	rings = number_at(m, 72, 4);
	assert_int_equal(formats, processes + 48 * number_at(m, 60, 4));
	assert_int_equal(rings, formats + number_at(m, 68, 4));
	assert_int_equal(number_at(m, 16, 8), rings + (1u << number_at(m, 52, 4)));
	assert_int_equal(number_at(m, 128, 4), 16 + 16 + 48);
	assert_int_equal(number_at(m, 132, 4), 1);
	/* the record has 3 + 2 words */
	assert_true(number_at(m, 256, 8) == (5ull << 32 | 1));
	assert_int_equal(number_at(m, 256 + 12, 4), 0);
	/* index 0 refers to the process */
	m += processes + 48;
	assert_int_equal(number_at(m, 4, 4), 0);
	assert_int_equal(number_at(m, 0, 4), (uint32_t)checksum(m + 8, 40));
	assert_int_equal(number_at(m, 24, 4), getpid());
	assert_int_equal(number_at(m, 28, 4), 0);
	m = (const char *)memory + formats + 16;
	assert_int_equal(number_at(m, 4, 4), strlen(spec));
	assert_memory_equal(m + 16, spec, sizeof(spec));
	assert_true(number_at(m, 8, 8) == checksum(m + 16, 48));
	words[0] = number_at(m, 8, 8) ^ key;
	words[1] = (uint64_t)strlen(spec) << 32 | 16;
	assert_int_equal(number_at(m, 0, 4), (uint32_t)checksum(words, 16) | 1);
	record = (const char *)memory + rings;
	what = 14 | 1 << 16 | 1ull << 30 | (uint64_t)getpid() << 42;
	assert_true(number_at(record, 16, 8) == what);
	hash = rotated(key + number_at(record, 8, 8), 25) + what;
	hash = rotated(hash, 25) + number_at(record, 24, 8);
	hash = rotated(hash, 25) + number_at(record, 32, 8);
	/* the first record, at position 0 */
	assert_true(number_at(record, 0, 8) == hash * 0xd6e8feb86659fd93u);
}

/*
 * An attacker can compute valid checksums, so the reader must check every number that controls
 * reading.
 */
TEST(test_unused_bytes_of_a_layout_are_zero)
{
	static const uint8_t zeros[sizeof(((struct ue__recorder_layout *)0)->rest)];
	struct ue__recorder_layout layout;

	memset(&layout, 0xa5, sizeof(layout));
	assert_true(ue__recorder_plan(&layout, 4096, 1));
	assert_int_equal(layout.zero, 0);
	assert_memory_equal(layout.rest, zeros, sizeof(zeros));
}

TEST_SETUP_TEARDOWN(test_numbers_that_no_recorder_writes_are_rejected, setup, end)
{
	static const struct {
		uint32_t rings, shift;
		uint64_t larger; /* a size larger than the actual one */
		int result;
	} rows[] = { { 1, 12, 0, 0 },
		     { 256, 8, 0, 0 },
		     { 512, 8, 0, -EBADMSG },
		     { 3, 12, 0, -EBADMSG },
		     { 1, 7, 0, -EBADMSG },
		     { 1, 35, 0, -EBADMSG },
		     { 1, 12, 8, -EBADMSG },
		     { 0, 12, 0, -EBADMSG },
		     { 1, 12, (uint64_t)-8, -EBADMSG },
		     { 1, 12, 1 << 20, -EBADMSG } };
	struct ue__recorder_head *head = (void *)malloc(1 << 20);

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		uint32_t rings = rows[i].rings;
		uint64_t size = 1 << 20;

		memset(head, 0, size);
		ue__recorder_plan(&head->layout, (uint64_t)(rings ? rings : 1) << rows[i].shift,
				  rings ? rings : 1);
		head->magic = UE__RECORDER_MAGIC;
		head->layout.rings = rings;
		head->layout.size += rows[i].larger;
		head->check = ue__recorder_check(head);
		assert_int_equal(ue_recorder_read(&reader, head, size), rows[i].result);
	}
	free(head);
}

/*
 * Damages one value at a time and leaves the preceding checksum valid. The reader must detect the
 * damage by checking the value itself.
 */
TEST_SETUP_TEARDOWN(test_a_damaged_format_or_process_is_unknown, setup, end)
{
	static const struct {
		size_t at; /* offset in the process, or 48 + offset in the format */
		uint64_t value;
		size_t size;
	} rows[] = {
		{ 4, 1, 4 },			 /* another process's number */
		{ 8, UINT64_MAX, 8 },		 /* a start time that is too late */
		{ 32, 0x6161616161616161u, 16 }, /* a name without a terminating NUL */
		{ 48 + 4, 0, 4 },
		{ 48 + 4, 512, 4 },
		{ 48 + 4, 511, 4 }, /* a length that differs from the position of the NUL */
		{ 48 + 4, 41, 4 },
		{ 48 + 8, 1, 8 }, /* the checksum of another text */
		{ 48 + 16, 'N', 1 },
	};
	uint64_t key, words[2];
	char name[16];

	prctl(PR_GET_NAME, name);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		bool process = rows[i].at < 48;
		char *part = (char *)memory, *at;
		uint32_t check;

		begin_again_in(8192);
		trace_numbered(7, "seven");
		ue_recorder_close();
		key = number_at(memory, 24, 8);
		part += process ? number_at(memory, 56, 4) + 48 : number_at(memory, 64, 4) + 16;
		at = part + rows[i].at - (process ? 0 : 48);
		for (size_t n = 0; n < rows[i].size; n += 8)
			memcpy(at + n, &rows[i].value, rows[i].size < 8 ? rows[i].size : 8);
		if (process) {
			check = (uint32_t)checksum(part + 8, 40) ^ (uint32_t)number_at(part, 4, 4);
		} else {
			words[0] = number_at(part, 8, 8) ^ key;
			words[1] = number_at(part, 4, 4) << 32 | 16;
			check = (uint32_t)checksum(words, 16) | 1;
		}
		memcpy(part, &check, 4);
		read_memory(8192);
		next();
		assert_int_equal(event.tid, getpid());
		assert_int_equal(event.pid, process ? 0 : getpid());
		assert_string_equal(event.program, process ? "" : name);
		if (process)
			assert_int_equal(ue_captured_u64(&event, "number"), 7);
		else
			assert_string_equal(event.spec, "unknown");
	}
	/* the text of a nonexistent event */
	memset((char *)memory + number_at(memory, 64, 4) + 32, 'a', 512);
	words[0] = 512ull << 32;
	words[1] = checksum((char *)memory + number_at(memory, 64, 4) + 32, 528);
	memcpy((char *)memory + number_at(memory, 64, 4) + 16, words, 16);
	words[0] = words[1] ^ key;
	words[1] = 512ull << 32 | 16;
	words[0] = (uint32_t)checksum(words, 16) | 1;
	memcpy((char *)memory + number_at(memory, 64, 4) + 16, words, 4);
	read_memory(8192);
	next();
	assert_string_equal(event.spec, "unknown");
}

/* The last entry of the table has space for 15 bytes and a NUL. Its checksums are valid. */
TEST_SETUP_TEARDOWN(test_a_format_that_exceeds_its_table_is_unknown, setup, end)
{
	struct ue__recorder_spec spec;
	uint64_t id;

	for (uint32_t length = 15; length <= 31; length += 16) {
		char text[33] = "";
		uint32_t offset;

		begin_again_in(8192);
		ue_recorder_close();
		read_memory(8192);
		offset = reader.layout.table_size - 32;
		memset(text, 'x', length);
		spec.length = length;
		spec.hash = ue__hash(text, length + 1);
		spec.check = ue__recorder_spec_check(reader.layout.key, offset, &spec);
		memcpy((char *)memory + reader.layout.table + offset, &spec, sizeof(spec));
		memcpy((char *)memory + reader.layout.table + offset + 16, text, sizeof(text));
		assert_string_equal(ue__reader_format(&reader, offset / 16, &id),
				    length == 15 ? text : "unknown");
		assert_true(id == (length == 15 ? spec.hash : 0));
		/* a wrong checksum */
		((char *)memory)[reader.layout.table + offset] ^= 1;
		assert_string_equal(ue__reader_format(&reader, offset / 16, &id), "unknown");
	}
}

TEST_SETUP_TEARDOWN(test_cpu_is_unknown_if_threads_choose_the_ring, setup, end)
{
	struct ue__recorder_head *head = (void *)memory;

	begin(8192);
	trace_numbered(1, "");
	ue_recorder_close();
	read_memory(8192);
	next();
	assert_int_equal(event.cpu, 0);
	assert_memory_equal(event.record + 2, "\0", 2); /* flags that user events do not use */
	head->layout.flags |= UE__RECORDER_BY_THREAD;
	head->check = ue__recorder_check(head);
	read_memory(8192);
	next();
	assert_int_equal(event.cpu, UINT32_MAX);
}

TEST_SETUP_TEARDOWN(test_processes_join_a_file_in_use, setup, end)
{
	struct stat status, now;
	unsigned int n = 0, pids = 0;
	uint32_t last = 0;
	pid_t child;
	size_t size;
	char *bytes;

	assert_int_equal(ue_recorder_open(path, 65536, 0), 0);
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 07777, 0600);
	trace_numbered(0, "");
	for (int i = 0; i < 3; i++) {
		child = fork();
		if (!child) {
			/*
			 * The first child inherits the recorder. The other children open the file
			 * themselves, like separate programs.
			 */
			if (i) {
				ue_recorder_close();
				if (ue_recorder_open(path, 4096, 0))
					_exit(2);
			}
			trace_numbered(1, "");
			_exit(0);
		}
		waitpid(child, NULL, 0);
	}
	assert_int_equal(ue_recorder_open(path, 65536, 0), -EBUSY);
	ue_recorder_close();
	assert_int_equal(stat(path, &now), 0);
	assert_true(now.st_ino == status.st_ino && now.st_size == status.st_size);
	bytes = content(path, &size);
	assert_int_equal(ue_recorder_read(&reader, bytes, size), 0);
	while (ue_recorder_next(&reader, &event) == 1) {
		n++;
		pids += event.pid != last;
		assert_int_equal(event.pid, event.tid);
		last = event.pid;
	}
	assert_int_equal(n, 4);
	assert_int_equal(pids, 4);
	free(bytes);
}

TEST_SETUP_TEARDOWN(test_other_files_are_left_unchanged, setup, end)
{
	static const uint32_t magic = 0xb5555201, zeros[250];
	static const struct {
		const void *bytes;
		size_t size;
	} others[] = { { zeros, sizeof(zeros) }, { "letter", 6 }, { &magic, 3 } };

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		write_bytes(path, others[i].bytes, others[i].size);
		assert_int_equal(ue_recorder_open(path, 4096, 0), -EEXIST);
		has_bytes(path, others[i].bytes, others[i].size);
	}
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(ue_recorder_open(path, 4096, 0), -EINVAL);
	unlink(path);
	assert_int_equal(mknod(path, S_IFSOCK | 0600, 0), 0);
	assert_int_equal(ue_recorder_open(path, 4096, 0), -EINVAL);
	unlink(path);
	assert_int_equal(symlink("/dev/null", path), 0);
	assert_int_equal(ue_recorder_open(path, 4096, 0), -ELOOP);
	unlink(path);
	assert_int_equal(ue_recorder_open("/dev/full", 4096, 0), -EINVAL);
	assert_int_equal(ue_recorder_open("/nowhere/file", 4096, 0), -ENOENT);
	assert_int_equal(ue_recorder_open("/tmp", 4096, 0), -EISDIR);
}

/*
 * PATH.old is replaced only if it is a recording. Any other file could be the user's own, because
 * the user specified PATH but not PATH.old.
 */
TEST_SETUP_TEARDOWN(test_another_file_at_the_old_name_is_kept, setup, end)
{
	size_t size;
	char *bytes;

	record_and_die(SIGKILL);
	bytes = content(path, &size);
	write_bytes(other, "a letter", 8);
	assert_int_equal(ue_recorder_open(path, 4096, 0), -EEXIST);
	has_bytes(other, "a letter", 8);
	has_bytes(path, bytes, size);
	unlink(other);
	assert_int_equal(symlink(path, other), 0);
	assert_int_equal(ue_recorder_open(path, 4096, 0), -EEXIST);
	has_bytes(path, bytes, size);
	unlink(other);
	write_bytes(other, bytes, size);
	assert_int_equal(ue_recorder_open(path, 4096, 0), 0);
	free(bytes);
}

TEST_SETUP_TEARDOWN(test_a_snapshot_replaces_only_recordings, setup, end)
{
	struct stat before, after;
	char link[80];

	assert_int_equal(ue_recorder_open(path, 4096, 0), 0);
	trace_numbered(1, "");
	/* writing to a truncated recorder file would kill the program with SIGBUS */
	assert_int_equal(stat(path, &before), 0);
	assert_int_equal(ue_recorder_snapshot(path), -EBUSY);
	assert_int_equal(stat(path, &after), 0);
	assert_int_equal(before.st_size, after.st_size);
	trace_numbered(2, "");
	write_bytes(other, "a letter", 8);
	assert_int_equal(ue_recorder_snapshot(other), -EEXIST);
	has_bytes(other, "a letter", 8);
	snprintf(link, sizeof(link), "%s.link", path);
	assert_int_equal(symlink(other, link), 0);
	assert_int_equal(ue_recorder_snapshot(link), -ELOOP);
	has_bytes(other, "a letter", 8);
	unlink(other);
	assert_int_equal(ue_recorder_snapshot(link), -ELOOP);
	assert_int_not_equal(access(other, F_OK), 0);
	unlink(link);
	assert_int_equal(ue_recorder_snapshot("/dev/null"), -EINVAL);
	assert_int_equal(mkfifo(other, 0600), 0);
	assert_int_equal(ue_recorder_snapshot(other), -EINVAL);
	unlink(other);
	write_bytes(other, "", 0);
	if (geteuid() == 0) {
		assert_int_equal(chown(other, 1, 1), 0);
		assert_int_equal(ue_recorder_snapshot(other), -EPERM);
		has_bytes(other, "", 0);
		assert_int_equal(chown(other, 0, 0), 0);
	}
	/* the first snapshot goes to an empty file; later ones replace an older snapshot */
	for (uint32_t i = 3; i < 6; i++) {
		char *bytes;
		size_t size;

		assert_int_equal(ue_recorder_snapshot(other), 0);
		bytes = content(other, &size);
		assert_int_equal(ue_recorder_read(&reader, bytes, size), 0);
		assert_int_equal(count_numbered(i - 1), i - 1);
		free(bytes);
		trace_numbered(i, "");
	}
}

/* File-system type that fstatfs() reports, and the errno with which it fails. */
static unsigned int file_system;
static int file_system_error;

int fstatfs(int fd, struct statfs *fs)
{
	int error;

	if (file_system_error) {
		errno = file_system_error;
		return -1;
	}
	error = (int)syscall(SYS_fstatfs, fd, fs);
	if (!error && file_system)
		fs->f_type = (__typeof__(fs->f_type))file_system;
	return error;
}

TEST_SETUP_TEARDOWN(test_file_systems_that_reserve_no_blocks_are_rejected, setup, end)
{
	/*
	 * btrfs, bcachefs, f2fs, ZFS, NFS, FUSE, 9p, overlayfs, hugetlbfs, ramfs, and an unknown
	 * type
	 */
	static const unsigned int refused[] = { 0x9123683e, 0xca451a4e, 0xf2f52010, 0x2fc12fc1,
						0x6969,	    0x65735546, 0x01021997, 0x794c7630,
						0x958458f6, 0x858458f6, 1 };
	static const unsigned int accepted[] = { 0xef53, 0x58465342, 0x01021994 };
	char value[80];

	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		file_system = refused[i];
		assert_int_equal(ue_recorder_open(path, 4096, 0), -EOPNOTSUPP);
		assert_int_not_equal(access(path, F_OK), 0);
		/* do not delete a file that the user created */
		write_bytes(path, "", 0);
		snprintf(value, sizeof(value), "%s:4K", path);
		setenv("UE_RECORD", value, 1);
		assert_int_equal(ue_recorder_environment(), -EOPNOTSUPP);
		unsetenv("UE_RECORD");
		has_bytes(path, "", 0);
		unlink(path);
	}
	for (size_t i = 0; i < sizeof(accepted) / sizeof(*accepted); i++) {
		file_system = accepted[i];
		assert_int_equal(ue_recorder_open(path, 4096, 0), 0);
		ue_recorder_close();
		unlink(path);
	}
	file_system = 0;
	file_system_error = EIO;
	assert_int_equal(ue_recorder_open(path, 4096, 0), -EOPNOTSUPP);
	file_system_error = 0;
	assert_non_null(strstr(ue_recorder_strerror(-EOPNOTSUPP), "/dev/shm"));
	assert_non_null(ue_recorder_strerror(INT_MIN)); /* must accept any number */
}

static void write_line(const char *file, const char *text)
{
	int fd = open(file, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		_exit(1);
	close(fd);
}

/* Runs the test in a separate mount namespace. Returns 1 if this is not permitted. */
static int in_a_small_file_system(void)
{
	char base[80], file[96], map[32];
	unsigned int id = geteuid();

	snprintf(map, sizeof(map), "0 %u 1", id);
	if (unshare(CLONE_NEWNS)) {
		if (unshare(CLONE_NEWUSER | CLONE_NEWNS))
			return 1;
		write_line("/proc/self/setgroups", "deny");
		write_line("/proc/self/uid_map", map);
	}
	snprintf(base, sizeof(base), "%s.mount", path);
	if (mkdir(base, 0700) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("ue", base, "tmpfs", 0, "size=256k"))
		return 1;
	snprintf(file, sizeof(file), "%s/e1", base);
	/*
	 * if the file system is full, a new file is removed, but the user's own empty file is
	 * kept
	 */
	setenv("UE_RECORD", file, 1);
	if (ue_recorder_environment() != -ENOSPC || !access(file, F_OK))
		return 2;
	write_bytes(file, "", 0);
	if (ue_recorder_environment() != -ENOSPC)
		return 3;
	has_bytes(file, "", 0);
	/* the same rule applies to snapshots */
	if (ue_recorder_open(NULL, 1 << 20, 0) || ue_recorder_snapshot(file) != -ENOSPC)
		return 4;
	has_bytes(file, "", 0);
	unlink(file);
	if (ue_recorder_snapshot(file) != -ENOSPC || !access(file, F_OK))
		return 5;
	ue_recorder_close();
	return 0;
}

TEST_SETUP_TEARDOWN(test_a_full_file_system_leaves_files_unchanged, setup, end)
{
	char base[80];
	pid_t child = fork();
	int status;

	if (!child)
		_exit(in_a_small_file_system());
	waitpid(child, &status, 0);
	snprintf(base, sizeof(base), "%s.mount", path);
	rmdir(base);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 1)
		skip(); /* mounting is not permitted */
	assert_int_equal(WEXITSTATUS(status), 0);
}

TEST_SETUP_TEARDOWN(test_wrong_sizes_are_rejected, setup, end)
{
	assert_int_equal(ue_recorder_open(path, 4095, 0), -EINVAL);
	assert_int_equal(ue_recorder_open(path, 65536, 3), -EINVAL);
	assert_int_equal(ue_recorder_open(path, 65536, 512), -EINVAL);
	assert_int_equal(ue_recorder_open(path, 65536, 128), -EINVAL);
	assert_int_equal(ue_recorder_memory(NULL, 65536, 0), -EINVAL);
	assert_int_equal(ue_recorder_memory(memory, 4095, 0), -EINVAL);
	assert_int_not_equal(access(path, F_OK), 0);
	assert_int_equal(ue_recorder_open(path, SIZE_MAX / 2, 0), -EINVAL);
}

TEST_SETUP_TEARDOWN(test_sizes_from_4_kib_to_1_gib, setup, end)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);

	for (size_t size = 4096; size <= 1u << 30; size *= 4) {
		size_t bytes, rings;
		struct stat status;
		char *map;
		int fd;

		unlink(path);
		assert_int_equal(ue_recorder_open(path, size + 1, 0), 0);
		for (uint32_t i = 0; i < 300; i++)
			trace_numbered(i, "");
		ue_recorder_close();
		fd = open(path, O_RDONLY);
		assert_int_equal(fstat(fd, &status), 0);
		bytes = (size_t)status.st_size;
		assert_in_range(bytes, size, size + size / 16 + 65536);
		/* the file must not be sparse */
		assert_in_range(status.st_blocks, bytes / 512, bytes / 512 + 64);
		map = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);
		assert_ptr_not_equal(map, MAP_FAILED);
		assert_int_equal(ue_recorder_read(&reader, map, bytes), 0);
		/* one ring of at least 64 KiB per CPU; larger sizes grow in pages */
		for (rings = 1; (long)rings < cpus && rings < 256 && size / rings > 65536;)
			rings *= 2;
		assert_int_equal(reader.layout.rings, rings);
		assert_true(size < 65536 || reader.layout.data % 4096 == 0);
		assert_in_range(count_numbered(299), size == 4096 ? 50 : 300, 300);
		munmap(map, bytes);
		close(fd);
	}
	/* the caller's memory may start at any address */
	for (size_t skip = 0; skip < 16; skip++) {
		char *bytes = malloc(skip + 4096);

		assert_int_equal(ue_recorder_memory(bytes + skip, 4096, 0), 0);
		trace_numbered(1, "");
		ue_recorder_close();
		assert_int_equal(ue_recorder_read(&reader, bytes + (skip + 7) / 8 * 8,
						  4096 - (8 - skip % 8) % 8),
				 0);
		assert_int_equal(count_numbered(1), 1);
		free(bytes);
	}
	for (size_t size = 4096; size <= sizeof(memory); size *= 2) {
		assert_int_equal(ue_recorder_memory(memory, size, 0), 0);
		trace_numbered(1, "");
		ue_recorder_close();
		read_memory(size);
		assert_int_equal(count_numbered(1), 1);
	}
}

/*
 * If a thread is suspended in an event while the recorder is closed, it must not damage the file or
 * the program.
 */
TEST_SETUP_TEARDOWN(test_events_in_progress_at_close_are_discarded, setup, end)
{
	struct ue_event *e = ue_event_find("numbered", NULL);
	char bytes[64] = "";
	struct ue__i_iovec one = { bytes, 40 };
	size_t size, size2;
	char *before, *after;

	assert_int_equal(ue_recorder_open(path, 4096, 0), 0);
	trace_numbered(1, "");
	ue_recorder_close();
	before = content(path, &size);
	for (int i = 0; i < 1000; i++)
		ue__record(&ue__recorder_v1.hook, e, &one, 1, 40);
	after = content(path, &size2);
	assert_int_equal(size, size2);
	assert_memory_equal(before, after, size);
	free(before);
	free(after);
}

static void open_another(void)
{
	assert_int_equal(ue_recorder_open(other, 4096, 0), 0);
	trace_numbered(1, "");
}

/* Another thread opens the next recorder while this thread is still closing the previous one. */
TEST_SETUP_TEARDOWN(test_closing_does_not_affect_the_next_recorder, setup, end)
{
	size_t size;
	char *bytes;

	assert_int_equal(ue_recorder_open(path, 4096, 0), 0);
	after_unlock = open_another;
	assert_int_equal(ue_recorder_close(), 0);
	trace_numbered(2, "");
	bytes = content(other, &size);
	assert_int_equal(ue_recorder_read(&reader, bytes, size), 0);
	assert_int_equal(count_numbered(2), 2);
	free(bytes);
}

/* Returns the size of the process's address space in MiB. */
static unsigned long address_space(void)
{
	FILE *f = fopen("/proc/self/statm", "r");
	unsigned long pages = 0;

	assert_non_null(f);
	assert_int_equal(fscanf(f, "%lu", &pages), 1);
	fclose(f);
	return pages * (unsigned long)sysconf(_SC_PAGESIZE) >> 20;
}

/* Address space of 64 MiB is reserved only once, although each recorder has its own state. */
TEST_SETUP_TEARDOWN(test_recorders_of_the_same_size_share_an_address_range, setup, end)
{
	unsigned long before = address_space();

	for (int i = 0; i < 50; i++) {
		assert_int_equal(ue_recorder_open(NULL, 64 << 20, 0), 0);
		trace_numbered(1, "");
		assert_int_equal(ue_recorder_close(), 0);
	}
	assert_in_range(address_space() - before, 64, 64 + 10 + 50 * 2);
}

/*
 * If a thread was suspended in an event of the previous recorder, it writes the event to the file
 * of the next recorder.
 */
TEST_SETUP_TEARDOWN(test_a_writer_of_the_last_recorder_causes_only_reported_damage, setup, end)
{
	struct ue__recorder_spec late = { 0, 8, 0 };
	struct ue__recording *last, *now;
	unsigned int keeps, n = 0, named;
	char bytes[64] = "", *copy;
	struct ue__i_iovec one = { bytes, 44 };
	size_t size;

	for (keeps = 0; keeps < 2; keeps++) {
		unlink(path);
		assert_int_equal(ue_recorder_open(NULL, 4096, keeps ? UE_RECORDER_KEEP : 1), 0);
		last = ue__recorder_v1.recording;
		for (uint32_t i = 0; i < 1000; i++)
			trace_numbered(i, "");
		ue_recorder_close();
		assert_int_equal(ue_recorder_open(path, 4096, keeps ? UE_RECORDER_KEEP : 1), 0);
		now = ue__recorder_v1.recording;
		assert_ptr_equal(last->head, now->head);
		for (uint32_t i = 0; i < 10; i++)
			trace_numbered(i, "");
		/*
		 * The first writer has not reserved space yet, the second writer has, and the third
		 * one has found that the ring is full.
		 */
		ue__recorder_write(last->place, 1, 2, 40, reserve(last->place->counters, 8), &one);
		ue__recorder_write(last->place, 1, 2, 40, (uint64_t)16 << 32, &one);
		ue__recorder_write(last->place, 1, 2, 40, (uint64_t)1000 << 32, &one);
		for (uint32_t i = 10; i < 20; i++)
			trace_numbered(i, "");
		copy = content(path, &size);
		assert_int_equal(ue_recorder_read(&reader, copy, size), 0);
		for (n = named = 0; ue_recorder_next(&reader, &event) == 1; n++)
			named += ue_captured_u64(&event, "number") < 20;
		assert_in_range(n, 17, 19);
		assert_int_equal(named, n);
		assert_int_equal(n + reader.torn, 21);
		assert_int_equal(reader.late + reader.overwritten, 0);
		free(copy);
		/*
		 * another writer stores an event's description at the position where the next
		 * recorder stores its own
		 */
		late.check = ue__recorder_spec_check(last->key, 16, &late);
		memcpy((char *)last->head + last->layout.table + 16, &late, sizeof(late));
		copy = content(path, &size);
		assert_int_equal(ue_recorder_read(&reader, copy, size), 0);
		next();
		assert_string_equal(event.spec, "unknown");
		free(copy);
		ue_recorder_close();
	}
}

TEST_SETUP_TEARDOWN(test_recorders_open_and_close_without_free_descriptors, setup, end)
{
	unsigned int open_files = 0;
	int fd;

	for (int i = 0; i < 200; i++) {
		assert_int_equal(ue_recorder_open(i % 2 ? path : NULL, 8192, 0), 0);
		trace_numbered(1, "");
		assert_int_equal(ue_recorder_close(), 0);
	}
	for (fd = 3; fd < 100; fd++)
		open_files += fcntl(fd, F_GETFD) != -1;
	fd = dup(0);
	close(fd);
	assert_true(fd < 10 && open_files < 10);
}

/* docs/recorder.md documents that truncating the file of a running recorder raises SIGBUS. */
TEST_SETUP_TEARDOWN(test_truncating_the_file_is_a_bus_error, setup, end)
{
	pid_t child = fork();
	int status;

	if (!child) {
		signal(SIGBUS, SIG_DFL);
		if (ue_recorder_open(path, 65536, 0) || truncate(path, 0))
			_exit(2);
		for (uint32_t i = 0; i < 1000; i++)
			trace_numbered(i, "");
		_exit(0);
	}
	waitpid(child, &status, 0);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS);
}

/*
 * With a file-size limit (`ulimit -f`), a recorder that does not check the limit would be killed
 * with SIGXFSZ.
 */
TEST_SETUP_TEARDOWN(test_a_file_size_limit_is_reported_without_a_signal, setup, end)
{
	struct rlimit limit = { 65536, RLIM_INFINITY };
	pid_t child = fork();
	char copy[600];
	int status;

	if (!child) {
		signal(SIGXFSZ, SIG_DFL);
		snprintf(copy, sizeof(copy), "%s.copy", path);
		unlink(path);
		if (setrlimit(RLIMIT_FSIZE, &limit))
			_exit(2);
		if (ue_recorder_open(path, 1 << 20, 0) != -EFBIG || access(path, F_OK) == 0)
			_exit(3);
		if (ue_recorder_open(path, 32768, 0))
			_exit(4);
		trace_numbered(1, "");
		limit.rlim_cur = 4096;
		if (setrlimit(RLIMIT_FSIZE, &limit) || ue_recorder_snapshot(copy) != -EFBIG)
			_exit(5);
		limit.rlim_cur = 0;
		if (setrlimit(RLIMIT_FSIZE, &limit) || ue_recorder_snapshot(copy) != -EFBIG)
			_exit(7);
		_exit(access(copy, F_OK) ? 0 : 6);
	}
	waitpid(child, &status, 0);
	assert_int_equal(status, 0);
}

/* ---- Control ---- */

TEST_SETUP_TEARDOWN(test_the_environment_starts_a_recorder, setup, end)
{
	static const struct {
		const char *suffix;
		size_t size;
	} sizes[] = { { "", 1 << 20 }, { ":64K", 65536 }, { ":8192", 8192 }, { ":2M", 2 << 20 } };
	static char long_value[4097];
	char value[100];

	assert_int_equal(ue_recorder_environment(), 0);
	setenv("UE_RECORD", "", 1);
	assert_int_equal(ue_recorder_environment(), 0);
	for (size_t i = 0; i < 4; i++) {
		struct stat status;

		snprintf(value, sizeof(value), "%s%s", path, sizes[i].suffix);
		setenv("UE_RECORD", value, 1);
		assert_int_equal(ue_recorder_environment(), 1);
		assert_int_equal(stat(path, &status), 0);
		assert_in_range(status.st_size, sizes[i].size, sizes[i].size * 17 / 16 + 8192);
		assert_int_equal(ue_recorder_environment(), -EBUSY);
		assert_int_equal(ue_recorder_close(), 0);
		unlink(path);
	}
	setenv("UE_RECORD", "/nowhere/file", 1);
	assert_int_equal(ue_recorder_environment(), -ENOENT);
	/* use a relative path, then a path that is too long */
	assert_int_equal(chdir("/tmp"), 0);
	snprintf(value, sizeof(value), "%s:8192", path + strlen("/tmp/"));
	setenv("UE_RECORD", value, 1);
	assert_int_equal(ue_recorder_environment(), 1);
	assert_int_equal(ue_recorder_close(), 0);
	assert_int_equal(unlink(path), 0);
	memset(long_value, 'p', sizeof(long_value) - 1);
	setenv("UE_RECORD", long_value, 1);
	assert_int_equal(ue_recorder_environment(), -ENAMETOOLONG);
	/* let the recorder keep the oldest events */
	for (size_t i = 0; i < 4; i++) {
		snprintf(value, sizeof(value), "%s%s:keep", path, sizes[i].suffix);
		setenv("UE_RECORD", value, 1);
		assert_int_equal(ue_recorder_environment(), 1);
		assert_true(ue__recorder_v1.recording->layout.flags & UE__RECORDER_KEEPS);
		assert_in_range(ue__recorder_v1.recording->layout.size, sizes[i].size,
				sizes[i].size * 17 / 16 + 8192);
		assert_int_equal(ue_recorder_close(), 0);
		unlink(path);
	}
	unsetenv("UE_RECORD");
}

TEST_SETUP_TEARDOWN(test_unknown_options_create_no_file, setup, end)
{
	static const char *const options[] = { ":",	    ":0",     ":64Q",
					       ":12X",	    ":64KK",  ":99999999999G",
					       ":64Q:keep", "::keep", ":64K:kep",
					       ":kep",	    ":keep:", ":64K:keep:x" };
	char value[100];

	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		snprintf(value, sizeof(value), "%s%s", path, options[i]);
		setenv("UE_RECORD", value, 1);
		assert_int_equal(ue_recorder_environment(), -EINVAL);
		assert_int_equal(access(value, F_OK), -1);
		assert_int_equal(access(path, F_OK), -1);
	}
	/* options are recognised only in the last component of the path */
	setenv("UE_RECORD", "/nowhere:1/file", 1);
	assert_int_equal(ue_recorder_environment(), -ENOENT);
	unsetenv("UE_RECORD");
}

TEST(test_each_recorder_error_has_a_message)
{
	static const struct {
		int error;
		const char *sentence;
	} rows[] = {
		{ EBUSY, "a recorder is already running" },
		{ EINVAL, "at least 4096 bytes" },
		{ EEXIST, "neither empty nor a recording" },
		{ EPERM, "another user" },
		{ ELOOP, "symbolic link" },
		{ EOPNOTSUPP, "does not reserve blocks" },
		{ EAGAIN, "try again" },
		{ EFBIG, "ulimit -f" },
		{ ENOSPC, "No space left on device" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (!strstr(ue_recorder_strerror(-rows[i].error), rows[i].sentence))
			fail_msg("%s", ue_recorder_strerror(-rows[i].error));
	assert_string_equal(ue_recorder_strerror(ENOSPC), "No space left on device");
}

static void on_signal(int signal)
{
	(void)signal;
	trace_numbered(1000, "in a handler");
	if (ue_recorder_snapshot(path))
		abort();
}

TEST_SETUP_TEARDOWN(test_a_signal_handler_takes_a_snapshot, setup, end)
{
	size_t size;
	char *bytes;

	assert_int_equal(ue_recorder_snapshot(path), -ENOENT);
	assert_int_equal(ue_recorder_open(NULL, 65536, 0), 0);
	for (uint32_t i = 0; i < 1000; i++)
		trace_numbered(i, "");
	signal(SIGUSR2, on_signal);
	raise(SIGUSR2);
	signal(SIGUSR2, SIG_DFL);
	bytes = content(path, &size);
	assert_int_equal(ue_recorder_read(&reader, bytes, size), 0);
	assert_int_equal(count_numbered(1000), 1001);
	free(bytes);
	assert_int_equal(ue_recorder_snapshot("/nowhere/file"), -ENOENT);
	assert_int_equal(ue_recorder_snapshot("/dev/full"), -EINVAL);
}

TEST_SETUP_TEARDOWN(test_a_recording_is_readable_while_it_is_written, setup, end)
{
	uint32_t n = 0;

	begin(8192);
	read_memory(8192);
	reader.follow = 1;
	for (uint32_t i = 0; i < 1000; i++) {
		if (i % 3 == 1)
			assert_int_equal(ue_recorder_next(&reader, &event), 0);
		trace_numbered(i, "");
		if (i % 3)
			continue;
		assert_int_equal(ue_recorder_more(&reader, memory, 8192), 0);
		while (ue_recorder_next(&reader, &event) == 1)
			assert_int_equal(ue_captured_u64(&event, "number"), n++);
		assert_int_equal(n, i + 1);
	}
	read_memory(8192);
	reader.follow = 1;
	while (ue_recorder_next(&reader, &event) == 1)
		;
	for (uint32_t i = 1000; i < 1050; i++)
		trace_numbered(i, "");
	assert_int_equal(ue_recorder_more(&reader, memory, 8192), 0);
	for (uint32_t i = 1000; i < 1050; i++) {
		next();
		assert_int_equal(ue_captured_u64(&event, "number"), i);
	}
	none_is_left();
	for (uint32_t i = 1050; i < 3000; i++)
		trace_numbered(i, "");
	n = (uint32_t)reader.overwritten;
	assert_int_equal(ue_recorder_more(&reader, memory, 8192), 0);
	assert_int_equal(count_numbered(2999) + (uint32_t)reader.overwritten - n, 1950);
	ue_recorder_close();
	begin(8192);
	assert_int_equal(ue_recorder_more(&reader, memory, 8192), -EBADMSG);
}

/* ---- Malicious files ---- */

static void read_all(const void *bytes, size_t size)
{
	unsigned int n = 0;

	if (ue_recorder_read(&reader, bytes, size))
		return;
	while (ue_recorder_next(&reader, &event) != 0) {
		char text[64];

		assert_true(n++ < 10000);
		ue_captured_string(&event, "text", text, sizeof(text));
		ue_captured_json(&event, 0, text, sizeof(text));
	}
}

TEST_SETUP_TEARDOWN(test_damaged_and_truncated_files_are_read_up_to_the_damage, setup, end)
{
	enum { SMALL = 4096 };
	char *copy = malloc(SMALL);
	size_t whole;

	begin(SMALL);
	for (uint32_t i = 0; i < 300; i++) {
		trace_numbered(i, "damaged");
		UE_LOG(info, "Log", UE_U32(i));
	}
	ue_recorder_close();
	/*
	 * Damages each byte of the file's head and of the first records, then a sample of the other
	 * records, which are similar. In each length, only the highest byte is set to 0xff.
	 */
	for (size_t i = 0; i < SMALL; i += i < 512 ? 1 : 13) {
		memcpy(copy, memory, SMALL);
		copy[i] = (char)(i % 2 ? 0xff : copy[i] ^ (1 << i / 2 % 8));
		read_all(copy, SMALL);
	}
	free(copy);
	read_memory(SMALL);
	whole = (size_t)reader.layout.size;
	for (size_t size = 0; size < whole; size += 61) {
		copy = malloc(size ? size : 1);
		memcpy(copy, memory, size);
		assert_int_equal(ue_recorder_read(&reader, copy, size), -EBADMSG);
		free(copy);
	}
	/* the recording may be at an unaligned address */
	copy = malloc(SMALL + 1);
	memcpy(copy + 1, memory, SMALL);
	assert_int_equal(ue_recorder_read(&reader, copy + 1, SMALL), 0);
	next();
	free(copy);
}

TESTS_MAIN
