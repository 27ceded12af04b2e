/* SPDX-License-Identifier: MIT */
/*
 * Repeatedly damages a copy of this program, which readers must survive without a crash. Run such
 * tests with AddressSanitizer.
 */
#ifndef DAMAGE_H
#define DAMAGE_H

#include <fcntl.h>

#include <user_events.h>

#include "binary/binary.h"

/*
 * Ranges of the file in which damage has an effect: headers, section headers, notes, and the
 * descriptors to which the notes refer.
 */
struct spots {
	struct binary *b;
	uint64_t begin[96], length[96];
	uint32_t type[96]; /* SHT_ type of a section, or 0 for other ranges */
	size_t n;
};

static void add_spot(struct spots *spots, uint64_t begin, uint64_t length, uint32_t type)
{
	spots->begin[spots->n] = begin;
	spots->length[spots->n] = length;
	spots->type[spots->n++] = type;
}

static bool add_descriptor(void *context, const struct note *note)
{
	struct spots *spots = context;
	uint64_t address, offset;

	if (note->type == UE__F_NOTE_SITE && spots->n < 96) {
		memcpy(&address, note->desc.p + 8, sizeof(address));
		assert_true(binary_offset(spots->b, address, 1, PF_R, &offset));
		add_spot(spots, offset, 64, 0);
	}
	return true;
}

static void find_spots(struct spots *spots)
{
	struct binary b;
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	const char *name;

	spots->b = &b;
	assert_int_equal(binary_open(&b, "/proc/self/exe"), 0);
	add_spot(spots, 0, 64 + 13 * 56, 0);
	add_spot(spots, b.header.e_shoff, (uint64_t)b.header.e_shnum * b.header.e_shentsize, 0);
	while ((section = elf_nextscn(b.elf, section)) && spots->n < 64) {
		if (!gelf_getshdr(section, &header) || !header.sh_size)
			continue;
		name = binary_string(b.names, header.sh_name);
		if (header.sh_type == SHT_NOTE || header.sh_type == SHT_DYNAMIC ||
		    (name && strcmp(name, ".stapsdt.base") == 0))
			add_spot(spots, header.sh_offset, header.sh_size, header.sh_type);
	}
	binary_notes(&b, NOTE_OWNER, add_descriptor, spots);
	binary_close(&b);
}

/*
 * Passes COUNT damaged files and then 64 truncated files to read_one(). Its argument type is the
 * SHT_ type of the damaged section, or 0 if another range is damaged.
 */
static void read_damaged_files(size_t count, void (*read_one)(const char *path, uint32_t type))
{
	FILE *file = fopen("/proc/self/exe", "re");
	unsigned char *data = malloc(64u << 20), damage[8];
	size_t size = fread(data, 1, 64u << 20, file), i, n;
	char path[] = "/tmp/uetrace-damaged-XXXXXX";
	struct spots spots = { .n = 0 };
	int fd = mkstemp(path);

	fclose(file);
	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, data, size, 0), size);
	find_spots(&spots);
	srand(1);
	for (n = 0; n < count; n++) {
		size_t spot = (size_t)rand() % spots.n, width = 1u << rand() % 4;
		size_t at = spots.begin[spot] + (size_t)rand() % spots.length[spot];

		if (at + width > size)
			continue;
		for (i = 0; i < width; i++)
			damage[i] = rand() % 2 ? 0xff : (unsigned char)rand();
		assert_int_equal(pwrite(fd, damage, width, (off_t)at), width);
		read_one(path, spots.type[spot]);
		assert_int_equal(pwrite(fd, data + at, width, (off_t)at), width);
	}
	for (n = 0; n < 64; n++) {
		size_t left = n < 32 ? n * 3 : (size_t)rand() % size;

		assert_int_equal(ftruncate(fd, 0), 0);
		assert_int_equal(pwrite(fd, data, left, 0), left);
		read_one(path, SHT_DYNAMIC);
	}
	close(fd);
	unlink(path);
	free(data);
}

#endif
