/* SPDX-License-Identifier: MIT */
/*
 * One table of registrations and writes, for the fake kernel and the real one: what the kernel
 * answers, what it does to the process's enable words, what a tracer gets, what tracefs shows.
 *
 *	abi_table [fake]	against tests/fake_kernel/fake_kernel.c
 *	abi_table real		against the running kernel: as root, tracefs at /sys/kernel/tracing
 *	abi_table compare [N [FIRST]]	N random cases (1000) on both, which must agree
 *	abi_table list		names of the rows
 *
 * Every row expects the same of both. A row that fails prints one line; the last line is
 * "N passed, N failed", and the exit status is 0 if none failed.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <sys/uio.h>
#include "fake_kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <libgen.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* musl-gcc on a glibc system finds no kernel headers; the fake needs none. */
#if __has_include(<linux/perf_event.h>)
#include <linux/capability.h>
#include <linux/perf_event.h>
#define WITH_REAL
#endif

#define ARRAY_SIZE(a) (sizeof(a) / sizeof(*(a)))
#define TRACEFS "/sys/kernel/tracing"
#define INSTANCE TRACEFS "/instances/abi_table"
#define LITTLE (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
#define PAGE 4096
#define PAYLOAD_MAX 70000

/* As the kernel's uapi/linux/user_events.h has them, from memory of neither library nor fake. */
struct reg {
	uint32_t size;
	uint8_t enable_bit, enable_size;
	uint16_t flags;
	uint64_t enable_addr, name_args;
	uint32_t write_index;
	unsigned char tail[PAGE + 8];	/* what a newer kernel would add */
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

/* Where an enable word is, or a buffer. */
enum place {
	W0, W1, W2, W3,		/* 8-byte words, zero at first */
	W0_HIGH,		/* the second 4 bytes of W0 */
	ODD1, ODD2, ODD3,	/* W0 plus 1, 2 and 3 bytes */
	FRESH,			/* a writable page that nobody touched yet */
	LAST,			/* the last 4 bytes before an unmapped page */
	RO,			/* a read-only page */
	NOWHERE,		/* an unmapped page */
	PROTECTED,		/* a page without any permission */
	ZERO,			/* address 0 */
	KERNEL,			/* the kernel's half of the address space */
	PLACES
};

enum op {
	OP_END,
	OP_FD,		/* use fd `bit` (0 at first) of 4; opened when it is first used */
	OP_OPEN_RDONLY,	/* open the fd in use for reading only */
	OP_CLOSE,	/* close the fd in use */
	OP_REG,
	OP_UNREG,
	OP_DEL,
	OP_IOCTL,	/* ioctl number `index` with argument `place` */
	OP_COMPAT,	/* register as a 32-bit process does */
	OP_SET,		/* the 4-byte word at `place` becomes `value` */
	OP_WORD,	/* it must be `value`; of 8 bytes if that is `size` */
	OP_ON, OP_OFF,	/* ftrace listens to tracepoint `text`, or no more */
	OP_PERF, OP_PERF_OFF,
	OP_WRITE,	/* an index and the payload `text` */
	OP_WRITEV,	/* segments `text`, index included */
	OP_WRITE_AT,	/* `value` bytes at `place` */
	OP_RECORD,	/* the last record is of tracepoint `text` */
	OP_PERF_COUNT,	/* perf has counted `value` events */
	OP_STATUS,	/* user_events_status has the line `text` */
	OP_NO_STATUS,	/* it has no line that begins with the name `text` */
	OP_DYNAMIC,	/* dynamic_events has the line `text` */
	OP_FORMAT,	/* fields in the format file of tracepoint `text` are `expect` */
	OP_PRINT,	/* its print fmt is `expect` */
	OP_UNMAP,	/* the page of `place` is unmapped */
	OP_PERFMON,	/* CAP_PERFMON: `value` 0: given up, 1: back */
	OP_MAX,		/* user_events_max: `value` more than there are events */
	OP_OTHER,	/* another process registers `text` */
	OP_OTHER_EXIT,	/* and ends */
};

struct step {
	enum op op;
	const char *text;	/* @: the row's event name; ~: as many 'a' as make `length` bytes */
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

#define OK 1L		/* all bytes taken, and recorded as they were */
#define LOST 2L		/* all bytes taken, and ftrace has no record */
#define ANY (-1)

/* The common ones in short; a row may write a step in full. */
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
 * A payload is written as words: 1=N 2=N 4=N 8=N an integer of so many bytes, s=TEXT bytes, z=N
 * zero bytes, n=N bytes that count up, l=SIZE,OFFSET the word of a loc field. | ends a segment.
 *
 * A tracepoint @#0 is the first multi-format event of that name, @#1 the second.
 *
 * A format is "declaration/offset/size/signed" for each field, separated by spaces.
 */

/* A field type that is taken, with the size that it has (the offset of what follows it). */
#define TAKEN(type, shown, end) \
	{ "field '" type "' is taken", { \
		REG("@ " type "; u8 end", W0, 0, 0), \
		FORMAT("@", shown " u8 end/" end "/1/0"), \
		DYNAMIC("u:@ " type "; u8 end"), \
		/* The same text names the same event. */ \
		REG("@ " type "; u8 end", W1, 0, 0), \
	} }
#define BAD(text) REG(text, W0, 0, -EINVAL)

static const struct row rows[] = {

/* ---- Field types that are taken ---- */

TAKEN("u8 f", "u8 f/8/1/0", "9"),
TAKEN("u16 f", "u16 f/8/2/0", "10"),
TAKEN("u32 f", "u32 f/8/4/0", "12"),
TAKEN("u64 f", "u64 f/8/8/0", "16"),
TAKEN("s8 f", "s8 f/8/1/1", "9"),
TAKEN("s16 f", "s16 f/8/2/1", "10"),
TAKEN("s32 f", "s32 f/8/4/1", "12"),
TAKEN("s64 f", "s64 f/8/8/1", "16"),
TAKEN("char f", "char f/8/1/1", "9"),
TAKEN("short f", "short f/8/2/1", "10"),
TAKEN("int f", "int f/8/4/1", "12"),
TAKEN("unsigned char f", "unsigned char f/8/1/0", "9"),
TAKEN("unsigned short f", "unsigned short f/8/2/0", "10"),
TAKEN("unsigned int f", "unsigned int f/8/4/0", "12"),
TAKEN("char[1] f", "char f[]/8/1/1", "9"),
TAKEN("char[16] f", "char f[]/8/16/1", "24"),
TAKEN("char[1024] f", "char f[]/8/1024/1", "1032"),
TAKEN("unsigned char[1] f", "unsigned char f[]/8/1/0", "9"),
TAKEN("unsigned char[1024] f", "unsigned char f[]/8/1024/0", "1032"),
TAKEN("struct point f 12", "struct point f/8/12/1", "20"),
TAKEN("struct point f 1", "struct point f/8/1/1", "9"),
TAKEN("struct point f 5000", "struct point f/8/5000/1", "5008"),
TAKEN("__rel_loc char[] f", "__rel_loc char f[]/8/4/1", "12"),
TAKEN("__rel_loc u8[] f", "__rel_loc u8 f[]/8/4/1", "12"),
TAKEN("__rel_loc u16[] f", "__rel_loc u16 f[]/8/4/1", "12"),
TAKEN("__rel_loc u64[] f", "__rel_loc u64 f[]/8/4/1", "12"),
TAKEN("__rel_loc unsigned char[] f", "__rel_loc unsigned char f[]/8/4/1", "12"),
TAKEN("__rel_loc float f", "__rel_loc float f/8/4/1", "12"),
TAKEN("__data_loc char[] f", "__data_loc char[] f/8/4/1", "12"),
TAKEN("__data_loc u8[] f", "__data_loc u8[] f/8/4/1", "12"),
TAKEN("__data_loc unsigned short[] f", "__data_loc unsigned short[] f/8/4/1", "12"),
TAKEN("__data_loc bool f", "__data_loc bool f/8/4/1", "12"),
/* The number in brackets is read as C reads it, and nothing behind the bracket is. */
TAKEN("char[0x10] f", "char f[]/8/16/1", "24"),
TAKEN("char[010] f", "char f[]/8/8/1", "16"),
TAKEN("char[+16] f", "char f[]/8/16/1", "24"),
TAKEN("char[4][4] f", "char f[]/8/4/1", "12"),

/* ---- Fields that are refused ---- */

{ "types that no kernel knows are refused", {
	BAD("@ long f"), BAD("@ unsigned long f"), BAD("@ long long f"), BAD("@ bool f"),
	BAD("@ float f"), BAD("@ double f"), BAD("@ size_t f"), BAD("@ u128 f"), BAD("@ U32 f"),
	BAD("@ unsigned f"), BAD("@ unsigned u32 f"), BAD("@ signed int f"),
	BAD("@ const int f"), BAD("@ short int f"), BAD("@ void* f"), BAD("@ void * f"),
	BAD("@ u32[4] f"), BAD("@ u8[4] f"), NO_STATUS("@") } },
{ "arrays without a good length are refused", {
	BAD("@ char[0] f"), BAD("@ char[1025] f"), BAD("@ unsigned char[0] f"),
	BAD("@ unsigned char[1025] f"), BAD("@ char[] f"), BAD("@ unsigned char[] f"),
	BAD("@ char[-1] f"), BAD("@ char[x] f"), BAD("@ char[4 f"), BAD("@ char f[4]x y"),
	BAD("@ char[0000016] f"), NO_STATUS("@") } },
{ "structs without a good size are refused", {
	BAD("@ struct point f"), BAD("@ struct point"), BAD("@ struct point f 0"),
	BAD("@ struct point f x"), BAD("@ struct point f 0x10"), BAD("@ struct point f -1"),
	BAD("@ struct point f 4 "), BAD("@ union point f 4"), NO_STATUS("@") } },
{ "what is no type and name is refused", {
	BAD("@ u32 f 4"), BAD("@ u32"), BAD("@ f"), BAD("@ __rel_loc f"),
	BAD("@ __rel_loc char[]"), BAD("@ __data_loc f"), BAD("@ u32  f"), BAD("@ u32\tf"),
	BAD("@ u32 f "), BAD("@ u32 f ; u32 g"), BAD("@ u32 f; u32 g "), BAD("@ u32 f, u32 g"),
	BAD("@ u32 f; bool g"), NO_STATUS("@") } },
{ "a name with a colon or a space before it is refused", {
	BAD("@:FLAG u32 f"), BAD("@: u32 f"), BAD("@:"), BAD(":@ u32 f"), BAD(" @ u32 f"),
	NO_STATUS("@") } },

/* ---- Taken without complaint, though nobody can use it ---- */

{ "an empty name is taken", { REG("", W0, 0, 0), STATUS("") } },
{ "an empty name with fields is taken", { REG(" u32 f", W0, 0, 0), STATUS("") } },
{ "a name with / is taken", { REG("@/x u32 f", W0, 0, 0), STATUS("@/x") } },
{ "a name with - is taken", { REG("@-x u32 f", W0, 0, 0), STATUS("@-x") } },
{ "a name with . is taken", { REG("@.x u32 f", W0, 0, 0), STATUS("@.x") } },
{ "a name with ; is taken", { REG("@;x u32 f", W0, 0, 0), STATUS("@;x") } },
{ "a name with a tab is taken", { REG("@\tx u32 f", W0, 0, 0), STATUS("@\tx") } },
{ "a non-ASCII name is taken", { REG("@\xc3\xa9 u32 f", W0, 0, 0), STATUS("@\xc3\xa9") } },
{ "a name of digits is taken", { REG("1@ u32 f", W0, 0, 0), STATUS("1@") } },
{ "a space behind a name without fields is taken", {
	REG("@ ", W0, 0, 0), DYNAMIC("u:@"), REG("@", W1, 0, 0) } },
{ "two spaces behind the name are taken", {
	REG("@  u32 f", W0, 0, 0), DYNAMIC("u:@ u32 f"), REG("@ u32 f", W1, 0, 0) } },
{ "two fields of one name are taken", {
	REG("@ u32 f; u8 f", W0, 0, 0), FORMAT("@", "u32 f/8/4/0 u8 f/12/1/0") } },
{ "a field common_pid is taken", { REG("@ u32 common_pid", W0, 0, 0) } },
{ "a field x-y is taken", { REG("@ u32 x-y", W0, 0, 0), DYNAMIC("u:@ u32 x-y") } },
{ "a field x,y is taken", { REG("@ u32 x,y", W0, 0, 0), DYNAMIC("u:@ u32 x,y") } },
{ "a field *f is taken, and is no pointer", {
	REG("@ char *f", W0, 0, 0), FORMAT("@", "char *f/8/1/1") } },
{ "a field 123 is taken", { REG("@ u32 123", W0, 0, 0), DYNAMIC("u:@ u32 123") } },
{ "a field x:y is taken", { REG("@ u32 x:y", W0, 0, 0), DYNAMIC("u:@ u32 x:y") } },
{ "a non-ASCII field is taken", { REG("@ u32 \xc3\xa9", W0, 0, 0) } },
/* One trailing space and no name is an empty name; a name and a trailing space are refused. */
{ "a field with an empty name is taken", { REG("@ u32 ", W0, 0, 0), FORMAT("@", "u32 /8/4/0") } },
{ "nothing but an empty field is taken", { REG("@ ;", W0, 0, 0), DYNAMIC("u:@") } },
{ "an empty field is taken", {
	REG("@ u8 a;; u8 b", W0, 0, 0), FORMAT("@", "u8 a/8/1/0 u8 b/9/1/0") } },
{ "an empty field makes an event that nobody can register again", {
	REG("@ u8 a;; u8 b", W0, 0, 0), REG("@ u8 a;; u8 b", W1, 0, -EADDRINUSE),
	REG("@ u8 a; u8 b", W1, 0, 0) } },
{ "a semicolon at the end is taken", {
	REG("@ u8 a;", W0, 0, 0), REG("@ u8 a;", W1, 0, 0), REG("@ u8 a", W2, 0, 0),
	FORMAT("@", "u8 a/8/1/0") } },
{ "a semicolon and a space at the end are taken", {
	REG("@ u8 a; ", W0, 0, 0), REG("@ u8 a", W1, 0, 0) } },
{ "white space before a field is taken", {
	REG("@ u8 a; \t\n u8 b", W0, 0, 0), REG("@ u8 a; u8 b", W1, 0, 0) } },

/* White space is Latin-1's, and a number may end in a newline. */
{ "a no-break space before a field is taken", {
	REG("@ u8 a;\xa0u8 b", W0, 0, 0), REG("@ u8 a; u8 b", W1, 0, 0),
	DYNAMIC("u:@ u8 a; u8 b") } },
{ "a field with a no-break space cannot be registered again", {
	REG("@ u8 \xc3\xa0", W0, 0, 0), REG("@ u8 \xc3\xa0", W1, 0, -EADDRINUSE) } },
{ "a newline in the brackets is taken", {
	REG("@ char[3\n] a; u8 b", W0, 0, 0), ON("@"), WRITE(0, "n=3", -EINVAL),
	WRITE(0, "n=4", OK) } },
/* The size is read unsigned and used signed. */
{ "a struct of 2^32 - 1 bytes is refused with EPERM", {
	REG("@ struct s f 4294967295", W0, 0, -EPERM),
	REG("@ struct s f 4294967274", W0, 0, -EINVAL),
	REG("@ struct s f 4294967296", W0, 0, -EINVAL) } },

/* ---- Fields in a row ---- */

{ "fields are packed without padding", {
	REG("@ u8 a; u64 b; u16 c; char[3] d; u32 e", W0, 0, 0),
	FORMAT("@", "u8 a/8/1/0 u64 b/9/8/0 u16 c/17/2/0 char d[]/19/3/1 u32 e/22/4/0") } },
{ "an event without fields shows none", { REG("@", W0, 0, 0), FORMAT("@", ""), DYNAMIC("u:@") } },
{ "ints are shown by %u and %d, char[N] and loc char[] by %s", {
	REG("@ u8 a; s16 b; u64 c; char[4] d; __rel_loc char[] e; __data_loc char[] f", W0, 0, 0),
	{ .op = OP_PRINT, .text = "@", .expect =
	  "\"a=%u b=%d c=%llu d=%s e=%s f=%s\", REC->a, REC->b, REC->c, REC->d, "
	  "__get_rel_str(e), __get_str(f)" } } },
{ "loc fields of other types are shown as numbers", {
	REG("@ __rel_loc u8[] a; struct s b 3; s64 c; unsigned char d", W0, 0, 0),
	{ .op = OP_PRINT, .text = "@", .expect =
	  "\"a=%llu b=%llu c=%lld d=%u\", REC->a, REC->b, REC->c, REC->d" } } },
{ "100 fields are taken", {
	REG("@ u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;"
	    "u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;"
	    "u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;"
	    "u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;"
	    "u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;"
	    "u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a",
	    W0, 0, 0), ON("@"), WRITE(0, "n=99", -EINVAL), WRITE(0, "n=100", OK) } },

/* ---- Length ---- */

{ "511 bytes with a long field name are taken", {
	{ .op = OP_REG, .text = "@ u8 ~", .length = 511, .size = 4, .index = 0 } } },
{ "512 bytes with a long field name are refused", {
	{ .op = OP_REG, .text = "@ u8 ~", .length = 512, .size = 4, .want = -EINVAL } } },
{ "a short event after a refused long one is taken", {
	{ .op = OP_REG, .text = "@ u8 ~", .length = 513, .size = 4, .want = -EINVAL },
	REGI("@ u8 a", W0, 0, 0) } },
{ "511 bytes with a name of 200 are taken", {
	{ .op = OP_REG, .text = "@_"
	  "01234567890123456789012345678901234567890123456789012345678901234567890123456789"
	  "01234567890123456789012345678901234567890123456789012345678901234567890123456789"
	  "01234567890123456789012345678901234567 u8 ~", .length = 511, .size = 4, .index = 0 } } },
{ "5000 bytes are refused", {
	{ .op = OP_REG, .text = "@ u8 ~", .length = 5000, .size = 4, .want = -EINVAL } } },

/* ---- Enable words: address, bit, size ---- */

{ "an address off by 1, 2 or 3 is refused", {
	REG("@ u8 a", ODD1, 0, -EINVAL), REG("@ u8 a", ODD2, 0, -EINVAL),
	REG("@ u8 a", ODD3, 0, -EINVAL) } },
{ "a 4-byte word needs no 8-byte alignment", {
	REG("@ u8 a", W0_HIGH, 3, 0), ON("@"), WORD(W0_HIGH, 8), WORD(W0, 0) } },
{ "a page that cannot be written is refused", {
	REG("@ u8 a", RO, 0, -ENOMEM), REG("@ u8 a", NOWHERE, 0, -ENOMEM),
	REG("@ u8 a", PROTECTED, 0, -ENOMEM), REG("@ u8 a", ZERO, 0, -ENOMEM) } },
{ "a page that nobody touched is taken", {
	REG("@ u8 a", FRESH, 0, 0), ON("@"), WORD(FRESH, 1) } },
{ "the last word before an unmapped page is taken", {
	REG("@ u8 a", LAST, 31, 0), ON("@"), WORD(LAST, 0x80000000) } },
{ "a registration whose word cannot be written keeps its index in the fd", {
	REG("@ u8 a", RO, 0, -ENOMEM), STATUS("@"), REGI("@_b u8 a", W0, 0, 1),
	ON("@"), WRITE(0, "1=7", OK), RECORD("@") } },
{ "bit 31 of a 4-byte word is taken", {
	REG("@ u8 a", W0, 31, 0), ON("@"), WORD(W0, 0x80000000), OFF("@"), WORD(W0, 0) } },
{ "bits 32 and 255 of a 4-byte word are refused", {
	REG("@ u8 a", W0, 32, -EINVAL), REG("@ u8 a", W0, 255, -EINVAL) } },
{ "a size of 0, 1, 2 or 16 is refused", {
	REGS("@ u8 a", W0, 0, 0, -EINVAL), REGS("@ u8 a", W0, 0, 1, -EINVAL),
	REGS("@ u8 a", W0, 0, 2, -EINVAL), REGS("@ u8 a", W0, 0, 16, -EINVAL) } },
#if LONG_MAX > 0x7fffffff
{ "an address of the kernel's is refused", { REG("@ u8 a", KERNEL, 0, -EFAULT) } },
{ "bit 63 of an 8-byte word is taken", {
	REG8("@ u8 a", W0, 63, 0), ON("@"), { .op = OP_WORD, .size = 8, .value = 1ull << 63 },
	OFF("@"), { .op = OP_WORD, .size = 8 } } },
{ "bit 32 of an 8-byte word is taken", {
	SET(W0, 0x50005), SET(W0_HIGH, 0x50005), REG8("@ u8 a", W0, 32, 0), ON("@"),
	{ .op = OP_WORD, .size = 8, .value = 0x5000500050005 | 1ull << 32 }, UNREG(W0, 32, 0),
	{ .op = OP_WORD, .size = 8, .value = 0x5000400050005 } } },
{ "bit 64 of an 8-byte word is refused", { REG8("@ u8 a", W0, 64, -EINVAL) } },
{ "an 8-byte word needs 8-byte alignment", { REG8("@ u8 a", W0_HIGH, 0, -EINVAL) } },
{ "8 and 4 bytes at one address and bit are the same word", {
	REG8("@ u8 a", W0, 1, 0), REG("@ u8 a", W0, 1, -EADDRINUSE) } },
#else
{ "an 8-byte word is refused on 32 bits", { REG8("@ u8 a", W0, 0, -EINVAL) } },
#endif

/* ---- Enable words: what the kernel does to them ---- */

{ "other bits of the word are not touched", {
	SET(W0, 0xf0000000), REG("@ u8 a", W0, 0, 0), REG("@_b u8 a", W0, 1, 0),
	WORD(W0, 0xf0000000), ON("@"), ON("@_b"), WORD(W0, 0xf0000003),
	OFF("@_b"), WORD(W0, 0xf0000001), OFF("@"), WORD(W0, 0xf0000000) } },
{ "other bits may change while an event is registered", {
	REG("@ u8 a", W0, 0, 0), ON("@"), SET(W0, 0xfffffffd), OFF("@"), WORD(W0, 0xfffffffc),
	ON("@"), WORD(W0, 0xfffffffd), UNREG(W0, 0, 0), WORD(W0, 0xfffffffc) } },
{ "registering clears the bit while nobody listens", {
	SET(W0, 0xff), REG("@ u8 a", W0, 4, 0), WORD(W0, 0xef) } },
{ "registering an event that has a listener sets the bit", {
	REG("@ u8 a", W0, 0, 0), ON("@"), REG("@ u8 a", W1, 5, 0), WORD(W1, 1u << 5) } },
{ "a second enabler on the same address and bit is refused", {
	REG("@ u8 a", W0, 0, 0), REG("@ u8 a", W0, 0, -EADDRINUSE),
	REG("@_b u8 a", W0, 0, -EADDRINUSE) } },
{ "a second enabler from another fd is refused", {
	REG("@ u8 a", W0, 0, 0), FD(1), REG("@ u8 a", W0, 0, -EADDRINUSE) } },
{ "the same bit of a word's two halves is two bits", {
	REG("@ u8 a", W0, 0, 0), REG("@_b u8 a", W0_HIGH, 0, 0), ON("@_b"),
	WORD(W0, 0), WORD(W0_HIGH, 1) } },
{ "one event sets all its words", {
	REG("@ u8 a", W0, 0, 0), REG("@ u8 a", W1, 7, 0), FD(1), REG("@ u8 a", W2, 31, 0),
	ON("@"), WORD(W0, 1), WORD(W1, 1 << 7), WORD(W2, 0x80000000),
	OFF("@"), WORD(W0, 0), WORD(W1, 0), WORD(W2, 0) } },
{ "one event may have several bits of a word", {
	REG("@ u8 a", W0, 0, 0), REG("@ u8 a", W0, 9, 0), ON("@"), WORD(W0, 0x201),
	UNREG(W0, 9, 0), WORD(W0, 1) } },
{ "enabling twice is enabling once", {
	REG("@ u8 a", W0, 0, 0), ON("@"), ON("@"), OFF("@"), WORD(W0, 0),
	WRITE(0, "1=1", -EBADF) } },
{ "words follow the tracers when the fd is closed", {
	REG("@ u8 a", W0, 0, 0), CLOSE, ON("@"), WORD(W0, 1), OFF("@"), WORD(W0, 0) } },
{ "an unmapped word does not disturb the others", {
	REG("@ u8 a", FRESH, 0, 0), REG("@ u8 a", W0, 0, 0),
	{ .op = OP_UNMAP, .place = FRESH }, ON("@"), WORD(W0, 1), OFF("@"), WORD(W0, 0) } },
{ "perf alone sets the bit", {
	REG("@ u8 a", W0, 0, 0), { .op = OP_PERF, .text = "@" }, WORD(W0, 1),
	STATUS("@ # Used by perf"),
	{ .op = OP_PERF_OFF }, WORD(W0, 0), STATUS("@") } },
{ "the bit stays until the last tracer leaves", {
	REG("@ u8 a", W0, 0, 0), { .op = OP_PERF, .text = "@" }, ON("@"),
	STATUS("@ # Used by ftrace perf"), OFF("@"), WORD(W0, 1), STATUS("@ # Used by perf"),
	{ .op = OP_PERF_OFF }, WORD(W0, 0) } },
{ "ftrace alone is shown in the status", {
	REG("@ u8 a", W0, 0, 0), STATUS("@"), ON("@"), STATUS("@ # Used by ftrace"),
	OFF("@"), STATUS("@") } },

/* ---- Indexes ---- */

{ "indexes of an fd count from 0", {
	REGI("@ u8 a", W0, 0, 0), REGI("@_b u8 a", W1, 0, 1), REGI("@_c u8 a", W2, 0, 2) } },
{ "each fd has its own indexes", {
	REGI("@ u8 a", W0, 0, 0), FD(1), REGI("@_b u8 a", W1, 0, 0), REGI("@ u8 a", W2, 0, 1) } },
{ "same name, same fields, another address: the same index", {
	REGI("@ u8 a", W0, 0, 0), REGI("@_b u8 a", W1, 0, 1), REGI("@ u8 a", W2, 0, 0) } },
{ "a refused registration takes no index", {
	REG("@ bool a", W0, 0, -EINVAL), REGI("@ u8 a", W0, 0, 0) } },
{ "an index survives unregistering", {
	REGI("@ u8 a", W0, 0, 0), UNREG(W0, 0, 0), REGI("@_b u8 a", W0, 0, 1),
	REGI("@ u8 a", W1, 0, 0) } },

/* ---- One name, several registrations ---- */

{ "same name, other fields: refused", {
	REG("@ u8 a", W0, 0, 0), REG("@ u8 b", W1, 0, -EADDRINUSE),
	REG("@ u16 a", W1, 0, -EADDRINUSE), REG("@ u8 a; u8 b", W1, 0, -EADDRINUSE),
	REG("@", W1, 0, -EADDRINUSE), REG("@ ", W1, 0, -EADDRINUSE) } },
{ "a name without fields against one with fields: refused", {
	REG("@", W0, 0, 0), REG("@ u8 a", W1, 0, -EADDRINUSE), REG("@ ;", W1, 0, -EADDRINUSE) } },
{ "a refused second format leaves the word alone", {
	REG("@ u8 a", W0, 0, 0), SET(W1, 0xff), REG("@ u8 b", W1, 0, -EADDRINUSE),
	WORD(W1, 0xff) } },
{ "bad fields under a taken name: the name is told", {
	REG("@ u8 a", W0, 0, 0), REG("@ bool b", W1, 0, -EADDRINUSE) } },
{ "bad fields at a taken address: the address is told", {
	REG("@ u8 a", W0, 0, 0), REG("@ bool b", W0, 0, -EADDRINUSE),
	REG("@_c:x u8 a", W0, 0, -EADDRINUSE) } },
{ "white space does not make other fields", {
	REG("@ u8 a; u8 b", W0, 0, 0), REG("@ u8 a;u8 b", W1, 0, 0),
	REG("@ u8 a;  u8 b", W2, 0, 0), REG("@  u8 a; u8 b;", W3, 0, 0) } },
{ "'a;b' registers again as 'a;b' and as 'a; b'", {
	REGI("@ u8 a;u8 b", W0, 0, 0), REGI("@ u8 a;u8 b", W1, 0, 0),
	REGI("@ u8 a; u8 b", W2, 0, 0), DYNAMIC("u:@ u8 a; u8 b") } },
{ "structs are compared with their sizes", {
	REG("@ struct s a 8", W0, 0, 0), REG("@ struct s a 8", W1, 0, 0),
	REG("@ struct s a 9", W2, 0, -EADDRINUSE), REG("@ struct s a 08", W2, 0, -EADDRINUSE) } },
{ "a name that begins with the other is another name", {
	REG("@ u8 a", W0, 0, 0), REG("@ u8 ab", W1, 0, -EADDRINUSE), REG("@b u8 a", W1, 0, 0),
	REG("@b u8 ab", W2, 0, -EADDRINUSE), REG("@ u16 a; u8 bc", W2, 0, -EADDRINUSE) } },
{ "the order of fields counts", {
	REG("@ u8 a; u8 b", W0, 0, 0), REG("@ u8 b; u8 a", W1, 0, -EADDRINUSE) } },
{ "other spellings of a type are other types", {
	REG("@ u32 a", W0, 0, 0), REG("@ unsigned int a", W1, 0, -EADDRINUSE) } },
{ "multi-format: other fields are another event of that name", {
	REGF("@ u8 a", W0, 0, 2, 0), REGF("@ u8 b", W1, 0, 2, 0), REGF("@ u8 a", W2, 0, 2, 0),
	STATUS("@#0"), STATUS("@#1"), NO_STATUS("@"), NO_STATUS("@#2"),
	FORMAT("@#0", "u8 a/8/1/0"), FORMAT("@#1", "u8 b/8/1/0"),
	ON("@#1"), WORD(W0, 0), WORD(W1, 1), WORD(W2, 0),
	ON("@#0"), WORD(W0, 1), WORD(W2, 1),
	WRITE(0, "1=5", OK), RECORD("@#0"), WRITE(1, "1=6", OK), RECORD("@#1") } },
{ "multi-format: a lone event is numbered, too", {
	REGF("@ u8 a", W0, 0, 2, 0), STATUS("@#0"), NO_STATUS("@"), DYNAMIC("u:@ u8 a") } },
{ "multi-format beside a single-format event of that name", {
	REG("@ u8 a", W0, 0, 0), REGF("@ u16 b", W1, 0, 2, 0), STATUS("@"), STATUS("@#0"),
	ON("@"), WORD(W0, 1), WORD(W1, 0) } },
{ "multi-format with the fields of a single-format event is an event of its own", {
	REGI("@ u8 a", W0, 0, 0),
	{ .op = OP_REG, .text = "@ u8 a", .place = W1, .size = 4, .flags = 2, .index = 1 },
	STATUS("@"), STATUS("@#0") } },
{ "single-format beside a multi-format event of that name", {
	REGF("@ u8 a", W0, 0, 2, 0), REG("@ u16 b", W1, 0, 0), STATUS("@"), STATUS("@#0") } },
{ "multi-format: bad fields are refused", { REGF("@ bool a", W0, 0, 2, -EINVAL) } },
{ "a name that another process holds with the same fields is shared", {
	OTHER("@ u8 a", 0, 0), REG("@ u8 a", W0, 0, 0), ON("@"), WORD(W0, 1) } },
{ "a name that another process holds with other fields is refused", {
	OTHER("@ u8 a", 0, 0), REG("@ u8 b", W0, 0, -EADDRINUSE), REGF("@ u8 b", W0, 0, 2, 0),
	STATUS("@"), STATUS("@#0") } },
{ "a name that another process held is free when that ends", {
	OTHER("@ u8 a", 0, 0), OTHER_EXIT, NO_STATUS("@"), REG("@ u8 b", W0, 0, 0) } },
{ "an event of two processes stays when one ends", {
	OTHER("@ u8 a", 0, 0), REG("@ u8 a", W0, 0, 0), OTHER_EXIT, STATUS("@"),
	REG("@ u8 b", W1, 0, -EADDRINUSE) } },
{ "another process's multi-format event with the same fields is shared", {
	OTHER("@ u8 a", 2, 0), REGF("@ u8 a", W0, 0, 2, 0), NO_STATUS("@#1") } },

/* ---- Structures and flags ---- */

{ "unknown flags are refused, also beside a known one", {
	REGF("@ u8 a", W0, 0, 4, -EINVAL), REGF("@ u8 a", W0, 0, 0x8000, -EINVAL),
	REGF("@ u8 a", W0, 0, 6, -EINVAL) } },
{ "a shorter structure is refused", {
	{ .op = OP_REG, .text = "@ u8 a", .size = 4, .struct_size = 1, .want = -EINVAL },
	{ .op = OP_REG, .text = "@ u8 a", .size = 4, .struct_size = 27, .want = -EINVAL } } },
{ "a longer structure with zeros is taken", {
	{ .op = OP_REG, .text = "@ u8 a", .size = 4, .struct_size = 32, .index = 0 },
	{ .op = OP_REG, .text = "@ u8 a", .place = W1, .size = 4, .struct_size = 4096 } } },
{ "a longer structure with anything else is refused", {
	{ .op = OP_REG, .text = "@ u8 a", .size = 4, .struct_size = 32, .tail = 1,
	  .want = -E2BIG } } },
{ "a structure longer than a page is refused", {
	{ .op = OP_REG, .text = "@ u8 a", .size = 4, .struct_size = 4097, .want = -E2BIG },
	{ .op = OP_REG, .text = "@ u8 a", .size = 4, .struct_size = UINT32_MAX,
	  .want = -E2BIG } } },
{ "no name is a fault", { REG(NULL, W0, 0, -EFAULT) } },
{ "no structure is a fault", {
	{ .op = OP_IOCTL, .value = IOC_REG, .place = ZERO, .want = -EFAULT },
	{ .op = OP_IOCTL, .value = IOC_UNREG, .place = ZERO, .want = -EFAULT },
	{ .op = OP_IOCTL, .value = IOC_DEL, .place = ZERO, .want = -EFAULT },
	{ .op = OP_IOCTL, .value = IOC_REG, .place = PROTECTED, .want = -EFAULT } } },
{ "another ioctl is none", {
	{ .op = OP_IOCTL, .value = _IO('*', 3), .want = -ENOTTY },
	{ .op = OP_IOCTL, .value = _IOWR('*', 0, uint16_t), .want = -ENOTTY },
	{ .op = OP_IOCTL, .value = 0, .want = -ENOTTY } } },
{ "a registration through a read-only fd is taken", {
	{ .op = OP_OPEN_RDONLY }, REGI("@ u8 a", W0, 0, 0) } },
#ifdef __x86_64__
{ "a 32-bit process on 64 bits cannot register", { { .op = OP_COMPAT, .want = -ENOTTY } } },
#endif

/* ---- Unregistering ---- */

{ "unregistering clears the bit", {
	SET(W0, 0xf0), REG("@ u8 a", W0, 0, 0), ON("@"), WORD(W0, 0xf1), UNREG(W0, 0, 0),
	WORD(W0, 0xf0), OFF("@"), ON("@"), WORD(W0, 0xf0) } },
{ "a second unregistering is refused", {
	REG("@ u8 a", W0, 0, 0), UNREG(W0, 0, 0), UNREG(W0, 0, -ENOENT) } },
{ "unregistering what never was is refused", { UNREG(W0, 0, -ENOENT) } },
{ "unregistering another bit is refused", {
	REG("@ u8 a", W0, 0, 0), UNREG(W0, 1, -ENOENT), UNREG(W1, 0, -ENOENT),
	UNREG(W0_HIGH, 0, -ENOENT), ON("@"), WORD(W0, 1) } },
{ "unregistering through another fd is taken", {
	REG("@ u8 a", W0, 0, 0), FD(1), UNREG(W0, 0, 0), ON("@"), WORD(W0, 0) } },
{ "unregistering one word leaves the others", {
	REG("@ u8 a", W0, 0, 0), REG("@ u8 a", W1, 0, 0), ON("@"), UNREG(W0, 0, 0),
	WORD(W0, 0), WORD(W1, 1) } },
{ "a word can be registered again", {
	REG("@ u8 a", W0, 0, 0), UNREG(W0, 0, 0), REGI("@ u8 a", W0, 0, 0),
	REG("@_b u8 a", W0, 1, 0) } },
{ "an unregistered event takes writes while a tracer listens", {
	REG("@ u8 a", W0, 0, 0), ON("@"), UNREG(W0, 0, 0), WRITE(0, "1=9", OK),
	OFF("@"), WRITE(0, "1=9", -EBADF) } },
{ "unregistering a word whose page is gone is a fault, and done", {
	REG("@ u8 a", FRESH, 0, 0), { .op = OP_UNMAP, .place = FRESH }, UNREG(FRESH, 0, -EFAULT),
	UNREG(FRESH, 0, -ENOENT) } },
{ "unregistering with something in the reserved bytes is refused", {
	REG("@ u8 a", W0, 0, 0),
	{ .op = OP_UNREG, .reserved = 1, .want = -EINVAL },
	{ .op = OP_UNREG, .reserved = 0x100, .want = -EINVAL },
	UNREG(W0, 0, 0) } },
{ "unregistering with a short structure is refused", {
	REG("@ u8 a", W0, 0, 0), { .op = OP_UNREG, .struct_size = 15, .want = -EINVAL },
	{ .op = OP_UNREG, .struct_size = 4097, .want = -E2BIG },
	{ .op = OP_UNREG, .struct_size = 24 } } },
{ "an event goes when its word and its fd have gone", {
	REG("@ u8 a", W0, 0, 0), UNREG(W0, 0, 0), STATUS("@"), CLOSE, NO_STATUS("@") } },
{ "an event stays while a word is registered", {
	REG("@ u8 a", W0, 0, 0), CLOSE, STATUS("@"), UNREG(W0, 0, 0), NO_STATUS("@") } },
{ "an event stays while a tracer listens", {
	REG("@ u8 a", W0, 0, 0), ON("@"), UNREG(W0, 0, 0), CLOSE, STATUS("@ # Used by ftrace"),
	OFF("@"), NO_STATUS("@") } },
{ "a name is free when its event has gone", {
	REG("@ u8 a", W0, 0, 0), UNREG(W0, 0, 0), CLOSE, NO_STATUS("@"),
	REGI("@ u16 b", W0, 0, 0) } },

/* ---- Persistent events and deleting ---- */

{ "deleting what is not there is refused", { DEL("@", -ENOENT) } },
{ "deleting a registered event is refused", {
	REG("@ u8 a", W0, 0, 0), FD(1), DEL("@", -EBUSY) } },
{ "deleting an event that only an fd holds is refused", {
	REG("@ u8 a", W0, 0, 0), UNREG(W0, 0, 0), DEL("@", -EBUSY), FD(1), DEL("@", -EBUSY) } },
{ "a persistent event stays and can be deleted", {
	REGF("@ u8 a", W0, 0, 1, 0), UNREG(W0, 0, 0), CLOSE, STATUS("@"), FD(1), DEL("@", 0),
	NO_STATUS("@"), DEL("@", -ENOENT) } },
{ "a persistent event in use is not deleted", {
	REGF("@ u8 a", W0, 0, 1, 0), FD(1), DEL("@", -EBUSY), FD(0), UNREG(W0, 0, 0),
	DEL("@", -EBUSY), FD(1), DEL("@", -EBUSY), FD(0), CLOSE, FD(1), DEL("@", 0) } },
{ "a persistent event that is traced is not deleted", {
	REGF("@ u8 a", W0, 0, 1, 0), UNREG(W0, 0, 0), CLOSE, FD(1), ON("@"), DEL("@", -EBUSY),
	OFF("@"), DEL("@", 0) } },
{ "a persistent event keeps its format", {
	REGF("@ u8 a", W0, 0, 1, 0), UNREG(W0, 0, 0), CLOSE, REG("@ u8 b", W0, 0, -EADDRINUSE),
	REG("@ u8 a", W0, 0, 0) } },
{ "a persistent event that is deleted can be made anew", {
	REGF("@ u8 a", W0, 0, 1, 0), UNREG(W0, 0, 0), CLOSE, DEL("@", 0),
	REG("@ u8 b", W0, 0, 0) } },
{ "the persistent flag does nothing to an event that is there", {
	REG("@ u8 a", W0, 0, 0), REGF("@ u8 a", W1, 0, 1, 0), UNREG(W0, 0, 0), UNREG(W1, 0, 0),
	CLOSE, NO_STATUS("@") } },
{ "a persistent event needs CAP_PERFMON", {
	{ .op = OP_PERFMON }, REGF("@ u8 a", W0, 0, 1, -EPERM), REG("@ u8 a", W0, 0, 0),
	REGF("@ u8 a", W1, 0, 1, -EPERM) } },
{ "deleting a persistent event needs CAP_PERFMON", {
	REGF("@ u8 a", W0, 0, 1, 0), UNREG(W0, 0, 0), CLOSE, { .op = OP_PERFMON },
	DEL("@", -EPERM), { .op = OP_PERFMON, .value = 1 }, DEL("@", 0) } },
{ "a persistent multi-format event is deleted by its plain name", {
	REGF("@ u8 a", W0, 0, 3, 0), REGF("@ u8 b", W1, 0, 3, 0), UNREG(W0, 0, 0), UNREG(W1, 0, 0),
	CLOSE, STATUS("@#0"), STATUS("@#1"), DEL("@", 0), NO_STATUS("@#0"), DEL("@", -ENOENT) } },
{ "a name with fields is not the name of an event to delete", {
	REGF("@ u8 a", W0, 0, 1, 0), UNREG(W0, 0, 0), CLOSE, DEL("@ u8 a", -ENOENT),
	DEL("@", 0) } },
{ "a name of 512 bytes to delete is refused", {
	{ .op = OP_DEL, .text = "@~", .length = 512, .want = -EINVAL },
	{ .op = OP_DEL, .text = "@~", .length = 511, .want = -ENOENT } } },

/* ---- The limit of events ---- */

{ "over user_events_max is refused", {
	{ .op = OP_MAX }, REG("@ u8 a", W0, 0, -EMFILE), NO_STATUS("@") } },
{ "an event that is there may be registered at the limit", {
	{ .op = OP_MAX, .value = 1 }, REGI("@ u8 a", W0, 0, 0), REG("@_b u8 a", W1, 0, -EMFILE),
	REGI("@ u8 a", W1, 0, 0) } },
{ "bad fields at the limit are refused as such", {
	{ .op = OP_MAX }, REG("@ bool a", W0, 0, -EINVAL) } },

/* ---- Writing: answers ---- */

{ "a write while nobody listens is refused", {
	REG("@ u8 a", W0, 0, 0), WRITE(0, "1=1", -EBADF) } },
{ "a write answers its length, index included", {
	REG("@ u8 a", W0, 0, 0), ON("@"), WRITE(0, "1=1", OK), RECORD("@") } },
{ "a write after the tracer left is refused", {
	REG("@ u8 a", W0, 0, 0), ON("@"), WRITE(0, "1=1", OK), OFF("@"),
	WRITE(0, "1=2", -EBADF) } },
{ "an unknown index is refused", {
	REG("@ u8 a", W0, 0, 0), ON("@"), WRITE(1, "1=1", -ENOENT),
	WRITE(INT_MAX, "1=1", -ENOENT) } },
{ "an index on an fd without registrations is refused", { WRITE(0, "1=1", -ENOENT) } },
{ "an index of another fd is refused", {
	REG("@ u8 a", W0, 0, 0), REG("@_b u8 a", W1, 0, 0), ON("@_b"), FD(1),
	REG("@_c u8 a", W2, 0, 0), WRITE(1, "1=1", -ENOENT) } },
{ "a negative index is refused", {
	REG("@ u8 a", W0, 0, 0), ON("@"), WRITE(-1, "1=1", -EINVAL),
	WRITE(INT_MIN, "1=1", -EINVAL) } },
{ "a payload shorter than the fields is refused", {
	REG("@ u32 a; u16 b", W0, 0, 0), ON("@"), WRITE(0, "", -EINVAL), WRITE(0, "n=5", -EINVAL),
	WRITE(0, "n=6", OK) } },
{ "a short payload is told before that nobody listens", {
	REG("@ u32 a", W0, 0, 0), WRITE(0, "n=3", -EINVAL), WRITE(0, "n=4", -EBADF) } },
{ "a payload longer than the fields is recorded whole", {
	REG("@ u32 a", W0, 0, 0), ON("@"), WRITE(0, "n=100", OK) } },
{ "less than an index is a fault", {
	REG("@", W0, 0, 0), ON("@"),
	{ .op = OP_WRITE_AT, .place = W1, .value = 0, .want = -EFAULT },
	{ .op = OP_WRITE_AT, .place = W1, .value = 1, .want = -EFAULT },
	{ .op = OP_WRITE_AT, .place = W1, .value = 3, .want = -EFAULT },
	{ .op = OP_WRITE_AT, .place = W1, .value = 4, .want = OK } } },
{ "a buffer that is not there is a fault", {
	REG("@", W0, 0, 0), ON("@"),
	{ .op = OP_WRITE_AT, .place = ZERO, .value = 8, .want = -EFAULT },
	{ .op = OP_WRITE_AT, .place = NOWHERE, .value = 8, .want = -EFAULT },
	{ .op = OP_WRITE_AT, .place = PROTECTED, .value = 4, .want = -EFAULT } } },
{ "a buffer that ends too early is a fault", {
	REG("@", W0, 0, 0), ON("@"),
	{ .op = OP_WRITE_AT, .place = LAST, .value = 4, .want = OK },
	{ .op = OP_WRITE_AT, .place = LAST, .value = 5, .want = -EFAULT } } },
{ "a payload is not looked at while nobody listens", {
	REG("@", W0, 0, 0), { .op = OP_WRITE_AT, .place = LAST, .value = 8, .want = -EBADF } } },
{ "a write through a read-only fd is refused", {
	{ .op = OP_OPEN_RDONLY }, REG("@ u8 a", W0, 0, 0), ON("@"), WRITE(0, "1=1", -EBADF) } },
{ "a write through a closed fd is refused", {
	REG("@ u8 a", W0, 0, 0), ON("@"), CLOSE, { .op = OP_FD, .bit = -1 },
	WRITE(0, "1=1", -EBADF) } },
{ "a write of no bytes tells an fd that is there from a closed one", {
	REG("@ u8 a", W0, 0, 0), { .op = OP_WRITE_AT, .place = ZERO, .value = 0, .want = -EFAULT },
	ON("@"), { .op = OP_WRITE_AT, .place = ZERO, .value = 0, .want = -EFAULT },
	CLOSE, { .op = OP_FD, .bit = -1 },
	{ .op = OP_WRITE_AT, .place = ZERO, .value = 0, .want = -EBADF } } },
{ "a read-only buffer is taken", {
	REG("@ u32 a", W0, 0, 0), ON("@"),
	{ .op = OP_WRITE_AT, .place = RO, .value = 8, .want = OK } } },
{ "an event written through two fds is one event", {
	REG("@ u8 a", W0, 0, 0), FD(1), REG("@_b u8 a", W1, 0, 0), REGI("@ u8 a", W2, 0, 1),
	ON("@"),
	WRITE(1, "1=1", OK), RECORD("@"), FD(0), WRITE(0, "1=2", OK), RECORD("@") } },

/* ---- Writing: what is recorded ---- */

{ "an event without fields is recorded", {
	REG("@", W0, 0, 0), ON("@"), WRITE(0, "", OK), WRITE(0, "z=1", OK),
	WRITE(0, "n=40", OK) } },
{ "scalars are recorded as they are", {
	REG("@ u8 a; u16 b; u32 c; u64 d", W0, 0, 0), ON("@"),
	WRITE(0, "1=200 2=60000 4=4000000000 8=18000000000000000000", OK) } },
{ "payloads of all small lengths are recorded", {
	REG("@ u8 a", W0, 0, 0), ON("@"), WRITE(0, "n=1", OK), WRITE(0, "n=2", OK),
	WRITE(0, "n=3", OK),
	WRITE(0, "n=4", OK), WRITE(0, "n=5", OK), WRITE(0, "n=103", OK), WRITE(0, "n=104", OK),
	WRITE(0, "n=105", OK), WRITE(0, "n=112", OK), WRITE(0, "n=113", OK),
	WRITE(0, "n=1000", OK) } },
{ "a char array needs no NUL", {
	REG("@ char[4] a; unsigned char[2] b", W0, 0, 0), ON("@"), WRITE(0, "s=abcdef", OK) } },
{ "a struct is recorded as it is", {
	REG("@ struct s a 5; u8 b", W0, 0, 0), ON("@"), WRITE(0, "n=5", -EINVAL),
	WRITE(0, "n=6", OK) } },
{ "the right event is recorded", {
	REG("@ u8 a", W0, 0, 0), REG("@_b u8 a", W1, 0, 0), ON("@"), ON("@_b"),
	WRITE(1, "1=1", OK), RECORD("@_b"), WRITE(0, "1=1", OK), RECORD("@") } },
{ "perf gets what ftrace does not listen to", {
	REG("@ u8 a", W0, 0, 0), { .op = OP_PERF, .text = "@" }, WRITE(0, "1=1", LOST),
	{ .op = OP_PERF_COUNT, .value = 1 }, ON("@"), WRITE(0, "1=1", OK),
	{ .op = OP_PERF_COUNT, .value = 2 } } },

/* ---- writev ---- */

{ "segments are joined", {
	REG("@ u8 a", W0, 0, 0), ON("@"), WRITEV("4=0 | 1=1", OK),
	WRITEV("4=0 1=1 | s=abc | n=50", OK),
	WRITEV("4=0 | 1=1 | 2=2 | 4=3 | 8=4 | s=xyz | z=3 | n=9", OK) } },
{ "one segment is a write", { REG("@ u8 a", W0, 0, 0), ON("@"), WRITEV("4=0 1=1", OK) } },
{ "an index over two segments is taken", {
	REG("@ u8 a", W0, 0, 0), ON("@"), WRITEV("2=0 | 2=0 | 1=1", OK),
	WRITEV("1=0 | 1=0 | 1=0 | 1=0 1=5", OK) } },
{ "empty segments are taken", {
	REG("@ u8 a", W0, 0, 0), ON("@"), WRITEV("| 4=0 | | 1=1 | |", OK) } },
{ "no segments and empty segments are nothing", {
	REG("@ u8 a", W0, 0, 0), ON("@"), WRITEV(NULL, 0), WRITEV("", 0), WRITEV("| |", 0) } },
{ "writev answers as write does", {
	REG("@ u32 a", W0, 0, 0), WRITEV("4=0 | 4=1", -EBADF), ON("@"),
	WRITEV("4=0 | 2=1", -EINVAL),
	WRITEV("4=1 | 4=1", -ENOENT), WRITEV("4=4294967295 | 4=1", -EINVAL), WRITEV("2=0", -EFAULT),
	WRITEV("2=0 | 1=0", -EFAULT) } },
{ "100 segments are joined", {
	REG("@ u8 a", W0, 0, 0), ON("@"),
	WRITEV("4=0|1=1|1=2|1=3|1=4|1=5|1=6|1=7|1=8|1=9|1=1|1=2|1=3|1=4|1=5|1=6|1=7|1=8|1=9|1=1|"
	       "1=2|1=3|1=4|1=5|1=6|1=7|1=8|1=9|1=1|1=2|1=3|1=4|1=5|1=6|1=7|1=8|1=9|1=1|1=2|1=3|"
	       "1=4|1=5|1=6|1=7|1=8|1=9|1=1|1=2|1=3|1=4|1=5|1=6|1=7|1=8|1=9|1=1|1=2|1=3|1=4|1=5|"
	       "1=6|1=7|1=8|1=9|1=1|1=2|1=3|1=4|1=5|1=6|1=7|1=8|1=9|1=1|1=2|1=3|1=4|1=5|1=6|1=7|"
	       "1=8|1=9|1=1|1=2|1=3|1=4|1=5|1=6|1=7|1=8|1=9|1=1|1=2|1=3|1=4|1=5|1=6|1=7|"
	       "1=8|1=9", OK) } },

/* ---- Fields of variable length ---- */

{ "__rel_loc counts from the end of its field", {
	REG("@ __rel_loc char[] a", W0, 0, 0), ON("@"), WRITE(0, "l=3,0 s=hi z=1", OK),
	WRITE(0, "l=3,2 s=xxhi z=1", OK), WRITE(0, "n=3", -EINVAL) } },
{ "__rel_loc past the end is a fault", {
	REG("@ __rel_loc char[] a", W0, 0, 0), ON("@"), WRITE(0, "l=4,0 s=hi z=1", -EFAULT),
	WRITE(0, "l=3,1 s=hi z=1", -EFAULT), WRITE(0, "l=65535,0 s=hi z=1", -EFAULT),
	WRITE(0, "l=0,65535 s=hi z=1", -EFAULT), WRITE(0, "l=1,0", -EFAULT) } },
{ "__rel_loc char without a NUL at its end is a fault", {
	REG("@ __rel_loc char[] a", W0, 0, 0), ON("@"), WRITE(0, "l=2,0 s=hi", -EFAULT),
	WRITE(0, "l=2,0 s=hi z=1", -EFAULT), WRITE(0, "l=3,0 s=hi z=1", OK) } },
{ "__rel_loc char of no bytes looks at the byte before it", {
	REG("@ __rel_loc char[] a", W0, 0, 0), ON("@"), WRITE(0, "l=0,0", OK),
	WRITE(0, "l=0,1 s=x", -EFAULT), WRITE(0, "l=0,1 z=1", OK) } },
{ "__rel_loc u8 needs no NUL", {
	REG("@ __rel_loc u8[] a", W0, 0, 0), ON("@"), WRITE(0, "l=2,0 s=hi", OK),
	WRITE(0, "l=0,2 s=hi", OK),
	WRITE(0, "l=0,0", OK), WRITE(0, "l=3,0 s=hi", -EFAULT), WRITE(0, "l=0,3 s=hi", -EFAULT) } },
{ "__rel_loc unsigned char needs a NUL", {
	REG("@ __rel_loc unsigned char[] a", W0, 0, 0), ON("@"), WRITE(0, "l=2,0 s=hi", -EFAULT),
	WRITE(0, "l=2,0 s=h z=1", OK) } },
{ "any type with char in its name needs a NUL", {
	REG("@ __rel_loc wchar_t[] a", W0, 0, 0), ON("@"), WRITE(0, "l=2,0 s=hi", -EFAULT),
	WRITE(0, "l=2,0 s=h z=1", OK) } },
{ "a field called char needs no NUL", {
	REG("@ __rel_loc u8[] char", W0, 0, 0), ON("@"), WRITE(0, "l=2,0 s=hi", OK) } },
{ "__data_loc counts from the start of the record", {
	REG("@ __data_loc char[] a", W0, 0, 0), ON("@"), WRITE(0, "l=3,12 s=hi z=1", OK),
	WRITE(0, "l=3,13 s=hi z=1", -EFAULT), WRITE(0, "l=4,12 s=hi z=1", -EFAULT),
	WRITE(0, "l=2,12 s=hi z=1", -EFAULT) } },
{ "__data_loc u8 needs no NUL", {
	REG("@ __data_loc u8[] a", W0, 0, 0), ON("@"), WRITE(0, "l=2,12 s=hi", OK),
	WRITE(0, "l=0,0", OK), WRITE(0, "l=0,12", OK), WRITE(0, "l=0,13", -EFAULT) } },
{ "two strings behind a number", {
	REG("@ u16 n; __rel_loc char[] a; __rel_loc char[] b; u8 c", W0, 0, 0), ON("@"),
	WRITE(0, "2=7 l=2,5 l=3,3 1=9 s=A z=1 s=BC z=1", OK),
	WRITE(0, "2=7 l=2,5 l=4,3 1=9 s=A z=1 s=BC z=1", -EFAULT),
	WRITE(0, "2=7 l=3,5 l=3,3 1=9 s=A z=1 s=BC z=1", -EFAULT),
	WRITE(0, "2=7 l=2,5 l=3,3", -EINVAL) } },
{ "two fields may share bytes", {
	REG("@ __rel_loc char[] a; __rel_loc u8[] b", W0, 0, 0), ON("@"),
	WRITE(0, "l=3,4 l=3,0 s=hi z=1", OK) } },
{ "a string over segments is looked at whole", {
	REG("@ __rel_loc char[] a", W0, 0, 0), ON("@"), WRITEV("4=0 l=4,0 | s=ab | s=c | z=1", OK),
	WRITEV("4=0 l=4,0 | s=ab | s=cd", -EFAULT),
	WRITEV("4=0 l=5,0 | s=ab | s=c | z=1", -EFAULT) } },
{ "perf looks at loc fields, too", {
	REG("@ __rel_loc char[] a", W0, 0, 0), { .op = OP_PERF, .text = "@" },
	WRITE(0, "l=2,0 s=hi", -EFAULT), WRITE(0, "l=2,0 s=h z=1", LOST),
	{ .op = OP_PERF_COUNT, .value = 1 } } },
{ "loc fields are not looked at while nobody listens", {
	REG("@ __rel_loc char[] a", W0, 0, 0), WRITE(0, "l=9,0 s=hi", -EBADF) } },

/* ---- Silent loss ---- */

{ "4064 bytes are recorded, 4065 are lost in silence", {
	REG("@ u8 a", W0, 0, 0), ON("@"), WRITE(0, "n=4063", OK), WRITE(0, "n=4064", OK),
	WRITE(0, "n=4065", LOST), WRITE(0, "n=4068", LOST), WRITE(0, "n=65000", LOST),
	WRITE(0, "n=1", OK) } },
{ "a lost write of segments answers its length", {
	REG("@ u8 a", W0, 0, 0), ON("@"), WRITEV("4=0 | n=4064", OK),
	WRITEV("4=0 | n=60 | n=5000", LOST) } },
{ "the longest string that a loc field can tell is lost", {
	REG("@ __rel_loc char[] a", W0, 0, 0), ON("@"), WRITE(0, "l=65535,0 n=65534 z=1", LOST) } },
{ "a lost record is not looked at", {
	REG("@ __rel_loc char[] a", W0, 0, 0), ON("@"), WRITE(0, "l=65535,0 n=5000", LOST),
	WRITE(0, "l=65535,0 n=500", -EFAULT) } },
{ "perf counts 8184 bytes and loses 8185", {
	REG("@ u8 a", W0, 0, 0), { .op = OP_PERF, .text = "@" }, WRITE(0, "n=8184", LOST),
	{ .op = OP_PERF_COUNT, .value = 1 }, WRITE(0, "n=8185", LOST),
	{ .op = OP_PERF_COUNT, .value = 1 }, ON("@"), WRITE(0, "n=8000", LOST),
	{ .op = OP_PERF_COUNT, .value = 2 }, WRITE(0, "n=4000", OK),
	{ .op = OP_PERF_COUNT, .value = 3 } } },
};

/* ---- The two kernels ---- */

struct record {
	char tracepoint[600];
	size_t size;		/* of the payload; rounded up by the real kernel's ring buffer */
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
	/* Records that came since the last call; the last of them. */
	int (*records)(struct record *last);
	int (*perfmon)(bool on);
	int (*max_events)(unsigned int n);
	int (*other)(const char *text, unsigned int flags);
	int (*other_exit)(const char *name);
	int (*compat)(int fd);
	/* Whether the ring buffer rounds sizes up to 4. */
	bool rounds;
};

static const struct world *now;	/* the one that the table runs on */

__attribute__((noreturn, format(printf, 1, 2)))
static void die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fprintf(stderr, "abi_table: ");
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
	exit(2);
}

/* Multi-format events are in a system of their own. */
static const char *system_of(const char *tracepoint)
{
	char path[1000];
	int fd;

	snprintf(path, sizeof(path), TRACEFS "/events/user_events_multi/%s/format", tracepoint);
	fd = now->open(path, O_RDONLY);
	if (fd < 0)
		return "user_events";
	now->close(fd);
	return "user_events_multi";
}

/* Returns the index or -errno. */
static int register_event(int fd, const char *text, uint32_t *word, unsigned int flags)
{
	struct reg reg = {
		.size = REG_SIZE,
		.enable_size = 4,
		.flags = (uint16_t)flags,
		.enable_addr = (uintptr_t)word,
		.name_args = (uintptr_t)text,
	};

	return now->ioctl(fd, IOC_REG, &reg) ? -errno : (int)reg.write_index;
}

static int unregister_event(int fd, uint64_t addr, int bit)
{
	struct unreg unreg = {
		.size = UNREG_SIZE,
		.disable_bit = (uint8_t)bit,
		.disable_addr = addr,
	};

	return now->ioctl(fd, IOC_UNREG, &unreg) ? -errno : 0;
}

/* -- fake -- */

static struct {
	struct fake_world world;
	size_t seen;
	char perf[600];
} fake;

static int fake_trace(const char *tracepoint, bool on)
{
	int n = on ? fake_kernel_enable(tracepoint, FAKE_FTRACE) :
		     fake_kernel_disable(tracepoint, FAKE_FTRACE);

	return n == 1 ? 0 : -ENOENT;
}

static int fake_perf(const char *tracepoint)
{
	snprintf(fake.perf, sizeof(fake.perf), "%s", tracepoint);
	return fake_kernel_enable(tracepoint, FAKE_PERF) == 1 ? 0 : -ENOENT;
}

static int fake_perf_off(void)
{
	fake_kernel_disable(fake.perf, FAKE_PERF);
	return 0;
}

static long fake_perf_count(void)
{
	long n = 0;

	for (size_t i = 0; i < fake_kernel_records(); i++)
		n += (fake_kernel_record(i)->tracers & FAKE_PERF) != 0;
	return n;
}

static int fake_records(struct record *last)
{
	int n = 0;

	for (; fake.seen < fake_kernel_records(); fake.seen++) {
		const struct fake_record *r = fake_kernel_record(fake.seen);

		if (!(r->tracers & FAKE_FTRACE))
			continue;
		snprintf(last->tracepoint, sizeof(last->tracepoint), "%s", r->name);
		last->size = r->size;
		memcpy(last->data, r->data, r->size < PAGE ? r->size : PAGE);
		n++;
	}
	return n;
}

static int fake_perfmon(bool on)
{
	fake.world.perfmon = on;
	fake_kernel_change(&fake.world);
	return 0;
}

static int fake_max(unsigned int n)
{
	fake.world.max_events = n;
	fake_kernel_change(&fake.world);
	return 0;
}

static int fake_other_exit(const char *name)
{
	return fake_kernel_other_exit(name) > 0 ? 0 : -ENOENT;
}

static int fake_compat(int fd)
{
	int ret;

	fake.world.compat = true;
	fake_kernel_change(&fake.world);
	ret = fake_ioctl(fd, IOC_REG, NULL) ? -errno : 0;
	fake.world.compat = false;
	fake_kernel_change(&fake.world);
	return ret;
}

static const struct world fake_world = {
	.name = "fake",
	.open = fake_open,
	.ioctl = fake_ioctl,
	.write = fake_write,
	.writev = fake_writev,
	.read = fake_read,
	.close = fake_close,
	.trace = fake_trace,
	.perf = fake_perf,
	.perf_off = fake_perf_off,
	.perf_count = fake_perf_count,
	.records = fake_records,
	.perfmon = fake_perfmon,
	.max_events = fake_max,
	.other = fake_kernel_other_register,
	.other_exit = fake_other_exit,
	.compat = fake_compat,
};

static void set_up_fake(void)
{
	fake.world = fake_world_default();
	fake_kernel_reset(&fake.world);
	fake.seen = 0;
}

/* -- real -- */

#ifdef WITH_REAL
static struct {
	int perf;
	int pipes[256];		/* trace_pipe_raw of each CPU */
	int n_pipes;
	pid_t other;		/* the other process, or 0 */
	struct __user_cap_data_struct caps[2];
} real = { .perf = -1 };

static int write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t n;
	int err;

