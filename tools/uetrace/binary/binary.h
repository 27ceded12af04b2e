/* SPDX-License-Identifier: MIT */
/*
 * What a binary declares about its events. Nothing of a file is run, and nothing in it is believed:
 * libelf checks every offset and size against the file's, and how much is read is bounded here.
 *
 *	elf.c		ELF files, by libelf
 *	notes.c		the ELF notes of events, of a binary and the libraries that it needs
 *	types.c		the types that they give to fields
 *	printk.c	the texts of TP_printk, as print formats of the kernel
 *	tep_format.c	an event of libtraceevent as the kernel's format file
 *	programs.c	the binaries that a recording names
 *
 * The plugin for libtraceevent has elf.c, printk.c and tep_format.c, too: these neither print nor
 * end the process.
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
	Elf_Data *table, *names; /* NULL: there is none */
};

struct binary {
	int fd;
	Elf *elf;
	GElf_Ehdr header;
	Elf_Data *names; /* of sections, NULL: there are none */
	struct symbols symbols[2];
	uint64_t left;	   /* bytes of sections and addresses that may be read, */
	uint64_t compared; /* and symbols that were compared with a name */
};

/*
 * Opens a regular file for reading, without opening anything else. Returns the descriptor or
 * -errno: -EISDIR for a directory, -ENOEXEC for what is no regular file or an empty one.
 */
int open_regular(const char *path);
/* Returns 0 or -errno; -ENOEXEC for what is not ELF, or damaged. */
int binary_open(struct binary *b, const char *path);
/* Of the file that this descriptor has, which stays the caller's. */
int binary_open_fd(struct binary *b, int fd);
void binary_close(struct binary *b);
/* Is this word, without a slash, the name of an ELF file in this directory? */
bool binary_here(const char *name);
bool is_binary(const char *path);
bool binary_wide(const struct binary *b);
bool binary_big(const struct binary *b);
/* A section's bytes, in the machine's order if they are numbers; NULL: none, or too many. */
Elf_Data *binary_section(struct binary *b, Elf_Scn *section, const GElf_Shdr *header);
/* The strings of a section with this number, or NULL. */
Elf_Data *binary_strings(struct binary *b, size_t section);
/* The string at a place of them, or NULL. */
const char *binary_string(const Elf_Data *strings, size_t at);
/* The first section of this name or, without one, of this type; its header in *header. */
Elf_Scn *binary_find(const struct binary *b, const char *name, uint32_t type, GElf_Shdr *header);
/* The place in the file of an address with this many bytes behind it, in a segment of these PF_. */
bool binary_offset(const struct binary *b, uint64_t address, uint64_t size, uint32_t flags,
		   uint64_t *offset);
/* Copies up to SIZE bytes from an address in a loaded, readable segment. Returns how many. */
size_t binary_copy(struct binary *b, uint64_t address, void *buffer, size_t size);
/* The address of a symbol of this name. */
bool binary_symbol(struct binary *b, const char *name, uint64_t *address);

/* Bytes that are left to read; an access beyond them sets bad. */
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

/* A number of 1 to 8 bytes. */
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

/* notes.c; docs/reference.md has the format of the notes. */

#define NOTE_OWNER "user_events"
/*
 * Adds the events that a binary declares to *specs, as ue_event_register() takes them, each once
 * and in order. With files also those of the libraries that it needs; files gets the binary and
 * them, and their texts are kept: that is for binaries that the user named. Returns 0 or -errno;
 * -ENOEXEC if the file is not ELF or damaged.
 */
int notes_read(const char *path, char ***specs, char ***files);

#define NOTE_FIELDS_MAX 64 /* of an event */

struct note_field {
	const char *name; /* in the event's; NULL of logs */
	uint32_t type;	  /* of "Types" in user_events.h */
};

enum note_kind {
	NOTE_EVENT,  /* a site of UE_TRACE or UE_TRACEPOINT */
	NOTE_LOG,    /* a site of UE_LOG */
	NOTE_SET,    /* an event set */
	NOTE_RECORD, /* an event of TRACE_EVENT: its fields are in the spec alone */
};

struct note_event {
	enum note_kind kind;
	uint64_t address;	   /* of the nop, or a set's enable word; 0: it is not known */
	char *name;		   /* NULL of sets and logs */
	char *spec;		   /* NULL of logs */
	struct note_field *fields; /* of sites, with a type of 0 behind the last one */
	size_t n;
	uint8_t *meta; /* of logs: the event's header and metadata */
	size_t size;   /* of these */
};

/* In the order of the file. */
struct notes {
	struct note_event *events;
	size_t n;
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

/* printk.c: without memory there is no text. */

/*
 * Keeps what the notes of a file tell of texts, until the end, if this is its build id; size 0:
 * whatever that is. An event has the text of the first file that has one for its name: do not read
 * files that the user did not choose, whose text could be a lie about others' events. Returns 0, or
 * -errno; -ENOEXEC for what is not ELF, -ESTALE for another build.
 */
int texts_read(const char *path, const void *id, size_t size);
/*
 * The format file of an event with the text of its binary in place of the kernel's; the caller
 * frees it. NULL: none is known, or libtraceevent cannot print it.
 */
char *texts_format(const char *event, const char *format);
/* tep_format.c: the format file that libtraceevent has read, without a print format. */
char *texts_fields(const struct tep_event *tep);
bool is_identifier(const char *s);

/* programs.c */
/* Adds a program, once. *programs is NULL at first. */
void programs_add(struct programs **programs, const char *path, const void *id, size_t id_size);
/* Reads the notes of a binary. Returns 0 or -errno; -ESTALE if its build ID is another one. */
int program_read(const char *path, const void *id, size_t id_size);
/* Reads the notes of the programs that are new. Returns how many programs there are. */
size_t programs_read(struct programs *programs);
void programs_free(struct programs *programs);

#endif
