/* SPDX-License-Identifier: MIT */
/*
 * Decodes an EventHeader event from the bytes that a trace reader receives: first to JSON, and then
 * field by field.
 */
#include <stdio.h>

#include <user_events_decode.h>

int main(void)
{
	static const unsigned char bytes[] = {
		7, 0, 0, 0, 0, 0, 0, 4,		/* flags, ..., level 4 */
		25, 0, 1, 0,			/* 25 bytes of metadata */
		'D', 'o', 'n', 'e', 0,
		's', 't', 'a', 't', 'u', 's', 0, UE_DECODE_KIND_VALUE16,
		'f', 'r', 'o', 'm', 0, UE_DECODE_KIND_VALUE32 | 0x80, UE_DECODE_FORMAT_IP,
		'u', 'r', 'l', 0, UE_DECODE_KIND_ZSTRING8,
		200, 0, 127, 0, 0, 1, '/', 'a', 0,
	};
	struct ue_decode_meta meta = { 0, 2, 0, 0, UE_DECODE_HAS_CPU };
	struct ue_decode_event event;
	struct ue_decode_fields fields;
	char text[256];

	if (ue_decode_parse(&event, "MyApp_L4K1", 10, bytes, sizeof(bytes)))
		fprintf(stderr, "%s\n", ue_decode_strerror(event.error));
	ue_decode_json(&event, &meta, UE_DECODE_SPACED, text, sizeof(text));
	puts(text);

	ue_decode_start(&fields, &event);
	while (ue_decode_next(&fields) > 0) {
		ue_decode_value(&fields.item, 0, text, sizeof(text));
		printf("%.*s = %s\n", (int)fields.item.name_length, fields.item.name, text);
	}
	return fields.error ? 1 : 0;
}
