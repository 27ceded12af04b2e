/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The user_events.h authors */
/*
 * <eventheader/TraceLoggingProvider.h> for programs written for LinuxTracepoints. To use it, add
 * the parent directory to the include path (-I.../compat). The program needs no other change and
 * links no library. Its events are the same as before, byte for byte.
 *
 *	TRACELOGGING_DEFINE_PROVIDER(MyProvider, "MyCompany_MyProvider",
 *		(0xb3864c38, 0x4273, 0x58c5, 0x54, 0x5b, 0x8b, 0x36, 0x08, 0x34, 0x34, 0x71));
 *
 *	TraceLoggingRegister(MyProvider);
 *	TraceLoggingWrite(MyProvider, "Request", TraceLoggingLevel(event_level_information),
 *			  TraceLoggingString(path, "path"), TraceLoggingInt32(status));
 *	TraceLoggingUnregister(MyProvider);
 *
 * New code should use UE_LOG() of user_events.h. docs/eventheader.md lists the replacement of each
 * macro and the differences of this header.
 *
 * Each combination of level and keyword used by the events of a provider is an event set, with one
 * tracepoint and one fd. TraceLoggingRegister() registers the sets. TraceLoggingRegister() and
 * TraceLoggingUnregister() are not async-signal-safe. Only one thread at a time may register or
 * unregister a provider. While a thread unregisters a provider, no other thread may write its
 * events. TraceLoggingWrite() is thread-safe and async-signal-safe, and preserves errno. A disabled
 * event costs two loads (the address of its set and the enable word) and a test.
 */
#ifndef UE_COMPAT_TRACELOGGINGPROVIDER_H
#define UE_COMPAT_TRACELOGGINGPROVIDER_H
#ifndef UE__I_NO_SYSTEM_HEADER
#pragma GCC system_header
#endif

#include "eventheader.h"
#include <assert.h> /* programs may rely on this include and the next */
#include <stdlib.h>

/* * ---- Providers ---- */

/*
 * The provider ID, eleven numbers in parentheses, is ignored. TraceLoggingOptionGroupName("group")
 * may follow it.
 */
#define TRACELOGGING_DECLARE_PROVIDER(symbol) \
	UE__COMPAT_DECLARE(ue__tlg_site, UE__I_CAT(ue_sites_, symbol)); \
	UE__I_C_LINKAGE __attribute__((__visibility__("hidden"))) \
		ue__tlg_provider UE__I_CAT(ue__provider_, symbol)
#define TRACELOGGING_DEFINE_PROVIDER(symbol, name, ...) \
	TRACELOGGING_DECLARE_PROVIDER(symbol); \
	UE__I_STATIC_ASSERT(sizeof("" name "_LnnKnnnnnnnnnnnnnnnn" UE__I_SECOND_OF( \
				  __VA_ARGS__, "", ~)) <= EVENTHEADER_NAME_MAX, \
			  "TRACELOGGING_DEFINE_PROVIDER: the name is too long"); \
	ue__tlg_provider UE__I_CAT(ue__provider_, symbol) = \
		{ UE__I_NULL, UE__I_SECOND_OF(__VA_ARGS__, "", ~), "" name }
#define TraceLoggingOptionGroupName(group) "G" group

/*
 * Returns 0, or the error of ue_event_set_register() for a set that could not be registered.
 * ue_status().message explains it.
 */
#define TraceLoggingRegister(symbol) \
	ue__tlg_open(&UE__I_CAT(ue__provider_, symbol), \
					      UE__COMPAT_BOUNDS(UE__I_CAT(ue_sites_, symbol)))
#define TraceLoggingUnregister(symbol) ue__tlg_close(&UE__I_CAT(ue__provider_, symbol))
#define TraceLoggingProviderName(symbol) (UE__I_CAT(ue__provider_, symbol).name)
#define TraceLoggingProviderOptions(symbol) (UE__I_CAT(ue__provider_, symbol).options)

/* Returns true if events of LEVEL and KEYWORD, both constants, are enabled. */
#define TraceLoggingProviderEnabled(symbol, level, keyword) \
	__extension__({ \
		UE__TLG_LEVEL_IS(level); \
		static const struct ue__compat_head ue__tlg_head = { { 0, 0, 0, 0, 0, ue__level }, \
								 { 0, 0 } }; \
		UE__TLG_TRACEPOINT(symbol, &ue__tlg_head, UE__I_CAST(uint64_t, 0) | (keyword)); \
		ue__compat_enabled(&ue__site); \
	})

/* * ---- Events ---- */

/*
 * Writes an event. The macro is an expression. Its value is 0 on success and if the event is
 * disabled, or an errno of ue_event_writev(). The name is followed by at most 64 arguments. Their
 * values are evaluated only if the event is enabled, once and in order.
 */
#define TraceLoggingWrite(symbol, ...) \
	UE__TLG_WRITE(UE__I_COUNT(__VA_ARGS__), symbol, UE__I_FIRST(__VA_ARGS__, ~), UE__I_NULL, \
		      UE__I_NULL, __VA_ARGS__)
/*
 * Writes an event with ACTIVITY and, as the next argument, a related activity. Both are pointers to
 * 16 bytes, or NULL.
 */
