/* SPDX-License-Identifier: MIT */
/*
 * A recorder's tables of events and processes
 */

/* @enabled */

/* Stores words that are valid once the check before them is stored. */
static inline void ue__recorder_put(uint64_t *at, const uint64_t *words, size_t n)
{
	while (n--)
		ue__recorder_store(at++, *words++);
}

/* Copies the format at OFFSET of the table. Returns its size, or 0 if there is none. */
UE__FN uint32_t ue__recorder_spec_at(const struct ue__recording *r, uint32_t offset,
				     uint64_t *words)
{
	const unsigned char *table = (const unsigned char *)r->head + r->layout.table;
	const uint64_t *at = (const uint64_t *)(const void *)(table + offset);
	struct ue__recorder_spec spec;
	uint32_t size, i;

	words[0] = ue__recorder_load(at);
	words[1] = ue__recorder_load(at + 1);
	memcpy(&spec, words, sizeof(spec));
	if (!spec.check || spec.length >= UE__CAPTURE_SPEC)
		return 0;
	size = (uint32_t)sizeof(spec) + (spec.length & ~15u) + 16;
	if (size > r->layout.table_size - offset)
		return 0;
	for (i = 2; i < size / 8; i++)
		words[i] = ue__recorder_load(at + i);
	return size;
}

static inline uint32_t ue__recorder_spec_check(uint64_t hash, uint32_t offset, uint32_t length)
{
	uint64_t words[2];

	words[0] = hash;
	words[1] = (uint64_t)length << 32 | offset;
	return (uint32_t)ue__recorder_hash(UE__CAPTURE_SEED, words, 16, 0) | 1;
}

/*
 * The place of TEXT in the table, to which it is added if needed; UE__RECORDER_UNKNOWN if there is
 * no room.
 */
UE__FN uint32_t ue__recorder_format(struct ue__recording *r, const char *text, uint32_t length)
{
	uint64_t words[(sizeof(struct ue__recorder_spec) + UE__CAPTURE_SPEC) / 8];
	uint64_t other[sizeof(words) / sizeof(*words)];
	unsigned char *table = (unsigned char *)r->head + r->layout.table;
	struct ue__recorder_spec spec;
	uint32_t size = (uint32_t)sizeof(spec) + (length & ~15u) + 16, at = UE__RECORDER_UNIT, n;
	uint32_t used = __atomic_load_n(&r->head->used, __ATOMIC_ACQUIRE);

	memset(words, 0, sizeof(words));
	memcpy((unsigned char *)words + sizeof(spec), text, length);
	spec.length = length;
	spec.hash = ue__recorder_hash(UE__CAPTURE_SEED, words + 2, size - sizeof(spec), 0);
	for (;;) {
		for (; at < used && at < r->layout.table_size;
		     at += n ? n : (uint32_t)UE__RECORDER_UNIT) {
			n = ue__recorder_spec_at(r, at, other);
			if (n == size && n > sizeof(spec) &&
			    !memcmp(words + 2, other + 2, n - sizeof(spec)))
				return at / UE__RECORDER_UNIT;
		}
		if (used > r->layout.table_size || size > r->layout.table_size - used)
			return UE__RECORDER_UNKNOWN;
		if (__atomic_compare_exchange_n(&r->head->used, &used, used + size, false,
						__ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE))
			break;
	}
	spec.check = ue__recorder_spec_check(spec.hash, used, length);
	memcpy(words, &spec, sizeof(spec));
	ue__recorder_put((uint64_t *)(void *)(table + used) + 1, words + 1, size / 8 - 1);
	ue__recorder_commit((uint64_t *)(void *)(table + used), words[0]);
	return used / UE__RECORDER_UNIT;
}

/* The name within a self-describing event; "" if it has none. */
UE__FN const char *ue__recorder_name(const void *bytes, size_t size)
{
	const unsigned char *p = (const unsigned char *)bytes;
	size_t at = 4 + 8;
	uint16_t extension[2]; /* size and kind */

	for (; at + 4 < size; at += 4 + extension[0]) {
		memcpy(extension, p + at, 4);
		if ((extension[1] & UE__EXTENSION_KINDS) == UE__EXTENSION_METADATA)
			return memchr(p + at + 4, 0, size - at - 4) ? (const char *)p + at + 4 : "";
		if (!(extension[1] & UE__EXTENSION_MORE))
			break;
	}
	return "";
}

