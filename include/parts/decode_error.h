/* SPDX-License-Identifier: MIT */
/*
 * Errors
 */

/* @public */

/*
 * Errors
 * ======
 */
#define UE__DECODE_ERRORS(_)                                                               \
	_(OK, "no error")                                                                  \
	_(ETRACEPOINT, "the tracepoint's name is not PROVIDER_LxKy")                       \
	_(EHEADER, "the event is shorter than its header")                                 \
	_(EFLAGS, "the header has flags of an unknown meaning")                            \
	_(ELEVEL, "the event's level is not its tracepoint's")                             \
	_(EEXTENSION, "an extension block is cut short")                                   \
	_(EACTIVITY, "an activity block has neither 16 nor 32 bytes")                      \
	_(ETWICE, "an extension block comes twice")                                        \
	_(EMETADATA, "the event has no metadata") /* no error any more */                  \
	_(ENAME, "a name has no NUL")                                                      \
	_(EDEFINITION, "a field's definition is cut short")                                \
	_(EKIND, "a field is of an unknown encoding")                                      \
	_(EARRAY, "a field is a constant-length and a variable-length array")              \
	_(ECOUNT, "a constant-length array has no elements")                               \
	_(EMEMBERS, "a struct has no members")                                             \
	_(EDEPTH, "structs and arrays are nested too deep")                                \
	_(EWORK, "the fields are many times more than the event's bytes")                  \
	_(EVALUE, "a value runs past the end of the event")                                \
	_(ENUL, "a string has no NUL")                                                     \
	_(EEXTENSIONKIND, "an extension block is of kind 0, which is none")

#define UE__DECODE_ERROR(name, text) UE_DECODE_##name,
enum ue_decode_error { UE__DECODE_ERRORS(UE__DECODE_ERROR) UE__DECODE_ERROR_COUNT };
#undef UE__DECODE_ERROR

/* What UE_DECODE_E... means; a constant string, also for other numbers. */
static inline const char *ue_decode_strerror(int error);

/* @private */

UE__DECODE_COLD int ue__decode_bad(struct ue_decode_event *event, int error, size_t offset)
{
	if (!event->error) {
		event->error = error;
		event->error_offset = offset;
	}
	return -EBADMSG;
}

static inline const char *ue_decode_strerror(int error)
{
#define UE__DECODE_TEXT(name, text) text,
	static const char *const texts[] = { UE__DECODE_ERRORS(UE__DECODE_TEXT) };
#undef UE__DECODE_TEXT

	if (error < 0 || error >= UE__DECODE_ERROR_COUNT)
		return "unknown error";
	return texts[error];
}
