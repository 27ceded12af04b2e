/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The user_events.h authors */
/*
 * <tracepoint/tracepoint.h> for programs written for LinuxTracepoints: functions that connect and
 * write tracepoints, on top of ue_event_register() and ue_event_writev().
 *
 * The functions return 0 or an errno. Opening a provider never fails. tracepoint_connect() returns
 * the kernel's error. tracepoint_write() is thread-safe and async-signal-safe, and preserves errno.
 * The other functions are thread-safe, but no thread may write a tracepoint that is being
 * disconnected.
 */
#ifndef UE_COMPAT_TRACEPOINT_H
#define UE_COMPAT_TRACEPOINT_H
#ifndef UE__I_NO_SYSTEM_HEADER
#pragma GCC system_header
#endif

#include "../ue_compat.h"
#include <pthread.h>

typedef struct tracepoint_list_node {
	struct tracepoint_list_node *next, *prev;
} tracepoint_list_node;

typedef struct tracepoint_provider_state {
	int data_file; /* -1: closed */
	unsigned int ref_count;
	tracepoint_list_node tracepoint_list_head; /* list of the connected tracepoints */
} tracepoint_provider_state;

typedef struct tracepoint_state {
	union {
		unsigned int status_word; /* enable word */
		struct ue_event ue__tracepoint;
	};
	int write_index; /* 0 if the tracepoint was registered, otherwise -1 */
	tracepoint_provider_state const *provider_state;
	tracepoint_list_node tracepoint_list_link;
} tracepoint_state;

typedef struct tracepoint_definition {
	tracepoint_state *state;
	char const *tp_name_args;
} tracepoint_definition;

/* clang-format off */
#define TRACEPOINT_PROVIDER_STATE_INIT { -1, 0, { UE__I_NULL, UE__I_NULL } }
#define TRACEPOINT_STATE_INIT { { 0 }, -1, UE__I_NULL, { UE__I_NULL, UE__I_NULL } }
/* clang-format on */
#define TRACEPOINT_ENABLED(tp_state) __atomic_load_n(&(tp_state)->status_word, __ATOMIC_RELAXED)

UE__I_HEADER_BEGIN

/* Lock for changes of the tracepoint lists of all providers. */
extern pthread_mutex_t ue__tracepoint_lock __attribute__((__weak__, __visibility__("hidden")));
pthread_mutex_t ue__tracepoint_lock = PTHREAD_MUTEX_INITIALIZER;

/* Removes a tracepoint from its provider's list, and resets it. */
UE__I_FN __attribute__((__noinline__, __cold__))
void ue__tracepoint_disconnect(tracepoint_state *tp)
{
	static const tracepoint_state disconnected = TRACEPOINT_STATE_INIT;

	if (!tp->provider_state)
		return;
	ue_event_unregister(&tp->ue__tracepoint);
	tp->tracepoint_list_link.prev->next = tp->tracepoint_list_link.next;
	if (tp->tracepoint_list_link.next)
		tp->tracepoint_list_link.next->prev = tp->tracepoint_list_link.prev;
	memcpy(tp, &disconnected, sizeof(*tp));
}

/* Disconnects all tracepoints of PROVIDER. Then closes PROVIDER if DATA_FILE is -1, or opens it. */
UE__I_FN __attribute__((__noinline__, __cold__))
void ue__tracepoint_reset(tracepoint_provider_state *provider, int data_file)
{
	tracepoint_list_node *node;
	char *tp;

	pthread_mutex_lock(&ue__tracepoint_lock);
	while ((node = provider->tracepoint_list_head.next) != UE__I_NULL) {
		tp = (char *)node - offsetof(tracepoint_state, tracepoint_list_link);
		ue__tracepoint_disconnect((tracepoint_state *)(void *)tp);
	}
	provider->data_file = data_file;
	pthread_mutex_unlock(&ue__tracepoint_lock);
}

UE__I_FN int tracepoint_open_provider(tracepoint_provider_state *provider)
{
	ue__tracepoint_reset(provider, 0);
	return 0;
}

UE__I_FN void tracepoint_close_provider(tracepoint_provider_state *provider)
{
	ue__tracepoint_reset(provider, -1);
}

/*
 * Connects a tracepoint to PROVIDER, or to none if PROVIDER is NULL. SPEC is passed to
 * ue_event_register(), which is called if PROVIDER is open.
 */
UE__I_FN __attribute__((__noinline__, __cold__))
int tracepoint_connect(tracepoint_state *tp, tracepoint_provider_state *provider,
				char const *spec)
{
	tracepoint_list_node *link = &tp->tracepoint_list_link;
	int error = 0;

	pthread_mutex_lock(&ue__tracepoint_lock);
	ue__tracepoint_disconnect(tp);
	if (provider) {
		link->prev = &provider->tracepoint_list_head;
		link->next = provider->tracepoint_list_head.next;
		if (link->next)
			link->next->prev = link;
		provider->tracepoint_list_head.next = link;
		tp->provider_state = provider;
		if (provider->data_file != -1)
			error = ue_event_register(&tp->ue__tracepoint, spec, 0);
		if (provider->data_file != -1 && !error)
			tp->write_index = 0;
	}
	pthread_mutex_unlock(&ue__tracepoint_lock);
	return -error;
}

/*
 * Opens PROVIDER, and connects the tracepoints from START to STOP. Ignores errors and skips NULLs.
 */
UE__I_FN int tracepoint_open_provider_with_tracepoints(tracepoint_provider_state *provider,
						     tracepoint_definition const **start,
						     tracepoint_definition const **stop)
{
	tracepoint_open_provider(provider);
	for (; start < stop; start++)
		if (*start)
			tracepoint_connect((*start)->state, provider, (*start)->tp_name_args);
	return 0;
}

/* Writes the pieces after the first one, which is reserved for the library. */
UE__I_FN int tracepoint_write(tracepoint_state const *tp, unsigned int count, struct iovec *pieces)
{
	struct ue_event *event = (struct ue_event *)(uintptr_t)&tp->ue__tracepoint;

	if (!TRACEPOINT_ENABLED(tp) || !tp->provider_state)
		return 0;
	return count < 2 ? -ue_event_write(event, "", 1)
			 : -ue_event_writev(event, pieces + 1, UE__I_CAST(int, count) - 1);
}
UE__I_HEADER_END

#endif
