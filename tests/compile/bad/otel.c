/* SPDX-License-Identifier: MIT */
/* Mistakes in OpenTelemetry logs and spans. Each mistake is the body of a function f(). */
#include <user_events_otel.h>

UE_OTEL_PROVIDER(shop, "Shop");
void f(int n, int *list, const char *s, struct ue_otel_span *span)
{

/* expect: write UE_OTEL_IN.&span.context */
	UE_OTEL_LOG(shop, UE_OTEL_INFO, "sold", UE_ACTIVITY(s));

/* expect: .?"raw.?" cannot be an attribute: use a named number or UTF-8 string */
	UE_OTEL_LOG(shop, UE_OTEL_INFO, "sold", UE_BYTES(raw, s, 3));

/* expect: .?"s.?" cannot be an attribute: use a named number or UTF-8 string */
	UE_OTEL_LOG(shop, UE_OTEL_INFO, "sold", UE_LATIN1(s));

/* expect: UE_OTEL_NAME and UE_OTEL_EVENT_ID are for logs, UE_OTEL_LINKS for spans */
	UE_OTEL_LOG(shop, UE_OTEL_INFO, "sold", UE_OTEL_LINKS(s));

/* expect: UE_OTEL_NAME and UE_OTEL_EVENT_ID are for logs, UE_OTEL_LINKS for spans */
	UE_OTEL_SPAN_END(shop, span, UE_OTEL_NAME("Sold"));

/* expect: .?".?" cannot be an attribute: use a named */
	UE_OTEL_LOG(shop, UE_OTEL_INFO, "sold", UE_NAMED("", n));

/* expect: is not a variable: an expression or macro needs a type and a name */
	UE_OTEL_LOG(shop, UE_OTEL_INFO, "%d sold", list[3]);

/* expect: struct .?"ship.?" cannot be an attribute: pass each member */
	UE_OTEL_LOG(shop, UE_OTEL_INFO, "sold", UE_STRUCT(ship, n));

/* expect: .?"n.?" cannot be an attribute: use a named number or UTF-8 string without a tag */
	UE_OTEL_LOG(shop, UE_OTEL_INFO, "sold", UE_TAGGED(5, n));
