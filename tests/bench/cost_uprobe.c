/* SPDX-License-Identifier: MIT */
/*
 * Finds the file offset of a USDT probe in this program. The file needs no checks, because it was
 * built locally.
 */
#include "cost_uprobe.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static uint64_t offset_of(const char *file, uint64_t address)
{
	const ElfW(Ehdr) *header = (const void *)file;
	const ElfW(Phdr) *segment = (const void *)(file + header->e_phoff);
	int i;

	for (i = 0; i < header->e_phnum; i++) {
		if (segment[i].p_type == PT_LOAD &&
		    address - segment[i].p_vaddr < segment[i].p_filesz)
			return address - segment[i].p_vaddr + segment[i].p_offset;
	}
	return 0;
}

static bool in_notes(const char *file, const char *notes, size_t size, const char *provider,
		     const char *name, uint64_t *nop, uint64_t *semaphore)
{
	size_t at = 0;

	while (at + sizeof(ElfW(Nhdr)) < size) {
		const ElfW(Nhdr) *note = (const void *)(notes + at);
		const char *desc = (const char *)(note + 1) + (note->n_namesz + 3u) / 4 * 4;
		const char *found = desc + 3 * sizeof(uintptr_t);
		uintptr_t address[3];

		if (strcmp(found, provider) == 0 && strcmp(found + strlen(found) + 1, name) == 0) {
			memcpy(address, desc, sizeof(address));
			*nop = offset_of(file, address[0]);
			*semaphore = offset_of(file, address[2]);
			return true;
		}
		at = (size_t)(desc - notes) + (note->n_descsz + 3u) / 4 * 4;
	}
	return false;
}

bool own_probe(const char *provider, const char *name, uint64_t *nop, uint64_t *semaphore)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), i;
	const ElfW(Ehdr) * header;
	const ElfW(Shdr) * section;
	struct stat st;
	const char *file;
	bool found = false;

	if (fd < 0 || fstat(fd, &st) != 0)
		return false;
	file = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (file == MAP_FAILED)
		return false;
	header = (const void *)file;
	section = (const void *)(file + header->e_shoff);
	for (i = 0; i < header->e_shnum && !found; i++) {
		if (strcmp(file + section[header->e_shstrndx].sh_offset + section[i].sh_name,
			   ".note.stapsdt") == 0)
			found = in_notes(file, file + section[i].sh_offset, section[i].sh_size,
					 provider, name, nop, semaphore);
	}
	munmap((void *)(uintptr_t)file, (size_t)st.st_size);
	return found;
}
