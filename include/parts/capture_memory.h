/* SPDX-License-Identifier: MIT */
/*
 * Capturing an event in memory
 */

/* @enabled */

/*
 * The first memory capture gets events as the recorder does, which is cheaper than a probe. Further
 * ones, and those into files, are probes. Its struct ue__recording finds the thread, the CPU and
 * the time. OWN->inside counts the events that are being captured: the end of the capture waits
 * until it is 0. In a child, OWN is zero, and so is the count.
 */
UE__FN void ue__recorder_detect(struct ue__recording *r);

/*
 * Sets who gets the events of this program or library: the recorder, the capture, both or none.
 * Under the lock.
 */
UE__FN void ue__listen(void);

/* memcpy() without the call; some bytes are copied twice. */
static inline void ue__capture_copy(unsigned char *to, const unsigned char *bytes, size_t n)
{
	size_t i;

	if (UE__UNLIKELY(n < 8)) {
		for (i = 0; i < n; i++) {
			to[i] = bytes[i];
			__asm__("" : "+r"(i)); /* else GCC makes it a call */
		}
		return;
	}
	for (i = 8; i < n; i += 8) {
		memcpy(to + i - 8, bytes + i - 8, 8);
		__asm__("" : "+r"(i));
	}
	memcpy(to + n - 8, bytes + n - 8, 8);
}

/* Copies several segments to TO, without the index. */
UE__FILE_COLD void ue__capture_pieces(unsigned char *to, const struct ue__iovec *iov, int count)
{
	size_t skip = 4;

	for (; count; iov++, count--) {
		if (iov->iov_len > skip)
			memcpy(to, (const unsigned char *)iov->iov_base + skip,
			       iov->iov_len - skip);
		to += iov->iov_len - skip;
		skip = 0;
	}
}

/* The pid, at the first event and after a fork: writes a record that names the process. */
UE__FILE_COLD uint32_t ue__capture_process(struct ue__recording *r, struct ue_capture *c,
					   const struct ue__capture_head *now)
{
	struct ue__capture_head head = *now;

	head.pid = (uint32_t)ue__syscall3(__NR_getpid, 0, 0, 0);
	if (UE__LOAD(&c->pid) != head.pid)
		ue__capture_put_program(c, &head);
	if (!(r->ask & UE__RECORDER_ASK_PID))
		UE__STORE(&r->own->pid, head.pid);
	return head.pid;
}

static inline void ue__capture_now_by(struct ue__recording *r, struct ue_capture *c,
				      struct ue__capture_head *head)
{
	head->time = ue__recorder_time(r);
	if (r->by == UE__RECORDER_RSEQ && !r->ask) {
		head->cpu = ue__thread_word(r->rseq);
		head->tid = ue__thread_word(r->tid);
	} else {
		head->cpu = (uint32_t)ue__libc_getcpu();
		head->tid = ue__recorder_tid(r);
	}
	head->pid = UE__LOAD(&r->own->pid);
	if (UE__UNLIKELY(!head->pid))
		head->pid = ue__capture_process(r, c, head);
}

