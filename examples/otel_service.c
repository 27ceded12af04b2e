/* SPDX-License-Identifier: MIT */
/*
 * A service that writes OpenTelemetry logs and spans. Each order is a span. Charging the card is a
 * nested span, as if in another process. Each failure is a log in its span.
 *
 *	otel_service 100				while a collector or uetrace is running
 *	UE_RECORD=orders.uer:keep otel_service 5; uetrace show orders.uer
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <user_events_recorder.h>
#include <user_events_otel.h>

UE_OTEL_PROVIDER(shop, "Example_Shop");

/* A request to another service. It includes the context of the caller. */
struct request {
	struct ue_otel_context caller;
	const char *brand;
	int cents;
};

static bool charge(const struct request *request)
{
	bool declined = request->cents % 7 == 0;
	struct ue_otel_span span;

	UE_OTEL_SPAN_BEGIN(shop, &span, &request->caller, "POST /charge");
	span.kind = UE_OTEL_SERVER;
	if (declined) {
		span.failed = "card declined";
		UE_OTEL_LOG(shop, UE_OTEL_WARN, "card declined", UE_OTEL_IN(&span.context),
			    UE_OTEL_NAME("CardDeclined"), UE_OTEL_EVENT_ID(7),
			    UE_NAMED("card.brand", UE_STR(request->brand)));
	}
	UE_OTEL_SPAN_END(
		shop, &span, UE_I32(cents, request->cents),
		UE_NAMED("http.response.status_code", UE_I32(status, declined ? 402 : 200)));
	return !declined;
}

static bool order(int number)
{
	static const char *const brands[] = { "visa", "amex", "jcb" };
	struct ue_otel_span span;
	struct request request;
	bool paid;

	UE_OTEL_SPAN_BEGIN(shop, &span, NULL, "order");
	request.caller = span.context;
	request.brand = brands[number % 3];
	request.cents = 100 + number;
	paid = charge(&request);
	if (!paid)
		span.failed = "not paid";
	UE_OTEL_SPAN_END(shop, &span, number);
	return paid;
}

int main(int argc, char **argv)
{
	int orders = argc > 1 ? atoi(argv[1]) : 10, paid = 0, error, i;
	char host[64] = "";

	gethostname(host, sizeof(host) - 1);
	shop.role = "shop";
	shop.role_instance = host;
	error = ue_recorder_environment();
	if (error < 0)
		fprintf(stderr, "otel_service: cannot record to UE_RECORD=%s: %s\n",
			getenv("UE_RECORD"), ue_recorder_strerror(error));
	UE_OTEL_LOG(shop, UE_OTEL_INFO, "started", UE_PID(pid, getpid()));
	for (i = 0; i < orders; i++)
		paid += order(i);
	UE_OTEL_LOG(shop, UE_OTEL_INFO, "stopped", orders, paid);
	printf("%d of %d orders paid\n", paid, orders);
	return 0;
}