#define TraceLoggingWriteActivity(symbol, name, activity, ...) \
	UE__TLG_WRITE(UE__I_COUNT(__VA_ARGS__), symbol, name, activity, \
		UE__I_FIRST(__VA_ARGS__, ~), \
		      __VA_ARGS__)
#define UE__TLG_WRITE(...) \
	__extension__({ \
		int ue__error = 0; \
		UE__COMPAT_SITE(UE__TLG_SITE, __VA_ARGS__) \
		ue__error; \
	})

/*
 * An argument is a tuple as described in ue_compat.h. After the PUT operation, it has five terms
 * and the definition of the field. The terms are appended to the default values of keyword, level,
 * opcode, ID and tag. Each term starts with "* 0 +", so if there are several levels, the last one
 * takes effect.
 */
#define UE__TLG_SETTING(...) (ue__compat, ue__i_field, , , __VA_ARGS__, ue__tlg_none, ~)
#define UE__TLG_FIELD(put, ...) (ue__compat, ue__i_field, put, , , , , , , __VA_ARGS__)
#define TraceLoggingKeyword(keyword) UE__TLG_SETTING(| (keyword), , , , )
#define TraceLoggingLevel(level) UE__TLG_SETTING(, *0 + (level), , , )
#define TraceLoggingOpcode(opcode) UE__TLG_SETTING(, , *0 + (opcode), , )
#define TraceLoggingIdVersion(id, version) UE__TLG_SETTING(, , , *0 + ((id) + (version)*65536), )
#define TraceLoggingEventTag(tag) UE__TLG_SETTING(, , , , *0 + (tag))
#define TraceLoggingDescription(text) UE__TLG_SETTING(, , , , )
#define UE__TLG_KEYWORD_ue__compat(at, put, no_id, keyword, level, opcode, id, tag, ...) keyword
#define UE__TLG_KEYWORD_ue__i_option(...)
#define UE__TLG_LEVEL_ue__compat(at, put, no_id, keyword, level, opcode, id, tag, ...) level
#define UE__TLG_LEVEL_ue__i_option(...)
#define UE__TLG_OPCODE_ue__compat(at, put, no_id, keyword, level, opcode, id, tag, ...) opcode
#define UE__TLG_OPCODE_ue__i_option(...)
#define UE__TLG_ID_ue__compat(at, put, no_id, keyword, level, opcode, id, tag, ...) id
#define UE__TLG_ID_ue__i_option(...)
#define UE__TLG_TAG_ue__compat(at, put, no_id, keyword, level, opcode, id, tag, ...) tag
#define UE__TLG_TAG_ue__i_option(...)

#define UE__TLG_LEVEL_IS(level) \
	enum { ue__level = (level) }; \
	UE__I_STATIC_ASSERT(ue__level >= 1 && ue__level <= 255, \
			  "TraceLoggingLevel: a level is 1 to 255")
#define UE__TLG_TRACEPOINT(symbol, head, keyword) \
	static struct ue__compat_set ue__tlg_set; \
	static ue__tlg_site ue__site = { &ue__tlg_set.ue__set_of_site, \
					 &ue__tlg_set.ue__set_of_site, head, keyword, \
						UE__I_NULL }; \
	UE__COMPAT_LIST("ue_sites_" UE__I_STRINGIFY(symbol), &ue__site)
