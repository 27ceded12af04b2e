/* SPDX-License-Identifier: MIT */
/*
 * Tests the kernel's printf() formats, which are used in TP_printk. Standard formats are compared
 * with libc. The extensions of %p follow Documentation/core-api/printk-formats.rst in the Linux
 * sources.
 */
#include <limits.h>
#include <math.h>
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "test.h"

#include <linux/trace_seq.h>

/* The compiler checks formats by libc's rules, which lack some of the kernel's formats. */
#pragma GCC diagnostic ignored "-Wformat"

static char text[9000];

/*
 * Repeats the output with smaller buffers. The text must be truncated and NUL-terminated, and the
 * bytes after the NUL must not change.
 */
static void check_sizes(const char *format, va_list args, const char *want)
{
	static const size_t rooms[] = { 0, 1, 2, 3, 5, 8, 13 };
	size_t i, n = strlen(want);

	for (i = 0; i < sizeof(rooms) / sizeof(rooms[0]); i++) {
		char *room = malloc(rooms[i] ? rooms[i] : 1);
		size_t fits = rooms[i] ? rooms[i] - 1 : 0;

		assert_non_null(room);
		assert_int_equal(ue__vformat(room, rooms[i], format, args), n);
		if (rooms[i]) {
			assert_memory_equal(room, want, fits < n ? fits : n);
			assert_int_equal(room[fits < n ? fits : n], '\0');
		}
		free(room);
	}
}

static void assert_format(const char *want, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = ue__vformat(text, sizeof(text), format, args);
	assert_string_equal(text, want);
	assert_int_equal(n, strlen(want));
	check_sizes(format, args, want);
	va_end(args);
}

/* Checks that the output for a standard format equals that of libc's snprintf(). */
#define assert_plain(...)                                    \
	do {                                                 \
		char want_[512];                             \
		snprintf(want_, sizeof(want_), __VA_ARGS__); \
		assert_format(want_, __VA_ARGS__);           \
	} while (0)

