/* SPDX-License-Identifier: MIT */
/*
 * Reads TP_printk strings from ELF notes and converts them to the syntax of the kernel's print
 * formats. The libtraceevent plugin also uses this file, so it must not exit the process.
 */
#include "binary/binary.h"

#include <elf.h>
#include <errno.h>
#include <search.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <user_events.h>

#define TEXT_MAX 8192
#define TEXTS_MAX 4096

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";

enum text_kind {
	TEXT_CLASS,
	TEXT_EVENT,
	TEXT_ENUM, /* constant used in TP_printk strings, or "sizeof(TYPE)" */
};

static struct text {
	enum text_kind kind;
	char *name;
	size_t length; /* length of name in bytes */
	char *text;    /* NULL for TEXT_ENUM */
	long long value;
	char *class; /* name of the event's class, or NULL if unknown */
} texts[TEXTS_MAX];
static size_t n_texts;
static void *text_tree; /* tsearch() tree of texts */

bool is_identifier(const char *s)
{
	return ue__i_is_identifier(s, strlen(s));
}

static int compare_texts(const void *a, const void *b)
{
	const struct text *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->length != y->length)
		return x->length < y->length ? -1 : 1;
	return memcmp(x->name, y->name, x->length);
}

static struct text *text_named(enum text_kind kind, const char *name, size_t length)
{
	const struct text key = { kind, (char *)(uintptr_t)name, length, NULL, 0, NULL };
	struct text **found = tfind(&key, &text_tree, compare_texts);

	return found ? *found : NULL;
}

/* Returns the text with this name, and adds it if necessary. Returns NULL if the table is full. */
static struct text *text_add(enum text_kind kind, const char *name)
{
	struct text *t = text_named(kind, name, strlen(name));

	if (t || n_texts == TEXTS_MAX)
		return t;
	t = &texts[n_texts];
	*t = (struct text){ .kind = kind, .name = strdup(name), .length = strlen(name) };
	if (!t->name || !tsearch(t, &text_tree, compare_texts)) {
		free(t->name);
		return NULL;
	}
	n_texts++;
	return t;
}

/*
 * Returns true if a new text with this name would be ignored, because the table is full or already
 * contains a text with this name.
 */
static bool text_is_useless(enum text_kind kind, const char *name)
{
	const struct text *t = text_named(kind, name, strlen(name));

	return t ? t->text != NULL : n_texts == TEXTS_MAX;
}

static bool is_sizeof(const char *name)
{
	return strncmp(name, "sizeof(", 7) == 0;
}

static void note_text(struct binary *b, struct bytes bytes)
{
	enum text_kind kind = (enum text_kind)take(&bytes, 1);
	const char *name = take_string(&bytes);
	uint64_t address;
	uint32_t size;
	struct text *t;
	char *s;

	if (bytes.bad || kind > TEXT_ENUM)
		return;
	if (!is_identifier(name) && !(kind == TEXT_ENUM && is_sizeof(name)))
		return;
	if (kind == TEXT_ENUM) {
		address = take(&bytes, 8);
		t = bytes.bad ? NULL : text_add(kind, name);
		if (t)
			t->value = (long long)address;
		return;
	}
	address = take(&bytes, binary_wide(b) ? 8 : 4);
	size = (uint32_t)take(&bytes, 4);
	if (bytes.bad || size < 2 || size > TEXT_MAX || text_is_useless(kind, name))
		return;
	s = calloc(1, size);
	t = s && binary_copy(b, address, s, size) == size && !s[size - 1] ? text_add(kind, name)
									  : NULL;
	if (t && !t->text)
		t->text = s;
	else
		free(s);
}

/*
 * Reads the name of an event's class. Stores only the name, because the compiler may reorder notes,
 * so this note may precede the note of the class.
 */
static void note_class_of(struct bytes bytes)
{
	const char *name = take_string(&bytes);
	const char *class = take_string(&bytes);
	struct text *t;

	if (bytes.bad || !is_identifier(name))
		return;
	t = text_add(TEXT_EVENT, name);
	if (t && !t->class)
		t->class = strdup(class);
}

static bool on_text(void *context, const struct note *note)
{
	if (note->type == UE__F_NOTE_PRINT)
		note_text(context, note->desc);
	else if (note->type == UE__F_NOTE_CLASS_EVENT)
		note_class_of(note->desc);
	return true;
}

struct build_id {
	const void *id;
	size_t size;
	bool same;
};

static bool on_build_id(void *context, const struct note *note)
{
	struct build_id *wanted = context;
	size_t size;

	if (note->type != NT_GNU_BUILD_ID)
		return true;
	/* perf records 20 bytes for every build ID and pads shorter ones with zeros */
	size = note->desc.left < wanted->size ? note->desc.left : wanted->size;
	wanted->same = memcmp(note->desc.p, wanted->id, size) == 0;
	return false;
}

