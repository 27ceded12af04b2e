/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The user_events.h authors */
/*
 * user_events_builder.h - writes EventHeader events with fields that are known only at run time.
 *
 *	#include <user_events_builder.h>
 *
 *	UE_EVENT_SET(app_info, "App", UE_LEVEL_INFORMATION, 1);
 *
 *	char buffer[1024];
 *	struct ue_builder b;
 *
 *	ue_builder_begin(&b, buffer, sizeof(buffer), "RequestDone", 0);
 *	ue_add_u32(&b, "status", 200);
 *	ue_struct_begin(&b, "peer");
 *	ue_add_str(&b, "host", host);
 *	ue_struct_end(&b);
 *	err = ue_builder_write(&b, &app_info, NULL, NULL);
 *
 * Use a builder in scripting languages, plug-ins and other code that determines the fields at run
 * time. If the fields are known at compile time, UE_LOG() of user_events.h is shorter and faster.
 *
 * Contents:
 *
 *	interface	Builder
 *	implementation	Buffer, Fields, Structs, Begin and write, Functions per type
 *
 * Names that begin with ue__ or UE__ are private.
 */
#ifndef UE_USER_EVENTS_BUILDER_H
#define UE_USER_EVENTS_BUILDER_H
#ifndef UE__I_NO_SYSTEM_HEADER
#pragma GCC system_header
#endif

#include "user_events.h"

UE__I_HEADER_BEGIN

/* Private: an open struct. All positions are offsets into the buffer, except count_at. */
struct ue__open_struct {
	size_t format_at;   /* position of the format byte, which contains the number of members */
	size_t members_at;  /* start of the first element's member definitions */
	size_t members_end; /* end of these definitions, or 0 if not yet known */
	size_t count_at;    /* offset, within the data, of an array's element count */
	uint16_t elements;
	uint8_t members;  /* number of members added to this element so far */
	uint8_t array;	  /* 1 if ue_struct_array_begin() began the struct */
	uint8_t replayed; /* 1 if the struct began within a later element of an outer array */
};

/*
 * Builder
 * =======
 *
 * A builder creates an event by adding one field after the other. After an error, all later calls
 * do nothing, and ue_builder_write() returns the first error, so a single check at the end is
 * sufficient. Errors are: a buffer that is too small, a NULL or empty name, a struct that is still
 * open, and the errors documented below. The functions may be called in any order without harm.
 *
 * The buffer stores the names and all values of up to 64 bytes. Longer values are not copied, and
 * must stay unchanged until the write. The same event can be written several times and to several
 * sets. After a write, more fields can be added, or another event can be begun.
 *
 * Names can include attributes for readers: "name;attribute=value".
 *
 * A builder may be used by only one thread at a time. All functions are async-signal-safe, preserve
 * errno and allocate no memory.
 */
struct ue_builder { /* all members are private */
	unsigned char *buffer;
	size_t size;
	size_t meta_end;       /* end of the metadata, which starts at UE__BUILDER_HEAD */
	size_t data, data_end; /* start and end of the values */
	/* position of the next metadata to compare in later elements of a struct array */
	size_t replay;
	unsigned int pieces;   /* number of long values outside the buffer */
	unsigned int depth;    /* number of open structs */
	uint16_t id, tag, next_tag;
	uint8_t version, opcode, next_format;
	uint8_t truncated; /* 1 if a value was truncated */
	int error;	   /* first error as -errno, or 0 */
	struct ue__open_struct open[8];
};

/*
 * Begins an event with the given NAME and TAG, which may be 0. BUFFER, of SIZE bytes, must stay
 * valid until the last write of the event. It needs space for:
 *
 *	the header	70 bytes
 *	names		with their NULs
 *	each field	2 bytes, or 6 with a tag or a fixed count
 *	short values	all values of up to 64 bytes
 *	longer values	24 bytes each
 *
 * Returns 0, -EINVAL if NAME is NULL or empty, or -ENOSPC if the buffer is too small.
 */
UE__I_API int ue_builder_begin(struct ue_builder *b, void *buffer, size_t size, const char *name,
			     uint16_t tag);

/* Sets the stable ID of the event and the version of that ID. Both default to 0. */
UE__I_API void ue_builder_id(struct ue_builder *b, uint16_t id, uint8_t version);

