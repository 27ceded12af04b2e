/* SPDX-License-Identifier: MIT */
/*
 * Writes every kind of EventHeader event. ftrace must record exactly the bytes that the unit tests'
 * reference encoder produces.
 *
 *   test_log_all                    runs the test, with a separate trace instance
 *   test_log_all hold               keeps the event registered until it is killed
 *   test_log_all write              writes the events (for `perf record`)
 *   test_log_all compare perf.data  compares the samples in perf.data
 */
#include "raw_events.h"

#include "reference_encoder.h"

UE_EVENT_SET(all, "LogAll", UE_LEVEL_WARNING, 0xdeadbeef12345678, "grp7");
#define EVENT "LogAll_L3Kdeadbeef12345678Ggrp7"

static struct ref ref;
static struct ref_header header = { 0, 0, 0, 0, UE_LEVEL_WARNING };
static const uint8_t id[16] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };
static const uint8_t related[16] = { 0xff, 0xfe };
static bool writes; /* if false, nothing is written; only the expected events are stored */

/* ---- Recorded events and expected events ---- */

enum { MOST = 200 };
static struct {
	unsigned char *bytes;
	size_t size;
} recorded[MOST];
static unsigned int records, compared;

static void keep(void *data, const struct raw_event *event)
{
	assert_true(records < MOST);
	recorded[records].bytes = (unsigned char *)malloc(event->size);
	assert_non_null(recorded[records].bytes);
	memcpy(recorded[records].bytes, event->bytes, event->size);
	recorded[records++].size = event->size;
}

static void meant(const void *activity, const void *related_)
{
	size_t n = ref_finish(&ref, &header, activity, related_), i;
	const unsigned char *bytes = recorded[compared].bytes;
	size_t size = recorded[compared].size;

	if (compared == records)
		fail_msg("only %u events were recorded; \"%s\" is missing", records, ref.meta);
	for (i = 0; i < n && i < size && bytes[i] == ref.event[i]; i++)
		;
	if (i < n || size > n + 7)
		fail_msg("event %u, \"%s\": byte %zu differs; expected %zu bytes, recorded %zu",
			 compared, ref.meta, i, n, size);
	compared++;
}

#define VALUES(_)                                                                     \
	_(U8, uint8_t, REF_VALUE8, 0) _(U16, uint16_t, REF_VALUE16, 0)                \
	_(U32, uint32_t, REF_VALUE32, 0) _(U64, uint64_t, REF_VALUE64, 0)             \
	_(I8, int8_t, REF_VALUE8, REF_SIGNED) _(I16, int16_t, REF_VALUE16, REF_SIGNED) \
	_(I32, int32_t, REF_VALUE32, REF_SIGNED) _(I64, int64_t, REF_VALUE64, REF_SIGNED) \
	_(X8, uint8_t, REF_VALUE8, REF_HEX) _(X16, uint16_t, REF_VALUE16, REF_HEX)    \
	_(X32, uint32_t, REF_VALUE32, REF_HEX) _(X64, uint64_t, REF_VALUE64, REF_HEX) \
	_(F32, float, REF_VALUE32, REF_FLOAT) _(F64, double, REF_VALUE64, REF_FLOAT)  \
	_(BOOL, bool, REF_VALUE8, REF_BOOL) _(CHAR, char, REF_VALUE8, REF_LATIN1)     \
	_(CHAR16, uint16_t, REF_VALUE16, REF_UTF) _(CHAR32, uint32_t, REF_VALUE32, REF_UTF) \
	_(PID, int32_t, REF_VALUE32, REF_PID) _(ERRNO, int32_t, REF_VALUE32, REF_ERRNO) \
	_(PORT, uint16_t, REF_VALUE16, REF_PORT) _(TIME32, int32_t, REF_VALUE32, REF_TIME) \
	_(TIME64, int64_t, REF_VALUE64, REF_TIME)

