/* SPDX-License-Identifier: MIT */
/*
 * The fake kernel; see fake_kernel.h. Behaviour is that of Linux 6.12 on x86-64 where nothing
 * else is said; tests/fake_kernel/abi_table.c holds it to that.
 *
 * Nothing here comes from a user_events header: layouts and numbers are written down again, so
 * that a mistake in the library's own is a difference and not an agreement.
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

/* The encoded size is that of a pointer to the structure. */
#define IOC_REG _IOWR('*', 0, void *)
#define IOC_DEL _IOW('*', 1, void *)
#define IOC_UNREG _IOW('*', 2, void *)

#define DESC_MAX 512		/* name, fields and NUL */
#define ARRAY_MAX 1024
#define COMMON_SIZE 8u		/* common_type .. common_pid */
#define PAGE 4096u

/* ---- State ---- */

struct field {
	const char *type, *name;
	uint32_t offset;	/* in the record, common fields included */
	uint32_t size;
};

struct event {
	struct event *next;
	char *name;		/* as registered */
	char *tracepoint;	/* as traced */
	char *text;		/* that the fields point into */
	uint32_t hash;
	int refs;		/* fds, enablers, tracers, other processes, itself if persistent */
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
};

struct holder {
	struct holder *next;
	struct event *event;
};

enum kind { UNUSED, DATA, TEXT, COMMANDS };

struct file {
	enum kind kind;
	int flags;
	struct event **events;	/* by write index */
	size_t n_events, n_room;
	char *text;
	size_t length, offset;
};

struct order {
	enum fake_call call;
	unsigned long first, end;
	int err;
};

#define FD_BASE (1 << 20)	/* fs.nr_open: a real fd is below */
#define FDS 256
#define ORDERS 32
#define ARENA_SIZE ((size_t)64 << 20)
#define RECORDS_MAX ((size_t)1 << 20)

static struct {
	struct fake_world world;
	char *strings[3];	/* the world's */
	struct event *events;
	unsigned int n_events;
	uint64_t multi_id;
	struct enabler *enablers;
	struct holder *others;
	struct holder *lingering;	/* references that end at fake_kernel_settle() */
	struct file files[FDS];
	unsigned long calls[FAKE_CALLS];
	struct order orders[ORDERS];
	unsigned int n_orders;
	unsigned char *arena;
	size_t arena_used;
	struct fake_record **records;
	size_t n_records;
	unsigned long overrun, lost_ftrace, lost_perf;
} k;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void fork_prepare(void);
static void fork_done(void);

static void set_up(void)
{
	size_t index = RECORDS_MAX * sizeof(*k.records);
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

	k.arena = mmap(NULL, ARENA_SIZE, PROT_READ | PROT_WRITE, flags, -1, 0);
	k.records = mmap(NULL, index, PROT_READ | PROT_WRITE, flags, -1, 0);
	if (k.arena == MAP_FAILED || (void *)k.records == MAP_FAILED)
		abort();
	k.world = fake_world_default();
	pthread_atfork(fork_prepare, fork_done, fork_done);
}

/* A signal handler that writes would wait for the call that it interrupted. */
static void lock(sigset_t *old)
{
	static const int keep[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT };
	sigset_t all;

	sigfillset(&all);
	for (size_t i = 0; i < sizeof(keep) / sizeof(*keep); i++)
		sigdelset(&all, keep[i]);
	pthread_once(&once, set_up);
	pthread_sigmask(SIG_BLOCK, &all, old);
	pthread_mutex_lock(&mutex);
}

static void unlock(const sigset_t *old)
{
	pthread_mutex_unlock(&mutex);
	pthread_sigmask(SIG_SETMASK, old, NULL);
}

/* fork holds the lock as any call does: a handler that ran meanwhile would wait for ever. */
static sigset_t fork_signals;

static void fork_prepare(void)
{
	sigset_t old;

	lock(&old);
	fork_signals = old;
}

static void fork_done(void)
{
	sigset_t old = fork_signals;

	unlock(&old);
}

static int result(long ret)
{
	/* What the C library makes of a system call's answer. */
	if (ret < 0 && ret >= -4095) {
		errno = (int)-ret;
		return -1;
	}
	return (int)ret;
}

/*
 * A heap of the fake's own. Under the lock nothing may wait for malloc: it can be held by a thread
 * that a signal interrupted in it and whose handler waits for the lock.
 */
#define CLASSES 28		/* of 16, 32, 64 ... bytes */
#define CHUNK ((size_t)1 << 20)

