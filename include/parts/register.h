/* SPDX-License-Identifier: MIT */
/*
 * Registration
 */

@enabled

/* Registers bit BIT of WORD for what SPEC says. Returns the index on FD. */
UE__SETUP int ue__register_word(int fd, const uint32_t *word, uint8_t bit, const char *spec,
			     unsigned int flags)
{
	struct ue__reg reg;
	int error;

	memset(&reg, 0, sizeof(reg));
	reg.size = sizeof(reg);
	reg.enable_bit = bit;
	reg.enable_size = sizeof(*word);
	reg.flags = (uint16_t)flags;
	reg.enable_addr = (uint64_t)(uintptr_t)word;
	reg.name_args = (uint64_t)(uintptr_t)spec;
	error = ue__ioctl(fd, DIAG_IOCSREG, &reg);
	return error < 0 ? error : (int)reg.write_index;
}

/* The kernel forgets the enable word, through any fd; -ENOENT if it did not know it. */
UE__SETUP int ue__unregister_word(int fd, const uint32_t *word, uint8_t bit)
{
	struct ue__unreg unreg;

	memset(&unreg, 0, sizeof(unreg));
	unreg.size = sizeof(unreg);
	unreg.disable_bit = bit;
	unreg.disable_addr = (uint64_t)(uintptr_t)word;
	return ue__ioctl(fd, DIAG_IOCSUNREG, &unreg);
}

static inline bool ue__is_runtime(const struct ue_event *event)
{
	return event->desc && event->desc->kind == UE__TEXT_KIND;
}

/*
 * What is kept of a run-time event. It has an open file of its own, which is closed when it is
 * unregistered: the kernel keeps an event for as long as a file is open that it was registered
 * with. Where numbers are scarce, it is on the file of the declared events, and kept.
 *
 * Its bit of the enable word is another one than theirs. So the way of their events is as short
 * as if there were only one file, and those that are written on this way, ue__write_runtime(),
 * are waited for.
 */
struct ue__runtime {
	struct ue__runtime *next; /* of those that nobody finds any more */
	int fd;			  /* plus one, or one of: */
	uint32_t index;
	struct ue__desc desc; /* then the text */
};
enum { UE__UNREGISTERED = 0, UE__SHARED = -1, UE__GONE = -2 };

static inline struct ue__runtime *ue__runtime_of(const struct ue__desc *desc)
{
	return (struct ue__runtime *)((uintptr_t)desc - offsetof(struct ue__runtime, desc));
}

static inline uint8_t ue__bit_of(const struct ue_event *event)
{
	return ue__is_runtime(event) ? 2 : 0;
}

UE__SETUP int ue__register_once(int fd, struct ue_event *event, const char *spec,
				unsigned int flags)
{
	int index = ue__register_word(fd, &event->enabled, ue__bit_of(event), spec, flags);

	if (index < 0)
		return index;
	if (ue__is_runtime(event))
		UE__STORE(&ue__runtime_of(event->desc)->index, (uint32_t)index);
	/* plus one: a thread that sees the bit before this store finds 0, and stays out */
	UE__STORE(&event->index, (uint32_t)index + 1);
	event->state = UE__REGISTERED;
	event->multi = (flags & UE_MULTI_FORMAT) != 0;
	return 0;
}

/* Remembers it if there is an event of ours with this name and other fields. */
UE__SETUP void ue__tell_conflict(const struct ue_event *event, const char *spec);

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
	/* a fork caught another thread within this: the child's kernel has the word already */
	if (error == -EADDRINUSE &&
	    ue__unregister_word(fd, &event->enabled, ue__bit_of(event)) >= 0)
		error = ue__register_once(fd, event, spec, flags);
	if (error == -EADDRINUSE && !(flags & UE_MULTI_FORMAT)) {
		ue__tell_conflict(event, spec);
		if (ue__register_once(fd, event, spec, flags | UE_MULTI_FORMAT) == 0)
			error = 0;
	}
	return error;
}

