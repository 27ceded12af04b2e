/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The user_events.h authors */
/*
 * <eventheader/TraceLoggingProvider.h> for programs written for LinuxTracepoints: they take the folder above as an
 * include path (-I.../compat), change nothing and link nothing. Their events are the same, byte for byte.
 *
 *	TRACELOGGING_DEFINE_PROVIDER(MyProvider, "MyCompany_MyProvider",
 *		(0xb3864c38, 0x4273, 0x58c5, 0x54, 0x5b, 0x8b, 0x36, 0x08, 0x34, 0x34, 0x71));
 *
 *	TraceLoggingRegister(MyProvider);
 *	TraceLoggingWrite(MyProvider, "Request", TraceLoggingLevel(event_level_information),
 *			  TraceLoggingString(path, "path"), TraceLoggingInt32(status));
 *	TraceLoggingUnregister(MyProvider);
 *
 * New code uses UE_LOG() of user_events.h: docs/eventheader.md tells what takes the place of each macro, and what
 * differs here.
 *
 * Each pair of level and keyword that a provider's events have is an event set: one tracepoint, one file
 * descriptor. TraceLoggingRegister() registers them. It and TraceLoggingUnregister() are not async-signal-safe; no
 * other thread may register or unregister the same provider then, nor write its events while it is unregistered.
 * TraceLoggingWrite() is thread-safe and async-signal-safe and leaves errno alone. While nobody listens it loads
 * its set's address and tests a word there.
 */
#ifndef UE_COMPAT_TRACELOGGINGPROVIDER_H
#define UE_COMPAT_TRACELOGGINGPROVIDER_H
#ifndef UE__NO_SYSTEM_HEADER
#pragma GCC system_header
#endif

#include "eventheader.h"

/* * ---- Providers ---- */

/* The id, eleven numbers in parentheses, is ignored. TraceLoggingOptionGroupName("group") may follow. */
#define TRACELOGGING_DECLARE_PROVIDER(symbol) \
	UE__C_LINKAGE eventheader_tracepoint *const UE__CAT(__start_ue_sites_, symbol)[] UE__COMPAT_HIDDEN; \
	UE__C_LINKAGE eventheader_tracepoint *const UE__CAT(__stop_ue_sites_, symbol)[] UE__COMPAT_HIDDEN; \
	UE__C_LINKAGE UE__HIDDEN eventheader_provider UE__CAT(ue__provider_, symbol)
#define TRACELOGGING_DEFINE_PROVIDER(symbol, name, ...) \
	TRACELOGGING_DECLARE_PROVIDER(symbol); \
	UE__STATIC_ASSERT(sizeof("" name "_LnnKnnnnnnnnnnnnnnnn" UE__SECOND_OF(__VA_ARGS__, "", ~)) <= \
				  EVENTHEADER_NAME_MAX, \
			  "TRACELOGGING_DEFINE_PROVIDER: the name is too long"); \
	eventheader_provider UE__CAT(ue__provider_, symbol) = { UE__NULL, UE__SECOND_OF(__VA_ARGS__, "", ~), "" name }
#define TraceLoggingOptionGroupName(group) "G" group

/* 0, or why a set could not be registered: ue_event_set_register() tells, and ue_status() in a sentence. */
#define TraceLoggingRegister(symbol) \
	eventheader_open_provider_with_events(&UE__CAT(ue__provider_, symbol), UE__CAT(__start_ue_sites_, symbol), \
					      UE__CAT(__stop_ue_sites_, symbol))
#define TraceLoggingUnregister(symbol) eventheader_close_provider(&UE__CAT(ue__provider_, symbol))
#define TraceLoggingProviderName(symbol) (UE__CAT(ue__provider_, symbol).name)
#define TraceLoggingProviderOptions(symbol) (UE__CAT(ue__provider_, symbol).options)

/* Tells whether anybody listens to events of LEVEL and KEYWORD, which are constants. */
#define TraceLoggingProviderEnabled(symbol, level, keyword) \
	__extension__({ \
		UE__TLG_CONSTANTS(level, keyword); \
		static const struct UE__HIDDEN_TYPE { \
			eventheader ue__header; \
		} ue__block = { { 0, 0, 0, 0, 0, ue__level } }; \
		UE__TLG_SITE(symbol, &ue__block.ue__header); \
		ue__compat_enabled(&ue__site); \
	})

/* * ---- Events ---- */

/*
 * An expression: 0, also when nobody listens, or an errno of ue_event_writev(). At most 99 arguments. Values are
 * evaluated only when somebody listens, once, in order.
 */
#define TraceLoggingWrite(symbol, ...) \
	UE__TLG_WRITE(UE__COMPAT_COUNT(__VA_ARGS__), symbol, UE__NULL, UE__NULL, __VA_ARGS__, \
		      UE__COMPAT_FILL(UE__TLG_NOTHING))
/* ACTIVITY and the argument behind it, the related activity: 16 bytes each, or NULL */
#define TraceLoggingWriteActivity(symbol, name, activity, ...) \
	UE__TLG_WRITE_ACTIVITY(UE__COMPAT_COUNT(__VA_ARGS__), symbol, name, activity, __VA_ARGS__, \
			       UE__COMPAT_FILL(UE__TLG_NOTHING))

/*
 * An argument is three lists: terms that follow the default values of keyword, level, opcode, id, tag; a field's
 * definition; its value. Of several levels the last one holds, since its term begins with "* 0 +".
 */
