/* SPDX-License-Identifier: MIT */
/*
 * Reads the events that a binary declares from the ELF notes of UE_TRACE, UE_TRACEPOINT,
 * UE_EVENT_SET and TRACE_EVENT, and finds the libraries that the binary needs. docs/reference.md
 * describes the note format.
 */
#include "binary/binary.h"
#include "util/util.h"

#include <elf.h>
#include <glob.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <user_events.h>
#include "../../../include/kernel/ue_trace_event/spec.h"

#define LIBRARIES_MAX 1024
#define TRIED_MAX 300000 /* maximum number of paths tried for all libraries; they take about 2 s */
#define RPATH_MOST 16384 /* maximum length of an RPATH in bytes */
#define NOTES_MAX 65536	 /* maximum number of notes read from a binary */
#define CLASSES_MAX 65536
#define NOTES_BYTES (16u << 20) /* maximum memory for a binary's events, in bytes */
#define SPECS_MAX 32768		/* number of events that the kernel allows by default */
#define SPEC_MOST 511		/* maximum length in bytes of a spec that the kernel accepts */

/* Fields of an event class, which several events can share. */
struct record_class {
	const char *name; /* must be first, for compare_strings() */
	struct bytes fields;
};

/* Notes */

struct declared {
	struct binary *binary;
	size_t read;   /* number of notes read so far */
	void *classes; /* tsearch() tree of struct record_class */
	size_t classes_n;
	struct notes *notes;
};

/* Returns true if the type is a valid field type. */
static bool type_is_good(uint32_t type)
{
	uint32_t kind = UE__F_KIND_OF(type);
	bool data = kind > UE__F_KIND(VALUE64) ||
		    type & (UE__F_T_POINTER | UE__F_T_CARRAY | UE__F_T_VARRAY);

	return kind >= UE__F_KIND(VALUE8) && kind <= UE__F_KIND(BINARY) &&
	       data == ((type & UE__F_T_DATA) != 0) &&
	       (kind != UE__F_KIND(VALUE128) || type & UE__F_T_POINTER);
}

static void free_event(struct note_event *event)
{
	free(event->name);
	free(event->spec);
	free(event->fields);
	free(event->meta);
}

static void keep_event(struct notes *notes, const struct note_event *event)
{
	if (!(notes->n & (notes->n - 1)))
		notes->events = doubled(notes->events, notes->n, sizeof(*event));
	notes->events[notes->n++] = *event;
	notes->bytes += sizeof(*event) + event->size + event->n * sizeof(*event->fields) +
			(event->name ? strlen(event->name) : 0) +
			(event->spec ? strlen(event->spec) : 0);
	if (event->kind == NOTE_EVENT)
		types_keep(event->name, event->fields, event->n);
}

/*
 * Removes and returns the first name of a list such as "name;field;field;". Returns NULL if the
 * name is not an identifier.
 */
static char *take_name(char **names)
{
	char *name = *names, *end = strchr(name, ';');

	if (!end)
		return NULL;
	*end = '\0';
	*names = end + 1;
	return is_identifier(name) ? name : NULL;
}

/*
 * Reads an array of field types and the 0 after it. types is the array size. Ignores zeros within
 * the array.
 */
static bool take_types(struct note_event *event, size_t types, struct bytes *b)
{
	size_t i;

	event->fields = allocate((types + 1) * sizeof(*event->fields));
	for (i = 0; i < types; i++) {
		uint32_t type = (uint32_t)take(b, 4);

		if (!type || (!i && type == UE__F_T_ACTIVITY))
			continue;
		if (!type_is_good(type))
			return false;
		event->fields[event->n++].type = type;
	}
	return !take(b, 4) && !b->bad;
}

static bool kernel_site(struct note_event *event, struct bytes b)
{
	char spec[SPEC_MOST + 1], *rest = event->name = text("%s", take_string(&b));
	struct ue__i_text t = ue__i_text_in(spec, sizeof(spec));
	size_t i;

	if (b.bad || !take_name(&rest))
		return false;
	ue__i_put(&t, event->name);
	for (i = 0; i < event->n; i++) {
		struct note_field *field = &event->fields[i];

		field->name = take_name(&rest);
		if (!field->name || !UE__I_IS_CARRIED(field->type))
			return false;
		ue__i_put(&t, i ? "; " : " ");
		ue__i_put_type(&t, field->type);
		ue__i_put(&t, " ");
		ue__i_put(&t, field->name);
	}
	event->spec = text("%s", spec);
	return !*rest && t.length < sizeof(spec);
}

