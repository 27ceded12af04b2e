/* SPDX-License-Identifier: MIT */
/*
 * Events written with user_events_otel.h must contain the program's values and, regardless of their
 * fields, follow the rules of otel-arrow's user_events receiver.
 *
 * Also compiled as C++.
 */
#ifdef __cplusplus
#include <string>
#endif
#include <time.h>

#include "test.h"

#define FAKE_KERNEL_HOOKS
#include "fake_kernel.h"
#include <user_events_builder.h>
#include <user_events_decode.h>
#include <user_events_otel.h>

UE_OTEL_DECLARE_PROVIDER(shop);
UE_OTEL_PROVIDER(shop, "Test_Otel");

static int traced(void **state)
{
	(void)state;
	ue_unregister_all();
	fake_kernel_reset(NULL);
	shop.role = shop.role_instance = NULL;
	if (ue_register_all() != 0)
		return -1;
	fake_kernel_enable("*", FAKE_FTRACE);
	return 0;
}

/* ---- The rules of the receiver ---- */

struct received {
	char json[20000]; /* event as JSON, with 'T' for each time and 'I' for each ID */
	char trace_id[33], span_id[17], parent_id[17], time[40], start[40];
	int number; /* severityNumber */
};

static bool is_one_of(const char *name, const char *const *list)
{
	while (*list && strcmp(name, *list) != 0)
		list++;
	return *list != NULL;
}

static bool is_utf8(const unsigned char *p, size_t n)
{
	size_t i, more;

	for (i = 0; i < n; i += more + 1) {
		more = p[i] < 0x80 ? 0 : p[i] < 0xc2 ? n : p[i] < 0xe0 ? 1 : p[i] < 0xf0 ? 2 : 3;
		for (size_t k = 1; k <= more; k++)
			if (i + k >= n || (p[i + k] & 0xc0) != 0x80)
				return false;
	}
	return true;
}

static bool is_id(const char *text, size_t digits)
{
	return strlen(text) == digits && strspn(text, "0123456789abcdef") == digits &&
	       strspn(text, "0") < digits;
}

static bool is_time(const char *text)
{
	const char *form = "dddd-dd-ddTdd:dd:dd.dddddddddZ";

	for (; *form; form++, text++) {
		if (*form == 'd' ? *text < '0' || *text > '9' : *text != *form)
			return false;
	}
	return !*text;
}

static void keep(char *to, size_t size, const char *text)
{
	size_t n = strlen(text) < size ? strlen(text) : size - 1;

	memcpy(to, text, n);
	to[n] = '\0';
}

/* Checks the value of one field of PART. Returns the violated rule, or NULL. */
static const char *check_value(struct received *r, char part, const char *type, const char *name,
			       const struct ue_decode_item *item, const char *text)
{
	static const char *const part_a[] = {
		"time",		  "ext_dt_traceId",	    "ext_dt_spanId",
		"ext_cloud_role", "ext_cloud_roleInstance", NULL
	};
	static const char *const log[] = {
		"_typeName", "body", "severityNumber", "severityText", "eventId", "name", NULL
	};
	static const char *const span[] = { "_typeName", "name",	  "parentId",
					    "startTime", "success",	  "kind",
					    "links",	 "statusMessage", NULL };
	bool is_string = item->kind == UE_DECODE_KIND_STRING8;

	if (item->array)
		return "a value is a scalar";
	if (!is_string &&
	    (item->kind < UE_DECODE_KIND_VALUE8 || item->kind > UE_DECODE_KIND_VALUE64))
		return "a string is counted, any other value has 8 to 64 bits";
	if (is_string && !is_utf8(item->value, item->size))
		return "a string is UTF-8";
	if (part == 'A' && !is_one_of(name, part_a))
		return "PartA has no unknown field";
	if (part == 'A' && !is_string)
		return "PartA has strings";
	if (part == 'B' && !is_one_of(name, strcmp(type, "Log") == 0 ? log : span))
		return "PartB has no unknown field";
	if (part == 'B' && strcmp(name, "links") == 0 && item->format != UE_DECODE_FORMAT_JSON)
		return "links are JSON";
	if (part == 'B' && strcmp(name, "_typeName") == 0 &&
	    (!is_string || strcmp(text, type) != 0))
		return "_typeName is the event's name";
	if (part == 'B' && strcmp(name, "severityNumber") == 0) {
		if (item->kind != UE_DECODE_KIND_VALUE16 || item->format != UE_DECODE_FORMAT_SIGNED)
			return "severityNumber is an i16";
		r->number = atoi(text);
		if (r->number < 1 || r->number > 24)
			return "severityNumber is 1 to 24";
	}
	if (part == 'A' && strcmp(name, "time") == 0)
		keep(r->time, sizeof(r->time), text);
	if (part == 'B' && strcmp(name, "startTime") == 0)
		keep(r->start, sizeof(r->start), text);
	if (part == 'A' && strcmp(name, "ext_dt_traceId") == 0) {
		if (*text && !is_id(text, 32))
			return "a trace's id is 32 digits";
		keep(r->trace_id, sizeof(r->trace_id), text);
	}
	if ((part == 'A' && strcmp(name, "ext_dt_spanId") == 0) ||
	    (part == 'B' && strcmp(name, "parentId") == 0)) {
		if (*text && !is_id(text, 16))
			return "a span's id is 16 digits";
		keep(part == 'A' ? r->span_id : r->parent_id, 17, text);
	}
	return NULL;
}