#define TraceLoggingKeyword(keyword) ((| (keyword), , , , ), (NONE, ~), (NONE, ~))
#define TraceLoggingLevel(level) ((, *0 + (level), , , ), (NONE, ~), (NONE, ~))
#define TraceLoggingOpcode(opcode) ((, , *0 + (opcode), , ), (NONE, ~), (NONE, ~))
#define TraceLoggingIdVersion(id, version) ((, , , *0 + ((id) + (version)*65536), ), (NONE, ~), (NONE, ~))
#define TraceLoggingEventTag(tag) ((, , , , *0 + (tag)), (NONE, ~), (NONE, ~))
#define TraceLoggingDescription(text) UE__TLG_NOTHING
#define UE__TLG_NOTHING ((, , , , ), (NONE, ~), (NONE, ~))
#define UE__TLG_SETTINGS(settings, definition, value) settings
#define UE__TLG_DEFINITION(settings, definition, value) definition
#define UE__TLG_DATA(settings, definition, value) value
#define UE__TLG_KEYWORD(at, argument) UE__COMPAT_CALL(UE__TLG_KEYWORD_, UE__TLG_SETTINGS argument)
#define UE__TLG_KEYWORD_(keyword, level, opcode, id, tag) keyword
#define UE__TLG_LEVEL(at, argument) UE__COMPAT_CALL(UE__TLG_LEVEL_, UE__TLG_SETTINGS argument)
#define UE__TLG_LEVEL_(keyword, level, opcode, id, tag) level
#define UE__TLG_OPCODE(at, argument) UE__COMPAT_CALL(UE__TLG_OPCODE_, UE__TLG_SETTINGS argument)
#define UE__TLG_OPCODE_(keyword, level, opcode, id, tag) opcode
#define UE__TLG_ID(at, argument) UE__COMPAT_CALL(UE__TLG_ID_, UE__TLG_SETTINGS argument)
#define UE__TLG_ID_(keyword, level, opcode, id, tag) id
#define UE__TLG_TAG(at, argument) UE__COMPAT_CALL(UE__TLG_TAG_, UE__TLG_SETTINGS argument)
#define UE__TLG_TAG_(keyword, level, opcode, id, tag) tag

#ifdef __cplusplus
#define UE__TLG_ENUM enum : uint64_t
#else
#define UE__TLG_ENUM __extension__ enum
#endif
#define UE__TLG_CONSTANTS(level, keyword) \
	UE__TLG_ENUM { ue__level = UE__U64(0) + (level), ue__keyword = UE__U64(0) + (keyword) }; \
	UE__STATIC_ASSERT(ue__level >= 1 && ue__level <= 255, "TraceLoggingLevel: a level is 1 to 255")
#define UE__TLG_SITE(symbol, header) \
	static struct ue__compat_set ue__set; \
	static eventheader_tracepoint ue__site = { &ue__set.ue__own, &ue__set.ue__own, header, ue__keyword, \
						   UE__NULL }; \
	UE__COMPAT_LIST("ue_sites_" UE__STRINGIFY_EACH(symbol), &ue__site)

#define UE__TLG_WRITE_ACTIVITY(n, symbol, name, activity, related, ...) \
	UE__TLG_WRITE(n, symbol, activity, related, name, __VA_ARGS__)
#define UE__TLG_WRITE(n, symbol, activity, related, name, ...) \
	UE__TLG_WRITE_(n, UE__CAT(UE__COMPAT_EACH_, n), symbol, activity, related, name, __VA_ARGS__)
#define UE__TLG_WRITE_(n, each, symbol, activity, related, name_, ...) \
	__extension__({ \
		UE__TLG_CONSTANTS(5 each(UE__TLG_LEVEL, __VA_ARGS__), 0 each(UE__TLG_KEYWORD, __VA_ARGS__)); \
		enum { ue__id = 0 each(UE__TLG_ID, __VA_ARGS__) }; \
		static const struct UE__HIDDEN_TYPE { \
			eventheader ue__header; \
			eventheader_extension ue__extension; \
			struct { \
				char ue__name[sizeof(name_)]; \
				each(UE__TLG_MEMBERS, __VA_ARGS__) \
			} ue__metadata; \
		} ue__block = { { UE__HEADER_FLAGS, UE__U8(ue__id >> 16), UE__U16(ue__id & 65535), \
				  UE__U16(0 each(UE__TLG_TAG, __VA_ARGS__)), \
				  UE__U8(0 each(UE__TLG_OPCODE, __VA_ARGS__)), ue__level }, \
				{ sizeof(ue__block.ue__metadata), UE__EXTENSION_METADATA }, \
				{ name_ each(UE__TLG_VALUES, __VA_ARGS__) } }; \
		UE__TLG_SITE(symbol, &ue__block.ue__header); \
		int ue__error = 0; \
		if (ue__compat_enabled(&ue__site)) { \
			struct iovec ue__pieces[EVENTHEADER_PREFIX_DATAVEC_COUNT + 2 * n]; \
			struct iovec *ue__end = ue__pieces + EVENTHEADER_PREFIX_DATAVEC_COUNT; \
			UE__COLD_SITE; \
			each(UE__TLG_PUT, __VA_ARGS__) ue__error = \
				eventheader_write(&ue__site, activity, related, \
						  UE__U32(ue__end - ue__pieces), ue__pieces); \
		} \
		ue__error; \
	})

/* * ---- Fields ---- */

/*
 * Each takes a value, or pointer and count, then [name, [description, [tag]]]; without a name the value is its name.
 * The tables have the C type, its encoding, is there a format, and the format.
 */
