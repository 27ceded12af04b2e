/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The user_events.h authors */
/*
 * <eventheader/eventheader.h> for programs written for LinuxTracepoints: the format's numbers under the names
 * that such programs use, and the functions that TraceLoggingProvider.h calls. See there.
 */
#ifndef UE_COMPAT_EVENTHEADER_H
#define UE_COMPAT_EVENTHEADER_H
#ifndef UE__NO_SYSTEM_HEADER
#pragma GCC system_header
#endif

#include "../ue_compat.h"
#include <wchar.h>

/* What follows a tracepoint's common fields, and what follows that: metadata, or ids of an activity. */
typedef struct eventheader {
	uint8_t flags, version;
	uint16_t id, tag;
	uint8_t opcode, level;
} eventheader;
typedef struct eventheader_extension {
	uint16_t size, kind; /* size of the bytes behind it */
} eventheader_extension;

typedef enum event_level {
	event_level_invalid = 0,
	event_level_critical_error = UE_LEVEL_CRITICAL,
	event_level_error = UE_LEVEL_ERROR,
	event_level_warning = UE_LEVEL_WARNING,
	event_level_information = UE_LEVEL_INFORMATION,
	event_level_verbose = UE_LEVEL_VERBOSE
} event_level;

typedef enum event_opcode {
	event_opcode_info = UE_OPCODE_INFO,
	event_opcode_activity_start = UE_OPCODE_ACTIVITY_START,
	event_opcode_activity_stop = UE_OPCODE_ACTIVITY_STOP,
	event_opcode_collection_start = UE_OPCODE_COLLECTION_START,
	event_opcode_collection_stop = UE_OPCODE_COLLECTION_STOP,
	event_opcode_extension = UE_OPCODE_EXTENSION,
	event_opcode_reply = UE_OPCODE_REPLY,
	event_opcode_resume = UE_OPCODE_RESUME,
	event_opcode_suspend = UE_OPCODE_SUSPEND,
	event_opcode_send = UE_OPCODE_SEND,
	event_opcode_receive = UE_OPCODE_RECEIVE
} event_opcode;

typedef enum event_field_encoding {
	event_field_encoding_invalid = 0,
	event_field_encoding_struct = 1,
	event_field_encoding_value8 = 2,
	event_field_encoding_value16 = 3,
	event_field_encoding_value32 = 4,
	event_field_encoding_value64 = 5,
	event_field_encoding_value128 = 6,
	event_field_encoding_zstring_char8 = 7,
	event_field_encoding_zstring_char16 = 8,
	event_field_encoding_zstring_char32 = 9,
	event_field_encoding_string_length16_char8 = 10,
	event_field_encoding_string_length16_char16 = 11,
	event_field_encoding_string_length16_char32 = 12,
	event_field_encoding_binary_length16_char8 = 13,
	event_field_encoding_max = 14,
	/* of the machine's types */
	event_field_encoding_value_long = sizeof(long) == 8 ? 5 : 4,
	event_field_encoding_value_ptr = sizeof(void *) == 8 ? 5 : 4,
	event_field_encoding_value_float = 4,
	event_field_encoding_value_double = 5,
	event_field_encoding_value_wchar = sizeof(wchar_t) == 2 ? 3 : 4,
	event_field_encoding_zstring_wchar = sizeof(wchar_t) == 2 ? 8 : 9,
	event_field_encoding_string_length16_wchar = sizeof(wchar_t) == 2 ? 11 : 12,
	/* bits and masks */
	event_field_encoding_value_mask = 0x1f,
	event_field_encoding_flag_mask = 0xe0,
	event_field_encoding_carray_flag = 0x20, /* an array of a constant length */
	event_field_encoding_varray_flag = 0x40, /* an array, whose count is in the payload */
	event_field_encoding_chain_flag = 0x80	 /* a format follows */
} event_field_encoding;

typedef enum event_field_format {
	event_field_format_default = UE_FORMAT_DEFAULT,
	event_field_format_unsigned_int = UE_FORMAT_UNSIGNED,
	event_field_format_signed_int = UE_FORMAT_SIGNED,
	event_field_format_hex_int = UE_FORMAT_HEX,
	event_field_format_errno = UE_FORMAT_ERRNO,
	event_field_format_pid = UE_FORMAT_PID,
	event_field_format_time = UE_FORMAT_TIME,
	event_field_format_boolean = UE_FORMAT_BOOL,
	event_field_format_float = UE_FORMAT_FLOAT,
	event_field_format_hex_bytes = UE_FORMAT_HEX_BYTES,
	event_field_format_string8 = UE_FORMAT_STRING8,
	event_field_format_string_utf = UE_FORMAT_UTF,
	event_field_format_string_utf_bom = UE_FORMAT_UTF_BOM,
	event_field_format_string_xml = UE_FORMAT_XML,
	event_field_format_string_json = UE_FORMAT_JSON,
	event_field_format_uuid = UE_FORMAT_UUID,
	event_field_format_port = UE_FORMAT_PORT,
	event_field_format_ip_address = UE_FORMAT_IP,
	event_field_format_ip_address_obsolete = 18,
	event_field_format_ipv4 = UE_FORMAT_IP,
	event_field_format_ipv6 = 18,
	event_field_format_value_mask = 0x7f,
	event_field_format_chain_flag = 0x80 /* a tag follows */
} event_field_format;

