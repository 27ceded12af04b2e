/* SPDX-License-Identifier: MIT */
/*
 * Functions called by a tracepoint. They call the probes of register_trace_NAME(), determine the
 * type letters of fields, and manage the memory of a record. Private.
 */
#ifndef UE_RECORD_H
#define UE_RECORD_H
#pragma GCC system_header

#include <user_events.h>
#include <user_events_probe.h>
#include <linux/types.h>
#include <ue_trace_event/spec.h>
UE__I_BEGIN

/*
 * Returns the letter for the type of a field: u or s for integers, pointers, bool and floats, c for
 * char, and b for all other types.
 */
#ifdef __cplusplus
template <class T> struct ue__letter {
	static constexpr uint32_t type = ue__i_scalar<T>::ue__i_type;
	static constexpr char value = !type		  ? 'b' :
				      type == UE__F_TYPE(CHAR)	  ? 'c' :
				      UE__F_IS_SIGNED(type) ? 's' :
							    'u';
};
template <class T> struct ue__letter<T *> {
	static constexpr char value = 'u';
};
template <class T> char (&ue__letter_of(const volatile T &))[ue__letter<T>::value];
#define UE__LETTER(x) static_cast<char>(sizeof(ue__letter_of(x)))
#else
/*
 * The comma operator converts X to a value, for example an array to a pointer. In GCC's typeclass.h
 * and in clang, class 5 means a pointer.
 */
#define UE__LETTER(x) \
	__extension__ _Generic(((void)0, (x)), bool : 'u', char : 'c', signed char : 's', \
		 unsigned char : 'u', short : 's', unsigned short : 'u', int : 's', \
		 unsigned int : 'u', long : 's', unsigned long : 'u', long long : 's', \
		 unsigned long long : 'u', float : 'u', double : 'u', \
		 default : __builtin_classify_type(x) == 5 ? 'u' : 'b')
#endif

#ifndef UE__I_DECLARED_ONLY
#ifndef UE_DISABLE

/*
 * Iterates over typed probes, which register_trace_NAME() adds. ue__first_typed() starts the
 * iteration and finds the first probe. P is the next probe to call, or NULL after the last one.
 */
struct ue__typed {
	struct ue__probe *p;
	uint32_t phase;
	int saved;   /* saved errno */
	bool record; /* true if the record of the event is needed */
};

UE__I_FN void ue__leave_typed(struct ue__typed *t)
{
	if (!t->p) {
		ue__leave(t->phase);
		errno = t->saved;
	}
}

UE__I_FN void ue__first_typed(struct ue__typed *t, struct ue_event *event)
{
	uint32_t enabled = UE__I_LOAD(&event->enabled);

	t->p = NULL;
	t->record = (enabled & ~UE__I_HOOK_BIT) != 0 ||
		ue__i_has_other_hooks(&ue__probe_lists_v1.hook);
	if (!(enabled & UE__I_HOOK_BIT))
		return;
	t->saved = errno;
	if (!ue__enter(&t->phase)) {
		/* if the record is written, the hook counts the event */
		if (!t->record)
			UE__I_COUNT_EVENT(unprobed);
		return;
	}
	t->record |= ue__first_probe(event, false) || ue__first_probe(NULL, false);
	t->p = ue__first_probe(event, true);
	ue__leave_typed(t);
}

UE__I_FN void ue__next_typed(struct ue__typed *t)
{
	t->p = ue__next_probe(t->p);
	ue__leave_typed(t);
}

/*
 * Number of probes of an event with reg and unreg functions, and the lock that is held while these
 * functions are called.
 */
struct ue__attached {
	uint32_t lock;
	unsigned int probes;
};

/*
 * Adds or removes a typed probe. Calls REG before the first probe is added. REG may reject the
 * probe. Calls UNREG after the last probe has been removed and no thread is running it.
 */
UE__I_FN int ue__attach(struct ue_event *event, void (*probe)(void), void *data, bool attach,
		      int prio, struct ue__attached *attached, int (*reg)(void),
		      void (*unreg)(void))
{
	int error = 0;

	if (!reg && !unreg)
		return attach ? ue__add_probe(event, probe, data, true, prio) :
				ue__remove_probe(event, probe, data, true);
	/* the lock holder may be waiting for this probe to return */
	if (UE__I_LOAD(&ue__in_probe_v1))
		return -EDEADLK;
	ue__take(&attached->lock);
	if (attach) {
		if (attached->probes == 0 && reg)
			error = reg();
		if (!error) {
			error = ue__add_probe(event, probe, data, true, prio);
			attached->probes += !error;
			if (attached->probes == 0 && unreg)
				unreg();
		}
	} else {
		error = ue__remove_probe(event, probe, data, true);
		if (!error && --attached->probes == 0 && unreg)
			unreg();
	}
	ue__give(&attached->lock);
	return error;
}
#endif /* UE_DISABLE */

/* Value of a record size that means that the record is too large. */
#define UE__TOO_LARGE ((size_t)-1)

