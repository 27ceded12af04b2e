/* SPDX-License-Identifier: MIT */
/*
 * Measures how fast EventHeader events with various kinds of fields are decoded on one core: to a
 * line of JSON in a buffer, to items without text, and only up to the headers. Also checks that
 * decoding time is proportional to the event size.
 */
#define _POSIX_C_SOURCE 200809L
#include <user_events_decode.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct builder {
	uint8_t meta[70000];
	size_t meta_size;
	uint8_t payload[300000];
	size_t payload_size;
};

static struct builder b;
static uint8_t event[400000];
static char line[4000000];

static void put(uint8_t *to, size_t *size, const void *bytes, size_t n)
{
	memcpy(to + *size, bytes, n);
	*size += n;
}

static void define(const char *name, unsigned encoding, unsigned format)
{
	uint8_t bytes[2] = { (uint8_t)(encoding | 0x80), (uint8_t)format };

	put(b.meta, &b.meta_size, name, strlen(name) + 1);
	put(b.meta, &b.meta_size, bytes, 2);
}

static void value(uint64_t v, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		b.payload[b.payload_size++] = (uint8_t)(v >> 8 * i);
}

static void number(const char *name, unsigned kind, unsigned format, uint64_t v)
{
	define(name, kind, format);
	value(v, (size_t)1 << (kind - UE_DECODE_KIND_VALUE8));
}

static void text(const char *name, const char *s, size_t length)
{
	define(name, UE_DECODE_KIND_STRING8, UE_DECODE_FORMAT_UTF);
	value(length, 2);
	put(b.payload, &b.payload_size, s, length);
}

static void real(const char *name, double x)
{
	uint64_t bits;

	memcpy(&bits, &x, 8);
	number(name, UE_DECODE_KIND_VALUE64, UE_DECODE_FORMAT_FLOAT, bits);
}

static size_t finish(int activity)
{
	uint8_t header[] = { 7, 0, 0, 0, 0, 0, 0, 4 }, block[4];
	size_t size = 0;

	put(event, &size, header, 8);
	if (activity) {
		static const uint8_t ids[32] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };
		uint8_t activity_block[] = { 32, 0, 2, 0x80 };

		put(event, &size, activity_block, 4);
		put(event, &size, ids, 32);
	}
	block[0] = (uint8_t)b.meta_size;
	block[1] = (uint8_t)(b.meta_size >> 8);
	block[2] = 1;
	block[3] = 0;
	put(event, &size, block, 4);
	put(event, &size, b.meta, b.meta_size);
	put(event, &size, b.payload, b.payload_size);
	return size;
}

static void begin(void)
{
	b.meta_size = b.payload_size = 0;
	put(b.meta, &b.meta_size, "RequestDone", 12);
}

static size_t scalars(size_t n)
{
	(void)n;
	begin();
	number("status", UE_DECODE_KIND_VALUE32, UE_DECODE_FORMAT_UNSIGNED, 200);
	number("bytes", UE_DECODE_KIND_VALUE64, UE_DECODE_FORMAT_UNSIGNED, 1234567);
	number("flags", UE_DECODE_KIND_VALUE32, UE_DECODE_FORMAT_HEX, 0xbeef);
	number("offset", UE_DECODE_KIND_VALUE32, UE_DECODE_FORMAT_SIGNED, (uint64_t)-42);
	return finish(0);
}

static size_t mixed(size_t n)
{
	(void)n;
	begin();
	number("status", UE_DECODE_KIND_VALUE32, UE_DECODE_FORMAT_UNSIGNED, 200);
	text("path", "/index.html?q=user_events", 25);
	real("ms", 12.345);
	number("error", UE_DECODE_KIND_VALUE32, UE_DECODE_FORMAT_ERRNO, 11);
	return finish(0);
}

static size_t with_activity(size_t n)
{
	scalars(n);
	return finish(1);
}

static size_t reals(size_t n)
{
	(void)n;
	begin();
	real("a", 3.141592653589793);
	real("b", 1e-300 / 3);
	real("c", 0.1);
	real("d", 123456.0);
	return finish(0);
}

static size_t fields(size_t n)
{
	char name[32];
	size_t i;

	begin();
	for (i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "field%zu", i);
		number(name, UE_DECODE_KIND_VALUE32, UE_DECODE_FORMAT_UNSIGNED, 1000 * i);
	}
	return finish(0);
}

static size_t numbers(size_t n)
{
	size_t i;

	begin();
	define("values", UE_DECODE_KIND_VALUE32 | UE_DECODE_VARIABLE_ARRAY,
	       UE_DECODE_FORMAT_UNSIGNED);
	value(n, 2);
	for (i = 0; i < n; i++)
		value(i * 1000, 4);
	return finish(0);
}

static size_t structs(size_t n)
{
	size_t i;

	begin();
	define("points", UE_DECODE_KIND_STRUCT | UE_DECODE_VARIABLE_ARRAY, 2);
	value(n, 2);
	define("x", UE_DECODE_KIND_VALUE32, UE_DECODE_FORMAT_SIGNED);
	define("y", UE_DECODE_KIND_VALUE32, UE_DECODE_FORMAT_SIGNED);
	for (i = 0; i < n; i++)
		value(i | (uint64_t)i << 33, 8);
	return finish(0);
}

