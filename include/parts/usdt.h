/* SPDX-License-Identifier: MIT */
/*
 * USDT: each site is a probe as well
 */

/* @private */

#ifndef UE_DISABLE
/*
 * A nop, and a note that tells where it is and where the values are, as <sys/sdt.h> writes it;
 * docs/usdt.md says what tools see. The probe's semaphore is the upper half of the event's word:
 * the kernel counts in it who has attached to the probe, so that one test asks for all listeners.
 */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define UE__SEMAPHORE "0"
#else
#define UE__SEMAPHORE "2"
#endif
#if defined(__x86_64__)
/* Linux 6.18 and later make a uprobe on a nop of five bytes three times as fast. */
#define UE__NOP ".byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n"
#else
#define UE__NOP "nop\n"
#endif
#ifdef __arm__
#define UE__STAPSDT_NOTE ".pushsection .note.stapsdt,\"?\",%%note\n"
#define UE__STAPSDT_BASE ".pushsection .stapsdt.base,\"aG\",%%progbits,.stapsdt.base,comdat\n"
#define UE__PROBES_SECTION ".pushsection .probes,\"awG\",%%progbits,ue__probes,comdat\n"
#else
#define UE__STAPSDT_NOTE ".pushsection .note.stapsdt,\"?\",\"note\"\n"
#define UE__STAPSDT_BASE ".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n"
#define UE__PROBES_SECTION ".pushsection .probes,\"awG\",\"progbits\",ue__probes,comdat\n"
#endif
/*
 * bcc and bpftrace compute a semaphore's place in the file from a section .probes. A program's data
 * has one beside the words for that alone. The note of type 6 keeps it from --gc-sections.
 */
#define UE__USDT_BEGIN_WITH(names)                                                      \
	"990:\n" UE__NOP UE__STAPSDT_NOTE                                               \
	".balign 4\n.4byte 992f-991f, 994f-993f, 3\n991: .asciz \"stapsdt\"\n992: .balign 4\n" \
	"993:\n" UE__ADDRESS "990b\n" UE__ADDRESS "_.stapsdt.base\n" names ".ascii \""
#define UE__USDT_END                                                                    \
	"\"\n.byte 0\n994: .balign 4\n.popsection\n"                                    \
	".ifndef _.stapsdt.base\n" UE__STAPSDT_BASE                                     \
	".weak _.stapsdt.base\n.hidden _.stapsdt.base\n_.stapsdt.base: .space 1\n"      \
	".size _.stapsdt.base,1\n.popsection\n.endif\n"                                 \
	".ifndef ue__probes\n" UE__PROBES_SECTION                                               \
	".weak ue__probes\n.hidden ue__probes\n.balign 2\nue__probes: .2byte 0\n"        \
	".size ue__probes,2\n.popsection\n"                                            \
	".pushsection .note.user_events,\"\",%%note\n.balign 4\n"                       \
	".4byte 12, 993f-992f, 6\n.asciz \"user_events\"\n992:\n" UE__ADDRESS "ue__probes\n" \
	"993: .balign 4\n.popsection\n.endif\n"

/*
 * op UE__USDT_VALUE: size, negative if signed, and value, as operands of an asm that come first.
 * The first twelve values are arguments.
 */
