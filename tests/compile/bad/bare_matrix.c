// SPDX-License-Identifier: MIT
// expect: field \\?"[a-z]*\\?" .*cannot carry.*UE_I32
#include <user_events.h>

void f(void);
void f(void)
{
	int matrix[2][2] = { { 1, 2 }, { 3, 4 } };

	UE_TRACE(event, matrix);
}
