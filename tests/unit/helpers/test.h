/* SPDX-License-Identifier: MIT */
/*
 * Defines the tests of a program. They run in the order of the file and use cmocka's assertions:
 *
 *	TEST(test_disabled_event_evaluates_nothing)
 *	{
 *		assert_int_equal(evaluated, 0);
 *	}
 *
 *	TESTS_MAIN
 *
 * With -DUE_TEST_NO_CMOCKA, this file implements the parts of cmocka that the tests use. This is
 * for targets without cmocka, such as static programs of another architecture that run under
 * qemu-user.
 */
#ifndef TEST_H
#define TEST_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef UE_TEST_NO_CMOCKA
#ifdef __cplusplus
extern "C" {
#endif
#include <cmocka.h>
#ifdef __cplusplus
}
#endif
#else
struct CMUnitTest {
	const char *name;
	void (*test)(void **state);
	int (*setup)(void **state);
	int (*teardown)(void **state);
};

static jmp_buf no_cmocka_failed;

#define fail_msg(...)                                  \
	do {                                           \
		printf("%s:%d: ", __FILE__, __LINE__); \
		printf(__VA_ARGS__);                   \
		putchar('\n');                         \
		longjmp(no_cmocka_failed, 1);          \
	} while (0)
#define print_message printf
#define print_error printf
#define skip() longjmp(no_cmocka_failed, 2)
#define assert_true(x)                                    \
	do {                                              \
		if (!(x))                                 \
			fail_msg("check failed: %s", #x); \
	} while (0)
#define assert_false(x) assert_true(!(x))
#define assert_non_null(x) assert_true((x) != NULL)
#define assert_null(x) assert_true((x) == NULL)
#define assert_ptr_equal(a, b) assert_true((a) == (b))
#define assert_ptr_not_equal(a, b) assert_true((a) != (b))
#define assert_in_range(x, min, max) assert_true((x) >= (min) && (x) <= (max))
#define assert_int_not_equal(a, b) assert_true((long long)(a) != (long long)(b))
#define assert_int_equal(a, b)                                                               \
	do {                                                                                 \
		long long no_cmocka_a = (long long)(a), no_cmocka_b = (long long)(b);        \
		if (no_cmocka_a != no_cmocka_b)                                              \
			fail_msg("%s is %lld, expected %lld", #a, no_cmocka_a, no_cmocka_b); \
	} while (0)
#define assert_string_equal(a, b)                                        \
	do {                                                             \
		if (strcmp(a, b))                                        \
			fail_msg("found \"%s\", expected \"%s\"", a, b); \
	} while (0)
#define assert_memory_equal(a, b, n) assert_true(memcmp(a, b, n) == 0)
#define cmocka_unit_test_setup_teardown(f, setup, teardown) \
	{                                                   \
#f, f, setup, teardown                      \
	}
#define cmocka_run_group_tests_name(name, tests, setup, teardown) \
	no_cmocka_run(tests, sizeof(tests) / sizeof((tests)[0]), setup, teardown)

static int no_cmocka_run(const struct CMUnitTest *tests, size_t n, int (*setup)(void **state),
			 int (*teardown)(void **state))
{
	volatile int failed = 0, run = 0;
	volatile size_t i;
	void *state = NULL;

	if (setup && setup(&state))
		return 1;
	for (i = 0; i < n; i++) {
		if (!tests[i].test)
			continue;
		run++;
		switch (setjmp(no_cmocka_failed)) {
		case 0:
			break;
		case 2:
			printf("skipped %s\n", tests[i].name);
			continue;
		default:
			printf("FAILED %s\n", tests[i].name);
			failed++;
			continue;
		}
		if (tests[i].setup)
			tests[i].setup(&state);
		tests[i].test(&state);
		if (tests[i].teardown)
			tests[i].teardown(&state);
		printf("ok %s\n", tests[i].name);
	}
	if (teardown)
		teardown(&state);
	printf("%d of %d tests failed\n", failed, run);
	return failed;
}
#endif

/* the index is the line number; cmocka skips unused entries */
static struct CMUnitTest all_tests[4000];

#define TEST(test) TEST_SETUP_TEARDOWN(test, NULL, NULL)
#define TEST_SETUP(test, setup) TEST_SETUP_TEARDOWN(test, setup, NULL)
#define TEST_TEARDOWN(test, teardown) TEST_SETUP_TEARDOWN(test, NULL, teardown)
#define TEST_SETUP_TEARDOWN(test, setup, teardown)                              \
	static void test(void **state);                                         \
	__attribute__((constructor)) static void add_##test(void)               \
	{                                                                       \
		const struct CMUnitTest t =                                     \
			cmocka_unit_test_setup_teardown(test, setup, teardown); \
		all_tests[__LINE__] = t;                                        \
	}                                                                       \
	static void test(__attribute__((unused)) void **state)

static inline int run_all_tests(int (*setup)(void **state), int (*teardown)(void **state))
{
	return cmocka_run_group_tests_name(__BASE_FILE__, all_tests, setup, teardown);
}

#define TESTS_MAIN TESTS_MAIN_WITH(NULL, NULL)
#define TESTS_MAIN_WITH(setup, teardown)               \
	int main(void)                                 \
	{                                              \
		return run_all_tests(setup, teardown); \
	}

#endif
