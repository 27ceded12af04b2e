/* SPDX-License-Identifier: MIT */
/*
 * A program that uses the installed or packaged headers, for tests/install.sh and
 * tests/packages.sh.
 */
#include <user_events.h>

int main(void)
{
	UE_TRACE(installed);
	return 0;
}
