/* SPDX-License-Identifier: MIT */
/* In a UE_SHARED program, this file contains the library's code. It also compiles as C++. */
#define UE_IMPLEMENTATION
#include <user_events_builder.h>
#include <user_events_otel.h>

UE_EVENT_SET(shared_set, "Shared_Set", 4, 1);
UE_OTEL_PROVIDER(shared_otel, "Shared_Otel");

#ifdef __cplusplus
extern "C" {
#endif
void from_c(int x);
void from_cxx(int x);
#ifdef __cplusplus
}
#endif

int main(void)
{
	struct ue_status s;

	from_c(1);
	from_cxx(2);
	s = ue_status();
	/* two events of from_c(), two of from_cxx(), and the sets; UE_LOG declares no event */
	return s.declared == 4 + 1 + 5 ? 0 : 1;
}
