/* SPDX-License-Identifier: MIT */
/*
 * Takes read leases on files with uprobes. When another process opens such a file for writing,
 * disables the file's uprobes.
 */
#include "kernel/kernel.h"
#include "usdt/uprobes.h"
#include "util/util.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <tracefs.h>
#include <unistd.h>

/*
 * If a file is overwritten with a new program, its uprobes remain at the same file offsets, so
 * their breakpoints would corrupt unrelated instructions. With a lease, the kernel sends SIGIO to
 * uetrace when another process opens the file for writing, and blocks that process for up to 45 s.
 */
int lease_take(int fd, bool *leased)
{
	*leased = fcntl(fd, F_SETLEASE, F_RDLCK) == 0;
	return !*leased && errno == EAGAIN ? -ETXTBSY : 0;
}

/* A request to the disabler thread to disable all uprobes of a file. */
struct released_file {
	struct known *file;
	size_t sites; /* number of probe sites when the request was sent */
};

/*
 * Disables the uprobes of released files. This runs in a separate thread, because the kernel takes
 * up to 50 ms per uprobe. The thread is created at startup, because creating it later could fail.
 * When it closes a file, processes that wait to write to the file continue.
 */
static void *disable(void *context)
{
	struct usdt *u = context;
	const struct probe_site *site;
	struct released_file next;
	size_t i;

	while (read(u->leases.work[0], &next, sizeof(next)) == sizeof(next)) {
		for (i = 0; i < next.sites && !__atomic_load_n(&u->leases.ending, __ATOMIC_RELAXED);
		     i++) {
			site = u->sites.list[i];
			if (site->file == next.file)
				tracefs_event_file_write(u->instance, usdt_group(), site->uprobe,
							 "enable", "0");
		}
		/*
		 * When uetrace ends, instance_end() disables the remaining uprobes, and exit()
		 * closes the file.
		 */
		if (i == next.sites)
			close(next.file->fd);
	}
	return NULL;
}

/* Opens a signalfd for SIGIO, adds it to the epoll descriptor and returns it. */
static int open_writers(int epoll)
{
	struct epoll_event event = { .events = EPOLLIN };
	sigset_t set;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGIO);
	sigprocmask(SIG_BLOCK, &set, NULL);
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fd < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) != 0)
		die("cannot create a signalfd for SIGIO: %s", strerror(errno));
	return fd;
}

void leases_begin(struct usdt *u, int epoll)
{
	int error;

	u->leases.writers = open_writers(epoll);
	error = pipe2(u->leases.work, O_CLOEXEC) ? errno : 0;
	/* Enlarge the pipe, so that writes to it never block. */
	fcntl(u->leases.work[1], F_SETPIPE_SZ, SITES_MAX * sizeof(struct released_file));
	error = error ? error : pthread_create(&u->leases.disabler, NULL, disable, u);
	if (error)
		die("cannot start the thread that disables uprobes: %s", strerror(error));
}

void leases_end(struct leases *leases)
{
	__atomic_store_n(&leases->ending, true, __ATOMIC_RELAXED);
	close(leases->work[1]);
	pthread_join(leases->disabler, NULL);
	close(leases->work[0]);
	close(leases->writers);
}

static void release_file(const struct usdt *u, struct known *file)
{
	struct released_file next = { file, u->sites.n };

	file->leased = false;
	if (write(u->leases.work[1], &next, sizeof(next)) != sizeof(next))
		die("cannot write to the thread that disables uprobes: %s", strerror(errno));
}

void leases_release_waiting(struct usdt *u)
{
	struct known *last = NULL, *file;
	struct signalfd_siginfo info;
	size_t i;

	if (read(u->leases.writers, &info, sizeof(info)) <= 0)
		return;
	for (i = 0; i < u->sites.n; i++, last = file) {
		file = u->sites.list[i]->file;
		if (file == last || !file->leased || fcntl(file->fd, F_GETLEASE) == F_RDLCK)
			continue;
		release_file(u, file);
		/* Do not free the struct, because the file's probe sites still refer to it. */
		known_files_remove(&u->files, file);
	}
}

void usdt_stop(struct usdt *u)
{
	struct known *file;
	size_t i;

	u->look.tick = NULL;
	for (i = 0; i < u->sites.n; i++) {
		file = u->sites.list[i]->file;
		if (file->leased)
			release_file(u, file);
	}
}
