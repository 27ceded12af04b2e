/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The user_events.h authors */
/*
 * user_events_decode.h - the bytes of traced events as fields, text and JSON.
 *
 * For programs that read traces: perf.data files, ftrace's ring buffer, captured
 * events. Copy this file; it needs libc's string functions and nothing else.
 *
 *	struct ue_decode_event event;
 *	char line[4096];
 *
 *	ue_decode_parse(&event, "MyApp_L4K1", 10, bytes, size);
 *	ue_decode_json(&event, NULL, UE_DECODE_SPACED, line, sizeof(line));
 *	// { "n": "MyApp:RequestDone", "status": 200, "meta": { "level": 4, ... } }
 *
 * What there is:
 *
 *	ue_decode_parse()		an EventHeader event: whose it is, its header
 *	ue_decode_start(), ue_decode_next()	its fields, one by one, in place
 *	ue_decode_value()		one value as text
 *	ue_decode_json(), ue_decode_json_to()	the event as a line of JSON
 *	ue_decode_format_parse()	a tracepoint's format file, for events with
 *					kernel-typed fields
 *	ue_decode_format_item()		one of their fields, in place
 *	ue_decode_format_json(), ue_decode_format_json_to()	them as JSON
 *	ue_decode_strerror()		what is wrong with an event, in a sentence
 *
 * Nothing is allocated, copied, locked or kept: everything lives in the
 * caller's structs, and all pointers in them point into the caller's bytes.
 * Every function is therefore thread-safe and async-signal-safe, and none
 * touches errno. Events of either byte order are read on machines of either.
 *
 * Events may be damaged or hostile. Nothing outside the given bytes is read, the
 * stack use is fixed, and the work is bounded by the event's size (see
 * UE_DECODE_WORK). What can be read is given, then an error that says what is
 * wrong and at which byte; JSON stays well-formed and says it in "meta".
 *
 * The chapters: configuration, events, fields, text and JSON, kernel-typed events,
 * errors, implementation. What starts with ue__ or UE__ is private.
 *
 * Needs C11 or C++11.
 */
#ifndef UE_USER_EVENTS_DECODE_H
#define UE_USER_EVENTS_DECODE_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#pragma GCC diagnostic push
#ifdef __clang__
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-variable"
/* unsigned numbers wrap on purpose: hashes, masks, ages */
#pragma clang attribute push(__attribute__((no_sanitize("integer"))), apply_to = function)
#endif
#ifdef __cplusplus
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wuseless-cast"
#endif
#pragma GCC diagnostic ignored "-Wold-style-cast" /* the same text is C */
#pragma GCC diagnostic ignored "-Wzero-as-null-pointer-constant"
#endif

#ifndef UE__EVENTHEADER_NUMBERS /* user_events.h and user_events_decode.h both have them */
#define UE__EVENTHEADER_NUMBERS
/* How readers show a value (UE_AS). docs/reference.md tells which one fits which type. */
#define UE_FORMAT_DEFAULT 0 /* the kind's own */
#define UE_FORMAT_UNSIGNED 1
#define UE_FORMAT_SIGNED 2
#define UE_FORMAT_HEX 3
#define UE_FORMAT_ERRNO 4
#define UE_FORMAT_PID 5
#define UE_FORMAT_TIME 6
#define UE_FORMAT_BOOL 7
#define UE_FORMAT_FLOAT 8
#define UE_FORMAT_HEX_BYTES 9
#define UE_FORMAT_STRING8 10
#define UE_FORMAT_UTF 11
#define UE_FORMAT_UTF_BOM 12
#define UE_FORMAT_XML 13
#define UE_FORMAT_JSON 14
#define UE_FORMAT_UUID 15
#define UE_FORMAT_PORT 16
#define UE_FORMAT_IP 17

/* How the bytes of a value are laid out: a field's kind. */
enum ue__kind {
	UE__KIND_NULL,
	UE__KIND_STRUCT,
	UE__KIND_VALUE8,
	UE__KIND_VALUE16,
	UE__KIND_VALUE32,
	UE__KIND_VALUE64,
	UE__KIND_VALUE128,
	UE__KIND_ZSTRING8, /* up to a zero unit */
	UE__KIND_ZSTRING16,
	UE__KIND_ZSTRING32,
	UE__KIND_STRING8, /* behind a count of 16 bits */
	UE__KIND_STRING16,
	UE__KIND_STRING32,
	UE__KIND_BINARY
};

/*
 * A field's encoding: the kind and these bits. With MORE, the format follows; with MORE in the
 * format, a tag.
 */
#define UE__ENCODING_KINDS 0x1f
#define UE__ENCODING_CARRAY 0x20 /* an array, whose count is in the definition */
#define UE__ENCODING_VARRAY 0x40 /* an array, whose count is in the payload */
#define UE__ENCODING_ARRAYS 0x60
#define UE__ENCODING_MORE 0x80

/* The event's header, 8 bytes. */
#define UE__HEADER_FIELDS(_)                                                          \
	_("", "u8", "eventheader_flags", 0, 1) _("; ", "u8", "version", 1, 1)         \
	_("; ", "u16", "id", 2, 2) _("; ", "u16", "tag", 4, 2)                        \
	_("; ", "u8", "opcode", 6, 1) _("; ", "u8", "level", 7, 1)
/* the text that registers a set, behind the name */
#define UE__HEADER_TEXT(separator, type, name, offset, size) separator type " " name
#define UE__SET_FIELDS UE__HEADER_FIELDS(UE__HEADER_TEXT)
/* the flags */
#define UE__HEADER_POINTER64 1
#define UE__HEADER_LITTLE_ENDIAN 2
#define UE__HEADER_EXTENSION 4

/* Behind the header: blocks of a size and a kind of 16 bits each, then the block's bytes. */
#define UE__EXTENSION_METADATA 1
#define UE__EXTENSION_ACTIVITY 2
#define UE__EXTENSION_KINDS 0x7fff
#define UE__EXTENSION_MORE 0x8000 /* another one follows */
#endif

/*
 * Configuration: what may be defined before the include.
 * =============
 *
 * UE_DECODE_DEPTH	Structs and arrays that may be open at a time, 1 to 255; an
 *			array of structs counts twice. The format's other readers stop
 *			at 8 levels. Costs 48 bytes of struct ue_decode_fields each.
 * UE_DECODE_WORK	The work an event may cause for each of its bytes. A field
 *			costs one for each byte of its definition, each time it is met,
 *			a struct in an array eight more. The fields of an array of structs
 *			are defined once and met with every element, so a few bytes could
 *			otherwise stand for 65535 * 65535 empty structs. 128 is out of
 *			reach of honest events: it takes names of 100 letters for fields
 *			of one byte.
 */
#ifndef UE_DECODE_DEPTH
#define UE_DECODE_DEPTH 16
#endif
#if UE_DECODE_DEPTH < 1 || UE_DECODE_DEPTH > 255 /* ue_decode_item.depth is a byte */
#error "UE_DECODE_DEPTH is 1 to 255"
#endif

#ifndef UE_DECODE_WORK
#define UE_DECODE_WORK 128
#endif

/*
 * Events
 * ======
 *
 * Lengths are in bytes. Strings have a length and no NUL. They are what the event
 * holds: UTF-8 by convention, but not checked.
 */
struct ue_decode_event {
	/* From the tracepoint's name; lengths 0 and keyword 0 without one. */
	const char *provider;
	size_t provider_length;
	const char *options; /* all of them: "Gperf" */
	size_t options_length;
	const char *group; /* the value of option G: "perf" */
	size_t group_length;
	uint64_t keyword;

	/* The header. */
	uint16_t id; /* 0 = none */
	uint16_t tag;
	uint8_t flags; /* UE_DECODE_FLAG_... */
	uint8_t version;
	uint8_t opcode;
	uint8_t level;

	const uint8_t *activity; /* 16 bytes, or NULL */
	const uint8_t *related;	 /* 16 bytes, or NULL */
	const char *name;
	size_t name_length;	  /* without attributes; 0 without metadata */
	size_t attributes_length; /* ";attribute=value...", right after the name */

	/* The first thing found wrong: UE_DECODE_E..., and the byte of it. */
	int error;
	size_t error_offset;

	/* Where things are. */
	const uint8_t *data;
	size_t size;
	const uint8_t *definitions;
	size_t definitions_length;
	const uint8_t *payload;
};

#define UE_DECODE_FLAG_POINTER64 UE__HEADER_POINTER64
#define UE_DECODE_FLAG_LITTLE_ENDIAN UE__HEADER_LITTLE_ENDIAN
#define UE_DECODE_FLAG_EXTENSION UE__HEADER_EXTENSION

/*
 * Reads an EventHeader event's identity. tracepoint is the tracepoint's name, with or without its
 * system ("user_events:MyApp_L4K1"), or NULL if it is not known; data are the event's bytes from
 * the header on, behind the record's common fields. Both must outlive the event.
 *
 * Returns 0, or -EBADMSG with event->error and event->error_offset set. The offset counts in data,
 * or in the name for UE_DECODE_ETRACEPOINT. Whatever could be read is in the event all the same,
 * the rest is zero; its fields can be asked for and its JSON be printed either way.
 */
static inline int ue_decode_parse(struct ue_decode_event *event, const char *tracepoint,
				  size_t tracepoint_length, const void *data, size_t size);

/*
 * Fields
 * ======
 *
 *	struct ue_decode_fields fields;
 *	int more;
 *
 *	ue_decode_start(&fields, &event);
 *	while ((more = ue_decode_next(&fields)) > 0)
 *		use(&fields.item);
 *
 * A struct comes as an item of type UE_DECODE_STRUCT, its members, and
 * UE_DECODE_STRUCT_END; an array as UE_DECODE_ARRAY, its elements, which are values
 * or structs, and UE_DECODE_ARRAY_END.
 *
 * An event without metadata has no name, and only its writer knows its fields, by the
 * header's id and version. It comes as two values of UE_DECODE_KIND_BINARY: "header", 8
 * bytes, and "payload", if it has any.
 */
enum ue_decode_type {
	UE_DECODE_VALUE,
	UE_DECODE_STRUCT,
	UE_DECODE_STRUCT_END,
	UE_DECODE_ARRAY,
	UE_DECODE_ARRAY_END
};

/* ue_decode_item.kind: how the bytes are laid out. */
enum ue_decode_kind {
	UE_DECODE_KIND_NULL = UE__KIND_NULL,
	UE_DECODE_KIND_STRUCT = UE__KIND_STRUCT,
	UE_DECODE_KIND_VALUE8 = UE__KIND_VALUE8,
	UE_DECODE_KIND_VALUE16 = UE__KIND_VALUE16,
	UE_DECODE_KIND_VALUE32 = UE__KIND_VALUE32,
	UE_DECODE_KIND_VALUE64 = UE__KIND_VALUE64,
	UE_DECODE_KIND_VALUE128 = UE__KIND_VALUE128,
	UE_DECODE_KIND_ZSTRING8 = UE__KIND_ZSTRING8,
	UE_DECODE_KIND_ZSTRING16 = UE__KIND_ZSTRING16,
	UE_DECODE_KIND_ZSTRING32 = UE__KIND_ZSTRING32,
	UE_DECODE_KIND_STRING8 = UE__KIND_STRING8,
	UE_DECODE_KIND_STRING16 = UE__KIND_STRING16,
	UE_DECODE_KIND_STRING32 = UE__KIND_STRING32,
	UE_DECODE_KIND_BINARY = UE__KIND_BINARY
};

