/* SPDX-License-Identifier: MIT */
/*
 * For programs in which undefined behaviour executes an invalid instruction. Makes AddressSanitizer
 * report the signal with function and line, and prevents cmocka from catching the signal.
 */
#ifdef __cplusplus
extern "C" {
#endif

/*
 * AddressSanitizer calls this function at startup. It is weak, because each file of a program may
 * define it.
 */
__attribute__((weak, visibility("default"))) const char *__asan_default_options(void);
__attribute__((weak)) const char *__asan_default_options(void)
{
	return "handle_sigill=2"; /* applies even if the program installs a handler */
}

#ifdef __cplusplus
}
#endif
