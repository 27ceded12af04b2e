/* SPDX-License-Identifier: MIT */
/*
 * Init process of the aarch64 guest, a static program. It mounts the usual file systems, runs the
 * commands in /commands one after the other, reports each result, and turns the machine off. The
 * guest has no shell and no libraries.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#define TRACING "/sys/kernel/tracing"

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	if (write(fd, text, strlen(text)) < 0)
		perror(path);
	close(fd);
}

/*
 * Removes everything that a test may have left: processes, instances, enabled events and the
 * trace.
 */
static void clean(void)
{
	DIR *instances;
	struct dirent *entry;
	char path[PATH_MAX];

	kill(-1, SIGKILL);
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		;
	put(TRACING "/events/enable", "0");
	instances = opendir(TRACING "/instances");
	while (instances && (entry = readdir(instances))) {
		snprintf(path, sizeof(path), TRACING "/instances/%s", entry->d_name);
		if (entry->d_name[0] != '.')
			rmdir(path);
	}
	if (instances)
		closedir(instances);
	put(TRACING "/trace", "\n");
	put(TRACING "/tracing_on", "1");
}

/* Splits COMMAND into words and runs it. After LIMIT seconds, SIGALRM kills the command. */
static int run(char *command, unsigned int limit)
{
	char *words[16] = { NULL };
	int n = 0, status;
	pid_t child;

	for (char *word = strtok(command, " "); word && n < 15; word = strtok(NULL, " "))
		words[n++] = word;
	child = fork();
	if (child == 0) {
		setsid();
		alarm(limit);
		execv(words[0], words);
		perror(words[0]);
		_exit(127);
	}
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void run_all(unsigned int limit)
{
	FILE *commands = fopen("/commands", "r");
	char line[512], name[512];

	while (commands && fgets(line, sizeof(line), commands)) {
		int status;

		line[strcspn(line, "\n")] = '\0';
		snprintf(name, sizeof(name), "%s", strrchr(line, '/') + 1);
		status = run(line, limit);
		clean();
		if (status)
			printf("exit status %d\nguest: FAIL %s\n", status, name);
		else
			printf("guest: ok %s\n", name);
	}
}

int main(void)
{
	struct utsname kernel;

	mkdir("/proc", 0755);
	mkdir("/sys", 0755);
	mkdir("/dev", 0755);
	mkdir("/tmp", 01777);
	mkdir("/run", 0755);
	mount("proc", "/proc", "proc", 0, NULL);
	mount("sysfs", "/sys", "sysfs", 0, NULL);
	mount("dev", "/dev", "devtmpfs", 0, NULL);
	mount("debugfs", "/sys/kernel/debug", "debugfs", 0, NULL);
	mount("tmpfs", "/tmp", "tmpfs", 0, NULL);
	mount("tmpfs", "/run", "tmpfs", 0, NULL);
	if (mount("tracefs", TRACING, "tracefs", 0, "mode=700"))
		perror("tracefs");
	setvbuf(stdout, NULL, _IOLBF, 0);
	setenv("TMPDIR", "/tmp", 1);
	uname(&kernel);
	printf("guest: Linux %s, %s, %ld CPUs\n", kernel.release, kernel.machine,
	       sysconf(_SC_NPROCESSORS_ONLN));
	run_all((unsigned int)atoi(getenv("limit")));
	puts("guest: end");
	fflush(stdout);
	sync();
	reboot(RB_AUTOBOOT);
	return 1;
}
