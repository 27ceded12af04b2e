/* SPDX-License-Identifier: MIT */
/*
 * Passes malicious binaries to all USDT code of uetrace. The first byte of an input selects its
 * type:
 *
 *   'o'     machine number, followed by the operands of a probe
 *   other   ELF file that starts with this byte
 *
 * For every input, no byte outside the input is read (ASan), no arithmetic overflows (UBSan), and
 * memory and time are bounded. Each fetch argument for the kernel has one of the known forms, so an
 * operand can neither add an argument nor end the line.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "event/event.h"
#include "usdt/usdt.h"
#include "util/util.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int holds)
{
	if (!holds)
		abort();
}

/*
 * Checks the syntax of a fetch argument, for example "+16(%sp):u64", "\-5:s32",
 * "+0(+0(%x0)):string", "x8[64]" or "b8@8/16".
 */
static void check_fetch(const char *fetch)
{
	static const char all[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				  "_+-@%():\\[]/=";

	check(fetch[strspn(fetch, all)] == '\0');
}

static void look_at_operands(const uint8_t *data, size_t size)
{
	static const unsigned int machines[] = { EM_X86_64, EM_386,   EM_AARCH64, EM_ARM,
						 EM_RISCV,  EM_PPC64, EM_S390,	  0 };
	struct usdt_arg args[USDT_ARGS_MAX];
	char *string = text("%.*s", (int)size - 1, (const char *)data + 1);
	char fetch[USDT_FETCH_MAX];
	int n = usdt_parse_args(machines[*data % ARRAY_SIZE(machines)], string, args), i;

	check(n <= USDT_ARGS_MAX);
	for (i = 0; i < n; i++) {
		check(args[i].size && args[i].size <= 8 && !(args[i].size & (args[i].size - 1)));
		if (usdt_fetch_value(&args[i], 8, args[i].is_signed, fetch, sizeof(fetch)) == 0)
			check_fetch(fetch);
		if (usdt_fetch_memory(&args[i], i & 1, 8, "string", fetch, sizeof(fetch)) == 0)
			check_fetch(fetch);
	}
	free(string);
}

/* Checks the fetch arguments of a probe, and then converts a record with arbitrary content. */
static void look_at_probe(const struct usdt_file *file, const struct usdt_probe *probe,
			  const char *bytes, size_t size)
{
	struct record in = { .data = bytes, .size = size }, out;
	char *missing = NULL, *format, *fetch, *rest, *word;
	struct usdt_shape *shape = usdt_shape_new(file, probe, size & 1, &missing);
	bool cut;

	if (shape) {
		fetch = rest = text("%s", usdt_shape_fetch(shape));
		while ((word = strsep(&rest, " ")))
			check_fetch(word);
		free(fetch);
		format = usdt_format_text(usdt_shape_spec(shape));
		usdt_shape_format(shape, format);
		if (usdt_shape_record(shape, &in, 1, &out, &cut))
			check(out.size >= 8 && out.size < 1u << 20);
		free(format);
	}
	usdt_shape_free(shape);
	free(missing);
}

static void look_at_file(const uint8_t *data, size_t size)
{
	char record[512];
	struct usdt_file file;
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	size_t i;

	check(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	for (i = 0; i < sizeof(record); i++)
		record[i] = (char)(size ? data[i % size] : 0);
	if (usdt_file_read(&file, fd) == 0) {
		for (i = 0; i < file.n && i < 20; i++)
			look_at_probe(&file, &file.probes[i], record, sizeof(record) - i);
		usdt_file_free(&file);
	}
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size > 2 && *data == 'o')
		look_at_operands(data + 1, size - 1);
	else
		look_at_file(data, size);
	return 0;
}

#include "replay.h"
