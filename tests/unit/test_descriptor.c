/* SPDX-License-Identifier: MIT */
/*
 * Tests the library's file descriptors in a program that uses descriptors of its own: their
 * numbers, the checks before each use, and reopening.
 *
 * The descriptors are real. This file simulates the kernel's side: a file in /tmp stands in for
 * user_events_data, and all events are enabled as if by a tracer. Each event writes its own number,
 * so that a write with another event's index is detected.
 *
 * tests/fake_kernel cannot be used. Its descriptors are numbers that no system call accepts, so
 * close(), dup2(), fork() and resource limits of the program do not affect them. It also blocks
 * signals during a call, which the sandboxes in this file forbid.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#include "test.h"

enum { FILES = 1024, INDEXES = 256, EVENTS = 4 };

static int open_errno;	   /* errno with which the next open() fails */
static int ioctl_errno;	   /* errno with which the next registration fails */
static bool ioctls_fail;   /* all later ioctl() calls fail with EMFILE */
static int closed_at_once; /* number of files closed by another thread before they are moved */
static void (*within_open)(void), (*within_ioctl)(uintptr_t word);
static unsigned int foreign; /* number of calls on descriptors that the library does not own */
static unsigned int ioctls, opens, closes, recorded[EVENTS], unknown, wrong;

/*
 * Number of files opened, and number of events in the current file. The file offset encodes both:
 * file number times INDEXES, plus the number of events.
 */
static unsigned int files;
static unsigned int registered[FILES][INDEXES]; /* event number; EVENTS: any other event */
/* Registered enable words. The kernel keeps them registered even if their file is closed. */
static uintptr_t words[INDEXES];

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

static int fail_with(int error)
{
	errno = error;
	return -1;
}

static const char *path_of_a_fifo; /* path of a FIFO to open instead of user_events_data */
static const char *mount_point;	   /* path of the only tracefs mount */
static int mounts = -1;		   /* fd of /proc/self/mounts while it is open */

static int open_mounts(void)
{
	int ends[2];

	if (pipe(ends) < 0)
		return -1;
	dprintf(ends[1], "none %s tracefs rw 0 0\n", mount_point);
	close(ends[1]);
	return mounts = ends[0];
}

static int my_open(const char *path, int flags)
{
	int fd;

	opens++;
	if (within_open)
		within_open();
	if (mount_point && strcmp(path, "/proc/self/mounts") == 0)
		return open_mounts();
	if (mount_point && strncmp(path, mount_point, strlen(mount_point)) != 0)
		return fail_with(ENOENT);
	if (!strstr(path, "user_events_data") || open_errno)
		return fail_with(open_errno ? open_errno : ENOENT);
	fd = open(path_of_a_fifo ? path_of_a_fifo : data_path(), flags);
	if (fd >= 0)
		lseek(fd, (off_t)(++files % FILES) * INDEXES, SEEK_SET);
	if (fd >= 0 && closed_at_once && closed_at_once--)
		close(fd);
	return fd;
}

static int my_close(int fd)
{
	closes++;
	foreign += !is_data(fd) && fd != mounts;
	if (fd == mounts)
		mounts = -1;
	return close(fd);
}

