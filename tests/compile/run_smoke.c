/* SPDX-License-Identifier: MIT */
/*
 * A program that checks itself: events of several files, registered before main() with the fake
 * kernel, are silent while nobody listens and give exactly the bytes they should when somebody
 * does, and the program's file holds the description of each. Without any test framework, so that
 * it runs wherever a compiler and a libc are. SMOKE_C_ONLY leaves the C++ file out,
 * SMOKE_NO_AUTO says that UE_NO_AUTO_REGISTER is defined.
 */
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run_smoke.h"

#define LITTLE (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)

UE_EVENT_SET(smoke_set, "Smoke_Test", 4, 0x123456789abcdef0, "grp");
int smoke_evaluated;
static int failures;

#define CHECK(condition)                                                              \
	do {                                                                          \
		if (!(condition)) {                                                   \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
			failures++;                                                   \
		}                                                                     \
	} while (0)

/* Bytes that an event should have. */
static unsigned char want[512];
static size_t wanted;

static void put(const void *data, size_t n)
{
	memcpy(want + wanted, data, n);
	wanted += n;
}

static void put_n(uint64_t value, size_t n)
{
	uint8_t u8 = (uint8_t)value;
	uint16_t u16 = (uint16_t)value;
	uint32_t u32 = (uint32_t)value;

	if (n == 1)
		put(&u8, n);
	else if (n == 2)
		put(&u16, n);
	else if (n == 4)
		put(&u32, n);
	else
		put(&value, n);
}

static void check_record(size_t i, const char *name, const char *text)
{
	const struct fake_record *r = fake_kernel_record(i);

	if (!r || strcmp(r->name, name) != 0 || r->size != wanted ||
	    memcmp(r->data, want, wanted) != 0) {
		fprintf(stderr, "record %zu (%s): %s of %zu bytes, wanted %s of %zu\n", i, text,
			r ? r->name : "none", r ? r->size : 0, name, wanted);
		failures++;
	}
	wanted = 0;
}
#define RECORD(i, name) check_record(i, name, #i)

/* The header of an EventHeader event, and its metadata up to the fields. */
static void put_log(const char *name, size_t fields)
{
	put_n((sizeof(void *) == 8 ? 1u : 0u) | (LITTLE ? 2u : 0u) | 4u, 1);
	put_n(0, 1); /* version */
	put_n(0, 2); /* id */
	put_n(0, 2); /* tag */
	put_n(0, 1); /* opcode */
	put_n(4, 1); /* level */
	put_n(strlen(name) + 1 + fields, 2);
	put_n(1, 2);
	put(name, strlen(name) + 1);
}

static void every_event(void)
{
	int32_t status = -2;
	const char *path = "/x";
	int saved;

	errno = 12345;
	UE_TRACE(smoke_main, status, UE_STR(path), UE_U32(n, smoke_value(9)), UE_X64(x, 1));
	UE_TRACE(smoke_none);
	UE_LOG(smoke_set, "Log", status, UE_STR(path), UE_F64(f, smoke_value(1)),
	       UE_STRUCT(s, UE_U8(a, 1), UE_STRUCT(t, UE_CHAR(b, 'b'))));
	smoke_part_c();
#ifndef SMOKE_C_ONLY
	smoke_part_cc();
#endif
	saved = errno;
	CHECK(saved == 12345);
}

static void put_loc(uint32_t size, uint32_t distance)
{
	put_n(size << 16 | distance, 4);
}

