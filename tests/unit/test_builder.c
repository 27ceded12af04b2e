/* SPDX-License-Identifier: MIT */
/*
 * struct ue_builder encodes any tree of fields as the EventHeader format requires. It tolerates
 * calls in any order, and ue_builder_write() returns the first error of these calls.
 */
#include "log_witness.h"
#include <user_events_builder.h>
#include "rounds.h"

#include <limits.h>
#include <sys/mman.h>

UE_EVENT_SET(set, "Test_Builder", UE_LEVEL_VERBOSE, 1);
UE_EVENT_SET(other_set, "Test_Builder", UE_LEVEL_ERROR, 1);

#define TRACEPOINT "Test_Builder_L5K1"

static const struct ref_header plain = { 0, 0, 0, 0, 5 };

/* columns: name, C type, kind, format */
#define PTR_KIND (sizeof(void *) == 8 ? REF_VALUE64 : REF_VALUE32)
#define VALUES(_)                                                                             \
	_(u8, uint8_t, REF_VALUE8, 0) _(u16, uint16_t, REF_VALUE16, 0)                        \
	_(u32, uint32_t, REF_VALUE32, 0) _(u64, uint64_t, REF_VALUE64, 0)                     \
	_(i8, int8_t, REF_VALUE8, REF_SIGNED) _(i16, int16_t, REF_VALUE16, REF_SIGNED)        \
	_(i32, int32_t, REF_VALUE32, REF_SIGNED) _(i64, int64_t, REF_VALUE64, REF_SIGNED)     \
	_(x8, uint8_t, REF_VALUE8, REF_HEX) _(x16, uint16_t, REF_VALUE16, REF_HEX)            \
	_(x32, uint32_t, REF_VALUE32, REF_HEX) _(x64, uint64_t, REF_VALUE64, REF_HEX)         \
	_(ptr, const void *, PTR_KIND, REF_HEX) _(f32, float, REF_VALUE32, REF_FLOAT)         \
	_(f64, double, REF_VALUE64, REF_FLOAT) _(bool, bool, REF_VALUE8, REF_BOOL)            \
	_(char, char, REF_VALUE8, REF_LATIN1) _(char16, uint16_t, REF_VALUE16, REF_UTF)       \
	_(char32, uint32_t, REF_VALUE32, REF_UTF) _(pid, int32_t, REF_VALUE32, REF_PID)       \
	_(errno, int32_t, REF_VALUE32, REF_ERRNO) _(port, uint16_t, REF_VALUE16, REF_PORT)    \
	_(time32, int32_t, REF_VALUE32, REF_TIME) _(time64, int64_t, REF_VALUE64, REF_TIME)
/* columns: name, size, kind, format */
#define POINTERS(_)                                                                           \
	_(uuid, 16, REF_VALUE128, REF_UUID) _(ipv4, 4, REF_VALUE32, REF_IP)                   \
	_(ipv6, 16, REF_VALUE128, REF_IP)
/* columns: name, type of a code unit, kind, format */
#define STRINGS(_)                                                                            \
	_(str, char, REF_STRING8, 0) _(str16, uint16_t, REF_STRING16, 0)                    \
	_(str32, uint32_t, REF_STRING32, 0) _(latin1, char, REF_STRING8, REF_LATIN1)        \
	_(xml, char, REF_STRING8, REF_XML) _(json, char, REF_STRING8, REF_JSON)
#define COUNTED(_)                                                                            \
	_(strn, char, REF_STRING8, 0) _(str16n, uint16_t, REF_STRING16, 0)                    \
	_(str32n, uint32_t, REF_STRING32, 0) _(bytes, uint8_t, REF_BINARY, 0)

enum type {
#define T(name, ...) T_##name,
	VALUES(T) POINTERS(T) STRINGS(T) COUNTED(T)
#undef T
	TYPES
};
enum array { ONE, ARRAY, FIXED_ARRAY, ARRAYS };

/* ---- Data that must not move until the event is written ---- */

static union {
	unsigned char bytes[1 << 20];
	uint64_t align;
} arena;
static size_t arena_used;

static void *take(size_t n)
{
	void *p = arena.bytes + arena_used;

	arena_used += (n + 7) & ~(size_t)7;
	if (arena_used > sizeof(arena))
		abort();
	return p;
}

/* Allocates a string of UNITS nonzero units of SIZE bytes, followed by a zero unit. */
static void *take_string(size_t units, size_t size)
{
	unsigned char *p = (unsigned char *)take((units + 1) * size);

	random_bytes(p, units * size);
	for (size_t i = 0; i < units * size; i++)
		p[i] |= 1;
	memset(p + units * size, 0, size);
	return p;
}

/* Returns a random length. Small lengths and lengths near the 64-byte copy limit are likely. */
static size_t some(void)
{
	switch (below(8)) {
	case 0:
		return 0;
	case 1:
		return 60 + below(10);
	case 2:
		return below(600);
	default:
		return below(12);
	}
}

/* ---- Fields that are added to both the builder and the reference encoder ---- */

struct node {
	enum type type;
	enum array array;
	const char *name;
	/* length of a fixed array; in an array of structs, all elements have the same length */
	size_t count;
	uint16_t tag;
	uint8_t format;
	bool is_struct, is_struct_array;
	size_t members;
	struct node *member[9];
};

/* C does not convert pointers to these arrays implicitly */
#define LIST_REF_STRING8 (const char *const *)
#define LIST_REF_STRING16 (const void *const *)
#define LIST_REF_STRING32 (const void *const *)

