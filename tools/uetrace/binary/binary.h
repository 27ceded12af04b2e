/* SPDX-License-Identifier: MIT */
/*
 * Reads the event declarations in binaries.
 *
 * Binaries are not trusted and never executed. libelf checks each offset and size against the size
 * of the file, and the functions in this directory limit the time and memory spent on a binary.
 *
 *   elf.c         reads ELF files with libelf
 *   notes.c       reads the ELF notes of a binary and its libraries
 *   types.c       stores the field types found in these notes
 *   printk.c      converts TP_printk strings to the kernel's print formats
 *   tep_format.c  converts a libtraceevent event to a format file
 *   programs.c    stores the list of binaries named in a recording
 *
 * The libtraceevent plugin also contains elf.c, printk.c and tep_format.c, so these files must not
 * print messages or exit the process.
 */
#ifndef UETRACE_BINARY_H
#define UETRACE_BINARY_H

#include <endian.h>
#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct programs;
struct tep_event;

/* elf.c */

/* A symbol table, which is read when it is first needed. */
struct symbols {
	bool read;
	Elf_Data *table, *names; /* NULL if the file has no such table */
};

struct binary {
	int fd;
	Elf *elf;
	GElf_Ehdr header;
	Elf_Data *names; /* section names, or NULL */
	struct symbols symbols[2];
	uint64_t left;	   /* number of bytes that may still be read */
	bool exceeded;	   /* true if a section with notes exceeded this limit and was skipped */
	uint64_t compared; /* number of symbol names compared so far */
};

/*
 * Opens a regular file for reading. Never opens a device. Returns the descriptor or -errno: -EISDIR
 * for a directory, -ENOEXEC for an empty or special file.
 */
int open_regular(const char *path);
/* Opens an ELF file. Returns 0 or -errno. Returns -ENOEXEC if the file is damaged or not ELF. */
int binary_open(struct binary *b, const char *path);
/* Opens the ELF file with this descriptor. The caller keeps ownership of the descriptor. */
int binary_open_fd(struct binary *b, int fd);
void binary_close(struct binary *b);
/* Returns true if the word has no slash and names an ELF file in the current directory. */
bool binary_here(const char *name);
bool is_binary(const char *path);
bool binary_wide(const struct binary *b);
bool binary_big(const struct binary *b);
/* Returns the content of a section, converted to this machine's byte order, or NULL. */
Elf_Data *binary_section(struct binary *b, Elf_Scn *section, const GElf_Shdr *header);
/* Returns the content of the string table in the section with this index, or NULL. */
Elf_Data *binary_strings(struct binary *b, size_t section);
/* Returns the string at an offset in a string table, or NULL. */
const char *binary_string(const Elf_Data *strings, size_t at);
/*
 * Returns the first section with this name or, if name is NULL, the first section of this type.
 * Stores its header in *header.
 */
Elf_Scn *binary_find(const struct binary *b, const char *name, uint32_t type, GElf_Shdr *header);
/*
 * Converts an address to a file offset. Returns false unless a segment with these PF_ flags
 * contains size bytes at this address.
 */
bool binary_offset(const struct binary *b, uint64_t address, uint64_t size, uint32_t flags,
		   uint64_t *offset);
/*
 * Copies up to size bytes from an address in a readable segment. Returns the number of copied
 * bytes.
 */
size_t binary_copy(struct binary *b, uint64_t address, void *buffer, size_t size);
/* Finds the address of a symbol. Returns false if the symbol does not exist. */
bool binary_symbol(struct binary *b, const char *name, uint64_t *address);

/* Reader for a block of memory. Attempts to read past the end set bad. */
struct bytes {
	const uint8_t *p;
	size_t left;
	bool big;
	bool bad;
};
static inline void skip_bytes(struct bytes *b, uint64_t n)
{
	if (n > b->left) {
		b->bad = true;
		return;
	}
	b->p += n;
	b->left -= (size_t)n;
}

/* Reads an integer of 1 to 8 bytes. */
static inline uint64_t take(struct bytes *b, size_t size)
{
	uint64_t value = 0;

	if (b->left < size) {
		b->bad = true;
		return 0;
	}
	memcpy(&value, b->p, size);
	b->p += size;
	b->left -= size;
	return b->big ? be64toh(value) >> (64 - 8 * size) : le64toh(value);
}