	if (fd < 0)
		return -errno;
	n = write(fd, text, strlen(text));
	err = n < 0 ? -errno : 0;
	close(fd);
	return err;
}

static int real_open(const char *path, int flags)
{
	return open(path, flags);
}

static int real_ioctl(int fd, unsigned long request, void *arg)
{
	return ioctl(fd, request, arg);
}

static int real_trace(const char *tracepoint, bool on)
{
	char path[1000];

	snprintf(path, sizeof(path), INSTANCE "/events/%s/%s/enable", system_of(tracepoint),
		 tracepoint);
	return write_file(path, on ? "1" : "0");
}

static int read_id(const char *path)
{
	FILE *file = fopen(path, "re");
	int id = -1;

	if (file && fscanf(file, "%d", &id) != 1)
		id = -1;
	if (file)
		fclose(file);
	return id;
}

static int real_perf(const char *tracepoint)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
	};
	char path[1000];

	snprintf(path, sizeof(path), TRACEFS "/events/%s/%s/id", system_of(tracepoint), tracepoint);
	attr.config = (unsigned int)read_id(path);
	real.perf = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	return real.perf < 0 ? -errno : 0;
}

static int real_perf_off(void)
{
	if (real.perf >= 0)
		close(real.perf);
	real.perf = -1;
	return 0;
}