#define TraceLoggingInt8(...) UE__TLG_SCALAR(int8_t, value8, 1, signed_int, __VA_ARGS__)
#define TraceLoggingUInt8(...) UE__TLG_SCALAR(uint8_t, value8, 0, default, __VA_ARGS__)
#define TraceLoggingInt16(...) UE__TLG_SCALAR(int16_t, value16, 1, signed_int, __VA_ARGS__)
#define TraceLoggingUInt16(...) UE__TLG_SCALAR(uint16_t, value16, 0, default, __VA_ARGS__)
#define TraceLoggingInt32(...) UE__TLG_SCALAR(int32_t, value32, 1, signed_int, __VA_ARGS__)
#define TraceLoggingUInt32(...) UE__TLG_SCALAR(uint32_t, value32, 0, default, __VA_ARGS__)
#define TraceLoggingInt64(...) UE__TLG_SCALAR(int64_t, value64, 1, signed_int, __VA_ARGS__)
#define TraceLoggingUInt64(...) UE__TLG_SCALAR(uint64_t, value64, 0, default, __VA_ARGS__)
#define TraceLoggingIntPtr(...) UE__TLG_SCALAR(intptr_t, value_ptr, 1, signed_int, __VA_ARGS__)
#define TraceLoggingUIntPtr(...) UE__TLG_SCALAR(uintptr_t, value_ptr, 0, default, __VA_ARGS__)
#define TraceLoggingLong(...) UE__TLG_SCALAR(signed long, value_long, 1, signed_int, __VA_ARGS__)
#define TraceLoggingULong(...) UE__TLG_SCALAR(unsigned long, value_long, 0, default, __VA_ARGS__)
#define TraceLoggingHexInt8(...) UE__TLG_SCALAR(int8_t, value8, 1, hex_int, __VA_ARGS__)
#define TraceLoggingHexUInt8(...) UE__TLG_SCALAR(uint8_t, value8, 1, hex_int, __VA_ARGS__)
#define TraceLoggingHexInt16(...) UE__TLG_SCALAR(int16_t, value16, 1, hex_int, __VA_ARGS__)
#define TraceLoggingHexUInt16(...) UE__TLG_SCALAR(uint16_t, value16, 1, hex_int, __VA_ARGS__)
#define TraceLoggingHexInt32(...) UE__TLG_SCALAR(int32_t, value32, 1, hex_int, __VA_ARGS__)
#define TraceLoggingHexUInt32(...) UE__TLG_SCALAR(uint32_t, value32, 1, hex_int, __VA_ARGS__)
#define TraceLoggingHexInt64(...) UE__TLG_SCALAR(int64_t, value64, 1, hex_int, __VA_ARGS__)
#define TraceLoggingHexUInt64(...) UE__TLG_SCALAR(uint64_t, value64, 1, hex_int, __VA_ARGS__)
#define TraceLoggingHexIntPtr(...) UE__TLG_SCALAR(intptr_t, value_ptr, 1, hex_int, __VA_ARGS__)
#define TraceLoggingHexUIntPtr(...) UE__TLG_SCALAR(uintptr_t, value_ptr, 1, hex_int, __VA_ARGS__)
#define TraceLoggingHexLong(...) UE__TLG_SCALAR(signed long, value_long, 1, hex_int, __VA_ARGS__)
#define TraceLoggingHexULong(...) UE__TLG_SCALAR(unsigned long, value_long, 1, hex_int, __VA_ARGS__)
#define TraceLoggingFloat32(...) UE__TLG_SCALAR(float, value_float, 1, float, __VA_ARGS__)
#define TraceLoggingFloat64(...) UE__TLG_SCALAR(double, value_double, 1, float, __VA_ARGS__)
#define TraceLoggingBoolean(...) UE__TLG_SCALAR(uint8_t, value8, 1, boolean, __VA_ARGS__)
#define TraceLoggingBool(...) UE__TLG_SCALAR(int32_t, value32, 1, boolean, __VA_ARGS__)
#define TraceLoggingChar(...) UE__TLG_SCALAR(char, value8, 1, string8, __VA_ARGS__)
#define TraceLoggingChar16(...) UE__TLG_SCALAR(char16_t, value16, 1, string_utf, __VA_ARGS__)
#define TraceLoggingChar32(...) UE__TLG_SCALAR(char32_t, value32, 1, string_utf, __VA_ARGS__)
#define TraceLoggingWChar(...) UE__TLG_SCALAR(wchar_t, value_wchar, 1, string_utf, __VA_ARGS__)
#define TraceLoggingPointer(...) UE__TLG_SCALAR(void const *, value_ptr, 1, hex_int, __VA_ARGS__)
#define TraceLoggingPid(...) UE__TLG_SCALAR(int32_t, value32, 1, pid, __VA_ARGS__)
#define TraceLoggingPort(...) UE__TLG_SCALAR(uint16_t, value16, 1, port, __VA_ARGS__)
#define TraceLoggingErrno(...) UE__TLG_SCALAR(int32_t, value32, 1, errno, __VA_ARGS__)
#define TraceLoggingTime32(...) UE__TLG_SCALAR(int32_t, value32, 1, time, __VA_ARGS__)
#define TraceLoggingTime64(...) UE__TLG_SCALAR(int64_t, value64, 1, time, __VA_ARGS__)
#define TraceLoggingIPv4Address(...) UE__TLG_SCALAR(uint32_t, value32, 1, ip_address, __VA_ARGS__)
#define TraceLoggingString(...) UE__TLG_STRING(char, zstring_char8, 1, string8, __VA_ARGS__)
#define TraceLoggingUtf8String(...) UE__TLG_STRING(char, zstring_char8, 0, default, __VA_ARGS__)
#define TraceLoggingString16(...) UE__TLG_STRING(char16_t, zstring_char16, 0, default, __VA_ARGS__)
#define TraceLoggingString32(...) UE__TLG_STRING(char32_t, zstring_char32, 0, default, __VA_ARGS__)
#define TraceLoggingWideString(...) UE__TLG_STRING(wchar_t, zstring_wchar, 0, default, __VA_ARGS__)
#define TraceLoggingCountedString(...) UE__TLG_TEXT(char, length16_char8, 1, string8, __VA_ARGS__)
#define TraceLoggingCountedUtf8String(...) UE__TLG_TEXT(char, length16_char8, 0, default, __VA_ARGS__)
#define TraceLoggingCountedString16(...) UE__TLG_TEXT(char16_t, length16_char16, 0, default, __VA_ARGS__)
#define TraceLoggingCountedString32(...) UE__TLG_TEXT(char32_t, length16_char32, 0, default, __VA_ARGS__)
#define TraceLoggingCountedWideString(...) UE__TLG_TEXT(wchar_t, length16_wchar, 0, default, __VA_ARGS__)

