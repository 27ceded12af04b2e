/* SPDX-License-Identifier: MIT */
/*
 * The format file of a kernel-typed event
 */

@private

/* Text that is counted also where it does not fit. */
struct ue__capture_text {
	char *buffer;
	size_t size, length;
};

UE__FN void ue__capture_add(struct ue__capture_text *t, const char *s, size_t n)
{
	size_t room = t->length + 1 < t->size ? t->size - 1 - t->length : 0;

	if (room)
		memcpy(t->buffer + t->length, s, n < room ? n : room);
	t->length += n;
	if (t->size)
		t->buffer[t->length < t->size ? t->length : t->size - 1] = '\0';
}

UE__FN void ue__capture_add_number(struct ue__capture_text *t, const char *before, uint64_t n)
{
	char digits[20];
	size_t i = sizeof(digits);

	do {
		digits[--i] = (char)('0' + n % 10);
		n /= 10;
	} while (n);
	ue__capture_add(t, before, strlen(before));
	ue__capture_add(t, digits + i, sizeof(digits) - i);
}

/* A field of a spec, "unsigned char[4] ip", "struct timespec t 16". */
struct ue__capture_field {
	const char *type, *name;
	size_t type_length, name_length;
	uint32_t size;
};

static inline uint32_t ue__capture_size(const char *type, size_t length)
{
	static const struct {
		char name[16];
		uint8_t size;
	} sizes[] = {
		{ "u8", 1 }, { "s8", 1 }, { "char", 1 }, { "unsigned char", 1 },
		{ "u16", 2 }, { "s16", 2 }, { "short", 2 }, { "unsigned short", 2 },
		{ "u32", 4 }, { "s32", 4 }, { "int", 4 }, { "unsigned int", 4 },
		{ "u64", 8 }, { "s64", 8 },
	};
	const char *bracket = (const char *)memchr(type, '[', length);
	size_t i;

	if (length > 10 && (!memcmp(type, "__rel_loc ", 10) || !memcmp(type, "__data_loc", 10)))
		return 4;
	if (bracket) {
		bracket++;
		return ue__decode_number(&bracket, type + length);
	}
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		if (ue__decode_is(type, length, sizes[i].name))
			return sizes[i].size;
	}
	return 0;
}

/* The field at *P, and behind it; 0 at the end. */
UE__FN int ue__capture_next_field(const char **p, struct ue__capture_field *f)
{
	const char *s = *p, *end, *digits;

	while (*s == ' ' || *s == ';')
		s++;
	end = s + strcspn(s, ";");
	*p = end;
	while (end > s && end[-1] == ' ')
		end--;
	if (end == s)
		return 0;
	f->size = 0;
	if (end - s > 7 && !memcmp(s, "struct ", 7)) {
		digits = end;
		while (digits > s && digits[-1] != ' ')
			digits--;
		end = digits;
		f->size = ue__decode_number(&digits, *p);
		while (end > s && end[-1] == ' ')
			end--;
	}
	f->name = end;
	while (f->name > s && f->name[-1] != ' ')
		f->name--;
	f->name_length = (size_t)(end - f->name);
	f->type = s;
	f->type_length = f->name > s ? (size_t)(f->name - s) - 1 : 0;
	if (!f->size)
		f->size = ue__capture_size(f->type, f->type_length);
	return 1;
}

UE__FN size_t ue_capture_format_text(const char *spec, unsigned int id, char *buffer, size_t size)
{
	static const char common[] =
		"\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
		"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n";
	static const char print[] = "\nprint fmt: \"\"\n";
	struct ue__capture_text t = { buffer, size, 0 };
	struct ue__capture_field f;
	const char *p = spec + strcspn(spec, " ");
	uint64_t offset = 8;

	ue__capture_add(&t, "name: ", 6);
	ue__capture_add(&t, spec, (size_t)(p - spec));
	ue__capture_add_number(&t, "\nID: ", id);
	ue__capture_add(&t, common, sizeof(common) - 1);
	while (ue__capture_next_field(&p, &f)) {
		/* "char[16] name" is shown as "char name[]" */
		const char *bracket = (const char *)memchr(f.type, '[', f.type_length);
		size_t before = bracket ? (size_t)(bracket - f.type) : f.type_length;

		ue__capture_add(&t, "\tfield:", 7);
		ue__capture_add(&t, f.type, before);
		ue__capture_add(&t, " ", 1);
		ue__capture_add(&t, f.name, f.name_length);
		ue__capture_add(&t, "[]", before < f.type_length ? 2 : 0);
		ue__capture_add_number(&t, ";\toffset:", offset);
		ue__capture_add_number(&t, ";\tsize:", f.size);
		ue__capture_add_number(&t, ";\tsigned:", *f.type != 'u');
		ue__capture_add(&t, ";\n", 2);
		offset += f.size;
	}
	ue__capture_add(&t, print, sizeof(print) - 1);
	return t.length;
}
