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
	char other[512];

	for (e = ue__next_event(NULL); e; e = ue__next_event(e)) {
		if (e == event || !e->desc || ue__is_runtime(e) || e->state != UE__REGISTERED ||
		    ue__spec(e, other) < 0)
			continue;
		if (strncmp(spec, other, name) == 0 && strcspn(other, " ") == name &&
		    strcmp(spec, other) != 0) {
			ue__set_error(-EADDRINUSE, spec,
				      "this program declares it with different "
				      "fields, \"",
				      other, "\" and \"", spec, "\"; give one of them another name",
				      (const char *)NULL);
			return;
		}
	}
}

UE__SETUP int ue__register_once(int fd, struct ue_event *event, const char *spec,
				unsigned int flags)
{
	int index = ue__register_word(fd, &event->enabled, ue__bit_of(event), spec, flags);

	if (index < 0)
		return index;
	if (ue__is_runtime(event))
		UE__STORE(&ue__runtime_of(event->desc)->index, (uint32_t)index);
	/* plus one: a thread that sees the bit before this store reads 0, and does not write */
	UE__STORE(&event->index, (uint32_t)index + 1);
	event->state = UE__REGISTERED;
	event->multi = (flags & UE_MULTI_FORMAT) != 0;
	return 0;
}

/* Registers EVENT on FD by its checked SPEC. Under the lock. */
UE__SETUP int ue__register(int fd, struct ue_event *event, const char *spec, unsigned int flags)
{
	int error = ue__register_once(fd, event, spec, flags);

	if (error == -EINVAL && (flags & UE_MULTI_FORMAT)) {
		flags &= ~UE_MULTI_FORMAT;
		error = ue__register_once(fd, event, spec, flags);
	}
	if (error == -EINVAL && flags)
		error = ue__register_once(fd, event, spec, 0);
	/* a fork met another thread between ioctl() and store: the child's word is registered */
	if (error == -EADDRINUSE &&
	    ue__unregister_word(fd, &event->enabled, ue__bit_of(event)) >= 0)
		error = ue__register_once(fd, event, spec, flags);
	if (error == -EADDRINUSE && !(flags & UE_MULTI_FORMAT)) {
		ue__report_conflict(event, spec);
		if (ue__register_once(fd, event, spec, flags | UE_MULTI_FORMAT) == 0)
			error = 0;
	}
	return error;
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