/* ue_decode_item.format: what they mean. Others are shown as the kind's default. */
enum ue_decode_format_code {
	UE_DECODE_FORMAT_DEFAULT = UE_FORMAT_DEFAULT,
	UE_DECODE_FORMAT_UNSIGNED = UE_FORMAT_UNSIGNED,
	UE_DECODE_FORMAT_SIGNED = UE_FORMAT_SIGNED,
	UE_DECODE_FORMAT_HEX = UE_FORMAT_HEX,
	UE_DECODE_FORMAT_ERRNO = UE_FORMAT_ERRNO,
	UE_DECODE_FORMAT_PID = UE_FORMAT_PID,
	UE_DECODE_FORMAT_TIME = UE_FORMAT_TIME,
	UE_DECODE_FORMAT_BOOL = UE_FORMAT_BOOL,
	UE_DECODE_FORMAT_FLOAT = UE_FORMAT_FLOAT,
	UE_DECODE_FORMAT_HEX_BYTES = UE_FORMAT_HEX_BYTES,
	UE_DECODE_FORMAT_LATIN1 = UE_FORMAT_STRING8,
	UE_DECODE_FORMAT_UTF = UE_FORMAT_UTF,
	UE_DECODE_FORMAT_UTF_BOM = UE_FORMAT_UTF_BOM,
	UE_DECODE_FORMAT_XML = UE_FORMAT_XML,
	UE_DECODE_FORMAT_JSON = UE_FORMAT_JSON,
	UE_DECODE_FORMAT_UUID = UE_FORMAT_UUID,
	UE_DECODE_FORMAT_PORT = UE_FORMAT_PORT,
	UE_DECODE_FORMAT_IP = UE_FORMAT_IP,
	UE_DECODE_FORMAT_IP_OLD
};

#define UE_DECODE_CONSTANT_ARRAY UE__ENCODING_CARRAY /* the count is part of the definition */
#define UE_DECODE_VARIABLE_ARRAY UE__ENCODING_VARRAY /* it is part of this event */

struct ue_decode_item {
	const char *name;
	size_t name_length;	  /* without attributes */
	size_t attributes_length; /* ";attribute=value...", right after the name */
	/*
	 * The value, without a length or a NUL, in the event's byte order. For
	 * UE_DECODE_ARRAY all elements if they are of a fixed size (as far as they are
	 * there); otherwise, and for structs, NULL.
	 */
	const uint8_t *value;
	size_t size;
	uint32_t count;	    /* elements of the array, or 1 */
	uint32_t index;	    /* of this element, or 0 */
	uint16_t tag;	    /* of the field; 0 = none */
	uint8_t type;	    /* enum ue_decode_type */
	uint8_t kind;	    /* enum ue_decode_kind, of an array its elements' */
	uint8_t format;	    /* enum ue_decode_format_code; of a struct its member count */
	uint8_t array;	    /* UE_DECODE_..._ARRAY for an array and its elements, or 0 */
	uint8_t depth;	    /* structs and arrays around it */
	uint8_t big_endian; /* how to read value */
};

/* Begins and ends as struct ue_decode_item does, so that these parts are copied as they are. */
struct ue__decode_frame {
	const char *name;
	size_t name_length;
	size_t attributes_length;
	const uint8_t *members; /* definition of an array of structs' first member */
	uint32_t count;
	uint32_t index;
	uint16_t tag;
	uint8_t type; /* UE_DECODE_ARRAY or UE_DECODE_STRUCT */
	uint8_t kind;
	uint8_t format;
	uint8_t array;
	uint8_t left; /* members of the struct that are yet to come; of an item its depth */
	uint8_t big_endian;
};

#define UE__DECODE_RAW_HEADER 1
#define UE__DECODE_RAW_PAYLOAD 2

struct ue_decode_fields {
	struct ue_decode_item item;
	/* Why ue_decode_next() failed: UE_DECODE_E..., and the byte of the event. */
	int error;
	size_t error_offset;
	/* Payload that is not read yet; up to 7 bytes of padding remain at the end. */
	const uint8_t *payload;
	const uint8_t *payload_end;

	/* The rest is private. */
	const uint8_t *data;
	const uint8_t *definition;
	const uint8_t *definitions_end;
	uint64_t work;
	unsigned depth;
	uint8_t raw; /* bytes without a description that are yet to come: UE__DECODE_RAW_... */
	struct ue__decode_frame stack[UE_DECODE_DEPTH];
};

/* Begins before the first field of an event that ue_decode_parse() has read. */
static inline void ue_decode_start(struct ue_decode_fields *fields,
				   const struct ue_decode_event *event);

/*
 * Goes to the next item. Returns 1 and fields->item, 0 after the last, or -EBADMSG,
 * now and from now on, with fields->error and fields->error_offset set. A string
 * that the event's end cuts short is an item as far as it goes, then an error.
 */
static inline int ue_decode_next(struct ue_decode_fields *fields);

/*
 * Text and JSON
 * =============
 */
#define UE_DECODE_SPACED 1u  /* { "a": [ 1, 2 ] } for {"a":[1,2]} */
#define UE_DECODE_NO_META 2u /* no "meta", unless to tell an error */
#define UE_DECODE_JSON 4u    /* ue_decode_value(): as in JSON, quoted and escaped */

/*
 * Functions with a buffer write at most size bytes, the last of them a NUL (none at
 * all if size is 0), and return the length of the whole text without it: as
 * snprintf(), it was cut if the result is not less than size.
 *
 * Functions with a write function hand it the text in pieces. It returns 0, or any
 * other number to stop; that is then returned, otherwise 0.
 */
typedef int (*ue_decode_write_fn)(void *context, const char *text, size_t length);

/*
 * A value as text: numbers, true and false, strings as UTF-8, hex bytes and so on.
 * An array of fixed-size values is "[1,2]"; for any other item but values there
 * is no text. flags: UE_DECODE_JSON, UE_DECODE_SPACED.
 *
 * Floats are the shortest decimal that reads back to the same value, in the form
 * that is shorter, as C++'s std::to_chars() has it: 3.14, 1e+20, 1e-07, 0.001.
 */
static inline size_t ue_decode_value(const struct ue_decode_item *item, unsigned flags,
				     char *buffer, size_t size);

/* What the record around an event tells, for "meta". */
struct ue_decode_meta {
	uint64_t time; /* in nanoseconds */
	uint32_t cpu;
	uint32_t pid;
	uint32_t tid;
	uint32_t known; /* UE_DECODE_HAS_...; what is not known is left out */
};

#define UE_DECODE_HAS_TIME 1u	   /* since whenever the recording's clock began */
#define UE_DECODE_HAS_WALL_TIME 2u /* since 1970-01-01 UTC */
#define UE_DECODE_HAS_CPU 4u
#define UE_DECODE_HAS_PID 8u
#define UE_DECODE_HAS_TID 16u

/*
 * The event as one JSON object, without a line's end. meta may be NULL. flags:
 * UE_DECODE_SPACED, UE_DECODE_NO_META. An error, of the event or found in its fields, is
 * in event->error afterwards, and last in "meta": "error": "... at byte 12".
 *
 * The output is UTF-8, with the exceptions that the format asks for: lone UTF-16
 * surrogates are written as 3 bytes, and 32-bit characters beyond Unicode as 4 to 7.
 */
static inline size_t ue_decode_json(struct ue_decode_event *event,
				    const struct ue_decode_meta *meta, unsigned flags, char *buffer,
				    size_t size);
static inline int ue_decode_json_to(struct ue_decode_event *event,
				    const struct ue_decode_meta *meta, unsigned flags,
				    ue_decode_write_fn write, void *context);

/*
 * Kernel-typed events
 * ===================
 *
 * Any tracepoint's record, described by its format file in tracefs
 * (events/SYSTEM/NAME/format):
 *
 *	struct ue_decode_field fields[64];
 *	struct ue_decode_format format = { .fields = fields, .fields_max = 64 };
 *
 *	ue_decode_format_parse(&format, text, length);
 *	ue_decode_format_json(&format, record, size, NULL, 0, line, sizeof(line));
 */
struct ue_decode_field {
	const char *name;
	size_t name_length;
	uint32_t offset; /* in the record */
	uint32_t size;	 /* 0: the rest of the record */
	uint8_t unit;	 /* bytes of an element */
	uint8_t kind;	 /* enum ue_decode_kind, of an array its elements' */
	uint8_t format;	 /* enum ue_decode_format_code */
	uint8_t array;	 /* UE_DECODE_..._ARRAY, or 0 */
	uint8_t loc;	 /* UE_DECODE_DATA_LOC, UE_DECODE_REL_LOC, or 0 */
	uint8_t common;	 /* one of the common_* fields that every record has */
};

#define UE_DECODE_DATA_LOC 1 /* offset and length, counted from the record's start */
#define UE_DECODE_REL_LOC 2  /* the same, counted from behind the field */

struct ue_decode_format {
	/* The caller's. */
	const char *system; /* "user_events", for JSON; NULL is the same as "" */
	size_t system_length;
	struct ue_decode_field *fields;
	size_t fields_max;
	uint8_t big_endian; /* the recording machine's byte order, */
	uint8_t long_size;  /* and its sizeof(long), 4 or 8; 0 is 8 */

	/* Set by ue_decode_format_parse(). */
	const char *name;
	size_t name_length;
	uint32_t id;
	size_t field_count;
	/*
	 * Where the event's bytes for ue_decode_parse() begin in a record, if this is a
	 * tracepoint of EventHeader events: it has their six fields and no others. Else 0.
	 */
	size_t eventheader;
};

/*
 * Reads a format file's text, which must outlive the format. Lines that it does not know are
 * skipped, and fields without an offset or a size. Returns 0, -ENOSPC if there are more fields
 * than fields_max (field_count tells how many; the first ones are there), or -EINVAL if there is
 * none.
 */
static inline int ue_decode_format_parse(struct ue_decode_format *format, const char *text,
					 size_t length);

/*
 * Finds a field's value in a record: item is then a UE_DECODE_VALUE, or a UE_DECODE_ARRAY of
 * fixed-size values that ue_decode_value() can print. char arrays are strings up to their first
 * NUL, a char is a character. Returns 0, or -EBADMSG if the value is not in the record; item is
 * then a null.
 */
static inline int ue_decode_format_item(const struct ue_decode_format *format,
					const struct ue_decode_field *field, const void *record,
					size_t size, struct ue_decode_item *item);

/*
 * The record as one JSON object, "n" being "system:name", as ue_decode_json() and
 * ue_decode_json_to() do it. common_* fields are left out, a value that is not in the
 * record is null, and its error last in "meta".
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
 * Errors
 * ======
 */
