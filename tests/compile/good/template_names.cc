// SPDX-License-Identifier: MIT
// The program defines macros with typical names of template parameters.
#define N 7
#define T 8
#define Type 9
#define Value 10
#define Tag 11
#define String 12
#include <user_events.h>
#include <string>

void template_names(const std::string &s);
void template_names(const std::string &s)
{
	const int list[N] = { T, Type, Value, Tag, String };

	UE_TRACE(template_names, s, UE_ARRAY(I32, list, list, N));
}
