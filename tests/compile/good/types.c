/* SPDX-License-Identifier: MIT */
/* Writes events of every kind with fields of every type, passed as variables and as expressions. */
#include <user_events.h>

UE_EVENT_SET(types_set, "Compile_Types", UE_LEVEL_VERBOSE, 0x8000000000000001);
/* set names that are also suffixes of the header's function names */
UE_EVENT_SET(error, "Compile_Error", UE_LEVEL_ERROR, 1);
UE_EVENT_SET(spec, "Compile_Spec", UE_LEVEL_ERROR, 1);

/* types that both UE_TRACE and UE_LOG support */
#define KERNEL_VALUES(_)                                                              \
	_(U8, uint8_t) _(U16, uint16_t) _(U32, uint32_t) _(U64, uint64_t) _(I8, int8_t) \
	_(I16, int16_t) _(I32, int32_t) _(I64, int64_t) _(X8, uint8_t) _(X16, uint16_t) \
	_(X32, uint32_t) _(X64, uint64_t) _(PTR, const void *) _(BOOL, bool) _(CHAR, char) \
	_(CHAR16, uint16_t) _(CHAR32, uint32_t) _(PID, int32_t) _(ERRNO, int32_t)     \
	_(PORT, uint16_t) _(TIME32, int32_t) _(TIME64, int64_t)
#define FLOATS(_) _(F32, float) _(F64, double)
#define POINTERS(_) _(UUID, unsigned char) _(IPV4, unsigned char) _(IPV6, unsigned char)
#define STRINGS(_)                                                                    \
	_(STR, char) _(STR16, uint16_t) _(STR32, uint32_t) _(LATIN1, char)            \
	_(XML, char) _(JSON, char)
#define COUNTED(_)                                                                    \
	_(STRN, char) _(STR16N, uint16_t) _(STR32N, uint32_t) _(BYTES, unsigned char)

