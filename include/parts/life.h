/* SPDX-License-Identifier: MIT */
/*
 * Start and end of registrations
 */

/* @enabled */

/* LAST: at the end of the library, when no thread of the program is in it. */
UE__SETUP void ue__unregister_all(bool last)
{
	struct ue__state *s = &ue__state_v1;
	struct ue_event *event, *next;
	struct ue__probe *probes = NULL, **end = &probes;
	int fd = -1;

	if (ue__probing())
		return;
	ue__lock();
	if (s->fd || s->reopen_error)
		fd = ue__fd(); /* if the program closed it, there is none to unregister with */
	for (event = ue__next_event(NULL); event; event = next) {
		next = ue__next_event(event);
		if (event->state == UE__REGISTERED)
			ue__unregister(fd, event);
		if (ue__is_runtime(event)) {
			*end = s->reset_own(event);
			while (*end)
				end = &(*end)->next;
		}
	}
	ue__unregister_spare(fd);
	ue__park(last);
	if (last && ue__is_parked())
		ue__close(s->parked - 1);
	ue__unlock();
	if (probes || UE__LOAD(&s->retired))
		s->free_retired(probes);
}

UE__SETUP_API void ue_unregister_all(void)
{
	ue__unregister_all(false);
}

/* A program's own code is never unloaded: other threads may use its data until the process ends. */
#if defined(__PIC__) && !defined(__PIE__)
#define UE__UNLOADS true
#else
#define UE__UNLOADS false
#endif

/* At exit() and dlclose(): does not wait for running probes. */
UE__SETUP void ue__stop(void)
{
	struct ue__state *s = &ue__state_v1;
	struct ue_event *event;
	struct ue__cells *c, *next;

	if (!s->fd && !s->reopen_error && !s->parked && !s->cells && !s->record && !s->process)
		return; /* no system call of a program that has nothing to end */
	ue__unregister_all(UE__UNLOADS);
	ue__lock();
	__atomic_store_n(&s->probes, (struct ue__probe *)NULL, __ATOMIC_SEQ_CST);
	for (event = ue__next_event(NULL); event; event = ue__next_event(event)) {
		__atomic_store_n(&event->probes, (struct ue__probe *)NULL, __ATOMIC_SEQ_CST);
		ue__update_our_bits(event);
	}
	if (s->cells && !s->record && !ue__anyone_reads()) {
		for (c = s->cells, s->cells = NULL; c; c = next) {
			next = c->next;
			munmap(c, sizeof(*c));
		}
	}
	/* at exit, other threads may be within an event */
	if (UE__UNLOADS && !s->record && s->process && ue__is_alone()) {
		munmap(s->process, sizeof(*s->process));
		s->process = NULL;
	}
	ue__unlock();
}

UE__SETUP_API int ue_use_fd(int fd)
{
	struct ue__state *s = &ue__state_v1;
	struct ue_event *event;
	int mode = fd < 0 ? 0 : ue__fcntl(fd, 3 /* F_GETFL */, 0);
	int error = mode >= 0 && !(mode & 3 /* O_WRONLY, O_RDWR */) ? -EBADF : 0;

	ue__lock();
	for (event = ue__next_event(NULL); event; event = ue__next_event(event)) {
		if (event->state == UE__REGISTERED)
			error = error ? error : -EBUSY;
	}
	if (error == 0 && s->fd != fd + 1) {
		if (s->fd)
			ue__close_ours(s->fd - 1);
		ue__syscall5(UE__FCNTL, fd, 2 /* F_SETFD */, 1 /* FD_CLOEXEC */, 0, 0);
		s->path = NULL;
		fd = ue__adopt(fd);
		error = fd < 0 ? fd : 0;
		UE__STORE(&s->fd, fd < 0 ? 0 : fd + 1);
	}
	ue__unlock();
	return error;
}

/* Before main(), for each event declared in C++. */
UE__SETUP_API bool ue__declare(struct ue_event *event, const struct ue__desc *desc, bool automatic)
{
	ue__lock();
	event->desc = desc;
	ue__list_add(event);
	if (automatic && (!ue__state_v1.error || ue__state_v1.fd))
		ue__register_declared(event);
	ue__unlock();
	return true;
}

/* @disabled */

UE__DISABLED(-ENOSYS, int ue_register_all(void))

UE__API void ue_unregister_all(void)
{
}

UE__DISABLED(-ENOSYS, int ue_use_fd(int fd))
