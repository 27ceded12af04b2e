/* SPDX-License-Identifier: MIT */
/*
 * What uetrace reads out of a binary: of this one, which declares events, and of files that
 * are damaged at random, which must not make it read outside the file's bytes (run it with ASan).
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <user_events.h>
#include "../../examples/uetrace/binary.c"
#include "../../examples/uetrace/meanings.c"
#include "../../examples/uetrace/notes.c"
#include "../../examples/uetrace/texts.c"
#include "../../examples/uetrace/util.c"

#define CREATE_TRACE_POINTS
#include "trace_notes.h"

UE_EVENT_SET(notes_set, "Notes_Test", UE_LEVEL_WARNING, 0x123456789abcdef0ull, "grp");
UE_TRACEPOINT(notes_point, UE_U64(now), UE_STR(who));

static __attribute__((__used__, __noinline__)) void declares(int a, const char *s)
{
	static const uint16_t list[] = { 1, 2, 3 };
	static const uint32_t words[] = { 1 };

	UE_TRACE(notes_plain, a, UE_STR(s));
	UE_TRACE(notes_nothing);
	UE_TRACE(notes_many, UE_U8(a1, 1), UE_U16(a2, 1), UE_X32(a3, 1), UE_I64(a4, 1),
		 UE_BOOL(a5, 1), UE_PID(a6, 1), UE_PORT(a7, 1), UE_TIME64(a8, 1), UE_CHAR(a9, 'x'),
		 UE_ARRAY(U16, b1, list, 3), UE_FIXED_ARRAY(CHAR, b2, "12345678", 8),
		 UE_BYTES(b3, s, 1), UE_UUID(b4, "0123456789abcdef"), UE_ARRAY(U32, b5, words, 0),
		 UE_FIXED_ARRAY(U8, b6, "123", 3), UE_STR16(b7, NULL), UE_U8(b8, 1));
	trace_notes_point(1, "x");
	trace_notes_one(1, s);
	trace_notes_two(1, s);
	UE_LOG(notes_set, "Logged", a);
}

static bool has(char **specs, const char *spec)
{
	for (; specs && *specs; specs++) {
		if (strcmp(*specs, spec) == 0)
			return true;
	}
	return false;
}

#define NOTES_PRINT_FORMAT                                                             \
	"\"%d \\\"%s\\\" %s\", (((REC->number + 128) & 255) - 128), __get_str(text), " \
	"__print_symbolic(REC->yes, { 1, \"NOTES_YES\" }, { 0, \"no\" })"

#define NOTES_FIELDS                                                       \
	"\nID: 7\nformat:\n"                                               \
	"\tfield:s8 number;\toffset:8;\tsize:1;\tsigned:1;\n"              \
	"\tfield:__data_loc char[] text;\toffset:9;\tsize:4;\tsigned:1;\n" \
	"\tfield:u8 yes;\toffset:13;\tsize:1;\tsigned:0;\n"

/* What the kernel's "print fmt:" would hold: helpers by name, the user's macros and constants replaced. */
static void test_texts_of_trace_events_are_print_formats(void **state)
{
	static const char *const formats[] = {
		"name: notes_one" NOTES_FIELDS "\nprint fmt: \"number=%d\", REC->number\n",
		"name: notes_two.1" NOTES_FIELDS,
	};
	static const char *const names[] = { "notes_one", "notes_two" };
	char **specs = NULL, *text, *expected;
	size_t i;

	(void)state;
	/* with all else that is declared, or alone */
	assert_int_equal(notes_read("/proc/self/exe", false, &specs), 0);
	assert_int_equal(texts_read("/proc/self/exe", NULL, 0), 0);
	list_free(specs);
	for (i = 0; i < 2; i++) {
		text = texts_format(names[i], formats[i]);
		asprintf(&expected, "name: %s%s\nprint fmt: %s\n", names[i], NOTES_FIELDS,
			 NOTES_PRINT_FORMAT);
		assert_string_equal(text, expected);
		free(text);
		free(expected);
	}
	assert_null(texts_format("notes_plain", formats[0]));
	assert_null(texts_format("notes_one", "no format"));
	/* one that it names is missing */
	assert_null(texts_format("notes_one", "name: notes_one\nID: 7\nformat:\n"
					      "\tfield:s8 number;\toffset:8;\tsize:1;\tsigned:1;\n"
					      "\tfield:u8 yes;\toffset:13;\tsize:1;\tsigned:0;\n"));
}

