/* SPDX-License-Identifier: MIT */
/* register and delete: events by hand. */
#include "uetrace.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <user_events.h>

int cmd_register(char **specs, bool persist)
{
	struct ue_event *events;
	struct ue_status status;
	sigset_t set;
	size_t n = 0, i;
	int error, number;

	while (specs[n])
		n++;
	events = allocate(n * sizeof(*events));
	instance_find(true);
	for (i = 0; i < n; i++) {
		error = ue_event_register(&events[i], specs[i], persist ? UE_PERSIST : 0);
		if (!error)
			continue;
		status = ue_status();
		die("%s", status.message[0] ? status.message : ue_strerror(error));
	}
	if (persist)
		return EXIT_SUCCESS; /* the process's end unregisters what need not be freed */

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	for (i = 0; i < n; i++)
		printf("registered %.*s\n", (int)strcspn(specs[i], " "), specs[i]);
	fflush(stdout);
	sigwait(&set, &number);
	ue_unregister_all();
	free(events);
	return EXIT_SUCCESS;
}

int cmd_delete(char **names)
{
	int error;

	instance_find(true);
	instance_clean();
	for (; *names; names++) {
		error = ue_event_delete(*names);
		if (error == -ENOENT)
			die("there is no event %s", *names);
		if (error == -EBUSY)
			die("the event %s is in use; 'uetrace list %s' shows by whom", *names,
			    *names);
		if (error)
			die("cannot delete %s: %s", *names, ue_strerror(error));
	}
	return EXIT_SUCCESS;
}
