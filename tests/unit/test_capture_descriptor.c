/* SPDX-License-Identifier: MIT */
/*
 * The descriptor of a capture's file among those of the program, which may close it and have a file of
 * its own there. The system calls are the real ones. Each test is a process of its own.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <user_events_capture.h>

#ifndef SYS_close_range
#define SYS_close_range 436
#endif

UE_TRACEPOINT(numbered, UE_U32(number));

static struct ue_capture capture;
static char path[64], log_path[64];

#define expect(condition)                                                                 \
	do {                                                                              \
		if (!(condition)) {                                                       \
			fprintf(stderr, "%s:%d: child: not so: %s\n", __FILE__, __LINE__, \
				#condition);                                              \
			return 1;                                                         \
		}                                                                         \
	} while (0)

static unsigned int captured(void)
{
	struct ue_capture_reader reader;
	struct ue_capture_event event;
	static char bytes[1 << 20];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = read(fd, bytes, sizeof(bytes));
	unsigned int count = 0;

	close(fd);
	ue_capture_read(&reader, bytes, n > 0 ? (size_t)n : 0);
	while (ue_capture_next(&reader, &event) > 0)
		count++;
	return count;
}

/* The capture opens its file again, by its name from the root on. */
static int opens_its_log(bool in_a_loop)
{
	struct rlimit limit = { 256, 512 };
	struct stat status;
	int fds[200], i, n;

	expect(setrlimit(RLIMIT_NOFILE, &limit) == 0);
	expect(chdir("/tmp") == 0);
	expect(ue_capture_file(&capture, strrchr(path, '/') + 1) == 0);
	expect(chdir("/") == 0);
	trace_numbered(0);
	if (in_a_loop)
		for (i = 3; i < 256; i++)
			close(i);
	else
		syscall(SYS_close_range, 3, ~0U, 0);
	for (n = 0; n < 200; n++) {
		fds[n] = open(log_path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
		expect(fds[n] >= 0);
	}
	for (i = 1; i < 10; i++)
		trace_numbered((uint32_t)i);
	expect(ue_capture_stop(&capture) == 0);
	expect(ue_capture_lost(&capture) == 0);
	for (i = 0; i < n; i++)
		expect(fstat(fds[i], &status) == 0 && status.st_size == 0);
	expect(captured() == 10);
	return 0;
}

/* The number itself is taken for another file, which stays open and gets nothing. */
static int overwrites_it(void)
{
	struct rlimit limit = { 256, 512 };
	int fd, log, i;

	expect(setrlimit(RLIMIT_NOFILE, &limit) == 0);
	expect(ue_capture_file(&capture, path) == 0);
	log = open(log_path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	for (i = 0; i < 3; i++) {
		fd = capture.fd - 1;
		expect(fd >= 224 && fcntl(fd, F_GETFD) == FD_CLOEXEC);
		expect(dup2(log, fd) == fd);
		if (i < 2)
			trace_numbered((uint32_t)i);
	}
	expect(ue_capture_stop(&capture) == 0);
	expect(fcntl(fd, F_GETFD) >= 0 && lseek(fd, 0, SEEK_END) == 0);
	expect(captured() == 2);
	return 0;
}

/* The file was removed: it is not made anew, and another one of its name gets nothing. */
static int removes_its_file(void)
{
	struct stat status;
	int i;

	expect(ue_capture_file(&capture, path) == 0);
	trace_numbered(0);
	expect(unlink(path) == 0 && close(capture.fd - 1) == 0);
	for (i = 0; i < 2; i++) {
		trace_numbered(1);
		expect(ue_capture_lost(&capture) == (uint64_t)i + 1);
		expect(stat(path, &status) == (i ? 0 : -1));
		if (!i)
			close(open(path, O_RDWR | O_CREAT, 0600));
	}
	expect(status.st_size == 0);
	expect(ue_capture_stop(&capture) == 0);
	return 0;
}

static int may_write_no_byte(void)
{
	struct rlimit limit = { 0, RLIM_INFINITY };
	struct stat status;

	signal(SIGXFSZ, SIG_DFL);
	expect(setrlimit(RLIMIT_FSIZE, &limit) == 0);
	expect(ue_capture_file(&capture, path) == 0);
	trace_numbered(1);
	expect(ue_capture_stop(&capture) == 0);
	expect(stat(path, &status) == 0 && status.st_size == 0);
	expect(ue_capture_lost(&capture) == 1);
	return 0;
}

static int reaches_its_limit(void)
{
	struct rlimit limit = { 200000, RLIM_INFINITY };
	struct stat status;
	uint32_t i;

	signal(SIGXFSZ, SIG_DFL);
	expect(setrlimit(RLIMIT_FSIZE, &limit) == 0);
	expect(ue_capture_file(&capture, path) == 0);
	for (i = 0; i < 10000; i++)
		trace_numbered(i);
	expect(ue_capture_stop(&capture) == 0);
	expect(stat(path, &status) == 0 && status.st_size > 100000 && status.st_size <= 200000);
	expect(ue_capture_lost(&capture) > 1000 && ue_capture_lost(&capture) < 9999);
	return 0;
}

static void in_child(int (*body)(void))
{
	pid_t child = fork();
	int status;

	if (child == 0)
		_exit(body());
	assert_int_equal(waitpid(child, &status, 0), child);
	unlink(path);
	unlink(log_path);
	assert_int_equal(status, 0);
}

static int closes_in_a_loop(void)
{
	return opens_its_log(true);
}

static int closes_a_range(void)
{
	return opens_its_log(false);
}

static void test_a_daemon_is_captured_before_and_after_it_closes_its_files(void **state)
{
	(void)state;
	in_child(closes_in_a_loop);
}

static void test_after_close_range_no_file_of_the_program_gets_a_byte(void **state)
{
	(void)state;
	in_child(closes_a_range);
}

static void test_what_the_program_put_there_is_not_closed_nor_written(void **state)
{
	(void)state;
	in_child(overwrites_it);
	in_child(removes_its_file);
}

static void test_a_limit_of_file_sizes_loses_events_and_is_no_signal(void **state)
{
	(void)state;
	in_child(reaches_its_limit);
	in_child(may_write_no_byte);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_daemon_is_captured_before_and_after_it_closes_its_files),
		cmocka_unit_test(test_after_close_range_no_file_of_the_program_gets_a_byte),
		cmocka_unit_test(test_what_the_program_put_there_is_not_closed_nor_written),
		cmocka_unit_test(test_a_limit_of_file_sizes_loses_events_and_is_no_signal),
	};

	snprintf(path, sizeof(path), "/tmp/ue_captured.%d", (int)getpid());
	snprintf(log_path, sizeof(log_path), "/tmp/ue_log.%d", (int)getpid());
	return cmocka_run_group_tests(tests, NULL, NULL);
}