static void definition(const struct node *n, bool define, unsigned int kind, unsigned int format)
{
	static const unsigned int bits[] = { 0, REF_VARIABLE, REF_CONSTANT };

	if (define)
		ref_define(&ref, n->name, kind, bits[n->array], n->count,
			   n->format ? n->format : format, n->tag);
}

static void add(struct ue_builder *b, const struct node *n, bool define)
{
	size_t count = n->array == FIXED_ARRAY ? n->count : some(), i;

	if (n->tag)
		ue_field_tag(b, n->tag);
	if (n->format)
		ue_field_format(b, n->format);
	switch (n->type) {
#define CASE(name_, ctype, kind, format)                                                      \
	case T_##name_: {                                                                     \
		ctype *p = (ctype *)take((count + 1) * sizeof(ctype));                        \
		for (i = 0; i <= count; i++)                                                  \
			p[i] = (ctype)(uintptr_t)(T_##name_ == T_bool ? random64() & 1 :      \
								   random64() >> 35);         \
		definition(n, define, kind, format);                                          \
		if (n->array == ONE) {                                                        \
			ref_put(&ref, p, sizeof(ctype));                                      \
			ue_add_##name_(b, n->name, p[0]);                                     \
		} else if (n->array == ARRAY) {                                               \
			ref_put_counted(&ref, p, count, sizeof(ctype));                       \
			ue_add_array_##name_(b, n->name, p, count);                           \
		} else {                                                                      \
			ref_put(&ref, p, count * sizeof(ctype));                              \
			ue_add_fixed_array_##name_(b, n->name, p, count);                     \
		}                                                                             \
		break;                                                                        \
	}
	VALUES(CASE)
#undef CASE
#define CASE(name_, size, kind, format)                                                       \
	case T_##name_: {                                                                     \
		void *p = take((count + 1) * (size));                                         \
		random_bytes(p, (count + 1) * (size));                                        \
		definition(n, define, kind, format);                                          \
		if (n->array == ONE) {                                                        \
			ref_put(&ref, p, size);                                               \
			ue_add_##name_(b, n->name, p);                                        \
		} else if (n->array == ARRAY) {                                               \
			ref_put_counted(&ref, p, count, size);                                \
			ue_add_array_##name_(b, n->name, p, count);                           \
		} else {                                                                      \
			ref_put(&ref, p, count * (size));                                     \
			ue_add_fixed_array_##name_(b, n->name, p, count);                     \
		}                                                                             \
		break;                                                                        \
	}
	POINTERS(CASE)
#undef CASE
#define CASE(name_, unit, kind, format)                                                       \
	case T_##name_: {                                                                     \
		size_t units = some(), strings = count % 12;                                  \
		const unit **list = (const unit **)take((strings + 1) * sizeof(*list));       \
		definition(n, define, kind, format);                                          \
		if (n->array == ONE) {                                                        \
			list[0] = (const unit *)(units % 7 == 6 ? NULL :                      \
						 take_string(units, sizeof(unit)));           \
			ref_put_counted(&ref, list[0], list[0] ? units : 0, sizeof(unit));    \
			ue_add_##name_(b, n->name, list[0]);                                  \
			break;                                                                \
		}                                                                             \
		if (n->array == ARRAY)                                                        \
			ref_put_u16(&ref, strings);                                           \
		else                                                                          \
			strings = count;                                                      \
		for (i = 0; i < strings; i++) {                                               \
			list[i] = (const unit *)(i % 5 == 4 ? NULL :                          \
						 take_string(units, sizeof(unit)));           \
			ref_put_counted(&ref, list[i], list[i] ? units : 0, sizeof(unit));    \
			units = units * 3 / 2 % 100;                                          \
		}                                                                             \
		if (n->array == ARRAY)                                                        \
			ue_add_array_##name_(b, n->name, LIST_##kind list, strings);          \
		else                                                                          \
			ue_add_fixed_array_##name_(b, n->name, LIST_##kind list, strings);    \
		break;                                                                        \
	}
	STRINGS(CASE)
#undef CASE
#define CASE(name_, unit, kind, format)                                                       \
	case T_##name_: {                                                                     \
		unit *p = (unit *)take((count + 1) * sizeof(unit));                           \
		random_bytes(p, count * sizeof(unit));                                        \
		definition(n, define, kind, format);                                          \
		ref_put_counted(&ref, p, count, sizeof(unit));                                \
		ue_add_##name_(b, n->name, p, count);                                         \
		break;                                                                        \
	}
	COUNTED(CASE)
#undef CASE
	default:
		abort();
	}
}

static void add_tree(struct ue_builder *b, const struct node *n, bool define)
{
	size_t elements = 1, i, j;

	if (!n->is_struct) {
		add(b, n, define);
		return;
	}
	if (define)
		ref_define(&ref, n->name, REF_STRUCT, n->is_struct_array ? REF_VARIABLE : 0, 0,
			  (unsigned int)n->members, n->tag);
	if (n->tag)
		ue_field_tag(b, n->tag);
	if (n->is_struct_array) {
		elements = 1 + below(4);
		ref_put_u16(&ref, elements);
		ue_struct_array_begin(b, n->name);
	} else {
		ue_struct_begin(b, n->name);
	}
	for (i = 0; i < elements; i++) {
		if (n->is_struct_array)
			ue_struct_array_next(b);
		for (j = 0; j < n->members; j++)
			add_tree(b, n->member[j], define && i == 0);
	}
	ue_struct_end(b);
}

