/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The user_events.h authors */
/*
 * user_events_decode.h - decodes traced events into fields, text and JSON.
 *
 * This header is for programs that read traces, such as perf.data files, the ftrace ring buffer or
 * captured events. To use it, copy this file into your project. It depends only on the string
 * functions of libc.
 *
 *	struct ue_decode_event event;
 *	char line[4096];
 *
 *	ue_decode_parse(&event, "MyApp_L4K1", 10, bytes, size);
 *	ue_decode_json(&event, NULL, UE_DECODE_SPACED, line, sizeof(line));
 *	// { "n": "MyApp:RequestDone", "status": 200, "meta": { "level": 4, ... } }
 *
 * Functions:
 *
 *	ue_decode_parse()			reads the name, level and IDs of an event
 *	ue_decode_start(), ue_decode_next()	read the fields of the event one by one, in place
 *	ue_decode_next_definition()		reads the definition of a field without a value
 *	ue_decode_truncated()			returns whether the writer truncated the event
 *	ue_decode_value()			converts a value to text
 *	ue_decode_json(), ue_decode_json_to()	write an EventHeader event as one line of JSON
 *	ue_decode_format_parse()		reads the format file of a kernel-typed tracepoint
 *	ue_decode_format_item()			reads a field of a kernel-typed event, in place
 *	ue_decode_format_truncated()		returns whether the writer truncated the event
 *	ue_decode_format_json(), ue_decode_format_json_to()
 *						write a kernel-typed event as one line of JSON
 *	ue_decode_dotnet_parse()		reads a record of the .NET runtime
 *	ue_decode_dotnet_convert()		converts the record to an EventHeader event
 *	ue_decode_strerror()			returns the message for an error in an event
 *
 * The functions allocate no memory, take no locks and keep no state. Results are stored in structs
 * of the caller, whose pointers point into the bytes passed by the caller. All functions are
 * therefore thread-safe and async-signal-safe, and they do not change errno. Events of either byte
 * order can be read on machines of either byte order.
 *
 * Events may be damaged or hostile. Nothing outside the given bytes is read. Only the metadata of
 * .NET events is read recursively, at most 8 levels deep. The work is limited to UE_DECODE_WORK
 * units per byte of the event. All readable fields are returned first, followed by an error with
 * its byte offset. JSON stays well-formed and has the error in "meta".
 *
 * The chapters for users come first: configuration, events, fields, text and JSON, kernel-typed
 * events, .NET events, recorded events, errors. The chapters of the implementation follow in the
 * order in which an event is read and printed: bytes and names, the event, fields, output and
 * numbers, floating point, strings, values, JSON, format files, records, .NET metadata. Names that
 * begin with ue__ or UE__ are private.
 *
 * docs/eventheader.md describes the EventHeader format and the JSON output. This header needs C11
 * or C++11, and GCC 7 or clang 6.
 */
#ifndef UE_USER_EVENTS_DECODE_H
#define UE_USER_EVENTS_DECODE_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#ifdef __clang__
#pragma GCC diagnostic ignored "-Wunused-variable"
/* Unsigned arithmetic wraps intentionally in masks, dates and floats. */
#pragma clang attribute push(__attribute__((no_sanitize("integer"))), apply_to = function)
#endif
#ifdef __cplusplus
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wuseless-cast"
#endif
#pragma GCC diagnostic ignored "-Wold-style-cast" /* the header must also compile as C */
#pragma GCC diagnostic ignored "-Wzero-as-null-pointer-constant"
#endif

/*
 * Configuration
 * =============
 *
 * These macros can be defined before the include:
 *
 * UE_DECODE_DEPTH	Maximum nesting depth of structs and arrays, 1 to 255 (default 16). An array
 *			of structs counts as two levels. Other readers of the format stop at 8.
 *			Each level takes 72 bytes in struct ue_decode_fields.
 * UE_DECODE_WORK	Maximum number of units of work per byte of an event (default 128). Reading
 *			a field costs one unit per byte of its definition. Each struct in an array
 *			costs 8 more. The limit is needed because an array of structs defines its
 *			fields once, and they are read for every element: a few bytes can define
 *			65535 * 65535 empty structs. Normal events stay far below 128: to reach this
 *			limit, an event needs field names of 100 letters for values of one byte.
 */
#ifndef UE_DECODE_DEPTH
#define UE_DECODE_DEPTH 16
#endif
#if UE_DECODE_DEPTH < 1 || UE_DECODE_DEPTH > 255 /* ue_decode_item.depth is a byte */
#error "user_events_decode.h: UE_DECODE_DEPTH must be 1 to 255"
#endif

#ifndef UE_DECODE_WORK
#define UE_DECODE_WORK 128
#endif

/*
 * Events
 * ======
 *
 * An EventHeader event, as read by ue_decode_parse(). Lengths and sizes are in bytes. Strings have
 * a length and are not NUL-terminated. They should be UTF-8, but this is not checked.
 */
struct ue_decode_event {
	/* Parts of the tracepoint name. Lengths and keyword are 0 if the name is unknown. */
	const char *provider;
	size_t provider_length;
	const char *options; /* all options, such as "Gperf" */
	size_t options_length;
	const char *group; /* value of option G, such as "perf" */
	size_t group_length;
	uint64_t keyword;

	/* Fields of the header. */
	uint16_t id; /* event ID, or 0 */
	uint16_t tag;
	uint8_t flags; /* UE_DECODE_FLAG_... */
	uint8_t version;
	uint8_t opcode;
	uint8_t level;

	const uint8_t *activity; /* 16 bytes, or NULL */
	const uint8_t *related;	 /* 16 bytes, or NULL */
	const char *name;
	size_t name_length;	  /* length without attributes; 0 if the event has no metadata */
	size_t attributes_length; /* ";attribute=value...", right after the name */

	/* First error (UE_DECODE_E...) and its byte offset. */
	int error;
	size_t error_offset;

	/* The bytes of the event and their parts. */
	const uint8_t *data;
	size_t size;
	const uint8_t *definitions;
	size_t definitions_length;
	const uint8_t *payload;
};

#define UE_DECODE_FLAG_POINTER64 1
#define UE_DECODE_FLAG_LITTLE_ENDIAN 2
#define UE_DECODE_FLAG_EXTENSION 4

/*
 * Reads the header, name and IDs of an EventHeader event. TRACEPOINT is the name of the tracepoint,
 * with or without its system ("user_events:MyApp_L4K1"), or NULL if it is unknown. DATA points to
 * the SIZE bytes of the event. They begin with its header, which follows the common fields of the
 * record. TRACEPOINT and DATA must outlive EVENT.
 *
 * Returns 0, or -EBADMSG with event->error and event->error_offset set. The offset is relative to
 * DATA, or to TRACEPOINT for UE_DECODE_ETRACEPOINT. After an error, EVENT contains all parts that
 * could be read, and zeros in place of the others. It can still be passed to ue_decode_start() and
 * ue_decode_json().
 */
static inline int ue_decode_parse(struct ue_decode_event *event, const char *tracepoint,
				  size_t tracepoint_length, const void *data, size_t size);

/* Type of an item, in ue_decode_item.type */
enum ue_decode_type {
	UE_DECODE_VALUE,
	UE_DECODE_STRUCT,
	UE_DECODE_STRUCT_END,
	UE_DECODE_ARRAY,
	UE_DECODE_ARRAY_END
};

/* Encoding of a value, in ue_decode_item.kind */
enum ue_decode_kind {
	UE_DECODE_KIND_NULL,
	UE_DECODE_KIND_STRUCT,
	UE_DECODE_KIND_VALUE8,
	UE_DECODE_KIND_VALUE16,
	UE_DECODE_KIND_VALUE32,
	UE_DECODE_KIND_VALUE64,
	UE_DECODE_KIND_VALUE128,
	UE_DECODE_KIND_ZSTRING8, /* strings with a terminator of 8, 16 or 32 bits */
	UE_DECODE_KIND_ZSTRING16,
	UE_DECODE_KIND_ZSTRING32,
	UE_DECODE_KIND_STRING8, /* strings preceded by a 16-bit count */
	UE_DECODE_KIND_STRING16,
	UE_DECODE_KIND_STRING32,
	UE_DECODE_KIND_BINARY /* bytes preceded by a 16-bit count */
};

/*
 * Meaning of a value, in ue_decode_item.format. A value with an unknown format is shown in the
 * default format of its kind.
 */
enum ue_decode_format_code {
	UE_DECODE_FORMAT_DEFAULT,
	UE_DECODE_FORMAT_UNSIGNED,
	UE_DECODE_FORMAT_SIGNED,
	UE_DECODE_FORMAT_HEX,
	UE_DECODE_FORMAT_ERRNO,
	UE_DECODE_FORMAT_PID,
	UE_DECODE_FORMAT_TIME, /* seconds since 1970-01-01 UTC */
	UE_DECODE_FORMAT_BOOL,
	UE_DECODE_FORMAT_FLOAT,
	UE_DECODE_FORMAT_HEX_BYTES,
	UE_DECODE_FORMAT_LATIN1,
	UE_DECODE_FORMAT_UTF,
	UE_DECODE_FORMAT_UTF_BOM, /* a byte order mark may select the encoding */
	UE_DECODE_FORMAT_XML,
	UE_DECODE_FORMAT_JSON,
	UE_DECODE_FORMAT_UUID,
	UE_DECODE_FORMAT_PORT, /* in network byte order */
	UE_DECODE_FORMAT_IP,
	UE_DECODE_FORMAT_IP_OLD
};

/* Location of the element count of an array, in ue_decode_item.array */
#define UE_DECODE_CONSTANT_ARRAY 0x20 /* count in the definition */
#define UE_DECODE_VARIABLE_ARRAY 0x40 /* count in the payload of this event */

/* A value, or the start or end of a struct or an array. */
struct ue_decode_item {
	const char *name;
	size_t name_length;	  /* length without attributes */
	size_t attributes_length; /* ";attribute=value...", right after the name */
	/*
	 * Bytes of the value, without count or NUL, in the byte order of the event. For a
	 * UE_DECODE_ARRAY with elements of a fixed size, the bytes of all elements in the event.
	 * NULL for other arrays and for structs.
	 */
	const uint8_t *value;
	size_t size;
	uint32_t count;	    /* number of elements of the array, or 1 */
	uint32_t index;	    /* index of this element, or 0 */
	uint16_t tag;	    /* tag of the field, or 0 */
	uint8_t type;	    /* enum ue_decode_type */
	uint8_t kind;	    /* enum ue_decode_kind; for an array, kind of its elements */
	uint8_t format;	    /* enum ue_decode_format_code; for a struct, number of members */
	uint8_t array;	    /* UE_DECODE_..._ARRAY for an array and its elements, or 0 */
	uint8_t depth;	    /* number of enclosing structs and arrays */
	uint8_t big_endian; /* byte order of the value */
};

/* Private: an open struct or array. */
struct ue__decode_frame {
	struct ue_decode_item
		item;		/* the open item; for an array, its index is the next element */
	const uint8_t *members; /* definition of the first member of a struct */
	uint8_t left;		/* number of members of a struct not read yet */
};

/*
 * Fields
 * ======
 *
 * Reads the fields of an event one by one:
 *
 *	struct ue_decode_fields fields;
 *	int more;
 *
 *	ue_decode_start(&fields, &event);
 *	while ((more = ue_decode_next(&fields)) > 0)
 *		use(&fields.item);
 *
 * A struct is returned as an item of type UE_DECODE_STRUCT, followed by its members and an item of
 * type UE_DECODE_STRUCT_END. An array is returned as an item of type UE_DECODE_ARRAY, followed by
 * its elements, which are values or structs, and an item of type UE_DECODE_ARRAY_END.
 *
 * An event without metadata has no name. Its fields are defined only by its writer, which
 * identifies them with the ID and version in the header. Such an event is returned as two values of
 * UE_DECODE_KIND_BINARY: "header", with 8 bytes, and "payload", which is omitted if it is empty.
 */
struct ue_decode_fields {
	struct ue_decode_item item;
	/*
	 * Error from ue_decode_next() (UE_DECODE_E...), and the byte offset in the event where it
	 * was found.
	 */
	int error;
	size_t error_offset;
	/*
	 * Unread part of the payload. After the last field has been read, it may still contain the
	 * mark of a truncated event and up to 7 bytes of padding.
	 */
	const uint8_t *payload;
	const uint8_t *payload_end;

	/* All other members are private. */
	const uint8_t *data;
	const uint8_t *definition; /* definition of the next field */
	const uint8_t *definitions_end;
	uint64_t work; /* number of units of work left */
	unsigned depth;
	uint8_t raw; /* number of items left in an event without metadata */
	struct ue__decode_frame stack[UE_DECODE_DEPTH];
};

/* Prepares FIELDS to read the fields of EVENT, which must have been read by ue_decode_parse(). */
static inline void ue_decode_start(struct ue_decode_fields *fields,
				   const struct ue_decode_event *event);

/*
 * Reads the next item into fields->item. Returns 1, or 0 after the last item. On an error, this and
 * all later calls return -EBADMSG, and fields->error and fields->error_offset are set. If a string
 * is truncated by the end of the event, the string is returned first, and the next call returns the
 * error.
 */
static inline int ue_decode_next(struct ue_decode_fields *fields);

/*
 * Reads the next definition into fields->item without reading a value. item.size is the size of an
 * element in bytes, or 0 for a struct. The definitions of the members of a struct follow. For an
 * array of structs, they are returned only once. Returns the same values as ue_decode_next().
 */
static inline int ue_decode_next_definition(struct ue_decode_fields *fields);

/*
 * Returns 1 if the writer truncated a string or an array to make EVENT fit. Otherwise, or if EVENT
 * is damaged, returns 0. EVENT must have been read by ue_decode_parse(). user_events.h marks
 * truncated events with the 8 bytes "UE_TRUNC" after the last field. A tracer may append up to 7
 * bytes of padding. If a field contains the same bytes, they are not a mark.
 */
static inline int ue_decode_truncated(const struct ue_decode_event *event);

/*
 * Text and JSON
 * =============
 *
 * Functions with a BUFFER write at most SIZE bytes, including a terminating NUL. If SIZE is 0, they
 * write nothing. They return the length of the whole text without the NUL. As with snprintf(), the
 * text was truncated if the result is at least SIZE.
 *
 * Functions with a WRITE parameter pass the text to that function in parts, together with CONTEXT.
 * WRITE must return 0, or a nonzero number to stop. The functions return that number, or 0.
 */
typedef int (*ue_decode_write_fn)(void *context, const char *text, size_t length);

#define UE_DECODE_SPACED 1u  /* adds spaces: { "a": [ 1, 2 ] }, not {"a":[1,2]} */
#define UE_DECODE_NO_META 2u /* omits "meta", unless there is an error */
#define UE_DECODE_JSON 4u    /* for ue_decode_value(): quotes and escapes text as in JSON */

/*
 * Writes a value as text, according to its format: numbers in decimal, booleans as true and false,
 * strings in UTF-8, bytes in hexadecimal and so on. An array of fixed-size values is written as
 * "[1,2]". Other items have an empty text. FLAGS can be UE_DECODE_JSON and UE_DECODE_SPACED.
 *
 * A float is written as the shortest decimal number that reads back as the same value, in plain or
 * scientific notation, whichever is shorter. C++'s std::to_chars() does the same. Examples: 3.14,
 * 1e+20, 1e-07, 0.001.
 */
static inline size_t ue_decode_value(const struct ue_decode_item *item, unsigned flags,
				     char *buffer, size_t size);

/* Properties of the record that contains an event, for "meta". */
struct ue_decode_meta {
	uint64_t time; /* time in ns; omitted if 0 */
	uint32_t cpu;
	uint32_t pid;
	uint32_t tid;
	uint32_t known; /* UE_DECODE_HAS_...; other properties are omitted */
};

#define UE_DECODE_HAS_TIME 1u	   /* time counts from the start of the recording's clock */
#define UE_DECODE_HAS_WALL_TIME 2u /* time counts from 1970-01-01 UTC */
#define UE_DECODE_HAS_CPU 4u
#define UE_DECODE_HAS_PID 8u
#define UE_DECODE_HAS_TID 16u

/*
 * Write the event as one JSON object, without a newline. META may be NULL. FLAGS can be
 * UE_DECODE_SPACED and UE_DECODE_NO_META. If the event or one of its fields is invalid,
 * event->error is set, and the last member of "meta" is "error": "... at byte 12". If the writer
 * truncated the event, "meta" contains "truncated": true.
 *
 * The output is UTF-8. Invalid bytes in UTF-8 are read as Latin-1. Lone surrogates and code points
 * above U+10FFFF become U+FFFD. Every event has the members "n" and "meta". A field with one of
 * these names is renamed to "n#2" or "meta#2".
 */
static inline size_t ue_decode_json(struct ue_decode_event *event,
				    const struct ue_decode_meta *meta, unsigned flags, char *buffer,
				    size_t size);
static inline int ue_decode_json_to(struct ue_decode_event *event,
				    const struct ue_decode_meta *meta, unsigned flags,
				    ue_decode_write_fn write, void *context);

/* Field of a tracepoint, as described by its format file. */
struct ue_decode_field {
	const char *name;
	size_t name_length;
	uint32_t offset; /* offset in the record, in bytes */
	uint32_t size;	 /* size in bytes; 0 means the rest of the record */
	uint8_t unit;	 /* size of an element in bytes */
	uint8_t kind;	 /* enum ue_decode_kind; for an array, kind of its elements */
	uint8_t format;	 /* enum ue_decode_format_code */
	uint8_t array;	 /* UE_DECODE_..._ARRAY, or 0 */
	uint8_t loc;	 /* UE_DECODE_DATA_LOC, UE_DECODE_REL_LOC, or 0 */
	uint8_t common;	 /* 1 for the common_* fields, which all records have */
};

