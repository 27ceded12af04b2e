/* SPDX-License-Identifier: MIT */
/*
 * Preprocessor: metadata of EventHeader events
 */

/* @private */

/*
 * op UE__DEFINE, UE__INITIALISE: metadata, as members of a packed struct. A field's encoding
 * is 1 to 6 bytes, as a bit-field: kind, format and tag if there are any, count of an array.
 */
#define UE__HAS_FORMAT(t) (t & 0xffff0fe000000000) /* or a tag */
#define UE__ENCODING_BITS(t) \
	8 * (1 + !!UE__HAS_FORMAT(t) + (UE__TAG_OF(t) ? 2 : 0) + (t & UE__T_CARRAY ? 2 : 0))
#define UE__ENCODING_KIND(t) \
	(UE__KIND_OF(t) | UE__ENCODING_ARRAY(t) | (UE__HAS_FORMAT(t) ? UE__ENCODING_MORE : 0u))
#define UE__ENCODING_FORMAT(t) (UE__FORMAT_OF(t) | (UE__TAG_OF(t) ? UE__ENCODING_MORE : 0u))
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define UE__ENCODING(t)                                                                       \
	(UE__U64_OF(UE__ENCODING_KIND(t)) << (UE__ENCODING_BITS(t) - 8) |                     \
	 (UE__HAS_FORMAT(t) ?                                                                 \
		  UE__U64_OF(UE__ENCODING_FORMAT(t)) << ((UE__ENCODING_BITS(t) - 16) & 63) : 0) | \
	 UE__TAG_OF(t) << (t & UE__T_CARRAY ? 16 : 0) |                                       \
	 (t & UE__T_CARRAY ? UE__LENGTH_OF(t) : 0u))
#else
#define UE__ENCODING(t)                                                                       \
	(UE__ENCODING_KIND(t) | UE__U64_OF(UE__ENCODING_FORMAT(t)) << 8 | UE__TAG_OF(t) << 16 | \
	 (t & UE__T_CARRAY ?                                                                  \
		  UE__U64_OF(UE__LENGTH_OF(t)) << ((UE__ENCODING_BITS(t) - 16) & 63) : 0))