#define VALUE_KERNEL(T, ctype)                                                        \
	void kernel_##T(ctype v, ctype const *p, size_t p_count);                     \
	void kernel_##T(ctype v, ctype const *p, size_t p_count)                      \
	{                                                                             \
		UE_TRACE(types_##T, UE_##T(v), UE_##T(w, *p), UE_ARRAY(T, p),         \
			 UE_ARRAY(T, a, p + 1, p_count - 1));                         \
	}                                                                             \
	UE_TRACEPOINT(types_point_##T, UE_##T(v), UE_ARRAY(T, p));                    \
	void point_##T(ctype v, ctype const *p);                                      \
	void point_##T(ctype v, ctype const *p)                                       \
	{                                                                             \
		if (trace_types_point_##T##_enabled())                                \
			trace_types_point_##T(v, p, 3);                               \
	}
KERNEL_VALUES(VALUE_KERNEL)

#define VALUE_LOG(T, ctype)                                                           \
	void log_##T(ctype v, ctype const *p, size_t p_count);                        \
	void log_##T(ctype v, ctype const *p, size_t p_count)                         \
	{                                                                             \
		ctype const fixed[3] = { v, v, v };                                   \
		UE_LOG(types_set, #T, UE_##T(v), UE_##T(w, *p), UE_ARRAY(T, p),       \
		       UE_ARRAY(T, a, p + 1, p_count - 1), UE_FIXED_ARRAY(T, fixed, 3), \
		       UE_FIXED_ARRAY(T, f, fixed, sizeof(fixed) / sizeof(*fixed)));  \
	}
KERNEL_VALUES(VALUE_LOG)
FLOATS(VALUE_LOG)

#define POINTER(T, ctype)                                                             \
	void pointer_##T(const ctype *v);                                             \
	void pointer_##T(const ctype *v)                                              \
	{                                                                             \
		UE_TRACE(types_##T, UE_##T(v), UE_##T(w, v + 1));                     \
		UE_LOG(types_set, #T, UE_##T(v), UE_##T(w, v + 1), UE_ARRAY(T, a, v, 2u), \
		       UE_FIXED_ARRAY(T, f, v, 2));                                   \
	}
POINTERS(POINTER)

#define STRING(T, ctype)                                                              \
	void string_##T(const ctype *v, ctype *w, const ctype *const *p);             \
	void string_##T(const ctype *v, ctype *w, const ctype *const *p)              \
	{                                                                             \
		UE_TRACE(types_##T, UE_##T(v), UE_##T(w, w + 1), UE_##T(none, NULL)); \
		UE_LOG(types_set, #T, UE_##T(v), UE_##T(w, w + 1), UE_##T(none, NULL), \
		       UE_ARRAY(T, a, p, 2u), UE_FIXED_ARRAY(T, f, p, 2));            \
	}
STRINGS(STRING)

#define POINT(T, ctype)                                                               \
	UE_TRACEPOINT(types_point_##T, UE_##T(v));                                    \
	void point_##T(const ctype *v);                                               \
	void point_##T(const ctype *v)                                                \
	{                                                                             \
		trace_types_point_##T(v);                                             \
	}
POINTERS(POINT)
STRINGS(POINT)

#define COUNT(T, ctype)                                                               \
	void count_##T(const ctype *v, size_t v_count);                               \
	void count_##T(const ctype *v, size_t v_count)                                \
	{                                                                             \
		UE_TRACE(types_##T, UE_##T(v), UE_##T(w, v + 1, v_count - 1));        \
		UE_LOG(types_set, #T, UE_##T(v), UE_##T(w, v + 1, v_count - 1));      \
	}                                                                             \
	UE_TRACEPOINT(types_point_##T, UE_##T(v));                                    \
	void point_##T(const ctype *v);                                               \
	void point_##T(const ctype *v)                                                \
	{                                                                             \
		trace_types_point_##T(v, 3);                                          \
	}
COUNTED(COUNT)

enum colour { RED, GREEN };

/* Variables passed without a type macro. */
void bare(bool b, char c, signed char sc, unsigned char uc, short s, unsigned short us, int i,
	  unsigned int u, long l, unsigned long ul, enum colour e, const char *text, char *buffer,
	  void *p, const struct ue_event *object);
void bare(bool b, char c, signed char sc, unsigned char uc, short s, unsigned short us, int i,
	  unsigned int u, long l, unsigned long ul, enum colour e, const char *text, char *buffer,
	  void *p, const struct ue_event *object)
{
	const int constant = 1;
	volatile int changing = 2;
	static char name[16] = "name";
	const int64_t wide = -1;
	const uint64_t unsigned_wide = 1;

	UE_TRACE(bare, b, c, sc, uc, s, us, i, u, l, ul, e, text, buffer, p, object, constant,
		 changing, name, wide, unsigned_wide);
	UE_LOG(types_set, "bare", b, c, sc, uc, s, us, i, u, l, ul, e, text, buffer, p, object,
	       constant, changing, name, wide, unsigned_wide);
}

void bare_log_only(float f, double d, const int *numbers);
void bare_log_only(float f, double d, const int *numbers)
{
	const uint16_t list[3] = { 1, 2, 3 };
	double table[2] = { 1.5, d };

	UE_LOG(types_set, "bare", f, d, numbers, list, table);
}

/* Options of events and of fields: IDs, opcodes, tags, activities, formats. */
void options(uint8_t id[16], uint32_t flags);
void options(uint8_t id[16], uint32_t flags)
{
	UE_LOG(types_set, "options", UE_OPCODE(UE_OPCODE_ACTIVITY_START), UE_ID(7, 1),
	       UE_TAG(0x1234), UE_ACTIVITY(id), UE_TAGGED(3, UE_U32(flags)),
	       UE_AS(UE_FORMAT_HEX, UE_U32(hex, flags)),
	       UE_TAGGED(4, UE_AS(UE_FORMAT_IP, UE_U32(ip, flags))));
	UE_LOG(types_set, "related", UE_ACTIVITY(id, NULL), flags, UE_OPCODE(UE_OPCODE_REPLY));
	UE_LOG(types_set, "none", UE_ACTIVITY(NULL));
	UE_LOG(types_set, "tagged struct", UE_TAGGED(5, UE_STRUCT(s, flags)));
	UE_LOG(types_set, "no fields");
	if (UE_LOG_ENABLED(types_set))
		UE_LOG(types_set, "guarded", flags);
}
