/* SPDX-License-Identifier: MIT */
/*
 * If an event exceeds the size that tracers accept, UE_TRACE and UE_LOG truncate, record and count
 * it. Long strings and arrays share the space that the short ones leave, so the event remains
 * valid.
 */
#include "rounds.h"
#include "test.h"

#include <pthread.h>

#define FAKE_KERNEL_HOOKS
#include "fake_kernel.h"

#include <user_events_capture.h>
#include <user_events_decode.h>
#include <user_events_probe.h>

/*
 * MOST is the maximum size of an event, in bytes. A truncated event ends with the mark "UE_TRUNC";
 * TRUNCATED is the maximum size of the event without this mark.
 */
enum { MOST = 4064, MARK = 8, TRUNCATED = MOST - MARK, BIG = 70000 };

UE_EVENT_SET(info, "Shorten", UE_LEVEL_INFORMATION, 0x1);
#define TRACEPOINT "Shorten_L4K1"

static uint64_t random_state = 0x9e3779b97f4a7c15u;
static char text[BIG + 1];
static uint8_t bytes[BIG];
static uint32_t numbers[BIG];
static uint16_t units[BIG];

static uint64_t random64(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state * 0x2545f4914f6cdd1du;
}

/* Returns a random length. Short, long and almost maximal lengths are all likely. */
static size_t length(void)
{
	static const size_t most[] = { 1, 20, 500, 3000, 4064, 4200, 8200, 65000 };

	return (size_t)(random64() >> 11) % most[(random64() >> 20) % 8];
}

static int setup(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < BIG; i++) {
		text[i] = (char)('!' + random64() % 90);
		bytes[i] = (uint8_t)(random64() >> 30);
		numbers[i] = (uint32_t)(random64() >> 30);
		units[i] = (uint16_t)(random64() >> 30 | 1);
	}
	return 0;
}

static int traced(void **state)
{
	(void)state;
	ue_unregister_all();
	fake_kernel_reset(NULL);
	if (ue_register_all() != 0)
		return -1;
	fake_kernel_enable("*", FAKE_FTRACE);
	return 0;
}

/* Returns a string of N letters, which are the last ones of the array text. */
static const char *string(size_t n)
{
	return text + BIG - n;
}

static struct ue_status before;

static const struct fake_record *begin(void)
{
	fake_kernel_clear_records();
	before = ue_status();
	return NULL;
}

/*
 * Returns the new event, of which there must be exactly one. Checks that it was truncated if and
 * only if WHOLE exceeds the limit. A truncated event ends with the mark "UE_TRUNC", which is
 * removed from the returned record.
 */
static const struct fake_record *recorded(size_t whole)
{
	static struct fake_record unmarked;
	const struct fake_record *r = fake_kernel_record(0);
	struct ue_status now = ue_status();

	assert_int_equal(fake_kernel_records(), 1);
	assert_int_equal(fake_kernel_lost(), 0);
	assert_int_equal(now.cut, before.cut + (whole > MOST));
	assert_int_equal(now.large, before.large);
	assert_int_equal(now.failed, before.failed);
	if (whole <= MOST)
		assert_int_equal(r->size, whole);
	assert_true(r->size <= MOST);
	unmarked = *r;
	if (whole > MOST) {
		unmarked.size -= MARK;
		assert_memory_equal(r->data + unmarked.size, "UE_TRUNC", MARK);
	}
	return &unmarked;
}

/*
 * Sizes of a string or array in bytes, without the NUL: before truncation, of one element, and
 * after truncation.
 */
struct piece {
	size_t was, element, keeps;
};

/*
 * Computes the truncated size of each of the N pieces of an event. OTHER is the number of bytes in
 * the event that do not belong to any piece. Returns the event's size before truncation.
 */
static size_t share(struct piece *pieces, size_t n, size_t other)
{
	size_t whole = other, left, fair, longs = 0, i, most;

	for (i = 0; i < n; i++)
		whole += pieces[i].was;
	left = (whole > MOST ? TRUNCATED : MOST) - other;
	fair = left / n;
	for (i = 0; i < n; i++) {
		if (pieces[i].was <= fair)
			left -= pieces[i].was;
		else
			longs++;
	}
	for (i = 0; i < n; i++) {
		pieces[i].keeps = pieces[i].was;
		if (whole <= MOST || pieces[i].was <= fair)
			continue;
		most = left / longs--;
		most -= most % pieces[i].element;
		pieces[i].keeps = pieces[i].was < most ? pieces[i].was : most;
		left -= pieces[i].keeps;
	}
	return whole;
}