static struct node nodes[2000];
static size_t nodes_used;

static struct node *random_field(unsigned int depth)
{
	static const char *const names[] = { "a", "bb", "name;attribute=value", "\xc3\xbc",
					     "a rather long name that takes its place" };
	struct node *n = &nodes[nodes_used++];

	if (nodes_used > sizeof(nodes) / sizeof(nodes[0]))
		abort();
	memset(n, 0, sizeof(*n));
	n->name = names[below(5)];
	n->tag = (uint16_t)(below(4) ? 0 : 1 + below(65535));
	if (depth < 8 && below(depth + 3) == 0) {
		n->is_struct = true;
		n->is_struct_array = below(2) == 0;
		n->members = 1 + below(depth > 2 ? 2 : 4);
		for (size_t i = 0; i < n->members; i++)
			n->member[i] = random_field(depth + 1);
		return n;
	}
	n->type = (enum type)below(TYPES);
	n->array = n->type >= T_strn ? ONE : below(3) ? ONE : (enum array)below(ARRAYS);
	if (n->array == FIXED_ARRAY)
		n->count = n->type >= T_str ? 1 + below(5) : 1 + some();
	n->format = (uint8_t)(below(4) ? 0 : 1 + below(127));
	return n;
}

static unsigned char large[1 << 17];

static void new_event(struct ue_builder *b, void *buffer, size_t size)
{
	arena_used = nodes_used = 0;
	ref_begin(&ref, "event");
	ue_builder_begin(b, buffer, size, "event", 0);
}

static void written(struct ue_builder *b)
{
	assert_int_equal(ue_builder_write(b, &set, NULL, NULL), 0);
	recorded(TRACEPOINT, &plain, NULL, NULL);
}

TEST_SETUP(test_every_type_and_array_kind, traced)
{
	struct ue_builder b;
	int type, array, round;

	for (round = 0; round < 30; round++) {
		for (type = 0; type < TYPES; type++) {
			for (array = 0; array < (type >= T_strn ? 1 : ARRAYS); array++) {
				struct node n;

				memset(&n, 0, sizeof(n));
				n.name = "field";
				n.type = (enum type)type;
				n.array = (enum array)array;
				n.count = 1 + below(9);
				new_event(&b, large, sizeof(large));
				add(&b, &n, true);
				n.tag = 0x8001;
				add(&b, &n, true);
				n.format = 127;
				add(&b, &n, true);
				written(&b);
			}
		}
	}
}

#ifndef EVENTS
#define EVENTS ROUNDS_OF(20000)
#endif

TEST_SETUP(test_random_trees_of_fields, traced)
{
	struct ue_builder b;
	unsigned long i, structs = 0, segments = 0;

	for (i = 0; i < EVENTS; i++) {
		size_t fields = below(7), j;
		/* vary the alignment and the size of the buffer */
		size_t skip = below(8), size = sizeof(large) - below(1000) - skip;

		new_event(&b, large + skip, size);
		for (j = 0; j < fields; j++) {
			struct node *n = random_field(0);

			structs += n->is_struct;
			add_tree(&b, n, true);
		}
		if (b.error == -E2BIG && b.pieces > 490)
			continue;
		assert_int_equal(ue_builder_write(&b, &set, NULL, NULL), 0);
		segments += fake_kernel_record(0)->segments > 1;
		recorded(TRACEPOINT, &plain, NULL, NULL);
		if (i % 8 == 0) /* write the same event again */
			written(&b);
	}
	assert_true(structs > EVENTS / 10);
	assert_true(segments > EVENTS / 10);
}

/* Writes the same event with UE_LOG and with the builder, and compares the bytes. */
TEST_SETUP(test_builder_and_macros_give_the_same_bytes, traced)
{
	uint8_t id[16], related[16], uuid[16];
	uint32_t list[30];
	const char *path = "/some/path", *names[] = { "x", NULL, "yz" };
	const struct fake_record *r, *s;
	struct ue_builder b;

	random_bytes(id, 16);
	random_bytes(related, 16);
	random_bytes(uuid, 16);
	random_bytes(list, sizeof(list));
	UE_LOG(set, "all", UE_ID(1, 2), UE_OPCODE(UE_OPCODE_SEND), UE_TAG(3),
	       UE_ACTIVITY(id, related), UE_I32(status, -5), UE_STR(path),
	       UE_TAGGED(9,
			 UE_STRUCT(s, UE_F64(f, 1.5), UE_STRUCT(t, UE_UUID(uuid), UE_BOOL(o, 1)))),
	       UE_ARRAY(STR, names, names, 3), UE_FIXED_ARRAY(X32, list, 30),
	       UE_AS(UE_FORMAT_IP, UE_BYTES(ip, list, 16)));

	ue_builder_begin(&b, large, sizeof(large), "all", 3);
	ue_builder_id(&b, 1, 2);
	ue_builder_opcode(&b, UE_OPCODE_SEND);
	ue_add_i32(&b, "status", -5);
	ue_add_str(&b, "path", path);
	ue_field_tag(&b, 9);
	ue_struct_begin(&b, "s");
	ue_add_f64(&b, "f", 1.5);
	ue_struct_begin(&b, "t");
	ue_add_uuid(&b, "uuid", uuid);
	ue_add_bool(&b, "o", true);
	ue_struct_end(&b);
	ue_struct_end(&b);
	ue_add_array_str(&b, "names", names, 3);
	ue_add_fixed_array_x32(&b, "list", list, 30);
	ue_field_format(&b, UE_FORMAT_IP);
	ue_add_bytes(&b, "ip", list, 16);
	assert_int_equal(ue_builder_write(&b, &set, id, related), 0);

	assert_int_equal(fake_kernel_records(), 2);
	r = fake_kernel_record(0);
	s = fake_kernel_record(1);
	decodes(r);
	assert_int_equal(r->size, s->size);
	assert_memory_equal(r->data, s->data, r->size);
}

