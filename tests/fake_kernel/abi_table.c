/* SPDX-License-Identifier: MIT */
/*
 * A table of registrations and writes that runs on both the fake and the real kernel. It covers the
 * kernel's answers, its changes to enable words, the records of a tracer, and the contents of
 * tracefs.
 *
 *   abi_table [fake]                runs the table on tests/fake_kernel/fake_kernel.c
 *   abi_table real                  runs the table on this kernel, as root, with tracefs at
 *                                   /sys/kernel/tracing
 *   abi_table compare [N [FIRST]]   compares N random cases (default: 1000) on both
 *   abi_table list                  prints the names of the rows
 *
 * Both kernels must give the same result for every row. A row that fails prints one line. The last
 * line is "N passed, N failed". The exit status is 0 if no row failed.
 *
 * abi/language.h defines the language of the rows, abi/rows.c contains the rows, and abi/fake.c and
 * abi/real.c implement the two kernels. This file runs the rows.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "abi/language.h"

#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <time.h>

const struct world *now;

void die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fprintf(stderr, "abi_table: ");
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
	exit(2);
}

const char *system_of(const char *tracepoint)
{
	char path[1000];
	int fd;

	snprintf(path, sizeof(path), TRACEFS "/events/user_events_multi/%s/format", tracepoint);
	fd = now->open(path, O_RDONLY);
	if (fd < 0)
		return "user_events";
	now->close(fd);
	return "user_events_multi";
}

int register_event(int fd, const char *text, uint32_t *word, unsigned int flags)
{
	struct reg reg = {
		.size = REG_SIZE,
		.enable_size = 4,
		.flags = (uint16_t)flags,
		.enable_addr = (uintptr_t)word,
		.name_args = (uintptr_t)text,
	};

	return now->ioctl(fd, IOC_REG, &reg) ? -errno : (int)reg.write_index;
}

int unregister_event(int fd, uint64_t addr, int bit)
{
	struct unreg unreg = {
		.size = UNREG_SIZE,
		.disable_bit = (uint8_t)bit,
		.disable_addr = addr,
	};

	return now->ioctl(fd, IOC_UNREG, &unreg) ? -errno : 0;
}

/* ---- Running rows ---- */

#define FDS 4
#define ENABLERS 64

static struct {
	char name[32];			/* name of the row's event, which replaces @ */
	int fds[FDS], fd; /* fd is an index into fds, whose unused entries are -1 */
	unsigned char *memory;
	struct { uint64_t addr; uint8_t bit; } enablers[ENABLERS];
	int n_enablers;
	struct record last;
	struct { char name[600]; bool perf; } traced[8];
	int n_traced;
	char why[1000];			/* first difference found */
} run;

__attribute__((format(printf, 1, 2)))
static bool fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (!run.why[0])
		vsnprintf(run.why, sizeof(run.why), format, args);
	va_end(args);
	return false;
}

static uint64_t address(enum place place)
{
	static const uint16_t offsets[] = {
		[W0] = 0, [W1] = 8, [W2] = 16, [W3] = 24, [W0_HIGH] = 4, [ODD1] = 1, [ODD2] = 2,
		[ODD3] = 3, [FRESH] = PAGE, [LAST] = 3 * PAGE - 4, [PROTECTED] = 3 * PAGE,
		[RO] = 4 * PAGE,
	};

	switch (place) {
	case ZERO: return 0;
	case NOWHERE: return 0x10000;
	case KERNEL: return 0xffff800000000000;
	default: return (uintptr_t)(run.memory + offsets[place]);
	}
}

static void map_memory(void)
{
	int flags = MAP_PRIVATE | MAP_ANONYMOUS;

	run.memory = mmap(NULL, 5 * PAGE, PROT_READ | PROT_WRITE, flags, -1, 0);
	if (run.memory == MAP_FAILED ||
	    mprotect(run.memory + 3 * PAGE, PAGE, PROT_NONE) ||
	    mprotect(run.memory + 4 * PAGE, PAGE, PROT_READ))
		die("mmap: %s", strerror(errno));
}