static long real_perf_count(void)
{
	uint64_t n;

	return read(real.perf, &n, sizeof(n)) == sizeof(n) ? (long)n : -errno;
}

/* The name of the tracepoint with this id. */
static void find_id(int id, char *name, size_t size)
{
	glob_t paths;

	snprintf(name, size, "?%d", id);
	if (glob(TRACEFS "/events/user_events*/*/id", 0, NULL, &paths))
		return;
	for (size_t i = 0; i < paths.gl_pathc; i++) {
		char *path = paths.gl_pathv[i];

		if (read_id(path) == id)
			snprintf(name, size, "%s", basename(dirname(path)));
	}
	globfree(&paths);
}

/*
 * A page of the ring buffer: time stamp (8), length (a long), then events. An event is a word whose
 * low 5 bits are its length in words, or a kind, and for the kinds 0 and 29 another word, its
 * length in bytes with itself. A little-endian machine is assumed: this half runs on x86-64.
 */
static int read_page(const unsigned char *page, struct record *last)
{
	size_t commit, pos = 8 + sizeof(long), end;
	int n = 0;

	memcpy(&commit, page + 8, sizeof(commit));
	end = pos + (commit & 0xfffff);
	while (pos < end) {
		uint32_t word, length;
		uint16_t type;

		memcpy(&word, page + pos, 4);
		memcpy(&length, page + pos + 4, 4);
		pos += 4;
		if ((word & 31) == 29) {		/* padding */
			if (!(word >> 5))
				break;
			pos += length;
			continue;
		}
		if ((word & 31) >= 30) {		/* time */
			pos += 4;
			continue;
		}
		if (word & 31) {
			length = (word & 31) * 4;
		} else {
			length -= 4;
			pos += 4;
		}
		memcpy(&type, page + pos, 2);
		find_id(type, last->tracepoint, sizeof(last->tracepoint));
		last->size = length - 8;
		memcpy(last->data, page + pos + 8, last->size);
		pos += length;
		n++;
	}
	return n;
}