union block {
	struct {
		union block *next;
		unsigned int class;
	} free;
	char align[16];
};

static struct {
	union block *free[CLASSES];
	char *chunk;
	size_t left;
} heap;

static void *alloc(size_t n)
{
	unsigned int class = 0;
	union block *block;
	size_t size;

	while (((size_t)16 << class) < n)
		class++;
	block = heap.free[class];
	if (block) {
		heap.free[class] = block->free.next;
	} else {
		size = sizeof(*block) + ((size_t)16 << class);
		if (size > heap.left) {
			heap.left = size > CHUNK ? size : CHUNK;
			heap.chunk = mmap(NULL, heap.left, PROT_READ | PROT_WRITE,
					  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
			if (heap.chunk == MAP_FAILED)
				abort();
		}
		block = (union block *)(void *)heap.chunk;
		heap.chunk += size;
		heap.left -= size;
	}
	block->free.class = class;
	return memset(block + 1, 0, n);
}

static void release(void *p)
{
	union block *block = p;

	if (!p)
		return;
	block--;
	block->free.next = heap.free[block->free.class];
	heap.free[block->free.class] = block;
}

static char *copy_bytes(const char *s, size_t n)
{
	return memcpy(alloc(n + 1), s, n);
}

/* Text that grows. */
struct text {
	char *p;
	size_t n, size;
};

__attribute__((format(printf, 2, 3)))
static void add(struct text *text, const char *format, ...)
{
	char part[3 * DESC_MAX];
	va_list args;
	size_t n;

	va_start(args, format);
	n = (size_t)vsnprintf(part, sizeof(part), format, args);
	va_end(args);
	if (n >= sizeof(part))
		abort();
	if (text->n + n >= text->size) {
		char *p = alloc(2 * (text->n + n + 1));

		memcpy(p, text->p ? text->p : "", text->n);
		release(text->p);
		text->p = p;
		text->size = 2 * (text->n + n + 1);
	}
	memcpy(text->p + text->n, part, n + 1);
	text->n += n;
}

/* Counts the call; the errno that it has to fail with, or 0. */
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
 * futex(2) touches a word as the kernel would and tells instead of dying. The numbers are those of
 * <linux/futex.h>, which musl-gcc does not find.
 */
#ifndef SYS_futex
#define SYS_futex SYS_futex_time64
#endif
#define FUTEX_WAIT_PRIVATE (0 | 128)
#define FUTEX_WAKE_OP_PRIVATE (5 | 128)
#define FUTEX_OP_OR_0 (2 << 28)

static bool readable_page(uintptr_t addr)
{
	static const long zero[4];	/* a struct timespec of either size */
	long ret = syscall(SYS_futex, addr & ~(uintptr_t)3, FUTEX_WAIT_PRIVATE, 0, zero, NULL, 0);

	return !(ret < 0 && errno == EFAULT);
}

static bool readable(const void *p, size_t n)
{
	uintptr_t addr = (uintptr_t)p, last = addr + n - 1;
	int saved = errno;
	bool ok = true;

	if (!n)
		return true;
	if (last < addr)
		return false;
	for (; ok && addr <= last; addr = (addr | (PAGE - 1)) + 1) {
		ok = readable_page(addr);
		if ((addr | (PAGE - 1)) == UINTPTR_MAX)
			break;
	}
	errno = saved;
	return ok;
}

static bool writable(uint64_t where)
{
	uintptr_t addr = (uintptr_t)where & ~(uintptr_t)3;
	static uint32_t nobody;
	int saved = errno;
	long ret;

	/* *addr |= 0, atomically */
	ret = syscall(SYS_futex, &nobody, FUTEX_WAKE_OP_PRIVATE, 0, (void *)0, addr,
		      FUTEX_OP_OR_0);
	ret = ret < 0 && errno == EFAULT;
	errno = saved;
	return !ret;
}

/* Copies a string of less than max bytes to a new buffer: 0, -EFAULT or -EINVAL. */
static int copy_string(const char *user, size_t max, char **out)
{
	size_t n = 0;

	for (;; n++) {
		if (n == max)
			return -EINVAL;
		if ((n == 0 || ((uintptr_t)(user + n) & (PAGE - 1)) == 0) && !readable(user + n, 1))
			return -EFAULT;
		if (!user[n])
			break;
	}
	*out = copy_bytes(user, n);
	return 0;
}

/* A structure that may be longer than we know, if the rest is zero: 0 or -errno. */
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

/* 0, or -EFAULT if the word is not there to be written. */
static int set_enable_bit(uint64_t addr, uint8_t bit, uint8_t size, bool on)
{
	uint32_t *word, mask;

	if (!writable(addr))
		return -EFAULT;
	/* of 64 bits, the half with the bit: not every machine changes all at once */
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

/* The kernel's isspace() is Latin-1's. */
static bool space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r') || c == '\xa0';
}

/* The kernel's reading of an unsigned number: a plus, a radix, a newline. False: it is none. */
static bool number(const char *s, unsigned int base, uint32_t *out)
{
	uint64_t n = 0;
	bool any = false;

	if (*s == '+')
		s++;
	if (!base) {
		base = 10;
		if (*s == '0') {
			base = 8;
			if ((s[1] | 32) == 'x' && isxdigit((unsigned char)s[2])) {
				base = 16;
				s += 2;
			}
		}
	}
	for (;; s++, any = true) {
		unsigned int digit;

		if (*s >= '0' && *s <= '9')
			digit = (unsigned int)(*s - '0');
		else if ((*s | 32) >= 'a' && (*s | 32) <= 'f')
			digit = (unsigned int)((*s | 32) - 'a' + 10);
		else
			break;
		if (digit >= base)
			break;
		n = n * base + digit;
		if (n > UINT32_MAX)
			return false;
	}
	if (*s == '\n')
		s++;
	if (!any || *s)
		return false;
	*out = (uint32_t)n;
	return true;
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

/* 0: refused. */
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
	/* Seven characters are looked at; what follows the bracket is not. */
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

/* One field, cut up in place: 0 or -errno. An empty one is nothing. */
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
		/* Read as a negative error by 6.12. */
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
 * Whether text describes the fields of the event. The kernel compares words: white space does not
 * count, but an empty field does, and so do digits ("010" is not "10").
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
		if (p[-1] == ';' && !k.world.semicolon_bug)
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

static uint32_t hash(const char *s)
{
	uint32_t h = 2166136261u;

	while (*s)
		h = (h ^ (unsigned char)*s++) * 16777619u;
	return h;
}

static void free_event(struct event *event)
{
	release(event->name);
	release(event->tracepoint);
	release(event->text);
	release(event);
}

static void destroy(struct event *event)
{
	struct event **p = &k.events;

	while (*p != event)
		p = &(*p)->next;
	*p = event->next;
	k.n_events--;
	free_event(event);
}

static struct event *get(struct event *event)
{
	event->refs++;
	return event;
}

static void put(struct event *event)
{
	if (!--event->refs)
		destroy(event);
}

static void hold(struct holder **list, struct event *event)
{
	struct holder *holder = alloc(sizeof(*holder));

	holder->event = event;
	holder->next = *list;
	*list = holder;
}

static void put_later(struct event *event)
{
	if (k.world.linger)
		hold(&k.lingering, event);
	else
		put(event);
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
 * Finds or makes the event of "name fields"; the caller holds a reference then. 0 or -errno
 * (or, for one mad size of a struct, a number that the kernel takes for an error).
 */
static int get_event(const char *desc, unsigned int flags, struct event **out)
{
	const char *args = strchr(desc, ' ');
	size_t len = args ? (size_t)(args - desc) : strlen(desc);
	size_t n = 1;
	struct event *event;
	char *name;
	uint32_t h;
	int err;

	if (memchr(desc, ':', len))
		return -EINVAL;
	if (!may(flags))
		return -EPERM;
	if (args)
		args++;
	name = copy_bytes(desc, len);
	h = hash(name);

	for (event = k.events; event; event = event->next) {
		if (event->hash != h || strcmp(event->name, name) ||
		    (event->flags ^ flags) & FAKE_REG_MULTI_FORMAT)
			continue;
		if (fields_match(event, args)) {
			release(name);
			*out = get(event);
			return 0;
		}
		if (!(flags & FAKE_REG_MULTI_FORMAT)) {
			release(name);
			return -EADDRINUSE;
		}
	}

	for (const char *p = args; p && *p; p++)
		n += *p == ';';
	event = alloc(sizeof(*event) + n * sizeof(event->fields[0]));
	event->name = name;
	event->hash = h;
	event->flags = flags;
	event->text = args ? copy_bytes(args, strlen(args)) : NULL;
	if (flags & FAKE_REG_MULTI_FORMAT) {
		event->tracepoint = alloc(len + 18);
		/* Counts on even when the fields are refused. */
		sprintf(event->tracepoint, "%s.%llx", name, (unsigned long long)k.multi_id++);
	} else {
		event->tracepoint = copy_bytes(name, len);
	}
	err = parse_fields(event, event->text);
	if (!err && k.n_events >= k.world.max_events)
		err = -EMFILE;
	if (err) {
		free_event(event);
		return err;
	}
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
	struct enabler *enabler;
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

	for (enabler = k.enablers; enabler; enabler = enabler->next)
		if (enabler->addr == reg.enable_addr && enabler->bit == reg.enable_bit)
			return -EADDRINUSE;

	err = copy_string((const char *)(uintptr_t)reg.name_args, DESC_MAX, &desc);
	if (err)
		return err;
	err = get_event(desc, reg.flags, &event);
	release(desc);
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
			release(file->events);
			file->events = more;
			file->n_room = 2 * (index + 1);
		}
		file->events[file->n_events++] = get(event);
	}
	put(event);

	/* The fd keeps the event and its index even if the word cannot be written. */
	if (set_enable_bit(reg.enable_addr, reg.enable_bit, reg.enable_size, event->tracers))
		return -ENOMEM;
	enabler = alloc(sizeof(*enabler));
	enabler->event = get(event);
	enabler->addr = reg.enable_addr;
	enabler->bit = reg.enable_bit;
	enabler->size = reg.enable_size;
	enabler->next = k.enablers;
	k.enablers = enabler;

	if (writable(index_addr) && writable(index_addr + 3))
		memcpy((void *)(uintptr_t)index_addr, &index, sizeof(index));
	return 0;
}

static int do_unreg(const void *user)
{
	struct enabler **p = &k.enablers, *enabler;
	struct unreg unreg;
	uint8_t size = 0;
	int err;

	err = copy_struct(&unreg, sizeof(unreg), user);
	if (err)
		return err;
	if (unreg.reserved || unreg.reserved2)
		return -EINVAL;
	while ((enabler = *p)) {
		if (enabler->addr == unreg.disable_addr && enabler->bit == unreg.disable_bit) {
			*p = enabler->next;
			size = enabler->size;
			put_later(enabler->event);
			release(enabler);
		} else {
			p = &enabler->next;
		}
	}
	if (!size)
		return -ENOENT;
	return set_enable_bit(unreg.disable_addr, unreg.disable_bit, size, false);
}

/* Deletes all formats of a name, or the one with FIELDS. */
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
		destroy(event);
	}
	return err;
}

