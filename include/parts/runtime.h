/* SPDX-License-Identifier: MIT */
/*
 * Events known at run time
 */

/* @enabled */

/* Copies the text of a run-time event: the caller's may change. */
UE__SETUP int ue__copy_spec(struct ue_event *event, const char *spec, unsigned int flags)
{
	struct ue__runtime *r = (struct ue__runtime *)ue__allocate(sizeof(*r) + strlen(spec) + 1);

	if (!r)
		return -ENOMEM;
	memset(r, 0, sizeof(*r));
	r->desc.variant = UE__DESC_TEXT;
	r->desc.fixed = flags;
	memcpy(r + 1, spec, strlen(spec) + 1);
	__atomic_store_n(&event->desc, (const struct ue__desc *)&r->desc, __ATOMIC_RELEASE);
	return 0;
}

/* Other threads may still read it: ue__free_retired() then closes the file and frees it. */
UE__SETUP void ue__retire_spec(struct ue_event *event)
{
	struct ue__state *s = &ue__state_v1;
	struct ue__runtime *r = ue__runtime_of(event->desc);

	__atomic_store_n(&event->desc, (const struct ue__desc *)NULL, __ATOMIC_SEQ_CST);
	r->next = s->retired;
	UE__STORE(&s->retired, r);
}

/*
 * Makes EVENT's struct as it was before it was registered. Returns its probes, for
 * ue__free_retired() once the lock is free.
 */
UE__SETUP struct ue__probe *ue__reset_event(struct ue_event *event)
{
	struct ue__probe *probes = event->probes;

	if (event->listed)
		ue__list_remove(event);
	if (event->desc)
		ue__retire_spec(event);
	__atomic_store_n(&event->probes, (struct ue__probe *)NULL, __ATOMIC_RELEASE);
	UE__STORE(&event->serial, 0u);
	UE__STORE(&event->index, 0u);
	__atomic_fetch_and(&event->enabled, ~UE__OUR_BITS, __ATOMIC_RELAXED);
	return probes;
}

UE__FN void ue__keep_entries(void);

/*
 * Registers EVENT by its checked text, of which UNKNOWN is the first field that no kernel takes, or
 * "". *PROBES gets the probes of an event that was reset. Under the lock.
 */
UE__SETUP int ue__register_checked(struct ue_event *event, const char *spec, unsigned int flags,
				   const char *unknown, struct ue__probe **probes)
{
	bool opened = true;
	struct ue__text t;
	char detail[512];
	int error;

	if (event->listed) /* the kernel had refused it */
		ue__retire_spec(event);
	if (event->serial) /* other fields are another event */
		UE__STORE(&event->serial, ++ue__state_v1.serial);
	error = ue__copy_spec(event, spec, flags);
	if (error == 0) {
		ue__list_add(event);
		error = ue__fd();
		opened = error >= 0;
		if (opened)
			error = ue__register_own(error, event, spec, flags);
	} else if (event->listed) {
		ue__list_remove(event);
	}
	if (error == -EADDRINUSE && *unknown) /* the name is compared first */
		error = -EINVAL;
	if (error == -EINVAL) /* types that no kernel knows: no tracer can get it */
		*probes = ue__reset_event(event);
	if (error == -EINVAL && *unknown) {
		t = ue__text_in(detail, sizeof(detail));
		ue__put(&t, unknown);
		ue__put(&t, "; " UE__KERNEL_TYPES);
		ue__set_error(error, spec, "the kernel refused field ", detail);
	} else if (error < 0) {
		ue__set_error(error, opened ? spec : NULL,
			      ue__explain(error, opened ? UE__REGISTERING : UE__OPENING), "");
	}
	return error;
}

UE__ONCE long ue__write_runtime(struct ue_event *event, const struct ue__iovec *iov, int count);
/*
 * Frees PROBES and the retired texts once nobody reads them. Not in a probe, which would wait for
 * itself: then the next call frees the texts. Not under the lock.
 */
UE__SETUP void ue__free_retired(struct ue__probe *probes)
{
	struct ue__state *s = &ue__state_v1;
	struct ue__probe *next;
	struct ue__runtime *r, *retired;
	bool unread;

	if ((!probes && !UE__LOAD(&s->retired)) || ue__probing())
		return;
	ue__lock();
	retired = s->retired;
	UE__STORE(&s->retired, (struct ue__runtime *)NULL);
	ue__unlock();
	unread = ue__synchronize();
	ue__lock();
	for (; probes; probes = next) {
		next = probes->next;
		ue__free(probes, sizeof(*probes));
	}
	while ((r = retired) != NULL) {
		retired = r->next;
		if (!unread) {
			r->next = s->retired;
			UE__STORE(&s->retired, r);
			continue;
		}
		if (r->fd > 0) {
			ue__close_ours(r->fd - 1);
			s->released = 1;
		}
		ue__free(r, sizeof(*r) + strlen((const char *)(r + 1)) + 1);
	}
	ue__unlock();
}