/* ---- Kernel-typed events ---- */

static uint32_t word_at(const struct fake_record *r, size_t at)
{
	uint32_t word;

	assert_true(at + 4 <= r->size);
	memcpy(&word, r->data + at, 4);
	return word;
}

/*
 * Checks that the data of the loc at offset AT starts at *END and consists of the first KEEPS bytes
 * of DATA.
 */
static void loc(const struct fake_record *r, size_t at, size_t *end, const void *data, size_t keeps,
		bool terminated)
{
	uint32_t word = word_at(r, at);

	assert_int_equal(word >> 16, keeps + terminated);
	assert_int_equal((word & 0xffff) + at + 4, *end);
	assert_true(*end + keeps + terminated <= r->size);
	assert_memory_equal(r->data + *end, data, keeps);
	*end += keeps;
	if (terminated)
		assert_int_equal(r->data[(*end)++], 0);
}

TEST_SETUP(test_each_string_or_array_of_a_kernel_typed_event_gets_its_share, traced)
{
	static const uint8_t id[16] = "no share of this";
	static const char *s;
	int i;

	for (i = 0; i < 2000; i++) {
		size_t n = length(), nb = length(), na = length(), nn = length() / 4, nt = length();
		struct piece k[] = {
			{ n, 1, 0 }, { 4 * nn, 4, 0 }, { na, 1, 0 }, { nb, 1, 0 }, { nt, 1, 0 }
		};
		size_t whole = share(k, 5, 45 + 3);
		uint64_t last = random64();
		uint64_t at;
		const struct fake_record *r = begin();
		size_t end = 45;

		s = string(n);
		UE_TRACE(cut_typed, UE_U8(first, 7), UE_STR(s), UE_ARRAY(U32, numbers, numbers, nn),
			 UE_STRN(part, text, na), UE_BYTES(bytes, bytes, nb), UE_U64(last),
			 UE_STR(t, string(nt)), UE_UUID(id));
		r = recorded(whole);
		assert_int_equal(r->data[0], 7);
		memcpy(&at, r->data + 17, 8);
		assert_true(at == last);
		loc(r, 1, &end, s, k[0].keeps, true);
		loc(r, 5, &end, numbers, k[1].keeps, false);
		loc(r, 9, &end, text, k[2].keeps, true);
		loc(r, 13, &end, bytes, k[3].keeps, false);
		loc(r, 25, &end, string(nt), k[4].keeps, true);
		assert_memory_equal(r->data + 29, id, 16);
		assert_int_equal(end, r->size);
	}
}

TEST_SETUP(test_a_single_string_of_any_length_fills_the_event, traced)
{
	static const size_t long_ones[] = { 65533, 65534, 65535, 65536, 65537, BIG };
	size_t i, n;

	for (i = 3000; i < 4200 + sizeof(long_ones) / sizeof(long_ones[0]); i++) {
		const struct fake_record *r = begin();
		size_t end = 21;

		n = i < 4200 ? i : long_ones[i - 4200];
		UE_TRACE(cut_string, UE_U8(a, 1), UE_STR(s, string(n)), UE_UUID(id, bytes));
		r = recorded(21 + n + 1);
		loc(r, 1, &end, string(n), n <= MOST - 22 ? n : TRUNCATED - 22, true);
		assert_int_equal(end, r->size);
		begin();
		UE_LOG(info, "string", UE_U8(a, 1), UE_STR(s, string(n)),
		       UE_FIXED_ARRAY(U32, f, numbers, 2));
		r = recorded(41 + n);
		assert_int_equal(r->size, MOST < 41 + n ? TRUNCATED : 41 + n);
		assert_memory_equal(r->data + 33, string(n), r->size - 41);
		assert_memory_equal(r->data + r->size - 8, numbers, 8);
	}
}

