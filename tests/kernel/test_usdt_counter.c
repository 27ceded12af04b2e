/* SPDX-License-Identifier: MIT */
/*
 * The upper half of an enable word is a USDT semaphore, in which the kernel counts the attached
 * uprobes. Uprobes and tracers attach and detach in every order, in running processes, in their
 * children, and in the programs they execute. Neither may change the other's bits or leave a bit
 * set, and no event may be lost.
 */
#include "witness.h"

#define THREADS 8
#define HITS 3000

/* Events in initialised data, because the file does not contain .bss. */
static struct ue_event event __attribute__((section(".data")));
#define WORD (*(volatile uint32_t *)&event)
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define USDT 1u
#define COUNTER 0
#else
#define USDT 0x10000u
#define COUNTER 2
#endif

/* Each function contains exactly one probe site. */
__attribute__((noinline, noclone)) static void hit_one(void)
{
	__asm__ volatile(
		".globl usdt_counter_one\n.hidden usdt_counter_one\nusdt_counter_one:\nnop\n" ::
			: "memory");
}
__attribute__((noinline, noclone)) static void hit_two(void)
{
	__asm__ volatile(
		".globl usdt_counter_two\n.hidden usdt_counter_two\nusdt_counter_two:\nnop\n" ::
			: "memory");
}
extern char usdt_counter_one[], usdt_counter_two[];

static bool user_events;

/* Returns the file offset of an address, using this process's memory map. */
static unsigned long place(const volatile void *p)
{
	unsigned long address = (unsigned long)p, begin, end, offset, found = 0;
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[2 * PATH_MAX];

	while (fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%lx-%lx %*s %lx", &begin, &end, &offset) == 3 &&
		    address >= begin && address < end && strchr(line, '/'))
			found = address - begin + offset;
	}
	fclose(maps);
	assert_true(found != 0);
	return found;
}

static void define(const char *name, const void *at)
{
	char line[2 * PATH_MAX];

	snprintf(line, sizeof(line), "p:usdt_counter/%s %s:0x%lx(0x%lx)", name, self(), place(at),
		 place((const volatile char *)&WORD + COUNTER));
	assert_int_equal(write_file("uprobe_events", line, O_APPEND), 0);
}

static void probe(const char *name, bool on)
{
	char path[100];

	snprintf(path, sizeof(path), "events/usdt_counter/%s/enable", name);
	put(path, on ? "1" : "0");
}

static void tracer(bool on)
{
	put("events/user_events/usdt_counted/enable", on ? "1" : "0");
}

static int begin(void **state)
{
	if (access(tracefs("uprobe_events"), W_OK) != 0) {
		puts("this kernel has no uprobes, or is not ours");
		exit(77);
	}
	/* a word in .bss would have no file offset */
	user_events = ue_event_register(&event, "usdt_counted", 0) == 0;
	define("one", usdt_counter_one);
	define("also_one", usdt_counter_one);
	define("two", usdt_counter_two);
	return 0;
}

static int end(void **state)
{
	write_file("uprobe_events", "-:usdt_counter/one", O_APPEND);
	write_file("uprobe_events", "-:usdt_counter/also_one", O_APPEND);
	write_file("uprobe_events", "-:usdt_counter/two", O_APPEND);
	ue_unregister_all();
	return 0;
}

/* The semaphore counts sites, not tracers. A second tracer at the same site does not change it. */
TEST(test_counter_counts_probe_sites)
{
	assert_int_equal(WORD, 0);
	probe("one", true);
	assert_int_equal(WORD, USDT);
	probe("also_one", true);
	assert_int_equal(WORD, USDT);
	probe("two", true);
	assert_int_equal(WORD, 2 * USDT);
	probe("one", false);
	assert_int_equal(WORD, 2 * USDT);
	probe("also_one", false);
	assert_int_equal(WORD, USDT);
	probe("two", false);
	assert_int_equal(WORD, 0);
}

