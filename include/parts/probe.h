/* SPDX-License-Identifier: MIT */
/*
 * Probes
 */

/* @public */

/*
 * Probes: functions of this process that are called with its events.
 * ======
 *
 * FUNCTION is called for each EVENT that is written from now on, in the thread that writes
 * it, with the payload as the kernel gets it (ue_event_write(), or the EventHeader format)
 * and DATA. Probes and the kernel are independent: an event that no tracer listens to, or
 * that no kernel took, reaches its probes. EVENT is
 *
 *	&event		one registered at run time
 *	&set.event	all events of a set
 *	ue_event_find()	one that is declared by UE_TRACE or UE_TRACEPOINT
 *	NULL		all events of this program or library, later ones as well
 *
 * A probe may write events: the kernel gets them, but no probe, so that nothing recurses. So it
 * is with events of a signal handler that interrupts a probe; ue_status().unprobed counts
 * them. A probe returns: no longjmp(), no exception, no end of its thread.
 *
 * Returns 0, -EINVAL for a NULL FUNCTION, -ENOENT if EVENT is not registered, -EEXIST if the
 * three are already, -ENOMEM, or -ENOSYS. Thread-safe, also within a probe; not
 * async-signal-safe. Writing an event with probes takes no lock and no memory but the stack's,
 * and over 4096 bytes in several segments a mapping of its own; it is as async-signal-safe as
 * the probe.
 */
typedef void (*ue_probe_fn)(struct ue_event *event, const void *payload, size_t size, void *data);

UE__API int ue_probe_register(struct ue_event *event, ue_probe_fn function, void *data);

/*
 * Ends it. Once this returned, FUNCTION does not run any more with DATA in any thread, so that
 * its code and data may go; until then it waits. Returns 0, -ENOENT if it is not registered, or
 * -EDEADLK within a probe, which would wait for itself. Thread-safe; not async-signal-safe.
 */
UE__API int ue_probe_unregister(struct ue_event *event, ue_probe_fn function, void *data);

/*
 * The events of this program or library by NAME (NULL: all), one after another: the first after
 * AFTER, NULL to begin with. Each UE_TRACE in C is an event of its own, so there may be several
 * of one name. NULL if there is none (any more). Thread-safe, as long as AFTER is registered.
 */
UE__API struct ue_event *ue_event_find(const char *name, const struct ue_event *after);

/*
 * The text that registers EVENT: its name, then its fields, as in ue_event_register(). Copies what
 * fits SIZE, with a NUL. Returns its length, at most 511, -E2BIG if it is longer, which no kernel
 * takes, or -ENOENT if EVENT is not registered.
 * Thread-safe; async-signal-safe, but for an event that is being unregistered.
 */
UE__API int ue_event_spec(const struct ue_event *event, char *text, size_t size);

/* @enabled */

static inline void ue__run_list(struct ue__probe **list, struct ue_event *event,
				const void *payload, size_t size)
{
	struct ue__probe *p;

	for (p = __atomic_load_n(list, __ATOMIC_SEQ_CST); p;
	     p = __atomic_load_n(&p->next, __ATOMIC_ACQUIRE)) {
		if (!p->typed)
			p->function.payload(event, payload, size, p->data);
	}
}

/* Calls the probes of EVENT, with what is behind the index as one piece. */
UE__COLD void ue__run_probes(struct ue_event *event, const struct ue__iovec *iov, int count)
{
	unsigned char *mapped = NULL, *payload;
	size_t size = 0, done, room = 0;
	int i, saved = errno;
	struct ue__section section;

	if (!ue__enter(&section, UE__PROBES)) {
		UE__INCREMENT(&ue__state_v1.unprobed);
		return;
	}
	for (i = 0; i < count; i++)
		size += iov[i].iov_len;
	size -= sizeof(uint32_t);
	if (count == 1) {
		payload = (unsigned char *)iov[0].iov_base + sizeof(uint32_t);
	} else if (count == 2 && iov[0].iov_len == sizeof(uint32_t)) {
		payload = (unsigned char *)iov[1].iov_base;
	} else {
		/* the index in front of it, at an address that aligns the payload to 8 */
		room = size + 16;
		if (size > 4096)
			payload = mapped = (unsigned char *)ue__map(room);
		else
			payload = (unsigned char *)__builtin_alloca(room);
		if (!payload) {
			ue__leave(&section);
			UE__INCREMENT(&ue__state_v1.unprobed);
			return;
		}
		payload += (8 - (uintptr_t)payload % 8) % 8 + 4;
		for (i = 0, done = 0; i < count; done += iov[i++].iov_len)
			if (iov[i].iov_len)
				memcpy(payload + done, iov[i].iov_base, iov[i].iov_len);
		payload += sizeof(uint32_t);
	}
	ue__run_list(&event->probes, event, payload, size);
	ue__run_list(&ue__state_v1.probes, event, payload, size);
	ue__leave(&section);
	if (mapped)
		munmap(mapped, room);
	errno = saved;
}

