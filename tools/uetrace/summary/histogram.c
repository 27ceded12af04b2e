/* SPDX-License-Identifier: MIT */
/*
 * A log-linear histogram in base ten. Each power of ten has 900 buckets of equal width, one for
 * each combination of three leading digits. The histogram covers all numbers, but allocates memory
 * only for powers of ten that occur, at most 10 MB. In addition, each distinct value is counted
 * exactly, as long as there are only a few of them.
 */
#include "summary/histogram.h"
#include "util/util.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST 100 /* leading digits of the first bucket of each power of ten */
#define ZERO (HISTOGRAM_POWERS / 2)
#define LAST (HISTOGRAM_POWERS * HISTOGRAM_BUCKETS)
#define BUCKETS HISTOGRAM_BUCKETS

/*
 * Positive numbers are counted in buckets 1, 2, 3 and so on, negative numbers in buckets -1, -2, -3
 * and so on, and zeros in bucket 0. The "place" of a nonzero bucket is its absolute value minus 1.
 */

struct histogram *histogram_new(void)
{
	return allocate(sizeof(struct histogram));
}

void histogram_free(struct histogram *h)
{
	size_t i;

	for (i = 0; h && i < ARRAY_SIZE(h->pages); i++)
		free(h->pages[i]);
	free(h);
}

static uint64_t bucket_count(const struct histogram *h, int bucket)
{
	const uint64_t *page = h->pages[(bucket + LAST) / BUCKETS];

	return page ? page[(bucket + LAST) % BUCKETS] : 0;
}

/*
 * Returns the first non-empty bucket at or after the given one, or a number above LAST if there is
 * none.
 */
static int next_bucket(const struct histogram *h, int bucket)
{
	while (bucket <= LAST && !bucket_count(h, bucket))
		bucket += h->pages[(bucket + LAST) / BUCKETS] ? 1
							      : BUCKETS - (bucket + LAST) % BUCKETS;
	return bucket;
}

static long double power_of_ten(int exponent)
{
	long double value = 1, factor = 10;
	unsigned int n = (unsigned int)abs(exponent);

	for (; n; n >>= 1, factor *= factor) {
		if (n & 1)
			value *= factor;
	}
	return exponent < 0 ? 1 / value : value;
}

/* Returns the smallest absolute value that is counted at a place. */
static long double place_floor(int place)
{
	int exponent = place / BUCKETS - ZERO - 2, digits = LEAST + place % BUCKETS;

	return exponent < 0 ? digits / power_of_ten(-exponent) : digits * power_of_ten(exponent);
}

static int place_of(int bucket)
{
	return abs(bucket) - 1;
}

static int bucket_of(long double value, bool whole)
{
	long double size = fabsl(value);
	int exponent, place;

	if (value == 0)
		return 0;
	if (isinf(value))
		return value < 0 ? -LAST : LAST;
	/*
	 * Compensate for binary rounding. For example, the binary value of 0.3 is slightly below
	 * 0.3.
	 */
	if (!whole)
		size *= 1 + 1e-12L;
	frexpl(size, &exponent);
	/*
	 * Estimate the power of ten without log10(), which would require libm. The estimate may be
	 * one too low.
	 */
	place = ((exponent - 1) * 30103 + ZERO * 100000) / 100000 * BUCKETS;
	if (size >= place_floor(place + BUCKETS))
		place += BUCKETS;
	place += (int)(size / (place_floor(place) / LEAST)) - LEAST;
	/* correct the rounding of the division */
	if (size < place_floor(place))
		place--;
	else if (size >= place_floor(place + 1))
		place++;
	return value < 0 ? -place - 1 : place + 1;
}

static void add_exact(struct histogram *h, long double value)
{
	size_t i, n = h->different;

	if (n > HISTOGRAM_ROWS)
		return;
	for (i = 0; i < n && h->values[i].value < value; i++)
		;
	if (i < n && h->values[i].value == value) {
		h->values[i].count++;
		return;
	}
	h->different++;
	if (n == HISTOGRAM_ROWS)
		return;
	memmove(&h->values[i + 1], &h->values[i], (n - i) * sizeof(*h->values));
	h->values[i] = (struct histogram_value){ value, 1 };
}

void histogram_add(struct histogram *h, long double value, bool whole)
{
	uint64_t **page;
	int bucket;

	if (isnan(value))
		return;
	if (!h->count || value < h->min)
		h->min = value;
	if (!h->count || value > h->max)
		h->max = value;
	h->count++;
	h->fractions |= !whole;
	add_exact(h, value);
	bucket = bucket_of(value, whole) + LAST;
	page = &h->pages[bucket / BUCKETS];
	if (!*page)
		*page = allocate(BUCKETS * sizeof(**page));
	(*page)[bucket % BUCKETS]++;
}

/* Percentiles */

static long double exact_rank(const struct histogram *h, uint64_t left)
{
	size_t i = 0;

	while (left > h->values[i].count)
		left -= h->values[i++].count;
	return h->values[i].value;
}

static long double bucket_rank(const struct histogram *h, uint64_t left)
{
	int bucket = next_bucket(h, -LAST);
	long double least, most, value;

	while (left > bucket_count(h, bucket)) {
		left -= bucket_count(h, bucket);
		bucket = next_bucket(h, bucket + 1);
	}
	if (!bucket)
		return 0;
	least = place_floor(place_of(bucket));
	most = place_floor(place_of(bucket) + 1);
	/*
	 * If the bucket covers a single integer, use this integer; otherwise, use the centre of the
	 * bucket.
	 */
	value = h->fractions || most - least > 1 ? (least + most) / 2 : least;
	value = bucket < 0 ? -value : value;
	if (value < h->min)
		return h->min;
	return value > h->max ? h->max : value;
}

