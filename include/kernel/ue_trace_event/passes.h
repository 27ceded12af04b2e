/* SPDX-License-Identifier: MIT */
/*
 * Expansions of a trace header's macros in each pass of trace/define_trace.h. Private.
 *
 * UE__<PASS>_CLASS	an event class
 * UE__<PASS>_EVENT	an event of a class
 * UE__<PASS>_OTHER	a part that most passes ignore: _PRINTER, the TP_printk of a single event;
 *			_BARE, a DECLARE_TRACE; _NOP, an event that is compiled out; _ENUM, a number
 *			used in a TP_printk
 * UE__<PASS>_FIELD, _STRUCT, _ARRAY
 *			a field of a class's record
 * UE__<PASS>_DYNAMIC, _STRING
 *			a field with data after the fields. LOC is the member with the position of
 *			the data, counted from the start of the record or, if REL is 1, from the
 *			end of LOC
 */
#ifndef UE_PASSES_H
#define UE_PASSES_H
#pragma GCC system_header

/* A field that a pass omits. */
#define UE__NO_FIELD(...)

/* RECORD: struct trace_event_raw_CLASS. */
#define UE__RECORD_CLASS(name, proto, args, tstruct, assign, ...) \
	struct trace_event_raw_##name { \
		struct trace_entry ent; \
		tstruct char __data[]; \
	};
#define UE__RECORD_EVENT(...)
#define UE__RECORD_OTHER(kind) UE__NO_FIELD
#define UE__RECORD_FIELD(type, item) type item;
#define UE__RECORD_STRUCT(type, item) type item;
#define UE__RECORD_ARRAY(type, item, len) type item[len];
#define UE__RECORD_DYNAMIC(rel, loc, type, item, len) uint32_t loc;
#define UE__RECORD_STRING(rel, loc, item, src, size) uint32_t loc;

/*
 * OFFSETS: a struct that is filled before the record is created. For each field with data, it
 * contains the loc (relative to the start of the record), the source of a string, and the type of
 * array elements.
 *
 * Only RECORD and OFFSETS use the type names. The other passes use the types of the members, so the
 * compiler reports an unknown type only once.
 */
#define UE__OFFSETS_CLASS(name, proto, args, tstruct, assign, ...) \
	struct trace_event_data_offsets_##name { \
		char ue__empty; \
		tstruct \
	};
#define UE__OFFSETS_EVENT(...)
#define UE__OFFSETS_OTHER(kind) UE__NO_FIELD
#define UE__OFFSETS_FIELD(type, item)
#define UE__OFFSETS_STRUCT(type, item)
#define UE__OFFSETS_ARRAY(type, item, len)
#define UE__OFFSETS_DYNAMIC(rel, loc, type, item, len) \
	struct ue__record_data item; \
	struct { \
		type item[1]; \
	} *ue__array_##item;
#define UE__OFFSETS_STRING(rel, loc, item, src, size) struct ue__record_string item;
#define UE__MEMBER(item) (((ue__entry *)0)->item)
#define UE__ELEMENT(item) (((ue__offsets *)0)->ue__array_##item->item[0])
#define UE__TYPES_OF(name) \
	typedef struct trace_event_raw_##name ue__entry UE__UNUSED; \
	typedef struct trace_event_data_offsets_##name ue__offsets UE__UNUSED;

/* FIELDS: the functions that write an event's definition. */
#ifdef UE_DISABLE
#define UE__FIELDS_CLASS(...)
#else
#define UE__FIELDS_CLASS(name, proto, args, tstruct, assign, ...) \
	static UE__UNUSED int ue__spec_##name(char out[UE__F_SPEC_SIZE], const char *event) \
	{ \
		UE__TYPES_OF(name) \
		static const struct ue__spec_field fields[] = { \
			tstruct{ NULL, NULL, 0, 0, 0, UE__SPEC_VALUE, 0 } \
		}; \
 \
		return ue__fields_spec(out, event, fields); \
	}
#endif
#define UE__FIELDS_EVENT(...)
#define UE__FIELDS_OTHER(kind) UE__NO_FIELD
#define UE__FIELDS_FIELD(type, item) { UE__ROW_FIELD(type, item) },
#define UE__FIELDS_STRUCT(type, item) { UE__ROW_STRUCT(type, item) },
#define UE__FIELDS_ARRAY(type, item, len) { UE__ROW_ARRAY(type, item, len) },
#define UE__FIELDS_DYNAMIC(rel, loc, type, item, len) { UE__ROW_DYNAMIC(rel, loc, type, item) },
#define UE__FIELDS_STRING(rel, loc, item, src, size) { UE__ROW_LOC(rel, loc, item, 1, 'c') },
/* Initialisers of a struct ue__spec_field. */
#define UE__ROW_FIELD(type, item) \
	#item, #type, offsetof(ue__entry, item), sizeof(UE__MEMBER(item)), \
		sizeof(UE__MEMBER(item)), UE__SPEC_VALUE, UE__LETTER(UE__MEMBER(item))
