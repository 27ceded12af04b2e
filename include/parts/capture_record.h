/* SPDX-License-Identifier: MIT */
/*
 * Records of a capture
 */

/* @private */

/*
 * A capture is a sequence of records. Each has a head and a body, padded with zeros to a multiple
 * of 8 bytes. A format's id is a hash of its text, so processes and files need not agree on it.
 */
struct ue__capture_head {
	uint32_t magic;
	uint32_t check;	 /* hash of all that follows, padding included */
	uint32_t length; /* of the body */
	uint32_t type;	 /* UE__CAPTURE_FORMAT... */
	uint64_t value;	 /* depends on the type */
	uint64_t time;
	uint32_t pid, tid, cpu, zero;
};

#define UE__CAPTURE_MAGIC 0xb5554501u
#define UE__CAPTURE_UNHASHED 0xb5aaba01u /* an event in memory, without the check */
#define UE__CAPTURE_MEMORY_MAGIC 0xb5554d01u

enum {
	UE__CAPTURE_FORMAT = 1, /* value: its id; body: the spec and a NUL */
	UE__CAPTURE_EVENT,	/* value: the format's id; body: the record */
	UE__CAPTURE_LOST,	/* value: how many */
	UE__CAPTURE_PROGRAM,	/* value: CLOCK_REALTIME - CLOCK_MONOTONIC; body: name and a NUL */
	UE__CAPTURE_BODY = 1 << 20, /* at most */
	UE__CAPTURE_SPEC = 512,
	UE__CAPTURE_BUSY = 0x7fffffff
};

/* An event's record begins with what a tracer's does. */
struct ue__capture_common {
	uint16_t type;
	uint8_t flags, preempt;
	uint32_t tid;
};

#define UE__CAPTURE_SEED 0x9e3779b97f4a7c15ull

/*
 * Hashes eight bytes a step; zeros pad the last word. Each step is a bijection, so a single wrong
 * word changes the result.
 */
static inline uint64_t ue__capture_mix(uint64_t h, const void *data, size_t size, int swap)
{
	const unsigned char *p = (const unsigned char *)data;
	uint64_t word;

	for (;; p += 8, size -= 8) {
		word = 0;
		if (size >= 8)
			memcpy(&word, p, 8);
		else if (size)
			memcpy(&word, p, size);
		else
			return h;
		if (swap)
			word = __builtin_bswap64(word);
		h ^= word;
		h = (h << 29 | h >> 35) * 0xd6e8feb86659fd93ull;
		if (size < 8)
			return h;
	}
}

static inline uint64_t ue__capture_end(uint64_t h)
{
	h ^= h >> 32;
	h *= 0xd6e8feb86659fd93ull;
	return h ^ h >> 29;
}

static inline size_t ue__capture_padded(size_t size)
{
	return (size + 7) & ~(size_t)7;
}

UE__FN const char *ue_capture_strerror(int error)
{
#define UE__CAPTURE_SENTENCE(name, text) text,
	static const char *const texts[] = { UE__CAPTURE_ERRORS(UE__CAPTURE_SENTENCE) };
#undef UE__CAPTURE_SENTENCE

	if (error < 0 || error >= UE__CAPTURE_ERROR_COUNT)
		return "unknown error";
	return texts[error];
}
