/* SPDX-License-Identifier: MIT */
/*
 * Tests that a histogram counts every value once, that percentiles are as exact as documented, that
 * each row contains the values that belong to it, and that no line is wider than the terminal. The
 * reference results are calculated from the sorted values.
 */
#include "test.h"

#include "summary/bars.h"
#include "../../tools/uetrace/summary/histogram.c"

#include <float.h>

#define MOST 3000

static uint64_t seed;

static uint64_t random_number(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return seed ^ seed >> 33;
}

static int by_value(const void *a, const void *b)
{
	long double x = *(const long double *)a, y = *(const long double *)b;

	return x < y ? -1 : x > y;
}

/* Returns true if the value belongs to row i. */
static bool holds(const struct histogram_row *row, long double value, bool fractions)
{
	/* the floating-point value of 0.3 is slightly less than 0.3 */
	long double slack = fractions ? fabsl(value) * 2e-12L : 0;

	if (row->least == row->most)
		return value == row->least;
	/* rows of negative numbers include the upper bound instead of the lower one */
	if (row->least < 0)
		return value > row->least - slack && value <= row->most + slack;
	return value >= row->least - slack && value < row->most + slack;
}

static void check_rows(const struct histogram *h, const long double *values, size_t n, bool few)
{
	struct histogram_row rows[HISTOGRAM_ROWS + 1];
	size_t rows_n = histogram_rows(h, few, rows), i, k;
	uint64_t sum = 0;

	assert_in_range(rows_n, 1, HISTOGRAM_ROWS);
	for (i = 0; i < rows_n; i++) {
		uint64_t least = 0, most = 0;

		/*
		 * if a bound has no exact binary representation, a value at the bound may be
		 * counted in either of the adjacent rows
		 */
		for (k = 0; k < n; k++) {
			bool in = holds(&rows[i], values[k], h->fractions);
			bool next = i && holds(&rows[i - 1], values[k], h->fractions);
			bool after = i + 1 < rows_n && holds(&rows[i + 1], values[k], h->fractions);

			most += in;
			least += in && !next && !after;
		}
		assert_in_range(rows[i].count, least, most);
		sum += rows[i].count;
		assert_true(!i || rows[i].least >= rows[i - 1].most);
	}
	assert_int_equal(sum, n);
	assert_true(rows[0].count > 0 && rows[rows_n - 1].count > 0);
}

static void check(long double *values, size_t n, bool whole)
{
	static const double shares[] = { 0, 0.01, 0.25, 0.5, 0.9, 0.99, 0.999, 1 };
	struct histogram *h = histogram_new();
	size_t i;

	for (i = 0; i < n; i++)
		histogram_add(h, values[i], whole);
	qsort(values, n, sizeof(*values), by_value);
	assert_int_equal(h->count, n);
	assert_true(h->min == values[0] && h->max == values[n - 1]);
	for (i = 0; i < ARRAY_SIZE(shares); i++) {
		size_t rank = (size_t)(shares[i] * (double)n);
		long double got = histogram_percentile(h, shares[i]), want;

		rank += (double)rank < shares[i] * (double)n;
		want = values[rank ? rank - 1 : 0];
		if (fabsl(got - want) > fabsl(want) * 0.0051L ||
		    (whole && fabsl(want) < 1000 && got != want))
			fail_msg("percentile %g of %zu values: %Lg, expected %Lg", shares[i], n,
				 got, want);
	}
	check_rows(h, values, n, false);
	check_rows(h, values, n, true);
	histogram_free(h);
}

TEST(test_percentiles_and_rows_of_random_numbers)
{
	static long double values[MOST];
	unsigned int round;
	size_t i, n;

	for (round = 0; round < 300; round++) {
		bool whole = round % 3;

		seed = round + 1;
		n = 1 + random_number() % (round % 2 ? MOST : 30);
		for (i = 0; i < n; i++) {
			uint64_t number = random_number() >>
					  (random_number() % 64 / (1 + round % 5));

			values[i] = number;
			if (round % 7 == 0)
				values[i] = number % 12;
			if (!whole)
				values[i] = (double)number / 1000;
			if (round % 4 == 1 && number & 1)
				values[i] = -values[i];
		}
		check(values, n, whole);
	}
}

