/* SPDX-License-Identifier: MIT */
/*
 * Tests the reading of notes, first from this program, which declares events, and then from
 * randomly damaged files, which uetrace must not read beyond their end. Run this test with
 * AddressSanitizer.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "test.h"

#include <sys/resource.h>

#include <user_events.h>
#include "../../tools/uetrace/binary/notes.c"

#define CREATE_TRACE_POINTS
#include "damage.h"
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

#define NOTES_PRINT_FORMAT                                                                 \
	"\"%d \\\"%s\\\" %s %zu\", (((REC->number + 128) & 255) - 128), __get_str(text), " \
	"__print_symbolic(REC->yes, { 1, \"NOTES_YES\" }, { 0, \"no\" }), 8"

#define NOTES_FIELDS                                                       \
	"\nID: 7\nformat:\n"                                               \
	"\tfield:s8 number;\toffset:8;\tsize:1;\tsigned:1;\n"              \
	"\tfield:__data_loc char[] text;\toffset:9;\tsize:4;\tsigned:1;\n" \
	"\tfield:u8 yes;\toffset:13;\tsize:1;\tsigned:0;\n"

/*
 * TP_printk strings are looked up by event name, because it is unknown which program wrote an
 * event. Therefore, strings are read only from binaries that the user named.
 */
TEST(test_only_named_binaries_provide_print_formats)
{
	char **specs = NULL, **files = NULL, *text;

	assert_int_equal(notes_read("/proc/self/exe", &specs, NULL), 0);
	assert_null(texts_format("notes_one", "name: notes_one" NOTES_FIELDS));
	assert_int_equal(notes_read("/proc/self/exe", &specs, &files), 0);
	text = texts_format("notes_one", "name: notes_one" NOTES_FIELDS);
	assert_non_null(text);
	free(text);
	list_free(specs);
	list_free(files);
}

/*
 * Compares the converted TP_printk string with the kernel's "print fmt:" line. Helper functions
 * remain, but the program's macros and constants are replaced with their values.
 */
TEST(test_texts_of_trace_events_are_print_formats)
{
	static const char *const formats[] = {
		"name: notes_one" NOTES_FIELDS "\nprint fmt: \"number=%d\", REC->number\n",
		"name: notes_two.1" NOTES_FIELDS,
	};
	static const char *const names[] = { "notes_one", "notes_two" };
	char **specs = NULL, *text, *expected;
	size_t i;

	assert_int_equal(notes_read("/proc/self/exe", &specs, NULL), 0);
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
	/* the format lacks a field that the string uses */
	assert_null(texts_format("notes_one", "name: notes_one\nID: 7\nformat:\n"
					      "\tfield:s8 number;\toffset:8;\tsize:1;\tsigned:1;\n"
					      "\tfield:u8 yes;\toffset:13;\tsize:1;\tsigned:0;\n"));
}

static bool keep_build_id(void *context, const struct note *note)
{
	if (note->type == NT_GNU_BUILD_ID && note->desc.left == 20)
		memcpy(context, note->desc.p, 20);
	return note->type != NT_GNU_BUILD_ID;
}

