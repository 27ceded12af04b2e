/* SPDX-License-Identifier: MIT */
/*
 * Passes string literals as fields. With optimisation, GCC knows the literals' lengths and may warn
 * about them.
 */
#include <user_events_builder.h>
UE_EVENT_SET(set, "Literals", UE_LEVEL_INFORMATION, 0x1);

int literals(void);
int literals(void)
{
	char buffer[200];
	struct ue_builder b;

	ue_builder_begin(&b, buffer, sizeof(buffer), "Event", 0);
	ue_add_str(&b, "s", "literal");
	return ue_builder_write(&b, &set, NULL, NULL);
}