/*
 * Returns TEXT with @ and ~ replaced. LENGTH is the length of the result, which determines the
 * replacement of ~. The last four results remain valid.
 */
static char *expand(const char *text, unsigned int length)
{
	static char buffers[4][6000];
	static unsigned int i;
	char *out = buffers[i++ % 4], *p = out;

	for (const char *c = text; *c; c++) {
		if (*c == '@') {
			p = stpcpy(p, run.name);
		} else if (*c == '~') {
			while (p < out + length - strlen(c + 1))
				*p++ = 'a';
		} else {
			*p++ = *c;
		}
	}
	*p = '\0';
	return out;
}

static char *slurp(const char *path)
{
	size_t n = 0, size = 1 << 16;
	char *text = malloc(size);
	int fd = now->open(path, O_RDONLY);
	ssize_t got;

	if (!text)
		die("no memory");
	while (fd >= 0 && (got = now->read(fd, text + n, size - n - 1)) > 0) {
		n += (size_t)got;
		if (size - n < PAGE && !(text = realloc(text, size *= 2)))
			die("no memory");
	}
	if (fd < 0) {
		free(text);
		return NULL;
	}
	now->close(fd);
	text[n] = '\0';
	return text;
}

/*
 * Returns true if the file contains LINE. If WORD is true, only the beginning of a line must match
 * LINE, up to a space or the end of the line.
 */
static bool has_line(const char *path, const char *line, bool word)
{
	char *text = slurp(path), *p = text;
	size_t n = strlen(line);
	bool found = false;

	while (p && *p && !found) {
		char *end = strchr(p, '\n');

		found = !strncmp(p, line, n) && (p[n] == '\n' || (word && p[n] == ' '));
		p = end ? end + 1 : NULL;
	}
	free(text);
	return found;
}

static unsigned int active_events(void)
{
	char *text = slurp(TRACEFS "/user_events_status");
	char *p = text ? strstr(text, "\nActive: ") : NULL;
	unsigned int n = p ? (unsigned int)strtoul(p + 9, NULL, 10) : 0;

	free(text);
	return n;
}

static void pause_ms(long ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&t, NULL);
}

/* Replaces NAME#N with the Nth tracepoint called NAME.HEX, in numeric order. */
static char *tracepoint(const char *text)
{
	char *name = expand(text, 0), *hash = strchr(name, '#'), *status, *p;
	unsigned long long from = 0, best;
	int nth;

	if (!hash)
		return name;
	nth = atoi(hash + 1);
	*hash = '.';
	hash[1] = '\0';
	status = slurp(TRACEFS "/user_events_status");
	do {
		best = ULLONG_MAX;
		for (p = status; p && *p; p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL) {
			unsigned long long id;

			if (strncmp(p, name, strlen(name)))
				continue;
			id = strtoull(p + strlen(name), NULL, 16);
			if (id >= from && id < best)
				best = id;
		}
		from = best + 1;
	} while (nth-- && best != ULLONG_MAX);
	free(status);
	/* ULLONG_MAX is not the number of any event */
	sprintf(hash + 1, "%llx", best);
	return name;
}

static int get_fd(void)
{
	if (run.fd < 0)
		return -1;
	if (run.fds[run.fd] < 0)
		run.fds[run.fd] = now->open(TRACEFS "/user_events_data", O_RDWR | O_CLOEXEC);
	return run.fds[run.fd];
}

static void remember(uint64_t addr, uint8_t bit)
{
	if (run.n_enablers == ENABLERS)
		die("too many enablers in a row");
	run.enablers[run.n_enablers].addr = addr;
	run.enablers[run.n_enablers++].bit = bit;
}

static const char *error_name(long ret)
{
	static char number[2][24];
	static int i;

	if (ret < 0)
		return strerror((int)-ret);
	i = !i;
	snprintf(number[i], sizeof(number[i]), "%ld", ret);
	return number[i];
}