TEST(test_print_formats_must_have_the_recorded_build_id)
{
	struct binary b;
	uint8_t id[20] = { 0 };
	size_t i;

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

TEST(test_events_of_a_binary_are_read_without_running_it)
{
	char **specs = NULL;

	assert_int_equal(notes_read("/proc/self/exe", &specs, NULL), 0);
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

/* A tool that registers events from the notes must use the same specs as the program itself. */
TEST(test_notes_and_registration_agree)
{
	char **specs = NULL, spec[512];
	struct ue_event *event = NULL;
	size_t n = 0;

	assert_int_equal(notes_read("/proc/self/exe", &specs, NULL), 0);
	while ((event = ue_event_find(NULL, event))) {
		assert_int_equal(ue__i_spec(event, spec), 0);
		assert_true(has(specs, spec));
		n++;
	}
	assert_true(n >= 6);
	list_free(specs);
}

TEST(test_other_files_are_recognised)
{
	char **specs = NULL, **files = NULL;

	assert_int_equal(notes_read("/nonexistent", &specs, &files), -ENOENT);
	assert_int_equal(notes_read("/", &specs, &files), -EISDIR);
	assert_int_equal(notes_read("/dev/null", &specs, &files), -ENOEXEC);
	assert_int_equal(notes_read("/proc/self/cmdline", &specs, &files), -ENOEXEC);
	/*
	 * special files such as /proc/kmsg must not be read, because reading may block or consume
	 * their content
	 */
	assert_int_equal(open_regular("/proc/self/cmdline"), -ENOEXEC);
	assert_null(specs);
	assert_null(files);
}

static void read_damaged(const char *path, uint32_t type)
{
	char **specs = NULL, **files = NULL, **p;
	static size_t n;

	/*
	 * read the libraries only sometimes, because reading undamaged libraries would take most of
	 * the time
	 */
	notes_read(path, &specs, type == SHT_DYNAMIC || n++ % 8 == 0 ? &files : NULL);
	for (p = specs; p && *p; p++)
		assert_true(strlen(*p) <= 511);
	list_free(specs);
	list_free(files);
}

TEST(test_damaged_binaries_are_harmless)
{
	read_damaged_files(1000, read_damaged);
}

/* Writes a sparse ELF file of SIZE bytes that contains only a file header and section headers. */
static void write_sparse(const char *path, const Elf64_Ehdr *header, const Elf64_Shdr *sections,
			 off_t size)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, header, sizeof(*header), 0), sizeof(*header));
	assert_int_equal(pwrite(fd, sections, 4 * sizeof(*sections), sizeof(*header)),
			 4 * sizeof(*sections));
	assert_int_equal(ftruncate(fd, size), 0);
	close(fd);
}

TEST(test_header_counts_and_sizes_cause_no_allocation)
{
	enum { HUGE = 1 << 30, MANY = 1 << 23, SMALL = 1 << 12 };
	static const struct {
		const char *what;
		/* number of sections, and sizes of the name and string tables in bytes */
		uint64_t sections, names, strings;
		uint32_t segments;
	} files[] = {
		{ "small", 0, SMALL, SMALL, 0 },
		{ "many sections", MANY, SMALL, SMALL, 0 },
		{ "many segments", 0, SMALL, SMALL, MANY },
		{ "large names", 0, HUGE, SMALL, 0 },
		{ "large strings", 0, SMALL, HUGE, 0 },
	};
	char path[] = "/tmp/uetrace-notes-XXXXXX";
	uint64_t address, offset;
	struct rusage usage;
	struct binary b;
	GElf_Shdr found;
	size_t i;
	long most;

	close(mkstemp(path));
	for (i = 0; i < ARRAY_SIZE(files); i++) {
		bool sections = files[i].sections, segments = files[i].segments;
		Elf64_Ehdr header = { .e_version = EV_CURRENT,
				      .e_type = ET_DYN,
				      .e_ehsize = sizeof(header),
				      .e_shoff = sizeof(header),
				      .e_shentsize = sizeof(Elf64_Shdr),
				      .e_shnum = sections ? 0 : 4,
				      .e_shstrndx = 1,
				      .e_phoff = SMALL,
				      .e_phentsize = sizeof(Elf64_Phdr),
				      .e_phnum = segments ? PN_XNUM : 1 };
		Elf64_Shdr headers[4] = {
			{ .sh_size = files[i].sections, .sh_info = files[i].segments },
			{ .sh_type = SHT_STRTAB, .sh_offset = SMALL, .sh_size = files[i].names },
			{ .sh_type = SHT_SYMTAB,
			  .sh_offset = SMALL,
			  .sh_size = SMALL,
			  .sh_link = 3,
			  .sh_entsize = sizeof(Elf64_Sym) },
			{ .sh_type = SHT_STRTAB, .sh_offset = SMALL, .sh_size = files[i].strings },
		};
		int error;

		memcpy(header.e_ident, ELFMAG, SELFMAG);
		header.e_ident[EI_CLASS] = ELFCLASS64;
		header.e_ident[EI_VERSION] = EV_CURRENT;
		header.e_ident[EI_DATA] = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? ELFDATA2MSB
										 : ELFDATA2LSB;
		write_sparse(path, &header, headers, (off_t)HUGE + SMALL);
		getrusage(RUSAGE_SELF, &usage);
		most = usage.ru_maxrss + (64 << 10);
		error = binary_open(&b, path);
		assert_int_equal(error, sections || segments ? -ENOEXEC : 0);
		if (!error) {
			assert_null(binary_find(&b, ".absent", 0, &found));
			assert_false(binary_symbol(&b, "absent", &address));
			assert_false(binary_offset(&b, 1, 1, PF_R, &offset));
			binary_close(&b);
		}
		getrusage(RUSAGE_SELF, &usage);
		if (usage.ru_maxrss > most)
			fail_msg("reading %s needs more than 64 MiB", files[i].what);
	}
	unlink(path);
}

