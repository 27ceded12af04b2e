/* SPDX-License-Identifier: MIT */
#define CREATE_TRACE_POINTS
#include "event.h"

int main(void)
{
	trace_installed_event(1);
	return 0;
}
