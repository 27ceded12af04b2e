/* SPDX-License-Identifier: MIT */
/* With UE_DISABLE, what the headers beside the core define is linked without the core's code. */
#define UE_DISABLE
#include <stdio.h>
#include <user_events_builder.h>
#include <user_events_capture.h>
#include <user_events_recorder.h>

int main(void)
{
	return printf("%p %p %p\n", (void *)(uintptr_t)&ue_captured_u64, (void *)(uintptr_t)&ue_recorder_open,
		      (void *)(uintptr_t)&ue_builder_begin) < 0;
}