TEST(test_integers_of_every_size)
{
	static const char *const flags[] = { "", "-", "0", "+", " ", "#", "-#", "0+", "# 0" };
	static const char *const sizes[] = { "", "5", "20", ".0", ".3", "12.5", "*", ".*", "*.*" };
	static const char letters[] = "diuxXo";
	static const long long values[] = { 0, 1, -1, 42, INT_MIN, INT_MAX, LLONG_MIN, LLONG_MAX };
	size_t f, s, l, v;

	for (f = 0; f < sizeof(flags) / sizeof(flags[0]); f++)
		for (s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
			for (l = 0; letters[l]; l++)
				for (v = 0; v < sizeof(values) / sizeof(values[0]); v++) {
					int width = (int)v * 3 - 9, stars = 0;
					const char *p;
					char format[40];

					for (p = sizes[s]; *p; p++)
						stars += *p == '*';
					snprintf(format, sizeof(format), "<%%%s%s%c>", flags[f],
						 sizes[s], letters[l]);
					if (stars == 0)
						assert_plain(format, (int)values[v]);
					else if (stars == 1)
						assert_plain(format, width, (int)values[v]);
					else
						assert_plain(format, width, 4, (int)values[v]);
					snprintf(format, sizeof(format), "<%%%s%sll%c>", flags[f],
						 sizes[s], letters[l]);
					if (stars == 0)
						assert_plain(format, values[v]);
				}
	assert_plain("%hhd %hhu %hhx", 0x1ff, 0x1ff, -1);
	assert_plain("%hd %hu %hx", 0x1ffff, 0x1ffff, -1);
	assert_plain("%ld %lu %lx", -1L, -1L, 255L);
	assert_plain("%zd %zu %td %jd", (ssize_t)-1, (size_t)-1, (ptrdiff_t)-2, (intmax_t)-3);
	assert_format("-1 18446744073709551615 ff", "%Ld %Lu %Lx", -1LL, -1LL, 255LL);
	assert_format("18446744073709551615", "%qu", -1LL);
}

TEST(test_strings_characters_and_the_rest)
{
	assert_plain("%s|%10s|%-10s|%.2s|%5.1s|%.*s", "abc", "abc", "abc", "abc", "abc", 1, "abc");
	assert_format("(null)|   (nul|(null)", "%s|%7.4s|%.9s", NULL, NULL, NULL);
	assert_format("(efault)", "%s", (char *)(intptr_t)-14);
	assert_plain("%c%5c%-5c|", 'a', 'b', 'c');
	assert_plain("100%%");
	assert_plain("no directive");
	assert_plain("%s", "");
	/* the kernel does not support these formats, but programs can use them */
	assert_plain("%g %f %.3e %10.2f %-10.1f| %a %Lf", 1.5, -2.25, 1e9, 3.14159, 2.5, 1.0,
		     (long double)0.5);
	/* unknown formats are printed unchanged */
	assert_format("%y 1", "%y %d", 1);
	assert_format("%", "%");
	assert_format("%n", "%n");
}

TEST(test_a_precision_ends_a_string_without_a_nul)
{
	char *exactly = malloc(3);

	assert_non_null(exactly);
	memcpy(exactly, "abc", 3);
	assert_format("abc", "%.3s", exactly);
	free(exactly);
}

TEST(test_pointers)
{
	const void *p = (void *)0x1234abcd;

#if __SIZEOF_LONG__ == 8
	assert_format("000000001234abcd", "%p", p);
	assert_format("000000001234abcd", "%px", p);
	assert_format("000000001234abcd", "%pK", p);
	assert_format("0000000000000000", "%p", NULL);
	assert_format("0x000000001234abcd", "%#p", p);
	assert_format("0x000000001234abcd 0x000000001234abcd", "%pS %ps", p, p);
	assert_format("0x000000001234abcd 0x000000001234abcd", "%pSR %pB", p, p);
	assert_format("    1234abcd|1234abcd    |", "%12p|%-12px|", p, p);
#else
	assert_format("1234abcd 1234abcd 00000000", "%p %px %p", p, p, NULL);
	assert_format("0x1234abcd 0x1234abcd", "%#p %pS", p, p);
#endif
	/* letters after %p are part of the format */
	assert_format("-ENOENT, -EHWPOISON", "%pe, %pe", (void *)(intptr_t)-ENOENT,
		      (void *)(intptr_t)-EHWPOISON);
	assert_format("   -EIO|", "%7pe|", (void *)(intptr_t)-EIO);
#if __SIZEOF_LONG__ == 8
	assert_format("000000001234abcd", "%pe", p);
	assert_format("fffffffffffff001", "%pe", (void *)(intptr_t)-4095);
#endif
}

TEST(test_network_addresses)
{
	static const unsigned char ip4[] = { 192, 168, 1, 20 };
	static const unsigned char mac[] = { 0, 1, 2, 0xaa, 0xbb, 0xcc };
	static const struct {
		const char *want, *ip;
	} short6[] = {
		{ "::", "::" },
		{ "::1", "::1" },
		{ "1::", "1::" },
		{ "2001:db8::1", "2001:db8::1" },
		{ "2001:0:0:1::1", "2001:0:0:1::1" },
		{ "2001::1:0:0:1", "2001:0:0:0:1:0:0:1" },
		{ "2001:db8::1:0:0:1", "2001:db8:0:0:1:0:0:1" },
		{ "2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1" },
		{ "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8" },
		{ "1:2:3:4:5:6:7:0", "1:2:3:4:5:6:7:0" },
		{ "1:2:3:4:5:6::", "1:2:3:4:5:6:0:0" },
		{ "::ffff:192.0.2.1", "::ffff:192.0.2.1" },
		{ "fe80::5efe:192.0.2.1", "fe80::5efe:192.0.2.1" },
		{ "fe80::200:5efe:192.0.2.1", "fe80::200:5efe:192.0.2.1" },
	};
	struct in6_addr in6;
	size_t i;

	assert_format("192.168.1.20 192.168.001.020", "%pI4 %pi4", ip4, ip4);
	assert_format("192.168.1.20 192.168.1.20", "%pI4n %pI4b", ip4, ip4);
	assert_format("20.1.168.192", "%pI4l", ip4);
	assert_format(htonl(1) == 1 ? "192.168.1.20" : "20.1.168.192", "%pI4h", ip4);
	assert_format("    192.168.1.20|192.168.1.20    |", "%16pI4|%-16pI4|", ip4, ip4);
	for (i = 0; i < sizeof(short6) / sizeof(short6[0]); i++) {
		assert_int_equal(inet_pton(AF_INET6, short6[i].ip, &in6), 1);
		assert_format(short6[i].want, "%pI6c", &in6);
	}
	assert_int_equal(inet_pton(AF_INET6, "2001:db8::12:3", &in6), 1);
	assert_format("2001:0db8:0000:0000:0000:0000:0012:0003", "%pI6", &in6);
	assert_format("20010db8000000000000000000120003", "%pi6", &in6);
	assert_format("00:01:02:aa:bb:cc 000102aabbcc", "%pM %pm", mac, mac);
	assert_format("00-01-02-aa-bb-cc cc:bb:aa:02:01:00 ccbbaa020100", "%pMF %pMR %pmR", mac,
		      mac, mac);
}

TEST(test_socket_addresses)
{
	struct sockaddr_in in;
	struct sockaddr_in6 in6;

	memset(&in, 0, sizeof(in));
	in.sin_family = AF_INET;
	in.sin_port = htons(80);
	in.sin_addr.s_addr = htonl(0x01020304);
	assert_format("1.2.3.4 001.002.003.004 1.2.3.4:80 1.2.3.4:80", "%pIS %piS %pISp %pISpfsc",
		      &in, &in, &in, &in);
	memset(&in6, 0, sizeof(in6));
	in6.sin6_family = AF_INET6;
	in6.sin6_port = htons(8080);
	in6.sin6_flowinfo = htonl(7);
	in6.sin6_scope_id = 3;
	in6.sin6_addr.s6_addr[15] = 1;
	assert_format("0000:0000:0000:0000:0000:0000:0000:0001 ::1", "%pIS %pISc", &in6, &in6);
	assert_format("[::1]:8080 [::1]:8080/7%3 [::1]%3", "%pISpc %pISpfsc %pIScs", &in6, &in6,
		      &in6);
	in6.sin6_family = AF_UNIX;
	assert_format("(einval)", "%pIS", &in6);
}

TEST(test_bytes_bits_and_uuids)
{
	static const unsigned char bytes[70] = { 0, 1, 0x7f, 0xff };
	static const unsigned char uuid[] = {
		0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	};
	unsigned long bits[BITS_TO_LONGS(100)] = { 0 };
	char want[200];
	int i;

	assert_format("00 01 7f ff", "%*ph", 4, bytes);
	assert_format("00:01:7f:ff 00-01-7f 00017fff", "%*phC %*phD %4phN", 4, bytes, 3, bytes,
		      bytes);
	assert_format("00|", "%ph|", bytes);
	assert_format("|", "%*ph|", 0, bytes);
	for (i = 0, want[0] = '\0'; i < 64; i++)
		sprintf(want + strlen(want), "%02x", bytes[i]);
	assert_format(want, "%70phN", bytes); /* the maximum value is 64 */
	__set_bit(0, bits);
	__set_bit(1, bits);
	__set_bit(33, bits);
	for (i = 60; i < 70; i++)
		__set_bit((unsigned long)i, bits);
	__set_bit(99, bits);
	assert_format("8,0000003f,f0000002,00000003", "%*pb", 100, bits);
	assert_format("0-1,33,60-69,99", "%*pbl", 100, bits);
	assert_format("3", "%2pb", bits);
	assert_format("1", "%1pb", bits);
	assert_format("0-1", "%32pbl", bits);
	assert_format("|", "%*pb|", 0, bits);
	assert_format("00010203-0405-0607-0809-0a0b0c0d0e0f", "%pU", uuid);
	assert_format("00010203-0405-0607-0809-0A0B0C0D0E0F", "%pUB", uuid);
	assert_format("03020100-0504-0706-0809-0a0b0c0d0e0f", "%pUl", uuid);
	assert_format("03020100-0504-0706-0809-0A0B0C0D0E0F", "%pUL", uuid);
}

static void nested(const char *want, const char *format, ...)
{
	struct va_format vaf;
	va_list args;

	va_start(args, format);
	vaf.fmt = format;
	vaf.va = &args;
	assert_format(want, "<%pV> %d", &vaf, 3);
	va_end(args);
}

TEST(test_addresses_by_reference_and_nested_formats)
{
	unsigned long long address = 0x12345678;

	assert_format("0x0000000012345678", "%pa", &address);
	assert_format("0x0000000012345678 0x0000000012345678", "%pap %pad", &address, &address);
	nested("<a 1 b> 3", "a %d %s", 1, "b");
	nested("<> 3", "%s", "");
}

TEST(test_null_pointers_are_not_followed)
{
	static const char *const formats[] = { "%pI4", "%pI6c", "%pIS", "%pM",
					       "%pm",  "%pU",	"%pa",	"%pV" };
	size_t i;

	for (i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		assert_format("(null)", formats[i], NULL);
		assert_format("(efault)", formats[i], (void *)(intptr_t)-EFAULT);
		assert_format("(efault)", formats[i], (void *)8);
	}
	assert_format("(null)", "%*ph", 4, NULL);
	assert_format("(null)", "%*pb", 4, NULL);
	assert_format("(null)", "%*pbl", 4, NULL);
}

/* ---- struct trace_seq ---- */

TEST(test_a_trace_seq_appends_its_texts)
{
	static struct trace_seq s;
	char *first, *second;

	trace_seq_init(&s);
	first = trace_seq_buffer_ptr(&s);
	trace_seq_printf(&s, "%d", 12);
	trace_seq_putc(&s, 0);
	second = trace_seq_buffer_ptr(&s);
	trace_seq_puts(&s, "ab");
	trace_seq_putmem(&s, "cd", 2);
	trace_seq_putc(&s, 0);
	assert_string_equal(first, "12");
	assert_string_equal(second, "abcd");
	assert_false(trace_seq_has_overflowed(&s));
}

TEST(test_a_full_trace_seq_truncates)
{
	static struct trace_seq s;
	char *last;
	int i;

	trace_seq_init(&s);
	for (i = 0; i < TRACE_SEQ_BUFFER_SIZE / 16; i++)
		trace_seq_puts(&s, "0123456789abcdef");
	assert_true(trace_seq_has_overflowed(&s));
	assert_int_equal(strlen(s.buffer), TRACE_SEQ_BUFFER_SIZE - 1);
	last = trace_seq_buffer_ptr(&s);
	trace_seq_printf(&s, "more %d", 1);
	trace_seq_putc(&s, 0);
	assert_string_equal(last, "");
	assert_true(trace_seq_acquire(&s, 1) == NULL);
	trace_seq_init(&s);
	last = trace_seq_acquire(&s, 4);
	assert_non_null(last);
	strcpy(last, "abc");
	assert_string_equal(s.buffer, "abc");
	assert_true(trace_seq_buffer_ptr(&s) == last + 4);
}

TEST(test_a_hex_dump_has_the_kernels_columns)
{
	static struct trace_seq s, *p = &s;
	unsigned char bytes[20];
	int i;

	for (i = 0; i < 20; i++)
		bytes[i] = (unsigned char)(i + 0x3c);
	trace_seq_init(p);
	assert_string_equal(__print_hex_dump("", DUMP_PREFIX_NONE, 16, 1, bytes, 3, false),
			    "\n3c 3d 3e\n");
	assert_string_equal(__print_hex_dump("p", DUMP_PREFIX_NONE, 16, 1, bytes, 3, true),
			    "\np3c 3d 3e                                         <=>\n");
	if (htonl(1) != 1)
		assert_string_equal(
			__print_hex_dump("", DUMP_PREFIX_OFFSET, 16, 4, bytes, 20, true),
			"\n00000000: 3f3e3d3c 43424140 47464544 4b4a4948  <=>?@ABCDEFGHIJK\n"
			"00000010: 4f4e4d4c                             LMNO\n");
	snprintf(text, sizeof(text), "\n%0*lx: 3c\n", 2 * (int)sizeof(void *),
		 (unsigned long)(uintptr_t)bytes);
	assert_string_equal(__print_hex_dump("", DUMP_PREFIX_ADDRESS, 16, 1, bytes, 1, false),
			    text);
	/*
	 * Rows have 16 or 32 bytes. If the length is not a multiple of the group size, single bytes
	 * are printed.
	 */
	assert_string_equal(__print_hex_dump("", DUMP_PREFIX_NONE, 32, 8, bytes, 20, false),
			    "\n3c 3d 3e 3f 40 41 42 43 44 45 46 47 48 49 4a 4b 4c 4d 4e 4f\n");
	assert_string_equal(__print_hex_dump("", DUMP_PREFIX_NONE, 5, 3, bytes, 0, true), "\n");
}

TEST(test_helpers_return_printk_arguments)
{
	static struct trace_seq s, *p = &s;
	static const unsigned short shorts[] = { 1, 0xffff };
	static const unsigned long long longs[] = { 1, ~0ull };

	trace_seq_init(p);
	assert_string_equal(__print_array(shorts, 2, 2), "{0x1,0xffff}");
	assert_string_equal(__print_array(longs, 2, 8), "{0x1,0xffffffffffffffff}");
	assert_string_equal(__print_array(longs, 0, 8), "{}");
	assert_string_equal(__print_hex("\1\xfe", 2), "01 fe");
	assert_string_equal(__print_hex_str("\1\xfe", 2), "01fe");
	assert_string_equal(__print_hex("", 0), "");
	assert_string_equal(__print_symbolic(-1, { -1, "minus" }), "minus");
	assert_string_equal(__print_symbolic(4, { 1, "one" }, { 2, "two" }), "0x4");
	assert_string_equal(__print_flags(0, "|", { 0, "NONE" }), "");
	assert_string_equal(__print_flags(7, "|", { 1, "A" }, { 6, "B" }), "A|B");
	assert_string_equal(__print_flags(5, "|", { 1, "A" }, { 6, "B" }), "A|0x4");
	assert_string_equal(__print_flags(3, "", { 1, "A" }, { 2, "B" }), "AB");
	/* the list may end with a terminating entry */
	assert_string_equal(__print_flags(3, "|", { 1, "A" }, { 0, NULL }, { 2, "B" }), "A|0x2");
	assert_true(__print_ns_to_secs(12345678901ull) == 12);
	assert_int_equal(__print_ns_without_secs(12345678901ull), 345678901);
}

TESTS_MAIN