#define UE__ROW_STRUCT(type, item) \
	#item, #type, offsetof(ue__entry, item), sizeof(UE__MEMBER(item)), \
		sizeof(UE__MEMBER(item)), UE__SPEC_STRUCT, 'b'
#define UE__ROW_ARRAY(type, item, len) \
	#item, #type, offsetof(ue__entry, item), sizeof(UE__MEMBER(item)), \
		sizeof(UE__MEMBER(item)[0]), UE__SPEC_ARRAY, UE__LETTER(UE__MEMBER(item)[0])
#define UE__ROW_LOC(rel, loc, item, element, letter) \
	#item, UE__I_CAT(UE__ROW_LOC_, rel), offsetof(ue__entry, loc), 4, element, UE__SPEC_LOC, \
		letter
#define UE__ROW_LOC_0 "__data_loc"
#define UE__ROW_LOC_1 "__rel_loc"
/*
 * If the type of a field contains "char", the kernel requires a NUL at the end of its data. A
 * dynamic array of char is therefore registered as an array of u8.
 */
#define UE__ROW_DYNAMIC(rel, loc, type, item) \
	UE__ROW_LOC(rel, loc, item, sizeof(UE__ELEMENT(item)), \
		    UE__LETTER(UE__ELEMENT(item)) == 'c' ? 'u' : UE__LETTER(UE__ELEMENT(item)))

/*
 * NOTES: the fields and the source of TP_printk as ELF notes, for tools that read the binary
 * (docs/reference.md describes the format). Each class has one note. Several asm statements write
 * this note, because an asm statement has at most 30 operands. The text of a TP_printk is stored as
 * data of the program, because an asm statement cannot contain arbitrary text. A separate note
 * contains the address of the text and the name of the class or event.
 */
#ifdef UE_DISABLE
#define UE__NOTES_CLASS(...)
#define UE__NOTES_EVENT(...)
#define UE__NOTES_OTHER(kind) UE__NO_FIELD
#else
#define UE__NOTES_CLASS(name, proto, args, tstruct, assign, ...) \
	static __attribute__((__used__, __noinline__, __cold__)) void ue__note_class_##name(void) \
	{ \
		UE__TYPES_OF(name) \
 \
		__asm__ volatile(UE__I_NOTE_BEGIN(UE__F_NOTE_CLASS) \
				 ".asciz \"" #name "\"\n.popsection" \
				 : :); \
		tstruct __asm__ volatile(UE__NOTE_SECTION UE__I_NOTE_END : :); \
	} \
	UE__NOTE_TEXT(class, 0, name, __VA_ARGS__)
#define UE__NOTES_EVENT(template, name, proto, args, cond, reg, unreg, print, of) \
	static __attribute__((__used__, __noinline__, __cold__)) void ue__note_event_##name(void) \
	{ \
		__asm__ volatile(UE__I_NOTE_BEGIN(UE__F_NOTE_CLASS_EVENT) \
				 ".asciz \"" #name "\"\n.asciz \"" #template "\"\n" UE__I_NOTE_END \
				 : :); \
	}
#define UE__NOTES_OTHER(kind) UE__NOTES_##kind
#define UE__NOTES_PRINTER(template, name, ...) UE__NOTE_TEXT(event, 1, name, __VA_ARGS__)
#define UE__NOTES_BARE(...)
#define UE__NOTES_NOP(...)
/*
 * Records a constant, or the size of a type. __COUNTER__ makes the function name unique if the same
 * constant is defined several times.
 */
#define UE__NOTES_ENUM(constant, name) \
	static __attribute__((__used__, __noinline__, __cold__)) void \
		UE__I_CAT(ue__note_enum_, __COUNTER__)(void) \
	{ \
		__asm__ volatile(UE__I_NOTE_BEGIN(UE__F_NOTE_PRINT) \
				 ".byte 2\n.asciz \"" name "\"\n.8byte " UE__I_NUMBER "[value]\n" \
				 UE__I_NOTE_END \
				 : : [value] "i"(constant)); \
	}
