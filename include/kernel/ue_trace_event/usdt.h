/* SPDX-License-Identifier: MIT */
/*
 * Adds a USDT probe to each event, as UE_TRACE does. Private.
 *
 * All events of a class share the code that creates the record. Each event has a separate probe
 * with its own address, name and semaphore. The probe is in a function whose argument is the
 * address of an array of 64-bit values, in a known register. The operands in the note, such as
 * "8@16(%rdi)", are therefore known without help from the compiler. They are the first ten fields
 * in order, followed by the address and the size of the record.
 */
#ifndef UE_TRACE_EVENT_USDT_H
#define UE_TRACE_EVENT_USDT_H
#pragma GCC system_header

#include <user_events.h>

/* The register that contains the address, and the operand at OFFSET bytes from that address. */
#if defined(UE_DISABLE) || defined(UE_NO_USDT)
#elif defined(__x86_64__)
#define UE__USDT_REGISTER "rdi"
#define UE__USDT_AT(offset) offset "(%%rdi)"
#elif defined(__i386__)
#define UE__USDT_REGISTER "eax"
#define UE__USDT_AT(offset) offset "(%%eax)"
#elif defined(__aarch64__)
#define UE__USDT_REGISTER "x0"
#define UE__USDT_AT(offset) "[x0, " offset "]"
#elif defined(__arm__)
#define UE__USDT_REGISTER "r0"
#define UE__USDT_AT(offset) "[r0, #" offset "]"
#elif defined(__riscv)
#define UE__USDT_REGISTER "a0"
#define UE__USDT_AT(offset) offset "(a0)"
#elif defined(__powerpc__)
#define UE__USDT_REGISTER "r3"
#define UE__USDT_AT(offset) offset "(3)"
#elif defined(__s390x__)
#define UE__USDT_REGISTER "r2"
#define UE__USDT_AT(offset) offset "(%%r2)"
#endif

/*
 * PLACES: a struct with one byte per USDT argument. The offset of a field in this struct is
 * therefore the index of its first argument.
 */
#define UE__PLACES_CLASS(name, proto, args, tstruct, assign, ...) \
	struct ue__places_##name { \
		tstruct char ue__end; \
	};
#define UE__PLACES_EVENT(...)
#define UE__PLACES_OTHER(kind) UE__NO_FIELD
#define UE__PLACES_FIELD(type, item) char item;
#define UE__PLACES_STRUCT(type, item) char item;
#define UE__PLACES_ARRAY(type, item, len) char item;
#define UE__PLACES_DYNAMIC(rel, loc, type, item, len) char item[2];
#define UE__PLACES_STRING(rel, loc, item, src, size) char item;

#define UE__USDT_FIELDS 10
#define UE__HAS_PLACE(item, width) (offsetof(ue__places, item) + (width) <= UE__USDT_FIELDS)

/*
 * CODES: for each class, a function that contains the nop and the note of the USDT probe. It is
 * inlined into the function of each event. The assembler macro ue__probe contains the parts that
 * differ between events.
 */
#ifdef __cplusplus
#define UE__CODES_ENUM enum : uint64_t
#define UE__CODE_AT(n) int(UE__I_CAST(uint64_t, ue__all) >> 4 * n & 15)
#else
#define UE__CODES_ENUM __extension__ enum /* too large for int */
#define UE__CODE_AT(n) (int)(UE__I_CAST(uint64_t, ue__all) >> 4 * n & 15)
#endif
#ifndef UE__USDT_REGISTER
#define UE__CODES_CLASS(...)
#define UE__CODES_EVENT(...)
#else
#define UE__CODES_CLASS(name, proto, args, tstruct, assign, ...) \
	static inline __attribute__((__always_inline__)) UE__UNUSED void ue__usdt_class_##name( \
		const uint64_t *ue__values) \
	{ \
		typedef struct ue__places_##name ue__places; \
		UE__TYPES_OF(name) \
		register const uint64_t *ue__base __asm__(UE__USDT_REGISTER) = ue__values; \
		UE__CODES_ENUM { \
			ue__codes = UE__I_CAST(uint64_t, 0) tstruct, \
			ue__count = UE__I_CAST(uint64_t, ue__codes) >> \
				(4 * (UE__USDT_FIELDS - 1)) ? \
				UE__USDT_FIELDS : \
				offsetof(ue__places, ue__end) < UE__USDT_FIELDS - 1 ? \
				offsetof(ue__places, ue__end) : UE__USDT_FIELDS - 1, \
			ue__all = UE__I_CAST(uint64_t, ue__codes) | \
				  (UE__USDT_POINTER * 0x11) << (4 * ue__count) \
		}; \
 \
		__asm__ volatile(UE__I_USDT_BEGIN("ue__probe\n") "\"\n" \
			UE__USDT_SLOT("", 0, "0") UE__USDT_SLOT(" ", 1, "8") \
			UE__USDT_SLOT(" ", 2, "16") UE__USDT_SLOT(" ", 3, "24") \
			UE__USDT_SLOT(" ", 4, "32") UE__USDT_SLOT(" ", 5, "40") \
			UE__USDT_SLOT(" ", 6, "48") UE__USDT_SLOT(" ", 7, "56") \
			UE__USDT_SLOT(" ", 8, "64") UE__USDT_SLOT(" ", 9, "72") \
			UE__USDT_SLOT(" ", 10, "80") UE__USDT_SLOT(" ", 11, "88") \
			".ascii \"" UE__I_USDT_END UE__I_USDT_SEMAPHORES \
			: \
			: "r"(ue__base), UE__USDT_SIZE_AT(0), UE__USDT_SIZE_AT(1), \
			  UE__USDT_SIZE_AT(2), UE__USDT_SIZE_AT(3), UE__USDT_SIZE_AT(4), \
			  UE__USDT_SIZE_AT(5), UE__USDT_SIZE_AT(6), UE__USDT_SIZE_AT(7), \
			  UE__USDT_SIZE_AT(8), UE__USDT_SIZE_AT(9), UE__USDT_SIZE_AT(10), \
			  UE__USDT_SIZE_AT(11) \
			: "memory"); \
	}