/* Sets the opcode of the event (UE_OPCODE_...). The default is UE_OPCODE_INFO. */
UE__I_API void ue_builder_opcode(struct ue_builder *b, uint8_t opcode);

/*
 * Adds a field.
 *
 *	ue_add_TYPE(b, "name", value)
 *	ue_add_array_TYPE(b, "name", p, count)		COUNT is 0 to 65535
 *	ue_add_fixed_array_TYPE(b, "name", p, n)	N is 1 to 65535
 *
 * TYPE is one of
 *
 *	u8 u16 u32 u64 i8 i16 i32 i64		VALUE is a number, as for UE_TYPE()
 *	x8 x16 x32 x64 ptr			VALUE is a number, shown in hexadecimal
 *	f32 f64 bool char char16 char32		VALUE is a float, a boolean or a character
 *	pid errno port time32 time64		VALUE is a number with that meaning
 *	uuid ipv4 ipv6				VALUE points to 16, 4 or 16 bytes; NULL means zeros
 *	str str16 str32 latin1 xml json		VALUE is zero-terminated; NULL means ""
 *
 * P points to the elements. The elements of a string array are pointers. A fixed array without
 * elements causes -EINVAL. There are also these functions:
 *
 *	ue_add_strn ue_add_str16n ue_add_str32n(b, "name", p, units)
 *	ue_add_bytes(b, "name", p, size)
 *
 * P may be NULL, which means that there are no elements. Arrays of more than 65535 elements and
 * strings of more than 65535 units are truncated to 65535, and ue_status().cut is incremented. The
 * event then ends with the mark of a truncated event, as with UE_LOG(). The prototypes are at the
 * end of this header.
 */

/* Sets a 16-bit tag for the next field or struct. */
UE__I_API void ue_field_tag(struct ue_builder *b, uint16_t tag);

/* Sets the format of the next field (UE_FORMAT_...). Values above 127 cause -EINVAL. */
UE__I_API void ue_field_format(struct ue_builder *b, uint8_t format);

/*
 * Begins a struct. All fields up to ue_struct_end() are its members. A struct has 1 to 127 members,
 * and structs can be nested up to 8 levels deep. A struct without members causes -EINVAL. Too many
 * members or levels cause -E2BIG.
 */
UE__I_API void ue_struct_begin(struct ue_builder *b, const char *name);
UE__I_API void ue_struct_end(struct ue_builder *b);

/*
 * Begins an array of structs. Call ue_struct_array_next() to begin each element, then add its
 * members. ue_struct_end() ends the array. An array has 1 to 65535 elements. If the elements do not
 * all have the same fields in the same order, the error is -EINVAL.
 */
UE__I_API void ue_struct_array_begin(struct ue_builder *b, const char *name);
UE__I_API void ue_struct_array_next(struct ue_builder *b);

/*
 * Writes the event to SET if the set is enabled. ACTIVITY and RELATED are 16-byte IDs created by
 * ue_activity_new(), or NULL. Returns 0 on success and if the set is disabled, -errno if write()
 * fails, or
 *
 *	-EINVAL	the event was not begun, a struct is still open, or an error documented above
 *	-ENOSPC	the buffer is too small
 *	-E2BIG	more than 127 members, 8 levels, 500 long values or 65535 bytes of metadata; or a
 *		tracer has enabled the set and the event exceeds UE_MAX_EVENT, in which case
 *		ue_status().large is incremented
 */
UE__I_API int ue_builder_write(struct ue_builder *b, struct ue_event_set *set, const void *activity,
			     const void *related);

/*
 * Implementation
 * ==============
 */
#if !defined(UE__I_DECLARED_ONLY) && !defined(UE_DISABLE)

/*
 * Buffer
 * ------
 *
 *	| header | metadata -> | free | data -> | free | <- pieces |
 *
 * The space for the header is large enough for everything that can precede the metadata: index,
 * EventHeader, two activity IDs, and the header of the metadata extension block. Metadata (names
 * and types) and data (values) both grow upwards. If necessary, the data is moved to make space. A
 * piece refers to long data in the caller's memory. The array of pieces grows downwards from the
 * end of the buffer, so the newest piece comes first.
 */
