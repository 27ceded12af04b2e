/* SPDX-License-Identifier: MIT */
/*
 * Notes: what a site leaves in the binary for tools
 */

/* @private */

#ifndef UE_DISABLE
/*
 * Descriptions, for tools that read the binary (docs/reference.md has the format), and USDT
 * probes. The assembler writes them, since GCC gives data in C++ templates no section. An asm
 * takes 30 operands, so a note has eight fields at the most, and a probe twelve arguments.
 */
/* Where a constant has a prefix, %c takes it off. Elsewhere GCC may refuse it, or sign it. */
#if defined(__x86_64__) || defined(__i386__) || defined(__arm__) || defined(__m68k__) || \
	defined(__sh__)
#define UE__NUMBER "%c"
#else
#define UE__NUMBER "%"
#endif
#if __SIZEOF_POINTER__ == 8
#define UE__ADDRESS ".8byte "
#else
#define UE__ADDRESS ".4byte "
#endif
/*
 * An operand that is an object's address, and how the assembler is given it. In
 * position-independent code for 32-bit x86 and ARM "i" takes none, but other constraints for
 * symbols do.
 */
#if defined(__aarch64__)
#define UE__PLACE_OF(object) "S"(object)
#elif defined(__clang__) && defined(__PIC__) && \
	(defined(__i386__) || (defined(__x86_64__) && !defined(__PIE__)))
/* also of data in inline functions of libraries, which code would ask the loader for */
#define UE__PLACE_OF(object) "s"(object)
#elif defined(__PIC__) && defined(__i386__)
#define UE__PLACE_OF(object) "Bz"(object) /* of a function to call; GCC 14 has "Ws", too */
#define UE__SYMBOL "%p"
#elif defined(__PIC__) && defined(__arm__) && !defined(__clang__)
#define UE__PLACE_OF(object) "US"(object)
#else
#define UE__PLACE_OF(object) "i"(object)
#endif
#ifndef UE__SYMBOL
#define UE__SYMBOL UE__NUMBER
#endif
#define UE__NOTE_BEGIN(type) UE__NOTE_BEGIN_(type)
#define UE__NOTE_BEGIN_(type)                                                          \
	".pushsection .note.user_events,\"?\",%%note\n"                               \
	".balign 4\n.4byte 12, 993f-992f, " #type "\n.asciz \"user_events\"\n992:\n"
#define UE__NOTE_END "993:\n.balign 4\n.popsection\n"

/* Of a kernel-typed event: names and types. */
#define UE__NOTE(n, at, total, name, ...) \
	UE__SECOND_OF(UE__NOTE_OF_##n, UE__NOTE_OF_ONE_GROUP, ~)(n, at, total, name, __VA_ARGS__)
#define UE__NOTE_OF_ONE_GROUP(n, at, total, name, ...) \
	UE__NOTE_GROUP_(UE__EACH_##n, 0, at, total, name, __VA_ARGS__)
#define UE__NOTE_OF_2 ~, UE__NOTE_GROUPS
#define UE__NOTE_OF_3 ~, UE__NOTE_GROUPS
#define UE__NOTE_OF_4 ~, UE__NOTE_GROUPS
#define UE__NOTE_OF_5 ~, UE__NOTE_GROUPS
#define UE__NOTE_OF_6 ~, UE__NOTE_GROUPS
#define UE__NOTE_OF_7 ~, UE__NOTE_GROUPS
#define UE__NOTE_OF_8 ~, UE__NOTE_GROUPS
#define UE__NOTE_OF_16 ~, UE__NO_NOTE /* over 64 fields: told already */
#define UE__NOTE_OF_32 ~, UE__NO_NOTE
#define UE__NO_NOTE(...)
#define UE__NOTE_GROUPS(n, at, total, name, ...) \
	UE__CAT(UE__GROUPS_, n)(UE__RUN_NOTE, (at, total, name), , __VA_ARGS__)
#define UE__RUN_NOTE(event, none, more, ...) \
	UE__NOTE_GROUP(UE__EACH_1, more, UE__UNPACK event, __VA_ARGS__)
#define UE__NOTE_GROUP(...) UE__NOTE_GROUP_(__VA_ARGS__)
#define UE__NOTE_GROUP_(each, more, at, total, name, ...)                                   \
	__asm__ volatile(UE__NOTE_BEGIN(UE__NOTE_EVENT)                               \
			 ".byte " UE__NUMBER "[ue_total], " #more "\n"               \
			 ".asciz \"" name "\"\n"                                      \
			 each(UE__NOTE_TEXT, __VA_ARGS__, ~) UE__NOTE_END    \
			 :                                                            \
			 : [ue_total] "i"(total) each(UE__NOTE_TYPE, __VA_ARGS__, ~));
#define UE__NOTE_TEXT_0B(at, as, tag, string, x) UE__NOTE_TEXT_0V(at, , as, tag, string, ~)
/* row and kind of array, length; the assembler computes faster than the compiler */
#define UE__NOTE_TEXT_0V(at, kind, as, tag, string, ...)                              \
	".byte " UE__NUMBER "[t" #at "] >> 6 & 255\n"                                 \
	".2byte " UE__NUMBER "[t" #at "] >> 16 & 65535\n"                             \
	".asciz \"" string "\"\n"
#define UE__NOTE_TEXT_0P UE__NOTE_TEXT_0V
#define UE__NOTE_TEXT_0L UE__NOTE_TEXT_0V
#define UE__NOTE_TEXT_0F UE__NOTE_TEXT_0V
#define UE__NOTE_TEXT_0S(...)
#define UE__NOTE_TEXT_0R(...)
#define UE__NOTE_TEXT_0M(...)
#define UE__NOTE_TEXT_0X(...)
#define UE__NOTE_TYPE_0B(at, ...) , [t##at] "i"(UE__INT(ue__t##at))
#define UE__NOTE_TYPE_0V(at, kind, ...) , [t##at] "i"(UE__INT(UE__T_##kind))
#define UE__NOTE_TYPE_0P UE__NOTE_TYPE_0V
#define UE__NOTE_TYPE_0L UE__NOTE_TYPE_0B
#define UE__NOTE_TYPE_0F UE__NOTE_TYPE_0B
#define UE__NOTE_TYPE_0S(...)
#define UE__NOTE_TYPE_0R(...)
#define UE__NOTE_TYPE_0M(...)
#define UE__NOTE_TYPE_0X(...)
#endif /* UE_DISABLE */
