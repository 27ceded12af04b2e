/* SPDX-License-Identifier: MIT */
/*
 * A second EventHeader encoder for tests. It is written from the description of the format, as
 * simply as possible, and shares no code with user_events.h. Numbers have native byte order. A test
 * builds the expected event with this encoder and compares the bytes. Definitions and payload are
 * stored separately, as in a recorded event:
 *
 *   ref_begin(&r, "RequestDone");
 *   ref_value(&r, "status", REF_VALUE32, REF_SIGNED, 0, &status, 4);
 *   n = ref_finish(&r, &header, NULL, NULL);    (bytes in r.event)
 */
#ifndef REFERENCE_ENCODER_H
#define REFERENCE_ENCODER_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
	REF_STRUCT = 1,
	REF_VALUE8,
	REF_VALUE16,
	REF_VALUE32,
	REF_VALUE64,
	REF_VALUE128,
	REF_ZSTRING8,
	REF_ZSTRING16,
	REF_ZSTRING32,
	REF_STRING8,
	REF_STRING16,
	REF_STRING32,
	REF_BINARY
};

enum {
	REF_DEFAULT,
	REF_UNSIGNED,
	REF_SIGNED,
	REF_HEX,
	REF_ERRNO,
	REF_PID,
	REF_TIME,
	REF_BOOL,
	REF_FLOAT,
	REF_HEX_BYTES,
	REF_LATIN1,
	REF_UTF,
	REF_UTF_BOM,
	REF_XML,
	REF_JSON,
	REF_UUID,
	REF_PORT,
	REF_IP
};

#define REF_CONSTANT 0x20
#define REF_VARIABLE 0x40

struct ref_header {
	uint8_t version;
	uint16_t id, tag;
	uint8_t opcode, level;
};

struct ref {
	size_t meta_size, data_size;
	unsigned char meta[1 << 17];
	unsigned char data[1 << 21];
	unsigned char event[1 << 22];
};

static inline void ref_meta(struct ref *r, const void *p, size_t n)
{
	if (n > sizeof(r->meta) - r->meta_size)
		abort();
	memcpy(r->meta + r->meta_size, p, n);
	r->meta_size += n;
}

static inline void ref_put(struct ref *r, const void *p, size_t n)
{
	if (n > sizeof(r->data) - r->data_size)
		abort();
	if (n)
		memcpy(r->data + r->data_size, p, n);
	r->data_size += n;
}

static inline void ref_put_u16(struct ref *r, size_t value)
{
	uint16_t v = (uint16_t)value;

	ref_put(r, &v, 2);
}

static inline void ref_begin(struct ref *r, const char *name)
{
	r->meta_size = 0;
	r->data_size = 0;
	ref_meta(r, name, strlen(name) + 1);
}

/*
 * Adds the definition of a field. For a struct, FORMAT is the number of members. COUNT is used only
 * with REF_CONSTANT.
 */
static inline void ref_define(struct ref *r, const char *name, unsigned int kind,
			      unsigned int array, size_t count, unsigned int format, uint16_t tag)
{
	uint8_t byte;

	ref_meta(r, name, strlen(name) + 1);
	byte = (uint8_t)(kind | array | (format || tag ? 0x80 : 0));
	ref_meta(r, &byte, 1);
	if (format || tag) {
		byte = (uint8_t)(format | (tag ? 0x80 : 0));
		ref_meta(r, &byte, 1);
	}
	if (tag)
		ref_meta(r, &tag, 2);
	if (array & REF_CONSTANT) {
		uint16_t n = (uint16_t)count;

		ref_meta(r, &n, 2);
	}
}

/* Adds UNITS units of SIZE bytes each, followed by a zero unit. */
static inline void ref_put_zstring(struct ref *r, const void *p, size_t units, size_t size)
{
	static const unsigned char zero[4] = { 0, 0, 0, 0 };

	ref_put(r, p, units * size);
	ref_put(r, zero, size);
}

static inline void ref_put_counted(struct ref *r, const void *p, size_t units, size_t size)
{
	ref_put_u16(r, units);
	ref_put(r, p, units * size);
}

/*
 * Adds a field and its data: either a value of SIZE bytes, or an array of COUNT elements that has
 * SIZE bytes in total.
 */
static inline void ref_value(struct ref *r, const char *name, unsigned int kind,
			     unsigned int format, uint16_t tag, const void *p, size_t size)
{
	ref_define(r, name, kind, 0, 0, format, tag);
	ref_put(r, p, size);
}

static inline void ref_fixed(struct ref *r, const char *name, unsigned int kind, size_t count,
			     unsigned int format, uint16_t tag, const void *p, size_t size)
{
	ref_define(r, name, kind, REF_CONSTANT, count, format, tag);
	ref_put(r, p, size);
}

/*
 * Adds a string of UNITS units of SIZE bytes or, if KIND includes REF_VARIABLE, an array of as many
 * elements.
 */
static inline void ref_counted(struct ref *r, const char *name, unsigned int kind,
			       unsigned int format, uint16_t tag, const void *p, size_t units,
			       size_t size)
{
	ref_define(r, name, kind, 0, 0, format, tag);
	ref_put_counted(r, p, units, size);
}

/* Appends the mark of a truncated event if TRUNCATED is true. */
static inline void ref_mark(struct ref *r, bool truncated)
{
	ref_put(r, "UE_TRUNC", truncated ? 8 : 0);
}

static inline void ref_zstring(struct ref *r, const char *name, unsigned int kind,
			       unsigned int format, uint16_t tag, const void *p, size_t units,
			       size_t size)
{
	ref_define(r, name, kind, 0, 0, format, tag);
	ref_put_zstring(r, p, units, size);
}

/* Completes r->event and returns its size. ACTIVITY and RELATED are 16-byte IDs or NULL. */
static inline size_t ref_finish(struct ref *r, const struct ref_header *h, const void *activity,
				const void *related)
{
	const uint16_t one = 1;
	unsigned char *p = r->event;
	uint16_t u16;

	p[0] = 4;
	if (sizeof(void *) == 8)
		p[0] |= 1;
	if (*(const unsigned char *)&one == 1)
		p[0] |= 2;
	p[1] = h->version;
	memcpy(p + 2, &h->id, 2);
	memcpy(p + 4, &h->tag, 2);
	p[6] = h->opcode;
	p[7] = h->level;
	p += 8;
	if (activity) {
		u16 = related ? 32 : 16;
		memcpy(p, &u16, 2);
		u16 = 2 | 0x8000;
		memcpy(p + 2, &u16, 2);
		memcpy(p + 4, activity, 16);
		p += 20;
		if (related) {
			memcpy(p, related, 16);
			p += 16;
		}
	}
	u16 = (uint16_t)r->meta_size;
	memcpy(p, &u16, 2);
	u16 = 1;
	memcpy(p + 2, &u16, 2);
	memcpy(p + 4, r->meta, r->meta_size);
	p += 4 + r->meta_size;
	memcpy(p, r->data, r->data_size);
	p += r->data_size;
	return (size_t)(p - r->event);
}

#endif
