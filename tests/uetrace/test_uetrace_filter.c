/* SPDX-License-Identifier: MIT */
/* Tests filters on the keyword of an event set. The kernel cannot evaluate such conditions. */
#include "test.h"

#include "select/select.h"
#include "util/util.h"

static void check(const char *name, const char *filter, const char *expected)
{
	char *result = filter_for_set(filter, name);

	assert_string_equal(result, expected);
	assert_int_equal(strlen(result), strlen(filter));
	free(result);
}

TEST(test_a_keyword_condition_keeps_its_result_and_length)
{
	static const struct {
		const char *filter, *expected;
	} rows[] = {
		{ "keyword&1", "level<0  " },
		{ "keyword&4", "level>=0 " },
		{ "keyword & 0x6", "level>=0     " },
		{ "keyword & 9", "level<0    " },
		{ "keyword == 6", "level>=0    " },
		{ "keyword != 6", "level<0     " },
		{ "keyword < 6", "level<0    " },
		{ "keyword <= 6", "level>=0    " },
		{ "keyword > 5", "level>=0   " },
		{ "keyword >= 07", "level<0      " },
		{ "\tkeyword\t==\t0x6 ", "\tlevel>=0       " },
		{ "!(keyword & 4) || level <= 3", "!(level>=0   ) || level <= 3" },
		{ "keyword&4&&keyword&1", "level>=0 &&level<0  " },
		{ "(keyword&4)", "(level>=0 )" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		check("My_Provider_L4K6Ggroup", rows[i].filter, rows[i].expected);
	check("P_LffKffffffffffffffff", "keyword == 0xffffffffffffffff",
	      "level>=0                     ");
	check("P_L1K0", "keyword & 0xffffffffffffffff", "level<0                     ");
	check("P_L1K1A1", "keyword == 1", "level>=0    "); /* A1 is an option */
}

TEST(test_other_conditions_are_left_to_the_kernel)
{
	static const char *const filters[] = {
		"",
		"level <= 3",
		"keyword",
		"keyword &",
		"keyword && level",
		"keyword & -1",
		"keyword & x",
		"keyword & 0x4flag",
		"keyword ~ \"x*\"",
		"keywords & 4",
		"mykeyword & 4",
		"my_keyword & 4",
		"path == \"keyword & 4\"",
		"path == 'keyword & 4' && a == \"it's keyword & 4\"",
		"path == \"keyword & 4",
		"common_pid == 1 && opcode == 2",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(filters); i++)
		check("P_L4K4", filters[i], filters[i]);
	/* these names do not belong to event sets */
	check("request", "keyword & 4", "keyword & 4");
	check("P_L4", "keyword & 4", "keyword & 4");
}

TESTS_MAIN
