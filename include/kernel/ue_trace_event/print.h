/* SPDX-License-Identifier: MIT */
/*
 * Formats text like the kernel. Implements its printf() formats, struct trace_seq, and the helpers
 * for TP_printk, such as __print_flags(). A process cannot look up kernel symbols, so %pS prints
 * the address. This code allocates no memory.
 */
#ifndef UE_PRINT_H
#define UE_PRINT_H
#pragma GCC system_header

#include <user_events.h>
#include <user_events_decode.h>
#include <linux/bitops.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/socket.h>
#include <stdio.h>
#include <string.h>
UE__I_BEGIN

/* Text in a buffer, always NUL-terminated. LENGTH also counts dropped bytes. */
struct ue__line {
	char *buffer;
	size_t size, length;
};

UE__I_FN void ue__add(struct ue__line *line, const char *s, size_t n)
{
	size_t room = line->length + 1 < line->size ? line->size - 1 - line->length : 0;

	if (n < room)
		room = n;
	if (room) {
		memcpy(line->buffer + line->length, s, room);
		line->buffer[line->length + room] = '\0';
	}
	line->length += n;
}

/* A conversion specification of a format, without the conversion letter. */
struct ue__directive {
	char flags[6];
	bool left;
	int width, precision; /* -1 if not specified */
	char size;	      /* 0, 'h', 'H' (hh), 'l', or 'L' (ll and L) */
};

/* Appends text formatted by libc's snprintf(). */
#define UE__ADD_PRINTED(line, format, ...) \
	do { \
		struct ue__line *ue__l = (line); \
		size_t ue__at = ue__l->length < ue__l->size ? ue__l->length : ue__l->size; \
		int ue__printed = snprintf(ue__l->size ? ue__l->buffer + ue__at : ue__l->buffer, \
				     ue__l->size - ue__at, format, __VA_ARGS__); \
		ue__l->length += ue__printed > 0 ? (size_t)ue__printed : 0; \
	} while (0)

/* Appends S as %s does, truncated to the precision and padded to the width. */
UE__I_FN void ue__add_padded(struct ue__line *line, const struct ue__directive *d, const char *s)
{
	UE__ADD_PRINTED(line, d->left ? "%-*.*s" : "%*.*s", d->width < 0 ? 0 : d->width,
		       d->precision, s);
}

UE__I_FN char *ue__hex_byte(char *p, unsigned int byte, bool upper)
{
	const char *digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";

	*p++ = digits[byte >> 4 & 15];
	*p++ = digits[byte & 15];
	return p;
}

/* Writes an IPv4 address, with leading zeros if ZEROS is set (%pi4). */
UE__I_FN char *ue__ip4(char *p, const unsigned char *bytes, bool zeros, bool reversed)
{
	int i;

	for (i = 0; i < 4; i++)
		p += sprintf(p, zeros ? "%s%03u" : "%s%u", i ? "." : "",
			     (unsigned int)bytes[reversed ? 3 - i : i]);
	return p;
}

/* Writes an IPv6 address as eight groups, or in the short form of RFC 5952. */
UE__I_FN char *ue__ip6(char *p, const unsigned char *bytes, bool shortened, bool colons)
{
	static const unsigned char mapped[12] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff };
	int i, start = -1, length = 1, groups = 8, run;
	/* true if the address ends in an IPv4 address (IPv4-mapped or ISATAP) */
	bool ip4 = memcmp(bytes, mapped, 12) == 0 ||
		   ((bytes[8] | 2) == 2 && bytes[9] == 0 && bytes[10] == 0x5e && bytes[11] == 0xfe);

	if (!shortened) {
		for (i = 0; i < 16; i++) {
			if (colons && i && i % 2 == 0)
				*p++ = ':';
			p = ue__hex_byte(p, bytes[i], false);
		}
		*p = '\0';
		return p;
	}
	if (ip4)
		groups = 6;
	/* find the first longest run of two or more zero groups */
	for (i = 0; i < groups; i++) {
		for (run = 0;
		     i + run < groups && !bytes[2 * (i + run)] && !bytes[2 * (i + run) + 1]; run++)
			;
		if (run > length) {
			start = i;
			length = run;
		}
	}
	for (i = 0; i < groups; i++) {
		if (i == start) {
			*p++ = ':';
			if (i == 0)
				*p++ = ':';
			i += length - 1;
			continue;
		}
		p += sprintf(p, "%x", (unsigned int)bytes[2 * i] << 8 | bytes[2 * i + 1]);
		if (i < 7)
			*p++ = ':';
	}
	if (ip4)
		p = ue__ip4(p, bytes + 12, false, false);
	*p = '\0';
	return p;
}