static int do_del(const void *user)
{
	char *name;
	int ret;

	ret = copy_string(user, DESC_MAX, &name);
	if (ret)
		return ret;
	ret = delete(name, NULL);
	release(name);
	return ret;
}

/* "-:user_events/NAME FIELDS"; without the group the kernel asks all kinds of events */
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
	release(name);
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

static void escape(struct text *f, const char *path)
{
	for (; *path; path++)
		if (strchr(" \t\n\\#", *path))
			add(f, "\\%03o", (unsigned int)*path);
		else
			add(f, "%c", *path);
}

static void print_mounts(struct text *f, const char *arg)
{
	(void)arg;
	if (k.world.mounts) {
		for (const char *p = k.world.mounts; *p; p++)
			add(f, "%c", *p);
		return;
	}
	/* Names that a careless reader takes for the file system type, and the other way about. */
	add(f, "%s", "/dev/sda1 / ext4 rw,relatime 0 0\n"
		   "proc /proc proc rw,nosuid,nodev,noexec,relatime 0 0\n"
		   "sysfs /sys sysfs rw,nosuid,nodev,noexec,relatime 0 0\n"
		   "tracefs /mnt/not\\040this\\040one ext4 rw,relatime 0 0\n"
		   "/dev/sdb1 /tracefs ext4 rw,relatime 0 0\n");
	if (k.world.tracefs) {
		add(f, "none ");
		escape(f, k.world.tracefs);
		add(f, " tracefs rw,nosuid,nodev,noexec,relatime 0 0\n");
	}
	add(f, "tmpfs /tmp tmpfs rw,nosuid,nodev 0 0\n");
}