static bool keep_build_id(void *context, const struct note *note)
{
	if (note->type == NT_GNU_BUILD_ID && note->size == 20)
		memcpy(context, note->desc, 20);
	return note->type != NT_GNU_BUILD_ID;
}

static void test_texts_are_those_of_the_build_that_was_recorded(void **state)
{
	struct binary b;
	uint8_t id[20] = { 0 };
	size_t i;

	(void)state;
	assert_int_equal(texts_read("/missing", NULL, 0), -ENOENT);
	assert_int_equal(texts_read("/etc/passwd", NULL, 0), -ENOEXEC);
	assert_int_equal(texts_read("/dev/zero", NULL, 0), -ENOEXEC);
	assert_int_equal(binary_open(&b, "/proc/self/exe"), 0);
	binary_notes(&b, "GNU", keep_build_id, id);
	binary_close(&b);
	assert_int_equal(texts_read("/proc/self/exe", id, 20), 0);
	for (i = 0; i < 20; i++) {
		id[i] ^= 1;
		assert_int_equal(texts_read("/proc/self/exe", id, 20), -ESTALE);
		id[i] ^= 1;
	}
}

static void test_binary_tells_its_events_without_running(void **state)
{
	char **specs = NULL;

	(void)state;
	assert_int_equal(notes_read("/proc/self/exe", false, &specs), 0);
	assert_true(has(specs, "notes_plain s32 a; __rel_loc char[] s"));
	assert_true(has(specs, "notes_nothing"));
	assert_true(has(specs, "notes_point u64 now; __rel_loc char[] who"));
	assert_true(has(specs,
			"notes_many u8 a1; u16 a2; u32 a3; s64 a4; u8 a5; s32 a6; u16 a7; "
			"s64 a8; char a9; __rel_loc u16[] b1; char[8] b2; __rel_loc u8[] b3; "
			"unsigned char[16] b4; __rel_loc u32[] b5; unsigned char[3] b6; "
			"__rel_loc u16[] b7; u8 b8"));
	assert_true(has(specs, "notes_two s8 number; unsigned char[3] __pad_9; __data_loc char[] "
			       "text; struct notes_pair pair 8; unsigned char[12] words; u8 yes; "
			       "unsigned char[3] __pad_37; __rel_loc u16[] list"));
	assert_true(has(specs,
			"Notes_Test_L3K123456789abcdef0Ggrp u8 eventheader_flags; u8 version; "
			"u16 id; u16 tag; u8 opcode; u8 level"));
	list_free(specs);
}

/* What a tool registers from the notes must be what the program itself registers. */
static void test_notes_and_registration_say_the_same(void **state)
{
	char **specs = NULL, spec[512];
	struct ue_event *event;
	size_t n = ue__declared_in_c(), i;

	(void)state;
	assert_true(n >= 6);
	assert_int_equal(notes_read("/proc/self/exe", false, &specs), 0);
	for (i = 0; i < n; i++) {
		event = &__start_ue_events_v1[i];
		assert_int_equal(ue__spec(event, spec), 0);
		assert_true(has(specs, spec));
	}
	list_free(specs);
}

static void test_other_files_are_told_apart(void **state)
{
	char **specs = NULL;

	(void)state;
	assert_int_equal(notes_read("/nonexistent", true, &specs), -ENOENT);
	assert_int_equal(notes_read("/", true, &specs), -EISDIR);
	assert_int_equal(notes_read("/dev/null", true, &specs), -ENOEXEC);
	assert_int_equal(notes_read("/proc/self/cmdline", true, &specs), -ENOEXEC);
	assert_null(specs);
}

static unsigned char *load(size_t *size)
{
	FILE *file = fopen("/proc/self/exe", "re");
	unsigned char *data = malloc(64u << 20);

	*size = fread(data, 1, 64u << 20, file);
	fclose(file);
	return data;
}

static void read_damaged(const char *path, bool libraries)
{
	char **specs = NULL, **p;

	notes_read(path, libraries, &specs);
	for (p = specs; p && *p; p++)
		assert_true(strlen(*p) <= 511);
	list_free(specs);
}

static void put(int fd, const unsigned char *data, size_t size, size_t at)
{
	assert_int_equal(pwrite(fd, data, size, (off_t)at), size);
}

