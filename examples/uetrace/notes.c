/* SPDX-License-Identifier: MIT */
/*
 * What a binary declares: the ELF notes that UE_TRACE, UE_TRACEPOINT, UE_EVENT_SET and TRACE_EVENT
 * leave in it (docs/reference.md has their format), and the libraries that it needs.
 */
#include "binary.h"
#include "notes.h"
#include "texts.h"

#include <elf.h>
#include <errno.h>
#include <glob.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include <user_events.h>
#include "../../include/kernel/ue_trace_event/spec.h"

#define LIBRARIES_MAX 1024
#define SITES_MAX 65536 /* of a binary */
#define SPECS_MAX 32768 /* what the kernel takes, by default */
#define TEXT_MOST 512	/* bytes of names in a descriptor; registering an event takes 511 */

/* The fields of a class of events. */
struct class
{
	const char *name;
	struct bytes fields;
};

/* Notes to specs. */

struct declared {
	struct binary *binary;
	char spec[512];
	size_t fields;
	struct note_field field[NOTE_FIELDS_MAX];
	bool big, wide;
	size_t sites;
	void *classes;	     /* of tsearch() */
	char ***specs;	     /* may be NULL, */
	void *known;	     /* of tsearch(): these */
	struct notes *notes; /* and this */
};

static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void keep_known(void *spec)
{
	(void)spec;
}

static void add_spec(struct declared *d)
{
	if (!d->specs || tfind(d->spec, &d->known, by_text) || list_length(*d->specs) == SPECS_MAX)
		return;
	if (!tsearch(add(d->specs, d->spec), &d->known, by_text))
		die("out of memory");
}

struct note_type note_type(uint32_t type)
{
	uint32_t kind = UE__KIND_OF(type);

	return (struct note_type){
		.unit = (uint8_t)(1u << UE__LOG2_OF(type)),
		.kind = (uint8_t)kind,
		.format = (uint8_t)UE__FORMAT_OF(type),
		.value = !(type & UE__T_DATA),
		.zstring = UE__IS_ZSTRING(type),
		.counted = kind >= UE__KIND_STRING8 || type & UE__T_VARRAY,
	};
}

/* Tells whether a field can have this type. */
static bool type_is_good(uint32_t type)
{
	uint32_t kind = UE__KIND_OF(type);
	bool data = kind > UE__KIND_VALUE64 || type & (UE__T_POINTER | UE__T_CARRAY | UE__T_VARRAY);

	return kind >= UE__KIND_VALUE8 && kind <= UE__KIND_BINARY &&
	       data == ((type & UE__T_DATA) != 0) &&
	       (kind != UE__KIND_VALUE128 || type & UE__T_POINTER);
}

/* Doubles the room of an array at each power of two; NULL: it is full. */
static void *grow(void **array, size_t *n, size_t size)
{
	char *p;

	if (*n == SPECS_MAX)
		return NULL;
	if (!(*n & (*n - 1))) {
		*array = realloc(*array, (*n ? 2 * *n : 1) * size);
		if (!*array)
			die("out of memory");
	}
	p = (char *)*array + (*n)++ * size;
	return memset(p, 0, size);
}
#define GROW(array, n) grow((void **)&(array), &(n), sizeof(*(array)))

static void keep_event(struct declared *d, const char *name, uint64_t pc, bool record)
{
	struct note_event *event = d->notes ? GROW(d->notes->events, d->notes->n_events) : NULL;
	size_t i;

	add_spec(d);
	if (!record)
		meanings_keep(name, d->field, d->fields);
	if (!event)
		return;
	event->name = text("%s", name);
	event->spec = text("%s", d->spec);
	event->pc = pc;
	event->record = record;
	event->n = record ? 0 : d->fields;
	event->fields = allocate(event->n * sizeof(*event->fields));
	for (i = 0; i < event->n; i++) {
		event->fields[i] = d->field[i];
		event->fields[i].name = text("%s", d->field[i].name);
	}
}

/* Takes the next of the names in "name;field;field;". Returns NULL if it is none. */
static char *take_name(char **names)
{
	char *name = *names, *end = strchr(name, ';');

	if (!end)
		return NULL;
	*end = '\0';
	*names = end + 1;
	return is_identifier(name) ? name : NULL;
}