/* Does the recorder stop on this event? LOOK: the next one of FORMAT must be checked, too. */
UE__FN bool ue__recorder_stops_on(const struct ue__recording *r, uint32_t format, const void *bytes,
				  size_t size, bool *look)
{
	uint64_t words[(sizeof(struct ue__recorder_spec) + UE__CAPTURE_SPEC) / 8];
	char *spec = (char *)(words + 2), stop_on[sizeof(r->stop_on)];
	size_t i;

	for (i = 0; i < sizeof(stop_on); i++)
		stop_on[i] = UE__LOAD(&r->stop_on[i]);
	stop_on[sizeof(stop_on) - 1] = '\0';
	*look = false;
	if (!*stop_on || format == UE__RECORDER_UNKNOWN ||
	    !ue__recorder_spec_at(r, format * UE__RECORDER_UNIT, words))
		return false;
	spec[UE__CAPTURE_SPEC - 1] = '\0';
	i = strcspn(spec, " ");
	*look = spec[i] && !strcmp(spec + i + 1, UE__SET_FIELDS);
	if (*look && !strcmp(ue__recorder_name(bytes, size), stop_on))
		return true;
	if (i != strlen(stop_on) || memcmp(spec, stop_on, i))
		return false;
	return *look = true;
}

/* Saves the format of a run-time event that is being registered. */
UE__FN void ue__recorder_save_late(struct ue__recording *r, uint32_t serial, uint32_t format)
{
	uint32_t i = UE__LOAD(&r->late_count);

	__atomic_store_n(&r->late[i % UE__RECORDER_LATE].serial, 0u, __ATOMIC_RELAXED);
	__atomic_store_n(&r->late[i % UE__RECORDER_LATE].format, format, __ATOMIC_RELEASE);
	__atomic_store_n(&r->late[i % UE__RECORDER_LATE].serial, serial, __ATOMIC_RELEASE);
	UE__STORE(&r->late_count, i + 1);
}

UE__FN uint32_t ue__recorder_late(const struct ue__recording *r, uint32_t serial)
{
	uint32_t i, format;

	for (i = 0; serial && i < UE__RECORDER_LATE; i++) {
		if (__atomic_load_n(&r->late[i].serial, __ATOMIC_ACQUIRE) != serial)
			continue;
		format = __atomic_load_n(&r->late[i].format, __ATOMIC_ACQUIRE);
		if (UE__LOAD(&r->late[i].serial) == serial) /* serials do not come back */
			return format;
	}
	return UE__RECORDER_UNKNOWN;
}

/* Is this a run-time event's text? Then it may be read only under the lock. */
static inline bool ue__recorder_is_late(const struct ue__desc *text)
{
	const struct ue__cells *c = __atomic_load_n(&ue__state_v1.cells, __ATOMIC_ACQUIRE);

	while (c && (uintptr_t)text - (uintptr_t)c >= sizeof(*c))
		c = __atomic_load_n(&c->next, __ATOMIC_ACQUIRE);
	return c != NULL;
}

/* Limits the fast path of all rings; 0 closes it. */
UE__FN void ue__recorder_limit(const struct ue__recording *r, uint32_t limit)
{
	uint32_t i;

	for (i = 0; i <= r->rings; i++)
		UE__STORE(&r->place[i].counters->limit, limit);
}