UE__I_FN bool ue__has(const char *extension, size_t n, char c)
{
	return memchr(extension, c, n) != NULL;
}

UE__I_FN unsigned int ue__big_endian(const unsigned char *bytes, int n)
{
	unsigned int value = 0;

	while (n-- > 0)
		value = value << 8 | *bytes++;
	return value;
}

/*
 * Writes an IP address or a sockaddr: %pI4, %pi4, %pI6, %pi6, %pI6c or %pIS. EXTENSION has N
 * letters and starts with I or i. In a sockaddr, the port is at offset 2. An IPv4 address is at
 * offset 4. For IPv6, the flow information is at offset 4, the address at 8, and the scope at 24.
 * The structs themselves are not used, because <netinet/in.h> and <linux/in6.h> conflict.
 */
UE__I_FN void ue__ip(char *p, const char *extension, size_t n, const void *address)
{
	const unsigned char *bytes = (const unsigned char *)address;
	bool zeros = extension[0] == 'i', shortened = ue__has(extension, n, 'c');
	bool reversed = ue__has(extension, n, 'l') ||
			(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && ue__has(extension, n, 'h'));
	bool port = ue__has(extension, n, 'p'), brackets;
	char version = n > 1 ? extension[1] : '4';
	sa_family_t family = 0;
	uint32_t scope;

	if (version == '6') {
		ue__ip6(p, bytes, shortened, !zeros);
		return;
	}
	if (version != 'S') {
		ue__ip4(p, bytes, zeros, reversed);
		return;
	}
	memcpy(&family, bytes, sizeof(family));
	if (family == AF_INET) {
		p = ue__ip4(p, bytes + 4, zeros, reversed);
		if (port)
			sprintf(p, ":%u", ue__big_endian(bytes + 2, 2));
		return;
	}
	if (family != AF_INET6) {
		strcpy(p, "(einval)");
		return;
	}
	brackets = port || ue__has(extension, n, 'f') || ue__has(extension, n, 's');
	if (brackets)
		*p++ = '[';
	p = ue__ip6(p, bytes + 8, shortened, !zeros);
	if (brackets)
		*p++ = ']';
	if (port)
		p += sprintf(p, ":%u", ue__big_endian(bytes + 2, 2));
	if (ue__has(extension, n, 'f'))
		p += sprintf(p, "/%u", ue__big_endian(bytes + 4, 4) & 0xfffffffu);
	if (ue__has(extension, n, 's')) {
		memcpy(&scope, bytes + 24, 4);
		p += sprintf(p, "%%%u", (unsigned int)scope);
	}
	*p = '\0';
}

/*
 * Writes a hardware address (%pM or %pm). The extension F selects dashes as separators, and R
 * reverses the bytes.
 */
UE__I_FN void ue__mac(char *p, const char *extension, size_t n, const unsigned char *bytes)
{
	bool reversed = ue__has(extension, n, 'R'), dashes = ue__has(extension, n, 'F');
	int i;

	for (i = 0; i < 6; i++) {
		if (i && extension[0] == 'M')
			*p++ = dashes ? '-' : ':';
		p = ue__hex_byte(p, bytes[reversed ? 5 - i : i], false);
	}
	*p = '\0';
}

/*
 * Writes a UUID (%pU). The extensions b and B print the bytes in order. The extensions l and L
 * print the first three groups as little-endian numbers.
 */
UE__I_FN void ue__uuid(char *p, const char *extension, size_t n, const unsigned char *bytes)
{
	static const unsigned char little[16] = { 3, 2, 1, 0, 5, 4,  7,  6,
						  8, 9, 10, 11, 12, 13, 14, 15 };
	char kind = n > 1 ? extension[1] : 'b';
	bool swapped = kind == 'l' || kind == 'L', upper = kind == 'L' || kind == 'B';
	int i;

	for (i = 0; i < 16; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			*p++ = '-';
		p = ue__hex_byte(p, bytes[swapped ? little[i] : i], upper);
	}
	*p = '\0';
}