static int real_records(struct record *last)
{
	static unsigned char page[PAGE];
	int n = 0;

	for (int i = 0; i < real.n_pipes; i++)
		while (read(real.pipes[i], page, sizeof(page)) > 0)
			n += read_page(page, last);
	return n;
}

static int real_perfmon(bool on)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct caps[2];

	memcpy(caps, real.caps, sizeof(caps));
	if (!on) {
		caps[CAP_SYS_ADMIN / 32].effective &= ~(1u << CAP_SYS_ADMIN % 32);
		caps[38 / 32].effective &= ~(1u << 38 % 32);	/* CAP_PERFMON */
	}
	return syscall(SYS_capset, &header, caps) ? -errno : 0;
}

static int real_max(unsigned int n)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", n);
	return write_file("/proc/sys/kernel/user_events_max", text);
}

/* A child inherits registrations: a row does this before it registers anything. */
static int real_other(const char *text, unsigned int flags)
{
	static uint32_t word;
	int ends[2], ret;

	if (pipe2(ends, O_CLOEXEC) || (real.other = fork()) < 0)
		die("fork: %s", strerror(errno));
	if (!real.other) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		ret = register_event(open(TRACEFS "/user_events_data", O_RDWR), text, &word, flags);
		if (write(ends[1], &ret, sizeof(ret)) == sizeof(ret))
			pause();
		_exit(0);
	}
	close(ends[1]);
	if (read(ends[0], &ret, sizeof(ret)) != sizeof(ret))
		die("the other process is gone");
	close(ends[0]);
	return ret;
}

