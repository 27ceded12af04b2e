/* SPDX-License-Identifier: MIT */
/* LTTng-UST's example with the most kinds of fields; empty if LTTng-UST is not installed. */
#if __has_include("demo.c")
#include "demo.c"
#else
int main(void)
{
	return 77;
}
#endif