#define UE__DECODE_ERRORS(_)                                                               \
	_(OK, "no error")                                                                  \
	_(ETRACEPOINT, "the tracepoint's name is not PROVIDER_LxKy")                       \
	_(EHEADER, "the event is shorter than its header")                                 \
	_(EFLAGS, "the header has flags of an unknown meaning")                            \
	_(ELEVEL, "the event's level is not its tracepoint's")                             \
	_(EEXTENSION, "an extension block is cut short")                                   \
	_(EACTIVITY, "an activity block has neither 16 nor 32 bytes")                      \
	_(ETWICE, "an extension block comes twice")                                        \
	_(EMETADATA, "the event has no metadata") /* no error any more */                  \
	_(ENAME, "a name has no NUL")                                                      \
	_(EDEFINITION, "a field's definition is cut short")                                \
	_(EKIND, "a field is of an unknown encoding")                                      \
	_(EARRAY, "a field is a constant-length and a variable-length array")              \
	_(ECOUNT, "a constant-length array has no elements")                               \
	_(EMEMBERS, "a struct has no members")                                             \
	_(EDEPTH, "structs and arrays are nested too deep")                                \
	_(EWORK, "the fields are many times more than the event's bytes")                  \
	_(EVALUE, "a value runs past the end of the event")                                \
	_(ENUL, "a string has no NUL")                                                     \
	_(EEXTENSIONKIND, "an extension block is of kind 0, which is none")

#define UE__DECODE_ERROR(name, text) UE_DECODE_##name,
enum ue_decode_error { UE__DECODE_ERRORS(UE__DECODE_ERROR) UE__DECODE_ERROR_COUNT };
#undef UE__DECODE_ERROR

/* What UE_DECODE_E... means; a constant string, also for other numbers. */
static inline const char *ue_decode_strerror(int error);

/*
 * Implementation
 * ==============
 */

/* ---- Words and identifiers ----------------------------------------------------------------- */

#ifndef UE__WORDS /* user_events.h and user_events_decode.h both have it */
#define UE__WORDS
static inline __attribute__((__always_inline__)) int ue__is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* May an identifier hold it? Not isalnum(), which asks the locale. */
static inline __attribute__((__always_inline__)) int ue__is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || ue__is_digit(c) || c == '_';
}

/* Is the text of N bytes at S an identifier of C? */
static inline __attribute__((__always_inline__)) int ue__is_identifier(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && ue__is_word(s[i]))
		i++;
	return n > 0 && i == n && !ue__is_digit(s[0]);
}
#endif

/* ---- Attributes of compilers, and numbers of either byte order ----------------------------- */

#if defined(__GNUC__)
#ifdef __clang__ /* warns if something marked as unused is used */
#define UE__DECODE_UNUSED
#else
#define UE__DECODE_UNUSED __attribute__((__unused__))
#endif
#define UE__DECODE_COLD static UE__DECODE_UNUSED __attribute__((__noinline__, __cold__))
#define UE__DECODE_NOINLINE static UE__DECODE_UNUSED __attribute__((__noinline__))
/* For what is short once constant arguments are folded, which GCC does not expect. */
#define UE__DECODE_INLINE static inline __attribute__((__always_inline__))
#define UE__DECODE_UNLIKELY(x) __builtin_expect(!!(x), 0)
#else
#define UE__DECODE_COLD static inline
#define UE__DECODE_NOINLINE static inline
#define UE__DECODE_INLINE static inline
#define UE__DECODE_UNLIKELY(x) (x)
#endif

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

/* ---- Errors -------------------------------------------------------------------------------- */

UE__DECODE_COLD int ue__decode_bad(struct ue_decode_event *event, int error, size_t offset)
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

/* ---- Names --------------------------------------------------------------------------------- */

/* Eight bytes, the first in the lowest bits. */
static inline uint64_t ue__decode_eight(const void *p)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	uint64_t bytes;

	memcpy(&bytes, p, 8);
	return bytes;
#else
	return ue__decode_u64((const uint8_t *)p, 0);
#endif
}

#define UE__DECODE_ONES 0x0101010101010101u

/* Bit 7 of each byte that is zero; also of bytes above one, which are not looked at. */
static inline uint64_t ue__decode_zeros(uint64_t bytes)
{
	return (bytes - UE__DECODE_ONES) & ~bytes & UE__DECODE_ONES * 0x80;
}

/* A name with attributes, at the very end of the event, or without a NUL. */
UE__DECODE_COLD const uint8_t *ue__decode_name_slowly(const uint8_t *p, const uint8_t *end,
						      const char **name, size_t *name_length,
						      size_t *attributes_length)
{
	const uint8_t *begin = p, *semicolon = NULL;

	for (; p < end && *p; p++)
		if (*p == ';' && !semicolon)
			semicolon = p;
	if (p == end)
		return NULL;
	if (!semicolon)
		semicolon = p;
	*name = (const char *)begin;
	*name_length = (size_t)(semicolon - begin);
	*attributes_length = (size_t)(p - semicolon);
	return p + 1;
}

/*
 * Reads a name, which must have a NUL before end; returns what follows it, or NULL. Bytes up
 * to limit, where the event ends, may be read, too.
 */
UE__DECODE_INLINE const uint8_t *ue__decode_name(const uint8_t *begin, const uint8_t *end,
						 const uint8_t *limit, const char **name,
						 size_t *name_length, size_t *attributes_length)
{
#if defined(__GNUC__)
	const uint8_t *p = begin;

	for (; limit - p >= 8; p += 8) {
		uint64_t bytes = ue__decode_eight(p), nul = ue__decode_zeros(bytes);
		uint64_t semicolon = ue__decode_zeros(bytes ^ UE__DECODE_ONES * ';');

		/* before the first NUL, of which the lowest bit tells */
		if (UE__DECODE_UNLIKELY(semicolon & ((nul & (0 - nul)) - 1)))
			break;
		if (nul) {
			p += __builtin_ctzll(nul) >> 3;
			if (UE__DECODE_UNLIKELY(p >= end))
				return NULL;
			*name = (const char *)begin;
			*name_length = (size_t)(p - begin);
			*attributes_length = 0;
			return p + 1;
		}
	}
#else
	(void)limit;
#endif
	return ue__decode_name_slowly(begin, end, name, name_length, attributes_length);
}

/* ---- Names of tracepoints ------------------------------------------------------------------ */

/* Reads lowercase hex digits from *p on; there must be at least one. */
static inline int ue__decode_hex(const char **p, const char *end, uint64_t *value)
{
	const char *begin = *p;

	for (*value = 0; *p < end; (*p)++) {
		unsigned digit = (unsigned char)**p;

		if (digit >= '0' && digit <= '9')
			digit -= '0';
		else if (digit >= 'a' && digit <= 'f')
			digit -= 'a' - 10;
		else
			break;
		if (*value >> 60)
			return -1;
		*value = *value << 4 | digit;
	}
	return *p > begin ? 0 : -1;
}

/* [SYSTEM:]PROVIDER_LxKy[OPTIONS], with .HEX behind it if it is a multi-format event. */
UE__DECODE_COLD int ue__decode_any_tracepoint(struct ue_decode_event *event, const char *name,
					      size_t length, uint64_t *level)
{
	const char *end = name + length, *provider = end, *split, *p, *options;
	uint64_t suffix;

	while (provider > name && provider[-1] != ':')
		provider--;
	event->provider = provider;
	event->provider_length = (size_t)(end - provider);

	for (p = end; p > provider && p[-1] != '_';)
		p--;
	split = p - 1;
	if (split <= provider || p == end || *p++ != 'L' || ue__decode_hex(&p, end, level) ||
	    *level - 1 > 0xfe || p == end || *p++ != 'K' ||
	    ue__decode_hex(&p, end, &event->keyword))
		goto bad;
	options = p;
	while (p < end && *p >= 'A' && *p <= 'Z') {
		const char *option = p++;

		while (p < end && ((*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'z')))
			p++;
		if (*option == 'G') {
			event->group = option + 1;
			event->group_length = (size_t)(p - event->group);
		}
	}
	event->options = options;
	event->options_length = (size_t)(p - options);
	if (p < end && *p == '.') {
		p++;
		if (ue__decode_hex(&p, end, &suffix))
			goto bad;
	}
	if (p < end)
		goto bad;
	event->provider_length = (size_t)(split - provider);
	return 0;
bad:
	event->keyword = 0;
	event->options_length = event->group_length = 0;
	*level = 0;
	return ue__decode_bad(event, UE_DECODE_ETRACEPOINT, (size_t)(p - name));
}

/* Of eight letters or more. */
static inline int ue__decode_has_colon(const char *p, size_t length)
{
	uint64_t found = 0;

	for (; length >= 8; p += 8, length -= 8)
		found |= ue__decode_zeros(ue__decode_eight(p) ^ UE__DECODE_ONES * ':');
	p -= 8 - length; /* the last eight, some of them again */
	return (found | ue__decode_zeros(ue__decode_eight(p) ^ UE__DECODE_ONES * ':')) != 0;
}

/* What nearly all are, PROVIDER_LxKy with a level of one digit and no system; 0 for others. */
static inline int ue__decode_plain_tracepoint(struct ue_decode_event *event, const char *name,
					      size_t length, uint64_t *level)
{
	const char *end = name + length, *split = end - 4, *p;
	uint64_t keyword = 0;

	if (length < 8)
		return 0;
	do { /* in the last eight letters: a keyword of up to four digits */
		if (--split < end - 8)
			return 0;
	} while (*split != '_');
	*level = (uint64_t)(unsigned char)split[2] - '0';
	if (split == name || split[1] != 'L' || *level - 1 > 8 || split[3] != 'K' ||
	    ue__decode_has_colon(name, length))
		return 0;
	for (p = split + 4; p < end; p++) {
		unsigned digit = (unsigned char)*p - '0';

		if (digit > 9) {
			digit = (unsigned char)*p - 'a' + 10u;
			if (digit - 10 > 5)
				return 0;
		}
		keyword = keyword << 4 | digit;
	}
	event->provider = name;
	event->provider_length = (size_t)(split - name);
	event->options = end;
	event->keyword = keyword;
	return 1;
}

static inline void ue__decode_tracepoint(struct ue_decode_event *event, const char *name,
					 size_t length, uint64_t *level)
{
	if (UE__DECODE_UNLIKELY(!ue__decode_plain_tracepoint(event, name, length, level)))
		ue__decode_any_tracepoint(event, name, length, level);
}

/* ---- An event's identity ------------------------------------------------------------------- */

static inline int ue__decode_metadata(struct ue_decode_event *event, const uint8_t *p, size_t size)
{
	const uint8_t *end = p + size;

	if (event->name)
		return ue__decode_bad(event, UE_DECODE_ETWICE, (size_t)(p - event->data));
	event->definitions = ue__decode_name(p, end, event->data + event->size, &event->name,
					     &event->name_length, &event->attributes_length);
	if (!event->definitions) {
		event->definitions = end;
		return ue__decode_bad(event, UE_DECODE_ENAME, (size_t)(p - event->data));
	}
	event->definitions_length = (size_t)(end - event->definitions);
	return 0;
}

static inline int ue__decode_activity(struct ue_decode_event *event, const uint8_t *p, size_t size)
{
	if (event->activity)
		return ue__decode_bad(event, UE_DECODE_ETWICE, (size_t)(p - event->data));
	if (size != 16 && size != 32)
		return ue__decode_bad(event, UE_DECODE_EACTIVITY, (size_t)(p - event->data));
	event->activity = p;
	if (size == 32)
		event->related = p + 16;
	return 0;
}