static inline size_t ue__declared_in_c(void)
{
	/* as integers: the linker made the bounds, they are of no one array */
	return ((uintptr_t)__stop_ue_events_v1 - (uintptr_t)__start_ue_events_v1) /
	       sizeof(struct ue_event);
}

/* The events that this program or library has: those declared in C, then the list. */
static inline struct ue_event *ue__next(struct ue_event *event)
{
	size_t n = ue__declared_in_c();

	if (event == NULL)
		return n ? __start_ue_events_v1 : ue__state_v1.list;
	if (event->listed)
		return event->next;
	return event + 1 < __start_ue_events_v1 + n ? event + 1 : ue__state_v1.list;
}

/*
 * Opens user_events_data again, which the program closed, and registers there what was registered.
 * The enable words are the address space's and still registered: only the indexes are the file's.
 * Each event gets the one that it had, so that it does not matter to a thread that writes one
 * at this moment which of the two files it goes to. Under the lock.
 */
UE__SETUP int ue__open_again(void)
{
	const char *path = ue__path();
	int fd = *path ? ue__open_high(path) : -ENOENT;
	int i;

	for (i = 0; fd < 0 && !*path && i < UE__PATHS; i++) {
		fd = ue__open_high(ue__paths[i]);
		if (fd >= 0)
			ue__state_v1.path = i + 1;
	}
	return fd;
}

/* The index that EVENT gets on FD. Its word is registered: a word of our own takes its place. */
UE__SETUP int ue__register_again(int fd, const struct ue_event *event)
{
	uint32_t word = 0;
	char spec[512];
	int index = ue__spec(event, spec);

	if (index < 0)
		return index;
	index = ue__register_word(fd, &word, 0, spec, event->multi ? UE_MULTI_FORMAT : 0u);
	if (index >= 0)
		ue__unregister_word(fd, &word, 0);
	return index;
}

static inline bool ue__is_on_own_file(const struct ue_event *event)
{
	return ue__is_runtime(event) && ue__runtime_of(event->desc)->fd != UE__SHARED;
}

/* The registered event that has the least index over INDEX, of those on the common file. */
UE__SETUP struct ue_event *ue__next_index(uint32_t index)
{
	struct ue_event *event, *least = NULL;

	for (event = ue__next(NULL); event; event = ue__next(event)) {
		if (event->state == UE__REGISTERED && event->index > index &&
		    !ue__is_on_own_file(event) &&
		    (!least || event->index < least->index))
			least = event;
	}
	return least;
}

UE__SETUP int ue__register_declared(struct ue_event *event);
UE__SETUP void ue__unregister(int fd, struct ue_event *event);

/*
 * A child of vfork() has descriptors of its own, and what says where they are is its parent's: it may
 * not take another number. A child of fork() gets the one that it had.
 */
UE__FN int ue__same_or_mine(int fd, int before)
{
	if (fd < 0 || fd == before || ue__state_v1.pid == (int)ue__syscall3(__NR_getpid, 0, 0, 0))
		return fd;
	ue__close_ours(fd);
	return -EBADF;
}

UE__SETUP int ue__regain(void)
{
	struct ue__state *s = &ue__state_v1;
	struct ue_event *event;
	uint32_t last = 0;
	int fd = ue__open_again();

	s->wanted = s->fd ? s->fd - 1 : s->wanted;
	if (fd >= 0) {
		ue__remember(fd);
		fd = ue__settle(fd);
	}
	fd = ue__same_or_mine(fd, s->wanted);
	s->gone = fd < 0 ? fd : 0;
	if (fd < 0) {
		UE__STORE(&s->fd, 0); /* the number is the program's */
		return fd;
	}
	while ((event = ue__next_index(last)) != NULL) {
		if (ue__register_again(fd, event) + 1 != (int)event->index)
			break;
		last = event->index;
	}
	UE__STORE(&s->fd, fd + 1);
	s->misses = 0;
	/* an event of the program before this one was unregistered, or is refused now */
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
	if (s->fd || s->gone) {
		s->pid = (int)ue__syscall3(__NR_getpid, 0, 0, 0);
		return ue__regain();
	}
	fd = ue__open_data(s->everywhere);
	if (fd < 0)
		return fd;
	ue__remember(fd);
	fd = ue__settle(fd);
	if (fd < 0)
		return fd;
	s->pid = (int)ue__syscall3(__NR_getpid, 0, 0, 0);
	UE__STORE(&s->fd, fd + 1);
	return fd;
}

