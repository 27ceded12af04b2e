/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The user_events.h authors */
/*
 * user_events_probe.h - calls functions of a program when the program writes events.
 *
 *	#include <user_events_probe.h>
 *
 *	static void count(struct ue_event *event, const void *payload, size_t size, void *data)
 *	{
 *		__atomic_fetch_add((unsigned long *)data, 1, __ATOMIC_RELAXED);
 *	}
 *
 *	ue_probe_register(ue_event_find("request_done", NULL), count, &requests);
 *	...
 *	ue_probe_unregister(ue_event_find("request_done", NULL), count, &requests);
 *
 * Probes need no tracer, no permission and no kernel with user_events. An event without a probe
 * costs the same as without this header.
 *
 * Contents:
 *
 *	interface	Probes
 *	implementation	Running probes, Lists, The hook, Registration
 *
 * Names that begin with ue__ or UE__ are private.
 */
#ifndef UE_USER_EVENTS_PROBE_H
#define UE_USER_EVENTS_PROBE_H
#ifndef UE__I_NO_SYSTEM_HEADER
#pragma GCC system_header
#endif

#include "user_events.h"
#if !defined(UE__I_DECLARED_ONLY) && !defined(UE_DISABLE)
#include <sys/mman.h>
#endif

UE__I_HEADER_BEGIN

/* Probe function. ue_probe_register() describes the arguments. */
typedef void (*ue_probe_fn)(struct ue_event *event, const void *payload, size_t size, void *data);

/*
 * Probes
 * ======
 *
 * Registers a probe. Whenever EVENT is written, FUNCTION is called in the writing thread. Its
 * arguments are the event, the payload, the payload's SIZE in bytes, and DATA. The payload has the
 * same format as for the kernel (as in ue_event_write(), or the EventHeader format). EVENT is one
 * of
 *
 *	&event		one event registered at run time
 *	&set.event	all events of a set
 *	ue_event_find()	one event declared by UE_TRACE or UE_TRACEPOINT
 *	NULL		all events of this program or library, including later ones
 *
 * Probes do not depend on the kernel. They also receive events that no tracer has enabled, and
 * events that the kernel rejected. An event is first written to the kernel. Then the probes
 * registered for this event are called, and finally the probes registered for all events. Each
 * group is called in the order of registration.
 *
 * A probe may write events. These events are passed to the kernel but not to probes, so probes do
 * not recurse. The same applies to events written by a signal handler that interrupts a probe.
 * ue_status().unprobed counts these events. A probe must return: it must not call longjmp(), throw
 * an exception, or end its thread.
 *
 * Unregistering a run-time event removes its probes.
 *
 * Returns 0, -EINVAL if FUNCTION is NULL, -ENOENT if EVENT is not registered, -EEXIST if the same
 * EVENT, FUNCTION and DATA are already registered, -ENOMEM, or -ENOSYS with UE_DISABLE.
 * Thread-safe, and can be called in a probe; not async-signal-safe.
 *
 * Writing an event with probes takes no lock. A payload in several segments is first copied into
 * one buffer, which is on the stack for up to 4096 bytes and mapped otherwise. Writing the event is
 * async-signal-safe if the probe is.
 */
UE__I_API int ue_probe_register(struct ue_event *event, ue_probe_fn function, void *data);

/*
 * Unregisters a probe. Sleeps until no thread is running FUNCTION with DATA, so both can be freed
 * afterwards. In a child of fork(), it sleeps for at most one second, because the counts may
 * include threads that exist only in the parent.
 *
 * Returns 0, -ENOENT if the probe is not registered, or -EDEADLK if a probe calls this function,
 * because the probe would wait for itself. Thread-safe; not async-signal-safe.
 */
UE__I_API int ue_probe_unregister(struct ue_event *event, ue_probe_fn function, void *data);

/*
 * Implementation
 * ==============
 *
 * Threads that write events walk the lists of probes without a lock. To remove a probe, a thread
 * unlinks it, waits until all threads that are running probes have finished, and frees it.
 */
#if !defined(UE__I_DECLARED_ONLY) && !defined(UE_DISABLE)

struct ue__probe {
	struct ue__probe *next;
	struct ue__probe *retired; /* next probe in a list of probes to free */
	struct ue_event *event;	   /* event, or NULL for all events */
	void (*function)(void);	   /* ue_probe_fn if TYPED is false */
	void *data;
	bool typed; /* true if called with the arguments of a TRACE_EVENT (include/kernel) */
	int prio;   /* priority; probes with a higher priority are called first */
};

