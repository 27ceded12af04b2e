/* SPDX-License-Identifier: MIT */
/*
 * What the functions of a tracepoint call: the letters of its fields' types, the record's memory and
 * way out, and probes with arguments. Private.
 */
#ifndef UE_RECORD_H
#define UE_RECORD_H
#pragma GCC system_header

#include <user_events.h>
#ifdef UE__DECLARED_ONLY
#error "trace headers of the kernel need all of user_events.h: do not define UE_SHARED for this file"
#endif
#include <linux/types.h>
#include <ue_trace_event/spec.h>
#ifdef __clang__ /* unsigned numbers wrap on purpose */
#pragma clang attribute push(__attribute__((no_sanitize("integer"))), apply_to = function)
#endif

/*
 * Of a field of a record, its type's letter: u and s integers (pointers, bool and floats by their size,
 * too), c a char, b what has only bytes.
 */
#ifdef __cplusplus
template <class T, bool IsEnum = __is_enum(T)> struct ue__letter {
	static constexpr char value = 'b';
};
template <class T> struct ue__letter<T, true> {
	static constexpr char value = ue__letter<__underlying_type(T)>::value;
};
template <class T> struct ue__letter<T *, false> {
	static constexpr char value = 'u';
};
#define UE__LETTER_OF(type, letter)                     \
	template <> struct ue__letter<type, false> {    \
		static constexpr char value = letter;   \
	};
UE__LETTER_OF(bool, 'u')
UE__LETTER_OF(char, 'c')
UE__LETTER_OF(signed char, 's')
UE__LETTER_OF(unsigned char, 'u')
UE__LETTER_OF(short, 's')
UE__LETTER_OF(unsigned short, 'u')
UE__LETTER_OF(int, 's')
UE__LETTER_OF(unsigned int, 'u')
UE__LETTER_OF(long, 's')
UE__LETTER_OF(unsigned long, 'u')
UE__LETTER_OF(long long, 's')
UE__LETTER_OF(unsigned long long, 'u')
UE__LETTER_OF(float, 'u')
UE__LETTER_OF(double, 'u')
UE__LETTER_OF(char16_t, 'u')
UE__LETTER_OF(char32_t, 'u')
UE__LETTER_OF(wchar_t, 'u')
#undef UE__LETTER_OF
template <class T> char (&ue__letter_of(const T &))[ue__letter<typename ue__plain<T>::type>::value];
#define UE__LETTER(x) static_cast<char>(sizeof(ue__letter_of(x)))
#else
/* 5 is what GCC's typeclass.h calls a pointer; clang has the same numbers */
#define UE__LETTER(x)                                                                         \
	_Generic(UE__DECAYED(x), bool : 'u', char : 'c', signed char : 's',                   \
		 unsigned char : 'u', short : 's', unsigned short : 'u', int : 's',           \
		 unsigned int : 'u', long : 's', unsigned long : 'u', long long : 's',        \
		 unsigned long long : 'u', float : 'u', double : 'u',                         \
		 default : __builtin_classify_type(x) == 5 ? 'u' : 'b')
#endif

#ifndef UE_DISABLE

/*
 * Probes with arguments: P is the one to call, from ue__first_typed() on, until it is NULL.
 */
struct ue__typed {
	struct ue__probe *p;
	struct ue__section section;
	int saved; /* errno */
	bool record; /* then: does anybody want the event's record? */
};

/* T->p and what follows it, up to one with arguments. */
UE__FN void ue__find_typed(struct ue__typed *t)
{
	while (t->p && !t->p->typed) {
		t->record = true;
		t->p = __atomic_load_n(&t->p->next, __ATOMIC_ACQUIRE);
	}
	if (!t->p) {
		ue__leave(&t->section);
		errno = t->saved;
	}
}

