/* SPDX-License-Identifier: MIT */
/*
 * What a declaration leaves for the linker and the loader
 */

@enabled

/*
 * What a declaration leaves for the linker and the loader.
 *
 * In C an event is in a section of its own, over which ue__start() walks. It is called by the
 * constructor's entry below, which is in the file only if something refers to it, as each
 * event does: a file that includes this header and declares no event gets no code.
 * In C++, where GCC ignores sections in templates, each event is declared by an initialiser.
 */
#ifdef UE_NO_AUTO_REGISTER
#define UE__KEEP_START ((void)0)
#define UE__KEEP_STOP ((void)0)
#else
#if defined(__clang__)
#define UE__NO_REDZONE __attribute__((__no_sanitize__("address")))
#else
#define UE__NO_REDZONE
#endif
static void (*ue__stop_entry)(void)
	__attribute__((__section__(".fini_array.00101"), __unused__)) UE__NO_REDZONE = ue__stop;
#define UE__KEEP_STOP __asm__ volatile("" : : "r"(&ue__stop_entry))
#ifdef __cplusplus
#define UE__KEEP_START ((void)0)
#else
UE__COLD void ue__constructor(void)
{
	UE__KEEP_STOP;
	ue__start();
}
static void (*ue__start_entry)(void)
	__attribute__((__section__(".init_array.00101"), __unused__)) UE__NO_REDZONE =
		ue__constructor;
#define UE__KEEP_START __asm__ volatile("" : : "r"(&ue__start_entry))
#endif
#endif

#ifdef __cplusplus
/* Unregistered by the entry, not by a destructor: events of the program's own come before it. */
template <bool Automatic> static inline void ue__until_exit()
{
	if (Automatic)
		UE__KEEP_STOP;
}

template <class Tag, bool Automatic> struct UE__HIDDEN ue__site {
	static struct ue_event ue__event;
	static const bool declared;
	static void ue__use() { (void)&declared; }
};
template <class Tag, bool Automatic> struct ue_event ue__site<Tag, Automatic>::ue__event = {
	0, 0, nullptr, nullptr, nullptr, UE__NEW_IN_DATA, 0, 0, 0, 0
};
template <class Tag, bool Automatic>
const bool ue__site<Tag, Automatic>::declared =
	(ue__until_exit<Automatic>(),
	 ue__declare(&ue__site<Tag, Automatic>::ue__event, Tag::ue__describe(), Automatic));
#endif

UE__FN void ue__keep(void)
{
	UE__KEEP_START;
	UE__KEEP_STOP;
}

/* What a site calls first: compilers put what leads to it out of the way of the program. */
UE__COLD void ue__cold(void)
{
	UE__KEEP_START;
}
