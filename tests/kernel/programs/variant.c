/* SPDX-License-Identifier: MIT */
/*
 * The program that build_variants.sh and other tests run. It prints the message of ue_status(),
 * waits until its event is enabled, writes the event, and exits. If COUNT is 0, it writes an event
 * every 5 ms until it is killed.
 *
 *   variant [TEXT [COUNT]]
 */
#include <user_events.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifndef VARIANT
#define VARIANT variant
#endif

UE_TRACEPOINT(VARIANT, UE_U32(number), UE_I64(negative), UE_STR(text));
#define trace_enabled_(name) trace_##name##_enabled()
#define trace_enabled(name) trace_enabled_(name)
#define trace_(name) trace_##name
#define trace(name) trace_(name)

int main(int argc, char **argv)
{
	const struct timespec tick = { 0, 5000000 };
	const char *text = argc > 1 ? argv[1] : "text";
	unsigned int count = argc > 2 ? (unsigned int)atoi(argv[2]) : 1, i;
	struct ue_status status = ue_status();

	printf("registered %u of %u: %s\n", status.registered, status.declared, status.message);
	fflush(stdout);
	if (status.registered == 0)
		return status.error == 0;
	for (i = 0; i < 4000 && !trace_enabled(VARIANT); i++)
		nanosleep(&tick, NULL);
	if (i == 4000)
		return 1;
	for (i = 1; i <= count || count == 0; i++) {
		trace(VARIANT)(i, -(int64_t)i, text);
		if (count == 0)
			nanosleep(&tick, NULL);
	}
	status = ue_status();
	return status.failed != 0;
}