enum { UE__PROBE_LISTS = 64 };

struct ue__probe_lists {
	struct ue__i_hook hook;
	struct ue__probe *of[UE__PROBE_LISTS]; /* probes of single events, hashed by address */
	struct ue__probe *of_all;
	struct ue__probe *retired; /* probes to free when the next probe is removed */
	uint32_t running[2];	   /* number of threads running probes, by phase */
	uint32_t phase;		   /* index in running[] of the counter for threads that start */
	uint32_t pid;		   /* process ID at the first registration */
	uint32_t waiting;	   /* lock that allows one thread at a time to wait */
};

UE__I_DEFINE_ONE(struct ue__probe_lists, ue__probe_lists_v1)

/* 1 while this thread is running probes. */
UE__I_DEFINE_ONE(UE__I_TLS uint32_t, ue__in_probe_v1)

/*
 * Running probes
 * --------------
 *
 * A thread that runs probes is counted in the phase that was current when it started. A thread that
 * removes a probe waits until each of the two counters has been zero once. Before it waits for a
 * counter, it switches the phase, so that new threads use the other counter.
 */

/*
 * Counts this thread as running probes, and stores the phase in *PHASE for ue__leave(). Returns
 * false if this thread is already running probes.
 */
UE__I_FN bool ue__enter(uint32_t *phase)
{
	if (UE__I_LOAD(&ue__in_probe_v1))
		return false;
	UE__I_STORE(&ue__in_probe_v1, 1u);
	*phase = UE__I_LOAD(&ue__probe_lists_v1.phase);
	__atomic_fetch_add(&ue__probe_lists_v1.running[*phase], 1, __ATOMIC_SEQ_CST);
	return true;
}

UE__I_FN void ue__leave(uint32_t phase)
{
	__atomic_fetch_sub(&ue__probe_lists_v1.running[phase], 1, __ATOMIC_RELEASE);
	UE__I_STORE(&ue__in_probe_v1, 0u);
}

UE__I_FN uint32_t ue__pid(void)
{
	return (uint32_t)ue__i_syscall3(SYS_getpid, 0, 0, 0);
}

/*
 * Takes a lock that may be held for a long time. If the parent held the lock at fork(), the child
 * takes it over.
 */
UE__I_FN void ue__take(uint32_t *lock)
{
	uint32_t pid = ue__pid(), owner = 0;

	while (!__atomic_compare_exchange_n(lock, &owner, pid, false, __ATOMIC_ACQUIRE,
					    __ATOMIC_RELAXED)) {
		if (owner == pid) {
			ue__i_sleep(1000000);
			owner = 0;
		}
	}
}

UE__I_FN void ue__give(uint32_t *lock)
{
	__atomic_store_n(lock, 0, __ATOMIC_RELEASE);
}

/*
 * Waits until all threads that are running probes have finished. In a child of fork(), threads of
 * the parent may stay counted forever, so each of the two waits then ends after 500 ms.
 */
UE__I_FN __attribute__((__cold__)) void ue__wait_for_probes(void)
{
	struct ue__probe_lists *p = &ue__probe_lists_v1;
	uint32_t max_ms = UE__I_LOAD(&p->pid) == ue__pid() ? UINT32_MAX : 500, ms, i, phase;

	ue__take(&p->waiting);
	for (i = 0; i < 2; i++) {
		phase = UE__I_LOAD(&p->phase);
		__atomic_store_n(&p->phase, !phase, __ATOMIC_SEQ_CST);
		for (ms = 0; ms < max_ms; ms++) {
			if (!__atomic_load_n(&p->running[phase], __ATOMIC_SEQ_CST))
				break;
			ue__i_sleep(1000000);
		}
	}
	ue__give(&p->waiting);
}

/*
 * Lists
 * -----
 *
 * Lists are sorted by priority, highest first. They are changed only while ue__i_lock() is held.
 */
UE__I_FN struct ue__probe **ue__probes_of(const struct ue_event *event)
{
	struct ue__probe_lists *p = &ue__probe_lists_v1;

	return event ? &p->of[(uintptr_t)event / sizeof(*event) % UE__PROBE_LISTS] : &p->of_all;
}