/* Appends a bitmap, in groups of 32 bits (%*pb) or as ranges (%*pbl). */
UE__I_FN void ue__bitmap(struct ue__line *line, const unsigned long *bits, int n, bool list)
{
	int group, i, end;
	bool first = true;

	if (list) {
		for (i = 0; i < n; i++) {
			if (!test_bit((unsigned long)i, bits))
				continue;
			for (end = i; end + 1 < n && test_bit((unsigned long)end + 1, bits); end++)
				;
			UE__ADD_PRINTED(line, "%s%d", first ? "" : ",", i);
			if (end > i)
				UE__ADD_PRINTED(line, "-%d", end);
			first = false;
			i = end;
		}
		return;
	}
	for (group = (n + 31) / 32; group-- > 0; first = false) {
		int size = first && n % 32 ? n % 32 : 32;
		unsigned int value = (unsigned int)(bits[group * 32 / BITS_PER_LONG] >>
						    group * 32 % BITS_PER_LONG);

		value &= ~0u >> (32 - size);
		UE__ADD_PRINTED(line, "%s%0*x", first ? "" : ",", (size + 3) / 4, value);
	}
}

/*
 * Returns the name of an error pointer, such as "ENOENT" for -ENOENT. Returns NULL if there is no
 * name. Error numbers differ between some machines.
 */
UE__I_FN const char *ue__error_name(uintptr_t pointer)
{
	uintptr_t error = 0 - pointer;
	const char *name = ue__decode_errnos[0]; /* the name of numbers that have no name */

	if (ENOSYS == 38 && error < sizeof(ue__decode_errnos) / sizeof(ue__decode_errnos[0]))
		name = ue__decode_errnos[error];
	return strcmp(name, ue__decode_errnos[0]) ? name : NULL;
}

UE__I_FN int ue__vformat(char *buffer, size_t size, const char *format, va_list args);

/*
 * Returns the text to print in place of an invalid pointer: NULL, an error pointer, or a small
 * offset. Returns NULL for other pointers.
 */
UE__I_FN const char *ue__bad_pointer(const void *p)
{
	uintptr_t n = (uintptr_t)p;

	return !p ? "(null)" : n < 4096 || n > (uintptr_t)-4096 ? "(efault)" : NULL;
}

/* Appends %p with an EXTENSION of N letters. */
UE__I_FN void ue__pointer(struct ue__line *line, struct ue__directive *d, const char *extension,
			size_t n, const void *p)
{
	const unsigned char *bytes = (const unsigned char *)p;
	char kind = n ? extension[0] : '\0';
	const char *bad = ue__bad_pointer(p);
	char text[128], *end = text;
	int i, length;

	switch (kind) {
	case 'h': case 'b': case 'M': case 'm': case 'I': case 'i': case 'U': case 'a': case 'V':
		if (bad) {
			d->precision = -1;
			ue__add_padded(line, d, bad);
			return;
		}
	}
	switch (kind) {
	case 'h':
		length = d->width < 0 ? 1 : d->width > 64 ? 64 : d->width;
		for (i = 0; i < length; i++) {
			end = ue__hex_byte(text, bytes[i], false);
			if (i + 1 < length && !ue__has(extension, n, 'N'))
				*end++ = ue__has(extension, n, 'C') ? ':' :
					 ue__has(extension, n, 'D') ? '-' : ' ';
			ue__add(line, text, (size_t)(end - text));
		}
		return;
	case 'b':
		ue__bitmap(line, (const unsigned long *)p, d->width > 0 ? d->width : 0,
			   ue__has(extension, n, 'l'));
		return;
	case 'M': case 'm':
		ue__mac(text, extension, n, bytes);
		break;
	case 'I': case 'i':
		ue__ip(text, extension, n, p);
		break;
	case 'U':
		ue__uuid(text, extension, n, bytes);
		break;
	case 'a': /* a physical or DMA address */
		sprintf(text, "0x%016llx", *(const unsigned long long *)p);
		break;
	case 'V': {
		const struct va_format *v = (const struct va_format *)p;
		size_t at = line->length < line->size ? line->length : line->size;

		line->length += (size_t)ue__vformat(line->size ? line->buffer + at : NULL,
						    line->size - at, v->fmt, *v->va);
		return;
	}
	case 'S': case 's': case 'F': case 'f': case 'B': /* kernel symbols */
		sprintf(text, "0x%0*llx", 2 * (int)sizeof(void *),
			(unsigned long long)(uintptr_t)p);
		break;
	case 'e':
		if (ue__error_name((uintptr_t)p)) {
			sprintf(text, "-%s", ue__error_name((uintptr_t)p));
			break;
		} /* fall through */
	default:
		sprintf(text, strchr(d->flags, '#') ? "0x%0*llx" : "%0*llx",
			d->width < 0 ? 2 * (int)sizeof(void *) : 0,
			(unsigned long long)(uintptr_t)p);
	}
	ue__add_padded(line, d, text);
}

