/* SPDX-License-Identifier: MIT */
/* Writes events with LinuxTracepoints' macros, using arguments of each kind. */
/* flags: -Iinclude/compat */
#include <eventheader/TraceLoggingProvider.h>
#include <tracepoint/tracepoint-provider.h>

TRACELOGGING_DECLARE_PROVIDER(provider);
TRACELOGGING_DEFINE_PROVIDER(provider, "Compile_Compat", (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
TRACELOGGING_DEFINE_PROVIDER(grouped, "Compile_Compat", (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
			     TraceLoggingOptionGroupName("group"));
TPP_DEFINE_PROVIDER(points);
TPP_FUNCTION(points, "compat_none", compat_none)
TPP_FUNCTION(points, "compat_some", compat_some, TPP_INT32("a", number), TPP_STRING("b", text),
	     TPP_CUSTOM_REL_LOC("u8[] c", uint8_t, size, data), TPP_CHAR_ARRAY("d", 3, chars))

int events(int number, const char *text, const unsigned char *id, const uint16_t *list,
	   uint16_t count);
int points_of(int32_t number, const char *text, const uint8_t *data, uint16_t count);

int events(int number, const char *text, const unsigned char *id, const uint16_t *list,
	   uint16_t count)
{
	int error = TraceLoggingRegister(provider);

	error |= TraceLoggingWrite(provider, "none");
	error |= TraceLoggingWrite(provider, "options", TraceLoggingLevel(event_level_error),
				   TraceLoggingKeyword(0x8000000000000000),
				   TraceLoggingOpcode(event_opcode_activity_start),
				   TraceLoggingIdVersion(1, 2), TraceLoggingEventTag(3),
				   TraceLoggingDescription("text"), TraceLoggingInt32(number),
				   TraceLoggingInt32(number, "n", "d", 0xbeef));
	if (TraceLoggingProviderEnabled(grouped, 4, 0x2a))
		error |= TraceLoggingWriteActivity(
			grouped, "scalars", id, NULL, TraceLoggingLevel(4),
			TraceLoggingKeyword(0x2a), TraceLoggingUInt8(1, "u8"),
			TraceLoggingFloat32(1.5f, "f"), TraceLoggingPointer(text),
			TraceLoggingBoolean(true, "b"), TraceLoggingWChar(L'w', "w"),
			TraceLoggingChar16(u'c', "c"), TraceLoggingIPv4Address(1, "ip"));
	error |= TraceLoggingWriteActivity(
		provider, "pointers", id, id, TraceLoggingString(text),
		TraceLoggingString32(U"text", "u"), TraceLoggingCountedUtf8String(text, count, "c"),
		TraceLoggingBinary(id, 16, "bin"), TraceLoggingGuid(id),
		TraceLoggingUInt16Array(list, count), TraceLoggingHexUInt16FixedArray(list, 3, "f"),
		TraceLoggingBinaryEx(list, 2, event_field_format_port, "p"));
	error |= TraceLoggingWrite(provider, "packed", TraceLoggingStruct(2, "s", "", 4),
				   TraceLoggingPackedField(list, 2, event_field_encoding_value16),
				   TraceLoggingPackedFieldEx(list, 2, event_field_encoding_value16,
							     event_field_format_hex_int, "x"),
				   TraceLoggingPackedData(&count, 2),
				   TraceLoggingPackedData(list, count * sizeof(*list)),
				   TraceLoggingPackedStructArray(1, "array"),
				   TraceLoggingPackedMetadata(event_field_encoding_value16, "m"),
				   TraceLoggingPackedStruct(1, "t"),
				   TraceLoggingPackedMetadataEx(event_field_encoding_value16,
								event_field_format_hex_int, "m"));
#ifdef __cplusplus
	error |= TraceLoggingWrite(provider, "auto", TraceLoggingValue(number),
				   TraceLoggingValue(text, "t", "", 5));
#endif
	TraceLoggingUnregister(provider);
	return error + TraceLoggingProviderName(provider)[0] +
	       TraceLoggingProviderOptions(grouped)[0];
}

int points_of(int32_t number, const char *text, const uint8_t *data, uint16_t count)
{
	int error = TPP_REGISTER_PROVIDER(points);

	error |= TPP_WRITE(points, "compat_fields", TPP_UINT8("a", 1), TPP_INT32("b", number),
			   TPP_INTPTR("i", 1), TPP_STRING("c", text), TPP_UCHAR_ARRAY("d", 4, data),
			   TPP_STRUCT_PTR("e", "pair", 4, data),
			   TPP_CUSTOM_REL_LOC("u8[] f", uint8_t, count, data));
	error |= TPP_WRITE(points, "compat_nothing");
	if (compat_some_enabled())
		error |= compat_some(number, text, count, data, text);
	error |= compat_none();
	TPP_UNREGISTER_PROVIDER(points);
	return error;
}