static void check_records(void)
{
	const char *set = "Smoke_Test_L4K123456789abcdef0Ggrp";
	double f = 1;

	put_n((uint32_t)-2, 4);
	put_loc(3, 12);
	put_n(9, 4);
	put_n(1, 8);
	put("/x", 3);
	RECORD(0, "smoke_main");
	put_n(0, 1); /* kernels before 6.12 want one byte */
	RECORD(1, "smoke_none");
	put_log("Log", 9 + 6 + 4 + 4 + 3 + 4 + 4);
	put("status\0\x84\2", 9);
	put("path\0\7", 6);
	put("f\0\x85\x8", 4);
	put("s\0\x81\2", 4);
	put("a\0\2", 3);
	put("t\0\x81\1", 4);
	put("b\0\x82\12", 4);
	put_n((uint32_t)-2, 4);
	put("/x", 3);
	put(&f, 8);
	put("\1b", 2);
	RECORD(2, set);
	put_n(1, 4);
	RECORD(3, "smoke_header");
	put_n(80, 2);
	put_loc(4, 4);
	put_loc(2, 4);
	put("web\0\1\2", 6);
	RECORD(4, "smoke_c");
	put_log("from C", 3);
	put("n\0\3", 3);
	put_n(7, 2);
	RECORD(5, set);
#ifdef SMOKE_C_ONLY
	CHECK(fake_kernel_records() == 6);
#else
	put_n(2, 4);
	RECORD(6, "smoke_header");
	put_n(3, 8);
	RECORD(7, "smoke_template");
	put_n((uint32_t)-4, 4);
	RECORD(8, "smoke_lambda");
	put_n(5, 1);
	RECORD(9, "smoke_constructor");
	put_n(5, 1);
	RECORD(10, "smoke_method");
	put_log("from C++", 8 + 6);
	put("flags\0\x84\2", 8);
	put("size\0\5", 6);
	put_n((uint32_t)-6, 4);
	put_n(7, 8);
	RECORD(11, set);
	CHECK(fake_kernel_records() == 12);
#endif
}

/*
 * The notes. Each event of the program must be there with all its fields: docs/reference.md.
 */
static const char *const described[] = {
	"smoke_main s32:status char:path u32:n u64:x",
	"smoke_none",
	"smoke_header u32:n",
	"smoke_c u16:port char:name u8:data",
#ifndef SMOKE_C_ONLY
	"smoke_template u64:value",
	"smoke_lambda s32:n",
	"smoke_constructor u8:m",
	"smoke_method u8:m",
#endif
};
enum { DESCRIBED = sizeof(described) / sizeof(described[0]) };

static unsigned char *read_file(const char *path, size_t *size)
{
	unsigned char *data = NULL;
	FILE *f = fopen(path, "rb");
	long n;

	if (f && fseek(f, 0, SEEK_END) == 0 && (n = ftell(f)) > 0) {
		rewind(f);
		*size = (size_t)n;
		data = (unsigned char *)malloc(*size);
		if (data && fread(data, 1, *size, f) != *size)
			*size = 0;
	}
	if (f)
		fclose(f);
	return data;
}

static const char *kernel_type(unsigned int row)
{
#define ROW(name, kernel, log2, shape, kind, format, ctype, how, ok) kernel,
	static const char *const names[] = { UE__TYPES(ROW) };
#undef ROW
	return row < sizeof(names) / sizeof(names[0]) ? names[row] : "?";
}