/* Tracers and uprobes preserve each other's bits, in any order of attaching and detaching. */
TEST(test_tracers_and_uprobes_attach_in_every_order)
{
	static const char *const orders[] = { "UuEe", "UEue", "UEeu", "EUeu", "EUue", "EeUu" };
	size_t i, j;

	if (!user_events)
		skip();
	for (i = 0; i < sizeof(orders) / sizeof(*orders); i++) {
		uint32_t expected = 0;

		for (j = 0; orders[i][j]; j++) {
			bool on = orders[i][j] < 'a';

			if ((orders[i][j] | 32) == 'u') {
				probe("one", on);
				expected = on ? expected | USDT : expected & ~USDT;
			} else {
				tracer(on);
				expected = on ? expected | 1u : expected & ~1u;
			}
			if (WORD != expected)
				fail_msg("order %s, step %zu: word %08x, expected %08x", orders[i],
					 j, WORD, expected);
		}
		assert_int_equal(WORD, 0);
	}
}

static int waits(void *data)
{
	pause();
	return 0;
}

/* Reads the enable word from a child's memory. */
static uint32_t word_of(pid_t pid)
{
	uint32_t word = 0;
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/mem", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_int_equal(pread(fd, &word, sizeof(word), (off_t)(uintptr_t)&WORD), sizeof(word));
	close(fd);
	return word;
}

/* A child inherits its parent's count. Later changes affect both processes. */
TEST(test_fork_keeps_the_count)
{
	pid_t pid;

	probe("one", true);
	pid = spawn(waits, NULL);
	assert_int_equal(word_of(pid), USDT);
	probe("two", true);
	wait_for(word_of(pid) == 2 * USDT);
	probe("one", false);
	wait_for(word_of(pid) == USDT);
	probe("two", false);
	wait_for(word_of(pid) == 0);
	kill_child(pid);
	assert_int_equal(WORD, 0);

	pid = spawn(waits, NULL);
	assert_int_equal(word_of(pid), 0);
	probe("one", true);
	wait_for(word_of(pid) == USDT);
	probe("one", false);
	wait_for(word_of(pid) == 0);
	kill_child(pid);
	assert_int_equal(WORD, 0);
}

/* Returns the value that the enable word had when this program started. */
static int first_word(void)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		execl("/proc/self/exe", "test_usdt_counter", "word", (char *)NULL);
		_exit(9);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WEXITSTATUS(status);
}

/* The first instruction of a new program must already see the current count. */
TEST(test_exec_begins_with_the_count)
{
	probe("one", true);
	assert_int_equal(first_word(), 1);
	probe("one", false);
	assert_int_equal(first_word(), 0);
}

static bool stop;
static uint64_t hits;

static void *hitter(void *left)
{
	unsigned int i;

	for (i = 0; i < HITS; i++) {
		if (WORD)
			__atomic_fetch_add(&hits, 1, __ATOMIC_RELAXED);
		hit_one();
		if (i % 64 == 0)
			sched_yield();
	}
	return NULL;
}

/*
 * Other tracers attach and detach throughout the test: at the same site, at another site, and to
 * the event.
 */
static void *visitor(void *unused)
{
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		probe("also_one", true);
		if (user_events)
			tracer(true);
		probe("two", true);
		probe("also_one", false);
		if (user_events)
			tracer(false);
		probe("two", false);
	}
	return NULL;
}

static unsigned long profile(const char *name)
{
	FILE *file = fopen(tracefs("uprobe_profile"), "re");
	char line[PATH_MAX + 200], found[100];
	unsigned long count, result = 0;

	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%*s %99s %lu", found, &count) == 2 && strcmp(found, name) == 0)
			result = count;
	}
	fclose(file);
	return result;
}

TEST(test_no_hit_is_lost_while_tracers_attach_and_detach)
{
	pthread_t threads[THREADS], other;
	unsigned long before;

	probe("one", true);
	before = profile("one");
	stop = false;
	assert_int_equal(pthread_create(&other, NULL, visitor, NULL), 0);
	threads_begin(threads, THREADS, hitter);
	threads_join(threads, THREADS);
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	pthread_join(other, NULL);
	assert_int_equal(profile("one") - before, THREADS * HITS);
	/* the enable word was never 0 in between */
	assert_int_equal(hits, THREADS * HITS);
	assert_int_equal(WORD, USDT);
	probe("one", false);
	assert_int_equal(WORD, 0);
}

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "word") == 0)
		return (int)(WORD / USDT); /* read before anything else can change the word */
	hit_two();
	return run_all_tests(begin, end);
}
