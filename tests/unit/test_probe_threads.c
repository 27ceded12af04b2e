/* SPDX-License-Identifier: MIT */
/*
 * Probes receive the events that they are registered for, independently of the kernel. They can be
 * added and removed while other threads write. Also built with ThreadSanitizer.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>

#include "test.h"

#include "rounds.h"
#define FAKE_KERNEL_HOOKS
#include "fake_kernel.h"
#include <user_events.h>
#include <user_events_builder.h>
#include <user_events_probe.h>

UE_TRACEPOINT(probed, UE_U32(number), UE_STR(text));
UE_TRACEPOINT(other, UE_U64(value));
UE_EVENT_SET(probe_set, "Probe", UE_LEVEL_WARNING, 0x2);

static struct ue_event *event_of(const char *name)
{
	struct ue_event *event = ue_event_find(name, NULL);

	assert_non_null(event);
	return event;
}

struct heard {
	unsigned int calls;
	struct ue_event *event;
	unsigned char payload[100000];
	size_t size;
	char spec[512];
};

static void hear(struct ue_event *event, const void *payload, size_t size, void *data)
{
	struct heard *h = data;

	h->calls++;
	h->event = event;
	assert_true(size <= sizeof(h->payload));
	memcpy(h->payload, payload, size);
	h->size = size;
	assert_true(ue_event_spec(event, h->spec, sizeof(h->spec)) > 0);
	errno = EDOM;
}

static struct heard heard, heard2;

static int new_kernel(void **state)
{
	(void)state;
	ue_unregister_all();
	fake_kernel_reset(NULL);
	ue_register_all();
	memset(&heard, 0, sizeof(heard));
	memset(&heard2, 0, sizeof(heard2));
	return 0;
}

static void expect_heard(const struct heard *h, size_t record)
{
	const struct fake_record *r = fake_kernel_record(record);

	assert_non_null(r);
	if (h->size > UE_MAX_EVENT) { /* the copy for the kernel is truncated */
		assert_in_range(r->size, 1, UE_MAX_EVENT);
		return;
	}
	assert_int_equal(h->size, r->size);
	assert_memory_equal(h->payload, r->data, r->size);
}

TEST_SETUP(test_a_probe_gets_the_bytes_that_the_kernel_gets, new_kernel)
{
	static char long_text[70000];
	struct ue_event *event = event_of("probed");
	struct ue_builder b;
	char buffer[500], big[200];

	memset(long_text, 'x', sizeof(long_text) - 1);
	assert_int_equal(ue_probe_register(event, hear, &heard), 0);
	assert_int_equal(ue_probe_register(&probe_set.event, hear, &heard), 0);
	fake_kernel_enable("*", FAKE_OTHER);
	trace_probed(7, "one write");
	expect_heard(&heard, 0);
	assert_string_equal(heard.spec, "probed u32 number; __rel_loc char[] text");
	assert_ptr_equal(heard.event, event);
	for (size_t n = 100; n < 70000; n = n * 5 / 3) { /* two segments, up to 65535 bytes */
		long_text[n] = '\0';
		fake_kernel_clear_records();
		trace_probed(7, long_text);
		expect_heard(&heard, 0);
		long_text[n] = 'x';
	}
	fake_kernel_clear_records();
	UE_LOG(probe_set, "Event", UE_U32(a, 5), UE_STR(s, "text"), UE_BYTES(b, long_text, 3000));
	expect_heard(&heard, 0);
	assert_int_equal(heard.payload[7], UE_LEVEL_WARNING);
	memset(big, 'b', sizeof(big));
	ue_builder_begin(&b, buffer, sizeof(buffer), "Built", 0);
	ue_add_bytes(&b, "bytes", big, sizeof(big));
	ue_add_u32(&b, "number", 3);
	ue_add_bytes(&b, "bytes", long_text, 1000);
	assert_int_equal(ue_builder_write(&b, &probe_set, NULL, NULL), 0);
	expect_heard(&heard, 1);
	assert_string_equal(heard.spec, "Probe_L3K2 " UE__F_SET_FIELDS);
	assert_int_equal(ue_probe_unregister(event, hear, &heard), 0);
	assert_int_equal(ue_probe_unregister(&probe_set.event, hear, &heard), 0);
}

