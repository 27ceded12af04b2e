/* SPDX-License-Identifier: MIT */
/* The five lines: one event, seen by perf, ftrace and trace-cmd as user_events:hello. */
#include <user_events.h>

int main(int argc, char **argv)
{
	UE_TRACE(hello, argc, UE_STR(program, argv[0]));
	return 0;
}