/* REASON: NULL, or why SPEC is refused. */
UE__SETUP int ue__register_runtime(struct ue_event *event, const char *spec, unsigned int flags,
				   unsigned int level, const char *reason)
{
	struct ue__state *s = &ue__state_v1;
	struct ue__probe *probes = NULL;
	char checked[512], unknown[64];
	int error, before;

	ue__keep_entries(); /* dlclose() unregisters a library of run-time events only, too */
	ue__lock();
	s->register_own = ue__register_own;
	s->reopen_own = ue__reopen_own;
	s->reset_own = ue__reset_event;
	s->free_retired = ue__free_retired;
	__atomic_store_n(&s->write_own, &ue__write_runtime, __ATOMIC_RELEASE);
	before = s->error; /* it makes room for this call's, if that fails */
	s->error = 0;
	if (reason) {
		error = ue__set_error(-EINVAL, spec, reason, "");
	} else if (event->state == UE__REGISTERED || (event->desc && !ue__is_runtime(event))) {
		error = -EALREADY; /* a declared one is for ue_register_all() */
	} else if (flags & ~(UE_PERSIST | UE_MULTI_FORMAT)) {
		error = ue__set_error(-EINVAL, spec, "flags are UE_PERSIST and UE_MULTI_FORMAT",
				      "");
	} else if (ue__check_spec(spec, checked, &reason, unknown) < 0) {
		error = ue__set_error(-EINVAL, spec, reason, unknown);
	} else {
		ue__find_unknown(checked, unknown);
		event->level = (uint8_t)level;
		error = ue__register_checked(event, checked, flags, unknown, &probes);
	}
	if (!s->error)
		s->error = before;
	ue__unlock();
	ue__free_retired(probes);
	return error;
}

UE__SETUP_API int ue_event_register(struct ue_event *event, const char *spec, unsigned int flags)
{
	return ue__register_runtime(event, spec ? spec : "", flags, 0, NULL);
}

UE__SETUP_API int ue_event_unregister(struct ue_event *event)
{
	struct ue__probe *probes = NULL;
	int error = -ENOENT;

	ue__lock();
	if ((event->probes || ue__state_v1.probes) && ue__probing()) {
		error = -EDEADLK;
	} else {
		if (event->state == UE__REGISTERED) {
			ue__unregister(ue__fd(), event);
			error = 0;
		}
		if (ue__is_runtime(event)) {
			probes = ue__reset_event(event);
			error = 0;
		}
	}
	ue__unlock();
	if (error == 0)
		ue__free_retired(probes);
	return error;
}

UE__SETUP_API int ue_event_set_register(struct ue_event_set *set, const char *provider,
					unsigned int level, uint64_t keyword, const char *group)
{
	char spec[512];
	int error = ue__set_spec(spec, provider ? provider : "", level, keyword, group);

	return ue__register_runtime(&set->event, spec, 0, level, error < 0 ? UE__SET_RULES : NULL);
}

UE__SETUP_API int ue_event_set_unregister(struct ue_event_set *set)
{
	return ue_event_unregister(&set->event);
}

UE__SETUP_API int ue_event_delete(const char *name)
{
	int fd, error, retries = 50;

	ue__lock();
	/* not the fd that registers: the kernel wants another one for this */
	fd = ue__fd();
	if (fd >= 0)
		fd = ue__open_high(ue__state_v1.path ? ue__state_v1.path : UE__USUAL_PATH);
	ue__unlock();
	if (fd < 0)
		return fd;
	/* the kernel removes what was unregistered a moment later */
	while ((error = ue__ioctl(fd, DIAG_IOCSDEL, (void *)(uintptr_t)name)) == -EBUSY &&
	       UE__LOAD(&ue__state_v1.released) && retries-- > 0)
		ue__sleep(&ue__state_v1.released, 1, 1000);
	ue__close(fd);
	return error < 0 ? error : 0;
}

/* @disabled */

UE__DISABLED(-ENOSYS,
	     int ue_event_register(struct ue_event *event, const char *spec, unsigned int flags))
UE__DISABLED(-ENOENT, int ue_event_unregister(struct ue_event *event))
UE__DISABLED(-ENOSYS,
	     int ue_event_set_register(struct ue_event_set *set, const char *provider,
				       unsigned int level, uint64_t keyword, const char *group))
UE__DISABLED(-ENOENT, int ue_event_set_unregister(struct ue_event_set *set))
UE__DISABLED(-ENOSYS, int ue_event_delete(const char *name))