static bool answer(const struct step *s, long ret)
{
	return ret == s->want ||
	       fail("returns %s, expected %s", error_name(ret), error_name(s->want));
}

static bool do_reg(const struct step *s)
{
	static const unsigned char sentinel[4] = { 0xde, 0xad, 0xbe, 0xef };
	char *text = s->text ? expand(s->text, s->length) : NULL;
	struct reg reg;
	uint32_t index;
	long ret;

	memset(&reg, 0, sizeof(reg));
	memset(reg.tail, s->tail, sizeof(reg.tail));
	reg.size = s->struct_size ? s->struct_size : REG_SIZE;
	reg.enable_bit = (uint8_t)s->bit;
	reg.enable_size = (uint8_t)s->size;
	reg.flags = (uint16_t)s->flags;
	reg.enable_addr = address(s->place);
	reg.name_args = (uintptr_t)text;
	memcpy(&reg.write_index, sentinel, sizeof(sentinel));
	ret = now->ioctl(get_fd(), IOC_REG, &reg) ? -errno : 0;
	if (!ret)
		remember(reg.enable_addr, reg.enable_bit);
	if (!answer(s, ret))
		return false;
	memcpy(&index, &reg.write_index, sizeof(index));
	if (ret && memcmp(&index, sentinel, sizeof(index)))
		return fail("stores an index despite %s", error_name(ret));
	if (!ret && index > 1000)
		return fail("stores no index");
	if (!ret && s->index >= 0 && index != (uint32_t)s->index)
		return fail("returns index %u, expected %d", (unsigned int)index, s->index);
	return true;
}

static bool do_unreg(const struct step *s)
{
	struct unreg unreg;
	long ret;

	memset(&unreg, 0, sizeof(unreg));
	unreg.size = s->struct_size ? s->struct_size : UNREG_SIZE;
	unreg.disable_bit = (uint8_t)s->bit;
	unreg.reserved = (uint8_t)s->reserved;
	unreg.reserved2 = (uint16_t)(s->reserved >> 8);
	unreg.disable_addr = address(s->place);
	ret = now->ioctl(get_fd(), IOC_UNREG, &unreg) ? -errno : 0;
	return answer(s, ret);
}

/*
 * After a word is unregistered, Linux 6.12 releases its event with a delay, and returns EBUSY in
 * the meantime.
 */
static long do_del(char *name, bool at_once)
{
	long ret = -EBUSY;

	for (int i = 0; ret == -EBUSY && i < (at_once ? 1 : 100); i++) {
		if (i)
			pause_ms(20);
		ret = now->ioctl(get_fd(), IOC_DEL, name) ? -errno : 0;
	}
	return ret;
}

static unsigned char *put_words(unsigned char *p, char kind, uint64_t v)
{
	size_t size = kind <= '8' ? (size_t)(kind - '0') : (size_t)v;

	if (!strchr("1248zn", kind))
		die("no such word: %c", kind);
	memset(p, 0, size);
	if (kind <= '8')
		memcpy(p, (char *)&v + (LITTLE ? 0 : 8 - size), size);
	for (size_t i = 0; kind == 'n' && i < size; i++)
		p[i] = (unsigned char)(i * 7 + 1);
	return p + size;
}

/* Writes the words of a payload to BUF. A | ends a segment. */
static size_t make_payload(const char *text, unsigned char *buf, struct iovec *iov, int *n_iov)
{
	unsigned char *p = buf, *start = buf;
	int n = 0;

	for (; *text; text += strcspn(text, " |")) {
		char kind;

		text += strspn(text, " ");
		if (*text == '|') {
			text++;
			iov[n].iov_base = start;
			iov[n++].iov_len = (size_t)(p - start);
			start = p;
			text += strspn(text, " ");
			if (*text == '|')
				continue;
		}
		if (!*text)
			break;
		kind = *text;
		text += 2;
		if (kind == 's') {
			size_t len = strcspn(text, " |");

			memcpy(p, text, len);
			p += len;
		} else if (kind == 'l') {
			uint64_t size = strtoul(text, NULL, 10);

			p = put_words(p, '4',
				      size << 16 | strtoul(strchr(text, ',') + 1, NULL, 10));
		} else {
			p = put_words(p, kind, strtoull(text, NULL, 10));
		}
	}
	iov[n].iov_base = start;
	iov[n++].iov_len = (size_t)(p - start);
	*n_iov = n;
	return (size_t)(p - buf);
}

