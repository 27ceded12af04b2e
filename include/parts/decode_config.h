/* SPDX-License-Identifier: MIT */
/*
 * Configuration
 */

/* @public */

/*
 * Configuration: what may be defined before the include.
 * =============
 *
 * UE_DECODE_DEPTH	Structs and arrays that may be open at a time, 1 to 255; an
 *			array of structs counts twice. The format's other readers stop
 *			at 8 levels. Costs 48 bytes of struct ue_decode_fields each.
 * UE_DECODE_WORK	The work an event may cause for each of its bytes. A field
 *			costs one for each byte of its definition, each time it is met,
 *			a struct in an array eight more. The fields of an array of structs
 *			are defined once and met with every element, so a few bytes could
 *			otherwise stand for 65535 * 65535 empty structs. 128 is out of
 *			reach of honest events: it takes names of 100 letters for fields
 *			of one byte.
 */
#ifndef UE_DECODE_DEPTH
#define UE_DECODE_DEPTH 16
#endif
#if UE_DECODE_DEPTH < 1 || UE_DECODE_DEPTH > 255 /* ue_decode_item.depth is a byte */
#error "UE_DECODE_DEPTH is 1 to 255"
#endif

#ifndef UE_DECODE_WORK
#define UE_DECODE_WORK 128
#endif
