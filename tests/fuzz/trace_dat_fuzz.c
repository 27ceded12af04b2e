/* SPDX-License-Identifier: MIT */
/*
 * Passes malicious trace-cmd recordings to all of `uetrace show` and libtracecmd. The input
 * controls only the records, because a traced program can influence only these: events of each
 * kind, with any bytes, size, CPU and time. The event descriptions are valid, like those of
 * trace-cmd, because libtracecmd crashes on invalid descriptions and pages.
 *
 * If the first byte of the input is 1 or 2, the input describes an invalid file or invalid pages,
 * respectively. These inputs are only for -w and for -DUE_FUZZ_LIBRARY.
 *
 * For every input, no byte outside the input is read (ASan), no arithmetic overflows (UBSan), every
 * record is returned once, and a second run gives the same result.
 */
#define WRITE_INPUT write_input
#include <stdio.h>
#include <stdint.h>

static void write_input(const uint8_t *data, size_t size, FILE *to);

#include "recordings.h"

#include <stdarg.h>

/* Messages are formatted but not printed (ld --wrap=warning). */
void __wrap_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));

void __wrap_warning(const char *format, ...)
{
	char message[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(message, sizeof(message), format, arguments);
	va_end(arguments);
}

/* The files that an input names are not opened. Other fuzzers cover the reading of binaries. */
int program_read(const char *path, const void *id, size_t id_size)
{
	(void)path;
	(void)id;
	(void)id_size;
	abort();
}

size_t programs_read(struct programs *programs)
{
	check(!programs);
	return 0;
}

void programs_add(struct programs **programs, const char *path, const void *id, size_t id_size)
{
	(void)programs;
	(void)path;
	(void)id;
	(void)id_size;
	abort();
}

void programs_free(struct programs *programs)
{
	if (programs)
		abort();
}

#define PAGE 4096
#define PAGE_HEAD 16
#define CPUS 2
#define FILE_MAX (1u << 20)

struct out {
	uint8_t *bytes;
	size_t n;
};

static void put(struct out *out, const void *bytes, size_t n)
{
	check(n <= FILE_MAX - out->n);
	memcpy(out->bytes + out->n, bytes, n);
	out->n += n;
}

static void put_number(struct out *out, uint64_t number, size_t size)
{
	put(out, &number, size); /* the recording is little endian, like this machine */
}

static void put_text(struct out *out, const char *text)
{
	put_number(out, strlen(text), 8);
	put(out, text, strlen(text));
}

#define COMMON                                                                         \
	"format:\n"                                                                    \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"         \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"         \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static const struct {
	const char *system;
	const char *format;
	uint16_t id;
} events[] = {
	{ "user_events",
	  "name: request_done\nID: 1000\n" COMMON
	  "\tfield:s32 status;\toffset:8;\tsize:4;\tsigned:1;\n"
	  "\tfield:u64 bytes;\toffset:12;\tsize:8;\tsigned:0;\n"
	  "\tfield:__rel_loc char[] path;\toffset:20;\tsize:4;\tsigned:1;\n\n"
	  "print fmt: \"status=%d bytes=%llu path=%s\", REC->status, REC->bytes, "
	  "__get_rel_str(path)\n",
	  1000 },
	{ "user_events",
	  "name: Shop_L4K1\nID: 1001\n" COMMON
	  "\tfield:u8 eventheader_flags;\toffset:8;\tsize:1;\tsigned:0;\n"
	  "\tfield:u8 version;\toffset:9;\tsize:1;\tsigned:0;\n"
	  "\tfield:u16 id;\toffset:10;\tsize:2;\tsigned:0;\n"
	  "\tfield:u16 tag;\toffset:12;\tsize:2;\tsigned:0;\n"
	  "\tfield:u8 opcode;\toffset:14;\tsize:1;\tsigned:0;\n"
	  "\tfield:u8 level;\toffset:15;\tsize:1;\tsigned:0;\n\n"
	  "print fmt: \"eventheader_flags=%u\", REC->eventheader_flags\n",
	  1001 },
	{ "sched",
	  "name: sched_switch\nID: 300\n" COMMON
	  "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	  "\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
	  "\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n"
	  "\tfield:char next_comm[16];\toffset:40;\tsize:16;\tsigned:0;\n"
	  "\tfield:pid_t next_pid;\toffset:56;\tsize:4;\tsigned:1;\n"
	  "\nprint fmt: \"prev_comm=%s prev_pid=%d prev_state=%s ==> next_comm=%s next_pid=%d\", "
	  "REC->prev_comm, REC->prev_pid, __print_flags(REC->prev_state, \"|\", { 1, \"S\" }, { 2, "
	  "\"D\" }), REC->next_comm, REC->next_pid\n",
	  300 },
	{ "syscalls",
	  "name: sys_enter_write\nID: 301\n" COMMON
	  "\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n"
	  "\tfield:unsigned int fd;\toffset:16;\tsize:8;\tsigned:0;\n"
	  "\tfield:const char * buf;\toffset:24;\tsize:8;\tsigned:0;\n\n"
	  "print fmt: \"fd: 0x%08lx, buf: 0x%08lx\", ((unsigned long)(REC->fd)), "
	  "((unsigned long)(REC->buf))\n",
	  301 },
	{ "kprobes",
	  "name: opened\nID: 302\n" COMMON
	  "\tfield:unsigned long __probe_func;\toffset:8;\tsize:8;\tsigned:0;\n"
	  "\tfield:unsigned long __probe_ret_ip;\toffset:16;\tsize:8;\tsigned:0;\n"
	  "\tfield:__data_loc char[] file;\toffset:24;\tsize:4;\tsigned:1;\n"
	  "\tfield:u8 list[4];\toffset:28;\tsize:4;\tsigned:0;\n\n"
	  "print fmt: \"(%lx <- %lx) file=\\\"%s\\\" list={%d,%d,%d,%d}\", REC->__probe_func, "
	  "REC->__probe_ret_ip, __get_str(file), REC->list[0], REC->list[1], REC->list[2], "
	  "REC->list[3]\n",
	  302 },
	{ "irq",
	  "name: irq_handler_entry\nID: 303\n" COMMON
	  "\tfield:int irq;\toffset:8;\tsize:4;\tsigned:1;\n"
	  "\tfield:__data_loc char[] name;\toffset:12;\tsize:4;\tsigned:1;\n\n"
	  "print fmt: \"irq=%d name=%s\", REC->irq, __get_str(name)\n",
	  303 },
	{ "user_events",
	  "name: dotnet\nID: 1002\n" COMMON "\tfield:u8 version;\toffset:8;\tsize:1;\tsigned:0;\n"
	  "\tfield:u16 event_id;\toffset:9;\tsize:2;\tsigned:0;\n"
	  "\tfield:__rel_loc u8[] extension;\toffset:11;\tsize:4;\tsigned:0;\n"
	  "\tfield:__rel_loc u8[] payload;\toffset:15;\tsize:4;\tsigned:0;\n\n"
	  "print fmt: \"version=(%u)\", REC->version\n",
	  1002 },
};

static void put_systems(struct out *out)
{
	size_t i;

	put_number(out, ARRAY_SIZE(events), 4);
	for (i = 0; i < ARRAY_SIZE(events); i++) {
		put(out, events[i].system, strlen(events[i].system) + 1);
		put_number(out, 1, 4);
		put_text(out, events[i].format);
	}
}

/* Writes the start of a version 6 file, including the options. */
static void put_head(struct out *out)
{
	static const char page[] = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
				   "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
				   "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
				   "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n";
	static const char names[] = "500 server\n501 worker\x1b[31m\n";

	put(out, "\x17\x08\x44tracing6", 12);
	put_number(out, 0, 1);
	put_number(out, 8, 1);
	put_number(out, PAGE, 4);
	put(out, "header_page", 12);
	put_text(out, page);
	put(out, "header_event", 13);
	put_text(out, "# compressed entry header\n");
	put_number(out, 0, 4);
	put_systems(out);
	put_number(out, 0, 4); /* kernel symbols */
	put_number(out, 0, 4); /* trace_printk() strings */
	put_text(out, names);
	put_number(out, CPUS, 4);
	put(out, "options  ", 10);
	put_number(out, 0, 2);
	put(out, "flyrecord", 10);
}

/* Writes the pages of all CPU buffers, starting at a page boundary of the file. */
static void put_pages(struct out *out, const uint8_t *pages[CPUS], const size_t n[CPUS])
{
	size_t at = (out->n + CPUS * 16 + PAGE - 1) / PAGE * PAGE, cpu;

	for (cpu = 0; cpu < CPUS; cpu++) {
		put_number(out, at, 8);
		put_number(out, n[cpu] * PAGE, 8);
		at += n[cpu] * PAGE;
	}
	memset(out->bytes + out->n, 0, PAGE);
	out->n = (out->n + PAGE - 1) / PAGE * PAGE;
	for (cpu = 0; cpu < CPUS; cpu++)
		put(out, pages[cpu], n[cpu] * PAGE);
}

#define PAGES_MAX 3

struct pages {
	uint64_t bytes[PAGES_MAX][PAGE / 8];
	uint64_t time;
	size_t n;    /* number of pages started so far */
	size_t used; /* number of bytes used in the last page */
};

static uint8_t *page_of(struct pages *p)
{
	return (uint8_t *)p->bytes[p->n - 1];
}

static int begin_page(struct pages *p, int missed)
{
	if (p->n == PAGES_MAX)
		return 0;
	p->n++;
	p->used = 0;
	memcpy(page_of(p), &p->time, 8);
	/* this flag reports that events were lost before this page */
	page_of(p)[8 + 3] = missed ? 0x80 : 0;
	return 1;
}

/*
 * Writes an event in the format of the kernel's ring buffer: a 27-bit time difference, the length,
 * and the record.
 */
static int add_record(struct pages *p, const uint8_t *bytes, size_t n, unsigned int delta)
{
	size_t words = (n + 3) / 4 ? (n + 3) / 4 : 1, size = 8 + 4 * words;
	uint32_t head = delta << 5, length = (uint32_t)(4 + 4 * words);
	uint8_t *page;

	if ((!p->n || p->used + size > PAGE - PAGE_HEAD) && !begin_page(p, delta % 7 == 3))
		return 0;
	page = page_of(p) + PAGE_HEAD + p->used;
	memcpy(page, &head, 4);
	memcpy(page + 4, &length, 4);
	memset(page + 8, 0, 4 * words);
	memcpy(page + 8, bytes, n);
	p->used += size;
	p->time += delta;
	page_of(p)[8] = (uint8_t)p->used;
	page_of(p)[9] = (uint8_t)(p->used >> 8);
	return 1;
}

/*
 * Builds the pages from the input, which is a list of records. Each record has one byte each for
 * CPU and event, time, size and thread, followed by the payload. Returns the number of records of
 * known events.
 */
static size_t build(const uint8_t *data, size_t size, struct pages pages[CPUS])
{
	uint8_t record[8 + 255];
	size_t records = 0;

	while (size >= 4) {
		size_t which = data[0] >> 1, n = data[2], more = n < size - 4 ? n : size - 4;
		uint16_t id = which < ARRAY_SIZE(events) ? events[which].id : (uint16_t)which;
		uint32_t pid = 498u + data[3];

		memset(record, 0, 8);
		memcpy(record, &id, 2);
		memcpy(record + 4, &pid, 4);
		memcpy(record + 8, data + 4, more);
		if (!add_record(&pages[data[0] & 1], record, 8 + more, data[1] * 100u))
			break;
		records += which < ARRAY_SIZE(events);
		data += 4 + more;
		size -= 4 + more;
	}
	return records;
}

static struct seen read_file(const struct out *out)
{
	return print_all(trace_dat_open(input_of(out->bytes, out->n)));
}

/*
 * If the first byte is 1 or 2, writes the input without a valid structure, as the whole file or as
 * the file's pages, respectively. Otherwise returns 0.
 */
static int is_raw(struct out *out, const uint8_t *data, size_t size)
{
	static uint64_t raw[CPUS][PAGES_MAX * PAGE / 8];
	const uint8_t *pages[CPUS] = { (uint8_t *)raw[0], (uint8_t *)raw[1] };
	size_t n[CPUS] = { size / PAGE % PAGES_MAX + 1, 0 };

	if (data[0] == 1) {
		put(out, data + 1, size - 1);
		return 1;
	}
	if (data[0] != 2)
		return 0;
	memset(raw, 0, sizeof(raw));
	memcpy(raw[0], data + 1, size - 1 < sizeof(raw[0]) ? size - 1 : sizeof(raw[0]));
	put_head(out);
	put_pages(out, pages, n);
	return 1;
}

static size_t write_records(struct out *out, const uint8_t *data, size_t size)
{
	static struct pages pages[CPUS];
	const uint8_t *raw[CPUS] = { (uint8_t *)pages[0].bytes, (uint8_t *)pages[1].bytes };
	size_t records, cpu, n[CPUS];

	memset(pages, 0, sizeof(pages));
	for (cpu = 0; cpu < CPUS; cpu++)
		pages[cpu].time = 5000000000;
	records = build(data, size, pages);
	for (cpu = 0; cpu < CPUS; cpu++)
		n[cpu] = pages[cpu].n;
	put_head(out);
	put_pages(out, raw, n);
	return records;
}

static uint8_t bytes[FILE_MAX];

static void write_input(const uint8_t *data, size_t size, FILE *to)
{
	struct out out = { .bytes = bytes };

	if (size && !is_raw(&out, data, size))
		write_records(&out, data, size);
	check(fwrite(out.bytes, 1, out.n, to) == out.n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct out out = { .bytes = bytes };
	struct seen first, second;
	size_t records;

	if (!size)
		return 0;
#ifdef UE_FUZZ_LIBRARY
	if (is_raw(&out, data, size)) {
		read_file(&out);
		return 0;
	}
#endif
	records = write_records(&out, data, size);
	first = read_file(&out);
	second = read_file(&out);
	check(first.events == records);
	check(second.events == first.events && second.sum == first.sum);
	return 0;
}