static void print_status(struct text *f, const char *arg)
{
	unsigned int busy = 0;

	(void)arg;
	for (const struct event *event = k.events; event; event = event->next) {
		add(f, "%s", event->tracepoint);
		if (event->tracers) {
			add(f, " # Used by%s%s%s", event->tracers & FAKE_FTRACE ? " ftrace" : "",
			    event->tracers & FAKE_PERF ? " perf" : "",
			    event->tracers & FAKE_OTHER ? " other" : "");
			busy++;
		}
		add(f, "\n");
	}
	add(f, "\nActive: %u\nBusy: %u\n", k.n_events, busy);
}

static void print_fields(struct text *f, const struct event *event)
{
	char text[DESC_MAX + 16];

	for (size_t i = 0; i < event->n_fields; i++) {
		print_field(&event->fields[i], text, sizeof(text));
		add(f, "%s%s", i ? "; " : "", text);
	}
}

static void print_dynamic_events(struct text *f, const char *arg)
{
	(void)arg;
	for (const struct event *event = k.events; event; event = event->next) {
		add(f, "u:%s%s", event->name, event->n_fields ? " " : "");
		print_fields(f, event);
		add(f, "\n");
	}
}

static const char *print_format_of(const char *type)
{
	for (size_t i = 0; i < TYPES; i++)
		if (!strcmp(type, types[i].name))
			return types[i].format;
	return strstr(type, "char[") ? "%s" : "%llu";
}

