/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The user_events.h authors */
/*
 * user_events_state.h - functions that run when a tracer attaches or detaches.
 *
 * A trace that starts in a running program lacks everything that happened before: open connections,
 * loaded modules, the configuration. With this header, the program writes that state when the trace
 * starts.
 *
 *	#include <user_events_state.h>
 *
 *	UE_TRACEPOINT(connection, UE_I32(fd), UE_STR(peer));
 *
 *	static void list_connections(struct ue_event *event, bool attached, void *data)
 *	{
 *		for (struct connection *c = connections; attached && c; c = c->next)
 *			trace_connection(c->fd, c->peer);
 *	}
 *
 *	ue_state_register(ue_event_find("connection", NULL), list_connections, NULL);
 *	for (;;) {
 *		poll(fds, count, 100);
 *		ue_state_poll();
 *		...
 *
 * Instead of calling ue_state_poll() itself, the program can start a thread that calls it every
 * 100 ms:
 *
 *	ue_state_start_thread(100);
 *
 * The kernel enables an event by writing to its enable word, without waking up a thread. The words
 * must therefore be checked regularly. An event costs the same as without this header.
 *
 * With glibc before 2.34, link with -pthread.
 *
 * Names that begin with ue__ or UE__ are private.
 */
#ifndef UE_USER_EVENTS_STATE_H
#define UE_USER_EVENTS_STATE_H
#ifndef UE__I_NO_SYSTEM_HEADER
#pragma GCC system_header
#endif

#include "user_events.h"
#if !defined(UE__I_DECLARED_ONLY) && !defined(UE_DISABLE)
#include <pthread.h>
#include <signal.h>
#endif

/*
 * Delay in milliseconds between the poll that finds a new tracer and the call of the function. perf
 * enables an event while it opens one buffer per CPU, but starts to record only when all buffers
 * are open. perf loses events that are written in between. A program may define another delay
 * before the include, for example for machines with hundreds of CPUs. If the delay is 0, the poll
 * calls the function immediately.
 */
#ifndef UE_STATE_DELAY_MS
#define UE_STATE_DELAY_MS 500
#endif

UE__I_HEADER_BEGIN

/* Type of a state function. ue_state_register() describes when it is called. */
typedef void (*ue_state_fn)(struct ue_event *event, bool attached, void *data);

/*
 * State functions
 * ===============
 *
 * Registers a function for an event. EVENT is one of
 *
 *	ue_event_find()	an event declared by UE_TRACE or UE_TRACEPOINT
 *	&set.event	an event set
 *	&event		an event registered at run time
 *
 * A poll is a call of ue_state_poll(), either by the program or by the thread that
 * ue_state_start_thread() starts. If a poll finds that a tracer has enabled EVENT, the first poll
 * after UE_STATE_DELAY_MS calls FUNCTION with ATTACHED true. If a poll finds that EVENT is no
 * longer enabled by any tracer, it calls FUNCTION with ATTACHED false. This applies to user_events
 * tracers and USDT tracers, but not to probes, captures and recorders of this process. FUNCTION is
 * also called for a tracer that attached before FUNCTION was registered.
 *
 * While one tracer has EVENT enabled, FUNCTION is not called if a second tracer attaches or
 * detaches, because the kernel only reports whether there is any tracer. FUNCTION is also not
 * called if a tracer detaches before the delay has passed, or detaches and attaches again between
 * two polls.
 *
 * FUNCTION writes events as usual. Because a tracer enables events one at a time, FUNCTION should
 * write only EVENT or other events of the same set.
 *
 * Functions run in the thread that polls, one at a time, in the order of registration. They may
 * call every function of this library except ue_state_poll(), ue_state_start_thread() and
 * ue_state_stop_thread(). They may register and unregister functions, including themselves. They
 * must return normally: they must not call longjmp(), throw an exception or end the thread.
 *
 * Call ue_state_unregister() before the event is unregistered with ue_event_unregister(), and
 * before the library that contains FUNCTION is unloaded.
 *
 * After fork(), the child has the same functions and remembers which events had a tracer. It calls
 * a function only when a tracer attaches or detaches after the fork.
 *
 * Returns 0, -EINVAL if FUNCTION is NULL, -ENOENT if EVENT is NULL or not registered, -EEXIST if
 * the same EVENT, FUNCTION and DATA are already registered, -ENOMEM, or -ENOSYS with UE_DISABLE.
 * Thread-safe; not async-signal-safe. Waits while another thread runs a function.
 */
UE__I_API int ue_state_register(struct ue_event *event, ue_state_fn function, void *data);