TEST_SETUP(test_probes_get_events_of_any_size_without_a_tracer, new_kernel)
{
	static char long_text[60000];
	uint64_t large = ue_status().large;
	struct ue_builder b;
	char buffer[500];

	memset(long_text, 'x', sizeof(long_text));
	assert_int_equal(ue_probe_register(&probe_set.event, hear, &heard), 0);
	ue_builder_begin(&b, buffer, sizeof(buffer), "Built", 0);
	ue_add_bytes(&b, "bytes", long_text, sizeof(long_text));
	assert_int_equal(ue_builder_write(&b, &probe_set, NULL, NULL), 0);
	assert_true(heard.size > sizeof(long_text));
	assert_memory_equal(heard.payload + heard.size - sizeof(long_text), long_text,
			    sizeof(long_text));
	/* the event exceeds the size that tracers accept */
	fake_kernel_enable("*", FAKE_OTHER);
	assert_int_equal(ue_builder_write(&b, &probe_set, NULL, NULL), -E2BIG);
	assert_int_equal(ue_status().large, large + 1);
	assert_int_equal(fake_kernel_records(), 0);
	assert_int_equal(heard.calls, 1);
	assert_int_equal(ue_probe_unregister(&probe_set.event, hear, &heard), 0);
}

static void align(struct ue_event *event, const void *payload, size_t size, void *data)
{
	(void)event;
	(void)data;
	assert_int_equal((uintptr_t)payload % 8, 0);
	heard.size = size;
}

/* An event's pieces are joined on the stack or, if they are large, in mapped memory. */
TEST_SETUP(test_the_payload_of_several_pieces_is_aligned, new_kernel)
{
	static char bytes[20000];
	static const size_t sizes[] = { 65, 4000, 5000, sizeof(bytes) };
	struct ue_builder b;
	char buffer[500];

	assert_int_equal(ue_probe_register(&probe_set.event, align, NULL), 0);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		ue_builder_begin(&b, buffer, sizeof(buffer), "Built", 0);
		ue_add_bytes(&b, "bytes", bytes, sizes[i]);
		ue_add_u8(&b, "number", 1);
		ue_builder_write(&b, &probe_set, NULL, NULL);
		assert_in_range(heard.size, sizes[i], sizes[i] + 100);
	}
	assert_int_equal(ue_probe_unregister(&probe_set.event, align, NULL), 0);
}

TEST_SETUP(test_kernel_and_probes_are_independent, new_kernel)
{
	struct ue_event *event = event_of("probed");

	for (unsigned int order = 0; order < 4; order++) {
		bool tracer_first = order & 1, tracer_leaves_first = order & 2;

		fake_kernel_clear_records();
		heard.calls = 0;
		assert_false(trace_probed_enabled());
		if (tracer_first)
			fake_kernel_enable("probed", FAKE_PERF);
		assert_int_equal(ue_probe_register(event, hear, &heard), 0);
		assert_int_equal(event->enabled, tracer_first ? 3 : 2);
		if (!tracer_first)
			fake_kernel_enable("probed", FAKE_PERF);
		assert_int_equal(event->enabled, 3);
		trace_probed(1, "");
		assert_int_equal(heard.calls, 1);
		assert_int_equal(fake_kernel_records(), 1);
		if (tracer_leaves_first)
			fake_kernel_disable("probed", FAKE_PERF);
		else
			assert_int_equal(ue_probe_unregister(event, hear, &heard), 0);
		assert_int_equal(event->enabled, tracer_leaves_first ? 2 : 1);
		trace_probed(2, "");
		assert_int_equal(heard.calls, tracer_leaves_first ? 2 : 1);
		assert_int_equal(fake_kernel_records(), tracer_leaves_first ? 1 : 2);
		if (tracer_leaves_first)
			assert_int_equal(ue_probe_unregister(event, hear, &heard), 0);
		else
			fake_kernel_disable("probed", FAKE_PERF);
		assert_int_equal(event->enabled, 0);
	}
}