/* Headers, section headers and notes, where damage does something. */
static void test_damaged_binaries_are_survived(void **state)
{
	struct binary b;
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	size_t size, i, n, spots = 0, libraries = 0;
	unsigned char *data = load(&size), damage[8];
	uint64_t begin[64], length[64];
	char path[] = "/tmp/uetrace-notes-XXXXXX";
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	put(fd, data, size, 0);
	assert_int_equal(binary_open(&b, "/proc/self/exe"), 0);
	begin[spots] = 0;
	length[spots++] = 64;
	begin[spots] = b.header.e_shoff;
	length[spots++] = b.header.e_shnum * b.header.e_shentsize;
	while ((section = elf_nextscn(b.elf, section)) && spots < 64) {
		if (gelf_getshdr(section, &header) &&
		    (header.sh_type == SHT_NOTE || header.sh_type == SHT_DYNAMIC) &&
		    header.sh_size) {
			if (header.sh_type == SHT_DYNAMIC)
				libraries = spots;
			begin[spots] = header.sh_offset;
			length[spots++] = header.sh_size;
		}
	}
	binary_close(&b);
	srand(1);
	for (n = 0; n < 1000; n++) {
		size_t spot = (size_t)rand() % spots;
		size_t at = begin[spot] + (size_t)rand() % length[spot];
		size_t width = 1u << rand() % 4;

		if (at + width > size)
			continue;
		for (i = 0; i < width; i++)
			damage[i] = rand() % 2 ? 0xff : (unsigned char)rand();
		put(fd, damage, width, at);
		/* most of the time would go by with libraries that are not damaged */
		read_damaged(path, spot == libraries || n % 8 == 0);
		put(fd, data + at, width, at);
	}
	for (n = 0; n < 64; n++) {
		assert_int_equal(ftruncate(fd, 0), 0);
		put(fd, data, n < 32 ? n * 3 : (size_t)rand() % size, 0);
		read_damaged(path, true);
	}
	close(fd);
	unlink(path);
	free(data);
}

static void test_notes_of_the_other_byte_order(void **state)
{
	static const unsigned char big[] = {
		1, 0, 'b', 'i', 'g', 0, 0x40, 1, 2, 'f', 'i', 'e', 'l', 'd', '1', 'x', 0,
	};
	char **specs = NULL;
	struct declared declared = { .specs = &specs, .big = true };
	struct note note = { UE__NOTE_EVENT, big, sizeof(big) };

	(void)state;
	assert_true(on_note(&declared, &note));
	assert_true(has(specs, "big unsigned char[258] field1x"));
	list_free(specs);
}

/* A binary with one event, NAME_note, that needs a library if needs is not NULL. */
static void write_binary(const char *directory, const char *name, uint64_t tag, const char *search,
			 const char *needs)
{
	enum { DYNAMIC = 512, STRINGS = 1024, NOTE = 1536, SIZE = 2048 };
	unsigned char bytes[SIZE] = { 0 }, *note = bytes + NOTE;
	char *strings = (char *)bytes + STRINGS, *path = text("%s/%s", directory, name);
	Elf64_Ehdr header = { .e_version = EV_CURRENT,
			      .e_type = ET_DYN,
			      .e_ehsize = sizeof(header),
			      .e_shoff = sizeof(header),
			      .e_shentsize = sizeof(Elf64_Shdr),
			      .e_shnum = 4 };
	Elf64_Shdr sections[4] = {
		[1] = { .sh_type = SHT_DYNAMIC,
			.sh_offset = DYNAMIC,
			.sh_size = 48,
			.sh_link = 2,
			.sh_entsize = sizeof(Elf64_Dyn),
			.sh_addralign = 8 },
		[2] = { .sh_type = SHT_STRTAB, .sh_offset = STRINGS, .sh_size = 512 },
		[3] = { .sh_type = SHT_NOTE, .sh_offset = NOTE },
	};
	Elf64_Dyn dynamic[3] = { { .d_tag = DT_NULL } };
	uint32_t words[3] = { sizeof(NOTE_OWNER), 0, UE__NOTE_EVENT };
	FILE *file;
	size_t n;

	memcpy(header.e_ident, ELFMAG, SELFMAG);
	header.e_ident[EI_CLASS] = ELFCLASS64;
	header.e_ident[EI_VERSION] = EV_CURRENT;
	header.e_ident[EI_DATA] = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? ELFDATA2MSB
									 : ELFDATA2LSB;
	strcpy(strings + 1, search);
	strcpy(strings + 256, needs ? needs : "");
	dynamic[0].d_tag = (Elf64_Sxword)tag;
	dynamic[0].d_un.d_val = 1;
	dynamic[1].d_tag = needs ? DT_NEEDED : DT_NULL;
	dynamic[1].d_un.d_val = 256;
	/* no fields, nothing follows, the name */
	n = (size_t)sprintf((char *)note + 12 + sizeof(NOTE_OWNER) + 2, "%.*s_note",
			    (int)strcspn(name, "."), name);
	words[1] = (uint32_t)(2 + n + 1);
	memcpy(note, words, sizeof(words));
	memcpy(note + 12, NOTE_OWNER, sizeof(NOTE_OWNER));
	sections[3].sh_addralign = 4;
	sections[3].sh_size = (12 + sizeof(NOTE_OWNER) + words[1] + 3) & ~3u;
	memcpy(bytes, &header, sizeof(header));
	memcpy(bytes + sizeof(header), sections, sizeof(sections));
	memcpy(bytes + DYNAMIC, dynamic, sizeof(dynamic));
	file = fopen(path, "we");
	assert_int_equal(fwrite(bytes, 1, sizeof(bytes), file), sizeof(bytes));
	fclose(file);
	free(path);
}