UE__FN void ue__recorder_cache(struct ue__recording *r, uint32_t serial, uint32_t what)
{
	struct ue__recorder_cached *k = &r->own->known[serial % UE__RECORDER_CACHED];
#if __SIZEOF_SIZE_T__ > 4
	union {
		uint64_t word;
		struct ue__recorder_cached known;
	} u;

	u.known.serial = serial;
	u.known.what = what;
	UE__STORE((uint64_t *)(void *)k, u.word);
#else
	uint32_t old = UE__LOAD(&k->serial),
		 busy = ~(serial % UE__RECORDER_CACHED); /* no serial of this place */

	if (old == busy || !__atomic_compare_exchange_n(&k->serial, &old, busy, false,
							__ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return;
	__atomic_store_n(&k->what, what, __ATOMIC_RELEASE);
	__atomic_store_n(&k->serial, serial, __ATOMIC_RELEASE);
#endif
}

/* Adds this process to the table. Returns its number in records. */
UE__FILE_COLD uint32_t ue__recorder_add_process(struct ue__recording *r)
{
	uint32_t pid = (uint32_t)ue__syscall3(__NR_getpid, 0, 0, 0), number;
	uint64_t words[sizeof(struct ue__recorder_process) / 8], *at;
	struct ue__recorder_process p;

	if (r->ask & UE__RECORDER_ASK_PID && UE__LOAD(&r->pid) == pid)
		return UE__LOAD(&r->process);
	memset(&p, 0, sizeof(p));
	ue__syscall3(__NR_prctl, 16, (long)p.name, 0); /* PR_GET_NAME */
	p.name[15] = '\0';
	number = __atomic_fetch_add(&r->head->count, 1, __ATOMIC_RELAXED);
	p.number = number;
	p.pid = pid;
	p.start = ue__capture_clock(1);
	p.wall = (int64_t)(ue__capture_clock(0) - p.start);
	p.check = (uint32_t)ue__recorder_hash(UE__CAPTURE_SEED, &p.start, sizeof(p) - 8, 0) ^
		  number;
	memcpy(words, &p, sizeof(p));
	at = (uint64_t *)(void *)((unsigned char *)r->head + r->layout.processes +
				  (number % 4095 + 1) % r->layout.slots * sizeof(p));
	ue__recorder_store(at, 0);
	ue__recorder_put(at + 1, words + 1, sizeof(p) / 8 - 1);
	ue__recorder_commit(at, words[0]);
	number = number % 4095 + 1;
	if (r->ask & UE__RECORDER_ASK_PID) {
		UE__STORE(&r->process, number);
		UE__STORE(&r->pid, pid);
	} else {
		UE__STORE(&r->own->process, number);
	}
	return number;
}

/* This process' number in records. */
static inline uint32_t ue__recorder_this_process(struct ue__recording *r)
{
	uint32_t process = UE__LOAD(&r->own->process);

	return process ? process : ue__recorder_add_process(r);
}

/*
 * Begins to count if the recorder stops on this event, whose beginning is BYTES; else caches its
 * format.
 */
UE__FN void ue__recorder_check_stop(struct ue__recording *r, uint32_t serial, uint32_t format,
				    const void *bytes, size_t size)
{
	uint32_t runs = UE__RECORDER_RUNS;
	bool look;

	if (ue__recorder_stops_on(r, format, bytes, size, &look)) {
		__atomic_compare_exchange_n(&r->head->mode, &runs, (uint32_t)UE__RECORDER_COUNTS,
					    false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
		ue__recorder_limit(r, 0);
	}
	if (!look && format != UE__RECORDER_UNKNOWN)
		ue__recorder_cache(r, serial, ue__recorder_this_process(r) << 14 | format);
}

/*
 * The format of EVENT in records, or 0 if it is gone. A declared event is described when it is
 * first written. A run-time event is described when it is registered, since its text may be freed
 * later.
 */
UE__FILE_COLD uint32_t ue__recorder_describe(struct ue__recording *r, struct ue_event *event,
					     uint32_t serial, const void *bytes, size_t size)
{
	const struct ue__desc *text = UE__LOAD(&event->desc);
	bool late = ue__recorder_is_late(text), locked = !bytes;
	uint32_t format;
	char spec[UE__CAPTURE_SPEC];
	int n;

	if (!serial || !text || (locked && !late))
		return 0;
	if (late && !locked) {
		format = ue__recorder_late(r, serial);
	} else {
		n = ue_event_spec(event, spec, sizeof(spec));
		if (n <= 0)
			return 0;
		format = ue__recorder_format(r, spec, (uint32_t)n);
		if (locked)
			ue__recorder_save_late(r, serial, format);
	}
	if (!locked)
		ue__recorder_check_stop(r, serial, format, bytes, size);
	else if (!*r->stop_on && format != UE__RECORDER_UNKNOWN)
		ue__recorder_cache(r, serial, ue__recorder_this_process(r) << 14 | format);
	return format;
}

/* Counts an event before the stop. Returns false if the recorder has stopped. */
UE__FILE_COLD bool ue__recorder_count_down(struct ue__recorder_head *head)
{
	uint32_t left;

	if (UE__LOAD(&head->mode) == UE__RECORDER_STOPPED)
		return false;
	left = __atomic_fetch_sub(&head->left, 1, __ATOMIC_RELAXED);
	if ((int32_t)left <= 1)
		UE__STORE(&head->mode, (uint32_t)UE__RECORDER_STOPPED);
	return (int32_t)left > 0;
}