/*
 * Compares the result of a write with the expected result, and the recorded bytes with the payload.
 */
static bool check_write(const struct step *s, ssize_t ret, const unsigned char *bytes, size_t size)
{
	bool taken = s->want == OK || s->want == LOST;
	long want = taken ? (long)size : s->want;
	size_t payload = size - 4, shown = payload;
	int n = now->records(&run.last);

	/* The ring buffer counts in words, and cannot store a record of 8 bytes. */
	if (now->rounds)
		shown = payload ? (payload + 3) & ~(size_t)3 : 4;

	if (ret != want)
		return fail("returns %s, expected %s", error_name(ret), error_name(want));
	if (n != (s->want == OK))
		return fail("%d records, expected %d", n, s->want == OK);
	if (!n)
		return true;
	if (run.last.size != shown)
		return fail("%zu bytes recorded, expected %zu", run.last.size, shown);
	if (memcmp(run.last.data, bytes + 4, payload))
		return fail("the recorded bytes differ from those written");
	return strncmp(run.last.tracepoint, run.name, strlen(run.name)) ?
	       fail("recorded under the tracepoint %s", run.last.tracepoint) : true;
}

static bool do_write(const struct step *s)
{
	static unsigned char buf[PAYLOAD_MAX];
	static struct iovec iov[256];
	void *p = s->op == OP_WRITE_AT ? (void *)(uintptr_t)address(s->place) : buf;
	size_t size = s->op == OP_WRITE_AT ? (size_t)s->value : 0;
	int n = 0, fd = get_fd();
	ssize_t ret;

	memset(buf, 0, size);
	if (s->op == OP_WRITE) {
		memcpy(buf, &s->index, 4);
		size = 4 + make_payload(s->text, buf + 4, iov, &n);
	} else if (s->op == OP_WRITEV && s->text) {
		size = make_payload(s->text, buf, iov, &n);
	}
	now->records(&run.last);
	ret = s->op == OP_WRITEV ? now->writev(fd, iov, n) : now->write(fd, p, size);
	return check_write(s, ret < 0 ? -errno : ret, buf, size);
}

/*
 * Converts f[N] to f[] for arrays without a length, because Linux 6.12 prints an uninitialised N.
 */
static void drop_lengths(char *text)
{
	char *to = text;

	for (; *text; text++) {
		*to++ = *text;
		if (*text == '[')
			text += strspn(text + 1, "-0123456789");
	}
	*to = '\0';
}

/*
 * Returns the fields in a format file as "declaration/offset/size/signed ...", without the common
 * fields.
 */
static bool do_format(const struct step *s)
{
	char *name = tracepoint(s->text), path[1000], *text, *p, *end, shown[4000] = "";
	size_t n = 0;
	bool ok;

	snprintf(path, sizeof(path), TRACEFS "/events/%s/%s/format", system_of(name), name);
	text = slurp(path);
	if (!text)
		return fail("no format file %s", path);
	p = strstr(text, "common_pid");
	p = p ? strchr(p, '\n') : NULL;
	if (s->op == OP_PRINT) {
		p = p ? strstr(p, "print fmt: ") : NULL;
		if (p)
			snprintf(shown, sizeof(shown), "%.*s", (int)strcspn(p + 11, "\n"), p + 11);
	} else {
		while (p && (p = strstr(p, "\tfield:"))) {
			int offset = -1, size = -1, is_signed = -1;

			p += 7;
			end = strchr(p, ';');
			if (!end || sscanf(end, ";\toffset:%d;\tsize:%d;\tsigned:%d;", &offset,
					   &size, &is_signed) != 3)
				break;
			n += (size_t)snprintf(shown + n, sizeof(shown) - n, "%s%.*s/%d/%d/%d",
					      n ? " " : "", (int)(end - p), p, offset, size,
					      is_signed);
			if (n >= sizeof(shown))
				break;
		}
	}
	free(text);
	drop_lengths(shown);
	ok = !strcmp(shown, s->expect);
	return ok || fail("shows '%s', expected '%s'", shown, s->expect);
}