TEST_SETUP(test_an_unregistered_event_reaches_its_probes, new_kernel)
{
	struct fake_world nowhere = fake_world_default();
	static struct ue_event run_time;
	static struct ue_event_set set;

	ue_unregister_all();
	nowhere.tracefs = NULL;
	fake_kernel_reset(&nowhere);
	assert_int_equal(ue_register_all(), -ENOENT);
	assert_int_equal(ue_event_register(&run_time, "run_time u32 a", 0), -ENOENT);
	assert_int_equal(ue_event_set_register(&set, "RunTime", 5, 1, "group"), -ENOENT);
	assert_int_equal(ue_probe_register(NULL, hear, &heard), 0);
	trace_probed(1, "a");
	assert_int_equal(heard.calls, 1);
	assert_int_equal(heard.size, 4 + 4 + 2);
	UE_LOG(probe_set, "Event");
	assert_int_equal(heard.calls, 2);
	assert_int_equal(ue_event_write(&run_time, "1234", 4), 0);
	assert_int_equal(heard.calls, 3);
	assert_memory_equal(heard.payload, "1234", 4);
	assert_string_equal(heard.spec, "run_time u32 a");
	UE_LOG(set, "Event");
	assert_int_equal(heard.calls, 4);
	assert_string_equal(heard.spec, "RunTime_L5K1Ggroup " UE__F_SET_FIELDS);
	assert_int_equal(fake_kernel_calls(FAKE_WRITE) + fake_kernel_calls(FAKE_WRITEV), 0);
	/* while the probe is registered, user_events becomes available */
	fake_kernel_reset(NULL);
	assert_int_equal(ue_register_all(), 0);
	assert_int_equal(ue_status().runtime, 2);
	fake_kernel_enable("run_time", FAKE_FTRACE);
	assert_int_equal(ue_event_write(&run_time, "5678", 4), 0);
	expect_heard(&heard, 0);
	assert_int_equal(ue_event_unregister(&run_time), 0);
	assert_int_equal(ue_event_set_unregister(&set), 0);
	assert_int_equal(run_time.enabled, 0);
	assert_int_equal(ue_event_write(&run_time, "5678", 4), 0);
	assert_int_equal(heard.calls, 5);
	assert_int_equal(ue_probe_unregister(NULL, hear, &heard), 0);
}

TEST_SETUP(test_a_probe_of_all_events_gets_events_registered_later, new_kernel)
{
	static struct ue_event late;

	assert_int_equal(ue_probe_register(NULL, hear, &heard), 0);
	assert_int_equal(ue_event_register(&late, "late u8 a", 0), 0);
	ue_event_write(&late, "1", 1);
	assert_int_equal(heard.calls, 1);
	trace_other(1);
	UE_TRACE(here, UE_U8(a, 1));
	assert_int_equal(heard.calls, 3);
	assert_int_equal(ue_probe_unregister(NULL, hear, &heard), 0);
	ue_event_write(&late, "1", 1);
	trace_other(1);
	assert_int_equal(heard.calls, 3);
	assert_int_equal(late.enabled, 0);
	assert_int_equal(ue_event_unregister(&late), 0);
}

static unsigned int order[1000], ordered;

static void in_order(struct ue_event *event, const void *payload, size_t size, void *data)
{
	(void)event;
	(void)payload;
	(void)size;
	order[ordered++] = *(unsigned int *)data;
}

TEST_SETUP(test_any_number_of_probes_run_in_the_order_of_their_registration, new_kernel)
{
	struct ue_event *event = event_of("probed");
	static unsigned int number[1000];

	for (unsigned int i = 0; i < 1000; i++) {
		number[i] = i;
		assert_int_equal(ue_probe_register(event, in_order, &number[i]), 0);
	}
	ordered = 0;
	trace_probed(1, "");
	assert_int_equal(ordered, 1000);
	for (unsigned int i = 0; i < 1000; i++)
		assert_int_equal(order[i], i);
	for (unsigned int i = 0; i < 1000; i += 2)
		assert_int_equal(ue_probe_unregister(event, in_order, &number[i]), 0);
	ordered = 0;
	trace_probed(1, "");
	assert_int_equal(ordered, 500);
	for (unsigned int i = 1; i < 1000; i += 2) {
		assert_int_equal(order[i / 2], i);
		assert_int_equal(ue_probe_unregister(event, in_order, &number[i]), 0);
	}
	assert_int_equal(event->enabled, 0);
}

TEST_SETUP(test_an_events_own_probes_run_before_those_of_all, new_kernel)
{
	struct ue_event *event = event_of("probed");
	static unsigned int all = 1, own = 2;

	assert_int_equal(ue_probe_register(NULL, in_order, &all), 0);
	assert_int_equal(ue_probe_register(event, in_order, &own), 0);
	ordered = 0;
	trace_probed(1, "");
	assert_int_equal(ordered, 2);
	assert_int_equal(order[0], own);
	assert_int_equal(order[1], all);
	assert_int_equal(ue_probe_unregister(NULL, in_order, &all), 0);
	assert_int_equal(ue_probe_unregister(event, in_order, &own), 0);
}

