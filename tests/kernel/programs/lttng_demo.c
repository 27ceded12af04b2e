/* SPDX-License-Identifier: MIT */
/*
 * The LTTng-UST example with the most kinds of fields. If LTTng-UST is not installed, this file is
 * empty.
 */
#if __has_include("demo.c")
#include "demo.c"
#else
int main(void)
{
	return 77;
}
#endif
