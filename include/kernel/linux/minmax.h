/* SPDX-License-Identifier: MIT */
#ifndef UE_LINUX_MINMAX_H
#define UE_LINUX_MINMAX_H
#pragma GCC system_header

#define min_t(type, a, b) \
	(__extension__({ \
		type ue__left = (a), ue__right = (b); \
		ue__left < ue__right ? ue__left : ue__right; \
	}))
#define max_t(type, a, b) \
	(__extension__({ \
		type ue__left = (a), ue__right = (b); \
		ue__left > ue__right ? ue__left : ue__right; \
	}))
/* The C++ library has functions with these names, which macros would break. */
#ifndef __cplusplus
#ifndef min
#define min(a, b) min_t(__typeof__((a) + (b)), a, b)
#endif
#ifndef max
#define max(a, b) max_t(__typeof__((a) + (b)), a, b)
#endif
#endif

#endif