/* By hand: compilers turn memset() into an instruction that takes longer than all the rest. */
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
	uint64_t level = 0;
	unsigned more;
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
	if (p[0] &
	    ~(UE_DECODE_FLAG_POINTER64 | UE_DECODE_FLAG_LITTLE_ENDIAN | UE_DECODE_FLAG_EXTENSION))
		ue__decode_bad(event, UE_DECODE_EFLAGS, 0);
	if (level && level != p[7])
		ue__decode_bad(event, UE_DECODE_ELEVEL, 7);

	more = p[0] & UE_DECODE_FLAG_EXTENSION;
	p += 8;
	while (more) {
		unsigned block, kind;

		if (end - p < 4)
			return ue__decode_bad(event, UE_DECODE_EEXTENSION,
					      (size_t)(p - event->data));
		block = ue__decode_u16(p, big);
		kind = ue__decode_u16(p + 2, big);
		if ((size_t)(end - p) - 4 < block)
			return ue__decode_bad(event, UE_DECODE_EEXTENSION,
					      (size_t)(p - event->data));
		p += 4;
		if ((kind & UE__EXTENSION_KINDS) == UE__EXTENSION_METADATA)
			ue__decode_metadata(event, p, block);
		else if ((kind & UE__EXTENSION_KINDS) == UE__EXTENSION_ACTIVITY)
			ue__decode_activity(event, p, block);
		else if (!(kind & UE__EXTENSION_KINDS))
			ue__decode_bad(event, UE_DECODE_EEXTENSIONKIND,
				       (size_t)(p - 4 - event->data));
		p += block;
		more = kind & UE__EXTENSION_MORE;
	}
	event->payload = p;
	return event->error ? -EBADMSG : 0;
}

/* ---- Definitions of fields ----------------------------------------------------------------- */

/* By enum ue_decode_kind: the size of a value, or the log2 of a string's unit. */
struct ue__decode_shape {
	uint8_t fixed;
	uint8_t counted;
	uint8_t unit;
};

static const struct ue__decode_shape ue__decode_shapes[] = {
	{ 0, 0, 0 },  { 0, 0, 0 }, /* null, struct */
	{ 1, 0, 0 },  { 2, 0, 0 }, { 4, 0, 0 }, { 8, 0, 0 },
	{ 16, 0, 0 }, { 0, 0, 0 }, { 0, 0, 1 }, { 0, 0, 2 }, /* up to a NUL */
	{ 0, 1, 0 },  { 0, 1, 1 }, { 0, 1, 2 }, { 0, 1, 0 },
};

UE__DECODE_COLD int ue__decode_stop(struct ue_decode_fields *fields, int error, const uint8_t *at)
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

/*
 * Reads the next field's definition into fields->item if it is one value of a plain kind without
 * a tag, as most are. Returns 0 if it is not: ue__decode_definition() reads it again, and tells
 * errors.
 */
UE__DECODE_INLINE int ue__decode_plain_definition(struct ue_decode_fields *fields)
{
	struct ue_decode_item *item = &fields->item;
	const uint8_t *begin = fields->definition, *end = fields->definitions_end, *p;
	unsigned encoding, kind, format = 0;

	p = ue__decode_name(begin, end, fields->payload_end, &item->name, &item->name_length,
			    &item->attributes_length);
	if (UE__DECODE_UNLIKELY(!p || fields->payload_end - p < 2))
		return 0;
	encoding = *p++;
	kind = encoding & UE__ENCODING_KINDS;
	if (encoding & UE__ENCODING_ARRAYS || kind < UE_DECODE_KIND_VALUE8 ||
	    kind > UE_DECODE_KIND_BINARY)
		return 0;
	if (encoding & UE__ENCODING_MORE) {
		format = *p++;
		if (format & UE__ENCODING_MORE)
			return 0;
	}
	if (UE__DECODE_UNLIKELY(p > end || fields->work < (size_t)(p - begin)))
		return 0;
	fields->work -= (size_t)(p - begin);
	fields->definition = p;
	item->kind = (uint8_t)kind;
	item->format = (uint8_t)format;
	item->array = 0;
	item->tag = 0;
	item->count = 1;
	item->index = 0;
	return 1;
}

/* Reads the next field's definition into fields->item. */
UE__DECODE_NOINLINE int ue__decode_definition(struct ue_decode_fields *fields)
{
	struct ue_decode_item *item = &fields->item;
	const uint8_t *begin = fields->definition, *end = fields->definitions_end, *p, *encoding;

	p = ue__decode_name(begin, end, fields->payload_end, &item->name, &item->name_length,
			    &item->attributes_length);
	if (UE__DECODE_UNLIKELY(!p))
		return ue__decode_stop(fields, UE_DECODE_ENAME, begin);
	encoding = p;
	if (UE__DECODE_UNLIKELY(p == end))
		goto cut;
	p++;
	item->kind = *encoding & UE__ENCODING_KINDS;
	item->array = *encoding & UE__ENCODING_ARRAYS;
	item->format = 0;
	item->tag = 0;
	item->count = 1;
	item->index = 0;
	if (*encoding & UE__ENCODING_MORE) {
		if (UE__DECODE_UNLIKELY(p == end))
			goto cut;
		item->format = *p & 0x7f;
		if (*p++ & UE__ENCODING_MORE) {
			if (UE__DECODE_UNLIKELY(end - p < 2))
				goto cut;
			item->tag = ue__decode_u16(p, item->big_endian);
			p += 2;
		}
	}
	if (item->array & UE_DECODE_CONSTANT_ARRAY) {
		if (UE__DECODE_UNLIKELY(end - p < 2))
			goto cut;
		item->count = ue__decode_u16(p, item->big_endian);
		if (UE__DECODE_UNLIKELY(!item->count))
			return ue__decode_stop(fields, UE_DECODE_ECOUNT, p);
		p += 2;
	}
	if (UE__DECODE_UNLIKELY(item->array == UE__ENCODING_ARRAYS))
		return ue__decode_stop(fields, UE_DECODE_EARRAY, encoding);
	if (UE__DECODE_UNLIKELY(!item->kind || item->kind > UE_DECODE_KIND_BINARY))
		return ue__decode_stop(fields, UE_DECODE_EKIND, encoding);
	if (UE__DECODE_UNLIKELY(item->kind == UE_DECODE_KIND_STRUCT && !item->format))
		return ue__decode_stop(fields, UE_DECODE_EMEMBERS, encoding);
	fields->definition = p;
	return ue__decode_work(fields, (size_t)(p - begin));
cut:
	return ue__decode_stop(fields, UE_DECODE_EDEFINITION, begin);
}

/* ---- Payload of fields --------------------------------------------------------------------- */

/* The bytes before the zero unit, or all whole units if there is none. */
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

