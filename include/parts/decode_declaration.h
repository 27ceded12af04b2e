/* SPDX-License-Identifier: MIT */
/*
 * C declarations of format files
 */

/* @private */

/* Words of a C declaration. */
enum ue__decode_word {
	UE__DECODE_SIGNED = 1,
	UE__DECODE_UNSIGNED = 2,
	UE__DECODE_LONG = 4,
	UE__DECODE_LONG_LONG = 8,
	UE__DECODE_CHAR = 16,
	UE__DECODE_OTHER = 32, /* a type that is not a plain integer */
	UE__DECODE_STRUCT_WORD = 64,
	UE__DECODE_POINTER = 128,
	UE__DECODE_ARRAY_WORD = 256,
	UE__DECODE_DATA_WORD = 512,
	UE__DECODE_REL_WORD = 1024
};

static inline int ue__decode_is(const char *p, size_t length, const char *word)
{
	return length == strlen(word) && !memcmp(p, word, length);
}

/* Reads decimal digits from *P on, up to END, to at most 2^32-1. */
static inline uint32_t ue__decode_number(const char **p, const char *end)
{
	uint64_t value = 0;

	for (; *p < end && ue__is_digit(**p); (*p)++) {
		value = value * 10 + (uint64_t)(**p - '0');
		if (value > 0xffffffff)
			value = 0xffffffff;
	}
	return (uint32_t)value;
}

struct ue__decode_declaration {
	const char *name;
	size_t name_length;
	unsigned words;
	uint32_t count;	   /* the number in brackets, or 0 */
	uint8_t type_size; /* of an element, or 0 if the type does not tell */
};

/* A word that is not the last is part of the type. */
static inline void ue__decode_type_word(struct ue__decode_declaration *d, uint8_t long_size)
{
	static const struct {
		char word[12];
		uint8_t size;
		uint16_t flags;
	} words[] = {
		{ "unsigned", 4, UE__DECODE_UNSIGNED }, { "signed", 4, UE__DECODE_SIGNED },
		{ "int", 4, 0 }, { "short", 2, 0 }, { "char", 1, UE__DECODE_CHAR },
		{ "long", 0, UE__DECODE_LONG },
		{ "u8", 1, UE__DECODE_UNSIGNED }, { "__u8", 1, UE__DECODE_UNSIGNED },
		{ "uint8_t", 1, UE__DECODE_UNSIGNED }, { "s8", 1, UE__DECODE_SIGNED },
		{ "__s8", 1, UE__DECODE_SIGNED }, { "int8_t", 1, UE__DECODE_SIGNED },
		{ "u16", 2, UE__DECODE_UNSIGNED }, { "__u16", 2, UE__DECODE_UNSIGNED },
		{ "uint16_t", 2, UE__DECODE_UNSIGNED }, { "s16", 2, UE__DECODE_SIGNED },
		{ "__s16", 2, UE__DECODE_SIGNED }, { "int16_t", 2, UE__DECODE_SIGNED },
		{ "u32", 4, UE__DECODE_UNSIGNED }, { "__u32", 4, UE__DECODE_UNSIGNED },
		{ "uint32_t", 4, UE__DECODE_UNSIGNED }, { "s32", 4, UE__DECODE_SIGNED },
		{ "__s32", 4, UE__DECODE_SIGNED }, { "int32_t", 4, UE__DECODE_SIGNED },
		{ "u64", 8, UE__DECODE_UNSIGNED }, { "__u64", 8, UE__DECODE_UNSIGNED },
		{ "uint64_t", 8, UE__DECODE_UNSIGNED }, { "s64", 8, UE__DECODE_SIGNED },
		{ "__s64", 8, UE__DECODE_SIGNED }, { "int64_t", 8, UE__DECODE_SIGNED },
		{ "const", 0, 0 }, { "volatile", 0, 0 },
		{ "struct", 0, UE__DECODE_STRUCT_WORD }, { "union", 0, UE__DECODE_STRUCT_WORD },
		{ "__data_loc", 0, UE__DECODE_DATA_WORD }, { "__rel_loc", 0, UE__DECODE_REL_WORD },
	};
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!ue__decode_is(d->name, d->name_length, words[i].word))
			continue;
		if (words[i].flags == UE__DECODE_LONG) {
			d->type_size = d->words & UE__DECODE_LONG ? 8 : long_size;
			if (d->words & UE__DECODE_LONG)
				d->words |= UE__DECODE_LONG_LONG;
		} else if (words[i].size && d->type_size != 2 && !(d->words & UE__DECODE_LONG)) {
			/* "short int" has 2 bytes, "long int" those of long */
			d->type_size = words[i].size;
		}
		d->words |= words[i].flags;
		return;
	}
	d->words |= UE__DECODE_OTHER;
	d->type_size = 0;
}

