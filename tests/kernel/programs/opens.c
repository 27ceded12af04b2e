/* SPDX-License-Identifier: MIT */
/*
 * A plug-in host. After some time, it opens each given library, which writes two events immediately
 * and a third one later. If the name of a library starts with '-', the host closes it after two
 * events.
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
