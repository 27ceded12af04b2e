/* SPDX-License-Identifier: MIT */
/*
 * Fields in the kernel's notation
 */

/* @private */

/*
 * A field of a definition, "__rel_loc char[] path" or "struct point where 8": words, of which
 * the last is the name, but for a struct's, which its size follows.
 */
enum { UE__FIELD_WORDS = 6 }; /* more than any field has */
struct ue__field_words {
	const char *word[UE__FIELD_WORDS];
	size_t length[UE__FIELD_WORDS];
	size_t words, name; /* how many there are, and which of them is the name */
};

UE__SETUP bool ue__is_name(const char *s, size_t n)
{
	return ue__is_identifier(s, n);
}

/* Splits the field at P into words. Returns what ends it, a ";" or the text's end. */
UE__SETUP const char *ue__split_field(const char *p, struct ue__field_words *f)
{
	size_t n;

	for (f->words = 0;; p += n) {
		p += strspn(p, " ");
		n = strcspn(p, " ;");
		if (n == 0)
			break;
		if (f->words < UE__FIELD_WORDS) {
			f->word[f->words] = p;
			f->length[f->words++] = n;
		}
	}
	f->name = f->words ? f->words - 1 : 0;
	if (f->words == 4 && f->length[0] == 6 && memcmp(f->word[0], "struct", 6) == 0)
		f->name = 2;
	return p;
}

/* The count in "16]", in decimal, hexadecimal or octal, as the kernel reads it; 0 if it is none. */
UE__SETUP uint32_t ue__read_count(const char *p)
{
	unsigned int base = *p != '0' ? 10 : (p[1] | 32) == 'x' ? 16 : 8;
	uint32_t count = 0, digit;

	for (p += base == 16 ? 2 : 0; count <= 1024; p++) {
		digit = (uint32_t)(ue__is_digit(*p) ? *p - '0' : (*p | 32) - 'a' + 10);
		if (digit >= base)
			break;
		count = count * base + digit;
	}
	return *p == ']' && count <= 1024 ? count : 0;
}

/* The size of the type of N letters at P. 0 for a struct, which names its size, and for no type. */
UE__SETUP uint32_t ue__size_of_type(const char *p, size_t n)
{
	const char *bracket = (const char *)memchr(p, '[', n);
	size_t length = bracket ? (size_t)(bracket - p) : n;

	if (strncmp(p, "__data_loc ", 11) == 0 || strncmp(p, "__rel_loc ", 10) == 0)
		return 4;
		/* rows as of a table, but no data, which each file of a program would have */
#define UE__SIZE(name, size)                                                      \
	if (length == sizeof(name) - 1 && memcmp(p, name, sizeof(name) - 1) == 0) \
	return size
	UE__SIZE("char", bracket ? ue__read_count(bracket + 1) : 1u);
	UE__SIZE("unsigned char", bracket ? ue__read_count(bracket + 1) : 1u);
	if (bracket)
		return 0;
	UE__SIZE("u8", 1);
	UE__SIZE("s8", 1);
	UE__SIZE("u16", 2);
	UE__SIZE("s16", 2);
	UE__SIZE("short", 2);
	UE__SIZE("unsigned short", 2);
	UE__SIZE("u32", 4);
	UE__SIZE("s32", 4);
	UE__SIZE("int", 4);
	UE__SIZE("unsigned int", 4);
	UE__SIZE("u64", 8);
	UE__SIZE("s64", 8);
#undef UE__SIZE
	return 0;
}

/* The size of a field, which a struct's tells behind its name; 0 of a type that no kernel knows. */
UE__SETUP uint32_t ue__size_of_field(const struct ue__field_words *f)
{
	size_t last = f->name - 1;
	uint32_t size = 0;
	const char *p;

	if (f->name == 0)
		return 0;
	if (f->name + 1 == f->words)
		return ue__size_of_type(f->word[0],
					(size_t)(f->word[last] - f->word[0]) + f->length[last]);
	for (p = f->word[f->name + 1]; ue__is_digit(*p) && size < 1u << 20; p++)
		size = size * 10 + (uint32_t)(*p - '0');
	return size;
}
