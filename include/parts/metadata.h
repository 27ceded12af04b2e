/* SPDX-License-Identifier: MIT */
/*
 * Preprocessor: metadata of EventHeader events
 */

@private

/*
 * op UE__DEFINE, UE__INITIALISE: metadata, as members of a packed struct. A field's encoding
 * is 1 to 6 bytes, as a bit-field: kind, format and tag if there are any, count of an array.
 * In C++ members hide the user's variables, whose types are asked for right there: all of them
 * have private names.
 */
#define UE__HAS_FORMAT(t) (UE__FORMAT_OF(t) || UE__TAG_OF(t))
#define UE__ENCODING_SIZE(t)                                                          \
	(1u + (UE__HAS_FORMAT(t) ? 1u : 0u) + (UE__TAG_OF(t) ? 2u : 0u) +             \
	 ((t) & UE__T_CARRAY ? 2u : 0u))
#define UE__ENCODING_KIND(t)                                                          \
	(UE__KIND_OF(t) | ((t) & UE__T_CARRAY ? 0x20u : 0u) | ((t) & UE__T_VARRAY ? 0x40u : 0u) | \
	 (UE__HAS_FORMAT(t) ? 0x80u : 0u))
#define UE__ENCODING_FORMAT(t) (UE__FORMAT_OF(t) | (UE__TAG_OF(t) ? 0x80u : 0u))
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define UE__ENCODING(t)                                                               \
	(UE__U64(UE__ENCODING_KIND(t)) << 8 * (UE__ENCODING_SIZE(t) - 1) |           \
	 (UE__HAS_FORMAT(t) ?                                                         \
		  UE__U64(UE__ENCODING_FORMAT(t)) << ((8 * UE__ENCODING_SIZE(t) - 16) & 63) : 0) | \
	 UE__U64(UE__TAG_OF(t)) << ((t) & UE__T_CARRAY ? 16 : 0) |                   \
	 ((t) & UE__T_CARRAY ? UE__LENGTH_OF(t) : 0u))
#else
#define UE__ENCODING(t)                                                               \
	(UE__U64(UE__ENCODING_KIND(t)) | UE__U64(UE__ENCODING_FORMAT(t)) << 8 |     \
	 UE__U64(UE__TAG_OF(t)) << 16 |                                              \
	 ((t) & UE__T_CARRAY ?                                                        \
		  UE__U64(UE__LENGTH_OF(t)) << ((8 * UE__ENCODING_SIZE(t) - 16) & 63) : \
		  0))
#endif
#define UE__DEFINE_0V(c, t, string, variable, ...)                                     \
	char UE__CAT(UE__CAT(c, variable), _name)[sizeof(string)];                    \
	__extension__ uint64_t UE__CAT(UE__CAT(c, variable), _encoding)               \
		: 8 * UE__ENCODING_SIZE(t);
