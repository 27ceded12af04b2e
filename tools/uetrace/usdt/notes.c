/* SPDX-License-Identifier: MIT */
/*
 * Reads the USDT probes of a file from the notes of <sys/sdt.h> in .note.stapsdt. Each note
 * contains the addresses of the nop, of the section .stapsdt.base at the time the note was written,
 * and of the semaphore, or 0 if there is no semaphore. The provider, name and arguments follow as
 * NUL-terminated strings.
 *
 * The layout of the file determines whether tracers can use a probe:
 *
 * - The kernel finds a semaphore by its file offset. It increments the counter at this offset in
 *   the first writable mapping, by address, whose whole pages cover the offset. lld and mold create
 *   two writable segments that share a page of the file. Therefore, if the semaphore is in the
 *   second segment, the kernel may modify the first one instead.
 * - perf computes file offsets from section headers: pc + offset - address of .stapsdt.base for the
 *   nop, and semaphore + offset - address of .probes for the semaphore. If there is no .probes,
 *   perf uses the address of the semaphore as its file offset. With section garbage collection,
 *   most linkers remove .probes.
 */
#include "usdt/usdt.h"
#include "util/util.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OWNER "stapsdt"
#define TYPE 3
#define PROBES_MAX 65536
#define ARGS_MAX 131072	    /* maximum number of probe arguments in a file, which need 22 MB */
#define PROBE_TEXT_MAX 1024 /* maximum length of the provider, name or arguments, in bytes */
#define SEGMENTS_MAX 64	    /* maximum number of program headers examined */

/* A section that perf uses to compute file offsets. */
struct section {
	bool present;
	uint64_t address, offset;
};

struct note_reader {
	struct binary *binary;
	struct usdt_file *file;
	struct section base, probes; /* sections .stapsdt.base and .probes */
	size_t args;		     /* number of arguments read so far */
};

static struct section find_section(const struct binary *b, const char *name)
{
	GElf_Shdr header;

	if (!binary_find(b, name, 0, &header))
		return (struct section){ .present = false };
	return (struct section){ true, header.sh_addr, header.sh_offset };
}

/*
 * Resolves symbols in operands such as "name+4(%rip)" if the file contains them. The result is the
 * file offset that the symbol would have if the whole file were mapped contiguously, because the
 * kernel computes addresses on this assumption.
 */
static void resolve_symbols(struct binary *b, struct usdt_probe *probe)
{
	uint64_t address;
	int i;

	for (i = 0; i < probe->n; i++) {
		struct usdt_arg *arg = &probe->args[i];

		if (arg->kind != USDT_SYMBOL)
			continue;
		arg->kind = USDT_OUT_OF_REACH;
		if (!binary_symbol(b, arg->symbol, &address))
			continue;
		arg->value += (int64_t)(address - probe->pc + probe->offset);
		if (arg->value >= 0)
			arg->kind = USDT_FILE;
	}
}

/*
 * Sets the file offsets of a probe's nop and semaphore. Returns false if the nop is not in
 * executable memory or the semaphore is not in writable memory. Also returns false if the
 * semaphore's offset is odd, because the kernel rejects odd offsets.
 */
static bool find_offsets(const struct binary *b, struct usdt_probe *probe)
{
	if (!binary_offset(b, probe->pc, 1, PF_X, &probe->offset))
		return false;
	return !probe->semaphore || (binary_offset(b, probe->semaphore, 2, PF_W, &probe->counter) &&
				     probe->counter % 2 == 0);
}

/*
 * Returns true if the kernel increments the wrong copy of the semaphore in processes that map the
 * file while the probe is enabled. This happens if the first writable segment whose pages cover the
 * semaphore's file offset does not contain the semaphore's address.
 */