/* Reads a kernel-typed event: TYPES types, of which 0 is no field; a 0; the names. */
static void kernel_site(struct declared *d, uint64_t pc, size_t types, struct bytes b)
{
	struct ue__text t = ue__text_in(d->spec, sizeof(d->spec));
	struct bytes behind = { b.p + 4 * (types + 1), b.left - 4 * (types + 1), b.big, false };
	char *names = text("%s", take_string(&behind)), *rest = names;
	const char *name = take_name(&rest);
	bool good = !behind.bad && name;

	ue__put(&t, good ? name : "");
	for (d->fields = 0; good && types; types--) {
		struct note_field field = { .type = (uint32_t)take(&b, 4) };

		if (!field.type)
			continue;
		field.name = take_name(&rest);
		good = field.name && type_is_good(field.type) && UE__IS_CARRIED(field.type);
		if (!good)
			break;
		ue__put(&t, d->fields ? "; " : " ");
		ue__put_type(&t, field.type);
		ue__put(&t, " ");
		ue__put(&t, field.name);
		d->field[d->fields++] = field;
	}
	if (good && !*rest && !take(&b, 4) && t.length < sizeof(d->spec))
		keep_event(d, name, pc, false);
	free(names);
}

/* Keeps a site of UE_LOG, whose header and metadata are at ADDRESS. */
static void log_site(struct declared *d, uint64_t pc, uint64_t address, size_t size, size_t types,
		     struct bytes b)
{
	struct note_site *site;
	uint8_t *meta;
	size_t i;

	if (!d->notes || !pc || !size)
		return;
	meta = allocate(size);
	site = binary_copy(d->binary, address, meta, size) == size
		       ? GROW(d->notes->sites, d->notes->n_sites)
		       : NULL;
	if (!site) {
		free(meta);
		return;
	}
	*site = (struct note_site){ .pc = pc, .size = size, .meta = meta };
	for (i = 0; i < types; i++) {
		site->types[i] = (uint32_t)take(&b, 4);
		if (!type_is_good(site->types[i]) && (i || *site->types != UE__T_ACTIVITY))
			site->types[i] = 0; /* the end */
	}
}

static void set_site(struct declared *d, uint64_t word, unsigned int level, struct bytes b)
{
	uint64_t keyword = take(&b, 8);
	const char *provider = take_string(&b);
	const char *group = take_string(&b);
	struct note_set *set;

	if (b.bad || ue__set_spec(d->spec, provider, level, keyword, group) != 0)
		return;
	add_spec(d);
	set = d->notes ? GROW(d->notes->sets, d->notes->n_sets) : NULL;
	if (!set)
		return;
	set->spec = text("%s", d->spec);
	set->word = word;
}

/* Reads a site's note: the addresses of nop, descriptor, event. */
static void note_site(struct declared *d, struct bytes note)
{
	uint8_t bytes[sizeof(struct ue__desc) + 4 * (NOTE_FIELDS_MAX + 1) + TEXT_MOST];
	size_t word = d->wide ? 8 : 4, types, meta;
	uint64_t pc = take(&note, word), address = take(&note, word), event = take(&note, word);
	struct bytes b = { bytes, 0, d->big, false };
	unsigned int variant, level;

	if (note.bad || !address || d->sites == SITES_MAX)
		return;
	d->sites++;
	b.left = binary_copy(d->binary, address, bytes, sizeof(bytes));
	variant = (unsigned int)take(&b, 1);
	level = (unsigned int)take(&b, 1);
	types = take(&b, 2);
	take(&b, 4); /* what packing needs */
	meta = take(&b, 2);
	take(&b, 2);
	if (b.bad)
		return;
	if (variant == UE__DESC_SET)
		set_site(d, event, level, b);
	else if (types > NOTE_FIELDS_MAX || b.left < 4 * (types + 1))
		return;
	else if (variant == UE__DESC_KERNEL)
		kernel_site(d, pc, types, b);
	else if (variant == UE__DESC_LOG)
		log_site(d, pc, address + sizeof(struct ue__desc) + 4 * (types + 1), meta, types,
			 b);
}

/* An event of a class: the record's fields make its spec, by the library's own function. */
static void class_event(struct declared *d, const char *name, struct bytes class)
{
	struct ue__field fields[200];
	size_t n = 0;

	memset(fields, 0, sizeof(fields));
	while (class.left && n < ARRAY_SIZE(fields) - 1) {
		struct ue__field *f = &fields[n++];

		f->kind = (enum ue__field_kind)take(&class, 1);
		f->letter = (char)take(&class, 1);
		f->offset = take(&class, 4);
		f->size = take(&class, 4);
		f->element = take(&class, 4);
		f->name = take_string(&class);
		f->type = take_string(&class);
		if (class.bad || (unsigned int)f->kind > UE__FIELD_LOC ||
		    !strchr("uscb", f->letter) || !is_identifier(f->name))
			return;
		if (f->kind == UE__FIELD_LOC && strcmp(f->type, "__data_loc") != 0 &&
		    strcmp(f->type, "__rel_loc") != 0)
			return;
	}
	if (!class.left && ue__fields_spec(d->spec, name, fields) == 0)
		keep_event(d, name, 0, true);
}

static int by_class(const void *a, const void *b)
{
	return strcmp(((const struct class *)a)->name, ((const struct class *)b)->name);
}