TEST_SETUP(test_wrong_arguments_return_an_error, new_kernel)
{
	struct ue_event *event = event_of("probed");
	static struct ue_event unknown;
	char text[10];

	assert_int_equal(ue_probe_register(event, NULL, NULL), -EINVAL);
	assert_int_equal(ue_probe_register(&unknown, hear, NULL), -ENOENT);
	assert_int_equal(ue_probe_unregister(event, hear, &heard), -ENOENT);
	assert_int_equal(ue_probe_register(event, hear, &heard), 0);
	assert_int_equal(ue_probe_register(event, hear, &heard), -EEXIST);
	assert_int_equal(ue_probe_register(event, hear, &heard2), 0);
	assert_int_equal(ue_probe_register(NULL, hear, &heard), 0);
	trace_probed(1, "");
	assert_int_equal(heard.calls, 2);
	assert_int_equal(heard2.calls, 1);
	assert_int_equal(ue_probe_unregister(NULL, hear, &heard), 0);
	assert_int_equal(ue_probe_unregister(event, hear, &heard), 0);
	assert_int_equal(ue_probe_unregister(event, hear, &heard2), 0);
	assert_int_equal(ue_probe_unregister(event, hear, &heard2), -ENOENT);
	assert_non_null(strstr(ue_strerror(-EEXIST), "already"));
	assert_non_null(strstr(ue_strerror(-EDEADLK), "probe"));
	assert_int_equal(ue_event_spec(&unknown, text, sizeof(text)), -ENOENT);
	assert_int_equal(ue_event_spec(event, text, sizeof(text)),
			 (int)strlen("probed u32 number; __rel_loc char[] text"));
	assert_string_equal(text, "probed u3");
	assert_int_equal(ue_event_spec(event, NULL, 0), 40);
	assert_int_equal(ue_event_set_register(&probe_set, "Probe", 3, 2, NULL), -EALREADY);
	assert_int_equal(ue_event_set_unregister(&probe_set), 0);
	assert_int_equal(ue_event_set_register(&probe_set, "Probe", 3, 2, NULL), -EALREADY);
	assert_int_equal(ue_event_set_unregister(&probe_set), -ENOENT);
	assert_null(ue_event_find("nothing", NULL));
	assert_null(ue_event_find("probe", NULL));
	assert_null(ue_event_find("probed", event));
	assert_non_null(ue_event_find(NULL, NULL));
}

TEST_SETUP(test_events_preserve_errno_even_if_probes_change_it, new_kernel)
{
	assert_int_equal(ue_probe_register(NULL, hear, &heard), 0);
	errno = ENOTTY;
	trace_probed(1, "");
	UE_LOG(probe_set, "Event");
	assert_int_equal(errno, ENOTTY);
	assert_int_equal(ue_probe_unregister(NULL, hear, &heard), 0);
	assert_int_equal(errno, ENOTTY);
	assert_int_equal(heard.calls, 2);
}

static void writes_too(struct ue_event *event, const void *payload, size_t size, void *data)
{
	hear(event, payload, size, data);
	trace_other(heard.calls);
	trace_probed(99, "from a probe");
}

TEST_SETUP(test_a_probe_that_writes_events_does_not_recurse, new_kernel)
{
	uint64_t unprobed = ue_status().unprobed;

	fake_kernel_enable("*", FAKE_FTRACE);
	assert_int_equal(ue_probe_register(NULL, writes_too, &heard), 0);
	trace_probed(1, "");
	assert_int_equal(heard.calls, 1);
	assert_int_equal(fake_kernel_records(), 3);
	assert_string_equal(fake_kernel_record(0)->name, "probed");
	assert_string_equal(fake_kernel_record(1)->name, "other");
	assert_string_equal(fake_kernel_record(2)->name, "probed");
	assert_int_equal(ue_status().unprobed, unprobed + 2);
	trace_probed(2, "");
	assert_int_equal(heard.calls, 2);
	assert_int_equal(ue_probe_unregister(NULL, writes_too, &heard), 0);
}

static int answers[2];

