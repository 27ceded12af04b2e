/* SPDX-License-Identifier: MIT */
/*
 * Registering an event
 */

/* @enabled */

/* Tells, if another event of this program has the same name and other fields. */
UE__SETUP void ue__report_conflict(const struct ue_event *event, const char *spec)
{
	size_t name = strcspn(spec, " ");
	struct ue_event *e;
	struct ue__text t;
	char both[1152];

	for (e = ue__next_event(NULL); e; e = ue__next_event(e)) {
		if (e == event || e->state != UE__REGISTERED || ue__is_runtime(e) ||
		    ue__spec(e, both) < 0 || strcspn(both, " ") != name ||
		    memcmp(spec, both, name) != 0 || strcmp(spec, both) == 0)
			continue;
		t.buffer = both;
		t.size = sizeof(both);
		t.length = strlen(both);
		ue__put(&t, "\" and \"");
		ue__put(&t, spec);
		ue__put(&t, "\"; give one of them another name");
		ue__set_error(-EADDRINUSE, spec,
			      "this program declares it with different fields, \"", both);
		return;
	}
}

/* Registers EVENT on FD by its checked SPEC. Under the lock. */
UE__SETUP int ue__register(int fd, struct ue_event *event, const char *spec, unsigned int flags)
{
	uint8_t bit = ue__bit_of(event);
	bool stale = true, conflict = false;
	int index;

	while ((index = ue__register_word(fd, &event->enabled, bit, spec, flags)) < 0) {
		if (conflict) /* whatever such a kernel says of the flag */
			return -EADDRINUSE;
		if (index == -EINVAL && flags) {
			/* an older kernel knows only the other flag, or none */
			flags &= flags & UE_MULTI_FORMAT ? ~UE_MULTI_FORMAT : 0u;
		} else if (index == -EADDRINUSE && stale &&
			   ue__unregister_word(fd, &event->enabled, bit) >= 0) {
			/* a fork met another thread between ioctl() and store: it is the child's */
			stale = false;
		} else if (index == -EADDRINUSE && !(flags & UE_MULTI_FORMAT)) {
			ue__report_conflict(event, spec);
			flags |= UE_MULTI_FORMAT;
			conflict = true;
		} else {
			return index;
		}
	}
	if (ue__is_runtime(event))
		UE__STORE(&ue__runtime_of(event->desc)->index, (uint32_t)index);
	/* plus one: a thread that sees the bit before this store reads 0, and does not write */
	UE__STORE(&event->index, (uint32_t)index + 1);
	event->state = UE__REGISTERED;
	event->multi = (flags & UE_MULTI_FORMAT) != 0;
	return 0;
}

/* FD: any of user_events_data, or -1 if there is none to be had. */
UE__SETUP void ue__unregister(int fd, struct ue_event *event)
{
	UE__STORE(&event->index, UE__LOAD(&event->enabled) & UE__OUR_BITS ? UE__NO_INDEX : 0u);
	event->state = UE__NEW;
	event->multi = 0;
	if (fd >= 0)
		ue__unregister_word(fd, &event->enabled, ue__bit_of(event));
	/* The kernel clears its bit, but not if the registration was lost (a closed fd). */
	__atomic_fetch_and(&event->enabled, ~(UE__KERNEL_BIT | UE__OWN_BIT), __ATOMIC_RELAXED);
}

/* The word of ue__register_again(). */
UE__SETUP void ue__unregister_spare(int fd)
{
	struct ue__state *s = &ue__state_v1;

	if (s->spare_registered && ue__unregister_word(fd, &s->spare, 0) != -EBADF)
		s->spare_registered = 0;
}