#define UE__TLG_SITE(n, symbol, name, activity, related, ...) \
	UE__TLG_LEVEL_IS(5 UE__I_EACH_##n(UE__TLG_LEVEL, __VA_ARGS__)); \
	enum { ue__id = 0 UE__I_EACH_##n(UE__TLG_ID, __VA_ARGS__) }; \
	static const struct UE__I_HIDDEN_TYPE { \
		struct ue__compat_head ue__tlg_head; \
		struct { \
			char ue__tlg_name[sizeof(name)]; \
			UE__I_EACH_##n(UE__TLG_DEFINE, __VA_ARGS__) \
		} ue__metadata; \
	} ue__tlg_event = { \
			{ { eventheader_flag_default_with_extension, \
			    UE__I_CAST(uint8_t, ue__id >> 16), \
				UE__I_CAST(uint16_t, ue__id & 65535), \
			    UE__I_CAST(uint16_t, 0 UE__I_EACH_##n(UE__TLG_TAG, __VA_ARGS__)), \
			    UE__I_CAST(uint8_t, 0 UE__I_EACH_##n(UE__TLG_OPCODE, __VA_ARGS__)), \
			    ue__level }, \
			  { sizeof(ue__tlg_event.ue__metadata), \
			    eventheader_extension_kind_metadata } }, \
			{ name, UE__I_EACH_##n(UE__TLG_INITIALISE, __VA_ARGS__) } }; \
	UE__TLG_TRACEPOINT(symbol, &ue__tlg_event.ue__tlg_head, \
			   UE__I_CAST(uint64_t, 0) UE__I_EACH_##n(UE__TLG_KEYWORD, __VA_ARGS__)); \
	if (ue__compat_enabled(&ue__site)) { \
		struct iovec ue__tlg_pieces[UE__TLG_PREFIX + 2 * n]; \
		struct iovec *ue__end = ue__tlg_pieces + UE__TLG_PREFIX; \
		UE__I_COLD_SITE; \
		UE__I_EACH_##n(UE__COMPAT_PUT, __VA_ARGS__) \
			ue__error = ue__tlg_write(&ue__site, activity, related, \
						  UE__I_CAST(uint32_t, ue__end - ue__tlg_pieces), \
						  ue__tlg_pieces); \
	}

/* * ---- Fields ---- */

/*
 * The arguments of each macro are a value, or a pointer and a count, followed by [name,
 * [description, [tag]]]. The default name is the source text of the value. The tables list the PUT
 * operation, the C type, the encoding and the format.
 */
#define TraceLoggingInt8(...) UE__TLG_VALUE(int8_t, value8, signed_int, __VA_ARGS__, ~)
#define TraceLoggingUInt8(...) UE__TLG_VALUE(uint8_t, value8, default, __VA_ARGS__, ~)
#define TraceLoggingInt16(...) UE__TLG_VALUE(int16_t, value16, signed_int, __VA_ARGS__, ~)
#define TraceLoggingUInt16(...) UE__TLG_VALUE(uint16_t, value16, default, __VA_ARGS__, ~)
#define TraceLoggingInt32(...) UE__TLG_VALUE(int32_t, value32, signed_int, __VA_ARGS__, ~)
#define TraceLoggingUInt32(...) UE__TLG_VALUE(uint32_t, value32, default, __VA_ARGS__, ~)
#define TraceLoggingInt64(...) UE__TLG_VALUE(int64_t, value64, signed_int, __VA_ARGS__, ~)
#define TraceLoggingUInt64(...) UE__TLG_VALUE(uint64_t, value64, default, __VA_ARGS__, ~)
#define TraceLoggingIntPtr(...) UE__TLG_VALUE(intptr_t, value_ptr, signed_int, __VA_ARGS__, ~)
#define TraceLoggingUIntPtr(...) UE__TLG_VALUE(uintptr_t, value_ptr, default, __VA_ARGS__, ~)
#define TraceLoggingLong(...) UE__TLG_VALUE(signed long, value_long, signed_int, __VA_ARGS__, ~)
#define TraceLoggingULong(...) UE__TLG_VALUE(unsigned long, value_long, default, __VA_ARGS__, ~)
#define TraceLoggingHexInt8(...) UE__TLG_VALUE(int8_t, value8, hex_int, __VA_ARGS__, ~)
#define TraceLoggingHexUInt8(...) UE__TLG_VALUE(uint8_t, value8, hex_int, __VA_ARGS__, ~)
#define TraceLoggingHexInt16(...) UE__TLG_VALUE(int16_t, value16, hex_int, __VA_ARGS__, ~)
#define TraceLoggingHexUInt16(...) UE__TLG_VALUE(uint16_t, value16, hex_int, __VA_ARGS__, ~)
#define TraceLoggingHexInt32(...) UE__TLG_VALUE(int32_t, value32, hex_int, __VA_ARGS__, ~)
#define TraceLoggingHexUInt32(...) UE__TLG_VALUE(uint32_t, value32, hex_int, __VA_ARGS__, ~)
#define TraceLoggingHexInt64(...) UE__TLG_VALUE(int64_t, value64, hex_int, __VA_ARGS__, ~)
#define TraceLoggingHexUInt64(...) UE__TLG_VALUE(uint64_t, value64, hex_int, __VA_ARGS__, ~)
#define TraceLoggingHexIntPtr(...) UE__TLG_VALUE(intptr_t, value_ptr, hex_int, __VA_ARGS__, ~)
#define TraceLoggingHexUIntPtr(...) UE__TLG_VALUE(uintptr_t, value_ptr, hex_int, __VA_ARGS__, ~)
#define TraceLoggingHexLong(...) UE__TLG_VALUE(signed long, value_long, hex_int, __VA_ARGS__, ~)
#define TraceLoggingHexULong(...) UE__TLG_VALUE(unsigned long, value_long, hex_int, __VA_ARGS__, ~)
#define TraceLoggingFloat32(...) UE__TLG_VALUE(float, value_float, float, __VA_ARGS__, ~)
#define TraceLoggingFloat64(...) UE__TLG_VALUE(double, value_double, float, __VA_ARGS__, ~)
#define TraceLoggingBoolean(...) UE__TLG_VALUE(uint8_t, value8, boolean, __VA_ARGS__, ~)
#define TraceLoggingBool(...) UE__TLG_VALUE(int32_t, value32, boolean, __VA_ARGS__, ~)
#define TraceLoggingChar(...) UE__TLG_VALUE(char, value8, string8, __VA_ARGS__, ~)
#define TraceLoggingChar16(...) UE__TLG_VALUE(char16_t, value16, string_utf, __VA_ARGS__, ~)
#define TraceLoggingChar32(...) UE__TLG_VALUE(char32_t, value32, string_utf, __VA_ARGS__, ~)
#define TraceLoggingWChar(...) UE__TLG_VALUE(wchar_t, value_wchar, string_utf, __VA_ARGS__, ~)
#define TraceLoggingPointer(...) UE__TLG_VALUE(void const *, value_ptr, hex_int, __VA_ARGS__, ~)
#define TraceLoggingPid(...) UE__TLG_VALUE(int32_t, value32, pid, __VA_ARGS__, ~)
#define TraceLoggingPort(...) UE__TLG_VALUE(uint16_t, value16, port, __VA_ARGS__, ~)
#define TraceLoggingErrno(...) UE__TLG_VALUE(int32_t, value32, errno, __VA_ARGS__, ~)
#define TraceLoggingTime32(...) UE__TLG_VALUE(int32_t, value32, time, __VA_ARGS__, ~)
#define TraceLoggingTime64(...) UE__TLG_VALUE(int64_t, value64, time, __VA_ARGS__, ~)
#define TraceLoggingIPv4Address(...) UE__TLG_VALUE(uint32_t, value32, ip_address, __VA_ARGS__, ~)
#define TraceLoggingString(...) \
	UE__TLG_ONE(ue__compat_string, char, zstring_char8, string8, __VA_ARGS__, ~)
#define TraceLoggingUtf8String(...) \
	UE__TLG_ONE(ue__compat_string, char, zstring_char8, default, __VA_ARGS__, ~)
#define TraceLoggingString16(...) \
	UE__TLG_ONE(ue__compat_string, char16_t, zstring_char16, default, __VA_ARGS__, ~)
#define TraceLoggingString32(...) \
	UE__TLG_ONE(ue__compat_string, char32_t, zstring_char32, default, __VA_ARGS__, ~)
#define TraceLoggingWideString(...) \
	UE__TLG_ONE(ue__compat_string, wchar_t, zstring_wchar, default, __VA_ARGS__, ~)
#define TraceLoggingCountedString(...) \
	UE__TLG_TEXT(ue__compat_counted, char, length16_char8, string8, __VA_ARGS__, ~)
#define TraceLoggingCountedUtf8String(...) \
	UE__TLG_TEXT(ue__compat_counted, char, length16_char8, default, __VA_ARGS__, ~)
#define TraceLoggingCountedString16(...) \
	UE__TLG_TEXT(ue__compat_counted, char16_t, length16_char16, default, __VA_ARGS__, ~)
#define TraceLoggingCountedString32(...) \
	UE__TLG_TEXT(ue__compat_counted, char32_t, length16_char32, default, __VA_ARGS__, ~)
#define TraceLoggingCountedWideString(...) \
	UE__TLG_TEXT(ue__compat_counted, wchar_t, length16_wchar, default, __VA_ARGS__, ~)

/* Arrays with a constant or a variable number of elements. */
#define TraceLoggingInt8FixedArray(...) UE__TLG_FIXED(TraceLoggingInt8(~), __VA_ARGS__, ~)
#define TraceLoggingUInt8FixedArray(...) UE__TLG_FIXED(TraceLoggingUInt8(~), __VA_ARGS__, ~)
#define TraceLoggingInt16FixedArray(...) UE__TLG_FIXED(TraceLoggingInt16(~), __VA_ARGS__, ~)
#define TraceLoggingUInt16FixedArray(...) UE__TLG_FIXED(TraceLoggingUInt16(~), __VA_ARGS__, ~)
#define TraceLoggingInt32FixedArray(...) UE__TLG_FIXED(TraceLoggingInt32(~), __VA_ARGS__, ~)
#define TraceLoggingUInt32FixedArray(...) UE__TLG_FIXED(TraceLoggingUInt32(~), __VA_ARGS__, ~)
#define TraceLoggingInt64FixedArray(...) UE__TLG_FIXED(TraceLoggingInt64(~), __VA_ARGS__, ~)
#define TraceLoggingUInt64FixedArray(...) UE__TLG_FIXED(TraceLoggingUInt64(~), __VA_ARGS__, ~)
#define TraceLoggingIntPtrFixedArray(...) UE__TLG_FIXED(TraceLoggingIntPtr(~), __VA_ARGS__, ~)
#define TraceLoggingUIntPtrFixedArray(...) UE__TLG_FIXED(TraceLoggingUIntPtr(~), __VA_ARGS__, ~)
#define TraceLoggingLongFixedArray(...) UE__TLG_FIXED(TraceLoggingLong(~), __VA_ARGS__, ~)
#define TraceLoggingULongFixedArray(...) UE__TLG_FIXED(TraceLoggingULong(~), __VA_ARGS__, ~)
#define TraceLoggingHexInt8FixedArray(...) UE__TLG_FIXED(TraceLoggingHexInt8(~), __VA_ARGS__, ~)
#define TraceLoggingHexUInt8FixedArray(...) UE__TLG_FIXED(TraceLoggingHexUInt8(~), __VA_ARGS__, ~)
#define TraceLoggingHexInt16FixedArray(...) UE__TLG_FIXED(TraceLoggingHexInt16(~), __VA_ARGS__, ~)
#define TraceLoggingHexUInt16FixedArray(...) UE__TLG_FIXED(TraceLoggingHexUInt16(~), __VA_ARGS__, ~)
#define TraceLoggingHexInt32FixedArray(...) UE__TLG_FIXED(TraceLoggingHexInt32(~), __VA_ARGS__, ~)
#define TraceLoggingHexUInt32FixedArray(...) UE__TLG_FIXED(TraceLoggingHexUInt32(~), __VA_ARGS__, ~)
#define TraceLoggingHexInt64FixedArray(...) UE__TLG_FIXED(TraceLoggingHexInt64(~), __VA_ARGS__, ~)
#define TraceLoggingHexUInt64FixedArray(...) UE__TLG_FIXED(TraceLoggingHexUInt64(~), __VA_ARGS__, ~)
#define TraceLoggingHexIntPtrFixedArray(...) UE__TLG_FIXED(TraceLoggingHexIntPtr(~), __VA_ARGS__, ~)
#define TraceLoggingHexUIntPtrFixedArray(...) \
	UE__TLG_FIXED(TraceLoggingHexUIntPtr(~), __VA_ARGS__, ~)
#define TraceLoggingHexLongFixedArray(...) UE__TLG_FIXED(TraceLoggingHexLong(~), __VA_ARGS__, ~)
#define TraceLoggingHexULongFixedArray(...) UE__TLG_FIXED(TraceLoggingHexULong(~), __VA_ARGS__, ~)
#define TraceLoggingFloat32FixedArray(...) UE__TLG_FIXED(TraceLoggingFloat32(~), __VA_ARGS__, ~)
#define TraceLoggingFloat64FixedArray(...) UE__TLG_FIXED(TraceLoggingFloat64(~), __VA_ARGS__, ~)
#define TraceLoggingBooleanFixedArray(...) UE__TLG_FIXED(TraceLoggingBoolean(~), __VA_ARGS__, ~)
#define TraceLoggingBoolFixedArray(...) UE__TLG_FIXED(TraceLoggingBool(~), __VA_ARGS__, ~)
#define TraceLoggingCharFixedArray(...) UE__TLG_FIXED(TraceLoggingChar(~), __VA_ARGS__, ~)
#define TraceLoggingChar16FixedArray(...) UE__TLG_FIXED(TraceLoggingChar16(~), __VA_ARGS__, ~)
#define TraceLoggingChar32FixedArray(...) UE__TLG_FIXED(TraceLoggingChar32(~), __VA_ARGS__, ~)
#define TraceLoggingWCharFixedArray(...) UE__TLG_FIXED(TraceLoggingWChar(~), __VA_ARGS__, ~)
#define TraceLoggingPointerFixedArray(...) UE__TLG_FIXED(TraceLoggingPointer(~), __VA_ARGS__, ~)
#define TraceLoggingPidFixedArray(...) UE__TLG_FIXED(TraceLoggingPid(~), __VA_ARGS__, ~)
#define TraceLoggingPortFixedArray(...) UE__TLG_FIXED(TraceLoggingPort(~), __VA_ARGS__, ~)
#define TraceLoggingErrnoFixedArray(...) UE__TLG_FIXED(TraceLoggingErrno(~), __VA_ARGS__, ~)
#define TraceLoggingTime32FixedArray(...) UE__TLG_FIXED(TraceLoggingTime32(~), __VA_ARGS__, ~)
#define TraceLoggingTime64FixedArray(...) UE__TLG_FIXED(TraceLoggingTime64(~), __VA_ARGS__, ~)
#define TraceLoggingInt8Array(...) UE__TLG_ARRAY(TraceLoggingInt8(~), __VA_ARGS__, ~)
#define TraceLoggingUInt8Array(...) UE__TLG_ARRAY(TraceLoggingUInt8(~), __VA_ARGS__, ~)
#define TraceLoggingInt16Array(...) UE__TLG_ARRAY(TraceLoggingInt16(~), __VA_ARGS__, ~)
#define TraceLoggingUInt16Array(...) UE__TLG_ARRAY(TraceLoggingUInt16(~), __VA_ARGS__, ~)
#define TraceLoggingInt32Array(...) UE__TLG_ARRAY(TraceLoggingInt32(~), __VA_ARGS__, ~)
#define TraceLoggingUInt32Array(...) UE__TLG_ARRAY(TraceLoggingUInt32(~), __VA_ARGS__, ~)
#define TraceLoggingInt64Array(...) UE__TLG_ARRAY(TraceLoggingInt64(~), __VA_ARGS__, ~)
#define TraceLoggingUInt64Array(...) UE__TLG_ARRAY(TraceLoggingUInt64(~), __VA_ARGS__, ~)
#define TraceLoggingIntPtrArray(...) UE__TLG_ARRAY(TraceLoggingIntPtr(~), __VA_ARGS__, ~)
#define TraceLoggingUIntPtrArray(...) UE__TLG_ARRAY(TraceLoggingUIntPtr(~), __VA_ARGS__, ~)
#define TraceLoggingLongArray(...) UE__TLG_ARRAY(TraceLoggingLong(~), __VA_ARGS__, ~)
#define TraceLoggingULongArray(...) UE__TLG_ARRAY(TraceLoggingULong(~), __VA_ARGS__, ~)
#define TraceLoggingHexInt8Array(...) UE__TLG_ARRAY(TraceLoggingHexInt8(~), __VA_ARGS__, ~)
#define TraceLoggingHexUInt8Array(...) UE__TLG_ARRAY(TraceLoggingHexUInt8(~), __VA_ARGS__, ~)
#define TraceLoggingHexInt16Array(...) UE__TLG_ARRAY(TraceLoggingHexInt16(~), __VA_ARGS__, ~)
#define TraceLoggingHexUInt16Array(...) UE__TLG_ARRAY(TraceLoggingHexUInt16(~), __VA_ARGS__, ~)
#define TraceLoggingHexInt32Array(...) UE__TLG_ARRAY(TraceLoggingHexInt32(~), __VA_ARGS__, ~)
#define TraceLoggingHexUInt32Array(...) UE__TLG_ARRAY(TraceLoggingHexUInt32(~), __VA_ARGS__, ~)
#define TraceLoggingHexInt64Array(...) UE__TLG_ARRAY(TraceLoggingHexInt64(~), __VA_ARGS__, ~)
#define TraceLoggingHexUInt64Array(...) UE__TLG_ARRAY(TraceLoggingHexUInt64(~), __VA_ARGS__, ~)
#define TraceLoggingHexIntPtrArray(...) UE__TLG_ARRAY(TraceLoggingHexIntPtr(~), __VA_ARGS__, ~)
#define TraceLoggingHexUIntPtrArray(...) UE__TLG_ARRAY(TraceLoggingHexUIntPtr(~), __VA_ARGS__, ~)
#define TraceLoggingHexLongArray(...) UE__TLG_ARRAY(TraceLoggingHexLong(~), __VA_ARGS__, ~)
#define TraceLoggingHexULongArray(...) UE__TLG_ARRAY(TraceLoggingHexULong(~), __VA_ARGS__, ~)
#define TraceLoggingFloat32Array(...) UE__TLG_ARRAY(TraceLoggingFloat32(~), __VA_ARGS__, ~)
#define TraceLoggingFloat64Array(...) UE__TLG_ARRAY(TraceLoggingFloat64(~), __VA_ARGS__, ~)
#define TraceLoggingBooleanArray(...) UE__TLG_ARRAY(TraceLoggingBoolean(~), __VA_ARGS__, ~)
#define TraceLoggingBoolArray(...) UE__TLG_ARRAY(TraceLoggingBool(~), __VA_ARGS__, ~)
#define TraceLoggingCharArray(...) UE__TLG_ARRAY(TraceLoggingChar(~), __VA_ARGS__, ~)
#define TraceLoggingChar16Array(...) UE__TLG_ARRAY(TraceLoggingChar16(~), __VA_ARGS__, ~)
#define TraceLoggingChar32Array(...) UE__TLG_ARRAY(TraceLoggingChar32(~), __VA_ARGS__, ~)
#define TraceLoggingWCharArray(...) UE__TLG_ARRAY(TraceLoggingWChar(~), __VA_ARGS__, ~)
#define TraceLoggingPointerArray(...) UE__TLG_ARRAY(TraceLoggingPointer(~), __VA_ARGS__, ~)
#define TraceLoggingPidArray(...) UE__TLG_ARRAY(TraceLoggingPid(~), __VA_ARGS__, ~)
#define TraceLoggingPortArray(...) UE__TLG_ARRAY(TraceLoggingPort(~), __VA_ARGS__, ~)
#define TraceLoggingErrnoArray(...) UE__TLG_ARRAY(TraceLoggingErrno(~), __VA_ARGS__, ~)
#define TraceLoggingTime32Array(...) UE__TLG_ARRAY(TraceLoggingTime32(~), __VA_ARGS__, ~)
#define TraceLoggingTime64Array(...) UE__TLG_ARRAY(TraceLoggingTime64(~), __VA_ARGS__, ~)

/*
 * Fields that are pointers to 16 bytes. The Ex macros accept pointers to SIZE bytes, and a FORMAT.
 */
#define TraceLoggingGuid(...) UE__TLG_ONE(ue__compat_sixteen, void, value128, uuid, __VA_ARGS__, ~)
/*
 * Uses a format that all readers show as an address. Older readers and the Rust decoder do not
 * support format 17 for 16 bytes.
 */
#define TraceLoggingIPv6Address(...) \
	UE__TLG_ONE(ue__compat_sixteen, void, value128, ipv6, __VA_ARGS__, ~)
#define TraceLoggingBinary(...) \
	UE__TLG_TEXT(ue__compat_octets, void, length16_char8, hex_bytes, __VA_ARGS__, ~)
#define TraceLoggingBinaryEx(p, size, ...) \
	UE__TLG_PACKED_EX(ue__compat_octets(void, p, size), p, \
			  event_field_encoding_string_length16_char8, __VA_ARGS__, ~)

/* The next COUNT fields are the members of the struct. */
#define TraceLoggingStruct(...) UE__TLG_STRUCT(event_field_encoding_struct, __VA_ARGS__, ~)
#define TraceLoggingPackedStruct TraceLoggingStruct
#define TraceLoggingPackedStructArray(...) \
	UE__TLG_STRUCT(event_field_encoding_struct | event_field_encoding_varray_flag, \
		       __VA_ARGS__, ~)

/* Macros for a field definition, a value, or both. The value is copied to the event unchanged. */
#define TraceLoggingPackedMetadata(...) UE__TLG_PACKED(, ~, __VA_ARGS__, ~)
#define TraceLoggingPackedMetadataEx(...) UE__TLG_PACKED_EX(, ~, __VA_ARGS__, ~)
#define TraceLoggingPackedData(p, size) \
	UE__TLG_FIELD(ue__compat_bytes(void, p, size), ue__tlg_none, ~)
#define TraceLoggingPackedField(p, size, ...) \
	UE__TLG_PACKED(ue__compat_bytes(void, p, size), p, __VA_ARGS__, ~)
#define TraceLoggingPackedFieldEx(p, size, ...) \
	UE__TLG_PACKED_EX(ue__compat_bytes(void, p, size), p, __VA_ARGS__, ~)

/*
 * A definition is ue__tlg_none, or ue__typed with these arguments: encoding, 1 if it has a format,
 * format, name, 1 if it has a tag, tag. The format of ue__tlg_struct is the number of fields.
 * ue__fixed has a count before the encoding.
 */
#define UE__TLG_VALUE(ctype, encoding, format, value, ...) \
	UE__TLG_FIELD(ue__compat_value(ctype, value), ue__typed, event_field_encoding_##encoding, \
		      UE__I_SECOND_OF(UE__TLG_IS_##format, 1, ~), event_field_format_##format, \
		      UE__TLG_NAME(value, __VA_ARGS__))
#define UE__TLG_ONE(put, ctype, encoding, format, value, ...) \
	UE__TLG_FIELD(put(ctype, value), ue__typed, event_field_encoding_##encoding, \
		      UE__I_SECOND_OF(UE__TLG_IS_##format, 1, ~), event_field_format_##format, \
		      UE__TLG_NAME(value, __VA_ARGS__))
#define UE__TLG_TEXT(put, ctype, encoding, format, p, n, ...) \
	UE__TLG_FIELD(put(ctype, p, n), ue__typed, event_field_encoding_string_##encoding, \
		      UE__I_SECOND_OF(UE__TLG_IS_##format, 1, ~), event_field_format_##format, \
		      UE__TLG_NAME(p, __VA_ARGS__))
#define UE__TLG_IS_default ~, 0
#define UE__TLG_ARRAY(scalar, p, n, ...) \
	UE__TLG_FIELD(ue__compat_counted(UE__TLG_CTYPE scalar, p, n), ue__typed, \
		      UE__TLG_ENCODING scalar | event_field_encoding_varray_flag, \
		      UE__TLG_FORMAT scalar, UE__TLG_NAME(p, __VA_ARGS__))
#define UE__TLG_FIXED(scalar, p, n, ...) \
	UE__TLG_FIELD(ue__compat_bytes(UE__TLG_CTYPE scalar, p, \
				       (n) * sizeof(UE__TLG_CTYPE scalar)), \
		      ue__fixed, n, UE__TLG_ENCODING scalar | event_field_encoding_carray_flag, \
		      UE__TLG_FORMAT scalar, UE__TLG_NAME(p, __VA_ARGS__))
#define UE__TLG_CTYPE(class, mark, put, ...) UE__TLG_CTYPE_##put
#define UE__TLG_CTYPE_ue__compat_value(ctype, value) ctype
#define UE__TLG_ENCODING(class, mark, put, no_id, k, l, o, i, t, typed, encoding, ...) encoding
#define UE__TLG_FORMAT(class, mark, put, no_id, k, l, o, i, t, typed, encoding, f, format, ...) \
	f, format
#define UE__TLG_STRUCT(encoding, count, ...) \
	UE__TLG_FIELD(, ue__tlg_struct, encoding, 1, count, UE__TLG_NAME(~, __VA_ARGS__))
#define UE__TLG_PACKED(put, p, encoding, ...) \
	UE__TLG_FIELD(put, ue__typed, encoding, 0, 0, UE__TLG_NAME(p, __VA_ARGS__))
#define UE__TLG_PACKED_EX(put, p, encoding, format, ...) \
	UE__TLG_FIELD(put, ue__typed, encoding, 1, format, UE__TLG_NAME(p, __VA_ARGS__))
#define UE__COMPAT_PUT_ue__compat_sixteen(ctype, p) UE__COMPAT_PUT_ue__compat_bytes(void, p, 16)
#define UE__COMPAT_PUT_ue__compat_octets(ctype, p, size) \
	UE__COMPAT_PUT_ue__compat_sized(void, p, size, 1)

/*
 * Expands (value, [name, [description, [tag]]], ~) to the name, 1 if there is a tag, and the tag.
 */
#define UE__TLG_NAME(...) UE__I_CAT(UE__TLG_NAME_, UE__I_COUNT(__VA_ARGS__))(__VA_ARGS__)
#define UE__TLG_NAME_1(value, none) #value, 0, 0
#define UE__TLG_NAME_2(value, name, none) name, 0, 0
#define UE__TLG_NAME_3(value, name, description, none) name, 0, 0
#define UE__TLG_NAME_4(value, name, description, tag, none) name, 1, tag

/*
 * Metadata of a field: its name and an encoding byte, followed by the format, tag and count if
 * present.
 */
#define UE__TLG_DEFINE_ue__i_option(...)
#define UE__TLG_DEFINE_ue__compat(at, put, no_id, keyword, level, opcode, id, tag, kind, ...) \
	UE__TLG_DEFINE_##kind(at, __VA_ARGS__)
#define UE__TLG_DEFINE_ue__tlg_none(...)
#define UE__TLG_DEFINE_ue__typed(at, encoding, f, format, name, t, tag) \
	char ue__tlg_name##at[sizeof(name)]; \
	uint8_t ue__tlg_type##at[1 + (f | t) + 2 * t];
/* An assertion within a struct, where clang rejects the __extension__ of UE__I_STATIC_ASSERT. */
#ifdef __cplusplus
#define UE__TLG_MEMBER_ASSERT(...) static_assert(__VA_ARGS__)
#else
#define UE__TLG_MEMBER_ASSERT(...) _Static_assert(__VA_ARGS__)
#endif
#define UE__TLG_DEFINE_ue__fixed(at, count, ...) \
	UE__TLG_MEMBER_ASSERT((count) > 0, "an array of constant length has 1 to 65535 elements"); \
	UE__TLG_DEFINE_ue__typed(at, __VA_ARGS__) uint8_t ue__count##at[2];
#define UE__TLG_DEFINE_ue__tlg_struct(at, encoding, f, count, ...) \
	UE__TLG_MEMBER_ASSERT((count) > 0 && (count) < 128, "a struct has 1 to 127 fields"); \
	UE__TLG_DEFINE_ue__typed(at, encoding, f, count, __VA_ARGS__)
#define UE__TLG_INITIALISE_ue__i_option(...)
#define UE__TLG_INITIALISE_ue__compat(at, put, no_id, keyword, level, opcode, id, tag, kind, ...) \
	UE__TLG_INITIALISE_##kind(__VA_ARGS__)
#define UE__TLG_INITIALISE_ue__tlg_none(...)
#define UE__TLG_INITIALISE_ue__typed(encoding, f, format, name, t, tag) \
	name, { UE__TLG_BYTES_##f##t(encoding, format, tag) },
#define UE__TLG_INITIALISE_ue__fixed(count, ...) \
	UE__TLG_INITIALISE_ue__typed(__VA_ARGS__) { UE__TLG_UNIT(count) },
#define UE__TLG_INITIALISE_ue__tlg_struct UE__TLG_INITIALISE_ue__typed
#define UE__TLG_BYTES_00(encoding, format, tag) UE__I_CAST(uint8_t, encoding)
#define UE__TLG_BYTES_10(encoding, format, tag) \
	UE__I_CAST(uint8_t, (encoding) | 128), UE__I_CAST(uint8_t, format)
#define UE__TLG_BYTES_01 UE__TLG_BYTES_11
#define UE__TLG_BYTES_11(encoding, format, tag) \
	UE__I_CAST(uint8_t, (encoding) | 128), UE__I_CAST(uint8_t, (format) | 128), \
		UE__TLG_UNIT(tag)
#define UE__TLG_UNIT(x) \
	UE__I_CAST(uint8_t, (x) >> UE__TLG_FIRST_BYTE & 255), \
	UE__I_CAST(uint8_t, (x) >> (8 - UE__TLG_FIRST_BYTE) & 255)
#define UE__TLG_FIRST_BYTE (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 8 : 0)

#ifdef __cplusplus
/*
 * Records a scalar, a pointer (as an address), or a string. The type of the field is the same as
 * for a plain variable in user_events.h, except that text is Latin-1.
 */
#define TraceLoggingValue(...) UE__TLG_AUTO(__VA_ARGS__, ~)
#define UE__TLG_AUTO(value, ...) \
	UE__TLG_FIELD(ue__compat_any(value), ue__tlg_any, UE__TLG_TYPE_OF(value), \
		      UE__TLG_NAME(value, __VA_ARGS__))
#define UE__TLG_DECAYED(value) decltype(ue__tlg_decayed(value))
#define UE__TLG_TYPE_OF(value) ue__tlg_auto<UE__TLG_DECAYED(value)>::ue__i_type
#define UE__TLG_DEFINE_ue__tlg_any(at, type, name, t, tag) \
	char ue__tlg_name##at[sizeof(name)]; \
	uint64_t ue__tlg_type##at : UE__TLG_BITS(type, t) __attribute__((__packed__));
#define UE__TLG_BITS(type, t) (t ? 32 : UE__F_FORMAT_OF(type) ? 16 : 8)
#define UE__TLG_INITIALISE_ue__tlg_any(type, name, t, tag) \
	name, UE__F_META_VALUE(UE__F_KIND_OF(type) | (UE__TLG_BITS(type, t) > 8 ? 128 : 0), \
			     UE__F_FORMAT_OF(type) | t * 128, tag, 0, UE__TLG_BITS(type, t), 0),
#define UE__COMPAT_PUT_ue__compat_any(value) \
	ue__tlg_put(&ue__end, UE__TLG_TYPE_OF(value), \
		    UE__COMPAT_ADDRESS(UE__TLG_DECAYED(value), value), \
		    sizeof(UE__TLG_DECAYED(value))),
UE__I_BEGIN
template <class ue__Ctype> ue__Ctype ue__tlg_decayed(ue__Ctype);
template <class ue__Ctype> struct ue__tlg_auto {
	typedef ue__i_auto<ue__Ctype> core;
	static_assert(UE__F_KIND_OF(core::ue__i_type) > event_field_encoding_struct &&
			      !(core::ue__i_type & UE__F_T_SPAN),
		      "TraceLoggingValue() takes a scalar, a string or a pointer");
	static constexpr uint32_t ue__i_type =
		core::ue__i_type == UE__F_TYPE(STR) ? UE__F_TYPE(LATIN1) : core::ue__i_type;
};
UE__I_FN void ue__tlg_put(struct iovec **end, uint32_t type, const void *value, size_t size)
{
	const void *s;

	if (!UE__F_IS_ZSTRING(type))
		return ue__compat_put(end, value, size);
	memcpy(&s, value, sizeof(s));
	ue__compat_put_string(end, s, size_t(1) << UE__F_LOG2_OF(type));
}
UE__I_END
#endif

#endif
