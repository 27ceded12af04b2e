/* SPDX-License-Identifier: MIT */
/*
 * USDT: each site is a probe as well
 */

/* @private */

#ifndef UE_DISABLE
/*
 * A nop, and a note that tells where it is and where the values are, as <sys/sdt.h> writes it; docs/usdt.md
 * says what tools see. The probe's semaphore is the upper half of the event's word: the kernel
 * counts in it who has attached to the probe, so that one test asks for all listeners.
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
 * bcc and bpftrace reckon where in the file a semaphore is from a section .probes, which a program's
 * data has beside the words for that alone. The note of type 6 keeps it from --gc-sections.
 */
#define UE__USDT_BEGIN(semaphore, provider, name)                                       \
	UE__USDT_BEGIN_WITH(UE__ADDRESS semaphore "\n.asciz \"" provider "\"\n" name "\n")
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

/* op UE__USDT_VALUE: (size, negative if signed, and value), of which the first twelve are arguments */
#define UE__USDT_VALUE_0B(at, ...) , (UE__USDT_SIZE(ue__t##at), ue__v##at)
#define UE__USDT_VALUE_0V UE__USDT_VALUE_0B
#define UE__USDT_VALUE_0P(at, ...) , (UE__WORD_SIZE, ue__v##at), (UE__WORD_SIZE, ue__n##at)
#define UE__USDT_VALUE_0L UE__USDT_VALUE_0P
#define UE__USDT_VALUE_0F(at, ...) , (UE__WORD_SIZE, ue__v##at)
#define UE__USDT_VALUE_0S(...)
#define UE__USDT_VALUE_0R UE__USDT_VALUE_0P
#define UE__USDT_VALUE_0M(...)
#define UE__USDT_VALUE_0X(at, option, ...) UE__USDT_VALUE_##option
#define UE__USDT_VALUE_0END
#define UE__USDT_VALUE_0NOTHING
#define UE__USDT_VALUE_0ID
#define UE__USDT_VALUE_0OPCODE
#define UE__USDT_VALUE_0TAG
#define UE__USDT_VALUE_0ACTIVITY
#define UE__WORD_SIZE UE__INT(sizeof(long))
/* a pointer is a word; a signed one points to pointer and count: C++'s strings, vectors, spans */
#define UE__USDT_SIZE(t)                                                                \
	(t & UE__T_SPAN ? -UE__WORD_SIZE :                                              \
	 t & UE__T_BEYOND_SCALARS ? UE__WORD_SIZE :                                     \
				    UE__INT(UE__U64(t) >> 45 & 1 ? -1 : 1) * UE__USDT_BYTES(t))
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ /* the low bytes are behind the address */
#define UE__USDT_BYTES(t) UE__WORD_SIZE
#elif __SIZEOF_LONG__ == 8
#define UE__USDT_BYTES(t) (1 << (t & 7))
#else
#define UE__USDT_BYTES(t) (1 << ((t & 7) < 2 ? (t & 7) : 2))
#endif
#if __SIZEOF_LONG__ == 8
#define UE__WORD(v) v
#else /* the lower half of what has 64 bits */
#ifdef __cplusplus
#define UE__WORD(v) static_cast<unsigned long>(v)
#else
#define UE__WORD(v) (unsigned long)(v)
#endif
#endif
/* N values after a comma: UE__USDT_TEXT, UE__USDT_OPERANDS are for the first twelve of them. */
#define UE__USDT_TEXT(...) UE__CAT(UE__USDT_TEXT_, UE__TWELVE(__VA_ARGS__))
#define UE__USDT_OPERANDS(...) \
	UE__CAT(UE__USDT_OPERANDS_, UE__TWELVE(__VA_ARGS__))(__VA_ARGS__, ~)
#define UE__TWELVE(...) \
	UE__PICK(__VA_ARGS__, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, \
	12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, \
	12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, \
	12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, \
	12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, \
	12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, \
	12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, \
	12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, \
	12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, \
	12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, \
	12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, \
	12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 11, \
	10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, ~)
