/* SPDX-License-Identifier: MIT */
/*
 * Another process enables and disables an event while threads write it. Each event is recorded
 * completely, once, and in the order of its thread. No write fails. The enable word follows each
 * change by the tracer within a second. A thread's events have gaps only where the tracer detached,
 * because the kernel stops recording a few milliseconds before it clears the enable word.
 */
#include "witness.h"

#define THREADS 4
#define ROUNDS 25

UE_TRACEPOINT(follow, UE_U32(thread), UE_U32(number), UE_U64(check), UE_STR(tail));

static bool stop;

static uint64_t check_of(uint32_t thread, uint32_t number)
{
	return ((uint64_t)number << 32 | thread) * 0x9e3779b97f4a7c15u;
}

static void *writer(void *arg)
{
	uint32_t thread = (uint32_t)(uintptr_t)arg, number = 0;

	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		/* only written events are numbered, so a gap in the trace is a loss */
		if (!trace_follow_enabled()) {
			sched_yield();
			continue;
		}
		number++;
		trace_follow(thread, number, check_of(thread, number), "tail");
		if (number % 16 == 0)
			usleep(1000);
	}
	return NULL;
}

/*
 * Runs in the other process, which acts as the tracer. It receives commands through shared memory.
 */
static int *order;

static int tracer(void *data)
{
	int done = 0;

	for (;;) {
		int now = __atomic_load_n(order, __ATOMIC_ACQUIRE);

		if (now < 0)
			return 0;
		if (now == done) {
			usleep(200);
			continue;
		}
		expect(try_put(instance(event_file("follow", "enable")), now & 1 ? "1" : "0") == 0);
		done = now;
		__atomic_store_n(order + 1, done, __ATOMIC_RELEASE);
	}
}

static double command(int number)
{
	double start;

	__atomic_store_n(order, number, __ATOMIC_RELEASE);
	wait_for(__atomic_load_n(order + 1, __ATOMIC_ACQUIRE) == number);
	start = seconds();
	wait_for(trace_follow_enabled() == (number & 1));
	return seconds() - start;
}

static void check_records(void)
{
	uint32_t last[THREADS] = { 0 }, gaps[THREADS] = { 0 };
	unsigned int records = 0, written;
	char *line;

	for (line = strtok(trace_text(), "\n"); line; line = strtok(NULL, "\n"), records++) {
		unsigned int thread, number;
		unsigned long long check;

		if (sscanf(line,
			   "follow: thread=0x%x (%*d) number=0x%x (%*d) check=0x%llx "
			   "(%*d)",
			   &thread, &number, &check) != 3)
			fail_msg("incomplete line in the trace: %s", line);
		if (thread >= THREADS || number <= last[thread] ||
		    check != check_of(thread, number) ||
		    strcmp(line + strlen(line) - 10, " tail=tail") != 0)
			fail_msg("after %u correct events, unexpected: %s", records, line);
		gaps[thread] += number != last[thread] + 1;
		assert_true(gaps[thread] <= ROUNDS);
		last[thread] = number;
	}
	written = last[0] + last[1] + last[2] + last[3];
	print_message("%u records of %u\n", records, written);
	assert_true(records > 100 * THREADS);
	assert_int_equal(trace_count("overrun"), 0);
}

TEST(test_enable_word_follows_tracers_while_threads_write)
{
	pthread_t threads[THREADS];
	double slowest = 0;
	pid_t pid;
	int n;

	order = (int *)shared_memory(2 * sizeof(*order));
	pid = spawn(tracer, NULL);
	threads_begin(threads, THREADS, writer);
	for (n = 1; n <= 2 * ROUNDS; n++) {
		double took = command(n);

		slowest = took > slowest ? took : slowest;
		usleep(n & 1 ? 10000 : 1000);
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	threads_join(threads, THREADS);
	__atomic_store_n(order, -1, __ATOMIC_RELEASE);
	join(pid);
	print_message("slowest to follow: %.1f ms of %d\n", slowest * 1e3, 2 * ROUNDS);
	assert_true(slowest < 1);
	assert_int_equal(ue_status().failed, 0);
	check_records();
}

KERNEL_TESTS_MAIN