/* what a type tells of a field that is no array: the size of an integer */
static unsigned int size_of(unsigned int row)
{
#define ROW(name, kernel, log2, shape, kind, format, ctype, how, ok) \
	(UE__SHAPE_##shape == UE__SHAPE_VALUE ? 1u << (log2) : 0),
	static const unsigned int sizes[] = { UE__TYPES(ROW) };
#undef ROW
	return row < sizeof(sizes) / sizeof(sizes[0]) ? sizes[row] : 0;
}

static unsigned int get16(const unsigned char *p)
{
	uint16_t v;

	memcpy(&v, p, 2);
	return v;
}

/* One description as the text above; returns 1 for an event, 2 for a set. */
static void note(const unsigned char *p, const unsigned char *end, uint32_t type, bool found[],
		 bool *set_found)
{
	char text[512];
	size_t n, i;
	unsigned int total = p[0], more = p[1];

	if (type == 2) {
		CHECK(p[0] == 4 && get16(p + 2) == 0xdef0 && get16(p + 4) == 0x9abc &&
		      get16(p + 6) == 0x5678 && get16(p + 8) == 0x1234);
		CHECK(memcmp(p + 10, "Smoke_Test\0grp", 15) == 0);
		/* the address of its word, which is in the file's data */
		CHECK(p + 25 + sizeof(void *) == end);
		*set_found = true;
		return;
	}
	if (type == 5) { /* a site of UE_LOG: its probe, and where and how long its metadata is */
		uint32_t length;

		CHECK(p + 2 * sizeof(void *) + 4 == end);
		memcpy(&length, end - 4, sizeof(length));
		CHECK(length >= 12 && length < 65536);
		return;
	}
	if (type == 6) /* keeps what a probe refers to */
		return;
	CHECK(type == 1 && more == 0);
	p += 2;
	n = (size_t)snprintf(text, sizeof(text), "%s", (const char *)p);
	p += strlen((const char *)p) + 1;
	for (; p < end && n < 400; total--) {
		n += (size_t)snprintf(text + n, sizeof(text) - n, " %s:%s", kernel_type(p[0] & 63),
				      (const char *)p + 3);
		CHECK(get16(p + 1) == size_of(p[0] & 63));
		p += 3 + strlen((const char *)p + 3) + 1;
	}
	CHECK(p == end && total == 0);
	for (i = 0; i < DESCRIBED && strcmp(text, described[i]) != 0; i++)
		;
	if (i < DESCRIBED)
		found[i] = true;
	else
		fprintf(stderr, "unknown description \"%s\"\n", text);
	CHECK(i < DESCRIBED);
}

static void check_notes(const char *path)
{
	bool found[DESCRIBED] = { false }, set_found = false;
	size_t size = 0, i;
	unsigned char *file = read_file(path, &size);
	ElfW(Ehdr) header;
	ElfW(Shdr) section, strings;

	CHECK(file && size > sizeof(header));
	if (!file || size <= sizeof(header))
		return;
	memcpy(&header, file, sizeof(header));
	memcpy(&strings, file + header.e_shoff + (size_t)header.e_shstrndx * sizeof(strings),
	       sizeof(strings));
	for (i = 0; i < header.e_shnum; i++) {
		const unsigned char *p, *end;

		memcpy(&section, file + header.e_shoff + i * sizeof(section), sizeof(section));
		if (strcmp((const char *)file + strings.sh_offset + section.sh_name,
			   ".note.user_events") != 0)
			continue;
		CHECK(section.sh_type == SHT_NOTE);
		p = file + section.sh_offset;
		end = p + section.sh_size;
		while (p + 24 <= end) {
			uint32_t head[3];

			memcpy(head, p, sizeof(head));
			CHECK(head[0] == 12 && memcmp(p + 12, "user_events", 12) == 0);
			note(p + 24, p + 24 + head[1], head[2], found, &set_found);
			p += 24 + ((head[1] + 3u) & ~3u);
		}
		CHECK(p == end);
	}
	for (i = 0; i < DESCRIBED; i++) {
		if (!found[i])
			fprintf(stderr, "no description \"%s\"\n", described[i]);
		CHECK(found[i]);
	}
	CHECK(set_found);
	free(file);
}

/* The counter of activity ids is a word: what it counts past its end is new, too. */
static void check_activities(void)
{
	static const uint64_t from[] = { 0,	      0x7ffffffe,  0xfffffffe,
					 0x17ffffffe, 0x1fffffffe, 0x27ffffffe };
	enum { EACH = 4, ALL = 6 * EACH };
	unsigned char ids[ALL][16];
	int i, j;

	ue_activity_new(ids[0]); /* makes what counts */
	for (i = 0; i < ALL; i++) {
		if (i % EACH == 0)
			ue__state_v1.process->count = (size_t)from[i / EACH];
		ue_activity_new(ids[i]);
		for (j = 0; j < i; j++)
			CHECK(memcmp(ids[i], ids[j], 16) != 0);
	}
}

int main(int argc, char **argv)
{
	struct ue_status status;

	check_activities();

#ifdef SMOKE_NO_AUTO
	CHECK(fake_kernel_events() == 0);
	CHECK(ue_register_all() == 0);
#endif
	/* the set is one more event than what is described by type */
	CHECK(fake_kernel_events() == DESCRIBED + 1);
	every_event();
	CHECK(smoke_evaluated == 0);
	CHECK(fake_kernel_records() == 0);
	fake_kernel_enable("*", FAKE_FTRACE);
	every_event();
	CHECK(smoke_evaluated == 2);
	check_records();
	fake_kernel_disable("*", FAKE_FTRACE);
	fake_kernel_clear_records();
	every_event();
	CHECK(smoke_evaluated == 2);
	CHECK(fake_kernel_records() == 0);
	status = ue_status();
	if (status.error)
		fprintf(stderr, "%s\n", status.message);
	CHECK(status.error == 0 && status.failed == 0 && status.cut == 0);
	CHECK(status.declared == status.registered);
	if (argc > 0)
		check_notes(argv[0]);
	ue_unregister_all();
	CHECK(fake_kernel_enablers() == 0 && fake_kernel_fds() == 0);
	return failures != 0;
}
