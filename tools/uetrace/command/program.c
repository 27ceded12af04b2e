/* SPDX-License-Identifier: MIT */
/* Finds the program for the run command, reads its event declarations, and executes it. */
#include "command/session.h"
#include "binary/binary.h"
#include "kernel/kernel.h"
#include "util/util.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

char *find_program(const char *name)
{
	const char *path = getenv("PATH");
	char *copy, *rest, *directory, *whole = NULL;
	struct stat st;

	if (strchr(name, '/'))
		return access(name, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR)
			       ? text("%s", name)
			       : NULL;
	copy = rest = text("%s", path ? path : "/bin:/usr/bin");
	while ((directory = strsep(&rest, ":"))) {
		whole = text("%s/%s", *directory ? directory : ".", name);
		if (access(whole, X_OK) == 0 && stat(whole, &st) == 0 && S_ISREG(st.st_mode))
			break;
		free(whole);
		whole = NULL;
	}
	free(copy);
	return whole;
}

/* Returns the interpreter from the `#!` line, or NULL if there is none. The caller frees it. */
static char *interpreter_of(const char *path)
{
	char line[256] = { 0 }; /* the kernel also reads 256 bytes of the `#!` line */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n = read(fd, line, sizeof(line) - 1);
	char *name = line + 2;

	if (fd >= 0)
		close(fd);
	if (n < 0 || strncmp(line, "#!", 2) != 0)
		return NULL;
	name += strspn(name, " \t");
	return text("%.*s", (int)strcspn(name, " \t\n"), name);
}

int program_read_declared(struct program *program)
{
	int error = notes_read(program->path, &program->specs, &program->files), depth;
	char *script = text("%s", program->path), *interpreter;

	/* if the program cannot be executed, execv() reports the reason later */
	for (depth = 0; error == -ENOEXEC && depth < 5; depth++) {
		interpreter = interpreter_of(script);
		free(script);
		script = interpreter;
		if (!script || notes_read(script, &program->specs, &program->files) != -ENOEXEC)
			break;
	}
	free(script);
	return error == -ENOEXEC ? 0 : error;
}

void program_read_also(struct program *program, char **plugins)
{
	int error;

	for (; plugins && *plugins; plugins++) {
		error = notes_read(*plugins, &program->specs, &program->files);
		if (error)
			die("cannot read %s: %s", *plugins,
			    error == -ENOEXEC ? "it is not an ELF binary" : strerror(-error));
	}
}

/*
 * Runs in the child process. Writes a mark to trace_marker, waits for a byte from the parent, and
 * executes the program. If the execution fails, sends errno to the parent.
 */
static void child_run(const struct session *s, int start)
{
	char byte = 0;
	int error;

	if (pid_mark(s->instance) != 0 || write(start, &byte, 1) != 1 || read(start, &byte, 1) != 1)
		_exit(127);
	signal(SIGPIPE, s->signals.old_pipe);
	signal(SIGXFSZ, s->signals.old_size);
	signal(SIGCHLD, s->signals.old_chld);
	sigprocmask(SIG_SETMASK, &s->signals.old_mask, NULL);
	execv(s->program.path, s->o->command);
	error = errno;
	if (write(start, &error, sizeof(error)) < 0)
		_exit(127);
	_exit(error == ENOENT ? 127 : 126);
}

pid_t program_fork(struct session *s)
{
	int ends[2];
	pid_t global;
	char byte;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
		die("cannot create a socket: %s", strerror(errno));
	fflush(NULL);
	s->program.child = fork();
	if (s->program.child < 0)
		die("cannot fork: %s", strerror(errno));
	if (s->program.child == 0) {
		close(ends[0]);
		child_run(s, ends[1]);
	}
	close(ends[1]);
	s->program.socket = ends[0];
	global = read(s->program.socket, &byte, 1) == 1 ? pid_of_mark(s->instance, s->program.child)
							: -1;
	if (global < 0)
		die("cannot determine the PID of %s: its mark in trace_marker was not recorded",
		    s->program.path);
	return global;
}

/* Returns true for a regular file without execute permission. */
static bool is_plain_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && !(st.st_mode & 0111);
}

int program_start(struct program *program)
{
	int error;

	if (write(program->socket, "", 1) != 1)
		die("cannot run %s: the process ended before it could execute it", program->path);
	if (read(program->socket, &error, sizeof(error)) <= 0)
		return 0; /* execv() succeeded and closed the socket */
	warning("cannot run %s: %s", program->path,
		error == EACCES && is_plain_file(program->path) ? "it is not executable"
								: strerror(error));
	waitpid(program->child, NULL, 0);
	return error == ENOENT ? 127 : 126;
}
