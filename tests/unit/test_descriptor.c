/* SPDX-License-Identifier: MIT */
/*
 * The library's descriptor among those of the program: its number, what is looked at before it is used,
 * and how it is found again. The descriptors are real ones; what answers behind them is here. A file
 * stands for user_events_data, the offset of each open file of it is the number of its indexes.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#include <cmocka.h>

static int open_errno;	     /* that opening it fails with */
static unsigned int foreign; /* calls for what is not the library's */
static unsigned int recorded[2], unknown, index_of_one;

static const char *data_path(void)
{
	static char path[64];

	if (!path[0]) {
		snprintf(path, sizeof(path), "/tmp/ue-data-%d", (int)getpid());
		close(open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600));
	}
	return path;
}

static bool is_data(int fd)
{
	struct stat a, b;

	return fstat(fd, &a) == 0 && stat(data_path(), &b) == 0 && a.st_ino == b.st_ino &&
	       a.st_dev == b.st_dev;
}

static int my_open(const char *path, int flags)
{
	if (!strstr(path, "user_events_data") || open_errno) {
		errno = open_errno ? open_errno : ENOENT;
		return -1;
	}
	return open(data_path(), flags);
}

static int my_close(int fd)
{
	struct stat status;

	/* a pipe holds the place of a number in range */
	if (!is_data(fd) && (fstat(fd, &status) < 0 || !S_ISFIFO(status.st_mode)))
		foreign++;
	return close(fd);
}

static int my_read(int fd, void *buffer, size_t size)
{
	return (int)read(fd, buffer, size);
}

struct registration {
	uint32_t size;
	uint8_t bit, word;
	uint16_t flags;
	uint64_t address, name;
	uint32_t index;
} __attribute__((__packed__));

struct unregistration {
	uint32_t size;
	uint8_t bit, zero[3];
	uint64_t address;
} __attribute__((__packed__));

/* Words that the kernel sets; and does another thread close the fd before one is unregistered? */
static uint64_t words[16];
static bool closes;

static void exchange_word(uint64_t from, uint64_t to)
{
	int i;

	for (i = 0; i < 16 && words[i] != from; i++)
		;
	if (i < 16)
		words[i] = to;
}

static int my_ioctl(int fd, unsigned long request, void *argument)
{
	struct registration *r = (struct registration *)argument;
	struct unregistration *u = (struct unregistration *)argument;

	if ((request & 0xff) == 2 && closes) {
		close(fd);
		errno = EBADF;
		return -1;
	}

	if (fcntl(fd, F_GETFD) < 0)
		return -1;
	if (!is_data(fd)) {
		foreign++;
		errno = ENOTTY;
		return -1;
	}
	if ((request & 0xff) == 0) {
		*(uint32_t *)(uintptr_t)r->address |= 1u << r->bit;
		exchange_word(r->address, 0);
		exchange_word(0, r->address);
		r->index = (uint32_t)lseek(fd, 1, SEEK_CUR) - 1;
	} else if ((request & 0xff) == 2) {
		exchange_word(u->address, 0);
	}
	return 0;
}

static ssize_t my_write(int fd, const void *bytes, size_t size)
{
	uint32_t index;

	if (!is_data(fd)) {
		foreign += fcntl(fd, F_GETFD) >= 0;
		return write(fd, bytes, size);
	}
	memcpy(&index, bytes, sizeof(index));
	if (index >= (uint32_t)lseek(fd, 0, SEEK_CUR)) {
		unknown++;
		errno = ENOENT;
		return -1;
	}
	__atomic_fetch_add(&recorded[index == index_of_one], 1, __ATOMIC_RELAXED);
	return (ssize_t)size;
}

#define UE_SYS_OPEN(path, flags) my_open(path, flags)
#define UE_SYS_CLOSE(fd) my_close(fd)
#define UE_SYS_READ(fd, buffer, size) my_read(fd, buffer, size)
#define UE_SYS_IOCTL(fd, request, argument) my_ioctl(fd, request, argument)
#define UE_SYS_WRITE(fd, buffer, size) my_write(fd, buffer, size)
#define UE_SYS_FCNTL(fd, command, argument) fcntl(fd, command, argument)
#include <user_events.h>