/*
 * A va_list in a struct, so that its address can be passed to functions. Where va_list is an array
 * type, a va_list parameter is a pointer, and its address has the wrong type.
 */
struct ue__arguments {
	va_list list;
};

/*
 * Reads the integer argument of a conversion. Sign-extends signed integers to 64 bits, and
 * truncates unsigned integers to their size.
 */
UE__I_FN unsigned long long ue__integer(const struct ue__directive *d, struct ue__arguments *args,
				      bool is_signed)
{
	unsigned long long n;

	if (d->size == 'L')
		return va_arg(args->list, unsigned long long);
	if (d->size == 'l')
		return is_signed ? (unsigned long long)va_arg(args->list, long) :
				   va_arg(args->list, unsigned long);
	n = (unsigned long long)va_arg(args->list, int);
	switch (d->size) {
	case 'H':
		return is_signed ? (unsigned long long)(signed char)n : (unsigned char)n;
	case 'h':
		return is_signed ? (unsigned long long)(short)n : (unsigned short)n;
	}
	return is_signed ? n : (unsigned int)n;
}

UE__I_FN const char *ue__number(const char *s, int *n)
{
	for (*n = 0; *s >= '0' && *s <= '9'; s++)
		*n = *n < 100000 ? *n * 10 + (*s - '0') : *n;
	return s;
}

/* Parses a conversion specification after its %. Returns a pointer to the conversion letter. */
UE__I_FN const char *ue__directive(struct ue__directive *d, const char *s,
				 struct ue__arguments *args)
{
	size_t flags = 0;

	memset(d, 0, sizeof(*d));
	d->width = d->precision = -1;
	for (; *s && strchr("-+ #0", *s); s++) {
		if (!strchr(d->flags, *s) && flags < sizeof(d->flags) - 1)
			d->flags[flags++] = *s;
	}
	if (*s == '*') {
		d->width = va_arg(args->list, int);
		s++;
		if (d->width < 0) {
			d->width = d->width < -100000 ? 100000 : -d->width;
			d->left = true;
			if (!strchr(d->flags, '-') && flags < sizeof(d->flags) - 1)
				d->flags[flags++] = '-';
		}
	} else if (*s >= '0' && *s <= '9') {
		s = ue__number(s, &d->width);
	}
	if (*s == '.') {
		if (*++s == '*') {
			d->precision = va_arg(args->list, int);
			s++;
		} else {
			s = ue__number(s, &d->precision);
		}
	}
	d->left |= strchr(d->flags, '-') != NULL;
	for (; *s && strchr("hlLqjzt", *s); s++) {
		if (*s == 'h')
			d->size = d->size == 'h' ? 'H' : 'h';
		else if (*s == 'l')
			d->size = d->size == 'l' ? 'L' : 'l';
		else
			d->size = *s == 'L' || *s == 'q' || *s == 'j' ? 'L' : 'l';
	}
	return s; /* size_t and ptrdiff_t are as wide as long on Linux */
}

