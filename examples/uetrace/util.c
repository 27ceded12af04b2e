/* SPDX-License-Identifier: MIT */
#include "clean.h"
#include "uetrace.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

/* It may have names of a trace in it. */
static void clean(char *message)
{
	unsigned char *s = (unsigned char *)message;

	for (; *s; s++) {
		unsigned int code = unclean_character(s, strnlen((char *)s, 3));

		if (code || (*s < 32 && *s != '\n' && *s != '\t'))
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
	fprintf(stderr, "uetrace: %s\n", message ? message : "out of memory");
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

static const char *output_name = "standard output";

void output_to(const char *file)
{
	if (!freopen(file, "we", stdout))
		die("cannot write %s: %s", file, strerror(errno));
	output_name = file;
}

static int output_error;

bool output_failed(void)
{
	if (ferror(stdout) && !output_error)
		output_error = errno;
	return ferror(stdout);
}

bool output_flush(void)
{
	static bool told;

	errno = 0;
	fflush(stdout);
	if (!output_failed())
		return true;
	if (!told)
		warning("cannot write %s%s%s", output_name, output_error ? ": " : "",
			output_error ? strerror(output_error) : "");
	told = true;
	return false;
}

static volatile sig_atomic_t signalled;

static void on_signal(int number)
{
	signalled = number;
}

void interruptible(void)
{
	const struct sigaction action = { .sa_handler = on_signal };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
}

bool interrupted(void)
{
	return signalled != 0;
}

void *allocate(size_t size)
{
	void *p = calloc(1, size ? size : 1);

	if (!p)
		die("out of memory");
	return p;
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
	ssize_t n;
	int error;

	if (!file)
		return NULL;
	errno = 0;
	n = getdelim(&content, &room, '\0', file);
	error = errno;
	fclose(file);
	if (n >= 0)
		return content;
	free(content);
	if (!error)
		return text("%s", "");
	errno = error;
	return NULL;
}

/* A power of two is the room of the list, the NULL included. */
void add(char ***list, const char *string)
{
	size_t n = 0;

	while (*list && (*list)[n])
		n++;
	if (!*list || (n + 1 >= 4 && !((n + 1) & n))) {
		size_t room = *list ? 2 * (n + 1) : 4;

		*list = realloc(*list, room * sizeof(**list));
		if (!*list)
			die("out of memory");
	}
	(*list)[n] = text("%s", string);
	(*list)[n + 1] = NULL;
}

void list_free(char **list)
{
	size_t i;

	for (i = 0; list && list[i]; i++)
		free(list[i]);
	free(list);
}
