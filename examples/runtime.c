/* SPDX-License-Identifier: MIT */
/*
 * Events whose names and fields are known only at run time. Without arguments, the program writes
 * an event with a packed struct as its payload, and an event with a string. `runtime 'NAME FIELDS'
 * SECONDS` registers any event and writes it ten times per second. The first four bytes of its
 * payload are a counter, and all other bytes are zeros. This shows which field types the kernel
 * accepts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

#include <user_events.h>

/*
 * Payload of "script_tick u8 kind; u32 count; s64 took_ns": the fields in order, without padding.
 */
struct tick {
	uint8_t kind;
	uint32_t count;
	int64_t took_ns;
} __attribute__((packed));

/* Fixed part of the payload of "script_line u32 id; __rel_loc char[] text". */
struct line {
	uint32_t id;
	uint32_t text; /* size << 16 | offset, in bytes, relative to the end of this member */
} __attribute__((packed));

/* static, because a struct ue_event must not be moved while it is registered */
static struct ue_event tick, line, any;

static int write_line(uint32_t id, char *text)
{
	size_t size = strlen(text) + 1; /* including the NUL, at most 65535 */
	struct line head = { id, (uint32_t)size << 16 };
	struct iovec iov[2] = { { &head, sizeof(head) }, { text, size } };

	return ue_event_writev(&line, iov, 2);
}

static int write_two(void)
{
	static char text[] = "hello";
	struct tick payload = { 1, 42, 1500 };
	int error = ue_event_register(&tick, "script_tick u8 kind; u32 count; s64 took_ns", 0);

	if (!error)
		error = ue_event_register(&line, "script_line u32 id; __rel_loc char[] text", 0);
	if (!error)
		error = ue_event_write(&tick, &payload, sizeof(payload));
	if (!error)
		error = write_line(7, text);
	return error;
}

static int write_any(const char *spec, int rounds)
{
	char payload[1024] = { 0 };
	int error = ue_event_register(&any, spec, 0);

	for (uint32_t count = 0; !error && count < (uint32_t)rounds; count++) {
		memcpy(payload, &count, sizeof(count));
		/* a payload may be longer than the event's fields, but not shorter */
		error = ue_event_write(&any, payload, sizeof(payload));
		usleep(100000);
	}
	return error;
}

int main(int argc, char **argv)
{
	int error = argc > 1 ? write_any(argv[1], argc > 2 ? atoi(argv[2]) * 10 : 10) : write_two();
	struct ue_status status = ue_status();

	if (error)
		fprintf(stderr, "runtime: %s\n",
			status.error ? status.message : ue_strerror(error));
	return error != 0;
}
