/* SPDX-License-Identifier: MIT */
/* Network events. Trace headers without TRACE_INCLUDE_PATH are searched for in this directory. */
/* Trace headers are formatted by hand, as in the kernel. */
/* clang-format off */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM net_like

#if !defined(_TRACE_NET_LIKE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _TRACE_NET_LIKE_H

#include <linux/tracepoint.h>
#include <linux/types.h>

struct frame;

#define show_frame_flags(flags)			\
	__print_flags(flags, "|",		\
		{ BIT(0), "UP" },		\
		{ BIT(1), "BROADCAST" },	\
		{ BIT(4), "LOOPBACK" })

TRACE_EVENT(frame_xmit,

	TP_PROTO(const struct frame *frame, int rc),

	TP_ARGS(frame, rc),

	TP_STRUCT__entry(
		__string(	name,		frame->device		)
		__field(	const void *,	frame			)
		__field(	u16,		protocol		)
		__array(	u8,		source,		6	)
		__array(	u8,		saddr,		4	)
		__array(	u8,		saddr_v6,	16	)
		__array(	u8,		id,		16	)
		__field(	unsigned int,	flags			)
		__field(	int,		rc			)
	),

	TP_fast_assign(
		__assign_str(name);
		__entry->frame = frame;
		__entry->protocol = frame->protocol;
		memcpy(__entry->source, frame->source, 6);
		memcpy(__entry->saddr, frame->ip, 4);
		memcpy(__entry->saddr_v6, frame->ip6, 16);
		memcpy(__entry->id, frame->id, 16);
		__entry->flags = frame->flags;
		__entry->rc = rc;
	),

	TP_printk("dev=%s protocol=0x%04x src=%pM saddr=%pI4 saddrv6=%pI6c "
		  "id=%pUb flags=%s rc=%d (%pe)",
		  __get_str(name), __entry->protocol, __entry->source, __entry->saddr,
		  __entry->saddr_v6, __entry->id, show_frame_flags(__entry->flags), __entry->rc,
		  (void *)(long)__entry->rc)
);

TRACE_EVENT(frame_dump,

	TP_PROTO(const void *data, unsigned int len, struct va_format *why),

	TP_ARGS(data, len, why),

	TP_STRUCT__entry(
		__dynamic_array(	u8,	data,	len		)
		__vstring(		why,	why->fmt, why->va	)
		__sockaddr(		peer,	28			)
	),

	TP_fast_assign(
		static const u8 loopback[28] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
						 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 };

		memcpy(__get_dynamic_array(data), data, len);
		__assign_vstr(why, why->fmt, why->va);
		__assign_sockaddr(peer, loopback, sizeof(loopback));
		((struct sockaddr *)__get_dynamic_array(peer))->sa_family = AF_INET6;
	),

	TP_printk("%s from %pISpc: %*phN", __get_str(why), __get_sockaddr(peer),
		  (int)__get_dynamic_array_len(data), __get_dynamic_array(data))
);

#endif /* _TRACE_NET_LIKE_H */

#include <trace/define_trace.h>
