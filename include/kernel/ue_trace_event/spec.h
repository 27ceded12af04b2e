/* SPDX-License-Identifier: MIT */
/*
 * The description of a record for the kernel, made of what is known of its fields: by record.h in a
 * program, by uetrace from the notes of a binary. Includes nothing: it needs the library's parts for
 * texts. Private.
 */
#ifndef UE_RECORD_SPEC_H
#define UE_RECORD_SPEC_H

/*
 * The head of a record, of the size that a tracer's common fields have, so that offsets within
 * the record are those of the kernel's. What is written is all behind it; the index that the
 * kernel wants in front of that stands in PID.
 */
struct trace_entry {
	unsigned short type;
	unsigned char flags;
	unsigned char preempt_count;
	int pid;
};

/* What a field is in a record. */
enum ue__field_kind { UE__FIELD_VALUE, UE__FIELD_ARRAY, UE__FIELD_STRUCT, UE__FIELD_LOC };
struct ue__field {
	const char *name; /* NULL ends them */
	const char *type; /* as it is written, or the loc's prefix */
	size_t offset, size, element;
	enum ue__field_kind kind;
	char letter;
};

#ifndef UE_DISABLE

UE__FN void ue__put_integer(struct ue__text *t, char letter, size_t size)
{
	UE__KEEP("X"(ue__put_copy), "X"(ue__put_bytes_copy), "X"(ue__put_number_copy));
	if (letter == 'c') {
		ue__put(t, "char");
		return;
	}
	ue__put_bytes(t, &letter, 1);
	ue__put_number(t, size * 8, 10);
}

static inline bool ue__is_integer(char letter, size_t size)
{
	return letter != 'b' && (size == 1 || size == 2 || size == 4 || size == 8);
}

/* Bytes of a constant number: the kernel's arrays end at 1024, but its structs do not. */
UE__FN void ue__put_array(struct ue__text *t, const char *type, size_t size, const char *name)
{
	UE__KEEP("X"(ue__put_copy), "X"(ue__put_number_copy));
	ue__put(t, size > 1024 ? "struct bytes" : type);
	if (size <= 1024) {
		ue__put(t, "[");
		ue__put_number(t, size, 10);
		ue__put(t, "]");
	}
	ue__put(t, " ");
	ue__put(t, name);
	if (size > 1024) {
		ue__put(t, " ");
		ue__put_number(t, size, 10);
	}
}

UE__FN void ue__put_field(struct ue__text *t, const struct ue__field *f)
{
	UE__KEEP("X"(ue__put_copy), "X"(ue__put_number_copy));
	bool integer = ue__is_integer(f->letter, f->element);

	switch (f->kind) {
	case UE__FIELD_LOC:
		ue__put(t, f->type);
		ue__put(t, " ");
		if (integer)
			ue__put_integer(t, f->letter, f->element);
		else
			ue__put(t, "u8");
		ue__put(t, "[] ");
		break;
	case UE__FIELD_STRUCT:
		if (strncmp(f->type, "struct ", 7) == 0 && 
		    ue__is_identifier(f->type + 7, strlen(f->type + 7))) {
			ue__put(t, f->type);
			ue__put(t, " ");
			ue__put(t, f->name);
			ue__put(t, " ");
			ue__put_number(t, f->size, 10);
			return;
		}
		ue__put_array(t, "unsigned char", f->size, f->name);
		return;
	case UE__FIELD_VALUE:
		if (integer) {
			ue__put_integer(t, f->letter, f->size);
			ue__put(t, " ");
			break;
		} /* fall through */
	case UE__FIELD_ARRAY:
		ue__put_array(t, f->letter == 'c' ? "char" : "unsigned char", f->size, f->name);
		return;
	}
	ue__put(t, f->name);
}

/*
 * The text that registers a record: its fields, and between them, since the kernel packs what
 * it is told, the bytes that align them.
 */
UE__FN int ue__fields_spec(char out[512], const char *name, const struct ue__field *f)
{
	UE__KEEP("X"(ue__put_copy), "X"(ue__put_number_copy));
	struct ue__text t = ue__text_in(out, 512);
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
		if (f->size == 0) /* an array of no element */
			continue;
		ue__put(&t, between);
		ue__put_field(&t, f);
		between = "; ";
	}
	return t.length > 511 ? -E2BIG : 0;
}

#endif /* UE_DISABLE */
#endif