static bool do_line(const struct step *s)
{
	const char *path = s->op == OP_DYNAMIC ? TRACEFS "/dynamic_events" :
			   TRACEFS "/user_events_status";
	/* user_events_status shows text after a name only if the name has no number suffix */
	char *line = strchr(s->text, ' ') ? expand(s->text, 0) : tracepoint(s->text);
	bool want = s->op != OP_NO_STATUS, has = !want;

	/* The kernel removes unused events with a delay. */
	for (int i = 0; i < 100; i++) {
		has = has_line(path, line, s->op == OP_NO_STATUS);
		if (has == want)
			break;
		pause_ms(20);
	}
	return has == want || fail("the line is %s in %s", has ? "present" : "missing", path);
}

static bool do_trace(const struct step *s)
{
	char *name = tracepoint(s->text);
	int ret;

	if (s->op == OP_PERF) {
		ret = now->perf(name);
	} else {
		ret = now->trace(name, s->op == OP_ON);
		if (s->op == OP_ON && run.n_traced < (int)ARRAY_SIZE(run.traced))
			snprintf(run.traced[run.n_traced++].name, sizeof(run.traced[0].name), "%s",
				 name);
	}
	return answer(s, ret);
}

static bool do_step(const struct step *s)
{
	void *word = (void *)(uintptr_t)address(s->place);
	uint64_t v;
	long ret;

	switch (s->op) {
	case OP_FD:
		run.fd = s->bit;
		return true;
	case OP_OPEN_RDONLY:
		run.fds[run.fd] = now->open(TRACEFS "/user_events_data", O_RDONLY | O_CLOEXEC);
		return run.fds[run.fd] >= 0 || fail("cannot open: %s", strerror(errno));
	case OP_CLOSE:
		ret = now->close(run.fds[run.fd]) ? -errno : 0;
		run.fds[run.fd] = -1;
		return answer(s, ret);
	case OP_REG:
		return do_reg(s);
	case OP_UNREG:
		return do_unreg(s);
	case OP_DEL:
		return answer(s, do_del(expand(s->text, s->length), s->want == -EBUSY));
	case OP_IOCTL:
		ret = now->ioctl(get_fd(), (unsigned long)s->value,
				 (void *)(uintptr_t)address(s->place)) ? -errno : 0;
		return answer(s, ret);
	case OP_COMPAT:
		return answer(s, now->compat(get_fd()));
	case OP_SET:
		__atomic_store_n((uint32_t *)word, (uint32_t)s->value, __ATOMIC_SEQ_CST);
		return true;
	case OP_WORD:
		v = s->size == 8 ? *(volatile uint64_t *)word :
				   __atomic_load_n((uint32_t *)word, __ATOMIC_SEQ_CST);
		return v == s->value || fail("the word is %#llx, expected %#llx",
						(unsigned long long)v,
						(unsigned long long)s->value);
	case OP_ON:
	case OP_OFF:
	case OP_PERF:
		return do_trace(s);
	case OP_PERF_OFF:
		return answer(s, now->perf_off());
	case OP_WRITE:
	case OP_WRITEV:
	case OP_WRITE_AT:
		return do_write(s);
	case OP_RECORD:
		return !strcmp(tracepoint(s->text), run.last.tracepoint) ||
		       fail("the last record belongs to %s", run.last.tracepoint);
	case OP_PERF_COUNT:
		ret = now->perf_count();
		return ret == (long)s->value || fail("perf counts %ld, expected %lu", ret,
						     (unsigned long)s->value);
	case OP_STATUS:
	case OP_NO_STATUS:
	case OP_DYNAMIC:
		return do_line(s);
	case OP_FORMAT:
	case OP_PRINT:
		return do_format(s);
	case OP_UNMAP:
		/*
		 * Makes the page inaccessible. This has the same effect as unmapping it, but keeps
		 * the address range reserved.
		 */
		if (mmap((void *)(uintptr_t)address(s->place), PAGE, PROT_NONE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
			die("mmap: %s", strerror(errno));
		return true;
	case OP_PERFMON:
		return answer(s, now->perfmon(s->value));
	case OP_MAX:
		return answer(s, now->max_events(active_events() + (unsigned int)s->value));
	case OP_OTHER:
		return answer(s, now->other(expand(s->text, 0), (unsigned int)s->flags));
	case OP_OTHER_EXIT:
		return answer(s, now->other_exit(run.name));
	case OP_END:
		break;
	}
	return fail("unknown step");
}

static void clean_up(unsigned int base)
{
	unsigned int left = 0;

	now->perfmon(true);
	now->max_events(32768);
	now->perf_off();
	for (int i = 0; i < run.n_traced; i++)
		now->trace(run.traced[i].name, false);
	run.fd = FDS - 1;
	for (int i = 0; i < run.n_enablers; i++)
		unregister_event(get_fd(), run.enablers[i].addr, run.enablers[i].bit);
	for (int i = 0; i < FDS; i++) {
		if (run.fds[i] >= 0)
			now->close(run.fds[i]);
		run.fds[i] = -1;
	}
	while (!now->other_exit(run.name))
		;
	/* delete the persistent event if the row has not deleted it */
	run.fd = FDS - 1;
	do_del(run.name, false);
	if (run.fds[FDS - 1] >= 0)
		now->close(run.fds[FDS - 1]);
	munmap(run.memory, 5 * PAGE);
	/* Restores the initial state of the system before each row. */
	for (int i = 0; i < 250; i++) {
		left = active_events();
		if (left <= base)
			return;
		pause_ms(20);
	}
	fail("leaves %u events behind", left - base);
}

/* Prepares a row. Returns the current number of events. */
static unsigned int begin(int number)
{
	memset(&run, 0, sizeof(run));
	snprintf(run.name, sizeof(run.name), "abi%d", number);
	for (int i = 0; i < FDS; i++)
		run.fds[i] = -1;
	if (now == &fake_world)
		set_up_fake();
	map_memory();
	return active_events();
}

static bool run_row(const struct row *row, int number)
{
	unsigned int base = begin(number);
	bool ok;

	for (size_t i = 0; i < ARRAY_SIZE(row->steps) && row->steps[i].op != OP_END; i++) {
		if (do_step(&row->steps[i]))
			continue;
		printf("%s: %s: step %zu%s%s%s: %s\n", now->name, row->name, i + 1,
		       row->steps[i].text ? " '" : "", row->steps[i].text ? row->steps[i].text : "",
		       row->steps[i].text ? "'" : "", run.why);
		break;
	}
	ok = !run.why[0];
	clean_up(base);
	if (ok && run.why[0])
		printf("%s: %s: %s\n", now->name, row->name, run.why);
	fflush(stdout);
	return !run.why[0];
}

/* ---- Running the table ---- */

static int run_table(const struct world *world)
{
	int passed = 0, failed = 0;

	now = world;
	if (world == &real_world)
		set_up_real();
	for (size_t i = 0; i < rows_count; i++) {
		if (run_row(&rows[i], (int)i))
			passed++;
		else
			failed++;
	}
	if (world == &real_world)
		tear_down_real();
	else
		check_fake_alone(&passed, &failed);
	printf("%d passed, %d failed\n", passed, failed);
	return failed != 0;
}

/* ---- Random registrations and writes ---- */

/*
 * State of a separate random generator, so that a case number identifies the same case on every
 * machine.
 */
static uint64_t random_state;

static unsigned int pick(unsigned int n)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned int)(random_state >> 33) % n;
}

