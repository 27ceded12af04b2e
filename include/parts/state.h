/* SPDX-License-Identifier: MIT */
/*
 * State of a program or library
 */

@private

/* A probe as the user wrote it; ANY is what they are compared by. */
union ue__function {
	void (*any)(void);
	void (*payload)(struct ue_event *event, const void *payload, size_t size, void *data);
};

struct ue__probe {
	struct ue__probe *next;
	union ue__function function;
	void *data;
	int typed; /* called with arguments, not with the payload */
};

/*
 * One of these a program or library: the linker merges the copies, and hides them from
 * other libraries with copies of this header, which may be of other versions.
 */
struct ue__state {
	int fd;	       /* plus one; 0 is none, so that the struct needs no data */
	int lock;      /* pid of its holder */
	int tried;     /* is there no use in trying again by ourselves */
	int path;      /* where FD came from: 1 + index into ue__paths, 0 mounts, -1 given */
	struct ue_event *list;
	size_t cut, failed, large, unprobed; /* words: 32 bits may count no more without libatomic */
	struct ue__process *process;
	struct ue__probe *probes; /* of all events */
	/* calls them; set by what registers probes, which a program without them does not have */
	void (*run)(struct ue_event *event, const struct iovec *iov, int count);
	struct ue__cells *cells;
	struct ue__desc *texts; /* of run-time events that are no more */
	int waiting; /* the lock of those who wait for probes */
	uint32_t serial;
	int error; /* of MESSAGE */
	char mounted[128];
	char message[1280];
};

@enabled

#define UE__HIDDEN __attribute__((__visibility__("hidden")))
/*
 * GCC makes statics of templates and inline functions unique objects, which keep a library
 * loaded at dlclose(), unless they are hidden; a local static is so by its type only.
 */
#ifdef __cplusplus
#define UE__HIDDEN_TYPE UE__HIDDEN
#else
#define UE__HIDDEN_TYPE
#endif
#ifdef __cplusplus
extern "C" {
#endif
extern struct ue__state ue__state_v1 UE__HIDDEN;
/* The linker's bounds of the section; absent when nothing in C declares an event. */
extern struct ue_event __start_ue_events_v1[] __attribute__((__weak__)) UE__HIDDEN;
extern struct ue_event __stop_ue_events_v1[] __attribute__((__weak__)) UE__HIDDEN;
struct ue__state ue__state_v1 __attribute__((__weak__));
/*
 * Does this thread run a probe? glibc would allocate a library's thread-local variables at their
 * first use, in the midst of an event: these few bytes have their place in every thread. musl
 * allocates nothing late, and opens no library that wants this.
 */
#ifdef __GLIBC__
#define UE__THREAD_LOCAL UE__HIDDEN __attribute__((__tls_model__("initial-exec")))
#else
#define UE__THREAD_LOCAL UE__HIDDEN
#endif
extern __thread int ue__probing_v1 UE__THREAD_LOCAL;
__thread int ue__probing_v1 UE__THREAD_LOCAL __attribute__((__weak__));
#ifdef __cplusplus
}
#endif

@disabled

#define UE__HIDDEN
#define UE__HIDDEN_TYPE
#define UE__INCREMENT(p) ((void)0)