/* Reads a string, or counted bytes, from the payload. */
UE__DECODE_NOINLINE int ue__decode_string_payload(struct ue_decode_fields *fields)
{
	struct ue_decode_item *item = &fields->item;
	const struct ue__decode_shape *shape = &ue__decode_shapes[item->kind];
	size_t left = (size_t)(fields->payload_end - fields->payload);
	size_t size, unit = (size_t)1 << shape->unit, skip = 0;

	item->value = fields->payload;
	if (shape->counted) {
		if (UE__DECODE_UNLIKELY(left < 2))
			return ue__decode_stop(fields, UE_DECODE_EVALUE, fields->payload);
		size = (size_t)ue__decode_u16(item->value, item->big_endian) << shape->unit;
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

/* Reads the value that item describes from the payload. */
UE__DECODE_INLINE int ue__decode_payload(struct ue_decode_fields *fields)
{
	struct ue_decode_item *item = &fields->item;
	size_t size = ue__decode_shapes[item->kind].fixed;

	item->type = UE_DECODE_VALUE;
	if (!size)
		return ue__decode_string_payload(fields);
	item->value = fields->payload;
	if (UE__DECODE_UNLIKELY((size_t)(fields->payload_end - fields->payload) < size))
		return ue__decode_stop(fields, UE_DECODE_EVALUE, fields->payload);
	item->size = size;
	fields->payload += size;
	return 1;
}

/* ---- Structs and arrays -------------------------------------------------------------------- */

#define UE__DECODE_NAME_SIZE offsetof(struct ue_decode_item, value)
#define UE__DECODE_REST_SIZE \
	(offsetof(struct ue_decode_item, big_endian) + 1 - offsetof(struct ue_decode_item, count))

/* What an item has from the struct or array around it. */
static inline void ue__decode_frame_to_item(struct ue_decode_item *item,
					    const struct ue__decode_frame *frame, unsigned depth)
{
	memcpy(item, frame, UE__DECODE_NAME_SIZE);
	memcpy((char *)item + offsetof(struct ue_decode_item, count),
	       (const char *)frame + offsetof(struct ue__decode_frame, count),
	       UE__DECODE_REST_SIZE);
	item->value = NULL;
	item->size = 0;
	item->depth = (uint8_t)depth;
}

/* Opens the struct or array that item describes. */
static inline int ue__decode_open(struct ue_decode_fields *fields, uint8_t type)
{
	struct ue_decode_item *item = &fields->item;
	struct ue__decode_frame *frame = &fields->stack[fields->depth];

	if (UE__DECODE_UNLIKELY(fields->depth == UE_DECODE_DEPTH))
		return ue__decode_stop(fields, UE_DECODE_EDEPTH, fields->definition);
	item->type = type;
	item->value = NULL;
	item->size = 0;
	fields->depth++;
	memcpy(frame, item, UE__DECODE_NAME_SIZE);
	memcpy((char *)frame + offsetof(struct ue__decode_frame, count),
	       (const char *)item + offsetof(struct ue_decode_item, count), UE__DECODE_REST_SIZE);
	frame->members = fields->definition;
	if (type == UE_DECODE_ARRAY)
		frame->index = 0;
	frame->left = item->format;
	return 1;
}

/* Skips the definitions of n members, nested ones included. */
static inline int ue__decode_skip_members(struct ue_decode_fields *fields, size_t n)
{
	struct ue_decode_item item = fields->item;
	int result = 0;

	for (; n && fields->definition < fields->definitions_end; n--) {
		result = ue__decode_definition(fields);
		if (result)
			break;
		if (fields->item.kind == UE_DECODE_KIND_STRUCT)
			n += fields->item.format;
	}
	fields->item = item;
	return result;
}

static inline int ue__decode_open_array(struct ue_decode_fields *fields)
{
	struct ue_decode_item *item = &fields->item;
	size_t left = (size_t)(fields->payload_end - fields->payload), size;

	if (item->array == UE_DECODE_VARIABLE_ARRAY) {
		if (UE__DECODE_UNLIKELY(left < 2))
			return ue__decode_stop(fields, UE_DECODE_EVALUE, fields->payload);
		item->count = ue__decode_u16(fields->payload, item->big_endian);
		fields->payload += 2;
		left -= 2;
	}
	if (ue__decode_open(fields, UE_DECODE_ARRAY) < 0)
		return -EBADMSG;
	size = ue__decode_shapes[item->kind].fixed;
	if (size) {
		item->value = fields->payload;
		item->size = size * item->count;
		if (UE__DECODE_UNLIKELY(left < item->size))
			item->size = left - left % size;
	}
	/* An empty array's members are skipped; the next call reports an error in them. */
	if (item->kind == UE_DECODE_KIND_STRUCT && !item->count)
		ue__decode_skip_members(fields, item->format);
	return 1;
}

static inline int ue__decode_close(struct ue_decode_fields *fields, uint8_t type)
{
	struct ue_decode_item *item = &fields->item;
	const struct ue__decode_frame *frame = &fields->stack[--fields->depth];

	ue__decode_frame_to_item(item, frame, fields->depth);
	item->type = type;
	if (type == UE_DECODE_ARRAY_END)
		item->index = 0;
	return 1;
}

/* The next struct of the array of structs on top of the stack. */
UE__DECODE_NOINLINE int ue__decode_struct(struct ue_decode_fields *fields,
					  struct ue__decode_frame *frame)
{
	struct ue__decode_frame *top = frame + 1;

	if (ue__decode_work(fields, 8))
		return -EBADMSG;
	fields->definition = frame->members;
	if (UE__DECODE_UNLIKELY(fields->depth == UE_DECODE_DEPTH))
		return ue__decode_stop(fields, UE_DECODE_EDEPTH, fields->definition);
	/* both from the array's frame: to read at once what was written in parts is slow */
	ue__decode_frame_to_item(&fields->item, frame, fields->depth++);
	fields->item.type = UE_DECODE_STRUCT;
	*top = *frame;
	top->type = UE_DECODE_STRUCT;
	top->left = frame->format;
	frame->index++;
	return 1;
}

/* ---- Fields -------------------------------------------------------------------------------- */

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
	fields->raw = 0;
	if (!event->name && event->size >= 8)
		fields->raw = UE__DECODE_RAW_HEADER;
	if (!event->name && fields->payload < fields->payload_end)
		fields->raw |= UE__DECODE_RAW_PAYLOAD;
}

/* The next part of an event without metadata. */
UE__DECODE_COLD int ue__decode_raw(struct ue_decode_fields *fields)
{
	struct ue_decode_item *item = &fields->item;

	item->type = UE_DECODE_VALUE;
	item->kind = UE_DECODE_KIND_BINARY;
	item->count = 1;
	if (fields->raw & UE__DECODE_RAW_HEADER) {
		fields->raw &= UE__DECODE_RAW_PAYLOAD;
		item->name = "header";
		item->value = fields->data;
		item->size = 8;
	} else {
		fields->raw = 0;
		item->name = "payload";
		item->value = fields->payload;
		item->size = (size_t)(fields->payload_end - fields->payload);
		fields->payload = fields->payload_end;
	}
	item->name_length = strlen(item->name);
	return 1;
}

/* A field that is not plain. */
UE__DECODE_NOINLINE int ue__decode_field(struct ue_decode_fields *fields)
{
	struct ue_decode_item *item = &fields->item;

	if (ue__decode_definition(fields))
		return -EBADMSG;
	if (item->array)
		return ue__decode_open_array(fields);
	if (item->kind == UE_DECODE_KIND_STRUCT)
		return ue__decode_open(fields, UE_DECODE_STRUCT);
	return ue__decode_payload(fields);
}

static inline int ue_decode_next(struct ue_decode_fields *fields)
{
	if (UE__DECODE_UNLIKELY(fields->error))
		return -EBADMSG;
	fields->item.depth = (uint8_t)fields->depth;
	if (fields->depth) {
		struct ue__decode_frame *frame = &fields->stack[fields->depth - 1];

		if (frame->type == UE_DECODE_ARRAY) {
			if (frame->index == frame->count)
				return ue__decode_close(fields, UE_DECODE_ARRAY_END);
			if (frame->kind == UE_DECODE_KIND_STRUCT)
				return ue__decode_struct(fields, frame);
			fields->item.index = frame->index++;
			return ue__decode_payload(fields);
		}
		if (!frame->left || fields->definition == fields->definitions_end)
			return ue__decode_close(fields, UE_DECODE_STRUCT_END);
		frame->left--;
	} else if (fields->definition == fields->definitions_end) {
		return fields->raw ? ue__decode_raw(fields) : 0;
	}
	if (ue__decode_plain_definition(fields))
		return ue__decode_payload(fields);
	return ue__decode_field(fields);
}

/* ---- Text into a buffer or to a function --------------------------------------------------- */

/*
 * Where text goes: into the caller's buffer while there is room to spare, else into scratch, from
 * which it is passed on, cut or dropped.
 */
struct ue__decode_out {
	char *p;
	char *end;
	char *begin;
	char *buffer; /* where scratch goes */
	char *buffer_end;
	size_t total;
	ue_decode_write_fn write;
	void *context;
	int result;
	uint8_t json;
	uint8_t spaced;
	uint8_t comma;
	char scratch[256];
};

/* No piece of text between two calls of ue__decode_room() is longer. */
#define UE__DECODE_ROOM 64

UE__DECODE_COLD void ue__decode_flush(struct ue__decode_out *out)
{
	size_t n = (size_t)(out->p - out->begin), room;

	out->total += n;
	if (out->write) {
		if (!out->result)
			out->result = out->write(out->context, out->begin, n);
	} else if (out->begin == out->scratch) {
		room = (size_t)(out->buffer_end - out->buffer);
		if (n > room)
			n = room;
		if (n) {
			memcpy(out->buffer, out->begin, n);
			out->buffer += n;
		}
	} else {
		out->buffer = out->p;
	}
	out->p = out->begin = out->scratch;
	out->end = out->scratch + sizeof(out->scratch);
}

UE__DECODE_INLINE void ue__decode_room(struct ue__decode_out *out)
{
	if (UE__DECODE_UNLIKELY(out->end - out->p < UE__DECODE_ROOM))
		ue__decode_flush(out);
}

static inline void ue__decode_out_init(struct ue__decode_out *out, unsigned flags,
				       ue_decode_write_fn write, void *context)
{
	out->p = out->begin = out->buffer = out->buffer_end = out->scratch;
	out->end = out->scratch + sizeof(out->scratch);
	out->total = 0;
	out->write = write;
	out->context = context;
	out->result = 0;
	out->json = (flags & UE_DECODE_JSON) != 0;
	out->spaced = (flags & UE_DECODE_SPACED) != 0;
	out->comma = 0;
}

static inline void ue__decode_out_buffer(struct ue__decode_out *out, unsigned flags, char *buffer,
					 size_t size)
{
	ue__decode_out_init(out, flags, NULL, NULL);
	if (size > UE__DECODE_ROOM) {
		out->p = out->begin = buffer;
		out->end = buffer + size - 1;
	} else {
		out->buffer = buffer;
	}
	out->buffer_end = size ? buffer + size - 1 : buffer;
}

static inline size_t ue__decode_out_end(struct ue__decode_out *out, size_t size)
{
	ue__decode_flush(out);
	if (size)
		*out->buffer = 0;
	return out->total;
}

UE__DECODE_INLINE void ue__decode_put(struct ue__decode_out *out, char c)
{
	*out->p++ = c;
}

/* text has at most UE__DECODE_ROOM bytes, less what else is put into this room. */
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

/* ---- Numbers as text ----------------------------------------------------------------------- */

static const char ue__decode_pairs[] = "00010203040506070809"
				       "10111213141516171819"
				       "20212223242526272829"
				       "30313233343536373839"
				       "40414243444546474849"
				       "50515253545556575859"
				       "60616263646566676869"
				       "70717273747576777879"
				       "80818283848586878889"
				       "90919293949596979899";

/* Writes value in decimal, ending right before end; returns where it begins. */
static inline char *ue__decode_digits(char *end, uint64_t value)
{
	uint32_t low;

	while (value >> 32) {
		uint32_t part = (uint32_t)(value % 10000);

		value /= 10000;
		memcpy(end -= 2, ue__decode_pairs + (size_t)(part % 100) * 2, 2);
		memcpy(end -= 2, ue__decode_pairs + (size_t)(part / 100) * 2, 2);
	}
	for (low = (uint32_t)value; low >= 100; low /= 100)
		memcpy(end -= 2, ue__decode_pairs + (size_t)(low % 100) * 2, 2);
	if (low >= 10)
		memcpy(end -= 2, ue__decode_pairs + (size_t)low * 2, 2);
	else
		*--end = (char)('0' + low);
	return end;
}

/* How many decimal digits value has. */
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

/* With zeros in front, up to width digits. */
static inline void ue__decode_padded(struct ue__decode_out *out, uint64_t value, int width)
{
	char digits[20], *end = digits + sizeof(digits), *p = ue__decode_digits(end, value);

	while (end - p < width)
		*--p = '0';
	memcpy(out->p, p, (size_t)(end - p));
	out->p += end - p;
}

static inline void ue__decode_int(struct ue__decode_out *out, int64_t value)
{
	uint64_t magnitude = (uint64_t)value;

	if (value < 0) {
		ue__decode_put(out, '-');
		magnitude = 0 - magnitude;
	}
	ue__decode_uint(out, magnitude);
}

static inline void ue__decode_hex_int(struct ue__decode_out *out, uint64_t value)
{
	char *p = out->p;
	int shift = 0;

	*p++ = '0';
	*p++ = 'x';
#if defined(__GNUC__)
	shift = (63 - __builtin_clzll(value | 1)) & ~3;
#else
	while (shift < 60 && value >> shift >> 4)
		shift += 4;
#endif
	for (; shift >= 0; shift -= 4)
		*p++ = "0123456789ABCDEF"[value >> shift & 15];
	out->p = p;
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

/* ---- UUIDs and addresses as text ----------------------------------------------------------- */

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
 * As inet_ntop() does it: the first of the longest runs of two zero words and more is
 * "::", and what is left of an address of ::/96 or ::ffff:0:0/96 is an IPv4 address.
 */
static inline void ue__decode_ipv6(struct ue__decode_out *out, const uint8_t *p)
{
	unsigned words[8], i, run = 0, best = 8, length = 1;

	for (i = 0; i < 8; i++) {
		words[i] = ue__decode_u16(p + (size_t)2 * i, 1);
		run = words[i] ? 0 : run + 1;
		if (run > length) {
			length = run;
			best = i + 1 - run;
		}
	}
	for (i = 0; i < 8; i++) {
		int shift;

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

/* ---- Times as text ------------------------------------------------------------------------- */

/* Seconds since 1970 as a date of the Gregorian calendar, without a zone. */
static inline void ue__decode_date(struct ue__decode_out *out, int64_t seconds)
{
	/* Years are counted from March 1st, so that the leap day is a year's last. */
	int64_t day = seconds / 86400, era, year;
	uint32_t second, of_era, year_of_era, of_year, month;

	if (seconds % 86400 < 0)
		day--;
	second = (uint32_t)(seconds - day * 86400);
	day += 719468; /* from 0000-03-01 on */
	era = (day < 0 ? day - 146096 : day) / 146097;
	of_era = (uint32_t)(day - era * 146097);
	year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
	of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
	month = (5 * of_year + 2) / 153;
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
	/* The years that gmtime() holds: its tm_year is a 32-bit int. */
	if (seconds >= -67768040609740800 && seconds <= 67768036191676799) {
		ue__decode_date(out, seconds);
		return;
	}
	ue__decode_puts(out, "TIME(");
	ue__decode_int(out, seconds);
	ue__decode_put(out, ')');
}

/* ---- Error numbers as text ----------------------------------------------------------------- */

/* Linux' numbers, which other systems do not share. */
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

/* ---- Floating point as the shortest decimal ------------------------------------------------ */

/*
 * Floats: Raffaello Giulietti's Schubfach. A value c * 2^q is scaled by a power of ten to an
 * integer of 16 or 17 digits, together with the middles to its neighbours, and the one or two
 * shortest decimals between these are compared. Products are truncated, with a sticky lowest bit;
 * the proof shows that this is enough if the power is right to 128 bits. Two small tables give that
 * power exactly.
 */
static const uint64_t ue__decode_fives[27] = {
	/* 5^i, shifted to the left */
	0x8000000000000000, 0xa000000000000000, 0xc800000000000000, 0xfa00000000000000,
	0x9c40000000000000, 0xc350000000000000, 0xf424000000000000, 0x9896800000000000,
	0xbebc200000000000, 0xee6b280000000000, 0x9502f90000000000, 0xba43b74000000000,
	0xe8d4a51000000000, 0x9184e72a00000000, 0xb5e620f480000000, 0xe35fa931a0000000,
	0x8e1bc9bf04000000, 0xb1a2bc2ec5000000, 0xde0b6b3a76400000, 0x8ac7230489e80000,
	0xad78ebc5ac620000, 0xd8d726b7177a8000, 0x878678326eac9000, 0xa968163f0a57b400,
	0xd3c21bcecceda100, 0x84595161401484a0, 0xa56fa5b99019a5c8,
};

static const uint64_t ue__decode_tens[24][3] = {
	/* 10^(27 i - 297), the first 192 bits */
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

/* The product of two 64-bit numbers; its lower half is returned in *low. */
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

/* The first 128 bits of 10^e, rounded up; e is from -297 to 350. */
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
	*low = w2 + ((w1 | w0) != 0); /* w2 is never so full that this would carry */
}

/* The upper half of the upper half of g * c, its lowest bit sticky. */
static inline uint64_t ue__decode_scale(uint64_t high, uint64_t low, uint64_t c)
{
	uint64_t carry, y0, y1, unused;

	carry = ue__decode_multiply(low, c, &unused);
	y1 = ue__decode_multiply(high, c, &y0);
	y0 += carry;
	y1 += y0 < carry;
	return y1 | (y0 > 1);
}

/* c * 2^q as digits * 10^exponent; even_gap: both neighbours are equally far. */
static inline uint64_t ue__decode_shortest(uint64_t c, int q, int even_gap, int *exponent)
{
	/* 1262611 / 2^22 is log10(2), 524031 / 2^22 log10(4/3), 1741647 / 2^19 log2(10) */
	int k = (q * 1262611 - (even_gap ? 0 : 524031)) >> 22;
	int h = q + ((-k * 1741647) >> 19) + 1;
	uint64_t high, low, lower, value, upper, s, sp, odd = c & 1;

	ue__decode_ten(-k, &high, &low);
	lower = ue__decode_scale(high, low, (4 * c - 1 - (uint64_t)even_gap) << h) + odd;
	value = ue__decode_scale(high, low, (4 * c) << h);
	upper = ue__decode_scale(high, low, (4 * c + 2) << h) - odd;
	s = value / 4;
	*exponent = k;
	if (s >= 10) {
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
 * The same for a double that is nearest to a number of at most six decimals and 15 digits, as
 * people write most numbers; else 0. No two numbers of so few digits are the same double, so this
 * one is the shortest. Compares integers, scaled by 10^6 / 2^q: the neighbours are 10^6 away, below
 * a power of two half as far.
 */
static inline uint64_t ue__decode_few_digits(uint64_t c, int q, int *exponent)
{
	unsigned shift = (unsigned)-q;
	uint64_t high, low, digits, rest, unit = (uint64_t)1 << (shift & 63);

	if (shift - 1 > 62)
		return 0;
	*exponent = 0;
	if (!(c & (unit - 1)))
		return c >> shift;
	*exponent = -6;
	high = ue__decode_multiply(c, 1000000, &low);
	if (high >> shift)
		return 0;
	digits = high << (64 - shift) | low >> shift;
	rest = low & (unit - 1);
	if (rest > unit / 2) {
		digits++;
		rest = unit - rest;
	}
	if (rest >= (c << 12 ? 500000 : 250000) || digits >= (uint64_t)1000000000000000)
		return 0;
	return digits;
}

/*
 * digits * 10^exponent, in the shorter of two forms; the plain one if they are alike. A
 * whole number in plain form has all its true digits: c * 2^q is below 10^23.
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
	point = n + exponent; /* digits before the point */
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
		/* In two parts, as c * 2^q may have 74 bits; q is from -52 to 21. */
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

/* An IEEE 754 number of so many bits of exponent and fraction. */
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
		digits = fraction_bits == 52 ? ue__decode_few_digits(c, q, &exponent) : 0;
		if (!digits)
			digits = ue__decode_shortest(c, q, fraction || biased <= 1, &exponent);
		ue__decode_decimal(out, digits, exponent, c, q);
	}
}

/* ---- Characters of every encoding ---------------------------------------------------------- */

/* Below 0x80: as it is, or as JSON writes it. */
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
		ue__decode_put(out, '0');
		ue__decode_put(out, '0');
		ue__decode_hex_byte(out, c);
	}
}

/* Any 32-bit number, in UTF-8's original form, which has no end at 0x10ffff. */
static inline void ue__decode_char(struct ue__decode_out *out, uint32_t c)
{
	static const uint8_t leads[] = { 0, 0, 0xc0, 0xe0, 0xf0, 0xf8, 0xfc, 0xfe };
	static const uint32_t ends[] = { 0, 0, 0x800, 0x10000, 0x200000, 0x4000000, 0x80000000 };
	int length = 2, shift;

	if (c < 0x80) {
		ue__decode_ascii(out, (uint8_t)c);
		return;
	}
	while (length < 7 && c >= ends[length])
		length++;
	shift = 6 * (length - 1);
	/* The 7th byte's lead carries none of the 32 bits. */
	ue__decode_put(out, (char)(leads[length] | (length < 7 ? c >> shift : 0)));
	while (shift) {
		shift -= 6;
		ue__decode_put(out, (char)(0x80 | (c >> shift & 0x3f)));
	}
}

/* The length of the valid UTF-8 sequence of two or more bytes at p, or 0. */
static inline size_t ue__decode_sequence(const uint8_t *p, const uint8_t *end)
{
	size_t length = *p < 0xc2 ? 0 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : *p < 0xf5 ? 4 : 0, i;

	if ((size_t)(end - p) < length)
		return 0;
	for (i = 1; i < length; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	/* Not overlong, no surrogate, not beyond Unicode. */
	if ((*p == 0xe0 && p[1] < 0xa0) || (*p == 0xed && p[1] > 0x9f) ||
	    (*p == 0xf0 && p[1] < 0x90) || (*p == 0xf4 && p[1] > 0x8f))
		return 0;
	return length;
}

/* Are eight bytes ASCII, without characters that JSON escapes? */
static inline int ue__decode_plain(uint64_t bytes, int json)
{
	const uint64_t ones = UE__DECODE_ONES;
	uint64_t quotes = bytes ^ ones * '"', backslashes = bytes ^ ones * '\\';

	if (!json)
		return !(bytes & ones * 0x80);
	return !((bytes | (bytes - ones * ' ') | (quotes - ones) | (backslashes - ones)) &
		 ones * 0x80);
}

/* The same for 32 bytes, where the machine has vectors of 16 bytes; elsewhere 0. */
#define UE__DECODE_MANY 32
#if defined(__SSE2__) || (defined(__ARM_NEON) && defined(__aarch64__))
typedef signed char ue__decode_vector __attribute__((vector_size(16), may_alias));

static inline int ue__decode_many(const uint8_t *p, int json)
{
	ue__decode_vector a, b, special;
	uint64_t halves[2];

	memcpy(&a, p, 16);
	memcpy(&b, p + 16, 16);
	special = (ue__decode_vector)((a | b) < 0);
	if (json)
		special = (ue__decode_vector)((a < ' ') | (b < ' ') | (a == '"') | (b == '"') |
					      (a == '\\') | (b == '\\'));
	memcpy(halves, &special, 16);
	return !(halves[0] | halves[1]);
}
#else
#define ue__decode_many(p, json) ((void)(p), 0)
#endif

/* One to seven bytes, with letters for the missing ones, in memory's order. */
static inline uint64_t ue__decode_few(const uint8_t *p, size_t n)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	uint64_t bytes = (uint64_t)0x6161616161616161 << 8 * n;
	uint32_t first, last;

	/* the two loads may overlap */
	if (n >= 4) {
		memcpy(&first, p, 4);
		memcpy(&last, p + n - 4, 4);
		return bytes | first | (uint64_t)last << 8 * (n - 4);
	}
	return bytes | p[0] | (uint64_t)p[n / 2] << 8 * (n / 2) | (uint64_t)p[n - 1] << 8 * (n - 1);
#else
	uint64_t bytes = 0x6161616161616161;

	memcpy(&bytes, p, n);
	return bytes;
#endif
}

/* Most names and texts are not longer. Up to 7 bytes more are written. */
#define UE__DECODE_SHORT 32

/* Copies a short text, and returns 1 if all of it is plain. */
UE__DECODE_INLINE int ue__decode_short(char *to, const uint8_t *p, size_t n, int json)
{
	uint64_t bytes;

	for (; n >= 8; p += 8, to += 8, n -= 8) {
		memcpy(&bytes, p, 8);
		if (UE__DECODE_UNLIKELY(!ue__decode_plain(bytes, json)))
			return 0;
		memcpy(to, &bytes, 8);
	}
	if (n) {
		bytes = ue__decode_few(p, n);
		if (UE__DECODE_UNLIKELY(!ue__decode_plain(bytes, json)))
			return 0;
		memcpy(to, &bytes, 8);
	}
	return 1;
}

static inline void ue__decode_utf8(struct ue__decode_out *out, const uint8_t *p, size_t n)
{
	const uint8_t *end = n ? p + n : p, *stop;

	ue__decode_room(out);
	if (n <= UE__DECODE_SHORT && ue__decode_short(out->p, p, n, out->json)) {
		out->p += n;
		return;
	}
	while (p < end) {
		size_t length = (size_t)(end - p);
		uint64_t bytes;

		ue__decode_room(out);
		if (length >= UE__DECODE_MANY && ue__decode_many(p, out->json)) {
			memcpy(out->p, p, UE__DECODE_MANY);
			out->p += UE__DECODE_MANY;
			p += UE__DECODE_MANY;
			continue;
		}
		if (length >= 8) {
			memcpy(&bytes, p, 8);
			length = 8;
		} else {
			bytes = ue__decode_few(p, length);
		}
		if (ue__decode_plain(bytes, out->json)) {
			memcpy(out->p, &bytes, 8);
			out->p += length;
			p += length;
			continue;
		}
		/* Each byte becomes at most 6; the last may begin a sequence of 4. */
		for (stop = p + length; p < stop;) {
			if (*p < 0x80) {
				ue__decode_ascii(out, *p++);
				continue;
			}
			length = ue__decode_sequence(p, end);
			if (!length) {
				ue__decode_char(out, *p++);
				continue;
			}
			memcpy(out->p, p, length);
			out->p += length;
			p += length;
		}
	}
}

/* unit: bytes of a character: 1 is Latin-1, 2 UTF-16, 4 UTF-32. */
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

static inline void ue__decode_utf(struct ue__decode_out *out, const uint8_t *p, size_t n,
				  size_t unit, int big)
{
	if (unit == 1)
		ue__decode_utf8(out, p, n);
	else
		ue__decode_wide(out, p, n, unit, big);
}

/* A byte order mark tells the encoding, whatever the field's kind says. */
static inline void ue__decode_utf_bom(struct ue__decode_out *out, const uint8_t *p, size_t n,
				      size_t unit, int big)
{
	static const struct {
		uint8_t length, unit, big, bytes[4];
	} boms[] = {
		{ 4, 4, 0, { 0xff, 0xfe, 0, 0 } },    { 4, 4, 1, { 0, 0, 0xfe, 0xff } },
		{ 2, 2, 0, { 0xff, 0xfe, 0, 0 } },    { 2, 2, 1, { 0xfe, 0xff, 0, 0 } },
		{ 3, 1, 0, { 0xef, 0xbb, 0xbf, 0 } },
	};
	size_t i;

	for (i = 0; i < sizeof(boms) / sizeof(boms[0]); i++)
		if (n >= boms[i].length && !memcmp(p, boms[i].bytes, boms[i].length)) {
			p += boms[i].length;
			n -= boms[i].length;
			unit = boms[i].unit;
			big = boms[i].big;
			break;
		}
	ue__decode_utf(out, p, n, unit, big);
}

/* ---- Values as text ------------------------------------------------------------------------ */

/* By enum ue_decode_format_code: the kinds that a format goes with, one bit each. */
static const uint16_t ue__decode_fits[] = {
	0,			/* default */
	0x003c, 0x003c, 0x003c, /* unsigned, signed, hex */
	0x0010, 0x0010,		/* errno, pid */
	0x0030,			/* time */
	0x001c,			/* bool */
	0x0030,			/* float */
	0x3ffc,			/* hex bytes */
	0x2484,			/* Latin-1 */
	0x3f98,			/* UTF */
	0x3f80, 0x3f80, 0x3f80, /* UTF with a BOM, XML, JSON */
	0x0040,			/* UUID */
	0x0008,			/* port */
	0x0050, 0x0050,		/* IP */
};

/* The format of a kind and size, never UE_DECODE_FORMAT_DEFAULT but for null. */
static inline unsigned ue__decode_resolve(unsigned kind, unsigned format, size_t size)
{
	static const uint8_t kinds[] = { 0, 2, 3, 0, 4, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 6 };
	static const uint8_t defaults[] = { 0, 0, 1, 1, 1, 1, 9, 11, 11, 11, 11, 11, 11, 9 };
	unsigned fits = format < sizeof(ue__decode_fits) / 2 ? ue__decode_fits[format] : 0;

	if (fits >> kind & 1)
		return format;
	/* Counted bytes may have a fixed-size format, if there are as many. */
	if ((kind == UE_DECODE_KIND_STRING8 || kind == UE_DECODE_KIND_BINARY) && fits) {
		if (!size)
			return UE_DECODE_FORMAT_DEFAULT;
		if (size <= 16 && kinds[size] && fits >> kinds[size] & 1)
			return format;
	}
	return defaults[kind];
}

/* One value of an item's kind and format, which may be an element of an array. */
static inline void ue__decode_put_value(struct ue__decode_out *out,
					const struct ue_decode_item *item, const uint8_t *p,
					size_t size)
{
	static const uint8_t units[] = { 1, 1, 1, 2, 4, 1, 1, 1, 2, 4, 1, 2, 4, 1 };
	unsigned format = ue__decode_resolve(item->kind, item->format, size);
	int big = item->big_endian;
	uint64_t value = 0;
	unsigned shift;

	ue__decode_room(out);
	if (format <= UE_DECODE_FORMAT_FLOAT && format)
		value = ue__decode_load(p, size, big);
	switch (format) {
	case UE_DECODE_FORMAT_DEFAULT:
		ue__decode_puts(out, "null");
		return;
	case UE_DECODE_FORMAT_UNSIGNED:
		ue__decode_uint(out, value);
		return;
	case UE_DECODE_FORMAT_SIGNED:
	case UE_DECODE_FORMAT_PID:
		shift = 64 - 8 * (unsigned)size;
		ue__decode_int(out, (int64_t)(value << shift) >> shift);
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
		shift = 64 - 8 * (unsigned)size;
		ue__decode_time(out, (int64_t)(value << shift) >> shift);
		break;
	case UE_DECODE_FORMAT_HEX_BYTES:
		ue__decode_hex_bytes(out, p, size);
		break;
	case UE_DECODE_FORMAT_LATIN1:
		ue__decode_wide(out, p, size, 1, 0);
		break;
	case UE_DECODE_FORMAT_UTF:
		ue__decode_utf(out, p, size, units[item->kind], big);
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
	default: /* UTF with a BOM, XML, JSON */
		ue__decode_utf_bom(out, p, size, units[item->kind], big);
		break;
	}
	ue__decode_room(out);
	ue__decode_quote(out);
}

/* Writes what separates values. The next piece counts the room for it. */
static inline void ue__decode_comma(struct ue__decode_out *out)
{
	char *p = out->p;

	*p = ',';
	p += out->comma;
	*p = ' ';
	out->p = p + out->spaced;
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

/* All the elements of an array of fixed-size values. */
static inline void ue__decode_put_list(struct ue__decode_out *out,
				       const struct ue_decode_item *item)
{
	size_t size = ue__decode_shapes[item->kind].fixed, at;

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

	ue__decode_out_buffer(&out, flags, buffer, size);
	if (item->type == UE_DECODE_VALUE)
		ue__decode_put_value(&out, item, item->value, item->size);
	else if (item->type == UE_DECODE_ARRAY && item->value)
		ue__decode_put_list(&out, item);
	return ue__decode_out_end(&out, size);
}

/* ---- Events as JSON ------------------------------------------------------------------------ */

static inline void ue__decode_string(struct ue__decode_out *out, const char *text, size_t length)
{
	ue__decode_utf8(out, (const uint8_t *)text, length);
}

static inline void ue__decode_key(struct ue__decode_out *out, const char *name, size_t length,
				  unsigned tag)
{
	char *p;

	ue__decode_room(out);
	ue__decode_comma(out);
	ue__decode_put(out, '"');
	if (length <= UE__DECODE_SHORT &&
	    ue__decode_short(out->p, (const uint8_t *)name, length, 1)) {
		out->p += length; /* and there is room for the rest */
	} else {
		ue__decode_string(out, name, length);
		ue__decode_room(out);
	}
	if (UE__DECODE_UNLIKELY(tag)) {
		ue__decode_puts(out, ";tag=");
		ue__decode_hex_int(out, tag);
	}
	p = out->p;
	p[0] = '"';
	p[1] = ':';
	p[2] = ' ';
	out->p = p + 2 + out->spaced;
}

/* There is room left for a value of 42 bytes. */
UE__DECODE_INLINE void ue__decode_meta_key(struct ue__decode_out *out, const char *name)
{
	size_t length = strlen(name);
	char *p;

	ue__decode_room(out);
	ue__decode_comma(out);
	p = out->p;
	*p++ = '"';
	memcpy(p, name, length);
	p += length;
	p[0] = '"';
	p[1] = ':';
	p[2] = ' ';
	out->p = p + 2 + out->spaced;
}

UE__DECODE_INLINE void ue__decode_meta_uint(struct ue__decode_out *out, const char *name,
					    uint64_t value)
{
	ue__decode_meta_key(out, name);
	ue__decode_uint(out, value);
}

UE__DECODE_INLINE void ue__decode_meta_hex(struct ue__decode_out *out, const char *name,
					   uint64_t value)
{
	if (!value)
		return;
	ue__decode_meta_key(out, name);
	ue__decode_put(out, '"');
	ue__decode_hex_int(out, value);
	ue__decode_put(out, '"');
}

UE__DECODE_INLINE void ue__decode_meta_uuid(struct ue__decode_out *out, const char *name,
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
		if (wall) {
			ue__decode_put(out, '"');
			ue__decode_date(out, (int64_t)second);
		} else {
			ue__decode_uint(out, second);
		}
		ue__decode_put(out, '.');
		ue__decode_padded(out, rest, 9);
		if (wall)
			ue__decode_puts(out, "Z\"");
	}
	if (meta->known & UE_DECODE_HAS_CPU)
		ue__decode_meta_uint(out, "cpu", meta->cpu);
	if (meta->known & UE_DECODE_HAS_PID)
		ue__decode_meta_uint(out, "pid", meta->pid);
	if (meta->known & UE_DECODE_HAS_TID)
		ue__decode_meta_uint(out, "tid", meta->tid);
}

static inline void ue__decode_meta_event(struct ue__decode_out *out,
					 const struct ue_decode_event *event)
{
	if (event->id)
		ue__decode_meta_uint(out, "id", event->id);
	if (event->version)
		ue__decode_meta_uint(out, "version", event->version);
	if (event->level)
		ue__decode_meta_uint(out, "level", event->level);
	ue__decode_meta_hex(out, "keyword", event->keyword);
	if (event->opcode)
		ue__decode_meta_uint(out, "opcode", event->opcode);
	ue__decode_meta_hex(out, "tag", event->tag);
	ue__decode_meta_uuid(out, "activity", event->activity);
	ue__decode_meta_uuid(out, "relatedActivity", event->related);
}

static inline void ue__decode_meta_error(struct ue__decode_out *out, int error, size_t offset)
{
	const char *text = ue_decode_strerror(error);

	ue__decode_meta_key(out, "error");
	ue__decode_put(out, '"');
	ue__decode_string(out, text, strlen(text));
	ue__decode_room(out);
	ue__decode_puts(out, error == UE_DECODE_ETRACEPOINT ? " at character " : " at byte ");
	ue__decode_uint(out, offset);
	ue__decode_put(out, '"');
}

/* "n": "left:right" */
static inline void ue__decode_identity(struct ue__decode_out *out, const char *left,
				       size_t left_length, const char *right, size_t right_length)
{
	ue__decode_begin(out, '{');
	ue__decode_meta_key(out, "n");
	ue__decode_put(out, '"');
	ue__decode_string(out, left, left_length);
	ue__decode_room(out);
	ue__decode_put(out, ':');
	ue__decode_string(out, right, right_length);
	ue__decode_room(out);
	ue__decode_put(out, '"');
}

/* event is NULL for a kernel-typed one. */
static inline void ue__decode_meta(struct ue__decode_out *out, const struct ue_decode_meta *meta,
				   const struct ue_decode_event *event, unsigned flags, int error,
				   size_t error_offset)
{
	int wanted = !(flags & UE_DECODE_NO_META);

	if (wanted || error) {
		ue__decode_meta_key(out, "meta");
		ue__decode_begin(out, '{');
		if (wanted && meta)
			ue__decode_meta_record(out, meta);
		if (wanted && event)
			ue__decode_meta_event(out, event);
		if (error)
			ue__decode_meta_error(out, error, error_offset);
		ue__decode_end(out, '}');
	}
	ue__decode_end(out, '}');
}

static inline void ue__decode_put_item(struct ue__decode_out *out,
				       const struct ue_decode_item *item)
{
	switch (item->type) {
	case UE_DECODE_STRUCT_END:
		ue__decode_end(out, '}');
		return;
	case UE_DECODE_ARRAY_END:
		ue__decode_end(out, ']');
		return;
	default:
		break;
	}
	if (item->array && item->type != UE_DECODE_ARRAY) {
		ue__decode_room(out);
		ue__decode_comma(out);
	} else {
		ue__decode_key(out, item->name, item->name_length + item->attributes_length,
			       item->tag);
	}
	switch (item->type) {
	case UE_DECODE_STRUCT:
		ue__decode_begin(out, '{');
		return;
	case UE_DECODE_ARRAY:
		ue__decode_begin(out, '[');
		return;
	default:
		ue__decode_put_value(out, item, item->value, item->size);
		return;
	}
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
		fields.depth--;
		ue__decode_end(out, fields.stack[fields.depth].type == UE_DECODE_ARRAY ? ']' : '}');
	}
	ue__decode_meta(out, meta, event, flags, event->error, event->error_offset);
}

static inline size_t ue_decode_json(struct ue_decode_event *event,
				    const struct ue_decode_meta *meta, unsigned flags, char *buffer,
				    size_t size)
{
	struct ue__decode_out out;

	ue__decode_out_buffer(&out, flags | UE_DECODE_JSON, buffer, size);
	ue__decode_put_event(&out, event, meta, flags);
	return ue__decode_out_end(&out, size);
}

static inline int ue_decode_json_to(struct ue_decode_event *event,
				    const struct ue_decode_meta *meta, unsigned flags,
				    ue_decode_write_fn write, void *context)
{
	struct ue__decode_out out;

	ue__decode_out_init(&out, flags | UE_DECODE_JSON, write, context);
	ue__decode_put_event(&out, event, meta, flags);
	ue__decode_flush(&out);
	return out.result;
}

/* ---- C declarations of format files -------------------------------------------------------- */

/* Words of a C declaration. */
enum ue__decode_word {
	UE__DECODE_SIGNED = 1,
	UE__DECODE_UNSIGNED = 2,
	UE__DECODE_LONG = 4,
	UE__DECODE_LONG_LONG = 8,
	UE__DECODE_CHAR = 16,
	UE__DECODE_OTHER = 32, /* a type that is not a plain integer */
	UE__DECODE_STRUCT_WORD = 64,
	UE__DECODE_POINTER = 128,
	UE__DECODE_ARRAY_WORD = 256,
	UE__DECODE_DATA_WORD = 512,
	UE__DECODE_REL_WORD = 1024
};

static inline int ue__decode_is(const char *p, size_t length, const char *word)
{
	return length == strlen(word) && !memcmp(p, word, length);
}

/* Reads decimal digits from *P on, up to END, to at most 2^32-1. */
static inline uint32_t ue__decode_number(const char **p, const char *end)
{
	uint64_t value = 0;

	for (; *p < end && ue__is_digit(**p); (*p)++) {
		value = value * 10 + (uint64_t)(**p - '0');
		if (value > 0xffffffff)
			value = 0xffffffff;
	}
	return (uint32_t)value;
}

struct ue__decode_declaration {
	const char *name;
	size_t name_length;
	unsigned words;
	uint32_t count;	   /* the number in brackets, or 0 */
	uint8_t type_size; /* of an element, or 0 if the type does not tell */
};

/* A word that is not the last is part of the type. */
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
			/* "short int" has 2 bytes, "long int" those of long */
			d->type_size = words[i].size;
		}
		d->words |= words[i].flags;
		return;
	}
	d->words |= UE__DECODE_OTHER;
	d->type_size = 0;
}