#endif
#define UE__NOTE_SECTION ".pushsection .note.user_events,\"?\",%%note\n"
#define UE__NOTES_FIELD(type, item) UE__NOTE_ROW(UE__ROW_FIELD(type, item))
#define UE__NOTES_STRUCT(type, item) UE__NOTE_ROW(UE__ROW_STRUCT(type, item))
#define UE__NOTES_ARRAY(type, item, len) UE__NOTE_ROW(UE__ROW_ARRAY(type, item, len))
#define UE__NOTES_DYNAMIC(rel, loc, type, item, len) \
	UE__NOTE_ROW(UE__ROW_DYNAMIC(rel, loc, type, item))
#define UE__NOTES_STRING(rel, loc, item, src, size) \
	UE__NOTE_ROW(UE__ROW_LOC(rel, loc, item, 1, 'c'))
#define UE__NOTE_ROW(...) UE__NOTE_ROW_(__VA_ARGS__)
#define UE__NOTE_ROW_(name, type, offset, size, element, kind, letter) \
	__asm__ volatile(UE__NOTE_SECTION ".byte " UE__I_NUMBER "[k], " \
			 UE__I_NUMBER "[l]\n.4byte " UE__I_NUMBER "[o], " \
			 UE__I_NUMBER "[s], " UE__I_NUMBER "[e]\n.asciz \"" name \
			 "\"\n.asciz \"" type "\"\n.popsection" \
			 : : [k] "i"(kind), [l] "i"(letter), [o] "i"(offset), [s] "i"(size), \
			   [e] "i"(element));
