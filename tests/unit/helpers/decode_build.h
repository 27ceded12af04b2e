/* SPDX-License-Identifier: MIT */
/*
 * Helpers for the decoder tests. They build EventHeader events byte by byte in either byte order,
 * using only the description of the format.
 */
#ifndef DECODE_BUILD_H
#define DECODE_BUILD_H

#include "test.h"

#include <user_events_decode.h>

enum { STRUCT = 1, U8, U16, U32, U64, U128, Z8, Z16, Z32, S8, S16, S32, BIN };
enum {
	UNSIGNED = 1,
	SIGNED,
	HEX,
	ERRNO,
	PID,
	TIME,
	BOOL,
	FLOAT,
	BYTES,
	LATIN1,
	UTF,
	BOM,
	XML,
	JSON,
	UUID,
	PORT,
	IP,
	IP_OLD
};
enum { FIXED = 0x20, VARIABLE = 0x40 };

struct bytes {
	uint8_t p[4096];
	size_t n;
};

/* The event that the functions below build. */
static int big;
static struct bytes meta, payload, extensions, event;
static uint8_t header[8];
static char out[200000];

#define BOTH_ORDERS for (big = 0; big < 2; big++)

static inline void put(struct bytes *b, const void *p, size_t n)
{
	assert_true(b->n + n <= sizeof(b->p));
	memcpy(b->p + b->n, p, n);
	b->n += n;
}

static inline void put_int(struct bytes *b, uint64_t value, size_t size)
{
	uint8_t p[8];
	size_t i;

	for (i = 0; i < size; i++)
		p[big ? size - 1 - i : i] = (uint8_t)(value >> 8 * i);
	put(b, p, size);
}

static inline void begin(const char *name)
{
	static const uint8_t plain[8] = { 0, 0, 0, 0, 0, 0, 0, 4 };

	memcpy(header, plain, 8);
	header[0] = (uint8_t)(5 | (big ? 0 : 2));
	meta.n = payload.n = extensions.n = 0;
	put(&meta, name, strlen(name) + 1);
}

/* Starts a field. ENCODING is a kind combined with FIXED or VARIABLE. After FIXED, call count(). */
static inline void tagged(const char *name, unsigned encoding, unsigned format, unsigned tag)
{
	uint8_t byte;

	put(&meta, name, strlen(name) + 1);
	byte = (uint8_t)(encoding | (format || tag ? 0x80 : 0));
	put(&meta, &byte, 1);
	if (format || tag) {
		byte = (uint8_t)(format | (tag ? 0x80 : 0));
		put(&meta, &byte, 1);
	}
	if (tag)
		put_int(&meta, tag, 2);
}

static inline void field(const char *name, unsigned encoding, unsigned format)
{
	tagged(name, encoding, format, 0);
}

static inline void count(unsigned n)
{
	put_int(&meta, n, 2);
}

static inline void value(uint64_t v, size_t size)
{
	put_int(&payload, v, size);
}

static inline void raw(const void *p, size_t n)
{
	put(&payload, p, n);
}

static inline void counted(const void *p, size_t n)
{
	value(n, 2);
	raw(p, n);
}

static inline void extension(unsigned kind, const void *p, size_t n)
{
	put_int(&extensions, n, 2);
	put_int(&extensions, kind, 2);
	put(&extensions, p, n);
}

/*
 * Completes the event and stores it in EVENT. BLOCKS precede the metadata, because other encoders
 * may write such blocks.
 */
static inline void finish(void)
{
	event.n = 0;
	put(&event, header, 8);
	put(&event, extensions.p, extensions.n);
	put_int(&event, meta.n, 2);
	put_int(&event, 1, 2);
	put(&event, meta.p, meta.n);
	put(&event, payload.p, payload.n);
}

/* Returns a copy that ends at the end of its allocation, so that sanitizers detect overreads. */
static inline uint8_t *exactly(const void *p, size_t n)
{
	uint8_t *copy = (uint8_t *)malloc(n ? n : 1);

	assert_non_null(copy);
	memcpy(copy, p, n);
	return copy;
}

static inline const char *to_json(unsigned flags)
{
	struct ue_decode_event e;
	uint8_t *copy = exactly(event.p, event.n);

	ue_decode_parse(&e, "Prov_L4K1f", 10, copy, event.n);
	assert_true(ue_decode_json(&e, NULL, flags, out, sizeof(out)) < sizeof(out));
	free(copy);
	return out;
}

/* Checks that the event's compact JSON contains these fields and no error. */
#define expect_fields(fields)                                             \
	do {                                                              \
		finish();                                                 \
		assert_string_equal(to_json(UE_DECODE_NO_META),           \
				    "{\"n\":\"Prov:Event\"," fields "}"); \
	} while (0)

#endif