static void print_format(struct text *f, const char *tracepoint)
{
	const struct event *event = find_tracepoint(tracepoint);

	add(f, "name: %s\nID: 0\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
		"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n", event->tracepoint);
	for (size_t i = 0; i < event->n_fields; i++) {
		const struct field *field = &event->fields[i];
		const char *array = strchr(field->type, '[');

		if (begins(field->type, "__data_loc") || !array)
			add(f, "\tfield:%s %s;", field->type, field->name);
		else
			add(f, "\tfield:%.*s %s[" FAKE_ARRAY_NUMBER "];", (int)(array - field->type),
				field->type, field->name);
		add(f, "\toffset:%u;\tsize:%u;\tsigned:%d;\n", (unsigned int)field->offset,
			(unsigned int)field->size, field->type[0] != 'u');
	}
	add(f, "\nprint fmt: \"");
	for (size_t i = 0; i < event->n_fields; i++)
		add(f, "%s%s=%s", i ? " " : "", event->fields[i].name,
			print_format_of(event->fields[i].type));
	add(f, "\"");
	for (size_t i = 0; i < event->n_fields; i++) {
		const struct field *field = &event->fields[i];

		if (!is_loc(field->type) || !strstr(field->type, "char"))
			add(f, ", REC->%s", field->name);
		else
			add(f, ", __get_%sstr(%s)",
				begins(field->type, "__rel") ? "rel_" : "", field->name);
	}
	add(f, "\n");
}

/* The rest of path below the tracefs directory, or NULL. Slashes count once. */
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

/* What is to be read at path, or NULL and -errno. */
static void (*find_text(const char *path, const char **arg, int *err))(struct text *, const char *)
{
	static const struct {
		const char *name;
		void (*print)(struct text *, const char *);
	} files[] = {
		{ "user_events_status", print_status },
		{ "dynamic_events", print_dynamic_events },
	};
	const char *rest = below_tracefs(path);

	*err = 0;
	if (!strcmp(path, "/proc/self/mounts") || !strcmp(path, "/proc/mounts")) {
		*err = -k.world.mounts_errno;
		return print_mounts;
	}
	for (size_t i = 0; rest && !k.world.data_errno && i < sizeof(files) / sizeof(*files); i++)
		if (!strcmp(rest, files[i].name))
			return files[i].print;
	/* a directory, to be looked for and not to be read; the kernel without user_events has it */
	if (rest && !strcmp(rest, "events") && (!k.world.data_errno || k.world.data_errno == ENOENT))
		return print_dynamic_events;
	if (rest && begins(rest, "events/")) {
		for (const struct event *e = k.events; e; e = e->next) {
			char name[2 * DESC_MAX];

			snprintf(name, sizeof(name), "events/%s/%s/format", system_of(e),
				 e->tracepoint);
			if (!strcmp(name, rest)) {
				*arg = e->tracepoint;
				return print_format;
			}
		}
	}
	*err = rest && k.world.data_errno ? -k.world.data_errno : -ENOENT;
	return NULL;
}