/* Replaces each quoted time and ID with one letter. */
static void mask(char *json)
{
	char *p, *end, *to = json;

	for (p = json; *p; p++) {
		*to++ = *p;
		if (*p != '"')
			continue;
		end = strchr(p + 1, '"');
		if (!end)
			break;
		*end = '\0';
		if (is_time(p + 1) || is_id(p + 1, 16) || is_id(p + 1, 32)) {
			*to++ = is_time(p + 1) ? 'T' : 'I';
		} else {
			memmove(to, p + 1, (size_t)(end - p - 1));
			to += end - p - 1;
		}
		*end = *to++ = '"';
		p = end;
	}
	*to = '\0';
}

/* Reads an event as the receiver does. Returns the violated rule, or NULL. */
static const char *receive(struct received *r, const struct fake_record *record)
{
	static char text[70000], names[64][64];
	struct ue_decode_event event;
	struct ue_decode_fields fields;
	char name[64], type[64], part = 0;
	const char *broken;
	bool parts[3] = { false, false, false }, first = true;
	size_t n = 0, i;

	memset(r, 0, sizeof(*r));
	if (ue_decode_parse(&event, record->name, strlen(record->name), record->data, record->size))
		return "the event can be decoded";
	ue_decode_json(&event, NULL, 0, r->json, sizeof(r->json));
	mask(r->json);
	snprintf(type, sizeof(type), "%.*s", (int)event.name_length, event.name);
	ue_decode_start(&fields, &event);
	while (ue_decode_next(&fields) > 0) {
		const struct ue_decode_item *item = &fields.item;

		snprintf(name, sizeof(name), "%.*s", (int)item->name_length, item->name);
		if (item->type == UE_DECODE_STRUCT) {
			if (first || part)
				return "__csver__ is first, structs do not nest";
			if (strlen(name) != 5 || memcmp(name, "Part", 4) != 0 || name[4] < 'A' ||
			    name[4] > 'C')
				return "there are PartA, PartB and PartC";
			part = name[4];
			if (parts[part - 'A'])
				return "no part is there twice";
			parts[part - 'A'] = true;
			n = 0;
			continue;
		}
		if (item->type == UE_DECODE_STRUCT_END) {
			part = 0;
			continue;
		}
		if (item->type != UE_DECODE_VALUE)
			return "a value is a scalar";
		ue_decode_value(item, 0, text, sizeof(text));
		if (!part) {
			if (!first || strcmp(name, "__csver__") != 0 || strcmp(text, "1024") != 0)
				return "__csver__ is first, 0x400, and alone";
			first = false;
			continue;
		}
		for (i = 0; i < n && part != 'C'; i++)
			if (strcmp(names[i], name) == 0)
				return "no field of PartA and PartB is there twice";
		memcpy(names[n++ % 64], name, sizeof(name));
		broken = check_value(r, part, type, name, item, text);
		if (broken)
			return broken;
		if (part == 'B' && n == 1 && strcmp(name, "_typeName") != 0)
			return "_typeName is there";
	}
	if (fields.error || !parts[0] || !parts[1])
		return "PartA and PartB are there";
	if (!is_time(r->time) || (r->start[0] && !is_time(r->start)))
		return "times are RFC 3339";
	if (event.level != (strcmp(type, "Span") == 0 ? 4
			    : r->number < 9	      ? 5
						      : 4 - (r->number - 9) / 4))
		return "the level is the severity's";
	return NULL;
}