/*
 * Unregisters a function. Waits while another thread runs a function. Afterwards, FUNCTION does not
 * run with DATA any more, and both may be freed. If a function unregisters itself, it is not called
 * again after it returns.
 *
 * Returns 0, or -ENOENT if the function is not registered. Thread-safe; not async-signal-safe.
 */
UE__I_API int ue_state_unregister(struct ue_event *event, ue_state_fn function, void *data);

/*
 * Checks all events that have functions, and calls a function if the first tracer of its event has
 * attached or the last tracer has detached. If nothing has changed, a poll makes no system call and
 * costs 19 instructions, plus 12 for each function.
 *
 * Returns the number of calls, -EBUSY if another thread is polling or registering, -EDEADLK within
 * a function, or -ENOENT with UE_DISABLE. Thread-safe; not async-signal-safe.
 */
UE__I_API int ue_state_poll(void);

/*
 * Starts a thread that polls every INTERVAL_MS milliseconds. The program or library has at most one
 * such thread. The thread is named "ue_state". It blocks all signals except fault signals (SIGSEGV,
 * SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS), so all other signals are handled in other threads.
 * Functions run in this thread, so they must lock data that other threads change.
 *
 * A child of fork() does not have this thread, but may start one. The thread is stopped when the
 * program calls exit() and when dlclose() unloads the library that started it. If a function is
 * running at that time, exit() or dlclose() waits for up to one second.
 *
 * Returns 0, -EINVAL if INTERVAL_MS is 0, -EALREADY if the thread is already running, -EAGAIN if
 * the system cannot create a thread, -ENOMEM, -EDEADLK within a function, or -ENOSYS with
 * UE_DISABLE. Thread-safe; not async-signal-safe.
 */
UE__I_API int ue_state_start_thread(unsigned int interval_ms);

/*
 * Stops the thread and waits until it has ended. If the thread is running a function, waits until
 * the function returns.
 *
 * Returns 0, -ENOENT if there is no thread, or -EDEADLK within a function. Thread-safe; not
 * async-signal-safe.
 */
UE__I_API int ue_state_stop_thread(void);

/*
 * Implementation
 * ==============
 *
 * The functions are in one list, protected by one lock. A poll holds the lock while it calls
 * functions. Functions therefore run one at a time, and a thread that unregisters a function waits
 * until no function is running.
 */
#if !defined(UE__I_DECLARED_ONLY) && !defined(UE_DISABLE)

struct ue__watcher {
	struct ue__watcher *next;
	struct ue_event *event;
	ue_state_fn function; /* NULL if the function was unregistered during a poll */
	void *data;
	bool attached;	     /* value of ATTACHED in the last call */
	bool waits;	     /* true during the delay after a tracer has attached */
	unsigned long since; /* time at which the delay began, in ticks of 10 ms */
};

struct ue__watch {
	struct ue__watcher *first;
	uint32_t lock;	     /* 1 while a thread holds the lock */
	uint32_t stop;	     /* futex; 1 if the thread must end */
	uint32_t has_thread; /* 1 from the start of the thread until its end */
	uint32_t prepared;   /* 1 if the handlers for fork() and exit() are registered */
	unsigned int interval_ms;
	pthread_t thread;
};
UE__I_DEFINE_ONE(struct ue__watch, ue__watch_v1)

/* 1 while this thread runs a function. The thread then also holds the lock. */
UE__I_DEFINE_ONE(UE__I_TLS uint32_t, ue__in_state_function_v1)