/* A field with one of these locs contains the length and the offset of its value, 16 bits each. */
#define UE_DECODE_DATA_LOC 1 /* offset relative to the start of the record */
#define UE_DECODE_REL_LOC 2  /* offset relative to the end of the field */

/*
 * Kernel-typed events
 * ===================
 *
 * A tracepoint, as described by its format file in tracefs (events/SYSTEM/NAME/format):
 *
 *	struct ue_decode_field fields[64];
 *	struct ue_decode_format format = { .fields = fields, .fields_max = 64 };
 *
 *	ue_decode_format_parse(&format, text, length);
 *	ue_decode_format_json(&format, record, size, NULL, 0, line, sizeof(line));
 */
struct ue_decode_format {
	/* Set by the caller. */
	const char *system; /* system for JSON, such as "user_events"; NULL means "" */
	size_t system_length;
	struct ue_decode_field *fields;
	size_t fields_max;
	uint8_t big_endian; /* byte order of the recording machine */
	uint8_t long_size;  /* sizeof(long) of the recording machine, 4 or 8; 0 means 8 */

	/* Set by ue_decode_format_parse(). */
	const char *name;
	size_t name_length;
	uint32_t id;
	size_t field_count;
	/*
	 * Offset in a record of the bytes for ue_decode_parse(). Nonzero only for EventHeader
	 * tracepoints, which have exactly the six fields of the EventHeader header.
	 */
	size_t eventheader;
	/*
	 * Offset in a record of the bytes for ue_decode_dotnet_parse(). Nonzero only for
	 * tracepoints of the .NET runtime, which have exactly its four fields.
	 */
	size_t dotnet;
};

/*
 * Parses the text of a format file, which must outlive FORMAT. Skips unknown lines, and fields
 * without an offset or a size. Returns 0 on success and -EINVAL if there is no field. Returns
 * -ENOSPC if there are more than fields_max fields; field_count is then their total number, and the
 * first fields_max are stored.
 */
static inline int ue_decode_format_parse(struct ue_decode_format *format, const char *text,
					 size_t length);

/*
 * Reads the value of a field from RECORD, of SIZE bytes. ITEM becomes a UE_DECODE_VALUE, or a
 * UE_DECODE_ARRAY of fixed-size values, which ue_decode_value() can print. A char array becomes a
 * string that ends at its first NUL, and a char becomes a character. Integers are signed if the
 * format file says so. Pointers, unsigned long, and unsigned integers of non-standard types such as
 * dev_t are formatted in hexadecimal. Returns 0. If the value is outside the record, returns
 * -EBADMSG and sets ITEM to a null value.
 */
static inline int ue_decode_format_item(const struct ue_decode_format *format,
					const struct ue_decode_field *field, const void *record,
					size_t size, struct ue_decode_item *item);

/*
 * Returns 1 if the writer truncated a string or an array of the event in RECORD, of SIZE bytes.
 * Otherwise returns 0. See ue_decode_truncated(). FORMAT must contain all fields.
 */
static inline int ue_decode_format_truncated(const struct ue_decode_format *format,
					     const void *record, size_t size);

/*
 * Write the record as one JSON object, like ue_decode_json() and ue_decode_json_to(). "n" is
 * "system:name". The common_* fields are omitted. If a value is outside the record, it is written
 * as null, and the last member of "meta" is the error.
 */
static inline size_t ue_decode_format_json(const struct ue_decode_format *format,
					   const void *record, size_t record_size,
					   const struct ue_decode_meta *meta, unsigned flags,
					   char *buffer, size_t size);
static inline int ue_decode_format_json_to(const struct ue_decode_format *format,
					   const void *record, size_t record_size,
					   const struct ue_decode_meta *meta, unsigned flags,
					   ue_decode_write_fn write, void *context);

/*
 * .NET events
 * ===========
 *
 * The .NET runtime (10 and later) writes all events of a provider to tracepoints whose fields are
 * "u8 version; u16 event_id; __rel_loc u8[] extension; __rel_loc u8[] payload". The names and types
 * of an event's fields are in the extension of its first record in a session. Readers keep these
 * bytes for each tracepoint, process and event_id, and pass them with each later record:
 *
 *	ue_decode_dotnet_parse(&dotnet, record + format.dotnet, size - format.dotnet, 0);
 *	if (dotnet.metadata)
 *		keep(dotnet.id, dotnet.metadata, dotnet.metadata_length);
 *	n = ue_decode_dotnet_convert(&dotnet, "tracepoint", 10, kept, kept_length, buffer,
 *				     sizeof(buffer));
 *	if (n <= sizeof(buffer)) {
 *		used = strlen(buffer) + 1;
 *		ue_decode_parse(&event, buffer, used - 1, buffer + used, n - used);
 *	}
 */
struct ue_decode_dotnet {
	uint16_t id;		 /* ID of the event, unique within its provider */
	const uint8_t *metadata; /* metadata of the event, or NULL if the record has none */
	size_t metadata_length;
	const uint8_t *activity; /* 16 bytes, in the byte order of System.Guid, or NULL */
	const uint8_t *related;	 /* 16 bytes, in the byte order of System.Guid, or NULL */
	const uint8_t *payload;
	size_t payload_length;
};

/*
 * Reads a record of the .NET runtime. DATA points to the field "version" of the record, and SIZE is
 * the number of bytes from there to the end of the record. These bytes must outlive EVENT.
 * BIG_ENDIAN is true if the recording machine was big-endian. If a part of the extension is damaged
 * or unknown, ignores the rest of the extension. Returns 0, or -EBADMSG if the version is unknown
 * or a field is outside the record.
 */
static inline int ue_decode_dotnet_parse(struct ue_decode_dotnet *event, const void *data,
					 size_t size, int big_endian);

/*
 * Converts EVENT to an EventHeader event, using METADATA from this or an earlier record, or NULL.
 * Writes the tracepoint's name, "PROVIDER_LxKy", a NUL, and the bytes for ue_decode_parse() to
 * BUFFER. Returns the number of these bytes, which never exceeds 8 * (METADATA_LENGTH +
 * TRACEPOINT_LENGTH) + PAYLOAD_LENGTH + 128. If the number exceeds SIZE, the content of BUFFER is
 * undefined. In this case, call the function again with a buffer of the returned size, which may be
 * larger than necessary.
 *
 * If METADATA is NULL or invalid, belongs to another event ID, contains no fields although there is
 * a payload, or does not match the payload exactly, the event has the single field "payload_size",
 * in bytes. An event without a name is named after its ID. If the provider is unknown, TRACEPOINT
 * is used as its name.
 *
 * System.DateTime is converted to whole seconds since 1970. System.Decimal is shown as 16 bytes. An
 * unknown level and level 0 (LogAlways) become 4 (informational), the default of an EventSource.
 */
static inline size_t ue_decode_dotnet_convert(const struct ue_decode_dotnet *event,
					      const char *tracepoint, size_t tracepoint_length,
					      const void *metadata, size_t metadata_length,
					      void *buffer, size_t size);

/*
 * Recorded events
 * ===============
 *
 * An event from a capture (user_events_capture.h) or a recording (user_events_recorder.h). Its
 * pointers point into the capture, or into the bytes and the reader of the recording.
 */
struct ue__decode_common { /* common fields of a record, as in tracefs */
	uint16_t type;
	uint8_t flags, preempt_count;
	uint32_t tid;
};

struct ue_capture_event {
	const char *spec; /* "name type field; ...", NUL-terminated */
	const char *name; /* name of the EventHeader event, or of the tracepoint */
	size_t name_length;
	/* Record in the kernel's layout: struct ue__decode_common, followed by the payload. */
	const uint8_t *record;
	size_t size;
	uint64_t time;	     /* CLOCK_MONOTONIC, in ns */
	int64_t wall;	     /* CLOCK_REALTIME - CLOCK_MONOTONIC, in ns; 0 in captures */
	const char *program; /* process name, up to 15 bytes; "" if unknown, as in captures */
	uint64_t format;     /* in recordings, a hash of SPEC, the same in all files */
	uint32_t pid, tid;
	uint32_t cpu;	     /* CPU, or UINT32_MAX if unknown */
	uint8_t eventheader; /* 1 for an EventHeader event, which DECODED describes */
	uint8_t big_endian;
	size_t offset; /* private */
	struct ue_decode_event decoded;
};

/*
 * Errors
 * ======
 *
 * Errors found in an event: UE_DECODE_OK, UE_DECODE_ETRACEPOINT and so on. ue_decode_strerror()
 * returns the message for each of them.
 */
#define UE__DECODE_ERRORS(_)                                                  \
	_(OK, "no error")                                                     \
	_(ETRACEPOINT, "the tracepoint name does not have the form PROVIDER_LxKy") \
	_(EHEADER, "the event is shorter than its header")                    \
	_(EFLAGS, "the header has unknown flags")                             \
	_(ELEVEL, "the event and its tracepoint have different levels")       \
	_(EEXTENSION, "an extension block is truncated")                      \
	_(EACTIVITY, "an activity block is not 16 or 32 bytes long")          \
	_(ETWICE, "there are two extension blocks of the same kind")          \
	_(EMETADATA, "the event has no metadata") /* no longer reported */    \
	_(ENAME, "a name is not terminated by a NUL")                         \
	_(EDEFINITION, "a field definition is truncated")                     \
	_(EKIND, "a field has an unknown encoding")                           \
	_(EARRAY, "an array has both a constant and a variable length")       \
	_(ECOUNT, "a constant-length array has no elements")                  \
	_(EMEMBERS, "a struct has no members")                                \
	_(EDEPTH, "structs and arrays are nested too deeply")                 \
	_(EWORK, "the event has more fields than its size permits")           \
	_(EVALUE, "a value extends past the end of the event")                \
	_(ENUL, "a string is not terminated by a NUL")                        \
	_(EEXTENSIONKIND, "an extension block has the invalid kind 0")

#define UE__DECODE_ERROR(name, text) UE_DECODE_##name,
enum ue_decode_error { UE__DECODE_ERRORS(UE__DECODE_ERROR) UE__DECODE_ERROR_COUNT };
#undef UE__DECODE_ERROR

/*
 * Returns the message for UE_DECODE_E..., or "unknown error" for other numbers. Never returns NULL.
 */
static inline const char *ue_decode_strerror(int error);

/*
 * Implementation
 * ==============
 *
 * Bytes and names
 * ---------------
 *
 * Reads numbers of either byte order, identifiers, and names with attributes. Such a name begins
 * the metadata of an event and the definition of each field.
 */

/* Specifiers of functions that run for each item. By default, GCC would inline too few of them. */
#define UE__DECODE_INLINE static inline __attribute__((__always_inline__))
#define UE__DECODE_UNLIKELY(x) __builtin_expect(!!(x), 0)

static inline uint16_t ue__decode_u16(const uint8_t *p, int big)
{
	if (big)
		return (uint16_t)(p[0] << 8 | p[1]);
	return (uint16_t)(p[1] << 8 | p[0]);
}

static inline uint32_t ue__decode_u32(const uint8_t *p, int big)
{
	if (big)
		return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
	return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

static inline uint64_t ue__decode_u64(const uint8_t *p, int big)
{
	uint64_t first = ue__decode_u32(p, big), second = ue__decode_u32(p + 4, big);

	return big ? first << 32 | second : second << 32 | first;
}

/* Loads a number of 1, 2, 4 or 8 bytes. */
static inline uint64_t ue__decode_load(const uint8_t *p, size_t size, int big)
{
	switch (size) {
	case 1:
		return *p;
	case 2:
		return ue__decode_u16(p, big);
	case 4:
		return ue__decode_u32(p, big);
	default:
		return ue__decode_u64(p, big);
	}
}

static inline int ue__decode_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Returns true if an identifier may contain C. Unlike isalnum(), ignores the locale. */
static inline int ue__decode_is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || ue__decode_is_digit(c) ||
	       c == '_';
}

static inline int ue__decode_is(const char *p, size_t length, const char *word)
{
	return length == strlen(word) && !memcmp(p, word, length);
}

/*
 * Reads a NUL-terminated name with attributes. Returns the position after the NUL, or NULL if there
 * is no NUL before END.
 */
UE__DECODE_INLINE const uint8_t *ue__decode_name(const uint8_t *begin, const uint8_t *end,
						 const char **name, size_t *name_length,
						 size_t *attributes_length)
{
	const uint8_t *nul = (const uint8_t *)memchr(begin, 0, (size_t)(end - begin)), *semicolon;

	if (!nul)
		return NULL;
	semicolon = (const uint8_t *)memchr(begin, ';', (size_t)(nul - begin));
	if (!semicolon)
		semicolon = nul;
	*name = (const char *)begin;
	*name_length = (size_t)(semicolon - begin);
	*attributes_length = (size_t)(nul - semicolon);
	return nul + 1;
}

/*
 * The event
 * ---------
 *
 * ue_decode_parse() reads the tracepoint name, the 8-byte header, and the extension blocks that
 * follow it: metadata (the event name and the field definitions) and activity IDs. It finds the
 * start of the definitions and of the payload, but does not read them.
 */
#define UE__DECODE_METADATA 1 /* kinds of extension blocks */
#define UE__DECODE_ACTIVITY 2
#define UE__DECODE_MORE_BLOCKS 0x8000 /* bit of a block's kind: another block follows */

/* Records the first error of EVENT. */
static inline int ue__decode_bad(struct ue_decode_event *event, int error, size_t offset)
{
	if (!event->error) {
		event->error = error;
		event->error_offset = offset;
	}
	return -EBADMSG;
}

static inline const char *ue_decode_strerror(int error)
{
#define UE__DECODE_TEXT(name, text) text,
	static const char *const texts[] = { UE__DECODE_ERRORS(UE__DECODE_TEXT) };
#undef UE__DECODE_TEXT

	if (error < 0 || error >= UE__DECODE_ERROR_COUNT)
		return "unknown error";
	return texts[error];
}

/* Reads one or more lowercase hex digits of a 64-bit number at *AT. Returns 0, or -1. */
static inline int ue__decode_hex(const char **at, const char *end, uint64_t *value)
{
	const char *p = *at;
	uint64_t sum = 0;

	for (; p < end && !(sum >> 60); p++) {
		unsigned digit = (unsigned char)*p - (unsigned)'0';

		if (digit > 9) {
			digit = digit + '0' - 'a';
			if (digit > 5)
				break;
			digit += 10;
		}
		sum = sum << 4 | digit;
	}
	*value = sum;
	if (p == *at)
		return -1;
	*at = p;
	return 0;
}

/*
 * Reads [SYSTEM:]PROVIDER_LxKy[OPTIONS][.HEX] into EVENT and *LEVEL, which is 0 after an error. The
 * kernel appends .HEX to the names of multi-format events.
 */
static inline void ue__decode_tracepoint(struct ue_decode_event *event, const char *name,
					 size_t length, uint64_t *level)
{
	const char *end = name + length, *provider = name, *p;
	uint64_t suffix;

	p = (const char *)memchr(name, ':', length);
	if (p)
		provider = p + 1;
	event->provider = provider;
	event->provider_length = (size_t)(end - provider);

	for (p = end; p > provider && p[-1] != '_';)
		p--;
	length = (size_t)(p - provider); /* length of the provider and "_" */
	if (length < 2 || p == end || *p++ != 'L' || ue__decode_hex(&p, end, level) ||
	    *level - 1 > 0xfe || p == end || *p++ != 'K' ||
	    ue__decode_hex(&p, end, &event->keyword))
		goto bad;
	event->options = p;
	while (p < end && *p >= 'A' && *p <= 'Z') {
		const char *option = p++;

		while (p < end && (ue__decode_is_digit(*p) || (*p >= 'a' && *p <= 'z')))
			p++;
		if (*option == 'G') {
			event->group = option + 1;
			event->group_length = (size_t)(p - event->group);
		}
	}
	event->options_length = (size_t)(p - event->options);
	if (p < end && *p == '.') {
		p++;
		if (ue__decode_hex(&p, end, &suffix))
			goto bad;
	}
	if (p < end)
		goto bad;
	event->provider_length = length - 1;
	return;
bad:
	event->keyword = 0;
	event->options_length = event->group_length = 0;
	*level = 0;
	ue__decode_bad(event, UE_DECODE_ETRACEPOINT, (size_t)(p - name));
}

/* Reads an extension block of SIZE bytes at P. */
static inline void ue__decode_block(struct ue_decode_event *event, unsigned kind, const uint8_t *p,
				    size_t size)
{
	const uint8_t *end = p + size;
	size_t offset = (size_t)(p - event->data);

	if (kind == UE__DECODE_METADATA) {
		if (event->name) {
			ue__decode_bad(event, UE_DECODE_ETWICE, offset);
			return;
		}
		event->definitions = ue__decode_name(p, end, &event->name, &event->name_length,
						     &event->attributes_length);
		if (!event->definitions) {
			event->definitions = end;
			ue__decode_bad(event, UE_DECODE_ENAME, offset);
		}
		event->definitions_length = (size_t)(end - event->definitions);
	} else if (kind == UE__DECODE_ACTIVITY) {
		if (event->activity) {
			ue__decode_bad(event, UE_DECODE_ETWICE, offset);
		} else if (size != 16 && size != 32) {
			ue__decode_bad(event, UE_DECODE_EACTIVITY, offset);
		} else {
			event->activity = p;
			event->related = size == 32 ? p + 16 : NULL;
		}
	} else if (!kind) {
		ue__decode_bad(event, UE_DECODE_EEXTENSIONKIND, offset - 4);
	}
}

