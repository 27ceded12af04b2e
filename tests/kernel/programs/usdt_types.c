/* SPDX-License-Identifier: MIT */
/*
 * Writes events with every kind of field twice: with the macros and with a handwritten USDT probe.
 *
 *	usdt_types [COUNT [PAUSE_US]]
 */
#define UE_NO_USDT
#include <hand_probe.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <user_events.h>

#ifdef __x86_64__
#define R(name, value) [name] "r"(value)
#define N(name, value) [name] "nor"((uint64_t)(value))
#define D(descriptor) [desc] "i"(&(descriptor))

HAND_WORD(scalars);
HAND_WORD(strings);
HAND_WORD(arrays);
HAND_WORD(many);
HAND_WORD(longs);
HAND_WORD(logs);

UE_EVENT_SET(types_set, "Types_Test", UE_LEVEL_WARNING, 0x6);

static char first[] = "first string", second[] = "second", counted[] = "counted here";
static const uint16_t wide[] = { 'w', 'i', 0xe4, 0 };
static const uint16_t words[] = { 1, 2, 65535 };
static const uint32_t ip[] = { 0x0100007f };
static const char *const list[] = { first, second, "third" };
static char bytes[1000], letters[1500];

/* A type has 32 bits: kind, format << 5, flags, length << 16. */
#define ARRAY(type) (((type)&0xffffu) | UE__F_T_DATA | UE__F_T_VARRAY)
#define FIXED(type, n) (((type)&0xffffu) | UE__F_T_DATA | UE__F_T_CARRAY | (n) << 16)
HAND_DESC(scalars_desc, 8, "types_scalars;a;b;c;d;e;f;g;h;", UE__I8, UE__U16, UE__I32, UE__U64,
	  UE__X32, UE__BOOL, UE__CHAR, UE__I64);
HAND_DESC(strings_desc, 5, "types_strings;n;s;none;wide;counted;", UE__I32, UE__STR, UE__STR,
	  UE__STR16, UE__STRN);
HAND_DESC(arrays_desc, 7, "types_arrays;id;noid;ip;bytes;words;name;nobytes;", UE__UUID, UE__UUID,
	  UE__IPV4, UE__BYTES, ARRAY(UE__U16), FIXED(UE__CHAR, 8), UE__BYTES);
HAND_DESC(many_desc, 13, "types_many;a1;a2;a3;a4;a5;a6;a7;a8;a9;a10;a11;a12;a13;", UE__U8, UE__U8,
	  UE__U8, UE__U8, UE__U8, UE__U8, UE__U8, UE__U8, UE__U8, UE__U8, UE__U8, UE__BYTES,
	  UE__U8);
HAND_DESC(long_desc, 3, "types_long;bytes;s;n;", UE__BYTES, UE__STR, UE__I32);

static void write_scalars(int64_t i)
{
	UE_TRACE(types_scalars, UE_I8(a, -i), UE_U16(b, 65535), UE_I32(c, -5), UE_U64(d, i << 40),
		 UE_X32(e, 0xbeef), UE_BOOL(f, i > 0), UE_CHAR(g, 'x'), UE_I64(h, -i));
	if (scalars >> 16)
		HAND_PROBE(scalars, "user_events", "types_scalars",
			   "-8@%[a] 2@%[b] -4@%[c] 8@%[d] 4@%[e] 1@%[f] 1@%[g] -8@%[h]", HAND_SITE,
			   N(a, -i), N(b, 65535), N(c, -5), N(d, i << 40), N(e, 0xbeef),
			   N(f, i > 0), N(g, 'x'), N(h, -i), D(scalars_desc));
}

static void write_strings(int64_t i)
{
	const char *null = NULL;

	UE_TRACE(types_strings, UE_I32(n, i), UE_STR(s, first), UE_STR(none, null),
		 UE_STR16(wide, wide), UE_STRN(counted, counted, 7));
	if (strings >> 16)
		HAND_PROBE(strings, "user_events", "types_strings",
			   "-8@%[n] 8@%[s] 8@%[none] 8@%[wide] 8@%[p] 8@%[c]", HAND_SITE, N(n, i),
			   R(s, first), N(none, null), R(wide, wide), R(p, counted), N(c, 7),
			   D(strings_desc));
}

static void write_arrays(int64_t i)
{
	const char *null = NULL;

	UE_TRACE(types_arrays, UE_UUID(id, "0123456789abcdef"), UE_UUID(noid, null),
		 UE_IPV4(ip, ip), UE_BYTES(bytes, "\1\2\3", (size_t)i),
		 UE_ARRAY(U16, words, words, 3), UE_FIXED_ARRAY(CHAR, name, "12345678", 8),
		 UE_BYTES(nobytes, "none", -1)); /* no data */
	if (arrays >> 16)
		HAND_PROBE(arrays, "user_events", "types_arrays",
			   "8@%[id] 8@%[noid] 8@%[ip] 8@%[b] 8@%[nb] 8@%[w] 8@%[nw] 8@%[a] 8@%[z] "
			   "8@%[nz]",
			   HAND_SITE, R(id, "0123456789abcdef"), N(noid, null), R(ip, ip),
			   R(b, "\1\2\3"), N(nb, i), R(w, words), N(nw, 3), R(a, "12345678"),
			   N(z, null), N(nz, 0), D(arrays_desc));
}