#ifdef __powerpc__ /* where 5 is a register and i5 a constant */
#define UE__USDT_ARGUMENT(n) UE__NUMBER "[s" #n "]@%I[a" #n "]%[a" #n "]"
#else
#define UE__USDT_ARGUMENT(n) UE__NUMBER "[s" #n "]@%[a" #n "]"
#endif
#define UE__USDT_OPERAND(n, value) UE__USDT_OPERAND_(n, UE__UNPACK value)
#define UE__USDT_OPERAND_(...) UE__USDT_OPERAND__(__VA_ARGS__)
#define UE__USDT_OPERAND__(n, size, v) , [s##n] "i"(size), [a##n] UE__USDT_PLACE(UE__WORD(v))
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
#define UE__USDT_TEXT_1 UE__USDT_ARGUMENT(1)
#define UE__USDT_OPERANDS_0(...)
#define UE__USDT_OPERANDS_1(none, v, ...) UE__USDT_OPERAND(1, v)
#define UE__USDT_TEXT_2 UE__USDT_TEXT_1 " " UE__USDT_ARGUMENT(2)
#define UE__USDT_TEXT_3 UE__USDT_TEXT_2 " " UE__USDT_ARGUMENT(3)
#define UE__USDT_TEXT_4 UE__USDT_TEXT_3 " " UE__USDT_ARGUMENT(4)
#define UE__USDT_TEXT_5 UE__USDT_TEXT_4 " " UE__USDT_ARGUMENT(5)
#define UE__USDT_TEXT_6 UE__USDT_TEXT_5 " " UE__USDT_ARGUMENT(6)
#define UE__USDT_TEXT_7 UE__USDT_TEXT_6 " " UE__USDT_ARGUMENT(7)
#define UE__USDT_TEXT_8 UE__USDT_TEXT_7 " " UE__USDT_ARGUMENT(8)
#define UE__USDT_TEXT_9 UE__USDT_TEXT_8 " " UE__USDT_ARGUMENT(9)
#define UE__USDT_TEXT_10 UE__USDT_TEXT_9 " " UE__USDT_ARGUMENT(10)
#define UE__USDT_TEXT_11 UE__USDT_TEXT_10 " " UE__USDT_ARGUMENT(11)
#define UE__USDT_TEXT_12 UE__USDT_TEXT_11 " " UE__USDT_ARGUMENT(12)
#define UE__USDT_OPERANDS_2(none, a, b, ...) \
	UE__USDT_OPERANDS_1(none, a, ~) UE__USDT_OPERAND(2, b)
#define UE__USDT_OPERANDS_3(none, a, b, c, ...) \
	UE__USDT_OPERANDS_2(none, a, b, ~) UE__USDT_OPERAND(3, c)
#define UE__USDT_OPERANDS_4(none, a, b, c, d, ...) \
	UE__USDT_OPERANDS_3(none, a, b, c, ~) UE__USDT_OPERAND(4, d)
#define UE__USDT_OPERANDS_5(none, a, b, c, d, e, ...) \
	UE__USDT_OPERANDS_4(none, a, b, c, d, ~) UE__USDT_OPERAND(5, e)
#define UE__USDT_OPERANDS_6(none, a, b, c, d, e, f, ...) \
	UE__USDT_OPERANDS_5(none, a, b, c, d, e, ~) UE__USDT_OPERAND(6, f)
#define UE__USDT_OPERANDS_7(none, a, b, c, d, e, f, g, ...) \
	UE__USDT_OPERANDS_6(none, a, b, c, d, e, f, ~) UE__USDT_OPERAND(7, g)
#define UE__USDT_OPERANDS_8(none, a, b, c, d, e, f, g, h, ...) \
	UE__USDT_OPERANDS_7(none, a, b, c, d, e, f, g, ~) UE__USDT_OPERAND(8, h)
#define UE__USDT_OPERANDS_9(none, a, b, c, d, e, f, g, h, i, ...) \
	UE__USDT_OPERANDS_8(none, a, b, c, d, e, f, g, h, ~) UE__USDT_OPERAND(9, i)
#define UE__USDT_OPERANDS_10(none, a, b, c, d, e, f, g, h, i, j, ...) \
	UE__USDT_OPERANDS_9(none, a, b, c, d, e, f, g, h, i, ~) UE__USDT_OPERAND(10, j)
#define UE__USDT_OPERANDS_11(none, a, b, c, d, e, f, g, h, i, j, k, ...) \
	UE__USDT_OPERANDS_10(none, a, b, c, d, e, f, g, h, i, j, ~) UE__USDT_OPERAND(11, k)
