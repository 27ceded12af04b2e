/* SPDX-License-Identifier: MIT */
/*
 * The upper half of an event's enable word counts uprobes. If only uprobes have enabled an event,
 * it evaluates its values and passes them to the USDT probe. The event does not reach the kernel or
 * in-process probes, and no counter changes.
 */

#include "test.h"

#define FAKE_KERNEL_HOOKS
#include "fake_kernel.h"
#include <user_events_probe.h>

UE_TRACEPOINT(word_point, UE_U32(n), UE_STR(s));
UE_EVENT_SET(word_set, "Word", UE_LEVEL_INFORMATION, 1);

#define NAMES "word_trace", "word_point", "Word_L4K1"
#define EVENTS 3

static unsigned int evaluated, probed;

static uint32_t next_value(void)
{
	return ++evaluated;
}

static void write_all(void)
{
	static char text[3000];

	memset(text, 'x', sizeof(text) - 1);
	UE_TRACE(word_trace, UE_U32(n, next_value()), UE_STR(s, text));
	if (trace_word_point_enabled())
		trace_word_point(next_value(), text);
	UE_LOG(word_set, "Logged now", UE_U32(n, next_value()), UE_STR(s, text), UE_F64(f, 1.5));
}

static void on_event(struct ue_event *event, const void *payload, size_t size, void *data)
{
	probed++;
}

static struct ue_event *event_at(unsigned int i)
{
	static const char *const names[] = { NAMES };
	static struct ue_event *events[EVENTS];

	if (!events[i])
		events[i] = ue_event_find(names[i], NULL);
	assert_non_null(events[i]);
	return events[i];
}

/* ---- Before main() ---- */

static unsigned int evaluated_at_start;

/*
 * When the kernel maps the program, it counts uprobes in an event's enable word. This happens
 * before the event is registered, and even if the event is never registered.
 */
static void before_registration(void)
{
	struct ue_event *const *site;

#define EIGHT(p)                                                                            \
	UE_U64(p##0, next_value()), UE_U64(p##1, next_value()), UE_U64(p##2, next_value()), \
		UE_U64(p##3, next_value()), UE_U64(p##4, next_value()),                     \
		UE_U64(p##5, next_value()), UE_U64(p##6, next_value()), UE_U64(p##7, next_value())
	for (site = __start_ue_events_v1; site != __stop_ue_events_v1; site++)
		(*site)->enabled += 0x10000;
	UE_TRACE(word_large, EIGHT(a), EIGHT(b), EIGHT(c), EIGHT(d), EIGHT(e), EIGHT(f));
	write_all();
	for (site = __start_ue_events_v1; site != __stop_ue_events_v1; site++)
		(*site)->enabled -= 0x10000;
	evaluated_at_start = evaluated;
}
static void (*first_entry)(void)
	__attribute__((__section__(".init_array.00050"), __used__)) = before_registration;

TEST(test_uprobe_before_registration_is_harmless)
{
	assert_int_equal(evaluated_at_start, 48 + EVENTS);
	assert_int_equal(ue_status().registered, EVENTS + 1);
}

/* ---- After main() has started ---- */

/* Changes the counter in the same way as the kernel when it attaches or detaches uprobes. */
static void uprobe(int change)
{
	unsigned int i;

	for (i = 0; i < EVENTS; i++)
		__atomic_fetch_add(&event_at(i)->enabled, 0x10000u * (unsigned int)change,
				   __ATOMIC_SEQ_CST);
}

static int begin_in(struct fake_world world, int error)
{
	ue_unregister_all();
	fake_kernel_reset(&world);
	assert_int_equal(ue_register_all(), error);
	evaluated = probed = 0;
	return 0;
}

static int begin(void **state)
{
	(void)state;
	return begin_in(fake_world_default(), 0);
}

static int begin_without_user_events(void **state)
{
	struct fake_world world = fake_world_default();

	(void)state;
	world.data_errno = ENOENT;
	return begin_in(world, -EOPNOTSUPP);
}

static void expect_nothing_but_values(unsigned int values)
{
	struct ue_status status = ue_status();

	assert_int_equal(evaluated, values);
	assert_int_equal(probed, 0);
	assert_int_equal(fake_kernel_calls(FAKE_WRITE) + fake_kernel_calls(FAKE_WRITEV), 0);
	assert_int_equal(status.failed, 0);
	assert_int_equal(status.lost, 0);
	assert_int_equal(status.cut, 0);
	assert_int_equal(status.large, 0);
}

static void uprobe_alone_evaluates_and_writes_nothing(void)
{
	write_all();
	expect_nothing_but_values(0);
	uprobe(2);
	write_all();
	expect_nothing_but_values(EVENTS);
	uprobe(-1);
	write_all();
	expect_nothing_but_values(2 * EVENTS);
	uprobe(-1);
	write_all();
	expect_nothing_but_values(2 * EVENTS);
	assert_false(trace_word_point_enabled() || UE_LOG_ENABLED(word_set));
}

TEST_SETUP(test_uprobe_alone_evaluates_and_writes_nothing, begin)
{
	uprobe_alone_evaluates_and_writes_nothing();
}

TEST_SETUP(test_without_user_events_uprobe_alone_evaluates_and_writes_nothing,
	   begin_without_user_events)
{
	uprobe_alone_evaluates_and_writes_nothing();
}

TEST_SETUP(test_tracers_and_uprobes_do_not_affect_each_other, begin)
{
	uprobe(1);
	assert_int_equal(fake_kernel_enable("[wW]ord_[tpL]*", FAKE_FTRACE), EVENTS);
	write_all();
	assert_int_equal(fake_kernel_records(), EVENTS);
	uprobe(-1);
	write_all();
	assert_int_equal(fake_kernel_records(), 2 * EVENTS);
	uprobe(1);
	fake_kernel_disable("*", FAKE_FTRACE);
	write_all();
	assert_int_equal(fake_kernel_records(), 2 * EVENTS);
	assert_int_equal(evaluated, 3 * EVENTS);
	/* uprobes remain attached to events that are unregistered */
	ue_unregister_all();
	write_all();
	assert_int_equal(evaluated, 4 * EVENTS);
	uprobe(-1);
	write_all();
	assert_int_equal(evaluated, 4 * EVENTS);
}

TEST_SETUP(test_probes_of_the_process_get_their_events, begin)
{
	unsigned int i;

	uprobe(1);
	assert_int_equal(ue_probe_register(event_at(0), on_event, NULL), 0);
	write_all();
	assert_int_equal(probed, 1);
	uprobe(-1);
	write_all();
	assert_int_equal(probed, 2);
	assert_int_equal(ue_probe_unregister(event_at(0), on_event, NULL), 0);
	uprobe(1);
	write_all();
	assert_int_equal(probed, 2);
	uprobe(-1);
	for (i = 0; i < EVENTS; i++)
		assert_int_equal(event_at(i)->enabled, 0);
}

TESTS_MAIN