/*
 * A binary with one site, as the loader sees it. The site's descriptor is in a separate segment at
 * BASE. The file header determines the byte order and the address size.
 */
#define BASE 0x10000u
struct image {
	bool big, wide;
	unsigned char desc[600], note[64];
	size_t size, noted; /* lengths of desc and note in bytes */
	Elf64_Dyn dynamic[3];
	char strings[512], path[64];
};

static void put_bytes(unsigned char *to, size_t *at, const void *bytes, size_t n)
{
	memcpy(to + *at, bytes, n);
	*at += n;
}

static void put_number(const struct image *f, unsigned char *to, size_t *at, uint64_t n,
		       size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		to[*at + i] = (unsigned char)(n >> 8 * (f->big ? size - 1 - i : i));
	*at += size;
}

static void put_head(struct image *f, unsigned int variant, size_t types, size_t meta)
{
	f->size = 0;
	put_number(f, f->desc, &f->size, variant, 1);
	put_number(f, f->desc, &f->size, 4, 1);
	put_number(f, f->desc, &f->size, types, 2);
	put_number(f, f->desc, &f->size, 0, 4);
	put_number(f, f->desc, &f->size, meta, 2);
	put_number(f, f->desc, &f->size, 0, 2);
}

static void put_type(struct image *f, uint32_t type)
{
	put_number(f, f->desc, &f->size, type, 4);
}

/* Appends N bytes that contain an event's names to the descriptor. */
static void put_names(struct image *f, const char *names, size_t n)
{
	put_bytes(f->desc, &f->size, names, n);
}

static void put_note(struct image *f, uint64_t nop, uint64_t desc, uint64_t event)
{
	size_t word = f->wide ? 8 : 4;

	f->noted = 0;
	put_number(f, f->note, &f->noted, sizeof(NOTE_OWNER), 4);
	put_number(f, f->note, &f->noted, 3 * word, 4);
	put_number(f, f->note, &f->noted, UE__F_NOTE_SITE, 4);
	put_bytes(f->note, &f->noted, NOTE_OWNER, sizeof(NOTE_OWNER));
	put_number(f, f->note, &f->noted, nop, word);
	put_number(f, f->note, &f->noted, desc, word);
	put_number(f, f->note, &f->noted, event, word);
}

static void write_image(struct image *f)
{
	/* index of the string section; the first section has index 1 */
	enum { STRINGS = 4, PARTS = 4 };
	const struct {
		void *bytes;
		size_t size;
		uint32_t type, link;
	} parts[PARTS] = { { f->desc, f->size, SHT_PROGBITS, 0 },
			   { f->note, f->noted, SHT_NOTE, 0 },
			   { f->dynamic, sizeof(f->dynamic), SHT_DYNAMIC, STRINGS },
			   { f->strings, sizeof(f->strings), SHT_STRTAB, 0 } };
	GElf_Ehdr header;
	GElf_Phdr segment;
	GElf_Shdr section;
	Elf_Scn *last = NULL;
	size_t i;
	Elf *elf;
	int fd;

	if (!f->path[0]) {
		strcpy(f->path, "/tmp/uetrace-notes-XXXXXX");
		close(mkstemp(f->path));
	}
	fd = open(f->path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_WRITE, NULL);
	gelf_newehdr(elf, f->wide ? ELFCLASS64 : ELFCLASS32);
	gelf_getehdr(elf, &header);
	header.e_ident[EI_DATA] = f->big ? ELFDATA2MSB : ELFDATA2LSB;
	header.e_type = ET_DYN;
	header.e_version = EV_CURRENT;
	gelf_update_ehdr(elf, &header);
	gelf_newphdr(elf, 1);
	for (i = 0; i < (f->dynamic[0].d_tag ? PARTS : 2); i++) {
		Elf_Scn *scn = elf_newscn(elf);
		Elf_Data *data = elf_newdata(scn);

		data->d_buf = parts[i].bytes;
		data->d_size = parts[i].size;
		data->d_align = 4;
		gelf_getshdr(scn, &section);
		section.sh_type = parts[i].type;
		section.sh_link = parts[i].link;
		gelf_update_shdr(scn, &section);
		last = last ? last : scn;
	}
	assert_true(elf_update(elf, ELF_C_NULL) > 0);
	gelf_getshdr(last, &section);
	gelf_getphdr(elf, 0, &segment);
	segment.p_type = PT_LOAD;
	segment.p_flags = PF_R;
	segment.p_offset = section.sh_offset;
	segment.p_vaddr = BASE;
	segment.p_filesz = segment.p_memsz = f->size;
	gelf_update_phdr(elf, 0, &segment);
	assert_true(elf_update(elf, ELF_C_WRITE) > 0);
	elf_end(elf);
	close(fd);
}

