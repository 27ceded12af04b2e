/* SPDX-License-Identifier: MIT */
/*
 * What a binary declares: the ELF notes that UE_TRACE, UE_TRACEPOINT, UE_EVENT_SET and TRACE_EVENT
 * leave in it (docs/reference.md has their format), and the libraries that it needs.
 *
 * Nothing of the file is run, and nothing in it is believed: every offset and size is
 * checked against the file's before it is used.
 */
#include "uetrace.h"

#include <elf.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <user_events.h>
#include "../../include/kernel/ue_trace_event/record.h"

#define OWNER "user_events"
#define NOTE_EVENT 1
#define NOTE_SET 2
#define NOTE_CLASS 3
#define NOTE_CLASS_EVENT 4
#define SECTION_MAX (64u << 20)
#define LIBRARIES_MAX 1024
#define SPECS_MAX 32768 /* what the kernel takes, by default */

struct elf {
	int fd;
	uint64_t size;
	bool wide; /* 64 bits */
	bool big;  /* endian */
	uint64_t sections;
	uint64_t section_size;
	uint64_t section_count;
	uint16_t machine;
};

struct section {
	uint32_t type;
	uint64_t offset;
	uint64_t size;
	uint32_t link;
};

/* Bytes that are left to read; an access beyond them sets bad. */
struct bytes {
	const uint8_t *p;
	size_t left;
	bool big;
	bool bad;
};

static uint64_t number(const uint8_t *p, size_t size, bool big)
{
	uint64_t value = 0;
	size_t i;

	for (i = 0; i < size; i++)
		value |= (uint64_t)p[i] << 8 * (big ? size - 1 - i : i);
	return value;
}

static uint64_t take(struct bytes *b, size_t size)
{
	uint64_t value;

	if (b->left < size) {
		b->bad = true;
		return 0;
	}
	value = number(b->p, size, b->big);
	b->p += size;
	b->left -= size;
	return value;
}

static const char *take_string(struct bytes *b)
{
	const char *string = (const char *)b->p;
	const uint8_t *nul = b->left ? memchr(b->p, 0, b->left) : NULL;

	if (!nul) {
		b->bad = true;
		return "";
	}
	b->left -= (size_t)(nul + 1 - b->p);
	b->p = nul + 1;
	return string;
}

/* Reads part of the file, all of it or nothing. */
static int elf_read(const struct elf *e, uint64_t offset, void *buffer, size_t size)
{
	size_t done = 0;

	if (offset > e->size || size > e->size - offset)
		return -ENOEXEC;
	while (done < size) {
		ssize_t n =
			pread(e->fd, (char *)buffer + done, size - done, (off_t)(offset + done));

		if (n == 0)
			return -ENOEXEC;
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		done += (size_t)n;
	}
	return 0;
}

