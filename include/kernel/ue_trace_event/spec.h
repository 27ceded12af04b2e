/* SPDX-License-Identifier: MIT */
/*
 * Creates the definition of a record, as registered with the kernel, from a list of its fields.
 * Programs use it through record.h, and uetrace uses it for the notes of a binary. This file
 * includes no other file, but needs the text-buffer functions of user_events.h. Private.
 */
#ifndef UE_RECORD_SPEC_H
#define UE_RECORD_SPEC_H

/*
 * Header of a record. It has the same size as the common fields in the kernel, so that offsets
 * within the record are the same as in the kernel. Only the bytes after the header are written to
 * the kernel. The write index that must precede them is stored in PID.
 */
struct trace_entry {
	unsigned short type;
	unsigned char flags;
	unsigned char preempt_count;
	int pid;
};

enum ue__spec_kind { UE__SPEC_VALUE, UE__SPEC_ARRAY, UE__SPEC_STRUCT, UE__SPEC_LOC };
struct ue__spec_field {
	const char *name; /* field name, or NULL at the end of a list */
	const char *type; /* type as written in the source, or the prefix of a loc */
	size_t offset, size, element;
	enum ue__spec_kind kind;
	char letter; /* u or s for an integer, c for char, b for bytes */
};

#if !defined(UE_DISABLE) && !defined(UE__I_DECLARED_ONLY)
UE__I_BEGIN

UE__I_FN void ue__put_integer(struct ue__i_text *t, char letter, size_t size)
{
	if (letter == 'c') {
		ue__i_put(t, "char");
		return;
	}
	ue__i_put_bytes(t, &letter, 1);
	ue__i_put_number(t, size * 8, 10);
}

/*
 * Appends a field with a constant number of bytes. The kernel limits arrays to 1024 bytes, but not
 * structs.
 */
UE__I_FN void ue__put_array(struct ue__i_text *t, const char *type, size_t size, const char *name)
{
	bool is_struct = size > 1024;

	ue__i_put(t, is_struct ? "struct bytes " : type);
	if (!is_struct) {
		ue__i_put(t, "[");
		ue__i_put_number(t, size, 10);
		ue__i_put(t, "] ");
	}
	ue__i_put(t, name);
	if (is_struct) {
		ue__i_put(t, " ");
		ue__i_put_number(t, size, 10);
	}
}

UE__I_FN void ue__put_field(struct ue__i_text *t, const struct ue__spec_field *f)
{
	size_t n = f->element;
	bool integer = f->letter != 'b' && (n == 1 || n == 2 || n == 4 || n == 8);

	if (f->kind == UE__SPEC_LOC) {
		ue__i_put(t, f->type);
		ue__i_put(t, " ");
		if (integer)
			ue__put_integer(t, f->letter, n);
		else
			ue__i_put(t, "u8");
		ue__i_put(t, "[] ");
		ue__i_put(t, f->name);
	} else if (f->kind == UE__SPEC_VALUE && integer) {
		ue__put_integer(t, f->letter, n);
		ue__i_put(t, " ");
		ue__i_put(t, f->name);
	} else if (f->kind == UE__SPEC_STRUCT && strncmp(f->type, "struct ", 7) == 0 &&
		   ue__i_is_identifier(f->type + 7, strlen(f->type + 7))) {
		ue__i_put(t, f->type);
		ue__i_put(t, " ");
		ue__i_put(t, f->name);
		ue__i_put(t, " ");
		ue__i_put_number(t, f->size, 10);
	} else {
		ue__put_array(t, f->letter == 'c' ? "char" : "unsigned char", f->size, f->name);
	}
}

/*
 * Writes the definition of a record. The kernel packs the fields of a definition, so padding bytes
 * must also be fields.
 */
UE__I_FN int ue__fields_spec(char out[UE__F_SPEC_SIZE], const char *name,
			   const struct ue__spec_field *f)
{
	struct ue__i_text t = ue__i_text_in(out, UE__F_SPEC_SIZE);
	size_t end = sizeof(struct trace_entry);
	const char *between = " ";

	ue__i_put(&t, name);
	for (; f->name; f++) {
		if (f->offset > end) {
			ue__i_put(&t, between);
			ue__i_put(&t, "unsigned char[");
			ue__i_put_number(&t, f->offset - end, 10);
			ue__i_put(&t, "] __pad_");
			ue__i_put_number(&t, end, 10);
			between = "; ";
		}
		end = f->offset + f->size;
		if (f->size == 0) /* an array without elements */
			continue;
		ue__i_put(&t, between);
		ue__put_field(&t, f);
		between = "; ";
	}
	return t.length > 511 ? -E2BIG : 0;
}

UE__I_END
#endif
#endif