/*
 * Clears the members of EVENT one by one, because GCC would compile memset() to an instruction that
 * takes as long as the rest of ue_decode_parse().
 */
static inline void ue__decode_clear(struct ue_decode_event *event)
{
	event->provider = event->options = event->group = event->name = NULL;
	event->provider_length = event->options_length = event->group_length = 0;
	event->name_length = event->attributes_length = event->definitions_length = 0;
	event->keyword = 0;
	event->id = event->tag = 0;
	event->flags = event->version = event->opcode = event->level = 0;
	event->activity = event->related = NULL;
	event->error = 0;
	event->error_offset = 0;
}

static inline int ue_decode_parse(struct ue_decode_event *event, const char *tracepoint,
				  size_t tracepoint_length, const void *data, size_t size)
{
	const uint8_t *p = (const uint8_t *)(data ? data : ""), *end = p + size;
	unsigned length, kind = UE__DECODE_MORE_BLOCKS;
	uint64_t level = 0;
	int big;

	ue__decode_clear(event);
	event->data = p;
	event->size = size;
	event->definitions = event->payload = end;
	if (tracepoint)
		ue__decode_tracepoint(event, tracepoint, tracepoint_length, &level);
	if (size < 8)
		return ue__decode_bad(event, UE_DECODE_EHEADER, size);
	event->flags = p[0];
	big = !(p[0] & UE_DECODE_FLAG_LITTLE_ENDIAN);
	event->version = p[1];
	event->id = ue__decode_u16(p + 2, big);
	event->tag = ue__decode_u16(p + 4, big);
	event->opcode = p[6];
	event->level = p[7];
	if (p[0] >
	    (UE_DECODE_FLAG_POINTER64 | UE_DECODE_FLAG_LITTLE_ENDIAN | UE_DECODE_FLAG_EXTENSION))
		ue__decode_bad(event, UE_DECODE_EFLAGS, 0);
	if (level && level != p[7])
		ue__decode_bad(event, UE_DECODE_ELEVEL, 7);

	if (!(p[0] & UE_DECODE_FLAG_EXTENSION))
		kind = 0;
	for (p += 8; kind & UE__DECODE_MORE_BLOCKS; p += length) {
		size_t left = (size_t)(end - p);

		length = left < 4 ? 0 : ue__decode_u16(p, big);
		if (left < 4 || left - 4 < length)
			return ue__decode_bad(event, UE_DECODE_EEXTENSION, size - left);
		kind = ue__decode_u16(p + 2, big);
		p += 4;
		ue__decode_block(event, kind & (UE__DECODE_MORE_BLOCKS - 1), p, length);
	}
	event->payload = p;
	return event->error ? -EBADMSG : 0;
}

/*
 * Fields
 * ------
 *
 * ue_decode_next() reads definitions and payload in parallel. A definition consists of a name, an
 * encoding byte (the kind and the bits below), and, if the corresponding bits are set, a format, a
 * tag and a count. fields->definition points to the definition of the next field, and
 * fields->payload to its value. fields->stack contains the open structs and arrays. The following
 * chapters receive each item as fields->item, which points into the event.
 */
#define UE__DECODE_KINDS 0x1f
#define UE__DECODE_ARRAYS (UE_DECODE_CONSTANT_ARRAY | UE_DECODE_VARIABLE_ARRAY)
#define UE__DECODE_MORE 0x80 /* in an encoding: a format follows; in a format: a tag follows */

/* Properties of each kind. */
static const struct {
	uint8_t fixed;	 /* size of the value, or 0 */
	uint8_t counted; /* 1 if preceded by a character count, 0 if terminated by a zero */
	uint8_t log2;	 /* log2 of the bytes per unit */
	uint8_t format;	 /* default format */
} ue__decode_kinds[] = {
	/* null, struct */
	{ 0, 0, 0, UE_DECODE_FORMAT_DEFAULT }, { 0, 0, 0, UE_DECODE_FORMAT_DEFAULT },
	/* values */
	{ 1, 0, 0, UE_DECODE_FORMAT_UNSIGNED }, { 2, 0, 1, UE_DECODE_FORMAT_UNSIGNED },
	{ 4, 0, 2, UE_DECODE_FORMAT_UNSIGNED }, { 8, 0, 0, UE_DECODE_FORMAT_UNSIGNED },
	{ 16, 0, 0, UE_DECODE_FORMAT_HEX_BYTES },
	/* zero-terminated strings */
	{ 0, 0, 0, UE_DECODE_FORMAT_UTF }, { 0, 0, 1, UE_DECODE_FORMAT_UTF },
	{ 0, 0, 2, UE_DECODE_FORMAT_UTF },
	/* counted strings, binary */
	{ 0, 1, 0, UE_DECODE_FORMAT_UTF }, { 0, 1, 1, UE_DECODE_FORMAT_UTF },
	{ 0, 1, 2, UE_DECODE_FORMAT_UTF }, { 0, 1, 0, UE_DECODE_FORMAT_HEX_BYTES },
};

/* Sets the error of FIELDS, so that no more items are read. Returns -EBADMSG. */
static inline int ue__decode_stop(struct ue_decode_fields *fields, int error, const uint8_t *at)
{
	fields->error = error;
	fields->error_offset = (size_t)(at - fields->data);
	return -EBADMSG;
}

static inline int ue__decode_work(struct ue_decode_fields *fields, size_t work)
{
	if (UE__DECODE_UNLIKELY(fields->work < work))
		return ue__decode_stop(fields, UE_DECODE_EWORK, fields->definition);
	fields->work -= work;
	return 0;
}

/* Reads the definition of the next field into fields->item. Returns 0, or -EBADMSG. */
UE__DECODE_INLINE int ue__decode_definition(struct ue_decode_fields *fields)
{
	struct ue_decode_item *item = &fields->item;
	const uint8_t *begin = fields->definition, *end = fields->definitions_end, *p, *encoding;
	unsigned kind, arrays, format = 0, tag = 0, count = 1;
	int big = item->big_endian;

	p = ue__decode_name(begin, end, &item->name, &item->name_length, &item->attributes_length);
	if (UE__DECODE_UNLIKELY(!p))
		return ue__decode_stop(fields, UE_DECODE_ENAME, begin);
	encoding = p;
	if (UE__DECODE_UNLIKELY(p == end))
		goto cut;
	kind = *p & UE__DECODE_KINDS;
	arrays = *p & UE__DECODE_ARRAYS;
	if (*p++ & UE__DECODE_MORE) {
		if (UE__DECODE_UNLIKELY(p == end))
			goto cut;
		format = *p++;
		if (UE__DECODE_UNLIKELY(format & UE__DECODE_MORE)) {
			format -= UE__DECODE_MORE;
			if (end - p < 2)
				goto cut;
			tag = ue__decode_u16(p, big);
			p += 2;
		}
	}
	if (arrays & UE_DECODE_CONSTANT_ARRAY) {
		if (end - p < 2)
			goto cut;
		count = ue__decode_u16(p, big);
		if (!count)
			return ue__decode_stop(fields, UE_DECODE_ECOUNT, p);
		if (arrays & UE_DECODE_VARIABLE_ARRAY)
			return ue__decode_stop(fields, UE_DECODE_EARRAY, encoding);
		p += 2;
	}
	if (UE__DECODE_UNLIKELY(!kind || kind > UE_DECODE_KIND_BINARY))
		return ue__decode_stop(fields, UE_DECODE_EKIND, encoding);
	if (UE__DECODE_UNLIKELY(kind == UE_DECODE_KIND_STRUCT && !format))
		return ue__decode_stop(fields, UE_DECODE_EMEMBERS, encoding);
	item->count = count;
	item->index = 0;
	item->tag = (uint16_t)tag;
	item->kind = (uint8_t)kind;
	item->format = (uint8_t)format;
	item->array = (uint8_t)arrays;
	fields->definition = p;
	return ue__decode_work(fields, (size_t)(p - begin));
cut:
	return ue__decode_stop(fields, UE_DECODE_EDEFINITION, begin);
}

static inline int ue_decode_next_definition(struct ue_decode_fields *fields)
{
	struct ue_decode_item *item = &fields->item;

	if (fields->error || fields->definition == fields->definitions_end)
		return fields->error ? -EBADMSG : 0;
	if (ue__decode_definition(fields))
		return -EBADMSG;
	item->size = ue__decode_kinds[item->kind].fixed;
	if (item->kind > UE_DECODE_KIND_VALUE128)
		item->size = (size_t)1 << ue__decode_kinds[item->kind].log2;
	return 1;
}

/*
 * Returns the number of bytes before a zero of UNIT bytes, or the size of all whole units if there
 * is none.
 */
static inline size_t ue__decode_until_nul(const uint8_t *p, size_t left, size_t unit)
{
	static const uint8_t zero[4] = { 0, 0, 0, 0 };
	size_t size = 0;

	if (unit == 1) {
		const void *nul = left ? memchr(p, 0, left) : NULL;

		return nul ? (size_t)((const uint8_t *)nul - p) : left;
	}
	while (left - size >= unit && memcmp(p + size, zero, unit) != 0)
		size += unit;
	return size;
}

/*
 * Reads a string or counted bytes from the payload. If the end of the event truncates the data, the
 * rest is still returned as an item.
 */
static inline int ue__decode_string(struct ue_decode_fields *fields)
{
	struct ue_decode_item *item = &fields->item;
	size_t left = (size_t)(fields->payload_end - fields->payload);
	unsigned log2 = ue__decode_kinds[item->kind].log2;
	size_t size, unit = (size_t)1 << log2, skip = 0;

	item->value = fields->payload;
	if (ue__decode_kinds[item->kind].counted) {
		if (UE__DECODE_UNLIKELY(left < 2))
			return ue__decode_stop(fields, UE_DECODE_EVALUE, fields->payload);
		size = (size_t)ue__decode_u16(item->value, item->big_endian) << log2;
		item->value += 2;
		if (UE__DECODE_UNLIKELY(left - 2 < size)) {
			ue__decode_stop(fields, UE_DECODE_EVALUE, fields->payload);
			size = (left - 2) & ~(unit - 1);
		}
	} else {
		size = ue__decode_until_nul(item->value, left, unit);
		skip = unit;
		if (UE__DECODE_UNLIKELY(left - size < unit)) {
			ue__decode_stop(fields, UE_DECODE_ENUL, fields->payload);
			skip = 0;
		}
	}
	item->size = size;
	fields->payload = item->value + size + skip;
	return 1;
}

/* Reads the value described by fields->item from the payload. */
UE__DECODE_INLINE int ue__decode_payload(struct ue_decode_fields *fields)
{
	struct ue_decode_item *item = &fields->item;
	size_t size = ue__decode_kinds[item->kind].fixed;

	item->type = UE_DECODE_VALUE;
	if (!size)
		return ue__decode_string(fields);
	if (UE__DECODE_UNLIKELY((size_t)(fields->payload_end - fields->payload) < size))
		return ue__decode_stop(fields, UE_DECODE_EVALUE, fields->payload);
	item->value = fields->payload;
	item->size = size;
	fields->payload += size;
	return 1;
}

/* Opens the struct or array described by fields->item. */
static inline int ue__decode_open(struct ue_decode_fields *fields, uint8_t type)
{
	struct ue_decode_item *item = &fields->item;
	struct ue__decode_frame *frame = &fields->stack[fields->depth];

	if (UE__DECODE_UNLIKELY(fields->depth == UE_DECODE_DEPTH))
		return ue__decode_stop(fields, UE_DECODE_EDEPTH, fields->definition);
	fields->depth++;
	item->type = type;
	item->value = NULL;
	item->size = 0;
	frame->item = *item;
	frame->members = fields->definition;
	frame->left = item->format;
	return 1;
}

/*
 * Skips the definitions of N members, including nested ones. If a definition is invalid, the next
 * call of ue_decode_next() returns the error.
 */
static inline void ue__decode_skip_members(struct ue_decode_fields *fields, size_t n)
{
	struct ue_decode_item item = fields->item;

	for (; n && fields->definition < fields->definitions_end; n--) {
		if (ue__decode_definition(fields))
			break;
		if (fields->item.kind == UE_DECODE_KIND_STRUCT)
			n += fields->item.format;
	}
	fields->item = item;
}

static inline int ue__decode_open_array(struct ue_decode_fields *fields)
{
	struct ue_decode_item *item = &fields->item;
	size_t size = ue__decode_kinds[item->kind].fixed;
	size_t left = (size_t)(fields->payload_end - fields->payload);

	if (item->array == UE_DECODE_VARIABLE_ARRAY) {
		if (UE__DECODE_UNLIKELY(left < 2))
			return ue__decode_stop(fields, UE_DECODE_EVALUE, fields->payload);
		item->count = ue__decode_u16(fields->payload, item->big_endian);
		fields->payload += 2;
		left -= 2;
	}
	if (ue__decode_open(fields, UE_DECODE_ARRAY) < 0)
		return -EBADMSG;
	if (size) {
		item->value = fields->payload;
		item->size = size * item->count;
		if (UE__DECODE_UNLIKELY(left < item->size))
			item->size = left - left % size;
	} else if (item->kind == UE_DECODE_KIND_STRUCT && !item->count) {
		ue__decode_skip_members(fields, item->format);
	}
	return 1;
}

/*
 * Opens the next struct of an array of structs. Its definitions are read again, from the first
 * member on.
 */
static inline int ue__decode_open_element(struct ue_decode_fields *fields,
					  struct ue__decode_frame *array)
{
	struct ue_decode_item *item = &fields->item;

	if (ue__decode_work(fields, 8))
		return -EBADMSG;
	fields->definition = array->members;
	if (UE__DECODE_UNLIKELY(fields->depth == UE_DECODE_DEPTH))
		return ue__decode_stop(fields, UE_DECODE_EDEPTH, fields->definition);
	*item = array->item;
	array[1].item = array->item; /* faster than copying *ITEM, which has just been written */
	item->type = array[1].item.type = UE_DECODE_STRUCT;
	item->depth = array[1].item.depth = (uint8_t)fields->depth++;
	array[1].left = item->format;
	array->item.index++;
	return 1;
}

static inline int ue__decode_close(struct ue_decode_fields *fields, uint8_t type)
{
	fields->item = fields->stack[--fields->depth].item;
	fields->item.type = type;
	if (type == UE_DECODE_ARRAY_END)
		fields->item.index = 0;
	return 1;
}

/* Reads the header, then the payload, of an event without metadata. */
static inline int ue__decode_raw(struct ue_decode_fields *fields)
{
	struct ue_decode_item *item = &fields->item;

	item->type = UE_DECODE_VALUE;
	item->kind = UE_DECODE_KIND_BINARY;
	item->count = 1;
	item->name = "header";
	item->value = fields->data;
	item->size = 8;
	if (fields->raw == 1) {
		item->name = "payload";
		item->value = fields->payload;
		item->size = (size_t)(fields->payload_end - fields->payload);
		fields->payload = fields->payload_end;
	}
	item->name_length = strlen(item->name);
	fields->raw--;
	if (fields->payload == fields->payload_end)
		fields->raw = 0;
	return 1;
}

static inline void ue_decode_start(struct ue_decode_fields *fields,
				   const struct ue_decode_event *event)
{
	memset(&fields->item, 0, sizeof(fields->item));
	fields->item.big_endian = !(event->flags & UE_DECODE_FLAG_LITTLE_ENDIAN);
	fields->error = 0;
	fields->error_offset = 0;
	fields->data = event->data;
	fields->payload = event->payload;
	fields->payload_end = event->data + event->size;
	fields->definition = event->definitions;
	fields->definitions_end = event->definitions + event->definitions_length;
	fields->work = (uint64_t)event->size * UE_DECODE_WORK;
	fields->depth = 0;
	fields->raw = !event->name && event->size >= 8 ? 2 : 0;
}

static inline int ue_decode_next(struct ue_decode_fields *fields)
{
	struct ue_decode_item *item = &fields->item;

	if (UE__DECODE_UNLIKELY(fields->error))
		return -EBADMSG;
	item->depth = (uint8_t)fields->depth;
	if (fields->depth) {
		struct ue__decode_frame *top = &fields->stack[fields->depth - 1];

		if (top->item.type == UE_DECODE_ARRAY) {
			if (top->item.index == top->item.count)
				return ue__decode_close(fields, UE_DECODE_ARRAY_END);
			if (top->item.kind == UE_DECODE_KIND_STRUCT)
				return ue__decode_open_element(fields, top);
			item->index = top->item.index++;
			return ue__decode_payload(fields);
		}
		if (!top->left || fields->definition == fields->definitions_end)
			return ue__decode_close(fields, UE_DECODE_STRUCT_END);
		top->left--;
	} else if (fields->definition == fields->definitions_end) {
		return fields->raw ? ue__decode_raw(fields) : 0;
	}
	if (ue__decode_definition(fields))
		return -EBADMSG;
	if (item->array)
		return ue__decode_open_array(fields);
	if (item->kind == UE_DECODE_KIND_STRUCT)
		return ue__decode_open(fields, UE_DECODE_STRUCT);
	return ue__decode_payload(fields);
}

#define UE__DECODE_MARK "UE_TRUNC"
#define UE__DECODE_MARK_SIZE 8

/*
 * Returns true if the SIZE bytes after the last field are the mark of a truncated event and at most
 * 7 bytes of padding.
 */
static inline int ue__decode_is_mark(const uint8_t *p, size_t size)
{
	return size >= UE__DECODE_MARK_SIZE && size < 2 * UE__DECODE_MARK_SIZE &&
	       !memcmp(p, UE__DECODE_MARK, UE__DECODE_MARK_SIZE);
}

