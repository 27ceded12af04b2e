/* SPDX-License-Identifier: MIT */
/* OpenTelemetry's logs and spans in Common Schema, as user_events_otel.h and Rust's exporters write them. */
#ifndef UETRACE_OTEL_H
#define UETRACE_OTEL_H

#include <stdbool.h>
#include <user_events_decode.h>

/* What is not an attribute, and in which part it is. */
/* clang-format off */
#define OTEL_ROWS(_)                                                                                 \
	_(TIME, A, time) _(TRACE, A, ext_dt_traceId) _(SPAN, A, ext_dt_spanId)                       \
	_(ROLE, A, ext_cloud_role) _(INSTANCE, A, ext_cloud_roleInstance)                            \
	_(BODY, B, body) _(SEVERITY, B, severityNumber) _(SEVERITY_TEXT, B, severityText)            \
	_(NAME, B, name) _(EVENT_ID, B, eventId) _(START, B, startTime) _(KIND, B, kind)             \
	_(SUCCESS, B, success) _(PARENT, B, parentId) _(MESSAGE, B, statusMessage) _(LINKS, B, links)
/* clang-format on */
#define OTEL_FIELD(field, part, name) OTEL_##field,
enum otel_field { OTEL_ROWS(OTEL_FIELD) OTEL_FIELDS };

struct otel {
	bool span; /* else a log */
	/* ns since 1970; those of a log are its time; 0: not known */
	uint64_t begin, end;
	struct ue_decode_item items[OTEL_FIELDS]; /* in the event's bytes; name NULL: it has none */
};

/* Returns false if the event is none of these. */
bool otel_read(const struct ue_decode_event *event, struct otel *otel);
/* Goes to the next attribute. Begin with ue_decode_start(), and *within false. */
bool otel_attribute(struct ue_decode_fields *fields, bool *within);
/* Returns 0 if the event does not have it. */
uint64_t otel_number(const struct otel *otel, enum otel_field field);
/* Is it hexadecimal digits, so many of them, and not all zeros? */
bool otel_is_id(const struct otel *otel, enum otel_field field, size_t digits);

#endif
