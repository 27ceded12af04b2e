/* SPDX-License-Identifier: MIT */
/*
 * The language of the table of the kernel's ABI: a row consists of steps, which run on a world, the
 * fake kernel or the real one.
 */
#ifndef ABI_LANGUAGE_H
#define ABI_LANGUAGE_H

#include <sys/uio.h>
#include "fake_kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof(*(a)))
#define TRACEFS "/sys/kernel/tracing"
#define INSTANCE TRACEFS "/instances/abi_table"
#define LITTLE (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
#define PAGE 4096
#define PAYLOAD_MAX 70000

/*
 * Defined as in the kernel's uapi/linux/user_events.h, independently of the library and the fake.
 */
struct reg {
	uint32_t size;
	uint8_t enable_bit, enable_size;
	uint16_t flags;
	uint64_t enable_addr, name_args;
	uint32_t write_index;
	unsigned char tail[PAGE + 8];	/* fields that a newer kernel might add */
} __attribute__((packed));

struct unreg {
	uint32_t size;
	uint8_t disable_bit, reserved;
	uint16_t reserved2;
	uint64_t disable_addr;
	unsigned char tail[PAGE + 8];
} __attribute__((packed));

#define REG_SIZE 28
#define UNREG_SIZE 16
#define IOC_REG _IOWR('*', 0, void *)
#define IOC_DEL _IOW('*', 1, void *)
#define IOC_UNREG _IOW('*', 2, void *)

/* ---- The table's language ---- */

/* Location of an enable word or a buffer. */
enum place {
	W0, W1, W2, W3,		/* 8-byte words, initially zero */
	W0_HIGH,		/* the upper 4 bytes of W0 */
	ODD1, ODD2, ODD3,	/* W0 plus 1, 2 and 3 bytes */
	FRESH,			/* a writable page that was never accessed */
	LAST,			/* the last 4 bytes before an unmapped page */
	RO,			/* a read-only page */
	NOWHERE,		/* an unmapped page */
	PROTECTED,		/* a page without any permission */
	ZERO,			/* address 0 */
	KERNEL,			/* the kernel half of the address space */
	PLACES
};

enum op {
	OP_END,
	OP_FD,		/* use fd `bit` (initially 0) of 4; it is opened at its first use */
	OP_OPEN_RDONLY,	/* open the current fd read-only */
	OP_CLOSE,	/* close the fd in use */
	OP_REG,
	OP_UNREG,
	OP_DEL,
	OP_IOCTL,	/* ioctl number `index` with argument `place` */
	OP_COMPAT,	/* register as a 32-bit process does */
	OP_SET,		/* set the 4-byte word at `place` to `value` */
	OP_WORD,	/* check that the word is `value`; 8 bytes if `size` is 8 */
	OP_ON, OP_OFF,	/* enable or disable tracepoint `text` in ftrace */
	OP_PERF, OP_PERF_OFF,
	OP_WRITE,	/* write an index and the payload `text` */
	OP_WRITEV,	/* segments `text`, index included */
	OP_WRITE_AT,	/* `value` bytes at `place` */
	OP_RECORD,	/* check that the last record belongs to tracepoint `text` */
	OP_PERF_COUNT,	/* perf has counted `value` events */
	OP_STATUS,	/* user_events_status has the line `text` */
	OP_NO_STATUS,	/* check that no line of the status starts with the name `text` */
	OP_DYNAMIC,	/* dynamic_events has the line `text` */
	/* check that the fields in the format file of tracepoint `text` are `expect` */
	OP_FORMAT,
	OP_PRINT,	/* its print fmt is `expect` */
	OP_UNMAP,	/* unmap the page of `place` */
	OP_PERFMON,	/* `value` 0: drop CAP_PERFMON; 1: restore it */
	OP_MAX,		/* set user_events_max to `value` more than the number of events */
	OP_OTHER,	/* another process registers `text` */
	OP_OTHER_EXIT,	/* and ends */
};

struct step {
	enum op op;
	/* @ is the row's event name; ~ is as many 'a' as make `length` bytes */
	const char *text;
	const char *expect;
	enum place place;
	int bit, size, flags;
	unsigned int length;
	uint32_t struct_size;
	uint16_t reserved;
	unsigned char tail;	/* fills what follows the structure */
	int index;		/* expected or used; -1: any */
	uint64_t value;
	long want;		/* 0 or -errno; for writes also OK and LOST */
};

#define OK 1L		/* all bytes accepted and recorded unchanged */
#define LOST 2L		/* all bytes accepted, but ftrace has no record */
#define ANY (-1)