/* Writes an event with thirteen fields, the last two of which have no probe argument. */
static void write_many(int64_t i)
{
	UE_TRACE(types_many, UE_U8(a1, i), UE_U8(a2, 2), UE_U8(a3, 3), UE_U8(a4, 4), UE_U8(a5, 5),
		 UE_U8(a6, 6), UE_U8(a7, 7), UE_U8(a8, 8), UE_U8(a9, 9), UE_U8(a10, 10),
		 UE_U8(a11, 11), UE_BYTES(a12, first, 1), UE_U8(a13, 13));
	if (many >> 16)
		HAND_PROBE(many, "user_events", "types_many",
			   "8@%[a] 8@$2 8@$3 8@$4 8@$5 8@$6 8@$7 8@$8 8@$9 8@$10 8@$11", HAND_SITE,
			   N(a, i), D(many_desc));
}

static void write_long(int64_t i)
{
	UE_TRACE(types_long, UE_BYTES(bytes, bytes, sizeof(bytes)), UE_STR(s, letters),
		 UE_I32(n, i));
	if (longs >> 16)
		HAND_PROBE(longs, "user_events", "types_long", "8@%[b] 8@%[n] 8@%[s] -8@%[i]",
			   HAND_SITE, R(b, bytes), N(n, sizeof(bytes)), R(s, letters), N(i, i),
			   D(long_desc));
}

/* Descriptor of the event that UE_LOG(types_set, "Logged", ...) writes. */
static const struct __attribute__((packed)) {
	struct hand_head head;
	uint32_t types[10];
	uint8_t header[8];
	uint16_t size, kind;
	char text[58];
} meta = { { HAND_LOG, 0, 9, { 0 }, 8 + 4 + 58, 0 },
	   { 0x40044, 0x80105, 0x8007, 0x40004, 0x40004, 0x812d, 0x28803, 0x38403, 0x8807, 0 },
	   { 7, 1, 9, 0, 0, 0, 1, 0 },
	   58,
	   1,
	   "Logged\0"
	   "n\0\x84\x02" /* U32, signed */
	   "f\0\x85\x08"
	   "s\0\x0a"
	   "point\0\x81\x02"
	   "x\0\x04"
	   "y\0\x04"
	   "b\0\x8d\x09"
	   "words\0\x43"
	   "three\0\x23\x03\0"
	   "list\0\x4a" };

static const struct __attribute__((packed, aligned(8))) {
	struct hand_head head;
	uint64_t keyword;
	char provider[11], group[1];
} set_desc = { { HAND_SET_OF_EVENTS, 3, 0, { 0 }, 0, 0 }, 6, "Types_Test", "" };

static void write_log(int64_t i)
{
	double f = 1.5;
	uint64_t bits;

	memcpy(&bits, &f, sizeof(bits));
	UE_LOG(types_set, "Logged", UE_ID(9, 1), UE_OPCODE(1), UE_I32(n, i), UE_F64(f, f),
	       UE_STR(s, second), UE_STRUCT(point, UE_U32(x, 1), UE_U32(y, 2)),
	       UE_AS(9, UE_BYTES(b, "abc", 3)), UE_ARRAY(U16, words, words, 3),
	       UE_FIXED_ARRAY(U16, three, words, 3), UE_ARRAY(STR, list, list, 3),
	       UE_ACTIVITY("0123456789abcdef"));
	HAND_SET(logs, set_desc);
	if (logs >> 16)
		HAND_PROBE(logs, "types_set", "Logged",
			   "-8@%[n] 8@%[f] 8@%[s] 8@$1 8@$2 8@%[b] 8@$3 8@%[w] 8@$3 8@%[w] 8@%[l] "
			   "8@$3",
			   HAND_SITE, N(n, i), N(f, bits), R(s, second), R(b, "abc"), R(w, words),
			   R(l, list), D(meta));
}
#endif

int main(int argc, char **argv)
{
#ifdef __x86_64__
	int64_t i, n = argc > 1 ? atoi(argv[1]) : 3;

	memset(bytes, 7, sizeof(bytes));
	memset(letters, 'l', sizeof(letters) - 1);
	for (i = 0; i < n; i++) {
		if (argc > 2)
			usleep((unsigned int)atoi(argv[2]));
		write_scalars(i);
		write_strings(i);
		write_arrays(i);
		write_many(i);
		write_long(i);
		write_log(i);
	}
#endif
	return 0;
}