/*
 * Reserves space for COUNT elements after the *SIZE bytes of a record. Returns the loc of this
 * space, with 16 bits each for size and offset. The space is aligned, because TP_fast_assign may
 * fill it through a pointer. The kernel does not align it.
 */
static inline uint32_t ue__reserve(size_t *size, size_t count, size_t element, size_t align)
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

/* Returns the size of N bytes with a NUL. A negative N results in a size that is too large. */
static inline size_t ue__bytes_size(size_t n)
{
	return n < 65535 ? n + 1 : n;
}

/*
 * Member of the OFFSETS struct for each field with data. It contains the loc and, for a string, the
 * source.
 */
struct ue__record_data {
	uint32_t ue__loc;
};
struct ue__record_string {
	const void *ue__source; /* must be first, see ue__assign_source() */
	uint32_t ue__loc;
};

static inline void *ue__data_at(void *record, uint32_t loc)
{
	return (char *)record + (loc & 0xffff);
}

/*
 * Copies a string to its reserved space, truncates it if necessary, and clears the rest of the
 * space.
 */
static inline void ue__assign_str(void *record, uint32_t loc, const void *from)
{
	const char *s = from ? (const char *)from : "(null)", *end;
	char *to = (char *)ue__data_at(record, loc);
	size_t size = loc >> 16, n;

	if (size == 0)
		return;
	end = (const char *)memchr(s, 0, size - 1);
	n = end ? (size_t)(end - s) : size - 1;
	memcpy(to, s, n);
	memset(to + n, 0, size - n);
}

/*
 * Copies a string from its SOURCE. SOURCE points to the ue__source member, which only strings have.
 * The macro uses the member once, so that a wrong name causes only one error.
 */
static inline void ue__assign_source(void *record, const void *const *source)
{
	const struct ue__record_string *string = (const struct ue__record_string *)source;

	ue__assign_str(record, string->ue__loc, string->ue__source);
}

static inline void ue__assign_bytes(void *record, uint32_t loc, const void *from, size_t n)
{
	size_t size = loc >> 16;

	if (from && size && n)
		memcpy(ue__data_at(record, loc), from, n < size ? n : size);
}

/* Copies characters, but not into the last byte, which is the NUL of the string. */
static inline void ue__assign_chars(void *record, uint32_t loc, const void *from, size_t n)
{
	if (loc >> 16)
		ue__assign_bytes(record, loc - (1 << 16), from, n);
}

/*
 * Memory for a record that is being created. It is on the stack, or mapped if the record is large.
 */
struct ue__record {
	size_t size, room;
	void *mapped; /* mapped memory, or NULL if on the stack */
};
enum { UE__STACK_RECORD = 4096 };

/*
 * Returns true if the record is needed and memory for it is available: in R->mapped, or in R->room
 * bytes of the caller's stack. R->size is the size of the fields and data, and HEAD is the size of
 * the fields. WHOLE is the size of the struct including its trailing padding, because readers may
 * copy the struct.
 */
UE__I_FN bool ue__begin_record(struct ue__record *r, struct ue_event *event, size_t head,
			     size_t whole, size_t align)
{
	r->mapped = NULL;
	r->room = 0;
#ifdef UE_DISABLE
	(void)event, (void)head, (void)whole, (void)align;
	return false;
#else
	if (!ue_event_enabled(event))
		return false;
	/*
	 * A record without fields has one byte, because kernels before 6.12 may not show an event
	 * with an empty payload.
	 */
	if (whole == sizeof(struct trace_entry))
		whole++;
	if (r->size != UE__TOO_LARGE) {
		r->size += whole - head;
		r->room = r->size + align;
		if (r->room > UE__STACK_RECORD)
			r->mapped = ue__map(r->room);
	}
	if (r->size == UE__TOO_LARGE || (r->room > UE__STACK_RECORD && !r->mapped)) {
		UE__I_COUNT_EVENT(failed);
		return false;
	}
	return true;
#endif
}

/* Writes the record. The write index replaces the last 4 bytes of the record's header. */
UE__I_FN void ue__end_record(struct ue__record *r, struct ue_event *event, void *record)
{
#ifdef UE_DISABLE
	(void)r, (void)event, (void)record;
#else
	unsigned char *index = (unsigned char *)record + sizeof(struct trace_entry) - 4;
	struct ue__i_iovec iov;

	iov.iov_base = index;
	iov.iov_len = r->size - (sizeof(struct trace_entry) - 4);
	ue__i_send_segments(event, &iov, 1);
	if (r->mapped)
		munmap(r->mapped, r->room);
#endif
}

/*
 * Returns the aligned address of the record in MEMORY. Clears the record, so that padding does not
 * leak data of this process.
 */
static inline void *ue__record_in(const struct ue__record *r, void *memory, size_t align)
{
	uintptr_t at = ((uintptr_t)memory + align - 1) & ~(uintptr_t)(align - 1);

	return memset((void *)at, 0, r->size);
}

#endif /* UE__I_DECLARED_ONLY */
UE__I_END
#endif
