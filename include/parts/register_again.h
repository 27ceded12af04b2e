/* SPDX-License-Identifier: MIT */
/*
 * After the program has closed the file
 */

/* @enabled */

/*
 * When the program has closed the fd, user_events_data is opened again, and the events are
 * registered with the new file. The enable words belong to the address space and are still
 * registered: only the indexes belong to the file. Each event gets the index that it had, so
 * that a thread that writes it at this moment may use either file. All under the lock.
 */

/*
 * Returns the index of EVENT on FD. Its own word is registered: another one serves, which is not on
 * the stack, since the program may close FD before it is unregistered.
 */
UE__SETUP int ue__register_again(int fd, const struct ue_event *event)
{
	struct ue__state *s = &ue__state_v1;
	char spec[512];
	int index = ue__spec(event, spec);

	if (index < 0)
		return index;
	ue__unregister_spare(fd);
	index = ue__register_word(fd, &s->spare, 0, spec, event->multi ? UE_MULTI_FORMAT : 0u);
	s->spare_registered = index >= 0;
	ue__unregister_spare(fd);
	return index;
}

static UE__ALWAYS_INLINE bool ue__is_on_own_file(const struct ue_event *event)
{
	return ue__is_runtime(event) && ue__runtime_of(event->desc)->fd != UE__COMMON_FILE;
}

/* The registered event of the common file with the least index above INDEX. */
UE__SETUP struct ue_event *ue__next_index(uint32_t index)
{
	struct ue_event *event, *least = NULL;

	for (event = ue__next_event(NULL); event; event = ue__next_event(event)) {
		if (event->state == UE__REGISTERED && event->index > index &&
		    !ue__is_on_own_file(event) && (!least || event->index < least->index))
			least = event;
	}
	return least;
}

UE__SETUP int ue__register_declared(struct ue_event *event);

/*
 * A child of vfork() shares ue__state_v1 with its parent, but not the descriptors: it may not store
 * another number there. After fork(), the first number tried is the one that it had.
 */
static UE__ALWAYS_INLINE int ue__same_in_child(int fd, int before)
{
	if (fd < 0 || fd == before || ue__state_v1.pid == ue__pid())
		return fd;
	ue__close_ours(fd);
	return -EBADF;
}

/*
 * Gives the registered events, up to index *LAST, the indexes on FD that they have. Returns 0 if
 * all have them, else why one has not.
 */
UE__SETUP int ue__register_all_again(int fd, uint32_t *last)
{
	struct ue_event *event;
	int index;

	while ((event = ue__next_index(*last)) != NULL) {
		index = ue__register_again(fd, event);
		if (index + 1 != (int)event->index)
			return index < 0 ? index : -EAGAIN;
		*last = event->index;
	}
	return 0;
}

/*
 * Opens the file again, and registers the events up to index *LAST. Fails with -ENOTTY if it is
 * another one: the program may be in a chroot().
 */
UE__SETUP int ue__open_verified(uint32_t *last)
{
	struct ue__state *s = &ue__state_v1;
	struct ue__identity before = s->identity;
	int fd = ue__same_in_child(ue__adopt(ue__open_data(true)), s->next_fd);
	int error = fd < 0 ? fd : ue__register_all_again(fd, last);

	if (error == -ENOTTY || error == -EBADF) { /* or the program has closed this one, too */
		ue__close_ours(fd);
		fd = error;
	}
	if (fd < 0)
		s->identity = before;
	return fd;
}

UE__SETUP int ue__reopen(void)
{
	struct ue__state *s = &ue__state_v1;
	struct ue_event *event;
	uint32_t last = 0;
	int fd = -EBADF;

	/*
	 * A child of vfork() that closes its descriptors finds the fd closed, and stores that, too.
	 * Here it is open: then the events still have their indexes on it.
	 */
	if (s->fd)
		s->next_fd = s->fd - 1;
	else if (s->identified && s->next_fd > 0 && ue__is_ours(s->next_fd) &&
		 ue__register_all_again(s->next_fd, &last) == 0 && last)
		fd = s->next_fd;
	if (fd < 0) {
		last = 0;
		fd = ue__open_verified(&last);
	}
	s->reopen_error = fd < 0 ? fd : 0;
	UE__STORE(&s->fd, fd < 0 ? 0 : fd + 1); /* if not, the number belongs to the program now */
	if (fd < 0)
		return fd;
	s->misses = 0;
	/* the indexes differ, after an event was unregistered or is refused now: as new */
	while ((event = ue__next_index(last)) != NULL) {
		last = event->index;
		ue__unregister(fd, event);
		ue__register_declared(event);
		last = event->index > last ? event->index : last;
	}
	return fd;
}

/* The fd, found if need be. Under the lock. */
UE__SETUP int ue__fd(void)
{
	struct ue__state *s = &ue__state_v1;
	int fd;

	if (s->fd && ue__is_ours(s->fd - 1))
		return s->fd - 1;
	s->pid = ue__pid();
	if (s->fd || s->reopen_error)
		return ue__reopen();
	fd = ue__adopt(ue__open_data(false));
	if (fd >= 0)
		UE__STORE(&s->fd, fd + 1);
	return fd;
}

/* Is the file at its path the one that the events are registered with? */
UE__SETUP bool ue__is_at_path(void)
{
	struct ue__state *s = &ue__state_v1;
	struct ue__identity now;

	return !s->identified || (ue__identify(-1, s->path ? s->path : "", &now) >= 0 &&
				  ue__is_same_file(&now, &s->identity));
}

/* Opens EVENT's own file anew, if the program closed it. Under the lock. */
UE__SETUP void ue__reopen_own(struct ue_event *event)
{
	struct ue__state *s = &ue__state_v1;
	struct ue__runtime *r = ue__runtime_of(event->desc);
	int number = r->fd > 0 ? r->fd - 1 : r->number, fd = -EBADF, index = -EBADF;

	if (r->fd == UE__COMMON_FILE || r->fd == UE__NO_FILE ||
	    (r->fd > 0 && ue__is_ours(r->fd - 1)))
		return;
	/* closed in a child of vfork() only? */
	if (r->fd == UE__CLOSED && s->identified && ue__is_ours(number) &&
	    ue__register_again(number, event) == (int)r->index) {
		fd = number;
		index = (int)r->index;
	} else if (ue__is_at_path()) {
		fd = ue__open_data(true);
	}
	if (fd >= 0 && index < 0) {
		fd = ue__same_in_child(ue__move(fd, number, false), number);
		index = fd < 0 ? fd : ue__register_again(fd, event);
		if (fd >= 0 && index < 0)
			ue__close_ours(fd);
	}
	if (index >= 0)
		UE__STORE(&r->index, (uint32_t)index);
	r->number = number;
	s->misses = index < 0 ? s->misses + 1 : 0;
	__atomic_store_n(&r->fd, index < 0 ? (int)UE__CLOSED : fd + 1, __ATOMIC_RELEASE);
}