static void registers(struct ue_event *event, const void *payload, size_t size, void *data)
{
	hear(event, payload, size, data);
	answers[0] = ue_probe_register(event_of("other"), hear, &heard2);
	answers[1] = ue_probe_unregister(event, registers, data);
}

TEST_SETUP(test_a_probe_may_register_others_and_unregister_none, new_kernel)
{
	struct ue_event *event = event_of("probed");

	assert_int_equal(ue_probe_register(event, registers, &heard), 0);
	trace_probed(1, "");
	assert_int_equal(answers[0], 0);
	assert_int_equal(answers[1], -EDEADLK);
	trace_other(1);
	assert_int_equal(heard2.calls, 1);
	assert_int_equal(ue_probe_unregister(event, registers, &heard), 0);
	assert_int_equal(ue_probe_unregister(event_of("other"), hear, &heard2), 0);
}

static void on_signal(int signal)
{
	(void)signal;
	trace_other(1);
}

static void raises(struct ue_event *event, const void *payload, size_t size, void *data)
{
	hear(event, payload, size, data);
	raise(SIGUSR1);
}

TEST_SETUP(test_a_signal_handler_within_a_probe_may_write, new_kernel)
{
	struct sigaction action = { .sa_handler = on_signal };

	sigaction(SIGUSR1, &action, NULL);
	fake_kernel_enable("*", FAKE_FTRACE);
	assert_int_equal(ue_probe_register(NULL, raises, &heard), 0);
	trace_probed(1, "");
	assert_int_equal(heard.calls, 1);
	assert_int_equal(fake_kernel_records(), 2);
	assert_int_equal(ue_probe_unregister(NULL, raises, &heard), 0);
}

/* Several threads write while probes are added and removed. */
enum { WRITERS = 4, ROUNDS = 80 };
static bool stop;

static void *writes(void *argument)
{
	uint32_t n = 0;

	(void)argument;
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		trace_probed(++n, "text");
		trace_other(n);
		UE_LOG(probe_set, "Event", UE_U32(n));
	}
	return NULL;
}

struct alive {
	unsigned int calls;
	bool alive;
};

static void only_alive(struct ue_event *event, const void *payload, size_t size, void *data)
{
	struct alive *a = data;

	(void)event;
	(void)payload;
	(void)size;
	for (int i = 0; i < 5; i++) { /* gives another thread enough time to remove the probe */
		if (!__atomic_load_n(&a->alive, __ATOMIC_RELAXED))
			abort();
		sched_yield();
	}
	__atomic_fetch_add(&a->calls, 1, __ATOMIC_RELAXED);
}