UE_TRACEPOINT(number_zero, UE_U32(x));
UE_TRACEPOINT(number_one, UE_U32(x));

static struct rlimit limit_now(void)
{
	struct rlimit limit;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	return limit;
}

static int set_up(void **state)
{
	struct rlimit limit = { 1024, 4096 };

	(void)state;
	ue_unregister_all();
	setrlimit(RLIMIT_NOFILE, &limit);
	open_errno = 0;
	foreign = unknown = 0;
	memset(recorded, 0, sizeof(recorded));
	if (ue_register_all())
		return -1;
	index_of_one = ue_event_find("number_one", NULL)->index - 1;
	return 0;
}

static uint64_t lost_before;

static uint64_t lost(void)
{
	return ue_status().lost - lost_before;
}

/* Both events of the declared two, N times. */
static void write_both(unsigned int n)
{
	lost_before = ue__state_v1.lost;
	while (n--) {
		trace_number_zero(0);
		trace_number_one(1);
	}
}

static void test_the_number_is_above_the_limit_which_stays(void **state)
{
	struct rlimit limit = limit_now();

	(void)state;
	assert_true(ue_status().fd >= 1024);
	assert_true(ue_status().fd < 16384 + 1024);
	assert_int_equal(limit.rlim_cur, 1024);
	assert_int_equal(limit.rlim_max, 4096);
	assert_int_equal(fcntl(ue_status().fd, F_GETFD), FD_CLOEXEC);
	for (int fd = 3; fd < 1024; fd++)
		assert_false(is_data(fd));
	assert_int_equal(foreign, 0);
}

static bool stop;
static volatile sig_atomic_t children;

static void child_ended(int signal)
{
	(void)signal;
	children++;
}

static void *watches_the_limit(void *data)
{
	bool *changed = (bool *)data;

	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		struct rlimit limit;

		if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur != 1024)
			*changed = true;
	}
	return data;
}

