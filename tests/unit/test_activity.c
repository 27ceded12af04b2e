/* SPDX-License-Identifier: MIT */
/*
 * ue_activity_new() returns unique UUIDs: within a thread, across threads, and across parent and
 * child processes, even if getrandom() is denied. Only the first ID calls getrandom().
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "log_witness.h"
#include "rounds.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>

typedef uint8_t id_bytes[16]; /* element type for qsort() and the arrays of IDs */

static int compare(const void *a, const void *b)
{
	return memcmp(a, b, 16);
}

static size_t duplicates(id_bytes *ids, size_t n)
{
	size_t same = 0, i;

	qsort(ids, n, sizeof(ids[0]), compare);
	for (i = 1; i < n; i++)
		same += compare(ids[i - 1], ids[i]) == 0;
	return same;
}

static void make(id_bytes *ids, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		ue_activity_new(ids[i]);
}

/* Allocates memory that is shared with child processes. */
static id_bytes *shared(size_t n)
{
	void *p = mmap(NULL, n * sizeof(id_bytes), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		abort();
	return (id_bytes *)p;
}

TEST(test_ids_are_unique_and_of_version_4)
{
	enum { N = ROUNDS_OF(200000) };
	id_bytes *ids = shared(N);
	size_t i;

	make(ids, N);
	for (i = 0; i < N; i++) {
		assert_int_equal(ids[i][6] >> 4, 4);
		assert_int_equal(ids[i][8] >> 6, 2);
	}
	assert_int_equal(duplicates(ids, N), 0);
	munmap(ids, N * sizeof(id_bytes));
}

enum { THREADS = 8, EACH = ROUNDS_OF(20000) };
static pthread_barrier_t barrier;

static void *thread(void *ids)
{
	pthread_barrier_wait(&barrier);
	make((id_bytes *)ids, EACH);
	return NULL;
}

static void threads(id_bytes *ids)
{
	pthread_t t[THREADS];
	int i;

	pthread_barrier_init(&barrier, NULL, THREADS);
	for (i = 0; i < THREADS; i++)
		if (pthread_create(&t[i], NULL, thread, ids + i * EACH))
			abort();
	for (i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	pthread_barrier_destroy(&barrier);
}

static void reap(pid_t child)
{
	int status;

	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

/* Several threads generate the first IDs of a process concurrently. */
TEST(test_ids_are_unique_in_threads_and_after_fork)
{
	enum { CHILDREN = 6, ALL = (CHILDREN + 1) * THREADS * EACH };
	id_bytes *ids = shared(ALL);
	pid_t child;
	int i;

	for (i = 0; i < CHILDREN; i++) {
		child = fork();
		if (child == 0) {
			threads(ids + i * THREADS * EACH);
			_exit(0);
		}
		reap(child);
	}
	threads(ids + CHILDREN * THREADS * EACH);
	assert_int_equal(duplicates(ids, ALL), 0);
	munmap(ids, ALL * sizeof(id_bytes));
}

TEST(test_ids_are_unique_in_generations_of_processes)
{
	enum { GENERATIONS = 40, N = 500 };
	id_bytes *ids = shared(GENERATIONS * N);
	pid_t first, child = 0;
	int i;

	first = fork();
	if (first == 0) {
		for (i = 0; i < GENERATIONS; i++) {
			int status;

			make(ids + i * N, N);
			child = fork();
			if (child == 0)
				continue;
			_exit(waitpid(child, &status, 0) != child || status);
		}
		_exit(0);
	}
	reap(first);
	assert_int_equal(duplicates(ids, GENERATIONS * N), 0);
	munmap(ids, GENERATIONS * N * sizeof(id_bytes));
}

/* Generates a first ID in the parent, then IDs in the parent and its children concurrently. */
TEST(test_a_parent_and_its_children_make_different_ids)
{
	enum { CHILDREN = 8, N = ROUNDS_OF(20000) };
	id_bytes *ids = shared((CHILDREN + 1) * N + 1);
	pid_t children[CHILDREN];
	int i;

	make(ids, 1);
	for (i = 0; i < CHILDREN; i++) {
		children[i] = fork();
		if (children[i] == 0) {
			make(ids + 1 + i * N, N);
			_exit(0);
		}
	}
	make(ids + 1 + CHILDREN * N, N);
	for (i = 0; i < CHILDREN; i++)
		reap(children[i]);
	assert_int_equal(duplicates(ids, (CHILDREN + 1) * N + 1), 0);
	munmap(ids, ((CHILDREN + 1) * N + 1) * sizeof(id_bytes));
}

/* Forks into a new PID namespace, where the child has PID 1. Returns like fork(), or exits. */
static pid_t fork_as_process_1(void)
{
	pid_t child;

	if (unshare(CLONE_NEWPID) && unshare(CLONE_NEWUSER | CLONE_NEWPID))
		_exit(77);
	child = fork();
	if (child < 0)
		_exit(77);
	return child;
}

/* Waits for CHILD and exits with the child's exit status, or with 1 if the child was killed. */
static void exit_with(pid_t child)
{
	int status;

	_exit(waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

/*
 * Parent and child each have PID 1 in their own PID namespaces. The child generates its IDs
 * later.
 */
TEST(test_processes_of_one_number_make_different_ids)
{
	enum { N = ROUNDS_OF(20000) };
	id_bytes *ids = shared(2 * N + 1);
	pid_t child = fork();
	int status, ends[2];
	char byte;

	if (child == 0) {
		child = fork_as_process_1();
		if (child > 0)
			exit_with(child);
		make(ids, 1);
		if (pipe(ends))
			_exit(1);
		child = fork_as_process_1();
		if (child > 0) {
			make(ids + 1, N);
			close(ends[1]);
			exit_with(child);
		}
		close(ends[1]);
		(void)!read(ends[0], &byte, 1); /* wait until the parent closes the pipe */
		make(ids + 1 + N, N);
		_exit(getpid() == 1 ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 77)
		skip(); /* creating PID namespaces is not permitted */
	assert_int_equal(WEXITSTATUS(status), 0);
	assert_int_equal(duplicates(ids, 2 * N + 1), 0);
	munmap(ids, (2 * N + 1) * sizeof(id_bytes));
}

/*
 * Installs a seccomp filter that applies ACTION to CALL, allows getpid() and exit_group(), and
 * applies OTHER to any other call.
 */
static int filter(int call, unsigned int action, unsigned int other)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned int)call, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, action),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getpid, 1, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, other),
	};
	struct sock_fprog program = { sizeof(code) / sizeof(code[0]), code };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static void expect_child(int (*function)(void))
{
	pid_t child = fork();
	int status;

	if (child == 0)
		_exit(function());
	assert_int_equal(waitpid(child, &status, 0), child);
	if (!WIFEXITED(status))
		fail_msg("the child was killed by signal %d", WTERMSIG(status));
	if (WEXITSTATUS(status) == 77)
		print_message("no seccomp here: not tested\n");
	else
		assert_int_equal(WEXITSTATUS(status), 0);
}

static int makes_the_first_ids(void)
{
	uint8_t id[16];
	int i;

	if (filter(SYS_getrandom, SECCOMP_RET_ALLOW, SECCOMP_RET_KILL))
		return 77; /* some emulators do not support seccomp */
	for (i = 0; i < 1000; i++)
		ue_activity_new(id);
	/* call exit_group() directly, because sanitizers make system calls in _exit() */
	return (int)syscall(SYS_exit_group, 0);
}

/* Creates the first ID, then forbids getrandom(). */
static int makes_later_ids(void)
{
	uint8_t id[16];
	int i;

	ue_activity_new(id);
	if (filter(SYS_getrandom, SECCOMP_RET_KILL, SECCOMP_RET_KILL))
		return 77;
	for (i = 0; i < 1000; i++)
		ue_activity_new(id);
	return (int)syscall(SYS_exit_group, 0);
}

TEST(test_an_id_makes_no_system_call_but_getrandom_and_getpid)
{
#ifdef __SANITIZE_THREAD__
	skip(); /* the sanitizer's own thread would keep the child alive */
#endif
	expect_child(makes_the_first_ids);
}

TEST(test_only_the_first_id_makes_the_system_call_getrandom)
{
#ifdef __SANITIZE_THREAD__
	skip(); /* the sanitizer's own thread would keep the child alive */
#endif
	expect_child(makes_later_ids);
}

/* If neither getrandom() nor /dev/urandom is available, IDs must only differ from each other. */
static int makes_ids_without_random_numbers(void)
{
	static id_bytes ids[1000];
	size_t i;

	if (filter(SYS_getrandom, SECCOMP_RET_ERRNO | EPERM, SECCOMP_RET_ALLOW))
		return 77;
	errno = 77;
	make(ids, 1000);
	for (i = 0; i < 1000; i++) {
		if (ids[i][6] >> 4 != 4 || ids[i][8] >> 6 != 2)
			return 1;
	}
	return errno != 77 || duplicates(ids, 1000) ? 2 : 0;
}

TEST(test_ids_are_unique_if_getrandom_is_denied)
{
	expect_child(makes_ids_without_random_numbers);
}

static id_bytes in_handler[3000];
static volatile sig_atomic_t handled;

static void handler(int signal)
{
	(void)signal;
	if (handled < 3000) {
		ue_activity_new(in_handler[handled]);
		handled = handled + 1;
	}
}

TEST(test_ids_are_unique_in_signal_handlers)
{
	enum { N = ROUNDS_OF(500000) };
	id_bytes *ids = shared(N + 3000);
	struct sigaction action, old;
	struct itimerval often = { { 0, 100 }, { 0, 100 } }, never = { { 0, 0 }, { 0, 0 } };

	memset(&action, 0, sizeof(action));
	action.sa_handler = handler;
	sigaction(SIGALRM, &action, &old);
	setitimer(ITIMER_REAL, &often, NULL);
	make(ids, N);
	while (handled < 50) {
		make(ids, 100); /* repeat until enough signals have arrived */
		usleep(1);	/* with a sanitizer, signal handlers run only during libc calls */
	}
	setitimer(ITIMER_REAL, &never, NULL);
	sigaction(SIGALRM, &old, NULL);
	memcpy(ids + N, in_handler, sizeof(id_bytes) * (size_t)handled);
	assert_int_equal(duplicates(ids, N + (size_t)handled), 0);
	munmap(ids, (N + 3000) * sizeof(id_bytes));
}

TEST(test_errno_survives_an_id)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		uint8_t id[16];

		errno = 77;
		ue_activity_new(id);
		_exit(errno != 77);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

TESTS_MAIN
