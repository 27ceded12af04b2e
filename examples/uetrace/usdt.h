/* SPDX-License-Identifier: MIT */
/*
 * USDT probes, as the parts of uetrace that know them see each other:
 *
 *	usdt.c		which probes of which files, their uprobes
 *	usdt_notes.c	the probes that a file has
 *	usdt_operand.c	their arguments, as the kernel fetches them
 *	usdt_record.c	a uprobe's record to what the event itself would have written
 *	binary.c	ELF files, by libelf
 */
#ifndef UETRACE_USDT_H
#define UETRACE_USDT_H

#include "uetrace.h"

/* usdt_operand.c */
#define USDT_ARGS_MAX 12  /* what tools read, and programs have */
#define USDT_FETCH_MAX 64 /* bytes of a fetch argument, its name left out */

enum usdt_kind {
	USDT_OUT_OF_REACH, /* of a uprobe */
	USDT_CONSTANT,	   /* value */
	USDT_REGISTER,	   /* reg */
	USDT_MEMORY,	   /* at reg + value */
	USDT_SYMBOL,	   /* at symbol + value; USDT_FILE once the symbol is known */
	USDT_FILE,	   /* at offset value of the file */
};

struct usdt_arg {
	enum usdt_kind kind;
	uint8_t size; /* bytes: 1, 2, 4, 8 */
	bool is_signed;
	bool is_float;
	uint8_t shift; /* bits, of %ah */
	char reg[8];   /* as the kernel calls it */
	char symbol[128];
	int64_t value;
};

/*
 * The arguments of a note, for ELF's number of the machine. Returns how many; -EINVAL for what the
 * grammar does not have, -E2BIG for more than USDT_ARGS_MAX, -EOPNOTSUPP for another machine.
 */
int usdt_parse_args(unsigned int machine, const char *text, struct usdt_arg args[USDT_ARGS_MAX]);
/* "%ax:s32", of at most as many bytes as the operand has. 0, or -EOPNOTSUPP: no uprobe can. */
int usdt_fetch_value(const struct usdt_arg *arg, unsigned int size, bool is_signed, char *out,
		     size_t room);
/* "+0(%ax):string" */
int usdt_fetch_memory(const struct usdt_arg *arg, size_t offset, const char *type, char *out,
		      size_t room);

#endif
