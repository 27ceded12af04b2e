/* SPDX-License-Identifier: MIT */
/*
 * Text into a buffer or to a function
 */

@private

/* Text. */

/*
 * Where text goes: straight into the caller's buffer while there is room to spare,
 * else by way of scratch, from where it is passed on, cut or thrown away.
 */
struct ue__decode_out {
	char *p;
	char *end;
	char *begin;
	char *buffer; /* where scratch goes */
	char *buffer_end;
	size_t total;
	ue_decode_write_fn write;
	void *context;
	int result;
	uint8_t json;
	uint8_t spaced;
	uint8_t comma;
	char scratch[256];
};

/* No piece of text between two calls of ue__decode_room() is longer. */
#define UE__DECODE_ROOM 64

UE__DECODE_COLD void ue__decode_flush(struct ue__decode_out *out)
{
	size_t n = (size_t)(out->p - out->begin), room;

	out->total += n;
	if (out->write) {
		if (!out->result)
			out->result = out->write(out->context, out->begin, n);
	} else if (out->begin == out->scratch) {
		room = (size_t)(out->buffer_end - out->buffer);
		if (n > room)
			n = room;
		if (n) {
			memcpy(out->buffer, out->begin, n);
			out->buffer += n;
		}
	} else {
		out->buffer = out->p;
	}
	out->p = out->begin = out->scratch;
	out->end = out->scratch + sizeof(out->scratch);
}

UE__DECODE_INLINE void ue__decode_room(struct ue__decode_out *out)
{
	if (UE__DECODE_UNLIKELY(out->end - out->p < UE__DECODE_ROOM))
		ue__decode_flush(out);
}

static inline void ue__decode_out_init(struct ue__decode_out *out, unsigned flags,
				       ue_decode_write_fn write, void *context)
{
	out->p = out->begin = out->buffer = out->buffer_end = out->scratch;
	out->end = out->scratch + sizeof(out->scratch);
	out->total = 0;
	out->write = write;
	out->context = context;
	out->result = 0;
	out->json = (flags & UE_DECODE_JSON) != 0;
	out->spaced = (flags & UE_DECODE_SPACED) != 0;
	out->comma = 0;
}

static inline void ue__decode_out_buffer(struct ue__decode_out *out, unsigned flags, char *buffer,
					 size_t size)
{
	ue__decode_out_init(out, flags, NULL, NULL);
	if (size > UE__DECODE_ROOM) {
		out->p = out->begin = buffer;
		out->end = buffer + size - 1;
	} else {
		out->buffer = buffer;
	}
	out->buffer_end = size ? buffer + size - 1 : buffer;
}

static inline size_t ue__decode_out_end(struct ue__decode_out *out, size_t size)
{
	ue__decode_flush(out);
	if (size)
		*out->buffer = 0;
	return out->total;
}

UE__DECODE_INLINE void ue__decode_put(struct ue__decode_out *out, char c)
{
	*out->p++ = c;
}

/* text has at most UE__DECODE_ROOM bytes, less what else is put into this room. */
UE__DECODE_INLINE void ue__decode_puts(struct ue__decode_out *out, const char *text)
{
	size_t n = strlen(text);

	memcpy(out->p, text, n);
	out->p += n;
}

static inline void ue__decode_quote(struct ue__decode_out *out)
{
	if (out->json)
		ue__decode_put(out, '"');
}

static const char ue__decode_pairs[] = "00010203040506070809"
				       "10111213141516171819"
				       "20212223242526272829"
				       "30313233343536373839"
				       "40414243444546474849"
				       "50515253545556575859"
				       "60616263646566676869"
				       "70717273747576777879"
				       "80818283848586878889"
				       "90919293949596979899";

