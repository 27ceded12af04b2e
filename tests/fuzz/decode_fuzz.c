/* SPDX-License-Identifier: MIT */
/*
 * libFuzzer harness for user_events_decode.h. The first byte of an input selects the type of the
 * remaining bytes: an EventHeader event, a tracepoint name and an event, a format file and a
 * record, or (255) a record of the .NET runtime.
 * For every input:
 *
 * - no byte outside the input is read (for ASan, the input is at the end of its memory block);
 * - the work and the output size are bounded by the input size;
 * - the JSON is well-formed, and valid UTF-8 as far as the format permits;
 * - a buffer and a write function receive the same text, and a short buffer receives its start;
 * - the start and end items match, and all pointers point into the input;
 * - a valid event is reported as damaged if it is truncated at any byte.
 *
 * With UE_FUZZ_REPLAY defined, this file is a stand-alone program (replay.h).
 */
#include <user_events_decode.h>

#include <stdio.h>
#include <stdlib.h>

#define CHECK(x)                                                                \
	do {                                                                    \
		if (!(x)) {                                                     \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #x); \
			abort();                                                \
		}                                                               \
	} while (0)

static char json[4 << 20], again[4 << 20];
static size_t again_size;

/* Validates JSON. Returns the end of the value, or NULL if the JSON is invalid. */
static const char *valid(const char *p, const char *end, int depth);

static const char *valid_string(const char *p, const char *end)
{
	static const unsigned char ends[] = { 0x80, 0xc0, 0xe0, 0xf0, 0xf8, 0xfc, 0xfe, 0xff };

	CHECK(*p == '"');
	for (p++; p < end && *p != '"';) {
		unsigned char c = (unsigned char)*p++;
		int more;

		if (c < ' ')
			return NULL;
		if (c == '\\') {
			if (!strchr("\"\\bfnrtu", *p))
				return NULL;
			if (*p++ == 'u') {
				if (strncmp(p, "00", 2) || strspn(p, "0123456789abcdef") < 4)
					return NULL;
				p += 4;
			}
			continue;
		}
		/*
		 * a lead byte may announce up to 7 bytes, which the format permits, and these
		 * continuation bytes must follow
		 */
		if (c >= 0x80 && c < 0xc2)
			return NULL;
		for (more = 0; more < 7 && c >= ends[more]; more++)
			;
		if (c == 0xff)
			return NULL;
		for (more = c < 0x80 ? 0 : more - 1; more; more--)
			if (((unsigned char)*p++ & 0xc0) != 0x80)
				return NULL;
	}
	return p < end ? p + 1 : NULL;
}

static const char *valid_members(const char *p, const char *end, int depth, char close, int named)
{
	if (*p == close)
		return p + 1;
	for (;;) {
		if (named) {
			if (*p != '"' || !(p = valid_string(p, end)) || *p++ != ':')
				return NULL;
		}
		p = valid(p, end, depth + 1);
		if (!p)
			return NULL;
		if (*p == close)
			return p + 1;
		if (*p++ != ',')
			return NULL;
	}
}

static const char *valid(const char *p, const char *end, int depth)
{
	static const char *const words[] = { "null", "true", "false" };
	size_t i, n;

	if (depth > UE_DECODE_DEPTH + 3)
		return NULL;
	if (*p == '"')
		return valid_string(p, end);
	if (*p == '{')
		return valid_members(p + 1, end, depth, '}', 1);
	if (*p == '[')
		return valid_members(p + 1, end, depth, ']', 0);
	for (i = 0; i < 3; i++)
		if (!strncmp(p, words[i], strlen(words[i])))
			return p + strlen(words[i]);
	if (*p == '-')
		p++;
	n = strspn(p, "0123456789");
	if (!n || (n > 1 && *p == '0'))
		return NULL;
	p += n;
	if (*p == '.') {
		n = strspn(++p, "0123456789");
		if (!n)
			return NULL;
		p += n;
	}
	if (*p == 'e') {
		p++;
		if (*p == '-' || *p == '+')
			p++;
		n = strspn(p, "0123456789");
		if (!n)
			return NULL;
		p += n;
	}
	return p;
}

static int write_again(void *context, const char *text, size_t length)
{
	CHECK(context == json);
	CHECK(length && again_size + length <= sizeof(again));
	memcpy(again + again_size, text, length);
	again_size += length;
	return 0;
}

static void check_text(size_t length)
{
	CHECK(length < sizeof(json));
	CHECK(strlen(json) == length);
	CHECK(valid(json, json + length, 0) == json + length);
	CHECK(again_size == length && !memcmp(json, again, length));
}

static void check_items(const struct ue_decode_event *event)
{
	struct ue_decode_fields fields;
	const uint8_t *begin = event->data, *end = begin + event->size;
	uint8_t open[UE_DECODE_DEPTH];
	unsigned depth = 0;
	size_t n = 0;
	int more;

	ue_decode_start(&fields, event);
	while ((more = ue_decode_next(&fields)) > 0) {
		const struct ue_decode_item *item = &fields.item;
		char text[40];

		CHECK(++n <= event->size * UE_DECODE_WORK);
		if (item->type == UE_DECODE_STRUCT_END || item->type == UE_DECODE_ARRAY_END) {
			CHECK(depth-- && open[depth] == item->type - 1);
		}
		CHECK(item->depth == depth);
		if (item->type == UE_DECODE_STRUCT || item->type == UE_DECODE_ARRAY)
			open[depth++] = item->type;
		if (event->name) {
			CHECK((const uint8_t *)item->name >= begin);
			CHECK((const uint8_t *)item->name + item->name_length +
				      item->attributes_length <
			      end);
		} else {
			CHECK(n <= 2 && item->kind == UE_DECODE_KIND_BINARY && item->size);
		}
		if (item->value) {
			CHECK(item->value >= begin && item->value <= end);
			CHECK(item->size <= (size_t)(end - item->value));
		}
		if (n < 100)
			ue_decode_value(item, n % 2 ? UE_DECODE_JSON : 0, text, n % sizeof(text));
	}
	CHECK(more ? fields.error : !depth);
	CHECK(!more || fields.error_offset <= event->size);
	CHECK(ue_decode_next(&fields) == more);
}