static int do_open(const char *path, int flags)
{
	void (*print)(struct text *, const char *);
	const char *rest = below_tracefs(path);
	const char *arg = NULL;
	struct file *file;
	int fd = 0, err;

	while (fd < FDS && k.files[fd].kind != UNUSED)
		fd++;
	if (fd == FDS)
		return -EMFILE;
	if (k.world.denied && begins(path, k.world.denied))
		return -EACCES;
	file = &k.files[fd];
	if (rest && !strcmp(rest, "user_events_data")) {
		if (k.world.data_errno)
			return -k.world.data_errno;
		memset(file, 0, sizeof(*file));
		file->kind = DATA;
	} else if (rest && !strcmp(rest, "dynamic_events") && (flags & O_ACCMODE) == O_WRONLY) {
		memset(file, 0, sizeof(*file));
		file->kind = COMMANDS;
	} else {
		struct text text = { 0 };

		print = find_text(path, &arg, &err);
		if (err)
			return err;
		if ((flags & O_ACCMODE) != O_RDONLY)
			return -EACCES;
		memset(file, 0, sizeof(*file));
		print(&text, arg);
		file->text = text.p;
		file->length = text.n;
		file->kind = TEXT;
	}
	file->flags = flags;
	return fd + FD_BASE;
}

static void close_file(struct file *file)
{
	for (size_t i = 0; i < file->n_events; i++)
		if (file->events[i]->refs == 1)
			put_later(file->events[i]);
		else
			put(file->events[i]);
	release(file->events);
	release(file->text);
	memset(file, 0, sizeof(*file));
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

/* Copies n bytes at offset `from` of the segments; false: not all can be read. */
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
		if (p) {
			memcpy(p, base, len);
			p += len;
		}
		n -= len;
	}
	return n == 0;
}

/* Whether the loc fields of a record (common fields and payload) stay inside it. */
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
		/* An empty string, too, must follow a NUL; before the record nothing is known. */
		if (strstr(field->type, "char") && end && record[end - 1])
			return false;
	}
	return true;
}

static void *from_arena(size_t n)
{
	void *p = k.arena + k.arena_used;

	n = (n + 15) & ~(size_t)15;
	if (n > ARENA_SIZE - k.arena_used)
		return NULL;
	k.arena_used += n;
	return p;
}

static ssize_t do_write(struct file *file, const struct iovec *iov, int n_iov, size_t total,
			unsigned int segments)
{
	size_t arena_used = k.arena_used;
	struct fake_record *record;
	unsigned int takers = 0;
	unsigned char *bytes;
	struct event *event;
	size_t size;
	char *name;
	int index;

	if (file->kind != DATA || (file->flags & O_ACCMODE) == O_RDONLY)
		return -EBADF;
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
	if (!gather(NULL, size, iov, n_iov, sizeof(index)))
		return -EFAULT;

	/* What has no room is lost before it is looked at: also a record that is not valid. */
	if (event->tracers & FAKE_FTRACE) {
		if (size <= k.world.ftrace_max)
			takers |= FAKE_FTRACE;
		else
			k.lost_ftrace++;
	}
	if (event->tracers & FAKE_PERF) {
		if (size <= k.world.perf_max)
			takers |= FAKE_PERF;
		else
			k.lost_perf++;
	}
	takers |= event->tracers & FAKE_OTHER;
	if (!takers)
		return (ssize_t)total;

	record = from_arena(sizeof(*record));
	bytes = from_arena(COMMON_SIZE + size);
	name = from_arena(strlen(event->tracepoint) + 1);
	if (k.n_records == RECORDS_MAX || !record || !bytes || !name) {
		k.arena_used = arena_used;
		k.overrun++;
		return (ssize_t)total;
	}
	memset(bytes, 0, COMMON_SIZE);
	gather(bytes + COMMON_SIZE, size, iov, n_iov, sizeof(index));
	if (!valid(event, bytes, COMMON_SIZE + size)) {
		k.arena_used = arena_used;
		return -EFAULT;
	}
	strcpy(name, event->tracepoint);
	record->name = name;
	record->data = bytes + COMMON_SIZE;
	record->size = size;
	record->segments = segments;
	record->tracers = takers;
	record->index = index;
	record->thread = syscall(SYS_gettid);
	k.records[k.n_records++] = record;
	return (ssize_t)total;
}

/* ---- The calls ---- */

int fake_open(const char *path, int flags)
{
	sigset_t old;
	int ret;

	lock(&old);
	ret = -count(FAKE_OPEN);
	if (!ret)
		ret = do_open(path, flags);
	unlock(&old);
	return result(ret);
}

int fake_close(int fd)
{
	struct file *file;
	sigset_t old;
	int ret;

	lock(&old);
	ret = -count(FAKE_CLOSE);
	file = get_file(fd);
	if (file)
		close_file(file);
	else
		ret = -EBADF;
	unlock(&old);
	return result(ret);
}