/* Writes the file and collects its events. N is the expected number of events. */
static struct notes collect(struct image *f, size_t n)
{
	struct notes notes = { .n = 0 };
	struct binary b;

	write_image(f);
	assert_int_equal(binary_open(&b, f->path), 0);
	notes_collect(&b, &notes);
	assert_int_equal(notes.n, n);
	binary_close(&b);
	unlink(f->path);
	f->path[0] = '\0';
	return notes;
}

/* Checks that the file declares only the event SPEC or, if SPEC is NULL, no event. */
static void assert_declares(struct image *f, const char *spec)
{
	struct notes notes;
	char **specs = NULL;

	write_image(f);
	assert_int_equal(notes_read(f->path, &specs, NULL), 0);
	if (spec) {
		assert_true(specs && !specs[1]);
		assert_string_equal(specs[0], spec);
	} else if (specs) {
		fail_msg("the file declares %s, expected nothing", specs[0]);
	}
	list_free(specs);
	notes = collect(f, spec != NULL);
	notes_free(&notes);
}

TEST(test_sites_of_both_byte_orders_and_sizes)
{
	static const unsigned char meta[] = {
		7, 0, 0, 0, 0, 0, 0, 0, 3, 0, 1, 0, 'L', 'o', 'g', 0
	};
	struct notes notes;
	int i;

	for (i = 0; i < 4; i++) {
		struct image f = { .big = i & 1, .wide = i & 2 };

		put_head(&f, UE__F_DESC_KERNEL, 3, 0);
		put_type(&f, UE__F_T_CARRAY | UE__F_T_DATA | UE__KIND_VALUE8 | 258u << 16);
		put_type(&f, UE__I32);
		put_type(&f, 0); /* a 0 between the types is ignored */
		put_type(&f, 0); /* a 0 ends the list of types */
		put_names(&f, "typed;some;other;", sizeof("typed;some;other;"));
		put_note(&f, 0x1234, BASE, 0x5678);
		assert_declares(&f, "typed unsigned char[258] some; s32 other");
		put_head(&f, UE__F_DESC_SET, 0, 0);
		put_number(&f, f.desc, &f.size, 0x123456789abcdef0u, 8);
		put_names(&f, "Provider\0group", sizeof("Provider\0group"));
		put_note(&f, 0, BASE, 0x5678);
		assert_declares(&f, "Provider_L4K123456789abcdef0Ggroup " UE__F_SET_FIELDS);
		put_head(&f, UE__F_DESC_LOG, 1, sizeof(meta));
		put_type(&f, UE__U8);
		put_type(&f, 0);
		put_names(&f, (const char *)meta, sizeof(meta));
		put_note(&f, 0x1234, BASE, 0);
		notes = collect(&f, 1);
		assert_int_equal(notes.events->address, 0x1234);
		assert_int_equal(notes.events->size, sizeof(meta));
		assert_memory_equal(notes.events->meta, meta, sizeof(meta));
		notes_free(&notes);
	}
}

/* Builds a kernel-typed event with two fields. */
static struct image two_fields(void)
{
	struct image f = { .wide = true };

	put_head(&f, UE__F_DESC_KERNEL, 2, 0);
	put_type(&f, UE__U32);
	put_type(&f, UE__STR);
	put_type(&f, 0);
	put_names(&f, "hostile;one;two;", sizeof("hostile;one;two;"));
	put_note(&f, 0x1234, BASE, 0x5678);
	return f;
}

TEST(test_addresses_outside_of_the_file_are_ignored)
{
	static const uint64_t outside[] = {
		0,	   1,	       BASE - 1,   BASE + 1,	    BASE + 39, BASE + 40,
		BASE + 41, BASE + 600, UINT64_MAX, UINT64_MAX - 11, INT64_MAX
	};
	struct image f = two_fields();
	size_t i;

	assert_declares(&f, "hostile u32 one; __rel_loc char[] two");
	for (i = 0; i < ARRAY_SIZE(outside); i++) {
		put_note(&f, 0x1234, outside[i], 0x5678);
		assert_declares(&f, NULL);
	}
	/* a note that ends before its last address */
	f = two_fields();
	f.noted -= 8;
	f.note[4] -= 8;
	assert_declares(&f, NULL);
	/* a segment that ends within the descriptor, at each byte */
	f = two_fields();
	while (f.size) {
		f.size--;
		assert_declares(&f, NULL);
	}
}

