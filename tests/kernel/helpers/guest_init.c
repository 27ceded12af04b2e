/* SPDX-License-Identifier: MIT */
/*
 * The first process of the aarch64 guest, a static program: it mounts what a machine has, runs the
 * commands of /commands one after the other, says of each whether it passed, as tests/kernel/check
 * does, and turns the machine off. The guest has nothing else: no shell, no library.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TRACING "/sys/kernel/tracing"
#define OUTPUT "/run/output"

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	if (write(fd, text, strlen(text)) < 0)
		perror(path);
	close(fd);
}

/* What a test left behind: processes, instances, enabled events, a trace. */
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

static void print_output(void)
{
	FILE *output = fopen(OUTPUT, "r");
	char line[1024];

	while (output && fgets(line, sizeof(line), output))
		printf("    %s%s", line, strchr(line, '\n') ? "" : "\n");
	if (output)
		fclose(output);
}

/* The words of COMMAND become the arguments. It may print nothing for LIMIT seconds. */
static int run(char *command, int limit)
{
	char *words[16] = { NULL };
	time_t last = time(NULL);
	struct stat output;
	off_t printed = 0;
	int n = 0, status;
	pid_t child;

	for (char *word = strtok(command, " "); word && n < 15; word = strtok(NULL, " "))
		words[n++] = word;
	child = fork();
	if (child == 0) {
		int fd = open(OUTPUT, O_RDWR | O_CREAT | O_TRUNC, 0600);

		setsid();
		dup2(fd, 1);
		dup2(fd, 2);
		close(fd);
		execv(words[0], words);
		perror(words[0]);
		_exit(127);
	}
	while (waitpid(child, &status, WNOHANG) == 0) {
		if (stat(OUTPUT, &output) == 0 && output.st_size != printed) {
			printed = output.st_size;
			last = time(NULL);
		}
		if (time(NULL) > last + limit)
			return -1;
		usleep(50000);
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void run_all(bool verbose, int limit)
{
	FILE *commands = fopen("/commands", "r");
	char line[512], name[512];

	while (commands && fgets(line, sizeof(line), commands)) {
		int status;

		line[strcspn(line, "\n")] = '\0';
		snprintf(name, sizeof(name), "%s", strrchr(line, '/') + 1);
		status = run(line, limit);
		if (status == 0) {
			printf("ok %s\n", name);
		} else {
			printf("FAIL %s\n", name);
			print_output();
			if (status < 0)
				printf("    printed nothing for %d seconds\n", limit);
			else
				printf("    exit status %d\n", status);
		}
		if (status == 0 && verbose)
			print_output();
		clean();
	}
	if (commands)
		fclose(commands);
}

int main(void)
{
	const char *limit = getenv("limit"), *verbose = getenv("verbose");
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
	printf("Linux %s, %s, %ld CPUs\n", kernel.release, kernel.machine,
	       sysconf(_SC_NPROCESSORS_ONLN));
	run_all(verbose != NULL, limit ? atoi(limit) : 120);
	puts("end");
	fflush(stdout);
	sync();
	reboot(RB_AUTOBOOT);
	return 1;
}
