/* SPDX-License-Identifier: MIT */
/*
 * A plug-in host. After a delay, it opens each library named on the command line. Each library
 * writes two events immediately and a third one later. If a library's name is preceded by '-', the
 * host closes the library after two events.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

#include <user_events.h>

int main(int argc, char **argv)
{
	int i;

	UE_TRACE(host_begins, argc);
	usleep(300000);
	for (i = 1; i < argc; i++) {
		bool brief = argv[i][0] == '-';
		void *library = dlopen(argv[i] + brief, RTLD_NOW);
		void (*write_it)(uint32_t) =
			library ? (void (*)(uint32_t))dlsym(library, "plugin_write") : NULL;

		if (!write_it) {
			fprintf(stderr, "%s\n", dlerror());
			return 1;
		}
		write_it(1);
		write_it(2);
		if (brief) {
			dlclose(library);
			continue;
		}
		usleep(500000);
		write_it(3);
	}
	return 0;
}