#define UE__USDT_OPERANDS(size, v) "i"(size), UE__USDT_PLACE(UE__WORD(v)),
#ifdef __cplusplus
#define UE__USDT_VALUE_0B(at, ...) UE__USDT_OPERANDS(int(ue__bare<ue__x##at>::ue__usdt), ue__v##at)
#else
#define UE__USDT_VALUE_0B(at, ...) UE__USDT_OPERANDS(UE__USDT_SIZE(ue__t##at), ue__v##at)
#endif
#define UE__USDT_VALUE_0V(at, kind, ...) UE__USDT_OPERANDS(UE__USDT_##kind, ue__v##at)
#define UE__USDT_VALUE_0P(at, ...) \
	UE__USDT_OPERANDS(UE__WORD_SIZE, ue__v##at) UE__USDT_OPERANDS(UE__WORD_SIZE, ue__n##at)
#define UE__USDT_VALUE_0L UE__USDT_VALUE_0P
#define UE__USDT_VALUE_0F(at, ...) UE__USDT_OPERANDS(UE__WORD_SIZE, ue__v##at)
#define UE__USDT_VALUE_0S(...)
#define UE__USDT_VALUE_0R UE__USDT_VALUE_0P
#define UE__USDT_VALUE_0M(...)
#define UE__USDT_VALUE_0X(...)
#if __SIZEOF_LONG__ == 8
#define UE__WORD_SIZE 8
#else
#define UE__WORD_SIZE 4
#endif
/* a pointer is a word; a signed one points to pointer and count: C++'s strings, vectors, spans */
#ifdef __cplusplus
#define UE__USDT_SIZE(t)                                                                \
	(t & UE__T_SPAN		  ? -UE__WORD_SIZE :                                    \
	 t & UE__T_BEYOND_SCALARS ? UE__WORD_SIZE :                                     \
	 UE__U64_OF(t) >> 45 & 1  ? -UE__USDT_BYTES(t) :                                \
				    UE__USDT_BYTES(t))
#else
#define UE__USDT_SIZE(t) \
	(t & UE__T_BEYOND_SCALARS ? UE__WORD_SIZE : (t & UE__T_SIGNED ? -1 : 1) * UE__USDT_BYTES(t))
#endif
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ /* the low bytes are behind the address */
#define UE__USDT_BYTES(t) UE__WORD_SIZE
#elif __SIZEOF_LONG__ == 8
#define UE__USDT_BYTES(t) (1 << (t & 7))
#else
#define UE__USDT_BYTES(t) (1 << ((t & 7) < 2 ? (t & 7) : 2))
#endif
/* of the types that fields name */
enum {
#define UE__USDT_ROW(name, kernel, log2, shape, kind, format, ctype, how, ok) \
	UE__USDT_0##name = UE__USDT_SIZE_OF_##shape(log2, UE_FORMAT_##format),
#define UE__USDT_SIZE_OF_VALUE(log2, format) \
	(UE__IS_SIGNED(format) ? -UE__USDT_BYTES(log2) : UE__USDT_BYTES(log2))
#define UE__USDT_SIZE_OF_POINTER(log2, format) UE__WORD_SIZE
#define UE__USDT_SIZE_OF_ZSTRING UE__USDT_SIZE_OF_POINTER
#define UE__USDT_SIZE_OF_COUNTED UE__USDT_SIZE_OF_POINTER
	UE__TYPES(UE__USDT_ROW)
#undef UE__USDT_ROW
	UE__USDT_0PTR = UE__WORD_SIZE
};
#if __SIZEOF_LONG__ == 8
#define UE__WORD(v) v
#else /* the lower half of what has 64 bits */
#ifdef __cplusplus
#define UE__WORD(v) static_cast<unsigned long>(v)
#else
#define UE__WORD(v) (unsigned long)(v)
#endif
#endif
/* The number of values after a comma, up to 13. */
#define UE__TWELVE(...) \
	UE__TWELVE_(UE__FOURTEENTH(__VA_ARGS__, (12), (11), (10), (9), (8), (7), (6), (5), (4), \
				   (3), (2), (1), (0), ~))
#define UE__TWELVE_(x) UE__SECOND_OF(UE__TWELVE_AT_MOST x, 13, ~)
#define UE__TWELVE_AT_MOST(n) ~, n
#define UE__FOURTEENTH(...) UE__FOURTEENTH_(__VA_ARGS__)
#define UE__FOURTEENTH_(a, b, c, d, e, f, g, h, i, j, k, l, m, n, ...) n
#ifdef __powerpc__ /* where 5 is a register and i5 a constant */
#define UE__USDT_ARGUMENT(size, value) UE__NUMBER #size "@%I" #value "%" #value
#else
#define UE__USDT_ARGUMENT(size, value) UE__NUMBER #size "@%" #value
#endif
#if defined(__arm__) /* or GCC puts constants into memory */
#define UE__USDT_PLACE "g"
#elif defined(__powerpc__)
#define UE__USDT_PLACE "nZr"
#elif defined(__clang__) && defined(__x86_64__)
/* It would make room on the stack at the function's begin, where nobody may listen. */
#define UE__USDT_PLACE "nr"
#else
#define UE__USDT_PLACE "nor"
#endif
#define UE__USDT_TEXT_0 ""
#define UE__USDT_TEXT_1 UE__USDT_ARGUMENT(0, 1)
#define UE__USDT_TEXT_2 UE__USDT_TEXT_1 " " UE__USDT_ARGUMENT(2, 3)
#define UE__USDT_TEXT_3 UE__USDT_TEXT_2 " " UE__USDT_ARGUMENT(4, 5)
#define UE__USDT_TEXT_4 UE__USDT_TEXT_3 " " UE__USDT_ARGUMENT(6, 7)
#define UE__USDT_TEXT_5 UE__USDT_TEXT_4 " " UE__USDT_ARGUMENT(8, 9)
#define UE__USDT_TEXT_6 UE__USDT_TEXT_5 " " UE__USDT_ARGUMENT(10, 11)
#define UE__USDT_TEXT_7 UE__USDT_TEXT_6 " " UE__USDT_ARGUMENT(12, 13)
#define UE__USDT_TEXT_8 UE__USDT_TEXT_7 " " UE__USDT_ARGUMENT(14, 15)
#define UE__USDT_TEXT_9 UE__USDT_TEXT_8 " " UE__USDT_ARGUMENT(16, 17)
#define UE__USDT_TEXT_10 UE__USDT_TEXT_9 " " UE__USDT_ARGUMENT(18, 19)
#define UE__USDT_TEXT_11 UE__USDT_TEXT_10 " " UE__USDT_ARGUMENT(20, 21)
#define UE__USDT_TEXT_12 UE__USDT_TEXT_11 " " UE__USDT_ARGUMENT(22, 23)
#define UE__USDT_TEXT_13 UE__USDT_TEXT_12
/* Of more than twelve values, the first twelve: an asm takes 30 operands. */
#define UE__USDT_CUT(count) UE__SECOND_OF(UE__USDT_CUT_##count, UE__UNPACK, ~)
#define UE__USDT_CUT_13 ~, UE__USDT_FIRST
#define UE__USDT_FIRST(s1, a1, s2, a2, s3, a3, s4, a4, s5, a5, s6, a6, s7, a7, s8, a8, s9, a9, \
		       s10, a10, s11, a11, s12, a12, ...)                                    \
	s1, a1, s2, a2, s3, a3, s4, a4, s5, a5, s6, a6, s7, a7, s8, a8, s9, a9, s10, a10, s11, \
	a11, s12, a12,