enum {
	UE__BUILDER_HEAD = 4 + 8 + 36 + 4,
	UE__BUILDER_NAMES = 65535, /* limit of the metadata, in bytes */
	UE__BUILDER_PIECES = 500,  /* pieces and data must fit into 1024 iovecs */
	UE__BUILDER_COPIES = 64	   /* maximum bytes to copy; longer data becomes a piece */
};

struct ue__long_piece {
	const void *data;
	size_t size;
	size_t at; /* number of data bytes in the buffer before this piece */
};

UE__I_FN struct ue__long_piece *ue__builder_pieces(const struct ue_builder *b)
{
	uintptr_t end = (uintptr_t)(b->buffer + b->size);

	return (struct ue__long_piece *)(end - end % sizeof(void *)) - b->pieces;
}

/*
 * Stores ERROR in B->error if FAILED is true and B->error is 0. Returns true if B->error is now
 * nonzero.
 */
UE__I_FN bool ue__set_error(struct ue_builder *b, bool failed, int error)
{
	if (failed && !b->error)
		b->error = error;
	return b->error != 0;
}

/*
 * Makes space for META more bytes of metadata, DATA more bytes of data, and b->pieces pieces.
 * Returns false if an error is recorded.
 */
UE__I_FN bool ue__builder_reserve(struct ue_builder *b, size_t meta, size_t data)
{
	size_t used = b->data_end - b->data, meta_end = b->meta_end + meta, limit = 0;

	if (ue__set_error(b, !b->buffer, -EINVAL) ||
	    ue__set_error(b, meta_end > UE__BUILDER_HEAD + UE__BUILDER_NAMES, -E2BIG) ||
	    ue__set_error(b, b->pieces > UE__BUILDER_PIECES, -E2BIG))
		return false;
	if (b->size > (b->pieces + 1) * sizeof(struct ue__long_piece))
		limit = (size_t)((unsigned char *)ue__builder_pieces(b) - b->buffer);
	if (ue__set_error(b, meta_end + used + data > limit, -ENOSPC))
		return false;
	if (meta_end > b->data || b->data_end + data > limit) {
		size_t start = meta_end + (limit - meta_end - used - data) / 2;

		memmove(b->buffer + start, b->buffer + b->data, used);
		b->data = start;
		b->data_end = start + used;
	}
	return true;
}

/*
 * Appends metadata: N bytes of NAME and M bytes of ENCODING. In later elements of a struct array,
 * compares the metadata with the first element's metadata instead. Also makes space for DATA more
 * bytes of data. Returns false if an error is recorded.
 */
UE__I_FN bool ue__add_meta(struct ue_builder *b, const char *name, size_t n,
			   const unsigned char *encoding, size_t m, size_t data)
{
	unsigned char *p;

	if (b->replay) {
		p = b->buffer + b->replay;
		if (ue__set_error(b, b->replay + n + m > b->meta_end, -EINVAL) ||
		    ue__set_error(b, memcmp(p, name, n) || memcmp(p + n, encoding, m), -EINVAL))
			return false;
		b->replay += n + m;
		return ue__builder_reserve(b, 0, data);
	}
	if (!ue__builder_reserve(b, n + m, data))
		return false;
	p = b->buffer + b->meta_end;
	memcpy(p, name, n);
	memcpy(p + n, encoding, m);
	b->meta_end += n + m;
	return true;
}

/* Appends data. Copies short data, and adds a piece for long data. */
UE__I_FN void ue__add_data(struct ue_builder *b, const void *p, size_t n)
{
	if (n > UE__BUILDER_COPIES) {
		b->pieces++;
		if (ue__builder_reserve(b, 0, 0)) {
			struct ue__long_piece *piece = ue__builder_pieces(b);

			piece->data = p;
			piece->size = n;
			piece->at = b->data_end - b->data;
		}
	} else if (n && ue__builder_reserve(b, 0, n)) {
		memcpy(b->buffer + b->data_end, p, n);
		b->data_end += n;
	}
}

/*
 * Fields
 * ------
 *
 * The definition of a field is appended to the metadata. It consists of name, kind, format, tag,
 * and the count of a fixed array. The value is appended to the data.
 */

