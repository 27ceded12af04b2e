/* SPDX-License-Identifier: MIT */
/*
 * A program or library that tests/compile/linkers links in many ways. It writes 300 events once,
 * each from its own site, and one event three times. It then checks that its data did not change.
 *
 *	PROGRAM [FIFO]	reads a byte from FIFO, then writes the events
 *
 * With -DLIBRARY, this file is compiled as a library, and with -DHOST as the program that either
 * links the library or opens it as the plug-in PROGRAM.so.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#ifndef HOST
#include <user_events.h>

#define WORDS 60000
#define HUNDRED(number) \
	TEN(number##0) TEN(number##1) TEN(number##2) TEN(number##3) TEN(number##4) \
	TEN(number##5) TEN(number##6) TEN(number##7) TEN(number##8) TEN(number##9)
#define TEN(number) \
	ONE(number##0) ONE(number##1) ONE(number##2) ONE(number##3) ONE(number##4) \
	ONE(number##5) ONE(number##6) ONE(number##7) ONE(number##8) ONE(number##9)
#define ONE(number) UE_TRACE(once_##number, UE_I32(n, status));

UE_TRACEPOINT(thrice, UE_I32(n));

static volatile int words[WORDS] = { [0 ... WORDS - 1] = 1 };

int write_events(int status);
int write_events(int status)
{
	HUNDRED(0)
	HUNDRED(1)
	HUNDRED(2)
	for (int i = 0; i < 3; i++)
		trace_thrice(i);
	for (int i = 0; i < WORDS; i++) {
		if (words[i] != 1) {
			printf("words[%d] is %d, was 1\n", i, words[i]);
			status = 1;
		}
	}
	return status;
}
#endif

#ifndef LIBRARY
typedef int (*function)(int status);

#ifdef HOST
int write_events(int status) __attribute__((__weak__));

/*
 * Returns the function of the linked library or, if no library is linked, of the plug-in
 * PROGRAM.so.
 */
static function find_events(const char *program)
{
	char path[4096];
	void *library;

	if (write_events)
		return write_events;
	snprintf(path, sizeof(path), "%s.so", program);
	library = dlopen(path, RTLD_NOW);
	return library ? (function)dlsym(library, "write_events") : NULL;
}
#else
static function find_events(const char *program)
{
	(void)program;
	return write_events;
}
#endif

int main(int argc, char **argv)
{
	function write_them = find_events(argv[0]);
	char byte;

	if (!write_them || (argc > 1 && read(open(argv[1], O_RDONLY), &byte, 1) != 1)) {
		printf("%s: no library, or nothing to read\n", argv[0]);
		return 1;
	}
	return write_them(0);
}
#endif
