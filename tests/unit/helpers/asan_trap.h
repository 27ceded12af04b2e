/* SPDX-License-Identifier: MIT */
/*
 * For programs in which undefined behaviour executes an invalid instruction: lets AddressSanitizer
 * report the signal, with function and line, and keeps cmocka from catching it.
 */
#ifdef __cplusplus
extern "C" {
#endif

/* AddressSanitizer calls this at program start; weak, because every file of a program defines it */
__attribute__((weak, visibility("default"))) const char *__asan_default_options(void);
__attribute__((weak)) const char *__asan_default_options(void)
{
	return "handle_sigill=2"; /* 2: even if the program installs a handler */
}

#ifdef __cplusplus
}
#endif
