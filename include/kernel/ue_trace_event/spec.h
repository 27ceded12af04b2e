/* SPDX-License-Identifier: MIT */
/*
 * The text that describes a record to the kernel, made of a list of its fields: by record.h in a
 * program, by uetrace from the notes of a binary. Includes nothing; it needs the library's
 * functions for texts. Private.
 */
#ifndef UE_RECORD_SPEC_H
#define UE_RECORD_SPEC_H

/*
 * The head of a record. It is as large as a tracer's common fields, so that offsets within the
 * record are the same as in the kernel. The bytes behind it are written; the index that the kernel
 * wants in front of them stands in PID.
 */
struct trace_entry {
	unsigned short type;
	unsigned char flags;
	unsigned char preempt_count;
	int pid;
};

enum ue__spec_kind { UE__SPEC_VALUE, UE__SPEC_ARRAY, UE__SPEC_STRUCT, UE__SPEC_LOC };
struct ue__spec_field {
	const char *name; /* NULL ends a list */
	const char *type; /* as in the source, or the loc's prefix */
	size_t offset, size, element;
	enum ue__spec_kind kind;
	char letter; /* u, s: integer; c: char; b: bytes */
};

#if !defined(UE_DISABLE) && !defined(UE__DECLARED_ONLY)
UE__BEGIN

UE__FN void ue__put_integer(struct ue__text *t, char letter, size_t size)
{
	if (letter == 'c') {
		ue__put(t, "char");
		return;
	}
	ue__put_bytes(t, &letter, 1);
	ue__put_number(t, size * 8, 10);
}

/* Appends bytes of a constant number. The kernel's arrays end at 1024, its structs do not. */
UE__FN void ue__put_array(struct ue__text *t, const char *type, size_t size, const char *name)
{
	bool is_struct = size > 1024;

	ue__put(t, is_struct ? "struct bytes " : type);
	if (!is_struct) {
		ue__put(t, "[");
		ue__put_number(t, size, 10);
		ue__put(t, "] ");
	}
	ue__put(t, name);
	if (is_struct) {
		ue__put(t, " ");
		ue__put_number(t, size, 10);
	}
}

UE__FN void ue__put_field(struct ue__text *t, const struct ue__spec_field *f)
{
	size_t n = f->element;
	bool integer = f->letter != 'b' && (n == 1 || n == 2 || n == 4 || n == 8);

	if (f->kind == UE__SPEC_LOC) {
		ue__put(t, f->type);
		ue__put(t, " ");
		if (integer)
			ue__put_integer(t, f->letter, n);
		else
			ue__put(t, "u8");
		ue__put(t, "[] ");
		ue__put(t, f->name);
	} else if (f->kind == UE__SPEC_VALUE && integer) {
		ue__put_integer(t, f->letter, n);
		ue__put(t, " ");
		ue__put(t, f->name);
	} else if (f->kind == UE__SPEC_STRUCT && strncmp(f->type, "struct ", 7) == 0 &&
		   ue__is_identifier(f->type + 7, strlen(f->type + 7))) {
		ue__put(t, f->type);
		ue__put(t, " ");
		ue__put(t, f->name);
		ue__put(t, " ");
		ue__put_number(t, f->size, 10);
	} else {
		ue__put_array(t, f->letter == 'c' ? "char" : "unsigned char", f->size, f->name);
	}
}

/*
 * Writes the text that registers a record. The kernel packs the fields that it is told, so the
 * bytes that align them are fields as well.
 */
UE__FN int ue__fields_spec(char out[UE__SPEC_SIZE], const char *name,
			   const struct ue__spec_field *f)
{
	struct ue__text t = ue__text_in(out, UE__SPEC_SIZE);
	size_t end = sizeof(struct trace_entry);
	const char *between = " ";

	ue__put(&t, name);
	for (; f->name; f++) {
		if (f->offset > end) {
			ue__put(&t, between);
			ue__put(&t, "unsigned char[");
			ue__put_number(&t, f->offset - end, 10);
			ue__put(&t, "] __pad_");
			ue__put_number(&t, end, 10);
			between = "; ";
		}
		end = f->offset + f->size;
		if (f->size == 0) /* an array without elements */
			continue;
		ue__put(&t, between);
		ue__put_field(&t, f);
		between = "; ";
	}
	return t.length > 511 ? -E2BIG : 0;
}

UE__END
#endif
#endif
