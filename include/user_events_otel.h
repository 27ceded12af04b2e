/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The user_events.h authors */
/*
 * user_events_otel.h - OpenTelemetry's logs and spans as EventHeader events.
 *
 *	#include <user_events_otel.h>
 *
 *	UE_OTEL_PROVIDER(shop, "MyCompany_Shop");
 *	struct ue_otel_span span;
 *
 *	shop.role = "checkout";
 *	UE_OTEL_SPAN_BEGIN(shop, &span, NULL);
 *	UE_OTEL_LOG(shop, UE_OTEL_WARN, "card declined", UE_OTEL_IN(&span.context), attempt,
 *		    UE_NAMED("card.brand", UE_STR(brand)));
 *	UE_OTEL_SPAN_END(shop, &span, "POST /order", UE_BOOL(express));
 *
 * The schema is that of opentelemetry-user-events-logs and -trace (Rust), which the user_events receiver of
 * otel-arrow reads: docs/otel.md. The events are no USDT probes. The macros are statements, thread-safe and
 * async-signal-safe, leave errno alone, allocate nothing and wait for no lock. While nobody listens, arguments
 * but SEVERITY are not evaluated, and a log or the end of a span is three instructions. One that is written
 * needs 7 KiB of stack, at most 9 (optimised, with the default UE_MAX_EVENT).
 */
#ifndef UE_USER_EVENTS_OTEL_H
#define UE_USER_EVENTS_OTEL_H
#ifndef UE__NO_SYSTEM_HEADER
#pragma GCC system_header
#endif

#include <time.h>
#include "user_events_builder.h"

/*
 * UE_OTEL_PROVIDER(symbol, "provider");	at file scope in one source file
 * UE_OTEL_DECLARE_PROVIDER(symbol);		in the others of the program
 *
 * Define and declare the struct SYMBOL and the event sets SYMBOL_L1 to SYMBOL_L5, the tracepoints PROVIDER_L1K1
 * to PROVIDER_L5K1. FATAL is level 1, ERROR 2, WARN 3, INFO and spans 4, DEBUG and TRACE 5.
 */
