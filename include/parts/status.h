/* SPDX-License-Identifier: MIT */
/*
 * Diagnostics
 */

/* @public */

/*
 * Diagnostics
 * ===========
 */
struct ue_status {
	int fd;			 /* of user_events_data, -1 if there is none */
	char path[128];		 /* where it was found, cut if longer; "" for ue_use_fd() */
	unsigned int declared;	 /* events and sets that this program or library declares */
	unsigned int registered; /* of those */
	unsigned int runtime;	 /* events registered at run time */
	unsigned int multi;	 /* of all, those that became multi-format */
	uint64_t cut;		 /* events recorded with a string or array cut */
	uint64_t failed;	 /* events that the kernel refused */
	uint64_t large;		 /* events over UE_MAX_EVENT that could not be cut */
	uint64_t unprobed;	 /* events no probe got: of probes, of what interrupts them */
	uint64_t lost;		 /* events written while the program had closed the fd */
	int error;		 /* -errno of the message, or 0 */
	/*
	 * In sentences, what failed and what to do: the last event or set that could not be
	 * registered at run time, else the first of those that are declared.
	 */
	char message[1280];
};

/* What was found, what failed, and what to do about it. Thread-safe. */
UE__API struct ue_status ue_status(void);

/* @enabled */

UE__SETUP_API struct ue_status ue_status(void)
{
	struct ue__state *s = &ue__state_v1;
	struct ue_status status;
	struct ue_event *event;
	struct ue__text t;

	memset(&status, 0, sizeof(status));
	ue__lock();
	if (s->fd || s->reopen_error)
		ue__fd(); /* the program may have closed it */
	status.fd = s->fd - 1;
	t = ue__text_in(status.path, sizeof(status.path));
	if (s->fd && s->path)
		ue__put(&t, s->path);
	for (event = ue__next_event(NULL); event; event = ue__next_event(event)) {
		unsigned int registered = event->state == UE__REGISTERED;

		if (ue__is_runtime(event)) {
			s->reopen_own(event);
			status.runtime += registered;
		} else if (event->desc && event->desc->variant != UE__DESC_PROBE) {
			status.declared++;
			status.registered += registered;
		}
		status.multi += event->multi;
	}
	status.cut = UE__LOAD(&s->cut);
	status.failed = UE__LOAD(&s->failed);
	status.large = UE__LOAD(&s->large);
	status.unprobed = UE__LOAD(&s->unprobed);
	status.lost = UE__LOAD(&s->lost);
	status.error = s->error;
	t = ue__text_in(status.message, sizeof(status.message));
	if (s->reopen_error) {
		status.error = -EBADF;
		ue__put(&t, "the program closed the fd of user_events_data, which cannot be opened "
			    "again: ");
		ue__put(&t, ue__explain(s->reopen_error, UE__OPENING));
	} else {
		ue__put(&t, s->error ? s->message : ue__explain(0, UE__ANY_CALL));
	}
	ue__unlock();
	return status;
}

/* @disabled */

UE__API struct ue_status ue_status(void)
{
	struct ue_status status;

	memset(&status, 0, sizeof(status));
	status.fd = -1;
	status.error = -ENOSYS;
	memcpy(status.message, "compiled out by UE_DISABLE", 27);
	return status;
}