/* Reads a UE_LOG site whose EventHeader header and metadata are at the given address. */
static bool log_site(struct binary *b, struct note_event *event, uint64_t address, size_t size)
{
	event->kind = NOTE_LOG;
	event->size = size;
	event->meta = allocate(size);
	return event->address && size && binary_copy(b, address, event->meta, size) == size;
}

static bool set_site(struct note_event *event, uint64_t word, unsigned int level, struct bytes b)
{
	char spec[SPEC_MOST + 1];
	uint64_t keyword = take(&b, 8);
	const char *provider = take_string(&b);
	const char *group = take_string(&b);

	if (b.bad || ue__i_set_spec(spec, provider, level, keyword, group) != 0)
		return false;
	event->kind = NOTE_SET;
	event->address = word;
	event->spec = text("%s", spec);
	return true;
}

/*
 * Reads the note of a site. It contains the addresses of the site's nop, descriptor and enable
 * word.
 */
static void note_site(struct declared *d, struct bytes note)
{
	uint8_t bytes[sizeof(struct ue__f_desc) + 4 * (NOTE_FIELDS_MAX + 1) + SPEC_MOST + 1];
	size_t word = binary_wide(d->binary) ? 8 : 4, types, meta;
	struct note_event event = { .address = take(&note, word) };
	uint64_t address = take(&note, word), enable = take(&note, word);
	struct bytes b = { bytes, 0, note.big, false };
	unsigned int variant, level;
	bool good = false;

	if (note.bad || !address)
		return;
	b.left = binary_copy(d->binary, address, bytes, sizeof(bytes));
	variant = (unsigned int)take(&b, 1);
	level = (unsigned int)take(&b, 1);
	types = take(&b, 2);
	take(&b, 4); /* skip the size that the program uses for packing */
	meta = take(&b, 2);
	take(&b, 2);
	if (variant == UE__F_DESC_SET)
		good = set_site(&event, enable, level, b);
	else if (types > NOTE_FIELDS_MAX || !take_types(&event, types, &b))
		good = false;
	else if (variant == UE__F_DESC_KERNEL)
		good = kernel_site(&event, b);
	else if (variant == UE__F_DESC_LOG)
		good = log_site(d->binary, &event, address + (size_t)(b.p - bytes), meta);
	if (good)
		keep_event(d->notes, &event);
	else
		free_event(&event);
}

/* Adds an event whose fields are those of its class, using ue__fields_spec() to build the spec. */
static void class_event(struct notes *notes, const char *name, struct bytes class)
{
	char spec[SPEC_MOST + 1];
	struct ue__spec_field fields[200];
	size_t n = 0;

	memset(fields, 0, sizeof(fields));
	while (class.left && n < ARRAY_SIZE(fields) - 1) {
		struct ue__spec_field *f = &fields[n++];

		f->kind = (enum ue__spec_kind)take(&class, 1);
		f->letter = (char)take(&class, 1);
		f->offset = take(&class, 4);
		f->size = take(&class, 4);
		f->element = take(&class, 4);
		f->name = take_string(&class);
		f->type = take_string(&class);
		if (class.bad || (unsigned int)f->kind > UE__SPEC_LOC ||
		    !strchr("uscb", f->letter) || !is_identifier(f->name))
			return;
		if (f->kind == UE__SPEC_LOC && strcmp(f->type, "__data_loc") != 0 &&
		    strcmp(f->type, "__rel_loc") != 0)
			return;
	}
	if (!class.left && ue__fields_spec(spec, name, fields) == 0)
		keep_event(notes, &(struct note_event){ .kind = NOTE_RECORD,
							.name = text("%s", name),
							.spec = text("%s", spec) });
}

/*
 * Reads the note of an event that belongs to a class. An earlier pass has already read all classes,
 * because the compiler may reorder notes.
 */
static void note_class_event(struct declared *d, struct bytes b)
{
	const char *name = take_string(&b);
	struct record_class key = { .name = take_string(&b) }, **class;

	if (b.bad || !is_identifier(name))
		return;
	class = tfind(&key, &d->classes, compare_strings);
	if (class)
		class_event(d->notes, name, (*class)->fields);
}

static bool on_class(void *context, const struct note *note)
{
	struct declared *d = context;
	struct bytes desc = note->desc;
	struct record_class *class, **known;

	if (note->type != UE__F_NOTE_CLASS)
		return true;
	if (d->classes_n == CLASSES_MAX)
		return false;
	class = allocate(sizeof(*class));
	class->name = take_string(&desc);
	class->fields = desc;
	known = tsearch(class, &d->classes, compare_strings);
	if (!known)
		die("out of memory");
	if (*known != class)
		free(class);
	else
		d->classes_n++;
	return true;
}

