/* SPDX-License-Identifier: MIT */
/*
 * An event that is larger than what a tracer takes is cut, recorded and counted: its longest strings
 * and arrays, as little as possible, so that what is left is an event of its format.
 */
#include "no_cmocka.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAKE_KERNEL_HOOKS
#include "fake_kernel.h"

#include <user_events.h>
#include <user_events_decode.h>

enum { MOST = 4064, BIG = 70000 };

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

/* Often short, often beside the limit, often long. */
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

/* A string of N letters, which ends there. */
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

/* The one event since, which is there, and cut if it had to be. */
static const struct fake_record *recorded(size_t whole)
{
	const struct fake_record *r = fake_kernel_record(0);
	struct ue_status now = ue_status();

	assert_int_equal(fake_kernel_records(), 1);
	assert_int_equal(fake_kernel_lost(FAKE_FTRACE), 0);
	assert_int_equal(now.cut, before.cut + (whole > MOST));
	assert_int_equal(now.large, before.large);
	assert_int_equal(now.failed, before.failed);
	if (whole <= MOST)
		assert_int_equal(r->size, whole);
	assert_true(r->size <= MOST);
	return r;
}

/* What an array or string was and is. SLACK: bytes that its elements leave unused at most. */
struct kept {
	size_t was, is, slack;
};

/* There is one limit that all were cut to, and nothing shorter was cut; it is the largest that fits. */
static void check_fair(const struct kept *k, size_t n, size_t size, size_t whole)
{
	size_t least = 0, most = SIZE_MAX, slack = 0, i;

	for (i = 0; i < n; i++) {
		assert_true(k[i].is <= k[i].was);
		if (whole <= MOST)
			assert_int_equal(k[i].is, k[i].was);
		if (k[i].is > least)
			least = k[i].is;
		if (k[i].is == k[i].was)
			continue;
		if (k[i].is + k[i].slack < most)
			most = k[i].is + k[i].slack;
		slack += k[i].slack + 1; /* with one byte more for each it does not fit */
	}
	assert_true(least <= most);
	assert_true(whole <= MOST || size + slack > MOST);
}

/* ---- Kernel-typed events ---- */

static uint32_t word_at(const struct fake_record *r, size_t at)
{
	uint32_t word;

	assert_true(at + 4 <= r->size);
	memcpy(&word, r->data + at, 4);
	return word;
}

/* The data of the loc at AT begins at *END, and is the begin of what it was. */
static struct kept loc(const struct fake_record *r, size_t at, size_t *end, const void *data,
		       size_t was, size_t element, bool terminated)
{
	struct kept k = { was, 0, element - 1 };
	uint32_t word = word_at(r, at);

	k.is = (word >> 16) - terminated;
	assert_int_equal((word & 0xffff) + at + 4, *end);
	assert_true(*end + k.is + terminated <= r->size);
	assert_int_equal(k.is % element, 0);
	assert_memory_equal(r->data + *end, data, k.is);
	*end += k.is;
	if (terminated)
		assert_int_equal(r->data[(*end)++], 0);
	return k;
}

static void test_a_cut_kernel_typed_event_is_one(void **state)
{
	static const char *s;
	int i;

	(void)state;
	for (i = 0; i < 2000; i++) {
		size_t n = length(), nb = length(), na = length(), nn = length() / 4, nt = length();
		size_t whole = 1 + 5 * 4 + 8 + n + 1 + nt + 1 + na + 1 + nb + 4 * nn;
		uint64_t last = random64();
		uint64_t at;
		const struct fake_record *r = begin();
		struct kept k[5];
		size_t end = 29;

		s = string(n);
		UE_TRACE(cut_typed, UE_U8(first, 7), UE_STR(s), UE_ARRAY(U32, numbers, numbers, nn),
			 UE_STRN(part, text, na), UE_BYTES(bytes, bytes, nb), UE_U64(last),
			 UE_STR(t, string(nt)));
		r = recorded(whole);
		assert_int_equal(r->data[0], 7);
		memcpy(&at, r->data + 17, 8);
		assert_true(at == last);
		k[0] = loc(r, 1, &end, s, n, 1, true);
		k[1] = loc(r, 5, &end, numbers, 4 * nn, 4, false);
		k[2] = loc(r, 9, &end, text, na, 1, true);
		k[3] = loc(r, 13, &end, bytes, nb, 1, false);
		k[4] = loc(r, 25, &end, string(nt), nt, 1, true);
		assert_int_equal(end, r->size);
		check_fair(k, 5, r->size, whole);
	}
}