/* Called like ue__record(). */
UE__FILE_HOT void ue__capture_record(struct ue_event *event, const void *bytes, size_t size)
{
	struct ue__recording *r = (struct ue__recording *)UE__LOAD(&ue__state_v1.capturing);
	const struct ue__iovec *iov = NULL;
	struct ue__capture_head head;
	unsigned char *place = NULL;
	struct ue_capture *c;
	struct ue__capture_common common;
	int i, count = 0;

	if (UE__UNLIKELY(!bytes))
		return; /* it is described when it is written */
	__atomic_fetch_add(&r->own->inside, 1u, __ATOMIC_SEQ_CST);
	c = __atomic_load_n(&r->capture, __ATOMIC_SEQ_CST);
	if (UE__UNLIKELY(!c))
		goto out;
	if (UE__UNLIKELY(size > SIZE_MAX / 2)) {
		iov = (const struct ue__iovec *)bytes;
		count = -(int)size;
		for (i = 0, size = 0; i < count; i++)
			size += iov[i].iov_len;
	}
	size -= 4;
	ue__capture_now_by(r, c, &head);
	if (!ue__capture_id(c, event, &head, &head.value) &&
	    size <= UE__CAPTURE_BODY - sizeof(common))
		place = ue__capture_reserve(
			c->memory, sizeof(head) + ue__capture_padded(sizeof(common) + size));
	if (UE__UNLIKELY(!place)) {
		ue__capture_failed(c);
		goto out;
	}
	head.magic = 0; /* stored last, when the event is complete */
	head.check = head.zero = 0;
	head.length = (uint32_t)(sizeof(common) + size);
	head.type = UE__CAPTURE_EVENT;
	common.type = (uint16_t)head.value;
	common.flags = common.preempt = 0;
	common.tid = head.tid;
	memcpy(place, &head, sizeof(head));
	memcpy(place + sizeof(head), &common, sizeof(common));
	place += sizeof(head) + sizeof(common);
	if (UE__UNLIKELY(iov != NULL))
		ue__capture_pieces(place, iov, count);
	else
		ue__capture_copy(place, (const unsigned char *)bytes + 4, size);
	place -= sizeof(head) + sizeof(common);
	__atomic_store_n((uint32_t *)(void *)place, UE__CAPTURE_UNHASHED, __ATOMIC_RELEASE);
out:
	__atomic_fetch_sub(&r->own->inside, 1u, __ATOMIC_RELEASE);
}

UE__FILE_COLD void ue__record_both(struct ue_event *event, const void *bytes, size_t size)
{
	void (*record)(struct ue_event * event, const void *bytes, size_t size) =
		__atomic_load_n(&ue__state_v1.recorder, __ATOMIC_ACQUIRE);

	if (record)
		record(event, bytes, size);
	ue__capture_record(event, bytes, size);
}

UE__FN void ue__listen(void)
{
	struct ue__state *s = &ue__state_v1;
	const struct ue__recording *r = (const struct ue__recording *)s->capturing;
	struct ue_event *e;
	__typeof__(s->record) record = s->recorder;

	if (r && r->capture)
		record = record ? &ue__record_both : &ue__capture_record;
	__atomic_store_n(&s->record, record, __ATOMIC_RELEASE);
	for (e = ue__next_event(NULL); e; e = ue__next_event(e))
		ue__update_our_bits(e);
}

/* Returns false if another capture is there already. */
UE__FN bool ue__capturing_start(struct ue_capture *c)
{
	struct ue__state *s = &ue__state_v1;
	struct ue__recording *r;
	bool starts;

	ue__keep_entries();
	ue__lock();
	r = (struct ue__recording *)s->capturing;
	if (!r) {
		r = (struct ue__recording *)ue__map(sizeof(*r));
		if (r && !(r->own = (struct ue__recorder_own *)ue__map(sizeof(*r->own)))) {
			munmap(r, sizeof(*r));
			r = NULL;
		}
		if (r)
			ue__recorder_detect(r);
		__atomic_store_n(&s->capturing, (void *)r, __ATOMIC_RELEASE);
	}
	starts = r && !r->capture;
	if (starts) {
		UE__STORE(&r->own->pid, 0u);
		__atomic_store_n(&r->capture, c, __ATOMIC_SEQ_CST);
		ue__listen();
	}
	ue__unlock();
	return starts;
}

/* Returns false if C is a probe. */
UE__FN bool ue__capturing_stop(const struct ue_capture *c)
{
	struct ue__recording *r;
	uint32_t inside;
	bool stops;

	ue__lock();
	r = (struct ue__recording *)ue__state_v1.capturing;
	stops = r && r->capture == c;
	if (stops) {
		__atomic_store_n(&r->capture, (struct ue_capture *)NULL, __ATOMIC_SEQ_CST);
		ue__listen();
	}
	ue__unlock();
	while (stops && (inside = __atomic_load_n(&r->own->inside, __ATOMIC_SEQ_CST)) != 0 &&
	       inside <= INT32_MAX)
		ue__sleep(&r->own->inside, (int)inside, 100);
	return stops;
}
