/* SPDX-License-Identifier: MIT */
/*
 * Does anybody listen?
 */

/* @enabled */

/*
 * Volatile, since an event's words are written by the kernel and through the linker's bounds:
 * clang finds no store to a static event and would take its initial zero for its value.
 */
#define UE__LOAD(p) __atomic_load_n((const volatile __typeof__(*(p)) *)(p), __ATOMIC_RELAXED)
#define UE__STORE(p, v) __atomic_store_n(p, v, __ATOMIC_RELAXED)
#define UE__INCREMENT(p) ((void)__atomic_fetch_add(p, 1, __ATOMIC_RELAXED))
#define UE__UNLIKELY(x) __builtin_expect(!!(x), 0)

UE__SHORT bool ue_event_enabled(const struct ue_event *event)
{
	return UE__UNLIKELY(UE__LOAD(&event->enabled));
}

UE__SHORT bool ue_event_set_enabled(const struct ue_event_set *set)
{
	return ue_event_enabled(&set->event);
}

/* For macros, which leave no name without a prefix to the program's own. */
UE__SHORT __attribute__((__always_inline__)) struct ue_event *ue__event_of(struct ue_event_set *set)
{
	return &set->event;
}

/* @disabled */

UE__SHORT bool ue_event_enabled(const struct ue_event *event)
{
	return false;
}

UE__SHORT bool ue_event_set_enabled(const struct ue_event_set *set)
{
	return false;
}