/* The shorter ways that events of few fields take: nothing is lost from one to the next. */
static void test_strings_of_every_length_are_recorded(void **state)
{
	size_t n;

	(void)state;
	for (n = 3000; n < 4200; n++) {
		const struct fake_record *r = begin();
		size_t end = 5;

		UE_TRACE(cut_string, UE_U8(a, 1), UE_STR(s, string(n)));
		r = recorded(5 + n + 1);
		assert_int_equal(loc(r, 1, &end, string(n), n, 1, true).is,
				 n < MOST - 6 ? n : MOST - 6);
		begin();
		UE_LOG(info, "string", UE_U8(a, 1), UE_STR(s, string(n)));
		r = recorded(8 + 4 + 7 + 3 + 3 + 1 + n + 1);
		assert_int_equal(r->size, MOST < 27 + n ? MOST : 27 + n);
		assert_memory_equal(r->data + 26, string(n), r->size - 27);
		assert_int_equal(r->data[r->size - 1], 0);
	}
}

static void test_no_character_is_cut_in_half(void **state)
{
	static char euros[6001];
	int shift;
	size_t i;

	(void)state;
	for (i = 0; i < 6000; i += 3)
		memcpy(euros + i, "\xe2\x82\xac", 3);
	for (shift = 0; shift < 3; shift++) {
		const char *s = string((size_t)shift);
		const struct fake_record *r = begin();

		UE_TRACE(cut_euros, UE_STR(s), UE_STR(e, euros));
		r = recorded(8000);
		assert_int_equal(((word_at(r, 4) >> 16) - 1) % 3, 0);
		assert_true(r->size > MOST - 3);
		begin();
		UE_LOG(info, "euros", s, UE_STR(e, euros));
		r = recorded(8000);
		assert_int_equal(r->data[r->size - 2], 0xac);
		assert_true(r->size > MOST - 3);
	}
}

/* ---- EventHeader events ---- */

static const char *names[] = { "kay", "a longer name of the list", "", "bee" };
static struct point {
	uint8_t x, y, z;
} points[3000];
static uint64_t fixed[600];

