/* SPDX-License-Identifier: MIT */
/*
 * Times as text
 */

/* @private */

/* Seconds since 1970 as a date of the Gregorian calendar, without a zone. */
static inline void ue__decode_date(struct ue__decode_out *out, int64_t seconds)
{
	/* Years are counted from March 1st, so that the leap day is a year's last. */
	int64_t day = seconds / 86400, era, year;
	uint32_t second, of_era, year_of_era, of_year, month;

	if (seconds % 86400 < 0)
		day--;
	second = (uint32_t)(seconds - day * 86400);
	day += 719468; /* from 0000-03-01 on */
	era = (day < 0 ? day - 146096 : day) / 146097;
	of_era = (uint32_t)(day - era * 146097);
	year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
	of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
	month = (5 * of_year + 2) / 153;
	year = (int64_t)year_of_era + era * 400 + (month >= 10);

	if (year < 0)
		ue__decode_put(out, '-');
	ue__decode_padded(out, (uint64_t)(year < 0 ? -year : year), year < 0 ? 3 : 4);
	ue__decode_put(out, '-');
	ue__decode_padded(out, month < 10 ? month + 3 : month - 9, 2);
	ue__decode_put(out, '-');
	ue__decode_padded(out, of_year - (153 * month + 2) / 5 + 1, 2);
	ue__decode_put(out, 'T');
	ue__decode_padded(out, second / 3600, 2);
	ue__decode_put(out, ':');
	ue__decode_padded(out, second / 60 % 60, 2);
	ue__decode_put(out, ':');
	ue__decode_padded(out, second % 60, 2);
}

static inline void ue__decode_time(struct ue__decode_out *out, int64_t seconds)
{
	/* The years that gmtime() holds: its tm_year is a 32-bit int. */
	if (seconds >= -67768040609740800 && seconds <= 67768036191676799) {
		ue__decode_date(out, seconds);
		return;
	}
	ue__decode_puts(out, "TIME(");
	ue__decode_int(out, seconds);
	ue__decode_put(out, ')');
}
