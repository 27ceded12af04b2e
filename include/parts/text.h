/* SPDX-License-Identifier: MIT */
/*
 * Text into a buffer
 */

/* @private */

/* Text in a buffer: always terminated; what does not fit is left out. */
struct ue__text {
	char *buffer;
	size_t size, length; /* length counts what did not fit as well */
};

UE__SETUP void ue__put_bytes(struct ue__text *t, const char *s, size_t n)
{
	size_t room = t->length + 1 < t->size ? t->size - 1 - t->length : 0;

	if (room) {
		memcpy(t->buffer + t->length, s, n < room ? n : room);
		t->buffer[t->length + (n < room ? n : room)] = '\0';
	}
	t->length += n;
}

UE__SETUP void ue__put(struct ue__text *t, const char *s)
{
	ue__put_bytes(t, s, strlen(s));
}

UE__SETUP void ue__put_number(struct ue__text *t, uint64_t n, unsigned int base)
{
	char digits[24];
	size_t i = sizeof(digits);

	do {
		digits[--i] = "0123456789abcdef"[n % base];
		n /= base;
	} while (n);
	ue__put_bytes(t, digits + i, sizeof(digits) - i);
}

static UE__ALWAYS_INLINE struct ue__text ue__text_in(char *buffer, size_t size)
{
	struct ue__text t;

	t.buffer = buffer;
	t.size = size;
	t.length = 0;
	if (size)
		buffer[0] = '\0';
	return t;
}