#ifdef UE_NO_USDT
#define UE__USDT(...)
#define UE__USDT_LOG(...)
#define UE__USDT_SET(symbol)
#else
/* PASSED are the values, each behind a comma, OPERANDS what they are in the asm. */
#define UE__USDT(event, name, passed, operands) \
	UE__USDT_(UE__TWELVE(passed), event, name, operands)
#define UE__USDT_(...) UE__USDT__(__VA_ARGS__)
#define UE__USDT__(count, event, name, ...)                                             \
	__asm__ volatile(UE__USDT_BEGIN_WITH(UE__ADDRESS UE__SYMBOL "[ue_event] + " UE__SEMAPHORE \
					     "\n.asciz \"user_events\"\n.asciz \"" name "\"\n") \
			 UE__USDT_TEXT_##count UE__USDT_END                             \
			 :                                                              \
			 : UE__USDT_CUT(count)(__VA_ARGS__)[ue_event] UE__PLACE_OF(event));
/*
 * A site of UE_LOG knows its set by an expression. UE_EVENT_SET() gives the address of the
 * semaphore a name of its own, ue__semaphore_SYMBOL, by which sites find it; one that is not
 * defined is 0, no semaphore. What is no symbol (*set, sets[i]) has none either. A note tells where
 * the metadata is.
 */
#define UE__NO_SYMBOL "*[>.(:\" "
#if !defined(__clang__)
#define UE__IS_SYMBOL(symbol) \
	(__builtin_strcspn(symbol, UE__NO_SYMBOL) == sizeof(symbol) - 1)
#elif defined(__cplusplus)
constexpr bool ue__is_symbol(const char *s)
{
	return !*s || (!__builtin_strchr(UE__NO_SYMBOL, *s) && ue__is_symbol(s + 1));
}
#define UE__IS_SYMBOL(symbol) ue__is_symbol(symbol)
#else
#define UE__IS_SYMBOL(symbol)                                                           \
	(!__builtin_strchr(symbol, '*') && !__builtin_strchr(symbol, '[') &&            \
	 !__builtin_strchr(symbol, '>') && !__builtin_strchr(symbol, '.') &&            \
	 !__builtin_strchr(symbol, '(') && !__builtin_strchr(symbol, ':') &&            \
	 !__builtin_strchr(symbol, '"') && !__builtin_strchr(symbol, ' '))
#endif
#define UE__USDT_LOG(symbol, name, desc, passed, operands)                              \
	UE__USDT_NAMES(symbol, name)                                                    \
	UE__USDT_LOG_(UE__TWELVE(passed), symbol, UE__IS_WORD(UE__STRINGIFY_EACH(name)), desc, \
		      operands)
/*
 * Tools take names that are identifiers: the assembler makes '_' of all else (1), and puts one
 * before a digit (2). It leaves names with escapes or of several literals, which have more bytes in
 * the source than two quotes (0); and identifiers, as far as GCC knows before it compiles.
 */