/* Counts a member of the innermost struct. The format byte of a struct is its number of members. */
UE__I_FN void ue__count_member(struct ue_builder *b)
{
	struct ue__open_struct *open = &b->open[b->depth - 1];
	unsigned char *format = b->buffer + open->format_at;

	/* -EINVAL if ue_struct_array_next() was not called */
	if (!ue__set_error(b, open->array && open->elements == 0, -EINVAL) &&
	    !ue__set_error(b, ++open->members > 127, -E2BIG) && !b->replay)
		*format = (unsigned char)((*format & UE__F_ENCODING_MORE) | open->members);
}

/*
 * Appends the definition of a field of type T. COUNT is the length of a fixed array. Also makes
 * space for DATA bytes of data. Returns false if an error is recorded.
 */
UE__I_FN bool ue__define(struct ue_builder *b, const char *name, uint32_t t, size_t count,
			 size_t data)
{
	unsigned int format = b->next_format ? b->next_format : UE__F_FORMAT_OF(t);
	unsigned char encoding[6], *p = encoding;
	bool is_struct = UE__F_KIND_OF(t) == UE__F_KIND(STRUCT), more;
	size_t n;

	if (!ue__set_error(b, !name || !*name, -EINVAL) && b->depth)
		ue__count_member(b);
	if (b->error)
		return false;
	n = strlen(name) + 1;
	if (is_struct) {
		/*
		 * The format of a struct is its number of members. A later element copies it from
		 * the first element.
		 */
		size_t at = (b->replay ? b->replay : b->meta_end) + n + 1;

		b->open[b->depth].format_at = at;
		if (b->replay && at < b->meta_end)
			format = b->buffer[at] & ~(unsigned int)UE__F_ENCODING_MORE;
	}
	more = format || b->next_tag || is_struct;
	*p++ = (unsigned char)(UE__F_RECORDED_KIND(t) |
		(t & UE__F_T_CARRAY ? UE__F_ENCODING_CARRAY : 0) |
			       (t & UE__F_T_VARRAY ? UE__F_ENCODING_VARRAY : 0) |
			       (more ? UE__F_ENCODING_MORE : 0));
	if (more)
		*p++ = (unsigned char)(format | (b->next_tag ? UE__F_ENCODING_MORE : 0));
	if (b->next_tag)
		p = ue__i_put_u16(p, b->next_tag);
	if (t & UE__F_T_CARRAY)
		p = ue__i_put_u16(p, count);
	b->next_tag = 0;
	b->next_format = 0;
	return ue__add_meta(b, name, n, encoding, (size_t)(p - encoding), data);
}

UE__I_FN void ue__add_scalar(struct ue_builder *b, const char *name, uint32_t t, uint64_t value)
{
	unsigned char bytes[8];

	if (!ue__define(b, name, t, 0, UE__F_LENGTH_OF(t)))
		return;
	ue__i_put_value(bytes, value, t);
	memcpy(b->buffer + b->data_end, bytes, UE__F_LENGTH_OF(t));
	b->data_end += UE__F_LENGTH_OF(t);
}

/* Counts a truncated value, and marks the event as truncated. */
UE__I_FN void ue__count_truncation(struct ue_builder *b)
{
	b->truncated = 1;
	UE__I_COUNT_EVENT(cut);
}

/* Appends the count and the units of a string. */
UE__I_FN void ue__add_units(struct ue_builder *b, const void *p, uint32_t t)
{
	unsigned char count[2];
	size_t size;

	if (ue__i_measure_string(&p, &size, t))
		ue__count_truncation(b);
	ue__add_data(b, count, (size_t)(ue__i_put_u16(count, size >> UE__F_LOG2_OF(t)) - count));
	ue__add_data(b, p, size);
}

/* Adds a string at P, or a value at P whose size is part of its type T. */
UE__I_FN void ue__add_pointed(struct ue_builder *b, const char *name, uint32_t t, const void *value)
{
	static const unsigned char zeros[16] = { 0 };

	if (!ue__define(b, name, t, 0, 0))
		return;
	if (UE__F_IS_ZSTRING(t))
		ue__add_units(b, value, t);
	else
		ue__add_data(b, value ? value : zeros, UE__F_LENGTH_OF(t));
}

