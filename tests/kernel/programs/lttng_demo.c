/* SPDX-License-Identifier: MIT */
/*
 * LTTng-UST's example program with the most kinds of fields. If LTTng-UST is not installed, this
 * program does nothing.
 */
#if __has_include("demo.c")
#include "demo.c"
#else
int main(void)
{
	return 77;
}
#endif
