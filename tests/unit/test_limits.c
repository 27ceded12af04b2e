// SPDX-License-Identifier: MIT
/*
 * Tests events near two size limits:
 *
 * - The name and fields of an event may together have at most 511 bytes. UE_TRACE rejects longer
 *   ones at compile time, and ue_event_register() rejects them at run time.
 * - The buffer of the fast path has UE_INLINE_BYTES for strings and 384 bytes for the rest. Larger
 *   events take the slow path. build.mk adds -fstack-protector-strong, which detects writes after
 *   the buffer.
 */

#include "test.h"

#include "fake_kernel.h"

#define UE_SYS_OPEN(path, flags) fake_open(path, flags)
#define UE_SYS_CLOSE(fd) fake_close(fd)
#define UE_SYS_IOCTL(fd, request, argument) fake_ioctl(fd, request, argument)
#define UE_SYS_WRITE(fd, buffer, size) my_write(fd, buffer, size)
#define UE_SYS_WRITEV(fd, iov, count) fake_writev(fd, iov, count)
/* not a multiple of 16, so that GCC leaves no gap between the buffer and the canary after it */
#define UE_INLINE_BYTES 264
static ssize_t my_write(int fd, const void *buffer, size_t size);
#include <user_events.h>

/* Returns a spec of SIZE bytes that consists of a name and one field. */
static const char *definition(size_t size)
{
	static char spec[600];
	size_t n = (size_t)sprintf(spec, "long_event u8 ");

	memset(spec + n, 'f', size - n);
	spec[size] = '\0';
	return spec;
}

TEST(test_an_event_of_511_bytes_is_registered)
{
	static struct ue_event event;
	char text[512];

	assert_int_equal(ue_event_register(&event, definition(511), 0), 0);
	assert_int_equal(ue_event_spec(&event, text, sizeof(text)), 511);
	assert_string_equal(text, definition(511));
	assert_int_equal(ue_event_unregister(&event), 0);
}

TEST(test_status_reports_an_event_over_511_bytes)
{
	static struct ue_event event;
	struct ue_status status;

	assert_int_equal(ue_event_register(&event, definition(512), 0), -EINVAL);
	status = ue_status();
	assert_int_equal(status.error, -EINVAL);
	assert_non_null(strstr(status.message, "long_event"));
	assert_non_null(strstr(status.message,
			       "name and fields together exceed the kernel's limit of 511 "));
}

/* ---- The fast path ---- */

enum { FAST_BYTES = 384, INLINE_BYTES = UE_INLINE_BYTES, MOST_VALUES = 16 };

UE_EVENT_SET(set, "Limits", UE_LEVEL_INFORMATION, 1);

static const unsigned char id[16] = "activity", related[16] = "related";
static uintptr_t written_at; /* address of the last written buffer */

static ssize_t my_write(int fd, const void *buffer, size_t size)
{
	written_at = (uintptr_t)buffer;
	return fake_write(fd, buffer, size);
}

typedef void write_function(struct ue_event *event, const struct ue__f_desc *d, uint64_t v0,
			    uint64_t v1, uint64_t v2, uint64_t v3, ...);

/*
 * An event and its expected payload. The descriptor is the one that UE_TRACE or UE_LOG generates,
 * but the size of its constant part is chosen at run time.
 */
struct packed {
	struct {
		struct ue__f_desc head;
		uint32_t words[300]; /* types, a zero, header and metadata of a UE_LOG event */
	} d;
	uint64_t values[MOST_VALUES];
	unsigned char expected[2000];
	size_t size;
};

static void expect_bytes(struct packed *e, const void *data, size_t size)
{
	memcpy(e->expected + e->size, data, size);
	e->size += size;
}

static void add_field(struct packed *e, uint32_t type, uint64_t value)
{
	e->d.words[e->d.head.types++] = type;
	e->values[e->d.head.values++] = value;
	e->d.head.pieces++;
}

static uint64_t bits(const void *p)
{
	return (uintptr_t)p;
}

/*
 * Writes an event and checks its bytes. Returns the address of the buffer. All events in the fast
 * path have the same address, because they are written from here. The slow path has its own frame.
 */
static __attribute__((__noinline__)) uintptr_t
write_packed(struct packed *e, struct ue_event *event, write_function *write)
{
	const uint64_t *v = e->values;
	const struct fake_record *r;

	fake_kernel_clear_records();
	write(event, &e->d.head, v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10],
	      v[11], v[12], v[13], v[14], v[15]);
	r = fake_kernel_record(0);
	assert_int_equal(fake_kernel_records(), 1);
	assert_int_equal(r->size, e->size);
	assert_memory_equal(r->data, e->expected, e->size);
	return written_at;
}

/*
 * Writes a UE_LOG event with SIZE bytes of header and metadata, IDS activity IDs, N numbers, and,
 * if LENGTH is not 0, a string of LENGTH letters.
 */
