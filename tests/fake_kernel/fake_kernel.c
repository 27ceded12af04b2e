/* SPDX-License-Identifier: MIT */
/*
 * The fake kernel, which fake_kernel.h describes. Unless stated otherwise, it behaves like Linux
 * 6.12 on x86-64, which tests/fake_kernel/abi_table.c verifies.
 *
 * This file includes no user_events header. It repeats the definitions of layouts and numbers, so
 * that a mistake in the library's definitions is detected as a difference.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <sys/uio.h>
#include "fake_kernel.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* ---- The kernel's structures ---- */

struct reg {
	uint32_t size;
	uint8_t enable_bit;
	uint8_t enable_size;
	uint16_t flags;
	uint64_t enable_addr;
	uint64_t name_args;
	uint32_t write_index;
} __attribute__((packed));

struct unreg {
	uint32_t size;
	uint8_t disable_bit;
	uint8_t reserved;
	uint16_t reserved2;
	uint64_t disable_addr;
} __attribute__((packed));

_Static_assert(sizeof(struct reg) == 28, "28 bytes on every machine");
_Static_assert(sizeof(struct unreg) == 16, "16 bytes on every machine");

/* The request number encodes the size of a pointer to the structure. */
#define IOC_REG _IOWR('*', 0, void *)
#define IOC_DEL _IOW('*', 1, void *)
#define IOC_UNREG _IOW('*', 2, void *)

#define DESC_MAX 512		/* maximum length of name and fields, including the NUL */
#define ARRAY_MAX 1024
#define COMMON_SIZE 8u		/* total size of the fields common_type to common_pid */
#define PAGE 4096u
#define PERF_MAX 8184u		/* 8192 minus the size of the common fields */

/* ---- State ---- */

struct field {
	const char *type, *name;
	uint32_t offset;	/* offset in the record, including the common fields */
	uint32_t size;
};

struct event {
	struct event *next;
	char *name;		/* name as registered */
	char *tracepoint;	/* name of the event's tracepoint */
	/*
	 * number of references: fds, enablers, tracers, other processes, and the event itself if it
	 * is persistent
	 */
	int refs;
	int others;		/* number of references from other processes */
	unsigned int flags;
	unsigned int tracers;
	size_t min_size;
	size_t n_fields;
	struct field fields[];
};

struct enabler {
	struct enabler *next;
	struct event *event;
	uint64_t addr;
	uint8_t bit, size;
	unsigned int held; /* after unregistering: number of registrations to reject */
};

enum kind { UNUSED, DATA, TEXT, COMMANDS };

struct file {
	enum kind kind;
	int flags;
	struct event **events;	/* the array index is the write index */
	size_t n_events, n_room;
	char *text;
	size_t length, offset;
};

struct order {
	enum fake_call call;
	unsigned long first, end;
	int err;
};

#define FD_BASE (1 << 20)	/* value of fs.nr_open, below which all real fds are */
#define FDS 256
#define ORDERS 32
#define REGION_SIZE ((size_t)64 << 20)
#define RECORDS_MAX ((size_t)1 << 20)

static struct {
	struct fake_world world;
	struct event *events;
	unsigned long n_events, n_enablers, n_fds;
	uint64_t multi_id;
	struct enabler *enablers;
	struct file files[FDS];
	unsigned long calls[FAKE_CALLS];
	struct order orders[ORDERS];
	unsigned int n_orders, held;
	unsigned long n_records, overrun, lost;
} k;

/*
 * Memory of the fake kernel. Code that holds the fake kernel's lock must not wait for malloc(),
 * because a thread may hold malloc's lock while it runs a signal handler that waits for the fake
 * kernel. Memory is not freed individually. A reset empties the heap, and
 * fake_kernel_clear_records() empties the arena.
 */
static struct region {
	char *memory;
	size_t used;
} heap, arena;		/* the arena stores the records */
static struct fake_record **records;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
/* The signal mask and errno that the current thread had before it took the lock. */
static sigset_t signals;
static int saved_errno;

static void lock(void);
static void unlock(void);

static void *map(size_t n)
{
	void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
		       -1, 0);

	if (p == MAP_FAILED)
		abort();
	return p;
}

static void set_up(void)
{
	heap.memory = map(REGION_SIZE);
	arena.memory = map(REGION_SIZE);
	records = map(RECORDS_MAX * sizeof(*records));
	k.world = fake_world_default();
	/*
	 * fork() takes the lock like any other call. Otherwise, a signal handler that runs during
	 * fork() could wait forever.
	 */
	pthread_atfork(lock, unlock, unlock);
}

/*
 * Takes the lock and blocks signals. Otherwise, a signal handler that writes an event would wait
 * for the call that it interrupted.
 */
static void lock(void)
{
	static const int keep[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT };
	sigset_t all, old;

	sigfillset(&all);
	for (size_t i = 0; i < sizeof(keep) / sizeof(*keep); i++)
		sigdelset(&all, keep[i]);
	pthread_once(&once, set_up);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	pthread_mutex_lock(&mutex);
	signals = old;
	saved_errno = errno;
}

