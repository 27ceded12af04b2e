/* SPDX-License-Identifier: MIT */
/*
 * A log-linear histogram of decimals: each power of ten has 900 buckets of one width, which are its three
 * leading digits. Any number has its place, and memory goes to the powers that there are (9 MB at most, for
 * numbers of all sizes). As long as there are few different values, they are known exactly, too.
 */
#include "histogram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 900
#define LEAST 100 /* the three digits of a power's first bucket */
#define ZERO 330  /* index of the power of 1; those of double go from -324 to 308 */
#define POWERS (2 * ZERO)

struct value {
	long double value;
	uint64_t count;
};

struct histogram {
	uint64_t n, zeros;
	long double min, max;
	bool fractions;			     /* not all of them are integers */
	struct value values[HISTOGRAM_ROWS]; /* in order */
	size_t different;		     /* HISTOGRAM_ROWS + 1: too many */
	uint64_t *positive[POWERS], *negative[POWERS];
};

struct histogram *histogram_new(void)
{
	return allocate(sizeof(struct histogram));
}

void histogram_free(struct histogram *h)
{
	size_t i;

	for (i = 0; h && i < POWERS; i++) {
		free(h->positive[i]);
		free(h->negative[i]);
	}
	free(h);
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

/* Returns where a bucket begins; digits is LEAST to 1000. */
static long double floor_of(size_t power, unsigned int digits)
{
	int exponent = (int)power - ZERO - 2;

	return exponent < 0 ? digits / power_of_ten(-exponent) : digits * power_of_ten(exponent);
}

/* Splits a value over 0 into its power of ten and its three digits. */
static size_t place(long double value, bool whole, unsigned int *digits)
{
	int binary, exponent;
	size_t power;

	frexpl(value, &binary);
	/* the power of ten, or the one below it; log10() would need another library */
	exponent = (int)(((long)binary - 1) * 30103 / 100000) - (binary < 1);
	if (exponent < -ZERO || exponent >= ZERO) {
		*digits = exponent < 0 ? LEAST : LEAST + BUCKETS - 1;
		return exponent < 0 ? 0 : POWERS - 1;
	}
	/* what stands for 0.3 is a little less than it, or more */
	if (!whole)
		value *= 1 + 1e-12L;
	power = (size_t)(exponent + ZERO);
	if (power && value < floor_of(power, LEAST))
		power--;
	else if (power + 1 < POWERS && value >= floor_of(power + 1, LEAST))
		power++;
	*digits = (unsigned int)(value / (floor_of(power, LEAST) / LEAST));
	if (*digits < LEAST)
		*digits = LEAST;
	if (*digits >= LEAST + BUCKETS)
		*digits = LEAST + BUCKETS - 1;
	/* the division rounds */
	if (*digits > LEAST && value < floor_of(power, *digits))
		(*digits)--;
	return power;
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
	h->values[i] = (struct value){ value, 1 };
}

void histogram_add(struct histogram *h, long double value, bool whole)
{
	uint64_t **powers = value < 0 ? h->negative : h->positive;
	unsigned int digits = LEAST + BUCKETS - 1;
	size_t power = POWERS - 1;

	if (isnan(value))
		return;
	if (!h->n || value < h->min)
		h->min = value;
	if (!h->n || value > h->max)
		h->max = value;
	h->n++;
	h->fractions |= !whole;
	add_exact(h, value);
	if (value == 0) {
		h->zeros++;
		return;
	}
	if (!isinf(value))
		power = place(fabsl(value), whole, &digits);
	if (!powers[power])
		powers[power] = allocate(BUCKETS * sizeof(**powers));
	powers[power][digits - LEAST]++;
}

uint64_t histogram_count(const struct histogram *h)
{
	return h->n;
}

bool histogram_whole(const struct histogram *h)
{
	return !h->fractions;
}

long double histogram_min(const struct histogram *h)
{
	return h->min;
}

long double histogram_max(const struct histogram *h)
{
	return h->max;
}

struct bucket {
	int sign; /* 0: the zeros */
	size_t power;
	unsigned int digits;
	uint64_t count;
};

/* Each bucket that is not empty, from the least value to the most, until fn returns true. */
typedef bool (*bucket_fn)(void *context, const struct bucket *bucket);

static bool each_of(const uint64_t *counts, int sign, size_t power, bucket_fn fn, void *context)
{
	struct bucket bucket = { .sign = sign, .power = power };
	unsigned int i;

	for (i = 0; counts && i < BUCKETS; i++) {
		bucket.digits = LEAST + (sign < 0 ? BUCKETS - 1 - i : i);
		bucket.count = counts[bucket.digits - LEAST];
		if (bucket.count && fn(context, &bucket))
			return true;
	}
	return false;
}

static void each(const struct histogram *h, bucket_fn fn, void *context)
{
	struct bucket zeros = { .count = h->zeros };
	size_t i;

	for (i = POWERS; i-- > 0;) {
		if (each_of(h->negative[i], -1, i, fn, context))
			return;
	}
	if (h->zeros && fn(context, &zeros))
		return;
	for (i = 0; i < POWERS; i++) {
		if (each_of(h->positive[i], 1, i, fn, context))
			return;
	}
}

/* Percentiles */

struct rank {
	const struct histogram *h;
	uint64_t left;
	long double value;
};

static bool find_rank(void *context, const struct bucket *bucket)
{
	struct rank *rank = context;
	long double least, most;

	if (rank->left > bucket->count) {
		rank->left -= bucket->count;
		return false;
	}
	if (!bucket->sign)
		return true;
	least = floor_of(bucket->power, bucket->digits);
	most = floor_of(bucket->power, bucket->digits + 1);
	/* the value of a bucket is its only integer, or its middle */
	if (rank->h->fractions || most - least > 1)
		least = (least + most) / 2;
	rank->value = bucket->sign * least;
	return true;
}

static long double exact_rank(const struct histogram *h, uint64_t left)
{
	size_t i = 0;

	while (left > h->values[i].count)
		left -= h->values[i++].count;
	return h->values[i].value;
}

long double histogram_percentile(const struct histogram *h, double share)
{
	double wanted = share * (double)h->n;
	struct rank rank = { .h = h, .left = (uint64_t)wanted };

	if (!h->n)
		return 0;
	if ((double)rank.left < wanted || !rank.left)
		rank.left++;
	if (rank.left > h->n)
		rank.left = h->n;
	if (h->different <= HISTOGRAM_ROWS)
		return exact_rank(h, rank.left);
	each(h, find_rank, &rank);
	if (rank.value < h->min)
		return h->min;
	return rank.value > h->max ? h->max : rank.value;
}

/* Rows */

/*
 * How powers of ten are divided, the finest first: rows of one width, which are for values of one power, then
 * rows that grow evenly. Behind these come rows of several powers.
 */
static const struct {
	size_t n;
	unsigned int step; /* 0: they begin at these digits */
	unsigned int at[20];
} levels[] = {
	{ 900, 1, { 0 } },
	{ 450, 2, { 0 } },
	{ 180, 5, { 0 } },
	{ 90, 10, { 0 } },
	{ 45, 20, { 0 } },
	{ 20, 0, { 100, 110, 125, 140, 160, 180, 200, 225, 250, 280,
		   315, 355, 400, 450, 500, 560, 630, 710, 800, 900 } },
	{ 10, 0, { 100, 125, 160, 200, 250, 315, 400, 500, 630, 800 } },
	{ 6, 0, { 100, 150, 200, 300, 500, 700 } },
	{ 3, 0, { 100, 200, 500 } },
	{ 1, 0, { 100 } },
};
#define EVEN 5 /* the first level that grows */
#define LEVELS ARRAY_SIZE(levels)

struct rows {
	struct histogram_row *rows;
	size_t n, level;
	int sign;
	size_t number; /* of the last row; they count on from power to power */
};

static size_t row_number(size_t level, size_t power, unsigned int digits)
{
	size_t i;

	if (level >= LEVELS)
		return power >> (level - LEVELS + 1);
	if (levels[level].step)
		return power * levels[level].n + (digits - LEAST) / levels[level].step;
	for (i = levels[level].n - 1; levels[level].at[i] > digits; i--)
		;
	return power * levels[level].n + i;
}

static long double row_floor(size_t level, size_t number)
{
	unsigned int row;

	if (level >= LEVELS)
		return floor_of(number << (level - LEVELS + 1), LEAST);
	row = (unsigned int)(number % levels[level].n);
	return floor_of(number / levels[level].n, levels[level].step
							  ? LEAST + row * levels[level].step
							  : levels[level].at[row]);
}

static void open_row(struct rows *r, int sign, size_t number)
{
	struct histogram_row *row = r->n < HISTOGRAM_ROWS ? &r->rows[r->n] : NULL;
	long double least, most;

	r->n++;
	r->sign = sign;
	r->number = number;
	if (!row)
		return;
	*row = (struct histogram_row){ .count = 0 };
	if (!sign)
		return;
	least = row_floor(r->level, number);
	most = row_floor(r->level, number + 1);
	row->least = sign < 0 ? -most : least;
	row->most = sign < 0 ? -least : most;
}

/* There are rows between two of the same sign, also empty ones. */
static bool add_to_row(void *context, const struct bucket *bucket)
{
	struct rows *r = context;
	size_t number = bucket->sign ? row_number(r->level, bucket->power, bucket->digits) : 0;

	if (!r->n || r->sign != bucket->sign)
		open_row(r, bucket->sign, number);
	while (r->number != number && r->n <= HISTOGRAM_ROWS)
		open_row(r, bucket->sign, bucket->sign < 0 ? r->number - 1 : r->number + 1);
	if (r->n <= HISTOGRAM_ROWS)
		r->rows[r->n - 1].count += bucket->count;
	return r->n > HISTOGRAM_ROWS;
}

/* Integers that are near one another have a row each, also those between them. */
static size_t integer_rows(const struct histogram *h, struct histogram_row *rows)
{
	long double value = h->min;
	size_t n, i = 0;

	for (n = 0; value <= h->max; n++, value++) {
		rows[n] = (struct histogram_row){ .least = value, .most = value };
		if (h->values[i].value == value)
			rows[n].count = h->values[i++].count;
	}
	return n;
}

static size_t value_rows(const struct histogram *h, struct histogram_row *rows)
{
	size_t i;

	for (i = 0; i < h->different; i++) {
		rows[i].least = rows[i].most = h->values[i].value;
		rows[i].count = h->values[i].count;
	}
	return h->different;
}

static bool has_one_power(const struct histogram *h)
{
	unsigned int digits;

	if (h->min <= 0 && h->max >= 0)
		return false;
	return place(fabsl(h->min), !h->fractions, &digits) ==
	       place(fabsl(h->max), !h->fractions, &digits);
}

size_t histogram_rows(const struct histogram *h, bool values,
		      struct histogram_row rows[HISTOGRAM_ROWS])
{
	struct rows r = { .rows = rows };

	if (!h->n)
		return 0;
	if (h->different <= HISTOGRAM_ROWS) {
		if (!h->fractions && h->max - h->min < HISTOGRAM_ROWS)
			return integer_rows(h, rows);
		if (values && h->n >= 3 * h->different)
			return value_rows(h, rows);
	}
	/* as fine as there is room for */
	if (!has_one_power(h))
		r.level = EVEN;
	for (;; r = (struct rows){ .rows = rows, .level = r.level + 1 }) {
		each(h, add_to_row, &r);
		if (r.n <= HISTOGRAM_ROWS)
			return r.n;
	}
}
