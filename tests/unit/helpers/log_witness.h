/* SPDX-License-Identifier: MIT */
/*
 * Code shared by the tests of EventHeader events: a fake kernel with a tracer that accepts records
 * of any size, random data, and a comparison of the recorded bytes with the reference encoder. With
 * -DUE_TEST_DECODE, the decoder also checks the bytes.
 *
 * Include this file before user_events.h.
 */
#ifndef LOG_WITNESS_H
#define LOG_WITNESS_H

#include "test.h"

#define UE_MAX_EVENT 16777216 /* largest record that the tracer accepts */
#define FAKE_KERNEL_HOOKS
#include "fake_kernel.h"
#include "reference_encoder.h"

#include <user_events.h>
#ifdef UE_TEST_DECODE
#include <user_events_decode.h>
#endif

static struct ref ref;
static uint64_t random_state = 0x9e3779b97f4a7c15u;

static inline uint64_t random64(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state * 0x2545f4914f6cdd1du;
}

/* Returns a random number from 0 to n - 1. */
static inline size_t below(size_t n)
{
	return (size_t)(random64() >> 11) % n;
}

static inline void random_bytes(void *p, size_t n)
{
	unsigned char *bytes = (unsigned char *)p;

	while (n--)
		*bytes++ = (unsigned char)(random64() >> 32);
}

/*
 * Starts a new fake kernel with a tracer that enables all events, and registers the program's
 * events.
 */
static inline int traced(void **state)
{
	struct fake_world world = fake_world_default();

	(void)state;
	ue_unregister_all();
	world.ftrace_max = (size_t)1 << 24;
	fake_kernel_reset(&world);
	if (ue_register_all() != 0) {
		fprintf(stderr, "cannot register the events: %s\n", ue_status().message);
		return -1;
	}
	fake_kernel_enable("*", FAKE_FTRACE);
	return 0;
}

static inline int untraced(void **state)
{
	int error = traced(state);

	fake_kernel_disable("*", FAKE_FTRACE);
	return error;
}

static inline void dump(const char *what, const unsigned char *p, size_t n, size_t from)
{
	size_t i, end = from + 48 < n ? from + 48 : n;

	fprintf(stderr, "%s, %zu bytes, from %zu:", what, n, from);
	for (i = from; i < end; i++)
		fprintf(stderr, " %02x", p[i]);
	fputc('\n', stderr);
}

/* Checks that the decoder reports no error and that no bytes are left after the event. */
static inline void decodes(const struct fake_record *record)
{
#ifndef UE_TEST_DECODE
	(void)record;
#else
	/* a copy of exactly the event's size, so that AddressSanitizer detects overreads */
	unsigned char *copy = (unsigned char *)malloc(record->size);
	struct ue_decode_event event;
	struct ue_decode_fields fields;
	int more;

	if (!copy)
		abort();
	memcpy(copy, record->data, record->size);
	ue_decode_parse(&event, record->name, strlen(record->name), copy, record->size);
	assert_int_equal(event.error, 0);
	ue_decode_start(&fields, &event);
	while ((more = ue_decode_next(&fields)) > 0)
		;
	assert_int_equal(fields.error, 0);
	assert_int_equal(more, 0);
	assert_int_equal(fields.payload_end - fields.payload, ue_decode_truncated(&event) ? 8 : 0);
	free(copy);
#endif
}

/* Checks that exactly one new event was recorded, by TRACEPOINT, and that it equals REF. */
static inline void recorded(const char *tracepoint, const struct ref_header *header,
			    const void *activity, const void *related)
{
	size_t n = ref_finish(&ref, header, activity, related), i;
	const struct fake_record *record;

	assert_int_equal(fake_kernel_records(), 1);
	record = fake_kernel_record(0);
	assert_string_equal(record->name, tracepoint);
	for (i = 0; i < n && i < record->size && record->data[i] == ref.event[i]; i++)
		;
	if (record->size != n || i < n) {
		dump("recorded", record->data, record->size, i > 8 ? i - 8 : 0);
		dump("expected", ref.event, n, i > 8 ? i - 8 : 0);
		fail_msg("the recorded event differs from the reference at byte %zu", i);
	}
	decodes(record);
	fake_kernel_clear_records();
}

#endif
