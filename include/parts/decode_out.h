/* SPDX-License-Identifier: MIT */
/*
 * Text into a buffer or to a function
 */

/* @private */

/*
 * Where text goes: into the caller's buffer while there is room to spare, else into scratch, from
 * which it is passed on, cut or dropped.
 */
struct ue__decode_out {
	char *p;
	char *end;
	char *begin;
	char *buffer; /* where scratch goes */
	char *buffer_end;
	size_t total;
	ue_decode_write_fn write;
	void *context;
	int result;
	uint8_t json;
	uint8_t spaced;
	uint8_t comma;
	char scratch[256];
};

/* No piece of text between two calls of ue__decode_room() is longer. */
#define UE__DECODE_ROOM 64

UE__DECODE_COLD void ue__decode_flush(struct ue__decode_out *out)
{
	size_t n = (size_t)(out->p - out->begin), room;

	out->total += n;
	if (out->write) {
		if (!out->result)
			out->result = out->write(out->context, out->begin, n);
	} else if (out->begin == out->scratch) {
		room = (size_t)(out->buffer_end - out->buffer);
		if (n > room)
			n = room;
		if (n) {
			memcpy(out->buffer, out->begin, n);
			out->buffer += n;
		}
	} else {
		out->buffer = out->p;
	}
	out->p = out->begin = out->scratch;
	out->end = out->scratch + sizeof(out->scratch);
}

UE__DECODE_INLINE void ue__decode_room(struct ue__decode_out *out)
{
	if (UE__DECODE_UNLIKELY(out->end - out->p < UE__DECODE_ROOM))
		ue__decode_flush(out);
}

static inline void ue__decode_out_init(struct ue__decode_out *out, unsigned flags,
				       ue_decode_write_fn write, void *context)
{
	out->p = out->begin = out->buffer = out->buffer_end = out->scratch;
	out->end = out->scratch + sizeof(out->scratch);
	out->total = 0;
	out->write = write;
	out->context = context;
	out->result = 0;
	out->json = (flags & UE_DECODE_JSON) != 0;
	out->spaced = (flags & UE_DECODE_SPACED) != 0;
	out->comma = 0;
}

static inline void ue__decode_out_buffer(struct ue__decode_out *out, unsigned flags, char *buffer,
					 size_t size)
{
	ue__decode_out_init(out, flags, NULL, NULL);
	if (size > UE__DECODE_ROOM) {
		out->p = out->begin = buffer;
		out->end = buffer + size - 1;
	} else {
		out->buffer = buffer;
	}
	out->buffer_end = size ? buffer + size - 1 : buffer;
}

static inline size_t ue__decode_out_end(struct ue__decode_out *out, size_t size)
{
	ue__decode_flush(out);
	if (size)
		*out->buffer = 0;
	return out->total;
}

UE__DECODE_INLINE void ue__decode_put(struct ue__decode_out *out, char c)
{
	*out->p++ = c;
}

/* text has at most UE__DECODE_ROOM bytes, less what else is put into this room. */
UE__DECODE_INLINE void ue__decode_puts(struct ue__decode_out *out, const char *text)
{
	size_t n = strlen(text);

	memcpy(out->p, text, n);
	out->p += n;
}

static inline void ue__decode_quote(struct ue__decode_out *out)
{
	if (out->json)
		ue__decode_put(out, '"');
}