UE__I_FN int ue__vformat(char *buffer, size_t size, const char *format, va_list list)
{
	struct ue__arguments args;
	struct ue__line line;
	struct ue__directive d;
	char spec[16];
	int width;
	const char *s;
	size_t n;

	line.buffer = buffer;
	line.size = size;
	line.length = 0;
	va_copy(args.list, list);
	if (size)
		buffer[0] = '\0';
	for (s = format; *s;) {
		n = strcspn(s, "%");
		ue__add(&line, s, n);
		s += n;
		if (!*s)
			break;
		s = ue__directive(&d, s + 1, &args);
		width = d.width < 0 ? 0 : d.width;
		switch (*s) {
		case 'd': case 'i': case 'u': case 'x': case 'X': case 'o':
			sprintf(spec, "%%%s*.*ll%c", d.flags, *s);
			UE__ADD_PRINTED(&line, spec, width, d.precision,
				       ue__integer(&d, &args, *s == 'd' || *s == 'i'));
			break;
		case 'a': case 'A': case 'e': case 'E': case 'f': case 'F': case 'g': case 'G':
			sprintf(spec, "%%%s*.*%s%c", d.flags, d.size == 'L' ? "L" : "", *s);
			if (d.size == 'L')
				UE__ADD_PRINTED(&line, spec, width, d.precision,
					       va_arg(args.list, long double));
			else
				UE__ADD_PRINTED(&line, spec, width, d.precision,
					       va_arg(args.list, double));
			break;
		case 'c':
			UE__ADD_PRINTED(&line, d.left ? "%-*c" : "%*c", width,
					va_arg(args.list, int));
			break;
		case 's': {
			const char *string = va_arg(args.list, const char *);
			const char *bad = ue__bad_pointer(string);

			ue__add_padded(&line, &d, bad ? bad : string);
			break;
		}
		case 'p': {
			const void *pointer = va_arg(args.list, const void *);

			n = strspn(s + 1, "0123456789abcdefghijklmnopqrstuvwxyz"
					  "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
			ue__pointer(&line, &d, s + 1, n, pointer);
			s += n;
			break;
		}
		case '%':
			ue__add(&line, "%", 1);
			break;
		default: /* unknown conversions are printed literally and use no argument */
			ue__add(&line, "%", 1);
			continue;
		}
		s++;
	}
	va_end(args.list);
	return (int)line.length;
}

UE__I_FN __attribute__((__format__(__printf__, 3, 4))) int ue__format(char *buffer, size_t size,
								     const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = ue__vformat(buffer, size, format, args);
	va_end(args);
	return n;
}
UE__I_END

/*
 * struct trace_seq contains the NUL-terminated texts of the helpers for TP_printk, one after the
 * other. If TP_printk calls functions of the program with P, these also append their text. Text
 * that does not fit is truncated.
 */
#define TRACE_SEQ_BUFFER_SIZE 8192

struct trace_seq {
	char buffer[TRACE_SEQ_BUFFER_SIZE];
	size_t length; /* length of the text in bytes, less than TRACE_SEQ_BUFFER_SIZE */
	int full;
};
UE__I_BEGIN

UE__I_FN void trace_seq_init(struct trace_seq *s)
{
	s->length = 0;
	s->full = 0;
	s->buffer[0] = s->buffer[TRACE_SEQ_BUFFER_SIZE - 1] = '\0';
}

UE__I_FN char *trace_seq_buffer_ptr(struct trace_seq *s)
{
	return s->buffer + s->length;
}

UE__I_FN bool trace_seq_has_overflowed(struct trace_seq *s)
{
	return s->full != 0;
}

UE__I_FN void ue__advance(struct trace_seq *s, size_t n)
{
	size_t room = TRACE_SEQ_BUFFER_SIZE - 1 - s->length;

	s->full |= n > room;
	s->length += n < room ? n : room;
}

/*
 * Reserves N bytes and counts them as written. Returns their address, or NULL if they do not fit.
 */
UE__I_FN char *trace_seq_acquire(struct trace_seq *s, unsigned int n)
{
	char *p = trace_seq_buffer_ptr(s);

	if (n > TRACE_SEQ_BUFFER_SIZE - 1 - s->length)
		return NULL;
	ue__advance(s, n);
	return p;
}

UE__I_FN void trace_seq_putmem(struct trace_seq *s, const void *data, unsigned int n)
{
	size_t room = TRACE_SEQ_BUFFER_SIZE - 1 - s->length;

	memcpy(trace_seq_buffer_ptr(s), data, n < room ? n : room);
	ue__advance(s, n);
}

UE__I_FN void trace_seq_puts(struct trace_seq *s, const char *text)
{
	trace_seq_putmem(s, text, (unsigned int)strlen(text));
}

UE__I_FN void trace_seq_putc(struct trace_seq *s, unsigned char c)
{
	trace_seq_putmem(s, &c, 1);
}

UE__I_FN void trace_seq_vprintf(struct trace_seq *s, const char *format, va_list args)
{
	ue__advance(s, (size_t)ue__vformat(trace_seq_buffer_ptr(s),
					   TRACE_SEQ_BUFFER_SIZE - s->length, format, args));
}

UE__I_FN __attribute__((__format__(__printf__, 2, 3))) void trace_seq_printf(struct trace_seq *s,
									    const char *format, ...)
{
	va_list args;

	va_start(args, format);
	trace_seq_vprintf(s, format, args);
	va_end(args);
}
UE__I_END

/* Helpers for TP_printk. They append a text to P, and return that text. */
struct trace_print_flags {
	unsigned long long mask;
	const char *name;
#ifdef __cplusplus
	/* accepts any integer; compilers warn about a negative number in braces */
	template <class T>
	constexpr trace_print_flags(T m, const char *n) : mask((unsigned long long)m), name(n)
	{
	}
#endif
};
#define trace_print_flags_u64 trace_print_flags
UE__I_BEGIN

UE__I_FN void ue__put_name(struct trace_seq *p, const char *name, const char *delimiter,
	bool *first)
{
	if (!*first && delimiter)
		trace_seq_puts(p, delimiter);
	*first = false;
	trace_seq_puts(p, name);
}

/*
 * MOST is the maximum value of the type that the helper prints, unsigned long or a 64-bit integer.
 */
UE__I_FN const char *ue__print_flags(struct trace_seq *p, const char *delimiter,
				   unsigned long long flags, unsigned long long most,
				   const struct trace_print_flags *array, size_t count)
{
	const char *text = trace_seq_buffer_ptr(p);
	unsigned long long mask;
	bool first = true;
	size_t i;

	for (i = 0; i < count && array[i].name && flags; i++) {
		mask = array[i].mask & most;
		if ((flags & mask) != mask)
			continue;
		flags &= ~mask;
		ue__put_name(p, array[i].name, delimiter, &first);
	}
	if (flags) {
		ue__put_name(p, "", delimiter, &first);
		trace_seq_printf(p, "0x%llx", flags);
	}
	trace_seq_putc(p, 0);
	return text;
}

UE__I_FN const char *ue__print_symbol(struct trace_seq *p, unsigned long long value,
				    unsigned long long most, const struct trace_print_flags *array,
				    size_t count)
{
	const char *text = trace_seq_buffer_ptr(p);
	size_t i;

	for (i = 0; i < count && array[i].name; i++)
		if (value == (array[i].mask & most))
			break;
	if (i < count && array[i].name)
		trace_seq_puts(p, array[i].name);
	else
		trace_seq_printf(p, "0x%llx", value);
	trace_seq_putc(p, 0);
	return text;
}

UE__I_FN const char *ue__print_hex(struct trace_seq *p, const void *data, int size, bool joined)
{
	const char *text = trace_seq_buffer_ptr(p);
	const unsigned char *bytes = (const unsigned char *)data;
	char hex[4];
	int i;

	for (i = 0; i < size; i++) {
		if (i && !joined)
			trace_seq_putc(p, ' ');
		trace_seq_putmem(p, hex, (unsigned int)(ue__hex_byte(hex, bytes[i], false) - hex));
	}
	trace_seq_putc(p, 0);
	return text;
}

UE__I_FN const char *ue__print_array(struct trace_seq *p, const void *array, int count, size_t size)
{
	const char *text = trace_seq_buffer_ptr(p);
	const unsigned char *element = (const unsigned char *)array;
	int i;

	trace_seq_putc(p, '{');
	for (i = 0; i < count; i++, element += size) {
		unsigned long long value = 0;

		memcpy((char *)&value + (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 8 - size : 0),
		       element, size);
		trace_seq_printf(p, "%s0x%llx", i ? "," : "", value);
	}
	trace_seq_putc(p, '}');
	trace_seq_putc(p, 0);
	return text;
}

UE__I_FN const char *ue__print_bitmask(struct trace_seq *p, const void *bits, size_t size)
{
	const char *text = trace_seq_buffer_ptr(p);

	trace_seq_printf(p, "%*pb", (int)size * 8, bits);
	trace_seq_putc(p, 0);
	return text;
}

enum { DUMP_PREFIX_NONE, DUMP_PREFIX_ADDRESS, DUMP_PREFIX_OFFSET };

/*
 * Writes one line of a hex dump: N bytes in groups, then as characters. Aligns the characters as in
 * a full line of ROW bytes.
 */
UE__I_FN void ue__hex_line(struct trace_seq *p, const unsigned char *bytes, size_t n, size_t row,
			 size_t group, bool ascii)
{
	size_t i, start = p->length, column = row * 2 + row / group + 1;

	for (i = 0; i < n; i += group) {
		unsigned long long value = 0;

		memcpy((char *)&value + (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 8 - group : 0),
		       bytes + i, group);
		trace_seq_printf(p, "%s%0*llx", i ? " " : "", 2 * (int)group, value);
	}
	if (!ascii)
		return;
	while (p->length < start + column && !p->full)
		trace_seq_putc(p, ' ');
	for (i = 0; i < n; i++)
		trace_seq_putc(p, bytes[i] >= 0x20 && bytes[i] < 0x7f ? bytes[i] : '.');
}

UE__I_FN const char *ue__print_hex_dump(struct trace_seq *p, const char *prefix, int type, int row,
				      int group, const void *data, size_t size, bool ascii)
{
	const char *text = trace_seq_buffer_ptr(p);
	const unsigned char *bytes = (const unsigned char *)data;
	size_t i, n, width = row == 32 ? 32 : 16, unit = group > 0 ? (size_t)group : 1;

	trace_seq_putc(p, '\n');
	for (i = 0; i < size; i += width) {
		n = size - i < width ? size - i : width;
		trace_seq_puts(p, prefix);
		if (type == DUMP_PREFIX_ADDRESS)
			trace_seq_printf(p, "%p: ", (const void *)(bytes + i));
		else if (type == DUMP_PREFIX_OFFSET)
			trace_seq_printf(p, "%.8x: ", (unsigned int)i);
		/*
		 * like the kernel, prints single bytes if the line is not a multiple of the group
		 */
		ue__hex_line(p, bytes + i, n, width,
			     (unit == 2 || unit == 4 || unit == 8) && n % unit == 0 ? unit : 1,
			     ascii);
		trace_seq_putc(p, '\n');
	}
	trace_seq_putc(p, 0);
	return text;
}

/*
 * Functions for __vstring. The first returns the length of the text including its NUL, and the
 * second writes the text.
 */
#define TRACE_EVENT_STR_MAX 512

UE__I_FN size_t ue__vstring_size(const char *format, va_list *args)
{
	int n = ue__vformat(NULL, 0, format, *args);

	return n < TRACE_EVENT_STR_MAX - 1 ? (size_t)n + 1 : TRACE_EVENT_STR_MAX;
}

UE__I_FN void ue__assign_vstr(void *record, uint32_t loc, const char *format, va_list *args)
{
	ue__vformat((char *)record + (loc & 0xffff), loc >> 16, format, *args);
}
UE__I_END


#define UE__COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
#define UE__PRINT_FLAGS(flags, most, delimiter, ...) \
	(__extension__({ \
		static const struct trace_print_flags ue__flag_names[] = { __VA_ARGS__ }; \
		ue__print_flags(p, delimiter, (unsigned long long)(flags), most, ue__flag_names, \
				UE__COUNT_OF(ue__flag_names)); \
	}))
#define UE__PRINT_SYMBOL(value, most, ...) \
	(__extension__({ \
		static const struct trace_print_flags ue__flag_names[] = { __VA_ARGS__ }; \
		ue__print_symbol(p, (unsigned long long)(value), most, ue__flag_names, \
				 UE__COUNT_OF(ue__flag_names)); \
	}))
#include <ue_trace_event/helpers.h>
#endif
