/* SPDX-License-Identifier: MIT */
/*
 * Checking the definition of an event
 */

/* @enabled */

/*
 * What is wrong with field F, or NULL; FIRST is the first field, in the same text. Checked
 * before the kernel sees it, since the kernel accepts much that no tool can use.
 */
UE__SETUP const char *ue__fault_of_field(const struct ue__field_words *f, const char *first)
{
	const char *name;
	size_t n;

	if (f->words == 0)
		return "an empty field between \";\"";
	if (f->words == UE__FIELD_WORDS)
		return "too many words in field ";
	if (f->name == 0)
		return "a field needs a type and a name: ";
	name = f->word[f->name];
	n = f->length[f->name];
	if (!ue__is_name(name, n))
		return "a field's name is not an identifier, which filters and scripts need: ";
	if (n >= 7 && memcmp(name, "common_", 7) == 0)
		return "names that start with common_ belong to the kernel; rename field ";
	for (;; first++) {
		struct ue__field_words before;

		first = ue__split_field(first, &before);
		if (before.word[0] == f->word[0])
			return NULL;
		if (before.length[before.name] == n &&
		    memcmp(before.word[before.name], name, n) == 0)
			return "two fields have one name: ";
	}
}

/*
 * Copies SPEC to OUT in the notation that all kernels compare alike, one blank between words
 * and "; " between fields. Returns 0 with DETAIL empty, or -EINVAL with REASON set and DETAIL the
 * field; at most 63 bytes of it.
 */
UE__SETUP int ue__check_spec(const char *spec, char out[512], const char **reason, char detail[64])
{
	struct ue__text t = ue__text_in(out, 512), d = ue__text_in(detail, 64);
	size_t n = strcspn(spec, " "), i;
	const char *p = spec + n, *separator = " ";

	*reason = "the name is not an identifier ([A-Za-z_][A-Za-z0-9_]*), which "
		  "perf and ftrace both need";
	if (!ue__is_name(spec, n))
		return -EINVAL;
	ue__put_bytes(&t, spec, n);
	while (*p && t.length <= 511) {
		struct ue__field_words f;
		const char *end = ue__split_field(p, &f);

		if (f.words == 0 && *end == '\0')
			break; /* "name " and "name u32 a; " end in blanks */
		*reason = ue__fault_of_field(&f, spec + n);
		if (*reason) {
			if (f.words)
				ue__put_bytes(&d, f.word[0], (size_t)(end - f.word[0]));
			return -EINVAL;
		}
		ue__put(&t, separator);
		separator = "; ";
		for (i = 0; i < f.words; i++) {
			if (i)
				ue__put(&t, " ");
			ue__put_bytes(&t, f.word[i], f.length[i]);
		}
		p = *end ? end + 1 : end;
	}
	*reason = UE__TOO_LONG;
	return t.length > 511 ? -EINVAL : 0;
}

/*
 * Copies to FIELD the first field of a checked text whose type no kernel knows; 63 bytes at most.
 */
UE__SETUP void ue__find_unknown(const char *spec, char field[64])
{
	struct ue__text t = ue__text_in(field, 64);
	const char *p = spec + strcspn(spec, " "), *end;
	struct ue__field_words f;

	for (; *p; p = *end ? end + 1 : end) {
		end = ue__split_field(p, &f);
		if (ue__size_of_field(&f) == 0) {
			ue__put_bytes(&t, f.word[0], (size_t)(end - f.word[0]));
			return;
		}
	}
}