const char *take_string(struct bytes *b);

/* binary_notes() calls fn for each note of an owner, in file order, until fn returns false. */
struct note {
	uint32_t type;
	struct bytes desc;
};
typedef bool (*note_fn)(void *context, const struct note *note);
void binary_notes(struct binary *b, const char *owner, note_fn fn, void *context);

/* notes.c: docs/reference.md describes the note format. */

#define NOTE_OWNER "user_events"
/*
 * Reads the events that a binary declares and appends their specs to *specs, in file order and
 * without duplicates. A spec has the syntax of ue_event_register().
 *
 * If files is not NULL, also reads the libraries of the binary, appends the paths of all files read
 * to *files, and stores their TP_printk strings. Pass files only for a binary that the user named,
 * because other users' files could contain misleading strings.
 *
 * Returns 0 or -errno. Returns -ENOEXEC if the file is damaged or not ELF.
 */
int notes_read(const char *path, char ***specs, char ***files);

#define NOTE_FIELDS_MAX 64 /* maximum number of fields per event */

struct note_field {
	const char *name; /* points into note_event.name; NULL for UE_LOG */
	uint32_t type;	  /* see "Types" in user_events.h */
};

enum note_kind {
	NOTE_EVENT,  /* UE_TRACE or UE_TRACEPOINT site */
	NOTE_LOG,    /* UE_LOG site */
	NOTE_SET,    /* event set */
	NOTE_RECORD, /* TRACE_EVENT event; only the spec describes its fields */
};

struct note_event {
	enum note_kind kind;
	/* address of the site's nop, or of the set's enable word; 0 if unknown */
	uint64_t address;
	char *name;		   /* NULL for a set or a UE_LOG site */
	char *spec;		   /* NULL for a UE_LOG site */
	struct note_field *fields; /* fields of a site; ends with an entry of type 0 */
	size_t n;
	uint8_t *meta; /* EventHeader header and metadata of a UE_LOG site */
	size_t size;   /* length of meta in bytes */
};

/* The events of a binary in file order. */
struct notes {
	struct note_event *events;
	size_t n;
	size_t bytes; /* memory used by the events, in bytes */
};

void notes_collect(struct binary *b, struct notes *notes);
void notes_free(struct notes *notes);

/* types.c */

/* Stores the field types that a site declares. They remain stored until the process exits. */
void types_keep(const char *event, const struct note_field *fields, size_t n);
/*
 * Returns the type of a field if all known sites of the event declare the same one. Returns 0 if
 * they disagree or no site is known.
 */
uint32_t types_find(const char *event, const char *field, size_t length);
/* Returns the number of times that the stored types have changed. */
size_t types_changes(void);

/* printk.c: if memory runs out, strings are ignored. */

/*
 * Stores the TP_printk strings of a file until the process exits. If size is not 0, the file is
 * used only if it has this build ID.
 *
 * Call this only for files that the user chose. If several files contain a string for the same
 * event name, the first string is used, so an untrusted file could supply a misleading string.
 *
 * Returns 0 or -errno. Returns -ENOEXEC if the file is not ELF, and -ESTALE if its build ID
 * differs.
 */
int texts_read(const char *path, const void *id, size_t size);
/*
 * Returns the text of an event's format file in which the print format is replaced with the
 * TP_printk string of the event's binary. Returns NULL if there is no such string or if
 * libtraceevent cannot print it. The caller frees the result.
 */
char *texts_format(const char *event, const char *format);
/*
 * tep_format.c: rebuilds the format file of an event that libtraceevent has parsed, without the
 * print format.
 */
char *texts_fields(const struct tep_event *tep);
bool is_identifier(const char *s);

/* programs.c */
/* Adds a program to the list unless it is already listed. *programs is initially NULL. */
void programs_add(struct programs **programs, const char *path, const void *id, size_t id_size);
/* Reads the notes of a binary. Returns 0 or -errno. Returns -ESTALE if the build ID differs. */
int program_read(const char *path, const void *id, size_t id_size);
/*
 * Reads the notes of all programs that were added since the last call. Returns the number of
 * programs in the list.
 */
size_t programs_read(struct programs *programs);
void programs_free(struct programs *programs);

#endif
