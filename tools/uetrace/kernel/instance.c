/* SPDX-License-Identifier: MIT */
/*
 * Manages the trace instance of this uetrace process, instances/uetrace-PID. The instance has its
 * own buffers, filters and enabled events, so other tracers are not affected.
 *
 * uetrace locks the directory of its instance. The kernel drops the lock when uetrace exits for any
 * reason. Therefore, the next uetrace recognises leftover instances, even if the PID has been
 * reused. If a uetrace in another PID namespace has the same PID, the next free number is used.
 */
#include "kernel/kernel.h"
#include "util/util.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <tracefs.h>
#include <unistd.h>

#define PREFIX "uetrace-"
#define GROUP_PREFIX "uetrace_"
#define USDT_SUFFIX "_usdt"
#define NUMBERS_MAX 1000 /* maximum number of instance names to try */
#define FEW 20		 /* maximum number of uprobes removed before uetrace exits */
/* pause between two removals, in us, so that other processes can change events */
#define OTHERS_TURN_US 20000

static struct tracefs_instance *ours;
static pid_t owner, global_owner; /* PID of uetrace in its own and in the initial namespace */
static char group[32], uprobes[32];

static bool mounted;

/*
 * Mounts tracefs for this process and its children, in a new mount namespace. Mounts below /sys are
 * private in this namespace. All other mounts remain shared.
 */
static void mount_tracefs(void)
{
	if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/sys", NULL, MS_PRIVATE, NULL) != 0 ||
	    mount("tracefs", "/sys/kernel/tracing", "tracefs", 0, NULL) != 0)
		return;
	mounted = true;
	warning("tracefs is not mounted; uetrace has mounted it for itself and its child "
		"processes");
}

bool instance_mounted(void)
{
	return mounted;
}

/* Returns the tracefs directory, or NULL if tracefs is not mounted. libtracefs owns the string. */
static const char *mounted_tracefs(void)
{
	static const char *directory;

	tracefs_set_loglevel(TEP_LOG_NONE);
	tep_set_loglevel(TEP_LOG_NONE);
	return tracefs_tracing_dir_is_mounted(false, &directory) > 0 ? directory : NULL;
}

char *tracefs_problem(void)
{
	if (!mounted_tracefs())
		mount_tracefs();
	if (mounted_tracefs())
		return NULL;
	if (geteuid() == 0 && !has_capability(CAP_SYS_ADMIN))
		return text("cannot trace: tracefs is not mounted, and %s",
			    permission_remedy(-EPERM));
	return text("cannot trace: tracefs is not mounted; as root: mount -t tracefs tracefs "
		    "/sys/kernel/tracing");
}

char *instance_problem(void)
{
	char *problem = tracefs_problem(), *file;

	if (problem)
		return problem;
	file = text("%s/events", mounted_tracefs());
	if (access(file, R_OK | X_OK) != 0 && errno == EACCES)
		problem = text("cannot read %s: no permission; %s", mounted_tracefs(),
			       permission_remedy(-EACCES));
	free(file);
	return problem;
}

void instance_find(bool user_events)
{
	char *problem = instance_problem();

	if (problem)
		die("%s", problem);
	if (user_events && !kernel_has_user_events())
		die("this kernel has no user_events; it needs Linux 6.4 or later with "
		    "CONFIG_USER_EVENTS=y");
}

bool kernel_has_user_events(void)
{
	return tracefs_file_exists(NULL, "user_events_data");
}

int instance_write(struct tracefs_instance *instance, const char *file, const char *value)
{
	errno = 0;
	if (tracefs_instance_file_write(instance, file, value) >= 0)
		return 0;
	return errno ? -errno : -EIO;
}

static int take_lock(const char *path, int flags)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 || flock(fd, LOCK_EX | flags) == 0)
		return fd;
	close(fd);
	return -1;
}

/* Forks a process that continues in the background. Returns the same values as fork(). */
static pid_t continue_in_background(size_t n)
{
	int null;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid > 0)
		warning("process %d is removing %zu uprobes in the background", pid, n);
	if (pid)
		return pid;
	setsid();
	null = open("/dev/null", O_RDWR | O_CLOEXEC);
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	return 0;
}

/*
 * Removes an instance, the user's probes, and the uprobes defined by usdt/. Disabling a uprobe
 * takes up to 50 ms, because the kernel waits for all CPUs. If there are many uprobes, a background
 * process removes them, and keeps the lock until it has finished.
 */
static void instance_remove(const char *name, const char *probes)
{
	struct tracefs_instance *instance = tracefs_instance_alloc(NULL, name);
	char *usdt = text("%s" USDT_SUFFIX, probes), *events = text("events/%s", usdt);
	char **names = tracing_names(events), **p;
	size_t n = list_length(names);
	pid_t other = n > FEW ? continue_in_background(n - 2) : -1; /* two of the names are files */

	/*
	 * disable the uprobes one by one, because removing the instance first would block all
	 * tracing
	 */
	for (p = other > 0 ? NULL : names; p && *p; p++) {
		char *file = text("%s/%s/enable", events, *p);

		tracefs_instance_file_write(instance, file, "0");
		if (n > FEW)
			usleep(OTHERS_TURN_US);
		free(file);
	}
	if (other <= 0 && tracefs_instance_destroy(instance) == 0) {
		probes_remove(probes);
		probes_remove(usdt);
	}
	if (other == 0)
		_exit(EXIT_SUCCESS);
	tracefs_instance_free(instance);
	list_free(names);
	free(events);
	free(usdt);
}