/* Returns the event written since the last call. Fails unless there is exactly one. */
static const struct received *received(void)
{
	static struct received r;
	const char *broken;

	assert_int_equal(fake_kernel_records(), 1);
	broken = receive(&r, fake_kernel_record(0));
	if (broken)
		fail_msg("the event violates the rule %s: %s", broken, r.json);
	fake_kernel_clear_records();
	return &r;
}

static void expect(const char *json)
{
	assert_string_equal(received()->json, json);
}

/* ---- Events that the receiver reads ---- */

#define NO_ROLE "\"ext_cloud_role\":\"\",\"ext_cloud_roleInstance\":\"\"},"

TEST_SETUP(test_a_log_has_the_parts_of_the_schema, traced)
{
	const char *brand = "visa";
	struct ue_otel_context context = { { 1 }, { 2 } }, none = { { 0 }, { 0 } };
	const struct ue_otel_context *null = NULL;

	UE_OTEL_LOG(shop, UE_OTEL_WARN, "card declined");
	expect("{\"n\":\"Test_Otel:Log\",\"__csver__\":1024,\"PartA\":{\"time\":\"T\"," NO_ROLE
	       "\"PartB\":{\"_typeName\":\"Log\",\"body\":\"card declined\",\"severityNumber\":13,"
	       "\"severityText\":\"WARN\"},\"meta\":{\"level\":3,\"keyword\":\"0x1\"}}");
	shop.role = "checkout";
	shop.role_instance = "host-1";
	UE_OTEL_LOG(shop, UE_OTEL_ERROR + 1, NULL, UE_OTEL_NAME("Declined"), UE_STR(brand),
		    UE_OTEL_IN(&context), UE_NAMED("card.tries", UE_I64(n, -3)),
		    UE_OTEL_EVENT_ID(42));
	expect("{\"n\":\"Test_Otel:Log\",\"__csver__\":1024,\"PartA\":{\"time\":\"T\","
	       "\"ext_dt_traceId\":\"I\",\"ext_dt_spanId\":\"I\",\"ext_cloud_role\":\"checkout\","
	       "\"ext_cloud_roleInstance\":\"host-1\"},\"PartB\":{\"_typeName\":\"Log\","
	       "\"body\":\"\",\"severityNumber\":18,\"severityText\":\"ERROR\","
	       "\"name\":\"Declined\",\"eventId\":42},\"PartC\":{\"brand\":\"visa\","
	       "\"card.tries\":-3},\"meta\":{\"level\":2,\"keyword\":\"0x1\"}}");
	/* invalid IDs are recorded as empty fields */
	UE_OTEL_LOG(shop, UE_OTEL_INFO, "", UE_OTEL_IN(null));
	assert_string_equal(received()->trace_id, "");
	UE_OTEL_LOG(shop, UE_OTEL_INFO, "", UE_OTEL_IN(&none));
	expect("{\"n\":\"Test_Otel:Log\",\"__csver__\":1024,\"PartA\":{\"time\":\"T\","
	       "\"ext_dt_traceId\":\"\",\"ext_dt_spanId\":\"\","
	       "\"ext_cloud_role\":\"checkout\",\"ext_cloud_roleInstance\":\"host-1\"},"
	       "\"PartB\":{\"_typeName\":\"Log\",\"body\":\"\",\"severityNumber\":9,"
	       "\"severityText\":\"INFO\"},\"meta\":{\"level\":4,\"keyword\":\"0x1\"}}");
}