#define PICK(a) ((a)[pick((unsigned int)ARRAY_SIZE(a))])

/* Generates specs. Most of them are valid or contain a small error. */
static void random_text(char *text)
{
	static const char *const types[] = {
		"u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "char", "short", "int",
		"unsigned char", "unsigned short", "unsigned int", "char[3]", "char[20]",
		"unsigned char[7]", "__rel_loc char[]", "__rel_loc u8[]",
		"__rel_loc unsigned char[]", "__rel_loc u32[]", "__data_loc u8[]",
		"__data_loc unsigned short[]", "struct s",
		"long", "bool", "unsigned", "signed", "char[]", "u8[2]", "char[0x8]", "char[09]",
		"char[+3]", "char[1024]", "char[1025]", "__rel_loc", "__data_loc unsigned",
		"struct", "struct  s", "const char", "",
	};
	static const char *const names[] = {
		"a", "b", "a", "b", "long_name", "", "*p", "x y", "c 4"
	};
	static const char *const ends[] = { "; ", "; ", "; ", ";", ";", ";;", "; ; ", " ;", ";  " };
	static const char mutations[] = " ;:[]0u9\t\n,.au\xa0";
	char *p = stpcpy(text, run.name);
	unsigned int n = pick(5);
	size_t len, at;

	if (n)
		p = stpcpy(p, pick(20) ? " " : "  ");
	for (unsigned int i = 0; i < n; i++) {
		const char *type = pick(4) ? types[pick(23)] : PICK(types);

		p = stpcpy(p, type);
		p = stpcpy(p, pick(30) ? " " : "  ");
		p = stpcpy(p, pick(8) ? names[pick(5)] : PICK(names));
		if (!strncmp(type, "struct", 6))
			p += sprintf(p, " %u", pick(12));
		if (i + 1 < n || !pick(8))
			p = stpcpy(p, pick(4) ? "; " : PICK(ends));
	}
	while (!pick(6)) {
		len = strlen(text);
		at = strlen(run.name) + pick((unsigned int)(len - strlen(run.name)) + 1);
		if (pick(2) && text[at]) {
			memmove(text + at, text + at + 1, len - at);
		} else {
			memmove(text + at + 1, text + at, len - at + 1);
			text[at] = mutations[pick(sizeof(mutations) - 1)];
		}
	}
}