enum { EVENTHEADER_NAME_MAX = 256 }; /* of a tracepoint, NUL included */

/* * ---- What the macros make, and call ---- */

/* A TraceLoggingWrite() or TraceLoggingProviderEnabled() in the program. */
typedef struct UE__HIDDEN_TYPE eventheader_tracepoint {
	struct ue_event_set *set;  /* where it is written to: that of the first site with its level and keyword */
	struct ue_event_set *own;  /* registered if it is the first one */
	const eventheader *header; /* an eventheader_extension and metadata follow */
	uint64_t keyword;
	struct eventheader_tracepoint *next; /* in the provider's list of those that registered a set */
} eventheader_tracepoint;

typedef struct UE__HIDDEN_TYPE eventheader_provider {
	eventheader_tracepoint *sets;
	const char *options; /* "", or "G" and the group */
	const char *name;
} eventheader_provider;

enum { EVENTHEADER_PREFIX_DATAVEC_COUNT = 3 }; /* pieces that eventheader_write() needs before the values */

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"
#ifdef __cplusplus
#pragma GCC diagnostic ignored "-Wold-style-cast"
extern "C++" {
#endif

struct UE__HIDDEN_TYPE ue__compat_set {
	struct ue_event_set ue__own;
};

/* S is of units of UNIT bytes, up to a zero unit; NULL is "". */
UE__AWAY void ue__compat_put_string(struct iovec **end, const void *s, size_t unit)
{
	static const unsigned char zero[4] = { 0, 0, 0, 0 };
	const unsigned char *p = (const unsigned char *)s;

	if (!p)
		p = zero;
	s = p;
	if (unit == 1)
		p += strlen((const char *)p);
	else
		while (memcmp(p, zero, unit) != 0)
			p += unit;
	ue__compat_put(end, s, (size_t)(p - (const unsigned char *)s) + unit);
}

UE__FN void ue__compat_put_counted(struct iovec **end, const void *p, const uint16_t *count, size_t unit)
{
	ue__compat_put(end, count, sizeof(*count));
	ue__compat_put(end, p, *count * unit);
}

/* Unregisters the provider's sets. Sites whose set is another one's point to it still: nobody enables it. */
UE__AWAY void eventheader_close_provider(eventheader_provider *provider)
{
	for (; provider->sets; provider->sets = provider->sets->next)
		ue_event_set_unregister(provider->sets->own);
}

/*
 * Registers a set for each pair of level and keyword that the sites have, and gives each site its set. Returns 0 or
 * the first errno; a set that the kernel refused is tried again by the next call.
 */
UE__AWAY int eventheader_open_provider_with_events(eventheader_provider *provider,
						   eventheader_tracepoint *const *start,
						   eventheader_tracepoint *const *stop)
{
	const char *group = *provider->options ? provider->options + 1 : "";
	int error, first = 0;

	eventheader_close_provider(provider);
	for (; start < stop; start++) {
		eventheader_tracepoint *site = *start, *same = provider->sets;

		while (same && (same->header->level != site->header->level || same->keyword != site->keyword))
			same = same->next;
		if (!same) {
			error = ue_event_set_register(site->own, provider->name, site->header->level, site->keyword,
						      group);
			first = first ? first : error;
			site->next = provider->sets;
			provider->sets = same = site;
		}
		__atomic_store_n(&site->set, same->own, __ATOMIC_RELEASE);
	}
	return -first;
}

/* Tells whether anybody listens to the site. */
UE__FN bool ue__compat_enabled(const eventheader_tracepoint *site)
{
	return ue_event_set_enabled(__atomic_load_n(&site->set, __ATOMIC_RELAXED));
}

/*
 * Writes an event. The values are behind EVENTHEADER_PREFIX_DATAVEC_COUNT free places, which COUNT includes.
 * ACTIVITY and RELATED are 16 bytes each, or NULL. Returns 0 or an errno.
 */
UE__AWAY int eventheader_write(const eventheader_tracepoint *site, const void *activity, const void *related,
			       uint32_t count, struct iovec *pieces)
{
	const eventheader *header = site->header;
	const eventheader_extension *metadata = (const eventheader_extension *)(const void *)(header + 1);
	struct iovec *end = pieces;
	struct {
		eventheader_extension extension;
		unsigned char ids[32];
	} block;

	if (activity) {
		block.extension.size = related ? 32 : 16;
		block.extension.kind = UE__EXTENSION_ACTIVITY | UE__EXTENSION_MORE;
		memcpy(block.ids, activity, 16);
		if (related)
			memcpy(block.ids + 16, related, 16);
		ue__compat_put(&end, header, sizeof(*header));
		ue__compat_put(&end, &block, sizeof(block.extension) + block.extension.size);
		ue__compat_put(&end, metadata, sizeof(*metadata) + metadata->size);
	} else {
		end = pieces += 2;
		count -= 2;
		ue__compat_put(&end, header, sizeof(*header) + sizeof(*metadata) + metadata->size);
	}
	return ue__compat_write(&site->set->event, pieces, UE__INT(count));
}

#ifdef __cplusplus
}
#endif
#pragma GCC diagnostic pop

#endif