/* The value of the next field, which is named NAME, is the begin of what it was. */
static struct kept value(struct ue_decode_fields *fields, const char *name, const void *data,
			 size_t was, size_t element)
{
	const struct ue_decode_item *item = &fields->item;
	struct kept k = { was, 0, element - 1 };

	assert_int_equal(ue_decode_next(fields), 1);
	assert_int_equal(item->name_length, strlen(name));
	assert_memory_equal(item->name, name, strlen(name));
	k.is = item->size;
	assert_int_equal(k.is % element, 0);
	assert_true(k.is <= was);
	assert_memory_equal(item->value, data, k.is);
	if (item->type == UE_DECODE_ARRAY) {
		assert_int_equal(item->count * element, k.is);
		while (ue_decode_next(fields) == 1 && item->type != UE_DECODE_ARRAY_END)
			;
	}
	return k;
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

/* Elements of the array that begins now, each of SIZE bytes (0: a string of LIST). */
static size_t elements(struct ue_decode_fields *fields, const char *name, const char *const *list)
{
	size_t n = 0;

	assert_int_equal(ue_decode_next(fields), 1);
	assert_int_equal(fields->item.type, UE_DECODE_ARRAY);
	assert_memory_equal(fields->item.name, name, strlen(name));
	while (ue_decode_next(fields) == 1 &&
	       (fields->item.type != UE_DECODE_ARRAY_END || fields->item.depth)) {
		if (fields->item.type == UE_DECODE_STRUCT)
			n++;
		if (!list)
			continue;
		assert_int_equal(fields->item.size, strlen(list[n]));
		assert_memory_equal(fields->item.value, list[n], fields->item.size);
		n++;
	}
	assert_int_equal(fields->item.type, UE_DECODE_ARRAY_END);
	return n;
}

static void test_a_cut_eventheader_event_is_one(void **state)
{
	static const char *list[20];
	uint8_t activity[16];
	int i, j;

	(void)state;
	ue_activity_new(activity);
	for (i = 0; i < 20; i++)
		list[i] = names[i % 4];
	for (i = 0; i < 800; i++) {
		size_t n = length(), nb = length(), n16 = length() / 2, nn = length() / 4;
		size_t np = length() % 3000, nl = length() % 20, list_size = 0, whole;
		const struct fake_record *r = begin();
		struct ue_decode_event event;
		struct ue_decode_fields fields;
		struct kept k[7];

		for (j = 0; j < (int)nl; j++)
			list_size += strlen(list[j]) + 1;
		UE_LOG(info, "cut", UE_ACTIVITY(i % 2 ? activity : NULL), UE_STR(s, string(n)),
		       UE_TAGGED(5, UE_FIXED_ARRAY(X64, fixed, 600)),
		       UE_ARRAY(U32, nn, numbers, nn),
		       UE_STRUCT(inner, UE_STR16N(wide, units, n16), UE_BYTES(b, bytes, nb)),
		       UE_STRUCT_ARRAY(points, points, np, UE_U8(x),
				       UE_FIXED_ARRAY(U8, yz, points, 2)),
		       UE_ARRAY(STR, list, list, nl), UE_U16(last, 0xbeef));
		/* header, activity, block, metadata, and the data */
		whole = 8 + (i % 2 ? 20 : 0) + 4 + 4 + 3 + 12 + 5 + 8 + 7 + 4 + 9 + 3 + 7 + 6 + 6 +
			6;
		whole += n + 1 + 4800 + 2 + 4 * nn + 2 + 2 * n16 + 2 + nb + 2 + 3 * np + 2 +
			 list_size + 2;
		r = recorded(whole);
		start(&event, &fields, r);
		k[0] = value(&fields, "s", string(n), n, 1);
		k[1] = value(&fields, "fixed", fixed, 4800, 8);
		assert_int_equal(fields.item.tag, 5);
		k[2] = value(&fields, "nn", numbers, 4 * nn, 4);
		assert_int_equal(ue_decode_next(&fields), 1);
		assert_int_equal(fields.item.type, UE_DECODE_STRUCT);
		k[3] = value(&fields, "wide", units, 2 * n16, 2);
		k[4] = value(&fields, "b", bytes, nb, 1);
		assert_int_equal(ue_decode_next(&fields), 1);
		assert_int_equal(fields.item.type, UE_DECODE_STRUCT_END);
		k[5].was = 3 * np;
		k[5].is = 3 * elements(&fields, "points", NULL);
		k[5].slack = 2;
		k[6].was = list_size;
		nl = elements(&fields, "list", list);
		for (j = 0, k[6].is = 0; j < (int)nl; j++)
			k[6].is += strlen(list[j]) + 1;
		k[6].slack = 25;
		assert_int_equal(ue_decode_next(&fields), 1);
		assert_memory_equal(fields.item.value, "\xef\xbe", 2);
		finish(&fields);
		check_fair(k, 7, r->size, whole);
	}
}

static void test_a_cut_event_of_a_builder_is_one(void **state)
{
	static char buffer[200000];
	int i;
	unsigned int j;

	(void)state;
	for (i = 0; i < 500; i++) {
		size_t n = length(), n32 = length() / 4, nn = length() / 4, nb = length(), whole;
		unsigned int peers = 1 + (unsigned int)(random64() >> 20) % 100, left;
		const struct fake_record *r = begin();
		struct ue_decode_event event;
		struct ue_decode_fields fields;
		struct ue_builder b;

		ue_builder_begin(&b, buffer, sizeof(buffer), "built", 0);
		ue_add_str(&b, "s", string(n));
		ue_add_array_u32(&b, "nn", numbers, nn);
		ue_add_fixed_array_u64(&b, "fixed", fixed, 600);
		ue_struct_array_begin(&b, "peers");
		for (j = 0; j < peers; j++) {
			ue_struct_array_next(&b);
			ue_add_u8(&b, "id", (uint8_t)j);
			ue_add_str(&b, "host", string(j));
			ue_add_fixed_array_u16(&b, "ports", units, 3);
		}
		ue_struct_end(&b);
		ue_add_str32n(&b, "wide", numbers, n32);
		ue_add_bytes(&b, "b", bytes, nb);
		ue_add_u16(&b, "last", 0xbeef);
		assert_int_equal(ue_builder_write(&b, &info, NULL, NULL), 0);
		whole = 8 + 4 + 6 + 3 + 4 + 9 + 8 + 4 + 6 + 9 + 6 + 3 + 6;
		whole += n + 1 + 2 + 4 * nn + 4800 + 2 + peers * (1 + 1 + 6) +
			 peers * (peers - 1) / 2;
		whole += 2 + 4 * n32 + 2 + nb + 2;
		r = recorded(whole);
		assert_true(r->size <= MOST);
		start(&event, &fields, r);
		value(&fields, "s", string(n), n, 1);
		value(&fields, "nn", numbers, 4 * nn, 4);
		value(&fields, "fixed", fixed, 4800, 8);
		assert_int_equal(ue_decode_next(&fields), 1);
		left = fields.item.count;
		assert_in_range(left, 1, peers);
		for (j = 0; j < left; j++) {
			assert_int_equal(ue_decode_next(&fields), 1);
			assert_int_equal(fields.item.type, UE_DECODE_STRUCT);
			assert_int_equal(ue_decode_next(&fields), 1);
			assert_int_equal(*fields.item.value, (uint8_t)j);
			value(&fields, "host", string(j), j, 1);
			value(&fields, "ports", units, 6, 2);
			assert_int_equal(ue_decode_next(&fields), 1);
			assert_int_equal(fields.item.type, UE_DECODE_STRUCT_END);
		}
		assert_int_equal(ue_decode_next(&fields), 1);
		assert_int_equal(fields.item.type, UE_DECODE_ARRAY_END);
		value(&fields, "wide", numbers, 4 * n32, 4);
		value(&fields, "b", bytes, nb, 1);
		assert_int_equal(ue_decode_next(&fields), 1);
		assert_memory_equal(fields.item.value, "\xef\xbe", 2);
		finish(&fields);
	}
}

/* ---- Events known at run time ---- */

static void test_a_cut_payload_is_one(void **state)
{
	static unsigned char payload[3 * 65536];
	static struct ue_event event;
	int i;

	(void)state;
	assert_int_equal(ue_event_register(&event,
					   "cut_runtime u8 a; __rel_loc u16[] x; struct s s 12; "
					   "char[7] c; __data_loc char[] y; unsigned short d; "
					   "__rel_loc char[] z",
					   0),
			 0);
	fake_kernel_enable("cut_runtime", FAKE_FTRACE);
	for (i = 0; i < 2000; i++) {
		size_t nx = length() / 2, ny = length() % 20000, nz = length(), whole, end = 34;
		const struct fake_record *r = begin();
		uint32_t word;
		struct kept k[3];

		if (2 * nx + ny + nz > 65000)
			continue;
		memset(payload, 0x55, end);
		word = (uint32_t)(2 * nx << 16 | (34 - 5));
		memcpy(payload + 1, &word, 4);
		memcpy(payload + end, units, 2 * nx);
		end += 2 * nx;
		word = (uint32_t)((ny + 1) << 16 | (end + 8));
		memcpy(payload + 24, &word, 4);
		memcpy(payload + end, text, ny);
		payload[end + ny] = 0;
		end += ny + 1;
		word = (uint32_t)((nz + 1) << 16 | (end - 34));
		memcpy(payload + 30, &word, 4);
		memcpy(payload + end, string(nz), nz + 1);
		whole = end + nz + 1;
		if (i % 2) {
			assert_int_equal(ue_event_write(&event, payload, whole), 0);
		} else {
			size_t half = (size_t)random64() % whole;
			struct iovec iov[3] = { { payload, half },
						{ NULL, 0 },
						{ payload + half, whole - half } };

			assert_int_equal(ue_event_writev(&event, iov, 3), 0);
		}
		r = recorded(whole);
		end = 34;
		k[0] = loc(r, 1, &end, units, 2 * nx, 2, false);
		word = word_at(r, 24);
		assert_int_equal((word & 0xffff) - 8, end);
		k[1].was = ny;
		k[1].is = (word >> 16) - 1;
		k[1].slack = 0;
		assert_memory_equal(r->data + end, text, k[1].is);
		end += k[1].is + 1;
		assert_int_equal(r->data[end - 1], 0);
		k[2] = loc(r, 30, &end, string(nz), nz, 1, true);
		assert_int_equal(end, r->size);
		assert_memory_equal(r->data + 5, "UUUUUUUUUUUUUUUUUUU", 19);
		check_fair(k, 3, r->size, whole);
	}
	assert_int_equal(ue_event_unregister(&event), 0);
}

/* Whatever a payload says that is no event of its fields: it goes out as it is, and is counted. */
static void test_what_cannot_be_cut_is_large(void **state)
{
	static const char fields[] = "no_event __rel_loc u8[] a; __rel_loc u8[] b";
	static const uint32_t wrong[][2] = {
		{ 10 << 16 | 9000, 10u << 16 | 9000 }, /* beyond the end */
		{ 4000u << 16 | 4, 4000 << 16 | 0 },   /* the same bytes twice */
		{ 4000u << 16 | 2, 10 << 16 | 4010 },  /* among the fields */
		{ 0, 0 },			       /* bytes that are no field's */
	};
	static unsigned char payload[5000];
	static struct ue_event event;
	static struct ue_event_set set;
	size_t i;

	(void)state;
	assert_int_equal(ue_event_register(&event, fields, 0), 0);
	assert_int_equal(ue_event_set_register(&set, "NoEvent", 5, 1, NULL), 0);
	fake_kernel_enable("*", FAKE_FTRACE);
	for (i = 0; i < 4; i++) {
		uint64_t large = ue_status().large, cut = ue_status().cut;

		memcpy(payload, wrong[i], 8);
		ue_event_write(&event, payload, sizeof(payload));
		assert_int_equal(ue_status().large, large + 1);
		assert_int_equal(ue_status().cut, cut);
	}
	for (i = 0; i < 3000; i++) {
		size_t j;

		for (j = 0; j < sizeof(payload); j++)
			payload[j] = random64() % 3 ? (uint8_t)(random64() >> 20) : 0;
		payload[0] = i % 50 ? 7 : payload[0];
		payload[10] = i % 10 ? 1 : payload[10];
		payload[11] = 0;
		assert_int_equal(ue_event_write(&set.event, payload, sizeof(payload)), 0);
	}
	assert_int_equal(ue_event_unregister(&event), 0);
	assert_int_equal(ue_event_set_unregister(&set), 0);
}

/* ---- Who gets what ---- */

static size_t probed;

static void probe(struct ue_event *event, const void *payload, size_t size, void *data)
{
	(void)event;
	(void)payload;
	(void)data;
	probed = size;
}

static void test_probes_get_all_and_tracers_what_fits(void **state)
{
	uint64_t cut;

	(void)state;
	assert_int_equal(ue_probe_register(NULL, probe, NULL), 0);
	begin();
	UE_TRACE(cut_probed, UE_STR(s, string(5000)));
	assert_int_equal(probed, 4 + 5001);
	assert_int_equal(recorded(5005)->size, MOST);
	begin();
	UE_LOG(info, "probed", UE_STR(s, string(6000)));
	assert_int_equal(probed, 8 + 4 + 7 + 3 + 6001);
	assert_int_equal(recorded(probed)->size, MOST);
	/* who takes all has nothing cut for it */
	fake_kernel_disable("*", FAKE_FTRACE);
	cut = ue_status().cut;
	UE_TRACE(cut_probed, UE_STR(s, string(7000)));
	assert_int_equal(probed, 4 + 7001);
	assert_int_equal(ue_status().cut, cut);
	assert_int_equal(ue_probe_unregister(NULL, probe, NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup(name, traced)
		TEST(test_a_cut_kernel_typed_event_is_one),
		TEST(test_strings_of_every_length_are_recorded),
		TEST(test_no_character_is_cut_in_half),
		TEST(test_a_cut_eventheader_event_is_one),
		TEST(test_a_cut_event_of_a_builder_is_one),
		TEST(test_a_cut_payload_is_one),
		TEST(test_what_cannot_be_cut_is_large),
		TEST(test_probes_get_all_and_tracers_what_fits),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
