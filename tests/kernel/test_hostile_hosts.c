/* SPDX-License-Identifier: MIT */
/*
 * Tests programs that forbid, remove or interrupt resources that the library needs: sandboxes with
 * few system calls, children of vfork(), directories that imitate tracefs, a missing /proc, no free
 * descriptors, and signals and forks at any time. The programs continue, and their files contain
 * only their own data.
 */
#include "witness.h"

#include <sys/time.h>

UE_TRACEPOINT(hostile, UE_U32(number), UE_STR(text));

static struct ue_event late;
/* Memory shared with the children. */
static struct {
	int ready, stop;
	unsigned int written;
} * shared;

static void set(int *flag)
{
	__atomic_store_n(flag, 1, __ATOMIC_RELEASE);
}

static bool is_set(const int *flag)
{
	return __atomic_load_n(flag, __ATOMIC_ACQUIRE);
}

static void write_both(uint32_t i)
{
	trace_hostile(i, "text");
	ue_event_write(&late, &i, sizeof(i));
}

static void begin(void)
{
	memset(shared, 0, sizeof(*shared));
	trace_clear();
}

/* Runs BODY in a child process in which two events are registered and traced. */
static void is_traced(int (*body)(void *))
{
	begin();
	assert_int_equal(ue_event_register(&late, "hostile_late u32 i", 0), 0);
	trace_enable("hostile");
	trace_enable("hostile_late");
	join(spawn(body, NULL));
	trace_disable("hostile");
	trace_disable("hostile_late");
	assert_int_equal(ue_event_unregister(&late), 0);
}

/* ---- Sandboxes ---- */

static int only_writes(void *data)
{
	uint32_t i = 0;

	expect(ue_event_register(&late, "hostile_late u32 i", 0) == 0);
	set(&shared->ready);
	while (!is_set(&shared->stop)) {
		write_both(i++);
		__atomic_store_n(&shared->written, i, __ATOMIC_RELAXED);
	}
	return 0;
}

/*
 * The kernel rejects events that are written while a tracer detaches. In this case, the library
 * must not look for the tracefs file, because a sandbox that allows only write() would kill the
 * program.
 */
TEST(test_detaching_tracers_cause_no_other_system_call)
{
	/*
	 * an emulated CPU may stall for longer than the library waits, so only real machines write
	 * 20,000 events
	 */
	enum { FEW = 200 };
	char trigger[128];
	const char *hits;
	unsigned int i;
	pid_t pid;
	int calls;

	begin();
	pid = spawn(only_writes, NULL);
	wait_for(is_set(&shared->ready) || ended(pid));
	usleep(10000);
	snprintf(trigger, sizeof(trigger), "hist:keys=id if common_pid == %d && id != %d", (int)pid,
		 SYS_write);
	put(instance("events/raw_syscalls/sys_enter/trigger"), trigger);
	for (i = 0; i < 200 && !ended(pid); i++) {
		trace_enable("hostile");
		trace_enable("hostile_late");
		usleep(1000 + i % 7 * 100);
		trace_disable("hostile");
		trace_disable("hostile_late");
	}
	hits = strstr(get(instance("events/raw_syscalls/sys_enter/hist")), "Hits: ");
	assert_non_null(hits);
	calls = atoi(hits + 6);
	if (calls >= FEW)
		print_error("%s", text);
	put(instance("events/raw_syscalls/sys_enter/trigger"), "!hist:keys=id");
	set(&shared->stop);
	join(pid);
	assert_true(shared->written > 1000);
	assert_true(calls < FEW);
}

/* ---- Other files at the path of user_events_data ---- */

static void *writes(void *data)
{
	uint32_t i;

	for (i = 0; !is_set(&shared->stop); i++)
		write_both(i);
	return data;
}