TEST_SETUP(test_truncation_never_splits_a_character, traced)
{
	static char euros[6001];
	int shift;
	size_t i;

	for (i = 0; i < 6000; i += 3)
		memcpy(euros + i, "\xe2\x82\xac", 3);
	for (shift = 0; shift < 3; shift++) {
		const char *s = string((size_t)shift);
		const struct fake_record *r = begin();

		UE_TRACE(cut_euros, UE_STR(s), UE_STR(e, euros));
		r = recorded(8000);
		assert_int_equal(((word_at(r, 4) >> 16) - 1) % 3, 0);
		assert_true(r->size > TRUNCATED - 3);
		begin();
		UE_LOG(info, "euros", s, UE_STR(e, euros));
		r = recorded(8000);
		assert_int_equal(r->data[r->size - 1], 0xac);
		assert_true(r->size > TRUNCATED - 3);
	}
}

/* ---- EventHeader events ---- */

static const char *names[] = { "kay", "a longer name of the list", "", "bee" };
static uint16_t points[3000];
static uint64_t fixed[600];

/* Checks that the next field is called NAME and contains the first KEEPS bytes of DATA. */
static void value(struct ue_decode_fields *fields, const char *name, const void *data, size_t keeps,
		  size_t element)
{
	const struct ue_decode_item *item = &fields->item;

	assert_int_equal(ue_decode_next(fields), 1);
	assert_int_equal(item->name_length, strlen(name));
	assert_memory_equal(item->name, name, strlen(name));
	assert_int_equal(item->size, keeps);
	assert_memory_equal(item->value, data, keeps);
	if (item->type == UE_DECODE_ARRAY) {
		assert_int_equal(item->count * element, keeps);
		while (ue_decode_next(fields) == 1 && item->type != UE_DECODE_ARRAY_END)
			;
	}
}

static void start(struct ue_decode_event *event, struct ue_decode_fields *fields,
		  const struct fake_record *r)
{
	ue_decode_parse(event, TRACEPOINT, strlen(TRACEPOINT), r->data, r->size);
	assert_int_equal(event->error, 0);
	ue_decode_start(fields, event);
}

static void finish(struct ue_decode_fields *fields)
{
	assert_int_equal(ue_decode_next(fields), 0);
	assert_int_equal(fields->error, 0);
	assert_int_equal(fields->payload_end - fields->payload, 0);
}

/*
 * Checks that an array starts here and contains the strings of LIST, truncated according to PIECES.
 * Returns the number of strings.
 */
static size_t elements(struct ue_decode_fields *fields, const char *name, const char *const *list,
		       const struct piece *pieces)
{
	size_t n = 0;

	assert_int_equal(ue_decode_next(fields), 1);
	assert_int_equal(fields->item.type, UE_DECODE_ARRAY);
	assert_memory_equal(fields->item.name, name, strlen(name));
	while (ue_decode_next(fields) == 1 &&
	       (fields->item.type != UE_DECODE_ARRAY_END || fields->item.depth)) {
		assert_int_equal(fields->item.size, pieces[n].keeps);
		assert_memory_equal(fields->item.value, list[n], fields->item.size);
		n++;
	}
	assert_int_equal(fields->item.type, UE_DECODE_ARRAY_END);
	return n;
}

TEST_SETUP(test_each_string_or_array_of_an_eventheader_event_gets_its_share, traced)
{
	static const char *list[20];
	uint8_t activity[16];
	int i, j;

	ue_activity_new(activity);
	for (i = 0; i < 20; i++)
		list[i] = names[i % 4];
	for (i = 0; i < 800; i++) {
		size_t n = length(), nb = length(), n16 = length() / 2, nn = length() / 4;
		size_t np = length() % 3000, nl = length() % 20, whole;
		struct piece k[25] = { { n, 1, 0 },
				       { 4 * nn, 4, 0 },
				       { 2 * n16, 2, 0 },
				       { nb, 1, 0 },
				       { 2 * np, 2, 0 } };
		const struct fake_record *r = begin();
		struct ue_decode_event event;
		struct ue_decode_fields fields;

		for (j = 0; j < (int)nl; j++)
			k[5 + j] = (struct piece){ strlen(list[j]), 1, 0 };
		UE_LOG(info, "cut", UE_ACTIVITY(i % 2 ? activity : NULL), UE_STR(s, string(n)),
		       UE_TAGGED(5, UE_FIXED_ARRAY(X64, fixed, 100)),
		       UE_ARRAY(U32, nn, numbers, nn),
		       UE_STRUCT(inner, UE_STR16N(wide, units, n16), UE_BYTES(b, bytes, nb)),
		       UE_ARRAY(U16, points, points, np), UE_ARRAY(STR, list, list, nl),
		       UE_U16(last, 0xbeef));
		/*
		 * size of the header, activity, block, metadata, and data that is never
		 * truncated
		 */
		whole = 8 + (i % 2 ? 20 : 0) + 4 + 4 + 3 + 12 + 4 + 8 + 6 + 3 + 8 + 6 + 6;
		whole = share(k, 5 + nl, whole + 800 + 6 * 2 + 2 * nl + 2);
		r = recorded(whole);
		start(&event, &fields, r);
		value(&fields, "s", string(n), k[0].keeps, 1);
		value(&fields, "fixed", fixed, 800, 8);
		assert_int_equal(fields.item.tag, 5);
		value(&fields, "nn", numbers, k[1].keeps, 4);
		assert_int_equal(ue_decode_next(&fields), 1);
		assert_int_equal(fields.item.type, UE_DECODE_STRUCT);
		value(&fields, "wide", units, k[2].keeps, 2);
		value(&fields, "b", bytes, k[3].keeps, 1);
		assert_int_equal(ue_decode_next(&fields), 1);
		assert_int_equal(fields.item.type, UE_DECODE_STRUCT_END);
		value(&fields, "points", points, k[4].keeps, 2);
		assert_int_equal(elements(&fields, "list", list, k + 5), nl);
		assert_int_equal(ue_decode_next(&fields), 1);
		assert_memory_equal(fields.item.value, "\xef\xbe", 2);
		finish(&fields);
	}
}