/* "const char * name", "__data_loc char[] name", "unsigned long args[6]" */
static inline void ue__decode_declare(struct ue__decode_declaration *d, const char *p,
				      const char *end, uint8_t long_size)
{
	memset(d, 0, sizeof(*d));
	while (p < end) {
		const char *word = p;

		if (!ue__is_word(*p)) {
			if (*p == '*')
				d->words |= UE__DECODE_POINTER;
			p++;
			if (*word == '[') {
				d->words |= UE__DECODE_ARRAY_WORD;
				d->count = ue__decode_number(&p, end);
				/* an expression, whose value only the kernel knows */
				if (p < end && *p != ']')
					d->count = 0;
				while (p < end && *p != ']')
					p++;
			}
			continue;
		}
		while (p < end && ue__is_word(*p))
			p++;
		if (d->name)
			ue__decode_type_word(d, long_size);
		d->name = word;
		d->name_length = (size_t)(p - word);
	}
}

/* Sets kind and format of a field by its declaration and size. */
static inline void ue__decode_type(struct ue_decode_field *field,
				   const struct ue__decode_declaration *d, int is_signed,
				   uint8_t long_size)
{
	static const uint8_t kinds[] = { 0, UE_DECODE_KIND_VALUE8, UE_DECODE_KIND_VALUE16, 0,
					 UE_DECODE_KIND_VALUE32, 0, 0, 0, UE_DECODE_KIND_VALUE64 };
	int pointer = (d->words & UE__DECODE_POINTER) != 0;
	uint32_t unit = field->size;

	if (field->size == 4 && d->words & (UE__DECODE_DATA_WORD | UE__DECODE_REL_WORD))
		field->loc = d->words & UE__DECODE_REL_WORD ? UE_DECODE_REL_LOC :
							      UE_DECODE_DATA_LOC;
	if (field->loc || !field->size || d->words & UE__DECODE_ARRAY_WORD) {
		unit = pointer ? long_size : d->type_size;
		field->array = UE_DECODE_VARIABLE_ARRAY;
		if (!field->loc && field->size) {
			field->array = UE_DECODE_CONSTANT_ARRAY;
			if (d->count)
				unit = field->size / d->count;
		}
	}

	if (!pointer && d->words & UE__DECODE_CHAR &&
	    !(d->words & (UE__DECODE_SIGNED | UE__DECODE_UNSIGNED)) &&
	    (field->array || field->size == 1)) {
		field->kind = field->array ? UE_DECODE_KIND_ZSTRING8 : UE_DECODE_KIND_VALUE8;
		field->format = field->array ? UE_DECODE_FORMAT_DEFAULT : UE_DECODE_FORMAT_LATIN1;
		field->unit = !field->array;
		field->array = 0;
		return;
	}
	if (unit < sizeof(kinds) && kinds[unit] &&
	    (pointer || !(d->words & UE__DECODE_STRUCT_WORD))) {
		field->kind = kinds[unit];
		field->unit = (uint8_t)unit;
		if (pointer || d->words & UE__DECODE_OTHER ||
		    (d->words & (UE__DECODE_LONG | UE__DECODE_LONG_LONG | UE__DECODE_UNSIGNED)) ==
			    (UE__DECODE_LONG | UE__DECODE_UNSIGNED))
			field->format = UE_DECODE_FORMAT_HEX;
		else
			field->format = is_signed ? UE_DECODE_FORMAT_SIGNED :
						    UE_DECODE_FORMAT_UNSIGNED;
		return;
	}
	field->kind = UE_DECODE_KIND_BINARY;
	field->array = 0;
}

