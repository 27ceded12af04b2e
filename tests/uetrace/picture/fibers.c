/* SPDX-License-Identifier: MIT */
/*
 * Three fibers, each of which starts its work in one thread and ends it in another. Only the start
 * events contain the fiber number.
 */
#include <pthread.h>
#include <user_events_recorder.h>

UE_EVENT_SET(fibers, "Fibers", UE_LEVEL_INFORMATION, 0x1);

static struct {
	unsigned char bytes[16];
} ids[3];

static void *begin(void *unused)
{
	int i;

	(void)unused;
	for (i = 0; i < 3; i++) {
		UE_LOG(fibers, "WorkStart", UE_OPCODE(UE_OPCODE_ACTIVITY_START),
		       UE_ACTIVITY(ids[i].bytes), UE_I32(fiber, i));
		UE_TRACE(step, UE_I32(fiber, i));
	}
	return NULL;
}

int main(void)
{
	pthread_t thread;
	int i;

	ue_recorder_environment();
	for (i = 0; i < 3; i++)
		ue_activity_new(ids[i].bytes);
	pthread_create(&thread, NULL, begin, NULL);
	pthread_join(thread, NULL);
	for (i = 0; i < 3; i++) {
		UE_LOG(fibers, "Middle", UE_ACTIVITY(ids[i].bytes), UE_BOOL(half, 1));
		UE_LOG(fibers, "WorkStop", UE_OPCODE(UE_OPCODE_ACTIVITY_STOP),
		       UE_ACTIVITY(ids[i].bytes));
	}
	UE_TRACE(done, UE_I32(n, 3));
	return 0;
}
