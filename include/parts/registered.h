/* SPDX-License-Identifier: MIT */
/*
 * The events that are registered
 */

/* @enabled */

static UE__ALWAYS_INLINE bool ue__is_runtime(const struct ue_event *event)
{
	return event->desc && event->desc->variant == UE__DESC_TEXT;
}

/*
 * A run-time event. It is registered with an open file of its own, which is closed when it is
 * unregistered, since the kernel keeps an event for as long as a file is open that it was
 * registered with. Where descriptors are scarce, it shares the file of the declared events, and
 * stays.
 *
 * It has another bit of the enable word than declared events. So their path is as short as if there
 * were one file, and run-time events take ue__write_runtime(), whose end ue__synchronize() awaits.
 */
struct ue__runtime {
	struct ue__runtime *next; /* of the retired ones */
	int fd;			  /* plus one, or one of: */
	uint32_t index;
	int number;	      /* of FD, which was found closed */
	uint32_t unused;      /* the text stands behind both structs: no padding at the end */
	struct ue__desc desc; /* then the text */
};
enum { UE__NO_FILE = 0, UE__COMMON_FILE = -1, UE__CLOSED = -2 };

static UE__ALWAYS_INLINE struct ue__runtime *ue__runtime_of(const struct ue__desc *desc)
{
	return (struct ue__runtime *)((uintptr_t)desc - offsetof(struct ue__runtime, desc));
}

static UE__ALWAYS_INLINE uint8_t ue__bit_of(const struct ue_event *event)
{
	return ue__is_runtime(event) ? 2 : 0;
}

static UE__ALWAYS_INLINE size_t ue__declared_in_c(void)
{
	/* as integers: the linker made the bounds, they are of no one array */
	return ((uintptr_t)__stop_ue_events_v1 - (uintptr_t)__start_ue_events_v1) /
	       sizeof(struct ue_event);
}

/* The events that this program or library has: those declared in C, then the list. */
UE__SETUP struct ue_event *ue__next_event(struct ue_event *event)
{
	size_t n = ue__declared_in_c();

	if (event == NULL)
		return n ? __start_ue_events_v1 : ue__state_v1.list;
	if (event->listed)
		return event->next;
	return event + 1 < __start_ue_events_v1 + n ? event + 1 : ue__state_v1.list;
}

/* Says in EVENT's word who listens in this process. Under the lock. */
UE__SETUP void ue__update_our_bits(struct ue_event *event)
{
	struct ue__state *s = &ue__state_v1;
	uint32_t bits = 0;

	if (event->probes || s->probes)
		bits |= UE__PROBE_BIT;
	if (s->record)
		bits |= UE__RECORD_BIT;
	if (bits && !event->serial)
		UE__STORE(&event->serial, ++s->serial);
	if (bits && !event->index)
		UE__STORE(&event->index, UE__NO_INDEX);
	if (s->record)
		s->record(event, NULL, 0);
	if (~event->enabled & bits)
		__atomic_fetch_or(&event->enabled, bits, __ATOMIC_RELEASE);
	if (event->enabled & UE__OUR_BITS & ~bits)
		__atomic_fetch_and(&event->enabled, ~(UE__OUR_BITS & ~bits), __ATOMIC_RELAXED);
	if (!bits && event->index == UE__NO_INDEX)
		UE__STORE(&event->index, 0u);
}

UE__SETUP void ue__list_add(struct ue_event *event)
{
	if (!event->listed) {
		event->listed = 1;
		event->next = ue__state_v1.list;
		ue__state_v1.list = event;
	}
	if (ue__state_v1.probes || ue__state_v1.record)
		ue__update_our_bits(event);
}

UE__SETUP void ue__list_remove(struct ue_event *event)
{
	struct ue_event **link = &ue__state_v1.list;

	while (*link && *link != event)
		link = &(*link)->next;
	if (*link)
		*link = event->next;
	event->listed = 0;
	event->next = NULL;
}