UE__I_FN bool ue__watch_try_lock(void)
{
	uint32_t unlocked = 0;

	return __atomic_compare_exchange_n(&ue__watch_v1.lock, &unlocked, 1u, false,
					   __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

UE__I_FN void ue__watch_unlock(void)
{
	__atomic_store_n(&ue__watch_v1.lock, 0u, __ATOMIC_RELEASE);
}

/* Takes the lock unless this thread holds it. Returns true if the caller must release the lock. */
UE__I_FN __attribute__((__cold__)) bool ue__watch_lock(void)
{
	if (UE__I_LOAD(&ue__in_state_function_v1))
		return false;
	while (!ue__watch_try_lock())
		ue__i_sleep(1000000);
	return true;
}

/* Stops the thread. The caller holds the lock, so the thread is not running a function. */
UE__I_FN __attribute__((__cold__)) void ue__watch_join(void)
{
	enum { WAKE_PRIVATE = 1 | 128 };
	struct ue__watch *w = &ue__watch_v1;

	__atomic_store_n(&w->stop, 1u, __ATOMIC_RELEASE);
	ue__i_syscall3(SYS_futex, (long)&w->stop, WAKE_PRIVATE, 1);
	pthread_join(w->thread, NULL);
	UE__I_STORE(&w->has_thread, 0u);
}

/*
 * Called in a child of fork(). Releases the lock if another thread of the parent held it, because
 * that thread does not exist in the child.
 */
UE__I_FN __attribute__((__cold__)) void ue__watch_in_child(void)
{
	struct ue__watch *w = &ue__watch_v1;

	UE__I_STORE(&w->has_thread, 0u);
	UE__I_STORE(&w->stop, 1u); /* ends the thread in the child if a function forks */
	if (!UE__I_LOAD(&ue__in_state_function_v1))
		ue__watch_unlock();
}

/*
 * Stops the thread at exit() and at dlclose() of this library. Waits for a running function for at
 * most one second, because the function may never return, for example if it needs a lock that the
 * exiting thread holds.
 */
UE__I_FN __attribute__((__cold__)) void ue__watch_at_exit(void)
{
	int ms;

	if (UE__I_LOAD(&ue__in_state_function_v1))
		return;
	for (ms = 0; ms < 1000 && UE__I_LOAD(&ue__watch_v1.has_thread); ms++) {
		if (ue__watch_try_lock()) {
			if (ue__watch_v1.has_thread)
				ue__watch_join();
			ue__watch_unlock();
		} else {
			ue__i_sleep(1000000);
		}
	}
}

/* Registers the handlers for fork() and exit() once. Returns 0 or -ENOMEM. */
UE__I_FN __attribute__((__cold__)) int ue__watch_prepare(void)
{
	if (ue__watch_v1.prepared)
		return 0;
	if (pthread_atfork(NULL, NULL, ue__watch_in_child) || atexit(ue__watch_at_exit))
		return -ENOMEM;
	ue__watch_v1.prepared = 1;
	return 0;
}

/* Returns the link to a registered function, or the end of the list. */
UE__I_FN __attribute__((__cold__)) struct ue__watcher **
ue__watch_link(struct ue_event *event, ue_state_fn function, void *data)
{
	struct ue__watcher **link = &ue__watch_v1.first, *p;

	for (; (p = *link) != NULL; link = &p->next)
		if (p->event == event && p->function == function && p->data == data)
			break;
	return link;
}

UE__I_API int ue_state_register(struct ue_event *event, ue_state_fn function, void *data)
{
	struct ue__watcher *p, **link;
	int error = 0;
	bool locked;

	if (!function)
		return -EINVAL;
	if (!event || !event->desc)
		return -ENOENT;
	p = (struct ue__watcher *)calloc(1, sizeof(*p));
	if (!p)
		return -ENOMEM;
	p->event = event;
	p->function = function;
	p->data = data;
	locked = ue__watch_lock();
	link = ue__watch_link(event, function, data);
	if (*link)
		error = -EEXIST;
	else
		error = ue__watch_prepare();
	if (!error)
		__atomic_store_n(link, p, __ATOMIC_RELEASE); /* fork() may copy the list */
	if (locked)
		ue__watch_unlock();
	if (error)
		free(p);
	return error;
}

UE__I_API int ue_state_unregister(struct ue_event *event, ue_state_fn function, void *data)
{
	bool locked = ue__watch_lock();
	struct ue__watcher **link = ue__watch_link(event, function, data), *p = *link;

	if (p && locked) {
		*link = p->next;
		free(p);
	} else if (p) {
		p->function = NULL; /* P is freed at the end of the current poll */
	}
	if (locked)
		ue__watch_unlock();
	return p ? 0 : -ENOENT;
}

/* Frees the functions that were unregistered during this poll. */
UE__I_FN __attribute__((__cold__)) void ue__watch_free_unregistered(void)
{
	struct ue__watcher **link = &ue__watch_v1.first, *p;

	while ((p = *link) != NULL) {
		if (p->function) {
			link = &p->next;
			continue;
		}
		*link = p->next;
		free(p);
	}
}

/* Returns true if it is time to call the function. Starts the delay for a new tracer. */
UE__I_FN __attribute__((__cold__)) bool ue__watch_is_due(struct ue__watcher *p, bool attached)
{
	unsigned long now;

	if (!attached)
		return true;
	now = (unsigned long)ue__i_syscall3(SYS_times, 0, 0, 0);
	if (!p->waits)
		p->since = now;
	p->waits = true;
	return now - p->since >= UE_STATE_DELAY_MS / 10;
}

UE__I_API int ue_state_poll(void)
{
	struct ue__watcher *p;
	bool attached;
	int calls = 0;

	if (UE__I_LOAD(&ue__in_state_function_v1))
		return -EDEADLK;
	if (!ue__watch_try_lock())
		return -EBUSY;
	for (p = ue__watch_v1.first; p; p = p->next) {
		attached = (UE__I_LOAD(&p->event->enabled) & ~UE__I_HOOK_BIT) != 0;
		if (attached == p->attached || !p->function) {
			p->waits = false;
			continue;
		}
		if (!ue__watch_is_due(p, attached))
			continue;
		p->waits = false;
		p->attached = attached;
		UE__I_STORE(&ue__in_state_function_v1, 1u);
		p->function(p->event, attached, p->data);
		UE__I_STORE(&ue__in_state_function_v1, 0u);
		calls++;
	}
	if (calls)
		ue__watch_free_unregistered();
	ue__watch_unlock();
	return calls;
}

UE__I_FN __attribute__((__cold__)) void *ue__watch_thread(void *unused)
{
	enum { SET_NAME = 15, WAIT_PRIVATE = 0 | 128 };
	struct ue__watch *w = &ue__watch_v1;
	long interval[2]; /* layout of struct timespec */

	(void)unused;
	interval[0] = (long)(w->interval_ms / 1000);
	interval[1] = (long)(w->interval_ms % 1000) * 1000000;
	ue__i_syscall3(SYS_prctl, SET_NAME, (long)"ue_state", 0);
	while (!__atomic_load_n(&w->stop, __ATOMIC_ACQUIRE)) {
		ue_state_poll();
		ue__i_libc_syscall(SYS_futex, &w->stop, WAIT_PRIVATE, 0, interval);
	}
	return NULL;
}

UE__I_API int ue_state_start_thread(unsigned int interval_ms)
{
	/*
	 * Signals that the thread does not block: fault signals and the signals 32 to 34. If a
	 * thread blocks a fault signal, the kernel kills the process instead of calling the
	 * handler. libc needs the signals 32 to 34 in each thread, for example for setuid().
	 */
	static const unsigned char open_signals[] = { SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV,
						      SIGSYS, 32,      33,     34 };
	enum { SET_MASK = 2, MASK_BYTES = 8, BITS = 8 * sizeof(long) };
	unsigned long signals[MASK_BYTES / sizeof(long)], saved[MASK_BYTES / sizeof(long)];
	unsigned int i;
	struct ue__watch *w = &ue__watch_v1;
	int error;

	if (!interval_ms)
		return -EINVAL;
	if (!ue__watch_lock())
		return -EDEADLK;
	error = w->has_thread ? -EALREADY : ue__watch_prepare();
	if (!error) {
		w->stop = 0;
		w->interval_ms = interval_ms;
		memset(signals, 0xff, sizeof(signals));
		for (i = 0; i < sizeof(open_signals); i++)
			signals[(open_signals[i] - 1u) / BITS] &=
				~(1ul << (open_signals[i] - 1u) % BITS);
		ue__i_libc_syscall(SYS_rt_sigprocmask, SET_MASK, signals, saved, MASK_BYTES);
		error = -pthread_create(&w->thread, NULL, ue__watch_thread, NULL);
		ue__i_libc_syscall(SYS_rt_sigprocmask, SET_MASK, saved, NULL, MASK_BYTES);
		UE__I_STORE(&w->has_thread, error ? 0u : 1u);
	}
	ue__watch_unlock();
	return error;
}

UE__I_API int ue_state_stop_thread(void)
{
	int error = 0;

	if (!ue__watch_lock())
		return -EDEADLK;
	if (ue__watch_v1.has_thread)
		ue__watch_join();
	else
		error = -ENOENT;
	ue__watch_unlock();
	return error;
}

#elif defined(UE_DISABLE)

UE__I_DISABLED(-ENOSYS,
	       int ue_state_register(struct ue_event *event, ue_state_fn function, void *data))
UE__I_DISABLED(-ENOENT,
	       int ue_state_unregister(struct ue_event *event, ue_state_fn function, void *data))
UE__I_DISABLED(-ENOENT, int ue_state_poll(void))
UE__I_DISABLED(-ENOSYS, int ue_state_start_thread(unsigned int interval_ms))
UE__I_DISABLED(-ENOENT, int ue_state_stop_thread(void))

#endif
UE__I_HEADER_END
#endif /* UE_USER_EVENTS_STATE_H */
