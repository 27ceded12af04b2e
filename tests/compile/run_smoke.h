/* SPDX-License-Identifier: MIT */
/*
 * Shared definitions of the smoke program's files. Each part declares and writes events in its own
 * way. The main file checks the records of the fake kernel.
 */
#ifndef RUN_SMOKE_H
#define RUN_SMOKE_H

#define FAKE_KERNEL_HOOKS
#include "fake_kernel.h"
#include <user_events.h>

#ifdef __cplusplus
#define SMOKE_C extern "C"
#else
#define SMOKE_C extern
#endif

UE_DECLARE_EVENT_SET(smoke_set);

/* Number of times a value was evaluated. */
SMOKE_C int smoke_evaluated;
static inline uint32_t smoke_value(uint32_t value)
{
	smoke_evaluated++;
	return value;
}

/* The same event in every file that includes this header: one name with many sites. */
static inline void smoke_in_header(uint32_t n)
{
	UE_TRACE(smoke_header, UE_U32(n));
}

/* Each function writes smoke_header, an event of its own, and an event of smoke_set. */
SMOKE_C void smoke_part_c(void);
SMOKE_C void smoke_part_cc(void);

#endif