TEST_SETUP(test_once_unregistered_a_probe_does_not_run_in_any_thread, new_kernel)
{
	struct ue_event *events[] = { event_of("probed"), event_of("other"), &probe_set.event,
				      NULL };
	pthread_t threads[WRITERS];
	unsigned int calls = 0;

	__atomic_store_n(&stop, false, __ATOMIC_RELAXED);
	for (int i = 0; i < WRITERS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, writes, NULL), 0);
	for (int round = 0; round < ROUNDS || calls < 200; round++) {
		struct alive *a = malloc(sizeof(*a));

		a->calls = 0;
		a->alive = true;
		assert_int_equal(ue_probe_register(events[round % 4], only_alive, a), 0);
		while (round % 8 < 4 && !__atomic_load_n(&a->calls, __ATOMIC_RELAXED))
			sched_yield();
		assert_int_equal(ue_probe_unregister(events[round % 4], only_alive, a), 0);
		calls += a->calls; /* not atomic, because no other thread uses it any more */
		a->alive = false;
		free(a);
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	for (int i = 0; i < WRITERS; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(events[0]->enabled | events[1]->enabled | events[2]->enabled, 0);
}

enum { MANY = 500, EVENTS = ROUNDS_OF(2000) };
static unsigned int counted;

static void counts(struct ue_event *event, const void *payload, size_t size, void *data)
{
	(void)event;
	(void)payload;
	(void)size;
	__atomic_fetch_add((unsigned int *)data, 1, __ATOMIC_RELAXED);
}

static void *writes_many(void *argument)
{
	for (uint32_t i = 0; i < EVENTS; i++)
		trace_probed(i, "text");
	return argument;
}

TEST_SETUP(test_events_of_500_threads_all_reach_the_probe, new_kernel)
{
	static pthread_t threads[MANY];
	struct ue_event *event = event_of("probed");
	uint64_t unprobed = ue_status().unprobed;

	assert_int_equal(ue_probe_register(event, counts, &counted), 0);
	for (int i = 0; i < MANY; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, writes_many, NULL), 0);
	for (int i = 0; i < MANY; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(ue_probe_unregister(event, counts, &counted), 0);
	assert_int_equal(counted, MANY * EVENTS);
	assert_int_equal(ue_status().unprobed, unprobed);
}

static void *registers_often(void *argument)
{
	for (int i = 0; i < ROUNDS; i++) {
		assert_int_equal(ue_probe_register(argument, hear, &i), 0);
		assert_int_equal(ue_probe_unregister(argument, hear, &i), 0);
	}
	return NULL;
}

TEST_SETUP(test_threads_may_register_and_unregister_at_once, new_kernel)
{
	struct ue_event *event = event_of("probed");
	pthread_t threads[WRITERS];

	for (int i = 0; i < WRITERS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, registers_often, event), 0);
	for (int i = 0; i < WRITERS; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(event->enabled, 0);
}

static int entered[2], leave[2];

static void stays(struct ue_event *event, const void *payload, size_t size, void *data)
{
	char byte = 0;

	(void)event;
	(void)payload;
	(void)size;
	(void)data;
	if (write(entered[1], &byte, 1) != 1 || read(leave[0], &byte, 1) != 1)
		abort();
}

static void *writes_one(void *argument)
{
	(void)argument;
	trace_probed(1, "");
	return NULL;
}

/*
 * The child must not wait for the thread that is running the probe, because this thread does not
 * exist in the child.
 */
TEST_SETUP(test_a_child_does_not_wait_for_probes_of_the_parents_threads, new_kernel)
{
	struct ue_event *event = event_of("probed");
	pthread_t thread;
	char byte = 0;
	int status;
	pid_t child;

	assert_int_equal(pipe(entered) | pipe(leave), 0);
	assert_int_equal(ue_probe_register(event, stays, NULL), 0);
	assert_int_equal(ue_probe_register(event_of("other"), hear, &heard), 0);
	pthread_create(&thread, NULL, writes_one, NULL);
	assert_int_equal(read(entered[0], &byte, 1), 1);
	child = fork();
	if (child == 0) {
		alarm(20); /* the alarm kills the child if it waits */
		trace_other(1);
		if (heard.calls != 1 || ue_probe_unregister(event, stays, NULL) ||
		    ue_probe_unregister(event_of("other"), hear, &heard) || event->enabled)
			_exit(1);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(write(leave[1], &byte, 1), 1);
	pthread_join(thread, NULL);
	assert_int_equal(ue_probe_unregister(event, stays, NULL), 0);
	assert_int_equal(ue_probe_unregister(event_of("other"), hear, &heard), 0);
}

static void forks(struct ue_event *event, const void *payload, size_t size, void *data)
{
	hear(event, payload, size, data);
	*(pid_t *)heard2.payload = fork();
}

TEST_SETUP(test_a_probe_may_fork, new_kernel)
{
	struct ue_event *event = event_of("probed");
	pid_t child;
	int status;

	assert_int_equal(ue_probe_register(event, forks, &heard), 0);
	trace_probed(1, "");
	child = *(pid_t *)heard2.payload;
	if (child == 0) {
		alarm(20);
		_exit(ue_probe_unregister(event, forks, &heard) != 0);
	}
	assert_int_equal(ue_probe_unregister(event, forks, &heard), 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

TEST_SETUP(test_unregistering_a_run_time_event_removes_its_probes, new_kernel)
{
	static struct ue_event event;

	for (int i = 0; i < 200; i++) {
		assert_int_equal(ue_event_register(&event, "short_lived u32 a; u32 b; u32 c", 0),
				 0);
		assert_int_equal(ue_probe_register(&event, hear, &heard), 0);
		assert_int_equal(ue_event_write(&event, "123456789012", 12), 0);
		assert_int_equal(heard.calls, i + 1);
		if (i % 2) {
			assert_int_equal(ue_event_unregister(&event), 0);
		} else {
			ue_unregister_all();
			assert_int_equal(ue_register_all(), 0);
		}
		assert_int_equal(event.enabled, 0);
		assert_int_equal(ue_probe_unregister(&event, hear, &heard), -ENOENT);
	}
}

TESTS_MAIN
