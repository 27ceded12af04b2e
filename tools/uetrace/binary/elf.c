/* SPDX-License-Identifier: MIT */
/* Reads ELF files with libelf, in bounded time and memory. */
#include "binary/binary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SECTIONS_MAX (24u << 20) /* maximum total size in bytes of the data read from a file */
#define SEGMENTS_MAX 256	 /* maximum number of segments searched for an address */
#define COMPARED_MAX (4u << 20)	 /* maximum symbol comparisons per file; they take about 20 ms */

/*
 * Opening a device can have side effects: for example, opening a watchdog device starts the
 * watchdog. Therefore, open the path with O_PATH, check the file type, and then open the file
 * through this descriptor, so that nobody can replace the file in between.
 *
 * Reading a file in procfs or tracefs can consume its content, and a binary can name /proc/kmsg as
 * one of its libraries. These files have size 0 and are rejected.
 */
int open_regular(const char *path)
{
	int place = open(path, O_PATH | O_CLOEXEC), fd;
	char again[sizeof("/proc/self/fd/") + 3 * sizeof(int)];
	struct stat st;

	if (place < 0)
		return -errno;
	snprintf(again, sizeof(again), "/proc/self/fd/%d", place);
	if (fstat(place, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0)
		fd = open(again, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	else
		fd = -1, errno = S_ISDIR(st.st_mode) ? EISDIR : ENOEXEC;
	fd = fd < 0 ? -errno : fd;
	close(place);
	return fd;
}

/*
 * Returns true if the file declares more section or program headers than a 16-bit number can count.
 * libelf would allocate memory for all of them.
 */
static bool claims_more(int fd)
{
	union {
		Elf32_Ehdr narrow;
		Elf64_Ehdr wide;
	} header;

	if (pread(fd, &header, sizeof(header), 0) != sizeof(header))
		return false;
	if (header.wide.e_ident[EI_CLASS] == ELFCLASS32)
		return (header.narrow.e_shoff && !header.narrow.e_shnum) ||
		       header.narrow.e_phnum == PN_XNUM;
	return (header.wide.e_shoff && !header.wide.e_shnum) || header.wide.e_phnum == PN_XNUM;
}

/* Starts to read the file with this descriptor, and takes ownership of the descriptor. */
static int begin(struct binary *b, int fd)
{
	size_t names;

	elf_version(EV_CURRENT);
	memset(b, 0, sizeof(*b));
	b->fd = fd;
	if (b->fd < 0)
		return b->fd;
	/*
	 * read the file instead of mapping it, because a truncation of a mapped file would raise
	 * SIGBUS
	 */
	b->elf = claims_more(fd) ? NULL : elf_begin(b->fd, ELF_C_READ, NULL);
	b->left = SECTIONS_MAX;
	if (b->elf && elf_kind(b->elf) == ELF_K_ELF && gelf_getehdr(b->elf, &b->header) &&
	    elf_getshdrstrndx(b->elf, &names) == 0) {
		b->names = binary_strings(b, names);
		return 0;
	}
	binary_close(b);
	return -ENOEXEC;
}

int binary_open(struct binary *b, const char *path)
{
	return begin(b, open_regular(path));
}

int binary_open_fd(struct binary *b, int fd)
{
	int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);

	return begin(b, own < 0 ? -errno : own);
}

void binary_close(struct binary *b)
{
	elf_end(b->elf);
	close(b->fd);
}

bool is_binary(const char *path)
{
	struct binary b;

	if (binary_open(&b, path) != 0)
		return false;
	binary_close(&b);
	return true;
}

bool binary_here(const char *name)
{
	return !strchr(name, '/') && is_binary(name);
}

bool binary_wide(const struct binary *b)
{
	return b->header.e_ident[EI_CLASS] == ELFCLASS64;
}

bool binary_big(const struct binary *b)
{
	return b->header.e_ident[EI_DATA] == ELFDATA2MSB;
}

Elf_Data *binary_section(struct binary *b, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *data;

	if (header->sh_type == SHT_NOBITS || (header->sh_flags & SHF_COMPRESSED))
		return NULL;
	if (header->sh_size > b->left) {
		b->exceeded |= header->sh_type == SHT_NOTE;
		return NULL;
	}
	b->left -= header->sh_size;
	data = elf_getdata(section, NULL);
	return data && data->d_buf ? data : NULL;
}

/*
 * Replaces elf_strptr(), which would read a section of any size and search it for the end of a
 * string.
 */
Elf_Data *binary_strings(struct binary *b, size_t section)
{
	Elf_Scn *strings = elf_getscn(b->elf, section);
	GElf_Shdr header;
	Elf_Data *data = NULL;

	if (strings && gelf_getshdr(strings, &header))
		data = binary_section(b, strings, &header);
	return data && data->d_size && !((const char *)data->d_buf)[data->d_size - 1] ? data : NULL;
}

const char *binary_string(const Elf_Data *strings, size_t at)
{
	return strings && at < strings->d_size ? (const char *)strings->d_buf + at : NULL;
}

Elf_Scn *binary_find(const struct binary *b, const char *name, uint32_t type, GElf_Shdr *header)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(b->elf, section))) {
		const char *found;

		if (!gelf_getshdr(section, header))
			continue;
		if (!name && header->sh_type == type)
			return section;
		found = name ? binary_string(b->names, header->sh_name) : NULL;
		if (found && strcmp(found, name) == 0)
			return section;
	}
	return NULL;
}

