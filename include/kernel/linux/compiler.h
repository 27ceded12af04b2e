/* SPDX-License-Identifier: MIT */
#ifndef UE_LINUX_COMPILER_H
#define UE_LINUX_COMPILER_H
#pragma GCC system_header

#ifndef likely
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#endif
#ifndef READ_ONCE
#define READ_ONCE(x) (*(const volatile __typeof__(x) *)&(x))
#endif
#ifndef __user
#define __user
#define __kernel
#define __iomem
#define __rcu
#define __force
#endif
#ifndef __packed
#define __packed __attribute__((__packed__))
#endif
#ifndef __aligned
#define __aligned(n) __attribute__((__aligned__(n)))
#endif
#ifndef __mode
#define __mode(mode) __attribute__((__mode__(mode)))
#endif
#ifndef __maybe_unused
#define __maybe_unused __attribute__((__unused__))
#endif

#endif
