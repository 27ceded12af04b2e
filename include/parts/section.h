/* SPDX-License-Identifier: MIT */
/*
 * What a declaration leaves for the linker and the loader
 */

/* @enabled */

/*
 * In C an event is in a section of its own, over which ue__start() walks. It is called by the
 * entry below, which is in the file only if something refers to it, as each
 * event does: a file that includes this header and declares no event gets no code.
 * In C++, where GCC ignores sections in templates, each event is declared by an initialiser. With
 * clang those of UE_TRACE are in the section, too, but for libraries.
 */
#if defined(UE_NO_AUTO_REGISTER)
#define UE__KEEP_START ((void)0)
#define UE__KEEP_STOP ((void)0)
#else
#if defined(__clang__)
#define UE__NO_ASAN __attribute__((__no_sanitize__("address")))
#else
#define UE__NO_ASAN
#endif
#ifdef UE_SHARED /* other files have the events */
#define UE__KEPT __attribute__((__used__))
#else
#define UE__KEPT UE__UNUSED
#endif
/*
 * An entry in the loader's list that calls NAME, which is in the file if NAME_keep() is. GCC keeps
 * each variable of a file at -O0, but not those of functions that nobody calls.
 */
#ifdef UE__LAZY_COPY
#define UE__ENTRY_OF(list, name)                                              \
	static UE__ALWAYS_INLINE UE__UNUSED void name##_keep(void)            \
	{                                                                     \
		static void (*entry)(void) __attribute__((__section__(list))) \
		UE__KEPT UE__NO_ASAN = name;                                  \
		__asm__ volatile("" : : "X"(&entry), "X"(name##_copy));       \
	}
#define UE__KEEP_ENTRY(name) name##_keep()
#else
#define UE__ENTRY_OF(list, name)                                             \
	static void (*name##_entry)(void) __attribute__((__section__(list))) \
	UE__KEPT UE__NO_ASAN = name;
#define UE__KEEP_ENTRY(name) __asm__ volatile("" : : "X"(&name##_entry))
#endif
UE__ENTRY_OF(".fini_array.00101", ue__stop)
#define UE__KEEP_STOP UE__KEEP_ENTRY(ue__stop)
#if defined(__cplusplus) && !defined(__clang__) && !defined(UE_SHARED)
#define UE__KEEP_START ((void)0)
#else
/* Before main(), for events in the section: a walk over it, once. */
UE__SETUP void ue__start(void)
{
	UE__KEEP_STOP;
	ue__lock();
	if (!ue__state_v1.tried)
		ue__register_all();
	ue__unlock();
}

UE__ENTRY_OF(".init_array.00101", ue__start)
#define UE__KEEP_START UE__KEEP_ENTRY(ue__start)
#endif
#endif

UE__FN void ue__keep_entries(void)
{
	UE__KEEP_START;
	UE__KEEP_STOP;
}

/* Called first by a site: compilers move the code that leads to a cold function out of the way. */
UE__API UE__NOINLINE __attribute__((__cold__)) void ue__cold(void)
{
	UE__KEEP_START;
}
