/* SPDX-License-Identifier: MIT */
/* The live table fits onto its terminal, whatever its size, and nothing in it moves the cursor. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../../examples/uetrace/decode.c"
#include "../../examples/uetrace/fields.c"
#include "../../examples/uetrace/print.c"
#include "../../examples/uetrace/stats.c"
#include "../../examples/uetrace/threads.c"
#include "../../examples/uetrace/util.c"

#include <fcntl.h>
#include <poll.h>
#include <termios.h>

#define EVENTS 60

static struct event all[EVENTS], *pointers[EVENTS];

size_t events_list(const struct events *events, struct event ***list)
{
	(void)events;
	*list = pointers;
	return EVENTS;
}

/* What a terminal of this size gets, drawn twice. */
static char *drawn(unsigned short rows, unsigned short columns, char *buffer, size_t room)
{
	struct winsize size = { .ws_row = rows, .ws_col = columns };
	struct stats stats = { .begin = 1, .end = 2000000001 };
	int fd = posix_openpt(O_RDWR | O_NOCTTY);
	struct pollfd ready = { .fd = fd, .events = POLLIN };
	struct termios raw;
	ssize_t n, got;
	FILE *out;
	int i;

	assert_true(fd >= 0 && grantpt(fd) == 0 && unlockpt(fd) == 0);
	out = fopen(ptsname(fd), "w");
	assert_non_null(out);
	assert_int_equal(tcgetattr(fileno(out), &raw), 0);
	cfmakeraw(&raw);
	assert_int_equal(tcsetattr(fileno(out), TCSANOW, &raw), 0);
	assert_int_equal(ioctl(fileno(out), TIOCSWINSZ, &size), 0);
	for (i = 0; i < 2; i++) {
		stats_table(&stats, NULL, out, true);
		for (n = 0; poll(&ready, 1, 0) > 0; n += got) {
			got = read(fd, buffer + n, room - 1 - (size_t)n);
			assert_true(got > 0);
		}
		buffer[n] = '\0';
	}
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

static void test_table_fits(void **state)
{
	(void)state;
	check(24, 80);
	check(24, 200);
	check(50, 98);
	check(10, 40);
	check(3, 10);
}

static void test_columns(void **state)
{
	char buffer[8192];

	(void)state;
	drawn(24, 80, buffer, sizeof(buffer));
	/* the last of the 79 columns is the last figure's */
	assert_non_null(strstr(buffer, "  MAX GAP\n"));
	assert_non_null(strstr(buffer, "         -\n"));
	assert_non_null(strstr(buffer, "\na_name?[31mlon   "));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table_fits),
		cmocka_unit_test(test_columns),
	};
	int i;

	for (i = 0; i < EVENTS; i++) {
		all[i].shown = (char *)(uintptr_t) "a_name\033[31mlonger_than_its_32_columns_are";
		all[i].count = 1;
		pointers[i] = &all[i];
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
