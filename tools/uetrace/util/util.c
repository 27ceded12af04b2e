/* SPDX-License-Identifier: MIT */
#include "util/util.h"
#include "util/clean.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

/*
 * Returns journald's priority prefix for warnings if standard error is connected to journald,
 * otherwise "".
 */
static const char *priority(void)
{
	const char *journal = getenv("JOURNAL_STREAM");
	unsigned long long device, inode;
	struct stat st;

	if (!journal || sscanf(journal, "%llu:%llu", &device, &inode) != 2 ||
	    fstat(STDERR_FILENO, &st) != 0)
		return "";
	return st.st_dev == device && st.st_ino == inode ? "<4>" : "";
}

/* Replaces control characters, because messages may contain names from a trace. */
static void clean(char *message)
{
	unsigned char *s = (unsigned char *)message;

	for (; *s; s++) {
		unsigned int code = unclean_character(s, strnlen((char *)s, 3));

		if (code || (*s < 32 && *s != '\t'))
			memset(s, '?', unclean_length(code));
	}
}

static void sentence(const char *format, va_list arguments)
{
	char *message = NULL;

	if (vasprintf(&message, format, arguments) < 0)
		message = NULL;
	if (message)
		clean(message);
	fflush(stdout);
	fprintf(stderr, "%suetrace: %s\n", priority(), message ? message : "out of memory");
	free(message);
}

void warning(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	sentence(format, arguments);
	va_end(arguments);
}

void die(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	sentence(format, arguments);
	va_end(arguments);
	exit(EXIT_FAILURE);
}

void die_usage(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	sentence(format, arguments);
	va_end(arguments);
	exit(EX_USAGE);
}

void notify(const char *format, ...)
{
	const char *name = getenv("NOTIFY_SOCKET");
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	size_t n = name ? strlen(name) : 0;
	va_list arguments;
	int fd;

	if (!n || n >= sizeof(to.sun_path))
		return;
	memcpy(to.sun_path, name, n);
	if (*name == '@')
		*to.sun_path = '\0';
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd >= 0 && connect(fd, (struct sockaddr *)&to,
			       (socklen_t)(offsetof(struct sockaddr_un, sun_path) + n)) == 0) {
		va_start(arguments, format);
		vdprintf(fd, format, arguments);
		va_end(arguments);
	}
	if (fd >= 0)
		close(fd);
}

static const char *output_name = "standard output";

void lines(const char *more)
{
	char *copy = text("%s", more), *rest = copy, *line;

	while ((line = strsep(&rest, "\n"))) {
		clean(line);
		fprintf(stderr, "%s%s\n", priority(), line);
	}
	free(copy);
}

int create_file(const char *name, bool append)
{
	int flags = append ? O_RDWR | O_APPEND : O_WRONLY;
	char *copy = text("%s", name);
	struct stat folder, st;
	bool shared = stat(dirname(copy), &folder) == 0 && (folder.st_mode & S_ISVTX) &&
		      (folder.st_mode & S_IWOTH);
	int fd = open(name, flags | O_CREAT | O_CLOEXEC | (shared ? O_NOFOLLOW : 0), 0666);

	free(copy);
	if (fd < 0 || fstat(fd, &st) != 0)
		return fd;
	if (shared && st.st_uid != geteuid() && st.st_uid != folder.st_uid) {
		close(fd);
		errno = EACCES;
		return -1;
	}
	if (!append && S_ISREG(st.st_mode) && ftruncate(fd, 0) != 0)
		warning("cannot truncate %s: %s", name, strerror(errno));
	return fd;
}

void output_to(const char *file)
{
	int fd = create_file(file, false);

	fflush(stdout);
	if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0)
		die("cannot write %s: %s", file, strerror(errno));
	close(fd);
	output_name = file;
}

static int output_error;

bool output_failed(void)
{
	if (ferror(stdout) && !output_error)
		output_error = errno;
	return ferror(stdout);
}

static void (*before_flush)(void *context);
static void *before_flush_context;

void output_before_flush(void (*fn)(void *context), void *context)
{
	before_flush = fn;
	before_flush_context = context;
}

bool output_flush(void)
{
	static bool reported;

	if (before_flush)
		before_flush(before_flush_context);
	errno = 0;
	fflush(stdout);
	if (!output_failed())
		return true;
	if (!reported)
		warning("cannot write %s%s%s", output_name, output_error ? ": " : "",
			output_error ? strerror(output_error) : "");
	reported = true;
	return false;
}

sigset_t block_signals(sigset_t *old)
{
	static const int signals[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGCHLD };
	sigset_t set;
	size_t i;

	sigemptyset(&set);
	for (i = 0; i < ARRAY_SIZE(signals); i++)
		sigaddset(&set, signals[i]);
	sigprocmask(SIG_BLOCK, &set, old);
	return set;
}

