/* SPDX-License-Identifier: MIT */
/*
 * Writes OpenTelemetry logs and spans with each optional item, with constant and variable
 * severities, in one file and in several files.
 */
#include <user_events_otel.h>

UE_OTEL_DECLARE_PROVIDER(otel_shop);
UE_OTEL_PROVIDER(otel_shop, "Compile_Otel");
UE_OTEL_DECLARE_PROVIDER(otel_elsewhere);

void otel_log(int severity, const char *text, size_t n, const struct ue_otel_context *caller);
void otel_log(int severity, const char *text, size_t n, const struct ue_otel_context *caller)
{
	char name[16] = "abc";
	float ratio = 0.5f;
	int number = 3;

	otel_shop.role = "shop";
	UE_OTEL_LOG(otel_shop, UE_OTEL_FATAL, "literal");
	UE_OTEL_LOG(otel_shop, severity, text, UE_OTEL_IN(caller), UE_OTEL_NAME("Name"),
		    UE_OTEL_EVENT_ID(number), name, ratio, number, UE_STR(text),
		    UE_STRN(part, text, n), UE_NAMED("a.b", UE_BOOL(yes, number > 1)),
		    UE_I64(i64, number), UE_F64(f64, 1.5));
	if (number)
		UE_OTEL_LOG(otel_elsewhere, UE_OTEL_TRACE + 1, UE__I_NULL, number);
	else
		UE_OTEL_LOG(otel_elsewhere, UE_OTEL_DEBUG, text);
}

void otel_span(const struct ue_otel_context *caller, const char *failed);
void otel_span(const struct ue_otel_context *caller, const char *failed)
{
	struct ue_otel_span span, child;

	UE_OTEL_SPAN_BEGIN(otel_shop, &span, caller, "span");
	UE_OTEL_SPAN_BEGIN(otel_elsewhere, &child, &span.context, "child");
	child.kind = UE_OTEL_CLIENT;
	child.failed = failed;
	UE_OTEL_SPAN_END(otel_elsewhere, &child, UE_OTEL_LINKS("[]"), UE_I32(number, 1));
	UE_OTEL_SPAN_END(otel_shop, &span);
}
