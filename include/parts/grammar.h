/* SPDX-License-Identifier: MIT */
/*
 * Names and fields: the notation of the kernel
 */

@enabled

/*
 * Names and fields, checked before the kernel sees them: it takes much that no tool can use.
 */
static inline bool ue__is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

static inline bool ue__is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline size_t ue__word(const char *s)
{
	size_t n = 0;

	while (ue__is_word(s[n]))
		n++;
	return n;
}

static inline bool ue__is_identifier(const char *s, size_t n)
{
	return n > 0 && !ue__is_digit(s[0]) && ue__word(s) >= n;
}

/* Does the kernel know the type of N bytes at P? In the notation of ue__check_spec(). */
UE__SETUP bool ue__is_type(const char *p, size_t n)
{
	static const char types[] = "u8\0u16\0u32\0u64\0s8\0s16\0s32\0s64\0char\0short\0int\0"
				    "unsigned char\0unsigned short\0unsigned int\0";
	const char *bracket = (const char *)memchr(p, '[', n), *type;
	size_t length = bracket ? (size_t)(bracket - p) : n;
	unsigned int count = 0;

	if (strncmp(p, "struct ", 7) == 0 || strncmp(p, "__data_loc ", 11) == 0 ||
	    strncmp(p, "__rel_loc ", 10) == 0)
		return true;
	if (bracket) {
		while (ue__is_digit(*++bracket) && count <= 1024)
			count = count * 10 + (unsigned int)(*bracket - '0');
		if (count > 1024 || (*bracket == ']' && count < 1) ||
		    (length != 4 && length != 13)) /* char, unsigned char */
			return false;
	}
	for (type = types; *type; type += strlen(type) + 1) {
		if (strlen(type) == length && memcmp(type, p, length) == 0)
			return true;
	}
	return false;
}

/*
 * Copies SPEC to OUT in the notation that all kernels compare alike, one blank between words
 * and "; " between fields. Returns 0, with DETAIL the first field whose type no kernel knows, or
 * -EINVAL with REASON set and DETAIL the field; at most 63 bytes of it.
 */
UE__SETUP int ue__check_spec(const char *spec, char out[512], const char **reason, char detail[64])
{
	struct ue__text t = ue__text_in(out, 512), d = ue__text_in(detail, 64);
	struct {
		const char *p;
		size_t n;
	} word[6];
	const char *names[256];
	size_t lengths[256];
	size_t n, i, fields = 0, unknown = 0, unknown_size = 0;
	const char *p = spec;

	*reason = "the name is not an identifier ([A-Za-z_][A-Za-z0-9_]*), which "
		  "perf and ftrace both need";
	n = strcspn(p, " ");
	if (!ue__is_identifier(p, n) || n != ue__word(p))
		return -EINVAL;
	ue__put_bytes(&t, p, n);
	p += n;
	while (*p) {
		size_t words = 0, name, start;

		while (words < 6) {
			while (*p == ' ')
				p++;
			n = strcspn(p, " ;");
			if (n == 0)
				break;
			word[words].p = p;
			word[words++].n = n;
			p += n;
		}
		d = ue__text_in(detail, 64);
		if (words)
			ue__put_bytes(&d, word[0].p, (size_t)(p - word[0].p));
		if (words == 0) {
			if (*p == '\0')
				break; /* "name " and "name u32 a; " end in blanks */
			*reason = "an empty field between \";\"";
			return -EINVAL;
		}
		if (*p == ';')
			p++;
		else if (*p != '\0' || words == 6) {
			*reason = "too many words in field ";
			return -EINVAL;
		}
		/* the name is the last word, but for "struct TYPE NAME SIZE" */
		name = words - 1;
		if (words == 4 && word[0].n == 6 && memcmp(word[0].p, "struct", 6) == 0)
			name = 2;
		if (name == 0) {
			*reason = "a field needs a type and a name: ";
			return -EINVAL;
		}
		if (!ue__is_identifier(word[name].p, word[name].n) ||
		    ue__word(word[name].p) != word[name].n) {
			*reason = "a field's name is not an identifier, which filters and "
				  "scripts need: ";
			return -EINVAL;
		}
		if (word[name].n >= 7 && memcmp(word[name].p, "common_", 7) == 0) {
			*reason = "names that start with common_ belong to the kernel; rename "
				  "field ";
			return -EINVAL;
		}
		for (i = 0; i < fields; i++) {
			if (lengths[i] == word[name].n &&
			    memcmp(names[i], word[name].p, lengths[i]) == 0) {
				*reason = "two fields have one name: ";
				return -EINVAL;
			}
		}
		if (fields < 256) {
			names[fields] = word[name].p;
			lengths[fields] = word[name].n;
		}
		ue__put(&t, fields++ ? "; " : " ");
		start = t.length;
		for (i = 0; i < words; i++) {
			if (i == name && !unknown && t.length <= 511 &&
			    !ue__is_type(out + start, t.length - start))
				unknown = start;
			if (i)
				ue__put(&t, " ");
			ue__put_bytes(&t, word[i].p, word[i].n);
		}
		if (unknown == start)
			unknown_size = t.length - start;
		/* more fields than this do not fit 511 bytes */
		if (fields >= 256 || t.length > 511)
			break;
	}
	d = ue__text_in(detail, 64);
	if (t.length > 511) {
		*reason = UE__TOO_LONG;
		return -EINVAL;
	}
	ue__put_bytes(&d, out + unknown, unknown_size);
	return 0;
}
