/* SPDX-License-Identifier: MIT */
/* The table of requests to the kernel and the expected answers. */
#include "abi/language.h"

/* A field type that the kernel accepts. `end` is the offset of the following field. */
#define TAKEN(type, shown, end) \
	{ "field '" type "' is taken", { \
		REG("@ " type "; u8 end", W0, 0, 0), \
		FORMAT("@", shown " u8 end/" end "/1/0"), \
		DYNAMIC("u:@ " type "; u8 end"), \
		/* Registering the same text again finds the same event. */ \
		REG("@ " type "; u8 end", W1, 0, 0), \
	} }
#define BAD(text) REG(text, W0, 0, -EINVAL)

const struct row rows[] = {

/* ---- Accepted field types ---- */

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
/*
 * The kernel parses the number in brackets like a C constant, and ignores everything after the
 * number.
 */
TAKEN("char[0x10] f", "char f[]/8/16/1", "24"),
TAKEN("char[010] f", "char f[]/8/8/1", "16"),
TAKEN("char[+16] f", "char f[]/8/16/1", "24"),
TAKEN("char[4][4] f", "char f[]/8/4/1", "12"),

/* ---- Rejected fields ---- */

{ "types that no kernel knows are rejected", {
	BAD("@ long f"), BAD("@ unsigned long f"), BAD("@ long long f"), BAD("@ bool f"),
	BAD("@ float f"), BAD("@ double f"), BAD("@ size_t f"), BAD("@ u128 f"), BAD("@ U32 f"),
	BAD("@ unsigned f"), BAD("@ unsigned u32 f"), BAD("@ signed int f"),
	BAD("@ const int f"), BAD("@ short int f"), BAD("@ void* f"), BAD("@ void * f"),
	BAD("@ u32[4] f"), BAD("@ u8[4] f"), NO_STATUS("@") } },
{ "arrays without a valid length are rejected", {
	BAD("@ char[0] f"), BAD("@ char[1025] f"), BAD("@ unsigned char[0] f"),
	BAD("@ unsigned char[1025] f"), BAD("@ char[] f"), BAD("@ unsigned char[] f"),
	BAD("@ char[-1] f"), BAD("@ char[x] f"), BAD("@ char[4 f"), BAD("@ char f[4]x y"),
	BAD("@ char[0000016] f"), NO_STATUS("@") } },
{ "structs without a valid size are rejected", {
	BAD("@ struct point f"), BAD("@ struct point"), BAD("@ struct point f 0"),
	BAD("@ struct point f x"), BAD("@ struct point f 0x10"), BAD("@ struct point f -1"),
	BAD("@ struct point f 4 "), BAD("@ union point f 4"), NO_STATUS("@") } },
{ "a field without a type and a name is rejected", {
	BAD("@ u32 f 4"), BAD("@ u32"), BAD("@ f"), BAD("@ __rel_loc f"),
	BAD("@ __rel_loc char[]"), BAD("@ __data_loc f"), BAD("@ u32  f"), BAD("@ u32\tf"),
	BAD("@ u32 f "), BAD("@ u32 f ; u32 g"), BAD("@ u32 f; u32 g "), BAD("@ u32 f, u32 g"),
	BAD("@ u32 f; bool g"), NO_STATUS("@") } },
{ "a name with a colon or a space before it is rejected", {
	BAD("@:FLAG u32 f"), BAD("@: u32 f"), BAD("@:"), BAD(":@ u32 f"), BAD(" @ u32 f"),
	NO_STATUS("@") } },

/* ---- Accepted but unusable names ---- */

{ "an empty name is accepted", { REG("", W0, 0, 0), STATUS("") } },
{ "an empty name with fields is accepted", { REG(" u32 f", W0, 0, 0), STATUS("") } },
{ "a name with / is accepted", { REG("@/x u32 f", W0, 0, 0), STATUS("@/x") } },
{ "a name with - is accepted", { REG("@-x u32 f", W0, 0, 0), STATUS("@-x") } },
{ "a name with . is accepted", { REG("@.x u32 f", W0, 0, 0), STATUS("@.x") } },
{ "a name with ; is accepted", { REG("@;x u32 f", W0, 0, 0), STATUS("@;x") } },
{ "a name with a tab is accepted", { REG("@\tx u32 f", W0, 0, 0), STATUS("@\tx") } },
{ "a non-ASCII name is accepted", { REG("@\xc3\xa9 u32 f", W0, 0, 0), STATUS("@\xc3\xa9") } },
{ "a name of digits is accepted", { REG("1@ u32 f", W0, 0, 0), STATUS("1@") } },
{ "a space after a name without fields is accepted", {
	REG("@ ", W0, 0, 0), DYNAMIC("u:@"), REG("@", W1, 0, 0) } },
{ "two spaces after the name are accepted", {
	REG("@  u32 f", W0, 0, 0), DYNAMIC("u:@ u32 f"), REG("@ u32 f", W1, 0, 0) } },
{ "two fields of one name are accepted", {
	REG("@ u32 f; u8 f", W0, 0, 0), FORMAT("@", "u32 f/8/4/0 u8 f/12/1/0") } },
{ "a field common_pid is accepted", { REG("@ u32 common_pid", W0, 0, 0) } },
{ "a field x-y is accepted", { REG("@ u32 x-y", W0, 0, 0), DYNAMIC("u:@ u32 x-y") } },
{ "a field x,y is accepted", { REG("@ u32 x,y", W0, 0, 0), DYNAMIC("u:@ u32 x,y") } },
{ "a field *f is accepted, and is not a pointer", {
	REG("@ char *f", W0, 0, 0), FORMAT("@", "char *f/8/1/1") } },
{ "a field 123 is accepted", { REG("@ u32 123", W0, 0, 0), DYNAMIC("u:@ u32 123") } },
{ "a field x:y is accepted", { REG("@ u32 x:y", W0, 0, 0), DYNAMIC("u:@ u32 x:y") } },
{ "a non-ASCII field is accepted", { REG("@ u32 \xc3\xa9", W0, 0, 0) } },
/*
 * The kernel parses a single trailing space as an empty field name. It rejects a space after a
 * name.
 */
{ "a field with an empty name is accepted", {
	REG("@ u32 ", W0, 0, 0), FORMAT("@", "u32 /8/4/0") } },
{ "an empty field alone is accepted", { REG("@ ;", W0, 0, 0), DYNAMIC("u:@") } },
{ "an empty field is accepted", {
	REG("@ u8 a;; u8 b", W0, 0, 0), FORMAT("@", "u8 a/8/1/0 u8 b/9/1/0") } },
{ "an event with an empty field cannot be registered again", {
	REG("@ u8 a;; u8 b", W0, 0, 0), REG("@ u8 a;; u8 b", W1, 0, -EADDRINUSE),
	REG("@ u8 a; u8 b", W1, 0, 0) } },
{ "a semicolon at the end is accepted", {
	REG("@ u8 a;", W0, 0, 0), REG("@ u8 a;", W1, 0, 0), REG("@ u8 a", W2, 0, 0),
	FORMAT("@", "u8 a/8/1/0") } },
{ "a semicolon and a space at the end are accepted", {
	REG("@ u8 a; ", W0, 0, 0), REG("@ u8 a", W1, 0, 0) } },
{ "white space before a field is accepted", {
	REG("@ u8 a; \t\n u8 b", W0, 0, 0), REG("@ u8 a; u8 b", W1, 0, 0) } },

/* The kernel treats Latin-1 white space as spaces, and a number may end with a newline. */
{ "a no-break space before a field is accepted", {
	REG("@ u8 a;\xa0u8 b", W0, 0, 0), REG("@ u8 a; u8 b", W1, 0, 0),
	DYNAMIC("u:@ u8 a; u8 b") } },
{ "a field with a no-break space cannot be registered again", {
	REG("@ u8 \xc3\xa0", W0, 0, 0), REG("@ u8 \xc3\xa0", W1, 0, -EADDRINUSE) } },
{ "a newline in the brackets is accepted", {
	REG("@ char[3\n] a; u8 b", W0, 0, 0), ON("@"), WRITE(0, "n=3", -EINVAL),
	WRITE(0, "n=4", OK) } },
/* The kernel parses the size as an unsigned number and uses it as a signed one. */
{ "a struct of 2^32 - 1 bytes is rejected with EPERM", {
	REG("@ struct s f 4294967295", W0, 0, -EPERM),
	REG("@ struct s f 4294967274", W0, 0, -EINVAL),
	REG("@ struct s f 4294967296", W0, 0, -EINVAL) } },

/* ---- Several fields ---- */

{ "fields are packed without padding", {
	REG("@ u8 a; u64 b; u16 c; char[3] d; u32 e", W0, 0, 0),
	FORMAT("@", "u8 a/8/1/0 u64 b/9/8/0 u16 c/17/2/0 char d[]/19/3/1 u32 e/22/4/0") } },
{ "an event without fields has an empty format", {
	REG("@", W0, 0, 0), FORMAT("@", ""), DYNAMIC("u:@") } },
{ "the print format is %u and %d for ints, %s for char[N] and loc char[]", {
	REG("@ u8 a; s16 b; u64 c; char[4] d; __rel_loc char[] e; __data_loc char[] f", W0, 0, 0),
	{ .op = OP_PRINT, .text = "@", .expect =
	  "\"a=%u b=%d c=%llu d=%s e=%s f=%s\", REC->a, REC->b, REC->c, REC->d, "
	  "__get_rel_str(e), __get_str(f)" } } },
{ "loc fields of other types are shown as numbers", {
	REG("@ __rel_loc u8[] a; struct s b 3; s64 c; unsigned char d", W0, 0, 0),
	{ .op = OP_PRINT, .text = "@", .expect =
	  "\"a=%llu b=%llu c=%lld d=%u\", REC->a, REC->b, REC->c, REC->d" } } },
{ "100 fields are accepted", {
	REG("@ u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;"
	    "u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;"
	    "u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;"
	    "u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;"
	    "u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;"
	    "u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a;u8 a",
	    W0, 0, 0), ON("@"), WRITE(0, "n=99", -EINVAL), WRITE(0, "n=100", OK) } },

/* ---- Length ---- */

{ "511 bytes with a long field name are accepted", {
	{ .op = OP_REG, .text = "@ u8 ~", .length = 511, .size = 4, .index = 0 } } },
{ "512 bytes with a long field name are rejected", {
	{ .op = OP_REG, .text = "@ u8 ~", .length = 512, .size = 4, .want = -EINVAL } } },
{ "a short event is accepted after a long one was rejected", {
	{ .op = OP_REG, .text = "@ u8 ~", .length = 513, .size = 4, .want = -EINVAL },
	REGI("@ u8 a", W0, 0, 0) } },
{ "511 bytes with a name of 200 are accepted", {
	{ .op = OP_REG, .text = "@_"
	  "01234567890123456789012345678901234567890123456789012345678901234567890123456789"
	  "01234567890123456789012345678901234567890123456789012345678901234567890123456789"
	  "01234567890123456789012345678901234567 u8 ~", .length = 511, .size = 4, .index = 0 } } },
{ "5000 bytes are rejected", {
	{ .op = OP_REG, .text = "@ u8 ~", .length = 5000, .size = 4, .want = -EINVAL } } },

/* ---- Enable words: address, bit, size ---- */

{ "an address off by 1, 2 or 3 is rejected", {
	REG("@ u8 a", ODD1, 0, -EINVAL), REG("@ u8 a", ODD2, 0, -EINVAL),
	REG("@ u8 a", ODD3, 0, -EINVAL) } },
{ "a 4-byte word needs no 8-byte alignment", {
	REG("@ u8 a", W0_HIGH, 3, 0), ON("@"), WORD(W0_HIGH, 8), WORD(W0, 0) } },
{ "a page that is not writable is rejected", {
	REG("@ u8 a", RO, 0, -ENOMEM), REG("@ u8 a", NOWHERE, 0, -ENOMEM),
	REG("@ u8 a", PROTECTED, 0, -ENOMEM), REG("@ u8 a", ZERO, 0, -ENOMEM) } },
{ "a page that has not been accessed yet is accepted", {
	REG("@ u8 a", FRESH, 0, 0), ON("@"), WORD(FRESH, 1) } },
{ "the last word before an unmapped page is accepted", {
	REG("@ u8 a", LAST, 31, 0), ON("@"), WORD(LAST, 0x80000000) } },
{ "a registration with an unwritable word keeps its index in the fd", {
	REG("@ u8 a", RO, 0, -ENOMEM), STATUS("@"), REGI("@_b u8 a", W0, 0, 1),
	ON("@"), WRITE(0, "1=7", OK), RECORD("@") } },
{ "bit 31 of a 4-byte word is accepted", {
	REG("@ u8 a", W0, 31, 0), ON("@"), WORD(W0, 0x80000000), OFF("@"), WORD(W0, 0) } },
{ "bits 32 and 255 of a 4-byte word are rejected", {
	REG("@ u8 a", W0, 32, -EINVAL), REG("@ u8 a", W0, 255, -EINVAL) } },
{ "a size of 0, 1, 2 or 16 is rejected", {
	REGS("@ u8 a", W0, 0, 0, -EINVAL), REGS("@ u8 a", W0, 0, 1, -EINVAL),
	REGS("@ u8 a", W0, 0, 2, -EINVAL), REGS("@ u8 a", W0, 0, 16, -EINVAL) } },
#if LONG_MAX > 0x7fffffff
{ "an address in the kernel's half is rejected", { REG("@ u8 a", KERNEL, 0, -EFAULT) } },
{ "bit 63 of an 8-byte word is accepted", {
	REG8("@ u8 a", W0, 63, 0), ON("@"), { .op = OP_WORD, .size = 8, .value = 1ull << 63 },
	OFF("@"), { .op = OP_WORD, .size = 8 } } },
{ "bit 32 of an 8-byte word is accepted", {
	SET(W0, 0x50005), SET(W0_HIGH, 0x50005), REG8("@ u8 a", W0, 32, 0), ON("@"),
	{ .op = OP_WORD, .size = 8, .value = 0x5000500050005 | 1ull << 32 }, UNREG(W0, 32, 0),
	{ .op = OP_WORD, .size = 8, .value = 0x5000400050005 } } },
{ "bit 64 of an 8-byte word is rejected", { REG8("@ u8 a", W0, 64, -EINVAL) } },
{ "an 8-byte word needs 8-byte alignment", { REG8("@ u8 a", W0_HIGH, 0, -EINVAL) } },
{ "8 and 4 bytes at one address and bit are the same word", {
	REG8("@ u8 a", W0, 1, 0), REG("@ u8 a", W0, 1, -EADDRINUSE) } },
#else
{ "an 8-byte word is rejected on 32 bits", { REG8("@ u8 a", W0, 0, -EINVAL) } },
#endif

/* ---- Enable words: changes by the kernel ---- */

{ "other bits of the word are not touched", {
	SET(W0, 0xf0000000), REG("@ u8 a", W0, 0, 0), REG("@_b u8 a", W0, 1, 0),
	WORD(W0, 0xf0000000), ON("@"), ON("@_b"), WORD(W0, 0xf0000003),
	OFF("@_b"), WORD(W0, 0xf0000001), OFF("@"), WORD(W0, 0xf0000000) } },
{ "other bits may change while an event is registered", {
	REG("@ u8 a", W0, 0, 0), ON("@"), SET(W0, 0xfffffffd), OFF("@"), WORD(W0, 0xfffffffc),
	ON("@"), WORD(W0, 0xfffffffd), UNREG(W0, 0, 0), WORD(W0, 0xfffffffc) } },
{ "registering a disabled event clears the bit", {
	SET(W0, 0xff), REG("@ u8 a", W0, 4, 0), WORD(W0, 0xef) } },
{ "registering an enabled event sets the bit", {
	REG("@ u8 a", W0, 0, 0), ON("@"), REG("@ u8 a", W1, 5, 0), WORD(W1, 1u << 5) } },
{ "a second enabler on the same address and bit is rejected", {
	REG("@ u8 a", W0, 0, 0), REG("@ u8 a", W0, 0, -EADDRINUSE),
	REG("@_b u8 a", W0, 0, -EADDRINUSE) } },
{ "a second enabler from another fd is rejected", {
	REG("@ u8 a", W0, 0, 0), FD(1), REG("@ u8 a", W0, 0, -EADDRINUSE) } },
{ "the same bit in each half of an 8-byte word counts as two bits", {
	REG("@ u8 a", W0, 0, 0), REG("@_b u8 a", W0_HIGH, 0, 0), ON("@_b"),
	WORD(W0, 0), WORD(W0_HIGH, 1) } },
{ "one event sets all its words", {
	REG("@ u8 a", W0, 0, 0), REG("@ u8 a", W1, 7, 0), FD(1), REG("@ u8 a", W2, 31, 0),
	ON("@"), WORD(W0, 1), WORD(W1, 1 << 7), WORD(W2, 0x80000000),
	OFF("@"), WORD(W0, 0), WORD(W1, 0), WORD(W2, 0) } },
{ "one event may have several bits of a word", {
	REG("@ u8 a", W0, 0, 0), REG("@ u8 a", W0, 9, 0), ON("@"), WORD(W0, 0x201),
	UNREG(W0, 9, 0), WORD(W0, 1) } },
{ "enabling an event twice has the same effect as enabling it once", {
	REG("@ u8 a", W0, 0, 0), ON("@"), ON("@"), OFF("@"), WORD(W0, 0),
	WRITE(0, "1=1", -EBADF) } },
{ "words follow the tracers when the fd is closed", {
	REG("@ u8 a", W0, 0, 0), CLOSE, ON("@"), WORD(W0, 1), OFF("@"), WORD(W0, 0) } },
{ "an unmapped word does not affect the others", {
	REG("@ u8 a", FRESH, 0, 0), REG("@ u8 a", W0, 0, 0),
	{ .op = OP_UNMAP, .place = FRESH }, ON("@"), WORD(W0, 1), OFF("@"), WORD(W0, 0) } },
{ "perf alone sets the bit", {
	REG("@ u8 a", W0, 0, 0), { .op = OP_PERF, .text = "@" }, WORD(W0, 1),
	STATUS("@ # Used by perf"),
	{ .op = OP_PERF_OFF }, WORD(W0, 0), STATUS("@") } },
{ "the bit stays set until the last tracer detaches", {
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
{ "the same name and fields at another address get the same index", {
	REGI("@ u8 a", W0, 0, 0), REGI("@_b u8 a", W1, 0, 1), REGI("@ u8 a", W2, 0, 0) } },
{ "a rejected registration uses up no index", {
	REG("@ bool a", W0, 0, -EINVAL), REGI("@ u8 a", W0, 0, 0) } },
{ "an index survives unregistering", {
	REGI("@ u8 a", W0, 0, 0), UNREG(W0, 0, 0), REGI("@_b u8 a", W0, 0, 1),
	REGI("@ u8 a", W1, 0, 0) } },

/* ---- Several registrations of one name ---- */

{ "a name is rejected with other fields", {
	REG("@ u8 a", W0, 0, 0), REG("@ u8 b", W1, 0, -EADDRINUSE),
	REG("@ u16 a", W1, 0, -EADDRINUSE), REG("@ u8 a; u8 b", W1, 0, -EADDRINUSE),
	REG("@", W1, 0, -EADDRINUSE), REG("@ ", W1, 0, -EADDRINUSE) } },
{ "a name registered with fields is rejected without fields", {
	REG("@", W0, 0, 0), REG("@ u8 a", W1, 0, -EADDRINUSE), REG("@ ;", W1, 0, -EADDRINUSE) } },
{ "a rejected second format does not change the word", {
	REG("@ u8 a", W0, 0, 0), SET(W1, 0xff), REG("@ u8 b", W1, 0, -EADDRINUSE),
	WORD(W1, 0xff) } },
{ "invalid fields for an existing name: the error is that of the name", {
	REG("@ u8 a", W0, 0, 0), REG("@ bool b", W1, 0, -EADDRINUSE) } },
{ "invalid fields for a registered address: the error is that of the address", {
	REG("@ u8 a", W0, 0, 0), REG("@ bool b", W0, 0, -EADDRINUSE),
	REG("@_c:x u8 a", W0, 0, -EADDRINUSE) } },
{ "fields that differ only in white space are the same", {
	REG("@ u8 a; u8 b", W0, 0, 0), REG("@ u8 a;u8 b", W1, 0, 0),
	REG("@ u8 a;  u8 b", W2, 0, 0), REG("@  u8 a; u8 b;", W3, 0, 0) } },
{ "'a;b' registers again as 'a;b' and as 'a; b'", {
	REGI("@ u8 a;u8 b", W0, 0, 0), REGI("@ u8 a;u8 b", W1, 0, 0),
	REGI("@ u8 a; u8 b", W2, 0, 0), DYNAMIC("u:@ u8 a; u8 b") } },
{ "structs are compared with their sizes", {
	REG("@ struct s a 8", W0, 0, 0), REG("@ struct s a 8", W1, 0, 0),
	REG("@ struct s a 9", W2, 0, -EADDRINUSE), REG("@ struct s a 08", W2, 0, -EADDRINUSE) } },
{ "a name that begins with another name is a different name", {
	REG("@ u8 a", W0, 0, 0), REG("@ u8 ab", W1, 0, -EADDRINUSE), REG("@b u8 a", W1, 0, 0),
	REG("@b u8 ab", W2, 0, -EADDRINUSE), REG("@ u16 a; u8 bc", W2, 0, -EADDRINUSE) } },
{ "the order of fields counts", {
	REG("@ u8 a; u8 b", W0, 0, 0), REG("@ u8 b; u8 a", W1, 0, -EADDRINUSE) } },
{ "different spellings of a type are different types", {
	REG("@ u32 a", W0, 0, 0), REG("@ unsigned int a", W1, 0, -EADDRINUSE) } },
{ "multi-format: other fields create another event of that name", {
	REGF("@ u8 a", W0, 0, 2, 0), REGF("@ u8 b", W1, 0, 2, 0), REGF("@ u8 a", W2, 0, 2, 0),
	STATUS("@#0"), STATUS("@#1"), NO_STATUS("@"), NO_STATUS("@#2"),
	FORMAT("@#0", "u8 a/8/1/0"), FORMAT("@#1", "u8 b/8/1/0"),
	ON("@#1"), WORD(W0, 0), WORD(W1, 1), WORD(W2, 0),
	ON("@#0"), WORD(W0, 1), WORD(W2, 1),
	WRITE(0, "1=5", OK), RECORD("@#0"), WRITE(1, "1=6", OK), RECORD("@#1") } },
{ "multi-format: a single event has a number, too", {
	REGF("@ u8 a", W0, 0, 2, 0), STATUS("@#0"), NO_STATUS("@"), DYNAMIC("u:@ u8 a") } },
{ "a multi-format event can be registered along with a single-format event of its name", {
	REG("@ u8 a", W0, 0, 0), REGF("@ u16 b", W1, 0, 2, 0), STATUS("@"), STATUS("@#0"),
	ON("@"), WORD(W0, 1), WORD(W1, 0) } },
{ "multi-format with the fields of a single-format event is an event of its own", {
	REGI("@ u8 a", W0, 0, 0),
	{ .op = OP_REG, .text = "@ u8 a", .place = W1, .size = 4, .flags = 2, .index = 1 },
	STATUS("@"), STATUS("@#0") } },
{ "a single-format event can be registered along with a multi-format event of its name", {
	REGF("@ u8 a", W0, 0, 2, 0), REG("@ u16 b", W1, 0, 0), STATUS("@"), STATUS("@#0") } },
{ "multi-format: invalid fields are rejected", { REGF("@ bool a", W0, 0, 2, -EINVAL) } },
{ "a name that another process registered with the same fields is shared", {
	OTHER("@ u8 a", 0, 0), REG("@ u8 a", W0, 0, 0), ON("@"), WORD(W0, 1) } },
{ "a name that another process registered with other fields is rejected", {
	OTHER("@ u8 a", 0, 0), REG("@ u8 b", W0, 0, -EADDRINUSE), REGF("@ u8 b", W0, 0, 2, 0),
	STATUS("@"), STATUS("@#0") } },
{ "a name that another process registered is free after its exit", {
	OTHER("@ u8 a", 0, 0), OTHER_EXIT, NO_STATUS("@"), REG("@ u8 b", W0, 0, 0) } },
{ "an event of two processes remains after one of them exits", {
	OTHER("@ u8 a", 0, 0), REG("@ u8 a", W0, 0, 0), OTHER_EXIT, STATUS("@"),
	REG("@ u8 b", W1, 0, -EADDRINUSE) } },
{ "another process's multi-format event with the same fields is shared", {
	OTHER("@ u8 a", 2, 0), REGF("@ u8 a", W0, 0, 2, 0), NO_STATUS("@#1") } },

/* ---- Structures and flags ---- */

{ "unknown flags are rejected, even together with a known flag", {
	REGF("@ u8 a", W0, 0, 4, -EINVAL), REGF("@ u8 a", W0, 0, 0x8000, -EINVAL),
	REGF("@ u8 a", W0, 0, 6, -EINVAL) } },
{ "a shorter structure is rejected", {
	{ .op = OP_REG, .text = "@ u8 a", .size = 4, .struct_size = 1, .want = -EINVAL },
	{ .op = OP_REG, .text = "@ u8 a", .size = 4, .struct_size = 27, .want = -EINVAL } } },
{ "a longer structure with zeros is accepted", {
	{ .op = OP_REG, .text = "@ u8 a", .size = 4, .struct_size = 32, .index = 0 },
	{ .op = OP_REG, .text = "@ u8 a", .place = W1, .size = 4, .struct_size = 4096 } } },
{ "a longer structure with other bytes is rejected", {
	{ .op = OP_REG, .text = "@ u8 a", .size = 4, .struct_size = 32, .tail = 1,
	  .want = -E2BIG } } },
{ "a structure longer than a page is rejected", {
	{ .op = OP_REG, .text = "@ u8 a", .size = 4, .struct_size = 4097, .want = -E2BIG },
	{ .op = OP_REG, .text = "@ u8 a", .size = 4, .struct_size = UINT32_MAX,
	  .want = -E2BIG } } },
{ "a NULL name is EFAULT", { REG(NULL, W0, 0, -EFAULT) } },
{ "a NULL structure is EFAULT", {
	{ .op = OP_IOCTL, .value = IOC_REG, .place = ZERO, .want = -EFAULT },
	{ .op = OP_IOCTL, .value = IOC_UNREG, .place = ZERO, .want = -EFAULT },
	{ .op = OP_IOCTL, .value = IOC_DEL, .place = ZERO, .want = -EFAULT },
	{ .op = OP_IOCTL, .value = IOC_REG, .place = PROTECTED, .want = -EFAULT } } },
{ "an unknown ioctl is rejected", {
	{ .op = OP_IOCTL, .value = _IO('*', 3), .want = -ENOTTY },
	{ .op = OP_IOCTL, .value = _IOWR('*', 0, uint16_t), .want = -ENOTTY },
	{ .op = OP_IOCTL, .value = 0, .want = -ENOTTY } } },
{ "a registration through a read-only fd is accepted", {
	{ .op = OP_OPEN_RDONLY }, REGI("@ u8 a", W0, 0, 0) } },
#ifdef __x86_64__
{ "a 32-bit process on 64 bits cannot register", { { .op = OP_COMPAT, .want = -ENOTTY } } },
#endif

/* ---- Unregistering events ---- */

{ "unregistering clears the bit", {
	SET(W0, 0xf0), REG("@ u8 a", W0, 0, 0), ON("@"), WORD(W0, 0xf1), UNREG(W0, 0, 0),
	WORD(W0, 0xf0), OFF("@"), ON("@"), WORD(W0, 0xf0) } },
{ "a second unregistration is rejected", {
	REG("@ u8 a", W0, 0, 0), UNREG(W0, 0, 0), UNREG(W0, 0, -ENOENT) } },
{ "unregistering a word that was never registered is rejected", { UNREG(W0, 0, -ENOENT) } },
{ "unregistering another bit is rejected", {
	REG("@ u8 a", W0, 0, 0), UNREG(W0, 1, -ENOENT), UNREG(W1, 0, -ENOENT),
	UNREG(W0_HIGH, 0, -ENOENT), ON("@"), WORD(W0, 1) } },
{ "unregistering through another fd is accepted", {
	REG("@ u8 a", W0, 0, 0), FD(1), UNREG(W0, 0, 0), ON("@"), WORD(W0, 0) } },
{ "unregistering one word does not affect the others", {
	REG("@ u8 a", W0, 0, 0), REG("@ u8 a", W1, 0, 0), ON("@"), UNREG(W0, 0, 0),
	WORD(W0, 0), WORD(W1, 1) } },
{ "a word can be registered again", {
	REG("@ u8 a", W0, 0, 0), UNREG(W0, 0, 0), REGI("@ u8 a", W0, 0, 0),
	REG("@_b u8 a", W0, 1, 0) } },
{ "an unregistered event can be written while a tracer is attached", {
	REG("@ u8 a", W0, 0, 0), ON("@"), UNREG(W0, 0, 0), WRITE(0, "1=9", OK),
	OFF("@"), WRITE(0, "1=9", -EBADF) } },
{ "unregistering a word in an unmapped page is EFAULT, but takes effect", {
	REG("@ u8 a", FRESH, 0, 0), { .op = OP_UNMAP, .place = FRESH }, UNREG(FRESH, 0, -EFAULT),
	UNREG(FRESH, 0, -ENOENT) } },
{ "unregistering with nonzero reserved bytes is rejected", {
	REG("@ u8 a", W0, 0, 0),
	{ .op = OP_UNREG, .reserved = 1, .want = -EINVAL },
	{ .op = OP_UNREG, .reserved = 0x100, .want = -EINVAL },
	UNREG(W0, 0, 0) } },
{ "unregistering with a short structure is rejected", {
	REG("@ u8 a", W0, 0, 0), { .op = OP_UNREG, .struct_size = 15, .want = -EINVAL },
	{ .op = OP_UNREG, .struct_size = 4097, .want = -E2BIG },
	{ .op = OP_UNREG, .struct_size = 24 } } },
{ "an event is removed after its word is unregistered and its fd closed", {
	REG("@ u8 a", W0, 0, 0), UNREG(W0, 0, 0), STATUS("@"), CLOSE, NO_STATUS("@") } },
{ "an event remains while a word is registered", {
	REG("@ u8 a", W0, 0, 0), CLOSE, STATUS("@"), UNREG(W0, 0, 0), NO_STATUS("@") } },
{ "an event remains while a tracer is attached", {
	REG("@ u8 a", W0, 0, 0), ON("@"), UNREG(W0, 0, 0), CLOSE, STATUS("@ # Used by ftrace"),
	OFF("@"), NO_STATUS("@") } },
{ "a name is free after its event was removed", {
	REG("@ u8 a", W0, 0, 0), UNREG(W0, 0, 0), CLOSE, NO_STATUS("@"),
	REGI("@ u16 b", W0, 0, 0) } },

/* ---- Persistent events and deleting ---- */

{ "deleting a missing event is rejected", { DEL("@", -ENOENT) } },
{ "deleting a registered event is rejected", {
	REG("@ u8 a", W0, 0, 0), FD(1), DEL("@", -EBUSY) } },
{ "deleting an event that only an fd refers to is rejected", {
	REG("@ u8 a", W0, 0, 0), UNREG(W0, 0, 0), DEL("@", -EBUSY), FD(1), DEL("@", -EBUSY) } },
{ "a persistent event remains and can be deleted", {
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
{ "a deleted persistent event can be created again", {
	REGF("@ u8 a", W0, 0, 1, 0), UNREG(W0, 0, 0), CLOSE, DEL("@", 0),
	REG("@ u8 b", W0, 0, 0) } },
{ "the persistent flag has no effect on an existing event", {
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
{ "a name of 512 bytes to delete is rejected", {
	{ .op = OP_DEL, .text = "@~", .length = 512, .want = -EINVAL },
	{ .op = OP_DEL, .text = "@~", .length = 511, .want = -ENOENT } } },

/* ---- Limit on the number of events ---- */

{ "an event beyond user_events_max is rejected", {
	{ .op = OP_MAX }, REG("@ u8 a", W0, 0, -EMFILE), NO_STATUS("@") } },
{ "an existing event can be registered at the limit", {
	{ .op = OP_MAX, .value = 1 }, REGI("@ u8 a", W0, 0, 0), REG("@_b u8 a", W1, 0, -EMFILE),
	REGI("@ u8 a", W1, 0, 0) } },
{ "invalid fields at the limit are rejected with their own error", {
	{ .op = OP_MAX }, REG("@ bool a", W0, 0, -EINVAL) } },

/* ---- Writing: return values ---- */

{ "a write to a disabled event is rejected", {
	REG("@ u8 a", W0, 0, 0), WRITE(0, "1=1", -EBADF) } },
{ "a write returns its length, including the index", {
	REG("@ u8 a", W0, 0, 0), ON("@"), WRITE(0, "1=1", OK), RECORD("@") } },
{ "a write after the tracer has detached is rejected", {
	REG("@ u8 a", W0, 0, 0), ON("@"), WRITE(0, "1=1", OK), OFF("@"),
	WRITE(0, "1=2", -EBADF) } },
{ "an unknown index is rejected", {
	REG("@ u8 a", W0, 0, 0), ON("@"), WRITE(1, "1=1", -ENOENT),
	WRITE(INT_MAX, "1=1", -ENOENT) } },
{ "an index on an fd without registrations is rejected", { WRITE(0, "1=1", -ENOENT) } },
{ "an index of another fd is rejected", {
	REG("@ u8 a", W0, 0, 0), REG("@_b u8 a", W1, 0, 0), ON("@_b"), FD(1),
	REG("@_c u8 a", W2, 0, 0), WRITE(1, "1=1", -ENOENT) } },
{ "a negative index is rejected", {
	REG("@ u8 a", W0, 0, 0), ON("@"), WRITE(-1, "1=1", -EINVAL),
	WRITE(INT_MIN, "1=1", -EINVAL) } },
{ "a payload shorter than the fields is rejected", {
	REG("@ u32 a; u16 b", W0, 0, 0), ON("@"), WRITE(0, "", -EINVAL), WRITE(0, "n=5", -EINVAL),
	WRITE(0, "n=6", OK) } },
{ "a short payload is reported even if the event is disabled", {
	REG("@ u32 a", W0, 0, 0), WRITE(0, "n=3", -EINVAL), WRITE(0, "n=4", -EBADF) } },
{ "a payload longer than the fields is recorded completely", {
	REG("@ u32 a", W0, 0, 0), ON("@"), WRITE(0, "n=100", OK) } },
{ "a write shorter than an index is EFAULT", {
	REG("@", W0, 0, 0), ON("@"),
	{ .op = OP_WRITE_AT, .place = W1, .value = 0, .want = -EFAULT },
	{ .op = OP_WRITE_AT, .place = W1, .value = 1, .want = -EFAULT },
	{ .op = OP_WRITE_AT, .place = W1, .value = 3, .want = -EFAULT },
	{ .op = OP_WRITE_AT, .place = W1, .value = 4, .want = OK } } },
{ "an unmapped buffer is EFAULT", {
	REG("@", W0, 0, 0), ON("@"),
	{ .op = OP_WRITE_AT, .place = ZERO, .value = 8, .want = -EFAULT },
	{ .op = OP_WRITE_AT, .place = NOWHERE, .value = 8, .want = -EFAULT },
	{ .op = OP_WRITE_AT, .place = PROTECTED, .value = 4, .want = -EFAULT } } },
{ "a buffer that ends in an unmapped page is EFAULT", {
	REG("@", W0, 0, 0), ON("@"),
	{ .op = OP_WRITE_AT, .place = LAST, .value = 4, .want = OK },
	{ .op = OP_WRITE_AT, .place = LAST, .value = 5, .want = -EFAULT } } },
{ "the payload of a disabled event is not read", {
	REG("@", W0, 0, 0), { .op = OP_WRITE_AT, .place = LAST, .value = 8, .want = -EBADF } } },
{ "a write through a read-only fd is rejected", {
	{ .op = OP_OPEN_RDONLY }, REG("@ u8 a", W0, 0, 0), ON("@"), WRITE(0, "1=1", -EBADF) } },
{ "a write through a closed fd is rejected", {
	REG("@ u8 a", W0, 0, 0), ON("@"), CLOSE, { .op = OP_FD, .bit = -1 },
	WRITE(0, "1=1", -EBADF) } },
{ "a write of zero bytes distinguishes an open fd from a closed one", {
	REG("@ u8 a", W0, 0, 0), { .op = OP_WRITE_AT, .place = ZERO, .value = 0, .want = -EFAULT },
	ON("@"), { .op = OP_WRITE_AT, .place = ZERO, .value = 0, .want = -EFAULT },
	CLOSE, { .op = OP_FD, .bit = -1 },
	{ .op = OP_WRITE_AT, .place = ZERO, .value = 0, .want = -EBADF } } },
{ "a read-only buffer is accepted", {
	REG("@ u32 a", W0, 0, 0), ON("@"),
	{ .op = OP_WRITE_AT, .place = RO, .value = 8, .want = OK } } },
{ "two fds can write the same event", {
	REG("@ u8 a", W0, 0, 0), FD(1), REG("@_b u8 a", W1, 0, 0), REGI("@ u8 a", W2, 0, 1),
	ON("@"),
	WRITE(1, "1=1", OK), RECORD("@"), FD(0), WRITE(0, "1=2", OK), RECORD("@") } },

/* ---- Writing: recorded bytes ---- */

{ "an event without fields is recorded", {
	REG("@", W0, 0, 0), ON("@"), WRITE(0, "", OK), WRITE(0, "z=1", OK),
	WRITE(0, "n=40", OK) } },
{ "scalars are recorded unchanged", {
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
{ "a struct is recorded unchanged", {
	REG("@ struct s a 5; u8 b", W0, 0, 0), ON("@"), WRITE(0, "n=5", -EINVAL),
	WRITE(0, "n=6", OK) } },
{ "the event with the written index is recorded", {
	REG("@ u8 a", W0, 0, 0), REG("@_b u8 a", W1, 0, 0), ON("@"), ON("@_b"),
	WRITE(1, "1=1", OK), RECORD("@_b"), WRITE(0, "1=1", OK), RECORD("@") } },
{ "perf records an event that ftrace has not enabled", {
	REG("@ u8 a", W0, 0, 0), { .op = OP_PERF, .text = "@" }, WRITE(0, "1=1", LOST),
	{ .op = OP_PERF_COUNT, .value = 1 }, ON("@"), WRITE(0, "1=1", OK),
	{ .op = OP_PERF_COUNT, .value = 2 } } },

/* ---- writev ---- */

{ "segments are joined", {
	REG("@ u8 a", W0, 0, 0), ON("@"), WRITEV("4=0 | 1=1", OK),
	WRITEV("4=0 1=1 | s=abc | n=50", OK),
	WRITEV("4=0 | 1=1 | 2=2 | 4=3 | 8=4 | s=xyz | z=3 | n=9", OK) } },
{ "the kernel's document: an index and a struct of three ints", {
	REG("@ int src; int dst; int flags", W0, 0, 0),
	FORMAT("@", "int src/8/4/1 int dst/12/4/1 int flags/16/4/1"), ON("@"),
	WRITEV("4=0 | 4=1 4=4294967294 4=3", OK), WRITEV("4=0 | 4=1 4=2 2=3", -EINVAL) } },
{ "the kernel's document: index 1 and an int", {
	REGI("@_b u8 a", W1, 0, 0), REGI("@ int value", W0, 0, 1), ON("@"), WRITE(1, "4=7", OK),
	RECORD("@"), WRITE(1, "2=7", -EINVAL) } },
{ "writev of one segment equals a write", {
	REG("@ u8 a", W0, 0, 0), ON("@"), WRITEV("4=0 1=1", OK) } },
{ "an index split over two segments is accepted", {
	REG("@ u8 a", W0, 0, 0), ON("@"), WRITEV("2=0 | 2=0 | 1=1", OK),
	WRITEV("1=0 | 1=0 | 1=0 | 1=0 1=5", OK) } },
{ "empty segments are accepted", {
	REG("@ u8 a", W0, 0, 0), ON("@"), WRITEV("| 4=0 | | 1=1 | |", OK) } },
{ "writev without segments and with empty segments returns 0", {
	REG("@ u8 a", W0, 0, 0), ON("@"), WRITEV(NULL, 0), WRITEV("", 0), WRITEV("| |", 0) } },
{ "writev returns the same results as write", {
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
{ "a __rel_loc beyond the end of the record is EFAULT", {
	REG("@ __rel_loc char[] a", W0, 0, 0), ON("@"), WRITE(0, "l=4,0 s=hi z=1", -EFAULT),
	WRITE(0, "l=3,1 s=hi z=1", -EFAULT), WRITE(0, "l=65535,0 s=hi z=1", -EFAULT),
	WRITE(0, "l=0,65535 s=hi z=1", -EFAULT), WRITE(0, "l=1,0", -EFAULT) } },
{ "a __rel_loc char without a NUL at its end is EFAULT", {
	REG("@ __rel_loc char[] a", W0, 0, 0), ON("@"), WRITE(0, "l=2,0 s=hi", -EFAULT),
	WRITE(0, "l=2,0 s=hi z=1", -EFAULT), WRITE(0, "l=3,0 s=hi z=1", OK) } },
{ "an empty __rel_loc char is checked for a NUL before it", {
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
{ "two strings after a number are recorded", {
	REG("@ u16 n; __rel_loc char[] a; __rel_loc char[] b; u8 c", W0, 0, 0), ON("@"),
	WRITE(0, "2=7 l=2,5 l=3,3 1=9 s=A z=1 s=BC z=1", OK),
	WRITE(0, "2=7 l=2,5 l=4,3 1=9 s=A z=1 s=BC z=1", -EFAULT),
	WRITE(0, "2=7 l=3,5 l=3,3 1=9 s=A z=1 s=BC z=1", -EFAULT),
	WRITE(0, "2=7 l=2,5 l=3,3", -EINVAL) } },
{ "two fields may share bytes", {
	REG("@ __rel_loc char[] a; __rel_loc u8[] b", W0, 0, 0), ON("@"),
	WRITE(0, "l=3,4 l=3,0 s=hi z=1", OK) } },
{ "a string split over segments is checked as a whole", {
	REG("@ __rel_loc char[] a", W0, 0, 0), ON("@"), WRITEV("4=0 l=4,0 | s=ab | s=c | z=1", OK),
	WRITEV("4=0 l=4,0 | s=ab | s=cd", -EFAULT),
	WRITEV("4=0 l=5,0 | s=ab | s=c | z=1", -EFAULT) } },
{ "loc fields are also checked for perf", {
	REG("@ __rel_loc char[] a", W0, 0, 0), { .op = OP_PERF, .text = "@" },
	WRITE(0, "l=2,0 s=hi", -EFAULT), WRITE(0, "l=2,0 s=h z=1", LOST),
	{ .op = OP_PERF_COUNT, .value = 1 } } },
{ "loc fields of a disabled event are not checked", {
	REG("@ __rel_loc char[] a", W0, 0, 0), WRITE(0, "l=9,0 s=hi", -EBADF) } },

/* ---- Losses without an error ---- */

{ "4064 bytes are recorded, 4065 are lost without an error", {
	REG("@ u8 a", W0, 0, 0), ON("@"), WRITE(0, "n=4063", OK), WRITE(0, "n=4064", OK),
	WRITE(0, "n=4065", LOST), WRITE(0, "n=4068", LOST), WRITE(0, "n=65000", LOST),
	WRITE(0, "n=1", OK) } },
{ "a lost write of segments returns its length", {
	REG("@ u8 a", W0, 0, 0), ON("@"), WRITEV("4=0 | n=4064", OK),
	WRITEV("4=0 | n=60 | n=5000", LOST) } },
{ "the longest string that a loc field can describe is lost", {
	REG("@ __rel_loc char[] a", W0, 0, 0), ON("@"), WRITE(0, "l=65535,0 n=65534 z=1", LOST) } },
{ "a lost record is not validated", {
	REG("@ __rel_loc char[] a", W0, 0, 0), ON("@"), WRITE(0, "l=65535,0 n=5000", LOST),
	WRITE(0, "l=65535,0 n=500", -EFAULT) } },
{ "perf counts 8184 bytes and loses 8185", {
	REG("@ u8 a", W0, 0, 0), { .op = OP_PERF, .text = "@" }, WRITE(0, "n=8184", LOST),
	{ .op = OP_PERF_COUNT, .value = 1 }, WRITE(0, "n=8185", LOST),
	{ .op = OP_PERF_COUNT, .value = 1 }, ON("@"), WRITE(0, "n=8000", LOST),
	{ .op = OP_PERF_COUNT, .value = 2 }, WRITE(0, "n=4000", OK),
	{ .op = OP_PERF_COUNT, .value = 3 } } },
};

const size_t rows_count = ARRAY_SIZE(rows);