/* Removes the instance and probes of a uetrace process that was killed. */
static void clean_one(const char *name)
{
	char *path = tracefs_instance_get_file(NULL, "instances");
	char *whole = text("%s/%s", path, name);
	char *probes = text(GROUP_PREFIX "%s", name + strlen(PREFIX));
	int fd = take_lock(whole, LOCK_NB);

	if (fd >= 0) {
		instance_remove(name, probes);
		close(fd);
	}
	free(probes);
	free(whole);
	tracefs_put_tracing_file(path);
}

char **tracing_names(const char *file)
{
	char *path = tracefs_get_tracing_file(file);
	char **names = names_in(path);

	tracefs_put_tracing_file(path);
	return names;
}

void instances_using(const char *system, const char *name, char ***list)
{
	char *directory = tracefs_get_tracing_file("instances");
	char **names = names_in(directory), **p;

	for (p = names; p && *p; p++) {
		char *path = text("%s/%s/events/%s/%s/enable", directory, *p, system, name);
		char *state = read_text(path);

		if (state && (state[0] == '1' || state[1] == '*'))
			add(list, *p);
		free(state);
		free(path);
	}
	list_free(names);
	tracefs_put_tracing_file(directory);
}

/*
 * Removes the probes of instances that no longer exist. Such probes remain if uetrace was killed
 * during its cleanup.
 */
static void clean_groups(void)
{
	char **names = tracing_names("events"), **p;

	for (p = names; p && *p; p++) {
		unsigned int pid;
		char *instance;
		int n;

		if (sscanf(*p, GROUP_PREFIX "%u%n", &pid, &n) != 1 ||
		    ((*p)[n] && strcmp(*p + n, USDT_SUFFIX) != 0))
			continue;
		instance = text(PREFIX "%u", pid);
		if (!tracefs_instance_exists(instance))
			probes_remove(*p);
		free(instance);
	}
	list_free(names);
}

void instance_clean(void)
{
	char **names = tracing_names("instances"), **p;
	unsigned int pid;
	int n;

	for (p = names; p && *p; p++) {
		if (sscanf(*p, PREFIX "%u%n", &pid, &n) == 1 && !(*p)[n])
			clean_one(*p);
	}
	list_free(names);
	clean_groups();
}

void instance_end(void)
{
	if (!ours || owner != getpid())
		return;
	instance_remove(tracefs_instance_get_name(ours), group);
	ours = NULL;
}

const char *instance_group(void)
{
	return group;
}

const char *usdt_group(void)
{
	return uprobes;
}

/* Creates an instance with an unused name, and sets the names of its probe groups. */
static void create_instance(void)
{
	pid_t number = owner;
	char *name;
	int error;

	do {
		snprintf(group, sizeof(group), GROUP_PREFIX "%d", number);
		snprintf(uprobes, sizeof(uprobes), GROUP_PREFIX "%d" USDT_SUFFIX, number);
		name = text(PREFIX "%d", number++);
		errno = 0;
		ours = tracefs_instance_create(name);
		error = -errno;
		if (!ours && (error == -EACCES || error == -EPERM || error == -EROFS))
			die("cannot create the trace instance %s: %s; %s", name, strerror(-error),
			    permission_remedy(error));
		if (!ours)
			die("cannot create the trace instance %s: %s", name,
			    error ? strerror(-error) : "the kernel is out of memory");
		free(name);
		if (tracefs_instance_is_new(ours))
			return;
		tracefs_instance_free(ours);
	} while (number < owner + NUMBERS_MAX);
	die("cannot create a trace instance: all names from uetrace-%d to uetrace-%d are in use",
	    owner, number - 1);
}

struct tracefs_instance *instance_create(void)
{
	char *directory;
	int lock; /* file descriptor; locked until uetrace exits */

	owner = getpid();
	instance_clean();
	do {
		create_instance();
		directory = tracefs_instance_get_dir(ours);
		lock = take_lock(directory, 0);
		tracefs_put_tracing_file(directory);
		/* another uetrace may have removed the instance before it was locked */
	} while (lock < 0 || !tracefs_file_exists(ours, "tracing_on"));
	atexit(instance_end);

	/* use CLOCK_MONOTONIC, because record times are compared with clock_gettime() times */
	if (instance_write(ours, "trace_clock", "mono") != 0)
		die("cannot trace: this kernel has no trace clock \"mono\"");
	/*
	 * Record the process ID (TGID) of each thread, because the thread may exit before uetrace
	 * looks it up.
	 */
	instance_write(ours, "trace_options", "record-tgid");
	if (pid_mark(ours) == 0)
		global_owner = pid_of_mark(ours, owner);
	if (global_owner <= 0)
		die("cannot trace: %s: the marker written to trace_marker was not recorded",
		    tracefs_instance_get_name(ours));
	return ours;
}

pid_t instance_owner(void)
{
	return global_owner;
}