#define UE__USDT_OPERANDS_12(none, a, b, c, d, e, f, g, h, i, j, k, l, ...) \
	UE__USDT_OPERANDS_11(none, a, b, c, d, e, f, g, h, i, j, k, ~) UE__USDT_OPERAND(12, l)

#ifdef UE_NO_USDT
#define UE__USDT(...)
#define UE__USDT_LOG(...)
#define UE__USDT_SET(symbol)
#else
#define UE__USDT(event, name, ...) UE__USDT_(event, name, __VA_ARGS__)
#define UE__USDT_(event, name, ...)                                                     \
	__asm__ volatile(UE__USDT_BEGIN(UE__SYMBOL "[ue_event] + " UE__SEMAPHORE, "user_events", \
					".asciz \"" name "\"") UE__USDT_TEXT(__VA_ARGS__) UE__USDT_END \
			 :                                                              \
			 : [ue_event] UE__PLACE_OF(event) UE__USDT_OPERANDS(__VA_ARGS__));
/*
 * A site of UE_LOG knows its set by an expression. UE_EVENT_SET() gives the address of the semaphore a
 * name of its own, ue__semaphore_SYMBOL, by which sites find it; one that is not defined is 0, no
 * semaphore. What is no symbol (*set, sets[i]) has none either. A note tells where the metadata is.
 */
#define UE__IS_SYMBOL(symbol)                                                           \
	(!__builtin_strchr(symbol, '*') && !__builtin_strchr(symbol, '[') &&            \
	 !__builtin_strchr(symbol, '>') && !__builtin_strchr(symbol, '.') &&            \
	 !__builtin_strchr(symbol, '(') && !__builtin_strchr(symbol, ':') &&            \
	 !__builtin_strchr(symbol, '"') && !__builtin_strchr(symbol, ' '))
#define UE__USDT_LOG(symbol, name, desc, ...)                                           \
	if (UE__IS_SYMBOL(symbol)) {                                                    \
		UE__USDT_NAME(name)                                                     \
		UE__USDT_LOG_(".weak ue__semaphore_" symbol "\n.hidden ue__semaphore_" symbol "\n", \
			      "ue__semaphore_" symbol, symbol, desc, __VA_ARGS__)       \
	} else {                                                                        \
		UE__USDT_NAME(name)                                                     \
		UE__USDT_LOG_("", "0", "user_events", desc, __VA_ARGS__)                \
	}
/* An asm without operands takes each character for itself, such as a percent sign in a name. */
#define UE__USDT_NAME(name) \
	__asm__ volatile(".macro ue__name\n.ascii " UE__STRINGIFY_EACH(name) "\n.byte 0\n.endm\n");
#define UE__USDT_LOG_(...) UE__USDT_LOG__(__VA_ARGS__)
#define UE__USDT_LOG__(declare, semaphore, provider, desc, ...)                   \
	__asm__ volatile(declare UE__USDT_BEGIN(semaphore, provider, "ue__name")        \
				 UE__USDT_TEXT(__VA_ARGS__) UE__USDT_END UE__NOTE_BEGIN(UE__NOTE_SITE) \
				 UE__ADDRESS "990b\n" UE__ADDRESS UE__SYMBOL "[ue_desc] + " \
				 UE__NUMBER "[ue_meta]\n"                              \
				 ".4byte " UE__NUMBER "[ue_size]\n" UE__NOTE_END ".purgem ue__name\n" \
			 :                                                              \
			 : [ue_desc] UE__PLACE_OF(&desc),                               \
			   [ue_meta] "i"(UE__INT(__builtin_offsetof(__typeof__(desc), ue__meta_))), \
			   [ue_size] "i"(UE__INT(sizeof(struct ue__meta)))              \
			 UE__USDT_OPERANDS(__VA_ARGS__));
#define UE__USDT_SET(symbol)                                                            \
	__asm__ volatile(".weak ue__semaphore_" #symbol "\n.hidden ue__semaphore_" #symbol \
			 "\n.set ue__semaphore_" #symbol ", " UE__SYMBOL               \
			 "[ue_event] + " UE__SEMAPHORE "\n"                             \
			 :                                                              \
			 : [ue_event] UE__PLACE_OF(&symbol));
#endif
#endif /* UE_DISABLE */
