/* SPDX-License-Identifier: MIT */
/*
 * Text and JSON: what there is
 */

/* @public */

/*
 * Text and JSON
 * =============
 */
#define UE_DECODE_SPACED 1u  /* { "a": [ 1, 2 ] } for {"a":[1,2]} */
#define UE_DECODE_NO_META 2u /* no "meta", unless to tell an error */
#define UE_DECODE_JSON 4u    /* ue_decode_value(): as in JSON, quoted and escaped */

/*
 * Functions with a buffer write at most size bytes, the last of them a NUL (none at
 * all if size is 0), and return the length of the whole text without it: as
 * snprintf(), it was cut if the result is not less than size.
 *
 * Functions with a write function hand it the text in pieces. It returns 0, or any
 * other number to stop; that is then returned, otherwise 0.
 */
typedef int (*ue_decode_write_fn)(void *context, const char *text, size_t length);

/*
 * A value as text: numbers, true and false, strings as UTF-8, hex bytes and so on.
 * An array of fixed-size values is "[1,2]"; for any other item but values there
 * is no text. flags: UE_DECODE_JSON, UE_DECODE_SPACED.
 *
 * Floats are the shortest decimal that reads back to the same value, in the form
 * that is shorter, as C++'s std::to_chars() has it: 3.14, 1e+20, 1e-07, 0.001.
 */
static inline size_t ue_decode_value(const struct ue_decode_item *item, unsigned flags,
				     char *buffer, size_t size);

/* What the record around an event tells, for "meta". */
struct ue_decode_meta {
	uint64_t time; /* in nanoseconds */
	uint32_t cpu;
	uint32_t pid;
	uint32_t tid;
	uint32_t known; /* UE_DECODE_HAS_...; what is not known is left out */
};

#define UE_DECODE_HAS_TIME 1u	   /* since whenever the recording's clock began */
#define UE_DECODE_HAS_WALL_TIME 2u /* since 1970-01-01 UTC */
#define UE_DECODE_HAS_CPU 4u
#define UE_DECODE_HAS_PID 8u
#define UE_DECODE_HAS_TID 16u

/*
 * The event as one JSON object, without a line's end. meta may be NULL. flags:
 * UE_DECODE_SPACED, UE_DECODE_NO_META. An error, of the event or found in its fields, is
 * in event->error afterwards, and last in "meta": "error": "... at byte 12".
 *
 * The output is UTF-8, with the exceptions that the format asks for: lone UTF-16
 * surrogates are written as 3 bytes, and 32-bit characters beyond Unicode as 4 to 7.
 */
static inline size_t ue_decode_json(struct ue_decode_event *event,
				    const struct ue_decode_meta *meta, unsigned flags, char *buffer,
				    size_t size);
static inline int ue_decode_json_to(struct ue_decode_event *event,
				    const struct ue_decode_meta *meta, unsigned flags,
				    ue_decode_write_fn write, void *context);