TEST_SETUP(test_header_and_activities, traced)
{
	struct ref_header h = { 0xfe, 0xfffe, 0xbeef, 0xf0, 5 };
	uint8_t id[16], related[16];
	struct ue_builder b;

	random_bytes(id, 16);
	random_bytes(related, 16);
	ref_begin(&ref, "e");
	ue_builder_begin(&b, large, sizeof(large), "e", 0xbeef);
	ue_builder_id(&b, 0xfffe, 0xfe);
	ue_builder_opcode(&b, 0xf0);
	/* a builder can write its event to several sets, in any order */
	ue_builder_write(&b, &set, id, related);
	recorded(TRACEPOINT, &h, id, related);
	ue_builder_write(&b, &set, NULL, NULL);
	recorded(TRACEPOINT, &h, NULL, NULL);
	ue_builder_write(&b, &set, id, NULL);
	recorded(TRACEPOINT, &h, id, NULL);
	ue_builder_write(&b, &set, NULL, related);
	recorded(TRACEPOINT, &h, NULL, NULL);
	h.level = UE_LEVEL_ERROR;
	ue_builder_write(&b, &other_set, id, related);
	recorded("Test_Builder_L2K1", &h, id, related);
	/* fields can still be added after a write */
	ue_add_u8(&b, "more", 7);
	ref_value(&ref, "more", REF_VALUE8, 0, 0, "\7", 1);
	ue_builder_write(&b, &other_set, NULL, NULL);
	recorded("Test_Builder_L2K1", &h, NULL, NULL);
}

TEST_SETUP(test_disabled_set_writes_nothing, traced)
{
	struct ue_builder b;

	fake_kernel_disable("*", FAKE_FTRACE);
	ue_builder_begin(&b, large, sizeof(large), "e", 0);
	ue_add_u8(&b, "a", 1);
	assert_int_equal(ue_builder_write(&b, &set, NULL, NULL), 0);
	ue_add_u8(&b, NULL, 1);
	assert_int_equal(ue_builder_write(&b, &set, NULL, NULL), -EINVAL);
	assert_int_equal(fake_kernel_calls(FAKE_WRITE) + fake_kernel_calls(FAKE_WRITEV), 0);
}

TEST_SETUP(test_only_short_data_is_copied, traced)
{
	static char long_string[300], long_bytes[300], short_bytes[64], short_string[64];
	static uint32_t long_array[17], short_array[16];
	struct ue_builder b;

	memset(long_string, 'a', sizeof(long_string) - 1);
	memset(short_string, 'a', sizeof(short_string) - 1);
	memset(short_bytes, 'a', sizeof(short_bytes));
	new_event(&b, large, sizeof(large));
	ue_add_str(&b, "ls", long_string);
	ue_add_str(&b, "ss", short_string);
	ue_add_bytes(&b, "lb", long_bytes, sizeof(long_bytes));
	ue_add_bytes(&b, "sb", short_bytes, sizeof(short_bytes));
	ue_add_array_u32(&b, "la", long_array, 17);
	ue_add_array_u32(&b, "sa", short_array, 16);
	random_bytes(long_bytes, sizeof(long_bytes));
	random_bytes(long_array, sizeof(long_array));
	long_string[0] = 'b';
	ref_counted(&ref, "ls", REF_STRING8, 0, 0, long_string, sizeof(long_string) - 1, 1);
	ref_counted(&ref, "ss", REF_STRING8, 0, 0, short_string, sizeof(short_string) - 1, 1);
	ref_counted(&ref, "lb", REF_BINARY, 0, 0, long_bytes, sizeof(long_bytes), 1);
	ref_counted(&ref, "sb", REF_BINARY, 0, 0, short_bytes, sizeof(short_bytes), 1);
	ref_counted(&ref, "la", REF_VALUE32 | REF_VARIABLE, 0, 0, long_array, 17, 4);
	ref_counted(&ref, "sa", REF_VALUE32 | REF_VARIABLE, 0, 0, short_array, 16, 4);
	memset(short_string, 'c', sizeof(short_string));
	memset(short_bytes, 'c', sizeof(short_bytes));
	memset(short_array, 'c', sizeof(short_array));
	written(&b);
}

TEST_SETUP(test_small_event_is_one_write, traced)
{
	struct ue_builder b;
	int i;

	new_event(&b, large, sizeof(large));
	for (i = 0; i < 20; i++)
		ue_add_i32(&b, "number", i);
	assert_int_equal(ue_builder_write(&b, &set, NULL, NULL), 0);
	assert_int_equal(fake_kernel_calls(FAKE_WRITE), 1);
	assert_int_equal(fake_kernel_calls(FAKE_WRITEV), 0);
}

/*
 * The documented buffer size is the sum of 70 bytes for the header, the length of each name plus
 * two bytes per field, the size of the values, and 24 bytes per piece.
 */