int texts_read(const char *path, const void *id, size_t size)
{
	struct build_id wanted = { id, size, size == 0 };
	struct binary b;
	int error = binary_open(&b, path);

	if (error)
		return error;
	if (size)
		binary_notes(&b, "GNU", on_build_id, &wanted);
	if (wanted.same)
		binary_notes(&b, NOTE_OWNER, on_text, &b);
	binary_close(&b);
	return wanted.same ? 0 : -ESTALE;
}

/* A print format under construction. */
struct print_format {
	FILE *out;
	const char *fields; /* lines like "\tfield:s8 NAME;\toffset:8;\tsize:1;\tsigned:1;" */
	/* true if the string refers to a missing field, which would crash libtraceevent */
	bool wrong;
};

struct format_field {
	unsigned int size, is_signed;
};

static struct format_field field_of(struct print_format *p, const char *name, size_t length)
{
	struct format_field field = { 0, 0 };
	const char *at = p->fields;

	while (length && (at = memmem(at, strlen(at), name, length))) {
		bool whole = at[-1] == ' ';

		at += length;
		if (whole && *at == '[')
			return field;
		if (whole && sscanf(at, "; offset:%*u; size:%u; signed:%u;", &field.size,
				    &field.is_signed) == 2)
			return field;
	}
	p->wrong = true;
	return field;
}

/*
 * Writes a reference to a field. If the field is a signed integer of 1 or 2 bytes, also writes a
 * sign conversion, because libtraceevent treats such fields as unsigned.
 */
static size_t put_record_field(struct print_format *p, const char *s)
{
	size_t name = strspn(s + 5, letters), n = 5 + name;
	struct format_field field = field_of(p, s + 5, name);
	int half = field.size == 1 ? 128 : 32768;

	if (field.is_signed && (field.size == 1 || field.size == 2))
		fprintf(p->out, "(((%.*s + %d) & %d) - %d)", (int)n, s, half, 2 * half - 1, half);
	else
		fwrite(s, 1, n, p->out);
	return n;
}

/* Writes an identifier or a sizeof expression. Returns its length in the input string. */
static size_t put_word(struct print_format *p, const char *s)
{
	size_t n = strspn(s, letters), end = strcspn(s, ")") + 1;
	const struct text *constant = text_named(TEXT_ENUM, s, n);

	if (is_sizeof(s) && text_named(TEXT_ENUM, s, end)) {
		constant = text_named(TEXT_ENUM, s, end);
		n = end;
	}
	if (strncmp(s, "REC->", 5) == 0)
		return put_record_field(p, s);
	/* check the field in __get_str(field) and similar calls */
	if (strncmp(s, "__get_", 6) == 0 && s[n] == '(')
		field_of(p, s + n + 1, strspn(s + n + 1, letters));
	if (constant) /* replace constants with their values, as in the kernel's format files */
		fprintf(p->out, "%lld", constant->value);
	else
		fwrite(s, 1, n, p->out);
	return n;
}

static void put_print_format(struct print_format *p, const char *s)
{
	bool quoted = false;

	while (*s) {
		if (!quoted && strspn(s, letters)) {
			s += put_word(p, s);
			continue;
		}
		if (*s == '\\' && s[1])
			putc(*s++, p->out);
		else if (*s == '"')
			quoted = !quoted;
		putc(*s++, p->out);
	}
}

char *texts_format(const char *event, const char *format)
{
	const struct text *t = text_named(TEXT_EVENT, event, strlen(event));
	const char *end = strstr(format, "\nprint fmt:");
	const char *begin = strchr(format, '\n');
	struct print_format p = { .fields = begin };
	char *result = NULL;
	size_t size = 0;

	if (t && !t->text && t->class)
		t = text_named(TEXT_CLASS, t->class, strlen(t->class));
	/* libtraceevent does not support %pe; it prints an address followed by "e" */
	if (!t || !t->text || strstr(t->text, "%pe") || !begin)
		return NULL;
	p.out = open_memstream(&result, &size);
	if (!p.out)
		return NULL;
	/* omit the ".HEX" suffix that the kernel appends to the names of multi-format events */
	fprintf(p.out, "name: %s%.*s\nprint fmt: ", event,
		(int)(end ? end - begin : (ptrdiff_t)strlen(begin)), begin);
	put_print_format(&p, t->text);
	putc('\n', p.out);
	if (fclose(p.out) == 0 && !p.wrong)
		return result;
	free(result);
	return NULL;
}