long double histogram_percentile(const struct histogram *h, double share)
{
	double wanted = share * (double)h->count;
	uint64_t left = (uint64_t)wanted;

	if (!h->count)
		return 0;
	if ((double)left < wanted || !left)
		left++;
	if (left > h->count)
		left = h->count;
	return h->different <= HISTOGRAM_ROWS ? exact_rank(h, left) : bucket_rank(h, left);
}

/* Rows */

/*
 * Ways to divide the numbers into rows, from fine to coarse. In the first levels, all rows have
 * equal width; they are used if all numbers have the same power of ten. In the next levels, the row
 * width grows within each power of ten. In the last levels, each row covers one or more powers of
 * ten.
 */
static const struct {
	int width; /* buckets per row; if 0, each power of ten has n rows, starting at at[] */
	int n;
	int at[20];
} levels[] = {
	{ .width = 1 },
	{ .width = 2 },
	{ .width = 5 },
	{ .width = 10 },
	{ .width = 20 },
	{ 0, 20, { 100, 110, 125, 140, 160, 180, 200, 225, 250, 280,
		   315, 355, 400, 450, 500, 560, 630, 710, 800, 900 } },
	{ 0, 10, { 100, 125, 160, 200, 250, 315, 400, 500, 630, 800 } },
	{ 0, 6, { 100, 150, 200, 300, 500, 700 } },
	{ 0, 3, { 100, 200, 500 } },
	{ .width = BUCKETS },
	{ .width = BUCKETS * 2 },
	{ .width = BUCKETS * 4 },
	{ .width = BUCKETS * 8 },
	{ .width = BUCKETS * 16 },
	{ .width = BUCKETS * 32 },
	{ .width = BUCKETS * 64 },
	{ .width = BUCKETS * 128 }, /* at most 13 rows */
};
#define EVEN 5 /* first level with rows of growing width */

/*
 * Returns the row number of a bucket. Like buckets, rows are numbered from 1 for positive numbers
 * and from -1 for negative numbers.
 */
static int row_of(size_t level, int bucket)
{
	int place = place_of(bucket), n = levels[level].n, row;

	if (!bucket)
		return 0;
	if (levels[level].width) {
		row = place / levels[level].width;
	} else {
		for (row = n - 1; levels[level].at[row] > LEAST + place % BUCKETS; row--)
			;
		row += place / BUCKETS * n;
	}
	return bucket < 0 ? -row - 1 : row + 1;
}

/*
 * Returns the smallest absolute value in a row. row is the absolute value of the row number, minus
 * 1.
 */
static long double row_floor(size_t level, int row)
{
	int n = levels[level].n;

	if (levels[level].width)
		return place_floor(row * levels[level].width);
	return place_floor(row / n * BUCKETS + levels[level].at[row % n] - LEAST);
}

static struct histogram_row row_at(size_t level, int row)
{
	long double least, most;

	if (!row)
		return (struct histogram_row){ .count = 0 };
	least = row_floor(level, abs(row) - 1);
	most = row_floor(level, abs(row));
	return (struct histogram_row){ .least = row < 0 ? -most : least,
				       .most = row < 0 ? -least : most };
}

static int sign(int number)
{
	return (number > 0) - (number < 0);
}

/*
 * Writes the rows for a level. Returns their number, or HISTOGRAM_ROWS + 1 if there are too many.
 */
static size_t level_rows(const struct histogram *h, size_t level, struct histogram_row *rows)
{
	int bucket, row, last = 0;
	size_t n = 0;

	for (bucket = next_bucket(h, -LAST); bucket <= LAST; bucket = next_bucket(h, bucket + 1)) {
		row = row_of(level, bucket);
		/* also add the empty rows between two rows of the same sign */
		if (!n || sign(last) != sign(row))
			last = row - 1;
		for (; last < row; rows[n++] = row_at(level, ++last)) {
			if (n == HISTOGRAM_ROWS)
				return n + 1;
		}
		rows[n - 1].count += bucket_count(h, bucket);
	}
	return n;
}

/*
 * Writes one row for each distinct value. If gaps is true, also writes empty rows for the integers
 * between them.
 */
static size_t value_rows(const struct histogram *h, bool gaps, struct histogram_row *rows)
{
	size_t n = 0, i;

	for (i = 0; i < h->different; i++) {
		const struct histogram_value *v = &h->values[i];
		long double gap;

		for (gap = n ? rows[n - 1].most + 1 : v->value; gaps && gap < v->value; gap++)
			rows[n++] = (struct histogram_row){ gap, gap, 0 };
		rows[n++] = (struct histogram_row){ v->value, v->value, v->count };
	}
	return n;
}

static bool has_one_power(const struct histogram *h)
{
	int least = bucket_of(h->min, !h->fractions), most = bucket_of(h->max, !h->fractions);

	return least && sign(least) == sign(most) &&
	       place_of(least) / BUCKETS == place_of(most) / BUCKETS;
}

size_t histogram_rows(const struct histogram *h, bool values,
		      struct histogram_row rows[HISTOGRAM_ROWS])
{
	bool near = !h->fractions && h->max - h->min < HISTOGRAM_ROWS;
	size_t level, n;

	if (!h->count)
		return 0;
	if (h->different <= HISTOGRAM_ROWS && (near || (values && h->count >= 3 * h->different)))
		return value_rows(h, near, rows);
	/* use the finest level with at most HISTOGRAM_ROWS rows */
	level = has_one_power(h) ? 0 : EVEN;
	while ((n = level_rows(h, level, rows)) > HISTOGRAM_ROWS)
		level++;
	return n;
}