TEST_SETUP(test_buffer_of_the_documented_size_is_enough, traced)
{
	size_t fields, pieces, offset, size, i;
	static unsigned char long_bytes[65];

	for (fields = 0; fields < 20; fields++) {
		for (pieces = 0; pieces < 4; pieces++) {
			size_t documented = 70 + sizeof("event") +
					    fields * (sizeof("name") + 2 + 2) +
					    pieces * (sizeof("long") + 2 + 2 + 24);

			for (offset = (fields + pieces) % 4; offset < 8; offset += 4) {
				bool enough = false;

				for (size = documented > 60 ? documented - 60 : 0;
				     size < documented + 20; size++) {
					unsigned char *buffer =
						(unsigned char *)malloc(size + offset);
					struct ue_builder b;
					int error;

					if (!buffer)
						abort();
					new_event(&b, buffer + offset, size);
					for (i = 0; i < fields; i++) {
						ue_add_x16(&b, "name", (uint16_t)i);
						ref_define(&ref, "name", REF_VALUE16, 0, 0, REF_HEX,
							   0);
						ref_put_u16(&ref, i);
					}
					for (i = 0; i < pieces; i++) {
						ue_add_bytes(&b, "long", long_bytes, 65);
						ref_counted(&ref, "long", REF_BINARY, 0, 0,
							    long_bytes, 65, 1);
					}
					error = ue_builder_write(&b, &set, NULL, NULL);
					if (error == 0)
						recorded(TRACEPOINT, &plain, NULL, NULL);
					else
						assert_int_equal(error, -ENOSPC);
					/* a buffer larger than necessary never causes an error */
					if (enough)
						assert_int_equal(error, 0);
					enough = error == 0;
					if (size >= documented && error)
						fail_msg("%zu fields, %zu pieces, at %zu: %zu bytes"
							 " are not enough, documented %zu", fields,
							 pieces, offset, size, documented);
					free(buffer);
				}
			}
		}
	}
}

/*
 * ERROR_IS() runs statements that use the builder b, and checks the error that ue_builder_write()
 * returns.
 */
#define ERROR_IS(error_, ...)                                                         \
	do {                                                                          \
		ue_builder_begin(&b, large, sizeof(large), "event", 0);               \
		ue_add_u8(&b, "good", 1);                                             \
		__VA_ARGS__;                                                          \
		ue_add_u8(&b, "later", 1);                                            \
		assert_int_equal(ue_builder_write(&b, &set, NULL, NULL), error_);     \
		assert_int_equal(ue_builder_write(&b, &set, NULL, NULL), error_);     \
		assert_int_equal(fake_kernel_records(), 0);                           \
		/* ue_builder_begin() makes the builder usable again */                \
		new_event(&b, large, sizeof(large));                                  \
		written(&b);                                                          \
	} while (0)

TEST_SETUP(test_first_error_persists_and_is_returned_by_the_write, traced)
{
	static const uint8_t array[3] = { 1, 2, 3 };
	static char long_bytes[65], name[70000];
	struct ue_builder b;
	int i;

	ERROR_IS(-EINVAL, ue_add_u8(&b, NULL, 1));
	ERROR_IS(-EINVAL, ue_add_u8(&b, "", 1));
	ERROR_IS(-EINVAL, ue_add_str(&b, NULL, "s"));
	ERROR_IS(-EINVAL, ue_struct_begin(&b, NULL));
	ERROR_IS(-EINVAL, ue_struct_begin(&b, "open"));
	ERROR_IS(-EINVAL, ue_struct_begin(&b, "empty"); ue_struct_end(&b));
	ERROR_IS(-EINVAL, ue_struct_end(&b));
	ERROR_IS(-EINVAL, ue_struct_array_next(&b));
	ERROR_IS(-EINVAL, ue_struct_begin(&b, "no array"); ue_struct_array_next(&b));
	ERROR_IS(-EINVAL, ue_struct_array_begin(&b, "no element"); ue_struct_end(&b));
	ERROR_IS(-EINVAL, ue_struct_array_begin(&b, "no element"); ue_add_u8(&b, "a", 1));
	ERROR_IS(-EINVAL, ue_struct_array_begin(&b, "empty"); ue_struct_array_next(&b);
		 ue_struct_end(&b));
	ERROR_IS(-EINVAL, ue_struct_array_begin(&b, "empty"); ue_struct_array_next(&b);
		 ue_struct_array_next(&b));
	ERROR_IS(-EINVAL, ue_add_fixed_array_u8(&b, "none", array, 0));
	ERROR_IS(-EINVAL, ue_add_fixed_array_u8(&b, "null", NULL, 3));
	ERROR_IS(-EINVAL, ue_field_format(&b, 128); ue_add_u8(&b, "a", 1));
	ERROR_IS(-EINVAL, ue_add_u8(&b, NULL, 1); for (i = 0; i < 9; i++) ue_struct_begin(&b, "s"));
	ERROR_IS(-E2BIG, for (i = 0; i < 9; i++) ue_struct_begin(&b, "s"));
	ERROR_IS(-E2BIG, ue_struct_begin(&b, "s"); for (i = 0; i < 128; i++) ue_add_u8(&b, "a", 1);
		 ue_struct_end(&b));
	ERROR_IS(-E2BIG, for (i = 0; i < 501; i++) ue_add_bytes(&b, "a", long_bytes, 65));
	memset(name, 'n', sizeof(name) - 1);
	ERROR_IS(-E2BIG, ue_add_u8(&b, name, 1));
	ERROR_IS(-ENOSPC, ue_builder_begin(&b, large, 120, "event", 0); ue_add_str(&b, "s",
		 "60 bytes, which are not more than 64, so that they are copied"));

	assert_int_equal(ue_builder_begin(&b, large, sizeof(large), NULL, 0), -EINVAL);
	assert_int_equal(ue_builder_write(&b, &set, NULL, NULL), -EINVAL);
	assert_int_equal(ue_builder_begin(&b, large, sizeof(large), "", 0), -EINVAL);
	assert_int_equal(ue_builder_begin(&b, NULL, 1000, "e", 0), -EINVAL);
	assert_int_equal(ue_builder_write(&b, &set, NULL, NULL), -EINVAL);
	assert_int_equal(ue_builder_begin(&b, large, 20, "e", 0), -ENOSPC);
	assert_int_equal(ue_builder_write(&b, &set, NULL, NULL), -ENOSPC);
}

