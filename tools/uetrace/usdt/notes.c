/* SPDX-License-Identifier: MIT */
/*
 * The USDT probes of a file: the notes of <sys/sdt.h> in .note.stapsdt. Each has three addresses,
 * of the nop, of the section .stapsdt.base as it was when the note was written, and of the
 * semaphore or 0; then provider, name and arguments, each ended by NUL.
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
#define PROBE_TEXT_MAX 1024 /* of provider, name, arguments */

struct reading {
	struct binary *b;
	struct usdt_file *file;
	uint64_t base; /* address of .stapsdt.base, 0: there is none */
};

/*
 * "name+4(%rip)", if the file knows the name, to what the kernel adds to where it takes the file's
 * first byte to be: so far before the nop as the nop is behind it in the file.
 */
static void find_symbols(struct binary *b, struct usdt_probe *probe)
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

/* The kernel increments a counter in a page of the file that the program may write to. */
static bool place(const struct binary *b, struct usdt_probe *probe)
{
	if (!binary_offset(b, probe->pc, 1, PF_X, &probe->offset))
		return false;
	return !probe->semaphore || (binary_offset(b, probe->semaphore, 2, PF_W, &probe->counter) &&
				     probe->counter % 2 == 0);
}

/* Linkers leave copies of a note side by side, if at all. */
static bool is_known(const struct usdt_file *file, uint64_t pc, const char *provider,
		     const char *name)
{
	const struct usdt_probe *last = file->n ? &file->probes[file->n - 1] : NULL;

	return last && last->pc == pc && strcmp(last->name, name) == 0 &&
	       strcmp(last->provider, provider) == 0;
}

static bool on_note(void *context, const struct note *note)
{
	struct reading *r = context;
	struct usdt_file *file = r->file;
	struct bytes b = note->desc;
	size_t word = binary_wide(r->b) ? 8 : 4;
	struct usdt_probe probe = { .pc = take(&b, word) };
	uint64_t base = take(&b, word);
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
	if (base && r->base) {
		/* prelink moves sections, and does not know of notes */
		probe.pc += r->base - base;
		probe.semaphore += probe.semaphore ? r->base - base : 0;
	}
	if (!place(r->b, &probe) || is_known(file, probe.pc, provider, name))
		return true;
	probe.provider = text("%s", provider);
	probe.name = text("%s", name);
	probe.n = usdt_parse_args(r->b->header.e_machine, args, probe.args);
	find_symbols(r->b, &probe);
	if (!(file->n & (file->n - 1)))
		file->probes = doubled(file->probes, file->n, sizeof(*file->probes));
	file->probes[file->n++] = probe;
	return file->n < PROBES_MAX;
}

/* The probes of a TRACE_EVENT are found by its name, others by the nop. */
static int by_place(const void *a, const void *b)
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
	struct reading r = { .file = file };
	GElf_Shdr base;
	struct binary b;
	int error = binary_open_fd(&b, fd);

	memset(file, 0, sizeof(*file));
	if (error)
		return error;
	file->big = binary_big(&b);
	r.b = &b;
	if (binary_find(&b, ".stapsdt.base", 0, &base))
		r.base = base.sh_addr;
	binary_notes(&b, OWNER, on_note, &r);
	notes_collect(&b, &file->notes);
	if (file->notes.n)
		qsort(file->notes.events, file->notes.n, sizeof(*file->notes.events), by_place);
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
		       ? bsearch(&key, notes->events, notes->n, sizeof(key), by_place)
		       : NULL;
}

/* The last arguments of a TRACE_EVENT's probe are record and size. */
const struct note_event *usdt_event_of(const struct usdt_file *file, const struct usdt_probe *probe)
{
	const struct note_event *event = find(file, NOTE_EVENT, probe->pc, NULL);

	if (event || probe->n < 2 || strcmp(probe->provider, "user_events") != 0)
		return event;
	return find(file, NOTE_RECORD, 0, probe->name);
}

const struct note_event *usdt_site_of(const struct usdt_file *file, const struct usdt_probe *probe)
{
	return find(file, NOTE_LOG, probe->pc, NULL);
}

/* The semaphore is the upper half of the set's enable word. */
const struct note_event *usdt_set_of(const struct usdt_file *file, const struct usdt_probe *probe)
{
	return find(file, NOTE_SET, probe->semaphore - (file->big ? 0 : 2), NULL);
}
