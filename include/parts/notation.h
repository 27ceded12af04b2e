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

/* Bytes of the type of N letters at P; 0 of a struct, which says it itself, and of what is no type. */
UE__SETUP uint32_t ue__size_of_type(const char *p, size_t n)
{
	static const struct {
		char name[15];
		uint8_t size;
	} types[] = {
		{ "u8", 1 },  { "s8", 1 },  { "char", 1 },  { "unsigned char", 1 },
		{ "u16", 2 }, { "s16", 2 }, { "short", 2 }, { "unsigned short", 2 },
		{ "u32", 4 }, { "s32", 4 }, { "int", 4 },   { "unsigned int", 4 },
		{ "u64", 8 }, { "s64", 8 },
	};
	const char *bracket = (const char *)memchr(p, '[', n);
	size_t length = bracket ? (size_t)(bracket - p) : n, i;

	if (strncmp(p, "__data_loc ", 11) == 0 || strncmp(p, "__rel_loc ", 10) == 0)
		return 4;
	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (strlen(types[i].name) != length || memcmp(types[i].name, p, length) != 0)
			continue;
		if (!bracket)
			return types[i].size;
		/* char and unsigned char */
		return types[i].name[length - 1] == 'r' ? ue__read_count(bracket + 1) : 0;
	}
	return 0;
}
