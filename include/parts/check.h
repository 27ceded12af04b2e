/* SPDX-License-Identifier: MIT */
/*
 * Preprocessor: mistakes that the compiler finds
 */

/* @private */

/*
 * UE__CHECK_NAMES(names): the names of an event and its fields, "name;name;", are identifiers. What
 * is none is an expression in the place of a variable, or the text of a macro of that name.
 * UE__CHECK_LOG(name, names): of UE_LOG, whose event's NAME, as it is written, is a literal. These
 * checks stand before all that the compiler would say of such a field, and in the macro that the
 * user's line becomes, not deeper: clang prints three lines for each level. A condition stands in
 * one line and has no operator on top: newer clang prints all lines, and explains operators.
 */
#define UE__NO_NAME                                                                     \
	"user_events.h: a field is a variable or names its type and itself: write "     \
	"UE_I32(status, r->status) for r->status, and a comma between fields; the event's name " \
	"has no quotes; names are identifiers and no macros"
#define UE__NO_QUOTES                                                                   \
	"user_events.h: an event has a name, in quotes and behind the set: "             \
	"UE_LOG(set, \"Name\", fields...)"
#ifdef __cplusplus
constexpr bool ue__is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
/* What is behind the identifier at S and its ';', or NULL. */
constexpr const char *ue__behind_identifier(const char *s, bool first)
{
	return ue__is_name_char(*s) || (!first && *s >= '0' && *s <= '9') ?
		       ue__behind_identifier(s + 1, false) :
	       first || *s != ';' ? nullptr :
				    s + 1;
}
/*
 * UE_U33(x), which the compiler tells by itself, passes. A call for each name, not for each letter:
 * compilers take 512 within each other.
 */
constexpr bool ue__are_identifiers(const char *s)
{
	return s && (!*s || (s[0] == 'U' && s[1] == 'E' && s[2] == '_') ||
		     ue__are_identifiers(ue__behind_identifier(s, true)));
}
/* Does the first name at S, up to its ';', stand again behind it? */
constexpr bool ue__same_name(const char *s, const char *t)
{
	return *s == *t && (*s == ';' || ue__same_name(s + 1, t + 1));
}
constexpr const char *ue__next_name(const char *s)
{
	return *s == ';' ? s + 1 : ue__next_name(s + 1);
}
constexpr bool ue__is_among(const char *s, const char *rest)
{
	return *rest && (ue__same_name(s, rest) || ue__is_among(s, ue__next_name(rest)));
}
constexpr bool ue__are_distinct(const char *s)
{
	return !*s || (!ue__is_among(s, ue__next_name(s)) && ue__are_distinct(ue__next_name(s)));
}
#ifdef __clang__ /* which calls its own function sooner than ours */
#define ue__name_end(s) __builtin_strchr(s, ';')
#else
constexpr const char *ue__name_end(const char *s)
{
	return !*s || *s == ';' ? s : ue__name_end(s + 1);
}
#endif
/*
 * A bit for each name, by its length, first and last character. Names of different bits differ:
 * then there is no need to compare each with each, which takes compilers long.
 */
constexpr uint64_t ue__name_bits(const char *s, const char *end)
{
	return *s ? UE__U64(1) << ((*s * 5 + end[-1] * 12 + (end - s) * 27) & 63) |
			    ue__name_bits(end + 1, ue__name_end(end + 1)) :
		    0;
}
constexpr bool ue__no_name_twice(const char *s, int count)
{
	return !ue__are_identifiers(s) ||
	       __builtin_popcountll(ue__name_bits(s, ue__name_end(s))) == count ||
	       ue__are_distinct(s);
}
/* In C, ue__register_declared() finds it. */
#define UE__CHECK_DISTINCT(count, names)                                                \
	static_assert(ue__no_name_twice(names, count),                                  \
		      "user_events.h: two fields of an event have one name (" names ")");
#define UE__CHECK_FN constexpr
#else
#define UE__CHECK_DISTINCT(count, names)
#define UE__CHECK_FN static inline
#endif
#ifdef __clang__
/*
 * A warning that is fatal is all that clang says of the file: its own words for an expression in
 * the place of a name are many lines.
 */
#define UE__CHECK_NAMES(names)                                                          \
	UE__FATAL UE__STATIC_ASSERT(sizeof(ue__are_names(names)), UE__NO_NAME);         \
	_Pragma("clang diagnostic pop")
#define UE__CHECK_LOG(name, names)                                                      \
	UE__FATAL UE__STATIC_ASSERT(sizeof(ue__is_quoted(name)), UE__NO_QUOTES);        \
	UE__STATIC_ASSERT(sizeof(ue__are_names(names)), UE__NO_NAME);                   \
	_Pragma("clang diagnostic pop")