/* Generates bytes that are likely to be loc fields with small sizes and offsets. */
static size_t random_payload(unsigned char *buf)
{
	static const unsigned int long_sizes[] = { 4063, 4064, 4065, 4068, 5000 };
	size_t size = pick(12) ? pick(64) : PICK(long_sizes);

	memset(buf, 0, size + 4);
	for (size_t i = 0; i < size; i++)
		if (pick(3))
			buf[i] = (unsigned char)pick(pick(4) ? 9 : 256);
	for (size_t i = 0; i < size; i += 4) {
		uint32_t loc = (uint32_t)pick(8) << 16 | pick(30);

		if (pick(2))
			memcpy(buf + i, &loc, 4);
	}
	return size;
}

struct log {
	char text[40000];
	size_t n;
};

__attribute__((format(printf, 2, 3)))
static void note(struct log *log, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	log->n += (size_t)vsnprintf(log->text + log->n, sizeof(log->text) - log->n, format, args);
	va_end(args);
	if (log->n >= sizeof(log->text))
		die("a case is too long");
}

static void note_reg(struct log *log, const char *text, enum place place, unsigned int flags)
{
	struct step step = {
		.op = OP_REG, .text = text, .place = place, .size = 4, .flags = (int)flags,
		.index = ANY, .want = 1,
	};

	/*
	 * The expected result of this step is 1, which never occurs. The step therefore always
	 * fails, with a message that contains the kernel's answer.
	 */
	run.why[0] = '\0';
	do_reg(&step);
	note(log, "register '%s' flags %u: %s\n", text, flags, run.why);
	run.why[0] = '\0';
}