UE__SETUP void ue__tell_conflict(const struct ue_event *event, const char *spec)
{
	size_t name = strcspn(spec, " ");
	struct ue_event *e;
	char other[512];

	for (e = ue__next(NULL); e; e = ue__next(e)) {
		if (e == event || !e->desc || ue__is_runtime(e) || e->state != UE__REGISTERED ||
		    ue__spec(e, other) < 0)
			continue;
		if (strncmp(spec, other, name) == 0 && strcspn(other, " ") == name &&
		    strcmp(spec, other) != 0) {
			ue__failed(-EADDRINUSE, spec, "this program declares it with different "
				   "fields, \"", other, "\" and \"", spec,
				   "\"; give one of them another name", (const char *)NULL);
			return;
		}
	}
}

/* Opens EVENT's own file anew, if the program closed it. Under the lock. */
UE__SETUP void ue__regain_own(struct ue_event *event)
{
	struct ue__runtime *r = ue__runtime_of(event->desc);
	int fd = -EBADF, index = -EBADF;

	if (r->fd == UE__SHARED || r->fd == UE__UNREGISTERED ||
	    (r->fd > 0 && ue__is_ours(r->fd - 1)))
		return;
	fd = ue__open_again();
	if (fd >= 0)
		fd = ue__same_or_mine(ue__move(fd, r->fd > 0 ? r->fd - 1 : 0), r->fd - 1);
	if (fd >= 0) {
		index = ue__register_again(fd, event);
		if (index < 0)
			ue__close_ours(fd);
	}
	if (index >= 0)
		UE__STORE(&r->index, (uint32_t)index);
	ue__state_v1.misses = index < 0 ? ue__state_v1.misses + 1 : 0;
	__atomic_store_n(&r->fd, index < 0 ? (int)UE__GONE : fd + 1, __ATOMIC_RELEASE);
}

/* Is there room for a descriptor for each event? */
UE__SETUP bool ue__is_out_of_way(int fd)
{
	struct ue__limit limit;

	return !ue__limit(NULL, &limit) || (uint64_t)fd >= limit.soft ||
	       limit.soft >= UE__RANGE_HIGH;
}

/*
 * Registers a run-time event. What was unregistered a moment ago, the kernel is about to remove:
 * its name may still be taken, and its place among all events. Under the lock.
 */
UE__SETUP int ue__register_own(int common, struct ue_event *event, const char *spec,
			       unsigned int flags)
{
	struct ue__runtime *r = ue__runtime_of(event->desc);
	const char *path = ue__path();
	int fd = *path ? ue__open_high(path) : -1, error, patience = 50;

	ue__process_page(NULL); /* ue__enter() needs it */
	if (fd >= 0)
		fd = ue__move(fd, 0);
	if (fd >= 0 && !ue__is_out_of_way(fd)) {
		ue__close_ours(fd);
		fd = -1;
	}
	for (;;) {
		bool wait = ue__state_v1.released && patience-- > 0, taken;

		error = ue__register(fd < 0 ? common : fd, event, spec, flags);
		taken = error == 0 && event->multi && !(flags & UE_MULTI_FORMAT);
		if (!wait || (error != -EMFILE && !taken))
			break;
		if (error >= 0)
			ue__unregister(common, event);
		ue__sleep(&ue__state_v1.released, 1, 1000);
	}
	if (patience <= 0)
		ue__state_v1.released = 0;
	if (error < 0 && fd >= 0)
		ue__close_ours(fd);
	if (error >= 0)
		__atomic_store_n(&r->fd, fd < 0 ? (int)UE__SHARED : fd + 1, __ATOMIC_RELEASE);
	return error;
}