#define UE__USDT_SLOT(space, n, offset) \
	".if " UE__I_NUMBER "[s" #n "]\n.ascii \"" space \
	UE__I_NUMBER "[s" #n "]@" UE__USDT_AT(offset) \
	"\"\n.endif\n"
/*
 * The code of an argument is 8 if it is present, plus 4 if it is signed, plus log2 of its size (0
 * to 3).
 */
#define UE__USDT_SIZE_AT(n) [s##n] "i"(UE__USDT_SIZE_OF(UE__CODE_AT(n)))
#define UE__USDT_SIZE_OF(code) ((code) & 8 ? ((code) & 4 ? -1 : 1) * (1 << ((code) & 3)) : 0)
#define UE__CODES_EVENT(template, name, proto, args, cond, reg, unreg, print, of) \
	static UE__UNUSED __attribute__((__noinline__, __cold__)) void ue__usdt_event_##name( \
		const uint64_t *ue__values) \
	{ \
		__asm__ volatile(".macro ue__probe\n" UE__I_ADDRESS UE__I_SYMBOL "[ue_event] + " \
				 UE__I_SEMAPHORE "\n.asciz \"user_events\"\n.asciz \"" #name \
				 "\"\n.endm" \
				 : : [ue_event] UE__I_PLACE_OF(&ue__tracepoint_v3_##name)); \
		ue__usdt_class_##template(ue__values); \
		__asm__ volatile(".purgem ue__probe" : :); \
	}
#endif
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ /* the low bytes are at the higher addresses */
#define UE__USDT_LOG2(size) UE__I_CAST(uint64_t, 3)
#else
#define UE__USDT_LOG2(size) \
	UE__I_CAST(uint64_t, (size) == 8 ? 3 : (size) == 4 ? 2 : (size) == 2 ? 1 : 0)
#endif
#define UE__USDT_POINTER (UE__I_CAST(uint64_t, 8) | UE__USDT_LOG2(sizeof(long)))
#define UE__USDT_NUMBER(x) \
	(UE__IS_NUMBER(x) ? UE__I_CAST(uint64_t, UE__SIGNED_LETTER(UE__LETTER(x)) ? 8 | 4 : 8) | \
				    UE__USDT_LOG2(sizeof(x)) : \
			    UE__USDT_POINTER)
#define UE__IS_NUMBER(x) \
	(UE__LETTER(x) != 'b' && \
	 (sizeof(x) == 1 || sizeof(x) == 2 || sizeof(x) == 4 || sizeof(x) == 8))
#ifdef __CHAR_UNSIGNED__
#define UE__SIGNED_LETTER(letter) ((letter) == 's')
#else
#define UE__SIGNED_LETTER(letter) ((letter) == 's' || (letter) == 'c')
#endif
#define UE__CODE(item, width, code) \
	| (UE__HAS_PLACE(item, width) ? (code) << (4 * offsetof(ue__places, item) & 63) \
				      : UE__I_CAST(uint64_t, 0))
#define UE__CODES_OTHER(kind) UE__NO_FIELD
#define UE__CODES_FIELD(type, item) UE__CODE(item, 1, UE__USDT_NUMBER(UE__MEMBER(item)))
#define UE__CODES_STRUCT(type, item) UE__CODE(item, 1, UE__USDT_POINTER)
#define UE__CODES_ARRAY(type, item, len) UE__CODE(item, 1, UE__USDT_POINTER)
#define UE__CODES_DYNAMIC(rel, loc, type, item, len) UE__CODE(item, 2, UE__USDT_POINTER * 0x11)
#define UE__CODES_STRING(rel, loc, item, src, size) UE__CODE(item, 1, UE__USDT_POINTER)

/* VALUES: functions that read the arguments from a record. */
static inline uint64_t ue__usdt_value(const void *field, size_t size, char letter)
{
	union {
		uint8_t u8;
		uint16_t u16;
		uint32_t u32;
		uint64_t u64;
		int8_t s8;
		int16_t s16;
		int32_t s32;
	} v;
	bool is_signed = UE__SIGNED_LETTER(letter);

	if (letter == 'b' || size > 8 || (size & (size - 1)))
		return (uintptr_t)field;
	memcpy(&v, field, size);
	if (size == 1)
		return is_signed ? (uint64_t)v.s8 : v.u8;
	if (size == 2)
		return is_signed ? (uint64_t)v.s16 : v.u16;
	if (size == 4)
		return is_signed ? (uint64_t)v.s32 : v.u32;
	return v.u64;
}

/*
 * Converts an address to a value. This is a function because compilers attribute a cast in a macro
 * to the program that uses the macro, and C++ compilers may warn about the cast there.
 */
static inline UE__UNUSED uint64_t ue__usdt_address(const void *p)
{
	return (uintptr_t)p;
}

#define UE__VALUES_CLASS(name, proto, args, tstruct, assign, ...) \
	static inline UE__UNUSED void ue__values_##name( \
		uint64_t *ue__values, const struct trace_event_raw_##name *__entry, \
		size_t ue__size) \
	{ \
		typedef struct ue__places_##name ue__places UE__UNUSED; \
		typedef struct trace_event_data_offsets_##name ue__offsets UE__UNUSED; \
		size_t ue__count = 0; \
 \
		tstruct \
		ue__values[ue__count] = ue__usdt_address(__entry) + sizeof(struct trace_entry); \
		ue__values[ue__count + 1] = ue__size - sizeof(struct trace_entry); \
	}
#define UE__STORE_AT(item, width, n, value) \
	if (UE__HAS_PLACE(item, width)) { \
		ue__values[(offsetof(ue__places, item) + (n)) & 15] = (value); \
		ue__count = offsetof(ue__places, item) + (n) + 1; \
	}
#define UE__VALUES_EVENT(...)
#define UE__VALUES_OTHER(kind) UE__NO_FIELD
#define UE__VALUES_FIELD(type, item) \
	UE__STORE_AT(item, 1, 0, \
		     ue__usdt_value(&__entry->item, sizeof(__entry->item), \
				    UE__LETTER(__entry->item)))
#define UE__VALUES_STRUCT(type, item) UE__STORE_AT(item, 1, 0, ue__usdt_address(&__entry->item))
#define UE__VALUES_ARRAY(type, item, len) UE__STORE_AT(item, 1, 0, ue__usdt_address(__entry->item))
#define UE__VALUES_DYNAMIC(rel, loc, type, item, len) \
	UE__STORE_AT(item, 2, 0, UE__VALUES_OF(rel, loc)) \
	UE__STORE_AT(item, 2, 1, (__entry->loc >> 16) / sizeof(UE__ELEMENT(item)))
#define UE__VALUES_STRING(rel, loc, item, src, size) \
	UE__STORE_AT(item, 1, 0, UE__VALUES_OF(rel, loc))
/*
 * Expands to the address of the data. The offset in the loc is relative to the start of the record
 * or, if REL is 1, to the end of the loc.
 */
#define UE__VALUES_OF(rel, loc) \
	((rel ? ue__usdt_address(&__entry->loc + 1) : ue__usdt_address(__entry)) + \
	 (__entry->loc & 0xffff))

/* Runs the USDT probe of EVENT with the completed record if a tracer is attached. */
#ifdef UE__USDT_REGISTER
#define UE__FIRE(name, event, entry, size, usdt) \
	if (__builtin_expect(UE__I_LOAD(&(event)->enabled) >> 16 != 0, 0)) { \
		uint64_t ue__values[16]; \
 \
		ue__values_##name(ue__values, entry, size); \
		usdt(ue__values); \
	}
#define UE__USDT_OF(name) ue__usdt_event_##name
#else
#define UE__FIRE(name, event, entry, size, usdt) (void)usdt;
#define UE__USDT_OF(name) UE__I_NULL
#endif

#endif