/* ---- Kernel-typed events ------------------------------------------------------------------- */

/* The number behind "key:" in "...;\toffset:8;\tsize:4;", or missing. */
static inline uint32_t ue__decode_property(const char *p, const char *end, const char *key,
					   uint32_t missing)
{
	size_t length = strlen(key);

	for (; (size_t)(end - p) > length; p++)
		if (!ue__is_word(p[-1]) && !memcmp(p, key, length)) {
			const char *digits = p + length;
			uint32_t value;

			p = digits;
			value = ue__decode_number(&p, end);
			return p > digits ? value : missing;
		}
	return missing;
}

/* A line's text behind "field:"; 0 if it is none. */
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
	is_signed =
		ue__decode_property(semicolon, end, "signed:", !(d.words & UE__DECODE_UNSIGNED));
	/* user_events calls "__rel_loc u8[]" signed, by its first letter */
	if ((d.words & UE__DECODE_UNSIGNED) &&
	    (d.words & (UE__DECODE_DATA_WORD | UE__DECODE_REL_WORD)))
		is_signed = 0;
	ue__decode_type(field, &d, is_signed != 0, long_size);
	return 1;
}

/* The fields of every tracepoint of EventHeader events, and of no other. */
static const struct {
	char name[18];
	uint8_t offset;
	uint8_t size;
} ue__decode_eventheader[] = {
#define UE__DECODE_HEADER(separator, type, name, offset, size) { name, offset, size },
	UE__HEADER_FIELDS(UE__DECODE_HEADER)
#undef UE__DECODE_HEADER
};