/*
 * If an event is too large even without its strings and variable arrays, it is counted but not
 * written.
 */
TEST_SETUP(test_constant_arrays_of_scalars_are_never_truncated, traced)
{
	static const char *const list[] = { "one", "two", "three" };
	static const struct piece kept[] = { { 3, 1, 2 }, { 3, 1, 2 }, { 5, 1, 3 } };
	uint64_t large, cut;
	const struct fake_record *r;
	struct ue_decode_event event;
	struct ue_decode_fields fields;

	begin();
	UE_LOG(info, "fixed", UE_FIXED_ARRAY(X64, fixed, 500), UE_STR(s, text),
	       UE_FIXED_ARRAY(STR, list, list, 3));
	r = recorded(MOST + 1);
	start(&event, &fields, r);
	value(&fields, "fixed", fixed, 4000, 8);
	/* header, metadata, counts and the mark leave 9 bytes */
	value(&fields, "s", text, 2, 1);
	assert_int_equal(elements(&fields, "list", list, kept), 3);
	finish(&fields);

	large = ue_status().large;
	cut = ue_status().cut;
	UE_LOG(info, "fixed", UE_FIXED_ARRAY(X64, fixed, 600), UE_STR(s, text + BIG - 10));
	assert_int_equal(fake_kernel_records(), 1);
	assert_int_equal(ue_status().large, large + 1);
	assert_int_equal(ue_status().cut, cut);
	assert_int_equal(ue_status().failed, before.failed);
}

/*
 * If the fixed fields alone exceed the size that tracers accept, the event is counted but not
 * packed, because packing would need stack space for all of its bytes.
 */
TEST_SETUP(test_a_kernel_typed_event_with_too_many_fixed_bytes_is_counted, traced)
{
	static unsigned char a[1024], b[1024], c[1024], d[1024];
	uint64_t large;

	begin();
	large = ue_status().large;
	UE_TRACE(four_arrays, UE_FIXED_ARRAY(U8, a, 1024), UE_FIXED_ARRAY(U8, b, 1024),
		 UE_FIXED_ARRAY(U8, c, 1024), UE_FIXED_ARRAY(U8, d, 1024));
	assert_int_equal(ue_status().large, large + 1);
	assert_int_equal(fake_kernel_lost(), 0);
}

/* ---- Tracers and probes ---- */

static size_t probed;

static void probe(struct ue_event *event, const void *payload, size_t size, void *data)
{
	(void)event;
	(void)payload;
	(void)data;
	probed = size;
}

