/* SPDX-License-Identifier: MIT */
/*
 * Events known at run time, on files of their own
 */

/* @enabled */

/* Is there room for a descriptor for each event? */
UE__SETUP bool ue__is_out_of_way(int fd)
{
	struct ue__limit limit;

	return !ue__limit(NULL, &limit) || (uint64_t)fd >= limit.soft ||
	       limit.soft >= UE__RANGE_HIGH;
}

/*
 * Registers a run-time event. The kernel removes an unregistered event a moment later: until then
 * its name is in use, and it counts for user_events_max. Under the lock.
 */
UE__SETUP int ue__register_own(int common, struct ue_event *event, const char *spec,
			       unsigned int flags)
{
	struct ue__runtime *r = ue__runtime_of(event->desc);
	const char *path = ue__state_v1.path;
	int fd = path ? ue__open_high(path) : -1, error, retries = 50;

	ue__process_page(); /* ue__enter() needs it */
	if (fd >= 0)
		fd = ue__move(fd, 0, false);
	if (fd >= 0 && !ue__is_out_of_way(fd)) {
		ue__close_ours(fd);
		fd = -1;
	}
	for (;;) {
		bool wait = ue__state_v1.released && retries-- > 0, taken;

		error = ue__register(fd < 0 ? common : fd, event, spec, flags);
		taken = error == 0 && event->multi && !(flags & UE_MULTI_FORMAT);
		if (!wait || (error != -EMFILE && !taken))
			break;
		if (error >= 0)
			ue__unregister(common, event);
		ue__sleep(&ue__state_v1.released, 1, 1000);
	}
	if (retries <= 0)
		ue__state_v1.released = 0;
	if (error < 0 && fd >= 0)
		ue__close_ours(fd);
	if (error >= 0)
		__atomic_store_n(&r->fd, fd < 0 ? (int)UE__COMMON_FILE : fd + 1, __ATOMIC_RELEASE);
	return error;
}