static uintptr_t write_log(size_t size, unsigned int ids, unsigned int n, size_t length)
{
	static struct packed e;
	static unsigned char meta[1000];
	static char text[2 * INLINE_BYTES];
	size_t start = sizeof(struct ue__f_header);
	uint16_t block[2] = { (uint16_t)(16 * ids),
			      UE__F_EXTENSION_ACTIVITY | UE__F_EXTENSION_MORE };
	uint16_t count = (uint16_t)length;
	unsigned int i;

	memset(&e, 0, sizeof(e));
	e.d.head.variant = UE__F_DESC_LOG;
	e.d.head.size = (uint16_t)size;
	for (i = 0; i < size; i++)
		meta[i] = (unsigned char)i;
	meta[offsetof(struct ue__f_header, level)] = UE_LEVEL_INFORMATION;
	expect_bytes(&e, meta, start);
	meta[offsetof(struct ue__f_header, level)] = 0; /* an event has the level of its set */
	if (ids) {
		add_field(&e, UE__F_T_ACTIVITY, bits(id));
		e.values[e.d.head.values++] = ids == 2 ? bits(related) : 0;
		expect_bytes(&e, block, sizeof(block));
		expect_bytes(&e, id, 16);
		expect_bytes(&e, related, 16 * (ids - 1));
	}
	expect_bytes(&e, meta + start, size - start);
	for (i = 0; i < n; i++) {
		uint64_t value = 0x0101010101010101u * (i + 1);

		add_field(&e, UE__F_TYPE(U64), value);
		expect_bytes(&e, &value, 8);
	}
	if (length) {
		memset(text, 't', sizeof(text));
		text[length] = '\0';
		add_field(&e, UE__F_TYPE(STR), bits(text));
		expect_bytes(&e, &count, 2);
		expect_bytes(&e, text, length);
	}
	memcpy(&e.d.words[e.d.head.types + 1], meta, size);
	return write_packed(&e, ue__i_event_of(&set), ue__i_write_log_v1);
}

static int enable_set(void **state)
{
	(void)state;
	ue_register_all();
	return fake_kernel_enable("Limits_L4K1", FAKE_FTRACE) == 1 ? 0 : -1;
}

/*
 * In addition to header and metadata, the fast path reserves 4 bytes for the index, 36 for an
 * activity, 8 for each type, and 8 after the last field. The strings share INLINE_BYTES bytes.
 */
TEST_SETUP(test_log_takes_the_fast_path_up_to_its_buffer, enable_set)
{
	uintptr_t fast = write_log(20, 0, 0, 0);
	unsigned int ids, n;
	size_t size, length;

	for (ids = 0; ids <= 2; ids++)
		for (n = 0; n <= 12; n++)
			for (length = 0; length < INLINE_BYTES; length += INLINE_BYTES - 1) {
				size_t types = (ids > 0) + n + (length > 0);
				size_t most = FAST_BYTES - 4 - 36 - 8 * types - 8;

				for (size = 20; size <= most + 16; size += size + 16 < most ? 9 : 1)
					assert_int_equal(write_log(size, ids, n, length) == fast,
							 size <= most);
			}
}

TEST_SETUP(test_log_takes_the_fast_path_for_short_strings, enable_set)
{
	uintptr_t fast = write_log(20, 0, 0, 0);
	size_t length;

	for (length = INLINE_BYTES - 16; length <= INLINE_BYTES + 16; length++)
		assert_int_equal(write_log(100, 2, 3, length) == fast, length < INLINE_BYTES);
}

/*
 * Writes a UE_TRACE event with N numbers, a string of LENGTH letters, and, if BYTES is not 0, an
 * array of that many bytes.
 */
static uintptr_t write_kernel(unsigned int n, size_t length, size_t bytes)
{
	static struct packed e;
	static char text[2 * INLINE_BYTES], array[500];
	struct ue_event event;
	char spec[512] = "limits";
	uint32_t loc = (uint32_t)((length + 1) << 16 | bytes);
	const uint32_t char_array = UE__F_KIND(VALUE8) | UE_FORMAT_STRING8 << 5 | UE__F_T_DATA |
				    UE__F_T_CARRAY;
	uintptr_t at;
	unsigned int i;

	memset(&e, 0, sizeof(e));
	memset(&event, 0, sizeof(event));
	memset(text, 't', sizeof(text));
	memset(array, 'a', sizeof(array));
	text[length] = '\0';
	for (i = 0; i < n; i++) {
		uint64_t value = 0x0101010101010101u * (i + 1);

		sprintf(strchr(spec, '\0'), " u64 n%u;", i);
		add_field(&e, UE__F_TYPE(U64), value);
		expect_bytes(&e, &value, 8);
	}
	strcat(spec, " __rel_loc char[] text");
	add_field(&e, UE__F_TYPE(STR), bits(text));
	expect_bytes(&e, &loc, 4);
	if (bytes) {
		sprintf(strchr(spec, '\0'), "; char[%zu] array", bytes);
		add_field(&e, char_array | UE__F_T_LENGTH(bytes), bits(array));
		expect_bytes(&e, array, bytes);
	}
	e.d.head.variant = UE__F_DESC_KERNEL;
	e.d.head.size = (uint16_t)(8 * n + 4 + bytes);
	expect_bytes(&e, text, length + 1);
	assert_int_equal(ue_event_register(&event, spec, 0), 0);
	assert_int_equal(fake_kernel_enable("limits", FAKE_FTRACE), 1);
	at = write_packed(&e, &event, ue__i_write_kernel_v1);
	fake_kernel_disable("limits", FAKE_FTRACE);
	assert_int_equal(ue_event_unregister(&event), 0);
	return at;
}

TEST(test_trace_takes_the_fast_path_for_numbers_and_short_strings)
{
	uintptr_t fast = write_kernel(0, 1, 0);
	size_t length;
	unsigned int n;

	for (n = 0; n < MOST_VALUES; n++)
		for (length = INLINE_BYTES - 4; length <= INLINE_BYTES + 4; length++)
			assert_int_equal(write_kernel(n, length, 0) == fast, length < INLINE_BYTES);
}

/* The fast path stores the string before it finds the array, which only the slow path supports. */
TEST(test_trace_of_a_string_and_an_array_stays_in_the_buffer)
{
	size_t bytes, most = FAST_BYTES - 4 - 4 - 8;

	for (bytes = most - 16; bytes <= most + 16; bytes++)
		assert_true(write_kernel(0, INLINE_BYTES - 1, bytes));
}

TESTS_MAIN