/* Writes value in decimal, ending right before end; returns where it begins. */
static inline char *ue__decode_digits(char *end, uint64_t value)
{
	uint32_t low;

	while (value >> 32) {
		uint32_t part = (uint32_t)(value % 10000);

		value /= 10000;
		memcpy(end -= 2, ue__decode_pairs + (size_t)(part % 100) * 2, 2);
		memcpy(end -= 2, ue__decode_pairs + (size_t)(part / 100) * 2, 2);
	}
	for (low = (uint32_t)value; low >= 100; low /= 100)
		memcpy(end -= 2, ue__decode_pairs + (size_t)(low % 100) * 2, 2);
	if (low >= 10)
		memcpy(end -= 2, ue__decode_pairs + (size_t)low * 2, 2);
	else
		*--end = (char)('0' + low);
	return end;
}

/* How many decimal digits value has. */
static inline int ue__decode_digit_count(uint64_t value)
{
	int n = 1;

	for (; value >= 10000; value /= 10000)
		n += 4;
	return n + (value >= 10) + (value >= 100) + (value >= 1000);
}

static inline void ue__decode_uint(struct ue__decode_out *out, uint64_t value)
{
	out->p += ue__decode_digit_count(value);
	ue__decode_digits(out->p, value);
}

/* With zeros in front, up to width digits. */
static inline void ue__decode_padded(struct ue__decode_out *out, uint64_t value, int width)
{
	char digits[20], *end = digits + sizeof(digits), *p = ue__decode_digits(end, value);

	while (end - p < width)
		*--p = '0';
	memcpy(out->p, p, (size_t)(end - p));
	out->p += end - p;
}

static inline void ue__decode_int(struct ue__decode_out *out, int64_t value)
{
	uint64_t magnitude = (uint64_t)value;

	if (value < 0) {
		ue__decode_put(out, '-');
		magnitude = 0 - magnitude;
	}
	ue__decode_uint(out, magnitude);
}

static inline void ue__decode_hex_int(struct ue__decode_out *out, uint64_t value)
{
	char *p = out->p;
	int shift = 0;

	*p++ = '0';
	*p++ = 'x';
#if defined(__GNUC__)
	shift = (63 - __builtin_clzll(value | 1)) & ~3;
#else
	while (shift < 60 && value >> shift >> 4)
		shift += 4;
#endif
	for (; shift >= 0; shift -= 4)
		*p++ = "0123456789ABCDEF"[value >> shift & 15];
	out->p = p;
}

static inline void ue__decode_hex_byte(struct ue__decode_out *out, uint8_t byte)
{
	ue__decode_put(out, "0123456789abcdef"[byte >> 4]);
	ue__decode_put(out, "0123456789abcdef"[byte & 15]);
}

static inline void ue__decode_hex_bytes(struct ue__decode_out *out, const uint8_t *p, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		ue__decode_room(out);
		if (i)
			ue__decode_put(out, ' ');
		ue__decode_hex_byte(out, p[i]);
	}
}

static inline void ue__decode_uuid(struct ue__decode_out *out, const uint8_t *p)
{
	int i;

	for (i = 0; i < 16; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			ue__decode_put(out, '-');
		ue__decode_hex_byte(out, p[i]);
	}
}

static inline void ue__decode_ipv4(struct ue__decode_out *out, const uint8_t *p)
{
	int i;

	for (i = 0; i < 4; i++) {
		if (i)
			ue__decode_put(out, '.');
		ue__decode_uint(out, p[i]);
	}
}

/*
 * As inet_ntop() does it: the first of the longest runs of two zero words and more is
 * "::", and what is left of an address of ::/96 or ::ffff:0:0/96 is an IPv4 address.
 */
static inline void ue__decode_ipv6(struct ue__decode_out *out, const uint8_t *p)
{
	unsigned words[8], i, run = 0, best = 8, length = 1;

	for (i = 0; i < 8; i++) {
		words[i] = ue__decode_u16(p + (size_t)2 * i, 1);
		run = words[i] ? 0 : run + 1;
		if (run > length) {
			length = run;
			best = i + 1 - run;
		}
	}
	for (i = 0; i < 8; i++) {
		int shift;

		if (i == best) {
			ue__decode_put(out, ':');
			i += length - 1;
			if (i == 7)
				ue__decode_put(out, ':');
			continue;
		}
		if (i)
			ue__decode_put(out, ':');
		if (i == 6 && !best && (length == 6 || (length == 5 && words[5] == 0xffff))) {
			ue__decode_ipv4(out, p + 12);
			return;
		}
		for (shift = 12; shift && !(words[i] >> shift);)
			shift -= 4;
		for (; shift >= 0; shift -= 4)
			ue__decode_put(out, "0123456789abcdef"[words[i] >> shift & 15]);
	}
}

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

