/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The user_events.h authors */
/*
 * user_events_capture.h - captures the events of a program in memory, for unit tests.
 *
 *	static struct ue_capture capture;
 *	static char memory[1 << 16];
 *	struct ue_capture_event event;
 *
 *	ue_capture_memory(&capture, memory, sizeof(memory));
 *	serve("/index.html");
 *	ue_capture_stop(&capture);
 *	assert(ue_capture_find(&capture, "request_done", &event) == 0);
 *	assert(ue_captured_u64(&event, "status") == 200);
 *
 * A capture stores the events of all threads in a process. It needs no tracer, no privileges and no
 * kernel with user_events. When the memory is full, it keeps the oldest events and counts the
 * others. To store events in a file, or to store the events of several processes, use
 * user_events_recorder.h. The ue_captured_...() functions also accept events from a recorder.
 *
 * Contents:
 *
 *	interface	Capturing, Finding events, Fields
 *	implementation	Records, Capturing, Finding, Format files, Fields
 *
 * Names that begin with ue__ or UE__ are private.
 *
 * Copy this header along with user_events.h, user_events_probe.h and user_events_decode.h. The
 * manual is docs/capture.md. This header needs C11 or C++11.
 */
#ifndef UE_USER_EVENTS_CAPTURE_H
#define UE_USER_EVENTS_CAPTURE_H
#ifndef UE__I_NO_SYSTEM_HEADER
#pragma GCC system_header
#endif

#include "user_events.h"
#include "user_events_decode.h"
#include "user_events_probe.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#if !defined(UE_DISABLE) && !defined(UE__I_DECLARED_ONLY)
#include <sys/syscall.h>
#endif

UE__I_HEADER_BEGIN

/*
 * Capturing
 * =========
 */

/* A capture. The caller must zero this struct before its first use. */
struct ue_capture { /* all members are private */
	unsigned char *memory;
	size_t size, used, lost;
	struct ue__capture_spec *formats; /* linked list of formats */
	bool runs;
};

/*
 * Starts capturing every event of this program or library into SIZE bytes at MEMORY, at least 256.
 * Clears the memory first. C and MEMORY must stay valid until ue_capture_stop() returns, and MEMORY
 * must also stay valid while it is searched. When the memory is full, further events are counted as
 * lost.
 *
 * An event takes 40 bytes plus its payload, rounded up to a multiple of 8. The first event of each
 * format takes another 32 bytes plus the format. After fork(), the child continues capturing into
 * its own copy of C and MEMORY, so neither may be in shared memory.
 *
 * Returns 0, -EINVAL if MEMORY is NULL or SIZE is below 256, -EBUSY if the capture is running, or
 * an error of ue_probe_register(): -ENOMEM, or -ENOSYS with UE_DISABLE. Any number of captures can
 * run at the same time. Thread-safe for different captures; not async-signal-safe.
 */
UE__I_API int ue_capture_memory(struct ue_capture *c, void *memory, size_t size);

/*
 * Stops a capture. After this call has returned, no thread writes to the memory, but the memory can
 * still be searched. Returns 0, -ENOENT if the capture is not running, or -EDEADLK within a probe.
 * Thread-safe for different captures; not async-signal-safe.
 */
UE__I_API int ue_capture_stop(struct ue_capture *c);

/*
 * Returns the number of events that did not fit in the memory. Can also be called after
 * ue_capture_stop(). Thread-safe, async-signal-safe.
 */
UE__I_API uint64_t ue_capture_lost(const struct ue_capture *c);

/*
 * Returns a message that describes a -errno result of this header and how to fix it. For other
 * numbers, returns the message of strerror(). Do not free the string. This function is as
 * thread-safe and async-signal-safe as strerror().
 */
UE__I_API const char *ue_capture_strerror(int error);

/*
 * Finding events
 * ==============
 */

/*
 * Find the first captured event with the given NAME, or the next one after EVENT. NAME is the name
 * of a tracepoint ("request_done", "MyApp_L4K1") or of an EventHeader event ("RequestDone"). If
 * NAME is NULL, every event matches. Return 0, -ENOENT if there is no such event, or -EINVAL if C
 * was never started. If the capture is running, the search ends at an event that another thread is
 * still writing. Thread-safe, async-signal-safe.
 */
UE__I_API int ue_capture_find(const struct ue_capture *c, const char *name,
			      struct ue_capture_event *event);
