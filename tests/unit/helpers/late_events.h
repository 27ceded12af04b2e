/* SPDX-License-Identifier: MIT */
/*
 * Events that threads register, write and unregister while others read; for tests that include
 * threads.h.
 */
#ifndef LATE_EVENTS_H
#define LATE_EVENTS_H

static struct ue_event late[THREADS];

/*
 * Each thread has run-time events of its own, one after the other in the same struct: 300 in all.
 */
static void *register_and_write(void *number)
{
	uint32_t thread = (uint32_t)(uintptr_t)number;
	char spec[64];

	for (uint32_t i = 0; i < 100; i++) {
		snprintf(spec, sizeof(spec), "late_%u_%u u32 thread; u32 number", thread, i % 7);
		ue_event_register(&late[thread], spec, 0);
		for (uint32_t n = 0; n < 3; n++)
			ue_event_write(&late[thread], (uint32_t[]){ thread, i % 7 }, 8);
		ue_event_unregister(&late[thread]);
	}
	return NULL;
}

/* Its values say which event it was when it was written. */
static void expect_own_format(const struct ue_capture_event *event)
{
	char name[32];

	snprintf(name, sizeof(name), "late_%u_%u ",
		 (unsigned int)ue_captured_u64(event, "thread"),
		 (unsigned int)ue_captured_u64(event, "number"));
	assert_memory_equal(event->spec, name, strlen(name));
}

#endif