/* Reads a note that names an event's class; the compiler keeps no order among the notes. */
static void note_class_event(struct declared *d, struct bytes b)
{
	const char *name = take_string(&b);
	struct class key = { .name = take_string(&b) }, **class;

	if (b.bad || !is_identifier(name))
		return;
	class = tfind(&key, &d->classes, by_class);
	if (class)
		class_event(d, name, (*class)->fields);
}

static struct bytes desc_of(const struct declared *d, const struct note *note)
{
	return (struct bytes){ note->desc, note->size, d->big, false };
}

static bool on_class(void *context, const struct note *note)
{
	struct declared *d = context;
	struct bytes desc = desc_of(d, note);
	struct class *class, **known;

	if (note->type != UE__NOTE_CLASS)
		return true;
	class = allocate(sizeof(*class));
	class->name = take_string(&desc);
	class->fields = desc;
	known = tsearch(class, &d->classes, by_class);
	if (!known)
		die("out of memory");
	if (*known != class)
		free(class);
	return true;
}

static bool on_note(void *context, const struct note *note)
{
	struct declared *d = context;

	if (note->type == UE__NOTE_SITE)
		note_site(d, desc_of(d, note));
	else if (note->type == UE__NOTE_CLASS_EVENT)
		note_class_event(d, desc_of(d, note));
	texts_note(d->binary, note);
	return true;
}

static void read_notes(struct binary *b, struct declared *d)
{
	uint64_t left = b->left;

	d->binary = b;
	d->big = binary_big(b);
	d->wide = binary_wide(b);
	binary_notes(b, NOTE_OWNER, on_class, d);
	b->left = left; /* the same again */
	binary_notes(b, NOTE_OWNER, on_note, d);
	tdestroy(d->classes, free);
}

void notes_collect(struct binary *b, struct notes *notes)
{
	struct declared d = { .notes = notes };

	read_notes(b, &d);
}

void notes_free(struct notes *notes)
{
	size_t i, j;

	for (i = 0; i < notes->n_events; i++) {
		for (j = 0; j < notes->events[i].n; j++)
			free(notes->events[i].fields[j].name);
		free(notes->events[i].fields);
		free(notes->events[i].name);
		free(notes->events[i].spec);
	}
	for (i = 0; i < notes->n_sets; i++)
		free(notes->sets[i].spec);
	for (i = 0; i < notes->n_sites; i++)
		free(notes->sites[i].meta);
	free(notes->events);
	free(notes->sets);
	free(notes->sites);
	memset(notes, 0, sizeof(*notes));
}

/* Libraries: the directories that the loader looks into, in its order. */

/* The program, or a library. They are a list, which grows by what its libraries need themselves. */
struct object {
	struct object *next;
	const struct object *needed_by; /* the first one; NULL: the program */
	char *path;
	char **rpath; /* counts for what its libraries need, too */
};

static char **search_path;

static void search_add(char ***path, const char *directories, const char *origin)
{
	char *copy = text("%s", directories), *rest = copy, *one;

	while ((one = strsep(&rest, ":"))) {
		char *at = strstr(one, "$ORIGIN"), *end;

		end = at ? at + strlen("$ORIGIN") : NULL;
		if (!at && (at = strstr(one, "${ORIGIN}")))
			end = at + strlen("${ORIGIN}");
		if (at) {
			char *whole = text("%.*s%s%s", (int)(at - one), one, origin, end);

			add(path, whole);
			free(whole);
		} else if (*one) {
			add(path, one);
		}
	}
	free(copy);
}

static void search_conf(const char *path, unsigned int depth)
{
	FILE *file = depth < 8 ? fopen(path, "re") : NULL;
	char *line = NULL;
	size_t room = 0, i;
	glob_t found;

	while (file && getline(&line, &room, file) > 0) {
		char *word, *pattern;

		line[strcspn(line, "#\n")] = '\0';
		word = line + strspn(line, " \t");
		if (strncmp(word, "include", 7) == 0 && strchr(" \t", word[7])) {
			word += 7 + strspn(word + 7, " \t");
			/* relative to the directory that this file is in */
			pattern = text("%.*s%s",
				       *word == '/' ? 0 : (int)(strrchr(path, '/') + 1 - path),
				       path, word);
			if (glob(pattern, 0, NULL, &found) == 0) {
				for (i = 0; i < found.gl_pathc; i++)
					search_conf(found.gl_pathv[i], depth + 1);
				globfree(&found);
			}
			free(pattern);
		} else if (*word == '/') {
			search_add(&search_path, word, "");
		}
	}
	free(line);
	if (file)
		fclose(file);
}

/* Tells whether the library is for this machine; like the loader, the search skips others. */
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

