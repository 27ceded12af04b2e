/* SPDX-License-Identifier: MIT */
/*
 * Events whose names and fields are known at run time only: `runtime 'NAME FIELDS' SECONDS`
 * registers what it is told to and writes one event a tenth of a second, with a counter in the
 * first four bytes and zeros in the rest. For whoever writes a binding for another language.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <user_events.h>

int main(int argc, char **argv)
{
	const char *spec = argc > 1 ? argv[1] : "runtime_tick u32 count; u64 spare";
	int rounds = argc > 2 ? atoi(argv[2]) * 10 : 10;
	struct ue_event event = { 0 };
	char payload[1024] = { 0 };
	int error = ue_event_register(&event, spec, 0);

	if (error) {
		fprintf(stderr, "runtime: %s\n", ue_status().message);
		return 1;
	}
	for (uint32_t count = 0; count < (uint32_t)rounds; count++) {
		memcpy(payload, &count, sizeof(count));
		/* a payload may be longer than the fields, not shorter */
		error = ue_event_write(&event, payload, sizeof(payload));
		if (error)
			fprintf(stderr, "runtime: %s\n", ue_strerror(error));
		usleep(100000);
	}
	return ue_event_unregister(&event) ? 1 : 0;
}
