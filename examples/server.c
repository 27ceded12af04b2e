/* SPDX-License-Identifier: MIT */
/*
 * A small multi-threaded HTTP server and its load generator, in one process so that no setup is
 * needed. The server serves the files in a directory. The clients request these files and some that
 * do not exist. Events follow each request from accept to close.
 *
 *	server [-d DIRECTORY] [-n REQUESTS] [-c CLIENTS] [-w WORKERS] [-s FILE] [-t]
 *
 * With -t, the server first waits up to ten seconds for a tracer. If the environment variable
 * UE_RECORD is set to a file name, the server keeps its last events in that file even if it crashes
 * (`uetrace show FILE`), and on SIGUSR2 copies them to the FILE of -s. UE_RECORD=FILE:keep keeps
 * the first events instead. UE_PRINT=1 prints the events to stderr.
 *
 * There are two kinds of events. request_done and slow_request are kernel-typed, so the kernel's
 * filters and histograms can read their fields. Each request is also an EventHeader activity, which
 * connects its events across threads.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <user_events_print.h>
#include <user_events_recorder.h>

UE_EVENT_SET(server_info, "Example_Server", UE_LEVEL_INFORMATION, 0x1);
UE_EVENT_SET(server_error, "Example_Server", UE_LEVEL_ERROR, 0x1);

struct request {
	int fd;
	uint8_t activity[16];
	struct timespec accepted;
};

static struct {
	const char *directory;
	int requests, clients, workers, wait_for_tracer;
	struct sockaddr_un address;
	char *paths[256];
	int n_paths;
} options = { .directory = "include", .requests = 100, .clients = 2, .workers = 3 };

/* Queue of accepted requests that wait for a worker. */
static struct {
	pthread_mutex_t lock;
	pthread_cond_t some, room;
	struct request requests[64];
	int first, count, closed;
} queue = { .lock = PTHREAD_MUTEX_INITIALIZER,
	    .some = PTHREAD_COND_INITIALIZER,
	    .room = PTHREAD_COND_INITIALIZER };

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static double ms_since(const struct timespec *t)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - t->tv_sec) * 1e3 + (double)(now.tv_nsec - t->tv_nsec) / 1e6;
}

static void queue_put(const struct request *r)
{
	pthread_mutex_lock(&queue.lock);
	while (queue.count == 64)
		pthread_cond_wait(&queue.room, &queue.lock);
	queue.requests[(queue.first + queue.count++) % 64] = *r;
	pthread_cond_signal(&queue.some);
	pthread_mutex_unlock(&queue.lock);
}

static int queue_get(struct request *r)
{
	int got;

	pthread_mutex_lock(&queue.lock);
	while (queue.count == 0 && !queue.closed)
		pthread_cond_wait(&queue.some, &queue.lock);
	got = queue.count > 0;
	if (got) {
		*r = queue.requests[queue.first];
		queue.first = (queue.first + 1) % 64;
		queue.count--;
		pthread_cond_signal(&queue.room);
	}
	pthread_mutex_unlock(&queue.lock);
	return got;
}

static void queue_close(void)
{
	pthread_mutex_lock(&queue.lock);
	queue.closed = 1;
	pthread_cond_broadcast(&queue.some);
	pthread_mutex_unlock(&queue.lock);
}

static int write_all(int fd, const char *p, size_t n)
{
	while (n) {
		ssize_t done = send(fd, p, n, MSG_NOSIGNAL);

		if (done < 0)
			return -1;
		p += done;
		n -= (size_t)done;
	}
	return 0;
}

/* Sends a file, or an error status if the file does not exist. Returns the body size in bytes. */
static uint64_t send_file(const struct request *r, const char *path, int *status)
{
	char name[512], buffer[8192];
	uint64_t bytes = 0;
	ssize_t n;
	int fd = -1;

	snprintf(name, sizeof(name), "%s/%s", options.directory, path);
	*status = 403;
	if (!strstr(path, "..")) {
		fd = open(name, O_RDONLY | O_CLOEXEC);
		*status = fd < 0 ? 404 : 200;
	}
	if (fd < 0) {
		int error = *status == 404 ? errno : EACCES;

		UE_LOG(server_error, "CannotServe", UE_ACTIVITY(r->activity), UE_STR(path),
		       UE_ERRNO(error));
	}
	n = snprintf(buffer, sizeof(buffer), "HTTP/1.0 %d\r\n\r\n", *status);
	if (write_all(r->fd, buffer, (size_t)n) == 0 && fd >= 0) {
		while ((n = read(fd, buffer, sizeof(buffer))) > 0) {
			if (write_all(r->fd, buffer, (size_t)n))
				break;
			bytes += (uint64_t)n;
		}
	}
	if (fd >= 0)
		close(fd);
	return bytes;
}

