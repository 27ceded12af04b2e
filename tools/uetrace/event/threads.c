/* SPDX-License-Identifier: MIT */
/*
 * Finds the thread and process that wrote a record, using the record itself and /proc. For threads
 * that have exited, also reads saved_cmdlines and saved_tgids in tracefs.
 */
#include "event/event.h"
#include "util/util.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <limits.h>
#include <tracefs.h>
#include <unistd.h>

#define THREADS 4096 /* number of cache entries, a power of two */

static struct thread threads[THREADS];

/*
 * If uetrace runs in another PID namespace, records contain other PIDs than /proc. Both PIDs are
 * known for only one process.
 */
static bool translated;
static pid_t known_in_records, known_in_proc;

void threads_translate(pid_t in_records, pid_t in_proc)
{
	translated = true;
	known_in_records = in_records;
	known_in_proc = in_proc;
}

/*
 * Converts a TID or PID from a record to the PID used in /proc. Returns 0 if the latter is unknown.
 */
static pid_t pid_in_proc(pid_t id)
{
	if (!translated)
		return id;
	return id == known_in_records ? known_in_proc : 0;
}

/* Reads the file name of a process's executable, without its directory. */
static void read_process(struct thread *thread, pid_t in_proc)
{
	char path[64], exe[PATH_MAX], *line;
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/exe", in_proc);
	n = readlink(path, exe, sizeof(exe) - 1);
	exe[n < 0 ? 0 : n] = '\0';
	line = strrchr(exe, '/');
	snprintf(thread->process, sizeof(thread->process), "%s", line ? line + 1 : "");
	line = strstr(thread->process, " (deleted)");
	if (line)
		*line = '\0';
}

static bool read_proc(struct thread *thread)
{
	pid_t in_proc = pid_in_proc(thread->tid);
	char path[64], *status, *line;

	if (!in_proc)
		return false;
	read_process(thread, in_proc);
	snprintf(path, sizeof(path), "/proc/%d/status", in_proc);
	status = read_text(path);
	if (!status)
		return false;
	sscanf(status, "Name:\t%15[^\n]", thread->name);
	line = strstr(status, "\nTgid:\t");
	if (line)
		thread->pid = translated ? thread->tid : atoi(line + strlen("\nTgid:\t"));
	free(status);
	return true;
}

/*
 * Reads what tracefs stores about a thread that may have exited: the thread's name from a line "TID
 * NAME" of saved_cmdlines, or its PID from a line "TID PID" of saved_tgids.
 */
static bool read_saved(const char *file, pid_t tid, char value[16])
{
	char *saved = tracefs_instance_file_read(NULL, file, NULL);
	char *rest = saved, *line;
	bool found = false;

	while (rest && (line = strsep(&rest, "\n"))) {
		if (atoi(line) == tid && sscanf(line, "%*d %15[^\n]", value) == 1)
			found = true;
	}
	free(saved);
	return found;
}

/* Looks up the name and process of a thread that has exited. */
static void read_exited(struct thread *thread)
{
	char pid[16];

	read_saved("saved_cmdlines", thread->tid, thread->name);
	if (read_saved("saved_tgids", thread->tid, pid))
		thread->pid = atoi(pid);
	if (translated && thread->pid > 0 && pid_in_proc(thread->pid))
		read_process(thread, pid_in_proc(thread->pid));
}

/*
 * Looks up a thread in the cache. Entries expire after one second, because a thread can change its
 * name, for example by exec.
 */
static const struct thread *look_up(pid_t tid, uint64_t time)
{
	struct thread *thread = &threads[(unsigned int)tid & (THREADS - 1)];
	bool known = thread->tid == tid && thread->name[0];

	if (known && time < thread->asked + 1000000000u)
		return thread;
	if (thread->tid != tid)
		*thread = (struct thread){ .tid = tid, .pid = tid ? -1 : 0 };
	thread->asked = time;
	if (tid == 0)
		strcpy(thread->name, "<idle>");
	else if (!read_proc(thread) && (translated || !known))
		read_exited(thread);
	if (!thread->name[0])
		strcpy(thread->name, "<...>");
	return thread;
}

static pid_t record_tid(const struct record *record)
{
	int32_t tid = 0;

	/* struct trace_entry: u16 type, u8 flags, u8 preempt_count, s32 pid */
	if (record->size >= 8)
		memcpy(&tid, (const char *)record->data + 4, sizeof(tid));
	return tid;
}

const struct thread *thread_of(const struct record *record)
{
	static struct thread recorded;

	if (!record->program)
		return look_up(record_tid(record), record->time);
	recorded.tid = record->tid;
	recorded.pid = record->pid;
	recorded.name[0] = '\0';
	strncat(recorded.name, record->program, sizeof(recorded.name) - 1);
	snprintf(recorded.process, sizeof(recorded.process), "%s",
		 record->process ? record->process : "");
	return &recorded;
}