#define FIELD(e, p, type, member)                                             \
	((e)->wide ? number((p) + offsetof(Elf64_##type, member),             \
			    sizeof(((Elf64_##type *)NULL)->member), (e)->big) \
		   : number((p) + offsetof(Elf32_##type, member),             \
			    sizeof(((Elf32_##type *)NULL)->member), (e)->big))

static int elf_section(const struct elf *e, uint64_t i, struct section *s)
{
	uint8_t header[sizeof(Elf64_Shdr)];
	uint64_t size = e->wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
	int error;

	error = elf_read(e, e->sections + i * e->section_size, header, size);
	if (error)
		return error;
	s->type = (uint32_t)FIELD(e, header, Shdr, sh_type);
	s->offset = FIELD(e, header, Shdr, sh_offset);
	s->size = FIELD(e, header, Shdr, sh_size);
	s->link = (uint32_t)FIELD(e, header, Shdr, sh_link);
	return 0;
}

static int elf_open(struct elf *e, const char *path)
{
	uint8_t header[sizeof(Elf64_Ehdr)] = { 0 };
	struct section first;
	struct stat st;
	int error = 0;

	e->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (e->fd < 0)
		return -errno;
	if (fstat(e->fd, &st) != 0)
		error = -errno;
	else if (S_ISDIR(st.st_mode))
		error = -EISDIR;
	else if (!S_ISREG(st.st_mode))
		error = -ENOEXEC;
	e->size = error ? 0 : (uint64_t)st.st_size;
	if (!error)
		error = elf_read(e, 0, header, sizeof(Elf32_Ehdr));
	if (!error && memcmp(header, ELFMAG, SELFMAG) != 0)
		error = -ENOEXEC;
	e->wide = header[EI_CLASS] == ELFCLASS64;
	e->big = header[EI_DATA] == ELFDATA2MSB;
	if (!error && e->wide)
		error = elf_read(e, 0, header, sizeof(Elf64_Ehdr));
	e->sections = FIELD(e, header, Ehdr, e_shoff);
	e->section_size = FIELD(e, header, Ehdr, e_shentsize);
	e->section_count = FIELD(e, header, Ehdr, e_shnum);
	e->machine = (uint16_t)FIELD(e, header, Ehdr, e_machine);
	if (!error && e->sections > e->size)
		error = -ENOEXEC;
	if (!error && e->sections && !e->section_count) {
		/* 65280 sections and more: the first one's size tells */
		error = elf_section(e, 0, &first);
		e->section_count = error ? 0 : first.size;
	}
	if (!e->sections)
		e->section_count = 0;
	if (!error && e->section_count &&
	    (e->section_size < (e->wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr)) ||
	     e->section_count > e->size / e->section_size))
		error = -ENOEXEC;
	if (error)
		close(e->fd);
	return error;
}

/* A section's bytes and a NUL, or NULL. */
static uint8_t *elf_load(const struct elf *e, const struct section *s)
{
	uint8_t *data;

	if (s->type == SHT_NOBITS || s->size > SECTION_MAX || s->offset > e->size ||
	    s->size > e->size - s->offset)
		return NULL;
	data = allocate(s->size + 1);
	if (elf_read(e, s->offset, data, s->size) != 0) {
		free(data);
		return NULL;
	}
	return data;
}

/* Notes to specs. An event of over eight fields comes in parts. */

struct declared {
	char spec[2048];
	char name[512];
	size_t fields;
	unsigned int follow;
	char ***specs;
};

static void add_once(char ***list, const char *string)
{
	char **p;

	for (p = *list; p && *p; p++) {
		if (strcmp(*p, string) == 0)
			return;
	}
	if (p - *list < SPECS_MAX)
		add(list, string);
}

static void append(struct declared *d, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static void append(struct declared *d, const char *format, ...)
{
	size_t used = strlen(d->spec);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(d->spec + used, sizeof(d->spec) - used, format, arguments);
	va_end(arguments);
}

/* The kernel's name of a type, from the one table of them. */
static void append_type(struct declared *d, unsigned int code, unsigned int length)
{
	static const struct {
		const char *name;
		uint64_t type;
	} types[] = {
#define ROW(name, kernel, log2, shape, kind, format, ctype, ok) { kernel, UE__T_##name },
		UE__TYPES(ROW)
#undef ROW
	};
	unsigned int row = code & 63;
	unsigned int shape;

	if (row >= ARRAY_SIZE(types) || !*types[row].name) {
		d->spec[0] = '\0';
		return;
	}
	shape = UE__SHAPE_OF(types[row].type);
	if (code & 0x40)
		append(d, "%s[%u]", row == UE__ROW_CHAR ? "char" : "unsigned char", length);
	else if (!(code & 0x80) && (shape == UE__SHAPE_VALUE || shape == UE__SHAPE_POINTER))
		append(d, "%s", types[row].name);
	else
		append(d, "__rel_loc %s[]", types[row].name);
}

static bool is_identifier(const char *s)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
				      "0123456789";

	return *s && !(*s >= '0' && *s <= '9') && !s[strspn(s, letters)];
}

static void note_event(struct declared *d, struct bytes b)
{
	size_t total = take(&b, 1), part = 0;
	unsigned int follow = (unsigned int)take(&b, 1);
	const char *name = take_string(&b);

	if (b.bad || !is_identifier(name) || strlen(name) >= sizeof(d->name)) {
		d->name[0] = '\0';
		return;
	}
	if (d->follow != follow + 1 || strcmp(d->name, name) != 0) {
		snprintf(d->name, sizeof(d->name), "%s", name);
		snprintf(d->spec, sizeof(d->spec), "%s", name);
		d->fields = 0;
	}
	d->follow = follow;
	for (; b.left && part < 8; part++) {
		unsigned int code = (unsigned int)take(&b, 1);
		unsigned int length = (unsigned int)take(&b, 2);
		const char *field = take_string(&b);

		if (b.bad || !is_identifier(field)) {
			d->name[0] = '\0';
			return;
		}
		append(d, "%s", d->fields++ ? "; " : " ");
		append_type(d, code, length);
		append(d, " %s", field);
	}
	if (!follow && d->fields == total && is_identifier(name) && d->spec[0] == name[0] &&
	    strlen(d->spec) <= 511)
		add_once(d->specs, d->spec);
}

static void note_set(struct declared *d, struct bytes b)
{
	unsigned int level = (unsigned int)take(&b, 1);
	uint64_t keyword;
	const char *provider, *group;

	take(&b, 1);
	keyword = take(&b, 2);
	keyword |= take(&b, 2) << 16;
	keyword |= take(&b, 2) << 32;
	keyword |= take(&b, 2) << 48;
	provider = take_string(&b);
	group = take_string(&b);
	d->name[0] = '\0';
	if (!b.bad && ue__set_spec(d->spec, provider, level, keyword, group) == 0)
		add_once(d->specs, d->spec);
}

/* The descriptor of a note, without bytes if it has another owner; B goes to the next one. */
static bool note_desc(struct bytes *b, uint64_t owner, uint64_t length, struct bytes *desc)
{
	uint64_t owner_room = (owner + 3) & ~3ull, room = (length + 3) & ~3ull;

	if (owner_room > b->left || length > b->left - owner_room)
		return false;
	*desc = (struct bytes){ NULL, 0, b->big, false };
	if (owner == sizeof(OWNER) && memcmp(b->p, OWNER, sizeof(OWNER)) == 0)
		*desc = (struct bytes){ b->p + owner_room, length, b->big, false };
	if (room > b->left - owner_room) /* the last one, without its padding */
		room = b->left - owner_room;
	b->p += owner_room + room;
	b->left -= owner_room + room;
	return true;
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
		add_once(d->specs, d->spec);
}

/* A note that names an event's class, among which the compiler keeps no order. */
static void note_class_event(struct declared *d, struct bytes b, struct bytes all)
{
	const char *name = take_string(&b), *class_name = take_string(&b);

	if (b.bad || !is_identifier(name) || strlen(name) >= sizeof(d->name))
		return;
	while (all.left >= 12) {
		uint64_t owner = take(&all, 4), length = take(&all, 4), type = take(&all, 4);
		struct bytes desc;

		if (!note_desc(&all, owner, length, &desc))
			return;
		if (desc.p && type == NOTE_CLASS && strcmp(take_string(&desc), class_name) == 0) {
			class_event(d, name, desc);
			return;
		}
	}
}

static void notes_parse(struct declared *d, const uint8_t *data, size_t size, bool big)
{
	struct bytes b = { data, size, big, false };

	while (b.left >= 12) {
		uint64_t owner = take(&b, 4), length = take(&b, 4), type = take(&b, 4);
		struct bytes desc;

		if (!note_desc(&b, owner, length, &desc))
			return;
		if (!desc.p)
			continue;
		if (type == NOTE_EVENT)
			note_event(d, desc);
		else if (type == NOTE_SET)
			note_set(d, desc);
		else if (type == NOTE_CLASS_EVENT)
			note_class_event(d, desc, (struct bytes){ data, size, big, false });
	}
}

/* Libraries: the directories that the loader looks into, in its order. */

/* The program, or a library. They are a list, which grows by what its libraries need themselves. */
struct object {
	struct object *next;
	const struct object *needed_by; /* the first one; NULL: the program */
	char *path;
	char **rpath; /* counts for what its libraries need, too */
};

/* A dynamic section, and the strings that it points to. */
struct dynamic {
	const struct elf *e;
	const uint8_t *table;
	uint64_t size;
	const char *names;
	uint64_t names_size;
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

/* Of a library for another machine of the same name, as the loader does, the next is tried. */
static bool fits(const char *path, const struct elf *like)
{
	struct elf e;

	if (elf_open(&e, path) != 0)
		return false;
	close(e.fd);
	return e.wide == like->wide && e.big == like->big && e.machine == like->machine;
}

static char *find_library(const char *name, const struct elf *like)
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

/* At the list's end, unless it is in it. */
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

/* The next string of this tag from *i on, which moves behind it; NULL: there is none. */
static const char *dynamic_string(const struct dynamic *d, uint64_t tag, size_t *i)
{
	size_t word = d->e->wide ? 8 : 4;

	while (*i + 2 * word <= d->size) {
		uint64_t found = number(d->table + *i, word, d->e->big);
		uint64_t value = number(d->table + *i + word, word, d->e->big);

		*i += 2 * word;
		if (found == DT_NULL)
			break;
		if (found == tag && value < d->names_size)
			return d->names + value;
	}
	return NULL;
}

/* An RPATH counts for what the libraries need, too; a RUNPATH takes the place of all RPATHs. */
static void search_path_of(struct object *object, const struct dynamic *d)
{
	static const char system[] = "/lib64:/usr/lib64:/lib:/usr/lib";
	char *origin = directory_of(object->path);
	size_t i = 0, j = 0;
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
static void needed(const struct elf *e, struct object *program, struct object *object,
		   const struct section *dynamic)
{
	struct dynamic d = { .e = e, .size = dynamic->size };
	struct section strings;
	const char *name;
	uint8_t *table, *names;
	size_t i = 0;

	if (dynamic->link >= e->section_count || elf_section(e, dynamic->link, &strings) != 0)
		return;
	d.table = table = elf_load(e, dynamic);
	names = elf_load(e, &strings);
	d.names = (const char *)names;
	d.names_size = strings.size;
	if (table && names) {
		search_path_of(object, &d);
		while ((name = dynamic_string(&d, DT_NEEDED, &i))) {
			char *library = find_library(name, e);

			if (library)
				object_add(program, object, library);
			free(library);
		}
	}
	free(names);
	free(table);
}

/* With a program, what this object of it needs is added to its list. */
static int read_one(struct object *object, char ***specs, struct object *program)
{
	struct declared declared = { .specs = specs };
	struct section s;
	struct elf e;
	uint8_t *data;
	uint64_t i, left = SECTION_MAX; /* sections that overlap count, too */
	int error = elf_open(&e, object->path);

	if (error)
		return error;
	for (i = 0; i < e.section_count; i++) {
		if (elf_section(&e, i, &s) != 0)
			break;
		if (s.type == SHT_NOTE && s.size <= left && (data = elf_load(&e, &s))) {
			left -= s.size;
			notes_parse(&declared, data, s.size, e.big);
			free(data);
		}
		if (s.type == SHT_DYNAMIC && program) {
			needed(&e, program, object, &s);
			program = NULL;
		}
	}
	close(e.fd);
	return 0;
}

int notes_read(const char *path, bool libraries, char ***specs)
{
	struct object *program = allocate(sizeof(*program)), *object, *next;
	int error;

	program->path = text("%s", path);
	error = read_one(program, specs, libraries ? program : NULL);
	for (object = program->next; object; object = object->next)
		read_one(object, specs, program);
	for (object = program; object; object = next) {
		next = object->next;
		list_free(object->rpath);
		free(object->path);
		free(object);
	}
	return error;
}
