/* SPDX-License-Identifier: MIT */
/*
 * Makes the library issue every system call that it uses. Before that, the program waits for a line
 * on standard input, so that sandbox.sh can attach strace. The program itself calls only read() and
 * exit_group().
 */
#define UE_NO_AUTO_REGISTER
#include <user_events.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

static int go, done;

static void *register_often(void *data)
{
	int i;

	(void)data;
	while (!__atomic_load_n(&go, __ATOMIC_ACQUIRE))
		;
	for (i = 0; i < 20; i++) {
		ue_unregister_all();
		ue_register_all();
	}
	__atomic_add_fetch(&done, 1, __ATOMIC_RELEASE);
	for (;;) /* keep the thread running, because ending it would make system calls */
		;
	return NULL;
}

int main(void)
{
	static struct ue_event released, taken;
	uint32_t fixed[] = { 2, 1000 << 16 }; /* field `step`, and the loc of `text` */
	char line[16], text[1000];
	struct iovec iov[] = { { fixed, sizeof(fixed) }, { text, sizeof(text) } };
	pthread_t thread;
	uint8_t id[16];
	int i;

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	free(malloc(4096)); /* let malloc() get memory from the kernel in advance */
	for (i = 0; i < 2; i++)
		pthread_create(&thread, NULL, register_often, NULL);
	if (write(1, "ready\n", 6) != 6 || read(0, line, sizeof(line)) <= 0)
		return 2;
	if (ue_register_all() != 0)
		return 3;
	__atomic_store_n(&go, 1, __ATOMIC_RELEASE);
	while (__atomic_load_n(&done, __ATOMIC_ACQUIRE) < 2)
		;
	ue_register_all();
	UE_TRACE(boxed, UE_U32(step, 1), UE_STR(text, ""));
	if (ue_event_writev(ue_event_find("boxed", NULL), iov, 2) != 0)
		return 7;
	ue_activity_new(id);
	if (ue_event_register(&released, "released u32 a", 0) != 0)
		return 4;
	ue_event_unregister(&released);
	/*
	 * Another process uses the name with different fields, so the library waits until the
	 * kernel releases the name.
	 */
	if (ue_event_register(&taken, "taken u64 b", 0) != 0)
		return 5;
	close(ue_status().fd);
	/* this event is lost, and makes the library reopen the file */
	UE_TRACE(boxed, UE_U32(step, 3), UE_STR(text, ""));
	UE_TRACE(boxed, UE_U32(step, 4), UE_STR(text, ""));
	_exit(ue_status().lost == 1 ? 0 : 6);
}
