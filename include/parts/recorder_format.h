/* SPDX-License-Identifier: MIT */
/*
 * What a recorder's memory holds
 */

/* @public */

/*
 * Private. A recorder is one piece of memory: this head, the rings' counters, a table of processes,
 * a table of formats, and the rings with the records. It consists of words of 8 bytes, in the
 * machine's byte order.
 *
 * A writer reserves its place with one atomic addition to its ring's counter. The counter's upper
 * half is a position in words, its lower half counts the records. The record's first word is the
 * reserved value XORed with a hash of all other words; the hash begins with the recorder's random
 * KEY. So a word begins a whole record only if the hash gives exactly the word's own position. That
 * is not so for a record whose writer was killed, for one that is being written, and for one that a
 * writer overwrote after it slept for a lap of the ring. When the lower half overflows, one word of
 * the ring is left out.
 *
 * Why a hash: counts of the committed bytes in each part of a ring would save two instructions a
 * word. But a process that was killed leaves its part uncommitted for ever, and a writer that slept
 * for a lap writes into what others have committed since. The hash needs no cleanup, since each
 * wrong word changes it. A damaged record passes only by chance: 32 bits of its first word must be
 * its position, the others a plausible count. Who chooses payloads cannot aim at that without the
 * key.
 */
struct ue__recorder_head {
	uint32_t magic, check; /* of what follows, up to USED */
	uint32_t version, flags;
	uint64_t size, key;
	uint64_t start;	       /* CLOCK_MONOTONIC */
	int64_t wall;	       /* to add to it for CLOCK_REALTIME */
	uint32_t rings, shift; /* how many, a power of two, of 1 << SHIFT bytes each */
	uint32_t processes, slots;
	uint32_t table, table_size;
	uint32_t data, zero;
	uint8_t rest[128 - 80];

	uint32_t used;	/* of the table, in bytes */
	uint32_t count; /* processes, from 0 on */
	uint32_t mode;	/* UE__RECORDER_RUNS... */
	uint32_t left;	/* events until it stops */
	uint8_t more[128 - 16];
};

/* A ring's counters. Two cache lines: processors fetch them in pairs. */
struct ue__recorder_ring {
	union {
		uint64_t next;
		uint32_t halves[2];
	} u;
	uint32_t limit; /* shorter payloads take the fast path; 0 when it is to stop */
	uint32_t large; /* events that were too large for it */
	uint32_t count; /* of records, at the ring's last lap */
	uint32_t laps;	/* overflows of that count */
	uint8_t rest[128 - 24];
};

/*
 * A process that has recorded events. NUMBER counts the processes. Records hold NUMBER % 4095 + 1;
 * that modulo SLOTS is the place in the table.
 */
struct ue__recorder_process {
	uint32_t check, number;
	uint64_t start; /* its events are not older */
	int64_t wall;
	uint32_t pid, zero;
	char name[16];
};

/*
 * A format: the NUL-terminated text that registers an event follows. Records hold its place in the
 * table.
 */
struct ue__recorder_spec {
	uint32_t check, length; /* without the NUL */
	uint64_t hash;
};

/*
 * A record's second word is the time. The third is the length of the payload (16 bits), the format
 * (14), the process (12) and the thread (22; Linux uses no more).
 */
#define UE__RECORDER_MAGIC 0xb5555201u
enum {
	UE__RECORDER_VERSION = 1,
	UE__RECORDER_BY_THREAD = 1, /* flag: rings are by thread, not by CPU */
	UE__RECORDER_WORDS = 3,	    /* before the payload */
	UE__RECORDER_UNIT = 16,	    /* of the table */
	UE__RECORDER_UNKNOWN = 0x3fff,
	UE__RECORDER_RINGS = 256, /* at most */
	UE__RECORDER_RUNS = 0,
	UE__RECORDER_COUNTS, /* stops after LEFT more events */
	UE__RECORDER_STOPPED
};

/* @private */

/*
 * Adds a word to a record's hash. The rotation keeps small differences of several words from
 * cancelling each other. The multiplication at the end spreads them.
 */
static inline uint64_t ue__recorder_mix(uint64_t h, uint64_t word)
{
	return (h << 25 | h >> 39) + word;
}