/* The metadata size is stored in 16 bits, so a larger buffer does not raise the limit. */
TEST_SETUP(test_names_over_64_KiB_are_rejected_for_any_buffer_size, traced)
{
	static unsigned char buffer[1 << 20];
	static const size_t sizes[] = { 140000, 160000, 200000, 1 << 20 };
	size_t i, fields, most;
	struct ue_builder b;

	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		/* "event" and its NUL take 6 bytes, and each field takes 11 bytes */
		most = (65535 - 6) / 11;
		for (fields = most; fields <= most + 1; fields++) {
			char name[10];
			size_t n;

			fake_kernel_clear_records();
			ue_builder_begin(&b, buffer, sizes[i], "event", 0);
			for (n = 0; n < fields; n++) {
				snprintf(name, sizeof(name), "field%04u", (unsigned int)n);
				ue_add_u8(&b, name, 1);
			}
			assert_int_equal(ue_builder_write(&b, &set, NULL, NULL),
					 fields == most ? 0 : -E2BIG);
			assert_int_equal(fake_kernel_records(), fields == most);
		}
	}
}

TEST_SETUP(test_builder_without_begin_returns_an_error, traced)
{
	struct ue_builder b;

	memset(&b, 0, sizeof(b));
	assert_int_equal(ue_builder_write(&b, &set, NULL, NULL), -EINVAL);
	memset(&b, 0, sizeof(b));
	ue_add_u8(&b, "a", 1);
	ue_struct_begin(&b, "s");
	assert_int_equal(ue_builder_write(&b, &set, NULL, NULL), -EINVAL);
}

TEST_SETUP(test_every_documented_limit_can_be_reached, traced)
{
	static char long_bytes[65], name[65536];
	struct ue_builder b;
	unsigned int i;

	/*
	 * A struct has at most 127 members. Outside of structs, the number of fields is unlimited.
	 */
	new_event(&b, large, sizeof(large));
	ue_struct_begin(&b, "s");
	ref_define(&ref, "s", REF_STRUCT, 0, 0, 127, 0);
	for (i = 0; i < 127 + 1000; i++) {
		if (i == 127)
			ue_struct_end(&b);
		ue_add_u16(&b, "m", (uint16_t)i);
		ref_define(&ref, "m", REF_VALUE16, 0, 0, 0, 0);
		ref_put_u16(&ref, i);
	}
	written(&b);
	/* the builder supports 8 levels of structs */
	new_event(&b, large, sizeof(large));
	for (i = 0; i < 8; i++) {
		ue_struct_begin(&b, "s");
		ref_define(&ref, "s", REF_STRUCT, 0, 0, 1, 0);
	}
	ue_add_u8(&b, "a", 1);
	ref_value(&ref, "a", REF_VALUE8, 0, 0, "\1", 1);
	for (i = 0; i < 8; i++)
		ue_struct_end(&b);
	written(&b);
	/* the builder supports 500 pieces */
	new_event(&b, large, sizeof(large));
	random_bytes(long_bytes, 65);
	for (i = 0; i < 500; i++) {
		ue_add_bytes(&b, "p", long_bytes, 65);
		ref_counted(&ref, "p", REF_BINARY, 0, 0, long_bytes, 65, 1);
	}
	written(&b);
	/* the builder supports 65534 bytes of metadata */
	memset(name, 'n', sizeof(name));
	name[65534 - sizeof("event") - 2] = '\0';
	new_event(&b, large, sizeof(large));
	ue_add_u8(&b, name, 1);
	ref_value(&ref, name, REF_VALUE8, 0, 0, "\1", 1);
	assert_int_equal(ref.meta_size, 65534);
	written(&b);
}

TEST_SETUP(test_elements_up_to_65535, traced)
{
	static unsigned char buffer[1 << 18];
	struct ue_builder b;
	unsigned int i, n;

	for (n = 65535; n <= 65536; n++) {
		new_event(&b, buffer, sizeof(buffer));
		ue_struct_array_begin(&b, "s");
		ref_define(&ref, "s", REF_STRUCT, REF_VARIABLE, 0, 1, 0);
		ref_define(&ref, "a", REF_VALUE8, 0, 0, 0, 0);
		ref_put_u16(&ref, n);
		for (i = 0; i < n; i++) {
			uint8_t a = (uint8_t)i;

			ue_struct_array_next(&b);
			ue_add_u8(&b, "a", a);
			ref_put(&ref, &a, 1);
		}
		ue_struct_end(&b);
		if (n == 65535)
			written(&b);
		else
			assert_int_equal(ue_builder_write(&b, &set, NULL, NULL), -E2BIG);
	}
}

