/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The user_events.h authors */
/*
 * user_events_otel.h - OpenTelemetry's logs and spans as EventHeader events.
 *
 *	#include <user_events_otel.h>
 *
 *	UE_OTEL_PROVIDER(shop, "MyCompany_Shop");
 *
 *	shop.role = "checkout";
 *	UE_OTEL_LOG(shop, UE_OTEL_WARN, "card declined", UE_NAMED("card.brand", UE_STR(brand)), attempt);
 *
 *	struct ue_otel_span span;
 *
 *	UE_OTEL_SPAN_BEGIN(shop, &span, NULL);
 *	UE_OTEL_LOG(shop, UE_OTEL_INFO, "paid", UE_OTEL_IN(&span.context), items);
 *	UE_OTEL_SPAN_END(shop, &span, "POST /order", UE_BOOL(express));
 *
 * The schema is that of opentelemetry-user-events-logs and -trace (Rust), which the user_events receiver of
 * otel-arrow reads: docs/otel.md. The macros are statements, thread-safe and async-signal-safe, leave errno
 * alone, allocate nothing and wait for no lock. While nobody listens, arguments are not evaluated, and a
 * log or the end of a span is three instructions. One that is written needs 7 KiB of stack.
 */
#ifndef UE_USER_EVENTS_OTEL_H
#define UE_USER_EVENTS_OTEL_H
#ifndef UE__NO_SYSTEM_HEADER
#pragma GCC system_header
#endif

#include "user_events_builder.h"

/*
 * UE_OTEL_PROVIDER(symbol, "provider");
 *
 * Defines the struct SYMBOL and the event sets SYMBOL_L1 to SYMBOL_L5, the tracepoints PROVIDER_L1K1 to
 * PROVIDER_L5K1, at file scope in one source file. FATAL is level 1, ERROR 2, WARN 3, INFO and spans 4,
 * DEBUG and TRACE 5.
 *
 * UE_OTEL_DECLARE_PROVIDER(symbol);	lets other files of the program use them
 */
struct ue_otel {
	const char *role, *role_instance; /* service.name, service.instance.id or NULL; set at the start */
	struct ue_event_set *sets[5];	  /* private */
};
#define UE_OTEL_PROVIDER(symbol, provider) \
	UE__OTEL_SETS(UE_EVENT_SET, symbol, provider) \
	extern UE__STRUCT(ue_otel) symbol UE__HIDDEN; \
	UE__STRUCT(ue_otel) symbol = { UE__NULL, UE__NULL, { UE__OTEL_LIST(symbol) } }
#define UE_OTEL_DECLARE_PROVIDER(symbol) \
	UE__OTEL_SETS(UE__OTEL_DECLARE, symbol, ) extern UE__STRUCT(ue_otel) symbol UE__HIDDEN

/*
 * UE_OTEL_LOG(provider, severity, body, fields...)
 *
 * Logs a record. SEVERITY is 1 to 24: one of UE_OTEL_TRACE to UE_OTEL_FATAL, or up to 3 more. BODY is
 * UTF-8, or NULL for none. The fields are the attributes: numbers and UTF-8 strings, as UE_LOG() has them,
 * UE_NAMED("http.route", UE_STR(route)). Among them may stand, each once,
 *
 *	UE_OTEL_IN(&span.context)		the log is part of that span; evaluated twice
 *	UE_OTEL_NAME(s), UE_OTEL_EVENT_ID(i)	name and number of the events of this kind
 *
 * An event that is too large for a tracer is cut as UE_LOG() cuts it (ue_status().cut). One that cannot be
 * cut is not written (ue_status().large).
 */
enum { UE_OTEL_TRACE = 1, UE_OTEL_DEBUG = 5, UE_OTEL_INFO = 9 };
enum { UE_OTEL_WARN = 13, UE_OTEL_ERROR = 17, UE_OTEL_FATAL = 21 };

#define UE_OTEL_LOG(provider, severity, ...) \
	do { \
		const int ue__severity = (severity); \
		if (ue_event_set_enabled(UE__OTEL_SET(provider, ue__severity))) \
			UE__OTEL(UE__COUNT(__VA_ARGS__), provider, 0, (), ue__severity, __VA_ARGS__) \
	} while (0)
