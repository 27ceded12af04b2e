/* SPDX-License-Identifier: MIT */
/*
 * Capturing an event
 */

/* @enabled */

/* Writes a record that names the process. After a fork, all events are described again. */
UE__FILE_COLD void ue__capture_put_program(struct ue_capture *c, const struct ue__capture_head *now)
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

/* Writes the format of EVENT, and caches its id. Returns 0 and the id. */
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

	if (!ue__enter(&section, UE__READS)) /* or the text of a run-time event may be freed */
		return -EAGAIN;
	n = ue_event_spec(event, spec, sizeof(spec));
	ue__leave(&section);
	/* it is being unregistered: the text may be that of another event */
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
		/* a reader that sees one of these sees that the serial changed */
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

/* Writes a record that says how many events are missing. */
UE__FILE_COLD void ue__capture_put_lost(struct ue_capture *c, const struct ue__capture_head *now)
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
	struct ue__capture_common common;
	int error;

	ue__capture_now(&head);
	if (UE__UNLIKELY(UE__LOAD(&c->pid) != head.pid))
		ue__capture_put_program(c, &head);
	if (UE__UNLIKELY(ue__capture_id(c, event, &head, &head.value))) {
		ue__capture_failed(c);
		return;
	}
	head.type = UE__CAPTURE_EVENT;
	common.type = (uint16_t)head.value;
	common.flags = common.preempt = 0;
	common.tid = head.tid;
	if (c->memory) {
		error = ue__capture_event_to_memory(c->memory, &head, &common, payload, size);
	} else {
		if (UE__UNLIKELY(UE__LOAD(&c->pending)))
			ue__capture_put_lost(c, &head);
		error = ue__capture_put(c, &head, &common, sizeof(common), payload, size);
	}
	if (UE__UNLIKELY(error))
		ue__capture_failed(c);
}