TEST_SETUP(test_counts_over_65535_are_truncated_and_counted, traced)
{
	static uint32_t data[65537];
	uint64_t cut = ue_status().cut;
	struct ue_builder b;
	size_t i;

	memset(data, 1, sizeof(data));
	for (i = 0; i < 2; i++) {
		data[65535 + i] = 0;
		new_event(&b, large, sizeof(large));
		ue_add_str32(&b, "s", data);
		ref_counted(&ref, "s", REF_STRING32, 0, 0, data, 65535, 4);
		ref_mark(&ref, i);
		written(&b);
		assert_int_equal(ue_status().cut - cut, i);
		memset(data, 1, sizeof(data));
	}
	cut = ue_status().cut;
	for (i = 0; i < 2; i++) {
		new_event(&b, large, sizeof(large));
		ue_add_array_i32(&b, "a", (const int32_t *)data, 65535 + i);
		ref_counted(&ref, "a", REF_VALUE32 | REF_VARIABLE, REF_SIGNED, 0, data, 65535, 4);
		ref_mark(&ref, i);
		written(&b);
		new_event(&b, large, sizeof(large));
		ue_add_fixed_array_i32(&b, "a", (const int32_t *)data, 65535 + i);
		ref_fixed(&ref, "a", REF_VALUE32, 65535, REF_SIGNED, 0, data, 4 * 65535);
		ref_mark(&ref, i);
		written(&b);
		new_event(&b, large, sizeof(large));
		ue_add_bytes(&b, "a", data, 65535 + i);
		ref_counted(&ref, "a", REF_BINARY, 0, 0, data, 65535, 1);
		ref_mark(&ref, i);
		written(&b);
		assert_int_equal(ue_status().cut - cut, 3 * i);
	}
}

/*
 * The builder treats a negative length, such as the result of a failed read(), in the same way as
 * UE_LOG().
 */
TEST_SETUP(test_a_negative_length_means_no_data, traced)
{
	uint64_t cut = ue_status().cut;
	struct ue_builder b;

	new_event(&b, large, sizeof(large));
	ue_add_strn(&b, "s", "text", (size_t)-1);
	ue_add_bytes(&b, "b", "text", (size_t)-1);
	ref_counted(&ref, "s", REF_STRING8, 0, 0, "", 0, 1);
	ref_counted(&ref, "b", REF_BINARY, 0, 0, "", 0, 1);
	written(&b);
	assert_int_equal(ue_status().cut - cut, 0);
}

TEST_SETUP(test_null_values, traced)
{
	static const char zeros[16];
	struct ue_builder b;

	new_event(&b, large, sizeof(large));
	ue_add_str(&b, "s", NULL);
	ref_counted(&ref, "s", REF_STRING8, 0, 0, "", 0, 1);
	ue_add_str32(&b, "s", NULL);
	ref_counted(&ref, "s", REF_STRING32, 0, 0, "", 0, 1);
	ue_add_strn(&b, "s", NULL, 7);
	ref_counted(&ref, "s", REF_STRING8, 0, 0, "", 0, 1);
	ue_add_array_u64(&b, "a", NULL, 7);
	ref_counted(&ref, "a", REF_VALUE64 | REF_VARIABLE, 0, 0, "", 0, 1);
	ue_add_array_str(&b, "a", NULL, 7);
	ref_counted(&ref, "a", REF_STRING8 | REF_VARIABLE, 0, 0, "", 0, 1);
	ue_add_uuid(&b, "u", NULL);
	ref_value(&ref, "u", REF_VALUE128, REF_UUID, 0, zeros, 16);
	written(&b);
}

/* Readers cannot decode an array of structs whose elements differ. */
TEST_SETUP(test_different_elements_are_rejected, traced)
{
	struct ue_builder b;

#define ELEMENTS(first, second)                                                       \
	ERROR_IS(-EINVAL, ue_struct_array_begin(&b, "s"); ue_struct_array_next(&b); first; \
		 ue_struct_array_next(&b); second; ue_struct_end(&b))
#define A ue_add_u8(&b, "a", 1)
#define B ue_add_u8(&b, "b", 1)
#define S ue_struct_begin(&b, "t")
#define SA ue_struct_array_begin(&b, "t")
#define N ue_struct_array_next(&b)
#define E ue_struct_end(&b)
#define TAG ue_field_tag(&b, 0x6161)
	ELEMENTS(A, B);
	ELEMENTS(A, ue_add_i8(&b, "a", 1));
	ELEMENTS(A, TAG; A);
	ELEMENTS(TAG; A, A);
	ELEMENTS(A, A; B);
	ELEMENTS(A; B, A);
	ELEMENTS(ue_add_fixed_array_u8(&b, "a", large, 2),
		 ue_add_fixed_array_u8(&b, "a", large, 3));
	ELEMENTS(S; A; E, SA; N; A; E);
	ELEMENTS(S; A; E, A);
	/*
	 * the members are equal, but one element has its last member outside of the nested
	 * struct
	 */
	ELEMENTS(S; A; B; E, S; A; E; B);
	ELEMENTS(S; A; E; B, S; A; B; E);
	ELEMENTS(SA; N; A; B; N; A; B; E, SA; N; A; N; A; E; B);
	ELEMENTS(SA; N; A; E; B, SA; N; A; B; N; A; B; E);
	ELEMENTS(TAG; S; A; E, S; A; E);
	ELEMENTS(S; A; E, TAG; S; A; E);
#undef A
#undef B
#undef S
#undef SA
#undef N
#undef E
#undef TAG
}

