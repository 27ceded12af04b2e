/* SPDX-License-Identifier: MIT */
/*
 * The smallest example. It writes one event, which perf, ftrace and trace-cmd show as
 * user_events:hello.
 */
#include <user_events.h>

int main(int argc, char **argv)
{
	UE_TRACE(hello, argc, UE_STR(program, argv[0]));
	return 0;
}