/* constant and variable numbers of them */
#define TraceLoggingInt8FixedArray(...) UE__TLG_FIXED(TraceLoggingInt8(~), __VA_ARGS__)
#define TraceLoggingUInt8FixedArray(...) UE__TLG_FIXED(TraceLoggingUInt8(~), __VA_ARGS__)
#define TraceLoggingInt16FixedArray(...) UE__TLG_FIXED(TraceLoggingInt16(~), __VA_ARGS__)
#define TraceLoggingUInt16FixedArray(...) UE__TLG_FIXED(TraceLoggingUInt16(~), __VA_ARGS__)
#define TraceLoggingInt32FixedArray(...) UE__TLG_FIXED(TraceLoggingInt32(~), __VA_ARGS__)
#define TraceLoggingUInt32FixedArray(...) UE__TLG_FIXED(TraceLoggingUInt32(~), __VA_ARGS__)
#define TraceLoggingInt64FixedArray(...) UE__TLG_FIXED(TraceLoggingInt64(~), __VA_ARGS__)
#define TraceLoggingUInt64FixedArray(...) UE__TLG_FIXED(TraceLoggingUInt64(~), __VA_ARGS__)
#define TraceLoggingIntPtrFixedArray(...) UE__TLG_FIXED(TraceLoggingIntPtr(~), __VA_ARGS__)
#define TraceLoggingUIntPtrFixedArray(...) UE__TLG_FIXED(TraceLoggingUIntPtr(~), __VA_ARGS__)
#define TraceLoggingLongFixedArray(...) UE__TLG_FIXED(TraceLoggingLong(~), __VA_ARGS__)
#define TraceLoggingULongFixedArray(...) UE__TLG_FIXED(TraceLoggingULong(~), __VA_ARGS__)
#define TraceLoggingHexInt8FixedArray(...) UE__TLG_FIXED(TraceLoggingHexInt8(~), __VA_ARGS__)
#define TraceLoggingHexUInt8FixedArray(...) UE__TLG_FIXED(TraceLoggingHexUInt8(~), __VA_ARGS__)
#define TraceLoggingHexInt16FixedArray(...) UE__TLG_FIXED(TraceLoggingHexInt16(~), __VA_ARGS__)
#define TraceLoggingHexUInt16FixedArray(...) UE__TLG_FIXED(TraceLoggingHexUInt16(~), __VA_ARGS__)
#define TraceLoggingHexInt32FixedArray(...) UE__TLG_FIXED(TraceLoggingHexInt32(~), __VA_ARGS__)
#define TraceLoggingHexUInt32FixedArray(...) UE__TLG_FIXED(TraceLoggingHexUInt32(~), __VA_ARGS__)
#define TraceLoggingHexInt64FixedArray(...) UE__TLG_FIXED(TraceLoggingHexInt64(~), __VA_ARGS__)
#define TraceLoggingHexUInt64FixedArray(...) UE__TLG_FIXED(TraceLoggingHexUInt64(~), __VA_ARGS__)
#define TraceLoggingHexIntPtrFixedArray(...) UE__TLG_FIXED(TraceLoggingHexIntPtr(~), __VA_ARGS__)
#define TraceLoggingHexUIntPtrFixedArray(...) UE__TLG_FIXED(TraceLoggingHexUIntPtr(~), __VA_ARGS__)
#define TraceLoggingHexLongFixedArray(...) UE__TLG_FIXED(TraceLoggingHexLong(~), __VA_ARGS__)
#define TraceLoggingHexULongFixedArray(...) UE__TLG_FIXED(TraceLoggingHexULong(~), __VA_ARGS__)
#define TraceLoggingFloat32FixedArray(...) UE__TLG_FIXED(TraceLoggingFloat32(~), __VA_ARGS__)
#define TraceLoggingFloat64FixedArray(...) UE__TLG_FIXED(TraceLoggingFloat64(~), __VA_ARGS__)
#define TraceLoggingBooleanFixedArray(...) UE__TLG_FIXED(TraceLoggingBoolean(~), __VA_ARGS__)
#define TraceLoggingBoolFixedArray(...) UE__TLG_FIXED(TraceLoggingBool(~), __VA_ARGS__)
#define TraceLoggingCharFixedArray(...) UE__TLG_FIXED(TraceLoggingChar(~), __VA_ARGS__)
#define TraceLoggingChar16FixedArray(...) UE__TLG_FIXED(TraceLoggingChar16(~), __VA_ARGS__)
#define TraceLoggingChar32FixedArray(...) UE__TLG_FIXED(TraceLoggingChar32(~), __VA_ARGS__)
#define TraceLoggingWCharFixedArray(...) UE__TLG_FIXED(TraceLoggingWChar(~), __VA_ARGS__)
#define TraceLoggingPointerFixedArray(...) UE__TLG_FIXED(TraceLoggingPointer(~), __VA_ARGS__)
#define TraceLoggingPidFixedArray(...) UE__TLG_FIXED(TraceLoggingPid(~), __VA_ARGS__)
#define TraceLoggingPortFixedArray(...) UE__TLG_FIXED(TraceLoggingPort(~), __VA_ARGS__)
#define TraceLoggingErrnoFixedArray(...) UE__TLG_FIXED(TraceLoggingErrno(~), __VA_ARGS__)
#define TraceLoggingTime32FixedArray(...) UE__TLG_FIXED(TraceLoggingTime32(~), __VA_ARGS__)
#define TraceLoggingTime64FixedArray(...) UE__TLG_FIXED(TraceLoggingTime64(~), __VA_ARGS__)
#define TraceLoggingInt8Array(...) UE__TLG_ARRAY(TraceLoggingInt8(~), __VA_ARGS__)
#define TraceLoggingUInt8Array(...) UE__TLG_ARRAY(TraceLoggingUInt8(~), __VA_ARGS__)
#define TraceLoggingInt16Array(...) UE__TLG_ARRAY(TraceLoggingInt16(~), __VA_ARGS__)
#define TraceLoggingUInt16Array(...) UE__TLG_ARRAY(TraceLoggingUInt16(~), __VA_ARGS__)
#define TraceLoggingInt32Array(...) UE__TLG_ARRAY(TraceLoggingInt32(~), __VA_ARGS__)
#define TraceLoggingUInt32Array(...) UE__TLG_ARRAY(TraceLoggingUInt32(~), __VA_ARGS__)
#define TraceLoggingInt64Array(...) UE__TLG_ARRAY(TraceLoggingInt64(~), __VA_ARGS__)
#define TraceLoggingUInt64Array(...) UE__TLG_ARRAY(TraceLoggingUInt64(~), __VA_ARGS__)
#define TraceLoggingIntPtrArray(...) UE__TLG_ARRAY(TraceLoggingIntPtr(~), __VA_ARGS__)
#define TraceLoggingUIntPtrArray(...) UE__TLG_ARRAY(TraceLoggingUIntPtr(~), __VA_ARGS__)
#define TraceLoggingLongArray(...) UE__TLG_ARRAY(TraceLoggingLong(~), __VA_ARGS__)
#define TraceLoggingULongArray(...) UE__TLG_ARRAY(TraceLoggingULong(~), __VA_ARGS__)
#define TraceLoggingHexInt8Array(...) UE__TLG_ARRAY(TraceLoggingHexInt8(~), __VA_ARGS__)
#define TraceLoggingHexUInt8Array(...) UE__TLG_ARRAY(TraceLoggingHexUInt8(~), __VA_ARGS__)
#define TraceLoggingHexInt16Array(...) UE__TLG_ARRAY(TraceLoggingHexInt16(~), __VA_ARGS__)
#define TraceLoggingHexUInt16Array(...) UE__TLG_ARRAY(TraceLoggingHexUInt16(~), __VA_ARGS__)
#define TraceLoggingHexInt32Array(...) UE__TLG_ARRAY(TraceLoggingHexInt32(~), __VA_ARGS__)
#define TraceLoggingHexUInt32Array(...) UE__TLG_ARRAY(TraceLoggingHexUInt32(~), __VA_ARGS__)
#define TraceLoggingHexInt64Array(...) UE__TLG_ARRAY(TraceLoggingHexInt64(~), __VA_ARGS__)
#define TraceLoggingHexUInt64Array(...) UE__TLG_ARRAY(TraceLoggingHexUInt64(~), __VA_ARGS__)
#define TraceLoggingHexIntPtrArray(...) UE__TLG_ARRAY(TraceLoggingHexIntPtr(~), __VA_ARGS__)
#define TraceLoggingHexUIntPtrArray(...) UE__TLG_ARRAY(TraceLoggingHexUIntPtr(~), __VA_ARGS__)
#define TraceLoggingHexLongArray(...) UE__TLG_ARRAY(TraceLoggingHexLong(~), __VA_ARGS__)
#define TraceLoggingHexULongArray(...) UE__TLG_ARRAY(TraceLoggingHexULong(~), __VA_ARGS__)
#define TraceLoggingFloat32Array(...) UE__TLG_ARRAY(TraceLoggingFloat32(~), __VA_ARGS__)
#define TraceLoggingFloat64Array(...) UE__TLG_ARRAY(TraceLoggingFloat64(~), __VA_ARGS__)
#define TraceLoggingBooleanArray(...) UE__TLG_ARRAY(TraceLoggingBoolean(~), __VA_ARGS__)
#define TraceLoggingBoolArray(...) UE__TLG_ARRAY(TraceLoggingBool(~), __VA_ARGS__)
#define TraceLoggingCharArray(...) UE__TLG_ARRAY(TraceLoggingChar(~), __VA_ARGS__)
#define TraceLoggingChar16Array(...) UE__TLG_ARRAY(TraceLoggingChar16(~), __VA_ARGS__)
#define TraceLoggingChar32Array(...) UE__TLG_ARRAY(TraceLoggingChar32(~), __VA_ARGS__)
#define TraceLoggingWCharArray(...) UE__TLG_ARRAY(TraceLoggingWChar(~), __VA_ARGS__)
#define TraceLoggingPointerArray(...) UE__TLG_ARRAY(TraceLoggingPointer(~), __VA_ARGS__)
#define TraceLoggingPidArray(...) UE__TLG_ARRAY(TraceLoggingPid(~), __VA_ARGS__)
#define TraceLoggingPortArray(...) UE__TLG_ARRAY(TraceLoggingPort(~), __VA_ARGS__)
#define TraceLoggingErrnoArray(...) UE__TLG_ARRAY(TraceLoggingErrno(~), __VA_ARGS__)
#define TraceLoggingTime32Array(...) UE__TLG_ARRAY(TraceLoggingTime32(~), __VA_ARGS__)
#define TraceLoggingTime64Array(...) UE__TLG_ARRAY(TraceLoggingTime64(~), __VA_ARGS__)

