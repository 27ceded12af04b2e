/* SPDX-License-Identifier: MIT */
/*
 * elf.c: ELF files, by libelf. Nothing of a file is run, and nothing in it is believed: libelf
 * checks every offset and size against the file's, and how much is read is bounded here.
 */
#ifndef UETRACE_BINARY_H
#define UETRACE_BINARY_H

#include <endian.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct binary {
	int fd;
	Elf *elf;
	GElf_Ehdr header;
	size_t names;  /* section of the sections' names */
	uint64_t left; /* bytes of sections and addresses that may be read */
};

/* Returns 0 or -errno; -ENOEXEC for what is not ELF, or damaged. */
int binary_open(struct binary *b, const char *path);
void binary_close(struct binary *b);
/* Is this word, without a slash, the name of an ELF file in this directory? */
bool binary_here(const char *name);
bool is_binary(const char *path);
bool binary_wide(const struct binary *b);
bool binary_big(const struct binary *b);
/* A section's bytes, in the machine's order if they are numbers; NULL: none, or too many. */
Elf_Data *binary_section(struct binary *b, Elf_Scn *section, const GElf_Shdr *header);
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

#endif
