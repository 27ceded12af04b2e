/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The user_events.h authors */
/*
 * user_events_otel.h - writes OpenTelemetry logs and spans as EventHeader events.
 *
 *	#include <user_events_otel.h>
 *
 *	UE_OTEL_PROVIDER(shop, "MyCompany_Shop");
 *	struct ue_otel_span span;
 *
 *	shop.role = "checkout";
 *	UE_OTEL_SPAN_BEGIN(shop, &span, NULL, "POST /order");
 *	UE_OTEL_LOG(shop, UE_OTEL_WARN, "card declined", UE_OTEL_IN(&span.context), attempt,
 *		    UE_NAMED("card.brand", UE_STR(brand)));
 *	UE_OTEL_SPAN_END(shop, &span, UE_BOOL(express));
 *
 * The events have the schema of the Rust crates opentelemetry-user-events-logs and
 * opentelemetry-user-events-trace, which the user_events receiver of otel-arrow reads
 * (docs/otel.md). They are not USDT probes.
 *
 * The macros are statements. They are thread-safe and async-signal-safe, preserve errno, allocate
 * no memory and wait for no lock. If the event set is disabled, only SEVERITY is evaluated, and a
 * log or the end of a span costs three instructions. With the default UE_MAX_EVENT, writing an
 * event needs 12 KiB of stack.
 */
#ifndef UE_USER_EVENTS_OTEL_H
#define UE_USER_EVENTS_OTEL_H
#ifndef UE__I_NO_SYSTEM_HEADER
#pragma GCC system_header
#endif

#include <time.h>
#include "user_events.h"

/*
 * UE_OTEL_PROVIDER(symbol, "provider");	at file scope in one source file
 * UE_OTEL_DECLARE_PROVIDER(symbol);		in the other source files
 *
 * Define or declare the struct SYMBOL and the event sets SYMBOL_L1 to SYMBOL_L5. Their tracepoints
 * are PROVIDER_L1K1 to PROVIDER_L5K1. FATAL is level 1, ERROR is 2, WARN is 3, INFO and spans are
 * 4, DEBUG and TRACE are 5.
 */
