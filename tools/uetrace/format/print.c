/* SPDX-License-Identifier: MIT */
/* Prints events as lines of text. */
#include "format/format.h"
#include "event/event.h"
#include "fields/fields.h"
#include "select/select.h"
#include "util/util.h"

#include <event-parse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <trace-seq.h>
#include <tracefs.h>

struct printer {
	struct sink sink;
	FILE *out;
	struct writer w;
	struct trace_seq seq;
	bool symbols;
};

/* Text */

static void load_symbols(struct printer *p, const struct event *event)
{
	char *symbols;

	if (p->symbols || !event->live)
		return;
	p->symbols = true;
	symbols = read_text("/proc/kallsyms");
	if (symbols)
		tep_parse_kallsyms(event->handle, symbols);
	free(symbols);
}

/*
 * Appends a kernel address as "vfs_write+0x1c". User-space addresses, which are in the lower half
 * of the address space, have no symbol names and are printed in hexadecimal.
 */
static void put_address(struct printer *p, const struct event *event, unsigned long long address,
			bool offset)
{
	const char *name = address >> 63 ? tep_find_function(event->handle, address) : NULL;

	if (!name) {
		put_format(&p->w, "0x%llx", address);
		return;
	}
	put_shown(&p->w, name, strlen(name));
	if (offset)
		put_format(&p->w, "+0x%llx",
			   address - tep_find_function_address(event->handle, address));
}

/*
 * Kprobes and uprobes. libtraceevent does not print their arrays, small signed numbers and missing
 * strings correctly. Therefore, uetrace reads the values itself, and uses only the conversion
 * specifiers in the print format.
 */

/*
 * Appends a string field of a probe. loc is the field's __data_loc value, which contains the offset
 * and length of the string.
 */
static void put_probe_string(struct printer *p, const struct record *record, uint32_t loc)
{
	size_t offset = loc & 0xffff, size = loc >> 16;
	struct ue_decode_item item = { .type = UE_DECODE_VALUE, .kind = UE_DECODE_KIND_STRING8 };

	if (!size || offset > record->size || record->size - offset < size) {
		put_text(&p->w, "(fault)");
		return;
	}
	item.value = (const uint8_t *)record->data + offset;
	item.size = strnlen((const char *)item.value, size);
	put_value(&p->w, &item);
}

/*
 * Appends a value. how is the conversion specifier: "%d", "0x%x", "0x%Lx", "%pS", "'%c'" or
 * "\"%s\"".
 */
static void put_probe_value(struct printer *p, const struct event *event,
			    const struct record *record, const char *how, const uint8_t *data,
			    size_t unit)
{
	const char *conversion = strchr(how, '%') + 1;
	unsigned long long value = tep_read_number(event->handle, data, (int)unit);
	unsigned int shift = 64 - 8 * (unsigned int)unit;
	char c = (char)value;

	conversion += strspn(conversion, "lL");
	switch (*conversion) {
	case 's':
		put_probe_string(p, record, (uint32_t)value);
		break;
	case 'p':
		put_address(p, event, value, true);
		break;
	case 'c':
		put_format(&p->w, c >= ' ' && c <= '~' ? "'%c'" : "'\\x%02x'", (unsigned char)c);
		break;
	case 'x':
		put_format(&p->w, "0x%llx", value);
		break;
	case 'd':
		put_format(&p->w, "%lld", (long long)(value << shift) >> shift);
		break;
	default:
		put_format(&p->w, "%llu", value);
	}
}

/*
 * Appends a field. Searches the print format for " NAME=HOW" or, for an array, " NAME={HOW,HOW}",
 * and sets *formats to the end of this text.
 */
static void put_probe_field(struct printer *p, const struct event *event,
			    const struct ue_decode_field *field, const struct record *record,
			    const char **formats)
{
	char *name = text(" %.*s=", (int)field->name_length, field->name);
	const char *how = *formats ? strstr(*formats, name) : NULL;
	size_t n = 0, unit, i;

	put_name(&p->w, field->name, field->name_length);
	if (how) {
		how += strlen(name);
		*formats = how + strcspn(how, " ");
		for (i = 0; how + i < *formats; i++)
			n += how[i] == '%';
	}
	free(name);
	unit = n ? field->size / n : 0;
	if ((unit != 1 && unit != 2 && unit != 4 && unit != 8) || field->offset > record->size ||
	    record->size - field->offset < field->size) {
		put_char(&p->w, '?');
		return;
	}
	for (i = 0; i < n; i++) {
		if (*how == '{')
			put_char(&p->w, i ? ',' : '{');
		put_probe_value(p, event, record, how,
				(const uint8_t *)record->data + field->offset + i * unit, unit);
	}
	if (*how == '{')
		put_char(&p->w, '}');
}

/* Returns a numeric field of a record, or 0 if the record is too short. */
static unsigned long long number(const struct event *event, const struct record *record,
				 const struct ue_decode_field *field)
{
	if (field->offset > record->size || record->size - field->offset < field->size)
		return 0;
	return tep_read_number(event->handle, (const char *)record->data + field->offset,
			       (int)field->size);
}

