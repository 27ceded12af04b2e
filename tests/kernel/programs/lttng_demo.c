/* SPDX-License-Identifier: MIT */
/* The example of LTTng-UST that has most kinds of fields; or nothing, where it is not installed. */
#if __has_include("demo.c")
#include "demo.c"
#else
int main(void)
{
	return 77;
}
#endif
