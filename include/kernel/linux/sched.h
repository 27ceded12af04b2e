/* SPDX-License-Identifier: MIT */
#ifndef UE_LINUX_SCHED_H
#define UE_LINUX_SCHED_H
#pragma GCC system_header

#include <linux/types.h>
#if __has_include_next(<linux/sched.h>)
#include_next <linux/sched.h>
#endif

#ifndef TASK_COMM_LEN
#define TASK_COMM_LEN 16
#endif

#endif