TEST(test_wrong_counts_and_names_are_ignored)
{
	static const unsigned int counts[] = { 0, 1, 3, 4, 64, 65, 256, 65535 };
	static const char *const names[] = { "",
					     ";",
					     "hostile",
					     "hostile;",
					     "hostile;one;",
					     "hostile;one;two",
					     "hostile;one;two;three;",
					     "hostile;one;;",
					     ";one;two;",
					     "hos tile;one;two;",
					     "hostile;one;t\033wo;",
					     "hostile;1one;two;" };
	struct image f;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(counts); i++) {
		size_t at = 2;

		f = two_fields();
		put_number(&f, f.desc, &at, counts[i], 2);
		assert_declares(&f, NULL);
	}
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		f = two_fields();
		f.size = 24;
		put_names(&f, names[i], strlen(names[i]) + 1);
		assert_declares(&f, NULL);
	}
	/* an event whose spec has 511 bytes, and one whose spec is longer */
	for (i = 0; i < 2; i++) {
		f = two_fields();
		f.size = 24;
		memset(f.desc + f.size, 'n', 600 - f.size);
		f.size += 485 + i;
		put_names(&f, ";a;b;", sizeof(";a;b;"));
		if (i) {
			assert_declares(&f, NULL);
		} else {
			char *spec = text("%.485s u32 a; __rel_loc char[] b", (char *)f.desc + 24);

			assert_int_equal(strlen(spec), 511);
			assert_declares(&f, spec);
			free(spec);
		}
	}
}

TEST(test_invalid_field_types_are_ignored)
{
	uint32_t good = 0, type;
	struct image f = two_fields();
	size_t at;

	for (type = 1; type < 65536; type++) {
		char spec[64];
		struct ue__i_text t = ue__i_text_in(spec, sizeof(spec));

		if (!type_is_good(type))
			continue;
		good++;
		assert_in_range(1u << UE__F_LOG2_OF(type), 1, 16);
		ue__i_put_type(&t, type);
		assert_true(t.length < 32);
	}
	assert_in_range(good, 20, 32768);
	for (type = UE__KIND_NULL; type < 32; type++) {
		if (type >= UE__KIND_VALUE8 && type <= UE__KIND_VALUE64)
			continue;
		at = 12;
		put_number(&f, f.desc, &at, type, 4);
		assert_declares(&f, NULL);
	}
	at = 12;
	put_number(&f, f.desc, &at, UE__F64, 4);
	assert_declares(&f, NULL);
}

TEST(test_damaged_sets_and_sites_of_logs_are_ignored)
{
	struct image f = { .wide = true };
	struct notes notes;
	size_t i, size;

	put_head(&f, UE__F_DESC_SET, 0, 0);
	put_number(&f, f.desc, &f.size, 1, 8);
	put_names(&f, "Provider\0g", sizeof("Provider\0g"));
	put_note(&f, 0, BASE, 0x5678);
	size = f.size;
	assert_declares(&f, "Provider_L4K1Gg " UE__F_SET_FIELDS);
	while (f.size) {
		f.size--;
		assert_declares(&f, NULL);
	}
	f.size = size;
	f.desc[1] = 0; /* level */
	assert_declares(&f, NULL);
	f.desc[1] = 4;
	f.desc[f.size - 2] = 'H'; /* an unknown option instead of the group */
	assert_declares(&f, "Provider_L4K1H " UE__F_SET_FIELDS);
	f.desc[f.size - 2] = ':';
	assert_declares(&f, NULL);
	/* descriptor variants that do not exist */
	for (i = UE__DESC_TEXT; i < 256; i++) {
		f = two_fields();
		f.desc[0] = (unsigned char)i;
		assert_declares(&f, NULL);
	}
	/* metadata that is longer than the segment, or a missing nop */
	for (i = 0; i < 3; i++) {
		put_head(&f, UE__F_DESC_LOG, 0, i == 1 ? 17 : 16);
		put_type(&f, 0);
		put_names(&f, "0123456789abcdef", 16);
		put_note(&f, i == 2 ? 0 : 0x1234, BASE, 0);
		notes = collect(&f, i == 0);
		notes_free(&notes);
	}
}