static int closes_in_a_false_tree(void *data)
{
	static const char *const parts[] = { "sys", "sys/kernel", "sys/kernel/tracing" };
	char directory[] = "/tmp/ue-false-XXXXXX";
	pthread_t threads[3];
	struct stat status;
	unsigned int i;
	int fd;

	expect(mkdtemp(directory) && chdir(directory) == 0);
	for (i = 0; i < 3; i++)
		expect(mkdir(parts[i], 0700) == 0);
	fd = open("sys/kernel/tracing/user_events_data", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	expect(fd >= 0);
	threads_begin(threads, 3, writes);
	expect(chroot(".") == 0);
	for (i = 0; i < 20; i++) {
		usleep(5000);
		syscall(SYS_close_range, 3, ~0U, 0);
		ue_status();
		ue_register_all();
	}
	set(&shared->stop);
	threads_join(threads, 3);
	expect(stat("/sys/kernel/tracing/user_events_data", &status) == 0 && status.st_size == 0);
	expect(ue_status().fd < 0 && ue_status().error == -EBADF);
	expect(strstr(ue_status().message, "its path leads to another file"));
	ue_event_unregister(&late);
	return 0;
}

TEST(test_nothing_is_written_to_a_false_tracefs)
{
	is_traced(closes_in_a_false_tree);
}

/* ---- Missing resources ---- */

static int without_proc(void *data)
{
	pthread_t thread;

	expect(unshare(CLONE_NEWNS) == 0 && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0);
	expect(umount2("/proc", MNT_DETACH) == 0);
	ue_unregister_all();
	expect(ue_register_all() == 0);
	expect(pthread_create(&thread, NULL, writes, NULL) == 0);
	ue_unregister_all();
	expect(ue_register_all() == 0);
	syscall(SYS_close_range, 3, ~0U, 0);
	usleep(10000);
	set(&shared->stop);
	pthread_join(thread, NULL);
	expect(ue_status().fd > 0 && ue_status().registered == 1);
	return 0;
}

TEST(test_events_work_without_proc)
{
	is_traced(without_proc);
}

static int without_descriptors(void *data)
{
	struct rlimit none = { 0, 0 };

	expect(setrlimit(RLIMIT_NOFILE, &none) == 0);
	write_both(1);
	syscall(SYS_close_range, 3, ~0U, 0);
	expect(ue_register_all() == -EMFILE);
	expect(ue_event_register(&late, "hostile_late u32 i", 0) == -EMFILE);
	expect(ue_event_delete("hostile_late") == -EMFILE);
	write_both(2);
	expect(ue_status().fd < 0 && ue_status().error == -EBADF);
	expect(strstr(ue_status().message, "raise ulimit -n"));
	ue_event_unregister(&late);
	return 0;
}

TEST(test_without_descriptors_nothing_is_registered)
{
	begin();
	join(spawn(without_descriptors, NULL));
}

/* ---- Signals and forks at any time ---- */

static void interrupts(int number)
{
	write_both(7);
}

static int is_interrupted(void *data)
{
	struct itimerval often = { { 0, 300 }, { 0, 300 } }, never = { { 0, 0 }, { 0, 0 } };
	unsigned int i;

	expect(ue_event_unregister(&late) == 0);
	signal(SIGALRM, interrupts);
	expect(setitimer(ITIMER_REAL, &often, NULL) == 0);
	for (i = 0; i < 100; i++) {
		int error = ue_event_register(&late, "hostile_late u32 i", 0);

		if (error)
			fprintf(stderr, "round %u: ended with %d\n", i, error);
		expect(error == 0);
		write_both(i);
		expect(ue_event_unregister(&late) == 0);
		ue_unregister_all();
		expect(ue_register_all() == 0);
	}
	setitimer(ITIMER_REAL, &never, NULL);
	return 0;
}

TEST(test_signals_write_while_events_are_registered)
{
	is_traced(is_interrupted);
}

static void *is_cancelled(void *data)
{
	uint32_t i;

	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	for (i = 0;; i++) {
		write_both(i);
		if (i % 16 == 0)
			ue_status();
	}
	return data;
}

static int cancels(void *data)
{
	pthread_t thread;
	unsigned int i;

	for (i = 0; i < 100; i++) {
		expect(pthread_create(&thread, NULL, is_cancelled, NULL) == 0);
		usleep(500 + i * 13);
		expect(pthread_cancel(thread) == 0 && pthread_join(thread, NULL) == 0);
		ue_status();
	}
	expect(ue_event_unregister(&late) == 0);
	expect(ue_register_all() == 0 && ue_status().registered == 1);
	return 0;
}

TEST(test_threads_are_cancelled_within_events)
{
	is_traced(cancels);
}

static int forks(void *data)
{
	pthread_t threads[3];
	unsigned int i;
	int status;
	pid_t pid;

	/*
	 * register the child's first run-time event here: it prepares the child for later ones, and
	 * concurrent registrations would fail
	 */
	write_both(0);
	threads_begin(threads, 3, writes);
	for (i = 0; i < 60; i++) {
		pid = fork();
		if (pid == 0) {
			alarm(20);
			write_both(i);
			if (i % 3 == 0)
				ue_unregister_all();
			if (i % 3 == 1)
				_exit(ue_event_unregister(&late) ? 2 : 0);
			exit(ue_status().fd < 0 && i % 3 ? 3 : 0);
		}
		expect(pid > 0 && waitpid(pid, &status, 0) == pid);
		if (status)
			fprintf(stderr, "child %u: %#x\n", i, (unsigned int)status);
		expect(status == 0);
	}
	set(&shared->stop);
	threads_join(threads, 3);
	expect(ue_event_unregister(&late) == 0);
	expect(ue_status().registered == 1 && ue_status().lost == 0 && ue_status().failed == 0);
	return 0;
}

TEST(test_a_multithreaded_program_forks)
{
	is_traced(forks);
}

int main(void)
{
	shared = shared_memory(sizeof(*shared));
	return run_all_tests(group_begin, group_end);
}
