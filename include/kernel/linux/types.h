/* SPDX-License-Identifier: MIT */
/*
 * The kernel's types, for trace headers. UE_NO_KERNEL_TYPES omits u8 to s64, which many programs
 * define themselves.
 */
#ifndef UE_LINUX_TYPES_H
#define UE_LINUX_TYPES_H
#pragma GCC system_header

#if __has_include_next(<linux/types.h>)
#include_next <linux/types.h>
#define UE__LINUX_TYPES 1
#endif
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifndef UE__LINUX_TYPES
typedef uint8_t __u8;
typedef uint16_t __u16, __le16, __be16;
typedef uint32_t __u32, __le32, __be32;
typedef unsigned long long __u64, __le64, __be64;
typedef int8_t __s8;
typedef int16_t __s16;
typedef int32_t __s32;
typedef long long __s64;
#endif

#ifndef UE_NO_KERNEL_TYPES
/* same types as in the kernel, so that %llu is correct for u64 on every machine */
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef unsigned long long u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef long long s64;
#endif

typedef unsigned long long sector_t;
typedef unsigned long pgoff_t;
typedef unsigned long long phys_addr_t;
typedef unsigned long long resource_size_t;
typedef unsigned long long dma_addr_t;
typedef unsigned int gfp_t;
typedef unsigned int fmode_t;
typedef unsigned short umode_t;
typedef long long ktime_t;
typedef long long time64_t;

#endif