#define UE__FATAL                                                                       \
	_Pragma("clang diagnostic push")                                                \
	_Pragma("clang diagnostic fatal \"-Wuser-defined-warnings\"")
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wgcc-compat" /* GCC has another way, below */
#ifdef __cplusplus
constexpr int ue__are_names(const char *s)
	__attribute__((__diagnose_if__(!ue__are_identifiers(s), UE__NO_NAME, "warning")))
{
	return !s;
}
#else
/* what no identifier has; in a literal clang finds characters by strchr() */
#define UE__HAS(c) __builtin_strchr(s, c)
#define UE__ANY(a, b, c, d) (UE__HAS(a) || UE__HAS(b) || UE__HAS(c) || UE__HAS(d))
#define UE__NONE                                                                        \
	(s[0] == ';' || __builtin_strchr(s, ';')[1] == ';' ||                           \
	 s[__builtin_strlen(s) - 2] == ';' || (s[0] >= '0' && s[0] <= '9'))
static inline int ue__are_names(const char *s) __attribute__((
	__diagnose_if__(UE__NONE || UE__ANY(' ', '.', '>', '(') || UE__ANY('[', '"', '-', '+') ||
			UE__HAS('*') || UE__HAS('&') || UE__HAS('!'), UE__NO_NAME, "warning")));
static inline int ue__are_names(const char *s)
{
	return !s;
}
#undef UE__HAS
#undef UE__ANY
#undef UE__NONE
#endif
UE__CHECK_FN int ue__is_quoted(const char *s)
	__attribute__((
	__diagnose_if__(s[0] != '"' || s[1] == '"', UE__NO_QUOTES, "warning"),
	__diagnose_if__(s[__builtin_strlen(s) - 1] != '"', UE__NO_QUOTES, "warning")));
UE__CHECK_FN int ue__is_quoted(const char *s)
{
	return !s;
}
#pragma clang diagnostic pop
#else
#define UE__CHECK_NAMES(names) UE__STATIC_ASSERT(ue__are_names(names), UE__NO_NAME);
#define UE__CHECK_LOG(name, names)                                                      \
	UE__STATIC_ASSERT(ue__is_quoted(name), UE__NO_QUOTES);                          \
	UE__CHECK_NAMES(names)
#ifdef __cplusplus
#define ue__are_names(names) ue__are_identifiers(names)
#define ue__is_quoted(text) \
	((text)[0] == '"' && (text)[1] != '"' && (text)[sizeof(text) - 2] == '"')
#else
#define UE__NAME_CHARS ";_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define ue__are_names(names)                                                            \
	(__extension__(__builtin_strspn(names, UE__NAME_CHARS) == sizeof(names) - 1 &&  \
		       !__builtin_strstr(";" names, ";;") &&                            \
		       __builtin_strspn(names, "0123456789") == 0))
#define ue__is_quoted(text)                                                             \
	(__extension__(__builtin_strspn(text, "\"") == 1 &&                             \
		       __builtin_strlen(__builtin_strrchr(text, '"')) == 1))
#endif
#endif
#undef UE__CHECK_FN