/* Registers a declared event, and remembers why if it fails. Under the lock. */
UE__SETUP int ue__register_declared(struct ue_event *event)
{
	char spec[512], checked[512], detail[64];
	const char *reason;
	int error, fd;

	if (event->desc->kind == UE__PROBE_KIND)
		return 0;
	if (event->state == UE__REGISTERED) {
		if (ue__is_runtime(event))
			ue__regain_own(event);
		if (event->multi && ue__spec(event, spec) == 0)
			ue__tell_conflict(event, spec);
		return 0;
	}
	/* first: what holds for one event then holds for all, and a bad one stops no other */
	error = fd = ue__state_v1.fd ? ue__state_v1.fd - 1 : ue__fd();
	if (error < 0)
		return ue__failed(error, NULL, ue__open_reason(error), (const char *)NULL);
	error = ue__spec(event, spec);
	if (error == -EINVAL)
		return ue__failed(error, spec, UE__SET_RULES, (const char *)NULL);
	if (error < 0) /* SPEC has no end */
		return ue__failed(-EINVAL, spec, UE__TOO_LONG, (const char *)NULL);
	if (ue__check_spec(spec, checked, &reason, detail) < 0)
		return ue__failed(-EINVAL, spec, reason, detail, (const char *)NULL);
	error = ue__is_runtime(event) ? ue__register_own(fd, event, checked, event->desc->fixed) :
					ue__register(fd, event, checked, 0);
	if (error < 0)
		ue__failed(error, spec, ue__reason(error), (const char *)NULL);
	return error;
}

/* FD: any of user_events_data, or -1 if there is none to be had. */
UE__SETUP void ue__unregister(int fd, struct ue_event *event)
{
	UE__STORE(&event->index, UE__LOAD(&event->enabled) & UE__PROBE_BIT ? UE__NO_INDEX : 0u);
	event->state = UE__NEW;
	event->multi = 0;
	if (fd >= 0)
		ue__unregister_word(fd, &event->enabled, ue__bit_of(event));
	/* The kernel clears its bit, but not if the registration was lost (a closed fd). */
	__atomic_fetch_and(&event->enabled, ~(UE__KERNEL_BIT | UE__OWN_BIT), __ATOMIC_RELAXED);
}

UE__SETUP int ue__register_all(void)
{
	struct ue_event *event;
	int first = 0, error;

	ue__state_v1.error = 0;
	ue__state_v1.tried = 1;
	if (ue__state_v1.fd || ue__state_v1.gone)
		ue__fd(); /* is it still there? */
	for (event = ue__next(NULL); event; event = ue__next(event)) {
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
	ue__state_v1.everywhere = 1;
	error = ue__register_all();
	ue__state_v1.everywhere = 0;
	ue__unlock();
	return error;
}

/* Says in EVENT's word whether it has probes. Under the lock. */
UE__SETUP void ue__mark(struct ue_event *event)
{
	struct ue__state *s = &ue__state_v1;

	if (event->probes || s->probes || s->record) {
		if (!event->serial)
			UE__STORE(&event->serial, ++s->serial);
		if (!event->index)
			UE__STORE(&event->index, UE__NO_INDEX);
		if (s->record)
			s->record(event, NULL, 0);
		__atomic_fetch_or(&event->enabled, UE__PROBE_BIT, __ATOMIC_RELEASE);
	} else if (event->enabled & UE__PROBE_BIT) {
		__atomic_fetch_and(&event->enabled, ~UE__PROBE_BIT, __ATOMIC_RELAXED);
		if (event->index == UE__NO_INDEX)
			UE__STORE(&event->index, 0u);
	}
}

static inline void ue__list(struct ue_event *event)
{
	if (!event->listed) {
		event->listed = 1;
		event->next = ue__state_v1.list;
		ue__state_v1.list = event;
	}
	if (ue__state_v1.probes || ue__state_v1.record)
		ue__mark(event);
}

UE__SETUP void ue__unlist(struct ue_event *event)
{
	struct ue_event **link = &ue__state_v1.list;

	while (*link && *link != event)
		link = &(*link)->next;
	if (*link)
		*link = event->next;
	event->listed = 0;
	event->next = NULL;
}
