/* SPDX-License-Identifier: MIT */
/* Prints the fd of user_events_data. The exit status is the lowest free fd number. */
#include <user_events.h>

#include <stdio.h>

int main(int argc, char **argv)
{
	FILE *report = argc > 1 ? fopen(argv[1], "w") : NULL;
	int lowest = report ? fileno(report) : -1;

	UE_TRACE(fds, UE_I32(lowest));
	if (report)
		fprintf(report, "data %d lowest %d registered %u\n", ue_status().fd, lowest,
			ue_status().registered);
	return 0;
}