/*
 * Returns the first probe of EVENT in the list that starts at P. TYPED selects typed or untyped
 * probes.
 */
UE__I_FN struct ue__probe *ue__find_probe(struct ue__probe *p, const struct ue_event *event,
					  bool typed)
{
	while (p && (p->event != event || p->typed != typed))
		p = __atomic_load_n(&p->next, __ATOMIC_SEQ_CST);
	return p;
}

/*
 * Returns the first probe of EVENT, or of all events if EVENT is NULL. ue__next_probe() returns the
 * following ones.
 */
UE__I_FN struct ue__probe *ue__first_probe(const struct ue_event *event, bool typed)
{
	struct ue__probe *p = __atomic_load_n(ue__probes_of(event), __ATOMIC_SEQ_CST);

	return ue__find_probe(p, event, typed);
}

UE__I_FN struct ue__probe *ue__next_probe(struct ue__probe *p)
{
	return ue__find_probe(__atomic_load_n(&p->next, __ATOMIC_SEQ_CST), p->event, p->typed);
}

/*
 * Frees an unlinked probe without waiting. If any thread is running probes, the probe is freed when
 * the next probe is removed.
 */
UE__I_FN void ue__free_later(struct ue__probe *p)
{
	struct ue__probe_lists *all = &ue__probe_lists_v1;

	if (!__atomic_load_n(&all->running[0], __ATOMIC_SEQ_CST) &&
	    !__atomic_load_n(&all->running[1], __ATOMIC_SEQ_CST)) {
		free(p);
		return;
	}
	p->retired = all->retired;
	all->retired = p;
}

/*
 * The hook
 * --------
 *
 * user_events.h calls ue__has_probes() to determine whether an event has probes. If so, it calls
 * ue__run_probes() each time the event is written.
 */

UE__I_FN bool ue__has_probes(struct ue__i_hook *hook, const struct ue_event *event)
{
	struct ue__probe *p = *ue__probes_of(event);

	(void)hook;
	while (p && p->event != event)
		p = p->next;
	return p || ue__probe_lists_v1.of_all;
}

/* Removes the probes of an event that has been unregistered. */
UE__I_FN void ue__remove_probes_of(struct ue__i_hook *hook, const struct ue_event *event)
{
	struct ue__probe **link = ue__probes_of(event), *p;

	(void)hook;
	while ((p = *link) != NULL) {
		if (p->event != event) {
			link = &p->next;
			continue;
		}
		__atomic_store_n(link, p->next, __ATOMIC_SEQ_CST);
		ue__free_later(p);
	}
}

UE__I_FN void ue__run_lists(struct ue_event *event, const void *payload, size_t size)
{
	struct ue__probe *p;

	for (p = ue__first_probe(event, false); p; p = ue__next_probe(p))
		((ue_probe_fn)p->function)(event, payload, size, p->data);
	for (p = ue__first_probe(NULL, false); p; p = ue__next_probe(p))
		((ue_probe_fn)p->function)(event, payload, size, p->data);
}

/* Maps SIZE bytes. Returns NULL on failure. Preserves errno. */
UE__I_FN __attribute__((__cold__)) void *ue__map(size_t size)
{
	int saved = errno;
	void *p =
		mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | UE__I_MAP_ANONYMOUS, -1, 0);

	errno = saved;
	return p == MAP_FAILED ? NULL : p;
}

/*
 * Copies the segments of an event into one buffer, in which the payload is aligned to 8 bytes. Then
 * runs the probes.
 */
UE__I_FN __attribute__((__cold__)) void
ue__run_joined(struct ue_event *event, const struct ue__i_iovec *iov, int count, size_t size)
{
	unsigned char stack[4096 + 8] __attribute__((__aligned__(8))), *bytes = stack, *p;
	int i;

	if (size > sizeof(stack) - 4)
		bytes = (unsigned char *)ue__map(size + 4);
	if (!bytes) {
		UE__I_COUNT_EVENT(unprobed);
		return;
	}
	for (i = 0, p = bytes + 4; i < count; p += iov[i++].iov_len)
		if (iov[i].iov_len)
			memcpy(p, iov[i].iov_base, iov[i].iov_len);
	ue__run_lists(event, bytes + 8, size - 4);
	if (bytes != stack)
		munmap(bytes, size + 4);
}