int exit_as(int status, const char *program)
{
	sigset_t set;
	int number;

	if (!WIFSIGNALED(status))
		return WEXITSTATUS(status);
	number = WTERMSIG(status);
	/*
	 * Print the name of the program, because a shell would only report that uetrace was killed.
	 * Print nothing for signals that users usually send.
	 */
	if (number != SIGINT && number != SIGTERM && number != SIGHUP)
		warning("signal %d (%s) ended the program %s; uetrace ends with the same signal",
			number, strsignal(number), program);
	prctl(PR_SET_DUMPABLE, 0); /* avoid a second core dump */
	signal(number, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, number);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(number);
	return 128 + number;
}

int signal_waits(void)
{
	static const int signals[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };
	sigset_t set;
	size_t i;

	sigpending(&set);
	for (i = 0; i < ARRAY_SIZE(signals); i++) {
		if (sigismember(&set, signals[i]) == 1)
			return signals[i];
	}
	return 0;
}

#define DEADLINE_US 700000 /* CPU time that the process may use after a signal, in us */

static volatile sig_atomic_t signalled;

/* Kills the process with the received signal if no loop has checked interrupted() in time. */
static void on_deadline(int number)
{
	(void)number;
	signal(signalled, SIG_DFL);
	raise(signalled);
}

static void on_signal(int number)
{
	/*
	 * Measure CPU time instead of wall-clock time, so that a busy machine or a slow reader does
	 * not cause truncated output.
	 */
	const struct itimerval deadline = { .it_value.tv_usec = DEADLINE_US };

	if (!signalled)
		setitimer(ITIMER_PROF, &deadline, NULL);
	signalled = number;
}

void interruptible(void)
{
	const struct sigaction action = { .sa_handler = on_signal };
	const struct sigaction end = { .sa_handler = on_deadline };

	sigaction(SIGPROF, &end, NULL);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
}

bool interrupted(void)
{
	return signalled != 0;
}

uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void *allocate(size_t size)
{
	void *p = calloc(1, size ? size : 1);

	if (!p)
		die("out of memory");
	return p;
}

uint64_t hash(const void *data, size_t n)
{
	const unsigned char *s = data;
	uint64_t h = 1469598103934665603u;

	while (n--)
		h = (h ^ *s++) * 1099511628211u;
	return h;
}

void *doubled(void *array, size_t n, size_t size)
{
	array = reallocarray(array, n ? 2 * n : 1, size);
	if (!array)
		die("out of memory");
	return array;
}

char *text(const char *format, ...)
{
	va_list arguments;
	char *p;
	int n;

	va_start(arguments, format);
	n = vasprintf(&p, format, arguments);
	va_end(arguments);
	if (n < 0)
		die("out of memory");
	return p;
}

char *read_text(const char *path)
{
	FILE *file = fopen(path, "re");
	char *content = NULL;
	size_t room = 0;

	if (!file)
		return NULL;
	if (getdelim(&content, &room, '\0', file) < 0) {
		free(content);
		content = ferror(file) ? NULL : text("%s", "");
	}
	fclose(file);
	return content;
}

#define BAD_NAMES_MAX 65536 /* limit on the number of invalid names skipped per directory */

struct list {
	size_t n;
	char *strings[]; /* strings, followed by NULL; the capacity is a power of two, at least 4 */
};

static struct list *list_of(char **strings)
{
	return (struct list *)((char *)strings - offsetof(struct list, strings));
}

const char *add(char ***strings, const char *string)
{
	struct list *list = *strings ? list_of(*strings) : NULL;
	size_t n = list ? list->n : 0;

	if (!n || (n + 1 >= 4 && !((n + 1) & n))) {
		list = realloc(list, sizeof(*list) + (n ? 2 * (n + 1) : 4) * sizeof(char *));
		if (!list)
			die("out of memory");
		*strings = list->strings;
	}
	list->n = n + 1;
	list->strings[n + 1] = NULL;
	return list->strings[n] = text("%s", string);
}

struct dirent *next_entry(DIR *directory)
{
	struct dirent *entry;
	size_t bad = 0;

	while (errno = 0, !(entry = readdir(directory)) && errno == EIO && bad++ < BAD_NAMES_MAX)
		seekdir(directory, telldir(directory) + 1);
	return entry;
}

char **names_in(const char *path)
{
	DIR *directory = opendir(path);
	struct dirent *entry;
	char **names = NULL;

	while (directory && (entry = next_entry(directory))) {
		if (entry->d_name[0] != '.')
			add(&names, entry->d_name);
	}
	if (directory)
		closedir(directory);
	return names;
}

int compare_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

int compare_strings(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

size_t list_length(char **strings)
{
	return strings ? list_of(strings)->n : 0;
}

bool list_has(char **strings, const char *string)
{
	while (strings && *strings && strcmp(*strings, string) != 0)
		strings++;
	return strings && *strings;
}

void list_free(char **strings)
{
	char **p;

	for (p = strings; p && *p; p++)
		free(*p);
	if (strings)
		free(list_of(strings));
}