#endif
/* of the types that fields name */
enum {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define UE__ENCODING_ROW(name, kernel, log2, shape, kind, format, ctype, how, ok)     \
	ue__w0##name = UE_FORMAT_##format ? 16 : 8,                                 \
	ue__m0##name = UE_FORMAT_##format ?                                         \
		(UE__INT(UE__KIND_##kind) | 128) << 8 | UE_FORMAT_##format :          \
		UE__INT(UE__KIND_##kind),
#else
#define UE__ENCODING_ROW(name, kernel, log2, shape, kind, format, ctype, how, ok)     \
	ue__w0##name = UE_FORMAT_##format ? 16 : 8,                                 \
	ue__m0##name = UE__INT(UE__KIND_##kind) |                                   \
		(UE_FORMAT_##format ? UE_FORMAT_##format << 8 | 128 : 0),
#endif
	UE__TYPES(UE__ENCODING_ROW)
#undef UE__ENCODING_ROW
	ue__w0PTR = ue__w0PTR64,
	ue__m0PTR = sizeof(void *) == 8 ? ue__m0PTR64 : ue__m0PTR32
};
#define UE__DEFINE_AS(at, string, bits) \
	char ue__name##at[sizeof(string)];  \
	__extension__ uint64_t ue__encoding##at : bits;
#define UE__DEFINE_0B(at, as, tag, string, ...) \
	UE__DEFINE_AS(at, string, UE__ENCODING_BITS(UE__BITS_OF(ue__t##at)))
#define UE__DEFINE_0V(at, kind, as, tag, string, ...) \
	UE__DEFINE_AS(at, string, UE__IF_PLAIN(as tag, UE__PLAIN_BITS, UE__OTHER_BITS)(at, kind))
#define UE__PLAIN_BITS(at, kind) ue__w##kind
#define UE__OTHER_BITS(at, kind) UE__ENCODING_BITS(UE__BITS_OF(ue__t##at))
#define UE__DEFINE_0P UE__DEFINE_0V
#define UE__DEFINE_0L(at, kind, as, tag, string, ...) UE__DEFINE_0B(at, as, tag, string, ~)
#define UE__DEFINE_0F UE__DEFINE_0L
#define UE__DEFINE_0S UE__DEFINE_0B
#define UE__DEFINE_0R UE__DEFINE_0S
#define UE__DEFINE_0M(at, class, tuple) UE__INNER(UE__DEFINE_##class, at, UE__UNPACK tuple)
#define UE__DEFINE_0X(...)
#define UE__INITIALISE_0B(at, as, tag, string, ...) string, UE__ENCODING(UE__BITS_OF(ue__t##at)),
#define UE__INITIALISE_0V(at, kind, as, tag, string, ...) \
	string, UE__IF_PLAIN(as tag, UE__PLAIN_ENCODING, UE__OTHER_ENCODING)(at, kind),
#define UE__PLAIN_ENCODING(at, kind) ue__m##kind
#define UE__OTHER_ENCODING(at, kind) UE__ENCODING(UE__BITS_OF(ue__t##at))
#define UE__INITIALISE_0P UE__INITIALISE_0V
#define UE__INITIALISE_0L(at, kind, as, tag, string, ...) \
	string, UE__ENCODING(UE__BITS_OF(ue__t##at)),
#define UE__INITIALISE_0F UE__INITIALISE_0L
#define UE__INITIALISE_0S UE__INITIALISE_0B
#define UE__INITIALISE_0R UE__INITIALISE_0S
#define UE__INITIALISE_0M(at, class, tuple) UE__INNER(UE__INITIALISE_##class, at, UE__UNPACK tuple)
#define UE__INITIALISE_0X(...)

/* op UE__HEAD: id, version << 16, opcode << 24, tag << 32, how many there are of each << 48 */
#define UE__HEAD_0B(...)
#define UE__HEAD_0V(...)
#define UE__HEAD_0P(...)
#define UE__HEAD_0L(...)
#define UE__HEAD_0F(...)
#define UE__HEAD_0S(...)
#define UE__HEAD_0R(...)
#define UE__HEAD_0M(...)
#define UE__HEAD_0X(at, option, ...) UE__HEAD_##option(__VA_ARGS__)
#define UE__HEAD_0END(...)
#define UE__HEAD_0NOTHING(...)
/* a version needs an id */
#define UE__HEAD_0ID(id, version)                                                     \
	+(UE__UP_TO(id, 65535) | UE__UP_TO(version, (id) ? 255 : 0) << 16 | UE__U64(1) << 48)
#define UE__HEAD_0OPCODE(opcode) +(UE__UP_TO(opcode, 255) << 24 | UE__U64(1) << 52)
#define UE__HEAD_0TAG(tag) +(UE__UP_TO(tag, 65535) << 32 | UE__U64(1) << 56)
#define UE__HEAD_0ACTIVITY(...) +(UE__U64(1) << 60)
#define UE__CHECK_HEAD(head)                                                          \
	UE__STATIC_ASSERT(!(UE__U64(head) >> 48 & 0xeeee),                                   \
			  "user_events.h: an event has one UE_ID, UE_OPCODE, UE_TAG, UE_ACTIVITY");

/*
 * op UE__ACTIVITY_PASS: the activity's variables, as ", id, related"; in the event they come before
 * all fields
 */
#define UE__ACTIVITY_PASS_0B(...)
#define UE__ACTIVITY_PASS_0V(...)
#define UE__ACTIVITY_PASS_0P(...)
#define UE__ACTIVITY_PASS_0L(...)
#define UE__ACTIVITY_PASS_0F(...)
#define UE__ACTIVITY_PASS_0S(...)
#define UE__ACTIVITY_PASS_0R(...)
#define UE__ACTIVITY_PASS_0M(...)
#define UE__ACTIVITY_PASS_0X(at, option, ...) UE__ACTIVITY_PASS_##option(at)
#define UE__ACTIVITY_PASS_0END(at)
#define UE__ACTIVITY_PASS_0NOTHING(at)
#define UE__ACTIVITY_PASS_0ID(at)
#define UE__ACTIVITY_PASS_0OPCODE(at)
#define UE__ACTIVITY_PASS_0TAG(at)
#define UE__ACTIVITY_PASS_0ACTIVITY(at) , ue__v##at, ue__n##at
/* its type, and the last operands of a USDT probe */
#define UE__ACTIVITY_ENTRIES(...) \
	UE__CAT(UE__ACTIVITY_ENTRIES_, UE__IS_NOTHING(__VA_ARGS__, (), ~))
#define UE__ACTIVITY_ENTRIES_0 UE__T_ACTIVITY,
#define UE__ACTIVITY_ENTRIES_1
#define UE__ACTIVITY_OPERANDS(...) \
	UE__CAT(UE__ACTIVITY_OPERANDS_, UE__IS_NOTHING(__VA_ARGS__, (), ~))(__VA_ARGS__, ~)
#define UE__ACTIVITY_OPERANDS_0(none, id, related, ...) /* two do not compile */ \
	UE__USDT_OPERANDS(UE__WORD_SIZE, id) UE__USDT_OPERANDS(UE__WORD_SIZE, related)
#define UE__ACTIVITY_OPERANDS_1(...)