#ifndef SEQUENCES
#define SEQUENCES ROUNDS_OF(100000)
#endif

/*
 * Calls the functions in random order, with buffers of every size. Bytes outside the buffer never
 * change, the first error persists, and every event written without an error can be decoded.
 */
TEST_SETUP(test_any_order_of_calls, traced)
{
	static const char *const names[] = { "a", "bb", "", NULL, "longer name" };
	static const uint16_t data[400] = { 1, 2, 3 };
	const char *list[5] = { "x", NULL, "0123456789012345678901234567890123456789"
					   "0123456789012345678901234567890123456789", "", "y" };
	unsigned long i, ok = 0, errors[3] = { 0, 0, 0 };
	struct ue_builder b;

	memset(&b, 0, sizeof(b));
	for (i = 0; i < SEQUENCES; i++) {
		size_t size = below(601), calls = below(40), bad = below(3) ? 2 : 5;
		unsigned char *buffer = (unsigned char *)malloc(size);
		int error, again;

		if (below(200) == 0)
			memset(&b, 0, sizeof(b));
		else
			ue_builder_begin(&b, buffer, size, below(50) ? "name" : names[below(5)], 7);
		while (calls--) {
			const char *name = below(10) ? names[below(2)] : names[below(bad)];
			size_t n = below(4) ? below(5) : below(400);

			switch (below(22)) {
			case 0:
			case 1:
			case 2:
				ue_struct_begin(&b, name);
				break;
			case 3:
			case 4:
				ue_struct_array_begin(&b, name);
				ue_struct_array_next(&b);
				break;
			case 5:
				if (below(10) == 0)
					ue_struct_array_begin(&b, name);
				break;
			case 6:
			case 7:
			case 8:
				if (b.depth || below(20) == 0)
					ue_struct_end(&b);
				break;
			case 9:
			case 10:
			case 11:
				if ((b.depth && b.open[b.depth - 1].array) || below(20) == 0)
					ue_struct_array_next(&b);
				break;
			case 12:
				ue_add_u64(&b, name, i);
				break;
			case 13:
				ue_add_str16(&b, name, below(9) ? data + 2 : NULL);
				break;
			case 14:
				ue_add_bytes(&b, name, data, n);
				break;
			case 15:
				ue_add_array_u16(&b, name, below(9) ? data : NULL, n);
				break;
			case 16:
				ue_add_fixed_array_u16(&b, name, data, n ? n : below(9));
				break;
			case 17:
				ue_add_array_str(&b, name, list, n % 6);
				break;
			case 18:
				ue_add_fixed_array_str(&b, name, list, 1 + n % 5);
				break;
			case 19:
				ue_field_tag(&b, (uint16_t)below(3));
				break;
			case 20:
				ue_field_format(&b,
						(uint8_t)(below(100) ? below(128) : below(256)));
				break;
			default:
				if (below(5) == 0)
					ue_builder_write(&b, &set, NULL, NULL);
				ue_add_u8(&b, name, 1);
			}
		}
		while (b.depth && !b.error && below(30)) {
			if (b.open[b.depth - 1].array && !b.open[b.depth - 1].elements)
				ue_struct_array_next(&b);
			ue_struct_end(&b);
		}
		fake_kernel_clear_records();
		error = ue_builder_write(&b, &set, data, data + 8);
		if (error == 0) {
			ok++;
			assert_int_equal(fake_kernel_records(), 1);
			decodes(fake_kernel_record(0));
			fake_kernel_clear_records();
		} else {
			assert_true(error == -EINVAL || error == -ENOSPC || error == -E2BIG);
			errors[error == -EINVAL ? 0 : error == -ENOSPC ? 1 : 2]++;
			assert_int_equal(fake_kernel_records(), 0);
		}
		again = ue_builder_write(&b, &set, NULL, NULL);
		assert_int_equal(again, error);
		free(buffer);
	}
	print_message("%lu written, %lu EINVAL, %lu ENOSPC, %lu E2BIG\n", ok, errors[0], errors[1],
		      errors[2]);
	assert_true(ok > SEQUENCES / 20 && errors[0] && errors[1] && errors[2]);
}

/* A struct with this name would have its format byte beyond the end of the buffer. */
TEST_SETUP(test_a_long_name_in_a_later_element_is_rejected, traced)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), size = 512;
	char name[1000];
	char *pages = (char *)mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct ue_builder b;

	assert_true(pages != MAP_FAILED);
	assert_int_equal(mprotect(pages + page, page, PROT_NONE), 0);
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	ue_builder_begin(&b, pages + page - size, size, "event", 0);
	ue_struct_array_begin(&b, "list");
	ue_struct_array_next(&b);
	ue_struct_begin(&b, "s");
	ue_add_u8(&b, "x", 1);
	ue_struct_end(&b);
	ue_struct_array_next(&b);
	ue_struct_begin(&b, name);
	assert_int_equal(ue_builder_write(&b, &set, NULL, NULL), -EINVAL);
	munmap(pages, 2 * page);
}

TESTS_MAIN