static ssize_t my_read(int fd, void *buffer, size_t size)
{
	return read(fd, buffer, size);
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

/* Replaces FROM in the list of enable words. Returns false if FROM is not in the list. */
static bool exchange_word(uintptr_t from, uintptr_t to)
{
	for (size_t i = 0; i < INDEXES; i++) {
		if (words[i] == from) {
			words[i] = to;
			return true;
		}
	}
	return false;
}

static unsigned int number_of(const char *spec)
{
	static const char *const names[EVENTS] = { "number_zero", "number_one", "number_two",
						   "number_three" };
	unsigned int i = 0;

	while (i < EVENTS && strncmp(spec, names[i], strcspn(spec, " ")) != 0)
		i++;
	return i;
}

static int my_ioctl(int fd, unsigned long request, void *argument)
{
	struct registration *r = (struct registration *)argument;
	struct unregistration *u = (struct unregistration *)argument;
	uintptr_t word;
	off_t at;

	ioctls++;
	if (within_ioctl)
		within_ioctl((uintptr_t)r->address);
	if (fcntl(fd, F_GETFD) < 0)
		return -1;
	if (!is_data(fd)) {
		foreign++;
		return fail_with(ENOTTY);
	}
	if ((request & 0xff) == 2) {
		word = (uintptr_t)u->address;
		if (!exchange_word(word, 0))
			return fail_with(ENOENT);
		__atomic_fetch_and((uint32_t *)word, ~1u, __ATOMIC_RELAXED);
		if (within_ioctl)
			within_ioctl(word);
		return 0;
	}
	if (ioctl_errno) {
		int error = ioctl_errno;

		ioctl_errno = 0;
		return fail_with(error);
	}
	if (ioctls_fail)
		return fail_with(EMFILE);
	word = (uintptr_t)r->address;
	if (exchange_word(word, word))
		return fail_with(
			EADDRINUSE); /* the word outlives the file with which it was registered */
	exchange_word(0, word);
	at = lseek(fd, 0, SEEK_CUR);
	registered[at / INDEXES][at % INDEXES] = number_of((const char *)(uintptr_t)r->name);
	r->index = (uint32_t)(at % INDEXES);
	lseek(fd, 1, SEEK_CUR);
	__atomic_fetch_or((uint32_t *)word, 1u, __ATOMIC_RELAXED);
	return 0;
}

static struct ue_event *event_of(uint32_t number);
static bool raw;		  /* a tracer has detached; only write() is allowed */
static void (*meanwhile)(int fd); /* called before the next write(), in place of another thread */

static ssize_t my_write(int fd, const void *bytes, size_t size)
{
	struct {
		uint32_t index, number;
	} event;
	off_t at;

	if (meanwhile) {
		void (*function)(int) = meanwhile;

		meanwhile = NULL;
		function(fd);
	}
	if (raw) {
		syscall(SYS_write, fd, bytes, 0);
		return fail_with(size ? EBADF : EFAULT);
	}
	if (!is_data(fd)) {
		foreign += fcntl(fd, F_GETFD) >= 0;
		return write(fd, bytes, size);
	}
	if (size == 0)
		return fail_with(EFAULT);
	if (size != sizeof(event))
		return fail_with(EINVAL);
	memcpy(&event, bytes, sizeof(event));
	at = lseek(fd, 0, SEEK_CUR);
	if (at < 0)
		return -1; /* another thread has closed the file */
	if ((int32_t)event.index < 0)
		return fail_with(EINVAL);
	if (event.index >= (uint32_t)(at % INDEXES)) {
		unknown++;
		return fail_with(ENOENT);
	}
	if (registered[at / INDEXES][event.index] != event.number)
		wrong++;
	__atomic_fetch_add(&recorded[event.number], 1, __ATOMIC_RELAXED);
	return (ssize_t)size;
}

#define UE__KERNEL_FDS
#define UE_SYS_OPEN(path, flags) my_open(path, flags)
#define UE_SYS_CLOSE(fd) my_close(fd)
#define UE_SYS_READ(fd, buffer, size) my_read(fd, buffer, size)
#define UE_SYS_IOCTL(fd, request, argument) my_ioctl(fd, request, argument)
#define UE_SYS_WRITE(fd, buffer, size) my_write(fd, buffer, size)
#include <user_events.h>

UE_TRACEPOINT(number_zero, UE_U32(x));
UE_TRACEPOINT(number_one, UE_U32(x));
static struct ue_event number_two, number_three; /* run-time events, which have their own files */

static struct ue_event *event_of(uint32_t number)
{
	static struct ue_event *events[EVENTS] = { NULL, NULL, &number_two, &number_three };

	if (!events[1]) {
		events[0] = ue_event_find("number_zero", NULL);
		events[1] = ue_event_find("number_one", NULL);
	}
	return events[number];
}

static struct rlimit limit_now(void)
{
	struct rlimit limit;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	return limit;
}

static int set_up(void **state)
{
	struct rlimit limit;

	(void)state;
	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = 1024;
	setrlimit(RLIMIT_NOFILE, &limit);
	open_errno = 0;
	ue_unregister_all();
	close(ue_status().fd); /* close the file, so that the next one is opened below this limit */
	if (!ue__state_v1.path[0])
		ue__state_v1.fd = 0; /* the program passed this fd with ue_use_fd() */
	foreign = unknown = wrong = ioctls = 0;
	memset(recorded, 0, sizeof(recorded));
	if (ue_register_all())
		return -1;
	event_of(0);
	return 0;
}

static void register_own(void)
{
	assert_int_equal(ue_event_register(&number_two, "number_two u32 x", 0), 0);
	assert_int_equal(ue_event_register(&number_three, "number_three u32 x", 0), 0);
}

/* Stores the fds that the library has open in FDS. Returns their number. */
static unsigned int data_files(int fds[8])
{
	unsigned int n = 0;

	for (int fd = 3; fd < 4096 && n < 8; fd++) {
		if (is_data(fd))
			fds[n++] = fd;
	}
	return n;
}

/*
 * Registers the run-time events, then closes their files and the shared file. Stores the closed fds
 * in FDS.
 */
static void close_three(int fds[8])
{
	register_own();
	assert_int_equal(data_files(fds), 3);
	for (int i = 0; i < 3; i++)
		close(fds[i]);
}

static uint64_t lost_before;

static uint64_t lost(void)
{
	return ue_status().lost - lost_before;
}

/* Writes both declared events N times. */
static void write_both(unsigned int n)
{
	lost_before = ue__state_v1.lost;
	while (n--) {
		trace_number_zero(0);
		trace_number_one(1);
	}
}

static void write_own(unsigned int n)
{
	uint32_t two = 2, three = 3;

	while (n--) {
		ue_event_write(&number_two, &two, 4);
		ue_event_write(&number_three, &three, 4);
	}
}

/* ---- Numbers ---- */

TEST_SETUP(test_the_library_uses_a_high_descriptor, set_up)
{
	struct rlimit limit = limit_now();
	int fds[8];

	register_own();
	assert_int_equal(data_files(fds), 3);
	for (int i = 0; i < 3; i++) {
		assert_in_range(fds[i], 896, 1023);
		assert_int_equal(fcntl(fds[i], F_GETFD), FD_CLOEXEC);
		assert_int_equal(fcntl(fds[i], F_GETFL) & O_ACCMODE, O_WRONLY);
	}
	/* registration must not change the limits */
	assert_int_equal(limit_now().rlim_cur, limit.rlim_cur);
	assert_int_equal(limit_now().rlim_max, limit.rlim_max);
	assert_int_equal(foreign, 0);
}

TEST_SETUP(test_unregistering_a_run_time_event_closes_its_file, set_up)
{
	int fds[8];

	register_own();
	assert_int_equal(ue_event_unregister(&number_two), 0);
	assert_int_equal(data_files(fds), 2);
	assert_int_equal(ue_event_unregister(&number_three), 0);
	assert_int_equal(data_files(fds), 1);
	assert_int_equal(fds[0], ue_status().fd);
	/* ue_unregister_all() also unregisters run-time events. It keeps the shared file open. */
	register_own();
	ue_unregister_all();
	assert_int_equal(data_files(fds), 1);
	assert_int_equal(fds[0], ue_status().fd);
	assert_int_equal(foreign, 0);
}

/* If the limit is 1024, 128 descriptors are available for files. Further events share one file. */
TEST_SETUP(test_the_hundredth_run_time_event_costs_as_much_as_the_first, set_up)
{
	static struct ue_event events[128];
	char spec[32];

	opens = closes = 0;
	for (unsigned int i = 0; i < 128; i++) {
		snprintf(spec, sizeof(spec), "one_of_many_%u u32 x", i);
		assert_int_equal(ue_event_register(&events[i], spec, 0), 0);
	}
	assert_int_equal(opens, 128);
	assert_int_equal(closes, 128);
	assert_int_not_equal(events[126].fd, 0);
	assert_int_equal(events[127].fd, 0);
	/* the library uses a freed descriptor again */
	assert_int_equal(ue_event_unregister(&events[0]), 0);
	assert_int_equal(ue_event_unregister(&events[127]), 0);
	assert_int_equal(ue_event_register(&events[127], spec, 0), 0);
	assert_int_not_equal(events[127].fd, 0);
	ue_unregister_all();
	assert_int_equal(foreign, 0);
}

static unsigned int state_meanwhile;

static void see_the_state(void)
{
	state_meanwhile = number_two.state;
}

/*
 * The event must not be marked as listed while its own file is being opened. Otherwise, a writer
 * would use the event's index with the shared file.
 */
TEST_SETUP(test_hooks_see_an_event_after_its_file_is_set, set_up)
{
	within_open = see_the_state;
	assert_int_equal(ue_event_register(&number_two, "number_two u32 x", 0), 0);
	within_open = NULL;
	assert_int_equal(state_meanwhile & UE__LISTED, 0);
	assert_true(number_two.state & UE__LISTED);
}

/* ---- Files closed by the program ---- */

TEST_SETUP(test_a_closed_file_is_reopened_and_lost_events_are_counted, set_up)
{
	int fd = ue_status().fd;

	close(fd);
	write_both(10);
	assert_int_equal(lost(), 1);
	assert_int_equal(recorded[0], 9);
	assert_int_equal(recorded[1], 10);
	assert_int_equal(unknown + wrong, 0);
	assert_in_range(ue_status().fd, 896, 1023);
	assert_int_equal(ue_status().failed, 0);
	assert_int_equal(foreign, 0);
}

TEST_SETUP(test_events_whose_own_files_are_closed_share_the_common_one, set_up)
{
	int fds[8];

	close_three(fds);
	write_own(10);
	write_both(10);
	/* the first write detects that all files are closed */
	assert_int_equal(recorded[2], 9);
	for (int i = 0; i < EVENTS; i++)
		assert_in_range(recorded[i], 9, 10);
	assert_int_equal(data_files(fds), 1);
	assert_int_equal(unknown + wrong + foreign, 0);
	assert_int_equal(ue_status().failed, 0);
	/* the same applies if only the files of run-time events are closed */
	assert_int_equal(ue_event_unregister(&number_two), 0);
	assert_int_equal(ue_event_register(&number_two, "number_two u32 x", 0), 0);
	close(number_two.fd - 1);
	write_own(2);
	assert_int_equal(recorded[2], 10);
	assert_int_equal(recorded[3], 12);
	assert_int_equal(unknown + wrong + foreign, 0);
}

/*
 * The new fd must not have the number of a lost fd, because a thread may be about to write to the
 * old fd with an old index. Also, another library may reopen its file after this one and get a
 * number next to the lost fds.
 */
TEST_SETUP(test_a_reopened_file_never_gets_a_lost_descriptor_number, set_up)
{
	static const rlim_t limits[] = { 1024, 64 };
	struct rlimit limit = limit_now();

	for (int i = 0; i < 2; i++) {
		int half = (int)limits[i] / 16, first = (int)limits[i] - 2 * half;

		limit.rlim_cur = limits[i];
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
		close(ue_status().fd);
		for (int k = 0; k < 4; k++) {
			int before = ue_status().fd;

			close(before);
			write_both(1);
			assert_int_not_equal((before - first) / half,
					     (ue_status().fd - first) / half);
			assert_in_range(ue_status().fd, first, limits[i] - 1);
		}
	}
	assert_int_equal(unknown + wrong + foreign, 0);
}

static bool has_word(struct ue_event *event)
{
	return exchange_word((uintptr_t)&event->enabled, (uintptr_t)&event->enabled);
}

/*
 * If the library did not unregister the word, the kernel would write to memory that the program has
 * reused.
 */
TEST_SETUP(test_events_are_unregistered_even_if_the_files_were_closed, set_up)
{
	int fds[8];

	close_three(fds);
	assert_true(has_word(&number_two));
	assert_int_equal(ue_event_unregister(&number_two), 0);
	assert_false(has_word(&number_two));
	for (unsigned int i = data_files(fds); i-- > 0;)
		close(fds[i]);
	assert_true(has_word(&number_three) && has_word(event_of(0)));
	ue_unregister_all();
	assert_false(has_word(&number_three) || has_word(event_of(0)) || has_word(event_of(1)));
	assert_int_equal(foreign, 0);
}

/*
 * If the word stayed registered, a tracer that attaches later would make the kernel write to freed
 * memory.
 */
TEST_SETUP(test_an_event_can_be_unregistered_with_its_own_file, set_up)
{
	register_own();
	close(ue_status().fd);
	open_errno = EACCES;
	assert_int_equal(ue_event_unregister(&number_two), 0);
	assert_false(has_word(&number_two));
	assert_true(has_word(&number_three));
	ue_unregister_all();
	assert_false(has_word(&number_three));
	assert_int_equal(foreign, 0);
}

/*
 * The kernel still writes to the enable word. If the program freed the word, the kernel would
 * corrupt other data.
 */
TEST_SETUP(test_a_failed_unregistration_is_reported, set_up)
{
	int fds[8];

	register_own();
	for (unsigned int i = data_files(fds); i-- > 0;)
		close(fds[i]);
	open_errno = EACCES;
	assert_int_equal(ue_event_unregister(&number_two), -EBADF);
	assert_true(has_word(&number_two));
	open_errno = 0;
	assert_int_equal(ue_event_unregister(&number_two), 0);
	assert_false(has_word(&number_two));
	assert_int_equal(foreign, 0);
}

/* Declares many events, eight on each line. */
#define EIGHT(n)               \
	UE_TRACE(many_##n##0); \
	UE_TRACE(many_##n##1); \
	UE_TRACE(many_##n##2); \
	UE_TRACE(many_##n##3); \
	UE_TRACE(many_##n##4); \
	UE_TRACE(many_##n##5); \
	UE_TRACE(many_##n##6); \
	UE_TRACE(many_##n##7)

static void many_events(void)
{
	EIGHT(a);
	EIGHT(b);
	EIGHT(c);
	EIGHT(d);
	EIGHT(e);
	EIGHT(f);
	EIGHT(g);
	EIGHT(h);
}

TEST_SETUP(test_reopening_takes_two_ioctls_per_event, set_up)
{
	unsigned int declared = ue_status().declared;

	assert_true(declared >= 66);
	if (ioctls == 1) /* never true, but prevents the compiler from removing the sites */
		many_events();
	close(ue_status().fd);
	ioctls = 0;
	write_both(1);
	assert_int_equal(recorded[1], 1);
	assert_in_range(ioctls, declared, 2 * declared);
	ioctls = 0;
	write_both(10);
	assert_int_equal(ioctls, 0);
	assert_int_equal(ue_status().registered, declared);
}

TEST_SETUP(test_an_event_that_cannot_be_registered_again_is_retried, set_up)
{
	close(ue_status().fd);
	ioctl_errno = EBADF; /* another thread has closed the new file too */
	write_both(5);
	assert_int_equal(ioctl_errno, 0);
	assert_int_equal(recorded[0] + recorded[1] + lost(), 10);
	assert_in_range(lost(), 1, 3);
	assert_int_equal(ue_status().error, 0);
	assert_int_equal(ue_status().registered, ue_status().declared);
	/* ue_register_all() reports the failure until it succeeds */
	close(ue_status().fd);
	ioctl_errno = EMFILE;
	assert_int_equal(ue_register_all(), -EMFILE);
	assert_int_equal(ue_register_all(), 0);
	assert_int_equal(unknown + wrong + foreign, 0);
}

static int error_meanwhile;

static void see_the_error(void)
{
	error_meanwhile = ue__state_v1.reopen_error;
}

/*
 * While the library reopens the file, reopen_error is not 0. For a child forked during this time,
 * it is the only indication that events are not registered.
 */
TEST_SETUP(test_events_count_as_unregistered_during_reopening, set_up)
{
	close(ue_status().fd);
	within_open = see_the_error;
	write_both(1);
	within_open = NULL;
	assert_int_equal(error_meanwhile, -EBADF);
	assert_int_equal(ue__state_v1.reopen_error, 0);
}

static unsigned int written;

static void write_within(uintptr_t word)
{
	(void)word;
	written++;
	trace_number_one(1);
}

TEST_SETUP(test_events_written_during_reopening_are_counted, set_up)
{
	lost_before = ue__state_v1.lost;
	written = 1;
	close(ue_status().fd);
	within_ioctl = write_within;
	trace_number_one(1);
	within_ioctl = NULL;
	assert_true(written > 2);
	assert_int_equal(recorded[1] + lost(), written);
}

static unsigned int children;

/*
 * Forks while another thread reopens the file. The child may lose at most 1024 events, and must
 * count them.
 */
static void fork_a_child(uintptr_t word)
{
	int status = -1;
	pid_t child;

	(void)word;
	/* the parent and the child share the file offset, and therefore the index */
	if (ioctls != 33 && ioctls != 97)
		return;
	child = fork();
	if (child == 0) {
		within_ioctl = NULL;
		for (int i = 0; i < 1024; i++)
			trace_number_one(1);
		recorded[1] = 0;
		trace_number_one(1);
		_exit(recorded[1] != 1 || wrong + foreign || ue_status().error);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	children++;
}

TEST_SETUP(test_a_child_forked_during_reopening_recovers, set_up)
{
	children = ioctls = 0;
	close(ue_status().fd);
	within_ioctl = fork_a_child;
	trace_number_one(1);
	within_ioctl = NULL;
	assert_int_equal(children, 2);
}

/*
 * fork() copies the fds before the memory. In between, another thread may open a file and store its
 * fd. In the child, this fd is closed or refers to another file.
 */
TEST_SETUP(test_a_child_does_not_use_a_descriptor_copied_without_its_file, set_up)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int i = 0; i < 2; i++) {
		register_own();
		close(number_two.fd - 1);
		if (i == 1)
			assert_int_equal(dup2(null, number_two.fd - 1), number_two.fd - 1);
		number_two.state = UE__LISTED;
		number_two.index = 0;
		assert_int_equal(ue_register_all(), 0);
		write_own(1);
		assert_int_equal(recorded[2], i + 1);
		ue_unregister_all();
		assert_int_equal(foreign, 0);
		assert_int_equal(ue_register_all(), 0);
	}
	close(null);
}

/* fork() copies the lock while it is held by a thread that does not exist in the child. */
TEST_SETUP(test_an_event_reopens_the_file_despite_a_lost_lock, set_up)
{
	close(ue_status().fd);
	ue__state_v1.lock = 0x3ffffff0;
	write_both(2);
	assert_int_equal(ue__state_v1.lock, 0);
	assert_int_equal(lost(), 1);
	/* a signal handler may interrupt the thread that holds the lock */
	close(ue_status().fd);
	ue__state_v1.lock = (int)syscall(SYS_gettid);
	write_both(2);
	assert_int_equal(ue__state_v1.lost - lost_before, 4);
	ue__state_v1.lock = 0;
	write_both(2);
	assert_int_equal(lost(), 1);
}

TEST_SETUP(test_a_reused_descriptor_number_is_never_touched, set_up)
{
	int fd = ue_status().fd, other = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct stat status;

	assert_true(other >= 0);
	assert_int_equal(dup2(other, fd), fd);
	assert_true(ue_status().fd != fd);
	write_both(1);
	assert_int_equal(recorded[0] + recorded[1], 2);
	assert_int_equal(dup2(other, ue_status().fd), ue_status().fd);
	ue_unregister_all();
	assert_int_equal(fstat(fd, &status), 0);
	assert_true(S_ISCHR(status.st_mode));
	assert_int_equal(foreign, 0);
	close(fd);
	close(other);
}

TEST_SETUP(test_a_reused_number_of_a_run_time_event_is_never_touched, set_up)
{
	int fds[8], other = open("/dev/null", O_RDWR | O_CLOEXEC);

	register_own();
	assert_int_equal(data_files(fds), 3);
	for (int i = 0; i < 3; i++)
		assert_int_equal(dup2(other, fds[i]), fds[i]);
	ue_status();
	write_own(1);
	assert_int_equal(recorded[2] + recorded[3], 2);
	assert_int_equal(ue_event_unregister(&number_two), 0);
	ue_unregister_all();
	assert_int_equal(foreign, 0);
	for (int i = 0; i < 3; i++)
		assert_int_equal(close(fds[i]), 0);
	close(other);
}

TEST_SETUP(test_a_failed_reopening_is_reported_and_retried, set_up)
{
	close(ue_status().fd);
	open_errno = EACCES;
	write_both(50);
	assert_int_equal(lost(), 100);
	assert_int_equal(ue_status().fd, -1);
	assert_int_equal(ue_status().error, -EBADF);
	assert_non_null(strstr(ue_status().message, "the program closed the fd"));
	assert_non_null(strstr(ue_status().message, "no permission"));
	/* retries become less frequent, but occur at least once per 1024 lost events */
	opens = 0;
	write_both(4096);
	assert_in_range(opens, 8192 / 1024, 8192 / 1024 + 13);
	open_errno = 0;
	write_both(550);
	assert_true(recorded[0] > 20 && recorded[1] > 20);
	assert_int_equal(unknown + wrong + foreign, 0);
	assert_int_equal(ue_status().error, 0);
	assert_in_range(ue_status().fd, 896, 1023);
}

TEST_SETUP(test_failed_registrations_are_retried_as_rarely, set_up)
{
	close(ue_status().fd);
	ioctls_fail = true;
	write_both(1);
	ioctls = 0;
	write_both(4096);
	assert_in_range(ioctls, 8 * ue_status().declared, 18 * ue_status().declared);
	ioctls_fail = false;
	write_both(1024);
	assert_int_equal(ue_status().error, 0);
	write_both(1);
	assert_true(recorded[0] && recorded[1]);
}

TEST_SETUP(test_a_file_closed_before_it_is_moved_is_reopened, set_up)
{
	close(ue_status().fd);
	closed_at_once = 2;
	write_both(2);
	assert_int_equal(closed_at_once, 0);
	assert_int_equal(lost(), 1);
	assert_int_equal(foreign, 0);
	assert_int_equal(ue_status().error, 0);
}

/* Simulates a chroot() in which the path is a FIFO. Opening the FIFO would wait for a reader. */
TEST_SETUP(test_a_fifo_in_place_of_the_file_does_not_block_events, set_up)
{
	char path[] = "/tmp/ue-fifo-XXXXXX";

	assert_non_null(mkdtemp(path));
	assert_int_equal(rmdir(path), 0);
	assert_int_equal(mkfifo(path, 0600), 0);
	path_of_a_fifo = path;
	close(ue_status().fd);
	alarm(20);
	write_both(1);
	alarm(0);
	assert_int_equal(ue_status().error, -EBADF);
	assert_non_null(strstr(ue_status().message, "its path leads to another file"));
	path_of_a_fifo = NULL;
	unlink(path);
	assert_int_equal(ue_register_all(), 0);
	write_both(1);
	assert_int_equal(recorded[0] + recorded[1], 2);
}

/*
 * In the reopened file, indexes start at 0 again, and events that have been unregistered are
 * missing.
 */
TEST_SETUP(test_an_index_is_never_used_with_another_file, set_up)
{
	assert_int_equal(ue_event_unregister(event_of(0)), 0);
	close(ue_status().fd);
	write_both(10);
	assert_int_equal(recorded[0], 0);
	assert_int_equal(recorded[1], 9);
	assert_int_equal(wrong + unknown, 0);
	assert_int_equal(ue_status().failed, 0);
}

static void *writes_one(void *data)
{
	trace_number_one(1);
	return data;
}

/*
 * Closes the file, as a program might do, and writes an event in another thread, which reopens the
 * file.
 */
static void reopen_it(int fd)
{
	pthread_t thread;

	close(fd);
	assert_int_equal(pthread_create(&thread, NULL, writes_one, NULL), 0);
	pthread_join(thread, NULL);
}

/* The list of events has changed, so the events have different indexes in the new file. */
TEST_SETUP(test_a_suspended_writer_never_writes_another_event, set_up)
{
	int fd = ue_status().fd;

	assert_true(event_of(0)->index < event_of(1)->index);
	assert_int_equal(ue_event_unregister(event_of(0)), 0);
	meanwhile = reopen_it;
	trace_number_one(1);
	trace_number_one(1);
	assert_int_equal(wrong, 0);
	assert_in_range(recorded[1], 1, 2);
	assert_true(ue_status().fd != fd);
	assert_int_equal(foreign, 0);
}

TEST_SETUP(test_a_child_opens_its_own_file, set_up)
{
	int fd = ue_status().fd, status = -1;
	pid_t child;

	child = fork();
	if (child == 0) {
		close(fd);
		write_both(10);
		_exit(recorded[1] == 10 && ue_status().fd >= 896 && !foreign ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	write_both(1);
	assert_int_equal(recorded[1], 1);
}

static bool stop;

static void *writes(void *data)
{
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		trace_number_zero(0);
		trace_number_one(1);
		__atomic_fetch_add(&written, 2, __ATOMIC_RELAXED);
	}
	return data;
}

TEST_SETUP(test_threads_write_while_the_file_is_closed_and_reopened, set_up)
{
	pthread_t threads[4];

	written = 0;
	lost_before = ue__state_v1.lost;
	__atomic_store_n(&stop, false, __ATOMIC_RELAXED);
	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, writes, NULL), 0);
	for (int i = 0; i < 50; i++) {
		close(ue_status().fd);
		usleep(500);
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(ue_status().failed, 0);
	assert_int_equal(wrong, 0);
	/*
	 * a thread that is suspended while the file is reopened twice cannot distinguish this from
	 * a detached tracer
	 */
	assert_in_range(recorded[0] + recorded[1] + lost(), written - 3, written);
	assert_in_range(ue_status().fd, 896, 1023);
	write_both(1);
	assert_int_equal(lost(), 0);
}

/* ---- Files that cannot be opened ---- */

/*
 * Installs a seccomp filter, as sandboxes do, with one action for CALLS and another for all other
 * calls.
 */
static int filter(const int *calls, size_t n, unsigned int with_calls, unsigned int with_others)
{
	struct sock_filter code[40] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	};
	struct sock_fprog program = { 0, code };
	size_t i, k = 1;

	for (i = 0; i < n; i++) {
		code[k++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
							 (unsigned int)calls[i], 0, 1);
		code[k++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, with_calls);
	}
	code[k++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, with_others);
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
	errno = 0;
	trace_number_zero(0);
	trace_number_zero(0);
	if (recorded[0] != 2 || errno || foreign || ue_status().fd < least ||
	    ue_status().fd >= most)
		return 5;
	if (ue_event_register(&number_two, "number_two u32 x", 0) != 0)
		return 6;
	write_own(1);
	return recorded[2] == 1 && !foreign && !wrong ? 0 : 7;
}

/* Closes the library's file, so that the next event reopens it under the conditions of the test. */
static void close_it(void)
{
	ue_unregister_all();
	close(ue_status().fd);
}

static int in_a_sandbox(void)
{
	static const int calls[] = { SYS_prlimit64, SYS_clone, SYS_statx, SYS_prctl };

	close_it();
	if (filter(calls, 4, SECCOMP_RET_ERRNO | EPERM, SECCOMP_RET_ALLOW))
		return 77;
	return registers_and_writes(3, 1024);
}

/*
 * Allows the system calls listed in docs/kernel.md and those of malloc() and this test. Any other
 * call kills the process.
 */
static int with_the_listed_calls_alone(void)
{
#if defined(SYS_newfstatat) && !defined(SYS_fcntl64) && !defined(__SANITIZE_ADDRESS__)
	static const int calls[] = { SYS_gettid, SYS_openat,	SYS_prlimit64,	SYS_fcntl,
				     SYS_close,	 SYS_fstat,	SYS_newfstatat, SYS_ioctl,
				     SYS_write,	 SYS_writev,	SYS_brk,	SYS_mmap,
				     SYS_lseek,	 SYS_exit_group };

	close_it();
	if (filter(calls, sizeof(calls) / sizeof(calls[0]), SECCOMP_RET_ALLOW,
		   SECCOMP_RET_KILL_PROCESS))
		return 77;
	return registers_and_writes(896, 1024);
#else
	return 77; /* this machine uses other calls, or the sanitizer makes more */
#endif
}

static int with_low_limits(void)
{
	struct rlimit limit = { 64, 64 };

	close_it();
	if (setrlimit(RLIMIT_NOFILE, &limit) || (getuid() == 0 && setuid(65534)))
		return 77;
	return registers_and_writes(56, 64);
}

static int with_high_limits(void)
{
	static const struct rlimit limit = { 100000, 100000 };

	close_it();
	if (setrlimit(RLIMIT_NOFILE, &limit))
		return 77;
	return registers_and_writes(3584, 4096);
}

/* fork() copies the descriptor table up to the highest open descriptor. */
static int events_come_and_go(void)
{
	struct rlimit limit = limit_now();

	close_it();
	limit.rlim_cur = limit.rlim_max;
	if (limit.rlim_max < 8192 || setrlimit(RLIMIT_NOFILE, &limit))
		return 77;
	for (int i = 0; i < 20000; i++) {
		if (ue_event_register(&number_two, "number_two u32 x", 0) != 0 ||
		    number_two.fd > 4096)
			return 2;
		ue_event_unregister(&number_two);
	}
	return 0;
}

/*
 * The program uses up all high descriptors. The shared file therefore gets a low one, and the
 * run-time event uses the shared file.
 */
static int with_all_high_numbers_taken(void)
{
	int null = open("/dev/null", O_RDWR), fds[8];

	close_it();
	while (fcntl(null, F_DUPFD, 896) >= 0)
		;
	if (registers_and_writes(3, 896) != 0)
		return 2;
	return data_files(fds) == 1 ? 0 : 3;
}

static int with_all_high_numbers_taken_and_tracefs_elsewhere(void)
{
	mount_point = "/mnt/trace";
	close_it();
	ue__state_v1.fd = 0; /* the library must open the file again */
	return with_all_high_numbers_taken();
}

static int given_with_all_high_numbers_taken(void)
{
	int null = open("/dev/null", O_RDWR);

	close_it();
	while (fcntl(null, F_DUPFD, 896) >= 0)
		;
	if (ue_use_fd(open(data_path(), O_WRONLY)) != 0 || ue_register_all() != 0)
		return 2;
	return ue_status().fd >= 3 && ue_status().fd < 896 ? 0 : 3;
}

static int without_stdio(void)
{
	struct rlimit limit = { 16, 16 };

	close_it();
	if (setrlimit(RLIMIT_NOFILE, &limit))
		return 77;
	for (int fd = 14; fd < 16; fd++) /* the program has used up all high descriptors */
		dup2(2, fd);
	for (int fd = 0; fd < 3; fd++)
		close(fd);
	if (registers_and_writes(3, 16) != 0)
		return 2;
	for (int fd = 0; fd < 3; fd++) {
		if (fcntl(fd, F_GETFD) >= 0)
			return 3;
	}
	return 0;
}

static void in_children(int (*const cases[])(void), size_t n)
{
	chmod(data_path(), 0666);
	for (size_t i = 0; i < n; i++) {
		int status;
		pid_t child;

		fflush(NULL);
		child = fork();
		if (child == 0) {
			alarm(20);
			_exit(cases[i]());
		}
		assert_int_equal(waitpid(child, &status, 0), child);
		/* skip the test if seccomp is unavailable or raising a limit is not permitted */
		if (status == 77 << 8)
			continue;
		if (status)
			fail_msg("case %zu: status %#x", i, (unsigned int)status);
	}
}

TEST_SETUP(test_a_low_descriptor_is_used_if_no_high_one_is_free, set_up)
{
	static int (*const cases[])(void) = { in_a_sandbox,
					      with_low_limits,
					      with_high_limits,
					      events_come_and_go,
					      with_all_high_numbers_taken,
					      with_all_high_numbers_taken_and_tracefs_elsewhere,
					      given_with_all_high_numbers_taken,
					      without_stdio };

	in_children(cases, sizeof(cases) / sizeof(cases[0]));
}

TEST_SETUP(test_only_the_documented_system_calls_are_made, set_up)
{
	static int (*const cases[])(void) = { with_the_listed_calls_alone };

	in_children(cases, 1);
}

static int writes_in_a_strict_sandbox(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 1, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL),
	};
	struct sock_fprog program = { sizeof(code) / sizeof(code[0]), code };
	size_t lost_now = ue__state_v1.lost, failed = ue__state_v1.failed;

	raw = true;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return 77;
	write_both(10);
	write_own(10);
	return (int)syscall(SYS_exit_group,
			    ue__state_v1.lost != lost_now || ue__state_v1.failed != failed);
}

TEST_SETUP(test_a_detaching_tracer_causes_only_write_calls, set_up)
{
	static int (*const cases[])(void) = { writes_in_a_strict_sandbox };

	register_own();
	in_children(cases, 1);
}

/*
 * Registers an event on the stack, a common mistake. When the process exits, the event no longer
 * exists.
 */
static __attribute__((__noinline__)) void register_an_automatic_event(void)
{
	struct ue_event event;

	memset(&event, 0, sizeof(event));
	ue_event_register(&event, "automatic s32 v", 0);
}

static __attribute__((__noinline__)) void overwrite_the_stack(void)
{
	volatile char bytes[4096];

	memset((char *)(uintptr_t)bytes, 0x5a, sizeof(bytes));
}

/*
 * Returns from main() in a seccomp sandbox that permits the listed system calls and kills the
 * process for any other.
 */
static int returns_from_main(void)
{
	static const int calls[] = { SYS_write, SYS_writev, SYS_read, SYS_brk,
				     SYS_mmap,	SYS_munmap, SYS_exit, SYS_exit_group };

	unlink(data_path());
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	(void)register_an_automatic_event, (void)overwrite_the_stack;
	return 0 * calls[0]; /* sanitizers make their own system calls and report the leak */
#else
	register_an_automatic_event();
	overwrite_the_stack();
	return filter(calls, sizeof(calls) / sizeof(calls[0]), SECCOMP_RET_ALLOW,
		      SECCOMP_RET_KILL_PROCESS) == 0
		       ? 0
		       : 77;
#endif
}

static int executes_itself(void)
{
	execl("/proc/self/exe", "test_descriptor", "return", NULL);
	return 2;
}

TEST_SETUP(test_the_library_makes_no_system_call_at_exit, set_up)
{
	static int (*const cases[])(void) = { executes_itself };

	in_children(cases, 1);
}

/* ---- Descriptors passed by the program ---- */

/* Events can be registered through this fd, but every write to it would fail. */
TEST_SETUP(test_a_read_only_descriptor_is_rejected, set_up)
{
	int read_only = open(data_path(), O_RDONLY), both = open(data_path(), O_RDWR);

	assert_true(read_only >= 0 && both >= 0);
	ue_unregister_all();
	assert_int_equal(ue_use_fd(read_only), -EBADF);
	assert_int_equal(close(read_only), 0); /* the program still owns the fd */
	assert_int_equal(ue_use_fd(both), 0);
	assert_int_equal(ue_register_all(), 0);
}

TEST_SETUP(test_a_passed_descriptor_is_moved_and_made_close_on_exec, set_up)
{
	int fd = open(data_path(), O_RDWR), before = ue_status().fd, given;

	lseek(fd, (off_t)(++files % FILES) * INDEXES, SEEK_SET);
	assert_int_equal(ue_use_fd(fd), -EBUSY);
	ue_unregister_all();
	errno = 4711;
	assert_int_equal(ue_use_fd(fd), 0);
	assert_int_equal(errno, 4711);
	given = ue_status().fd;
	assert_in_range(given, 896, 1023);
	assert_true(given == before || !is_data(before)); /* the library closes the previous fd */
	assert_int_equal(fcntl(given, F_GETFD), FD_CLOEXEC);
	assert_int_equal(fcntl(fd, F_GETFD), -1);
	assert_string_equal(ue_status().path, "");
	assert_int_equal(ue_register_all(), 0);
	write_both(1);
	assert_int_equal(recorded[0] + recorded[1], 2);
	/* the library cannot reopen the file */
	close(given);
	write_both(1);
	assert_int_equal(lost(), 2);
	assert_int_equal(ue_status().fd, -1);
	assert_non_null(
		strstr(ue_status().message, "came from ue_use_fd(); call ue_unregister_all()"));
	assert_int_equal(foreign, 0);
	/* but the program can pass another fd, as the message says */
	fd = open(data_path(), O_RDWR);
	lseek(fd, (off_t)(++files % FILES) * INDEXES, SEEK_SET);
	ue_unregister_all();
	assert_int_equal(ue_use_fd(fd), 0);
	assert_int_equal(ue_register_all(), 0);
	write_both(1);
	assert_int_equal(recorded[0] + recorded[1], 4);
	assert_int_equal(ue_status().error, 0);
}

static int given_stdin_without_room(void)
{
	struct rlimit limit = { 0, 0 };

	close_it();
	dup2(open(data_path(), O_WRONLY), 0);
	if (setrlimit(RLIMIT_NOFILE, &limit))
		return 77;
	return ue_use_fd(0) == -EMFILE && is_data(0) ? 0 : 2;
}

TEST_SETUP(test_a_passed_descriptor_stays_if_no_number_is_free, set_up)
{
	static int (*const cases[])(void) = { given_stdin_without_room };

	in_children(cases, 1);
}

TEST_SETUP(test_passing_a_closed_descriptor_keeps_the_current_one, set_up)
{
	int before = ue_status().fd;

	ue_unregister_all();
	assert_int_equal(ue_use_fd(123), -EBADF);
	assert_int_equal(ue_use_fd(-1), -EBADF);
	assert_true(is_data(before));
	assert_int_equal(ue_status().fd, before);
	assert_int_equal(ue_register_all(), 0);
	write_both(1);
	assert_int_equal(recorded[0] + recorded[1], 2);
	assert_int_equal(foreign, 0);
}

int main(int argc, char **argv)
{
	int failed;

	(void)argv;
	if (argc > 1)
		return returns_from_main();
	failed = run_all_tests(NULL, NULL);
	unlink(data_path());
	return failed;
}
