/* SPDX-License-Identifier: MIT */
/*
 * Probes that occur several times in a program, for tests/compile/usdt: probes inlined into two
 * files, probes in templates, and probes of an event set that another file defines. PART selects
 * the contents of the second file.
 */
#include <user_events.h>

UE_DECLARE_EVENT_SET(copy_set);
void copy_part(int n);

static inline void in_a_header(int n)
{
	UE_TRACE(copy_inline, UE_I32(n, n));
}

#ifdef __cplusplus
template <typename T> static void of_a_template(T n)
{
	UE_TRACE(copy_template, UE_I32(n, n));
	UE_LOG(copy_set, "Of a template", UE_I32(n, n));
}
#else
#define of_a_template(n) in_a_header(n)
#endif

#ifdef PART
void copy_part(int n)
{
	in_a_header(n);
	of_a_template((long)n);
	UE_LOG(copy_set, "Of a part", UE_I32(n, n));
}
#else
UE_EVENT_SET(copy_set, "Copies", UE_LEVEL_INFORMATION, 1);

/* never called */
void copy_unused(int n);
void copy_unused(int n)
{
	UE_TRACE(copy_unused, UE_I32(n, n));
}

int main(int argc, char **argv)
{
	(void)argv;
	in_a_header(argc);
	of_a_template(argc);
	of_a_template((short)argc);
	copy_part(argc);
	UE_LOG(copy_set, "Of main", UE_I32(n, argc));
	return 0;
}
#endif