struct ue_otel {
	const char *role, *role_instance; /* service.name, service.instance.id or NULL; set at the start */
	struct ue_event_set *sets[5];	  /* private */
};
#define UE_OTEL_PROVIDER(symbol, provider) \
	UE__OTEL_SETS(UE_EVENT_SET, symbol, provider) \
	extern UE__STRUCT(ue_otel) symbol UE__HIDDEN; \
	UE__STRUCT(ue_otel) symbol = { UE__NULL, UE__NULL, \
		{ &symbol##_L1, &symbol##_L2, &symbol##_L3, &symbol##_L4, &symbol##_L5 } }
#define UE_OTEL_DECLARE_PROVIDER(symbol) \
	UE__OTEL_SETS(UE__OTEL_DECLARE, symbol, ) extern UE__STRUCT(ue_otel) symbol UE__HIDDEN

/*
 * UE_OTEL_LOG(provider, severity, body, fields...)
 *
 * Logs a record. SEVERITY is 1 to 24: one of UE_OTEL_TRACE to UE_OTEL_FATAL, or up to 3 more. BODY is
 * UTF-8, or NULL for none. The fields are the attributes: numbers and UTF-8 strings, as UE_LOG() has them,
 * UE_NAMED("http.route", UE_STR(route)). Among them may stand, each once,
 *
 *	UE_OTEL_IN(&span.context)		the span that the log is part of, or a NULL pointer
 *	UE_OTEL_NAME(s), UE_OTEL_EVENT_ID(i)	name and number of the events of this kind
 *
 * In an event that is too large for a tracer, strings of over 64 bytes are cut, each to its share
 * (ue_status().cut). If that is not enough, it is not written (ue_status().large).
 */
enum { UE_OTEL_TRACE = 1, UE_OTEL_DEBUG = 5, UE_OTEL_INFO = 9 };
enum { UE_OTEL_WARN = 13, UE_OTEL_ERROR = 17, UE_OTEL_FATAL = 21 };

#define UE_OTEL_LOG(provider, severity, ...) \
	UE__OTEL(UE__COUNT(__VA_ARGS__), provider, "Log", severity, __VA_ARGS__)
#define UE_OTEL_IN(context) UE__OTEL_IN(((void)sizeof((context)->trace_id), (context)))
#define UE_OTEL_NAME(s) UE__OTEL_ITEM("\1name", UE__STR, ue__in_STR(s))
#define UE_OTEL_EVENT_ID(i) UE__OTEL_ITEM("\1eventId", UE__I64, ue__in_I64(i))

/*
 * UE_OTEL_SPAN_BEGIN(provider, span, parent)
 * UE_OTEL_SPAN_END(provider, span, name, fields...)
 *
 * Begin and end a span, once each. SPAN is a struct ue_otel_span *. PARENT is the context of the span around
 * it, which may be of another process, or NULL: a new trace. A begin is a function call; it makes ids by
 * ue_activity_new() if somebody listens to any set of the provider. Else it copies PARENT, so that a
 * service passes on what it got, and the end writes nothing. Among the attributes may stand
 *
 *	UE_OTEL_LINKS(json)	spans that it has to do with: [{"toTraceId":"...","toSpanId":"..."},...]
 */
enum { UE_OTEL_INTERNAL, UE_OTEL_SERVER, UE_OTEL_CLIENT, UE_OTEL_PRODUCER, UE_OTEL_CONSUMER };

struct ue_otel_context { /* zeros: none */
	uint8_t trace_id[16], span_id[8];
};
struct ue_otel_span {
	struct ue_otel_context context; /* for UE_OTEL_IN(), and to send to other processes */
	uint8_t parent_id[8];
	uint8_t kind;	       /* may be set until the end; UE_OTEL_INTERNAL without that */
	const char *failed;    /* may be set until the end: why it failed; NULL: it did not */
	struct timespec start; /* zeros: nobody listened */
};
#define UE_OTEL_SPAN_BEGIN(provider, span, parent) ue__otel_begin(&(provider), span, parent)
#define UE_OTEL_SPAN_END(provider, span, ...) \
	UE__OTEL(UE__COUNT(__VA_ARGS__, ~), provider, "Span", UE_OTEL_INFO, __VA_ARGS__, \
		 UE__OTEL_IN((span)->context.trace_id))
#define UE_OTEL_LINKS(json) UE__OTEL_ITEM("\2links", UE__JSON, ue__in_JSON(json))

/*
 * Implementation
 * ==============
 *
 * A site has a constant table of its fields' types and names. To the core's macros UE_OTEL_IN() is an activity. Names
 * that begin with \1 belong to PartB of a log, with \2 to that of a span.
 */
struct UE__HIDDEN_TYPE ue__otel_entry {
	uint32_t type;	  /* of the first one, the number of values, and << 16 of those that are the context */
	const char *name; /* of the first one, "Log" or "Span" */
	const struct ue_otel *provider;
};
#define UE__OTEL_IN(p) (ue__activity, ue__field, "in", "", , , ue__in_pointer(p), 0)
#define UE__OTEL_ITEM(name, type, value) (ue__value, ue__field, name, "", , , type, ue__c_U64, ~, value)
#define UE__OTEL_DECLARE(symbol, ...) UE_DECLARE_EVENT_SET(symbol)
#define UE__OTEL_SETS(_, symbol, provider) \
	_(symbol##_L1, provider, 1, 1); _(symbol##_L2, provider, 2, 1); _(symbol##_L3, provider, 3, 1); \
	_(symbol##_L4, provider, 4, 1); _(symbol##_L5, provider, 5, 1);
#define UE__OTEL_SET(symbol, severity) \
	((severity) < 13 ? (severity) < 9 ? &symbol##_L5 : &symbol##_L4 : \
	 (severity) < 17 ? &symbol##_L3 : (severity) < 21 ? &symbol##_L2 : &symbol##_L1)
#define UE__OTEL(n, ...) UE__OTEL_(n, __VA_ARGS__)
#define UE__OTEL_(n, provider, type, severity, ...) \
	UE__OTEL_SITE(n, provider, type, severity, UE__FIRST(__VA_ARGS__, ~), UE__ITEMS_##n(_, __VA_ARGS__))
#define UE__OTEL_SITE(n, provider, type, severity, text, ...) \
	do { \
		int ue__severity = (severity); /* not const: clang would warn of the comparisons */ \
		enum { ue__is_span = sizeof(type) == sizeof("Span") }; \
		UE__LOG_FIELDS(n, __VA_ARGS__) \
		UE__EACH_##n(UE__ATTRIBUTE, __VA_ARGS__) \
		if (ue_event_set_enabled(UE__OTEL_SET(provider, ue__severity))) { \
			static const UE__STRUCT(ue__otel_entry) ue__table[] = { \
				{ UE__U16(ue__sum) UE__IF_ACTIVITY(n, __VA_ARGS__)(| 2u << 16), type, &(provider) }, \
				UE__EACH_##n(UE__TABLE, __VA_ARGS__) { 0, UE__NULL, UE__NULL } \
			}; \
			UE__RUN_WITH(UE__PASS_ACTIVITY(n, __VA_ARGS__) UE__EACH_##n(UE__PASS, __VA_ARGS__), \
				     UE__EACH_##n(UE__EVALUATE, __VA_ARGS__), UE__COLD_SITE; \
				     ue__otel_write(ue__table, ue__severity, text UE__PASS_ACTIVITY(n, __VA_ARGS__) \
						    UE__EACH_##n(UE__PASS, __VA_ARGS__));) \
		} \
	} while (0)
/* op UE__TABLE: an entry; op UE__ATTRIBUTE: what can be one */
#define UE__TABLE_ue__bare(at, string, ...) { UE__U32(ue__t##at), string, UE__NULL },
#define UE__TABLE_ue__value UE__TABLE_ue__bare
#define UE__TABLE_ue__pair UE__TABLE_ue__bare
#define UE__TABLE_ue__struct(...)
#define UE__TABLE_ue__option(...)
#define UE__TABLE_ue__activity(...)
#define UE__ATTRIBUTE_ue__bare(at, string, id, as, tag, ...) \
	UE__STATIC_ASSERT(sizeof(string) > 1 && sizeof(#tag) == 1 && UE__IS_ATTRIBUTE(ue__t##at), \
			  "user_events.h: \"" string "\" is no attribute: a number or UTF-8 string, named, untagged"); \
	UE__STATIC_ASSERT(__extension__ __builtin_memcmp(string, ue__is_span ? "\1" : "\2", 1) != 0, \
			  "user_events.h: UE_OTEL_NAME and UE_OTEL_EVENT_ID are for logs, UE_OTEL_LINKS for spans");
#define UE__IS_ATTRIBUTE(t) \
	(!(t & UE__T_DATA) || (UE__IS_CHARS(t) && !UE__IS_ARRAY(t) && UE__FORMAT_OF(t) != UE_FORMAT_STRING8))
#define UE__ATTRIBUTE_ue__value UE__ATTRIBUTE_ue__bare
#define UE__ATTRIBUTE_ue__pair UE__ATTRIBUTE_ue__bare
#define UE__ATTRIBUTE_ue__struct(at, string, ...) \
	UE__STATIC_ASSERT(0, "user_events.h: struct \"" string "\" is no attribute: name each member");
#define UE__ATTRIBUTE_ue__option UE__CARRIED_ue__option
#define UE__ATTRIBUTE_ue__activity(at, s, ...) UE__CARRIED_ue__option(at, s, , , , true, sizeof(s) == 1, ~)

/* Begins a span. Logs of any level may refer to it. */
UE__COLD void ue__otel_begin(const struct ue_otel *provider, struct ue_otel_span *span,
			     const struct ue_otel_context *parent)
{
	static const struct ue_otel_context none = { { 0 }, { 0 } };
	const struct ue_otel_context context = parent ? *parent : none; /* PARENT may be within SPAN */
	uint8_t id[16];
	size_t i;

	memset(span, 0, sizeof(*span));
	span->context = context;
	for (i = 0; !ue_event_set_enabled(provider->sets[i]); i++)
		if (i == 4)
			return;
	if (memcmp(context.trace_id, none.trace_id, 16) == 0)
		ue_activity_new(span->context.trace_id);
	memcpy(span->parent_id, context.span_id, 8);
	ue_activity_new(id);
	memcpy(span->context.span_id, id + 8, 8);
	timespec_get(&span->start, TIME_UTC);
}

#ifdef UE_DISABLE
#define ue__otel_write(...) ue__ignore(0, __VA_ARGS__)
#else
UE__API void ue__otel_write(const struct ue__otel_entry *table, int severity, const char *text, ...)
	__attribute__((__cold__));
#ifndef UE__DECLARED_ONLY
/* Adds a time as RFC 3339 has it: of 1970 to 9999. */
UE__FN void ue__otel_time(struct ue_builder *b, const char *name, const struct timespec *time)
{
	char text[] = "0000-00-00T00:00:00.000000000Z";
	uint64_t second = UE__U64(time->tv_sec < 0 ? 0 : time->tv_sec);
	/* Years begin in March, so that the leap day is a year's last; four of them have 1461 days. */
	uint64_t n = 4 * (second / 86400 + 719468) + 3, of_century = n % 146097 | 3;
	uint64_t day = of_century % 1461 / 4, month = (5 * day + 2) / 153;
	uint64_t date = (n / 146097 * 100 + of_century / 1461) * 10000 + /* YYYYMMDD */
			(month < 10 ? month + 3 : month + 91) * 100 + day - (153 * month + 2) / 5 + 1;
	uint64_t clock = ((second / 3600 % 24 * 100 + second / 60 % 60) * 100 + second % 60) * 1000000000 +
			 UE__U64(time->tv_nsec); /* hhmmssnnnnnnnnn */
	size_t i;

	for (i = sizeof(text) - 1; i-- > 0;) {
		uint64_t *digits = i > 10 ? &clock : &date;

		if (text[i] == '0') {
			text[i] = "0123456789"[*digits % 10];
			*digits /= 10;
		}
	}
	ue_add_strn(b, name, text, sizeof(text) - 1);
}

/* Adds an id in hexadecimal, unless it is zero. */
UE__FN void ue__otel_id(struct ue_builder *b, const char *name, const uint8_t *id, size_t size)
{
	char hex[32];
	size_t i;

	for (i = 0; i < 2 * size; i++)
		hex[i] = "0123456789abcdef"[id[i / 2] >> (i % 2 ? 0 : 4) & 15];
	if (memcmp(hex, "00000000000000000000000000000000", i) != 0)
		ue_add_strn(b, name, hex, i);
}

/* Adds a string, if there is one. */
UE__FN void ue__otel_string(struct ue_builder *b, const char *name, const char *s)
{
	if (s)
		ue_add_strn(b, name, s, ue__units(s, 0, 65535));
}

/* Adds the fields marked PART to the open struct, and closes it; 0: the attributes, if any, as PartC. */
UE__FN void ue__otel_fields(struct ue_builder *b, const struct ue__otel_entry *entry, const uint64_t *v, char part)
{
	struct ue__data data = { NULL, 0, 0, false };

	while ((++entry)->type) {
		const char *name = entry->name;
		char its_part = *name == 1 || *name == 2 ? *name++ : 0;
		const uint64_t *value = v++;

		if (entry->type & UE__T_DATA)
			v = ue__get_data(&data, entry->type, value);
		if (its_part != part)
			continue;
		if (b->depth == 0)
			ue_struct_begin(b, "PartC");
		if (entry->type & UE__T_DATA)
			ue__add_array(b, name, UE__STRN | (entry->type & UE__T_FORMATS), data.p, data.count);
		else
			ue__add_scalar(b, name, entry->type, *value);
	}
	if (b->depth)
		ue_struct_end(b);
}

/* Writes the event. If it is too large, its long strings are cut, each to its share of what is left. */
UE__FN void ue__otel_end(struct ue_builder *b, struct ue_event_set *set)
{
	size_t other = 8 + 4 + b->meta_end - UE__BUILDER_HEAD + b->data_end - b->data, size = other, i;
	size_t left = ue__most(&set->event) < 65535 ? ue__most(&set->event) : 65535;
	struct ue__piece *piece = ue__builder_pieces(b);

	for (i = 0; i < b->pieces && !b->error; i++)
		size += piece[i].size;
	if (size > left && left > other) {
		UE__INCREMENT(&ue__state_v2.cut);
		for (left -= other; i-- > 0; left -= piece[i].size) {
			piece[i].size = ue__whole(piece[i].data, piece[i].size, left / (i + 1), 1, true);
			ue__put_u16(b->buffer + b->data + piece[i].at - 2, piece[i].size);
		}
	}
	if (ue_builder_write(b, set, NULL, NULL) != 0 && b->error)
		UE__INCREMENT(&ue__state_v2.large);
}

/* Writes a log or a span. */
UE__API void ue__otel_write(const struct ue__otel_entry *table, int severity, const char *text, ...)
{
	static const char severities[][6] = { "FATAL", "ERROR", "WARN", "INFO", "DEBUG", "TRACE" };
	bool is_span = table->name[0] == 'S';
	/* for names and short values: what fits a tracer fits here */
	unsigned char buffer[256 + (UE_MAX_EVENT < 8192 ? UE_MAX_EVENT : 8192)];
	uint64_t values[2 + 2 * 64], *attributes = values + (table->type >> 16);
	union { /* of a log, its context alone */
		unsigned char bytes[sizeof(struct ue_otel_span)];
		struct ue_otel_span span;
	} in;
	struct timespec now;
	struct ue_builder b;
	va_list list;
	size_t i;

	va_start(list, text);
	for (i = 0; i < (table->type & 0xffff); i++)
		values[i] = va_arg(list, uint64_t);
	va_end(list);
	ue__put_memory(in.bytes, attributes != values ? ue__as_pointer(values[0]) : NULL,
		       is_span ? sizeof(in) : sizeof(struct ue_otel_context));
	if (is_span && !in.span.start.tv_sec)
		return;
	severity = severity < 1 ? 1 : severity > 24 ? 24 : severity;
	timespec_get(&now, TIME_UTC);
	ue_builder_begin(&b, buffer, sizeof(buffer), table->name, 0);
	ue_add_u32(&b, "__csver__", 0x400);
	ue_struct_begin(&b, "PartA");
	ue__otel_time(&b, "time", &now);
	ue__otel_id(&b, "ext_dt_traceId", in.span.context.trace_id, 16);
	ue__otel_id(&b, "ext_dt_spanId", in.span.context.span_id, 8);
	ue__otel_string(&b, "ext_cloud_role", table->provider->role);
	ue__otel_string(&b, "ext_cloud_roleInstance", table->provider->role_instance);
	ue_struct_end(&b);
	ue__otel_fields(&b, table, attributes, 0);
	ue_struct_begin(&b, "PartB");
	ue__otel_string(&b, "_typeName", table->name);
	if (is_span) {
		ue__otel_string(&b, "name", text);
		ue__otel_id(&b, "parentId", in.span.parent_id, 8);
		ue__otel_time(&b, "startTime", &in.span.start);
		ue_add_bool(&b, "success", !in.span.failed);
		ue_add_u32(&b, "kind", in.span.kind);
		ue__otel_string(&b, "statusMessage", in.span.failed);
	} else {
		ue__otel_string(&b, "body", text);
		ue__add_scalar(&b, "severityNumber", UE__I16, UE__U64(severity));
		ue__otel_string(&b, "severityText", severities[(24 - severity) / 4]);
	}
	ue__otel_fields(&b, table, attributes, is_span ? 2 : 1);
	ue__otel_end(&b, table->provider->sets[severity < UE_OTEL_INFO ? 4 : (24 - severity) / 4]);
}
#endif /* UE__DECLARED_ONLY */
#endif /* UE_DISABLE */
#endif /* UE_USER_EVENTS_OTEL_H */