TEST_SETUP(test_tracers_and_probes_get_the_same_truncated_event, traced)
{
	uint64_t cut;

	assert_int_equal(ue_probe_register(NULL, probe, NULL), 0);
	begin();
	UE_TRACE(cut_probed, UE_STR(s, string(5000)));
	assert_int_equal(recorded(5005)->size, TRUNCATED);
	assert_int_equal(probed, MOST);
	begin();
	UE_LOG(info, "probed", UE_STR(s, string(6000)));
	assert_int_equal(recorded(6024)->size, TRUNCATED);
	assert_int_equal(probed, MOST);
	fake_kernel_disable("*", FAKE_FTRACE);
	cut = ue_status().cut;
	UE_TRACE(cut_probed, UE_STR(s, string(7000)));
	assert_int_equal(probed, MOST);
	probed = 0;
	UE_LOG(info, "probed", UE_STR(s, string(6000)));
	assert_int_equal(probed, MOST);
	assert_int_equal(ue_status().cut, cut + 2);
	assert_int_equal(ue_probe_unregister(NULL, probe, NULL), 0);
}

/* ---- The mark at the end of a truncated event ---- */

static const char mark[] = "UE_TRUNC";

/*
 * Copies the only record to COPY, after 8 bytes for the common fields, and appends PADDING bytes of
 * padding that equal the start of the mark. Returns the total size.
 */
static size_t padded(unsigned char *copy, size_t padding)
{
	const struct fake_record *r = fake_kernel_record(0);

	assert_int_equal(fake_kernel_records(), 1);
	memset(copy, 0, 8);
	memcpy(copy + 8, r->data, r->size);
	memcpy(copy + 8 + r->size, mark, padding);
	return 8 + r->size + padding;
}

/* Reads the format of a kernel-typed event with this SPEC. */
static const struct ue_decode_format *format_of(const char *spec)
{
	static struct ue_decode_field fields[64];
	static struct ue_decode_format format;
	static char format_text[4096];

	ue_capture_format_text(spec, 1, format_text, sizeof(format_text));
	memset(&format, 0, sizeof(format));
	format.fields = fields;
	format.fields_max = 64;
	format.big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	assert_int_equal(ue_decode_format_parse(&format, format_text, strlen(format_text)), 0);
	return &format;
}

/*
 * Checks that the decoder reports the only record, a kernel-typed event, as truncated if TRUNCATED
 * is 1, and as complete if it is 0.
 */
static void typed_is_reported(const char *spec, int truncated)
{
	static unsigned char copy[BIG];
	static char json[2 * BIG];
	const struct ue_decode_format *format = format_of(spec);
	size_t padding, size;

	for (padding = 0; padding < 8; padding++) {
		size = padded(copy, padding);
		assert_int_equal(ue_decode_format_truncated(format, copy, size), truncated);
	}
	ue_decode_format_json(format, copy, size, NULL, 0, json, sizeof(json));
	assert_string_equal(strstr(json, ",\"meta\":{"),
			    truncated ? ",\"meta\":{\"truncated\":true}}" : ",\"meta\":{}}");
}

/* Performs the check of typed_is_reported() for an EventHeader event. */
static void log_is_reported(int truncated)
{
	static unsigned char copy[BIG];
	static char json[6 * BIG];
	struct ue_decode_event event;
	size_t padding, size;

	for (padding = 0; padding < 8; padding++) {
		size = padded(copy, padding);
		ue_decode_parse(&event, TRACEPOINT, strlen(TRACEPOINT), copy + 8, size - 8);
		assert_int_equal(ue_decode_truncated(&event), truncated);
	}
	ue_decode_json(&event, NULL, 0, json, sizeof(json));
	assert_int_equal(event.error, 0);
	assert_int_equal(strstr(json, "\"truncated\":true}}") != NULL, truncated);
}

TEST_SETUP(test_a_truncated_event_is_reported_at_every_length, traced)
{
	static const size_t long_ones[] = { 65534, 65535, 65536, BIG };
	size_t i, n;

	for (i = 3950; i < 4150 + sizeof(long_ones) / sizeof(long_ones[0]); i++) {
		n = i < 4150 ? i : long_ones[i - 4150];
		begin();
		UE_TRACE(cut_string, UE_U8(a, 1), UE_STR(s, string(n)), UE_UUID(id, bytes));
		typed_is_reported("cut_string u8 a; __rel_loc char[] s; unsigned char[16] id",
				  21 + n + 1 > MOST);
		begin();
		UE_TRACE(cut_bytes, UE_BYTES(b, bytes, n), UE_STR(s, "end"));
		typed_is_reported("cut_bytes __rel_loc u8[] b; __rel_loc char[] s",
				  8 + n + 4 > MOST);
		begin();
		UE_LOG(info, "string", UE_U8(a, 1), UE_STR(s, string(n)),
		       UE_FIXED_ARRAY(U32, f, numbers, 2));
		log_is_reported(41 + n > MOST);
	}
}