UE__I_API int ue_capture_find_next(const struct ue_capture *c, const char *name,
				   struct ue_capture_event *event);

/* Returns the number of captured events with the given NAME, or -EINVAL if C was never started. */
UE__I_API int ue_capture_count(const struct ue_capture *c, const char *name);

/*
 * Writes all events with the given NAME (or all events if NAME is NULL) to FD, one line of JSON per
 * event. This is useful when a test fails. Returns the number of events, -EINVAL if C was never
 * started, or the -errno of write(). Thread-safe, async-signal-safe.
 */
UE__I_API int ue_capture_dump(const struct ue_capture *c, const char *name, int fd);

/*
 * Fields
 * ======
 *
 * Return the value of a field. FIELD is a name or a path, such as "peer.host", "samples[2]" or
 * "peers[0].port". If the field does not exist or has another type, these functions return
 * UINT64_MAX, INT64_MIN or NaN. Negative numbers are converted as in a C cast. Integers are
 * converted to double, but floats are not converted to integers. These and all functions below are
 * thread-safe and async-signal-safe.
 */
UE__I_API uint64_t ue_captured_u64(const struct ue_capture_event *event, const char *field);
UE__I_API int64_t ue_captured_i64(const struct ue_capture_event *event, const char *field);
UE__I_API double ue_captured_double(const struct ue_capture_event *event, const char *field);

/*
 * Writes any field as text, in the format of ue_decode_value(): a UTF-8 string, a number,
 * "[1,2,3]", "true", a UUID and so on. Writes at most SIZE bytes, including the NUL. Like
 * snprintf(), returns the length of the whole text. If there is no such field, returns -ENOENT and
 * writes "" to BUFFER.
 */
UE__I_API int ue_captured_string(const struct ue_capture_event *event, const char *field,
				 char *buffer, size_t size);

/*
 * Finds a field, and stores it in ITEM for the functions of user_events_decode.h. Returns 0,
 * -ENOENT if there is no such field, or -EBADMSG if the value extends past the end of the record.
 * On return, ITEM may point into EVENT and into FIELD.
 */
UE__I_API int ue_captured_item(const struct ue_capture_event *event, const char *field,
			       struct ue_decode_item *item);

/*
 * Write the event as one JSON object. FLAGS and results are the same as for ue_decode_json() and
 * ue_decode_json_to().
 */
UE__I_API size_t ue_captured_json(const struct ue_capture_event *event, unsigned int flags,
				  char *buffer, size_t size);
UE__I_API int ue_captured_json_to(const struct ue_capture_event *event, unsigned int flags,
				  ue_decode_write_fn write, void *context);

/*
 * Compares the whole event with a line of JSON. JSON is the line that ue_captured_json() writes
 * with the flags UE_DECODE_SPACED | UE_DECODE_NO_META, and that UE_PRINT prints. Returns true if
 * both are equal. Otherwise returns false and writes both lines to FD, so that a failed test shows
 * the difference:
 *
 *	assert(ue_captured_equals(&event, "{ \"n\": \"user_events:request_done\", ... }", 2));
 *
 *	expected: { "n": "user_events:request_done", "status": 200 }
 *	     got: { "n": "user_events:request_done", "status": 404 }
 *
 * With UE_DISABLE, returns false.
 */
UE__I_API bool ue_captured_equals(const struct ue_capture_event *event, const char *json, int fd);

/* Buffer size, in bytes, that is sufficient for any text of ue_capture_format_text() */
#define UE_CAPTURE_TEXT 8192

/*
 * Writes the format file that tracefs would show for an event with the definition SPEC and the
 * number ID. The text is suitable for ue_decode_format_parse() and other readers. Like snprintf(),
 * returns the length of the whole text. With UE_DISABLE, returns 0, so only fields of EventHeader
 * events can be found.
 */
UE__I_API size_t ue_capture_format_text(const char *spec, unsigned int id, char *buffer,
					size_t size);

#ifndef UE__I_DECLARED_ONLY

/*
 * Implementation
 * ==============
 *
 * Records
 * -------
 *
 * The memory is a sequence of records. Each record is a format or an event, and each event points
 * to its format. A writer first reserves space for a record, and stores the size of the record
 * last. A record whose size is 0 is therefore still being written, and a search ends at such a
 * record.
 */
#ifndef UE_DISABLE
enum { UE__CAPTURE_LEAST = 256 /* minimum memory, in bytes */ };

