/* SPDX-License-Identifier: MIT */
/*
 * Tests that the kernel can fetch the operands that the compiler writes to the notes of USDT
 * probes. uetrace's parser translates the operands of this program's own probes to fetch arguments,
 * with which uprobes then read the probes' arguments.
 */
#include "witness.h"

#include <elf.h>
#include <link.h>

/*
 * Include only uetrace's operand parser, without libelf, which is not available for every machine.
 */
#define text uetrace_text
#include "../../tools/uetrace/usdt/operand.c"
#undef text

char *uetrace_text(const char *format, ...)
{
	va_list args;
	char *made;

	va_start(args, format);
	if (vasprintf(&made, format, args) < 0)
		abort();
	va_end(args);
	return made;
}

void *allocate(size_t size)
{
	return calloc(1, size);
}

void die(const char *format, ...)
{
	abort();
}

#define GROUP "usdt_operands"

static const char *file; /* path of the running program */
static const ElfW(Shdr) * notes;

static void __attribute__((noinline, noclone)) hit(int32_t a, uint64_t b, const char *s, uint8_t c)
{
	UE_TRACE(operands, UE_I32(a), UE_U64(b), UE_STR(s), UE_U8(c), UE_U16(d, 7), UE_I64(e, -a));
}

static unsigned long offset_of(unsigned long address)
{
	const ElfW(Ehdr) *header = (const void *)file;
	const ElfW(Phdr) *segment = (const void *)(file + header->e_phoff);
	int i;

	for (i = 0; i < header->e_phnum; i++) {
		if (segment[i].p_type == PT_LOAD &&
		    address - segment[i].p_vaddr < segment[i].p_filesz)
			return address - segment[i].p_vaddr + segment[i].p_offset;
	}
	fail_msg("no segment of this program's file contains %#jx", (uintmax_t)address);
	return 0;
}

/* Maps this program's file and locates its notes. */
static int read_own(void **state)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), i;
	const ElfW(Ehdr) * header;
	const ElfW(Shdr) * section;
	struct stat st;

	if (access(tracefs("uprobe_events"), W_OK) != 0) {
		puts("this kernel has no uprobes, or is not ours");
		exit(77);
	}
	assert_true(fd >= 0 && fstat(fd, &st) == 0);
	file = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	assert_true(file != MAP_FAILED);
	close(fd);
	header = (const void *)file;
	section = (const void *)(file + header->e_shoff);
	for (i = 0; i < header->e_shnum; i++) {
		if (strcmp(file + section[header->e_shstrndx].sh_offset + section[i].sh_name,
			   ".note.stapsdt") == 0)
			notes = &section[i];
	}
	assert_true(notes != NULL);
	return 0;
}

/*
 * Finds a probe of this program by name. Returns the probe's arguments, and stores its site and
 * semaphore in ADDRESS.
 */
static const char *find_probe(const char *name, uintptr_t address[3])
{
	size_t at = 0;

	while (at + sizeof(ElfW(Nhdr)) < notes->sh_size) {
		const ElfW(Nhdr) *note = (const void *)(file + notes->sh_offset + at);
		const char *desc = (const char *)(note + 1) + (note->n_namesz + 3u) / 4 * 4;
		const char *found = desc + 3 * sizeof(uintptr_t);

		found += strlen(found) + 1;
		if (strcmp(found, name) == 0) {
			memcpy(address, desc, 3 * sizeof(uintptr_t));
			return found + strlen(found) + 1;
		}
		at += sizeof(*note) + (note->n_namesz + 3u) / 4 * 4 + (note->n_descsz + 3u) / 4 * 4;
	}
	fail_msg("this program has no probe %s", name);
	return NULL;
}

static void define(const char *name)
{
	const ElfW(Ehdr) *header = (const void *)file;
	struct usdt_arg args[USDT_ARGS_MAX];
	char line[2 * PATH_MAX], fetch[USDT_FETCH_MAX];
	uintptr_t address[3];
	const char *arguments = find_probe(name, address);
	int n = usdt_parse_args(header->e_machine, arguments, args), i, used;

	printf("%s: %s\n", name, arguments);
	assert_int_equal(n, 6);
	used = snprintf(line, sizeof(line), "p:" GROUP "/%s %s:0x%lx(0x%lx)", name, self(),
			offset_of(address[0]), offset_of(address[2]));
	for (i = 0; i < n; i++) {
		if (i == 2)
			assert_int_equal(usdt_fetch_memory(&args[i], false, 0, "string", fetch,
							   sizeof(fetch)),
					 0);
		else
			assert_int_equal(usdt_fetch_value(&args[i], args[i].size, args[i].is_signed,
							  fetch, sizeof(fetch)),
					 0);
		used += snprintf(line + used, sizeof(line) - (size_t)used, " a%d=%s", i, fetch);
	}
	puts(line);
	assert_int_equal(write_file("uprobe_events", line, O_APPEND), 0);
}

TEST(test_kernel_reads_the_operands_in_the_note)
{
	char *trace;

	define("operands");
	put("trace", "");
	put("events/" GROUP "/enable", "1");
	hit(-5, 1ull << 40, "first", 200);
	hit(123456789, 42, "", 0);
	put("events/" GROUP "/enable", "0");
	hit(1, 2, "nobody listens", 3);
	trace = get("trace");
	assert_non_null(strstr(trace, "a0=-5 a1=1099511627776 a2=\"first\" a3=200 a4=7 a5=5"));
	assert_non_null(strstr(trace, "a0=123456789 a1=42 a2=\"\" a3=0 a4=7 a5=-123456789"));
	assert_null(strstr(trace, "nobody"));
	try_put("uprobe_events", "");
}

TESTS_MAIN_WITH(read_own, NULL)