UE__I_HEADER_BEGIN
struct ue_otel {
	const char *role, *role_instance; /* service.name, service.instance.id */
	struct ue_event_set *sets[5];	  /* private */
};
/* clang-format off */
#define UE_OTEL_PROVIDER(symbol, provider) \
	UE__OTEL_SETS(UE_EVENT_SET, symbol, provider) \
	extern UE__I_STRUCT(ue_otel) symbol \
		__attribute__((__visibility__("hidden"))); \
	UE__I_STRUCT(ue_otel) symbol = { UE__I_NULL, UE__I_NULL, \
		{ &symbol##_L1, &symbol##_L2, &symbol##_L3, &symbol##_L4, &symbol##_L5 } }
#define UE_OTEL_DECLARE_PROVIDER(symbol) \
	UE__OTEL_SETS(UE__OTEL_DECLARE, symbol, ) \
	extern UE__I_STRUCT(ue_otel) symbol __attribute__((__visibility__("hidden")))

/*
 * UE_OTEL_LOG(provider, severity, body, fields...)
 *
 * Writes a log record. SEVERITY is a number from 1 to 24: one of UE_OTEL_TRACE to UE_OTEL_FATAL,
 * plus 0 to 3. BODY is a UTF-8 string, or NULL if the log has no body. The fields are the
 * attributes, at most 48. They are numbers and UTF-8 strings in the notation of UE_LOG(), such as
 * UE_NAMED("http.route", UE_STR(route)). Each of the following may also be used once:
 *
 *	UE_OTEL_IN(&span.context)		context of the log's span, or NULL
 *	UE_OTEL_NAME(s), UE_OTEL_EVENT_ID(i)	name and ID of the event
 *
 * If an event is too large for a tracer, its long strings are truncated as in UE_LOG(), each to its
 * share of the remaining space. ue_status().cut counts these events.
 */
enum { UE_OTEL_TRACE = 1, UE_OTEL_DEBUG = 5, UE_OTEL_INFO = 9 };
enum { UE_OTEL_WARN = 13, UE_OTEL_ERROR = 17, UE_OTEL_FATAL = 21 };

#define UE_OTEL_LOG(provider, severity, ...) \
	do { \
		UE__I_STATIC_ASSERT(sizeof(#__VA_ARGS__) > 1, \
				  "user_events.h: the body is missing: " \
				  "write UE_OTEL_LOG(provider, severity, \"body\", fields...)"); \
		UE__OTEL(UE__I_COUNT(__VA_ARGS__ UE__OTEL_RESOURCE), Log, provider, severity, \
			 __VA_ARGS__ UE__OTEL_RESOURCE); \
	} while (0)
#define UE_OTEL_IN(context) UE__OTEL_IN(((void)sizeof((context)->trace_id), (context)))
#define UE_OTEL_NAME(s) UE__OTEL_ITEM(Log, "name", UE__F_TYPE(STR), UE__I_IN(STR)(s))
#define UE_OTEL_EVENT_ID(i) UE__OTEL_ITEM(Log, "eventId", UE__F_TYPE(I64), UE__I_IN(I64)(i))

/*
 * UE_OTEL_SPAN_BEGIN(provider, span, parent, name)
 * UE_OTEL_SPAN_END(provider, span, fields...)
 *
 * Begin and end a span. Use each of the two macros once per span. SPAN is a struct ue_otel_span *.
 * PARENT is the context of the enclosing span, which can be in another process, or NULL to start a
 * new trace. NAME is a UTF-8 string that must stay valid until the span ends.
 *
 * The beginning of a span is a function call. If any set of the provider is enabled, this function
 * creates the IDs with ue_activity_new(). If all sets are disabled, it copies PARENT, so that a
 * service forwards the context it received. The end of such a span writes nothing.
 *
 * The fields are attributes, as in a log. They may also include
 *
 *	UE_OTEL_LINKS(json)	links to other spans: [{"toTraceId":"...","toSpanId":"..."},...]
 */
enum { UE_OTEL_INTERNAL, UE_OTEL_SERVER, UE_OTEL_CLIENT, UE_OTEL_PRODUCER, UE_OTEL_CONSUMER };

struct ue_otel_context { /* all zeros if there is no context */
	uint8_t trace_id[16], span_id[8];
};
struct ue_otel_span {
	struct ue_otel_context context; /* context for UE_OTEL_IN() and for other processes */
	uint8_t parent_id[8];
	/* The program may set the members below until the span ends. */
	const char *name;
	const char *failed;    /* error message, or NULL if the span succeeded */
	uint8_t kind;	       /* UE_OTEL_INTERNAL (the default) to UE_OTEL_CONSUMER */
	struct timespec start; /* zeros if all sets were disabled */
};
#define UE_OTEL_SPAN_BEGIN(provider, span, parent, name) \
	ue__otel_begin(&(provider), span, parent, name)
#define UE_OTEL_SPAN_END(provider, ...) \
	UE__OTEL(UE__I_COUNT(__VA_ARGS__ UE__OTEL_RESOURCE), Span, provider, UE_OTEL_INFO, \
		 __VA_ARGS__ UE__OTEL_RESOURCE)
#define UE_OTEL_LINKS(json) UE__OTEL_ITEM(Span, "links", UE__F_TYPE(JSON), UE__I_IN(JSON)(json))

/*
 * UE_OTEL_RESOURCE
 *
 * Resource attributes to add to each log and span. Define this macro before including the header,
 * in the same notation as the fields of a log. Its variables must be in scope at each log and span:
 *
 *	#define UE_OTEL_RESOURCE UE_NAMED("service.version", UE_STR(v, MY_VERSION)), \
 *				 UE_NAMED("deployment.environment.name", UE_STR(my_environment))
 *
 * These attributes count towards the limit of 48, and are evaluated when the event is written.
 * service.name and service.instance.id are members of the provider.
 */
#ifdef UE_OTEL_RESOURCE
#define UE__OTEL_RESOURCE , UE_OTEL_RESOURCE
#else
#define UE__OTEL_RESOURCE
#endif

/*
 * Implementation
 * ==============
 *
 * A log or a span is an event in the format of UE_LOG(). Its constant metadata defines the fields
 * of the schema, followed by the fields of the caller. A site passes only the caller's values, and
 * ue__otel_record() inserts the values of the schema before them.
 *
 * The fields of the caller are expanded twice: first alone, as items with the positions _u1, _u2
 * and so on, to check and sort them, and then together with all other fields. The macros of
 * user_events.h treat UE_OTEL_IN() as an activity. Fields in PartB are of class ue__otel, and
 * fields of the schema are of class ue__i_implicit.
 */
#define UE__OTEL_IN(p) (ue__i_activity, ue__i_field, "", "", , , UE__I_IN(UUID)(p), 0)
#define UE__OTEL_ITEM(of, name, type, value) \
	(ue__otel, ue__i_field, name, "", , , type, uint64_t, UE__OTEL_IS_##of, value)
#define UE__OTEL_DECLARE(symbol, ...) UE_DECLARE_EVENT_SET(symbol)
#define UE__OTEL_SETS(_, symbol, provider) \
	_(symbol##_L1, provider, 1, 1); _(symbol##_L2, provider, 2, 1); \
	_(symbol##_L3, provider, 3, 1); _(symbol##_L4, provider, 4, 1); \
	_(symbol##_L5, provider, 5, 1);
#ifdef __clang_analyzer__ /* see "The site" in user_events.h */
#define UE__OTEL_SET(symbol, severity) ((void)(severity), &symbol##_L5)
#define UE__OTEL_CHECK(n, ...)
#else
#define UE__OTEL_SET(symbol, severity) \
	((severity) < 13 ? (severity) < 9 ? &symbol##_L5 : &symbol##_L4 : \
	 (severity) < 17 ? &symbol##_L3 : (severity) < 21 ? &symbol##_L2 : &symbol##_L1)
#define UE__OTEL_CHECK(n, ...) \
	UE__I_EACH_##n(UE__I_DECLARE, __VA_ARGS__) UE__I_EACH_##n(UE__ATTRIBUTE, __VA_ARGS__)
#endif
#define UE__OTEL_IS_Log 0
#define UE__OTEL_IS_Span 1

/* Fields of the schema. */
#define UE__OTEL_FIELD(name, type) (ue__i_implicit, ue__i_field, name, "", , , type, uint64_t, ~, 0)
#define UE__OTEL_TEXT(name) UE__OTEL_FIELD(name, UE__F_TYPE(STR))
#define UE__OTEL_KNOWN(name) UE__OTEL_FIELD(name, UE__F_TYPE(STRN)) /* text of known length */
#define UE__OTEL_IDS , UE__OTEL_KNOWN("ext_dt_traceId"), UE__OTEL_KNOWN("ext_dt_spanId")
#define UE__OTEL_IDS_Log(n, ...) UE__I_IF_ACTIVITY(n, __VA_ARGS__)(UE__OTEL_IDS)
#define UE__OTEL_IDS_Span(n, ...) UE__OTEL_IDS
#define UE__OTEL_PART_A(ids) \
	UE__OTEL_FIELD("__csver__", UE__F_TYPE(U32)), \
	UE_STRUCT(PartA, UE__OTEL_KNOWN("time") ids, UE__OTEL_TEXT("ext_cloud_role"), \
		  UE__OTEL_TEXT("ext_cloud_roleInstance"))
#define UE__OTEL_PART_B_Log(items) \
	UE_STRUCT(PartB, UE__OTEL_KNOWN("_typeName"), UE__OTEL_TEXT("body"), \
		  UE__OTEL_FIELD("severityNumber", UE__F_TYPE(I16)), \
		  UE__OTEL_KNOWN("severityText") items)
#define UE__OTEL_PART_B_Span(items) \
	UE_STRUCT(PartB, UE__OTEL_KNOWN("_typeName"), UE__OTEL_TEXT("name"), \
		  UE__OTEL_KNOWN("parentId"), UE__OTEL_KNOWN("startTime"), \
		  UE__OTEL_FIELD("success", UE__F_TYPE(BOOL)), \
		  UE__OTEL_FIELD("kind", UE__F_TYPE(U32)), \
		  UE__OTEL_TEXT("statusMessage") items)
/* Expands to nothing if there are no attributes. The arguments start with a comma. */
#define UE__OTEL_PART_C(...) \
	UE__I_SECOND_OF(UE__I_CAT(UE__OTEL_PART_C_, UE__I_COUNT(PartC __VA_ARGS__)), \
		      UE__OTEL_SOME_C, ~)(__VA_ARGS__)
#define UE__OTEL_PART_C_0 ~, UE__OTEL_NO_C
#define UE__OTEL_NO_C(...)
#define UE__OTEL_SOME_C(...) , UE_STRUCT(PartC __VA_ARGS__)
/*
 * Arguments of ue__otel_record() that precede the values. A log passes its body and, if it belongs
 * to a span, the context of that span. A span passes a pointer to itself.
 */
#define UE__OTEL_ARGS_Log(n, body, ...) UE__I_IN(STR)(body) UE__I_EACH_##n(UE__OTEL_AT, __VA_ARGS__)
#define UE__OTEL_ARGS_Span(n, span, ...) \
	UE__I_IN(UUID)(((void)sizeof((span)->parent_id), (span)))
enum { UE__OTEL_IS_SPAN = 1, UE__OTEL_HAS_IDS = 2 };
#define UE__OTEL_HAS_Log(n, ...) 0 UE__I_IF_ACTIVITY(n, __VA_ARGS__)(| UE__OTEL_HAS_IDS)
#define UE__OTEL_HAS_Span(n, ...) UE__OTEL_HAS_IDS | UE__OTEL_IS_SPAN

struct UE__I_HIDDEN_TYPE ue__otel_site {
	const struct ue__f_desc *desc;
	const struct ue_otel *provider;
	uint32_t has;
};

#define UE__OTEL(n, ...) UE__OTEL_(n, __VA_ARGS__)
#define UE__OTEL_(n, of, provider, severity, ...) \
	UE__OTEL_SITE(n, of, provider, severity, UE__I_FIRST(__VA_ARGS__, ~), \
		      UE__I_CAT(UE__I_ITEMS_, n)(_u, __VA_ARGS__))
#define UE__OTEL_SITE(n, of, provider, severity, first, ...) \
	do { \
		/* not const, because clang would warn about the comparisons */ \
		int ue__severity = (severity); \
		enum { ue__is_span = UE__OTEL_IS_##of }; \
		UE__OTEL_CHECK(n, __VA_ARGS__) \
		UE__OTEL_EVENT(UE__OTEL_SET(provider, ue__severity), #of, \
			       &(provider), UE__OTEL_HAS_##of(n, __VA_ARGS__), \
			       (UE__OTEL_ARGS_##of(n, first, __VA_ARGS__)), \
			       UE__OTEL_PART_A(UE__OTEL_IDS_##of(n, __VA_ARGS__)), \
			       UE__OTEL_PART_B_##of(UE__I_EACH_##n(UE__OTEL_B, __VA_ARGS__)) \
			       UE__OTEL_PART_C(UE__I_EACH_##n(UE__OTEL_C, __VA_ARGS__))) \
	} while (0)
#define UE__OTEL_EVENT(set, name, provider, has, args, ...) \
	UE__OTEL_EVENT_(UE__I_COUNT(~, __VA_ARGS__), set, name, provider, has, args, __VA_ARGS__)
#define UE__OTEL_EVENT_(n, set, name, provider, has, args, ...) \
	UE__OTEL_WRITE(n, set, name, provider, has, args, \
		UE__I_CAT(UE__I_ITEMS_, n)(_, ~, __VA_ARGS__))
#ifdef UE_DISABLE
#define UE__OTEL_WRITE(n, set, name, provider, has, args, ...) \
	UE__I_LOG_FIELDS(n, __VA_ARGS__) \
	if (0) { \
		(void)ue_event_set_enabled(set), (void)sizeof(provider); \
		ue__i_ignore(0, UE__I_UNPACK args); \
		UE__I_IGNORE(n, __VA_ARGS__) \
	}
#else
#define UE__OTEL_WRITE(n, set, name, provider, has, args, ...) \
	UE__I_LOG_FIELDS(n, __VA_ARGS__) \
	if (__builtin_expect(ue_event_set_enabled(set), 0)) { \
		UE__I_LOG_DESC(n, ue__otel_desc_v1, (name), __VA_ARGS__) \
		static const UE__I_STRUCT(ue__otel_site) ue__site_v1 = \
			{ UE__I_HEAD_OF(ue__otel_desc_v1), provider, has }; \
		UE__I_RUN(n, (UE__I_COLD_SITE; \
			      ue__otel_record(&ue__site_v1, ue__severity, UE__I_UNPACK args \
					     UE__I_EACH_##n(UE__I_PASS, __VA_ARGS__));), \
			  __VA_ARGS__) \
	}
#endif

/*
 * These operations sort the fields of the caller. UE__OTEL_AT returns the pointer of UE_OTEL_IN(),
 * UE__OTEL_B returns the tuples of PartB, and UE__OTEL_C returns the tuples of the attributes.
 */
#define UE__OTEL_AT_ue__i_bare(...)
#define UE__OTEL_AT_ue__i_value(...)
#define UE__OTEL_AT_ue__i_pair(...)
#define UE__OTEL_AT_ue__i_struct(...)
#define UE__OTEL_AT_ue__i_option(...)
#define UE__OTEL_AT_ue__i_activity(at, string, id, as, tag, own, related) , own
#define UE__OTEL_AT_ue__otel(...)
#define UE__OTEL_B_ue__i_bare(...)
#define UE__OTEL_B_ue__i_value(...)
#define UE__OTEL_B_ue__i_pair(...)
#define UE__OTEL_B_ue__i_struct(...)
#define UE__OTEL_B_ue__i_option(...)
#define UE__OTEL_B_ue__i_activity(...)
/*
 * Omits the id, so that UE__I_DECLARE does not check the name, which UE__OTEL_CHECK() has already
 * checked.
 */
#define UE__OTEL_B_ue__otel(at, string, id, ...) \
	, (ue__i_value, ue__i_field, string, "", __VA_ARGS__)
#define UE__OTEL_C_ue__i_bare(at, string, id, ...) \
	, (ue__i_bare, ue__i_field, string, "", __VA_ARGS__)
#define UE__OTEL_C_ue__i_value UE__OTEL_B_ue__otel
#define UE__OTEL_C_ue__i_pair(at, string, id, ...) \
	, (ue__i_pair, ue__i_field, string, "", __VA_ARGS__)
#define UE__OTEL_C_ue__i_struct(...)
#define UE__OTEL_C_ue__i_option(...)
#define UE__OTEL_C_ue__i_activity(...)
#define UE__OTEL_C_ue__otel(...)
#define UE__I_DECLARE_ue__otel(...)
#define UE__ACTIVE_ue__otel(...)

/* Operation UE__ATTRIBUTE: checks that a field is a valid attribute. */
#define UE__ATTRIBUTE_ue__i_bare(at, string, id, as, tag, ...) \
	UE__I_STATIC_ASSERT(sizeof(string) > 1 && sizeof(#tag) == 1 && \
			  UE__IS_ATTRIBUTE(UE__I_TYPE_AT(at)), \
			  "user_events.h: \"" string "\" cannot be an attribute: use a named " \
			  "number or UTF-8 string without a tag");
#define UE__IS_ATTRIBUTE(t) \
	(!((t)&UE__F_T_DATA) || \
	 (UE__F_IS_CHARS(t) && !((t) & (UE__F_T_CARRAY | UE__F_T_VARRAY)) && \
	  UE__F_FORMAT_OF(t) != UE_FORMAT_STRING8))
#define UE__ATTRIBUTE_ue__i_value UE__ATTRIBUTE_ue__i_bare
#define UE__ATTRIBUTE_ue__i_pair UE__ATTRIBUTE_ue__i_bare
#define UE__ATTRIBUTE_ue__i_struct(at, string, ...) \
	UE__I_STATIC_ASSERT(0, "user_events.h: struct \"" string \
			     "\" cannot be an attribute: pass each member");
#define UE__ATTRIBUTE_ue__i_option(at, string, id, as, tag, valid, part, ...) \
	UE__I_STATIC_ASSERT((part) == 0, "user_events.h: UE_ID, UE_OPCODE and UE_TAG are options " \
				       "of UE_LOG");
#define UE__ATTRIBUTE_ue__i_activity(at, string, id, as, tag, own, related) \
	UE__I_STATIC_ASSERT(sizeof(#related) == 2, \
		"user_events.h: write UE_OTEL_IN(&span.context)");
#define UE__ATTRIBUTE_ue__otel(at, string, id, as, tag, type, ctype, of, ...) \
	UE__I_STATIC_ASSERT((of) == ue__is_span, \
		"user_events.h: UE_OTEL_NAME and UE_OTEL_EVENT_ID " \
			  "are for logs, UE_OTEL_LINKS for spans");
/* clang-format on */

/* Begins a span. Logs of any level may refer to it. */
UE__I_FN __attribute__((__cold__)) void ue__otel_begin(const struct ue_otel *provider,
						       struct ue_otel_span *span,
						       const struct ue_otel_context *parent,
						       const char *name)
{
	static const struct ue_otel_context none = { { 0 }, { 0 } };
	struct ue_otel_context context = parent ? *parent : none; /* PARENT may point into SPAN */
	uint8_t id[16];
	size_t i;

	memset(span, 0, sizeof(*span));
	span->context = context;
	span->name = name;
	for (i = 0; !ue_event_set_enabled(provider->sets[i]); i++)
		if (i == 4)
			return;
	ue_activity_new(id);
	memcpy(span->parent_id, context.span_id, 8);
	memcpy(span->context.span_id, id + 8, 8);
	/* in the first span of a trace, both IDs are parts of one new ID */
	if (!memcmp(context.trace_id, none.trace_id, 16))
		memcpy(span->context.trace_id, id, 16);
	(void)timespec_get(&span->start, TIME_UTC);
}

#ifndef UE_DISABLE
/* Marked hot, because GCC optimises a function for size if only cold code calls it. */
UE__I_API void ue__otel_record(const struct ue__otel_site *site, int severity, uint64_t text, ...)
	__attribute__((__hot__));
#ifndef UE__I_DECLARED_ONLY
/* Number of bytes that the names and numbers of most logs and spans need. */
enum { UE__OTEL_ROOM = 768 };

/* Writes a number below 100 to TEXT as two digits. */
UE__I_FN void ue__otel_two_digits(char *text, uint32_t number)
{
	static const char digits[] = "0001020304050607080910111213141516171819"
				     "2021222324252627282930313233343536373839"
				     "4041424344454647484950515253545556575859"
				     "6061626364656667686970717273747576777879"
				     "8081828384858687888990919293949596979899";

	memcpy(text, digits + 2 * number, 2);
}

enum { UE__OTEL_TIME_LENGTH = 30 };

/*
 * Writes a time between the years 1970 and 9999 to TEXT, in RFC 3339 format with nanoseconds,
 * without a NUL.
 */
UE__I_FN void ue__otel_put_time(char text[UE__OTEL_TIME_LENGTH], const struct timespec *time)
{
	uint64_t second = UE__I_CAST(uint64_t, time->tv_sec < 0 ? 0 : time->tv_sec);
	uint32_t of_day = UE__I_CAST(uint32_t, second % 86400);
	uint32_t ns = UE__I_CAST(uint32_t, time->tv_nsec);
	/*
	 * Years start in March, so that the leap day is the last day of a year. Four years have
	 * 1461 days.
	 */
	uint32_t n = UE__I_CAST(uint32_t, 4 * (second / 86400 + 719468) + 3);
	uint32_t of_century = n % 146097 | 3;
	uint32_t day = of_century % 1461 / 4, month = (5 * day + 2) / 153;
	uint32_t year = n / 146097 * 100 + of_century / 1461 + (month >= 10);
	size_t i;

	memcpy(text, "0000-00-00T00:00:00.000000000Z", UE__OTEL_TIME_LENGTH);
	ue__otel_two_digits(text, year / 100 % 100);
	ue__otel_two_digits(text + 2, year % 100);
	ue__otel_two_digits(text + 5, month < 10 ? month + 3 : month - 9);
	ue__otel_two_digits(text + 8, day - (153 * month + 2) / 5 + 1);
	ue__otel_two_digits(text + 11, of_day / 3600);
	ue__otel_two_digits(text + 14, of_day / 60 % 60);
	ue__otel_two_digits(text + 17, of_day % 60);
	text[28] = UE__I_CAST(char, '0' + ns % 10);
	ns /= 10;
	for (i = 26; i >= 20; i -= 2, ns /= 100)
		ue__otel_two_digits(text + i, ns % 100);
}

/*
 * Writes an ID of SIZE bytes to TEXT in hexadecimal, without a NUL. Returns the length of the text,
 * which is 0 if all bytes are zero.
 */
UE__I_FN size_t ue__otel_put_id(char *text, const uint8_t *id, size_t size)
{
	uint8_t any = 0;
	size_t i;

	for (i = 0; i < size; i++) {
		any |= id[i];
		text[2 * i] = "0123456789abcdef"[id[i] >> 4];
		text[2 * i + 1] = "0123456789abcdef"[id[i] & 15];
	}
	return any ? 2 * size : 0;
}

/*
 * Stores a text of known length as two values, address and length. Returns the position after them.
 */
UE__I_FN uint64_t *ue__otel_known(uint64_t *v, const char *text, size_t length)
{
	v[0] = UE__I_IN(STR)(text);
	v[1] = length;
	return v + 2;
}

/*
 * Writes a log or a span. For a log, TEXT is the address of the body. If the log belongs to a span,
 * the next argument is the address of the span context. For a span, TEXT is the address of the
 * span.
 */
UE__I_API void ue__otel_record(const struct ue__otel_site *site, int severity, uint64_t text, ...)
{
	static const struct ue_otel_context none = { { 0 }, { 0 } };
	static const struct {
		char name[6];
		uint8_t length;
	} severities[] = { { "TRACE", 5 }, { "DEBUG", 5 }, { "INFO", 4 },
			   { "WARN", 4 },  { "ERROR", 5 }, { "FATAL", 5 } };
	const struct ue__f_desc *d = site->desc;
	const struct ue_otel *provider = site->provider;
	bool is_span = site->has & UE__OTEL_IS_SPAN;
	const struct ue_otel_span *span = is_span ? (const struct ue_otel_span *)(uintptr_t)text
						  : NULL;
	const struct ue_otel_context *context;
	char time[UE__OTEL_TIME_LENGTH], start[UE__OTEL_TIME_LENGTH];
	char trace_id[32], span_id[16], parent_id[16];
	unsigned char buffer[UE__OTEL_ROOM + UE_INLINE_BYTES];
	uint64_t v[2 * 64], *next = v;
	struct ue_event *event;
	struct timespec now;
	va_list list;

	if (is_span && !span->start.tv_sec)
		return; /* all sets were disabled when the span began */
	severity = severity < 1 ? 1 : severity > 24 ? 24 : severity;
	event = ue__i_event_of(provider->sets[severity < UE_OTEL_INFO ? 4 : (24 - severity) / 4]);
	va_start(list, text);
	(void)timespec_get(&now, TIME_UTC);
	*next++ = 0x400;
	ue__otel_put_time(time, &now);
	next = ue__otel_known(next, time, sizeof(time));
	if (site->has & UE__OTEL_HAS_IDS) {
		context =
			is_span ? &span->context
				: (const struct ue_otel_context *)(uintptr_t)va_arg(list, uint64_t);
		if (!context)
			context = &none;
		next = ue__otel_known(next, trace_id,
				      ue__otel_put_id(trace_id, context->trace_id, 16));
		next = ue__otel_known(next, span_id, ue__otel_put_id(span_id, context->span_id, 8));
	}
	*next++ = UE__I_IN(STR)(provider->role);
	*next++ = UE__I_IN(STR)(provider->role_instance);
	if (is_span) {
		next = ue__otel_known(next, "Span", 4);
		*next++ = UE__I_IN(STR)(span->name);
		next = ue__otel_known(next, parent_id,
				      ue__otel_put_id(parent_id, span->parent_id, 8));
		ue__otel_put_time(start, &span->start);
		next = ue__otel_known(next, start, sizeof(start));
		*next++ = !span->failed;
		*next++ = span->kind;
		*next++ = UE__I_IN(STR)(span->failed);
	} else {
		next = ue__otel_known(next, "Log", 3);
		*next++ = text;
		*next++ = UE__I_CAST(uint64_t, severity);
		next = ue__otel_known(next, severities[(severity - 1) / 4].name,
				      severities[(severity - 1) / 4].length);
	}
	while (next < v + d->values)
		*next++ = va_arg(list, uint64_t);
	va_end(list);
	ue__i_write_values(event, d, v, buffer, sizeof(buffer));
}
#endif /* UE__I_DECLARED_ONLY */
#endif /* UE_DISABLE */
UE__I_HEADER_END
#endif /* UE_USER_EVENTS_OTEL_H */
