/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The user_events.h authors */
/*
 * <eventheader/eventheader.h> for programs written for LinuxTracepoints. It defines the constants
 * of the format under their LinuxTracepoints names, and the functions that the macros of
 * TraceLoggingProvider.h call. See that header.
 */
#ifndef UE_COMPAT_EVENTHEADER_H
#define UE_COMPAT_EVENTHEADER_H
#ifndef UE__I_NO_SYSTEM_HEADER
#pragma GCC system_header
#endif

#include "../ue_compat.h"
#include <stdio.h>
#include <wchar.h>

/*
 * Structures that follow the common fields of a record: the header, then extensions with metadata
 * or activity IDs.
 */
typedef struct eventheader {
	uint8_t flags, version;
	uint16_t id, tag;
	uint8_t opcode, level;
} eventheader;
typedef struct eventheader_extension {
	uint16_t size, kind; /* size in bytes of the data that follows */
} eventheader_extension;

typedef enum event_level {
	event_level_invalid, event_level_critical_error, event_level_error, event_level_warning,
	event_level_information, event_level_verbose
} event_level;

typedef enum event_opcode {
	event_opcode_info, event_opcode_activity_start, event_opcode_activity_stop,
	event_opcode_collection_start, event_opcode_collection_stop, event_opcode_extension,
	event_opcode_reply, event_opcode_resume, event_opcode_suspend, event_opcode_send,
	event_opcode_receive = UE_OPCODE_RECEIVE
} event_opcode;

typedef enum event_field_encoding {
	event_field_encoding_invalid, event_field_encoding_struct,
	event_field_encoding_value8, event_field_encoding_value16, event_field_encoding_value32,
	event_field_encoding_value64, event_field_encoding_value128,
	event_field_encoding_zstring_char8, event_field_encoding_zstring_char16,
	event_field_encoding_zstring_char32,
	event_field_encoding_string_length16_char8, event_field_encoding_string_length16_char16,
	event_field_encoding_string_length16_char32, event_field_encoding_binary_length16_char8,
	event_field_encoding_max,
	/* types with machine-dependent sizes */
	event_field_encoding_value_long = sizeof(long) == 8 ? 5 : 4,
	event_field_encoding_value_ptr = sizeof(void *) == 8 ? 5 : 4,
	event_field_encoding_value_float = 4, event_field_encoding_value_double,
	event_field_encoding_value_wchar = sizeof(wchar_t) == 2 ? 3 : 4,
	event_field_encoding_zstring_wchar = sizeof(wchar_t) == 2 ? 8 : 9,
	event_field_encoding_string_length16_wchar = sizeof(wchar_t) == 2 ? 11 : 12,
	/* bits and masks */
	event_field_encoding_value_mask = 0x1f, event_field_encoding_flag_mask = 0xe0,
	event_field_encoding_carray_flag = 0x20, /* an array of constant length */
	event_field_encoding_varray_flag = 0x40, /* an array with its count in the payload */
	event_field_encoding_chain_flag = 0x80	 /* a format follows */
} event_field_encoding;

typedef enum event_field_format {
	event_field_format_default, event_field_format_unsigned_int, event_field_format_signed_int,
	event_field_format_hex_int, event_field_format_errno, event_field_format_pid,
	event_field_format_time, event_field_format_boolean, event_field_format_float,
	event_field_format_hex_bytes,
	event_field_format_string8, event_field_format_string_utf,
	event_field_format_string_utf_bom, event_field_format_string_xml,
	event_field_format_string_json, event_field_format_uuid,
	event_field_format_port, event_field_format_ip_address,
	event_field_format_ip_address_obsolete,
	event_field_format_ipv4 = UE_FORMAT_IP, event_field_format_ipv6,
	event_field_format_value_mask = 0x7f,
	event_field_format_chain_flag = 0x80 /* a tag follows */
} event_field_format;

typedef enum eventheader_flags {
	eventheader_flag_none, eventheader_flag_pointer64, eventheader_flag_little_endian,
	eventheader_flag_extension = 4,
	eventheader_flag_default =
		(sizeof(void *) == 8 ? eventheader_flag_pointer64 : 0) |
		(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? eventheader_flag_little_endian : 0),
	eventheader_flag_default_with_extension = eventheader_flag_default | 4
} eventheader_flags;

typedef enum eventheader_extension_kind {
	eventheader_extension_kind_invalid, eventheader_extension_kind_metadata,
	eventheader_extension_kind_activity_id,
	eventheader_extension_kind_value_mask = 0x7fff,
	eventheader_extension_kind_chain_flag = 0x8000 /* another block follows */
} eventheader_extension_kind;

/*
 * Name and definition of a tracepoint. The macros return the result of snprintf(), the length of
 * the text.
 */
#define EVENTHEADER_COMMAND_TYPES UE__F_SET_FIELDS
enum {
	EVENTHEADER_NAME_MAX = 256,
	EVENTHEADER_COMMAND_MAX = EVENTHEADER_NAME_MAX + sizeof(EVENTHEADER_COMMAND_TYPES)
};
#define EVENTHEADER_FORMAT_TRACEPOINT_NAME(text, size, provider, level, keyword, options) \
	ue__eventheader_format(text, size, provider, UE__I_CAST(uint8_t, level), \
			       UE__I_CAST(uint64_t, keyword), options, "", "")