TEST_SETUP(test_severity_selects_the_set, traced)
{
	static const char levels[] = "555555555544443333222211111";
	char name[32];
	int severity;

	for (severity = -1; severity <= 25; severity++) {
		snprintf(name, sizeof(name), "Test_Otel_L%cK1", levels[severity + 1]);
		UE_OTEL_LOG(shop, severity, "text");
		assert_string_equal(fake_kernel_record(0)->name, name);
		assert_int_equal(received()->number, severity < 1    ? 1
						     : severity > 24 ? 24
								     : severity);
		/* a disabled event writes nothing */
		fake_kernel_disable(name, FAKE_FTRACE);
		UE_OTEL_LOG(shop, severity, "text");
		assert_int_equal(fake_kernel_records(), 0);
		fake_kernel_disable("*", FAKE_FTRACE);
		fake_kernel_enable(name, FAKE_FTRACE);
		UE_OTEL_LOG(shop, severity, "text");
		assert_int_equal(fake_kernel_records(), 1);
		fake_kernel_clear_records();
		fake_kernel_enable("*", FAKE_FTRACE);
	}
}

TEST_SETUP(test_attributes_are_numbers_and_strings_of_any_name, traced)
{
	char text[8] = "bounded";
	const char *null = NULL;
	bool yes = true;
	unsigned char u8 = 255;
	long long i64 = -1;
	double x = 0.25;
	float y = -2;

	memset(text, 'x', sizeof(text)); /* no terminating NUL */
	UE_OTEL_LOG(shop, UE_OTEL_TRACE, "b", text, yes, u8, i64, x, y, UE_STR(null),
		    UE_STRN(n, "abc", 2), UE_NAMED("ä b;c", UE_BOOL(no, false)),
		    UE_STRN(m, null, 0), UE_X16(hex, 255), UE_STRN(negative, "abc", -1));
	expect("{\"n\":\"Test_Otel:Log\",\"__csver__\":1024,\"PartA\":{\"time\":\"T\"," NO_ROLE
	       "\"PartB\":{\"_typeName\":\"Log\",\"body\":\"b\",\"severityNumber\":1,"
	       "\"severityText\":\"TRACE\"},\"PartC\":{\"text\":\"xxxxxxxx\",\"yes\":true,"
	       "\"u8\":255,\"i64\":-1,\"x\":0.25,\"y\":-2,\"null\":\"\",\"n\":\"ab\",\"ä "
	       "b;c\":false,\"m\":\"\",\"hex\":\"0xFF\",\"negative\":\"\"},\"meta\":{\"level\":5,"
	       "\"keyword\":\"0x1\"}}");
}

TEST_SETUP(test_a_span_has_the_parts_of_the_schema, traced)
{
	struct ue_otel_span outer, inner;
	struct received first;
	int n = 1;

	UE_OTEL_SPAN_BEGIN(shop, &outer, NULL, "order");
	UE_OTEL_SPAN_BEGIN(shop, &inner, &outer.context, "pay");
	inner.kind = UE_OTEL_CLIENT;
	inner.name = "charge";
	inner.failed = "timeout";
	UE_OTEL_SPAN_END(shop, &inner, n, UE_OTEL_LINKS("[{\"toTraceId\":1}]"));
	first = *received();
	assert_string_equal(
		first.json,
		"{\"n\":\"Test_Otel:Span\",\"__csver__\":1024,\"PartA\":{\"time\":\"T\","
		"\"ext_dt_traceId\":\"I\",\"ext_dt_spanId\":\"I\"," NO_ROLE
		"\"PartB\":{\"_typeName\":\"Span\",\"name\":\"charge\",\"parentId\":\"I\","
		"\"startTime\":\"T\",\"success\":false,\"kind\":2,"
		"\"statusMessage\":\"timeout\","
		"\"links\":\"[{\\\"toTraceId\\\":1}]\"},\"PartC\":{\"n\":1},"
		"\"meta\":{\"level\":4,\"keyword\":\"0x1\"}}");
	UE_OTEL_SPAN_END(shop, &outer);
	{
		const struct received *r = received();

		assert_string_equal(r->json, "{\"n\":\"Test_Otel:Span\",\"__csver__\":1024,"
					     "\"PartA\":{\"time\":\"T\",\"ext_dt_traceId\":\"I\","
					     "\"ext_dt_spanId\":\"I\"," NO_ROLE "\"PartB\":{"
					     "\"_typeName\":\"Span\",\"name\":\"order\","
					     "\"parentId\":\"\",\"startTime\":\"T\","
					     "\"success\":true,\"kind\":0,\"statusMessage\":\"\"},"
					     "\"meta\":{\"level\":4,\"keyword\":\"0x1\"}}");
		assert_string_equal(first.trace_id, r->trace_id);
		assert_string_equal(first.parent_id, r->span_id);
		assert_true(strcmp(first.span_id, r->span_id) != 0);
		assert_string_equal(r->parent_id, "");
		assert_true(strcmp(r->start, first.start) <= 0 &&
			    strcmp(first.time, r->time) <= 0 &&
			    strcmp(first.start, first.time) <= 0);
	}
	UE_OTEL_LOG(shop, UE_OTEL_INFO, "in it", UE_OTEL_IN(&inner.context));
	assert_string_equal(received()->span_id, first.span_id);
}