/* pointers to 16 bytes; to SIZE bytes, for Ex in FORMAT */
#define TraceLoggingGuid(...) UE__TLG_SIXTEEN(event_field_format_uuid, __VA_ARGS__)
#define TraceLoggingIPv6Address(...) UE__TLG_SIXTEEN(event_field_format_ip_address, __VA_ARGS__)
#define TraceLoggingBinary(...) \
	((, , , , ), (FIELD, UE__TLG_BYTES(event_field_format_hex_bytes), UE__TLG_NAME(UE__TLG_DROP(__VA_ARGS__))), \
	 (SIZED, __VA_ARGS__, ~))
#define TraceLoggingBinaryEx(p, size, ...) \
	((, , , , ), (FIELD, UE__TLG_BYTES(UE__FIRST(__VA_ARGS__, ~)), UE__TLG_NAME(UE__TLG_DROP(p, __VA_ARGS__))), \
	 (SIZED, p, size, ~))

/* COUNT fields that follow are the struct's members. */
#define TraceLoggingStruct(...) UE__TLG_STRUCT(0, __VA_ARGS__)
#define TraceLoggingPackedStruct(...) UE__TLG_STRUCT(0, __VA_ARGS__)
#define TraceLoggingPackedStructArray(...) UE__TLG_STRUCT(64, __VA_ARGS__)

