/* SPDX-License-Identifier: MIT */
/*
 * Capturing an event
 */

/* @enabled */

/* A process says who it is and, after a fork, describes its events anew. */
UE__FILE_COLD void ue__capture_introduce(struct ue_capture *c, const struct ue__capture_head *now)
{
	struct ue__capture_head head = *now;
	char name[16] = "";
	size_t i;

	for (i = 0; i < UE_CAPTURE_FORMATS; i++)
		UE__STORE(&c->known[i].serial, 0u);
	UE__STORE(&c->pending, (size_t)0);
	UE__STORE(&c->lost, (size_t)0);
	UE__STORE(&c->pid, head.pid);
	ue__syscall3(__NR_prctl, 16, (long)name, 0); /* PR_GET_NAME */
	name[15] = '\0';
	head.type = UE__CAPTURE_PROGRAM;
	head.value = ue__capture_clock(0) - ue__capture_clock(1);
	ue__capture_put(c, &head, name, strlen(name) + 1, NULL, 0);
}

/* Describes EVENT, and remembers that. Returns 0 and the format's id. */
UE__FILE_COLD int ue__capture_describe(struct ue_capture *c, const struct ue_event *event,
				       uint32_t serial, const struct ue__capture_head *now,
				       uint64_t *id)
{
	struct ue__capture_known *slot = &c->known[serial % UE_CAPTURE_FORMATS];
	struct ue__capture_head head = *now;
	char spec[UE__CAPTURE_SPEC];
	struct ue__section section;
	uint32_t old;
	int error, n;

	if (!ue__enter(&section, UE__READS)) /* the text of a run-time event */
		return -EAGAIN;
	n = ue_event_spec(event, spec, sizeof(spec));
	ue__leave(&section);
	/* it is being unregistered: the text may be another's by now */
	if (n <= 0 || !serial || serial != __atomic_load_n(&event->serial, __ATOMIC_ACQUIRE))
		return -ENOENT;
	*id = ue__capture_end(ue__capture_mix(UE__CAPTURE_SEED, spec, (size_t)n + 1, 0));
	head.type = UE__CAPTURE_FORMAT;
	head.value = *id;
	error = ue__capture_put(c, &head, spec, (size_t)n + 1, NULL, 0);
	if (error)
		return error;
	old = UE__LOAD(&slot->serial);
	if (old != UE__CAPTURE_BUSY &&
	    __atomic_compare_exchange_n(&slot->serial, &old, (uint32_t)UE__CAPTURE_BUSY, false,
					__ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
		/* who sees one of these sees that the serial is another's */
		__atomic_store_n(&slot->low, (uint32_t)*id, __ATOMIC_RELEASE);
		__atomic_store_n(&slot->high, (uint32_t)(*id >> 32), __ATOMIC_RELEASE);
		__atomic_store_n(&slot->serial, serial, __ATOMIC_RELEASE);
	}
	return 0;
}

static inline int ue__capture_id(struct ue_capture *c, const struct ue_event *event,
				 const struct ue__capture_head *now, uint64_t *id)
{
	uint32_t serial = __atomic_load_n(&event->serial, __ATOMIC_ACQUIRE);
	struct ue__capture_known *slot = &c->known[serial % UE_CAPTURE_FORMATS];

	if (__atomic_load_n(&slot->serial, __ATOMIC_ACQUIRE) == serial && serial) {
		*id = __atomic_load_n(&slot->low, __ATOMIC_ACQUIRE);
		*id |= (uint64_t)__atomic_load_n(&slot->high, __ATOMIC_ACQUIRE) << 32;
		/* not overwritten meanwhile: serials do not come back */
		if (UE__LOAD(&slot->serial) == serial)
			return 0;
	}
	return ue__capture_describe(c, event, serial, now, id);
}

UE__FILE_COLD void ue__capture_failed(struct ue_capture *c)
{
	size_t *lost = c->memory ? &c->memory->lost : &c->lost;

	UE__INCREMENT(lost);
	UE__INCREMENT(&c->pending);
}

/* Tells in the file how many events are missing. */
UE__FILE_COLD void ue__capture_tell(struct ue_capture *c, const struct ue__capture_head *now)
{
	struct ue__capture_head head = *now;
	size_t pending = __atomic_exchange_n(&c->pending, (size_t)0, __ATOMIC_RELAXED);

	if (!pending)
		return;
	head.type = UE__CAPTURE_LOST;
	head.value = pending;
	if (ue__capture_put(c, &head, NULL, 0, NULL, 0))
		__atomic_fetch_add(&c->pending, pending, __ATOMIC_RELAXED);
}

UE__FN void ue__capture_probe(struct ue_event *event, const void *payload, size_t size, void *data)
{
	struct ue_capture *c = (struct ue_capture *)data;
	struct ue__capture_head head;
	struct {
		uint16_t type;
		uint8_t flags, preempt;
		uint32_t tid;
	} record;
	uint64_t common;
	int error;

	ue__capture_now(&head);
	if (UE__UNLIKELY(UE__LOAD(&c->pid) != head.pid))
		ue__capture_introduce(c, &head);
	if (UE__UNLIKELY(ue__capture_id(c, event, &head, &head.value))) {
		ue__capture_failed(c);
		return;
	}
	head.type = UE__CAPTURE_EVENT;
	record.type = (uint16_t)head.value;
	record.flags = record.preempt = 0;
	record.tid = head.tid;
	memcpy(&common, &record, sizeof(common));
	if (c->memory) {
		error = ue__capture_event_to_memory(c->memory, &head, common, payload, size);
	} else {
		if (UE__UNLIKELY(UE__LOAD(&c->pending)))
			ue__capture_tell(c, &head);
		error = ue__capture_put(c, &head, &common, sizeof(common), payload, size);
	}
	if (UE__UNLIKELY(error))
		ue__capture_failed(c);
}