#define UE__NOTE_TEXT(what, number, name, ...) UE__NOTE_TEXT_(what, number, name, __VA_ARGS__)
#define UE__NOTE_TEXT_(what, number, name, ...) \
	static const char ue__text_##what##_##name[] __attribute__((__used__)) = #__VA_ARGS__; \
	static __attribute__((__used__, __noinline__, __cold__)) void \
		ue__note_text_##what##_##name(void) \
	{ \
		__asm__ volatile(UE__I_NOTE_BEGIN(UE__F_NOTE_PRINT) \
				 ".byte " #number "\n.asciz \"" #name "\"\n" \
				 UE__I_ADDRESS UE__I_SYMBOL "[text]\n.4byte " \
					UE__I_NUMBER "[size]\n" \
				 UE__I_NOTE_END \
				 : : [text] UE__I_PLACE_OF(&ue__text_##what##_##name[0]), \
				     [size] "i"(sizeof(ue__text_##what##_##name))); \
	}

/*
 * PRINT: the functions that print a record. The macros and functions used in a TP_printk append
 * their text to P.
 */
#define UE__PRINT_CLASS(name, proto, args, tstruct, assign, ...) \
	UE__PRINT_FUNCTION(ue__print_class_##name, name, __VA_ARGS__)
#define UE__PRINT_FUNCTION(function, class_, ...) \
	static UE__UNUSED int function(char *ue__buffer, size_t ue__size, \
							const void *ue__record) \
	{ \
		struct trace_event_raw_##class_ *__entry = \
			(struct trace_event_raw_##class_ *)(uintptr_t)ue__record; \
		struct trace_seq ue__seq, *p = &ue__seq; \
 \
		trace_seq_init(p); \
		(void)__entry; \
		return ue__format(ue__buffer, ue__size, __VA_ARGS__); \
	}
#define UE__PRINT_OTHER(kind) UE__PRINT_##kind
#define UE__PRINT_PRINTER(template, name, ...) \
	UE__PRINT_FUNCTION(ue__print_own_##name, template, __VA_ARGS__)
#define UE__PRINT_EVENT(template, name, proto, args, cond, reg, unreg, print, of) \
	int trace_print_##name(char *ue__buffer, size_t ue__size, \
			       const struct trace_event_raw_##template *ue__record) \
	{ \
		return print##of(ue__buffer, ue__size, ue__record); \
	}
#define UE__PRINT_BARE(...)
#define UE__PRINT_NOP(...)
#define UE__PRINT_ENUM(...)
#define UE__PRINT_BITMASK(data, size) ue__print_bitmask(p, data, size)
#define UE__PRINT_FIELD(type, item)
#define UE__PRINT_STRUCT(type, item)
#define UE__PRINT_ARRAY(type, item, len)
#define UE__PRINT_DYNAMIC(rel, loc, type, item, len)
#define UE__PRINT_STRING(rel, loc, item, src, size)

/* SIZES: the functions that fill the OFFSETS struct and return the size of the record. */
#define UE__SIZES_CLASS(name, proto, args, tstruct, assign, ...) \
	static inline UE__UNUSED size_t ue__sizes_##name(UE__JOIN( \
		UE__IS_VOID(proto), struct trace_event_data_offsets_##name *__data_offsets, \
		proto)) \
	{ \
		typedef struct trace_event_data_offsets_##name ue__offsets UE__UNUSED; \
		size_t ue__size = offsetof(struct trace_event_raw_##name, __data); \
 \
		(void)__data_offsets; \
		tstruct return ue__size; \
	}
#define UE__SIZES_EVENT(...)
#define UE__SIZES_OTHER(kind) UE__NO_FIELD
#define UE__SIZES_FIELD(type, item)
#define UE__SIZES_STRUCT(type, item)
#define UE__SIZES_ARRAY(type, item, len)
/*
 * Byte arrays are also aligned, because __get_sockaddr() and similar macros cast them to a struct.
 */
#define UE__SIZES_DYNAMIC(rel, loc, type, item, len) \
	__data_offsets->item.ue__loc = \
		ue__reserve(&ue__size, (size_t)(len), sizeof(UE__ELEMENT(item)), \
			  UE__ALIGNED_4(__alignof__(__typeof__(UE__ELEMENT(item)))));
#define UE__ALIGNED_4(align) ((align) > 4 ? (align) : 4)
#define UE__SIZES_STRING(rel, loc, item, src, size) \
	__data_offsets->item.ue__source = (src); \
	__data_offsets->item.ue__loc = ue__reserve(&ue__size, size, 1, 1);

/* WRITE: the functions that create and write a record, and the events. */
#define UE__WRITE_CLASS(name, proto, args, tstruct, assign, ...) \
	static UE__UNUSED __attribute__((__noinline__)) void ue__write_class_##name( \
		struct ue_event *ue__to, \
		UE__JOIN(UE__IS_VOID(proto), void (*ue__usdt)(const uint64_t *), proto)) \
	{ \
		typedef struct trace_event_raw_##name ue__entry; \
		struct trace_event_data_offsets_##name __data_offsets; \
		struct ue__record ue__r; \
		ue__entry *__entry; \
 \
		ue__r.size = ue__sizes_##name( \
			UE__JOIN(UE__IS_VOID(proto), &__data_offsets, args)); \
		if (!ue__begin_record(&ue__r, ue__to, offsetof(ue__entry, __data), \
				      sizeof(ue__entry), __alignof__(ue__entry))) \
			return; \
		__entry = (ue__entry *)(ue__r.mapped ? ue__r.mapped : \
						       __builtin_alloca(ue__r.room)); \
		__entry = (ue__entry *)ue__record_in(&ue__r, __entry, __alignof__(ue__entry)); \
		tstruct \
		{ \
			assign \
		} \
		UE__FIRE(name, ue__to, __entry, ue__r.size, ue__usdt) \
		ue__end_record(&ue__r, ue__to, __entry); \
	}
#define UE__WRITE_EVENT(template, name, proto, args, cond, reg, unreg, print, of) \
	UE__DEFINE_TRACEPOINT(UE__F_DESC_CALLBACKS, name, reg, unreg, ue__spec_##template, \
			      print##of) \
	UE__TRACE_FUNCTION(void ue__call_##name, name, PARAMS(proto), PARAMS(args), \
			   PARAMS(cond), \
			   ue__write_class_##template(&ue__tracepoint_v3_##name, \
						UE__JOIN(UE__IS_VOID(proto), \
							 UE__USDT_OF(name), args)))
#define UE__WRITE_OTHER(kind) UE__WRITE_##kind
#define UE__WRITE_PRINTER(...)
#define UE__WRITE_BARE(name, proto, args, cond) UE__DEFINE_BARE(name, NULL, NULL)
#define UE__WRITE_NOP(...)
#define UE__WRITE_ENUM(...)
#define UE__WRITE_BITMASK(data, size) ((char *)(data))
#define UE__WRITE_FIELD(type, item)
#define UE__WRITE_STRUCT(type, item)
#define UE__WRITE_ARRAY(type, item, len)
#define UE__WRITE_LOC(rel, loc, item) \
	__entry->loc = __data_offsets.item.ue__loc - \
		       ((rel) ? (uint32_t)offsetof(ue__entry, loc) + 4 : 0);
#define UE__WRITE_DYNAMIC(rel, loc, type, item, len) UE__WRITE_LOC(rel, loc, item)
#define UE__WRITE_STRING(rel, loc, item, src, size) UE__WRITE_LOC(rel, loc, item)

#endif