static void put_probe(struct printer *p, const struct event *event, const struct record *record)
{
	const struct decoder *d = event->decoder;
	const struct ue_decode_field *field = d->fields + d->own;
	const char *formats = strstr(event->format_text, "\nprint fmt:");
	size_t i;

	load_symbols(p, event);
	put_text(&p->w, " (");
	if (event->probed) {
		put_shown(&p->w, event->probed, strlen(event->probed));
	} else if (d->places == 1) {
		put_address(p, event, number(event, record, field), true);
	} else { /* return probe: print the function and the return address */
		put_address(p, event, number(event, record, field + 1), true);
		put_text(&p->w, " <- ");
		put_address(p, event, number(event, record, field), false);
	}
	put_char(&p->w, ')');
	for (i = d->own + d->places; i < d->format.field_count; i++)
		put_probe_field(p, event, &d->fields[i], record, &formats);
}

/* Prints a kernel event that is not a probe, using its print format. */
static void put_kernel_event(struct printer *p, const struct event *event,
			     const struct record *record)
{
	struct tep_record tep = {
		.ts = record->time,
		.size = (int)record->size,
		.cpu = (int)record->cpu,
		.data = (void *)(uintptr_t)record->data,
		.record_size = (int)record->size,
		.ref_count = 1,
	};

	load_symbols(p, event);
	trace_seq_reset(&p->seq);
	tep_print_event(event->handle, &p->seq, &tep, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&p->seq);
	put_char(&p->w, ' ');
	put_shown(&p->w, p->seq.buffer, strlen(p->seq.buffer));
}

/* Prints the time of day, or the seconds of the recording's clock if the time of day is unknown. */
static void put_time(struct printer *p, const struct record *record)
{
	put_colour(&p->w, DIM);
	put_clock(&p->w, record->time + (uint64_t)record->realtime_offset, record->dated);
	put_colour(&p->w, PLAIN);
}

static void put_user_event(struct printer *p, struct event *event, const struct record *record)
{
	if (system_is_user(event->system))
		event_apply_types(event);
	put_plain_fields(&p->w, &event->decoder->format, record->data, record->size);
}

static void put_line(struct printer *p, struct event *event, const struct record *record)
{
	const struct thread *thread = thread_of(record);
	size_t begin;

	put_time(p, record);
	put_char(&p->w, ' ');
	if (record->cpu != CPU_UNKNOWN) {
		put_char(&p->w, '[');
		put_padded(&p->w, record->cpu, 3);
		put_text(&p->w, "] ");
	}
	begin = p->w.n;
	put_shown(&p->w, thread->name, strlen(thread->name));
	put_char(&p->w, '-');
	put_padded(&p->w, (uint32_t)thread->tid, 1);
	while (p->w.colours && p->w.n - begin < 20)
		put_char(&p->w, ' ');
	put_char(&p->w, ' ');
	if (event->eventheader) {
		size_t offset = header_offset(event, record);

		put_eventheader(&p->w, event->shown, (const char *)record->data + offset,
				record->size - offset);
	} else {
		put_event_name(&p->w, event->shown);
		if (event->probed || event->decoder->places)
			put_probe(p, event, record);
		else if (event->tep && (event->live || event_whole(event, record)))
			put_kernel_event(p, event, record);
		else
			put_user_event(p, event, record);
	}
	put_char(&p->w, '\n');
	put_end(&p->w, p->out);
}

/* The sink */

static void printer_event(struct sink *sink, struct event *event, const struct record *record)
{
	struct printer *p = (struct printer *)sink;

	event_parse(event);
	put_line(p, event, record);
}

static void printer_lost(struct sink *sink, uint64_t lost)
{
	struct printer *p = (struct printer *)sink;

	put_colour(&p->w, RED);
	put_format(&p->w, "[%llu events lost]\n", (unsigned long long)lost);
	put_colour(&p->w, PLAIN);
	put_end(&p->w, p->out);
}

static void printer_complete(struct sink *sink)
{
	struct printer *p = (struct printer *)sink;

	put_colour(&p->w, DIM);
	put_text(&p->w, "[complete from here on: of some CPUs, earlier events are overwritten]\n");
	put_colour(&p->w, PLAIN);
	put_end(&p->w, p->out);
}

static void printer_free(struct sink *sink)
{
	struct printer *p = (struct printer *)sink;

	trace_seq_destroy(&p->seq);
	free(p->w.line);
	free(p);
}

struct sink *printer_new(FILE *out, bool colours)
{
	struct printer *p = allocate(sizeof(*p));

	p->sink = (struct sink){ .event = printer_event,
				 .lost = printer_lost,
				 .complete = printer_complete,
				 .free = printer_free };
	p->out = out;
	p->w.colours = colours;
	trace_seq_init(&p->seq);
	return &p->sink;
}