static int real_other_exit(const char *name)
{
	(void)name;
	if (!real.other)
		return -ENOENT;
	kill(real.other, SIGKILL);
	waitpid(real.other, NULL, 0);
	real.other = 0;
	return 0;
}

/* The ioctl of a 32-bit process: the kernel takes it from any process by its old gate. */
static int real_compat(int fd)
{
#ifdef __x86_64__
	long ret;

	__asm__ volatile("int $0x80" : "=a"(ret)
			 : "0"(54L), "b"((long)fd), "c"(_IOWR('*', 0, uint32_t)), "d"(0L)
			 : "memory", "r8", "r9", "r10", "r11");
	return (int)ret;
#else
	(void)fd;
	return -ENOTTY;
#endif
}

static const struct world real_world = {
	.name = "real",
	.open = real_open,
	.ioctl = real_ioctl,
	.write = write,
	.writev = writev,
	.read = read,
	.close = close,
	.trace = real_trace,
	.perf = real_perf,
	.perf_off = real_perf_off,
	.perf_count = real_perf_count,
	.records = real_records,
	.perfmon = real_perfmon,
	.max_events = real_max,
	.other = real_other,
	.other_exit = real_other_exit,
	.compat = real_compat,
	.rounds = true,
};

static void tear_down_real(void)
{
	for (int i = 0; i < real.n_pipes; i++)
		close(real.pipes[i]);
	real.n_pipes = 0;
	rmdir(INSTANCE);
}

