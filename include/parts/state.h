/* SPDX-License-Identifier: MIT */
/*
 * State of a program or library
 */

/* @private */

/* A probe as the user wrote it; ANY is what they are compared by. */
union ue__function {
	void (*any)(void);
	ue_probe_fn payload;
};

struct ue__probe {
	struct ue__probe *next;
	union ue__function function;
	void *data;
	int typed; /* called with arguments, not with the payload */
	int prio;  /* higher ones are called first */
};

/* What an open file is. */
struct ue__identity {
	uint64_t inode;
	uint32_t devices[4];
};

/* A thread that reads what others may free: ue__enter(). */
struct ue__reader {
	uintptr_t thread;
	uint32_t turn; /* counts sections */
};
enum { UE__READERS = 512, UE__SLOTS = 8 };

/* As struct iovec, which two headers of a system define, and a program may include either. */
struct ue__iovec {
	void *iov_base;
	size_t iov_len;
} __attribute__((__may_alias__));

/*
 * One of these a program or library: the linker merges the copies, and hides them from
 * other libraries with copies of this header, which may be of other versions.
 */
struct ue__state {
	int fd;	     /* plus one; 0 is none, so that the struct needs no data */
	int lock;    /* pid of its holder's process, UE__WAITERS */
	int tried;   /* automatic registration was attempted; do not retry */
	int blocked; /* the lock's holder blocked signals; these were blocked before */
	uint64_t signals[2];
	const char *path; /* where FD came from; NULL if it was given, and where memory was short */
	struct ue_event *list;
	size_t cut, failed, large,
		unprobed; /* words: 32 bits may count no more without libatomic */
	struct ue__process *process;
	struct ue__probe *probes; /* of all events */
	/* calls them; set by what registers probes, which a program without them does not have */
	void (*run)(struct ue_event *event, const struct ue__iovec *iov, int count);
	/* what run-time events need, set by the first one: programs without them do not have it */
	long (*write_own)(struct ue_event *event, const struct ue__iovec *iov, int count);
	int (*register_own)(int common, struct ue_event *event, const char *spec,
			    unsigned int flags);
	void (*reopen_own)(struct ue_event *event);
	struct ue__probe *(*reset_own)(struct ue_event *event);
	void (*free_retired)(struct ue__probe *probes);
	/*
	 * user_events_capture.h's recorder. BYTES are index and payload, or -SIZE segments of them;
	 * NULL when the event is registered, under the lock.
	 */
	void (*record)(struct ue_event *event, const void *bytes, size_t size);
	void *recording;
	/* RECORD is one of these or calls both: the recorder's function, and a capture's state */
	void (*recorder)(struct ue_event *event, const void *bytes, size_t size);
	void *capturing;
	struct ue__recording *recordings;
	struct ue__cells *cells;
	struct ue__runtime *retired; /* of run-time events that are no more */
	int released; /* since then the kernel may be about to remove an event of ours */
	struct ue__reader readers[UE__READERS];
	uint32_t overflow; /* readers without a slot */
	uint32_t serial;
	int error;		      /* of MESSAGE */
	struct ue__identity identity; /* of user_events_data, if IDENTIFIED */
	int identified;
	int pid;	/* of the process that opened it */
	uint32_t spare; /* an enable word of no event */
	int spare_registered;
	int reopen_error;  /* why the fd, which the program closed, was not opened again */
	int next_fd;	   /* a number for the next fd, above the last one's */
	int parked;	   /* plus one: a number that a pipe occupies for the next fd */
	int search_mounts; /* look for tracefs everywhere */
	struct ue__identity parking;
	size_t lost, misses; /* events; attempts to find user_events_data again */
	char *mounted;	     /* where it is, if not at a usual place */
	char message[1280];
};

/* @enabled */

#ifdef __cplusplus
extern "C" {
#endif
extern struct ue__state ue__state_v1 UE__HIDDEN;
/* The linker's bounds of the section; absent when nothing in C declares an event. */
extern struct ue_event __start_ue_events_v1[] __attribute__((__weak__)) UE__HIDDEN;
extern struct ue_event __stop_ue_events_v1[] __attribute__((__weak__)) UE__HIDDEN;
#ifdef __cplusplus
struct ue__state ue__state_v1
	__attribute__((__weak__, __section__(".gnu.linkonce.b.ue__state_v1")));
#else
struct ue__state ue__state_v1 __attribute__((__common__)); /* merged by every linker */
#endif
#ifdef __cplusplus
}
#endif

/* @disabled */

#define UE__INCREMENT(p) ((void)0)