static void test_no_other_thread_sees_another_limit_nor_a_child(void **state)
{
	bool changed = false;
	pthread_t thread;

	(void)state;
	signal(SIGCHLD, child_ended);
	__atomic_store_n(&stop, false, __ATOMIC_RELAXED);
	assert_int_equal(pthread_create(&thread, NULL, watches_the_limit, &changed), 0);
	for (int i = 0; i < 100; i++) {
		ue_unregister_all();
		assert_int_equal(ue_register_all(), 0);
		assert_true(ue_status().fd >= 1024);
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	assert_false(changed);
	assert_int_equal(children, 0);
	assert_int_equal(waitpid(-1, NULL, WNOHANG | __WALL), -1);
	assert_int_equal(foreign, 0);
}

static void test_a_closed_descriptor_is_found_again_and_what_was_lost_is_counted(void **state)
{
	int fd = ue_status().fd;

	(void)state;
	close(fd);
	write_both(10);
	assert_int_equal(lost(), 1);
	assert_int_equal(recorded[0], 9);
	assert_int_equal(recorded[1], 10);
	assert_int_equal(unknown, 0);
	assert_int_equal(ue_status().fd, fd);
	assert_int_equal(ue_status().failed, 0);
	assert_int_equal(foreign, 0);
}

/* Registers anew, above a low limit, and raises it over the library's number, which is returned. */
static int pass_the_number(void)
{
	struct rlimit limit = { 256, 4096 };
	int fd;

	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	ue_unregister_all();
	if (ue__state_v1.parked)
		close(ue__state_v1.parked - 1);
	ue__state_v1.parked = ue__state_v1.next_fd = 0;
	assert_int_equal(ue_register_all(), 0);
	index_of_one = ue_event_find("number_one", NULL)->index - 1;
	fd = ue_status().fd;
	assert_in_range(fd, 256, 511);
	limit.rlim_cur = 512;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	return fd;
}

static void test_a_number_that_a_raised_limit_has_passed_is_given_up(void **state)
{
	int fd = pass_the_number();

	(void)state;
	close(fd);
	write_both(10);
	assert_int_equal(lost(), 1);
	assert_true(ue_status().fd >= 512);
	assert_int_equal(foreign, 0);
}

/* A child has the indexes of its parent: it takes the same number. */
static void test_a_child_finds_the_number_that_a_raised_limit_has_passed(void **state)
{
	int fd = pass_the_number(), status = -1;
	pid_t child;

	(void)state;
	child = fork();
	if (child == 0) {
		close(fd);
		write_both(10);
		_exit(recorded[1] == 10 && ue__state_v1.fd - 1 == fd && !foreign ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	write_both(1);
	assert_int_equal(recorded[1], 1);
}

static void test_what_the_program_put_there_is_never_touched(void **state)
{
	int fd = ue_status().fd, other = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct rlimit limit = { 4096, 4096 };
	struct stat status;

	(void)state;
	assert_true(other >= 0);
	assert_int_equal(dup2(other, fd), -1); /* above the limit it takes an effort */
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	assert_int_equal(dup2(other, fd), fd);
	assert_true(ue_status().fd != fd);
	write_both(1);
	ue_unregister_all();
	assert_int_equal(fstat(fd, &status), 0);
	assert_true(S_ISCHR(status.st_mode));
	assert_int_equal(foreign, 0);
	close(fd);
	close(other);
}

static void test_what_cannot_be_opened_again_is_told_and_tried_again(void **state)
{
	(void)state;
	close(ue_status().fd);
	open_errno = EACCES;
	write_both(50);
	assert_int_equal(lost(), 100);
	assert_int_equal(ue_status().fd, -1);
	assert_int_equal(ue_status().error, -EBADF);
	assert_non_null(strstr(ue_status().message, "the program closed the fd"));
	assert_non_null(strstr(ue_status().message, "no permission"));
	open_errno = 0;
	write_both(50);
	assert_true(recorded[0] > 20 && recorded[1] > 20);
	assert_int_equal(ue_status().error, 0);
	assert_true(ue_status().fd >= 1024);
}

/* The number of one with one's own indexes: what was unregistered in between changes none. */
static void test_indexes_stay_what_they_were(void **state)
{
	struct ue_event *zero = ue_event_find("number_zero", NULL);

	(void)state;
	assert_int_equal(ue_event_unregister(zero), 0);
	close(ue_status().fd);
	write_both(10);
	/* the other one is the first of the new file now, and no event has its old index */
	assert_int_equal(recorded[0] + recorded[1], 9);
	assert_int_equal(ue_status().failed, 0);
}

/* Of the registered words, those on this thread's stack. */
static unsigned int words_on_stack(void)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	unsigned int i, n = 0;

	for (i = 0; i < 16; i++)
		n += words[i] - (here - 65536) < 2 * 65536;
	return n;
}

/* The program may close the fd at any moment. The kernel then sets a bit where the word was. */
static void test_no_word_of_a_stack_stays_registered(void **state)
{
	unsigned int i, before = 0, now = 0;

	(void)state;
	for (i = 0; i < 16; i++)
		before += words[i] != 0;
	close(ue_status().fd);
	closes = true;
	write_both(3);
	closes = false;
	assert_int_equal(words_on_stack(), 0);
	write_both(40);
	assert_true(recorded[0] > 0 && recorded[1] > 0);
	for (i = 0; i < 16; i++)
		now += words[i] != 0;
	assert_int_equal(now, before);
	assert_int_equal(foreign, 0);
}

static void *writes(void *data)
{
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		trace_number_zero(0);
		trace_number_one(1);
	}
	return data;
}

static void test_threads_write_while_it_is_closed_and_found(void **state)
{
	pthread_t threads[4];

	(void)state;
	__atomic_store_n(&stop, false, __ATOMIC_RELAXED);
	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, writes, NULL), 0);
	for (int i = 0; i < 50; i++) {
		close(ue__data_fd());
		usleep(500);
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(ue_status().failed, 0);
	assert_true(ue_status().fd >= 1024);
	write_both(1);
	assert_int_equal(lost(), 0);
}

/* ---- Where it cannot be had ---- */