ssize_t fake_read(int fd, void *buf, size_t n)
{
	struct file *file;
	sigset_t old;
	ssize_t ret;

	lock(&old);
	ret = -count(FAKE_READ);
	file = get_file(fd);
	if (!ret)
		ret = file ? do_read(file, buf, n) : -EBADF;
	unlock(&old);
	return result(ret);
}

int fake_ioctl(int fd, unsigned long request, void *argp)
{
	struct file *file;
	sigset_t old;
	int ret = 0;

	lock(&old);
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
	unlock(&old);
	return result(ret);
}

ssize_t fake_write(int fd, const void *buf, size_t n)
{
	struct iovec iov = { (void *)(uintptr_t)buf, n };
	struct file *file;
	sigset_t old;
	ssize_t ret;

	lock(&old);
	ret = -count(FAKE_WRITE);
	file = get_file(fd);
	if (!ret)
		ret = !file			 ? -EBADF
		      : file->kind == COMMANDS ? do_command(buf, n)
					       : do_write(file, &iov, 1, n, 0);
	unlock(&old);
	return result(ret);
}

ssize_t fake_writev(int fd, const struct iovec *iov, int n)
{
	struct file *file;
	size_t total = 0;
	sigset_t old;
	ssize_t ret;

	lock(&old);
	ret = -count(FAKE_WRITEV);
	file = get_file(fd);
	if (!ret && (!file || file->kind != DATA || (file->flags & O_ACCMODE) == O_RDONLY))
		ret = -EBADF;
	if (!ret && (n < 0 || n > 1024))
		ret = -EINVAL;
	if (!ret && !readable(iov, (size_t)n * sizeof(*iov)))
		ret = -EFAULT;
	for (int i = 0; !ret && i < n; i++) {
		if (iov[i].iov_len > SSIZE_MAX)
			ret = -EINVAL;
		total += iov[i].iov_len;
	}
	if (!ret && total)
		ret = do_write(file, iov, n, total, (unsigned int)n);
	unlock(&old);
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
		/* 4096, less the page's header, two event headers and the common fields */
		.ftrace_max = 4064,
		/* 8192, less the common fields */
		.perf_max = 8184,
	};
}

static void set_world(const struct fake_world *world)
{
	struct fake_world copy = world ? *world : fake_world_default();
	const char **s[] = { &copy.tracefs, &copy.mounts, &copy.denied };
	char *fresh[3];

	for (size_t i = 0; i < 3; i++) {
		fresh[i] = *s[i] ? copy_bytes(*s[i], strlen(*s[i])) : NULL;
		*s[i] = fresh[i];
	}
	for (size_t i = 0; i < 3; i++) {
		release(k.strings[i]);
		k.strings[i] = fresh[i];
	}
	k.world = copy;
}

void fake_kernel_change(const struct fake_world *world)
{
	sigset_t old;

	lock(&old);
	set_world(world);
	unlock(&old);
}

static void clear_records(void)
{
	k.arena_used = 0;
	k.n_records = 0;
	k.overrun = 0;
	k.lost_ftrace = 0;
	k.lost_perf = 0;
}

static void drop(struct holder **list)
{
	struct holder *holder;

	while ((holder = *list)) {
		*list = holder->next;
		put(holder->event);
		release(holder);
	}
}

void fake_kernel_settle(void)
{
	sigset_t old;

	lock(&old);
	drop(&k.lingering);
	unlock(&old);
}

void fake_kernel_reset(const struct fake_world *world)
{
	struct enabler *enabler;
	struct event *event;
	sigset_t old;

	lock(&old);
	while ((enabler = k.enablers)) {
		k.enablers = enabler->next;
		release(enabler);
	}
	drop(&k.others);
	drop(&k.lingering);
	for (int i = 0; i < FDS; i++) {
		k.files[i].n_events = 0;
		close_file(&k.files[i]);
	}
	while ((event = k.events)) {
		k.events = event->next;
		free_event(event);
	}
	k.n_events = 0;
	k.multi_id = 0;
	memset(k.calls, 0, sizeof(k.calls));
	k.n_orders = 0;
	clear_records();
	set_world(world);
	unlock(&old);
}