#define EVENTHEADER_FORMAT_COMMAND(text, size, provider, level, keyword, options) \
	ue__eventheader_format(text, size, provider, UE__I_CAST(uint8_t, level), \
			       UE__I_CAST(uint64_t, keyword), options, " ", \
				EVENTHEADER_COMMAND_TYPES)
UE__I_HEADER_BEGIN
UE__I_FN int ue__eventheader_format(char *text, size_t size, const char *provider, uint8_t level,
				  uint64_t keyword, const char *options, const char *space,
				  const char *types)
{
	unsigned long long number = keyword;

	return snprintf(text, size, "%s_L%xK%llx%s%s%s", provider, level, number,
			options ? options : "", space, types);
}

/* * ---- Code called by the macros ---- */

enum { UE__TLG_PREFIX = 3 }; /* number of pieces that ue__tlg_write() needs before the values */
struct UE__I_HIDDEN_TYPE ue__compat_head {
	eventheader header;
	eventheader_extension metadata; /* the values follow */
};

/* Site of a TraceLoggingWrite() or TraceLoggingProviderEnabled() in the program. */
typedef struct UE__I_HIDDEN_TYPE ue__tlg_site {
	/*
	 * Set to which this site writes. Sites with the same level and keyword share the set of the
	 * first such site.
	 */
	struct ue_event_set *set;
	struct ue_event_set *own; /* the site's own set, registered only for the first site */
	const struct ue__compat_head *head;
	uint64_t keyword;
	struct ue__tlg_site *next; /* next site that registered a set of this provider */
} ue__tlg_site;

typedef struct UE__I_HIDDEN_TYPE ue__tlg_provider {
	ue__tlg_site *sets;
	const char *options; /* "", or "G" and the group */
	const char *name;
} ue__tlg_provider;

struct UE__I_HIDDEN_TYPE ue__compat_set {
	struct ue_event_set ue__set_of_site;
};

/*
 * Unregisters the sets of the provider. A site that uses the set of another site keeps its pointer
 * to that set, which stays disabled.
 */
UE__I_FN __attribute__((__noinline__, __cold__)) void ue__tlg_close(ue__tlg_provider *provider)
{
	for (; provider->sets; provider->sets = provider->sets->next)
		ue_event_set_unregister(provider->sets->own);
}

/*
 * Registers a set for each combination of level and keyword among the sites, and stores the pointer
 * to that set in each site. Returns 0 or the first errno. The next call retries all sets that the
 * kernel rejected.
 */
UE__I_FN __attribute__((__noinline__, __cold__)) int ue__tlg_open(ue__tlg_provider *provider,
						   ue__tlg_site *const *start,
						   ue__tlg_site *const *stop)
{
	const char *group = *provider->options ? provider->options + 1 : "";
	int error, first = 0;

	ue__tlg_close(provider);
	for (; start < stop; start++) {
		ue__tlg_site *site = *start, *same = provider->sets;

		while (same && (same->head->header.level != site->head->header.level ||
				same->keyword != site->keyword))
			same = same->next;
		if (!same) {
			error = ue_event_set_register(site->own, provider->name,
						      site->head->header.level, site->keyword,
						      group);
			first = first ? first : error;
			site->next = provider->sets;
			provider->sets = same = site;
		}
		__atomic_store_n(&site->set, same->own, __ATOMIC_RELEASE);
	}
	return -first;
}

/* Returns true if the site is enabled. */
UE__I_FN bool ue__compat_enabled(const ue__tlg_site *site)
{
	return ue_event_set_enabled(__atomic_load_n(&site->set, __ATOMIC_RELAXED));
}

/*
 * Writes an event. The values follow UE__TLG_PREFIX free pieces, which are included in COUNT.
 * ACTIVITY and RELATED point to 16 bytes each, or are NULL. Returns 0 or an errno.
 */
UE__I_FN __attribute__((__noinline__, __cold__))
int ue__tlg_write(const ue__tlg_site *site, const void *activity,
				  const void *related, uint32_t count, struct iovec *pieces)
{
	const struct ue__compat_head *head = site->head;
	struct iovec *end = pieces;
	struct {
		eventheader_extension extension;
		uint8_t activity[16], related[16];
	} ids;

	if (activity) {
		ids.extension.size = related ? 32 : 16;
		ids.extension.kind = eventheader_extension_kind_activity_id |
				     eventheader_extension_kind_chain_flag;
		memcpy(ids.activity, activity, 16);
		memcpy(ids.related, related ? related : activity, 16);
		ue__compat_put(&end, &head->header, sizeof(head->header));
		ue__compat_put(&end, &ids, sizeof(ids.extension) + ids.extension.size);
		ue__compat_put(&end, &head->metadata, sizeof(head->metadata) + head->metadata.size);
	} else {
		end = pieces += UE__TLG_PREFIX - 1;
		count -= UE__TLG_PREFIX - 1;
		ue__compat_put(&end, head, sizeof(*head) + head->metadata.size);
	}
	return ue__compat_write(&site->set->event, pieces, UE__I_CAST(int, count));
}

UE__I_HEADER_END

#endif
