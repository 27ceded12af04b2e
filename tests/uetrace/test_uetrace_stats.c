/* SPDX-License-Identifier: MIT */
/*
 * The live table must fit on a terminal of any size, and names in the table must not move the
 * cursor.
 */
#include <sys/ioctl.h>
#include "test.h"

#include "read/tracepoints.h"
#include "summary/summary.h"
#include "util/util.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <termios.h>

#define EVENTS 60

/* Counts one event for each of many names. */
static void fill(struct stats *stats)
{
	struct record record = { .time = 1, .size = 8 };
	int i;

	stats_begin(stats, true);
	stats->begin = 1;
	stats->end = 2000000001;
	for (i = 0; i < EVENTS; i++) {
		char *shown = text("a_name\033[31mlonger_than_its_32_columns_are%d", i);
		struct event event = { .shown = shown };

		stats->sink.event(&stats->sink, &event, &record);
		free(shown);
	}
}

/* Returns the output of two updates of the table on a terminal of this size. */
static char *drawn(unsigned short rows, unsigned short columns, char *buffer, size_t room)
{
	struct winsize size = { .ws_row = rows, .ws_col = columns };
	struct stats stats = { .begin = 0 };
	int fd = posix_openpt(O_RDWR | O_NOCTTY);
	struct pollfd ready = { .fd = fd, .events = POLLIN };
	struct termios raw;
	ssize_t n, got;
	FILE *out;
	int i;

	if (fd < 0)
		skip(); /* /dev/pts does not exist, as in some containers */
	fill(&stats);
	assert_true(grantpt(fd) == 0 && unlockpt(fd) == 0);
	out = fopen(ptsname(fd), "w");
	assert_non_null(out);
	assert_int_equal(tcgetattr(fileno(out), &raw), 0);
	cfmakeraw(&raw);
	assert_int_equal(tcsetattr(fileno(out), TCSANOW, &raw), 0);
	assert_int_equal(ioctl(fileno(out), TIOCSWINSZ, &size), 0);
	for (i = 0; i < 2; i++) {
		stats_table(&stats, out, true);
		for (n = 0; poll(&ready, 1, 0) > 0; n += got) {
			got = read(fd, buffer + n, room - 1 - (size_t)n);
			assert_true(got > 0);
		}
		buffer[n] = '\0';
	}
	stats.sink.free(&stats.sink);
	fclose(out);
	close(fd);
	return buffer;
}

static void check(unsigned short rows, unsigned short columns)
{
	char buffer[8192], *rest = drawn(rows, columns, buffer, sizeof(buffer)), *line, up[32];
	unsigned int lines = 0;

	assert_non_null(strstr(rest, "\033[J"));
	snprintf(up, sizeof(up), "\033[%uA\033[J", rows - 1);
	assert_int_equal(strncmp(rest, up, strlen(up)), 0);
	rest += strlen(up);
	while ((line = strsep(&rest, "\n")) && rest) {
		assert_true(strlen(line) < columns);
		assert_null(strchr(line, '\033'));
		lines++;
	}
	assert_int_equal(lines, rows - 1);
}

TEST(test_table_fits)
{
	check(24, 80);
	check(24, 200);
	check(50, 98);
	check(10, 40);
	check(3, 10);
}

TEST(test_columns)
{
	char buffer[8192];

	drawn(24, 80, buffer, sizeof(buffer));
	/* a long name is printed in full, followed by the columns for which the line has space */
	assert_non_null(strstr(buffer, "   COUNT     RATE/s        BYTES\n"));
	assert_non_null(
		strstr(buffer, "\na_name?[31mlonger_than_its_32_columns_are10          1 "));
	drawn(24, 120, buffer, sizeof(buffer));
	assert_non_null(strstr(buffer, "  MAX GAP\n"));
	assert_non_null(strstr(buffer, "         -\n"));
}

static const char format[] = "name: P_L4K1\nID: 7\nformat:\n"
			     "\tfield:u8 eventheader_flags;\toffset:8;\tsize:1;\tsigned:0;\n"
			     "\tfield:u8 version;\toffset:9;\tsize:1;\tsigned:0;\n"
			     "\tfield:u16 id;\toffset:10;\tsize:2;\tsigned:0;\n"
			     "\tfield:u16 tag;\toffset:12;\tsize:2;\tsigned:0;\n"
			     "\tfield:u8 opcode;\toffset:14;\tsize:1;\tsigned:0;\n"
			     "\tfield:u8 level;\toffset:15;\tsize:1;\tsigned:0;\n";

static void write_named(struct stats *stats, struct event *event, const char *name, uint64_t time)
{
	unsigned char bytes[64] = { [8] = 6, [15] = 4, [18] = 1 };
	struct record record = { .time = time, .data = bytes, .size = 21 + strlen(name) };

	bytes[16] = (unsigned char)(strlen(name) + 1);
	strcpy((char *)bytes + 20, name);
	stats->sink.event(&stats->sink, event, &record);
}

/* Each EventHeader event has its own row, even if several events share a tracepoint. */
TEST(test_a_row_for_each_name)
{
	struct event info = { .system = "user_events", .name = "P_L4K1", .shown = "P_L4K1" };
	struct event error = { .system = "user_events", .name = "P_L2K1", .shown = "P_L2K1" };
	struct stats stats = { .begin = 0 };
	char *table = NULL;
	size_t size;
	FILE *out = open_memstream(&table, &size);

	info.format_text = error.format_text = (char *)(uintptr_t)format;
	event_decode(&info);
	event_decode(&error);
	assert_true(info.eventheader);
	stats_begin(&stats, false);
	write_named(&stats, &info, "Done", 1000);
	write_named(&stats, &info, "Begun", 2000);
	write_named(&stats, &error, "Done", 5000);
	write_named(&stats, &info, "Done", 6000);
	stats_table(&stats, out, false);
	fclose(out);
	assert_non_null(strstr(table, "\nP:Done                                    3 "));
	assert_non_null(strstr(table, "\nP:Begun                                   1 "));
	assert_int_equal(stats.row_count, 2);
	assert_int_equal(stats.begin, 1000);
	assert_int_equal(stats.end, 6000);
	assert_non_null(strstr(table, "1.0us     2.5us     4.0us\n"));
	free(table);
	stats.sink.free(&stats.sink);
	event_forget(&info);
	event_forget(&error);
}

/* A signal must end the loop even if the input never ends. */
TEST(test_signal_ends_an_endless_loop)
{
	const struct timespec wait = { .tv_nsec = 100000000 };
	uint64_t begin = now();
	int status = 0;
	pid_t child = fork();

	if (!child) {
		interruptible();
		for (;;)
			;
	}
	nanosleep(&wait, NULL);
	while (waitpid(child, &status, WNOHANG) == 0 && now() - begin < 60000000000u) {
		kill(child, SIGTERM); /* the time limit starts at the first signal */
		nanosleep(&wait, NULL);
	}
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
}

TESTS_MAIN