TEST_SETUP(test_a_log_refers_to_its_span_even_if_spans_are_disabled, traced)
{
	struct ue_otel_span span;

	fake_kernel_disable("Test_Otel_L[1345]K1", FAKE_FTRACE);
	UE_OTEL_SPAN_BEGIN(shop, &span, NULL, "span");
	UE_OTEL_LOG(shop, UE_OTEL_ERROR, "text", UE_OTEL_IN(&span.context));
	assert_true(is_id(received()->span_id, 16));
	UE_OTEL_SPAN_END(shop, &span);
	assert_int_equal(fake_kernel_records(), 0);
}

TEST_SETUP(test_the_parent_may_be_the_span_itself, traced)
{
	const struct ue_otel_context caller = { { 1, 2, 3 }, { 4, 5 } };
	struct ue_otel_span span;

	span.context = caller; /* context that the program received with a request */
	UE_OTEL_SPAN_BEGIN(shop, &span, &span.context, "span");
	UE_OTEL_SPAN_END(shop, &span);
	const struct received *r = received();
	assert_string_equal(r->trace_id, "01020300000000000000000000000000");
	assert_string_equal(r->parent_id, "0405000000000000");
}

static int evaluated(int *n)
{
	return ++*n;
}

TEST_SETUP(test_a_disabled_span_is_not_evaluated_and_passes_its_context_on, traced)
{
	struct ue_otel_context caller = { { 1, 2, 3 }, { 4, 5 } };
	struct ue_otel_span span;
	int n = 0;

	fake_kernel_disable("*", FAKE_FTRACE);
	UE_OTEL_LOG(shop, UE_OTEL_INFO, "text", UE_I32(n, evaluated(&n)));
	UE_OTEL_SPAN_BEGIN(shop, &span, &caller, "span");
	assert_memory_equal(&span.context, &caller, sizeof(caller));
	UE_OTEL_SPAN_END(shop, &span, UE_I32(n, evaluated(&n)));
	assert_int_equal(n, 0);
	fake_kernel_enable("*", FAKE_FTRACE);
	UE_OTEL_SPAN_END(shop, &span);
	assert_int_equal(fake_kernel_records(), 0);
	/* if the parent has no trace ID, the span starts a new trace */
	memset(&caller, 0, sizeof(caller));
	UE_OTEL_SPAN_BEGIN(shop, &span, &caller, "span");
	UE_OTEL_SPAN_END(shop, &span);
	assert_true(is_id(received()->trace_id, 32));
	UE_OTEL_LOG(shop, UE_OTEL_INFO, "text", UE_I32(n, evaluated(&n)));
	received();
	assert_int_equal(n, 1);
}

