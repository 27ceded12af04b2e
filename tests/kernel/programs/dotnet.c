/* SPDX-License-Identifier: MIT */
/*
 * Registers a tracepoint and writes events in the same way as the .NET runtime, with the runtime's
 * fields and enable bit. Waits until a tracer enables the tracepoint, writes the events of one
 * session, and exits.
 */
#include "dotnet_build.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

struct registration { /* struct user_reg of <linux/user_events.h> */
	uint32_t size;
	uint8_t enable_bit, enable_size;
	uint16_t flags;
	uint64_t enable_addr, name_args;
	uint32_t write_index;
} __attribute__((packed));

static volatile uint32_t enabled;
static uint32_t write_index;
static int fd;

static void write_event(uint16_t id, const struct net *metadata, const struct net *payload)
{
	static struct net extension, record;
	struct iovec io[] = { { &write_index, sizeof(write_index) }, { record.p, 0 } };

	extension.n = 0;
	if (metadata)
		net_label_metadata(&extension, metadata);
	net_record(&record, id, &extension, payload);
	io[1].iov_len = record.n;
	if (writev(fd, io, 2) < 0) {
		perror("writev");
		exit(1);
	}
}

int main(void)
{
	static struct net order, native, payload;
	static const char name[] = "dotnet_provider u8 version; u16 event_id; "
				   "__rel_loc u8[] extension; __rel_loc u8[] payload";
	struct registration reg = { .size = sizeof(reg),
				    .enable_bit = 31,
				    .enable_size = sizeof(enabled),
				    .enable_addr = (uintptr_t)&enabled,
				    .name_args = (uintptr_t)name };
	unsigned int i;

	fd = open("/sys/kernel/tracing/user_events_data", O_RDWR);
	if (fd < 0 || ioctl(fd, _IOWR('*', 0, char *), &reg) != 0) {
		perror("dotnet_provider");
		return 1;
	}
	write_index = reg.write_index;
	while (!enabled)
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	net_about(&order, "Shop", 1, "Order", 1, 0, 4, 2);
	net_field(&order, NET_INT32, "items");
	net_field(&order, NET_STRING, "who");
	net_about(&native, "Microsoft-Windows-DotNETRuntime", 80, "", 1, 0, 2, 0);
	for (i = 0; i < 3; i++) {
		payload.n = 0;
		net_number(&payload, i, 4);
		net_text(&payload, "ann");
		write_event(1, i ? NULL : &order, &payload);
	}
	write_event(80, &native, &payload);
	write_event(9, NULL, &payload);
	return 0;
}
