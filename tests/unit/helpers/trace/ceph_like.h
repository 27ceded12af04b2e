/* SPDX-License-Identifier: MIT */
/*
 * An LTTng-UST provider in the style of Ceph. Macros generate fields, events have levels and share
 * a class, and other headers are included first.
 */
/* clang-format off */
#undef TRACEPOINT_PROVIDER
#define TRACEPOINT_PROVIDER store

#undef TRACEPOINT_INCLUDE
#define TRACEPOINT_INCLUDE "./trace/ceph_like.h"

#if !defined(CEPH_LIKE_H) || defined(TRACEPOINT_HEADER_MULTI_READ)
#define CEPH_LIKE_H

#include <stdint.h>
#include <lttng/tracepoint.h>

#ifndef CEPH_LIKE_STRING
#define CEPH_LIKE_STRING(field, value) \
	ctf_integer(uint8_t, field##_is_null, ((value) == NULL)) \
	ctf_string(field, ((value) ? (value) : ""))
enum ceph_like_op { OP_READ, OP_WRITE };
#endif

TRACEPOINT_ENUM(store, op, TP_ENUM_VALUES(ctf_enum_value("read", 0) ctf_enum_range("write", 1, 2)))

TRACEPOINT_EVENT(store, write_enter,
	TP_ARGS(
		const char *, name,
		const unsigned char *, data,
		size_t, length,
		enum ceph_like_op, op,
		int64_t, offset),
	TP_FIELDS(
		CEPH_LIKE_STRING(name, name)
		ctf_sequence(unsigned char, data, data, size_t, length)
		ctf_sequence_hex(unsigned char, data_hex, data, size_t, length)
		ctf_enum(store, op, enum ceph_like_op, op, op)
		ctf_integer_nowrite(int64_t, filter, offset)
		ctf_integer(int64_t, offset, offset)
	)
)
TRACEPOINT_LOGLEVEL(store, write_enter, TRACE_INFO)
TRACEPOINT_MODEL_EMF_URI(store, write_enter, "http://example.com/model")

TRACEPOINT_EVENT_CLASS(store, transaction,
	TP_ARGS(const char *, name, int, error, const uint16_t *, parts,
		unsigned int, n, double, weight, void *, at),
	TP_FIELDS(
		CEPH_LIKE_STRING(name, name)
		ctf_integer(int, error, error)
		ctf_integer_hex(int, error_hex, error)
		ctf_integer_network(uint32_t, address, 0)
		ctf_sequence(uint16_t, parts, parts, unsigned int, n)
		ctf_array_hex(uint16_t, first, parts, 2)
		ctf_array_network(uint16_t, first_network, parts, 2)
		ctf_array_text(char, text, "ab\0c", 4)
		ctf_sequence_text(char, prefix, "abc", unsigned int, n)
		ctf_float(double, weight, weight)
		ctf_float(float, half, weight / 2)
		ctf_integer(char, letter, 'A')
		ctf_integer_hex(void *, at, at)
		ctf_unused(at)
	)
)
TRACEPOINT_EVENT_INSTANCE(store, transaction, begin,
	TP_ARGS(const char *, name, int, error, const uint16_t *, parts,
		unsigned int, n, double, weight, void *, at))
TRACEPOINT_EVENT_INSTANCE(store, transaction, end,
	TP_ARGS(const char *, name, int, error, const uint16_t *, parts,
		unsigned int, n, double, weight, void *, at))
TRACEPOINT_LOGLEVEL(store, end, TRACE_CRIT)

#endif

#include <lttng/tracepoint-event.h>
