/* SPDX-License-Identifier: MIT */
/*
 * Definitions shared by the files of the smoke program. Each file declares and writes its events in
 * a different way. The main file checks the records in the fake kernel.
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

/* Number of times that events evaluated smoke_value(). */
SMOKE_C int smoke_evaluated;
static inline uint32_t smoke_value(uint32_t value)
{
	smoke_evaluated++;
	return value;
}

/*
 * Declares an event in every file that includes this header, so one event name has several sites.
 */
static inline void smoke_in_header(uint32_t n)
{
	UE_TRACE(smoke_header, UE_U32(n));
}

/*
 * Each of these functions writes three events: smoke_header, an event that is declared in the
 * function's file, and an event in smoke_set.
 */
SMOKE_C void smoke_part_c(void);
SMOKE_C void smoke_part_cc(void);

#endif