static void set_tracers(struct event *event, unsigned int tracers)
{
	unsigned int came = tracers & ~event->tracers, left = event->tracers & ~tracers;

	event->tracers = tracers;
	for (struct enabler *e = k.enablers; e; e = e->next)
		if (e->event == event)
			set_enable_bit(e->addr, e->bit, e->size, tracers);
	for (unsigned int bit = 1; bit <= FAKE_OTHER; bit <<= 1) {
		if (came & bit)
			get(event);
		if (left & bit)
			put(event);
	}
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
	sigset_t old;
	int n = 0;

	lock(&old);
	for (event = k.events; event; event = next) {
		next = event->next;
		if (matches(event, pattern)) {
			set_tracers(event, (event->tracers | on) & ~off);
			n++;
		}
	}
	unlock(&old);
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
	sigset_t old;
	int err;

	lock(&old);
	err = flags & ~k.world.known_flags || strlen(name_args) >= DESC_MAX ? -EINVAL : 0;
	if (!err)
		err = get_event(name_args, flags, &event);
	if (!err)
		hold(&k.others, event);
	unlock(&old);
	return err;
}

int fake_kernel_other_exit(const char *name)
{
	struct holder **p = &k.others, *holder;
	sigset_t old;
	int n = 0;

	lock(&old);
	while ((holder = *p)) {
		if (strcmp(holder->event->name, name)) {
			p = &holder->next;
			continue;
		}
		*p = holder->next;
		put(holder->event);
		release(holder);
		n++;
	}
	unlock(&old);
	return n ? n : -ENOENT;
}

void fake_kernel_fail(enum fake_call call, unsigned int nth, unsigned int times, int err)
{
	sigset_t old;

	lock(&old);
	if (k.n_orders == ORDERS)
		abort();
	k.orders[k.n_orders++] = (struct order){
		.call = call,
		.first = k.calls[call] + nth,
		.end = k.calls[call] + nth + times,
		.err = err,
	};
	unlock(&old);
}

unsigned long fake_kernel_calls(enum fake_call call)
{
	unsigned long n;
	sigset_t old;

	lock(&old);
	n = k.calls[call];
	unlock(&old);
	return n;
}

void fake_kernel_clear_calls(void)
{
	sigset_t old;

	lock(&old);
	memset(k.calls, 0, sizeof(k.calls));
	k.n_orders = 0;
	unlock(&old);
}

const struct fake_record *fake_kernel_record(size_t i)
{
	const struct fake_record *record;
	sigset_t old;

	lock(&old);
	record = i < k.n_records ? k.records[i] : NULL;
	unlock(&old);
	return record;
}

size_t fake_kernel_records(void)
{
	sigset_t old;
	size_t n;

	lock(&old);
	n = k.n_records;
	unlock(&old);
	return n;
}

void fake_kernel_clear_records(void)
{
	sigset_t old;

	lock(&old);
	clear_records();
	unlock(&old);
}

unsigned long fake_kernel_lost(unsigned int tracers)
{
	unsigned long n;
	sigset_t old;

	lock(&old);
	n = (tracers & FAKE_FTRACE ? k.lost_ftrace : 0) + (tracers & FAKE_PERF ? k.lost_perf : 0);
	unlock(&old);
	return n;
}

unsigned long fake_kernel_overrun(void)
{
	unsigned long n;
	sigset_t old;

	lock(&old);
	n = k.overrun;
	unlock(&old);
	return n;
}

unsigned int fake_kernel_events(void)
{
	unsigned int n;
	sigset_t old;

	lock(&old);
	n = k.n_events;
	unlock(&old);
	return n;
}

unsigned int fake_kernel_enablers(void)
{
	unsigned int n = 0;
	sigset_t old;

	lock(&old);
	for (struct enabler *e = k.enablers; e; e = e->next)
		n++;
	unlock(&old);
	return n;
}

unsigned int fake_kernel_fds(void)
{
	unsigned int n = 0;
	sigset_t old;

	lock(&old);
	for (int i = 0; i < FDS; i++)
		n += k.files[i].kind == DATA;
	unlock(&old);
	return n;
}

int fake_kernel_fd_flags(int fd)
{
	struct file *file;
	sigset_t old;
	int flags;

	lock(&old);
	file = get_file(fd);
	flags = file ? file->flags : -1;
	unlock(&old);
	return flags;
}

int fake_kernel_fields(const char *tracepoint, char *buf, size_t size)
{
	struct event *event;
	struct text text = { 0 };
	int ret = -ENOENT;
	sigset_t old;

	lock(&old);
	event = find_tracepoint(tracepoint);
	if (event) {
		print_fields(&text, event);
		ret = snprintf(buf, size, "%s", text.p ? text.p : "");
		release(text.p);
	}
	unlock(&old);
	return ret;
}