static inline int ue_decode_truncated(const struct ue_decode_event *event)
{
	const uint8_t *end = event->data + event->size;
	struct ue_decode_fields fields;
	size_t n = UE__DECODE_MARK_SIZE;
	int more;

	/* decode only events that may end with a mark */
	while (n <= event->size && n < 2 * UE__DECODE_MARK_SIZE && !ue__decode_is_mark(end - n, n))
		n++;
	if (event->error || n > event->size || n == 2 * UE__DECODE_MARK_SIZE)
		return 0;
	ue_decode_start(&fields, event);
	while ((more = ue_decode_next(&fields)) > 0)
		;
	return !more && fields.payload == end - n;
}

/*
 * Output and numbers
 * ------------------
 *
 * Text is appended to out->text in pieces of at most UE__DECODE_ROOM bytes. If another piece would
 * not fit, ue__decode_room() first empties out->text. It moves the text to the caller's buffer, as
 * far as the text fits there, or passes it to the caller's function. Integers, UUIDs, addresses,
 * dates and error numbers take one piece each.
 */
#define UE__DECODE_ROOM 64

struct ue__decode_out {
	char *p;		  /* position in text for the next piece */
	char *buffer;		  /* unused part of the caller's buffer */
	size_t room;		  /* space left in the buffer, excluding the NUL, in bytes */
	size_t length;		  /* number of bytes moved out of text so far */
	ue_decode_write_fn write; /* function of the caller, or NULL */
	void *context;
	int result;	/* result of write() */
	uint8_t json;	/* UE_DECODE_JSON */
	uint8_t spaced; /* UE_DECODE_SPACED */
	uint8_t comma;	/* 1 if a comma must precede the next value */
	char text[256];
};

/* Passes N bytes of text to the caller. */
static inline void ue__decode_emit(struct ue__decode_out *out, const char *text, size_t n)
{
	size_t copied = n < out->room ? n : out->room;

	out->length += n;
	if (out->write) {
		if (!out->result)
			out->result = out->write(out->context, text, n);
	} else if (copied) {
		memcpy(out->buffer, text, copied);
		out->buffer += copied;
		out->room -= copied;
	}
}

/* Empties out->text. */
static inline void ue__decode_flush(struct ue__decode_out *out)
{
	ue__decode_emit(out, out->text, (size_t)(out->p - out->text));
	out->p = out->text;
}

/* Makes space for one piece of text, of at most UE__DECODE_ROOM bytes. */
UE__DECODE_INLINE void ue__decode_room(struct ue__decode_out *out)
{
	if (UE__DECODE_UNLIKELY(out->text + sizeof(out->text) - out->p < UE__DECODE_ROOM))
		ue__decode_flush(out);
}

static inline void ue__decode_out_init(struct ue__decode_out *out, unsigned flags, char *buffer,
				       size_t size, ue_decode_write_fn write, void *context)
{
	out->p = out->text;
	out->buffer = buffer;
	out->room = size ? size - 1 : 0;
	out->length = 0;
	out->write = write;
	out->context = context;
	out->result = 0;
	out->json = (flags & UE_DECODE_JSON) != 0;
	out->spaced = (flags & UE_DECODE_SPACED) != 0;
	out->comma = 0;
}

/* Appends the NUL to the text in a buffer of SIZE bytes. Returns the length of the whole text. */
static inline size_t ue__decode_out_end(struct ue__decode_out *out, size_t size)
{
	ue__decode_flush(out);
	if (size)
		*out->buffer = 0;
	return out->length;
}

UE__DECODE_INLINE void ue__decode_put(struct ue__decode_out *out, char c)
{
	*out->p++ = c;
}

UE__DECODE_INLINE void ue__decode_puts(struct ue__decode_out *out, const char *text)
{
	size_t n = strlen(text);

	memcpy(out->p, text, n);
	out->p += n;
}

static inline void ue__decode_quote(struct ue__decode_out *out)
{
	if (out->json)
		ue__decode_put(out, '"');
}

/* Writes VALUE in decimal, two digits at a time, ending at END. Returns the start of the text. */
static inline char *ue__decode_digits(char *end, uint64_t value)
{
	static const char pairs[] = "00010203040506070809"
				    "10111213141516171819"
				    "20212223242526272829"
				    "30313233343536373839"
				    "40414243444546474849"
				    "50515253545556575859"
				    "60616263646566676869"
				    "70717273747576777879"
				    "80818283848586878889"
				    "90919293949596979899";

	for (; value >= 100; value /= 100)
		memcpy(end -= 2, pairs + value % 100 * 2, 2);
	if (value >= 10)
		memcpy(end -= 2, pairs + value * 2, 2);
	else
		*--end = (char)('0' + value);
	return end;
}

/* Returns the number of decimal digits of VALUE. */
static inline int ue__decode_digit_count(uint64_t value)
{
	int n = 1;

	for (; value >= 10000; value /= 10000)
		n += 4;
	return n + (value >= 10) + (value >= 100) + (value >= 1000);
}

static inline void ue__decode_uint(struct ue__decode_out *out, uint64_t value)
{
	out->p += ue__decode_digit_count(value);
	ue__decode_digits(out->p, value);
}

/* Appends VALUE in decimal, with at least WIDTH digits, including leading zeros. */
static inline void ue__decode_padded(struct ue__decode_out *out, uint64_t value, int width)
{
	int n;

	for (n = ue__decode_digit_count(value); n < width; n++)
		ue__decode_put(out, '0');
	ue__decode_uint(out, value);
}

