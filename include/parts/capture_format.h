/* SPDX-License-Identifier: MIT */
/*
 * The format file of a kernel-typed event
 */

/* @private */

UE__FN void ue__capture_property(struct ue__text *t, const char *name, uint64_t value)
{
	ue__put(t, name);
	ue__put_number(t, value, 10);
}

/* The line of field F at OFFSET. Returns where the field ends. */
UE__FN uint64_t ue__capture_field(struct ue__text *t, const struct ue__field_words *f,
				  uint64_t offset)
{
	const char *type = f->word[0];
	size_t length = f->name ? (size_t)(f->word[f->name - 1] - type) + f->length[f->name - 1]
				: 0;
	/* "char[16] name" is shown as "char name[]" */
	const char *bracket = (const char *)memchr(type, '[', length);
	uint32_t bytes = ue__size_of_field(f);

	ue__put(t, "\tfield:");
	ue__put_bytes(t, type, bracket ? (size_t)(bracket - type) : length);
	ue__put(t, " ");
	ue__put_bytes(t, f->word[f->name], f->length[f->name]);
	ue__put(t, bracket ? "[]" : "");
	ue__capture_property(t, ";\toffset:", offset);
	ue__capture_property(t, ";\tsize:", bytes);
	ue__capture_property(t, ";\tsigned:", *type != 'u');
	ue__put(t, ";\n");
	return offset + bytes;
}

UE__FN size_t ue_capture_format_text(const char *spec, unsigned int id, char *buffer, size_t size)
{
	static const char common[] =
		"\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
		"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n";
	const char *p = spec + strcspn(spec, " ");
	struct ue__text t = ue__text_in(buffer, size);
	struct ue__field_words f;
	uint64_t offset = 8;

	ue__put(&t, "name: ");
	ue__put_bytes(&t, spec, (size_t)(p - spec));
	ue__capture_property(&t, "\nID: ", id);
	ue__put(&t, common);
	for (; *p; p += *p == ';') {
		p = ue__split_field(p, &f);
		if (f.words)
			offset = ue__capture_field(&t, &f, offset);
	}
	ue__put(&t, "\nprint fmt: \"\"\n");
	return t.length;
}