#define VALUE(T, ctype, kind, format)                                                 \
	do {                                                                          \
		ctype list[5];                                                        \
		size_t i;                                                             \
		for (i = 0; i < 5; i++)                                               \
			list[i] = (ctype)(REF_BOOL == (format) ? i & 1 : 77 * i + 1); \
		if (writes) {                                                         \
			UE_LOG(all, #T, UE_##T(v, list[1]), UE_ARRAY(T, a, list, 4),  \
			       UE_FIXED_ARRAY(T, f, list, 5),                         \
			       UE_TAGGED(0x1234, UE_##T(t, list[2])));                \
			break;                                                        \
		}                                                                     \
		ref_begin(&ref, #T);                                                  \
		ref_value(&ref, "v", kind, format, 0, &list[1], sizeof(ctype));       \
		ref_value(&ref, "a", kind | REF_VARIABLE, format, 0, &(uint16_t){ 4 }, 2); \
		ref_put(&ref, list, 4 * sizeof(ctype));                               \
		ref_fixed(&ref, "f", kind, 5, format, 0, list, sizeof(list));         \
		ref_value(&ref, "t", kind, format, 0x1234, &list[2], sizeof(ctype));  \
		meant(NULL, NULL);                                                    \
	} while (0);

static void values(void)
{
	VALUES(VALUE)
}

static void pointers(void)
{
	const void *p = id;

	if (writes) {
		UE_LOG(all, "pointers", UE_PTR(p), UE_UUID(uuid, id), UE_IPV4(ip4, id),
		       UE_IPV6(ip6, related), UE_IPV4(none, NULL), UE_BYTES(b, id, 16));
		return;
	}
	ref_begin(&ref, "pointers");
	/* address in another process, which is recorded unchanged */
	ref_value(&ref, "p", REF_VALUE64, REF_HEX, 0,
	      recorded[compared].bytes + 12 + 9 + 4 + 7 + 6 + 6 + 7 + 3, 8);
	ref_value(&ref, "uuid", REF_VALUE128, REF_UUID, 0, id, 16);
	ref_value(&ref, "ip4", REF_VALUE32, REF_IP, 0, id, 4);
	ref_value(&ref, "ip6", REF_VALUE128, REF_IP, 0, related, 16);
	ref_value(&ref, "none", REF_VALUE32, REF_IP, 0, "\0\0\0", 4);
	ref_counted(&ref, "b", REF_BINARY, 0, 0, id, 16, 1);
	meant(NULL, NULL);
}

#define STRINGS(_)                                                                    \
	_(STR, char, REF_STRING8, 0) _(STR16, uint16_t, REF_STRING16, 0)            \
	_(STR32, uint32_t, REF_STRING32, 0) _(LATIN1, char, REF_STRING8, REF_LATIN1) \
	_(XML, char, REF_STRING8, REF_XML) _(JSON, char, REF_STRING8, REF_JSON)
/* Tests a short string, a long string, an array of strings that contains NULL, and NULL. */
#define STRING(T, unit, kind, format)                                                 \
	do {                                                                          \
		static unit s[601];                                                   \
		const unit *list[3] = { s + 595, NULL, s + 590 };                     \
		size_t i;                                                             \
		for (i = 0; i < 600; i++)                                             \
			s[i] = (unit)('a' + i % 26);                                  \
		if (writes) {                                                         \
			UE_LOG(all, #T, UE_##T(s, s + 580), UE_##T(l, s),             \
			       UE_##T(none, list[1]), UE_ARRAY(T, list, list, 3));    \
			break;                                                        \
		}                                                                     \
		ref_begin(&ref, #T);                                                  \
		ref_counted(&ref, "s", kind, format, 0, s + 580, 20, sizeof(unit));   \
		ref_counted(&ref, "l", kind, format, 0, s, 600, sizeof(unit));        \
		ref_counted(&ref, "none", kind, format, 0, "", 0, 1);                 \
		ref_define(&ref, "list", kind, REF_VARIABLE, 0, format, 0);           \
		ref_put_u16(&ref, 3);                                                 \
		ref_put_counted(&ref, s + 595, 5, sizeof(unit));                      \
		ref_put_u16(&ref, 0);                                                 \
		ref_put_counted(&ref, s + 590, 10, sizeof(unit));                     \
		meant(NULL, NULL);                                                    \
	} while (0);

static void strings(void)
{
	static const uint32_t wide[3] = { 'x', 0, 0x1f600 };

	STRINGS(STRING)
	if (writes) {
		UE_LOG(all, "counted", UE_STRN(s, "a\0b", 3), UE_STR16N(s16, wide, 6),
		       UE_STR32N(s32, wide, 3), UE_AS(UE_FORMAT_UTF_BOM, UE_STRN(bom, NULL, 0)));
		return;
	}
	ref_begin(&ref, "counted");
	ref_counted(&ref, "s", REF_STRING8, 0, 0, "a\0b", 3, 1);
	ref_counted(&ref, "s16", REF_STRING16, 0, 0, wide, 6, 2);
	ref_counted(&ref, "s32", REF_STRING32, 0, 0, wide, 3, 4);
	ref_counted(&ref, "bom", REF_STRING8, REF_UTF_BOM, 0, "", 0, 1);
	meant(NULL, NULL);
}

static void structs(void)
{
	const int32_t a = -7;

	if (writes) {
		UE_LOG(all, "structs", UE_ID(0x1ff, 9), UE_OPCODE(UE_OPCODE_ACTIVITY_START),
		       UE_TAG(0xcafe), UE_ACTIVITY(id, related),
		       UE_STRUCT(one, a,
				 UE_TAGGED(5, UE_STRUCT(two, UE_STRUCT(three, UE_STR(s, "s")),
							a))));
		UE_LOG(all, "activity", UE_ACTIVITY(id));
		UE_LOG(all, "bare");
		return;
	}
	header.id = 0x1ff;
	header.version = 9;
	header.opcode = 1;
	header.tag = 0xcafe;
	ref_begin(&ref, "structs");
	ref_define(&ref, "one", REF_STRUCT, 0, 0, 2, 0);
	ref_value(&ref, "a", REF_VALUE32, REF_SIGNED, 0, &a, 4);
	ref_define(&ref, "two", REF_STRUCT, 0, 0, 2, 5);
	ref_define(&ref, "three", REF_STRUCT, 0, 0, 1, 0);
	ref_counted(&ref, "s", REF_STRING8, 0, 0, "s", 1, 1);
	ref_value(&ref, "a", REF_VALUE32, REF_SIGNED, 0, &a, 4);
	meant(id, related);
	memset(&header, 0, sizeof(header));
	header.level = UE_LEVEL_WARNING;
	ref_begin(&ref, "activity");
	meant(id, NULL);
	ref_begin(&ref, "bare");
	meant(NULL, NULL);
}

static void from_builder(void)
{
	static unsigned char data[300];
	struct ue_builder b;
	char buffer[400];
	size_t i;

	for (i = 0; i < sizeof(data); i++)
		data[i] = (unsigned char)i;
	if (writes) {
		ue_builder_begin(&b, buffer, sizeof(buffer), "built", 3);
		ue_add_f64(&b, "f", 2.5);
		ue_add_bytes(&b, "long", data, sizeof(data));
		ue_struct_array_begin(&b, "s");
		for (i = 0; i < 3; i++) {
			ue_struct_array_next(&b);
			ue_add_u8(&b, "i", (uint8_t)i);
			ue_add_str(&b, "t", i == 1 ? "one" : "");
		}
		ue_struct_end(&b);
		assert_int_equal(ue_builder_write(&b, &all, id, NULL), 0);
		return;
	}
	header.tag = 3;
	ref_begin(&ref, "built");
	ref_value(&ref, "f", REF_VALUE64, REF_FLOAT, 0, &(double){ 2.5 }, 8);
	ref_counted(&ref, "long", REF_BINARY, 0, 0, data, sizeof(data), 1);
	ref_define(&ref, "s", REF_STRUCT, REF_VARIABLE, 0, 2, 0);
	ref_define(&ref, "i", REF_VALUE8, 0, 0, 0, 0);
	ref_define(&ref, "t", REF_STRING8, 0, 0, 0, 0);
	ref_put_u16(&ref, 3);
	for (i = 0; i < 3; i++) {
		ref_put(&ref, &(uint8_t){ (uint8_t)i }, 1);
		ref_put_counted(&ref, "one", i == 1 ? 3 : 0, 1);
	}
	meant(id, NULL);
	header.tag = 0;
}

static void events(void)
{
	values();
	pointers();
	strings();
	structs();
	from_builder();
}

/* Writes all events on a single CPU, so that one ring buffer contains them in order. */
static void write_all(void)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(0, &one);
	if (sched_setaffinity(0, sizeof(one), &one) < 0)
		abort();
	writes = true;
	events();
}

static void compare_all(void)
{
	writes = false;
	events();
	assert_int_equal(compared, records);
	print_message("%u events are as meant\n", compared);
}

static const char *perf_data; /* file written by perf record; NULL to trace this program */

TEST(test_recorded_bytes_equal_the_reference)
{
	if (perf_data) {
		raw_perf_data(perf_data, event_type(EVENT), keep, NULL);
		compare_all();
		return;
	}
	trace_enable(EVENT);
	write_all();
	trace_disable(EVENT);
	raw_ring_buffer(instance(""), EVENT, keep, NULL);
	compare_all();
}

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "write") == 0) {
		if (!UE_LOG_ENABLED(all)) {
			fprintf(stderr, "no tracer has enabled the event\n");
			return 1;
		}
		write_all();
		return 0;
	}
	if (argc > 1 && strcmp(argv[1], "hold") == 0) {
		pause(); /* keep the event registered until a signal arrives */
		return 0;
	}
	if (argc > 2 && strcmp(argv[1], "compare") == 0)
		perf_data = argv[2];
	return run_all_tests(group_begin, group_end);
}