TEST_SETUP(test_a_large_event_is_truncated_at_whole_characters, traced)
{
	static char body[70000], other[3000];
	uint64_t cut;
	size_t size, i, fixed;

	UE_OTEL_LOG(shop, UE_OTEL_INFO, "", UE_STRN(other, other, sizeof(other)), UE_I32(n, 7));
	fixed = fake_kernel_record(0)->size;
	received();
	for (size = 100; size < sizeof(body); size += size / 7) {
		for (i = 0; i < size; i += 2)
			memcpy(body + i, "ä", 2);
		body[i] = '\0';
		memset(other, 'o', sizeof(other));
		cut = ue_status().cut;
		UE_OTEL_LOG(shop, UE_OTEL_INFO, body, UE_STRN(other, other, sizeof(other)),
			    UE_I32(n, 7));
		assert_in_range(fake_kernel_record(0)->size, 3000, UE_MAX_EVENT);
		assert_non_null(strstr(received()->json, "\"n\":7"));
		assert_int_equal(ue_status().cut - cut, fixed + i > UE_MAX_EVENT);
		/* without attributes, the body may use all of the space */
		UE_OTEL_LOG(shop, UE_OTEL_INFO, body);
		assert_in_range(fake_kernel_record(0)->size, size < 3550 ? size : 3550,
				UE_MAX_EVENT);
		received();
	}
}

/* The body of a log is a string, so it needs no alignment. */
TEST_SETUP(test_a_body_may_be_at_any_address, traced)
{
	static char body[] = "123456789";

	for (size_t i = 0; i < sizeof(body); i++) {
		char json[40];

		UE_OTEL_LOG(shop, UE_OTEL_INFO, body + i);
		snprintf(json, sizeof(json), "\"body\":\"%s\"", body + i);
		assert_non_null(strstr(received()->json, json));
	}
}

TEST_SETUP(test_short_strings_are_not_truncated, traced)
{
	static char text[400];
	struct ue_status before = ue_status();
	struct ue_otel_context context = { { 1 }, { 2 } };

	memset(text, 'x', sizeof(text) - 1);
	shop.role = shop.role_instance = "a role";
#define S UE_STR(a, text)
#define EIGHT S, S, S, S, S, S, S, S
#define FORTY_EIGHT EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT
	UE_OTEL_LOG(shop, UE_OTEL_INFO, "body", UE_OTEL_IN(&context), FORTY_EIGHT);
	assert_in_range(fake_kernel_record(0)->size, UE_MAX_EVENT - 56, UE_MAX_EVENT);
	assert_non_null(strstr(received()->json, "\"body\":\"body\""));
	assert_int_equal(ue_status().cut - before.cut, 1);
}

TEST_SETUP(test_an_event_that_cannot_be_truncated_is_counted, traced)
{
	uint64_t large = ue_status().large;
	static char text[64];

	memset(text, 'x', sizeof(text) - 1);
#define NAME \
	"a name that is long enough for forty-eight of them to be too large, which takes eighty"
#define FOUR                                                              \
	UE_NAMED(NAME, UE_STR(a, text)), UE_NAMED(NAME, UE_STR(a, text)), \
		UE_NAMED(NAME, UE_STR(a, text)), UE_NAMED(NAME, UE_STR(a, text))
	UE_OTEL_LOG(shop, UE_OTEL_INFO, text, FOUR, FOUR, FOUR, FOUR, FOUR, FOUR, FOUR, FOUR, FOUR,
		    FOUR, FOUR, FOUR);
	assert_int_equal(fake_kernel_records(), 0);
	assert_int_equal(ue_status().large - large, 1);
}

TEST_SETUP(test_errno_survives, traced)
{
	struct ue_otel_span span;

	errno = 77;
	UE_OTEL_SPAN_BEGIN(shop, &span, NULL, "span");
	UE_OTEL_LOG(shop, UE_OTEL_INFO, "text");
	received();
	UE_OTEL_SPAN_END(shop, &span);
	assert_int_equal(errno, 77);
	received();
}

