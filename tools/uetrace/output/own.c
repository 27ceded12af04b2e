/* SPDX-License-Identifier: MIT */
/* Generates events about uetrace itself. The system name "uetrace" is reserved for them. */
#include "output/sink.h"
#include "event/event.h"
#include "util/util.h"

#include <argp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void pass(struct sink *first, const char *name, const char *fields, struct record *record)
{
	struct event *event = allocate(sizeof(*event));

	event->ours = event->live = event->parsed = true;
	event->system = text("%s", OWN_SYSTEM);
	event->name = text("%s", name);
	event->shown = event_shown(event->system, event->name);
	event->format_text = text("name: %s\nID: 0\nformat:\n%s", name, fields);
	event_decode(event);
	record->dated = true;
	record->cpu = CPU_UNKNOWN;
	record->program = record->process = OWN_SYSTEM;
	record->pid = record->tid = getpid();
	record->machine = machine_here();
	sinks_event(first, event, record);
	event_free(event);
}

void own_counts(struct sink *first, const char *name, uint64_t time, int64_t realtime_offset,
		uint64_t events, uint64_t lost, bool lost_unknown)
{
#define VERSION_AND_EVENTS                                            \
	"\tfield:char version[16];\toffset:0;\tsize:16;\tsigned:0;\n" \
	"\tfield:u64 events;\toffset:16;\tsize:8;\tsigned:0;\n"
	static const char *const fields[] = {
		VERSION_AND_EVENTS "\tfield:u64 lost;\toffset:24;\tsize:8;\tsigned:0;\n",
		VERSION_AND_EVENTS "\tfield:u64 lost_at_least;\toffset:24;\tsize:8;\tsigned:0;\n",
	};
	struct {
		char version[16];
		uint64_t events, lost;
	} data = { .events = events, .lost = lost };
	struct record record = { .time = time,
				 .realtime_offset = realtime_offset,
				 .data = &data,
				 .size = sizeof(data) };

	snprintf(data.version, sizeof(data.version), "%s", strchr(argp_program_version, ' ') + 1);
	pass(first, name, fields[lost_unknown], &record);
}

void own_clock(struct sink *first, uint64_t time, int64_t realtime_offset, int64_t step)
{
	static const char fields[] = "\tfield:s64 step;\toffset:0;\tsize:8;\tsigned:1;\n";
	struct record record = { .time = time,
				 .realtime_offset = realtime_offset,
				 .data = &step,
				 .size = sizeof(step) };

	pass(first, "clock", fields, &record);
}