struct ue__capture_record {
	size_t size;			       /* size of the whole record, a multiple of 8 */
	const struct ue__capture_spec *format; /* format of the event; NULL if this is a format */
};

/* Record for a format. The definition of the event follows. */
struct ue__capture_spec {
	struct ue__capture_record head;
	struct ue__capture_spec *next; /* next format in the list */
	uint32_t serial, zero;	       /* serial number of the event; padding */
};

/* Record for an event. The payload follows. */
struct ue__capture_entry {
	struct ue__capture_record head;
	uint64_t time, size; /* time in ns; payload size in bytes */
	struct ue__decode_common common;
};

UE__I_FN size_t ue__capture_padded(size_t size)
{
	return (size + 7) & ~(size_t)7;
}

/* Reserves a record of SIZE zero bytes. Returns NULL if the memory is full. */
UE__I_FN void *ue__capture_reserve(struct ue_capture *c, size_t size)
{
	size_t used = UE__I_LOAD(&c->used);

	do {
		if (size > c->size - used)
			return NULL;
	} while (!__atomic_compare_exchange_n(&c->used, &used, used + ue__capture_padded(size),
					      true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	return c->memory + used;
}

/* Stores the reserved SIZE in RECORD, which marks the record as complete. */
UE__I_FN void ue__capture_commit(struct ue__capture_record *record, size_t size)
{
	__atomic_store_n(&record->size, ue__capture_padded(size), __ATOMIC_RELEASE);
}

/*
 * Capturing
 * ---------
 *
 * A probe on all events writes a record for each event. Before the first event of a format, it
 * writes a record for the format.
 */

/*
 * Returns CLOCK_MONOTONIC in ns. Makes the system call itself, because strict compiler modes hide
 * clock_gettime().
 */
UE__I_FN uint64_t ue__capture_clock(void)
{
	enum { UE__CAPTURE_MONOTONIC = 1 };
#ifdef SYS_clock_gettime
	long time[2] = { 0, 0 };

	ue__i_syscall3(SYS_clock_gettime, UE__CAPTURE_MONOTONIC, (long)time, 0);
#else
	int64_t time[2] = { 0, 0 };

	ue__i_syscall3(SYS_clock_gettime64, UE__CAPTURE_MONOTONIC, (long)time, 0);
#endif
	return (uint64_t)time[0] * 1000000000u + (uint64_t)time[1];
}

/*
 * Returns the format of EVENT, and adds it to the capture if necessary. Returns NULL if the memory
 * is full or EVENT has no definition.
 */
UE__I_FN const struct ue__capture_spec *ue__capture_format(struct ue_capture *c,
							   const struct ue_event *event)
{
	uint32_t serial = UE__I_LOAD(&event->serial);
	struct ue__capture_spec *first = __atomic_load_n(&c->formats, __ATOMIC_ACQUIRE), *f;
	char spec[UE__F_SPEC_SIZE];
	size_t size;

	for (f = first; f; f = f->next)
		if (f->serial == serial)
			return f;
	if (ue_event_spec(event, spec, sizeof(spec)) < 0)
		return NULL;
	size = sizeof(*f) + strlen(spec) + 1;
	f = (struct ue__capture_spec *)ue__capture_reserve(c, size);
	if (!f)
		return NULL;
	f->serial = serial;
	memcpy(f + 1, spec, size - sizeof(*f));
	ue__capture_commit(&f->head, size);
	do {
		f->next = first;
	} while (!__atomic_compare_exchange_n(&c->formats, &first, f, false, __ATOMIC_ACQ_REL,
					      __ATOMIC_ACQUIRE));
	return f;
}

/* Probe function that captures an event. */
UE__I_FN void ue__capture_probe(struct ue_event *event, const void *payload, size_t size,
				void *data)
{
	struct ue_capture *c = (struct ue_capture *)data;
	const struct ue__capture_spec *format = ue__capture_format(c, event);
	size_t whole = sizeof(struct ue__capture_entry) + size;
	struct ue__capture_entry *e = NULL;

	if (format)
		e = (struct ue__capture_entry *)ue__capture_reserve(c, whole);
	if (!e) {
		__atomic_fetch_add(&c->lost, 1, __ATOMIC_RELAXED);
		return;
	}
	e->head.format = format;
	e->time = ue__capture_clock();
	e->size = size;
	e->common.type = (uint16_t)format->serial;
	e->common.tid = (uint32_t)ue__i_syscall3(SYS_gettid, 0, 0, 0);
	memcpy(e + 1, payload, size);
	ue__capture_commit(&e->head, whole);
}

UE__I_API int ue_capture_memory(struct ue_capture *c, void *memory, size_t size)
{
	size_t skip = ue__capture_padded((uintptr_t)memory) - (uintptr_t)memory;
	int error;

	if (c->runs)
		return -EBUSY;
	if (!memory || size < UE__CAPTURE_LEAST)
		return -EINVAL;
	memset(memory, 0, size);
	memset(c, 0, sizeof(*c));
	c->memory = (unsigned char *)memory + skip;
	c->size = (size - skip) & ~(size_t)7;
	error = ue_probe_register(NULL, ue__capture_probe, c);
	c->runs = !error;
	return error;
}

UE__I_API int ue_capture_stop(struct ue_capture *c)
{
	if (!c->runs)
		return -ENOENT;
	if (ue_probe_unregister(NULL, ue__capture_probe, c) == -EDEADLK)
		return -EDEADLK;
	c->runs = false;
	return 0;
}

UE__I_API uint64_t ue_capture_lost(const struct ue_capture *c)
{
	return UE__I_LOAD(&c->lost);
}

/*
 * Finding
 * -------
 */

/* Returns the first event at or after OFFSET, or NULL. */
UE__I_FN const struct ue__capture_entry *ue__capture_seek(const struct ue_capture *c, size_t offset)
{
	const struct ue__capture_record *record;
	size_t size;

	for (; offset < UE__I_LOAD(&c->used); offset += size) {
		record = (const struct ue__capture_record *)(const void *)(c->memory + offset);
		size = __atomic_load_n(&record->size, __ATOMIC_ACQUIRE);
		if (!size)
			break;
		if (record->format)
			return (const struct ue__capture_entry *)(const void *)record;
	}
	return NULL;
}

UE__I_FN void ue__capture_get(const struct ue_capture *c, const struct ue__capture_entry *e,
			      struct ue_capture_event *event)
{
	memset(event, 0, sizeof(*event));
	event->spec = (const char *)(e->head.format + 1);
	event->record = (const uint8_t *)&e->common;
	event->size = sizeof(e->common) + (size_t)e->size;
	event->time = e->time;
	event->program = "";
	event->format = e->head.format->serial;
	event->pid = ue__pid();
	event->tid = e->common.tid;
	event->cpu = UINT32_MAX;
	event->big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	event->offset = (size_t)((const unsigned char *)e - c->memory) + e->head.size;
	ue__capture_event_decode(event);
}

UE__I_FN bool ue__capture_named(const struct ue_capture_event *event, const char *name)
{
	size_t n = name ? strlen(name) : 0;

	if (!name || (event->name_length == n && !memcmp(event->name, name, n)))
		return true;
	return strcspn(event->spec, " ") == n && !memcmp(event->spec, name, n);
}

UE__I_API int ue_capture_find_next(const struct ue_capture *c, const char *name,
				   struct ue_capture_event *event)
{
	struct ue_capture_event found;
	const struct ue__capture_entry *e;

	if (!c->memory)
		return -EINVAL;
	for (found.offset = event->offset; (e = ue__capture_seek(c, found.offset)) != NULL;) {
		ue__capture_get(c, e, &found);
		if (ue__capture_named(&found, name)) {
			*event = found;
			return 0;
		}
	}
	return -ENOENT;
}

UE__I_API int ue_capture_find(const struct ue_capture *c, const char *name,
			      struct ue_capture_event *event)
{
	memset(event, 0, sizeof(*event));
	return ue_capture_find_next(c, name, event);
}

UE__I_API int ue_capture_count(const struct ue_capture *c, const char *name)
{
	struct ue_capture_event event;
	int count = 0, error = ue_capture_find(c, name, &event);

	for (; !error; error = ue_capture_find_next(c, name, &event))
		count++;
	return error == -ENOENT ? count : error;
}

/* Writes a part of the JSON text to the fd at CONTEXT. */
UE__I_FN int ue__capture_write(void *context, const char *text, size_t size)
{
	long n;

	for (; size; size -= (size_t)n, text += n) {
		n = ue__i_syscall3(SYS_write, *(int *)context, (long)text, (long)size);
		if (n == -EINTR)
			n = 0;
		else if (n < 0)
			return (int)n;
	}
	return 0;
}

UE__I_API int ue_capture_dump(const struct ue_capture *c, const char *name, int fd)
{
	struct ue_capture_event event;
	int count = 0, error = ue_capture_find(c, name, &event);

	for (; !error; count++) {
		error = ue_captured_json_to(&event, UE_DECODE_SPACED, ue__capture_write, &fd);
		if (!error)
			error = ue__capture_write(&fd, "\n", 1);
		if (!error)
			error = ue_capture_find_next(c, name, &event);
	}
	return error == -ENOENT ? count : error;
}

#else /* UE_DISABLE */

UE__I_DISABLED(-ENOSYS, int ue_capture_memory(struct ue_capture *c, void *memory, size_t size))
UE__I_DISABLED(-ENOENT, int ue_capture_stop(struct ue_capture *c))
UE__I_DISABLED(0, uint64_t ue_capture_lost(const struct ue_capture *c))
UE__I_DISABLED(-EINVAL, int ue_capture_find(const struct ue_capture *c, const char *name,
					    struct ue_capture_event *event))
UE__I_DISABLED(-EINVAL, int ue_capture_find_next(const struct ue_capture *c, const char *name,
						 struct ue_capture_event *event))
UE__I_DISABLED(-EINVAL, int ue_capture_count(const struct ue_capture *c, const char *name))
UE__I_DISABLED(-EINVAL, int ue_capture_dump(const struct ue_capture *c, const char *name, int fd))

#endif /* UE_DISABLE */

UE__I_API const char *ue_capture_strerror(int error)
{
	switch (error) {
	case -EINVAL:
		return "the capture has less than 256 bytes of memory, or was never started; "
		       "call ue_capture_memory() with enough memory";
	case -EBUSY:
		return "the capture is already running; call ue_capture_stop() first";
	case -ENOENT:
		return "no such event or field was captured, or the capture is not running; check "
		       "the name, and call ue_capture_memory() first";
	case -EDEADLK:
		return "a probe cannot stop a capture; call ue_capture_stop() outside probes";
	case -ENOSYS:
		return "events are compiled out by UE_DISABLE";
	default:
		return strerror(error < 0 ? (int)(0u - (unsigned int)error) : error);
	}
}

/*
 * Format files
 * ------------
 *
 * A kernel-typed event is decoded with the format file that tracefs would show. The text of this
 * file is generated from the definition of the event. EventHeader events contain their own
 * definition and need no format file.
 */
#ifndef UE_DISABLE

/* Returns the size of field F in bytes, or 0 if its type is unknown. */
UE__I_FN uint32_t ue__size_of_field(const struct ue__i_field_words *f)
{
	const char *type = f->word[0], *name = f->word[f->name], *bracket;
	struct ue__decode_declaration d;
	unsigned long count = 1;

	if (f->name == 0)
		return 0;
	if (f->name + 1 < f->words) /* "struct TYPE NAME SIZE" */
		return (uint32_t)strtoul(f->word[f->name + 1], NULL, 10);
	ue__decode_declare(&d, type, name + f->length[f->name], 8);
	if (d.words & (UE__DECODE_DATA_WORD | UE__DECODE_REL_WORD))
		return 4;
	bracket = (const char *)memchr(type, '[', (size_t)(name - type));
	if (bracket) /* accepts decimal, hexadecimal and octal numbers, like the kernel */
		count = strtoul(bracket + 1, NULL, 0);
	return count <= 1024 ? d.type_size * (uint32_t)count : 0;
}

UE__I_FN void ue__capture_property(struct ue__i_text *t, const char *name, uint64_t value)
{
	ue__i_put(t, name);
	ue__i_put_number(t, value, 10);
}

/* Appends the line for field F at OFFSET. Returns the end of the field. */
UE__I_FN uint64_t ue__capture_field(struct ue__i_text *t, const struct ue__i_field_words *f,
				    uint64_t offset)
{
	const char *type = f->word[0];
	size_t length = f->name ? (size_t)(f->word[f->name - 1] - type) + f->length[f->name - 1]
				: 0;
	/* as in tracefs, "char[16] name" becomes "char name[]" */
	const char *bracket = (const char *)memchr(type, '[', length);
	uint32_t bytes = ue__size_of_field(f);

	ue__i_put(t, "\tfield:");
	ue__i_put_bytes(t, type, bracket ? (size_t)(bracket - type) : length);
	ue__i_put(t, " ");
	ue__i_put_bytes(t, f->word[f->name], f->length[f->name]);
	ue__i_put(t, bracket ? "[]" : "");
	ue__capture_property(t, ";\toffset:", offset);
	ue__capture_property(t, ";\tsize:", bytes);
	ue__capture_property(t, ";\tsigned:", *type != 'u');
	ue__i_put(t, ";\n");
	return offset + bytes;
}

UE__I_API size_t ue_capture_format_text(const char *spec, unsigned int id, char *buffer,
					size_t size)
{
	static const char common[] =
		"\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
		"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n";
	const char *p = spec + strcspn(spec, " ");
	struct ue__i_text t = ue__i_text_in(buffer, size);
	struct ue__i_field_words f;
	uint64_t offset = sizeof(struct ue__decode_common);

	ue__i_put(&t, "name: ");
	ue__i_put_bytes(&t, spec, (size_t)(p - spec));
	ue__capture_property(&t, "\nID: ", id);
	ue__i_put(&t, common);
	for (; *p; p += *p == ';') {
		p = ue__i_split_field(p, &f);
		if (f.words)
			offset = ue__capture_field(&t, &f, offset);
	}
	ue__i_put(&t, "\nprint fmt: \"\"\n");
	return t.length;
}

#else /* UE_DISABLE */

UE__I_API size_t ue_capture_format_text(const char *spec, unsigned int id, char *buffer,
					size_t size)
{
	(void)spec, (void)id;
	if (size)
		*buffer = '\0';
	return 0;
}

#endif /* UE_DISABLE */

/*
 * Fields
 * ------
 *
 * Finds a field by its path, and converts its value to a number or to text.
 */

/* Format of a kernel-typed event, with its fields and its text. */
struct ue__capture_format {
	struct ue_decode_format format;
	struct ue_decode_field fields[128]; /* a 511-byte definition contains fewer fields */
	char text[UE_CAPTURE_TEXT];
};

UE__I_FN void ue__capture_parse(const struct ue_capture_event *event, struct ue__capture_format *f)
{
	size_t n = ue_capture_format_text(event->spec, (uint16_t)event->format, f->text,
					  sizeof(f->text));

	memset(&f->format, 0, sizeof(f->format));
	f->format.system = "user_events";
	f->format.system_length = strlen(f->format.system);
	f->format.fields = f->fields;
	f->format.fields_max = sizeof(f->fields) / sizeof(f->fields[0]);
	f->format.big_endian = event->big_endian;
	ue_decode_format_parse(&f->format, f->text, n < sizeof(f->text) ? n : sizeof(f->text) - 1);
	if (f->format.field_count > f->format.fields_max)
		f->format.field_count = f->format.fields_max;
}

/* Reads an index such as "[2]" at *PATH, and advances *PATH past it. */
UE__I_FN bool ue__captured_index(const char **path, uint32_t *index)
{
	const char *p = *path;
	uint64_t n = 0;

	if (*p++ != '[' || (*p < '0' || *p > '9'))
		return false;
	while ((*p >= '0' && *p <= '9') && n <= UINT32_MAX)
		n = 10 * n + (uint64_t)(*p++ - '0');
	*path = p + 1;
	*index = (uint32_t)n;
	return *p == ']' && n <= UINT32_MAX;
}

/*
 * Replaces ITEM, an array of fixed-size values, with the element selected by PATH. Does nothing if
 * PATH is empty.
 */
UE__I_FN int ue__captured_element(struct ue_decode_item *item, const char *path)
{
	uint32_t index;
	size_t unit;

	if (!*path)
		return 0;
	if (item->type != UE_DECODE_ARRAY || !ue__captured_index(&path, &index) || *path ||
	    !item->value)
		return -ENOENT;
	unit = ue__decode_kinds[item->kind].fixed;
	if (index >= item->size / unit) /* a damaged event may have fewer than item->count */
		return -ENOENT;
	item->type = UE_DECODE_VALUE;
	item->value += index * unit;
	item->size = unit;
	item->index = index;
	item->count = 1;
	item->array = 0;
	return 0;
}

/* Finds a field of a kernel-typed event. */
UE__I_FN int ue__captured_plain(const struct ue_capture_event *event, const char *path,
				struct ue_decode_item *item)
{
	struct ue__capture_format f;
	size_t i, n = strcspn(path, "[");
	const struct ue_decode_field *field;

	ue__capture_parse(event, &f);
	for (i = 0; i < f.format.field_count; i++) {
		field = &f.fields[i];
		if (field->common || field->name_length != n || memcmp(field->name, path, n))
			continue;
		if (ue_decode_format_item(&f.format, field, event->record, event->size, item))
			return -EBADMSG;
		item->name = path; /* the old pointer refers to F, which goes out of scope */
		return ue__captured_element(item, path + n);
	}
	return -ENOENT;
}

/* Finds a field of an EventHeader event. */
UE__I_FN int ue__captured_deep(const struct ue_capture_event *event, const char *path,
			       struct ue_decode_item *item)
{
	struct ue_decode_fields fields;
	const struct ue_decode_item *i = &fields.item;
	size_t n = strcspn(path, ".[");
	uint32_t index = 0;
	unsigned int depth = 0;
	bool element = false; /* true to search for element INDEX instead of a name */

	ue_decode_start(&fields, &event->decoded);
	while (ue_decode_next(&fields) > 0) {
		if (i->type == UE_DECODE_STRUCT_END || i->type == UE_DECODE_ARRAY_END) {
			if (i->depth < depth)
				return -ENOENT; /* the struct or array has ended */
			continue;
		}
		if (i->depth != depth ||
		    (element ? i->index != index : i->name_length != n || memcmp(i->name, path, n)))
			continue;
		if (!element)
			path += n;
		if (!*path || (i->type == UE_DECODE_ARRAY && i->value)) {
			*item = *i;
			return ue__captured_element(item, path);
		}
		element = i->type == UE_DECODE_ARRAY;
		if (element ? !ue__captured_index(&path, &index)
			    : i->type != UE_DECODE_STRUCT || *path++ != '.')
			return -ENOENT;
		n = element ? 0 : strcspn(path, ".[");
		depth++;
	}
	return fields.error ? -EBADMSG : -ENOENT;
}

UE__I_API int ue_captured_item(const struct ue_capture_event *event, const char *field,
			       struct ue_decode_item *item)
{
	if (!event->spec)
		return -ENOENT; /* ue_capture_find() found no event */
	if (event->eventheader)
		return ue__captured_deep(event, field, item);
	return ue__captured_plain(event, field, item);
}

struct ue__captured_number {
	uint64_t bits; /* sign-extended value of an integer, or the bits of a float */
	bool is_signed;
	size_t float_size; /* size of a float in bytes, or 0 */
};

UE__I_FN bool ue__captured_read(const struct ue_capture_event *event, const char *field,
				struct ue__captured_number *n)
{
	struct ue_decode_item item;
	unsigned int unused;

	if (ue_captured_item(event, field, &item) || item.type != UE_DECODE_VALUE ||
	    item.kind < UE_DECODE_KIND_VALUE8 || item.kind > UE_DECODE_KIND_VALUE64)
		return false;
	/* a port is in network byte order */
	n->bits = ue__decode_load(item.value, item.size,
				  item.big_endian ||
					  (item.format == UE_DECODE_FORMAT_PORT && item.size == 2));
	n->float_size = item.format == UE_DECODE_FORMAT_FLOAT ? item.size : 0;
	n->is_signed = item.format == UE_DECODE_FORMAT_SIGNED ||
		       item.format == UE_DECODE_FORMAT_ERRNO ||
		       item.format == UE_DECODE_FORMAT_PID || item.format == UE_DECODE_FORMAT_TIME;
	unused = 64 - 8 * (unsigned int)item.size;
	if (n->is_signed)
		n->bits = (uint64_t)((int64_t)(n->bits << unused) >> unused);
	return true;
}

UE__I_FN uint64_t ue__captured_integer(const struct ue_capture_event *event, const char *field,
				       uint64_t none)
{
	struct ue__captured_number n;

	return ue__captured_read(event, field, &n) && !n.float_size ? n.bits : none;
}

UE__I_API uint64_t ue_captured_u64(const struct ue_capture_event *event, const char *field)
{
	return ue__captured_integer(event, field, UINT64_MAX);
}

UE__I_API int64_t ue_captured_i64(const struct ue_capture_event *event, const char *field)
{
	return (int64_t)ue__captured_integer(event, field, (uint64_t)INT64_MIN);
}

UE__I_API double ue_captured_double(const struct ue_capture_event *event, const char *field)
{
	struct ue__captured_number n;
	uint32_t half;
	double d = 0;
	float f;

	if (!ue__captured_read(event, field, &n))
		return (double)__builtin_nan("");
	if (n.float_size == 8) {
		memcpy(&d, &n.bits, sizeof(d));
		return d;
	}
	if (n.float_size == 4) {
		half = (uint32_t)n.bits;
		memcpy(&f, &half, sizeof(f));
		return (double)f;
	}
	return n.is_signed ? (double)(int64_t)n.bits : (double)n.bits;
}

UE__I_API int ue_captured_string(const struct ue_capture_event *event, const char *field,
				 char *buffer, size_t size)
{
	struct ue_decode_item item;

	if (size)
		*buffer = '\0';
	if (ue_captured_item(event, field, &item) || item.type == UE_DECODE_STRUCT ||
	    (item.type == UE_DECODE_ARRAY && !item.value))
		return -ENOENT;
	return (int)ue_decode_value(&item, 0, buffer, size);
}

UE__I_FN void ue__captured_put(struct ue__decode_out *out, const struct ue_capture_event *event,
			       unsigned int flags)
{
	struct ue_decode_event decoded = event->decoded;
	struct ue__capture_format f;
	struct ue_decode_meta meta;

	meta.time = event->time + (uint64_t)event->wall;
	meta.cpu = event->cpu;
	meta.pid = event->pid;
	meta.tid = event->tid;
	meta.known = UE_DECODE_HAS_TIME | UE_DECODE_HAS_PID | UE_DECODE_HAS_TID |
		     (event->cpu == UINT32_MAX ? 0 : UE_DECODE_HAS_CPU) |
		     (event->wall ? UE_DECODE_HAS_WALL_TIME : 0);
	if (event->eventheader) {
		ue__decode_put_event(out, &decoded, &meta, flags);
	} else {
		ue__capture_parse(event, &f);
		ue__decode_put_record(out, &f.format, event->record, event->size, &meta, flags);
	}
}

UE__I_API size_t ue_captured_json(const struct ue_capture_event *event, unsigned int flags,
				  char *buffer, size_t size)
{
	struct ue__decode_out out;

	ue__decode_out_init(&out, flags | UE_DECODE_JSON, buffer, size, NULL, NULL);
	ue__captured_put(&out, event, flags);
	return ue__decode_out_end(&out, size);
}

UE__I_API int ue_captured_json_to(const struct ue_capture_event *event, unsigned int flags,
				  ue_decode_write_fn write, void *context)
{
	struct ue__decode_out out;

	ue__decode_out_init(&out, flags | UE_DECODE_JSON, NULL, 0, write, context);
	ue__captured_put(&out, event, flags);
	ue__decode_flush(&out);
	return out.result;
}

#ifndef UE_DISABLE

/* Advances *CONTEXT, the expected text, past TEXT. Returns -EBADMSG if the two differ. */
UE__I_FN int ue__captured_compare(void *context, const char *text, size_t size)
{
	const char **expected = (const char **)context;

	if (strncmp(*expected, text, size))
		return -EBADMSG;
	*expected += size;
	return 0;
}

UE__I_API bool ue_captured_equals(const struct ue_capture_event *event, const char *json, int fd)
{
	static const char before[] = "expected: ", between[] = "\n     got: ", none[] = "no event";
	const unsigned int flags = UE_DECODE_SPACED | UE_DECODE_NO_META;
	const char *rest = json;

	/* EVENT has no spec if ue_capture_find() has found no event */
	if (event->spec && !ue_captured_json_to(event, flags, ue__captured_compare, &rest) &&
	    !*rest)
		return true;
	ue__capture_write(&fd, before, sizeof(before) - 1);
	ue__capture_write(&fd, json, strlen(json));
	ue__capture_write(&fd, between, sizeof(between) - 1);
	if (event->spec)
		ue_captured_json_to(event, flags, ue__capture_write, &fd);
	else
		ue__capture_write(&fd, none, sizeof(none) - 1);
	ue__capture_write(&fd, "\n", 1);
	return false;
}

#else

UE__I_DISABLED(false, bool ue_captured_equals(const struct ue_capture_event *event,
					      const char *json, int fd))

#endif /* UE_DISABLE */

#endif /* UE__I_DECLARED_ONLY */

UE__I_HEADER_END
#endif /* UE_USER_EVENTS_CAPTURE_H */