/*
 * Writes a binary NAME with one event, called NAME_note. If NEEDS is not NULL, the binary depends
 * on this library.
 */
static void write_binary(const char *directory, const char *name, int64_t tag, const char *search,
			 const char *needs)
{
	struct image f = { .big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
			   .wide = true,
			   .dynamic = {
				   { .d_tag = tag, .d_un.d_val = 1 },
				   { .d_tag = needs ? DT_NEEDED : DT_NULL, .d_un.d_val = 256 } } };
	char *names = text("%.*s_note;", (int)strcspn(name, "."), name);

	snprintf(f.path, sizeof(f.path), "%s/%s", directory, name);
	strcpy(f.strings + 1, search);
	strcpy(f.strings + 256, needs ? needs : "");
	put_head(&f, UE__F_DESC_KERNEL, 0, 0);
	put_type(&f, 0);
	put_names(&f, names, strlen(names) + 1);
	put_note(&f, 0, BASE, 0);
	write_image(&f);
	free(names);
}

static char directory[32];

static int made(void **state)
{
	(void)state;
	strcpy(directory, "/tmp/uetrace-notes-XXXXXX");
	return mkdtemp(directory) ? 0 : -1;
}

static int removed(void **state)
{
	char *command = text("rm -r %s", directory);
	int status = system(command);

	(void)state;
	free(command);
	return status;
}

static void assert_found(bool a, bool b)
{
	char *path = text("%s/program", directory), **specs = NULL, **files = NULL;

	assert_int_equal(notes_read(path, &specs, &files), 0);
	assert_true(has(specs, "program_note"));
	assert_int_equal(has(specs, "liba_note"), a);
	assert_int_equal(has(specs, "libb_note"), b);
	assert_int_equal(list_length(files), 1 + a + b);
	list_free(specs);
	list_free(files);
	free(path);
}

TEST_SETUP_TEARDOWN(test_search_path_of_libraries, made, removed)
{
	char *lib = text("%s/lib", directory);

	mkdir(lib, 0700);
	write_binary(lib, "liba.so", DT_NULL + 100, "", "libb.so");
	write_binary(lib, "libb.so", DT_NULL + 100, "", NULL);
	/*
	 * the loader also uses a program's RPATH for the dependencies of its libraries, but not its
	 * RUNPATH
	 */
	write_binary(directory, "program", DT_RPATH, "$ORIGIN/lib", "liba.so");
	assert_found(true, true);
	write_binary(directory, "program", DT_RUNPATH, "$ORIGIN/lib", "liba.so");
	assert_found(true, false);
	/* for a library that has a RUNPATH, the loader ignores every RPATH */
	write_binary(directory, "program", DT_RPATH, "$ORIGIN/lib", "liba.so");
	write_binary(lib, "liba.so", DT_RUNPATH, "/nonexistent", "libb.so");
	assert_found(true, false);
	write_binary(lib, "liba.so", DT_RUNPATH, "${ORIGIN}", "libb.so");
	assert_found(true, true);
	free(lib);
}

TEST_SETUP_TEARDOWN(test_loader_configuration_includes_relative_files, made, removed)
{
	char *path = text("%s/conf.d", directory), *whole, *found;
	size_t size;
	FILE *file;

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
	file = open_memstream(&found, &size);
	search_conf(file, whole, 0);
	fclose(file);
	assert_string_equal(found, ":/of/a:/of/main:/of/a");
	free(found);
	free(whole);
	free(path);
}

/*
 * This test must be the last one, because it uses up the number of search attempts that a process
 * may make.
 */
TEST(test_search_for_libraries_ends)
{
	char directories[12 * 1000 + 1] = "", *found;
	GElf_Ehdr like;
	struct binary b;
	size_t i;

	assert_int_equal(binary_open(&b, "/proc/self/exe"), 0);
	like = b.header;
	binary_close(&b);
	found = find_library("exe", "/proc/self", &like);
	assert_non_null(found);
	free(found);
	for (i = 0; i < 1000; i++)
		strcat(directories, "/a/b/c/d/ef:");
	for (i = 0; i < 300; i++)
		assert_null(find_library("absent.so", directories, &like));
	assert_null(find_library("exe", "/proc/self", &like));
}

int main(void)
{
	declares(1, "x");
	return run_all_tests(NULL, NULL);
}