/* Compares the output of ue__otel_put_time() with gmtime(). */
static void check_time(uint64_t ns)
{
	char expected[64], text[UE__OTEL_TIME_LENGTH + 1] = "";
	struct timespec time;
	struct tm tm;

	time.tv_sec = (time_t)(ns / 1000000000);
	time.tv_nsec = (long)(ns % 1000000000);
	ue__otel_put_time(text, &time);
	gmtime_r(&time.tv_sec, &tm);
	strftime(expected, sizeof(expected), "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(expected + 19, sizeof(expected) - 19, ".%09uZ", (unsigned int)(ns % 1000000000));
	assert_string_equal(text, expected);
}

TEST_SETUP(test_times_are_those_of_the_calendar, traced)
{
	uint64_t day, x = 1;

	for (day = 0; day < 584 * 365; day++) {
		x = x * 6364136223846793005u + 1442695040888963407u;
		check_time(day * 86400 * 1000000000u);
		check_time(day * 86400 * 1000000000u + (x >> 1) % (UINT64_C(86400) * 1000000000u));
	}
	check_time(UINT64_MAX);
}

/* ---- Tests of the receiver rules in this file ---- */

enum breach {
	NOTHING,
	NO_VERSION,
	OTHER_VERSION,
	VERSION_LATE,
	NO_PART_B,
	PART_A_TWICE,
	NESTED,
	UNKNOWN_FIELD,
	NO_TYPE,
	OTHER_TYPE,
	NO_UTF8,
	ARRAY,
	OTHER_LEVEL,
	BAD_TIME,
	BREACHES
};

static const char *breach(enum breach what)
{
	static struct received r;
	unsigned char buffer[1000];
	const char *broken;
	struct ue_builder b;
	uint32_t list[2] = { 1, 2 };

	ue_builder_begin(&b, buffer, sizeof(buffer), "Log", 0);
	if (what != NO_VERSION && what != VERSION_LATE)
		ue_add_u32(&b, "__csver__", what == OTHER_VERSION ? 0x401 : 0x400);
	ue_struct_begin(&b, "PartA");
	ue_add_strn(&b, "time", "2026-01-02T03:04:05.000000000Z", what == BAD_TIME ? 19 : 30);
	if (what == NESTED) {
		ue_struct_begin(&b, "ext_dt");
		ue_add_strn(&b, "traceId", "1", 1);
		ue_struct_end(&b);
	}
	ue_struct_end(&b);
	if (what == VERSION_LATE)
		ue_add_u32(&b, "__csver__", 0x400);
	if (what == PART_A_TWICE) {
		ue_struct_begin(&b, "PartA");
		ue_add_strn(&b, "time", "2026-01-02T03:04:05.000000000Z", 30);
		ue_struct_end(&b);
	}
	ue_struct_begin(&b, "PartC");
	if (what == ARRAY)
		ue_add_array_u32(&b, "x", list, 2);
	else
		ue_add_strn(&b, "x", what == NO_UTF8 ? "\xc3" : "y", 1);
	ue_struct_end(&b);
	if (what != NO_PART_B) {
		ue_struct_begin(&b, "PartB");
		if (what != NO_TYPE)
			ue_add_strn(&b, "_typeName", what == OTHER_TYPE ? "Bog" : "Log", 3);
		ue_add_i16(&b, "severityNumber", what == OTHER_LEVEL ? 13 : 9);
		if (what == UNKNOWN_FIELD)
			ue_add_strn(&b, "links", "[]", 2);
		ue_struct_end(&b);
	}
	assert_int_equal(ue_builder_write(&b, &shop_L4, NULL, NULL), 0);
	broken = receive(&r, fake_kernel_record(0));
	fake_kernel_clear_records();
	return broken;
}

TEST_SETUP(test_each_rule_is_checked, traced)
{
	int what;

	assert_null(breach(NOTHING));
	for (what = NOTHING + 1; what < BREACHES; what++) {
		if (!breach((enum breach)what))
			fail_msg("violation %d is not detected", what);
	}
}

#ifdef __cplusplus
TEST_SETUP(test_strings_of_the_library_are_attributes, traced)
{
	std::string name(300, 'x'), empty;

	UE_OTEL_LOG(shop, UE_OTEL_INFO, name.c_str(), name, UE_NAMED("a.b", empty));
	const struct received *r = received();
	assert_non_null(
		strstr(r->json, ("\"PartC\":{\"name\":\"" + name + "\",\"a.b\":\"\"}").c_str()));
}
#endif

TESTS_MAIN
