/* SPDX-License-Identifier: MIT */
/* OpenTelemetry's logs and spans in Common Schema, as user_events_otel.h and Rust's exporters write them. */
#ifndef UETRACE_OTEL_H
#define UETRACE_OTEL_H

#include <stdbool.h>
#include <user_events_decode.h>

/* What is not an attribute, in the order of the rows in otel.c. */
enum otel_field {
	OTEL_TIME,
	OTEL_TRACE,
	OTEL_SPAN,
	OTEL_ROLE,
	OTEL_INSTANCE,
	OTEL_BODY,
	OTEL_SEVERITY,
	OTEL_SEVERITY_TEXT,
	OTEL_NAME,
	OTEL_EVENT_ID,
	OTEL_START,
	OTEL_KIND,
	OTEL_SUCCESS,
	OTEL_PARENT,
	OTEL_MESSAGE,
	OTEL_LINKS,
	OTEL_FIELDS
};

struct otel {
	bool span;	     /* else a log */
	uint64_t begin, end; /* of a span, ns since 1970; of a log both are its time; 0: not known */
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
