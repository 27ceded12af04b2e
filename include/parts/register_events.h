/* SPDX-License-Identifier: MIT */
/*
 * Registering all events
 */

/* @enabled */

/* Registers a declared event, and remembers why if it fails. Under the lock. */
UE__SETUP int ue__register_declared(struct ue_event *event)
{
	struct ue__state *s = &ue__state_v1;
	char spec[512], checked[512], detail[64] = "";
	const char *reason;
	int error, fd;

	if (event->desc->variant == UE__DESC_PROBE)
		return 0;
	if (event->state == UE__REGISTERED) {
		if (ue__is_runtime(event))
			s->reopen_own(event);
		if (event->multi && ue__spec(event, spec) == 0)
			ue__report_conflict(event, spec);
		return 0;
	}
	/* first: its failure holds for all events, that of a definition for one */
	fd = s->fd ? s->fd - 1 : ue__fd();
	if (fd < 0)
		return ue__set_error(fd, NULL, ue__explain(fd, UE__OPENING), "");
	error = ue__spec(event, spec);
	if (error < 0) {
		reason = error == -EINVAL ? UE__SET_RULES : UE__TOO_LONG;
		error = -EINVAL;
	} else if ((error = ue__check_spec(spec, checked, &reason, detail)) == 0) {
		error = ue__is_runtime(event)
				? s->register_own(fd, event, checked, event->desc->fixed)
				: ue__register(fd, event, checked, 0);
		reason = ue__explain(error, UE__REGISTERING);
	}
	return error < 0 ? ue__set_error(error, spec, reason, detail) : 0;
}

UE__SETUP int ue__register_all(void)
{
	struct ue_event *event;
	int first = 0, error;

	ue__state_v1.error = 0;
	ue__state_v1.tried = 1;
	if (ue__state_v1.fd || ue__state_v1.reopen_error)
		ue__fd(); /* is it still there? */
	for (event = ue__next_event(NULL); event; event = ue__next_event(event)) {
		if (!event->desc)
			continue;
		error = ue__register_declared(event);
		if (error < 0 && first == 0)
			first = error;
		if (error < 0 && !ue__state_v1.fd)
			break; /* what holds for one holds for all */
	}
	return first;
}

UE__SETUP_API int ue_register_all(void)
{
	int error;

	ue__lock();
	ue__state_v1.search_mounts = 1;
	error = ue__register_all();
	ue__state_v1.search_mounts = 0;
	ue__unlock();
	return error;
}