/* Definition and value apart, or together: bytes as they are in the event. */
#define TraceLoggingPackedMetadata(...) \
	((, , , , ), (FIELD, void, UE__FIRST(__VA_ARGS__, ~), 0, 0, 0, 0, UE__TLG_NAME(__VA_ARGS__)), (NONE, ~))
#define TraceLoggingPackedMetadataEx(encoding, ...) \
	((, , , , ), (FIELD, void, encoding, 1, UE__FIRST(__VA_ARGS__, ~), 0, 0, UE__TLG_NAME(__VA_ARGS__)), \
	 (NONE, ~))
#define TraceLoggingPackedData(p, size) ((, , , , ), (NONE, ~), (BYTES, p, size, ~))
#define TraceLoggingPackedField(p, size, ...) \
	((, , , , ), \
	 (FIELD, void, UE__FIRST(__VA_ARGS__, ~), 0, 0, 0, 0, UE__TLG_NAME(UE__TLG_DROP(p, __VA_ARGS__))), \
	 (BYTES, p, size, ~))
#define TraceLoggingPackedFieldEx(p, size, encoding, ...) \
	((, , , , ), \
	 (FIELD, void, encoding, 1, UE__FIRST(__VA_ARGS__, ~), 0, 0, UE__TLG_NAME(UE__TLG_DROP(p, __VA_ARGS__))), \
	 (BYTES, p, size, ~))
#ifdef __cplusplus
/* a scalar, a pointer as an address, or a string */
#define TraceLoggingValue(...) \
	((, , , , ), (AUTO, UE__FIRST(__VA_ARGS__, ~), UE__TLG_NAME(__VA_ARGS__)), (AUTO, __VA_ARGS__, ~))
#endif

#define UE__TLG_BYTES(format) void, event_field_encoding_string_length16_char8, 1, format, 0, 0

/*
 * A definition is (FIELD, C type, encoding, is there a format, format, bits, count, name, is there a tag, tag):
 * bits 32 for a constant count, 64 for a count in the payload.
 */
#define UE__TLG_SCALAR(ctype, encoding, f, format, ...) \
	((, , , , ), \
	 (FIELD, ctype, event_field_encoding_##encoding, f, event_field_format_##format, 0, 0, \
	  UE__TLG_NAME(__VA_ARGS__)), \
	 (VALUE, ctype, __VA_ARGS__, ~))
#define UE__TLG_STRING(ctype, encoding, f, format, ...) \
	((, , , , ), \
	 (FIELD, ctype, event_field_encoding_##encoding, f, event_field_format_##format, 0, 0, \
	  UE__TLG_NAME(__VA_ARGS__)), \
	 (STRING, ctype, __VA_ARGS__, ~))
#define UE__TLG_TEXT(ctype, encoding, f, format, ...) \
	((, , , , ), (FIELD, ctype, event_field_encoding_string_##encoding, f, event_field_format_##format, 0, 0, \
		      UE__TLG_NAME(UE__TLG_DROP(__VA_ARGS__))), \
	 (COUNTED, ctype, __VA_ARGS__, ~))
#define UE__TLG_ARRAY(scalar, ...) \
	((, , , , ), (FIELD, UE__TLG_TYPE scalar, 64, 0, UE__TLG_NAME(UE__TLG_DROP(__VA_ARGS__))), \
	 (COUNTED, UE__TLG_CTYPE scalar, __VA_ARGS__, ~))
#define UE__TLG_FIXED(scalar, ...) \
	((, , , , ), \
	 (FIELD, UE__TLG_TYPE scalar, 32, UE__SECOND(__VA_ARGS__, ~), UE__TLG_NAME(UE__TLG_DROP(__VA_ARGS__))), \
	 (FIXED, UE__TLG_CTYPE scalar, __VA_ARGS__, ~))