UE__I_FN void ue__run_probes(struct ue__i_hook *hook, struct ue_event *event,
			     const struct ue__i_iovec *iov, int count, size_t size)
{
	uint32_t phase;
	int saved = errno;

	(void)hook;
	/* the event may be enabled only for another hook */
	if (!UE__I_LOAD(ue__probes_of(event)) && !UE__I_LOAD(&ue__probe_lists_v1.of_all))
		return;
	if (!ue__enter(&phase)) {
		UE__I_COUNT_EVENT(unprobed);
		return;
	}
	if (count == 1)
		ue__run_lists(event, (const char *)iov->iov_base + 4, size - 4);
	else if (count == 2 && iov->iov_len == 4)
		ue__run_lists(event, iov[1].iov_base, size - 4);
	else
		ue__run_joined(event, iov, count, size);
	ue__leave(phase);
	errno = saved;
}

/*
 * Registration
 * ------------
 */

/* Returns the link to a probe, or the link at the end of the list. */
UE__I_FN struct ue__probe **ue__link_of(struct ue_event *event, void (*function)(void), void *data,
					bool typed)
{
	struct ue__probe **link = ue__probes_of(event), *p;

	for (; (p = *link) != NULL; link = &p->next)
		if (p->event == event && p->function == function && p->data == data &&
		    p->typed == typed)
			break;
	return link;
}

UE__I_FN __attribute__((__cold__)) int ue__add_probe(struct ue_event *event, void (*function)(void),
						     void *data, bool typed, int prio)
{
	struct ue__probe **link = ue__probes_of(event), *p;
	struct ue__i_hook *hook = &ue__probe_lists_v1.hook;
	int error = 0;

	if (!function)
		return -EINVAL;
	p = (struct ue__probe *)malloc(sizeof(*p));
	if (!p)
		return -ENOMEM;
	ue__i_lock();
	if (event && !event->desc)
		error = -ENOENT;
	else if (*ue__link_of(event, function, data, typed))
		error = -EEXIST;
	if (!error) {
		while (*link && (*link)->prio >= prio)
			link = &(*link)->next;
		p->next = *link;
		p->retired = NULL;
		p->event = event;
		p->function = function;
		p->data = data;
		p->typed = typed;
		p->prio = prio;
		__atomic_store_n(link, p, __ATOMIC_SEQ_CST);
		if (!hook->run) {
			UE__I_STORE(&ue__probe_lists_v1.pid, ue__pid());
			hook->wants = ue__has_probes;
			hook->gone = ue__remove_probes_of;
			hook->run = ue__run_probes;
		}
		ue__i_add_hook(hook);
	}
	ue__i_unlock();
	if (error)
		free(p);
	return error;
}

UE__I_FN __attribute__((__cold__)) int
ue__remove_probe(struct ue_event *event, void (*function)(void), void *data, bool typed)
{
	struct ue__probe **link, *p, *next;

	if (UE__I_LOAD(&ue__in_probe_v1))
		return -EDEADLK;
	ue__i_lock();
	link = ue__link_of(event, function, data, typed);
	p = *link;
	if (p) {
		__atomic_store_n(link, p->next, __ATOMIC_SEQ_CST);
		p->retired = ue__probe_lists_v1.retired;
		ue__probe_lists_v1.retired = NULL;
		ue__i_update_hooks();
	}
	ue__i_unlock();
	if (!p)
		return -ENOENT;
	ue__wait_for_probes();
	for (; p; p = next) {
		next = p->retired;
		free(p);
	}
	return 0;
}

UE__I_API int ue_probe_register(struct ue_event *event, ue_probe_fn function, void *data)
{
	return ue__add_probe(event, (void (*)(void))function, data, false, 0);
}

UE__I_API int ue_probe_unregister(struct ue_event *event, ue_probe_fn function, void *data)
{
	return ue__remove_probe(event, (void (*)(void))function, data, false);
}

#elif defined(UE_DISABLE)

UE__I_DISABLED(-ENOSYS,
	       int ue_probe_register(struct ue_event *event, ue_probe_fn function, void *data))
UE__I_DISABLED(-ENOENT,
	       int ue_probe_unregister(struct ue_event *event, ue_probe_fn function, void *data))

#endif
UE__I_HEADER_END
#endif /* UE_USER_EVENTS_PROBE_H */