static char *find_library(const char *name, const GElf_Ehdr *like)
{
	char **directory;
	char *path;

	if (strchr(name, '/'))
		return text("%s", name);
	for (directory = search_path; directory && *directory; directory++) {
		path = text("%s/%s", *directory, name);
		if (fits(path, like))
			return path;
		free(path);
	}
	return NULL;
}

static char *directory_of(const char *path)
{
	char *whole = realpath(path, NULL);
	char *slash = whole ? strrchr(whole, '/') : NULL;

	if (slash)
		*slash = '\0';
	return whole ? whole : text(".");
}

/* Appends it to the list, unless the list has it. */
static void object_add(struct object *program, const struct object *needed_by, const char *path)
{
	struct object *last = program;
	size_t n = 0;

	while (last->next) {
		last = last->next;
		if (strcmp(last->path, path) == 0 || ++n == LIBRARIES_MAX)
			return;
	}
	last->next = allocate(sizeof(*last));
	last->next->needed_by = needed_by;
	last->next->path = text("%s", path);
}

/* A dynamic section. */
struct dynamic {
	struct binary *b;
	Elf_Data *table;
	size_t names; /* section of the strings that it points to */
};

/* Returns the next string of this tag from *i on, and moves *i behind it; NULL: there is none. */
static const char *dynamic_string(const struct dynamic *d, int64_t tag, int *i)
{
	GElf_Dyn entry;

	while (gelf_getdyn(d->table, (*i)++, &entry) && entry.d_tag != DT_NULL) {
		const char *string = entry.d_tag == tag
					     ? elf_strptr(d->b->elf, d->names, entry.d_un.d_val)
					     : NULL;

		if (string)
			return string;
	}
	return NULL;
}

/* An RPATH counts for what the libraries need, too; a RUNPATH takes the place of all RPATHs. */
static void search_path_of(struct object *object, const struct dynamic *d)
{
	static const char system[] = "/lib64:/usr/lib64:/lib:/usr/lib";
	char *origin = directory_of(object->path);
	int i = 0, j = 0;
	const char *runpath = dynamic_string(d, DT_RUNPATH, &i);
	const char *rpath = dynamic_string(d, DT_RPATH, &j);
	const struct object *o;
	char **p;

	list_free(search_path);
	search_path = NULL;
	if (!runpath && rpath)
		search_add(&object->rpath, rpath, origin);
	for (o = object; o && !runpath; o = o->needed_by) {
		for (p = o->rpath; p && *p; p++)
			add(&search_path, *p);
	}
	if (getenv("LD_LIBRARY_PATH"))
		search_add(&search_path, getenv("LD_LIBRARY_PATH"), origin);
	if (runpath)
		search_add(&search_path, runpath, origin);
	search_conf("/etc/ld.so.conf", 0);
	search_add(&search_path, system, "");
	free(origin);
}

/* Adds the libraries that a binary's dynamic section names. */
static void needed(struct binary *b, struct object *program, struct object *object)
{
	GElf_Shdr header;
	Elf_Scn *section = binary_find(b, NULL, SHT_DYNAMIC, &header);
	struct dynamic d = { .b = b };
	const char *name;
	int i = 0;

	d.table = section ? binary_section(b, section, &header) : NULL;
	if (!d.table)
		return;
	d.names = header.sh_link;
	search_path_of(object, &d);
	while ((name = dynamic_string(&d, DT_NEEDED, &i))) {
		char *library = find_library(name, &b->header);

		if (library)
			object_add(program, object, library);
		free(library);
	}
}

/* With a program, adds what this object needs to the program's list. */
static int read_one(struct object *object, char ***specs, struct object *program)
{
	struct declared declared = { .specs = specs };
	struct binary b;
	int error = binary_open(&b, object->path);
	char **known;

	if (error)
		return error;
	for (known = specs ? *specs : NULL; known && *known; known++)
		tsearch(*known, &declared.known, by_text);
	if (specs)
		read_notes(&b, &declared);
	tdestroy(declared.known, keep_known);
	if (program)
		needed(&b, program, object);
	binary_close(&b);
	return 0;
}

/* Both lists may be NULL. */
static int read_objects(const char *path, bool libraries, char ***specs, char ***files)
{
	struct object *program = allocate(sizeof(*program)), *object, *next;
	int error;

	program->path = text("%s", path);
	error = read_one(program, specs, libraries ? program : NULL);
	for (object = program->next; object; object = object->next)
		read_one(object, specs, program);
	for (object = program; object; object = next) {
		next = object->next;
		if (files && !error)
			add(files, object->path);
		list_free(object->rpath);
		free(object->path);
		free(object);
	}
	return error;
}

int notes_read(const char *path, bool libraries, char ***specs)
{
	return read_objects(path, libraries, specs, NULL);
}

int notes_files(const char *path, char ***files)
{
	return read_objects(path, true, NULL, files);
}