static size_t letters(size_t n)
{
	static char s[65536];

	memset(s, 'x', n);
	begin();
	text("text", s, n);
	return finish(0);
}

/* Builds an event that declares 2^32 empty structs. */
static size_t bomb(size_t n)
{
	size_t i;

	begin();
	define("a", UE_DECODE_KIND_STRUCT | UE_DECODE_VARIABLE_ARRAY, 127);
	value(65535, 2);
	define("b", UE_DECODE_KIND_STRUCT | UE_DECODE_VARIABLE_ARRAY, 127);
	for (i = 0; i < n; i++)
		value(65535, 2);
	return finish(0);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Work done per event. Printing the result prevents the compiler from removing the work. */
typedef size_t (*task_fn)(size_t size);

/*
 * Decodes only what identifies an event: tracepoint name, header, extension blocks and event name.
 */
static size_t header(size_t size)
{
	struct ue_decode_event e;

	ue_decode_parse(&e, "MyCompany_MyApp_L4K1", 20, event, size);
	return e.name_length + e.provider_length + e.level + e.keyword;
}

/* Decodes all items in place, without text. */
static size_t items(size_t size)
{
	struct ue_decode_event e;
	struct ue_decode_fields f;
	size_t n = 0;

	ue_decode_parse(&e, "MyCompany_MyApp_L4K1", 20, event, size);
	ue_decode_start(&f, &e);
	while (ue_decode_next(&f) > 0)
		n++;
	return n;
}

static size_t json(size_t size)
{
	struct ue_decode_event e;

	ue_decode_parse(&e, "MyCompany_MyApp_L4K1", 20, event, size);
	return ue_decode_json(&e, NULL, 0, line, sizeof(line));
}

/*
 * Returns the time per event in seconds. This is the minimum of several rounds, because
 * disturbances only add time.
 */
static double measure(task_fn task, size_t size, size_t *result)
{
	double best = 1e9;
	size_t n = 1, i;
	int round;

	for (round = 0; round < 10; round++) {
		double start = now(), spent;

		for (i = 0; i < n; i++) {
			*result = task(size);
			/* prevent the compiler from merging rounds */
			__asm__ volatile("" : : : "memory");
		}
		spent = now() - start;
		if (spent < 0.02) {
			n *= 2;
			round = -1;
			continue;
		}
		if (spent / (double)n < best)
			best = spent / (double)n;
	}
	return best;
}

struct shape {
	const char *name;
	size_t (*make)(size_t n);
	size_t n;
};

static void shapes(const char *title, const char *result, task_fn task)
{
	static const struct shape all[] = {
		{ "4 fields: numbers", scalars, 0 },
		{ "4 fields: string, double, errno", mixed, 0 },
		{ "4 fields: numbers, two activities", with_activity, 0 },
		{ "4 fields: doubles", reals, 0 },
		{ "32 fields: numbers", fields, 32 },
		{ "array of 32 numbers", numbers, 32 },
		{ "array of 8 structs of 2 numbers", structs, 8 },
		{ "string of 1000 letters", letters, 1000 },
	};
	size_t i;

	printf("%-34s %7s %7s %10s %12s\n", title, "bytes", result, "ns/event", "M events/s");
	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		size_t size = all[i].make(all[i].n), length = 0;
		double t = measure(task, size, &length);

		printf("%-34s %7zu %7zu %10.1f %12.2f\n", all[i].name, size, length, t * 1e9,
		       1e-6 / t);
	}
	printf("\n");
}

static void line_of(const char *name, size_t (*make)(size_t), const size_t *sizes, size_t n)
{
	size_t i;

	printf("%-34s %7s %7s %10s %12s\n", name, "bytes", "JSON", "ns/event", "ns/byte");
	for (i = 0; i < n; i++) {
		size_t size = make(sizes[i]), length = 0;
		double t = measure(json, size, &length);

		printf("%-34zu %7zu %7zu %10.0f %12.2f\n", sizes[i], size, length, t * 1e9,
		       t * 1e9 / (double)size);
	}
	printf("\n");
}

/* Runs all benchmarks. With the argument "short", omits the events of increasing size. */
int main(int argc, char **argv)
{
	static const size_t sizes[] = { 16, 64, 256, 1024, 4096 };
	static const size_t longer[] = { 256, 1024, 4096, 16384, 65535 };

	shapes("event to JSON, one core", "JSON", json);
	shapes("event to items, without text", "items", items);
	shapes("event's header", "sum", header);
	if (argc > 1 && !strcmp(argv[1], "short"))
		return 0;
	line_of("linearity: number of fields", fields, sizes, 5);
	line_of("linearity: array of numbers", numbers, longer, 5);
	line_of("linearity: array of structs", structs, sizes, 5);
	line_of("linearity: string", letters, longer, 5);
	line_of("hostile: 65535 structs of 65535", bomb, longer, 5);
	return 0;
}
