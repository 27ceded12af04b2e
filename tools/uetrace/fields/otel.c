/* SPDX-License-Identifier: MIT */
/* Reads the logs and spans of OpenTelemetry exporters. */
#include "fields/fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct {
	const char *part, *name;
} rows[] = {
#define OTEL_ROW(field, part, name) { "Part" #part, #name },
	OTEL_ROWS(OTEL_ROW)
};

static bool is(const struct ue_decode_item *item, const char *name)
{
	return item->name_length == strlen(name) && !memcmp(item->name, name, item->name_length);
}

/*
 * Parses a time such as "2026-11-22T18:20:33.995399735Z". The fraction is optional and may have any
 * number of digits. Returns ns since 1970, or 0 if the time is malformed.
 */
static uint64_t time_of(const struct ue_decode_item *item)
{
	char s[40], ns[] = "000000000";
	struct tm tm = { .tm_isdst = 0 };
	const char *rest;
	size_t n;

	snprintf(s, sizeof(s), "%.*s", (int)item->size,
		 item->value ? (const char *)item->value : "");
	rest = strptime(s, "%Y-%m-%dT%H:%M:%S", &tm);
	if (!rest || tm.tm_year < 70)
		return 0;
	n = *rest == '.' ? strspn(rest + 1, "0123456789") : 0;
	memcpy(ns, rest + 1, n < strlen(ns) ? n : strlen(ns));
	return (uint64_t)timegm(&tm) * 1000000000 + strtoul(ns, NULL, 10);
}

bool otel_attribute(struct ue_decode_fields *fields, bool *within)
{
	while (ue_decode_next(fields) > 0) {
		if (fields->item.type == UE_DECODE_STRUCT && fields->item.depth == 0)
			*within = is(&fields->item, "PartC");
		if (*within && fields->item.type == UE_DECODE_VALUE && fields->item.depth == 1)
			return true;
	}
	return false;
}

bool otel_read(const struct ue_decode_event *event, struct otel *otel)
{
	struct ue_decode_fields fields;
	struct ue_decode_item part = { .name_length = 0 };
	/*
	 * The type name defaults to the event name. PartB can override it, as in logs of the C++
	 * exporter.
	 */
	struct ue_decode_item type = { .value = (const unsigned char *)event->name,
				       .size = event->name_length };
	size_t i;

	memset(otel, 0, sizeof(*otel));
	ue_decode_start(&fields, event);
	if (ue_decode_next(&fields) <= 0 || !is(&fields.item, "__csver__"))
		return false;
	while (ue_decode_next(&fields) > 0) {
		if (fields.item.type == UE_DECODE_STRUCT && fields.item.depth == 0)
			part = fields.item;
		if (fields.item.type != UE_DECODE_VALUE || fields.item.depth != 1 ||
		    !fields.item.size)
			continue; /* treat an empty string as missing */
		for (i = 0; i < OTEL_FIELDS; i++) {
			if (is(&part, rows[i].part) && is(&fields.item, rows[i].name))
				otel->items[i] = fields.item;
		}
	}
	if (otel->items[OTEL_TYPE].size)
		type = otel->items[OTEL_TYPE];
	otel->span = type.size == 4 && !memcmp(type.value, "Span", 4);
	if (!otel->span && (type.size != 3 || memcmp(type.value, "Log", 3) != 0))
		return false;
	otel->end = time_of(&otel->items[OTEL_TIME]);
	otel->begin = otel->span ? time_of(&otel->items[OTEL_START]) : otel->end;
	if (otel->begin > otel->end || !otel->begin)
		otel->begin = otel->end;
	return true;
}

uint64_t otel_number(const struct otel *otel, enum otel_field field)
{
	const struct ue_decode_item *item = &otel->items[field];
	uint64_t value = 0;
	size_t i;

	for (i = 0; i < item->size && item->size <= 8; i++)
		value = value << 8 | item->value[item->big_endian ? i : item->size - 1 - i];
	return value;
}

bool otel_is_id(const struct otel *otel, enum otel_field field, size_t digits)
{
	const struct ue_decode_item *item = &otel->items[field];
	char s[33];

	if (item->size != digits || digits >= sizeof(s))
		return false;
	memcpy(s, item->value, digits);
	s[digits] = '\0';
	return strspn(s, "0123456789abcdef") == digits && strspn(s, "0") != digits;
}