static bool is_counted_elsewhere(const struct binary *b, const struct usdt_probe *probe)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	GElf_Phdr segment;
	size_t n, i;

	if (!probe->semaphore || elf_getphdrnum(b->elf, &n) != 0)
		return false;
	for (i = 0; i < n && i < SEGMENTS_MAX; i++) {
		if (!gelf_getphdr(b->elf, (int)i, &segment) || segment.p_type != PT_LOAD ||
		    !(segment.p_flags & PF_W))
			continue;
		if (probe->counter / page < segment.p_offset / page ||
		    probe->counter / page > (segment.p_offset + segment.p_filesz - 1) / page)
			continue;
		return probe->semaphore < segment.p_vaddr ||
		       probe->semaphore - segment.p_vaddr >= segment.p_filesz;
	}
	return false;
}

/*
 * Computes the file offsets of a probe in the same way as perf. If perf's offsets are wrong, sets
 * flags in the file.
 */
static void check_perf(const struct note_reader *r, const struct usdt_probe *probe)
{
	uint64_t offset = probe->pc, counter = probe->semaphore;

	if (r->base.present)
		offset += r->base.offset - r->base.address;
	if (r->probes.present)
		counter += r->probes.offset - r->probes.address;
	r->file->perf_misses_probes |= offset != probe->offset;
	r->file->perf_misses_counters |= probe->semaphore && counter != probe->counter;
}

/*
 * Returns true if the note repeats the previous one. If a linker keeps copies of a note, they are
 * adjacent.
 */
static bool is_repeated(const struct usdt_file *file, uint64_t pc, const char *provider,
			const char *name)
{
	const struct usdt_probe *last = file->n ? &file->probes[file->n - 1] : NULL;

	return last && last->pc == pc && strcmp(last->name, name) == 0 &&
	       strcmp(last->provider, provider) == 0;
}

static void add_probe(struct note_reader *r, struct usdt_probe probe)
{
	struct usdt_file *file = r->file;

	probe.counted_elsewhere = is_counted_elsewhere(r->binary, &probe);
	check_perf(r, &probe);
	resolve_symbols(r->binary, &probe);
	if (!(file->n & (file->n - 1)))
		file->probes = doubled(file->probes, file->n, sizeof(*file->probes));
	file->probes[file->n++] = probe;
}

static bool on_note(void *context, const struct note *note)
{
	struct note_reader *r = context;
	struct bytes b = note->desc;
	size_t word = binary_wide(r->binary) ? 8 : 4;
	struct usdt_probe probe = { .pc = take(&b, word) };
	uint64_t base = take(&b, word);
	struct usdt_arg parsed[USDT_ARGS_MAX];
	const char *provider, *name, *args;

	if (note->type != TYPE)
		return true;
	probe.semaphore = take(&b, word);
	provider = take_string(&b);
	name = take_string(&b);
	args = take_string(&b);
	if (b.bad || !*provider || !*name || strlen(provider) > PROBE_TEXT_MAX ||
	    strlen(name) > PROBE_TEXT_MAX || strlen(args) > PROBE_TEXT_MAX)
		return true;
	if (base && r->base.address) {
		/* prelink moves sections without updating the notes */
		probe.pc += r->base.address - base;
		probe.semaphore += probe.semaphore ? r->base.address - base : 0;
	}
	if (!find_offsets(r->binary, &probe) || is_repeated(r->file, probe.pc, provider, name))
		return true;
	probe.provider = text("%s", provider);
	probe.name = text("%s", name);
	probe.n = usdt_parse_args(r->binary->header.e_machine, args, parsed);
	if (probe.n > 0) {
		r->args += (size_t)probe.n;
		probe.args = memcpy(allocate((size_t)probe.n * sizeof(*parsed)), parsed,
				    (size_t)probe.n * sizeof(*parsed));
	}
	add_probe(r, probe);
	return r->file->n < PROBES_MAX && r->args < ARGS_MAX;
}

/* Sorts notes for find(): by kind, then TRACE_EVENT notes by name and all others by address. */
static int by_kind_and_key(const void *a, const void *b)
{
	const struct note_event *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->kind == NOTE_RECORD)
		return strcmp(x->name, y->name);
	return x->address < y->address ? -1 : x->address > y->address;
}

