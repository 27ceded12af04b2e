/* SPDX-License-Identifier: MIT */
/*
 * For programs in which undefined behaviour is an instruction that does not exist: AddressSanitizer
 * reports the signal, with function and line, and keeps cmocka from taking it.
 */
#ifdef __cplusplus
extern "C" {
#endif

/* read by AddressSanitizer when the program starts; weak, since each file of a program has it */
__attribute__((weak, visibility("default"))) const char *__asan_default_options(void);
__attribute__((weak)) const char *__asan_default_options(void)
{
	return "handle_sigill=2"; /* 2: also if the program sets a handler */
}

#ifdef __cplusplus
}
#endif
