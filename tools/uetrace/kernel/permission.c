/* SPDX-License-Identifier: MIT */
/* Explains why tracefs denies access and how the user can fix it. */
#include "kernel/kernel.h"
#include "util/util.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool has_capability(unsigned int capability)
{
	char *status = read_text("/proc/self/status");
	const char *line = status ? strstr(status, "\nCapEff:") : NULL;
	unsigned long long set = line ? strtoull(line + strlen("\nCapEff:"), NULL, 16) : 0;

	free(status);
	return set >> capability & 1;
}

const char *permission_remedy(int error)
{
	if (error == -EROFS)
		return "tracefs is mounted read-only; as root: mount -o remount,rw "
		       "/sys/kernel/tracing; in a container: start it with --privileged";
	if (geteuid() != 0)
		return "run uetrace as root";
	if (!has_capability(CAP_SYS_ADMIN))
		return "root has no CAP_SYS_ADMIN here; run uetrace on the host, or start the "
		       "container with --privileged";
	return "run uetrace on the host, outside containers and user namespaces; if this is the "
	       "host, a security policy such as lockdown forbids tracing";
}