UE__FN void ue__first_typed(struct ue__typed *t, struct ue_event *event)
{
	UE__KEEP("X"(ue__run_probes_copy));
	uint32_t enabled = UE__LOAD(&event->enabled);

	t->p = NULL;
	t->record = (enabled & ~(uint32_t)UE__PROBE_BIT) != 0;
	if (!(enabled & UE__PROBE_BIT))
		return;
	t->saved = errno;
	if (!ue__enter(&t->section, UE__PROBES)) {
		/* else ue__run_probes() counts it */
		if (!t->record)
			UE__INCREMENT(&ue__state_v1.unprobed);
		return;
	}
	t->record |= __atomic_load_n(&ue__state_v1.probes, __ATOMIC_SEQ_CST) != NULL;
	t->p = __atomic_load_n(&event->probes, __ATOMIC_SEQ_CST);
	ue__find_typed(t);
}

UE__FN void ue__next_typed(struct ue__typed *t)
{
	t->p = __atomic_load_n(&t->p->next, __ATOMIC_ACQUIRE);
	ue__find_typed(t);
}

/* Of an event with reg and unreg: how many probes there are, under a lock of its own. */
struct ue__hook {
	int lock;
	unsigned int probes;
};

/*
 * Adds or removes a probe with arguments. REG runs before there is the first one, and may refuse;
 * UNREG runs when the last one does not any more.
 */
UE__FN int ue__attach(struct ue_event *event, void (*probe)(void), void *data, bool attach, int prio,
		      struct ue__hook *hook, int (*reg)(void), void (*unreg)(void))
{
	UE__KEEP("X"(ue__probing_copy), "X"(ue__lock_word_copy));
	bool edge = false;
	int error = 0;

	if (!reg && !unreg)
		return attach ? ue__add_probe(event, probe, data, 1, prio, &edge) :
				ue__remove_probe(event, probe, data, 1, &edge);
	/* who holds the lock may wait for this very probe */
	if (ue__probing())
		return -EDEADLK;
	ue__lock_word(&hook->lock, true);
	if (attach) {
		if (hook->probes == 0 && reg)
			error = reg();
		if (error == 0) {
			error = ue__add_probe(event, probe, data, 1, prio, &edge);
			if (error == 0)
				hook->probes++;
			else if (hook->probes == 0 && unreg)
				unreg();
		}
	} else {
		error = ue__remove_probe(event, probe, data, 1, &edge);
		if (error == 0 && --hook->probes == 0 && unreg)
			unreg();
	}
	ue__unlock_word(&hook->lock);
	return error;
}
#endif /* UE_DISABLE */

/* A record's size before anything is known to be too large, and from then on. */
#define UE__TOO_LARGE ((size_t)-1)

/*
 * A place for COUNT elements behind the *SIZE bytes of a record, aligned (the kernel does not, but
 * who fills it through a pointer wants it so). Returns its loc, of which size and offset have
 * 16 bits.
 */
static inline uint32_t ue__place(size_t *size, size_t count, size_t element, size_t align)
{
	size_t at = (*size + align - 1) & ~(align - 1);

	if (*size == UE__TOO_LARGE || count > 65535 || at + count * element > 65535) {
		*size = UE__TOO_LARGE;
		return 0;
	}
	*size = at + count * element;
	return (uint32_t)(count * element << 16 | at);
}

static inline size_t ue__string_size(const void *s)
{
	return strlen(s ? (const char *)s : "(null)") + 1;
}

/* Size with a NUL of a string of N bytes; -1 is as wrong as any other negative number. */
static inline size_t ue__bytes_size(size_t n)
{
	return n < 65535 ? n + 1 : n;
}

/* Of a field's data, the loc from the record's begin; of a string the source as well. */
struct ue__record_data {
	uint32_t ue__place;
};
struct ue__record_string {
	uint32_t ue__place;
	const void *ue__source;
};

/* The loc that is AT bytes behind the begin of a class's OFFSETS. */
static inline uint32_t ue__loc_in(const void *offsets, size_t at)
{
	uint32_t loc;

	memcpy(&loc, (const char *)offsets + at, sizeof(loc));
	return loc;
}

static inline void *ue__data_at(void *record, uint32_t loc)
{
	return (char *)record + (loc & 0xffff);
}

/*
 * A string into the bytes that there are for it, what is left of them zeroed. AT is where OFFSETS has
 * the loc, or, if FROM is OFFSETS, the source.
 */