#define UE__TLG_TYPE(settings, definition, value) UE__COMPAT_CALL(UE__TLG_TYPE_, definition)
#define UE__TLG_TYPE_(kind, ctype, encoding, f, format, ...) ctype, encoding, f, format
#define UE__TLG_CTYPE(settings, definition, value) UE__COMPAT_CALL(UE__TLG_CTYPE_, definition)
#define UE__TLG_CTYPE_(kind, ctype, ...) ctype
#define UE__TLG_SIXTEEN(format, ...) \
	((, , , , ), (FIELD, void, event_field_encoding_value128, 1, format, 0, 0, UE__TLG_NAME(__VA_ARGS__)), \
	 (BYTES, UE__FIRST(__VA_ARGS__, ~), 16, ~))
#define UE__TLG_STRUCT(bits, ...) \
	((, , , , ), \
	 (STRUCT, void, event_field_encoding_struct, 1, UE__FIRST(__VA_ARGS__, ~), bits, 0, \
	  UE__TLG_NAME(__VA_ARGS__)), \
	 (NONE, ~))

/* The name in (value, [name, [description, [tag]]]), is there a tag, the tag; and the same without the second one. */
#define UE__TLG_FIFTH(a, b, c, d, e, ...) e
#define UE__TLG_NAME(...) UE__CAT(UE__TLG_NAME_, UE__TLG_FIFTH(__VA_ARGS__, 4, 3, 2, 1, ~))(__VA_ARGS__)
#define UE__TLG_NAME_1(value) #value, 0, 0
#define UE__TLG_NAME_2(value, name) name, 0, 0
#define UE__TLG_NAME_3(value, name, description) name, 0, 0
#define UE__TLG_NAME_4(value, name, description, tag) name, 1, tag
#define UE__TLG_DROP(p, ...) UE__CAT(UE__TLG_DROP_, UE__TLG_FIFTH(__VA_ARGS__, 2, 2, 2, 1, ~))(p, __VA_ARGS__)
#define UE__TLG_DROP_1(p, dropped) p
#define UE__TLG_DROP_2(p, dropped, ...) p, __VA_ARGS__

/* op##kind(position, what follows in the list) */
#define UE__TLG_MEMBERS(at, argument) UE__TLG_APPLY(UE__TLG_MEMBERS_, at, UE__TLG_DEFINITION argument)
#define UE__TLG_VALUES(at, argument) UE__TLG_APPLY(UE__TLG_VALUES_, at, UE__TLG_DEFINITION argument)
#define UE__TLG_PUT(at, argument) UE__TLG_APPLY(UE__TLG_PUT_, at, UE__TLG_DATA argument)
#define UE__TLG_APPLY(op, at, list) UE__COMPAT_CALL(UE__TLG_APPLY_, (op, at, UE__UNPACK list))
#define UE__TLG_APPLY_(op, at, kind, ...) op##kind(at, __VA_ARGS__)

/* A field's metadata: its name, and a byte of encoding, which format, tag and count follow if there are any. */
#define UE__TLG_MEMBERS_NONE(at, ...)
#define UE__TLG_MEMBERS_FIELD(at, ctype, encoding, f, format, bits, count, name, t, tag) \
	char ue__name##at[sizeof(name)]; \
	uint8_t ue__type##at[1 + (f | t) + 2 * t + (bits & 32) / 16]; \
	UE__STATIC_ASSERT(bits != 32 || (count) > 0, "an array of constant length has 1 to 65535 elements");
#define UE__TLG_MEMBERS_STRUCT(at, ctype, encoding, f, count, ...) \
	UE__STATIC_ASSERT((count) > 0 && (count) < 128, "a struct has 1 to 127 fields"); \
	UE__TLG_MEMBERS_FIELD(at, ctype, encoding, f, count, __VA_ARGS__)