/* Long characters leave up to 3 bytes of the space unused, so the mark moves. */
TEST_SETUP(test_the_mark_follows_a_whole_character, traced)
{
	static char s[6001];
	size_t shift, i;

	for (shift = 0; shift < 4; shift++) {
		memset(s, 'a', shift);
		for (i = shift; i + 4 < sizeof(s); i += 4)
			memcpy(s + i, "\xf0\x9f\x98\x80", 4);
		s[i] = '\0';
		begin();
		UE_TRACE(whole, UE_STR(s));
		assert_in_range(fake_kernel_record(0)->size, MOST - 3, MOST);
		typed_is_reported("whole __rel_loc char[] s", 1);
		begin();
		UE_LOG(info, "whole", UE_STR(s));
		assert_in_range(fake_kernel_record(0)->size, MOST - 3, MOST);
		log_is_reported(1);
	}
}

/*
 * If a field's data ends with the bytes of the mark, the event is not truncated. Only bytes after
 * the last field are a mark.
 */
TEST_SETUP(test_data_that_ends_with_the_mark_is_not_a_truncated_event, traced)
{
	static uint8_t data[5000];
	static uint8_t fixed_data[8];
	size_t i;

	for (i = 0; i + 8 <= sizeof(data); i += 8)
		memcpy(data + i, mark, 8);
	memcpy(fixed_data, mark, 8);
	for (i = 0; i < 64; i++) {
		begin();
		UE_TRACE(cut_data, UE_BYTES(b, data, i));
		typed_is_reported("cut_data __rel_loc u8[] b", 0);
		begin();
		UE_LOG(info, "data", UE_BYTES(b, data, i));
		log_is_reported(0);
	}
	begin();
	UE_TRACE(cut_fixed, UE_FIXED_ARRAY(U8, b, fixed_data, 8));
	typed_is_reported("cut_fixed unsigned char[8] b", 0);
	begin();
	UE_LOG(info, "data", UE_FIXED_ARRAY(U8, b, fixed_data, 8));
	log_is_reported(0);
	for (i = 4060; i < sizeof(data); i++) {
		begin();
		UE_TRACE(cut_data, UE_BYTES(b, data, i));
		typed_is_reported("cut_data __rel_loc u8[] b", 4 + i > MOST);
		begin();
		UE_LOG(info, "data", UE_BYTES(b, data, i));
		log_is_reported(1);
	}
}

/* A damaged event is reported as damaged, because the end of its fields is unknown. */
TEST_SETUP(test_a_damaged_event_is_not_reported_as_truncated, traced)
{
	const struct ue_decode_format *format = format_of("whole __rel_loc char[] s");
	static unsigned char copy[BIG];
	struct ue_decode_event event;
	size_t size;

	begin();
	UE_TRACE(whole, UE_STR(s, string(5000)));
	size = padded(copy, 0);
	assert_int_equal(ue_decode_format_truncated(format, copy, size), 1);
	copy[8]++;
	assert_int_equal(ue_decode_format_truncated(format, copy, size), 0);
	memset(copy + 8, 0xff, 4);
	assert_int_equal(ue_decode_format_truncated(format, copy, size), 0);
	for (size = 0; size < 20; size++)
		assert_int_equal(ue_decode_format_truncated(format, copy, size), 0);

	begin();
	UE_LOG(info, "whole", UE_STR(s, string(5000)));
	for (size = padded(copy, 0) - 1; size > 8; size--) {
		ue_decode_parse(&event, TRACEPOINT, strlen(TRACEPOINT), copy + 8, size - 8);
		assert_int_equal(ue_decode_truncated(&event), 0);
	}
	size = padded(copy, 0);
	copy[8 + 7]++; /* the level */
	ue_decode_parse(&event, TRACEPOINT, strlen(TRACEPOINT), copy + 8, size - 8);
	assert_int_equal(event.error, UE_DECODE_ELEVEL);
	assert_int_equal(ue_decode_truncated(&event), 0);
	/* without metadata, all bytes after the header are the value "payload" */
	memset(copy, 0, 8);
	memcpy(copy + 8, mark, 8);
	ue_decode_parse(&event, NULL, 0, copy, 16);
	assert_int_equal(ue_decode_truncated(&event), 0);
}