static void set_up_real(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	char path[200];

	if (access(TRACEFS "/user_events_data", R_OK | W_OK))
		die("%s: %s", TRACEFS "/user_events_data", strerror(errno));
	if (syscall(SYS_capget, &header, real.caps))
		die("capget: %s", strerror(errno));
	rmdir(INSTANCE);
	if (mkdir(INSTANCE, 0700))
		die("%s: %s", INSTANCE, strerror(errno));
	for (int cpu = 0; cpu < (int)ARRAY_SIZE(real.pipes); cpu++) {
		snprintf(path, sizeof(path), INSTANCE "/per_cpu/cpu%d/trace_pipe_raw", cpu);
		real.pipes[real.n_pipes] = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
		if (real.pipes[real.n_pipes] < 0)
			break;
		real.n_pipes++;
	}
	if (!real.n_pipes)
		die("%s: %s", path, strerror(errno));
}

#else

static const struct world real_world;

static void no_real(void)
{
	die("built without the kernel's headers: it has only the fake");
}

#define set_up_real no_real
#define tear_down_real no_real

#endif

/* ---- Running a row ---- */

#define FDS 4
#define ENABLERS 64

static struct {
	char name[32];			/* @ */
	int fds[FDS], fd;		/* fd: in use, or -1 */
	unsigned char *memory;
	struct { uint64_t addr; uint8_t bit; } enablers[ENABLERS];
	int n_enablers;
	struct record last;
	struct { char name[600]; bool perf; } traced[8];
	int n_traced;
	char why[1000];			/* the first difference */
} run;

__attribute__((format(printf, 1, 2)))
static bool fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (!run.why[0])
		vsnprintf(run.why, sizeof(run.why), format, args);
	va_end(args);
	return false;
}

static uint64_t address(enum place place)
{
	static const uint16_t offsets[] = {
		[W0] = 0, [W1] = 8, [W2] = 16, [W3] = 24, [W0_HIGH] = 4, [ODD1] = 1, [ODD2] = 2,
		[ODD3] = 3, [FRESH] = PAGE, [LAST] = 3 * PAGE - 4, [PROTECTED] = 3 * PAGE,
		[RO] = 4 * PAGE,
	};

	switch (place) {
	case ZERO: return 0;
	case NOWHERE: return 0x10000;
	case KERNEL: return 0xffff800000000000;
	default: return (uintptr_t)(run.memory + offsets[place]);
	}
}

static void map_memory(void)
{
	int flags = MAP_PRIVATE | MAP_ANONYMOUS;

	run.memory = mmap(NULL, 5 * PAGE, PROT_READ | PROT_WRITE, flags, -1, 0);
	if (run.memory == MAP_FAILED ||
	    mprotect(run.memory + 3 * PAGE, PAGE, PROT_NONE) ||
	    mprotect(run.memory + 4 * PAGE, PAGE, PROT_READ))
		die("mmap: %s", strerror(errno));
}

/* Text with @ and ~ replaced; length: of the whole, for ~. Four of them are kept at a time. */
static char *expand(const char *text, unsigned int length)
{
	static char buffers[4][6000];
	static unsigned int i;
	char *out = buffers[i++ % 4], *p = out;

	for (const char *c = text; *c; c++) {
		if (*c == '@') {
			p = stpcpy(p, run.name);
		} else if (*c == '~') {
			while (p < out + length - strlen(c + 1))
				*p++ = 'a';
		} else {
			*p++ = *c;
		}
	}
	*p = '\0';
	return out;
}

static char *slurp(const char *path)
{
	size_t n = 0, size = 1 << 16;
	char *text = malloc(size);
	int fd = now->open(path, O_RDONLY);
	ssize_t got;

	if (!text)
		die("no memory");
	while (fd >= 0 && (got = now->read(fd, text + n, size - n - 1)) > 0) {
		n += (size_t)got;
		if (size - n < PAGE && !(text = realloc(text, size *= 2)))
			die("no memory");
	}
	if (fd < 0) {
		free(text);
		return NULL;
	}
	now->close(fd);
	text[n] = '\0';
	return text;
}

/* The line of a file that equals `line`, or if `word`, begins with it and a space or its end. */
static bool has_line(const char *path, const char *line, bool word)
{
	char *text = slurp(path), *p = text;
	size_t n = strlen(line);
	bool found = false;

	while (p && *p && !found) {
		char *end = strchr(p, '\n');

		found = !strncmp(p, line, n) && (p[n] == '\n' || (word && p[n] == ' '));
		p = end ? end + 1 : NULL;
	}
	free(text);
	return found;
}

static unsigned int active_events(void)
{
	char *text = slurp(TRACEFS "/user_events_status");
	char *p = text ? strstr(text, "\nActive: ") : NULL;
	unsigned int n = p ? (unsigned int)strtoul(p + 9, NULL, 10) : 0;

	free(text);
	return n;
}

static void pause_ms(long ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&t, NULL);
}

/* NAME#N becomes the Nth tracepoint called NAME.HEX, in the order of their numbers. */
static char *tracepoint(const char *text)
{
	char *name = expand(text, 0), *hash = strchr(name, '#'), *status, *p;
	unsigned long long from = 0, best;
	int nth;

	if (!hash)
		return name;
	nth = atoi(hash + 1);
	*hash = '.';
	hash[1] = '\0';
	status = slurp(TRACEFS "/user_events_status");
	do {
		best = ULLONG_MAX;
		for (p = status; p && *p; p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL) {
			unsigned long long id;

			if (strncmp(p, name, strlen(name)))
				continue;
			id = strtoull(p + strlen(name), NULL, 16);
			if (id >= from && id < best)
				best = id;
		}
		from = best + 1;
	} while (nth-- && best != ULLONG_MAX);
	free(status);
	/* (no event has the number ULLONG_MAX) */
	sprintf(hash + 1, "%llx", best);
	return name;
}

static int get_fd(void)
{
	if (run.fd < 0)
		return -1;
	if (run.fds[run.fd] < 0)
		run.fds[run.fd] = now->open(TRACEFS "/user_events_data", O_RDWR | O_CLOEXEC);
	return run.fds[run.fd];
}

static void remember(uint64_t addr, uint8_t bit)
{
	if (run.n_enablers == ENABLERS)
		die("too many enablers in a row");
	run.enablers[run.n_enablers].addr = addr;
	run.enablers[run.n_enablers++].bit = bit;
}

static const char *error_name(long ret)
{
	static char number[2][24];
	static int i;

	if (ret < 0)
		return strerror((int)-ret);
	i = !i;
	snprintf(number[i], sizeof(number[i]), "%ld", ret);
	return number[i];
}

static bool answer(const struct step *s, long ret)
{
	return ret == s->want || fail("answers %s, not %s", error_name(ret), error_name(s->want));
}

static bool do_reg(const struct step *s)
{
	static const unsigned char sentinel[4] = { 0xde, 0xad, 0xbe, 0xef };
	char *text = s->text ? expand(s->text, s->length) : NULL;
	struct reg reg;
	uint32_t index;
	long ret;

	memset(&reg, 0, sizeof(reg));
	memset(reg.tail, s->tail, sizeof(reg.tail));
	reg.size = s->struct_size ? s->struct_size : REG_SIZE;
	reg.enable_bit = (uint8_t)s->bit;
	reg.enable_size = (uint8_t)s->size;
	reg.flags = (uint16_t)s->flags;
	reg.enable_addr = address(s->place);
	reg.name_args = (uintptr_t)text;
	memcpy(&reg.write_index, sentinel, sizeof(sentinel));
	ret = now->ioctl(get_fd(), IOC_REG, &reg) ? -errno : 0;
	if (!ret)
		remember(reg.enable_addr, reg.enable_bit);
	if (!answer(s, ret))
		return false;
	memcpy(&index, &reg.write_index, sizeof(index));
	if (ret && memcmp(&index, sentinel, sizeof(index)))
		return fail("wrote an index in spite of %s", error_name(ret));
	if (!ret && index > 1000)
		return fail("wrote no index");
	if (!ret && s->index >= 0 && index != (uint32_t)s->index)
		return fail("gives index %u, not %d", (unsigned int)index, s->index);
	return true;
}

static bool do_unreg(const struct step *s)
{
	struct unreg unreg;
	long ret;

	memset(&unreg, 0, sizeof(unreg));
	unreg.size = s->struct_size ? s->struct_size : UNREG_SIZE;
	unreg.disable_bit = (uint8_t)s->bit;
	unreg.reserved = (uint8_t)s->reserved;
	unreg.reserved2 = (uint16_t)(s->reserved >> 8);
	unreg.disable_addr = address(s->place);
	ret = now->ioctl(get_fd(), IOC_UNREG, &unreg) ? -errno : 0;
	return answer(s, ret);
}

/* 6.12 lets go of an unregistered word's event a moment later: until then it is busy. */
static long do_del(char *name, bool at_once)
{
	long ret = -EBUSY;

	for (int i = 0; ret == -EBUSY && i < (at_once ? 1 : 100); i++) {
		if (i)
			pause_ms(20);
		ret = now->ioctl(get_fd(), IOC_DEL, name) ? -errno : 0;
	}
	return ret;
}

static unsigned char *put_words(unsigned char *p, char kind, uint64_t v)
{
	size_t size = kind <= '8' ? (size_t)(kind - '0') : (size_t)v;

	if (!strchr("1248zn", kind))
		die("no such word: %c", kind);
	memset(p, 0, size);
	if (kind <= '8')
		memcpy(p, (char *)&v + (LITTLE ? 0 : 8 - size), size);
	for (size_t i = 0; kind == 'n' && i < size; i++)
		p[i] = (unsigned char)(i * 7 + 1);
	return p + size;
}

/* Writes the words of a payload to buf; segments end at |. */
static size_t make_payload(const char *text, unsigned char *buf, struct iovec *iov, int *n_iov)
{
	unsigned char *p = buf, *start = buf;
	int n = 0;

	for (; *text; text += strcspn(text, " |")) {
		char kind;

		text += strspn(text, " ");
		if (*text == '|') {
			text++;
			iov[n].iov_base = start;
			iov[n++].iov_len = (size_t)(p - start);
			start = p;
			text += strspn(text, " ");
			if (*text == '|')
				continue;
		}
		if (!*text)
			break;
		kind = *text;
		text += 2;
		if (kind == 's') {
			size_t len = strcspn(text, " |");

			memcpy(p, text, len);
			p += len;
		} else if (kind == 'l') {
			uint64_t size = strtoul(text, NULL, 10);

			p = put_words(p, '4',
				      size << 16 | strtoul(strchr(text, ',') + 1, NULL, 10));
		} else {
			p = put_words(p, kind, strtoull(text, NULL, 10));
		}
	}
	iov[n].iov_base = start;
	iov[n++].iov_len = (size_t)(p - start);
	*n_iov = n;
	return (size_t)(p - buf);
}

