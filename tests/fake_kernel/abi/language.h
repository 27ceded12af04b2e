/* SPDX-License-Identifier: MIT */
/*
 * The language in which the kernel ABI table is written. A row of the table is a sequence of steps.
 * The steps run on a "world", which is either the fake kernel or the real one.
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
 * Definitions copied from the kernel's uapi/linux/user_events.h, so that the table does not depend
 * on the definitions in the library and in the fake kernel.
 */
struct reg {
	uint32_t size;
	uint8_t enable_bit, enable_size;
	uint16_t flags;
	uint64_t enable_addr, name_args;
	uint32_t write_index;
	unsigned char tail[PAGE + 8];	/* members that a later kernel might add */
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

/* ---- Steps and rows ---- */

/* Location of an enable word or buffer. */
enum place {
	W0, W1, W2, W3,		/* 8-byte words, initially zero */
	W0_HIGH,		/* the upper 4 bytes of W0 */
	ODD1, ODD2, ODD3,	/* W0 plus 1, 2 and 3 bytes */
	FRESH,			/* a writable page that has not been accessed yet */
	LAST,			/* the last 4 bytes before an unmapped page */
	RO,			/* a read-only page */
	NOWHERE,		/* an unmapped page */
	PROTECTED,		/* a page without any permission */
	ZERO,			/* address 0 */
	KERNEL,			/* an address in the kernel's half of the address space */
	PLACES
};

enum op {
	OP_END,
	OP_FD,		/* select fd `bit` (0 to 3, initially 0); the first use opens it */
	OP_OPEN_RDONLY,	/* open the current fd as read-only */
	OP_CLOSE,	/* close the current fd */
	OP_REG,
	OP_UNREG,
	OP_DEL,
	OP_IOCTL,	/* call ioctl number `index` with argument `place` */
	OP_COMPAT,	/* register in the same way as a 32-bit process */
	OP_SET,		/* set the 4-byte word at `place` to `value` */
	OP_WORD,	/* check that the word (8 bytes if `size` is 8, else 4) equals `value` */
	OP_ON, OP_OFF,	/* enable or disable tracepoint `text` in ftrace */
	OP_PERF, OP_PERF_OFF,
	OP_WRITE,	/* write an index and the payload `text` */
	OP_WRITEV,	/* write the segments `text`, which include the index */
	OP_WRITE_AT,	/* write `value` bytes at `place` */
	OP_RECORD,	/* check that the last record belongs to tracepoint `text` */
	OP_PERF_COUNT,	/* check that perf has counted `value` events */
	OP_STATUS,	/* check that user_events_status contains the line `text` */
	OP_NO_STATUS,	/* check that no line of user_events_status starts with the name `text` */
	OP_DYNAMIC,	/* check that dynamic_events contains the line `text` */
	/* check that tracepoint `text` has the fields `expect` in its format file */
	OP_FORMAT,
	OP_PRINT,	/* check that the print format is `expect` */
	OP_UNMAP,	/* unmap the page at `place` */
	OP_PERFMON,	/* drop CAP_PERFMON if `value` is 0; restore it if `value` is 1 */
	OP_MAX,		/* set user_events_max to the current number of events plus `value` */
	OP_OTHER,	/* let another process register `text` */
	OP_OTHER_EXIT,	/* let the other process exit */
};

struct step {
	enum op op;
	/*
	 * @ is replaced by the name of the row's event, and ~ by as many 'a' as are needed for
	 * `length` bytes
	 */
	const char *text;
	const char *expect;
	enum place place;
	int bit, size, flags;
	unsigned int length;
	uint32_t struct_size;
	uint16_t reserved;
	unsigned char tail;	/* value of all bytes after the known structure */
	int index;		/* index to use, or expected index; -1 for any index */
	uint64_t value;
	long want;		/* expected result: 0 or -errno; for writes also OK or LOST */
};

#define OK 1L		/* all bytes were accepted and recorded unchanged */
#define LOST 2L		/* all bytes were accepted, but ftrace recorded nothing */
#define ANY (-1)

/* Short forms of common steps. A row can also write out a step in full. */
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
 * A payload consists of words. 1=N, 2=N, 4=N and 8=N are integers of that number of bytes. s=TEXT
 * is text. z=N is N zero bytes. n=N is N bytes with increasing values. l=SIZE,OFFSET is the 32-bit
 * word of a loc field. | ends a segment.
 *
 * The tracepoint @#0 is the first multi-format event with the name @, and @#1 is the second one.
 *
 * A format is "declaration/offset/size/signed" for each field, separated by spaces.
 */

/* rows.c */
extern const struct row rows[];
extern const size_t rows_count;

/* ---- The two worlds ---- */

struct record {
	char tracepoint[600];
	/* payload size; the ring buffer of the real kernel rounds it up */
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
	/* The following functions return 0 or -errno. */
	int (*trace)(const char *tracepoint, bool on);
	int (*perf)(const char *tracepoint);
	int (*perf_off)(void);
	long (*perf_count)(void);
	/*
	 * Returns the number of records since the last call, and stores the last of these records.
	 */
	int (*records)(struct record *last);
	int (*perfmon)(bool on);
	int (*max_events)(unsigned int n);
	int (*other)(const char *text, unsigned int flags);
	int (*other_exit)(const char *name);
	int (*compat)(int fd);
	/* The ring buffer rounds sizes up to a multiple of 4. */
	bool rounds;
};

/* Functions that set up each world before its first row runs. */
extern const struct world fake_world, real_world;
void set_up_fake(void);
void set_up_real(void);
void tear_down_real(void);

/* abi_table.c */

extern const struct world *now; /* the world that the table is running on */

__attribute__((noreturn, format(printf, 1, 2))) void die(const char *format, ...);
/* Returns the system of a tracepoint. Multi-format events have their own system. */
const char *system_of(const char *tracepoint);
/* Returns the write index, or -errno on failure. */
int register_event(int fd, const char *text, uint32_t *word, unsigned int flags);
int unregister_event(int fd, uint64_t addr, int bit);

/*
 * Runs the tests of fake_only.c, which can run only on the fake kernel. Adds the numbers of passed
 * and failed checks to its arguments.
 */
void check_fake_alone(int *passed, int *failed);

#endif