TEST(test_numbers_of_any_size)
{
	long double values[] = { 0,	   5e-324, DBL_MIN, -DBL_MIN, DBL_MAX,	  -DBL_MAX,
				 INFINITY, 1,	   -1,	    0.1L,     UINT64_MAX, INT64_MIN,
				 999,	   1000,   9999,    99999.5L, 1e15,	  123456789 };
	struct histogram *h = histogram_new();
	struct histogram_row rows[HISTOGRAM_ROWS];
	size_t i, k, n;
	uint64_t sum = 0;

	for (k = 0; k < 3; k++) {
		for (i = 0; i < ARRAY_SIZE(values); i++)
			histogram_add(h, values[i] + (values[i] > 1000 ? (long double)k : 0),
				      false);
	}
	histogram_add(h, NAN, false);
	assert_int_equal(h->count, 3 * ARRAY_SIZE(values));
	n = histogram_rows(h, true, rows);
	assert_in_range(n, 1, HISTOGRAM_ROWS);
	for (i = 0; i < n; i++)
		sum += rows[i].count;
	assert_int_equal(sum, 3 * ARRAY_SIZE(values));
	histogram_free(h);
}

TEST(test_memory_is_bounded)
{
	struct histogram *h = histogram_new();
	size_t i, blocks = 0;
	double value;

	for (value = 5e-324; value < DBL_MAX / 2; value *= 1.7) {
		histogram_add(h, value, false);
		histogram_add(h, -value, false);
	}
	for (i = 0; i < ARRAY_SIZE(h->pages); i++)
		blocks += h->pages[i] != NULL;
	assert_in_range(blocks, 1200, ARRAY_SIZE(h->pages));
	assert_true(ARRAY_SIZE(h->pages) * BUCKETS * sizeof(uint64_t) + sizeof(*h) < 10000000);
	histogram_free(h);
}

TEST(test_few_values_are_shown_exactly)
{
	static const struct histogram_row status[] = { { 200, 200, 30 }, { 404, 404, 10 } };
	static const struct histogram_row near[] = { { 1000000, 1000000, 1 },
						     { 1000001, 1000001, 0 },
						     { 1000002, 1000002, 1 } };
	struct histogram_row rows[HISTOGRAM_ROWS];
	struct histogram *h = histogram_new();
	size_t i;

	for (i = 0; i < 40; i++)
		histogram_add(h, i % 4 ? 200 : 404, true);
	assert_int_equal(histogram_rows(h, true, rows), 2);
	for (i = 0; i < 2; i++)
		assert_true(rows[i].least == status[i].least && rows[i].most == status[i].most &&
			    rows[i].count == status[i].count);
	histogram_free(h);
	h = histogram_new();
	histogram_add(h, 1000002, true);
	histogram_add(h, 1000000, true);
	assert_int_equal(histogram_rows(h, false, rows), 3);
	for (i = 0; i < 3; i++)
		assert_true(rows[i].least == near[i].least && rows[i].most == near[i].most &&
			    rows[i].count == near[i].count);
	histogram_free(h);
}

TEST(test_no_line_is_wider_than_the_terminal)
{
	static const char name[] = "an_event_of_a_long_name\033[31m.and_its_field";
	unsigned int columns, round;
	char *drawn, *line, *rest;
	struct histogram *h;
	size_t size;
	FILE *out;

	for (round = 0; round < 4; round++) {
		h = histogram_new();
		for (seed = 1; h->count < 500;)
			histogram_add(h, (double)(random_number() >> (round * 16)), round & 1);
		for (columns = 20; columns < 200; columns += 7) {
			out = open_memstream(&drawn, &size);
			bars_head(out, columns, "LATENCY");
			bars_summary(out, columns, name, h, UNIT_NS);
			bars_summary(out, columns, name, h, UNIT_NONE);
			bars_rows(out, columns, h, UNIT_NONE);
			fclose(out);
			for (rest = drawn; (line = strsep(&rest, "\n")) && rest;) {
				/* labels and counts need about 40 columns */
				assert_true(strlen(line) <= (columns < 50 ? 50 : columns));
				assert_null(strchr(line, '\033'));
			}
			free(drawn);
		}
		histogram_free(h);
	}
}

TEST(test_every_nonzero_count_has_a_bar)
{
	struct histogram *h = histogram_new();
	char *drawn, *line;
	size_t size, i;
	FILE *out;

	for (i = 0; i < 100000; i++)
		histogram_add(h, 1, true);
	histogram_add(h, 3, true);
	out = open_memstream(&drawn, &size);
	bars_rows(out, 79, h, UNIT_NONE);
	fclose(out);
	line = drawn;
	assert_int_equal(strncmp(line, "1     100000 |@@@@", 18), 0);
	line = strchr(line, '\n') + 1;
	assert_int_equal(strncmp(line, "2          0 |\n", 15), 0);
	line = strchr(line, '\n') + 1;
	assert_string_equal(line, "3          1 |@\n");
	free(drawn);
	histogram_free(h);
}

TESTS_MAIN