#define UE__TLG_VALUES_NONE(at, ...)
#define UE__TLG_VALUES_FIELD(at, ctype, encoding, f, format, bits, count, name, t, tag) \
	, name, { UE__U8((encoding) | bits | (f | t) * 128) UE__TLG_FORMAT_##f##t((format) | t * 128) \
		  UE__TLG_UNIT_##t(tag) UE__TLG_COUNT_##bits(count) }
#define UE__TLG_VALUES_STRUCT UE__TLG_VALUES_FIELD
#define UE__TLG_FORMAT_00(format)
#define UE__TLG_FORMAT_01(format) , UE__U8(format)
#define UE__TLG_FORMAT_10(format) , UE__U8(format)
#define UE__TLG_FORMAT_11(format) , UE__U8(format)
#define UE__TLG_COUNT_0(count)
#define UE__TLG_COUNT_32(count) UE__TLG_UNIT_1(count)
#define UE__TLG_COUNT_64(count)
#define UE__TLG_UNIT_0(x)
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define UE__TLG_UNIT_1(x) , UE__U8((x)&255), UE__U8((x) >> 8)
#else
#define UE__TLG_UNIT_1(x) , UE__U8((x) >> 8), UE__U8((x)&255)
#endif

/* A field's pieces. */
#define UE__TLG_PUT_NONE(at, ...)
#define UE__TLG_PUT_VALUE(at, ctype, value, ...) \
	ue__compat_put(&ue__end, UE__COMPAT_ADDRESS(ctype, value), sizeof(ctype)),
#define UE__TLG_PUT_STRING(at, ctype, s, ...) \
	ue__compat_put_string(&ue__end, UE__COMPAT_AS(ctype const *, s), sizeof(ctype)),
#define UE__TLG_PUT_COUNTED(at, ctype, p, n, ...) \
	ue__compat_put_counted(&ue__end, UE__COMPAT_AS(ctype const *, p), UE__COMPAT_ADDRESS(uint16_t, n), \
			       sizeof(ctype)),
#define UE__TLG_PUT_FIXED(at, ctype, p, n, ...) \
	ue__compat_put(&ue__end, UE__COMPAT_AS(ctype const *, p), (n) * sizeof(ctype)),
#define UE__TLG_PUT_SIZED(at, p, n, ...) \
	ue__compat_put_counted(&ue__end, UE__COMPAT_AS(void const *, p), UE__COMPAT_ADDRESS(uint16_t, n), 1),
#define UE__TLG_PUT_BYTES(at, p, size, ...) \
	ue__compat_put(&ue__end, UE__COMPAT_AS(void const *, p), UE__COMPAT_AS(size_t, size)),

/* What TraceLoggingValue() makes of a type, integers at first: encoding, and format or 0. */
#ifdef __cplusplus
extern "C++" {
template <class ue__T> ue__T ue__tlg_decayed(ue__T);
template <class ue__T> struct ue__tlg_type {
	static constexpr uint8_t encoding = sizeof(ue__T) == 8 ? 5 : sizeof(ue__T) == 4 ? 4 : sizeof(ue__T) + 1;
	static constexpr uint8_t format = ue__T(-1) < ue__T(0) ? event_field_format_signed_int : 0;
};
template <class ue__T> struct ue__tlg_type<const ue__T *> : ue__tlg_type<ue__T *> {};
#define UE__TLG_TYPED(type, scalar) UE__TLG_TYPED_1(type, UE__TLG_TYPE scalar)
#define UE__TLG_TYPED_1(...) UE__TLG_TYPED_2(__VA_ARGS__)
#define UE__TLG_TYPED_2(type, ctype, encoding_, f, format_) \
	template <> struct ue__tlg_type<type> { \
		static constexpr uint8_t encoding = encoding_, format = format_; \
	};
UE__TLG_TYPED(bool, TraceLoggingBoolean(~))
UE__TLG_TYPED(char, TraceLoggingChar(~))
UE__TLG_TYPED(char16_t, TraceLoggingChar16(~))
UE__TLG_TYPED(char32_t, TraceLoggingChar32(~))
UE__TLG_TYPED(wchar_t, TraceLoggingWChar(~))
UE__TLG_TYPED(float, TraceLoggingFloat32(~))
UE__TLG_TYPED(double, TraceLoggingFloat64(~))
UE__TLG_TYPED(void *, TraceLoggingPointer(~))
UE__TLG_TYPED(char *, TraceLoggingString(~))
UE__TLG_TYPED(char16_t *, TraceLoggingString16(~))
UE__TLG_TYPED(char32_t *, TraceLoggingString32(~))
UE__TLG_TYPED(wchar_t *, TraceLoggingWideString(~))
#undef UE__TLG_TYPED
#undef UE__TLG_TYPED_1
#undef UE__TLG_TYPED_2

/* The metadata's bytes behind the name: TAGS is 1 if there is a tag. */
template <uint8_t ue__ENCODING, uint8_t ue__FORMAT, int ue__TAGS> struct ue__tlg_bytes {
	uint8_t encoding, format, tag[2];
	static constexpr ue__tlg_bytes make(uint8_t first, uint8_t second)
	{
		return { ue__ENCODING | 128, ue__FORMAT | 128, { first, second } };
	}
};
template <uint8_t ue__ENCODING, uint8_t ue__FORMAT> struct ue__tlg_bytes<ue__ENCODING, ue__FORMAT, 0> {
	uint8_t encoding, format;
	static constexpr ue__tlg_bytes make(uint8_t, uint8_t)
	{
		return { ue__ENCODING | 128, ue__FORMAT };
	}
};
template <uint8_t ue__ENCODING> struct ue__tlg_bytes<ue__ENCODING, 0, 0> {
	uint8_t encoding;
	static constexpr ue__tlg_bytes make(uint8_t, uint8_t)
	{
		return { ue__ENCODING };
	}
};

template <class ue__T> UE__FN void ue__tlg_put_auto(struct iovec **end, const ue__T &value)
{
	const unsigned int encoding = ue__tlg_type<ue__T>::encoding;
	const void *s;

	if (encoding < event_field_encoding_zstring_char8)
		return ue__compat_put(end, &value, sizeof(value));
	memcpy(&s, &value, sizeof(s) <= sizeof(value) ? sizeof(s) : 0);
	ue__compat_put_string(end, s, size_t(1) << ((encoding - event_field_encoding_zstring_char8) & 3));
}
#define UE__TLG_DECAYED(value) decltype(ue__tlg_decayed(value))
#define UE__TLG_AUTO(value, t) \
	ue__tlg_bytes<ue__tlg_type<UE__TLG_DECAYED(value)>::encoding, ue__tlg_type<UE__TLG_DECAYED(value)>::format, t>
#define UE__TLG_MEMBERS_AUTO(at, value, name, t, tag) \
	char ue__name##at[sizeof(name)]; \
	UE__TLG_AUTO(value, t) ue__type##at;
#define UE__TLG_VALUES_AUTO(at, value, name, t, tag) \
	, name, UE__TLG_AUTO(value, t)::make(UE__TLG_BEHIND(~ UE__TLG_UNIT_1(tag)))
#define UE__TLG_BEHIND(...) UE__TLG_BEHIND_(__VA_ARGS__)
#define UE__TLG_BEHIND_(none, ...) __VA_ARGS__
#define UE__TLG_PUT_AUTO(at, value, ...) ue__tlg_put_auto<UE__TLG_DECAYED(value)>(&ue__end, value),
}
#endif

#endif