/* "const char * name", "__data_loc char[] name", "unsigned long args[6]" */
static inline void ue__decode_declare(struct ue__decode_declaration *d, const char *p,
				      const char *end, uint8_t long_size)
{
	memset(d, 0, sizeof(*d));
	while (p < end) {
		const char *word = p;

		if (!ue__is_word(*p)) {
			if (*p == '*')
				d->words |= UE__DECODE_POINTER;
			p++;
			if (*word == '[') {
				d->words |= UE__DECODE_ARRAY_WORD;
				d->count = ue__decode_number(&p, end);
				/* an expression, whose value only the kernel knows */
				if (p < end && *p != ']')
					d->count = 0;
				while (p < end && *p != ']')
					p++;
			}
			continue;
		}
		while (p < end && ue__is_word(*p))
			p++;
		if (d->name)
			ue__decode_type_word(d, long_size);
		d->name = word;
		d->name_length = (size_t)(p - word);
	}
}

/* Sets kind and format of a field by its declaration and size. */
static inline void ue__decode_type(struct ue_decode_field *field,
				   const struct ue__decode_declaration *d, int is_signed,
				   uint8_t long_size)
{
	static const uint8_t kinds[] = { 0, UE_DECODE_KIND_VALUE8, UE_DECODE_KIND_VALUE16, 0,
					 UE_DECODE_KIND_VALUE32, 0, 0, 0, UE_DECODE_KIND_VALUE64 };
	int pointer = (d->words & UE__DECODE_POINTER) != 0;
	uint32_t unit = field->size;

	if (field->size == 4 && d->words & (UE__DECODE_DATA_WORD | UE__DECODE_REL_WORD))
		field->loc = d->words & UE__DECODE_REL_WORD ? UE_DECODE_REL_LOC :
							      UE_DECODE_DATA_LOC;
	if (field->loc || !field->size || d->words & UE__DECODE_ARRAY_WORD) {
		unit = pointer ? long_size : d->type_size;
		field->array = UE_DECODE_VARIABLE_ARRAY;
		if (!field->loc && field->size) {
			field->array = UE_DECODE_CONSTANT_ARRAY;
			if (d->count)
				unit = field->size / d->count;
		}
	}

	if (!pointer && d->words & UE__DECODE_CHAR &&
	    !(d->words & (UE__DECODE_SIGNED | UE__DECODE_UNSIGNED)) &&
	    (field->array || field->size == 1)) {
		field->kind = field->array ? UE_DECODE_KIND_ZSTRING8 : UE_DECODE_KIND_VALUE8;
		field->format = field->array ? UE_DECODE_FORMAT_DEFAULT : UE_DECODE_FORMAT_LATIN1;
		field->unit = !field->array;
		field->array = 0;
		return;
	}
	if (unit < sizeof(kinds) && kinds[unit] &&
	    (pointer || !(d->words & UE__DECODE_STRUCT_WORD))) {
		field->kind = kinds[unit];
		field->unit = (uint8_t)unit;
		if (pointer || d->words & UE__DECODE_OTHER ||
		    (d->words & (UE__DECODE_LONG | UE__DECODE_LONG_LONG | UE__DECODE_UNSIGNED)) ==
			    (UE__DECODE_LONG | UE__DECODE_UNSIGNED))
			field->format = UE_DECODE_FORMAT_HEX;
		else
			field->format = is_signed ? UE_DECODE_FORMAT_SIGNED :
						    UE_DECODE_FORMAT_UNSIGNED;
		return;
	}
	field->kind = UE_DECODE_KIND_BINARY;
	field->array = 0;
}