static void unlock(void)
{
	sigset_t old = signals;

	errno = saved_errno;
	pthread_mutex_unlock(&mutex);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

static int result(long ret)
{
	/* These functions convert the result of a system call in the same way as libc. */
	if (ret < 0 && ret >= -4095) {
		errno = (int)-ret;
		return -1;
	}
	return (int)ret;
}

/* Allocates n bytes. Returns NULL if the region is used up. */
static void *take(struct region *region, size_t n)
{
	size_t from = (region->used + 15) & ~(size_t)15;

	if (from > REGION_SIZE || n > REGION_SIZE - from)
		return NULL;
	region->used = from + n;
	return region->memory + from;
}

static void *alloc(size_t n)
{
	void *p = take(&heap, n);

	if (!p)
		abort();
	return memset(p, 0, n);
}

static char *copy_bytes(const char *s, size_t n)
{
	return memcpy(alloc(n + 1), s, n);
}

/* Appends to the text at the end of the heap. */
__attribute__((format(printf, 1, 2)))
static void add(const char *format, ...)
{
	size_t left = REGION_SIZE - heap.used;
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(heap.memory + heap.used, left, format, args);
	va_end(args);
	if (n < 0 || (size_t)n >= left)
		abort();
	heap.used += (size_t)n;
}

/* Counts a call. Returns the errno with which the call must fail, or 0. */
static int count(enum fake_call call)
{
	unsigned long n = ++k.calls[call];

	for (unsigned int i = 0; i < k.n_orders; i++) {
		const struct order *o = &k.orders[i];

		if (o->call == call && n >= o->first && n < o->end)
			return o->err;
	}
	return 0;
}

/* ---- The process's memory ---- */

/*
 * Accesses a word in the same way as the kernel, with an error instead of a crash, by calling
 * futex(2). The constants are those of <linux/futex.h>, which musl-gcc does not find.
 */
#ifndef SYS_futex
#define SYS_futex SYS_futex_time64
#endif
#define FUTEX_WAIT_PRIVATE (0 | 128)
#define FUTEX_WAKE_OP_PRIVATE (5 | 128)
#define FUTEX_OP_OR_0 (2 << 28)

static bool readable_page(uintptr_t addr)
{
	static const long zero[4]; /* a struct timespec whose members have 32 or 64 bits */
	long ret = syscall(SYS_futex, addr, FUTEX_WAIT_PRIVATE, 0, zero, NULL, 0);

	return !(ret < 0 && errno == EFAULT);
}

static bool readable(const void *p, size_t n)
{
	uintptr_t addr = (uintptr_t)p, last = addr + n - 1;
	bool ok = last >= addr;

	if (!n)
		return true;
	for (addr &= ~(uintptr_t)(PAGE - 1); ok && addr <= last; addr += PAGE)
		ok = readable_page(addr);
	return ok;
}

static bool writable(uint64_t where)
{
	uintptr_t addr = (uintptr_t)where & ~(uintptr_t)3;
	static uint32_t nobody;

	/* the futex operation addr |= 0, which is atomic */
	return syscall(SYS_futex, &nobody, FUTEX_WAKE_OP_PRIVATE, 0, (void *)0, addr,
		       FUTEX_OP_OR_0) >= 0 || errno != EFAULT;
}

/* Copies a string shorter than DESC_MAX to a new buffer. Returns 0, -EFAULT or -EINVAL. */
static int copy_string(const char *user, char **out)
{
	size_t n = 0;

	for (;; n++) {
		if (n == DESC_MAX)
			return -EINVAL;
		if ((n == 0 || ((uintptr_t)(user + n) & (PAGE - 1)) == 0) && !readable(user + n, 1))
			return -EFAULT;
		if (!user[n])
			break;
	}
	*out = copy_bytes(user, n);
	return 0;
}

/*
 * Copies a struct, which may be longer than the known version if the additional bytes are zero.
 * Returns 0 or -errno.
 */
static int copy_struct(void *to, size_t min, const void *user)
{
	const unsigned char *p = user;
	uint32_t size;

	if (!readable(p, sizeof(size)))
		return -EFAULT;
	memcpy(&size, p, sizeof(size));
	if (size > PAGE)
		return -E2BIG;
	if (size < min)
		return -EINVAL;
	if (!readable(p, size))
		return -EFAULT;
	for (size_t i = min; i < size; i++)
		if (p[i])
			return -E2BIG;
	memcpy(to, p, min);
	return 0;
}

/* Sets or clears the enable bit. Returns 0, or -EFAULT if the word is not writable. */
static int set_enable_bit(uint64_t addr, uint8_t bit, uint8_t size, bool on)
{
	uint32_t *word, mask;

	if (!writable(addr))
		return -EFAULT;
	/*
	 * in a 64-bit word, change only the half that contains the bit, because some machines
	 * cannot change 64 bits atomically
	 */
	if (size == 8 && (bit >= 32) == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__))
		addr += 4;
	word = (uint32_t *)(uintptr_t)addr;
	mask = (uint32_t)1 << (bit & 31);
	if (on)
		__atomic_fetch_or(word, mask, __ATOMIC_SEQ_CST);
	else
		__atomic_fetch_and(word, ~mask, __ATOMIC_SEQ_CST);
	return 0;
}

/* ---- Event text ---- */

/* Returns the result of the kernel's isspace(), which assumes Latin-1. */
static bool space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r') || c == '\xa0';
}

/*
 * Parses an unsigned number in the same way as the kernel. Accepts a plus sign, a radix prefix, and
 * a trailing newline. Returns false if the text is not a number.
 */
