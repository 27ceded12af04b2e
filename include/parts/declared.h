/* SPDX-License-Identifier: MIT */
/*
 * What a file that only declares events needs
 */

/* @enabled */

#ifdef UE__DECLARED_ONLY
#define UE__KEEP_START ((void)0)
#define UE__KEEP_STOP ((void)0)
UE__API void ue__cold(void) __attribute__((__cold__));
UE__API bool ue__declare(struct ue_event *event, const struct ue__desc *desc, bool automatic);
#define UE__ENCODER(name, ...)                                                          \
	UE__API void name(struct ue_event *event, const struct ue__desc *d, uint64_t v0, \
			  uint64_t v1, uint64_t v2, uint64_t v3 __VA_ARGS__)
UE__ENCODER(ue__encode_kernel_any, );
UE__ENCODER(ue__encode_scalars, );
UE__ENCODER(ue__encode_text, );
UE__ENCODER(ue__encode_kernel_more, , ...);
UE__ENCODER(ue__encode_kernel_list, , ...);
UE__ENCODER(ue__encode_log_any, );
UE__ENCODER(ue__encode_log, );
UE__ENCODER(ue__encode_log_text, );
UE__ENCODER(ue__encode_log_more, , ...);
UE__ENCODER(ue__encode_log_list, , ...);
#undef UE__ENCODER
#endif

/*
 * clang takes __builtin_expect()'s word for it. A second call would keep values in more registers,
 * which the function would save in its hot path.
 */
#ifdef __clang__
#define UE__COLD_SITE UE__KEEP_START
#else
#define UE__COLD_SITE ue__cold()
#endif

#ifdef __cplusplus
/* Unregistered by the entry, not by a destructor: events of the program's own come before it. */
template <bool ue__Automatic> UE__SHORT void ue__until_exit()
{
	if (ue__Automatic)
		UE__KEEP_STOP;
}

template <class ue__Tag, bool ue__Automatic> struct UE__HIDDEN ue__site {
	static struct ue_event ue__event;
	static const bool declared;
	static void ue__use() { (void)&declared; }
};
template <class ue__Tag, bool ue__Automatic>
struct ue_event ue__site<ue__Tag, ue__Automatic>::ue__event = {
	0, 0, nullptr, nullptr, nullptr, UE__NEW_IN_DATA, 0, 0, 0, 0
};
template <class ue__Tag, bool ue__Automatic>
const bool ue__site<ue__Tag, ue__Automatic>::declared =
	(ue__until_exit<ue__Automatic>(),
	 ue__declare(&ue__site<ue__Tag, ue__Automatic>::ue__event, ue__Tag::ue__describe(),
		     ue__Automatic));
#endif

