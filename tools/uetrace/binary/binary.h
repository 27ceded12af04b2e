/* SPDX-License-Identifier: MIT */
/*
 * Reads the events that binaries declare. Files are never executed and are not trusted: libelf
 * checks each offset and size against the file, and limits in each file here bound time and memory.
 *
 *	elf.c		ELF files, with libelf
 *	notes.c		the ELF notes of events, of a binary and its libraries
 *	types.c		the types of fields in these notes
 *	printk.c	the texts of TP_printk, as print formats of the kernel
 *	tep_format.c	an event of libtraceevent as a format file of the kernel
 *	programs.c	the binaries named in a recording
 *
 * The plugin for libtraceevent contains elf.c, printk.c and tep_format.c too, so these neither
 * print nor end the process.
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

/* A table of symbols, read once. */
struct symbols {
	bool read;
	Elf_Data *table, *names; /* NULL if the file has none */
};

struct binary {
	int fd;
	Elf *elf;
	GElf_Ehdr header;
	Elf_Data *names; /* of sections, or NULL */
	struct symbols symbols[2];
	uint64_t left;	   /* bytes that may still be read */
	uint64_t compared; /* number of symbols compared with a name so far */
};

/*
 * Opens a regular file for reading, and never opens a device. Returns the descriptor or -errno:
 * -EISDIR for a directory, -ENOEXEC for an empty file or one that is not regular.
 */
int open_regular(const char *path);
/* Opens an ELF file. Returns 0 or -errno; -ENOEXEC if it is not ELF, or damaged. */
int binary_open(struct binary *b, const char *path);
/* Opens the file of a descriptor, which stays the caller's. */
int binary_open_fd(struct binary *b, int fd);
void binary_close(struct binary *b);
/* Tells whether this word, without a slash, names an ELF file in the current directory. */
bool binary_here(const char *name);
bool is_binary(const char *path);
bool binary_wide(const struct binary *b);
bool binary_big(const struct binary *b);
/* Returns the bytes of a section, or NULL. Numbers are in this machine's byte order. */
Elf_Data *binary_section(struct binary *b, Elf_Scn *section, const GElf_Shdr *header);
/* Returns the strings of a section with this number, or NULL. */
Elf_Data *binary_strings(struct binary *b, size_t section);
/* Returns the string at this position, or NULL. */
const char *binary_string(const Elf_Data *strings, size_t at);
/* Returns the first section of this name or, if name is NULL, of this type, with its header. */
Elf_Scn *binary_find(const struct binary *b, const char *name, uint32_t type, GElf_Shdr *header);
/*
 * Finds the offset in the file of an address that is followed by size bytes in a segment with these
 * PF_ flags.
 */
bool binary_offset(const struct binary *b, uint64_t address, uint64_t size, uint32_t flags,
		   uint64_t *offset);
/* Copies up to size bytes from an address in a readable segment. Returns the number of bytes. */
size_t binary_copy(struct binary *b, uint64_t address, void *buffer, size_t size);
/* Finds the address of a symbol. Returns false if there is none of this name. */
bool binary_symbol(struct binary *b, const char *name, uint64_t *address);

/* The bytes that are left to read. An access beyond them sets bad. */
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

/* Reads a number of 1 to 8 bytes. */
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

/* Calls fn for each note of an owner, in the order of the file, until it returns false. */
struct note {
	uint32_t type;
	struct bytes desc;
};
typedef bool (*note_fn)(void *context, const struct note *note);
void binary_notes(struct binary *b, const char *owner, note_fn fn, void *context);

/* notes.c; docs/reference.md describes the format of the notes. */

#define NOTE_OWNER "user_events"
/*
 * Adds the events that a binary declares to *specs, in the form of ue_event_register(), each once
 * and in order. If files is not NULL, it also reads the libraries of the binary, adds the binary
 * and the libraries to *files, and keeps their texts; this is for binaries that the user named.
 * Returns 0 or -errno; -ENOEXEC if the file is not ELF, or damaged.
 */
int notes_read(const char *path, char ***specs, char ***files);

#define NOTE_FIELDS_MAX 64 /* fields of an event */

struct note_field {
	const char *name; /* part of the event's name; NULL for logs */
	uint32_t type;	  /* see "Types" in user_events.h */
};

enum note_kind {
	NOTE_EVENT,  /* a site of UE_TRACE or UE_TRACEPOINT */
	NOTE_LOG,    /* a site of UE_LOG */
	NOTE_SET,    /* an event set */
	NOTE_RECORD, /* an event of TRACE_EVENT, whose fields are in the spec only */
};

struct note_event {
	enum note_kind kind;
	uint64_t address;	   /* of the nop, or of a set's enable word; 0 if unknown */
	char *name;		   /* NULL for sets and logs */
	char *spec;		   /* NULL for logs */
	struct note_field *fields; /* of a site, ended by a type of 0 */
	size_t n;
	uint8_t *meta; /* of a log: the event's header and metadata */
	size_t size;   /* bytes of meta */
};

/* The events of a binary, in the order of the file. */
struct notes {
	struct note_event *events;
	size_t n;
	size_t bytes; /* memory of the events */
};

void notes_collect(struct binary *b, struct notes *notes);
void notes_free(struct notes *notes);

/* types.c */

/* Keeps the types that a site gives to the fields of its event, until the process ends. */
void types_keep(const char *event, const struct note_field *fields, size_t n);
/*
 * Returns the type that all known sites of an event give to a field, or 0 if no site is known or
 * if they disagree.
 */
uint32_t types_find(const char *event, const char *field, size_t length);
/* Returns the number of changes to the known types so far. */
size_t types_changes(void);

/* printk.c: if memory is short, texts are left out. */

/*
 * Keeps the texts of a file with this build ID, or with any if size is 0, until the process ends.
 * Only read files that the user chose: an event gets the text of the first file that has one for
 * its name, and another file could lie about it. Returns 0 or -errno; -ENOEXEC if the file is not
 * ELF, -ESTALE if it is another build.
 */
int texts_read(const char *path, const void *id, size_t size);
/*
 * Returns the format file of an event with the text of its binary instead of the kernel's, which
 * the caller frees. NULL if no text is known or libtraceevent cannot print it.
 */
char *texts_format(const char *event, const char *format);
/* tep_format.c: returns the format file that libtraceevent has read, without a print format. */
char *texts_fields(const struct tep_event *tep);
bool is_identifier(const char *s);

/* programs.c */
/* Adds a program, unless it is known. *programs is NULL at first. */
void programs_add(struct programs **programs, const char *path, const void *id, size_t id_size);
/* Reads the notes of a binary. Returns 0 or -errno; -ESTALE if its build ID is another one. */
int program_read(const char *path, const void *id, size_t id_size);
/* Reads the notes of new programs. Returns the number of all programs. */
size_t programs_read(struct programs *programs);
void programs_free(struct programs *programs);

#endif
