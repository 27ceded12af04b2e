/* SPDX-License-Identifier: MIT */
/*
 * A server that writes an event for each of its open connections when a tracer attaches. Therefore,
 * even a trace of a few seconds describes every connection that occurs in it.
 *
 *	connections [-t] [MESSAGES]
 *
 * The server returns each message to its client. The clients are threads of this program. With -t,
 * a thread of the header checks for tracers; otherwise, the main loop of the server does.
 */
#include <arpa/inet.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <user_events_state.h>

enum { CLIENTS = 3, POLL_MS = 100 };

/* An open connection. An event for new connections could have the same fields. */
UE_TRACEPOINT(connection_open, UE_I32(fd), UE_U32(client_port), UE_U32(messages));
UE_TRACEPOINT(message_received, UE_I32(fd), UE_U32(bytes));

struct connection {
	int fd;
	uint32_t port;	   /* port of the client */
	uint32_t messages; /* number of messages received */
};

static struct connection connections[CLIENTS];
static unsigned int connected;
/* Protects the connections, which the header's thread also reads. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned int messages = 20; /* number of messages per client */
static struct sockaddr_in address = { .sin_family = AF_INET };

static void list_connections(struct ue_event *event, bool attached, void *data)
{
	(void)event;
	(void)data;
	pthread_mutex_lock(&lock);
	for (unsigned int i = 0; attached && i < connected; i++)
		trace_connection_open(connections[i].fd, connections[i].port,
				      connections[i].messages);
	pthread_mutex_unlock(&lock);
}

static void *run_client(void *unused)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	char message[] = "hello";

	if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0) {
		perror("connections: connect");
		exit(1);
	}
	for (unsigned int i = 0; i < messages; i++) {
		if (write(fd, message, sizeof(message)) < 0 || read(fd, message, 1) < 0)
			break;
		usleep(10000);
	}
	close(fd);
	return unused;
}

static void accept_client(int listener)
{
	struct sockaddr_in peer = { 0 };
	socklen_t size = sizeof(peer);
	int fd = accept(listener, (struct sockaddr *)&peer, &size);

	if (fd < 0)
		return;
	pthread_mutex_lock(&lock);
	connections[connected++] = (struct connection){ fd, ntohs(peer.sin_port), 0 };
	pthread_mutex_unlock(&lock);
}

/* Echoes a message to its client. Returns false if the client closed the connection. */
static bool serve(struct connection *c)
{
	char message[64];
	ssize_t n = read(c->fd, message, sizeof(message));

	if (n <= 0 || write(c->fd, message, (size_t)n) < 0)
		return false;
	pthread_mutex_lock(&lock);
	c->messages++;
	pthread_mutex_unlock(&lock);
	trace_message_received(c->fd, (uint32_t)n);
	return true;
}

static void run_server(int listener, bool has_thread)
{
	struct pollfd fds[CLIENTS + 1] = { { listener, POLLIN, 0 } };
	unsigned int closed = 0;

	while (closed < CLIENTS) {
		for (unsigned int i = 0; i < connected; i++)
			fds[i + 1] = (struct pollfd){ connections[i].fd, POLLIN, 0 };
		if (poll(fds, 1 + connected, POLL_MS) > 0) {
			for (unsigned int i = connected; i > 0; i--) {
				if (fds[i].revents && !serve(&connections[i - 1])) {
					pthread_mutex_lock(&lock);
					close(connections[i - 1].fd);
					connections[i - 1] = connections[--connected];
					pthread_mutex_unlock(&lock);
					closed++;
					break; /* the indexes have changed */
				}
			}
			if (fds[0].revents)
				accept_client(listener);
		}
		if (!has_thread)
			ue_state_poll();
	}
}

int main(int argc, char **argv)
{
	struct ue_event *event = ue_event_find("connection_open", NULL);
	bool has_thread = argc > 1 && !strcmp(argv[1], "-t");
	int listener = socket(AF_INET, SOCK_STREAM, 0), error;
	socklen_t size = sizeof(address);
	pthread_t clients[CLIENTS];

	if (argc > 1 + has_thread)
		messages = (unsigned int)atoi(argv[1 + has_thread]);
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (listener < 0 || bind(listener, (struct sockaddr *)&address, size) < 0 ||
	    listen(listener, CLIENTS) < 0 ||
	    getsockname(listener, (struct sockaddr *)&address, &size) < 0) {
		perror("connections: listen");
		return 1;
	}
	error = ue_state_register(event, list_connections, NULL);
	if (!error && has_thread)
		error = ue_state_start_thread(POLL_MS);
	if (error) {
		fprintf(stderr, "connections: %s\n", ue_strerror(error));
		return 1;
	}
	for (int i = 0; i < CLIENTS; i++)
		pthread_create(&clients[i], NULL, run_client, NULL);
	run_server(listener, has_thread);
	for (int i = 0; i < CLIENTS; i++)
		pthread_join(clients[i], NULL);
	if (has_thread)
		ue_state_stop_thread();
	ue_state_unregister(event, list_connections, NULL);
	printf("%d clients served\n", CLIENTS);
	return 0;
}
