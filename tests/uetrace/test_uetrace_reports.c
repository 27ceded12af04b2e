/* SPDX-License-Identifier: MIT */
/*
 * uetrace must report events that it could not see or count, and must never print a number that it
 * does not know.
 */
#include "test.h"

#include "command/options.h"
#include "event/event.h"
#include "format/format.h"
#include "output/sink.h"
#include "usdt/usdt.h"

#include <argp.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* Returns a heartbeat as a line of JSON. The caller frees the line. */
static char *heartbeat(uint64_t lost, bool lost_unknown)
{
	const struct line_settings settings = { .max_line = 0 };
	char *line = NULL;
	size_t n;
	FILE *out = open_memstream(&line, &n);
	struct sink *sink = json_new(out, &settings);

	argp_program_version = "uetrace 1"; /* main() also sets this variable */
	own_counts(sink, "alive", 1, 0, 7, lost, lost_unknown);
	sink->free(sink);
	fclose(out);
	return line;
}

TEST(test_heartbeat_has_no_lost_count_if_it_is_unknown)
{
	char *line = heartbeat(3, false);

	assert_non_null(strstr(line, "\"events\": 7, \"lost\": 3, "));
	free(line);
	line = heartbeat(0, true);
	assert_non_null(strstr(line, "\"events\": 7, \"lost_at_least\": 0, "));
	assert_null(strstr(line, "\"lost\":"));
	free(line);
}

static int deny(void *context, pid_t tid, const char *path)
{
	(void)context;
	(void)tid;
	(void)path;
	return -EACCES;
}

TEST(test_processes_that_could_not_be_inspected_are_counted)
{
	char said[4096];
	FILE *file = tmpfile();
	int err = dup(STDERR_FILENO);
	pid_t child = fork();
	size_t n;

	if (!child) {
		pause();
		_exit(0);
	}
	dup2(fileno(file), STDERR_FILENO);
	mapped_report_denied(); /* none */
	mapped_each(getpid(), deny, NULL, true);
	mapped_each(getpid(), deny, NULL, true);
	mapped_each(child, deny, NULL, true);
	mapped_report_denied();
	fflush(stderr);
	dup2(err, STDERR_FILENO);
	close(err);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	rewind(file);
	n = fread(said, 1, sizeof(said) - 1, file);
	said[n] = '\0';
	fclose(file);
	assert_non_null(strstr(said, "cannot open the files that process "));
	assert_non_null(strstr(said, "uetrace: could not inspect 2 processes: "));
	assert_null(strstr(said, "could not inspect 0"));
}

TESTS_MAIN