static void assert_found(const char *directory, bool a, bool b)
{
	char *path = text("%s/program", directory), **specs = NULL;

	assert_int_equal(notes_read(path, true, &specs), 0);
	assert_true(has(specs, "program_note"));
	assert_int_equal(has(specs, "liba_note"), a);
	assert_int_equal(has(specs, "libb_note"), b);
	list_free(specs);
	free(path);
}

static void test_search_path_of_libraries(void **state)
{
	char directory[] = "/tmp/uetrace-notes-XXXXXX", *lib;

	(void)state;
	assert_non_null(mkdtemp(directory));
	lib = text("%s/lib", directory);
	mkdir(lib, 0700);
	write_binary(lib, "liba.so", DT_NULL + 100, "", "libb.so");
	write_binary(lib, "libb.so", DT_NULL + 100, "", NULL);
	/* a program's RPATH is its libraries', too; its RUNPATH is its own */
	write_binary(directory, "program", DT_RPATH, "$ORIGIN/lib", "liba.so");
	assert_found(directory, true, true);
	write_binary(directory, "program", DT_RUNPATH, "$ORIGIN/lib", "liba.so");
	assert_found(directory, true, false);
	/* a library with a RUNPATH takes no RPATH */
	write_binary(directory, "program", DT_RPATH, "$ORIGIN/lib", "liba.so");
	write_binary(lib, "liba.so", DT_RUNPATH, "/nonexistent", "libb.so");
	assert_found(directory, true, false);
	write_binary(lib, "liba.so", DT_RUNPATH, "${ORIGIN}", "libb.so");
	assert_found(directory, true, true);
	free(lib);
	lib = text("rm -r %s", directory);
	assert_int_equal(system(lib), 0);
	free(lib);
}

static void test_loader_configuration_includes_relative_files(void **state)
{
	char directory[] = "/tmp/uetrace-notes-XXXXXX", *path, *whole;
	FILE *file;

	(void)state;
	assert_non_null(mkdtemp(directory));
	path = text("%s/conf.d", directory);
	mkdir(path, 0700);
	whole = text("%s/a.conf", path);
	file = fopen(whole, "we");
	fputs("/of/a\n", file);
	fclose(file);
	free(whole);
	whole = text("%s/main.conf", directory);
	file = fopen(whole, "we");
	fprintf(file, "include conf.d/*.conf\n/of/main\ninclude %s/*.conf\n", path);
	fclose(file);
	list_free(search_path);
	search_path = NULL;
	search_conf(whole, 0);
	assert_string_equal(search_path[0], "/of/a");
	assert_string_equal(search_path[1], "/of/main");
	assert_string_equal(search_path[2], "/of/a");
	assert_null(search_path[3]);
	free(whole);
	free(path);
	path = text("rm -r %s", directory);
	assert_int_equal(system(path), 0);
	free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_binary_tells_its_events_without_running),
		cmocka_unit_test(test_texts_of_trace_events_are_print_formats),
		cmocka_unit_test(test_texts_are_those_of_the_build_that_was_recorded),
		cmocka_unit_test(test_notes_and_registration_say_the_same),
		cmocka_unit_test(test_other_files_are_told_apart),
		cmocka_unit_test(test_damaged_binaries_are_survived),
		cmocka_unit_test(test_notes_of_the_other_byte_order),
		cmocka_unit_test(test_search_path_of_libraries),
		cmocka_unit_test(test_loader_configuration_includes_relative_files),
	};

	declares(1, "x");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
