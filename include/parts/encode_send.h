/* SPDX-License-Identifier: MIT */
/*
 * Sending small events
 */

/* @enabled */

/* A segment of its own, which would cost the others two instructions. */
UE__COLD void ue__send_probed_one(struct ue_event *event, const unsigned char *buffer, size_t size)
{
	struct ue__iovec one;

	one.iov_base = (void *)(uintptr_t)buffer;
	one.iov_len = size;
	ue__send_probed(event, &one, 1, size, ue__write_enabled);
}

/* Sends the small event that is packed from BUFFER to END. */
static UE__ALWAYS_INLINE void ue__send_small(struct ue_event *event, const unsigned char *buffer,
					     const unsigned char *end)
{
	void (*record)(struct ue_event * event, const void *bytes, size_t size);
	size_t size = (size_t)(end - buffer);
	struct ue__iovec one;
	uint32_t enabled = UE__LOAD(&event->enabled);

	if (UE__UNLIKELY(enabled != UE__KERNEL_BIT)) {
		record = __atomic_load_n(&ue__state_v1.record, __ATOMIC_ACQUIRE);
		if (enabled == UE__RECORD_BIT && record)
			record(event, buffer, size);
		else
			ue__send_probed_one(event, buffer, size);
		return;
	}
	one.iov_base = (void *)(uintptr_t)buffer;
	one.iov_len = size;
	ue__count_write(event, ue__write(ue__data_fd(), &one, 1));
}

/* The same, and a long string that ends it, where it is. */
UE__ONCE void ue__send_two(struct ue_event *event, const unsigned char *buffer,
			   const unsigned char *end, const char *s, size_t n)
{
	struct ue__iovec two[2];

	two[0].iov_base = (void *)(uintptr_t)buffer;
	two[0].iov_len = (size_t)(end - buffer);
	two[1].iov_base = (void *)(uintptr_t)s;
	two[1].iov_len = n;
	ue__send(event, two, 2, two[0].iov_len + n);
}