static inline uint64_t ue__recorder_end(uint64_t h)
{
	return h * 0xd6e8feb86659fd93ull;
}

/* The hash of SIZE bytes at any address. */
UE__FN uint64_t ue__recorder_hash(uint64_t h, const void *data, size_t size, int swap)
{
	return ue__capture_end(ue__capture_mix(h, data, size, swap));
}

/*
 * Computes the layout for EVENTS bytes of records (a power of two) in RINGS rings. Returns the
 * total size, or 0 if it is too large for this machine.
 */
UE__FN uint64_t ue__recorder_layout(struct ue__recorder_head *head, uint64_t events, uint32_t rings)
{
	uint32_t slots = 4, table = 1024, shift = 0;
	uint64_t data;

	while (slots < 256 && slots < events >> 14)
		slots *= 2;
	while (table < 131072 && table < events >> 4)
		table *= 2;
	while ((uint64_t)rings << (shift + 1) <= events)
		shift++;
	memset(head, 0, sizeof(*head));
	head->magic = UE__RECORDER_MAGIC;
	head->version = UE__RECORDER_VERSION;
	head->rings = rings;
	head->shift = shift;
	head->processes = (uint32_t)(sizeof(*head) + rings * sizeof(struct ue__recorder_ring));
	head->slots = slots;
	head->table = (uint32_t)(head->processes + slots * sizeof(struct ue__recorder_process));
	head->table_size = table;
	data = head->table + table;
	if (events >= 65536)
		data = (data + 4095) & ~(uint64_t)4095;
	head->data = (uint32_t)data;
	head->used = UE__RECORDER_UNIT; /* so that no format is 0 */
	head->size = data + ((uint64_t)rings << shift);
	return head->size <= SIZE_MAX / 2 ? head->size : 0;
}

/* The check of the head's constant part. SWAP: it has the other byte order. */
static inline uint32_t ue__recorder_check(const struct ue__recorder_head *head, int swap)
{
	return (uint32_t)ue__recorder_hash(UE__CAPTURE_SEED, &head->version,
					   offsetof(struct ue__recorder_head, used) -
						   offsetof(struct ue__recorder_head, version),
					   swap);
}

/* An event's largest payload: a quarter of a ring, at most what 16 bits can count. */
static inline uint32_t ue__recorder_largest(uint32_t shift)
{
	return shift >= 18 ? 65535 : (1u << shift) / 4;
}

/*
 * Is HEAD the beginning of a recorder of SIZE bytes? Then LAYOUT gets it in this machine's byte
 * order, and SWAP says whether it had the other one. Its numbers must be those that
 * ue__recorder_layout() computes.
 */
UE__FN bool ue__recorder_valid(const struct ue__recorder_head *head, uint64_t size,
			       struct ue__recorder_head *layout, bool *swap)
{
	struct ue__recorder_head h = *head;
	uint32_t flags;

	*swap = h.magic == __builtin_bswap32(UE__RECORDER_MAGIC);
	if (h.magic != UE__RECORDER_MAGIC && !*swap)
		return false;
	if (*swap) {
		h.check = __builtin_bswap32(h.check);
		h.version = __builtin_bswap32(h.version);
		h.flags = __builtin_bswap32(h.flags);
		h.size = __builtin_bswap64(h.size);
		h.key = __builtin_bswap64(h.key);
		h.start = __builtin_bswap64(h.start);
		h.wall = (int64_t)__builtin_bswap64((uint64_t)h.wall);
		h.rings = __builtin_bswap32(h.rings);
		h.shift = __builtin_bswap32(h.shift);
	}
	flags = h.flags;
	if (ue__recorder_check(head, *swap) != h.check || h.version != UE__RECORDER_VERSION ||
	    !h.rings || h.rings > UE__RECORDER_RINGS || h.rings & (h.rings - 1) || h.shift < 8 ||
	    h.shift > 34 || h.size > size ||
	    ue__recorder_layout(layout, (uint64_t)h.rings << h.shift, h.rings) != h.size)
		return false;
	layout->flags = flags;
	layout->key = h.key;
	layout->start = h.start;
	layout->wall = h.wall;
	return true;
}