#define UE_OTEL_IN(context) \
	UE__OTEL_ITEM("\1ext_dt_traceId", UE__OTEL_ID(16), ue__in_pointer((context)->trace_id)), \
	UE__OTEL_ITEM("\1ext_dt_spanId", UE__OTEL_ID(8), ue__in_pointer((context)->span_id))
#define UE_OTEL_NAME(s) UE__OTEL_ITEM("\2name", UE__STR, ue__in_STR(s))
#define UE_OTEL_EVENT_ID(i) UE__OTEL_ITEM("\2eventId", UE__I64, ue__in_I64(i))

/*
 * UE_OTEL_SPAN_BEGIN(provider, span, parent)
 * UE_OTEL_SPAN_END(provider, span, name, fields...)
 *
 * Begin and end a span. SPAN is a struct ue_otel_span *. PARENT is the context of the span around it, which
 * may be of another process, or NULL: a new trace. A begin is a function call; it makes ids by
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
	uint8_t kind;	    /* may be set until the end; UE_OTEL_INTERNAL */
	const char *failed; /* may be set until the end: why it was no success; NULL */
	uint64_t start;	    /* in ns since 1970; 0: nobody listened */
};
#define UE_OTEL_SPAN_BEGIN(provider, span, parent) ue__otel_begin(&(provider), span, parent)
#define UE_OTEL_SPAN_END(provider, span, ...) \
	do { \
		if (ue_event_set_enabled(&provider##_L4)) \
			UE__OTEL(UE__COUNT(__VA_ARGS__), provider, 1, \
				 (, ue__in_pointer(&(span)->context)), UE_OTEL_INFO, __VA_ARGS__) \
	} while (0)
#define UE_OTEL_LINKS(json) UE__OTEL_ITEM("\3links", UE__JSON, ue__in_JSON(json))

/*
 * Implementation
 * ==============
 *
 * A site has a constant table of its fields' types and names. Names that begin with \1 belong to PartA of a
 * log, with \2 to its PartB, with \3 to PartB of a span.
 */
struct UE__HIDDEN_TYPE ue__otel_entry {
	uint32_t type;	  /* of the first one, the number of values, and << 16 whether it is a span */
	const void *name; /* of the first one, the provider */
};
#define UE__OTEL_ID(size) (UE__STRN | UE__T_POINTER | UE__T_LENGTH(size)) /* as hexadecimal text */
#define UE__OTEL_ITEM(name, type, value) \
	(ue__value, ue__field, name, "otel", , , type, ue__c_U64, ~, value)
#define UE__OTEL(n, ...) UE__OTEL_(n, __VA_ARGS__)
#define UE__OTEL_(n, provider, is_span, span, severity, ...) \
	UE__OTEL_SITE(n, provider, is_span, span, severity, UE__FIRST(__VA_ARGS__, ~), \
		      UE__ITEMS_##n(_, __VA_ARGS__))
#define UE__OTEL_SITE(n, provider, is_span, span, severity, text, ...) \
	{ \
		UE__LOG_FIELDS(n, __VA_ARGS__) \
		UE__EACH_##n(UE__ATTRIBUTE, __VA_ARGS__) \
		static const UE__STRUCT(ue__otel_entry) ue__table[] = { \
			{ (UE__U32(ue__sum) & 0xffff) | is_span << 16, &(provider) }, \
			UE__EACH_##n(UE__TABLE, __VA_ARGS__) { 0, UE__NULL } \
		}; \
		UE__RUN_WITH(UE__EACH_##n(UE__PASS, __VA_ARGS__), \
			     UE__EACH_##n(UE__EVALUATE_LOG, __VA_ARGS__), UE__COLD_SITE; \
			     ue__otel_write(ue__table, severity, \
					    text UE__UNPACK span UE__EACH_##n(UE__PASS, __VA_ARGS__));) \
	}
/* op UE__TABLE: an entry; op UE__ATTRIBUTE: what can be one */
#define UE__TABLE_ue__bare(at, string, ...) { UE__U32(ue__t##at), string },
#define UE__TABLE_ue__value UE__TABLE_ue__bare
#define UE__TABLE_ue__pair UE__TABLE_ue__bare
#define UE__TABLE_ue__struct(...)
#define UE__TABLE_ue__option(...)
#define UE__ATTRIBUTE_ue__bare(at, string, ...) \
	UE__STATIC_ASSERT(UE__OTEL_TAKES(UE__U32(ue__t##at)), \
			  "user_events.h: \"" string "\" is no attribute: these are numbers and strings");
#define UE__ATTRIBUTE_ue__value UE__ATTRIBUTE_ue__bare
#define UE__ATTRIBUTE_ue__pair UE__ATTRIBUTE_ue__bare
#define UE__ATTRIBUTE_ue__struct(at, string, ...) \
	UE__STATIC_ASSERT(0, "user_events.h: struct \"" string "\" is no attribute: name each member");
#define UE__ATTRIBUTE_ue__option(...)
#define UE__OTEL_TAKES(t) \
	(UE__KIND_OF(t) < UE__KIND_VALUE128 \
		 ? !((t)&UE__T_DATA) \
		 : (UE__KIND_OF(t) == UE__KIND_ZSTRING8 || UE__KIND_OF(t) == UE__KIND_STRING8) && \
			   !((t) & (UE__T_CARRAY | UE__T_VARRAY)))
#define UE__OTEL_DECLARE(symbol, ...) UE_DECLARE_EVENT_SET(symbol)
#define UE__OTEL_SETS(_, symbol, provider) \
	_(symbol##_L1, provider, 1, 1); \
	_(symbol##_L2, provider, 2, 1); \
	_(symbol##_L3, provider, 3, 1); \
	_(symbol##_L4, provider, 4, 1); \
	_(symbol##_L5, provider, 5, 1);
#define UE__OTEL_LIST(symbol) &symbol##_L1, &symbol##_L2, &symbol##_L3, &symbol##_L4, &symbol##_L5
#define UE__OTEL_SET(symbol, severity) ue__otel_set(severity, UE__OTEL_LIST(symbol))

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes" /* as in user_events.h */
#ifdef __cplusplus
#pragma GCC diagnostic ignored "-Wold-style-cast"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wuseless-cast"
#endif
#endif
#ifdef UE_DISABLE
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif

UE__FN __attribute__((__always_inline__)) struct ue_event_set *
ue__otel_set(int severity, struct ue_event_set *l1, struct ue_event_set *l2,
	     struct ue_event_set *l3, struct ue_event_set *l4, struct ue_event_set *l5)
{
	return severity < 9 ? l5 : severity < 13 ? l4 : severity < 17 ? l3 : severity < 21 ? l2 : l1;
}

#ifdef UE_DISABLE
#define UE__OTEL_FN(...) UE__DISABLED(, void __VA_ARGS__)
#else
#define UE__OTEL_FN(...) UE__API void __VA_ARGS__ __attribute__((__cold__));
#endif
UE__OTEL_FN(ue__otel_begin(const struct ue_otel *provider, struct ue_otel_span *span,
			   const struct ue_otel_context *parent))
UE__OTEL_FN(ue__otel_write(const struct ue__otel_entry *table, int severity, const char *text, ...))

#if !defined(UE__DECLARED_ONLY) && !defined(UE_DISABLE)
/* An event on its way into the builder. */
struct ue__otel_event {
	struct ue_builder b;
	const struct ue__otel_entry *table;
	const struct ue_otel_span *span; /* NULL: a log */
	const char *text;		 /* a log's body, a span's name */
	int severity;			 /* of a log */
	uint64_t values[128];
	struct ue__out out; /* how its strings are cut, as UE_LOG() does it */
};

UE__FN uint64_t ue__otel_now(void)
{
	struct timespec now;

	timespec_get(&now, TIME_UTC);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

UE__FN void ue__otel_digits(char *p, size_t n, uint64_t value)
{
	for (; n > 0; value /= 10)
		p[--n] = (char)('0' + value % 10);
}

/* Adds a time as RFC 3339 has it. */
UE__FN void ue__otel_time(struct ue_builder *b, const char *name, uint64_t ns)
{
	char text[] = "YYYY-MM-DDThh:mm:ss.nnnnnnnnnZ";
	uint64_t second = ns / 1000000000;
	/* Years begin in March, so that the leap day is a year's last. */
	uint64_t day = second / 86400 + 719468, of_era = day % 146097;
	uint64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
	uint64_t of_year = of_era - (365 * year + year / 4 - year / 100);
	uint64_t month = (5 * of_year + 2) / 153;

	ue__otel_digits(text, 4, year + day / 146097 * 400 + (month >= 10));
	ue__otel_digits(text + 5, 2, month < 10 ? month + 3 : month - 9);
	ue__otel_digits(text + 8, 2, of_year - (153 * month + 2) / 5 + 1);
	ue__otel_digits(text + 11, 2, second / 3600 % 24);
	ue__otel_digits(text + 14, 2, second / 60 % 60);
	ue__otel_digits(text + 17, 2, second % 60);
	ue__otel_digits(text + 20, 9, ns % 1000000000);
	ue_add_strn(b, name, text, sizeof(text) - 1);
}

/* Adds a string of type T, whose pointer and size are at V. */
UE__FN void ue__otel_string(struct ue__otel_event *e, const char *name, uint32_t t, const uint64_t *v)
{
	struct ue__data data;

	ue__get_data(&e->out, &data, t, v);
	ue_field_format(&e->b, (uint8_t)UE__FORMAT_OF(t));
	ue_add_strn(&e->b, name, (const char *)data.p, data.count);
}

/* Adds a string that is not cut, if there is one. */
UE__FN void ue__otel_text(struct ue_builder *b, const char *name, const char *s)
{
	if (s)
		ue_add_strn(b, name, s, strlen(s));
}

/* Adds an id in hexadecimal, unless it is zero. */
UE__FN void ue__otel_id(struct ue_builder *b, const char *name, const uint8_t *id, size_t size)
{
	static const uint8_t zero[16] = { 0 };
	char hex[32];
	size_t i;

	for (i = 0; i < 2 * size; i++)
		hex[i] = "0123456789abcdef"[id[i / 2] >> (i % 2 ? 0 : 4) & 15];
	if (memcmp(id, zero, size) != 0)
		ue_add_strn(b, name, hex, i);
}

/* Adds the fields whose names begin with MARK to the open struct; with none, to PartC. Closes it. */
UE__FN void ue__otel_fields(struct ue__otel_event *e, char mark)
{
	const struct ue__otel_entry *entry;
	const uint64_t *v = e->values, *next;
	bool open = mark != 0;
	const char *name;
	uint32_t t;

	for (entry = e->table + 1; entry->type; entry++, v = next) {
		t = entry->type;
		next = v + 1 + (UE__KIND_OF(t) == UE__KIND_STRING8 && !(t & (UE__T_SPAN | UE__T_POINTER)));
		name = (const char *)entry->name;
		if (mark ? *name != mark : *name >= 1 && *name <= 3)
			continue;
		name += mark != 0;
		if (!open)
			ue_struct_begin(&e->b, "PartC");
		open = true;
		if (UE__KIND_OF(t) < UE__KIND_VALUE128)
			ue__add_scalar(&e->b, name, t, *v);
		else if (t & UE__T_POINTER)
			ue__otel_id(&e->b, name, (const uint8_t *)(uintptr_t)*v, UE__LENGTH_OF(t));
		else
			ue__otel_string(e, name, t, v);
	}
	if (open)
		ue_struct_end(&e->b);
}

UE__FN void ue__otel_build(struct ue__otel_event *e, void *buffer, size_t size)
{
	static const char names[][6] = { "TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL" };
	const struct ue_otel *provider = (const struct ue_otel *)e->table->name;
	const struct ue_otel_span *span = e->span;
	uint64_t text = ue__in_pointer(e->text);
	struct ue_builder *b = &e->b;

	ue_builder_begin(b, buffer, size, span ? "Span" : "Log", 0);
	ue_add_u32(b, "__csver__", 0x400);
	ue_struct_begin(b, "PartA");
	ue__otel_time(b, "time", ue__otel_now());
	if (span) {
		ue__otel_id(b, "ext_dt_traceId", span->context.trace_id, 16);
		ue__otel_id(b, "ext_dt_spanId", span->context.span_id, 8);
	}
	ue__otel_text(b, "ext_cloud_role", provider->role);
	ue__otel_text(b, "ext_cloud_roleInstance", provider->role_instance);
	ue__otel_fields(e, 1);
	ue__otel_fields(e, 0);
	ue_struct_begin(b, "PartB");
	ue__otel_text(b, "_typeName", span ? "Span" : "Log");
	if (span) {
		ue__otel_string(e, "name", UE__STR, &text);
		ue__otel_id(b, "parentId", span->parent_id, 8);
		ue__otel_time(b, "startTime", span->start);
		ue_add_bool(b, "success", !span->failed);
		ue_add_u32(b, "kind", span->kind);
		ue__otel_text(b, "statusMessage", span->failed);
	} else {
		if (e->text)
			ue__otel_string(e, "body", UE__STR, &text);
		ue_add_i16(b, "severityNumber", (int16_t)e->severity);
		ue__otel_text(b, "severityText", names[(e->severity - 1) / 4]);
	}
	ue__otel_fields(e, span ? 3 : 2);
}

/* Writes a log, or the span that is the first value. */
UE__API void ue__otel_write(const struct ue__otel_entry *table, int severity, const char *text, ...)
{
	/* for names and short values: what fits a tracer fits here */
	unsigned char buffer[256 + (UE_MAX_EVENT < 8192 ? UE_MAX_EVENT : 8192)];
	size_t i, piece, size = 0, most, other;
	struct ue_event_set *set;
	struct ue__otel_event e;
	va_list values;

	memset(&e, 0, sizeof(e));
	e.table = table;
	e.text = text;
	e.severity = severity < 1 ? 1 : severity > 24 ? 24 : severity;
	set = ((const struct ue_otel *)table->name)
		      ->sets[severity < UE_OTEL_INFO ? 4 : (24 - e.severity) / 4];
	most = ue__most(&set->event);
	va_start(values, text);
	if (table->type >> 16)
		e.span = (const struct ue_otel_span *)(uintptr_t)va_arg(values, uint64_t);
	for (i = 0; i < (table->type & 0xffff); i++)
		e.values[i] = va_arg(values, uint64_t);
	va_end(values);
	if (e.span && !e.span->start)
		return;
	for (i = 0; i < 2; i++) {
		ue__otel_build(&e, buffer, sizeof(buffer));
		size = 8 + 4 + e.b.meta_end - UE__BUILDER_HEAD + e.b.data_end - e.b.data;
		for (piece = 0; piece < e.b.pieces && !e.b.error; piece++)
			size += ue__builder_pieces(&e.b)[piece].size;
		if (i > 0 || (size <= most && !e.b.error))
			break;
		/* again, with shorter strings: after an error it is not known how much short */
		other = e.b.error ? UE_MAX_EVENT / 2 : size - e.out.data;
		e.out.cutting = true;
		e.out.left = other < most ? most - other : 0;
	}
	if (size > most || e.b.error)
		UE__INCREMENT(&ue__state_v2.large);
	else if (ue_builder_write(&e.b, set, NULL, NULL) == 0 && e.out.cut)
		UE__INCREMENT(&ue__state_v2.cut);
}

/* Begins a span. Logs of any level may refer to it. */
UE__API void ue__otel_begin(const struct ue_otel *provider, struct ue_otel_span *span,
			    const struct ue_otel_context *parent)
{
	uint8_t id[16] = { 0 };
	bool enabled = false;
	size_t i;

	memset(span, 0, sizeof(*span));
	if (parent)
		span->context = *parent;
	for (i = 0; i < 5; i++)
		enabled |= ue_event_set_enabled(provider->sets[i]);
	if (!enabled)
		return;
	if (memcmp(span->context.trace_id, id, 16) == 0)
		ue_activity_new(span->context.trace_id);
	memcpy(span->parent_id, span->context.span_id, 8);
	ue_activity_new(id);
	memcpy(span->context.span_id, id + 8, 8);
	span->start = ue__otel_now();
}
#endif

#pragma GCC diagnostic pop
#endif /* UE_USER_EVENTS_OTEL_H */