/* Adds an array, a counted string, or bytes. */
UE__I_FN void ue__add_array(struct ue_builder *b, const char *name, uint32_t t, const void *p,
			  size_t count)
{
	bool fixed = (t & UE__F_T_CARRAY) != 0;
	const void *const *strings = (const void *const *)p;
	unsigned char prefix[2];
	size_t i;

	if (!p || count > SIZE_MAX / 2) /* a negative length means no data */
		count = 0;
	if (count > 65535) {
		count = 65535;
		ue__count_truncation(b);
	}
	ue__set_error(b, fixed && count == 0, -EINVAL);
	if (!ue__define(b, name, t, count, 0))
		return;
	if (!fixed)
		ue__add_data(b, prefix, (size_t)(ue__i_put_u16(prefix, count) - prefix));
	if (!UE__F_IS_ZSTRING(t)) {
		ue__add_data(b, p, count << UE__F_LOG2_OF(t));
		return;
	}
	for (i = 0; i < count; i++)
		ue__add_units(b, strings[i], t);
}

UE__I_API void ue_field_tag(struct ue_builder *b, uint16_t tag)
{
	b->next_tag = tag;
}

UE__I_API void ue_field_format(struct ue_builder *b, uint8_t format)
{
	ue__set_error(b, format > 127, -EINVAL);
	b->next_format = format;
}

/*
 * Structs
 * -------
 *
 * The members of a struct are the fields that follow it in the metadata. The first element of a
 * struct array defines the members. In later elements, b->replay advances through these
 * definitions, including the definitions in nested structs, and ue__add_meta() compares each new
 * definition with them.
 */
UE__I_FN void ue__open_level(struct ue_builder *b, const char *name, bool array)
{
	struct ue__open_struct *open = &b->open[b->depth < 8 ? b->depth : 7];

	if (ue__set_error(b, b->depth == 8, -E2BIG))
		return;
	b->next_format = 0;
	memset(open, 0, sizeof(*open));
	if (!ue__define(b, name, UE__F_KIND(STRUCT) | (array ? UE__F_T_VARRAY : 0u), 0, 0))
		return;
	open->array = array;
	open->replayed = b->replay != 0;
	open->members_at = b->replay ? b->replay : b->meta_end;
	open->count_at = b->data_end - b->data;
	if (array)
		ue__add_data(b, &open->elements, 2);
	if (!b->error)
		b->depth++;
}

/*
 * Ends an element of a struct array. The element must have members, and they must match the members
 * of the previous element.
 */
UE__I_FN void ue__end_element(struct ue_builder *b, struct ue__open_struct *open)
{
	size_t here = b->replay ? b->replay : b->meta_end;

	ue__set_error(b, here == open->members_at, -EINVAL);
	ue__set_error(b, open->members_end && here != open->members_end, -EINVAL);
	ue__set_error(b, (b->buffer[open->format_at] & 127) != open->members, -EINVAL);
	open->members_end = here;
	open->members = 0;
}

UE__I_API void ue_struct_begin(struct ue_builder *b, const char *name)
{
	ue__open_level(b, name, false);
}

UE__I_API void ue_struct_array_begin(struct ue_builder *b, const char *name)
{
	ue__open_level(b, name, true);
}

UE__I_API void ue_struct_array_next(struct ue_builder *b)
{
	struct ue__open_struct *open = &b->open[b->depth ? b->depth - 1 : 0];

	if (ue__set_error(b, b->depth == 0 || !open->array, -EINVAL))
		return;
	if (open->elements > 0) {
		ue__end_element(b, open);
		b->replay = open->members_at;
	}
	if (!ue__set_error(b, ++open->elements == 0, -E2BIG))
		memcpy(b->buffer + b->data + open->count_at, &open->elements, 2);
}

UE__I_API void ue_struct_end(struct ue_builder *b)
{
	struct ue__open_struct *open = &b->open[b->depth ? b->depth - 1 : 0];

	if (ue__set_error(b, b->depth == 0, -EINVAL))
		return;
	ue__end_element(b, open);
	b->replay = open->replayed ? open->members_end : 0;
	b->depth--;
}

/*
 * Begin and write
 * ---------------
 */
UE__I_API int ue_builder_begin(struct ue_builder *b, void *buffer, size_t size, const char *name,
			     uint16_t tag)
{
	static const unsigned char no_encoding[1] = { 0 };

	memset(b, 0, offsetof(struct ue_builder, open));
	b->buffer = (unsigned char *)buffer;
	b->size = size;
	b->tag = tag;
	b->meta_end = b->data = b->data_end = UE__BUILDER_HEAD;
	if (!ue__set_error(b, !name || !*name, -EINVAL))
		ue__add_meta(b, name, strlen(name) + 1, no_encoding, 0, 0);
	return b->error;
}

