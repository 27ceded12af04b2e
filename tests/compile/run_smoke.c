/* SPDX-License-Identifier: MIT */
/*
 * A program that checks itself. It consists of several files whose events are registered with the
 * fake kernel before main(). Disabled events must write nothing, enabled events must write exactly
 * the expected bytes, and the program's file must contain the description of each event. The
 * program needs only a compiler and a libc. SMOKE_C_ONLY omits the C++ file. SMOKE_NO_AUTO
 * indicates that UE_NO_AUTO_REGISTER is defined.
 */
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

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

/* Buffer with the expected bytes of an event. */
static unsigned char want[512];
static size_t wanted;

static void put(const void *data, size_t n)
{
	memcpy(want + wanted, data, n);
	wanted += n;
}

static void put_n(uint64_t value, size_t n)
{
	put((const char *)&value + (LITTLE ? 0 : sizeof(value) - n), n);
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

/* Appends an EventHeader header and the start of its metadata, up to the fields. */
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
	put_n(0, 1); /* kernels before 6.12 reject an event without data */
	RECORD(1, "smoke_none");
	put_log("Log", 9 + 6 + 4 + 4 + 3 + 4 + 4);
	put("status\0\x84\2", 9);
	put("path\0\12", 6);
	put("f\0\x85\x8", 4);
	put("s\0\x81\2", 4);
	put("a\0\2", 3);
	put("t\0\x81\1", 4);
	put("b\0\x82\12", 4);
	put_n((uint32_t)-2, 4);
	put_n(2, 2);
	put("/x", 2);
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
 * Reads the ELF notes of this program. Each event has at least one note, which contains the
 * addresses of the event and of its descriptor; see docs/reference.md.
 */
#ifdef SMOKE_C_ONLY
enum { DESCRIBED = 4 };
#else
enum { DESCRIBED = 8 };
#endif

extern const ElfW(Ehdr) __ehdr_start __attribute__((__visibility__("hidden")));

/* Returns the difference between this program's run-time and link-time addresses. */
static uintptr_t load_base(void)
{
	uintptr_t start = (uintptr_t)&__ehdr_start;
	const ElfW(Phdr) *p;
	int i;

	/*
	 * hide the object from the compiler, because the program headers are outside of the object
	 */
	__asm__("" : "+r"(start));
	p = (const ElfW(Phdr) *)(start + __ehdr_start.e_phoff);
	for (i = 0; i < __ehdr_start.e_phnum; i++)
		if (p[i].p_type == PT_LOAD && p[i].p_offset == 0)
			return (uintptr_t)&__ehdr_start - (uintptr_t)p[i].p_vaddr;
	return 0;
}

/* Reads the note of a site or an event set. Returns the event, or NULL for a UE_LOG site. */
static struct ue_event *note(const unsigned char *p, const unsigned char *end)
{
	uintptr_t words[3], base = load_base();
	const struct ue__f_desc *desc;
	struct ue_event *event;

	CHECK(p + sizeof(words) == end);
	memcpy(words, p, sizeof(words));
	desc = (const struct ue__f_desc *)(words[1] + base);
	if (words[2] == 0) {
		CHECK(desc->variant == UE__F_DESC_LOG && desc->size >= 12);
		return NULL;
	}
	event = (struct ue_event *)(words[2] + base);
	CHECK(event->desc == desc);
	CHECK(desc->variant == UE__F_DESC_KERNEL || desc->variant == UE__F_DESC_SET);
	return event;
}

static bool same_spec(const struct ue_event *a, const struct ue_event *b)
{
	char one[512], other[512];

	if (!a || !b)
		return a == b;
	CHECK(ue_event_spec(a, one, sizeof(one)) > 0 && ue_event_spec(b, other, sizeof(other)) > 0);
	return strcmp(one, other) == 0;
}

static void check_notes(const char *path)
{
	struct ue_event *found[32], *event;
	size_t events = 0, seen;
	int fd = open(path, O_RDONLY), i;
	off_t size = lseek(fd, 0, SEEK_END);
	char *file = (char *)mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, fd, 0);
	const ElfW(Ehdr) *header = (const ElfW(Ehdr) *)(void *)file;
	const ElfW(Shdr) *sections, *strings;

	CHECK(file != MAP_FAILED);
	if (file == MAP_FAILED)
		return;
	sections = (const ElfW(Shdr) *)(void *)(file + header->e_shoff);
	strings = sections + header->e_shstrndx;
	for (i = 0; i < header->e_shnum; i++) {
		const ElfW(Shdr) *section = sections + i;
		const unsigned char *p, *end;

		if (strcmp(file + strings->sh_offset + section->sh_name, ".note.user_events") != 0)
			continue;
		CHECK(section->sh_type == SHT_NOTE);
		p = (const unsigned char *)file + section->sh_offset;
		end = p + section->sh_size;
		while (p + 24 <= end) {
			uint32_t head[3];

			memcpy(head, p, sizeof(head));
			CHECK(head[0] == 12 && memcmp(p + 12, "user_events", 12) == 0);
			CHECK(head[2] == UE__F_NOTE_SITE);
			event = note(p + 24, p + 24 + head[1]);
			/*
			 * a function in a header declares its event in each file that includes it,
			 * always with the same spec
			 */
			for (seen = 0; seen < events && !same_spec(found[seen], event);)
				seen++;
			if (event && seen == events && events < 32)
				found[events++] = event;
			p += 24 + ((head[1] + 3u) & ~3u);
		}
		CHECK(p == end);
	}
	CHECK(events == DESCRIBED + 1); /* includes the set */
	munmap(file, (size_t)size);
	close(fd);
}

int main(int argc, char **argv)
{
	struct ue_status status;

#ifdef SMOKE_NO_AUTO
	CHECK(fake_kernel_events() == 0);
	CHECK(ue_register_all() == 0);
#endif
	/* a set counts as an event, in addition to the events of UE_LOG that the notes describe */
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
	CHECK(fake_kernel_enablers() == 0);
	return failures != 0;
}