int usdt_file_read(struct usdt_file *file, int fd)
{
	struct note_reader r = { .file = file };
	struct binary b;
	int error = binary_open_fd(&b, fd);

	memset(file, 0, sizeof(*file));
	if (error)
		return error;
	file->big = binary_big(&b);
	r.binary = &b;
	r.base = find_section(&b, ".stapsdt.base");
	r.probes = find_section(&b, ".probes");
	binary_notes(&b, OWNER, on_note, &r);
	notes_collect(&b, &file->notes);
	file->stripped = !file->n && !file->notes.n &&
			 (r.probes.present || find_section(&b, "ue_events_v1").present);
	if (file->notes.n)
		qsort(file->notes.events, file->notes.n, sizeof(*file->notes.events),
		      by_kind_and_key);
	binary_close(&b);
	return 0;
}

int usdt_file_open(struct usdt_file *file, const char *path)
{
	int fd = open_regular(path), error;

	if (fd < 0)
		return fd;
	error = usdt_file_read(file, fd);
	close(fd);
	return error;
}

void usdt_file_free(struct usdt_file *file)
{
	size_t i;

	for (i = 0; i < file->n; i++) {
		free(file->probes[i].provider);
		free(file->probes[i].name);
		free(file->probes[i].args);
	}
	free(file->probes);
	notes_free(&file->notes);
}

static const struct note_event *find(const struct usdt_file *file, enum note_kind kind,
				     uint64_t address, char *name)
{
	const struct note_event key = { .kind = kind, .address = address, .name = name };
	const struct notes *notes = &file->notes;

	return notes->n && (address || name)
		       ? bsearch(&key, notes->events, notes->n, sizeof(key), by_kind_and_key)
		       : NULL;
}

const struct note_event *usdt_event_of(const struct usdt_file *file, const struct usdt_probe *probe)
{
	const struct note_event *event = find(file, NOTE_EVENT, probe->pc, NULL);

	/* The last two arguments of a TRACE_EVENT probe are the address and size of its record. */
	if (event || probe->n < 2 || strcmp(probe->provider, "user_events") != 0)
		return event;
	return find(file, NOTE_RECORD, 0, probe->name);
}

const struct note_event *usdt_site_of(const struct usdt_file *file, const struct usdt_probe *probe)
{
	return find(file, NOTE_LOG, probe->pc, NULL);
}

const struct note_event *usdt_set_of(const struct usdt_file *file, const struct usdt_probe *probe)
{
	/* The semaphore is the upper half of the event set's enable word. */
	return find(file, NOTE_SET, probe->semaphore - (file->big ? 0 : 2), NULL);
}

bool usdt_check_file(const char *path)
{
	struct usdt_file file;
	size_t elsewhere = 0, i;
	bool stripped;

	if (usdt_file_open(&file, path) != 0)
		return true;
	stripped = file.stripped;
	if (stripped)
		warning("%s has no notes about its events, probably because they were stripped; "
			"strip it with --keep-section=.note.stapsdt "
			"--keep-section=.note.user_events",
			path);
	if (file.perf_misses_probes || file.perf_misses_counters)
		warning("do not trace the USDT probes of %s with perf, which would overwrite other "
			"code or data of the program; compile it with a newer user_events.h, or "
			"link it with -Wl%s%s",
			path, file.perf_misses_counters ? ",--no-gc-sections" : "",
			file.perf_misses_probes ? ",-z,separate-loadable-segments" : "");
	for (i = 0; i < file.n; i++)
		elsewhere += file.probes[i].counted_elsewhere;
	if (elsewhere)
		warning("uprobes do not see %zu of the %zu USDT probes of %s in processes that "
			"start after the tracer; compile it with a newer user_events.h, or "
			"link it with -Wl,-z,separate-loadable-segments",
			elsewhere, file.n, path);
	usdt_file_free(&file);
	return !stripped;
}