UE__I_API void ue_builder_id(struct ue_builder *b, uint16_t id, uint8_t version)
{
	b->id = id;
	b->version = version;
}

UE__I_API void ue_builder_opcode(struct ue_builder *b, uint8_t opcode)
{
	b->opcode = opcode;
}

/*
 * Stores everything that precedes the metadata, directly before the metadata. Returns the position
 * of the first byte.
 */
UE__I_FN unsigned char *ue__store_head(struct ue_builder *b, uint8_t level, const void *activity,
				   const void *related)
{
	size_t ids = !activity ? 0 : related ? 36 : 20;
	unsigned char *begin = b->buffer + UE__BUILDER_HEAD - 4 - ids - 8 - 4, *p = begin;
	struct ue__f_header header = { UE__F_HEADER_FLAGS, b->version, b->id,
				     b->tag,	       b->opcode,  level };

	/* ue__i_send_segments() stores the write index in the first 4 bytes */
	memcpy(p + 4, &header, sizeof(header));
	p += 4 + sizeof(header);
	if (activity)
		p = ue__i_put_activity(p, activity, related);
	p = ue__i_put_u16(p, b->meta_end - UE__BUILDER_HEAD);
	ue__i_put_u16(p, UE__F_EXTENSION_METADATA);
	return begin;
}

/*
 * Fills IOV with the buffer contents from BEGIN on, and with the pieces at their positions in
 * between. Returns the number of segments.
 */
UE__I_FN int ue__list_segments(struct ue_builder *b, unsigned char *begin, struct ue__i_iovec *iov)
{
	const struct ue__long_piece *pieces = ue__builder_pieces(b);
	size_t used = b->data_end - b->data;
	unsigned char *end;
	unsigned int i;
	int count = 0;

	/*
	 * moves the data to the end of the metadata: an event without pieces then needs one write()
	 */
	memmove(b->buffer + b->meta_end, b->buffer + b->data, used);
	b->data = b->meta_end;
	b->data_end = b->data + used;
	for (i = b->pieces;; i--) {
		end = b->buffer + (i ? b->data + pieces[i - 1].at : b->data_end);
		if (end != begin) {
			iov[count].iov_base = begin;
			iov[count++].iov_len = (size_t)(end - begin);
		}
		if (i == 0)
			return count;
		iov[count].iov_base = (void *)(uintptr_t)pieces[i - 1].data;
		iov[count++].iov_len = pieces[i - 1].size;
		begin = end;
	}
}

UE__I_API int ue_builder_write(struct ue_builder *b, struct ue_event_set *set, const void *activity,
			     const void *related)
{
	struct ue__i_iovec *iov;
	unsigned char *begin;
	int count;

	if (ue__set_error(b, b->depth || !b->buffer, -EINVAL))
		return b->error;
	if (!ue_event_set_enabled(set))
		return 0;
	iov = (struct ue__i_iovec *)__builtin_alloca((2 * b->pieces + 2) * sizeof(*iov));
	begin = ue__store_head(b, set->event.level, activity, related);
	count = ue__list_segments(b, begin, iov);
	if (b->truncated) {
		iov[count].iov_base = (void *)(uintptr_t)UE__F_MARK;
		iov[count++].iov_len = UE__F_MARK_SIZE;
	}
	return ue__i_send_segments(&set->event, iov, count);
}

#elif defined(UE_DISABLE)

UE__I_DISABLED(0, int ue_builder_begin(struct ue_builder *b, void *buffer, size_t size,
				     const char *name, uint16_t tag))
UE__I_DISABLED(, void ue_builder_id(struct ue_builder *b, uint16_t id, uint8_t version))
UE__I_DISABLED(, void ue_builder_opcode(struct ue_builder *b, uint8_t opcode))
UE__I_DISABLED(, void ue_field_tag(struct ue_builder *b, uint16_t tag))
UE__I_DISABLED(, void ue_field_format(struct ue_builder *b, uint8_t format))
UE__I_DISABLED(, void ue_struct_begin(struct ue_builder *b, const char *name))
UE__I_DISABLED(, void ue_struct_end(struct ue_builder *b))
UE__I_DISABLED(, void ue_struct_array_begin(struct ue_builder *b, const char *name))
UE__I_DISABLED(, void ue_struct_array_next(struct ue_builder *b))
UE__I_DISABLED(0, int ue_builder_write(struct ue_builder *b, struct ue_event_set *set,
				     const void *activity, const void *related))

