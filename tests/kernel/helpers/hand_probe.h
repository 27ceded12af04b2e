/* SPDX-License-Identifier: MIT */
/*
 * USDT probes written by hand according to docs/usdt.md. They test how the tracer reads probes,
 * independently of the probes that the headers generate. x86-64 only.
 */
#ifndef HAND_PROBE_H
#define HAND_PROBE_H

#include <stdint.h>

#define HAND_NOTE(section, owner, type, desc)                                                \
	".pushsection " section ",\"\",\"note\"\n.balign 4\n"                                \
	".4byte 992f-991f, 994f-993f, " type "\n991: .asciz \"" owner "\"\n992: .balign 4\n" \
	"993: " desc "994: .balign 4\n.popsection\n"

/*
 * The address of the first section reveals the load offset of the program. bcc and bpftrace use the
 * address and file offset of the second section to calculate the file offset of a semaphore, so any
 * section in the same segment serves for this.
 */
#define HAND_BASE                                                               \
	".pushsection .probes,\"awG\",\"progbits\",hand_probes,comdat\n"        \
	".balign 2\n.2byte 0\n"                                                 \
	".popsection\n.ifndef _.stapsdt.base\n"                                 \
	".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n" \
	".weak _.stapsdt.base\n"                                                \
	".hidden _.stapsdt.base\n"                                              \
	"_.stapsdt.base: .space 1\n"                                            \
	".size _.stapsdt.base, 1\n"                                             \
	".popsection\n.endif\n"

/*
 * A nop and its note. The semaphore is the upper half of WORD. ARGUMENTS is a string such as
 * "8@%[a] -8@%[b]". MORE is assembled after the note. The remaining arguments are the asm operands.
 */
#define HAND_PROBE(word, provider, name, arguments, more, ...)                                   \
	__asm__ volatile("990: nop\n" HAND_NOTE(".note.stapsdt", "stapsdt", "3",                 \
						".8byte 990b, _.stapsdt.base, %c[semaphore]\n"   \
						".asciz \"" provider "\"\n.asciz \"" name "\"\n" \
						".asciz \"" arguments "\"\n") HAND_BASE more     \
			 :                                                                       \
			 : [semaphore] "i"((char *)&(word) + 2), __VA_ARGS__)

/*
 * The note of a site. It must follow the probe in the same asm statement, and uses its operand
 * [desc].
 */
#define HAND_SITE HAND_NOTE(".note.user_events", "user_events", "1", ".8byte 990b, %c[desc], 0\n")
/* The note of an event set. It contains the address of the set's enable word. */
#define HAND_SET(word, descriptor)                                          \
	__asm__ volatile(HAND_NOTE(".note.user_events", "user_events", "1", \
				   ".8byte 0, %c[desc], %c[set]\n")         \
			 :                                                  \
			 : [set] "i"(&(word)), [desc] "i"(&(descriptor)))

/*
 * Descriptors of events. A descriptor consists of a head and, for a kernel-typed event, the field
 * types, a 0 and the field names.
 */
struct hand_head {
	uint8_t variant, level;
	uint16_t types, unused[2], meta, zero;
};
enum { HAND_KERNEL, HAND_LOG, HAND_SET_OF_EVENTS };
#define HAND_DESC(symbol, n, list, ...)   \
	static const struct {             \
		struct hand_head head;    \
		uint32_t types[n + 1];    \
		char names[sizeof(list)]; \
	} symbol = { { HAND_KERNEL, 0, n, { 0 }, 0, 0 }, { __VA_ARGS__, 0 }, list }

/* An enable word in .data rather than .bss, so that it has an offset in the file. */
#define HAND_WORD(name) static volatile uint32_t name __attribute__((section(".data"), aligned(4)))

#endif
