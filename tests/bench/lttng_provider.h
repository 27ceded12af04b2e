/* SPDX-License-Identifier: MIT */
/* LTTng-UST definitions of the events in lttng_cost.c and cost.c. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER bench
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "lttng_provider.h"
#if !defined(LTTNG_PROVIDER_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define LTTNG_PROVIDER_H
#include <lttng/tracepoint.h>
#include <stdint.h>

LTTNG_UST_TRACEPOINT_EVENT(
	bench, scalars4, LTTNG_UST_TP_ARGS(uint32_t, a, uint64_t, b, uint32_t, c, uint64_t, d),
	LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(uint32_t, a, a)
				    lttng_ust_field_integer(uint64_t, b, b)
					    lttng_ust_field_integer(uint32_t, c, c)
						    lttng_ust_field_integer(uint64_t, d, d)))

LTTNG_UST_TRACEPOINT_EVENT(bench, string,
			   LTTNG_UST_TP_ARGS(uint32_t, a, uint64_t, b, const char *, s),
			   LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(uint32_t, a, a)
						       lttng_ust_field_integer(uint64_t, b, b)
							       lttng_ust_field_string(s, s)))
#endif
#include <lttng/tracepoint-event.h>
