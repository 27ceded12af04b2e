/* SPDX-License-Identifier: MIT */
/* Describes the machine that uetrace runs on: host name, kernel and boot. */
#include "event/event.h"
#include "util/util.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>

/* Reads the first word of a file. */
static void read_word(const char *path, char *word, size_t size)
{
	char *s = read_text(path);

	snprintf(word, size, "%.*s", s ? (int)strcspn(s, " \n") : 0, s ? s : "");
	free(s);
}

struct machine *machine_here(void)
{
	static struct machine here;
	struct utsname names;

	if (here.release[0] || uname(&names) != 0)
		return &here;
	snprintf(here.host, sizeof(here.host), "%s", names.nodename);
	snprintf(here.release, sizeof(here.release), "%s", names.release);
	snprintf(here.arch, sizeof(here.arch), "%s", names.machine);
	read_word("/proc/sys/kernel/random/boot_id", here.boot, sizeof(here.boot));
	read_word("/etc/machine-id", here.id, sizeof(here.id));
	return &here;
}
