/* SPDX-License-Identifier: MIT */
/*
 * A program sets the resource attributes once, with user_events_otel.h. They then become part of
 * each log and span.
 */
#include "test.h"

#define FAKE_KERNEL_HOOKS
#include "fake_kernel.h"
static const char *environment;
#define UE_OTEL_RESOURCE                               \
	UE_NAMED("service.version", UE_STR(v, "1.4")), \
		UE_NAMED("deployment.environment.name", UE_STR(environment))
#include <user_events_decode.h>
#include <user_events_otel.h>

UE_OTEL_PROVIDER(shop, "Test_Resource");

static int evaluated;

static const char *part_c(void)
{
	static char json[4000];
	const struct fake_record *record = fake_kernel_record(0);
	struct ue_decode_event event;
	const char *part;

	assert_int_equal(fake_kernel_records(), 1);
	ue_decode_parse(&event, record->name, strlen(record->name), record->data, record->size);
	ue_decode_json(&event, NULL, UE_DECODE_NO_META, json, sizeof(json));
	fake_kernel_clear_records();
	part = strstr(json, "\"PartC\":");
	return part ? part : json;
}

TEST(test_each_log_and_span_has_the_resource)
{
	struct ue_otel_span span;
	int n = 7;

	ue_unregister_all();
	fake_kernel_reset(NULL);
	assert_int_equal(ue_register_all(), 0);
	UE_OTEL_LOG(shop, UE_OTEL_INFO, "off", UE_I32(n, evaluated++));
	assert_int_equal(evaluated, 0);
	fake_kernel_enable("*", FAKE_FTRACE);
	environment = "staging";
	UE_OTEL_LOG(shop, UE_OTEL_INFO, "started");
	assert_string_equal(part_c(), "\"PartC\":{\"service.version\":\"1.4\","
				      "\"deployment.environment.name\":\"staging\"}}");
	environment = "production";
	UE_OTEL_SPAN_BEGIN(shop, &span, NULL, "work");
	UE_OTEL_LOG(shop, UE_OTEL_ERROR, "failed", n, UE_OTEL_IN(&span.context));
	assert_string_equal(part_c(), "\"PartC\":{\"n\":7,\"service.version\":\"1.4\","
				      "\"deployment.environment.name\":\"production\"}}");
	UE_OTEL_SPAN_END(shop, &span);
	assert_string_equal(part_c(), "\"PartC\":{\"service.version\":\"1.4\","
				      "\"deployment.environment.name\":\"production\"}}");
	UE_OTEL_SPAN_BEGIN(shop, &span, NULL, "work");
	UE_OTEL_SPAN_END(shop, &span, n);
	assert_string_equal(part_c(), "\"PartC\":{\"n\":7,\"service.version\":\"1.4\","
				      "\"deployment.environment.name\":\"production\"}}");
}

TESTS_MAIN
