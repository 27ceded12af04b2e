// SPDX-License-Identifier: MIT
// The names in this event have more characters in total than the 512 nested calls that compilers
// accept.
#include <user_events.h>

UE_EVENT_SET(names_set, "Names", UE_LEVEL_INFORMATION, 1);

#define TEN(x)                                                                                 \
	UE_I32(the_first_of_the_fields_##x, 1), UE_I32(the_second_of_the_fields_##x, 2),       \
		UE_I32(the_third_of_the_fields_##x, 3), UE_I32(the_fourth_of_the_fields_##x, 4), \
		UE_I32(the_fifth_of_the_fields_##x, 5), UE_I32(the_sixth_of_the_fields_##x, 6), \
		UE_I32(the_seventh_of_the_fields_##x, 7), UE_I32(the_eighth_of_the_fields_##x, 8), \
		UE_I32(the_ninth_of_the_fields_##x, 9), UE_I32(the_tenth_of_the_fields_##x, 10)

int main()
{
	UE_TRACE(long_names, UE_I32(the_first_of_the_fields, 1),
		 UE_I32(the_second_of_the_fields, 2), UE_I32(the_third_of_the_fields, 3),
		 UE_I32(the_fourth_of_the_fields, 4));
	UE_LOG(names_set, "LongNames", TEN(a), TEN(b), TEN(c), TEN(d), TEN(e));
	return 0;
}