static inline bool ue__is_probe(const struct ue__probe *p, void (*function)(void), const void *data,
				int typed)
{
	return p->function.any == function && p->data == data && p->typed == typed;
}

/* FIRST is whether there was none of its kind. Of equal priority the first one is called first. */
UE__FN int ue__add_probe(struct ue_event *event, void (*function)(void), void *data, int typed,
			 int prio, bool *first)
{
	struct ue__state *s = &ue__state_v1;
	struct ue__probe **link = event ? &event->probes : &s->probes, **place = NULL, *p;
	struct ue_event *e;

	if (!function)
		return -EINVAL;
	if (event && !UE__LOAD(&event->desc))
		return -ENOENT;
	ue__keep_entries();
	if (!ue__process_page())
		return -ENOMEM;
	*first = true;
	ue__lock();
	for (; *link; link = &(*link)->next) {
		if (ue__is_probe(*link, function, data, typed)) {
			ue__unlock();
			return -EEXIST;
		}
		*first &= (*link)->typed != typed;
		if (!place && (*link)->prio < prio)
			place = link;
	}
	if (!place)
		place = link;
	p = (struct ue__probe *)ue__allocate(sizeof(*p));
	if (p) {
		p->next = *place;
		p->function.any = function;
		p->data = data;
		p->typed = typed;
		p->prio = prio;
		__atomic_store_n(&s->run, &ue__run_probes, __ATOMIC_RELEASE);
		__atomic_store_n(place, p, __ATOMIC_RELEASE);
		if (event)
			ue__update_our_bits(event);
		for (e = event ? NULL : ue__next_event(NULL); e; e = ue__next_event(e))
			ue__update_our_bits(e);
	}
	ue__unlock();
	return p ? 0 : -ENOMEM;
}

/* LAST is whether there is none of its kind left. */
UE__FN int ue__remove_probe(struct ue_event *event, void (*function)(void), void *data, int typed,
			    bool *last)
{
	struct ue__probe **link = event ? &event->probes : &ue__state_v1.probes, *p = NULL, **place;
	struct ue_event *e;

	if (ue__probing())
		return -EDEADLK;
	*last = true;
	ue__lock();
	for (place = NULL; *link; link = &(*link)->next) {
		if (ue__is_probe(*link, function, data, typed))
			place = link;
		else
			*last &= (*link)->typed != typed;
	}
	if (place) {
		p = *place;
		__atomic_store_n(place, p->next, __ATOMIC_SEQ_CST);
		if (event)
			ue__update_our_bits(event);
		for (e = event ? NULL : ue__next_event(NULL); e; e = ue__next_event(e))
			ue__update_our_bits(e);
	}
	ue__unlock();
	if (!p)
		return -ENOENT;
	ue__synchronize();
	ue__lock();
	ue__free(p, sizeof(*p));
	ue__unlock();
	return 0;
}

UE__API int ue_probe_register(struct ue_event *event, ue_probe_fn function, void *data)
{
	union ue__function f;
	bool first;

	f.payload = function;
	return ue__add_probe(event, f.any, data, 0, 0, &first);
}

UE__API int ue_probe_unregister(struct ue_event *event, ue_probe_fn function, void *data)
{
	union ue__function f;
	bool last;

	f.payload = function;
	return ue__remove_probe(event, f.any, data, 0, &last);
}

UE__API struct ue_event *ue_event_find(const char *name, const struct ue_event *after)
{
	struct ue_event *event;
	char spec[512];

	ue__lock();
	event = ue__next_event((struct ue_event *)(uintptr_t)after);
	for (; event && name; event = ue__next_event(event)) {
		if (ue__spec(event, spec) == -EINVAL)
			continue;
		if (strcspn(spec, " ") == strlen(name) && memcmp(name, spec, strlen(name)) == 0)
			break;
	}
	ue__unlock();
	return event;
}

UE__API int ue_event_spec(const struct ue_event *event, char *text, size_t size)
{
	struct ue__text t = ue__text_in(text, size);
	char spec[512];
	int error = ue__spec(event, spec);

	if (error == -ENOENT || error == -E2BIG)
		return error;
	ue__put(&t, spec);
	return (int)t.length;
}

/* @disabled */

UE__DISABLED(-ENOSYS,
	     int ue_probe_register(struct ue_event *event, ue_probe_fn function, void *data))
UE__DISABLED(-ENOENT,
	     int ue_probe_unregister(struct ue_event *event, ue_probe_fn function, void *data))
UE__DISABLED(NULL, struct ue_event *ue_event_find(const char *name, const struct ue_event *after))

UE__API int ue_event_spec(const struct ue_event *event, char *text, size_t size)
{
	if (size)
		*text = '\0';
	return -ENOENT;
}