/* op UE__CHECK: fields of any event */
#define UE__CHECK_0B(at, as, tag, string, x)                                            \
	UE__STATIC_ASSERT(!(UE__U64(ue__t##at) == UE__T_NONE),                                   \
			  "user_events.h: \"" string                                     \
			  "\" is no scalar, pointer or array of scalars of constant length; " \
			  "write UE_I32(name, value), UE_ARRAY(I32, name, pointer, count)");
#define UE__CHECK_0V(...)
#define UE__CHECK_0P(...)
#define UE__CHECK_0L(...)
#define UE__CHECK_0F(...)
#define UE__CHECK_0S(at, as, tag, string, members)                                      \
	UE__CHECK_STRUCT(as, string, members)
#define UE__CHECK_0R(at, as, tag, string, members, size, ...)                           \
	UE__CHECK_STRUCT(as, string, members)                                           \
	UE__STATIC_ASSERT(!(size > 65535), "user_events.h: struct \"" string              \
					 "\" of a UE_STRUCT_ARRAY is over 65535 bytes");
#define UE__CHECK_STRUCT(as, string, members)                                           \
	UE__STATIC_ASSERT(!(members < 1 || members > 127),                              \
			  "user_events.h: struct \"" string "\" needs 1 to 127 members, none of " \
			  "them an option of the event");                               \
	UE__STATIC_ASSERT(!(0 as), "user_events.h: UE_AS() of struct \"" string     \
				       "\": formats are for its members");
/* of an array of packed structs: what has its bytes in the struct itself */
#define UE__CHECK_0M(at, class, tuple) UE__INNER(UE__CHECK_MEMBER_##class, at, UE__UNPACK tuple)
#define UE__CHECK_MEMBER_0B(at, as, tag, string, x) UE__CHECK_FIXED(ue__t##at, string)
#define UE__CHECK_MEMBER_0V(at, kind, as, tag, string, ...) UE__CHECK_FIXED(UE__T_##kind, string)
#define UE__CHECK_FIXED(t, string)                                                      \
	UE__STATIC_ASSERT(!(t & UE__T_DYNAMIC),                                         \
			  "user_events.h: field \"" string                              \
			  "\" has no fixed size, as members of a UE_STRUCT_ARRAY must");
#define UE__CHECK_MEMBER_0P(at, kind, as, tag, string, ...)                             \
	UE__STATIC_ASSERT(0, "user_events.h: field \"" string                           \
			     "\" has no fixed size, as members of a UE_STRUCT_ARRAY must");
#define UE__CHECK_MEMBER_0L UE__CHECK_MEMBER_0P
#define UE__CHECK_MEMBER_0F(...)
#define UE__CHECK_MEMBER_0S UE__CHECK_0S
#define UE__CHECK_MEMBER_0R(at, as, tag, string, ...) \
	UE__CHECK_MEMBER_0P(at, , as, tag, string, ~)
#define UE__CHECK_0X(...)

/* op UE__KERNEL: what a kernel-typed event cannot carry; what is no field has been told */
#define UE__NOT_CARRIED(string) \
	"user_events.h: field \"" string "\" has a type that kernel-typed events cannot carry "
#define UE__KERNEL_0B(at, as, tag, string, x)                                           \
	UE__STATIC_ASSERT(UE__IS_CARRIED_0B(at),                                        \
			  UE__NOT_CARRIED(string) "(write UE_I32(name, value), "          \
			  "UE_ARRAY(I32, name, p, count); use UE_LOG for floats)");
/* in C++ of any integer's type; of arrays, bytes (of row 0) and strings are carried */
#define UE__IS_CARRIED(t) !!(t & UE__T_CARRIED && (t & 0x1fc0) < 0x1040)
#ifdef __cplusplus
#define UE__IS_CARRIED_0B(at) ue__bare<ue__x##at>::ue__carried
#else
#define UE__IS_CARRIED_0B(at) UE__IS_CARRIED(ue__t##at)
#endif
/* floats alone are not carried: an assertion for each field would cost the compiler too much */
#define UE__KERNEL_0V(at, kind, as, tag, string, ...) \
	UE__SECOND_OF(UE__KERNEL_##kind, UE__CARRIED, ~)(string)
#define UE__CARRIED(string)
#define UE__KERNEL_0F32 ~, UE__REFUSED
#define UE__KERNEL_0F64 ~, UE__REFUSED
#define UE__REFUSED(string) UE__STATIC_ASSERT(0, UE__NOT_CARRIED(string) "(a float); use UE_LOG");
#define UE__KERNEL_0P(...)
#define UE__KERNEL_0L(at, kind, as, tag, string, ...)                                   \
	UE__STATIC_ASSERT(!(!(UE__U64(ue__t##at) >> 44 & 1) || UE__SHAPE_OF(ue__t##at)),   \
			  UE__NOT_CARRIED(string)                                       \
			  "(an array of floats, strings, addresses); use UE_LOG");
#define UE__KERNEL_0F(at, kind, as, tag, string, ...)                                   \
	UE__STATIC_ASSERT(!!UE__IS_BYTE(ue__t##at),                                    \
			  UE__NOT_CARRIED(string)                                       \
			  "(a fixed array of other than bytes); use UE_LOG");
#define UE__IS_BYTE(t) (UE__ROW_OF(t) == UE__ROW_CHAR || UE__ROW_OF(t) == UE__ROW_U8)
#define UE__KERNEL_0S(at, as, tag, string, ...)                                         \
	UE__STATIC_ASSERT(0, "user_events.h: field \"" string                           \
			     "\" is a struct, which kernel-typed events cannot carry; use UE_LOG");
#define UE__KERNEL_0R UE__KERNEL_0S
#define UE__KERNEL_0M(...)
#define UE__KERNEL_0X(at, option, ...) UE__KERNEL_##option
#define UE__KERNEL_0END
#define UE__KERNEL_0NOTHING
#define UE__KERNEL_0ID UE__KERNEL_OPTION
#define UE__KERNEL_0OPCODE UE__KERNEL_OPTION
#define UE__KERNEL_0TAG UE__KERNEL_OPTION
#define UE__KERNEL_0ACTIVITY UE__KERNEL_OPTION
#define UE__KERNEL_OPTION                                                               \
	UE__STATIC_ASSERT(0, "user_events.h: UE_ID, UE_OPCODE, UE_TAG and UE_ACTIVITY are " \
			     "options of UE_LOG");