#define UE__DEFINE_0P UE__DEFINE_0V
#define UE__DEFINE_0S(c, t, string, name, count, ...)                                  \
	UE__DEFINE_0V(c, UE__STRUCT_TYPE(t, count), string, name##__, ~)               \
	UE__EACH_LATER()(UE__DEFINE, UE__CAT(c, name##__), __VA_ARGS__)
#define UE__DEFINE_0R(c, t, string, name, p, n, count, ...)                            \
	UE__DEFINE_0S(c, t, string, name, count, __VA_ARGS__)
#define UE__DEFINE_0X(...)
#define UE__STRUCT_TYPE(t, count) ((t) | UE__FORMAT_BITS(count))
#define UE__INITIALISE_0V(c, t, string, ...) string, UE__ENCODING(t),
#define UE__INITIALISE_0P UE__INITIALISE_0V
#define UE__INITIALISE_0S(c, t, string, name, count, ...)                              \
	string, UE__ENCODING(UE__STRUCT_TYPE(t, count)),                              \
		UE__EACH_LATER()(UE__INITIALISE, c, __VA_ARGS__)
#define UE__INITIALISE_0R(c, t, string, name, p, n, count, ...) \
	UE__INITIALISE_0S(c, t, string, name, count, __VA_ARGS__)
#define UE__INITIALISE_0X(...)

/* op UE__MEMBERS: structs have 1 to 127, none of them an option */
#define UE__MEMBERS_0V(...)
#define UE__MEMBERS_0P(...)
#define UE__MEMBERS_0S(c, t, string, name, count, ...) \
	UE__CHECK_STRUCT(t, string, count)             \
	UE__EACH_LATER()(UE__MEMBER, c, __VA_ARGS__)
#define UE__MEMBERS_0R(c, t, string, name, p, n, count, ...)                           \
	UE__CHECK_STRUCT(t, string, count)                                            \
	UE__STATIC_ASSERT((0 UE__EACH_LATER()(UE__SIZE, c, __VA_ARGS__)) <= 65535,    \
			  "user_events.h: struct \"" string "\" of a UE_STRUCT_ARRAY is over " \
			  "65535 bytes");                                             \
	UE__EACH_LATER()(UE__PACKED, c, __VA_ARGS__)
#define UE__CHECK_STRUCT(t, string, count)                                             \
	UE__STATIC_ASSERT((count) >= 1 && (count) <= 127,                             \
			  "user_events.h: struct \"" string "\" needs 1 to 127 members"); \
	UE__STATIC_ASSERT(UE__FORMAT_OF(t) == 0,                                      \
			  "user_events.h: UE_AS() of struct \"" string               \
			  "\": formats are for its members");
#define UE__MEMBERS_0X(...)
#define UE__MEMBER_0V(...)
#define UE__MEMBER_0P(...)
#define UE__MEMBER_0S UE__MEMBERS_0S
#define UE__MEMBER_0R UE__MEMBERS_0R
#define UE__MEMBER_0X(c, option, ...) UE__MEMBER_##option
#define UE__MEMBER_0END
#define UE__MEMBER_0ID UE__MEMBER_OPTION
#define UE__MEMBER_0OPCODE UE__MEMBER_OPTION
#define UE__MEMBER_0TAG UE__MEMBER_OPTION
#define UE__MEMBER_0ACTIVITY UE__MEMBER_OPTION
#define UE__MEMBER_OPTION                                                             \
	UE__STATIC_ASSERT(0, "user_events.h: UE_ID, UE_OPCODE, UE_TAG and UE_ACTIVITY are " \
			     "options of the event, not members of a struct");
/* of an array of packed structs: what has its bytes in the struct itself */
#define UE__PACKED_0V(c, t, string, ...)                                               \
	UE__STATIC_ASSERT(UE__IS_FIXED(t), "user_events.h: field \"" string          \
					   "\" has no fixed size, as members of a "   \
					   "UE_STRUCT_ARRAY must");
#define UE__PACKED_0P(c, t, string, ...)                                               \
	UE__STATIC_ASSERT(0, "user_events.h: field \"" string "\" has no fixed size, as " \
			     "members of a UE_STRUCT_ARRAY must");
#define UE__PACKED_0S(c, t, string, name, count, ...) \
	UE__CHECK_STRUCT(t, string, count)            \
	UE__EACH_LATER()(UE__PACKED, c, __VA_ARGS__)
#define UE__PACKED_0R UE__PACKED_0P
#define UE__PACKED_0X UE__MEMBER_0X

/* op UE__HEAD: id, version << 16, opcode << 24, tag << 32, how many there are of each << 48 */
#define UE__HEAD_0V(...)
#define UE__HEAD_0P(...)
#define UE__HEAD_0S(...)
#define UE__HEAD_0R(...)
#define UE__HEAD_0X(c, option, ...) UE__HEAD_##option(__VA_ARGS__)
#define UE__HEAD_0END(...)
#define UE__HEAD_0ID(id, version) \
	+(UE__UP_TO(id, 65535) | UE__UP_TO(version, 255) << 16 | UE__U64(1) << 48)
#define UE__HEAD_0OPCODE(opcode) +(UE__UP_TO(opcode, 255) << 24 | UE__U64(1) << 52)
#define UE__HEAD_0TAG(tag) +(UE__UP_TO(tag, 65535) << 32 | UE__U64(1) << 56)
#define UE__HEAD_0ACTIVITY(...) +(UE__U64(1) << 60)
#define UE__CHECK_HEAD(head)                                                          \
	UE__STATIC_ASSERT((((head) >> 48) & UE__U64(0xeeee)) == 0,                    \
			  "user_events.h: an event has one UE_ID, UE_OPCODE, UE_TAG, UE_ACTIVITY");

/* op UE__ACTIVITY_TYPE, UE__ACTIVITY_PASS: in the event, the activity comes before all fields */
#define UE__ACTIVITY_TYPE_0V(...)
#define UE__ACTIVITY_TYPE_0P(...)
#define UE__ACTIVITY_TYPE_0S(...)
#define UE__ACTIVITY_TYPE_0R(...)
#define UE__ACTIVITY_TYPE_0X(c, option, ...) UE__ACTIVITY_TYPE_##option
#define UE__ACTIVITY_TYPE_0END
#define UE__ACTIVITY_TYPE_0ID
#define UE__ACTIVITY_TYPE_0OPCODE
#define UE__ACTIVITY_TYPE_0TAG
#define UE__ACTIVITY_TYPE_0ACTIVITY UE__T_ACTIVITY,
#define UE__ACTIVITY_EXPRESSION_0V(...)
#define UE__ACTIVITY_EXPRESSION_0P(...)
#define UE__ACTIVITY_EXPRESSION_0S(...)
#define UE__ACTIVITY_EXPRESSION_0R(...)
#define UE__ACTIVITY_EXPRESSION_0X(c, option, ...) UE__ACTIVITY_EXPRESSION_##option(__VA_ARGS__)
#define UE__ACTIVITY_EXPRESSION_0END(...)
#define UE__ACTIVITY_EXPRESSION_0ID(...)
#define UE__ACTIVITY_EXPRESSION_0OPCODE(...)
#define UE__ACTIVITY_EXPRESSION_0TAG(...)
#define UE__ACTIVITY_EXPRESSION_0ACTIVITY(id, related) ue__with_activity(),
#define UE__ACTIVITY_PASS_0V(...)
#define UE__ACTIVITY_PASS_0P(...)
#define UE__ACTIVITY_PASS_0S(...)
#define UE__ACTIVITY_PASS_0R(...)
#define UE__ACTIVITY_PASS_0X(c, option, ...) UE__ACTIVITY_PASS_##option
#define UE__ACTIVITY_PASS_0END
#define UE__ACTIVITY_PASS_0ID
#define UE__ACTIVITY_PASS_0OPCODE
#define UE__ACTIVITY_PASS_0TAG
#define UE__ACTIVITY_PASS_0ACTIVITY ue__v__activity, ue__v__related,
