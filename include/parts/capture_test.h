/* SPDX-License-Identifier: MIT */
/*
 * Unit tests: finding events and their fields
 */

/* @public */

/*
 * Unit tests
 * ==========
 */

/* An event that was found. Its pointers point into the capture. */
struct ue_capture_event {
	const char *spec; /* "name type field; ...", NUL-terminated */
	const char *name; /* of an EventHeader event its own, else the tracepoint's */
	size_t name_length;
	/* As a tracer has it: u16 type, u8 flags, u8 preempt, s32 thread id; the payload. */
	const uint8_t *record;
	size_t size;
	uint64_t time;	     /* CLOCK_MONOTONIC, in nanoseconds */
	int64_t wall;	     /* to add to it for CLOCK_REALTIME; 0 if it is not known */
	const char *program; /* name of the process, at most 15 bytes; "" if it is not known */
	uint64_t format;     /* a number for each SPEC, the same in every file */
	uint32_t pid, tid, cpu;
	uint8_t eventheader; /* self-describing: DECODED is set */
	uint8_t big_endian;
	size_t offset; /* of the captured bytes */
	struct ue_decode_event decoded;
};

/*
 * The first event of this name in a memory capture, or the first behind the one that EVENT is.
 * NAME is the tracepoint's ("request_done", "MyApp_L4K1") or the name within an EventHeader
 * event ("RequestDone"); NULL takes any. Returns 0, -ENOENT if there is none, or -EINVAL if this is
 * no memory capture. The capture may be running; events of other threads that
 * are just being written end the search, until they are there. Thread-safe, async-signal-safe.
 */
UE__FN int ue_capture_find(const struct ue_capture *c, const char *name,
			   struct ue_capture_event *event);
UE__FN int ue_capture_find_next(const struct ue_capture *c, const char *name,
				struct ue_capture_event *event);

/* How many there are, or -EINVAL as above. */
UE__FN int ue_capture_count(const struct ue_capture *c, const char *name);

/*
 * A field's value. FIELD is a name, or a path: "peer.host", "samples[2]", "peers[0].port".
 * Fields that are not there, or cannot be such a value, give UINT64_MAX, INT64_MIN, NaN.
 * Negative numbers are as a cast makes them, floats are no integers, integers are doubles.
 * Thread-safe, async-signal-safe, as are all that follow.
 */
UE__FN uint64_t ue_captured_u64(const struct ue_capture_event *event, const char *field);
UE__FN int64_t ue_captured_i64(const struct ue_capture_event *event, const char *field);
UE__FN double ue_captured_double(const struct ue_capture_event *event, const char *field);

/*
 * Any value as text: strings as UTF-8, numbers, "[1,2,3]", "true", UUIDs and so on as
 * ue_decode_value() has them. Writes at most SIZE bytes, the last of them a NUL. Returns the
 * length of the whole, as snprintf() does, or -ENOENT, and "" in BUFFER.
 */
UE__FN int ue_captured_string(const struct ue_capture_event *event, const char *field, char *buffer,
			      size_t size);

/*
 * The field itself, for what else user_events_decode.h can do with it. Returns 0, or -ENOENT;
 * -EBADMSG if its value is not in the record.
 */
UE__FN int ue_captured_item(const struct ue_capture_event *event, const char *field,
			    struct ue_decode_item *item);

/* The event as one JSON object. FLAGS and the result are those of ue_decode_json(). */
UE__FN size_t ue_captured_json(const struct ue_capture_event *event, unsigned int flags,
			       char *buffer, size_t size);
UE__FN int ue_captured_json_to(const struct ue_capture_event *event, unsigned int flags,
			       ue_decode_write_fn write, void *context);

/* @private */

static inline int ue__capture_named(const struct ue_capture_event *event, const char *name)
{
	size_t n = name ? strlen(name) : 0;

	if (!name || (event->name_length == n && !memcmp(event->name, name, n)))
		return 1;
	return strcspn(event->spec, " ") == n && !memcmp(event->spec, name, n);
}

/* The first at FROM or behind it; *COUNT is the number of all, if it is asked for. */
UE__FN int ue__capture_search(const struct ue_capture *c, const char *name, size_t from, int *count,
			      struct ue_capture_event *event)
{
	struct ue_capture_reader reader;
	struct ue_capture_event e;
	int more = ue_capture_read_memory(&reader, c);

	if (more)
		return more;
	while ((more = ue_capture_next(&reader, &e)) != 0) {
		if (more < 0 || e.offset < from || !ue__capture_named(&e, name))
			continue;
		if (!count) {
			*event = e;
			return 0;
		}
		++*count;
	}
	return -ENOENT;
}

UE__FN int ue_capture_find(const struct ue_capture *c, const char *name,
			   struct ue_capture_event *event)
{
	return ue__capture_search(c, name, 0, NULL, event);
}

UE__FN int ue_capture_find_next(const struct ue_capture *c, const char *name,
				struct ue_capture_event *event)
{
	return ue__capture_search(c, name, event->offset + 1, NULL, event);
}

UE__FN int ue_capture_count(const struct ue_capture *c, const char *name)
{
	int count = 0, error = ue__capture_search(c, name, 0, &count, NULL);

	return error == -ENOENT ? count : error;
}