/* Returns the number of bytes from an address to the end of the segment's data in the file. */
static uint64_t bytes_from(const struct binary *b, uint64_t address, uint32_t flags,
			   uint64_t *offset)
{
	GElf_Phdr segment;
	size_t n, i;

	if (elf_getphdrnum(b->elf, &n) != 0)
		return 0;
	for (i = 0; i < n && i < SEGMENTS_MAX; i++) {
		if (!gelf_getphdr(b->elf, (int)i, &segment) || segment.p_type != PT_LOAD ||
		    (segment.p_flags & flags) != flags || address < segment.p_vaddr ||
		    address - segment.p_vaddr >= segment.p_filesz)
			continue;
		*offset = address - segment.p_vaddr + segment.p_offset;
		return segment.p_filesz - (address - segment.p_vaddr);
	}
	return 0;
}

bool binary_offset(const struct binary *b, uint64_t address, uint64_t size, uint32_t flags,
		   uint64_t *offset)
{
	return size && bytes_from(b, address, flags, offset) >= size;
}

size_t binary_copy(struct binary *b, uint64_t address, void *buffer, size_t size)
{
	uint64_t offset, there = bytes_from(b, address, PF_R, &offset);
	ssize_t n;

	if (size > there)
		size = (size_t)there;
	if (size > b->left)
		size = (size_t)b->left;
	n = size && offset <= INT64_MAX ? pread(b->fd, buffer, size, (off_t)offset) : 0;
	if (n <= 0)
		return 0;
	b->left -= (uint64_t)n;
	return (size_t)n;
}

static void read_symbols(struct binary *b, struct symbols *symbols, uint32_t type)
{
	GElf_Shdr header;
	Elf_Scn *section = binary_find(b, NULL, type, &header);

	symbols->read = true;
	symbols->table = section ? binary_section(b, section, &header) : NULL;
	symbols->names = symbols->table ? binary_strings(b, header.sh_link) : NULL;
}

static bool find_symbol(struct binary *b, const struct symbols *symbols, const char *name,
			uint64_t *address)
{
	GElf_Sym symbol;
	int i;

	for (i = 0; symbols->names && gelf_getsym(symbols->table, i, &symbol); i++) {
		const char *found = binary_string(symbols->names, symbol.st_name);

		if (b->compared++ >= COMPARED_MAX)
			return false;
		if (symbol.st_shndx == SHN_UNDEF || !found || strcmp(found, name) != 0)
			continue;
		*address = symbol.st_value;
		return true;
	}
	return false;
}

bool binary_symbol(struct binary *b, const char *name, uint64_t *address)
{
	static const uint32_t types[] = { SHT_SYMTAB, SHT_DYNSYM };
	size_t i;

	for (i = 0; i < 2; i++) {
		if (!b->symbols[i].read)
			read_symbols(b, &b->symbols[i], types[i]);
		if (find_symbol(b, &b->symbols[i], name, address))
			return true;
	}
	return false;
}

void binary_notes(struct binary *b, const char *owner, note_fn fn, void *context)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(b->elf, section))) {
		size_t at = 0, next, name, desc;
		GElf_Nhdr one;
		Elf_Data *data;

		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_NOTE)
			continue;
		data = binary_section(b, section, &header);
		while (data && (next = gelf_getnote(data, at, &one, &name, &desc)) > at) {
			struct note note = { one.n_type,
					     { (const uint8_t *)data->d_buf + desc, one.n_descsz,
					       binary_big(b), false } };

			at = next;
			if (one.n_namesz != strlen(owner) + 1 ||
			    memcmp((const char *)data->d_buf + name, owner, one.n_namesz) != 0)
				continue;
			if (!fn(context, &note))
				return;
		}
	}
}

const char *take_string(struct bytes *b)
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