#define UE__IS_WORD(source)                                                             \
	(sizeof(source) != sizeof(ue__name_type) + 2 ? 0 :                              \
	 UE__BEGINS_WITH_DIGIT(source)		     ? 2 :                              \
						       !UE__IS_LETTERS(source))
#define UE__BEGINS_WITH_DIGIT(source) \
	(__builtin_strcmp(source, "\"0") >= 0 && __builtin_strcmp(source, "\":") < 0)
#ifdef __clang__
#define UE__IS_LETTERS(source) 0
#else
#define UE__IS_LETTERS(source)                                                          \
	(__builtin_strspn(&(source)[1], "0123456789_abcdefghijklmnopqrstuvwxyz"         \
					"ABCDEFGHIJKLMNOPQRSTUVWXYZ") == sizeof(source) - 3)
#endif
#define UE__ASM_LETTER(c)                                                               \
	".if " c " >= 'a' && " c " <= 'z' || " c " >= 'A' && " c " <= 'Z' || "          \
	c " >= '0' && " c " <= '9'\n.byte " c "\n.else\n.byte '_'\n.endif\n"
/*
 * GAS would take '\ue__c' for a character that is escaped, so it gets the quotes by an argument;
 * LLVM's assembler gives .irpc the string's quotes, too.
 */
#define UE__ASM_WORDS                                                                   \
	".ifndef .Lue__words\n.set .Lue__words, 1\n.ifdef .gasversion.\n"               \
	".macro ue__letter c, q=\"'\"\n" UE__ASM_LETTER("\\q\\c\\q") ".endm\n"          \
	".macro ue__word s\n.irpc ue__c,\"\\s\"\nue__letter \"\\ue__c\"\n.endr\n.endm\n.else\n" \
	".macro ue__word s\n.irpc ue__c,\"\\s\"\n.if '\\ue__c' != 34\n"                 \
	UE__ASM_LETTER("'\\ue__c'") ".endif\n.endr\n.endm\n.endif\n.endif\n"
/* An asm without operands takes each character for itself, such as a percent sign in a name. */
#define UE__USDT_NAMES(symbol, name)                                                    \
	__asm__ volatile(UE__ASM_WORDS                                                  \
			 ".macro ue__name word\n.if \\word == 0\n.ascii " UE__STRINGIFY_EACH(name) \
			 "\n.else\n.if \\word == 2\n.byte '_'\n.endif\nue__word "    \
			 UE__STRINGIFY_EACH(name)                                       \
			 "\n.endif\n.byte 0\n.endm\n"                                  \
			 ".macro ue__set\n.weak ue__semaphore_" symbol                  \
			 "\n.hidden ue__semaphore_" symbol "\n" UE__ADDRESS              \
			 "ue__semaphore_" symbol "\n.asciz \"" symbol "\"\n.endm\n");
#define UE__USDT_LOG_(...) UE__USDT_LOG__(__VA_ARGS__)
#define UE__USDT_LOG__(count, symbol, word, desc, ...)                                  \
	__asm__ volatile(UE__USDT_BEGIN_WITH(".if " UE__NUMBER "[ue_symbol]\nue__set\n.else\n" \
					     UE__ADDRESS "0\n.asciz \"user_events\"\n.endif\n" \
					     "ue__name " UE__NUMBER "[ue_word]\n")      \
			 UE__USDT_TEXT_##count UE__USDT_END UE__NOTE_BEGIN(UE__NOTE_SITE) \
			 UE__ADDRESS "990b\n" UE__ADDRESS UE__SYMBOL "[ue_desc] + "     \
			 UE__NUMBER "[ue_meta]\n"                                      \
			 ".4byte " UE__NUMBER "[ue_size]\n" UE__NOTE_END               \
			 ".purgem ue__name\n.purgem ue__set\n"                         \
			 :                                                              \
			 : UE__USDT_CUT(count)(__VA_ARGS__)[ue_desc] UE__PLACE_OF(&desc), \
			   [ue_symbol] "i"(UE__IS_SYMBOL(symbol)),                      \
			   [ue_word] "i"(word),                                         \
			   [ue_meta] "i"(                                               \
				   UE__INT(__builtin_offsetof(__typeof__(desc), ue__meta_))), \
			   [ue_size] "i"(UE__INT(sizeof(struct ue__meta))));
#define UE__USDT_SET(symbol)                                                            \
	__asm__ volatile(".weak ue__semaphore_" #symbol "\n.hidden ue__semaphore_" #symbol \
			 "\n.set ue__semaphore_" #symbol ", " UE__SYMBOL               \
			 "[ue_event] + " UE__SEMAPHORE "\n"                             \
			 :                                                              \
			 : [ue_event] UE__PLACE_OF(&symbol));
#endif
#endif /* UE_DISABLE */