static void note_write(struct log *log, int index)
{
	static unsigned char buf[PAGE * 2];
	size_t size = random_payload(buf + 4);
	size_t shown = size && now->rounds ? (size + 3) & ~(size_t)3 : size;
	ssize_t ret;
	int n;

	memcpy(buf, &index, 4);
	now->records(&run.last);
	ret = now->write(get_fd(), buf, size + 4);
	if (ret < 0)
		ret = -errno;
	n = now->records(&run.last);
	note(log, "write %d, %zu bytes: %s, %d records", index, size, error_name(ret), n);
	if (n) {
		bool same = run.last.size == shown || (!size && run.last.size == 4);

		same = same && !memcmp(run.last.data, buf + 4, size);
		note(log, ", %s, %s", run.last.tracepoint, same ? "as written" : "other bytes");
	}
	note(log, "\n");
}

static void observe(const struct world *world, int number, struct log *log)
{
	char text[3][1200], name[1200], path[1400], *format;
	unsigned int base, flags;

	now = world;
	log->n = 0;
	base = begin(number);
	random_state = (uint64_t)number * 977 + 1;
	pick(2);
	flags = pick(6) ? 0 : FAKE_REG_MULTI_FORMAT;
	random_text(text[0]);
	if (pick(2)) {
		random_text(text[1]);
	} else {
		/* Registers the same fields with different white space. */
		char *to = text[1];

		for (const char *c = text[0]; (*to++ = *c); c++)
			if (*c == ';' && pick(2))
				*to++ = ' ';
	}
	note_reg(log, text[0], W0, flags);
	note_reg(log, text[0], W1, flags);
	note_reg(log, text[1], W2, flags);

	if (!flags) {
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(text[0], " "), text[0]);
		snprintf(path, sizeof(path), TRACEFS "/events/user_events/%s/format", name);
		format = slurp(path);
		if (format && strstr(format, "common_pid")) {
			drop_lengths(format);
			note(log, "%s\n", strstr(format, "common_pid"));
		}
		free(format);
		if (run.n_enablers) {
			note(log, "trace: %s\n", error_name(now->trace(name, true)));
			snprintf(run.traced[run.n_traced++].name, sizeof(run.traced[0].name),
				 "%.599s", name);
		}
	}
	for (int i = 0; i < 6; i++)
		note_write(log, pick(8) ? 0 : 1);
	for (enum place w = W0; w <= W2; w++)
		note(log, "word %d: %u\n", (int)w, *(volatile uint32_t *)(uintptr_t)address(w));
	clean_up(base);
	if (run.why[0])
		note(log, "%s\n", run.why);
}

static int compare(int n, int first)
{
	static struct log on_fake, on_real;
	int passed = 0, failed = 0, taken = 0, records = 0;

	set_up_real();
	for (int i = first; i < first + n; i++) {
		observe(&fake_world, i, &on_fake);
		observe(&real_world, i, &on_real);
		taken += strstr(on_real.text, "answers 0") != NULL;
		for (char *p = on_real.text; (p = strstr(p, "as written")); p++)
			records++;
		if (!strcmp(on_fake.text, on_real.text)) {
			passed++;
			continue;
		}
		failed++;
		printf("compare: case %d\n--- fake\n%s--- real\n%s", i, on_fake.text, on_real.text);
		fflush(stdout);
	}
	tear_down_real();
	printf("%d cases with a registration that was taken, %d records\n", taken, records);
	printf("%d passed, %d failed\n", passed, failed);
	return failed != 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "fake";

	signal(SIGPIPE, SIG_IGN);
	if (!strcmp(what, "fake"))
		return run_table(&fake_world);
	if (!strcmp(what, "real"))
		return run_table(&real_world);
	if (!strcmp(what, "compare"))
		return compare(argc > 2 ? atoi(argv[2]) : 1000, argc > 3 ? atoi(argv[3]) : 0);
	if (!strcmp(what, "list")) {
		for (size_t i = 0; i < rows_count; i++)
			printf("%s\n", rows[i].name);
		return 0;
	}
	fprintf(stderr, "usage: abi_table [fake | real | compare [N [FIRST]] | list]\n");
	return 2;
}
