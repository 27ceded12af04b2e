/* SPDX-License-Identifier: MIT */
/*
 * Four threads record events until the process is killed with SIGKILL at a random time. The
 * recording must be correct and in order, and missing events must be counted. UE_RECORDER_KILLS
 * sets the number of rounds (default: 100).
 */
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

#include "test.h"

#define FAKE_KERNEL_HOOKS
#include "fake_kernel.h"
#include "rounds.h"
#include <user_events_capture.h>
#include <user_events_recorder.h>

enum { WRITERS = 4 };

UE_TRACEPOINT(step, UE_U32(thread), UE_U32(number), UE_U64(check), UE_STR(text));

/* Number of events that each thread has started and finished, in memory shared with the parent. */
static struct progress {
	uint64_t begun, finished;
	char rest[112];
} * progress;

static struct ue_recorder_reader reader;

static uint64_t check_of(uint32_t thread, uint32_t number)
{
	return ((uint64_t)number << 32 | thread) * 0x9e3779b97f4a7c15ull;
}

static void *writer(void *argument)
{
	static const char text[] = "0123456789abcdefghijklmnopqrstuvwxyz";
	uint32_t thread = (uint32_t)(uintptr_t)argument;

	for (uint32_t i = 0;; i++) {
		__atomic_store_n(&progress[thread].begun, i + 1, __ATOMIC_SEQ_CST);
		trace_step(thread, i, check_of(thread, i), text + (i + thread) % 36);
		__atomic_store_n(&progress[thread].finished, i + 1, __ATOMIC_SEQ_CST);
	}
	return NULL;
}

/* Writes from all threads, in one process or in two processes. */
static void write_until_killed(const char *path, size_t size, unsigned int rings)
{
	pthread_t thread;

	prctl(PR_SET_PDEATHSIG, SIGKILL); /* ends the child if the test itself is killed */
	if (ue_recorder_open(path, size, rings))
		_exit(2);
	for (uintptr_t i = 1; i < WRITERS; i++)
		if (pthread_create(&thread, NULL, writer, (void *)i))
			_exit(3);
	writer(NULL);
}

static void check_file(const char *path, uint64_t *counts)
{
	uint64_t begun = 0, finished = 0, next[WRITERS] = { 0 }, whole = 0, all;
	struct ue_capture_event event;
	FILE *f = fopen(path, "r");
	static char bytes[1 << 20];
	size_t size;

	assert_non_null(f);
	size = fread(bytes, 1, sizeof(bytes), f);
	fclose(f);
	assert_int_equal(ue_recorder_read(&reader, bytes, size), 0);
	while (ue_recorder_next(&reader, &event) == 1) {
		struct {
			uint32_t thread, number;
			uint64_t check;
			uint32_t loc;
			char text[40];
		} payload;
		uint32_t thread, number;

		/* ue_captured_u64() would take most of the test's time */
		assert_in_range(event.size - 8, 22, sizeof(payload));
		memcpy(&payload, event.record + 8, event.size - 8);
		thread = payload.thread;
		number = payload.number;
		assert_in_range(thread, 0, WRITERS - 1);
		assert_true(payload.check == check_of(thread, number));
		assert_string_equal(
			payload.text,
			&"0123456789abcdefghijklmnopqrstuvwxyz"[(number + thread) % 36]);
		assert_true(number >= next[thread]);
		next[thread] = number + 1;
		whole++;
	}
	for (int i = 0; i < WRITERS; i++) {
		begun += progress[i].begun;
		finished += progress[i].finished;
		/*
		 * Every recorded event must have been written. The last event of each thread must
		 * be in the recording, unless other events have overwritten it.
		 */
		assert_true(next[i] <= progress[i].begun);
	}
	all = whole + reader.overwritten + reader.torn;
	assert_true(all >= finished && all <= begun);
	counts[0] += whole;
	counts[1] += reader.overwritten;
	counts[2] += reader.torn;
}

TEST(test_recording_after_kill_9_is_correct_and_losses_are_counted)
{
	const char *kills = getenv("UE_RECORDER_KILLS");
	static const size_t sizes[] = { 4096, 16384, 65536, 262144 };
	uint64_t counts[3] = { 0, 0, 0 };
	char path[64];
	int n = kills ? atoi(kills) : ROUNDS_OF(100);

	srand((unsigned int)time(NULL));
	snprintf(path, sizeof(path), "/dev/shm/ue_recorder_kill.%d", (int)getpid());
	progress = mmap(NULL, WRITERS * sizeof(*progress), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(progress, MAP_FAILED);
	for (int i = 0; i < n; i++) {
		pid_t child;

		unlink(path);
		memset(progress, 0, WRITERS * sizeof(*progress));
		child = fork();
		if (!child)
			write_until_killed(path, sizes[i % 4], i % 3);
		/* wait until the child has started, then wait for a random time */
		while (!__atomic_load_n(&progress[0].begun, __ATOMIC_SEQ_CST) &&
		       !waitpid(child, NULL, WNOHANG))
			usleep(100);
		usleep((useconds_t)(rand() % 4000));
		kill(child, SIGKILL);
		assert_int_equal(waitpid(child, NULL, 0), child);
		check_file(path, counts);
	}
	unlink(path);
	printf("%d kills: %llu whole, %llu overwritten, %llu torn\n", n,
	       (unsigned long long)counts[0], (unsigned long long)counts[1],
	       (unsigned long long)counts[2]);
}

TESTS_MAIN