/* If an event's fixed fields leave no space for the mark, the event is counted but not written. */
TEST_SETUP(test_a_truncated_event_without_space_for_the_mark_is_counted, traced)
{
	static const uint8_t head[1000];
	const size_t fixed_bytes = 4052 + 4 + 1;
	uint64_t large;
	size_t n;

	for (n = 0; n < 40; n++) {
		begin();
		large = ue_status().large;
		UE_TRACE(cut_full, UE_FIXED_ARRAY(U8, a, head, 1000),
			 UE_FIXED_ARRAY(U8, b, head, 1000), UE_FIXED_ARRAY(U8, c, head, 1000),
			 UE_FIXED_ARRAY(U8, d, head, 1000), UE_FIXED_ARRAY(U8, e, head, 52),
			 UE_STRN(s, text, n));
		assert_int_equal(fake_kernel_records(), fixed_bytes + n <= MOST);
		assert_int_equal(ue_status().large - large, fixed_bytes + n > MOST);
	}
}

/* ---- Strings that another thread changes ---- */

static volatile bool racing;

/* Repeatedly lengthens and shortens S. */
static void *lengthens(void *s)
{
	volatile char *end = (volatile char *)s + 300;

	while (racing) {
		*end = 'x';
		*end = '\0';
	}
	return NULL;
}

TEST_SETUP(test_an_event_stays_valid_if_its_string_changes_concurrently, traced)
{
	static char s[400];
	const char *const list[] = { s, s };
	pthread_t thread;
	int i;

	memset(s, 's', sizeof(s) - 1);
	racing = true;
	assert_int_equal(pthread_create(&thread, NULL, lengthens, s), 0);
	for (i = 0; i < ROUNDS_OF(20000); i++) {
		struct ue_decode_event event;
		struct ue_decode_fields fields;
		const struct fake_record *r;
		uint32_t word;

		begin();
		UE_TRACE(raced, UE_STR(s), UE_STR(again, s));
		r = fake_kernel_record(0);
		word = word_at(r, 0);
		assert_int_equal((word & 0xffff) + 4 + (word >> 16), (word_at(r, 4) & 0xffff) + 8);
		assert_int_equal(r->data[(word & 0xffff) + 4 + (word >> 16) - 1], 0);
		assert_int_equal(r->data[r->size - 1], 0);
		begin();
		UE_LOG(info, "raced", UE_STR(s), UE_ARRAY(STR, list, list, 2),
		       UE_U32(last, 0xdeadbeef));
		start(&event, &fields, fake_kernel_record(0));
		assert_int_equal(ue_decode_next(&fields), 1);
		assert_in_range(fields.item.size, 300, 399);
		assert_int_equal(ue_decode_next(&fields), 1);
		while (ue_decode_next(&fields) == 1 && fields.item.type != UE_DECODE_ARRAY_END)
			assert_in_range(fields.item.size, 300, 399);
		value(&fields, "last", &(uint32_t){ 0xdeadbeef }, 4, 4);
		finish(&fields);
	}
	racing = false;
	pthread_join(thread, NULL);
}

/*
 * Characters of two, three and four bytes, with even and odd byte values, at each position around
 * the size limit. The truncated text must end with a whole character and be as long as possible.
 */
TEST_SETUP(test_a_character_is_never_split_at_any_position, traced)
{
	static const char *const characters[] = { "\xc2\x80",	      "\xc3\xbf",
						  "\xe0\xa0\x80",     "\xef\xbf\xbd",
						  "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf" };
	static char s[BIG];
	size_t limit, size, width, i, k, at;

	memset(s, 'a', sizeof(s) - 1);
	begin();
	UE_TRACE(whole, UE_STR(s));
	limit = (word_at(fake_kernel_record(0), 0) >> 16) - 1;
	for (i = 0; i < sizeof(characters) / sizeof(characters[0]); i++) {
		width = strlen(characters[i]);
		for (k = 0; k < width; k++) {
			memset(s, 'a', k);
			for (at = k; at + width < sizeof(s); at += width)
				memcpy(s + at, characters[i], width);
			s[at] = 0;
			begin();
			UE_TRACE(whole, UE_STR(s));
			size = (word_at(fake_kernel_record(0), 0) >> 16) - 1;
			assert_in_range(size, limit - width + 1, limit);
			assert_int_equal((size - k) % width, 0);
		}
	}
}

TESTS_MAIN_WITH(setup, NULL)