static bool number(const char *s, int base, uint32_t *out)
{
	unsigned long long n;
	char *end;

	if (!isdigit((unsigned char)s[*s == '+']))
		return false;
	n = strtoull(s, &end, base);
	*out = (uint32_t)n;
	return n <= UINT32_MAX && !end[*end == '\n'];
}

static bool begins(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

static bool is_loc(const char *type)
{
	return begins(type, "__data_loc ") || begins(type, "__rel_loc ");
}

static const struct {
	const char *name;
	uint32_t size;
	const char *format;
} types[] = {
	{ "s64", 8, "%lld" }, { "u64", 8, "%llu" }, { "s32", 4, "%d" }, { "u32", 4, "%u" },
	{ "int", 4, "%d" }, { "unsigned int", 4, "%u" }, { "s16", 2, "%d" }, { "u16", 2, "%u" },
	{ "short", 2, "%d" }, { "unsigned short", 2, "%u" }, { "s8", 1, "%d" }, { "u8", 1, "%u" },
	{ "char", 1, "%d" }, { "unsigned char", 1, "%u" },
};

#define TYPES (sizeof(types) / sizeof(*types))

/* Returns the size of a type, or 0 for rejected types. */
static uint32_t type_size(const char *type)
{
	char digits[8], *bracket;
	uint32_t size;

	for (size_t i = 0; i < TYPES; i++)
		if (!strcmp(type, types[i].name))
			return types[i].size;
	if (is_loc(type))
		return 4;
	if (!begins(type, "char[") && !begins(type, "unsigned char["))
		return 0;
	/*
	 * As in the kernel, only seven characters are compared, and everything after the bracket is
	 * ignored.
	 */
	type = strchr(type, '[') + 1;
	if (strlen(type) >= sizeof(digits))
		return 0;
	strcpy(digits, type);
	bracket = strchr(digits, ']');
	if (!bracket)
		return 0;
	*bracket = '\0';
	return number(digits, 0, &size) && size <= ARRAY_MAX ? size : 0;
}

/* Parses a field and modifies its text. An empty field is ignored. Returns 0 or -errno. */
static int parse_field(struct event *event, char *p, uint32_t *offset)
{
	static const char *const prefixes[] = {
		"unsigned ", "struct ", "__data_loc unsigned ", "__data_loc ",
		"__rel_loc unsigned ", "__rel_loc ", "",
	};
	struct field *field = &event->fields[event->n_fields];
	char *end, *size;
	size_t i = 0;

	while (space(*p))
		p++;
	if (!*p)
		return 0;
	while (!begins(p, prefixes[i]))
		i++;
	end = strchr(p + strlen(prefixes[i]), ' ');
	if (!end)
		return -EINVAL;
	*end = '\0';
	field->type = p;
	field->name = end + 1;
	size = strchr(end + 1, ' ');
	if (!size) {
		field->size = type_size(p);
	} else {
		*size++ = '\0';
		if (strcmp(prefixes[i], "struct ") || !number(size, 10, &field->size))
			return -EINVAL;
		/* Linux 6.12 interprets a size of this form as a negative error code. */
		if (field->size > INT32_MAX)
			return (int)field->size;
	}
	if (!field->size)
		return -EINVAL;
	field->offset = *offset;
	*offset += field->size;
	event->min_size = *offset - COMMON_SIZE;
	event->n_fields++;
	return 0;
}

static int parse_fields(struct event *event, char *p)
{
	uint32_t offset = COMMON_SIZE;
	int err = 0;

	while (p && !err) {
		char *semi = strchr(p, ';');

		if (semi)
			*semi = '\0';
		err = parse_field(event, p, &offset);
		p = semi ? semi + 1 : NULL;
	}
	return err;
}

static int print_field(const struct field *field, char *buf, size_t size)
{
	if (begins(field->type, "struct "))
		return snprintf(buf, size, "%s %s %d", field->type, field->name, (int)field->size);
	return snprintf(buf, size, "%s %s", field->type, field->name);
}

/*
 * Returns true if TEXT describes the fields of the event. The kernel compares words, so white space
 * is ignored. However, empty fields count, and numbers are compared as text ("010" differs from
 * "10").
 */
static bool fields_match(const struct event *event, const char *text)
{
	char words[2 * DESC_MAX + 1], *p = words, *end;
	char shown[DESC_MAX + 16];

	while (text && *text) {
		if (space(*text)) {
			if (p > words && p[-1] != ' ')
				*p++ = ' ';
			text++;
			continue;
		}
		*p++ = *text++;
		if (p[-1] == ';')
			*p++ = ' ';
	}
	if (p > words && p[-1] == ' ')
		p--;
	*p = '\0';

	if (p == words)
		return event->n_fields == 0;
	p = words;
	for (size_t i = 0; i < event->n_fields; i++) {
		char *semi = strchr(p, ';');

		if (!*p)
			return false;
		end = semi ? strchr(semi, ' ') : NULL;
		if (end)
			*end = '\0';
		print_field(&event->fields[i], shown, sizeof(shown) - 1);
		if (semi)
			strcat(shown, ";");
		if (strcmp(shown, p))
			return false;
		p = end ? end + 1 : p + strlen(p);
	}
	return !*p;
}

/* ---- Events ---- */

static struct event *get(struct event *event)
{
	event->refs++;
	return event;
}

static void put(struct event *event)
{
	struct event **p = &k.events;

	if (--event->refs)
		return;
	while (*p != event)
		p = &(*p)->next;
	*p = event->next;
	k.n_events--;
}

static bool may(unsigned int flags)
{
	return !(flags & FAKE_REG_PERSIST) || k.world.perfmon;
}

static bool last_ref(const struct event *event)
{
	return event->refs == ((event->flags & FAKE_REG_PERSIST) != 0);
}

/*
 * Finds or creates the event "name fields" and takes a reference for the caller. Returns 0 or
 * -errno. For one invalid struct size, returns a number that the kernel mistakes for an error.
 */
static int get_event(const char *desc, unsigned int flags, struct event **out)
{
	const char *args = strchr(desc, ' ');
	size_t len = args ? (size_t)(args - desc) : strlen(desc);
	size_t n = 1;
	struct event *event;
	char *name;
	int err;

	if (memchr(desc, ':', len))
		return -EINVAL;
	if (!may(flags))
		return -EPERM;
	if (args)
		args++;
	name = copy_bytes(desc, len);

	for (event = k.events; event; event = event->next) {
		if (strcmp(event->name, name) || (event->flags ^ flags) & FAKE_REG_MULTI_FORMAT)
			continue;
		if (fields_match(event, args)) {
			*out = get(event);
			return 0;
		}
		if (!(flags & FAKE_REG_MULTI_FORMAT))
			return -EADDRINUSE;
	}

	for (const char *p = args; p && *p; p++)
		n += *p == ';';
	event = alloc(sizeof(*event) + n * sizeof(event->fields[0]));
	event->name = name;
	event->flags = flags;
	if (flags & FAKE_REG_MULTI_FORMAT) {
		event->tracepoint = alloc(len + 18);
		/* The kernel increments the counter even if it rejects the fields. */
		sprintf(event->tracepoint, "%s.%llx", name, (unsigned long long)k.multi_id++);
	} else {
		event->tracepoint = copy_bytes(name, len);
	}
	err = parse_fields(event, args ? copy_bytes(args, strlen(args)) : NULL);
	if (!err && k.n_events >= k.world.max_events)
		err = -EMFILE;
	if (err)
		return err;
	event->refs = 1 + ((flags & FAKE_REG_PERSIST) != 0);
	event->next = k.events;
	k.events = event;
	k.n_events++;
	*out = event;
	return 0;
}

static struct event *find_tracepoint(const char *name)
{
	struct event *event = k.events;

	while (event && strcmp(event->tracepoint, name))
		event = event->next;
	return event;
}

static const char *system_of(const struct event *event)
{
	return event->flags & FAKE_REG_MULTI_FORMAT ? "user_events_multi" : "user_events";
}

/* ---- ioctl ---- */

static int do_reg(struct file *file, void *user)
{
	uint64_t index_addr = (uintptr_t)user + offsetof(struct reg, write_index);
	struct enabler **p, *enabler;
	struct event *event;
	struct reg reg;
	uint32_t index;
	char *desc;
	int err;

	err = copy_struct(&reg, sizeof(reg), user);
	if (err)
		return err;
	if (reg.flags & ~k.world.known_flags)
		return -EINVAL;
	if (reg.enable_size != 4 && !(reg.enable_size == 8 && sizeof(long) == 8))
		return -EINVAL;
	if (reg.enable_addr % reg.enable_size)
		return -EINVAL;
	if (reg.enable_bit >= reg.enable_size * 8)
		return -EINVAL;
	if (sizeof(long) == 8 && reg.enable_addr >> 63)
		return -EFAULT;

	for (p = &k.enablers; (enabler = *p); p = &enabler->next) {
		if (enabler->addr != reg.enable_addr || enabler->bit != reg.enable_bit)
			continue;
		if (enabler->held && --enabler->held == 0)
			*p = enabler->next;
		return -EADDRINUSE;
	}

	err = copy_string((const char *)(uintptr_t)reg.name_args, &desc);
	if (err)
		return err;
	err = get_event(desc, reg.flags, &event);
	if (err)
		return err;

	for (index = 0; index < file->n_events; index++)
		if (file->events[index] == event)
			break;
	if (index == file->n_events) {
		if (file->n_events == file->n_room) {
			struct event **more = alloc(2 * (index + 1) * sizeof(*more));

			if (index)
				memcpy(more, file->events, index * sizeof(*more));
			file->events = more;
			file->n_room = 2 * (index + 1);
		}
		file->events[file->n_events++] = get(event);
	}
	put(event);

	/* Even if the word cannot be written, the fd keeps the event and its index. */
	if (set_enable_bit(reg.enable_addr, reg.enable_bit, reg.enable_size, event->tracers))
		return -ENOMEM;
	enabler = alloc(sizeof(*enabler));
	enabler->event = get(event);
	enabler->addr = reg.enable_addr;
	enabler->bit = reg.enable_bit;
	enabler->size = reg.enable_size;
	enabler->next = k.enablers;
	k.enablers = enabler;
	k.n_enablers++;

	if (writable(index_addr) && writable(index_addr + 3))
		memcpy((void *)(uintptr_t)index_addr, &index, sizeof(index));
	return 0;
}

static int do_unreg(const void *user)
{
	struct enabler **p = &k.enablers, *enabler;
	struct unreg unreg;
	int err;

	err = copy_struct(&unreg, sizeof(unreg), user);
	if (err)
		return err;
	if (unreg.reserved || unreg.reserved2)
		return -EINVAL;
	while ((enabler = *p) && (enabler->addr != unreg.disable_addr ||
				  enabler->bit != unreg.disable_bit))
		p = &enabler->next;
	if (!enabler)
		return -ENOENT;
	if (enabler->held)
		return 0;
	enabler->held = k.held;
	if (!k.held)
		*p = enabler->next;
	put(enabler->event);
	k.n_enablers--;
	return set_enable_bit(unreg.disable_addr, unreg.disable_bit, enabler->size, false);
}

/* Deletes the format of NAME that has these FIELDS, or all formats if FIELDS is NULL. */
static int delete(const char *name, const char *fields)
{
	struct event *event, *next;
	int err = -ENOENT;

	for (event = k.events; event; event = next) {
		next = event->next;
		if (strcmp(event->name, name) || (fields && !fields_match(event, fields)))
			continue;
		err = !last_ref(event) ? -EBUSY : !may(event->flags) ? -EPERM : 0;
		if (err)
			break;
		put(event);
	}
	return err;
}

static int do_del(const void *user)
{
	char *name;
	int ret;

	ret = copy_string(user, &name);
	return ret ? ret : delete(name, NULL);
}

/*
 * Executes the command "-:user_events/NAME FIELDS". Without the group, the kernel tries all types
 * of dynamic events.
 */
static ssize_t do_command(const void *line, size_t n)
{
	char *name, *fields;
	ssize_t ret = -EINVAL;

	if (!readable(line, n))
		return -EFAULT;
	name = copy_bytes(line, n);
	fields = strchr(name, ' ');
	if (begins(name, "-:user_events/") && fields) {
		*fields = '\0';
		ret = delete(name + strlen("-:user_events/"), fields + 1);
	}
	return ret ? ret : (ssize_t)n;
}

/* ---- Files ---- */

static struct file *get_file(int fd)
{
	struct file *file;

	if (fd < FD_BASE || fd >= FD_BASE + FDS)
		return NULL;
	file = &k.files[fd - FD_BASE];
	return file->kind == UNUSED ? NULL : file;
}

static void print_mounts(void)
{
	if (k.world.mounts) {
		add("%s", k.world.mounts);
		return;
	}
	/* Names and types of file systems that a careless parser could confuse with tracefs. */
	add("/dev/sda1 / ext4 rw,relatime 0 0\n"
	    "proc /proc proc rw,nosuid,nodev,noexec,relatime 0 0\n"
	    "sysfs /sys sysfs rw,nosuid,nodev,noexec,relatime 0 0\n"
	    "tracefs /mnt/not\\040this\\040one ext4 rw,relatime 0 0\n"
	    "/dev/sdb1 /tracefs ext4 rw,relatime 0 0\n");
	if (k.world.tracefs) {
		add("none ");
		for (const char *p = k.world.tracefs; *p; p++)
			add(strchr(" \t\n\\#", *p) ? "\\%03o" : "%c", *p);
		add(" tracefs rw,nosuid,nodev,noexec,relatime 0 0\n");
	}
	add("tmpfs /tmp tmpfs rw,nosuid,nodev 0 0\n");
}

static void print_status(void)
{
	unsigned int busy = 0;

	for (const struct event *event = k.events; event; event = event->next) {
		add("%s", event->tracepoint);
		if (event->tracers) {
			add(" # Used by%s%s%s", event->tracers & FAKE_FTRACE ? " ftrace" : "",
			    event->tracers & FAKE_PERF ? " perf" : "",
			    event->tracers & FAKE_OTHER ? " other" : "");
			busy++;
		}
		add("\n");
	}
	add("\nActive: %lu\nBusy: %u\n", k.n_events, busy);
}

static void print_fields(const struct event *event)
{
	char text[DESC_MAX + 16];

	for (size_t i = 0; i < event->n_fields; i++) {
		print_field(&event->fields[i], text, sizeof(text));
		add("%s%s", i ? "; " : "", text);
	}
}

static void print_dynamic_events(void)
{
	for (const struct event *event = k.events; event; event = event->next) {
		add("u:%s%s", event->name, event->n_fields ? " " : "");
		print_fields(event);
		add("\n");
	}
}

static const char *print_format_of(const char *type)
{
	for (size_t i = 0; i < TYPES; i++)
		if (!strcmp(type, types[i].name))
			return types[i].format;
	return strstr(type, "char[") ? "%s" : "%llu";
}

static void print_format(const struct event *event)
{
	add("name: %s\nID: 0\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
		"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n", event->tracepoint);
	for (size_t i = 0; i < event->n_fields; i++) {
		const struct field *field = &event->fields[i];
		const char *array = strchr(field->type, '[');

		if (begins(field->type, "__data_loc") || !array)
			add("\tfield:%s %s;", field->type, field->name);
		else
			add("\tfield:%.*s %s[" FAKE_ARRAY_NUMBER "];", (int)(array - field->type),
				field->type, field->name);
		add("\toffset:%u;\tsize:%u;\tsigned:%d;\n", (unsigned int)field->offset,
			(unsigned int)field->size, field->type[0] != 'u');
	}
	add("\nprint fmt: \"");
	for (size_t i = 0; i < event->n_fields; i++)
		add("%s%s=%s", i ? " " : "", event->fields[i].name,
			print_format_of(event->fields[i].type));
	add("\"");
	for (size_t i = 0; i < event->n_fields; i++) {
		const struct field *field = &event->fields[i];

		if (!is_loc(field->type) || !strstr(field->type, "char"))
			add(", REC->%s", field->name);
		else
			add(", __get_%sstr(%s)",
				begins(field->type, "__rel") ? "rel_" : "", field->name);
	}
	add("\n");
}

/* Returns the part of PATH below the tracefs directory, or NULL. Repeated slashes count as one. */
static const char *below_tracefs(const char *path)
{
	const char *dir = k.world.tracefs;

	if (!dir)
		return NULL;
	while (*dir) {
		if (*dir == '/') {
			while (*dir == '/')
				dir++;
			if (!*dir)
				break;
			if (*path++ != '/')
				return NULL;
			while (*path == '/')
				path++;
		}
		if (*dir++ != *path++)
			return NULL;
	}
	if (*path != '/')
		return NULL;
	while (*path == '/')
		path++;
	return path;
}

static const struct event *find_format(const char *path)
{
	char name[2 * DESC_MAX];

	for (const struct event *event = k.events; event; event = event->next) {
		snprintf(name, sizeof(name), "events/%s/%s/format", system_of(event),
			 event->tracepoint);
		if (!strcmp(name, path))
			return event;
	}
	return NULL;
}

/* Prints the contents of a file. Returns 0 or -errno. */
static int print_file(const char *path)
{
	const char *rest = below_tracefs(path);
	const struct event *event;

	if (!strcmp(path, "/proc/self/mounts")) {
		print_mounts();
		return -k.world.mounts_errno;
	}
	if (!rest)
		return -ENOENT;
	/*
	 * A directory can be looked up but not read. It exists even if the kernel has no
	 * user_events.
	 */
	if (!strcmp(rest, "events"))
		return k.world.data_errno == ENOENT ? 0 : -k.world.data_errno;
	event = find_format(rest);
	if (event)
		print_format(event);
	else if (k.world.data_errno)
		return -k.world.data_errno;
	else if (!strcmp(rest, "user_events_status"))
		print_status();
	else if (!strcmp(rest, "dynamic_events"))
		print_dynamic_events();
	else
		return -ENOENT;
	return 0;
}

static int do_open(const char *path, int flags)
{
	const char *rest = below_tracefs(path);
	bool reads = (flags & O_ACCMODE) == O_RDONLY;
	struct file *file = k.files;
	int err;

	while (file < k.files + FDS && file->kind != UNUSED)
		file++;
	if (file == k.files + FDS)
		return -EMFILE;
	if (k.world.denied && begins(path, k.world.denied))
		return -EACCES;
	if (rest && !strcmp(rest, "user_events_data")) {
		if (k.world.data_errno)
			return -k.world.data_errno;
		*file = (struct file){ .kind = DATA, .flags = flags };
	} else if (rest && !strcmp(rest, "dynamic_events") && !reads) {
		*file = (struct file){ .kind = COMMANDS, .flags = flags };
	} else {
		size_t start = heap.used;

		err = print_file(path);
		if (err)
			return err;
		if (!reads)
			return -EACCES;
		*file = (struct file){ .kind = TEXT, .flags = flags, .text = heap.memory + start,
				       .length = heap.used - start };
	}
	k.n_fds += file->kind == DATA;
	return (int)(file - k.files) + FD_BASE;
}

static void close_file(struct file *file)
{
	for (size_t i = 0; i < file->n_events; i++)
		put(file->events[i]);
	k.n_fds -= file->kind == DATA;
	file->kind = UNUSED;
}

static ssize_t do_read(struct file *file, void *buf, size_t n)
{
	size_t left = file->length - file->offset;

	if (file->kind != TEXT)
		return (file->flags & O_ACCMODE) == O_WRONLY ? -EBADF : -EINVAL;
	if (k.world.read_max && n > k.world.read_max)
		n = k.world.read_max;
	if (n > left)
		n = left;
	if (n)
		memcpy(buf, file->text + file->offset, n);
	file->offset += n;
	return (ssize_t)n;
}

/* ---- Writing ---- */

/*
 * Copies N bytes of the segments, starting at offset FROM. Returns false if any of them is not
 * readable.
 */
static bool gather(void *to, size_t n, const struct iovec *iov, int n_iov, size_t from)
{
	unsigned char *p = to;

	for (int i = 0; n && i < n_iov; i++) {
		size_t len = iov[i].iov_len;
		const unsigned char *base = iov[i].iov_base;

		if (from >= len) {
			from -= len;
			continue;
		}
		base += from;
		len -= from;
		from = 0;
		if (len > n)
			len = n;
		if (!readable(base, len))
			return false;
		memcpy(p, base, len);
		p += len;
		n -= len;
	}
	return n == 0;
}

/*
 * Returns true if the data of all loc fields is within the record, which consists of common fields
 * and payload.
 */
static bool valid(const struct event *event, const unsigned char *record, size_t size)
{
	for (size_t i = 0; i < event->n_fields; i++) {
		const struct field *field = &event->fields[i];
		uint32_t loc;
		size_t end;

		if (!is_loc(field->type))
			continue;
		memcpy(&loc, record + field->offset, sizeof(loc));
		end = (loc & 0xffff) + (loc >> 16);
		if (begins(field->type, "__rel_loc "))
			end += field->offset + sizeof(loc);
		if (end > size)
			return false;
		/*
		 * Like the kernel, check the byte before the end of the string, even if the string
		 * is empty. The byte before the record is unknown, so it is not checked.
		 */
		if (strstr(field->type, "char") && end && record[end - 1])
			return false;
	}
	return true;
}

static ssize_t do_write(struct file *file, const struct iovec *iov, int n_iov,
			unsigned int segments)
{
	size_t used = arena.used, size, total = 0;
	struct fake_record *record;
	unsigned int takers;
	unsigned char *bytes;
	struct event *event;
	int index;

	if (!file || file->kind != DATA || (file->flags & O_ACCMODE) == O_RDONLY)
		return -EBADF;
	for (int i = 0; i < n_iov; i++)
		total += iov[i].iov_len;
	if (!total && segments)
		return 0;
	if (total < sizeof(index) || !gather(&index, sizeof(index), iov, n_iov, 0))
		return -EFAULT;
	if (index < 0)
		return -EINVAL;
	if ((size_t)index >= file->n_events)
		return -ENOENT;
	event = file->events[index];
	size = total - sizeof(index);
	if (size < event->min_size)
		return -EINVAL;
	if (!event->tracers)
		return -EBADF;

	record = take(&arena, sizeof(*record) + COMMON_SIZE + size);
	if (!record || k.n_records == RECORDS_MAX) {
		arena.used = used;
		k.overrun++;
		return (ssize_t)total;
	}
	bytes = (unsigned char *)(record + 1);
	memset(bytes, 0, COMMON_SIZE);
	if (!gather(bytes + COMMON_SIZE, size, iov, n_iov, sizeof(index))) {
		arena.used = used;
		return -EFAULT;
	}
	/*
	 * A record that does not fit is lost before the kernel validates it, even if it is invalid.
	 */
	takers = event->tracers;
	if (size > k.world.ftrace_max)
		takers &= ~FAKE_FTRACE;
	if (size > PERF_MAX)
		takers &= ~FAKE_PERF;
	k.lost += takers != event->tracers;
	if (!takers || !valid(event, bytes, COMMON_SIZE + size)) {
		arena.used = used;
		return takers ? -EFAULT : (ssize_t)total;
	}
	*record = (struct fake_record){
		.name = event->tracepoint,
		.data = bytes + COMMON_SIZE,
		.size = size,
		.segments = segments,
		.tracers = takers,
		.index = index,
		.thread = syscall(SYS_gettid),
	};
	records[k.n_records++] = record;
	return (ssize_t)total;
}

/* ---- The calls ---- */

int fake_open(const char *path, int flags)
{
	int ret;

	lock();
	ret = -count(FAKE_OPEN);
	if (!ret)
		ret = do_open(path, flags);
	unlock();
	return result(ret);
}

int fake_close(int fd)
{
	struct file *file;
	int ret;

	lock();
	ret = -count(FAKE_CLOSE);
	file = get_file(fd);
	if (file)
		close_file(file);
	else
		ret = -EBADF;
	unlock();
	return result(ret);
}

ssize_t fake_read(int fd, void *buf, size_t n)
{
	struct file *file;
	ssize_t ret;

	lock();
	ret = -count(FAKE_READ);
	file = get_file(fd);
	if (!ret)
		ret = file ? do_read(file, buf, n) : -EBADF;
	unlock();
	return result(ret);
}

int fake_ioctl(int fd, unsigned long request, void *argp)
{
	struct file *file;
	int ret = 0;

	lock();
	file = get_file(fd);
	if (request == IOC_REG)
		ret = -count(FAKE_REG);
	else if (request == IOC_UNREG)
		ret = -count(FAKE_UNREG);
	else if (request == IOC_DEL)
		ret = -count(FAKE_DEL);

	if (ret)
		;
	else if (!file)
		ret = -EBADF;
	else if (file->kind != DATA || k.world.compat)
		ret = -ENOTTY;
	else if (request == IOC_REG)
		ret = do_reg(file, argp);
	else if (request == IOC_UNREG)
		ret = do_unreg(argp);
	else if (request == IOC_DEL)
		ret = do_del(argp);
	else
		ret = -ENOTTY;
	unlock();
	return result(ret);
}

ssize_t fake_write(int fd, const void *buf, size_t n)
{
	struct iovec iov = { (void *)(uintptr_t)buf, n };
	struct file *file;
	ssize_t ret;

	lock();
	ret = -count(FAKE_WRITE);
	file = get_file(fd);
	if (!ret && file && file->kind == COMMANDS)
		ret = do_command(buf, n);
	else if (!ret)
		ret = do_write(file, &iov, 1, 0);
	unlock();
	return result(ret);
}

ssize_t fake_writev(int fd, const struct iovec *iov, int n)
{
	ssize_t ret;

	lock();
	ret = -count(FAKE_WRITEV);
	if (!ret && n)
		ret = n <= 1024 ? do_write(get_file(fd), iov, n, (unsigned int)n) : -EINVAL;
	unlock();
	return result(ret);
}

/* ---- For tests ---- */

struct fake_world fake_world_default(void)
{
	return (struct fake_world){
		.tracefs = "/sys/kernel/tracing",
		.known_flags = FAKE_REG_PERSIST | FAKE_REG_MULTI_FORMAT,
		.perfmon = true,
		.max_events = 32768,
		/* 4096 minus the page header, two event headers and the common fields */
		.ftrace_max = 4064,
	};
}

static void set_world(const struct fake_world *world)
{
	const char **strings[] = { &k.world.tracefs, &k.world.mounts, &k.world.denied };

	k.world = world ? *world : fake_world_default();
	for (size_t i = 0; i < 3; i++)
		if (*strings[i])
			*strings[i] = copy_bytes(*strings[i], strlen(*strings[i]));
}

void fake_kernel_change(const struct fake_world *world)
{
	lock();
	set_world(world);
	unlock();
}

static void clear_records(void)
{
	arena.used = 0;
	k.n_records = k.overrun = k.lost = 0;
}

void fake_kernel_reset(const struct fake_world *world)
{
	lock();
	memset(&k, 0, sizeof(k));
	heap.used = 0;
	clear_records();
	set_world(world);
	unlock();
}

static void set_tracers(struct event *event, unsigned int tracers)
{
	bool before = event->tracers;

	event->tracers = tracers;
	for (struct enabler *e = k.enablers; e; e = e->next)
		if (e->event == event && !e->held)
			set_enable_bit(e->addr, e->bit, e->size, tracers);
	if (tracers && !before)
		get(event);
	if (!tracers && before)
		put(event);
}

static bool matches(const struct event *event, const char *pattern)
{
	const char *system = system_of(event);
	size_t n = strlen(system);

	if (begins(pattern, system) && pattern[n] == ':')
		pattern += n + 1;
	return !strcmp(event->tracepoint, pattern) || !fnmatch(pattern, event->tracepoint, 0);
}

static int trace(const char *pattern, unsigned int on, unsigned int off)
{
	struct event *event, *next;
	int n = 0;

	lock();
	for (event = k.events; event; event = next) {
		next = event->next;
		if (matches(event, pattern)) {
			set_tracers(event, (event->tracers | on) & ~off);
			n++;
		}
	}
	unlock();
	return n;
}

int fake_kernel_enable(const char *pattern, unsigned int tracers)
{
	return trace(pattern, tracers, 0);
}

int fake_kernel_disable(const char *pattern, unsigned int tracers)
{
	return trace(pattern, 0, tracers);
}

int fake_kernel_other_register(const char *name_args, unsigned int flags)
{
	struct event *event;
	int err;

	lock();
	err = flags & ~k.world.known_flags || strlen(name_args) >= DESC_MAX ? -EINVAL : 0;
	if (!err)
		err = get_event(name_args, flags, &event);
	if (!err)
		event->others++;
	unlock();
	return err;
}

int fake_kernel_other_exit(const char *name)
{
	struct event *event, *next;
	int n = 0;

	lock();
	for (event = k.events; event; event = next) {
		next = event->next;
		if (strcmp(event->name, name))
			continue;
		for (int left = event->others; left; left--, n++) {
			event->others--;
			put(event);
		}
	}
	unlock();
	return n ? n : -ENOENT;
}

void fake_kernel_fail(enum fake_call call, unsigned int nth, unsigned int times, int err)
{
	lock();
	if (k.n_orders == ORDERS)
		abort();
	k.orders[k.n_orders++] = (struct order){
		.call = call,
		.first = k.calls[call] + nth,
		.end = k.calls[call] + nth + times,
		.err = err,
	};
	unlock();
}

void fake_kernel_hold_words(unsigned int registrations)
{
	lock();
	k.held = registrations;
	unlock();
}

static unsigned long ask(const unsigned long *value)
{
	unsigned long n;

	lock();
	n = *value;
	unlock();
	return n;
}

unsigned long fake_kernel_calls(enum fake_call call)
{
	return ask(&k.calls[call]);
}

void fake_kernel_clear_calls(void)
{
	lock();
	memset(k.calls, 0, sizeof(k.calls));
	k.n_orders = 0;
	unlock();
}

const struct fake_record *fake_kernel_record(size_t i)
{
	const struct fake_record *record;

	lock();
	record = i < k.n_records ? records[i] : NULL;
	unlock();
	return record;
}

size_t fake_kernel_records(void)
{
	return ask(&k.n_records);
}

void fake_kernel_clear_records(void)
{
	lock();
	clear_records();
	unlock();
}

unsigned long fake_kernel_lost(void)
{
	return ask(&k.lost);
}

unsigned long fake_kernel_overrun(void)
{
	return ask(&k.overrun);
}

unsigned int fake_kernel_events(void)
{
	return (unsigned int)ask(&k.n_events);
}

unsigned int fake_kernel_enablers(void)
{
	return (unsigned int)ask(&k.n_enablers);
}

unsigned int fake_kernel_fds(void)
{
	return (unsigned int)ask(&k.n_fds);
}

int fake_kernel_fd_flags(int fd)
{
	struct file *file;
	int flags;

	lock();
	file = get_file(fd);
	flags = file ? file->flags : -1;
	unlock();
	return flags;
}

int fake_kernel_fields(const char *tracepoint, char *buf, size_t size)
{
	const struct event *event;
	int ret = -ENOENT;
	size_t start;

	lock();
	event = find_tracepoint(tracepoint);
	start = heap.used;
	if (event) {
		print_fields(event);
		add("%s", "");
		ret = snprintf(buf, size, "%s", heap.memory + start);
	}
	heap.used = start;
	unlock();
	return ret;
}
