/* SPDX-License-Identifier: MIT */
/*
 * Start and end of registrations
 */

@enabled

UE__FN void ue_unregister_all(void)
{
	struct ue__state *s = &ue__state_v1;
	struct ue_event *event, *next;
	struct ue__probe *gone = NULL, **end = &gone;

	if (ue__probing_v1)
		return;
	ue__lock();
	for (event = ue__next(NULL); event; event = next) {
		next = ue__next(event);
		if (event->state == UE__REGISTERED)
			ue__unregister(event);
		if (ue__is_runtime(event)) {
			*end = ue__forget(event);
			while (*end)
				end = &(*end)->next;
		}
	}
	if (s->fd) {
		int fd = s->fd - 1;

		UE__STORE(&s->fd, 0);
		ue__close(fd);
	}
	ue__unlock();
	if (gone || UE__LOAD(&s->texts))
		ue__free_probes(gone);
}

/* At exit() and dlclose(): who runs a probe then is not waited for. */
UE__COLD void ue__stop(void)
{
	struct ue__state *s = &ue__state_v1;
	struct ue_event *event;
	struct ue__cells *c, *next;

	ue_unregister_all();
	ue__lock();
	__atomic_store_n(&s->probes, (struct ue__probe *)NULL, __ATOMIC_SEQ_CST);
	for (event = ue__next(NULL); event; event = ue__next(event)) {
		__atomic_store_n(&event->probes, (struct ue__probe *)NULL, __ATOMIC_SEQ_CST);
		ue__mark(event);
	}
	if (!s->process || (!__atomic_load_n(&s->process->running[0], __ATOMIC_SEQ_CST) &&
			    !__atomic_load_n(&s->process->running[1], __ATOMIC_SEQ_CST))) {
		for (c = s->cells, s->cells = NULL; c; c = next) {
			next = c->next;
			munmap(c, sizeof(*c));
		}
	}
	ue__unlock();
}

UE__FN int ue_use_fd(int fd)
{
	struct ue__state *s = &ue__state_v1;
	struct ue_event *event;
	int error = fd < 0 ? -EBADF : 0, old = 0;

	ue__lock();
	for (event = ue__next(NULL); event; event = ue__next(event)) {
		if (event->state == UE__REGISTERED)
			error = error ? error : -EBUSY;
	}
	if (error == 0) {
		ue__close_on_exec(fd);
		old = s->fd;
		s->path = -1;
		UE__STORE(&s->fd, fd + 1);
	}
	ue__unlock();
	if (old && old != fd + 1)
		ue__close(old - 1);
	return error;
}

/* Before main(), for events declared in C: a walk over the section, once. */
UE__COLD void ue__start(void)
{
	ue__lock();
	if (!ue__state_v1.tried)
		ue__register_all();
	ue__unlock();
}

/* Before main(), for each event declared in C++. */
UE__COLD bool ue__declare(struct ue_event *event, const struct ue__desc *desc, bool automatic)
{
	ue__lock();
	event->desc = desc;
	ue__list(event);
	if (automatic && (!ue__state_v1.error || ue__state_v1.fd))
		ue__register_declared(event);
	ue__unlock();
	return true;
}

@disabled

UE__FN int ue_register_all(void)
{
	return -ENOSYS;
}

UE__FN void ue_unregister_all(void)
{
}

UE__FN int ue_use_fd(int fd)
{
	(void)fd;
	return -ENOSYS;
}
