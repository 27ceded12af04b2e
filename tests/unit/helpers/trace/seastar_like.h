/* SPDX-License-Identifier: MIT */
/*
 * An LTTng-UST provider in the style of Seastar: new macro names, every kind of field, and events
 * with many fields.
 */
/* clang-format off */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER reactor

#if !defined(SEASTAR_LIKE_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define SEASTAR_LIKE_H

#include <lttng/tracepoint.h>
#include <stdbool.h>

#ifndef TAKEN /* redefined by a test that counts evaluations of a length */
#define TAKEN(n) n
#endif

LTTNG_UST_TRACEPOINT_ENUM(
	reactor, states,
	LTTNG_UST_TP_ENUM_VALUES(
		lttng_ust_field_enum_value("idle", 0)
		lttng_ust_field_enum_range("busy", 1, 3)
	)
)

LTTNG_UST_TRACEPOINT_EVENT(
	reactor, numbers,
	LTTNG_UST_TP_ARGS(int, a, unsigned long long, b, short, c, char, d, double, e, float, f,
			  bool, g, const char *, h, void *, i, unsigned char, j),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer(int, a, a)
		lttng_ust_field_integer_hex(unsigned long long, b, b)
		lttng_ust_field_integer_network(short, c, c)
		lttng_ust_field_integer_network_hex(unsigned int, c_hex, 0x01020304u)
		lttng_ust_field_integer(char, d, d)
		lttng_ust_field_float(double, e, e)
		lttng_ust_field_float(float, f, f)
		lttng_ust_field_integer(bool, g, g)
		lttng_ust_field_string(h, h)
		lttng_ust_field_integer(void *, i, i)
		lttng_ust_field_enum(reactor, states, unsigned char, j, j)
		lttng_ust_field_unused(j)
	)
)
LTTNG_UST_TRACEPOINT_LOGLEVEL(reactor, numbers, LTTNG_UST_TRACEPOINT_LOGLEVEL_ERR)

LTTNG_UST_TRACEPOINT_EVENT(
	reactor, arrays,
	LTTNG_UST_TP_ARGS(const int *, p, const char *, s, int, n),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_array(int, array, p, 2)
		lttng_ust_field_array_hex(int, array_hex, p, 2)
		lttng_ust_field_array_network(int, array_network, p, 2)
		lttng_ust_field_array_network_hex(int, array_network_hex, p, 2)
		lttng_ust_field_array_text(char, array_text, s, 4)
		lttng_ust_field_array(char, chars, s, 2)
		lttng_ust_field_fixed_length_blob(blob, s, 2, NULL)
	)
)
LTTNG_UST_TRACEPOINT_LOGLEVEL(reactor, arrays, LTTNG_UST_TRACEPOINT_LOGLEVEL_WARNING)

LTTNG_UST_TRACEPOINT_EVENT(
	reactor, sequences,
	LTTNG_UST_TP_ARGS(const int *, p, const char *, s, int, n),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_sequence(int, sequence, p, int, n)
		lttng_ust_field_sequence_hex(int, sequence_hex, p, int, n)
		lttng_ust_field_sequence_network(int, sequence_network, p, int, TAKEN(n))
		lttng_ust_field_sequence_network_hex(int, sequence_network_hex, p, int, n)
		lttng_ust_field_sequence_text(char, sequence_text, s, int, n)
		lttng_ust_field_variable_length_blob(blob, s, size_t, n, "text/plain")
		lttng_ust_field_float(double, half, n / 2.0)
		lttng_ust_field_integer_nowrite(int, x, n)
		lttng_ust_field_float_nowrite(double, x, n)
		lttng_ust_field_enum_nowrite(reactor, states, int, x, n)
		lttng_ust_field_string_nowrite(x, s)
		lttng_ust_field_unused_nowrite(s)
		lttng_ust_field_array_nowrite(int, x, p, 2)
		lttng_ust_field_array_nowrite_hex(int, x, p, 2)
		lttng_ust_field_array_network_nowrite(int, x, p, 2)
		lttng_ust_field_array_network_nowrite_hex(int, x, p, 2)
		lttng_ust_field_array_text_nowrite(char, x, s, 2)
		lttng_ust_field_sequence_nowrite(int, x, p, int, n)
		lttng_ust_field_sequence_nowrite_hex(int, x, p, int, n)
		lttng_ust_field_sequence_network_nowrite(int, x, p, int, n)
		lttng_ust_field_sequence_network_nowrite_hex(int, x, p, int, n)
		lttng_ust_field_sequence_text_nowrite(char, x, s, int, n)
		lttng_ust_field_fixed_length_blob_nowrite(x, s, 2, NULL)
		lttng_ust_field_variable_length_blob_nowrite(x, s, size_t, n, NULL)
	)
)
LTTNG_UST_TRACEPOINT_LOGLEVEL(reactor, sequences, LTTNG_UST_TRACEPOINT_LOGLEVEL_WARNING)

#define SEASTAR_LIKE_FIVE(name, n) \
	lttng_ust_field_integer(int, name##0, n) lttng_ust_field_integer(int, name##1, n) \
	lttng_ust_field_integer(int, name##2, n) lttng_ust_field_integer(int, name##3, n) \
	lttng_ust_field_integer(int, name##4, n)
#define SEASTAR_LIKE_25(name, n) \
	SEASTAR_LIKE_FIVE(name##0, n) SEASTAR_LIKE_FIVE(name##1, n) \
	SEASTAR_LIKE_FIVE(name##2, n) SEASTAR_LIKE_FIVE(name##3, n) \
	SEASTAR_LIKE_FIVE(name##4, n)

/*
 * Events with the maximum number of fields of a kernel-typed event, with one field more, and with
 * more fields than the macros can count. Some of the names are long.
 */
LTTNG_UST_TRACEPOINT_EVENT(reactor, most, LTTNG_UST_TP_ARGS(int, n),
	LTTNG_UST_TP_FIELDS(SEASTAR_LIKE_25(a, n) SEASTAR_LIKE_25(b, n) SEASTAR_LIKE_FIVE(c, n)))
LTTNG_UST_TRACEPOINT_EVENT(reactor, more, LTTNG_UST_TP_ARGS(int, n),
	LTTNG_UST_TP_FIELDS(SEASTAR_LIKE_25(a, n) SEASTAR_LIKE_25(b, n) SEASTAR_LIKE_FIVE(c, n)
		SEASTAR_LIKE_FIVE(d, n) lttng_ust_field_array_text(char, text, "abc", 2)
		lttng_ust_field_integer_hex(short, hex, -n) lttng_ust_field_string(string, NULL)
		lttng_ust_field_float(float, half, n / 2.0f)
		lttng_ust_field_sequence(int, list, &n, int, 1)
		lttng_ust_field_fixed_length_blob(blob, "ab", 2, NULL)))
LTTNG_UST_TRACEPOINT_EVENT(reactor, over, LTTNG_UST_TP_ARGS(int, n),
	LTTNG_UST_TP_FIELDS(SEASTAR_LIKE_25(a, n) SEASTAR_LIKE_25(b, n) SEASTAR_LIKE_25(c, n)
		SEASTAR_LIKE_25(d, n)))
LTTNG_UST_TRACEPOINT_EVENT(reactor, names, LTTNG_UST_TP_ARGS(int, n),
	LTTNG_UST_TP_FIELDS(SEASTAR_LIKE_25(a_field_of_a_long_name, n)))

#endif

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "trace/seastar_like.h"

#include <lttng/tracepoint-event.h>