static inline void ue__assign_str(void *record, const void *offsets, size_t at, const void *from)
{
	UE__KEEP("X"(ue__units_copy));
	const char *s;
	char *to;
	uint32_t loc;
	size_t n;

	if (from == offsets) {
		memcpy(&from, (const char *)offsets + at, sizeof(from));
		at -= offsetof(struct ue__record_string, ue__source);
	}
	loc = ue__loc_in(offsets, at);
	if (loc >> 16 == 0)
		return;
	s = from ? (const char *)from : "(null)";
	to = (char *)ue__data_at(record, loc);
	n = ue__units(s, 0, (loc >> 16) - 1);
	memcpy(to, s, n);
	memset(to + n, 0, (loc >> 16) - n);
}

static inline void ue__assign_bytes(void *record, uint32_t loc, const void *from, size_t n)
{
	size_t size = loc >> 16;

	if (from && size && n)
		memcpy(ue__data_at(record, loc), from, n < size ? n : size);
}

/* The same, but for the last byte, which is the string's NUL. */
static inline void ue__assign_chars(void *record, uint32_t loc, const void *from, size_t n)
{
	if (loc >> 16)
		ue__assign_bytes(record, loc - (1 << 16), from, n);
}

/* The memory of a record while it is made. */
struct ue__record {
	size_t size, room;
	void *mapped; /* NULL: it is on the stack */
	uint32_t index;
};
enum { UE__STACK_RECORD = 4096 };

/*
 * R->size is that of the fields, at least HEAD, and of the data. Says whether there is memory for
 * it, in MAPPED or for the caller to find on its stack. WHOLE is the size of the struct, of which
 * readers may make copies: it may be larger than HEAD by bytes at the end.
 */
#ifdef UE_DISABLE
UE__FN bool ue__begin_record(struct ue__record *r, struct ue_event *event, size_t head, size_t whole,
			     size_t align)
{
	r->size += whole - head + align;
	r->room = 0;
	r->mapped = NULL;
	(void)event;
	return false;
}

UE__FN void ue__end_record(struct ue__record *r, struct ue_event *event, void *record)
{
	(void)r;
	(void)event;
	(void)record;
}
#else
UE__FN bool ue__begin_record(struct ue__record *r, struct ue_event *event, size_t head, size_t whole,
			     size_t align)
{
	UE__KEEP("X"(ue__map_copy));
	r->mapped = NULL;
	r->index = UE__LOAD(&event->index);
	/* about to be registered, unregistered a moment ago, or only a USDT probe */
	if (r->index == 0 && UE__LOAD(&event->enabled) >> 16 == 0)
		return false;
	if (r->size == UE__TOO_LARGE) {
		UE__INCREMENT(&ue__state_v1.failed);
		return false;
	}
	/* without a field, a byte: kernels before 6.12 do not always show an empty payload */
	if (whole == sizeof(struct trace_entry))
		whole++;
	r->size += whole - head;
	r->room = r->size + align;
	if (r->room > UE__STACK_RECORD) {
		r->mapped = ue__map(r->room);
		if (!r->mapped) {
			UE__INCREMENT(&ue__state_v1.failed);
			return false;
		}
	}
	return true;
}

UE__FN void ue__end_record(struct ue__record *r, struct ue_event *event, void *record)
{
	unsigned char *index = (unsigned char *)record + sizeof(struct trace_entry) - 4;
	struct ue__iovec one;

	if (r->index) {
		r->index--;
		memcpy(index, &r->index, 4);
		one.iov_base = index;
		one.iov_len = r->size - (sizeof(struct trace_entry) - 4);
		ue__send_any(event, &one, 1, one.iov_len);
	}
	if (r->mapped)
		munmap(r->mapped, r->room);
}
#endif

/* The record in its memory, zeroed: nothing else of this process leaves with it. */
static inline void *ue__record_in(const struct ue__record *r, void *memory, size_t align)
{
	uintptr_t at = ((uintptr_t)memory + align - 1) & ~(uintptr_t)(align - 1);

	return memset((void *)at, 0, r->size);
}

#ifdef __clang__
#pragma clang attribute pop
#endif
#endif