/* Short forms of the common steps. A row may also spell out a step. */
#define REG(t, w, b, r) REGS(t, w, b, 4, r)
#define REGI(t, w, b, i) \
	{ .op = OP_REG, .text = (t), .place = (w), .bit = (b), .size = 4, .index = (i) }
#define REGS(t, w, b, s, r) \
	{ .op = OP_REG, .text = (t), .place = (w), .bit = (b), .size = (s), .index = ANY, \
	  .want = (r) }
#define REG8(t, w, b, r) REGS(t, w, b, 8, r)
#define REGF(t, w, b, f, r) \
	{ .op = OP_REG, .text = (t), .place = (w), .bit = (b), .size = 4, .flags = (f), \
	  .index = ANY, .want = (r) }
#define UNREG(w, b, r) { .op = OP_UNREG, .place = (w), .bit = (b), .want = (r) }
#define DEL(t, r) { .op = OP_DEL, .text = (t), .want = (r) }
#define FD(n) { .op = OP_FD, .bit = (n) }
#define CLOSE { .op = OP_CLOSE }
#define SET(w, v) { .op = OP_SET, .place = (w), .value = (v) }
#define WORD(w, v) { .op = OP_WORD, .place = (w), .value = (v) }
#define ON(t) { .op = OP_ON, .text = (t) }
#define OFF(t) { .op = OP_OFF, .text = (t) }
#define WRITE(i, p, r) { .op = OP_WRITE, .index = (i), .text = (p), .want = (r) }
#define WRITEV(p, r) { .op = OP_WRITEV, .text = (p), .want = (r) }
#define STATUS(t) { .op = OP_STATUS, .text = (t) }
#define NO_STATUS(t) { .op = OP_NO_STATUS, .text = (t) }
#define DYNAMIC(t) { .op = OP_DYNAMIC, .text = (t) }
#define FORMAT(t, e) { .op = OP_FORMAT, .text = (t), .expect = (e) }
#define RECORD(t) { .op = OP_RECORD, .text = (t) }
#define OTHER(t, f, r) { .op = OP_OTHER, .text = (t), .flags = (f), .want = (r) }
#define OTHER_EXIT { .op = OP_OTHER_EXIT }

struct row {
	const char *name;
	struct step steps[24];
};

/*
 * A payload consists of words: 1=N 2=N 4=N 8=N is an integer of that number of bytes, s=TEXT is
 * text, z=N is N zero bytes, n=N is N bytes that count up, l=SIZE,OFFSET is the word of a loc
 * field. | ends a segment.
 *
 * A tracepoint @#0 is the first multi-format event of that name, @#1 the second.
 *
 * A format is "declaration/offset/size/signed" for each field, separated by spaces.
 */

/* rows.c */
extern const struct row rows[];
extern const size_t rows_count;

/* ---- The two kernels ---- */

struct record {
	char tracepoint[600];
	/* size of the payload; the real kernel's ring buffer rounds it up */
	size_t size;
	unsigned char data[PAGE];
};

struct world {
	const char *name;
	int (*open)(const char *path, int flags);
	int (*ioctl)(int fd, unsigned long request, void *arg);
	ssize_t (*write)(int fd, const void *buf, size_t n);
	ssize_t (*writev)(int fd, const struct iovec *iov, int n);
	ssize_t (*read)(int fd, void *buf, size_t n);
	int (*close)(int fd);
	/* These return 0 or -errno. */
	int (*trace)(const char *tracepoint, bool on);
	int (*perf)(const char *tracepoint);
	int (*perf_off)(void);
	long (*perf_count)(void);
	/* Returns the number of records since the last call, and the last of them. */
	int (*records)(struct record *last);
	int (*perfmon)(bool on);
	int (*max_events)(unsigned int n);
	int (*other)(const char *text, unsigned int flags);
	int (*other_exit)(const char *name);
	int (*compat)(int fd);
	/* Whether the ring buffer rounds sizes up to a multiple of 4. */
	bool rounds;
};

/* Each world is set up before its first row. */
extern const struct world fake_world, real_world;
void set_up_fake(void);
void set_up_real(void);
void tear_down_real(void);

/* abi_table.c */

extern const struct world *now; /* world that the table currently runs on */

__attribute__((noreturn, format(printf, 1, 2))) void die(const char *format, ...);
/* Multi-format events have their own system. */
const char *system_of(const char *tracepoint);
/* Returns the index or -errno. */
int register_event(int fd, const char *text, uint32_t *word, unsigned int flags);
int unregister_event(int fd, uint64_t addr, int bit);

/* fake_only.c: tests that only the fake can run. Adds the numbers of passed and failed checks. */
void check_fake_alone(int *passed, int *failed);

#endif