/* Linux' numbers, which other systems do not share. */
static const char ue__decode_errnos[][16] = {
	"ERRNO", "EPERM", "ENOENT", "ESRCH", "EINTR", "EIO", "ENXIO", "E2BIG", "ENOEXEC",
	"EBADF", "ECHILD", "EAGAIN", "ENOMEM", "EACCES", "EFAULT", "ENOTBLK", "EBUSY",
	"EEXIST", "EXDEV", "ENODEV", "ENOTDIR", "EISDIR", "EINVAL", "ENFILE", "EMFILE",
	"ENOTTY", "ETXTBSY", "EFBIG", "ENOSPC", "ESPIPE", "EROFS", "EMLINK", "EPIPE",
	"EDOM", "ERANGE", "EDEADLK", "ENAMETOOLONG", "ENOLCK", "ENOSYS", "ENOTEMPTY",
	"ELOOP", "ERRNO", "ENOMSG", "EIDRM", "ECHRNG", "EL2NSYNC", "EL3HLT", "EL3RST",
	"ELNRNG", "EUNATCH", "ENOCSI", "EL2HLT", "EBADE", "EBADR", "EXFULL", "ENOANO",
	"EBADRQC", "EBADSLT", "ERRNO", "EBFONT", "ENOSTR", "ENODATA", "ETIME", "ENOSR",
	"ENONET", "ENOPKG", "EREMOTE", "ENOLINK", "EADV", "ESRMNT", "ECOMM", "EPROTO",
	"EMULTIHOP", "EDOTDOT", "EBADMSG", "EOVERFLOW", "ENOTUNIQ", "EBADFD", "EREMCHG",
	"ELIBACC", "ELIBBAD", "ELIBSCN", "ELIBMAX", "ELIBEXEC", "EILSEQ", "ERESTART",
	"ESTRPIPE", "EUSERS", "ENOTSOCK", "EDESTADDRREQ", "EMSGSIZE", "EPROTOTYPE",
	"ENOPROTOOPT", "EPROTONOSUPPORT", "ESOCKTNOSUPPORT", "EOPNOTSUPP", "EPFNOSUPPORT",
	"EAFNOSUPPORT", "EADDRINUSE", "EADDRNOTAVAIL", "ENETDOWN", "ENETUNREACH",
	"ENETRESET", "ECONNABORTED", "ECONNRESET", "ENOBUFS", "EISCONN", "ENOTCONN",
	"ESHUTDOWN", "ETOOMANYREFS", "ETIMEDOUT", "ECONNREFUSED", "EHOSTDOWN",
	"EHOSTUNREACH", "EALREADY", "EINPROGRESS", "ESTALE", "EUCLEAN", "ENOTNAM",
	"ENAVAIL", "EISNAM", "EREMOTEIO", "EDQUOT", "ENOMEDIUM", "EMEDIUMTYPE",
	"ECANCELED", "ENOKEY", "EKEYEXPIRED", "EKEYREVOKED", "EKEYREJECTED", "EOWNERDEAD",
	"ENOTRECOVERABLE", "ERFKILL", "EHWPOISON",
};

static inline void ue__decode_errno(struct ue__decode_out *out, uint32_t number)
{
	size_t known = sizeof(ue__decode_errnos) / sizeof(ue__decode_errnos[0]);

	ue__decode_puts(out, ue__decode_errnos[number < known ? number : 0]);
	ue__decode_put(out, '(');
	ue__decode_int(out, (int32_t)number);
	ue__decode_put(out, ')');
}
