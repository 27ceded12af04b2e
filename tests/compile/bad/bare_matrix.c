// SPDX-License-Identifier: MIT
// expect: is no scalar, pointer or array of scalars|an array of this type is no field
#include <user_events.h>

void f(void);
void f(void)
{
	int matrix[2][2] = { { 1, 2 }, { 3, 4 } };

	UE_TRACE(event, matrix);
}