static void serve(const struct request *r)
{
	char text[512], path[256] = "";
	ssize_t n = recv(r->fd, text, sizeof(text) - 1, 0);
	uint64_t bytes;
	double ms;
	int status;

	text[n > 0 ? n : 0] = '\0';
	sscanf(text, "GET /%255s", path);
	UE_LOG(server_info, "RequestStart", UE_OPCODE(UE_OPCODE_ACTIVITY_START),
	       UE_ACTIVITY(r->activity), UE_STR(path), UE_I32(fd, r->fd));
	bytes = send_file(r, path, &status);
	close(r->fd);
	ms = ms_since(&r->accepted);
	UE_TRACE(request_done, status, bytes, UE_STR(path));
	if (ms > 50)
		UE_TRACE(slow_request, UE_U32(ms, (uint32_t)ms), UE_STR(path));
	UE_LOG(server_info, "RequestStop", UE_OPCODE(UE_OPCODE_ACTIVITY_STOP),
	       UE_ACTIVITY(r->activity), status, bytes, UE_F64(ms));
}

static void *worker(void *unused)
{
	struct request r;

	(void)unused;
	while (queue_get(&r))
		serve(&r);
	return NULL;
}

static void *client(void *number)
{
	unsigned int seed = (unsigned int)(uintptr_t)number;
	int n = options.requests / options.clients;

	while (n-- > 0) {
		char text[512];
		int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
		int which = rand_r(&seed) % (options.n_paths + 1);
		const char *path = which < options.n_paths ? options.paths[which] : "missing.html";

		if (n == options.requests / options.clients - 1)
			path = options.paths[0]; /* the first request succeeds */

		if (fd < 0 ||
		    connect(fd, (struct sockaddr *)&options.address, sizeof(options.address)))
			die("connect");
		snprintf(text, sizeof(text), "GET /%s HTTP/1.0\r\n\r\n", path);
		write_all(fd, text, strlen(text));
		while (recv(fd, text, sizeof(text), 0) > 0)
			;
		close(fd);
	}
	return NULL;
}

/*
 * Returns a socket that listens on an abstract address, so that each process has its own address.
 */
static int listen_somewhere(void)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	options.address.sun_family = AF_UNIX;
	snprintf(options.address.sun_path + 1, sizeof(options.address.sun_path) - 1,
		 "user_events.h/example/%d", (int)getpid());
	if (fd < 0 || bind(fd, (struct sockaddr *)&options.address, sizeof(options.address)) ||
	    listen(fd, 64))
		die("listen");
	return fd;
}

static void find_paths(void)
{
	DIR *dir = opendir(options.directory);
	struct dirent *entry;

	if (!dir) {
		fprintf(stderr, "server: %s: %s; run it in the repository, or use -d DIRECTORY\n",
			options.directory, strerror(errno));
		exit(1);
	}
	while (options.n_paths < 256 && (entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] != '.' && entry->d_type != DT_DIR)
			options.paths[options.n_paths++] = strdup(entry->d_name);
	}
	closedir(dir);
}

static const char *snapshot;

static void on_usr2(int signal)
{
	(void)signal;
	if (snapshot)
		ue_recorder_snapshot(snapshot);
}

int main(int argc, char **argv)
{
	pthread_t clients[64], workers[64];
	int listening, option, error;

	ue_print_environment();
	error = ue_recorder_environment();
	if (error < 0)
		fprintf(stderr, "server: cannot record to UE_RECORD=%s: %s\n", getenv("UE_RECORD"),
			ue_recorder_strerror(error));
	signal(SIGUSR2, on_usr2);
	while ((option = getopt(argc, argv, "d:n:c:w:s:t")) != -1) {
		if (option == 'd')
			options.directory = optarg;
		else if (option == 'n')
			options.requests = atoi(optarg);
		else if (option == 'c')
			options.clients = atoi(optarg);
		else if (option == 'w')
			options.workers = atoi(optarg);
		else if (option == 's')
			snapshot = optarg;
		else if (option == 't')
			options.wait_for_tracer = 1;
		else
			return 2;
	}
	if (options.clients < 1 || options.clients > 64 || options.workers < 1 ||
	    options.workers > 64) {
		fprintf(stderr, "server: use 1 to 64 clients and workers\n");
		return 2;
	}
	options.requests -= options.requests % options.clients;
	find_paths();
	for (int i = 0; options.wait_for_tracer && i < 1000 && !UE_LOG_ENABLED(server_info); i++)
		usleep(10000);
	listening = listen_somewhere();
	for (int i = 0; i < options.workers; i++)
		pthread_create(&workers[i], NULL, worker, NULL);
	for (int i = 0; i < options.clients; i++)
		pthread_create(&clients[i], NULL, client, (void *)(uintptr_t)(i + 1));
	for (int i = 0; i < options.requests; i++) {
		struct request r;

		r.fd = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
		if (r.fd < 0)
			die("accept");
		clock_gettime(CLOCK_MONOTONIC, &r.accepted);
		ue_activity_new(r.activity);
		queue_put(&r);
	}
	queue_close();
	for (int i = 0; i < options.workers; i++)
		pthread_join(workers[i], NULL);
	for (int i = 0; i < options.clients; i++)
		pthread_join(clients[i], NULL);
	for (int i = 0; i < options.n_paths; i++)
		free(options.paths[i]);
	close(listening);
	printf("served %d requests\n", options.requests);
	return 0;
}