#define UE__DECODE_EVENTHEADER (sizeof(ue__decode_eventheader) / sizeof(ue__decode_eventheader[0]))

/* Whether field is the one at index of an EventHeader tracepoint that begins at begin. */
static inline int ue__decode_is_eventheader(const struct ue_decode_field *field, size_t index,
					    size_t begin)
{
	return index < UE__DECODE_EVENTHEADER &&
	       ue__decode_is(field->name, field->name_length, ue__decode_eventheader[index].name) &&
	       field->offset == begin + ue__decode_eventheader[index].offset &&
	       field->size == ue__decode_eventheader[index].size;
}

static inline int ue_decode_format_parse(struct ue_decode_format *format, const char *text,
					 size_t length)
{
	const char *p = text, *end = text + length, *line_end;
	size_t own = 0, alike = 0, begin = 0; /* fields that are not common */

	format->name = NULL;
	format->name_length = 0;
	format->id = 0;
	format->field_count = 0;
	format->eventheader = 0;
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
				if (ue__decode_is_eventheader(&field, own++, begin))
					alike++;
			}
		} else if (line_end - p > 10 && !memcmp(p, "print fmt:", 10)) {
			break;
		}
	}
	if (own == UE__DECODE_EVENTHEADER && alike == own)
		format->eventheader = begin;
	if (format->field_count > format->fields_max)
		return -ENOSPC;
	return format->field_count ? 0 : -EINVAL;
}

static inline int ue_decode_format_item(const struct ue_decode_format *format,
					const struct ue_decode_field *field, const void *record,
					size_t size, struct ue_decode_item *item)
{
	const uint8_t *data = (const uint8_t *)record;
	size_t offset = field->offset, length = field->size;
	uint32_t loc;

	memset(item, 0, sizeof(*item));
	item->name = field->name;
	item->name_length = field->name_length;
	item->type = UE_DECODE_VALUE;
	item->count = 1;
	item->big_endian = format->big_endian;
	if (offset > size || size - offset < length)
		return -EBADMSG;
	if (field->loc) {
		loc = ue__decode_u32(data + offset, format->big_endian);
		offset = (loc & 0xffff) + (field->loc == UE_DECODE_REL_LOC ? offset + 4 : 0);
		length = loc >> 16;
		if (offset > size || size - offset < length)
			return -EBADMSG;
	} else if (!length) {
		length = size - offset;
	}

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
		ue__decode_key(out, item.name, item.name_length, 0);
		if (item.type == UE_DECODE_ARRAY)
			ue__decode_put_list(out, &item);
		else
			ue__decode_put_value(out, &item, item.value, item.size);
	}
	ue__decode_meta(out, meta, NULL, flags, error, error_offset);
}

static inline size_t ue_decode_format_json(const struct ue_decode_format *format,
					   const void *record, size_t record_size,
					   const struct ue_decode_meta *meta, unsigned flags,
					   char *buffer, size_t size)
{
	struct ue__decode_out out;

	ue__decode_out_buffer(&out, flags | UE_DECODE_JSON, buffer, size);
	ue__decode_put_record(&out, format, record, record_size, meta, flags);
	return ue__decode_out_end(&out, size);
}

static inline int ue_decode_format_json_to(const struct ue_decode_format *format,
					   const void *record, size_t record_size,
					   const struct ue_decode_meta *meta, unsigned flags,
					   ue_decode_write_fn write, void *context)
{
	struct ue__decode_out out;

	ue__decode_out_init(&out, flags | UE_DECODE_JSON, write, context);
	ue__decode_put_record(&out, format, record, record_size, meta, flags);
	ue__decode_flush(&out);
	return out.result;
}

#ifdef __clang__
#pragma clang attribute pop
#endif
#pragma GCC diagnostic pop
#endif /* UE_USER_EVENTS_DECODE_H */