static bool on_note(void *context, const struct note *note)
{
	struct declared *d = context;

	if (note->type == UE__F_NOTE_SITE)
		note_site(d, note->desc);
	else if (note->type == UE__F_NOTE_CLASS_EVENT)
		note_class_event(d, note->desc);
	return ++d->read < NOTES_MAX && d->notes->bytes < NOTES_BYTES;
}

void notes_collect(struct binary *b, struct notes *notes)
{
	struct declared d = { .binary = b, .notes = notes };
	uint64_t left = b->left;

	binary_notes(b, NOTE_OWNER, on_class, &d);
	b->left = left; /* libelf has cached the sections, so the second pass reads nothing */
	binary_notes(b, NOTE_OWNER, on_note, &d);
	tdestroy(d.classes, free);
}

void notes_free(struct notes *notes)
{
	size_t i;

	for (i = 0; i < notes->n; i++)
		free_event(&notes->events[i]);
	free(notes->events);
	*notes = (struct notes){ .n = 0 };
}

/* Libraries, in the search order of the loader */

/* Writes the directories listed in an ld.so.conf file and its includes, each after a colon. */
static void search_conf(FILE *out, const char *path, unsigned int depth)
{
	FILE *file = depth < 8 ? fopen(path, "re") : NULL;
	char *line = NULL, *word, *pattern;
	size_t room = 0, i;
	glob_t found;

	while (file && getline(&line, &room, file) > 0) {
		line[strcspn(line, "#\n")] = '\0';
		word = line + strspn(line, " \t");
		if (*word == '/')
			fprintf(out, ":%s", word);
		if (sscanf(line, " include %ms", &word) != 1)
			continue;
		/* patterns are relative to the directory of the configuration file */
		pattern = text("%.*s%s", *word == '/' ? 0 : (int)(strrchr(path, '/') + 1 - path),
			       path, word);
		if (glob(pattern, 0, NULL, &found) == 0) {
			for (i = 0; i < found.gl_pathc; i++)
				search_conf(out, found.gl_pathv[i], depth + 1);
			globfree(&found);
		}
		free(pattern);
		free(word);
	}
	free(line);
	if (file)
		fclose(file);
}

static const char *system_path(void)
{
	static char *path;
	size_t size;
	FILE *out;

	if (path)
		return path;
	out = open_memstream(&path, &size);
	if (!out)
		die("out of memory");
	search_conf(out, "/etc/ld.so.conf", 0);
	fputs(":/lib64:/usr/lib64:/lib:/usr/lib", out);
	fclose(out);
	return path;
}

/*
 * Returns true if the library is for the same kind of machine. Like the loader, the search skips
 * all other libraries.
 */
static bool fits(const char *path, const GElf_Ehdr *like)
{
	struct binary b;
	bool fit;

	if (binary_open(&b, path) != 0)
		return false;
	fit = b.header.e_machine == like->e_machine &&
	      b.header.e_ident[EI_CLASS] == like->e_ident[EI_CLASS] &&
	      b.header.e_ident[EI_DATA] == like->e_ident[EI_DATA];
	binary_close(&b);
	return fit;
}

static char *find_library(const char *name, const char *directories, const GElf_Ehdr *like)
{
	char *copy = text("%s", directories), *rest = copy, *one, *path = NULL;
	static unsigned int tried;

	if (strchr(name, '/'))
		path = text("%s", name);
	while (!path && (one = strsep(&rest, ":")) && tried++ < TRIED_MAX) {
		path = text("%s/%s", one, name);
		if (*one && fits(path, like))
			break;
		free(path);
		path = NULL;
	}
	free(copy);
	return path;
}

static char *directory_of(const char *path)
{
	char *whole = realpath(path, NULL);
	char *slash = whole ? strrchr(whole, '/') : NULL;

	if (slash)
		*slash = '\0';
	return whole ? whole : text(".");
}

/* Returns the path with $ORIGIN replaced. Frees the original path. */
static char *expanded(char *path, const char *origin)
{
	char *rest = path, *at, *result;
	size_t size, n;
	FILE *out = open_memstream(&result, &size);

	if (!out)
		die("out of memory");
	for (; (at = strchr(rest, '$')); rest = at + n) {
		n = 1;
		if (strncmp(at, "$ORIGIN", 7) == 0)
			n = 7;
		if (strncmp(at, "${ORIGIN}", 9) == 0)
			n = 9;
		fprintf(out, "%.*s%s", (int)(at - rest), rest, n > 1 ? origin : "$");
	}
	fputs(rest, out);
	fclose(out);
	free(path);
	return result;
}