/* CALLS are refused as sandboxes do it. */
static int refuse(const int *calls, size_t n)
{
	struct sock_filter code[20] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	};
	struct sock_fprog program = { 0, code };
	size_t i, k = 1;

	for (i = 0; i < n; i++) {
		code[k++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
							 (unsigned int)calls[i], 0, 1);
		code[k++] =
			(struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
	}
	code[k++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	program.len = (unsigned short)k;
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static int registers_and_writes(int least, int most)
{
	memset(recorded, 0, sizeof(recorded));
	if (ue_register_all() != 0)
		return 2;
	trace_number_zero(0);
	if (recorded[0] != 1 || foreign)
		return 3;
	if (ue_status().fd < least || ue_status().fd >= most) {
		fprintf(stderr, "the fd is %d\n", ue_status().fd);
		return 4;
	}
	close(ue_status().fd);
	trace_number_zero(0);
	trace_number_zero(0);
	return recorded[0] == 2 && !foreign ? 0 : 5;
}

static int in_a_sandbox(void)
{
	static const int calls[] = { SYS_prlimit64, SYS_clone, SYS_statx, SYS_prctl };

	ue_unregister_all();
	if (refuse(calls, 4))
		return 77;
	return registers_and_writes(3, 1024);
}

static int with_low_limits(void)
{
	struct rlimit limit = { 64, 64 };

	ue_unregister_all();
	if (setrlimit(RLIMIT_NOFILE, &limit) || (getuid() == 0 && setuid(65534)))
		return 77;
	return registers_and_writes(56, 64);
}

static int with_high_limits(void)
{
	static const struct rlimit limit = { 100000, 100000 };

	ue_unregister_all();
	if (setrlimit(RLIMIT_NOFILE, &limit))
		return 77;
	return registers_and_writes(3072, 4096);
}

static void test_a_number_in_range_has_to_do_where_there_is_no_other(void **state)
{
	static int (*const cases[])(void) = { in_a_sandbox, with_low_limits, with_high_limits };

	(void)state;
	chmod(data_path(), 0666);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int status;
		pid_t child;

		fflush(NULL);
		child = fork();
		if (child == 0) {
			alarm(20);
			_exit(cases[i]());
		}
		assert_int_equal(waitpid(child, &status, 0), child);
		if (status == 77 << 8) /* no seccomp, no right to raise a limit */
			continue;
		if (status)
			fail_msg("case %zu: status %#x", i, (unsigned int)status);
	}
}

/* Events would be registered with it, but the kernel would take none. */
static void test_a_descriptor_that_cannot_be_written_to_is_refused(void **state)
{
	int read_only = open(data_path(), O_RDONLY), both = open(data_path(), O_RDWR);

	(void)state;
	assert_true(read_only >= 0 && both >= 0);
	ue_unregister_all();
	assert_int_equal(ue_use_fd(read_only), -EBADF);
	assert_int_equal(close(read_only), 0); /* it is the program's still */
	assert_int_equal(ue_use_fd(both), 0);
	assert_int_equal(ue_register_all(), 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, set_up)
	const struct CMUnitTest tests[] = {
		TEST(test_the_number_is_above_the_limit_which_stays),
		TEST(test_no_other_thread_sees_another_limit_nor_a_child),
		TEST(test_a_closed_descriptor_is_found_again_and_what_was_lost_is_counted),
		TEST(test_what_the_program_put_there_is_never_touched),
		TEST(test_what_cannot_be_opened_again_is_told_and_tried_again),
		TEST(test_indexes_stay_what_they_were),
		TEST(test_no_word_of_a_stack_stays_registered),
		TEST(test_threads_write_while_it_is_closed_and_found),
		TEST(test_a_number_in_range_has_to_do_where_there_is_no_other),
		TEST(test_a_descriptor_that_cannot_be_written_to_is_refused),
		TEST(test_a_number_that_a_raised_limit_has_passed_is_given_up),
		TEST(test_a_child_finds_the_number_that_a_raised_limit_has_passed),
	};
	int failed;

	failed = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(data_path());
	return failed;
}