#endif

/*
 * Functions per type
 * ------------------
 *
 * Each row of these lists contains the suffix of the functions, the name of the type in
 * user_events.h, and for pointers the C type of array elements.
 */
/* clang-format off */
#define UE__BUILD_VALUES(_) \
	_(u8, U8) _(u16, U16) _(u32, U32) _(u64, U64) _(i8, I8) _(i16, I16) _(i32, I32) \
	_(i64, I64) _(x8, X8) _(x16, X16) _(x32, X32) _(x64, X64) _(ptr, PTR) _(f32, F32) \
	_(f64, F64) _(bool, BOOL) _(char, CHAR) _(char16, CHAR16) _(char32, CHAR32) \
	_(pid, PID) _(errno, ERRNO) _(port, PORT) _(time32, TIME32) _(time64, TIME64)
#define UE__BUILD_POINTERS(_) \
	_(uuid, UUID, void) _(ipv4, IPV4, void) _(ipv6, IPV6, void) _(str, STR, UE__I_CTYPE(STR)) \
	_(str16, STR16, UE__I_CTYPE(STR16)) _(str32, STR32, UE__I_CTYPE(STR32)) \
	_(latin1, LATIN1, UE__I_CTYPE(LATIN1)) _(xml, XML, UE__I_CTYPE(XML)) \
	_(json, JSON, UE__I_CTYPE(JSON))
#define UE__BUILD_COUNTED(_) _(strn, STRN) _(str16n, STR16N) _(str32n, STR32N) _(bytes, BYTES)

#if defined(UE__I_DECLARED_ONLY)
#define UE__BODY(...) ;
#elif defined(UE_DISABLE)
#define UE__BODY(...) {}
#else
#define UE__BODY(...) { __VA_ARGS__ }
#endif
#define UE__BUILD_VALUE(suffix, type) \
	UE__I_API void ue_add_##suffix(struct ue_builder *b, const char *name, \
				       UE__I_CTYPE(type) value) \
	UE__BODY(ue__add_scalar(b, name, UE__F_TYPE(type), UE__I_IN(type)(value));) \
	UE__BUILD_ARRAYS(_##suffix, UE__F_TYPE(type), UE__I_CTYPE(type))
#define UE__BUILD_POINTER(suffix, type, ctype) \
	UE__I_API void ue_add_##suffix(struct ue_builder *b, const char *name, \
				       UE__I_CTYPE(type) value) \
	UE__BODY(ue__add_pointed(b, name, UE__F_TYPE(type), value);) \
	UE__BUILD_ARRAYS(_##suffix, UE__F_TYPE(type), ctype)
/* SUFFIX begins with "_", because the names bool and errno may be macros. */
#define UE__BUILD_ARRAYS(suffix, t, ctype) \
	UE__I_API void ue_add_array##suffix(struct ue_builder *b, const char *name, \
					  ctype const *p, size_t count) \
	UE__BODY(ue__add_array(b, name, (t) | UE__F_T_VARRAY, p, count);) \
	UE__I_API void ue_add_fixed_array##suffix(struct ue_builder *b, const char *name, \
						ctype const *p, size_t n) \
	UE__BODY(ue__add_array(b, name, (t) | UE__F_T_CARRAY, p, n);)
#define UE__BUILD_COUNT(suffix, type) \
	UE__I_API void ue_add_##suffix(struct ue_builder *b, const char *name, \
				       UE__I_CTYPE(type) p, \
				     size_t count) \
	UE__BODY(ue__add_array(b, name, UE__F_TYPE(type), p, count);)

UE__BUILD_VALUES(UE__BUILD_VALUE)
UE__BUILD_POINTERS(UE__BUILD_POINTER)
UE__BUILD_COUNTED(UE__BUILD_COUNT)
/* clang-format on */

UE__I_HEADER_END
#endif /* UE_USER_EVENTS_BUILDER_H */
