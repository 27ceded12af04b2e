/* SPDX-License-Identifier: MIT */
/*
 * Writes a recorder file on one machine and reads it on another.
 *
 *   recorder_machine write FILE     records 2 x 100 events, of which the file keeps the last ones
 *   recorder_machine read FILE...   exits with 1 if a file contains a wrong event
 *
 * tests/uetrace/recorder_machines.sh runs this program on several machines. The program also wrote
 * tests/data/recorder_MACHINE.uer:
 *
 *   i686-linux-gnu-gcc -static -O2 -Iinclude tests/data/recorder_machine.c -o recorder_machine
 *   ./recorder_machine write tests/data/recorder_i686.uer
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include <user_events_capture.h>
#include <user_events_recorder.h>

UE_EVENT_SET(info, "Machine", UE_LEVEL_INFORMATION, 0x1);

enum { EVENTS = 100 };

static int write_file(const char *path)
{
	int error;

	prctl(PR_SET_NAME, "a machine"); /* otherwise, the name would be that of the emulator */
	error = ue_recorder_open(path, 4096, UE_RECORDER_RINGS(1));
	if (error) {
		fprintf(stderr, "recorder_machine: %s: %s\n", path, strerror(-error));
		return 1;
	}
	for (uint32_t i = 0; i < EVENTS; i++) {
		UE_TRACE(typed, UE_U32(number, i), UE_I16(less, (int16_t)-i),
			 UE_U64(more, i * 0x0123456789abcdefull), UE_STR(text, "a text"));
		UE_LOG(info, "Other", UE_U32(number, i), UE_F64(half, i / 2.0),
		       UE_STR(text, "another"));
	}
	return ue_recorder_close() ? 1 : 0;
}

/* Returns true if EVENT equals the event that was written as number I. */
static bool is_right(const struct ue_capture_event *event, uint32_t i)
{
	bool typed = event->name_length == 5 && !memcmp(event->name, "typed", 5);
	char text[16] = "", name[17];

	snprintf(name, sizeof(name), "%s", event->program);
	if (ue_captured_u64(event, "number") != i || !event->time || !event->pid || !event->tid ||
	    strcmp(name, "a machine") != 0)
		return false;
	ue_captured_string(event, "text", text, sizeof(text));
	if (typed)
		return ue_captured_i64(event, "less") == -(int64_t)i && !strcmp(text, "a text") &&
		       ue_captured_u64(event, "more") == i * 0x0123456789abcdefull;
	return event->eventheader && !strcmp(text, "another") &&
	       ue_captured_double(event, "half") == i / 2.0;
}

static int read_file(const char *path)
{
	static struct ue_recorder_reader reader;
	static char bytes[1 << 16];
	struct ue_capture_event event;
	FILE *file = fopen(path, "rb");
	unsigned int n = 0, next = 0;
	size_t size;
	int more;

	if (!file) {
		perror(path);
		return 1;
	}
	size = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	if (ue_recorder_read(&reader, bytes, size)) {
		fprintf(stderr, "recorder_machine: %s is no recorder\n", path);
		return 1;
	}
	for (; (more = ue_recorder_next(&reader, &event)) == 1; n++) {
		if (!n)
			next = 2 * (unsigned int)ue_captured_u64(&event, "number") +
			       (event.eventheader ? 1 : 0);
		if (!is_right(&event, next++ / 2)) {
			fprintf(stderr, "recorder_machine: %s: event %u is not right\n", path, n);
			return 1;
		}
	}
	if (more || next != 2 * EVENTS || n < 20 || reader.torn ||
	    n + reader.overwritten != 2 * EVENTS) {
		fprintf(stderr, "recorder_machine: %s: %u events, %u overwritten, %u torn\n", path,
			n, (unsigned int)reader.overwritten, (unsigned int)reader.torn);
		return 1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	int status = 0;

	if (argc == 3 && !strcmp(argv[1], "write"))
		return write_file(argv[2]);
	if (argc < 3 || strcmp(argv[1], "read") != 0)
		return 64;
	for (int i = 2; i < argc; i++)
		status |= read_file(argv[i]);
	return status;
}