static void check_event(const char *tracepoint, size_t tracepoint_length, const uint8_t *data,
			size_t size)
{
	struct ue_decode_event event;
	struct ue_decode_meta meta = { 1711586712640913120, 1, 2, 3, size % 32 };
	size_t length, cut;
	char part[100];

	ue_decode_parse(&event, tracepoint, tracepoint_length, data, size);
	check_items(&event);
	length = ue_decode_json(&event, &meta, 0, json, sizeof(json));
	again_size = 0;
	CHECK(!ue_decode_json_to(&event, &meta, 0, write_again, json));
	check_text(length);
	CHECK(!event.error || strstr(json, "\"error\":\""));
	cut = size % sizeof(part);
	CHECK(ue_decode_json(&event, &meta, 0, part, cut) == length);
	if (cut)
		CHECK(!strncmp(part, json, strlen(part)) &&
		      strlen(part) == (length < cut ? length : cut - 1));
	/* with spaces, the JSON is longer */
	CHECK(ue_decode_json(&event, &meta, UE_DECODE_SPACED, again, sizeof(again)) > length);
}

static void check_truncations(const uint8_t *data, size_t size)
{
	struct ue_decode_event event;
	struct ue_decode_fields fields;
	size_t n, needed;

	if (size > 300 || ue_decode_parse(&event, NULL, 0, data, size))
		return;
	ue_decode_start(&fields, &event);
	while (ue_decode_next(&fields) > 0)
		;
	if (fields.error)
		return;
	/* an event without metadata may have any payload, so do not truncate it */
	needed = (size_t)((event.name ? fields.payload : event.payload) - data);
	for (n = 0; n < needed; n++) {
		uint8_t *copy = (uint8_t *)malloc(n ? n : 1);

		memcpy(copy, data, n);
		ue_decode_parse(&event, NULL, 0, copy, n);
		ue_decode_json(&event, NULL, 0, again, sizeof(again));
		CHECK(event.error);
		free(copy);
	}
}

static void check_format(const char *text, size_t length, const uint8_t *record, size_t size)
{
	struct ue_decode_field fields[20];
	struct ue_decode_format format;
	size_t n;

	memset(&format, 0, sizeof(format));
	format.system = "s";
	format.system_length = 1;
	format.fields = fields;
	format.fields_max = 20;
	format.big_endian = size & 1;
	format.long_size = size & 2 ? 4 : 0;
	ue_decode_format_parse(&format, text, length);
	n = ue_decode_format_json(&format, record, size, NULL, 0, json, sizeof(json));
	again_size = 0;
	CHECK(!ue_decode_format_json_to(&format, record, size, NULL, 0, write_again, json));
	check_text(n);
}

/* Converts a record of the .NET runtime, and checks the resulting EventHeader event. */
static void check_dotnet(const uint8_t *data, size_t size)
{
	struct ue_decode_dotnet dotnet;
	size_t n, most, used;
	char *buffer, *exact;

	if (ue_decode_dotnet_parse(&dotnet, data, size, 0))
		return;
	most = 8 * (dotnet.metadata_length + 2) + dotnet.payload_length + 128;
	CHECK(ue_decode_dotnet_convert(&dotnet, "tp", 2, dotnet.metadata, dotnet.metadata_length,
				       NULL, 0) <= most);
	buffer = (char *)malloc(most);
	n = ue_decode_dotnet_convert(&dotnet, "tp", 2, dotnet.metadata, dotnet.metadata_length,
				     buffer, most);
	CHECK(n <= most);
	used = strlen(buffer) + 1;
	CHECK(used < n);
	exact = (char *)malloc(n); /* a block of the exact size, so that ASan detects overreads */
	memcpy(exact, buffer, n);
	check_event(exact, used - 1, (const uint8_t *)exact + used, n - used);
	free(buffer);
	free(exact);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy;
	size_t split;

	if (!size)
		return 0;
	copy = (uint8_t *)malloc(size);
	memcpy(copy, data, size);
	if (copy[0] == 255)
		check_dotnet(copy + 1, size - 1);
	switch (copy[0] == 255 ? 3 : copy[0] % 3) {
	case 0:
		check_event(NULL, 0, copy + 1, size - 1);
		check_truncations(copy + 1, size - 1);
		break;
	case 1:
		split = size > 1 && copy[1] < size - 2 ? copy[1] : 0;
		check_event((char *)copy + size - split, split, copy + 1, size - 1 - split);
		break;
	case 2:
		for (split = 1; split < size && copy[split]; split++)
			;
		check_format((char *)copy + 1, split - 1, copy + split, size - split);
		break;
	default:
		break;
	}
	free(copy);
	return 0;
}

#include "replay.h"