/* Dynamic section of a binary. */
struct dynamic {
	Elf_Data *table;
	Elf_Data *names; /* string table of the section */
};

/*
 * Returns the string of the next entry with this tag, starting at entry *i, and sets *i to the
 * entry after it. Returns NULL if there is no such entry.
 */
static const char *dynamic_string(const struct dynamic *d, int64_t tag, int *i)
{
	GElf_Dyn entry;

	while (gelf_getdyn(d->table, (*i)++, &entry) && entry.d_tag != DT_NULL) {
		const char *string = entry.d_tag == tag ? binary_string(d->names, entry.d_un.d_val)
							: NULL;

		if (string)
			return string;
	}
	return NULL;
}

/*
 * Appends the libraries that a binary needs to files. For each library, also appends to rpaths the
 * RPATH for the library's own dependencies: the RPATH of this binary, followed by the inherited
 * RPATHs of the files that need this binary. If this binary has a RUNPATH, its RPATH is ignored,
 * and its libraries are searched without any RPATH.
 */
static void needed(struct binary *b, const char *path, const char *inherited, char ***files,
		   char ***rpaths)
{
	GElf_Shdr header;
	Elf_Scn *section = binary_find(b, NULL, SHT_DYNAMIC, &header);
	Elf_Data *table = section ? binary_section(b, section, &header) : NULL;
	const struct dynamic d = { table, table ? binary_strings(b, header.sh_link) : NULL };
	const char *runpath, *own, *name, *environment = getenv("LD_LIBRARY_PATH");
	char *origin, *rpath, *search, *library;
	int i = 0, j = 0, k = 0;

	if (!table)
		return;
	origin = directory_of(path);
	runpath = dynamic_string(&d, DT_RUNPATH, &i);
	own = runpath ? NULL : dynamic_string(&d, DT_RPATH, &j);
	rpath = expanded(text("%.*s:%.*s", RPATH_MOST, own ? own : "", RPATH_MOST, inherited),
			 origin);
	search = expanded(text("%s:%s:%s%s", runpath ? "" : rpath, environment ? environment : "",
			       runpath ? runpath : "", system_path()),
			  origin);
	while ((name = dynamic_string(&d, DT_NEEDED, &k)) && list_length(*files) < LIBRARIES_MAX) {
		library = find_library(name, search, &b->header);
		if (library && !list_has(*files, library)) {
			add(files, library);
			add(rpaths, rpath);
		}
		free(library);
	}
	free(search);
	free(rpath);
	free(origin);
}

/* Appends all direct and indirect dependencies of the only binary in the list. */
static void add_libraries(char ***files)
{
	char **rpaths = NULL;
	struct binary b;
	size_t i;

	add(&rpaths, "");
	for (i = 0; (*files)[i]; i++) {
		if (binary_open(&b, (*files)[i]) != 0)
			continue;
		needed(&b, (*files)[i], rpaths[i], files, &rpaths);
		binary_close(&b);
	}
	list_free(rpaths);
}

static void keep_known(void *spec)
{
	(void)spec;
}

/* Appends the specs of a binary that are not in *known. */
static int read_specs(const char *path, char ***specs, void **known)
{
	struct notes notes = { .n = 0 };
	struct binary b;
	int error = binary_open(&b, path);
	size_t i;

	if (error)
		return error;
	notes_collect(&b, &notes);
	if (b.exceeded)
		warning("cannot list all events of %s: its notes exceed 24 MiB", path);
	for (i = 0; i < notes.n && list_length(*specs) < SPECS_MAX; i++) {
		const char *spec = notes.events[i].spec;

		if (spec && !tfind(spec, known, compare_text) &&
		    !tsearch(add(specs, spec), known, compare_text))
			die("out of memory");
	}
	notes_free(&notes);
	binary_close(&b);
	return 0;
}

int notes_read(const char *path, char ***specs, char ***files)
{
	char **found = NULL, **p;
	void *known = NULL;
	int error;

	for (p = *specs; p && *p; p++)
		tsearch(*p, &known, compare_text);
	error = read_specs(path, specs, &known);
	if (!error && files) {
		add(&found, path);
		add_libraries(&found);
		for (p = found; *p; p++) {
			if (p > found)
				read_specs(*p, specs, &known);
			texts_read(*p, NULL, 0);
			add(files, *p);
		}
	}
	list_free(found);
	tdestroy(known, keep_known);
	return error;
}