/* Holds what a write answered against what was expected, and the records against the bytes. */
static bool check_write(const struct step *s, ssize_t ret, const unsigned char *bytes, size_t size)
{
	bool taken = s->want == OK || s->want == LOST;
	long want = taken ? (long)size : s->want;
	size_t payload = size - 4, shown = payload;
	int n = now->records(&run.last);

	/* The ring buffer counts in words, and has no record of 8 bytes. */
	if (now->rounds)
		shown = payload ? (payload + 3) & ~(size_t)3 : 4;

	if (ret != want)
		return fail("answers %s, not %s", error_name(ret), error_name(want));
	if (n != (s->want == OK))
		return fail("%d records, not %d", n, s->want == OK);
	if (!n)
		return true;
	if (run.last.size != shown)
		return fail("%zu bytes recorded, not %zu", run.last.size, shown);
	if (memcmp(run.last.data, bytes + 4, payload))
		return fail("other bytes recorded");
	return strncmp(run.last.tracepoint, run.name, strlen(run.name)) ?
	       fail("recorded as %s", run.last.tracepoint) : true;
}

static bool do_write(const struct step *s)
{
	static unsigned char buf[PAYLOAD_MAX];
	static struct iovec iov[256];
	void *p = s->op == OP_WRITE_AT ? (void *)(uintptr_t)address(s->place) : buf;
	size_t size = s->op == OP_WRITE_AT ? (size_t)s->value : 0;
	int n = 0, fd = get_fd();
	ssize_t ret;

	memset(buf, 0, size);
	if (s->op == OP_WRITE) {
		memcpy(buf, &s->index, 4);
		size = 4 + make_payload(s->text, buf + 4, iov, &n);
	} else if (s->op == OP_WRITEV && s->text) {
		size = make_payload(s->text, buf, iov, &n);
	}
	now->records(&run.last);
	ret = s->op == OP_WRITEV ? now->writev(fd, iov, n) : now->write(fd, p, size);
	return check_write(s, ret < 0 ? -errno : ret, buf, size);
}

/*
 * An array without a length of its own shows as f[], or as f[N]: 6.12 prints a number there that it
 * never set.
 */
static void drop_lengths(char *text)
{
	char *to = text;

	for (; *text; text++) {
		*to++ = *text;
		if (*text == '[')
			text += strspn(text + 1, "-0123456789");
	}
	*to = '\0';
}

/* "declaration/offset/size/signed ..." of the format file, without the common fields. */
static bool do_format(const struct step *s)
{
	char *name = tracepoint(s->text), path[1000], *text, *p, *end, shown[4000] = "";
	size_t n = 0;
	bool ok;

	snprintf(path, sizeof(path), TRACEFS "/events/%s/%s/format", system_of(name), name);
	text = slurp(path);
	if (!text)
		return fail("no format file %s", path);
	p = strstr(text, "common_pid");
	p = p ? strchr(p, '\n') : NULL;
	if (s->op == OP_PRINT) {
		p = p ? strstr(p, "print fmt: ") : NULL;
		if (p)
			snprintf(shown, sizeof(shown), "%.*s", (int)strcspn(p + 11, "\n"), p + 11);
	} else {
		while (p && (p = strstr(p, "\tfield:"))) {
			int offset = -1, size = -1, is_signed = -1;

			p += 7;
			end = strchr(p, ';');
			if (!end || sscanf(end, ";\toffset:%d;\tsize:%d;\tsigned:%d;", &offset,
					   &size, &is_signed) != 3)
				break;
			n += (size_t)snprintf(shown + n, sizeof(shown) - n, "%s%.*s/%d/%d/%d",
					      n ? " " : "", (int)(end - p), p, offset, size,
					      is_signed);
			if (n >= sizeof(shown))
				break;
		}
	}
	free(text);
	drop_lengths(shown);
	ok = !strcmp(shown, s->expect);
	return ok || fail("shows '%s', not '%s'", shown, s->expect);
}

static bool do_line(const struct step *s)
{
	const char *path = s->op == OP_DYNAMIC ? TRACEFS "/dynamic_events" :
			   TRACEFS "/user_events_status";
	/* (what follows an event's name in the status is of events without a number) */
	char *line = strchr(s->text, ' ') ? expand(s->text, 0) : tracepoint(s->text);
	bool want = s->op != OP_NO_STATUS, has = !want;

	/* An event that nobody uses any more goes a little later. */
	for (int i = 0; i < 100; i++) {
		has = has_line(path, line, s->op == OP_NO_STATUS);
		if (has == want)
			break;
		pause_ms(20);
	}
	return has == want || fail("%s in %s", has ? "is" : "is not", path);
}

static bool do_trace(const struct step *s)
{
	char *name = tracepoint(s->text);
	int ret;

	if (s->op == OP_PERF) {
		ret = now->perf(name);
	} else {
		ret = now->trace(name, s->op == OP_ON);
		if (s->op == OP_ON && run.n_traced < (int)ARRAY_SIZE(run.traced))
			snprintf(run.traced[run.n_traced++].name, sizeof(run.traced[0].name), "%s",
				 name);
	}
	return answer(s, ret);
}