static inline void ue__decode_int(struct ue__decode_out *out, int64_t value)
{
	if (value < 0)
		ue__decode_put(out, '-');
	ue__decode_uint(out, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

static inline void ue__decode_hex_int(struct ue__decode_out *out, uint64_t value)
{
	int shift = (63 - __builtin_clzll(value | 1)) & ~3;

	ue__decode_puts(out, "0x");
	for (; shift >= 0; shift -= 4)
		ue__decode_put(out, "0123456789ABCDEF"[value >> shift & 15]);
}

static inline void ue__decode_hex_byte(struct ue__decode_out *out, uint8_t byte)
{
	ue__decode_put(out, "0123456789abcdef"[byte >> 4]);
	ue__decode_put(out, "0123456789abcdef"[byte & 15]);
}

static inline void ue__decode_hex_bytes(struct ue__decode_out *out, const uint8_t *p, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		ue__decode_room(out);
		if (i)
			ue__decode_put(out, ' ');
		ue__decode_hex_byte(out, p[i]);
	}
}

static inline void ue__decode_uuid(struct ue__decode_out *out, const uint8_t *p)
{
	int i;

	for (i = 0; i < 16; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			ue__decode_put(out, '-');
		ue__decode_hex_byte(out, p[i]);
	}
}

static inline void ue__decode_ipv4(struct ue__decode_out *out, const uint8_t *p)
{
	int i;

	for (i = 0; i < 4; i++) {
		if (i)
			ue__decode_put(out, '.');
		ue__decode_uint(out, p[i]);
	}
}

/*
 * Appends an IPv6 address in the format of inet_ntop(). The first longest run of two or more zero
 * words becomes "::". In ::/96 and ::ffff:0:0/96, the last 32 bits are written as an IPv4 address.
 */
static inline void ue__decode_ipv6(struct ue__decode_out *out, const uint8_t *p)
{
	unsigned words[8], i, run = 0, best = 8, length = 1;
	int shift;

	for (i = 0; i < 8; i++) {
		words[i] = ue__decode_u16(p + (size_t)2 * i, 1);
		run = words[i] ? 0 : run + 1;
		if (run > length) {
			length = run;
			best = i + 1 - run;
		}
	}
	for (i = 0; i < 8; i++) {
		if (i == best) {
			ue__decode_put(out, ':');
			i += length - 1;
			if (i == 7)
				ue__decode_put(out, ':');
			continue;
		}
		if (i)
			ue__decode_put(out, ':');
		if (i == 6 && !best && (length == 6 || (length == 5 && words[5] == 0xffff))) {
			ue__decode_ipv4(out, p + 12);
			return;
		}
		for (shift = 12; shift && !(words[i] >> shift);)
			shift -= 4;
		for (; shift >= 0; shift -= 4)
			ue__decode_put(out, "0123456789abcdef"[words[i] >> shift & 15]);
	}
}

/*
 * Appends seconds since 1970 as a date and time in the Gregorian calendar, without a time zone. The
 * calculation uses years that begin on March 1st, so a leap day is the last day of its year. An era
 * is 400 years, or 146097 days.
 */
static inline void ue__decode_date(struct ue__decode_out *out, int64_t seconds)
{
	int64_t day = seconds / 86400 - (seconds % 86400 < 0), era, year;
	uint32_t second = (uint32_t)(seconds - day * 86400), of_era, year_of_era, of_year, month;

	day += 719468; /* days since 0000-03-01 */
	era = (day < 0 ? day - 146096 : day) / 146097;
	of_era = (uint32_t)(day - era * 146097);
	year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
	of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
	month = (5 * of_year + 2) / 153; /* 0 is March */
	year = (int64_t)year_of_era + era * 400 + (month >= 10);

	if (year < 0)
		ue__decode_put(out, '-');
	ue__decode_padded(out, (uint64_t)(year < 0 ? -year : year), year < 0 ? 3 : 4);
	ue__decode_put(out, '-');
	ue__decode_padded(out, month < 10 ? month + 3 : month - 9, 2);
	ue__decode_put(out, '-');
	ue__decode_padded(out, of_year - (153 * month + 2) / 5 + 1, 2);
	ue__decode_put(out, 'T');
	ue__decode_padded(out, second / 3600, 2);
	ue__decode_put(out, ':');
	ue__decode_padded(out, second / 60 % 60, 2);
	ue__decode_put(out, ':');
	ue__decode_padded(out, second % 60, 2);
}

static inline void ue__decode_time(struct ue__decode_out *out, int64_t seconds)
{
	/* Years that gmtime() supports: tm_year is an int. */
	if (seconds >= -67768040609740800 && seconds <= 67768036191676799) {
		ue__decode_date(out, seconds);
		return;
	}
	ue__decode_puts(out, "TIME(");
	ue__decode_int(out, seconds);
	ue__decode_put(out, ')');
}

/*
 * Names of the Linux error numbers, which differ on other systems. Numbers without a name are
 * called ERRNO.
 */
static const char ue__decode_errnos[][16] = {
	"ERRNO", "EPERM", "ENOENT", "ESRCH", "EINTR", "EIO", "ENXIO", "E2BIG", "ENOEXEC",
	"EBADF", "ECHILD", "EAGAIN", "ENOMEM", "EACCES", "EFAULT", "ENOTBLK", "EBUSY",
	"EEXIST", "EXDEV", "ENODEV", "ENOTDIR", "EISDIR", "EINVAL", "ENFILE", "EMFILE",
	"ENOTTY", "ETXTBSY", "EFBIG", "ENOSPC", "ESPIPE", "EROFS", "EMLINK", "EPIPE",
	"EDOM", "ERANGE", "EDEADLK", "ENAMETOOLONG", "ENOLCK", "ENOSYS", "ENOTEMPTY",
	"ELOOP", "ERRNO", "ENOMSG", "EIDRM", "ECHRNG", "EL2NSYNC", "EL3HLT", "EL3RST",
	"ELNRNG", "EUNATCH", "ENOCSI", "EL2HLT", "EBADE", "EBADR", "EXFULL", "ENOANO",
	"EBADRQC", "EBADSLT", "ERRNO", "EBFONT", "ENOSTR", "ENODATA", "ETIME", "ENOSR",
	"ENONET", "ENOPKG", "EREMOTE", "ENOLINK", "EADV", "ESRMNT", "ECOMM", "EPROTO",
	"EMULTIHOP", "EDOTDOT", "EBADMSG", "EOVERFLOW", "ENOTUNIQ", "EBADFD", "EREMCHG",
	"ELIBACC", "ELIBBAD", "ELIBSCN", "ELIBMAX", "ELIBEXEC", "EILSEQ", "ERESTART",
	"ESTRPIPE", "EUSERS", "ENOTSOCK", "EDESTADDRREQ", "EMSGSIZE", "EPROTOTYPE",
	"ENOPROTOOPT", "EPROTONOSUPPORT", "ESOCKTNOSUPPORT", "EOPNOTSUPP", "EPFNOSUPPORT",
	"EAFNOSUPPORT", "EADDRINUSE", "EADDRNOTAVAIL", "ENETDOWN", "ENETUNREACH",
	"ENETRESET", "ECONNABORTED", "ECONNRESET", "ENOBUFS", "EISCONN", "ENOTCONN",
	"ESHUTDOWN", "ETOOMANYREFS", "ETIMEDOUT", "ECONNREFUSED", "EHOSTDOWN",
	"EHOSTUNREACH", "EALREADY", "EINPROGRESS", "ESTALE", "EUCLEAN", "ENOTNAM",
	"ENAVAIL", "EISNAM", "EREMOTEIO", "EDQUOT", "ENOMEDIUM", "EMEDIUMTYPE",
	"ECANCELED", "ENOKEY", "EKEYEXPIRED", "EKEYREVOKED", "EKEYREJECTED", "EOWNERDEAD",
	"ENOTRECOVERABLE", "ERFKILL", "EHWPOISON",
};

static inline void ue__decode_errno(struct ue__decode_out *out, uint32_t number)
{
	size_t known = sizeof(ue__decode_errnos) / sizeof(ue__decode_errnos[0]);

	ue__decode_puts(out, ue__decode_errnos[number < known ? number : 0]);
	ue__decode_put(out, '(');
	ue__decode_int(out, (int32_t)number);
	ue__decode_put(out, ')');
}

/*
 * Floating point
 * --------------
 *
 * Finds the shortest decimal number that reads back as the same float, with Raffaello Giulietti's
 * Schubfach algorithm ("The Schubfach way to render doubles"). The number c * 2^q, and the
 * midpoints between it and its two neighbours, are scaled by a power of ten to integers of 16 or 17
 * digits. There are one or two shortest decimals between the midpoints, and the nearer one is
 * selected. Products are truncated, and their lowest bit is set if nonzero bits were lost. The
 * proof in the paper shows that this is sufficient if the power of ten is accurate to 128 bits. Two
 * small tables provide that accuracy.
 */
static const uint64_t ue__decode_fives[27] = {
	/* 5^i, shifted left so that the highest bit is set */
	0x8000000000000000, 0xa000000000000000, 0xc800000000000000, 0xfa00000000000000,
	0x9c40000000000000, 0xc350000000000000, 0xf424000000000000, 0x9896800000000000,
	0xbebc200000000000, 0xee6b280000000000, 0x9502f90000000000, 0xba43b74000000000,
	0xe8d4a51000000000, 0x9184e72a00000000, 0xb5e620f480000000, 0xe35fa931a0000000,
	0x8e1bc9bf04000000, 0xb1a2bc2ec5000000, 0xde0b6b3a76400000, 0x8ac7230489e80000,
	0xad78ebc5ac620000, 0xd8d726b7177a8000, 0x878678326eac9000, 0xa968163f0a57b400,
	0xd3c21bcecceda100, 0x84595161401484a0, 0xa56fa5b99019a5c8,
};

static const uint64_t ue__decode_tens[24][3] = {
	/* 10^(27 i - 297), upper 192 bits */
	{ 0xa76c582338ed2621, 0xaf2af2b80af6f24e, 0x657c8f4d43323a36 },
	{ 0x873e4f75e2224e68, 0x5a7744a6e804a291, 0xcc35eddfcf0996d7 },
	{ 0xda7f5bf590966848, 0xaf39a475506a899e, 0xa30294cc2934e662 },
	{ 0xb080392cc4349dec, 0xbd8d794d96aacfb3, 0xfe13a5c86af64418 },
	{ 0x8e938662882af53e, 0x547eb47b7282ee9c, 0x41b0230e1421487d },
	{ 0xe65829b3046b0afa, 0x0cb4a5a3112a5112, 0xa3b561b1cb208396 },
	{ 0xba121a4650e4ddeb, 0x92f34d62616ce413, 0x21a0183e10583cd3 },
	{ 0x964e858c91ba2655, 0x3a6a07f8d510f86f, 0xe9082f25e9c5e9ec },
	{ 0xf2d56790ab41c2a2, 0xfae27299423fb9c3, 0x3695dad7e8858901 },
	{ 0xc428d05aa4751e4c, 0xaa97e14c3c26b886, 0x96842dc95323f5a8 },
	{ 0x9e74d1b791e07e48, 0x775ea264cf55347d, 0xca49f1c05120c9c7 },
	{ 0x8000000000000000, 0x0000000000000000, 0x0000000000000000 },
	{ 0xcecb8f27f4200f3a, 0x0000000000000000, 0x0000000000000000 },
	{ 0xa70c3c40a64e6c51, 0x999090b65f67d924, 0x0000000000000000 },
	{ 0x86f0ac99b4e8dafd, 0x69a028bb3ded71a3, 0xdf9f915627c04e28 },
	{ 0xda01ee641a708de9, 0xe80e6f4820cc9495, 0xd74baad03bc1d8d3 },
	{ 0xb01ae745b101e9e4, 0x5ec05dcff72e7f8f, 0xc04c79ffe324301f },
	{ 0x8e41ade9fbebc27d, 0x14588f13be847307, 0x23bd6a2059c002f5 },
	{ 0xe5d3ef282a242e81, 0x8f1668c8a86da5fa, 0xf0b5ccf5176ecc7c },
	{ 0xb9a74a0637ce2ee1, 0x6d953e2bd7173692, 0x88efb0037ac08bde },
	{ 0x95f83d0a1fb69cd9, 0x4abdaf101564f98e, 0x0d5a4af7b3a98e47 },
	{ 0xf24a01a73cf2dccf, 0xbc633b39673c8cec, 0x3d9c44cd2f36917c },
	{ 0xc3b8358109e84f07, 0x0a862f80ec4700c8, 0x02606ea01029dc37 },
	{ 0x9e19db92b4e31ba9, 0x6c07a2c26a8346d1, 0x4944d9f52cd0dec2 },
};

/* Returns the upper half of the product of two 64-bit numbers. Stores the lower half in *LOW. */
static inline uint64_t ue__decode_multiply(uint64_t a, uint64_t b, uint64_t *low)
{
#ifdef __SIZEOF_INT128__
	__extension__ unsigned __int128 product = (unsigned __int128)a * b;

	*low = (uint64_t)product;
	return (uint64_t)(product >> 64);
#else
	uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
	uint64_t ll = al * bl, lh = al * bh, hl = ah * bl;
	uint64_t middle = (ll >> 32) + (uint32_t)lh + (uint32_t)hl;

	*low = middle << 32 | (uint32_t)ll;
	return ah * bh + (lh >> 32) + (hl >> 32) + (middle >> 32);
#endif
}

/* Computes the upper 128 bits of 10^E, rounded up. E is from -297 to 350. */
static inline void ue__decode_ten(int e, uint64_t *high, uint64_t *low)
{
	unsigned i = (unsigned)(e + 297) / 27, j = (unsigned)(e + 297) % 27;
	uint64_t m = ue__decode_fives[j], w0, w1, w2, w3, l1, l2;
	const uint64_t *ten = ue__decode_tens[i];

	w1 = ue__decode_multiply(ten[2], m, &w0);
	w2 = ue__decode_multiply(ten[1], m, &l1);
	w1 += l1;
	w2 += w1 < l1;
	w3 = ue__decode_multiply(ten[0], m, &l2);
	w2 += l2;
	w3 += w2 < l2;
	if (!(w3 >> 63)) {
		w3 = w3 << 1 | w2 >> 63;
		w2 = w2 << 1 | w1 >> 63;
		w1 = w1 << 1 | w0 >> 63;
		w0 <<= 1;
	}
	*high = w3;
	*low = w2 + ((w1 | w0) != 0); /* cannot overflow */
}

/*
 * Returns the upper 64 bits of HIGH:LOW * C. Sets the lowest bit if lower bits of the product are
 * set.
 */
static inline uint64_t ue__decode_scale(uint64_t high, uint64_t low, uint64_t c)
{
	uint64_t carry, y0, y1, unused;

	carry = ue__decode_multiply(low, c, &unused);
	y1 = ue__decode_multiply(high, c, &y0);
	y0 += carry;
	y1 += y0 < carry;
	return y1 | (y0 > 1);
}

/*
 * Converts c * 2^q to digits * 10^*EXPONENT, and returns the digits. EVEN_GAP is 1 if both
 * neighbours of the number are equally far away.
 */
static inline uint64_t ue__decode_shortest(uint64_t c, int q, int even_gap, int *exponent)
{
	/* 1262611 / 2^22 is log10(2), 524031 / 2^22 is log10(4/3), 1741647 / 2^19 is log2(10) */
	int k = (q * 1262611 - (even_gap ? 0 : 524031)) >> 22;
	int h = q + ((-k * 1741647) >> 19) + 1;
	uint64_t high, low, lower, value, upper, s, sp, odd = c & 1;

	ue__decode_ten(-k, &high, &low);
	lower = ue__decode_scale(high, low, (4 * c - 1 - (uint64_t)even_gap) << h) + odd;
	value = ue__decode_scale(high, low, (4 * c) << h);
	upper = ue__decode_scale(high, low, (4 * c + 2) << h) - odd;
	s = value / 4;
	*exponent = k;
	if (s >= 10) { /* one digit fewer: sp or sp + 1, if only one is between the midpoints */
		int under, over;

		sp = s / 10;
		under = lower <= 40 * sp;
		over = 40 * sp + 40 <= upper;
		if (under != over) {
			*exponent = k + 1;
			return sp + (uint64_t)over;
		}
	}
	if ((lower <= 4 * s) != (4 * s + 4 <= upper))
		return s + (4 * s + 4 <= upper);
	return s + (value > 4 * s + 2 || (value == 4 * s + 2 && (s & 1)));
}

/*
 * Appends DIGITS * 10^EXPONENT in plain or scientific notation, whichever is shorter. Uses plain
 * notation if both have the same length. An integer in plain notation is written with all digits of
 * c * 2^q, which is less than 10^23.
 */
static inline void ue__decode_decimal(struct ue__decode_out *out, uint64_t digits, int exponent,
				      uint64_t c, int q)
{
	char text[20], *end = text + sizeof(text), *p;
	int n, point, plain, scientific;

	while (!(digits % 100000000)) {
		digits /= 100000000;
		exponent += 8;
	}
	while (!(digits % 10)) {
		digits /= 10;
		exponent++;
	}
	p = ue__decode_digits(end, digits);
	n = (int)(end - p);
	point = n + exponent; /* number of digits before the point */
	plain = exponent >= 0 ? point : point > 0 ? n + 1 : n + 2 - point;
	scientific = n + (n > 1) + (point - 1 >= 100 || point - 1 <= -100 ? 5 : 4);

	if (plain > scientific) {
		ue__decode_put(out, *p++);
		if (n > 1)
			ue__decode_put(out, '.');
		memcpy(out->p, p, (size_t)n - 1);
		out->p += n - 1;
		ue__decode_put(out, 'e');
		ue__decode_put(out, point > 0 ? '+' : '-');
		ue__decode_padded(out, (uint64_t)(point > 0 ? point - 1 : 1 - point), 2);
	} else if (exponent > 0) {
		/* Written in two parts, because c * 2^q can have 74 bits. Q is from -52 to 21. */
		uint64_t upper, lower;

		if (q < 0) {
			ue__decode_uint(out, c >> -q);
			return;
		}
		lower = (c % 100000000) << q;
		upper = ((c / 100000000) << q) + lower / 100000000;
		if (upper)
			ue__decode_uint(out, upper);
		ue__decode_padded(out, lower % 100000000, upper ? 8 : 1);
	} else if (point > 0) {
		memcpy(out->p, p, (size_t)point);
		out->p += point;
		if (exponent) {
			ue__decode_put(out, '.');
			memcpy(out->p, p + point, (size_t)(n - point));
			out->p += n - point;
		}
	} else {
		ue__decode_put(out, '0');
		ue__decode_put(out, '.');
		for (; point < 0; point++)
			ue__decode_put(out, '0');
		memcpy(out->p, p, (size_t)n);
		out->p += n;
	}
}

/* Appends an IEEE 754 number with EXPONENT_BITS and FRACTION_BITS. */
static inline void ue__decode_float(struct ue__decode_out *out, uint64_t bits, int exponent_bits,
				    int fraction_bits)
{
	uint64_t fraction = bits & (((uint64_t)1 << fraction_bits) - 1), c, digits;
	int biased = (int)(bits >> fraction_bits) & ((1 << exponent_bits) - 1);
	int special = biased == (1 << exponent_bits) - 1, exponent = 0, q;

	if (special)
		ue__decode_quote(out);
	if (bits >> (exponent_bits + fraction_bits))
		ue__decode_put(out, '-');
	if (special) {
		ue__decode_puts(out, fraction ? "nan" : "inf");
		ue__decode_quote(out);
	} else if (!biased && !fraction) {
		ue__decode_put(out, '0');
	} else {
		c = biased ? fraction | (uint64_t)1 << fraction_bits : fraction;
		q = (biased ? biased : 1) - (1 << (exponent_bits - 1)) + 1 - fraction_bits;
		digits = ue__decode_shortest(c, q, fraction || biased <= 1, &exponent);
		ue__decode_decimal(out, digits, exponent, c, q);
	}
}

/*
 * Strings
 * -------
 *
 * Converts text in any encoding to UTF-8, and escapes it for JSON. Valid UTF-8 is copied unchanged,
 * and bytes that are not valid UTF-8 are converted from Latin-1. ASCII that needs no escaping is
 * copied eight bytes at a time.
 */

/* Appends a character below 0x80, escaped if necessary. */
static inline void ue__decode_ascii(struct ue__decode_out *out, uint8_t c)
{
	static const char escapes[] = "uuuuuuuubtnufruuuuuuuuuuuuuuuuuu";

	if (!out->json || (c >= ' ' && c != '"' && c != '\\')) {
		ue__decode_put(out, (char)c);
		return;
	}
	ue__decode_put(out, '\\');
	if (c >= ' ') {
		ue__decode_put(out, (char)c);
		return;
	}
	ue__decode_put(out, escapes[c]);
	if (escapes[c] == 'u') {
		ue__decode_puts(out, "00");
		ue__decode_hex_byte(out, c);
	}
}

/* Appends a character. Surrogates and code points above U+10FFFF become U+FFFD. */
static inline void ue__decode_char(struct ue__decode_out *out, uint32_t c)
{
	static const uint8_t leads[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	int length, shift;

	if (c < 0x80) {
		ue__decode_ascii(out, (uint8_t)c);
		return;
	}
	if (c >> 11 == 0xd800 >> 11 || c > 0x10ffff)
		c = 0xfffd;
	length = 2 + (c >= 0x800) + (c >= 0x10000);
	shift = 6 * (length - 1);
	ue__decode_put(out, (char)(leads[length] | c >> shift));
	while (shift) {
		shift -= 6;
		ue__decode_put(out, (char)(0x80 | (c >> shift & 0x3f)));
	}
}

/* Returns the length of a valid UTF-8 sequence of two or more bytes at P, or 0 if there is none. */
static inline size_t ue__decode_sequence(const uint8_t *p, const uint8_t *end)
{
	size_t length = *p < 0xc2 ? 0 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : *p < 0xf5 ? 4 : 0, i;

	if ((size_t)(end - p) < length)
		return 0;
	for (i = 1; i < length; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	/* overlong sequences, surrogates, and code points above U+10FFFF */
	if ((*p == 0xe0 && p[1] < 0xa0) || (*p == 0xed && p[1] > 0x9f) ||
	    (*p == 0xf0 && p[1] < 0x90) || (*p == 0xf4 && p[1] > 0x8f))
		return 0;
	return length;
}

#define UE__DECODE_ONES 0x0101010101010101u /* multiplied by C, results in eight bytes of value C */

/*
 * Returns 0 if eight bytes are all ASCII and, if JSON is set, contain no character that JSON
 * escapes. Flipping bit 1 makes a quote less than 33, like the control characters, and a space
 * greater.
 */
static inline uint64_t ue__decode_escapes(uint64_t bytes, int json)
{
	const uint64_t ones = json ? UE__DECODE_ONES : 0;

	bytes |= ((bytes ^ ones * 2) - ones * 33) | ((bytes ^ ones * '\\') - ones);
	return bytes & UE__DECODE_ONES * 0x80;
}

/* Loads one to seven bytes in memory order, and fills the remaining bytes with letters. */
static inline uint64_t ue__decode_few(const uint8_t *p, size_t n)
{
	uint64_t bytes = UE__DECODE_ONES * 'a';

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	bytes <<= 8 * n;
	if (n >= 4) /* the two parts may overlap */
		return bytes | ue__decode_u32(p, 0) |
		       (uint64_t)ue__decode_u32(p + n - 4, 0) << 8 * (n - 4);
	return bytes | p[0] | (uint64_t)p[n / 2] << 8 * (n / 2) | (uint64_t)p[n - 1] << 8 * (n - 1);
#else
	memcpy(&bytes, p, n);
	return bytes;
#endif
}

/*
 * Returns the number of leading bytes, a multiple of 16, that can be copied unchanged. Not inlined,
 * to reduce register pressure.
 */
static __attribute__((__noinline__)) size_t ue__decode_run(const uint8_t *p, size_t n, int json)
{
	const uint8_t *begin = p, *last = p + n - 16;
	uint64_t bytes[2];

	for (; p <= last; p += 16) {
		memcpy(bytes, p, 16);
		if (ue__decode_escapes(bytes[0], json) | ue__decode_escapes(bytes[1], json))
			break;
	}
	return (size_t)(p - begin);
}

static inline void ue__decode_utf8(struct ue__decode_out *out, const uint8_t *p, size_t n)
{
	const uint8_t *end = n ? p + n : p, *stop;
	uint64_t bytes;

	while (p < end) {
		size_t length = (size_t)(end - p);

		if (length > 32 && (n = ue__decode_run(p, length - 1, out->json)) != 0) {
			ue__decode_flush(out);
			ue__decode_emit(out, (const char *)p, n);
			p += n;
			length -= n;
		}
		ue__decode_room(out);
		if (length >= 8) {
			length = 8;
			memcpy(&bytes, p, 8);
		} else {
			bytes = ue__decode_few(p, length);
		}
		if (!ue__decode_escapes(bytes, out->json)) {
			memcpy(out->p, &bytes, 8);
			out->p += length;
			p += length;
			continue;
		}
		/*
		 * a byte becomes at most 6 bytes of text; the last one may begin a 4-byte sequence
		 */
		for (stop = p + length; p < stop;) {
			size_t sequence = *p < 0x80 ? 0 : ue__decode_sequence(p, end);

			if (sequence) {
				memcpy(out->p, p, sequence);
				out->p += sequence;
				p += sequence;
			} else {
				ue__decode_char(out, *p++);
			}
		}
	}
	ue__decode_room(out);
}

/* Appends Latin-1 (UNIT is 1), UTF-16 (2) or UTF-32 (4). */
static inline void ue__decode_wide(struct ue__decode_out *out, const uint8_t *p, size_t n,
				   size_t unit, int big)
{
	for (; n >= unit; p += unit, n -= unit) {
		uint32_t c = (uint32_t)ue__decode_load(p, unit, big), low;

		if (unit == 2 && c >> 10 == 0xd800 >> 10 && n >= 4) {
			low = ue__decode_u16(p + 2, big);
			if (low >> 10 == 0xdc00 >> 10) {
				c = 0x10000 + ((c & 0x3ff) << 10 | (low & 0x3ff));
				p += 2;
				n -= 2;
			}
		}
		ue__decode_room(out);
		ue__decode_char(out, c);
	}
}

/*
 * Appends UTF-8, UTF-16 or UTF-32. If MARKED is set, a byte order mark in the text overrides UNIT
 * and BIG.
 */
static inline void ue__decode_utf(struct ue__decode_out *out, const uint8_t *p, size_t n,
				  size_t unit, int big, int marked)
{
	static const struct {
		uint8_t length, unit, big, bytes[4];
	} marks[] = {
		{ 4, 4, 0, { 0xff, 0xfe, 0, 0 } },    { 4, 4, 1, { 0, 0, 0xfe, 0xff } },
		{ 2, 2, 0, { 0xff, 0xfe, 0, 0 } },    { 2, 2, 1, { 0xfe, 0xff, 0, 0 } },
		{ 3, 1, 0, { 0xef, 0xbb, 0xbf, 0 } },
	};
	size_t i;

	for (i = 0; marked && i < sizeof(marks) / sizeof(marks[0]); i++) {
		if (n >= marks[i].length && !memcmp(p, marks[i].bytes, marks[i].length)) {
			p += marks[i].length;
			n -= marks[i].length;
			unit = marks[i].unit;
			big = marks[i].big;
			break;
		}
	}
	if (unit == 1)
		ue__decode_utf8(out, p, n);
	else
		ue__decode_wide(out, p, n, unit, big);
}

/*
 * Values
 * ------
 *
 * Converts a value to text according to its kind, format and size. Writers can combine these
 * freely, so this chapter defines the valid combinations and a default for the others.
 */

/* Sets of kinds, as bitmasks, for the table below. */
#define UE__DECODE_KIND(kind) (1u << UE_DECODE_KIND_##kind)
#define UE__DECODE_4_OR_8 (UE__DECODE_KIND(VALUE32) | UE__DECODE_KIND(VALUE64))
#define UE__DECODE_NUMBER (UE__DECODE_KIND(VALUE8) | UE__DECODE_KIND(VALUE16) | UE__DECODE_4_OR_8)
#define UE__DECODE_BYTES \
	(UE__DECODE_KIND(ZSTRING8) | UE__DECODE_KIND(STRING8) | UE__DECODE_KIND(BINARY))
#define UE__DECODE_STRING \
	(UE__DECODE_BYTES | UE__DECODE_KIND(ZSTRING16) | UE__DECODE_KIND(ZSTRING32) | \
	 UE__DECODE_KIND(STRING16) | UE__DECODE_KIND(STRING32))

/* Set of kinds for which each format is valid. */
static const uint16_t ue__decode_fits[] = {
	/* default */ 0,
	/* unsigned, signed, hex */ UE__DECODE_NUMBER, UE__DECODE_NUMBER, UE__DECODE_NUMBER,
	/* errno, pid */ UE__DECODE_KIND(VALUE32), UE__DECODE_KIND(VALUE32),
	/* time */ UE__DECODE_4_OR_8,
	/* bool */ UE__DECODE_NUMBER - UE__DECODE_KIND(VALUE64),
	/* float */ UE__DECODE_4_OR_8,
	/* hex bytes */ UE__DECODE_NUMBER | UE__DECODE_KIND(VALUE128) | UE__DECODE_STRING,
	/* Latin-1 */ UE__DECODE_KIND(VALUE8) | UE__DECODE_BYTES,
	/* UTF */ UE__DECODE_KIND(VALUE16) | UE__DECODE_KIND(VALUE32) | UE__DECODE_STRING,
	/* with a byte order mark, XML, JSON */
	UE__DECODE_STRING, UE__DECODE_STRING, UE__DECODE_STRING,
	/* UUID */ UE__DECODE_KIND(VALUE128),
	/* port */ UE__DECODE_KIND(VALUE16),
	/* IP, both */ UE__DECODE_KIND(VALUE32) | UE__DECODE_KIND(VALUE128),
	UE__DECODE_KIND(VALUE32) | UE__DECODE_KIND(VALUE128),
};

/* Returns the kind of a value of SIZE bytes, or UE_DECODE_KIND_NULL. */
static inline uint8_t ue__decode_kind_of(size_t size)
{
	unsigned int kind;

	for (kind = UE_DECODE_KIND_VALUE8; kind <= UE_DECODE_KIND_VALUE128; kind++)
		if (ue__decode_kinds[kind].fixed == size)
			return (uint8_t)kind;
	return UE_DECODE_KIND_NULL;
}

/*
 * Returns the format to use for a value, or UE_DECODE_FORMAT_DEFAULT if the value is empty and
 * shown as null.
 */
static inline unsigned ue__decode_resolve(unsigned kind, unsigned format, size_t size)
{
	unsigned fits = format < sizeof(ue__decode_fits) / 2 ? ue__decode_fits[format] : 0;

	if (fits >> kind & 1)
		return format;
	/* counted bytes are shown like a value of the same size */
	if ((kind == UE_DECODE_KIND_STRING8 || kind == UE_DECODE_KIND_BINARY) && fits) {
		if (!size)
			return UE_DECODE_FORMAT_DEFAULT;
		if (fits >> ue__decode_kind_of(size) & 1)
			return format;
	}
	return ue__decode_kinds[kind].format;
}

/* Appends the value of SIZE bytes at P, which belongs to ITEM or one of its elements. */
static inline void ue__decode_put_value(struct ue__decode_out *out,
					const struct ue_decode_item *item, const uint8_t *p,
					size_t size)
{
	unsigned format = ue__decode_resolve(item->kind, item->format, size);
	size_t unit = (size_t)1 << ue__decode_kinds[item->kind].log2;
	uint64_t value = 0;
	int64_t number = 0;

	ue__decode_room(out);
	if (format <= UE_DECODE_FORMAT_FLOAT && format) {
		unsigned unused = 64 - 8 * (unsigned)size;

		value = ue__decode_load(p, size, item->big_endian);
		number = (int64_t)(value << unused) >> unused;
	}
	switch (format) {
	case UE_DECODE_FORMAT_DEFAULT:
		ue__decode_puts(out, "null");
		return;
	case UE_DECODE_FORMAT_UNSIGNED:
		ue__decode_uint(out, value);
		return;
	case UE_DECODE_FORMAT_SIGNED:
	case UE_DECODE_FORMAT_PID:
		ue__decode_int(out, number);
		return;
	case UE_DECODE_FORMAT_BOOL:
		if (value < 2)
			ue__decode_puts(out, value ? "true" : "false");
		else
			ue__decode_int(out, (int32_t)value);
		return;
	case UE_DECODE_FORMAT_FLOAT:
		ue__decode_float(out, value, size == 4 ? 8 : 11, size == 4 ? 23 : 52);
		return;
	case UE_DECODE_FORMAT_PORT:
		ue__decode_uint(out, ue__decode_u16(p, 1));
		return;
	default:
		break;
	}
	ue__decode_quote(out);
	switch (format) {
	case UE_DECODE_FORMAT_HEX:
		ue__decode_hex_int(out, value);
		break;
	case UE_DECODE_FORMAT_ERRNO:
		ue__decode_errno(out, (uint32_t)value);
		break;
	case UE_DECODE_FORMAT_TIME:
		ue__decode_time(out, number);
		break;
	case UE_DECODE_FORMAT_HEX_BYTES:
		ue__decode_hex_bytes(out, p, size);
		break;
	case UE_DECODE_FORMAT_LATIN1:
		ue__decode_wide(out, p, size, 1, 0);
		break;
	case UE_DECODE_FORMAT_UUID:
		ue__decode_uuid(out, p);
		break;
	case UE_DECODE_FORMAT_IP:
	case UE_DECODE_FORMAT_IP_OLD:
		if (size == 4)
			ue__decode_ipv4(out, p);
		else
			ue__decode_ipv6(out, p);
		break;
	default: /* strings */
		ue__decode_utf(out, p, size, unit, item->big_endian,
			       format != UE_DECODE_FORMAT_UTF);
		break;
	}
	ue__decode_room(out);
	ue__decode_quote(out);
}

/*
 * JSON
 * ----
 *
 * Converts items to the members of an object, followed by the properties of the event in "meta".
 * Each key or element appends the comma that precedes it.
 */

/* Appends the separator before a value, as part of the next piece. */
static inline void ue__decode_comma(struct ue__decode_out *out)
{
	*out->p = ',';
	out->p += out->comma;
	*out->p = ' ';
	out->p += out->spaced;
	out->comma = 1;
}

static inline void ue__decode_begin(struct ue__decode_out *out, char bracket)
{
	ue__decode_room(out);
	ue__decode_put(out, bracket);
	out->comma = 0;
}

static inline void ue__decode_end(struct ue__decode_out *out, char bracket)
{
	ue__decode_room(out);
	if (out->spaced)
		ue__decode_put(out, ' ');
	ue__decode_put(out, bracket);
	out->comma = 1;
}

/* Appends all elements of an array of fixed-size values. */
static inline void ue__decode_put_list(struct ue__decode_out *out,
				       const struct ue_decode_item *item)
{
	size_t size = ue__decode_kinds[item->kind].fixed, at;

	ue__decode_begin(out, '[');
	for (at = 0; at < item->size; at += size) {
		ue__decode_room(out);
		ue__decode_comma(out);
		ue__decode_put_value(out, item, item->value + at, size);
	}
	ue__decode_end(out, ']');
}

static inline size_t ue_decode_value(const struct ue_decode_item *item, unsigned flags,
				     char *buffer, size_t size)
{
	struct ue__decode_out out;

	ue__decode_out_init(&out, flags, buffer, size, NULL, NULL);
	if (item->type == UE_DECODE_VALUE)
		ue__decode_put_value(&out, item, item->value, item->size);
	else if (item->type == UE_DECODE_ARRAY && item->value)
		ue__decode_put_list(&out, item);
	return ue__decode_out_end(&out, size);
}

static inline void ue__decode_colon(struct ue__decode_out *out)
{
	ue__decode_puts(out, "\": ");
	out->p -= !out->spaced;
}

/* Returns true if NAME is "n" or "meta", the names of members that every event has. */
static inline int ue__decode_is_own(const char *name, size_t length)
{
	return (length == 1 && *name == 'n') || (length == 4 && !memcmp(name, "meta", 4));
}

/*
 * Appends the key of a value. TOP is 1 at the top level of the event. Leaves 40 bytes of space for
 * the value.
 */
static inline void ue__decode_key(struct ue__decode_out *out, const char *name, size_t length,
				  unsigned tag, int top)
{
	ue__decode_room(out);
	ue__decode_comma(out);
	ue__decode_put(out, '"');
	ue__decode_utf8(out, (const uint8_t *)name, length);
	if (UE__DECODE_UNLIKELY(tag)) {
		ue__decode_puts(out, ";tag=");
		ue__decode_hex_int(out, tag);
	} else if (UE__DECODE_UNLIKELY(top && ue__decode_is_own(name, length))) {
		ue__decode_puts(out, "#2");
	}
	ue__decode_colon(out);
}

/* Appends a key whose NAME is a string literal. */
UE__DECODE_INLINE void ue__decode_meta_key(struct ue__decode_out *out, const char *name)
{
	ue__decode_room(out);
	ue__decode_comma(out);
	ue__decode_put(out, '"');
	ue__decode_puts(out, name);
	ue__decode_colon(out);
}

static inline void ue__decode_meta_uint(struct ue__decode_out *out, const char *name,
					uint64_t value, unsigned wanted)
{
	if (!wanted)
		return;
	ue__decode_meta_key(out, name);
	ue__decode_uint(out, value);
}

static inline void ue__decode_meta_hex(struct ue__decode_out *out, const char *name, uint64_t value)
{
	if (!value)
		return;
	ue__decode_meta_key(out, name);
	ue__decode_put(out, '"');
	ue__decode_hex_int(out, value);
	ue__decode_put(out, '"');
}

static inline void ue__decode_meta_uuid(struct ue__decode_out *out, const char *name,
					const uint8_t *id)
{
	if (!id)
		return;
	ue__decode_meta_key(out, name);
	ue__decode_put(out, '"');
	ue__decode_uuid(out, id);
	ue__decode_put(out, '"');
}

static inline void ue__decode_meta_record(struct ue__decode_out *out,
					  const struct ue_decode_meta *meta)
{
	uint64_t second = meta->time / 1000000000, rest = meta->time % 1000000000;
	int wall = (meta->known & UE_DECODE_HAS_WALL_TIME) != 0;

	if (meta->time && (wall || meta->known & UE_DECODE_HAS_TIME)) {
		ue__decode_meta_key(out, "time");
		ue__decode_put(out, '"');
		if (wall)
			ue__decode_date(out, (int64_t)second);
		else
			ue__decode_uint(out, second);
		ue__decode_put(out, '.');
		ue__decode_padded(out, rest, 9);
		ue__decode_puts(out, wall ? "Z\"" : "\"");
	}
	ue__decode_meta_uint(out, "cpu", meta->cpu, meta->known & UE_DECODE_HAS_CPU);
	ue__decode_meta_uint(out, "pid", meta->pid, meta->known & UE_DECODE_HAS_PID);
	ue__decode_meta_uint(out, "tid", meta->tid, meta->known & UE_DECODE_HAS_TID);
}

static inline void ue__decode_meta_event(struct ue__decode_out *out,
					 const struct ue_decode_event *event)
{
	ue__decode_meta_uint(out, "id", event->id, event->id);
	ue__decode_meta_uint(out, "version", event->version, event->version);
	ue__decode_meta_uint(out, "level", event->level, event->level);
	ue__decode_meta_hex(out, "keyword", event->keyword);
	ue__decode_meta_uint(out, "opcode", event->opcode, event->opcode);
	ue__decode_meta_hex(out, "tag", event->tag);
	ue__decode_meta_uuid(out, "activity", event->activity);
	ue__decode_meta_uuid(out, "relatedActivity", event->related);
	if (event->attributes_length) { /* without the semicolon of ";unit=ms" */
		ue__decode_meta_key(out, "attributes");
		ue__decode_put(out, '"');
		ue__decode_utf8(out, (const uint8_t *)event->name + event->name_length + 1,
				event->attributes_length - 1);
		ue__decode_put(out, '"');
	}
}

static inline void ue__decode_meta_error(struct ue__decode_out *out, int error, size_t offset)
{
	const char *text = ue_decode_strerror(error);

	ue__decode_meta_key(out, "error");
	ue__decode_put(out, '"');
	ue__decode_utf8(out, (const uint8_t *)text, strlen(text));
	ue__decode_puts(out, error == UE_DECODE_ETRACEPOINT ? " at character " : " at byte ");
	ue__decode_uint(out, offset);
	ue__decode_put(out, '"');
}

/* Begins an event: { "n": "LEFT:RIGHT" */
static inline void ue__decode_identity(struct ue__decode_out *out, const char *left,
				       size_t left_length, const char *right, size_t right_length)
{
	ue__decode_begin(out, '{');
	ue__decode_meta_key(out, "n");
	ue__decode_put(out, '"');
	ue__decode_utf8(out, (const uint8_t *)left, left_length);
	ue__decode_put(out, ':');
	ue__decode_utf8(out, (const uint8_t *)right, right_length);
	ue__decode_put(out, '"');
}

/* Appends "meta" and ends the object. EVENT is NULL for a kernel-typed event. */
static inline void ue__decode_meta(struct ue__decode_out *out, const struct ue_decode_meta *meta,
				   const struct ue_decode_event *event, unsigned flags,
				   int truncated, int error, size_t error_offset)
{
	int wanted = !(flags & UE_DECODE_NO_META);

	if (wanted || error) {
		ue__decode_meta_key(out, "meta");
		ue__decode_begin(out, '{');
		if (wanted && meta)
			ue__decode_meta_record(out, meta);
		if (wanted && event)
			ue__decode_meta_event(out, event);
		if (wanted && truncated) {
			ue__decode_meta_key(out, "truncated");
			ue__decode_puts(out, "true");
		}
		if (error)
			ue__decode_meta_error(out, error, error_offset);
		ue__decode_end(out, '}');
	}
	ue__decode_end(out, '}');
}

static inline void ue__decode_put_item(struct ue__decode_out *out,
				       const struct ue_decode_item *item)
{
	if (item->type == UE_DECODE_STRUCT_END || item->type == UE_DECODE_ARRAY_END) {
		ue__decode_end(out, item->type == UE_DECODE_ARRAY_END ? ']' : '}');
		return;
	}
	if (item->array && item->type != UE_DECODE_ARRAY) { /* an element */
		ue__decode_room(out);
		ue__decode_comma(out);
	} else {
		ue__decode_key(out, item->name, item->name_length + item->attributes_length,
			       item->tag, !item->depth);
	}
	if (item->type == UE_DECODE_VALUE)
		ue__decode_put_value(out, item, item->value, item->size);
	else
		ue__decode_begin(out, item->type == UE_DECODE_ARRAY ? '[' : '{');
}

static inline void ue__decode_put_event(struct ue__decode_out *out, struct ue_decode_event *event,
					const struct ue_decode_meta *meta, unsigned flags)
{
	struct ue_decode_fields fields;
	int more;

	ue__decode_identity(out, event->provider, event->provider_length, event->name,
			    event->name_length);
	ue_decode_start(&fields, event);
	while ((more = ue_decode_next(&fields)) > 0 && !out->result)
		ue__decode_put_item(out, &fields.item);
	if (more < 0)
		ue__decode_bad(event, fields.error, fields.error_offset);
	while (fields.depth) {
		int is_array = fields.stack[--fields.depth].item.type == UE_DECODE_ARRAY;

		ue__decode_end(out, is_array ? ']' : '}');
	}
	ue__decode_meta(out, meta, event, flags, ue_decode_truncated(event), event->error,
			event->error_offset);
}

static inline size_t ue_decode_json(struct ue_decode_event *event,
				    const struct ue_decode_meta *meta, unsigned flags, char *buffer,
				    size_t size)
{
	struct ue__decode_out out;

	ue__decode_out_init(&out, flags | UE_DECODE_JSON, buffer, size, NULL, NULL);
	ue__decode_put_event(&out, event, meta, flags);
	return ue__decode_out_end(&out, size);
}

static inline int ue_decode_json_to(struct ue_decode_event *event,
				    const struct ue_decode_meta *meta, unsigned flags,
				    ue_decode_write_fn write, void *context)
{
	struct ue__decode_out out;

	ue__decode_out_init(&out, flags | UE_DECODE_JSON, NULL, 0, write, context);
	ue__decode_put_event(&out, event, meta, flags);
	ue__decode_flush(&out);
	return out.result;
}

/*
 * Format files
 * ------------
 *
 * ue_decode_format_parse() reads lines such as
 *
 *	field:unsigned long args[6];	offset:16;	size:48;	signed:0;
 *
 * The last word of a declaration is the name, and the preceding words are the type. The offset and
 * the size are taken from the line. The type determines the format of the value. Each line becomes
 * a struct ue_decode_field.
 */
enum ue__decode_word { /* parts of a declaration */
		       UE__DECODE_SIGNED = 1,
		       UE__DECODE_UNSIGNED = 2,
		       UE__DECODE_LONG = 4,
		       UE__DECODE_LONG_LONG = 8,
		       UE__DECODE_CHAR = 16,
		       UE__DECODE_OTHER = 32, /* a type that C does not define */
		       UE__DECODE_STRUCT_WORD = 64,
		       UE__DECODE_POINTER = 128,
		       UE__DECODE_ARRAY_WORD = 256,
		       UE__DECODE_DATA_WORD = 512,
		       UE__DECODE_REL_WORD = 1024
};

struct ue__decode_declaration {
	const char *name;
	size_t name_length;
	unsigned words;	   /* enum ue__decode_word */
	uint32_t count;	   /* number in brackets, or 0 if there is none */
	uint8_t type_size; /* size of an element in bytes, or 0 if the type does not imply it */
};

/* Reads a decimal number at *P, up to END. Numbers above 2^32-1 become 2^32-1. */
static inline uint32_t ue__decode_number(const char **p, const char *end)
{
	uint64_t value = 0;

	for (; *p < end && ue__decode_is_digit(**p); (*p)++) {
		value = value * 10 + (uint64_t)(**p - '0');
		if (value > 0xffffffff)
			value = 0xffffffff;
	}
	return (uint32_t)value;
}

/*
 * Adds the word in D->name to the type. Called if another word follows, because only the last word
 * of a declaration is its name.
 */
static inline void ue__decode_type_word(struct ue__decode_declaration *d, uint8_t long_size)
{
	static const struct {
		char word[12];
		uint8_t size;
		uint16_t flags;
	} words[] = {
		{ "unsigned", 4, UE__DECODE_UNSIGNED }, { "signed", 4, UE__DECODE_SIGNED },
		{ "int", 4, 0 }, { "short", 2, 0 }, { "char", 1, UE__DECODE_CHAR },
		{ "long", 0, UE__DECODE_LONG },
		{ "u8", 1, UE__DECODE_UNSIGNED }, { "__u8", 1, UE__DECODE_UNSIGNED },
		{ "uint8_t", 1, UE__DECODE_UNSIGNED }, { "s8", 1, UE__DECODE_SIGNED },
		{ "__s8", 1, UE__DECODE_SIGNED }, { "int8_t", 1, UE__DECODE_SIGNED },
		{ "u16", 2, UE__DECODE_UNSIGNED }, { "__u16", 2, UE__DECODE_UNSIGNED },
		{ "uint16_t", 2, UE__DECODE_UNSIGNED }, { "s16", 2, UE__DECODE_SIGNED },
		{ "__s16", 2, UE__DECODE_SIGNED }, { "int16_t", 2, UE__DECODE_SIGNED },
		{ "u32", 4, UE__DECODE_UNSIGNED }, { "__u32", 4, UE__DECODE_UNSIGNED },
		{ "uint32_t", 4, UE__DECODE_UNSIGNED }, { "s32", 4, UE__DECODE_SIGNED },
		{ "__s32", 4, UE__DECODE_SIGNED }, { "int32_t", 4, UE__DECODE_SIGNED },
		{ "u64", 8, UE__DECODE_UNSIGNED }, { "__u64", 8, UE__DECODE_UNSIGNED },
		{ "uint64_t", 8, UE__DECODE_UNSIGNED }, { "s64", 8, UE__DECODE_SIGNED },
		{ "__s64", 8, UE__DECODE_SIGNED }, { "int64_t", 8, UE__DECODE_SIGNED },
		{ "const", 0, 0 }, { "volatile", 0, 0 },
		{ "struct", 0, UE__DECODE_STRUCT_WORD }, { "union", 0, UE__DECODE_STRUCT_WORD },
		{ "__data_loc", 0, UE__DECODE_DATA_WORD }, { "__rel_loc", 0, UE__DECODE_REL_WORD },
	};
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!ue__decode_is(d->name, d->name_length, words[i].word))
			continue;
		if (words[i].flags == UE__DECODE_LONG) {
			d->type_size = d->words & UE__DECODE_LONG ? 8 : long_size;
			if (d->words & UE__DECODE_LONG)
				d->words |= UE__DECODE_LONG_LONG;
		} else if (words[i].size && d->type_size != 2 && !(d->words & UE__DECODE_LONG)) {
			/* "short int" has 2 bytes, and "long int" has the size of long */
			d->type_size = words[i].size;
		}
		d->words |= words[i].flags;
		return;
	}
	d->words |= UE__DECODE_OTHER;
	d->type_size = 0;
}

/*
 * Parses a declaration, such as "const char * name", "__data_loc char[] name" or "unsigned long
 * args[6]".
 */
static inline void ue__decode_declare(struct ue__decode_declaration *d, const char *p,
				      const char *end, uint8_t long_size)
{
	memset(d, 0, sizeof(*d));
	while (p < end) {
		const char *word = p;

		if (ue__decode_is_word(*p)) {
			while (p < end && ue__decode_is_word(*p))
				p++;
			if (d->name)
				ue__decode_type_word(d, long_size);
			d->name = word;
			d->name_length = (size_t)(p - word);
			continue;
		}
		p++;
		if (*word == '*')
			d->words |= UE__DECODE_POINTER;
		if (*word != '[')
			continue;
		d->words |= UE__DECODE_ARRAY_WORD;
		d->count = ue__decode_number(&p, end);
		/* an expression, which only the kernel can evaluate */
		if (p < end && *p != ']')
			d->count = 0;
		while (p < end && *p != ']')
			p++;
	}
}

/* Sets loc, array, unit, kind and format of FIELD. The offset and size must already be set. */
static inline void ue__decode_type(struct ue_decode_field *field,
				   const struct ue__decode_declaration *d, int is_signed,
				   uint8_t long_size)
{
	const unsigned character = UE__DECODE_CHAR | UE__DECODE_SIGNED | UE__DECODE_UNSIGNED;
	const unsigned integer = UE__DECODE_LONG | UE__DECODE_LONG_LONG | UE__DECODE_UNSIGNED;
	int pointer = (d->words & UE__DECODE_POINTER) != 0;
	int is_char = !pointer && (d->words & character) == UE__DECODE_CHAR;
	uint32_t unit = field->size;

	if (field->size == 4 && d->words & (UE__DECODE_DATA_WORD | UE__DECODE_REL_WORD))
		field->loc = d->words & UE__DECODE_REL_WORD ? UE_DECODE_REL_LOC
							    : UE_DECODE_DATA_LOC;
	if (field->loc || !field->size || d->words & UE__DECODE_ARRAY_WORD) {
		unit = pointer ? long_size : d->type_size;
		field->array = UE_DECODE_VARIABLE_ARRAY;
		if (!field->loc && field->size) {
			field->array = UE_DECODE_CONSTANT_ARRAY;
			/* user_events leaves the brackets empty; its arrays are byte arrays */
			if (d->count && unit != 1)
				unit = field->size / d->count;
		}
	}

	if (is_char && field->array) {
		field->kind = UE_DECODE_KIND_ZSTRING8;
		field->array = 0;
	} else if (is_char && field->size == 1) {
		field->kind = UE_DECODE_KIND_VALUE8;
		field->format = UE_DECODE_FORMAT_LATIN1;
		field->unit = 1;
	} else if (unit > 8 || !ue__decode_kind_of(unit) ||
		   (d->words & UE__DECODE_STRUCT_WORD && !pointer)) {
		field->kind = UE_DECODE_KIND_BINARY;
		field->array = 0;
	} else {
		field->kind = ue__decode_kind_of(unit);
		field->unit = (uint8_t)unit;
		if (pointer || (d->words & UE__DECODE_OTHER && !is_signed) ||
		    (d->words & integer) == (UE__DECODE_LONG | UE__DECODE_UNSIGNED))
			field->format = UE_DECODE_FORMAT_HEX;
		else
			field->format = is_signed ? UE_DECODE_FORMAT_SIGNED
						  : UE_DECODE_FORMAT_UNSIGNED;
	}
}

/*
 * Returns the number after KEY ("size:") in "...;\toffset:8;\tsize:4;", or MISSING if there is
 * none.
 */
static inline uint32_t ue__decode_property(const char *p, const char *end, const char *key,
					   uint32_t missing)
{
	size_t length = strlen(key);

	for (; (size_t)(end - p) > length; p++)
		if (!ue__decode_is_word(p[-1]) && !memcmp(p, key, length)) {
			const char *digits = p + length;
			uint32_t value;

			p = digits;
			value = ue__decode_number(&p, end);
			return p > digits ? value : missing;
		}
	return missing;
}

/* Parses the text of a line after "field:". Returns 0 if it is not a field. */
static inline int ue__decode_field_line(const struct ue_decode_format *format, const char *p,
					const char *end, struct ue_decode_field *field)
{
	const char *semicolon = (const char *)memchr(p, ';', (size_t)(end - p));
	uint8_t long_size = format->long_size ? format->long_size : 8;
	struct ue__decode_declaration d;
	uint32_t is_signed;

	if (!semicolon)
		return 0;
	ue__decode_declare(&d, p, semicolon, long_size);
	if (!d.name)
		return 0;
	memset(field, 0, sizeof(*field));
	field->name = d.name;
	field->name_length = d.name_length;
	field->common = d.name_length > 7 && !memcmp(d.name, "common_", 7);
	field->offset = ue__decode_property(semicolon, end, "offset:", UINT32_MAX);
	field->size = ue__decode_property(semicolon, end, "size:", UINT32_MAX);
	if (field->offset == UINT32_MAX || field->size == UINT32_MAX)
		return 0;
	is_signed = ue__decode_property(
		semicolon, end, "signed:", !(d.words & (UE__DECODE_UNSIGNED | UE__DECODE_OTHER)));
	/* user_events reports "__rel_loc u8[]" as signed, because it tests only the first letter */
	if ((d.words & UE__DECODE_UNSIGNED) &&
	    (d.words & (UE__DECODE_DATA_WORD | UE__DECODE_REL_WORD)))
		is_signed = 0;
	ue__decode_type(field, &d, is_signed != 0, long_size);
	return 1;
}

/* The fields of the EventHeader header. EventHeader tracepoints have exactly these fields. */
static const struct {
	char name[18];
	uint8_t offset;
	uint8_t size;
} ue__decode_header[] = {
	{ "eventheader_flags", 0, 1 }, { "version", 1, 1 }, { "id", 2, 2 },
	{ "tag", 4, 2 }, { "opcode", 6, 1 }, { "level", 7, 1 },
};

#define UE__DECODE_HEADER_FIELDS (sizeof(ue__decode_header) / sizeof(ue__decode_header[0]))

/* Returns true if FIELD is header field INDEX of a header that starts at BEGIN. */
static inline int ue__decode_in_header(const struct ue_decode_field *field, size_t index,
				       size_t begin)
{
	return index < UE__DECODE_HEADER_FIELDS &&
	       ue__decode_is(field->name, field->name_length, ue__decode_header[index].name) &&
	       field->offset == begin + ue__decode_header[index].offset &&
	       field->size == ue__decode_header[index].size;
}

/* Returns true if FIELD is the .NET field at INDEX, for fields that start at BEGIN. */
static inline int ue__decode_in_dotnet(const struct ue_decode_field *field, size_t index,
				       size_t begin)
{
	static const char names[][10] = { "version", "event_id", "extension", "payload" };
	static const uint8_t offsets[] = { 0, 1, 3, 7 }, sizes[] = { 1, 2, 4, 4 };

	return index < 4 && ue__decode_is(field->name, field->name_length, names[index]) &&
	       field->offset == begin + offsets[index] && field->size == sizes[index] &&
	       field->loc == (index < 2 ? 0 : UE_DECODE_REL_LOC);
}

static inline int ue_decode_format_parse(struct ue_decode_format *format, const char *text,
					 size_t length)
{
	const char *p = text, *end = text + length, *line_end;
	size_t own = 0, in_header = 0, in_dotnet = 0, begin = 0; /* without the common fields */

	format->name = NULL;
	format->name_length = 0;
	format->id = 0;
	format->field_count = 0;
	format->eventheader = 0;
	format->dotnet = 0;
	for (; p < end; p = line_end + (line_end < end)) {
		struct ue_decode_field field;

		line_end = (const char *)memchr(p, '\n', (size_t)(end - p));
		if (!line_end)
			line_end = end;
		while (p < line_end && (*p == ' ' || *p == '\t'))
			p++;
		if (line_end - p > 6 && !memcmp(p, "name: ", 6)) {
			format->name = p + 6;
			format->name_length = (size_t)(line_end - p) - 6;
		} else if (line_end - p > 4 && !memcmp(p, "ID: ", 4)) {
			p += 4;
			format->id = ue__decode_number(&p, line_end);
		} else if (line_end - p > 6 && !memcmp(p, "field:", 6) &&
			   ue__decode_field_line(format, p + 6, line_end, &field)) {
			if (format->field_count < format->fields_max)
				format->fields[format->field_count] = field;
			format->field_count++;
			if (!field.common) {
				if (!own)
					begin = field.offset;
				in_dotnet += (size_t)ue__decode_in_dotnet(&field, own, begin);
				in_header += (size_t)ue__decode_in_header(&field, own++, begin);
			}
		} else if (line_end - p > 10 && !memcmp(p, "print fmt:", 10)) {
			break;
		}
	}
	if (own == UE__DECODE_HEADER_FIELDS && in_header == own)
		format->eventheader = begin;
	if (own == 4 && in_dotnet == own)
		format->dotnet = begin;
	if (format->field_count > format->fields_max)
		return -ENOSPC;
	return format->field_count ? 0 : -EINVAL;
}

/*
 * Records
 * -------
 *
 * Reads a record as described by a struct ue_decode_format. Offsets and lengths in the record may
 * have any value, so each of them is checked against the size of the record.
 */

/*
 * Finds the value of a field in a record of SIZE bytes. Returns 0, or -EBADMSG if the value is
 * outside the record.
 */
UE__DECODE_INLINE int ue__decode_find_value(const struct ue_decode_format *format,
					    const struct ue_decode_field *field,
					    const uint8_t *data, size_t size, size_t *value_offset,
					    size_t *value_length)
{
	size_t offset = field->offset, length = field->size;
	uint32_t loc;

	if (offset > size || size - offset < length)
		return -EBADMSG;
	if (field->loc) {
		if (length < sizeof(loc))
			return -EBADMSG;
		loc = ue__decode_u32(data + offset, format->big_endian);
		offset = (loc & 0xffff) + (field->loc == UE_DECODE_REL_LOC ? offset + 4 : 0);
		length = loc >> 16;
		if (offset > size || size - offset < length)
			return -EBADMSG;
	} else if (!length) {
		length = size - offset;
	}
	*value_offset = offset;
	*value_length = length;
	return 0;
}

static inline int ue_decode_format_item(const struct ue_decode_format *format,
					const struct ue_decode_field *field, const void *record,
					size_t size, struct ue_decode_item *item)
{
	const uint8_t *data = (const uint8_t *)record;
	size_t offset, length;

	memset(item, 0, sizeof(*item));
	item->name = field->name;
	item->name_length = field->name_length;
	item->type = UE_DECODE_VALUE;
	item->count = 1;
	item->big_endian = format->big_endian;
	if (ue__decode_find_value(format, field, data, size, &offset, &length))
		return -EBADMSG;

	item->value = data + offset;
	item->kind = field->kind;
	item->format = field->format;
	item->array = field->array;
	if (field->kind == UE_DECODE_KIND_ZSTRING8) {
		length = ue__decode_until_nul(item->value, length, 1);
	} else if (field->array) {
		item->type = UE_DECODE_ARRAY;
		item->count = (uint32_t)(length / field->unit);
		length -= length % field->unit;
	}
	item->size = length;
	return 0;
}

static inline int ue_decode_format_truncated(const struct ue_decode_format *format,
					     const void *record, size_t size)
{
	const uint8_t *data = (const uint8_t *)record;
	size_t end = 0, offset, length, i;

	if (!format->field_count || format->field_count > format->fields_max)
		return 0;
	for (i = 0; i < format->field_count; i++) {
		const struct ue_decode_field *field = &format->fields[i];

		if (ue__decode_find_value(format, field, data, size, &offset, &length))
			return 0;
		if (offset + length > end)
			end = offset + length;
		if (field->offset + (size_t)field->size > end)
			end = field->offset + (size_t)field->size;
	}
	return ue__decode_is_mark(data + end, size - end);
}

static inline void ue__decode_put_record(struct ue__decode_out *out,
					 const struct ue_decode_format *format, const void *record,
					 size_t size, const struct ue_decode_meta *meta,
					 unsigned flags)
{
	size_t count = format->field_count, i, error_offset = 0;
	int error = 0;

	if (count > format->fields_max)
		count = format->fields_max;
	ue__decode_identity(out, format->system, format->system_length, format->name,
			    format->name_length);
	for (i = 0; i < count && !out->result; i++) {
		const struct ue_decode_field *field = &format->fields[i];
		struct ue_decode_item item;

		if (field->common)
			continue;
		if (ue_decode_format_item(format, field, record, size, &item) && !error) {
			error = UE_DECODE_EVALUE;
			error_offset = field->offset;
		}
		ue__decode_key(out, item.name, item.name_length, 0, 1);
		if (item.type == UE_DECODE_ARRAY)
			ue__decode_put_list(out, &item);
		else
			ue__decode_put_value(out, &item, item.value, item.size);
	}
	ue__decode_meta(out, meta, NULL, flags, ue_decode_format_truncated(format, record, size),
			error, error_offset);
}

static inline size_t ue_decode_format_json(const struct ue_decode_format *format,
					   const void *record, size_t record_size,
					   const struct ue_decode_meta *meta, unsigned flags,
					   char *buffer, size_t size)
{
	struct ue__decode_out out;

	ue__decode_out_init(&out, flags | UE_DECODE_JSON, buffer, size, NULL, NULL);
	ue__decode_put_record(&out, format, record, record_size, meta, flags);
	return ue__decode_out_end(&out, size);
}

static inline int ue_decode_format_json_to(const struct ue_decode_format *format,
					   const void *record, size_t record_size,
					   const struct ue_decode_meta *meta, unsigned flags,
					   ue_decode_write_fn write, void *context)
{
	struct ue__decode_out out;

	ue__decode_out_init(&out, flags | UE_DECODE_JSON, NULL, 0, write, context);
	ue__decode_put_record(&out, format, record, record_size, meta, flags);
	ue__decode_flush(&out);
	return out.result;
}

/*
 * .NET metadata
 * -------------
 *
 * The extension is a sequence of items. Each item is a one-byte label followed by data. Label 1 is
 * followed by the 32-bit length of the metadata and the metadata itself. Labels 2 and 3 are
 * followed by the 16-byte IDs of the activity and of the related activity. The metadata is
 * little-endian, and its strings are NUL-terminated UTF-16. It consists of
 *
 *	provider, event ID (32 bits), event name, keywords (64), version (32), level (32),
 *	field list, tags
 *
 * A field list is a 32-bit count followed by the fields. A field consists of a 32-bit type code,
 * the field list of its members if the field is an object, and its name. A tag is a 32-bit length,
 * one byte with the kind of the tag, and data. Kind 1 is the opcode. Kind 2 is another field list,
 * which replaces the first one in events with arrays. In that list, a field is a 32-bit length, the
 * name, and the type. The length is the size of the whole field in bytes, including the length
 * itself. Type 19 is an array and is followed by the type of its elements.
 *
 * The payload contains the values in order, without padding. They have the same form as in an
 * EventHeader event, except for identifiers and dates, which are converted in place.
 */
#define UE__DOTNET_DEPTH 8
#define UE__DOTNET_LEVEL 4 /* default level of an EventSource */
#define UE__DOTNET_OBJECT 1
#define UE__DOTNET_ARRAY 19

/* Kind and format of each type code. The kind is 0 for code 0 and for unsupported codes. */
static const uint8_t ue__dotnet_types[][2] = {
	/* empty, object, null */ { 0, 0 }, { 0, 0 }, { 0, 0 },
	/* bool, char */ { UE_DECODE_KIND_VALUE32, UE_DECODE_FORMAT_BOOL },
	{ UE_DECODE_KIND_VALUE16, UE_DECODE_FORMAT_UTF },
	/* integers of 8, 16, 32 and 64 bits, each signed and unsigned */
	{ UE_DECODE_KIND_VALUE8, UE_DECODE_FORMAT_SIGNED },
	{ UE_DECODE_KIND_VALUE8, UE_DECODE_FORMAT_UNSIGNED },
	{ UE_DECODE_KIND_VALUE16, UE_DECODE_FORMAT_SIGNED },
	{ UE_DECODE_KIND_VALUE16, UE_DECODE_FORMAT_UNSIGNED },
	{ UE_DECODE_KIND_VALUE32, UE_DECODE_FORMAT_SIGNED },
	{ UE_DECODE_KIND_VALUE32, UE_DECODE_FORMAT_UNSIGNED },
	{ UE_DECODE_KIND_VALUE64, UE_DECODE_FORMAT_SIGNED },
	{ UE_DECODE_KIND_VALUE64, UE_DECODE_FORMAT_UNSIGNED },
	/* single, double, decimal */ { UE_DECODE_KIND_VALUE32, UE_DECODE_FORMAT_FLOAT },
	{ UE_DECODE_KIND_VALUE64, UE_DECODE_FORMAT_FLOAT },
	{ UE_DECODE_KIND_VALUE128, UE_DECODE_FORMAT_HEX_BYTES },
	/* date, identifier, string */ { UE_DECODE_KIND_VALUE64, UE_DECODE_FORMAT_TIME },
	{ UE_DECODE_KIND_VALUE128, UE_DECODE_FORMAT_UUID },
	{ UE_DECODE_KIND_ZSTRING16, UE_DECODE_FORMAT_UTF },
};

/* State of the conversion of one event. */
struct ue__dotnet {
	const uint8_t *p, *end; /* unread metadata */
	uint8_t *out;
	size_t size; /* size of out, in bytes */
	size_t n;    /* number of output bytes, of which the first SIZE are in OUT */
	unsigned skip; /* if nonzero, definitions are read but not written */
	int bad; /* 1 if the metadata is invalid or unsupported */
};

/* Text in metadata. */
struct ue__dotnet_text {
	const uint8_t *p;
	size_t length; /* length without the NUL, in bytes */
};

static inline int ue_decode_dotnet_parse(struct ue_decode_dotnet *event, const void *data,
					 size_t size, int big_endian)
{
	const uint8_t *p = (const uint8_t *)data, *end;
	uint32_t extension, payload;
	size_t length;

	memset(event, 0, sizeof(*event));
	if (size < 11 || p[0] != 1)
		return -EBADMSG;
	event->id = ue__decode_u16(p + 1, big_endian);
	extension = ue__decode_u32(p + 3, big_endian);
	payload = ue__decode_u32(p + 7, big_endian);
	if (7 + (extension & 0xffff) + (extension >> 16) > size ||
	    11 + (payload & 0xffff) + (payload >> 16) > size)
		return -EBADMSG;
	event->payload = p + 11 + (payload & 0xffff);
	event->payload_length = payload >> 16;
	p += 7 + (extension & 0xffff);
	for (end = p + (extension >> 16); p < end; p += length) {
		uint8_t label = *p++;

		length = 16;
		if (label == 1) {
			if (end - p < 4)
				break;
			length = ue__decode_u32(p, 0);
			p += 4;
		}
		if (label < 1 || label > 3 || length > (size_t)(end - p))
			break;
		if (label == 1) {
			event->metadata = p;
			event->metadata_length = length;
		} else if (label == 2) {
			event->activity = p;
		} else {
			event->related = p;
		}
	}
	return 0;
}

static inline uint64_t ue__dotnet_number(struct ue__dotnet *d, size_t size)
{
	const uint8_t *p = d->p;

	if ((size_t)(d->end - p) < size) {
		d->bad = 1;
		d->p = d->end;
		return 0;
	}
	d->p += size;
	return ue__decode_load(p, size, 0);
}

static inline struct ue__dotnet_text ue__dotnet_read_text(struct ue__dotnet *d)
{
	struct ue__dotnet_text text = { d->p, 0 };

	while (ue__dotnet_number(d, 2))
		text.length += 2;
	return text;
}

static inline void ue__dotnet_put(struct ue__dotnet *d, const void *bytes, size_t n)
{
	if (d->skip)
		return;
	if (d->n <= d->size && n && n <= d->size - d->n)
		memcpy(d->out + d->n, bytes, n);
	d->n += n;
}

/* Appends text as UTF-8 with a NUL. */
static inline void ue__dotnet_put_text(struct ue__dotnet *d, struct ue__dotnet_text text)
{
	struct ue_decode_item item;
	size_t room = d->n < d->size ? d->size - d->n : 0;

	if (d->skip)
		return;
	memset(&item, 0, sizeof(item));
	item.kind = UE_DECODE_KIND_ZSTRING16;
	item.format = UE_DECODE_FORMAT_UTF;
	item.value = text.p;
	item.size = text.length;
	d->n += ue_decode_value(&item, 0, room ? (char *)d->out + d->n : NULL, room) + 1;
}

static inline void ue__dotnet_put_number(struct ue__dotnet *d, uint64_t number, size_t size)
{
	uint8_t bytes[8];
	size_t i;

	for (i = 0; i < size; i++)
		bytes[i] = (uint8_t)(number >> 8 * i);
	ue__dotnet_put(d, bytes, size);
}

/* Appends the digits of a number. The base is 10 or 16. */
static inline void ue__dotnet_put_digits(struct ue__dotnet *d, uint64_t number, unsigned base)
{
	char digits[20], *p = digits + sizeof(digits);

	do
		*--p = "0123456789abcdef"[number % base];
	while (number /= base);
	ue__dotnet_put(d, p, (size_t)(digits + sizeof(digits) - p));
}

/* Appends an identifier in the byte order of RFC 4122. FROM and TO may be the same. */
static inline void ue__dotnet_identifier(const uint8_t *from, uint8_t *to)
{
	static const uint8_t order[] = { 3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15 };
	uint8_t bytes[16];
	size_t i;

	for (i = 0; i < 16; i++)
		bytes[i] = from[order[i]];
	memcpy(to, bytes, 16);
}

static inline void ue__dotnet_fields(struct ue__dotnet *d, int tagged, unsigned depth);

/* Converts a type. For an object, also converts its members. */
static inline void ue__dotnet_type(struct ue__dotnet *d, int tagged, unsigned depth)
{
	uint32_t code = (uint32_t)ue__dotnet_number(d, 4), array = 0, members;

	if (tagged && code == UE__DOTNET_ARRAY) {
		array = UE_DECODE_VARIABLE_ARRAY;
		code = (uint32_t)ue__dotnet_number(d, 4);
	}
	if (code == UE__DOTNET_OBJECT) {
		members = d->end - d->p < 4 ? 0 : ue__decode_u32(d->p, 0);
		/* the encoding has 7 bits for the number of members */
		if (!members || members > 127 || depth == UE__DOTNET_DEPTH) {
			d->bad = 1;
			return;
		}
		ue__dotnet_put_number(d, UE_DECODE_KIND_STRUCT | array | 0x80, 1);
		ue__dotnet_put_number(d, members, 1);
		ue__dotnet_fields(d, tagged, depth + 1);
	} else if (code < sizeof(ue__dotnet_types) / 2 && ue__dotnet_types[code][0]) {
		ue__dotnet_put_number(d, ue__dotnet_types[code][0] | array | 0x80, 1);
		ue__dotnet_put_number(d, ue__dotnet_types[code][1], 1);
	} else {
		d->bad = 1;
	}
}

/* Converts a field whose name follows its type. */
static inline void ue__dotnet_named_last(struct ue__dotnet *d, unsigned depth)
{
	const uint8_t *type = d->p, *next;

	d->skip++;
	ue__dotnet_type(d, 0, depth);
	d->skip--;
	ue__dotnet_put_text(d, ue__dotnet_read_text(d));
	if (d->skip || d->bad)
		return;
	next = d->p;
	d->p = type;
	ue__dotnet_type(d, 0, depth);
	d->p = next;
}

/* Converts a field of a tag of kind 2, whose name precedes its type. */
static inline void ue__dotnet_named_first(struct ue__dotnet *d, unsigned depth)
{
	const uint8_t *end = d->end;
	uint32_t length = (uint32_t)ue__dotnet_number(d, 4);

	if (length < 4 || length - 4 > (size_t)(end - d->p)) {
		d->bad = 1;
		return;
	}
	d->end = d->p + length - 4;
	ue__dotnet_put_text(d, ue__dotnet_read_text(d));
	ue__dotnet_type(d, 1, depth);
	d->p = d->end;
	d->end = end;
}

/* Converts a field list. */
static inline void ue__dotnet_fields(struct ue__dotnet *d, int tagged, unsigned depth)
{
	uint32_t count = (uint32_t)ue__dotnet_number(d, 4);

	for (; count && !d->bad; count--) {
		if (tagged)
			ue__dotnet_named_first(d, depth);
		else
			ue__dotnet_named_last(d, depth);
	}
}

/* Metadata of an event. */
struct ue__dotnet_about {
	struct ue__dotnet_text provider, name;
	uint64_t keywords;
	uint32_t id, version, level, opcode;
	int tagged;	       /* 1 if the fields are in a tag of kind 2 */
	struct ue__dotnet fields; /* reader at the start of the field list */
};

/* Reads metadata up to its fields. Returns false if it is invalid. */
static inline int ue__dotnet_read(struct ue__dotnet_about *about, const uint8_t *metadata,
				  size_t length)
{
	struct ue__dotnet d;

	memset(about, 0, sizeof(*about));
	memset(&d, 0, sizeof(d));
	d.p = metadata;
	d.end = metadata + length;
	d.skip = 1;
	about->provider = ue__dotnet_read_text(&d);
	about->id = (uint32_t)ue__dotnet_number(&d, 4);
	about->name = ue__dotnet_read_text(&d);
	about->keywords = ue__dotnet_number(&d, 8);
	about->version = (uint32_t)ue__dotnet_number(&d, 4);
	about->level = (uint32_t)ue__dotnet_number(&d, 4);
	about->fields = d;
	if (d.p < d.end)
		ue__dotnet_fields(&d, 0, 0);
	while (d.p < d.end && !d.bad) {
		uint32_t size = (uint32_t)ue__dotnet_number(&d, 4);
		unsigned kind = (unsigned)ue__dotnet_number(&d, 1);

		if (size > (size_t)(d.end - d.p))
			return 0;
		if (kind == 1 && size)
			about->opcode = d.p[0];
		if (kind == 2) {
			about->tagged = 1;
			about->fields.p = d.p;
			about->fields.end = d.p + size;
		}
		d.p += size;
	}
	return !d.bad;
}

/*
 * Converts the identifiers and dates in the payload of a converted event. Returns true if the
 * fields fill the payload exactly.
 */
static inline int ue__dotnet_values(uint8_t *data, size_t size)
{
	struct ue_decode_fields fields;
	struct ue_decode_event event;
	uint8_t *value;
	uint64_t date;
	int more, i;

	ue_decode_parse(&event, NULL, 0, data, size);
	ue_decode_start(&fields, &event);
	while ((more = ue_decode_next(&fields)) > 0) {
		if (fields.item.type != UE_DECODE_VALUE)
			continue;
		value = data + (fields.item.value - data);
		if (fields.item.format == UE_DECODE_FORMAT_UUID)
			ue__dotnet_identifier(value, value);
		if (fields.item.format != UE_DECODE_FORMAT_TIME)
			continue;
		/* units of 100 ns since 1601 */
		date = ue__decode_u64(value, 0) / 10000000 - 11644473600u;
		for (i = 0; i < 8; i++)
			value[i] = (uint8_t)(date >> 8 * i);
	}
	return !more && fields.payload == fields.payload_end;
}

/*
 * Writes the converted event. If TYPED is 0, its only field is the size of its payload. Returns
 * false on failure.
 */
static inline int ue__dotnet_write(struct ue__dotnet *d, const struct ue_decode_dotnet *event,
				   const struct ue__dotnet_about *about, const char *tracepoint,
				   size_t tracepoint_length, int typed)
{
	size_t begin, length_at, length, ids_size = event->related ? 32 : 16;
	/* EventHeader has no level 0 */
	unsigned level = about->level & 0xff ? about->level & 0xff : UE__DOTNET_LEVEL;
	uint8_t ids[32];

	d->n = 0;
	d->skip = 0;
	if (about->provider.length) {
		ue__dotnet_put_text(d, about->provider);
		d->n--; /* without the NUL */
	} else {
		ue__dotnet_put(d, tracepoint, tracepoint_length);
	}
	ue__dotnet_put(d, "_L", 2);
	ue__dotnet_put_digits(d, level, 16);
	ue__dotnet_put(d, "K", 1);
	ue__dotnet_put_digits(d, about->keywords, 16);
	ue__dotnet_put(d, "", 1);

	begin = d->n;
	ue__dotnet_put_number(d, UE_DECODE_FLAG_POINTER64 | UE_DECODE_FLAG_LITTLE_ENDIAN |
					 UE_DECODE_FLAG_EXTENSION, 1);
	ue__dotnet_put_number(d, about->version, 1);
	ue__dotnet_put_number(d, event->id, 2);
	ue__dotnet_put_number(d, 0, 2);
	ue__dotnet_put_number(d, about->opcode, 1);
	ue__dotnet_put_number(d, level, 1);
	if (event->activity) {
		ue__dotnet_identifier(event->activity, ids);
		if (event->related)
			ue__dotnet_identifier(event->related, ids + 16);
		ue__dotnet_put_number(d, ids_size, 2);
		ue__dotnet_put_number(d, UE__DECODE_ACTIVITY | UE__DECODE_MORE_BLOCKS, 2);
		ue__dotnet_put(d, ids, ids_size);
	}
	length_at = d->n;
	ue__dotnet_put_number(d, 0, 2);
	ue__dotnet_put_number(d, UE__DECODE_METADATA, 2);
	if (about->name.length) {
		ue__dotnet_put_text(d, about->name);
	} else {
		ue__dotnet_put_digits(d, event->id, 10);
		ue__dotnet_put(d, "", 1);
	}
	if (typed) {
		if (d->p < d->end)
			ue__dotnet_fields(d, about->tagged, 0);
	} else {
		ue__dotnet_put(d, "payload_size", sizeof("payload_size"));
		ue__dotnet_put_number(d, UE_DECODE_KIND_VALUE32, 1);
	}
	length = d->n - length_at - 4;
	if (typed)
		ue__dotnet_put(d, event->payload, event->payload_length);
	else
		ue__dotnet_put_number(d, event->payload_length, 4);
	if (d->bad || length > UINT16_MAX)
		return 0;
	if (d->n > d->size)
		return 1; /* the caller retries with a larger buffer */
	d->out[length_at] = (uint8_t)length;
	d->out[length_at + 1] = (uint8_t)(length >> 8);
	return !typed || ue__dotnet_values(d->out + begin, d->n - begin);
}

static inline size_t ue_decode_dotnet_convert(const struct ue_decode_dotnet *event,
					      const char *tracepoint, size_t tracepoint_length,
					      const void *metadata, size_t metadata_length,
					      void *buffer, size_t size)
{
	struct ue__dotnet_about about, none;
	struct ue__dotnet d;

	memset(&none, 0, sizeof(none));
	if (!metadata || !ue__dotnet_read(&about, (const uint8_t *)metadata, metadata_length) ||
	    (about.id & 0xffff) != event->id)
		about = none;
	d = about.fields;
	d.out = (uint8_t *)buffer;
	d.size = size;
	if (about.fields.p && ue__dotnet_write(&d, event, &about, tracepoint, tracepoint_length, 1))
		return d.n;
	d.bad = 0;
	if (ue__dotnet_write(&d, event, &about, tracepoint, tracepoint_length, 0))
		return d.n;
	/* the event's name is too long */
	d.bad = 0;
	ue__dotnet_write(&d, event, &none, tracepoint, tracepoint_length, 0);
	return d.n;
}

/*
 * The fields of an event set. user_events.h has the same definition; if the two differ, compilers
 * reject them.
 */
#define UE__F_SET_FIELDS "u8 eventheader_flags; u8 version; u16 id; u16 tag; u8 opcode; u8 level"

/*
 * Sets the name of EVENT, and decodes it if it is an EventHeader event. All other members must
 * already be set.
 */
static inline void ue__capture_event_decode(struct ue_capture_event *event)
{
	event->name = event->spec;
	event->name_length = strcspn(event->spec, " ");
	event->eventheader = !strcmp(event->spec + event->name_length, " " UE__F_SET_FIELDS);
	memset(&event->decoded, 0, sizeof(event->decoded));
	if (!event->eventheader)
		return;
	ue_decode_parse(&event->decoded, event->spec, event->name_length,
			event->record + sizeof(struct ue__decode_common),
			event->size - sizeof(struct ue__decode_common));
	if (event->decoded.name) {
		event->name = event->decoded.name;
		event->name_length = event->decoded.name_length;
	}
}

#ifdef __clang__
#pragma clang attribute pop
#endif
#pragma GCC diagnostic pop
#endif /* UE_USER_EVENTS_DECODE_H */