static bool do_step(const struct step *s)
{
	void *word = (void *)(uintptr_t)address(s->place);
	uint64_t v;
	long ret;

	switch (s->op) {
	case OP_FD:
		run.fd = s->bit;
		return true;
	case OP_OPEN_RDONLY:
		run.fds[run.fd] = now->open(TRACEFS "/user_events_data", O_RDONLY | O_CLOEXEC);
		return run.fds[run.fd] >= 0 || fail("cannot open: %s", strerror(errno));
	case OP_CLOSE:
		ret = now->close(run.fds[run.fd]) ? -errno : 0;
		run.fds[run.fd] = -1;
		return answer(s, ret);
	case OP_REG:
		return do_reg(s);
	case OP_UNREG:
		return do_unreg(s);
	case OP_DEL:
		return answer(s, do_del(expand(s->text, s->length), s->want == -EBUSY));
	case OP_IOCTL:
		ret = now->ioctl(get_fd(), (unsigned long)s->value,
				 (void *)(uintptr_t)address(s->place)) ? -errno : 0;
		return answer(s, ret);
	case OP_COMPAT:
		return answer(s, now->compat(get_fd()));
	case OP_SET:
		__atomic_store_n((uint32_t *)word, (uint32_t)s->value, __ATOMIC_SEQ_CST);
		return true;
	case OP_WORD:
		v = s->size == 8 ? *(volatile uint64_t *)word :
				   __atomic_load_n((uint32_t *)word, __ATOMIC_SEQ_CST);
		return v == s->value || fail("the word is %#llx, not %#llx", (unsigned long long)v,
					     (unsigned long long)s->value);
	case OP_ON:
	case OP_OFF:
	case OP_PERF:
		return do_trace(s);
	case OP_PERF_OFF:
		return answer(s, now->perf_off());
	case OP_WRITE:
	case OP_WRITEV:
	case OP_WRITE_AT:
		return do_write(s);
	case OP_RECORD:
		return !strcmp(tracepoint(s->text), run.last.tracepoint) ||
		       fail("the last record is of %s", run.last.tracepoint);
	case OP_PERF_COUNT:
		ret = now->perf_count();
		return ret == (long)s->value || fail("perf counts %ld, not %lu", ret,
						     (unsigned long)s->value);
	case OP_STATUS:
	case OP_NO_STATUS:
	case OP_DYNAMIC:
		return do_line(s);
	case OP_FORMAT:
	case OP_PRINT:
		return do_format(s);
	case OP_UNMAP:
		/* As good as unmapped, and no other mapping comes to lie there. */
		if (mmap((void *)(uintptr_t)address(s->place), PAGE, PROT_NONE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
			die("mmap: %s", strerror(errno));
		return true;
	case OP_PERFMON:
		return answer(s, now->perfmon(s->value));
	case OP_MAX:
		return answer(s, now->max_events(active_events() + (unsigned int)s->value));
	case OP_OTHER:
		return answer(s, now->other(expand(s->text, 0), (unsigned int)s->flags));
	case OP_OTHER_EXIT:
		return answer(s, now->other_exit(run.name));
	case OP_END:
		break;
	}
	return fail("no such step");
}

static void clean_up(unsigned int base)
{
	unsigned int left = 0;

	now->perfmon(true);
	now->max_events(32768);
	now->perf_off();
	for (int i = 0; i < run.n_traced; i++)
		now->trace(run.traced[i].name, false);
	run.fd = FDS - 1;
	for (int i = 0; i < run.n_enablers; i++)
		unregister_event(get_fd(), run.enablers[i].addr, run.enablers[i].bit);
	for (int i = 0; i < FDS; i++) {
		if (run.fds[i] >= 0)
			now->close(run.fds[i]);
		run.fds[i] = -1;
	}
	while (!now->other_exit(run.name))
		;
	/* a persistent event that the row left */
	run.fd = FDS - 1;
	do_del(run.name, false);
	if (run.fds[FDS - 1] >= 0)
		now->close(run.fds[FDS - 1]);
	munmap(run.memory, 5 * PAGE);
	/* Every row begins with a system as it found it. */
	for (int i = 0; i < 250; i++) {
		left = active_events();
		if (left <= base)
			return;
		pause_ms(20);
	}
	fail("leaves %u events", left - base);
}

/* Returns how many events there are. */
static unsigned int begin(int number)
{
	memset(&run, 0, sizeof(run));
	snprintf(run.name, sizeof(run.name), "abi%d", number);
	for (int i = 0; i < FDS; i++)
		run.fds[i] = -1;
	if (now == &fake_world)
		set_up_fake();
	map_memory();
	return active_events();
}

static bool run_row(const struct row *row, int number)
{
	unsigned int base = begin(number);
	bool ok;

	for (size_t i = 0; i < ARRAY_SIZE(row->steps) && row->steps[i].op != OP_END; i++) {
		if (do_step(&row->steps[i]))
			continue;
		printf("%s: %s: step %zu%s%s%s: %s\n", now->name, row->name, i + 1,
		       row->steps[i].text ? " '" : "", row->steps[i].text ? row->steps[i].text : "",
		       row->steps[i].text ? "'" : "", run.why);
		break;
	}
	ok = !run.why[0];
	clean_up(base);
	if (ok && run.why[0])
		printf("%s: %s: %s\n", now->name, row->name, run.why);
	fflush(stdout);
	return !run.why[0];
}

/* ---- What the fake alone can do: other machines ---- */

static int worlds_passed, worlds_failed;

static void check(bool ok, const char *what)
{
	if (ok)
		worlds_passed++;
	else
		worlds_failed++;
	if (!ok)
		printf("fake: %s\n", what);
}

static int open_data(const char *dir)
{
	char path[300];
	int fd;

	snprintf(path, sizeof(path), "%s/user_events_data", dir);
	fd = fake_open(path, O_RDWR);
	return fd < 0 ? -errno : fd;
}

static void check_worlds(void)
{
	struct fake_world world = fake_world_default();
	char text[1000];
	uint32_t words[4] = { 0 };
	ssize_t n, total;
	int fd, i;

	now = &fake_world;
	fake_kernel_reset(NULL);
	check(open_data("/sys/kernel/tracing") >= 0, "default: tracefs at its usual place");
	check(open_data("/sys/kernel/debug/tracing") == -ENOENT, "default: and nowhere else");

	world.tracefs = "/sys/kernel/debug/tracing";
	fake_kernel_reset(&world);
	check(open_data("/sys/kernel/tracing") == -ENOENT, "debugfs: not at the usual place");
	check(open_data("/sys/kernel/debug/tracing") >= 0, "debugfs: there");
	check(fake_kernel_fds() == 1, "one fd is open");

	world.tracefs = "/mnt/a b\\c";
	world.read_max = 7;
	fake_kernel_reset(&world);
	check(open_data("/mnt/a b\\c") >= 0, "a mount point with a space and a backslash");
	fd = fake_open("/proc/self/mounts", O_RDONLY);
	for (total = 0, i = 1; (n = fake_read(fd, text + total, 500)) > 0; total += n)
		i = i && n <= 7;
	text[total] = '\0';
	check(i, "reads of at most 7 bytes");
	check(strstr(text, " /mnt/a\\040b\\134c tracefs ") != NULL, "mounts are escaped");
	check(fake_close(fd) == 0 && fake_close(fd) == -1 && errno == EBADF, "a second close");

	world = fake_world_default();
	world.tracefs = NULL;
	fake_kernel_reset(&world);
	check(open_data("/sys/kernel/tracing") == -ENOENT, "no tracefs");
	world.mounts_errno = EACCES;
	fake_kernel_change(&world);
	check(fake_open("/proc/self/mounts", O_RDONLY) < 0 && errno == EACCES, "no mounts");
	world = fake_world_default();
	fake_kernel_change(&world);
	check(open_data("/sys/kernel/tracing") >= 0, "tracefs is mounted later");

	world.data_errno = EACCES;
	fake_kernel_reset(&world);
	check(open_data("/sys/kernel/tracing") == -EACCES, "no permission");
	world = fake_world_default();
	world.denied = "/sys/kernel/tracing";
	fake_kernel_reset(&world);
	check(open_data("/sys/kernel/tracing") == -EACCES, "a directory without permission");

	world = fake_world_default();
	world.known_flags = FAKE_REG_PERSIST;
	fake_kernel_reset(&world);
	fd = open_data("/sys/kernel/tracing");
	check(register_event(fd, "w u8 a", words, FAKE_REG_MULTI_FORMAT) == -EINVAL,
	      "before 2024: no multi-format");
	world.known_flags = 0;
	fake_kernel_change(&world);
	check(register_event(fd, "w u8 a", words, FAKE_REG_PERSIST) == -EINVAL, "no flags at all");
	check(register_event(fd, "w u8 a", words, 0) == 0, "no flags are needed");

	fake_kernel_reset(NULL);
	fd = open_data("/sys/kernel/tracing");
	fake_kernel_fail(FAKE_REG, 2, 2, ENOMEM);
	for (i = 0; i < 4; i++) {
		snprintf(text, sizeof(text), "w%d u8 a", i);
		n = register_event(fd, text, &words[i], 0);
		check(n == (i == 1 || i == 2 ? -ENOMEM : i / 3), "the 2nd and 3rd call fail");
	}
	check(fake_kernel_calls(FAKE_REG) == 4 && fake_kernel_calls(FAKE_OPEN) == 1,
	      "calls are counted");
	check(fake_kernel_events() == 2 && fake_kernel_enablers() == 2, "events are counted");
	check(fake_kernel_enable("user_events:w*", FAKE_PERF) == 2, "a pattern enables both");
	check(words[0] == 1 && words[3] == 1, "both bits are set");
	check(fake_kernel_disable("*", FAKE_PERF) == 2 && !words[0], "a pattern disables both");
	check(fake_kernel_fields("w3", text, sizeof(text)) == 4 && !strcmp(text, "u8 a"),
	      "fields are told");
	check(fake_kernel_fields("none", text, sizeof(text)) == -ENOENT, "no event, no fields");
	fake_kernel_enable("w3", FAKE_FTRACE);
	memset(text, 0, sizeof(text));
	text[LITTLE ? 0 : 3] = 1;
	check(fake_write(fd, text, 5) == 5, "a write");
	check(fake_kernel_lost() == 0, "nothing is lost");
	world = fake_world_default();
	world.ftrace_max = 10;
	fake_kernel_change(&world);
	check(fake_write(fd, text, 15) == 15 && fake_kernel_lost() == 1, "one is lost");
	check(fake_kernel_records() == 1 && fake_kernel_record(0)->index == 1, "one is recorded");
	fake_kernel_clear_records();
	check(!fake_kernel_records() && !fake_kernel_record(0) && !fake_kernel_overrun(),
	      "cleared");
	fake_kernel_reset(NULL);
}

static int thread_fd;
static bool threads_end;
static unsigned long threads_wrote, threads_failed;

static void write_word(uint32_t index)
{
	uint32_t event[2] = { index, 7 };

	if (fake_write(thread_fd, event, sizeof(event)) == sizeof(event))
		__atomic_fetch_add(&threads_wrote, 1, __ATOMIC_RELAXED);
	else if (errno != EBADF)
		__atomic_fetch_add(&threads_failed, 1, __ATOMIC_RELAXED);
}

static void write_from_signal(int signal)
{
	int saved = errno;

	(void)signal;
	write_word(0);
	errno = saved;
}

static void *register_and_write(void *name)
{
	uint32_t word = 0;

	for (int i = 0; i < 300; i++) {
		int index = register_event(thread_fd, name, &word, 0);

		for (int j = 0; j < 5; j++)
			if (index >= 0 && __atomic_load_n(&word, __ATOMIC_RELAXED) & 1)
				write_word((uint32_t)index);
		if (index < 0 || unregister_event(thread_fd, (uintptr_t)&word, 0) || word)
			__atomic_fetch_add(&threads_failed, 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

static void *come_and_go(void *arg)
{
	while (!__atomic_load_n(&threads_end, __ATOMIC_RELAXED)) {
		fake_kernel_enable("thread*", FAKE_FTRACE);
		sched_yield();
		fake_kernel_disable("thread*", FAKE_FTRACE);
	}
	return arg;
}

/* Threads and a signal handler write, a tracer comes and goes, the process forks. */
static void check_threads(void)
{
	static char names[][20] = {
		"thread0 u32 a", "thread0 u32 a", "thread1 u32 a", "thread2 u32 a"
	};
	struct itimerval timer = { { 0, 500 }, { 0, 500 } };
	struct sigaction action, old;
	pthread_t threads[4], tracer;
	uint32_t word = 0;
	int status = 0;

	fake_kernel_reset(NULL);
	thread_fd = open_data("/sys/kernel/tracing");
	register_event(thread_fd, names[0], &word, 0);
	memset(&action, 0, sizeof(action));
	action.sa_handler = write_from_signal;
	action.sa_flags = SA_RESTART;
	sigaction(SIGALRM, &action, &old);
	setitimer(ITIMER_REAL, &timer, NULL);
	pthread_create(&tracer, NULL, come_and_go, NULL);
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, register_and_write, names[i]);
	for (int i = 0; i < 10 && !status; i++) {
		pid_t pid = fork();

		if (!pid)
			_exit(fake_kernel_enable("thread0", FAKE_PERF) != 1);
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
	}
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	__atomic_store_n(&threads_end, true, __ATOMIC_RELAXED);
	pthread_join(tracer, NULL);
	memset(&timer, 0, sizeof(timer));
	setitimer(ITIMER_REAL, &timer, NULL);
	sigaction(SIGALRM, &old, NULL);
	check(!status, "a child of fork can use its copy");
	check(!threads_failed, "threads: every call is answered as expected");
	check(threads_wrote && threads_wrote == fake_kernel_records(),
	      "threads: a write is a record");
	fake_kernel_reset(NULL);
}

/* ---- The table ---- */

static int run_table(const struct world *world)
{
	int passed = 0, failed = 0;

	now = world;
	if (world == &real_world)
		set_up_real();
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (run_row(&rows[i], (int)i))
			passed++;
		else
			failed++;
	}
	if (world == &real_world)
		tear_down_real();
	if (world == &fake_world) {
		check_worlds();
		check_threads();
	}
	printf("%d passed, %d failed\n", passed + worlds_passed, failed + worlds_failed);
	return failed + worlds_failed != 0;
}

/* ---- Random registrations and writes ---- */

/* A generator of its own, so that a number names a case on every machine. */
static uint64_t random_state;

static unsigned int pick(unsigned int n)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned int)(random_state >> 33) % n;
}

#define PICK(a) ((a)[pick((unsigned int)ARRAY_SIZE(a))])

/* Mostly what the kernel takes; often a little wrong. */
static void random_text(char *text)
{
	static const char *const types[] = {
		"u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "char", "short", "int",
		"unsigned char", "unsigned short", "unsigned int", "char[3]", "char[20]",
		"unsigned char[7]", "__rel_loc char[]", "__rel_loc u8[]",
		"__rel_loc unsigned char[]", "__rel_loc u32[]", "__data_loc u8[]",
		"__data_loc unsigned short[]", "struct s",
		"long", "bool", "unsigned", "signed", "char[]", "u8[2]", "char[0x8]", "char[09]",
		"char[+3]", "char[1024]", "char[1025]", "__rel_loc", "__data_loc unsigned",
		"struct", "struct  s", "const char", "",
	};
	static const char *const names[] = {
		"a", "b", "a", "b", "long_name", "", "*p", "x y", "c 4"
	};
	static const char *const ends[] = { "; ", "; ", "; ", ";", ";", ";;", "; ; ", " ;", ";  " };
	static const char mutations[] = " ;:[]0u9\t\n,.au\xa0";
	char *p = stpcpy(text, run.name);
	unsigned int n = pick(5);
	size_t len, at;

	if (n)
		p = stpcpy(p, pick(20) ? " " : "  ");
	for (unsigned int i = 0; i < n; i++) {
		const char *type = pick(4) ? types[pick(23)] : PICK(types);

		p = stpcpy(p, type);
		p = stpcpy(p, pick(30) ? " " : "  ");
		p = stpcpy(p, pick(8) ? names[pick(5)] : PICK(names));
		if (!strncmp(type, "struct", 6))
			p += sprintf(p, " %u", pick(12));
		if (i + 1 < n || !pick(8))
			p = stpcpy(p, pick(4) ? "; " : PICK(ends));
	}
	while (!pick(6)) {
		len = strlen(text);
		at = strlen(run.name) + pick((unsigned int)(len - strlen(run.name)) + 1);
		if (pick(2) && text[at]) {
			memmove(text + at, text + at + 1, len - at);
		} else {
			memmove(text + at + 1, text + at, len - at + 1);
			text[at] = mutations[pick(sizeof(mutations) - 1)];
		}
	}
}

/* Bytes in which loc fields of small sizes and offsets are likely. */
static size_t random_payload(unsigned char *buf)
{
	static const unsigned int long_sizes[] = { 4063, 4064, 4065, 4068, 5000 };
	size_t size = pick(12) ? pick(64) : PICK(long_sizes);

	memset(buf, 0, size + 4);
	for (size_t i = 0; i < size; i++)
		if (pick(3))
			buf[i] = (unsigned char)pick(pick(4) ? 9 : 256);
	for (size_t i = 0; i < size; i += 4) {
		uint32_t loc = (uint32_t)pick(8) << 16 | pick(30);

		if (pick(2))
			memcpy(buf + i, &loc, 4);
	}
	return size;
}

struct log {
	char text[40000];
	size_t n;
};

__attribute__((format(printf, 2, 3)))
static void note(struct log *log, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	log->n += (size_t)vsnprintf(log->text + log->n, sizeof(log->text) - log->n, format, args);
	va_end(args);
	if (log->n >= sizeof(log->text))
		die("a case is too long");
}

static void note_reg(struct log *log, const char *text, enum place place, unsigned int flags)
{
	struct step step = {
		.op = OP_REG, .text = text, .place = place, .size = 4, .flags = (int)flags,
		.index = ANY, .want = 1,
	};

	/* It never answers 1, so this tells the answer. */
	run.why[0] = '\0';
	do_reg(&step);
	note(log, "register '%s' flags %u: %s\n", text, flags, run.why);
	run.why[0] = '\0';
}

static void note_write(struct log *log, int index)
{
	static unsigned char buf[PAGE * 2];
	size_t size = random_payload(buf + 4);
	size_t shown = size && now->rounds ? (size + 3) & ~(size_t)3 : size;
	ssize_t ret;
	int n;

	memcpy(buf, &index, 4);
	now->records(&run.last);
	ret = now->write(get_fd(), buf, size + 4);
	if (ret < 0)
		ret = -errno;
	n = now->records(&run.last);
	note(log, "write %d, %zu bytes: %s, %d records", index, size, error_name(ret), n);
	if (n) {
		bool same = run.last.size == shown || (!size && run.last.size == 4);

		same = same && !memcmp(run.last.data, buf + 4, size);
		note(log, ", %s, %s", run.last.tracepoint, same ? "as written" : "other bytes");
	}
	note(log, "\n");
}

static void observe(const struct world *world, int number, struct log *log)
{
	char text[3][1200], name[1200], path[1400], *format;
	unsigned int base, flags;

	now = world;
	log->n = 0;
	base = begin(number);
	random_state = (uint64_t)number * 977 + 1;
	pick(2);
	flags = pick(6) ? 0 : FAKE_REG_MULTI_FORMAT;
	random_text(text[0]);
	if (pick(2)) {
		random_text(text[1]);
	} else {
		/* The same fields, other white space. */
		char *to = text[1];

		for (const char *c = text[0]; (*to++ = *c); c++)
			if (*c == ';' && pick(2))
				*to++ = ' ';
	}
	note_reg(log, text[0], W0, flags);
	note_reg(log, text[0], W1, flags);
	note_reg(log, text[1], W2, flags);

	if (!flags) {
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(text[0], " "), text[0]);
		snprintf(path, sizeof(path), TRACEFS "/events/user_events/%s/format", name);
		format = slurp(path);
		if (format && strstr(format, "common_pid")) {
			drop_lengths(format);
			note(log, "%s\n", strstr(format, "common_pid"));
		}
		free(format);
		if (run.n_enablers) {
			note(log, "trace: %s\n", error_name(now->trace(name, true)));
			snprintf(run.traced[run.n_traced++].name, sizeof(run.traced[0].name),
				 "%.599s", name);
		}
	}
	for (int i = 0; i < 6; i++)
		note_write(log, pick(8) ? 0 : 1);
	for (enum place w = W0; w <= W2; w++)
		note(log, "word %d: %u\n", (int)w, *(volatile uint32_t *)(uintptr_t)address(w));
	clean_up(base);
	if (run.why[0])
		note(log, "%s\n", run.why);
}

static int compare(int n, int first)
{
	static struct log on_fake, on_real;
	int passed = 0, failed = 0, taken = 0, records = 0;

	set_up_real();
	for (int i = first; i < first + n; i++) {
		observe(&fake_world, i, &on_fake);
		observe(&real_world, i, &on_real);
		taken += strstr(on_real.text, "answers 0") != NULL;
		for (char *p = on_real.text; (p = strstr(p, "as written")); p++)
			records++;
		if (!strcmp(on_fake.text, on_real.text)) {
			passed++;
			continue;
		}
		failed++;
		printf("compare: case %d\n--- fake\n%s--- real\n%s", i, on_fake.text, on_real.text);
		fflush(stdout);
	}
	tear_down_real();
	printf("%d cases with a registration that was taken, %d records\n", taken, records);
	printf("%d passed, %d failed\n", passed, failed);
	return failed != 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "fake";

	signal(SIGPIPE, SIG_IGN);
	if (!strcmp(what, "fake"))
		return run_table(&fake_world);
	if (!strcmp(what, "real"))
		return run_table(&real_world);
	if (!strcmp(what, "compare"))
		return compare(argc > 2 ? atoi(argv[2]) : 1000, argc > 3 ? atoi(argv[3]) : 0);
	if (!strcmp(what, "list")) {
		for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
			printf("%s\n", rows[i].name);
		return 0;
	}
	fprintf(stderr, "usage: abi_table [fake | real | compare [N [FIRST]] | list]\n");
	return 2;
}
